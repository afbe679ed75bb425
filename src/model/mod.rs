//! Plain values of the domain, without any input or output.

mod doc_ref;
mod document;
mod link;
mod query;
mod result;
mod run;

pub use doc_ref::{DocRef, DocRefError, TEST_RUN_MODEL, TEST_SUITE_MODEL};
pub use document::{Document, ShapeError, number_text};
pub use link::{LinkEntity, LinkRecord};
pub use query::{Facets, Filter, ListPage, Page, Sort, TestRunList};
pub use result::{ResultCode, ResultCounts};
pub use run::{Attachment, RunRow, Status};

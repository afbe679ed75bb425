//! Plain values of the domain, without any input or output.

mod change;
pub mod diff;
mod doc_ref;
mod document;
mod excerpt;
mod hours;
mod link;
mod new_run;
mod probe;
mod query;
mod result;
mod run;
mod sample;
mod suite;

pub use change::{ChangeOutcome, ChangeVerdict, ChunkResult, SuiteChange};
pub use doc_ref::{DocRef, DocRefError, TEST_RUN_MODEL, TEST_SUITE_MODEL};
pub use document::{Document, ShapeError, number_text};
pub use excerpt::{EXCERPT, excerpt};
pub use hours::{HoursOfDay, WorkingHours};
pub use link::{LinkEntity, LinkRecord};
pub use new_run::NewRun;
pub use probe::{PROBE_MARK, Probe};
pub use query::{Facets, Filter, ListPage, Page, RunsOperation, RunsPage, RunsSource, Sort, TestRunList};
pub use result::{ResultCode, ResultCounts};
pub use run::{Attachment, RunRow, Status};
pub use sample::Sample;
pub use suite::SuiteRow;

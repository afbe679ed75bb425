//! Plain values of the domain, without any input or output.

mod change;
mod doc_ref;
mod document;
mod draft;
mod excerpt;
mod field;
mod form_text;
mod link;
mod merge;
mod new_run;
mod probe;
mod query;
mod result;
mod run;
mod suite;
mod version;
mod write;

pub use change::{ChangeOutcome, ChangeVerdict, ChunkResult, SuiteChange};
pub use doc_ref::{DocRef, DocRefError, TEST_RUN_MODEL, TEST_SUITE_MODEL};
pub use document::{Document, ShapeError, number_text};
pub use draft::{Draft, DraftSent, DraftTaken, FormFor};
pub use excerpt::{EXCERPT, excerpt};
pub use field::{RunField, RunTexts, texts_of};
pub use form_text::{FormProblem, from_toml, to_toml};
pub use link::{LinkEntity, LinkRecord};
pub use merge::{Choice, Choices, FieldMerge, Verdict, merge, resolved, undecided};
pub use new_run::NewRun;
pub use probe::{PROBE_MARK, Probe};
pub use query::{Facets, Filter, ListPage, Page, RunsOperation, RunsPage, RunsSource, Sort, TestRunList};
pub use result::{ResultCode, ResultCounts};
pub use run::{Attachment, RunRow, Status};
pub use suite::SuiteRow;
pub use version::{FieldError, same_version};
pub use write::{Create, CreateEnd, Delete, DeleteEnd, Modify, ModifyEnd, RunCopy, Undo, UndoBy, UndoOf};

//! Plain values of the domain, without any input or output.

mod change;
pub(crate) mod columns;
pub mod compare;
pub mod csv;
mod days;
pub mod diff;
mod doc_ref;
mod document;
mod document_name;
mod draft;
pub(crate) mod due;
mod excerpt;
mod failure;
mod field_digests;
pub mod fields;
mod form_fields;
mod hours;
mod ids;
pub mod json;
mod left_off;
mod limit;
mod link;
mod lock;
pub(crate) mod markdown;
mod merge;
mod narrowing;
mod nearest;
mod notify;
mod outcome;
mod prelude;
mod probe;
mod query;
pub mod query_language;
mod quiet;
mod read_all;
pub mod release;
mod result;
mod run;
pub mod run_text;
mod runs_text;
mod sample;
mod sign_in;
pub mod since;
mod suite;
mod suite_fields;
pub(crate) mod suite_text;
mod summary;
pub(crate) mod table;
pub mod text;
mod typed_date;
mod version;
mod view;
mod write;
mod write_request;

pub use change::{Changing, ChunkResult, KnownChange, SuiteChange};
pub use days::{Days, format_local, local};
pub use doc_ref::{DocRef, DocRefError, TEST_RUN_MODEL, TEST_SUITE_MODEL};
pub use document::{Document, ShapeError, scalar_text, text_or_json};
pub use document_name::{DocumentName, find_named};
pub use draft::{Draft, DraftOwner, DraftSent, DraftTaken, DraftWish, FormFor};
pub use due::{DueDates, DueOf};
pub use excerpt::{EXCERPT, cut_both, excerpt, head};
pub use failure::{Failure, FailureKind, with_log};
pub use field_digests::{FieldDigests, digest};
pub use form_fields::{
    NewRun, RunField, RunTexts, RunValues, SAME_WORDS, copied_texts, differing, same_words, short,
    short_both, text_of, texts_of, texts_of_new,
};
pub use hours::{HoursOfDay, MONDAY_TO_FRIDAY, WorkingHours};
pub use ids::{
    is_run_id, is_suite_id, is_within, project_id, project_name, project_version, subproject_id,
    version_numbers,
};
pub use left_off::{LeftOff, LeftOn};
pub use limit::{Limit, LimitState};
pub use link::{items, linked};
pub use lock::lock;
pub use merge::{Choices, FieldMerge, Resolution, Verdict, merge, resolved, undecided};
pub use narrowing::Narrowing;
pub use nearest::{did_you_mean, nearest};
pub use notify::Notify;
pub use outcome::{Deed, End, ItemOutcome, Outcome, ReadBack, Why};
pub use probe::{PROBE_MARK, Probe};
pub use query::{
    Facets, FieldFilter, Filter, ListPage, Page, RunsOperation, RunsPage, RunsSource, Sort,
};
pub use quiet::Quiet;
pub use read_all::{
    Extent, ListEntry, PASSES, PageError, Pages, ReadFault, ReadList, ReadOptions, read_all,
};
pub use result::{Cases, ResultCode, ResultCounts, Sums};
pub use run::{RunRow, Status, full_name};
pub use runs_text::{RunsText, text_of_runs, usual_columns};
pub use sample::Sample;
pub use sign_in::SignInReason;
pub use suite::SuiteRow;
pub use suite_fields::{LabelledValues, SaidAs, SuiteFields, files_of};
pub use summary::Summary;
pub use table::Format;
pub use version::{FieldError, same_version};
pub use view::{MOST_BY_ID, MOST_WATCHED, Only, View};
pub use write::{
    Create, Created, Delete, Lookup, Modify, Undo, UndoBy, UndoOf, Unfinished, UnfinishedChange,
    WriteTarget,
};
pub use write_request::{WriteRequest, method};

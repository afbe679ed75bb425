//! Suites in a run, worked out from documented operations, with their trust (`docs/attached.md`).
//!
//! ```text
//!  SurveySource ──► read_all ──► survey ──Evidence──► verdict ──► Attached ──► words
//!  (calls)    (one list)   (all calls, bracketed)  (pure)   (what the screen shows)
//! ```
//!
//! For an open run r let A(r) be `GET_AVAILABLE_TEST_SUITES` read completely and U the suites offered to an empty run
//! of the same scope. "Suites already in the run are excluded" (4.3), so the suites in r are U − A(r), and
//! `TestSuiteCount(r) + |A(r)|` must be the same number for every open run of the scope.

mod available;
mod calls;
mod evidence;
mod in_no_run;
mod lists;
mod names;
mod other_runs;
mod outcome;
mod prelude;
mod runs;
mod source;
mod survey;
mod verdict;
mod why;
mod wording;

pub(crate) use available::by_title;
pub use available::{SuiteList, available_suites};
pub use evidence::{EmptyRun, Evidence, FormerlyFree, OtherRun, PriorKnowledge, TargetRun};
pub use in_no_run::{InNoRun, LeftOut, in_no_run, runs_of_release};
pub use outcome::{Attached, How, Named, State};
pub use source::{Scope, SurveySource};
pub use survey::{SurveyLimits, survey};
pub use verdict::verdict;
pub use wording::Clock;

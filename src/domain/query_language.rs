//! Searches (`smoke status:open failed>0`) and conditions (`failed_new <= 3 && untested == 0`): two grammars on one table
//! of names.
//!
//! ```text
//!  text ──► search, token ──► parse ──► Condition ──a run, QueryContext──► yes, no, or not known
//!               └── name: THE table of names ──► completion of the word at the cursor
//! ```

mod compare;
mod completion;
mod condition;
mod context;
mod count;
mod fold;
mod name;
mod parse;
mod predicate;
mod search;
mod time;
mod token;

pub use compare::Range;
pub use completion::{Completion, Grammar, complete};
pub use condition::{Condition, Subject};
pub use context::{Flag, QueryContext};
pub use count::{RunCount, by_name};
pub use fold::folded;
pub use name::{NAMES, Name, NameKind, RELEASE_NAMES};
pub use parse::{Wrong, condition, criterion};
pub use search::{RunSearch, both, search};
pub use time::{end_of, past};

//! A condition on the counts of a run: `failed_new <= 3 && untested == 0`, for gates and limits.
//!
//! ```text
//!  text ──► token ──► expr ──► Condition ──counts of a run──► true, false, or not known
//! ```

mod expr;
mod name;
mod token;
mod value;

pub use expr::parse;
pub use name::{Counting, Name};
pub use value::Condition;

//! What is new about one run.

use std::fmt;

use super::Change;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    /// It was not in the list before.
    Appeared {
        /// Who edited it last: a new run was edited by nobody but its creator.
        by: Option<String>,
    },
    /// It is in the list no more.
    Vanished,
    /// It is in both, and differs.
    Changed {
        /// In what; at least one.
        changes: Vec<Change>,
        /// Who edited it in between, if the service says so.
        by: Option<String>,
    },
}

impl fmt::Display for News {
    /// Such as `Failed (new) 20 → 21, Suites 11 → 12`, `Title "a" → "b" (edited by mai)`, `appeared (edited by trung)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let by = match self {
            Self::Appeared { by } => {
                f.write_str("appeared")?;
                by
            }
            Self::Vanished => return f.write_str("vanished"),
            Self::Changed { changes, by } => {
                let words: Vec<String> = changes.iter().map(ToString::to_string).collect();
                f.write_str(&words.join(", "))?;
                by
            }
        };
        by.as_ref()
            .map_or(Ok(()), |by| write!(f, " (edited by {by})"))
    }
}

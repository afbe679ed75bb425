//! Changes of a run between two readings, by field and by result code.
//!
//! The order of members and of the entries of `Result` has no meaning: the same data in another order is no change. All
//! values are unchanged; the view makes the words harmless.

mod run;

use std::fmt;

use super::text;

pub use run::{Change, OwnWrite, counts, edited_by, run};

/// Field paths whose changes are ignored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ignored(Vec<String>);

impl Ignored {
    /// Fields that change with every edit (2.2, 2.5), whatever was edited.
    pub const DEFAULT: [&'static str; 3] =
        ["Root.Metadata", "__meta.modifiedAt", "__meta.modifier"];

    /// Ignores paths such as `Root.Metadata` and all below them; `Root.Metadata.*` means the same.
    pub fn new<S: AsRef<str>>(paths: impl IntoIterator<Item = S>) -> Self {
        Self(
            paths
                .into_iter()
                .map(|path| {
                    let path = path.as_ref();
                    path.strip_suffix(".*").unwrap_or(path).to_owned()
                })
                .collect(),
        )
    }

    /// Returns `true` if changes at this path are ignored.
    pub fn covers(&self, path: &str) -> bool {
        self.0.iter().any(|ignored| {
            path.strip_prefix(ignored.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        })
    }
}

impl Default for Ignored {
    fn default() -> Self {
        Self::new(Self::DEFAULT)
    }
}

/// News of one run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    /// New in the list.
    Appeared {
        /// Last editor: of a new run that is its creator.
        by: Option<String>,
    },
    /// No longer in the list.
    Vanished,
    /// In both lists, with changes.
    Changed {
        /// At least one.
        changes: Vec<Change>,
        /// Editor in between, if the service reports one.
        by: Option<String>,
    },
}

/// Joins changes in one line.
pub fn words<'a>(changes: impl Iterator<Item = &'a Change>) -> String {
    text::join(changes.map(ToString::to_string), ", ")
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
                f.write_str(&words(changes.iter()))?;
                by
            }
        };
        by.as_ref()
            .map_or(Ok(()), |by| write!(f, " (edited by {by})"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_ignored_with_all_below_it_and_nothing_beside_it() {
        let ignored = Ignored::new([
            "Root.Metadata.*",
            "__meta.modifiedAt",
            "Root.DisplayFields.Result",
        ]);
        for path in [
            "Root.Metadata",
            "Root.Metadata.EditedOn",
            "__meta.modifiedAt",
            "Root.DisplayFields.Result[5].count",
        ] {
            assert!(ignored.covers(path), "{path}");
        }
        for path in [
            "Root",
            "Root.MetadataOld",
            "__meta",
            "__meta.modifiedAtAll",
            "Root.General.Title",
            "",
        ] {
            assert!(!ignored.covers(path), "{path}");
        }
        assert!(!Ignored::new([""; 0]).covers("Root.Metadata.EditedOn"));
    }
}

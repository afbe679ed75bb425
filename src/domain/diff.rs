//! What changed in a run between two readings, by field and by result code.
//!
//! The order of members and of the entries of `Result` means nothing, so that the same data in another order
//! is no change. All values stay as they came; whoever draws the words makes them harmless first.

mod news;
mod run;

pub use news::News;
pub use run::{Change, OwnWrite, edited_by, run};

/// Field paths whose changes are not told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ignored(Vec<String>);

impl Ignored {
    /// What every edit moves (2.2, 2.5): it says that something was edited, and nothing about what.
    pub const DEFAULT: [&'static str; 3] =
        ["Root.Metadata", "__meta.modifiedAt", "__meta.modifier"];

    /// Paths such as `Root.Metadata`, each for itself and all that is below it; `Root.Metadata.*` means the same.
    pub fn new<S: AsRef<str>>(paths: impl IntoIterator<Item = S>) -> Self {
        let path = |path: S| {
            path.as_ref()
                .strip_suffix(".*")
                .unwrap_or(path.as_ref())
                .to_owned()
        };
        Self(paths.into_iter().map(path).collect())
    }

    /// Whether changes at this path are not told.
    pub fn covers(&self, path: &str) -> bool {
        let below = |rest: &str| rest.is_empty() || rest.starts_with(['.', '[']);
        self.0
            .iter()
            .any(|ignored| path.strip_prefix(ignored.as_str()).is_some_and(below))
    }
}

impl Default for Ignored {
    fn default() -> Self {
        Self::new(Self::DEFAULT)
    }
}

/// Characters of a value in words about a change.
const SHOWN: usize = 60;

/// The beginning of a long text.
fn cut(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
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

    #[test]
    fn long_texts_are_cut_between_characters() {
        assert_eq!(cut("a"), "a");
        assert_eq!(cut(&"ü".repeat(60)), "ü".repeat(60));
        assert_eq!(cut(&"ü".repeat(61)), format!("{}…", "ü".repeat(60)));
    }
}

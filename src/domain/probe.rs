//! A probe run: an empty run that is made, read and deleted again, to learn what can be added in its scope.

use super::{DocRef, NewRun, RunField, texts_of_new};

/// What the title of every probe run begins with, so that everybody knows what it is.
pub const PROBE_MARK: &str = "[probe, safe to delete]";

/// A probe that is planned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probe {
    /// The run whose suites are to be known.
    pub target: DocRef,
    /// The run that is made for it.
    pub run: NewRun,
}

impl Probe {
    /// A probe for a run of this scope; `who` and `clock` stand in its title.
    pub fn new(
        target: DocRef,
        project: &str,
        subproject: Option<&str>,
        version: &str,
        (who, clock): (&str, &str),
    ) -> Self {
        let run = texts_of_new(project, subproject, Some(version));
        let run = NewRun::of_texts(&run)
            .with(RunField::Title, format!("{PROBE_MARK} {who} {clock}"))
            .with(
                RunField::Description,
                "Made by rundown to learn which suites can be added in this scope; deleted again at once.",
            );
        Self { target, run }
    }
}

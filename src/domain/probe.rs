//! Probe runs: empty runs that are created, read and deleted again, to learn which suites their scope offers.

use super::{DocRef, NewRun, RunField, texts_of_new};

/// Start of the title of every probe run, for other users.
pub const PROBE_MARK: &str = "[probe, safe to delete]";

/// Plan of a probe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probe {
    /// Run for which suites are wanted.
    pub target: DocRef,
    /// Run to create for it.
    pub run: NewRun,
}

impl Probe {
    /// Plans a probe for a run of this scope, with `who` and `clock` in its title.
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

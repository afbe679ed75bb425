//! How runs are watched: what is finished, what counts as time, what is told.

use crate::domain::diff::Ignored;
use crate::domain::{ResultCode, SavedView, WorkingHours};

/// What depends on the project and its team; keys of a profile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Watch {
    /// Codes of cases that are finished; at least one.
    pub done: Vec<ResultCode>,
    /// What counts as time.
    pub hours: WorkingHours,
    /// The pace is that of so many working days, 1 to 90.
    pub pace_days: u32,
    /// The gate as it is written; `None` without one.
    pub gate: Option<String>,
    /// Saved views, each with another name.
    pub views: Vec<SavedView>,
}

impl Default for Watch {
    fn default() -> Self {
        let done = [
            ResultCode::Passed,
            ResultCode::FailedNew,
            ResultCode::FailedKnown,
            ResultCode::Skipped,
        ];
        Self {
            done: done.to_vec(),
            hours: WorkingHours::default(),
            pace_days: 3,
            gate: None,
            views: Vec::new(),
        }
    }
}

/// What is the same for all profiles: `[monitor]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Monitor {
    /// Samples are kept for so many days, 1 to 3650.
    pub samples_days: u32,
    /// Fields whose changes are not told.
    pub ignored: Ignored,
    /// What happens when a threshold is crossed or a run is finished.
    pub notify: Notify,
}

impl Default for Monitor {
    fn default() -> Self {
        Self {
            samples_days: 90,
            ignored: Ignored::default(),
            notify: Notify::None,
        }
    }
}

/// How a person is told who looks elsewhere.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Notify {
    /// Not at all.
    #[default]
    None,
    /// The bell of the terminal.
    Bell,
    /// A notification of the terminal, OSC 9.
    Osc9,
    /// A program with its arguments, at least one word; what happened is added as the last one. No shell.
    Command(Vec<String>),
}

//! A write as its lines tell it.

use serde_json::{Map, Value};

use super::{Step, WriteId};

/// One write with all its steps.
#[derive(Clone, Debug, PartialEq)]
pub struct WriteRecord {
    /// Which one.
    pub write: WriteId,
    /// Time of the first step that was read, epoch milliseconds.
    pub at: i64,
    /// Name of the profile.
    pub profile: String,
    /// Reference of the run (2.1), or empty.
    pub run: String,
    /// Short id and title of the run as they were then.
    pub run_name: String,
    /// Steps in the order of the file.
    pub steps: Vec<StepRecord>,
}

/// One step as it was read.
#[derive(Clone, Debug, PartialEq)]
pub struct StepRecord {
    /// When, epoch milliseconds.
    pub at: i64,
    /// What happened.
    pub step: Step,
    /// Members that this version does not know, as they stand in the file.
    pub more: Map<String, Value>,
}

/// What is known of a write, by its last telling step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteState {
    /// Begun, and no line after that: still under way, or the program was ended.
    Begun,
    /// Answered with a result.
    Answered,
    /// Refused.
    Refused,
    /// The answer was lost.
    Unknown,
    /// Reading agrees.
    Confirmed,
    /// Reading disagrees.
    Differs,
    /// Nothing but steps of another version.
    Other,
}

impl WriteState {
    /// The words for the screen.
    pub fn words(self) -> &'static str {
        match self {
            Self::Begun => "sent, answer unknown",
            Self::Answered => "answered, not confirmed",
            Self::Refused => "refused",
            Self::Unknown => "sent, answer lost",
            Self::Confirmed => "confirmed",
            Self::Differs => "differs",
            Self::Other => "told by another version",
        }
    }
}

impl WriteRecord {
    /// What is known by now: a later step overrides an earlier one.
    pub fn state(&self) -> WriteState {
        let telling = self.steps.iter().rev().find_map(|step| match step.step {
            Step::Sent { .. } => Some(WriteState::Begun),
            Step::Answered { .. } => Some(WriteState::Answered),
            Step::Refused { .. } => Some(WriteState::Refused),
            Step::Unknown { .. } => Some(WriteState::Unknown),
            Step::Confirmed { .. } => Some(WriteState::Confirmed),
            Step::Differs { .. } => Some(WriteState::Differs),
            Step::Other { .. } => None,
        });
        telling.unwrap_or(WriteState::Other)
    }

    /// Operation and params as they were sent; `None` when that line lies before what was read.
    pub fn request(&self) -> Option<(&str, &Value)> {
        self.steps.iter().find_map(|step| match &step.step {
            Step::Sent { method, params, .. } => Some((method.as_str(), params)),
            _ => None,
        })
    }
}

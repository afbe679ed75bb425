//! What came of a write to a run, in one word and as an exit status.

use super::Exit;

/// What came of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A reading shows it.
    Confirmed,
    /// There was nothing to write.
    Unchanged,
    /// Something is in effect, and it is not what was asked for.
    Differs,
    /// It was sent, and what it did could not be found out.
    Unknown,
    /// Nothing was changed: refused, not sent, or sent without effect.
    Refused,
    /// Not sent because something before it went wrong.
    NotTried,
}

impl Outcome {
    /// Its name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Confirmed => "confirmed",
            Self::Unchanged => "unchanged",
            Self::Differs => "differs",
            Self::Unknown => "unknown",
            Self::Refused => "refused",
            Self::NotTried => "not_tried",
        }
    }

    /// The exit status that it leads to.
    pub fn exit(self) -> Exit {
        match self {
            Self::Confirmed | Self::Unchanged => Exit::Fine,
            Self::Differs => Exit::Failed,
            Self::Unknown | Self::Refused | Self::NotTried => Exit::Service,
        }
    }
}

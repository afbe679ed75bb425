//! Words for the verdict.

use super::{Attached, How, Named, State};
use crate::domain::text;

/// Formats a time, epoch milliseconds, as the screen does.
pub type Clock<'a> = &'a dyn Fn(i64) -> String;

impl Attached {
    /// Describes how much is known: "5 of 7 suites known"; of a complete list only its number.
    pub fn words(&self) -> String {
        let (sure, count) = (self.sure().count(), self.count.unwrap_or(0));
        let words = match self.state {
            State::Empty => "no suites",
            State::Complete => return text::count(sure, "suite"),
            State::CompleteWorkedOut => {
                return format!("{} (count worked out)", text::count(sure, "suite"));
            }
            State::Partial => {
                return format!(
                    "{} of {} known",
                    text::thousands(sure),
                    text::count(count, "suite")
                );
            }
            State::Unchecked => {
                let said = text::count(self.said().count(), "suite");
                return format!("{said} known, maybe not all");
            }
            State::Conflict => "the lists contradict each other",
            State::Closed => "closed: its suites cannot be listed or changed",
            State::Changing => "changed while it was read",
            State::Incomplete => "the list of free suites could not be read whole",
        };
        words.to_owned()
    }

    /// Describes what was known before the run was closed: `last known 09:22, 9 of 9`; empty if nothing was.
    pub fn last_known(&self, clock: Clock<'_>) -> String {
        let how = self.candidates.first().map(|named| &named.how);
        let how = how.filter(|how| matches!(how, How::LastKnown { .. }));
        how.map_or_else(String::new, |how| how.text(clock))
    }

    /// Suites named by a list or a link record, sure or not.
    fn said(&self) -> impl Iterator<Item = &Named> {
        self.named.iter().filter(|named| named.how != How::Typed)
    }

    /// Text of the row for suites without a name, `None` if there are none.
    pub fn unknown_row(&self) -> Option<String> {
        match (self.state, self.unknown?) {
            (State::Partial, 0)
            | (State::Empty | State::Complete | State::CompleteWorkedOut, _) => None,
            (_, 1) => Some("1 more suite is attached that no list names".to_owned()),
            (_, many) => Some(format!(
                "{many} more suites are attached that no list names"
            )),
        }
    }

    /// Text beside that row: "7 by the service, named 5".
    pub fn unknown_how(&self) -> Option<String> {
        let count = self.count.filter(|_| self.unknown_row().is_some())?;
        Some(format!(
            "{count} by the service, named {}",
            self.sure().count()
        ))
    }
}

impl How {
    /// Describes the source: "compared with `R_22` and `R_23`", "added here 09:22".
    pub fn text(&self, clock: Clock<'_>) -> String {
        match self {
            Self::EmptyRun { run, probe: false } => {
                format!("compared with {run}")
            }
            Self::EmptyRun { run, probe: true } => format!("compared with an empty run, {run}"),
            Self::FreeOn { runs } => format!("compared with {}", listed(runs)),
            Self::LinkRecord { at } => format!("added here {}", clock(*at)),
            Self::Typed => "named by hand, not free here".to_owned(),
            Self::SeenFree { at } => format!("free here {}, in no list now", clock(*at)),
            Self::LastKnown {
                at,
                known: (known, all),
            } => {
                let of = all.map_or_else(String::new, |all| format!(" of {all}"));
                format!("last known {}, {known}{of}", clock(*at))
            }
        }
    }
}

/// Joins names: "A", "A and B", "A, B and 3 more".
fn listed(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [one, two] => format!("{one} and {two}"),
        [one, two, three] => format!("{one}, {two} and {three}"),
        [one, two, rest @ ..] => format!("{one}, {two} and {} more", rest.len()),
    }
}

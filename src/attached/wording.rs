//! Words for the verdict.

use super::{Attached, How, Named, State, Trust};

/// Formats a time, epoch milliseconds, as the screen does.
pub type Clock<'a> = &'a dyn Fn(i64) -> String;

impl Attached {
    /// Describes the state: "COMPLETE 12/12", "PARTIAL 5 of 7".
    pub fn headline(&self, clock: Clock<'_>) -> String {
        let (sure, count) = (self.sure().count(), self.count.unwrap_or(0));
        match self.state {
            State::Empty => format!(
                "No suites. Checked {}",
                clock(self.empty.map_or(self.at, |(_, at)| at))
            ),
            State::Complete => self.short(),
            State::CompleteWorkedOut => format!("{} (count worked out)", self.short()),
            State::Partial => format!("PARTIAL {sure} of {count}"),
            State::Unchecked => format!("{} named, count unknown", self.said().count()),
            State::Conflict => "The lists contradict each other".to_owned(),
            State::Closed => {
                "Suites of a closed run cannot be listed or removed through this interface"
                    .to_owned()
            }
            State::Changing => "Changing while reading".to_owned(),
            State::Incomplete => "The list of available suites could not be read whole".to_owned(),
        }
    }

    /// Describes the state for the edge of a box: "COMPLETE 12/12", "PARTIAL 5/7".
    pub fn short(&self) -> String {
        let (sure, count) = (self.sure().count(), self.count.unwrap_or(0));
        match self.state {
            State::Empty => "EMPTY".to_owned(),
            State::Complete | State::CompleteWorkedOut => format!("COMPLETE {sure}/{count}"),
            State::Partial => format!("PARTIAL {sure}/{count}"),
            State::Unchecked => format!("UNCHECKED {}/?", self.said().count()),
            State::Conflict => "CONFLICT".to_owned(),
            State::Closed => "CLOSED".to_owned(),
            State::Changing => "CHANGING".to_owned(),
            State::Incomplete => "NOT READ WHOLE".to_owned(),
        }
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
        }
    }
}

impl Trust {
    /// Name in data.
    pub fn word(self) -> &'static str {
        match self {
            Self::Sure => "sure",
            Self::Maybe => "maybe",
        }
    }

    /// Words in a list.
    pub fn words(self) -> &'static str {
        match self {
            Self::Sure => "known",
            Self::Maybe => "not sure",
        }
    }
}

/// Joins names: "A", "A and B", "A, B and 3 more".
pub fn listed(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [one, two] => format!("{one} and {two}"),
        [one, two, three] => format!("{one}, {two} and {three}"),
        [one, two, rest @ ..] => format!("{one}, {two} and {} more", rest.len()),
    }
}

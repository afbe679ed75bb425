//! Runs of the mirror that a screen shows: the query, and the reading of their lists.

use super::given_up;
use crate::domain::{Days, Failure, Filter};
use crate::mirror::{Depth, RunsAnswer, RunsQuery};
use crate::store::{Action, Answer, Cx, Layer, Reading, Request, RunsRequest, Slot};
use crate::ui::text;

/// The query and reading of a screen.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunsRead {
    /// Number of the query in force and its days; `None` if it must be asked anew.
    question: Option<(u64, Days)>,
    pub is_reading: bool,
    /// Failure of the last reading.
    pub failure: Option<Failure>,
    /// Start of the newest reading of all their lists, epoch milliseconds.
    pub read_at: Option<i64>,
}

impl RunsRead {
    /// Asks the mirror, unless a query of today is in force; `of` makes the query from the one for all runs.
    pub fn ask(
        &mut self,
        screen: Layer,
        cx: &mut Cx,
        of: impl FnOnce(RunsQuery, &Cx) -> RunsQuery,
    ) {
        let is_asked = |(_, days): (u64, Days)| days.is_today(cx.now);
        if !self.question.is_some_and(is_asked)
            && let Some(all) = cx.shared.all_runs(cx.now)
        {
            let (days, query) = (all.days, of(all, cx));
            self.question = Some((cx.ask_runs(screen, query), days));
        }
    }

    /// Lets the query be asked anew.
    pub fn ask_anew(&mut self) {
        self.question = None;
    }

    /// Takes an answer of the mirror. Returns true if it answers the query in force.
    pub fn takes(&mut self, answer: &RunsAnswer) -> bool {
        let question = self.question;
        let is_it = question.is_some_and(|(number, _)| answer.number >= number);
        if is_it {
            self.read_at = answer.overview.read_at;
        }
        is_it
    }

    /// Reads the lists of the runs, unless a reading is under way.
    pub fn begin(&mut self, screen: Layer, (depth, lists): (Depth, Vec<Filter>), cx: &mut Cx) {
        if !std::mem::replace(&mut self.is_reading, true) {
            let every = (!cx.by_key).then_some(cx.shared.in_use().refresh_seconds);
            cx.request(
                Slot::ReadRuns(screen),
                Request::read_runs(depth, lists, every),
            );
        }
    }

    /// Takes the end of the reading.
    pub fn reply(&mut self, answer: Answer, cx: &mut Cx) {
        if let Answer::RunsRead(result) = answer
            && let Some(failure) = self.ended(result)
        {
            cx.not_read(failure);
        }
    }

    /// Takes the end of the reading; returns its failure, which is not told yet.
    pub fn ended(&mut self, result: Result<bool, Failure>) -> Option<Failure> {
        self.is_reading = false;
        self.failure = result.err();
        self.failure.clone()
    }

    /// Cancels the reading. Returns true if one was under way.
    pub fn give_up(&mut self, screen: Layer, cx: &mut Cx) -> bool {
        self.is_reading = false;
        let reads = cx.give_up(&Slot::ReadRuns(screen));
        if reads {
            let again = cx.shared.key_does(screen, &Action::Refresh, "reads again");
            self.failure = Some(given_up("reading the runs", &again));
        }
        reads
    }

    /// Ends the query, when the screen is closed.
    pub fn leave(&mut self, screen: Layer, cx: &mut Cx) {
        self.question = None;
        cx.runs(RunsRequest::Leave(screen));
    }

    /// Returns the failure of the last reading in words, with its remedy.
    pub fn lacks(&self) -> Option<String> {
        let failure = self.failure.as_ref()?;
        let parts = [&*failure.cause, &*failure.remedy].into_iter();
        let begins = failure.remedy.chars().next();
        // A remedy may be a sentence of its own.
        let sign = match begins {
            Some(first) if first.is_uppercase() => ". ",
            _ => "; ",
        };
        Some(text::join(parts.filter(|part| !part.is_empty()), sign))
    }

    /// Returns the state of the reading.
    pub fn reading(&self) -> Reading {
        Reading {
            every: None,
            read_at: self.read_at,
            busy: self.is_reading,
            failed: self.failure.is_some(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::FailureKind;

    #[test]
    fn a_remedy_that_is_a_sentence_stands_as_one() {
        for (remedy, said) in [
            (
                "Ask the administrator.",
                "access denied. Ask the administrator.",
            ),
            ("r tries again", "access denied; r tries again"),
            ("", "access denied"),
        ] {
            let failure = Failure::new(FailureKind::Service, "reading", "access denied", remedy);
            let read = RunsRead {
                failure: Some(failure),
                ..RunsRead::default()
            };
            assert_eq!(read.lacks().unwrap(), said);
        }
    }
}

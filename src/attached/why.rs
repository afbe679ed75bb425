//! Explains what is unknown of the suites in a run.

use super::prelude::*;

impl Attached {
    /// Returns the paragraphs of the explanation: the gaps, and advice. None for a complete list with a count.
    pub fn why(&self) -> Vec<String> {
        let said = |words: &str| Some(words.to_owned());
        let first = match self.state {
            State::Empty => said("The service says that the run holds no suites."),
            State::Closed => self.empty.map(|empty| {
                let holds = if empty {
                    "holds no suites"
                } else {
                    "holds suites"
                };
                format!("The service says that it {holds}.")
            }),
            State::CompleteWorkedOut => said(
                "The service gives no count to compare with: this holds as long as the service offers every run and every \
                 user the same suites.",
            ),
            State::Partial => Some(self.others()),
            State::Unchecked => said("The service gives no count to compare with."),
            _ => None,
        };
        let notes = self.notes.iter().cloned();
        let paragraphs = first.into_iter().chain(notes);
        paragraphs.chain(self.what_helps()).collect()
    }

    /// Describes why suites are unknown.
    fn others(&self) -> String {
        let left = self.unknown.unwrap_or(0);
        let unseen = self.universe.map(|all| all.saturating_sub(self.seen));
        let is_shown_nowhere = unseen.is_some_and(|unseen| unseen >= left);
        match left {
            1 if is_shown_nowhere => {
                "The other one is in every run that was read, so it cannot be told apart.".into()
            }
            1 => "Nothing that was read says which the other one is.".into(),
            left if is_shown_nowhere => format!(
                "The other {left} are in every run that was read, so they cannot be told apart."
            ),
            left => format!("Nothing that was read says which the other {left} are."),
        }
    }

    /// Advises the user how to learn more.
    fn what_helps(&self) -> Option<String> {
        let words = match self.state {
            State::Partial | State::Unchecked => {
                "What helps: an empty open run in this scope, a typed reference (:add S_22), a probe run (:probe), or the web app."
            }
            State::Conflict => {
                "What helps: reading again when nobody edits; if it stays, what is available depends on more than the scope \
                 here, and only link records and typed references (:add S_22) can be relied on."
            }
            State::Changing => "What helps: reading again when nobody edits.",
            State::Incomplete => {
                "What helps: a larger page_size, or reading again when nobody edits."
            }
            _ => return None,
        };
        Some(words.to_owned())
    }
}

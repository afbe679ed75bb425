//! Explains why a list may be incomplete.

use super::prelude::*;
use super::wording::{Clock, listed};

/// Most sums shown.
const SUMS: usize = 6;

impl Attached {
    /// Returns the paragraphs of the explanation: the method, the check by numbers, the gaps, and advice.
    pub fn why(&self, clock: Clock<'_>) -> Vec<String> {
        match self.state {
            State::Closed => {
                return vec![
                    "Suites can be listed and changed on open runs only.".to_owned(),
                    self.word_of_emptiness(clock),
                ];
            }
            State::Empty => {
                return vec!["The service says that the run holds no suites.".to_owned()];
            }
            _ => {}
        }
        let mut out = vec![format!(
            "No list of the suites of a run can be asked for. Known are the suites that are free on another open run of {} \
             and not on this one, and those that were added here.",
            self.scope
        )];
        out.extend(self.notes.iter().cloned());
        out.push(self.universe_check());
        if let Some((first, last)) = self.counted {
            out.push(match self.state {
                State::Changing => format!(
                    "The numbers of {} and {} do not agree.",
                    clock(first),
                    clock(last)
                ),
                _ => format!("Count read at {} and {}.", clock(first), clock(last)),
            });
        }
        if let Some(universe) = self.universe.filter(|_| self.state == State::Partial) {
            let unseen = universe.saturating_sub(self.seen);
            if unseen > 0 {
                out.push(format!(
                    "Seen by name: {} of {universe}. The other {unseen} are attached to all runs that were read, so no \
                     free list shows them.",
                    self.seen
                ));
            }
        }
        if self.state == State::CompleteWorkedOut {
            out.push(
                "The service gives no count to compare with: this holds as long as the service offers every run and every \
                 user the same suites."
                    .to_owned(),
            );
        }
        out.extend(self.unused_runs());
        out.extend(self.what_helps());
        out
    }

    /// Describes the check by numbers: "`R_21` 7+33=40 … equal on all 3 runs: the method holds here".
    fn universe_check(&self) -> String {
        if self.sums.is_empty() {
            return "Check by numbers (suites in a run + free ones): not possible, the service gives no count.".to_owned();
        }
        let word =
            |sum: &super::RunSum| format!("{} {}+{}={}", sum.run, sum.count, sum.free, sum.sum());
        let mut shown: Vec<_> = self.sums.iter().take(SUMS).map(word).collect();
        // Up to `SUMS` further sums that differ.
        let first = self.sums[0].sum();
        shown.extend(
            self.sums
                .iter()
                .skip(SUMS)
                .filter(|sum| sum.sum() != first)
                .take(SUMS)
                .map(word),
        );
        if shown.len() < self.sums.len() {
            shown.push(format!("and {} more", self.sums.len() - shown.len()));
        }
        let says = match self.sums.len() {
            1 => "the only one, nothing to compare it with".to_owned(),
            runs if self.sums.iter().all(|sum| sum.sum() == first) => {
                format!("equal on all {runs} runs: the method holds here")
            }
            _ => "different: the method does not hold here".to_owned(),
        };
        format!(
            "Check by numbers (suites in a run + free ones): {}; {says}.",
            shown.join("  ")
        )
    }

    /// Describes the runs that were not used, by reason.
    fn unused_runs(&self) -> Vec<String> {
        let mut by_reason: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for out in &self.left_out {
            by_reason.entry(&out.why).or_default().push(out.run.clone());
        }
        by_reason
            .into_iter()
            .map(|(why, runs)| format!("Not made use of: {} ({why}).", listed(&runs)))
            .collect()
    }

    /// Advises the user how to learn more.
    pub fn what_helps(&self) -> Option<String> {
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

    fn word_of_emptiness(&self, clock: Clock<'_>) -> String {
        match self.empty {
            Some((true, at)) => {
                format!("The service says that it holds no suites ({}).", clock(at))
            }
            Some((false, at)) => format!("The service says that it holds suites ({}).", clock(at)),
            None => "Whether it is empty, the service does not say.".to_owned(),
        }
    }
}

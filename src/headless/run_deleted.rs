//! What became of runs that were to be deleted.

use serde_json::{Value, json};

use super::find::Target;
use super::outcome::Outcome;
use super::output::tell;
use super::{Exit, Stop, json};
use crate::cli::ChangeFormat;
use crate::domain::DocRef;

/// What became of one run.
pub struct Ended {
    /// The run.
    pub run: Target,
    /// File of its copy, once there is one.
    pub copy: Option<String>,
    /// Suites that were taken out of it.
    pub removed: Vec<DocRef>,
    /// The removal of its suites was sent, and no reading has said yet what it did.
    pub unread: bool,
    /// The exit status that it leads to.
    pub exit: Exit,
    outcome: Outcome,
    words: String,
}

impl Ended {
    /// A run of which nothing was sent, for this reason.
    pub fn not_tried(run: Target, why: &str) -> Self {
        let outcome = Outcome::NotTried;
        Self {
            run,
            copy: None,
            removed: Vec::new(),
            unread: false,
            exit: outcome.exit(),
            outcome,
            words: why.to_owned(),
        }
    }

    /// Takes what came of it.
    pub fn say(&mut self, outcome: Outcome, exit: Exit, words: String) {
        (self.outcome, self.exit, self.words) = (outcome, exit, words);
    }

    /// The run is not deleted, for this reason: what became of its suites decides. `exit` is where it leads if nothing
    /// was changed.
    pub fn not_deleted(&mut self, exit: Exit, why: String) {
        let outcome = match (self.unread, self.removed.is_empty()) {
            (true, _) => Outcome::Unknown,
            (false, false) => Outcome::Differs,
            (false, true) => return self.say(Outcome::Refused, exit, why),
        };
        self.say(outcome, outcome.exit(), why);
    }

    /// `R_4: gone: …`.
    pub fn line(&self) -> String {
        let said = match self.outcome {
            Outcome::Confirmed | Outcome::Unchanged => "gone",
            Outcome::Differs | Outcome::Refused => "not deleted",
            Outcome::Unknown if self.unread => {
                "not deleted, and NOT KNOWN which of its suites were removed"
            }
            Outcome::Unknown => "NOT KNOWN whether it is gone",
            Outcome::NotTried => "not tried",
        };
        let removed = match self.removed.len() {
            0 => String::new(),
            1 => "; 1 suite was removed".to_owned(),
            more => format!("; {more} suites were removed"),
        };
        let copy = self
            .copy
            .as_ref()
            .map(|file| format!("; copy: {file}"))
            .unwrap_or_default();
        format!("{}: {said}: {}{removed}{copy}", self.run.name(), self.words)
    }

    fn json(&self) -> Value {
        let removed: Vec<&str> = self.removed.iter().map(DocRef::as_str).collect();
        json!({
            "run": self.run.json(), "outcome": self.outcome.name(), "words": self.words, "copy": self.copy,
            "removed": removed,
        })
    }
}

/// Prints what came of all, and turns it into the exit status of the first that went wrong.
pub fn end(ended: &[Ended], format: ChangeFormat) -> Result<(), Stop> {
    if format == ChangeFormat::Json {
        let runs: Vec<Value> = ended.iter().map(Ended::json).collect();
        tell(&json::text(
            &json::object("runs_deleted", json!({"runs": runs})),
            false,
        ));
    }
    match ended.iter().find(|one| one.exit != Exit::Fine) {
        None => Ok(()),
        Some(one) => Err(Stop {
            exit: one.exit,
            ..Stop::service(one.line())
        }),
    }
}

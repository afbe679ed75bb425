//! Prompt at the foot of a screen: the due date of a run or a release, kept on this machine, or the limit of the monitor.

use crate::screens::prelude::*;
use jiff::tz::TimeZone;

use crate::domain::query_language::Grammar;
use crate::domain::{DueOf, Limit, due, format_local};
use crate::store::SampleWrite;
use crate::ui::Completing;
use crate::ui::list::edit;

#[derive(Clone, Debug, PartialEq)]
pub struct Prompt {
    asks: Asks,
    input: Input,
    completing: Completing,
    /// Mistake in the typed text.
    problem: Option<String>,
}

/// Kind of value that is typed.
#[derive(Clone, Debug, PartialEq)]
enum Asks {
    Due(Due),
    /// The limit of the monitor; this is the one in force.
    Limit(Option<String>),
}

/// Run or release whose due date is typed.
#[derive(Clone, Debug, PartialEq)]
struct Due {
    of: DueOf,
    name: String,
    /// Version of a run.
    version: Option<String>,
}

impl Prompt {
    pub fn due_of_run(run: &Run) -> Self {
        Self::new(Asks::Due(Due {
            of: DueOf::Run(run.doc_ref.clone()),
            name: run.name().to_owned(),
            version: run.version().map(str::to_owned),
        }))
    }

    pub fn due_of_release(version: String) -> Self {
        Self::new(Asks::Due(Due {
            of: DueOf::Release(version.clone()),
            name: version,
            version: None,
        }))
    }

    pub fn limit(in_force: Option<String>) -> Self {
        Self::new(Asks::Limit(in_force))
    }

    fn new(asks: Asks) -> Self {
        Self {
            asks,
            input: Input::default(),
            completing: Completing::default(),
            problem: None,
        }
    }

    /// Takes the typed text; the error is what is wrong with it.
    fn take(&self, cx: &mut Cx) -> Result<(), String> {
        let text = Some(self.input.text().trim()).filter(|text| !text.is_empty());
        match &self.asks {
            Asks::Due(due) => {
                let at = text.map(|text| due::parse(text, cx.now, cx.shared.zone()));
                due.set(at.transpose()?, cx);
            }
            Asks::Limit(_) => {
                let limit = text.map(Limit::parse).transpose()?;
                cx.chosen(Choice::Limit(limit));
            }
        }
        Ok(())
    }
}

impl Due {
    fn set(&self, at: Option<i64>, cx: &mut Cx) {
        let of = self.of.clone();
        cx.shared.due.set(of.clone(), at);
        let is_due = match (self.typed(&cx.shared), &of) {
            (Some(at), DueOf::Release(_)) => {
                let due = typed(at, cx);
                Some(format!("{due}, set here; the gate reads the config"))
            }
            (Some(at), DueOf::Run(_)) => Some(typed(at, cx)),
            (None, _) => self.otherwise(&cx.shared),
        };
        let name = &self.name;
        cx.say(is_due.map_or_else(
            || format!("{name} has no due date"),
            |due| format!("{name} is due {due}"),
        ));
        cx.effect(Effect::Samples(SampleWrite::SetDue { of, at }));
        // An earlier reading is outdated.
        cx.read_due();
        cx.learn(Fact::Due);
    }

    /// Returns the due time that was typed here, epoch milliseconds.
    fn typed(&self, shared: &Shared) -> Option<i64> {
        match &self.of {
            DueOf::Run(run) => shared.due.runs.get(run),
            DueOf::Release(version) => shared.due.releases.get(version),
        }
        .copied()
    }

    /// Returns the due time without one typed here, in words.
    fn otherwise(&self, shared: &Shared) -> Option<String> {
        let zone = shared.zone();
        let (at, says) = match &self.of {
            DueOf::Run(_) => {
                let release = shared.release_due(self.version.as_deref()?)?;
                (release.0, "by its release")
            }
            DueOf::Release(version) => {
                let at = shared.in_use().watch.release.due(version, zone)?;
                (at, "by the config")
            }
        };
        Some(format!("{}, {says}", in_full(at, zone)))
    }

    /// Explains the typed text, or gives examples.
    fn said(&self, text: &str, cx: &Cx) -> String {
        let shared = &cx.shared;
        let zone = shared.zone();
        let name = &self.name;
        let examples = format!("e.g. {}", due::examples(cx.now, zone));
        if text.is_empty() {
            let otherwise = self.otherwise(shared);
            return match (self.typed(shared), &otherwise) {
                (None, Some(due)) => format!("of {name}, {due}"),
                (typed, _) => {
                    let now = |at| format!("now {}", in_full(at, zone));
                    let now = typed.map_or(examples, now);
                    let empty = otherwise.as_deref().unwrap_or("none");
                    format!("of {name}, {now}; empty: {empty}")
                }
            };
        }
        match due::parse(text, cx.now, zone) {
            Ok(at) => typed(at, cx),
            Err(_) => format!("{examples}, tomorrow"),
        }
    }
}

impl Screen for Prompt {
    fn update(&mut self, action: Action, cx: &mut Cx) {
        if !Completing::is_key(&action) {
            self.completing.end();
        }
        match action {
            Action::NextField | Action::PreviousField if matches!(self.asks, Asks::Limit(_)) => {
                self.completing
                    .key(&mut self.input, &action, Grammar::Condition);
                self.problem = None;
            }
            Action::Type(_) | Action::Paste(_) => {
                edit(&mut self.input, &action, cx);
                self.problem = None;
            }
            Action::Open => match self.take(cx) {
                Ok(()) => cx.close(Layer::Typing),
                Err(problem) => self.problem = Some(problem),
            },
            Action::Back => cx.close(Layer::Typing),
            _ => {}
        }
    }

    fn offers(&self, action: &Action, _shared: &Shared) -> bool {
        !matches!(action, Action::Move(_))
    }
}

impl Draw for Prompt {
    /// Draws nothing: only the line at the foot is used.
    fn draw(&self, _: &mut Surface<'_>, _: Rect) {}

    fn field(&self, cx: &Cx) -> Option<FootField<'_>> {
        let text = self.input.text().trim();
        let (sign, said) = match &self.asks {
            Asks::Due(due) => ("due ", due.said(text, cx)),
            Asks::Limit(now) => {
                let help = match now {
                    _ if !text.is_empty() => "until this program ends".into(),
                    Some(limit) => format!("now {limit}; empty: none"),
                    None => "e.g. failed_new <= 20".into(),
                };
                let said = self.completing.said();
                let completes = cx.shared.completes();
                let said = said.unwrap_or_else(|| format!("must hold, {help}{completes}"));
                ("limit ", said)
            }
        };
        let problem = self.problem.clone().map(|problem| (problem, true));
        Some(FootField {
            sign,
            input: &self.input,
            said: problem.unwrap_or((said, false)),
        })
    }
}

/// Returns a due time that was typed, with its day; a whole date may be one of the past.
fn typed(at: i64, cx: &Cx) -> String {
    let passed = if at <= cx.now {
        ", which has passed"
    } else {
        ""
    };
    format!("{}{passed}", in_full(at, cx.shared.zone()))
}

/// Returns a due time with its day: `Fri 27 Nov 17:00`.
fn in_full(at: i64, zone: &TimeZone) -> String {
    let form = if due::is_whole_day(at, zone) {
        "%a %-d %b %Y, end of the day"
    } else {
        "%a %-d %b %Y %H:%M"
    };
    format_local(at, zone, form).unwrap_or_default()
}

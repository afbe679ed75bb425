//! Prompt at the foot of list, run, monitor and board: the due date of a run or a release, kept on this machine.

use crate::screens::prelude::*;
use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::domain::{DueOf, due};
use crate::store::SampleWrite;
use crate::ui::list::edit;

#[derive(Clone, Debug, PartialEq)]
pub struct DueDate {
    of: DueOf,
    name: String,
    /// Version of a run.
    version: Option<String>,
    input: Input,
    /// Mistake in the typed text.
    problem: Option<String>,
}

impl DueDate {
    pub fn of_run(run: &Run) -> Self {
        let of = DueOf::Run(run.doc_ref.clone());
        Self {
            version: run.version().map(str::to_owned),
            ..Self::new(of, run.name().to_owned())
        }
    }

    pub fn of_release(version: String) -> Self {
        Self::new(DueOf::Release(version.clone()), version)
    }

    fn new(of: DueOf, name: String) -> Self {
        Self {
            of,
            name,
            version: None,
            input: Input::default(),
            problem: None,
        }
    }

    fn take(&mut self, cx: &mut Cx) {
        let text = self.input.text().trim();
        let at = (!text.is_empty()).then(|| due::parse(text, cx.now, cx.shared.zone()));
        let at = match at.transpose() {
            Ok(at) => at,
            Err(problem) => {
                self.problem = Some(problem);
                return;
            }
        };
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
        cx.close(Layer::Typing);
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
    fn said(&self, cx: &Cx) -> String {
        let shared = &cx.shared;
        let zone = shared.zone();
        let name = &self.name;
        let examples = format!("e.g. {}", due::examples(cx.now, zone));
        if self.input.text().trim().is_empty() {
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
        match due::parse(self.input.text(), cx.now, zone) {
            Ok(at) => typed(at, cx),
            Err(_) => format!("{examples}, tomorrow"),
        }
    }
}

impl Screen for DueDate {
    fn update(&mut self, action: Action, cx: &mut Cx) {
        match action {
            Action::Type(_) | Action::Paste(_) => {
                edit(&mut self.input, &action, cx);
                self.problem = None;
            }
            Action::Open => self.take(cx),
            Action::Back => cx.close(Layer::Typing),
            _ => {}
        }
    }

    fn offers(&self, action: &Action, _shared: &Shared) -> bool {
        !matches!(action, Action::Move(_))
    }
}

impl Draw for DueDate {
    /// Draws nothing: only the line at the foot is used.
    fn draw(&self, _: &mut Surface<'_>, _: Rect) {}

    fn field(&self, cx: &Cx) -> Option<FootField<'_>> {
        let said = match &self.problem {
            Some(problem) => (problem.clone(), true),
            None => (self.said(cx), false),
        };
        Some(FootField {
            sign: "due ",
            input: &self.input,
            said,
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
    let Ok(time) = Timestamp::from_millisecond(at) else {
        return String::new();
    };
    let form = if due::is_whole_day(at, zone) {
        "%a %-d %b %Y, end of the day"
    } else {
        "%a %-d %b %Y %H:%M"
    };
    time.to_zoned(zone.clone()).strftime(form).to_string()
}

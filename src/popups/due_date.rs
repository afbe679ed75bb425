//! The prompt at the foot of list, run and monitor: when a run is due, kept on this machine.

use crate::screens::prelude::*;
use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::domain::due;
use crate::store::SampleRequest;
use crate::ui::Field;

#[derive(Clone, Debug, PartialEq)]
pub struct DueDate {
    run: DocRef,
    name: String,
    input: Input,
    /// What is wrong with what was typed.
    problem: Option<String>,
}

impl DueDate {
    pub fn new(run: &RunRow) -> Self {
        Self {
            run: run.doc_ref.clone(),
            name: run.name().to_owned(),
            input: Input::default(),
            problem: None,
        }
    }

    fn take(&mut self, cx: &mut Cx) {
        let zone = cx.shared.watching().zone;
        let text = self.input.text().trim();
        let at = (!text.is_empty()).then(|| due::parse(text, cx.now, &zone));
        let at = match at.transpose() {
            Ok(at) => at,
            Err(problem) => {
                self.problem = Some(problem.to_string());
                return;
            }
        };
        let run = self.run.clone();
        match at {
            Some(at) => {
                cx.shared.due.insert(run.clone(), at);
                cx.say(format!("{} is due {}", self.name, in_full(at, &zone)));
            }
            None => {
                cx.shared.due.remove(&run);
                cx.say(format!("{} has no due date", self.name));
            }
        }
        cx.effect(Effect::Samples(SampleRequest::SetDue { run, at }));
        // What was read before that is behind it.
        cx.read_due();
        cx.learn(Fact::Due);
        cx.close(Layer::Typing);
    }

    /// What the typed text means, or what can be typed.
    fn said(&self, cx: &Cx) -> String {
        let shared = &cx.shared;
        let zone = shared.watching().zone;
        let name = &self.name;
        let examples = format!("e.g. {}", due::examples(cx.now, &zone));
        if self.input.text().trim().is_empty() {
            return match shared.due.get(&self.run) {
                Some(at) => format!("of {name}, now {}; empty: none", in_full(*at, &zone)),
                None => format!("of {name}, {examples}; empty: none"),
            };
        }
        match due::parse(self.input.text(), cx.now, &zone) {
            Ok(at) => in_full(at, &zone),
            Err(due::Wrong::Over(words)) => words,
            Err(due::Wrong::Unread(_)) => format!("{examples}, tomorrow"),
        }
    }
}

impl Screen for DueDate {
    fn update(&mut self, action: Action, cx: &mut Cx) {
        match action {
            Action::Type(_) | Action::Paste(_) => {
                self.input.edit(&action);
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

    /// It has the line at the foot alone.
    fn draw(&self, _: &mut Surface<'_>, _: Rect) {}

    fn field(&self, cx: &Cx) -> Option<Field<'_>> {
        let said = match &self.problem {
            Some(problem) => (problem.clone(), true),
            None => (self.said(cx), false),
        };
        Some(Field {
            sign: "due ",
            input: &self.input,
            said,
        })
    }
}

/// When a run is due, with the day it is: `Fri 27 Nov 17:00`.
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

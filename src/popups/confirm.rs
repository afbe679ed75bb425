//! A question before a write or a loss: its consequences, two buttons, and the request behind `i`.

use crate::screens::prelude::*;
use serde_json::{Value, json};

use crate::domain::{ResultCounts, SuiteChange, WriteRequest, method};
use crate::screens::keys::{ARROWS, JUMPS, PAGES, QUESTION, REQUEST, STEPS};
use crate::store::{Plan, Preview};
use crate::ui::question::{Asked, Question, Shown, Stops};

#[derive(Clone, Debug, PartialEq)]
pub struct Confirm {
    pub asks: Preview,
    question: Question,
}

/// Button that does nothing.
const CANCEL: &str = "Cancel";

impl Confirm {
    pub fn new(asks: Preview) -> Self {
        let question = Question::default();
        Self { asks, question }
    }

    /// Returns the buttons; the first has the initial focus.
    fn buttons(&self) -> [&'static str; 2] {
        let (_, verb) = words(&self.asks.plan);
        if self.asks.takes_away() {
            [CANCEL, verb]
        } else {
            [verb, CANCEL]
        }
    }

    /// Closes without an effect; reports that.
    fn leave(&self, cx: &mut Cx) {
        cx.close(Layer::Confirm);
        cx.say(match self.asks.plan {
            Plan::DiscardDraft => "nothing was sent; the draft stays",
            Plan::LetBe { .. } => "nothing was sent; it is asked about again",
            Plan::Suites(_) | Plan::Probe(_) => "nothing was sent",
        });
    }
}

impl Screen for Confirm {
    fn update(&mut self, action: Action, cx: &mut Cx) {
        let stops = Stops {
            rows: 0,
            buttons: 2,
            request: sends(&self.asks.plan),
        };
        match self.question.update(action, stops, cx) {
            Asked::Button(nth) if self.buttons()[nth] != CANCEL => {
                cx.close(Layer::Confirm);
                cx.send(self.asks.plan.clone());
            }
            Asked::Leave | Asked::Button(_) => self.leave(cx),
            Asked::Done | Asked::Row(_) | Asked::Other(_) => {}
        }
    }

    fn offers(&self, action: &Action, _shared: &Shared) -> bool {
        match action {
            Action::Raw => sends(&self.asks.plan),
            Action::Move(_) => self.question.scrolls(),
            _ => true,
        }
    }

    /// Takes the results that the run has by now.
    fn reply(&mut self, _slot: Slot, answer: Answer, cx: &mut Cx) {
        match answer {
            Answer::Runs(Ok(page)) => {
                if let Plan::Suites(change) = &mut self.asks.plan
                    && let Some(row) = page.row_of(&change.run)
                {
                    if row.is_closed() {
                        cx.close(Layer::Confirm);
                        let run = change.short_name();
                        cx.complain(format!("{run} was closed meanwhile: nothing was sent"));
                    }
                    if row.results.is_some() {
                        change.stake.clone_from(&row.results);
                    }
                }
                cx.saw_page(page, None);
            }
            Answer::Runs(Err(failure)) => cx.failed(failure),
            _ => {}
        }
    }

    fn hints(&self, _: &Shared) -> Option<&'static [Hint]> {
        self.question.request.then_some(REQUEST)
    }

    fn button(&self) -> Option<&'static str> {
        self.buttons().get(self.question.focus).copied()
    }

    fn scrolled(&mut self) -> Option<&mut dyn Scrolled> {
        Some(self.question.scroll())
    }
}

impl Draw for Confirm {
    fn draw(&self, on: &mut Surface<'_>, area: Rect) {
        let columns = if self.question.request || area.width >= 100 {
            WIDE
        } else {
            WIDTH
        };
        let columns = columns.min(area.width);
        // Two rows are the frame, two the buttons and the row above them.
        let room = usize::from(area.height).saturating_sub(4);
        let pretty = requests(&self.asks.plan, &on.context.cx.shared.in_use().locale)
            .iter()
            .map(serde_json::to_string_pretty)
            .filter_map(Result::ok)
            .collect::<Vec<_>>();
        let shown = Shown {
            sheet: Sheet {
                of: Layer::Confirm,
                title: &words(&self.asks.plan).0,
                columns,
                indent: INDENT,
                lines: body(&self.asks, Shown::width(columns, INDENT), room),
                cursor: None,
                foot: true,
            },
            rows: 0,
            buttons: &self.buttons(),
            request: (!pretty.is_empty()).then(|| pretty.join("\n")),
        };
        shown.draw(&self.question, on, area);
    }
}

/// Columns of the box, with its border.
const WIDTH: u16 = 64;

/// Columns of the box with JSON, if there is room.
const WIDE: u16 = 78;

/// Columns before each line.
const INDENT: usize = 1;

/// Returns the question, and the verb on its button.
fn words(plan: &Plan) -> (String, &'static str) {
    match plan {
        Plan::Suites(change) => {
            let (verb, place) = if change.adds {
                ("Add", "to")
            } else {
                ("Remove", "from")
            };
            let run = change.short_name();
            let suites = match change.suites.as_slice() {
                [(_, name)] => named(name).0.to_owned(),
                suites => text::count(suites.len(), "suite"),
            };
            let goes_on = change.goes_on.as_ref().map_or("", |_| "Go on: ");
            (format!("{goes_on}{verb} {suites} {place} {run}?"), verb)
        }
        Plan::LetBe { .. } => ("Ask no more about this change?".into(), "Ask no more"),
        Plan::Probe(_) => ("Make an empty run, to compare with?".into(), "Make it"),
        Plan::DiscardDraft => ("Discard this draft?".into(), "Discard"),
    }
}

/// Splits a suite's name into short id and title.
fn named(name: &str) -> (&str, &str) {
    name.split_once(' ').unwrap_or((name, ""))
}

/// Returns the lines of a question: its suites, then its consequences; if both do not fit, consequences first, so that
/// they are visible.
fn body(question: &Preview, width: usize, room: usize) -> Vec<Line<'static>> {
    let list = match &question.plan {
        // The question names the suite.
        Plan::Suites(change)
            if !change.adds && change.suites.len() == 1 && change.goes_on.is_none() =>
        {
            Vec::new()
        }
        Plan::Suites(change) => suites(change, &question.cases, width),
        Plan::LetBe { .. } | Plan::Probe(_) | Plan::DiscardDraft => Vec::new(),
    };
    let list: Vec<_> = list
        .into_iter()
        .map(|line| Line::raw(text::fit(&line, width)))
        .collect();
    let removal = match &question.plan {
        Plan::Suites(change)
            if !change.adds && change.undo_of.is_none() && change.goes_on.is_none() =>
        {
            Some(meaning(change, question.takes_all))
        }
        _ => None,
    };
    let meaning: Vec<_> = removal
        .iter()
        .chain(&question.notes)
        .flat_map(|note| text::wrap(note, width, 8))
        .map(Line::raw)
        .collect();
    let (mut first, second) = if list.len() + meaning.len() < room {
        (list, meaning)
    } else {
        (meaning, list)
    };
    if !first.is_empty() && !second.is_empty() {
        first.push(Line::default());
    }
    first.extend(second);
    first
}

/// Returns the consequence of a removal; `is_all`: these are all suites of the run.
fn meaning(change: &SuiteChange, is_all: bool) -> String {
    let (suites, them, have, their) = match change.suites.len() {
        1 => ("the suite", "it", "it has", "its"),
        _ => ("the suites", "them", "they have", "their"),
    };
    let recorded = change.stake.as_ref().and_then(ResultCounts::recorded);
    let of_run = match recorded {
        Some(0) => {
            return format!("No case of this run has a result yet. Undo adds {suites} again.");
        }
        Some(results) if is_all => {
            let all = match results {
                1 => "The one result".to_owned(),
                more => format!("All {} results", text::thousands(more)),
            };
            return format!(
                "{all} of the run may be lost. Undo adds {suites} again, not {their} results."
            );
        }
        Some(results) => format!(", of the {} of the whole run,", text::thousands(results)),
        None => String::new(),
    };
    format!(
        "Results recorded in {them} may be lost. How many {have}{of_run} is not known. Undo adds {suites} again, not \
         {their} results."
    )
}

/// Returns a line for each suite, with its cases at the right.
fn suites(change: &SuiteChange, cases: &[Option<i64>], width: usize) -> Vec<String> {
    const UNIT: &str = " cases";
    /// Columns of short ids; a longer reference takes what it needs.
    const IDS: usize = 8;
    let numbers: Vec<String> = (0..change.suites.len())
        .map(|place| cases.get(place).copied().flatten())
        .map(|cases| cases.map_or_else(String::new, |cases| cases.to_string()))
        .collect();
    let digits = numbers.iter().map(String::len).max().unwrap_or(0);
    let names = change.suites.iter().map(|(_, name)| named(name));
    let ids = names.clone().map(|(id, _)| text::width(id));
    let ids = ids.filter(|ids| *ids <= IDS).max().unwrap_or(0);
    let unit = numbers.iter().position(|number| !number.is_empty());
    let right = if unit.is_some() {
        digits + UNIT.len() + 1
    } else {
        0
    };
    let left = width.saturating_sub(right);
    names
        .zip(&numbers)
        .enumerate()
        .map(|(place, ((id, words), number))| {
            let gap = " ".repeat(2 + ids.saturating_sub(text::width(id)));
            let name = text::pad(&format!("{id}{gap}{words}"), left);
            let message = match number.as_str() {
                _ if unit != Some(place) => "",
                "1" => " case",
                _ => UNIT,
            };
            let cases = format!(" {}{message}", text::pad_left(number, digits));
            if unit.is_some() { name + &cases } else { name }
        })
        .collect()
}

/// True if a plan sends requests.
fn sends(plan: &Plan) -> bool {
    matches!(plan, Plan::Suites(_) | Plan::Probe(_))
}

/// Returns the requests of a plan, if there are any.
fn requests(plan: &Plan, locale: &str) -> Vec<Value> {
    match plan {
        Plan::Suites(change) => change.requests().iter().map(|it| json!(it)).collect(),
        // The later requests lack the reference of the run, which does not exist yet.
        Plan::Probe(probe) => vec![
            json!(WriteRequest::create(&probe.run, locale)),
            json!({"method": "GET_AVAILABLE_TEST_SUITES"}),
            json!({"method": "CHECK_TEST_RUN_EMPTY"}),
            json!({"method": method::DELETE}),
        ],
        Plan::LetBe { .. } | Plan::DiscardDraft => Vec::new(),
    }
}

pub const PLACE: Place = Place {
    layer: Layer::Confirm,
    title: "a question",
    groups: &[&[QUESTION, ARROWS, STEPS, JUMPS, PAGES], OF_A_BOX],
    hints: &[
        Hint::of(&[Action::Open], "press it"),
        Hint::of(&[Action::Left, Action::Right], "choose the button"),
        Hint::of(&[Action::Raw], "the request"),
        SCROLLS,
        Hint::of(&[Action::Back], "cancel"),
    ],
    types: false,
};

//! A question before something is written or lost: what it means, two buttons, and behind `i` what would be sent.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;
use serde_json::{Value, json};

use crate::domain::{DocRef, SuiteChange};
use crate::keymap::place::{Binding, Place, binding};
use crate::screens::keys::{ARROWS, BACK, EVERYWHERE, JUMPS, LETTERS, PAGES, REQUEST, STEPS};
use crate::screens::screen::Screen;
use crate::store::cx::Cx;
use crate::store::key_table::{Heading, Hint};
use crate::store::layer::Layer;
use crate::store::message::{Action, Motion, Plan, Preview};
use crate::store::shared::Shared;
use crate::ui::layout::{Layout, Scrolled};
use crate::ui::text_box::{Sheet, TextBox};
use crate::ui::{Context, frame, text, text_box};

#[derive(Clone, Debug, PartialEq)]
pub struct Confirm {
    pub question: Preview,
    /// The focus is on the button that does it, else on Cancel.
    pub on_do: bool,
    /// What would be sent is shown in place of the question.
    request: bool,
    scroll: TextBox,
}

impl Confirm {
    pub fn new(question: Preview) -> Self {
        Self {
            on_do: question.safe,
            question,
            request: false,
            scroll: TextBox::default(),
        }
    }

    fn show_request(&mut self, shown: bool) {
        self.request = shown && !requests(&self.question.plan).is_empty();
        self.scroll.rewind();
    }

    /// The focused button is pressed.
    fn press(&mut self, cx: &mut Cx) {
        if self.question.by_itself && !self.scroll.was_drawn() {
            // The key was typed for what was on the screen before.
            return;
        }
        if !self.on_do {
            return self.leave(cx);
        }
        cx.close(Layer::Confirm);
        cx.send(self.question.plan.clone());
    }

    /// Nothing is done; says so.
    fn leave(&self, cx: &mut Cx) {
        cx.close(Layer::Confirm);
        cx.say(match self.question.plan {
            Plan::DiscardDraft => "the draft stays",
            Plan::LetBe { .. } => "it is asked about again",
            Plan::Suites(_) | Plan::GoOn { .. } | Plan::Probe(_) | Plan::DeleteProbes(_) => {
                "nothing was sent"
            }
        });
    }
}

impl Screen for Confirm {
    fn layer(&self, _shared: &Shared) -> Layer {
        Layer::Confirm
    }

    fn update(&mut self, action: Action, cx: &mut Cx) {
        match action {
            Action::Move(motion) => self.scroll.scroll(motion),
            Action::Raw => self.show_request(!self.request),
            Action::Back if self.request => self.show_request(false),
            Action::Back => self.leave(cx),
            // What is pressed is on the screen.
            _ if self.request => {}
            Action::NextField | Action::PreviousField => self.on_do = !self.on_do,
            Action::Open => self.press(cx),
            Action::Press(button) => {
                // The safe one of both comes first.
                self.on_do = (button == 0) == self.question.safe;
                self.press(cx);
            }
            _ => {}
        }
    }

    fn offers(&self, action: &Action, _shared: &Shared) -> bool {
        match action {
            Action::Raw => !requests(&self.question.plan).is_empty(),
            _ => true,
        }
    }

    fn hints(&self) -> Option<&'static [Hint]> {
        self.request.then_some(REQUEST)
    }

    fn scrolled(&mut self) -> Option<&mut dyn Scrolled> {
        Some(&mut self.scroll)
    }

    fn draw(&self, context: Context<'_>, area: Rect, buffer: &mut Buffer, layout: &mut Layout) {
        draw(context, self, area, buffer, layout);
    }
}

/// Columns of the box, with its border.
const WIDTH: u16 = 64;

/// The same where it shows JSON, and where there is room.
const WIDE: u16 = 78;

/// Draws the question, or what would be sent.
fn draw(
    context: Context<'_>,
    confirm: &Confirm,
    area: Rect,
    buffer: &mut Buffer,
    layout: &mut Layout,
) {
    let theme = context.theme;
    let plan = &confirm.question.plan;
    let columns = if confirm.request || area.width >= 100 {
        WIDE
    } else {
        WIDTH
    };
    let columns = columns.min(area.width);
    let width = usize::from(columns).saturating_sub(4);
    // Two lines are the frame, two the buttons and what stands above them.
    let room = usize::from(area.height).saturating_sub(4);
    let (title, lines) = if confirm.request {
        let lines = requests(plan);
        let lines = lines.iter().flat_map(|line| text::chop(line, width));
        let lines = lines.map(|line| (line, theme.text())).collect();
        ("What would be sent".to_owned(), lines)
    } else {
        (title(plan), body(context, &confirm.question, width, room))
    };
    let sheet = Sheet {
        of: Layer::Confirm,
        title: &title,
        columns,
        indent: 1,
        lines: text_box::styled(lines),
        cursor: None,
        foot: true,
    };
    let inside = confirm.scroll.draw(&sheet, theme, area, buffer, layout);
    foot(context, confirm, buffer, inside, layout);
}

/// The last line: the buttons, the safe one of both first, and where the request is; or how one gets back from there.
fn foot(
    context: Context<'_>,
    confirm: &Confirm,
    buffer: &mut Buffer,
    inside: Rect,
    layout: &mut Layout,
) {
    let theme = context.theme;
    let key = |action, does| context.cx.shared.key_does(Layer::Confirm, action, does);
    if confirm.request {
        let words = format!(" {}", key(&Action::Back, "back to the question"));
        let row = inside.height.saturating_sub(1);
        let words = vec![Span::styled(words, theme.muted())];
        return frame::line(buffer, inside, row, words);
    }
    let plan = &confirm.question.plan;
    let mut buttons = [("Cancel", !confirm.on_do), (verb(plan), confirm.on_do)];
    if confirm.question.safe {
        buttons.reverse();
    }
    let note = if requests(plan).is_empty() {
        String::new()
    } else {
        key(&Action::Raw, "the request")
    };
    frame::buttons(buffer, inside, &buttons, &note, theme, layout);
}

/// What the question is.
fn title(plan: &Plan) -> String {
    let of_change = |change: &SuiteChange| {
        let (verb, place) = if change.adds {
            ("Add", "to")
        } else {
            ("Remove", "from")
        };
        let run = change.run_id.as_deref().unwrap_or(&change.run_name);
        let suites = match change.suites.as_slice() {
            [(_, name)] => named(name).0.to_owned(),
            suites => text::count(suites.len(), "suite"),
        };
        format!("{verb} {suites} {place} {run}?")
    };
    match plan {
        Plan::Suites(change) => of_change(change),
        Plan::GoOn { change, .. } => format!("Go on: {}", of_change(change)),
        Plan::LetBe { .. } => "Ask no more about this change?".into(),
        Plan::Probe(_) => "Make an empty run, to compare with?".into(),
        Plan::DiscardDraft => "Discard this draft?".into(),
        Plan::DeleteProbes(runs) => match runs.len() {
            1 => "Delete the empty run that was left behind?".into(),
            more => format!("Delete {more} empty runs that were left behind?"),
        },
    }
}

/// The word on the button that does it.
fn verb(plan: &Plan) -> &'static str {
    match plan {
        Plan::Suites(change) | Plan::GoOn { change, .. } if change.adds => "Add",
        Plan::Suites(_) | Plan::GoOn { .. } => "Remove",
        Plan::LetBe { .. } => "Ask no more",
        Plan::Probe(_) => "Make it",
        Plan::DiscardDraft => "Discard",
        Plan::DeleteProbes(_) => "Delete",
    }
}

/// A suite's short id and title.
fn named(name: &str) -> (&str, &str) {
    name.split_once(' ').unwrap_or((name, ""))
}

/// The lines of a question: its suites, then what it means; the other way round where they do not fit together, so that
/// the meaning is seen.
fn body(
    context: Context<'_>,
    question: &Preview,
    width: usize,
    room: usize,
) -> Vec<(String, Style)> {
    let theme = context.theme;
    let list = match &question.plan {
        // It is named in the question.
        Plan::Suites(change) if !change.adds && change.suites.len() == 1 => Vec::new(),
        Plan::Suites(change) | Plan::GoOn { change, .. } => suites(change, &question.cases, width),
        Plan::DeleteProbes(runs) => runs.iter().map(ToString::to_string).collect(),
        Plan::LetBe { .. } | Plan::Probe(_) | Plan::DiscardDraft => Vec::new(),
    };
    let list = list
        .into_iter()
        .map(|line| (text::fit(&line, width), theme.text()));
    let list: Vec<_> = list.collect();
    let meaning = question.notes.iter();
    let meaning = meaning.flat_map(|note| text::wrap(note, width, 8));
    let meaning: Vec<_> = meaning.map(|line| (line, theme.text())).collect();
    let (mut first, second) = if list.len() + meaning.len() < room {
        (list, meaning)
    } else {
        (meaning, list)
    };
    if !first.is_empty() && !second.is_empty() {
        first.push((String::new(), theme.text()));
    }
    first.extend(second);
    first
}

/// A line for each suite, with its cases at the right.
fn suites(change: &SuiteChange, cases: &[Option<i64>], width: usize) -> Vec<String> {
    const UNIT: &str = " cases";
    /// Columns of short ids; a reference in their place takes what it needs.
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
    let lines = names.zip(&numbers).enumerate();
    let lines = lines.map(|(place, ((id, words), number))| {
        let gap = " ".repeat(2 + ids.saturating_sub(text::width(id)));
        let name = text::pad(&format!("{id}{gap}{words}"), left);
        let told = match number.as_str() {
            _ if unit != Some(place) => "",
            "1" => " case",
            _ => UNIT,
        };
        let cases = format!(" {}{told}", text::pad_left(number, digits));
        if unit.is_some() { name + &cases } else { name }
    });
    lines.collect()
}

/// What would be sent, in lines; nothing where nothing is.
fn requests(plan: &Plan) -> Vec<String> {
    let pretty = |request: &Value| {
        let words = serde_json::to_string_pretty(request).unwrap_or_default();
        let lines = words.lines().map(str::to_owned);
        lines.collect::<Vec<String>>()
    };
    match plan {
        Plan::Suites(change) | Plan::GoOn { change, .. } => {
            let chunks = change.suites.chunks(SuiteChange::CHUNK);
            let requests = chunks.flat_map(|chunk| {
                let (method, params) = (change.method(), change.params(chunk));
                pretty(&json!({"jsonrpc": "2.0", "method": method, "params": params}))
            });
            requests.collect()
        }
        // Of the run that does not exist yet the later requests have no reference.
        Plan::Probe(probe) => [
            json!({"method": "ADD_DOCUMENT", "document": probe.run.to_document()}),
            json!({"method": "GET_AVAILABLE_TEST_SUITES"}),
            json!({"method": "CHECK_TEST_RUN_EMPTY"}),
            json!({"method": "DELETE_TEST_RUN"}),
        ]
        .iter()
        .flat_map(pretty)
        .collect(),
        Plan::DeleteProbes(runs) => {
            let runs = runs.iter().map(DocRef::as_str);
            let requests = runs.flat_map(|run| {
                let params = json!({"testRunDocRef": run});
                let looks = json!({"method": "CHECK_TEST_RUN_EMPTY", "params": params});
                let deletes = json!({"method": "DELETE_TEST_RUN", "params": params});
                [looks, deletes]
            });
            requests
                .collect::<Vec<_>>()
                .iter()
                .flat_map(pretty)
                .collect()
        }
        Plan::LetBe { .. } | Plan::DiscardDraft => Vec::new(),
    }
}

const OWN: &[Binding] = &[
    binding(
        &["Enter"],
        "open",
        Heading::Tool,
        "Press the button",
        Action::Open,
    ),
    binding(
        &["→", "Tab"],
        "next-field",
        Heading::Tool,
        "The other button",
        Action::NextField,
    ),
    binding(
        &["←", "S-Tab"],
        "previous-field",
        Heading::Tool,
        "The other button",
        Action::PreviousField,
    ),
    binding(
        &["i"],
        "raw",
        Heading::Tool,
        "Show what would be sent",
        Action::Raw,
    ),
];

pub const PLACE: Place = Place {
    layer: Layer::Confirm,
    title: "a question",
    short: "question",
    groups: &[OWN, ARROWS, STEPS, JUMPS, PAGES, LETTERS, EVERYWHERE, BACK],
    hints: &[
        Hint::of(&[Action::Open], "press it"),
        Hint::of(
            &[Action::PreviousField, Action::NextField],
            "choose the button",
        ),
        Hint::of(&[Action::Raw], "the request"),
        Hint::of(
            &[Action::Move(Motion::Up), Action::Move(Motion::Down)],
            "scroll",
        ),
        Hint::of(&[Action::Back], "cancel"),
    ],
    types: false,
};

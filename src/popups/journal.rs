//! My changes, of the journal: what was sent from here, to look it up and to take it back.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use crate::domain::{UndoOf, Unfinished};
use crate::keymap::place::{Binding, Place, binding};
use crate::screens::keys::{
    ARROWS, BACK, CLOSES, EVERYWHERE, FILTER, JUMPS, LETTERS, MOVES, PAGES, STEPS,
};
use crate::screens::screen::Screen;
use crate::store::cx::Cx;
use crate::store::effect::{Answer, Effect, JournalLine, JournalPage};
use crate::store::in_flight::Slot;
use crate::store::key_table::{Heading, Hint};
use crate::store::layer::Layer;
use crate::store::message::{Action, Motion};
use crate::store::remote::Remote;
use crate::store::shared::Shared;
use crate::store::undo;
use crate::ui::layout::{Layout, Scrolled};
use crate::ui::list::{Did, List, Unmarked, Words};
use crate::ui::menu::{Menu, Tall};
use crate::ui::{Context, menu, text};

/// State of the journal box.
#[derive(Clone, Debug, PartialEq)]
pub struct JournalView {
    /// What was read.
    pub page: Remote<JournalPage>,
    /// The list of the lines that match.
    pub list: List,
    /// Of the line under the cursor what was sent is seen.
    request: bool,
}

impl Default for JournalView {
    fn default() -> Self {
        Self {
            page: Remote::default(),
            list: List::single(),
            request: false,
        }
    }
}

impl JournalView {
    /// The lines that hold all the words.
    pub fn shown(&self) -> Vec<&JournalLine> {
        let mut words = Words::new(self.list.search.text());
        let mut fits = |line: &JournalLine| {
            let parts = [&line.run, &line.what, &line.state].into_iter();
            let parts = parts.chain(&line.detail).chain(&line.request);
            words.fit(parts.map(String::as_str))
        };
        let lines = self.page.value().into_iter().flat_map(|page| &page.lines);
        lines.filter(|line| fits(line)).collect()
    }

    /// Reads it.
    pub fn read_page(&mut self, cx: &mut Cx) {
        self.page.ask();
        cx.request(Slot::Journal, |id| Effect::ReadJournal { id });
    }

    /// Asks how the write under the cursor can be taken back, or what is left of it where its end is not known.
    fn take_back(&self, cx: &mut Cx) {
        let lines = self.shown();
        let Some(line) = lines.get(self.list.scroll.cursor as usize) else {
            return cx.say("no change is under the cursor");
        };
        let is_it = |change: &&Unfinished| change.write == line.write;
        match cx.shared.unfinished.iter().find(is_it) {
            Some(change) => undo::look_at_rest(change.job.clone(), Layer::Journal, cx),
            None => undo::plan(UndoOf::Write(line.write.clone()), Layer::Journal, cx),
        }
    }
}

impl Screen for JournalView {
    fn layer(&self, _shared: &Shared) -> Layer {
        if self.list.search.typing {
            Layer::Typing
        } else {
            Layer::Journal
        }
    }

    fn update(&mut self, action: Action, cx: &mut Cx) {
        let lines = Unmarked(self.shown().len());
        let action = match self.list.update(action, &lines, cx) {
            Did::Nothing(action) => action,
            Did::Narrowed => {
                let len = self.shown().len() as u64;
                self.list.scroll.go(Motion::First, len);
                return;
            }
            Did::Done => return,
        };
        match action {
            Action::Back => cx.close(Layer::Journal),
            Action::Undo => self.take_back(cx),
            Action::Raw if self.shown().is_empty() => cx.say("there is no change here"),
            Action::Raw => self.request = !self.request,
            Action::Refresh => self.read_page(cx),
            _ => {}
        }
    }

    fn reply(&mut self, _slot: Slot, answer: Answer, cx: &mut Cx) {
        if let Answer::Journal(result) = answer {
            self.page.accept(result, cx.now);
            let len = self.shown().len() as u64;
            self.list.scroll.fit(len);
        }
    }

    fn scrolled(&mut self) -> Option<&mut dyn Scrolled> {
        Some(&mut self.list)
    }

    fn draw(&self, context: Context<'_>, area: Rect, buffer: &mut Buffer, layout: &mut Layout) {
        let theme = context.theme;
        let shown = self.shown();
        let all = self.page.value().map_or(0, |page| page.lines.len());
        let columns = area.width.saturating_sub(4).min(COLUMNS);
        let width = usize::from(columns).saturating_sub(4);
        let problem = self.page.value().and_then(|page| page.problem.clone());
        let failure = self
            .page
            .failure()
            .map(|failure| format!("{}. {}", failure.came_back, failure.remedy));
        let problem = failure
            .or(problem)
            .map(|words| menu::lines(&words, width, 3, theme.bad()))
            .unwrap_or_default();
        let unfinished = &context.cx.shared.unfinished;
        let open = |line: &JournalLine| unfinished.iter().find(|it| it.write == line.write);
        let shared = &context.cx.shared;
        let reads = shared.then_key(". ", Layer::Journal, &Action::Undo, "reads what is left.");
        let whole = shown.get(self.list.scroll.cursor as usize).map(|line| {
            let left = open(line).map(|change| format!("{}{reads}", change.words));
            let lines = left.iter().chain(if self.request {
                &line.request
            } else {
                &line.detail
            });
            let lines = lines.flat_map(|line| menu::lines(line, width, 8, theme.text()));
            lines.collect::<Vec<_>>()
        });
        let none = match (self.page.is_reading(), self.page.value()) {
            (true, _) => "reading…",
            (false, None) => "nothing could be read",
            (false, Some(page)) if page.lines.is_empty() => "nothing was changed from here yet",
            (false, Some(_)) => "no change matches",
        };
        // The row under the cursor in full takes half of the room at most.
        let room = area.height.saturating_sub(3 + problem.len() as u16);
        let search = &self.list.search;
        let menu = Menu {
            of: Some(Layer::Journal),
            title: "My changes, newest first",
            right: &format!("{} of {all}", shown.len()),
            size: (columns, Tall::Fits),
            search: (search.typing || !search.text().is_empty()).then_some((" / ", &search.words)),
            above: problem,
            len: shown.len(),
            none: Some(menu::line(none, theme.muted())),
            whole: (whole.unwrap_or_default(), room.div_ceil(2)),
            ..Menu::default()
        };
        let row = |place: usize, _: usize| {
            let line = shown[place];
            let left = open(line).is_some();
            let state = if left && line.good {
                "end not known"
            } else {
                &line.state
            };
            let style = if line.good && !left {
                theme.good()
            } else {
                theme.bad()
            };
            // What was done and the run come first: they are what a narrow row has room for.
            let (id, title) = line.run.split_once(' ').unwrap_or((&line.run, ""));
            let named = id.starts_with("R_");
            let what = match (named, title.is_empty()) {
                (true, true) => format!("{id}  {}", line.what),
                (true, false) => format!("{id}  {}  ({title})", line.what),
                (false, _) => line.what.clone(),
            };
            let when = format!(" {}  ", context.now.when(line.at));
            let room = width.saturating_sub(text::width(&when) + STATE + 1);
            vec![
                Span::raw(when),
                Span::styled(text::pad(state, STATE), style),
                Span::raw(format!(" {}", text::pad(&what, room))),
            ]
        };
        menu.draw(&self.list, row, theme, area, buffer, layout);
    }
}

/// Columns of the box at most.
const COLUMNS: u16 = 120;

/// Columns of how a change has ended.
const STATE: usize = 13;

const OWN: &[Binding] = &[
    binding(
        &["Enter"],
        "undo",
        Heading::Run,
        "Undo this change, or go on with it (asks first)",
        Action::Undo,
    ),
    binding(
        &["i"],
        "raw",
        Heading::Run,
        "What was sent, and back",
        Action::Raw,
    ),
    FILTER,
];

pub const PLACE: Place = Place {
    layer: Layer::Journal,
    title: "my changes",
    short: "my changes",
    groups: &[OWN, STEPS, ARROWS, JUMPS, PAGES, LETTERS, EVERYWHERE, BACK],
    hints: &[
        MOVES,
        Hint::of(&[Action::Undo], "undo…"),
        Hint::of(&[Action::Raw], "the request"),
        Hint::of(&[Action::Filter], "find"),
        CLOSES,
        Hint::of(&[Action::Help], "help"),
    ],
    types: false,
};

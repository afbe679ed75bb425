//! My changes, of the journal: the writes of this program, to look up and to undo.

use crate::domain::{UndoOf, Unfinished};
use crate::screens::keys::FILTER;
use crate::screens::prelude::*;
use crate::store::{JournalLine, JournalPage, undo};

/// State of the journal box.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JournalView {
    /// The page that was read.
    pub page: Remote<JournalPage>,
    /// List of the matching lines.
    pub list: List,
    /// The change under the cursor is shown in full, with its request.
    full: Option<TextBox>,
}

impl JournalView {
    /// Returns the lines that contain all words.
    pub fn shown(&self, shared: &Shared) -> Vec<&JournalLine> {
        let lines = self.page.value().into_iter().flat_map(|page| &page.lines);
        self.list.fitting(lines, |line| {
            let parts = [&line.run, &line.what].into_iter();
            let parts = parts.chain(&line.place).chain(&line.detail);
            let parts = parts.chain(&line.request);
            parts.map(String::as_str).chain([state(line, shared)])
        })
    }

    /// Reads the page.
    pub fn read_page(&mut self, cx: &mut Cx) {
        self.page.ask();
        cx.request(Slot::Journal, Request::ReadJournal { run: None });
    }

    /// Asks for the plan of an undo of the write under the cursor, or for its remainder if its end is unknown.
    fn take_back(&self, cx: &mut Cx) {
        let lines = self.shown(&cx.shared);
        let Some(line) = lines.get(self.list.scroll.cursor) else {
            return cx.say("no change is under the cursor");
        };
        if line.place.is_some() {
            // Its first sentence says where.
            return cx.say(line.detail.first().cloned().unwrap_or_default());
        }
        match unfinished(line, &cx.shared) {
            Some(change) => undo::read_unfinished(change.job.clone(), Layer::Journal, cx),
            None => undo::plan(UndoOf::Write(line.write.clone()), Layer::Journal, cx),
        }
    }
}

/// Returns whose and where a change is, unless it is the user's own and of what is in use.
fn whose(line: &JournalLine, shared: &Shared) -> String {
    let is_known = !line.by.is_empty() && !shared.user().is_empty();
    let by = (is_known && !shared.is_me(&line.by)).then(|| format!("by {}", line.by));
    let parts: Vec<&str> = line.place.iter().chain(&by).map(String::as_str).collect();
    if parts.is_empty() {
        return String::new();
    }
    parts.join(", ") + ": "
}

/// Returns the change of a line if its end is not known: it is gone on with, not undone.
fn unfinished<'a>(line: &JournalLine, shared: &'a Shared) -> Option<&'a Unfinished> {
    shared.unfinished.iter().find(|it| it.write == line.write)
}

/// State of a change in words: that of the change to which it belongs, if its end is not known.
fn state<'a>(line: &'a JournalLine, shared: &Shared) -> &'a str {
    match unfinished(line, shared) {
        Some(_) if line.good => "end not known",
        _ => &line.state,
    }
}

impl Screen for JournalView {
    fn part(&self) -> Option<Layer> {
        self.list.search.typing.then_some(Layer::Typing)
    }

    fn update(&mut self, action: Action, cx: &mut Cx) {
        let lines = Unmarked(self.shown(&cx.shared).len());
        let action = match (&mut self.full, action) {
            (Some(full), Action::Move(motion)) => return full.scroll(motion),
            (Some(_), Action::Raw | Action::Back) => return self.full = None,
            (Some(_), action @ Action::Undo) => action,
            (Some(_), _) => return,
            (None, action) => match self.list.update(action, &lines, cx) {
                Some(action) => action,
                None => return,
            },
        };
        match action {
            Action::Back => cx.close(Layer::Journal),
            // A second click is Enter.
            Action::Undo | Action::Open => self.take_back(cx),
            Action::Raw if self.shown(&cx.shared).is_empty() => cx.say("there is no change here"),
            Action::Raw => self.full = Some(TextBox::default()),
            Action::Refresh => self.read_page(cx),
            _ => {}
        }
    }

    fn offers(&self, action: &Action, shared: &Shared) -> bool {
        let is_narrowed = !self.list.search.text().is_empty();
        match action {
            Action::Filter if is_narrowed => true,
            Action::Undo | Action::Raw | Action::Move(_) | Action::Filter => {
                !self.shown(shared).is_empty()
            }
            _ => true,
        }
    }

    fn reply(&mut self, _slot: Slot, answer: Answer, cx: &mut Cx) {
        if let Answer::Journal(result) = answer {
            let place = self.list.scroll.cursor;
            let here = self
                .shown(&cx.shared)
                .get(place)
                .map(|line| line.write.clone());
            self.page.accept(result, cx.now);
            let lines = self.shown(&cx.shared);
            let is_here = |line: &&JournalLine| Some(&line.write) == here.as_ref();
            let (row, len) = (lines.iter().position(is_here), lines.len());
            self.list.scroll.stay_on(row, len);
        }
    }

    fn scrolled(&mut self) -> Option<&mut dyn Scrolled> {
        match &mut self.full {
            Some(full) => Some(full),
            None => Some(&mut self.list),
        }
    }

    fn hints(&self, shared: &Shared) -> Option<&'static [Hint]> {
        if self.list.search.typing {
            return None;
        }
        let lines = self.shown(shared);
        let here = lines.get(self.list.scroll.cursor);
        let goes_on =
            here.is_some_and(|line| line.place.is_none() && unfinished(line, shared).is_some());
        let undoes = here.is_none_or(|line| line.in_effect);
        match (self.full.is_some(), goes_on, undoes) {
            (true, true, _) => Some(&[SCROLLS, GOES_ON, BACK_AGAIN]),
            (true, false, true) => Some(&[SCROLLS, UNDOES, BACK_AGAIN]),
            (true, false, false) => Some(&[SCROLLS, BACK_AGAIN]),
            (false, true, _) => Some(GOING_ON),
            (false, false, true) => None,
            (false, false, false) => Some(&[MOVES, SHOWS_ALL, FINDS, CLOSES, HELPS]),
        }
    }
}

impl Draw for JournalView {
    fn draw(&self, on: &mut Surface<'_>, area: Rect) {
        let context = on.context;
        let theme = context.theme;
        let shared = &context.cx.shared;
        let shown = self.shown(shared);
        let all = self.page.value().map_or(0, |page| page.lines.len());
        let columns = area.width.saturating_sub(4).min(COLUMNS);
        let width = usize::from(columns).saturating_sub(4);
        let problem = self.page.value().and_then(|page| page.problem.clone());
        let problem = self
            .page
            .failure()
            .map(|failure| format!("{}. {}", failure.cause, failure.remedy))
            .or(problem)
            .map(|words| frame::wrapped(&words, width, 3, theme.bad()))
            .unwrap_or_default();
        let reads = shared.then_key(". ", Layer::Journal, &Action::Undo, "reads what is left.");
        let detail = shown.get(self.list.scroll.cursor);
        let detail = detail.map_or_else(Vec::new, |line| {
            let left = unfinished(line, shared).map(|change| format!("{}{reads}", change.words));
            let request = line.request.iter().filter(|_| self.full.is_some());
            let lines = left.iter().chain(&line.detail).chain(request);
            lines
                .flat_map(|line| frame::wrapped(line, width, 1_000, theme.text()))
                .collect()
        });
        if let Some(full) = &self.full {
            let sheet = Sheet::of(Layer::Journal, "A change in full", columns, detail);
            full.draw(&sheet, on, area);
            return;
        }
        let none = match (self.page.is_reading(), self.page.value()) {
            (true, _) => "reading…",
            (false, None) => "nothing could be read",
            (false, Some(page)) if page.lines.is_empty() => "nothing was changed from here yet",
            (false, Some(_)) => "no change matches",
        };
        // The row under the cursor in full takes at most half of the room.
        let room = area.height.saturating_sub(3 + problem.len() as u16);
        let search = &self.list.search;
        let menu = Menu {
            right: &format!("{} of {all}", shown.len()),
            search: (search.typing || !search.text().is_empty()).then_some((" / ", &search.words)),
            above: problem,
            none: Some(frame::said(none, theme.muted())),
            detail: (detail, room.div_ceil(2)),
            ..Menu::new(
                Layer::Journal,
                "My changes, newest first",
                columns,
                shown.len(),
            )
        };
        let when = |line: &JournalLine| context.now.when(line.at);
        let whens = text::widest(shown.iter().copied().map(when));
        let columns = vec![
            Column::plain(whens.max(1)),
            Column::plain(13).behind(2),
            Column::fill(),
        ];
        let table = Table::lay_out(columns, width);
        let row = |place: usize| {
            let line = shown[place];
            let is_good = line.good && unfinished(line, shared).is_none();
            let style = if is_good { theme.good() } else { theme.bad() };
            // Action and run are first: a narrow row has room for no more.
            let (whose, what) = (whose(line, shared), &line.what);
            let what = match line.run.split_once(' ').unwrap_or((&line.run, "")) {
                (id, "") if id.starts_with("R_") => format!("{id}  {whose}{what}"),
                (id, title) if id.starts_with("R_") => format!("{id}  {whose}{what}  ({title})"),
                _ => format!("{whose}{what}"),
            };
            table.row([
                Cell::text(when(line), theme.text()),
                Cell::text(state(line, shared), style),
                Cell::text(what, theme.text()),
            ])
        };
        menu.draw(&self.list.scroll, row, on, area);
    }
}

/// Maximum columns of the box.
const COLUMNS: u16 = 120;

const OWN: &[Binding] = &[
    Heading::Run.row(
        &["Enter"],
        "undo",
        "Undo this change, or go on with it (asks first)",
        Action::Undo,
    ),
    Heading::Run.row(
        &["i"],
        "raw",
        "All of it and what was sent, and back",
        Action::Raw,
    ),
    FILTER,
];

const UNDOES: Hint = Hint::of(&[Action::Undo], "undo…");
const GOES_ON: Hint = Hint::of(&[Action::Undo], "go on…");

const SHOWS_ALL: Hint = Hint::of(&[Action::Raw], "all of it");

const fn hints(undo: Hint) -> [Hint; 6] {
    [MOVES, undo, SHOWS_ALL, FINDS, CLOSES, HELPS]
}

/// Hints on a change whose end is not known.
const GOING_ON: &[Hint] = &hints(GOES_ON);

pub const PLACE: Place = Place {
    layer: Layer::Journal,
    title: "my changes",
    groups: &[&[OWN], MOVING, OF_A_BOX],
    hints: &hints(UNDOES),
    types: false,
};

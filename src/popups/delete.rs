//! The box that deletes runs. The content of each is worked out; once the id is typed, the worker saves a copy, takes
//! the suites out and deletes, run after run. The first failure ends it. Runs that cannot be deleted from here are
//! named before, and the others go without them.

use crate::screens::prelude::*;
use ratatui::prelude::Buffer;

use crate::attached::State;
use crate::domain::{Deed, ResultCounts, UndoOf, Why};
use crate::ops::{Deleting, Do, Operation, Step, StepResult};
use crate::screens::keys::{ARROWS, JOURNAL, LETTERS, PAGES, PALETTE, REFRESH, UNDO};
use crate::store::in_flight::seconds;
use crate::store::key_table::Heading::{Run, Suites, Tool};
use crate::store::{Lasts, Notice, undo};
use crate::ui::list::edit;
use crate::ui::question::may_answer;
use crate::ui::{Theme, counts};

/// Maximum number of runs deleted at once: all known data of each is kept until the end.
pub const MOST_AT_ONCE: usize = 100;

/// Remedy after several deletions.
const MADE_ANEW: &str = "shows them, each can be made anew from its copy";

/// State of the box, also of its deletions after it is closed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DeleteBox {
    pub runs: Vec<DeletedRun>,
    /// Place of the run whose request is under way; there is at most one.
    pub asked: Option<usize>,
    /// Progress of the open survey, in words.
    pub progress: Option<String>,
    /// The field for the id.
    pub text: Input,
    /// The runs are being deleted, or were.
    pub confirmed: bool,
    pub open: bool,
    /// Notes above: of an undo, of marks.
    pub notes: Vec<String>,
    scroll: TextBox,
    /// The user has stopped it: no further run is begun.
    stopped: bool,
    /// Deletions were confirmed before the box looked again.
    was_confirmed: bool,
    /// Begin of the looking or of the deletions, epoch milliseconds.
    since: i64,
}

/// Run to delete.
#[derive(Clone, Debug, PartialEq)]
pub struct DeletedRun {
    pub deleting: Deleting,
    /// The content is known, or known to be unknowable.
    pub is_read: bool,
    /// The content prevents a deletion from here; known before anything is sent.
    stays: bool,
    /// Result.
    pub end: Option<Outcome>,
}

impl DeletedRun {
    fn new(mut deleting: Deleting) -> Self {
        if !deleting.taken_out.is_empty() && deleting.attached().is_none() {
            // Results were removed with the suites: only a new reading shows how many are left.
            deleting.run = deleting.run.with(|row| row.results = None);
        }
        Self {
            deleting,
            is_read: false,
            stays: false,
            end: None,
        }
    }

    pub fn name(&self) -> &str {
        self.deleting.run.name()
    }

    pub fn gone(&self) -> bool {
        self.end.as_ref().is_some_and(Outcome::is_complete)
    }

    /// A deletion was sent whose end is not known.
    fn may_be_gone(&self) -> bool {
        self.end.as_ref().is_some_and(|end| end.end == End::Unknown)
    }

    /// Returns true if a deletion is known to be possible.
    fn ready(&self) -> bool {
        self.is_read && self.end.is_none() && !self.stays
    }

    /// Returns true after a failure, also of reading its content.
    fn failed(&self) -> bool {
        self.end.is_some() && !self.stays && !self.gone()
    }

    /// Requests missing data on its content; true if there was a request to send.
    fn request_content(&mut self, place: usize, cx: &mut Cx) -> bool {
        let mut ask = |request| {
            cx.request(Slot::Content(place), request);
            true
        };
        match self.deleting.next() {
            Do::Step(Step::Survey { run, typed, .. }) => {
                return ask(Request::Survey {
                    run,
                    typed,
                    calls: None,
                });
            }
            Do::Step(Step::CheckEmpty(run)) => return ask(Request::CheckEmpty { run }),
            Do::Step(_) | Do::Ask => self.stays = self.deleting.hindrance().is_some(),
            Do::End(outcome) => {
                self.stays = self.deleting.stays;
                self.end = Some(outcome);
            }
        }
        self.is_read = true;
        false
    }

    /// Returns the same run without known content.
    fn anew(&self, shared: &Shared) -> Self {
        let before = &self.deleting;
        let mut deleting = Deleting::new(before.run.clone());
        deleting.typed.clone_from(&before.typed);
        deleting.undo_of.clone_from(&before.undo_of);
        deleting.taken_out = shared.taken_out_of(&before.run.doc_ref);
        Self::new(deleting)
    }
}

impl DeleteBox {
    /// Returns true while a write is under way.
    pub fn writing(&self) -> bool {
        self.confirmed && self.asked.is_some()
    }

    /// Returns true if the field for the id is shown.
    pub fn typing(&self) -> bool {
        let failed = self.runs.iter().any(DeletedRun::failed);
        self.open && !self.confirmed && !failed && self.going().next().is_some()
    }

    /// Returns true if not all runs are deleted.
    fn any_left(&self) -> bool {
        self.runs.iter().any(|run| !run.gone())
    }

    /// Returns the runs that will be deleted, as far as is known.
    fn going(&self) -> impl Iterator<Item = &DeletedRun> {
        self.runs.iter().filter(|run| !run.stays)
    }

    /// Returns the names of runs that cannot be deleted from here.
    fn staying(&self) -> impl Iterator<Item = &str> {
        self.runs
            .iter()
            .filter(|run| run.stays)
            .map(DeletedRun::name)
    }

    /// Returns the text to type: the id of the run, or the verb and the number of runs. A number alone is the key of a
    /// tab.
    pub fn word(&self) -> String {
        let mut going = self.going();
        match (going.next(), going.count()) {
            (Some(run), 0) => run.name().to_owned(),
            (_, others) => format!("delete {}", others + 1),
        }
    }

    /// Returns true if that text is typed.
    pub fn armed(&self) -> bool {
        self.text.text().trim() == self.word().trim()
    }

    /// Creates the box for these runs, with notes above.
    pub fn new(runs: Vec<Deleting>, notes: Vec<String>) -> Self {
        Self {
            runs: runs.into_iter().map(DeletedRun::new).collect(),
            open: true,
            notes,
            ..Self::default()
        }
    }

    /// Starts the next step: working out the content of a run, or once confirmed, a deletion.
    pub fn go_on(&mut self, cx: &mut Cx) {
        self.progress = None;
        if self.asked.is_some() || self.stopped {
            return;
        }
        if self.since == 0 {
            self.since = cx.now;
        }
        while !self.confirmed {
            if self.runs.iter().any(DeletedRun::failed) {
                // No further run is examined.
                return;
            }
            let Some(place) = self.runs.iter().position(|run| !run.is_read) else {
                break;
            };
            if self.runs[place].request_content(place, cx) {
                self.asked = Some(place);
                return;
            }
        }
        let Some(place) = self.runs.iter().position(|run| !run.gone() && !run.stays) else {
            return;
        };
        let run = &mut self.runs[place];
        if !self.confirmed || run.end.is_some() {
            return;
        }
        run.deleting.answer(true);
        self.asked = Some(place);
        let deleting = Box::new(run.deleting.clone());
        cx.request(Slot::Delete(place), Request::Delete(deleting));
    }

    /// Sends nothing further; the answer to an open write is awaited.
    fn stop(&mut self, cx: &mut Cx) {
        let Some(place) = self.asked else {
            return;
        };
        if self.confirmed {
            self.stopped = true;
            cx.stop(|slot| matches!(slot, Slot::Delete(_)));
            return;
        }
        cx.give_up(&Slot::Content(place));
        self.asked = None;
        self.runs[place].end = Some(Outcome::not_sent(
            Why::Stopped,
            "looking at what it holds was stopped",
        ));
    }

    /// Returns the summary of the results, if there are any; true if it is a failure.
    fn summary(&self, shared: &Shared) -> Option<(String, bool)> {
        // Shown after the box is closed.
        let key = |action: &Action, does| shared.then_key(". ", Layer::Runs, action, does);
        let mine = Action::Show(Layer::Journal);
        let words = |run: &DeletedRun| {
            let outcome = run.end.as_ref()?;
            Some(outcome.words(Deed::Delete(run.name())))
        };
        let gone = self.runs.iter().filter(|run| run.gone()).count();
        let all = self.runs.len();
        if gone == all {
            let message = match &self.runs[..] {
                // The next undo goes further back.
                [run] if run.deleting.undo_of.is_some() => {
                    words(run)? + &shared.redoes(". ", Layer::Runs)
                }
                [run] => words(run)? + &key(&Action::Undo, "makes a new run from its copy"),
                _ => format!("{all} runs deleted{}", key(&mine, MADE_ANEW)),
            };
            return Some((message, false));
        }
        let some = format!("{gone} of {all} runs deleted");
        let staying = self.staying().count();
        if staying > 0 && gone + staying == all {
            // One of them may have been deleted by somebody else.
            let anew = key(&mine, MADE_ANEW);
            return Some((format!("{some}, {staying} left out{anew}"), false));
        }
        let message = match self.runs.iter().find(|run| run.failed()).and_then(words) {
            bad if all == 1 => bad?,
            Some(bad) => format!("{some}. {bad}"),
            None if gone == 0 => return None,
            None => format!("Stopped. {some}. The others were not begun."),
        };
        Some((message, true))
    }

    /// Works out the content of the remaining runs again.
    fn anew(&mut self, cx: &mut Cx) {
        if self.asked.is_some() {
            cx.say(under_way(&cx.shared));
            return;
        }
        self.was_confirmed |= self.confirmed;
        (self.confirmed, self.stopped, self.since) = (false, false, 0);
        self.text.clear();
        self.runs.retain(|run| !run.gone());
        for run in &mut self.runs {
            if run.may_be_gone() {
                let mine = Action::Show(Layer::Journal);
                let reads = "reads what became of it";
                let reads = cx.shared.then_key("; ", Layer::Delete, &mine, reads);
                let name = run.name();
                let sent = format!("a deletion of {name} was begun, its end is not known{reads}");
                self.notes.push(sent);
            }
            *run = run.anew(&cx.shared);
        }
        self.go_on(cx);
    }

    fn enter(&mut self, cx: &mut Cx) {
        if self.typing() && self.armed() {
            // Only content that was shown is deleted.
            if let Some(place) = self.asked {
                let words = "Enter deletes once what is in it is shown";
                cx.notice = Some(Notice {
                    lasts: Lasts::UntilAnswer(Slot::Content(place)),
                    ..Notice::new(words, true)
                });
            } else if may_answer(self.scroll, cx) {
                (self.confirmed, self.since) = (true, 0);
                self.scroll.rewind();
                self.go_on(cx);
            }
        } else if self.typing() {
            let word = self.word();
            cx.complain(format!("nothing is deleted before {word} is typed here"));
        } else if self.writing() {
            cx.say(under_way(&cx.shared));
        } else if self.confirmed && may_answer(self.scroll, cx) {
            self.close(cx);
        }
    }

    /// Esc: sends nothing further and shows the results.
    fn close(&mut self, cx: &mut Cx) {
        let writing = self.writing();
        let summary = self.summary(&cx.shared).filter(|_| self.confirmed);
        self.stop(cx);
        if writing {
            self.open = false;
            cx.say("nothing further is sent; what is under way is told when its answer is here");
            return;
        }
        cx.close(Layer::Delete);
        let nothing = if self.was_confirmed {
            "nothing further was sent"
        } else {
            "nothing was sent"
        };
        let (words, bad) = summary.unwrap_or_else(|| (nothing.into(), false));
        cx.ended(words, bad);
    }

    /// Opens the screen of suites for the first remaining run, where a probe run may name its suites.
    fn visit_suites(&mut self, cx: &mut Cx) {
        if self.asked.is_some() {
            return;
        }
        let Some(run) = self
            .runs
            .iter()
            .find(|run| !run.gone() && !run.ready())
            .or(self.runs.first())
        else {
            return;
        };
        let known = run.deleting.attached().filter(|_| !self.confirmed);
        cx.close(Layer::Delete);
        cx.open(Open::Attached {
            run: run.deleting.run.clone(),
            typed: run.deleting.typed.clone(),
            known: known.cloned().map(Box::new),
        });
    }

    fn on_content(&mut self, place: usize, report: StepResult, cx: &mut Cx) {
        if let StepResult::Attached(Err(failure)) | StepResult::Empty(Err(failure)) = &report {
            cx.failed(failure.clone());
        }
        self.runs[place].deleting.take(report);
        self.asked = None;
        // The key that opened the box asked for all of it.
        cx.by_key = true;
        self.go_on(cx);
        cx.by_key = false;
    }

    /// Stores the result of a deletion; a run is gone only if it is no longer found.
    fn deleted(&mut self, place: usize, end: Outcome, cx: &mut Cx) {
        self.asked = None;
        let run = &mut self.runs[place];
        run.end = Some(end);
        let doc_ref = run.deleting.run.doc_ref.clone();
        if run.gone() {
            cx.learn(Fact::Gone(doc_ref));
        } else if let (Some(removal), Some(removed)) =
            (run.deleting.plan().0, &run.deleting.removed)
        {
            let out = removed.done_parts();
            let suites = removal
                .suites
                .iter()
                .filter(|(suite, _)| out.contains(suite));
            let taken_out = &mut cx.shared.taken_out;
            taken_out
                .entry(doc_ref.clone())
                .or_default()
                .extend(suites.cloned());
            cx.learn(Fact::Stripped(doc_ref));
        }
        self.go_on(cx);
        if self.asked.is_some() {
            return;
        }
        // The message about waiting is over; the box shows the results.
        cx.notice = None;
        self.scroll.rewind();
        if !self.open {
            cx.close(Layer::Delete);
            if let Some((words, bad)) = self.summary(&cx.shared) {
                cx.ended(words, bad);
            }
        }
        cx.learn(Fact::Wrote(None));
    }
}

impl Screen for DeleteBox {
    fn part(&self) -> Option<Layer> {
        self.typing().then_some(Layer::DeleteId)
    }

    fn hints(&self, _: &Shared) -> Option<&'static [Hint]> {
        self.writing().then_some(DELETING)
    }

    fn offers(&self, action: &Action, _shared: &Shared) -> bool {
        match action {
            Action::Refresh => self.any_left(),
            // Those of a closed run cannot be changed.
            Action::Show(Layer::Attached) => {
                let mut left = self.runs.iter().filter(|run| !run.gone());
                left.any(|run| !run.deleting.run.is_closed())
            }
            Action::Undo => self.asked.is_none() && self.runs.iter().any(DeletedRun::gone),
            _ => true,
        }
    }

    fn update(&mut self, action: Action, cx: &mut Cx) {
        match action {
            Action::Type(_) | Action::Paste(_) if self.typing() => {
                let before = self.text.clone();
                edit(&mut self.text, &action, cx);
                if self.text == before && cx.notice.is_none() {
                    cx.of_no_use();
                }
            }
            Action::Move(motion) => self.scroll.scroll(motion),
            Action::Back => self.close(cx),
            Action::Open => self.enter(cx),
            Action::Refresh if self.any_left() => self.anew(cx),
            Action::Show(Layer::Attached) if self.any_left() => self.visit_suites(cx),
            Action::Undo if self.offers(&action, &cx.shared) => match &self.runs[..] {
                [DeletedRun { deleting, .. }] if deleting.undo_of.is_none() => {
                    let of = UndoOf::LastOf(deleting.run.doc_ref.clone());
                    undo::plan(of, Layer::Delete, cx);
                }
                // Of several each is undone by itself, and an undo by its own line.
                _ => {
                    self.close(cx);
                    cx.anywhere(Action::Show(Layer::Journal));
                }
            },
            Action::Show(Layer::Journal) | Action::Palette => cx.anywhere(action),
            _ => {}
        }
    }

    fn reply(&mut self, _slot: Slot, answer: Answer, cx: &mut Cx) {
        let Some(place) = self.asked else {
            return;
        };
        match answer {
            Answer::SurveyProgress(words) => self.progress = Some(words),
            Answer::Deleting(deleting) => self.runs[place].deleting = *deleting,
            Answer::Surveyed(result) => self.on_content(place, StepResult::Attached(result), cx),
            Answer::Emptiness(result) => self.on_content(place, StepResult::Empty(result), cx),
            Answer::Deleted(end) => self.deleted(place, end, cx),
            _ => {}
        }
    }

    fn give_up(&mut self, cx: &mut Cx) -> bool {
        let any = self.asked.is_some();
        self.stop(cx);
        any
    }

    fn scrolled(&mut self) -> Option<&mut dyn Scrolled> {
        Some(&mut self.scroll)
    }
}

impl Draw for DeleteBox {
    fn draw(&self, on: &mut Surface<'_>, area: Rect) {
        let context = on.context;
        let theme = context.theme;
        let columns = area.width.min(78);
        let lines = lines(self, context, usize::from(columns).saturating_sub(4));
        let sheet = Sheet {
            of: Layer::Delete,
            title: &title(self),
            columns,
            indent: 1,
            lines,
            cursor: None,
            foot: true,
        };
        let inside = self.scroll.draw(&sheet, on, area);
        let foot = inside.height.saturating_sub(1);
        if self.typing() {
            id_field(self, inside, foot, on.buffer, theme);
        } else {
            let (words, style) = closing(self, &context.cx.shared, theme);
            frame::line(on.buffer, inside, foot, frame::said(&words, style));
        }
    }
}

const LOST: &str = "Results, testers and files do not come back.";
/// The same of a run without results.
const LOST_OF_NONE: &str = "Testers and files do not come back.";
/// Columns of the field for the id.
const FIELD: u16 = 16;
/// Maximum number of named suites.
const NAMED: usize = 8;

fn title(flow: &DeleteBox) -> String {
    let asks = match flow.confirmed {
        true => "",
        false if flow.going().next().is_none() => ": not from here",
        false => "?",
    };
    match &flow.runs[..] {
        [run] => {
            let title = run.deleting.run.title().unwrap_or_default();
            format!("Delete {} \"{}\"{asks}", run.name(), text::fit(title, 44))
        }
        runs => match flow.staying().count() {
            0 => format!("Delete {} runs{asks}", runs.len()),
            stay => format!("Delete {} of {} runs{asks}", runs.len() - stay, runs.len()),
        },
    }
}

/// Draws the field for the id, with the mistake in its text.
fn id_field(flow: &DeleteBox, inside: Rect, row: u16, buffer: &mut Buffer, theme: Theme) {
    let word = flow.word();
    let shown = text::cells(&word);
    let others = match (flow.staying().count(), flow.going().count()) {
        (0, _) => "",
        (_, 1) => " for the other",
        _ => " for the others",
    };
    let before = match flow.runs.len() {
        1 => format!(" Type {shown} to delete: "),
        _ => format!(" Type \"{shown}\"{others}: "),
    };
    let column = u16::try_from(text::width(&before)).unwrap_or(u16::MAX);
    let behind = frame::from_column(inside, column);
    let place = Rect {
        y: inside.y + row,
        width: FIELD.min(behind.width),
        height: 1,
        ..behind
    };
    let typed = flow.text.text().trim();
    let (said, style) = match flow.armed() {
        true if flow.asked.is_some() => ("Enter, once it is read".to_owned(), theme.warn()),
        true => ("Enter deletes".to_owned(), theme.warn()),
        _ if word.starts_with(typed) => (String::new(), theme.text()),
        _ if word.ends_with(&format!(" {typed}")) => ("not the number alone".into(), theme.warn()),
        _ => (format!("this is not {shown}"), theme.warn()),
    };
    let spans = vec![
        Span::styled(before, theme.text()),
        Span::raw(" ".repeat(usize::from(FIELD) + 2)),
        Span::styled(said, style),
    ];
    frame::line(buffer, inside, row, spans);
    frame::field(buffer, place, &flow.text, true, theme);
}

fn under_way(shared: &Shared) -> String {
    let stops = "stops before the next request";
    "under way".to_owned() + &shared.then_key("; ", Layer::Delete, &Action::Cancel, stops)
}

/// Returns the possible steps if no text is typed.
fn closing(flow: &DeleteBox, shared: &Shared, theme: Theme) -> (String, Style) {
    let steps: &[(Action, &str)] = if flow.writing() {
        return (under_way(shared), theme.muted());
    } else if flow.asked.is_some() {
        &[(Action::Back, "gives it up")]
    } else if flow.confirmed {
        &[
            (Action::Refresh, "looks again"),
            (Action::Show(Layer::Journal), "my changes"),
            (Action::Undo, "undo"),
            (Action::Open, "closes"),
        ]
    } else {
        &[
            (Action::Show(Layer::Attached), "its suites"),
            (Action::Refresh, "looks again"),
            (Action::Back, "closes"),
        ]
    };
    let steps = steps
        .iter()
        .filter(|(action, _)| flow.offers(action, shared))
        .map(|(action, does)| shared.key_does(Layer::Delete, action, does))
        .filter(|step| !step.is_empty());
    (text::join(steps, "   "), theme.muted())
}

fn lines(flow: &DeleteBox, context: Context<'_>, width: usize) -> Vec<Line<'static>> {
    let theme = context.theme;
    let mut lines = Vec::new();
    let mut say = |words: &str, style: Style| {
        lines.extend(
            text::wrap(words, width, 8)
                .into_iter()
                .map(|line| Line::styled(line, style)),
        );
    };
    for note in &flow.notes {
        say(note, theme.warn());
    }
    // What is lost comes first: a low terminal shows no more without scrolling.
    let lost = flow.typing().then_some(LOST);
    if let [run] = &flow.runs[..] {
        let (words, style) = holds(flow, 0, theme);
        say(&words, style);
        let attached = run.deleting.attached().filter(|_| run.end.is_none());
        if attached.is_some() {
            say(&recorded(run), theme.text());
        }
        if let Some(lost) = lost {
            let row = run.deleting.run.row();
            let is_none = |it: &ResultCounts| it.unread == 0 && counts::recorded(it).is_none();
            let has_none = attached.is_some() && row.results.as_ref().is_some_and(is_none);
            say(if has_none { LOST_OF_NONE } else { lost }, theme.warn());
        }
        for name in attached.map(names).unwrap_or_default() {
            say(&format!("  {name}"), theme.text());
        }
    } else {
        if let Some((words, style)) = so_far(flow, context) {
            say(&words, style);
        }
        if let Some(lost) = lost {
            say(lost, theme.warn());
        }
        // A failure stands above the edge of the box.
        let (bad, others): (Vec<_>, Vec<_>) =
            (flow.runs.iter().enumerate()).partition(|(_, run)| run.failed());
        for (place, run) in bad.into_iter().chain(others) {
            let (words, style) = holds(flow, place, theme);
            say(&format!("{}: {words}", run.deleting.run.full_name()), style);
        }
    }
    if flow.confirmed || flow.typing() && flow.runs.iter().all(|run| run.is_read) {
        let order = order(flow, theme);
        if !order.is_empty() {
            say("", theme.text());
        }
        for (words, style) in order {
            say(&words, style);
        }
    }
    lines
}

/// Returns how far several runs are, and in the end what became of them.
fn so_far(flow: &DeleteBox, context: Context<'_>) -> Option<(String, Style)> {
    let (shared, theme) = (&context.cx.shared, context.theme);
    let Some(place) = flow.asked else {
        let (words, bad) = flow.summary(shared).filter(|_| flow.confirmed)?;
        return Some((words, if bad { theme.bad() } else { theme.good() }));
    };
    let name = flow.runs[place].name();
    let (doing, at, all, does) = if flow.confirmed {
        let gone = flow.runs.iter().filter(|run| run.gone()).count();
        let doing = format!("Deleting {name}");
        (doing, gone, flow.going().count(), "stops")
    } else {
        let doing = "Looking at what they hold".to_owned();
        (doing, place, flow.runs.len(), "gives up")
    };
    let seconds = seconds(flow.since, context.now.ms);
    let cancels = shared.then_key("; ", Layer::Delete, &Action::Cancel, does);
    let words = format!("{doing}: {} of {all}{seconds}{cancels}", at + 1);
    Some((words, theme.accent()))
}

/// Returns the known results in a run.
fn recorded(run: &DeletedRun) -> String {
    let row = run.deleting.run.row();
    match row.results.as_ref().map(counts::recorded) {
        None => "What is recorded in it is not known here.".into(),
        Some(None) => "No results are recorded in it.".into(),
        Some(Some(results)) => format!("Recorded in it: {results}."),
    }
}

/// Returns the content of a run, or its result.
fn holds(flow: &DeleteBox, place: usize, theme: Theme) -> (String, Style) {
    let run = &flow.runs[place];
    let looking = flow.asked == Some(place) && !flow.confirmed;
    if let Some(end) = &run.end {
        let style = if run.gone() {
            theme.good()
        } else {
            theme.bad()
        };
        return (end.words(Deed::Delete(run.name())), style);
    }
    let Some(attached) = run.deleting.attached() else {
        let words = match &flow.progress {
            Some(progress) if looking => format!("Looking at what it holds… {progress}"),
            _ if looking => "Looking at what it holds…".into(),
            _ => "not looked at yet".into(),
        };
        return (words, theme.muted());
    };
    if !run.is_read {
        ("Asking whether it is empty…".into(), theme.muted())
    } else if run.stays {
        (stays(run, flow.typing()), theme.bad())
    } else if flow.runs.len() > 1 && flow.confirmed && flow.asked == Some(place) {
        ("deleting…".into(), theme.accent())
    } else if flow.confirmed && flow.asked.is_none() {
        ("not begun".into(), theme.muted())
    } else {
        let content = content(run, attached);
        match flow.runs.len() {
            1 => (content, theme.text()),
            _ => (format!("{content} {}", recorded(run)), theme.text()),
        }
    }
}

/// Returns the content of a run that can be deleted.
fn content(run: &DeletedRun, attached: &Attached) -> String {
    let known = text::count(attached.sure().count(), "suite");
    match (run.deleting.holds_suites(), attached.count) {
        (false, _) => "It is empty.".into(),
        (true, Some(_)) => format!("It holds {known}."),
        (true, None) => format!(
            "It holds {known}, or more: how many is not known. If there are more, it stays, without these."
        ),
    }
}

/// Returns the reason why a run stays whose suites cannot be removed. While text is typed, `s` is a letter.
fn stays(run: &DeletedRun, typing: bool) -> String {
    let attached = run.deleting.attached();
    let again = attached.filter(|it| matches!(it.state, State::Changing | State::Incomplete));
    if let Some(attached) = again {
        let why = attached.words();
        return format!("It stays: it is not empty, and {why}. Reading it again may tell.");
    }
    let why = run.deleting.hindrance().unwrap_or_default();
    let here = if typing {
        "where its suites are"
    } else {
        "here (s, then \":probe\" compares with an empty run)"
    };
    format!(
        "It stays: {why}. Take them out in the web application first, or have them named {here}."
    )
}

/// Returns the names of the suites, as far as there is room.
fn names(attached: &Attached) -> Vec<String> {
    let all = attached.sure().count();
    let shown = if all > NAMED { NAMED - 1 } else { all };
    let mut names: Vec<String> = attached
        .sure()
        .take(shown)
        .map(|named| text::fit(&named.full_name(), 66))
        .collect();
    if all > shown {
        names.push(format!("and {} more", all - shown));
    }
    names
}

/// Returns the steps in their order, each with its progress.
fn order(flow: &DeleteBox, theme: Theme) -> Vec<(String, Style)> {
    let several = flow.runs.len() > 1;
    let Some(run) = flow
        .going()
        .find(|run| !run.gone())
        .or(flow.going().last())
        .filter(|_| !several || !flow.confirmed)
    else {
        return Vec::new();
    };
    let deleting = &run.deleting;
    let removes = flow.going().any(|run| run.deleting.holds_suites());
    let known = deleting.attached().map_or(0, |known| known.sure().count());
    let removal = match deleting.steps().last() {
        Some(step) if deleting.removed.is_none() => format!("take the suites out: {}", step.words),
        _ if several => "take the suites out".into(),
        _ => format!("take {} out", text::count(known, "suite")),
    };
    let copy = "save a copy here (undo makes a new run from it)".to_owned();
    let delete = if flow.going().count() > 1 {
        "delete the run; then the next"
    } else {
        "delete the run"
    };
    let mut steps = vec![(deleting.copy().is_some(), copy)];
    if removes {
        let out = deleting.removed.as_ref().map(Outcome::is_complete);
        steps.push((out.unwrap_or_default(), removal));
    }
    steps.push((run.gone(), delete.to_owned()));
    let current = steps.iter().position(|(done, _)| !done);
    let line = |(place, (done, words)): (usize, (bool, String))| {
        let number = place + 1;
        let here = current == Some(place) && flow.confirmed;
        match (done, deleting.copy()) {
            (true, Some(file)) if place == 0 => {
                (format!("{number}. copy saved: {file}"), theme.good())
            }
            (true, _) => (format!("{number}. {words}: done"), theme.good()),
            _ if here && run.may_be_gone() => {
                (format!("{number}. {words}: not known"), theme.bad())
            }
            _ if here && run.end.is_some() => (format!("{number}. {words}: not done"), theme.bad()),
            _ if here => (format!("{number}. {words}…"), theme.accent()),
            _ => (format!("{number}. {words}"), theme.text()),
        }
    };
    steps.into_iter().enumerate().map(line).collect()
}

const OWN: &[Binding] = &[
    Run.row(&["Enter"], "open", "close, once it ended", Action::Open),
    Run.row(
        REFRESH,
        "refresh",
        "look again at what is in the runs",
        Action::Refresh,
    ),
    Suites.row(
        &["s"],
        "attached",
        "the suites of the run that stays",
        Action::Show(Layer::Attached),
    ),
    JOURNAL,
    UNDO,
    PALETTE,
];

const CLOSE: &[Binding] = &[Tool.row(&["q"], "back", "close", Action::Back)];

/// Hints while runs are being deleted.
const DELETING: &[Hint] = &[
    Hint::of(&[Action::Back], "stop and close"),
    Hint::of(&[Action::Cancel], "stop"),
    Hint::of(&[Action::Show(Layer::Journal)], "my changes"),
];

pub const PLACE: Place = Place {
    layer: Layer::Delete,
    title: "deleting",
    groups: &[MOVING, &[OWN, LETTERS, EVERYWHERE, CLOSE]],
    hints: &[
        Hint::of(&[Action::Refresh], "look again"),
        Hint::of(&[Action::Show(Layer::Attached)], "its suites"),
        CLOSES,
        Hint::of(&[Action::Show(Layer::Journal)], "my changes"),
        HELPS,
    ],
    types: false,
};

const ARMED: &[Binding] = &[Run.row(
    &["Enter"],
    "open",
    "Delete, once the id stands here",
    Action::Open,
)];

/// While the id is typed.
pub const ID: Place = Place {
    layer: Layer::DeleteId,
    title: "the id to delete",
    groups: &[&[ARMED, ARROWS, PAGES, EVERYWHERE]],
    hints: &[
        Hint::of(&[Action::Open], "delete"),
        Hint::of(&[Action::Back], "leave it"),
        SCROLLS,
    ],
    types: true,
};

//! The router: dispatches keys, answers and events, and runs the steps that follow.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use jiff::Zoned;

use super::cx::{Next, Notice};
use super::{
    Action, Answer, Choice, CopyEnd, CopyOf, CopyTo, CopyWhat, Cx, Effect, Entry, Event, Fact,
    Lasts, Layer, Open, PickerKind, Plan, Quitting, Request, RequestId, RunPart, RunsRequest,
    SampleWrite, Slot, Store, Watched, changing, undo,
};
use crate::attached::Attached;
use crate::domain::query_language;
use crate::domain::{
    Days, DocRef, DocumentName, DraftWish, End, Failure, FormFor, Format, Narrowing, RunsPage,
    Sort, UndoOf, View, Why, run_text, suite_text, text,
};
use crate::mirror::{Run, RunsAnswer, RunsQuery};
use crate::ops::{Deleting, Operation, StepResult};
use crate::popups::{
    ColumnsBox, Completions, Confirm, CopyMenu, DeleteBox, Errors, Explained, Help, JournalView,
    MOST_AT_ONCE, Picker, Popup, Prompt, SortMenu, SuiteBox, palette,
};
use crate::screens::attached::AttachedSuites;
use crate::screens::available::{AvailableSuites, FreeOn};
use crate::screens::board::ReleaseBoard;
use crate::screens::changes::WhatChanged;
use crate::screens::compare::{self, Compare};
use crate::screens::form::{Unkept, draft};
use crate::screens::monitor::{Monitor, Origin};
use crate::screens::no_run;
use crate::screens::run::Detail;
use crate::screens::{Screen, Screens};

/// Minimum time between two records of use, in milliseconds (1 hour).
const BETWEEN_USES: i64 = 3_600_000;
/// Maximum number of documents read for one copy.
const MOST_JSON: usize = 100;

/// Answers and events.
impl Store {
    pub(super) fn receive(&mut self, event: Event) {
        let cx = &mut self.cx;
        match event {
            Event::Preparing { done, total } => self.sign_in.preparing = Some((done, total)),
            Event::Connected(session) => self.connected(*session),
            Event::NotConnected(failure) => {
                self.sign_in.preparing = None;
                self.sign_in.unconnected = true;
                self.screens.runs.reader.failure = Some(failure.clone());
                cx.failed(failure);
            }
            Event::SignInNeeded { user, why } => self.ask_sign_in(&user, why),
            Event::SignInFailed { failure, sent } => self.sign_in_failed(failure, sent),
            Event::SignedIn { user } => self.sign_in_done(&user),
            Event::Reached(reached) => {
                let is_back = reached && cx.shared.away_since.is_some();
                cx.reached(reached);
                if cx.shared.signed_in {
                    self.screens.runs.reached(cx);
                    // What failed again since waits for its pause.
                    if is_back && cx.repeats.is_new() {
                        cx.repeats.repeat();
                        self.read_failed();
                    }
                }
            }
            // A list may have been read meanwhile.
            Event::ProbeGone(run) => cx.learn(Fact::Gone(run)),
            Event::Unfinished { changes, first } => undo::on_unfinished(changes, first, cx),
            Event::DraftKept { key, result } => self.draft_kept(&key, result),
            Event::Drafts(drafts) => {
                draft::on_drafts(drafts, cx);
                self.show_drafts();
            }
            Event::Trouble(failure) => cx.failed(failure),
            Event::Focus(here) => self.focus(here),
            Event::Copied { what, end } => self.copied(&what, end),
            Event::WebOpened { run, result } => match result {
                Ok(()) => cx.progress(format!("Opening {run} in the browser")),
                Err(why) => {
                    cx.complain(format!("Could not open {run} in the browser: {why}"));
                }
            },
            Event::Written { what, result } => match result {
                Ok(path) => {
                    let folder = cx.shared.temporary.as_ref();
                    let goes = folder.is_some_and(|folder| Path::new(&path).starts_with(folder));
                    let ends = if goes { ", until the demo ends," } else { "" };
                    cx.wrote(format!("Wrote {what}{ends} to"), path);
                }
                Err(why) => cx.complain(format!("Could not write {what}: {why}")),
            },
            Event::Runs(screen, answer) => {
                if cx.shared.earlier != answer.earlier {
                    cx.shared.earlier = answer.earlier.clone();
                    cx.learn(Fact::Earlier);
                }
                cx.shared.ends = answer.ends.clone();
                cx.shared.feed.unread = answer.unread.clone();
                let before = self.screens.runs.answer.as_ref();
                if answer.is_barred && before.is_none_or(|before| !before.is_barred) {
                    self.popups.close_of_runs();
                    self.screens.close_runs(cx);
                }
                match self.screens.of_mut(screen) {
                    Some(screen) => screen.on_answer(answer, cx),
                    None if screen == Layer::Picker => self.sought_here(&answer),
                    None => {}
                }
                self.cx.shared.has_runs = self.screens.runs.len().is_some();
            }
            Event::News(at, news) => cx.shared.feed.saw(news, at),
            Event::Answer(id, answer) => self.answered(id, answer),
        }
    }

    /// Passes an answer to its receiver.
    fn answered(&mut self, id: RequestId, mut answer: Answer) {
        // The configured sign-in has no answer yet: nobody can sign in.
        if self.sign_in.pending
            && let Some(outcome) = answer.outcome_mut()
            && outcome.end == End::NotSent(Why::SignedOut)
        {
            let ended = self.cx.sign_in_ended(true);
            let helps = ended.unwrap_or("Try again once it does.".into());
            outcome.why = format!("not sent: the service does not answer. {helps}");
        }
        let slot = self.cx.in_flight.slot(id).cloned();
        self.cx.answers_to(id);
        if !answer.is_part() {
            self.cx.in_flight.end(id);
            let lasts = slot.clone().map(Lasts::UntilAnswer);
            let notice = &mut self.cx.notice;
            notice.take_if(|it| Some(&it.lasts) == lasts.as_ref());
        }
        let Some(slot) = slot else {
            // Not awaited any more.
            if let Answer::DraftTaken(result) = answer {
                draft::unwanted(result, &mut self.cx);
            }
            return;
        };
        if let Some(owner) = slot.owner() {
            if let Some(popup) = self.popups.of_mut(owner) {
                popup.screen_mut().reply(slot, answer, &mut self.cx);
            } else if let Some(screen) = self.screens.of_mut(owner) {
                screen.reply(slot, answer, &mut self.cx);
            } else if let Answer::Surveyed(Err(failure)) = answer {
                // A probe run is a write: its failure is shown on any screen.
                self.cx.failed(failure);
            }
            return;
        }
        let here = self.layer();
        let cx = &mut self.cx;
        match (slot, answer) {
            (Slot::Undo(asked), Answer::UndoPlanned(result)) => {
                // Another window may have taken it back.
                let is_moved = result.is_err();
                undo::planned(asked, here, result, cx);
                self.read_journal(is_moved);
            }
            (Slot::Unfinished(asked), Answer::UnfinishedRead(result)) => {
                let is_settled = undo::on_unfinished_read(asked, here, result, cx);
                self.read_journal(is_settled);
            }
            (Slot::ChangeSuites, Answer::ChangeStep(step)) => changing::answered(&step, cx),
            (Slot::ChangeSuites, Answer::Changed(outcome)) => {
                let (screen, run) = (self.screen(), self.run_at_hand());
                // On the list the newest change of all is undone.
                let run = run.filter(|_| screen != Layer::Runs);
                changing::ended(&outcome, (screen, run), &mut self.cx);
            }
            (Slot::Json { what, name, to }, Answer::Json(result)) => match result {
                Ok(json) => hand_on(what, name, CopyWhat::Json, text::json(&json).into(), to, cx),
                Err(failure) => cx.failed(failure),
            },
            (Slot::RunById(run, _), Answer::Runs(result)) => self.found_by_id(&run, result),
            (Slot::Due, Answer::Due(found)) => {
                if let Some(found) = found.filter(|found| *found != cx.shared.due) {
                    cx.shared.due = found;
                    cx.learn(Fact::Due);
                }
            }
            (Slot::Views, Answer::Views(found)) => {
                if found.is_some_and(|found| cx.shared.take_kept_views(found)) {
                    self.screens.runs.set_tabs(cx);
                }
                self.start_on_view();
            }
            (Slot::RefreshPause, Answer::Timer) => self.refresh_is_due(),
            (Slot::RetryPause, Answer::Timer) => self.retry_is_due(),
            _ => {}
        }
    }

    fn draft_kept(&mut self, key: &str, result: Result<i64, Failure>) {
        let quits = self.quitting == Quitting::OnceKept && result.is_ok();
        if self.quitting == Quitting::OnceKept {
            self.quitting = Quitting::No;
        }
        self.screens.form.draft_kept(key, result, &mut self.cx);
        if quits {
            self.quit("");
        }
    }
}

/// Keys, and the steps that follow.
impl Store {
    pub(super) fn dispatch(&mut self, action: Action) {
        match action {
            Action::Quit if self.is_writing("Ctrl-c twice") => {}
            Action::Quit if self.asks_before_quitting() => {}
            Action::Quit => self.quit("\":q!\" quits without them"),
            Action::Cancel => self.cancel(),
            Action::Suspend => self.cx.effect(Effect::Suspend),
            Action::Redraw => self.cx.effect(Effect::Redraw),
            Action::Mouse => {
                self.mouse = !self.mouse;
                self.cx.say(if self.mouse {
                    "mouse on: the terminal selects text with Shift"
                } else {
                    "mouse off"
                });
                self.cx.effect(Effect::Mouse(self.mouse));
            }
            Action::Help if matches!(self.popups.top(), Some(Popup::Help(it)) if it.is_of(Layer::Help)) =>
            {
                self.cx.say("these are the keys of the help");
            }
            Action::Help => {
                if std::mem::take(&mut self.cx.shared.newcomer) {
                    self.cx.effect(Effect::HelpSeen);
                }
                if let Some(table) = self.key_table(self.layer()) {
                    let rows = table.commands.iter();
                    let idle = rows.filter(|row| !self.works(&row.action));
                    let idle = idle.map(|row| row.action.clone()).collect();
                    let help = Help::new(table.clone(), idle);
                    self.popups.open(help);
                }
            }
            // The open box handles the key itself, and closes.
            Action::Show(Layer::Errors) if self.layer() != Layer::Errors => {
                self.cx.errors.open = true;
                self.cx.errors.unseen = 0;
                self.popups.open(Errors::default());
                // The box shows changes with unknown end.
                let read = Request::ReadJournal { run: None };
                self.cx.request(Slot::Journal, read);
            }
            Action::Unbound(key) => {
                let words = self.no_use(&key);
                self.cx.say(words);
            }
            // A tick is no row.
            Action::PointCell(..) if self.popups.top().is_some() => self.dispatch_to_top(action),
            Action::Point(_) | Action::PointCell(..) => {
                // A second click on a row opens it, unless another run has come to stand there.
                let run = |store: &Self| Some(store.on_top()?.run()?.doc_ref.clone());
                let before = run(self);
                self.dispatch_to_top(action.clone());
                if self.cx.is_again(&action) && run(self) == before {
                    // Where text is typed Enter is part of it.
                    let table = self.key_table(self.layer());
                    let command = table.and_then(|it| it.command("Enter"));
                    match command.map(|it| it.action.clone()) {
                        Some(action) => self.cx.dispatch(action),
                        None if table.is_some_and(|it| it.types) => {}
                        None => self.dispatch(Action::Unbound("Enter".into())),
                    }
                } else {
                    self.cx.wait_for_again(action);
                }
            }
            // A box says that it leads there, whatever it reads itself, and so does a review.
            Action::Refresh
                if (self.sign_in.left.is_some() || self.sign_in.pending)
                    && (self.popups.top().is_some() || self.layer() == Layer::Review) =>
            {
                self.refresh();
            }
            action => self.dispatch_to_top(action),
        }
    }

    fn dispatch_to_top(&mut self, action: Action) {
        match self.popups.top_mut() {
            Some(popup) => popup.screen_mut().update(action, &mut self.cx),
            None => self.dispatch_to_screen(action),
        }
    }

    /// Returns the message for a key without effect here: its effect in the first place that has it.
    fn no_use(&self, key: &str) -> String {
        let (here, shared) = (self.layer(), &self.cx.shared);
        if self.popups.top().is_some() || here == Layer::Review {
            let back = shared.key_does(here, &Action::Back, "first");
            return format!("{key}: {back}");
        }
        let tables = shared.keys.iter();
        let mut tables = tables.filter(|table| !table.layer.has_letters_of_its_own());
        match tables.find_map(|table| Some((table.title, table.command(key)?))) {
            Some((title, command)) => format!("{key} in {title}: {}", command.label),
            None => {
                let help = shared.then_key("; ", here, &Action::Help, "shows the keys");
                format!("{key} is not bound here{help}")
            }
        }
    }

    fn dispatch_to_screen(&mut self, action: Action) {
        let top = self.screens.top();
        match self.screens.of_mut(top) {
            Some(screen) => screen.update(action, &mut self.cx),
            None => self.screens.home(&mut self.cx),
        }
    }

    /// Runs the steps that screens and popups have requested, and those that follow.
    pub(super) fn follow(&mut self) {
        while let Some(next) = self.cx.next() {
            match next {
                Next::Open(what) => self.open(*what),
                Next::Back => self.screens.back(&mut self.cx),
                Next::Home => self.screens.home(&mut self.cx),
                Next::Close(Layer::Login) => {
                    let left = self.popups.login().cloned().map(Box::new);
                    self.sign_in.left = left.filter(|_| !self.cx.shared.signed_in);
                    self.popups.close(Layer::Login);
                }
                Next::Close(layer) => {
                    self.popups.close(layer);
                    self.screens.close(layer, &mut self.cx);
                }
                Next::Anywhere(action) => self.anywhere(&action),
                Next::Chosen(choice) => self.chosen(choice),
                Next::Send(plan) => self.send(*plan),
                Next::Copy(of, what, to) => self.copy(&of, what, to),
                Next::Learn(fact) => self.screens.learn(&fact, &mut self.cx),
            }
        }
        if self.screens.form.unkept_comes_back(&mut self.cx) {
            self.screens.open(Layer::Form);
        }
    }

    /// Another program may have kept a date or, asked for by a key alone, a view; before the sign-in its user is unknown.
    fn read_of_others(&mut self) {
        let cx = &mut self.cx;
        let by_key = !self.refresh.by_itself;
        if cx.shared.signed_in && by_key && !cx.under_way(&Slot::Views) {
            cx.read_views();
        }
        if cx.shared.signed_in && !cx.under_way(&Slot::Due) {
            cx.read_due();
        }
    }

    /// Handles actions that work on every screen.
    fn anywhere(&mut self, action: &Action) {
        let here = self.layer();
        match action {
            Action::Refresh => self.refresh(),
            Action::Palette => {
                let runs = &self.screens.runs;
                let run = self.run_at_hand().map(|run| run.name().to_owned());
                let entries = palette(&Completions {
                    table: self.key_table(here),
                    shared: &self.cx.shared,
                    run: run.clone(),
                    projects: runs.projects(),
                    runs: runs.runs(),
                });
                self.read_of_others();
                self.cx.shared.commands.begin();
                self.popups.open(Picker::palette(here, entries, run));
            }
            Action::Show(Layer::Journal) => self.open_journal(),
            Action::LastScreen => self.cx.say("this is the first screen"),
            Action::NextScreen if self.screens.forth() => {}
            Action::NextScreen => self.cx.say("no screen was left that could be shown again"),
            Action::Save => self.screens.form.open_review(&mut self.cx),
            Action::Drafts => {
                self.choose_draft();
                // Another window may have left some, or taken them.
                self.cx.shared.seeks_drafts = true;
                self.cx.draft(super::DraftRequest::Seek);
            }
            Action::Offer => {
                let known = self.screens.runs.offered_facets();
                let form = self.screens.form.form.as_ref();
                if let Some((title, kind, offered)) = form.map(|form| form.offered(&known)) {
                    self.choose(title, kind, offered, "none is known to offer: type it");
                }
            }
            Action::New | Action::Edit | Action::Clone if !self.cx.may_write() => {}
            Action::New => self.open_form(FormFor::New, String::new(), DraftWish::Fresh),
            Action::Edit | Action::Clone => {
                self.with_run(|store, run| store.open_form_of(&run, action));
            }
            Action::Delete => {
                let runs = self.run_at_hand().into_iter().collect();
                self.open_delete(runs, None, Vec::new());
            }
            Action::Copy(what) => self.with_run(|store, run| {
                store.copy(&CopyOf::Runs(vec![run]), *what, CopyTo::Clipboard);
            }),
            Action::DueDate => match self.screens.release() {
                Some(version) => self.popups.open(Prompt::due_of_release(version.to_owned())),
                None => self.with_run(|store, run| store.popups.open(Prompt::due_of_run(&run))),
            },
            Action::OpenWeb => self.with_run(|store, run| store.open_web(&run)),
            Action::Show(Layer::CopyMenu) => self.with_run(|store, run| {
                let menu = CopyMenu::new(CopyOf::Runs(vec![run]), false);
                store.popups.open(menu);
            }),
            Action::SignIn if self.cx.shared.signed_in && !self.may_change_place() => {}
            Action::SignIn => self.open_login(),
            Action::GoOn => match self.cx.shared.unfinished.first() {
                Some(change) => undo::read_unfinished(change.job.clone(), here, &mut self.cx),
                None => self.cx.say("no change is left whose end is not known"),
            },
            Action::UndoLast => undo::plan(UndoOf::Last, here, &mut self.cx),
            Action::Probe => {
                let suites = Action::Show(Layer::Attached);
                let opens = self
                    .cx
                    .shared
                    .then_key(": ", Layer::Detail, &suites, "opens them");
                self.cx
                    .say(format!("a probe compares the suites of a run{opens}"));
            }
            Action::Undo => self.with_run(|store, run| {
                undo::plan(UndoOf::LastOf(run.doc_ref.clone()), here, &mut store.cx);
            }),
            Action::Show(layer @ (Layer::Available | Layer::Attached))
                if self.screens.top() == *layer =>
            {
                self.cx.say("this is that list");
            }
            Action::Show(Layer::Available) => self.with_run(Self::open_available),
            Action::Show(Layer::Board) => self.open_board(),
            Action::Coverage => self.open_in_no_run(),
            Action::Show(Layer::Changes) => self.open_changes(None),
            Action::Show(Layer::Compare) => self.open_compare(),
            Action::Show(Layer::Attached) => self.with_run(Self::open_attached),
            Action::Show(layer) => self.screens.open(*layer),
            other => self.cx.unused(other),
        }
    }

    /// Opens the form that edits or clones a run.
    fn open_form_of(&mut self, run: &Run, action: &Action) {
        if !self.cx.may_write() {
            return;
        }
        let name = run.full_name();
        let of = if *action == Action::Clone {
            FormFor::Clone(run.doc_ref.clone())
        } else {
            FormFor::Edit(run.doc_ref.clone())
        };
        self.open_form(of, name, DraftWish::Newest);
    }

    /// Acts on the current run; shows a message if there is none.
    fn with_run(&mut self, act: impl FnOnce(&mut Self, Arc<Run>)) {
        match self.run_at_hand() {
            Some(run) => act(self, run),
            None => self.cx.say(no_run(self.screens.runs.read_at())),
        }
    }

    /// Returns the run that the user is on.
    fn run_at_hand(&self) -> Option<Arc<Run>> {
        self.screens.seen()?.run()
    }

    /// Copies a text of these; JSON that is not on the screen is read first.
    fn copy(&mut self, of: &CopyOf, what: CopyWhat, to: CopyTo) {
        if let (CopyWhat::Path, Some(path)) = (what, self.cx.shared.last_path.clone()) {
            let what = "the path".to_owned();
            return self.cx.effect(Effect::Copy { what, text: path });
        }
        let name = match of.names() {
            _ if let CopyOf::Screen(summary) = of => summary.file.to_owned(),
            (_, Some(name)) => name.to_owned(),
            (kind, None) => format!("{}-{kind}", of.count()),
        };
        let shown = match (of, self.screens.seen()) {
            (CopyOf::Runs(_), Some(screen)) if of.count() == 1 => screen.json(),
            _ => None,
        };
        let cx = &mut self.cx;
        let (named, done) = (of.named(), cx.shared.done_codes());
        let text = match (what, of) {
            (CopyWhat::DocRef, _) => run_text::each(&named, |it| Some(it.0.as_str())),
            (CopyWhat::Id, _) => run_text::each(&named, |it| it.1),
            (CopyWhat::Title, _) => run_text::each(&named, |it| it.2),
            (CopyWhat::Markdown, _) => of.markdown(done),
            (CopyWhat::Tsv, _) => of.tsv(done),
            (CopyWhat::Plain, CopyOf::Screen(summary)) => summary.text(Format::Table),
            (CopyWhat::Json, CopyOf::Screen(summary)) => summary.json.clone(),
            (CopyWhat::Plain, CopyOf::Runs(runs)) => {
                run_text::each(runs, |run| Some(run_text::plain(&run.row(), done)))
            }
            (CopyWhat::Plain, CopyOf::Suites(suites)) => {
                run_text::each(suites, |suite| Some(suite_text::plain(suite)))
            }
            (CopyWhat::Json, CopyOf::Suites(suites)) => {
                suite_text::json(suites).unwrap_or_default()
            }
            (CopyWhat::Json, _) if let Some(json) = &shown => text::json(json).into_owned(),
            (CopyWhat::Json, _) if named.len() > MOST_JSON => {
                let words = format!("JSON of {} runs: at most {MOST_JSON} at once", named.len());
                return cx.complain(words);
            }
            (CopyWhat::Json, _) => {
                // The last request wins the clipboard.
                cx.give_up_all(|slot| matches!(slot, Slot::Json { .. }));
                cx.shared.last_copied = what;
                let what = what.of(of);
                let runs = named.iter().map(|it| it.0.clone()).collect();
                return cx.request(Slot::Json { what, name, to }, Request::ReadJson { runs });
            }
            (CopyWhat::Web, CopyOf::Runs(runs)) => match cx.shared.web_url() {
                Ok(url) => run_text::each(runs, |run| Some(run_text::web_address(url, run.id()?))),
                Err(words) => return cx.complain(words),
            },
            (CopyWhat::Web | CopyWhat::Path, _) => String::new(),
        };
        if text.is_empty() {
            return cx.say(match of {
                CopyOf::Runs(_) => "there is nothing to copy here".to_owned(),
                _ => format!("{} is not known here", what.of(of)),
            });
        }
        hand_on(what.of(of), name, what, text, to, cx);
    }

    fn open_web(&mut self, run: &Run) {
        let cx = &mut self.cx;
        let address = match cx.shared.web_url() {
            Ok(url) => run.id().map(|id| run_text::web_address(url, id)),
            Err(words) => return cx.complain(words),
        };
        match address {
            Some(address) => cx.effect(Effect::OpenWeb {
                run: run.name().to_owned(),
                address,
            }),
            None => cx.say("this run has no id to open it by"),
        }
    }

    /// Shows the result of a copy to the clipboard: as certain only if a tool confirmed it.
    fn copied(&mut self, what: &str, end: CopyEnd) {
        match end {
            CopyEnd::Copied => self.cx.progress(format!("Copied {what}")),
            CopyEnd::Sent => self
                .cx
                .progress(format!("Sent {what} to the terminal's clipboard")),
            CopyEnd::Failed(why) => {
                let shared = &self.cx.shared;
                let menu = shared.key(self.layer(), &Action::Show(Layer::CopyMenu));
                let file = shared.key(Layer::CopyMenu, &Action::CopyToFile);
                let remedy = match (menu, file) {
                    (Some(menu), Some(file)) => format!("{menu} {file} writes a file."),
                    _ => String::new(),
                };
                let words = format!("Could not copy {what}: {why}.");
                self.cx.complain_then(words, remedy);
            }
        }
    }

    /// Applies a choice of a picker: to the program, else to the screen below.
    fn chosen(&mut self, choice: Choice) {
        let again = std::mem::take(&mut self.quit_by_command);
        match choice {
            Choice::Do(Action::Quit) => {
                if again {
                    self.cx.insist(&Action::Quit);
                }
                self.dispatch(Action::Quit);
                self.quit_by_command = self.cx.waits_for(&Action::Quit);
            }
            Choice::Do(action) => self.dispatch(action),
            Choice::Begin(verb) => {
                self.anywhere(&Action::Palette);
                if let Some(Popup::Picker(picker)) = self.popups.of_mut(Layer::Picker) {
                    picker.begin(&format!("{verb} "));
                }
            }
            Choice::Quit => {
                self.cx.insist(&Action::Quit);
                self.quitting = Quitting::Asked;
                self.dispatch(Action::Quit);
            }
            Choice::Draft {
                form, name, key, ..
            } => self.open_draft(form, name, key),
            Choice::Profile(_) | Choice::Project(..) if !self.may_change_place() => {}
            Choice::Profile(name) => self.cx.effect(Effect::Connect { profile: name }),
            Choice::Theme("auto") => {
                self.cx.shared.theme = None;
                self.cx.effect(Effect::AskBackground);
            }
            Choice::Theme(name) => {
                self.cx.shared.theme = Some(name);
                let words = format!(
                    "until rundown ends; theme = \"{name}\" in [ui] of the config keeps it"
                );
                self.cx.say(words);
            }
            Choice::Since(moment) => self.open_changes(moment),
            Choice::Run(id) => self.open_by_id(&id),
            Choice::View(name) => self.use_view(&name),
            Choice::KeepView(name) => self.keep_view(&name),
            Choice::DropView(name) => self.drop_view(&name),
            Choice::Watch(name) => self.open(Open::Monitor(Watched::View(name))),
            Choice::Project(project, subproject) => self.cx.effect(Effect::UseProject {
                project,
                subproject,
            }),
            Choice::Suites { adds, names } => self.name_suites(adds, names),
            choice => self.dispatch_to_screen(Action::Chosen(Box::new(choice))),
        }
    }

    /// Opens a form with its draft. In another project its run and what became of it are not found, which proves
    /// nothing; a new run that was never sent has neither.
    fn open_draft(&mut self, form: FormFor, name: String, key: String) {
        let shared = &self.cx.shared;
        let draft = shared.drafts.iter().find(|draft| draft.key == key);
        let sent = draft.filter(|draft| draft.sent.is_some() && !draft.service.is_empty());
        if let Some(service) = sent.map(|draft| &draft.service) {
            let words = format!("this draft was perhaps sent to {service}: look there first");
            return self.cx.complain(words);
        }
        let bound = draft.filter(|draft| draft.sent.is_some() || draft.form != FormFor::New);
        let there = bound.filter(|draft| draft.is_elsewhere(&shared.in_use().scope_name()));
        if let Some(project) = there.map(|draft| &draft.project) {
            let changes = project.replace('/', " ");
            let words = format!("this draft is of {project}: \":project {changes}\" changes to it");
            return self.cx.complain(words);
        }
        self.open_form(form, name, DraftWish::Kept(key));
    }

    /// Opens the run with this id, searched on this machine and at the service. The last one that was asked for is
    /// opened.
    fn open_by_id(&mut self, id: &str) {
        self.stop_search_by_id(|_| true);
        self.cx.say(format!("looking for {id}…"));
        let here = self.layer();
        let search = query_language::search(id, &Zoned::default(), &[]);
        match self.cx.shared.all_runs(self.cx.now).zip(search.ok()) {
            Some((all, search)) => {
                let query = RunsQuery { search, ..all };
                let number = self.cx.ask_runs(Layer::Picker, query);
                self.sought = Some((number, id.to_owned(), here));
            }
            None => self.cx.find_run(Slot::RunById(id.to_owned(), here), id),
        }
    }

    /// Opens the run that was found on this machine by its short id, else asks the service.
    fn sought_here(&mut self, answer: &RunsAnswer) {
        let sought = self.sought.take_if(|(number, ..)| answer.number == *number);
        let Some((_, id, asked)) = sought else {
            return;
        };
        self.cx.runs(RunsRequest::Leave(Layer::Picker));
        match &*answer.runs {
            [run] => self.open_found(run.clone()),
            _ => self.cx.find_run(Slot::RunById(id.clone(), asked), &id),
        }
    }

    fn open_found(&mut self, run: Arc<Run>) {
        self.cx.notice = None;
        // A key asked for it.
        self.cx.by_key = true;
        self.open(Open::Run(run, RunPart::Part(0)));
    }

    /// Gives up the search for a run by its id that was asked for in these places. Returns true if there was one.
    pub(super) fn stop_search_by_id(&mut self, in_place: impl Fn(Layer) -> bool) -> bool {
        let sought = self.sought.take_if(|(.., asked)| in_place(*asked));
        if sought.is_some() {
            self.cx.runs(RunsRequest::Leave(Layer::Picker));
        }
        let of_place = |slot: &Slot| matches!(slot, Slot::RunById(_, asked) if in_place(*asked));
        self.cx.give_up_all(of_place) || sought.is_some()
    }

    fn found_by_id(&mut self, id: &str, result: Result<RunsPage, Failure>) {
        let cx = &mut self.cx;
        let page = match result {
            Ok(page) => page,
            Err(failure) => return cx.failed(failure),
        };
        cx.saw_page(page.clone(), None);
        let is_filtered = page.rows.iter().all(|row| row.id.as_deref() == Some(id));
        let mut rows = page
            .rows
            .into_iter()
            .filter(|row| row.id.as_deref() == Some(id));
        match (rows.next(), rows.next()) {
            (Some(row), None) => {
                let run = Arc::new(Run::new(&row, cx.now));
                self.open_found(run);
            }
            (Some(_), Some(_)) => {
                let finds = &Action::Filter;
                let finds = cx.shared.then_key(": ", Layer::Runs, finds, "finds them");
                cx.complain(format!("{id} is the id of several runs{finds}"));
            }
            (None, _) if is_filtered => {
                let place = cx.shared.in_use().scope_name();
                cx.complain(format!("there is no run {id} in {place}"));
            }
            (None, _) => {
                let find = cx
                    .shared
                    .then_key("; ", Layer::Runs, &Action::Filter, "looks here");
                cx.complain(format!(
                    "{id} may be there: the service does not find runs by their id{find}"
                ));
            }
        }
    }

    /// Sets the list to a saved view.
    fn use_view(&mut self, name: &str) {
        let view = match self.cx.shared.tab(name) {
            Ok(view) => view,
            Err(words) => return self.cx.complain(words),
        };
        self.screens.close(Layer::Monitor, &mut self.cx);
        self.screens.home(&mut self.cx);
        self.screens.runs.use_view(view, &mut self.cx);
    }

    /// Saves the settings of the list as a view, and shows it.
    fn keep_view(&mut self, name: &str) {
        let (cx, runs) = (&mut self.cx, &mut self.screens.runs);
        let name = name.trim();
        if cx.shared.session.is_none() {
            return cx.say("no profile is in use yet");
        }
        let view = match runs.as_view(name, cx) {
            Ok(view) => view,
            Err(words) => return cx.complain(words),
        };
        let mut kept = cx.shared.kept_views.iter();
        let known = kept.find(|known| known.is(name));
        let said = match known {
            Some(_) => "was a tab already and is as the list is now",
            None => "is a tab now",
        };
        let name = known.map_or(name, |known| &known.name).to_owned();
        let view = View {
            name: name.clone(),
            ..view
        };
        cx.shared.take_kept_views(vec![view.clone()]);
        // The view contains the words now.
        runs.clear_words(cx);
        self.set_view(&name, Some(view));
        self.use_view(&name);
        self.cx.say(format!(
            "{name} {said}; \":delete-view {name}\" takes it away"
        ));
    }

    /// Deletes a view that was kept from the list.
    fn drop_view(&mut self, name: &str) {
        let kept = &mut self.cx.shared.kept_views;
        let Some(place) = kept.iter().position(|view| view.is(name)) else {
            return;
        };
        let View { name, .. } = kept.remove(place);
        self.set_view(&name, None);
        self.cx.say(format!("the tab {name} is gone"));
    }

    /// Keeps a view of the list on this machine, or forgets it.
    fn set_view(&mut self, name: &str, view: Option<View>) {
        let (name, view) = (name.to_owned(), view.map(Box::new));
        let cx = &mut self.cx;
        cx.effect(Effect::Samples(SampleWrite::SetView { name, view }));
        // An earlier reading may lack the view, or still have it.
        cx.read_views();
        self.screens.runs.set_tabs(cx);
    }

    /// Sends a confirmed plan.
    fn send(&mut self, plan: Plan) {
        let cx = &mut self.cx;
        match plan {
            Plan::Suites(change) => changing::begin(change, cx),
            Plan::LetBe { job } => {
                cx.shared.forget_unfinished(&job);
                cx.effect(Effect::LetBe { job });
            }
            Plan::Probe(probe) => {
                if let Some(attached) = &mut self.screens.attached {
                    cx.give_up(&Slot::Attached);
                    attached.verdict.ask();
                }
                let slot = Slot::Probe(probe.target.clone());
                let probe = Box::new(probe);
                cx.request(slot, Request::Probe(probe));
            }
            Plan::DiscardDraft => self.screens.form.discard(cx),
        }
    }
}

/// Opening of screens and boxes.
impl Store {
    fn open(&mut self, what: Open) {
        match what {
            Open::Run(run, on) => self.open_run(run, on),
            Open::Form { run, action } => self.open_form_of(&run, &action),
            Open::Attached { run, typed, known } => {
                self.screens.open_suites(Layer::Attached);
                let known = known.map(|known| (known, self.cx.now));
                self.attached_anew(run, typed, known);
            }
            Open::Monitor(watched) => self.open_monitor(watched),
            Open::Find(runs, name) => {
                self.screens.aside(&mut self.cx);
                self.screens.runs.find(runs, name, &mut self.cx);
            }
            Open::Undo(undo) => {
                self.screens.form.review_undo(*undo, &mut self.cx);
                self.screens.open(Layer::Form);
            }
            Open::Choices {
                title,
                kind,
                entries,
            } => self.popups.open(Picker::new(title, kind, entries)),
            Open::Confirm(question) => {
                self.popups.open(Confirm::new(*question));
            }
            Open::Delete {
                mut runs,
                undo_of,
                notes,
            } => {
                if undo_of.is_some() {
                    // The loaded row has more than the journal.
                    for run in &mut runs {
                        let known = self.screens.known(&run.doc_ref);
                        *run = known.unwrap_or(run).clone();
                    }
                }
                self.open_delete(runs, undo_of.as_deref(), notes);
            }
            Open::CopyMenu(of, marked) => self.popups.open(CopyMenu::new(of, marked)),
            Open::Suite(suite) => {
                self.popups.open(SuiteBox::new(*suite));
            }
            Open::Explained(of) => self.popups.open(Explained::new(of)),
            Open::Columns(columns, room) => {
                self.popups.open(ColumnsBox::new(columns, room));
            }
            Open::Limit(in_force) => self.popups.open(Prompt::limit(in_force)),
            Open::SortMenu(orders) => self.popups.open(SortMenu::new(orders)),
        }
    }

    fn choose_draft(&mut self) {
        let drafts = draft::offered(&self.cx.shared);
        let elsewhere = self.cx.shared.drafts_in.first();
        let elsewhere = elsewhere.map(|it| format!("in the profile {it}: \":profile {it}\""));
        let none = match &elsewhere {
            Some(elsewhere) => format!("no draft waits here, but {elsewhere}"),
            None => "no draft waits here; another window keeps its own".to_owned(),
        };
        let are_here = !drafts.is_empty();
        self.choose("Drafts", PickerKind::Drafts, drafts, &none);
        if let Some(elsewhere) = elsewhere.filter(|_| are_here) {
            self.cx.say(format!("others wait {elsewhere}"));
        }
    }

    /// Shows the drafts that were found since the key that asked for them, if they are others.
    fn show_drafts(&mut self) {
        let open = self.popups.of(Layer::Picker).and_then(|popup| match popup {
            Popup::Picker(picker) if picker.kind == PickerKind::Drafts => Some(picker),
            _ => None,
        });
        let found = draft::offered(&self.cx.shared);
        let is_other = open.map_or(!found.is_empty(), |open| open.entries != found);
        if std::mem::take(&mut self.cx.shared.seeks_drafts) && is_other {
            self.popups.close(Layer::Picker);
            self.cx.notice = None;
            self.choose_draft();
        }
    }

    fn choose(&mut self, title: &'static str, kind: PickerKind, entries: Vec<Entry>, none: &str) {
        if entries.is_empty() {
            self.cx.say(none);
        } else {
            self.popups.open(Picker::new(title, kind, entries));
        }
    }

    fn open_run(&mut self, run: Arc<Run>, on: RunPart) {
        let (cx, screens) = (&mut self.cx, &mut self.screens);
        let over_a_run = (screens.top(), screens.below()) == (Layer::Monitor, Layer::Detail);
        let open = screens.run.as_mut().filter(|_| over_a_run);
        if let Some(open) = open.filter(|open| open.run.doc_ref == run.doc_ref) {
            // From the monitor of an open run this is the way back.
            open.json.open |= on == RunPart::Json;
            return screens.close(Layer::Monitor, cx);
        }
        cx.shared.feed.mark_seen(&run.doc_ref);
        if let Some(before) = &mut screens.run {
            before.leave(cx);
        }
        let are_fresh = screens.are_counts_fresh(&run, cx);
        let run = screens.run.insert(Detail::new(run, on));
        run.read_document(cx);
        if !are_fresh {
            run.read_counts(cx);
        }
        run.read_history(cx);
        run.read_own_changes(cx);
        screens.open(Layer::Detail);
    }

    /// Returns the version of the board, of the current run, or the chosen one; shows a message if there is none.
    fn version_at_hand(&mut self) -> Option<String> {
        let of_board = self.screens.release().map(str::to_owned);
        let version = of_board.or_else(|| self.version_of_runs());
        if version.is_none() {
            let facets = &Action::Facets;
            let chooses = self
                .cx
                .shared
                .then_key(": ", Layer::Runs, facets, "chooses a version");
            self.cx
                .say(format!("no run with a version is at hand{chooses}"));
        }
        version
    }

    /// Returns the version of the current run, else the chosen one.
    fn version_of_runs(&self) -> Option<String> {
        let of_run = self.run_at_hand().and_then(|run| run.row().version);
        of_run.or_else(|| self.screens.runs.version())
    }

    /// Opens the board of the current run's version, else of the chosen one, else of all.
    fn open_board(&mut self) {
        self.read_of_others();
        let board = self.version_of_runs().map(ReleaseBoard::new);
        let board = board.unwrap_or_else(ReleaseBoard::of_versions);
        self.open_anew(Layer::Board, |screens| screens.board = Some(board));
    }

    /// Opens a screen that reads what it shows; `put` puts it in the place of the one before.
    fn open_anew(&mut self, screen: Layer, put: impl FnOnce(&mut Screens)) {
        let (cx, screens) = (&mut self.cx, &mut self.screens);
        screens.close(screen, cx);
        self.refresh.began(screen, cx.now);
        put(screens);
        if let Some(opened) = screens.of_mut(screen) {
            opened.read(cx);
        }
        screens.open(screen);
    }

    /// Opens the changes since a time (epoch milliseconds), for the version of the board, else the chosen one.
    fn open_changes(&mut self, moment: Option<i64>) {
        if self.screens.top() == Layer::Compare
            && let (Some(compare), Some(moment)) = (&mut self.screens.compare, moment)
        {
            return compare.at_moment(moment, &mut self.cx);
        }
        if self.screens.top() == Layer::Changes
            && let Some(changes) = &mut self.screens.changes
        {
            return changes.tell_since(moment);
        }
        let of_board = self.screens.release().map(str::to_owned);
        let version = of_board.or_else(|| self.screens.runs.version());
        let changes = WhatChanged::new(version, moment);
        self.open_anew(Layer::Changes, |screens| screens.changes = Some(changes));
    }

    /// Compares the marked runs, or the run at hand with its state before today; on the board its version with the one before.
    fn open_compare(&mut self) {
        if let (Layer::Board, Some(board)) = (self.screens.top(), &self.screens.board) {
            return match board.compared().map(Compare::of_versions) {
                Ok(compare) => {
                    self.open_anew(Layer::Compare, |screens| screens.compare = Some(compare));
                }
                Err(words) => self.cx.say(words),
            };
        }
        let marked = match self.screens.top() {
            Layer::Runs => self.screens.runs.marked(),
            _ => Vec::new(),
        };
        let runs = match &marked[..] {
            [] => self.run_at_hand().into_iter().collect(),
            _ => marked,
        };
        let cx = &mut self.cx;
        if runs.is_empty() {
            return cx.say(no_run(self.screens.runs.read_at()));
        }
        if runs.len() > compare::MOST {
            let (runs, most) = (runs.len(), compare::MOST);
            return cx.complain(format!(
                "{runs} runs are marked; at most {most} are compared"
            ));
        }
        let today = Days::at(cx.now, cx.shared.zone()).map_or(cx.now, |days| days.today);
        let hidden = self.not_in_list(&runs);
        let compare = Compare::new(&runs, today);
        self.open_anew(Layer::Compare, |screens| screens.compare = Some(compare));
        if let Some(words) = hidden {
            self.cx.say(words);
        }
    }

    /// Opens the suites that can be added to a run; its marks stay, its newer row replaces the old one.
    fn open_available(&mut self, run: Arc<Run>) {
        let (cx, screens) = (&mut self.cx, &mut self.screens);
        screens.open_suites(Layer::Available);
        let are_fresh = screens.are_counts_fresh(&run, cx);
        let open = screens.available.as_mut();
        match open.and_then(|it| it.run_mut(&run.doc_ref)) {
            Some(open) => *open = run,
            None => {
                screens.drop_available(cx);
                screens.available = Some(AvailableSuites::new(FreeOn::Run(run)));
            }
        }
        match &mut screens.available {
            Some(available) if are_fresh => available.read_list(cx),
            Some(available) => available.read(cx),
            None => {}
        }
    }

    /// Opens the suites that are in no open run of the current version, read anew.
    fn open_in_no_run(&mut self) {
        let Some(version) = self.version_at_hand() else {
            return;
        };
        let (cx, screens) = (&mut self.cx, &mut self.screens);
        screens.open_suites(Layer::Available);
        screens.drop_available(cx);
        let available = AvailableSuites::of_release(version);
        screens.available.insert(available).read_list(cx);
    }

    /// Passes named suites to the list for adding or removing, which asks once it is loaded.
    fn name_suites(&mut self, adds: bool, names: Vec<DocumentName>) {
        if !self.cx.may_write() {
            return;
        }
        self.with_run(|store, run| {
            if adds {
                store.open_available(run);
                if let Some(available) = &mut store.screens.available {
                    available.named = names;
                }
            } else {
                store.open_attached(run);
                if let Some(attached) = &mut store.screens.attached {
                    attached.name(names, &mut store.cx);
                }
            }
        });
    }

    /// Opens the suites in a run.
    fn open_attached(&mut self, run: Arc<Run>) {
        let (cx, screens) = (&mut self.cx, &mut self.screens);
        screens.open_suites(Layer::Attached);
        match &mut screens.attached {
            Some(open) if open.run.doc_ref == run.doc_ref => {
                open.run = run;
                if open.verdict.value().is_none() || open.is_outdated() {
                    open.survey(cx);
                }
            }
            _ => {
                let known = screens
                    .detail_of(&run.doc_ref)
                    .and_then(Detail::all_suites)
                    .map(|(suites, at)| (Box::new(suites.clone()), at));
                self.attached_anew(run, Vec::new(), known);
            }
        }
    }

    /// Opens a new screen of suites, with known ones and their time, else with a survey.
    fn attached_anew(
        &mut self,
        run: Arc<Run>,
        typed: Vec<DocRef>,
        known: Option<(Box<Attached>, i64)>,
    ) {
        let (cx, screens) = (&mut self.cx, &mut self.screens);
        screens.drop_attached(cx);
        let attached = screens.attached.insert(AttachedSuites::new(run));
        attached.typed = typed;
        match known {
            Some((suites, at)) => attached.verdict.put(suites, at),
            None => attached.survey(cx),
        }
    }

    fn open_monitor(&mut self, watched: Watched) {
        match watched {
            Watched::Runs(runs) => {
                let list = &self.screens.runs;
                let origin = Origin::of_runs(&runs, (list.view.clone(), list.chosen.clone()));
                self.begin_monitor(&runs, origin, None);
            }
            Watched::View(name) => match self.cx.shared.view(&name) {
                Ok(view) => {
                    let beside = self.cx.shared.chosen_beside(&view);
                    let orders = match Sort::known(&view.sorts) {
                        orders if orders.is_empty() => Sort::newest_edits(),
                        orders => orders,
                    };
                    self.open_monitor_of(&view, beside, orders);
                }
                Err(words) => self.cx.complain(words),
            },
            Watched::Narrowed(narrowed) => {
                let (view, chosen) = *narrowed;
                let orders = self.screens.runs.sort.clone();
                self.open_monitor_of(&view, chosen, orders);
            }
        }
    }

    /// Opens the monitor on a view with a further filter.
    fn open_monitor_of(&mut self, view: &View, chosen: Narrowing, orders: Vec<Sort>) {
        self.screens.home(&mut self.cx);
        let here = if view.runs.is_empty() {
            self.screens.runs.runs_of(view, &chosen).to_vec()
        } else {
            Vec::new()
        };
        let origin = Origin::of_view(view, chosen, orders);
        self.begin_monitor(&here, origin, view.limit.clone());
    }

    fn begin_monitor(&mut self, here: &[Arc<Run>], origin: Origin, limit: Option<String>) {
        let (cx, screens) = (&mut self.cx, &mut self.screens);
        screens.close(Layer::Monitor, cx);
        let mut monitor = Monitor::new(here, origin, screens.chosen.clone(), &cx.shared);
        self.refresh.began(Layer::Monitor, cx.now);
        monitor.start(limit, cx);
        screens.monitor = Some(monitor);
        screens.open(Layer::Monitor);
    }

    fn open_form(&mut self, of: FormFor, name: String, wish: DraftWish) {
        let screens = &mut self.screens;
        let at_hand = match screens.top() {
            Layer::Form => screens.of(Layer::Detail),
            top => screens.of(top),
        };
        let version = at_hand.and_then(|screen| screen.run()?.row().version);
        let detail = screens.run.as_ref();
        let detail = detail.filter(|it| of.run() == Some(&it.run.doc_ref));
        let known = detail.and_then(|it| Some(&it.document.value()?.document));
        let form = (of, name, wish);
        screens
            .form
            .open(form, version.as_deref(), known, &mut self.cx);
        screens.open(Layer::Form);
    }

    fn open_journal(&mut self) {
        if self.popups.of(Layer::Journal).is_none() {
            self.popups.open(JournalView::default());
        }
        self.read_journal(true);
    }

    /// Reads my changes again if they are open and have moved.
    fn read_journal(&mut self, have_moved: bool) {
        if let Some(Popup::Journal(journal)) = self.popups.of_mut(Layer::Journal)
            && have_moved
        {
            journal.read_page(&mut self.cx);
        }
    }

    /// Opens the box that deletes these runs; a running deletion keeps its box.
    fn open_delete(&mut self, runs: Vec<Arc<Run>>, undo_of: Option<&str>, mut notes: Vec<String>) {
        if let Some(deletes) = self.popups.delete().filter(|it| it.writing()) {
            deletes.open = true;
            return;
        }
        if !self.cx.may_write() {
            return;
        }
        if runs.is_empty() {
            return self.cx.say(no_run(self.screens.runs.read_at()));
        }
        if runs.len() > MOST_AT_ONCE {
            return self.cx.complain(format!(
                "{} runs are marked; at most {MOST_AT_ONCE} are deleted at once",
                runs.len()
            ));
        }
        let hidden = self.not_in_list(&runs);
        let mut runs: Vec<Deleting> = runs.into_iter().map(|run| self.deleting(run)).collect();
        for deleting in &mut runs {
            deleting.undo_of = undo_of.map(str::to_owned);
        }
        notes.extend(hidden);
        let mut delete = DeleteBox::new(runs, notes);
        delete.go_on(&mut self.cx);
        self.popups.open(delete);
    }

    /// Names the marked runs that the list does not show, because of its filter or because they are gone.
    fn not_in_list(&self, runs: &[Arc<Run>]) -> Option<String> {
        let list = &self.screens.runs;
        let seen: HashSet<&DocRef> = list.runs().iter().map(|run| &run.doc_ref).collect();
        let marked = runs.iter().filter(|run| list.list.marks.has(&run.doc_ref));
        let hidden = marked.filter(|run| !seen.contains(&run.doc_ref));
        let names = text::join(hidden.map(|run| run.name()), ", ");
        let in_list = self.screens.top() == Layer::Runs && !names.is_empty();
        in_list.then(|| format!("Marked, but not shown by the list as it stands: {names}."))
    }

    /// Prepares a deletion with the suites that the user typed; on the screen of suites with the shown ones, too.
    fn deleting(&self, run: Arc<Run>) -> Deleting {
        let mut deleting = Deleting::new(run);
        let run = &deleting.run.doc_ref;
        deleting.taken_out = self.cx.shared.taken_out_of(run);
        let attached = self.screens.attached.as_ref();
        if let Some(attached) = attached.filter(|attached| attached.run.doc_ref == *run) {
            deleting.typed.clone_from(&attached.typed);
            let known = attached.verdict.value();
            let known = known.filter(|known| known.is_complete());
            let settled = !attached.verdict.is_reading() && attached.verdict.failure().is_none();
            if let (Layer::Attached, true, Some(known)) = (self.screens.top(), settled, known) {
                deleting.take(StepResult::Attached(Ok(known.clone())));
            }
        }
        deleting
    }
}

/// Reading again.
impl Store {
    pub(super) fn refresh_began(&mut self) {
        if let Some((screen, _)) = self.reading() {
            self.refresh.began(screen, self.cx.now);
        }
    }

    /// Repeats failed readings of the list.
    pub(super) fn resume(&mut self) {
        if self.screens.top() == Layer::Runs {
            self.refresh_began();
        }
        self.screens.runs.resume(&mut self.cx);
    }

    fn try_again(&mut self) {
        self.resume();
        if self.cx.repeats.is_owed && self.cx.shared.away_since.is_none() {
            self.cx.repeats.repeat();
            self.read_failed();
        }
        if self.sign_in.pending {
            self.cx.effect(Effect::SignInAsConfigured);
        }
    }

    fn refresh(&mut self) {
        self.read_of_others();
        if !self.refresh.by_itself {
            self.screens.runs.reader.asked_by_hand();
        }
        let shared = &self.cx.shared;
        let Some(session) = &shared.session else {
            return self.cx.say("nothing can be read yet");
        };
        if self.sign_in.unconnected {
            let profile = session.profile.clone();
            return self.cx.effect(Effect::Connect { profile });
        }
        if self.sign_in.pending {
            self.cx.say_signing_in("signing in");
            return self.try_again();
        }
        if !shared.signed_in && self.sign_in.left.is_none() {
            return self.cx.say_signing_in("signing in already");
        }
        if !shared.signed_in {
            return self.open_login();
        }
        if self.reading().is_some_and(|(_, reading)| reading.busy) {
            self.cx.runs(RunsRequest::ReadNow);
            self.cx.say("it is being read already");
        }
        self.resume();
        self.refresh_began();
        let top = self.screens.top();
        if let Some(screen) = self.screens.of_mut(top) {
            screen.read(&mut self.cx);
        }
    }

    /// Reads the screen at the end of its pause.
    fn refresh_is_due(&mut self) {
        let due = self.refresh.is_due();
        let on = self.reading().map(|(screen, _)| screen);
        if on != due || !self.cx.shared.signed_in {
            return;
        }
        self.refresh.by_itself = true;
        self.refresh();
        self.refresh.by_itself = false;
        self.refresh.tried(self.cx.now);
    }

    /// Tries a failed reading again at the end of its pause.
    pub(super) fn retry_is_due(&mut self) {
        // Without the focus it waits for that.
        let is_away = self.is_away();
        self.refresh.held |= is_away;
        if !is_away {
            self.try_again();
        }
    }

    /// Handles a change of the terminal's focus.
    pub(super) fn focus(&mut self, here: bool) {
        self.refresh.away = !here;
        if here && std::mem::take(&mut self.refresh.held) {
            self.try_again();
        }
    }

    /// Records a use after a key; it does not count as what the key asked for.
    pub(super) fn note_use(&mut self) {
        let cx = &mut self.cx;
        let is_new = |at: i64| (cx.now - at).abs() >= BETWEEN_USES;
        if cx.shared.session.is_some() && cx.shared.used.is_none_or(is_new) {
            cx.shared.used = Some(cx.now);
            cx.runs(RunsRequest::Used(cx.now));
        }
    }
}

/// Giving up and quitting.
impl Store {
    /// Ctrl-c: cancels open readings; the second one quits. Sent writes are not taken back, the deletion of a probe run
    /// is awaited, and no request follows.
    fn cancel(&mut self) {
        let here = self.screen();
        let mut any = self.stop_search_by_id(|_| true);
        let cx = &mut self.cx;
        any |= self.screens.give_up(cx);
        for popup in self.popups.iter_mut() {
            any |= popup.screen_mut().give_up(cx);
        }
        any |= cx.give_up_all(Slot::reads);
        let deletes = |slot: &Slot| matches!(slot, Slot::Delete(_));
        any |= cx.stop(|slot| slot.writes() && !deletes(slot));
        // A deletion of the user before was stopped when that was left.
        any |= cx.in_flight.writes();
        // The pause before the next try of the list or the sign-in is cancelled last.
        any = any || cx.give_up(&Slot::RetryPause);
        cx.repeats.is_owed = false;
        let again = cx.is_again(&Action::Cancel);
        cx.wait_for_again(Action::Cancel);
        let does = if self.screens.form.has_unkept() {
            "again asks before it quits"
        } else {
            "again quits"
        };
        let quits = cx.shared.key_does(here, &Action::Cancel, does);
        if again {
            let loses = "once more quits and loses what was typed";
            let loses = cx.shared.key_does(here, &Action::Cancel, loses);
            self.quit(&loses);
        } else if any {
            if cx.in_flight.writes() {
                let waits = if cx.shared.signed_in {
                    "what is under way is waited for"
                } else {
                    "it waited for the sign-in"
                };
                let words = format!("no further request is sent; {waits}.");
                cx.notice = Some(Notice::new(words, false).then(quits));
            } else {
                let reads = &Action::Refresh;
                let reads = cx.shared.key_does(here, reads, "reads again, ");
                cx.say(format!("given up: {reads}{quits}"));
            }
        } else {
            let doing = match (self.begins(), &self.cx.shared.session) {
                (false, _) => "nothing is under way",
                (true, Some(_)) => "signing in",
                (true, None) => "starting",
            };
            self.cx.say(format!("{doing}: {quits}"));
        }
    }

    /// Returns true while the program starts or signs in.
    pub fn begins(&self) -> bool {
        match self.popups.of(Layer::Login) {
            Some(Popup::Login(login)) => login.busy,
            _ => {
                !self.cx.shared.signed_in
                    && self.sign_in.left.is_none()
                    && self.screens.runs.reader.failure.is_none()
            }
        }
    }

    /// Returns true while something is written, and says so; `ends` is what ends it.
    fn is_writing(&mut self, ends: &str) -> bool {
        let writes = self.cx.in_flight.writes();
        if writes {
            let waits = if self.cx.shared.signed_in {
                "wait for its answer"
            } else {
                "it waits for the sign-in"
            };
            let words = format!("a change is under way: {waits}, or {ends}");
            self.cx.complain(words);
        }
        writes
    }

    /// Returns true if another profile, project or user may be used: nothing is being written, and no text waits for the
    /// disk. Else says what is waited for.
    fn may_change_place(&mut self) -> bool {
        if self.is_writing("Ctrl-c stops it") {
            return false;
        }
        let words = ("keeping the draft first: try again", "the profile stays");
        let form = &mut self.screens.form;
        form.is_left_elsewhere(&self.cx.shared)
            || form.before_leaving(words, &mut self.cx) == Unkept::Nothing
    }

    /// Asks once before it quits with kept drafts; the same key again quits.
    fn asks_before_quitting(&mut self) -> bool {
        let drafts = self.screens.form.drafts_at_end(&self.cx.shared);
        if drafts == 0 || self.cx.is_again(&Action::Quit) {
            return false;
        }
        self.cx.wait_for_again(Action::Quit);
        let (drafts, them) = match drafts {
            1 => ("1 draft is".to_owned(), "it"),
            more => (format!("{more} drafts are"), "them"),
        };
        let here = self.layer();
        let quits = self.cx.shared.key_does(here, &Action::Quit, "again quits");
        let quits = match (quits.as_str(), here) {
            // The button is pressed again there.
            ("", Layer::Login) => "again quits",
            ("", _) => "\":q!\" quits",
            (key, _) => key,
        };
        let kept = if self.cx.shared.is_demo() {
            "not sent, and gone when the demo ends"
        } else {
            "kept and not sent"
        };
        let opens = format!("opens {them}");
        let opens = self
            .cx
            .shared
            .then_key(", ", Layer::Runs, &Action::Drafts, &opens);
        self.cx.complain(format!("{drafts} {kept}: {quits}{opens}"));
        true
    }

    /// Ends the program, after typed text of a form is saved; `without` is the message if that cannot be saved.
    fn quit(&mut self, without: &str) {
        if self.quitting == Quitting::No {
            let waits = "keeping the draft, then quitting";
            match (self.screens.form).before_leaving((waits, without), &mut self.cx) {
                Unkept::Asks => {
                    self.quitting = Quitting::Asked;
                    if self.screens.form.form.is_some() {
                        self.screens.open(Layer::Form);
                    }
                    return;
                }
                Unkept::Waits => {
                    self.quitting = Quitting::OnceKept;
                    return;
                }
                Unkept::Nothing => {}
            }
        }
        self.cx.effect(Effect::Quit);
    }
}

/// Sends an escaped text out of the program.
fn hand_on(what: String, name: String, kind: CopyWhat, text: String, to: CopyTo, cx: &mut Cx) {
    cx.shared.last_copied = kind;
    let ending = kind.ending();
    cx.effect(match to {
        CopyTo::Clipboard => Effect::Copy { what, text },
        CopyTo::File => Effect::CopyToFile {
            what,
            name,
            ending,
            text,
        },
    });
}

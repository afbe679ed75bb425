//! The loop: waits for input, events and signals, hands all that wait to the store, and draws once.

pub mod background;
mod clipboard;
pub mod draw;
mod header;
mod hints;
mod keyboard;
mod last_resort;
pub mod mouse;
mod signals;
mod status;

use std::cell::Cell;
use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clipboard::{Copying, Ways};
use crossterm::event::{Event as Input, KeyEvent, KeyEventKind, MouseEvent};
use jiff::tz::TimeZone;
use keyboard::{Keyboard, read_input};
use last_resort::LastResort;
use signals::{SignalMeaning, Signals};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinHandle;

use crate::disk::State;
use crate::domain::{Days, Failure, LeftOff};
use crate::editor;
use crate::keymap::Keymap;
use crate::keymap::place::Place;
use crate::ops::{local, now};
use crate::store::{
    Action, Answer, CopyEnd, Effect, Event, KnownProfile, Message, Notice, Request, RequestId,
    Session, Store, Tour,
};
use crate::terminal::Terminal;
use crate::ui::theme::Themes;
use crate::ui::{Layout, Now};
use crate::worker::{Closing, EarlyRuns, Events, Source, Worker};
use crate::{popups, screens};

/// Places where keys have their own meanings.
pub const PLACES: &[&[Place]] = &[screens::PLACES, popups::PLACES];
/// Maximum number of messages before a frame, so that the list visibly moves while a key is held.
const AT_ONCE: usize = 20_000;
/// Maximum time for the last text to reach the clipboard at the end.
const LAST_COPY: Duration = Duration::from_secs(1);
/// Maximum time of the first frame's wait for its rows.
const FIRST_ROWS: Duration = Duration::from_millis(8);
/// Maximum time for the last drafts, due dates and views to reach the disk at the end.
const LAST_WRITES: Duration = Duration::from_secs(5);

/// Settings of the interface at its start.
pub struct InterfaceSettings {
    pub keymap: Keymap,
    pub themes: Themes,
    /// Mouse reports are on at the start.
    pub mouse: bool,
    /// Profiles that can be switched to.
    pub profiles: Vec<KnownProfile>,
    /// Storage between starts, or the reason why there is none.
    pub state: State,
    /// The storage is removed at the end.
    pub is_temporary: bool,
    /// Saved view of the monitor that opens after the sign-in.
    pub monitor: Option<String>,
    /// Hints for a newcomer are shown.
    pub tour: bool,
    /// Warnings for the user at the start, such as one about the configuration.
    pub warnings: Vec<Failure>,
    /// Environment variables with secrets: the editor does not get them.
    pub secret_variables: Vec<String>,
    /// Profile at the start, if it is known before there is a background task.
    pub begins: Option<Begins>,
}

/// State at the start.
pub struct Begins {
    pub session: Session,
    /// Last place of the previous start.
    pub left_off: Option<LeftOff>,
    /// Loading of the stored runs.
    pub begun: EarlyRuns,
}

/// Reason why the interface could not open or had to end.
#[derive(Debug, thiserror::Error)]
pub enum AppError {
    /// The terminal failed.
    #[error("terminal: {0}")]
    Terminal(#[from] io::Error),
    /// The last typed text is not on the disk.
    #[error("the last draft is not kept: {0}")]
    Draft(String),
    /// The databases were held, or the disk is slow.
    #[error(
        "the disk did not answer in time: a due date or a view kept just before the end may be lost"
    )]
    Late,
    /// The tool of the clipboard is slow.
    #[error("the clipboard did not answer in time: the last copy may not be in it; copy it again")]
    Copy,
}

/// Opens the interface and returns when the user quits. `source` gets the sender of events and returns the profiles.
/// `in_doubt` is called with the profile when the terminal is restored, if a change was under way.
pub fn run(
    settings: InterfaceSettings,
    source: impl FnOnce(&Events) -> Source,
    in_doubt: impl FnOnce(&str),
) -> Result<(), AppError> {
    let keymap = settings.keymap;
    let state = settings.state;
    let mut store = Store::new(keymap.tables(), settings.profiles, settings.mouse);
    store.start_on(settings.monitor);
    store.cx.shared.newcomer = state.get().is_ok_and(|state| state.is_newcomer());
    let folder = state.get().ok().filter(|_| settings.is_temporary);
    store.cx.shared.temporary = folder.map(|state| state.folder.clone());
    store.cx.shared.tour = settings.tour.then(Tour::default);
    for warning in settings.warnings {
        store.update(Message::Event(Event::Trouble(warning)), now());
    }
    let (effects, wanted) = unbounded_channel();
    let mut begun = None;
    if let Some(begins) = settings.begins {
        let session = Box::new(begins.session);
        for effect in store.update(Message::Event(Event::Connected(session)), now()) {
            // The receiver exists.
            let _ = effects.send(effect);
        }
        if let Some(left_off) = begins.left_off {
            store.go_on_at(&left_off);
            if let Ok(rows) = begins.begun.rows.recv_timeout(FIRST_ROWS) {
                store.first_rows(rows, &left_off);
            }
        }
        begun = Some(begins.begun);
    }
    let edits = state
        .get()
        .map_or_else(|_| std::env::temp_dir(), |state| state.edits.clone());
    let (copies, texts) = unbounded_channel();
    let ways = Ways::of(|name| std::env::var_os(name));
    let without = settings.secret_variables.clone();
    let mut app = App {
        store,
        effects,
        ways: ways.clone(),
        copies,
        edits,
        keymap,
        themes: settings.themes,
        terminal: Terminal::enter(settings.mouse)?,
        zone: TimeZone::system(),
        layout: Layout::default(),
        keyboard: Arc::default(),
        last_resort: Arc::default(),
        was_away: false,
        finished: false,
        secret_variables: settings.secret_variables,
        left_off: None,
    };
    // The first frame is before threads, connections and certificates.
    app.draw()?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    let (events, mut happened) = unbounded_channel();
    let (ends, mut copied) = unbounded_channel();
    let (outcome, worker, copying) = runtime.block_on(async {
        let source = source(&events);
        let worker = tokio::spawn(Worker::run(events, source, state, wanted, begun));
        let copying = tokio::spawn(clipboard::deliver(ways, without, texts, ends));
        let outcome = app.live(&mut happened, &mut copied).await;
        (outcome, worker, copying)
    });
    // The terminal is restored while the last drafts go to the disk, and the last copy to its tool.
    let mut store = app.into_store();
    let (in_time, copied) = runtime.block_on(async {
        let copied = tokio::time::timeout(LAST_COPY, copying);
        tokio::join!(writes_in_time(worker), copied)
    });
    runtime.shutdown_timeout(Duration::from_secs(1));
    let last: Vec<Event> = std::iter::from_fn(|| happened.try_recv().ok()).collect();
    let mut written = last_writes(in_time, &last);
    if written.is_ok() && store.loses_text() {
        written = Err(AppError::Draft("it had no place on the disk yet".into()));
    }
    if written.is_ok() && copied.is_err() {
        written = Err(AppError::Copy);
    }
    if store.take_last(last, now()) {
        in_doubt(&store.cx.shared.profile());
    }
    outcome?;
    written
}

/// Waits for the last writes. Returns true for the drafts, and for all of them, if they came to an end in time.
async fn writes_in_time(worker: JoinHandle<Closing>) -> (bool, bool) {
    let drafts = Cell::new(false);
    let closing = async {
        match worker.await {
            Ok(mut closing) => {
                closing.drafts().await;
                drafts.set(true);
                closing.closed().await;
            }
            Err(error) => {
                tracing::error!("the background task: {error}");
                // Drafts are saved by a task of their own, which has reported its failures.
                drafts.set(true);
            }
        }
    };
    let all = tokio::time::timeout(LAST_WRITES, closing).await.is_ok();
    (drafts.get(), all)
}

/// Returns the result of the writes after the last frame, by these events.
fn last_writes((drafts, all): (bool, bool), events: &[Event]) -> Result<(), AppError> {
    let kept = events.iter().filter_map(|event| match event {
        Event::DraftKept { key, result } => Some((key, result)),
        _ => None,
    });
    // The newest of each draft counts.
    let kept: BTreeMap<_, _> = kept.collect();
    match kept.into_values().find_map(|result| result.as_ref().err()) {
        _ if !drafts => Err(AppError::Draft("the disk did not answer in time".into())),
        Some(failure) => Err(AppError::Draft(failure.cause.clone())),
        _ if !all => Err(AppError::Late),
        _ => Ok(()),
    }
}

struct App {
    store: Store,
    /// Effects for the worker.
    effects: UnboundedSender<Effect>,
    /// Ways to the clipboard.
    ways: Ways,
    /// Texts for a tool of the clipboard.
    copies: UnboundedSender<Copying>,
    /// Folder of the texts that an editor has open.
    edits: PathBuf,
    keymap: Keymap,
    themes: Themes,
    terminal: Terminal,
    zone: TimeZone,
    layout: Layout,
    keyboard: Arc<Keyboard>,
    last_resort: Arc<LastResort>,
    /// An editor had the terminal: signals meant for it are ignored.
    was_away: bool,
    finished: bool,
    secret_variables: Vec<String>,
    /// Last saved place.
    left_off: Option<LeftOff>,
}

impl App {
    /// Drops all but the store, and so restores the terminal.
    fn into_store(self) -> Store {
        self.store
    }

    /// Runs until the user quits, a signal ends the program or the terminal is gone. In each case typed text goes to
    /// the disk.
    async fn live(
        &mut self,
        happened: &mut UnboundedReceiver<Event>,
        copied: &mut UnboundedReceiver<(Copying, Option<CopyEnd>)>,
    ) -> io::Result<()> {
        let outcome = self.listen(happened, copied).await;
        self.last_resort.is_ending();
        let reported = self.tell_left_off();
        let wanted = self.store.end();
        outcome.and(reported).and(self.perform(wanted))
    }

    async fn listen(
        &mut self,
        happened: &mut UnboundedReceiver<Event>,
        copied: &mut UnboundedReceiver<(Copying, Option<CopyEnd>)>,
    ) -> io::Result<()> {
        let mut input = read_input(self.keyboard.clone(), self.last_resort.clone());
        let mut signals = Signals::listen()?;
        self.last_resort.clone().listen()?;
        // The terminal may have been resized before the signals were handled.
        self.terminal.fit()?;
        self.draw()?;
        while !self.finished {
            if std::mem::take(&mut self.was_away) {
                if signals.ended() {
                    break;
                }
                signals = Signals::listen_after_editor()?;
            }
            // The layout may show rows that are not loaded yet.
            self.settle()?;
            self.last_resort.set_listening(true);
            // Without an event only the seconds of a wait are drawn, and a new day.
            let at = now();
            let second = self.store.cx.in_flight.next_second(at);
            let day = Days::at(at, &self.zone).map(|days| days.tomorrow.abs_diff(at));
            let pause = second.into_iter().chain(day).min();
            let ends = tokio::time::sleep(Duration::from_millis(pause.unwrap_or_default()));
            tokio::select! {
                () = ends, if pause.is_some() => self.store.wake(now()),
                key = input.recv() => self.input(key, &mut input)?,
                event = happened.recv() => self.event(event)?,
                Some((text, end)) = copied.recv() => self.copied(text, end)?,
                meaning = signals.next() => self.signal(meaning)?,
            }
            for _ in 0..AT_ONCE {
                if let Ok(key) = input.try_recv() {
                    self.input(Some(key), &mut input)?;
                } else if let Ok(event) = happened.try_recv() {
                    self.event(Some(event))?;
                } else {
                    break;
                }
                if self.finished {
                    return Ok(());
                }
            }
            if !self.finished {
                // Requests made now are part of the frame: it may be the last one for long.
                self.settle()?;
                self.draw()?;
                self.tell_left_off()?;
            }
        }
        Ok(())
    }

    /// Saves the current place if it has changed.
    fn tell_left_off(&mut self) -> io::Result<()> {
        let left_off = self.store.left_off();
        if left_off.is_none() || left_off == self.left_off {
            return Ok(());
        }
        self.left_off.clone_from(&left_off);
        let effect = left_off.map(|it| Effect::LeftOff(Box::new(it)));
        self.perform(effect.into_iter().collect())
    }

    fn settle(&mut self) -> io::Result<()> {
        let wants = self.store.settle();
        self.perform(wants)
    }

    /// Draws; again if the layout has moved the rows.
    fn draw(&mut self) -> io::Result<()> {
        for _ in 0..3 {
            let now = Now {
                ms: now(),
                zone: self.zone.clone(),
            };
            let store = &self.store;
            let theme = self.themes.theme(store.theme());
            self.layout = self
                .terminal
                .draw(|area, buffer| draw::draw(store, theme, &now, area, buffer))?;
            if !self.store.laid_out(&self.layout) {
                break;
            }
        }
        Ok(())
    }

    fn input(
        &mut self,
        input: Option<io::Result<Input>>,
        waiting: &mut UnboundedReceiver<io::Result<Input>>,
    ) -> io::Result<()> {
        self.last_resort.set_listening(false);
        let Some(input) = input.transpose()? else {
            // The terminal is gone.
            self.finished = true;
            return Ok(());
        };
        match input {
            Input::Key(key) if key.kind != KeyEventKind::Release => self.key(key, waiting),
            Input::Paste(text) => self.dispatch(self.keymap.paste(self.store.layer(), text)),
            Input::Mouse(mouse) => self.mouse(mouse),
            // A resize is reported by its signal.
            Input::Key(_) | Input::Resize(..) => Ok(()),
            Input::FocusGained => self.event(Some(Event::Focus(true))),
            Input::FocusLost => self.event(Some(Event::Focus(false))),
        }
    }

    /// Handles a key. What is typed into a form is taken together with what waits behind it, as a paste without brackets
    /// sends it: the widget lays out the whole text after each edit.
    fn key(
        &mut self,
        key: KeyEvent,
        waiting: &mut UnboundedReceiver<io::Result<Input>>,
    ) -> io::Result<()> {
        let layer = self.store.layer();
        let action = self.keymap.action(layer, key);
        let Some(first) = self.store.adds(&action) else {
            return self.dispatch(action);
        };
        let (mut text, mut other) = (String::from(first), None);
        let mut typed = vec![action];
        while other.is_none()
            && let Ok(input) = waiting.try_recv()
        {
            let more = match &input {
                Ok(Input::Key(key)) if key.kind != KeyEventKind::Release => {
                    let action = self.keymap.action(layer, *key);
                    self.store.adds(&action).map(|more| (more, action))
                }
                _ => None,
            };
            match more {
                Some((more, action)) => {
                    text.push(more);
                    typed.push(action);
                }
                None => other = Some(input),
            }
        }
        // Of a text that does not fit as a whole, its beginning is taken, as of keys; one of those behind it may fit in
        // part, the next one is refused.
        if typed.len() > 1 {
            let fits = self.store.screens.form.fitting(&text);
            let behind = typed.split_off(fits.chars().count());
            let pasted = (!fits.is_empty()).then(|| Action::Paste(fits.to_owned().into()));
            typed = pasted
                .into_iter()
                .chain(behind.into_iter().take(2))
                .collect();
        }
        for action in typed {
            self.dispatch(action)?;
        }
        other.map_or(Ok(()), |input| self.input(Some(input), waiting))
    }

    fn mouse(&mut self, mouse: MouseEvent) -> io::Result<()> {
        let meant = mouse::meant(&self.layout, mouse);
        meant.into_iter().try_for_each(|it| self.dispatch(it))
    }

    fn event(&mut self, event: Option<Event>) -> io::Result<()> {
        self.last_resort.set_listening(false);
        let Some(event) = event else {
            return Err(io::Error::other("the background task has ended"));
        };
        self.update(Message::Event(event))
    }

    fn dispatch(&mut self, action: Action) -> io::Result<()> {
        self.update(Message::Action(action))
    }

    fn update(&mut self, message: Message) -> io::Result<()> {
        let wanted = self.store.update(message, now());
        self.perform(wanted)
    }

    /// Performs the effects of the terminal; the others go to the worker.
    fn perform(&mut self, wanted: Vec<Effect>) -> io::Result<()> {
        for effect in wanted {
            match effect {
                Effect::Quit => self.finished = true,
                Effect::Suspend => self.suspend()?,
                Effect::Redraw => self.terminal.redraw()?,
                Effect::Mouse(on) => self.terminal.set_mouse(on)?,
                Effect::Bell => self.terminal.bell()?,
                Effect::Notify(text) => self.terminal.notify(&text)?,
                Effect::Copy { what, text } => {
                    let text = Copying { what, text };
                    if !self.ways.have_tools() {
                        self.copied(text, None)?;
                    } else if self.copies.send(text).is_err() {
                        return Err(io::Error::other("the clipboard's task has ended"));
                    }
                }
                Effect::AskBackground => self.ask_background(),
                Effect::Request(id, Request::EditText { ending, text }) => {
                    self.edit(id, ending, &text)?;
                }
                other => self
                    .effects
                    .send(other)
                    .map_err(|_| io::Error::other("the background task has ended"))?,
            }
        }
        Ok(())
    }

    /// Reports the end of a copy; without a tool the terminal gets the text.
    fn copied(&mut self, copied: Copying, end: Option<CopyEnd>) -> io::Result<()> {
        let end = match end.or_else(|| self.ways.without_tool()) {
            Some(end) => end,
            None => {
                self.terminal.copy(&copied.text)?;
                CopyEnd::Sent
            }
        };
        let what = copied.what;
        self.update(Message::Event(Event::Copied { what, end }))
    }

    fn suspend(&mut self) -> io::Result<()> {
        if !self.terminal.suspend()? {
            let text = "no shell is waiting behind this terminal: nothing to suspend to";
            self.store.cx.notice = Some(Notice::new(text, false));
        }
        Ok(())
    }

    /// Pauses the keyboard: the answer is read from the same input.
    fn ask_background(&mut self) {
        if self.keyboard.pause().is_err() {
            return;
        }
        let asked = background::ask(crate::disk::state_dir().as_deref());
        self.keyboard.go_on();
        if let Some(built_in) = asked {
            self.themes.usual = built_in;
        }
    }

    /// Gives terminal and keyboard to the user's editor until it ends.
    fn edit(&mut self, id: RequestId, ending: &str, text: &str) -> io::Result<()> {
        let mut resumed = Ok(());
        let edited = match self.keyboard.pause() {
            Ok(()) => {
                self.terminal.hand_over()?;
                self.last_resort.set_editing(true);
                let edited = editor::edit(&self.edits, ending, text, &self.secret_variables);
                self.last_resort.set_editing(false);
                resumed = self.terminal.resume();
                self.keyboard.go_on();
                self.was_away = true;
                edited
            }
            Err(error) => Err(error.to_string()),
        };
        let result = edited.map_err(|error| local("the text", &error, ""));
        self.update(Message::Event(Event::Answer(id, Answer::Edited(result))))?;
        resumed
    }

    fn signal(&mut self, meaning: SignalMeaning) -> io::Result<()> {
        self.last_resort.set_listening(false);
        match meaning {
            SignalMeaning::End => self.finished = true,
            SignalMeaning::Nothing => {}
            SignalMeaning::Suspend => self.suspend()?,
            SignalMeaning::Continue => {
                self.terminal.resume()?;
                // The user has just typed fg, so that the focus is here.
                self.event(Some(Event::Focus(true)))?;
            }
            SignalMeaning::Resize => self.terminal.fit()?,
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_end_of_each_draft_counts_at_the_end() {
        let failure = || local("keeping the draft", "No space left", "");
        let kept = |key: &str, result| Event::DraftKept {
            key: key.to_owned(),
            result,
        };
        let both = (true, true);
        let lost = [kept("a", Err(failure())), kept("b", Ok(1))];
        let words = last_writes(both, &lost).unwrap_err().to_string();
        assert_eq!(words, "the last draft is not kept: No space left");
        let mended = [kept("a", Err(failure())), kept("a", Ok(1))];
        assert!(last_writes(both, &mended).is_ok());
    }
}

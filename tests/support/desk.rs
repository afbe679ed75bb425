//! The interface without a terminal: the shipped store, keys, view and worker, driven by key names and read as text.

use super::prelude::*;
use super::sample::{drawn, lay_out};
use ratatui::buffer::Buffer;
use rundown::app::PLACES;
use rundown::config::Profile;
use rundown::domain::ChunkResult;
use rundown::keymap::Keymap;
use rundown::store::cx::HELD;
use rundown::store::{KnownProfile, Store};
use rundown::ui::layout::Layout;
use rundown::ui::theme::BuiltIn;
use rundown::ui::time::Now;
use rundown::worker::Worker;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// How long a test waits for what must come.
const LIMIT: Duration = Duration::from_mins(2);
/// How often it looks meanwhile where nothing comes: what the service received is no event.
const LOOKS: Duration = Duration::from_millis(200);

/// A person at the screen.
pub struct Desk {
    /// On the heap: each step of a test would hold all of it.
    pub store: Box<Store>,
    keymap: Keymap,
    effects: UnboundedSender<Effect>,
    events: UnboundedReceiver<Event>,
    size: (u16, u16),
    /// What the terminal would have been told.
    pub copied: Vec<String>,
    /// Bells and notifications.
    pub called: Vec<String>,
    pub quit: bool,
    /// So many milliseconds its clock is ahead.
    pub ahead: i64,
    /// Its clock is that of the journal: between keys that answer questions it waits.
    pub in_real_time: bool,
    /// When a key that answers questions was pressed last.
    answered: Instant,
    /// What came of the requests of the newest change of suites, and of all of it.
    pub steps: Vec<ChunkResult>,
    pub changed: Option<Outcome>,
    /// The state directory.
    pub folder: tempfile::TempDir,
}

impl Desk {
    /// Opens the interface with a profile, at 120x40.
    pub fn open(profile: Profile) -> Self {
        Self::of(vec![profile])
    }

    /// Opens the interface with the first of several profiles.
    pub fn of(profiles: Vec<Profile>) -> Self {
        Self::in_folder(profiles, tempfile::tempdir().unwrap())
    }

    /// Opens it once more, with what is in the state directory of before.
    pub fn again(self, profile: Profile) -> Self {
        Self::in_folder(vec![profile], self.folder)
    }

    /// Opens it with what is in a state directory.
    pub fn in_folder(profiles: Vec<Profile>, folder: tempfile::TempDir) -> Self {
        let state = folder.path().to_owned();
        Self::with_state(profiles, folder, &state)
    }

    /// A second program of the same person.
    pub fn beside(&self, profile: Profile) -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self::with_state(vec![profile], folder, self.folder.path())
    }

    fn with_state(profiles: Vec<Profile>, folder: tempfile::TempDir, state: &Path) -> Self {
        let keymap = Keymap::built_in(PLACES).unwrap();
        let known = profiles.iter().map(|profile| KnownProfile {
            name: profile.name.clone(),
            project: profile.project_id.clone(),
            subproject: profile.subproject_id.clone(),
            read_only: profile.read_only,
        });
        let store = Box::new(Store::new(keymap.tables(), known.collect(), false));
        let (effects, events) = start(profiles, state);
        let mut desk = Self {
            store,
            keymap,
            effects,
            events,
            size: (120, 40),
            copied: Vec::new(),
            called: Vec::new(),
            quit: false,
            ahead: 0,
            in_real_time: false,
            answered: Instant::now(),
            steps: Vec::new(),
            changed: None,
            folder,
        };
        desk.settle();
        desk
    }

    pub fn resize(&mut self, width: u16, height: u16) {
        self.size = (width, height);
        self.settle();
    }

    /// Presses keys by their names, one after the other; a longer word is typed.
    pub fn press(&mut self, keys: &[&str]) {
        for key in keys {
            for event in events(key) {
                let action = self.keymap.action(self.store.layer(), event);
                self.message(Message::Action(action));
            }
            self.settle();
        }
    }

    /// Presses keys, and waits until the screen says `text`.
    pub async fn press_until(&mut self, keys: &[&str], text: &str) {
        self.press(keys);
        self.until(text).await;
    }

    pub fn paste(&mut self, text: &str) {
        self.message(Message::Action(Action::Paste(text.into())));
        self.settle();
    }

    /// Does what a key or an entry of the palette would ask for.
    pub fn act(&mut self, action: Action) {
        self.message(Message::Action(action));
        self.settle();
    }

    /// Has the background task do this.
    pub fn effect(&mut self, effect: Effect) {
        self.perform(vec![effect]);
    }

    /// Takes an event as if the background task had sent it.
    pub fn happens(&mut self, event: Event) {
        self.message(Message::Event(event));
        self.settle();
    }

    /// Takes what has happened so far.
    pub fn catch_up(&mut self) {
        while let Ok(event) = self.events.try_recv() {
            self.message(Message::Event(event));
        }
        self.settle();
    }

    fn now(&self) -> i64 {
        jiff::Timestamp::now().as_millisecond() + self.ahead
    }

    fn message(&mut self, message: Message) {
        match &message {
            Message::Event(Event::Answer(_, Answer::ChangeStep(step))) => {
                self.steps.push(step.clone());
            }
            Message::Event(Event::Answer(_, Answer::Changed(outcome))) => {
                self.changed = Some(outcome.clone());
            }
            // No key is held down.
            Message::Action(action) if !(action.answers() || *action == Action::Back) => {}
            Message::Action(_) if !self.in_real_time => self.ahead += HELD,
            Message::Action(_) => {
                let next = self.answered + Duration::from_millis(HELD.unsigned_abs());
                std::thread::sleep(next.saturating_duration_since(Instant::now()));
                self.answered = Instant::now();
            }
            Message::Event(_) => {}
        }
        let effects = self.store.update(message, self.now());
        self.perform(effects);
    }

    fn perform(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Copy { text, .. } | Effect::CopyToFile { text, .. } => {
                    self.copied.push(text);
                }
                Effect::Bell => self.called.push("bell".into()),
                Effect::Notify(words) => self.called.push(words),
                Effect::Quit => self.quit = true,
                change @ Effect::Request(_, Request::ChangeSuites(_)) => {
                    self.steps.clear();
                    self.changed = None;
                    self.effects.send(change).unwrap();
                }
                other => self.effects.send(other).unwrap(),
            }
        }
    }

    fn settle(&mut self) {
        let now = self.clock();
        lay_out(&mut self.store, |store| {
            drawn(store, BuiltIn::Dark, &now, self.size)
        });
        let wants = self.store.settle();
        self.perform(wants);
    }

    fn clock(&self) -> Now {
        Now {
            ms: self.now(),
            zone: TimeZone::UTC,
        }
    }

    fn draw(&self) -> (Buffer, Layout) {
        drawn(&self.store, BuiltIn::Dark, &self.clock(), self.size)
    }

    /// The screen as lines of text.
    pub fn screen(&self) -> String {
        let (buffer, _) = self.draw();
        super::sample::screen_text(&buffer)
    }

    /// Keys go there.
    #[track_caller]
    pub fn on(&self, layer: Layer) {
        assert_eq!(self.store.layer(), layer, "{}", self.screen());
    }

    /// These words are read on the screen.
    #[track_caller]
    pub fn says(&self, words: &str) {
        says(&self.screen(), words);
    }

    /// These words are not.
    #[track_caller]
    pub fn lacks(&self, words: &str) {
        lacks(&self.screen(), words);
    }

    /// Waits until the screen says `text`.
    pub async fn until(&mut self, text: &str) {
        self.until_that(text, |desk| desk.screen().contains(text))
            .await;
    }

    /// Waits until something holds; `what` names it in the failure.
    pub async fn until_that(&mut self, what: &str, holds: impl Fn(&Self) -> bool) {
        let end = Instant::now() + LIMIT;
        while !holds(self) {
            let in_time = Instant::now() < end;
            assert!(in_time, "never came: {what:?}\n{}", self.screen());
            match tokio::time::timeout(LOOKS, self.events.recv()).await {
                Ok(Some(event)) => {
                    self.message(Message::Event(event));
                    while let Ok(event) = self.events.try_recv() {
                        self.message(Message::Event(event));
                    }
                    self.settle();
                }
                Ok(None) => panic!(
                    "the worker has ended; waited for {what:?}\n{}",
                    self.screen()
                ),
                Err(_) => {}
            }
        }
    }
}

fn events(name: &str) -> Vec<KeyEvent> {
    let code = match name {
        "Enter" => KeyCode::Enter,
        "Esc" => KeyCode::Esc,
        "Tab" => KeyCode::Tab,
        "Up" => KeyCode::Up,
        "Down" => KeyCode::Down,
        "End" => KeyCode::End,
        "Home" => KeyCode::Home,
        "PgDn" => KeyCode::PageDown,
        "Space" => KeyCode::Char(' '),
        "Backspace" => KeyCode::Backspace,
        _ if name.starts_with("Ctrl-") => {
            let key = name.chars().last().unwrap();
            return vec![KeyEvent::new(KeyCode::Char(key), KeyModifiers::CONTROL)];
        }
        typed => {
            return typed
                .chars()
                .map(|c| KeyEvent::from(KeyCode::Char(c)))
                .collect();
        }
    };
    vec![KeyEvent::from(code)]
}

/// The background task with these profiles and this state directory.
pub fn start(
    profiles: Vec<Profile>,
    folder: &Path,
) -> (UnboundedSender<Effect>, UnboundedReceiver<Event>) {
    let (events, happened) = unbounded_channel();
    let (effects, wanted) = unbounded_channel();
    let state = rundown::disk::State::of(folder);
    tokio::spawn(Worker::run(
        events,
        Box::pin(async { Ok(profiles) }),
        state,
        wanted,
        None,
    ));
    (effects, happened)
}

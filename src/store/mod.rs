//! State of the interface: [`Store::update`] takes actions and events and answers with effects. No clock, no random, no
//! terminal, no network: the same messages give the same state.

pub(crate) mod changing;
pub mod cx;
pub mod effect;
pub(crate) mod errors;
pub(crate) mod feed;
pub(crate) mod in_flight;
pub(crate) mod key_table;
pub(crate) mod layer;
mod left_off;
pub(crate) mod message;
mod refresh;
pub(crate) mod remote;
mod router;
pub mod session;
pub(crate) mod shared;
mod sign_in;
pub(crate) mod tour;
pub(crate) mod typed;
pub mod undo;

pub use cx::{Cx, Lasts, Notice};
pub use effect::{
    Answer, CopyEnd, DraftRequest, Effect, Event, ExportedRuns, JournalLine, JournalPage, Message,
    Opened, Request, RunsRequest, SampleRequest, SampleWrite,
};
pub use errors::{ErrorLog, Trouble};
pub use feed::{Feed, FeedEntry, What};
pub use in_flight::{InFlight, Slot};
pub use key_table::{Command, Heading, Hint, KeyTable};
pub use layer::Layer;
pub use message::{
    Action, Choice, CopyOf, CopyTo, CopyWhat, Entry, Explanation, Fact, Hidden, Motion, Open,
    Orders, PickerKind, Plan, Preview, RequestId, RunPart, SuiteOrder, Watched,
};
pub use remote::{Reading, Remote};
pub use session::{KnownProfile, Session};
pub use shared::{InNoRunSuites, Shared};
pub use sign_in::SignIn;
pub use tour::Tour;

use crate::domain::text;
use crate::popups::{Popup, Popups};
use crate::screens::{Screen, Screens};
use crate::ui::Layout;

/// State of the interface.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Store {
    /// Open requests, messages and effects.
    pub cx: Cx,
    pub screens: Screens,
    pub popups: Popups,
    /// Mouse reports are on.
    pub mouse: bool,
    /// A question was answered and nothing was drawn since: keys are dropped.
    unseen: bool,
    /// The terminal is too small: number of keys and pasted characters that were dropped.
    not_taken: Option<usize>,
    refresh: refresh::Refresh,
    pub sign_in: SignIn,
    /// Query number of a run that is searched on this machine, its short id, and the place of the request.
    sought: Option<(u64, String, Layer)>,
    quitting: Quitting,
    /// Quitting was asked for by a command, and nothing but the palette was used since: the same again quits.
    quit_by_command: bool,
}

/// State of quitting with a text that is not on the disk yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Quitting {
    #[default]
    No,
    /// The program ends as soon as the draft is on the disk.
    OnceKept,
    /// The draft cannot be saved, and the user was asked: the next time the program ends without it.
    Asked,
}

impl Store {
    /// Creates a store with keys and profiles, without data of the service.
    pub fn new(keys: Vec<KeyTable>, profiles: Vec<KnownProfile>, mouse: bool) -> Self {
        Self {
            cx: Cx::new(Shared {
                keys,
                profiles,
                ..Shared::default()
            }),
            mouse,
            ..Self::default()
        }
    }

    /// Takes one message. `now` is the time in epoch milliseconds.
    pub fn update(&mut self, message: Message, now: i64) -> Vec<Effect> {
        self.cx.at(now, self.layer());
        match message {
            Message::Action(action) => {
                // A key is a sign of focus, whatever the terminal reported.
                if self.refresh.away {
                    self.focus(true);
                }
                // A monitor may hang on a wall.
                let on_wall = self.screens.top() == Layer::Monitor;
                self.stay(&action);
                // A message that outlives keys goes before everything else but a box.
                let is_box = self.on_top().is_some_and(Screen::is_box);
                let in_box = is_box || self.popups.top().is_some();
                if action == Action::Back && !in_box && self.cx.let_go() {
                    return self.cx.take();
                }
                if let Some(keys) = &mut self.not_taken
                    && !action.is_of_the_program()
                {
                    *keys += action.keys();
                    return self.cx.take();
                }
                if self.unseen && !action.is_of_the_program() {
                    return self.cx.take();
                }
                if !matches!(action, Action::Redraw | Action::Suspend) {
                    let signs_in = self.layer() == Layer::Login;
                    self.cx.next_key(&action, signs_in);
                    if !matches!(action, Action::Quit | Action::Cancel) {
                        self.quitting = Quitting::No;
                    }
                    let in_palette = self.popups.of(Layer::Picker).is_some();
                    let types = in_palette && action != Action::Back;
                    self.quit_by_command &= types || action == Action::Palette;
                }
                self.cx.answers(&action);
                let presses = matches!(action, Action::Open | Action::Press(_));
                let answers = |layer: &Layer| matches!(layer, Layer::Confirm | Layer::Delete);
                let asked = self.popups.top().map(Popup::layer);
                let asked = asked.filter(|layer| presses && answers(layer));
                let boxed = self.popups.top().is_some() || self.screens.top() == Layer::Form;
                // Typing is not compared: it has an effect or says why not, and long texts would be copied for each key.
                let types = self.adds(&action).is_some();
                let asks = boxed && !types && !action.is_movement() && !action.is_of_the_program();
                let before = asks.then(|| (self.popups.clone(), self.screens.form.clone()));
                let toured = self.on_top().and_then(Screen::run);
                let toured = toured.is_some().then(|| self.layer());
                self.dispatch(action.clone());
                self.follow();
                // A key that was refused leads to no next hint.
                if let Some(here) = toured.filter(|_| !self.cx.is_refused()) {
                    let tour = self.cx.shared.tour.take();
                    self.cx.shared.tour = tour.and_then(|tour| tour.after(&action, here));
                }
                let after = (&self.popups, &self.screens.form);
                if before.is_some_and(|(popups, form)| (&popups, &form) == after)
                    && self.cx.is_silent()
                {
                    self.cx.unused(&action);
                }
                self.unseen |= asked.is_some_and(|layer| self.popups.of(layer).is_none());
                if !on_wall {
                    self.note_use();
                }
                // After too many tries that is for the key that says so.
                let may_try = self.sign_in.pending && !self.cx.shared.sign_in_paused;
                if may_try && self.cx.writes() {
                    self.cx.first(Effect::SignInAsConfigured);
                }
            }
            Message::Event(event) => {
                self.cx.by_key = false;
                self.receive(event);
                self.go_on();
                self.follow();
            }
        }
        self.cx.take()
    }

    /// Returns what the action adds to the text of a form on top.
    pub fn adds(&self, action: &Action) -> Option<char> {
        let is_on_top = self.popups.top().is_none() && self.layer() == Layer::Form;
        is_on_top.then(|| self.screens.form.adds(action))?
    }

    /// Takes the events after the last frame and sends nothing more; true if a sent change has no known end.
    pub fn take_last(&mut self, last: Vec<Event>, now: i64) -> bool {
        let sent = self.cx.in_flight.of(Slot::writes);
        for event in last {
            self.update(Message::Event(event), now);
        }
        sent.iter()
            .any(|(id, _)| self.cx.in_flight.slot(*id).is_some())
    }

    /// Takes the time (epoch milliseconds) where nothing has happened: what is asked of a day is asked anew.
    pub fn wake(&mut self, now: i64) {
        self.cx.at(now, self.layer());
    }

    /// Reads what the visible rows need, and plans the next reading: called once after all waiting messages, so that a
    /// held key asks for the rows where it ends and not for those on the way.
    pub fn settle(&mut self) -> Vec<Effect> {
        let looked_at = self.cx.shared.feed.take_seen();
        if !looked_at.is_empty() {
            self.cx.runs(RunsRequest::Seen(looked_at));
        }
        // While the machine sleeps, the timer of a pause stands still.
        if self.cx.ended_in_sleep(&Slot::RetryPause) {
            self.retry_is_due();
        }
        // What alone fails is read again by itself, too, after pauses that grow, whatever else is answered meanwhile.
        if !self.cx.in_flight.any(Slot::is_repeated) {
            self.cx.repeats.settle();
        }
        let repeats = self.cx.repeats;
        let is_here = self.cx.shared.signed_in && self.cx.shared.away_since.is_none();
        if repeats.is_owed && is_here && !self.tries_again() {
            self.cx.timer(Slot::RetryPause, repeats.pause());
        }
        self.screens.settle(&mut self.cx);
        for popup in self.popups.iter_mut() {
            popup.screen_mut().settle(true, &mut self.cx);
        }
        let top = self.screens.top();
        let is_bare = self.layer() == top;
        if let Some(screen) = self.screens.of_mut(top).filter(|_| is_bare) {
            screen.uncovered(&mut self.cx);
        }
        self.show_sign_in();
        self.follow();
        let here = self.layer();
        self.stop_search_by_id(|asked| asked != here);
        let every = self.refresh_every();
        let on = self.reading();
        let list = self.screens.top() == Layer::Runs;
        // A failed read of the list has a pause of its own.
        let waits = !self.cx.shared.signed_in || self.is_away() || list && self.tries_again();
        self.refresh.plan(on, every, waits, &mut self.cx);
        self.cx.take()
    }

    /// Takes the heights of the layout, which movements depend on; true if a new drawing is needed.
    pub fn laid_out(&mut self, layout: &Layout) -> bool {
        self.unseen = false;
        if layout.too_small {
            self.not_taken.get_or_insert(0);
            return false;
        }
        let keys = self.not_taken.take().unwrap_or(0);
        if keys > 0 {
            let keys = text::count_were(keys, "key");
            self.cx
                .complain(format!("{keys} not taken: the window was too small"));
        }
        let mut moved = self.screens.laid_out(layout) || keys > 0;
        for drawn in &layout.boxes {
            let scrolled = match (drawn.of, self.popups.of_mut(drawn.of)) {
                (_, Some(popup)) => popup.screen_mut().scrolled(),
                (_, None) => self.screens.form.scrolled(),
            };
            moved |= scrolled.is_some_and(|it| it.drawn(drawn));
        }
        moved
    }

    /// Returns the key table of a place.
    pub fn key_table(&self, layer: Layer) -> Option<&KeyTable> {
        self.cx.shared.key_table(layer)
    }

    /// Returns the popup on top, else the screen.
    pub fn on_top(&self) -> Option<&dyn Screen> {
        match self.popups.top() {
            Some(popup) => Some(popup.screen()),
            None => self.screens.seen(),
        }
    }

    /// Returns true if the action has something to act on where the user is.
    pub fn works(&self, action: &Action) -> bool {
        let (screen, shared, layer) = (self.on_top(), &self.cx.shared, self.layer());
        let here = screen.is_none_or(|screen| screen.offers(action, shared));
        let run = screen.and_then(Screen::run);
        let is_of_runs = matches!(layer, Layer::Runs | Layer::Monitor);
        let lacks_run = is_of_runs && run.is_none() && action.is_about_a_run();
        let adds = *action == Action::Show(Layer::Available);
        let closed = || run.as_ref().is_some_and(|run| run.is_closed());
        here && !lacks_run && !(adds && closed())
    }

    /// Returns the place of keys: the popup on top, else the screen.
    pub fn layer(&self) -> Layer {
        let top = self.screens.top();
        let (screen, own) = match self.popups.top() {
            Some(popup) => (Some(popup.screen()), popup.layer()),
            None => (self.screens.of(top), top),
        };
        match screen {
            Some(screen) if screen.field(&self.cx).is_some() => Layer::Typing,
            screen => screen.and_then(Screen::part).unwrap_or(own),
        }
    }

    /// Returns the screen below all popups.
    pub fn screen(&self) -> Layer {
        match (self.screens.top(), &self.screens.run) {
            (Layer::Detail, Some(run)) if run.json.open => Layer::Json,
            (Layer::Form, _) if self.screens.form.review.is_some() => Layer::Review,
            (top, _) => top,
        }
    }

    /// Returns true while a failed reading waits for its next try.
    pub fn tries_again(&self) -> bool {
        self.cx.under_way(&Slot::RetryPause)
    }

    fn reading(&self) -> Option<(Layer, Reading)> {
        let top = self.screens.top();
        Some((top, self.screens.of(top)?.reading()?))
    }

    /// Returns seconds between two readings of the screen; 0 for none.
    pub fn refresh_every(&self) -> u64 {
        self.reading()
            .and_then(|(_, reading)| reading.every)
            .unwrap_or(self.cx.shared.in_use().refresh_seconds)
    }

    /// Name of the theme that was chosen, or that is tried in the palette.
    pub fn theme(&self) -> Option<&'static str> {
        let looked_at = match self.popups.top() {
            Some(Popup::Picker(picker)) => picker.theme(),
            _ => None,
        };
        looked_at.or(self.cx.shared.theme)
    }

    /// Returns true if automatic readings pause for lack of focus.
    pub fn paused(&self) -> bool {
        self.is_away() && self.refresh_every() > 0 && self.reading().is_some()
    }

    /// Returns true without focus, unless on call.
    fn is_away(&self) -> bool {
        let monitor = self.screens.monitor.as_ref();
        let on_call = self.screens.top() == Layer::Monitor
            && monitor.is_some_and(|monitor| monitor.is_on_call(&self.cx.shared));
        self.refresh.away && !on_call
    }

    /// Prepares the end of the program without a question: typed text of a form is saved.
    pub fn end(&mut self) -> Vec<Effect> {
        self.screens.form.end(&mut self.cx);
        self.cx.take()
    }

    /// True if typed text is lost with the end of the program, and the user was not asked.
    pub fn loses_text(&self) -> bool {
        self.quitting != Quitting::Asked && self.screens.form.has_no_place()
    }
}

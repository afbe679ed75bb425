//! All state of the interface: [`Store::update`] takes actions and events and answers with effects. No clock, no
//! random, no terminal, no network: the same messages give the same state.

mod area;
mod available;
mod boxes;
mod card;
mod changes;
mod chunks;
mod cx;
mod delete;
mod detail;
mod draft;
mod effect;
mod event;
mod feed;
mod form;
mod form_outside;
mod form_sent;
mod give_up;
mod in_flight;
mod input;
mod laid;
mod layer;
mod list;
mod members;
mod message;
mod monitor;
mod picker;
mod refresh;
mod remote;
mod review;
mod router;
mod runs;
mod saved_view;
mod session;
mod shared;
mod sign_in;
mod stack;
mod undo;
mod watched;
mod window;

pub use area::{Area, byte_of, row_of, rows_of};
use stack::Stack;

pub use available::WhatIf;
pub use available::{Available, SuiteOrder};
pub use boxes::{ErrorLog, Help, Trouble};
pub use card::{Card, Gate, Standing, Trouble as CardTrouble};
pub use changes::{Confirm, JournalLine, JournalPage, JournalView, Plan, Work};
pub use cx::{Cx, Notice};
pub use delete::{DeleteBox, DeletedRun, MOST_AT_ONCE};
pub use detail::History;
pub use detail::{Detail, JsonView, PARTS};
pub use effect::Effect;
pub use event::{Event, Exported, Opened};
pub use feed::{Entry as FeedEntry, Feed, Unread, What};
pub use form::{Form, FormDraft, Stop};
pub use in_flight::{InFlight, Slot};
pub use input::Input;
pub use laid::Laid;
pub use layer::{Command, Heading, Hint, KeyTable, Layer, Screen};
pub use list::Scroll;
pub use members::{Member, Members};
pub use message::{Action, CopyWhat, Motion, Pasted, RequestId};
pub use monitor::{Field, MOST as MOST_WATCHED, Monitor};
pub use picker::{Choice, Entry, Picker, PickerKind, matching};
pub use remote::Remote;
pub use review::{Button, CreateReview, ModifyReview, Review, ReviewOf};
pub use runs::MOST_MARKS;
pub use runs::{FULLTEXT_FROM, InForce, Matches, Runs};
pub use session::{Notifying, Password, Session, SignInReason, Watching};
pub use shared::Shared;
pub use sign_in::{Login, LoginField, SignIn};
pub use watched::{Ask, OnView};
pub use window::Window;

/// What the store is told.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    /// The person wants something.
    Action(Action),
    /// Something has happened.
    Event(Event),
}

/// A profile of the configuration, as far as the interface offers it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownProfile {
    pub name: String,
    pub project: String,
    /// Its sub project.
    pub subproject: Option<String>,
    /// Its client cannot write.
    pub read_only: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedIn {
    /// User name.
    pub user: String,
    /// End of the access token, epoch milliseconds.
    pub until: Option<i64>,
}

/// All state of the interface.
#[derive(Clone, Debug, PartialEq)]
pub struct Store {
    /// What is asked, said and under way.
    pub cx: Cx,
    /// What the keys mean, a table for each place.
    pub keys: Vec<KeyTable>,
    stack: Stack,
    /// The runs list.
    pub runs: Runs,
    /// The runs that are watched, while the monitor is open.
    pub monitor: Option<Monitor>,
    /// The run that was opened last.
    pub detail: Option<Detail>,
    /// The suites that can be added to the run that was looked at last.
    pub available: Option<Available>,
    /// The suites in the run that was looked at last.
    pub members: Option<Members>,
    /// The form that is open.
    pub form: Option<Form>,
    /// The review of a form or of an undo, if it is open.
    pub review: Option<Review>,
    /// The box that deletes runs, and what it has begun.
    pub delete: Option<DeleteBox>,
    /// The preview of a change, if it is open.
    pub confirm: Option<Confirm>,
    /// The last change, under way or done.
    pub work: Option<Work>,
    /// The journal box, if it is open.
    pub journal: Option<JournalView>,
    /// The picker, if one is open.
    pub picker: Option<Picker>,
    /// The help, if it is open.
    pub help: Option<Help>,
    /// Mouse reports are on.
    pub mouse: bool,
    refresh: refresh::Refresh,
    pub sign_in: SignIn,
    quitting: Quitting,
}

/// How far the end of the program is.
#[derive(Clone, Debug, Default, PartialEq)]
struct Quitting {
    /// The same key again quits.
    armed: bool,
    /// The program ends as soon as the draft is on the disk.
    once_kept: bool,
}

impl Store {
    /// A store that knows what the keys mean and the profiles, and nothing of the service.
    pub fn new(keys: Vec<KeyTable>, profiles: Vec<KnownProfile>, mouse: bool) -> Self {
        Self {
            cx: Cx::new(Shared {
                profiles,
                ..Shared::default()
            }),
            keys,
            stack: Stack::default(),
            runs: Runs::new(50),
            monitor: None,
            detail: None,
            available: None,
            members: None,
            form: None,
            review: None,
            delete: None,
            confirm: None,
            work: None,
            journal: None,
            picker: None,
            help: None,
            mouse,
            refresh: refresh::Refresh::default(),
            sign_in: SignIn::default(),
            quitting: Quitting::default(),
        }
    }

    /// Takes one message. `now` is the time in epoch milliseconds.
    pub fn update(&mut self, message: Message, now: i64) -> Vec<Effect> {
        self.cx.now = now;
        match message {
            Message::Action(action) => {
                self.somebody_is_here();
                self.act(action);
            }
            Message::Event(event) => self.happen(event),
        }
        self.cx.take()
    }

    /// What the rows on the screen need now, and when they are read again: asked once after all waiting messages, so
    /// that a held key asks for the rows where it ends and not for those on the way.
    pub fn settle(&mut self) -> Vec<Effect> {
        if self.cx.shared.signed_in.is_some() {
            let window = self.runs.found.as_mut().unwrap_or(&mut self.runs.all);
            window.wants(&mut self.cx);
        }
        self.plan_refresh();
        self.ask_what_if();
        self.cx.take()
    }

    /// The screen below all boxes.
    pub fn screen(&self) -> Screen {
        self.stack.top()
    }

    /// A failed read is tried again by itself in a while.
    pub fn tries_again(&self) -> bool {
        self.cx.under_way(&Slot::RetryPause)
    }
}

//! The screens, each in its own folder, and the stack of open ones.

pub mod attached;
pub mod available;
pub mod board;
pub mod changes;
mod choices;
pub mod compare;
pub mod form;
pub mod keys;
pub mod monitor;
pub(crate) mod prelude;
pub mod run;
pub mod runs;
mod runs_read;
pub mod screen;
mod suites;
mod summary;

pub use screen::{Draw, Screen};

use std::sync::Arc;

use crate::domain::{DocRef, Failure, RunsOperation};
use crate::keymap::place::Place;
use crate::mirror::Run;
use crate::ops::local;
use crate::store::{Cx, Fact, Layer, Remote, Session, Slot};
use crate::ui::Layout;
use crate::ui::time::Now;
use attached::AttachedSuites;
use available::AvailableSuites;
use board::ReleaseBoard;
use changes::WhatChanged;
use compare::Compare;
use form::Forms;
use monitor::{Chosen, Monitor};
use run::Detail;
use runs::Runs;

/// Age up to which a reading is as of now, in milliseconds.
pub const FRESH: i64 = 60_000;

/// Returns the current time in the zone of the profile.
fn clock(cx: &Cx) -> Now {
    Now {
        ms: cx.now,
        zone: cx.shared.zone().clone(),
    }
}

/// Cancels a reading; an earlier value stays, marked as incomplete. Returns true if a reading was running.
fn give_up<T>(slot: &Slot, of: &mut Remote<T>, asked: &str, remedy: &str, cx: &mut Cx) -> bool {
    let any = cx.give_up(slot);
    if any {
        of.accept(Err(given_up(asked, remedy)), cx.now);
    }
    any
}

/// Failure of a cancelled reading; `remedy` names the key that reads again.
pub fn given_up(asked: &str, remedy: &str) -> Failure {
    local(asked, "given up", remedy)
}

/// Message for a key that needs a run where there is none; the list was read at this time, if it was.
pub fn no_run(read_at: Option<i64>) -> &'static str {
    match read_at {
        Some(_) => "there is no run here",
        None => "there is no run here yet",
    }
}

/// Defines all screens. Each line has the field with its initial state, its layer, and all places with keys; nothing
/// else must be registered.
macro_rules! screens {
    ($(
        $(#[$about:meta])*
        $member:ident: $state:ty = $first:expr,
        in $layer:ident $(if opened $opened:tt)?, keys $($place:path),+;
    )+) => {
        /// Places on screens with their own keys.
        pub const PLACES: &[Place] = &[$($($place,)+)+ keys::TYPING];

        /// All screens. There is one of each, and a closed one keeps its state.
        #[derive(Clone, Debug, PartialEq)]
        pub struct Screens {
            /// Open screens; the runs list is at the bottom.
            stack: Vec<Layer>,
            /// Screens left by going back, the last one last.
            left: Vec<Layer>,
            /// Choices of the user in closed monitors.
            pub chosen: Chosen,
            $($(#[$about])* pub $member: $state,)+
        }

        impl Default for Screens {
            fn default() -> Self {
                Self {
                    stack: vec![Layer::Runs],
                    left: Vec::new(),
                    chosen: Chosen::default(),
                    $($member: $first,)+
                }
            }
        }

        impl Screens {
            const ALL: &[Layer] = &[$(Layer::$layer),+];

            pub fn of(&self, layer: Layer) -> Option<&dyn Screen> {
                match layer {
                    $(Layer::$layer => Some((&self.$member)$(.as_ref()$opened)?),)+
                    _ => None,
                }
            }

            pub fn of_mut(&mut self, layer: Layer) -> Option<&mut dyn Screen> {
                match layer {
                    $(Layer::$layer => Some((&mut self.$member)$(.as_mut()$opened)?),)+
                    _ => None,
                }
            }
        }
    };
}

screens! {
    runs: Runs = Runs::new(50), in Runs, keys runs::keys::PLACE;
    /// The last opened run.
    run: Option<Detail> = None, in Detail if opened?, keys run::keys::PLACE, run::keys::JSON;
    /// Suites that can be added to the last shown run.
    available: Option<AvailableSuites> = None, in Available if opened?, keys available::keys::PLACE;
    /// Suites in the last shown run.
    attached: Option<AttachedSuites> = None, in Attached if opened?, keys attached::keys::PLACE;
    /// The last opened monitor.
    monitor: Option<Monitor> = None, in Monitor if opened?, keys monitor::keys::PLACE;
    /// The last opened board.
    board: Option<ReleaseBoard> = None, in Board if opened?, keys board::keys::PLACE;
    /// The last comparison.
    compare: Option<Compare> = None, in Compare if opened?, keys compare::keys::PLACE;
    /// The last opened list of changes.
    changes: Option<WhatChanged> = None, in Changes if opened?, keys changes::keys::PLACE;
    form: Forms = Forms::default(), in Form, keys form::keys::PLACE, form::review_keys::PLACE;
}

impl Screens {
    /// Screens of another profile without data; a form stays.
    #[must_use]
    pub fn anew(&self, session: &Session) -> Self {
        let mut form = self.form.clone();
        form.review = None;
        Self {
            runs: self.runs.anew(session),
            form,
            ..Self::default()
        }
    }

    /// The visible screen.
    pub fn top(&self) -> Layer {
        *self.stack.last().unwrap_or(&Layer::Runs)
    }

    pub fn seen(&self) -> Option<&dyn Screen> {
        self.of(self.top())
    }

    /// Returns true if the run on top was not found when it was read last.
    pub fn is_missing(&self) -> bool {
        let run = self.run.as_ref();
        run.is_some_and(|run| self.top() == Layer::Detail && run.is_missing)
    }

    /// Version of the board, if it is on top.
    pub fn release(&self) -> Option<&str> {
        let board = self.board.as_ref();
        let board = board.filter(|_| self.top() == Layer::Board)?;
        Some(board.version_here()).filter(|version| !version.is_empty())
    }

    /// Returns true if the screen is open, visible or covered.
    pub fn has(&self, screen: Layer) -> bool {
        self.stack.contains(&screen)
    }

    /// The screen below the top, where Esc leads.
    pub fn below(&self) -> Layer {
        *self.stack.iter().rev().nth(1).unwrap_or(&Layer::Runs)
    }

    /// Closes the screen on top.
    pub fn back(&mut self, cx: &mut Cx) {
        let top = self.top();
        if top != Layer::Runs {
            self.close(top, cx);
            self.left.push(top);
        }
    }

    /// Opens the last left screen again. Returns true if there was one.
    pub fn forth(&mut self) -> bool {
        let mut left = std::mem::take(&mut self.left);
        left.retain(|screen| self.of(*screen).is_some());
        let last = left.pop();
        if let Some(screen) = last {
            self.open(screen);
        }
        self.left = left;
        last.is_some()
    }

    /// Closes all screens but the runs list; the visible one can be opened again.
    pub fn aside(&mut self, cx: &mut Cx) {
        let seen = self.top();
        self.home(cx);
        self.left = vec![seen];
    }

    /// Opens a screen on top; it is removed from its old place in the stack.
    pub fn open(&mut self, screen: Layer) {
        self.left.clear();
        self.stack
            .retain(|open| *open != screen || *open == Layer::Runs);
        if screen == Layer::Runs {
            return self.stack.truncate(1);
        }
        self.stack.push(screen);
    }

    /// Opens a list of suites, in place of the other one if that is on top.
    pub fn open_suites(&mut self, screen: Layer) {
        if matches!(self.top(), Layer::Available | Layer::Attached) {
            self.stack.pop();
        }
        self.open(screen);
    }

    /// Closes a screen, wherever it is in the stack.
    pub fn close(&mut self, screen: Layer, cx: &mut Cx) {
        if screen != Layer::Runs {
            self.stack.retain(|open| *open != screen);
        }
        if let Some(closed) = self.of_mut(screen) {
            closed.closing(cx);
        }
        if screen == Layer::Monitor
            && let Some(monitor) = &self.monitor
        {
            self.chosen.clone_from(&monitor.chosen);
        }
    }

    /// Drops the suites that can be added and cancels their reading.
    pub fn drop_available(&mut self, cx: &mut Cx) {
        self.available = None;
        cx.give_up_of(Layer::Available);
    }

    /// Drops the suites in a run and cancels their reading.
    pub fn drop_attached(&mut self, cx: &mut Cx) {
        self.attached = None;
        cx.give_up_of(Layer::Attached);
    }

    /// Drops what is in runs as another user read it: the last opened one, those of the monitor and of closed screens; a
    /// form stays.
    pub fn close_runs(&mut self, cx: &mut Cx) {
        self.left.clear();
        if let Some(monitor) = &mut self.monitor {
            monitor.forget(cx);
        }
        for screen in [Layer::Detail, Layer::Available, Layer::Attached] {
            self.close(screen, cx);
        }
        self.run = None;
        cx.give_up_of(Layer::Detail);
        self.drop_available(cx);
        self.drop_attached(cx);
    }

    /// Reads the runs of the open screens beside the list.
    pub fn read_for_another_user(&mut self, cx: &mut Cx) {
        if let Some(monitor) = &mut self.monitor {
            monitor.ask_again();
        }
        let of_runs = [Layer::Board, Layer::Changes, Layer::Compare, Layer::Monitor];
        for layer in of_runs {
            if self.has(layer)
                && let Some(screen) = self.of_mut(layer)
            {
                screen.read(cx);
            }
        }
    }

    /// Closes all screens but the runs list.
    pub fn home(&mut self, cx: &mut Cx) {
        for screen in self.stack.split_off(1) {
            self.close(screen, cx);
        }
    }

    /// Passes a fact on to all screens. Data of a deleted run is dropped; the suites of a changed run are read again,
    /// those of a closed screen when they are shown.
    pub fn learn(&mut self, fact: &Fact, cx: &mut Cx) {
        for layer in Self::ALL {
            if let Some(screen) = self.of_mut(*layer) {
                screen.learned(fact, cx);
            }
        }
        let (Fact::Gone(run) | Fact::Stripped(run) | Fact::WroteSuites { run, .. }) = fact else {
            return;
        };
        if let Fact::WroteSuites {
            count,
            done,
            unsure,
            ..
        } = fact
            && (count.is_some() || *unsure || !done.is_empty())
        {
            let available = self.available.as_mut().and_then(|it| it.run_mut(run));
            let attached = self.attached.as_mut().map(|it| &mut it.run);
            let attached = attached.filter(|it| it.doc_ref == *run);
            for run in available.into_iter().chain(attached) {
                *run = run.with(|row| row.suite_count = *count);
            }
        }
        let open = self.has(Layer::Attached);
        if let Some(attached) = self.attached.as_mut().filter(|it| it.run.doc_ref == *run) {
            match fact {
                // An open screen has something to show when Esc leads to it.
                Fact::WroteSuites { .. } | Fact::Stripped(_) if open => attached.survey(cx),
                _ => self.drop_attached(cx),
            }
        }
        if let Fact::Gone(run) = fact {
            let available = self.available.as_mut();
            if available.is_some_and(|it| it.run_mut(run).is_some()) {
                self.drop_available(cx);
            }
            if let Some(mut detail) = self.run.take_if(|it| it.run.doc_ref == *run) {
                detail.leave(cx);
            }
            for screen in [Layer::Detail, Layer::Available, Layer::Attached] {
                if self.of(screen).is_none() {
                    self.close(screen, cx);
                }
            }
        }
    }

    /// Returns true if the counts of a run need not be read again when it is opened: they are new, or there are no others.
    pub fn are_counts_fresh(&self, run: &Run, cx: &Cx) -> bool {
        let is_fresh = |at| (0..=FRESH).contains(&(cx.now - at));
        // Old counts are shown at once; without a sign-in they are all there is.
        run.counted_at
            .is_some_and(|at| is_fresh(at) || !cx.shared.signed_in)
            || self.runs.operation() == Some(RunsOperation::ListDocuments)
    }

    /// Row of a run, if it is loaded.
    pub fn known(&self, run: &DocRef) -> Option<&Arc<Run>> {
        let detail = || self.detail_of(run).map(|detail| &detail.run);
        self.runs.run(run).or_else(detail)
    }

    /// The screen of a run, if it is the one opened last.
    pub fn detail_of(&self, run: &DocRef) -> Option<&Detail> {
        self.run.as_ref().filter(|it| it.run.doc_ref == *run)
    }

    /// Lets the open screens request the data they need.
    pub fn settle(&mut self, cx: &mut Cx) {
        let top = self.top();
        for layer in self.stack.clone() {
            if let Some(screen) = self.of_mut(layer) {
                screen.settle(layer == top, cx);
            }
        }
    }

    /// Handles Ctrl-c. Returns true if something was cancelled.
    pub fn give_up(&mut self, cx: &mut Cx) -> bool {
        let mut any = false;
        for layer in Self::ALL {
            if let Some(screen) = self.of_mut(*layer) {
                any |= screen.give_up(cx);
            }
        }
        any
    }

    /// Passes the layout on to the screen on top. Returns true if it must be drawn again.
    pub fn laid_out(&mut self, layout: &Layout) -> bool {
        let top = self.top();
        self.of_mut(top)
            .is_some_and(|screen| screen.laid_out(layout))
    }
}

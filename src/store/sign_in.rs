//! Connecting with a profile and signing in to it.

use std::collections::HashMap;
use std::sync::Arc;

use super::{
    Action, DraftRequest, Feed, Lasts, Layer, Notice, Open, RunsRequest, Session, Slot, Store,
    Watched,
};
use crate::domain::fields::VERSION;
use crate::domain::{DueDates, Failure, FailureKind, LeftOff, LeftOn, SignInReason};
use crate::popups::Login;

/// Maximum number of automatic sign-ins without an answer.
const SIGN_IN_TRIES: u32 = 3;

/// State of the sign-in.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SignIn {
    /// Progress of preparing the local service: work done, total work.
    pub preparing: Option<(u64, u64)>,
    /// The login box that was closed without a sign-in; it reopens in the same state.
    pub left: Option<Box<Login>>,
    /// That box opens by itself, as soon as nothing is typed elsewhere.
    opens: bool,
    /// The configured sign-in is to be tried again.
    pub pending: bool,
    /// Number of tries without an answer.
    tries: u32,
    /// The profile could not be used; the next try connects anew.
    pub unconnected: bool,
    /// View of the monitor that opens after the sign-in.
    pub(super) starts_on: Option<String>,
    /// Screen that opens after the sign-in: the last one on top.
    pub(super) goes_on: Option<LeftOn>,
    /// Last place of the list, on a tab that is not loaded yet.
    pub(super) goes_to: Option<LeftOff>,
    /// Places of the list in other profiles and projects of this session.
    left_lists: HashMap<(String, String), LeftOff>,
}

/// Milliseconds without a key after which the sign-in box opens by itself.
const PAUSE: u64 = 500;

impl Store {
    /// Sets the view of the monitor that opens after the sign-in.
    pub fn start_on(&mut self, view: Option<String>) {
        self.sign_in.starts_on = view;
    }

    pub(super) fn connected(&mut self, session: Session) {
        self.leave_writes();
        let list = LeftOn::List;
        let left = self.place_here().map(|it| LeftOff { screen: list, ..it });
        let cx = &mut self.cx;
        let place = cx.shared.place();
        let before = cx.shared.session.replace(session.clone());
        self.screens.form.leave(cx);
        self.screens.home(cx);
        // Sent writes and requests to the disk are still awaited.
        let stays = |slot: &Slot| {
            slot.writes() || matches!(slot, Slot::Draft | Slot::Editor(_) | Slot::Journal)
        };
        cx.give_up_all(|slot| !stays(slot));
        self.screens = self.screens.anew(&session);
        self.popups.close(Layer::Confirm);
        self.popups.close(Layer::Login);
        if cx.shared.place() != place {
            // The journal reports those of this project.
            cx.shared.unfinished.clear();
        }
        cx.shared.feed = Feed::default();
        cx.shared.earlier = Arc::default();
        cx.shared.ends = Arc::default();
        cx.shared.taken_out.clear();
        cx.shared.changing = None;
        cx.shared.due = DueDates::default();
        cx.shared.in_no_run.clear();
        cx.shared.used = None;
        cx.shared.kept_views.clear();
        cx.shared.drafts.clear();
        cx.shared.drafts_in.clear();
        cx.shared.drafts_announced = false;
        cx.draft(DraftRequest::Find);
        if let Some(version) = &session.project_version {
            let runs = &mut self.screens.runs;
            runs.chosen.add(VERSION.path, version);
            runs.begin_anew();
        }
        self.screens.runs.set_tabs(cx);
        if before.is_none_or(|it| it.profile != session.profile) {
            cx.shared.projects.clear();
        }
        cx.shared
            .projects
            .insert((session.project, session.subproject));
        cx.shared.signed_in = false;
        cx.shared.away_since = None;
        cx.shared.has_runs = false;
        let now = cx.shared.place();
        self.sign_in = SignIn {
            starts_on: self.sign_in.starts_on.take(),
            left_lists: std::mem::take(&mut self.sign_in.left_lists),
            ..SignIn::default()
        };
        self.refresh.renew();
        if let Some(left) = left.filter(|_| now != place) {
            self.sign_in.left_lists.insert(place, left);
            if let Some(before) = self.sign_in.left_lists.remove(&now) {
                self.go_on_at(&before);
            }
        }
    }

    /// Sends nothing more of what is written, and closes its box: the end of what was sent stands in my changes.
    fn leave_writes(&mut self) {
        self.cx.stop(Slot::writes);
        self.popups.close(Layer::Delete);
    }

    pub(super) fn ask_sign_in(&mut self, user: &str, why: SignInReason) {
        let now = self.cx.now;
        // Who asks for the box, and leaves it, is signed in as configured all the same.
        self.sign_in.pending &= matches!(why, SignInReason::Asked);
        if matches!(why, SignInReason::SessionEnded(_)) {
            self.cx.shared.signed_in = false;
        }
        if matches!(why, SignInReason::Refused(_)) {
            // That was an answer.
            self.cx.reached(true);
        }
        if let SignInReason::SessionEnded(words)
        | SignInReason::Refused(words)
        | SignInReason::Failed(words) = &why
        {
            let box_again = "opens the login box: it takes another name and password";
            let box_again = self
                .cx
                .shared
                .key_does(Layer::Runs, &Action::Refresh, box_again);
            let failure = Failure::new(FailureKind::SignIn, "signing in", words, &box_again);
            self.cx.errors.push(now, failure.clone());
            self.screens.runs.not_signed_in(failure);
        }
        let known = self.cx.shared.user();
        let user = if user.is_empty() { known } else { user };
        if let Some(login) = self.popups.login() {
            return login.again(user, why, now);
        }
        self.sign_in.left = Some(Box::new(Login::new(user, why, now)));
        self.sign_in.opens = true;
        if self.types() {
            let words = "not signed in: the box for it opens when nothing is typed here";
            self.cx.besides(Notice::new(words, true));
        }
    }

    /// Opens the sign-in box that waited: text that is being typed, and keys that are pressed one after another, must not
    /// get into it, as it would send them as a password.
    pub(super) fn show_sign_in(&mut self) {
        if !self.sign_in.opens || self.types() {
            return;
        }
        let since = u64::try_from(self.cx.now - self.cx.key_at).unwrap_or(PAUSE);
        match PAUSE.checked_sub(since) {
            None | Some(0) => self.open_login(),
            Some(left) if !self.cx.under_way(&Slot::SignInPause) => {
                self.cx.timer(Slot::SignInPause, left);
            }
            Some(_) => {}
        }
    }

    /// Returns true if letters go into a text; a form takes none before it is filled.
    fn types(&self) -> bool {
        let here = self.layer();
        let form = self.screens.form.form.as_ref();
        let takes = here != Layer::Form || form.is_some_and(|form| form.ready);
        takes && self.key_table(here).is_some_and(|it| it.types)
    }

    pub(super) fn sign_in_done(&mut self, user: &str) {
        // A token renewed in the background does not close a box that the user types into.
        let answered = self.popups.login().is_some_and(|login| login.busy);
        let again = !self.cx.shared.signed_in || answered || self.sign_in.pending;
        let session = self.cx.shared.session.as_mut();
        let before = session.map(|it| std::mem::replace(&mut it.user, user.to_owned()));
        // The identity provider may spell the same name in another way.
        let before = before.filter(|before| before.to_lowercase() != user.to_lowercase());
        let is_another = before.as_ref().is_some_and(|before| !before.is_empty());
        if is_another {
            // What was asked for the one before is not for this one, and would go out under another name.
            self.leave_writes();
            self.screens.give_up(&mut self.cx);
            self.cx.give_up_all(Slot::reads);
        }
        self.cx.runs(RunsRequest::SignedIn(user.to_owned()));
        if before.is_some() {
            if is_another {
                self.popups.close_of_runs();
                self.screens.close_runs(&mut self.cx);
                self.cx.shared.in_no_run.clear();
            }
            // The feed was for another user.
            self.cx.shared.feed = Feed::default();
            self.screens.runs.read_for_another_user();
            self.screens.read_for_another_user(&mut self.cx);
        }
        self.cx.shared.signed_in = true;
        self.cx.errors.signed_in();
        let notice = &mut self.cx.notice;
        notice.take_if(|it| it.lasts == Lasts::UntilSignedIn);
        if !again {
            return;
        }
        if answered {
            self.popups.close(Layer::Login);
        }
        self.sign_in.pending = false;
        (self.sign_in.left, self.sign_in.opens) = (None, false);
        self.sign_in.tries = 0;
        self.cx.shared.sign_in_paused = false;
        self.cx.read_kept();
        self.resume();
        self.refresh.forget();
        self.read_failed();
        let watches = self.screens.has(Layer::Monitor);
        let shared = &self.cx.shared;
        // A kept view is not loaded yet.
        let starts_on = self
            .sign_in
            .starts_on
            .take_if(|name| shared.view(name).is_ok());
        if let Some(name) = starts_on {
            self.cx.open(Open::Monitor(Watched::View(name)));
        } else if let Some(monitor) = &mut self.screens.monitor
            && watches
            && monitor.asked.failure.is_some()
        {
            monitor.begin(&mut self.cx);
            self.refresh_began();
        }
    }

    /// Reads again what could not be read while nobody was signed in, or no service answered.
    pub(super) fn read_failed(&mut self) {
        let top = self.screens.top();
        let screen = self.screens.of_mut(top);
        if let Some(screen) = screen.filter(|screen| screen.waits_for_sign_in()) {
            screen.read(&mut self.cx);
        }
        if let Some(run) = &mut self.screens.run {
            run.read_failed(&mut self.cx);
        }
        self.screens.form.read_failed(&mut self.cx);
    }

    /// Continues after kept views were read, if there are any.
    pub(super) fn start_on_view(&mut self) {
        if let Some(left_off) = self.sign_in.goes_to.take() {
            self.screens.runs.go_on_at(&left_off);
        }
        if let Some(name) = self.sign_in.starts_on.take() {
            self.cx.open(Open::Monitor(Watched::View(name)));
        }
    }

    pub(super) fn sign_in_failed(&mut self, failure: Failure, sent: bool) {
        if self.cx.shared.signed_in {
            // Signed in by hand meanwhile: nothing to try again.
            return self.cx.errors.push(self.cx.now, failure);
        }
        if self.cx.shared.away_since.is_none() {
            self.cx.read_kept();
        }
        self.cx.reached(false);
        // A page in the place of the identity provider may be a portal of the network: no password twice.
        let are_enough = self.sign_in.tries + 1 >= SIGN_IN_TRIES;
        let is_last = sent && (are_enough || !failure.may_retry);
        self.cx.shared.sign_in_paused = is_last;
        if is_last && are_enough && self.screens.runs.is_empty() {
            // Each try may have been counted without an answer: now the user decides.
            let shared = &self.cx.shared;
            let profile = &shared.in_use().profile;
            let again =
                format!(", then \":profile {profile}\", sends the configured password again.");
            let esc = shared.key(Layer::Login, &Action::Back);
            let again = esc.map_or_else(String::new, |esc| format!(" {esc}{again}"));
            let words = failure.line() + ". It is not tried again by itself." + &again;
            return self.ask_sign_in("", SignInReason::Failed(words));
        }
        self.sign_in.tries += u32::from(sent);
        self.sign_in.pending = true;
        // No box covers readable data: the key that reads again tries it once more.
        let failure = Failure {
            // A page in the place of the identity provider passes, too.
            may_retry: (failure.may_retry || !self.screens.runs.is_empty()) && !is_last,
            remedy: (self.cx.sign_in_ended(!self.screens.runs.is_empty()))
                .unwrap_or(failure.remedy),
            ..failure
        };
        if is_last {
            // What was reported before says that it goes on.
            self.screens.runs.reader.is_reported = false;
        }
        self.screens.runs.failed(failure, &mut self.cx);
        if is_last {
            self.cx.give_up(&Slot::RetryPause);
            // These say that it goes on, too: without a sign-in nothing is sent.
            self.read_failed();
        }
    }

    pub(super) fn open_login(&mut self) {
        if self.sign_in.left.is_none() {
            self.ask_sign_in("", SignInReason::Asked);
        }
        self.sign_in.opens = false;
        if let Some(left) = self.sign_in.left.take() {
            self.popups.open(*left);
        }
    }
}

//! Services for screens: requests, messages, navigation, and the steps that follow.

use std::collections::VecDeque;
use std::sync::Arc;

use jiff::Zoned;

use super::{
    Action, Choice, CopyOf, CopyTo, CopyWhat, DraftRequest, Effect, Entry, ErrorLog, Fact,
    InFlight, Layer, Open, PickerKind, Plan, Preview, Remote, Request, RequestId, RunsRequest,
    SampleRequest, Shared, Slot,
};
use crate::domain::{DocRef, Failure, FailureKind, Filter, Page, RunRow, RunsPage, local};
use crate::mirror::{Run, RunsQuery};

/// Maximum milliseconds between two Enters or Escs of a held key: keyboards repeat every 25 to 50, those of a Mac every 90.
pub const HELD: i64 = 100;

/// Refusal of a write through a read-only profile.
pub const UNCHANGED: &str = "read-only: nothing is changed from here";
/// Answer to what has to wait for a write.
pub const UNDER_WAY: &str = "a change is under way: wait for its answer";

/// Milliseconds before what failed is read again while all else answers, each time longer.
const REPEATS: [u64; 6] = [1_000, 2_000, 5_000, 10_000, 30_000, 60_000];

/// Milliseconds by which a pause may be late before its timer counts as one that stood still.
const SLEPT: i64 = 1_000;

/// Message at the foot of the screen until the next key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    pub text: String,
    /// Possible next step; never cut, however long the text is.
    pub remedy: String,
    /// The message is about a failure.
    pub bad: bool,
    pub lasts: Lasts,
}

/// Life of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lasts {
    UntilKey,
    /// End of a write, or how an earlier one stands: until the next key only another such message replaces it.
    EndOfWrite,
    /// The state of a change with which nothing can be done here: the same, and a failure replaces it.
    EndElsewhere,
    /// It names a path: until Esc or another message.
    Path,
    /// A message about data that is not loaded yet: until a key or this answer.
    UntilAnswer(Slot),
    /// It says that a sign-in goes on: until a key or its end.
    UntilSignedIn,
}

/// Repeats of what alone could not be read.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Repeats {
    /// The reason may pass: it is to be read again by itself.
    pub is_owed: bool,
    /// Number of repeats since all was read.
    times: usize,
}

impl Repeats {
    /// Returns the pause before the next one, in milliseconds.
    pub fn pause(self) -> u64 {
        REPEATS[self.times.min(REPEATS.len() - 1)]
    }

    /// Returns true if nothing was repeated yet.
    pub fn is_new(self) -> bool {
        self.times == 0
    }

    /// Begins anew if nothing is to be read again; nothing is being read.
    pub fn settle(&mut self) {
        if !self.is_owed {
            self.times = 0;
        }
    }

    /// Counts a repeat.
    pub fn repeat(&mut self) {
        self.is_owed = false;
        self.times += 1;
    }
}

impl Notice {
    pub fn new(text: impl Into<String>, bad: bool) -> Self {
        Self {
            text: text.into(),
            remedy: String::new(),
            bad,
            lasts: Lasts::UntilKey,
        }
    }

    #[must_use]
    pub fn then(self, remedy: impl Into<String>) -> Self {
        let remedy = remedy.into();
        Self { remedy, ..self }
    }

    #[must_use]
    pub fn lasts(self, lasts: Lasts) -> Self {
        Self { lasts, ..self }
    }
}

/// Step of the router after the screen or popup on top has returned.
#[derive(Clone, Debug, PartialEq)]
pub enum Next {
    Open(Box<Open>),
    /// Closes the screen on top.
    Back,
    /// Closes all screens but the list of runs.
    Home,
    /// Closes this screen or popup, wherever it is in the stack.
    Close(Layer),
    /// Handles an action that works on every screen.
    Anywhere(Action),
    /// Applies a choice of a picker.
    Chosen(Choice),
    /// Sends a plan that the user confirmed.
    Send(Box<Plan>),
    Learn(Fact),
    /// Copies a text of these out of the program.
    Copy(CopyOf, CopyWhat, CopyTo),
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cx {
    /// Time of the last message, epoch milliseconds.
    pub now: i64,
    /// Screen or box on top at the last message.
    here: Layer,
    /// Time of the request that is answered now, else `now`.
    asked_at: i64,
    /// Time of the last key, epoch milliseconds.
    pub key_at: i64,
    pub notice: Option<Notice>,
    pub errors: ErrorLog,
    pub in_flight: InFlight,
    pub shared: Shared,
    /// Action that must be repeated to take effect, and the time of its key.
    half_done: Option<(Action, i64)>,
    /// The same of the key before.
    half_done_before: Option<(Action, i64)>,
    /// The current requests are caused by a key; reads ahead by cursor movements and typing are not awaited.
    pub by_key: bool,
    /// Last key that answers questions: true if it saves, and its time, epoch milliseconds.
    answered: Option<(bool, i64)>,
    /// The current key followed too fast.
    held: bool,
    next: VecDeque<Next>,
    effects: Vec<Effect>,
    /// Number of queries to the mirror, those of other profiles included.
    questions: u64,
    pub(super) repeats: Repeats,
}

impl Cx {
    pub(super) fn new(shared: Shared) -> Self {
        Self {
            shared,
            ..Self::default()
        }
    }

    /// Removes a message that outlives keys; true if there was one.
    pub(super) fn let_go(&mut self) -> bool {
        let names_path = |it: &mut Notice| it.lasts == Lasts::Path;
        self.notice.take_if(names_path).is_some()
    }

    /// Sets the time of a message (epoch milliseconds), and what is on top.
    pub(super) fn at(&mut self, now: i64, here: Layer) {
        (self.now, self.asked_at, self.here) = (now, now, here);
    }

    /// Begins a key: removes the last message, unless it names a path. Keys of the sign-in keep the end of a write,
    /// which has to be seen after it.
    pub(super) fn next_key(&mut self, action: &Action, signs_in: bool) {
        self.notice.take_if(|notice| match notice.lasts {
            Lasts::Path => false,
            Lasts::EndOfWrite | Lasts::EndElsewhere => !signs_in,
            Lasts::UntilKey | Lasts::UntilAnswer(_) | Lasts::UntilSignedIn => true,
        });
        self.half_done_before = self.half_done.take();
        self.shared.seeks_drafts = false;
        self.by_key = !action.is_movement();
        self.key_at = self.now;
    }

    /// Records a key that answers questions.
    pub(super) fn answers(&mut self, action: &Action) {
        self.held = false;
        if action.answers() {
            let key = (*action == Action::Save, self.now);
            let same = self
                .answered
                .replace(key)
                .filter(|(saves, _)| *saves == key.0);
            self.held = same.is_some_and(|(_, at)| (0..HELD).contains(&(self.now - at)));
        }
    }

    /// Returns true if the current key is held down.
    pub fn is_held(&self) -> bool {
        self.held
    }

    /// Returns true if the key before was the first half of this action. A held Esc counts once: its second half would
    /// lose something for good.
    pub fn is_again(&self, action: &Action) -> bool {
        let before = self.half_done_before.as_ref();
        before.is_some_and(|(before, at)| {
            let held = *action == Action::Back && (0..HELD).contains(&(self.now - at));
            before == action && !held
        })
    }

    /// Makes the action count as repeated.
    pub(super) fn insist(&mut self, action: &Action) {
        self.half_done_before = Some((action.clone(), 0));
    }

    /// Waits for the same action from the next key.
    pub fn wait_for_again(&mut self, action: Action) {
        self.half_done = Some((action, self.now));
    }

    /// Returns true if the next key may be the second half of this action.
    pub(super) fn waits_for(&self, action: &Action) -> bool {
        let half_done = self.half_done.as_ref();
        half_done.is_some_and(|(half_done, _)| half_done == action)
    }

    pub fn say(&mut self, text: impl Into<String>) {
        self.notice = Some(Notice::new(text, false));
    }

    /// Says what is not here yet; the message goes when its answer comes.
    pub fn say_until(&mut self, slot: Slot, text: impl Into<String>) {
        self.notice = Some(Notice::new(text, false).lasts(Lasts::UntilAnswer(slot)));
    }

    /// Says that the sign-in goes on.
    pub fn say_signing_in(&mut self, text: &str) {
        self.notice = Some(Notice::new(text, false).lasts(Lasts::UntilSignedIn));
    }

    pub fn complain(&mut self, text: impl Into<String>) {
        self.notice = Some(Notice::new(text, true));
    }

    /// Shows a failure and the possible next step, which is never cut.
    pub fn complain_then(&mut self, text: impl Into<String>, remedy: impl Into<String>) {
        self.notice = Some(Notice::new(text, true).then(remedy));
    }

    /// Shows the path of a written file, unless the end of a write is shown; `y` copies it.
    pub fn wrote(&mut self, text: impl Into<String>, path: String) {
        self.shared.last_path = Some(path.clone());
        self.besides(Notice::new(text, false).then(path).lasts(Lasts::Path));
    }

    /// Shows the end of a write.
    pub fn ended(&mut self, text: impl Into<String>, bad: bool) {
        self.notice = Some(Notice::new(text, bad).lasts(Lasts::EndOfWrite));
    }

    /// Notes if the service has answered.
    pub fn reached(&mut self, reached: bool) {
        let since = self.shared.away_since.unwrap_or(self.now);
        self.shared.away_since = (!reached).then_some(since);
    }

    /// Without an answer a sign-in is impossible, so its remedy is not shown.
    fn as_away(&self, failure: Failure, with_key: bool) -> Failure {
        let is_away = self.shared.away_since.is_some() && !self.shared.signed_in;
        if failure.kind != FailureKind::SignIn || !is_away {
            return failure;
        }
        let again = || "It is tried again by itself.".into();
        Failure {
            kind: FailureKind::Network,
            cause: "the service does not answer".into(),
            remedy: self.sign_in_ended(with_key).unwrap_or_else(again),
            ..failure
        }
    }

    /// Returns the failure of a reading that is repeated by itself, with that as its remedy, if need be with the key that
    /// reads at once. Where nothing was ever read, the address may be wrong: its own remedy stays.
    pub fn repeated(&self, failure: Failure, with_key: bool) -> Failure {
        if failure.waits.is_some() || !self.shared.has_runs {
            return failure;
        }
        let tries = self.reading_key(with_key, "tries now");
        let remedy = format!("It is tried again by itself{tries}.");
        Failure { remedy, ..failure }
    }

    /// Returns the key that reads and what it does, to end a sentence; nothing without the key.
    fn reading_key(&self, with_key: bool, does: &str) -> String {
        let shared = &self.shared;
        // Where text is typed it is a letter. The box of the sign-in is left for it.
        let types = shared.key_table(self.here).is_some_and(|it| it.types);
        if with_key && (!types || self.here == Layer::Login) {
            shared.then_key("; ", Layer::Runs, &Action::Refresh, does)
        } else {
            String::new()
        }
    }

    /// Returns the failure of what a screen reads: it is repeated once the service answers.
    fn unread(&self, failure: Failure, with_key: bool) -> Failure {
        if failure.passes() {
            self.repeated(failure, with_key)
        } else {
            self.as_away(failure, with_key)
        }
    }

    /// Returns the words for a configured sign-in that is not tried again by itself, if need be with the key that does.
    pub(super) fn sign_in_ended(&self, with_key: bool) -> Option<String> {
        let tries = self.reading_key(with_key, "tries again");
        let words = format!("It is not tried again by itself{tries}.");
        self.shared.sign_in_paused.then_some(words)
    }

    /// Records a failure and shows it in one line, unless the end of a write is shown.
    pub fn failed(&mut self, failure: Failure) {
        let failure = self.as_away(failure, true);
        let mut words = failure.line();
        if !failure.remedy.is_empty() && !words.ends_with('.') {
            words.push('.');
        }
        self.besides(Notice::new(words, true).then(failure.remedy.clone()));
        self.errors.push(self.now, failure);
    }

    /// Records and shows the failure of what a screen reads.
    pub fn not_read(&mut self, failure: Failure) {
        self.failed(self.unread(failure, true));
    }

    /// Stores an answer; a failure is shown, too.
    pub fn accept<T>(&mut self, into: &mut Remote<T>, answer: Result<T, Failure>) {
        self.store(into, answer, Self::unread);
    }

    /// Stores what is read before a write; a failure keeps the words that nothing was sent.
    pub fn accept_before_write<T>(&mut self, into: &mut Remote<T>, answer: Result<T, Failure>) {
        self.store(into, answer, Self::as_away);
    }

    fn store<T>(
        &mut self,
        into: &mut Remote<T>,
        answer: Result<T, Failure>,
        said: impl Fn(&Self, Failure, bool) -> Failure,
    ) {
        if let Err(failure) = &answer {
            self.repeats.is_owed |= failure.passes();
            self.failed(said(self, failure.clone(), true));
        }
        // A screen names its own key.
        let answer = answer.map_err(|failure| said(self, failure, false));
        into.accept(answer, self.now);
    }

    /// Shows progress, unless the end of a write is shown.
    pub fn progress(&mut self, text: impl Into<String>) {
        self.besides(Notice::new(text, false));
    }

    /// Shows a message, unless the end of a write is shown.
    pub fn besides(&mut self, notice: Notice) {
        let stays = match self.notice.as_ref().map(|shown| &shown.lasts) {
            Some(Lasts::EndOfWrite) => true,
            Some(Lasts::EndElsewhere) => !notice.bad,
            _ => false,
        };
        if !stays {
            self.notice = Some(notice);
        }
    }

    /// Removes the message about a failure that is over.
    pub fn works_again(&mut self) {
        self.notice.take_if(|notice| {
            notice.bad && !matches!(notice.lasts, Lasts::EndOfWrite | Lasts::EndElsewhere)
        });
    }

    /// Notes the request that is answered now.
    pub(super) fn answers_to(&mut self, id: RequestId) {
        self.asked_at = self.in_flight.asked_at(id).unwrap_or(self.now);
    }

    /// Sends a request; an open one of the same slot is cancelled, unless it writes.
    pub fn request(&mut self, slot: Slot, request: Request) {
        if !slot.writes() {
            self.give_up(&slot);
        }
        let id = self.in_flight.begin(slot, self.now, self.by_key);
        self.effects.push(Effect::Request(id, request));
    }

    /// Requests [`super::Answer::Timer`] after so many milliseconds.
    pub fn timer(&mut self, slot: Slot, after: u64) {
        self.request(slot, Request::Timer { after });
        self.in_flight.pauses(after);
    }

    pub fn under_way(&self, slot: &Slot) -> bool {
        self.in_flight.has(slot)
    }

    /// Asks the list for runs with this short id.
    pub fn find_run(&mut self, slot: Slot, run: &str) {
        let filter = Filter::by_id(run);
        self.request(
            slot,
            Request::ListRuns {
                page: Page::BY_ID,
                sort: Vec::new(),
                filter,
            },
        );
    }

    /// Cancels the open requests of a slot; true if there were any.
    pub fn give_up(&mut self, slot: &Slot) -> bool {
        self.give_up_all(|open| open == slot)
    }

    /// Cancels all requests whose slot fits.
    pub fn give_up_all(&mut self, fits: impl Fn(&Slot) -> bool) -> bool {
        let given_up = self.in_flight.of(fits);
        for (id, _) in &given_up {
            self.in_flight.end(*id);
            self.effects.push(Effect::Cancel(*id));
        }
        !given_up.is_empty()
    }

    /// Cancels the readings of a screen.
    pub fn give_up_of(&mut self, screen: Layer) {
        self.give_up_all(|slot| slot.owner() == Some(screen) && !slot.writes());
    }

    /// Ends requests without cancelling: the last answer was received, or its receiver is gone.
    pub fn end_requests(&mut self, fits: impl Fn(&Slot) -> bool) {
        for (id, _) in self.in_flight.of(fits) {
            self.in_flight.end(id);
        }
    }

    /// Lets no request follow the sent one, whose end is still awaited.
    pub fn stop(&mut self, fits: impl Fn(&Slot) -> bool) -> bool {
        let stopped = self.in_flight.of(fits);
        let ids = stopped.iter().map(|(id, _)| Effect::Cancel(*id));
        self.effects.extend(ids);
        !stopped.is_empty()
    }

    pub fn open(&mut self, what: Open) {
        self.next.push_back(Next::Open(Box::new(what)));
    }

    pub fn choose(
        &mut self,
        title: &'static str,
        kind: PickerKind,
        entries: impl IntoIterator<Item = Entry>,
    ) {
        let entries = entries.into_iter().collect();
        self.open(Open::Choices {
            title,
            kind,
            entries,
        });
    }

    pub fn confirm(&mut self, question: Preview) {
        self.open(Open::Confirm(Box::new(question)));
    }

    pub fn back(&mut self) {
        self.next.push_back(Next::Back);
    }

    pub fn home(&mut self) {
        self.next.push_back(Next::Home);
    }

    pub fn close(&mut self, layer: Layer) {
        self.next.push_back(Next::Close(layer));
    }

    pub fn dispatch(&mut self, action: Action) {
        self.chosen(Choice::Do(action));
    }

    /// Passes an action on that the screen does not handle.
    pub fn anywhere(&mut self, action: Action) {
        self.next.push_back(Next::Anywhere(action));
    }

    pub fn chosen(&mut self, choice: Choice) {
        self.next.push_back(Next::Chosen(choice));
    }

    pub fn send(&mut self, plan: Plan) {
        self.next.push_back(Next::Send(Box::new(plan)));
    }

    pub fn learn(&mut self, fact: Fact) {
        if let Fact::Gone(run) = &fact {
            self.runs(RunsRequest::Gone(run.clone()));
        }
        if let Fact::WroteSuites { adds: false, .. } | Fact::Gone(_) | Fact::Stripped(_) = &fact {
            // It may have been the last run with these suites.
            self.shared.in_no_run.clear();
        }
        self.next.push_back(Next::Learn(fact));
    }

    pub fn copy(&mut self, of: CopyOf, what: CopyWhat, to: CopyTo) {
        self.next.push_back(Next::Copy(of, what, to));
    }

    /// Reports a key without effect; movements and typed text need no message.
    pub fn unused(&mut self, action: &Action) {
        if !action.is_movement() {
            self.of_no_use();
        }
    }

    /// Reports a key without effect, whatever it is.
    pub fn of_no_use(&mut self) {
        self.say("that does nothing here now");
    }

    /// Returns true if the key led to no message and no effect.
    pub(super) fn is_silent(&self) -> bool {
        self.notice.is_none() && self.effects.is_empty()
    }

    /// A key was answered by words alone.
    pub(super) fn is_refused(&self) -> bool {
        self.notice.is_some() && self.effects.is_empty()
    }

    pub(super) fn next(&mut self) -> Option<Next> {
        self.next.pop_front()
    }

    /// Returns true if a write may begin, else shows the reason: a read-only profile, or another change.
    pub fn may_write(&mut self) -> bool {
        if self.shared.is_read_only() {
            self.complain(UNCHANGED);
            return false;
        }
        if self.in_flight.writes() {
            self.complain(UNDER_WAY);
            return false;
        }
        true
    }

    /// Sets the query of a screen to the mirror; returns its number.
    pub fn ask_runs(&mut self, screen: Layer, query: RunsQuery) -> u64 {
        self.questions += 1;
        let number = self.questions;
        let query = Box::new(RunsQuery { number, ..query });
        self.runs(RunsRequest::Ask(screen, query));
        number
    }

    /// Returns the time of the last message, in the zone of the profile.
    pub fn local_now(&self) -> Option<Zoned> {
        local(self.now, self.shared.zone())
    }

    /// Returns the milliseconds since the request that is answered now.
    fn waited(&self) -> i64 {
        self.now - self.asked_at
    }

    /// Passes a page of runs to the mirror, with the filter if it is of a list.
    pub fn saw_page(&mut self, page: RunsPage, list: Option<Filter>) {
        self.runs(RunsRequest::Took(Box::new(page), list, self.waited()));
    }

    /// Passes a run that was read by itself to the mirror as a row, and to the screens with all its known fields.
    pub fn saw_run(&mut self, row: RunRow, run: Arc<Run>) {
        self.runs(RunsRequest::TookRun(Box::new(row), self.waited()));
        self.learn(Fact::Run(run));
    }

    /// Sends a request to the mirror.
    pub fn runs(&mut self, request: RunsRequest) {
        self.effect(Effect::Runs(request));
    }

    /// Sends a request to the drafts on the disk.
    pub fn draft(&mut self, request: DraftRequest) {
        self.effect(Effect::Draft(request));
    }

    /// Reads a run.
    pub fn get_document<T>(&mut self, slot: Slot, run: &DocRef, into: &mut Remote<T>) {
        into.ask();
        let doc_ref = run.clone();
        self.request(slot, Request::GetDocument { doc_ref });
    }

    /// Reads the due dates that were typed here.
    pub fn read_due(&mut self) {
        self.request(Slot::Due, Request::Samples(SampleRequest::Due));
    }

    /// Gives up a pause whose end has passed while the machine slept. Returns true if there was one.
    pub fn ended_in_sleep(&mut self, pause: &Slot) -> bool {
        let due = self.in_flight.due(pause);
        due.is_some_and(|due| self.now > due.saturating_add(SLEPT)) && self.give_up(pause)
    }

    /// Reads what this or another program has kept for all: views and due dates.
    pub fn read_kept(&mut self) {
        self.read_due();
        self.read_views();
    }

    /// Reads the views that were kept from the list.
    pub fn read_views(&mut self) {
        self.request(Slot::Views, Request::Samples(SampleRequest::Views));
    }

    /// Adds an effect without an answer.
    pub fn effect(&mut self, effect: Effect) {
        self.effects.push(effect);
    }

    /// Returns true if the effects so far begin a write.
    pub(super) fn writes(&self) -> bool {
        let slot = |effect: &Effect| match effect {
            Effect::Request(id, _) => self.in_flight.slot(*id),
            _ => None,
        };
        self.effects.iter().filter_map(slot).any(Slot::writes)
    }

    /// Adds an effect before all others.
    pub(super) fn first(&mut self, effect: Effect) {
        self.effects.insert(0, effect);
    }

    /// Takes the effects so far.
    pub(super) fn take(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.effects)
    }
}

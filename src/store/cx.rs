//! What a screen may do besides changing itself: ask, say, and what follows from both.

use std::collections::VecDeque;

use super::{
    Action, Choice, CopyOf, CopyTo, CopyWhat, DraftRequest, Effect, Entry, ErrorLog, Fact,
    InFlight, Layer, Open, PickerKind, Plan, Preview, Remote, RequestId, RunsRequest,
    SampleRequest, Shared, Slot,
};
use crate::domain::{DocRef, Failure, FailureKind, Filter, Page, RunRow, RunsPage};
use crate::mirror::RunsQuery;

/// Milliseconds between two Enters or Escs of a key that is held down, at most: keyboards repeat every 25 to 50.
pub const HELD: i64 = 80;

/// A line for the person, at the foot of the screen until the next key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    pub text: String,
    /// What can be done; seen whole, however long the text is.
    pub remedy: String,
    /// It is about something that went wrong.
    pub bad: bool,
    /// Until the next key only another of these takes its place, and no word of what goes on besides: the end of a write.
    pub stays: bool,
    /// It names a path: it is there until Esc or another message.
    pub has_path: bool,
}

impl Notice {
    pub fn new(text: impl Into<String>, bad: bool) -> Self {
        Self {
            text: text.into(),
            remedy: String::new(),
            bad,
            has_path: false,
            stays: false,
        }
    }
}

/// What the router does once the screen or popup on top is through.
#[derive(Clone, Debug, PartialEq)]
pub enum Next {
    Open(Box<Open>),
    /// The screen on top goes, and the one below is seen.
    Back,
    /// Only the list of runs is left.
    Home,
    /// This screen or popup goes, wherever it lies.
    Close(Layer),
    /// As if a key had been pressed for it, whatever is on top.
    Dispatch(Action),
    /// What works on every screen.
    Anywhere(Action),
    /// Something was chosen in a picker.
    Chosen(Choice),
    /// A preview was answered with yes.
    Send(Box<Plan>),
    Learn(Fact),
    /// A text of these runs goes out of the program.
    Copy(CopyOf, CopyWhat, CopyTo),
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cx {
    /// Time of the last message, epoch milliseconds.
    pub now: i64,
    /// When that was asked which is answered now, else the same.
    asked_at: i64,
    pub notice: Option<Notice>,
    /// Failures so far.
    pub errors: ErrorLog,
    pub in_flight: InFlight,
    pub shared: Shared,
    /// Action that the last key did only half, and when: asked for again, it is done.
    half_done: Option<(Action, i64)>,
    /// The same of the key before.
    half_done_before: Option<(Action, i64)>,
    /// What is asked for now, a key has asked for; what moving the cursor or typing reads ahead is not waited for.
    pub by_key: bool,
    /// The key that answers questions which was pressed last: that it saves, and when, epoch milliseconds.
    answered: Option<(bool, i64)>,
    /// The one that was pressed now followed it too fast.
    held: bool,
    next: VecDeque<Next>,
    effects: Vec<Effect>,
    /// Questions for the runs on this machine, those of other profiles among them.
    questions: u64,
}

impl Cx {
    pub(super) fn new(shared: Shared) -> Self {
        Self {
            shared,
            ..Self::default()
        }
    }

    /// Takes away a message that stays over keys; whether there was one.
    pub(super) fn let_go(&mut self) -> bool {
        self.notice.take_if(|notice| notice.has_path).is_some()
    }

    /// A message comes, at a time (epoch milliseconds).
    pub(super) fn at(&mut self, now: i64) {
        (self.now, self.asked_at) = (now, now);
    }

    /// A key was pressed: what was said is over, but for a path. A key for the sign-in leaves what stays, which was said
    /// before it and has to be seen after it.
    pub(super) fn next_key(&mut self, action: &Action, signs_in: bool) {
        let is_kept = |notice: &Notice| notice.has_path || signs_in && notice.stays;
        self.notice.take_if(|notice| !is_kept(notice));
        self.half_done_before = self.half_done.take();
        self.by_key = !action.is_movement();
    }

    /// Takes note of a key that answers questions.
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

    /// The key that is pressed now is held down.
    pub fn is_held(&self) -> bool {
        self.held
    }

    /// The key before asked for the same, and was told to be pressed again. An Esc that is held down is one Esc: what it
    /// lets go the second time does not come back.
    pub fn is_again(&self, action: &Action) -> bool {
        let before = self.half_done_before.as_ref();
        before.is_some_and(|(before, at)| {
            let held = *action == Action::Back && (0..HELD).contains(&(self.now - at));
            before == action && !held
        })
    }

    /// It is done now, as if it had been asked for twice.
    pub(super) fn insist(&mut self, action: &Action) {
        self.half_done_before = Some((action.clone(), 0));
    }

    /// The next key does it, if it asks for the same.
    pub fn wait_for_again(&mut self, action: Action) {
        self.half_done = Some((action, self.now));
    }

    pub fn say(&mut self, text: impl Into<String>) {
        self.notice = Some(Notice::new(text, false));
    }

    pub fn complain(&mut self, text: impl Into<String>) {
        self.notice = Some(Notice::new(text, true));
    }

    /// Says what went wrong and what can be done, which is never cut.
    pub fn complain_then(&mut self, text: impl Into<String>, remedy: impl Into<String>) {
        self.notice = Some(Notice {
            remedy: remedy.into(),
            ..Notice::new(text, true)
        });
    }

    /// Says which file was written; `y` copies its path.
    pub fn wrote(&mut self, text: impl Into<String>, path: String) {
        self.shared.last_path = Some(path.clone());
        self.notice = Some(Notice {
            remedy: path,
            has_path: true,
            ..Notice::new(text, false)
        });
    }

    /// Says how a write has ended.
    pub fn ended(&mut self, text: impl Into<String>, bad: bool) {
        self.notice = Some(Notice {
            stays: true,
            ..Notice::new(text, bad)
        });
    }

    /// The service has answered, or not.
    pub fn reached(&mut self, reached: bool) {
        let since = self.shared.away_since.unwrap_or(self.now);
        self.shared.away_since = (!reached).then_some(since);
    }

    /// Without an answer nobody can be signed in: who reads on needs not be told to do so.
    fn as_away(&self, failure: Failure) -> Failure {
        let is_away = self.shared.away_since.is_some() && !self.shared.signed_in;
        if failure.kind != FailureKind::SignIn || !is_away {
            return failure;
        }
        Failure {
            kind: FailureKind::Network,
            came_back: "the service does not answer".into(),
            remedy: "It is tried again by itself.".into(),
            ..failure
        }
    }

    /// Keeps a failure and says it in one line, unless something that stays is said there.
    pub fn failed(&mut self, failure: Failure) {
        let failure = self.as_away(failure);
        let mut words = format!("{}: {}", failure.asked, failure.came_back);
        if !failure.remedy.is_empty() && !words.ends_with('.') {
            words.push('.');
        }
        let remedy = failure.remedy.clone();
        self.besides(Notice {
            remedy,
            ..Notice::new(words, true)
        });
        self.errors.push(self.now, failure);
    }

    /// Puts an answer where it is shown; a failure is said, too.
    pub fn accept<T>(&mut self, into: &mut Remote<T>, answer: Result<T, Failure>) {
        let answer = answer.map_err(|failure| self.as_away(failure));
        if let Err(failure) = &answer {
            self.failed(failure.clone());
        }
        into.accept(answer, self.now);
    }

    /// Says how far something is, unless something that stays is said there.
    pub fn progress(&mut self, text: impl Into<String>) {
        self.besides(Notice::new(text, false));
    }

    /// Says what goes on besides, unless something that stays is said there.
    pub fn besides(&mut self, notice: Notice) {
        if !self.notice.as_ref().is_some_and(|notice| notice.stays) {
            self.notice = Some(notice);
        }
    }

    /// What failed works again: nothing is said of it any more.
    pub fn works_again(&mut self) {
        self.notice.take_if(|notice| notice.bad && !notice.stays);
    }

    /// It is the answer to this that comes now.
    pub(super) fn answers_to(&mut self, id: RequestId) {
        self.asked_at = self.in_flight.asked_at(id).unwrap_or(self.now);
    }

    /// Asks; what was asked for the same before and is not answered yet is given up, but for a write.
    pub fn request(&mut self, slot: Slot, effect: impl FnOnce(RequestId) -> Effect) {
        if !slot.writes() {
            self.give_up(&slot);
        }
        let id = self.in_flight.begin(slot, self.now, self.by_key);
        self.effects.push(effect(id));
    }

    /// [`super::Answer::Timer`] comes after so many milliseconds.
    pub fn timer(&mut self, slot: Slot, after: u64) {
        self.request(slot, |id| Effect::Timer { id, after });
        self.in_flight.pauses(after);
    }

    pub fn under_way(&self, slot: &Slot) -> bool {
        self.in_flight.has(slot)
    }

    /// Asks the list for the runs with this short id.
    pub fn find_run(&mut self, slot: Slot, run: &str) {
        let filter = Filter::by_id(run);
        self.request(slot, |id| Effect::ListRuns {
            id,
            page: Page::BY_ID,
            sort: Vec::new(),
            filter,
        });
    }

    /// Nobody waits for the answer any more; whether somebody did.
    pub fn give_up(&mut self, slot: &Slot) -> bool {
        self.give_up_all(|open| open == slot)
    }

    /// The same of all for which this holds.
    pub fn give_up_all(&mut self, fits: impl Fn(&Slot) -> bool) -> bool {
        let given_up = self.in_flight.of(fits);
        for (id, _) in &given_up {
            self.in_flight.end(*id);
            self.effects.push(Effect::Cancel(*id));
        }
        !given_up.is_empty()
    }

    /// Nobody waits any more for what a screen reads.
    pub fn give_up_of(&mut self, screen: Layer) {
        self.give_up_all(|slot| slot.owner() == Some(screen) && !slot.writes());
    }

    /// Nothing is waited for any more, as the last of several answers is here or nobody can take it.
    pub fn over(&mut self, fits: impl Fn(&Slot) -> bool) {
        for (id, _) in self.in_flight.of(fits) {
            self.in_flight.end(id);
        }
    }

    /// No request follows the one that is out; its end is still waited for.
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
        self.next.push_back(Next::Dispatch(action));
    }

    /// Hands on what a screen has no meaning of its own for.
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
            self.effect(Effect::Runs(RunsRequest::Gone(run.clone())));
        }
        if let Fact::WroteSuites { adds: false, .. } = &fact {
            // It may have been the last run that had them.
            self.shared.in_no_run.clear();
        }
        self.next.push_back(Next::Learn(fact));
    }

    pub fn copy(&mut self, of: CopyOf, what: CopyWhat, to: CopyTo) {
        self.next.push_back(Next::Copy(of, what, to));
    }

    /// A key that changes nothing here; movements at their end and typed text need no answer.
    pub fn unused(&mut self, action: &Action) {
        if !action.is_movement() {
            self.say("that does nothing here now");
        }
    }

    /// The key has asked for nothing and was not answered.
    pub(super) fn is_silent(&self) -> bool {
        self.notice.is_none() && self.effects.is_empty()
    }

    pub(super) fn next(&mut self) -> Option<Next> {
        self.next.pop_front()
    }

    /// Nothing is written in a read-only profile, nor while another change is under way; says so.
    pub fn may_write(&mut self) -> bool {
        if self.shared.is_read_only() {
            self.complain("read-only profile: nothing is changed from here");
            return false;
        }
        if !self
            .in_flight
            .of(|slot| slot.writes() && *slot != Slot::DeleteElsewhere)
            .is_empty()
        {
            self.complain("another change is under way: wait for its answer");
            return false;
        }
        true
    }

    /// Asks the runs on this machine what a screen shows from now on; the number of the question.
    pub fn ask_runs(&mut self, screen: Layer, query: RunsQuery) -> u64 {
        self.questions += 1;
        let number = self.questions;
        let query = Box::new(RunsQuery { number, ..query });
        self.effect(Effect::Runs(RunsRequest::Ask(screen, query)));
        number
    }

    /// Milliseconds since that was asked which is answered now.
    fn waited(&self) -> i64 {
        self.now - self.asked_at
    }

    /// Hands on a page that tells how runs are now.
    pub fn saw_page(&mut self, page: RunsPage) {
        self.effect(Effect::Runs(RunsRequest::Took(
            Box::new(page),
            None,
            self.waited(),
        )));
    }

    /// The same of a page of this list.
    pub fn saw_list(&mut self, page: RunsPage, list: Filter) {
        let told = RunsRequest::Took(Box::new(page), Some(list), self.waited());
        self.effect(Effect::Runs(told));
    }

    /// Hands on a run that was read by itself.
    pub fn saw_run(&mut self, row: &RunRow) {
        let run = Box::new(row.clone());
        self.effect(Effect::Runs(RunsRequest::TookRun(
            run.clone(),
            self.waited(),
        )));
        self.learn(Fact::Row(run));
    }

    /// Something is done to the drafts on the disk.
    pub fn draft(&mut self, request: DraftRequest) {
        self.effect(Effect::Draft(request));
    }

    /// Reads a run.
    pub fn get_document<T>(&mut self, slot: Slot, run: &DocRef, into: &mut Remote<T>) {
        into.ask();
        let doc_ref = run.clone();
        self.request(slot, |id| Effect::GetDocument { id, doc_ref });
    }

    /// Reads the due dates that were typed here.
    pub fn read_due(&mut self) {
        self.request(Slot::Due, |id| Effect::Samples(SampleRequest::Due { id }));
    }

    /// Reads the views that were kept from the list, here or by another program.
    pub fn read_views(&mut self) {
        self.request(Slot::Views, |id| {
            Effect::Samples(SampleRequest::Views { id })
        });
    }

    /// What nobody answers.
    pub fn effect(&mut self, effect: Effect) {
        self.effects.push(effect);
    }

    /// What is wanted by now.
    pub(super) fn take(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.effects)
    }
}

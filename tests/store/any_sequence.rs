//! Any sequence of actions and events, late and foreign replies included.

use crate::support::prelude::*;
use proptest::prelude::*;
use rundown::app::draw::SMALLEST;
use rundown::domain::release::releases;
use rundown::domain::{DraftTaken, FieldDigests, Sort, Sums};
use rundown::forecast::{Counted, Finish, History, NoForecast, Outlook, WhatIf};
use rundown::screens::runs::MOST_MARKS;
use rundown::store::CopyWhat;

use super::deeds::{answer_deed, undo};
use super::sample::opened;

/// Seconds between two readings by themselves: longer than any other pause.
const EVERY: u64 = 3_600;

#[derive(Clone, Debug)]
enum Step {
    Act(Action),
    /// The answer to one of the open requests, counted from the oldest.
    Answer(usize, Answered),
    /// An answer that nobody waits for.
    Foreign(u64),
    Resize(u16, u16),
    /// Runs are put before a place of the list at the service, or taken away there.
    Insert(usize),
    Remove(usize),
    /// The word that arms a deletion is typed, if there is one.
    TypeWord,
    Event(Event),
}

#[derive(Clone, Copy, Debug)]
pub enum Answered {
    Right,
    Clamped,
    Empty,
    Failed,
    TooLarge,
    Refused,
}

fn action() -> impl Strategy<Value = Action> {
    let motion = prop::sample::select(vec![
        Motion::Up,
        Motion::Down,
        Motion::HalfPageUp,
        Motion::HalfPageDown,
        Motion::PageUp,
        Motion::PageDown,
        Motion::First,
        Motion::Last,
    ]);
    let plain = prop::sample::select(vec![
        Action::Open,
        Action::Back,
        Action::Cancel,
        Action::Filter,
        Action::Facets,
        Action::Sort,
        Action::SortBy("failed"),
        Action::SortBy("title"),
        Action::Columns,
        Action::Preview,
        Action::Refresh,
        Action::Raw,
        Action::Copy(CopyWhat::Json),
        Action::Copy(CopyWhat::Id),
        Action::Copy(CopyWhat::Plain),
        Action::Show(Layer::CopyMenu),
        Action::CopyToFile,
        Action::NextPart,
        Action::PreviousPart,
        Action::Part(2),
        Action::LastScreen,
        Action::NextScreen,
        Action::Unbound("x".into()),
        Action::Help,
        Action::Show(Layer::Errors),
        Action::Palette,
        Action::SignIn,
        Action::Toggle,
        Action::NextField,
        Action::PreviousField,
        Action::NextMatch,
        Action::PreviousMatch,
        Action::Mark,
        Action::MarkAll,
        Action::Monitor,
        Action::Slower,
        Action::Faster,
        Action::Limit,
        Action::DueDate,
        Action::Show(Layer::Changes),
        Action::Show(Layer::Board),
        Action::Show(Layer::Compare),
        Action::Sort,
        Action::Pin,
        Action::Shift(Motion::Down),
        Action::Shift(Motion::Up),
        Action::Wider,
        Action::Narrower,
        Action::Export,
        Action::Bell,
    ]);
    let deeds = prop::sample::select(vec![
        Action::Mark,
        Action::MarkRange,
        Action::MarkAll,
        Action::Delete,
        Action::Undo,
        Action::UndoLast,
        Action::Show(Layer::Journal),
        Action::Show(Layer::Available),
        Action::Show(Layer::Attached),
        Action::NextField,
        Action::Open,
    ]);
    prop_oneof![
        6 => motion.prop_map(Action::Move),
        5 => plain,
        3 => deeds,
        1 => (0u16..60).prop_map(Action::Point),
        2 => prop::char::any().prop_map(|c| Action::Type(KeyEvent::from(KeyCode::Char(c)))),
        1 => Just(Action::Type(KeyEvent::from(KeyCode::Backspace))),
        1 => ".{0,20}".prop_map(|text| Action::Paste(text.into())),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    let outcome = prop::sample::select(vec![
        Answered::Right,
        Answered::Right,
        Answered::Right,
        Answered::Clamped,
        Answered::Empty,
        Answered::Failed,
        Answered::TooLarge,
        Answered::Refused,
    ]);
    let event = prop::sample::select(vec![
        Event::SignedIn { user: "qa".into() },
        Event::SignInNeeded {
            user: String::new(),
            why: SignInReason::SessionEnded("x".into()),
        },
        Event::Connected(Box::new(session())),
        Event::NotConnected(failure()),
        Event::SignInFailed {
            failure: failure(),
            sent: true,
        },
        Event::Trouble(failure()),
        Event::Preparing { done: 1, total: 0 },
        Event::Focus(false),
        Event::Focus(true),
    ]);
    prop_oneof![
        8 => action().prop_map(Step::Act),
        6 => (0usize..6, outcome).prop_map(|(place, outcome)| Step::Answer(place, outcome)),
        1 => any::<u64>().prop_map(Step::Foreign),
        1 => (0u16..160, 0u16..60).prop_map(|(width, height)| Step::Resize(width, height)),
        1 => (0usize..400).prop_map(Step::Insert),
        1 => (0usize..400).prop_map(Step::Remove),
        1 => Just(Step::TypeWord),
        1 => event.prop_map(Step::Event),
    ]
}

/// What the samples of some run tell.
fn history() -> History {
    History {
        samples: 2,
        from: NOW - 7_200_000,
        to: NOW,
        points: (0..256)
            .map(|place| {
                (place % 5 != 0).then_some(Sums {
                    total: 116,
                    done: place / 4,
                })
            })
            .collect(),
        state: Some(Sums {
            total: 116,
            done: 64,
        }),
        outlook: Outlook::Refused(NoForecast::FewSamples(2)),
        moved: Vec::new(),
    }
}

/// The list at the service.
pub struct Truth {
    pub runs: Vec<RunRow>,
    next: u64,
}

impl Truth {
    /// A run is made at the end of the list.
    pub fn add(&mut self) -> Document {
        self.next += 1;
        self.runs.push(row(self.next));
        document(self.next)
    }

    fn page(&self, page: Page) -> RunsPage {
        let rows = self
            .runs
            .iter()
            .skip(page.offset as usize)
            .take(page.limit as usize)
            .cloned();
        RunsPage {
            full_size: self.runs.len() as u64,
            rows: rows.collect(),
            facets: Some(Vec::new()),
            operation: Some(RunsOperation::ListTestRuns),
        }
    }
}

fn answer(sample: &mut Sample, effect: &Effect, truth: &mut Truth, outcome: Answered) {
    let failed = |kind| {
        let mut failure = failure();
        failure.kind = kind;
        Err(failure)
    };
    match effect {
        Effect::Request(id, Request::ListRuns { page, .. }) => {
            let mut right = truth.page(*page);
            let result = match outcome {
                Answered::Right => Ok(right),
                Answered::Clamped => {
                    right.rows.truncate(3);
                    Ok(right)
                }
                Answered::Empty => {
                    right.rows.clear();
                    Ok(right)
                }
                Answered::Failed => failed(FailureKind::Network),
                Answered::TooLarge => failed(FailureKind::PageTooLarge),
                Answered::Refused => failed(FailureKind::Refused),
            };
            sample.runs(*id, result);
        }
        Effect::Request(id, Request::ReadRuns { depth, lists, .. }) => {
            let mut service = |page, _: &[Sort], filter: &Filter| {
                let mut right = truth.page(page);
                match outcome {
                    Answered::Failed => return failed(FailureKind::Network),
                    Answered::TooLarge => return failed(FailureKind::PageTooLarge),
                    Answered::Refused => return failed(FailureKind::Refused),
                    Answered::Empty => right.rows.clear(),
                    Answered::Clamped => right.rows.truncate(3),
                    Answered::Right => {}
                }
                let _ = filter;
                Ok(right)
            };
            sample.read_runs(*id, (*depth, lists.clone()), &mut service);
        }
        Effect::Request(id, Request::GetDocument { .. }) => {
            let result = if matches!(outcome, Answered::Right) {
                Ok(Box::new(opened(7)))
            } else {
                Err(failure())
            };
            sample.reply(*id, Answer::Document(result));
        }
        Effect::Request(id, Request::ReadJson { .. }) => {
            let result = if matches!(outcome, Answered::Right) {
                Ok("{}".to_owned())
            } else {
                Err(failure())
            };
            sample.reply(*id, Answer::Json(result));
        }
        Effect::Request(id, Request::Samples(SampleRequest::History { .. })) => {
            let result = if matches!(outcome, Answered::Failed) {
                Err(failure())
            } else {
                Ok(Box::new(history()))
            };
            sample.reply(*id, Answer::History(result));
        }
        Effect::Request(id, Request::Samples(SampleRequest::Finish { runs })) => {
            let no = Outlook::Refused(NoForecast::NoSamples);
            let alone = runs.iter().map(|run| (run.run.clone(), no.clone()));
            let finish = Finish {
                alone: alone.collect(),
                outlook: no.clone(),
                counted: Counted::Always,
            };
            let found = (!matches!(outcome, Answered::Failed)).then_some(finish);
            sample.reply(*id, Answer::Finish(found.map(Box::new)));
        }
        Effect::Request(id, Request::Samples(SampleRequest::Due)) => {
            let due = DueDates {
                runs: [
                    (row(1).doc_ref, NOW - 1),
                    (row(2).doc_ref, NOW + 86_400_000),
                ]
                .into(),
                ..DueDates::default()
            };
            let found = (!matches!(outcome, Answered::Failed)).then_some(due);
            sample.reply(*id, Answer::Due(found));
        }
        Effect::Request(id, Request::Samples(SampleRequest::WhatIf { extra, .. })) => {
            let no = Outlook::Refused(NoForecast::NoSamples);
            let what_if = Box::new(WhatIf {
                extra: *extra,
                now: no.clone(),
                then: no,
            });
            sample.reply(*id, Answer::WhatIf(Ok(what_if)));
        }
        Effect::Request(id, Request::AddUpReleases { runs, kinds, done }) => {
            let lines = releases(runs.iter().map(|run| run.row()), kinds, done);
            sample.reply(*id, Answer::Releases(lines));
        }
        Effect::Request(id, Request::TakeDraft { .. }) => {
            let result = if matches!(outcome, Answered::Failed) {
                Err(failure())
            } else {
                Ok(Box::new(DraftTaken {
                    key: id.0.to_string(),
                    before: None,
                    other: None,
                }))
            };
            sample.reply(*id, Answer::DraftTaken(result));
        }
        Effect::Draft(DraftRequest::Keep(draft, _)) => {
            let result = if matches!(outcome, Answered::Failed) {
                Err(failure())
            } else {
                Ok(draft.at)
            };
            let key = draft.key.clone();
            sample.event(Event::DraftKept { key, result });
        }
        Effect::Request(id, Request::Timer { .. }) => sample.reply(*id, Answer::Timer),
        deed => answer_deed(sample, deed, truth, outcome),
    }
}

fn is_of_drafts(effect: &Effect) -> bool {
    matches!(
        effect,
        Effect::Request(_, Request::TakeDraft { .. }) | Effect::Draft(DraftRequest::Keep(..))
    )
}

fn take(sample: &mut Sample, place: usize) -> Option<Effect> {
    let is_open = |effect: &Effect| {
        let reads = matches!(
            effect,
            Effect::Request(
                _,
                Request::ListRuns { .. }
                    | Request::ReadRuns { .. }
                    | Request::GetDocument { .. }
                    | Request::ReadJson { .. }
                    | Request::Samples(
                        SampleRequest::History { .. }
                            | SampleRequest::Finish { .. }
                            | SampleRequest::Due
                    )
                    | Request::AddUpReleases { .. }
                    | Request::Timer { .. }
            )
        );
        let suites = matches!(
            effect,
            Effect::Request(
                _,
                Request::Survey { .. } | Request::ReadAvailable { .. } | Request::ChangeSuites(_)
            )
        );
        let steps = matches!(
            effect,
            Effect::Request(
                _,
                Request::CheckEmpty { .. } | Request::Delete(_) | Request::Create(_)
            )
        );
        let journal = matches!(
            effect,
            Effect::Request(_, Request::PlanUndo(_) | Request::ReadJournal { run: None })
        );
        let own = matches!(
            effect,
            Effect::Request(_, Request::Samples(SampleRequest::WhatIf { .. }))
        ) || is_of_drafts(effect);
        reads || suites || steps || journal || own
    };
    sample.open.retain(is_open);
    (!sample.open.is_empty()).then(|| {
        let place = place % sample.open.len();
        sample.open.remove(place)
    })
}

/// A key of the place means it.
fn is_bound(sample: &Sample, action: &Action) -> bool {
    let tables = sample.store.key_table(sample.store.layer()).into_iter();
    let mut commands = tables.flat_map(|table| &table.commands);
    commands.any(|command| command.action == *action && !command.keys.is_empty())
}

/// A key changes what is seen, asks for something or is answered, but for a movement at its end and typed text.
fn is_answered(before: &Sample, after: &Sample, action: &Action) -> Result<(), TestCaseError> {
    let layer = before.store.layer();
    let too_small = after.size.0 < SMALLEST.0 || after.size.1 < SMALLEST.1;
    if !is_bound(before, action) || too_small || action.is_movement() {
        return Ok(());
    }
    // Tab after Shift-Tab: the answer to both stands there.
    let tabs = matches!(action, Action::NextField | Action::PreviousField);
    if tabs && before.screen().contains("nothing here begins with") {
        return Ok(());
    }
    let said = after.store.notice().is_some() || after.open.len() != before.open.len();
    let seen = || after.draw().0 != before.draw().0;
    prop_assert!(
        said || seen(),
        "{action:?} in {layer:?}:\n{}",
        after.screen()
    );
    Ok(())
}

fn check(sample: &Sample) -> Result<(), TestCaseError> {
    let runs = &sample.store.runs();
    let scroll = runs.list.scroll;
    if let Some(len) = runs.len() {
        prop_assert!(
            scroll.cursor < len.max(1),
            "the cursor {} is behind the end {len}",
            scroll.cursor
        );
        prop_assert!(
            scroll.top <= scroll.cursor && scroll.cursor < scroll.top + scroll.height,
            "{scroll:?} of {len}"
        );
    }
    prop_assert!(runs.list.marks.len() <= MOST_MARKS);
    if let Some(flow) = sample.store.delete() {
        prop_assert!(
            !flow.writing() || flow.armed(),
            "nothing is deleted before the id is typed"
        );
    }
    for c in sample.screen().chars() {
        prop_assert!(!c.is_control() || c == '\n', "{c:?} on the screen");
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: crate::support::cases(40), max_shrink_iters: 2_000, ..ProptestConfig::default() })]

    #[test]
    fn nothing_panics_and_the_cursor_is_on_an_existing_row(
        size in 0u64..400,
        page_size in prop::sample::select(vec![1u32, 7, 50, 1_000]),
        refresh_seconds in prop::sample::select(vec![0, EVERY]),
        steps in prop::collection::vec(step(), 1..80),
        changes in prop::collection::vec((any::<bool>(), 0usize..400), 0..6),
    ) {
        let mut truth = Truth { runs: (0..size).map(row).collect(), next: size };
        let mut sample = Sample::new((80, 24));
        let session = || Session { page_size, refresh_seconds, ..session() };
        sample.event(Event::Connected(Box::new(session())));
        sample.event(Event::SignedIn { user: "qa".into(), });
        let (mut connected, mut pressed) = (true, None);
        for step in steps {
            match step {
                // Nothing shows words that are typed in a list without a key for its search.
                Step::Act(Action::Filter) if !is_bound(&sample, &Action::Filter) => {}
                Step::Act(action) => {
                    let before = sample.clone();
                    sample.act(action.clone());
                    // Pressed again, its answer may stand there already.
                    if pressed.replace(action.clone()) != Some(action.clone()) {
                        is_answered(&before, &sample, &action)?;
                    }
                }
                Step::Answer(place, outcome) => {
                    if let Some(effect) = take(&mut sample, place) {
                        answer(&mut sample, &effect, &mut truth, outcome);
                    }
                }
                Step::TypeWord => {
                    if let Some(flow) = sample.store.delete() {
                        let word = flow.word();
                        sample.act(Action::Paste(word.into()));
                    }
                }
                Step::Foreign(id) => {
                    let page = truth.page(FIRST);
                    sample.runs(RequestId(id), Ok(page));
                    let id = RequestId(id);
                    sample.reply(id, Answer::Document(Ok(Box::new(opened(1)))));
                    sample.reply(id, Answer::History(Ok(Box::new(history()))));
                    sample.reply(id, Answer::Deleted(Outcome::done("x")));
                    sample.reply(id, Answer::Emptiness(Ok(true)));
                    sample.reply(id, Answer::UndoPlanned(Ok(Box::new(undo(Answered::Right)))));
                }
                Step::Resize(width, height) => {
                    sample.size = (width, height);
                    sample.event(Event::Trouble(failure()));
                }
                Step::Insert(place) => {
                    truth.next += 1;
                    let place = place.min(truth.runs.len());
                    truth.runs.insert(place, row(truth.next));
                }
                Step::Remove(place) => {
                    if place < truth.runs.len() {
                        truth.runs.remove(place);
                    }
                }
                Step::Event(event) => {
                    connected = match event {
                        Event::NotConnected(_) => false,
                        Event::Connected(_) => true,
                        _ => connected,
                    };
                    sample.event(event);
                }
            }
            check(&sample)?;
        }
        // All is answered now: signed in, the list shows what the service has, under the cursor too.
        sample.size = (80, 24);
        if !connected {
            sample.event(Event::Connected(Box::new(session())));
        }
        sample.event(Event::SignedIn { user: "qa".into(), });
        // The runs of a cell, a range of marks and words go one after the other.
        back_until(&mut sample, &mut truth, |sample| {
            matches!(sample.store.layer(), Layer::Runs) && sample.store.runs().list.search.text().is_empty()
        });
        // All runs, in the order of the service.
        sample.act(Action::Part(5));
        let newest = rundown::store::Choice::Sort("display_edited_on");
        sample.act(Action::Chosen(Box::new(newest)));
        // The plan of an undo would open its preview over the list.
        sample.open.retain(|effect| !matches!(effect, Effect::Request(_, Request::PlanUndo(_))));
        settle(&mut sample, &mut truth);
        check(&sample)?;
        shows_the_truth(&sample, &truth)?;
        // Others write meanwhile: the cursor stays on its run.
        let pinned = sample.store.runs().current().map(|run| run.doc_ref.clone());
        let visible = sample.store.runs().list.scroll;
        for (insert, place) in changes {
            if insert {
                truth.next += 1;
                let place = place.min(truth.runs.len());
                truth.runs.insert(place, row(truth.next));
            } else if place < truth.runs.len() {
                truth.runs.remove(place);
            }
        }
        settle(&mut sample, &mut truth);
        check(&sample)?;
        shows_the_truth(&sample, &truth)?;
        if let Some(pinned) = pinned {
            let now = truth.runs.iter().position(|run| run.doc_ref == pinned);
            let near = |place: &usize| (visible.top..visible.top + visible.height).contains(place);
            if now.as_ref().is_some_and(near) {
                let current = sample.store.runs().current();
                prop_assert_eq!(current.map(|run| run.doc_ref.clone()), Some(pinned));
            }
        }
    }
}

/// Esc leads out of everything.
fn back_until(sample: &mut Sample, truth: &mut Truth, there: impl Fn(&Sample) -> bool) {
    // Nobody leaves a review whose write is under way, nor a form whose texts the disk does not take.
    let holds = |effect: &Effect| {
        is_of_drafts(effect) || matches!(effect, Effect::Request(_, Request::Create(_)))
    };
    for _ in 0..100 {
        while let Some(place) = sample.open.iter().position(holds) {
            let effect = sample.open.remove(place);
            answer(sample, &effect, truth, Answered::Right);
        }
        if there(sample) {
            return;
        }
        sample.act(Action::Back);
    }
    panic!("Esc does not lead out of this:\n{}", sample.screen());
}

/// Reads again and answers all that is asked for.
fn settle(sample: &mut Sample, truth: &mut Truth) {
    // What runs are is not what this compares.
    sample.store.screens.runs.chosen.flags.clear();
    sample.store.screens.runs.begin_anew();
    sample.act(Action::SyncAll);
    // It answers all calls from here on.
    sample.event(Event::Reached(true));
    for _ in 0..5_000 {
        let Some(effect) = take(sample, 0) else {
            return;
        };
        if matches!(effect, Effect::Request(_, Request::Timer { after }) if after > EVERY * 500) {
            // The next reading by itself: there is always one.
            continue;
        }
        answer(sample, &effect, truth, Answered::Right);
    }
    panic!("there is no end to the requests");
}

fn shows_the_truth(sample: &Sample, truth: &Truth) -> Result<(), TestCaseError> {
    let runs = &sample.store.runs();
    prop_assert_eq!(runs.len(), Some(truth.runs.len()));
    let mut shown: Vec<RunRow> = runs.runs().iter().map(|run| run.row()).collect();
    let mut there: Vec<RunRow> = truth.runs.clone();
    for rows in [&mut shown, &mut there] {
        for row in rows.iter_mut() {
            row.digests = FieldDigests::default();
        }
        rows.sort_by(|a, b| a.doc_ref.cmp(&b.doc_ref));
    }
    prop_assert_eq!(shown, there);
    Ok(())
}

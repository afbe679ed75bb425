//! Any order of keys and answers: nothing is deleted before its id was typed and it was looked at, and nothing twice.

use crate::support::prelude::*;
use proptest::prelude::*;
use rundown::attached::Attached;
use rundown::ops::{Do, Operation};
use rundown::popups::DeletedRun;

use super::deleting::{closed, complete, empty, partial, trouble};

#[derive(Clone, Debug)]
enum Step {
    Press(Action),
    TypeWord,
    /// The word and Enter.
    TypeAndDelete,
    Answer(u8),
    OtherProfile,
}

fn step() -> impl Strategy<Value = Step> {
    let keys = prop::sample::select(vec![
        Action::Open,
        Action::Open,
        Action::NextField,
        Action::NextField,
        Action::PreviousField,
        Action::Delete,
        Action::Mark,
        Action::Back,
        Action::Cancel,
        Action::Refresh,
    ]);
    prop_oneof![
        10 => keys.prop_map(Step::Press),
        2 => Just(Step::TypeWord),
        4 => Just(Step::TypeAndDelete),
        // Mostly answers that lead on.
        12 => (0u8..20).prop_map(Step::Answer),
        1 => Just(Step::OtherProfile),
    ]
}

#[derive(Default)]
struct Guard {
    /// What was said of each run since it was last asked about: whether it is empty, and that it may go.
    looked: BTreeSet<DocRef>,
    writing: bool,
    seen: BTreeSet<u64>,
    /// Runs that the service has called gone, until they are looked at again: another profile may have one of the same
    /// name.
    gone: BTreeSet<DocRef>,
    deletions: usize,
}

impl Guard {
    /// Looks at what was sent since the last look.
    fn look(&mut self, sample: &mut Sample, read_only: bool) -> Result<(), TestCaseError> {
        for effect in sample.sent() {
            let (id, deleting) = match &effect {
                Effect::Request(_, Request::Survey { run, .. }) => {
                    self.looked.remove(run);
                    self.gone.remove(run);
                    continue;
                }
                Effect::Request(id, Request::Delete(deleting)) => (id, deleting),
                _ => continue,
            };
            prop_assert!(!read_only, "{effect:?} in a read-only profile");
            prop_assert!(self.seen.insert(id.0), "sent twice: {effect:?}");
            prop_assert!(!self.writing, "another write is under way: {effect:?}");
            self.writing = true;
            self.deletions += 1;
            let run = &deleting.run.doc_ref;
            prop_assert!(self.looked.contains(run), "not looked at: {effect:?}");
            let sure: BTreeSet<_> = deleting
                .attached()
                .into_iter()
                .flat_map(Attached::sure)
                .map(|named| named.suite.clone())
                .collect();
            let goes = matches!(deleting.clone().next(), Do::Step(_));
            prop_assert!(goes, "a person has said yes: {effect:?}");
            for (suite, _) in deleting
                .plan()
                .0
                .map(|change| change.suites.clone())
                .unwrap_or_default()
            {
                prop_assert!(sure.contains(&suite), "{effect:?}");
            }
            let flow = sample.delete_box();
            let typed = flow.text.text().trim();
            let word = flow.word();
            prop_assert_eq!(typed, word.trim(), "typed before {:?}", effect);
        }
        Ok(())
    }

    fn answer(&mut self, sample: &mut Sample, how: u8) {
        let Some(flow) = sample.store.delete() else {
            return;
        };
        let Some((id, place)) = sample.store.asked_to_delete() else {
            return;
        };
        let run = flow.runs[place].deleting.run.doc_ref.clone();
        let number: u64 = run.as_str().rsplit('-').next().unwrap().parse().unwrap();
        if flow.writing() {
            self.writing = false;
            if how < 12 {
                self.gone.insert(run);
            }
            return sample.ended(match how {
                0..12 => Outcome::done("not found any more"),
                12..16 => Outcome::refused("the service answered false"),
                _ => Outcome::unknown("the connection broke"),
            });
        }
        let failure = || trouble("reading", "no connection");
        if flow.runs[place].deleting.attached().is_some() {
            let result = if how < 18 {
                Ok(how < 15)
            } else {
                Err(failure())
            };
            sample.reply(id, Answer::Emptiness(result));
        } else {
            let attached: Option<Box<Attached>> = match how {
                0..8 => Some(empty(number)),
                8..13 => Some(complete(number)),
                13..16 => Some(partial(number)),
                16 => Some(closed(number, None)),
                17 => Some(closed(number, Some(false))),
                _ => None,
            };
            let result = attached.ok_or_else(failure);
            sample.reply(id, Answer::Surveyed(result));
        }
        if let Some(flow) = sample.store.delete()
            && let Some(looked) = flow.runs.get(place)
            && matches!(looked.deleting.clone().next(), Do::Ask | Do::Step(_))
        {
            self.looked.insert(run);
        }
    }
}

fn type_word(sample: &mut Sample) {
    if let Some(flow) = sample.store.delete() {
        let word = flow.word();
        if flow.typing() {
            let clears = KeyEvent::new(KeyCode::Char('u'), KeyModifiers::CONTROL);
            sample.act(Action::Type(clears));
        }
        sample.act(Action::Paste(word.into()));
    }
}

fn played(read_only: bool, steps: &[Step]) -> Result<usize, TestCaseError> {
    let mut sample = Sample::new((80, 24));
    let sign_in = |sample: &mut Sample| {
        sample.connect(|it| it.read_only = read_only);
        sample.let_in();
        sample.answer(6);
    };
    sign_in(&mut sample);
    let mut guard = Guard::default();
    for step in steps {
        match step {
            Step::Press(action) => {
                // The screen of suites has tests of its own.
                if sample.store.screen() == Layer::Attached {
                    sample.act(Action::Back);
                }
                sample.act(action.clone());
            }
            Step::TypeWord => type_word(&mut sample),
            Step::TypeAndDelete => {
                type_word(&mut sample);
                sample.act(Action::Open);
            }
            Step::Answer(how) => guard.answer(&mut sample, *how),
            Step::OtherProfile => {
                let left = sample.store.delete().filter(|flow| flow.writing());
                let left = left.map(|flow| {
                    let (id, place) = sample.store.asked_to_delete().unwrap();
                    let end = Outcome::done("not found any more");
                    (id, flow.runs[place].deleting.end(end))
                });
                sign_in(&mut sample);
                if let Some((id, end)) = left {
                    sample.reply(id, Answer::Deleted(end));
                }
                guard.writing = false;
            }
        }
        guard.look(&mut sample, read_only)?;
        if let Some(flow) = sample.store.delete() {
            let page = sample.screen();
            let is_there =
                |run: &&DeletedRun| !run.gone() && !guard.gone.contains(&run.deleting.run.doc_ref);
            for run in flow.runs.iter().filter(is_there) {
                prop_assert!(
                    !page.contains(&format!("{} deleted", run.name())),
                    "a claim before the service said so:\n{page}"
                );
            }
        }
    }
    Ok(guard.deletions)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: crate::support::cases(30), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_write_has_its_steps_before_it(steps in prop::collection::vec(step(), 20..100)) {
        played(false, &steps)?;
    }

    #[test]
    fn read_only_writes_nothing(steps in prop::collection::vec(step(), 20..60)) {
        prop_assert_eq!(played(true, &steps)?, 0);
    }
}

/// The property is worth something only if deletions are reached.
#[test]
fn the_shortest_way_through_all_steps_is_one_of_the_orders() {
    let answer = || Step::Answer(0);
    let steps = [
        Step::Press(Action::Delete),
        answer(),
        answer(),
        Step::TypeAndDelete,
        answer(),
    ];
    assert_eq!(played(false, &steps).unwrap(), 1);
    // The run of that name of another profile goes once the answer for the first is here.
    let before = steps[..4].iter().cloned();
    let again = [Step::OtherProfile].into_iter().chain(steps.clone());
    let steps = before.chain(again).chain([Step::Press(Action::Back)]);
    assert_eq!(played(false, &steps.collect::<Vec<_>>()).unwrap(), 2);
}

//! Any order of keys and answers: nothing is removed or deleted without the steps before it, and nothing twice.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use rundown::attached::{Attached, Trust};
use rundown::domain::{DocRef, Outcome};
use rundown::store::{Action, Ask, Effect, Event, Screen, Session};

use super::deleting::{closed, complete, empty, partial, trouble};
use super::sample::{Sample, session};

#[derive(Clone, Debug)]
enum Step {
    Press(Action),
    TypeWord,
    /// The word and the keys that lead from the field to the deletion.
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

/// What the service and the disk have said of one run since the steps were begun.
#[derive(Default)]
struct Said {
    copy: Option<String>,
    sure: BTreeSet<DocRef>,
    /// The last word of `CHECK_TEST_RUN_EMPTY`, unless something was written since.
    is_empty: bool,
}

#[derive(Default)]
struct Guard {
    said: BTreeMap<DocRef, Said>,
    writing: bool,
    seen: BTreeSet<u64>,
    deletions: usize,
}

impl Guard {
    /// Looks at what was sent since the last look.
    fn look(&mut self, sample: &mut Sample, read_only: bool) -> Result<(), TestCaseError> {
        for effect in sample.sent() {
            let (id, run, deletes) = match &effect {
                Effect::ChangeSuites { id, change } => (id, &change.run, false),
                Effect::Delete { id, delete } => (id, &delete.run, true),
                _ => continue,
            };
            prop_assert!(!read_only, "{effect:?} in a read-only profile");
            prop_assert!(self.seen.insert(id.0), "sent twice: {effect:?}");
            prop_assert!(!self.writing, "another write is under way: {effect:?}");
            self.writing = true;
            let said = self.said.entry(run.clone()).or_default();
            prop_assert!(said.copy.is_some(), "no copy before {effect:?}");
            if let Effect::ChangeSuites { change, .. } = &effect {
                prop_assert!(!change.adds);
                prop_assert!(
                    change
                        .suites
                        .iter()
                        .all(|(suite, _)| said.sure.contains(suite)),
                    "{effect:?}"
                );
            }
            if let Effect::Delete { delete, .. } = &effect {
                prop_assert_eq!(&delete.copy, &said.copy);
                prop_assert!(said.is_empty, "not checked before {:?}", effect);
                let flow = sample.store.delete.as_ref().unwrap();
                let typed = flow.text.text().trim().to_owned();
                let number = typed
                    .parse()
                    .is_ok_and(|number| (flow.left().count()..=flow.runs.len()).contains(&number));
                let id = flow.left().any(|run| run.row.name() == typed);
                prop_assert!(number || id, "typed {typed:?} before {effect:?}");
            }
            self.deletions += usize::from(deletes);
            said.is_empty = false;
        }
        if sample.store.delete.is_none() {
            self.said.clear();
        }
        Ok(())
    }

    /// Answers the request under way, well or badly.
    fn answer(&mut self, sample: &mut Sample, how: u8) {
        let Some(flow) = &sample.store.delete else {
            return;
        };
        let Some(asked) = flow.asked else { return };
        let run = flow.runs[asked.place].row.doc_ref.clone();
        let number: u64 = run.as_str().rsplit('-').next().unwrap().parse().unwrap();
        let said = self.said.entry(run).or_default();
        let failure = || trouble("reading", "no connection");
        match asked.ask {
            Ask::Survey => {
                let attached: Option<Box<Attached>> = match how {
                    0..8 => Some(empty(number)),
                    8..13 => Some(complete(number)),
                    13..16 => Some(partial(number)),
                    16 => Some(closed(number, None)),
                    17 => Some(closed(number, Some(false))),
                    _ => None,
                };
                if let Some(attached) = &attached {
                    let sure = attached
                        .named
                        .iter()
                        .filter(|named| named.trust == Trust::Sure);
                    said.sure = sure.map(|named| named.suite.clone()).collect();
                }
                sample.event(Event::Surveyed {
                    id: asked.id,
                    result: attached.ok_or_else(failure),
                });
            }
            Ask::Copy if how < 18 => {
                said.copy = Some(format!(
                    "/home/qa/.local/state/rundown/trash/R_{number}-20261120T094112.json"
                ));
                sample.copied(number);
            }
            Ask::Copy => sample.event(Event::CopySaved {
                id: asked.id,
                result: Err(failure()),
            }),
            Ask::Check if how < 18 => {
                said.is_empty = how < 15;
                sample.checked(how < 15);
            }
            Ask::Check => sample.event(Event::Emptiness {
                id: asked.id,
                result: Err(failure()),
            }),
            Ask::Remove => {
                self.writing = false;
                sample.step(how < 15, "request 1 of 1");
                let verdict = match how {
                    0..12 => Outcome::done("all"),
                    12..16 => Outcome::otherwise("none"),
                    _ => Outcome::unknown("no connection"),
                };
                sample.removed(0, verdict);
            }
            Ask::Delete => {
                self.writing = false;
                sample.ended(match how {
                    0..12 => Outcome::done("not found any more"),
                    12..16 => Outcome::refused("the service answered false"),
                    _ => Outcome::unknown("the connection broke"),
                });
            }
        }
    }
}

fn type_word(sample: &mut Sample) {
    if let Some(flow) = &mut sample.store.delete {
        let word = flow.word();
        if flow.typing {
            flow.text.clear();
        }
        sample.act(Action::Paste(word.into()));
    }
}

fn played(read_only: bool, steps: &[Step]) -> Result<usize, TestCaseError> {
    let mut sample = Sample::new((80, 24));
    let session = || Session {
        read_only,
        ..session()
    };
    sample.event(Event::Connected(Box::new(session())));
    sample.event(Event::SignedIn {
        user: "qa".into(),
        until: None,
    });
    sample.answer(6);
    let mut guard = Guard::default();
    for step in steps {
        match step {
            Step::Press(action) => {
                // The screen of suites has tests of its own.
                if sample.store.screen == Screen::Members {
                    sample.act(Action::Back);
                }
                sample.act(action.clone());
            }
            Step::TypeWord => type_word(&mut sample),
            Step::TypeAndDelete => {
                type_word(&mut sample);
                for action in [Action::Open, Action::NextField, Action::Open] {
                    sample.act(action);
                    guard.look(&mut sample, read_only)?;
                }
            }
            Step::Answer(how) => guard.answer(&mut sample, *how),
            Step::OtherProfile => {
                sample.event(Event::Connected(Box::new(session())));
                sample.event(Event::SignedIn {
                    user: "qa".into(),
                    until: None,
                });
                sample.answer(6);
                (guard.writing, guard.said) = (false, BTreeMap::new());
            }
        }
        guard.look(&mut sample, read_only)?;
        if let Some(flow) = &sample.store.delete {
            let page = sample.screen();
            let gone = flow.runs.iter().any(rundown::store::Doomed::gone);
            prop_assert!(
                gone || !page.contains("  gone: "),
                "a claim before the service said so:\n{page}"
            );
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
    let copy = Step::Press(Action::Open);
    let steps = [
        Step::Press(Action::Delete),
        answer(),
        copy,
        answer(),
        answer(),
        Step::TypeAndDelete,
        answer(),
    ];
    assert_eq!(played(false, &steps).unwrap(), 1);
}

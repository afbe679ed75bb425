//! Any sequence of keys and answers on form and review: what was typed is never lost, and nothing is sent twice.

use super::support::{ends, sample};
use crate::support::prelude::*;
use ends::{lost, not_made};
use proptest::prelude::*;
use rundown::domain::{DraftTaken, Lookup};
use sample::opened;

#[derive(Clone, Debug)]
enum Step {
    Act(Action),
    /// The answer to one of the open requests, counted from the oldest; how it goes.
    Answer(usize, u8),
    Event(Event),
}

fn step() -> impl Strategy<Value = Step> {
    let act = prop::sample::select(vec![
        Action::New,
        Action::Edit,
        Action::Edit,
        Action::Clone,
        Action::FieldOutside,
        Action::Save,
        Action::Save,
        Action::Open,
        Action::Back,
        Action::NextField,
        Action::PreviousField,
        Action::KeepMine,
        Action::TakeTheirs,
        Action::Raw,
        Action::DiscardDraft,
        Action::Offer,
        Action::Drafts,
        Action::Undo,
        Action::Cancel,
        Action::Toggle,
        Action::Refresh,
        Action::Move(Motion::Down),
    ]);
    let key = prop_oneof![
        any::<char>().prop_map(KeyCode::Char),
        prop::char::range('a', 'z').prop_map(KeyCode::Char),
        prop::sample::select(vec![
            KeyCode::Enter,
            KeyCode::Backspace,
            KeyCode::Up,
            KeyCode::Down,
            KeyCode::Left
        ]),
    ];
    let control = prop::sample::select(vec!['u', 'r', 'w', 'k', 'y', 'j']);
    let event = prop::sample::select(vec![
        Event::SignInNeeded {
            user: String::new(),
            why: SignInReason::SessionEnded("x".into()),
        },
        Event::SignedIn { user: "qa".into() },
        Event::Connected(Box::new(session())),
        Event::Trouble(failure()),
    ]);
    prop_oneof![
        4 => act.prop_map(Step::Act),
        6 => key.prop_map(|code| Step::Act(Action::Type(KeyEvent::from(code)))),
        1 => control.prop_map(|c| Step::Act(Action::Type(KeyEvent::new(KeyCode::Char(c), KeyModifiers::CONTROL)))),
        1 => "\\PC{0,12}(\r\n\\PC{0,12})?".prop_map(|text| Step::Act(Action::Paste(text.into()))),
        8 => (0usize..8, any::<u8>()).prop_map(|(place, how)| Step::Answer(place, how)),
        1 => event.prop_map(Step::Event),
    ]
}

/// The run as somebody else may have saved it.
fn by_others(how: u8) -> Document {
    let mut raw = document(2).raw().clone();
    if how.is_multiple_of(3) {
        raw["document"]["Root"]["General"]["Title"] = format!("theirs {how}").into();
    }
    if how.is_multiple_of(5) {
        raw["document"]["Root"]["General"]["Description"] =
            "theirs\r\nin two lines\u{1b}[2J".into();
    }
    Document::from_value(raw).unwrap()
}

fn answer(sample: &mut Sample, effect: Effect, how: u8, disk: &mut Vec<Draft>) {
    let good = how % 4 != 3;
    match effect {
        Effect::Request(id, Request::GetDocument { .. }) => {
            let read = Opened {
                document: by_others(how),
                json: Vec::new(),
            };
            let result = if good {
                Ok(Box::new(read))
            } else {
                Err(failure())
            };
            sample.reply(id, Answer::Document(result));
        }
        Effect::Request(id, Request::TakeDraft { form, wish }) => {
            let mut of_form = disk.iter().filter(|draft| draft.form == form);
            let before = match &wish {
                DraftWish::Newest => of_form.max_by_key(|draft| draft.at).cloned(),
                DraftWish::Kept(key) => of_form.find(|draft| draft.key == *key).cloned(),
                DraftWish::Fresh => None,
            };
            let key = before
                .as_ref()
                .map_or_else(|| format!("{id:?}"), |draft| draft.key.clone());
            let taken = DraftTaken {
                key,
                before,
                other: (how == 7).then_some(7),
            };
            let result = if good {
                Ok(Box::new(taken))
            } else {
                Err(failure())
            };
            sample.reply(id, Answer::DraftTaken(result));
        }
        Effect::Draft(DraftRequest::Keep(draft, _)) => {
            let (key, result) = (draft.key.clone(), Ok(draft.at));
            disk.retain(|kept| kept.key != key);
            disk.push(*draft);
            sample.event(Event::DraftKept { key, result });
        }
        Effect::Draft(DraftRequest::Discard { key, .. }) => {
            disk.retain(|kept| Some(&kept.key) != key.as_ref());
        }
        Effect::Draft(DraftRequest::Find | DraftRequest::Seek) => {
            sample.event(Event::Drafts(disk.clone()));
        }
        Effect::Request(id, Request::Timer { .. }) => sample.reply(id, Answer::Timer),
        Effect::Request(id, Request::EditText { text, .. }) => {
            let result = if good {
                Ok((format!("{text}# more\n"), "edited".into()))
            } else {
                Err(failure())
            };
            sample.reply(id, Answer::Edited(result));
        }
        Effect::Request(id, Request::LookFor { .. }) => {
            let found = Lookup {
                end: None,
                found: vec![row(9)],
                words: "found R_9".into(),
                ..Lookup::default()
            };
            sample.reply(
                id,
                Answer::LookedUp(if good { Ok(found) } else { Err(failure()) }),
            );
        }
        Effect::Request(id, Request::Survey { .. }) => {
            sample.reply(id, Answer::Surveyed(Err(failure())));
        }
        Effect::Request(id, Request::PlanUndo(_)) => {
            sample.reply(id, Answer::UndoPlanned(Err(failure())));
        }
        Effect::Request(id, Request::Modify(_)) => {
            let document = Box::new(by_others(how));
            let end = match how % 5 {
                0 => Outcome::done("read").with_document(*document),
                1 => Outcome::not_sent(Why::Moved, "somebody wrote").with_document(*document),
                2 => Outcome::refused("refused"),
                3 => Outcome::otherwise("title").with_document(*document),
                _ => Outcome::unknown("lost"),
            };
            sample.reply(id, Answer::Modified(end));
        }
        Effect::Request(id, Request::Create(create)) => {
            for number in 0..create.runs.len() {
                let made = how.is_multiple_of(4) || number + 1 < create.runs.len();
                let end = match how % 4 {
                    _ if made => ends::made(document(9)),
                    1 => not_made(Outcome::refused("refused")),
                    2 => not_made(Outcome::unknown("not read").of(&row(9).doc_ref)),
                    _ => lost("lost", vec![row(9)]),
                };
                sample.reply(id, Answer::Created(end));
            }
        }
        _ => {}
    }
}

/// What was typed: the texts of the form that differ from what it began with.
fn typed(sample: &Sample) -> Option<RunTexts> {
    let form = sample.store.form()?;
    let changed = form.changed();
    let texts: RunTexts = form
        .texts()
        .into_iter()
        .filter(|(field, _)| changed.contains(field))
        .collect();
    (!texts.is_empty() && form.draft.key.is_some()).then_some(texts)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: crate::support::cases(40), max_shrink_iters: 3_000, ..ProptestConfig::default() })]

    #[test]
    fn what_was_typed_is_in_the_form_or_in_its_draft(
        steps in prop::collection::vec(step(), 1..90),
        small in any::<bool>(),
    ) {
        let mut sample = Sample::list(if small { (40, 10) } else { (80, 24) }, 30);
        sample.press("jj");
        sample.open.clear();
        let mut disk: Vec<Draft> = Vec::new();
        for step in steps {
            let before = typed(&sample);
            let form = sample.store.form().cloned();
            let edits = |effect: &Effect| matches!(effect, Effect::Request(_, Request::EditText { .. }));
            let may_change = !matches!(step, Step::Answer(..)) || sample.open.iter().any(edits);
            let (discards, done) = match &step {
                Step::Act(action) => (*action == Action::Open && sample.store.confirm().is_some(), false),
                Step::Answer(place, how) => {
                    let len = sample.open.len().max(1);
                    let effect = sample.open.get(place % len);
                    let saved = matches!(effect, Some(Effect::Request(_, Request::Modify(_))) if how.is_multiple_of(5))
                        || matches!(effect, Some(Effect::Request(_, Request::Create(_))) if how.is_multiple_of(4));
                    (false, saved)
                }
                Step::Event(_) => (false, false),
            };
            let writes = |effect: &&Effect| matches!(effect, Effect::Request(_, Request::Modify(_) | Request::Create(_)));
            let written = sample.open.iter().filter(writes).count();
            let by_hand = matches!(step, Step::Act(Action::Open | Action::Save));
            let takes_one = matches!(step, Step::Act(Action::Open)) && sample.store.review().is_some();
            match step {
                Step::Act(action) => sample.act(action),
                Step::Event(event) => sample.event(event),
                Step::Answer(place, how) if !sample.open.is_empty() => {
                    let effect = sample.open.remove(place % sample.open.len());
                    answer(&mut sample, effect, how, &mut disk);
                }
                Step::Answer(..) => {}
            }
            // The disk takes its jobs at once and in order.
            while let Some(place) =
                sample.open.iter().position(|effect| matches!(effect, Effect::Draft(DraftRequest::Keep(..) | DraftRequest::Discard { .. })))
            {
                let effect = sample.open.remove(place);
                answer(&mut sample, effect, 0, &mut disk);
            }
            if let (Some(texts), None, false, false, false) = (&before, &sample.store.form(), discards, done, takes_one) {
                let kept = disk.iter().any(|draft| texts.iter().all(|(field, text)| draft.texts.get(field) == Some(text)));
                prop_assert!(kept, "typed and gone: {texts:?}, on the disk: {disk:?}");
            }
            if let (Some(form), Some(now), false) = (&form, sample.store.form(), may_change)
                && form.of == now.of
                && (form.draft.key.is_none() || form.draft.key == now.draft.key)
            {
                for field in form.changed() {
                    prop_assert_eq!(&form.texts()[&field], &now.texts()[&field], "changed by an answer");
                }
            }
            let now = sample.open.iter().filter(writes).count();
            prop_assert!(now <= 1, "two writes at once: {:?}", sample.open);
            prop_assert!(by_hand || now <= written, "sent by itself: {:?}", sample.open);
            for c in sample.screen().chars() {
                prop_assert!(!c.is_control() || c == '\n', "{c:?} on the screen");
            }
        }
    }
}

#[test]
fn the_run_under_the_cursor_is_the_one_that_is_answered() {
    let mut sample = Sample::list((80, 24), 30);
    sample.press("jj");
    assert_eq!(sample.store.here().doc_ref, *opened(2).document.doc_ref());
}

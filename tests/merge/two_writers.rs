//! Two people change one run.

use crate::support::prelude::*;
use proptest::prelude::*;
use rundown::domain::{Choices, Resolution, Verdict, merge, resolved, texts_of, undecided};

use super::{anything, leaves_without, run, stored, texts_for};

/// What the other side does to the document: fields, members nobody knows, members that go away.
#[derive(Clone, Debug)]
struct Theirs {
    texts: RunTexts,
    put: Vec<(usize, String, Value)>,
    taken: Vec<(usize, usize)>,
}

const PLACES: [&[&str]; 4] = [&["Root", "General"], &["Root", "Metadata"], &["Root"], &[]];

prop_compose! {
    fn theirs()(
        texts in texts_for(RunField::ALL.to_vec()),
        put in prop::collection::vec((0..PLACES.len(), "x[a-c]{0,2}", anything()), 0..4),
        taken in prop::collection::vec((0..PLACES.len(), 0..4usize), 0..2),
    ) -> Theirs {
        Theirs { texts, put, taken }
    }
}

impl Theirs {
    fn write(&self, document: &Document) -> Document {
        let mut sent = document.modified(&self.texts).unwrap();
        for (place, name, value) in &self.put {
            object(&mut sent, *place).insert(name.clone(), value.clone());
        }
        for (place, number) in &self.taken {
            let members = object(&mut sent, *place);
            let unknown = members
                .keys()
                .filter(|name| name.starts_with('x'))
                .nth(*number)
                .cloned();
            unknown.map(|name| members.shift_remove(&name));
        }
        stored(document, sent, 1)
    }
}

fn object(document: &mut Value, place: usize) -> &mut serde_json::Map<String, Value> {
    PLACES[place]
        .iter()
        .fold(document, |value, name| &mut value[*name])
        .as_object_mut()
        .unwrap()
}

fn choices() -> impl Strategy<Value = Choices> {
    let choice = prop_oneof![Just(Resolution::Mine), Just(Resolution::Theirs)];
    let fields =
        prop::sample::subsequence(RunField::EDITABLE.to_vec(), 0..=RunField::EDITABLE.len());
    fields.prop_flat_map(move |fields| {
        prop::collection::vec(choice.clone(), fields.len())
            .prop_map(move |choices| fields.iter().copied().zip(choices).collect())
    })
}

proptest! {
    #![proptest_config(ProptestConfig::default().with(|it| it.cases = crate::support::cases(512)))]

    #[test]
    fn nothing_of_the_other_side_goes_away_unless_chosen(
        base in run(),
        theirs in theirs(),
        edits in texts_for(RunField::EDITABLE.to_vec()),
        choices in choices(),
    ) {
        let now = theirs.write(&base);
        let mut mine = texts_of(&base);
        mine.extend(edits);
        let merges = merge(&texts_of(&base), &texts_of(&now), &mine);
        let after = stored(&now, now.modified(&resolved(&merges, &choices)).unwrap(), 2);

        let (base, theirs, result) = (texts_of(&base), texts_of(&now), texts_of(&after));
        let mut open = Vec::new();
        for field in RunField::EDITABLE {
            let (was, is, wanted, got) = (&base[&field], &theirs[&field], &mine[&field], &result[&field]);
            let here = wanted != was;
            let there = is != was;
            match choices.get(&field) {
                Some(Resolution::Mine) => prop_assert_eq!(got, wanted),
                Some(Resolution::Theirs) => prop_assert_eq!(got, is),
                // Nobody has decided: what the other side has written stays, and what only this side has gets through.
                None => prop_assert_eq!(got, if here && !there { wanted } else { is }),
            }
            if here && there && wanted != is && !choices.contains_key(&field) {
                open.push(field);
            }
        }
        prop_assert_eq!(undecided(&merges, &choices), open);
        // All else is the other side's, to the digit and in its order.
        let rest = |document: &Document| leaves_without(&document.raw()["document"], &RunField::EDITABLE);
        prop_assert_eq!(rest(&after), rest(&now));
    }

    #[test]
    fn a_write_is_taken_back_unless_somebody_wrote_since(
        base in run(),
        done in texts_for(RunField::EDITABLE.to_vec()),
        theirs in theirs(),
    ) {
        let (before, after) = (texts_of(&base), stored(&base, base.modified(&done).unwrap(), 0));
        let changed: Vec<RunField> = done.iter().filter(|(field, text)| before[*field] != **text).map(|(f, _)| *f).collect();
        let only = |texts: &RunTexts| changed.iter().map(|field| (*field, texts[field].clone())).collect::<RunTexts>();

        let merges = merge(&only(&done), &texts_of(&after), &only(&before));
        prop_assert!(undecided(&merges, &Choices::new()).is_empty());
        let undone = stored(&after, after.modified(&resolved(&merges, &Choices::new())).unwrap(), 1);
        prop_assert_eq!(texts_of(&undone), before.clone());

        let now = theirs.write(&after);
        let merges = merge(&only(&done), &texts_of(&now), &only(&before));
        let undone = stored(&now, now.modified(&resolved(&merges, &Choices::new())).unwrap(), 2);
        for field in RunField::ALL {
            let wrote = texts_of(&now)[&field] != texts_of(&after)[&field];
            let expected = if changed.contains(&field) && !wrote { &before } else { &texts_of(&now) };
            prop_assert_eq!(&texts_of(&undone)[&field], &expected[&field]);
        }
    }
}

fn texts(title: &str) -> RunTexts {
    RunTexts::from([(RunField::Title, title.to_owned())])
}

#[test]
fn verdicts() {
    let verdict = |base: &str, theirs: &str, mine: &str| {
        merge(&texts(base), &texts(theirs), &texts(mine))[0].verdict
    };
    assert_eq!(verdict("a", "a", "a"), Verdict::Unchanged);
    assert_eq!(verdict("a", "a", "b"), Verdict::Mine);
    assert_eq!(verdict("a", "b", "a"), Verdict::Theirs);
    assert_eq!(verdict("a", "b", "b"), Verdict::Same);
    assert_eq!(verdict("a", "b", "c"), Verdict::Conflict);
}

#[test]
fn a_field_that_is_not_asked_about_is_nobodys_change() {
    let merges = merge(&texts("a"), &texts("a"), &texts("b"));
    let unchanged = merges
        .iter()
        .filter(|merge| merge.verdict == Verdict::Unchanged)
        .map(|merge| merge.field);
    assert_eq!(unchanged.collect::<Vec<_>>(), RunField::EDITABLE[1..]);
    let place = RunTexts::from([(RunField::ProjectId, "P_1".to_owned())]);
    assert_eq!(
        resolved(
            &merge(&RunTexts::new(), &RunTexts::new(), &place),
            &Choices::new()
        ),
        RunTexts::new()
    );
}

#[test]
fn a_choice_may_take_back_what_only_one_side_did() {
    let merges = merge(&texts("a"), &texts("b"), &texts("a"));
    assert_eq!(resolved(&merges, &Choices::new()), RunTexts::new());
    assert_eq!(
        resolved(
            &merges,
            &Choices::from([(RunField::Title, Resolution::Mine)])
        ),
        texts("a")
    );
    let merges = merge(&texts("a"), &texts("a"), &texts("b"));
    assert_eq!(
        resolved(
            &merges,
            &Choices::from([(RunField::Title, Resolution::Theirs)])
        ),
        RunTexts::new()
    );
}

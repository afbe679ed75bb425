//! Several new runs were sent without an answer: what is found of them is left out of the plan, one by one.

use rundown::domain::{CreateEnd, DraftTaken, Lookup, RunRow};
use rundown::store::{Action, Effect, Event, Opened, RequestId, ReviewOf, Screen};

use super::sample::{Sample, document, row};

fn take<T>(sample: &mut Sample, sort: impl Fn(Effect) -> Option<T>) -> T {
    let taken = std::mem::take(&mut sample.open).into_iter().find_map(sort);
    taken.unwrap_or_else(|| panic!("not asked for:\n{}", sample.screen()))
}

fn found(number: u64, title: &str) -> RunRow {
    RunRow {
        title: Some(title.into()),
        ..row(number)
    }
}

/// A clone of `R_2` for two configurations, sent without an answer, and the review of it opened again.
fn looked_for(runs: Vec<RunRow>) -> Sample {
    let mut sample = Sample::list((120, 40), 30);
    sample.press("jjC");
    let id = sample.open.iter().find_map(|effect| match effect {
        Effect::TakeDraft { id, .. } => Some(*id),
        _ => None,
    });
    let taken = DraftTaken {
        key: "k".into(),
        before: None,
        other: None,
    };
    sample.event(Event::DraftTaken {
        id: id.unwrap(),
        result: Ok(Box::new(taken)),
    });
    let id: RequestId = take(&mut sample, |effect| match effect {
        Effect::GetDocument { id, .. } => Some(id),
        _ => None,
    });
    let opened = Opened {
        document: document(2),
        json: Vec::new(),
    };
    sample.event(Event::Document {
        id,
        result: Ok(Box::new(opened)),
    });
    sample.press("\t\t\t\t\t\t\t ");
    sample.act(Action::Save);
    sample.act(Action::Open);
    let id = take(&mut sample, |effect| match effect {
        Effect::Create { id, .. } => Some(id),
        _ => None,
    });
    let end = CreateEnd::Unknown {
        why: "no answer".into(),
        found: Ok(Vec::new()),
    };
    sample.event(Event::Created { id, number: 0, end });
    sample.act(Action::Back);
    assert_eq!(sample.store.screen, Screen::Form);
    sample.act(Action::Save);
    let id = take(&mut sample, |effect| match effect {
        Effect::LookFor { id, .. } => Some(id),
        _ => None,
    });
    sample.event(Event::LookedFor {
        id,
        result: Ok(Lookup {
            found: runs,
            words: "found some".into(),
        }),
    });
    sample
}

/// Enter on a run that was found.
fn choose(sample: &mut Sample, id: &str) {
    let review = sample.store.review.as_mut().unwrap();
    let ReviewOf::Create(create) = &review.of else {
        panic!("{:?}", review.of)
    };
    review.cursor = create
        .found()
        .iter()
        .position(|run| run.id.as_deref() == Some(id))
        .unwrap();
    sample.act(Action::Open);
}

fn plan(sample: &Sample) -> Vec<&str> {
    let review = sample
        .store
        .review
        .as_ref()
        .unwrap_or_else(|| panic!("closed:\n{}", sample.screen()));
    let ReviewOf::Create(create) = &review.of else {
        panic!("{:?}", review.of)
    };
    create
        .create
        .runs
        .iter()
        .map(|run| run.title.as_str())
        .collect()
}

#[test]
fn a_second_run_of_the_same_title_does_not_stand_for_another_one() {
    let (qftest, chrome) = ("Smoke nightly: qftest", "Smoke nightly: chrome");
    let mut sample = looked_for(vec![
        found(10, qftest),
        found(11, qftest),
        found(12, chrome),
    ]);
    assert_eq!(plan(&sample), [qftest, chrome]);
    choose(&mut sample, "R_10");
    assert_eq!(plan(&sample), [chrome]);
    choose(&mut sample, "R_11");
    assert_eq!(plan(&sample), [chrome], "it is still to be made");
    assert!(sample.store.form.is_some() && sample.screen().contains("none of the runs to be made"));
    assert!(
        !sample
            .open
            .iter()
            .any(|effect| matches!(effect, Effect::DropDraft { .. })),
        "{:?}",
        sample.open
    );
    choose(&mut sample, "R_12");
    assert!(
        sample.store.form.is_none() && sample.store.review.is_none(),
        "{}",
        sample.screen()
    );
    assert!(
        sample.open.contains(&Effect::DropDraft { key: "k".into() }),
        "{:?}",
        sample.open
    );
}

//! What a key, a page and a filter cost: `cargo bench --bench interface`.
#![expect(clippy::unwrap_used, reason = "a bench fails by panicking")]

#[path = "../tests/support/mirrored.rs"]
#[expect(dead_code, reason = "the tests take more of it")]
mod mirrored;
#[path = "../tests/support/sample.rs"]
#[expect(dead_code, reason = "the tests take more of it")]
mod sample;
#[path = "../tests/support/suites.rs"]
mod suites;
#[path = "../tests/support/texts.rs"]
#[expect(dead_code, reason = "the tests take more of it")]
mod texts;

use std::hint::black_box;
use std::sync::Arc;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use rundown::domain::compare::{ComparedRun, ComparedVersion, Comparison};
use rundown::domain::diff::Ignored;
use rundown::domain::since::{RunKnown, Since};
use rundown::domain::{
    Document, Page, Quiet, ResultCode, ResultCounts, RunRow, RunsOperation, RunsPage,
    Sample as Kept,
};
use rundown::mirror::{Mirror, MirrorSettings, RunsAnswer, SinceAnswer};
use rundown::screens::available::AvailableSuites;
use rundown::store::{Action, Answer, Effect, Event, Layer, Message, Motion, Request, RequestId};
use sample::Sample;

/// A large terminal with a list of as many runs as are kept here.
fn list() -> Sample {
    Sample::list((200, 60), 100_000)
}

fn frame(criterion: &mut Criterion) {
    let sample = list();
    criterion.bench_function("frame of the runs list, 200x60", |bench| {
        bench.iter(|| black_box(sample.draw()));
    });
}

/// The board of a release of 500 runs, and what `B` costs until its frame with all cells.
fn board(criterion: &mut Criterion) {
    let mut sample = two_releases();
    criterion.bench_function(
        "B to the frame of the board, 500 of 100,000 runs",
        |bench| {
            bench.iter_batched(
                || sample.clone(),
                |mut sample| {
                    sample.press("B");
                    black_box(sample.draw());
                    sample
                },
                BatchSize::LargeInput,
            );
        },
    );
    sample.press("B");
    sample.says("500 runs counted");
    criterion.bench_function("frame of the board, 200x60", |bench| {
        bench.iter(|| black_box(sample.draw()));
    });
}

/// A list of 100,000 runs; a release of 500 of them, of the version before it as many.
fn two_releases() -> Sample {
    let mut sample = list();
    let of_release = |number| RunRow {
        version: Some(if number < 500 { "9.9.9" } else { "9.9.8" }.into()),
        configuration: Some(["chrome", "firefox", "edge", "ios 19"][number as usize % 4].into()),
        ..sample::row(number)
    };
    sample.reads_again(RunsPage {
        full_size: 1_000,
        rows: (0..1_000).map(of_release).collect(),
        facets: None,
        operation: Some(RunsOperation::ListTestRuns),
    });
    sample.press("g");
    sample
}

/// What a screen costs from the key to its frame, where the mirror has answered: its search is not drawn by this thread.
fn from_answer(
    criterion: &mut Criterion,
    name: &str,
    screen: Layer,
    sample: &Sample,
    answer: &RunsAnswer,
) {
    criterion.bench_function(name, |bench| {
        bench.iter_batched(
            || (sample.clone(), Box::new(answer.clone())),
            |(mut sample, answer)| {
                sample
                    .store
                    .update(Message::Action(Action::Show(screen)), sample::NOW);
                black_box(sample.store.settle());
                let answer = Event::Runs(screen, answer);
                sample.store.update(Message::Event(answer), sample::NOW);
                black_box(sample.draw());
                sample
            },
            BatchSize::LargeInput,
        );
    });
}

/// What changed in 500 runs, and two versions of 500 runs each side by side.
fn of_release(criterion: &mut Criterion) {
    let done = ResultCode::ALL;
    let rows: Vec<RunRow> = (0..500).map(sample::row).collect();
    let known = |row: &RunRow| RunKnown {
        counted_at: Some(sample::NOW),
        gone_since: None,
        deleted_at: None,
        then: Some(Kept {
            counts: Some(ResultCounts::default()),
            ..Kept::of(row, sample::NOW - 3_600_000)
        }),
        was_open: true,
        own: 0,
        quiet: Quiet::No,
        row: row.clone(),
    };
    let moment = sample::NOW - 60_000;
    let since = Since::of(moment, rows.iter().map(known), &done, |_| false);
    assert_eq!(since.lines.len(), 500);
    let sample = list();
    let answer = RunsAnswer {
        number: u64::MAX,
        since: Some(Arc::new(SinceAnswer {
            moment,
            since,
            ..SinceAnswer::default()
        })),
        ..RunsAnswer::default()
    };
    from_answer(
        criterion,
        "H from its answer to the frame, 500 runs",
        Layer::Changes,
        &sample,
        &answer,
    );
    let mut sample = two_releases();
    sample.press("B");
    let run = |row: &RunRow| ComparedRun {
        row: row.clone(),
        at: None,
        suites: None,
    };
    let runs: Vec<ComparedRun> = rows.iter().map(run).collect();
    let of = |version: &str| ComparedVersion::of(version, &runs, true, &[], &done);
    let comparison = Comparison::of_versions(&[of("9.9.8"), of("9.9.9")]);
    let answer = RunsAnswer {
        number: u64::MAX,
        comparison: Some(Box::new(comparison)),
        ..RunsAnswer::default()
    };
    from_answer(
        criterion,
        "= from its answer to the frame, 2 x 500 runs",
        Layer::Compare,
        &sample,
        &answer,
    );
    sample.press("=");
    sample.says("9.9.8");
}

fn keys(criterion: &mut Criterion) {
    let sample = list();
    criterion.bench_function("2,000 Down in the store, one settle", |bench| {
        bench.iter_batched(
            || sample.clone().store,
            |mut store| {
                for _ in 0..2_000 {
                    store.update(Message::Action(Action::Move(Motion::Down)), sample::NOW);
                }
                black_box(store.settle());
                store
            },
            BatchSize::LargeInput,
        );
    });
}

fn decode(criterion: &mut Criterion) {
    let page: Vec<_> = (0..100)
        .map(|number| sample::document(number).raw().clone())
        .collect();
    let text = serde_json::to_string(&page).unwrap();
    criterion.bench_function("decode a page of 100 documents", |bench| {
        bench.iter(|| {
            let values: Vec<serde_json::Value> = serde_json::from_str(&text).unwrap();
            let rows = values
                .into_iter()
                .map(|value| RunRow::from_document(&Document::from_value(value).unwrap()));
            black_box(rows.collect::<Vec<_>>())
        });
    });
}

fn filter(criterion: &mut Criterion) {
    let mut sample = Sample::list((200, 60), 30);
    sample.reads_again(sample::page(
        Page {
            offset: 0,
            limit: 20_000,
        },
        20_000,
    ));
    sample.press("/smok");
    assert!(sample.store.screens.runs.len().unwrap() > 1_000);
    criterion.bench_function("a letter of a search of 20,000 runs", |bench| {
        bench.iter(|| {
            sample.press("e");
            sample.key(crossterm::event::KeyCode::Backspace.into());
        });
    });
}

fn asked_for_suites(sample: &Sample) -> RequestId {
    let asked = sample.open.iter().find_map(|effect| match effect {
        Effect::Request(id, Request::ReadAvailable { .. }) => Some(*id),
        _ => None,
    });
    asked.unwrap()
}

fn filter_suites(criterion: &mut Criterion) {
    let mut sample = Sample::list((200, 60), 30);
    sample.press("a");
    let id = asked_for_suites(&sample);
    sample.event(Event::Answer(
        id,
        Answer::Available(Ok((1..=5_000).map(suites::suite).collect())),
    ));
    sample.press("/pay");
    let mut available: AvailableSuites = sample.store.screens.available.clone().unwrap();
    assert!(!available.shown.is_empty() && available.shown.len() < 5_000);
    criterion.bench_function("filter 5,000 available suites by typing", |bench| {
        bench.iter(|| available.arrange());
    });
}

fn full_basket(criterion: &mut Criterion) {
    let mut sample = Sample::list((200, 60), 30);
    sample.press("a");
    let id = asked_for_suites(&sample);
    sample.event(Event::Answer(
        id,
        Answer::Available(Ok((1..=5_000).map(suites::suite).collect())),
    ));
    sample.press("A");
    assert_eq!(
        sample
            .store
            .screens
            .available
            .as_ref()
            .unwrap()
            .list
            .marks
            .len(),
        5_000
    );
    criterion.bench_function("frame with 5,000 marked suites, 200x60", |bench| {
        bench.iter(|| black_box(sample.draw()));
    });
    criterion.bench_function("mark 5,000 marked suites once more", |bench| {
        let again = || Message::Action(Action::MarkAll);
        bench.iter(|| sample.store.update(again(), sample::NOW));
    });
}

fn take(criterion: &mut Criterion) {
    let rows: Vec<RunRow> = (0..1_000).map(sample::row).collect();
    let mut changed = rows.clone();
    for row in &mut changed {
        row.results.as_mut().unwrap().add(ResultCode::Passed, 1);
    }
    let mut mirror = Mirror::empty(MirrorSettings {
        ignored: Ignored::default(),
        done: vec![ResultCode::Passed],
        most: 100_000,
    });
    mirror.take(&rows, sample::NOW).unwrap();
    criterion.bench_function("1,000 runs read again, none changed", |bench| {
        bench.iter(|| black_box(mirror.take(&rows, sample::NOW).unwrap()));
    });
    let mut turn = false;
    criterion.bench_function("1,000 runs read again, all changed", |bench| {
        bench.iter(|| {
            turn = !turn;
            let rows = if turn { &changed } else { &rows };
            black_box(mirror.take(rows, sample::NOW).unwrap())
        });
    });
}

criterion_group!(
    benches,
    frame,
    board,
    of_release,
    keys,
    decode,
    filter,
    filter_suites,
    full_basket,
    take
);
criterion_main!(benches);

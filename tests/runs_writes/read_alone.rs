//! A run that is read by itself, as its screen reads it: the list has it at once.

use crate::support::mirrored::query;
use crate::support::prelude::*;
use rundown::domain::DocumentName;
use rundown::mirror::TabQuery;
use rundown::store::RunsRequest;

use super::bench::Bench;

/// By when it was asked for; what was read by a clock that was ahead is older than what is read now.
#[tokio::test]
async fn a_run_that_is_read_alone_counts_from_when_it_was_asked_for() {
    let mut bench = Bench::new().await;
    let document = bench.run("Read").await;
    let now = jiff::Timestamp::now().as_millisecond();
    let query = query(TabQuery::default(), now)
        .with(|it| it.chosen = Some(vec![DocumentName::Ref(document.doc_ref().clone())]));
    bench.send(|_| Effect::Runs(RunsRequest::Ask(Layer::Monitor, Box::new(query))));
    let minute = 60_000;
    for (title, ago) in [
        ("Asked a minute ago", minute),
        ("A minute ahead", -minute),
        ("Now", 0),
    ] {
        let mut row = RunRow::from_document(&document);
        row.title = Some(title.into());
        bench.send(|_| Effect::Runs(RunsRequest::TookRun(Box::new(row), ago)));
        let came = |event: &Event| match event {
            Event::Runs(_, answer) => {
                let run = answer.runs.first()?;
                let is_it = run.row().title.as_deref() == Some(title);
                is_it.then_some(run.read_at)
            }
            _ => None,
        };
        let read_at = bench.until(title, came).await;
        let asked = now - ago;
        assert!((asked..asked + minute / 2).contains(&read_at), "{title}");
    }
}

//! Suites of a run: answers that are lost, and what the journal keeps so that a change can be taken back.

use crate::support::prelude::*;
use rundown::config::Profile;
use rundown::domain::fields::ID;
use rundown::domain::{ResultCounts, SuiteChange};

use super::bench::{Bench, names, note, together};

pub const ADD: &str = "ADD_TEST_SUITES_TO_RUN";
pub const REMOVE: &str = "DELETE_TEST_SUITES_FROM_RUN";

impl Bench {
    pub async fn change(&mut self, change: SuiteChange) -> Outcome {
        let id = self.send(|id| Effect::Request(id, Request::ChangeSuites(Box::new(change))));
        let came = |event: &Event| match event {
            Event::Answer(other, Answer::Changed(outcome)) if *other == id => Some(outcome.clone()),
            _ => None,
        };
        self.until("the end of a change of suites", came).await
    }

    /// Suites go in or out, and that is confirmed.
    pub async fn changed(&mut self, run: &DocRef, adds: bool, suites: &[DocRef]) {
        let outcome = self.change(change_of(run, adds, suites)).await;
        assert!(outcome.is_complete(), "{outcome:?}");
        assert_eq!(outcome.done_parts(), suites);
    }
}

pub fn change_of(run: &DocRef, adds: bool, suites: &[DocRef]) -> SuiteChange {
    SuiteChange {
        run: run.clone(),
        run_name: "R_x".into(),
        run_id: None,
        adds,
        suites: suites
            .iter()
            .map(|suite| (suite.clone(), format!("name of {suite}")))
            .collect(),
        stake: None,
        undo_of: None,
        then_deletes: false,
        goes_on: None,
    }
}

#[tokio::test]
async fn lost_answers_are_decided_by_reading() {
    together(
        [(true, false), (true, true), (false, false), (false, true)].map(async |(adds, acted)| {
            let mut bench = Bench::new().await;
            let run = bench.theirs("Suites").await;
            let two: Vec<DocRef> = bench.free(&run).await.into_iter().take(2).collect();
            if !adds {
                bench.other.add_suites(&run, &two).await;
            }
            let method = if adds { ADD } else { REMOVE };
            bench.proxy.fault_for(
                method,
                if acted {
                    Fault::CutAfter
                } else {
                    Fault::CutBefore
                },
            );
            let outcome = bench.change(change_of(&run, adds, &two)).await;
            assert_eq!(outcome.is_complete(), acted, "{outcome:?}");
            let done = outcome.done_parts();
            assert_eq!(done.len(), if acted { 2 } else { 0 }, "{outcome:?}");
            let end = if acted { End::Done } else { End::Unknown };
            assert_eq!(outcome.end, end, "{outcome:?}");
            assert_eq!(bench.suites(&run).len(), if adds == acted { 2 } else { 0 });
            assert_eq!(bench.writes(), [method], "sent once");
            assert_eq!(
                bench.steps(),
                [
                    "sent",
                    "unknown",
                    if acted { "confirmed" } else { "differs" }
                ]
            );
        }),
    )
    .await;
}

#[tokio::test]
async fn a_request_is_not_noted_as_done_by_one_of_its_suites() {
    let mut bench = Bench::new().await;
    let run = bench.theirs("Half").await;
    let two: Vec<DocRef> = bench.free(&run).await.into_iter().take(2).collect();
    // The service says that both are in, and takes in one.
    bench.other.add_suites(&run, &two[..1]).await;
    bench.proxy.fault_for(ADD, Fault::Answer(json!([])));
    let outcome = bench.change(change_of(&run, true, &two)).await;
    assert_eq!(outcome.done_parts(), two[..1]);
    says(
        &outcome.why,
        "1 of 2 are still free, although the service said they were added",
    );
    assert_eq!(bench.steps(), ["sent", "answered", "differs"]);
}

#[tokio::test]
async fn what_cannot_have_been_acted_on_is_not_noted_as_of_unknown_end() {
    let mut bench = Bench::new().await;
    let run = bench.theirs("Refused").await;
    let one: Vec<DocRef> = bench.free(&run).await.into_iter().take(1).collect();
    bench.proxy.fault_for(ADD, Fault::status(404));
    let outcome = bench.change(change_of(&run, true, &one)).await;
    assert_eq!(outcome.end, End::Refused);
    assert_eq!(bench.steps(), ["sent", "refused"]);
}

#[tokio::test]
async fn a_later_request_that_was_refused_is_noted_as_refused() {
    let mut bench = Bench::of(options(|it| it.suites = 900)).await;
    let run = bench.theirs("Chunks").await;
    let many: Vec<DocRef> = bench.free(&run).await.into_iter().take(23).collect();
    // Behind the first request.
    bench.proxy.plan(false, 1, 1, Fault::status(401));
    let outcome = bench.change(change_of(&run, true, &many)).await;
    assert_eq!(outcome.done_parts(), many[..20]);
    says(&outcome.why, "the rest not: ");
    let journal = bench.journal();
    let states: Vec<_> = journal
        .iter()
        .map(rundown::disk::WriteRecord::state)
        .collect();
    assert_eq!(states, ["done", "refused"]);
    let steps = names(&journal[1]);
    assert_eq!(steps, ["sent", "unknown", "refused"]);
}

/// The one line of the answer has no reference and no id of a log, which stand with the request.
#[tokio::test]
async fn a_refusal_names_the_suites_that_are_free_no_more_and_is_told_once() {
    let mut bench = Bench::new().await;
    let run = bench.theirs("Both").await;
    let three: Vec<DocRef> = bench.free(&run).await.into_iter().take(3).collect();
    bench.other.add_suites(&run, &three[..2]).await;
    let id = bench.truth(&run).unwrap()["Root"]["General"]["Id"].clone();
    let mut change = change_of(&run, true, &three);
    change.run_id = id.as_str().map(str::to_owned);
    for (nth, (_, name)) in change.suites.iter_mut().enumerate() {
        *name = format!("S_{nth} Suite");
    }
    let outcome = bench.change(change).await;
    assert_eq!(outcome.end, End::Refused);
    let first = "S_0, S_1 can be added no more, perhaps added by somebody else; refused: ";
    assert!(outcome.why.starts_with(first), "{outcome:?}");
    assert!(outcome.why.ends_with(']'), "the log is behind: {outcome:?}");
    let line = bench.lines().await.remove(0);
    let (answer, rest) = line.detail.split_first().unwrap();
    begins(answer, "The service refused it: S_0, S_1");
    lacks(answer, "TestRun-dm");
    lacks(answer, "[log");
    assert!(
        rest.iter().all(|line| line.starts_with("Suite ")),
        "{rest:?}"
    );
    assert!(
        line.request.iter().any(|line| line.contains("[log ")),
        "{line:?}"
    );
    // An error of something in between is an answer, too.
    bench
        .proxy
        .fault_for(ADD, Fault::Replace(500, b"<html>oops</html>".to_vec()));
    let outcome = bench.change(change_of(&run, true, &three[2..])).await;
    assert_eq!(outcome.end, End::Unknown);
    lacks(&outcome.why, "no answer");
    let line = bench.lines().await.remove(0);
    let answers = line.detail.iter().filter(|line| line.contains("(500)"));
    assert_eq!(answers.count(), 1, "{line:?}");
    assert!(
        line.detail.iter().all(|line| !line.contains("No answer")),
        "{line:?}"
    );
}

#[tokio::test]
async fn what_was_free_on_this_run_earlier_is_a_guess_and_what_was_free_on_another_is_none() {
    let mut bench = Bench::of(options(|it| it.runs = 0)).await;
    let run = bench.theirs("Looked at").await;
    let other = bench.theirs("Another").await;
    let two: Vec<DocRef> = bench.free(&other).await.into_iter().take(2).collect();
    bench.other.add_suites(&run, &two[..1]).await;
    bench.free(&run).await;
    // No list shows either of them any more.
    bench.other.add_suites(&run, &two[1..]).await;
    bench.other.add_suites(&other, &two).await;
    let typed = Vec::new();
    let id = bench.send(|id| {
        Effect::Request(
            id,
            Request::Survey {
                run,
                typed,
                calls: None,
            },
        )
    });
    let came = |event: &Event| match event {
        Event::Answer(other, Answer::Surveyed(result)) if *other == id => Some(result.clone()),
        _ => None,
    };
    let attached = bench.until("the suites", came).await.unwrap();
    let guesses = attached.candidates.iter().map(|named| &named.suite);
    assert_eq!(guesses.collect::<Vec<_>>(), [&two[1]], "{attached:?}");
}

#[tokio::test]
async fn requests_of_one_change_belong_together_in_the_journal() {
    let mut bench = Bench::of(options(|it| it.suites = 900)).await;
    let run = bench.theirs("Chunks").await;
    let many: Vec<DocRef> = bench.free(&run).await.into_iter().take(45).collect();
    let change = change_of(&run, true, &many).with(|it| it.undo_of = Some("w".into()));
    let outcome = bench.change(change).await;
    assert!(outcome.is_complete(), "{outcome:?}");
    let journal = bench.journal();
    assert_eq!(journal.len(), 3);
    let first = journal[0].write.as_str();
    for (part, suites) in journal.iter().zip(many.chunks(20)) {
        let kept: Vec<String> = suites
            .iter()
            .map(|suite| format!("name of {suite}"))
            .collect();
        let wanted = if part.write.as_str() == first {
            // What is left where the program ends after it.
            let rest = many[20..].iter();
            let rest: Vec<Value> = rest
                .map(|suite| json!([suite.as_str(), format!("name of {suite}")]))
                .collect();
            json!({"suites": kept, "rest": rest, "undo of": "w"})
        } else {
            json!({"suites": kept, "part of": first, "undo of": "w", "job": first})
        };
        assert_eq!(note(part), wanted);
        assert_eq!(names(part), ["sent", "answered", "confirmed"]);
    }
    let sent: Vec<_> = journal
        .iter()
        .map(|write| write.request().unwrap().1.clone())
        .collect();
    assert_eq!(
        bench.params(ADD),
        sent,
        "what was sent is what was written down"
    );
}

#[tokio::test]
async fn results_that_came_after_the_question_go_with_no_suite_unasked() {
    let options = Options::default().with(|it| it.runs = 30);
    let mut bench = Bench::of(options).await;
    let page = Page {
        offset: 0,
        limit: 100,
    };
    let listed = bench.other.reader();
    let listed = listed.list_runs(page, &[], &Filter::default()).await;
    let recorded = |row: &RunRow| row.results.as_ref().and_then(ResultCounts::recorded);
    let has_some = |row: &RunRow| !row.is_closed() && recorded(row) > Some(1);
    let row = listed.unwrap().rows.into_iter().find(has_some).unwrap();
    let suite = bench.suites(&row.doc_ref).into_iter().next().unwrap();
    let removes = |results: &ResultCounts| {
        let asked = row.clone().with(|it| it.results = Some(results.clone()));
        SuiteChange::of(&asked, false, vec![(suite.clone(), "one of them".into())])
    };
    // When it was asked nobody had recorded anything.
    let now = row.results.clone().unwrap();
    let before = counted([(ResultCode::Untested, now.cases().unwrap().total())]);
    let outcome = bench.change(removes(&before)).await;
    assert_eq!(outcome.end, End::NotSent(Why::Moved), "{outcome:?}");
    let words = format!("it has {} results by now", now.recorded().unwrap());
    says(&outcome.why, &words);
    says(&outcome.why, "nothing was sent");
    assert_eq!(bench.writes(), Vec::<String>::new());
    // What was asked with the results that are there is sent, and these are written down.
    let outcome = bench.change(removes(&now)).await;
    assert!(outcome.is_complete(), "{outcome:?}");
    assert_eq!(bench.writes(), [REMOVE]);
    let kept = &note(&bench.journal()[0])["results before"];
    let untested = ResultCode::Untested;
    assert_eq!(kept[untested.label()], json!(now.get(untested)));
}

/// Two windows, each with the question open: the request of the second one changes nothing more, and is answered all the same.
#[tokio::test]
async fn what_another_window_has_just_removed_is_removed_and_what_nobody_here_did_is_not_claimed() {
    together([true, false].map(async |by_another_window| {
        let mut bench = Bench::new().await;
        let document = bench.run("Suites").await;
        let (run, id) = (document.doc_ref().clone(), ID.text(&document));
        let free: Vec<DocRef> = bench.free(&run).await;
        let two = &free[..2];
        bench.other.add_suites(&run, &free[..3]).await;
        if by_another_window {
            bench.changed(&run, false, two).await;
        } else {
            bench.other.remove_suites(&run, two).await;
        }
        // With its id its suites are counted.
        let change = change_of(&run, false, two).with(|it| it.run_id = id);
        let outcome = bench.change(change).await;
        if by_another_window {
            assert!(outcome.is_complete(), "{outcome:?}");
            assert_eq!(outcome.done_parts(), two);
            assert!(outcome.why.contains("another window"), "{outcome:?}");
        } else {
            assert_eq!(outcome.end, End::Unknown, "{outcome:?}");
        }
        let state = if by_another_window { "done" } else { "differs" };
        assert_eq!(bench.journal().last().unwrap().state(), state);
    }))
    .await;
}

#[tokio::test]
async fn what_was_answered_with_a_yes_is_not_sent_again_while_a_replica_may_be_behind() {
    together([true, false].map(async |adds| {
        let lag = Duration::from_mins(1);
        let behind = |profile: &mut Profile| {
            profile.read_again = [20, 50].map(Duration::from_millis).into();
        };
        let mut bench = Bench::with(options(|it| it.lag = lag), behind).await;
        let page = Page {
            offset: 0,
            limit: 100,
        };
        let listed = bench.other.reader();
        let listed = listed.list_runs(page, &[], &Filter::default()).await;
        let is_one = |row: &RunRow| !row.is_closed() && row.suite_count > Some(2);
        let row = listed.unwrap().rows.into_iter().find(is_one).unwrap();
        let run = row.doc_ref.clone();
        let of_run = bench.suites(&run).into_iter().collect();
        let suites = if adds { bench.free(&run).await } else { of_run };
        let (method, done) = if adds {
            (ADD, "added")
        } else {
            (REMOVE, "removed")
        };
        let change = |suites: &[DocRef]| change_of(&run, adds, suites);
        let outcome = bench.change(change(&suites[..1])).await;
        assert_eq!(outcome.end, End::Unknown, "{outcome:?}");
        let outcome = bench.change(change(&suites[..2])).await;
        assert_eq!(outcome.end, End::NotSent(Why::Behind), "{outcome:?}");
        says(
            &outcome.why,
            &format!("an earlier request from here has {done} "),
        );
        says(
            &outcome.why,
            ", as the service answered, and no reading has confirmed it.",
        );
        says(&outcome.why, "(rundown changes resume ");
        assert_eq!(bench.writes(), [method], "sent once");
        // Others are sent, and once it is left at that these are, too.
        bench.change(change(&suites[1..2])).await;
        assert_eq!(bench.writes(), [method; 2]);
        let state = rundown::disk::StateFolder::open(bench.folder.path()).unwrap();
        for job in state.under_way.left().unwrap() {
            state.under_way.let_be(&job).unwrap();
        }
        bench.change(change(&suites[..1])).await;
        assert_eq!(bench.writes(), [method; 3]);
    }))
    .await;
}

//! The journal as it is told to the screen.

use crate::support::prelude::*;
use rundown::store::{JournalLine, JournalPage};

use super::bench::{Bench, create_of};

const LONG: &str = "One of the many that begin alike in all of their words";

impl Bench {
    pub async fn lines(&mut self) -> Vec<JournalLine> {
        self.page().await.lines
    }

    async fn page(&mut self) -> JournalPage {
        let id = self.send(|id| Effect::Request(id, Request::ReadJournal { run: None }));
        let came = |event: &Event| match event {
            Event::Answer(other, Answer::Journal(result)) if *other == id => {
                Some(result.clone().unwrap())
            }
            _ => None,
        };
        self.until("the journal", came).await
    }
}

/// They are searched at each key. That there are more is told, with where they are.
#[tokio::test]
async fn of_very_many_writes_the_newest_are_shown() {
    let mut bench = Bench::new().await;
    bench.create(create_of(&["One of many"], &[])).await;
    let run = DocRef::parse(&bench.journal()[0].run).unwrap();
    bench.saved(&run, &[(RunField::Title, "Newest")]).await;
    let file = bench.folder.path().join("journal.ndjson");
    let newest = std::fs::read_to_string(&file).unwrap();
    let name = bench.journal().last().unwrap().write.to_string();
    let steps = newest.lines().filter(|line| line.contains(&name));
    let one: String = steps.flat_map(|line| [line, "\n"]).collect();
    let older = (0..600).map(|at| one.replace(&name, &format!("{at:012x}-{at:016x}")));
    std::fs::write(&file, older.collect::<String>() + &newest).unwrap();
    let all = bench.journal().len();
    let page = bench.page().await;
    assert_eq!(page.lines.len(), 500);
    assert_eq!(page.lines[0].write, name);
    let words = format!("the newest 500 of {all} are here; all are in ");
    says(&page.problem.unwrap(), &words);
}

#[tokio::test]
async fn an_open_end_is_called_so_until_a_reading_decides() {
    let mut bench = Bench::new().await;
    let reviewed = bench.run("Before").await;
    bench.proxy.fault_for("MODIFY_DOCUMENT", Fault::CutBefore);
    bench.modify(&reviewed, &[(RunField::Title, "After")]).await;
    bench.proxy.fault(Fault::None);
    let open = bench.lines().await[0].detail.join("\n");
    says(&open, "Its end is not known: no answer");
    lacks(&open, "It is not as it was sent");
    // It came late.
    let after = [(RunField::Title, "After")];
    bench.other.modify(reviewed.doc_ref(), &after).await;
    let job = bench.journal().last().unwrap().job().to_owned();
    let id = bench.send(|id| Effect::Request(id, Request::ReadUnfinished { job }));
    let came = |event: &Event| {
        matches!(event, Event::Answer(other, Answer::UnfinishedRead(_)) if *other == id)
            .then_some(())
    };
    bench.until("what is left", came).await;
    let done = bench.lines().await[0].detail.join("\n");
    says(
        &done,
        "Done, and checked: looked at later: the new values are there",
    );
    lacks(&done, "not known");
    lacks(&done, "as it was before");
}

#[tokio::test]
async fn a_change_of_blanks_alone_is_told_in_the_words_of_the_review() {
    let mut bench = Bench::new().await;
    bench.create(create_of(&["plain title"], &[])).await;
    let run = DocRef::parse(&bench.journal()[0].run).unwrap();
    bench
        .saved(&run, &[(RunField::Title, "plain  title")])
        .await;
    let newest = &bench.lines().await[0];
    let words = "Title \"plain title\" → the same words, other blanks or line ends";
    assert_eq!(newest.what, words);
}

#[tokio::test]
async fn every_write_says_what_it_did_and_to_which_run() {
    let renamed = format!("{LONG}, renamed");
    let mut bench = Bench::new().await;
    let create = create_of(&[LONG], &[]).with(|it| it.origin = "clone of R_4".into());
    bench.create(create).await;
    let run = DocRef::parse(&bench.journal()[0].run).unwrap();
    let two: Vec<DocRef> = bench.free(&run).await.into_iter().take(2).collect();
    bench.changed(&run, true, &two).await;
    bench.changed(&run, false, &two).await;
    bench
        .saved(
            &run,
            &[(RunField::Title, &renamed), (RunField::Configuration, "")],
        )
        .await;
    bench.undo().await;
    bench.delete(&run).await;
    let mut lines = bench.lines().await;
    lines.reverse();
    let what: Vec<&str> = lines.iter().map(|line| line.what.as_str()).collect();
    // Of two long texts what differs is seen.
    let there =
        "Title \"…heir words\" → \"…heir words, renamed\"; Configuration \"qftest, chrome\" → \"\"";
    let back =
        "Title \"…heir words, renamed\" → \"…heir words\"; Configuration \"\" → \"qftest, chrome\"";
    assert_eq!(
        what,
        [
            &format!("made \"{LONG}\" (clone of R_4)"),
            "added 2 suites",
            "removed 2 suites",
            there,
            &format!("undo: {back}"),
            "deleted it",
        ]
    );
    let journal = bench.journal();
    for (line, write) in lines.iter().zip(&journal) {
        assert_eq!(line.write, write.write.as_str());
        let state = if line.what == there {
            "taken back"
        } else {
            "done"
        };
        assert_eq!((line.state.as_str(), line.good), (state, true), "{line:?}");
        // Each with the name of its time.
        let is_named = write.new_title().is_none() && write.id().is_some();
        assert!(!is_named || line.run == write.run_name, "{line:?}");
    }
    let text = std::fs::read_to_string(bench.folder.path().join("journal.ndjson")).unwrap();
    let told: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!((told.len(), told[0]["run"].as_str()), (18, Some("")));
    assert!(
        told[1..].iter().all(|line| line["run"] == run.as_str()),
        "every line names the run, once there is one"
    );
    let suite = format!("Suite name of {}", two[0]);
    assert!(lines[1].detail.contains(&suite), "{:?}", lines[1].detail);
    assert!(
        lines[3]
            .detail
            .contains(&format!("Title: \"{LONG}\" → \"{renamed}\"")),
        "{:?}",
        lines[3].detail
    );
    assert!(
        lines[5]
            .request
            .iter()
            .any(|line| line.contains("trash/R_")),
        "{:?}",
        lines[5].request
    );
}

#[tokio::test]
async fn a_run_that_was_never_made_is_refused() {
    let mut bench = Bench::new().await;
    bench.create(create_of(&[" "], &[])).await;
    let lines = bench.lines().await;
    assert_eq!((lines[0].state.as_str(), lines[0].good), ("refused", false));
}

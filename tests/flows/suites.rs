//! Adding and removing suites by keys: what is sent, what the database holds afterwards, what is written down, and what the
//! person sees where suites, runs and answers are gone when they are needed.

use crate::support::prelude::*;
use std::os::unix::fs::PermissionsExt;

use rundown::attached::{How, State};
use rundown::domain::ReadBack;

use super::support::Other;
use super::support::served::suites_of;
use super::{Scene, scene, scene_with};

pub const ADD: &str = "ADD_TEST_SUITES_TO_RUN";
pub const DELETE: &str = "DELETE_TEST_SUITES_FROM_RUN";

impl Scene {
    /// What the database holds of a run.
    pub fn truth(&self, run: &DocRef) -> BTreeSet<DocRef> {
        suites_of(&self.service, run)
    }

    /// The cursor stands on this run; the list is read until it shows it.
    pub async fn go_to(&mut self, run: &DocRef) {
        self.desk
            .until_that("the list", |desk| desk.store.runs().len().is_some())
            .await;
        // Closed ones, too.
        self.desk.press(&["6"]);
        for _ in 0..60 {
            self.desk.press(&["r"]);
            self.desk
                .until_that("the list is read", |desk| !desk.store.runs().reader.busy())
                .await;
            self.desk.press(&["Home"]);
            for _ in 0..self.desk.store.runs().len().unwrap() {
                self.until_row().await;
                if self.desk.store.here().doc_ref == *run {
                    return;
                }
                self.desk.press(&["j"]);
            }
            pause(100).await;
        }
        panic!("the list never showed {run}\n{}", self.desk.screen());
    }

    /// The available suites of a new, empty run are on the screen, read whole.
    pub async fn at_new_run(&mut self) -> (Other, DocRef) {
        let other = self.other().await;
        let run = other.add_run("Suites by keys").await;
        self.go_to(&run).await;
        self.desk.press(&["a"]);
        self.read_whole().await;
        (other, run)
    }

    pub async fn read_whole(&mut self) {
        self.desk
            .until_that("the available suites", |desk| {
                let list = &desk.store.available().unwrap().suites;
                !list.is_reading() && list.value().is_some()
            })
            .await;
    }

    pub fn free(&self) -> Vec<DocRef> {
        let list = self.desk.store.available().unwrap().suites.value().unwrap();
        list.iter().map(|suite| suite.doc_ref.clone()).collect()
    }

    /// Two suites are marked for a new run and sent into this fault: the run, and what is marked.
    async fn two_sent(&mut self, fault: Fault) -> (DocRef, Vec<DocRef>) {
        let (_, run) = self.at_new_run().await;
        self.desk.press(&["Space", "Space"]);
        let marked = self.basket();
        self.proxy.fault_for(ADD, fault);
        self.desk.press(&["Enter", "Enter"]);
        (run, marked)
    }

    pub fn basket(&self) -> Vec<DocRef> {
        self.desk
            .store
            .available()
            .unwrap()
            .list
            .marks
            .rows()
            .iter()
            .map(|suite| suite.doc_ref.clone())
            .collect()
    }

    /// Waits for the end of the change under way; what came of it.
    pub async fn outcome(&mut self) -> Outcome {
        let over = |desk: &super::Desk| desk.changed.is_some();
        self.desk.until_that("the end of the change", over).await;
        self.desk.changed.take().unwrap()
    }

    pub fn writes(&self) -> Vec<String> {
        self.proxy.writes()
    }
}

fn exactly(run: &DocRef, suites: &[DocRef]) -> Value {
    let suites: Vec<&str> = suites.iter().map(DocRef::as_str).collect();
    json!({"testRunDocRef": run.as_str(), "testSuiteDocRefs": suites})
}

#[tokio::test]
async fn three_suites_are_added_seen_and_one_is_removed_by_keys_alone() {
    let mut scene = scene(Options::default()).await;
    scene.other().await.add_run("Nothing in it").await;
    let (_, run) = scene.at_new_run().await;
    scene.press(&["Space", "Space", "Space"]);
    let three = scene.basket();
    scene.press(&["Enter"]);
    for word in ["Add 3 suites to R_", "Up to ", " more cases", "[ Add ]"] {
        scene.says(word);
    }
    scene.lacks(ADD);
    scene.press(&["i"]);
    let screen = scene.screen();
    assert!(
        [ADD, run.as_str()].iter().all(|word| screen.contains(word))
            && three.iter().all(|suite| screen.contains(suite.as_str())),
        "{screen}"
    );
    scene.press(&["Esc"]);
    assert_eq!(
        scene.writes().len(),
        0,
        "nothing is sent before the button is pressed"
    );
    scene
        .press_until(&["Enter"], ", checked. u undoes it.")
        .await;
    scene.says("3 suites added to R_");
    assert_eq!(scene.truth(&run), three.iter().cloned().collect());
    assert_eq!(scene.params(ADD), [exactly(&run, &three)]);
    scene.read_whole().await;
    assert!(scene.basket().is_empty() && three.iter().all(|suite| !scene.free().contains(suite)));
    scene.press_until(&["Tab"], "\n3 suites\n").await;
    let lines = scene.store.attached().unwrap().verdict.value().unwrap();
    let mut named: Vec<_> = lines.sure().map(|named| named.suite.clone()).collect();
    named.sort();
    assert_eq!(named, scene.truth(&run).into_iter().collect::<Vec<_>>());
    scene.press(&["Space"]);
    let one = scene.store.attached().unwrap().list.marks.rows().to_vec();
    scene.press(&["x"]);
    scene.says("Remove S_");
    scene.says("[ Cancel ]");
    scene.press(&["Tab"]);
    assert_eq!(scene.proxy.count(DELETE), 0);
    scene
        .press_until(&["Enter"], "1 suite removed from R_")
        .await;
    assert_eq!(scene.params(DELETE), [exactly(&run, &one)]);
    let left: BTreeSet<_> = three
        .iter()
        .filter(|suite| **suite != one[0])
        .cloned()
        .collect();
    assert_eq!(scene.truth(&run), left);
    scene.press_until(&["k"], "\n2 suites\n").await;
    scene.press(&["Tab"]);
    scene.read_whole().await;
    assert!(scene.free().contains(&one[0]), "it can be added again");
    assert_eq!(scene.writes(), [ADD, DELETE]);
}

#[tokio::test]
async fn three_suites_are_added_from_the_list_by_at_most_seven_keys() {
    const KEYS: [&str; 6] = ["a", "Space", "Space", "Space", "Enter", "Enter"];
    let mut scene = scene(Options::default()).await;
    let other = scene.other().await;
    let run = other.add_run("Three by seven keys").await;
    scene.go_to(&run).await;
    scene.press(&KEYS[..1]);
    scene.read_whole().await;
    scene.press(&KEYS[1..4]);
    let three = scene.basket();
    scene.press(&KEYS[4..]);
    scene.says("\nAdding 3 suites to R_");
    scene.until(", checked. u undoes it.").await;
    assert_eq!(scene.params(ADD), [exactly(&run, &three)]);
    assert_eq!(scene.truth(&run), three.into_iter().collect());
    // What the end names does it.
    scene.press_until(&["u"], "Remove 3 suites from R_").await;
    scene
        .press_until(&["Tab", "Enter"], "3 suites removed from R_")
        .await;
    assert!(scene.truth(&run).is_empty());
}

#[tokio::test]
async fn suites_in_no_open_run_are_listed_from_the_board_and_put_into_a_run_from_there() {
    let mut scene = scene(options(|it| it.runs = 6)).await;
    let other = scene.other().await;
    let [one, two] = [other.add_run("First").await, other.add_run("Second").await];
    scene.go_to(&one).await;
    scene.press(&["a"]);
    scene.read_whole().await;
    other.add_suites(&two, &scene.free()[..3]).await;
    scene.press(&["Esc"]);
    scene.press_until(&["B"], "runs counted").await;
    scene.press(&["G"]);
    scene.says("> Suites in no open run: Enter reads");
    scene.press(&["Enter"]);
    scene.read_whole().await;
    scene.says("› Release 1.2.0 › in no open run");
    scene.says("can be added and are in no open run of 1.2.0");
    let free = scene.free();
    let inside = scene.truth(&two);
    assert!(!free.is_empty() && free.iter().all(|suite| !inside.contains(suite)));
    scene.press(&["Space", "Space", "Enter"]);
    let marked = scene.basket();
    scene.says("Add the suites to");
    scene.press(&["F", "i", "r", "s", "t", "Enter"]);
    scene.says("Add 2 suites to R_");
    // Which one of its kind that is.
    scene.says(" First.");
    assert_eq!(scene.writes().len(), 0, "it asks first");
    scene.press(&["Enter"]);
    scene.until(", checked. u undoes it.").await;
    assert_eq!(scene.params(ADD), [exactly(&one, &marked)]);
    assert_eq!(scene.truth(&one), marked.iter().cloned().collect());
    // They are in a run now; the board says how many are left.
    let left: Vec<DocRef> = free
        .into_iter()
        .filter(|suite| !marked.contains(suite))
        .collect();
    assert_eq!((scene.free(), scene.basket()), (left.clone(), Vec::new()));
    scene.press(&["Esc"]);
    let left = format!("{} suites can be added and are in no open run", left.len());
    scene.says(&left);
}

#[tokio::test]
async fn suites_in_no_run_are_of_one_sub_project() {
    let few = options(|it| (it.runs, it.suites) = (0, 300));
    let mut scene = scene_with(few, |profile| profile.subproject_id = None).await;
    let other = scene.other().await;
    for (subproject, title) in [("SP_1", "First"), ("SP_2", "Second")] {
        let run = other.add_run_in(subproject, title).await;
        scene.go_to(&run).await;
    }
    scene.press(&[":", "coverage", "Enter"]);
    scene.read_whole().await;
    scene.says("› Release 1.2.0 › in no open run");
    scene.says("the runs are of 2 sub projects, use one of them");
    assert!(scene.free().is_empty());
}

#[tokio::test]
async fn the_removal_is_on_cancel_first_and_esc_sends_nothing() {
    let mut scene = scene(Options::default()).await;
    let (other, run) = scene.at_new_run().await;
    scene.press(&["Space", "Enter", "Esc"]);
    assert_eq!(scene.basket().len(), 1, "the mark stays");
    other.add_suites(&run, &scene.free()[5..7]).await;
    scene.press_until(&["s"], "\n2 suites\n").await;
    scene.press(&["A", "x", "Enter"]);
    assert!(scene.store.confirm().is_none() && scene.store.changing().is_none());
    assert!(scene.writes().is_empty(), "{:?}", scene.writes());
}

#[tokio::test]
async fn more_than_twenty_go_in_chunks_in_order_with_a_line_for_each() {
    let mut scene = scene(options(|it| it.suites = 900)).await;
    let (_, run) = scene.at_new_run().await;
    scene.press(&["v", "End", "v"]);
    let marked = scene.basket();
    assert!(marked.len() > 45, "{}", marked.len());
    scene.press(&["Enter", "Enter"]);
    let outcome = scene.outcome().await;
    assert!(outcome.is_complete(), "{outcome:?}");
    let sent: Vec<Vec<DocRef>> = scene
        .params(ADD)
        .iter()
        .map(|params| {
            let suites = params["testSuiteDocRefs"].as_array().unwrap();
            suites
                .iter()
                .map(|suite| DocRef::parse(suite.as_str().unwrap()).unwrap())
                .collect()
        })
        .collect();
    assert_eq!(
        sent,
        marked
            .chunks(20)
            .map(<[DocRef]>::to_vec)
            .collect::<Vec<_>>()
    );
    let steps = &scene.steps;
    assert!(
        steps.iter().all(|step| step.good) && steps.len() == sent.len(),
        "{steps:?}"
    );
    assert!(
        steps[1]
            .words
            .starts_with(&format!("request 2 of {}, 20 suites", sent.len())),
        "{steps:?}"
    );
    assert_eq!(scene.truth(&run), marked.into_iter().collect());
}

#[tokio::test]
async fn clamped_pages_and_a_replica_that_is_behind_end_confirmed() {
    for options in [
        options(|it| it.page_limit = Some(7)),
        options(|it| it.lag = Duration::from_millis(800)),
    ] {
        let mut scene = scene(options).await;
        let (_, run) = scene.at_new_run().await;
        scene.press(&["Space", "Space", "Enter", "Enter"]);
        let outcome = scene.outcome().await;
        assert!(outcome.is_complete(), "{outcome:?}");
        assert_eq!(
            scene.truth(&run),
            outcome.done_parts().into_iter().collect()
        );
        assert_eq!(scene.writes(), [ADD]);
    }
}

#[tokio::test]
async fn while_somebody_else_writes_nothing_wrong_is_shown_as_sure() {
    let every = Duration::from_millis(40);
    let mut scene = scene(options(|it| it.second_writer = Some(every))).await;
    scene.until("\nrun 1 of").await;
    let theirs = |run: &RunRow| {
        run.status == Status::Active
            && run.version.as_deref() == Some("1.2.1")
            && run.suite_count.unwrap_or(0) > 0
    };
    for _ in 0..scene.store.runs().len().unwrap() {
        scene.until_row().await;
        if theirs(&scene.store.here()) {
            break;
        }
        scene.press(&["j"]);
    }
    let run = scene.store.here().doc_ref.clone();
    for key in ["s", "r", "r"] {
        let mut seen = scene.truth(&run);
        scene.press(&[key]);
        let over = |desk: &super::Desk| !desk.store.attached().unwrap().verdict.is_reading();
        scene.until_that("the verdict", over).await;
        seen.append(&mut scene.truth(&run));
        let screen = scene.store.attached().unwrap();
        let attached = screen.verdict.value().unwrap();
        let sure: BTreeSet<_> = attached.sure().map(|named| named.suite.clone()).collect();
        assert!(
            sure.is_subset(&seen),
            "{}: {sure:?} of {seen:?}",
            attached.words()
        );
        assert_ne!(attached.state, State::Closed);
    }
}

#[tokio::test]
async fn a_read_only_profile_says_so_and_sends_nothing() {
    let mut scene = scene_with(Options::default(), |profile| profile.read_only = true).await;
    let (other, run) = scene.at_new_run().await;
    scene.press(&["Space", "Enter"]);
    scene.says("read-only: nothing is changed from here");
    assert!(scene.store.confirm().is_none());
    other.add_suites(&run, &scene.free()[..1]).await;
    scene.press_until(&["s"], "\n1 suite\n").await;
    scene.press(&["Space", "x"]);
    scene.says("read-only: nothing");
    assert!(scene.store.confirm().is_none() && scene.writes().is_empty());
}

#[tokio::test]
async fn the_journal_shows_every_write_and_its_file_has_no_secret() {
    let mut scene = scene(Options::default()).await;
    let (other, _) = scene.at_new_run().await;
    scene.press(&["Space", "Space", "Enter", "Enter"]);
    scene.outcome().await;
    scene.press(&["r"]);
    scene.read_whole().await;
    let run = scene
        .store
        .available()
        .unwrap()
        .on_run()
        .unwrap()
        .doc_ref
        .clone();
    let next = scene
        .store
        .available()
        .unwrap()
        .at(0)
        .unwrap()
        .doc_ref
        .clone();
    other.add_suites(&run, std::slice::from_ref(&next)).await;
    scene.press(&["Home", "Space", "Enter", "Enter"]);
    assert_eq!(scene.basket(), [next]);
    scene.outcome().await;
    scene.press_until(&["@"], "2 of 2").await;
    for word in ["done", "refused", "added S_", "  add S_", "Suites by keys"] {
        scene.says(word);
    }
    scene.press(&["/done"]);
    scene.says("1 of 2");
    let path = scene.folder.path().join("journal.ndjson");
    assert_eq!(
        std::fs::metadata(&path).unwrap().permissions().mode() & 0o777,
        0o600
    );
    let text = std::fs::read_to_string(path).unwrap();
    assert!(
        text.contains(ADD) && text.lines().all(|line| line.parse::<Value>().is_ok()),
        "{text}"
    );
    let served = scene.service.profile();
    assert!(
        !text.contains(served.password.expose_secret())
            && !text.contains(served.client_secret.expose_secret())
    );
    for passed in scene.proxy.passed() {
        if let Some(token) = passed.headers.get("authorization") {
            assert!(!text.contains(token.to_str().unwrap().trim_start_matches("Bearer ")));
        }
    }
}

#[tokio::test]
async fn a_chunk_that_fails_stops_the_rest_and_the_rest_stays_marked() {
    let mut scene = scene(options(|it| it.suites = 900)).await;
    let (other, run) = scene.at_new_run().await;
    scene.press(&["A"]);
    let marked = scene.basket();
    assert!(marked.len() > 45, "{}", marked.len());
    other.add_suites(&run, &marked[24..25]).await;
    scene.press(&["Enter", "Enter"]);
    let outcome = scene.outcome().await;
    assert_eq!(scene.proxy.count(ADD), 2, "the third is never sent");
    assert_eq!(outcome.done_parts(), marked[..20]);
    assert_eq!(outcome.other_parts(), marked[20..]);
    assert_eq!(scene.basket(), marked[20..]);
    let screen = scene.screen();
    let words = format!("20 of {} suites added to R_", marked.len());
    says(&screen, &words);
    says(&screen, "Still marked: S_");
    let steps = &scene.steps;
    let lines: Vec<_> = steps
        .iter()
        .map(|step| (step.good, step.words.as_str()))
        .collect();
    assert!(matches!(lines[..], [(true, _), (false, _)]), "{lines:?}");
    assert!(
        lines[0].1.starts_with("request 1 of") && lines[0].1.ends_with(": done"),
        "{lines:?}"
    );
    assert!(
        lines[1].1.starts_with("request 2 of") && lines[1].1.contains("refused: "),
        "{lines:?}"
    );
    // The request that is in effect is not called otherwise for the sake of the other.
    let journal = Journal::open(scene.folder.path()).unwrap();
    let read = journal.newest(None);
    let states: Vec<_> = read
        .unwrap()
        .writes
        .iter()
        .map(rundown::disk::WriteRecord::state)
        .collect();
    assert_eq!(states.len(), 2, "{states:?}");
    assert!(states[1] == "done" && states[0] != "done", "{states:?}");
    let mut truth = marked[..20].to_vec();
    truth.push(marked[24].clone());
    assert_eq!(scene.truth(&run), truth.into_iter().collect());
}

#[tokio::test]
async fn after_a_change_the_number_of_suites_in_the_run_is_that_of_a_reading() {
    let mut scene = scene(Options::default()).await;
    let (other, run) = scene.at_new_run().await;
    let free = scene.free();
    other.add_suites(&run, &free[..3]).await;
    scene
        .press_until(&["G", "Space", "Enter", "Enter"], "1 suite added to R_")
        .await;
    assert_eq!(scene.truth(&run).len(), 4);
    scene.says("In this run 4");
}

#[tokio::test]
async fn a_suite_gone_meanwhile_is_refused_and_shown_as_gone() {
    let mut scene = scene(Options::default()).await;
    let (other, run) = scene.at_new_run().await;
    scene.press(&["Space", "Space"]);
    let marked = scene.basket();
    other.add_suites(&run, &marked[..1]).await;
    scene
        .press_until(&["Enter", "Enter"], "can be added no more, perhaps added")
        .await;
    scene.outcome().await;
    assert_eq!(
        scene.truth(&run),
        marked[..1].iter().cloned().collect(),
        "all of a request, or none"
    );
    scene
        .press_until(&["k"], "1 cannot be added any more")
        .await;
    assert_eq!(scene.basket(), marked);
    scene.press(&["Enter"]);
    scene.says("Left out, because they cannot be added any more: S_");
    scene.press_until(&["Enter"], "1 suite added to R_").await;
    assert_eq!(scene.truth(&run), marked.into_iter().collect());
    assert_eq!(scene.proxy.count(ADD), 2);
}

#[tokio::test]
async fn a_run_closed_or_deleted_meanwhile_is_said() {
    for deleted in [false, true] {
        let mut scene = scene(Options::default()).await;
        let (other, run) = scene.at_new_run().await;
        scene.press(&["Esc"]);
        scene.go_to(&run).await;
        scene.press_until(&["Enter"], "OPEN").await;
        scene.press_until(&["a"], "suites to add to").await;
        scene.press(&["Space"]);
        if deleted {
            other.delete(&run).await;
        } else {
            other.close(&run).await;
        }
        scene.press(&["Enter", "Enter"]);
        let outcome = scene.outcome().await;
        let words = scene.steps[0].words.clone();
        says(&words, "refused:");
        // The service says no more of a closed run than that the operation failed: reading the run tells.
        let told = if deleted {
            "the run is gone by now"
        } else {
            "the run is closed by now"
        };
        says(&words, told);
        says(&outcome.why, told);
        // The number of its suites shows that nothing was done; that of a run that is gone cannot be read.
        let end = if deleted { End::Unknown } else { End::Refused };
        assert_eq!(outcome.end, end, "{outcome:?}");
        let reason = if deleted {
            "not found"
        } else {
            "operation failed"
        };
        assert!(
            outcome.done_parts().is_empty() && outcome.other_parts().len() == 1,
            "{outcome:?}"
        );
        assert_eq!(
            (scene.writes(), scene.basket().len()),
            (vec![ADD.to_owned()], 1)
        );
        let failed =
            |desk: &super::Desk| desk.store.available().unwrap().suites.failure().is_some();
        scene
            .until_that("the list cannot be read any more", failed)
            .await;
        let list = &scene.store.available().unwrap().suites;
        assert!(
            list.failure().unwrap().cause.contains(reason),
            "{:?}",
            list.failure()
        );
        // The run behind it was read again, too.
        scene.press(&["Esc", "Esc", "Esc"]);
        if !deleted {
            scene.until("CLOSED").await;
        }
    }
}

#[tokio::test]
async fn a_closed_run_says_why_and_nothing_is_sent() {
    let mut scene = scene(Options::default()).await;
    let other = scene.other().await;
    let run = other.add_run("Closed").await;
    other.close(&run).await;
    scene.go_to(&run).await;
    assert_eq!(scene.store.here().status, Status::Inactive);
    scene.press(&["a"]);
    scene.says("This run is closed: its suites cannot be changed.");
    scene.press(&["r", "Space", "A", "Enter"]);
    assert!(scene.store.confirm().is_none());
    scene.press(&["Tab"]);
    scene.until("closed: its suites cannot be listed").await;
    assert_eq!(scene.proxy.count("GET_AVAILABLE_TEST_SUITES"), 0);
    assert!(scene.writes().is_empty());
}

#[tokio::test]
async fn an_answer_lost_before_the_service_acted_leaves_the_marks() {
    let mut scene = scene(Options::default()).await;
    let (run, marked) = scene.two_sent(Fault::CutBefore).await;
    let outcome = scene.outcome().await;
    assert!(
        outcome.end == End::Unknown && outcome.seen == ReadBack::Other,
        "{outcome:?}"
    );
    assert_eq!(
        (outcome.done_parts().len(), &outcome.other_parts()),
        (0, &marked)
    );
    assert_eq!(scene.basket(), marked);
    assert!(scene.truth(&run).is_empty());
    scene.says("may be changed: no answer");
    scene.proxy.fault(Fault::None);
    scene.press(&["r"]);
    scene.read_whole().await;
    assert_eq!(scene.writes(), [ADD], "sent once");
}

/// What a colleague did meanwhile would look the same: that no answer came is said.
#[tokio::test]
async fn suites_that_a_reading_alone_shows_in_the_run_are_not_called_added_without_a_word() {
    let mut scene = scene(Options::default()).await;
    scene.two_sent(Fault::CutAfter).await;
    let outcome = scene.outcome().await;
    assert!(outcome.is_complete(), "{outcome:?}");
    scene.says(", by reading: no clear answer came");
    scene.lacks("checked");
    let told = "its suites are in the run, by reading";
    scene.press_until(&["@"], told).await;
}

#[tokio::test]
async fn a_reference_of_the_wrong_form_is_refused_in_words_and_nothing_is_asked() {
    let mut scene = scene(Options::default()).await;
    scene.at_new_run().await;
    scene.press_until(&["s"], "no suites").await;
    let before = scene.proxy.passed().len();
    for wrong in [
        "TestRun-dm/20744",
        "TestSuite-dm/",
        "20744",
        "TestSuite-dm/1 R_31",
        ",,",
    ] {
        scene.press(&[":"]);
        scene.paste(&format!("remove {wrong}"));
        scene.press(&["Enter"]);
        let screen = scene.screen();
        assert!(screen.contains("expected a reference"), "{wrong}: {screen}");
        assert!(scene.store.attached().unwrap().typed.is_empty(), "{wrong}");
        scene.press(&["Esc"]);
    }
    assert_eq!(scene.proxy.passed().len(), before, "nothing was asked");
}

#[tokio::test]
async fn a_right_reference_that_is_not_in_the_run_has_no_effect_and_that_is_said() {
    // Without counts and without an empty run nothing proves the reference wrong, so it can be tried.
    let mut scene = scene(options(|it| it.runs = 1)).await;
    let other = scene.other().await;
    let run = other.add_run("Typed").await;
    scene.go_to(&run).await;
    scene.press(&["a"]);
    scene.read_whole().await;
    other.add_suites(&run, &scene.free()[..1]).await;
    scene.press_until(&["s"], "\n0 of 1 suite known").await;
    scene.press(&[":", "remove TestSuite-dm/999999", "Enter"]);
    scene.until("Remove TestSuite-dm/999999 from R_").await;
    let attached = scene.store.attached().unwrap().verdict.value().unwrap();
    assert_eq!(
        (attached.state, &attached.named[0].how),
        (State::Partial, &How::Typed)
    );
    scene.press(&["Tab", "Enter"]);
    let outcome = scene.outcome().await;
    assert_eq!(outcome.seen, ReadBack::Other);
    says(&outcome.why, "no effect seen");
    assert_eq!(
        outcome.other_parts(),
        [DocRef::parse("TestSuite-dm/999999").unwrap()]
    );
    scene.says("no effect seen");
    assert_eq!(
        (scene.truth(&run).len(), scene.writes()),
        (1, vec![DELETE.to_owned()])
    );
}

#[tokio::test]
async fn a_list_that_changes_between_its_pages_is_read_again_until_it_is_whole() {
    let mut scene = scene(options(|it| it.page_limit = Some(7))).await;
    let (other, run) = scene.at_new_run().await;
    let before = scene.free();
    assert!(before.len() > 14, "more than two pages: {}", before.len());
    let calls = scene.proxy.count("GET_AVAILABLE_TEST_SUITES");
    scene
        .proxy
        .fault_for("GET_AVAILABLE_TEST_SUITES", Fault::delay(150));
    scene.press(&["r"]);
    let first = |desk: &super::Desk| desk.store.available().unwrap().progress.is_some();
    scene.until_that("the first page", first).await;
    other.add_suites(&run, &before[..1]).await;
    scene.read_whole().await;
    scene.proxy.fault(Fault::None);
    let (now, left): (Vec<_>, BTreeSet<_>) = (scene.free(), before[1..].iter().cloned().collect());
    assert_eq!(now.len(), left.len(), "none twice, none left out");
    assert_eq!(now.into_iter().collect::<BTreeSet<_>>(), left);
    let again = scene.proxy.count("GET_AVAILABLE_TEST_SUITES") - calls;
    assert!(again > before.len().div_ceil(7), "{again} calls");
}

#[tokio::test]
async fn ctrl_c_stops_before_the_next_request_and_what_went_out_is_read() {
    let mut scene = scene(options(|it| it.suites = 900)).await;
    let (_, run) = scene.at_new_run().await;
    scene.press(&["A"]);
    let marked = scene.basket();
    scene.proxy.fault_for(ADD, Fault::delay(700));
    scene.press(&["Enter", "Enter"]);
    while scene.proxy.count(ADD) == 0 {
        pause(10).await;
    }
    scene.press(&["Ctrl-c"]);
    let outcome = scene.outcome().await;
    assert_eq!(scene.proxy.count(ADD), 1, "the second is never sent");
    assert_eq!(
        (&outcome.done_parts()[..], &outcome.other_parts()[..]),
        (&marked[..20], &marked[20..])
    );
    assert_eq!(scene.basket(), marked[20..]);
    assert_eq!(scene.truth(&run), marked[..20].iter().cloned().collect());
    assert!(!scene.quit);
}

#[tokio::test]
async fn of_what_was_answered_and_could_not_be_read_nobody_says_that_the_program_ended() {
    let mut scene = scene(Options::default()).await;
    scene.at_new_run().await;
    scene.press(&["Space"]);
    scene
        .proxy
        .fault_for("GET_AVAILABLE_TEST_SUITES", Fault::status(503));
    scene.press(&["Enter", "Enter"]);
    let outcome = scene.outcome().await;
    assert_eq!(outcome.end, End::Unknown, "{outcome:?}");
    scene.says("Not known: S_");
    let told = "was sent and answered, but not read afterwards";
    scene.press_until(&["@"], told).await;
    assert_eq!(scene.writes(), [ADD], "sent once");
}

#[tokio::test]
async fn what_cannot_be_read_afterwards_is_not_called_confirmed_and_stays_marked() {
    let mut scene = scene(Options::default()).await;
    let (run, marked) = scene.two_sent(Fault::CutAfter).await;
    let told = |desk: &super::Desk| {
        let mut words = desk
            .steps
            .iter()
            .filter(|step| !step.good)
            .map(|step| &step.words);
        words.any(|words| words.contains("no answer (") && words.contains("not sent again"))
    };
    scene.until_that("no answer", told).await;
    scene.proxy.go_down().await;
    let outcome = scene.outcome().await;
    assert_eq!(
        (outcome.end, &outcome.seen),
        (End::Unknown, &ReadBack::Unread),
        "{outcome:?}"
    );
    scene.says("may be changed: reading afterwards");
    assert_eq!(
        (outcome.done_parts().len(), scene.basket()),
        (0, marked.clone())
    );
    scene.press_until(&["@"], "end not known").await;
    // Nobody is asked to send them again before a reading shows what became of them.
    scene.press(&["Esc", "Enter"]);
    scene.says("whether the suites sent before are in the run is not known; r reads it");
    scene.proxy.fault(Fault::None);
    scene.proxy.come_back();
    scene
        .press_until(&["r"], "2 cannot be added any more")
        .await;
    assert_eq!(scene.truth(&run), marked.into_iter().collect());
    assert_eq!(scene.writes(), [ADD], "sent once");
}

#[tokio::test]
async fn what_was_gone_on_with_is_not_called_unknown_any_more() {
    let mut scene = scene(Options::default()).await;
    let (run, marked) = scene.two_sent(Fault::CutBefore).await;
    scene.outcome().await;
    scene.press_until(&["@"], "end not known").await;
    scene.proxy.fault(Fault::None);
    // Another window lets one go that this one still shows.
    let state = rundown::disk::StateFolder::open(scene.folder.path()).unwrap();
    let job = state.under_way.left().unwrap().remove(0);
    let file = scene.folder.path().join("under_way").join(&job);
    let kept = std::fs::read(&file).unwrap();
    state.under_way.let_be(&job).unwrap();
    let over = "Another window has gone on with it, or left it at that.";
    scene.press_until(&["Enter"], over).await;
    scene.until("left at that").await;
    std::fs::write(&file, kept).unwrap();
    scene.press_until(&["Esc", "@"], "end not known").await;
    scene.press_until(&["Enter"], "[ Add ]").await;
    scene.press_until(&["Enter"], "2 suites added to R_").await;
    assert_eq!(scene.truth(&run), marked.into_iter().collect());
    scene.press_until(&["@"], "left at that").await;
    scene.lacks("end not known");
}

//! Changing fields of a run: what is sent, an answer that is lost, late or contradicted, and what others write meanwhile.

use crate::support::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};

use rundown::domain::{Deed, UndoOf};

use super::bench::{Bench, modify_of, moved, names, note, otherwise, saved, together, why};
use super::scene::Scene;
use RunField::{Configuration, Description, Status, Title};

/// Members that no interface document names, everywhere they can be.
fn full_of_unknown_members(mut document: Value) -> Value {
    let odd: Value = serde_json::from_str(
        r#"{"zz":null,"a":[1,{"b":[]},"x\u0001"],"big":123456789012345678901234567890,"digits":1.500,"":{},"Ü":"日本語"}"#,
    )
    .unwrap();
    document["futureTop"] = odd.clone();
    document["Root"]["Future"] = odd.clone();
    document["Root"]["General"]["Mood"] = odd.clone();
    document["Root"]["General"]["Revision"] = json!(7);
    document["Root"]["Metadata"]["Future"] = odd.clone();
    document["Root"]["Attachments"] =
        json!([{"FileName": "a.png", "Future": odd, "File": {"content": null, "zz": 1}}]);
    document
}

/// A document without what the service assigns with every write.
fn steady(mut document: Value) -> Value {
    let metadata = document["Root"]["Metadata"].as_object_mut().unwrap();
    for name in ["EditedBy", "EditedOn", "DisplayEditedOn"] {
        metadata.remove(name);
    }
    document
}

#[tokio::test]
async fn fields_are_changed_and_all_else_comes_back_identical() {
    let mut bench = Bench::new().await;
    let run = bench.theirs("As it was").await;
    bench.put(&run, &full_of_unknown_members(bench.truth(&run).unwrap()));
    let before = bench.truth(&run).unwrap();
    let reviewed = bench.read(&run).await;
    let fields = [(Title, "Änderung \"日本\""), (Description, "one\ntwo")];
    let end = bench.modify(&reviewed, &fields).await;
    let document = saved(&end);
    assert!(end.why.starts_with("read again"), "{end:?}");
    assert_eq!(
        document.text("Root.General.Title").as_deref(),
        Some("Änderung \"日本\"")
    );
    let mut wanted = before;
    wanted["Root"]["General"]["Title"] = "Änderung \"日本\"".into();
    wanted["Root"]["General"]["Description"] = "one\ntwo".into();
    let truth = bench.truth(&run).unwrap();
    assert_eq!(steady(truth.clone()), steady(wanted.clone()));
    let (truth, wanted) = (steady(truth).to_string(), steady(wanted).to_string());
    assert_eq!(truth.len(), wanted.len(), "every digit is the same");
    assert_eq!(bench.writes(), ["MODIFY_DOCUMENT"]);
    let sent = &bench.params("MODIFY_DOCUMENT")[0];
    assert_eq!(sent["docRef"], run.as_str());
    assert_eq!(sent["document"]["__meta"], reviewed.raw()["__meta"]);
    let members: Vec<&String> = sent.as_object().unwrap().keys().collect();
    assert_eq!(members, ["document", "locale", "docRef"]);
    let journal = bench.one_confirmed();
    assert_eq!(
        journal[0].request(),
        Some(("MODIFY_DOCUMENT", sent)),
        "what was sent is what was written down"
    );
    assert_eq!(
        note(&journal[0]),
        json!({"before": {"Title": "As it was", "Description": ""}})
    );
    assert_eq!(journal[0].run, run.as_str());
}

#[tokio::test]
async fn nothing_is_sent_when_somebody_wrote_since_the_review() {
    for same_time in [false, true] {
        let mut bench = Bench::new().await;
        let reviewed = bench.run("Mine").await;
        let run = reviewed.doc_ref().clone();
        let at = reviewed.at("Root.Metadata.EditedOn").unwrap().clone();
        bench.edit(&run, "mai", |document| {
            document["Root"]["General"]["Description"] = "theirs".into();
            if same_time {
                document["Root"]["Metadata"]["EditedOn"] = at;
            }
        });
        let truth = bench.truth(&run);
        let fields = [(Title, "My title")];
        let now = moved(&bench.modify(&reviewed, &fields).await);
        assert_eq!(
            now.text("Root.General.Description").as_deref(),
            Some("theirs")
        );
        assert_eq!(bench.truth(&run), truth);
        assert!(bench.writes().is_empty() && bench.journal().is_empty());
        // Reviewed again, it goes through, and what they wrote stays.
        saved(&bench.modify(&now, &fields).await);
        assert_eq!(
            (bench.field(&run, Title), bench.field(&run, Description)),
            ("My title".into(), "theirs".into())
        );
    }
}

/// A member that the service counts up by itself is no edit.
#[tokio::test]
async fn what_changed_without_an_edit_is_named() {
    let mut bench = Bench::new().await;
    let reviewed = bench.run("Mine").await;
    let mut raw = reviewed.raw().clone();
    raw["document"]["Root"]["Readings"] = json!(7);
    let counted = Document::from_value(raw).unwrap();
    let end = bench.modify(&counted, &[(Title, "My title")]).await;
    moved(&end);
    assert_eq!(
        end.why,
        "Root.Readings changed meanwhile, though no edit is told: nothing was sent"
    );
    assert!(bench.writes().is_empty());
}

#[tokio::test]
async fn a_refusal_says_so_and_nothing_has_changed() {
    let mut bench = Bench::new().await;
    let reviewed = bench.run("Refused").await;
    let end = bench.modify(&reviewed, &[(Title, "  ")]).await;
    says(why(&end, End::Refused), "refused: invalid input (-32002)");
    assert_eq!(bench.field(reviewed.doc_ref(), Title), "Refused");
    assert_eq!(bench.steps(), ["sent", "unknown", "refused"]);
}

#[tokio::test]
async fn values_that_are_there_already_are_not_sent() {
    let mut bench = Bench::new().await;
    let reviewed = bench.run("Same").await;
    let end = bench
        .modify(&reviewed, &[(Title, "Same"), (Configuration, "")])
        .await;
    assert_eq!(
        why(&end, End::NotSent(Why::NothingToDo)),
        "the run has these values already"
    );
    assert!(bench.writes().is_empty() && bench.journal().is_empty());
}

#[tokio::test]
async fn a_run_that_is_gone_or_a_profile_that_may_not_write_sends_nothing() {
    let mut bench = Bench::new().await;
    let reviewed = bench.run("Gone").await;
    bench.other.delete(reviewed.doc_ref()).await;
    let end = bench.modify(&reviewed, &[(Title, "x")]).await;
    says(why(&end, End::NotSent(Why::Unread)), "not found (-32004)");
    let told = end.words(Deed::Save("R_1"));
    begins(&told, "R_1 could not be read first: ");
    says(&told, ". Nothing was sent. ");
    let mut bench = Bench::with(Options::default(), |profile| profile.read_only = true).await;
    let reviewed = bench.run("Read only").await;
    let end = bench.modify(&reviewed, &[(Title, "x")]).await;
    says(
        why(&end, End::NotSent(Why::Impossible)),
        "read-only: nothing",
    );
    assert!(bench.writes().is_empty());
}

/// The service ends between the review and the save: what broke was the reading, and that is all that is told.
#[tokio::test]
async fn a_connection_lost_by_the_reading_before_is_not_told_as_one_lost_by_the_write() {
    let mut bench = Bench::new().await;
    let reviewed = bench.run("Lost").await;
    bench.proxy.fault_for("GET_DOCUMENT", Fault::CutBefore);
    let end = bench.modify(&reviewed, &[(Title, "x")]).await;
    let told = end.words(Deed::Save("R_1"));
    begins(&told, "R_1 could not be read first: the connection broke (");
    assert!(told.ends_with("). Nothing was sent. Try again."), "{told}");
    bench.proxy.go_down().await;
    let end = bench.modify(&reviewed, &[(Title, "x")]).await;
    let told = end.words(Deed::Save("R_1"));
    begins(&told, "R_1 could not be read first: no connection to ");
    assert_eq!(told.matches("Nothing was sent").count(), 1, "{told}");
    assert!(bench.writes().is_empty());
}

#[tokio::test]
async fn what_cannot_be_written_down_is_not_sent() {
    let mut bench = Bench::new().await;
    let reviewed = bench.run("No journal").await;
    // The journal has been moved away, and something else has its name.
    let path = bench.folder.path().join("journal.ndjson");
    std::fs::remove_file(&path).unwrap();
    std::fs::create_dir(&path).unwrap();
    let id = bench.start_modify(&reviewed, &[(Title, "x")]);
    let end = bench.modified(id).await;
    let words = why(&end, End::NotSent(Why::Impossible));
    says(words, "could not be written down first");
    let told = |event: &Event| {
        matches!(event, Event::Trouble(failure)
        if failure.asked == "writing down a change" && failure.cause.contains("/journal.ndjson"))
    };
    assert!(bench.beside.iter().any(told), "{:?}", bench.beside);
    assert!(bench.writes().is_empty());
    assert_eq!(bench.field(reviewed.doc_ref(), Title), "No journal");
}

/// A journal that was moved away, with something else under its name.
struct Away(PathBuf);

impl Away {
    fn from(bench: &Bench) -> Self {
        let path = bench.folder.path().join("journal.ndjson");
        std::fs::rename(&path, path.with_extension("away")).unwrap();
        std::fs::create_dir(&path).unwrap();
        Self(path)
    }

    fn comes_back(self) {
        std::fs::remove_dir(&self.0).unwrap();
        std::fs::rename(self.0.with_extension("away"), &self.0).unwrap();
    }
}

#[tokio::test]
async fn an_answer_that_cannot_be_written_down_is_told_and_read_all_the_same() {
    let mut bench = Bench::new().await;
    let reviewed = bench.run("Half a journal").await;
    bench.proxy.fault_for("MODIFY_DOCUMENT", Fault::delay(300));
    let id = bench.start_modify(&reviewed, &[(Title, "x")]);
    bench.until_passed("MODIFY_DOCUMENT", 1).await;
    assert_eq!(
        bench.steps(),
        ["sent"],
        "on the disk before the request went out"
    );
    let journal = Away::from(&bench);
    saved(&bench.modified(id).await);
    let told = |event: &Event| matches!(event, Event::Trouble(failure) if failure.asked.contains("writing down"));
    assert_eq!(
        bench.beside.iter().filter(|event| told(event)).count(),
        2,
        "{:?}",
        bench.beside
    );
    // By what is on the disk its end is not known: the next start asks about it, and nothing older is taken back for it.
    journal.comes_back();
    let state = rundown::disk::StateFolder::open(bench.folder.path()).unwrap();
    let [written] = &bench.journal()[..] else {
        panic!("{:?}", bench.journal());
    };
    assert_eq!(state.under_way.left().unwrap(), [written.write.to_string()]);
    let undo = bench.plan_undo(UndoOf::Last).await.unwrap_err();
    says(&undo.cause, "the end of the last change (R_");
    says(&undo.cause, "is not known");
}

/// The disk was full between the two: the journal has the end.
#[tokio::test]
async fn a_change_whose_end_is_written_down_after_all_is_over() {
    let mut bench = Bench::new().await;
    let reviewed = bench.run("A hole in the journal").await;
    bench.proxy.fault_for("MODIFY_DOCUMENT", Fault::delay(300));
    let id = bench.start_modify(&reviewed, &[(Title, "x")]);
    bench.until_passed("MODIFY_DOCUMENT", 1).await;
    let journal = Away::from(&bench);
    let told = |event: &Event| {
        let is_it =
            matches!(event, Event::Trouble(failure) if failure.asked.contains("writing down"));
        is_it.then_some(())
    };
    bench.until("the answer not written", told).await;
    journal.comes_back();
    saved(&bench.modified(id).await);
    let state = rundown::disk::StateFolder::open(bench.folder.path()).unwrap();
    assert!(state.under_way.left().unwrap().is_empty());
    assert!(bench.plan_undo(UndoOf::Last).await.is_ok());
}

#[tokio::test]
async fn ctrl_c_before_the_request_stops_it() {
    let mut bench = Bench::new().await;
    let reviewed = bench.run("Stopped").await;
    let reads = bench.proxy.count("GET_DOCUMENT");
    let id = bench.start_modify(&reviewed, &[(Title, "x")]);
    bench.send(|_| Effect::Cancel(id));
    let end = bench.modified(id).await;
    assert_eq!(why(&end, End::NotSent(Why::Stopped)), "not sent, stopped");
    assert_eq!(bench.proxy.count("GET_DOCUMENT"), reads, "nor is it read");
    bench.proxy.fault_for("GET_DOCUMENT", Fault::delay(300));
    let id = bench.start_modify(&reviewed, &[(Title, "x")]);
    bench.until_passed("GET_DOCUMENT", reads + 1).await;
    bench.send(|_| Effect::Cancel(id));
    let stopped = Outcome::not_sent(Why::Stopped, "not sent, stopped");
    assert_eq!(bench.modified(id).await, stopped.of(reviewed.doc_ref()));
    assert!(bench.writes().is_empty());
}

#[tokio::test]
async fn a_run_is_closed_and_the_closing_data_are_no_foreign_change() {
    let mut bench = Bench::new().await;
    let reviewed = bench.run("To close").await;
    let end = bench.modify(&reviewed, &[(Status, "inactive")]).await;
    assert_eq!(
        saved(&end).text("Root.Metadata.ClosedBy").as_deref(),
        Some("qa")
    );
    assert!(matches!(
        bench.journal()[0].steps[2].step,
        Recorded::Confirmed { .. }
    ));
}

#[tokio::test]
async fn an_answer_lost_before_the_service_acted() {
    let mut bench = Bench::new().await;
    let reviewed = bench.run("Before").await;
    let truth = bench.truth(reviewed.doc_ref());
    bench.proxy.fault_for("MODIFY_DOCUMENT", Fault::CutBefore);
    let end = bench.modify(&reviewed, &[(Title, "After")]).await;
    let words = why(&end, End::Unknown);
    says(words, "no answer");
    says(words, "three readings show the run as it was");
    assert_eq!(bench.truth(reviewed.doc_ref()), truth);
    assert_eq!(bench.writes(), ["MODIFY_DOCUMENT"], "sent once");
    assert_eq!(bench.steps(), ["sent", "unknown", "differs"]);
}

#[tokio::test]
async fn a_lost_answer_and_a_change_by_somebody_else_conclude_nothing_about_the_own_one() {
    let mut bench = Bench::new().await;
    let reviewed = bench.run("Before").await;
    let run = reviewed.doc_ref().clone();
    bench.proxy.fault_for("MODIFY_DOCUMENT", Fault::CutBefore);
    let id = bench.start_modify(&reviewed, &[(Title, "After")]);
    bench.until_passed("MODIFY_DOCUMENT", 1).await;
    bench.edit(&run, "mai", |document| {
        document["Root"]["General"]["Title"] = "Theirs".into();
        document["Root"]["General"]["Description"] = "Theirs, too".into();
    });
    let end = bench.modified(id).await;
    let (what, _) = otherwise(&end, End::Unknown);
    says(
        what,
        "the answer was lost, and Title is \"Theirs\" instead of \"After\"",
    );
    let others = "changed meanwhile, and taken back if the save still comes: Description";
    says(what, others);
    says(what, "last edited by mai");
    lacks(what, "did not act");
    assert_eq!(bench.steps(), ["sent", "unknown", "differs"]);
}

#[tokio::test]
async fn an_answer_lost_after_the_service_acted() {
    together(
        [Duration::ZERO, Duration::from_millis(800)].map(async |lag| {
            let mut bench = Bench::of(options(|it| it.lag = lag)).await;
            let reviewed = bench.run("Before").await;
            bench.proxy.fault_for("MODIFY_DOCUMENT", Fault::CutAfter);
            let end = bench.modify(&reviewed, &[(Title, "After")]).await;
            let document = saved(&end);
            let words = end.words(Deed::Save("R_1"));
            assert_eq!(words, "R_1 saved, by reading: no clear answer came");
            assert_eq!(end.why, "by reading: no clear answer came");
            assert_eq!(
                document.text("Root.General.Title").as_deref(),
                Some("After")
            );
            assert_eq!(bench.field(reviewed.doc_ref(), Title), "After");
            assert_eq!(bench.writes(), ["MODIFY_DOCUMENT"], "sent once");
            assert_eq!(bench.steps(), ["sent", "unknown", "confirmed"]);
        }),
    )
    .await;
}

#[tokio::test]
async fn a_lost_answer_and_no_reading_leave_it_unknown() {
    together(
        [
            (Fault::CutAfter, "not sent again"),
            (Fault::None, "the service answered that it was done"),
        ]
        .map(async |(fault, words)| {
            let mut bench = Bench::new().await;
            let reviewed = bench.run("Before").await;
            let fault = if matches!(fault, Fault::None) {
                Fault::delay(1)
            } else {
                fault
            };
            bench.proxy.fault_for("MODIFY_DOCUMENT", fault);
            let id = bench.start_modify(&reviewed, &[(Title, "After")]);
            while bench.field(reviewed.doc_ref(), Title) != "After" {
                tokio::task::yield_now().await;
            }
            while bench.steps().len() < 2 {
                tokio::task::yield_now().await;
            }
            bench.proxy.go_down().await;
            let end = bench.modified(id).await;
            let why = why(&end, End::Unknown);
            says(why, words);
            says(why, "no connection");
            assert_eq!(bench.steps().len(), 2, "no reading, no step");
            assert_eq!(bench.proxy.count("MODIFY_DOCUMENT"), 1);
        }),
    )
    .await;
}

#[tokio::test]
async fn a_replica_that_is_behind_is_waited_for() {
    let mut bench = Bench::of(options(|it| it.lag = Duration::from_millis(800))).await;
    let reviewed = bench.run("Before").await;
    let end = bench.modify(&reviewed, &[(Title, "After")]).await;
    let document = saved(&end);
    // The next change knows the version that was just saved.
    let end = bench.modify(&document, &[(Title, "Once more")]).await;
    saved(&end);
    assert_eq!(bench.field(reviewed.doc_ref(), Title), "Once more");
}

#[tokio::test]
async fn a_replica_that_stays_behind_is_no_confirmation_and_no_version_to_write_over() {
    let mut bench = Bench::of(options(|it| it.lag = Duration::from_mins(10))).await;
    // Made data are seen at once; a lag shows writes only.
    let run = bench.first_open_run();
    let reviewed = bench.read(&run).await;
    let old = reviewed.text("Root.General.Title").unwrap();
    let end = bench.modify(&reviewed, &[(Title, "After")]).await;
    let (what, document) = otherwise(&end, End::Unknown);
    says(what, "the service answered that it was done, but Title is");
    assert_eq!(document.text("Root.General.Title"), Some(old));
    assert_eq!(bench.steps(), ["sent", "answered", "differs"]);
    // A person who has seen the new version is not taken back behind it.
    let mut raw = reviewed.raw().clone();
    raw["document"] = bench.truth(&run).unwrap();
    let newer = Document::from_value(raw).unwrap();
    let end = bench.modify(&newer, &[(Title, "Newest")]).await;
    says(why(&end, End::NotSent(Why::Behind)), "an older version");
    assert_eq!(bench.proxy.count("MODIFY_DOCUMENT"), 1);
}

/// Changes the title and has somebody else write before it is read again.
async fn followed_by(who: &str, change: impl FnOnce(&mut Value)) -> (Bench, DocRef, Outcome) {
    with_others(&[(Title, "Mine")], who, change).await
}

/// Makes a change and has somebody else write before it is read again.
async fn with_others(
    fields: &[(RunField, &str)],
    who: &str,
    change: impl FnOnce(&mut Value),
) -> (Bench, DocRef, Outcome) {
    let mut bench = Bench::new().await;
    let reviewed = bench.run("Before").await;
    let run = reviewed.doc_ref().clone();
    let reads = bench.proxy.count("GET_DOCUMENT");
    bench.proxy.fault_for("GET_DOCUMENT", Fault::delay(400));
    let id = bench.start_modify(&reviewed, fields);
    // The reading after the write waits at the proxy.
    bench.until_passed("GET_DOCUMENT", reads + 2).await;
    assert_eq!(bench.field(&run, Title), "Mine");
    bench.edit(&run, who, change);
    let end = bench.modified(id).await;
    (bench, run, end)
}

#[tokio::test]
async fn a_change_of_another_field_right_after_is_named() {
    // Also one of the same user, elsewhere.
    for who in ["mai", "qa"] {
        let (bench, run, end) = followed_by(who, |document| {
            document["Root"]["General"]["Description"] = "theirs".into();
        })
        .await;
        let (what, document) = otherwise(&end, End::Done);
        says(
            what,
            "besides the new values these differ: Root.General.Description",
        );
        says(what, &format!("last edited by {who}"));
        assert_eq!(
            document.text("Root.General.Description").as_deref(),
            Some("theirs")
        );
        assert_eq!(
            (bench.field(&run, Title), bench.steps()),
            ("Mine".into(), vec!["sent", "answered", "differs"])
        );
    }
}

#[tokio::test]
async fn a_change_of_the_same_field_right_after_is_named() {
    let (bench, run, end) = followed_by("mai", |document| {
        document["Root"]["General"]["Title"] = "Theirs".into();
    })
    .await;
    let (what, _) = otherwise(&end, End::Unknown);
    says(what, "Title is \"Theirs\" instead of \"Mine\"");
    says(what, "mai");
    assert_eq!(bench.field(&run, Title), "Theirs");
}

/// It answers with a yes and keeps other blanks: nothing is open about that.
#[tokio::test]
async fn a_text_that_the_service_keeps_with_other_blanks_is_saved_but_not_as_asked() {
    let (_, run, end) = followed_by("qa", |document| {
        document["Root"]["General"]["Title"] = "Mine ".into();
    })
    .await;
    let (what, _) = otherwise(&end, End::Done);
    says(what, "Title differs in blanks or line ends");
    let name = run.to_string();
    says(&end.words(Deed::Save(&name)), "saved, but not as asked");
}

#[tokio::test]
async fn a_change_of_one_of_the_fields_leaves_the_other_in_effect() {
    let fields = [(Title, "Mine"), (Configuration, "firefox")];
    let (bench, run, end) = with_others(&fields, "mai", |document| {
        document["Root"]["General"]["Title"] = "Theirs".into();
    })
    .await;
    let (what, _) = otherwise(&end, End::Done);
    says(what, "Title is \"Theirs\" instead of \"Mine\"");
    lacks(what, "Config");
    assert_eq!(bench.field(&run, Configuration), "firefox");
}

#[tokio::test]
async fn a_signature_without_a_change_is_mentioned() {
    let (_, _, end) = followed_by("bot", |_| {}).await;
    saved(&end);
    assert!(end.why.contains("last edited by bot"), "{end:?}");
}

#[tokio::test]
async fn members_that_the_service_itself_changes_are_no_alarm() {
    let (_, _, end) = followed_by("qa", |document| {
        document["Root"]["General"]["Revision"] = json!(8);
    })
    .await;
    saved(&end);
    let also = "the service has also changed Root.General.Revision";
    assert!(end.why.contains(also), "{end:?}");
    // A field that was emptied is left out by it.
    let fields = [(Title, "Mine"), (Description, "")];
    let (_, _, end) = with_others(&fields, "qa", |document| {
        let general = document["Root"]["General"].as_object_mut().unwrap();
        general.shift_remove("Description").unwrap();
    })
    .await;
    saved(&end);
}

/// A run at a scripted service, by version: 0 before, 1 theirs, 2 mine.
pub fn version(number: usize) -> Value {
    let (title, description, who) = [
        ("Before", "", "qa"),
        ("Before", "theirs", "mai"),
        ("Mine", "", "qa"),
    ][number];
    json!({
        "docRef": "TestRun-dm/7", "documentModelName": "TestRun-dm",
        "document": {"Root": {
            "General": {"Title": title, "Description": description, "Configuration": "", "Status": "active",
                "ProjectId": "P_9", "SubprojectId": "SP_1", "ProjectVersionNumber": "1.2.0", "Id": "R_7"},
            "Metadata": {"CreatedBy": "qa", "EditedBy": who, "EditedOn": 1_000 + number}, "Attachments": []
        }},
        "__meta": {"creator": "qa", "modifier": who, "modifiedAt": "2026-11-20T09:41:12", "docRef": "TestRun-dm/7"}
    })
}

#[tokio::test]
async fn a_change_that_was_written_over_is_named_when_a_lagging_reading_shows_it() {
    // Who wrote a version is in its metadata, or beside the document alone.
    for unsigned in [false, true] {
        written_over(unsigned).await;
    }
}

async fn written_over(unsigned: bool) {
    // What is read: before, before (a replica is behind), theirs, mine.
    let shown = [0, 0, 1, 2];
    let reads = AtomicUsize::new(0);
    let mut scene = Scene::new(move |seen, _| match seen.method().as_str() {
        "GET_DOCUMENT" => {
            let number = shown[reads.fetch_add(1, Ordering::SeqCst).min(3)];
            let mut version = version(number);
            if unsigned && number == 1 {
                let metadata = &mut version["document"]["Root"]["Metadata"];
                metadata.as_object_mut().unwrap().shift_remove("EditedBy");
            }
            Say::result(seen, &version)
        }
        _ => Say::result(seen, &Value::Null),
    })
    .await;
    let reviewed = Document::from_value(version(0)).unwrap();
    let modify = Box::new(modify_of(&reviewed, &[(Title, "Mine")], None));
    let came = |event| {
        if let Event::Answer(_, Answer::Modified(end)) = event {
            Some(end)
        } else {
            None
        }
    };
    let end = scene
        .after(Effect::Request(RequestId(1), Request::Modify(modify)), came)
        .await;
    let (what, _) = otherwise(&end, End::Done);
    says(
        what,
        "it went over a change that mai made in the same moment: Description \"theirs\"",
    );
    assert_eq!(names(&scene.journal()[0]), ["sent", "answered", "differs"]);
}

#[tokio::test]
async fn while_a_second_writer_works_every_save_is_told_truly_and_nothing_of_theirs_is_lost() {
    together(
        [Duration::ZERO, Duration::from_millis(300)].map(async |lag| {
            among_others(lag).await;
        }),
    )
    .await;
}

async fn among_others(lag: Duration) {
    let every = Duration::from_millis(15);
    // Few runs, so that the other one often writes the same.
    let mut bench = Bench::of(options(|it| {
        (it.second_writer, it.lag, it.runs) = (Some(every), lag, 12);
    }))
    .await;
    let run = bench.first_open_run();
    let (mut others, mut rounds) = (0, 0);
    // Until the other one was first at least once.
    for round in 0..100 {
        if round >= 4 && others > 0 {
            break;
        }
        let title = format!("Round {round}");
        loop {
            let reviewed = bench.read(&run).await;
            // A person needs a moment to read.
            pause(60).await;
            let writes = bench.proxy.count("MODIFY_DOCUMENT");
            let end = bench.modify(&reviewed, &[(Title, &title)]).await;
            if end.end == End::Done {
                rounds += 1;
                let document = saved(&end);
                assert_eq!(document.text("Root.General.Title"), Some(title.clone()));
                break;
            }
            moved(&end);
            others += 1;
            assert_eq!(
                bench.proxy.count("MODIFY_DOCUMENT"),
                writes,
                "nothing is sent"
            );
            if others > 200 {
                break;
            }
        }
        assert_eq!(bench.field(&run, Title), title);
    }
    assert_eq!(
        bench.proxy.count("MODIFY_DOCUMENT"),
        rounds,
        "{others} times somebody else was first"
    );
    assert!(rounds >= 4);
    assert!(others > 0, "the other one never wrote this run");
}

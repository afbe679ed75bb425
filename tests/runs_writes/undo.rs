//! Taking back what the journal says was done from here: how, again, and what cannot be taken back.

use crate::support::prelude::*;
use std::sync::Mutex;

use rundown::domain::{Modify, Probe, SuiteChange, Undo, UndoBy, UndoOf};
use rundown::ops::Operation;

use super::bench::{
    Bench, about_to_delete, create_of, deletion, gone, modify_of, note, saved, texts, why,
};
use super::scene::Scene;
use super::suites::{ADD, change_of};
use RunField::{Configuration, Description, Status, Title};

impl Bench {
    /// Carries out a plan as it is; the run of it afterwards, where there is one.
    pub async fn take_back(&mut self, undo: Undo) -> Option<DocRef> {
        match undo.by {
            UndoBy::Modify {
                before,
                values,
                now,
                ..
            } => {
                let run = now.doc_ref().clone();
                let modify = Modify {
                    run: run.clone(),
                    run_name: "R_x".into(),
                    reviewed: *now,
                    texts: before,
                    values,
                    undo_of: Some(undo.write),
                };
                let id = self.send(|id| Effect::Request(id, Request::Modify(Box::new(modify))));
                saved(&self.modified(id).await);
                Some(run)
            }
            UndoBy::Suites(change) => {
                let run = change.run.clone();
                let outcome = self.change(*change).await;
                assert!(outcome.is_complete(), "{outcome:?}");
                Some(run)
            }
            UndoBy::Delete(row) => {
                let mut deleting = deletion(&row);
                deleting.undo_of = Some(undo.write);
                let id = self.start_delete(deleting);
                gone(&self.deleted(id).await);
                None
            }
            UndoBy::Rebuild(create) => {
                let run = saved(&self.create(create).await[0].run);
                Some(run.doc_ref().clone())
            }
        }
    }

    async fn plan(&mut self) -> Undo {
        self.plan_undo(UndoOf::Last).await.unwrap()
    }

    async fn plan_of(&mut self, run: &DocRef) -> Undo {
        self.plan_undo(UndoOf::LastOf(run.clone())).await.unwrap()
    }

    /// Plans the last undo and carries it out.
    pub async fn undo(&mut self) -> Option<DocRef> {
        let undo = self.plan().await;
        self.take_back(undo).await
    }

    /// Nothing is taken back, for a reason with these words in it.
    pub async fn no_undo(&mut self, of: UndoOf, why: &str) {
        let failure = self.plan_undo(of).await.unwrap_err();
        let told = format!("{}; {}", failure.cause, failure.remedy);
        assert!(told.contains(why), "{why}: {failure:?}");
    }

    /// So many suites that can be added to a run.
    async fn some(&mut self, run: &DocRef, count: usize) -> Vec<DocRef> {
        let mut free = self.free(run).await;
        free.truncate(count);
        free
    }

    /// A run of this title, made from here.
    async fn mine(&mut self, title: &str) -> DocRef {
        self.make(title, &[]).await.doc_ref().clone()
    }

    pub async fn saved(&mut self, run: &DocRef, fields: &[(RunField, &str)]) -> Document {
        let reviewed = self.read(run).await;
        saved(&self.modify(&reviewed, fields).await)
    }

    pub fn general(&self, run: &DocRef) -> Value {
        self.truth(run).unwrap()["Root"]["General"].clone()
    }
}

/// The change of suites that an undo is, and the suites of it.
fn suites_of(undo: &Undo) -> (&SuiteChange, Vec<DocRef>) {
    let UndoBy::Suites(change) = &undo.by else {
        panic!("{undo:?}")
    };
    let suites = change.suites.iter().map(|(suite, _)| suite.clone());
    (change, suites.collect())
}

#[tokio::test]
async fn fields_go_back_to_what_they_were() {
    let mut bench = Bench::new().await;
    let run = bench.mine("Original").await;
    let edits: [&[(RunField, &str)]; 4] = [
        &[(Title, "Übergabe 日本語 \u{1f600}"), (Description, "")],
        &[(Configuration, "a,b,,c"), (Status, "inactive")],
        &[
            (Title, "\"quoted\" \\ \u{7}"),
            (Configuration, ""),
            (Description, "x\r\n\ty"),
        ],
        &[(Description, "null")],
    ];
    for fields in edits {
        let before = bench.general(&run);
        bench.saved(&run, fields).await;
        assert_ne!(bench.general(&run), before);
        let undo = bench.plan_of(&run).await;
        let UndoBy::Modify { after, .. } = &undo.by else {
            panic!("{undo:?}")
        };
        assert_eq!(*after, texts(fields));
        let closes = fields.iter().any(|(field, _)| *field == Status);
        assert_eq!(
            undo.warnings.len(),
            usize::from(closes),
            "{:?}",
            undo.warnings
        );
        begins(&undo.what, "changed ");
        says(&undo.what, "R_");
        let write = bench.journal().last().unwrap().write.to_string();
        assert_eq!(undo.write, write);
        bench.take_back(undo).await;
        assert_eq!(bench.general(&run), before, "undo(do(x)) = x");
        assert_eq!(
            note(bench.journal().last().unwrap())["undo of"],
            write.as_str()
        );
    }
}

/// A service that takes every document as it comes.
async fn takes_anything(general: Value) -> (Scene, Arc<Mutex<Value>>) {
    let kept = Arc::new(Mutex::new(json!({
        "docRef": "TestRun-dm/1", "documentModelName": "TestRun-dm",
        "document": {"Root": {"General": general, "Metadata": {}, "Attachments": []}},
        "__meta": {"modifiedAt": "2026-03-02T09:15:00"},
    })));
    let stored = kept.clone();
    let scene = Scene::new(move |seen, _| match seen.method().as_str() {
        "GET_DOCUMENT" => Say::result(seen, &stored.lock().unwrap()),
        "MODIFY_DOCUMENT" => {
            let mut document = seen.json()["params"]["document"].clone();
            document.as_object_mut().unwrap().shift_remove("__meta");
            stored.lock().unwrap()["document"] = document;
            Say::result(seen, &Value::Null)
        }
        _ => Say::result(
            seen,
            &json!({"fullSize": 0, "page": seen.json()["params"]["page"], "entries": []}),
        ),
    });
    (scene.await, kept)
}

#[tokio::test]
async fn what_was_null_missing_or_a_number_comes_back_as_it_was() {
    let (mut scene, kept) =
        takes_anything(json!({"Id": "R_1", "Title": 7, "Description": null})).await;
    let now = || Document::from_value(kept.lock().unwrap().clone()).unwrap();
    let before = now();
    let fields = [
        (Title, "Seven"),
        (Description, "text"),
        (Configuration, "opera"),
    ];
    let saves = |number, modify: Modify| {
        Effect::Request(RequestId(number), Request::Modify(Box::new(modify)))
    };
    let ended = |event| {
        if let Event::Answer(_, Answer::Modified(end)) = event {
            Some(end)
        } else {
            None
        }
    };
    let end = scene
        .after(saves(1, modify_of(&before, &fields, None)), ended)
        .await;
    saved(&end);
    let changed = now();
    for (number, wanted) in [(2, &before), (4, &changed)] {
        // The last one is the undo itself, which is taken back by its name.
        let of = UndoOf::Write(scene.journal()[0].write.to_string());
        let plan = Effect::Request(RequestId(number), Request::PlanUndo(of));
        let planned = |event| {
            if let Event::Answer(_, Answer::UndoPlanned(result)) = event {
                Some(result)
            } else {
                None
            }
        };
        let undo = scene.after(plan, planned).await.unwrap();
        let UndoBy::Modify {
            before: texts,
            values,
            now: read,
            ..
        } = undo.by
        else {
            panic!("{undo:?}")
        };
        let modify = Modify {
            texts,
            values,
            ..modify_of(&read, &[], Some(&undo.write))
        };
        let end = scene.after(saves(number + 1, modify), ended).await;
        saved(&end);
        assert_eq!(
            now().raw(),
            wanted.raw(),
            "to the digit, null as null, nothing where nothing was"
        );
    }
}

#[tokio::test]
async fn a_field_that_was_missing_is_missing_again_at_the_service() {
    let mut bench = Bench::new().await;
    let run = bench.theirs("Original").await;
    bench.edit(&run, "qa", |document| {
        document["Root"]["General"]
            .as_object_mut()
            .unwrap()
            .shift_remove("Configuration");
    });
    let before = bench.general(&run);
    bench.saved(&run, &[(Configuration, "opera")]).await;
    bench.undo().await;
    assert_eq!(bench.general(&run), before);
    assert!(before.get("Configuration").is_none(), "{before}");
}

#[tokio::test]
async fn what_other_profiles_wrote_hides_nothing_of_this_one() {
    let mut bench = Bench::new().await;
    let run = bench.theirs("Original").await;
    bench.saved(&run, &[(Title, "Changed")]).await;
    let file = bench.folder.path().join("journal.ndjson");
    let mut text = std::fs::read_to_string(&file).unwrap();
    let mut line: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    line["profile"] = "other".into();
    for number in 0..600 {
        line["write"] = format!("w{number}").into();
        text.push_str(&line.to_string());
        text.push('\n');
    }
    std::fs::write(&file, text).unwrap();
    bench.undo().await;
    assert_eq!(bench.field(&run, Title), "Original");
}

/// Of the same profile, signed in as somebody else.
#[tokio::test]
async fn what_another_user_wrote_is_not_undone_unasked() {
    let mut bench = Bench::new().await;
    let (first, second) = (bench.theirs("One").await, bench.theirs("Two").await);
    bench.saved(&first, &[(Title, "One mine")]).await;
    bench.saved(&second, &[(Title, "Two bobs")]).await;
    let file = bench.folder.path().join("journal.ndjson");
    let as_bob = |text: &str, run: &DocRef| -> String {
        let line = |line: &str| {
            let mut line: Value = serde_json::from_str(line).unwrap();
            assert_eq!(line["user"], "qa");
            if line["run"] == run.as_str() {
                line["user"] = "bob".into();
            }
            format!("{line}\n")
        };
        text.lines().map(line).collect()
    };
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, as_bob(&text, &second)).unwrap();
    // The last of one's own, and nothing of a run that another one changed.
    let undo = bench.plan().await;
    says(&undo.what, "One mine");
    let of = UndoOf::LastOf(second.clone());
    bench.no_undo(of, "Nothing to undo").await;
    let lines = bench.lines().await;
    let made_by: Vec<&str> = lines.iter().map(|line| &*line.by).collect();
    assert_eq!(made_by, ["bob", "qa"]);
    // Who names it is told whose it is.
    let of = UndoOf::Write(lines[0].write.clone());
    let undo = bench.plan_undo(of).await.unwrap();
    assert_eq!(undo.warnings[0], "It was made by bob, not by you.");
    // A record of an earlier version has no user: as before.
    let earlier = text.replace(r#""user":"qa","#, "");
    assert_ne!(earlier, text);
    std::fs::write(&file, earlier).unwrap();
    says(&bench.plan().await.what, "Two bobs");
}

/// My changes have those of every profile, and say of which they are.
#[tokio::test]
async fn a_change_of_another_profile_or_place_is_named_as_such() {
    let mut bench = Bench::new().await;
    let run = bench.theirs("Original").await;
    bench.saved(&run, &[(Title, "Changed")]).await;
    let own = &bench.lines().await[0];
    assert!(own.place.is_none() && own.in_effect);
    bench.restart_as("other").await;
    let line = &bench.lines().await[0];
    assert_eq!(line.place.as_deref(), Some("profile demo"));
    assert!(!line.in_effect);
    says(
        &line.detail[0],
        "Made with the profile demo, P_9/SP_1 at http",
    );
    let file = bench.folder.path().join("journal.ndjson");
    let text = std::fs::read_to_string(&file).unwrap();
    bench.restart_as("demo").await;
    for (was, is, place, words) in [
        (
            "http://127.0.0.1",
            "https://far.example",
            "far.example:",
            "It was sent to https://far.example:",
        ),
        ("P_9/SP_1", "P_12", "P_12", "It was made in P_12: change"),
    ] {
        std::fs::write(&file, text.replace(was, is)).unwrap();
        let line = &bench.lines().await[0];
        says(line.place.as_deref().unwrap(), place);
        says(&line.detail[0], words);
        assert!(!line.in_effect);
    }
}

#[tokio::test]
async fn a_field_that_somebody_changed_since_is_named_and_one_that_is_back_is_no_undo() {
    let mut bench = Bench::new().await;
    let run = bench.theirs("Original").await;
    bench
        .saved(&run, &[(Title, "Mine"), (Configuration, "mine")])
        .await;
    bench.edit(&run, "mai", |document| {
        document["Root"]["General"]["Title"] = "Theirs".into();
        document["Root"]["General"]["Description"] = "theirs".into();
    });
    let undo = bench.plan().await;
    let UndoBy::Modify {
        before, after, now, ..
    } = &undo.by
    else {
        panic!("{undo:?}")
    };
    assert_eq!(*before, texts(&[(Title, "Original"), (Configuration, "")]));
    assert_eq!(*after, texts(&[(Title, "Mine"), (Configuration, "mine")]));
    assert_eq!(now.text("Root.General.Title").as_deref(), Some("Theirs"));
    let wanted = "Title was changed since: it is \"Theirs\" now; the run was last edited by mai.";
    assert_eq!(undo.warnings, [wanted]);
    // Taken back all the same, as a person may choose: what they wrote elsewhere stays.
    bench.take_back(undo).await;
    assert_eq!(
        (bench.field(&run, Title), bench.field(&run, Description)),
        ("Original".into(), "theirs".into())
    );
    // Somebody takes it back by hand.
    bench.saved(&run, &[(Title, "Once more")]).await;
    bench.edit(&run, "mai", |document| {
        document["Root"]["General"]["Title"] = "Original".into();
    });
    bench
        .no_undo(UndoOf::LastOf(run), "the old values already")
        .await;
}

#[tokio::test]
async fn suites_that_went_in_come_out_but_for_those_that_are_out_already() {
    let mut bench = Bench::new().await;
    let run = bench.theirs("Suites").await;
    let four = bench.some(&run, 4).await;
    bench.other.add_suites(&run, &four[3..]).await;
    bench.changed(&run, true, &four[..3]).await;
    bench.other.remove_suites(&run, &four[..1]).await;
    let undo = bench.plan_of(&run).await;
    let (change, planned) = suites_of(&undo);
    assert_eq!((change.adds, planned), (false, four[1..3].to_vec()));
    assert_eq!(change.suites[0].1, format!("name of {}", four[1]));
    assert!(change.stake.is_some());
    let left_out = format!(
        "Left out, because they are not in the run any more: name of {}.",
        four[0]
    );
    assert_eq!(
        undo.warnings,
        [left_out],
        "no case has a result that may be lost"
    );
    bench.take_back(undo).await;
    assert_eq!(
        bench.suites(&run),
        four[3..].iter().cloned().collect(),
        "what somebody else put in stays"
    );
}

#[tokio::test]
async fn suites_that_came_out_go_in_again_with_a_warning() {
    let mut bench = Bench::new().await;
    let run = bench.theirs("Suites").await;
    let three = bench.some(&run, 3).await;
    bench.other.add_suites(&run, &three).await;
    bench.changed(&run, false, &three[..2]).await;
    bench.other.add_suites(&run, &three[..1]).await;
    let undo = bench.plan().await;
    assert!(
        undo.warnings[0].contains("recorded in these suites may not come back"),
        "{:?}",
        undo.warnings
    );
    assert!(
        undo.warnings[1].contains("Left out, because they are in the run again"),
        "{:?}",
        undo.warnings
    );
    assert_eq!(undo.what.split(" from ").next(), Some("removed 1 suite"));
    bench.take_back(undo).await;
    assert_eq!(bench.suites(&run), three.iter().cloned().collect());
    // What was not there cannot be lost.
    for (passed, warns) in [(0, false), (1, true)] {
        let counts = counted([(ResultCode::Untested, 7), (ResultCode::Passed, passed)]);
        let out = change_of(&run, false, &three[..1]).with(|it| it.stake = Some(counts));
        assert!(bench.change(out).await.is_complete());
        let undo = bench.plan().await;
        assert_eq!(!undo.warnings.is_empty(), warns, "{:?}", undo.warnings);
        bench.take_back(undo).await;
    }
}

#[tokio::test]
async fn suites_of_a_closed_run_and_suites_that_are_all_out_are_no_undo() {
    let mut bench = Bench::new().await;
    let run = bench.theirs("Suites").await;
    let one = bench.some(&run, 1).await;
    bench.changed(&run, true, &one).await;
    bench.other.remove_suites(&run, &one).await;
    bench
        .no_undo(
            UndoOf::Last,
            "all of these suites are not in the run any more",
        )
        .await;
    bench.other.close(&run).await;
    bench.no_undo(UndoOf::Last, "the run is closed").await;
}

#[tokio::test]
async fn a_change_of_many_requests_is_taken_back_whole_and_the_rest_of_it_after_a_failure() {
    let mut bench = Bench::of(options(|it| it.suites = 900)).await;
    let run = bench.theirs("Many").await;
    let many = bench.some(&run, 45).await;
    bench.changed(&run, true, &many).await;
    let undo = bench.plan().await;
    let (change, planned) = suites_of(&undo);
    assert_eq!(planned, many);
    assert_eq!(undo.write, bench.journal()[0].write.as_str());
    // Only the first twenty are taken back.
    let part = change
        .clone()
        .with(|it| it.suites = change.suites[..20].to_vec());
    bench.change(part).await;
    let undo = bench.plan_of(&run).await;
    let (_, planned) = suites_of(&undo);
    assert_eq!(planned, many[20..]);
    bench.take_back(undo).await;
    assert!(bench.suites(&run).is_empty());
    assert!(
        bench.plan_undo(UndoOf::LastOf(run)).await.is_err(),
        "all of it is taken back"
    );
}

#[tokio::test]
async fn a_run_that_was_made_is_deleted_if_it_is_empty() {
    let mut bench = Bench::new().await;
    let run = bench.mine("Made").await;
    let one = bench.some(&run, 1).await;
    bench.other.add_suites(&run, &one).await;
    bench
        .no_undo(UndoOf::LastOf(run.clone()), "not empty")
        .await;
    bench.other.remove_suites(&run, &one).await;
    let undo = bench.plan_of(&run).await;
    assert!(undo.warnings.is_empty(), "{:?}", undo.warnings);
    bench.edit(&run, "mai", |document| {
        document["Root"]["General"]["Title"] = "Theirs".into();
    });
    let undo = bench.plan_of(&run).await;
    let wanted = "It was changed since, last by mai: Title is \"Theirs\" instead of \"Made\".";
    assert_eq!(undo.warnings[0], wanted);
    bench.take_back(undo).await;
    assert_eq!(bench.truth(&run), None);
    assert!(
        bench.plan_undo(UndoOf::Last).await.is_err(),
        "nothing is left to take back"
    );
}

/// It keeps nothing older from being taken back.
#[tokio::test]
async fn what_others_took_back_or_deleted_is_passed_over() {
    let mut bench = Bench::new().await;
    let runs = [bench.mine("Older").await, bench.mine("Newer").await];
    let [older, newer] = &runs;
    for run in &runs {
        let reviewed = bench.read(run).await;
        let saved = bench.modify(&reviewed, &[(Title, "Renamed")]).await;
        assert!(saved.is_complete(), "{saved:?}");
    }
    let of = |undo: &Undo| match &undo.by {
        UndoBy::Modify { now, .. } => now.doc_ref().clone(),
        other => panic!("{other:?}"),
    };
    let undo = bench.plan().await;
    assert_eq!((of(&undo), &undo.warnings[..]), (newer.clone(), &[][..]));
    bench.other.modify(newer, &[(Title, "Newer")]).await;
    let undo = bench.plan().await;
    assert_eq!(of(&undo), *older);
    begins(&undo.warnings[0], "Newer ones are passed over: ");
    says(&undo.warnings[0], "the run holds the old values already");
    bench.other.delete(newer).await;
    assert_eq!(of(&bench.plan().await), *older);
    // Nothing older is left in this run.
    bench
        .no_undo(UndoOf::LastOf(newer.clone()), "not found")
        .await;
}

#[tokio::test]
async fn a_deleted_run_is_made_again_from_its_copy() {
    let mut bench = Bench::new().await;
    let other = bench.mine("Deleted, too").await;
    let run = bench.mine("Deleted").await;
    let two = bench.some(&run, 2).await;
    bench.edit(&run, "mai", |document| {
        document["Root"]["Attachments"] = serde_json::json!([{"FileName": "a.png"}]);
        document["Root"]["General"]["Title"] = "Deleted, renamed".into();
    });
    bench.changed(&run, true, &two).await;
    let row = RunRow::from_document(&bench.read(&run).await);
    let general = bench.general(&run);
    let mut delete = about_to_delete(&row);
    delete.answer(true);
    let id = bench.start_delete(delete);
    gone(&bench.deleted(id).await);
    let row = RunRow::from_document(&bench.read(&other).await);
    let mut delete = about_to_delete(&row);
    delete.answer(true);
    let id = bench.start_delete(delete);
    gone(&bench.deleted(id).await);
    let undo = bench.plan().await;
    bench.take_back(undo).await.unwrap();
    let undo = bench.plan().await;
    let text = undo.warnings.join("\n");
    for word in [
        "an id and a reference of its own",
        "the testers of its cases",
        "1 attachment",
        "2 suites",
    ] {
        assert!(text.contains(word), "{word}: {text}");
    }
    lacks(&text, "TechnicalId");
    lacks(&text, "results");
    assert!(undo.what.ends_with("Deleted, renamed"), "{}", undo.what);
    let new = bench.take_back(undo).await.unwrap();
    assert_ne!(new, run);
    for field in RunField::ALL {
        assert_eq!(
            bench.field(&new, field),
            general[field.name()].as_str().unwrap()
        );
    }
    assert_eq!(bench.suites(&new), two.into_iter().collect());
    // What was done to the deleted run before cannot be taken back any more, and is not offered.
    bench
        .no_undo(UndoOf::LastOf(run), "Nothing to undo in this run")
        .await;
    // The suites of the new run are of the same undo.
    bench.no_undo(UndoOf::Last, "Nothing to undo").await;
}

#[tokio::test]
async fn a_copy_that_is_lost_or_a_run_that_is_there_is_said() {
    let mut bench = Bench::new().await;
    let run = bench.theirs("Kept").await;
    let truth = bench.truth(&run).unwrap();
    bench.proxy.fault_for("DELETE_TEST_RUN", Fault::delay(1));
    gone(&bench.delete(&run).await);
    // Somebody has put it back.
    bench.proxy.fault_for(
        "GET_DOCUMENT",
        Fault::Answer(serde_json::json!({
            "docRef": run.as_str(), "documentModelName": "TestRun-dm", "document": truth, "__meta": {}
        })),
    );
    bench.no_undo(UndoOf::Last, "it is not deleted").await;
    bench.proxy.fault(Fault::None);
    let copy = note(&bench.journal()[0])["copy"]
        .as_str()
        .unwrap()
        .to_owned();
    // The file holds the copy of another run, or of another profile.
    let kept = std::fs::read_to_string(&copy).unwrap();
    for (own, foreign) in [(run.as_str(), "TestRun-dm/7"), ("\"demo\"", "\"prod\"")] {
        std::fs::write(&copy, kept.replace(own, foreign)).unwrap();
        let why = bench.plan_undo(UndoOf::Last).await.unwrap_err().cause;
        assert_eq!(why, "the file of the copy holds another run");
    }
    std::fs::write(&copy, "{").unwrap();
    bench.no_undo(UndoOf::Last, &copy).await;
    std::fs::remove_file(&copy).unwrap();
    bench.no_undo(UndoOf::Last, &copy).await;
    assert_eq!(bench.proxy.count(ADD), 0);
}

impl Bench {
    /// Takes the last write of the journal back, an undo or not.
    async fn undo_last_write(&mut self) -> Option<DocRef> {
        let write = self.journal().last().unwrap().write.to_string();
        let undo = self.plan_undo(UndoOf::Write(write)).await.unwrap();
        self.take_back(undo).await
    }
}

#[tokio::test]
async fn an_undo_of_fields_is_taken_back_and_again() {
    let mut bench = Bench::new().await;
    let run = bench.theirs("One").await;
    bench.saved(&run, &[(Title, "Two")]).await;
    for title in ["One", "Two", "One"] {
        bench.undo_last_write().await;
        assert_eq!(bench.field(&run, Title), title);
    }
    // The first write is taken back (by an undo whose undo is taken back): nothing further.
    let first = bench.journal()[0].write.to_string();
    let failure = bench.plan_undo(UndoOf::Write(first)).await.unwrap_err();
    let (kind, why) = (failure.kind, &*failure.cause);
    assert_eq!(
        (kind, why),
        (FailureKind::Nothing, "it is taken back already")
    );
    // My changes tell which: the newest undo stands, the one before was taken back by it.
    let lines = bench.lines().await.into_iter();
    let states: Vec<_> = lines.map(|it| (it.state, it.in_effect)).collect();
    let (done, undone) = (("done".into(), true), ("taken back".into(), false));
    assert_eq!(states, [done.clone(), undone.clone(), done, undone]);
    bench.undo_last_write().await;
    assert_eq!(
        bench.undo().await,
        Some(run.clone()),
        "now it stands again, and can be taken back"
    );
    assert_eq!(bench.field(&run, Title), "One");
}

#[tokio::test]
async fn undo_after_undo_reaches_further_back() {
    let mut bench = Bench::new().await;
    let run = bench.mine("First").await;
    bench.saved(&run, &[(Title, "Second")]).await;
    let two = bench.some(&run, 2).await;
    bench.changed(&run, true, &two).await;
    bench
        .saved(&run, &[(Title, "Third"), (Configuration, "")])
        .await;
    bench.undo().await;
    assert_eq!(
        (bench.field(&run, Title), bench.suites(&run).len()),
        ("Second".into(), 2)
    );
    bench.undo().await;
    assert_eq!(
        (bench.field(&run, Title), bench.suites(&run).len()),
        ("Second".into(), 0)
    );
    bench.undo().await;
    assert_eq!(bench.field(&run, Title), "First");
    bench.undo().await;
    assert_eq!(bench.truth(&run), None);
    assert!(bench.plan_undo(UndoOf::Last).await.is_err());
}

#[tokio::test]
async fn undos_of_suites_are_taken_back() {
    let mut bench = Bench::new().await;
    let run = bench.theirs("Suites").await;
    let two = bench.some(&run, 2).await;
    bench.changed(&run, true, &two).await;
    for left in [0, 2, 0] {
        bench.undo_last_write().await;
        assert_eq!(bench.suites(&run).len(), left);
    }
}

#[tokio::test]
async fn a_deletion_by_undo_is_rebuilt_and_a_rebuilt_run_is_deleted() {
    let mut bench = Bench::new().await;
    let run = bench.mine("Made").await;
    bench
        .saved(&run, &[(Description, "kept by the copy")])
        .await;
    let made = bench.journal()[0].write.to_string();
    let undo = bench.plan_undo(UndoOf::Write(made)).await.unwrap();
    bench.take_back(undo).await;
    assert_eq!(bench.truth(&run), None);
    let again = bench.undo_last_write().await.unwrap();
    assert_eq!(bench.field(&again, Description), "kept by the copy");
    assert_eq!(bench.titles("Made").len(), 1);
    bench.undo_last_write().await;
    assert_eq!(bench.truth(&again), None);
    assert!(bench.titles("Made").is_empty());
}

/// As where a program is killed while another one has the same question open.
#[tokio::test]
async fn a_run_is_not_made_again_while_the_end_of_making_it_again_is_not_known() {
    let mut bench = Bench::new().await;
    let run = bench.mine("Deleted").await;
    let row = RunRow::from_document(&bench.read(&run).await);
    let mut delete = about_to_delete(&row);
    delete.answer(true);
    let id = bench.start_delete(delete);
    gone(&bench.deleted(id).await);
    let undo = bench.plan().await;
    let UndoBy::Rebuild(create) = undo.by else {
        panic!("{undo:?}");
    };
    bench.proxy.fault_for("ADD_DOCUMENT", Fault::CutBefore);
    let ends = bench.create(create.clone()).await;
    why(&ends[0].run, End::Unknown);
    bench.proxy.fault(Fault::None);
    let sent = bench.writes().len();
    let ends = bench.create(create).await;
    let words = why(&ends[0].run, End::NotSent(Why::NothingToDo));
    says(words, "taking it back was begun, and its end is not known");
    assert_eq!(bench.writes().len(), sent);
}

#[tokio::test]
async fn a_run_is_made_again_once_however_often_its_deletion_was_sent() {
    let mut bench = Bench::new().await;
    let run = bench.mine("Twice").await;
    bench
        .proxy
        .fault_for("DELETE_TEST_RUN", Fault::Answer(Value::Null));
    let end = bench.delete(&run).await;
    assert_eq!(end.end, End::Unknown, "{end:?}");
    bench.proxy.fault(Fault::None);
    assert!(bench.delete(&run).await.is_complete());
    let first = bench.journal()[1].clone();
    assert_eq!(first.method(), "DELETE_TEST_RUN");
    bench.undo_last_write().await.unwrap();
    // Somebody looks at the first one: the run is gone.
    let target = first.target.clone();
    let entry = rundown::disk::WriteStep {
        write: first.write.clone(),
        at: first.at + 1,
        profile: first.profile.clone(),
        target,
        user: first.user.clone(),
        run: run.to_string(),
        run_name: first.run_name.clone(),
        step: Recorded::Confirmed {
            how: "by reading".into(),
        },
    };
    let journal = Journal::open(bench.folder.path()).unwrap();
    journal.append(&entry).unwrap();
    let write = first.write.to_string();
    bench
        .no_undo(UndoOf::Write(write), "it is taken back already")
        .await;
    assert_eq!(bench.titles("Twice").len(), 1);
}

#[tokio::test]
async fn an_undo_that_did_not_go_through_can_be_done_again_with_a_warning() {
    let mut bench = Bench::new().await;
    let run = bench.theirs("One").await;
    bench.saved(&run, &[(Title, "Two")]).await;
    let undo = bench.plan().await;
    bench.proxy.fault_for("MODIFY_DOCUMENT", Fault::CutBefore);
    let now = bench.read(&run).await;
    let modify = Box::new(modify_of(&now, &[(Title, "One")], Some(&undo.write)));
    let id = bench.send(|id| Effect::Request(id, Request::Modify(modify)));
    bench.modified(id).await;
    bench.proxy.fault(Fault::None);
    let undo = bench.plan().await;
    assert!(
        undo.warnings[0].starts_with("Taking it back was tried before: end not known."),
        "{:?}",
        undo.warnings
    );
    assert!(matches!(undo.by, UndoBy::Modify { .. }));
    bench.take_back(undo).await;
    assert_eq!(bench.field(&run, Title), "One");
}

impl Bench {
    /// Why the last write of the journal is not taken back.
    async fn refusal(&mut self) -> String {
        let write = self.journal().last().unwrap().write.to_string();
        let failure: Failure = self.plan_undo(UndoOf::Write(write)).await.unwrap_err();
        assert_eq!(
            (failure.kind, failure.asked.as_str()),
            (FailureKind::Local, "undo")
        );
        failure.cause
    }
}

#[tokio::test]
async fn a_change_that_is_under_way_is_not_taken_back() {
    let mut bench = Bench::new().await;
    let run = bench.theirs("One").await;
    let reviewed = bench.read(&run).await;
    bench
        .proxy
        .fault_for("MODIFY_DOCUMENT", Fault::delay(1_000));
    let id = bench.start_modify(&reviewed, &[(Title, "Two")]);
    bench.until_passed("MODIFY_DOCUMENT", 1).await;
    let write = bench.journal()[0].write.to_string();
    let failure = bench.plan_undo(UndoOf::Write(write)).await.unwrap_err();
    assert_eq!(failure.cause, "it is still under way");
    // It is asked for in my changes: they are not advised.
    assert_eq!(failure.remedy, "");
    saved(&bench.modified(id).await);
    assert!(bench.plan_undo(UndoOf::Last).await.is_ok());
}

/// What of it is answered would be taken back while the rest is sent; an older one is not meant.
#[tokio::test]
async fn a_change_that_another_program_is_still_sending_is_not_taken_back() {
    let mut bench = Bench::new().await;
    let run = bench.theirs("One").await;
    bench.saved(&run, &[(Title, "Two")]).await;
    bench.saved(&run, &[(Title, "Three")]).await;
    let write = bench.journal().last().unwrap().write.to_string();
    let state = rundown::disk::StateFolder::open(bench.folder.path()).unwrap();
    let held = state.under_way.begin(&write).unwrap();
    for of in [UndoOf::Write(write), UndoOf::LastOf(run), UndoOf::Last] {
        bench.no_undo(of, "is still under way").await;
    }
    held.end().unwrap();
    assert!(bench.plan_undo(UndoOf::Last).await.is_ok());
}

/// An answer that it was not done, and nothing read after it, is no deletion.
#[tokio::test]
async fn a_deletion_that_was_denied_leaves_what_was_done_before_to_be_taken_back() {
    let mut bench = Bench::new().await;
    let run = bench.theirs("One").await;
    bench.saved(&run, &[(Title, "Two")]).await;
    let saved = bench.journal().last().unwrap().clone();
    let journal = Journal::open(bench.folder.path()).unwrap();
    for result in [false, true] {
        let write = rundown::disk::WriteId::new(saved.at + 1);
        let sent = Recorded::Sent {
            method: "DELETE_TEST_RUN".into(),
            params: json!({"testRunDocRef": run}),
            note: None,
        };
        let answered = Recorded::Answered {
            result: result.into(),
        };
        let append = |step| {
            let entry = rundown::disk::WriteStep {
                write: write.clone(),
                at: saved.at + 1,
                profile: saved.profile.clone(),
                target: saved.target.clone(),
                user: saved.user.clone(),
                run: run.to_string(),
                run_name: saved.run_name.clone(),
                step,
            };
            journal.append(&entry).unwrap();
        };
        append(sent);
        append(answered);
        if !result {
            // As long as it is still to be looked at nothing older is meant, whatever was read.
            let state = rundown::disk::StateFolder::open(bench.folder.path()).unwrap();
            drop(state.under_way.begin(write.as_str()).unwrap());
            let why = "is not known; look at it in my changes first";
            bench.no_undo(UndoOf::LastOf(run.clone()), why).await;
            append(Recorded::Differs {
                what: "the list does not show it".into(),
            });
            bench.no_undo(UndoOf::LastOf(run.clone()), why).await;
            state.under_way.let_be(write.as_str()).unwrap();
        }
        let planned = bench.plan_undo(UndoOf::LastOf(run.clone())).await;
        assert_eq!(planned.is_ok(), !result, "{planned:?}");
    }
}

#[tokio::test]
async fn an_empty_journal_and_a_write_that_is_not_in_it() {
    let mut bench = Bench::new().await;
    bench.no_undo(UndoOf::Last, "Nothing to undo").await;
    bench
        .no_undo(
            UndoOf::Write("0-0".into()),
            "not among the last changes of this profile",
        )
        .await;
    let run = bench.make("Mine", &[]).await;
    let other = DocRef::parse("TestRun-dm/3b53beea-0c4c-4c9e-8a43-5d1f5be4b7f0").unwrap();
    bench
        .no_undo(UndoOf::LastOf(other), "Nothing to undo in this run")
        .await;
    assert!(
        bench
            .plan_undo(UndoOf::LastOf(run.doc_ref().clone()))
            .await
            .is_ok()
    );
}

#[tokio::test]
async fn refused_unknown_and_contradicted_writes() {
    let mut bench = Bench::new().await;
    bench.mine("Done").await;
    let reviewed = bench.run("Faults").await;
    bench.modify(&reviewed, &[(Title, " ")]).await;
    says(&bench.refusal().await, "it was refused");
    bench.proxy.fault_for("MODIFY_DOCUMENT", Fault::CutBefore);
    bench.modify(&reviewed, &[(Title, "x")]).await;
    says(&bench.refusal().await, "not certain");
    bench.proxy.fault_for("ADD_DOCUMENT", Fault::CutBefore);
    bench.create(create_of(&["Lost"], &[])).await;
    says(
        &bench.refusal().await,
        "whether the service acted on it is not known",
    );
    bench.proxy.fault(Fault::None);
    // Who means the newest is offered nothing older in its place.
    let why = "the end of the last change (Lost) is not known; look at it in my changes first";
    bench.no_undo(UndoOf::Last, why).await;
    // Once nobody looks at it any more it is in nobody's way.
    let state = rundown::disk::StateFolder::open(bench.folder.path()).unwrap();
    for job in state.under_way.left().unwrap() {
        state.under_way.let_be(&job).unwrap();
    }
    let undo = bench.plan_undo(UndoOf::Last).await.unwrap();
    says(&undo.what, "Done");
}

#[tokio::test]
async fn other_profiles_and_read_only_ones() {
    let mut bench = Bench::new().await;
    bench.make("Mine", &[]).await;
    let write = bench.journal()[0].write.to_string();
    bench.restart_as("another").await;
    bench
        .no_undo(
            UndoOf::Write(write),
            "not among the last changes of this profile, but of \"demo\"",
        )
        .await;
    bench.no_undo(UndoOf::Last, "Nothing to undo").await;
    let mut bench = Bench::new().await;
    let mine = bench.make("Mine", &[]).await.doc_ref().clone();
    let write = bench.journal()[0].write.to_string();
    bench.uses("P_12", None).await;
    bench
        .no_undo(
            UndoOf::Write(write),
            "it was made in P_9/SP_1: change to that project first",
        )
        .await;
    bench.no_undo(UndoOf::Last, "Nothing to undo").await;
    bench.uses("P_9", Some("SP_1")).await;
    assert!(bench.plan_undo(UndoOf::LastOf(mine)).await.is_ok());
    let mut bench = Bench::with(Options::default(), |profile| profile.read_only = true).await;
    bench.no_undo(UndoOf::Last, "read-only: nothing").await;
}

#[tokio::test]
async fn probe_runs_are_never_offered() {
    let mut bench = Bench::new().await;
    let kept = bench.make("Kept", &[]).await.doc_ref().clone();
    let probe = Probe::new(
        kept.clone(),
        "P_9",
        Some("SP_1"),
        "1.2.0",
        ("qa", "12:00 UTC"),
    );
    let id = bench.send(|id| Effect::Request(id, Request::Probe(Box::new(probe))));
    bench
        .until("the survey", |event| {
            matches!(event, Event::Answer(other, Answer::Surveyed(_)) if *other == id).then_some(())
        })
        .await;
    let journal = bench.journal();
    assert_eq!(journal.len(), 3, "{journal:?}");
    for write in &journal[1..] {
        bench
            .no_undo(UndoOf::Write(write.write.to_string()), "probe run")
            .await;
    }
    let undo = bench.plan().await;
    assert!(matches!(undo.by, UndoBy::Delete(row) if row.doc_ref == kept));
}

#[tokio::test]
async fn what_was_done_to_a_run_before_it_was_deleted() {
    let mut bench = Bench::new().await;
    let run = bench.mine("Deleted").await;
    bench.saved(&run, &[(Title, "Renamed")]).await;
    bench.delete(&run).await;
    for number in [0, 1] {
        let write = bench.journal()[number].write.to_string();
        bench
            .no_undo(UndoOf::Write(write), "the run was deleted since")
            .await;
    }
    assert!(
        bench.plan_undo(UndoOf::Last).await.is_ok(),
        "the deletion itself"
    );
}

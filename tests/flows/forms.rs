//! Runs made, edited and cloned by keys: what is sent, and what the database holds afterwards.

use super::support::served::run_of;
use super::{Scene, scene};
use crate::support::prelude::*;

pub const CREATE: &str = "ADD_DOCUMENT";
pub const MODIFY: &str = "MODIFY_DOCUMENT";

impl Scene {
    /// What the service answers for a run now, past proxy and program.
    pub async fn stored(&self, run: &DocRef) -> Value {
        self.other()
            .await
            .reader()
            .get_document(run)
            .await
            .unwrap()
            .raw()
            .clone()
    }

    /// The form is on the screen and takes keys.
    pub async fn form_is_here(&mut self) {
        let ready = |desk: &super::Desk| {
            desk.store
                .form()
                .is_some_and(|form| form.ready && form.draft.key.is_some())
        };
        self.desk.until_that("the form", ready).await;
    }

    /// The form of the run under the cursor.
    async fn edit(&mut self) {
        self.desk.press(&["e"]);
        self.form_is_here().await;
    }

    /// The form of a run of somebody else, with this typed behind its title.
    async fn typed_into(&mut self, title: &str, text: &str) -> (Other, DocRef) {
        let other = self.other().await;
        let run = other.add_run(title).await;
        self.go_to(&run).await;
        self.edit().await;
        self.desk.press(&[text]);
        (other, run)
    }

    fn title(&self) -> String {
        self.desk.store.form().unwrap().texts()[&RunField::Title].clone()
    }

    async fn draft_is_kept(&mut self) {
        let kept = |desk: &super::Desk| !desk.store.drafts().is_empty();
        self.desk.until_that("the draft on the disk", kept).await;
    }

    /// Ctrl-s, and the review with what the service has.
    pub async fn review(&mut self) {
        self.desk.press(&["Ctrl-s"]);
        self.desk
            .until_that("the review", |desk| desk.store.review().is_some())
            .await;
        self.desk
            .until_that("both sides", |desk| {
                !desk.screen().contains("Reading what the service")
            })
            .await;
    }

    /// The runs of this title in the service, newest last.
    pub async fn titled(&self, title: &str) -> Vec<DocRef> {
        let database = rusqlite::Connection::open(self.service.database()).unwrap();
        let mut found = database
            .prepare("SELECT ref FROM runs ORDER BY seq")
            .unwrap();
        let all = found.query_map([], |row| row.get::<_, Vec<u8>>(0)).unwrap();
        let other = self.other().await;
        let mut titled = Vec::new();
        for run in all.map(|key| run_of(&key.unwrap())) {
            // Runs of other projects are not found from this one.
            let Ok(document) = other.reader().get_document(&run).await else {
                continue;
            };
            if document.text("Root.General.Title").as_deref() == Some(title) {
                titled.push(run);
            }
        }
        titled
    }
}

fn small() -> Options {
    options(|it| (it.runs, it.suites) = (12, 14))
}

/// The form of a new run, with nothing typed.
async fn at_new_run() -> Scene {
    let mut scene = scene(small()).await;
    scene.until("\nrun 1 of").await;
    scene.press(&["n"]);
    scene.form_is_here().await;
    scene
}

#[tokio::test]
async fn a_run_is_made_by_keys_and_read_back() {
    let mut scene = scene(small()).await;
    scene.until("\nrun 1 of").await;
    // The profile names no version: that of the run under the cursor is offered.
    let version = scene.store.here().version.clone();
    scene.press(&["n"]);
    scene.form_is_here().await;
    scene.press(&[
        "Made by keys",
        "Tab",
        "firefox,",
        "Tab",
        "First line",
        "Enter",
        "漢字 and more",
    ]);
    scene.review().await;
    assert_eq!(
        scene.writes().len(),
        0,
        "nothing is sent before the button is pressed"
    );
    scene.press(&["Enter"]);
    scene.told("created").await;
    let sent = scene.params(CREATE);
    let [sent] = sent.as_slice() else {
        panic!("sent once: {sent:?}")
    };
    let session = scene.store.session().cloned().unwrap();
    let expected = json!({"document": {"Root": {
        "General": {
            "ProjectId": session.project, "ProjectVersionNumber": version,
            "SubprojectId": session.subproject, "Status": "active", "Title": "Made by keys",
            "Configuration": "firefox,", "Description": "First line\n漢字 and more",
        },
        "Attachments": [],
    }}, "documentModelName": "TestRun-dm", "locale": session.locale});
    assert_eq!(*sent, expected, "what section 4.3 lists and nothing else");
    let made = scene.titled("Made by keys").await;
    assert_eq!(made.len(), 1);
    let stored = scene.stored(&made[0]).await;
    assert_eq!(
        stored["document"]["Root"]["General"]["Description"],
        "First line\n漢字 and more"
    );
    // It is shown, and the form that is opened next is empty.
    scene.until("· created ").await;
    scene.says("Made by keys");
    scene.press(&["n"]);
    scene.form_is_here().await;
    assert_eq!(scene.title(), "");
}

/// A request that goes out while nothing answers would be in doubt for good.
#[tokio::test]
async fn without_a_service_a_new_run_is_not_sent_and_its_draft_is_in_no_doubt() {
    let page = b"<html><title>Sign in to the network</title></html>".to_vec();
    for fault in [
        Fault::CutBefore,
        Fault::status(503),
        Fault::Replace(200, page.clone()),
        Fault::Replace(511, page),
    ] {
        let mut scene = at_new_run().await;
        scene.press(&["Made while away"]);
        scene.review().await;
        scene.proxy.fault(fault);
        scene.press(&["Enter"]);
        scene.until("not created: not sent: ").await;
        scene.lacks("may exist");
        scene.proxy.fault(Fault::None);
        assert_eq!(scene.writes(), Vec::<String>::new());
        // The same box sends it once the service is back.
        scene.press(&["Enter"]);
        scene.told("created").await;
        assert_eq!(scene.titled("Made while away").await.len(), 1);
        assert_eq!(scene.writes(), [CREATE]);
    }
}

#[tokio::test]
async fn an_edit_changes_one_field_and_leaves_the_rest_as_it_was() {
    let mut scene = scene(small()).await;
    let run = scene.other().await.add_run("To be edited").await;
    scene.go_to(&run).await;
    let before = scene.stored(&run).await;
    scene.edit().await;
    scene.press(&[" twice"]);
    scene.review().await;
    scene.says("To be edited → To be edited twice");
    scene.press(&["Enter"]);
    scene.told("saved").await;
    assert_eq!(scene.params(MODIFY).len(), 1);
    let mut after = scene.stored(&run).await;
    assert_eq!(
        after["document"]["Root"]["General"]["Title"],
        "To be edited twice"
    );
    after["document"]["Root"]["General"]["Title"] = json!("To be edited");
    assert_eq!(
        after["document"]["Root"]["General"],
        before["document"]["Root"]["General"]
    );
    assert_eq!(
        after["document"]["Root"]["Attachments"],
        before["document"]["Root"]["Attachments"]
    );
}

#[tokio::test]
async fn two_writers_meet_in_the_review() {
    let mut scene = scene(small()).await;
    let (other, run) = scene.typed_into("Shared", " mine").await;
    other
        .modify(
            &run,
            &[
                (RunField::Title, "Shared theirs"),
                (RunField::Configuration, "opera"),
            ],
        )
        .await;
    scene.review().await;
    scene.says("changed on both sides");
    scene.says("Shared theirs");
    scene.press(&["Enter", "Ctrl-s"]);
    assert_eq!(scene.params(MODIFY).len(), 0, "undecided: nothing is sent");
    // Enter on a conflict leads back to the form; the review again.
    scene.review().await;
    scene.press(&["1"]);
    // Once more somebody writes, after the decision.
    other
        .modify(
            &run,
            &[(RunField::Description, "written at the last moment")],
        )
        .await;
    scene.press_until(&["Ctrl-s"], "nothing was sent").await;
    assert_eq!(scene.params(MODIFY).len(), 0);
    scene.press(&["Ctrl-s"]);
    scene.told("saved").await;
    let general = scene.stored(&run).await["document"]["Root"]["General"].clone();
    assert_eq!(general["Title"], "Shared mine");
    assert_eq!(
        general["Configuration"], "opera",
        "the other side's change stays"
    );
    assert_eq!(general["Description"], "written at the last moment");
}

#[tokio::test]
async fn a_clone_takes_the_suites_along_when_all_are_known() {
    let mut scene = scene(small()).await;
    let other = scene.other().await;
    other.add_run("Nothing in it").await;
    let source = other.add_run("Source").await;
    let suites = other.free(&source).await;
    other.add_suites(&source, &suites[..2]).await;
    scene.go_to(&source).await;
    scene.press(&["C"]);
    scene.form_is_here().await;
    scene.until("all 2 of its suites").await;
    for _ in 0.."Source".len() {
        scene.press(&["Backspace"]);
    }
    scene.press(&[
        "Copy",
        "Tab",
        "firefox,chrome",
        "Tab",
        "Tab",
        "Tab",
        "Tab",
        "Tab",
        "Tab",
        "Space",
    ]);
    scene.until("for each of: firefox, chrome").await;
    scene.review().await;
    scene.press_until(&["Enter"], "2 runs created").await;
    for title in ["Copy: firefox", "Copy: chrome"] {
        let made = scene.titled(title).await;
        assert_eq!(made.len(), 1, "{title}");
        assert_eq!(scene.truth(&made[0]), scene.truth(&source), "{title}");
    }
    assert_eq!(scene.params(CREATE).len(), 2, "each once");
    // Somebody adds one while the form is open.
    scene.press(&["Enter"]);
    scene.go_to(&source).await;
    scene.press(&["C"]);
    scene.form_is_here().await;
    scene.until("all 2 of its suites").await;
    other.add_suites(&source, &suites[2..]).await;
    scene.ahead += 10_000;
    scene.press(&[" later"]);
    scene.review().await;
    scene.until("With all 3 of its suites.").await;
    scene.press_until(&["Enter"], " created").await;
    let made = scene.titled("Source later").await;
    assert_eq!(scene.truth(&made[0]), scene.truth(&source));
}

#[tokio::test]
async fn what_is_typed_comes_back_after_esc_and_goes_when_discarded() {
    let mut scene = at_new_run().await;
    scene.press(&["Half a title"]);
    scene.press(&["Esc"]);
    scene.draft_is_kept().await;
    // A second one, beside the first: it begins empty, and both stay.
    scene.press(&["n"]);
    scene.form_is_here().await;
    scene.press(&["Another one", "Esc"]);
    scene
        .until_that("both drafts on the disk", |desk| {
            desk.store.drafts().len() == 2
        })
        .await;
    scene.press(&["n"]);
    scene.form_is_here().await;
    assert_eq!(scene.title(), "");
    scene
        .press_until(&["Ctrl-g"], "new run  Title: Half a title")
        .await;
    scene.press(&["Half", "Enter"]);
    scene.form_is_here().await;
    assert_eq!(scene.title(), "Half a title");
    scene.press_until(&["Ctrl-x"], "Discard this draft?").await;
    scene.press(&["Tab", "Enter"]);
    scene
        .until_that("one draft left", |desk| desk.store.drafts().len() == 1)
        .await;
    assert_eq!(
        scene.store.drafts()[0].texts[&RunField::Title],
        "Another one"
    );
    assert_eq!(scene.writes().len(), 0);
}

#[tokio::test]
async fn a_run_that_may_exist_is_looked_for_before_it_is_sent_again() {
    let mut scene = at_new_run().await;
    scene.press(&["Cut off"]);
    scene.review().await;
    scene.proxy.fault_for(CREATE, Fault::CutBefore);
    scene
        .press_until(&["Enter"], "The run \"Cut off\" may exist")
        .await;
    scene.says("no new run has this title");
    scene.press(&["Ctrl-s"]);
    assert_eq!(
        scene.params(CREATE).len(),
        1,
        "never a second one by itself"
    );
    scene.press(&["Esc"]);
    scene.form_is_here().await;
    assert_eq!(scene.title(), "Cut off", "nothing typed is lost");
    scene.says("  The run \"Cut off\" may exist; Ctrl-s looks");
    // Later: the draft is opened again, and what was sent is looked for before anything else.
    scene.press(&["Esc"]);
    scene.draft_is_kept().await;
    scene.act(Action::Drafts);
    scene.press_until(&["Enter"], "Looked for it: ").await;
    scene.review().await;
    scene.until("Send it again").await;
    scene.says("no new run has this title");
    scene.proxy.fault(Fault::None);
    scene.press(&["Tab", "Enter"]);
    scene.told("created").await;
    assert_eq!(scene.titled("Cut off").await.len(), 1);
    let id = scene.store.detail().unwrap().run.name();
    let made = format!("{id}  made \"Cut off\"");
    scene.press_until(&["@"], &made).await;
}

/// A save whose request is cut off before it arrives, so that readings show nothing of it; somebody else writes the
/// same then.
async fn saved_in_doubt(scene: &mut Scene) -> DocRef {
    let (other, run) = scene.typed_into("Doubted", " twice").await;
    scene.review().await;
    scene.proxy.fault_for(MODIFY, Fault::CutBefore);
    scene.press_until(&["Enter"], "may be changed").await;
    scene.proxy.fault(Fault::None);
    let twice = [(RunField::Title, "Doubted twice")];
    other.modify(&run, &twice).await;
    run
}

#[tokio::test]
async fn a_save_that_a_later_reading_shows_is_in_doubt_no_more() {
    let mut scene = scene(small()).await;
    saved_in_doubt(&mut scene).await;
    scene.press_until(&["r"], "Nothing to save").await;
    scene.lacks("is not known");
    scene.lacks("may be changed");
    scene.press(&["Esc"]);
    scene.form_is_here().await;
    scene.lacks("may be changed");
    scene.says("the new values are there, as a reading shows");
    // The draft that is opened again is compared with a reading, too.
    scene.press(&["Esc", "e"]);
    scene.form_is_here().await;
    scene.until("as a reading shows").await;
    scene.lacks("may be changed");
    assert_eq!(scene.params(MODIFY).len(), 1, "sent once");
}

#[tokio::test]
async fn a_save_in_doubt_says_what_a_reading_shows_and_no_more_why_there_was_none() {
    let mut scene = scene(small()).await;
    let _ = scene.typed_into("Doubted", " twice").await;
    scene.review().await;
    // The run is read once more, then nothing arrives any more.
    scene.proxy.plan(false, 1, 100, Fault::CutBefore);
    let unread = "could not be read afterwards";
    scene.press_until(&["Enter"], unread).await;
    scene.proxy.unplan();
    scene.press_until(&["r"], "what stands in the form").await;
    scene.lacks(unread);
    assert_eq!(scene.params(MODIFY).len(), 1, "sent once");
}

#[tokio::test]
async fn a_reading_that_fails_after_a_save_does_not_say_that_nothing_was_sent() {
    let mut scene = scene(small()).await;
    scene.in_real_time = true;
    let _ = scene.typed_into("Sent", " twice").await;
    scene.review().await;
    // The run is read once more before it is saved, then no more.
    scene.proxy.fault_for(MODIFY, Fault::delay(500));
    scene.press(&["Enter"]);
    let proxy = &scene.proxy;
    scene
        .desk
        .until_that("it is sent", |_| proxy.count(MODIFY) == 1)
        .await;
    proxy.fault_for("GET_DOCUMENT", Fault::status(503));
    scene.desk.until("may be changed. The draft is kept").await;
    let read = proxy.count("GET_DOCUMENT");
    scene
        .desk
        .until_that("it was read again", |_| {
            proxy.count("GET_DOCUMENT") > read + 2
        })
        .await;
    scene.says("may be changed. The draft is kept");
    scene.lacks("nothing was sent");
}

#[tokio::test]
async fn a_save_that_comes_true_late_is_not_called_what_somebody_wrote() {
    let mut scene = scene(small()).await;
    let (other, run) = scene.typed_into("Late", " twice").await;
    scene.review().await;
    scene.proxy.fault_for(MODIFY, Fault::CutBefore);
    scene.press_until(&["Enter"], "may be changed").await;
    scene.proxy.fault(Fault::None);
    scene.press(&["Esc"]);
    scene.form_is_here().await;
    scene.review().await;
    scene.until("what stands in the form").await;
    other.modify(&run, &[(RunField::Title, "Late twice")]).await;
    let has_them = "nothing was sent now: the run has these values already";
    scene.press_until(&["Enter"], has_them).await;
    scene.says("Nothing to save");
    scene.lacks("somebody wrote");
    scene.lacks("not saved");
    scene.lacks("does not have");
    assert_eq!(scene.params(MODIFY).len(), 1, "sent once");
}

#[tokio::test]
async fn what_my_changes_know_of_a_form_that_was_sent_stands_in_it() {
    let mut scene = scene(small()).await;
    scene.in_real_time = true;
    saved_in_doubt(&mut scene).await;
    scene.press(&["Esc"]);
    scene.form_is_here().await;
    scene.says("may be changed");
    // What is typed since differs from what was sent: only my changes know what that was.
    scene.press(&[" and more", "Esc"]);
    scene.draft_is_kept().await;
    scene.press_until(&["@"], "newest first").await;
    scene.until("end not known").await;
    scene.press_until(&["Enter"], "has the new values").await;
    scene.press(&["Esc", "e"]);
    scene.form_is_here().await;
    scene.until(": R_13 saved.").await;
    scene.lacks("may be changed");
    scene.review().await;
    scene.says("Sent before: R_13 saved.");
    scene.lacks("may be changed");
}

#[tokio::test]
async fn a_run_that_my_changes_know_to_be_made_is_told_as_made() {
    let mut scene = at_new_run().await;
    scene.in_real_time = true;
    scene.press(&["Cut off"]);
    // The version of the run that is made below.
    scene.press(&["Tab"; 6]);
    scene.press(&["Ctrl-u", "1.2.0"]);
    scene.review().await;
    scene.proxy.fault_for(CREATE, Fault::CutBefore);
    scene
        .press_until(&["Enter"], "The run \"Cut off\" may exist")
        .await;
    scene.press(&["Esc", "Esc"]);
    scene.draft_is_kept().await;
    scene.proxy.fault(Fault::None);
    scene.other().await.add_run("Cut off").await;
    scene.press_until(&["@"], "end not known").await;
    scene.press_until(&["Enter"], "The run was made").await;
    let asked = scene.proxy.count("GET_AVAILABLE_TEST_SUITES");
    assert_eq!(asked, 0, "it was to have no suites");
    scene.press(&["Esc"]);
    scene.act(Action::Drafts);
    scene.press(&["Enter"]);
    scene.form_is_here().await;
    scene.until("R_13 created").await;
    scene.lacks("may exist");
    scene.review().await;
    scene.until("Send it again   [ Back ]").await;
    scene.lacks("may exist");
    scene.says("Sent before: R_13 created.");
}

/// Its answer named it; only the reading after it failed.
#[tokio::test]
async fn a_run_whose_answer_came_and_that_is_in_a_list_by_now_is_told_as_made() {
    let mut scene = at_new_run().await;
    scene.in_real_time = true;
    scene.press(&["Answered"]);
    scene.review().await;
    scene.proxy.fault_for("GET_DOCUMENT", Fault::status(503));
    scene
        .press_until(&["Enter"], "The run \"Answered\" may exist")
        .await;
    scene.proxy.fault(Fault::None);
    scene.press(&["Esc"]);
    scene.form_is_here().await;
    scene.review().await;
    scene.until(" created.").await;
    scene.lacks("may exist");
    assert_eq!(scene.titled("Answered").await.len(), 1);
}

#[tokio::test]
async fn what_is_made_edited_and_deleted_from_here_is_no_news() {
    let mut scene = at_new_run().await;
    scene.press(&["Made by keys"]);
    scene.review().await;
    scene.press(&["Enter"]);
    scene.told("created").await;
    let read = |scene: &mut Scene| {
        scene.press(&["Esc", "Esc", "Esc", "r"]);
    };
    let settled = |desk: &super::Desk| !desk.store.runs().reader.busy();
    read(&mut scene);
    scene.until_that("the list", settled).await;
    let made = scene.titled("Made by keys").await.remove(0);
    scene.go_to(&made).await;
    let id = scene.current_id();
    scene.edit().await;
    scene.press(&[" again"]);
    scene.review().await;
    scene.press(&["Enter"]);
    scene.told("saved").await;
    read(&mut scene);
    scene.until("Made by keys again").await;
    scene.press_until(&["D", &id], "Enter deletes").await;
    scene.press(&["Enter"]);
    scene.until(&format!("{id} deleted")).await;
    scene.press(&["Esc"]);
    read(&mut scene);
    scene.until_that("the list", settled).await;
    let told: Vec<String> = scene
        .store
        .feed()
        .entries
        .iter()
        .map(|entry| entry.what.to_string())
        .collect();
    assert_eq!(told, [""; 0]);
    scene.lacks("●");
}

#[tokio::test]
async fn what_came_back_and_the_remedy_are_two_sentences() {
    let mut scene = scene(small()).await;
    scene.typed_into("Unreached", " more").await;
    scene.proxy.go_down().await;
    scene.press(&["Ctrl-s"]);
    scene.until("cannot be read").await;
    let screen = scene.screen().replace('│', " ");
    let words: Vec<&str> = screen.split_whitespace().collect();
    says(&words.join(" "), "). Nothing was sent. Check base_url");
}

/// The review of a clone compares nothing: the form says what the new run gets.
#[tokio::test]
async fn of_a_clone_whose_run_was_changed_since_the_form_says_what_the_new_run_gets() {
    let mut scene = scene(Options::default()).await;
    let other = scene.other().await;
    let run = other.add_run("Cloned").await;
    scene.go_to(&run).await;
    scene.press(&["C"]);
    scene.form_is_here().await;
    scene.press(&[" anew"]);
    scene.press(&["Esc"]);
    scene.draft_is_kept().await;
    other
        .modify(&run, &[(RunField::Configuration, "firefox")])
        .await;
    scene.press(&["C"]);
    scene.form_is_here().await;
    let words = "since this form was opened: Configuration; the new run gets";
    scene.until(words).await;
    scene.lacks("compares");
}

//! The runs that are kept on this machine: there at the next start, shared by programs, seen by nobody else.

use super::*;
use jiff::Timestamp;
use rundown::disk::{UnderWay, WriteId};
use rundown::mirror::{Depth, RunCache};
use rundown::samples::Samples;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Opens the program once more at the same service.
fn again(scene: Scene, change: impl FnOnce(&mut Profile)) -> Scene {
    let mut profile = scene.profile.clone();
    change(&mut profile);
    Scene {
        desk: scene.desk.again(profile),
        ..scene
    }
}

/// After the first reading, with the id of the run under the cursor.
async fn at_a_run() -> (Scene, String) {
    let mut scene = scene(Options::default()).await;
    scene.first_reading().await;
    let id = scene.current_id();
    (scene, id)
}

fn lists(scene: &Scene) -> usize {
    scene.proxy.count("LIST_TEST_RUNS")
}

#[tokio::test]
async fn at_the_next_start_the_runs_stand_there_without_the_service() {
    let mut scene = scene(Options::default()).await;
    scene.first_reading().await;
    let before = scene.screen();
    let (id, read) = (scene.current_id(), scene.store.runs().read_at());
    scene.proxy.go_down().await;
    let mut scene = again(scene, |_| {});
    scene.until(&id).await;
    assert_eq!(scene.store.runs().read_at(), read, "as old as they are");
    let rows = |screen: &str| {
        let rows = screen.lines().filter(|line| line.contains(" R_"));
        rows.map(|row| row[3..].to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(rows(&scene.screen()), rows(&before));
    // The numbers of the tabs, too.
    let tabs = |screen: &str| screen.lines().nth(1).unwrap().to_owned();
    assert_eq!(tabs(&scene.screen()), tabs(&before));
    // Nothing of it is lost when nobody answers, and that is said.
    scene.until("OFFLINE since ").await;
    scene.resize(80, 24);
    let head = scene.screen().lines().next().unwrap().to_owned();
    says(&head, "OFFLINE since ");
    says(&head, ", again ");
    assert!(head.trim_end().contains("read "), "{head}");
    assert_eq!(rows(&scene.screen())[0][..8], rows(&before)[0][..8]);
    scene.proxy.come_back();
    scene.press(&["r"]);
    scene
        .until_that("here again", |desk| {
            !desk.screen().contains("OFFLINE") && desk.store.runs().read_at() > read
        })
        .await;
}

#[tokio::test]
async fn whatever_call_was_not_answered_it_is_found_out_without_a_key_that_the_service_is_back() {
    // A list that was read within the time between two readings is read all the same.
    for refresh_seconds in [0, 60] {
        let (scene, _) = at_a_run().await;
        let mut scene = again(scene, |profile| profile.refresh_seconds = refresh_seconds);
        has_read(&mut scene).await;
        scene.until("> R_").await;
        // Before the sign-in nothing is read yet.
        let idle = |desk: &Desk| desk.store.cx.shared.signed_in && !desk.store.runs().reader.busy();
        scene.until_that("nothing is read", idle).await;
        scene.proxy.go_down().await;
        scene.press(&["a"]);
        scene.until("OFFLINE since ").await;
        scene.until(", again ").await;
        let tried = |desk: &Desk| desk.store.runs().reader.failure.is_some();
        scene.until_that("the list is tried", tried).await;
        scene.lacks("loading the runs:");
        scene.proxy.come_back();
        scene
            .until_that("here again", |desk| !desk.screen().contains("OFFLINE"))
            .await;
    }
}

/// In its form, too, which can be filled in and is kept until it can be saved.
#[tokio::test]
async fn a_run_that_was_opened_is_opened_again_without_the_service() {
    let (mut scene, id) = at_a_run().await;
    let is_here = |desk: &Desk| {
        desk.store
            .detail()
            .is_some_and(|it| it.document.value().is_some())
    };
    scene.press(&["Enter"]);
    scene.until_that("the document", is_here).await;
    let document = |desk: &Desk| {
        desk.store
            .detail()
            .unwrap()
            .document
            .value()
            .unwrap()
            .document
            .clone()
    };
    let read = document(&scene.desk);
    scene.proxy.go_down().await;
    let mut scene = again(scene, |_| {});
    scene.until("OFFLINE since ").await;
    scene.until(&id).await;
    scene.press(&["Enter"]);
    scene.until_that("the kept document", is_here).await;
    assert_eq!(document(&scene.desk), read);
    scene.until("Not read").await;
    scene.press(&["e"]);
    let is_filled = |desk: &Desk| desk.store.form().is_some_and(|form| form.base.is_some());
    scene.until_that("a filled form", is_filled).await;
}

#[tokio::test]
async fn who_stays_unanswered_gets_no_box_over_the_list_and_no_password_for_ever() {
    let (scene, id) = at_a_run().await;
    // What stands in front of the network answers everything with a page of its own.
    let page = b"<html><body>Welcome to our network</body></html>";
    scene.proxy.fault(Fault::Replace(200, page.to_vec()));
    let before = scene.proxy.count("token");
    let mut scene = again(scene, |_| {});
    scene.until("OFFLINE since ").await;
    tokio::time::sleep(Duration::from_secs(4)).await;
    scene.catch_up();
    scene.says(&id);
    assert!(scene.store.login().is_none(), "{}", scene.screen());
    assert_eq!(
        scene.proxy.count("token") - before,
        1,
        "the password went out once"
    );
}

#[tokio::test]
async fn of_two_programs_one_reads_for_both() {
    let often = |profile: &mut Profile| profile.refresh_seconds = 2;
    Box::pin(one_reads_for_both(
        often,
        |desk| desk.store.runs().read_at(),
        &[],
    ))
    .await;
}

#[tokio::test]
async fn of_two_programs_that_watch_a_view_one_reads_for_both() {
    let often = |profile: &mut Profile| profile.refresh_seconds = 2;
    let read_at = |desk: &Desk| desk.store.monitor().and_then(|monitor| monitor.read_at);
    Box::pin(one_reads_for_both(often, read_at, &["M"])).await;
}

#[tokio::test]
async fn of_two_programs_each_tells_what_the_other_read() {
    let often = |profile: &mut Profile| profile.refresh_seconds = 2;
    let busy = options(|it| it.second_writer = Some(Duration::from_millis(400)));
    let mut scene = scene_with(busy, often).await;
    scene.first_reading().await;
    let mut profile = scene.profile.clone();
    often(&mut profile);
    let mut other = scene.beside(profile);
    let has_rows = |desk: &Desk| desk.store.runs().read_at().is_some();
    other.until_that("read", has_rows).await;
    let begun = Timestamp::now().as_millisecond();
    let told = |desk: &Desk| {
        // What is newer may not have come here yet.
        let until = Timestamp::now().as_millisecond() - 5_000;
        let entries = desk.store.cx.shared.feed.entries.iter();
        let of_then = entries.filter(|entry| (begun..until).contains(&entry.at));
        let lines: Vec<_> = of_then
            .map(|entry| (entry.at, entry.name.clone()))
            .collect();
        assert!(lines.is_sorted_by(|one, two| one.0 >= two.0), "{lines:?}");
        lines.into_iter().collect::<BTreeSet<_>>()
    };
    while told(&scene.desk).len() < 8 {
        scene.catch_up();
        other.catch_up();
        pause(50).await;
    }
    assert_eq!(told(&scene.desk), told(&other));
}

/// Reading all takes minutes: only what reads by itself waits for it.
#[tokio::test]
async fn a_key_does_not_wait_for_the_reading_of_another_program() {
    let often = |profile: &mut Profile| profile.refresh_seconds = 2;
    let mut scene = scene_with(Options::default(), often).await;
    scene.first_reading().await;
    let mut other = RunCache::of_file(&file_of(&scene.desk)).unwrap();
    let at = Timestamp::now().as_millisecond();
    assert!(other.begin(&Depth::All.wanted(&[]), at).unwrap().is_none());
    let busy = |desk: &Desk| desk.store.runs().reader.busy();
    scene.until_that("it waits", busy).await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    scene.catch_up();
    assert!(busy(&scene.desk), "{}", scene.screen());
    let (before, pressed) = (lists(&scene), Instant::now());
    scene.press(&["r"]);
    let proxy = &scene.proxy;
    let reads = |_: &Desk| proxy.count("LIST_TEST_RUNS") > before;
    scene.desk.until_that("it reads", reads).await;
    // After a minute of silence nobody would wait for it.
    assert!(pressed.elapsed() < Duration::from_secs(20));
    // What reads by itself waits again, also after one that a key asked for was given up.
    has_read(&mut scene).await;
    let before = lists(&scene);
    let slow = Fault::delay(30_000);
    scene.proxy.fault_for("LIST_TEST_RUNS", slow);
    scene.press(&[":sync", "Enter"]);
    let proxy = &scene.proxy;
    let reads = |_: &Desk| proxy.count("LIST_TEST_RUNS") > before;
    scene.desk.until_that("it reads", reads).await;
    scene.press(&["Ctrl-c"]);
    scene.proxy.fault(Fault::None);
    let before = lists(&scene);
    scene.until_that("it waits", busy).await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    scene.catch_up();
    assert_eq!((busy(&scene.desk), lists(&scene)), (true, before));
}

/// `keys` are pressed in each program first.
async fn one_reads_for_both(
    often: fn(&mut Profile),
    read_at: fn(&Desk) -> Option<i64>,
    keys: &[&str],
) {
    let refreshes = async |scene: &mut Scene, times: usize| {
        for _ in 0..times {
            let last = read_at(&scene.desk);
            let read = move |desk: &Desk| read_at(desk) > last;
            scene.until_that("read again", read).await;
        }
    };
    let read = move |desk: &Desk| read_at(desk).is_some();
    let mut alone = scene_with(Options::default(), often).await;
    alone.first_reading().await;
    alone.press(keys);
    alone.until_that("read", read).await;
    let before = lists(&alone);
    refreshes(&mut alone, 10).await;
    let calls_alone = lists(&alone) - before;

    let mut both = scene_with(Options::default(), often).await;
    both.first_reading().await;
    both.press(keys);
    both.until_that("read", read).await;
    let mut profile = both.profile.clone();
    often(&mut profile);
    let mut other = both.beside(profile);
    let has_rows = |desk: &Desk| desk.store.runs().read_at().is_some();
    other.until_that("read", has_rows).await;
    other.press(keys);
    other.until_that("read", read).await;
    let before = lists(&both);
    let (tell, mut told) = tokio::sync::oneshot::channel::<()>();
    let lives = async {
        loop {
            tokio::select! {
                _ = &mut told => break,
                () = tokio::time::sleep(Duration::from_millis(20)) => other.catch_up(),
            }
        }
    };
    tokio::join!(lives, async {
        refreshes(&mut both, 10).await;
        let _ = tell.send(());
    });
    let calls = lists(&both) - before;
    // Two that begin at the very moment both read; without sharing it would be twice as many.
    assert!(
        2 * calls <= 3 * calls_alone,
        "{calls} of two, {calls_alone} of one"
    );
}

#[tokio::test]
async fn counts_that_the_service_tells_no_more_are_in_no_sum_tab_or_search() {
    let mut scene = scene(Options::default()).await;
    scene.first_reading().await;
    scene.says(" left");
    let tabs = |desk: &Desk| desk.screen().lines().nth(1).unwrap().to_owned();
    // The operation that brings counts is gone.
    scene.proxy.fault_for("LIST_TEST_RUNS", Fault::status(404));
    let mut scene = again(scene, |profile| {
        profile.runs_source = rundown::domain::RunsSource::ListDocuments;
    });
    scene.first_reading().await;
    scene.until("no longer sends results").await;
    scene.press_until(&["j", "k"], "without results").await;
    let screen = scene.screen();
    lacks(&screen, " left");
    assert!(tabs(&scene.desk).contains("3 New failures  "), "{screen}");
    scene.press_until(&["/", "failed>0"], "0 found").await;
}

#[tokio::test]
async fn an_account_that_may_not_list_any_more_sees_nothing_until_it_may() {
    let (mut scene, id) = at_a_run().await;
    let refused = br#"{"jsonrpc":"2.0","id":null,"error":{"code":-32006,"message":"not allowed"}}"#;
    let seen = |screen: &str| screen.contains(&id);
    scene
        .proxy
        .fault_for("LIST_TEST_RUNS", Fault::Replace(200, refused.to_vec()));
    scene.press_until(&["r"], "may not do this").await;
    assert!(seen(&scene.screen()), "once may be a mistake");
    scene.press(&["r"]);
    scene
        .until_that("nothing of it", |desk| !desk.screen().contains(" R_"))
        .await;
    let mut scene = again(scene, |_| {});
    let failed = |desk: &Desk| desk.store.runs().reader.failure.is_some();
    scene.until_that("refused again", failed).await;
    assert!(!seen(&scene.screen()), "{}", scene.screen());
    // Nor what became of the runs since.
    scene.press(&["H", "r"]);
    scene
        .until_that("refused again", |desk| {
            let changes = desk.store.screens.changes.as_ref().unwrap();
            !desk.store.cx.under_way(&Slot::ReadRuns(Layer::Changes)) && changes.answer.is_none()
        })
        .await;
    scene.lacks("runs moved");
    scene.press(&["Esc"]);
    // A reading that is still under way would be refused after it may.
    let is_idle = |desk: &Desk| !desk.store.cx.under_way(&Slot::Runs);
    scene.until_that("nothing is read", is_idle).await;
    scene.proxy.fault(Fault::None);
    scene.press_until(&["r"], &id).await;
}

/// Where the program keeps its runs.
fn files_of(desk: &Desk) -> impl Iterator<Item = PathBuf> {
    let files = std::fs::read_dir(desk.folder.path().join("cache")).unwrap();
    let files = files.map(|it| it.unwrap().path());
    files.filter(|it| it.extension().is_some_and(|it| it == "sqlite"))
}

fn file_of(desk: &Desk) -> PathBuf {
    files_of(desk).next().unwrap()
}

#[tokio::test]
async fn what_is_emptied_while_it_is_read_is_there_again_afterwards() {
    let found = |desk: &Desk| {
        let runs = desk.store.runs().runs().iter();
        runs.map(|run| run.doc_ref.clone()).collect::<BTreeSet<_>>()
    };
    let mut scene = scene(Options::default()).await;
    scene.first_reading().await;
    let (all, before) = (found(&scene.desk), lists(&scene));
    assert!(all.len() > 50, "{}", all.len());
    scene.proxy.fault_for("LIST_TEST_RUNS", Fault::delay(300));
    scene.press(&["r"]);
    let proxy = &scene.proxy;
    scene
        .desk
        .until_that("a page is read", |_| proxy.count("LIST_TEST_RUNS") > before)
        .await;
    let mut other = RunCache::of_file(&file_of(&scene.desk)).unwrap();
    let kept = other.summary().unwrap().0;
    other.clear().unwrap();
    assert_eq!(other.summary().unwrap().0, 0);
    let read = |desk: &Desk| !desk.store.runs().reader.busy() && found(desk) == all;
    scene.until_that("all is read", read).await;
    assert_eq!(other.summary().unwrap().0, kept);
    scene.proxy.go_down().await;
    let mut scene = again(scene, |_| {});
    scene
        .until_that("all is kept", |desk| found(desk) == all)
        .await;
}

#[tokio::test]
async fn a_damaged_file_is_set_aside_told_and_made_anew() {
    let (scene, id) = at_a_run().await;
    let file = file_of(&scene.desk);
    // Once the first program has ended.
    let Scene {
        desk,
        proxy,
        service,
        profile,
    } = scene;
    let folder = desk.folder;
    drop((desk.store, desk.copied));
    pause(500).await;
    std::fs::write(&file, "no database").unwrap();
    let mut desk = Desk::in_folder(vec![profile], folder);
    desk.until("was set aside as").await;
    desk.press(&["Esc"]);
    desk.until(&id).await;
    // The same while it is open.
    let read = |desk: &Desk| !desk.store.runs().reader.busy();
    desk.until_that("the first reading", read).await;
    std::fs::remove_file(&file).unwrap();
    desk.press(&["r"]);
    let is_told = |desk: &Desk| {
        let mut errors = desk.store.errors().entries.iter();
        errors.any(|it| it.failure.cause.contains("was moved away and is made"))
    };
    desk.until_that("what became of it", is_told).await;
    drop((proxy, service));
}

#[tokio::test]
async fn a_view_of_another_version_is_told_and_stays() {
    let (scene, _) = at_a_run().await;
    let file = Samples::open(scene.folder.path(), 90, 0).unwrap();
    let profile = scene.profile.clone();
    let (name, scope) = (&profile.name, profile.scope());
    let odd = json!({"only": "of_tomorrow"}).to_string();
    let of = [("odd one", &*odd), ("plain one", "{}")];
    for (view, kept) in of {
        file.of_scope(name, &scope)
            .set_view(view, Some(kept))
            .unwrap();
    }
    let mut scene = again(scene, |_| {});
    let told = "the view odd one: a word in it is not known here";
    scene.until(told).await;
    scene.until("7 plain one").await;
    assert!(!scene.screen().contains("8 odd"));
    let kept = || file.of_scope(name, &scope).views().unwrap();
    assert_eq!(kept().len(), of.len());
    scene.press(&[":delete-view plain one", "Enter"]);
    let goes = "the view is gone from the disk";
    let is_gone = |_: &_| matches!(&kept()[..], [(name, _)] if name == "odd one");
    scene.until_that(goes, is_gone).await;
}

/// Two config files, or an address that changed: the same name, the same references, another service.
#[tokio::test]
async fn what_is_kept_of_a_profile_is_not_told_at_another_service_of_its_name() {
    let (mut scene, id) = at_a_run().await;
    scene.press(&[":save-view Of the first", "Enter"]);
    scene.until("7 Of the first").await;
    scene.press(&["n"]);
    scene.form_is_here().await;
    scene.press(&["Typed at the first", "Esc"]);
    scene.until("is kept").await;
    let other = LocalService::start(Options::default(), |_, _| {})
        .await
        .unwrap();
    let mut profile = rundown::demo::profile(&other.profile()).unwrap();
    let name = scene.profile.clone().name;
    profile.name.clone_from(&name);
    let (file, scope) = (
        Samples::open(scene.folder.path(), 90, 0).unwrap(),
        profile.scope(),
    );
    let counted = |service: &str| {
        let name = file.name_of(&name, service).unwrap();
        let of_scope = file.of_scope(&name, &scope);
        (
            of_scope.newest_before(i64::MAX).unwrap().len(),
            of_scope.views().unwrap().len(),
        )
    };
    let (first, second) = (
        scene.profile.clone().target().service,
        profile.target().service,
    );
    let mut beside = scene.beside(profile);
    beside.until(&id).await;
    beside
        .until_that("its own counts", |_| counted(&second).0 > 0)
        .await;
    beside.lacks("Of the first");
    assert_eq!((counted(&first).1, counted(&second).1), (1, 0));
    // The draft is named with its service, and no form begins with it.
    beside.press(&["n"]);
    beside.until("New run").await;
    beside.lacks("Typed at the first");
    beside.press(&["Esc"]);
    beside
        .press_until(&["Ctrl-g"], &format!("{first}: new run"))
        .await;
}

#[tokio::test]
async fn where_nothing_can_be_kept_any_more_that_is_told_and_what_was_read_is_shown() {
    let mut scene = scene(Options::default()).await;
    scene.first_reading().await;
    let kept = rusqlite::Connection::open(file_of(&scene.desk)).unwrap();
    let stop =
        "CREATE TRIGGER stop BEFORE INSERT ON runs BEGIN SELECT RAISE(ABORT, 'no room'); END";
    kept.execute_batch(stop).unwrap();
    let other = scene.other().await;
    other.add_run("Read all the same").await;
    let words = "nothing of the runs is kept until that is mended";
    scene.press_until(&["r"], words).await;
    scene.press_until(&["Esc"], "Read all the same").await;
    // Once it is mended all is kept again, also what was read meanwhile.
    has_read(&mut scene).await;
    kept.execute_batch("DROP TRIGGER stop").unwrap();
    scene.press(&["r"]);
    has_read(&mut scene).await;
    let sql = "SELECT count(*) FROM runs WHERE row LIKE '%Read all the same%'";
    let rows: i64 = kept.query_row(sql, [], |row| row.get(0)).unwrap();
    assert_eq!(rows, 1);
}

#[tokio::test]
async fn another_user_sees_nothing_of_it() {
    let (scene, id) = at_a_run().await;
    scene.proxy.go_down().await;
    let mut scene = again(scene, |profile| {
        profile.username = Some("somebody.else".into());
    });
    scene
        .until_that("it was tried", |desk| {
            desk.store.runs().reader.failure.is_some()
        })
        .await;
    scene.lacks(&id);
}

/// Somebody signs in as another user: the store and the worker learn it as they would from the provider.
fn sign_in_as(scene: &mut Scene, user: &str) {
    let user = user.to_owned();
    scene.happens(Event::SignedIn { user });
}

async fn has_read(scene: &mut Scene) {
    let has_read = |desk: &Desk| !desk.store.runs().reader.busy();
    scene.until_that("it has read", has_read).await;
}

#[tokio::test]
async fn what_is_being_read_for_one_user_does_not_reach_the_next_one() {
    let (mut scene, id) = at_a_run().await;
    has_read(&mut scene).await;
    let before = lists(&scene);
    // The answer to the first user's token comes late.
    scene.proxy.fault_for("LIST_TEST_RUNS", Fault::delay(1_500));
    scene.press(&["r"]);
    while lists(&scene) == before {
        pause(5).await;
    }
    sign_in_as(&mut scene, "bea");
    scene.lacks(&id);
    scene.proxy.fault(Fault::None);
    scene.until(&id).await;
    has_read(&mut scene).await;
    assert!(
        scene.store.cx.errors.entries.is_empty(),
        "{}",
        scene.screen()
    );
    // No other window waits for a reading that was given up.
    for file in files_of(&scene.desk) {
        let kept = rusqlite::Connection::open(file).unwrap();
        let waits = "SELECT count(*) FROM readings WHERE ended IS NULL";
        let left: i64 = kept.query_row(waits, [], |row| row.get(0)).unwrap();
        assert_eq!(left, 0);
    }
}

#[tokio::test]
async fn what_one_wrote_from_here_is_no_news_to_another_user_of_this_machine() {
    let (mut scene, id) = at_a_run().await;
    for user in ["bea", "qa"] {
        sign_in_as(&mut scene, user);
        scene.until(&id).await;
        has_read(&mut scene).await;
    }
    scene.press_until(&["a"], "S_").await;
    scene.press(&["Space", "Enter"]);
    scene.press_until(&["Enter"], "suite added to").await;
    // The journal was read to its end.
    scene.press(&["Esc", "r"]);
    has_read(&mut scene).await;
    // What somebody else wrote meanwhile is news.
    let client = scene.other().await;
    client.add_run("Of another desk").await;
    sign_in_as(&mut scene, "bea");
    scene.until("Of another desk").await;
    has_read(&mut scene).await;
    let feed = &scene.store.cx.shared.feed;
    let news: Vec<_> = feed
        .entries
        .iter()
        .map(|entry| entry.what.to_string())
        .collect();
    assert_eq!(news.len(), 1, "{:?}", feed.entries);
    assert!(news[0].starts_with("appeared"), "{news:?}");
}

#[tokio::test]
async fn who_presses_nothing_for_a_minute_asks_for_few_lists_and_for_no_run_alone() {
    let begun = Instant::now();
    let mut scene = scene(options(|it| it.runs = 7_500)).await;
    scene.first_reading().await;
    while begun.elapsed() < Duration::from_mins(1) {
        pause(100).await;
        scene.catch_up();
    }
    let screen = scene.screen();
    let open = screen.split("[1 Open ").nth(1).unwrap().split(']').next();
    let open: u64 = open.unwrap().replace(',', "").parse().unwrap();
    assert!(open > 2_000, "{screen}");
    let passed = scene.proxy.passed().into_iter().map(|call| call.method);
    let (lists, others): (Vec<_>, Vec<_>) = passed.partition(|method| method == "LIST_TEST_RUNS");
    assert!((2..=10).contains(&lists.len()), "{}", lists.len());
    assert_eq!(others, ["token"]);
}

/// A journal that was lost, or begins later than the change: its row leads on all the same.
#[tokio::test]
async fn a_change_of_which_the_journal_has_nothing_has_a_row_that_leads_on() {
    let (scene, _) = at_a_run().await;
    let under_way = UnderWay::new(scene.folder.path().join("under_way"));
    let names = [1_000, 2_000].map(|at| WriteId::new(at).to_string());
    for name in &names {
        drop(under_way.begin(name).unwrap());
    }
    let mut scene = again(scene, |_| {});
    scene.until("@ shows all 2 of which").await;
    scene.first_reading().await;
    scene.press_until(&["@"], "2 of 2").await;
    scene.says("end not known what was sent is not among");
    scene.says("Enter go on…");
    let question = "has sent is not known any more";
    scene
        .press_until(&["j", "Enter"], "Ask no more about")
        .await;
    scene.says(question);
    scene.says("1970-01-01T00:00:01Z");
    scene.press(&["Tab", "Enter"]);
    let is_left = |_: &Desk| under_way.left().unwrap() == names[1..];
    scene.until_that("the older one is let be", is_left).await;
    scene.press_until(&["@"], "1 of 1").await;
}

#[tokio::test]
async fn where_the_counts_of_before_cannot_be_read_nothing_is_called_the_first_reading() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("samples.sqlite")).unwrap();
    let (service, proxy) = behind_a_proxy(Options::default()).await;
    let profile = profile_through(&proxy, &service);
    let desk = Desk::in_folder(vec![profile.clone()], folder);
    let mut scene = Scene {
        desk,
        proxy,
        service,
        profile,
    };
    scene.first_reading().await;
    scene.press_until(&["H"], "runs counted").await;
    scene.lacks("first readings");
    scene.says("The counts of before cannot be read: ! says why.");
    scene.press(&["Esc", "!"]);
    scene.says("saved tabs, due dates, what you have seen");
}

#[tokio::test]
async fn one_line_of_the_journal_that_cannot_be_read_is_told_as_one() {
    let (scene, _) = at_a_run().await;
    let journal = scene.folder.path().join("journal.ndjson");
    std::fs::write(&journal, "{\n").unwrap();
    let mut scene = again(scene, |_| {});
    scene.press_until(&["@"], "cannot be read; it is").await;
    scene.says(" 1 line of ");
}

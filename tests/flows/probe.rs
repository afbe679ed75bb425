//! The probe run: asked for, made, read, deleted; and found when it is left behind.

use rundown::local_service::Options;

use super::scene;
use super::support::proxy::Fault;

async fn probing(scene: &mut super::Scene) {
    scene.desk.until("row 1 of").await;
    while scene.desk.store.runs.current().unwrap().status != rundown::model::Status::Active {
        scene.desk.press(&["j"]);
    }
    scene.desk.press(&["s"]);
    scene.desk.until_that("a verdict", |desk| desk.store.members.as_ref().unwrap().verdict.value().is_some()).await;
    scene.desk.press(&["P"]);
    assert!(scene.desk.screen().contains("[probe, safe to delete] qa"), "{}", scene.desk.screen());
    assert_eq!(scene.proxy.count("ADD_DOCUMENT"), 0, "it asks first");
}

#[tokio::test]
async fn a_probe_run_is_made_read_and_deleted() {
    let mut scene = scene(Options::default()).await;
    probing(&mut scene).await;
    scene.desk.press(&["Tab", "Enter"]);
    scene.desk.until_that("it is deleted", |desk| desk.store.members.as_ref().unwrap().verdict.asked().is_none()).await;
    let made = scene.params("ADD_DOCUMENT");
    assert_eq!(made.len(), 1);
    assert!(made[0]["document"]["Root"]["General"]["Title"].as_str().unwrap().starts_with("[probe, safe to delete]"));
    assert_eq!(scene.proxy.count("DELETE_TEST_RUN"), 1);
    scene.desk.press(&["Esc", "/", "probe, safe", "Enter"]);
    scene.desk.until("fulltext: 0 found").await;
    assert!(scene.desk.store.left_probes.is_empty());
}

#[tokio::test]
async fn a_probe_run_that_is_left_behind_is_offered_for_deletion() {
    let mut scene = scene(Options::default()).await;
    probing(&mut scene).await;
    scene.proxy.fault_for("DELETE_TEST_RUN", Fault::CutBefore);
    scene.desk.press(&["Tab", "Enter"]);
    scene.desk.until("a probe run was left behind").await;
    assert_eq!(scene.proxy.count("DELETE_TEST_RUN"), 1, "a write is sent once");
    scene.proxy.fault(Fault::None);
    scene.desk.press(&[":", "delete left", "Enter"]);
    assert!(scene.desk.screen().contains("CHECK_TEST_RUN_EMPTY, then DELETE_TEST_RUN"), "{}", scene.desk.screen());
    scene.desk.press(&["Tab", "Enter"]);
    scene.desk.until_that("nothing is left", |desk| desk.store.left_probes.is_empty()).await;
    let end = std::time::Instant::now() + std::time::Duration::from_secs(15);
    while scene.proxy.count("DELETE_TEST_RUN") < 2 {
        assert!(std::time::Instant::now() < end, "it was never sent");
        tokio::task::yield_now().await;
    }
}

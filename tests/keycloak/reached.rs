//! A Keycloak that is away for a while, and one whose certificate comes from an authority of its own.

use crate::support::prelude::*;
use tokio::process::Command;

use super::desk::Desk;
use super::realm::{RUNNING, Realm, given};
use super::support::{PASSWORD, SECRET};

/// Nothing was refused while nothing answered: the session goes on with its refresh token, and no password is sent.
#[tokio::test(flavor = "multi_thread")]
async fn one_that_is_not_reached_for_a_while() {
    let short = |file: &mut Value| file["accessTokenLifespan"] = json!(3);
    let Some(desk) = Desk::at_new("away", short).await else {
        return;
    };
    let way = Proxy::start(&desk.realm.base).await;
    desk.configure(&way.base, Some(SECRET), "");
    let mut watching = desk.watch("1s");
    assert_eq!(watching.line().await["type"], "snapshot");
    way.go_down().await;
    let told = watching.error().await;
    says(&told, "no connection to");
    says(&told, way.base.trim_start_matches("http://"));
    let ran = desk.list().await;
    ran.refused(
        4,
        &[
            "signing in",
            "no connection to",
            "Check idp_url and its port",
        ],
    );
    let refused = ran.err;
    let mut screen = desk.screen(PASSWORD);
    screen.until("signing in failed").await;
    assert!(screen.store.login().is_none(), "{}", screen.screen());
    way.come_back();
    screen.until("\nrun 1 of").await;
    while watching.line().await["type"] == "error" {}
    watching.said().await;
    desk.realm
        .row(
            "Keycloak not reached and back: list, watch, screen",
            &refused,
        )
        .await;
    // One of the watch, one of the screen.
    let events = desk.realm.events().await;
    assert_eq!(desk.realm.passwords().await, 2, "{events:?}");
    assert!(
        !events.iter().any(|event| event.contains("ERROR")),
        "{events:?}"
    );
}

fn script() -> Command {
    Command::new(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/keycloak/start.sh"
    ))
}

/// Stopped and started for real, where it is one that `start.sh` keeps in `KEYCLOAK_FOLDER`.
#[tokio::test(flavor = "multi_thread")]
async fn one_that_is_started_anew() {
    let (Some(_), Some(folder)) = (given(), std::env::var_os("KEYCLOAK_FOLDER")) else {
        return;
    };
    let short = |file: &mut Value| file["accessTokenLifespan"] = json!(3);
    let mut realm = Realm::new("restart", short).await.unwrap();
    realm.let_go();
    let desk = Desk::new(realm).await;
    let alone = RUNNING.write().await;
    let mut watching = desk.watch("1s");
    assert_eq!(watching.line().await["type"], "snapshot");
    assert!(
        script()
            .arg(&folder)
            .arg("stop")
            .status()
            .await
            .unwrap()
            .success()
    );
    let told = watching.error().await;
    assert!(script().arg(&folder).status().await.unwrap().success());
    while watching.line().await["type"] == "error" {}
    watching.said().await;
    drop(alone);
    desk.realm.row("Keycloak stopped and started", &told).await;
    // Sessions outlive a start of Keycloak 26; where they do not, the password is sent once more.
    assert!(
        desk.realm.passwords().await <= 2,
        "{:?}",
        desk.realm.events().await
    );
}

/// Where the Keycloak of `start.sh` speaks TLS.
#[tokio::test(flavor = "multi_thread")]
async fn one_with_a_certificate_of_a_private_authority() {
    let Some(realm) = Realm::new("tls", |_| {}).await else {
        return;
    };
    let Ok(tls) = std::env::var("KEYCLOAK_TLS_URL") else {
        return;
    };
    let desk = Desk::new(realm).await;
    let fixture = |name: &str| {
        PathBuf::from(env!("CARGO_MANIFEST_DIR"))
            .join("tests/fixtures")
            .join(name)
    };
    let trusting = |name: &str| format!("ca_certificate = '{}'\n", fixture(name).display());
    for more in [String::new(), trusting("ca.pem")] {
        desk.configure(&tls, Some(SECRET), &more);
        let ran = desk.list().await;
        desk.realm
            .row("certificate of an unknown authority", &ran.err)
            .await;
        ran.refused(4, &["authority that is not trusted here", "ca_certificate"]);
    }
    assert_eq!(desk.realm.events().await, Vec::<String>::new());
    desk.configure(&tls, Some(SECRET), &trusting("tls/ca.pem"));
    desk.listed().await;
    assert_eq!(desk.realm.events().await, ["LOGIN"]);
    desk.realm.row("the same with ca_certificate", "").await;
}

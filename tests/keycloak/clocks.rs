//! Clocks that are five minutes apart: this machine's, the service's and the Keycloak's.

use std::path::PathBuf;

use serde_json::json;

use super::desk::{Desk, good};
use super::headless::scene::Ran;
use super::headless::watch::Watching;
use super::realm::{Realm, given};

const APART: i64 = 300;

/// What sets the clock of a program that is started with it.
fn faketime() -> Option<PathBuf> {
    given()?;
    let triple = format!(
        "/usr/lib/{}-linux-gnu/faketime/libfaketimeMT.so.1",
        std::env::consts::ARCH
    );
    let found = PathBuf::from(triple);
    if found.exists() {
        return Some(found);
    }
    std::io::Write::write_all(
        &mut std::io::stderr(),
        b"libfaketime is not here: no clock of the program is set\n",
    )
    .unwrap();
    None
}

/// How long a token lasts is counted here: it does not matter what time it is there.
#[tokio::test(flavor = "multi_thread")]
async fn a_program_whose_clock_is_ahead_or_behind_signs_in_and_renews() {
    let Some(faketime) = faketime() else { return };
    for (name, ahead) in [("ahead", "+300"), ("behind", "-300")] {
        let short = |file: &mut serde_json::Value| file["accessTokenLifespan"] = json!(3);
        let realm = Realm::new(name, short).await.unwrap();
        let desk = Desk::new(realm).await;
        let mut command = desk.command(&["watch", "R_4", "--every", "1s", "--format", "ndjson"]);
        command
            .env("LD_PRELOAD", &faketime)
            .env("FAKETIME", ahead)
            .env("FAKETIME_DONT_FAKE_MONOTONIC", "1");
        let mut watching = Watching::of(command);
        let now = jiff::Timestamp::now();
        let line = watching.line().await;
        let at: jiff::Timestamp = line["at"].as_str().unwrap().parse().unwrap();
        let apart = at.as_second() - now.as_second();
        assert!(
            (apart.abs() - APART).abs() < 30,
            "the clock was not set: {line}"
        );
        for _ in 0..8 {
            assert_eq!(watching.line().await["type"], "change");
        }
        assert_eq!(watching.said().await, "");
        assert_eq!(desk.realm.passwords().await, 1);
        assert!(desk.realm.events().await.len() >= 3);
        desk.realm
            .row(&format!("the program's clock {ahead} s"), "")
            .await;
    }
}

/// A service whose clock differs takes no token at all. That is its answer, and no password is sent for each call.
#[tokio::test(flavor = "multi_thread")]
async fn a_service_whose_clock_is_ahead_or_behind_is_named_and_gets_no_password_for_each_call() {
    for (name, ahead) in [("service-ahead", APART + 5), ("service-behind", -APART)] {
        let Some(realm) = Realm::new(name, |_| {}).await else {
            return;
        };
        let desk = Desk::of(realm, move |claims| good(claims, ahead)).await;
        let ran = desk.list().await;
        ran.refused(
            3,
            &["loading the runs", "401", "the service's clock is wrong"],
        );
        assert!(
            desk.realm.passwords().await <= 2,
            "{:?}",
            desk.realm.events().await
        );
        desk.realm
            .row(&format!("the service's clock {ahead} s"), &ran.err)
            .await;
        let ran = Ran::of(desk.command(&["watch", "R_4", "--every", "1s"])).await;
        ran.refused(3, &["401"]);
        assert!(
            desk.realm.passwords().await <= 4,
            "{:?}",
            desk.realm.events().await
        );
    }
}

//! A person's home with a profile that leads to the Keycloak, and a service that takes its tokens.

use crate::support::prelude::*;
use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jiff::Timestamp;
use rundown::config::{ConfigChoice, Profile, SecretSource, load};
use tempfile::TempDir;
use tokio::process::Command;

use super::headless::scene::Ran;
use super::headless::watch::Watching;
use super::realm::Realm;
use super::support::desk::Desk as Screen;
use super::support::{PASSWORD, SECRET};

/// Home, service and realm of one test.
pub struct Desk {
    pub realm: Realm,
    pub service: Scripted,
    pub home: TempDir,
}

/// Whether a token is good by a clock that is so many seconds ahead.
pub fn good(claims: &Value, ahead: i64) -> bool {
    let now = Timestamp::now().as_second() + ahead;
    claims["exp"].as_i64().unwrap() > now && claims["iat"].as_i64().unwrap() <= now
}

fn claims(seen: &Seen) -> Value {
    let token = seen.bearer();
    let payload = token.split('.').nth(1).unwrap();
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(payload).unwrap()).unwrap()
}

impl Desk {
    /// The same at a new realm; `None` where there is no Keycloak.
    pub async fn at_new(name: &str, change: impl FnOnce(&mut Value)) -> Option<Self> {
        Some(Self::new(Realm::new(name, change).await?).await)
    }

    /// A service that takes every token until it is over.
    pub async fn new(realm: Realm) -> Self {
        Self::of(realm, |claims| good(claims, 0)).await
    }

    /// A service that takes the tokens of which `takes` says so. It has one run, of which a case is done between two looks.
    pub async fn of(realm: Realm, takes: impl Fn(&Value) -> bool + Send + Sync + 'static) -> Self {
        let service = Scripted::start(move |seen, before| {
            if !takes(&claims(seen)) {
                return Say::bytes(401, "");
            }
            let left = 10_000_usize.saturating_sub(before);
            let root = json!({"General": {"Id": "R_4", "Title": "Night", "Status": "active"},
                "DisplayFields": {"Result": [{"result": "1", "count": left}]}});
            let entry = json!({"docRef": "TestRun-dm/4", "document": {"Root": root}});
            Say::result(
                seen,
                &json!({"result": {"fullSize": 1, "entries": [entry]}, "filterItemMap": {}}),
            )
        })
        .await;
        let desk = Self {
            realm,
            service,
            home: new_folder(),
        };
        desk.configure(&desk.realm.base, Some(SECRET), "");
        desk
    }

    fn config(&self) -> PathBuf {
        self.home.path().join("config.toml")
    }

    /// A profile at this identity provider; `more` are lines of it.
    pub fn configure(&self, idp_url: &str, secret: Option<&str>, more: &str) {
        let secret = secret.map_or_else(String::new, |secret| {
            format!("client_secret = \"{secret}\"\n")
        });
        let text = format!(
            "[profiles.test]\nbase_url = \"{}/api\"\nidp_url = \"{idp_url}\"\nrealm = \"{}\"\nclient_id = \"rundown\"\n\
             {secret}username = \"ada\"\npassword_env = \"TEST_PASSWORD\"\nproject_id = \"P_9\"\n{more}\n",
            self.service.base, self.realm.name,
        );
        std::fs::write(self.config(), text).unwrap();
        std::fs::set_permissions(self.config(), std::fs::Permissions::from_mode(0o600)).unwrap();
    }

    /// The program with these words, and the right password in its variable.
    pub fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rundown"));
        command
            .args(words)
            .env_clear()
            .env("HOME", self.home.path())
            .env("RUNDOWN_CONFIG", self.config())
            .env("TEST_PASSWORD", PASSWORD)
            .current_dir(self.home.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        command
    }

    pub async fn list(&self) -> Ran {
        Ran::of(self.command(&["runs", "list"])).await
    }

    /// Lists the runs, which must succeed in silence.
    pub async fn listed(&self) {
        let ran = self.list().await;
        assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""));
        says(&ran.out, "R_4");
    }

    pub fn watch(&self, every: &str) -> Watching {
        Watching::of(self.command(&["watch", "R_4", "--every", every, "--format", "ndjson"]))
    }

    /// The screens with this profile.
    pub fn screen(&self, password: &str) -> Screen {
        let choice = ConfigChoice {
            file: Some(self.config()),
            profile: None,
        };
        let mut profile: Profile = load(&choice).unwrap().profile().unwrap().clone();
        profile.password = Some(SecretSource::Inline(password.to_owned().into()));
        Screen::open(profile)
    }
}

//! A realm of a test's own, made and changed as an administrator does it.

use crate::support::prelude::*;
use std::io::Write;
use std::sync::Once;

use reqwest::Method;
use rundown::rpc::http_client;
use tokio::sync::{Mutex, RwLock, RwLockReadGuard};

use super::support::{PASSWORD, SECRET, settings};

/// Whoever stops the Keycloak has it alone.
pub static RUNNING: RwLock<()> = RwLock::const_new(());

/// A Keycloak that makes several realms at once takes longer than for one after the other.
static MAKING: Mutex<()> = Mutex::const_new(());

/// An administrator's token lasts a minute.
const TOKEN_LASTS: Duration = Duration::from_secs(40);

/// A realm like that of `realm.json`.
pub struct Realm {
    /// Address of the Keycloak.
    pub base: String,
    pub name: String,
    http: reqwest::Client,
    token: Mutex<Option<(Instant, String)>>,
    file: Value,
    running: Option<RwLockReadGuard<'static, ()>>,
}

/// Where the Keycloak is. Where there is none, that is said once.
pub fn given() -> Option<String> {
    static SAID: Once = Once::new();
    let given = std::env::var("KEYCLOAK_URL").ok();
    if given.is_none() {
        // Not through what the test harness keeps for itself.
        SAID.call_once(|| {
            let words = b"KEYCLOAK_URL is not set: nothing is tried against a real Keycloak\n";
            std::io::stderr().write_all(words).unwrap();
        });
    }
    given
}

impl Realm {
    /// A new realm whose name ends with `name`, changed by `change` before it is made; `None` where there is no Keycloak.
    pub async fn new(name: &str, change: impl FnOnce(&mut Value)) -> Option<Self> {
        let base = given()?;
        let text = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/keycloak/realm.json");
        let mut file: Value =
            serde_json::from_str(&std::fs::read_to_string(text).unwrap()).unwrap();
        let name = format!("rundown-{name}");
        file["realm"] = json!(name);
        change(&mut file);
        let http = http_client(&settings(Duration::from_mins(3)), &base.parse().unwrap()).unwrap();
        let realm = Self {
            base,
            name,
            http,
            token: Mutex::default(),
            file,
            running: Some(RUNNING.read().await),
        };
        realm.delete().await;
        realm.create().await;
        Some(realm)
    }

    /// Makes it as it was made first, with its events kept.
    pub async fn create(&self) {
        let _alone = MAKING.lock().await;
        self.admin(Method::POST, "/admin/realms", Some(&self.file))
            .await;
        let kept = [
            "LOGIN",
            "LOGIN_ERROR",
            "REFRESH_TOKEN",
            "REFRESH_TOKEN_ERROR",
        ];
        let events = json!({"eventsEnabled": true, "enabledEventTypes": kept});
        self.put("/events/config", &events).await;
    }

    pub async fn delete(&self) {
        let _alone = MAKING.lock().await;
        self.admin(Method::DELETE, &self.path(""), None).await;
    }

    /// Lets somebody stop the Keycloak.
    pub fn let_go(&mut self) {
        self.running = None;
    }

    fn path(&self, below: &str) -> String {
        format!("/admin/realms/{}{below}", self.name)
    }

    async fn token(&self) -> String {
        let mut token = self.token.lock().await;
        if let Some((at, token)) = &*token
            && at.elapsed() < TOKEN_LASTS
        {
            return token.clone();
        }
        let form = [
            ("grant_type", "password"),
            ("client_id", "admin-cli"),
            ("username", "admin"),
            ("password", "admin"),
        ];
        let url = format!("{}/realms/master/protocol/openid-connect/token", self.base);
        let answer = self.http.post(url).form(&form).send().await.unwrap();
        let answer: Value = serde_json::from_slice(&answer.bytes().await.unwrap()).unwrap();
        let fresh = answer["access_token"].as_str().unwrap().to_owned();
        *token = Some((Instant::now(), fresh.clone()));
        fresh
    }

    /// What the Keycloak answers to its administrator; null where it has no such thing.
    async fn admin(&self, method: Method, path: &str, body: Option<&Value>) -> Value {
        let what = format!("{method} {path}");
        let mut request = self
            .http
            .request(method, format!("{}{path}", self.base))
            .bearer_auth(self.token().await);
        if let Some(body) = body {
            request = request
                .header("content-type", "application/json")
                .body(body.to_string());
        }
        let answer = request.send().await.unwrap();
        let status = answer.status();
        let text = answer.text().await.unwrap();
        assert!(
            status.is_success() || status == 404,
            "{what}: {status} {text}"
        );
        serde_json::from_str(&text).unwrap_or_default()
    }

    async fn get(&self, below: &str) -> Value {
        self.admin(Method::GET, &self.path(below), None).await
    }

    pub async fn put(&self, below: &str, body: &Value) {
        self.admin(Method::PUT, &self.path(below), Some(body)).await;
    }

    async fn id(&self, which: &str) -> String {
        let found = self.get(which).await;
        found[0]["id"].as_str().unwrap().to_owned()
    }

    pub async fn user(&self) -> String {
        format!("/users/{}", self.id("/users?username=ada").await)
    }

    pub async fn client(&self) -> String {
        format!("/clients/{}", self.id("/clients?clientId=rundown").await)
    }

    pub async fn set_password(&self, password: &str) {
        let credential = json!({"type": "password", "value": password, "temporary": false});
        let path = self.user().await + "/reset-password";
        self.put(&path, &credential).await;
    }

    pub async fn log_out(&self) {
        let path = self.path(&(self.user().await + "/logout"));
        self.admin(Method::POST, &path, Some(&json!({}))).await;
    }

    pub async fn add_audience(&self, audience: &str) {
        let path = self.path(&(self.client().await + "/protocol-mappers/models"));
        self.admin(Method::POST, &path, Some(&audience_mapper(audience)))
            .await;
    }

    /// Takes all audiences out again.
    pub async fn remove_audiences(&self) {
        let path = self.client().await + "/protocol-mappers/models";
        for mapper in self.get(&path).await.as_array().unwrap() {
            let one = self.path(&format!("{path}/{}", mapper["id"].as_str().unwrap()));
            self.admin(Method::DELETE, &one, None).await;
        }
    }

    /// Takes a scope from those that the client gets without asking.
    pub async fn remove_scope(&self, name: &str) {
        let scopes = self.get("/client-scopes").await;
        let scope = scopes
            .as_array()
            .unwrap()
            .iter()
            .find(|scope| scope["name"] == name);
        let client = self.client().await;
        let path = format!(
            "{client}/default-client-scopes/{}",
            scope.unwrap()["id"].as_str().unwrap()
        );
        self.admin(Method::DELETE, &self.path(&path), None).await;
    }

    /// What was asked for, oldest first: `LOGIN`, `REFRESH_TOKEN_ERROR invalid_token` and the like. Every password that was
    /// sent is a `LOGIN` or a `LOGIN_ERROR`.
    pub async fn events(&self) -> Vec<String> {
        let events = self.get("/events?max=1000").await;
        let events = events.as_array().unwrap().iter().rev();
        events
            .map(|event| match event["error"].as_str() {
                Some(error) => format!("{} {error}", event["type"].as_str().unwrap()),
                None => event["type"].as_str().unwrap().to_owned(),
            })
            .collect()
    }

    pub async fn passwords(&self) -> usize {
        let events = self.events().await;
        events
            .iter()
            .filter(|event| event.starts_with("LOGIN"))
            .count()
    }

    /// A row of the table of all cases (`--show-output` prints it): what a person was shown, and what was sent for it.
    pub async fn row(&self, case: &str, shown: &str) {
        let events = self.events().await;
        let count = |kind: &str| events.iter().filter(|it| it.starts_with(kind)).count();
        let shown = shown.trim_start_matches("rundown: ").trim();
        println!(
            "| {case} | {} | {} ({} refused) | {} ({} refused) |",
            if shown.is_empty() {
                "nothing: it goes on"
            } else {
                shown
            },
            count("LOGIN"),
            count("LOGIN_ERROR"),
            count("REFRESH_TOKEN"),
            count("REFRESH_TOKEN_ERROR"),
        );
    }

    /// Waits until so many of these events have come.
    pub async fn until(&self, event: &str, times: usize) {
        let end = Instant::now() + Duration::from_mins(1);
        loop {
            let events = self.events().await;
            if events.iter().filter(|it| it.starts_with(event)).count() >= times {
                return;
            }
            assert!(Instant::now() < end, "no {times} {event}: {events:?}");
            pause(200).await;
        }
    }
}

/// What puts `audience` into tokens.
pub fn audience_mapper(audience: &str) -> Value {
    json!({
        "name": "audience", "protocol": "openid-connect", "protocolMapper": "oidc-audience-mapper",
        "config": {"included.custom.audience": audience, "access.token.claim": "true"},
    })
}

/// The client as the realm file has it.
pub fn rundown(file: &mut Value) -> &mut Value {
    assert_eq!(file["clients"][0]["secret"], SECRET);
    &mut file["clients"][0]
}

/// The user as the realm file has them.
pub fn ada(file: &mut Value) -> &mut Value {
    assert_eq!(file["users"][0]["credentials"][0]["value"], PASSWORD);
    &mut file["users"][0]
}

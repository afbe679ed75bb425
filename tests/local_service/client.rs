//! A caller that knows nothing but HTTP and JSON.

use std::time::Duration;

use rundown::local_service::{LocalService, Options, ServedProfile};
use rundown::rpc::{HttpSettings, http_client};
use secrecy::ExposeSecret;
use serde_json::{Value, json};

/// A service with a caller who is signed in.
pub struct Client {
    pub service: LocalService,
    pub profile: ServedProfile,
    pub http: reqwest::Client,
    pub token: String,
    pub project: Option<&'static str>,
    pub sub: Option<&'static str>,
}

/// Default data and choices, but for what `differs`.
pub fn options(differs: impl FnOnce(&mut Options)) -> Options {
    let mut options = Options::default();
    differs(&mut options);
    options
}

pub async fn default_client() -> Client {
    Client::start(Options::default()).await
}

pub fn http() -> reqwest::Client {
    http_client(
        &HttpSettings {
            connect_timeout: Duration::from_secs(30),
            request_timeout: Duration::from_secs(30),
            ca_certificate: None,
            ca_also: None,
        },
        &"http://127.0.0.1".parse().unwrap(),
    )
    .unwrap()
}

impl Client {
    pub async fn start(options: Options) -> Self {
        let service = LocalService::start(options, |_, _| ()).await.unwrap();
        let profile = service.profile();
        let http = http();
        let mut client = Self {
            service,
            profile,
            http,
            token: String::new(),
            project: Some("P_9"),
            sub: Some("SP_1"),
        };
        let (status, tokens) = client.sign_in(&client.password_form()).await;
        assert_eq!(status, 200, "{tokens}");
        tokens["access_token"]
            .as_str()
            .unwrap()
            .clone_into(&mut client.token);
        client
    }

    pub fn password_form(&self) -> Vec<(&'static str, String)> {
        vec![
            ("grant_type", "password".to_owned()),
            ("client_id", self.profile.client_id.clone()),
            (
                "client_secret",
                self.profile.client_secret.expose_secret().to_owned(),
            ),
            ("username", self.profile.username.clone()),
            ("password", self.profile.password.expose_secret().to_owned()),
        ]
    }

    pub fn refresh_form(&self, refresh_token: &str) -> Vec<(&'static str, String)> {
        let mut form = self.password_form();
        "refresh_token".clone_into(&mut form[0].1);
        form.truncate(3);
        form.push(("refresh_token", refresh_token.to_owned()));
        form
    }

    pub fn token_url(&self) -> String {
        format!(
            "{}/realms/{}/protocol/openid-connect/token",
            self.profile.idp_url, self.profile.realm
        )
    }

    pub async fn sign_in(&self, form: &[(&str, String)]) -> (u16, Value) {
        let response = self
            .http
            .post(self.token_url())
            .form(form)
            .send()
            .await
            .unwrap();
        (
            response.status().as_u16(),
            serde_json::from_slice(&response.bytes().await.unwrap()).unwrap(),
        )
    }

    /// Posts any body with the headers of 4.1.
    pub async fn post(&self, body: impl Into<reqwest::Body>) -> (u16, Value) {
        let mut request = self
            .http
            .post(format!("{}/v2/rpc", self.profile.base_url))
            .header("content-type", "application/json")
            .header("authorization", format!("Bearer {}", self.token));
        if let Some(project) = self.project {
            request = request.header("project-id", project);
        }
        if let Some(sub) = self.sub {
            request = request.header("subproject-id", sub);
        }
        let response = request.body(body).send().await.unwrap();
        let status = response.status().as_u16();
        (
            status,
            serde_json::from_slice(&response.bytes().await.unwrap()).unwrap_or_default(),
        )
    }

    pub async fn call(&self, method: &str, params: Value) -> Value {
        let body = json!({ "jsonrpc": "2.0", "id": "op-1", "method": method, "params": params });
        let (status, answer) = self.post(body.to_string()).await;
        assert_eq!(status, 200, "{answer}");
        assert_eq!(answer["jsonrpc"], "2.0");
        assert_eq!(answer["id"], "op-1");
        answer
    }

    /// The result of a call that must succeed.
    pub async fn ok(&self, method: &str, params: Value) -> Value {
        let mut answer = self.call(method, params).await;
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].take()
    }

    /// A call that must fail with this code, and the shape of an error.
    pub async fn refuses(&self, method: &str, params: Value, expected: i64) {
        let told = format!("{method} {params}");
        let answer = self.call(method, params).await;
        assert!(answer.get("result").is_none(), "{told}: {answer}");
        assert_eq!(code(&answer), expected, "{told}: {answer}");
    }

    pub async fn size(&self) -> u64 {
        let list = self.ok("LIST_TEST_RUNS", json!({})).await;
        list["result"]["fullSize"].as_u64().unwrap()
    }

    pub async fn all(&self, method: &str, sort: Value, filter: Value) -> Vec<Value> {
        let mut entries: Vec<Value> = Vec::new();
        loop {
            let page = json!({ "offset": entries.len(), "limit": 37 });
            let mut params = json!({ "page": page, "sort": sort, "filter": filter });
            if method == "LIST_DOCUMENTS" {
                params["documentModelName"] = json!("TestRun-dm");
            }
            let mut result = self.ok(method, params).await;
            if method == "LIST_TEST_RUNS" {
                result = result["result"].take();
            }
            let full = result["fullSize"].as_u64().unwrap();
            let Value::Array(more) = result["entries"].take() else {
                panic!("no entries")
            };
            let last = more.is_empty();
            entries.extend(more);
            if last {
                assert_eq!(entries.len() as u64, full);
                return entries;
            }
        }
    }

    /// All runs that a filter leaves.
    pub async fn runs(&self, filter: Value) -> Vec<Value> {
        self.all("LIST_TEST_RUNS", json!([]), filter).await
    }

    /// A fresh run in `P_9`, `SP_1`, 1.2.1, without suites.
    pub async fn new_run(&self) -> String {
        let params = json!({ "document": new_document(), "documentModelName": "TestRun-dm", "locale": "en" });
        self.ok("ADD_DOCUMENT", params).await["docRef"]
            .as_str()
            .unwrap()
            .to_owned()
    }
}

pub fn code(answer: &Value) -> i64 {
    let error = &answer["error"];
    assert!(error["message"].is_string(), "{answer}");
    for member in ["level", "title", "description", "timestamp", "logId"] {
        assert!(!error["data"][member].is_null(), "{member} in {answer}");
    }
    error["code"].as_i64().unwrap()
}

pub fn new_document() -> Value {
    json!({ "Root": {
        "General": {
            "ProjectId": "P_9", "ProjectVersionNumber": "1.2.1", "SubprojectId": "SP_1", "Status": "active",
            "Title": "A new run", "Configuration": "manual", "Description": "made by a test"
        },
        "Attachments": []
    }})
}

/// The text at a path such as `document.Root.General.Title`.
pub fn at<'v>(value: &'v Value, path: &str) -> &'v Value {
    path.split('.').fold(value, |value, name| &value[name])
}

pub fn refs(entries: &[Value]) -> Vec<&str> {
    entries
        .iter()
        .map(|entry| entry["docRef"].as_str().unwrap())
        .collect()
}

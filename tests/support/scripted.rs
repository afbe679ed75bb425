//! A server on this machine that answers by a script and keeps what it was sent.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, Response, Uri};
use serde_json::{Value, json};

/// A request as it came.
#[derive(Clone, Debug)]
pub struct Seen {
    pub path: String,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

impl Seen {
    pub fn is_token(&self) -> bool {
        self.path.ends_with("/protocol/openid-connect/token")
    }

    pub fn form(&self) -> HashMap<String, String> {
        url::form_urlencoded::parse(&self.body)
            .into_owned()
            .collect()
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    pub fn id(&self) -> String {
        self.json()["id"].as_str().unwrap().to_owned()
    }

    pub fn method(&self) -> String {
        self.json()["method"].as_str().unwrap().to_owned()
    }

    pub fn bearer(&self) -> String {
        self.headers["authorization"]
            .to_str()
            .unwrap()
            .strip_prefix("Bearer ")
            .unwrap()
            .to_owned()
    }
}

/// What the script says to a request.
pub struct Say {
    pub status: u16,
    pub headers: Vec<(&'static str, String)>,
    pub body: Body,
    pub after: Duration,
}

impl Say {
    pub fn bytes(status: u16, body: impl Into<Vec<u8>>) -> Self {
        Self {
            status,
            headers: Vec::new(),
            body: Body::from(body.into()),
            after: Duration::ZERO,
        }
    }

    pub fn json(status: u16, body: &Value) -> Self {
        Self::bytes(status, body.to_string())
    }

    /// A JSON-RPC answer to `seen`.
    pub fn result(seen: &Seen, result: &Value) -> Self {
        Self::json(
            200,
            &json!({"jsonrpc": "2.0", "id": seen.id(), "result": result}),
        )
    }

    pub fn header(mut self, name: &'static str, value: &str) -> Self {
        self.headers.push((name, value.to_owned()));
        self
    }

    pub fn after(mut self, after: Duration) -> Self {
        self.after = after;
        self
    }
}

/// A token answer (5.1) whose tokens carry `number`.
pub fn tokens(number: usize, expires_in: i64) -> Say {
    Say::json(
        200,
        &json!({
            "access_token": format!("canary-access-{number}"), "expires_in": expires_in, "refresh_expires_in": 1800,
            "refresh_token": format!("canary-refresh-{number}"), "token_type": "Bearer", "not-before-policy": 0,
            "session_state": "7a0e6d0c-4f0e-4f5e-9d4c-1c9bb1f0b6a1", "scope": "profile email"
        }),
    )
}

/// The server; it ends with the runtime of the test.
pub struct Scripted {
    pub base: String,
    seen: Arc<Mutex<Vec<Seen>>>,
}

impl Scripted {
    /// `script` is asked with the request and how many of its sort (token or rpc) came before it.
    pub async fn start(script: impl Fn(&Seen, usize) -> Say + Send + Sync + 'static) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let seen: Arc<Mutex<Vec<Seen>>> = Arc::default();
        let (script, kept) = (Arc::new(script), Arc::clone(&seen));
        let app = axum::Router::new().fallback(move |uri: Uri, headers: HeaderMap, body: Bytes| {
            let request = Seen {
                path: uri.path().to_owned(),
                headers,
                body: body.to_vec(),
            };
            let mut kept = kept.lock().unwrap();
            let before = kept
                .iter()
                .filter(|other| other.is_token() == request.is_token())
                .count();
            kept.push(request.clone());
            let say = script(&request, before);
            async move {
                tokio::time::sleep(say.after).await;
                let mut response = Response::builder().status(say.status);
                for (name, value) in say.headers {
                    response = response.header(name, value);
                }
                response.body(say.body).unwrap()
            }
        });
        tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
        Self { base, seen }
    }

    /// Answers token requests with numbered tokens good for an hour, and calls by `script`.
    pub async fn service(script: impl Fn(&Seen, usize) -> Say + Send + Sync + 'static) -> Self {
        Self::start(move |seen, before| {
            if seen.is_token() {
                tokens(before, 3600)
            } else {
                script(seen, before)
            }
        })
        .await
    }

    pub fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }

    pub fn token_requests(&self) -> Vec<Seen> {
        self.seen().into_iter().filter(Seen::is_token).collect()
    }

    pub fn calls(&self) -> Vec<Seen> {
        self.seen()
            .into_iter()
            .filter(|seen| !seen.is_token())
            .collect()
    }
}

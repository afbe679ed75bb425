//! The HTTP side: addresses, headers, statuses.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{HeaderMap, HeaderValue, Response, StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::post;
use serde_json::{Value, json};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use super::database::Database;
use super::envelope;
use super::operations::{Caller, Rules};
use super::sign_in::{self, Accounts};
use super::tokens::{Kind, Tokens};

/// A larger body of a call is refused with status 413.
const LARGEST_CALL: usize = 1 << 20;
/// The same of a sign-in, which needs no secret to be sent.
const LARGEST_SIGN_IN: usize = 64 << 10;

/// What every request reaches.
pub struct App {
    /// The data.
    pub database: Database,
    /// Who may sign in.
    pub accounts: Accounts,
    /// Issues and checks tokens.
    pub tokens: Tokens,
    /// Pause before every answer.
    pub latency: Duration,
    /// Choices of whoever started the service.
    pub rules: Rules,
    /// Calls that may use the database at once; the others wait without holding a thread.
    pub turns: Semaphore,
    /// Cancelled when the service stops.
    pub stopping: CancellationToken,
}

/// The service stops while a request waits.
#[derive(Debug, Clone, Copy)]
pub struct Stopping;

impl App {
    /// Waits as long as the network of the options would; a stop cuts it short.
    pub async fn pause(&self) -> Result<(), Stopping> {
        if self.latency.is_zero() {
            return Ok(());
        }
        tokio::select! {
            () = tokio::time::sleep(self.latency) => Ok(()),
            () = self.stopping.cancelled() => Err(Stopping),
        }
    }
}

/// The two addresses of the interface (4, 5.1).
pub fn router(app: Arc<App>) -> Router {
    Router::new()
        .route(
            "/api/v2/rpc",
            post(rpc).layer(DefaultBodyLimit::max(LARGEST_CALL)),
        )
        .route(
            "/realms/{realm}/protocol/openid-connect/token",
            post(sign_in::token).layer(DefaultBodyLimit::max(LARGEST_SIGN_IN)),
        )
        .fallback(|| async {
            json_response(
                StatusCode::NOT_FOUND,
                &json!({ "error": "No such address" }),
            )
        })
        .with_state(app)
}

/// `POST /api/v2/rpc`.
async fn rpc(State(app): State<Arc<App>>, headers: HeaderMap, body: Bytes) -> Response<Body> {
    if app.pause().await.is_err() {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    }
    let caller = match caller(&app, &headers) {
        Ok(caller) => caller,
        Err(reason) => return unauthorized(&app.accounts.realm, reason),
    };
    if media_type(&headers) != Some("application/json".to_owned()) {
        let refused = json!({ "error": "Content-Type must be application/json" });
        return json_response(StatusCode::UNSUPPORTED_MEDIA_TYPE, &refused);
    }
    let Ok(_turn) = app.turns.acquire().await else {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    };
    let work = Arc::clone(&app);
    match tokio::task::spawn_blocking(move || envelope::answer(&work, &caller, &body)).await {
        Ok(answer) => bytes_response(StatusCode::OK, answer),
        Err(_) => json_response(
            StatusCode::INTERNAL_SERVER_ERROR,
            &json!({ "error": "The call broke off" }),
        ),
    }
}

/// Who calls, and for which project.
fn caller(app: &App, headers: &HeaderMap) -> Result<Caller, Option<&'static str>> {
    let text = |name: &str| {
        headers
            .get(name)
            .and_then(|value| value.to_str().ok())
            .map(str::trim)
    };
    let authorization = text("authorization").ok_or(None)?;
    let token = authorization
        .split_once(' ')
        .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"))
        .map(|(_, token)| token.trim())
        .ok_or(None)?;
    let claims = app
        .tokens
        .check(token, Kind::Bearer)
        .map_err(|_| Some("Token verification failed"))?;
    Ok(Caller {
        user: claims.username().to_owned(),
        project: text("project-id").map(str::to_owned),
        sub: text("subproject-id").map(str::to_owned),
    })
}

/// Status 401, with the reason unless no token was sent at all.
fn unauthorized(realm: &str, reason: Option<&str>) -> Response<Body> {
    let (challenge, body) = match reason {
        None => (
            format!("Bearer realm=\"{realm}\""),
            json!({ "error": "unauthorized" }),
        ),
        Some(reason) => (
            format!(
                "Bearer realm=\"{realm}\", error=\"invalid_token\", error_description=\"{reason}\""
            ),
            json!({ "error": "invalid_token", "error_description": reason }),
        ),
    };
    let mut response = json_response(StatusCode::UNAUTHORIZED, &body);
    if let Ok(challenge) = HeaderValue::from_str(&challenge) {
        response
            .headers_mut()
            .insert(header::WWW_AUTHENTICATE, challenge);
    }
    response
}

/// The media type without its parameters, in lower case.
pub fn media_type(headers: &HeaderMap) -> Option<String> {
    let value = headers.get(header::CONTENT_TYPE)?.to_str().ok()?;
    value
        .split(';')
        .next()
        .map(|media_type| media_type.trim().to_ascii_lowercase())
}

/// A small JSON answer.
pub fn json_response(status: StatusCode, body: &Value) -> Response<Body> {
    bytes_response(status, body.to_string().into_bytes())
}

fn bytes_response(status: StatusCode, body: Vec<u8>) -> Response<Body> {
    let json = HeaderValue::from_static("application/json");
    (status, [(header::CONTENT_TYPE, json)], body).into_response()
}

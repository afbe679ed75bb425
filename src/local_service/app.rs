//! What every request reaches, and how it is answered.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, HeaderValue, Response, StatusCode, header};
use axum::response::IntoResponse;
use secrecy::SecretString;
use serde_json::Value;
use tokio::sync::Semaphore;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::database::Database;
use super::operations::Rules;
use super::tokens::Tokens;

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
    /// For headers and body of a request each.
    pub request_timeout: Duration,
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

/// A body that came whole and in time.
pub struct Whole(pub Bytes);

impl FromRequest<Arc<App>> for Whole {
    type Rejection = Response<Body>;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, Response<Body>> {
        match timeout(app.request_timeout, Bytes::from_request(request, app)).await {
            Ok(body) => body.map(Self).map_err(IntoResponse::into_response),
            Err(_) => Err(StatusCode::REQUEST_TIMEOUT.into_response()),
        }
    }
}

/// Who may sign in, and how often it went wrong.
pub struct Accounts {
    /// Realm of the token address.
    pub realm: String,
    /// The only client.
    pub client_id: String,
    pub client_secret: SecretString,
    /// The only user.
    pub username: String,
    /// The user's password.
    pub password: SecretString,
    /// Wrong passwords in a row; a restart forgets them.
    pub wrong: Mutex<u32>,
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

pub fn bytes_response(status: StatusCode, body: Vec<u8>) -> Response<Body> {
    let json = HeaderValue::from_static("application/json");
    (status, [(header::CONTENT_TYPE, json)], body).into_response()
}

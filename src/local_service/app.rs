//! Shared state of all requests, and the form of the answers.

use axum::body::{Body, Bytes};
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, HeaderValue, Response, StatusCode, header};
use tokio::sync::Semaphore;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::operations::Rules;
use super::prelude::*;
use super::tokens::Tokens;

/// Shared state of all requests.
pub struct App {
    pub database: Database,
    pub accounts: Accounts,
    pub tokens: Tokens,
    /// Pause before each answer.
    pub latency: Duration,
    /// Time limit, once for the headers and once for the body of a request.
    pub request_timeout: Duration,
    pub rules: Rules,
    /// Limits the calls that use the database at once; the others wait without a thread.
    pub turns: Semaphore,
    /// Cancelled when the service stops.
    pub stopping: CancellationToken,
}

/// Error of a request that waits while the service stops.
#[derive(Debug, Clone, Copy)]
pub struct Stopping;

impl App {
    /// Waits for the configured latency, or fails when the service stops.
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

/// A body that arrived completely and in time.
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

/// Accepted client and user, with the failed sign-ins.
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
    /// Number of wrong passwords in a row; lost at a restart.
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

/// JSON answer of a small value.
pub fn json_response(status: StatusCode, body: &Value) -> Response<Body> {
    bytes_response(status, body.to_string().into_bytes())
}

pub fn bytes_response(status: StatusCode, body: Vec<u8>) -> Response<Body> {
    let json = HeaderValue::from_static("application/json");
    (status, [(header::CONTENT_TYPE, json)], body).into_response()
}

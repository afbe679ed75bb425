//! HTTP: addresses, headers, statuses.

use axum::Router;
use axum::body::Body;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{HeaderMap, HeaderValue, Response, StatusCode, header};
use axum::routing::post;

use super::app::{App, Whole, bytes_response, json_response, media_type};
use super::envelope;
use super::operations::Caller;
use super::prelude::*;
use super::sign_in;
use super::tokens::Kind;

/// Maximum number of bytes of a call; larger ones are refused with status 413.
const LARGEST_CALL: usize = 1 << 20;
/// Maximum number of bytes of a sign-in, which anyone can send.
const LARGEST_SIGN_IN: usize = 64 << 10;

/// Routes of the two addresses of the interface (4, 5.1).
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
async fn rpc(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    Whole(body): Whole,
) -> Response<Body> {
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

/// User and project of a request.
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

/// Status 401 with the reason, unless no token was sent.
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

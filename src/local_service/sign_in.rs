//! Token endpoint (5.1, 5.3), which answers like Keycloak.

use std::collections::HashMap;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Response;

use super::app::{Accounts, App, Whole, json_response, media_type};
use super::prelude::*;
use super::tokens::{Kind, NotSigned, Refusal, Tokens};

/// Number of wrong passwords in a row that locks the account.
const MOST_WRONG: u32 = 10;

/// Refusal: status, `error`, `error_description`.
type Refused = (StatusCode, &'static str, &'static str);

const BAD_CLIENT: &str = "Invalid client or Invalid client credentials";
const BAD_USER: &str = "Invalid user credentials";

/// `POST /realms/{realm}/protocol/openid-connect/token`.
pub async fn token(
    State(app): State<Arc<App>>,
    Path(realm): Path<String>,
    headers: HeaderMap,
    Whole(body): Whole,
) -> Response {
    if app.pause().await.is_err() {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    }
    if realm != app.accounts.realm {
        return json_response(
            StatusCode::NOT_FOUND,
            &json!({ "error": "Realm does not exist" }),
        );
    }
    if media_type(&headers) != Some("application/x-www-form-urlencoded".to_owned()) {
        let refused = json!({ "error": "HTTP 415 Unsupported Media Type" });
        return json_response(StatusCode::UNSUPPORTED_MEDIA_TYPE, &refused);
    }
    let answer = form(&body).and_then(|form| grant(&app.accounts, &app.tokens, &form));
    let mut response = match answer {
        Ok(tokens) => json_response(StatusCode::OK, &tokens),
        Err((status, error, description)) => json_response(
            status,
            &json!({ "error": error, "error_description": description }),
        ),
    };
    response.headers_mut().insert(
        header::CACHE_CONTROL,
        header::HeaderValue::from_static("no-store"),
    );
    response
}

/// Form parameters; none may be given twice.
fn form(body: &[u8]) -> Result<HashMap<String, String>, Refused> {
    let mut form = HashMap::new();
    for (name, value) in url::form_urlencoded::parse(body) {
        if form.insert(name.into_owned(), value.into_owned()).is_some() {
            return Err((
                StatusCode::BAD_REQUEST,
                "invalid_request",
                "duplicated parameter",
            ));
        }
    }
    Ok(form)
}

fn grant(
    accounts: &Accounts,
    tokens: &Tokens,
    form: &HashMap<String, String>,
) -> Result<Value, Refused> {
    let parameter = |name: &str| form.get(name).map(String::as_str);
    let grant_type = parameter("grant_type").ok_or((
        StatusCode::BAD_REQUEST,
        "invalid_request",
        "Missing form parameter: grant_type",
    ))?;
    if parameter("client_id") != Some(&accounts.client_id) {
        return Err((StatusCode::UNAUTHORIZED, "invalid_client", BAD_CLIENT));
    }
    if parameter("client_secret") != Some(accounts.client_secret.expose_secret()) {
        return Err((StatusCode::UNAUTHORIZED, "unauthorized_client", BAD_CLIENT));
    }
    let session = match grant_type {
        "password" => {
            accounts.check_password(parameter("username"), parameter("password"))?;
            None
        }
        "refresh_token" => Some(refreshed(tokens, parameter("refresh_token"))?),
        _ => {
            return Err((
                StatusCode::BAD_REQUEST,
                "unsupported_grant_type",
                "Unsupported grant_type",
            ));
        }
    };
    let failed = (
        StatusCode::INTERNAL_SERVER_ERROR,
        "server_error",
        "The token could not be signed",
    );
    tokens.issue(session.as_deref()).map_err(|NotSigned| failed)
}

/// Session of a valid refresh token.
fn refreshed(tokens: &Tokens, token: Option<&str>) -> Result<String, Refused> {
    let token = token.ok_or((
        StatusCode::BAD_REQUEST,
        "invalid_request",
        "No refresh token",
    ))?;
    match tokens.check(token, Kind::Refresh) {
        Ok(claims) => Ok(claims.session().to_owned()),
        Err(Refusal::Expired) => Err((
            StatusCode::BAD_REQUEST,
            "invalid_grant",
            "Token is not active",
        )),
        Err(Refusal::Invalid) => Err((
            StatusCode::BAD_REQUEST,
            "invalid_grant",
            "Invalid refresh token",
        )),
    }
}

impl Accounts {
    /// Checks the password; after ten wrong ones in a row even the right one is refused.
    fn check_password(
        &self,
        username: Option<&str>,
        password: Option<&str>,
    ) -> Result<(), Refused> {
        let username = username.ok_or((
            StatusCode::UNAUTHORIZED,
            "invalid_request",
            "Missing parameter: username",
        ))?;
        if username != self.username {
            return Err((StatusCode::UNAUTHORIZED, "invalid_grant", BAD_USER));
        }
        let mut wrong = unpoisoned(&self.wrong);
        if *wrong >= MOST_WRONG {
            return Err((StatusCode::BAD_REQUEST, "invalid_grant", "Account disabled"));
        }
        if password != Some(self.password.expose_secret()) {
            *wrong += 1;
            return Err((StatusCode::UNAUTHORIZED, "invalid_grant", BAD_USER));
        }
        *wrong = 0;
        Ok(())
    }
}

//! The two grants of section 5, encoded and decoded by the `oauth2` crate over our own HTTP client.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use oauth2::basic::{BasicClient, BasicErrorResponse, BasicTokenResponse};
use oauth2::{
    AuthType, ClientId, ClientSecret, HttpRequest, HttpResponse, RefreshToken, RequestTokenError,
    ResourceOwnerPassword, ResourceOwnerUsername, TokenResponse, TokenUrl,
};
use secrecy::{ExposeSecret, SecretString};

use super::exchange::{HttpAnswer, NetworkFault, hide, place, send};
use super::token::{Lifetime, header};
use super::{AuthError, Identity};
use crate::domain::{EXCERPT, excerpt, lock};

/// Most bytes of a token answer; usual are a few kilobytes.
const BODY_LIMIT: usize = 1 << 20;
/// Longest lifetime; keeps sums of times in range.
const LONGEST: Duration = Duration::from_hours(366 * 24);

/// The credentials of a token request.
pub enum Grant<'a> {
    Password {
        username: &'a str,
        password: &'a SecretString,
    },
    Refresh {
        token: &'a SecretString,
    },
}

/// Tokens received.
pub struct Tokens {
    pub access: SecretString,
    pub refresh: Option<SecretString>,
    pub life: Lifetime,
}

/// Sends one token request, once.
pub async fn ask(
    http: &reqwest::Client,
    identity: &Identity,
    grant: Grant<'_>,
) -> Result<Tokens, AuthError> {
    let url = TokenUrl::from_url(identity.token_url()?);
    let mut client = BasicClient::new(ClientId::new(identity.client_id.clone()))
        .set_auth_type(AuthType::RequestBody)
        .set_token_uri(url);
    if let Some(secret) = &identity.client_secret {
        client = client.set_client_secret(ClientSecret::new(secret.expose_secret().to_owned()));
    }
    // Counted from before the request: a slow answer makes a token older, never younger.
    let asked = Lifetime::starting_now(Duration::ZERO);
    let seen = Arc::new(Mutex::new(None));
    let bridge = |request: HttpRequest| send_request(http.clone(), request, Arc::clone(&seen));
    let outcome = match &grant {
        Grant::Password { username, password } => {
            let username = ResourceOwnerUsername::new((*username).to_owned());
            let password = ResourceOwnerPassword::new(password.expose_secret().to_owned());
            client
                .exchange_password(&username, &password)
                .request_async(&bridge)
                .await
        }
        Grant::Refresh { token } => {
            let token = RefreshToken::new(token.expose_secret().to_owned());
            client
                .exchange_refresh_token(&token)
                .request_async(&bridge)
                .await
        }
    };
    let answer = lock(&seen).take();
    let reading = TokenAnswer {
        answer,
        place: place(&identity.idp_url),
        realm: &identity.realm,
        secrets: secrets(identity, &grant),
        renews: matches!(grant, Grant::Refresh { .. }),
    };
    match outcome {
        Ok(response) => reading.tokens(&response, asked),
        Err(RequestTokenError::ServerResponse(error)) => Err(reading.refused(&error)),
        Err(RequestTokenError::Request(fault)) => Err(AuthError::Network(fault)),
        Err(RequestTokenError::Parse(error, _)) => {
            Err(reading.unreadable(&error.path().to_string()))
        }
        Err(RequestTokenError::Other(_)) => Err(reading.odd("an empty body")),
    }
}

/// Sends a request of the `oauth2` crate with our client, and keeps the answer for details that the crate drops.
async fn send_request(
    http: reqwest::Client,
    request: HttpRequest,
    seen: Arc<Mutex<Option<HttpAnswer>>>,
) -> Result<HttpResponse, NetworkFault> {
    let request = reqwest::Request::try_from(request).map_err(|error| {
        NetworkFault::Unsendable(excerpt(&error.without_url().to_string(), EXCERPT))
    })?;
    let answer = send(&http, request, BODY_LIMIT).await?;
    let mut response = HttpResponse::new(answer.body.clone());
    *response.status_mut() = oauth2::http::StatusCode::from_u16(answer.status).unwrap_or_default();
    *lock(&seen) = Some(answer);
    Ok(response)
}

fn secrets<'a>(identity: &'a Identity, grant: &Grant<'a>) -> Vec<&'a str> {
    let mut secrets: Vec<&str> = identity
        .client_secret
        .iter()
        .map(ExposeSecret::expose_secret)
        .collect();
    secrets.push(match grant {
        Grant::Password { password, .. } => password.expose_secret(),
        Grant::Refresh { token } => token.expose_secret(),
    });
    secrets
}

/// Converts an answer into tokens, or an error that shows no secret.
struct TokenAnswer<'a> {
    place: String,
    realm: &'a str,
    answer: Option<HttpAnswer>,
    secrets: Vec<&'a str>,
    /// Answer to a refresh token.
    renews: bool,
}

impl TokenAnswer<'_> {
    fn tokens(&self, response: &BasicTokenResponse, asked: Lifetime) -> Result<Tokens, AuthError> {
        let access = response.access_token().secret();
        if access.is_empty() || header(access).is_none() {
            return Err(self.odd("access_token holds nothing that can be sent in a header"));
        }
        let lasts = match response.expires_in() {
            Some(lasts) if !lasts.is_zero() => lasts.min(LONGEST),
            // Keycloak answers so in the last second of a session of maximum age.
            Some(_) if self.renews => {
                return Err(AuthError::Refused {
                    status: self.status(),
                    error: "expires_in is 0".into(),
                    description: "the session has come to its end".into(),
                });
            }
            Some(_) => return Err(self.unusable("expires_in is 0")),
            None => return Err(self.unusable("expires_in is missing")),
        };
        let refresh = response
            .refresh_token()
            .filter(|token| !token.secret().is_empty());
        Ok(Tokens {
            access: access.clone().into(),
            refresh: refresh.map(|token| token.secret().clone().into()),
            life: Lifetime { lasts, ..asked },
        })
    }

    /// Handles an error in JSON. Only 400 and 401 with an error code are a refusal and quoted; with another status the
    /// sender is a gateway, or the state will pass.
    fn refused(&self, error: &BasicErrorResponse) -> AuthError {
        let (status, code) = (self.status(), error.error().as_ref());
        let is_code = code
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
        let passing = ["temporarily_unavailable", "server_error", "slow_down"].contains(&code);
        if ![400, 401].contains(&status) || !is_code || passing {
            let code = if is_code {
                self.quoted(code)
            } else {
                String::new()
            };
            return self.odd(format!("an error that is no refusal {code}").trim_end());
        }
        AuthError::Refused {
            status,
            error: self.quoted(code),
            description: self.quoted(error.error_description().map_or("", String::as_str)),
        }
    }

    /// Handles an answer unreadable at `path`. The words of the parser may quote a token and are dropped.
    fn unreadable(&self, path: &str) -> AuthError {
        let body = self.answer.as_ref().map_or(&[][..], |answer| &answer.body);
        // Some providers answer 200 to a refusal.
        if let Ok(error) = serde_json::from_slice::<BasicErrorResponse>(body) {
            return self.refused(&error);
        }
        if body.trim_ascii().is_empty() {
            return self.odd("an empty body");
        }
        match serde_json::from_slice::<serde_json::Value>(body) {
            Ok(serde_json::Value::Object(members)) if members.contains_key("access_token") => {
                if !members.contains_key("token_type") {
                    return self.unusable("token_type is missing");
                }
                // Of an answer only the names of known members are shown.
                let known = ["token_type", "expires_in", "refresh_token", "scope"];
                match known.into_iter().find(|name| *name == path) {
                    Some(member) => self.unusable(&format!("{member} is not as expected")),
                    None => self.odd("access_token is not as expected"),
                }
            }
            Ok(serde_json::Value::Object(_)) if self.status() == 200 => {
                self.odd("access_token is missing")
            }
            Ok(_) => self.odd("neither a token nor an OAuth 2.0 error"),
            Err(_) => self.odd("no JSON"),
        }
    }

    /// Returns an error about a token that came without what it takes to use it.
    fn unusable(&self, what: &str) -> AuthError {
        AuthError::Unusable {
            place: self.place.clone(),
            status: self.status(),
            what: what.to_owned(),
        }
    }

    /// Returns an error that quotes nothing of the answer: it may hold the request, or new tokens.
    fn odd(&self, what: &str) -> AuthError {
        let leads_to = || self.answer.as_ref()?.leads_to.as_ref().map(place);
        AuthError::Odd {
            place: self.place.clone(),
            status: self.status(),
            what: match self.status() {
                404 => self.realm.to_owned(),
                300..=399 => leads_to().unwrap_or_default(),
                _ => what.to_owned(),
            },
            retry_after: self.answer.as_ref().and_then(|answer| answer.retry_after),
        }
    }

    /// Returns the first words, without secrets in plain or form-encoded spelling.
    fn quoted(&self, text: &str) -> String {
        let spelled =
            |secret: &&str| url::form_urlencoded::byte_serialize(secret.as_bytes()).collect();
        let sent: Vec<String> = self.secrets.iter().map(spelled).collect();
        let sent: Vec<&str> = sent.iter().map(String::as_str).collect();
        excerpt(&hide(&hide(text, &self.secrets), &sent), EXCERPT)
    }

    fn status(&self) -> u16 {
        self.answer.as_ref().map_or(0, |answer| answer.status)
    }
}

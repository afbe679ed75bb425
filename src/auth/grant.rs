//! The two grants of section 5: a form out, tokens or an OAuth 2.0 error back.

use std::time::Duration;

use reqwest::header::ACCEPT;
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;

use super::exchange::{HttpAnswer, NetworkFault, hide, place, send};
use super::token::{Lifetime, header};
use super::{AuthError, Identity};
use crate::domain::{EXCERPT, excerpt};

/// A token answer is a few kilobytes.
const BODY_LIMIT: usize = 1 << 20;
/// Nothing lives longer; keeps sums of times within their range.
const LONGEST: Duration = Duration::from_hours(366 * 24);

/// What is handed in for tokens.
pub(super) enum Grant<'a> {
    Password {
        username: &'a str,
        password: &'a SecretString,
    },
    Refresh {
        token: &'a SecretString,
    },
}

/// What comes back.
pub(super) struct Tokens {
    pub access: SecretString,
    pub refresh: Option<SecretString>,
    pub life: Lifetime,
}

impl<'a> Grant<'a> {
    fn form(&self, identity: &'a Identity) -> Vec<(&'static str, &'a str)> {
        let mut form = match self {
            Self::Password { username, password } => vec![
                ("grant_type", "password"),
                ("username", *username),
                ("password", password.expose_secret()),
            ],
            Self::Refresh { token } => vec![
                ("grant_type", "refresh_token"),
                ("refresh_token", token.expose_secret()),
            ],
        };
        form.push(("client_id", &identity.client_id));
        let secret = identity.client_secret.as_ref();
        form.extend(secret.map(|secret| ("client_secret", secret.expose_secret())));
        form
    }
}

/// Sends one token request, once.
pub(super) async fn ask(
    http: &reqwest::Client,
    identity: &Identity,
    grant: Grant<'_>,
) -> Result<Tokens, AuthError> {
    let form = grant.form(identity);
    let request = http.post(identity.token_url()?);
    let request = request.header(ACCEPT, "application/json").form(&form);
    let request = request.build().map_err(|error| {
        let why = excerpt(&error.without_url().to_string(), EXCERPT);
        AuthError::Network(NetworkFault::Unsendable(why))
    })?;
    // Counted from before the request: a slow answer makes a token older, never younger.
    let asked = Lifetime::starting_now(Duration::ZERO);
    let answer = send(http, request, BODY_LIMIT).await;
    let HttpAnswer { status, body, .. } = answer.map_err(AuthError::Network)?;
    let is_secret = |name: &str| ["password", "refresh_token", "client_secret"].contains(&name);
    let secrets = form.into_iter().filter(|(name, _)| is_secret(name));
    let reading = Reading {
        place: place(&identity.idp_url),
        status,
        secrets: secrets.map(|(_, secret)| secret).collect(),
        renews: matches!(grant, Grant::Refresh { .. }),
    };
    reading.read(&body, asked)
}

/// Turns what came into tokens or an error that shows no secret.
struct Reading<'a> {
    place: String,
    status: u16,
    secrets: Vec<&'a str>,
    /// It answers a refresh token.
    renews: bool,
}

type Fits = fn(&Value) -> bool;

/// The members of a token answer, with what each may be.
const MEMBERS: [(&str, Fits); 5] = [
    ("access_token", Value::is_string),
    ("token_type", Value::is_string),
    ("expires_in", |it| it.is_null() || it.is_u64()),
    ("refresh_token", |it| it.is_null() || it.is_string()),
    ("scope", |it| it.is_null() || it.is_string()),
];

impl Reading<'_> {
    fn read(&self, body: &[u8], asked: Lifetime) -> Result<Tokens, AuthError> {
        if body.trim_ascii().is_empty() {
            return Err(self.odd("an empty body"));
        }
        let answer: Value = serde_json::from_slice(body).map_err(|_| self.odd("no JSON"))?;
        let mut members = MEMBERS.iter();
        let unfit = members.find(|(name, fits)| self.status != 200 || !fits(&answer[*name]));
        let Some((unfit, _)) = unfit else {
            return self.tokens(&answer, asked);
        };
        // Some providers answer 200 to a refusal.
        if let Some(code) = answer["error"].as_str() {
            return Err(self.refused(code, answer["error_description"].as_str()));
        }
        Err(if answer.get("access_token").is_some() {
            self.odd(&format!("{unfit} is not as expected"))
        } else if answer.is_object() && self.status == 200 {
            self.odd("access_token is missing")
        } else {
            self.odd("neither a token nor an OAuth 2.0 error")
        })
    }

    fn tokens(&self, answer: &Value, asked: Lifetime) -> Result<Tokens, AuthError> {
        let text = |name: &str| answer[name].as_str().unwrap_or_default();
        let (access, refresh) = (text("access_token"), text("refresh_token"));
        if access.is_empty() || header(access).is_none() {
            return Err(self.odd("access_token holds nothing that can be sent in a header"));
        }
        let lasts = match answer["expires_in"].as_u64() {
            // Keycloak's answer in the last second of a session that may not get older.
            Some(0) if self.renews => {
                return Err(AuthError::Refused {
                    status: self.status,
                    error: "expires_in is 0".into(),
                    description: "the session has come to its end".into(),
                });
            }
            Some(0) => return Err(self.odd("expires_in is 0")),
            Some(seconds) => Duration::from_secs(seconds).min(LONGEST),
            None => return Err(self.odd("expires_in is missing")),
        };
        Ok(Tokens {
            access: access.into(),
            refresh: (!refresh.is_empty()).then(|| refresh.into()),
            life: Lifetime { lasts, ..asked },
        })
    }

    /// An error in JSON. Only 400 and 401 with an error code are a refusal, and only of these something is quoted; with
    /// another status it is a gateway that speaks, or a state that passes.
    fn refused(&self, code: &str, description: Option<&str>) -> AuthError {
        let status = self.status;
        let is_code = code
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
        let passing = ["temporarily_unavailable", "server_error", "slow_down"].contains(&code);
        if ![400, 401].contains(&status) || !is_code || passing {
            return self.odd("an error that is no refusal");
        }
        AuthError::Refused {
            status,
            error: self.quoted(code),
            description: self.quoted(description.unwrap_or_default()),
        }
    }

    /// Nothing of such an answer is quoted: it may hold what was sent, or tokens that nobody knows yet.
    fn odd(&self, what: &str) -> AuthError {
        AuthError::Odd {
            place: self.place.clone(),
            status: self.status,
            what: what.to_owned(),
        }
    }

    /// The first words, unless they hold a secret as it is or as the form spelled it.
    fn quoted(&self, text: &str) -> String {
        let spelled =
            |secret: &&str| url::form_urlencoded::byte_serialize(secret.as_bytes()).collect();
        let sent: Vec<String> = self.secrets.iter().map(spelled).collect();
        let sent: Vec<&str> = sent.iter().map(String::as_str).collect();
        excerpt(&hide(&hide(text, &self.secrets), &sent), EXCERPT)
    }
}

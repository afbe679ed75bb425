//! The two grants of section 5: a form, and an answer that is a token or a refusal (RFC 6749).

use std::time::Duration;

use reqwest::header::ACCEPT;
use secrecy::{ExposeSecret, SecretString};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::exchange::{HttpAnswer, NetworkFault, hide, place, send};
use super::token::{Lifetime, header};
use super::{AuthError, Identity};
use crate::domain::{EXCERPT, excerpt};

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
    let (mut form, renews) = match grant {
        Grant::Password { username, password } => {
            let password = ("password", password.expose_secret());
            let named = [("grant_type", "password"), ("username", username), password];
            (named.to_vec(), false)
        }
        Grant::Refresh { token } => {
            let token = ("refresh_token", token.expose_secret());
            (vec![("grant_type", "refresh_token"), token], true)
        }
    };
    let mut secrets: Vec<&str> = form.last().map(|(_, secret)| *secret).into_iter().collect();
    form.push(("client_id", &identity.client_id));
    if let Some(secret) = &identity.client_secret {
        form.push(("client_secret", secret.expose_secret()));
        secrets.push(secret.expose_secret());
    }
    let request = http.post(identity.token_url()?).form(&form);
    let request = request.header(ACCEPT, "application/json").build();
    let unsendable = |error: reqwest::Error| {
        NetworkFault::Unsendable(excerpt(&error.without_url().to_string(), EXCERPT))
    };
    let request = request.map_err(|error| AuthError::Network(unsendable(error)))?;
    // Counted from before the request: a slow answer makes a token older, never younger.
    let asked = Lifetime::starting_now(Duration::ZERO);
    let answer = send(http, request, BODY_LIMIT).await;
    let reading = Reading {
        answer: answer.map_err(AuthError::Network)?,
        place: place(&identity.idp_url),
        realm: &identity.realm,
        secrets,
        renews,
    };
    reading.tokens(asked)
}

/// Members of a token answer.
struct Received {
    access: SecretString,
    lasts: Option<u64>,
    refresh: Option<SecretString>,
}

impl Received {
    fn of(members: &Map<String, Value>) -> Result<Self, String> {
        let received = Self {
            access: member(members, "access_token")?,
            lasts: member(members, "expires_in")?,
            refresh: member(members, "refresh_token")?,
        };
        member::<String>(members, "token_type")?;
        member::<Option<String>>(members, "scope")?;
        Ok(received)
    }
}

/// Returns a member of an answer. The error quotes nothing of it.
fn member<T: DeserializeOwned>(members: &Map<String, Value>, name: &str) -> Result<T, String> {
    let value = members.get(name).cloned().unwrap_or_default();
    serde_json::from_value(value).map_err(|_| format!("{name} is not as expected"))
}

/// Converts an answer into tokens, or an error that shows no secret.
struct Reading<'a> {
    place: String,
    realm: &'a str,
    answer: HttpAnswer,
    secrets: Vec<&'a str>,
    /// Answer to a refresh token.
    renews: bool,
}

impl Reading<'_> {
    /// Reads a token from an answer 200, else a refusal from any: some providers answer 200 to that, too.
    fn tokens(&self, asked: Lifetime) -> Result<Tokens, AuthError> {
        let (body, is_ok) = (&self.answer.body, self.answer.status == 200);
        let neither = "neither a token nor an OAuth 2.0 error";
        let members: Map<String, Value> = match serde_json::from_slice(body) {
            Ok(Value::Object(members)) => members,
            Ok(_) => return Err(self.odd(neither)),
            Err(_) if body.trim_ascii().is_empty() => return Err(self.odd("an empty body")),
            Err(_) => return Err(self.odd("no JSON")),
        };
        let why = match Received::of(&members) {
            Ok(received) if is_ok => return self.usable(received, asked),
            _ if !members.contains_key("access_token") && is_ok => "access_token is missing".into(),
            _ if !members.contains_key("access_token") => neither.into(),
            Ok(_) => "access_token is not as expected".into(),
            Err(why) => why,
        };
        let code = member::<String>(&members, "error");
        let description = member::<Option<String>>(&members, "error_description");
        Err(match (code, description) {
            (Ok(code), Ok(description)) => self.refused(&code, &description.unwrap_or_default()),
            _ => self.odd(&why),
        })
    }

    fn usable(&self, received: Received, asked: Lifetime) -> Result<Tokens, AuthError> {
        let access = received.access.expose_secret();
        if access.is_empty() || header(access).is_none() {
            return Err(self.odd("access_token holds nothing that can be sent in a header"));
        }
        let lasts = match received.lasts {
            // Keycloak answers so in the last second of a session of maximum age.
            Some(0) if self.renews => {
                return Err(AuthError::Refused {
                    status: self.answer.status,
                    error: "expires_in is 0".into(),
                    description: "the session has come to its end".into(),
                });
            }
            Some(0) => return Err(self.odd("expires_in is 0")),
            Some(lasts) => Duration::from_secs(lasts).min(LONGEST),
            None => return Err(self.odd("expires_in is missing")),
        };
        let refresh = received.refresh;
        Ok(Tokens {
            access: received.access,
            refresh: refresh.filter(|token| !token.expose_secret().is_empty()),
            life: Lifetime { lasts, ..asked },
        })
    }

    /// Handles an error in JSON. Only 400 and 401 with an error code are a refusal and quoted; with another status the
    /// sender is a gateway, or the state will pass.
    fn refused(&self, code: &str, description: &str) -> AuthError {
        let status = self.answer.status;
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
            description: self.quoted(description),
        }
    }

    /// Returns an error that quotes nothing of the answer: it may hold the request, or new tokens.
    fn odd(&self, what: &str) -> AuthError {
        let (place, status) = (self.place.clone(), self.answer.status);
        let what = if status == 404 { self.realm } else { what }.to_owned();
        AuthError::Odd {
            place,
            status,
            what,
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
}

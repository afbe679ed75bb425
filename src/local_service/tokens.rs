//! Signed tokens (5): an access token for calls and a refresh token for the next pair; neither is valid as the other.
//! They are JSON web tokens with HMAC of SHA-256 (RFC 7515), like those of an identity provider.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::hmac;
use serde::Serialize;

use super::prelude::*;

/// Type of a token, the claim `typ`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    /// Access token.
    Bearer,
    /// Refresh token.
    Refresh,
}

/// Claims of a token.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Claims {
    exp: u64,
    iat: u64,
    jti: String,
    iss: String,
    typ: Kind,
    azp: String,
    sid: String,
    scope: String,
    preferred_username: String,
}

/// Reason for refusing a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// Not a token of this service, or one of the other type.
    Invalid,
    /// Expired.
    Expired,
}

/// Error of creating a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotSigned;

/// Issues and checks the tokens of one client and one user.
pub struct Tokens {
    key: hmac::Key,
    realm: String,
    client_id: String,
    username: String,
    access_seconds: u64,
    refresh_seconds: u64,
}

const HEADER: &str = r#"{"typ":"JWT","alg":"HS256"}"#;
const SCOPE: &str = "profile email";

impl Tokens {
    /// Tokens signed with `key`; (realm, client id, user name), lifetimes in seconds of (access, refresh).
    pub fn new(
        key: &SecretString,
        (realm, client_id, username): (String, String, String),
        lives: (u64, u64),
    ) -> Self {
        Self {
            key: hmac::Key::new(hmac::HMAC_SHA256, key.expose_secret().as_bytes()),
            realm,
            client_id,
            username,
            access_seconds: lives.0,
            refresh_seconds: lives.1,
        }
    }

    /// Response of 5.1 with a new pair; a renewed pair stays in its session.
    pub fn issue(&self, session: Option<&str>) -> Result<Value, NotSigned> {
        let session = match session {
            Some(session) => session.to_owned(),
            None => fresh_id()?,
        };
        Ok(json!({
            "access_token": self.sign(Kind::Bearer, self.access_seconds, &session)?,
            "expires_in": self.access_seconds,
            "refresh_expires_in": self.refresh_seconds,
            "refresh_token": self.sign(Kind::Refresh, self.refresh_seconds, &session)?,
            "token_type": "Bearer",
            "not-before-policy": 0,
            "session_state": session,
            "scope": SCOPE,
        }))
    }

    fn sign(&self, typ: Kind, seconds: u64, session: &str) -> Result<String, NotSigned> {
        let iat = now_seconds();
        let claims = Claims {
            exp: iat.saturating_add(seconds),
            iat,
            jti: fresh_id()?,
            iss: format!("/realms/{}", self.realm),
            typ,
            azp: self.client_id.clone(),
            sid: session.to_owned(),
            scope: SCOPE.to_owned(),
            preferred_username: self.username.clone(),
        };
        let claims = serde_json::to_vec(&claims).map_err(|_| NotSigned)?;
        let header = URL_SAFE_NO_PAD.encode(HEADER);
        let signed = format!("{header}.{}", URL_SAFE_NO_PAD.encode(claims));
        let signature = URL_SAFE_NO_PAD.encode(hmac::sign(&self.key, signed.as_bytes()));
        Ok(format!("{signed}.{signature}"))
    }

    /// Claims of a valid token of this type.
    pub fn check(&self, token: &str, kind: Kind) -> Result<Claims, Refusal> {
        let claims = self.signed(token).ok_or(Refusal::Invalid)?;
        let ours = claims.typ == kind
            && claims.azp == self.client_id
            && claims.preferred_username == self.username;
        if !ours || claims.iss != format!("/realms/{}", self.realm) {
            return Err(Refusal::Invalid);
        }
        if claims.exp <= now_seconds() {
            Err(Refusal::Expired)
        } else {
            Ok(claims)
        }
    }

    /// Claims of a token that was signed here.
    fn signed(&self, token: &str) -> Option<Claims> {
        let (signed, signature) = token.rsplit_once('.')?;
        let signature = URL_SAFE_NO_PAD.decode(signature).ok()?;
        hmac::verify(&self.key, signed.as_bytes(), &signature).ok()?;
        let claims = URL_SAFE_NO_PAD.decode(signed.split_once('.')?.1).ok()?;
        serde_json::from_slice(&claims).ok()
    }
}

impl Claims {
    pub fn username(&self) -> &str {
        &self.preferred_username
    }

    pub fn session(&self) -> &str {
        &self.sid
    }
}

fn fresh_id() -> Result<String, NotSigned> {
    ids::fresh().map(|id| id.to_string()).map_err(|_| NotSigned)
}

fn now_seconds() -> u64 {
    (time::now() / 1000).max(0).cast_unsigned()
}

//! Secrets of a database: random and stored in it, so that a copied profile and issued tokens are valid after a
//! restart.

use rand::TryRngCore;
use rand::rngs::OsRng;

use crate::local_service::prelude::*;

/// Key in `state` of the signing key of tokens.
pub const TOKEN_KEY: &str = "token_key";
/// Key in `state` of the client secret.
pub const CLIENT_SECRET: &str = "client_secret";
/// Key in `state` of the password.
pub const PASSWORD: &str = "password";

const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
const LENGTH: usize = 32;

/// 160 random bits as letters that are easy to distinguish.
pub fn random_text() -> Result<String, ServiceError> {
    let mut bytes = [0_u8; LENGTH];
    OsRng
        .try_fill_bytes(&mut bytes)
        .map_err(|error| ServiceError::Secrets(error.to_string()))?;
    Ok(bytes
        .iter()
        .map(|byte| char::from(LETTERS[usize::from(*byte) % LETTERS.len()]))
        .collect())
}

/// Secret stored under `key`.
pub fn load(connection: &Connection, key: &str) -> Result<SecretString, rusqlite::Error> {
    connection
        .query_row(
            "SELECT value FROM state WHERE key = ?1",
            params![key],
            |row| row.get::<_, String>(0),
        )
        .map(SecretString::from)
}

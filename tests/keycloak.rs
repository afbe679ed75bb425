//! Against a real Keycloak: what the program says and sends where the scripted providers of the other tests may be wrong.
//! Runs where `KEYCLOAK_URL` names one whose administrator is admin, with the password admin; `tests/keycloak/start.sh`
//! starts such a one, and `.ci/long` does it.
#![cfg(feature = "local-service")]

use super::{headless, support};

#[path = "keycloak/accounts.rs"]
mod accounts;
#[path = "keycloak/clocks.rs"]
mod clocks;
#[path = "keycloak/desk.rs"]
mod desk;
#[path = "keycloak/reached.rs"]
mod reached;
#[path = "keycloak/realm.rs"]
mod realm;
#[path = "keycloak/sessions.rs"]
mod sessions;

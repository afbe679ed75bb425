//! Against a real Keycloak: what the program says and sends where the scripted providers of the other tests may be wrong.
//! Runs where `KEYCLOAK_URL` names one whose administrator is admin, with the password admin; `tests/keycloak/start.sh`
//! starts such a one, and `.ci/long` does it.

use super::headless::pty;
use super::{headless, support};

mod accounts;
mod clocks;
mod desk;
#[path = "terminal/person.rs"]
mod person;
mod reached;
mod realm;
mod sessions;
mod setup;

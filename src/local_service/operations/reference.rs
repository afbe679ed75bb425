//! Document references (2.1) and the ids of links (2.6).

use crate::local_service::prelude::*;

/// `TestRun-dm/<uuid>`.
pub fn run_ref(uuid: Uuid) -> String {
    format!("{RUN_MODEL}/{uuid}")
}

/// `TestSuite-dm/<number>`.
pub fn suite_ref(number: i64) -> String {
    format!("{SUITE_MODEL}/{number}")
}

/// Id in a reference to a run.
pub fn parse_run_ref(text: &str) -> Result<Uuid, Fault> {
    id_of(text, RUN_MODEL)
        .filter(|id| id.len() == 36)
        .and_then(|id| Uuid::parse_str(id).ok())
        .ok_or_else(|| {
            Fault::invalid_reference(format!("{text:?} is not of the form {RUN_MODEL}/<uuid>."))
        })
}

/// Number in a reference to a suite.
pub fn parse_suite_ref(text: &str) -> Result<i64, Fault> {
    id_of(text, SUITE_MODEL)
        .filter(|id| id.bytes().all(|byte| byte.is_ascii_digit()))
        .and_then(|id| id.parse().ok())
        .ok_or_else(|| {
            Fault::invalid_reference(format!(
                "{text:?} is not of the form {SUITE_MODEL}/<number>."
            ))
        })
}

fn id_of<'t>(text: &'t str, model: &str) -> Option<&'t str> {
    text.strip_prefix(model)?.strip_prefix('/')
}

/// Id of the link between a run and a suite, which is always the same.
pub fn link_id(run: Uuid, suite: i64) -> String {
    let mut seed = [0; 32];
    seed[..16].copy_from_slice(run.as_bytes());
    seed[16..24].copy_from_slice(&suite.to_le_bytes());
    uuid::Builder::from_random_bytes(ChaCha8Rng::from_seed(seed).random())
        .into_uuid()
        .to_string()
}

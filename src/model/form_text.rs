//! placeholder until merged
use super::{RunField, RunTexts};
/// A problem.
pub struct FormProblem {
    /// Line.
    pub line: usize,
    /// Words.
    pub words: String,
}
/// To TOML.
pub fn form_to_toml(_: &RunTexts, _: &[RunField], _: &str) -> String {
    String::new()
}
/// From TOML.
pub fn form_from_toml(_: &str, _: &[RunField]) -> Result<RunTexts, Vec<FormProblem>> {
    Ok(RunTexts::new())
}

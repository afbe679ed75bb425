//! Forms of ids (interface section 2.2). Each error names the problem and the expected form, and no part of the value.

use super::text;

/// Accepts a project id, `P_<n>` (2.2).
pub fn project_id(text: &str) -> Result<(), &'static str> {
    numbered(text, "P_").ok_or("not a project id; expected P_<n>, such as P_9")
}

/// Accepts a sub project id, `SP_<n>`, or `_` for none (2.2).
pub fn subproject_id(text: &str) -> Result<(), &'static str> {
    if text == "_" {
        return Ok(());
    }
    numbered(text, "SP_")
        .ok_or("not a sub project id; expected SP_<n>, such as SP_1, or _ for none")
}

/// Name of a project with its sub project for the user: `P_9/SP_1`, or `P_9` without one.
pub fn project_name(project: &str, subproject: Option<&str>) -> String {
    match subproject.filter(|id| *id != "_") {
        Some(subproject) => format!("{project}/{subproject}"),
        None => project.to_owned(),
    }
}

/// Returns true if a project, as [`project_name`] names it, is this one or one of its sub projects.
pub fn is_within(project: &str, other: &str) -> bool {
    let rest = project.strip_prefix(other);
    rest.is_some_and(|it| it.is_empty() || it.starts_with('/'))
}

fn numbered(text: &str, prefix: &str) -> Option<()> {
    text.strip_prefix(prefix)
        .filter(|digits| is_number(digits))
        .map(|_| ())
}

fn is_number(text: &str) -> bool {
    text::is_number(text, 1..=18)
}

/// Returns `true` for the short id of a run, `R_<n>` (2.2).
pub fn is_run_id(text: &str) -> bool {
    numbered(text, "R_").is_some()
}

/// Returns `true` for the short id of a suite, `S_<n>` (2.3).
pub fn is_suite_id(text: &str) -> bool {
    numbered(text, "S_").is_some()
}

/// Accepts the number of a version, `<major>.<minor>.<patch>` (2.2).
pub fn project_version(text: &str) -> Result<(), &'static str> {
    if text.split('.').count() == 3 && text.split('.').all(is_number) {
        return Ok(());
    }
    Err("not a version; expected <major>.<minor>.<patch>, such as 1.4.0")
}

/// Parses a version, `1.9.0`, without zeros at its end; `None` if it has other parts.
pub fn version_numbers(version: &str) -> Option<Vec<u64>> {
    let mut numbers = Vec::new();
    for part in version.trim().split('.') {
        let number = Some(part).filter(|part| text::is_number(part, 1..=usize::MAX));
        numbers.push(number?.parse().ok()?);
    }
    while numbers.last() == Some(&0) {
        numbers.pop();
    }
    Some(numbers)
}

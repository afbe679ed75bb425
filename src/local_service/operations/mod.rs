//! The ten operations of 4.3.

use super::prelude::*;

mod bot;
mod document_rules;
mod pace;
mod read;
mod reference;
mod stored;
mod suites;
mod testers;
mod write;

pub use bot::change_a_run;
pub use pace::{AtWork, at_work};
pub use testers::record_results;

/// User and project headers of a call.
#[derive(Debug, Clone)]
pub struct Caller {
    /// User name in the token.
    pub user: String,
    /// `Project-Id`.
    pub project: Option<String>,
    /// `Subproject-Id`.
    pub sub: Option<String>,
}

/// Rules from the options of the service.
#[derive(Debug, Clone, Copy)]
pub struct Rules {
    /// Upper bound for `page.limit`.
    pub page_limit: Option<u32>,
    /// True if `LIST_TEST_RUNS` is an unknown method.
    pub without_list_test_runs: bool,
}

/// An operation of 4.3, named there in capitals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Method {
    GetDocument,
    ListDocuments,
    ListTestRuns,
    AddDocument,
    ModifyDocument,
    CheckTestRunEmpty,
    DeleteTestRun,
    GetAvailableTestSuites,
    AddTestSuitesToRun,
    DeleteTestSuitesFromRun,
}

/// Runs a call.
pub fn run(
    database: &Database,
    rules: Rules,
    caller: &Caller,
    method: Method,
    params: Value,
) -> Result<Value, Fault> {
    let params = Members::new("params", params)?;
    let reach = reach(&database.names, caller)?;
    match method {
        Method::GetDocument => read::get_document(database, &reach, params),
        Method::ListDocuments => read::list_documents(database, &reach, rules.page_limit, params),
        Method::ListTestRuns => read::list_test_runs(database, &reach, rules.page_limit, params),
        Method::CheckTestRunEmpty => read::check_test_run_empty(database, &reach, params),
        Method::AddDocument => write::add_document(database, &reach, &caller.user, params),
        Method::ModifyDocument => write::modify_document(database, &reach, &caller.user, params),
        Method::DeleteTestRun => write::delete_test_run(database, &reach, params),
        Method::GetAvailableTestSuites => {
            suites::get_available(database, &reach, rules.page_limit, params)
        }
        Method::AddTestSuitesToRun => suites::add(database, &reach, params),
        Method::DeleteTestSuitesFromRun => suites::remove(database, &reach, params),
    }
}

/// Project and sub project of the headers, each an id or a document reference (4.1).
fn reach(names: &Names, caller: &Caller) -> Result<Reach, Fault> {
    let project_name = match caller.project.as_deref().map(last_part) {
        None | Some("") => return Err(Fault::invalid_input("The header Project-Id is missing.")),
        Some(name) => name,
    };
    let project = names
        .project(project_name)
        .ok_or_else(|| Fault::not_found(format!("There is no project {project_name:?}.")))?;
    let sub = match caller.sub.as_deref().map(last_part) {
        None | Some("") => None,
        Some(name) => Some(names.sub(project, name).ok_or_else(|| {
            Fault::not_found(format!(
                "Project {project_name} has no sub project {name:?}."
            ))
        })?),
    };
    Ok(Reach {
        project,
        project_name: project_name.to_owned(),
        sub,
    })
}

/// Text behind the last slash: `P_9` of `P_9` and of `<model>/P_9`.
fn last_part(text: &str) -> &str {
    text.rsplit('/').next().unwrap_or(text)
}

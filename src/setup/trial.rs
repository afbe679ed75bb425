//! Tests a profile before it is written: a sign-in and one page of runs. A failure names the questions to ask again.

use super::answers::{ALL, Answers, CA, CLIENT_SECRET, PASSWORD};
use crate::auth::{AuthError, NetworkFault};
use crate::config::{Profile, SecretSource, fits};
use crate::domain::fields::{SUBPROJECT, VERSION};
use crate::domain::text::{count, join};
use crate::domain::{Filter, Page, RunRow, RunsPage, Sort};
use crate::profile::{Connection, Earlier};
use crate::rpc::{CallError, CallErrorKind};

/// A failed test.
pub struct FailedTrial {
    pub words: String,
    /// Keys of the config file.
    pub ask: &'static [&'static str],
}

/// Contents of a project, as far as one page shows.
pub struct Project {
    pub size: u64,
    /// Number of runs whose versions and sub projects are known, if that is not all.
    pub seen: Option<usize>,
    pub versions: Vec<String>,
    pub subprojects: Vec<String>,
}

/// Signs in once and reads a page.
pub async fn try_out(answers: &Answers) -> Result<Project, FailedTrial> {
    let mut profile =
        Profile::from_own("setup", &answers.lines()).map_err(|error| FailedTrial {
            words: error.message().to_owned(),
            ask: ALL,
        })?;
    // Its secrets are not in their sources yet.
    profile.password = None;
    let secret_of = |key| answers.kept.get(key).and_then(|kept| kept.secret.clone());
    profile.client_secret = secret_of(CLIENT_SECRET).map(SecretSource::Inline);
    let page = Page::first(profile.page_size);
    let opened = Connection::open(profile, Earlier::default()).await;
    let connection = opened.map_err(|failure| FailedTrial {
        ask: if failure.cause.contains("ca_also") {
            &[CA]
        } else {
            &["base_url"]
        },
        words: failure.cause,
    })?;
    if let Some(password) = secret_of(PASSWORD) {
        let signed_in = connection
            .client
            .tokens
            .sign_in(answers.text("username"), &password);
        signed_in.await.map_err(|error| not_signed_in(&error))?;
    }
    let (sorts, filter) = (Sort::newest_edits(), Filter::default());
    let read = connection.client.reader.list_runs(page, &sorts, &filter);
    let page = read.await.map_err(|error| not_read(&error))?;
    let seen = page.rows.len();
    let is_all = page.facets.is_some() || seen as u64 >= page.full_size;
    Ok(Project {
        size: page.full_size,
        seen: (!is_all).then_some(seen),
        versions: values(&page, "project_version", VERSION.path, |row| {
            row.version.as_deref()
        }),
        subprojects: values(&page, "subproject_id", SUBPROJECT.path, |row| {
            row.subproject.as_deref()
        }),
    })
}

fn not_signed_in(error: &AuthError) -> FailedTrial {
    let ask: &[&str] = match error {
        AuthError::Refused { error, .. } => match error.as_str() {
            "invalid_grant" => &["username", PASSWORD],
            "invalid_client" | "unauthorized_client" => &["client_id", CLIENT_SECRET],
            _ => &["realm", "client_id", CLIENT_SECRET],
        },
        AuthError::Network(NetworkFault::Connect(none)) if none.is_untrusted() => {
            &["idp_url", "ca_also"]
        }
        // The service accepts no token of this session.
        AuthError::SessionEnded { .. } => &["base_url", "idp_url", "realm"],
        AuthError::Odd { status: 404, .. } => &["idp_url", "realm"],
        _ => &["idp_url"],
    };
    FailedTrial {
        words: format!("{error}. {}", error.remedy()),
        ask,
    }
}

fn not_read(error: &CallError) -> FailedTrial {
    let ask: &[&str] = match &error.kind {
        CallErrorKind::NotSignedIn(error) => return not_signed_in(error),
        CallErrorKind::Connect(none) if none.is_untrusted() => &["base_url", "ca_also"],
        CallErrorKind::Unauthorized { .. } => &["base_url", "idp_url", "realm"],
        _ if error.is_no_project() || error.is_barred() => &["project_id"],
        _ => &["base_url"],
    };
    FailedTrial {
        words: format!("{}. {}", error.in_full(), error.remedy()),
        ask,
    }
}

/// Returns the values of a field that its key of the config file takes: the facets of the service, else those of the
/// runs on the page.
fn values(
    page: &RunsPage,
    key: &str,
    path: &str,
    of: impl Fn(&RunRow) -> Option<&str>,
) -> Vec<String> {
    let offered = page
        .facets
        .iter()
        .flatten()
        .find(|(at, _)| at == path)
        .map(|(_, values)| values.clone());
    let mut values = offered.unwrap_or_else(|| {
        let rows = page.rows.iter().filter_map(of);
        rows.map(str::to_owned).collect()
    });
    values.retain(|value| !["", "_"].contains(&value.as_str()) && fits(key, value).is_ok());
    let all = std::mem::take(&mut values);
    for value in all {
        if !values.contains(&value) {
            values.push(value);
        }
    }
    values
}

impl Project {
    /// Describes the number of runs, their versions and sub projects.
    pub fn words(&self, place: &str) -> String {
        let many = |noun: &str, values: &[String]| match values {
            [] => String::new(),
            values => format!("; {noun} {}", join(values.iter().map(String::as_str), ", ")),
        };
        let any = !self.versions.is_empty() || !self.subprojects.is_empty();
        let seen = |seen| format!(" (of the newest {})", count(seen, "run"));
        format!(
            "{} in {place}{}{}{}",
            count(self.size, "run"),
            many("versions", &self.versions),
            many("sub projects", &self.subprojects),
            self.seen.filter(|_| any).map_or_else(String::new, seen)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{DocRef, RunsOperation};

    #[test]
    fn what_the_config_file_would_refuse_is_not_offered() {
        let run = RunRow::unknown(DocRef::parse("TestRun-dm/1").unwrap());
        let versions = ["1.2.1", "2026.1", "_", "1.2.1-rc", "1.2.1"];
        let of = |version: &str| RunRow {
            version: Some(version.into()),
            ..run.clone()
        };
        let mut page = RunsPage {
            full_size: 5,
            rows: versions.map(of).into(),
            facets: None,
            operation: Some(RunsOperation::ListTestRuns),
        };
        let offered = |page: &RunsPage| {
            values(page, "project_version", VERSION.path, |row| {
                row.version.as_deref()
            })
        };
        assert_eq!(offered(&page), ["1.2.1"]);
        let facet = (VERSION.path.to_owned(), versions.map(str::to_owned).into());
        page.facets = Some(vec![facet]);
        assert_eq!(offered(&page), ["1.2.1"]);
    }
}

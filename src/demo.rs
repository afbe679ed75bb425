//! What the demo opens: the local service as a profile like any other.

mod history;

use std::time::Duration;

use url::{ParseError, Url};

pub use history::{HOURS, keep, of_run};

use crate::config::{Monitor, Profile, READ_AGAIN, SecretSource, Watch};
use crate::domain::{HoursOfDay, RunsSource, WorkingHours};
use crate::local_service::ServedProfile;

/// The profile `demo` of a local service. Its secrets are those the service has made up.
pub fn profile(served: &ServedProfile) -> Result<Profile, ParseError> {
    Ok(Profile {
        name: "demo".into(),
        base_url: Url::parse(&served.base_url)?,
        auth_url: Some(Url::parse(&served.auth_url)?),
        idp_url: Url::parse(&served.idp_url)?,
        realm: served.realm.clone(),
        client_id: served.client_id.clone(),
        client_secret: Some(SecretSource::Inline(served.client_secret.clone())),
        username: Some(served.username.clone()),
        password: Some(SecretSource::Inline(served.password.clone())),
        project_id: served.project_id.clone(),
        subproject_id: Some(served.subproject_id.clone()),
        // The demo shows the runs of all versions.
        project_version: None,
        locale: "en".into(),
        read_only: false,
        refresh_seconds: 0,
        runs_source: RunsSource::Auto,
        page_size: 50,
        ca_certificate: None,
        request_timeout: Duration::from_secs(30),
        read_again: READ_AGAIN,
        // The demo is looked at at any hour, and its testers never sleep.
        watch: Watch {
            hours: WorkingHours {
                hours: HoursOfDay::Always,
                days: None,
            },
            ..Watch::default()
        },
        monitor: Monitor::default(),
    })
}

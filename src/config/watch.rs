//! Settings for watching runs: finished cases, working time, notifications.

use std::collections::BTreeSet;

use serde::de::Error;
use serde::{Deserialize, Deserializer};

use super::complete::defaults;
use super::forms;
use super::settings::{MONITOR, PROFILE, WEEK};
use crate::domain::diff::Ignored;
use crate::domain::release::ReleaseSettings;
use crate::domain::{Notify, ResultCode, View, WorkingHours};

/// Settings of the project and its team; keys of a profile.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct ProjectSettings {
    /// Codes of cases that are finished; at least one.
    #[serde(rename = "done_codes", deserialize_with = "result_codes")]
    pub done: Vec<ResultCode>,
    /// Hours and days that count as working time.
    #[serde(flatten, deserialize_with = "working_hours")]
    pub hours: WorkingHours,
    /// Working days by which the pace is measured, 1 to 90.
    pub pace_days: u32,
    /// Working days without a change of counts after which a run is quiet, 1 to 30.
    pub quiet_days: usize,
    /// The limit as text; `None` without one.
    #[serde(alias = "gate")]
    pub limit: Option<String>,
    /// Saved views with unique names.
    pub views: Vec<View>,
    /// Settings of releases.
    #[serde(flatten)]
    pub release: ReleaseSettings,
}

impl Default for ProjectSettings {
    fn default() -> Self {
        defaults(PROFILE)
    }
}

/// Settings of all profiles: `[monitor]`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MonitorSettings {
    /// Days that samples are kept, 1 to 3650.
    pub samples_days: u32,
    /// Fields whose changes are not reported.
    #[serde(rename = "ignored_paths", deserialize_with = "ignored")]
    pub ignored: Ignored,
    /// Reaction to a run that exceeds its limit or is finished.
    pub notify: Notify,
}

impl Default for MonitorSettings {
    fn default() -> Self {
        defaults(MONITOR)
    }
}

fn result_codes<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<ResultCode>, D::Error> {
    let numbers = Vec::<u8>::deserialize(from)?.into_iter();
    let code = |number: u8| ResultCode::parse(&number.to_string());
    let codes =
        numbers.map(|number| code(number).ok_or_else(|| D::Error::custom("no result code")));
    // One that is named twice counts once.
    let codes: BTreeSet<ResultCode> = codes.collect::<Result<_, _>>()?;
    Ok(codes.into_iter().collect())
}

fn working_hours<'de, D: Deserializer<'de>>(from: D) -> Result<WorkingHours, D::Error> {
    #[derive(Deserialize)]
    struct Keys {
        working_hours: String,
        working_days: Option<Vec<String>>,
    }
    let keys = Keys::deserialize(from)?;
    let on = |days: Vec<String>| WEEK.map(|day| days.iter().any(|name| name == day));
    Ok(WorkingHours {
        hours: forms::hours(&keys.working_hours).map_err(D::Error::custom)?,
        days: keys.working_days.map(on),
    })
}

fn ignored<'de, D: Deserializer<'de>>(from: D) -> Result<Ignored, D::Error> {
    Ok(Ignored::new(Vec::<String>::deserialize(from)?))
}

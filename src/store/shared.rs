//! What outlives a screen and more than one of them reads.

use std::collections::HashMap;

use super::delete::TakenOut;
use super::watched::OfRuns;
use super::{Feed, Form, KnownProfile, Session, SignedIn};
use crate::domain::{DocRef, Draft, Unfinished};

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shared {
    /// The profile in use.
    pub session: Option<Session>,
    pub signed_in: Option<SignedIn>,
    /// Profiles that can be switched to.
    pub profiles: Vec<KnownProfile>,
    /// What changed between two readings.
    pub feed: Feed,
    /// Drafts of the profile that no form has open.
    pub drafts: Vec<Draft>,
    /// Probe runs of the profile that were left behind.
    pub left_probes: Vec<DocRef>,
    /// Changes of this profile whose end is not known, oldest first.
    pub unfinished: Vec<Unfinished>,
    /// Suites that were taken out of runs before their deletion.
    pub taken_out: TakenOut,
    /// Seconds between two readings of the monitor, once somebody chose them.
    pub watch_every: Option<u64>,
    /// The thresholds that somebody typed for all runs of a monitor, by the view it was on; empty for none.
    pub watch_gates: HashMap<Option<String>, String>,
    /// What somebody chose for single runs of a monitor.
    pub of_runs: OfRuns,
    /// It was said that drafts are kept.
    pub drafts_told: bool,
    /// Forms that were left and are not on the disk yet: one that cannot be kept comes back.
    pub left_forms: Vec<Form>,
}

impl Shared {
    /// Name of the profile in use; empty before there is one.
    pub fn profile(&self) -> String {
        let session = self.session.as_ref();
        session.map_or_else(String::new, |session| session.profile.clone())
    }
}

//! `rundown samples export`: counts over time from this machine.

use std::collections::{HashMap, HashSet};

use super::prelude::*;
use super::spool::Spool;
use super::sync::{ids, state_folder};
use crate::cli::ExportOptions;
use crate::samples::{Samples, csv_head, csv_of};

/// Prints the samples, run by run.
pub fn export(profile: &Profile, options: &ExportOptions) -> Ran {
    const NONE: &str = "no counts are kept on this machine of that yet: rundown sync keeps them, and so does the screen";
    let folder = state_folder()?;
    if !Samples::file(&folder).exists() {
        return Err(Exit::Service.because(NONE));
    }
    let samples = Samples::open(&folder, profile.monitor.samples_days, now())?;
    let scope = profile.scope();
    let name = samples.name_of(&profile.name, &profile.target().service)?;
    let counts = samples.of_scope(&name, &scope);
    let ids: HashMap<DocRef, String> = ids(profile)?.into_iter().collect();
    let mut runs: Vec<DocRef> = if options.runs.is_empty() {
        let newest = counts.newest_before(i64::MAX)?;
        newest.into_iter().map(|(run, _)| run).collect()
    } else {
        let named = options.runs.iter().map(|name| match name {
            DocumentName::Ref(run) => Ok(run.clone()),
            DocumentName::Id(id) => {
                let mut known = ids.iter().filter(|(_, known)| *known == id);
                let found = known.next().map(|(run, _)| run.clone());
                found.ok_or_else(|| {
                    Exit::Service.because(format!(
                        "{id} is not known on this machine: give its reference, or rundown sync --all reads the runs"
                    ))
                })
            }
        });
        named.collect::<Result<_, _>>()?
    };
    let mut seen = HashSet::new();
    runs.retain(|run| seen.insert(run.clone()));
    let (mut kept, mut is_any) = (Spool::new(), false);
    for run in &runs {
        let of_run = counts.of(run, i64::MIN)?;
        let id = ids.get(run).map_or("", String::as_str);
        kept.add(&csv_of(id, run, &of_run))?;
        is_any |= !of_run.is_empty();
    }
    if !is_any {
        return Err(Exit::Service.because(NONE));
    }
    kept.print(&csv_head(), |line| Cow::Borrowed(line), "")
}

//! Files requested by the user: samples, reports and copied texts.

use std::path::{Path, PathBuf};

use super::prelude::*;
use crate::disk::DiskError;
use crate::disk::database::DatabaseError;
use crate::disk::exports::{self, clock, harmless};
use crate::domain::release::ReportRequest;
use crate::domain::{Format, Sample, Summary, text};
use crate::profile::{origin, report};
use crate::samples::to_csv;

/// Samples of some runs: short id, reference, samples.
pub type OfRuns = Vec<(String, DocRef, Vec<Sample>)>;

/// Writes samples to a new file in `exports` of the state folder. Blocks.
pub fn export(state: &Path, runs: &OfRuns) -> Result<Event, Failure> {
    let asked = "writing counts over time to a file";
    let samples: usize = runs.iter().map(|(_, _, samples)| samples.len()).sum();
    if samples == 0 {
        return Ok(Event::Written {
            what: "counts over time".into(),
            result: Err("none are kept of these runs, and closed ones get none".into()),
        });
    }
    let of_runs = runs.iter();
    let csv = to_csv(of_runs.map(|(id, run, samples)| (id.as_str(), run, samples.as_slice())));
    let id = match &runs[..] {
        [(id, _, _)] => id,
        _ => "",
    };
    let written = write(state, &["samples", id], "csv", &csv);
    let path = written.map_err(|why| local(asked, &why, ""))?;
    let (samples, runs) = (
        text::count(samples, "sample"),
        text::count(runs.len(), "run"),
    );
    Ok(Event::Written {
        what: format!("{samples} of {runs}"),
        result: Ok(path),
    })
}

impl Worker {
    /// Writes the report of a release to a new file in `exports` of the state folder.
    pub(super) fn write_report(&self, request: ReportRequest) {
        let (state, connection) = (self.state.clone(), lock(&self.connection).clone());
        let profile = self.runs.as_ref().map(|runs| runs.profile.clone());
        self.aside(move || {
            let Some(profile) = profile else {
                return Vec::new();
            };
            let (what, format) = (format!("the report of {}", request.version), request.format);
            let written = state.get().and_then(|state| {
                let version = request.version.replace('.', "-");
                let mut source = origin(&profile);
                if let Some(connection) = connection {
                    source.user = connection.client.user();
                }
                let folders = (&*state.folder, Some(&*state.cache));
                let made = report(&profile, &source, folders, request)
                    .map_err(|why: DatabaseError| why.to_string())?;
                let (name, text) = (["report", &version], made.text(format));
                write(&state.folder, &name, format.ending(), &text)
            });
            vec![Event::Written {
                what,
                result: written,
            }]
        });
    }

    /// Writes the content of a screen to a new file.
    pub(super) fn export_summary(&self, summary: Summary, format: Format) {
        let state = self.state.clone();
        self.aside(move || {
            let text = summary.text(format);
            let name = [summary.file];
            let result = state
                .get()
                .and_then(|state| write(&state.folder, &name, format.ending(), &text));
            vec![Event::Written {
                what: summary.name,
                result,
            }]
        });
    }
}

/// Writes a text to a new file in `exports` of the state folder, named by these parts and the time. Returns its path; an
/// error is in words. Blocks.
pub fn write(state: &Path, name: &[&str], ending: &str, text: &str) -> Result<String, String> {
    let name = name.iter().map(|part| harmless(&part.replace(' ', "-")));
    let stem = name.chain([clock(now())]).filter(|part| !part.is_empty());
    let (folder, stem) = (state.join("exports"), text::join(stem, "-"));
    shown(exports::add(&folder, &stem, ending, text.as_bytes()))
}

/// Writes a text to a new file in the current folder instead of the clipboard. Returns its path; an error is in words.
/// Blocks.
pub fn copied(name: &str, ending: &str, text: &str) -> Result<String, String> {
    let folder = std::env::current_dir().map_err(|error| error.to_string())?;
    let name = harmless(name);
    let name = if name.is_empty() { "run" } else { &name };
    shown(exports::new_in(&folder, name, ending, text.as_bytes()))
}

fn shown(written: Result<PathBuf, DiskError>) -> Result<String, String> {
    let path = written.map_err(|error| error.to_string())?;
    Ok(path.display().to_string())
}

//! Samples written to a file that a person asked for.

use std::path::{Path, PathBuf};

use jiff::Timestamp;

use super::local;
use crate::disk::exports;
use crate::domain::{DocRef, Failure, Sample};
use crate::samples::to_csv;
use crate::store::Exported;

/// Samples of some runs: short id, reference, samples.
pub type OfRuns = Vec<(String, DocRef, Vec<Sample>)>;

/// Writes them to the path that was typed, else to a new file in `exports` of the state folder. Blocks.
pub fn export(
    state: &Path,
    runs: &OfRuns,
    to: Option<&str>,
    now: i64,
) -> Result<Exported, Failure> {
    let asked = "writing samples to a file";
    let samples = runs.iter().map(|(_, _, samples)| samples.len()).sum();
    if samples == 0 {
        return Err(local(
            asked,
            "no samples are kept of that yet: no file was made",
            "they come with every reading",
        ));
    }
    let text = to_csv(
        runs.iter()
            .map(|(id, run, samples)| (id.as_str(), run, samples.as_slice())),
    );
    let stem = stem(runs, now);
    let written = match to.map(typed) {
        None => exports::add(&state.join("exports"), &stem, "csv", text.as_bytes()),
        Some(path) if path.is_dir() => {
            exports::write(&path.join(format!("{stem}.csv")), text.as_bytes())
        }
        Some(path) => exports::write(&path, text.as_bytes()),
    };
    let path = written.map_err(|error| local(asked, &error.to_string(), "x asks again"))?;
    Ok(Exported {
        path: path.display().to_string(),
        samples,
        runs: runs.len(),
    })
}

/// Of the id, which is the service's, only what is harmless in a name.
fn stem(runs: &OfRuns, now: i64) -> String {
    let at = Timestamp::from_millisecond(now)
        .unwrap_or_default()
        .strftime("%Y%m%dT%H%M%SZ");
    let [(id, _, _)] = &runs[..] else {
        return format!("samples-{at}");
    };
    let id: String = id
        .chars()
        .filter(|c| c.is_ascii_alphanumeric() || *c == '_')
        .take(40)
        .collect();
    format!("samples-{id}-{at}")
}

/// `~/` is the home directory; anything else relative starts where the program was started.
fn typed(text: &str) -> PathBuf {
    match (text.strip_prefix("~/"), std::env::home_dir()) {
        (Some(rest), Some(home)) => home.join(rest),
        _ => PathBuf::from(text),
    }
}

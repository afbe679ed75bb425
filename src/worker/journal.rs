//! The journal of writes, as the screen shows it.

use serde_json::Value;

use super::local;
use crate::disk::{Journal, JournalFilter, Step, WriteRecord, WriteState};
use crate::model::DocRef;
use crate::store::{Failure, JournalLine, JournalPage};

/// Writes shown at most.
const SHOWN: usize = 500;

/// Reads the newest writes. Blocks.
pub fn read(journal: &Journal) -> Result<JournalPage, Failure> {
    let read = journal.read(SHOWN, &JournalFilter::default());
    let read =
        read.map_err(|error| local("reading the journal", &error.to_string(), "it can be read with any text viewer"))?;
    let torn = (read.torn > 0).then(|| {
        format!("{} lines of {} cannot be read; they are left as they are", read.torn, journal.path().display())
    });
    Ok(JournalPage { lines: read.writes.iter().map(line).collect(), problem: torn })
}

fn line(write: &WriteRecord) -> JournalLine {
    let state = write.state();
    let (method, params) = write
        .request()
        .map_or(("(begun before what was read)", Value::Null), |(method, params)| (method, params.clone()));
    let suites = params["testSuiteDocRefs"].as_array().map_or(0, Vec::len);
    let mut detail = vec![format!("profile {}  run {}", write.profile, write.run), format!("{method} {params}")];
    for step in &write.steps {
        detail.push(match &step.step {
            Step::Sent { note: Some(note), .. } => format!("kept: {note}"),
            Step::Sent { .. } => "written down, then sent".into(),
            Step::Answered { result } => format!("answered: {result}"),
            Step::Refused { failure } => format!("refused: {failure}"),
            Step::Unknown { failure } => format!("answer lost: {failure}"),
            Step::Confirmed { how } => format!("confirmed: {how}"),
            Step::Differs { what } => format!("differs: {what}"),
            Step::Other { name } => format!("{name} (of another version)"),
        });
    }
    JournalLine {
        write: write.write.to_string(),
        run_ref: DocRef::parse(&write.run).ok(),
        at: write.at,
        run: write.run_name.clone(),
        what: match suites {
            0 => method.to_owned(),
            1 => format!("{method}, 1 suite"),
            more => format!("{method}, {more} suites"),
        },
        state: state.words().into(),
        good: matches!(state, WriteState::Confirmed | WriteState::Answered),
        detail,
    }
}

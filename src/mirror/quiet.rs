//! Quiet runs, by their samples.

use super::prelude::*;
use super::{Mirror, Run};

/// Results for these days by run, valid while the text of the run has the same digest.
#[derive(Debug, Default)]
pub(super) struct QuietRuns {
    days: Vec<(i64, i64)>,
    runs: HashMap<DocRef, (u64, Quiet)>,
}

impl Mirror {
    /// Returns which runs are quiet. `days` are starts and ends of the days in epoch milliseconds; if empty, so is the
    /// result. Without a history nothing is known.
    pub fn quiet<'a>(
        &mut self,
        runs: impl Iterator<Item = &'a Arc<Run>>,
        days: &[(i64, i64)],
    ) -> Done<HashMap<DocRef, Quiet>> {
        let mut found = HashMap::new();
        let Some((from, _)) = days.first() else {
            return Ok(found);
        };
        if self.quiet.days != days {
            self.quiet = QuietRuns {
                days: days.to_vec(),
                ..QuietRuns::default()
            };
        }
        for run in runs {
            let digest_now = digest(&run.text);
            let known = self.quiet.runs.get(&run.doc_ref);
            if let Some((_, quiet)) = known.filter(|it| it.0 == digest_now) {
                found.insert(run.doc_ref.clone(), *quiet);
                continue;
            }
            let row = run.row();
            let of = |since| {
                let mut samples = self.asked(|it| it.counts().of(&run.doc_ref, since))?;
                let at = run.counted_at.unwrap_or(run.read_at);
                Sample::add_reading(&mut samples, &row, at);
                Ok(Quiet::of(&row, &samples, &self.settings.done, days))
            };
            // Most runs have changed lately, so a short part of the history is enough.
            let quiet = match of(*from)? {
                Quiet::No => Quiet::No,
                _ => of(i64::MIN)?,
            };
            found.insert(run.doc_ref.clone(), quiet);
            let runs = &mut self.quiet.runs;
            runs.insert(run.doc_ref.clone(), (digest_now, quiet));
        }
        Ok(found)
    }
}

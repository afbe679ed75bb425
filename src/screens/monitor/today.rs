//! What became worse today before this program read a run for the first time: from its earlier reading to there.

use crate::screens::prelude::*;
use std::cmp::Reverse;
use std::collections::HashMap;

use crate::domain::diff::{Change, News};
use crate::mirror::EarlierReadings;
use crate::store::What;
use crate::store::feed::Entry;

/// The runs of these of which more cases failed or were blocked before they were read here, and how many; those with most
/// new failures first. What was seen since is in the feed of today, newest first.
pub fn before_first_reading<'a>(
    runs: impl Iterator<Item = &'a RunRow>,
    of_today: impl Iterator<Item = &'a Entry>,
    earlier: &EarlierReadings,
) -> Vec<(&'a RunRow, Vec<Change>)> {
    // The oldest change that was seen says how it was before.
    let mut first: HashMap<(&DocRef, ResultCode), u64> = HashMap::new();
    for entry in of_today {
        let (Some(run), What::News(News::Changed { changes, .. })) = (&entry.run, &entry.what)
        else {
            continue;
        };
        for change in changes {
            if let Change::Count { code, before, .. } = change
                && let Some(code) = ResultCode::parse(code)
            {
                first.insert((run, code), *before);
            }
        }
    }
    let mut worse: Vec<(&RunRow, Vec<Change>)> = Vec::new();
    for row in runs {
        let Some(counts) = &row.results else { continue };
        let changes: Vec<Change> = ResultCode::FAILED
            .iter()
            .chain(ResultCode::BLOCKED)
            .filter_map(|code| {
                let before = earlier.before(row, *code)?;
                let now = counts.get(*code);
                let after = first.get(&(&row.doc_ref, *code)).copied().unwrap_or(now);
                (after > before).then(|| Change::Count {
                    code: code.number().to_string(),
                    label: code.label().to_owned(),
                    before,
                    after,
                })
            })
            .collect();
        if !changes.is_empty() {
            worse.push((row, changes));
        }
    }
    worse.sort_by_key(|(row, _)| Reverse(earlier.more_failed(row)));
    worse
}

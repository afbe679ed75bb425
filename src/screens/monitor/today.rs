//! Changes for the worse of today before this program read a run for the first time, compared with the earlier reading.

use crate::screens::prelude::*;
use std::collections::HashMap;

use crate::domain::diff::{Change, News};
use crate::mirror::EarlierReadings;
use crate::store::What;
use crate::store::feed::FeedEntry;

/// Counts by run and result before the first change that was seen today.
pub struct BeforeToday<'a> {
    earlier: &'a EarlierReadings,
    first: HashMap<(&'a DocRef, ResultCode), u64>,
}

/// Feed entries of today, newest first.
pub fn seen(shared: &Shared) -> impl Iterator<Item = &FeedEntry> {
    let days = shared.earlier.days();
    let is_of_today = move |entry: &&FeedEntry| days.is_some_and(|days| days.is_today(entry.at));
    shared.feed.entries.iter().filter(is_of_today)
}

impl<'a> BeforeToday<'a> {
    pub fn new(shared: &'a Shared) -> Self {
        let mut first = HashMap::new();
        for entry in seen(shared) {
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
        let earlier = &shared.earlier;
        Self { earlier, first }
    }

    /// Results with more cases at the first reading here than before today. Later changes are in the feed.
    pub fn worse(&self, row: &RunRow) -> Vec<Change> {
        let Some(counts) = &row.results else {
            return Vec::new();
        };
        let codes = ResultCode::FAILED.iter().chain(ResultCode::BLOCKED);
        let changes = codes.filter_map(|code| {
            let before = self.earlier.before(row, *code)?;
            let now = counts.get(*code);
            let first = self.first.get(&(&row.doc_ref, *code));
            let after = first.copied().unwrap_or(now);
            (after > before).then(|| Change::Count {
                code: code.number().to_string(),
                label: code.label().to_owned(),
                before,
                after,
            })
        });
        changes.collect()
    }
}

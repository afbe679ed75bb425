//! What became worse today before this program read a run for the first time: from its earlier reading to there.

use std::collections::HashMap;

use crate::domain::diff::{Change, News};
use crate::domain::{DocRef, ResultCode, RunRow};
use crate::mirror::EarlierReadings;
use crate::store::feed::Entry;
use crate::store::{Shared, What};

/// How many cases runs had at a result before the first change of it that was seen today.
pub struct BeforeToday<'a> {
    earlier: &'a EarlierReadings,
    first: HashMap<(&'a DocRef, ResultCode), u64>,
}

/// What was seen today, newest first.
pub fn seen(shared: &Shared) -> impl Iterator<Item = &Entry> {
    let days = shared.earlier.days();
    let is_of_today = move |entry: &&Entry| days.is_none_or(|days| days.is_today(entry.at));
    shared.feed.entries.iter().take_while(is_of_today)
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

    /// The results at which a run had more cases when it was read here first; what was seen since is in the feed.
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

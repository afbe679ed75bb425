//! Lists kept from earlier surveys: they show which pages to read, never what is in a run.

use super::SuiteList;
use super::available::by_title;
use super::prelude::*;

/// Most entries kept, of all lists together.
const MOST_ENTRIES: usize = 200_000;

/// Lists kept from earlier surveys; a plain value that each survey takes and returns.
///
/// No kept list is evidence. A list shows on which pages of another run's list a suite was, so that only those pages
/// are read again: a survey names only suites that it has read itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cache {
    /// Newest first.
    lists: Vec<Kept>,
}

#[derive(Clone, Debug, PartialEq)]
struct Kept {
    run: DocRef,
    edited_on: Option<i64>,
    list: Arc<SuiteList>,
}

impl Cache {
    /// Returns the cache with newer lists, as far as there is room. Lists of one page gain nothing, and unsorted lists
    /// have no stable places.
    #[must_use]
    pub(super) fn with<'a>(
        &self,
        rows: &[RunRow],
        read: impl Iterator<Item = (&'a DocRef, &'a Arc<SuiteList>)>,
    ) -> Self {
        let fresh = read
            .filter(|(_, list)| list.pages > 1 && !list.unsorted)
            .filter_map(|(run, list)| {
                let row = rows.iter().find(|row| row.doc_ref == *run)?;
                Some(Kept {
                    run: run.clone(),
                    edited_on: row.edited_on,
                    list: list.clone(),
                })
            });
        let (mut lists, mut room) = (Vec::<Kept>::new(), MOST_ENTRIES);
        for kept in fresh.chain(self.lists.iter().cloned()) {
            if !lists.iter().any(|newer| newer.run == kept.run) {
                let Some(left) = room.checked_sub(kept.list.entries.len()) else {
                    break;
                };
                room = left;
                lists.push(kept);
            }
        }
        Self { lists }
    }

    /// Returns the list of a run that was not edited since. The list of an edited run has most likely changed.
    pub(super) fn list(&self, row: &RunRow) -> Option<&Arc<SuiteList>> {
        let kept = self
            .lists
            .iter()
            .find(|kept| kept.run == row.doc_ref && kept.edited_on == row.edited_on);
        kept.map(|kept| &kept.list)
    }
}

/// Reads again the pages of a kept list that have wanted suites, at least one page. `None` if the list has changed: a
/// suite is not in its place, an entry appears twice, `fullSize` differs between the pages, or a page is refused.
pub async fn read_again<P: Pages<Entry = SuiteRow>>(
    list: &mut P,
    kept: &SuiteList,
    wanted: impl Fn(&DocRef) -> bool,
) -> Result<Option<SuiteList>, P::Error> {
    let mut places: Vec<_> = (0..)
        .zip(kept.refs())
        .filter(|(_, suite)| wanted(suite))
        .collect();
    // A list of one page is read from its start: its order does not matter then.
    if kept.pages == 1 {
        for (offset, _) in &mut places {
            *offset = 0;
        }
    }
    let sort = if kept.unsorted {
        Vec::new()
    } else {
        by_title()
    };
    if places.is_empty() {
        places.extend((0..).zip(kept.refs()).take(1));
    }
    // The service has allowed pages of this size; its maximum may be smaller than `page_size`.
    let limit = kept.entries.len().div_ceil(kept.pages.max(1) as usize) as u32;
    let mut part: Option<SuiteList> = None;
    let mut seen = HashSet::new();
    for (offset, suite) in places {
        if seen.contains(suite) {
            continue;
        }
        let page = match list.page(Page { offset, limit }, &sort).await {
            Ok(page) => page,
            Err(error) if error.refusal() == Refusal::Other => return Err(error),
            Err(_) => return Ok(None),
        };
        let part = part.get_or_insert(SuiteList {
            full_size: page.full_size,
            entries: Vec::new(),
            pages: 0,
            ..*kept
        });
        let mut entries = page.entries.iter();
        let twice = entries.any(|entry| !seen.insert(entry.doc_ref.clone()));
        if twice || page.full_size != part.full_size || !seen.contains(suite) {
            return Ok(None);
        }
        part.entries.extend(page.entries);
        part.pages += 1;
    }
    Ok(part)
}

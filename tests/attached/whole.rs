//! A list read whole: what it must survive, and that it is never a mixture of two times.

use std::collections::BTreeMap;
use std::sync::Mutex;

use proptest::prelude::*;
use rundown::attached::{Fetched, Pages, ReadFault, Reading, Refusal, WholeList, read_whole};
use rundown::domain::{DocRef, Page, Sort};

use super::world::{Fault, suite_ref};

/// A list that changes before some of its pages.
#[derive(Default)]
struct Changing {
    inner: Mutex<Inner>,
    /// Call number to what is in the list from then on.
    changes: BTreeMap<usize, Vec<u32>>,
    clamp: Option<u32>,
    refuse_over: Option<u32>,
    refuse_sort: bool,
    /// `fullSize` says more than there is.
    more: u64,
}

#[derive(Default)]
struct Inner {
    now: Vec<u32>,
    /// The list at each call, the page asked for, and whether it was sorted.
    calls: Vec<(Vec<u32>, Page, bool)>,
}

impl Changing {
    fn of(entries: impl IntoIterator<Item = u32>) -> Self {
        let inner = Inner {
            now: entries.into_iter().collect(),
            calls: Vec::new(),
        };
        Self {
            inner: Mutex::new(inner),
            ..Self::default()
        }
    }

    fn read(&self, page_size: u32) -> Result<WholeList<()>, ReadFault<Fault>> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .unwrap();
        let reading = Reading {
            page_size,
            most: 100,
            ..Reading::default()
        };
        runtime.block_on(read_whole(self, &reading, &|received, full_size| {
            assert!(received <= full_size)
        }))
    }

    fn pages(&self) -> Vec<(u64, u32, bool)> {
        self.inner
            .lock()
            .unwrap()
            .calls
            .iter()
            .map(|(_, page, sorted)| (page.offset, page.limit, *sorted))
            .collect()
    }
}

impl Pages for Changing {
    type Entry = ();
    type Error = Fault;

    async fn page(&self, page: Page, sort: &[Sort]) -> Result<Fetched<()>, Fault> {
        let mut inner = self.inner.lock().unwrap();
        if let Some(next) = self.changes.get(&inner.calls.len()) {
            inner.now.clone_from(next);
        }
        let now = inner.now.clone();
        inner.calls.push((now.clone(), page, !sort.is_empty()));
        if self.refuse_over.is_some_and(|most| page.limit > most) {
            return Err(Fault::TooLarge);
        }
        if self.refuse_sort && !sort.is_empty() {
            return Err(Fault::Refused);
        }
        let limit = self.clamp.unwrap_or(u32::MAX).min(page.limit) as usize;
        let entries = now
            .iter()
            .skip(page.offset as usize)
            .take(limit)
            .map(|suite| (suite_ref(*suite), ()))
            .collect();
        Ok(Fetched {
            full_size: now.len() as u64 + self.more,
            entries,
        })
    }

    fn refusal(error: &Fault) -> Refusal {
        if *error == Fault::TooLarge {
            Refusal::PageTooLarge
        } else {
            Refusal::Service
        }
    }
}

fn refs(list: &WholeList<()>) -> Vec<DocRef> {
    list.refs().cloned().collect()
}

#[test]
fn a_clamped_list_is_read_by_what_is_received() {
    let list = Changing {
        clamp: Some(3),
        ..Changing::of(1..8)
    };
    let whole = list.read(5).unwrap();
    assert_eq!(
        (whole.full_size(), whole.pages, whole.clamped),
        (7, 3, Some(3))
    );
    assert_eq!(list.pages(), [(0, 5, true), (3, 5, true), (6, 5, true)]);
}

#[test]
fn a_page_that_is_too_large_is_halved_once() {
    let list = Changing {
        refuse_over: Some(5),
        ..Changing::of(1..8)
    };
    assert_eq!(list.read(10).unwrap().full_size(), 7);
    assert_eq!(list.pages(), [(0, 10, true), (0, 5, true), (5, 5, true)]);
    let list = Changing {
        refuse_over: Some(2),
        ..Changing::of(1..8)
    };
    assert_eq!(list.read(10), Err(ReadFault::Call(Fault::TooLarge)));
}

#[test]
fn a_refused_sort_is_left_out_on_every_page() {
    let list = Changing {
        refuse_sort: true,
        ..Changing::of(1..8)
    };
    assert!(list.read(5).unwrap().unsorted);
    assert_eq!(list.pages(), [(0, 5, true), (0, 5, false), (5, 5, false)]);
}

#[test]
fn a_list_that_ends_before_its_size_is_tried_three_times() {
    let list = Changing {
        more: 1,
        ..Changing::of(1..4)
    };
    let Err(ReadFault::NotReadWhole { why }) = list.read(5) else {
        panic!()
    };
    assert_eq!(why, "an empty page at 3 of 4");
    assert_eq!(list.pages().len(), 6);
}

#[test]
fn a_list_without_end_is_not_read() {
    assert!(matches!(
        Changing::of(1..200).read(5),
        Err(ReadFault::NotReadWhole { .. })
    ));
}

#[test]
fn a_list_that_changes_is_begun_again() {
    let mut list = Changing::of(1..8);
    list.changes.insert(1, (2..8).collect());
    let whole = list.read(4).unwrap();
    assert_eq!(refs(&whole), (2..8).map(suite_ref).collect::<Vec<_>>());
    assert_eq!(list.pages().len(), 4);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// One entry comes or goes before some of the pages: what is read whole was so at one moment.
    #[test]
    fn what_is_read_whole_was_so_at_one_moment(
        start in prop::collection::btree_set(0..30u32, 0..14),
        changes in prop::collection::btree_map(0..12usize, 0..30u32, 0..4),
        page_size in 1..6u32,
    ) {
        let mut now = start.clone();
        let mut list = Changing::of(start);
        for (at, suite) in changes {
            if !now.remove(&suite) {
                now.insert(suite);
            }
            list.changes.insert(at, now.iter().copied().collect());
        }
        // Two opposite changes within one pass are what the second reading of a survey is for.
        let moments = |list: &Changing| list.inner.lock().unwrap().calls.iter().map(|call| call.0.clone()).collect::<Vec<_>>();
        if let Ok(whole) = list.read(page_size) {
            let all = moments(&list);
            let pass = &all[all.len() - whole.pages as usize..];
            let sizes: std::collections::BTreeSet<_> = pass.iter().map(Vec::len).collect();
            prop_assert_eq!(sizes.len(), 1, "a pass over lists of different sizes: {:?}", pass);
            let one = pass.iter().any(|list| list.iter().map(|suite| suite_ref(*suite)).eq(whole.refs().cloned()));
            let twice = pass.windows(2).any(|pair| pair[0] != pair[1]);
            prop_assert!(one || twice, "{:?} was never the list: {:?}", refs(&whole), pass);
        }
    }
}

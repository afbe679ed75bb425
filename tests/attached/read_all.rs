//! A list read page by page: what it must survive, and that it is never a mixture of two times.

use crate::support::prelude::*;
use std::collections::BTreeMap;
use std::sync::Mutex;

use proptest::prelude::*;
use rundown::domain::{
    Extent, ListEntry, ListPage, Pages, ReadFault, ReadList, ReadOptions, Sort, read_all,
};

use super::world::{Fault, suite_ref};

#[derive(Clone, Debug, PartialEq)]
struct Listed(DocRef);

impl ListEntry for Listed {
    fn doc_ref(&self) -> &DocRef {
        &self.0
    }
}

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
    /// From this call on another operation lists.
    gone_from: Option<usize>,
    /// Nothing after this suite is wanted.
    last_wanted: Option<u32>,
    /// The list is too large with the page that begins here.
    too_large_at: Option<u64>,
}

#[derive(Default)]
struct Inner {
    now: Vec<u32>,
    /// The list at each call, the page asked for, and whether it was sorted.
    calls: Vec<(Vec<u32>, Page, bool)>,
    /// What was told of how far it is.
    progress: Vec<(u64, u64)>,
}

impl Changing {
    fn of(entries: impl IntoIterator<Item = u32>) -> Self {
        let inner = Inner::default().with(|it| it.now = entries.into_iter().collect());
        Self {
            inner: Mutex::new(inner),
            ..Self::default()
        }
    }

    fn read(&self, page_size: u32) -> Result<ReadList<Listed>, ReadFault> {
        self.read_as(&whole(page_size))
    }

    fn read_as(&self, options: &ReadOptions) -> Result<ReadList<Listed>, ReadFault> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .unwrap();
        runtime.block_on(read_all(&mut &*self, options))
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

fn whole(page_size: u32) -> ReadOptions {
    ReadOptions {
        page_size,
        sort: vec![Sort {
            path: "Root.General.Title".into(),
            descending: false,
        }],
        may_leave_sort: true,
        extent: Extent::All { at_most: 100 },
    }
}

impl Pages for &Changing {
    type Entry = Listed;
    type Error = Failure;

    async fn page(&mut self, page: Page, sort: &[Sort]) -> Result<ListPage<Listed>, Failure> {
        let mut inner = self.inner.lock().unwrap();
        if let Some(next) = self.changes.get(&inner.calls.len()) {
            inner.now.clone_from(next);
        }
        let now = inner.now.clone();
        inner.calls.push((now.clone(), page, !sort.is_empty()));
        if self.refuse_over.is_some_and(|most| page.limit > most) {
            return Err(Fault::TooLarge.into());
        }
        if self.refuse_sort && !sort.is_empty() {
            return Err(Fault::Refused.into());
        }
        let operation = match self.gone_from {
            Some(call) if inner.calls.len() > call => RunsOperation::ListDocuments,
            _ => RunsOperation::ListTestRuns,
        };
        let limit = self.clamp.unwrap_or(u32::MAX).min(page.limit) as usize;
        let entries = now
            .iter()
            .skip(page.offset as usize)
            .take(limit)
            .map(|suite| Listed(suite_ref(*suite)))
            .collect();
        Ok(ListPage {
            full_size: now.len() as u64 + self.more,
            rows: entries,
            facets: None,
            operation: Some(operation),
        })
    }

    fn is_too_large(&mut self, at: u64, _: &[Listed]) -> bool {
        self.too_large_at == Some(at)
    }

    fn is_enough(&mut self, page: &[Listed], _: bool) -> bool {
        let last = self.last_wanted.map(suite_ref);
        page.iter().any(|listed| Some(&listed.0) == last.as_ref())
    }

    fn progress(&mut self, received: u64, wanted: u64) {
        self.inner.lock().unwrap().progress.push((received, wanted));
    }
}

fn refs(list: &ReadList<Listed>) -> Vec<DocRef> {
    list.refs().cloned().collect()
}

#[test]
fn a_clamped_list_is_read_by_what_is_received() {
    let list = Changing::of(1..8).with(|it| it.clamp = Some(3));
    let whole = list.read(5).unwrap();
    assert_eq!(
        (whole.full_size, whole.entries.len(), whole.pages),
        (7, 7, 3)
    );
    assert_eq!(list.pages(), [(0, 5, true), (3, 5, true), (6, 5, true)]);
    assert_eq!(
        list.inner.into_inner().unwrap().progress,
        [(3, 7), (6, 7), (7, 7)]
    );
}

#[test]
fn a_page_that_is_too_large_is_halved_until_it_is_not() {
    let list = Changing::of(1..8).with(|it| it.refuse_over = Some(5));
    assert_eq!(list.read(10).unwrap().full_size, 7);
    assert_eq!(list.pages(), [(0, 10, true), (0, 5, true), (5, 5, true)]);
    let list = Changing::of(1..8).with(|it| it.refuse_over = Some(2));
    assert_eq!(list.read(10).unwrap().full_size, 7);
    assert_eq!(
        list.pages()[..3],
        [(0, 10, true), (0, 5, true), (0, 2, true)]
    );
    let list = Changing::of(1..8).with(|it| it.refuse_over = Some(0));
    assert_eq!(list.read(10), Err(ReadFault::Call(Fault::TooLarge.into())));
}

#[test]
fn a_refused_sort_is_left_out_on_every_page() {
    let list = Changing::of(1..8).with(|it| it.refuse_sort = true);
    assert!(list.read(5).unwrap().unsorted);
    assert_eq!(list.pages(), [(0, 5, true), (0, 5, false), (5, 5, false)]);
    let wanted = whole(5).with(|it| it.may_leave_sort = false);
    assert_eq!(
        list.read_as(&wanted),
        Err(ReadFault::Call(Fault::Refused.into())),
        "an order that a person asked for"
    );
}

#[test]
fn of_a_long_list_so_many_are_read_as_were_asked_for() {
    let list = Changing::of(1..200);
    let first = |most| whole(5).with(|it| it.extent = Extent::First(most));
    let read = list.read_as(&first(7)).unwrap();
    assert_eq!(refs(&read), (1..8).map(suite_ref).collect::<Vec<_>>());
    assert_eq!(read.full_size, 199);
    assert_eq!(list.pages(), [(0, 5, true), (5, 2, true)]);
    // One that has fewer is read to its end.
    let list = Changing::of(1..4);
    assert_eq!(list.read_as(&first(7)).unwrap().entries.len(), 3);
}

#[test]
fn reading_ends_with_the_page_that_is_enough() {
    let list = Changing::of(1..60).with(|it| it.last_wanted = Some(7));
    let read = list.read(5).unwrap();
    assert_eq!(refs(&read), (1..11).map(suite_ref).collect::<Vec<_>>());
    assert_eq!(read.full_size, 59);
}

#[test]
fn pages_of_two_operations_make_no_list() {
    let list = Changing::of(1..8).with(|it| it.gone_from = Some(1));
    let read = list.read(5).unwrap();
    assert_eq!(read.operation, Some(RunsOperation::ListDocuments));
    assert_eq!(list.pages().len(), 4, "from the start again");
}

#[test]
fn a_list_that_ends_before_its_size_is_tried_three_times() {
    let list = Changing::of(1..4).with(|it| it.more = 1);
    let why = "an empty page at 3 of 4".to_owned();
    assert_eq!(list.read(5), Err(ReadFault::Changed(why)));
    assert_eq!(list.pages().len(), 6);
}

#[test]
fn a_list_without_end_is_not_read() {
    let too_long = ReadFault::TooLong {
        size: 199,
        at_most: 100,
    };
    assert_eq!(Changing::of(1..200).read(5), Err(too_long));
}

#[test]
fn a_list_that_takes_too_much_room_is_not_read_on() {
    let list = Changing::of(1..50).with(|it| it.too_large_at = Some(10));
    let too_long = ReadFault::TooLong {
        size: 49,
        at_most: 10,
    };
    assert_eq!(list.read(5), Err(too_long));
    assert_eq!(list.pages().len(), 3);
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
    #![proptest_config(ProptestConfig::default().with(|it| it.failure_persistence = None))]

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
            let sizes: BTreeSet<_> = pass.iter().map(Vec::len).collect();
            prop_assert_eq!(sizes.len(), 1, "a pass over lists of different sizes: {:?}", pass);
            let one = pass.iter().any(|list| list.iter().map(|suite| suite_ref(*suite)).eq(whole.refs().cloned()));
            let twice = pass.windows(2).any(|pair| pair[0] != pair[1]);
            prop_assert!(one || twice, "{:?} was never the list: {:?}", refs(&whole), pass);
        }
    }
}

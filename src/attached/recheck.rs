//! One moment at which all that is named was there.
//!
//! Lists are read one after the other and page by page: what one page shows may be gone, with something new in its place,
//! when the next one is read, and no count and no size tells. So what the lists of the others name is looked up once more
//! after the last of them. What was there before that moment and after it was there at that moment.

use std::collections::HashSet;

use super::{Free, OtherRun};
use crate::domain::DocRef;

/// The lists to look at again, each with the suites to be found there, so that all that is named is found once. None if
/// one call has shown all of it: then that call is the moment. `here` is free on the run in question, and never named.
pub(super) fn lists_to_recheck<'a>(
    other_runs: &'a [OtherRun],
    here: &HashSet<DocRef>,
) -> Vec<(&'a OtherRun, HashSet<&'a DocRef>)> {
    let named = |free: &'a Free| {
        free.refs()
            .filter(|suite| !here.contains(*suite))
            .collect::<HashSet<_>>()
    };
    let mut lists: Vec<_> = other_runs
        .iter()
        .filter_map(|other| Some((other, named(other.free.as_ref()?))))
        .collect();
    let mut left: HashSet<&DocRef> = lists
        .iter()
        .flat_map(|(_, named)| named.iter().copied())
        .collect();
    let at_once = |other: &OtherRun| {
        other
            .free
            .as_ref()
            .and_then(Free::whole)
            .is_some_and(|list| list.pages == 1)
    };
    if lists
        .iter()
        .any(|(other, named)| named.len() == left.len() && at_once(other))
    {
        return Vec::new();
    }
    let mut out = Vec::new();
    while !left.is_empty() {
        for (_, named) in &mut lists {
            named.retain(|suite| left.contains(suite));
        }
        let Some(most) = (0..lists.len()).max_by_key(|at| lists[*at].1.len()) else {
            break;
        };
        let (other, named) = lists.swap_remove(most);
        left.retain(|suite| !named.contains(suite));
        out.push((other, named));
    }
    out
}

//! Programs that are killed while they keep drafts.

use std::io::Write;
use std::time::Duration;

use rundown::domain::{DraftOwner, FormFor};

use super::{draft, drafts, files, take};
use crate::support::children::{child, killed, told};

/// Keeps texts until it is killed; says each number once it is kept. Now and then it closes the form and opens it again.
#[test]
#[ignore = "a process that the tests start"]
fn child_keeps_until_killed() {
    let Some((folder, number)) = told() else {
        return;
    };
    let drafts = drafts(&folder);
    let mut key = take(&drafts, &FormFor::New).key;
    let mut out = std::io::stdout();
    for round in 0_i64.. {
        let at = i64::from(number) * 1_000_000 + round;
        if round % 5 == 4 {
            drafts.leave(&key);
            let taken = take(&drafts, &FormFor::New);
            assert_eq!(taken.before.map(|draft| draft.at), Some(at - 1));
            key = taken.key;
        }
        // From a few bytes to 300 kB, so that kills meet writes that take a while.
        let text = "x".repeat((round as usize * 7919 + number as usize * 31) % 300_000);
        drafts
            .keep(&draft(
                &key,
                &FormFor::New,
                at,
                &format!("{at} {text} {at}"),
            ))
            .unwrap();
        writeln!(out, "\nkept {at}").unwrap();
        out.flush().unwrap();
    }
}

#[test]
fn after_fifty_kills_the_draft_is_whole_and_not_older_than_what_was_said_to_be_kept() {
    let place = tempfile::tempdir().unwrap();
    let mut died = 0;
    for round in 1..=50 {
        let child = child(
            "drafts::crash::child_keeps_until_killed",
            place.path(),
            round,
        );
        let after = Duration::from_micros(u64::from(round) * 1_371 % 23_000);
        let kept = *killed(child, "kept ", after).last().unwrap();

        let drafts = drafts(place.path());
        let listed = drafts.list(&DraftOwner::default()).unwrap();
        assert!(listed.damaged.is_empty(), "{:?}", listed.damaged);
        died += listed.found.iter().filter(|draft| draft.died).count();
        assert_eq!(
            drafts.list(&DraftOwner::default()).unwrap().found,
            listed.found
        );
        let [draft] = listed.found.as_slice() else {
            panic!("{} drafts", listed.found.len())
        };
        assert!(
            draft.at == kept || draft.at == kept + 1,
            "{} was kept, {} is there",
            kept,
            draft.at
        );
        let title = super::title(draft);
        let at = draft.at.to_string();
        assert!(
            title.starts_with(&at) && title.ends_with(&at),
            "a text of two halves"
        );
        let taken = take(&drafts, &FormFor::New);
        assert_eq!(
            (taken.before.map(|draft| draft.at), taken.other),
            (Some(draft.at), None)
        );
        drafts.leave(&taken.key);
        let left = drafts.list(&DraftOwner::default()).unwrap().found;
        assert!(left.iter().all(|draft| !draft.died), "it was taken");
    }
    // But for a kill between two forms.
    assert!(died > 25, "{died}");
    assert_eq!(
        files(&place.path().join("drafts")).len(),
        2,
        "{:?}",
        files(place.path())
    );
}

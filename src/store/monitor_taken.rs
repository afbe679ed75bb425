//! What an answer does to the cards of a monitor.

use super::card::{Call, Card};
use super::feed::{Entry, What};
use super::monitor::{Answered, MOST, Monitor, Seen};
use crate::domain::{DocRef, RunRow, RunsPage};

/// What samples tell is worked out anew after so many milliseconds, even if nothing has changed: 10 minutes.
const STALE: i64 = 600_000;

impl Monitor {
    /// Takes what an answer says of a run that has a card.
    pub(super) fn take(
        &mut self,
        run: &DocRef,
        page: &RunsPage,
        seen: Seen<'_>,
        answered: &mut Answered,
    ) {
        let Some(card) = self.cards.iter_mut().find(|card| card.row.doc_ref == *run) else {
            return;
        };
        let first = !card.read;
        let new = card.take(page, seen.now, seen.ignored);
        if card.trouble.is_some() {
            return;
        }
        answered.rows.push(card.row.clone());
        let old = card
            .history
            .read_at()
            .is_none_or(|at| seen.now.saturating_sub(at) >= STALE);
        if new || first || old {
            answered.stale.push(run.clone());
        }
        let calls = card.judge(self.gate.as_ref(), seen.done, first);
        answered
            .told
            .extend(calls.into_iter().map(|call| entry(card, call, seen.now)));
    }

    /// Takes the answer to the question for a run of which only the short id is known. It must be one run alone.
    pub(super) fn take_named(
        &mut self,
        id: &str,
        page: &RunsPage,
        seen: Seen<'_>,
        answered: &mut Answered,
    ) {
        let here = self.here();
        let Some(on) = &mut self.on else { return };
        let mut rows = page.rows.iter().filter(|row| row.id.as_deref() == Some(id));
        match (rows.next(), rows.count()) {
            (Some(row), 0) => {
                on.missing.retain(|(known, _)| known != id);
                let place = on.place(id);
                let run = row.doc_ref.clone();
                self.cards
                    .push(self.of_runs.card(row.clone(), seen.now, place));
                self.take(&run, page, seen, answered);
                self.arrange(here.as_ref());
            }
            (Some(_), others) => on.misses(id, format!("is the id of {} runs", others + 1)),
            (None, _) if page.full_size == 0 => on.misses(id, "not found".into()),
            (None, _) => on.misses(
                id,
                format!("not found by its id, but {} others", page.full_size),
            ),
        }
    }

    /// Takes the first runs of the view: cards come and go with them.
    pub(super) fn take_listed(&mut self, page: &RunsPage, seen: Seen<'_>, answered: &mut Answered) {
        let here = self.here();
        let Some(on) = &mut self.on else { return };
        let first = on.found.replace(page.full_size).is_none();
        let mut wanted: Vec<&RunRow> = Vec::new();
        for row in &page.rows {
            if wanted.len() < MOST && !wanted.iter().any(|known| known.doc_ref == row.doc_ref) {
                wanted.push(row);
            }
        }
        let told = |card: &Card, what: What| {
            let (run, name) = (Some(card.row.doc_ref.clone()), card.row.name().to_owned());
            (
                Entry {
                    at: seen.now,
                    run,
                    name,
                    what,
                    looked_at: false,
                },
                false,
            )
        };
        let stays = |card: &Card| wanted.iter().any(|row| row.doc_ref == card.row.doc_ref);
        answered.told.extend(
            self.cards
                .iter()
                .filter(|card| !stays(card))
                .map(|card| told(card, What::Left)),
        );
        self.cards.retain(stays);
        for (place, row) in wanted.iter().enumerate() {
            if let Some(card) = self.card(&row.doc_ref) {
                card.place = place;
            } else {
                let card = self.of_runs.card((*row).clone(), seen.now, place);
                if !first {
                    let words = "is in the view from now on".into();
                    answered
                        .told
                        .push(told(&card, What::Told { words, bad: false }));
                }
                self.cards.push(card);
            }
            self.take(&row.doc_ref, page, seen, answered);
        }
        self.arrange(here.as_ref());
    }
}

/// A line of the feed, and whether somebody is called for it.
fn entry(card: &Card, call: Call, now: i64) -> (Entry, bool) {
    let (run, name) = (Some(card.row.doc_ref.clone()), card.row.name().to_owned());
    let what = What::Told {
        words: call.words,
        bad: call.bad,
    };
    (
        Entry {
            at: now,
            run,
            name,
            what,
            looked_at: false,
        },
        call.rings,
    )
}

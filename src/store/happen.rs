//! What events do to the store.

use super::effect::Effect;
use super::event::Event;
use super::in_flight::Slot;
use super::session::SignInReason;
use super::window::Accepted;
use super::{Detail, Members, Opened, Store};
use crate::attached::Attached;
use crate::domain::{
    DocRef, Failure, FailureKind, Page, RunRow, RunsOperation, RunsPage, SuiteRow,
};

/// Sign-ins without an answer after which the program stops trying by itself.
const SIGN_IN_TRIES: u32 = 3;

/// Milliseconds until a failed read is tried again: longer each time.
const BACKOFF: [u64; 5] = [1_000, 2_000, 5_000, 10_000, 30_000];

impl Store {
    pub(super) fn happen(&mut self, event: Event) {
        let now = self.cx.now;
        let slot = event.answers().map(|id| {
            let slot = self.cx.in_flight.slot(id).cloned();
            if !event.is_part() {
                self.cx.in_flight.end(id);
            }
            slot
        });
        match (slot, event) {
            (Some(Some(slot)), event) => self.answered(slot, event),
            (Some(None), Event::DraftTaken { result, .. }) => self.draft_unwanted(result),
            // Nobody waits for it any more.
            (Some(None), _) => {}
            (None, event) => match event {
                Event::Preparing { done, total } => self.sign_in.preparing = Some((done, total)),
                Event::Connected(session) => self.connected(*session),
                Event::NotConnected(failure) => {
                    self.sign_in.preparing = None;
                    self.sign_in.unconnected = true;
                    self.runs.all.failure = Some(failure.clone());
                    self.cx.failed(failure);
                }
                Event::SignInNeeded { user, why } => self.ask_sign_in(&user, why, now),
                Event::SignInFailed { failure, sent } => self.sign_in_failed(failure, sent),
                Event::SignedIn { user, until } => self.sign_in_done(user, until),
                Event::ProbesLeft(runs) => self.probes_left(runs),
                Event::Unfinished { changes, first } => self.unfinished_came(changes, first),
                Event::DraftKept { key, result } => self.draft_kept(&key, result),
                Event::DraftShared { key, other } => self.draft_shared(&key, other),
                Event::Drafts(drafts) => self.drafts_came(drafts),
                Event::Exported(result) => self.exported(result),
                Event::Focus(here) => self.focus(here),
                Event::Copied { what, bytes } => self.cx.say(format!(
                    "copied {what}, {bytes} bytes, by the terminal (OSC 52)"
                )),
                Event::Trouble(failure) => self.cx.failed(failure),
                _ => {}
            },
        }
    }

    /// Takes what somebody waits for.
    fn answered(&mut self, slot: Slot, event: Event) {
        match (slot, event) {
            (Slot::Look(_) | Slot::Delete(_), event) => self.deletion_happens(event),
            (Slot::Page { found, page, epoch }, Event::Runs { result, .. }) => {
                self.page_came(found, (page, epoch), result);
            }
            (Slot::Counts, Event::Runs { result, .. }) => self.counts_came(result),
            (Slot::Missing(run), Event::Runs { result, .. }) => self.looked_for(&run, &result),
            (Slot::Watched(ask), Event::Runs { result, .. }) => self.monitor_answered(ask, &result),
            (Slot::Document, Event::Document { result, .. }) => self.document_came(result),
            (Slot::FormRun, Event::Document { result, .. }) => self.form_source_came(result),
            (Slot::Reviewed, Event::Document { result, .. }) => self.review_source_came(result),
            (
                Slot::Available,
                Event::AvailableProgress {
                    received,
                    full_size,
                    ..
                },
            ) => {
                if let Some(available) = &mut self.available {
                    available.progress = Some((received, full_size));
                }
            }
            (Slot::Available, Event::Available { result, .. }) => self.available_came(result),
            (Slot::FormSuites, Event::SurveyProgress { words, .. }) => {
                if let Some(form) = &mut self.form {
                    form.progress = Some(words);
                }
            }
            (Slot::FormSuites, Event::Surveyed { result, .. }) => self.form_suites_came(result),
            (Slot::Members | Slot::Probe(_), Event::SurveyProgress { words, .. }) => {
                if let Some(members) = &mut self.members {
                    members.progress = Some(words);
                }
            }
            (Slot::Members, Event::Surveyed { result, .. }) => self.members_came(None, result),
            (Slot::Probe(run), Event::Surveyed { result, .. }) => {
                self.members_came(Some(&run), result);
            }
            (Slot::ChangeSuites, Event::ChangeStep { step, .. }) => self.change_step(step),
            (_, Event::ChangeStep { step, .. }) => self.review_step(step),
            (_, Event::Changed { outcome, .. }) => self.changed(outcome),
            (Slot::Rest(screen, layer), Event::RestRead { result, .. }) => {
                self.rest_read((screen, layer), result);
            }
            (_, Event::Journal { result, .. }) => self.journal_came(result),
            (_, Event::Modified { end, .. }) => self.modified(end),
            (_, Event::Created { end, .. }) => self.created(*end),
            (_, Event::LookedFor { result, .. }) => self.looked_for_sent(result),
            (_, Event::DraftTaken { result, .. }) => self.draft_taken(result),
            (Slot::Editor(field), Event::Edited { result, .. }) => {
                self.edited_outside(field, result);
            }
            (Slot::Undo(screen, layer), Event::UndoPlanned { result, .. }) => {
                self.undo_planned((screen, layer), result);
            }
            (Slot::WatchedHistory(run), Event::History { result, .. }) => {
                self.card_history_came(&run, result);
            }
            (_, Event::History { result, .. }) => self.history_came(result),
            (_, Event::WhatIf { result, .. }) => self.what_if_came(result),
            (slot, Event::Timer(_)) => self.timer(&slot),
            // Left probe runs are deleted; those that are still there were told before.
            _ => {}
        }
    }

    fn sign_in_failed(&mut self, failure: Failure, sent: bool) {
        let now = self.cx.now;
        if self.cx.shared.signed_in.is_some() {
            // Somebody has signed in by hand meanwhile: there is nothing to try again.
            return self.cx.errors.push(now, failure);
        }
        if sent && self.sign_in.tries + 1 >= SIGN_IN_TRIES {
            // Each try may have been counted, although no answer came: now a person decides.
            let words = format!(
                "{}: {}. It is not tried again by itself.",
                failure.asked, failure.came_back
            );
            return self.ask_sign_in("", SignInReason::Failed(words), now);
        }
        self.sign_in.tries += u32::from(sent);
        self.sign_in.pending = true;
        self.runs.all.failure = Some(failure.clone());
        self.list_failed(failure);
    }

    fn form_suites_came(&mut self, result: Result<Box<Attached>, Failure>) {
        let failure = result.as_ref().err().cloned();
        if let Some(form) = &mut self.form {
            // A set that is known whole goes along unless the person says otherwise.
            form.with_suites = result.as_ref().is_ok_and(|attached| attached.is_complete());
            form.suites.accept(result, self.cx.now);
        }
        if let Some(failure) = failure {
            self.cx.failed(failure);
        }
    }

    /// Suites are worked out, by a probe of a run or without one. Of a probe, which is a write, a failure is told wherever
    /// the person is by now.
    fn members_came(&mut self, probed: Option<&DocRef>, result: Result<Box<Attached>, Failure>) {
        let failure = result.as_ref().err().cloned();
        let wanted = |members: &&mut Members| probed.is_none_or(|run| members.run.doc_ref == *run);
        if let Some(members) = self.members.as_mut().filter(wanted) {
            members.verdict.accept(result, self.cx.now);
            members.arrange();
        }
        if let Some(failure) = failure {
            self.cx.failed(failure);
        }
    }

    fn probes_left(&mut self, runs: Vec<DocRef>) {
        if !runs.is_empty() {
            self.cx
                .complain("a probe run was left behind: \": delete left\" deletes it");
        }
        let new = runs
            .into_iter()
            .filter(|run| !self.cx.shared.left_probes.contains(run))
            .collect::<Vec<_>>();
        self.cx.shared.left_probes.extend(new);
    }

    fn available_came(&mut self, result: Result<Vec<SuiteRow>, Failure>) {
        let failure = result.as_ref().err().cloned();
        if let Some(available) = &mut self.available {
            available.list.accept(result, self.cx.now);
            available.arrange();
        }
        if let Some(failure) = failure {
            self.cx.failed(failure);
        }
    }

    /// Asks again for what failed.
    pub(super) fn resume(&mut self) {
        self.cx.give_up(&Slot::RetryPause);
        self.list_began();
        self.runs.all.retry();
        if let Some(found) = &mut self.runs.found {
            found.retry();
        }
    }

    pub(super) fn reread_failed_detail(&mut self) {
        if let Some(detail) = &mut self.detail
            && detail.document.failure().is_some()
        {
            detail.read(&mut self.cx);
        }
    }

    fn counts_came(&mut self, result: Result<RunsPage, Failure>) {
        let Some(detail) = &mut self.detail else {
            return;
        };
        let wanted = detail.doc_ref.clone();
        let result = result.map(|page| page.rows.into_iter().find(|row| row.doc_ref == wanted));
        let (failure, row) = (
            result.as_ref().err().cloned(),
            result.as_ref().ok().cloned().flatten(),
        );
        detail.counts.accept(result, self.cx.now);
        if let Some(failure) = failure {
            self.cx.failed(failure);
        }
        if let Some(row) = row {
            self.saw_run(&row);
        }
        self.reread_history();
    }

    fn page_came(
        &mut self,
        is_found: bool,
        (page, epoch): (Page, u64),
        result: Result<RunsPage, Failure>,
    ) {
        let now = self.cx.now;
        let window = if is_found {
            self.runs.found.as_ref()
        } else {
            Some(&self.runs.all)
        };
        if let (Ok(page), true) = (&result, window.is_some_and(|it| it.epoch() == epoch)) {
            self.saw_page(page);
        }
        let brought = result
            .as_ref()
            .ok()
            .map(|page| (page.operation, page.facets.clone()));
        let here = self.runs.current().map(|run| run.doc_ref.clone());
        let accepted = match &mut self.runs.found {
            Some(found) if is_found => {
                let first = found.full_size().is_none();
                let accepted = found.accept(page, epoch, result, now);
                if let (true, Some(here)) = (first, &here) {
                    // The service's answer takes the place of the local one: the cursor stays on its run.
                    found.go_to(here);
                }
                accepted
            }
            _ => self.runs.all.accept(page, epoch, result, now),
        };
        match accepted {
            Accepted::Taken => {}
            Accepted::Unsorted => {
                if !is_found {
                    self.runs.sort.clear();
                }
                self.cx
                    .complain("the service refused the sort order: the list is in its own order");
            }
            Accepted::Failed(failure) => {
                return self.list_failed(failure);
            }
        }
        self.compare_whole();
        let failing = [Some(&self.runs.all), self.runs.found.as_ref()]
            .into_iter()
            .flatten()
            .any(|window| window.failure.is_some());
        if !failing
            && self.refresh.retries > 0
            && self.cx.notice.as_ref().is_some_and(|notice| notice.bad)
        {
            // It works again: the words about the failure stay under `!`.
            self.cx.notice = None;
        }
        if !failing {
            self.refresh.retries = 0;
            self.cx.give_up(&Slot::RetryPause);
        }
        if let Some((operation, facets)) = brought {
            if self.runs.operation == Some(RunsOperation::ListTestRuns)
                && operation == RunsOperation::ListDocuments
            {
                self.cx.complain(
                    "LIST_TEST_RUNS is gone: no suites, progress, results and left from now on",
                );
            }
            self.runs.operation = Some(operation);
            if let Some(facets) = facets.filter(|facets| !facets.is_empty()) {
                self.runs.facets = facets;
            }
        }
        if self.runs.matches.is_some() {
            self.runs.match_loaded();
        }
    }

    fn list_failed(&mut self, failure: Failure) {
        let again = failure.may_retry && failure.kind != FailureKind::SignIn;
        self.cx.failed(failure);
        if again && !self.tries_again() {
            let step = (self.refresh.retries as usize).min(BACKOFF.len() - 1);
            self.refresh.retries += 1;
            self.cx.timer(Slot::RetryPause, BACKOFF[step]);
        }
    }

    fn document_came(&mut self, result: Result<Box<Opened>, Failure>) {
        let Some(detail) = &mut self.detail else {
            return;
        };
        let failure = result.as_ref().err().cloned();
        detail.document.accept(result, self.cx.now);
        detail.json.scroll.fit(detail.json_len());
        let copies = std::mem::take(&mut detail.copies);
        if let Some(failure) = failure {
            self.cx.failed(failure);
        } else if copies {
            self.copy_json();
        }
    }

    fn timer(&mut self, slot: &Slot) {
        match slot {
            Slot::RefreshPause => self.refresh_is_due(),
            Slot::RetryPause if !self.held_back() => {
                self.resume();
                if self.sign_in.pending {
                    self.cx.effect(Effect::SignInAsConfigured);
                }
            }
            Slot::DraftPause => self.keep_form(),
            Slot::TypingPause => self.runs.ask_service(&mut self.cx),
            _ => {}
        }
    }

    /// Opens the run under the cursor, if it is here.
    pub(super) fn open_current(&mut self) -> bool {
        let Some(row) = self.runs.current().cloned() else {
            if !self.runs.is_empty() {
                self.cx.say("this row is not here yet");
            }
            return false;
        };
        let read_at = self.runs.window().read_at().unwrap_or_default();
        self.open_run(row, read_at);
        true
    }

    /// Opens a run of which this was read at a time.
    pub(super) fn open_run(&mut self, row: RunRow, read_at: i64) {
        self.cx.shared.feed.looked_at(&row.doc_ref);
        self.leave_detail();
        let counted =
            row.results.is_some() || self.runs.operation == Some(RunsOperation::ListDocuments);
        let mut detail = Detail::new(row.doc_ref.clone(), Some((row, read_at)));
        detail.read(&mut self.cx);
        if !counted {
            detail.read_counts(&mut self.cx);
        }
        detail.read_history(&mut self.cx);
        self.detail = Some(detail);
    }

    pub(super) fn leave_detail(&mut self) {
        if let Some(detail) = &mut self.detail {
            detail.cancel(&mut self.cx);
            self.cx.give_up(&Slot::History);
        }
    }
}

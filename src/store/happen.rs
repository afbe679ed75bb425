//! What events do to the store.

use super::effect::Effect;
use super::event::Event;
use super::message::RequestId;
use super::session::SignInReason;
use super::window::Accepted;
use super::{Detail, Opened, Store};
use crate::attached::Attached;
use crate::domain::{DocRef, Failure, FailureKind, RunRow, RunsOperation, RunsPage, SuiteRow};

/// Sign-ins without an answer after which the program stops trying by itself.
const SIGN_IN_TRIES: u32 = 3;

/// Milliseconds until a failed read is tried again: longer each time.
const BACKOFF: [u64; 5] = [1_000, 2_000, 5_000, 10_000, 30_000];

impl Store {
    pub(super) fn happen(&mut self, event: Event, now: i64) -> Vec<Effect> {
        if self.is_for_deletion(&event) {
            return self.deletion_happens(event);
        }
        match event {
            Event::Preparing { done, total } => {
                self.preparing = Some((done, total));
                Vec::new()
            }
            Event::Connected(session) => self.connected(*session),
            Event::NotConnected(failure) => {
                self.preparing = None;
                self.unconnected = true;
                self.runs.all.failure = Some(failure.clone());
                self.failed(failure, now)
            }
            Event::SignInNeeded { user, why } => self.ask_sign_in(&user, why, now),
            Event::SignInFailed { failure, .. } if self.signed_in.is_some() => {
                // Somebody has signed in by hand meanwhile: there is nothing to try again.
                self.errors.push(now, failure);
                Vec::new()
            }
            Event::SignInFailed {
                failure,
                sent: true,
            } if self.sign_in_tries + 1 >= SIGN_IN_TRIES => {
                // Each try may have been counted, although no answer came: now a person decides.
                let words = format!(
                    "{}: {}. It is not tried again by itself.",
                    failure.asked, failure.came_back
                );
                self.ask_sign_in("", SignInReason::Failed(words), now)
            }
            Event::SignInFailed { failure, sent } => {
                self.sign_in_tries += u32::from(sent);
                self.sign_in_pending = true;
                self.runs.all.failure = Some(failure.clone());
                self.list_failed(failure, now)
            }
            Event::SignedIn { user, until } => self.sign_in_done(user, until),
            Event::Runs { id, result } => self.runs_came(id, result, now),
            Event::Document { id, result } => self.document_came(id, result, now),
            Event::AvailableProgress {
                id,
                received,
                full_size,
            } => {
                self.available_progress(id, received, full_size);
                Vec::new()
            }
            Event::Available { id, result } => self.available_came(id, result, now),
            Event::SurveyProgress { id, words } => {
                if let Some(members) = self
                    .members
                    .as_mut()
                    .filter(|members| members.verdict.asked() == Some(id))
                {
                    members.progress = Some(words);
                } else if let Some(form) = self
                    .form
                    .as_mut()
                    .filter(|form| form.suites.asked() == Some(id))
                {
                    form.progress = Some(words);
                }
                Vec::new()
            }
            Event::Surveyed { id, result } => self.surveyed(id, result, now),
            Event::ChangeStep { id, step } => {
                self.review_step(id, &step);
                self.change_step(id, step);
                Vec::new()
            }
            Event::Changed { id, outcome } => self.changed(id, outcome),
            Event::ProbesLeft(runs) => {
                self.probes_left(runs);
                Vec::new()
            }
            Event::Unfinished { changes, first } => {
                self.unfinished_came(changes, first);
                Vec::new()
            }
            Event::RestRead { id, result } => self.rest_read(id, result),
            Event::ProbesDeleted(id) => {
                self.probing.take_if(|probing| *probing == id);
                Vec::new()
            }
            Event::Journal { id, result } => {
                self.journal_came(id, result, now);
                Vec::new()
            }
            Event::Modified { id, end } => self.modified(id, end),
            Event::Created { id, end, .. } => self.created(id, *end),
            Event::LookedFor { id, result } => self.looked_for_sent(id, &result),
            Event::DraftTaken { id, result } => self.draft_taken(id, result),
            Event::DraftKept { key, result } => self.draft_kept(&key, result),
            Event::DraftShared { key, other } => self.draft_shared(&key, other),
            Event::Drafts(drafts) => self.drafts_came(drafts),
            Event::Edited { id, result } => self.edited_outside(id, result),
            Event::UndoPlanned { id, result } => self.undo_planned(id, result),
            // Nobody waits for it any more.
            Event::Emptiness { .. } | Event::Deleting { .. } | Event::Deleted { .. } => Vec::new(),
            Event::History { id, result } => {
                self.history_came(id, result, now);
                Vec::new()
            }
            Event::WhatIf { id, result } => {
                self.what_if_came(id, result);
                Vec::new()
            }
            Event::Exported(result) => self.exported(result),
            Event::Timer(id) => self.timer(id),
            Event::Focus(here) => self.focus(here),
            Event::Copied { what, bytes } => {
                self.say(format!(
                    "copied {what}, {bytes} bytes, by the terminal (OSC 52)"
                ));
                Vec::new()
            }
            Event::Trouble(failure) => self.failed(failure, now),
        }
    }

    fn surveyed(
        &mut self,
        id: RequestId,
        result: Result<Box<Attached>, Failure>,
        now: i64,
    ) -> Vec<Effect> {
        let failure = result.as_ref().err().cloned();
        let probed = self.probing.take_if(|probing| *probing == id).is_some();
        if let Some(form) = self
            .form
            .as_mut()
            .filter(|form| form.suites.asked() == Some(id))
        {
            // A set that is known whole goes along unless the person says otherwise.
            form.with_suites = result.as_ref().is_ok_and(|attached| attached.is_complete());
            form.suites.accept(id, result, now);
        } else if let Some(members) = self
            .members
            .as_mut()
            .filter(|members| members.verdict.asked() == Some(id))
        {
            members.verdict.accept(id, result, now);
            members.arrange();
        } else if !probed {
            // Nobody waits for it. Of a probe run, which is a write, a failure is told wherever the person is by now.
            return Vec::new();
        }
        failure
            .map(|failure| self.failed(failure, now))
            .unwrap_or_default()
    }

    fn probes_left(&mut self, runs: Vec<DocRef>) {
        if !runs.is_empty() {
            self.complain("a probe run was left behind: \": delete left\" deletes it");
        }
        let new = runs
            .into_iter()
            .filter(|run| !self.left_probes.contains(run))
            .collect::<Vec<_>>();
        self.left_probes.extend(new);
    }

    fn available_progress(&mut self, id: RequestId, received: u64, full_size: u64) {
        if let Some(available) = self
            .available
            .as_mut()
            .filter(|available| available.list.asked() == Some(id))
        {
            available.progress = Some((received, full_size));
        }
    }

    fn available_came(
        &mut self,
        id: RequestId,
        result: Result<Vec<SuiteRow>, Failure>,
        now: i64,
    ) -> Vec<Effect> {
        let failure = result.as_ref().err().cloned();
        let Some(available) = self
            .available
            .as_mut()
            .filter(|available| available.list.asked() == Some(id))
        else {
            return Vec::new();
        };
        available.list.accept(id, result, now);
        available.arrange();
        failure
            .map(|failure| self.failed(failure, now))
            .unwrap_or_default()
    }

    /// Asks again for what failed.
    pub(super) fn resume(&mut self) {
        self.retry = None;
        self.list_began();
        self.runs.all.retry();
        if let Some(found) = &mut self.runs.found {
            found.retry();
        }
    }

    pub(super) fn reread_failed_detail(&mut self) -> Vec<Effect> {
        let id = self.number();
        match &mut self.detail {
            Some(detail) if detail.document.failure().is_some() => detail.read(id),
            _ => Vec::new(),
        }
    }

    fn runs_came(
        &mut self,
        id: RequestId,
        result: Result<RunsPage, Failure>,
        now: i64,
    ) -> Vec<Effect> {
        if let Some(effects) = self
            .monitor_answered(id, &result)
            .or_else(|| self.looked_for(id, &result))
        {
            return effects;
        }
        if let Some(detail) = &mut self.detail
            && detail.counts.asked() == Some(id)
        {
            let wanted = detail.doc_ref.clone();
            let result = result.map(|page| page.rows.into_iter().find(|row| row.doc_ref == wanted));
            let (failure, row) = (
                result.as_ref().err().cloned(),
                result.as_ref().ok().cloned().flatten(),
            );
            detail.counts.accept(id, result, now);
            let mut effects = failure
                .map(|failure| self.failed(failure, now))
                .unwrap_or_default();
            effects.extend(row.and_then(|row| self.saw_run(&row)));
            effects.extend(self.reread_history());
            return effects;
        }
        let windows = [Some(&self.runs.all), self.runs.found.as_ref()];
        let mut effects = match &result {
            Ok(page)
                if windows
                    .into_iter()
                    .flatten()
                    .any(|window| window.asks_now(id)) =>
            {
                self.saw_page(page)
            }
            _ => Vec::new(),
        };
        let brought = result
            .as_ref()
            .ok()
            .map(|page| (page.operation, page.facets.clone()));
        let here = self.runs.current().map(|run| run.doc_ref.clone());
        let for_all = self.runs.all.asks(id);
        let accepted = match &mut self.runs.found {
            Some(found) if !for_all => {
                let first = found.full_size().is_none();
                let accepted = found.accept(id, result, now);
                if let (true, Some(here)) = (first, &here) {
                    // The service's answer takes the place of the local one: the cursor stays on its run.
                    found.go_to(here);
                }
                accepted
            }
            _ => self.runs.all.accept(id, result, now),
        };
        match accepted {
            Accepted::Foreign => return Vec::new(),
            Accepted::Taken => {}
            Accepted::Unsorted => {
                if for_all {
                    self.runs.sort.clear();
                }
                self.complain("the service refused the sort order: the list is in its own order");
            }
            Accepted::Failed(failure) => {
                effects.extend(self.list_failed(failure, now));
                return effects;
            }
        }
        effects.extend(self.compare_whole());
        let failing = [Some(&self.runs.all), self.runs.found.as_ref()]
            .into_iter()
            .flatten()
            .any(|window| window.failure.is_some());
        if !failing && self.retries > 0 && self.notice.as_ref().is_some_and(|notice| notice.bad) {
            // It works again: the words about the failure stay under `!`.
            self.notice = None;
        }
        if !failing {
            self.retries = 0;
            self.retry = None;
        }
        if let Some((operation, facets)) = brought {
            if self.runs.operation == Some(RunsOperation::ListTestRuns)
                && operation == RunsOperation::ListDocuments
            {
                self.complain(
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
        effects
    }

    fn list_failed(&mut self, failure: Failure, now: i64) -> Vec<Effect> {
        let again = failure.may_retry && failure.kind != FailureKind::SignIn;
        let mut effects = self.failed(failure, now);
        if again && self.retry.is_none() {
            let id = self.number();
            self.retry = Some(id);
            let step = (self.retries as usize).min(BACKOFF.len() - 1);
            self.retries += 1;
            effects.push(Effect::Timer {
                id,
                after: BACKOFF[step],
            });
        }
        effects
    }

    fn document_came(
        &mut self,
        id: RequestId,
        result: Result<Box<Opened>, Failure>,
        now: i64,
    ) -> Vec<Effect> {
        if let Some(effects) = self.form_source_came(id, &result) {
            return effects;
        }
        if let Some(effects) = self.review_source_came(id, &result) {
            return effects;
        }
        let Some(detail) = &mut self.detail else {
            return Vec::new();
        };
        let failure = result.as_ref().err().cloned();
        if !detail.document.accept(id, result, now) {
            return Vec::new();
        }
        detail.json.scroll.fit(detail.json_len());
        if let Some(failure) = failure {
            self.copy_on_arrival = None;
            return self.failed(failure, now);
        }
        if self.copy_on_arrival.take() == Some(id) {
            self.copy_json()
        } else {
            Vec::new()
        }
    }

    fn timer(&mut self, id: RequestId) -> Vec<Effect> {
        if let Some(effects) = self.refresh_timer(id) {
            return effects;
        }
        if self.retry == Some(id) {
            if self.held_back() {
                self.retry = None;
                return Vec::new();
            }
            self.resume();
            if self.sign_in_pending {
                return vec![Effect::SignInAsConfigured];
            }
        } else if self
            .form
            .as_ref()
            .is_some_and(|form| form.draft.timer == Some(id))
        {
            return self.keep_form();
        } else if self.runs.pause == Some(id) {
            self.runs.ask_service();
        }
        Vec::new()
    }

    /// Keeps a failure and says it in one line. Nothing follows from it: the list of effects is empty.
    pub(super) fn failed(&mut self, failure: Failure, now: i64) -> Vec<Effect> {
        self.complain(format!("{}: {}", failure.asked, failure.came_back));
        self.errors.push(now, failure);
        Vec::new()
    }

    /// Opens the run under the cursor, if it is here.
    pub(super) fn open_current(&mut self) -> Vec<Effect> {
        let Some(row) = self.runs.current().cloned() else {
            if !self.runs.is_empty() {
                self.say("this row is not here yet");
            }
            return Vec::new();
        };
        let read_at = self.runs.window().read_at().unwrap_or_default();
        self.open_run(row, read_at)
    }

    /// Opens a run of which this was read at a time.
    pub(super) fn open_run(&mut self, row: RunRow, read_at: i64) -> Vec<Effect> {
        self.feed.looked_at(&row.doc_ref);
        let mut effects = self.leave_detail();
        let counted =
            row.results.is_some() || self.runs.operation == Some(RunsOperation::ListDocuments);
        let mut detail = Detail::new(row.doc_ref.clone(), Some((row, read_at)));
        effects.extend(detail.read(self.number()));
        if !counted {
            effects.extend(detail.read_counts(self.number()));
        }
        effects.push(detail.read_history(self.number()));
        self.detail = Some(detail);
        effects
    }

    pub(super) fn leave_detail(&mut self) -> Vec<Effect> {
        let Some(detail) = &mut self.detail else {
            return Vec::new();
        };
        [detail.document.cancel(), detail.counts.cancel()]
            .into_iter()
            .flatten()
            .map(Effect::Cancel)
            .collect()
    }
}

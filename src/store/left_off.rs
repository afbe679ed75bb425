//! Saving the current place for the next start, and resuming there.

use super::{Action, Layer, Open, RunPart, Store, Watched};
use crate::domain::{LeftOff, LeftOn};
use crate::mirror::Run;

impl Store {
    /// Returns the place to be kept; `None` also if nothing was seen here, without a sign-in and without what was kept.
    pub fn left_off(&self) -> Option<LeftOff> {
        let shared = &self.cx.shared;
        let saw = shared.signed_in || shared.has_runs || shared.away_since.is_some();
        self.place_here().filter(|_| saw)
    }

    /// Returns the current place; `None` without a profile, or before the last place is restored.
    pub(super) fn place_here(&self) -> Option<LeftOff> {
        self.cx.shared.session.as_ref()?;
        if self.sign_in.goes_on.is_some() || self.sign_in.goes_to.is_some() {
            return None;
        }
        let screens = &self.screens;
        let monitor = screens
            .monitor
            .as_ref()
            .and_then(|it| it.origin.view.as_deref());
        let run = screens
            .run
            .as_ref()
            .map(|detail| (detail.run.doc_ref.clone(), detail.part));
        // Screens above a run belong to that run.
        let screen = match (monitor, run) {
            (Some(view), _) if screens.has(Layer::Monitor) => LeftOn::Monitor(view.to_owned()),
            (_, Some((run, part))) if screens.has(Layer::Detail) => LeftOn::Run(run, part),
            _ => LeftOn::List,
        };
        Some(LeftOff {
            screen,
            every: screens.chosen.every,
            ..screens.runs.left_off()
        })
    }

    /// Restores the last place: the settings of the list, before its runs are loaded.
    pub fn go_on_at(&mut self, left_off: &LeftOff) {
        if !self.screens.runs.go_on_at(left_off) {
            self.sign_in.goes_to = Some(left_off.clone());
        }
        self.screens.chosen.every = left_off.every;
        let goes_on = self.sign_in.starts_on.is_none() && left_off.screen != LeftOn::List;
        self.sign_in.goes_on = goes_on.then(|| left_off.screen.clone());
    }

    /// Sets the rows on the screen before all runs are loaded.
    pub fn first_rows(&mut self, rows: Vec<Run>, left_off: &LeftOff) {
        if !rows.is_empty() {
            self.screens.runs.first_rows(rows, left_off);
        }
    }

    /// Opens the last screen on top, once its data is loaded.
    pub(super) fn go_on(&mut self) {
        let shared = &self.cx.shared;
        if !shared.signed_in && shared.away_since.is_none() {
            return;
        }
        match self.sign_in.goes_on.take() {
            Some(LeftOn::Monitor(view)) if shared.view(&view).is_ok() => {
                self.cx.open(Open::Monitor(Watched::View(view)));
            }
            // A kept tab is not loaded yet.
            Some(monitor @ LeftOn::Monitor(_)) => self.sign_in.goes_on = Some(monitor),
            Some(LeftOn::Run(run, part)) => match self.screens.runs.run(&run) {
                Some(run) => self.cx.open(Open::Run(run.clone(), RunPart::Part(part))),
                None => self.sign_in.goes_on = Some(LeftOn::Run(run, part)),
            },
            _ => {}
        }
    }

    /// Cancels the restoring: a user who presses a key wants to stay, except in the box of the sign-in.
    pub(super) fn stay(&mut self, action: &Action) {
        if !action.is_of_the_program() && self.layer() != Layer::Login {
            (self.sign_in.goes_on, self.sign_in.goes_to) = (None, None);
            // A key elsewhere chooses no row before there is one.
            if self.layer() == Layer::Runs || self.screens.runs.current().is_some() {
                self.screens.runs.hold();
            }
        }
    }
}

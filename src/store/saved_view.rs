//! Saved views: the list is set to one, the monitor opens on one.

use std::collections::BTreeMap;

use super::monitor::Monitor;
use super::watched::OnView;
use super::{Screen, Store};
use crate::domain::SavedView;
use crate::domain::fields::VERSION;

impl Store {
    /// After the sign-in the monitor opens on this view.
    pub fn start_on(&mut self, view: Option<String>) {
        self.sign_in.starts_on = view;
    }

    /// The saved views of the profile.
    pub fn views(&self) -> &[SavedView] {
        self.cx
            .shared
            .session
            .as_ref()
            .map_or(&[], |session| session.watch.views.as_slice())
    }

    fn view(&mut self, name: &str) -> Option<SavedView> {
        let found = self.views().iter().find(|view| view.name == name).cloned();
        if found.is_none() {
            let known: Vec<&str> = self.views().iter().map(|view| view.name.as_str()).collect();
            let known = match known.as_slice() {
                [] => "the profile has none; [[profiles.NAME.views]] of the config makes one"
                    .to_owned(),
                known => format!("there are: {}", known.join(", ")),
            };
            self.cx
                .complain(format!("there is no view {name:?}; {known}"));
        }
        found
    }

    /// Sets the list to a view.
    pub(super) fn use_view(&mut self, name: &str) {
        let Some(view) = self.view(name) else {
            return;
        };
        if !view.sets_list() {
            self.cx.say(format!("view {name} names runs for the monitor and nothing for the list: \": monitor {name}\""));
            return;
        }
        self.leave_monitor();
        self.stack.home();
        self.cx.shared.feed.open = false;
        let chosen = self.chosen_beside(&view);
        self.runs.use_view(view, chosen, &mut self.cx);
    }

    /// Opens the monitor on a view.
    pub(super) fn watch_view(&mut self, name: &str) {
        let Some(view) = self.view(name) else {
            return;
        };
        let mut filter = view.filter.clone();
        let chosen = self.chosen_beside(&view);
        filter
            .filters
            .extend(chosen.iter().map(|(path, value)| format!("{path}:{value}")));
        let sorts = if view.sorts.is_empty() {
            super::runs::newest_edits()
        } else {
            view.sorts.clone()
        };
        let on = OnView::new(&view, filter, sorts);
        self.leave_monitor();
        let monitor = Monitor::on_view(on, self.cx.shared.of_runs.clone(), self.pace());
        self.stack.home();
        self.begin_monitor(monitor, view.gate);
    }

    /// The view that `M` watches: the one in force, if nobody has marked runs or narrowed the list further.
    pub(super) fn view_to_watch(&self) -> Option<String> {
        let view = self
            .runs
            .view()
            .filter(|_| self.stack.top() == Screen::Runs && self.runs.marks.is_empty())?;
        let as_it_is =
            self.runs.text.text().is_empty() && self.runs.chosen == self.chosen_beside(view);
        as_it_is.then(|| view.name.clone())
    }

    /// The version of the profile, unless the view chooses versions itself.
    fn chosen_beside(&self, view: &SavedView) -> BTreeMap<String, String> {
        let path = |filter: &String| filter.split_once(':').map(|(path, _)| path.to_owned());
        let chooses = view
            .filter
            .filters
            .iter()
            .filter_map(path)
            .any(|path| path == VERSION.path);
        let version = self
            .cx
            .shared
            .session
            .as_ref()
            .and_then(|session| session.project_version.clone());
        version
            .filter(|_| !chooses)
            .map(|version| (VERSION.path.to_owned(), version))
            .into_iter()
            .collect()
    }
}

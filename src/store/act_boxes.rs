//! What actions do in the boxes over the screens.

use super::effect::Effect;
use super::message::{Action, Motion};
use super::picker::Choice;
use super::session::Password;
use super::{LoginField, Picker, PickerKind, Screen, Store};
use crate::domain::{DraftWish, Sort};

impl Store {
    pub(super) fn act_typing(&mut self, action: Action) {
        if self.delete_layer().is_some() {
            return self.act_delete(&action);
        }
        match self.stack.top() {
            Screen::Json => return self.act_search(action),
            Screen::Available => return self.act_available_filter(action),
            Screen::Members => return self.act_reference(action),
            Screen::Monitor => return self.act_monitor_field(action),
            Screen::Runs | Screen::Detail | Screen::Form | Screen::Review => {}
        }
        let changed = match action {
            Action::Type(key) => self.runs.text.key(key),
            Action::Paste(text) => self.runs.text.paste(&text),
            Action::Move(motion) => {
                self.runs.go(motion);
                false
            }
            Action::Open => {
                self.runs.typing = false;
                self.runs.ask_service(&mut self.cx);
                false
            }
            Action::Back => {
                self.runs.typing = false;
                false
            }
            _ => false,
        };
        if changed {
            self.runs.text_changed(&mut self.cx);
        }
    }

    fn act_search(&mut self, action: Action) {
        let Some(detail) = &mut self.detail else {
            return;
        };
        let changed = match action {
            Action::Type(key) => detail.json.search.key(key),
            Action::Paste(text) => detail.json.search.paste(&text),
            Action::Open | Action::Back => {
                detail.json.typing = false;
                false
            }
            _ => false,
        };
        if changed {
            detail.json.missing = !detail.find(true, true) && !detail.json.search.text().is_empty();
        }
    }

    pub(super) fn act_picker(&mut self, action: Action) {
        let Some(picker) = &mut self.picker else {
            return;
        };
        match action {
            Action::Move(motion) => picker.go(motion),
            Action::Back => self.picker = None,
            Action::NextField => picker.complete(),
            Action::Type(key) if picker.text.key(key) => picker.narrow(),
            Action::Paste(text) if picker.text.paste(&text) => picker.narrow(),
            Action::Toggle if matches!(picker.kind, PickerKind::Palette | PickerKind::Drafts) => {
                picker.text.paste(" ");
                picker.narrow();
            }
            Action::Toggle => self.choose(true),
            Action::Open => self.choose(false),
            _ => {}
        }
    }

    /// Takes the entry under the cursor; `stay` keeps the picker open for another.
    fn choose(&mut self, stay: bool) {
        let Some(picker) = &mut self.picker else {
            return;
        };
        let typed = picker.text.text().trim().to_owned();
        if !stay && picker.ticked && typed.is_empty() {
            self.picker = None;
            return;
        }
        picker.ticked |= stay;
        let parsed = (picker.kind == PickerKind::Palette && !typed.is_empty())
            .then(|| Self::parse_command(&typed));
        let views = self
            .cx
            .shared
            .session
            .iter()
            .flat_map(|session| &session.watch.views);
        let known = |name: &str| views.clone().any(|view| view.name == name);
        let choice = match (parsed, picker.current()) {
            // A command that is written out is meant as it is written.
            (Some(Ok(Choice::Do(action))), _) => Choice::Do(action),
            (Some(Ok(choice @ Choice::Project(..))), _) => choice,
            // A part of a name is completed; any other command is not what was meant.
            (Some(Ok(choice)), entry) if choice.view().is_some() => {
                let completed = entry.map(|entry| &entry.choice);
                let completed = completed
                    .filter(|entry| entry.view().is_some() && !choice.view().is_some_and(known));
                completed.cloned().unwrap_or(choice)
            }
            (Some(Ok(Choice::Profile(name))), _)
                if self
                    .cx
                    .shared
                    .profiles
                    .iter()
                    .any(|known| known.name == name) =>
            {
                Choice::Profile(name)
            }
            (_, Some(entry)) => entry.choice.clone(),
            (Some(Ok(choice)), None) => choice,
            (Some(Err(problem)), None) => {
                picker.problem = Some(problem);
                return;
            }
            (None, None) => return,
        };
        if !stay {
            self.picker = None;
        }
        self.chosen(choice);
    }

    fn chosen(&mut self, choice: Choice) {
        match choice {
            Choice::Sort(path) => {
                let same = self.runs.sort.first().is_some_and(|sort| sort.path == path);
                let descending = if same {
                    !self.runs.sort[0].descending
                } else {
                    false
                };
                self.runs.sort = vec![Sort { path, descending }];
                self.runs.ask_anew(&mut self.cx);
                self.retick(Self::sort_picker);
            }
            Choice::Facet(path, value) => {
                if self.runs.chosen.get(&path) == Some(&value) {
                    self.runs.chosen.remove(&path);
                } else {
                    self.runs.chosen.insert(path, value);
                }
                self.runs.ask_anew(&mut self.cx);
                self.retick(Self::facet_picker);
            }
            Choice::SuiteSort(order) => {
                if let Some(available) = &mut self.available {
                    available.descending = available.order == order && !available.descending;
                    available.order = order;
                    available.arrange();
                }
                self.picker = None;
            }
            Choice::Column(column) => {
                if !self.runs.hidden.remove(column) {
                    self.runs.hidden.insert(column);
                }
                self.retick(Self::column_picker);
            }
            Choice::Configuration(part) => self.toggle_configuration(&part),
            Choice::Draft {
                form, name, key, ..
            } => self.open_form_for(form, name, DraftWish::Kept(key)),
            Choice::Do(action) => self.act(action),
            Choice::Profile(name)
                if self
                    .cx
                    .shared
                    .profiles
                    .iter()
                    .any(|profile| profile.name == name) =>
            {
                self.cx.effect(Effect::Connect { profile: name });
            }
            Choice::Profile(name) => {
                let known: Vec<&str> = self
                    .cx
                    .shared
                    .profiles
                    .iter()
                    .map(|profile| profile.name.as_str())
                    .collect();
                let known = if known.is_empty() {
                    "no others".to_owned()
                } else {
                    known.join(", ")
                };
                let text = format!("there is no profile {name:?}; there are: {known}");
                self.cx.complain(text);
            }
            Choice::View(name) => self.use_view(&name),
            Choice::Watch(name) => self.watch_view(&name),
            Choice::Project(project, subproject) => self.cx.effect(Effect::UseProject {
                project,
                subproject,
            }),
        }
    }

    /// Shows the ticks of an open picker as they are now; its entries keep their places.
    fn retick(&mut self, fresh: fn(&Self) -> Picker) {
        let Some(open) = &self.picker else { return };
        let current = fresh(self);
        let mut entries = open.entries.clone();
        for entry in &mut entries {
            entry.ticked = current
                .entries
                .iter()
                .find(|new| new.choice == entry.choice)
                .and_then(|new| new.ticked);
        }
        if let Some(picker) = &mut self.picker {
            for entry in entries.iter_mut().filter(|entry| entry.ticked.is_none()) {
                entry.ticked = Some(false);
            }
            picker.entries = entries;
        }
    }

    pub(super) fn act_login(&mut self, action: Action) {
        let Some(login) = &mut self.sign_in.login else {
            return;
        };
        match action {
            Action::NextField | Action::Move(Motion::Down) => login.turn(true),
            Action::PreviousField | Action::Move(Motion::Up) => login.turn(false),
            Action::Back => {
                self.sign_in.login = None;
                self.sign_in.left = self.cx.shared.signed_in.is_none();
                if self.sign_in.left {
                    self.cx.say("not signed in: r opens the box again");
                }
            }
            Action::Type(key) => {
                login.field().map(|field| field.key(key));
            }
            Action::Paste(text) => {
                login.field().map(|field| field.paste(&text));
            }
            Action::Open if login.focus == LoginField::Quit => self.act(Action::Quit),
            Action::Open if login.focus == LoginField::User => login.turn(true),
            Action::Open if !login.busy => self.submit_login(),
            _ => {}
        }
    }

    fn submit_login(&mut self) {
        let Some(login) = &mut self.sign_in.login else {
            return;
        };
        if login.user.text().trim().is_empty() {
            login.focus = LoginField::User;
            return;
        }
        if login.password.text().is_empty() {
            login.focus = LoginField::Password;
            return;
        }
        let password = Password(login.password.text().to_owned().into());
        login.password.clear();
        login.focus = LoginField::Password;
        login.busy = true;
        self.cx.effect(Effect::SignIn {
            user: login.user.text().trim().to_owned(),
            password,
        });
    }

    fn act_available_filter(&mut self, action: Action) {
        let Some(available) = &mut self.available else {
            return;
        };
        let changed = match action {
            Action::Type(key) => available.text.key(key),
            Action::Paste(text) => available.text.paste(&text),
            Action::Move(motion) => {
                available.go(motion);
                false
            }
            Action::Open | Action::Back => {
                available.typing = false;
                false
            }
            _ => false,
        };
        if changed {
            available.arrange();
        }
    }

    pub(super) fn act_help(&mut self, action: Action) {
        let rows = self.help_rows();
        let len = rows.len() as u64;
        let under = self
            .help
            .as_ref()
            .and_then(|help| rows.get(help.scroll.cursor as usize));
        let under = under.map(|command| command.action.clone());
        let Some(help) = &mut self.help else {
            return;
        };
        match action {
            Action::Move(motion) => {
                help.scroll.go(motion, len);
            }
            Action::Type(key) => {
                help.search.key(key);
                help.scroll.go(Motion::First, len);
            }
            Action::Paste(text) => {
                help.search.paste(&text);
            }
            Action::Open => {
                self.help = None;
                if let Some(action) = under {
                    self.act(action);
                }
            }
            Action::Back => self.help = None,
            _ => {}
        }
    }

    pub(super) fn act_errors(&mut self, action: &Action) {
        match action {
            Action::Move(motion) => {
                self.cx
                    .errors
                    .scroll
                    .go(*motion, self.cx.errors.entries.len() as u64);
            }
            Action::Back | Action::Errors => self.cx.errors.open = false,
            _ => {}
        }
    }
}

//! What actions do to the store.

use super::message::{Action, CopyWhat, Effect, Failure, FailureKind, Motion, Password, SignInReason};
use super::picker::Choice;
use super::{Help, Layer, LoginField, Picker, PickerKind, Screen, Store};
use crate::model::Sort;

impl Store {
    pub(super) fn act(&mut self, action: Action, _now: i64) -> Vec<Effect> {
        if !matches!(action, Action::Redraw | Action::Suspend) {
            self.notice = None;
        }
        let armed = std::mem::take(&mut self.quit_armed);
        match action {
            Action::Quit => return vec![Effect::Quit],
            Action::Cancel => return self.cancel(armed),
            Action::Suspend => return vec![Effect::Suspend],
            Action::Redraw => return vec![Effect::Redraw],
            Action::Mouse => {
                self.mouse = !self.mouse;
                self.say(if self.mouse { "mouse on: the terminal selects text with Shift" } else { "mouse off" });
                return vec![Effect::Mouse(self.mouse)];
            }
            Action::Help => {
                let layer = self.layer();
                self.help = Some(Help { layer, search: super::Input::default(), scroll: super::Scroll::default() });
                return Vec::new();
            }
            _ => {}
        }
        match self.layer() {
            Layer::Login => self.act_login(action),
            Layer::Help => self.act_help(action),
            Layer::Errors => self.act_errors(&action),
            Layer::Picker => self.act_picker(action),
            Layer::Typing => self.act_typing(action),
            Layer::Runs => self.act_runs(action),
            Layer::Detail => self.act_detail(action),
            Layer::Json => self.act_json(action),
        }
    }

    fn act_runs(&mut self, action: Action) -> Vec<Effect> {
        match action {
            Action::Move(motion) => self.runs.go(motion),
            Action::Point(row) => self.runs.point(row),
            Action::Open => {
                let effects = self.open_current();
                if !effects.is_empty() {
                    self.screen = Screen::Detail;
                }
                return effects;
            }
            Action::Back if !self.runs.text.text().is_empty() => return self.runs.clear_text(),
            Action::Back => self.say("this is the first screen: q quits"),
            Action::Filter => self.runs.typing = true,
            Action::Facets => self.picker = Some(self.facet_picker()),
            Action::Sort => self.picker = Some(self.sort_picker()),
            Action::Columns => self.picker = Some(self.column_picker()),
            Action::ReverseSort => return self.reverse_sort(),
            Action::Preview => self.runs.preview = Some(!self.runs.preview_shown),
            Action::Raw => {
                let effects = self.open_current();
                if !effects.is_empty() {
                    self.before_json = Screen::Runs;
                    self.screen = Screen::Json;
                }
                return effects;
            }
            Action::Copy(CopyWhat::Json) => {
                self.copy_on_arrival = true;
                return self.open_current();
            }
            Action::LastScreen if self.detail.is_some() => self.screen = Screen::Detail,
            other => return self.act_anywhere(other),
        }
        Vec::new()
    }

    fn act_detail(&mut self, action: Action) -> Vec<Effect> {
        let Some(detail) = &mut self.detail else {
            self.screen = Screen::Runs;
            return Vec::new();
        };
        match action {
            Action::Move(motion) => detail.go(motion),
            Action::NextPart => detail.turn(1),
            Action::PreviousPart => detail.turn(-1),
            Action::Part(part) if part < super::PARTS.len() => detail.part = part,
            Action::Back | Action::LastScreen => self.screen = Screen::Runs,
            Action::Raw => {
                self.before_json = Screen::Detail;
                self.screen = Screen::Json;
            }
            Action::Copy(CopyWhat::Json) if detail.document.value().is_some() => return self.copy_json(),
            Action::Copy(CopyWhat::Json) => self.say("the document is not here yet"),
            other => return self.act_anywhere(other),
        }
        Vec::new()
    }

    fn act_json(&mut self, action: Action) -> Vec<Effect> {
        let Some(detail) = &mut self.detail else {
            self.screen = Screen::Runs;
            return Vec::new();
        };
        let len = detail.json_len();
        match action {
            Action::Move(motion) => {
                detail.json.scroll.go(motion, len);
            }
            Action::Point(row) => detail.json.scroll.point(row, len),
            Action::Filter => detail.json.typing = true,
            Action::NextMatch | Action::PreviousMatch => {
                if !detail.find(action == Action::NextMatch, false) {
                    self.say("not found");
                }
            }
            Action::Back if !detail.json.search.text().is_empty() => detail.json.search.clear(),
            Action::Back | Action::Raw | Action::LastScreen => self.screen = self.before_json,
            Action::Copy(CopyWhat::Json) if detail.document.value().is_some() => return self.copy_json(),
            other => return self.act_anywhere(other),
        }
        Vec::new()
    }

    /// What works on every screen.
    fn act_anywhere(&mut self, action: Action) -> Vec<Effect> {
        match action {
            Action::Refresh => return self.refresh(),
            Action::Errors => {
                self.errors.open = true;
                self.errors.unseen = 0;
            }
            Action::Palette => self.picker = Some(self.palette()),
            Action::SignIn => return self.open_login(),
            Action::Copy(what) => return self.copy(what),
            _ => {}
        }
        Vec::new()
    }

    fn open_login(&mut self) -> Vec<Effect> {
        let user = self.session.as_ref().map(|session| session.user.clone()).unwrap_or_default();
        self.ask_sign_in(&user, SignInReason::Asked)
    }

    fn refresh(&mut self) -> Vec<Effect> {
        if self.session.is_some() && self.signed_in.is_none() {
            return self.open_login();
        }
        self.resume();
        match (self.screen, self.runs.found.as_mut()) {
            (Screen::Runs, Some(found)) => found.refresh(),
            (Screen::Runs, None) => self.runs.all.refresh(),
            _ => {
                let (first, second) = (self.number(), self.number());
                let Some(detail) = &mut self.detail else { return Vec::new() };
                let mut effects = detail.read(first);
                effects.extend(detail.read_counts(second));
                return effects;
            }
        }
        Vec::new()
    }

    fn reverse_sort(&mut self) -> Vec<Effect> {
        match self.runs.sort.first_mut() {
            Some(sort) => {
                sort.descending = !sort.descending;
                self.runs.ask_anew()
            }
            None => {
                self.say("no sort order to reverse: o chooses one");
                Vec::new()
            }
        }
    }

    fn copy(&mut self, what: CopyWhat) -> Vec<Effect> {
        let (doc_ref, id) = match (&self.screen, &self.detail) {
            (Screen::Detail | Screen::Json, Some(detail)) => (Some(detail.doc_ref.to_string()), detail.id()),
            _ => {
                let row = self.runs.current();
                (row.map(|row| row.doc_ref.to_string()), row.and_then(|row| row.id.clone()))
            }
        };
        let text = if what == CopyWhat::Id { id } else { doc_ref };
        match text {
            Some(text) => vec![Effect::Copy { what: text.clone(), text }],
            None => {
                self.say("there is nothing to copy here");
                Vec::new()
            }
        }
    }

    pub(super) fn copy_json(&mut self) -> Vec<Effect> {
        let opened = self.detail.as_ref().and_then(|detail| detail.document.value().map(|opened| (detail, opened)));
        let copied = opened.map(|(detail, opened)| Effect::Copy {
            what: format!("the JSON of {}", detail.id().unwrap_or_else(|| detail.doc_ref.to_string())),
            text: opened.json.join("\n"),
        });
        copied.into_iter().collect()
    }

    /// Ctrl-c: gives up what is under way; with nothing under way, the second one quits.
    fn cancel(&mut self, armed: bool) -> Vec<Effect> {
        let mut effects = self.runs.all.cancel();
        let given_up = || Failure {
            kind: FailureKind::Local,
            asked: "reading".into(),
            came_back: "given up by Ctrl-c".into(),
            remedy: "r reads again".into(),
            may_retry: false,
        };
        if !effects.is_empty() {
            self.runs.all.failure = Some(given_up());
        }
        if let Some(found) = &mut self.runs.found {
            let given = found.cancel();
            if !given.is_empty() {
                found.failure = Some(given_up());
            }
            effects.extend(given);
        }
        if let Some(detail) = &mut self.detail {
            let asked = [detail.document.cancel(), detail.counts.cancel()];
            effects.extend(asked.into_iter().flatten().map(Effect::Cancel));
        }
        if !effects.is_empty() {
            self.say("given up: r reads again");
        } else if armed {
            effects.push(Effect::Quit);
        } else {
            self.quit_armed = true;
            self.say("nothing is under way: Ctrl-c again quits");
        }
        effects
    }

    fn act_typing(&mut self, action: Action) -> Vec<Effect> {
        if self.screen == Screen::Json {
            return self.act_search(action);
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
                self.runs.ask_service();
                false
            }
            Action::Back => {
                self.runs.typing = false;
                false
            }
            _ => false,
        };
        if !changed {
            return Vec::new();
        }
        self.last_id += 1;
        let id = super::RequestId(self.last_id);
        self.runs.text_changed(|| id)
    }

    fn act_search(&mut self, action: Action) -> Vec<Effect> {
        let Some(detail) = &mut self.detail else { return Vec::new() };
        let changed = match action {
            Action::Type(key) => detail.json.search.key(key),
            Action::Paste(text) => detail.json.search.paste(&text),
            Action::Open | Action::Back => {
                detail.json.typing = false;
                false
            }
            _ => false,
        };
        if changed && !detail.find(true, true) && !detail.json.search.text().is_empty() {
            self.say("not found");
        }
        Vec::new()
    }

    fn act_picker(&mut self, action: Action) -> Vec<Effect> {
        let Some(picker) = &mut self.picker else { return Vec::new() };
        match action {
            Action::Move(motion) => picker.go(motion),
            Action::Back => self.picker = None,
            Action::NextField => picker.complete(),
            Action::Type(key) if picker.text.key(key) => picker.narrow(),
            Action::Paste(text) if picker.text.paste(&text) => picker.narrow(),
            Action::Toggle if picker.kind == PickerKind::Palette => {
                picker.text.paste(" ");
                picker.narrow();
            }
            Action::Toggle => return self.choose(true),
            Action::Open => return self.choose(false),
            _ => {}
        }
        Vec::new()
    }

    /// Takes the entry under the cursor; `stay` keeps the picker open for another.
    fn choose(&mut self, stay: bool) -> Vec<Effect> {
        let Some(picker) = &mut self.picker else { return Vec::new() };
        let typed = picker.text.text().trim().to_owned();
        let exact = picker.kind == PickerKind::Palette && typed.starts_with("pro") && typed.contains(' ');
        let choice = match picker.current() {
            Some(entry) if !exact || entry.label == typed => entry.choice.clone(),
            _ if picker.kind == PickerKind::Palette && !typed.is_empty() => match Self::parse_command(&typed) {
                Ok(choice) => choice,
                Err(problem) => {
                    picker.problem = Some(problem);
                    return Vec::new();
                }
            },
            _ => return Vec::new(),
        };
        if !stay {
            self.picker = None;
        }
        self.chosen(choice)
    }

    fn chosen(&mut self, choice: Choice) -> Vec<Effect> {
        match choice {
            Choice::Sort(path) => {
                let same = self.runs.sort.first().is_some_and(|sort| sort.path == path);
                let descending = if same { !self.runs.sort[0].descending } else { false };
                self.runs.sort = vec![Sort { path, descending }];
                let effects = self.runs.ask_anew();
                self.retick(Self::sort_picker);
                effects
            }
            Choice::Facet(path, value) => {
                if self.runs.chosen.get(&path) == Some(&value) {
                    self.runs.chosen.remove(&path);
                } else {
                    self.runs.chosen.insert(path, value);
                }
                let effects = self.runs.ask_anew();
                self.retick(Self::facet_picker);
                effects
            }
            Choice::Column(column) => {
                if !self.runs.hidden.remove(&column) {
                    self.runs.hidden.insert(column);
                }
                self.retick(Self::column_picker);
                Vec::new()
            }
            Choice::Do(action) => self.act(action, 0),
            Choice::Profile(name) if self.profiles.iter().any(|profile| profile.name == name) => {
                vec![Effect::Connect { profile: name }]
            }
            Choice::Profile(name) => {
                let known: Vec<&str> = self.profiles.iter().map(|profile| profile.name.as_str()).collect();
                let text = format!("there is no profile {name:?}; the configuration has: {}", known.join(", "));
                self.complain(text);
                Vec::new()
            }
            Choice::Project(project, subproject) => vec![Effect::UseProject { project, subproject }],
        }
    }

    /// Shows the ticks of an open picker as they are now; its entries keep their places.
    fn retick(&mut self, fresh: fn(&Self) -> Picker) {
        let Some(open) = &self.picker else { return };
        let current = fresh(self);
        let mut entries = open.entries.clone();
        for entry in &mut entries {
            entry.ticked = current.entries.iter().find(|new| new.label == entry.label).and_then(|new| new.ticked);
        }
        if let Some(picker) = &mut self.picker {
            for entry in entries.iter_mut().filter(|entry| entry.ticked.is_none()) {
                entry.ticked = Some(false);
            }
            picker.entries = entries;
        }
    }

    fn act_login(&mut self, action: Action) -> Vec<Effect> {
        let Some(login) = &mut self.login else { return Vec::new() };
        match action {
            Action::NextField | Action::Move(Motion::Down) => login.turn(true),
            Action::PreviousField | Action::Move(Motion::Up) => login.turn(false),
            Action::Back => {
                self.login = None;
                self.say("not signed in: r opens the box again");
            }
            Action::Type(key) => {
                login.field().map(|field| field.key(key));
            }
            Action::Paste(text) => {
                login.field().map(|field| field.paste(&text));
            }
            Action::Open if login.focus == LoginField::Quit => return vec![Effect::Quit],
            Action::Open if login.focus == LoginField::User => login.turn(true),
            Action::Open if !login.busy => return self.submit_login(),
            _ => {}
        }
        Vec::new()
    }

    fn submit_login(&mut self) -> Vec<Effect> {
        let Some(login) = &mut self.login else { return Vec::new() };
        if login.user.text().trim().is_empty() {
            login.focus = LoginField::User;
            return Vec::new();
        }
        if login.password.text().is_empty() {
            login.focus = LoginField::Password;
            return Vec::new();
        }
        let password = Password(login.password.text().to_owned().into());
        login.password.clear();
        login.focus = LoginField::Password;
        login.busy = true;
        vec![Effect::SignIn { user: login.user.text().trim().to_owned(), password }]
    }

    fn act_help(&mut self, action: Action) -> Vec<Effect> {
        let rows = self.help_rows();
        let len = rows.len() as u64;
        let under = self.help.as_ref().and_then(|help| rows.get(help.scroll.cursor as usize));
        let under = under.map(|command| command.action.clone());
        let Some(help) = &mut self.help else { return Vec::new() };
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
                return under.map(|action| self.act(action, 0)).unwrap_or_default();
            }
            Action::Back => self.help = None,
            _ => {}
        }
        Vec::new()
    }

    fn act_errors(&mut self, action: &Action) -> Vec<Effect> {
        match action {
            Action::Move(motion) => {
                self.errors.scroll.go(*motion, self.errors.entries.len() as u64);
            }
            Action::Back | Action::Errors => self.errors.open = false,
            _ => {}
        }
        Vec::new()
    }
}

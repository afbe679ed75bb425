//! The draft of the form: kept a moment after a key, taken up when the form opens, left when it closes.

use super::Store;
use super::effect::Effect;
use super::form::{Form, Stop, new_texts};
use super::in_flight::Slot;
use super::picker::{Choice, Entry, Picker, PickerKind};
use crate::domain::{Draft, DraftTaken, DraftWish, Failure, FormFor, RunField, RunTexts, texts_of};

/// Milliseconds from a key to its text being on its way to the disk, at most.
const KEEP_AFTER: u64 = 300;

impl Store {
    /// Something in the form has changed: it is kept in a moment.
    pub(super) fn typed(&mut self) {
        let Some(form) = &mut self.form else {
            return;
        };
        if let Stop::Field(field) = form.stop {
            form.problems.remove(&field);
        }
        form.draft.unsaved = true;
        if form.draft.key.is_some() && !self.cx.under_way(&Slot::DraftPause) {
            self.cx.timer(Slot::DraftPause, KEEP_AFTER);
        }
    }

    /// The pause after typing is over: what stands in the form goes to the disk.
    pub(super) fn keep_form(&mut self) {
        let now = self.cx.now;
        let profile = self.cx.shared.profile();
        let Some(form) = &mut self.form else {
            return;
        };
        self.cx.give_up(&Slot::DraftPause);
        let Some(draft) = form.kept(&profile, now) else {
            return;
        };
        form.draft.unsaved = false;
        self.cx.effect(Effect::KeepDraft(Box::new(draft)));
    }

    pub(super) fn drafts_came(&mut self, drafts: Vec<Draft>) {
        // Told once, of what was kept before: a draft that is kept now has words of its own. A change whose end is not
        // known is told in the same line, and matters more.
        let first = !std::mem::replace(&mut self.cx.shared.drafts_told, true);
        if first && !drafts.is_empty() && self.cx.shared.unfinished.is_empty() {
            let count = match drafts.len() {
                1 => "1 draft is".to_owned(),
                more => format!("{more} drafts are"),
            };
            self.cx
                .say(format!("{count} kept of forms: \": drafts\" opens them"));
        }
        self.cx.shared.drafts = drafts;
    }

    /// Nobody has the form open any more.
    pub(super) fn draft_unwanted(&mut self, result: Result<Box<DraftTaken>, Failure>) {
        if let Ok(taken) = result {
            self.cx.effect(Effect::LeaveDraft { key: taken.key });
        }
    }

    pub(super) fn draft_taken(&mut self, result: Result<Box<DraftTaken>, Failure>) {
        let Some(form) = &mut self.form else {
            return self.draft_unwanted(result);
        };
        let taken = match result {
            Ok(taken) => *taken,
            Err(failure) => {
                form.draft.problem = Some(failure.came_back.clone());
                return self.cx.failed(failure);
            }
        };
        form.draft.key = Some(taken.key);
        form.draft.other = taken.other;
        let wanted = matches!(form.draft.wish, DraftWish::Kept(_));
        let gone = wanted && taken.before.is_none();
        if let Some(draft) = taken.before {
            self.cx.shared.drafts.retain(|kept| kept.key != draft.key);
            let from = match &draft.base {
                Some(base) => texts_of(base),
                None if form.ready => form.initial.clone(),
                None => draft.texts.clone(),
            };
            if draft.base.is_some() {
                form.base.clone_from(&draft.base);
            }
            form.fill(&from, Some(&draft));
            form.draft.taken_up = Some(draft.at);
            form.draft.kept_at = Some(draft.at);
            form.sent.clone_from(&draft.sent);
            self.cx
                .say("a draft was here: it is in the form; Ctrl-x discards it");
        }
        if gone {
            self.cx.complain("that draft is not there any more, or another program has it: this form is a new one");
        }
        self.type_ahead();
        if self.form.as_ref().is_some_and(|form| form.draft.unsaved) {
            self.typed();
        }
        self.look_for_sent();
        self.show_looked();
        self.form_outside_if_asked();
    }

    /// Another program has the form open, too, or has closed it.
    pub(super) fn draft_shared(&mut self, key: &str, other: Option<u32>) {
        if let Some(form) = self
            .form
            .as_mut()
            .filter(|form| form.draft.key.as_deref() == Some(key))
        {
            form.draft.other = other;
        }
    }

    pub(super) fn draft_kept(&mut self, key: &str, result: Result<i64, Failure>) {
        let quits = std::mem::take(&mut self.quitting.once_kept);
        let is_it = |form: &Form| form.draft.key.as_deref() == Some(key);
        let left = self.cx.shared.left_forms.iter().position(is_it);
        match result {
            Ok(at) => {
                if let Some(place) = left {
                    let form = self.cx.shared.left_forms.remove(place);
                    self.left_kept(key.to_owned(), &form.of);
                    self.unkept_comes_back();
                } else if let Some(form) = self.form.as_mut().filter(|form| is_it(form)) {
                    form.draft.kept_at = Some(at);
                    form.draft.problem = None;
                }
                if quits {
                    self.quit();
                }
            }
            Err(failure) => {
                let left = left.map(|place| &mut self.cx.shared.left_forms[place]);
                let form = left.or_else(|| self.form.as_mut().filter(|form| is_it(form)));
                if let Some(form) = form {
                    form.draft.unsaved = true;
                    form.draft.problem = Some(failure.came_back.clone());
                }
                self.cx.failed(failure);
                self.unkept_comes_back();
            }
        }
    }

    /// The drafts that are kept, to open one.
    pub(super) fn open_drafts(&mut self) {
        if self.cx.shared.drafts.is_empty() {
            return self.cx.say("no draft is kept for this profile");
        }
        let entries = self.cx.shared.drafts.iter().map(|draft| Entry {
            label: self.draft_in_words(draft),
            detail: String::new(),
            ticked: None,
            choice: Choice::Draft {
                form: draft.form.clone(),
                name: draft.run_name.clone(),
                key: draft.key.clone(),
                at: draft.at,
            },
        });
        self.picker = Some(Picker::new(PickerKind::Drafts, entries.collect()));
    }

    /// What tells a draft from others: what for, which fields it changes, the first words of it.
    fn draft_in_words(&self, draft: &Draft) -> String {
        let (run, title) = draft
            .run_name
            .split_once(' ')
            .unwrap_or((&draft.run_name, ""));
        let title = if title.is_empty() {
            String::new()
        } else {
            format!("  ({title})")
        };
        let what = match &draft.form {
            FormFor::New => "new run".to_owned(),
            FormFor::Clone(_) => format!("clone of {run}"),
            FormFor::Edit(_) => format!("edit {run}"),
        };
        let sent = if draft.sent.is_some() {
            "SENT, perhaps done: "
        } else {
            ""
        };
        let changed = self.changed_in(draft);
        let fields = match changed.as_slice() {
            [] => String::new(),
            [one] => one.name().to_owned(),
            [one, two] => format!("{}, {}", one.name(), two.name()),
            [one, rest @ ..] => format!("{} and {} more", one.name(), rest.len()),
        };
        let field = changed.first().copied().unwrap_or(RunField::Title);
        let text = draft.texts.get(&field).map_or("", String::as_str);
        let words = if text.trim().is_empty() {
            "(empty)".to_owned()
        } else {
            text.split_whitespace().collect::<Vec<_>>().join(" ")
        };
        format!("{sent}{what}  {fields}: {words}{title}")
    }

    /// The fields that hold something else in a draft than its form began with.
    fn changed_in(&self, draft: &Draft) -> Vec<RunField> {
        let begun = match (&draft.base, &self.cx.shared.session) {
            (Some(base), _) => texts_of(base),
            (None, Some(session)) => new_texts(session, None),
            (None, None) => RunTexts::new(),
        };
        let differs = |field: &RunField| {
            draft
                .texts
                .get(field)
                .is_some_and(|text| begun.get(field) != Some(text))
        };
        RunField::ALL
            .into_iter()
            .filter(differs)
            .filter(|field| draft.base.is_some() || RunField::EDITABLE.contains(field))
            .collect()
    }
}

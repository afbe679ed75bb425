//! Draft of the form: saved shortly after a key, restored when the form opens, released when the form closes.

use super::review::value;
use super::update::{KEEP_AFTER, keep_after, keep_again, left_kept};
use super::{Form, FormDraft, Forms, Stop, differing, new_texts};
use crate::domain::{Draft, DraftTaken, DraftWish, RunTexts, text};
use crate::screens::{clock, prelude::*};
use crate::store::{DraftRequest, Entry, Lasts, Notice};

impl Form {
    /// Schedules the saving of the draft after a change of the form.
    pub(super) fn typed(&mut self, cx: &mut Cx) {
        if let Stop::Field(field) = self.stop {
            self.problems.remove(&field);
        }
        self.draft.unsaved = true;
        // One that has no place asks for it again: the disk may have room by now.
        if self.draft.key.is_some() || self.draft.problem.is_some() {
            keep_after(KEEP_AFTER, cx);
        }
    }
}

impl FormDraft {
    /// True if the disk has not confirmed the newest texts.
    pub(super) fn is_due(&self) -> bool {
        self.unsaved || self.sent_at.is_some()
    }
}

impl Form {
    /// Sends the texts to the disk, if the draft has a key.
    pub(super) fn keep(&mut self, cx: &mut Cx) {
        // A time of its own, so that the answer of an older saving is not taken for that of this one.
        let at = self.draft.sent_at.map_or(cx.now, |at| cx.now.max(at + 1));
        let Some(draft) = self.kept(at) else {
            return;
        };
        self.draft.unsaved = false;
        self.draft.sent_at = Some(at);
        cx.draft(DraftRequest::Keep(
            Box::new(draft),
            self.draft.edited.clone(),
        ));
    }

    /// Removes the draft of a form that was saved, discarded, or has nothing of the user's.
    pub(super) fn drop_draft(self, cx: &mut Cx) {
        let FormDraft { key, edited, .. } = self.draft;
        if key.is_some() || !edited.is_empty() {
            cx.draft(DraftRequest::Discard { key, edited });
        }
    }
}

/// Releases a draft whose form was closed before the draft was loaded.
pub fn unwanted(result: Result<Box<DraftTaken>, Failure>, cx: &mut Cx) {
    if let Ok(taken) = result {
        cx.draft(DraftRequest::Leave { key: taken.key });
    }
}

/// Stores the drafts of the profile, with those of profiles that are in the config no more; the first answer after the
/// start is reported to the user.
pub fn on_drafts(mut drafts: Vec<Draft>, cx: &mut Cx) {
    drafts.retain(|draft| !draft.changes_nothing());
    let here = cx.shared.profile();
    let (others, drafts): (Vec<Draft>, Vec<Draft>) = drafts.into_iter().partition(|draft| {
        draft.profile != here && cx.shared.knows_profile(&draft.profile).is_ok()
    });
    cx.shared.drafts_in = others.into_iter().map(|draft| draft.profile).collect();
    // Reported once, for drafts of an earlier session: a draft of this one has its own message. An unfinished change
    // uses the same line and matters more.
    let first = !std::mem::replace(&mut cx.shared.drafts_announced, true);
    if first && !drafts.is_empty() && cx.shared.unfinished.is_empty() {
        let key = cx.shared.key(Layer::Runs, &Action::Drafts);
        let key = key.unwrap_or("\": drafts\"");
        let now = clock(cx);
        let mut died = drafts.iter().filter(|draft| draft.died);
        let words = match (died.next(), drafts.len()) {
            (Some(draft), all) => {
                let others = match all - 1 {
                    0 => String::new(),
                    others => format!(" and {} more", text::thousands(others)),
                };
                let at = now.when(draft.at);
                format!("{}, typed until {at}{others}: {key}", run_of(draft))
            }
            (None, 1) => format!("1 draft is kept: {key}"),
            (None, more) => format!("{} drafts are kept: {key}", text::thousands(more)),
        };
        // Other messages of the start must not replace it.
        let lasts = if drafts.iter().any(|draft| draft.died) {
            Lasts::EndOfWrite
        } else {
            Lasts::UntilKey
        };
        cx.notice = Some(Notice::new(words, false).lasts(lasts));
    }
    cx.shared.drafts = drafts;
}

/// Short name of the form of a draft.
fn run_of(draft: &Draft) -> String {
    let run = draft.run_name.split(' ').next().unwrap_or_default();
    match draft.form {
        FormFor::New => "a new run".to_owned(),
        FormFor::Clone(_) => format!("clone of {run}"),
        FormFor::Edit(_) => run.to_owned(),
    }
}

impl Forms {
    /// Saves the texts of the form, or asks for a place of its draft; runs when the pause after typing is over.
    pub(super) fn keep(&mut self, cx: &mut Cx) {
        let Some(form) = &mut self.form else { return };
        cx.give_up(&Slot::DraftPause);
        form.keep(cx);
        if form.draft.key.is_none() && !cx.under_way(&Slot::Draft) {
            form.ask_for_draft(cx);
        }
    }

    pub(super) fn draft_taken(&mut self, result: Result<Box<DraftTaken>, Failure>, cx: &mut Cx) {
        let Some(form) = &mut self.form else {
            return unwanted(result, cx);
        };
        let taken = match result {
            Ok(taken) => taken,
            Err(failure) => {
                let problem = failure.cause.clone();
                // As in [`Self::draft_kept`].
                if form.draft.problem.replace(problem).is_none() {
                    cx.failed(failure);
                }
                // The next place is one of its own: a draft that is kept must not get under what is typed.
                form.draft.wish = DraftWish::Fresh;
                if form.is_touched() {
                    keep_again(cx);
                }
                return form.fill(cx);
            }
        };
        (form.draft.key, form.draft.other) = (Some(taken.key), taken.other);
        // There is a place now: the next Esc keeps the texts, also where it would have dropped them.
        if form.draft.problem.take().is_some() {
            cx.say("there is a place for the draft again");
        }
        if form.draft.unsaved {
            form.typed(cx);
        }
        // A place that was asked for again has no draft.
        if form.ready {
            return;
        }
        if let Some(draft) = taken.before {
            cx.shared.drafts.retain(|kept| kept.key != draft.key);
            form.sent.clone_from(&draft.sent);
            form.draft.before = Some(draft);
        } else if matches!(form.draft.wish, DraftWish::Kept(_)) {
            cx.complain("that draft is not there any more, or another program has it: this form is a new one");
            cx.draft(DraftRequest::Find);
        }
        form.fill(cx);
        self.find_sent(cx);
        let source = self.form.as_ref().and_then(|form| form.source.value());
        if let Some(document) = source.map(|opened| opened.document.clone()) {
            self.compare_sent(&document, cx);
        }
    }

    /// Takes the result of saving a draft.
    pub fn draft_kept(&mut self, key: &str, result: Result<i64, Failure>, cx: &mut Cx) {
        let is_it = |form: &Form| form.draft.key.as_deref() == Some(key);
        let is_kept = |form: &mut Form| {
            let at = result.as_ref().ok();
            is_it(form) && at.is_some() && form.draft.sent_at.as_ref() <= at
        };
        if let Some(form) = self.left.take_if(is_kept) {
            left_kept(key.to_owned(), &form, cx);
            if let Some(waiting) = &self.form {
                waiting.ask_for_draft(cx);
            }
            return;
        }
        let mut forms = self.form.iter_mut().chain(&mut self.left);
        let form = forms.find(|form| is_it(form));
        match (result, form.map(|form| &mut form.draft)) {
            (Ok(at), Some(draft)) => {
                (draft.kept_at, draft.problem) = (Some(at), None);
                if draft.sent_at.take_if(|sent| *sent <= at).is_some() {
                    draft.edited.clear();
                }
            }
            (Ok(_), None) => {}
            (Err(failure), draft) => {
                let problem = failure.cause.clone();
                let known = draft.is_some_and(|draft| {
                    draft.unsaved = true;
                    keep_again(cx);
                    draft.problem.replace(problem).is_some()
                });
                // The form already shows this problem, so it is not reported again with each key.
                if !known {
                    cx.failed(failure);
                }
            }
        }
    }
}

/// Kept drafts as entries of a picker.
pub fn offered(shared: &Shared) -> Vec<Entry> {
    let entry = |draft: &Draft| {
        let choice = Choice::Draft {
            form: draft.form.clone(),
            name: draft.run_name.clone(),
            key: draft.key.clone(),
            at: draft.at,
        };
        Entry::new(in_words(draft, shared), choice)
    };
    shared.drafts.iter().map(entry).collect()
}

/// One line for a draft: its form, the changed fields and the start of the text.
fn in_words(draft: &Draft, shared: &Shared) -> String {
    let title = draft
        .run_name
        .split_once(' ')
        .map(|(_, title)| format!("  ({title})"))
        .unwrap_or_default();
    let what = match &draft.form {
        FormFor::New => "new run".to_owned(),
        FormFor::Clone(_) => run_of(draft),
        FormFor::Edit(_) => format!("edit {}", run_of(draft)),
    };
    let sent = draft.sent.as_ref().map_or("", |_| "PERHAPS SENT: ");
    let project = Some(&*draft.project);
    let there = project.filter(|_| draft.is_elsewhere(&shared.in_use().scope_name()));
    let profile = Some(format!("profile {}", draft.profile));
    let profile = profile.filter(|_| draft.profile != shared.profile());
    let service = Some(draft.service.clone()).filter(|service| !service.is_empty());
    let there = [profile, service, there.map(str::to_owned)];
    let there = text::join(there.into_iter().flatten(), ", ");
    let there = match there.as_str() {
        "" => String::new(),
        there => format!("{there}: "),
    };
    let changed = changed_in(draft, shared);
    let switches = [
        ("Matrix", draft.matrix),
        ("Suites", draft.with_suites.is_some()),
    ];
    let switches = switches.into_iter().filter(|(_, is_set)| *is_set);
    let names = changed.iter().map(|field| field.label());
    let names: Vec<&str> = names.chain(switches.map(|(name, _)| name)).collect();
    let fields = match names.as_slice() {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [one, two] => format!("{one}, {two}"),
        [one, rest @ ..] => format!("{one} and {} more", rest.len()),
    };
    let field = changed.first().copied().unwrap_or(RunField::Title);
    let text = draft.texts.get(&field).map_or("", String::as_str);
    let words = value(field, &text::join(text.split_whitespace(), " "));
    format!("{sent}{there}{what}  {fields}: {words}{title}")
}

/// Fields whose text in the draft differs from the start of the form.
fn changed_in(draft: &Draft, shared: &Shared) -> Vec<RunField> {
    let begun = match (&draft.base, &shared.session) {
        (Some(base), _) => texts_of(base),
        (None, Some(session)) => new_texts(session, None),
        (None, None) => RunTexts::new(),
    };
    differing(&draft.texts, &begun)
        .filter(|field| draft.base.is_some() || RunField::EDITABLE.contains(field))
        .collect()
}

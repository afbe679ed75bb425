//! Drafts: forms as they are kept between keystrokes and starts.

use super::prelude::*;
use super::{RunTexts, is_within, texts_of};

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "form", content = "run", rename_all = "lowercase")]
pub enum FormFor {
    /// A new run.
    #[default]
    New,
    /// A new run like another one.
    Clone(DocRef),
    /// An existing run.
    Edit(DocRef),
}

impl FormFor {
    /// Returns the run that is edited or cloned.
    pub fn run(&self) -> Option<&DocRef> {
        match self {
            Self::New => None,
            Self::Clone(run) | Self::Edit(run) => Some(run),
        }
    }
}

/// Choice among the drafts of a form.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum DraftWish {
    /// The newest that is not open elsewhere; a new one if there is none.
    #[default]
    Newest,
    /// A new one; kept drafts stay as they are.
    Fresh,
    /// The draft of this key; a new one if it is gone or open elsewhere.
    Kept(String),
}

/// Profile whose forms are open, at the address of its service.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DraftOwner {
    pub profile: String,
    pub service: String,
}

impl DraftOwner {
    /// Returns true if a draft of the disk was typed for this profile and service.
    pub fn has(&self, draft: &Draft) -> bool {
        self.profile == draft.profile && self.is_at(&draft.service)
    }

    fn is_at(&self, service: &str) -> bool {
        let [typed, here] = [service, &self.service].map(|it| it.trim_end_matches('/'));
        typed.is_empty() || typed == here
    }
}

/// Kept contents of a form.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Draft {
    /// Key, assigned when the form is opened; also the name of the file.
    #[serde(skip)]
    pub key: String,
    /// Name of the profile.
    pub profile: String,
    /// Address of the service for which it was typed, if that is another one than in use; on the disk always. Empty in
    /// drafts of earlier versions.
    #[serde(default)]
    pub service: String,
    /// Project and sub project in use when it was saved, as `P_9/SP_1`; empty in drafts of earlier versions.
    #[serde(default)]
    pub project: String,
    #[serde(flatten)]
    pub form: FormFor,
    /// Name of the run for the user; empty for a new one.
    pub run_name: String,
    /// Document at the time the form was opened, to compare the texts with.
    pub base: Option<Document>,
    /// Texts of the form.
    pub texts: RunTexts,
    /// One run for each part of the configuration.
    #[serde(default)]
    pub matrix: bool,
    /// The clone gets the known suites; `None` if that was not chosen.
    #[serde(default)]
    pub with_suites: Option<bool>,
    /// Time of the last save, epoch milliseconds.
    pub at: i64,
    /// Set before the form is sent, until its end is known.
    pub sent: Option<DraftSent>,
    /// The program ended with the form open; not saved.
    #[serde(skip)]
    pub died: bool,
}

/// Form that was sent without an answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DraftSent {
    /// Time of the first request, epoch milliseconds.
    pub at: i64,
    /// Titles of the new runs that were sent, to search for.
    #[serde(default)]
    pub titles: Vec<String>,
    /// New texts of each save that was sent, to search for.
    #[serde(default)]
    pub saves: Vec<RunTexts>,
    /// Findings of the readings so far, in words.
    pub words: String,
}

impl Draft {
    /// Returns it as seen by this owner.
    #[must_use]
    pub fn seen_by(mut self, owner: &DraftOwner) -> Self {
        if owner.is_at(&self.service) {
            self.service.clear();
        }
        self
    }

    /// Returns true if it is of another project than the one in use.
    pub fn is_elsewhere(&self, scope: &str) -> bool {
        !self.project.is_empty() && !is_within(&self.project, scope)
    }

    /// True if it was never sent and its texts are those that its run had.
    pub fn changes_nothing(&self) -> bool {
        let base = self.base.as_ref().map(texts_of);
        let is_edit = matches!(self.form, FormFor::Edit(_));
        let same = |base: RunTexts| {
            self.texts
                .iter()
                .all(|(field, text)| base.get(field) == Some(text))
        };
        is_edit && self.sent.is_none() && base.is_some_and(same)
    }
}

impl DraftSent {
    /// Adds a later sending of the same form: both are searched for.
    #[must_use]
    pub fn and(mut self, later: Self) -> Self {
        self.words = later.words;
        for title in later.titles {
            if !self.titles.contains(&title) {
                self.titles.push(title);
            }
        }
        self.saves.extend(later.saves);
        self
    }
}

/// Draft that a form was opened with.
#[derive(Clone, Debug, PartialEq)]
pub struct DraftTaken {
    /// Key of the draft that this form saves from now on.
    pub key: String,
    /// Draft that was kept before, if any.
    pub before: Option<Draft>,
    /// Process id of another program with a form for the same run open, 0 if not known; this form then has a draft of
    /// its own.
    pub other: Option<u32>,
}

//! A form that is being filled in, as it is kept between keystrokes and starts.

use serde::{Deserialize, Serialize};

use super::{DocRef, Document, End, RunTexts};

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "form", content = "run", rename_all = "lowercase")]
pub enum FormFor {
    /// A new run.
    #[default]
    New,
    /// A new run from another one.
    Clone(DocRef),
    /// A run that is there.
    Edit(DocRef),
}

impl FormFor {
    /// The run that it edits or clones.
    pub fn run(&self) -> Option<&DocRef> {
        match self {
            Self::New => None,
            Self::Clone(run) | Self::Edit(run) => Some(run),
        }
    }
}

/// Which of the drafts of a form is wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum DraftWish {
    /// The newest that is not open elsewhere; a new one where none is kept.
    #[default]
    Newest,
    /// A new one; those that are kept stay as they are.
    Fresh,
    /// The one of this key. Where it is gone or open elsewhere: a new one.
    Kept(String),
}

/// What is kept of a form.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Draft {
    /// Which draft; given out when the form is opened, and the name of its file.
    #[serde(skip)]
    pub key: String,
    /// Name of the profile.
    pub profile: String,
    #[serde(flatten)]
    pub form: FormFor,
    /// What the person knows the run by; empty for a new one.
    pub run_name: String,
    /// The document as it was when the form was opened: what the texts are compared with.
    pub base: Option<Document>,
    /// What stands in the form.
    pub texts: RunTexts,
    /// When it was kept, epoch milliseconds.
    pub at: i64,
    /// The form was sent and its answer is unknown.
    pub sent: Option<DraftSent>,
    /// Its program ended with the form open; not kept with the draft.
    #[serde(skip)]
    pub died: bool,
}

/// A form that was sent without an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DraftSent {
    /// When it was sent first, epoch milliseconds.
    pub at: i64,
    /// The titles of the new runs that were sent: what to look for.
    #[serde(default)]
    pub titles: Vec<String>,
    /// What reading said so far, in words.
    pub words: String,
    /// How all of it ended, where my changes know that and it is the same; not kept with the draft.
    #[serde(skip)]
    pub end: Option<End>,
}

/// A draft that a form was opened with.
#[derive(Clone, Debug, PartialEq)]
pub struct DraftTaken {
    /// Which draft this form keeps from now on.
    pub key: String,
    /// What was kept before, if anything.
    pub before: Option<Draft>,
    /// Process number of another program that has a form for the same open, 0 if it is not known; this one has a draft of
    /// its own.
    pub other: Option<u32>,
}

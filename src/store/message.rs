//! What the person asks for, and what requests are told apart by.

use std::fmt;
use std::ops::Deref;

use secrecy::zeroize::Zeroizing;

/// Number of a request, handed out by the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RequestId(pub u64);

/// A movement in a list or a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Motion {
    Up,
    Down,
    HalfPageUp,
    HalfPageDown,
    PageUp,
    PageDown,
    First,
    Last,
}

impl Motion {
    /// Moves the first line shown of a text that has no cursor.
    pub fn scroll(self, top: &mut u16) {
        *top = match self {
            Self::Down => top.saturating_add(1),
            Self::Up => top.saturating_sub(1),
            Self::PageDown | Self::HalfPageDown => top.saturating_add(10),
            Self::PageUp | Self::HalfPageUp => top.saturating_sub(10),
            Self::First => 0,
            Self::Last => u16::MAX,
        };
    }
}

/// What is copied to the clipboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CopyWhat {
    /// The document reference.
    DocRef,
    /// The whole document as JSON.
    Json,
    /// The short id.
    Id,
}

/// What the person asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    Move(Motion),
    /// Puts the cursor on the row that is this many rows below the top of the list on the screen.
    Point(u16),
    Open,
    Back,
    Quit,
    Cancel,
    Suspend,
    Redraw,
    Filter,
    Facets,
    Sort,
    ReverseSort,
    Columns,
    Preview,
    Refresh,
    Raw,
    Copy(CopyWhat),
    NextPart,
    PreviousPart,
    Part(usize),
    LastScreen,
    Available,
    Members,
    Mark,
    MarkRange,
    MarkAll,
    Remove,
    TypeReference,
    Verify,
    ScrollWhy(Motion),
    Probe,
    DeleteProbes,
    /// Reads what is left of a change whose end is not known.
    GoOn,
    New,
    Edit,
    EditOutside,
    Clone,
    Delete,
    Undo,
    UndoLast,
    Save,
    FieldOutside,
    DiscardDraft,
    Offer,
    Drafts,
    KeepMine,
    TakeTheirs,
    Journal,
    Monitor,
    /// The monitor reads less often.
    Slower,
    /// The monitor reads more often.
    Faster,
    Threshold,
    /// The card under the cursor comes first, or not any more.
    Pin,
    /// Samples go to a file.
    Export,
    Bell,
    Help,
    Errors,
    Palette,
    Mouse,
    SignIn,
    /// Chooses or clears the entry under the cursor of a picker.
    Toggle,
    NextField,
    PreviousField,
    NextMatch,
    PreviousMatch,
    /// A key for the text field that has the focus.
    Type(crossterm::event::KeyEvent),
    /// Text pasted into the terminal.
    Paste(Pasted),
}

/// Pasted text, which may be a password: wiped when it is dropped.
#[derive(Clone, PartialEq, Eq)]
pub struct Pasted(Zeroizing<String>);

impl From<String> for Pasted {
    fn from(text: String) -> Self {
        Self(text.into())
    }
}

impl From<&str> for Pasted {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl Deref for Pasted {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Pasted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Pasted(hidden)")
    }
}

impl Action {
    /// It leads to a write, and a read-only profile refuses it.
    pub fn writes(&self) -> bool {
        matches!(
            self,
            Self::New
                | Self::Edit
                | Self::EditOutside
                | Self::Clone
                | Self::Delete
                | Self::Undo
                | Self::UndoLast
                | Self::Remove
                | Self::Probe
                | Self::DeleteProbes
                | Self::GoOn
                | Self::Save
        )
    }
}

//! The places where keys have a meaning.

use super::message::Action;

/// Where a key goes: the topmost box or the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Layer {
    Runs,
    Detail,
    Json,
    Available,
    Members,
    Form,
    Review,
    /// The box that deletes runs, where no id is typed.
    Delete,
    /// A filter, search or reference box at the foot of a screen.
    Typing,
    /// The preview of a change.
    Confirm,
    /// A change under way or done.
    Work,
    Journal,
    Picker,
    Login,
    Help,
    Errors,
    /// The changes beside the runs list.
    Feed,
    Monitor,
}

/// One line of the key table.
#[derive(Clone, Debug, PartialEq)]
pub struct Command {
    /// Where the keys work.
    pub layers: &'static [Layer],
    /// The keys, as they are shown.
    pub keys: String,
    /// Heading in the help.
    pub group: &'static str,
    /// What it does.
    pub label: &'static str,
    /// What it asks for.
    pub action: Action,
}

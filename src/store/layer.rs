//! The places where keys have a meaning.

/// Where a key goes: the topmost box or the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Layer {
    Runs,
    Detail,
    Json,
    Available,
    Attached,
    Form,
    Review,
    /// The box that deletes runs, where no id is typed.
    Delete,
    /// A filter, search or reference box at the foot of a screen.
    Typing,
    /// A question before something is written or lost.
    Confirm,
    Journal,
    Picker,
    /// The menu of what can be copied.
    CopyMenu,
    SortMenu,
    /// The columns of the runs list.
    Columns,
    Login,
    Help,
    Errors,
    /// The changes beside the runs list.
    Feed,
    Monitor,
}

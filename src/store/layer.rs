//! The places where keys have a meaning.

/// Where a key goes: the topmost box or the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Layer {
    Runs,
    Detail,
    Json,
    Available,
    /// The board of a release.
    Board,
    Attached,
    Form,
    Review,
    /// The box that deletes runs, where no id is typed.
    Delete,
    /// A filter or search box at the foot of a screen.
    Typing,
    /// A question before something is written or lost.
    Confirm,
    Journal,
    Picker,
    /// How something on a screen is found.
    Explained,
    /// A suite in full.
    Suite,
    /// The menu of what can be copied.
    CopyMenu,
    SortMenu,
    /// The columns of the runs list.
    Columns,
    Login,
    Help,
    Errors,
    /// What changed in the runs.
    Changes,
    /// Runs side by side.
    Compare,
    Monitor,
}

impl Layer {
    /// The letters of a menu mean its lines, and those of the columns the column under the cursor.
    pub fn has_letters_of_its_own(self) -> bool {
        matches!(self, Self::CopyMenu | Self::SortMenu | Self::Columns)
    }
}

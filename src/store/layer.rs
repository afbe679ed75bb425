//! Places where keys have a meaning.

/// Place of a key: the topmost box or the screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Layer {
    #[default]
    Runs,
    Detail,
    Json,
    Available,
    /// The board of a release.
    Board,
    Attached,
    Form,
    Review,
    /// The box that deletes runs, while no id is typed.
    Delete,
    /// The same box while the id is typed.
    DeleteId,
    /// A filter or search box at the foot of a screen.
    Typing,
    /// A question before a write or a loss.
    Confirm,
    Journal,
    Picker,
    /// Explanation of a derived value on a screen.
    Explained,
    /// Details of a suite.
    Suite,
    /// The copy menu.
    CopyMenu,
    SortMenu,
    /// The columns of the runs list.
    Columns,
    Login,
    Help,
    Errors,
    /// Changes in the runs.
    Changes,
    /// Runs side by side.
    Compare,
    Monitor,
}

impl Layer {
    /// Returns true if letters stand for the lines of a menu, or for the column under the cursor.
    pub fn has_letters_of_its_own(self) -> bool {
        matches!(self, Self::CopyMenu | Self::SortMenu | Self::Columns)
    }
}

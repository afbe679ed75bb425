//! The columns of the runs list.

/// A column of the runs list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Column {
    Id,
    Title,
    Version,
    Status,
    Suites,
    Progress,
    Results,
    Left,
    EditedBy,
    Edited,
    Configuration,
    Subproject,
    /// What changed since somebody looked.
    Change,
}

impl Column {
    /// All columns in the order of the screen.
    pub const ALL: [Self; 13] = [
        Self::Id,
        Self::Title,
        Self::Version,
        Self::Subproject,
        Self::Configuration,
        Self::Status,
        Self::Suites,
        Self::Progress,
        Self::Results,
        Self::Left,
        Self::EditedBy,
        Self::Edited,
        Self::Change,
    ];

    /// Columns from the one that is given up last to the one that is given up first in a narrow terminal.
    pub const BY_IMPORTANCE: [Self; 13] = [
        Self::Id,
        Self::Title,
        Self::Status,
        Self::Progress,
        Self::Results,
        Self::Left,
        Self::Change,
        Self::Suites,
        Self::EditedBy,
        Self::Edited,
        Self::Version,
        Self::Configuration,
        Self::Subproject,
    ];

    /// The heading.
    pub fn heading(self) -> &'static str {
        match self {
            Self::Id => "Id",
            Self::Title => "Title",
            Self::Version => "Version",
            Self::Status => "Status",
            Self::Suites => "Suites",
            Self::Progress => "Prog",
            Self::Results => "Results",
            Self::Left => "Left",
            Self::EditedBy => "Edited by",
            Self::Edited => "Edited",
            Self::Configuration => "Configuration",
            Self::Subproject => "Sub",
            Self::Change => "Change",
        }
    }

    /// Only `LIST_TEST_RUNS` brings what stands in this column.
    pub fn needs_test_runs(self) -> bool {
        matches!(
            self,
            Self::Suites | Self::Progress | Self::Results | Self::Left
        )
    }
}

/// The fields that a person can sort by: heading and field path.
pub const SORTS: [(&str, &str); 10] = [
    ("Edited", "Root.Metadata.EditedOn"),
    ("Edited by", "Root.Metadata.EditedBy"),
    ("Created", "Root.Metadata.CreatedOn"),
    ("Title", "Root.General.Title"),
    ("Id", "Root.General.Id"),
    ("Version", "Root.General.ProjectVersionNumber"),
    ("Status", "Root.General.Status"),
    ("Configuration", "Root.General.Configuration"),
    ("Progress", "Root.General.Progress"),
    ("Suites", "Root.General.TestSuiteCount"),
];

/// The heading of a field path, or the path itself.
pub fn sort_heading(path: &str) -> &str {
    SORTS
        .iter()
        .find(|(_, known)| *known == path)
        .map_or(path, |(heading, _)| heading)
}

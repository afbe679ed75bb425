//! Field paths such as `Root.General.Title` (4.2).

/// A valid field path: `Root`, then names of letters, digits, `_` and `-`, joined by dots.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldPath(String);

const MOST_CHARACTERS: usize = 200;
const MOST_NAMES: usize = 10;

impl FieldPath {
    /// Parses a path; `None` if it is not valid.
    pub fn parse(text: &str) -> Option<Self> {
        let names: Vec<&str> = text.split('.').collect();
        let sound = |name: &&str| {
            !name.is_empty()
                && name
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
        };
        let fits = text.len() <= MOST_CHARACTERS && (2..=MOST_NAMES).contains(&names.len());
        (fits && names[0] == "Root" && names.iter().all(sound)).then(|| Self(text.to_owned()))
    }

    /// The path as given.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The path for JSON functions of `SQLite`: `$."Root"."General"."Title"`.
    pub fn json_path(&self) -> String {
        self.0
            .split('.')
            .fold("$".to_owned(), |path, name| path + ".\"" + name + "\"")
    }

    /// Column of `runs` for this field.
    pub fn column(&self) -> Option<&'static str> {
        Some(match self.0.as_str() {
            "Root.General.Title" => "title",
            "Root.General.Id" => "seq",
            "Root.General.Status" => "status",
            "Root.General.ProjectVersionNumber" => "version",
            "Root.General.Configuration" => "configuration",
            "Root.General.TestSuiteCount" => "suite_count",
            "Root.General.Progress" => "progress",
            "Root.Metadata.EditedBy" => "edited_by",
            "Root.Metadata.EditedOn" => "edited_on",
            "Root.Metadata.CreatedOn" => "created_on",
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::FieldPath;

    #[test]
    fn only_names_joined_by_dots_pass() {
        assert_eq!(
            FieldPath::parse("Root.General.Title").unwrap().json_path(),
            "$.\"Root\".\"General\".\"Title\""
        );
        for text in [
            "",
            "Root",
            "General.Title",
            "Root..Title",
            "Root.Title'",
            "Root.a\"b",
            "Root.General.Title;--",
            "Root.Ü",
        ] {
            assert_eq!(FieldPath::parse(text), None, "{text}");
        }
        assert_eq!(FieldPath::parse(&format!("Root.{}", "x".repeat(200))), None);
        assert_eq!(FieldPath::parse(&format!("Root{}", ".x".repeat(10))), None);
    }
}

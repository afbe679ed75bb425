//! The table of settings: every key of the config file once, with its type, check and default. The file is checked
//! (`check`) and completed (`complete`) by this table; `config.example.toml` explains each key.
//!
//! A row is read by the field of the same name (or `rename`): of `Config` at the top, of `Profile` and
//! `ProjectSettings` in a profile, of `Ui` and `MonitorSettings`.

use self::Relation::{AtLeastOne, WayOf};
use self::Unset::{Default, Nothing, Required};
use self::ValueType::{
    Condition, Criterion, Flag, Gone, List, ListOrTable, Named, OneOf, OneOfOrList, Refused,
    Search, Table, Tables, Text, Whole,
};
use super::forms::{self, Form};
use crate::domain::text;

/// Type of a value.
#[derive(Clone, Copy)]
pub enum ValueType {
    Text(Form),
    /// A condition on the counts of a run.
    Condition,
    /// A condition on the sums of a release.
    Criterion,
    /// A search for runs.
    Search,
    /// One of these texts.
    OneOf(&'static [&'static str]),
    /// `true` or `false`.
    Flag,
    /// A whole number in this range, both ends included.
    Whole(i64, i64),
    /// A list of this type, with at least so many entries.
    List(&'static ValueType, usize),
    /// One of these texts, or a list of this type with at least one entry.
    OneOfOrList(&'static [&'static str], &'static ValueType),
    /// A list of this type with at least one entry, or a table with these keys.
    ListOrTable(&'static ValueType, &'static [Setting]),
    /// A table with these keys.
    Table(&'static [Setting]),
    /// Tables with these keys, each with a `[[…]]` header and another value of the first key.
    Tables(&'static [Setting]),
    /// A table with names chosen by the user, each with a value of this type.
    Named(&'static ValueType),
    /// Always refused, for this reason.
    Refused(&'static str),
    /// A key of earlier versions: ignored with a note.
    Gone,
}

impl ValueType {
    /// Describes the expected value for a message.
    pub fn expected(self) -> String {
        match self {
            Text(_) | Condition | Criterion | Search => "a text in quotes".to_owned(),
            OneOf(choices) => {
                let quoted = choices.iter().map(|text| format!("\"{text}\""));
                format!("one of {}", text::join(quoted, ", "))
            }
            OneOfOrList(choices, item) => {
                let choices = OneOf(choices).expected();
                format!("{choices} or a list, each {}", item.expected())
            }
            List(item, _) => format!("a list, each {}", item.expected()),
            ListOrTable(item, settings) => {
                let names = text::join(settings.iter().map(|key| key.name), ", ");
                let list = List(item, 1).expected();
                format!("{list}, or a table with {names}")
            }
            Flag => "true or false".to_owned(),
            Whole(least, most) => format!("a whole number from {least} to {most}"),
            Table(_) | Named(_) => "a table".to_owned(),
            Tables(_) => "tables, each below a [[…]] of its own".to_owned(),
            Refused(reason) => reason.to_owned(),
            Gone => "nothing".to_owned(),
        }
    }

    /// Returns the type of the entries of a list, and their minimum number.
    pub fn entries(self) -> Option<(Self, usize)> {
        match self {
            List(item, least) => Some((*item, least)),
            OneOfOrList(_, item) | ListOrTable(item, _) => Some((*item, 1)),
            _ => None,
        }
    }
}

/// Meaning of a missing key.
#[derive(Clone, Copy)]
pub enum Unset {
    /// This default, in TOML.
    Default(&'static str),
    Nothing,
    /// An error: the table needs the key.
    Required,
}

/// Relation of a key to others of its table.
#[derive(PartialEq, Eq)]
pub enum Relation {
    None,
    /// One of several ways to set the field of the first name, as the variant of the second name; only one of the ways
    /// may be used.
    WayOf(&'static str, &'static str),
    /// At least one of the keys with this relation is required.
    AtLeastOne,
}

/// One key of a table.
pub struct Setting {
    pub name: &'static str,
    pub kind: ValueType,
    pub unset: Unset,
    pub relation: Relation,
    /// Former name: still read, but not documented.
    pub old_name: &'static str,
}

const fn key(name: &'static str, kind: ValueType, unset: Unset) -> Setting {
    Setting {
        name,
        kind,
        unset,
        relation: Relation::None,
        old_name: "",
    }
}

impl Setting {
    const fn related(self, relation: Relation) -> Self {
        Self { relation, ..self }
    }

    const fn formerly(self, old_name: &'static str) -> Self {
        Self { old_name, ..self }
    }

    /// True if this is its name or former name.
    pub fn is_named(&self, name: &str) -> bool {
        self.name == name || !name.is_empty() && self.old_name == name
    }

    /// True if the key is known but belongs in no file.
    pub fn is_hidden(&self) -> bool {
        matches!(self.kind, Refused(_) | Gone)
    }

    /// The field that this key sets in one of several ways.
    pub fn way_of(&self) -> Option<&'static str> {
        match self.relation {
            WayOf(field, _) => Some(field),
            Relation::None | AtLeastOne => None,
        }
    }
}

/// Keys at the top of the file.
pub const ROOT: &[Setting] = &[
    key("default_profile", Text(forms::text), Nothing),
    key("profiles", Named(&Table(PROFILE)), Default("{}")),
    key("ui", Table(UI), Default("{}")),
    key("monitor", Table(MONITOR), Default("{}")),
    // The key table checks the commands and keys.
    key(
        "keys",
        Named(&ListOrTable(&Text(forms::text), KEYS)),
        Default("{}"),
    ),
];

/// Keys of a command in `[keys]` that is no list.
pub const KEYS: &[Setting] = &[key("only", List(&Text(forms::text), 0), Required)];

/// Checks a text as the value of this key of a profile.
pub fn fits(key: &str, text: &str) -> Result<(), &'static str> {
    match PROFILE.iter().find(|it| it.name == key).map(|it| it.kind) {
        Some(Text(form)) => form(text),
        _ => Ok(()),
    }
}

const CLIENT_SECRET: &str = "client_secret";
const PASSWORD: &str = "password";

/// Days of the week, Monday first.
pub const WEEK: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

/// Keys of `[profiles.NAME]`.
pub const PROFILE: &[Setting] = &[
    key("base_url", Text(forms::base_address), Required),
    key("auth_url", Gone, Nothing),
    key("idp_url", Text(forms::provider_address), Required),
    key("realm", Text(forms::text), Required),
    key("client_id", Text(forms::text), Required),
    key("client_secret_command", Text(forms::command), Nothing)
        .related(WayOf(CLIENT_SECRET, "command")),
    key(
        "client_secret_env",
        Text(forms::variable_of_client),
        Nothing,
    )
    .related(WayOf(CLIENT_SECRET, "env")),
    key(CLIENT_SECRET, Text(forms::secret), Nothing).related(WayOf(CLIENT_SECRET, "inline")),
    key("username", Text(forms::text), Nothing),
    key("me", List(&Text(forms::text), 0), Default("[]")),
    key(
        PASSWORD,
        Refused(
            "a password does not belong in a file, where backups and other programs read it; \
             expected password_command, password_env or neither (then it is asked for)",
        ),
        Nothing,
    ),
    key("password_command", Text(forms::command), Nothing).related(WayOf(PASSWORD, "command")),
    key("password_env", Text(forms::variable), Nothing).related(WayOf(PASSWORD, "env")),
    // Every list and document of the service requires `Project-Id` (4.1).
    key("project_id", Text(forms::project_id), Required),
    key("subproject_id", Text(forms::subproject_id), Nothing),
    key("project_version", Text(forms::project_version), Nothing),
    key("locale", Text(forms::locale), Default(r#""en""#)),
    key("web_url", Text(forms::web_address), Nothing),
    key("read_only", Flag, Default("false")),
    key("refresh_seconds", Whole(0, 86_400), Default("0")),
    key(
        "runs_source",
        OneOf(&["auto", "list_test_runs", "list_documents"]),
        Default(r#""auto""#),
    ),
    key("page_size", Whole(1, 1000), Default("50")),
    key("cache", Flag, Default("true")),
    key("cache_runs", Whole(1000, 10_000_000), Default("100000")),
    key("ca_certificate", Text(forms::text), Nothing),
    key("ca_also", Text(forms::text), Nothing),
    key("request_timeout_seconds", Whole(1, 3600), Default("30")),
    key("max_answer_mb", Whole(1, 1024), Default("16")),
    key(
        "read_again_milliseconds",
        List(&Whole(1, 60_000), 1),
        Default("[300, 1000, 2000]"),
    ),
    key("retry_milliseconds", Whole(1, 60_000), Default("1000")),
    key(
        "done_codes",
        List(&Whole(1, 11), 1),
        Default("[2, 5, 6, 11]"),
    ),
    key(
        "working_hours",
        Text(forms::working_hours),
        Default(r#""learned""#),
    ),
    key("working_days", List(&OneOf(&WEEK), 1), Nothing),
    key("pace_days", Whole(1, 90), Default("3")),
    key("quiet_days", Whole(1, 30), Default("3")),
    key("limit", Condition, Nothing).formerly("gate"),
    key("views", Tables(VIEW), Default("[]")),
    key("kinds", Tables(KIND), Default("[]")),
    key("due", Tables(DUE), Default("[]")),
    key("criteria", Tables(CRITERION), Default("[]")),
];

/// Keys of `[[profiles.NAME.views]]`.
pub const VIEW: &[Setting] = &[
    key("name", Text(forms::text), Required),
    key("fulltext", Text(forms::text), Nothing).related(AtLeastOne),
    key("filter", List(&Text(forms::filter), 1), Nothing).related(AtLeastOne),
    key("query", Search, Nothing).related(AtLeastOne),
    key("sort", List(&Text(forms::sort), 1), Nothing).related(AtLeastOne),
    key("runs", List(&Text(forms::run_id), 1), Nothing).related(AtLeastOne),
    key("limit", Condition, Nothing).formerly("gate"),
];

/// Keys of `[[profiles.NAME.kinds]]`.
pub const KIND: &[Setting] = &[
    key("title", Text(forms::text), Required),
    key("kind", Text(forms::text), Required),
];

/// Keys of `[[profiles.NAME.due]]`.
pub const DUE: &[Setting] = &[
    key("version", Text(forms::text), Required),
    key("at", Text(forms::due_at), Required),
];

/// Keys of `[[profiles.NAME.criteria]]`.
pub const CRITERION: &[Setting] = &[
    key("name", Text(forms::text), Required),
    key("expr", Criterion, Required),
];

/// Values of `--theme` and `theme`.
pub const THEMES: &[&str] = &[
    "auto",
    "dark",
    "light",
    "neutral",
    "high-contrast",
    "high-contrast-light",
    "16",
    "mono",
];

/// A colour of the user.
const fn colour(name: &'static str) -> Setting {
    key(name, Text(forms::colour), Nothing)
}

/// Keys of `[ui.colours]`.
pub const COLOURS: &[Setting] = &[
    colour("accent"),
    colour("good"),
    colour("bad"),
    colour("warn"),
    colour("muted"),
    colour("border"),
    colour("cursor"),
];

/// Keys of `[ui]`.
pub const UI: &[Setting] = &[
    key("theme", OneOf(THEMES), Default(r#""auto""#)),
    key(
        "bars",
        OneOf(&["blocks", "letters"]),
        Default(r#""blocks""#),
    ),
    key("mouse", Flag, Default("false")),
    key("colours", Table(COLOURS), Default("{}")),
];

/// Keys of `[monitor]`.
pub const MONITOR: &[Setting] = &[
    key("samples_days", Whole(1, 3650), Default("90")),
    key(
        "ignored_paths",
        List(&Text(forms::field_path), 0),
        Default(r#"["Root.Metadata", "__meta.modifiedAt", "__meta.modifier"]"#),
    ),
    key(
        "notify",
        OneOfOrList(&["none", "bell", "osc9"], &Text(forms::text)),
        Default(r#""none""#),
    ),
];

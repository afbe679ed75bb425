//! The table of settings: every key of the config file once, with its kind and check, its default or a sample, and its
//! words. From here the file is checked (`check`), completed (`complete`) and explained (`example`).
//!
//! A row is read by the field of the same name (or `rename`): of `Config` at the top, `Profile` and `ProjectSettings` in a
//! profile, `Ui`, `MonitorSettings`.

use self::Unset::{Default, Nothing, Required, Usual};
use self::ValueType::{
    Condition, Flag, Gone, List, ListOrTable, Named, OneOf, OneOfOrList, Refused, Table, Tables,
    Text, Whole,
};
use super::forms::{self, Form};

/// What stands behind a key.
#[derive(Clone, Copy)]
pub(super) enum ValueType {
    Text(Form),
    /// A condition on the counts of a run.
    Condition,
    /// One of these texts.
    OneOf(&'static [&'static str]),
    /// `true` or `false`.
    Flag,
    /// A whole number, both ends included.
    Whole(i64, i64),
    /// A list of these, at least so many.
    List(&'static ValueType, usize),
    /// One of these texts, or a list of these with at least one entry.
    OneOfOrList(&'static [&'static str], &'static ValueType),
    /// A list of these with at least one entry, or a table with these keys.
    ListOrTable(&'static ValueType, &'static [Setting]),
    /// A table with these keys.
    Table(&'static [Setting]),
    /// Tables with these keys, each below a `[[…]]` of its own.
    Tables(&'static [Setting]),
    /// A table whose keys are names of the person's choice, each with one of these.
    Named(&'static ValueType),
    /// Refused, for this reason.
    Refused(&'static str),
    /// Read by earlier versions: ignored with a note.
    Gone,
}

impl ValueType {
    /// What is expected, for a message.
    pub(super) fn expected(self) -> String {
        match self {
            Text(_) | Condition => "a text in quotes".to_owned(),
            OneOf(_) => format!("one of {}", self.limits()),
            OneOfOrList(choices, item) => {
                let choices = OneOf(choices).expected();
                format!("{choices} or a list, each {}", item.expected())
            }
            List(item, _) => format!("a list, each {}", item.expected()),
            ListOrTable(item, settings) => {
                let names: Vec<_> = settings.iter().map(|key| key.name).collect();
                let list = List(item, 1).expected();
                format!("{list}, or a table with {}", names.join(", "))
            }
            Flag => "true or false".to_owned(),
            Whole(..) => format!("a whole number {}", self.limits()),
            Table(_) | Named(_) => "a table".to_owned(),
            Tables(_) => "tables, each below a [[…]] of its own".to_owned(),
            Refused(reason) => reason.to_owned(),
            Gone => "nothing".to_owned(),
        }
    }

    /// The range of a number or the choices of a text; of a list those of its entries.
    pub(super) fn limits(self) -> String {
        match self {
            Whole(least, most) => format!("from {least} to {most}"),
            OneOf(choices) => {
                let quoted: Vec<_> = choices.iter().map(|text| format!("{text:?}")).collect();
                quoted.join(", ")
            }
            List(item, _) => item.limits(),
            _ => String::new(),
        }
    }

    /// What the entries of a list are, and how many there are at least.
    pub(super) fn entries(self) -> Option<(Self, usize)> {
        match self {
            List(item, least) => Some((*item, least)),
            OneOfOrList(_, item) | ListOrTable(item, _) => Some((*item, 1)),
            _ => None,
        }
    }
}

/// What holds where a key is not there, in TOML.
#[derive(Clone, Copy)]
pub(super) enum Unset {
    /// This.
    Default(&'static str),
    /// Nothing; this is a sample.
    Nothing(&'static str),
    /// Nothing, but a usual profile has the key: the example has this sample in force.
    Usual(&'static str),
    /// The table makes no sense without the key; this is a sample.
    Required(&'static str),
}

/// What a key has to do with others of its table.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Relation {
    None,
    /// One way of several to say what the program keeps in the field of the first name, as the variant of the second
    /// name; at most one way may be there.
    WayOf(&'static str, &'static str),
    /// At least one of the keys with this relation has to be there.
    AtLeastOne,
}

/// One key of a table.
pub(super) struct Setting {
    pub(super) name: &'static str,
    pub(super) kind: ValueType,
    pub(super) unset: Unset,
    /// What it means, for the example; `{}` stands for the limits of its kind.
    pub(super) words: &'static str,
    pub(super) relation: Relation,
    /// What it was called before: still read, and told nowhere.
    pub(super) old_name: &'static str,
}

const fn key(name: &'static str, kind: ValueType, unset: Unset, words: &'static str) -> Setting {
    Setting {
        name,
        kind,
        unset,
        words,
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

    /// It goes by this name, or went by it.
    pub(super) fn is_named(&self, name: &str) -> bool {
        self.name == name || !name.is_empty() && self.old_name == name
    }

    /// It is known, and belongs in no file.
    pub(super) fn is_hidden(&self) -> bool {
        matches!(self.kind, Refused(_) | Gone)
    }

    /// What this is one way of several to say.
    pub(super) fn way_of(&self) -> Option<&'static str> {
        match self.relation {
            Relation::WayOf(field, _) => Some(field),
            Relation::None | Relation::AtLeastOne => None,
        }
    }
}

/// What stands at the top of the file.
pub(super) const ROOT: &[Setting] = &[
    key(
        "default_profile",
        Text(forms::text),
        Usual(r#""work""#),
        "Profile to open when --profile is not given. Text, a NAME from below. Default: the only \
         profile there is.",
    ),
    key(
        "profiles",
        Named(&Table(PROFILE)),
        Default("{}"),
        "One table for each tenant of the service. NAME is free; the administrator of the tenant \
         knows the values.",
    ),
    key("ui", Table(UI), Default("{}"), ""),
    key("monitor", Table(MONITOR), Default("{}"), "Watching runs."),
    // Which commands and keys there are, the key table knows.
    key(
        "keys",
        Named(&ListOrTable(&Text(forms::text), KEYS)),
        Default("{}"),
        "Keys of your own. `rundown config keys` lists the commands by their names, with the keys \
         they have. A list of keys is added to those: refresh = [\"Alt-r\", \"F6\"]. After \
         \"only\" stand all keys that the command shall have, and none leaves it to the palette: \
         refresh = { only = [\"F6\"] }, mouse = { only = [] }. What a command does not have any more \
         may be given to another. Esc (back), Enter (open) and Ctrl-c (cancel) stay: without them \
         some boxes would have no way out. A key is a character, Ctrl- or Alt- with one, or a name \
         such as Enter, PgDn, Home, F2; a character without Ctrl- or Alt- is still typed where there \
         is a text field, and a command that would have no other key there keeps its own. A key that \
         has another meaning in the same place is refused.",
    ),
];

/// Keys of a command in `[keys]`, where they are no list.
pub(super) const KEYS: &[Setting] = &[key("only", List(&Text(forms::text), 0), Required("[]"), "")];

const CLIENT_SECRET: &str = "client_secret";
const PASSWORD: &str = "password";

/// Days of the week, Monday first.
pub(super) const WEEK: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

/// Keys of `[profiles.NAME]`.
pub(super) const PROFILE: &[Setting] = &[
    key(
        "base_url",
        Text(forms::base_address),
        Required(r#""https://tenant.example.com/api""#),
        "Address of the tenant's API. https address that ends in /api; /v2/rpc is added to it. \
         Required: every call goes there.",
    ),
    key("auth_url", Gone, Nothing(""), ""),
    key(
        "idp_url",
        Text(forms::address),
        Required(r#""https://login.example.com""#),
        "Address of the identity provider, the part before /realms. https address. Required.",
    ),
    key(
        "realm",
        Text(forms::text),
        Required(r#""tenant""#),
        "Realm at the identity provider. Text. Required: it is part of the address of the sign-in.",
    ),
    key(
        "client_id",
        Text(forms::text),
        Required(r#""rundown""#),
        "Client id at the identity provider. Text. Required: the sign-in sends it.",
    ),
    key(
        "client_secret_command",
        Text(forms::command),
        Nothing(r#""pass show tests/client-secret""#),
        "Client secret, from one of three places. Text. Default: none is sent.\n\
         First line that a command prints; words are split as in a shell, but no shell runs: no ~, \
         $NAME or pipes. It starts in the folder of this file, a relative program too, and without the \
         variables that hold secrets. What it writes to standard error is not shown.",
    )
    .related(Relation::WayOf(CLIENT_SECRET, "command")),
    key(
        "client_secret_env",
        Text(forms::variable),
        Usual(r#""RUNDOWN_CLIENT_SECRET""#),
        "Name of an environment variable that holds it.",
    )
    .related(Relation::WayOf(CLIENT_SECRET, "env")),
    key(
        CLIENT_SECRET,
        Text(forms::secret),
        Nothing(r#""<CLIENT_SECRET>""#),
        "The secret itself. Then the file is for your eyes only: chmod 600.",
    )
    .related(Relation::WayOf(CLIENT_SECRET, "inline")),
    key(
        "username",
        Text(forms::text),
        Nothing(r#""<USERNAME>""#),
        "User name. Text. Default: it is asked for.",
    ),
    key(
        PASSWORD,
        Refused(
            "a password does not belong in a file, where backups and other programs read it; \
             expected password_command, password_env or neither (then it is asked for)",
        ),
        Nothing(""),
        "",
    ),
    key(
        "password_command",
        Text(forms::command),
        Nothing(r#""pass show tests/password""#),
        "Password, from one of two places; there is no key for the password itself, since it does \
         not belong in a file.\n\
         Text. Default: it is asked for. First line that a command prints, as with \
         client_secret_command.",
    )
    .related(Relation::WayOf(PASSWORD, "command")),
    key(
        "password_env",
        Text(forms::variable),
        Nothing(r#""RUNDOWN_PASSWORD""#),
        "Name of an environment variable that holds it.",
    )
    .related(Relation::WayOf(PASSWORD, "env")),
    // Every list and document of the service needs `Project-Id` (4.1).
    key(
        "project_id",
        Text(forms::project_id),
        Required(r#""P_9""#),
        "Project to work in. Text of the form P_<n>; the web application of the service shows it. \
         Required: runs are reached through a project only. --project takes another one for once.",
    ),
    key(
        "subproject_id",
        Text(forms::subproject_id),
        Nothing(r#""SP_1""#),
        "Sub project. Text of the form SP_<n>, or \"_\" for none. Default: none is sent. \
         --subproject takes another one for once.",
    ),
    key(
        "project_version",
        Text(forms::project_version),
        Nothing(r#""1.4.0""#),
        "Version of the project. Text of the form <major>.<minor>.<patch>. Default: all versions.",
    ),
    key(
        "locale",
        Text(forms::locale),
        Default(r#""en""#),
        "Language sent to the service with changes. Text, a language code such as \"en\" or \
         \"de-DE\".",
    ),
    key(
        "web_url",
        Text(forms::web_address),
        Nothing(r#""https://tenant.example.com/runs/{id}""#),
        "Address of a run in the web application, with {id} where its id stands: \"y w\" copies it, \
         \": web\" opens it. Text, an http or https address.",
    ),
    key(
        "read_only",
        Flag,
        Default("false"),
        "Read only: nothing is changed through this profile. true or false. --read-only switches it on \
         for once.",
    ),
    key(
        "refresh_seconds",
        Whole(0, 86_400),
        Default("0"),
        "Seconds between two looks for news. Whole number {}; 0 looks only when you ask for it.",
    ),
    key(
        "runs_source",
        OneOf(&["auto", "list_test_runs", "list_documents"]),
        Default(r#""auto""#),
        "Operation that lists the runs. \"list_test_runs\" brings suites, progress and results but \
         is deprecated by the service, \"list_documents\" does without them, \"auto\" takes the \
         first for as long as the service has it.",
    ),
    key(
        "page_size",
        Whole(1, 1000),
        Default("50"),
        "Entries asked for at a time. Whole number {}.",
    ),
    key(
        "ca_certificate",
        Text(forms::text),
        Nothing(r#""tenant-ca.pem""#),
        "PEM file with the certificates to trust, instead of those of the system. Text, a path; \
         relative ones start at the folder of this file, ~/ is your home directory. Default: none.",
    ),
    key(
        "request_timeout_seconds",
        Whole(1, 3600),
        Default("30"),
        "Seconds one call of the service may take. Whole number {}.",
    ),
    key(
        "max_answer_mb",
        Whole(1, 1024),
        Default("16"),
        "Megabytes of one answer of the service that are read at most; with it grow the bounds on \
         the values and the texts of an answer. Whole number {}; a larger answer is an error.",
    ),
    key(
        "read_again_milliseconds",
        List(&Whole(1, 60_000), 1),
        Default("[300, 1000, 2000]"),
        "Pauses before the readings after a change, which tell what became of it: a service of \
         several machines may be behind for a moment. List of whole numbers {}, one for each \
         reading.",
    ),
    key(
        "done_codes",
        List(&Whole(1, 11), 1),
        Default("[2, 5, 6, 11]"),
        "Result codes of cases that are finished, for what is left, chart and forecast. List of \
         whole numbers {}. Default: passed, failed (new), failed (known), skipped; 3 blocked and 4 \
         customer stay open.",
    ),
    key(
        "working_hours",
        Text(forms::working_hours),
        Default(r#""learned""#),
        "Hours of the day that count in the forecast, in the time zone of this machine. \
         \"learned\" (those in which results came before; all hours until two days were seen), \
         \"always\" (all hours), or HH:MM-HH:MM, over midnight if the second is not later than the \
         first.",
    ),
    key(
        "working_days",
        List(&OneOf(&WEEK), 1),
        Nothing(r#"["mon", "tue", "wed", "thu", "fri"]"#),
        "Days that count. List of {}. Default: Monday to Friday, with \"learned\" also Saturday or \
         Sunday if results came on one, with \"always\" every day.",
    ),
    key(
        "pace_days",
        Whole(1, 90),
        Default("3"),
        "The forecast takes the pace of so many working days. Whole number {}.",
    ),
    key(
        "limit",
        Condition,
        Nothing(r#""failed_new <= 20""#),
        "Limit that the monitor watches for every run. Text, a condition on the counts. Default: \
         none.",
    )
    .formerly("gate"),
    key(
        "views",
        Tables(VIEW),
        Default("[]"),
        "Saved views, one table for each: the list is set to one by \": view NAME\", the monitor \
         opens on it by \": monitor NAME\", by M while it is in force, or by rundown --monitor \
         NAME. At least one of fulltext, filter, sort and runs belongs in it.",
    ),
];

/// Keys of `[[profiles.NAME.views]]`.
pub(super) const VIEW: &[Setting] = &[
    key(
        "name",
        Text(forms::text),
        Required(r#""open""#),
        "Name of the view. Text. Required.",
    ),
    key(
        "fulltext",
        Text(forms::text),
        Nothing(r#""payment""#),
        "Words that the service looks for. Text. Default: none.",
    )
    .related(Relation::AtLeastOne),
    key(
        "filter",
        List(&Text(forms::filter), 1),
        Usual(r#"["Root.General.Status:active"]"#),
        "Filters, as with --filter. List of texts <field path>:<value>; two on one field: \
         either or both, as the service decides. Default: none. A project_version of the profile holds too, \
         unless a filter names that field.",
    )
    .related(Relation::AtLeastOne),
    key(
        "sort",
        List(&Text(forms::sort), 1),
        Nothing(r#"["Root.General.Title", "Root.Metadata.EditedOn DESC"]"#),
        "Orders, as with --sort. List of texts, a field path with ASC or DESC if wanted. Default: \
         the newest edits first.",
    )
    .related(Relation::AtLeastOne),
    key(
        "runs",
        List(&Text(forms::run_id), 1),
        Nothing(r#"["R_4", "R_7"]"#),
        "Runs that the monitor watches, whatever the list shows. List of short ids, at most 20. \
         Default: all runs that the view finds, at most 1,000.",
    )
    .related(Relation::AtLeastOne),
    key(
        "limit",
        Condition,
        Nothing(r#""failed_new <= 3""#),
        "Limit of the monitor on this view. Text, as above. Default: that of the profile.",
    )
    .formerly("gate"),
];

/// What `--theme` and the file name.
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

/// A colour of one's own, with a sample.
const fn colour(name: &'static str, sample: &'static str, words: &'static str) -> Setting {
    key(name, Text(forms::colour), Nothing(sample), words)
}

/// Keys of `[ui.colours]`.
pub(super) const COLOURS: &[Setting] = &[
    colour(
        "accent",
        r##""#5fafff""##,
        "Colours of your own in place of the theme's: a name such as \"blue\", \"#rrggbb\" or a number \
         from \"0\" to \"255\". Headings and keys.",
    ),
    colour("good", r#""114""#, "What has passed."),
    colour("bad", r#""210""#, "New failures, what is broken."),
    colour("warn", r#""221""#, "What is blocked or late."),
    colour("muted", r#""248""#, "What is less important."),
    colour("border", r#""242""#, "Lines."),
    colour(
        "cursor",
        r#""236""#,
        "The background of the row under the cursor.",
    ),
];

/// Keys of `[ui]`.
pub(super) const UI: &[Setting] = &[
    key(
        "theme",
        OneOf(THEMES),
        Default(r#""auto""#),
        "Colours. \"auto\" (dark or light, as the terminal says), \"dark\", \"light\", \"neutral\" (on any \
         background), \
         \"high-contrast\" (on a dark background), \"high-contrast-light\", \"16\" (the terminal's own \
         16 colours) or \"mono\" (none). --theme takes another one for once; $NO_COLOR means \"mono\".",
    ),
    key(
        "bars",
        OneOf(&["blocks", "letters"]),
        Default(r#""blocks""#),
        "Bars of \"blocks\", or of \"letters\" (P passed, F failed, B blocked or on hold, \u{b7} the rest), as \
         without colours.",
    ),
    key(
        "mouse",
        Flag,
        Default("false"),
        "Listen to the mouse: wheel and clicks. true or false (default); false leaves selecting \
         text to the terminal.",
    ),
    key("colours", Table(COLOURS), Default("{}"), ""),
];

/// Keys of `[monitor]`.
pub(super) const MONITOR: &[Setting] = &[
    key(
        "samples_days",
        Whole(1, 3650),
        Default("90"),
        "Days for which the counts of runs are kept, in samples.sqlite in the state directory. \
         Whole number {}.",
    ),
    key(
        "ignored_paths",
        List(&Text(forms::field_path), 0),
        Default(r#"["Root.Metadata", "__meta.modifiedAt", "__meta.modifier"]"#),
        "Fields whose changes are not told, each with all that is below it. List of texts, field \
         paths; [] tells everything. Default: what every edit moves, whatever was edited.",
    ),
    key(
        "notify",
        OneOfOrList(&["none", "bell", "osc9"], &Text(forms::text)),
        Default(r#""none""#),
        "What happens when a run goes over its limit or is finished. \"none\", \"bell\" (of the \
         terminal), \"osc9\" (a notification of the terminal), or a list of a program and its \
         arguments, to which the words of what happened are added as the last one; no shell runs: \
         no ~, $NAME or pipes, and it starts as client_secret_command does. One is run at a time and one \
         started a second at most; of what happens meanwhile the newest is told. tmux hands \"osc9\" \
         through only with \"set -g allow-passthrough \
         on\" in its configuration, and not every terminal shows it; \"bell\" works everywhere, \
         tmux marks the window that rang.",
    ),
];

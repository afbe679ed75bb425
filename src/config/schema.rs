//! Every key a config file may have, with its type and form.

use super::forms::{self, Form};

/// What stands behind a key.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    /// Text of a form.
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
    List(&'static Kind, usize),
    /// One of these texts, or a list of these with at least one entry.
    OneOfOrList(&'static [&'static str], &'static Kind),
    /// Tables, each below a `[[…]]` of its own.
    Tables,
    /// Refused, for this reason.
    Refused(&'static str),
}

/// One key of a table.
pub(super) struct Key {
    pub(super) name: &'static str,
    pub(super) kind: Kind,
    /// The table makes no sense without it.
    pub(super) required: bool,
}

const fn key(name: &'static str, kind: Kind) -> Key {
    Key {
        name,
        kind,
        required: false,
    }
}

const fn required(name: &'static str, kind: Kind) -> Key {
    Key {
        name,
        kind,
        required: true,
    }
}

/// Keys outside of any table.
pub(super) const ROOT: &[Key] = &[key("default_profile", Kind::Text(forms::text))];

/// Tables at the top.
pub(super) const TABLES: &[&str] = &["profiles", "ui", "monitor", "keys"];

/// Keys of `[monitor]`.
pub(super) const MONITOR: &[Key] = &[
    key("samples_days", Kind::Whole(1, 3650)),
    key(
        "ignored_paths",
        Kind::List(&Kind::Text(forms::field_path), 0),
    ),
    key(
        "notify",
        Kind::OneOfOrList(&["none", "bell", "osc9"], &Kind::Text(forms::text)),
    ),
];

/// Every entry of `[keys]`: further keys of a command.
pub(super) const KEYS: Kind = Kind::List(&Kind::Text(forms::text), 1);

/// Days of the week, Monday first.
pub(super) const WEEK: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

/// Keys of `[ui]`.
pub(super) const UI: &[Key] = &[
    key("theme", Kind::OneOf(&["auto", "dark", "light", "mono"])),
    key("mouse", Kind::Flag),
];

/// Keys of `[profiles.NAME]`. The project is required because every list and document of the service needs `Project-Id` (4.1).
pub(super) const PROFILE: &[Key] = &[
    required("base_url", Kind::Text(forms::base_address)),
    key("auth_url", Kind::Text(forms::address)),
    required("idp_url", Kind::Text(forms::address)),
    required("realm", Kind::Text(forms::text)),
    required("client_id", Kind::Text(forms::text)),
    key("client_secret", Kind::Text(forms::secret)),
    key("client_secret_command", Kind::Text(forms::command)),
    key("client_secret_env", Kind::Text(forms::variable)),
    key("username", Kind::Text(forms::text)),
    key(
        "password",
        Kind::Refused(
            "a password does not belong in a file, where backups and other programs read it; \
             expected password_command, password_env or neither (then it is asked for)",
        ),
    ),
    key("password_command", Kind::Text(forms::command)),
    key("password_env", Kind::Text(forms::variable)),
    required("project_id", Kind::Text(forms::project_id)),
    key("subproject_id", Kind::Text(forms::subproject_id)),
    key("project_version", Kind::Text(forms::project_version)),
    key("locale", Kind::Text(forms::locale)),
    key("read_only", Kind::Flag),
    key("refresh_seconds", Kind::Whole(0, 86_400)),
    key(
        "runs_source",
        Kind::OneOf(&["auto", "list_test_runs", "list_documents"]),
    ),
    key("page_size", Kind::Whole(1, 1000)),
    key("ca_certificate", Kind::Text(forms::text)),
    key("request_timeout_seconds", Kind::Whole(1, 3600)),
    key("done_codes", Kind::List(&Kind::Whole(1, 11), 1)),
    key("working_hours", Kind::Text(forms::working_hours)),
    key("working_days", Kind::List(&Kind::OneOf(&WEEK), 1)),
    key("pace_days", Kind::Whole(1, 90)),
    key("gate", Kind::Condition),
    key("views", Kind::Tables),
];

/// Keys of `[[profiles.NAME.views]]`.
pub(super) const VIEW: &[Key] = &[
    required("name", Kind::Text(forms::text)),
    key("fulltext", Kind::Text(forms::text)),
    key("filter", Kind::List(&Kind::Text(forms::filter), 1)),
    key("sort", Kind::List(&Kind::Text(forms::sort), 1)),
    key("runs", Kind::List(&Kind::Text(forms::run_id), 1)),
    key("gate", Kind::Condition),
];

/// Keys of a profile of which at most one may be there.
pub(super) const ONE_OF: &[&[&str]] = &[
    &[
        "client_secret",
        "client_secret_command",
        "client_secret_env",
    ],
    &["password_command", "password_env"],
];

/// The known name nearest to `name`, if one is near enough to be meant.
pub(super) fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let name = name.to_lowercase().replace('-', "_");
    known
        .into_iter()
        .map(|known| {
            (
                strsim::damerau_levenshtein(&name, &known.to_lowercase()),
                known,
            )
        })
        .filter(|(distance, known)| *distance <= (known.chars().count() / 3).max(1))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, known)| known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_shows_every_key() {
        let (profile, rest) = super::super::EXAMPLE
            .split_once("[[profiles.work.views]]")
            .unwrap();
        let (view, others) = rest.split_once("[ui]").unwrap();
        for (part, keys) in [
            (profile, ROOT),
            (profile, PROFILE),
            (view, VIEW),
            (others, UI),
            (others, MONITOR),
        ] {
            for key in keys.iter().filter(|key| !matches!(key.kind, Kind::Tables)) {
                let start = format!("{} = ", key.name);
                let shown = part
                    .lines()
                    .filter(|line| line.trim_start_matches("# ").starts_with(&start));
                assert_eq!(
                    shown.count(),
                    usize::from(!matches!(key.kind, Kind::Refused(_))),
                    "{}",
                    key.name
                );
            }
        }
    }
}

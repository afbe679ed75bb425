//! Good config files: what they say, what is warned about, what goes before what.

use crate::support::prelude::*;
use std::fs;

use rundown::config::{
    Config, ConfigChoice, ConfigError, EXAMPLE, MonitorSettings, Overrides, ProjectSettings,
    SecretSource, load,
};
use rundown::domain::Notify;
use rundown::domain::diff::Ignored;
use rundown::domain::{HoursOfDay, RunsSource, Sort};

const LEAST: &str = "base_url = \"https://t.example/api\"\nidp_url = \"https://i.example\"\nrealm = \"r\"\n\
                     client_id = \"c\"\nproject_id = \"P_9\"\n";

fn written(folder: &Path, text: &str) -> PathBuf {
    let path = folder.join("config.toml");
    fs::write(&path, text).unwrap();
    path
}

fn loaded(text: &str, profile: Option<&str>) -> Result<Config, ConfigError> {
    let folder = new_folder();
    let file = Some(written(folder.path(), text));
    load(&ConfigChoice {
        file,
        profile: profile.map(ToOwned::to_owned),
    })
}

#[test]
fn defaults() {
    let config = loaded(&format!("[profiles.a]\n{LEAST}"), None).unwrap();
    assert_eq!(config.default_profile.as_deref(), Some("a"));
    assert_eq!((config.ui.theme.as_str(), config.ui.mouse), ("auto", false));
    assert!(config.warnings.is_empty());
    let profile = config.profile().unwrap();
    assert_eq!(profile.rpc_url().as_str(), "https://t.example/api/v2/rpc");
    assert_eq!(
        (
            profile.locale.as_str(),
            profile.page_size,
            profile.refresh_seconds
        ),
        ("en", 50, 0)
    );
    assert_eq!(
        (profile.runs_source, profile.request_timeout),
        (RunsSource::Auto, Duration::from_secs(30))
    );
    assert_eq!(profile.max_answer_mb, 16);
    assert!(!profile.read_only && profile.client_secret.is_none() && profile.password.is_none());
    assert!(
        profile.username.is_none()
            && profile.subproject_id.is_none()
            && profile.ca_certificate.is_none()
    );
}

#[test]
fn what_is_kept_of_a_profile_is_kept_for_it_and_its_user_alone() {
    let key = |(name, user): (&str, &str)| {
        let text = format!("[profiles.{name}]\n{LEAST}username = \"{user}\"\n");
        rundown::profile::key_of(loaded(&text, None).unwrap().profile().unwrap())
    };
    let keys = [("a", "mai"), ("b", "mai"), ("a", "trung")].map(key);
    assert_eq!(BTreeSet::from(keys.clone()).len(), 3);
    assert_eq!(key(("a", "Mai")), keys[0]);
}

#[test]
fn files_of_other_systems_are_read() {
    let windows = format!("\u{feff}[profiles.a]\n{LEAST}locale = \"de\"").replace('\n', "\r\n");
    assert_eq!(
        loaded(&windows, None).unwrap().profile().unwrap().locale,
        "de"
    );
    let inline = LEAST.lines().collect::<Vec<_>>().join(", ");
    assert_eq!(
        loaded(&format!("profiles = {{ a = {{ {inline} }} }}"), None)
            .unwrap()
            .profile()
            .unwrap()
            .realm,
        "r"
    );
    let dotted = LEAST
        .lines()
        .map(|line| format!("profiles.a.{line}"))
        .collect::<Vec<_>>()
        .join("\n");
    assert_eq!(
        loaded(&dotted, None).unwrap().profile().unwrap().client_id,
        "c"
    );
}

#[test]
fn every_value_arrives() {
    let text = format!(
        "[ui]\ntheme = \"light\"\nmouse = true\n[keys]\nquit = [\"F9\"]\nmouse.only = []\n[profiles.\"two words\"]\n{LEAST}\
         auth_url = \"https://t.example\"\nclient_secret = \"CANARY\"\nusername = \"u\"\npassword_command = \"pass show x\"\n\
         subproject_id = \"_\"\nproject_version = \"1.10.0\"\nlocale = \"de-DE\"\nread_only = true\nrefresh_seconds = 60\n\
         runs_source = \"list_documents\"\npage_size = 0x64\nca_certificate = \"ca/own.pem\"\nrequest_timeout_seconds = 5\n"
    );
    let folder = new_folder();
    let path = written(folder.path(), &text);
    let config = load(&ConfigChoice {
        file: Some(path),
        profile: None,
    })
    .unwrap();
    assert_eq!((config.ui.theme.as_str(), config.ui.mouse), ("light", true));
    let keys = config.keys.iter().map(|own| {
        let keys: Vec<&str> = own.keys.iter().map(|key| key.text.as_str()).collect();
        (own.command.text.as_str(), own.only, keys)
    });
    assert_eq!(
        keys.collect::<Vec<_>>(),
        [("mouse", true, vec![]), ("quit", false, vec!["F9"])]
    );
    let lines = config.keys.iter().map(|own| {
        let at = own.keys.first().map_or(own.command.at, |key| key.at);
        config.problem(at, String::new()).line
    });
    assert_eq!(lines.collect::<Vec<_>>(), [6, 5]);
    let profile = config.profile().unwrap();
    assert_eq!(profile.name, "two words");
    let unused = "auth_url is not used any more; the line can go";
    assert!(config.warnings.iter().any(|it| it.ends_with(unused)));
    assert_eq!(
        (
            profile.realm.as_str(),
            profile.client_id.as_str(),
            profile.project_id.as_str()
        ),
        ("r", "c", "P_9")
    );
    assert!(
        matches!(&profile.client_secret, Some(SecretSource::Inline(secret)) if secret.expose_secret() == "CANARY")
    );
    assert!(
        matches!(&profile.password, Some(SecretSource::Command(line)) if line == "pass show x")
    );
    assert_eq!(profile.username.as_deref(), Some("u"));
    assert_eq!(
        (
            profile.subproject_id.as_deref(),
            profile.project_version.as_deref()
        ),
        (Some("_"), Some("1.10.0"))
    );
    assert_eq!(
        (
            profile.locale.as_str(),
            profile.page_size,
            profile.refresh_seconds
        ),
        ("de-DE", 100, 60)
    );
    assert_eq!(
        (profile.runs_source, profile.request_timeout),
        (RunsSource::ListDocuments, Duration::from_secs(5))
    );
    assert!(profile.read_only);
    assert_eq!(
        profile.ca_certificate,
        Some(folder.path().join("ca/own.pem"))
    );
    lacks(&format!("{config:?}"), "CANARY");
}

#[test]
fn how_runs_are_watched() {
    let watch = |keys: &str| {
        loaded(&format!("[profiles.a]\n{LEAST}{keys}"), None)
            .unwrap()
            .profile()
            .unwrap()
            .watch
            .clone()
    };
    let default = watch("");
    assert_eq!(default, ProjectSettings::default());
    let set = watch(
        "done_codes = [0xb, 2, 2]\nworking_hours = \"22:30-06:00\"\nworking_days = [\"sun\", \"mon\"]\npace_days = 10\nquiet_days = 2\n\
         limit = \"failed_new <= 20\"\n",
    );
    assert_eq!(set.done, [ResultCode::Passed, ResultCode::Skipped]);
    assert_eq!(
        set.hours.hours,
        HoursOfDay::Set {
            from: 22 * 60 + 30,
            to: 6 * 60
        }
    );
    assert_eq!(
        set.hours.days,
        Some([true, false, false, false, false, false, true])
    );
    assert_eq!(
        (set.pace_days, set.quiet_days, set.limit.as_deref()),
        (10, 2, Some("failed_new <= 20"))
    );
    for (text, hours) in [
        ("learned", HoursOfDay::Learned),
        ("always", HoursOfDay::Always),
        ("00:00-24:00", HoursOfDay::Set { from: 0, to: 1440 }),
    ] {
        assert_eq!(
            watch(&format!("working_hours = \"{text}\"")).hours.hours,
            hours
        );
    }
}

#[test]
fn saved_views_keep_their_order() {
    let text = format!(
        "[profiles.a]\n{LEAST}[[profiles.a.views]]\nname = \"one\"\nfulltext = \"pay\"\nfilter = [\"A.B:c:d\"]\n\
         sort = [\"A.B desc\", \"title\"]\ngate = \"left == 0\"\n[[profiles.a.views]]\nname = \"two\"\nruns = [\"R_4\", \"R_7\"]\n\
         [[profiles.a.views]]\nname = \"three\"\nruns = [\"R_4\"]\nquery = \"is:late or version:2.*\"\n"
    );
    let views = loaded(&text, None)
        .unwrap()
        .profile()
        .unwrap()
        .watch
        .views
        .clone();
    let [one, two, three] = &views[..] else {
        panic!("{views:?}")
    };
    assert_eq!(
        (
            one.name.as_str(),
            one.filter.fulltext.as_str(),
            &one.filter.filters[..]
        ),
        ("one", "pay", &["A.B:c:d".to_owned()][..])
    );
    let orders: Vec<String> = one.sorts.iter().map(Sort::order).collect();
    assert_eq!(orders, ["A.B DESC", "Root.General.Title ASC"]);
    assert_eq!(one.limit.as_deref(), Some("left == 0"));
    assert_eq!(
        (two.name.as_str(), &two.runs[..], two.is_tab()),
        ("two", &["R_4".to_owned(), "R_7".to_owned()][..], false)
    );
    let version = "Root.General.ProjectVersionNumber";
    assert_eq!(
        (
            three.query.as_str(),
            three.is_tab(),
            three.filters_by(version)
        ),
        ("is:late or version:2.*", true, true)
    );
}

#[test]
fn what_the_monitor_keeps_and_tells() {
    let monitor = |keys: &str| {
        loaded(&format!("[monitor]\n{keys}\n[profiles.a]\n{LEAST}"), None)
            .unwrap()
            .monitor
    };
    assert_eq!(
        monitor(""),
        MonitorSettings {
            samples_days: 90,
            ignored: Ignored::default(),
            notify: Notify::None
        }
    );
    assert_eq!(
        loaded(&format!("[profiles.a]\n{LEAST}"), None)
            .unwrap()
            .monitor,
        MonitorSettings::default()
    );
    let set = monitor(
        "samples_days = 7\nignored_paths = [\"Root.Metadata.*\"]\nnotify = [\"notify-send\", \"a run\"]",
    );
    assert_eq!(
        (set.samples_days, set.notify),
        (
            7,
            Notify::Command(vec!["notify-send".into(), "a run".into()])
        )
    );
    assert!(
        set.ignored.covers("Root.Metadata.EditedOn") && !set.ignored.covers("__meta.modifiedAt")
    );
    assert!(
        !monitor("ignored_paths = []")
            .ignored
            .covers("Root.Metadata.EditedOn")
    );
    for (text, notify) in [
        ("none", Notify::None),
        ("bell", Notify::Bell),
        ("osc9", Notify::Osc9),
    ] {
        assert_eq!(monitor(&format!("notify = \"{text}\"")).notify, notify);
    }
}

#[test]
fn home_is_where_the_certificate_may_be() {
    let config = loaded(
        &format!(
            "[profiles.a]\n{LEAST}ca_certificate = \"~/no/such.pem\"\nca_also = \"also.pem\"\n"
        ),
        None,
    )
    .unwrap();
    let home = std::env::home_dir().unwrap();
    assert_eq!(
        config.profile().unwrap().ca_certificate,
        Some(home.join("no/such.pem"))
    );
    // It is looked for when the profile is opened.
    assert_eq!(config.warnings, [""; 0]);
}

#[test]
fn the_endpoint_follows_any_base_address() {
    for (base, endpoint) in [
        ("https://t.example/api/", "https://t.example/api/v2/rpc"),
        (
            "https://t.example:8443/a/b/api",
            "https://t.example:8443/a/b/api/v2/rpc",
        ),
        (
            "http://127.0.0.1:8090/api",
            "http://127.0.0.1:8090/api/v2/rpc",
        ),
        ("http://localhost:1/api", "http://localhost:1/api/v2/rpc"),
        ("http://[::1]:1/api", "http://[::1]:1/api/v2/rpc"),
    ] {
        let config = loaded(
            &format!(
                "[profiles.a]\n{}",
                LEAST.replace("https://t.example/api", base)
            ),
            None,
        )
        .unwrap();
        assert_eq!(config.profile().unwrap().rpc_url().as_str(), endpoint);
    }
}

#[test]
fn the_profile_asked_for_goes_before_the_default() {
    let two = format!("[profiles.a]\n{LEAST}[profiles.b]\n{LEAST}");
    let named = format!("default_profile = \"b\"\n{two}");
    let opened = |text, profile| {
        loaded(text, profile)
            .unwrap()
            .profile()
            .map(|profile| profile.name.clone())
    };
    assert_eq!(opened(&named, None), Ok("b".into()));
    assert_eq!(opened(&named, Some("a")), Ok("a".into()));
    let error = opened(&two, None).unwrap_err().to_string();
    assert!(
        error.ends_with(
            "config.toml: several profiles and no default_profile; choose with --profile: a, b"
        ),
        "{error}"
    );
    let error = loaded(&two, Some("bb")).unwrap_err().to_string();
    assert!(
        error.starts_with("--profile (or $RUNDOWN_PROFILE): no such profile in ")
            && error.ends_with("; expected one of a, b; did you mean \"b\"?"),
        "{error}"
    );
}

#[test]
fn the_command_line_goes_before_the_profile() {
    let config = loaded(&format!("[profiles.a]\n{LEAST}read_only = true\n"), None).unwrap();
    let profile = config.profile().unwrap();
    let other = |project: &str, subproject: &str| {
        let overrides = Overrides {
            project_id: Some(project.into()),
            subproject_id: Some(subproject.into()),
            ..Overrides::default()
        };
        profile.with(&overrides)
    };
    let changed = other("P_1", "SP_2");
    assert_eq!(
        (
            changed.project_id.as_str(),
            changed.subproject_id.as_deref()
        ),
        ("P_1", Some("SP_2"))
    );
    assert!(changed.read_only, "what the file protects stays protected");
    assert_eq!(profile.with(&Overrides::default()).project_id, "P_9");
}

#[cfg(unix)]
#[test]
fn a_secret_that_others_can_read_is_warned_about() {
    use std::os::unix::fs::PermissionsExt;
    let folder = new_folder();
    let warnings = |secret: &str, mode| {
        let path = written(folder.path(), &format!("[profiles.a]\n{LEAST}{secret}\n"));
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        load(&ConfigChoice {
            file: Some(path),
            profile: None,
        })
        .unwrap()
        .warnings
    };
    let path = folder.path().join("config.toml").display().to_string();
    let text = format!(
        "{path} holds a client_secret and others can read it (mode 0640); chmod 600 {path}"
    );
    assert_eq!(warnings("client_secret = \"CANARY\"", 0o640), [text]);
    assert_eq!(warnings("client_secret = \"CANARY\"", 0o604).len(), 1);
    assert!(warnings("client_secret = \"CANARY\"", 0o600).is_empty());
    assert!(warnings("client_secret_env = \"X\"", 0o644).is_empty());
}

/// The keys the file has by decision; `password` is none of them.
const KEYS: [&str; 62] = [
    "default_profile",
    "base_url",
    "idp_url",
    "realm",
    "client_id",
    "client_secret",
    "client_secret_command",
    "client_secret_env",
    "username",
    "me",
    "password_command",
    "password_env",
    "project_id",
    "subproject_id",
    "project_version",
    "locale",
    "web_url",
    "read_only",
    "refresh_seconds",
    "runs_source",
    "page_size",
    "cache",
    "cache_runs",
    "ca_certificate",
    "ca_also",
    "max_answer_mb",
    "read_again_milliseconds",
    "retry_milliseconds",
    "request_timeout_seconds",
    "done_codes",
    "working_hours",
    "working_days",
    "pace_days",
    "quiet_days",
    "limit",
    "name",
    "fulltext",
    "filter",
    "query",
    "sort",
    "runs",
    "limit",
    "title",
    "kind",
    "version",
    "at",
    "name",
    "expr",
    "samples_days",
    "ignored_paths",
    "notify",
    "theme",
    "bars",
    "mouse",
    "accent",
    "good",
    "bad",
    "warn",
    "muted",
    "border",
    "cursor",
    "[keys]",
];

/// Every `key = value` line of the example, switched on or not.
fn example_lines() -> impl Iterator<Item = (&'static str, &'static str)> {
    EXAMPLE
        .lines()
        .map(|line| line.strip_prefix("# ").unwrap_or(line))
        .filter_map(|line| {
            let key = line.split_once(" = ")?.0;
            key.chars()
                .all(|c| c.is_ascii_lowercase() || c == '_')
                .then_some((key, line))
        })
}

#[test]
fn the_example_has_every_key_once_and_no_other() {
    let keys: Vec<_> = example_lines()
        .map(|(key, _)| key)
        .chain(EXAMPLE.lines().find(|line| *line == "[keys]"))
        .collect();
    assert_eq!(keys.len(), KEYS.len(), "{keys:?}");
    assert_eq!(
        keys.into_iter().collect::<BTreeSet<_>>(),
        KEYS.into_iter().collect()
    );
}

#[test]
fn every_line_of_the_example_works_when_switched_on() {
    for (key, line) in example_lines() {
        let switched = |text: &str| {
            text.lines()
                .map(|it| if it == format!("# {line}") { line } else { it })
                .collect::<Vec<_>>()
                .join("\n")
        };
        // At most one client secret may be in force.
        let base = if key.starts_with("client_secret") {
            EXAMPLE.replace("\nclient_secret_env", "\n# client_secret_env")
        } else {
            EXAMPLE.to_owned()
        };
        let text = switched(&base);
        assert!(text.lines().any(|it| it == line), "{line}");
        assert!(
            loaded(&text, None).is_ok(),
            "{line}: {:?}",
            loaded(&text, None)
        );
    }
}

//! Bad config files: each gets every message, whole, with its line, and never a value.

use std::fs;

use rundown::config::{ConfigChoice, ConfigError, load};

/// A profile with nothing wrong in it, seven lines.
const GOOD: &str = "[profiles.a]\nbase_url = \"https://t.example/api\"\nidp_url = \"https://i.example\"\nrealm = \"r\"\n\
                    client_id = \"c\"\nproject_id = \"P_9\"\n";

/// The messages of a file, without its path.
fn messages(text: impl AsRef<[u8]>) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("config.toml");
    fs::write(&path, text).unwrap();
    let error = load(&ConfigChoice {
        file: Some(path.clone()),
        profile: None,
    })
    .unwrap_err();
    let shown = error.to_string();
    let prefix = format!("{}:", path.display());
    shown
        .lines()
        .map(|line| line.strip_prefix(&prefix).unwrap_or(line).to_owned())
        .collect()
}

/// The one message of the good profile with a line more, which is line 7.
fn with(line: &str) -> Vec<String> {
    messages(format!("{GOOD}{line}\n"))
}

#[test]
fn unknown_keys_name_the_nearest_known_one() {
    assert_eq!(
        with("page_sise = 5"),
        ["7: unknown key \"page_sise\" in [profiles.a]; did you mean \"page_size\"?"]
    );
    assert_eq!(
        with("Read-Only = true"),
        ["7: unknown key \"Read-Only\" in [profiles.a]; did you mean \"read_only\"?"]
    );
    assert_eq!(
        with("[ui]\nmouze = true"),
        ["8: unknown key \"mouze\" in [ui]; did you mean \"mouse\"?"]
    );
    assert_eq!(
        with("[ui]\nxyzzy = 1"),
        ["8: unknown key \"xyzzy\" in [ui]; expected one of theme, bars, mouse, colours"]
    );
    assert_eq!(
        with("[profile.b]"),
        ["7: unknown key \"profile\" at the top; did you mean \"profiles\"?"]
    );
    assert_eq!(
        messages(format!("realm = \"r\"\ntheme = \"auto\"\n{GOOD}")),
        [
            "1: unknown key \"realm\" at the top; expected one of default_profile, profiles, ui, monitor, keys",
            "2: unknown key \"theme\" at the top; expected one of default_profile, profiles, ui, monitor, keys"
        ]
    );
}

#[test]
fn wrong_types_say_what_is_expected() {
    for (line, message) in [
        (
            "username = 1",
            "username: a whole number found; expected a text in quotes",
        ),
        (
            "username = true",
            "username: true or false found; expected a text in quotes",
        ),
        (
            "read_only = \"yes\"",
            "read_only: a text found; expected true or false",
        ),
        (
            "page_size = 50.0",
            "page_size: a number with a point found; expected a whole number from 1 to 1000",
        ),
        (
            "locale = [\"en\"]",
            "locale: a list found; expected a text in quotes",
        ),
        (
            "project_version = 2024-01-01",
            "project_version: a date found; expected a text in quotes",
        ),
        (
            "username = { a = 1 }",
            "username: a table found; expected a text in quotes",
        ),
        (
            "[ui]\ntheme = 1",
            "8: theme: a whole number found; expected one of \"auto\", \"dark\", \"light\", \"neutral\", \"high-contrast\", \"high-contrast-light\", \"16\", \"mono\"",
        ),
        ("[[keys]]", "keys: a list found; expected a table"),
        (
            "[keys]\nmouse = 3",
            "8: [keys] mouse: a whole number found; expected a list, each a text in quotes, or a table with only",
        ),
        (
            "[keys]\nmouse = []",
            "8: [keys] mouse: empty; expected a list, each a text in quotes, or a table with only",
        ),
        (
            "[keys]\nmouse = { only = 3 }",
            "8: only: a whole number found; expected a list, each a text in quotes",
        ),
        (
            "[keys]\nmouse = { }",
            "8: only is missing in [keys.mouse]; expected a list, each a text in quotes",
        ),
        (
            "[keys]\nmouse = { only = [], onyl = [] }",
            "8: unknown key \"onyl\" in [keys.mouse]; did you mean \"only\"?",
        ),
    ] {
        let message = if message.starts_with('8') {
            message.to_owned()
        } else {
            format!("7: {message}")
        };
        assert_eq!(with(line), [message], "{line}");
    }
    assert_eq!(
        messages("profiles = 3"),
        ["1: profiles: a whole number found; expected a table"]
    );
    assert_eq!(
        messages("[profiles]\na = 3"),
        ["2: profiles.a: a whole number found; expected a table"]
    );
}

#[test]
fn values_out_of_form_or_range() {
    for (line, message) in [
        (
            "page_size = 0",
            "page_size: out of range; expected a whole number from 1 to 1000",
        ),
        (
            "page_size = 1001",
            "page_size: out of range; expected a whole number from 1 to 1000",
        ),
        (
            "refresh_seconds = -1",
            "refresh_seconds: out of range; expected a whole number from 0 to 86400",
        ),
        (
            "request_timeout_seconds = 0",
            "request_timeout_seconds: out of range; expected a whole number from 1 to 3600",
        ),
        (
            "subproject_id = \"S_1\"",
            "subproject_id: not a sub project id; expected SP_<n>, such as SP_1, or _ for none",
        ),
        (
            "project_version = \"1.2\"",
            "project_version: not a version; expected <major>.<minor>.<patch>, such as 1.4.0",
        ),
        (
            "locale = \"english language\"",
            "locale: not a language; expected a code such as en or de-DE",
        ),
        (
            "locale = \"de-D$\"",
            "locale: not a language; expected a code such as en or de-DE",
        ),
        (
            "web_url = \"https://{id}.example/runs\"",
            "web_url: not the address of a run; expected one with {id} in it, such as https://host/runs/{id}",
        ),
        (
            "web_url = \"https://web.example/runs\"",
            "web_url: not the address of a run; expected one with {id} in it, such as https://host/runs/{id}",
        ),
        (
            "web_url = \"javascript:{id}\"",
            "web_url: not an http or https address; expected one such as https://host/runs/{id}",
        ),
        (
            "web_url = \"ftp://x.example/{id}\"",
            "web_url: not an http or https address; expected one such as https://host/runs/{id}",
        ),
        ("username = \"\"", "username: empty; expected a text"),
        (
            "username = \"a\\u001b\"",
            "username: control character in it; expected text on one line",
        ),
        (
            "runs_source = \"list_documets\"",
            "runs_source: not a known value; expected one of \"auto\", \"list_test_runs\", \"list_documents\"; \
             did you mean \"list_documents\"?",
        ),
        (
            "password_env = \"A-B\"",
            "password_env: not the name of an environment variable; expected letters, digits and _, such as RUNDOWN_PASSWORD",
        ),
        (
            "client_secret_env = \"A-B\"",
            "client_secret_env: not the name of an environment variable; expected letters, digits and _, such as RUNDOWN_CLIENT_SECRET",
        ),
        (
            "password_command = \"pass 'x\"",
            "password_command: a quote is not closed; expected a program and its arguments, such as \"pass show tests\"",
        ),
        (
            "password = \"x\"",
            "password: a password does not belong in a file, where backups and other programs read it; expected \
             password_command, password_env or neither (then it is asked for)",
        ),
        (
            "password_env = \"A\"\npassword_command = \"b\"",
            "8: password_command beside password_env in [profiles.a]; expected one of password_command, password_env",
        ),
        (
            "default_profile = \"b\"",
            "unknown key \"default_profile\" in [profiles.a]; expected one of base_url, idp_url",
        ),
    ] {
        let message = if message.starts_with('8') {
            message.to_owned()
        } else {
            format!("7: {message}")
        };
        let got = with(line);
        assert_eq!(got.len(), 1, "{got:?}");
        assert!(
            got[0] == message || line.starts_with("default") && got[0].starts_with(&message),
            "{got:?}"
        );
    }
    let got = with("default_profile = \"b\"");
    let place = "; it belongs to the top of the file, above its tables";
    assert!(got[0].ends_with(place), "{got:?}");
    let got = with("monitor = 1");
    assert!(!got[0].contains(place), "{got:?}");
    for bad in [
        "9",
        "P_",
        "P_x",
        "p_9",
        "P_9 ",
        "P_-1",
        "SP_1",
        "P_1234567890123456789",
    ] {
        let text = GOOD.replace("P_9", bad);
        assert_eq!(
            messages(text),
            ["6: project_id: not a project id; expected P_<n>, such as P_9"],
            "{bad}"
        );
    }
}

#[test]
fn lists_hours_and_ways_to_tell() {
    let codes = "a list, each a whole number from 1 to 11";
    let days = "one of \"mon\", \"tue\", \"wed\", \"thu\", \"fri\", \"sat\", \"sun\"";
    let hours = "working_hours: not hours of a day; expected \"learned\", \"always\" or HH:MM-HH:MM, such as 08:00-18:00";
    let path = "ignored_paths: not a field path; expected names with points, such as Root.Metadata or __meta.modifiedAt";
    let notify = "expected one of \"none\", \"bell\", \"osc9\" or a list, each a text in quotes";
    for (line, message) in [
        (
            "done_codes = 2",
            format!("7: done_codes: a whole number found; expected {codes}"),
        ),
        (
            "done_codes = []",
            format!("7: done_codes: empty; expected {codes}"),
        ),
        (
            "done_codes = [2, 12]",
            "7: done_codes: out of range; expected a whole number from 1 to 11".into(),
        ),
        (
            "done_codes = [2,\n\"5\"]",
            "8: done_codes: a text found; expected a whole number from 1 to 11".into(),
        ),
        (
            "working_days = \"mon\"",
            format!("7: working_days: a text found; expected a list, each {days}"),
        ),
        (
            "working_days = [\"Mon\"]",
            format!("7: working_days: not a known value; expected {days}; did you mean \"mon\"?"),
        ),
        ("working_hours = \"8-18\"", format!("7: {hours}")),
        ("working_hours = \"08:00-25:00\"", format!("7: {hours}")),
        (
            "working_hours = \"08:00-08:00\"",
            "7: working_hours: the same time twice; expected two that differ, or \"always\"".into(),
        ),
        ("working_hours = \"24:00-08:00\"", format!("7: {hours}")),
        ("working_hours = \"08:60-09:00\"", format!("7: {hours}")),
        ("working_hours = \"08:00-24:01\"", format!("7: {hours}")),
        (
            "pace_days = 0",
            "7: pace_days: out of range; expected a whole number from 1 to 90".into(),
        ),
        (
            "gate = \"a\\nb\"",
            "7: gate: control character in it; expected text on one line".into(),
        ),
        (
            "[monitor]\nsamples_days = 0",
            "8: samples_days: out of range; expected a whole number from 1 to 3650".into(),
        ),
        (
            "[monitor]\nignored_paths = [\"Root.*.x\"]",
            format!("8: {path}"),
        ),
        ("[monitor]\nignored_paths = [\"\"]", format!("8: {path}")),
        (
            "[monitor]\nnotify = \"bel\"",
            format!("8: notify: not a known value; {notify}; did you mean \"bell\"?"),
        ),
        (
            "[monitor]\nnotify = []",
            format!("8: notify: empty; {notify}"),
        ),
        (
            "[monitor]\nnotify = [\"\"]",
            "8: notify: empty; expected a text".into(),
        ),
        (
            "[monitor]\nnotify = true",
            format!("8: notify: true or false found; {notify}"),
        ),
        (
            "[monitor]\nnotifi = 1",
            "8: unknown key \"notifi\" in [monitor]; did you mean \"notify\"?".into(),
        ),
        (
            "monitor = 1",
            "7: unknown key \"monitor\" in [profiles.a]; expected one of base_url, ".into(),
        ),
    ] {
        let got = with(line);
        assert_eq!(got.len(), 1, "{line}: {got:?}");
        assert!(
            got[0] == message || line.starts_with("monitor") && got[0].starts_with(&message),
            "{line}: {got:?}"
        );
    }
    assert_eq!(
        messages(format!("samples_days = 1\nmonitor = 1\n{GOOD}")),
        [
            "1: unknown key \"samples_days\" at the top; expected one of default_profile, profiles, ui, monitor, keys",
            "2: monitor: a whole number found; expected a table"
        ]
    );
    assert_eq!(
        with("done_codes = [0, 2, 99]").len(),
        1,
        "one line, one message"
    );
}

#[test]
fn saved_views() {
    let title = "[[profiles.a.views]]";
    let view = |keys: &str| with(&format!("[[profiles.a.views]]\nname = \"v\"\n{keys}"));
    let one =
        |line: &str, message: &str| assert_eq!(view(line), [format!("9: {message}")], "{line}");
    one(
        "filter = [\"active\"]",
        "filter: not a filter; expected <field path>:<value>, such as Root.General.Status:active",
    );
    one(
        "filter = [\"Status:active\"]",
        "filter: not a filter; expected <field path>:<value>, such as Root.General.Status:active",
    );
    for sort in ["A.B UP", "foo", "title UP"] {
        one(
            &format!("sort = [\"{sort}\"]"),
            "sort: not an order; expected a field or its path, and ASC or DESC if wanted",
        );
    }
    one(
        "runs = [\"4\"]",
        "runs: not a short id of a run; expected R_<n>, such as R_4",
    );
    one("fulltext = \"\"", "fulltext: empty; expected a text");
    let many: Vec<String> = (0..21).map(|number| format!("\"R_{number}\"")).collect();
    one(
        &format!("runs = [{}]", many.join(", ")),
        "runs: each is asked for by itself; expected at most 20",
    );
    let got = view("runs = [\"R_1\"]\ngate = \"hunter2 < 3\"");
    assert!(
        got.len() == 1 && got[0].starts_with("10: gate: not a condition: column 1: unknown name;"),
        "nothing of what stands there is repeated: {got:?}"
    );
    // But a name that is nearly one of ours.
    let got = view("runs = [\"R_1\"]\nlimit = \"faild <= 3\"");
    assert!(
        got[0].starts_with("10: limit: not a condition: column 1: unknown name faild: failed?;"),
        "{got:?}"
    );
    let got = view("runs = [\"R_1\"]\ngate = \"left == 0\"\nlimit = \"left == 0\"");
    assert_eq!(
        got,
        ["10: limit beside gate in [[profiles.a.views]], which is the same; expected limit alone"]
    );
    let got = view("runs = [\"R_1\"]\ngate = \"failed_new <\"");
    assert_eq!(
        got,
        [
            "10: gate: not a condition: column 13: expected a count such as failed_new, a whole number or a (; expected one such as failed_new <= 20"
        ]
    );
    let got = view("runs = [\"R_1\"]\nfilters = []");
    assert_eq!(
        got,
        [format!(
            "10: unknown key \"filters\" in {title}; did you mean \"filter\"?"
        )]
    );
    let nothing = format!(
        "a view of nothing in {title}; expected at least one of fulltext, filter, query, sort, runs"
    );
    assert_eq!(view(""), [format!("7: {nothing}")]);
    for (query, problem) in [
        (
            "failed>x",
            "column 8: expected a whole number, of cases also one with a %",
        ),
        ("status:opne", "column 8: no status opne: open?"),
        (
            "a faild>3",
            "column 3: faild is no field: looked for as words. Did you mean failed?",
        ),
        ("(a", "column 3: expected a ): a ( before it is still open"),
    ] {
        let problem =
            format!("9: query: not a search: {problem}; expected one such as failed>0 by:anna");
        let got = view(&format!("query = \"{query}\""));
        assert_eq!(got, [problem], "{query}");
    }
    let got = with("[[profiles.a.views]]\nruns = [\"R_1\"]");
    assert_eq!(
        got,
        [format!("7: name is missing in {title}; expected a text")]
    );
    let two = "runs = [\"R_1\"]\n[[profiles.a.views]]\nname = \"V\"\nruns = [\"R_2\"]";
    assert_eq!(
        view(two),
        [format!(
            "11: name: the same a second time in {title}; expected another"
        )]
    );
    assert_eq!(
        with("views = 3"),
        ["7: views: a whole number found; expected tables, each below a [[…]] of its own"]
    );
    assert_eq!(
        with("views = [3]"),
        [format!(
            "7: views: a whole number found; expected a table {title}"
        )]
    );
}

#[test]
fn addresses() {
    let base = |address: &str| messages(GOOD.replace("https://t.example/api", address));
    let no_api = "2: base_url: not the address of an API; expected one that ends in /api, such as https://tenant.example.com/api";
    for bad in [
        "https://t.example",
        "https://t.example/apis",
        "https://t.example/xapi",
        "t.example/api",
        "ftp://t.example/api",
        "",
        "https:///api x",
    ] {
        assert_eq!(base(bad), [no_api], "{bad}");
    }
    let plain = "plain http:// would send the password and the tokens readable for anybody on the way; expected https:// \
                 (http:// is for localhost, 127.0.0.1 and [::1] only)";
    for host in [
        "t.example",
        "10.0.0.1",
        "localhost.example",
        "127.0.0.1.example",
        "[2001:db8::1]",
        "0.0.0.0",
    ] {
        assert_eq!(
            base(&format!("http://{host}/api")),
            [format!("2: base_url: {plain}")],
            "{host}"
        );
        assert_eq!(
            messages(GOOD.replace("https://i.example", &format!("http://{host}"))),
            [format!("3: idp_url: {plain}")]
        );
    }
    let realm = "not the address of an identity provider alone; expected the part before /realms, and its name in realm";
    for path in ["/realms/demo", "/auth/realms/demo/", "/realms"] {
        let with = format!("https://i.example{path}");
        assert_eq!(
            messages(GOOD.replace("https://i.example", &with)),
            [format!("3: idp_url: {realm}")]
        );
    }
    let login = "a user name or password in the address; expected the address alone, see username and password_command";
    for key in ["u:p@", "u@", ":p@"] {
        assert_eq!(
            base(&format!("https://{key}t.example/api")),
            [format!("2: base_url: {login}")],
            "{key}"
        );
    }
    assert_eq!(
        base("https://t.example/api?x=1"),
        ["2: base_url: a ? or # in the address; expected what stands before it"]
    );
}

#[test]
fn missing_values_and_profiles() {
    assert_eq!(
        messages(
            "\n[profiles.a]\n[profiles.b]\nrealm = \"r\"\nbase_url = \"https://t/api\"\nidp_url = \"https://i\"\nclient_id = \"c\""
        ),
        [
            "2: base_url is missing in [profiles.a]; expected one that ends in /api, such as https://tenant.example.com/api",
            "2: idp_url is missing in [profiles.a]; expected https://host/path, or http:// for localhost, 127.0.0.1 and [::1]",
            "2: realm is missing in [profiles.a]; expected a text",
            "2: client_id is missing in [profiles.a]; expected a text",
            "2: project_id is missing in [profiles.a]; expected P_<n>, such as P_9",
            "3: project_id is missing in [profiles.b]; expected P_<n>, such as P_9",
        ]
    );
    let none = " no profile; expected at least one [profiles.NAME]: rundown setup adds one, rundown config example shows one";
    for empty in [
        "",
        "\n\n",
        "# words\n",
        "[profiles]\n",
        "[ui]\n",
        "\u{feff}",
    ] {
        assert_eq!(messages(empty), [none], "{empty:?}");
    }
    assert_eq!(
        messages("default_profile = \"aa\"\nprofiles = 3\n").len(),
        1,
        "of no profiles none is missing"
    );
    assert_eq!(
        messages(format!("default_profile = \"aa\"\n{GOOD}")),
        ["1: default_profile: no such profile here; expected one of a; did you mean \"a\"?"]
    );
}

#[test]
fn a_profile_is_named_as_toml_wants_it() {
    for (name, header) in [("a-1_b", "a-1_b"), ("\"a b\"", "\"a b\""), ("\"\"", "\"\"")] {
        let told = messages(format!("[profiles.{name}]\n"));
        let missing = format!("1: base_url is missing in [profiles.{header}]; ");
        assert!(told.iter().any(|it| it.starts_with(&missing)), "{told:?}");
    }
}

#[test]
fn a_name_that_was_mistyped_is_not_missing_besides() {
    assert_eq!(
        with("[keys]\nmouse = { onyl = [] }"),
        ["8: unknown key \"onyl\" in [keys.mouse]; did you mean \"only\"?"]
    );
}

#[test]
fn a_profile_that_stands_there_twice_is_one_mistake() {
    let twice = "7: [profiles.a]: the same key or table a second time; expected it once";
    assert_eq!(messages(format!("{GOOD}{GOOD}")), [twice]);
    // What follows it is looked at as ever.
    let other = GOOD.replace("profiles.a", "profiles.b") + "realm = \"y\"\n";
    assert_eq!(
        messages(format!("{GOOD}{GOOD}{other}")),
        [
            twice,
            "19: \"realm\": the same key or table a second time; expected it once"
        ]
    );
}

#[test]
fn broken_text() {
    assert_eq!(
        with("realm = \"s\""),
        ["7: \"realm\": the same key or table a second time; expected it once"]
    );
    assert_eq!(
        with("[profiles.a]"),
        ["7: [profiles.a]: the same key or table a second time; expected it once"]
    );
    assert_eq!(
        with("username"),
        ["7: no valid TOML: key with no value, expected `=`"]
    );
    assert_eq!(
        messages("[profiles.a\n"),
        ["1: no valid TOML: unclosed table, expected `]`"]
    );
    assert_eq!(
        messages(b"[profiles.a]\nrealm = \"\xff\""),
        ["2: not UTF-8 text; expected a TOML file in UTF-8"]
    );
    // The mark of UTF-8 and the line ends of Windows are fine and do not shift the lines.
    let windows = format!("\u{feff}{GOOD}page_size = 0\n").replace('\n', "\r\n");
    assert_eq!(
        messages(windows),
        ["7: page_size: out of range; expected a whole number from 1 to 1000"]
    );
    // Several faults at once, of which some are only found in what could be saved of the text.
    assert_eq!(
        messages("[ui]\ntheme = \"drak\"\nmouse = yes\n[keys\n"),
        [
            "2: theme: not a known value; expected one of \"auto\", \"dark\", \"light\", \"neutral\", \"high-contrast\", \"high-contrast-light\", \"16\", \"mono\"; did you mean \"dark\"?",
            "3: no valid TOML: string values must be quoted, expected literal string",
            "4: no valid TOML: unclosed table, expected `]`",
        ]
    );
}

#[test]
fn files_that_are_none() {
    let folder = tempfile::tempdir().unwrap();
    let at = |path| {
        load(&ConfigChoice {
            file: Some(path),
            profile: None,
        })
        .unwrap_err()
    };
    let directory = at(folder.path().to_owned());
    assert_eq!(
        directory.to_string(),
        format!(
            "{}: is a directory; expected a TOML file",
            folder.path().display()
        )
    );
    let missing = folder.path().join("no file.toml");
    assert_eq!(
        at(missing.clone()),
        ConfigError::Missing {
            path: missing.clone()
        }
    );
    let path = missing.display();
    assert_eq!(
        at(missing.clone()).to_string(),
        format!(
            "no config file at {path}; make one with: rundown setup, or by hand: rundown config example > '{path}' && chmod 600 '{path}'; or look around with made-up data: rundown demo"
        )
    );
    let deeper = folder.path().join("x").join("config.toml");
    let (path, parent) = (
        deeper.display().to_string(),
        deeper.parent().unwrap().display().to_string(),
    );
    assert_eq!(
        at(deeper).to_string(),
        format!(
            "no config file at {path}; make one with: rundown setup, or by hand: mkdir -p {parent} && rundown config example > {path} && chmod 600 {path}; or look around with made-up data: rundown demo"
        )
    );
    let large = folder.path().join("large");
    fs::write(&large, vec![b'\n'; 1024 * 1024 + 1]).unwrap();
    assert!(
        at(large)
            .to_string()
            .ends_with("large: is larger than 1 MiB; expected a TOML file")
    );
}

/// However a secret is written, wrongly or in the wrong place, no message repeats it.
#[test]
fn no_message_holds_a_secret() {
    for bad in [
        "client_secret = CANARY",
        "client_secret = \"CANARY",
        "client_secret = 'CANARY\"",
        "client_secret = \"\"\"CANARY\n x = 1",
        "client_secret = \"x\nCANARY = 2\nend\"",
        "client_secret = \"\\qCANARY\"",
        "client_secret = \"\\uD800CANARY\"",
        "client_secret = 2024-13-CANARY",
        "client_secret = [\"CANARY\"]",
        "client_secret = { value = \"CANARY\" }",
        "client_secret = \"CANARY\" CANARY",
        "client_secret CANARY",
        "client_secret: CANARY",
        "client_secret = \"CANARY\"\nclient_secret = \"CANARY\"",
        "client_secret = \"CANARY\"\nclient_secret_env = \"CANARY\"",
        "client_secrt = \"CANARY\"",
        "client_secret_env = \"CANARY-\"",
        "client_secret_command = \"echo 'CANARY\"",
        "password = \"CANARY\"",
        "password = CANARY",
        "password_env = \"CANARY!\"",
        "password_command = [\"CANARY\"]",
        "ca_certificate = [\"CANARY\"]",
        "subproject_id = \"CANARY\"",
        "runs_source = \"CANARY\"",
        "locale = \"CANARY CANARY\"",
    ] {
        let got = with(bad);
        assert!(
            !got.is_empty() && got.iter().all(|line| !line.contains("CANARY")),
            "{bad}: {got:?}"
        );
    }
}

#[test]
fn hostile_names_stay_harmless() {
    let got = with("\"\\u001b[2J\\u202e\" = 1");
    assert!(
        got[0].starts_with("7: unknown key \"␛[2J\u{fffd}\" in [profiles.a]; expected one of "),
        "{got:?}"
    );
}

/// A large file of something else is refused line by line.
#[test]
fn a_file_of_something_else() {
    let got = messages("x\n".repeat(50_000));
    assert_eq!(got.len(), 50_000);
    assert_eq!(
        got[49_999],
        "50000: no valid TOML: key with no value, expected `=`"
    );
}

#[test]
fn what_is_said_of_releases_is_checked() {
    for (lines, message) in [
        (
            "[[profiles.a.due]]\nversion = \"1\"\nat = \"Fri\"",
            "9: at: not a day; expected YYYY-MM-DD, or YYYY-MM-DD HH:MM",
        ),
        (
            "[[profiles.a.kinds]]\ntitle = \"Night run\"",
            "7: kind is missing in [[profiles.a.kinds]]; expected a text",
        ),
        (
            "[[profiles.a.criteria]]\nname = \"a\"\nexpr = \"suites > 1\"",
            "9: expr: not a condition: column 1: suites is a number of a run, and this is asked of a release; expected \
             one such as failed_new <= 20",
        ),
        (
            "limit = \"runs_late == 0\"",
            "7: limit: not a condition: column 1: runs_late is a number of a release, and this is asked of a run; \
             expected one such as failed_new <= 20",
        ),
        (
            "[[profiles.a.due]]\nversion = \"1\"\nat = \"2026-11-27\"\n\
             [[profiles.a.due]]\nversion = \"1\"\nat = \"2026-11-28 17:00\"",
            "11: version: the same a second time in [[profiles.a.due]]; expected another",
        ),
        (
            "[[profiles.a.due]]\nversion = \"1\"\nat = \"2026-11-27\"\n\
             [[profiles.a.due]]\nversion = \" 1 \"\nat = \"2026-11-28 17:00\"",
            "11: version: the same a second time in [[profiles.a.due]]; expected another",
        ),
        (
            "[[profiles.a.kinds]]\ntitle = \"Night\"\nkind = \"A\"\n\
             [[profiles.a.kinds]]\ntitle = \"NIGHT\"\nkind = \"B\"",
            "11: title: the same a second time in [[profiles.a.kinds]]; expected another",
        ),
    ] {
        assert_eq!(with(lines), [message], "{lines}");
    }
}

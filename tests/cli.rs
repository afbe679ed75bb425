//! The command line, through the program itself.

use crate::support::prelude::*;
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::SystemTime;

use tempfile::TempDir;

const PROFILE: &str = "base_url = \"https://t.example/api\"\nidp_url = \"https://i.example\"\nrealm = \"r\"\n\
                       client_id = \"c\"\nproject_id = \"P_9\"\n";

/// A person's home with nothing in it but what a test puts there.
struct Home(TempDir);

impl Home {
    fn new() -> Self {
        Self(new_folder())
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rundown"));
        command
            .args(arguments)
            .env_clear()
            .env("HOME", self.0.path())
            .current_dir(self.0.path())
            .stdin(Stdio::null());
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    fn config(&self) -> PathBuf {
        self.0
            .path()
            .join(".config")
            .join("rundown")
            .join("config.toml")
    }

    fn write(&self, path: impl AsRef<Path>, text: &str) {
        let path = self.0.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Every file and folder with its bytes and time of change.
    fn everything(&self) -> BTreeMap<PathBuf, (Vec<u8>, SystemTime)> {
        let mut found = BTreeMap::new();
        let mut folders = vec![self.0.path().to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                let changed = path.metadata().unwrap().modified().unwrap();
                if path.is_dir() {
                    folders.push(path.clone());
                }
                found.insert(path.clone(), (fs::read(path).unwrap_or_default(), changed));
            }
        }
        found
    }
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// Exit status and the first line of standard error.
fn refusal(output: &Output) -> (Option<i32>, &str) {
    assert!(output.stdout.is_empty(), "{}", text(&output.stdout));
    (
        output.status.code(),
        text(&output.stderr).lines().next().unwrap(),
    )
}

#[test]
fn help_names_every_option_that_means_something() {
    let home = Home::new();
    let help = |arguments: &[&str]| {
        let output = home.run(arguments);
        assert!(output.status.success() && output.stderr.is_empty());
        text(&output.stdout).to_owned()
    };
    let general = [
        "--config",
        "--profile",
        "--project",
        "--subproject",
        "--read-only",
        "--log",
    ];
    let top = help(&["--help"]);
    assert!(general.iter().all(|option| top.contains(option)), "{top}");
    let check = help(&["config", "check", "--help"]);
    says(&check, "--config");
    says(&check, "--profile");
    lacks(&check, "--project");
    // Its only command writes, and has no data for a file.
    let changes = help(&["changes", "--help"]);
    says(&changes, "--profile");
    lacks(&changes, "--output");
    let example = help(&["config", "example", "--help"]);
    assert!(
        !general.iter().any(|option| example.contains(option)),
        "{example}"
    );
    begins(&help(&["--version"]), "rundown ");
}

#[test]
fn help_of_the_local_service() {
    let home = Home::new();
    let service = [
        "--listen",
        "--database",
        "--runs",
        "--suites",
        "--seed",
        "--latency",
        "--page-limit",
        "--without-list-test-runs",
        "--lag",
        "--second-writer",
        "--live",
    ];
    for (command, there, not_there) in [
        (
            "demo",
            &["--project", "--read-only"][..],
            &["--config", "--profile"][..],
        ),
        (
            "serve",
            &["RUNDOWN_SERVE_CLIENT_SECRET", "RUNDOWN_SERVE_PASSWORD"],
            &["--config", "--project", "--password"],
        ),
    ] {
        let output = home.run(&[command, "--help"]);
        let help = text(&output.stdout);
        assert!(
            service
                .iter()
                .chain(there)
                .all(|option| help.contains(option)),
            "{help}"
        );
        assert!(
            !not_there.iter().any(|option| help.contains(option)),
            "{help}"
        );
    }
}

#[test]
fn wrong_options_are_refused_with_status_2() {
    let home = Home::new();
    for (arguments, message) in [
        (
            &["--projct", "P_9"][..],
            "rundown: unexpected argument '--projct' found",
        ),
        (&["confg"], "rundown: unrecognized subcommand 'confg'"),
        (
            &["--project", "9"],
            "rundown: invalid value '9' for '--project <P_9>': not a project id; expected P_<n>, such as P_9",
        ),
        (
            &["--subproject", "P_9"],
            "rundown: invalid value 'P_9' for '--subproject <SP_1>': not a sub project id; expected SP_<n>, such as SP_1, or _ for none",
        ),
        (
            &["config", "path", "--read-only"],
            "rundown: the argument '--read-only' cannot be used here: it means nothing to this command",
        ),
        (
            &["--config", "x", "config", "example"],
            "rundown: the argument '--config' cannot be used here: it means nothing to this command",
        ),
        (
            &["--monitor", "wall", "runs", "list"],
            "rundown: the argument '--monitor' cannot be used here: it is for the screen, which a command does not open",
        ),
        (
            &["completions", "bash", "--profile", "x"],
            "rundown: the argument '--profile' cannot be used here: it means nothing to this command",
        ),
        (
            &["runs", "list", "--limit", "0"],
            "rundown: invalid value '0' for '--limit <N>': expected a whole number from 1 on",
        ),
        (
            &["runs", "list", "--retry", "11"],
            "rundown: invalid value '11' for '--retry <N>': expected a whole number from 0 to 10",
        ),
        (
            &["open", "R_4", "--output", "x"],
            "rundown: the argument '--output' cannot be used here: it means nothing to this command",
        ),
        (
            &["runs"],
            "rundown: a command is missing here, one of these:",
        ),
        (
            &["config"],
            "rundown: a command is missing here, one of these:",
        ),
        (
            &["cache", "empty"],
            "rundown: invalid value 'empty' for '[ACTION]'",
        ),
        (
            &["completions", "tcsh"],
            "rundown: invalid value 'tcsh' for '<SHELL>'",
        ),
    ] {
        assert_eq!(refusal(&home.run(arguments)), (Some(2), message));
    }
}

/// Beside what is wrong stands how the command at hand is used, and its help offers nothing that it refuses.
#[test]
fn the_usage_is_that_of_the_command() {
    let home = Home::new();
    let gate = "Usage: rundown gate [OPTIONS] <--expr <CONDITION>|--criteria> <RUN...|--version <VERSION>>";
    for (arguments, usage) in [
        (&["--output", "x"][..], "Usage: rundown [OPTIONS] [COMMAND]"),
        (
            &["runs", "list", "--theme", "dark"],
            "Usage: rundown runs list [OPTIONS]",
        ),
        (
            &["watch", "R_1", "--retry", "3"],
            "Usage: rundown watch [OPTIONS] <RUN>...",
        ),
        (&["doctor", "--fresh"], "Usage: rundown doctor [OPTIONS]"),
        (&["--fresh", "doctor"], "Usage: rundown doctor [OPTIONS]"),
        (
            &["runs", "delete", "R_1"],
            "Usage: rundown runs delete [OPTIONS] <RUN>... --yes-delete <RUN>...",
        ),
        (&["gate"], gate),
        (&["gate", "R_1"], gate),
        (&["gate", "--version", "1.2.1"], gate),
        (&["gate", "R_1", "--criteria"], gate),
        (
            &["gate", "R_1", "--expr", "left == 0", "--read-suites"],
            gate,
        ),
        (
            &[
                "gate",
                "--version",
                "1.2.1",
                "--criteria",
                "--expr",
                "left == 0",
            ],
            gate,
        ),
        (&["gate", "R_1", "--version", "1.2.1", "--criteria"], gate),
    ] {
        let output = home.run(arguments);
        let told = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?} {told}");
        let usages = told.lines().filter(|line| line.starts_with("Usage: "));
        assert_eq!(usages.collect::<Vec<_>>(), [usage], "{arguments:?} {told}");
    }
    let missing = home.run(&["gate"]);
    says(
        text(&missing.stderr),
        "  <--expr <CONDITION>|--criteria>\n  <RUN|--version <VERSION>>\n",
    );
    let top = home.run(&["--help"]);
    for option in ["--retry", "--quiet", "--output"] {
        lacks(text(&top.stdout), option);
    }
    lacks(text(&home.run(&["samples", "--help"]).stdout), "--retry");
    let help = home.run(&["help", "--help"]);
    assert_eq!(help.stdout, home.run(&["help"]).stdout);
    says(
        text(&home.run(&["help", "runs", "-h"]).stdout),
        "rundown runs",
    );
}

#[test]
fn wrong_options_of_the_local_service_are_refused() {
    let home = Home::new();
    for (arguments, message) in [
        (
            &["serve", "--live", "0"][..],
            "rundown: invalid value '0' for '--live [<SECONDS>]': expected a whole number from 1 to 3600",
        ),
        (
            &["demo", "--config", "x"],
            "rundown: the argument '--config' cannot be used here: it means nothing to this command",
        ),
        (
            &["--profile", "x", "demo"],
            "rundown: the argument '--profile' cannot be used here: it means nothing to this command",
        ),
        (
            &["serve", "--project", "P_9"],
            "rundown: the argument '--project' cannot be used here: it means nothing to this command",
        ),
        (
            &["demo", "--runs", "5000001"],
            "rundown: invalid value '5000001' for '--runs <N>': expected a whole number from 0 to 5000000",
        ),
        (
            &["demo", "--suites", "100001"],
            "rundown: invalid value '100001' for '--suites <N>': expected a whole number from 0 to 100000",
        ),
        (
            &["demo", "--page-limit", "0"],
            "rundown: invalid value '0' for '--page-limit <N>': expected a whole number from 1 on",
        ),
        (
            &["serve", "--latency", "60001"],
            "rundown: invalid value '60001' for '--latency <MS>': expected a whole number from 0 to 60000",
        ),
        (
            &["serve", "--listen", "here"],
            "rundown: invalid value 'here' for '--listen <ADDR>': expected an address and a port, such as 127.0.0.1:8090, :8090, 8090 or [::1]:8090",
        ),
        (
            &["serve", "--password", "x"],
            "rundown: unexpected argument '--password' found",
        ),
    ] {
        assert_eq!(refusal(&home.run(arguments)), (Some(2), message));
    }
}

#[cfg(all(unix, feature = "local-service"))]
#[test]
fn secrets_of_the_local_service_are_text() {
    use std::os::unix::ffi::OsStrExt;
    let garbled = std::ffi::OsStr::from_bytes(b"CANARY\xff");
    for name in ["RUNDOWN_SERVE_CLIENT_SECRET", "RUNDOWN_SERVE_PASSWORD"] {
        let output = Home::new()
            .command(&["serve", "--runs", "0"])
            .env(name, garbled)
            .output()
            .unwrap();
        let message =
            format!("rundown: ${name} is not UTF-8 text; expected the secret, or no such variable");
        assert_eq!(refusal(&output), (Some(2), message.as_str()));
    }
}

/// What is pasted with a secret in it must not be readable by others, which the program warns of.
#[test]
fn serve_prints_what_keeps_its_secret_private() {
    for (given, shown) in [(false, true), (true, false)] {
        let home = Home::new();
        let mut command = home.command(&["serve", "--runs", "0", "--listen", "127.0.0.1:0"]);
        if given {
            command.env("RUNDOWN_SERVE_CLIENT_SECRET", "CANARY");
        }
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let lines: Vec<String> = lines
            .map_while(Result::ok)
            .take_while(|line| line != "[profiles.local]")
            .collect();
        child.kill().unwrap();
        child.wait().unwrap();
        // A paste of all of it reaches the profile: an empty line ends what setup reads.
        let is_pasted = |line: &String| line.starts_with("# ") && !line.contains('\n');
        assert!(lines.iter().all(is_pasted), "{lines:?}");
        let named = lines.iter().filter(|line| line.contains("rundown setup"));
        assert_eq!(named.count(), 1, "{lines:?}");
        let chmod = "chmod 600 \"$(rundown config path)\"";
        let found = lines.iter().any(|line| line.ends_with(chmod));
        assert_eq!(found, shown, "{lines:?}");
    }
}

#[test]
fn without_a_config_file_the_way_to_one_is_shown() {
    let home = Home::new();
    let (path, folder) = (
        home.config().display().to_string(),
        home.config().parent().unwrap().display().to_string(),
    );
    let message = format!(
        "rundown: no config file at {path}; make one with: rundown setup, or by hand: mkdir -p {folder} && rundown config example > {path} && chmod 600 {path}; or look around with made-up data: rundown demo"
    );
    assert_eq!(refusal(&home.run(&[])), (Some(2), message.as_str()));
    assert_eq!(
        refusal(&home.run(&["config", "check"])),
        (Some(2), message.as_str())
    );
    assert!(
        home.everything().is_empty(),
        "no file or folder is made on the way"
    );
}

#[test]
fn the_option_goes_before_the_variable_before_the_platform() {
    let home = Home::new();
    let path = |arguments: &[&str], variable: Option<&str>| {
        let mut command = home.command(arguments);
        let output = variable
            .iter()
            .fold(&mut command, |it, value| it.env("RUNDOWN_CONFIG", value))
            .output()
            .unwrap();
        assert!(output.status.success());
        text(&output.stdout).trim_end().to_owned()
    };
    let platform = home.config().display().to_string();
    assert_eq!(path(&["config", "path"], None), platform);
    assert_eq!(path(&["config", "path"], Some("")), platform);
    assert_eq!(path(&["config", "path"], Some("/v/x.toml")), "/v/x.toml");
    assert_eq!(
        path(&["--config", "o.toml", "config", "path"], Some("/v/x.toml")),
        "o.toml"
    );
    let mut command = home.command(&["config", "path"]);
    let output = command
        .env("XDG_CONFIG_HOME", "/elsewhere")
        .output()
        .unwrap();
    assert_eq!(text(&output.stdout), "/elsewhere/rundown/config.toml\n");
}

#[test]
fn own_keys_are_listed_and_a_clash_is_told_with_both_names() {
    let home = Home::new();
    let listed = |home: &Home| text(&home.run(&["config", "keys"]).stdout).to_owned();
    assert!(
        listed(&home)
            .lines()
            .any(|line| line.starts_with("refresh ") && line.contains(" r F5 "))
    );
    home.write(
        home.config(),
        &format!("[profiles.a]\n{PROFILE}[keys]\nrefresh = [\"Alt-r\", \"F6\"]\n"),
    );
    assert!(home.run(&["config", "check"]).status.success());
    assert!(
        listed(&home)
            .lines()
            .any(|line| line.starts_with("refresh ") && line.contains(" Alt-r F6 r F5 "))
    );
    home.write(
        home.config(),
        &format!(
            "[profiles.a]\n{PROFILE}[keys]\nrefresh = {{ only = [\"F9\"] }}\nmouse = [\"r\"]\n"
        ),
    );
    let text_of_keys = listed(&home);
    for line in [
        format!("{:<18} {:<22} ", "refresh", "F9"),
        format!("{:<18} {:<22} ", "mouse", "r m"),
    ] {
        says(&text_of_keys, &line);
    }
    home.write(
        home.config(),
        &format!(
            "[profiles.a]\n{PROFILE}[keys]\nrefresh = [\n  \"F6\",\n  \"a\",\n]\nback = {{ only = [\"q\"] }}\nrefrsh = [\"F6\"]\n"
        ),
    );
    let path = home.config().display().to_string();
    let first = 3 + PROFILE.lines().count();
    let (second, third, fourth) = (first + 2, first + 4, first + 5);
    let wrong = format!(
        "rundown: the config file is wrong in 3 places\n\
         {path}:{second}: [keys] a is available already, in the runs list: take another key for refresh, or take \
         this one away with available = {{ only = [...] }}\n\
         {path}:{third}: [keys] Esc cannot be taken from back, else there would be boxes without a way out: keep it \
         in the list\n\
         {path}:{fourth}: [keys] no command is called \"refrsh\", `rundown config keys` lists their names; did you mean \
         \"refresh\"?\n"
    );
    for arguments in [&[][..], &["config", "check"], &["config", "keys"]] {
        let output = home.run(arguments);
        assert_eq!(
            (output.status.code(), text(&output.stderr)),
            (Some(2), wrong.as_str())
        );
    }
    // What else is wrong is told first.
    home.write(
        home.config(),
        &format!(
            "[profiles.a]\n{PROFILE}usernme = \"a\"\n[ui]\ntheme = \"x\"\n[keys]\nrefrsh = [\"F6\"]\ncopy = [\"F0\"]\n"
        ),
    );
    for arguments in [&[][..], &["config", "check"], &["config", "keys"]] {
        let output = home.run(arguments);
        let told = text(&output.stderr);
        begins(told, "rundown: the config file is wrong in 2 places\n");
        let lines = told.lines().skip(1);
        let words = ["usernme", "theme: "];
        for (line, words) in lines.zip(words) {
            says(line, words);
        }
    }
    for key in ["F0", "F36", "F66"] {
        let keys = format!("[profiles.a]\n{PROFILE}[keys]\nrefresh = [\"{key}\"]\n");
        home.write(home.config(), &keys);
        let output = home.run(&["config", "check"]);
        assert_eq!(output.status.code(), Some(2), "{key}");
        says(text(&output.stderr), &format!("\"{key}\" is no key"));
    }
    home.write(
        home.config(),
        &format!("[profiles.a]\n{PROFILE}[keys]\nrefresh = \"F6\"\n"),
    );
    let output = home.run(&["config", "check"]);
    says(
        text(&output.stderr),
        "[keys] refresh: a text found; expected a list, each a text in quotes",
    );
}

#[test]
fn check_says_what_is_fine() {
    let home = Home::new();
    let body = format!(
        "default_profile = \"a\"\n[profiles.a]\n{PROFILE}[profiles.b]\n{PROFILE}read_only = true\n"
    );
    home.write(home.config(), &body);
    let said = |arguments: &[&str]| {
        let output = home.run(arguments);
        assert!(
            output.status.success() && output.stderr.is_empty(),
            "{}",
            text(&output.stderr)
        );
        text(&output.stdout).to_owned()
    };
    let path = home.config().display().to_string();
    assert_eq!(
        said(&["config", "check"]),
        format!("{path}: fine; profiles: a (default), b (read-only)\n")
    );
    assert_eq!(
        said(&["config", "check", "--profile", "b"]),
        format!("{path}: fine; profiles: a, b (chosen, read-only)\n")
    );
    let message = format!(
        "rundown: --profile (or $RUNDOWN_PROFILE): no such profile in {path}; expected one of a, b"
    );
    assert_eq!(
        refusal(&home.run(&["--profile", "none"])),
        (Some(2), message.as_str())
    );
}

#[test]
fn check_lists_everything_that_is_wrong() {
    let home = Home::new();
    home.write(
        "bad.toml",
        &format!("[profiles.a]\npage_size = 0\n{PROFILE}usernme = \"CANARY\"\n"),
    );
    for arguments in [
        &["--config", "bad.toml", "config", "check"][..],
        &["--config", "bad.toml"],
    ] {
        let output = home.run(arguments);
        assert_eq!(output.status.code(), Some(2));
        assert_eq!(
            text(&output.stderr),
            "rundown: the config file is wrong in 2 places\n\
             bad.toml:2: page_size: out of range; expected a whole number from 1 to 1000\n\
             bad.toml:8: unknown key \"usernme\" in [profiles.a]; did you mean \"username\"?\n"
        );
    }
}

#[cfg(unix)]
#[test]
fn check_warns_and_still_succeeds() {
    use std::os::unix::fs::PermissionsExt;
    let home = Home::new();
    home.write(
        "open.toml",
        &format!(
            "[profiles.a]\n{PROFILE}client_secret = \"CANARY\"\n[keys]\nundo = [\"z\"]\ncopy-json = [\"Y\"]\ncopy-id = [\"c\"]\n\
             refresh = [\"V\"]\n"
        ),
    );
    fs::set_permissions(
        home.0.path().join("open.toml"),
        fs::Permissions::from_mode(0o644),
    )
    .unwrap();
    let output = home.run(&["--config", "open.toml", "config", "check"]);
    assert!(output.status.success());
    assert_eq!(
        text(&output.stdout),
        "open.toml: fine; profiles: a (default)\n"
    );
    assert_eq!(
        text(&output.stderr),
        "rundown: warning: open.toml holds a client_secret and others can read it (mode 0644); chmod 600 open.toml\n"
    );
}

#[test]
fn check_warns_of_what_only_a_shell_would_do() {
    let home = Home::new();
    let said = |command: &str| {
        let body = format!("[profiles.\"a b\"]\n{PROFILE}password_command = {command}\n");
        home.write(home.config(), &body);
        let output = home.run(&["config", "check"]);
        assert!(output.status.success());
        text(&output.stderr).to_owned()
    };
    for command in [
        "\"echo $CANARY\"",
        "\"cat ~/CANARY\"",
        "\"echo CANARY | cat\"",
        "\"echo CANARY > b\"",
        "\"echo CANARY && true\"",
    ] {
        let told = said(command);
        says(
            &told,
            "password_command in [profiles.\"a b\"] has a word that begins with $ or ~/ or is |, > or &&: no shell runs, so it stays as it is written; sh -c '…' starts one",
        );
        lacks(&told, "CANARY");
    }
    for fine in ["\"pass show a$b\"", "\"sh -c 'echo $CANARY | cat'\""] {
        assert_eq!(said(fine), "", "{fine}");
    }
}

#[test]
fn what_is_still_of_the_example_is_told_by_what_it_is() {
    let home = Home::new();
    let body = PROFILE.replace("realm = \"r\"", "realm = \"https://a.example.com\"");
    home.write(home.config(), &format!("[profiles.a]\n{body}"));
    let told = home.run(&["config", "check"]);
    says(
        text(&told.stderr),
        ":4: realm is still that of the example; expected your own value (",
    );
}

/// The example goes through the check, from a file and through a pipe.
#[test]
fn the_example_can_be_read_and_is_to_be_filled_in() {
    let home = Home::new();
    let example = home.run(&["config", "example"]).stdout;
    assert_eq!(
        example,
        fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/config.example.toml")).unwrap()
    );
    home.write(home.config(), text(&example));
    let told = |name: &str| {
        format!("{name}: can be read, 2 values still to be set; profiles: work (default)\n")
    };
    let output = home.run(&["config", "check"]);
    assert_eq!(
        text(&output.stdout),
        told(&home.config().display().to_string())
    );
    // What is to be set in it is named, and it cannot be opened before that.
    let lines = text(&example).lines().zip(1..);
    let unset =
        lines.filter(|(line, _)| line.starts_with("base_url") || line.starts_with("idp_url"));
    let unset: Vec<String> = unset
        .map(|(line, number)| {
            let key = line.split(' ').next().unwrap();
            let path = home.config().display().to_string();
            format!(
                "{path}:{number}: {key} is still that of the example; expected the address of your own service (rundown \
                 setup asks for all there is to set, for a profile of its own)"
            )
        })
        .collect();
    assert_eq!(unset.len(), 2);
    let warned: Vec<_> = unset
        .iter()
        .map(|it| format!("rundown: warning: {it}"))
        .collect();
    assert_eq!(text(&output.stderr), warned.join("\n") + "\n");
    for arguments in [&[][..], &["runs", "list"]] {
        let output = home.run(arguments);
        assert_eq!(
            (output.status.code(), text(&output.stderr)),
            (
                Some(2),
                format!(
                    "rundown: the config file is wrong in 2 places\n{}\n",
                    unset.join("\n")
                )
                .as_str()
            )
        );
    }
    if cfg!(unix) {
        let mut check = home.command(&["--config", "/dev/stdin", "config", "check"]);
        let mut check = check
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        check.stdin.take().unwrap().write_all(&example).unwrap();
        assert_eq!(
            text(&check.wait_with_output().unwrap().stdout),
            told("/dev/stdin")
        );
    }
}

/// As in `rundown config example | head -1`: the reader goes away before anything is written.
#[cfg(unix)]
#[test]
fn a_closed_pipe_is_no_failure() {
    let home = Home::new();
    for arguments in [&["config", "example"][..], &["--help"], &["config", "path"]] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut child = home
            .command(arguments)
            .stdout(writer)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut complaint = String::new();
        child
            .stderr
            .take()
            .unwrap()
            .read_to_string(&mut complaint)
            .unwrap();
        assert_eq!(
            (child.wait().unwrap().code(), complaint.as_str()),
            (Some(0), ""),
            "{arguments:?}"
        );
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_a_failure() {
    let home = Home::new();
    let full = fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let output = home
        .command(&["config", "example"])
        .stdout(full)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
        .wait_with_output()
        .unwrap();
    assert_eq!(output.status.code(), Some(4), "this machine failed");
    begins(
        text(&output.stderr),
        "rundown: standard output takes nothing: ",
    );
}

/// The config file and its folder belong to the person: no command leaves a trace there.
#[test]
fn the_config_file_is_never_touched() {
    for body in [
        format!("[profiles.a]\r\n{PROFILE}# mine\n\n\n"),
        "broken".to_owned(),
        String::new(),
    ] {
        let home = Home::new();
        home.write(home.config(), &body);
        let before = home.everything();
        for arguments in [
            &["config", "path"][..],
            &["config", "check"],
            &["config", "example"],
            &["--profile", "none"],
            &["--help"],
        ] {
            home.run(arguments);
            assert_eq!(home.everything(), before, "{arguments:?}");
        }
    }
}

#[test]
fn the_help_of_all_names_every_command_that_has_a_status_of_its_own() {
    let home = Home::new();
    let help = home.run(&["--help"]);
    let help = text(&help.stdout)
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    let (_, named) = help.split_once("commands without a screen (").unwrap();
    let (named, _) = named.split_once(')').unwrap();
    let named: Vec<&str> = named.split(", ").collect();
    let known = [
        "runs", "suites", "changes", "watch", "sync", "since", "gate", "report", "open", "samples",
    ];
    assert_eq!(named, known);
    for command in known {
        says(&help, &format!(" {command} "));
    }
}

#[test]
fn the_help_of_serve_says_nothing_of_a_demo() {
    let home = Home::new();
    let serve = home.run(&["serve", "--help"]);
    lacks(&text(&serve.stdout).replace("127.0.0.1", ""), "demo");
    says(text(&serve.stdout), "default: 240]");
    let demo = home.run(&["demo", "--help"]);
    says(text(&demo.stdout), "--still");
    says(text(&demo.stdout), "with --still 240");
}

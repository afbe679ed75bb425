//! What is refused before the screen is touched.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};

use crate::home::{Home, PROGRAM};
use crate::office::{Office, PASSWORD};
use crate::pty::Pty;
use crate::texts::{begins, lacks, says};

#[test]
fn a_wrong_config_ends_with_2_before_the_screen_is_touched() {
    let home = Home::new();
    let file = home.path().join("wrong.toml");
    fs::write(
        &file,
        "[profiles.work]\nbase_uri = \"https://tenant.example.com/api\"\n",
    )
    .unwrap();
    let mut pty = home.start(&["--config", file.to_str().unwrap()]);
    assert_eq!(pty.ended().exit_code(), 2);
    assert!(!pty.seen().contains(&0x1b), "{}", pty.text());
    let text = pty.text();
    says(&text, "wrong.toml");
    says(&text, "base_uri");
    says(&text, "base_url");
    pty.assert_restored();
}

#[test]
fn without_a_terminal_it_says_so_and_ends_with_1() {
    let home = Home::new();
    let mut command = Command::new(PROGRAM);
    command
        .arg("demo")
        .env_clear()
        .envs(home.variables())
        .current_dir(home.path());
    let output = command.stdin(Stdio::null()).output().unwrap();
    assert_eq!(
        (output.status.code(), output.stdout.as_slice()),
        (Some(1), [].as_slice())
    );
    let told = String::from_utf8(output.stderr).unwrap();
    begins(&told, "rundown: ");
    says(&told, "needs a terminal");
    says(&told, "such as rundown runs list need none");
    assert!(!told.contains('\x1b'), "{told:?}");
    home.assert_nothing_left();
}

#[test]
fn into_a_pipe_it_says_so_and_the_terminal_is_left_alone() {
    let home = Home::new();
    let file = home.temporary().join("status");
    let script = format!(
        "{{ '{PROGRAM}' demo; echo \"status $?\" >&2; }} | cat > '{}'",
        file.display()
    );
    let mut pty = Pty::start(home.command("/bin/sh", &["-c", &script]), 120, 40);
    assert!(pty.ended().success());
    let text = pty.text();
    says(&text, "needs a terminal");
    says(&text, "status 1");
    assert!(!pty.seen().contains(&0x1b), "{text}");
    assert!(
        fs::read(&file).unwrap().is_empty(),
        "something was written into the pipe"
    );
    pty.assert_restored();
}

#[test]
fn a_terminal_that_writes_commands_out_gets_none() {
    let home = Home::new();
    let mut command = home.command(PROGRAM, &["demo", "--still"]);
    command.env("TERM", "dumb");
    let mut pty = Pty::start(command, 80, 24);
    assert_eq!(pty.ended().exit_code(), 1);
    let text = pty.text();
    let words = "the screen needs a terminal whose cursor can be moved, and TERM is dumb";
    assert!(text.replace('\n', "").contains(words), "{text}");
    assert!(!pty.seen().contains(&0x1b), "{text}");
    pty.assert_restored();
}

#[test]
fn a_secret_whose_variable_is_not_set_is_told_with_the_variable() {
    let home = Home::new();
    let file = home.temporary().join("config.toml");
    let keys = "base_url = \"http://127.0.0.1:1/api\"\nidp_url = \"http://127.0.0.1:1\"\nrealm = \"r\"\nclient_id = \"c\"\n\
                client_secret_env = \"NO_SECRET\"\nproject_id = \"P_1\"\n";
    fs::write(&file, format!("[profiles.a]\n{keys}")).unwrap();
    fs::set_permissions(&file, PermissionsExt::from_mode(0o600)).unwrap();
    let mut pty = home.start(&["--config", file.to_str().unwrap()]);
    pty.wait_for("Set $NO_SECRET where rundown is started");
    lacks(&pty.text(), "orrect the profile");
    // Nor is a variable that names no proxy a mistake of the profile.
    let elsewhere = keys.replace("http://127.0.0.1:1", "https://tenant.invalid");
    let elsewhere = elsewhere.replace("client_secret_env = \"NO_SECRET\"\n", "");
    fs::write(&file, format!("[profiles.a]\n{elsewhere}")).unwrap();
    let mut command = home.command(PROGRAM, &["--config", file.to_str().unwrap()]);
    command.env("HTTPS_PROXY", "http://");
    let mut pty = Pty::start(command, 120, 40);
    pty.wait_for("Correct it where rundown is started");
    lacks(&pty.text(), "orrect the profile");
}

#[test]
fn lists_and_the_words_of_doctor_fit_the_terminal() {
    let (office, home) = (Office::open(), Home::new());
    let run = |arguments: &[&str]| {
        let mut pty = office.start_as(&home, (80, 60), PASSWORD, arguments);
        pty.ended();
        pty.lines()
    };
    let list = ["runs", "list", "--all"];
    let lines = run(&list);
    assert!(lines[0].starts_with("Id    Title "), "{lines:?}");
    let is_whole = |line: &&String| line.starts_with("R_") && line.trim_end().ends_with(['%', '-']);
    let runs = lines.iter().filter(is_whole);
    let told = lines.iter().filter(|line| !line.trim().is_empty());
    assert_eq!(runs.clone().count() + 1, told.count(), "{lines:?}");
    assert!(runs.clone().any(|line| line.contains('…')), "{lines:?}");
    // In a file nothing is missing.
    let file = home.temporary().join("list.txt");
    run(&[&list[..], &["--output", &file.display().to_string()]].concat());
    let whole = fs::read_to_string(file).unwrap();
    assert!(
        whole
            .lines()
            .next()
            .unwrap()
            .ends_with("Edited by    Edited"),
        "{whole}"
    );
    assert!(!whole.contains('…'), "{whole}");
    // The rest of a line begins where its words do.
    let lines = run(&["doctor"]);
    let margin = lines[0].find("Found").unwrap();
    // How much of it fits beside the times depends on their digits.
    let rest = lines
        .iter()
        .filter(|line| line.contains("nothing is encrypted"));
    let begin = |line: &String| line.find(|letter: char| letter != ' ');
    let begins: Vec<_> = rest.map(begin).collect();
    assert_eq!(begins, [Some(margin); 2], "{lines:?}");
}

#[test]
fn a_run_that_is_not_deleted_is_told_once_on_a_terminal() {
    let (home, office) = (Home::new(), Office::open());
    let line = ["runs", "delete", "R_1", "--yes-delete", "R_1"];
    let mut pty = office.start_as(&home, (120, 40), PASSWORD, &line);
    assert_ne!(pty.ended().exit_code(), 0, "{}", pty.text());
    assert_eq!(
        pty.text().matches("not deleted").count(),
        1,
        "{}",
        pty.text()
    );
}

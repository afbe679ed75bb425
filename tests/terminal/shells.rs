//! Real shells complete the command line, and `man` shows its pages.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use crate::home::{Home, PROGRAM};
use crate::pty::Pty;
use crate::texts::{lacks, says};

/// Where a program is on this machine; the test of one that is not there says so.
fn found(name: &str) -> Option<String> {
    let place = |folder: &str| format!("{folder}/{name}");
    let places = ["/usr/bin", "/bin", "/usr/local/bin", "/opt/homebrew/bin"];
    let there = places
        .map(place)
        .into_iter()
        .find(|it| Path::new(it).exists());
    if there.is_none() {
        eprintln!("skipped: {name} is not on this machine");
    }
    there
}

/// A shell with its prompt, in which the program is known by its name.
fn shell(home: &Home, program: &str, arguments: &[&str], start: &str) -> Pty {
    let tools = home.path().join("tools");
    fs::create_dir(&tools).unwrap();
    symlink(PROGRAM, tools.join("lone-program")).unwrap();
    let mut command = home.command(program, arguments);
    let folder = Path::new(PROGRAM).parent().unwrap().display();
    let path = std::env::var("PATH").unwrap_or_default();
    command.env("PATH", format!("{folder}:{}:{path}", tools.display()));
    command.env("PS1", "ready> ");
    let mut pty = Pty::start(command, 120, 40);
    pty.press(&format!("{start}; echo is; echo loa''ded\r"));
    pty.wait("the shell that has read the script", |pty| {
        pty.lines().iter().any(|line| line.trim() == "loaded")
    });
    pty
}

/// `gap` is what the shell puts between an option and its value. Commands, options, the values of an option and the files of a folder.
fn completes(home: &Home, pty: &mut Pty, gap: &str) {
    fs::write(home.path().join("only-one.toml"), "").unwrap();
    fs::create_dir(home.path().join("pages")).unwrap();
    pty.press_until("rundown sui\t", "rundown suites ");
    pty.press_until("atta\t", "rundown suites attached ");
    pty.press_until("--form\t", &format!("--format{gap}"));
    pty.press_until("nd\t", &format!("--format{gap}ndjson "));
    pty.press_until("--conf\t", &format!("--config{gap}"));
    pty.press_until("only\t", &format!("--config{gap}only-one.toml "));
    // What means nothing to a command is not offered: there is nothing else that begins so.
    pty.press("\x15");
    pty.press_until("rundown config exam\t", "config example ");
    pty.press("--prof\t");
    pty.press_until("\x15rundown com\t", "rundown completions ");
    lacks(&pty.text(), "example --profile");
    // What is one of a few words, and what comes behind an option before the command.
    pty.press_until("\x15rundown completions el\t", "completions elvish ");
    pty.press_until("\x15rundown cache cl\t", "cache clear ");
    pty.press_until("\x15rundown --theme m\t", "--theme mono ");
    pty.press_until(
        "\x15rundown --theme mono since --form\t",
        &format!("since --format{gap}"),
    );
    pty.press_until("\x15rundown watch R_1 --unti\t", "R_1 --until-done ");
    pty.press_until("\x15rundown man pa\t", "man pages/");
}

/// A run is no file and no program of this machine.
fn offers_nothing_for_runs(pty: &mut Pty) {
    pty.press_until("\x15rundown watch only\t?", "watch only?");
    pty.press_until("\x15rundown gate lone\t?", "gate lone?");
    pty.press_until("\x15rundown suites add R_1 lone\t?", "R_1 lone?");
    pty.press_until("\x15rundown runs show only\t?", "show only?");
}

#[test]
fn bash_completes() {
    let Some(bash) = found("bash") else { return };
    let home = Home::new();
    let start = "source <(rundown completions bash)";
    let mut pty = shell(&home, &bash, &["--norc", "--noprofile", "-i"], start);
    completes(&home, &mut pty, " ");
}

#[test]
fn zsh_completes() {
    let Some(zsh) = found("zsh") else { return };
    let home = Home::new();
    let start =
        "autoload -U compinit; compinit -u -D; bindkey -e; source <(rundown completions zsh)";
    let mut pty = shell(&home, &zsh, &["-f", "-i"], start);
    completes(&home, &mut pty, "=");
    offers_nothing_for_runs(&mut pty);
}

#[test]
fn fish_completes() {
    let Some(fish) = found("fish") else { return };
    let home = Home::new();
    let start = "set -g fish_autosuggestion_enabled 0; rundown completions fish | source";
    let mut pty = shell(&home, &fish, &["--no-config", "-i"], start);
    completes(&home, &mut pty, " ");
    offers_nothing_for_runs(&mut pty);
}

#[test]
fn each_command_has_a_man_page() {
    let home = Home::new();
    let folder = home.path().join("share/man/man1");
    let mut program = Command::new(PROGRAM);
    let written = program.args(["man", folder.to_str().unwrap()]).output();
    assert!(written.unwrap().status.success());
    for page in [
        "rundown",
        "rundown-runs-list",
        "rundown-man",
        "rundown-config-example",
    ] {
        let text = fs::read_to_string(folder.join(format!("{page}.1"))).unwrap();
        assert!(text.contains(".SH SYNOPSIS"), "{page}: {text}");
    }
    // A page is never written through a link.
    let (page, elsewhere) = (folder.join("rundown-gate.1"), home.path().join("mine"));
    fs::rename(&page, &elsewhere).unwrap();
    fs::write(&elsewhere, "mine").unwrap();
    symlink(&elsewhere, &page).unwrap();
    let mut program = Command::new(PROGRAM);
    let refused = program.args(["man", folder.to_str().unwrap()]).output();
    let refused = String::from_utf8(refused.unwrap().stderr).unwrap();
    says(&refused, "rundown-gate.1 is a link");
    assert_eq!(fs::read_to_string(&elsewhere).unwrap(), "mine");
    fs::remove_file(&page).unwrap();
    let mut program = Command::new(PROGRAM);
    let again = program.args(["man", folder.to_str().unwrap()]).output();
    assert!(again.unwrap().status.success());
    let Some(man) = found("man") else { return };
    let pages = folder.join("rundown-gate.1");
    let mut read = Command::new(man);
    let shown = read
        .env("MANPAGER", "cat")
        .env("MANWIDTH", "200")
        .arg(pages)
        .output()
        .unwrap();
    let (text, wrong) = (shown.stdout, shown.stderr);
    let text = String::from_utf8(text).unwrap();
    assert!(shown.status.success() && wrong.is_empty(), "{wrong:?}");
    for words in [
        "rundown-gate(1)",
        "--expr",
        "failed_new * 100 <= total * 5",
        "6 not decidable",
    ] {
        assert!(text.contains(words), "{words} is not in: {text}");
    }
}

//! What the programs that a config file names are started with, who may have written that file, and what is left behind.

use crate::support::prelude::*;
use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};

use super::scene::{Ran, Scene};

/// A home whose profile has its password from this command, and the client secret from `$TEST_SECRET`.
async fn with_command(command: &str) -> Scene {
    let scene = Scene::usual().await;
    let lines: Vec<String> = scene
        .config()
        .lines()
        .map(|line| match line.split(' ').next() {
            Some("password_env") => format!("password_command = {command:?}"),
            Some("client_secret") => "client_secret_env = \"TEST_SECRET\"".into(),
            _ => line.to_owned(),
        })
        .collect();
    scene.write_config(&(lines.join("\n") + "\n"));
    scene
}

async fn list(scene: &Scene) -> Ran {
    let mut command = scene.command("runs list");
    let served = scene.service.profile();
    command.env("TEST_SECRET", served.client_secret.expose_secret());
    let elsewhere = scene.home.path().join("checkout");
    fs::create_dir_all(&elsewhere).unwrap();
    command.current_dir(elsewhere);
    Ran::of(command).await
}

fn script(scene: &Scene, name: &str, lines: &str) {
    let path = scene.home.path().join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, format!("#!/bin/sh\n{lines}\n")).unwrap();
    fs::set_permissions(path, Permissions::from_mode(0o755)).unwrap();
}

#[tokio::test]
async fn a_relative_program_is_the_one_beside_the_config_file_and_gets_no_secret_of_another() {
    let scene = with_command("bin/getpw").await;
    let password = scene.service.profile().password.expose_secret().to_owned();
    script(
        &scene,
        "bin/getpw",
        &format!("env > seen\npwd > where\necho {password}"),
    );
    script(&scene, "checkout/bin/getpw", "touch $HOME/PWNED");
    let ran = list(&scene).await;
    ran.is(0);
    let home = scene.home.path().canonicalize().unwrap();
    assert!(!home.join("PWNED").exists());
    let place = fs::read_to_string(home.join("where")).unwrap();
    assert_eq!(place.trim(), home.to_str().unwrap());
    let seen = fs::read_to_string(home.join("seen")).unwrap();
    says(&seen, "HOME=");
    lacks(&seen, "TEST_SECRET");
}

#[tokio::test]
async fn what_a_failing_command_says_is_not_shown() {
    let scene = with_command("sh -c 'echo oops CANARY >&2; exit 7'").await;
    let ran = list(&scene).await;
    ran.refused(3, &["exit status: 7", "\"sh\""]);
    lacks(&ran.err, "CANARY");
}

#[tokio::test]
async fn a_secret_that_cannot_be_had_is_named_with_its_key() {
    for (command, why) in [
        ("false", "\"false\" failed (exit status: 1)"),
        ("true", "is empty"),
        ("/no/such", "\"/no/such\" does not start"),
    ] {
        let scene = with_command(command).await;
        let ran = list(&scene).await;
        ran.refused(3, &["password_command in [profiles.test]: ", why]);
        let scene = Scene::usual().await;
        let from = "client_secret = ";
        let to = format!("client_secret_command = \"{command}\" # ");
        scene.write_config(&scene.config().replacen(from, &to, 1));
        let ran = list(&scene).await;
        ran.refused(2, &["client_secret_command in [profiles.test]: ", why]);
    }
    let scene = Scene::usual().await;
    let (from, to) = ("client_secret = ", "client_secret_env = \"NOT_SET\" # ");
    scene.write_config(&scene.config().replacen(from, to, 1));
    let names = "$NOT_SET is not set; client_secret_env in [profiles.test] names it";
    list(&scene).await.refused(2, &[names]);
}

#[tokio::test]
async fn where_the_keyring_has_no_password_it_is_said_how_one_comes_there() {
    let scene = Scene::usual().await;
    let entry = format!(
        "secret-tool lookup application rundown realm {}/realms/demo user qa",
        scene.proxy.base
    );
    let from = "password_env = \"TEST_PASSWORD\"";
    let to = format!("password_command = \"{entry}\"");
    scene.write_config(&scene.config().replacen(from, &to, 1));
    script(&scene, "bin/secret-tool", "exit 1");
    let run = async |line: &str| {
        let mut command = scene.command(line);
        command.env("PATH", scene.home.path().join("bin"));
        Ran::of(command).await
    };
    let ran = run("runs list").await;
    let none = "the keyring has no such password, or stays locked";
    ran.refused(
        3,
        &[none, "rundown password keep --profile test asks for one"],
    );
    lacks(&ran.err, "by hand");
    let told: Value = serde_json::from_str(&run("doctor --format json").await.out).unwrap();
    let steps = told["steps"].as_array().unwrap();
    let secrets = steps
        .iter()
        .find(|it| it["step"] == "secret sources")
        .unwrap();
    says(secrets["found"].as_str().unwrap(), none);
    says(secrets["remedy"].as_str().unwrap(), "rundown password keep");
    lacks(secrets["remedy"].as_str().unwrap(), "Set it where");
    // What others keep there is not asked for.
    scene.write_config(
        &scene
            .config()
            .replace("application rundown", "application other"),
    );
    let ran = run("runs list").await;
    ran.refused(
        3,
        &["password_command in [profiles.test]: \"secret-tool\" failed"],
    );
}

#[tokio::test]
async fn a_config_file_that_others_can_write_is_refused_with_what_mends_it() {
    let scene = with_command("echo x").await;
    let path = scene.home.path().join("config.toml");
    let check = async |mode: u32| {
        fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
        scene.run("config check").await
    };
    let mend = |change: &str| format!("chmod {change} {}", path.display());
    for mode in [0o666, 0o602, 0o606, 0o622] {
        check(mode).await.refused(2, &["everybody", &mend("go-w")]);
    }
    check(0o660)
        .await
        .refused(2, &["its group", &mend("g-w"), "programs"]);
    assert_eq!(check(0o644).await.status, Some(0));
    // Where it names no program, a group may be meant.
    let without = scene
        .config()
        .replace("password_command = \"echo x\"", "password_env = \"P\"");
    scene.write_config(&without);
    let ran = check(0o660).await;
    ran.is(0);
    assert!(
        ran.err.contains("warning") && ran.err.contains(&mend("g-w")),
        "{}",
        ran.err
    );
    check(0o602).await.refused(2, &[&mend("go-w")]);
    scene.write_config(&(without + "\n[monitor]\nnotify = [\"tell\"]\n"));
    check(0o660).await.refused(2, &[&mend("g-w"), "programs"]);
}

#[tokio::test]
async fn a_config_file_that_others_can_replace_is_refused_with_what_mends_it() {
    let scene = Scene::usual().await;
    let shared = scene.home.path().join("shared");
    fs::create_dir(&shared).unwrap();
    let file = shared.join("config.toml");
    fs::rename(scene.home.path().join("config.toml"), &file).unwrap();
    fs::set_permissions(&file, Permissions::from_mode(0o600)).unwrap();
    let check = async |mode: u32| {
        fs::set_permissions(&shared, Permissions::from_mode(mode)).unwrap();
        let direct = scene.run("config check --config shared/config.toml").await;
        symlink(&file, scene.home.path().join("config.toml")).unwrap();
        let by_a_link = scene.run("config check").await;
        fs::remove_file(scene.home.path().join("config.toml")).unwrap();
        [direct, by_a_link]
    };
    let mend = format!("chmod go-w {}", shared.display());
    for ran in check(0o777).await {
        ran.refused(2, &["replaced by everybody", &mend]);
    }
    // Where it is sticky, nobody else may put another file there; a folder of a group is the group's affair.
    for mode in [0o1777, 0o775, 0o700] {
        for ran in check(mode).await {
            ran.is(0);
        }
    }
}

#[tokio::test]
async fn an_address_without_a_host_is_refused() {
    let scene = Scene::usual().await;
    let config = scene.config().replace(
        &format!("base_url = \"{}", scene.proxy.base),
        "base_url = \"https:///tenant.example",
    );
    scene.write_config(&config);
    scene.refuses("config check", 2, &["base_url"]).await;
}

#[tokio::test]
async fn a_log_goes_to_a_plain_file_of_ones_own() {
    let scene = Scene::usual().await;
    let at = |name: &str| scene.home.path().join(name);
    fs::write(at("target"), "").unwrap();
    symlink(at("target"), at("link")).unwrap();
    scene
        .refuses(
            "runs list --log link",
            2,
            &["--log", "no plain file", "name another"],
        )
        .await;
    scene
        .refuses("runs list --log .", 2, &["is a folder: name a file in it"])
        .await;
    assert_eq!(fs::read_to_string(at("target")).unwrap(), "");
    fs::set_permissions(at("target"), Permissions::from_mode(0o644)).unwrap();
    let ran = scene.run("runs list --log target").await;
    ran.is(0);
    let mode = fs::metadata(at("target")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_crash_leaves_no_core_dump() {
    let scene =
        with_command("sh -c 'grep \"core file\" /proc/$PPID/limits > limits; echo x'").await;
    let mut shell = tokio::process::Command::new("sh");
    let program = env!("CARGO_BIN_EXE_rundown");
    shell.args([
        "-c",
        &format!("ulimit -S -c $(ulimit -H -c); exec {program} runs list"),
    ]);
    let served = scene.service.profile();
    shell
        .env("HOME", scene.home.path())
        .env("TEST_SECRET", served.client_secret.expose_secret())
        .env("RUNDOWN_CONFIG", scene.home.path().join("config.toml"));
    shell.output().await.unwrap();
    let limits = fs::read_to_string(scene.home.path().join("limits")).unwrap();
    let soft = limits.split_whitespace().nth(4);
    assert_eq!(soft, Some("0"), "{limits}");
}

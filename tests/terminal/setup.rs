//! `rundown setup` from an empty home to the list, with every answer wrong at first.

use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use portable_pty::CommandBuilder;
use secrecy::ExposeSecret;

use rundown::local_service::Given;

use crate::home::{Home, PROGRAM};
use crate::office::Office;
use crate::person::Person;
use crate::pty::{CTRL_C, ESC, Pty};
use crate::texts::{begins, lacks, says};
use crate::tls::{fixture, server};

/// A keyring in a file: it logs its words, and gives back what it was given on standard input.
const SECRET_TOOL: &str = r#"#!/bin/sh
folder=$(dirname "$0")
echo "$*" >> "$folder/words"
does=$1
shift
if [ $does = store ] && [ -e "$folder/locked" ]; then exit 1; fi
if [ $does = store ] && [ -e "$folder/once" ]; then mv "$folder/once" "$folder/locked"; fi
case $1 in --label=* | --all) shift ;; esac
file=$folder/$(echo "$*" | tr -c 'a-zA-Z0-9\n' _)
case $does in
store) cat > "$file" ;;
lookup) cat "$file" 2>/dev/null ;;
clear) [ ! -e "$folder/locked" ] && rm "$file" 2>/dev/null ;;
search) if [ -e "$file" ]; then echo "[/1]"; fi ;;
esac
"#;

/// A port that speaks TLS with a certificate of a private authority, in front of another one.
fn tls_before(upstream: String) -> String {
    let config = server();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("https://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let tls = rustls::ServerConnection::new(config.clone()).unwrap();
            let mut stream = rustls::StreamOwned::new(tls, stream.unwrap());
            // A client that trusts nobody here ends the handshake.
            if let Some(request) = request(&mut stream) {
                let mut to = TcpStream::connect(&upstream).unwrap();
                to.write_all(request.as_bytes()).unwrap();
                let mut answer = Vec::new();
                to.read_to_end(&mut answer).unwrap();
                stream.write_all(&answer).unwrap();
                stream.conn.send_close_notify();
                let _ = stream.flush();
            }
        }
    });
    address
}

/// A whole request with a body, after which the connection is to be closed.
fn request(from: &mut impl Read) -> Option<String> {
    let mut bytes = Vec::new();
    let mut piece = [0; 4096];
    loop {
        let count = from.read(&mut piece).ok().filter(|count| *count > 0)?;
        bytes.extend_from_slice(&piece[..count]);
        let text = String::from_utf8_lossy(&bytes);
        let Some((head, body)) = text.split_once("\r\n\r\n") else {
            continue;
        };
        let length = head.lines().find_map(|line| {
            let line = line.to_ascii_lowercase();
            line.strip_prefix("content-length: ")?.parse().ok()
        });
        if body.len() >= length.unwrap_or(0) {
            return Some(format!("{head}\r\nconnection: close\r\n\r\n{body}"));
        }
    }
}

const SERVICE: &str = "Address of the service's API";
const PROVIDER: &str = "Address of the identity provider";
const CERTIFICATE: &str = "PEM file";

/// The program in a home whose desktop has a keyring.
fn command(home: &Home, arguments: &[&str]) -> CommandBuilder {
    let tools = tools(home);
    let mut command = home.command(PROGRAM, arguments);
    let path = std::env::var("PATH").unwrap_or_default();
    command.env("PATH", format!("{}:{path}", tools.display()));
    command
}

/// The folder of `secret-tool`, and of what it keeps.
fn tools(home: &Home) -> PathBuf {
    let tools = home.temporary().join("tools");
    if !tools.exists() {
        fs::create_dir(&tools).unwrap();
        fs::write(tools.join("secret-tool"), SECRET_TOOL).unwrap();
        let mode = fs::Permissions::from_mode(0o755);
        fs::set_permissions(tools.join("secret-tool"), mode).unwrap();
    }
    tools
}

fn config(home: &Home) -> PathBuf {
    home.path().join(".config/rundown/config.toml")
}

#[test]
fn from_an_empty_home_to_the_list_with_every_answer_wrong_at_first() {
    let (office, home) = (Office::open(), Home::new());
    let served = office.service.profile();
    let (secret, password) = (
        served.client_secret.expose_secret(),
        served.password.expose_secret(),
    );
    let tls = tls_before(office.service.address().to_string());
    let closed = TcpListener::bind("127.0.0.1:0").unwrap();
    let nowhere = format!("http://{}/api", closed.local_addr().unwrap());
    drop(closed);
    let mut person = Person::new(Pty::start(command(&home, &[]), 120, 60));
    person.told("1 set up   2 look around with made-up data   Esc");
    person.pty.press("1");
    let pasted = format!("{tls}/realms/wrong/protocol/openid-connect/auth?x=1\nProject P_77");
    person.answers("Paste what you were given", &(pasted + "\n"));
    person.answers(SERVICE, "tenant");
    person.told("  not the address of an API");
    person.answers(SERVICE, &nowhere);
    let no_tls = nowhere.replace("http:", "https:").replace("/api", "");
    let question = format!("{PROVIDER}, the part before /realms [{tls}]");
    person.answers(&question, &format!("{no_tls}/realms"));
    person.answers("Realm there [wrong]", "");
    person.answers("Client id there", "other");
    person.answers("Which [1]", "2");
    person.answers("Client secret (not shown)", "canary-secret");
    person.answers("User name", &served.username);
    person.answers("Which [1]", "2");
    person.answers("Password (not shown)", "canary-password");
    person.answers(
        "Project, P_ and a number as the web application shows it [P_77]",
        "",
    );

    person.told(&format!("no connection to {no_tls}"));
    // Of a whole address the part before /realms is taken, and the realm is proposed.
    let whole = format!("{tls}/realms/astray/protocol/openid-connect?x=1");
    person.answers(
        &format!("{PROVIDER}, the part before /realms [{no_tls}]"),
        &whole,
    );

    person.told("an authority that is not trusted here");
    person.answers(&format!("{PROVIDER}, the part before /realms [{tls}]"), "");
    person.answers(CERTIFICATE, "no/such.pem");
    person.told("  no such file");
    let odd = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    person.answers(CERTIFICATE, odd);
    // Enter would be none again.
    person.told("ca_also");
    let question = format!("{CERTIFICATE} of an authority to trust besides those of the system: ");
    person.answers(&question, &fixture("ca.pem").display().to_string());

    person.told("no such realm: astray");
    person.answers(PROVIDER, "");
    person.answers("Realm there [astray]", &served.realm);

    person.told("check client_id and client_secret");
    person.answers("Client id there [other]", &served.client_id);
    person.answers("Which [2]", "");
    person.answers("Client secret (not shown)", "canary-secret");

    person.told("unauthorized_client");
    person.answers("Client id there [rundown]", "");
    person.answers("Which [2]", "");
    person.answers("Client secret (not shown)", secret);

    person.told("Username and password do not fit");
    person.answers("User name [qa]", "");
    person.answers("Which [2]", "");
    person.answers("Password (not shown)", password);

    person.told(&format!(
        "no connection to {}",
        nowhere.trim_end_matches("/api")
    ));
    person.answers(SERVICE, &served.base_url);

    person.told("no such project: P_77");
    person.told("Check project and sub project, and whether this account may see them.");
    person.answers("Project", &served.project_id);

    person.told(&format!(" runs in {}; versions ", served.project_id));
    person.answers("Which [1]", "");
    person.answers("Which [1]", "2");
    person.answers("Name of the profile [work]", "my profile");
    person.told("  expected letters, digits, - and _");
    person.answers("Name of the profile [work]", "");
    assert!(
        !config(&home).exists(),
        "nothing is written before the last question"
    );
    assert!(!tools(&home).read_dir().unwrap().any(|it| {
        let name = it.unwrap().file_name();
        name.to_string_lossy().starts_with("application")
    }));
    person.answers("Add this to ", "");
    person.told("Written.");
    person.pty.rows();

    let text = fs::read_to_string(config(&home)).unwrap();
    let mode = config(&home).metadata().unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    for line in [
        "[profiles.work]",
        &format!("idp_url = \"{tls}\""),
        &format!("project_id = \"{}\"", served.project_id),
        &format!("ca_also = \"{}\"", fixture("ca.pem").display()),
        "# User name.",
        &format!(
            "password_command = \"secret-tool lookup application rundown realm {tls}/realms/demo user qa\""
        ),
    ] {
        assert!(text.lines().any(|it| it == line), "{line} is not in {text}");
    }
    says(&text, "project_version = ");
    let words = fs::read_to_string(tools(&home).join("words")).unwrap();
    let seen = person.seen + &String::from_utf8_lossy(person.pty.seen());
    assert!(!seen.contains(":project"), "a key of the screen is told");
    for secret in [secret, password, "canary"] {
        for told in [&text, &words, &seen] {
            assert!(!told.contains(secret), "{secret} is told: {told}");
        }
    }
    person.pty.press("q");
    assert!(person.pty.ended().success());
    person.pty.assert_restored();

    // The next start asks nothing.
    let mut pty = Pty::start(command(&home, &[]), 120, 40);
    pty.rows();
    pty.wait_gone("signing in");
    pty.wait_gone("not signed in");
    pty.press("q");
    assert!(pty.ended().success());
}

#[test]
fn a_second_profile_leaves_every_byte_before_it_and_its_typed_password_opens_the_list() {
    let (office, home) = (Office::open(), Home::new());
    let served = office.service.profile();
    let before = "# mine\r\n[profiles.work]\nbase_url = \"https://t.corp/api\"\nidp_url = \"https://i.corp\"\nrealm = \"r\"\n\
                  client_id = \"c\"\nproject_id = \"P_1\"";
    fs::create_dir_all(config(&home).parent().unwrap()).unwrap();
    fs::write(config(&home), before).unwrap();
    let mut start = command(&home, &["setup"]);
    start.env("MY_SECRET", served.client_secret.expose_secret());
    let mut person = Person::new(Pty::start(start, 80, 60));
    // Words are whole at the edge of the terminal.
    person.pty.wait_for("sign-in, P_9, lines\nof a profile");
    let pasted = served.toml("local", Given::default());
    person.answers("Paste what you were given", &pasted);
    person.told("A secret in the paste was not taken: it is asked for below.");
    for question in [SERVICE, PROVIDER, "Realm there [demo]"] {
        person.answers(question, "");
    }
    person.answers("Client id there [rundown]", "");
    // It is there, so none is not what is proposed.
    person.answers("Which [2]", "4");
    person.answers("Variable [RUNDOWN_CLIENT_SECRET]", "MY_SECRET");
    person.answers("User name [qa]", "");
    person.answers("Which [1]", "3");
    person.answers("Command [pass show rundown/password]", "sh -c 'exit 3'");
    person.told("\"sh\" failed (exit status: 3); run it by hand to see why");
    person.answers("Which [3]", "1");
    person.answers("Password (not shown)", served.password.expose_secret());
    person.answers("Project", "");
    person.answers("Sub project", "");
    person.answers("Which [1]", "");
    person.answers("Name of the profile [local]", "");
    person.answers("Add this to ", "y");
    person.told("rundown --profile local opens it");
    person.pty.rows();
    let text = fs::read_to_string(config(&home)).unwrap();
    begins(&text, before);
    says(&text, "client_secret_env = \"MY_SECRET\"");
    for secret in [&served.client_secret, &served.password] {
        lacks(&text, secret.expose_secret());
    }
    lacks(&text, "password_");
    person.pty.press("q");
    assert!(person.pty.ended().success());
}

#[test]
fn a_keyring_that_stays_locked_takes_nothing_and_the_secret_comes_from_elsewhere() {
    let (office, home) = (Office::open(), Home::new());
    let served = office.service.profile();
    fs::write(tools(&home).join("locked"), "").unwrap();
    let mut start = command(&home, &["setup"]);
    start.env("MY_SECRET", served.client_secret.expose_secret());
    let mut person = Person::new(Pty::start(start, 120, 60));
    person.answers("Paste what you were given", "");
    person.answers(SERVICE, &served.base_url);
    person.answers(PROVIDER, &served.idp_url);
    person.answers("Realm there", "demo");
    person.answers("Client id there", "rundown");
    person.answers("Which [1]", "3");
    person.answers("Command", "sh -c 'echo \"$MY_SECRET\"'");
    person.answers("User name", "qa");
    person.answers("Which [1]", "2");
    person.answers("Password (not shown)", served.password.expose_secret());
    person.answers("Project", &served.project_id);
    person.answers("Which [1]", "2");
    person.answers("Which [1]", "");
    person.answers("Name of the profile [work]", "night");
    person.answers("Add this to ", "");
    person.told("  secret-tool kept nothing: the keyring stayed locked");
    assert!(!config(&home).exists());
    person.answers("Which [2]", "1");
    person.told("Written.");
    person.pty.rows();
    person.pty.wait_gone("signing in");
    person.pty.wait_gone("not signed in");
    let text = fs::read_to_string(config(&home)).unwrap();
    says(&text, "[profiles.night]\n");
    says(&text, "subproject_id = \"SP_");
    lacks(&text, "secret-tool");
    lacks(&text, "password");
    person.pty.press("q");
    assert!(person.pty.ended().success());
}

#[test]
fn a_secret_that_is_in_the_keyring_is_named_to_whoever_leaves_then() {
    let (office, home) = (Office::open(), Home::new());
    let served = office.service.profile();
    fs::write(tools(&home).join("once"), "").unwrap();
    let mut person = Person::new(Pty::start(command(&home, &["setup"]), 120, 60));
    person.answers("Paste what you were given", "");
    person.answers(SERVICE, &served.base_url);
    person.answers(PROVIDER, &served.idp_url);
    person.answers("Realm there", "demo");
    person.answers("Client id there", "rundown");
    person.answers("Which [1]", "2");
    person.answers(
        "Client secret (not shown)",
        served.client_secret.expose_secret(),
    );
    person.answers("User name", "qa");
    person.answers("Which [1]", "2");
    person.answers("Password (not shown)", served.password.expose_secret());
    person.answers("Project", &served.project_id);
    person.answers("Which [1]", "");
    person.answers("Which [1]", "");
    person.answers("Name of the profile [work]", "");
    person.answers("Add this to ", "");
    person.told("The client secret is in the keyring.");
    person.told("  secret-tool kept nothing: the keyring stayed locked");
    person.told("Which [2]");
    person.pty.press(CTRL_C);
    assert_eq!(person.pty.ended().exit_code(), 130);
    assert!(person.pty.text().contains("the config file is as it was"));
    assert!(!config(&home).exists());
}

#[test]
fn whoever_leaves_has_written_nothing() {
    let home = Home::new();
    for (place, key, status) in [(0, CTRL_C, 130), (7, CTRL_C, 130), (1, "\x04", 1)] {
        let mut setup = home.command(PROGRAM, &["setup"]);
        setup.env("PATH", "/nonexistent");
        let mut person = Person::new(Pty::start(setup, 120, 60));
        let answers = [
            (
                "Paste",
                "http://127.0.0.1:1/api http://127.0.0.1:1/realms/r\n",
            ),
            (SERVICE, ""),
            (PROVIDER, ""),
            ("Realm", ""),
            ("Client id", "c"),
            ("Which [1]", "2"),
            ("Which [1]", "4"),
            ("Variable", ""),
        ];
        for (question, answer) in answers.iter().take(place) {
            person.answers(question, answer);
            if *answer == "2" {
                person.told("secret-tool is not installed; its package is libsecret-tools");
            }
        }
        let asked = match place {
            0 => "Paste",
            1 => SERVICE,
            _ => "Variable",
        };
        person.told(asked);
        if place == 7 {
            person.answers(asked, "");
            person.told("Client secret (not shown): ");
            person.pty.press("canary");
        }
        person.pty.press(key);
        assert_eq!(person.pty.ended().exit_code(), status, "{place}");
        assert!(person.pty.text().contains("the config file is as it was"));
        assert!(!person.pty.text().contains("canary"));
        person.pty.assert_restored();
        home.assert_nothing_left();
    }
}

#[test]
fn a_paste_is_one_text_and_no_line_of_it_answers_a_question() {
    let home = Home::new();
    let mail = "\n\nHello Anna,\n\nhttp://127.0.0.1:1/api\nhttp://127.0.0.1:1/realms/r\n\nClient: rundown\n\
                Client secret: P_5\ncanary-alone\n\nProject P_9, SP_1\n\n\nRegards";
    let mut person = Person::new(Pty::start(command(&home, &["setup"]), 120, 60));
    // The end of its last line is the first Enter, the second one is an empty line.
    person.answers("Paste what you were given", mail);
    person.told("Regards");
    person.pty.press("\n");
    person.told("A secret in the paste was not taken: it is asked for below.");
    // Only what comes after the question answers it, and that is one line.
    let question = format!("{SERVICE}, it ends in /api [http://127.0.0.1:1/api]");
    person.answers(&question, "\ncanary-client\n\ncanary-more");
    person.answers(
        &format!("{PROVIDER}, the part before /realms [http://127.0.0.1:1]"),
        "",
    );
    person.answers("Realm there [r]", "");
    person.answers("Client id there: ", "rundown");
    person.answers("Which [2]", "1");
    person.answers("User name: ", "qa");
    person.answers("Which [1]", "1");
    person.answers("Password (not shown)", "canary-password");
    person.answers(
        "Project, P_ and a number as the web application shows it [P_9]",
        "",
    );
    person.answers("Sub project, or _ for none [SP_1]", "");
    person.told("no connection to http://127.0.0.1:1");
    person.told(&format!(
        "{PROVIDER}, the part before /realms [http://127.0.0.1:1]"
    ));
    let asked = person.seen.clone() + &String::from_utf8_lossy(person.pty.seen());
    lacks(&asked, "[canary");
    person.pty.press(CTRL_C);
    assert_eq!(person.pty.ended().exit_code(), 130);
    person.pty.assert_restored();
    assert!(!config(&home).exists());
}

#[test]
fn a_paste_of_which_nothing_is_taken_is_told() {
    let home = Home::new();
    let told = "Nothing in it was certain: expected addresses that begin with https://";
    for (pasted, is_told) in [
        (
            "tms.corp/api\nhttp://tms.corp/api\nrealm=corp\nclient_id: web\n",
            true,
        ),
        ("", false),
        ("P_9\n", false),
    ] {
        let mut person = Person::new(Pty::start(command(&home, &["setup"]), 120, 60));
        person.answers("Paste what you were given", pasted);
        person.told(SERVICE);
        let said = person.seen.clone() + &String::from_utf8_lossy(person.pty.seen());
        assert_eq!(said.contains(told), is_told, "{said}");
        person.pty.press(CTRL_C);
        assert_eq!(person.pty.ended().exit_code(), 130);
    }
}

#[test]
fn without_a_keyring_enter_leads_on() {
    let home = Home::new();
    let mut setup = home.command(PROGRAM, &["setup"]);
    setup.env("PATH", "/nonexistent");
    let mut person = Person::new(Pty::start(setup, 120, 60));
    let pasted = "http://127.0.0.1:1/api http://127.0.0.1:1/realms/r\nclient_secret = \"canary\"\n";
    person.answers("Paste", pasted);
    person.told("A secret in the paste was not taken: it is asked for below.");
    person.told("What was pasted can still be read on this terminal.");
    for (question, answer) in [
        (SERVICE, ""),
        (PROVIDER, ""),
        ("Realm", ""),
        ("Client id", "c"),
    ] {
        person.answers(question, answer);
    }
    person.answers("Which [2]", "");
    person.told("secret-tool is not installed");
    person.answers("Which [4]", "");
    person.answers("Variable [RUNDOWN_CLIENT_SECRET]", "");
    person.told("$RUNDOWN_CLIENT_SECRET is not set");
    person.answers("Client secret (not shown)", "canary-secret");
    person.answers("User name", "qa");
    person.answers("Which [1]", "2");
    person.told("secret-tool is not installed");
    person.answers("Which [1]", "");
    person.told("Password (not shown)");
    person.pty.press(CTRL_C);
    assert_eq!(person.pty.ended().exit_code(), 130);
    person.pty.assert_restored();
}

#[test]
fn quotes_around_a_name_or_an_address_are_no_part_of_it_and_those_of_a_password_are() {
    let (office, home) = (Office::open(), Home::new());
    let served = office.service.profile();
    let mut person = Person::new(Pty::start(command(&home, &["setup"]), 120, 60));
    let password = served.password.expose_secret();
    let quoted = |text: &str| format!("\"{text}\"");
    person.answers("Paste what you were given", "");
    person.answers(SERVICE, &quoted(&format!("{}?x=1#y", served.base_url)));
    let provider = format!("'{}/realms/{}/account'", served.idp_url, served.realm);
    person.answers(PROVIDER, &provider);
    person.answers(
        &format!("Realm there [{}]", served.realm),
        &quoted(&served.realm),
    );
    person.answers("Client id there", &quoted(&served.client_id));
    person.answers("Which [1]", "2");
    person.answers(
        "Client secret (not shown)",
        served.client_secret.expose_secret(),
    );
    person.answers("User name", &format!("'{}'", served.username));
    person.answers("Which [1]", "1");
    person.answers("Password (not shown)", &quoted(password));
    person.answers("Project", &quoted(&served.project_id));
    person.told("Username and password do not fit");
    person.answers(&format!("User name [{}]", served.username), "");
    person.answers("Which [1]", "");
    person.answers("Password (not shown)", password);
    person.answers("Which [1]", "");
    person.answers("Which [1]", "");
    person.answers("Name of the profile [work]", "");
    person.answers("Add this to ", "");
    person.told("Written.");
    person.pty.rows();
    let text = fs::read_to_string(config(&home)).unwrap();
    for (key, value) in [
        ("base_url", &served.base_url),
        ("idp_url", &served.idp_url),
        ("realm", &served.realm),
        ("client_id", &served.client_id),
        ("username", &served.username),
        ("project_id", &served.project_id),
    ] {
        let line = format!("{key} = \"{value}\"");
        assert!(text.lines().any(|it| it == line), "{line} is not in {text}");
    }
    person.pty.press("q");
    assert!(person.pty.ended().success());
}

#[test]
fn an_address_that_is_typed_is_split_as_in_a_paste_and_yes_is_yes_in_any_case() {
    let (office, home) = (Office::open(), Home::new());
    let served = office.service.profile();
    let keys = "base_url = \"https://t.corp/api\"\nidp_url = \"https://i.corp\"\nrealm = \"r\"\nclient_id = \"c\"\nproject_id = \"P_1\"\n";
    fs::create_dir_all(config(&home).parent().unwrap()).unwrap();
    fs::write(config(&home), format!("[profiles.\"at work\"]\n{keys}")).unwrap();
    let mut person = Person::new(Pty::start(command(&home, &["setup"]), 80, 80));
    person.answers("Paste what you were given", "");
    person.answers(SERVICE, "tms.corp");
    // A refusal that takes two lines stands below the question with both.
    person.pty.wait_for("\n  https://tenant.example.com/api");
    person.answers(SERVICE, &format!("{}/v2/rpc/", served.base_url));
    person.answers(
        PROVIDER,
        &format!("{}/realms/{}/account", served.idp_url, served.realm),
    );
    person.answers(&format!("Realm there [{}]", served.realm), "");
    person.answers("Client id there", &served.client_id);
    person.answers("Which [1]", "2");
    person.answers(
        "Client secret (not shown)",
        served.client_secret.expose_secret(),
    );
    person.answers("User name", &served.username);
    person.answers("Which [1]", "1");
    person.answers("Password (not shown)", served.password.expose_secret());
    person.answers("Project", &served.project_id);
    person.answers("Which [1]", "");
    person.answers("Which [1]", "");
    person.answers("Name of the profile [work]", "zwei");
    person.told("With two profiles plain rundown needs --profile, or default_profile = \"…\" at the top of the file.");
    person.answers("Add this to ", "Yes");
    person.told("rundown --profile zwei opens it.");
    person.told("default_profile = \"at work\"");
    person.pty.rows();
    let text = fs::read_to_string(config(&home)).unwrap();
    says(&text, &format!("base_url = \"{}\"\n", served.base_url));
    // The line that was said is what is missing.
    fs::write(
        config(&home),
        format!("default_profile = \"at work\"\n{text}"),
    )
    .unwrap();
    let check = Command::new(PROGRAM)
        .args(["config", "check"])
        .env_clear()
        .envs(home.variables())
        .output()
        .unwrap();
    assert!(check.status.success(), "{check:?}");
    person.pty.press("q");
    assert!(person.pty.ended().success());
}

#[test]
fn a_variable_that_is_pasted_is_proposed_and_nothing_is_said_of_a_default_that_is_there() {
    let (office, home) = (Office::open(), Home::new());
    let served = office.service.profile();
    let keys = "base_url = \"https://t.corp/api\"\nidp_url = \"https://i.corp\"\nrealm = \"r\"\nclient_id = \"c\"\nproject_id = \"P_1\"\n";
    fs::create_dir_all(config(&home).parent().unwrap()).unwrap();
    let before = format!("default_profile = \"work\"\n[profiles.work]\n{keys}");
    fs::write(config(&home), before).unwrap();
    let mut start = command(&home, &["setup"]);
    start.env("MY_SECRET", served.client_secret.expose_secret());
    start.env("RUNDOWN_READ_ONLY", "1");
    let mut person = Person::new(Pty::start(start, 120, 60));
    let given = Given {
        client_secret: Some("MY_SECRET"),
        password: true,
    };
    person.answers("Paste what you were given", &served.toml("local", given));
    for question in [SERVICE, PROVIDER, "Realm there", "Client id there"] {
        person.answers(question, "");
    }
    person.answers("Which [4]", "");
    person.answers("Variable [MY_SECRET]", "");
    person.answers("User name", "");
    person.answers("Which [1]", "");
    person.answers("Password (not shown)", served.password.expose_secret());
    for question in ["Project", "Sub project", "Which [1]", "Name of the profile"] {
        person.answers(question, "");
    }
    person.answers("Add this to ", "");
    person.told("rundown --profile local opens it.");
    let said = String::from_utf8_lossy(person.pty.seen()).into_owned() + &person.seen;
    lacks(&said, "default_profile");
    person.pty.rows();
    assert!(person.pty.lines()[0].contains("READ-ONLY"));
    person.pty.press("q");
    assert!(person.pty.ended().success());
}

/// From the example a profile was begun by hand, and setup makes another.
#[test]
fn a_default_of_the_example_is_told_and_a_file_without_profiles_is_no_error() {
    let (office, home) = (Office::open(), Home::new());
    let served = office.service.profile();
    fs::create_dir_all(config(&home).parent().unwrap()).unwrap();
    let given = Given {
        client_secret: Some("MY_SECRET"),
        password: true,
    };
    let ui = "[ui]\ntheme = \"dark\"\n";
    let named = "default_profile = \"prod\"\n";
    for (before, told, header) in [
        (
            rundown::config::EXAMPLE,
            "default_profile = \"local\"",
            "local",
        ),
        (ui, "Written.", "local"),
        // The one that it names is proposed.
        (named, "Written.", "prod"),
    ] {
        fs::write(config(&home), before).unwrap();
        let mut start = command(&home, &["setup"]);
        start.env("MY_SECRET", served.client_secret.expose_secret());
        let mut person = Person::new(Pty::start(start, 120, 60));
        person.answers("Paste what you were given", &served.toml("local", given));
        for question in [SERVICE, PROVIDER, "Realm there", "Client id there"] {
            person.answers(question, "");
        }
        person.answers("Which [4]", "");
        person.answers("Variable [MY_SECRET]", "");
        person.answers("User name", "");
        person.answers("Which [1]", "");
        person.answers("Password (not shown)", served.password.expose_secret());
        for question in ["Project", "Sub project", "Which [1]", "Name of the profile"] {
            person.answers(question, "");
        }
        person.answers("Add this to ", "");
        person.told(told);
        person.pty.rows();
        person.pty.press("q");
        assert!(person.pty.ended().success());
        let after = fs::read_to_string(config(&home)).unwrap();
        let header = format!("\n[profiles.{header}]\n");
        begins(&after, before);
        says(&after, &header);
    }
}

#[test]
fn a_file_that_cannot_be_written_is_told_before_anything_is_asked() {
    let home = Home::new();
    // Nor can one to which no table can be added.
    let inline = home.path().join("inline.toml");
    fs::write(&inline, "profiles = {}\n").unwrap();
    let mut pty = home.start(&["setup", "--config", inline.to_str().unwrap()]);
    assert_eq!(pty.ended().exit_code(), 2);
    let text = pty.text().replace('\n', " ");
    says(&text, "expected profiles as tables, [profiles.NAME]");
    assert!(!text.contains("Paste") && !text.contains('␊'), "{text}");
    let closed = home.path().join("closed");
    fs::create_dir(&closed).unwrap();
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o500)).unwrap();
    // Nothing is closed to the superuser but what is no disk.
    let is_closed = fs::write(closed.join("tried"), "").is_err();
    let closed = if is_closed { closed } else { "/proc".into() };
    if !closed.is_dir() {
        return;
    }
    let path = closed.join("rundown/config.toml");
    let mut pty = home.start(&["setup", "--config", path.to_str().unwrap()]);
    assert_eq!(pty.ended().exit_code(), 2);
    let text = pty.text();
    says(&text, "/rundown cannot be written; ");
    let remedy = "give yourself the right to write there, or name with --config a file in a folder of your own";
    let text = text.replace('\n', " ");
    assert!(!is_closed || text.contains(remedy), "{text}");
    lacks(&text, "Paste");
}

#[test]
fn a_link_and_a_wrong_file_are_told_before_anything_is_asked() {
    let home = Home::new();
    let target = home.path().join("mine.toml");
    fs::create_dir_all(config(&home).parent().unwrap()).unwrap();
    fs::write(&target, "[profiles.a]\n").unwrap();
    std::os::unix::fs::symlink(&target, config(&home)).unwrap();
    let mut pty = home.start(&["setup"]);
    assert_eq!(pty.ended().exit_code(), 2);
    says(&pty.text(), "base_url is missing");
    let keys = "base_url = \"https://t.corp/api\"\nidp_url = \"https://i.corp\"\nrealm = \"r\"\nclient_id = \"c\"\nproject_id = \"P_1\"\n";
    fs::write(&target, format!("[profiles.a]\n{keys}")).unwrap();
    let mut pty = home.start(&["setup"]);
    assert_eq!(pty.ended().exit_code(), 2);
    says(&pty.text(), "is a link");
}

/// As a held key or a paste has it.
#[test]
fn a_letter_and_a_function_key_in_one_piece_are_no_esc() {
    let home = Home::new();
    let mut pty = home.start(&[]);
    pty.wait_for("1 set up   2 look around with made-up data   Esc");
    pty.press("k\u{1b}OQ");
    pty.wait_for("One of these keys: 1 set up");
    pty.press(ESC);
    assert_eq!(pty.ended().exit_code(), 2);
}

#[test]
fn the_first_start_asks_what_is_wanted() {
    let home = Home::new();
    let mut pty = home.start(&[]);
    pty.wait_for("1 set up   2 look around with made-up data   Esc");
    pty.press("x");
    pty.wait_for("One of these keys: 1 set up");
    pty.press(ESC);
    assert_eq!(pty.ended().exit_code(), 2);
    says(&pty.text(), "rundown: no config file at");
    pty.assert_restored();

    let mut pty = home.start(&[]);
    pty.wait_for("Esc");
    pty.press("2");
    pty.rows();
    assert!(pty.lines()[0].contains("  DEMO  "), "{}", pty.text());
    pty.press("q");
    assert!(pty.ended().success());
    says(&pty.text(), "rundown setup is next");
    pty.assert_restored();
    home.assert_nothing_left();
}

#[test]
fn a_password_is_kept_and_forgotten_without_being_told() {
    let home = Home::new();
    fs::create_dir_all(config(&home).parent().unwrap()).unwrap();
    let keys = "base_url = \"https://t.corp/api\"\nidp_url = \"https://i.corp/\"\nrealm = \"r\"\nclient_id = \"c\"\nproject_id = \"P_1\"\n";
    fs::write(
        config(&home),
        format!("[profiles.a]\n{keys}username = \"ada\"\n"),
    )
    .unwrap();
    let mut person = Person::new(Pty::start(command(&home, &["password", "keep"]), 120, 40));
    person.answers(
        "Password of ada at https://i.corp/realms/r (not shown)",
        "canary-1",
    );
    assert!(person.pty.ended().success());
    let line = "password_command = \"secret-tool lookup application rundown realm https://i.corp/realms/r user ada\"";
    says(&person.pty.text(), &format!("set in profile a:\n{line}"));
    assert!(!person.pty.text().contains("canary"));
    let kept = tools(&home).join("application_rundown_realm_https___i_corp_realms_r_user_ada");
    assert_eq!(fs::read_to_string(&kept).unwrap(), "canary-1");

    // The same from a pipe; the profile reads it by now.
    fs::write(
        config(&home),
        format!("[profiles.a]\n{keys}username = \"ada\"\n{line}\n"),
    )
    .unwrap();
    let run = |does: &str, profile: &str, path: &str, input: &str| {
        let mut command = Command::new(PROGRAM);
        let mut child = command
            .args(["password", does])
            .env_clear()
            .envs(home.variables())
            .env("PATH", path)
            .env("RUNDOWN_PROFILE", profile)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child
            .stdin
            .take()
            .unwrap()
            .write_all(input.as_bytes())
            .unwrap();
        let output = child.wait_with_output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (
            output.status.code(),
            text(output.stdout),
            text(output.stderr),
        )
    };
    let path = format!("{}:/usr/bin:/bin", tools(&home).display());
    let fine = |words: &str| (Some(0), words.to_owned(), String::new());
    assert_eq!(run("keep", "", &path, "canary-2\nmore\n"), fine("Kept.\n"));
    assert_eq!(fs::read_to_string(&kept).unwrap(), "canary-2");
    let locked = tools(&home).join("locked");
    fs::write(&locked, "").unwrap();
    let (status, _, told) = run("forget", "", &path, "");
    let why = "removed nothing: the keyring is locked, unlock it and try again";
    assert!(status == Some(1) && told.contains(why), "{status:?} {told}");
    fs::remove_file(&locked).unwrap();
    assert_eq!(run("forget", "", &path, ""), fine("Forgotten.\n"));
    assert!(!kept.exists());
    assert_eq!(
        run("forget", "", &path, ""),
        fine("The keyring has none.\n")
    );
    // A profile that the variable names has its own.
    let both = [("a", "ada"), ("b", "bea")]
        .map(|(profile, user)| format!("[profiles.{profile}]\n{keys}username = \"{user}\"\n"));
    let both = format!("default_profile = \"a\"\n{}", both.concat());
    fs::write(config(&home), both).unwrap();
    let (status, told, _) = run("keep", "b", &path, "canary-2\n");
    assert_eq!(status, Some(0));
    says(&told, "set in profile b:");
    assert!(!kept.exists());
    assert_eq!(run("forget", "b", &path, ""), fine("Forgotten.\n"));
    let words = fs::read_to_string(tools(&home).join("words")).unwrap();
    lacks(&words, "canary");
    let (status, _, told) = run("keep", "", "/nonexistent", "canary-3\n");
    assert_eq!(status, Some(1));
    says(&told, "not installed");
    says(&told, "libsecret-tools");

    // Without a terminal nothing is set up.
    let output = Command::new(PROGRAM)
        .arg("setup")
        .env_clear()
        .envs(home.variables())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8(output.stderr).unwrap();
    says(&told, "needs a terminal");
}

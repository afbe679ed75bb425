//! The program killed with SIGKILL at any moment: what was typed is still there, and nothing was sent twice.
//!
//! `RUNDOWN_KILLS=200 cargo test --test terminal kills` does it as often as that; without it, a few times.

use std::time::{Duration, Instant};

use portable_pty::CommandBuilder;
use rundown::disk::Drafts;
use rundown::domain::{Draft, RunField};
use rundown::local_service::{Given, LocalService, Options};
use rustix::process::Signal;
use secrecy::ExposeSecret;
use tokio::runtime::Runtime;

use crate::home::{Home, PROGRAM};
use crate::proxy::Proxy;
use crate::pty::{ENTER, Pty};

const CTRL_S: &str = "\x13";
const CTRL_G: &str = "\x07";
/// On the screen for so long, a text must be on the disk.
const KEPT_AFTER: Duration = Duration::from_secs(1);

/// A service with a recording proxy before it, as a profile of a config file.
struct Office {
    /// Service and proxy run in it.
    _runtime: Runtime,
    service: LocalService,
    proxy: Proxy,
}

impl Office {
    fn open() -> Self {
        let runtime = Runtime::new().unwrap();
        let (service, proxy) = runtime.block_on(async {
            let options = Options {
                runs: 20,
                suites: 10,
                ..Options::default()
            };
            let service = LocalService::start(options, |_, _| {}).await.unwrap();
            let proxy = Proxy::start(&format!("http://{}", service.address())).await;
            (service, proxy)
        });
        Self {
            _runtime: runtime,
            service,
            proxy,
        }
    }

    /// The program at this service, in a home that may hold drafts.
    fn start(&self, home: &Home) -> Pty {
        let text = self.service.profile().toml("office", Given::default());
        let direct = format!("http://{}", self.service.address());
        let text = text.replace(&direct, &self.proxy.base) + "password_env = \"OFFICE_PASSWORD\"\n";
        let folder = home.path().join(".config/rundown");
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join("config.toml");
        std::fs::write(&file, text).unwrap();
        // Secrets stand in it: others must not read it.
        std::fs::set_permissions(&file, std::os::unix::fs::PermissionsExt::from_mode(0o600))
            .unwrap();
        let mut command: CommandBuilder = home.command(PROGRAM, &[]);
        command.env(
            "OFFICE_PASSWORD",
            self.service.profile().password.expose_secret(),
        );
        let mut pty = Pty::start(command, 120, 40);
        // A draft that is kept is told in the line of the rows.
        pty.wait("rows or a draft", |pty| {
            let text = pty.text();
            text.contains(" R_") && (text.contains("row 1 of ") || text.contains("draft is kept"))
        });
        pty
    }

    /// How often a write with this title came.
    fn sent(&self, title: &str) -> usize {
        let general = |passed: &crate::proxy::Passed| {
            passed.json()["params"]["document"]["Root"]["General"]["Title"].as_str() == Some(title)
        };
        self.proxy
            .passed()
            .iter()
            .filter(|passed| general(passed))
            .count()
    }

    /// How many runs have this title.
    fn stored(&self, title: &str) -> usize {
        let database = rusqlite::Connection::open(self.service.database()).unwrap();
        let sql = "SELECT count(*) FROM runs WHERE title = ?1";
        database
            .query_row(sql, [title], |row| row.get::<_, i64>(0))
            .unwrap() as usize
    }
}

fn drafts(home: &Home) -> Vec<Draft> {
    let drafts = Drafts::new(home.path().join(".local/state/rundown/drafts"));
    let found = drafts.list("office").unwrap();
    assert!(
        found.damaged.is_empty(),
        "a draft that cannot be read: {:?}",
        found.damaged
    );
    found.found
}

fn kill(pty: &mut Pty) {
    pty.signal(Signal::KILL);
    pty.ended();
}

/// Numbers that look random and are the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }
}

fn times() -> u64 {
    std::env::var("RUNDOWN_KILLS")
        .ok()
        .and_then(|times| times.parse().ok())
        .unwrap_or(6)
}

#[test]
fn killed_while_typing_nothing_older_than_a_second_is_missing() {
    let office = Office::open();
    let mut dice = Dice(11);
    for number in 0..times() {
        let home = Home::new();
        let mut pty = office.start(&home);
        pty.press("n");
        pty.wait_for("> Title");
        let (mut typed, mut seen) = (String::new(), Vec::new());
        let end = Instant::now() + Duration::from_millis(200 + dice.below(2_300));
        while Instant::now() < end && typed.len() < 90 {
            let more: String = (0..=dice.below(5))
                .map(|_| char::from(b'a' + dice.below(26) as u8))
                .collect();
            pty.press(&more);
            typed.push_str(&more);
            pty.wait_for(&typed);
            seen.push((Instant::now(), typed.clone()));
            std::thread::sleep(Duration::from_millis(dice.below(60)));
        }
        kill(&mut pty);
        let killed = Instant::now();
        let kept = drafts(&home);
        let text = kept
            .first()
            .map_or("", |draft| draft.texts[&RunField::Title].as_str());
        let due = seen
            .iter()
            .rev()
            .find(|(at, _)| killed.duration_since(*at) > KEPT_AFTER);
        let due = due.map_or("", |(_, text)| text.as_str());
        assert!(
            typed.starts_with(text),
            "{number}: {text:?} was never typed: {typed:?}"
        );
        assert!(
            text.starts_with(due),
            "{number}: on the screen for a second: {due:?}, on the disk: {text:?}"
        );
        assert!(kept.len() <= 1, "{number}: {kept:?}");
    }
}

#[test]
fn killed_while_saving_the_text_is_there_and_nothing_was_sent_twice() {
    let office = Office::open();
    let mut dice = Dice(12);
    for number in 0..times() {
        let title = format!("killed while saving {number}");
        let home = Home::new();
        let mut pty = office.start(&home);
        pty.press("n");
        pty.wait_for("> Title");
        pty.press(&title);
        pty.wait_for(&title);
        pty.wait_for("draft kept");
        pty.press(CTRL_S);
        pty.wait_for("[ Make the run ]");
        pty.press(ENTER);
        std::thread::sleep(Duration::from_millis(dice.below(250)));
        kill(&mut pty);
        let kept = drafts(&home);
        let draft = kept
            .iter()
            .any(|draft| draft.texts[&RunField::Title] == title);
        assert!(
            draft || office.stored(&title) == 1,
            "{number}: neither the draft nor the run is there"
        );
        // Started again, the program sends nothing by itself and offers what was typed.
        let mut pty = office.start(&home);
        if draft {
            pty.press("n");
            pty.wait_for("1 other draft");
            pty.press(CTRL_G);
            pty.wait_for(&title);
        }
        assert!(
            office.sent(&title) <= 1,
            "{number}: sent {} times",
            office.sent(&title)
        );
        assert!(
            office.stored(&title) <= 1,
            "{number}: {} runs",
            office.stored(&title)
        );
        kill(&mut pty);
    }
}

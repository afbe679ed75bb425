//! A person's home with a config file, and the service that it leads to.

use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;

use rundown::disk::{Journal, Recorded, WriteRecord};
use rundown::domain::DocRef;
use rundown::local_service::{LocalService, Options};
use secrecy::ExposeSecret;
use serde_json::Value;
use tempfile::TempDir;
use tokio::process::{Child, Command};

use super::support::proxy::Proxy;

/// A local service behind a recording proxy, and a home whose profile leads to the proxy.
pub struct Scene {
    pub home: TempDir,
    pub proxy: Proxy,
    pub service: LocalService,
    password: String,
}

/// What a command came to.
#[derive(Debug)]
pub struct Ran {
    pub status: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Scene {
    pub async fn new(options: Options) -> Self {
        Self::with(options, "").await
    }

    /// `more` are lines for the profile.
    pub async fn with(options: Options, more: &str) -> Self {
        // Only a service that lags has to be waited for.
        let pauses = if options.lag.is_zero() && !more.contains("read_again_milliseconds") {
            "read_again_milliseconds = [20, 50, 100]\n"
        } else {
            ""
        };
        let service = LocalService::start(options, |_, _| {}).await.unwrap();
        let proxy = Proxy::start(&format!("http://{}", service.address())).await;
        let served = service.profile();
        let scene = Self {
            home: tempfile::tempdir().unwrap(),
            proxy,
            password: served.password.expose_secret().to_owned(),
            service,
        };
        let text = format!(
            "[profiles.test]\nbase_url = \"{base}/api\"\nidp_url = \"{base}\"\nrealm = \"{}\"\nclient_id = \"{}\"\n\
             client_secret = \"{}\"\nusername = \"{}\"\npassword_env = \"TEST_PASSWORD\"\nproject_id = \"{}\"\n\
             subproject_id = \"{}\"\n{pauses}{more}\n",
            served.realm,
            served.client_id,
            served.client_secret.expose_secret(),
            served.username,
            served.project_id,
            served.subproject_id,
            base = scene.proxy.base,
        );
        scene.write_config(&text);
        scene
    }

    /// One whose profile leads elsewhere.
    pub async fn leading_to(base: &str) -> Self {
        let scene = Self::new(Options::default()).await;
        scene.write_config(&scene.config().replace(&scene.proxy.base, base));
        scene
    }

    pub fn config(&self) -> String {
        std::fs::read_to_string(self.home.path().join("config.toml")).unwrap()
    }

    pub fn write_config(&self, text: &str) {
        let path = self.home.path().join("config.toml");
        std::fs::write(&path, text).unwrap();
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600)).unwrap();
    }

    /// The program with these words, nothing of this machine's environment around it.
    pub fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rundown"));
        command
            .args(words)
            .env_clear()
            .env("HOME", self.home.path())
            .env("TEST_PASSWORD", &self.password);
        command
            .env("RUNDOWN_CONFIG", self.home.path().join("config.toml"))
            .current_dir(self.home.path());
        command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        command
    }

    pub async fn run(&self, words: &[&str]) -> Ran {
        Ran::of(self.command(words)).await
    }

    /// The same, for a command that must succeed in silence: what it printed.
    pub async fn out(&self, words: &[&str]) -> String {
        let ran = self.run(words).await;
        assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""), "{words:?}");
        ran.out
    }

    /// The same as JSON.
    pub async fn json(&self, words: &[&str]) -> Value {
        serde_json::from_str(&self.out(words).await).unwrap()
    }

    /// What the database holds of a run.
    pub fn truth(&self, run: &DocRef) -> BTreeSet<DocRef> {
        let database = rusqlite::Connection::open(self.service.database()).unwrap();
        let id = uuid::Uuid::parse_str(run.as_str().strip_prefix("TestRun-dm/").unwrap()).unwrap();
        let sql = "SELECT d.suites FROM runs r JOIN docs d ON d.seq = r.seq WHERE r.ref = ?1";
        let suites: String = database
            .query_row(sql, [id.as_bytes().as_slice()], |row| row.get(0))
            .unwrap();
        let rows: Vec<i64> = serde_json::from_str(&suites).unwrap();
        let number = |row: &i64| -> i64 {
            database
                .query_row("SELECT number FROM suites WHERE seq = ?1", [row], |row| {
                    row.get(0)
                })
                .unwrap()
        };
        rows.iter()
            .map(|row| DocRef::parse(&format!("TestSuite-dm/{}", number(row))).unwrap())
            .collect()
    }

    /// What the database holds of a run: its document.
    pub fn document(&self, run: &DocRef) -> Option<Value> {
        let database = rusqlite::Connection::open(self.service.database()).unwrap();
        let id = uuid::Uuid::parse_str(run.as_str().strip_prefix("TestRun-dm/").unwrap()).unwrap();
        let sql = "SELECT d.doc FROM runs r JOIN docs d ON d.seq = r.seq WHERE r.ref = ?1";
        match database.query_row(sql, [id.as_bytes().as_slice()], |row| {
            row.get::<_, String>(0)
        }) {
            Ok(text) => Some(serde_json::from_str(&text).unwrap()),
            Err(rusqlite::Error::QueryReturnedNoRows) => None,
            Err(error) => panic!("{error}"),
        }
    }

    /// The lines of the journal.
    pub fn journal(&self) -> String {
        std::fs::read_to_string(self.home.path().join(".local/state/rundown/journal.ndjson"))
            .unwrap()
    }

    /// The writes of the journal, oldest first: of each the operation, and the names of its steps.
    pub fn steps(&self) -> Vec<Vec<String>> {
        let journal = Journal::open(&self.home.path().join(".local/state/rundown")).unwrap();
        let read = journal.read(100, None).unwrap();
        let name = |step: &Recorded| match step {
            Recorded::Sent { .. } => "sent",
            Recorded::Answered { .. } => "answered",
            Recorded::Refused { .. } => "refused",
            Recorded::NotSent { .. } => "not sent",
            Recorded::Unknown { .. } => "unknown",
            Recorded::Confirmed { .. } => "confirmed",
            Recorded::Differs { .. } => "differs",
            Recorded::Other { .. } => "other",
        };
        let one = |write: &WriteRecord| {
            let steps = write.steps.iter().map(|step| name(&step.step).to_owned());
            [write.request().unwrap().0.to_owned()]
                .into_iter()
                .chain(steps)
                .collect()
        };
        read.writes.iter().rev().map(one).collect()
    }

    /// Methods of all writes that came, in order.
    pub fn writes(&self) -> Vec<String> {
        let writes = ["ADD_", "DELETE_", "MODIFY_"];
        let methods = self.proxy.passed().into_iter().map(|passed| passed.method);
        methods
            .filter(|method| writes.iter().any(|write| method.starts_with(write)))
            .collect()
    }

    /// `params` of every call of a method, in order.
    pub fn params(&self, method: &str) -> Vec<Value> {
        let calls = self
            .proxy
            .passed()
            .into_iter()
            .filter(|passed| passed.method == method);
        calls
            .map(|passed| passed.json()["params"].clone())
            .collect()
    }
}

impl Ran {
    pub async fn of(mut command: Command) -> Self {
        // `output` would pipe what a test has put elsewhere.
        Self::ended(command.spawn().unwrap()).await
    }

    /// What a command that was started comes to.
    pub async fn ended(running: Child) -> Self {
        let limit = std::time::Duration::from_mins(1);
        let output = tokio::time::timeout(limit, running.wait_with_output()).await;
        let output = output.unwrap_or_else(|_| panic!("it did not end")).unwrap();
        Self {
            status: output.status.code(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Fails unless the command ended with this status, printed nothing and said all of these words.
    pub fn refused(&self, status: i32, words: &[&str]) {
        assert_eq!(
            (self.status, self.out.as_str()),
            (Some(status), ""),
            "{}",
            self.err
        );
        assert!(self.err.starts_with("rundown: "), "{}", self.err);
        for word in words {
            assert!(self.err.contains(word), "{word:?} is missing: {}", self.err);
        }
    }

    /// Lines of JSON.
    pub fn lines(&self) -> Vec<Value> {
        self.out
            .lines()
            .map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}")))
            .collect()
    }
}

/// Whether a signal reaches the programs that are started here. A shell takes the interrupt away from what it runs in the
/// background, and a program without a handler of its own is meant to keep it that way.
pub fn reaches(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = mask
        .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .unwrap_or(0);
    ignored & (1 << (signal - 1)) == 0
}

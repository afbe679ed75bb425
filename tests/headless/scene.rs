//! A person's home with a config file, and the service that it leads to.

use crate::support::prelude::*;
use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;

use rundown::disk::WriteRecord;
use tempfile::TempDir;
use tokio::process::{Child, Command};

use super::schema::fits;
use super::support::{Other, served};

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
    /// Somebody else at the service.
    pub async fn other(&self) -> Other {
        desk_client(&self.service).await
    }

    pub async fn new(options: Options) -> Self {
        Self::with(options, "").await
    }

    /// As a service is where nothing is said of it.
    pub async fn usual() -> Self {
        Self::new(Options::default()).await
    }

    /// The same with another person at the service.
    pub async fn shared() -> (Self, Other) {
        let scene = Self::usual().await;
        let other = scene.other().await;
        (scene, other)
    }

    /// `more` are lines for the profile.
    pub async fn with(options: Options, more: &str) -> Self {
        // Only a service that lags has to be waited for.
        let pauses = if options.lag.is_zero() && !more.contains("read_again_milliseconds") {
            "read_again_milliseconds = [20, 50, 100]\nretry_milliseconds = 20\n"
        } else {
            ""
        };
        let (service, proxy) = served::behind_a_proxy(options).await;
        let served = service.profile();
        let scene = Self {
            home: new_folder(),
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
        let scene = Self::usual().await;
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

    /// The program with the words of a line, nothing of this machine's environment around it.
    pub fn command(&self, line: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rundown"));
        command
            .args(shell_words::split(line).unwrap())
            .env_clear()
            .env("HOME", self.home.path())
            .env("TZ", "UTC")
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

    pub fn start(&self, line: &str) -> Child {
        self.command(line).spawn().unwrap()
    }

    pub async fn run(&self, line: &str) -> Ran {
        Ran::of(self.command(line)).await
    }

    /// The same where a file has room for so many blocks of 512 bytes: a limit on the size of files is what a full disk
    /// is to a program, once the signal for it is ignored.
    pub async fn run_with_room(&self, blocks: u32, line: &str) -> Ran {
        let before = format!("trap '' XFSZ; ulimit -f {blocks};");
        Ran::of(self.after(&before, line)).await
    }

    /// The program, started by a shell that has done this before.
    pub fn after(&self, before: &str, line: &str) -> Command {
        let program = self.command(line);
        let program = program.as_std();
        let mut shell = Command::new("sh");
        let script = format!("{before} exec \"$@\"");
        shell.args(["-c", &script, "sh"]).arg(program.get_program());
        let environment = program.get_envs();
        let environment = environment.filter_map(|(name, value)| Some((name, value?)));
        shell
            .args(program.get_args())
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .envs(environment)
            .current_dir(self.home.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        shell
    }

    /// A command that must end with this status, print nothing and say all of these words.
    pub async fn refuses(&self, line: &str, status: i32, words: &[&str]) {
        self.run(line).await.refused(status, words);
    }

    /// The same, for a command that must succeed in silence: what it printed.
    pub async fn out(&self, line: &str) -> String {
        let ran = self.run(line).await;
        ran.succeeds();
        ran.out
    }

    pub async fn json(&self, line: &str) -> Value {
        let text = self.out(&format!("{line} --format json")).await;
        serde_json::from_str(&text).unwrap()
    }

    /// What a command prints as JSON, which is what this schema describes.
    pub async fn told(&self, schema: &str, line: &str) -> Value {
        let value = self.json(line).await;
        fits(schema, &value);
        value
    }

    pub async fn lines(&self, line: &str) -> Vec<Value> {
        self.run(&format!("{line} --format ndjson")).await.lines()
    }

    /// What a command comes to whose output nobody reads.
    pub async fn unread(&self, line: &str) -> Ran {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = self.command(line);
        command.stdout(writer);
        Ran::of(command).await
    }

    /// The same on a disk that is full.
    pub async fn without_room(&self, line: &str) -> Ran {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full");
        let mut command = self.command(line);
        command.stdout(full.unwrap());
        Ran::of(command).await
    }

    /// What the database holds of a run: its suites.
    pub fn truth(&self, run: &DocRef) -> BTreeSet<DocRef> {
        served::suites_of(&self.service, run)
    }

    /// What the database holds of a run: its document.
    pub fn document(&self, run: &DocRef) -> Option<Value> {
        served::document_of(&self.service, run)
    }

    /// Whether the program has written nothing down.
    pub fn keeps_nothing(&self) -> bool {
        !self.home.path().join(".local").exists()
    }

    /// Waits until so many requests of this method came.
    pub async fn until_passed(&self, method: &str, times: usize) {
        while self.proxy.count(method) < times {
            pause(5).await;
        }
    }

    pub fn journal(&self) -> String {
        std::fs::read_to_string(self.home.path().join(".local/state/rundown/journal.ndjson"))
            .unwrap()
    }

    /// The writes of the journal, oldest first: of each the operation, and the names of its steps.
    pub fn steps(&self) -> Vec<Vec<String>> {
        let journal = Journal::open(&self.home.path().join(".local/state/rundown")).unwrap();
        let read = journal.newest(None).unwrap();
        let one = |write: &WriteRecord| {
            let operation = write.request().unwrap().0.to_owned();
            let steps = served::step_names(write).into_iter().map(str::to_owned);
            [operation].into_iter().chain(steps).collect()
        };
        read.writes.iter().rev().map(one).collect()
    }

    pub fn writes(&self) -> Vec<String> {
        self.proxy.writes()
    }

    pub fn params(&self, method: &str) -> Vec<Value> {
        self.proxy.params(method)
    }
}

impl Ran {
    pub async fn of(mut command: Command) -> Self {
        // `output` would pipe what a test has put elsewhere.
        Self::ended(command.spawn().unwrap()).await
    }

    /// What a command that was started comes to.
    pub async fn ended(running: Child) -> Self {
        let limit = Duration::from_mins(1);
        let output = tokio::time::timeout(limit, running.wait_with_output()).await;
        let output = output.unwrap_or_else(|_| panic!("it did not end")).unwrap();
        Self {
            status: output.status.code(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Fails unless the command ended with this status.
    #[track_caller]
    pub fn is(&self, status: i32) {
        assert_eq!(self.status, Some(status), "{self:?}");
    }

    /// Fails unless it succeeded and said nothing.
    #[track_caller]
    pub fn succeeds(&self) {
        self.is(0);
        assert_eq!(self.err, "");
    }

    /// Fails unless the command ended with this status, printed nothing and said all of these words.
    #[track_caller]
    pub fn refused(&self, status: i32, words: &[&str]) {
        self.is(status);
        assert_eq!(self.out, "", "{}", self.err);
        assert!(self.err.starts_with("rundown: "), "{}", self.err);
        for word in words {
            says(&self.err, word);
        }
    }

    /// What it printed, which is what this schema describes.
    pub fn json(&self, schema: &str) -> Value {
        let value =
            serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {self:?}"));
        fits(schema, &value);
        value
    }

    pub fn deleted(&self) -> Vec<Value> {
        self.json("runs_deleted")["runs"]
            .as_array()
            .unwrap()
            .clone()
    }

    /// Lines of JSON.
    pub fn lines(&self) -> Vec<Value> {
        self.out
            .lines()
            .map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}")))
            .collect()
    }
}

/// The start of a line, and references after it.
pub fn line(start: &str, references: &[DocRef]) -> String {
    let references: Vec<_> = references.iter().map(DocRef::as_str).collect();
    format!("{start} {}", references.join(" "))
}

/// This member of each, which is a text.
pub fn each<'a>(values: impl IntoIterator<Item = &'a Value>, member: &str) -> Vec<&'a str> {
    let values = values.into_iter();
    values
        .map(|value| value[member].as_str().unwrap())
        .collect()
}

/// Fails unless the value has these members.
#[track_caller]
pub fn has(value: &Value, members: &Value) {
    for (name, expected) in members.as_object().unwrap() {
        assert_eq!(&value[name], expected, "{name} of {value}");
    }
}

pub async fn signal(child: &Child, name: &str) {
    let process = child.id().unwrap().to_string();
    let sent = Command::new("kill").args([name, &process]).status().await;
    assert!(sent.unwrap().success());
}

/// Whether a signal reaches the programs that are started here. A shell takes the interrupt away from what it runs in the
/// background, and a program is meant to keep it that way.
pub fn reaches(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = mask
        .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .unwrap_or(0);
    ignored & (1 << (signal - 1)) == 0
}

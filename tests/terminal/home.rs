//! A person's home, empty at first, and the program started in it.

use std::fs;
use std::path::{Path, PathBuf};

use portable_pty::CommandBuilder;
use tempfile::TempDir;

use crate::pty::Pty;

/// The program under test.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_rundown");

/// Folders of one person; gone with the value.
pub struct Home {
    folder: TempDir,
}

impl Home {
    pub fn new() -> Self {
        let home = Self {
            folder: tempfile::tempdir().unwrap(),
        };
        for place in ["home", "tmp"] {
            fs::create_dir(home.folder.path().join(place)).unwrap();
        }
        home
    }

    pub fn path(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    /// Where the program puts what it throws away.
    pub fn temporary(&self) -> PathBuf {
        self.folder.path().join("tmp")
    }

    /// The variables the program may look at, and nothing of the machine that runs the tests.
    pub fn variables(&self) -> Vec<(&'static str, String)> {
        let below = |place: &str| self.path().join(place).display().to_string();
        vec![
            ("HOME", self.path().display().to_string()),
            ("XDG_CONFIG_HOME", below(".config")),
            ("XDG_DATA_HOME", below(".local/share")),
            ("XDG_STATE_HOME", below(".local/state")),
            ("XDG_CACHE_HOME", below(".cache")),
            ("TMPDIR", self.temporary().display().to_string()),
            ("PATH", std::env::var("PATH").unwrap_or_default()),
            ("TERM", "xterm-256color".into()),
            ("GPG_TTY", "/dev/tty".into()),
            // Nothing here answers when it is asked for its background.
            ("COLORFGBG", "15;0".into()),
            ("LANG", "C.UTF-8".into()),
            ("TZ", "UTC".into()),
        ]
    }

    /// A command in this home.
    pub fn command(&self, program: impl AsRef<Path>, arguments: &[&str]) -> CommandBuilder {
        let mut command = CommandBuilder::new(program.as_ref());
        command.args(arguments);
        command.env_clear();
        for (name, value) in self.variables() {
            command.env(name, value);
        }
        command.cwd(self.path());
        command
    }

    /// The program with these arguments, in a terminal of 120 columns and 40 rows.
    pub fn start(&self, arguments: &[&str]) -> Pty {
        Pty::start(self.command(PROGRAM, arguments), 120, 40)
    }

    /// `rundown demo` with its rows on the screen, all of them here.
    pub fn demo(&self) -> Pty {
        let mut pty = self.start(&["demo", "--still"]);
        pty.rows();
        pty
    }

    /// Everything below a folder.
    pub fn below(folder: &Path) -> Vec<PathBuf> {
        let entries = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path());
        entries
            .flat_map(|path| {
                let mut found = if path.is_dir() {
                    Self::below(&path)
                } else {
                    Vec::new()
                };
                found.push(path);
                found
            })
            .collect()
    }

    /// Nothing was written that outlives the program.
    pub fn assert_nothing_left(&self) {
        assert_eq!(
            Self::below(&self.path()),
            Vec::<PathBuf>::new(),
            "left in the home"
        );
        assert_eq!(
            Self::below(&self.temporary()),
            Vec::<PathBuf>::new(),
            "left in the folder for temporary files"
        );
    }
}

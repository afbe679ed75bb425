//! Starts the programs that a config file names.

use std::path::PathBuf;

use tokio::process::Command;

/// Environment of those programs.
#[derive(Clone, Debug, Default)]
pub struct Children {
    /// Folder of the config file: relative programs are searched there, and all programs start there, wherever rundown
    /// was started.
    pub folder: Option<PathBuf>,
    /// Environment variables that hold the secrets of the config file; removed for all programs.
    pub without: Vec<String>,
    /// True while the screen has the terminal: a program that asks there would share its keys.
    pub beside_screen: bool,
}

impl Children {
    /// Returns a command for a program of the config file, relative to the folder of that file.
    pub fn command(&self, program: &str) -> Command {
        let mut command = match &self.folder {
            Some(folder) if program.contains('/') => Command::new(folder.join(program)),
            _ => Command::new(program),
        };
        if let Some(folder) = &self.folder {
            command.current_dir(folder);
        }
        for name in &self.without {
            command.env_remove(name);
        }
        if self.beside_screen {
            // The agent of GnuPG asks on the terminal that this names; others read their own, and are stopped.
            command.env_remove("GPG_TTY").process_group(0);
        }
        command
    }
}

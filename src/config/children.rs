//! How the programs are started that a config file names.

use std::path::PathBuf;

use tokio::process::Command;

/// What those programs find around them.
#[derive(Clone, Debug, Default)]
pub struct Children {
    /// Folder of the config file: a relative program is looked for there, and all of them start there, wherever rundown
    /// was started.
    pub folder: Option<PathBuf>,
    /// Environment variables that hold the secrets of the config file: no child has them.
    pub without: Vec<String>,
}

impl Children {
    /// A program of the config file, found as it would be in the folder of that file.
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
        command
    }
}

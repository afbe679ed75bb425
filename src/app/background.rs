//! Detection of a light terminal background: the terminal is asked once, and its answer is stored.

use std::io::{IsTerminal, stdin, stdout};
use std::path::Path;
use std::time::Duration;

use terminal_colorsaurus::{QueryOptions, ThemeMode, theme_mode};

use crate::disk::backgrounds;
use crate::ui::theme::BuiltIn;

/// Maximum time for an answer.
const PATIENCE: Duration = Duration::from_secs(1);

/// Returns the theme for the background of this terminal: by its stored answer, else it is asked. Answers are stored in
/// the state folder, if there is one.
pub fn theme(folder: Option<&Path>) -> Option<BuiltIn> {
    let known = folder.and_then(|folder| backgrounds::is_light(folder, &terminal()));
    known.map(of).or_else(|| ask(folder))
}

/// Asks the terminal and stores its answer.
pub fn ask(folder: Option<&Path>) -> Option<BuiltIn> {
    if !stdin().is_terminal() || !stdout().is_terminal() {
        return None;
    }
    let mut options = QueryOptions::default();
    options.timeout = PATIENCE;
    // A missing answer is stored, too, so that not every start asks.
    let light = match theme_mode(options) {
        Ok(mode) => Some(mode == ThemeMode::Light),
        Err(error) => {
            tracing::debug!("the terminal does not tell its background: {error}");
            None
        }
    };
    if let Some(folder) = folder
        && let Err(error) = backgrounds::keep(folder, &terminal(), light)
    {
        tracing::debug!("the background of the terminal is not kept: {error}");
    }
    Some(of(light))
}

fn of(light: Option<bool>) -> BuiltIn {
    match light {
        Some(true) => BuiltIn::Light,
        Some(false) => BuiltIn::Dark,
        None => BuiltIn::Neutral,
    }
}

/// Identifies this terminal among others.
fn terminal() -> String {
    let variable = |name| std::env::var(name).unwrap_or_default();
    let host = rustix::system::uname();
    format!(
        "{} {} {}",
        variable("TERM_PROGRAM"),
        variable("TERM"),
        host.nodename().to_string_lossy()
    )
}

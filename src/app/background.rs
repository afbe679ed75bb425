//! Whether the background of the terminal is light: the terminal is asked for it once, and what it says is kept.

use std::io::{IsTerminal, stdin, stdout};
use std::path::Path;
use std::time::Duration;

use terminal_colorsaurus::{QueryOptions, ThemeMode, theme_mode};

use crate::disk::backgrounds;
use crate::ui::theme::BuiltIn;

/// How long a terminal may take to answer.
const PATIENCE: Duration = Duration::from_secs(1);

/// The theme for the background of this terminal, if it has ever said what that is; it is asked where it has not. The
/// answers are in the state folder; without one nothing is kept.
pub fn theme(folder: Option<&Path>) -> Option<BuiltIn> {
    let known = folder.and_then(|folder| backgrounds::is_light(folder, &terminal()));
    known.map(of).or_else(|| ask(folder))
}

/// Asks the terminal and keeps what it says.
pub fn ask(folder: Option<&Path>) -> Option<BuiltIn> {
    if !stdin().is_terminal() || !stdout().is_terminal() {
        return None;
    }
    let mut options = QueryOptions::default();
    options.timeout = PATIENCE;
    // That one says nothing is kept, too: it is not asked at every start.
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

/// What this terminal is told from others by.
fn terminal() -> String {
    let told = |name| std::env::var(name).unwrap_or_default();
    let host = rustix::system::uname();
    format!(
        "{} {} {}",
        told("TERM_PROGRAM"),
        told("TERM"),
        host.nodename().to_string_lossy()
    )
}

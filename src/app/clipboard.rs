//! Ways of a text to the clipboard: the tool of a local display, tmux, else the terminal. Only a tool reports success.

use std::ffi::OsString;
use std::io::ErrorKind;
use std::process::Stdio;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{ChildStderr, Command};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};

use crate::store::CopyEnd;

/// Maximum time for a tool.
const PATIENCE: Duration = Duration::from_secs(3);
/// Maximum time for the message of a failed tool.
const LAST_WORDS: Duration = Duration::from_millis(200);

/// Program with its arguments that reads the text from its input.
type Tool = &'static [&'static str];

const PBCOPY: Tool = &["pbcopy"];
// The type is named, so that no other program is asked to guess it.
const WL_COPY: Tool = &["wl-copy", "--type", "text/plain"];
const XCLIP: Tool = &["xclip", "-in", "-selection", "clipboard"];
const XSEL: Tool = &["xsel", "--input", "--clipboard"];
// With -w the text goes on to the clipboard of the terminal around tmux.
const TMUX: Tool = &["tmux", "load-buffer", "-w", "-"];

/// Ways to the clipboard in this environment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ways {
    /// Tools; the first installed one is used.
    tools: Vec<Tool>,
    /// The terminal may have a clipboard.
    terminal: bool,
}

impl Ways {
    /// Reads the environment. Over SSH a display is not that of the user.
    pub fn of(variable: impl Fn(&str) -> Option<OsString>) -> Self {
        let set = |name: &str| variable(name).is_some_and(|value| !value.is_empty());
        let far = ["SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY"]
            .into_iter()
            .any(set);
        let mut tools = Vec::new();
        if !far && cfg!(target_os = "macos") {
            tools.push(PBCOPY);
        }
        if !far && set("WAYLAND_DISPLAY") {
            tools.push(WL_COPY);
        }
        if !far && set("DISPLAY") {
            tools.extend([XCLIP, XSEL]);
        }
        if set("TMUX") {
            tools.push(TMUX);
        }
        // The console of Linux and terminals named dumb have none.
        let terminal = variable("TERM").is_none_or(|name| name != "linux" && name != "dumb");
        Self { tools, terminal }
    }

    /// Returns true if there is a tool to try before the terminal.
    pub fn have_tools(&self) -> bool {
        !self.tools.is_empty()
    }

    /// Returns the failure if the terminal has no clipboard.
    pub fn without_tool(&self) -> Option<CopyEnd> {
        let none = || CopyEnd::Failed("this terminal has no clipboard".into());
        (!self.terminal).then(none)
    }
}

/// Text on its way to the clipboard, and its description.
#[derive(Debug)]
pub struct Copying {
    pub what: String,
    pub text: String,
}

/// Gives texts to the tools, one after the other, so that the last one stays in the clipboard; ends with the sender. A
/// text without a tool is returned without an end, for the terminal. The tools do not get the variables `without`.
pub async fn deliver(
    ways: Ways,
    without: Vec<String>,
    mut texts: UnboundedReceiver<Copying>,
    ends: UnboundedSender<(Copying, Option<CopyEnd>)>,
) {
    while let Some(copied) = texts.recv().await {
        let mut end = None;
        for tool in &ways.tools {
            end = run(tool, &copied.text, &without).await;
            if end.is_some() {
                break;
            }
        }
        if ends.send((copied, end)).is_err() {
            tracing::debug!("a text was copied after the end");
        }
    }
}

/// Runs a tool; `None` if it is not installed.
async fn run(tool: Tool, text: &str, without: &[String]) -> Option<CopyEnd> {
    let (program, arguments) = tool.split_first()?;
    let mut command = Command::new(program);
    // In its own process group: a tool that serves the clipboard from now on is neither stopped with this program nor
    // ended with its terminal.
    command.args(arguments).process_group(0).kill_on_drop(true);
    for name in without {
        command.env_remove(name);
    }
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    let mut child = match command.spawn() {
        Err(error) if error.kind() == ErrorKind::NotFound => return None,
        Err(error) => return Some(CopyEnd::Failed(format!("{program}: {error}"))),
        Ok(child) => child,
    };
    let group = child.id().and_then(|id| Pid::from_raw(id.cast_signed()));
    let input = child.stdin.take();
    let handed_over = async {
        if let Some(mut input) = input
            && let Err(error) = input.write_all(text.as_bytes()).await
        {
            // The exit status shows if it has read enough.
            tracing::debug!("{program} has not read all: {error}");
        }
        child.wait().await
    };
    let ended = tokio::time::timeout(PATIENCE, handed_over).await;
    Some(match ended {
        Ok(Ok(status)) if status.success() => CopyEnd::Copied,
        Ok(Ok(status)) => {
            let said = match child.stderr.take() {
                Some(errors) => last_words(errors).await,
                None => None,
            };
            let said = said.unwrap_or_else(|| match status.code() {
                Some(code) => format!("ended with status {code}"),
                None => "was ended".into(),
            });
            // Most messages begin with the program's name.
            let said = said.strip_prefix(program).unwrap_or(&said);
            let said = said.trim_start_matches([':', ' ']);
            CopyEnd::Failed(format!("{program}: {said}"))
        }
        Ok(Err(error)) => CopyEnd::Failed(format!("{program}: {error}")),
        Err(_) => {
            if let Some(group) = group
                && let Err(error) = kill_process_group(group, Signal::KILL)
            {
                tracing::debug!("{program} cannot be ended: {error}");
            }
            let seconds = PATIENCE.as_secs();
            CopyEnd::Failed(format!("{program} gave no answer in {seconds} s"))
        }
    })
}

/// Returns the first line of a failed tool's message.
async fn last_words(errors: ChildStderr) -> Option<String> {
    let mut said = Vec::new();
    // A process started by the tool may keep the pipe open.
    let _ = tokio::time::timeout(LAST_WORDS, errors.take(400).read_to_end(&mut said)).await;
    let said = String::from_utf8_lossy(&said);
    let line = said.lines().map(str::trim).find(|line| !line.is_empty());
    line.map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ways(variables: &[(&str, &str)]) -> Ways {
        Ways::of(|name| {
            let mut variables = variables.iter();
            variables
                .find(|(known, _)| *known == name)
                .map(|(_, value)| OsString::from(value))
        })
    }

    #[test]
    #[cfg(not(target_os = "macos"))]
    fn a_display_comes_first_then_tmux_then_the_terminal() {
        let all = ways(&[("WAYLAND_DISPLAY", "w"), ("DISPLAY", ":0"), ("TMUX", "t")]);
        assert_eq!(all.tools, [WL_COPY, XCLIP, XSEL, TMUX]);
        let here = ways(&[("DISPLAY", ":0"), ("TMUX", "")]);
        assert_eq!(here.tools, [XCLIP, XSEL]);
        for far in ["SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY"] {
            let far = ways(&[(far, "x"), ("DISPLAY", ":0"), ("TMUX", "t")]);
            assert_eq!(far.tools, [TMUX]);
        }
        assert!(!ways(&[("TERM", "xterm")]).have_tools());
    }

    #[test]
    fn a_console_has_no_clipboard() {
        assert_eq!(ways(&[("TERM", "xterm-256color")]).without_tool(), None);
        for name in ["linux", "dumb"] {
            let none = ways(&[("TERM", name)]).without_tool();
            assert!(matches!(none, Some(CopyEnd::Failed(_))), "{name}");
        }
    }
}

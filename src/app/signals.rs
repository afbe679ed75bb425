//! Signals that the interface handles.

use std::io;
use std::task::Poll;
use std::time::{Duration, Instant};

use futures_util::FutureExt;
use rustix::process::Signal as Number;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// Time after an editor in which an interrupt counts as a late one for the editor.
const ECHO: Duration = Duration::from_secs(1);

/// Signals that end the program. Most of them would do so at once, without restoring the terminal.
pub const ENDS: [Number; 7] = [
    Number::TERM,
    Number::HUP,
    Number::INT,
    Number::QUIT,
    Number::USR1,
    Number::USR2,
    Number::ABORT,
];

/// Meaning of a signal.
#[derive(Clone, Copy)]
pub enum SignalMeaning {
    End,
    /// The signal was for the editor.
    Nothing,
    Suspend,
    Continue,
    Resize,
}

fn of(number: Number) -> io::Result<Signal> {
    signal(SignalKind::from_raw(number.as_raw()))
}

/// Returns streams of the signals of [`ENDS`].
pub fn ends() -> io::Result<Vec<Signal>> {
    ENDS.into_iter().map(of).collect()
}

pub struct Signals {
    /// Time until which interrupts count as meant for the editor.
    deaf_until: Option<Instant>,
    /// Streams of [`ENDS`].
    ends: Vec<Signal>,
    stop: Signal,
    go_on: Signal,
    window: Signal,
}

impl Signals {
    pub fn listen() -> io::Result<Self> {
        Ok(Self {
            deaf_until: None,
            ends: ends()?,
            stop: of(Number::TSTP)?,
            go_on: of(Number::CONT)?,
            window: of(Number::WINCH)?,
        })
    }

    /// Listens after an editor had the terminal: its interrupt may still arrive.
    pub fn listen_after_editor() -> io::Result<Self> {
        Ok(Self {
            deaf_until: Some(Instant::now() + ECHO),
            ..Self::listen()?
        })
    }

    /// Returns true after SIGTERM or SIGHUP.
    pub fn ended(&mut self) -> bool {
        let signal = any(&mut self.ends[..2]);
        signal.now_or_never().is_some()
    }

    pub async fn next(&mut self) -> SignalMeaning {
        tokio::select! {
            told = any(&mut self.ends) => match self.deaf_until {
                Some(until) if ENDS[told] == Number::INT && Instant::now() < until => {
                    SignalMeaning::Nothing
                }
                _ => SignalMeaning::End,
            },
            _ = self.stop.recv() => SignalMeaning::Suspend,
            _ = self.go_on.recv() => SignalMeaning::Continue,
            _ = self.window.recv() => SignalMeaning::Resize,
        }
    }
}

/// Waits for the first signal; returns its place.
pub async fn any(signals: &mut [Signal]) -> usize {
    std::future::poll_fn(|cx| {
        let place = signals
            .iter_mut()
            .position(|signal| signal.poll_recv(cx).is_ready());
        place.map_or(Poll::Pending, Poll::Ready)
    })
    .await
}

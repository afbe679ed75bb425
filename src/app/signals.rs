//! Signals, as far as the interface has something to do for them.

use std::io;
use std::task::Poll;
use std::time::{Duration, Instant};

use futures_util::FutureExt;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// How long after an editor an interrupt is taken for a late one that was meant for it.
const ECHO: Duration = Duration::from_secs(1);

/// What a signal asks for.
#[derive(Clone, Copy)]
pub(super) enum Told {
    End,
    Suspend,
    Continue,
    Resize,
}

pub(super) struct Signals {
    /// An interrupt before this was meant for the editor.
    deaf_until: Option<Instant>,
    terminate: Signal,
    hang_up: Signal,
    interrupt: Signal,
    stop: Signal,
    go_on: Signal,
    window: Signal,
    /// Those that would end the program and leave the terminal as it is.
    others: [Signal; 4],
}

impl Signals {
    pub(super) fn listen() -> io::Result<Self> {
        Ok(Self {
            deaf_until: None,
            terminate: signal(SignalKind::terminate())?,
            hang_up: signal(SignalKind::hangup())?,
            interrupt: signal(SignalKind::interrupt())?,
            stop: signal(SignalKind::from_raw(rustix::process::Signal::TSTP.as_raw()))?,
            go_on: signal(SignalKind::from_raw(rustix::process::Signal::CONT.as_raw()))?,
            window: signal(SignalKind::window_change())?,
            others: [
                signal(SignalKind::quit())?,
                signal(SignalKind::user_defined1())?,
                signal(SignalKind::user_defined2())?,
                signal(SignalKind::from_raw(
                    rustix::process::Signal::ABORT.as_raw(),
                ))?,
            ],
        })
    }

    /// After an editor that had the terminal: an interrupt for it may still be on its way.
    pub(super) fn listen_after_editor() -> io::Result<Self> {
        Ok(Self {
            deaf_until: Some(Instant::now() + ECHO),
            ..Self::listen()?
        })
    }

    /// Whether the program was told to end.
    pub(super) fn ended(&mut self) -> bool {
        self.terminate.recv().now_or_never().is_some()
            || self.hang_up.recv().now_or_never().is_some()
    }

    pub(super) async fn next(&mut self) -> Told {
        loop {
            tokio::select! {
                _ = self.terminate.recv() => return Told::End,
                _ = self.hang_up.recv() => return Told::End,
                _ = self.interrupt.recv() => {
                    if self.deaf_until.is_none_or(|until| Instant::now() >= until) {
                        return Told::End;
                    }
                }
                () = any(&mut self.others) => return Told::End,
                _ = self.stop.recv() => return Told::Suspend,
                _ = self.go_on.recv() => return Told::Continue,
                _ = self.window.recv() => return Told::Resize,
            }
        }
    }
}

/// Waits for the first of them.
async fn any(signals: &mut [Signal]) {
    std::future::poll_fn(|cx| {
        if signals
            .iter_mut()
            .any(|signal| signal.poll_recv(cx).is_ready())
        {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    })
    .await;
}

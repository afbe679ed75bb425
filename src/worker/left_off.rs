//! Saves the position, so that the next start begins there.

use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep_until};

use super::prelude::*;
use crate::domain::LeftOff;
use crate::ops::blocking;

/// Wait for further changes after a change.
const QUIET: Duration = Duration::from_secs(2);
/// Shortest time between two writes.
const PAUSE: Duration = Duration::from_secs(5);

/// The position, with the key of its profile and project.
pub type QueuedPosition = (String, Box<LeftOff>);

/// Starts the task. It ends once the sender is dropped and the last position is on the disk.
pub fn start(state: &State) -> (UnboundedSender<QueuedPosition>, JoinHandle<()>) {
    let (sender, waiting) = unbounded_channel();
    (sender, tokio::spawn(keep(state.clone(), waiting)))
}

async fn keep(state: State, mut waiting: UnboundedReceiver<QueuedPosition>) {
    let mut written = None;
    while let Some(mut newest) = waiting.recv().await {
        let now = Instant::now();
        let due = written.map_or(now + QUIET, |at: Instant| (at + PAUSE).max(now + QUIET));
        let mut is_over = false;
        while !is_over {
            tokio::select! {
                () = sleep_until(due) => break,
                next = waiting.recv() => match next {
                    // Another project: the position of the last one is final.
                    Some(next) if next.0 != newest.0 => write(&state, std::mem::replace(&mut newest, next)).await,
                    Some(next) => newest = next,
                    None => is_over = true,
                },
            }
        }
        write(&state, newest).await;
        written = Some(Instant::now());
    }
}

/// Writes the position. A failure is only logged: the next start begins elsewhere.
async fn write(state: &State, (of, left_off): QueuedPosition) {
    let Ok(state) = state.clone() else { return };
    if let Err(error) = blocking(move || state.left_off.keep(&of, &left_off)).await {
        tracing::warn!(error, "where one is was not kept");
    }
}

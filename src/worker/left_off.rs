//! Saves the position, so that the next start begins there.

use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::prelude::*;
use crate::domain::LeftOff;
use crate::ops::blocking;

/// Wait for further changes after a change.
const QUIET: Duration = Duration::from_secs(2);

/// The position, with the key of its profile and project.
pub type QueuedPosition = (String, Box<LeftOff>);

/// Starts the task. It ends once the sender is dropped and the last position is on the disk.
pub fn start(state: &State) -> (UnboundedSender<QueuedPosition>, JoinHandle<()>) {
    let (sender, waiting) = unbounded_channel();
    (sender, tokio::spawn(keep(state.clone(), waiting)))
}

async fn keep(state: State, mut waiting: UnboundedReceiver<QueuedPosition>) {
    while let Some(mut newest) = waiting.recv().await {
        while let Ok(Some(next)) = timeout(QUIET, waiting.recv()).await {
            let before = std::mem::replace(&mut newest, next);
            // Another project: the position of the last one is final.
            if before.0 != newest.0 {
                write(&state, before).await;
            }
        }
        write(&state, newest).await;
    }
}

/// Writes the position. A failure is only logged: the next start begins elsewhere.
async fn write(state: &State, (of, left_off): QueuedPosition) {
    let Ok(state) = state.get() else { return };
    if let Err(error) = blocking(move || state.left_off.keep(&of, &left_off)).await {
        tracing::warn!(error, "where one is was not kept");
    }
}

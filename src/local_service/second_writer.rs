//! Another user who works on the same data.

use std::sync::Arc;
use std::time::Duration;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use tokio::time::{MissedTickBehavior, interval};

use super::http::App;
use super::operations;

/// Changes the suites of some run again and again until the service stops. On the same data the same seed makes the same
/// changes in the same order, as long as nobody else writes.
pub async fn work(app: Arc<App>, every: Duration, seed: u64) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    // The made data has the streams that can be counted up to.
    rng.set_stream(u64::MAX);
    let mut turns = interval(every);
    turns.set_missed_tick_behavior(MissedTickBehavior::Delay);
    turns.tick().await;
    loop {
        tokio::select! {
            _ = turns.tick() => {}
            () = app.stopping.cancelled() => return,
        }
        let working = Arc::clone(&app);
        let changed = tokio::task::spawn_blocking(move || {
            let changed = operations::change_a_run(&working.database, &mut rng);
            (rng, changed)
        });
        match changed.await {
            Ok((after, changed)) => {
                rng = after;
                if let Err(fault) = changed {
                    tracing::warn!(?fault, "the second writer could not change a run");
                }
            }
            Err(error) => {
                tracing::error!(%error, "the second writer broke off");
                return;
            }
        }
    }
}

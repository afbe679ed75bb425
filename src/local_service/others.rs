//! Other users who work on the same data.

use tokio::time::{MissedTickBehavior, interval};

use super::app::App;
use super::operations;
use super::prelude::*;

/// Another user with one repeated activity.
#[derive(Clone, Copy)]
pub struct Other {
    /// Name in the log.
    name: &'static str,
    /// Stream of random numbers; low ones belong to the generated data.
    stream: u64,
    /// Work of one turn.
    turn: fn(&Database, &mut ChaCha8Rng) -> Result<(), Fault>,
}

/// `--second-writer`: adds and removes suites.
pub const SECOND_WRITER: Other = Other {
    name: "the second writer",
    stream: u64::MAX,
    turn: operations::change_a_run,
};
/// `--live`: records results.
pub const TESTERS: Other = Other {
    name: "the testers",
    stream: u64::MAX - 1,
    turn: operations::record_results,
};

/// Takes turns until the service stops. The same seed yields the same changes in the same order on the same data, as
/// long as there are no other writes.
pub async fn work(app: Arc<App>, other: Other, every: Duration, seed: u64) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(other.stream);
    let mut turns = interval(every);
    turns.set_missed_tick_behavior(MissedTickBehavior::Delay);
    turns.tick().await;
    loop {
        tokio::select! {
            biased; // a turn may be due as well, when the one before took long
            () = app.stopping.cancelled() => return,
            _ = turns.tick() => {}
        }
        let working = Arc::clone(&app);
        let changed = tokio::task::spawn_blocking(move || {
            let changed = (other.turn)(&working.database, &mut rng);
            (rng, changed)
        });
        match changed.await {
            Ok((after, changed)) => {
                rng = after;
                if let Err(fault) = changed {
                    tracing::warn!(?fault, "{} could not change a run", other.name);
                }
            }
            Err(error) => {
                tracing::error!(%error, "{} broke off", other.name);
                return;
            }
        }
    }
}

//! What the samples of a run tell, as it is drawn.

use crate::domain::Sums;
use crate::forecast::Outlook;

/// Trend, burn-up and forecast of a run, worked out from its samples off the drawing thread.
#[derive(Clone, Debug, PartialEq)]
pub struct History {
    /// Number of samples.
    pub samples: usize,
    /// When the first column of the burn-up begins, epoch milliseconds.
    pub from: i64,
    /// When its last one ends: when it was worked out.
    pub to: i64,
    /// The burn-up, in columns of equal time; `None` where nobody looked.
    pub points: Vec<Option<Sums>>,
    /// Cases that passed in each of the last 24 hours, the oldest first; `None` where nobody looked.
    pub trend: Vec<Option<f64>>,
    /// The last counts that were told.
    pub state: Option<Sums>,
    /// When the run will be done.
    pub outlook: Outlook,
}

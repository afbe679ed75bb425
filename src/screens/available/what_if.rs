//! What suites that are added would mean for the run, in words: an upper bound, and nothing that is sent.

use super::{AvailableSuites, cases};
use crate::domain::{ResultCode, SuiteRow};
use crate::forecast::{Band, Outlook};
use crate::ui::{text, time};

/// `131 more cases: 56 → 187 left`, at most so many.
pub fn more(available: &AvailableSuites, suites: &[&SuiteRow], done: &[ResultCode]) -> String {
    let (cases, silent) = cases(suites);
    let said = match u64::try_from(cases).unwrap_or(0) {
        1 => "1 more case".to_owned(),
        cases => format!("{} more cases", text::thousands(cases)),
    };
    match (available.extra(suites), available.run.sums(done), silent) {
        (Some(extra), Some(sums), _) => {
            let now = text::thousands(sums.left());
            let then = text::thousands(sums.left().saturating_add(extra));
            format!("{said}: {now} → {then} left")
        }
        (Some(_), None, _) | (None, _, 0) => said,
        (None, _, 1) => format!("{said}, and 1 suite does not say how many it has"),
        (None, _, silent) => {
            format!("{said}, and {silent} suites do not say how many they have")
        }
    }
}

/// How much later the run would be done with these, where that is known.
pub fn later(available: &AvailableSuites, suites: &[&SuiteRow]) -> Option<String> {
    let extra = available.extra(suites)?;
    let known = available.what_if.value();
    let known = known.filter(|known| known.extra == extra)?;
    let (Outlook::Band(now), Outlook::Band(then)) = (&known.now, &known.then) else {
        return None;
    };
    let middle = |band: &Band| band.from.midpoint(band.to);
    let later = middle(then).saturating_sub(middle(now));
    (later > 0).then(|| format!(", about +{}", time::span(later)))
}

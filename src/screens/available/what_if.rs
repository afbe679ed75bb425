//! What suites that are added would mean for the run, in words: an upper bound, and nothing that is sent.

use super::{AvailableSuites, cases};
use crate::domain::{ResultCode, SuiteRow};
use crate::forecast::{Band, Outlook};
use crate::ui::{text, time};

/// `131 more cases: 56 → 187 left`, at most so many.
pub fn more(available: &AvailableSuites, suites: &[&SuiteRow], done: &[ResultCode]) -> String {
    let (cases, _) = cases(suites);
    let cases = u64::try_from(cases).unwrap_or(0);
    let said = match cases {
        1 => "1 more case".to_owned(),
        cases => format!("{} more cases", text::thousands(cases)),
    };
    let Some(extra) = available.extra(suites) else {
        let silent = suites.iter().filter(|suite| suite.total_cases.is_none());
        return match silent.count() {
            0 => said,
            1 => format!("{said}, and 1 suite does not say how many it has"),
            silent => format!("{said}, and {silent} suites do not say how many they have"),
        };
    };
    match available.run.sums(done) {
        Some(sums) => {
            let (now, then) = (sums.left(), sums.left().saturating_add(extra));
            format!(
                "{said}: {} → {} left",
                text::thousands(now),
                text::thousands(then)
            )
        }
        None => said,
    }
}

/// How much later the run would be done, where that is known.
pub fn later(available: &AvailableSuites) -> Option<String> {
    let extra = available.extra(&available.marked_there())?;
    let known = available.what_if.value();
    let known = known.filter(|known| known.extra == extra)?;
    let (Outlook::Band(now), Outlook::Band(then)) = (&known.now, &known.then) else {
        return None;
    };
    let middle = |band: &Band| band.from.midpoint(band.to);
    let later = middle(then).saturating_sub(middle(now));
    (later > 0).then(|| format!("about +{}", time::span(later)))
}

//! What the marked suites would mean for the run: said as an upper bound, and not at all where a suite does not tell.

use crate::support::prelude::*;
use rundown::forecast::WhatIf;
use rundown::forecast::{NoForecast, Outlook};

use super::samples_of::{Pace, history};
use super::suites::suite;

/// The suites 1 to 20 are free on run 2; suite `n` has `n` cases, 8 and 17 do not say.
fn available() -> Sample {
    let mut sample = Sample::list((120, 40), 30);
    sample.press("jja");
    sample.answered(
        &Slot::Available,
        Answer::Available(Ok((1..=20).map(suite).collect())),
    );
    sample.open.clear();
    sample
}

fn asked(sample: &Sample) -> Vec<(RequestId, u64)> {
    let extra = |effect: &Effect| match effect {
        Effect::Request(id, Request::Samples(SampleRequest::WhatIf { extra, .. })) => {
            Some((*id, *extra))
        }
        _ => None,
    };
    sample.open.iter().filter_map(extra).collect()
}

/// The line at the foot.
fn text(sample: &Sample) -> String {
    let screen = sample.screen();
    let foot = screen.lines().rev().nth(1).unwrap();
    foot.trim_end().to_owned()
}

#[test]
fn each_basket_is_asked_for_once_and_told_as_an_upper_bound() {
    let mut sample = available();
    assert_eq!(asked(&sample), []);
    sample.press(" ");
    sample.press(" ");
    sample.press(" ");
    let extras: Vec<u64> = asked(&sample).into_iter().map(|(_, extra)| extra).collect();
    assert_eq!(extras, [1, 3, 6]);
    let without = "3 marked, up to 6 more cases: 46 → 52 left";
    assert_eq!(text(&sample), without);
    let Outlook::Band(now) = history(Pace::Steady, sample.now).outlook else {
        panic!("no band")
    };
    let then = rundown::forecast::Band {
        // A few late ends do not move the middle.
        to: now.to + 36_000_000,
        middle: now.middle + 3_600_000,
        ..now.clone()
    };
    let what_if = WhatIf {
        extra: 6,
        now: Outlook::Band(now),
        then: Outlook::Band(then),
    };
    // An answer for fewer marks comes late and changes nothing.
    let (late, id) = (asked(&sample)[0].0, asked(&sample)[2].0);
    sample.reply(
        late,
        Answer::WhatIf(Ok(Box::new(what_if.clone().with(|it| it.extra = 1)))),
    );
    assert_eq!(text(&sample), without);
    sample.reply(id, Answer::WhatIf(Ok(Box::new(what_if))));
    assert_eq!(text(&sample), format!("{without}, about +1 h"));
    let writes = |effect: &&Effect| matches!(effect, Effect::Request(_, Request::ChangeSuites(_)));
    assert_eq!(sample.open.iter().filter(writes).count(), 0);
    // With the next mark it is open again.
    sample.press(" ");
    assert_eq!(text(&sample), "4 marked, up to 10 more cases: 46 → 56 left");
}

#[test]
fn a_suite_that_does_not_say_leaves_it_open() {
    let mut sample = available();
    sample.press("A");
    assert_eq!(asked(&sample), []);
    let shown = text(&sample);
    assert!(
        shown.ends_with(" more cases, and 2 suites do not say how many they have"),
        "{shown}"
    );
}

#[test]
fn without_a_forecast_none_is_told() {
    let mut sample = available();
    sample.press(" ");
    let (id, extra) = asked(&sample)[0];
    let refused = Outlook::Refused(NoForecast::FewSamples(3));
    let what_if = WhatIf {
        extra,
        now: refused.clone(),
        then: refused,
    };
    sample.reply(id, Answer::WhatIf(Ok(Box::new(what_if))));
    assert_eq!(text(&sample), "1 marked, up to 1 more case: 46 → 47 left");
    sample.press(" ");
    let (id, _) = asked(&sample)[1];
    sample.reply(id, Answer::WhatIf(Err(failure())));
    assert_eq!(text(&sample), "2 marked, up to 3 more cases: 46 → 49 left");
}

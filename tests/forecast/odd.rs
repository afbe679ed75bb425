//! Any samples at all, and samples from the real database.

use crate::support::prelude::*;
use crate::support::samples_of::usual;
use proptest::prelude::*;
use rundown::domain::{HoursOfDay, Sample, WorkingHours};
use rundown::forecast::{Outlook, Settings, SumRun, burn_up, finish, forecast, what_if};
use rundown::samples::Samples;

use super::world::{HOUR, MINUTE, NOW, even, keep, sample};

fn any_time() -> impl Strategy<Value = i64> {
    prop_oneof![8 => NOW - 30 * HOUR..NOW + 30 * HOUR, 1 => any::<i64>(), 1 => Just(i64::MAX), 1 => Just(i64::MIN)]
}

fn any_count() -> impl Strategy<Value = u64> {
    prop_oneof![8 => 0_u64..300, 1 => any::<u64>(), 1 => Just(u64::MAX)]
}

prop_compose! {
    fn any_sample()(
        at in any_time(),
        until in any_time(),
        clock_back in prop::bool::weighted(0.1),
        told in prop::bool::weighted(0.9),
        passed in any_count(),
        untested in any_count(),
        foreign in prop::option::weighted(0.1, any_count()),
    ) -> Sample {
        let mut counts = counted([(ResultCode::Passed, passed), (ResultCode::Untested, untested)]);
        counts.others.extend(foreign.map(|count| ("99".to_owned(), String::new(), count)));
        Sample { at, seen_until: until, clock_back, counts: told.then_some(counts), suites: None, progress: None }
    }
}

fn any_hours() -> impl Strategy<Value = WorkingHours> {
    let hours = prop_oneof![
        Just(HoursOfDay::Learned),
        Just(HoursOfDay::Always),
        (0_u16..1440, 1_u16..=1440).prop_map(|(from, to)| HoursOfDay::Set { from, to }),
    ];
    (hours, prop::option::of(any::<[bool; 7]>()))
        .prop_map(|(hours, days)| WorkingHours { hours, days })
}

proptest! {
    #[test]
    fn nothing_breaks_it(
        mut samples in prop::collection::vec(any_sample(), 0..40),
        orderly in any::<bool>(),
        hours in any_hours(),
        now in any_time(),
        (from, to) in (any_time(), any_time()),
        days in 0_u32..100,
        extra in any_count(),
    ) {
        if orderly {
            samples.sort_by_key(|it| it.at);
            for sample in &mut samples {
                sample.seen_until = sample.at;
            }
        }
        let settings = Settings { hours, days, ..usual(TimeZone::get("Europe/Berlin").unwrap()) };
        for outlook in [forecast(&samples, now, &settings), what_if(&samples, now, &settings, extra)] {
            if let Outlook::Band(band) = &outlook {
                prop_assert!(band.from <= band.to && band.from >= now && band.pace > 0.0 && band.left > 0, "{:?}", band);
                prop_assert!(!band.basis(now, &settings.zone).is_empty());
            }
            prop_assert!(!outlook.words(now, &settings.zone).is_empty());
        }
        let run = |number| SumRun::of(&row(number), &settings.done);
        let runs = [1, 2, 3].map(|number| (run(number), samples.clone()));
        let of_all = finish(&runs, now, &settings);
        prop_assert!(!of_all.outlook.words(now, &settings.zone).is_empty());
        prop_assert_eq!(burn_up(&samples, &settings.done, from, to, 50).len(), 50);
    }

    #[test]
    fn more_cases_take_longer(rate in 3_i64..60, hours in 3_i64..30, extra in 1_u64..500) {
        let samples = even(rate, hours * HOUR, (rate * hours + 20) as u64);
        let settings = Settings { hours: WorkingHours { hours: HoursOfDay::Always, days: None }, ..usual(TimeZone::UTC) };
        let (less, more) = (forecast(&samples, NOW, &settings), what_if(&samples, NOW, &settings, extra));
        let (Outlook::Band(less), Outlook::Band(more)) = (less, more) else { panic!() };
        prop_assert!(more.from > less.from && more.to > less.to);
    }
}

#[test]
fn the_database_keeps_what_the_forecast_reads() {
    let folder = new_folder();
    let samples = Samples::open(folder.path(), 90, NOW).unwrap();
    let run = DocRef::parse("TestRun-dm/1").unwrap();
    let mut kept = Vec::new();
    // Looked at every minute, with a gap, a pause and a clock that is set back.
    let looks = (0..400)
        .filter(|minute| !(100..250).contains(minute))
        .map(|minute| (minute, minute / 5));
    for (minute, done) in looks {
        let at = NOW - 400 * MINUTE + minute * MINUTE - if minute > 350 { 20 * MINUTE } else { 0 };
        let seen = sample(at, done.min(60) as u64, 100);
        samples.of_scope("qa", "P_9").add(&run, &seen).unwrap();
        keep(&mut kept, seen);
    }
    assert_eq!(
        samples.of_scope("qa", "P_9").of(&run, i64::MIN).unwrap(),
        kept
    );
}

//! Single words of the command line: references of suites, times, filters, orders.

use std::time::Duration;

use crate::domain::{DocRef, Filter, Sort, TEST_SUITE_MODEL};

/// Reads the reference of a suite.
pub(super) fn suite_ref(text: &str) -> Result<DocRef, &'static str> {
    DocRef::of_model(text, TEST_SUITE_MODEL)
        .ok_or("expected a reference such as TestSuite-dm/20744")
}

/// A time from one second to thirty days.
pub(super) fn time(text: &str) -> Result<Duration, &'static str> {
    const FORM: &str = "expected a time from 1s to 30d, such as 90, 90s, 30m, 2h or 1h30m";
    let mut seconds: u64 = 0;
    let mut rest = text;
    let mut smaller_than = u64::MAX;
    while !rest.is_empty() {
        let end = rest
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(rest.len());
        let number: u64 = rest[..end].parse().map_err(|_| FORM)?;
        let unit = match rest[end..].chars().next() {
            None if smaller_than == u64::MAX => 1,
            Some('s') => 1,
            Some('m') => 60,
            Some('h') => 3_600,
            Some('d') => 86_400,
            _ => return Err(FORM),
        };
        if unit >= smaller_than {
            return Err(FORM);
        }
        smaller_than = unit;
        seconds = number
            .checked_mul(unit)
            .and_then(|part| seconds.checked_add(part))
            .ok_or(FORM)?;
        rest = rest.get(end + 1..).unwrap_or_default();
    }
    if (1..=30 * 86_400).contains(&seconds) {
        Ok(Duration::from_secs(seconds))
    } else {
        Err(FORM)
    }
}

/// Accepts a filter, `<field_path>:<value>` (4.2).
pub(super) fn filter(text: &str) -> Result<String, &'static str> {
    const FORM: &str = "expected <field path>:<value>, such as Root.General.Status:active";
    Filter::is_one(text).then(|| text.to_owned()).ok_or(FORM)
}

/// Reads an order; ascending where nothing is said.
pub(super) fn sort(text: &str) -> Result<Sort, &'static str> {
    const FORM: &str =
        "expected a field path, and ASC or DESC if wanted, such as \"Root.General.Title DESC\"";
    Sort::parse(text).ok_or(FORM)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        for (text, seconds) in [
            ("90", 90),
            ("90s", 90),
            ("30m", 1_800),
            ("1h30m", 5_400),
            ("2h", 7_200),
            ("30d", 2_592_000),
        ] {
            assert_eq!(time(text), Ok(Duration::from_secs(seconds)), "{text}");
        }
        for bad in [
            "",
            "0",
            "0s",
            "s",
            "1x",
            "1h30",
            "30m1h",
            "1s1s",
            "-1",
            "1.5h",
            "31d",
            "99999999999999999999",
            "1ü",
        ] {
            assert!(time(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn sorts_and_filters_have_their_form() {
        assert_eq!(
            sort("A.B"),
            Ok(Sort {
                path: "A.B".into(),
                descending: false
            })
        );
        assert_eq!(
            sort(" A.B  desc "),
            Ok(Sort {
                path: "A.B".into(),
                descending: true
            })
        );
        for bad in ["", " ", "A.B UP", "A.B ASC DESC"] {
            assert!(sort(bad).is_err(), "{bad:?}");
        }
        assert_eq!(
            filter("Root.General.Title:a:b"),
            Ok("Root.General.Title:a:b".into())
        );
        assert!(filter("active").is_err() && filter(":x").is_err());
    }
}

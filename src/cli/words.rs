//! Single words of the command line: references of suites, times, filters, orders.

use std::fmt::Display;
use std::str::FromStr;
use std::time::Duration;

use jiff::{Span, SpanRelativeTo, Unit};

use crate::domain::fields::{self, Field};
use crate::domain::{DocRef, Filter, Sort, TEST_SUITE_MODEL, text};

/// Reads the reference of a suite.
pub fn suite_ref(text: &str) -> Result<DocRef, &'static str> {
    DocRef::of_model(text, TEST_SUITE_MODEL)
        .ok_or("expected a reference such as TestSuite-dm/20744")
}

/// A whole number; without `most` there is no end.
pub fn number<N>(least: N, most: Option<N>) -> impl Fn(&str) -> Result<N, String> + Clone
where
    N: FromStr + PartialOrd + Display + Copy,
{
    move |text| {
        let fits = |number: &N| *number >= least && most.is_none_or(|most| *number <= most);
        let most = most.map_or_else(|| "on".to_owned(), |most| format!("to {most}"));
        let expected = || format!("expected a whole number from {least} {most}");
        text.parse().ok().filter(fits).ok_or_else(expected)
    }
}

/// A time from one second to thirty days.
pub fn time(text: &str) -> Result<Duration, &'static str> {
    const FORM: &str = "expected a time from 1s to 30d, such as 90, 90s, 30m, 2h or 1h30m";
    let seconds = seconds(text).filter(|seconds| (1.0..=30.0 * 86_400.0).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or(FORM)
}

/// The seconds of a time in words of jiff; a number alone is of seconds.
fn seconds(text: &str) -> Option<f64> {
    let text = match text.parse::<u64>() {
        Ok(seconds) => format!("{seconds}s"),
        Err(_) => text.to_owned(),
    };
    let of_24_hours = (Unit::Second, SpanRelativeTo::days_are_24_hours());
    text.parse::<Span>().ok()?.total(of_24_hours).ok()
}

/// Accepts a filter, `<field_path>:<value>` (4.2).
pub fn filter(text: &str) -> Result<String, String> {
    const FORM: &str = "expected <field path>:<value>, such as Root.General.Status:active";
    match text.split_once(':') {
        _ if Filter::is_one(text) => Ok(text.to_owned()),
        Some((name, _)) if !name.is_empty() => Err(format!(
            "{name} is no field path, which begins with Root.; {FORM}; --query takes names such as status:open"
        )),
        _ => Err(FORM.into()),
    }
}

/// A field of a run in the list. `done` is none: in JSON that is a number of cases, in the list a share.
pub fn field(text: &str) -> Result<&'static Field, String> {
    let is_listed = |field: &&Field| field.is_listed() && **field != fields::DONE;
    named(text.trim(), "", is_listed)
}

/// Finds one of some fields by its name; `for_what` is what they can do.
fn named(
    text: &str,
    for_what: &str,
    is_one: impl Fn(&&'static Field) -> bool,
) -> Result<&'static Field, String> {
    let known: Vec<&Field> = fields::ALL.into_iter().filter(is_one).collect();
    let found = known.iter().find(|field| field.name == text);
    found.copied().ok_or_else(|| {
        let names = text::join(known.iter().map(|field| field.name), ", ");
        format!("no such field{for_what}\nfields: {names}")
    })
}

/// True for `--`, alone or with a name behind it and maybe a value behind that: `--read-only`, `--limit=3`.
pub fn is_option(text: &str) -> bool {
    let Some(word) = text.strip_prefix("--") else {
        return false;
    };
    let (name, _) = word.split_once('=').unwrap_or((word, ""));
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '-';
    word.is_empty() || name.starts_with(char::is_alphanumeric) && name.chars().all(is_name)
}

/// Reads an order by a path, or by the name of a field; ascending by default.
pub fn sort(text: &str) -> Result<Sort, String> {
    const FORM: &str = "expected a field or its path, and ASC or DESC if wanted, such as \"Root.General.Title DESC\"";
    let unknown = || match text.split_whitespace().next() {
        Some(name) if !name.contains('.') => {
            let is_sorted = |field: &&Field| field.is_sorted() && field.sort_path().is_some();
            let why = named(name, " to sort by", is_sorted).err();
            why.map(|why| format!("{why}\nor a path such as Root.General.Title"))
        }
        _ => None,
    };
    let sort = Sort::parse(text).filter(|sort| sort.path.contains('.'));
    sort.ok_or_else(|| unknown().unwrap_or_else(|| FORM.into()))
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
            ("1.5h", 5_400),
            ("2 hours", 7_200),
            ("PT2H", 7_200),
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
            "31d",
            "1mo",
            "99999999999999999999",
            "1ü",
        ] {
            assert!(time(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn what_has_the_form_of_an_option_is_one() {
        for text in ["-", "-n", "- a\n- b", "---", "-- a", "--a b", "a --b", ""] {
            assert!(!is_option(text), "{text}");
        }
        for option in ["--", "--all", "--read-only", "--output=a b"] {
            assert!(is_option(option), "{option}");
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
        for bad in ["active", ":x", "Status:active"] {
            let named = filter(bad).unwrap_err().contains("is no field path");
            assert_eq!(named, bad == "Status:active", "{bad:?}");
        }
        assert_eq!(sort("title desc"), sort("Root.General.Title DESC"));
    }
}

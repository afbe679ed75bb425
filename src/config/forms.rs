//! Forms of single values. Each failure says what is wrong and what is expected, and repeats nothing of the value.

use ratatui::style::Color;
use url::{Host, Url};

use crate::domain::text::acts;
use crate::domain::{Filter, HoursOfDay, Sort, is_run_id};
pub use crate::domain::{project_id, project_version, subproject_id};

/// A check of one text.
pub type Form = fn(&str) -> Result<(), &'static str>;

pub(super) fn text(text: &str) -> Result<(), &'static str> {
    if text.trim().is_empty() {
        return Err("empty; expected a text");
    }
    if text.chars().any(acts) {
        return Err("control character in it; expected text on one line");
    }
    Ok(())
}

pub(super) fn colour(text: &str) -> Result<(), &'static str> {
    text.parse::<Color>().map(|_| ()).map_err(
        |_| "not a colour; expected a name such as blue, #rrggbb or a number from 0 to 255",
    )
}

pub(super) fn secret(value: &str) -> Result<(), &'static str> {
    if value.is_empty() {
        Err("empty; expected the secret, or leave the key out")
    } else {
        Ok(())
    }
}

pub(super) fn locale(text: &str) -> Result<(), &'static str> {
    let part = |part: &str| {
        (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric())
    };
    let language = text.split(['-', '_']).next().unwrap_or_default();
    if language.len() >= 2
        && language.bytes().all(|b| b.is_ascii_alphabetic())
        && text.split(['-', '_']).all(part)
    {
        return Ok(());
    }
    Err("not a language; expected a code such as en or de-DE")
}

pub(super) fn command(line: &str) -> Result<(), &'static str> {
    match shell_words::split(line) {
        Ok(words) if words.first().is_some_and(|word| !word.is_empty()) => text(line),
        Ok(_) => Err("empty; expected a program and its arguments, such as \"pass show tests\""),
        Err(_) => Err(
            "a quote is not closed; expected a program and its arguments, such as \"pass show tests\"",
        ),
    }
}

pub(super) fn variable(name: &str) -> Result<(), &'static str> {
    let start = |byte: &u8| byte.is_ascii_alphabetic() || *byte == b'_';
    if name.as_bytes().first().is_some_and(start)
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    {
        return Ok(());
    }
    Err(
        "not the name of an environment variable; expected letters, digits and _, such as RUNDOWN_PASSWORD",
    )
}

pub(super) fn working_hours(text: &str) -> Result<(), &'static str> {
    hours(text).map(|_| ())
}

/// Hours of a day that count.
pub(super) fn hours(text: &str) -> Result<HoursOfDay, &'static str> {
    match text {
        "learned" => return Ok(HoursOfDay::Learned),
        "always" => return Ok(HoursOfDay::Always),
        _ => {}
    }
    let ends = text
        .split_once('-')
        .and_then(|(from, to)| Some((minute(from)?, minute(to)?)));
    match ends {
        Some((from, to)) if from != to && from < 1440 && to > 0 => Ok(HoursOfDay::Set { from, to }),
        _ => Err(
            "not hours of a day; expected \"learned\", \"always\" or HH:MM-HH:MM, such as 08:00-18:00",
        ),
    }
}

/// The minute of the day of `HH:MM`, from 00:00 to 24:00.
fn minute(text: &str) -> Option<u16> {
    let part = |text: &str| {
        (text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit()))
            .then(|| text.parse::<u16>().ok())
            .flatten()
    };
    let (hour, minute) = text
        .split_once(':')
        .and_then(|(hour, minute)| Some((part(hour)?, part(minute)?)))?;
    (minute < 60 && hour * 60 + minute <= 1440).then_some(hour * 60 + minute)
}

/// A filter of the list (4.2).
pub(super) fn filter(line: &str) -> Result<(), &'static str> {
    text(line)?;
    let ok = Filter::is_one(line);
    ok.then_some(())
        .ok_or("not a filter; expected <field path>:<value>, such as Root.General.Status:active")
}

/// An order of the list.
pub(super) fn sort(line: &str) -> Result<(), &'static str> {
    text(line)?;
    let ok = Sort::parse(line).is_some();
    ok.then_some(())
        .ok_or("not an order; expected a field path, and ASC or DESC if wanted")
}

/// The short id of a run.
pub(super) fn run_id(text: &str) -> Result<(), &'static str> {
    is_run_id(text)
        .then_some(())
        .ok_or("not a short id of a run; expected R_<n>, such as R_4")
}

/// A field path, or one with all that is below it (4.2).
pub(super) fn field_path(text: &str) -> Result<(), &'static str> {
    let name = |name: &str| {
        !name.is_empty() && !name.contains(|c: char| c.is_whitespace() || acts(c) || c == '*')
    };
    if text.strip_suffix(".*").unwrap_or(text).split('.').all(name) {
        return Ok(());
    }
    Err("not a field path; expected names with points, such as Root.Metadata or __meta.modifiedAt")
}

pub(super) fn address(text: &str) -> Result<(), &'static str> {
    url(text).map(|_| ())
}

pub(super) fn base_address(text: &str) -> Result<(), &'static str> {
    match url(text) {
        Ok(url) if url.path().trim_end_matches('/').ends_with("/api") => Ok(()),
        Err(reason) if reason != NO_ADDRESS => Err(reason),
        _ => Err(
            "not the address of an API; expected one that ends in /api, such as https://tenant.example.com/api",
        ),
    }
}

/// The address of a run in the web application: nothing is sent there from here, so it may have a query and no TLS.
pub(super) fn web_address(address: &str) -> Result<(), &'static str> {
    const EXPECTED: &str =
        "not the address of a run; expected one with {id} in it, such as https://host/runs/{id}";
    let sound = |c: char| !c.is_whitespace() && !acts(c) && c != '\\';
    let url = Url::parse(address).map_err(|_| EXPECTED)?;
    let of_the_web = matches!(url.scheme(), "https" | "http") && url.host().is_some();
    // An id must not lead to another host.
    let host = address.split_once("://").map_or("", |(_, rest)| rest);
    let host = host.split(['/', '?', '#']).next().unwrap_or_default();
    let known = !host.contains(['{', '@']) && address.contains("{id}");
    (of_the_web && known && address.chars().all(sound))
        .then_some(())
        .ok_or(EXPECTED)
}

const NO_ADDRESS: &str = "not an address; expected https://host/path";

/// An address secrets may be sent to.
pub(super) fn url(text: &str) -> Result<Url, &'static str> {
    if text
        .chars()
        .any(|c| c.is_whitespace() || acts(c) || c == '\\')
    {
        return Err(NO_ADDRESS);
    }
    // The parser would take the first part of the path for the host.
    if text
        .split_once("://")
        .is_some_and(|(_, rest)| rest.starts_with('/'))
    {
        return Err(NO_ADDRESS);
    }
    let url = Url::parse(text).map_err(|_| NO_ADDRESS)?;
    let loopback = match url.host() {
        None => return Err(NO_ADDRESS),
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
    };
    if !url.username().is_empty() || url.password().is_some() {
        return Err(
            "a user name or password in the address; expected the address alone, see username and password_command",
        );
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err("a ? or # in the address; expected https://host/path alone");
    }
    match url.scheme() {
        "https" => Ok(url),
        "http" if loopback => Ok(url),
        "http" => Err(
            "plain http:// would send the password and the tokens readable for anybody on the way; \
                       expected https:// (http:// is for localhost, 127.0.0.1 and [::1] only)",
        ),
        _ => Err(NO_ADDRESS),
    }
}

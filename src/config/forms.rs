//! Forms of single values. Each error names the problem and the expected form, and quotes nothing of the value.

use ratatui::style::Color;
use url::{Host, Url};

use jiff::tz::TimeZone;

use crate::domain::due;
use crate::domain::text::{acts, is_number};
use crate::domain::{Filter, HoursOfDay, Sort, is_run_id};
pub use crate::domain::{project_id, project_version, subproject_id};

/// A check of one text.
pub type Form = fn(&str) -> Checked;

/// Result of a check: nothing, or the problem.
type Checked = Result<(), &'static str>;

fn ensure(is: bool, reason: &'static str) -> Checked {
    is.then_some(()).ok_or(reason)
}

pub fn text(text: &str) -> Checked {
    ensure(!text.trim().is_empty(), "empty; expected a text")?;
    let acting = "control character in it; expected text on one line";
    ensure(!text.chars().any(acts), acting)
}

pub fn colour(text: &str) -> Checked {
    ensure(
        text.parse::<Color>().is_ok(),
        "not a colour; expected a name such as blue, #rrggbb or a number from 0 to 255",
    )
}

pub fn secret(value: &str) -> Checked {
    let empty = "empty; expected the secret, or leave the key out";
    ensure(!value.is_empty(), empty)
}

pub fn locale(text: &str) -> Checked {
    let part = |part: &str| {
        (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric())
    };
    let mut parts = text.split(['-', '_']);
    let language = parts.next().unwrap_or_default();
    let is_language = (2..=8).contains(&language.len())
        && language.bytes().all(|byte| byte.is_ascii_alphabetic());
    ensure(
        is_language && parts.all(part),
        "not a language; expected a code such as en or de-DE",
    )
}

pub fn command(line: &str) -> Checked {
    match shell_words::split(line) {
        Ok(words) if words.first().is_some_and(|word| !word.is_empty()) => text(line),
        Ok(_) => Err("empty; expected a program and its arguments, such as \"pass show tests\""),
        Err(_) => Err(
            "a quote is not closed; expected a program and its arguments, such as \"pass show tests\"",
        ),
    }
}

pub fn variable(name: &str) -> Checked {
    ensure(
        is_variable(name),
        "not the name of an environment variable; expected letters, digits and _, such as RUNDOWN_PASSWORD",
    )
}

/// Checks the variable of the client secret.
pub fn variable_of_client(name: &str) -> Checked {
    ensure(
        is_variable(name),
        "not the name of an environment variable; expected letters, digits and _, such as RUNDOWN_CLIENT_SECRET",
    )
}

fn is_variable(name: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let begins = !name.is_empty() && !name.starts_with(|c: char| c.is_ascii_digit());
    begins && name.bytes().all(fits)
}

pub fn working_hours(text: &str) -> Checked {
    hours(text).map(|_| ())
}

/// Reads working hours.
pub fn hours(text: &str) -> Result<HoursOfDay, &'static str> {
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
        Some((from, to)) if from == to => {
            Err("the same time twice; expected two that differ, or \"always\"")
        }
        _ => Err(
            "not hours of a day; expected \"learned\", \"always\" or HH:MM-HH:MM, such as 08:00-18:00",
        ),
    }
}

/// Checks the day of a release.
pub fn due_at(text: &str) -> Checked {
    ensure(
        due::on_day(text, &TimeZone::UTC).is_some(),
        "not a day; expected YYYY-MM-DD, or YYYY-MM-DD HH:MM",
    )
}

/// Returns the minute of the day of `HH:MM`, from 00:00 to 24:00.
fn minute(text: &str) -> Option<u16> {
    let part = |text: &str| {
        let two_digits = Some(text).filter(|text| is_number(text, 2..=2));
        two_digits?.parse::<u16>().ok()
    };
    let (hour, minute) = text.split_once(':')?;
    let (hour, minute) = (part(hour)?, part(minute)?);
    let of_day = hour * 60 + minute;
    (minute < 60 && of_day <= 1440).then_some(of_day)
}

/// Checks a filter of the list (4.2).
pub fn filter(line: &str) -> Checked {
    text(line)?;
    ensure(
        Filter::is_one(line),
        "not a filter; expected <field path>:<value>, such as Root.General.Status:active",
    )
}

/// Checks an order of the list.
pub fn sort(line: &str) -> Checked {
    text(line)?;
    ensure(
        Sort::parse(line).is_some(),
        "not an order; expected a field or its path, and ASC or DESC if wanted",
    )
}

/// Checks the short id of a run.
pub fn run_id(text: &str) -> Checked {
    let other = "not a short id of a run; expected R_<n>, such as R_4";
    ensure(is_run_id(text), other)
}

/// Checks a field path, also one with everything below it (4.2).
pub fn field_path(text: &str) -> Checked {
    let name = |name: &str| {
        !name.is_empty() && !name.contains(|c: char| c.is_whitespace() || acts(c) || c == '*')
    };
    let path = text.strip_suffix(".*").unwrap_or(text);
    ensure(
        path.split('.').all(name),
        "not a field path; expected names with points, such as Root.Metadata or __meta.modifiedAt",
    )
}

/// True for a placeholder: an address of `example.com`, or a name such as `<USERNAME>`.
pub fn is_placeholder(text: &str) -> bool {
    let host = Url::parse(text).ok();
    let host = host.as_ref().and_then(Url::host_str).unwrap_or_default();
    let is_named = text.starts_with('<') && text.ends_with('>');
    is_named || host == "example.com" || host.ends_with(".example.com")
}

/// Checks the address of an identity provider, whose realm has a key of its own.
pub fn provider_address(text: &str) -> Checked {
    let url = url(text)?;
    let has_realm = url
        .path_segments()
        .is_some_and(|mut it| it.any(|it| it == "realms"));
    ensure(
        !has_realm,
        "not the address of an identity provider alone; expected the part before /realms, and its name in realm",
    )
}

pub fn base_address(text: &str) -> Checked {
    match url(text) {
        Ok(url) if url.path().trim_end_matches('/').ends_with("/api") => Ok(()),
        Err(reason) if reason != NO_ADDRESS => Err(reason),
        _ => Err(
            "not the address of an API; expected one that ends in /api, such as https://tenant.example.com/api",
        ),
    }
}

/// Checks the address of a run in the web application. Nothing is sent there, so it may have a query and no TLS.
pub fn web_address(address: &str) -> Checked {
    const EXPECTED: &str =
        "not the address of a run; expected one with {id} in it, such as https://host/runs/{id}";
    let url = Url::parse(address).map_err(|_| EXPECTED)?;
    ensure(
        matches!(url.scheme(), "https" | "http"),
        "not an http or https address; expected one such as https://host/runs/{id}",
    )?;
    // An id must not lead to another host.
    let host = address.split_once("://").map_or("", |(_, rest)| rest);
    let host = host.split(['/', '?', '#']).next().unwrap_or_default();
    let known = !host.contains(['{', '@']) && address.contains("{id}");
    let sound = address.chars().all(is_sound);
    ensure(url.host().is_some() && known && sound, EXPECTED)
}

/// True for characters that every parser reads the same way.
fn is_sound(c: char) -> bool {
    !c.is_whitespace() && !acts(c) && c != '\\'
}

const NO_ADDRESS: &str =
    "not an address; expected https://host/path, or http:// for localhost, 127.0.0.1 and [::1]";

/// Reads an address to which secrets may be sent.
pub fn url(text: &str) -> Result<Url, &'static str> {
    ensure(text.chars().all(is_sound), NO_ADDRESS)?;
    // The parser would take the first part of the path for the host.
    let rest = text.split_once("://").map_or("", |(_, rest)| rest);
    ensure(!rest.starts_with('/'), NO_ADDRESS)?;
    let url = Url::parse(text).map_err(|_| NO_ADDRESS)?;
    let loopback = match url.host() {
        None => return Err(NO_ADDRESS),
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
    };
    ensure(
        url.username().is_empty() && url.password().is_none(),
        "a user name or password in the address; expected the address alone, see username and password_command",
    )?;
    ensure(
        url.query().is_none() && url.fragment().is_none(),
        "a ? or # in the address; expected what stands before it",
    )?;
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

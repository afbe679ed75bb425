//! The request and answer envelope (interface section 4.1). Written by hand: ready-made ones require error shapes that
//! this service does not promise.

use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::{Map, Value};

use super::{CallErrorKind as Kind, ServiceError};
use crate::domain::{EXCERPT, excerpt};

/// Characters kept of a service's message.
const MESSAGE: usize = 500;

/// Returns an operation id that is unique in this process.
pub fn next_id() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(1);
    format!(
        "{:x}-{}",
        std::process::id(),
        COUNT.fetch_add(1, Ordering::Relaxed)
    )
}

/// Returns the result of an answer. `error` goes before `result`, whatever the status is.
pub fn open(status: u16, body: &[u8], id: &str) -> Result<Value, Kind> {
    let body = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body);
    let success = (200..300).contains(&status);
    // Without an `error`, the fault in an answer only matters if the status means success.
    let odd_at = |what: String, part: &[u8]| {
        let excerpt = words(part);
        Err(if success {
            Kind::Odd {
                status,
                what,
                excerpt,
            }
        } else {
            Kind::Http { status, excerpt }
        })
    };
    let odd = |what: String| odd_at(what, body);
    if body.trim_ascii().is_empty() {
        return odd("an empty body".into());
    }
    let (envelope, in_list) = match serde_json::from_slice(body) {
        Ok(value @ Value::Array(_)) => (pick(value, id), true),
        Ok(value) => (Some(value), false),
        Err(error) => return odd_at(unreadable(body, &error), around(body, &error)),
    };
    let Some(Value::Object(mut members)) = envelope else {
        return odd("no JSON-RPC answer".into());
    };
    let got = members.get("id").filter(|got| !got.is_null());
    let ours = got.and_then(Value::as_str) == Some(id);
    let foreign = Kind::ForeignId {
        status,
        sent: id.to_owned(),
        got: got.map(|got| excerpt(&got.to_string(), 60)),
    };
    if has_error(&members) {
        // A service that could not read the request cannot know its id.
        if got.is_some() && !ours {
            return Err(foreign);
        }
        let is_call = |name: &&str| members.contains_key(*name);
        let in_front = !in_list && !["id", "jsonrpc", "result"].iter().any(is_call);
        return Err(service(status, members, in_front));
    }
    match members.remove("result") {
        Some(result) if success && ours => Ok(result),
        Some(_) if success => Err(foreign),
        _ => odd("neither result nor error".into()),
    }
}

/// Returns the envelope for `id`. Some services wrap it in an array and append an error without an id when they roll
/// back, so an error that may be ours goes before a result that is.
fn pick(value: Value, id: &str) -> Option<Value> {
    let Value::Array(mut list) = value else {
        return Some(value);
    };
    if list.len() == 1 {
        return list.pop();
    }
    let got = |value: &Value| value.get("id").filter(|got| !got.is_null()).cloned();
    let ours = |value: &Value| got(value).as_ref().and_then(Value::as_str) == Some(id);
    let error = |value: &Value| value.as_object().is_some_and(has_error);
    let find = |wanted: &dyn Fn(&Value) -> bool| list.iter().position(wanted);
    let at = find(&|value| ours(value) && error(value))
        .or_else(|| find(&|value| got(value).is_none() && error(value)))
        .or_else(|| find(&ours))
        // None of it is ours: the first shows its owner.
        .or_else(|| find(&Value::is_object))?;
    Some(list.swap_remove(at))
}

/// True if there is an `error` that is not null: JSON-RPC 1 puts a null `error` beside a result.
fn has_error(members: &Map<String, Value>) -> bool {
    members.get("error").is_some_and(|error| !error.is_null())
}

/// Returns the part of a body around a fault in its JSON, of one that is not cut off.
fn around<'a>(body: &'a [u8], error: &serde_json::Error) -> &'a [u8] {
    /// Bytes before the fault.
    const BEFORE: usize = 60;
    let is_json = matches!(body.trim_ascii_start(), [b'{' | b'[', ..]);
    if error.is_eof() || !is_json {
        return body;
    }
    let mut lines = body.split(|byte| *byte == b'\n');
    let line = lines.nth(error.line().saturating_sub(1)).unwrap_or(body);
    &line[error.column().saturating_sub(BEFORE).min(line.len())..]
}

/// Returns the body with U+FFFD for each escape that is half of a character, as a text cut inside an emoji has; `None` if
/// there is none.
pub fn with_whole_letters(body: &[u8]) -> Option<Vec<u8>> {
    const ESCAPE: usize = r"\uD83D".len();
    let unit = |at: usize| {
        let hex = body.get(at..at + ESCAPE)?.strip_prefix(br"\u")?;
        u16::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok()
    };
    let (mut whole, mut at) = (body.to_vec(), 0);
    while let Some(next) = body[at..].iter().position(|byte| *byte == b'\\') {
        at += next;
        at += match (unit(at), unit(at + ESCAPE)) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => 2 * ESCAPE,
            (Some(0xD800..=0xDFFF), _) => {
                whole[at..at + ESCAPE].copy_from_slice(br"\uFFFD");
                ESCAPE
            }
            // The escaped byte may be a backslash, too.
            _ => 2,
        };
        at = at.min(body.len());
    }
    (whole != body).then_some(whole)
}

fn unreadable(body: &[u8], error: &serde_json::Error) -> String {
    if std::str::from_utf8(body).is_err() {
        "not valid UTF-8".into()
    } else if error.is_eof() {
        "JSON that breaks off".into()
    } else if matches!(body.trim_ascii_start(), [b'{' | b'[', ..]) {
        let (line, column) = (error.line(), error.column());
        format!("faulty JSON at line {line}, column {column}")
    } else {
        "no JSON".into()
    }
}

/// Returns the first words of a body.
pub fn words(body: &[u8]) -> String {
    let start = &body[..body.len().min(16 << 10)];
    excerpt(&String::from_utf8_lossy(start), EXCERPT)
}

/// Reads an `error` of any shape. What stands in front of a service names no call and no code, and has its words beside
/// the `error`: its 403 counts as the code.
fn service(status: u16, mut members: Map<String, Value>, in_front: bool) -> Kind {
    let line = |text: &str| excerpt(text, MESSAGE);
    let error = members.remove("error").unwrap_or_default();
    let beside = ["message", "error_description", "description", "detail"]
        .iter()
        .find_map(|name| words_of(members.get(*name)?));
    let (code, message, data) = match error {
        Value::Object(mut members) => {
            let data = members.remove("data").filter(|data| !data.is_null());
            let code = members.get("code").and_then(scalar);
            let message = ["message", "error_description", "error", "description"]
                .iter()
                .find_map(|name| words_of(members.get(*name)?))
                .or_else(|| words_of(data.as_ref()?.get("title")?))
                .or_else(|| (!members.is_empty()).then(|| Value::Object(members).to_string()));
            (code, message.unwrap_or_default(), data)
        }
        Value::Number(code) => (Some(code.to_string()), beside.unwrap_or_default(), None),
        Value::String(message) => match beside.filter(|beside| *beside != message) {
            Some(beside) => (None, format!("{message}: {beside}"), None),
            None => (None, message, None),
        },
        other => (None, beside.unwrap_or_else(|| other.to_string()), None),
    };
    let denies = in_front && status == 403;
    let code = code.or_else(|| denies.then(|| status.to_string()));
    let detail = |name: &str| {
        data.as_ref()
            .and_then(|data| words_of(data.get(name)?))
            .map(|text| line(&text))
    };
    Kind::Service(Box::new(ServiceError {
        status,
        code: code.map(|code| excerpt(&code, 60)),
        message: line(&message),
        title: detail("title"),
        description: detail("description"),
        log_id: detail("logId"),
    }))
}

fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()).filter(|text| !text.is_empty()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// Returns a text; of an object of texts by language the English one, else the first.
fn words_of(value: &Value) -> Option<String> {
    match value {
        Value::Object(members) => members
            .get("en")
            .and_then(scalar)
            .or_else(|| members.values().find_map(scalar)),
        other => scalar(other),
    }
}

//! The request and answer envelope (interface section 4.1). Written by hand: ready-made ones insist on error shapes that
//! this service does not promise.

use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::{Map, Value, json};

use super::{CallErrorKind as Kind, ServiceError};
use crate::domain::{EXCERPT, excerpt};

/// Characters of a service's message that are kept.
const MESSAGE: usize = 500;

/// An operation id that no other call of this process has.
pub(super) fn next_id() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(1);
    format!(
        "{:x}-{}",
        std::process::id(),
        COUNT.fetch_add(1, Ordering::Relaxed)
    )
}

/// The body of a request.
pub(super) fn request(id: &str, method: &str, params: &Map<String, Value>) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

/// Takes the result out of an answer. `error` is looked for before `result`, whatever the status says.
pub(super) fn open(status: u16, body: &[u8], id: &str) -> Result<Value, Kind> {
    let body = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body);
    let success = (200..300).contains(&status);
    let odd = |what: String| Kind::Odd {
        status,
        what,
        excerpt: words(body),
    };
    if body.trim_ascii().is_empty() {
        let nothing = || Kind::Odd {
            status,
            what: "an empty body".into(),
            excerpt: String::new(),
        };
        return Err(if success {
            nothing()
        } else {
            Kind::Http {
                status,
                excerpt: String::new(),
            }
        });
    }
    let envelope = match serde_json::from_slice(body) {
        Ok(value) => pick(value, id),
        Err(_) if !success => {
            return Err(Kind::Http {
                status,
                excerpt: words(body),
            });
        }
        Err(error) => return Err(odd(unreadable(body, &error))),
    };
    let mut members = match envelope {
        Some(Value::Object(members)) => members,
        _ if !success => {
            return Err(Kind::Http {
                status,
                excerpt: words(body),
            });
        }
        _ => return Err(odd("no JSON-RPC answer".into())),
    };
    let foreign = |got: Option<&Value>| Kind::ForeignId {
        status,
        sent: id.to_owned(),
        got: got.map(|got| excerpt(&got.to_string(), 60)),
    };
    let got = members.get("id").filter(|got| !got.is_null());
    let ours = got.and_then(Value::as_str) == Some(id);
    if has_error(&members) {
        // Who could not read the request cannot know its id.
        if got.is_some() && !ours {
            return Err(foreign(got));
        }
        return Err(service(status, members.remove("error").unwrap_or_default()));
    }
    if !success {
        return Err(Kind::Http {
            status,
            excerpt: words(body),
        });
    }
    if !members.contains_key("result") {
        return Err(odd("neither result nor error".into()));
    }
    if !ours {
        return Err(foreign(got));
    }
    Ok(members.remove("result").unwrap_or_default())
}

/// The envelope for `id`. Services are seen to wrap it in an array and to append an error without an id when they take
/// back what they did, so an error that may be ours goes before a result that is.
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
    let at = list
        .iter()
        .position(|value| ours(value) && error(value))
        .or_else(|| {
            list.iter()
                .position(|value| got(value).is_none() && error(value))
        })
        .or_else(|| list.iter().position(ours))
        // None of it is ours: the first says whose it is.
        .or_else(|| list.iter().position(Value::is_object))?;
    Some(list.swap_remove(at))
}

/// A null `error` beside a result is how JSON-RPC 1 says that there is none.
fn has_error(members: &Map<String, Value>) -> bool {
    members.get("error").is_some_and(|error| !error.is_null())
}

fn unreadable(body: &[u8], error: &serde_json::Error) -> String {
    if std::str::from_utf8(body).is_err() {
        "not valid UTF-8".into()
    } else if error.is_eof() {
        "JSON that breaks off".into()
    } else if body.trim_ascii_start().starts_with(b"{") || body.trim_ascii_start().starts_with(b"[")
    {
        format!(
            "faulty JSON at line {}, column {}",
            error.line(),
            error.column()
        )
    } else {
        "no JSON".into()
    }
}

/// The first words of a body.
pub(super) fn words(body: &[u8]) -> String {
    let start = &body[..body.len().min(16 << 10)];
    excerpt(&String::from_utf8_lossy(start), EXCERPT)
}

/// Reads an `error` of any shape.
fn service(status: u16, error: Value) -> Kind {
    let line = |text: &str| excerpt(text, MESSAGE);
    let (code, message, data) = match error {
        Value::Object(mut members) => {
            let data = members.remove("data").filter(|data| !data.is_null());
            let code = members.get("code").and_then(scalar);
            let message = ["message", "error_description", "error", "description"]
                .iter()
                .find_map(|name| words_of(members.get(*name)?))
                .or_else(|| words_of(data.as_ref()?.get("title")?))
                .unwrap_or_else(|| {
                    if members.is_empty() {
                        String::new()
                    } else {
                        Value::Object(members).to_string()
                    }
                });
            (code, message, data)
        }
        Value::Number(code) => (Some(code.to_string()), String::new(), None),
        Value::String(message) => (None, message, None),
        other => (None, other.to_string(), None),
    };
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

/// A text, or the English or else the first one of an object of texts by language.
fn words_of(value: &Value) -> Option<String> {
    match value {
        Value::Object(members) => members
            .get("en")
            .and_then(scalar)
            .or_else(|| members.values().find_map(scalar)),
        other => scalar(other),
    }
}

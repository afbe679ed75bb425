//! An entry as one line of JSON, and back.

use serde_json::{Map, Value, json};

use super::{Recorded, WriteId, WriteStep};
use crate::domain::text;

/// The line with its end. What acts is escaped, so there is no other line end in it.
pub fn written(entry: &WriteStep) -> Vec<u8> {
    let mut line = json!({
        "write": entry.write.as_str(),
        "at": entry.at,
        "profile": entry.profile,
        "run": entry.run,
        "run_name": entry.run_name,
    });
    let said = match &entry.step {
        // Other versions know it as refused.
        Recorded::NotSent { failure } => {
            json!({"step": "refused", "sent": false, "failure": failure})
        }
        Recorded::Other { name } => json!({"step": name}),
        step => json!(step),
    };
    if let (Value::Object(line), Value::Object(said)) = (&mut line, said) {
        line.extend(said);
    }
    (text::json(&line.to_string()).into_owned() + "\n").into_bytes()
}

/// Reads one line; `None` for what is no JSON object that names a write, such as the rest a crash has left. A step
/// without the members it should have is shown as it stands, like one of another version.
pub fn read(line: &[u8]) -> Option<WriteStep> {
    let Ok(Value::Object(mut members)) = serde_json::from_slice(line) else {
        return None;
    };
    let write = WriteId::from_text(text(&mut members, "write")?);
    let name = text(&mut members, "step")?;
    Some(WriteStep {
        write,
        at: members.get("at")?.as_i64()?,
        profile: text(&mut members, "profile").unwrap_or_default(),
        run: text(&mut members, "run").unwrap_or_default(),
        run_name: text(&mut members, "run_name").unwrap_or_default(),
        step: step(&name, &mut members).unwrap_or(Recorded::Other { name }),
    })
}

/// The step of this name, its members taken; `None` when it is not known or one of them is missing.
fn step(name: &str, members: &mut Map<String, Value>) -> Option<Recorded> {
    Some(match name {
        "sent" => {
            members.get("params")?;
            let method = text(members, "method")?;
            let params = members.shift_remove("params")?;
            Recorded::Sent {
                method,
                params,
                note: members.shift_remove("note"),
            }
        }
        "answered" => Recorded::Answered {
            result: members.shift_remove("result")?,
        },
        "refused" => {
            let failure = text(members, "failure")?;
            if members.shift_remove("sent") == Some(Value::Bool(false)) {
                Recorded::NotSent { failure }
            } else {
                Recorded::Refused { failure }
            }
        }
        "unknown" => Recorded::Unknown {
            failure: text(members, "failure")?,
        },
        "confirmed" => Recorded::Confirmed {
            how: text(members, "how")?,
        },
        "differs" => Recorded::Differs {
            what: text(members, "what")?,
        },
        _ => return None,
    })
}

/// Takes a member that is a string.
fn text(members: &mut Map<String, Value>, name: &str) -> Option<String> {
    match members.get_mut(name)? {
        Value::String(text) => {
            let text = std::mem::take(text);
            members.shift_remove(name);
            Some(text)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_comes_back_with_every_digit() {
        let params: Value =
            serde_json::from_str(r#"{"b":1.50,"a":[123456789012345678901234567890,"x\ny"]}"#)
                .unwrap();
        let steps = [
            Recorded::Sent {
                method: "M".into(),
                params: params.clone(),
                note: Some(json!({ "Passed": 3 })),
            },
            Recorded::Sent {
                method: "M".into(),
                params: params.clone(),
                note: None,
            },
            Recorded::Answered {
                result: Value::Null,
            },
            Recorded::Answered { result: params },
            Recorded::Refused {
                failure: "f".into(),
            },
            Recorded::NotSent {
                failure: "f".into(),
            },
            Recorded::Unknown {
                failure: "f".into(),
            },
            Recorded::Confirmed { how: "h".into() },
            Recorded::Differs { what: "w".into() },
        ];
        for step in steps {
            let write = WriteId::new(7);
            let (profile, run, run_name) = (
                "p".to_owned(),
                "TestRun-dm/1".to_owned(),
                "R_1\u{1b}".to_owned(),
            );
            let entry = WriteStep {
                write,
                at: 7,
                profile,
                run,
                run_name,
                step,
            };
            let line = written(&entry);
            assert_eq!(
                line.iter().position(|byte| *byte == b'\n'),
                Some(line.len() - 1)
            );
            assert_eq!(read(&line), Some(entry));
        }
    }
}

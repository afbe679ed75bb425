//! Converts an entry to one line of JSON and back.

use serde_json::{Map, Value, json};

use super::{Recorded, WriteId, WriteStep};
use crate::domain::{WriteTarget, text};

/// Returns the line with its end. Control characters are escaped, so there is no other line end in it.
pub fn written(entry: &WriteStep) -> Vec<u8> {
    let mut line = json!({
        "write": entry.write.as_str(),
        "at": entry.at,
        "profile": entry.profile,
        "service": entry.target.service,
        "project": entry.target.project,
        "run": entry.run,
        "run_name": entry.run_name,
    });
    let said = match &entry.step {
        // Other versions read it as refused.
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

/// Reads one line; `None` if it is no JSON object that names a write, such as the remains of a crash. A step without
/// its members is read as one of another version.
pub fn read(line: &[u8]) -> Option<WriteStep> {
    let members: Map<String, Value> = serde_json::from_slice(line).ok()?;
    let text = |name: &str| Some(members.get(name)?.as_str()?.to_owned());
    let (write, name) = (WriteId::from_text(text("write")?), text("step")?);
    // From the text again: numbers may lose digits in a `Value`.
    let step = match serde_json::from_slice(line) {
        Ok(Recorded::Refused { failure }) if members.get("sent") == Some(&Value::Bool(false)) => {
            Recorded::NotSent { failure }
        }
        // No version writes this name.
        Ok(Recorded::NotSent { .. }) | Err(_) => Recorded::Other { name },
        Ok(step) => step,
    };
    Some(WriteStep {
        write,
        at: members.get("at")?.as_i64()?,
        profile: text("profile").unwrap_or_default(),
        target: WriteTarget {
            service: text("service").unwrap_or_default(),
            project: text("project").unwrap_or_default(),
        },
        run: text("run").unwrap_or_default(),
        run_name: text("run_name").unwrap_or_default(),
        step,
    })
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
            let [profile, service, project, run, run_name] =
                ["p", "http://x/api", "P_9/SP_1", "TestRun-dm/1", "R_1\u{1b}"].map(str::to_owned);
            let entry = WriteStep {
                write,
                at: 7,
                profile,
                target: WriteTarget { service, project },
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

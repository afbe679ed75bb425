//! A draft as a file, and back.

use serde_json::{Map, Value, json};

use crate::disk::json_file::{self, FORMAT, text};
use crate::domain::{DocRef, Document, Draft, DraftSent, FormFor, RunField, RunTexts};

/// The word of a form, and its run.
pub fn parts(form: &FormFor) -> (&'static str, Option<&str>) {
    match form {
        FormFor::New => ("new", None),
        FormFor::Clone(run) => ("clone", Some(run.as_str())),
        FormFor::Edit(run) => ("edit", Some(run.as_str())),
    }
}

/// The whole file.
pub fn written(draft: &Draft) -> Vec<u8> {
    let (form, run) = parts(&draft.form);
    let texts: Map<String, Value> = draft
        .texts
        .iter()
        .map(|(field, text)| (field.name().to_owned(), json!(text)))
        .collect();
    let file = json!({
        "format": FORMAT,
        "profile": draft.profile,
        "form": form,
        "run": run,
        "run_name": draft.run_name,
        "at": draft.at,
        "texts": texts,
        "sent": draft.sent.as_ref().map(|sent| json!({ "at": sent.at, "titles": sent.titles, "words": sent.words })),
        "base": draft.base.as_ref().map(Document::raw),
    });
    json_file::written(&file)
}

/// Reads a file; else says in what it is not a draft.
pub fn read(key: &str, bytes: &[u8]) -> Result<Draft, String> {
    let file = json_file::read(bytes)?;
    let at = |value: &Value| value["at"].as_i64().ok_or("without a time");
    let run = || DocRef::parse(&text(&file, "run")?).map_err(|error| error.to_string());
    let form = match text(&file, "form")?.as_str() {
        "new" => FormFor::New,
        "clone" => FormFor::Clone(run()?),
        "edit" => FormFor::Edit(run()?),
        other => return Err(format!("of a form {other:?} that is not known")),
    };
    let base = match &file["base"] {
        Value::Null => None,
        base => Some(Document::from_value(base.clone()).map_err(|error| format!("base: {error}"))?),
    };
    let sent = match &file["sent"] {
        Value::Null => None,
        sent => {
            let titles = sent["titles"]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(Value::as_str);
            let titles = titles.map(str::to_owned).collect();
            Some(DraftSent {
                at: at(sent)?,
                titles,
                words: text(sent, "words")?,
                end: None,
            })
        }
    };
    Ok(Draft {
        key: key.to_owned(),
        profile: text(&file, "profile")?,
        form,
        run_name: text(&file, "run_name")?,
        base,
        texts: texts(&file["texts"])?,
        at: at(&file)?,
        sent,
        died: false,
    })
}

fn texts(value: &Value) -> Result<RunTexts, String> {
    let members = value.as_object().ok_or("without texts")?;
    let text = |(name, value): (&String, &Value)| {
        let field = RunField::of_name(name)
            .ok_or_else(|| format!("with a field {name:?} that is not known"))?;
        let text = value.as_str();
        let text = text.ok_or_else(|| format!("{name} is no text"))?;
        Ok((field, text.to_owned()))
    };
    members.iter().map(text).collect()
}

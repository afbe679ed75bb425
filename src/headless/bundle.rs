//! Content of a report for a bug, and its file.

use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use serde_json::Map;

use super::output::ask;
use super::prelude::*;
use crate::disk::{DiskError, exports};

/// Members of the interface (2.1, 2.2, 2.4, 2.5) that are not fields of a run.
const MEMBERS: [&str; 30] = [
    "docRef",
    "documentModelName",
    "document",
    "id",
    "Attachments",
    "FileName",
    "OriginalFileName",
    "CreatedAt",
    "UploadOn",
    "UploadBy",
    "Referenced",
    "CopyNumber",
    "ThumbnailId",
    "File",
    "content",
    "attachment_id",
    "internal_filename",
    "original_filename",
    "size",
    "mime_type",
    "result",
    "count",
    "label",
    "__meta",
    "creator",
    "modifier",
    "createdAt",
    "modifiedAt",
    "modelReference",
    "modelVersion",
];

/// A value in a report: a number, a flag, or words of this program. Texts that were read cannot be represented.
#[derive(Clone)]
pub enum BundleValue {
    Number(i64),
    Flag(bool),
    Word(&'static str),
    Words(Vec<&'static str>),
    /// Names of members, outermost first.
    Path(Vec<&'static str>),
}

/// Facts with their names.
pub type Facts = Vec<(&'static str, BundleValue)>;

impl From<bool> for BundleValue {
    fn from(flag: bool) -> Self {
        Self::Flag(flag)
    }
}

impl From<&'static str> for BundleValue {
    fn from(word: &'static str) -> Self {
        Self::Word(word)
    }
}

impl From<u64> for BundleValue {
    fn from(number: u64) -> Self {
        Self::Number(i64::try_from(number).unwrap_or(i64::MAX))
    }
}

impl From<usize> for BundleValue {
    fn from(number: usize) -> Self {
        Self::from(number as u64)
    }
}

/// Facts as JSON.
pub fn members(facts: &Facts) -> Map<String, Value> {
    let value = |fact: &BundleValue| match fact {
        BundleValue::Number(number) => json!(number),
        BundleValue::Flag(flag) => json!(flag),
        BundleValue::Word(word) => json!(word),
        BundleValue::Words(words) => json!(words),
        BundleValue::Path(names) => json!(names.join(".")),
    };
    facts
        .iter()
        .map(|(name, fact)| ((*name).to_owned(), value(fact)))
        .collect()
}

/// Lines of a report, each with its type and its facts.
pub type Report = Vec<(&'static str, Facts)>;

/// Types of the values at the paths of documents, with the lengths of texts and lists. An unknown name is `?`, as it
/// may be the name of a user.
pub fn shapes(documents: &[Document]) -> Vec<Facts> {
    let known: Vec<&'static str> = fields::ALL
        .into_iter()
        .flat_map(|it| it.path.split('.'))
        .chain(MEMBERS)
        .collect();
    let mut found = BTreeMap::new();
    for document in documents {
        gather(&mut Vec::new(), document.raw(), &known, &mut found);
    }
    let line = |((path, kind), shape): ((Vec<_>, _), Shape)| {
        let mut facts = vec![
            ("path", BundleValue::Path(path)),
            ("holds", BundleValue::Word(kind)),
            ("times", shape.times.into()),
        ];
        if let Some((least, most)) = shape.length {
            facts.extend([("shortest", least.into()), ("longest", most.into())]);
        }
        facts
    };
    found.into_iter().map(line).collect()
}

/// Number of values of a type at a path, with the least and greatest length.
#[derive(Default)]
struct Shape {
    times: usize,
    length: Option<(usize, usize)>,
}

type Shapes = BTreeMap<(Vec<&'static str>, &'static str), Shape>;

fn gather(path: &mut Vec<&'static str>, value: &Value, known: &[&'static str], into: &mut Shapes) {
    let (kind, length) = match value {
        Value::Null => ("null", None),
        Value::Bool(_) => ("boolean", None),
        Value::Number(_) => ("number", None),
        Value::String(text) => ("string", Some(text.chars().count())),
        Value::Array(entries) => ("array", Some(entries.len())),
        Value::Object(members) => ("object", Some(members.len())),
    };
    let shape = into.entry((path.clone(), kind)).or_default();
    shape.times += 1;
    if let Some(length) = length {
        let (least, most) = shape.length.unwrap_or((length, length));
        shape.length = Some((least.min(length), most.max(length)));
    }
    let mut below = |name, value| {
        path.push(name);
        gather(path, value, known, into);
        path.pop();
    };
    match value {
        Value::Array(entries) => entries.iter().for_each(|entry| below("[]", entry)),
        Value::Object(members) => {
            for (name, value) in members {
                let known = known.iter().find(|known| *known == name);
                below(known.copied().unwrap_or("?"), value);
            }
        }
        _ => {}
    }
}

/// Path of the report file; refused before any request if it could not be written at the end.
pub fn place(path: &Path, yes: bool) -> Ran<PathBuf> {
    let refused = |words: String| Exit::Usage.because(words);
    let path = std::path::absolute(path).map_err(|error| refused(error.to_string()))?;
    if path.symlink_metadata().is_ok() {
        return Err(refused(DiskError::Exists { path }.to_string()));
    }
    if !path.parent().is_some_and(Path::is_dir) {
        return Err(refused(format!(
            "there is no folder for {}",
            path.display()
        )));
    }
    if !yes && !std::io::stdin().is_terminal() {
        let words = "--bundle asks before it writes, and there is no terminal to ask in; --yes writes without asking";
        return Err(refused(words.into()));
    }
    Ok(path)
}

/// Prints the report and, if wanted, writes it to a new file for its owner only.
pub fn write(path: &Path, yes: bool, report: &Report) -> Ran {
    let head = json!({"rundown": env!("CARGO_PKG_VERSION"), "os": std::env::consts::OS, "arch": std::env::consts::ARCH,
        "made_at": json::time(now())});
    let lines = report
        .iter()
        .map(|(kind, facts)| json::line(kind, Value::Object(members(facts))));
    let text: String = std::iter::once(json::line("report", head))
        .chain(lines)
        .collect();
    print(&format!("\n{text}"))?;
    if !yes && !ask(&format!("write this to {}?", path.display())) {
        note("nothing was written");
        return Ok(());
    }
    let written = exports::write(path, text.as_bytes())
        .map_err(|error| Exit::Service.because(error.to_string()))?;
    note(&format!("written to {}", written.display()));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// For any text at any place of a document.
    #[test]
    fn no_text_of_a_document_is_in_its_shapes() {
        let canary = json!({"canary-1": "canary-2", "Root": {"General": {"Title": "canary-3", "canary-4": ["canary-5", null]}},
            "canary-6.Root": 7, "DisplayFields": [{"result": "canary-8", "label": true}]});
        let raw = json!({"docRef": "TestRun-dm/canary-9", "document": canary, "__meta": {"creator": "canary-10"}});
        let documents = [Document::from_value(raw).unwrap()];
        let facts = shapes(&documents);
        let text: Value = facts.iter().map(members).map(Value::Object).collect();
        let text = text.to_string();
        assert!(!text.contains("canary"), "{text}");
        for seen in [
            r#"{"path":"document.Root.General.Title","holds":"string","times":1,"shortest":8,"longest":8}"#,
            r#"{"path":"document.Root.General.?.[]","holds":"null","times":1}"#,
            r#"{"path":"document.?","holds":"number","times":1}"#,
        ] {
            assert!(text.contains(seen), "{seen} in {text}");
        }
    }
}

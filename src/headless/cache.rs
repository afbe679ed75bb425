//! `rundown cache`: shows or removes the runs of all profiles on this machine.

use std::fs;

use serde_json::{Value, json};

use super::sync::cache_folder;
use super::{EarlyExit, Exit, note, print};
use crate::cli::{CacheOptions, CacheQuestion, ChangeFormat};
use crate::domain::json;
use crate::domain::table::{Cell, Format, Table};
use crate::mirror::{RunCache, files, parts, remove};

/// Shows the caches with size and age, or empties them.
pub fn cache(options: &CacheOptions) -> Result<(), EarlyExit> {
    let folder = cache_folder()?;
    let (caches, others) = files(&folder)?;
    let clear = options.question == Some(CacheQuestion::Clear);
    let mut failed = false;
    if clear {
        for path in &others {
            remove(path)?;
        }
    }
    let (mut listed, mut rows) = (Vec::new(), Vec::new());
    for path in &caches {
        let opened = RunCache::of_file(path).and_then(|mut cache| {
            if clear {
                cache.clear()?;
            }
            Ok((cache.summary()?, cache))
        });
        let ((runs, read), RunCache { source, .. }) = match opened {
            Ok(opened) => opened,
            Err(error) if clear && error.may_go() => {
                note(&format!("{error}: it is removed"));
                remove(path)?;
                continue;
            }
            Err(error) => {
                note(&error.to_string());
                failed = clear;
                continue;
            }
        };
        let bytes = parts(path).map(|path| fs::metadata(path).map_or(0, |it| it.len()));
        let bytes: u64 = bytes.sum();
        let subproject = source.subproject.as_deref().unwrap_or("_");
        let project = format!("{}/{subproject}", source.project);
        let read_at = read.and_then(json::time);
        let text = |text: &str| Cell::Text(text.to_owned());
        rows.push(vec![
            text(&source.service),
            text(&source.user),
            text(&project),
            Cell::Number(runs.to_string()),
            Cell::Number(bytes.to_string()),
            read_at.as_deref().map_or(Cell::Unknown, text),
        ]);
        listed.push(json!({
            "service": source.service, "user": source.user, "project": project, "runs": runs, "read_at": read_at, "bytes": bytes
        }));
    }
    print(&match options.format {
        ChangeFormat::Json => {
            let folder = folder.to_string_lossy();
            json::whole(
                "cache",
                json!({"folder": folder, "caches": Value::Array(listed)}),
            )
        }
        ChangeFormat::Text => {
            let headings = ["Service", "User", "Project", "Runs", "Bytes", "Read"];
            let headings = headings.map(str::to_owned).into();
            Table { headings, rows }.text(Format::Table)
        }
    })?;
    let exit = if failed { Exit::Service } else { Exit::Fine };
    exit.with("what could not be emptied is still there")
}

//! `rundown cache`: shows or removes the runs of all profiles on this machine.

use std::fs;
use std::path::Path;

use super::prelude::*;
use super::suite_rows::{Column, table_of};
use super::sync::cache_folder;
use crate::cli::{CacheCommand, CacheOptions};
use crate::domain::project_name;
use crate::mirror::{RunCache, files, parts, remove};

const COLUMNS: [Column; 6] = [
    ("service", Some("Service")),
    ("user", Some("User")),
    ("project", Some("Project")),
    ("runs", Some("Runs")),
    ("bytes", Some("Bytes")),
    ("read_at", Some("Read")),
];

/// Shows the caches with size and age, or empties them.
pub fn cache(options: &CacheOptions) -> Ran {
    let folder = cache_folder()?;
    let (caches, others) = files(&folder)?;
    let clear = options.command == Some(CacheCommand::Clear);
    let mut failed = false;
    if clear {
        for path in &others {
            failed |= !is_removed(path);
        }
    }
    let mut listed = Vec::new();
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
                failed |= !is_removed(path);
                continue;
            }
            Err(error) => {
                note(&error.to_string());
                failed |= clear;
                continue;
            }
        };
        let bytes: u64 = parts(path)
            .map(|path| fs::metadata(path).map_or(0, |it| it.len()))
            .sum();
        let project = project_name(&source.project, source.subproject.as_deref());
        let read_at = read.and_then(json::time);
        listed.push(json!({
            "service": source.service, "user": source.user, "project": project, "runs": runs, "read_at": read_at, "bytes": bytes
        }));
    }
    print(&match options.format {
        ChangeFormat::Json => {
            let folder = folder.to_string_lossy();
            json::pretty(
                "cache",
                json!({"folder": folder, "caches": Value::Array(listed)}),
            )
        }
        ChangeFormat::Text => table_of(&COLUMNS, &listed, Format::Table).text(Format::Table),
    })?;
    let exit = if failed { Exit::Service } else { Exit::Fine };
    exit.with("what could not be emptied is still there")
}

/// Removes a file; a failure is only reported, and the others are removed.
fn is_removed(path: &Path) -> bool {
    let removed = remove(path);
    if let Err(error) = &removed {
        note(&error.to_string());
    }
    removed.is_ok()
}

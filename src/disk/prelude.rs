//! Names that most files on the disk use.

pub(super) use std::collections::BTreeMap;
pub(super) use std::fs::File;
pub(super) use std::io::{ErrorKind, Write};
pub(super) use std::path::{Path, PathBuf};
pub(super) use std::time::Duration;
pub(super) use std::{fs, io};

pub(super) use serde::{Deserialize, Serialize};
pub(super) use serde_json::{Value, json};

pub(super) use super::journal::{Recorded, WriteId};
pub(super) use super::{DiskError, file, json_file, place};

//! The files of one draft: its contents, and the lock of the program that has the form open.

use std::io::Read;

use crate::disk::prelude::*;
use crate::domain::text::is_number;
use crate::domain::{Draft, FormFor};

/// Returns the name of all drafts of one form. It holds no text of the service.
pub fn name(profile: &str, form: &FormFor) -> String {
    let (kind, run) = match form {
        FormFor::New => ("new", ""),
        FormFor::Clone(run) => ("clone", run.as_str()),
        FormFor::Edit(run) => ("edit", run.as_str()),
    };
    // FNV-1a of 128 bits, the same in every version. The contents of the file decide, not its name.
    let hash = [profile, kind, run].join("\0").bytes().fold(
        0x6c62_272e_07bb_0142_62b8_2175_6295_c58d,
        |hash, byte| {
            (hash ^ u128::from(byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b)
        },
    );
    format!("{hash:032x}")
}

/// Returns the key of the draft with this number, from 1.
pub fn key(name: &str, number: usize) -> String {
    if number == 1 {
        name.to_owned()
    } else {
        format!("{name}-{number}")
    }
}

/// Returns the name at the beginning of a key.
pub fn name_of(key: &str) -> &str {
    key.split_once('-').map_or(key, |(name, _)| name)
}

/// True if [`key`] could have returned this text: nothing else is a file name here.
pub fn is_key(text: &str) -> bool {
    let (name, number) = text.split_once('-').unwrap_or((text, "2"));
    name.len() == 32
        && name.bytes().all(|byte| byte.is_ascii_hexdigit())
        && is_number(number, 1..=usize::MAX)
}

/// Path of a draft.
pub fn path(folder: &Path, key: &str) -> PathBuf {
    folder.join(format!("{key}.json"))
}

fn lock_path(folder: &Path, key: &str) -> PathBuf {
    folder.join(format!("{key}.lock"))
}

/// True if a file of the folder may have this name: a draft, a lock, or a file being written.
pub fn is_name(name: &str) -> bool {
    let draft = name
        .strip_prefix('.')
        .and_then(|name| name.strip_suffix(".new"));
    name == ".lock" || key_of(draft.unwrap_or(name)).is_some()
}

/// Returns the key to which a file of the folder belongs.
pub fn key_of(name: &str) -> Option<&str> {
    let key = name
        .strip_suffix(".json")
        .or_else(|| name.strip_suffix(".lock"))?;
    is_key(key).then_some(key)
}

/// The lock of a draft: no other program keeps it meanwhile. Taken and released only with the folder locked, so that no
/// program locks a file that is being removed.
#[derive(Debug)]
pub struct SlotLock {
    path: PathBuf,
    beside: PathBuf,
    file: File,
    /// The previous holder ended without releasing it.
    pub left: bool,
}

/// The holder of a draft.
pub enum Owner {
    /// This program, from now on.
    Us(SlotLock),
    /// Another process, with its id; 0 if unknown.
    Other(u32),
}

/// Takes the lock of a draft if it is free.
pub fn lock(folder: &Path, key: &str) -> Result<Owner, DiskError> {
    let path = lock_path(folder, key);
    let mut file = place::lock_file(&path)?;
    let ours = file::try_lock(&file).map_err(DiskError::writing(&path))?;
    let mut process = String::new();
    // The process id is only shown: without a readable one the draft still has a holder.
    let _ = file.read_to_string(&mut process);
    if ours {
        return Ok(Owner::Us(SlotLock {
            path,
            beside: file::beside(&self::path(folder, key)),
            file,
            left: !process.is_empty(),
        }));
    }
    Ok(Owner::Other(process.trim().parse().unwrap_or(0)))
}

impl SlotLock {
    /// Writes the process id into the lock.
    pub fn sign(&mut self) -> Result<(), DiskError> {
        let process = std::process::id().to_string();
        let emptied = self.file.set_len(0);
        let signed = emptied.and_then(|()| self.file.write_all(process.as_bytes()));
        signed.map_err(DiskError::writing(&self.path))
    }

    /// Releases a lock taken for a check. A lock that a dead program left stays until its draft is taken.
    pub fn put_back(self) {
        if !self.left || !self.path.with_extension("json").exists() {
            self.release();
        }
    }

    /// Releases the lock, and removes its file and the remains of an interrupted write.
    pub fn release(self) {
        // The files may stay: the lock itself ends here.
        let _ = file::remove(&self.path);
        let _ = file::remove(&self.beside);
    }
}

impl Drop for SlotLock {
    fn drop(&mut self) {
        // Closing the file may not release the lock: a command being started at this moment can have it open too.
        let _ = self.file.unlock();
    }
}

/// A file that cannot be read and stays in its place: it must not be overwritten.
pub struct Stuck;

/// Reads the draft of a locked key. A file that is no draft is moved aside, never deleted, and one
/// of a newer version stays where that finds it; `damaged` gets the reason.
pub fn read(
    folder: &Path,
    key: &str,
    damaged: &mut Vec<DiskError>,
) -> Result<Option<Draft>, Stuck> {
    let path = path(folder, key);
    let why = match fs::read(&path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => {
            damaged.push(DiskError::reading(&path)(error));
            return Err(Stuck);
        }
        Ok(bytes) => match json_file::read::<Draft>(&bytes) {
            Ok(draft) => {
                let key = key.to_owned();
                return Ok(Some(Draft { key, ..draft }));
            }
            Err(why) if json_file::is_newer(&bytes) => {
                damaged.push(DiskError::Damaged { path, why });
                return Err(Stuck);
            }
            Err(why) => why,
        },
    };
    let (error, read) = match file::aside(&path) {
        Ok(path) => (DiskError::Damaged { path, why }, Ok(None)),
        Err(error) => (DiskError::writing(&path)(error), Err(Stuck)),
    };
    damaged.push(error);
    read
}

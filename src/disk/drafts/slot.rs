//! The files of one draft: what is kept, and the lock of who has the form open.

use std::fs::{self, File};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use crate::disk::{DiskError, file, json_file, place};
use crate::domain::{Draft, FormFor};

/// The name of all drafts for one form: no text of the service gets into the name of a file.
pub fn name(profile: &str, form: &FormFor) -> String {
    let (kind, run) = match form {
        FormFor::New => ("new", ""),
        FormFor::Clone(run) => ("clone", run.as_str()),
        FormFor::Edit(run) => ("edit", run.as_str()),
    };
    // FNV-1a of 128 bits, which stays the same from version to version; what the file says decides, not its name.
    let hash = [profile, kind, run].join("\0").bytes().fold(
        0x6c62_272e_07bb_0142_62b8_2175_6295_c58d,
        |hash, byte| {
            (hash ^ u128::from(byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b)
        },
    );
    format!("{hash:032x}")
}

/// The key of the draft of this number, from 1.
pub fn key(name: &str, number: usize) -> String {
    if number == 1 {
        name.to_owned()
    } else {
        format!("{name}-{number}")
    }
}

/// The name that a key begins with.
pub fn name_of(key: &str) -> &str {
    key.split_once('-').map_or(key, |(name, _)| name)
}

/// Whether this is a key that [`key`] could have made: anything else is no name of a file here.
pub fn is_key(text: &str) -> bool {
    let (name, number) = text.split_once('-').unwrap_or((text, "2"));
    name.len() == 32
        && name.bytes().all(|byte| byte.is_ascii_hexdigit())
        && !number.is_empty()
        && number.bytes().all(|byte| byte.is_ascii_digit())
}

/// Where the draft is.
pub fn path(folder: &Path, key: &str) -> PathBuf {
    folder.join(format!("{key}.json"))
}

fn lock_path(folder: &Path, key: &str) -> PathBuf {
    folder.join(format!("{key}.lock"))
}

/// Whether a file of the folder may have this name: of a draft, of a lock, or on its way to be one.
pub fn is_name(name: &str) -> bool {
    let draft = name
        .strip_prefix('.')
        .and_then(|name| name.strip_suffix(".new"));
    name == ".lock" || key_of(draft.unwrap_or(name)).is_some()
}

/// The key that a file of the folder belongs to.
pub fn key_of(name: &str) -> Option<&str> {
    let key = name
        .strip_suffix(".json")
        .or_else(|| name.strip_suffix(".lock"))?;
    is_key(key).then_some(key)
}

/// The lock of a draft: nobody else keeps it meanwhile. Taken and let go only by one who has the folder for himself, so
/// that no one locks a file that is being removed.
#[derive(Debug)]
pub struct SlotLock {
    path: PathBuf,
    beside: PathBuf,
    file: File,
    /// Who had it before ended without letting go of it.
    pub left: bool,
}

/// Who has a draft.
pub enum Owner {
    /// This program, from now on.
    Us(SlotLock),
    /// A process of this number; 0 if it does not say.
    Other(u32),
}

/// Takes the lock of a draft, if nobody has it.
pub fn lock(folder: &Path, key: &str) -> Result<Owner, DiskError> {
    let path = lock_path(folder, key);
    let mut file = place::lock_file(&path)?;
    let ours = file::try_lock(&file).map_err(DiskError::writing(&path))?;
    let mut process = String::new();
    // Who it is is only told: somebody without a readable number is still somebody.
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
    /// Says whose it is.
    pub fn sign(&mut self) -> Result<(), DiskError> {
        let process = std::process::id().to_string();
        let emptied = self.file.set_len(0);
        let signed = emptied.and_then(|()| self.file.write_all(process.as_bytes()));
        signed.map_err(DiskError::writing(&self.path))
    }

    /// Lets go of one that was only looked at: what a program that died has left is known by it until the draft is taken.
    pub fn put_back(self) {
        if !self.left || !self.path.with_extension("json").exists() {
            self.release();
        }
    }

    /// Lets go of it, and removes its file and what a killed program has left of an attempt to write.
    pub fn release(self) {
        // Nothing hangs on these files: the lock itself ends here.
        let _ = file::remove(&self.path);
        let _ = file::remove(&self.beside);
    }
}

impl Drop for SlotLock {
    fn drop(&mut self) {
        // Closing the file would do, but for a command that is being started at this moment and has it open, too.
        let _ = self.file.unlock();
    }
}

/// A file that can neither be read nor moved aside: nothing must be written over it.
pub struct Stuck;

/// Reads the draft of a key whose lock is held. What is no draft is moved aside and never deleted; why goes to `damaged`.
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

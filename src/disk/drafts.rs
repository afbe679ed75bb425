//! Drafts of forms: one file for each form that is open or was left open, so that no input is lost.
//!
//! A draft is named by profile and form, and belongs to the service for which it was typed. A program with a form open
//! holds a lock beside its draft; a second program gets a draft of its own with the next number. Files are replaced
//! atomically and count as kept once on the disk. On a file system without locks, two programs with the same form open
//! share a draft, and the later one wins.

mod slot;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::DirEntry;
use std::sync::{Mutex, MutexGuard};

use jiff::Timestamp;

use super::error::entries;
use super::prelude::*;
use crate::domain::{Draft, DraftOwner, DraftTaken, DraftWish, FormFor, lock};
use slot::{Owner, SlotLock, Stuck};

/// Longest wait for other programs that use the folder.
const PATIENCE: Duration = Duration::from_secs(5);
/// Discarded drafts that are kept for the user.
const DISCARDED: usize = 20;

/// The drafts in one folder, which any number of programs may share.
#[derive(Debug)]
pub struct Drafts {
    folder: PathBuf,
    /// Forms open in this program, by key.
    open: Mutex<OpenDrafts>,
}

type OpenDrafts = BTreeMap<String, OpenDraft>;

#[derive(Debug)]
struct OpenDraft {
    owner: DraftOwner,
    form: FormFor,
    lock: SlotLock,
    /// Forms that took it and have not left it.
    forms: usize,
}

/// A result, and unreadable files met on the way, to be reported.
#[derive(Debug)]
pub struct Found<T> {
    /// The result.
    pub found: T,
    /// Files that could not be read, with their new places.
    pub damaged: Vec<DiskError>,
}

impl Drafts {
    /// Uses `folder`, which is created with the first draft.
    pub fn new(folder: PathBuf) -> Self {
        Self {
            folder,
            open: Mutex::default(),
        }
    }

    /// Opens the wished draft of a form. It belongs to this program until as many [`Drafts::leave`]; asking again
    /// meanwhile returns the same draft unless another one is wished for. Blocks.
    pub fn take(
        &self,
        owner: &DraftOwner,
        form: &FormFor,
        wish: &DraftWish,
    ) -> Result<Found<DraftTaken>, DiskError> {
        place::folder(&self.folder)?;
        let mut open = self.open();
        let mut damaged = self.sweep()?;
        let _alone = self.alone()?;
        let same = open
            .iter_mut()
            .find(|(key, held)| held.owner == *owner && held.form == *form && wish.allows(key));
        if let Some((key, held)) = same {
            let key = key.clone();
            let Ok(before) = slot::read(&self.folder, &key, &mut damaged) else {
                return Err(stuck(damaged, key));
            };
            held.forms += 1;
            return Ok(Found {
                found: DraftTaken {
                    key,
                    before,
                    other: None,
                },
                damaged,
            });
        }
        let name = slot::name(&owner.profile, form);
        let mut keys = self.keys(&open)?;
        keys.retain(|key| slot::name_of(key) == name || wish.is_for(key));
        let is_new = |key: &String| !keys.contains(key) && !open.contains_key(key);
        let new = (1..=keys.len() + open.len() + 1)
            .map(|number| slot::key(&name, number))
            .find(is_new);
        let kept = keys.iter().rev().filter(|key| wish.allows(key)).cloned();
        let (mut free, mut other) = (Vec::new(), None);
        for key in new.into_iter().chain(kept) {
            match slot::lock(&self.folder, &key)? {
                Owner::Other(process) => other = other.or(Some(process)),
                Owner::Us(lock) => match slot::read(&self.folder, &key, &mut damaged) {
                    Ok(Some(draft))
                        if draft.form != *form || !owner.has(&draft) && !wish.is_for(&key) =>
                    {
                        lock.put_back();
                    }
                    Ok(before) => free.push((key, lock, before)),
                    // An unreadable file must not be overwritten.
                    Err(Stuck) => lock.put_back(),
                },
            }
        }
        // The newest draft, else the first free place.
        free.sort_by_key(|(_, _, before)| before.as_ref().map(|draft| draft.at));
        let Some((key, mut lock, before)) = free.pop() else {
            return Err(stuck(damaged, name));
        };
        for (_, lock, _) in free {
            lock.put_back();
        }
        if let Err(error) = lock.sign() {
            // Else each key typed would leave a lock.
            lock.put_back();
            return Err(error);
        }
        let (owner, form) = (owner.clone(), form.clone());
        open.insert(
            key.clone(),
            OpenDraft {
                owner,
                form,
                lock,
                forms: 1,
            },
        );
        Ok(Found {
            found: DraftTaken { key, before, other },
            damaged,
        })
    }

    /// Saves a draft that is open here; it is on the disk when this returns. Blocks.
    pub fn keep(&self, draft: &Draft) -> Result<(), DiskError> {
        let open = self.open();
        let Some(held) = open.get(&draft.key) else {
            return Err(DiskError::NotOpen {
                key: draft.key.clone(),
            });
        };
        // The folder may have been removed meanwhile: that must not lose the input.
        place::folder(&self.folder)?;
        let path = slot::path(&self.folder, &draft.key);
        let service = held.owner.service.clone();
        let bytes = json_file::written(&Draft {
            service,
            ..draft.clone()
        });
        let kept = file::replace(&path, &bytes);
        let kept = match kept {
            Err(error) if self.sweep()?.is_empty() => Err(error),
            Err(_) => file::replace(&path, &bytes),
            kept => kept,
        };
        kept.map_err(DiskError::writing(&path))
    }

    /// Closes a draft when the last of its forms leaves it: a form that was closed before the disk answered leaves it
    /// late. It stays on the disk for the next form. Blocks.
    pub fn leave(&self, key: &str) {
        let mut open = self.open();
        if let Some(held) = open.get_mut(key).filter(|held| held.forms > 1) {
            held.forms -= 1;
            return;
        }
        let Some(held) = open.remove(key) else {
            return;
        };
        drop(open);
        // Without the folder lock only the lock ends; its empty file stays for the next program.
        if self.alone().is_ok() {
            held.lock.release();
        }
    }

    /// Closes a draft and moves it to `discarded`, where the newest 20 stay. Drafts that are not open here are
    /// discarded too, unless another program has them open. Blocks.
    pub fn discard(&self, key: &str) -> Result<(), DiskError> {
        if !slot::is_key(key) {
            return Err(DiskError::NotOpen {
                key: key.to_owned(),
            });
        }
        let held = self.open().remove(key);
        if !self.folder.exists() {
            return Ok(());
        }
        let _alone = self.alone()?;
        let lock = match held {
            Some(held) => held.lock,
            None => match slot::lock(&self.folder, key)? {
                Owner::Us(lock) => lock,
                Owner::Other(process) => return Err(DiskError::OpenElsewhere { process }),
            },
        };
        let moved = self.put_away(key);
        lock.release();
        moved
    }

    /// Returns the drafts of all profiles that are not open in a form, here or elsewhere, newest first, as this owner sees
    /// them. Blocks.
    pub fn list(&self, owner: &DraftOwner) -> Result<Found<Vec<Draft>>, DiskError> {
        let mut found = Vec::new();
        if !self.folder.exists() {
            let damaged = Vec::new();
            return Ok(Found { found, damaged });
        }
        place::folder(&self.folder)?;
        let open = self.open();
        let mut damaged = self.sweep()?;
        let _alone = self.alone()?;
        for key in self.keys(&open)? {
            if let Owner::Us(lock) = slot::lock(&self.folder, &key)? {
                let draft = slot::read(&self.folder, &key, &mut damaged).ok().flatten();
                let died = lock.left;
                found.extend(draft.map(|draft| Draft {
                    died,
                    ..draft.seen_by(owner)
                }));
                lock.put_back();
            }
        }
        found.sort_by_key(|draft: &Draft| std::cmp::Reverse(draft.at));
        Ok(Found { found, damaged })
    }

    fn open(&self) -> MutexGuard<'_, OpenDrafts> {
        lock(&self.open)
    }

    /// Locks the folder while the returned file is open: one program at a time checks, takes and removes locks.
    fn alone(&self) -> Result<File, DiskError> {
        let path = self.folder.join(".lock");
        let file = place::lock_file(&path)?;
        file::wait(PATIENCE, || file.try_lock()).map_err(DiskError::writing(&path))?;
        Ok(file)
    }

    /// Moves everything aside that has a name of ours and is no plain file: reading a pipe would block, a link leads
    /// elsewhere.
    fn sweep(&self) -> Result<Vec<DiskError>, DiskError> {
        let mut swept = Vec::new();
        for entry in entries(&self.folder)? {
            let ours = entry.file_name().to_str().is_some_and(slot::is_name);
            let kind = entry.file_type().map_err(DiskError::reading(&self.folder));
            if !ours || kind?.is_file() {
                continue;
            }
            let path = entry.path();
            let path = file::aside(&path).map_err(DiskError::writing(&path))?;
            let why = "it is no plain file".to_owned();
            let error = DiskError::Damaged { path, why };
            tracing::warn!(%error, "set aside");
            swept.push(error);
        }
        Ok(swept)
    }

    /// Returns all keys that have a file and are not open here.
    fn keys(&self, open: &OpenDrafts) -> Result<BTreeSet<String>, DiskError> {
        let names = entries(&self.folder)?;
        let names = names.iter().map(DirEntry::file_name);
        let key = |name: OsString| slot::key_of(name.to_str()?).map(str::to_owned);
        let keys = names.filter_map(key);
        Ok(keys.filter(|key| !open.contains_key(key)).collect())
    }

    fn put_away(&self, key: &str) -> Result<(), DiskError> {
        let path = slot::path(&self.folder, key);
        let folder = self.folder.join("discarded");
        place::folder(&folder)?;
        // Unique names, sorted by age, also where the clock was set back.
        let at = |entry: &DirEntry| entry.file_name().to_str()?.split_once('-')?.0.parse().ok();
        let newest: Option<i64> = entries(&folder)?.iter().filter_map(at).max();
        let next = newest.map_or(0, |at| at.saturating_add(1));
        let at = Timestamp::now().as_millisecond().max(next);
        match fs::rename(&path, folder.join(format!("{at:015}-{key}.json"))) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            moved => moved
                .and_then(|()| file::keep_name(&path))
                .map_err(DiskError::writing(&path))?,
        }
        let all: BTreeSet<PathBuf> = entries(&folder)?.iter().map(DirEntry::path).collect();
        for old in all.iter().take(all.len().saturating_sub(DISCARDED)) {
            file::remove(old).map_err(DiskError::writing(old))?;
        }
        Ok(())
    }
}

impl DraftWish {
    /// True if the existing draft of this key may be taken.
    fn allows(&self, key: &str) -> bool {
        match self {
            Self::Newest => true,
            Self::Fresh => false,
            Self::Kept(_) => self.is_for(key),
        }
    }

    /// True if the user has chosen this draft.
    fn is_for(&self, key: &str) -> bool {
        matches!(self, Self::Kept(wanted) if wanted == key)
    }
}

fn stuck(mut damaged: Vec<DiskError>, key: String) -> DiskError {
    damaged.pop().unwrap_or(DiskError::NotOpen { key })
}

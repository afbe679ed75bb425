//! Refused sign-ins, so that repeated starts do not lock an account: realm, user and time, and nothing derived from the
//! password. Profiles of one account count together.

use super::file::{replace, wait};
use super::place::{folder, lock_file};
use super::prelude::*;

/// Most refused sign-ins ...
const REFUSED: usize = 2;
/// ... within this time, in milliseconds.
const WITHIN: i64 = 15 * 60 * 1000;
/// Longest wait for another program, which writes for a moment only.
const PATIENCE: Duration = Duration::from_secs(2);

#[derive(Deserialize, Serialize)]
struct RefusedPassword {
    /// Address of the identity provider, and realm.
    realm: String,
    user: String,
    /// Epoch milliseconds.
    at: i64,
}

/// The refusals of all accounts, in a file of the state folder.
#[derive(Clone, Debug)]
pub struct Refusals {
    folder: PathBuf,
}

impl Refusals {
    pub fn new(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
        }
    }

    /// Notes a refusal of this user.
    pub fn note(&self, realm: &str, user: &str, now: i64) -> io::Result<()> {
        self.change(now, |refusals| {
            refusals.push(RefusedPassword {
                realm: realm.to_owned(),
                user: user.to_owned(),
                at: now,
            });
        })
    }

    /// Removes the refusals of a user who has signed in.
    pub fn forget(&self, realm: &str, user: &str, now: i64) -> io::Result<()> {
        if self.recent(realm, user, now, None).is_empty() {
            return Ok(());
        }
        self.change(now, |refusals| {
            refusals.retain(|it| !it.is_of(realm, user));
        })
    }

    /// Returns the time from which the next sign-in may be sent, epoch milliseconds; `None` if it may be sent now.
    /// Refusals before the last change of the config file do not count.
    pub fn closed_until(
        &self,
        realm: &str,
        user: &str,
        now: i64,
        changed: Option<i64>,
    ) -> Option<i64> {
        let times = self.recent(realm, user, now, changed);
        let first = times.len().checked_sub(REFUSED)?;
        Some(times[first] + WITHIN)
    }

    fn recent(&self, realm: &str, user: &str, now: i64, changed: Option<i64>) -> Vec<i64> {
        self.read(now)
            .into_iter()
            .filter(|it| it.is_of(realm, user) && changed.is_none_or(|changed| it.at >= changed))
            .map(|it| it.at)
            .collect()
    }

    fn file(&self) -> PathBuf {
        self.folder.join("refused-sign-ins.json")
    }

    /// Returns the refusals that still count. An unreadable file has none and is replaced with the next one.
    fn read(&self, now: i64) -> Vec<RefusedPassword> {
        let bytes = file::read(&self.file()).unwrap_or_default();
        let mut refusals: Vec<RefusedPassword> = serde_json::from_slice(&bytes).unwrap_or_default();
        refusals.retain(|it| (now - WITHIN + 1..=now).contains(&it.at));
        refusals
    }

    fn change(&self, now: i64, change: impl FnOnce(&mut Vec<RefusedPassword>)) -> io::Result<()> {
        folder(&self.folder).map_err(io::Error::other)?;
        let lock = self.folder.join("refused-sign-ins.lock");
        let lock = lock_file(&lock).map_err(io::Error::other)?;
        wait(PATIENCE, || lock.try_lock())?;
        // Others may have noted theirs during the wait.
        let mut refusals = self.read(now + PATIENCE.as_millis() as i64);
        change(&mut refusals);
        replace(&self.file(), &serde_json::to_vec(&refusals)?)
    }
}

impl RefusedPassword {
    fn is_of(&self, realm: &str, user: &str) -> bool {
        self.realm == realm && self.user == user
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_within_a_quarter_of_an_hour_close_it_until_the_first_is_old() {
        let home = tempfile::tempdir().unwrap();
        let refusals = Refusals::new(&home.path().join("state"));
        let closed = |now, changed| refusals.closed_until("p", "qa", now, changed);
        assert_eq!(closed(1_000, None), None);
        refusals.note("p", "qa", 1_000).unwrap();
        refusals.note("p", "other", 1_500).unwrap();
        refusals.note("q", "qa", 1_500).unwrap();
        assert_eq!(closed(2_000, None), None);
        refusals.note("p", "qa", 2_000).unwrap();
        assert_eq!(closed(2_001, None), Some(1_000 + WITHIN));
        assert_eq!(closed(1_000 + WITHIN, None), None);
        assert_eq!(
            closed(2_001, Some(1_800)),
            None,
            "the config file is newer than one"
        );
        assert_eq!(closed(999, None), None, "the clock was set back");
        refusals.forget("p", "qa", 2_002).unwrap();
        assert_eq!(closed(2_003, None), None);
        let kept = fs::read_to_string(refusals.file()).unwrap();
        assert!(kept.contains("other") && kept.contains("\"q\""), "{kept}");
        fs::write(refusals.file(), "damaged").unwrap();
        refusals.note("p", "qa", 3_000).unwrap();
        refusals.note("p", "qa", 3_000).unwrap();
        assert_eq!(closed(3_000, None), Some(3_000 + WITHIN));
    }

    #[test]
    fn what_another_program_noted_while_this_one_waited_counts_too() {
        let home = tempfile::tempdir().unwrap();
        let refusals = Refusals::new(&home.path().join("state"));
        refusals.note("r", "qa", 2_000).unwrap();
        refusals.note("r", "qa", 1_990).unwrap();
        assert_eq!(
            refusals.closed_until("r", "qa", 2_000, None),
            Some(2_000 + WITHIN)
        );
    }
}

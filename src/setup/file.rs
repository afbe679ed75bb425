//! Writes the config file, as the only place: it appends a profile and keeps every byte before.

use std::fs::{DirBuilder, symlink_metadata};
use std::io::ErrorKind;
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;

use crate::config::is_right;
use crate::disk::file::{create, replace};
use crate::disk::{DiskError, place};
use crate::domain::text::toml_key;

/// Words of an error of this file.
fn file_error(error: &DiskError) -> String {
    error.naming("--config")
}

/// Returns the reason why this path cannot be written, `None` for a plain or missing file in a folder that can be.
fn in_the_way(path: &Path) -> Option<String> {
    let writable = || {
        let path = std::path::absolute(path).ok()?;
        let tried = place::try_writing(path.parent()?);
        tried.err().as_ref().map(file_error)
    };
    match symlink_metadata(path) {
        Ok(there) if there.is_file() => writable(),
        Ok(there) if there.is_symlink() => Some(format!(
            "{} is a link, and nothing is written through one: name the file itself with --config",
            path.display()
        )),
        Ok(_) => Some(format!("{} is no plain file: move it away", path.display())),
        Err(error) if error.kind() == ErrorKind::NotFound => writable(),
        Err(error) => Some(file_error(&DiskError::opening(path)(error))),
    }
}

/// Returns the reason why no profile of this name, or of a new one, can be added to the file.
pub fn takes_none(path: &Path, name: Option<&str>) -> Option<String> {
    const KEYS: &str = "base_url = \"https://host/api\"\nidp_url = \"https://host\"\nrealm = \"r\"\nclient_id = \"c\"\n\
                        project_id = \"P_1\"\n";
    let name = toml_key(name.unwrap_or("a new one"));
    with(path, &format!("[profiles.{name}]\n{KEYS}")).err()
}

/// Appends a profile; only its owner can read the file. The new text is checked first, and the file is the old or the
/// new one at every moment.
pub fn add(path: &Path, profile: &str) -> Result<(), String> {
    let failed = |error| file_error(&DiskError::writing(path)(error));
    let text = with(path, profile);
    let (text, is_new) = text.map_err(|why| format!("{why}; the config file is as it was"))?;
    if !is_new {
        return replace(path, text.as_bytes()).map_err(failed);
    }
    if let Some(folder) = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
    {
        let mut builder = DirBuilder::new();
        let made = builder.recursive(true).mode(0o700).create(folder);
        made.map_err(failed)?;
    }
    match create(path, text.as_bytes()) {
        Ok(true) => Ok(()),
        Ok(false) => Err(format!("{} is there meanwhile", path.display())),
        Err(error) => Err(failed(error)),
    }
}

/// Returns the text of the file with a profile at its end, and true if there is no file yet.
fn with(path: &Path, profile: &str) -> Result<(String, bool), String> {
    let failed = |error| file_error(&DiskError::writing(path)(error));
    if let Some(why) = in_the_way(path) {
        return Err(why);
    }
    let (before, is_new) = match std::fs::read_to_string(path) {
        Ok(before) => (before, false),
        Err(error) if error.kind() == ErrorKind::NotFound => (String::new(), true),
        Err(error) => return Err(failed(error)),
    };
    let between = match before.as_str() {
        "" => "",
        text if text.ends_with('\n') => "\n",
        _ => "\n\n",
    };
    let text = format!("{before}{between}{profile}");
    is_right(path, &text).map_err(|error| {
        format!(
            "{error}; no profile can stand at the end of that file: expected profiles as tables, [profiles.NAME]"
        )
    })?;
    Ok((text, is_new))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};

    const PROFILE: &str = "[profiles.b]\nbase_url = \"https://t.corp/api\"\nidp_url = \"https://i.corp\"\nrealm = \"r\"\n\
                           client_id = \"c\"\nproject_id = \"P_9\"\n";

    #[test]
    fn every_byte_before_stays_and_what_is_no_file_is_left_alone() {
        let home = tempfile::tempdir().unwrap();
        let at = |name: &str| home.path().join(name);
        for (name, before) in [
            ("lf", "# mine\n[profiles.a]\r\n".to_owned()),
            ("no end", "[profiles.a]\n".to_owned()),
            ("dotted", String::new()),
            ("mark", "\u{feff}# ä\n[profiles.a]\n".to_owned()),
        ] {
            let keys = PROFILE.split_once('\n').unwrap().1;
            let before = if name == "dotted" {
                let lines = keys.lines().map(|line| format!("profiles.a.{line}\n"));
                lines.collect()
            } else {
                before + keys.trim_end()
            };
            fs::write(at(name), &before).unwrap();
            fs::set_permissions(at(name), fs::Permissions::from_mode(0o644)).unwrap();
            add(&at(name), PROFILE).unwrap();
            let after = fs::read_to_string(at(name)).unwrap();
            assert!(
                after.starts_with(&before) && after.ends_with(PROFILE),
                "{after}"
            );
            let mode = at(name).metadata().unwrap().permissions().mode() & 0o777;
            assert_eq!(mode, 0o600, "{name}");
            // The check refuses a second profile of this name.
            let twice = add(&at(name), PROFILE).unwrap_err();
            assert!(twice.contains("a second time"), "{twice}");
            assert_eq!(fs::read_to_string(at(name)).unwrap(), after);
        }
        add(&at("new/folder/c.toml"), PROFILE).unwrap();
        assert_eq!(
            fs::read_to_string(at("new/folder/c.toml")).unwrap(),
            PROFILE
        );
        symlink(at("lf"), at("link")).unwrap();
        symlink(at("nowhere"), at("dangling")).unwrap();
        for name in ["link", "dangling", "new"] {
            assert!(add(&at(name), PROFILE).is_err(), "{name}");
        }
        assert!(!at("nowhere").exists());
        fs::write(at("inline"), "profiles = {}\n").unwrap();
        let inline = add(&at("inline"), PROFILE).unwrap_err();
        assert!(inline.contains("the config file is as it was"), "{inline}");
        let left: Vec<_> = fs::read_dir(home.path())
            .unwrap()
            .map(|it| it.unwrap().file_name())
            .collect();
        assert_eq!(left.len(), 8, "{left:?}");
    }
}

//! Digests of the fields of a run that no row shows: enough to notice a change.

use std::hash::Hasher;
use std::sync::Arc;

use fnv::FnvHasher;
use serde_json::{Number, Value};

/// Path and digest of each such field, by path: all other members of `Root.General`, documented (2.2) or not, and the
/// other parts of `Root`, such as `Root.Attachments`, with one digest each. Null counts as missing. They are kept on
/// the disk, so they must stay the same in all versions of this program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FieldDigests(Arc<[(Box<str>, u64)]>);

impl FieldDigests {
    /// Builds the digests of members, each with its path.
    pub(super) fn of<'a>(members: impl Iterator<Item = (String, &'a Value)>) -> Self {
        let mut fields: Vec<_> = members
            .filter(|(_, value)| !value.is_null())
            .map(|(path, value)| (path.into_boxed_str(), digest(&canonical(value))))
            .collect();
        fields.sort();
        Self(fields.into())
    }

    /// Parses the result of [`Self::text`]; empty for any other text.
    pub fn from_text(text: &str) -> Self {
        let fields: Vec<_> = serde_json::from_str(text).unwrap_or_default();
        Self(fields.into())
    }

    /// Returns all of them as JSON.
    pub fn text(&self) -> String {
        serde_json::to_string(&self.0[..]).unwrap_or_default()
    }

    /// Returns the paths as JSON, which many runs share, and eight bytes for each digest.
    pub fn parts(&self) -> (String, Vec<u8>) {
        let paths: Vec<_> = self.0.iter().map(|(path, _)| path).collect();
        let paths = serde_json::to_string(&paths).unwrap_or_default();
        let digests = self.0.iter().flat_map(|(_, digest)| digest.to_le_bytes());
        (paths, digests.collect())
    }

    /// Joins the result of [`Self::parts`]; empty if it is invalid.
    pub fn of_parts(paths: &str, digests: &[u8]) -> Self {
        let paths: Vec<Box<str>> = serde_json::from_str(paths).unwrap_or_default();
        let (digests, _) = digests.as_chunks();
        let digests = digests.iter().map(|bytes| u64::from_le_bytes(*bytes));
        Self(paths.into_iter().zip(digests).collect())
    }

    /// Returns one digest of all fields.
    pub fn digest(&self) -> u64 {
        let (paths, digests) = self.parts();
        Self::digest_of(digest(&paths), &digests)
    }

    /// Returns the same from the digest of the paths and the bytes.
    pub fn digest_of(paths: u64, digests: &[u8]) -> u64 {
        let mut hasher = FnvHasher::with_key(paths);
        hasher.write(digests);
        hasher.finish()
    }

    /// Returns the paths of the fields that differ. A field of only one side is no change: operations need not return
    /// the same fields.
    pub fn changed<'a>(&'a self, after: &'a Self) -> impl Iterator<Item = &'a str> {
        self.0.iter().filter_map(|(path, before)| {
            let place = after
                .0
                .binary_search_by(|(other, _)| other.cmp(path))
                .ok()?;
            (after.0[place].1 != *before).then_some(&**path)
        })
    }
}

/// Returns the FNV-1a hash, the same in all versions.
pub fn digest(text: &str) -> u64 {
    let mut hasher = FnvHasher::default();
    hasher.write(text.as_bytes());
    hasher.finish()
}

/// Returns the same text for equivalent values: members in any order, `1` and `1.0`, null and no member.
fn canonical(value: &Value) -> String {
    match value {
        Value::Number(number) => decimal(number),
        Value::Array(entries) => {
            let entries: Vec<String> = entries.iter().map(canonical).collect();
            format!("[{}]", entries.join(","))
        }
        Value::Object(members) => {
            let mut members: Vec<_> = members
                .iter()
                .filter(|(_, value)| !value.is_null())
                .collect();
            members.sort_by_key(|(name, _)| *name);
            let name = |name: &String| Value::from(name.as_str()).to_string();
            let member = |(own, value)| format!("{}:{}", name(own), canonical(value));
            let members: Vec<String> = members.into_iter().map(member).collect();
            format!("{{{}}}", members.join(","))
        }
        other => other.to_string(),
    }
}

/// Returns sign, digits without zeros at either end and power of ten of the last digit; the text itself if that
/// overflows.
fn decimal(number: &Number) -> String {
    let text = number.to_string();
    let read = || {
        let (sign, text) = text
            .strip_prefix('-')
            .map_or(("", text.as_str()), |rest| ("-", rest));
        let (mantissa, power) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let (integer, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits = format!("{integer}{fraction}");
        let kept = digits.trim_end_matches('0');
        if kept.is_empty() {
            return Some("0".to_owned());
        }
        let dropped = i64::try_from(digits.len() - kept.len()).ok()?;
        let power = power
            .parse::<i64>()
            .ok()?
            .checked_sub(i64::try_from(fraction.len()).ok()?)?
            .checked_add(dropped)?;
        Some(format!("{sign}{}e{power}", kept.trim_start_matches('0')))
    };
    read().unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_compared_in_meaning_and_with_every_digit() {
        let number = |text: &str| decimal(&serde_json::from_str::<Number>(text).unwrap());
        for (a, b, alike) in [
            ("1", "1.0", true),
            ("1", "10e-1", true),
            ("100", "1E2", true),
            ("-0.0", "0", true),
            ("0.05", "5e-2", true),
            ("1", "-1", false),
            ("1", "10", false),
            (
                "12345678901234567890123456789",
                "12345678901234567890123456788",
                false,
            ),
            ("1.00000000000000000000000000001", "1", false),
            ("1e99999999999999999999", "1e99999999999999999999", true),
            ("1e99999999999999999999", "1e99999999999999999998", false),
        ] {
            assert_eq!(number(a) == number(b), alike, "{a} {b}");
        }
    }

    #[test]
    fn digests_on_the_disk_are_those_of_every_version() {
        let value = serde_json::json!({"b": [1.0, null, {"x": "a\nb"}], "a": true, "c": null});
        let digests = FieldDigests::of([("Root.B".to_owned(), &value)].into_iter());
        assert_eq!(
            canonical(&value),
            r#"{"a":true,"b":[1e0,null,{"x":"a\nb"}]}"#
        );
        assert_eq!(digests.text(), r#"[["Root.B",6112092159067427850]]"#);
        let (paths, bytes) = digests.parts();
        assert_eq!(paths, r#"["Root.B"]"#);
        assert_eq!(bytes, 6_112_092_159_067_427_850_u64.to_le_bytes());
        assert_eq!(FieldDigests::of_parts(&paths, &bytes), digests);
        assert_eq!(FieldDigests::from_text(&digests.text()), digests);
    }
}

//! Fields of a run that a row does not show, kept so small that only a change of them can be seen.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use serde_json::{Number, Value};

/// Path and digest of each such field, by path: all other members of `Root.General`, known to the document (2.2) or not,
/// and the other parts of `Root`, such as `Root.Attachments`, each as a whole. Null is as good as no member.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FieldDigests(Arc<[(Box<str>, u64)]>);

impl FieldDigests {
    /// Takes them from the members of a document, each with its path.
    pub(super) fn of<'a>(members: impl Iterator<Item = (String, &'a Value)>) -> Self {
        let mut fields: Vec<_> = members
            .filter(|(_, value)| !value.is_null())
            .map(|(path, value)| (path.into_boxed_str(), digest(value)))
            .collect();
        fields.sort();
        Self(fields.into())
    }

    /// About what they take in memory.
    pub fn bytes(&self) -> usize {
        self.0
            .iter()
            .map(|(path, digest)| path.len() + size_of_val(path) + size_of_val(digest))
            .sum()
    }

    /// Paths of the fields that both have and that differ. What only one of them has is no change: operations need not
    /// bring the same fields.
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

/// The same for values that are the same in meaning: members in any order, `1` and `1.0`, null and no member.
fn digest(value: &Value) -> u64 {
    let mut hasher = DefaultHasher::new();
    add(value, &mut hasher);
    hasher.finish()
}

fn add(value: &Value, hasher: &mut DefaultHasher) {
    match value {
        Value::Null => 0_u8.hash(hasher),
        Value::Bool(is) => (1_u8, is).hash(hasher),
        Value::Number(number) => (2_u8, decimal(number)).hash(hasher),
        Value::String(text) => (3_u8, text).hash(hasher),
        Value::Array(entries) => {
            (4_u8, entries.len()).hash(hasher);
            for entry in entries {
                add(entry, hasher);
            }
        }
        Value::Object(members) => {
            let mut members: Vec<_> = members
                .iter()
                .filter(|(_, value)| !value.is_null())
                .collect();
            members.sort_by_key(|(name, _)| *name);
            (5_u8, members.len()).hash(hasher);
            for (name, value) in members {
                name.hash(hasher);
                add(value, hasher);
            }
        }
    }
}

/// Sign, digits without zeros at either end, power of ten of the last digit; the text itself for a power beyond all use.
fn decimal(number: &Number) -> Result<(bool, String, i64), String> {
    let text = number.to_string();
    let read = || {
        let (negative, text) = text
            .strip_prefix('-')
            .map_or((false, text.as_str()), |rest| (true, rest));
        let (mantissa, power) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits = format!("{whole}{fraction}");
        let kept = digits.trim_end_matches('0');
        if kept.is_empty() {
            return Some((false, String::new(), 0));
        }
        let dropped = i64::try_from(digits.len() - kept.len()).ok()?;
        let power = power
            .parse::<i64>()
            .ok()?
            .checked_sub(i64::try_from(fraction.len()).ok()?)?
            .checked_add(dropped)?;
        Some((negative, kept.trim_start_matches('0').to_owned(), power))
    };
    read().ok_or_else(|| text.clone())
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
}

//! Numbers that are the same in meaning, whatever way they are written.

use serde_json::Number;

/// Whether two numbers mean the same: `1`, `1.0` and `10e-1` do. Every digit counts.
pub(super) fn same(a: &Number, b: &Number) -> bool {
    let (a, b) = (a.to_string(), b.to_string());
    a == b || matches!((decimal(&a), decimal(&b)), (Some(a), Some(b)) if a == b)
}

/// Sign, digits without zeros at either end, power of ten of the last digit; nothing for a power beyond all use.
fn decimal(text: &str) -> Option<(bool, String, i64)> {
    let (negative, text) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let (mantissa, power) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let kept = digits.trim_end_matches('0');
    if kept.is_empty() {
        return Some((false, String::new(), 0));
    }
    let dropped = i64::try_from(digits.len() - kept.len()).ok()?;
    let power = power.parse::<i64>().ok()?.checked_sub(i64::try_from(fraction.len()).ok()?)?.checked_add(dropped)?;
    Some((negative, kept.trim_start_matches('0').to_owned(), power))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_compared_in_meaning_and_with_every_digit() {
        let number = |text: &str| serde_json::from_str::<Number>(text).unwrap();
        for (a, b, alike) in [
            ("1", "1.0", true),
            ("1", "10e-1", true),
            ("100", "1E2", true),
            ("-0.0", "0", true),
            ("0.05", "5e-2", true),
            ("1", "-1", false),
            ("1", "10", false),
            ("12345678901234567890123456789", "12345678901234567890123456788", false),
            ("1.00000000000000000000000000001", "1", false),
            ("1e99999999999999999999", "1e99999999999999999999", true),
            ("1e99999999999999999999", "1e99999999999999999998", false),
        ] {
            assert_eq!(same(&number(a), &number(b)), alike, "{a} {b}");
            assert_eq!(same(&number(b), &number(a)), alike, "{b} {a}");
        }
    }
}

//! A sample as a row of the table.

use rusqlite::{Connection, Row, params};
use serde_json::{Map, Value};

use crate::disk::database::DatabaseFault as Fault;
use crate::domain::{ResultCode, ResultCounts, Sample};

/// Reads `at, seen_until, clock_back, counts, suites, progress`.
pub fn read(row: &Row<'_>) -> Result<Sample, Fault> {
    let counts: Option<String> = row.get(3)?;
    Ok(Sample {
        at: row.get(0)?,
        seen_until: row.get(1)?,
        clock_back: row.get(2)?,
        counts: counts
            .map(|text| {
                counts_of(&text).ok_or_else(|| Fault::Damaged("counts that are none".into()))
            })
            .transpose()?,
        suites: row.get(4)?,
        progress: row.get(5)?,
    })
}

pub fn insert(to: &Connection, run: i64, sample: &Sample, clock_back: bool) -> Result<(), Fault> {
    let counts = sample.counts.as_ref().map(text_of);
    to.prepare_cached(
        "INSERT INTO samples (run, at, seen_until, clock_back, counts, suites, progress) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?
    .execute(params![
        run,
        sample.at,
        sample.seen_until.max(sample.at),
        clock_back,
        counts,
        sample.suites,
        sample.progress
    ])?;
    Ok(())
}

/// `{"1":36,"2":57}`: a code that was not listed is not in it.
fn text_of(counts: &ResultCounts) -> String {
    let known = ResultCode::ALL
        .into_iter()
        .filter_map(|code| Some((code.number().to_string(), counts.listed(code)?)));
    let others = counts
        .others
        .iter()
        .map(|(code, _, count)| (code.clone(), *count));
    let members: Map<String, Value> = known
        .chain(others)
        .map(|(code, count)| (code, count.into()))
        .collect();
    Value::Object(members).to_string()
}

fn counts_of(text: &str) -> Option<ResultCounts> {
    let members: Map<String, Value> = serde_json::from_str(text).ok()?;
    let mut counts = ResultCounts::default();
    for (code, count) in members {
        counts.add_at(code, "", count.as_u64()?);
    }
    Some(counts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_come_back_as_they_were() {
        for text in [
            "{}",
            r#"{"1":36,"2":0,"11":18446744073709551615,"":4,"99":3}"#,
        ] {
            assert_eq!(text_of(&counts_of(text).unwrap()), text);
        }
        for text in ["", "[]", r#"{"1":-1}"#, r#"{"1":"x"}"#] {
            assert!(counts_of(text).is_none(), "{text}");
        }
    }
}

//! Lists of test suites that can be added to a run.

use rusqlite::types::Value;

use super::where_clause::{Where, by_field, json_is, order_by};
use super::{FieldPath, Found, Query};
use crate::local_service::database::Snapshot;
use crate::local_service::fault::Fault;

/// Suites of a sub project and version that are not in `attached`, a JSON array of row numbers.
pub fn find_suites(
    snapshot: &Snapshot<'_>,
    (sub, version): (i64, i64),
    attached: &str,
    query: &Query,
) -> Result<Found, Fault> {
    let mut condition = Where::default();
    condition.and(
        "s.sub = ? AND s.version = ?",
        [Value::Integer(sub), Value::Integer(version)],
    );
    condition.and(
        "s.seq NOT IN (SELECT value FROM json_each(?))",
        [Value::Text(attached.to_owned())],
    );
    for (path, values) in by_field(query) {
        condition.any_of(
            values
                .into_iter()
                .map(|value| json_is("s.doc", path, value))
                .collect(),
        );
    }
    condition.words("s.text", &query.terms);
    let (order, order_values) = order_by(query, "s.ord ASC", "s.seq", expression, "s.doc");
    let sql = format!(
        "SELECT s.seq FROM suites s WHERE {} ORDER BY {order}",
        condition.text()
    );
    let values: Vec<Value> = condition.values.into_iter().chain(order_values).collect();
    let rows = snapshot.order_of(&sql, &values)?;
    Ok(super::part(&rows, query.page))
}

/// Expression for fields with numbers in their text, which are sorted by number.
fn expression(path: &FieldPath) -> Option<String> {
    match path.as_str() {
        "Root.General.Order" => Some("s.ord".to_owned()),
        "Root.General.Id" => Some("s.seq".to_owned()),
        _ => None,
    }
}

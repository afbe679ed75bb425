//! Lists of test runs.
//!
//! An order that an index has is read from that index, from the nearer end, and counted once. All others (unusual
//! fields, words, several sort keys) are sorted once by SQL; the row numbers are cached until the next write, so that
//! further pages cost nothing.

use std::sync::Arc;

use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};
use serde_json::{Map, json};

use super::where_clause::{Where, by_field, json_is, order_by};
use super::{Cached, FieldPath, Found, Query, Reach};
use crate::local_service::database::{Snapshot, schema};
use crate::local_service::fault::Fault;

/// Maximum number of values of a field in `filterItemMap`.
const MOST_ITEMS: i64 = 50;
/// Fields of `filterItemMap` with their columns.
const ITEM_FIELDS: [(&str, &str); 4] = [
    ("Root.General.Status", "status"),
    ("Root.General.ProjectVersionNumber", "version"),
    ("Root.General.Configuration", "configuration"),
    ("Root.Metadata.EditedBy", "edited_by"),
];

/// Tables and columns that a query needs besides the covering indexes.
#[derive(Debug, Default)]
struct Needs {
    column: bool,
    document: bool,
    text: bool,
}

/// Rows of the wanted page.
pub fn find_runs(snapshot: &Snapshot<'_>, reach: &Reach, query: &Query) -> Result<Found, Fault> {
    let (condition, needs) = conditions(snapshot, reach, query);
    let walkable = !needs.column && !needs.document && !needs.text;
    match index_of(query) {
        Some((index, column, descending)) if walkable => {
            walk(snapshot, query, &condition, (index, column, descending))
        }
        _ => ordered(snapshot, query, &condition, needs),
    }
}

/// Index with the wanted order, if there is one.
fn index_of(query: &Query) -> Option<(&'static str, &'static str, bool)> {
    let (column, descending) = match query.sort.as_slice() {
        [] => ("edited_on", true),
        [only] => (only.path.column()?, only.descending),
        _ => return None,
    };
    schema::ORDERED
        .iter()
        .find(|(_, name)| *name == column)
        .map(|(index, name)| (*index, *name, descending))
}

fn conditions(snapshot: &Snapshot<'_>, reach: &Reach, query: &Query) -> (Where, Needs) {
    let mut condition = Where::default();
    let mut needs = Needs {
        text: !query.terms.is_empty(),
        ..Needs::default()
    };
    condition.and("r.project = ?", [Value::Integer(reach.project)]);
    if let Some(sub) = reach.sub {
        condition.and("r.sub = ?", [Value::Integer(sub)]);
    }
    for (path, values) in by_field(query) {
        let alternatives = values
            .into_iter()
            .map(|value| {
                if let Some(narrowing) = narrowing(snapshot, reach, path, value) {
                    return narrowing;
                }
                if let Some(equal) = column_is(path, value) {
                    needs.column = true;
                    return equal;
                }
                needs.document = true;
                json_is("d.doc", path, value)
            })
            .collect();
        condition.any_of(alternatives);
    }
    condition.words("t.text", &query.terms);
    (condition, needs)
}

/// Condition that every covering index can check.
fn narrowing(
    snapshot: &Snapshot<'_>,
    reach: &Reach,
    path: &FieldPath,
    value: &str,
) -> Option<(String, Vec<Value>)> {
    let names = snapshot.names;
    let (column, number) = match path.as_str() {
        "Root.General.Status" => ("r.status", status_number(value)),
        "Root.General.ProjectVersionNumber" => ("r.version", names.version(value)),
        "Root.General.SubprojectId" => ("r.sub", names.sub(reach.project, value)),
        "Root.General.ProjectId" => (
            "r.project",
            (value == reach.project_name).then_some(reach.project),
        ),
        _ => return None,
    };
    Some((
        format!("{column} = ?"),
        vec![Value::Integer(number.unwrap_or(-1))],
    ))
}

fn status_number(value: &str) -> Option<i64> {
    match value {
        "active" => Some(0),
        "inactive" => Some(1),
        _ => None,
    }
}

/// Equality with a column; a value that the field cannot have matches nothing.
fn column_is(path: &FieldPath, value: &str) -> Option<(String, Vec<Value>)> {
    let column = path.column()?;
    let whole = |text: &str| {
        text.parse::<i64>()
            .ok()
            .filter(|number| number.to_string() == text)
    };
    let value = match column {
        "title" | "configuration" | "edited_by" => Some(Value::Text(value.to_owned())),
        "seq" => value.strip_prefix("R_").and_then(whole).map(Value::Integer),
        _ => whole(value).map(Value::Integer),
    };
    Some(match value {
        Some(value) => (format!("r.{column} = ?"), vec![value]),
        None => ("FALSE".to_owned(), Vec::new()),
    })
}

/// Page from a covering index, read from the nearer end.
fn walk(
    snapshot: &Snapshot<'_>,
    query: &Query,
    condition: &Where,
    (index, column, descending): (&str, &str, bool),
) -> Result<Found, Fault> {
    let clause = condition.text();
    let count = format!("SELECT count(*) FROM runs r INDEXED BY runs_by_seq WHERE {clause}");
    let total = snapshot.count_of(&count, &condition.values)?;
    let start = query.page.offset.min(total);
    let take = query.page.limit.min(total - start);
    let from_end = start > total / 2;
    let skip = if from_end {
        total - start - take
    } else {
        start
    };
    let direction = if descending == from_end {
        "ASC"
    } else {
        "DESC"
    };
    let order = if column == "seq" {
        String::new()
    } else {
        format!("r.{column} {direction}, ")
    };
    let sql = format!(
        "SELECT r.seq FROM runs r INDEXED BY {index} WHERE {clause} ORDER BY {order}r.seq {direction} LIMIT ? OFFSET ?"
    );
    let bounds = [
        Value::Integer(take.cast_signed()),
        Value::Integer(skip.cast_signed()),
    ];
    let mut rows = numbers(
        snapshot.connection,
        &sql,
        condition.values.iter().chain(&bounds),
    )?;
    if from_end {
        rows.reverse();
    }
    Ok(Found { total, rows })
}

/// Page from an order that was sorted once.
fn ordered(
    snapshot: &Snapshot<'_>,
    query: &Query,
    condition: &Where,
    mut needs: Needs,
) -> Result<Found, Fault> {
    // The plus prevents the index of the order: that of the filtered column leaves far fewer rows.
    let expression = |path: &FieldPath| path.column().map(|column| format!("+r.{column}"));
    let (order, order_values) = order_by(query, "+r.edited_on DESC", "+r.seq", expression, "d.doc");
    needs.document |= !order_values.is_empty();
    // Texts and documents are read in the order of the rows, as that of an index would be random access.
    let mut from = match (needs.text, needs.column) {
        (true, _) => "texts t CROSS JOIN runs r NOT INDEXED ON r.seq = t.seq",
        (false, true) => "runs r",
        (false, false) => "runs r NOT INDEXED",
    }
    .to_owned();
    if needs.document {
        from.push_str(" CROSS JOIN docs d ON d.seq = r.seq");
    }
    let sql = format!(
        "SELECT r.seq FROM {from} WHERE {} ORDER BY {order}",
        condition.text()
    );
    let values: Vec<Value> = condition
        .values
        .iter()
        .chain(&order_values)
        .cloned()
        .collect();
    let rows = snapshot.order_of(&sql, &values)?;
    Ok(super::part(&rows, query.page))
}

fn numbers<'v>(
    connection: &Connection,
    sql: &str,
    values: impl Iterator<Item = &'v Value>,
) -> Result<Vec<i64>, rusqlite::Error> {
    connection
        .prepare_cached(sql)?
        .query_map(params_from_iter(values), |row| row.get(0))?
        .collect()
}

/// `filterItemMap`: values in the project or sub project, smallest first. Each next value is a lookup in the index, so
/// that the number of runs does not matter.
pub fn filter_items(snapshot: &Snapshot<'_>, reach: &Reach) -> Result<serde_json::Value, Fault> {
    let key = format!("filterItemMap {} {:?}", reach.project, reach.sub);
    let known = snapshot.cache().get(snapshot.revision, &key);
    if let Some(Cached::Items(items)) = known {
        return Ok(items.as_ref().clone());
    }
    let within = reach
        .sub
        .map_or(String::new(), |sub| format!(" AND sub = {sub}"));
    let mut map = Map::new();
    for (path, column) in ITEM_FIELDS {
        let sql = format!(
            "WITH RECURSIVE item(value) AS (
               SELECT min({column}) FROM runs INDEXED BY runs_by_{column} WHERE project = ?1{within}
               UNION ALL
               SELECT (SELECT min({column}) FROM runs INDEXED BY runs_by_{column}
                       WHERE project = ?1{within} AND {column} > item.value)
               FROM item WHERE item.value IS NOT NULL LIMIT ?2)
             SELECT value FROM item WHERE value IS NOT NULL LIMIT ?3"
        );
        let mut statement = snapshot.connection.prepare_cached(&sql)?;
        let values = statement
            .query_map([reach.project, MOST_ITEMS + 1, MOST_ITEMS], |row| {
                row.get::<_, Value>(0)
            })?
            .collect::<Result<Vec<Value>, _>>()?;
        let named = values
            .into_iter()
            .filter_map(|value| item(snapshot, column, value));
        map.insert(path.to_owned(), named.collect());
    }
    let items = serde_json::Value::Object(map);
    snapshot.cache().put(
        snapshot.revision,
        key,
        Cached::Items(Arc::new(items.clone())),
    );
    Ok(items)
}

/// Stored value in the form of the field.
fn item(snapshot: &Snapshot<'_>, column: &str, value: Value) -> Option<serde_json::Value> {
    match (column, value) {
        ("status", Value::Integer(number)) => {
            Some(json!(if number == 0 { "active" } else { "inactive" }))
        }
        ("version", Value::Integer(number)) => {
            snapshot.names.version_name(number).map(|name| json!(name))
        }
        (_, Value::Text(text)) if !text.is_empty() => Some(json!(text)),
        _ => None,
    }
}

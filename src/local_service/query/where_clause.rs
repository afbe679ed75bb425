//! Conditions in SQL. Texts of the caller are always bound and never part of the statement.

use rusqlite::types::Value;

use super::{FieldPath, Query};

/// Conditions joined by AND, with their bound values in order.
#[derive(Debug, Clone, Default)]
pub struct Where {
    conditions: Vec<String>,
    /// Values of the question marks.
    pub values: Vec<Value>,
}

impl Where {
    /// Adds a condition.
    pub fn and(&mut self, condition: impl Into<String>, values: impl IntoIterator<Item = Value>) {
        self.conditions.push(condition.into());
        self.values.extend(values);
    }

    /// Adds alternatives: filters of the same field are joined by OR.
    pub fn any_of(&mut self, alternatives: Vec<(String, Vec<Value>)>) {
        let (texts, values): (Vec<String>, Vec<Vec<Value>>) = alternatives.into_iter().unzip();
        self.and(
            format!("({})", texts.join(" OR ")),
            values.into_iter().flatten(),
        );
    }

    /// Requires all words in the lower-case text of `column`.
    pub fn words(&mut self, column: &str, terms: &[String]) {
        for term in terms {
            self.and(
                format!("instr({column}, ?) > 0"),
                [Value::Text(term.clone())],
            );
        }
    }

    /// Text after WHERE.
    pub fn text(&self) -> String {
        self.conditions.join(" AND ")
    }
}

/// Condition that a field of the JSON in `column` has this value; numbers and booleans are compared as text.
pub fn json_is(column: &str, path: &FieldPath, value: &str) -> (String, Vec<Value>) {
    let json_path = Value::Text(path.json_path());
    let value = Value::Text(value.to_owned());
    (
        format!("{column} ->> ? = ? OR {column} -> ? = ?"),
        vec![json_path.clone(), value.clone(), json_path, value],
    )
}

/// Filters of a query, grouped by field.
pub fn by_field(query: &Query) -> Vec<(&FieldPath, Vec<&str>)> {
    let mut fields: Vec<(&FieldPath, Vec<&str>)> = Vec::new();
    for (path, value) in &query.filters {
        match fields.iter_mut().find(|(known, _)| *known == path) {
            Some((_, values)) => values.push(value),
            None => fields.push((path, vec![value])),
        }
    }
    fields
}

/// ORDER BY clause with its bound values; the row number makes the order unique, so that pages neither overlap nor miss
/// rows.
pub fn order_by(
    query: &Query,
    default: &str,
    row: &str,
    expression: impl Fn(&FieldPath) -> Option<String>,
    json: &str,
) -> (String, Vec<Value>) {
    let mut keys = Vec::new();
    let mut values = Vec::new();
    for sort in &query.sort {
        let direction = if sort.descending { "DESC" } else { "ASC" };
        if let Some(expression) = expression(&sort.path) {
            keys.push(format!("{expression} {direction}"));
        } else {
            keys.push(format!("{json} ->> ? {direction}"));
            values.push(Value::Text(sort.path.json_path()));
        }
    }
    if keys.is_empty() {
        keys.push(default.to_owned());
    }
    let descending = keys.last().is_some_and(|key| key.ends_with("DESC"));
    keys.push(format!("{row} {}", if descending { "DESC" } else { "ASC" }));
    (keys.join(", "), values)
}

//! Strict parsing of params: unknown members are refused (4.2, 4.3).

use serde_json::{Map, Value};

use super::fault::Fault;
use super::query::{FieldPath, Page, Query, Sort};

/// Default of `page.limit`.
const USUAL_LIMIT: u64 = 50;
/// Largest `page.limit` without an option of the service.
const LARGEST_LIMIT: u64 = 100;
/// Maximum number of characters of `fulltext`.
const LONGEST_TEXT: usize = 100;
/// Maximum number of sort keys and filters.
const MOST_KEYS: usize = 10;
const MOST_FILTERS: usize = 200;

/// Members of an object that were not read yet.
#[derive(Debug)]
pub struct Members {
    name: &'static str,
    members: Map<String, Value>,
}

impl Members {
    /// Members of `value`, which must be an object; `name` is for messages.
    pub fn new(name: &'static str, value: Value) -> Result<Self, Fault> {
        match value {
            Value::Object(members) => Ok(Self { name, members }),
            _ => Err(Fault::invalid_params(format!("{name} must be an object."))),
        }
    }

    /// Optional member.
    pub fn optional(&mut self, key: &str) -> Option<Value> {
        self.members.remove(key)
    }

    /// Required member.
    pub fn required(&mut self, key: &str) -> Result<Value, Fault> {
        self.optional(key)
            .ok_or_else(|| Fault::invalid_params(format!("{}.{key} is missing.", self.name)))
    }

    /// Required string.
    pub fn text(&mut self, key: &str) -> Result<String, Fault> {
        let value = self.required(key)?;
        self.as_text(key, value)
    }

    /// Optional string.
    pub fn optional_text(&mut self, key: &str) -> Result<Option<String>, Fault> {
        self.optional(key)
            .map(|value| self.as_text(key, value))
            .transpose()
    }

    /// Required array of strings.
    pub fn texts(&mut self, key: &str) -> Result<Vec<String>, Fault> {
        let value = self.required(key)?;
        self.array(key, value)?
            .into_iter()
            .map(|value| self.as_text(key, value))
            .collect()
    }

    /// Refuses members that were not read.
    pub fn finish(self) -> Result<(), Fault> {
        match self.members.keys().next() {
            None => Ok(()),
            Some(key) => Err(Fault::invalid_params(format!(
                "{} has no member \"{key}\".",
                self.name
            ))),
        }
    }

    fn as_text(&self, key: &str, value: Value) -> Result<String, Fault> {
        match value {
            Value::String(text) => Ok(text),
            _ => Err(Fault::invalid_params(format!(
                "{}.{key} must be a string.",
                self.name
            ))),
        }
    }

    fn array(&self, key: &str, value: Value) -> Result<Vec<Value>, Fault> {
        match value {
            Value::Array(values) => Ok(values),
            _ => Err(Fault::invalid_params(format!(
                "{}.{key} must be an array.",
                self.name
            ))),
        }
    }

    fn whole(&mut self, key: &str) -> Result<u64, Fault> {
        let value = self.required(key)?;
        value
            .as_i64()
            .and_then(|number| u64::try_from(number).ok())
            .ok_or_else(|| {
                Fault::invalid_params(format!(
                    "{}.{key} must be an integer that is not negative.",
                    self.name
                ))
            })
    }

    /// `page`, `sort` and `filter` of a list operation; `clamp` is the page limit of the options.
    pub fn query(&mut self, clamp: Option<u32>) -> Result<Query, Fault> {
        let page = page(self.optional("page"), clamp)?;
        let sort = match self.optional("sort") {
            None => Vec::new(),
            Some(value) => self
                .array("sort", value)?
                .into_iter()
                .map(sort)
                .collect::<Result<Vec<Sort>, _>>()?,
        };
        if sort.len() > MOST_KEYS {
            return Err(Fault::invalid_params(format!(
                "sort has more than {MOST_KEYS} elements."
            )));
        }
        let (filters, terms) = self
            .optional("filter")
            .map_or(Ok((Vec::new(), Vec::new())), filter)?;
        Ok(Query {
            page,
            sort,
            filters,
            terms,
        })
    }
}

fn page(value: Option<Value>, clamp: Option<u32>) -> Result<Page, Fault> {
    let mut page = match value {
        None => Page {
            offset: 0,
            limit: USUAL_LIMIT,
        },
        Some(value) => {
            let mut members = Members::new("page", value)?;
            let page = Page {
                offset: members.whole("offset")?,
                limit: members.whole("limit")?,
            };
            members.finish()?;
            page
        }
    };
    match clamp {
        Some(most) => page.limit = page.limit.min(u64::from(most)),
        None if page.limit > LARGEST_LIMIT => {
            return Err(Fault::invalid_size(format!(
                "page.limit is {}, at most {LARGEST_LIMIT} is served.",
                page.limit
            )));
        }
        None => {}
    }
    Ok(page)
}

fn sort(value: Value) -> Result<Sort, Fault> {
    let mut members = Members::new("An element of sort", value)?;
    let order = members.text("order")?;
    members.finish()?;
    let wrong = || {
        Fault::invalid_params(format!(
            "order is {order:?}, not \"<field_path> ASC\" or \"<field_path> DESC\"."
        ))
    };
    let (path, direction) = order.split_once(' ').ok_or_else(wrong)?;
    let descending = match direction {
        "ASC" => false,
        "DESC" => true,
        _ => return Err(wrong()),
    };
    Ok(Sort {
        path: FieldPath::parse(path).ok_or_else(wrong)?,
        descending,
    })
}

/// Filters by field and the words of the text search.
type Filter = (Vec<(FieldPath, String)>, Vec<String>);

fn filter(value: Value) -> Result<Filter, Fault> {
    let mut members = Members::new("filter", value)?;
    let mut filters = Vec::new();
    if let Some(value) = members.optional("filters") {
        for value in members.array("filters", value)? {
            let text = members.as_text("filters", value)?;
            let parsed = text
                .split_once(':')
                .and_then(|(path, value)| Some((FieldPath::parse(path)?, value.to_owned())));
            let wrong = || {
                Fault::invalid_params(format!("filter is {text:?}, not \"<field_path>:<value>\"."))
            };
            filters.push(parsed.ok_or_else(wrong)?);
        }
    }
    if filters.len() > MOST_FILTERS {
        return Err(Fault::invalid_params(format!(
            "There are more than {MOST_FILTERS} filters."
        )));
    }
    let fulltext = members.optional_text("fulltext")?.unwrap_or_default();
    if fulltext.chars().count() > LONGEST_TEXT {
        return Err(Fault::invalid_params(format!(
            "fulltext is longer than {LONGEST_TEXT} characters."
        )));
    }
    members.optional_text("lang")?; // accepted and without effect: its meaning is not shown
    members.finish()?;
    Ok((
        filters,
        fulltext
            .to_lowercase()
            .split_whitespace()
            .map(str::to_owned)
            .collect(),
    ))
}

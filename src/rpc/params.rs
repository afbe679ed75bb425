//! The shared parameter shapes (interface section 4.2): no member that the document does not name, none that is empty.

use serde_json::{Map, Value, json};

use crate::domain::{Filter, Page, Sort};

/// `page`, then `sort` and `filter` unless empty, added to `params`.
pub(super) fn add_list(
    params: &mut Map<String, Value>,
    page: Page,
    sorts: &[Sort],
    filter: &Filter,
) {
    if !filter.is_empty() {
        params.insert("filter".into(), filter_value(filter));
    }
    params.insert(
        "page".into(),
        json!({"offset": page.offset, "limit": page.limit}),
    );
    if !sorts.is_empty() {
        params.insert(
            "sort".into(),
            sorts
                .iter()
                .map(|sort| json!({"order": sort.order()}))
                .collect(),
        );
    }
}

fn filter_value(filter: &Filter) -> Value {
    let mut members = Map::new();
    if !filter.filters.is_empty() {
        members.insert("filters".into(), json!(filter.filters));
    }
    if !filter.fulltext.is_empty() {
        members.insert("fulltext".into(), json!(filter.fulltext));
    }
    if !filter.lang.is_empty() {
        members.insert("lang".into(), json!(filter.lang));
    }
    Value::Object(members)
}

/// How a list call is named in messages: `page 100..150`.
pub(super) fn about(page: Page) -> String {
    format!(
        "page {}..{}",
        page.offset,
        page.offset.saturating_add(u64::from(page.limit))
    )
}

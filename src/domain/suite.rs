//! Rows of the lists of test suites (interface section 2.3).

use std::cmp::Ordering;

use super::SuiteFields;
use super::prelude::*;
use super::run::full_name;

/// Suite, serialized to its JSON. A field that the service did not send is `None`, shown as such.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SuiteRow {
    #[serde(rename = "ref")]
    pub doc_ref: DocRef,
    /// Short id, form `S_<n>`; its number is not the one in the reference.
    pub id: Option<String>,
    pub title: Option<String>,
    pub order: Option<String>,
    /// `RecommendedPriority.Value`.
    pub priority: Option<String>,
    /// `Root.DisplayFields.TotalTestCases`.
    pub total_cases: Option<i64>,
    pub project: Option<String>,
    pub subproject: Option<String>,
    pub version: Option<String>,
    pub description: Option<String>,
    pub edited_by: Option<String>,
    /// Epoch milliseconds.
    pub edited_on: Option<i64>,
    /// As sent, without a zone.
    pub display_edited_on: Option<String>,
    #[serde(skip)]
    pub time_booking_account: Option<String>,
    /// Unchanged document on one line; `None` if not kept. Copies of the row share it.
    #[serde(skip)]
    pub json: Option<Arc<str>>,
}

impl SuiteRow {
    /// Returns its reference and short id.
    pub fn known_as(&self) -> (&DocRef, Option<&str>) {
        (&self.doc_ref, self.id.as_deref())
    }

    /// Returns the approximate size in bytes, without the JSON.
    pub fn bytes(&self) -> usize {
        let texts = [
            &self.id,
            &self.order,
            &self.title,
            &self.description,
            &self.version,
            &self.project,
            &self.subproject,
            &self.priority,
            &self.edited_by,
            &self.display_edited_on,
            &self.time_booking_account,
        ];
        size_of::<Self>()
            + self.doc_ref.as_str().len()
            + texts.into_iter().flatten().map(String::len).sum::<usize>()
    }

    /// Reads the fields of a row and keeps the JSON.
    pub fn from_document(document: &Document) -> Self {
        Self {
            json: Some(document.raw().to_string().into()),
            ..Self::without_json(document)
        }
    }

    /// Reads the fields of a row, without the JSON.
    pub fn without_json(document: &Document) -> Self {
        let general = |name: &str| document.text(&format!("Root.General.{name}"));
        let meta = |name: &str| document.text(&format!("Root.Metadata.{name}"));
        Self {
            doc_ref: document.doc_ref().clone(),
            id: general("Id"),
            order: general("Order"),
            title: general("Title"),
            description: general("Description"),
            version: general("ProjectVersionNumber"),
            project: general("ProjectId"),
            subproject: general("SubprojectId"),
            priority: general("RecommendedPriority.Value"),
            // A number below zero tells none.
            total_cases: document
                .integer("Root.DisplayFields.TotalTestCases")
                .filter(|cases| *cases >= 0),
            edited_by: meta("EditedBy"),
            edited_on: document.integer("Root.Metadata.EditedOn"),
            display_edited_on: meta("DisplayEditedOn"),
            time_booking_account: general("TimeBookingAccount"),
            json: None,
        }
    }

    /// Returns a row with nothing but a reference.
    pub fn known_by(doc_ref: DocRef) -> Self {
        Self::without_json(&Document::unknown(doc_ref))
    }

    /// Returns a row of a suite known by its full name (see [`Self::full_name`]) alone.
    pub fn named(doc_ref: DocRef, name: &str) -> Self {
        let (id, title) = match name.split_once(' ') {
            Some((id, title)) => (id, Some(title.to_owned())),
            None => (name, None),
        };
        Self {
            id: (id != doc_ref.as_str()).then(|| id.to_owned()),
            title,
            ..Self::known_by(doc_ref)
        }
    }

    /// Returns the document, if kept.
    pub fn document(&self) -> Option<Document> {
        Document::from_value(serde_json::from_str(self.json.as_deref()?).ok()?).ok()
    }

    /// Returns the fields of the document, if kept.
    pub fn said(&self) -> Option<SuiteFields> {
        self.document().map(|document| SuiteFields::of(&document))
    }

    /// Returns the short id, or the reference without one.
    pub fn name(&self) -> &str {
        self.id.as_deref().unwrap_or(self.doc_ref.as_str())
    }

    /// Returns short id (or reference) and title.
    pub fn full_name(&self) -> String {
        full_name(self.name(), self.title.as_deref())
    }

    /// Returns `Order` as a finite number.
    fn order_number(&self) -> Option<f64> {
        self.order
            .as_deref()?
            .trim()
            .parse()
            .ok()
            .filter(|number: &f64| number.is_finite())
    }

    /// Compares by `Order`: numbers by value, then other texts, then suites without one; ties by title and reference.
    pub fn by_order(&self, other: &Self) -> Ordering {
        let rank = |row: &Self| match (row.order_number(), &row.order) {
            (Some(_), _) => 0,
            (None, Some(_)) => 1,
            (None, None) => 2,
        };
        rank(self)
            .cmp(&rank(other))
            .then_with(|| match (self.order_number(), other.order_number()) {
                (Some(one), Some(two)) => one.total_cmp(&two),
                _ => self.order.cmp(&other.order),
            })
            .then_with(|| self.title.cmp(&other.title))
            .then_with(|| self.doc_ref.cmp(&other.doc_ref))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn row(reference: u32, order: Option<&str>) -> SuiteRow {
        let value = json!({"docRef": format!("TestSuite-dm/{reference}"), "document": {"Root": {"General": {"Order": order}}}});
        SuiteRow::from_document(&Document::from_value(value).unwrap())
    }

    #[test]
    fn order_is_numeric_text() {
        let orders = [
            Some("120"),
            Some("9"),
            None,
            Some("x2"),
            Some("-1.5"),
            Some("NaN"),
            Some(" 10 "),
            Some("x10"),
        ];
        let mut rows: Vec<_> = (0..)
            .zip(orders)
            .map(|(number, order)| row(number, order))
            .collect();
        rows.sort_by(SuiteRow::by_order);
        let sorted: Vec<_> = rows.iter().map(|row| row.order.as_deref()).collect();
        let expected = [
            Some("-1.5"),
            Some("9"),
            Some(" 10 "),
            Some("120"),
            Some("NaN"),
            Some("x10"),
            Some("x2"),
            None,
        ];
        assert_eq!(sorted, expected);
    }

    #[test]
    fn a_suite_without_anything_is_a_row() {
        let row = row(7, None);
        assert_eq!((row.name(), row.total_cases), ("TestSuite-dm/7", None));
    }

    #[test]
    fn a_number_of_cases_below_zero_tells_none() {
        let text = r#"{"docRef":"TestSuite-dm/7","document":{"Root":{"DisplayFields":{"TotalTestCases":-4}}}}"#;
        let document = Document::from_value(serde_json::from_str(text).unwrap()).unwrap();
        assert_eq!(SuiteRow::from_document(&document).total_cases, None);
    }

    #[test]
    fn the_document_is_kept_as_it_came_to_the_last_digit() {
        let text = r#"{"docRef":"TestSuite-dm/7","zz":1.10,"document":{"Root":{"General":{"Title":"T","b":123456789012345678901234567890,"a":null}}}}"#;
        let document = Document::from_value(serde_json::from_str(text).unwrap()).unwrap();
        let row = SuiteRow::from_document(&document);
        assert_eq!(row.json.as_deref(), Some(text));
        assert_eq!(row.document(), Some(document));
    }
}

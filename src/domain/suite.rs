//! What the lists of test suites show (interface section 2.3).

use std::cmp::Ordering;

use super::run::full_name;
use super::{Attachment, DocRef, Document};

/// One suite. A field the service did not send is `None`, which is shown as such.
#[derive(Clone, Debug, PartialEq)]
pub struct SuiteRow {
    pub doc_ref: DocRef,
    /// Short id, form `S_<n>`; its number is not the one in the reference.
    pub id: Option<String>,
    pub order: Option<String>,
    pub title: Option<String>,
    pub description: Option<String>,
    pub version: Option<String>,
    pub project: Option<String>,
    pub subproject: Option<String>,
    /// `RecommendedPriority.Value`.
    pub priority: Option<String>,
    /// `Root.DisplayFields.TotalTestCases`.
    pub total_cases: Option<i64>,
    pub created_by: Option<String>,
    /// As given, without a zone.
    pub display_created_on: Option<String>,
    pub edited_by: Option<String>,
    /// Epoch milliseconds.
    pub edited_on: Option<i64>,
    /// As given, without a zone.
    pub display_edited_on: Option<String>,
    pub time_booking_account: Option<String>,
    pub is_imported: Option<bool>,
    /// `AssignedToVersion.AssignedToNumber`.
    pub assigned_to_number: Option<String>,
    /// `AssignedToVersion.AssignedToTitle`.
    pub assigned_to_title: Option<String>,
    pub tenant_id: Option<String>,
    pub technical_id: Option<String>,
    /// Number of attachments.
    pub attachments: usize,
}

impl SuiteRow {
    /// About what it takes in memory.
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
            &self.created_by,
            &self.display_created_on,
            &self.edited_by,
            &self.display_edited_on,
            &self.time_booking_account,
            &self.assigned_to_number,
            &self.assigned_to_title,
            &self.tenant_id,
            &self.technical_id,
        ];
        let texts = texts.into_iter().flatten().map(String::len);
        size_of::<Self>() + self.doc_ref.as_str().len() + texts.sum::<usize>()
    }

    /// Takes from a document what is shown.
    pub fn from_document(document: &Document) -> Self {
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
            total_cases: document.integer("Root.DisplayFields.TotalTestCases"),
            created_by: meta("CreatedBy"),
            display_created_on: meta("DisplayCreatedOn"),
            edited_by: meta("EditedBy"),
            edited_on: document.integer("Root.Metadata.EditedOn"),
            display_edited_on: meta("DisplayEditedOn"),
            time_booking_account: general("TimeBookingAccount"),
            is_imported: document
                .at("Root.Metadata.IsImported")
                .and_then(serde_json::Value::as_bool),
            assigned_to_number: meta("AssignedToVersion.AssignedToNumber"),
            assigned_to_title: meta("AssignedToVersion.AssignedToTitle"),
            tenant_id: general("TenantId"),
            technical_id: general("TechnicalId"),
            attachments: Attachment::of(document).len(),
        }
    }

    /// What a person calls the suite: its short id, or its reference where there is none.
    pub fn name(&self) -> &str {
        self.id.as_deref().unwrap_or(self.doc_ref.as_str())
    }

    /// Short id (or reference) and title.
    pub fn full_name(&self) -> String {
        full_name(self.name(), self.title.as_deref())
    }

    /// `Order` as a number; `None` where the text is none.
    pub fn order_number(&self) -> Option<f64> {
        self.order
            .as_deref()?
            .trim()
            .parse()
            .ok()
            .filter(|number: &f64| number.is_finite())
    }

    /// Compares by `Order`: numbers by value, then other texts, then suites without one; equal ones by title and reference.
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
        assert_eq!(
            (row.name(), row.attachments, row.is_imported),
            ("TestSuite-dm/7", 0, None)
        );
    }
}

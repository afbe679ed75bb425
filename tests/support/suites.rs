//! Made-up suites.

use rundown::domain::{Document, SuiteRow};
use serde_json::json;

/// Suite number `number` of the sample, as `GET_AVAILABLE_TEST_SUITES` brings it; every ninth says little of itself.
pub fn suite(number: u64) -> SuiteRow {
    let titles = [
        "Sign-in and sign-up",
        "Payment: refunds",
        "Search with filters",
        "Exploratory: checkout on a phone that is held sideways for a whole hour",
        "Übergabe 日本語",
        "Load: month end",
        "Accessibility",
    ];
    let priority = ["HIGH", "MEDIUM", "LOW"][(number as usize) % 3];
    let mut general = json!({
        "ProjectId": "P_9", "ProjectVersionNumber": "1.2.0", "SubprojectId": "SP_1", "Id": format!("S_{number}"),
        "Order": (number * 10).to_string(), "Title": titles[(number as usize) % titles.len()],
        "Description": "Everything that a customer does in one visit.", "TenantId": "T_1",
        "TechnicalId": format!("5be4b7f0-0000-4000-8000-{number:012}"), "TimeBookingAccount": "",
        "RecommendedPriority": {"Value": priority}
    });
    let mut fields = json!({"TotalTestCases": number % 57});
    if number % 9 == 8 {
        general = json!({"Title": general["Title"]});
        fields = json!({});
    }
    let value = json!({
        "docRef": format!("TestSuite-dm/{}", 20_000 + number),
        "document": {"Root": {
            "General": general,
            "Metadata": {
                "CreatedBy": "trung", "DisplayCreatedOn": "2025-11-13T02:09:50", "CreatedOn": 1_763_000_990_000_i64,
                "EditedBy": "mai", "DisplayEditedOn": "2026-11-19T18:02:00", "EditedOn": 1_795_111_320_000_i64,
                "IsImported": false, "AssignedToVersion": {"AssignedToNumber": "1.2.0", "AssignedToTitle": "Autumn"}
            },
            "DisplayFields": fields
        }}
    });
    SuiteRow::from_document(&Document::from_value(value).unwrap())
}

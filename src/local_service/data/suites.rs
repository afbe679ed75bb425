//! Generation of a test suite.

use super::{
    DATA_ENDS, PLACES, Scope, VERSIONS, chance, generator, pick, runs::attachment, uuid, words,
};
use crate::local_service::prelude::*;

const DAY: i64 = 86_400_000;

/// A suite, ready to be stored.
#[derive(Debug)]
pub struct MadeSuite {
    pub scope: Scope,
    /// Number in the document reference; the short id has another one.
    pub number: i64,
    /// Number of test cases.
    pub cases: u32,
    /// `Root.General.Order` as a number.
    pub order: i64,
    /// Lower-case text for `fulltext`.
    pub text: String,
    /// The document as JSON.
    pub document: String,
}

/// Creates the suite with this row number (from 1).
pub fn make_suite(seed: u64, seq: u64) -> MadeSuite {
    let mut rng = generator(seed, 0, seq);
    let scope = Scope::pick(&mut rng);
    let (project, sub, _) = PLACES[scope.place];
    let version = VERSIONS[scope.version];
    let area = words::AREAS[(seq as usize).wrapping_mul(7) % words::AREAS.len()];
    let title = match rng.random_range(0..100) {
        0..8 => format!("{} ({area})", pick(&mut rng, &words::OTHER_ALPHABETS)),
        8..55 => format!("{}: {area}", pick(&mut rng, &words::KINDS)),
        _ => format!("{area}, part {}", rng.random_range(1..=6)),
    };
    let description = if chance(&mut rng, 40) {
        pick(&mut rng, &words::SENTENCES)
    } else {
        ""
    };
    let created_on = DATA_ENDS - rng.random_range(60..700) * DAY - rng.random_range(0..DAY);
    let edited_on = created_on + rng.random_range(0..40 * DAY);
    let created_by = pick(&mut rng, &words::PEOPLE);
    let edited_by = pick(&mut rng, &words::PEOPLE);
    let cases = rng.random_range(3..=60);
    let order = seq.cast_signed() * 10 + rng.random_range(0..10);
    let id = format!("S_{seq}");
    let attachments = if chance(&mut rng, 10) {
        vec![attachment(&mut rng, edited_on, edited_by, false)]
    } else {
        Vec::new()
    };
    let document = json!({ "Root": {
        "General": {
            "ProjectId": project,
            "ProjectVersionNumber": version,
            "SubprojectId": sub,
            "Title": title,
            "Description": description,
            "TechnicalId": uuid(&mut rng).to_string(),
            "TenantId": TENANT,
            "Id": id,
            "TimeBookingAccount": pick(&mut rng, &words::ACCOUNTS),
            "Order": order.to_string(),
            "RecommendedPriority": { "Value": pick(&mut rng, &words::PRIORITIES) },
        },
        "Metadata": {
            "CreatedBy": created_by,
            "DisplayCreatedOn": time::iso(created_on),
            "CreatedOn": created_on,
            "EditedBy": edited_by,
            "DisplayEditedOn": time::iso(edited_on),
            "EditedOn": edited_on,
            "IsImported": chance(&mut rng, 15),
            "AssignedToVersion": {
                "AssignedToNumber": version,
                "AssignedToTitle": format!("Version {version}"),
            },
        },
        "Attachments": attachments,
        "DisplayFields": { "TotalTestCases": cases },
    }});
    MadeSuite {
        scope,
        number: 20_000 + seq.cast_signed() * 7,
        cases,
        order,
        text: format!("{title}\n{id}\n{description}\n{edited_by}").to_lowercase(),
        document: document.to_string(),
    }
}

//! Generation of a test run.

use rand::seq::IndexedRandom;

use super::{DATA_ENDS, PLACES, Scope, VERSIONS, chance, generator, pick, uuid, words};
use crate::local_service::document::{
    AttachedFile, Attachment, set_closed, set_created, set_edited,
};
use crate::local_service::prelude::*;

const HOUR: i64 = 3_600_000;
const DAY: i64 = 24 * HOUR;
/// Range of the creation times before [`DATA_ENDS`], in milliseconds.
const SPAN: i64 = 500 * DAY;
/// Last run that may have attachments and long texts; later ones rarely have them, so that a million runs stay small.
const RICH: u64 = 2_000;

/// A run, ready to be stored.
#[derive(Debug)]
pub struct MadeRun {
    pub scope: Scope,
    pub uuid: Uuid,
    pub title: String,
    pub configuration: &'static str,
    pub closed: bool,
    pub edited_by: &'static str,
    pub edited_on: i64,
    pub created_on: i64,
    /// Row numbers of the attached suites, in their order.
    pub suites: Vec<u32>,
    pub counts: Counts,
    /// Testers, and number of cases with a tester.
    pub testers: Vec<&'static str>,
    pub assigned: u64,
    /// True if the service itself made the last change (`__meta.modifier`).
    pub by_system: bool,
    /// Lower-case text for `fulltext`.
    pub text: String,
    /// The document as JSON, without `__meta`.
    pub document: String,
}

impl MadeRun {
    /// Adds the document and the searched text.
    pub fn with_document(
        self,
        seq: u64,
        created_by: &str,
        description: &str,
        attachments: &[Attachment],
    ) -> Self {
        let (project, sub, _) = PLACES[self.scope.place];
        let id = format!("R_{seq}");
        let technical_id = self.uuid.to_string();
        let mut metadata = Map::new();
        set_created(&mut metadata, created_by, self.created_on);
        set_edited(&mut metadata, self.edited_by, self.edited_on);
        if self.closed {
            set_closed(&mut metadata, self.edited_by, self.edited_on);
        }
        let root = json!({
            "General": {
                "ProjectId": project,
                "ProjectVersionNumber": VERSIONS[self.scope.version],
                "SubprojectId": sub,
                "Status": if self.closed { "inactive" } else { "active" },
                "Title": self.title,
                "Configuration": self.configuration,
                "Description": description,
                "TenantId": TENANT,
                "TechnicalId": technical_id,
                "Id": id,
            },
            "Metadata": metadata,
            "Attachments": attachments,
        });
        let mut document = Map::new();
        if seq.is_multiple_of(4) {
            document.insert("id".to_owned(), json!(technical_id));
        }
        document.insert("Root".to_owned(), root);
        let (configuration, by) = (self.configuration, self.edited_by);
        let text = search_text(&self.title, &id, configuration, description, by);
        Self {
            text,
            document: Value::Object(document).to_string(),
            ..self
        }
    }
}

/// Generator of the runs of one data set.
#[derive(Debug)]
pub struct RunMaker {
    seed: u64,
    runs: u64,
    /// Row number and test cases of the suites of each scope.
    suites: Vec<Vec<(u32, u32)>>,
}

/// Progress of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Untouched,
    Running,
    Finished,
    Closed,
}

impl RunMaker {
    /// Creates a generator for `runs` runs; `suites` has row number and test cases of the suites by [`Scope::index`].
    pub fn new(seed: u64, runs: u64, suites: Vec<Vec<(u32, u32)>>) -> Self {
        Self { seed, runs, suites }
    }

    /// Creates the run with this row number (from 1); higher ones are younger.
    pub fn make(&self, seq: u64) -> MadeRun {
        let mut rng = generator(self.seed, 1, seq);
        let rng = &mut rng;
        let scope = Scope::pick(rng);
        let uuid = uuid(rng);
        let rich = seq <= RICH || seq.is_multiple_of(64);
        let age = (self.runs - seq) as f64 / self.runs.max(1) as f64;
        let stage = stage(rng, age);
        let title = title(rng, scope, seq);
        let configuration = pick(rng, &words::CONFIGURATIONS);
        let description = description(rng, rich);
        let created_by = pick(rng, &words::PEOPLE);
        let edited_by = pick(rng, &words::PEOPLE);
        let created_on =
            DATA_ENDS - 10 * HOUR - (age * SPAN as f64) as i64 - rng.random_range(0..14 * HOUR);
        let edited_on = (created_on + rng.random_range(HOUR / 4..20 * DAY))
            .min(DATA_ENDS - rng.random_range(0..9 * HOUR));
        let (suites, total) = self.attached(rng, scope);
        let counts = counts(rng, stage, total);
        let testers = if counts.total() > u64::from(counts.0[0]) {
            let how_many = rng.random_range(1..=4);
            words::PEOPLE
                .choose_multiple(rng, how_many)
                .copied()
                .collect()
        } else {
            Vec::new()
        };
        let assigned = if testers.is_empty() {
            0
        } else {
            counts.total() - u64::from(counts.0[0]) / 2
        };
        let attachments = match rng.random_range(0..100) {
            0..22 if rich => (0..rng.random_range(1..=4))
                .map(|_| attachment(rng, edited_on, edited_by, true))
                .collect(),
            _ => Vec::new(),
        };
        let by_system = chance(rng, 6);
        let made = MadeRun {
            scope,
            uuid,
            title,
            configuration,
            closed: stage == Stage::Closed,
            edited_by,
            edited_on,
            created_on,
            suites,
            counts,
            testers,
            assigned,
            by_system,
            text: String::new(),
            document: String::new(),
        };
        made.with_document(seq, created_by, &description, &attachments)
    }

    /// Picks suites of the scope, none in one run of sixteen, and counts their test cases.
    fn attached(&self, rng: &mut ChaCha8Rng, scope: Scope) -> (Vec<u32>, u32) {
        let offered = self
            .suites
            .get(scope.index())
            .map_or(&[][..], Vec::as_slice);
        if offered.is_empty() || chance(rng, 6) {
            return (Vec::new(), 0);
        }
        let how_many = rng.random_range(1..=offered.len().min(9));
        let chosen: Vec<(u32, u32)> = offered.choose_multiple(rng, how_many).copied().collect();
        (
            chosen.iter().map(|(seq, _)| *seq).collect(),
            chosen.iter().map(|(_, cases)| cases).sum(),
        )
    }
}

/// Text for `fulltext`: title, id, configuration, description and editor in lower case.
pub fn search_text(
    title: &str,
    id: &str,
    configuration: &str,
    description: &str,
    edited_by: &str,
) -> String {
    format!("{title}\n{id}\n{configuration}\n{description}\n{edited_by}").to_lowercase()
}

/// Picks a stage: old runs are mostly closed, young ones mostly in progress.
fn stage(rng: &mut ChaCha8Rng, age: f64) -> Stage {
    let closed = if age > 0.3 { 75 } else { 8 };
    match rng.random_range(0..100) {
        n if n < closed => Stage::Closed,
        _ => match rng.random_range(0..100) {
            0..22 => Stage::Untouched,
            22..80 => Stage::Running,
            _ => Stage::Finished,
        },
    }
}

fn title(rng: &mut ChaCha8Rng, scope: Scope, seq: u64) -> String {
    let kind = pick(rng, &words::KINDS);
    let area = pick(rng, &words::AREAS);
    let version = VERSIONS[scope.version];
    match rng.random_range(0..100) {
        0..9 => pick(rng, &words::OTHER_ALPHABETS).to_owned(),
        9..40 => format!("{kind} {area}"),
        40..65 => format!("{kind} {area}, {version}-rc{}", rng.random_range(1..=9)),
        65..85 => format!("{area}: {kind}, sprint {}", 1 + seq % 90),
        85..97 => format!("{kind} {version}, week {}", rng.random_range(1..=52)),
        _ => format!(
            "{kind} {area} together with {}, {} and {} after the move of the test environment to the new data centre",
            pick(rng, &words::AREAS),
            pick(rng, &words::AREAS),
            pick(rng, &words::AREAS)
        ),
    }
}

/// Empty, a sentence, or several paragraphs.
fn description(rng: &mut ChaCha8Rng, rich: bool) -> String {
    match rng.random_range(0..100) {
        45..80 => pick(rng, &words::SENTENCES).to_owned(),
        80..100 if rich => {
            let paragraph = |rng: &mut ChaCha8Rng| {
                let how_many = rng.random_range(2..=5);
                let sentences: Vec<&str> = words::SENTENCES
                    .choose_multiple(rng, how_many)
                    .copied()
                    .collect();
                sentences.join(" ")
            };
            let paragraphs: Vec<String> = (0..rng.random_range(2..=6))
                .map(|_| paragraph(rng))
                .collect();
            paragraphs.join("\n\n")
        }
        _ => String::new(),
    }
}

/// Results that fit the stage; closed runs have no cases in progress.
fn counts(rng: &mut ChaCha8Rng, stage: Stage, total: u32) -> Counts {
    let mut counts = Counts::default();
    let mut left = total;
    counts.0[0] = match stage {
        Stage::Untouched => total,
        Stage::Running => (f64::from(total) * rng.random_range(0.05..0.95)) as u32,
        Stage::Closed if chance(rng, 20) => total / 10,
        Stage::Finished | Stage::Closed => 0,
    };
    left -= counts.0[0];
    let under_way: &[usize] = &[6, 7, 8, 9];
    let settled: &[usize] = &[2, 3, 4, 5, 10];
    if stage == Stage::Running {
        for index in under_way {
            counts.0[*index] = rng.random_range(0..=left / 10);
            left -= counts.0[*index];
        }
    }
    for index in settled {
        counts.0[*index] = rng.random_range(0..=left / 9);
        left -= counts.0[*index];
    }
    counts.0[1] = left;
    counts
}

/// An attached file; those of suites lack two members (2.4).
pub(super) fn attachment(rng: &mut ChaCha8Rng, around: i64, by: &str, of_run: bool) -> Attachment {
    let (name, mime_type) = pick(rng, &words::FILES);
    let at = around - rng.random_range(0..2 * DAY);
    let copy_number = u32::from(chance(rng, 10));
    let id = uuid(rng);
    let extension = name.rsplit('.').next().unwrap_or_default();
    Attachment {
        file_name: name.to_owned(),
        original_file_name: name.to_owned(),
        created_at: of_run.then(|| time::iso(at)),
        upload_on: time::iso_date(at),
        upload_by: by.to_owned(),
        referenced: chance(rng, 50),
        copy_number,
        thumbnail_id: of_run.then(|| uuid(rng).to_string()),
        file: AttachedFile {
            content: None,
            attachment_id: id.to_string(),
            internal_filename: format!("{}.{extension}", id.simple()),
            original_filename: name.to_owned(),
            size: 1 << rng.random_range(7..24),
            mime_type: mime_type.to_owned(),
        },
    }
}

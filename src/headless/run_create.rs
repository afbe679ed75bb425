//! `rundown runs create`: the job of the screen, with the checks of the form before.

use serde_json::{Value, json};

use super::access::Access;
use super::find::Target;
use super::outcome::Outcome;
use super::output::{note, tell, tell_line};
use super::requests::{self, request};
use super::run_texts::{check, given};
use super::suite_change::{Judged, judged};
use super::writing::Signals;
use super::{Exit, Stop, json};
use crate::cli::{ChangeFormat, CreateOptions};
use crate::domain::{
    ChunkResult, Create, CreateEnd, DocRef, Document, NewRun, RunField, RunRow, SuiteChange,
    texts_of, texts_of_new,
};

/// Suites with what a person knows them by.
type Suites = Vec<(DocRef, String)>;

/// Makes a run; `version` is that of the profile.
pub async fn create(
    access: &mut Access,
    options: &CreateOptions,
    version: Option<&str>,
) -> Result<(), Stop> {
    let writer = access.writer()?;
    let mut wanted = given(&options.fields, &RunField::ALL)?;
    wanted.extend(
        options
            .version
            .clone()
            .map(|version| (RunField::ProjectVersionNumber, version)),
    );
    check(&wanted)?;
    let session = access.connection.session();
    let source = match &options.clone {
        Some(name) => Some(access.opened(name).await?),
        None => None,
    };
    let mut texts = match &source {
        Some(document) => texts_of(document),
        None => texts_of_new(&session.project, session.subproject.as_deref(), version),
    };
    texts.extend(wanted);
    check(&texts)?;
    let new = NewRun::of_texts(&texts);
    let suites = suites(access, options, source.as_ref()).await?;
    if new.status != "active" {
        if !suites.is_empty() {
            return Err(Stop::usage(format!(
                "suites can be added to open runs only, and Status is {}: --status active makes an open one. Nothing was \
                 sent.",
                new.status
            )));
        }
        note("Status is not active: what a run does then is not documented");
    }
    if (&new.project_id, &new.subproject_id) != (&session.project, &session.subproject) {
        note(&format!(
            "the run goes into {}, and not into {}",
            place(&new.project_id, new.subproject_id.as_deref()),
            place(&session.project, session.subproject.as_deref())
        ));
    }
    let source = source.map(|document| RunRow::from_document(&document).full_name());
    let create = Create {
        runs: vec![new],
        suites,
        origin: Create::origin_of(source.as_deref()),
        undo_of: None,
    };
    if options.dry_run {
        access.progress.clear();
        return requests::show(
            None,
            planned(&create, &access.connection.locale()),
            options.format,
        );
    }
    let changing = access.changing()?;
    access.sign_in_first().await?;
    let mut steps = Vec::new();
    let step = |step: ChunkResult| {
        note(&step.words);
        steps.push(step);
    };
    let mut signals = Signals::listen(&changing)?;
    let end = access
        .written(&mut signals, changing.create_one(&writer, &create, 0), step)
        .await?;
    report(&Made::of(end), &steps, options.format)
}

fn place(project: &str, subproject: Option<&str>) -> String {
    match subproject {
        Some(subproject) => format!("project {project}, sub project {subproject}"),
        None => format!("project {project} without a sub project"),
    }
}

/// The suites that the run gets: those of the source, as far as they are known, and those named.
async fn suites(
    access: &mut Access,
    options: &CreateOptions,
    source: Option<&Document>,
) -> Result<Suites, Stop> {
    let mut suites = Suites::new();
    if let Some(document) = source.filter(|_| options.with_suites) {
        let attached = access.survey(document.doc_ref(), &[]).await?;
        access.progress.clear();
        let state = attached.short();
        if !attached.is_complete() {
            if !options.accept_partial {
                let run = Target::of(&RunRow::from_document(document));
                let name = run.name();
                return Err(Stop::not_decidable(format!(
                    "{name}: not all of its suites are known ({state}); --accept-partial takes those that are sure. \
                     Nothing was sent."
                )));
            }
            note(&format!(
                "NOT A FULL COPY: of the suites of the source only the sure ones go along ({state})"
            ));
        }
        suites.extend(
            attached
                .sure()
                .map(|named| (named.suite.clone(), named.full_name())),
        );
    }
    for suite in &options.suites {
        if !suites.iter().any(|(known, _)| known == suite) {
            suites.push((suite.clone(), suite.to_string()));
        }
    }
    Ok(suites)
}

/// The requests as they would be sent; the reference of the run is not known before it is made.
fn planned(create: &Create, locale: &str) -> Vec<Value> {
    let made = create
        .runs
        .iter()
        .map(|new| request("ADD_DOCUMENT", &new.params(locale)));
    let chunks = create.suites.chunks(SuiteChange::CHUNK).map(|chunk| {
        let references: Vec<&str> = chunk.iter().map(|(suite, _)| suite.as_str()).collect();
        request(
            "ADD_TEST_SUITES_TO_RUN",
            &json!({"testRunDocRef": null, "testSuiteDocRefs": references}),
        )
    });
    made.chain(chunks).collect()
}

/// What became of the run.
struct Made {
    run: Option<Target>,
    outcome: Outcome,
    words: String,
    suites: Option<crate::domain::ChangeOutcome>,
    /// Runs that may be it, where the answer was lost and they could be looked for.
    found: Option<Vec<Target>>,
}

impl Made {
    fn of(end: CreateEnd) -> Self {
        let without = |outcome, words| Self {
            run: None,
            outcome,
            words,
            suites: None,
            found: None,
        };
        match end {
            CreateEnd::Made { document, suites } => {
                let run = Some(Target::of(&RunRow::from_document(&document)));
                let words = "read again: all fields are as they were sent".to_owned();
                Self {
                    run,
                    suites,
                    ..without(Outcome::Confirmed, words)
                }
            }
            CreateEnd::Unsure { run, seen, what } => {
                let outcome = if seen {
                    Outcome::Differs
                } else {
                    Outcome::Unknown
                };
                Self {
                    run: Some(Target {
                        doc_ref: run,
                        id: None,
                    }),
                    ..without(outcome, what)
                }
            }
            CreateEnd::Not(why) => without(Outcome::Refused, why),
            CreateEnd::Unknown {
                why,
                found: Ok(rows),
            } => Self {
                found: Some(rows.iter().map(Target::of).collect()),
                ..without(Outcome::Unknown, why)
            },
            CreateEnd::Unknown {
                why,
                found: Err(problem),
            } => without(
                Outcome::Unknown,
                format!("{why}. Looking for it failed: {problem}"),
            ),
        }
    }
}

/// Prints what came of it, and turns it into an exit status.
fn report(made: &Made, steps: &[ChunkResult], format: ChangeFormat) -> Result<(), Stop> {
    let suites = made
        .suites
        .as_ref()
        .map(|outcome| (judged(outcome, steps), outcome));
    match (format, &made.run) {
        (ChangeFormat::Json, _) => {
            let members = json!({
                "run": made.run.as_ref().map(Target::json), "outcome": made.outcome.name(), "words": made.words,
                "suites": suites.as_ref().map(|(judged, outcome)| judged.json(outcome, steps)),
                "found": made.found.as_ref().map(|found| found.iter().map(Target::json).collect::<Vec<_>>()),
            });
            tell(&json::text(&json::object("run_created", members), false));
        }
        (ChangeFormat::Text, Some(run)) => {
            let line = format!("{} {}", run.doc_ref, run.id.as_deref().unwrap_or("-"));
            tell_line(&line);
        }
        (ChangeFormat::Text, None) => {}
    }
    let name = made.run.as_ref().map_or("the run".into(), Target::name);
    let said = match made.outcome {
        Outcome::Confirmed => "made",
        Outcome::Differs => "made, but not as it was sent",
        Outcome::Unknown => "NOT KNOWN whether it was made",
        Outcome::Refused | Outcome::Unchanged | Outcome::NotTried => "not made",
    };
    match (made.outcome.exit(), suites) {
        (Exit::Fine, None) => Ok(()),
        (
            Exit::Fine,
            Some((
                Judged {
                    exit: None, words, ..
                },
                _,
            )),
        ) => {
            note(&format!("{name}: suites: {words}"));
            Ok(())
        }
        (
            Exit::Fine,
            Some((
                Judged {
                    exit: Some(exit),
                    words,
                    ..
                },
                _,
            )),
        ) => {
            // The run is there: a change is in effect in part.
            let exit = if exit == Exit::Service {
                Exit::Failed
            } else {
                exit
            };
            Err(Stop {
                exit,
                ..Stop::service(format!("{name}: made, suites not as planned: {words}"))
            })
        }
        (exit, _) => Err(Stop {
            exit,
            ..Stop::service(format!("{name}: {said}: {}", made.words))
        }),
    }
}

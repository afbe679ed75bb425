//! `rundown runs create`: the same operation as on the screen, after the checks of the form.

use super::prelude::*;
use super::run_texts::{check, given};
use super::suite_change::in_json;
use super::{outcome, requests, tell};
use crate::cli::CreateOptions;
use crate::domain::fields::{VERSION, not_copied};
use crate::domain::{Create, Created, NewRun, project_name, texts_of, texts_of_new};
use crate::ops::Creating;

/// Creates a run; `version` is that of the profile.
pub async fn create(access: &mut Access, options: &CreateOptions, version: Option<&str>) -> Ran {
    access.may_write()?;
    let mut wanted = given(&options.fields)?;
    let named = options.version.clone();
    wanted.extend(named.map(|it| (RunField::ProjectVersionNumber, it)));
    // Without a run to clone all texts are known here, and are checked together below.
    if options.clone.is_some() {
        check(&wanted)?;
    }
    let connection = access.connection.clone();
    let profile = connection.profile();
    let source = match &options.clone {
        Some(name) => Some(access.opened(name).await?),
        None => None,
    };
    let mut texts = match &source {
        Some(document) => texts_of(document),
        None => texts_of_new(&profile.project_id, profile.subproject(), version),
    };
    texts.extend(wanted);
    check(&texts)?;
    let new = NewRun::of_texts(&texts);
    let suites = suites(access, options, source.as_ref(), &new).await?;
    let status = Status::from_text(Some(new.text(RunField::Status)));
    if status != Status::Active {
        if !suites.is_empty() {
            return Err(Exit::Usage.because(format!(
                "suites can be added to open runs only, and this one is {status}: --status open makes an open one. Nothing was \
                 sent."
            )));
        }
        note(&format!(
            "the run is {status}: no suites can be added to it"
        ));
    }
    let goes = project_name(
        new.text(RunField::ProjectId),
        Some(new.text(RunField::SubprojectId)),
    );
    let usual = profile.place();
    if goes != usual {
        note(&format!("the run goes into {goes}, and not into {usual}"));
    }
    let source = source.map(|document| {
        let (run, lacks) = (RunRow::from_document(&document), not_copied(&document));
        if !lacks.is_empty() {
            let lacks = text::join(lacks, ", ");
            note(&format!("the new run is without {lacks} of {}", run.name()));
        }
        run.full_name()
    });
    let create = Create {
        runs: vec![new],
        suites,
        seen: Vec::new(),
        origin: Create::origin_of(source.as_deref()),
        undo_of: None,
    };
    if options.dry_run {
        access.progress.clear();
        let requests = create.requests(&access.connection.client.settings.locale);
        return requests::show(None, &requests, options.format);
    }
    let writing = access.writing()?;
    access.sign_in_first().await?;
    let mut signals = EndSignals::listen(writing)?;
    let title = create.runs[0].title().to_owned();
    let mut creating = Creating::new(create);
    let tell = |step: &ChunkResult| note(&step.words);
    let ended = access
        .carry_out(&mut signals, &mut creating, |it| &it.steps, tell, |_| false)
        .await;
    if let Err(interrupted) = ended {
        if let (ChangeFormat::Text, Some(run)) = (options.format, creating.newest().and_then(made))
        {
            tell_made(&run);
        }
        return Err(interrupted);
    }
    access.looks_again(report(&title, &creating, options.format))
}

/// Suites for the new run: the known ones of the source, and those of the command line.
async fn suites(
    access: &mut Access,
    options: &CreateOptions,
    source: Option<&Document>,
    new: &NewRun,
) -> Ran<Vec<(DocRef, String)>> {
    let mut suites = Vec::new();
    if let Some(document) = source.filter(|_| options.with_suites) {
        let attached = access.survey(document.doc_ref(), &[]).await?;
        access.progress.clear();
        let state = attached.words();
        if !attached.is_complete() {
            if !options.accept_partial {
                let run = RunRow::from_document(document);
                let name = called(&run);
                let remedy = if run.is_closed() {
                    "leave out --with-suites"
                } else {
                    "--accept-partial takes those that are sure"
                };
                return Err(Exit::NotDecidable
                    .because(format!("{name}: {state}; {remedy}. Nothing was sent.")));
            }
            note(&format!(
                "NOT A FULL COPY: of the suites of the source only the sure ones go along ({state})"
            ));
        }
        suites.extend(attached.sure().map(Named::pair));
        let version = document.text(VERSION.path).unwrap_or_default();
        if let Some(doubt) = Create::version_doubt(suites.len(), &version, new) {
            note(&doubt);
        }
    }
    for suite in &options.suites {
        if !suites.iter().any(|(known, _)| known == suite) {
            suites.push((suite.clone(), suite.to_string()));
        }
    }
    Ok(suites)
}

/// Prints the outcome, and returns the exit status.
fn report(title: &str, creating: &Creating, format: ChangeFormat) -> Ran {
    let [Created { run, suites }] = &creating.ended[..] else {
        return Err(Exit::Service.because("nothing was begun"));
    };
    let made = made(run);
    // One that was not read has no id yet.
    let read = made.as_ref().filter(|run| run.id.is_some());
    let name = read.map_or(title.into(), called);
    let words = run.words(Deed::Create(&name));
    let added = suites
        .as_ref()
        .map(|suites| (Deed::Add(suites.parts.len(), &name), suites));
    match (format, &made) {
        (ChangeFormat::Json, _) => {
            let found = run.found.as_ref();
            let own = json!({
                "found": found.map(|rows| rows.iter().map(names).collect::<Vec<_>>()),
                "suites": added.map(|(deed, suites)| in_json(deed, suites, &creating.steps)),
            });
            let members = outcome::in_json(made.as_ref(), run, &words, own);
            tell(&json::pretty("run_created", members));
        }
        (ChangeFormat::Text, Some(run)) => tell_made(run),
        (ChangeFormat::Text, None) => {}
    }
    let (exit, words) = match added {
        None => {
            let left = creating.plan().suites.len();
            let is_told = run.end == End::Unknown && left > 0;
            let left = is_told.then(|| format!("; {} not added", text::count(left, "suite")));
            (outcome::exit(run), words + &left.unwrap_or_default())
        }
        Some((deed, suites)) => {
            let exit = match outcome::exit(suites) {
                // The run exists, so the change is done in part.
                Exit::Refused | Exit::Service | Exit::NotSignedIn => Exit::Failed,
                exit => exit,
            };
            if exit == Exit::Fine {
                note(&suites.words(deed));
            }
            let exit = outcome::worst([outcome::exit(run), exit]);
            (exit, format!("{words}; {}", suites.words(deed)))
        }
    };
    exit.with(words)
}

/// Prints the reference and the short id of a created run.
fn tell_made(run: &RunRow) {
    let id = run.id.as_deref().unwrap_or("-");
    tell_line(&format!("{} {id}", run.doc_ref));
}

/// The created run, once it has a reference.
fn made(run: &Outcome) -> Option<RunRow> {
    Some(match &run.document {
        Some(document) => RunRow::from_document(document),
        None => RunRow::unknown(run.parts.first()?.of.clone()),
    })
}

//! `rundown runs list` and `rundown runs show`.

use serde_json::{Value, json};

use super::Stop;
use super::access::Access;
use super::json;
use super::listing::read;
use super::output::{note, print};
use super::table::{Cell, Table};
use super::told::{self, Told};
use crate::cli::{Format, ListOptions, RunName, ShowOptions};
use crate::domain::fields::{self, EDITED_ON, Field, Holds, Printed, VERSION};
use crate::domain::{
    Attachment, Document, Extent, Filter, ReadList, ReadOptions, ResultCode, RunRow, RunsOperation,
    Sort,
};

/// Runs that are listed without a word about how many.
const SHOWN: u64 = 50;

/// Lists runs; `version` is that of the profile.
pub async fn list(
    access: &mut Access,
    options: &ListOptions,
    version: Option<&str>,
) -> Result<(), Stop> {
    let (filter, wanted) = query(
        options,
        version,
        access.connection.client.settings.page_size,
    );
    let runs = read(access, &filter, &wanted).await?;
    if runs.unsorted {
        note(
            "the service refuses to sort by the time of the last edit: the runs come in its own order",
        );
    }
    if runs.operation == Some(RunsOperation::ListDocuments) {
        note("LIST_DOCUMENTS names the runs: it tells neither suites nor progress nor results");
    }
    let cut = runs.full_size > runs.entries.len() as u64;
    if cut && options.limit.is_none() {
        note(&format!(
            "{} of {} shown; --all or --limit N shows more",
            runs.entries.len(),
            runs.full_size
        ));
    }
    print(&listed(runs, &access.done, options.format))
}

fn query(options: &ListOptions, version: Option<&str>, page_size: u32) -> (Filter, ReadOptions) {
    let mut filters = options.filters.clone();
    let prefix = format!("{}:", VERSION.path);
    let chosen = options.all_versions || filters.iter().any(|filter| filter.starts_with(&prefix));
    if let Some(version) = version.filter(|_| !chosen) {
        note(&format!(
            "only version {version}, as the profile says; --all-versions lists all"
        ));
        filters.push(prefix + version);
    }
    let own = options.sorts.is_empty();
    let newest = || {
        vec![Sort {
            path: EDITED_ON.path.into(),
            descending: true,
        }]
    };
    let filter = Filter {
        filters,
        fulltext: options.fulltext.clone(),
        lang: String::new(),
    };
    let wanted = ReadOptions {
        page_size,
        sort: if own { newest() } else { options.sorts.clone() },
        may_leave_sort: own,
        extent: if options.all {
            Extent::All { at_most: u64::MAX }
        } else {
            Extent::First(options.limit.unwrap_or(SHOWN))
        },
    };
    (filter, wanted)
}

fn listed(runs: ReadList<RunRow>, done: &[ResultCode], format: Format) -> String {
    let told: Vec<Told> = runs
        .entries
        .into_iter()
        .map(|row| Told::new(row, done))
        .collect();
    match format {
        Format::Json => {
            let operation = runs.operation.map(RunsOperation::method);
            let rows: Vec<Value> = told.iter().map(json::run).collect();
            let members = json!({
                "full_size": runs.full_size, "shown": told.len(), "operation": operation, "runs": rows
            });
            json::text(&json::object("runs", members), false)
        }
        Format::Ndjson => told
            .iter()
            .map(|run| json::text(&json::object("run", json::run(run)), true))
            .collect(),
        Format::Table | Format::Csv | Format::Markdown => told::table(&told, format).text(format),
    }
}

/// Shows one run.
pub async fn show(access: &mut Access, options: &ShowOptions) -> Result<(), Stop> {
    let (document, row) = match &options.run {
        RunName::Id(_) => {
            let (target, row) = access.find(&options.run).await?;
            (access.document(&target.doc_ref).await?, row)
        }
        RunName::Ref(reference) => {
            let document = access.document(reference).await?;
            let row = with_counts(access, RunRow::from_document(&document)).await?;
            (document, row)
        }
    };
    access.progress.clear();
    print(&shown(
        &document,
        &Told::new(row, &access.done),
        options.format,
    ))
}

/// The run as the list tells it, which brings the counts. The document is what was asked for: it is shown without them, too.
async fn with_counts(access: &mut Access, row: RunRow) -> Result<RunRow, Stop> {
    let target = super::find::Target {
        doc_ref: row.doc_ref.clone(),
        id: row.id.clone(),
    };
    match access.listed(&target).await {
        Ok(listed) => Ok(listed.unwrap_or(row)),
        Err(stop) if stop.exit == super::Exit::Service => {
            note(&format!(
                "suites, progress and results are not known: {}",
                stop.words
            ));
            Ok(row)
        }
        Err(stop) => Err(stop),
    }
}

fn shown(document: &Document, told: &Told, format: Format) -> String {
    match format {
        Format::Json | Format::Ndjson => {
            let mut run = json::object("run", json::run(told));
            run.insert("document".into(), document.raw().clone());
            json::text(&run, format == Format::Ndjson)
        }
        Format::Csv => told::table(std::slice::from_ref(told), format).text(format),
        Format::Table | Format::Markdown => fields(document, told, format).text(format),
    }
}

/// One field below the other.
fn fields(document: &Document, told: &Told, format: Format) -> Table {
    let row = |name: &str, value: Cell| {
        // Numbers are not below one another here.
        let value = value.into_known().map_or(Cell::Unknown, Cell::Text);
        vec![Cell::Text(name.to_owned()), value]
    };
    let shown = fields::ALL
        .into_iter()
        .filter(|field| field.printed >= Printed::OneRun);
    let value = |field: &Field| match field.holds {
        Holds::Document => Cell::text(field.text(document).as_deref()),
        _ => told.cell(field, format),
    };
    let mut rows: Vec<Vec<Cell>> = shown.map(|field| row(field.label, value(field))).collect();
    for attachment in Attachment::of(document) {
        let name = attachment
            .file_name
            .unwrap_or_else(|| "without a name".into());
        let size = attachment
            .size
            .map(|size| format!(", {size} bytes"))
            .unwrap_or_default();
        rows.push(row("Attachment", Cell::Text(format!("{name}{size}"))));
    }
    Table {
        headings: vec!["Field", "Value"],
        rows,
    }
}

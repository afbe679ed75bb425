//! `rundown runs list` and `rundown runs show`.

use super::listing::read;
use super::spool::Spool;
use super::{Access, EarlyExit, Exit, note, print};
use crate::cli::{Format, ListOptions, RunOptions};
use crate::domain::fields::{self, Field, Holds, Printed, VERSION};
use crate::domain::table::{Cell, Table};
use crate::domain::{
    Attachment, CountedRun, Document, DocumentName, Extent, Filter, ReadOptions, ResultCode,
    RunRow, RunsOperation, RunsText, Sort, counted_rows, json,
};

/// Runs that are listed without a word about how many.
const SHOWN: u64 = 50;
/// Runs that `--all` reads at most: a list without an end ends somewhere.
const MOST: u64 = 5_000_000;

/// Lists runs; `version` is that of the profile.
pub async fn list(
    access: &mut Access,
    options: &ListOptions,
    version: Option<&str>,
) -> Result<(), EarlyExit> {
    let page_size = access.connection.client.settings.page_size;
    let (filter, wanted) = query(options, version, page_size);
    let done = access.done.clone();
    let mut listed = RunsPrinter::new(options.format, &done);
    let mut keep = |at, rows| listed.take(at, rows).map(|()| Vec::new());
    let runs = read(access, &filter, &wanted, &mut keep).await?;
    if runs.unsorted {
        note(
            "the service refuses to sort by the time of the last edit: the runs come in its own order",
        );
    }
    if runs.operation == Some(RunsOperation::ListDocuments) {
        note("without suites, progress and results: the service does not send them with this list");
    }
    let (taken, all) = (listed.text.taken(), runs.full_size);
    if all > taken && options.limit.is_none() {
        note(&format!(
            "{taken} of {all} shown; --all or --limit N shows more"
        ));
    }
    listed.print(all, runs.operation)
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
    let filter = Filter {
        filters,
        fulltext: options.fulltext.clone(),
        lang: String::new(),
    };
    let wanted = ReadOptions {
        page_size,
        sort: if own {
            Sort::newest_edits()
        } else {
            options.sorts.clone()
        },
        may_leave_sort: own,
        extent: if options.all {
            Extent::All { at_most: MOST }
        } else {
            Extent::First(options.limit.unwrap_or(SHOWN))
        },
    };
    (filter, wanted)
}

/// Runs on their way to standard output.
struct RunsPrinter<'a> {
    format: Format,
    done: &'a [ResultCode],
    kept: Spool,
    text: RunsText,
}

impl<'a> RunsPrinter<'a> {
    fn new(format: Format, done: &'a [ResultCode]) -> Self {
        Self {
            format,
            done,
            kept: Spool::new(),
            text: RunsText::new(format),
        }
    }

    /// Takes the runs of a page; the first of them has this place in the list.
    fn take(&mut self, at: u64, rows: Vec<RunRow>) -> Result<(), EarlyExit> {
        if at == 0 {
            *self = Self::new(self.format, self.done);
        }
        for row in rows {
            self.kept
                .add(&self.text.take(&CountedRun::new(row, self.done)))?;
        }
        Ok(())
    }

    fn print(self, full_size: u64, operation: Option<RunsOperation>) -> Result<(), EarlyExit> {
        let (head, tail) = self.text.around(full_size, operation);
        let text = self.text;
        self.kept.print(&head, |kept| text.line(kept), tail)
    }
}

/// Shows one run.
pub async fn show(access: &mut Access, options: &RunOptions) -> Result<(), EarlyExit> {
    let (document, row) = match &options.run {
        DocumentName::Id(_) => {
            let row = access.find(&options.run).await?;
            (access.document(&row.doc_ref).await?, row)
        }
        DocumentName::Ref(reference) => {
            let document = access.document(reference).await?;
            let row = with_counts(access, RunRow::from_document(&document)).await?;
            (document, row)
        }
    };
    access.progress.clear();
    let counted = CountedRun::new(row, &access.done);
    print(&shown(&document, &counted, options.format))
}

/// The run as the list tells it, which brings the counts. The document is what was asked for: it is shown without them, too.
async fn with_counts(access: &mut Access, row: RunRow) -> Result<RunRow, EarlyExit> {
    match access.listed(&row).await {
        Ok(listed) => Ok(listed.unwrap_or(row)),
        Err(stop) if stop.exit == Exit::Service => {
            let why = stop.words;
            note(&format!(
                "suites, progress and results are not known: {why}"
            ));
            Ok(row)
        }
        Err(stop) => Err(stop),
    }
}

fn shown(document: &Document, counted: &CountedRun, format: Format) -> String {
    match format {
        Format::Json | Format::Ndjson => {
            let mut run = json::object("run", json::run(counted));
            run.insert("document".into(), document.raw().clone());
            json::text(&run, format == Format::Ndjson)
        }
        Format::Csv => {
            let mut rows = counted_rows(format);
            let row = rows.take(&counted.cells(format));
            rows.head() + &rows.line(&row)
        }
        Format::Table | Format::Markdown => fields(document, counted, format).text(format),
    }
}

/// One field below the other.
fn fields(document: &Document, counted: &CountedRun, format: Format) -> Table {
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
        _ => counted.cell(field, format),
    };
    let mut rows: Vec<Vec<Cell>> = shown.map(|field| row(field.label, value(field))).collect();
    for attachment in Attachment::of(document) {
        let name = attachment.file_name;
        let name = name.unwrap_or_else(|| "without a name".into());
        let text = match attachment.size {
            Some(size) => format!("{name}, {size} bytes"),
            None => name,
        };
        rows.push(row("Attachment", Cell::Text(text)));
    }
    Table {
        headings: vec!["Field", "Value"],
        rows,
    }
}

//! `rundown runs list` and `rundown runs show`.

use jiff::Zoned;
use jiff::tz::TimeZone;

use super::gate::pointed_at;
use super::listing::read;
use super::output::terminal_columns;
use super::prelude::*;
use super::spool::Spool;
use crate::cli::{ListOptions, RunOptions};
use crate::domain::fields::{Holds, Printed, VERSION};
use crate::domain::query_language::{self, Condition, Flag, RunSearch};
use crate::domain::table::{TextCell, TextTable};
use crate::domain::{
    RunsOperation, RunsText, Sort, files_of, format_local, scalar_text, usual_columns,
};
use crate::mirror::{RunsQuery, TabQuery};

/// Default number of listed runs.
const SHOWN: u64 = 50;
/// Maximum number of runs that `--all` reads, as a protection against endless lists.
const MOST: u64 = 5_000_000;

/// Returns a time (epoch milliseconds) in the zone of this machine: `2026-11-27 18:49`.
pub fn minute(at: i64) -> Option<String> {
    format_local(at, &TimeZone::system(), "%Y-%m-%d %H:%M")
}

/// Parses the search of a list, before anything else is done.
pub fn search(options: &ListOptions) -> Ran<RunSearch> {
    let text = options.query.as_deref().unwrap_or_default();
    let read = query_language::search(text, &Zoned::now(), &[Flag::Over]);
    read.map_err(|wrong| pointed_at("--query", &wrong))
}

/// Source of a list of runs.
pub enum ListedFrom<'a> {
    Service(&'a mut Access),
    /// The cache of this machine.
    Here(&'a Mirror),
}

impl ListedFrom<'_> {
    /// Lists the runs. Returns the number of all matches, if known, and the operation of the list.
    async fn list(
        self,
        options: &ListOptions,
        filter: &Filter,
        mut wanted: ReadOptions,
        limit: Option<&Condition>,
        listed: &mut RunsPrinter<'_>,
    ) -> Ran<(Option<u64>, Option<RunsOperation>)> {
        match self {
            Self::Service(access) => {
                if options.query.is_some() {
                    // Matches may be anywhere in the list.
                    wanted.extent = Extent::All { at_most: MOST };
                }
                let mut keep = |at, rows| Ok((Vec::new(), listed.take(at, rows)?));
                let runs = read(access, filter, &wanted, &mut keep).await?;
                if runs.unsorted {
                    note(
                        "the service refuses to sort by the time of the last edit: the runs come in its own order",
                    );
                }
                if runs.operation == Some(RunsOperation::ListDocuments) {
                    note(
                        "without suites, progress and results: the service does not send them with this list",
                    );
                }
                let full_size = match &options.query {
                    Some(_) => (!listed.more).then_some(listed.text.taken()),
                    None => Some(runs.full_size),
                };
                Ok((full_size, runs.operation))
            }
            Self::Here(mirror) => {
                let me = listed.context.me.iter();
                let answer = mirror.runs_of(&RunsQuery {
                    search: listed.search.clone(),
                    tab: TabQuery::of_list(filter.clone()),
                    orders: wanted.sort,
                    me: me.map(|name| (*name).to_owned()).collect(),
                    limit: limit.cloned(),
                    ..RunsQuery::default()
                });
                let is_complete = mirror.is_complete(filter);
                if !is_complete {
                    let remedy = if mirror.is_full() {
                        "cache_runs of the profile holds no more"
                    } else {
                        "rundown sync --all reads them"
                    };
                    let part = format!("not all of these runs are here: {remedy}");
                    if options.all {
                        return Err(Exit::Service.because(part));
                    }
                    note(&part);
                }
                if let Some(oldest) = answer.oldest.and_then(minute) {
                    note(&format!("the oldest counts of open runs are of {oldest}"));
                }
                listed.undecided = answer.undecided;
                let most = usize::try_from(listed.most).unwrap_or(usize::MAX);
                for run in answer.runs.iter().take(most) {
                    listed.keep(&run.row())?;
                }
                listed.more = answer.runs.len() > most;
                let counted = answer.runs.iter().any(|run| run.counted_at.is_some());
                let operation = if counted {
                    RunsOperation::ListTestRuns
                } else {
                    RunsOperation::ListDocuments
                };
                let full_size = is_complete.then_some(answer.runs.len() as u64);
                Ok((full_size, Some(operation)))
            }
        }
    }
}

pub async fn list(source: ListedFrom<'_>, options: &ListOptions, profile: &Profile) -> Ran {
    let search = search(options)?;
    for found in &search.notes {
        note(&format!("--query, {found}"));
    }
    let (filter, wanted) = query(options, &search, profile);
    let done = &profile.watch.done;
    let me: Vec<&str> = profile
        .username
        .iter()
        .chain(&profile.me)
        .map(String::as_str)
        .collect();
    let limit = profile.watch.limit.as_deref();
    let limit = limit.and_then(|limit| query_language::condition(limit).ok());
    let exceeded = |_: Flag, run: &RunRow| limit.as_ref()?.is_exceeded(run, done);
    let context = QueryContext {
        me: &me,
        flag: &exceeded,
        ..QueryContext::of_counts(done, true)
    };
    let most = match wanted.extent {
        Extent::First(most) => most,
        Extent::All { .. } => u64::MAX,
    };
    let mut listed = RunsPrinter {
        format: options.format,
        search: &search,
        context,
        most,
        done,
        kept: Spool::new(),
        text: RunsText::new(options.format, &options.fields),
        fields: &options.fields,
        more: false,
        undecided: 0,
    };
    let listing = source.list(options, &filter, wanted, limit.as_ref(), &mut listed);
    let (full_size, operation) = listing.await?;
    if listed.undecided > 0 {
        note(&format!(
            "runs left out because what the query asks of them is not known: {}",
            listed.undecided
        ));
    }
    let shown = listed.text.taken();
    if let Some(hint) = search.status_hint().filter(|_| shown == 0) {
        note(&format!("--query, {hint}"));
    }
    let more = full_size.map_or(listed.more, |size| size != shown);
    if more && options.limit.is_none() {
        let shown = match full_size {
            Some(size) => format!("{shown} of {size} shown"),
            None => format!("{shown} shown, there are more"),
        };
        note(&format!("{shown}; --all or --limit N shows more"));
    }
    listed.print(full_size, operation)
}

fn query(options: &ListOptions, search: &RunSearch, profile: &Profile) -> (Filter, ReadOptions) {
    let mut filters = options.filters.clone();
    let prefix = format!("{}:", VERSION.path);
    let chosen = options.all_versions
        || filters.iter().any(|filter| filter.starts_with(&prefix))
        || search.chooses(&VERSION);
    filters.extend(search.filters());
    if let Some(version) = profile.project_version.as_ref().filter(|_| !chosen) {
        note(&format!(
            "only version {version}, as the profile says; --all-versions lists all"
        ));
        filters.push(prefix + version);
    }
    let own = options.sorts.is_empty();
    let filter = Filter {
        filters,
        fulltext: options.fulltext.clone(),
    };
    let wanted = ReadOptions {
        page_size: profile.page_size,
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

/// Found runs on the way to standard output.
struct RunsPrinter<'a> {
    format: Format,
    fields: &'a [&'static Field],
    search: &'a RunSearch,
    context: QueryContext<'a>,
    /// Maximum number of runs to print.
    most: u64,
    done: &'a [ResultCode],
    kept: Spool,
    text: RunsText,
    /// True if there is another match.
    more: bool,
    /// Number of runs for which the search cannot be decided.
    undecided: u64,
}

impl RunsPrinter<'_> {
    /// Takes the runs of a page whose first has this place in the list. Returns true if no more are needed.
    fn take(&mut self, at: u64, rows: Vec<RunRow>) -> Ran<bool> {
        if at == 0 {
            (self.kept, self.text) = (Spool::new(), RunsText::new(self.format, self.fields));
            (self.more, self.undecided) = (false, 0);
        }
        for row in rows {
            match self.search.finds(&row, &self.context) {
                Some(true) if self.text.taken() == self.most => {
                    self.more = true;
                    return Ok(true);
                }
                Some(true) => self.keep(&row)?,
                Some(false) => {}
                None => self.undecided += 1,
            }
        }
        Ok(false)
    }

    /// Adds a found run.
    fn keep(&mut self, row: &RunRow) -> Ran {
        self.kept.add(&self.text.take(row, self.done))
    }

    fn print(mut self, full_size: Option<u64>, operation: Option<RunsOperation>) -> Ran {
        if let Some(columns) = terminal_columns() {
            self.text.fit(columns);
        }
        if self.text.taken() == 0 && self.undecided == 0 {
            note("no run was found");
        }
        let (head, tail) = self.text.around(full_size, operation);
        let text = self.text;
        self.kept.print(&head, |kept| text.line(kept), tail)
    }
}

/// Shows one run.
pub async fn show(access: &mut Access, options: &RunOptions) -> Ran {
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
    print(&shown(&document, &row, &access.done, options.format))
}

/// Row of the run in the list, which has the counts. If the list fails, the document is shown without counts.
async fn with_counts(access: &mut Access, row: RunRow) -> Ran<RunRow> {
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

fn shown(document: &Document, row: &RunRow, done: &[ResultCode], format: Format) -> String {
    match format {
        Format::Json | Format::Ndjson => {
            let mut run = json::object("run", json::run(row, done));
            run.insert("document".into(), document.raw().clone());
            json::text(&run, format == Format::Ndjson)
        }
        Format::Csv => on_one_row(document, row, done).text(format),
        Format::Table | Format::Markdown => fields(document, row, done, format).text(format),
    }
}

/// Table with one column per field: those of the list, then those that it does not have.
fn on_one_row(document: &Document, run: &RunRow, done: &[ResultCode]) -> TextTable {
    let of_list = usual_columns(Format::Csv);
    let more = fields::ALL.into_iter();
    let more = more.filter(|field| field.printed == Printed::OneRun);
    let columns: Vec<&Field> = of_list.into_iter().chain(more).collect();
    let row = columns
        .iter()
        .map(|field| cell(field, document, run, done, Format::Csv));
    TextTable::new(columns.iter().map(|field| field.name), [row.collect()])
}

fn cell(
    field: &Field,
    document: &Document,
    run: &RunRow,
    done: &[ResultCode],
    format: Format,
) -> TextCell {
    match field.holds {
        Holds::Document => TextCell::text(field.text(document).as_deref()),
        _ => field.cell(run, done, format),
    }
}

/// Table with one field per row.
fn fields(document: &Document, run: &RunRow, done: &[ResultCode], format: Format) -> TextTable {
    let row = |name: &str, value: TextCell| {
        // The column has values of all kinds, so numbers are not aligned.
        let value = value.into_known().map_or(TextCell::Unknown, TextCell::Text);
        vec![TextCell::Text(name.to_owned()), value]
    };
    let shown = fields::ALL
        .into_iter()
        .filter(|field| field.printed >= Printed::OneRun);
    let value = |field| cell(field, document, run, done, format);
    let mut rows: Vec<Vec<TextCell>> = shown.map(|field| row(field.label, value(field))).collect();
    for file in files_of(document) {
        let of = |label| Some(&file.iter().find(|it| it.label == label)?.values[0].0);
        let name = of("File").and_then(scalar_text);
        let name = name.unwrap_or_else(|| "without a name".to_owned());
        let size = of("  size").and_then(Value::as_u64);
        let size = size.map_or(String::new(), |size| format!(", {size} bytes"));
        rows.push(row("Attachment", TextCell::Text(name + &size)));
    }
    TextTable::new(["Field", "Value"], rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attached_files_are_named_by_the_rule_of_the_screen() {
        let stored = json!({"original_filename": "b.png", "size": 7});
        let files = [
            json!({"FileName": "a.png", "File": stored}),
            json!({"FileName": null, "File": stored}),
            json!({"FileName": 12, "File": stored}),
            json!({}),
        ];
        let document = Document::from_value(json!({
            "docRef": "TestRun-dm/1", "document": {"Root": {"Attachments": files}}
        }));
        let document = document.unwrap();
        let run = RunRow::from_document(&document);
        let shown = shown(&document, &run, &[], Format::Markdown);
        let files: Vec<&str> = shown
            .lines()
            .filter(|it| it.contains("Attachment"))
            .collect();
        assert_eq!(
            files,
            [
                "| Attachment | a.png, 7 bytes |",
                "| Attachment | b.png, 7 bytes |",
                "| Attachment | 12, 7 bytes |",
                "| Attachment | without a name |",
            ]
        );
    }
}

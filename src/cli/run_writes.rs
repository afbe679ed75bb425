//! Options of the commands that create, change and delete runs.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::format::ChangeFormat;
use super::path;
use super::words::suite_ref;
use crate::domain::{DocRef, DocumentName, RunField, RunTexts, text};

/// `Root.General.Status`, as far as it is documented.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum NewStatus {
    /// Suites can be added and removed
    #[value(alias = "active")]
    Open,
    /// Suites cannot be changed
    #[value(alias = "inactive")]
    Closed,
}

/// Texts for the fields of a run.
#[derive(Args, Debug, Default)]
pub struct FieldOptions {
    /// The name of the run
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub title: Option<String>,
    /// Free text, may hold a comma separated list
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub configuration: Option<String>,
    /// Any text
    #[arg(
        long,
        value_name = "TEXT",
        allow_hyphen_values = true,
        conflicts_with = "description_file"
    )]
    pub description: Option<String>,
    /// The description from a file of at most 1 MiB, or from standard input with `-`; the end of its last line is left
    /// out
    #[arg(long, value_name = "FILE", value_parser = path)]
    pub description_file: Option<PathBuf>,
    /// Open or closed
    #[arg(long, value_enum)]
    pub status: Option<NewStatus>,
}

impl FieldOptions {
    /// The texts that stand on the command line itself.
    pub fn texts(&self) -> RunTexts {
        let status = self.status.map(|status| match status {
            NewStatus::Open => "active".to_owned(),
            NewStatus::Closed => "inactive".to_owned(),
        });
        // As what is pasted into the form.
        let on_one_line = |text: &Option<String>| text.as_deref().map(text::on_one_line);
        let given = [
            (RunField::Title, on_one_line(&self.title)),
            (RunField::Configuration, on_one_line(&self.configuration)),
            (RunField::Description, self.description.clone()),
            (RunField::Status, status),
        ];
        given
            .into_iter()
            .filter_map(|(field, text)| Some((field, text?)))
            .collect()
    }
}

/// Options of a new run.
#[derive(Args, Debug)]
#[command(after_help = CREATES)]
pub struct CreateOptions {
    /// Texts of its fields.
    #[command(flatten)]
    pub fields: FieldOptions,
    /// Version of the project, such as 1.4.0 [default: `project_version` of the profile]
    #[arg(long, value_name = "VERSION")]
    pub version: Option<String>,
    /// Begin with the fields of this run, its project, sub project and version included
    #[arg(long, value_name = "RUN", value_parser = DocumentName::run)]
    pub clone: Option<DocumentName>,
    /// Add the suites of that run, too; refused with 6 unless all of them are known
    #[arg(long, requires = "clone")]
    pub with_suites: bool,
    /// Of its suites take those that are sure, also where that may not be all
    #[arg(long, requires = "with_suites")]
    pub accept_partial: bool,
    /// Add these suites: references `TestSuite-dm/…`
    #[arg(long, value_name = "REF", num_args = 1.., value_parser = suite_ref)]
    pub suites: Vec<DocRef>,
    /// Print the requests as they would be sent, as JSON, and send none of them
    #[arg(long)]
    pub dry_run: bool,
    /// How to print what came of it
    #[arg(long, value_enum, default_value_t)]
    pub format: ChangeFormat,
}

const CREATES: &str = "The request is written down, sent once and read after. If its answer is lost, the run is \
    looked for by title, configuration and time, and what was found is told; it is never sent again.\n\n\
    Standard output is the reference and the short id of the new run.\n\n\
    Exit status: 0 made, as reading shows; 1 it is there but not as asked, 4 not sent, 6 the suites are not all known (nothing was \
    sent), 7 refused, 8 not known.";

/// Which fields of which run get which texts.
#[derive(Args, Debug)]
#[command(after_help = MODIFIES)]
pub struct ModifyOptions {
    /// The run: `R_4`, or its reference `TestRun-dm/…`
    #[arg(value_parser = DocumentName::run)]
    pub run: DocumentName,
    /// The new texts.
    #[command(flatten)]
    pub fields: FieldOptions,
    /// Print the request as it would be sent, as JSON, and do not send it
    #[arg(long)]
    pub dry_run: bool,
    /// How to print what came of it
    #[arg(long, value_enum, default_value_t)]
    pub format: ChangeFormat,
}

const MODIFIES: &str = "The run is read twice, the second time just before it is written; if somebody has written in between, nothing is \
    sent. The document goes back whole, and nothing in it changes but these fields. The service itself checks for no change made \
    meanwhile.\n\n\
    Exit status: 0 the new texts are there, or were there before; 1 done, but not as asked, 4 not sent, 7 refused, 8 not known.";

/// Which runs are deleted.
#[derive(Args, Debug)]
#[command(
    after_help = DELETES,
    // The option takes all names behind it.
    override_usage = "rundown runs delete [OPTIONS] <RUN>... --yes-delete <RUN>..."
)]
pub struct DeleteOptions {
    /// The runs: `R_4`, or references `TestRun-dm/…`
    #[arg(required = true, value_name = "RUN", value_parser = DocumentName::run)]
    pub runs: Vec<DocumentName>,
    /// Remove the suites of a run that is not empty first; those that are sure
    #[arg(long)]
    pub empty: bool,
    /// The same runs once more, by the same names
    #[arg(long, value_name = "RUN", num_args = 1.., required_unless_present = "dry_run")]
    pub yes_delete: Vec<String>,
    /// Print the requests as they would be sent, as JSON, and send none of them
    #[arg(long)]
    pub dry_run: bool,
    /// How to print what came of it
    #[arg(long, value_enum, default_value_t)]
    pub format: ChangeFormat,
}

const DELETES: &str = "Each run is copied to the trash folder first. Only a run is deleted that the service calls empty just before, and it \
    is gone only when reading says so. The first run that goes wrong keeps the others from being tried.\n\n\
    Exit status: 0 all are gone, 1 done in part, 2 the names are not repeated exactly, 4 not sent, 7 refused, 8 not known; of several \
    runs that of the one that went wrong.";

//! `rundown runs modify`: reads a run, writes it if it has not changed meanwhile, and reads it again.

use super::outcome::{self, exit};
use super::prelude::*;
use super::requests;
use super::run_texts::{check, given};
use crate::cli::ModifyOptions;
use crate::domain::fields::{EDITED, editor};
use crate::domain::{Modify, RunTexts, RunValues, WriteRequest, same_version, texts_of};
use crate::ops::{One, Step, is_edit};

pub async fn modify(access: &mut Access, options: &ModifyOptions) -> Ran {
    access.may_write()?;
    let wanted = given(&options.fields)?;
    check(&wanted)?;
    if wanted.is_empty() {
        return Err(Exit::Usage
            .because("no field is named: --title, --configuration, --description or --status"));
    }
    let document = access.opened(&options.run).await?;
    access.progress.clear();
    let modified = Modified {
        run: RunRow::from_document(&document),
        before: &document,
        wanted: differing(&document, wanted),
    };
    let (name, format) = (called(&modified.run), options.format);
    let nothing = format!("{name}: nothing to change: the run has these values already");
    if modified.wanted.is_empty() {
        if options.dry_run {
            note(&nothing);
            return requests::show(Some(&modified.run), &[], format);
        }
        return modified.end(&Outcome::done(nothing), format);
    }
    if options.dry_run {
        let changed = document
            .modified(&modified.wanted)
            .map_err(|error| Exit::Service.because(format!("{name}: {error}")))?;
        let locale = &access.connection.client.settings.locale;
        let request = WriteRequest::save(document.doc_ref(), &changed, locale);
        return requests::show(Some(&modified.run), &[request], format);
    }
    let writing = access.writing()?;
    let modify = Modify {
        values: RunValues::new(),
        run: document.doc_ref().clone(),
        run_name: modified.run.full_name(),
        reviewed: document.clone(),
        texts: modified.wanted.clone(),
        undo_of: None,
    };
    let mut signals = EndSignals::listen(writing)?;
    let mut save = One::new(Step::Save(Box::new(modify)));
    let outcome = access
        .carry_out(&mut signals, &mut save, |_| &[], |_| {}, |_| false)
        .await?;
    let outcome = match &outcome.document {
        Some(now)
            if outcome.end == End::NotSent(Why::Moved)
                && same_version(&document, now).is_err_and(|paths| is_edit(&paths)) =>
        {
            Outcome::not_sent(Why::Moved, somebody_wrote(now))
        }
        // They came between the two readings.
        _ if outcome.end == End::NotSent(Why::NothingToDo) => Outcome::done(nothing),
        _ => outcome,
    };
    access.looks_again(modified.end(&outcome, format))
}

/// Texts that differ from those of the run.
fn differing(document: &Document, mut wanted: RunTexts) -> RunTexts {
    let shown = texts_of(document);
    wanted.retain(|field, text| shown.get(field) != Some(text));
    wanted
}

fn somebody_wrote(document: &Document) -> String {
    let part =
        |words, text: Option<String>| text.map_or_else(String::new, |it| format!("{words}{it}"));
    let by = part(", last edited by ", editor(document));
    let at = part(" at ", EDITED.text(document));
    format!("somebody wrote meanwhile{by}{at}; nothing was sent")
}

/// A change of fields that has ended.
struct Modified<'a> {
    run: RunRow,
    before: &'a Document,
    wanted: RunTexts,
}

impl Modified<'_> {
    /// Prints the outcome, and returns the exit status.
    fn end(&self, outcome: &Outcome, format: ChangeFormat) -> Ran {
        let name = called(&self.run);
        let words = outcome.words(Deed::Save(&name));
        let exit = exit(outcome);
        outcome::tell_end(format, exit, &words, || {
            let change = |(field, to): (&RunField, &String)| json!({"field": field.name(), "from": self.before.text(field.path()), "to": to});
            let fields: Vec<Value> = self.wanted.iter().map(change).collect();
            let own = json!({"fields": fields});
            let members = outcome::in_json(Some(&self.run), outcome, &words, own);
            json::pretty("run_modified", members)
        });
        exit.with(words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::FieldOptions;

    #[test]
    fn only_what_differs_is_wanted() {
        let document = Document::from_value(json!({
            "docRef": "TestRun-dm/1", "document": {"Root": {"General": {"Title": "A", "Configuration": null}}}
        }));
        let options = FieldOptions {
            title: Some("A".into()),
            configuration: Some(String::new()),
            description: Some("new".into()),
            ..FieldOptions::default()
        };
        let wanted = differing(&document.unwrap(), options.texts());
        assert_eq!(
            wanted,
            RunTexts::from([(RunField::Description, "new".into())]),
            "null shows the empty text"
        );
    }
}

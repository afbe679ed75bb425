//! What a form asks for: the runs to make, and what the person should know before.

use super::Form;
use crate::domain::{Create, FormFor, NewRun, RunField};

impl Form {
    /// The runs that a form for new ones asks for.
    pub(super) fn plan(&self) -> Create {
        let texts = self.texts();
        let whole = NewRun::of_texts(&texts);
        let list = self.configurations();
        let runs = if self.matrix && list.len() > 1 {
            let one = |part: &String| NewRun {
                title: format!("{}: {part}", whole.title),
                configuration: part.clone(),
                ..whole.clone()
            };
            list.iter().map(one).collect()
        } else {
            vec![whole]
        };
        let suites = match self.suites.value().filter(|_| self.with_suites) {
            Some(attached) => attached
                .sure()
                .map(|named| (named.suite.clone(), named.full_name()))
                .collect(),
            None => Vec::new(),
        };
        let source = matches!(self.of, FormFor::Clone(_)).then_some(self.run_name.as_str());
        Create {
            runs,
            suites,
            origin: Create::origin_of(source),
            undo_of: None,
        }
    }

    /// What the person should know before it is sent.
    pub(super) fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        if let Some(sent) = &self.sent {
            warnings.push(format!(
                "This form was sent before, and its outcome is unknown: {}",
                sent.words
            ));
        }
        if matches!(self.of, FormFor::Clone(_)) {
            warnings.push(match self.suites.value() {
                _ if !self.with_suites => "Without suites: the new run is empty.".to_owned(),
                Some(attached) if attached.is_complete() => {
                    format!("With the suites of the source: {}.", attached.short())
                }
                Some(attached) => format!(
                    "NOT A FULL COPY: of the suites of the source only the sure ones go along ({}).",
                    attached.short()
                ),
                None => "The suites of the source are not known.".to_owned(),
            });
        }
        if self
            .texts()
            .get(&RunField::Status)
            .is_some_and(|status| status != "active")
        {
            warnings
                .push("Status is not active: what a run does then is not documented.".to_owned());
        }
        warnings
    }
}

//! What is said of each run in the steps of deleting.

use ratatui::style::Style;

use super::delete_lines::Lines;
use super::text;
use crate::attached::{Attached, State};
use crate::domain::{Deed, End, Failure};
use crate::store::{Ask, Doomed, Stand};

/// What is said of a run in a step.
pub type Said = (String, Style);

impl Lines<'_> {
    pub fn copy(&self, run: &Doomed, ask: Option<Ask>) -> Said {
        let theme = self.theme;
        match (ask, &run.known, &run.copy) {
            (Some(Ask::Survey), ..) => {
                let progress = self.flow.progress.as_deref().unwrap_or("reading");
                (
                    format!("first, what is in it is worked out: {progress}"),
                    theme.warn(),
                )
            }
            (Some(Ask::Copy), ..) => ("reading the run and saving it".into(), theme.warn()),
            (_, Some(Err(failure)), _) => (
                failed("what is in it could not be read", failure),
                theme.bad(),
            ),
            (_, _, Some(Err(failure))) => (failed("no copy", failure), theme.bad()),
            (_, _, Some(Ok(file))) if run.is_copied() => {
                let before = match (self.wide, run.copied.len()) {
                    (true, 1) => "fields, result counts, 1 named suite -> ".to_owned(),
                    (true, suites) => format!("fields, result counts, {suites} named suites -> "),
                    (false, _) => "saved to ".to_owned(),
                };
                let column = match (self.several(), self.wide) {
                    (false, _) => self.column(),
                    (true, true) => 38,
                    (true, false) => 26,
                };
                let room = self.width.saturating_sub(column + 1 + text::width(&before));
                (format!("{before}{}", tail(file, room)), theme.text())
            }
            (_, Some(Ok(_)), Some(Ok(_))) => (
                "to be saved again: more of its suites are known now".into(),
                theme.warn(),
            ),
            _ if self.several() => ("not yet".into(), theme.dim()),
            _ => (
                "fields, result counts, named suites into the trash folder".into(),
                theme.dim(),
            ),
        }
    }

    pub fn emptying(&self, run: &Doomed, ask: Option<Ask>) -> Said {
        let theme = self.theme;
        let removed = run
            .removal
            .as_ref()
            .map(|removal| removal.change.suites.len());
        match (run.stand(), removed) {
            _ if ask == Some(Ask::Remove) => (
                format!(
                    "DELETE_TEST_SUITES_FROM_RUN, {}",
                    suites(removed.unwrap_or(0))
                ),
                theme.warn(),
            ),
            (Stand::Unread, _) => ("not known yet".into(), theme.dim()),
            (Stand::Gone, _) => ("deleted".into(), theme.dim()),
            (Stand::ClosedHolds, _) => (
                "closed and not empty: cannot be deleted from here".into(),
                theme.bad(),
            ),
            (Stand::Holds, _) => (holds(run), theme.warn()),
            (Stand::Ask, Some(_)) if run.touched => {
                ("removal was sent; the check decides".into(), theme.warn())
            }
            (Stand::Ask, _) => (
                "nothing to remove, as far as is known; the check decides".into(),
                theme.text(),
            ),
            (Stand::Empty, Some(removed)) => (format!("{} removed", suites(removed)), theme.good()),
            (Stand::Empty, None) => ("nothing to remove".into(), theme.good()),
        }
    }

    pub fn check(&self, run: &Doomed, ask: Option<Ask>) -> Said {
        let theme = self.theme;
        match &run.check {
            _ if ask == Some(Ask::Check) => ("CHECK_TEST_RUN_EMPTY: asking".into(), theme.warn()),
            _ if run.gone() => ("deleted".into(), theme.dim()),
            None if self.several() => ("not asked yet".into(), theme.dim()),
            None => ("CHECK_TEST_RUN_EMPTY must say true".into(), theme.dim()),
            Some(Ok(true)) if run.end.is_some() => (
                "said true before the deletion was tried; it is to be asked again".into(),
                theme.warn(),
            ),
            Some(Ok(true)) => (
                "CHECK_TEST_RUN_EMPTY says true: it is empty".into(),
                theme.good(),
            ),
            Some(Ok(false)) => (
                "CHECK_TEST_RUN_EMPTY says false: it is NOT empty".into(),
                theme.bad(),
            ),
            Some(Err(failure)) => (failed("not checked", failure), theme.bad()),
        }
    }

    pub fn end(&self, run: &Doomed, ask: Option<Ask>) -> Said {
        let theme = self.theme;
        match &run.end {
            _ if ask == Some(Ask::Delete) => (
                "DELETE_TEST_RUN, then reading that it is gone".into(),
                theme.warn(),
            ),
            None if self.several() => ("not yet".into(), theme.dim()),
            None => (
                "DELETE_TEST_RUN, then the run must not be found any more".into(),
                theme.dim(),
            ),
            Some(end) => {
                let words = end.words(Deed::Delete(run.row.name()));
                match end.end {
                    End::Done => (words, theme.good()),
                    End::Unknown => (
                        format!("{words}. It is not sent again by itself; step 3 asks"),
                        theme.bad(),
                    ),
                    End::Refused | End::NotSent => (words, theme.bad()),
                }
            }
        }
    }
}

/// What is known of suites that are in a run.
fn holds(run: &Doomed) -> String {
    let Some(attached) = run.attached() else {
        return String::new();
    };
    let sure = attached.sure().count();
    match attached.state {
        State::Conflict => {
            return "not empty; the lists contradict each other, so none of its suites is sure"
                .into();
        }
        State::Changing => {
            return "not empty; it was changing while it was read: r reads again".into();
        }
        State::NotReadWhole => {
            return "not empty; its list could not be read whole: r reads again".into();
        }
        _ => {}
    }
    let count = attached
        .count
        .map_or("number of suites not known".into(), |count| {
            format!("TestSuiteCount {count}")
        });
    format!("not empty: {count}, sure {sure}{}", unnamed(attached))
}

fn unnamed(attached: &Attached) -> String {
    let candidates = match attached.candidates.len() {
        0 => String::new(),
        1 => " (1 candidate)".into(),
        more => format!(" ({more} candidates)"),
    };
    match attached.unknown {
        Some(0) => ", all of them".into(),
        Some(unknown) => format!(", unnamed {unknown}{candidates}"),
        None => format!(", unnamed: nobody knows{candidates}"),
    }
}

fn suites(count: usize) -> String {
    if count == 1 {
        "1 suite".into()
    } else {
        format!("{count} suites")
    }
}

fn failed(what: &str, failure: &Failure) -> String {
    format!(
        "{what}: {}. {}",
        failure.came_back.trim_end_matches('.'),
        failure.remedy
    )
}

/// The end of a text that is too long, with `…` before it.
fn tail(words: &str, columns: usize) -> String {
    let clean = text::cells(words);
    if text::width(&clean) <= columns {
        return clean.into_owned();
    }
    let mut kept = String::new();
    for c in clean.chars().rev() {
        let longer = format!("{c}{kept}");
        if text::width(&longer) >= columns {
            break;
        }
        kept = longer;
    }
    format!("…{kept}")
}

//! Predicates that only searches have.

use super::compare::Comparing;
use super::fold::contains;
use super::name::{Name, NameKind};
use super::time::Span;
use crate::domain::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Predicate {
    /// Folded words, in one of the searched texts.
    Words(Vec<char>),
    /// The short id of one run.
    Id(String),
    /// One of the texts has this value.
    Text(&'static Field, Value),
    /// The version, number by number.
    Version(Comparing, Vec<u64>),
    /// The time is in this span.
    Time(&'static Name, Span),
    /// A flag that is no field of a run.
    Flag(Flag),
}

/// A value that a text is compared with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A name of the user.
    Me,
    /// Folded; more text is allowed before and after it.
    Text(Vec<char>, (bool, bool)),
}

impl Predicate {
    pub(super) fn holds(&self, run: &RunRow, context: &QueryContext<'_>) -> Option<bool> {
        match self {
            Self::Words(words) => {
                let mut texts = [&run.title, &run.id, &run.description, &run.configuration]
                    .into_iter()
                    .flatten()
                    .chain(&run.testers);
                Some(texts.any(|text| contains(words, (true, true), text)))
            }
            Self::Id(wanted) => {
                let id = run.id.as_deref();
                Some(id.is_some_and(|id| id.eq_ignore_ascii_case(wanted)))
            }
            Self::Text(field, value) => {
                let texts = match field.holds {
                    Holds::Text(of) => of(run).as_slice(),
                    Holds::Texts(of) => of(run),
                    _ if **field == fields::DESCRIPTION => run.description.as_slice(),
                    _ => &[],
                };
                if field.counted && run.results.is_none() && texts.is_empty() {
                    return None;
                }
                let status = run.status.as_text().filter(|_| **field == fields::STATUS);
                let mut texts = texts.iter().map(String::as_str).chain(status);
                match value {
                    Value::Me => context.has_me(texts),
                    // All of it where it has a comma, as the screens show it.
                    Value::Text(wanted, open)
                        if **field == fields::CONFIGURATION && !wanted.contains(&',') =>
                    {
                        let mut parts = texts.flat_map(text::parts);
                        Some(parts.any(|part| contains(wanted, *open, part)))
                    }
                    Value::Text(wanted, open) => {
                        Some(texts.any(|text| contains(wanted, *open, text)))
                    }
                }
            }
            Self::Version(comparing, wanted) => {
                let version = version_numbers(run.version.as_deref()?)?;
                Some(comparing.fits(version.cmp(wanted)))
            }
            Self::Time(name, span) => match name.kind {
                NameKind::Time(of) => span.has(of(run)),
                _ => None,
            },
            Self::Flag(flag) => (context.flag)(*flag, run),
        }
    }
}

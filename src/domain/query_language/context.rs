//! Data for searches that no run has.

use serde::{Deserialize, Serialize};

use super::super::{ResultCode, RunRow};
use super::fold::{contains, folded};

/// State of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Flag {
    Open,
    Closed,
    Mine,
    Unread,
    Late,
    Over,
    Worse,
}

impl Flag {
    /// All flags, with names and meanings.
    pub const ALL: [(Self, &'static str, &'static str); 7] = [
        (Self::Open, "open", "its suites can be changed"),
        (Self::Closed, "closed", "its suites cannot be changed"),
        (Self::Mine, "mine", "tester, creator or last editor is you"),
        (Self::Unread, "unread", "changed since you last looked"),
        (Self::Late, "late", "due and not done, or expected to be"),
        (
            Self::Over,
            "over",
            "open and does not meet the limit of the config",
        ),
        (Self::Worse, "worse", "more new failures than before today"),
    ];

    /// Returns the text after `is:`.
    pub fn text(self) -> &'static str {
        let mut all = Self::ALL.into_iter();
        all.find(|(flag, ..)| *flag == self)
            .map_or("", |(_, text, _)| text)
    }
}

pub struct QueryContext<'a> {
    /// Results of finished cases.
    pub done: &'a [ResultCode],
    /// Counts a result that the service does not list as 0; otherwise it is not known.
    pub unlisted_as_zero: bool,
    /// Names of the user; empty if not known.
    pub me: &'a [&'a str],
    /// Evaluates flags that are no field of a run.
    pub flag: &'a dyn Fn(Flag, &RunRow) -> Option<bool>,
}

impl<'a> QueryContext<'a> {
    /// Returns the context of a condition.
    pub fn of_counts(done: &'a [ResultCode], unlisted_as_zero: bool) -> Self {
        Self {
            done,
            unlisted_as_zero,
            me: &[],
            flag: &|_, _| None,
        }
    }

    /// Returns `true` if one of these names is the user's.
    pub(super) fn has_me<'t>(&self, mut people: impl Iterator<Item = &'t str>) -> Option<bool> {
        let me: Vec<Vec<char>> = self.me.iter().map(|name| folded(name)).collect();
        if me.is_empty() {
            return people.next().is_none().then_some(false);
        }
        Some(people.any(|name| me.iter().any(|me| contains(me, (false, false), name))))
    }
}

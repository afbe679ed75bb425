//! What is new since a person looked: what changed in runs between two readings, and which of that nobody has looked at yet.

use std::collections::{HashSet, VecDeque};
use std::fmt;
use std::sync::Arc;

use crate::domain::DocRef;
use crate::domain::diff::News;
use crate::domain::text::count;
use crate::mirror::Run;

/// Changes kept for reading.
const KEPT: usize = 300;
/// More runs than these that appear or vanish at once are one line.
const TOGETHER: usize = 20;

/// One line of the feed.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// When it was seen, epoch milliseconds.
    pub at: i64,
    /// The run, unless it is about the service.
    pub run: Option<DocRef>,
    /// The run as it was then, unless it is gone.
    pub known: Option<Arc<Run>>,
    /// What a person knows the run by.
    pub name: String,
    /// What is new.
    pub what: What,
    /// Somebody has looked at the run since.
    pub looked_at: bool,
}

/// What is new.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// Something about a run that the service told.
    News(News),
    /// The run is not found by the filter any more.
    Left,
    /// Something that follows from it, in words.
    Told {
        words: String,
        /// Somebody should look.
        bad: bool,
    },
}

impl Entry {
    /// About a run, at a time (epoch milliseconds).
    pub fn about(at: i64, run: &Arc<Run>, what: What) -> Self {
        let is_gone = what == What::News(News::Vanished);
        Self {
            at,
            run: Some(run.doc_ref.clone()),
            known: (!is_gone).then(|| run.clone()),
            name: run.name().to_owned(),
            what,
            looked_at: false,
        }
    }

    /// About the service, and no run.
    pub fn of_service(at: i64, words: String, bad: bool) -> Self {
        Self::told("--", at, words, bad)
    }

    fn told(name: &str, at: i64, words: String, bad: bool) -> Self {
        Self {
            at,
            run: None,
            known: None,
            name: name.to_owned(),
            what: What::Told { words, bad },
            looked_at: false,
        }
    }
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::News(news) => news.fmt(f),
            Self::Left => f.write_str("is not found by this filter any more"),
            Self::Told { words, .. } => f.write_str(words),
        }
    }
}

/// What changed in runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Feed {
    /// What changed, newest first.
    pub entries: VecDeque<Entry>,
    /// Lines that there ever were.
    pub pushed: u64,
    /// Runs that are new, or changed, and nobody looked at since.
    unread: Arc<HashSet<DocRef>>,
    /// Runs that somebody looked at and the mirror has not been told of.
    looked_at: Vec<DocRef>,
}

impl Feed {
    /// Takes what is new by a reading (epoch milliseconds). Many runs that appear or vanish are one line.
    pub fn saw(&mut self, news: Vec<(Arc<Run>, News)>, at: i64) {
        let number = |is: fn(&News) -> bool| news.iter().filter(|(_, news)| is(news)).count();
        let is_new = |news: &News| matches!(news, News::Appeared { .. });
        let is_gone = |news: &News| *news == News::Vanished;
        let many = [(number(is_new), "appeared"), (number(is_gone), "vanished")];
        let many = many.map(|(number, what)| {
            (number > TOGETHER).then(|| format!("{} {what}", count(number, "run")))
        });
        for (run, news) in news.into_iter().rev() {
            let together =
                is_new(&news) && many[0].is_some() || is_gone(&news) && many[1].is_some();
            if !together {
                self.push(Entry::about(at, &run, What::News(news)));
            }
        }
        for words in many.into_iter().flatten() {
            self.push(Entry::told("list", at, words, false));
        }
    }

    /// Takes which runs nobody has looked at.
    pub fn set_unread(&mut self, unread: Arc<HashSet<DocRef>>) {
        self.unread = unread;
    }

    /// Adds a line.
    pub fn push(&mut self, entry: Entry) {
        self.entries.push_front(entry);
        self.pushed += 1;
        self.entries.truncate(KEPT);
    }

    /// Nobody looked at what is new about a run.
    pub fn is_unread(&self, run: &DocRef) -> bool {
        self.unread.contains(run)
    }

    /// Somebody has looked at a run.
    pub fn looked_at(&mut self, run: &DocRef) {
        if self.is_unread(run) {
            Arc::make_mut(&mut self.unread).remove(run);
            self.looked_at.push(run.clone());
        }
        self.entries
            .iter_mut()
            .filter(|entry| entry.run.as_ref() == Some(run))
            .for_each(|entry| entry.looked_at = true);
    }

    /// Somebody has looked at everything.
    pub fn looked_at_all(&mut self) {
        let unread = std::mem::take(&mut self.unread);
        self.looked_at.extend(unread.iter().cloned());
        self.entries
            .iter_mut()
            .for_each(|entry| entry.looked_at = true);
    }

    /// Runs that somebody has looked at since this was asked.
    pub(super) fn take_looked_at(&mut self) -> Vec<DocRef> {
        std::mem::take(&mut self.looked_at)
    }

    /// Somebody looks at a line.
    pub fn look(&mut self, place: usize) {
        if let Some(run) = self.entries.get(place).and_then(|entry| entry.run.clone()) {
            self.looked_at(&run);
        }
    }
}

//! Changes in runs between two readings, and which of them the user has not seen.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::sync::Arc;

use crate::domain::DocRef;
use crate::domain::diff::News;
use crate::domain::text::count;
use crate::mirror::Run;

/// Maximum number of lines kept.
const KEPT: usize = 300;
/// More runs than these that appear or vanish at once share a line.
const TOGETHER: usize = 20;

/// One line of the feed.
#[derive(Clone, Debug, PartialEq)]
pub struct FeedEntry {
    /// Time of the reading, epoch milliseconds.
    pub at: i64,
    /// The run, unless it is about the service.
    pub run: Option<DocRef>,
    /// The run at that time, or as it is now if the history told it, unless it is gone.
    pub known: Option<Arc<Run>>,
    /// Display name of the run.
    pub name: String,
    pub what: What,
}

/// Change that a line is about.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// News about a run from the service.
    News(News),
    /// Conclusion of the program, in words.
    Statement {
        words: String,
        /// It needs attention.
        bad: bool,
    },
}

impl FeedEntry {
    /// Creates a line about a run, at a time (epoch milliseconds).
    pub fn about(at: i64, run: &Arc<Run>, what: What) -> Self {
        let is_gone = what == What::News(News::Vanished);
        Self {
            at,
            run: Some(run.doc_ref.clone()),
            known: (!is_gone).then(|| run.clone()),
            name: run.name().to_owned(),
            what,
        }
    }

    /// Creates a line about the service.
    pub fn of_service(at: i64, words: String, bad: bool) -> Self {
        Self::statement("--", at, words, bad)
    }

    /// Returns true for the same line of a reading; texts of fields are not kept in the history.
    fn is_same(&self, other: &Self) -> bool {
        let is_news = |entry: &Self| matches!(entry.what, What::News(_));
        let (one, two) = (&self.what, &other.what);
        self.name == other.name
            && self.run == other.run
            && (one == two || is_news(self) && is_news(other))
    }

    fn statement(name: &str, at: i64, words: String, bad: bool) -> Self {
        Self {
            at,
            run: None,
            known: None,
            name: name.to_owned(),
            what: What::Statement { words, bad },
        }
    }
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::News(news) => news.fmt(f),
            Self::Statement { words, .. } => f.write_str(words),
        }
    }
}

/// Changes in runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Feed {
    /// Lines, newest first.
    pub entries: VecDeque<FeedEntry>,
    /// Number of lines ever added.
    pub pushed: u64,
    /// Number of changes that have no line of their own.
    together: usize,
    /// New or changed runs that the user has not seen since, with the time of the change (epoch milliseconds).
    pub(super) unread: Arc<HashMap<DocRef, i64>>,
    /// Seen runs that the mirror was not notified of.
    seen: Vec<DocRef>,
}

impl Feed {
    /// Adds the news of a reading (epoch milliseconds). Many runs that appear or vanish share a line.
    pub fn saw(&mut self, news: Vec<(Arc<Run>, News)>, at: i64) {
        let number = |is: fn(&News) -> bool| news.iter().filter(|(_, news)| is(news)).count();
        let is_new = |news: &News| matches!(news, News::Appeared { .. });
        let is_gone = |news: &News| *news == News::Vanished;
        let many = [(number(is_new), "appeared"), (number(is_gone), "vanished")];
        let many = many.map(|(number, what)| {
            (number > TOGETHER).then(|| (number, format!("{} {what}", count(number, "run"))))
        });
        for (run, news) in news.into_iter().rev() {
            let together =
                is_new(&news) && many[0].is_some() || is_gone(&news) && many[1].is_some();
            if !together {
                self.push(FeedEntry::about(at, &run, What::News(news)));
            }
        }
        for (number, words) in many.into_iter().flatten() {
            let lines = self.pushed;
            self.push(FeedEntry::statement("list", at, words, false));
            if self.pushed > lines {
                self.together += number - 1;
            }
        }
    }

    /// Adds a line at its time, unless it is there: the history returns what this program told, too.
    pub fn push(&mut self, entry: FeedEntry) {
        let place = self.entries.partition_point(|it| it.at > entry.at);
        let of_then = self.entries.range(place..);
        let mut of_then = of_then.take_while(|it| it.at == entry.at);
        if !of_then.any(|it| it.is_same(&entry)) {
            self.entries.insert(place, entry);
            self.pushed += 1;
            self.entries.truncate(KEPT);
        }
    }

    /// Returns true if the user has not seen the news of a run.
    pub fn is_unread(&self, run: &DocRef) -> bool {
        self.unread.contains_key(run)
    }

    /// Returns true for a line about a run that the user has not seen since.
    pub fn is_new(&self, entry: &FeedEntry) -> bool {
        let since = entry.run.as_ref().and_then(|run| self.unread.get(run));
        since.is_some_and(|since| entry.at >= *since)
    }

    /// Returns true if there may be older changes than those of the lines: no more are read of the history.
    pub fn is_full(&self) -> bool {
        self.entries.len() + self.together >= KEPT
    }

    /// Marks a run as seen.
    pub fn mark_seen(&mut self, run: &DocRef) {
        if self.is_unread(run) {
            Arc::make_mut(&mut self.unread).remove(run);
            self.seen.push(run.clone());
        }
    }

    /// Marks all runs as seen.
    pub fn mark_all_opened(&mut self) {
        let unread = std::mem::take(&mut self.unread);
        self.seen.extend(unread.keys().cloned());
    }

    /// Takes the runs seen since the last call.
    pub(super) fn take_seen(&mut self) -> Vec<DocRef> {
        std::mem::take(&mut self.seen)
    }

    /// Marks the run of a line as seen.
    pub fn mark_line_seen(&mut self, place: usize) {
        if let Some(run) = self.entries.get(place).and_then(|entry| entry.run.clone()) {
            self.mark_seen(&run);
        }
    }
}

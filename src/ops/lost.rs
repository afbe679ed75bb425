//! Finds the end of a request without an answer later: by the journal, and a run that may have been created by title,
//! configuration and time.

use super::prelude::*;
use super::write::{LATEST, SentWrite, until};
use super::{Client, Unsure, Writing, now};
use crate::disk::{Journal, RecentWrites};
use crate::domain::fields::{CONFIGURATION, CREATED_ON, TITLE};
use crate::domain::{
    Deed, DraftSent, Extent, ListPage, Lookup, Pages, ReadFault, ReadOptions, Sort, method,
    read_all, text, text_of,
};

/// Milliseconds by which our own clock may have been set back.
const CLOCKS: i64 = 86_400_000;
/// Milliseconds by which the clock of the service may be behind ours, if nothing is known of it.
const SKEW: i64 = 120_000;
/// Milliseconds within which a request is sent again.
const AGAIN: i64 = 3_600_000;
/// Runs per request.
const PAGE: u32 = 50;
/// Most runs to search: a run just created is among the newest.
const MOST: u64 = 200;
/// Most runs to search some time after the request.
const MOST_LATER: u64 = 1_000;

/// Reads the newest runs, down to a time.
struct Newest<'a> {
    client: &'a Client,
    /// Oldest time of interest, epoch milliseconds.
    since: i64,
    /// The list has reached older runs.
    is_past: bool,
}

impl Pages for Newest<'_> {
    type Entry = Document;
    type Error = Failure;

    async fn page(&mut self, page: Page, sort: &[Sort]) -> Result<ListPage, Failure> {
        let (reader, all) = (&self.client.reader, Filter::default());
        Ok(reader.list_run_documents(page, sort, &all).await?)
    }

    /// True if the page reaches older runs. A page that is not in the requested order does not count.
    fn is_enough(&mut self, page: &[Document], sorted: bool) -> bool {
        let times: Option<Vec<i64>> = page.iter().map(created_on).collect();
        self.is_past = sorted
            && times.is_some_and(|times| {
                times.is_sorted_by(|a, b| a >= b) && times.last().is_some_and(|at| *at < self.since)
            });
        self.is_past
    }
}

/// Runs that are there before a new one is sent.
pub(super) struct RunsBefore {
    /// Those that could be mistaken for it.
    runs: Vec<Document>,
    /// Own writes, newest first.
    writes: Vec<WriteRecord>,
    /// Time of creation of the newest run by the clock of the service, epoch milliseconds, if it is known.
    pub newest: Option<i64>,
}

/// Note in the journal for [`RunsBefore::newest`].
pub(super) const NEWEST: &str = "newest run before it";

/// Requests of a form that got no answer.
pub struct Sought {
    /// The run that was saved, `None` for new runs.
    pub run: Option<DocRef>,
    pub sent: DraftSent,
}

struct SearchResult {
    /// Candidates.
    found: Vec<Document>,
    /// Number of runs searched.
    seen: usize,
    /// Time of creation of the newest run, epoch milliseconds, 0 if there is none; `None` if it is not sure to be among
    /// those searched.
    newest: Option<i64>,
    /// Every run that can be new enough was searched.
    far: bool,
}

impl Writing {
    /// Searches for a run that may have been created. A single new run that matches is taken for it; among several the
    /// user decides.
    pub(super) async fn find_created(
        &self,
        sent: &SentWrite<DocRef>,
        unsure: &Unsure,
        new: &NewRun,
        before: Option<&RunsBefore>,
    ) -> Outcome {
        let client = &self.client;
        let writes = client.journalled(Some(&self.state.journal)).await;
        let mut known = made_before(&writes, sent.at);
        let there = before.iter().flat_map(|before| &before.runs);
        known.extend(there.map(|run| run.doc_ref().clone()));
        let newest = before.and_then(|before| before.newest);
        let is_it = |run: &Document| is_of(run, new) && !known.contains(run.doc_ref());
        let not_yet = Err(ReadFault::Changed("it was not looked for".to_owned()));
        let search = until(client.settings.pauses.clone(), not_yet, || async {
            match client.search(sent.at, newest, MOST, is_it).await {
                Ok(looked) if !looked.found.is_empty() => ControlFlow::Break(Ok(looked)),
                looked => ControlFlow::Continue(looked),
            }
        })
        .await;
        let why = &unsure.why;
        let (outcome, words, found) = match search {
            // Refused, and there is no such project: no run is in it.
            Err(ReadFault::Call(failure))
                if unsure.denied && failure.kind == FailureKind::NotFound =>
            {
                let why = format!("refused: {}. {}", failure.in_full(), failure.remedy);
                (Outcome::without_effect(why), String::new(), None)
            }
            Err(fault) => {
                let problem = unread(fault);
                return Outcome::unknown(format!("{why}. Looking for it failed: {problem}"));
            }
            Ok(search) => {
                if let ([run], Some(_)) = (&search.found[..], before) {
                    let by = Some(unsure.by_reading());
                    let made = self.read_back(&sent.write, run.doc_ref(), new, by);
                    let made = made.await;
                    let listed = || Outcome::done(unsure.by_reading()).with_by_reading(by);
                    let listed = || listed().with_document(run.clone());
                    return if made.end == End::Unknown {
                        listed()
                    } else {
                        made
                    };
                }
                let words = search.words("this title and configuration");
                let outcome = match (search.found.is_empty(), search.far) {
                    (true, true) => unsure.without_effect(&words),
                    (true, false) => Outcome::unknown(format!("{why}. Looked for it: {words}")),
                    (false, _) => Outcome::unknown(format!(
                        "{why}. Looked for it: {words}; which of them it is, look yourself"
                    )),
                };
                (outcome, words, Some(search.rows()))
            }
        };
        let said = if outcome.is_nothing() {
            Recorded::Refused {
                sent: true,
                failure: outcome.why.clone(),
            }
        } else {
            Recorded::Unknown { failure: words }
        };
        self.record("", new.title(), &sent.write, said).await;
        Outcome { found, ..outcome }
    }
}

impl RunsBefore {
    /// Returns the outcome if an earlier request for this run, whose answer was lost, has made it by now: it is not made a
    /// second time by whoever does not know that.
    pub fn made_earlier(&self, new: &NewRun, seen: &[DocRef]) -> Option<Outcome> {
        let known = made_before(&self.writes, i64::MAX);
        let is_new = |run: &&Document| {
            let run = run.doc_ref();
            !known.contains(run) && !seen.contains(run)
        };
        let is_made = |run: &&Document| {
            let mut lost = lost(&self.writes, new);
            lost.any(|write| doubt(write, run).is_none())
        };
        let made = self.runs.iter().filter(is_new).filter(is_made);
        let made: Vec<RunRow> = made.map(RunRow::from_document).collect();
        let name = made.first()?.name();
        let words = format!(
            "an earlier request, whose answer was lost, has made {name}; my changes look at it (rundown changes resume)"
        );
        Some(Outcome {
            found: Some(made),
            ..Outcome::not_sent(Why::NothingToDo, words)
        })
    }
}

/// Returns the own requests of late for this run that have no known end.
fn lost<'a>(writes: &'a [WriteRecord], new: &NewRun) -> impl Iterator<Item = &'a WriteRecord> {
    let since = now() - AGAIN;
    writes.iter().filter(move |write| {
        let is_open = write.last().is_some_and(Recorded::is_open) && !write.is_done();
        write.at >= since && is_titled(write, new.title()) && is_open
    })
}

impl Writing {
    /// Reads the runs before this one is sent.
    pub(super) async fn before(&self, new: &NewRun) -> Result<RunsBefore, ReadFault> {
        let client = &self.client;
        let writes = client.journalled(Some(&self.state.journal)).await;
        let earliest = lost(&writes, new).last().map_or_else(now, |write| write.at);
        let search = client
            .search(earliest, None, MOST, |run| is_of(run, new))
            .await?;
        Ok(RunsBefore {
            runs: search.found,
            writes,
            newest: search.newest,
        })
    }
}

impl Client {
    /// Returns the end of what a form has sent, by the journal, else by a search for new runs.
    pub async fn find_sent(
        &self,
        journal: Option<Journal>,
        sought: &Sought,
    ) -> Result<Lookup, Failure> {
        let read = match &journal {
            Some(journal) => self.writes(journal).await.map(Some),
            None => Ok(None),
        };
        let ended = match &read {
            Ok(read) => Ok(read.as_ref().and_then(|read| sought.ended(read))),
            Err(failure) => Err(failure.clone()),
        };
        if sought.run.is_some() {
            return Ok(ended?.unwrap_or_default());
        }
        // Without the journal new runs are searched for all the same: the user decides.
        let ended = match ended.ok().flatten() {
            Some(ended) if ended.end != Some(End::Done) => return Ok(ended),
            ended => ended,
        };
        let (titles, since) = (&sought.sent.titles, sought.sent.at);
        let search = self.search_earlier(journal.as_ref(), titles, since, since);
        let search = search.await;
        let read = read.ok().flatten().unwrap_or_default();
        let mut made = sought.made(&read);
        let found = search.as_ref().map_or(&[][..], |search| &search.found);
        let sure = sought.surely_made(&read, found);
        let words = sure.iter().map(|(write, run)| {
            let without = if write.kept_suites("suites to add").is_empty() {
                ""
            } else {
                " without its suites: my changes go on with it"
            };
            format!("{} was made{without}; ", RunRow::from_document(run).name())
        });
        let words: String = words.collect();
        let sure = sure.iter().filter_map(|(write, run)| {
            Some((run.doc_ref().clone(), write.new_title()?.to_owned()))
        });
        let known = made.len();
        made.extend(sure);
        let is_it = titles.len() == 1 && made.len() > known;
        let not_made = sought.not_made(&read);
        match (ended, search) {
            (None, Ok(search)) => {
                let looked = sought.as_answered(&sought.answered(&read), search.lookup(titles));
                Ok(Lookup {
                    end: is_it.then_some(End::Done).or(looked.end),
                    made,
                    not_made,
                    words: words + &looked.words,
                    ..looked
                })
            }
            (None, Err(failure)) => Err(failure),
            // The form can leave existing runs out when it is sent again.
            (Some(ended), search) => Ok(Lookup {
                found: search.map(|search| search.rows()).unwrap_or_default(),
                made,
                not_made,
                ..ended
            }),
        }
    }

    /// Searches once more, by title and time, for runs whose answer was lost earlier. Of the runs that other requests
    /// have created, those from before `until` are left out.
    pub(super) async fn find_earlier(
        &self,
        journal: Option<&Journal>,
        titles: &[String],
        sent: i64,
        until: i64,
    ) -> Result<Lookup, Failure> {
        let search = self.search_earlier(journal, titles, sent, until).await?;
        Ok(search.lookup(titles))
    }

    async fn search_earlier(
        &self,
        journal: Option<&Journal>,
        titles: &[String],
        sent: i64,
        until: i64,
    ) -> Result<SearchResult, Failure> {
        let writes = self.journalled(journal).await;
        let known = made_before(&writes, until);
        let titled = |title: &str| titles.iter().any(|wanted| wanted.trim() == title.trim());
        let ours = writes
            .iter()
            .filter(|write| write.at >= sent)
            .filter(|write| write.new_title().is_some_and(titled));
        let newest: Option<Vec<i64>> = ours.map(|write| write.kept(NEWEST)?.as_i64()).collect();
        let newest = newest.and_then(|newest| newest.into_iter().min());
        let is_it = |run: &Document| {
            titled(&TITLE.text(run).unwrap_or_default()) && !known.contains(run.doc_ref())
        };
        self.search(sent, newest, MOST_LATER, is_it)
            .await
            .map_err(|fault| {
                let remedy = "Ctrl-s in the form looks again";
                local("looking for what was sent", &unread(fault), remedy)
            })
    }

    /// Returns the writes of the journal. Without it the runs they have created are merely found too: the user decides.
    async fn journalled(&self, journal: Option<&Journal>) -> Vec<WriteRecord> {
        match journal {
            Some(journal) => self.writes(journal).await.unwrap_or_default().writes,
            None => Vec::new(),
        }
    }

    /// Searches once for what was sent at this time, newest runs first, at most `most` runs. `newest` is the time of
    /// creation of the newest run before; without it a clock that is further behind may hide what was sent.
    async fn search(
        &self,
        sent: i64,
        newest: Option<i64>,
        most: u64,
        is_it: impl Fn(&Document) -> bool,
    ) -> Result<SearchResult, ReadFault> {
        let since = newest.map_or(sent, |newest| newest + 1).min(sent - SKEW);
        let mut pages = Newest {
            client: self,
            since,
            is_past: false,
        };
        let options = ReadOptions {
            page_size: PAGE,
            sort: vec![Sort::by(CREATED_ON.path, true)],
            may_leave_sort: true,
            extent: Extent::First(most),
        };
        let mut list = read_all(&mut pages, &options).await?;
        let seen = list.entries.len();
        let reached = pages.is_past || seen as u64 >= list.full_size;
        let latest = list.entries.iter().filter_map(created_on).max();
        // A run without a time of creation is a candidate.
        let young = |run: &Document| created_on(run).is_none_or(|at| at >= since);
        // One without a title may be it, and a list without what was there before is none of now.
        let is_told = |run: &Document| !young(run) || TITLE.text(run).is_some();
        let is_whole = list.entries.iter().all(is_told)
            && newest.is_none_or(|newest| latest.unwrap_or(0) >= newest);
        list.entries.retain(|run| young(run) && is_it(run));
        Ok(SearchResult {
            found: list.entries,
            seen,
            newest: reached.then(|| latest.unwrap_or(0)),
            far: reached && newest.is_some() && is_whole,
        })
    }
}

/// Says why the list of runs could not be read.
fn unread(fault: ReadFault) -> String {
    let why = match fault {
        ReadFault::Call(failure) => failure.in_full(),
        ReadFault::Changed(why) => why,
        ReadFault::TooLong { size, .. } => format!("{size} entries"),
    };
    format!("the list of runs could not be read: {why}")
}

impl Sought {
    /// True if the program ended before the save was written down, and so before it was sent: the journal was there
    /// before, and has no such save of the run since. A new run is searched for instead.
    fn is_unsent(&self, read: &RecentWrites) -> bool {
        let was_there = read.writes.iter().any(|write| write.at < self.sent.at);
        let is_written = |later: &[&WriteRecord]| later.iter().any(|write| self.has(write));
        let later = self.later(read);
        let is_save = self.run.is_some() && !self.sent.saves.is_empty();
        is_save && was_there && later.is_some_and(|later| !is_written(&later))
    }

    /// The writes since a day before, as a clock may have been set back; `None` if some may be missing.
    fn later<'a>(&self, read: &'a RecentWrites) -> Option<Vec<&'a WriteRecord>> {
        let from = self.sent.at.saturating_sub(CLOCKS);
        let reaches = !read.more || read.writes.iter().any(|write| write.at < from);
        let later = read.writes.iter().filter(|write| write.at >= from);
        (read.torn == 0 && reaches).then(|| later.collect())
    }

    /// Returns the end of each request by the journal, the latest first, with the name of its run; `None` if one is
    /// unknown. A run of several that was not written down was not sent.
    fn ends<'a>(&'a self, read: &'a RecentWrites) -> Option<Vec<(Outcome, &'a str)>> {
        let since = read.writes.iter().filter(|write| write.at >= self.sent.at);
        let ours: Vec<&WriteRecord> = since.filter(|write| self.has(write)).collect();
        let saved = |texts| ours.iter().any(|write| has_texts(write, texts));
        // Older versions of this program did not save the texts.
        let saves = &self.sent.saves;
        if self.run.is_some() && (saves.is_empty() || !saves.iter().all(saved)) {
            return None;
        }
        let unsent = self.unsent(read)?.into_iter().rev().map(|title| {
            let unsent = Outcome::not_sent(Why::Stopped, "");
            Some((unsent, title.as_str()))
        });
        let ends = ours.into_iter().map(|write| {
            let outcome = match write.last()? {
                Recorded::Confirmed { how } => Outcome::done(how),
                Recorded::Refused {
                    sent: true,
                    failure,
                } => Outcome::refused(failure),
                Recorded::Refused { failure, .. } => Outcome::not_sent(Why::Offline, failure),
                _ => return None,
            };
            Some((outcome, write.name()))
        });
        unsent.chain(ends).collect()
    }

    /// Returns the titles that were not written down, and so not sent, though others of the same sending were; `None` if
    /// that is not known.
    fn unsent(&self, read: &RecentWrites) -> Option<Vec<&String>> {
        let since = read.writes.iter().filter(|write| write.at >= self.sent.at);
        let ours: Vec<&WriteRecord> = since.filter(|write| self.has(write)).collect();
        let there = |title: &&String| ours.iter().any(|write| is_titled(write, title));
        let (there, missing): (Vec<_>, Vec<_>) = self.sent.titles.iter().partition(there);
        if missing.is_empty() {
            return Some(missing);
        }
        let later = self.later(read).filter(|_| !there.is_empty())?;
        let is_written = |title| later.iter().any(|write| is_titled(write, title));
        (!missing.iter().any(|title| is_written(title))).then_some(missing)
    }

    /// Returns the titles of the new runs that were surely not made, as my changes show.
    fn not_made(&self, read: &RecentWrites) -> Vec<String> {
        let mut not_made: Vec<String> = self.unsent(read).into_iter().flatten().cloned().collect();
        for title in &self.sent.titles {
            let since = read.writes.iter().filter(|write| write.at >= self.sent.at);
            let mut ours = since.filter(|write| is_titled(write, title)).peekable();
            let was_sent = ours.peek().is_some();
            let is_refused =
                |write: &WriteRecord| matches!(write.last(), Some(Recorded::Refused { .. }));
            if was_sent && ours.all(is_refused) {
                not_made.push(title.clone());
            }
        }
        not_made
    }

    /// Returns the end of all requests, `None` unless each is known.
    fn ended(&self, read: &RecentWrites) -> Option<Lookup> {
        if self.is_unsent(read) {
            return Some(Lookup {
                end: Some(End::NotSent(Why::Stopped)),
                words: "nothing was sent, as my changes show".into(),
                ..Lookup::default()
            });
        }
        let ends = self.ends(read)?;
        let done = ends.iter().find(|(outcome, _)| outcome.end == End::Done);
        let (outcome, _) = done.or(ends.last())?;
        let words = ends.iter().map(|(outcome, name)| {
            let deed = match self.run {
                Some(_) => Deed::Save(name),
                None => Deed::Create(name),
            };
            outcome.headline(deed)
        });
        Some(Lookup {
            end: Some(outcome.end),
            words: text::join(words.rev(), "; "),
            ..Lookup::default()
        })
    }

    /// Returns the new runs whose answers named them.
    fn answered(&self, read: &RecentWrites) -> Vec<DocRef> {
        let ours = read.writes.iter().filter(|write| write.at >= self.sent.at);
        let ours = ours.filter(|write| self.has(write));
        ours.filter_map(|write| DocRef::parse(&write.run).ok())
            .collect()
    }

    /// Takes a search: the one new run that was sent is made if its answer named a run that is found.
    fn as_answered(&self, answered: &[DocRef], looked: Lookup) -> Lookup {
        let mut found = looked.found.iter();
        let made = found.find(|row| answered.contains(&row.doc_ref));
        match made.filter(|_| self.sent.titles.len() == 1) {
            Some(row) => Lookup {
                end: Some(End::Done),
                words: Outcome::done("").headline(Deed::Create(row.name())),
                ..looked
            },
            None => looked,
        }
    }

    /// Returns the new runs that readings have confirmed, with their titles.
    fn made(&self, read: &RecentWrites) -> Vec<(DocRef, String)> {
        let ours = read.writes.iter().filter(|write| write.at >= self.sent.at);
        let made = ours.filter(|write| write.is_confirmed() && self.has(write));
        made.filter_map(|write| {
            let title = write.new_title()?.to_owned();
            Some((DocRef::parse(&write.run).ok()?, title))
        })
        .collect()
    }

    /// Returns the found runs that are what a request without an answer has made, as going on with the change would take
    /// them.
    fn surely_made<'a>(
        &self,
        read: &'a RecentWrites,
        found: &'a [Document],
    ) -> Vec<(&'a WriteRecord, &'a Document)> {
        let ours = read.writes.iter().filter(|write| write.at >= self.sent.at);
        let open =
            ours.filter(|write| self.has(write) && write.last().is_some_and(Recorded::is_open));
        let made = open.filter_map(|write| {
            let title = write.new_title()?;
            let titled =
                |run: &&Document| TITLE.text(run).is_some_and(|it| it.trim() == title.trim());
            let mut titled = found.iter().filter(titled);
            let (run, other) = (titled.next()?, titled.next());
            (other.is_none() && doubt(write, run).is_none()).then_some((write, run))
        });
        made.collect()
    }

    /// True if the write is one of the sent requests.
    fn has(&self, write: &WriteRecord) -> bool {
        match &self.run {
            Some(run) => {
                let is_save = write.run == run.as_str() && write.method() == method::SAVE;
                let mut saves = self.sent.saves.iter();
                is_save && (write.texts().is_none() || saves.any(|texts| has_texts(write, texts)))
            }
            None => self.sent.titles.iter().any(|title| is_titled(write, title)),
        }
    }
}

/// True if the write was to save these texts; those that the run had already are not in it.
fn has_texts(write: &WriteRecord, texts: &RunTexts) -> bool {
    let written = write.texts().map(|(_, after)| after).unwrap_or_default();
    !written.is_empty()
        && written
            .iter()
            .all(|(field, text)| texts.get(field) == Some(text))
}

/// True if the write was to create a run of this title.
fn is_titled(write: &WriteRecord, title: &str) -> bool {
    write.new_title().map(str::trim) == Some(title.trim())
}

impl SearchResult {
    /// The search for these titles as a finding.
    fn lookup(&self, titles: &[String]) -> Lookup {
        Lookup {
            words: self.words(if titles.len() > 1 {
                "one of these titles"
            } else {
                "this title"
            }),
            found: self.rows(),
            ..Lookup::default()
        }
    }

    fn rows(&self) -> Vec<RunRow> {
        self.found.iter().map(RunRow::from_document).collect()
    }

    /// Describes the runs found.
    fn words(&self, of: &str) -> String {
        let rows = self.rows();
        let name = |row: &RunRow| format!("{} ({})", row.name(), row.doc_ref);
        let names: Vec<String> = rows.iter().map(name).collect();
        let found = match &names[..] {
            [] => format!("no new run has {of}"),
            names => format!("found {} of {of}", names.join(", ")),
        };
        let far = if self.far {
            ""
        } else {
            ", which may not be all that are new"
        };
        format!("{found}, among {} runs{far}", self.seen)
    }
}

/// True if a run may be this one. Its creator is not compared: the service may name the user differently than the
/// sign-in.
fn is_of(run: &Document, new: &NewRun) -> bool {
    let configuration = new.text(RunField::Configuration);
    let is = |text: &str, wanted: &str| text.trim() == wanted.trim();
    TITLE.text(run).is_some_and(|it| is(&it, new.title()))
        && CONFIGURATION
            .text(run)
            .is_none_or(|it| is(&it, configuration))
}

/// Returns the runs that requests before this time have created: none of them can be the run whose answer was lost. A
/// later run may be the one that the user is about to create again.
fn made_before(writes: &[WriteRecord], until: i64) -> HashSet<DocRef> {
    let before = writes.iter().filter(|write| write.at < until);
    let made = |write: &WriteRecord| match write.new_title() {
        // Without an answer the run is known from a reading.
        Some(_) => DocRef::parse(&write.run).ok(),
        None => write.made(),
    };
    before.filter_map(made).collect()
}

/// Returns the fields of a new run that are not as the write has sent them, in words.
pub(super) fn differs(write: &WriteRecord, run: &Document) -> Vec<String> {
    let Some((_, params)) = write.request() else {
        return Vec::new();
    };
    let general = &params["document"]["Root"]["General"];
    let sent = RunField::SENT.map(|field| (field, text_of(general.get(field.name()))));
    differing(&sent.into(), &texts_of(run))
}

/// Returns what speaks against a run of the title being the one that the write has sent; `None` if it can be no other.
pub(super) fn doubt(write: &WriteRecord, run: &Document) -> Option<String> {
    let differs = differs(write, run);
    if !differs.is_empty() {
        return Some(differs.join("; "));
    }
    let newest = write.kept(NEWEST).and_then(Value::as_i64);
    let made = created_on(run).zip(newest);
    let is_it = made.is_some_and(|(made, newest)| made > newest && made < write.at + LATEST);
    (!is_it).then(|| "when it was made leaves it open".to_owned())
}

pub(super) fn created_on(document: &Document) -> Option<i64> {
    document.integer(CREATED_ON.path)
}

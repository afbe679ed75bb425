//! Drafts of forms, on the disk. One task takes the requests in order, so that nothing old overwrites something newer;
//! of waiting requests only the newest of each draft is written.

use std::collections::HashSet;
use std::path::PathBuf;
use std::{fs, io};

use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use super::broken;
use super::prelude::*;
use crate::disk::{DiskError, Drafts};
use crate::domain::{DraftOwner, DraftWish, FormFor, text};
use crate::store::DraftRequest;

/// A job, and whose drafts are meant.
pub type QueuedDraftJob = (DraftOwner, DraftJob);

/// A request about drafts, with an answer or without.
pub enum DraftJob {
    Take(RequestId, FormFor, DraftWish),
    Other(DraftRequest),
    /// Tells that all requests before it are carried out.
    Tell(oneshot::Sender<()>),
}

/// Starts the task. It finishes all requests and ends once the sender is dropped.
pub fn start(state: &State, events: Events) -> (UnboundedSender<QueuedDraftJob>, JoinHandle<()>) {
    let (jobs, waiting) = unbounded_channel();
    (jobs, tokio::spawn(run_jobs(state.clone(), events, waiting)))
}

impl Worker {
    /// Sends a request about the drafts of the profile in use; their task lives as long as the worker.
    pub(super) fn ask_drafts(&self, job: DraftJob) {
        let owner = DraftOwner {
            profile: self.profile.clone(),
            service: self.target().service,
        };
        if let Err(error) = self.drafts.send((owner, job)) {
            self.tell(Event::Trouble(local(
                "the drafts",
                &error.to_string(),
                "please report it; copy what you have typed",
            )));
        }
    }

    /// Answers once all requests about drafts until now are carried out.
    pub(super) fn drafts_done(&self) -> oneshot::Receiver<()> {
        let (sender, done) = oneshot::channel();
        self.ask_drafts(DraftJob::Tell(sender));
        done
    }
}

async fn run_jobs(state: State, events: Events, mut waiting: UnboundedReceiver<QueuedDraftJob>) {
    let (before, to) = (state.clone(), events.clone());
    if let Err(error) = tokio::task::spawn_blocking(move || report_edits(&before, &to)).await {
        send(&events, Event::Trouble(broken(&error)));
    }
    let (mut jobs, mut reported) = (Vec::new(), HashSet::new());
    while waiting.recv_many(&mut jobs, usize::MAX).await > 0 {
        let jobs = newest(std::mem::take(&mut jobs));
        let (state, to) = (state.clone(), events.clone());
        let done = tokio::task::spawn_blocking(move || {
            for job in jobs {
                done(&state, job, &to, &mut reported);
            }
            reported
        });
        reported = done.await.unwrap_or_else(|error| {
            send(&events, Event::Trouble(broken(&error)));
            HashSet::new()
        });
    }
}

/// Drops saves of a draft that are followed directly by a newer save of the same draft.
fn newest(jobs: Vec<QueuedDraftJob>) -> Vec<QueuedDraftJob> {
    let mut kept: Vec<QueuedDraftJob> = Vec::with_capacity(jobs.len());
    for job in jobs {
        if let (_, DraftJob::Other(DraftRequest::Keep(newer, _))) = &job {
            let since = kept
                .iter()
                .rposition(|(_, job)| !matches!(job, DraftJob::Other(DraftRequest::Keep(..))))
                .map_or(0, |at| at + 1);
            let of_it = |(_, job): &QueuedDraftJob| matches!(job, DraftJob::Other(DraftRequest::Keep(older, _)) if older.key == newer.key);
            let older = kept[since..].iter().position(of_it);
            if let Some(older) = older {
                kept.remove(since + older);
            }
        }
        kept.push(job);
    }
    kept
}

/// Action and remedy if a draft cannot be saved.
const KEEPING: (&str, &str) = (
    "keeping the draft",
    "what you type is kept in this window only, until it is saved",
);
/// Action and remedy if drafts cannot be listed.
const LISTING: (&str, &str) = (
    "looking for drafts",
    "no draft is offered until that is mended",
);
/// Action and remedy if a draft cannot be discarded.
const DISCARDING: (&str, &str) = (
    "discarding the draft",
    "the draft is still there and is offered again",
);

/// Carries out one request and sends its outcome. Leaving or discarding a draft gets no answer without a state folder.
/// `reported` are the errors told before. Blocks.
fn done(
    state: &State,
    (owner, job): QueuedDraftJob,
    events: &Events,
    reported: &mut HashSet<String>,
) {
    let request = match job {
        DraftJob::Other(request) => request,
        DraftJob::Tell(told) => {
            // Nobody may wait for it any more.
            let _ = told.send(());
            return;
        }
        DraftJob::Take(id, form, wish) => {
            let taken = ask(state, KEEPING, |drafts| drafts.take(&owner, &form, &wish));
            let result = taken.map(|taken| {
                tell(&taken.damaged, events, reported);
                Box::new(taken.found)
            });
            return send(events, Event::Answer(id, Answer::DraftTaken(result)));
        }
    };
    let is_sought = matches!(request, DraftRequest::Seek);
    match request {
        DraftRequest::Keep(draft, edited) => {
            let kept = ask(state, KEEPING, |drafts| drafts.keep(&draft));
            if kept.is_ok() {
                remove(&edited, events);
            }
            let result = kept.map(|()| draft.at);
            let key = draft.key;
            send(events, Event::DraftKept { key, result });
        }
        DraftRequest::Leave { key } => {
            if let Ok(state) = state.get() {
                state.drafts.leave(&key);
            }
        }
        DraftRequest::Discard { key, edited } => {
            remove(&edited, events);
            let discarded = key.map(|key| ask(state, DISCARDING, |drafts| drafts.discard(&key)));
            if let (Ok(_), Some(Err(failure))) = (state.get(), discarded) {
                send(events, Event::Trouble(failure));
            }
        }
        DraftRequest::Find | DraftRequest::Seek => {
            match ask(state, LISTING, |drafts| drafts.list(&owner)) {
                Ok(listed) => {
                    tell(&listed.damaged, events, reported);
                    send(events, Event::Drafts(listed.found));
                }
                // Without a state folder there are none: reported at the start.
                Err(failure) => {
                    if is_sought || state.get().is_ok() {
                        send(events, Event::Trouble(failure));
                    }
                }
            }
        }
    }
}

/// Removes files of texts from the editor. One that is gone was removed by a request before.
fn remove(edited: &[PathBuf], events: &Events) {
    for path in edited {
        if let Err(error) = fs::remove_file(path)
            && error.kind() != io::ErrorKind::NotFound
        {
            let error = format!("{}: {error}", path.display());
            let remedy = "its text is in the form: remove the file by hand";
            send(
                events,
                Event::Trouble(local("the text from the editor", &error, remedy)),
            );
        }
    }
}

/// Reports texts from an editor that no form has taken: a program was killed before its editor.
fn report_edits(state: &State, events: &Events) {
    let Ok(state) = state.folder() else { return };
    let left = match fs::read_dir(&state.edits) {
        Ok(files) => files.flatten().map(|file| file.path()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return,
        Err(error) => {
            let error = format!("{}: {error}", state.edits.display());
            let failure = local("texts from the editor", &error, LISTING.1);
            return send(events, Event::Trouble(failure));
        }
    };
    let left: Vec<String> = left.map(|path| path.display().to_string()).collect();
    if !left.is_empty() {
        let words = format!(
            "in no form, or open in another window: {}",
            text::few(&left)
        );
        let remedy = "copy what is wanted, then remove the file";
        let failure = local("texts from the editor", &words, remedy);
        send(events, Event::Trouble(failure));
    }
}

fn ask<T>(
    state: &State,
    (asked, remedy): (&str, &str),
    work: impl FnOnce(&Drafts) -> Result<T, DiskError>,
) -> Result<T, Failure> {
    let done = state
        .get()
        .and_then(|state| work(&state.drafts).map_err(|error| error.to_string()));
    done.map_err(|why| local(asked, &why, remedy))
}

/// Reports files that are no drafts, each once.
fn tell(damaged: &[DiskError], events: &Events, reported: &mut HashSet<String>) {
    let words = damaged.iter().map(DiskError::to_string);
    for error in words.filter(|words| reported.insert(words.clone())) {
        let remedy = "any text viewer shows what is in it";
        let failure = local("reading a draft", &error, remedy);
        send(events, Event::Trouble(failure));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Draft, RunTexts};

    fn keep(key: &str, at: i64) -> DraftJob {
        let (key, profile, run_name) = (key.to_owned(), String::new(), String::new());
        let texts = RunTexts::new();
        let draft = Draft {
            service: String::new(),
            key,
            project: String::new(),
            profile,
            form: FormFor::New,
            run_name,
            base: None,
            texts,
            at,
            sent: None,
            matrix: false,
            with_suites: None,
            died: false,
        };
        DraftJob::Other(DraftRequest::Keep(Box::new(draft), Vec::new()))
    }

    #[test]
    fn only_the_newest_of_each_draft_is_written_and_only_within_its_turn() {
        let leave = |key: &str| {
            DraftJob::Other(DraftRequest::Leave {
                key: key.to_owned(),
            })
        };
        let jobs = vec![
            keep("a", 1),
            keep("b", 2),
            keep("a", 3),
            leave("b"),
            keep("a", 4),
            keep("a", 5),
            DraftJob::Take(RequestId(1), FormFor::New, DraftWish::Newest),
            keep("a", 6),
        ];
        let jobs = jobs
            .into_iter()
            .map(|job| (DraftOwner::default(), job))
            .collect();
        let left = newest(jobs).into_iter().map(|(_, job)| match job {
            DraftJob::Other(DraftRequest::Keep(draft, _)) => draft.at,
            _ => 0,
        });
        assert_eq!(left.collect::<Vec<_>>(), [2, 3, 0, 5, 0, 6]);
    }
}

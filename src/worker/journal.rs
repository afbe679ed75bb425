//! The journal of writes, for the screen and for undo.

use serde_json::Value;

use super::prelude::*;
use crate::disk::{Recorded, StateFolder, WriteOrigin, WriteRecord};
use crate::domain::{
    RunTexts, SAME_WORDS, Unfinished, method, same_words, short, short_both, text,
};
use crate::ops;
use crate::ops::undo::{undone, unread};
use crate::store::{JournalLine, JournalPage};

/// Maximum number of changes for the screen, which are searched at each key.
const MOST: usize = 500;

impl Worker {
    /// Reads the journal in the background: all of it, or the changes of one run by this profile.
    pub(super) fn read_journal(&self, id: RequestId, run: Option<DocRef>) {
        let (profile, state) = (self.profile.clone(), self.state.clone());
        let here = self.target();
        self.aside(move || match state.with_journal() {
            Ok(state) => {
                let mut page = read(&state, &profile, &here, run.as_ref());
                let mut events = Vec::new();
                if run.is_none() {
                    let event = unfinished(&state, &profile, &here, false);
                    if let (Event::Unfinished { changes, .. }, Ok(page)) = (&event, &mut page) {
                        show_all(changes, page);
                    }
                    events.push(event);
                }
                events.push(Event::Answer(id, Answer::Journal(page)));
                events
            }
            Err(why) => {
                let remedy = "Nothing is changed from here without it.";
                let failure = local("reading my changes", &why, remedy);
                vec![Event::Answer(id, Answer::Journal(Err(failure)))]
            }
        });
    }
}

/// True if it changed this run, or may have. A deleted run has no history to read.
fn may_have_changed(write: &WriteRecord, run: &DocRef) -> bool {
    let nothing = matches!(write.last(), Some(Recorded::Refused { .. }));
    write.run == run.as_str() && !nothing && !["", method::DELETE].contains(&write.method())
}

/// Describes one suite by its name, several by their ids.
fn suites(write: &WriteRecord) -> String {
    let names: Vec<&str> = names_of_suites(write).collect();
    let sent = write.named_suites().len();
    let ids: Vec<&str> = names
        .iter()
        .map(|name| name.split(' ').next().unwrap_or(""))
        .collect();
    match names.as_slice() {
        [name] if sent == 1 => (*name).to_owned(),
        _ if names.len() == sent && ids.iter().all(|id| id.starts_with("S_")) => ids.join(", "),
        _ => text::count(sent, "suite"),
    }
}

fn names_of_suites(write: &WriteRecord) -> impl Iterator<Item = &str> {
    let names = write.kept_list("suites").iter();
    names.filter_map(Value::as_str)
}

/// Returns the changes of a profile without a known end. Blocks.
pub(super) fn unfinished(
    state: &StateFolder,
    profile: &str,
    here: &WriteTarget,
    first: bool,
) -> Event {
    match ops::unfinished::unfinished(state, profile, here) {
        Ok(changes) => Event::Unfinished { changes, first },
        Err(why) => Event::Trouble(unread(&why)),
    }
}

/// Gives each change without a known end a line of its own where the page has none of it: only there it is gone on with.
fn show_all(changes: &[Unfinished], page: &mut JournalPage) {
    for change in changes {
        if page.lines.iter().any(|line| line.write == change.write) {
            continue;
        }
        let at = ops::unfinished::begun(&change.job).unwrap_or_default();
        let newer = page.lines.iter().take_while(|line| line.at > at).count();
        let line = JournalLine {
            write: change.write.clone(),
            at,
            what: "what was sent is not among the changes here".into(),
            state: "end not known".into(),
            ..JournalLine::default()
        };
        page.lines.insert(newer, line);
    }
}

/// Returns the newest writes for the screen, those of one run by the profile in use, or all. Blocks.
fn read(
    state: &StateFolder,
    profile: &str,
    here: &WriteTarget,
    run: Option<&DocRef>,
) -> Result<JournalPage, Failure> {
    let journal = &state.journal;
    // Before the writes: what ends meanwhile has all of them. Where it is not known, any may be under way.
    let open = state
        .under_way
        .names()
        .and_then(|jobs| Ok((jobs, state.under_way.left()?)));
    let origin = WriteOrigin {
        profile: profile.to_owned(),
        service: here.service.clone(),
    };
    let read = journal
        .newest(run.map(|_| &origin))
        .map_err(|error| unread(&error.to_string()))?;
    let torn = (read.torn > 0).then(|| {
        let left = if read.torn == 1 {
            "it is left as it is"
        } else {
            "they are left as they are"
        };
        let lines = text::count(read.torn, "line");
        let path = journal.path().display();
        format!("{lines} of {path} cannot be read; {left}")
    });
    let undone = undone(&read);
    let line = |write: &WriteRecord| {
        let has = |jobs: &[String]| jobs.iter().any(|job| job == write.job());
        let [is_open, is_left] = open
            .as_ref()
            .map_or([true, false], |(jobs, left)| [has(jobs), has(left)]);
        let mut line = line(write, &read.writes, is_open && !is_left);
        // It was gone on with, or is not to be asked about any more.
        if write.is_unsure() && !is_open {
            line.state = "left at that".into();
        }
        if undone.contains(write.write.as_str()) {
            line.state = "taken back".into();
            line.in_effect = false;
        }
        // Others are taken back from their own profile.
        if let Some((place, words)) = place(write, profile, here) {
            line.place = Some(place);
            line.detail.insert(0, words);
            line.in_effect = false;
        }
        line
    };
    let is_shown = |write: &&WriteRecord| run.is_none_or(|run| may_have_changed(write, run));
    let mut shown: Vec<_> = read.writes.iter().filter(is_shown).collect();
    let all = shown.len();
    shown.truncate(MOST);
    let path = journal.path().display();
    let older =
        (all > MOST).then(|| format!("the newest {MOST} of {all} are here; all are in {path}"));
    let problem = text::join(torn.into_iter().chain(older), "; ");
    Ok(JournalPage {
        lines: shown.into_iter().map(line).collect(),
        problem: Some(problem).filter(|words| !words.is_empty()),
    })
}

/// Returns where the run of a write is, in a few words, and the sentence that says what helps; `None` if that is here.
fn place(write: &WriteRecord, profile: &str, here: &WriteTarget) -> Option<(String, String)> {
    let WriteTarget { service, project } = &write.target;
    if write.profile != profile {
        let at = [project, service].map(String::as_str);
        let at = text::join(at.into_iter().filter(|it| !it.is_empty()), " at ");
        let at = if at.is_empty() { at } else { format!(", {at}") };
        let place = format!("profile {}", write.profile);
        let words = format!("Made with the {place}{at}: change to that profile first.");
        return Some((place, words));
    }
    let why = write.target.elsewhere(here)?;
    let words = format!("{}.", why.replacen("it ", "It ", 1));
    Some((write.target.place(here)?, words))
}

/// Describes a write: what it did, or was to do if it is not done.
fn what(write: &WriteRecord) -> String {
    let Some((method, _)) = write.request() else {
        return "(begun before what was read)".into();
    };
    let did = write.is_done();
    let verb = |did_it, does_it| if did { did_it } else { does_it };
    let words = match method {
        method::SAVE => match write.texts() {
            Some((before, after)) => changes(&before, &after).join("; "),
            None => verb("saved it", "save it").into(),
        },
        method::CREATE => {
            let origin = write.kept_text("origin");
            let origin = origin.map_or_else(String::new, |origin| format!(" ({origin})"));
            let title = short(write.new_title().unwrap_or_default());
            format!("{} \"{title}\"{origin}", verb("made", "make"))
        }
        method::DELETE => verb("deleted it", "delete it").into(),
        other => match write.adds() {
            Some(true) => format!("{} {}", verb("added", "add"), suites(write)),
            Some(false) => format!("{} {}", verb("removed", "remove"), suites(write)),
            None => other.to_owned(),
        },
    };
    let undo = write.kept("undo of").map_or("", |_| "undo: ");
    let then = write
        .kept("then deletes the run")
        .map_or("", |_| " to delete it");
    format!("{undo}{words}{then}")
}

fn changes(before: &RunTexts, after: &RunTexts) -> Vec<String> {
    let after = |field| after.get(field).map_or("", String::as_str);
    before
        .iter()
        .map(|(field, old)| {
            let new = after(field);
            let [short_old, short_new] = short_both([old, new]);
            let now = if same_words(old, new) {
                SAME_WORDS.to_owned()
            } else {
                format!("\"{short_new}\"")
            };
            format!("{} \"{short_old}\" → {now}", field.label())
        })
        .collect()
}

/// Describes how far the deletion came to which this write belongs, unless the run is deleted.
fn half_done(write: &WriteRecord, writes: &[WriteRecord]) -> Option<String> {
    let strips = |it: &WriteRecord| it.kept("then deletes the run").is_some();
    let deletes = |it: &WriteRecord| it.method() == method::DELETE;
    let of_run = writes.iter().filter(|it| it.run == write.run);
    if strips(write) {
        let mut newer = of_run.take_while(|it| it.write != write.write);
        let deletion = newer.find(|it| deletes(it));
        let words = match deletion.and_then(WriteRecord::last) {
            _ if deletion.is_some_and(WriteRecord::is_done) => return None,
            Some(last) if last.is_open() => "Whether the run itself was deleted is not known.",
            _ if write.is_done() => {
                "The run itself was not deleted: delete it again, or undo this, which adds its suites again."
            }
            _ => "The run itself was not deleted: look at its suites first.",
        };
        return Some(words.into());
    }
    let before = |it: &&WriteRecord| strips(it) && it.is_done() && it.job() == write.job();
    let out: usize = of_run.filter(before).map(|it| it.suites().len()).sum();
    (out > 0 && deletes(write) && !write.is_done()).then(|| {
        let suites = text::count_were(out, "suite");
        format!("{suites} removed from the run before.")
    })
}

/// Returns a recorded failure without the id of the log at its end: on the disk they are one text.
fn without_log(recorded: &str) -> &str {
    let ends = recorded.strip_suffix(']');
    let words = ends.and_then(|it| it.rsplit_once(" [log "));
    words.map_or(recorded, |(words, _)| words)
}

fn line(write: &WriteRecord, writes: &[WriteRecord], is_under_way: bool) -> JournalLine {
    let half_done = (!is_under_way).then(|| half_done(write, writes));
    let mut detail = Vec::from_iter(half_done.flatten());
    for (nth, step) in write.steps.iter().enumerate() {
        detail.extend(match &step.step {
            Recorded::Sent { .. } | Recorded::Answered { .. } => None,
            // A reading has decided since.
            Recorded::Unknown { .. } if nth + 1 < write.steps.len() => None,
            Recorded::Refused {
                sent: true,
                failure,
            } => {
                let failure = without_log(failure);
                let failure = failure.strip_prefix("refused: ").unwrap_or(failure);
                Some(format!("The service refused it: {failure}"))
            }
            Recorded::Refused { failure, .. } => Some(format!("It was not sent: {failure}")),
            Recorded::Unknown { failure } => {
                Some(format!("Its end is not known: {}", without_log(failure)))
            }
            Recorded::Confirmed { how } => {
                let how = how.trim_start_matches("read: ");
                Some(format!("Done, and checked: {how}"))
            }
            // A later reading has decided.
            Recorded::Differs { .. } if write.is_confirmed() => None,
            Recorded::Differs { what } if write.is_unsure() => {
                Some(format!("Its end is not known: {what}"))
            }
            Recorded::Differs { what } => Some(format!("It is not as it was sent: {what}")),
            Recorded::Other => Some("A step of another version".into()),
        });
    }
    if let Some((before, after)) = write.texts() {
        detail.extend(before.iter().map(|(field, old)| {
            format!(
                "{}: \"{old}\" → \"{}\"",
                field.label(),
                after.get(field).map_or("", String::as_str)
            )
        }));
    }
    detail.extend(names_of_suites(write).map(|name| format!("Suite {name}")));
    let (method, params) = write
        .request()
        .unwrap_or(("(begun before what was read)", &Value::Null));
    let mut request = vec![
        match write.made_by() {
            Some(by) => format!("profile {}, user {by}, {}", write.profile, write.run),
            None => format!("profile {}, {}", write.profile, write.run),
        },
        format!("request: {method} {params}"),
    ];
    for step in &write.steps {
        match &step.step {
            Recorded::Sent {
                note: Some(note), ..
            } => request.push(format!("kept: {note}")),
            Recorded::Answered { result } => request.push(format!("answer: {result}")),
            Recorded::Unknown { failure }
            | Recorded::Refused {
                sent: true,
                failure,
            } => {
                request.push(format!("came back: {failure}"));
            }
            _ => {}
        }
    }
    JournalLine {
        write: write.write.to_string(),
        at: write.at,
        // The title of a new run is in `what`.
        run: match write.new_title() {
            Some(_) => write.name().to_owned(),
            None if write.id().is_some() => write.run_name.clone(),
            // A probe run is deleted by its title.
            None => writes
                .iter()
                .find(|it| it.run == write.run && it.profile == write.profile && it.id().is_some())
                .map_or(&write.run_name, |named| &named.run_name)
                .clone(),
        },
        what: what(write),
        by: write.made_by().unwrap_or_default().to_owned(),
        place: None,
        state: write.state().into(),
        good: write.is_done(),
        in_effect: write.is_done(),
        detail,
        request,
    }
}

//! The background task with drafts: what it is asked, in its order, and what it answers.

use crate::support::prelude::*;
use rundown::config::{self, ConfigChoice, Profile};
use rundown::disk::State;
use rundown::domain::DraftTaken;
use rundown::domain::DueOf;
use rundown::store::{SampleRequest, SampleWrite};
use rundown::worker::{Closing, Source, Worker};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinHandle;

use super::{draft, drafts, files, json_of, run, take, title};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// The background task of a program, whose service nobody needs.
struct Program {
    effects: Option<UnboundedSender<Effect>>,
    events: UnboundedReceiver<Event>,
    task: JoinHandle<Closing>,
}

/// Profiles `qa` and `other`, at an address where nobody listens.
fn profiles() -> Vec<Profile> {
    let folder = new_folder();
    let file = folder.path().join("config.toml");
    let profile = |name: &str| {
        format!(
            "[profiles.{name}]\nbase_url = \"http://127.0.0.1:9/api\"\nidp_url = \"http://127.0.0.1:9\"\nrealm = \"r\"\n\
             client_id = \"c\"\nproject_id = \"P_9\"\n"
        )
    };
    fs::write(&file, profile("qa") + &profile("other")).unwrap();
    let config = config::load(&ConfigChoice {
        file: Some(file),
        profile: Some("qa".into()),
    })
    .unwrap();
    let (qa, other) = (
        config.profiles["qa"].clone(),
        config.profiles["other"].clone(),
    );
    vec![qa, other]
}

impl Program {
    fn start(folder: &Path) -> Self {
        let state = State::of(folder);
        Self::with(state, Box::pin(async { Ok(profiles()) }))
    }

    fn with(state: State, source: Source) -> Self {
        let (events, happened) = unbounded_channel();
        let (effects, wanted) = unbounded_channel();
        let task = tokio::spawn(Worker::run(events, source, state, wanted, None));
        Self {
            effects: Some(effects),
            events: happened,
            task,
        }
    }

    fn send(&self, effect: Effect) {
        self.effects.as_ref().unwrap().send(effect).unwrap();
    }

    /// Waits for an event that `wanted` makes something of.
    async fn until<T>(&mut self, wanted: impl Fn(Event) -> Option<T>) -> T {
        let found = async {
            loop {
                let event = self.events.recv().await.unwrap();
                if let Some(found) = wanted(event) {
                    return found;
                }
            }
        };
        tokio::time::timeout(Duration::from_secs(20), found)
            .await
            .unwrap()
    }

    async fn takes(&mut self, number: u64, form: FormFor) -> DraftTaken {
        self.send(Effect::Request(
            RequestId(number),
            Request::TakeDraft {
                form,
                wish: DraftWish::Newest,
            },
        ));
        self.until(|event| match event {
            Event::Answer(id, Answer::DraftTaken(result)) if id == RequestId(number) => {
                Some(*result.unwrap())
            }
            _ => None,
        })
        .await
    }

    async fn finds(&mut self) -> Vec<Draft> {
        self.send(Effect::Draft(DraftRequest::Find));
        self.until(|event| {
            if let Event::Drafts(drafts) = event {
                Some(drafts)
            } else {
                None
            }
        })
        .await
    }

    /// Ends as the program does, and gives back what it still said.
    async fn ends(mut self) -> Vec<Event> {
        self.effects.take();
        let ends = async {
            let mut closing = self.task.await.unwrap();
            closing.drafts().await;
            closing.closed().await;
        };
        tokio::time::timeout(Duration::from_secs(20), ends)
            .await
            .unwrap();
        let mut left = Vec::new();
        while let Ok(event) = self.events.try_recv() {
            left.push(event);
        }
        left
    }
}

#[tokio::test]
async fn a_due_date_typed_just_before_the_end_is_kept_whatever_was_asked_before_it() {
    let folder = new_folder();
    let mut program = Program::start(folder.path());
    program.finds().await;
    for id in 1..=3_000 {
        let reads = SampleRequest::History { run: run(id) };
        let id = RequestId(id.into());
        program.send(Effect::Request(id, Request::Samples(reads)));
    }
    program.send(due(1));
    program.ends().await;
    assert_eq!(due_dates(folder.path()), 1);
}

fn due(number: u32) -> Effect {
    Effect::Samples(SampleWrite::SetDue {
        of: DueOf::Run(run(number)),
        at: Some(7),
    })
}

/// Number of the due dates on the disk.
fn due_dates(folder: &Path) -> i64 {
    let kept = rusqlite::Connection::open(folder.join("samples.sqlite")).unwrap();
    kept.query_row("SELECT count(*) FROM due", [], |row| row.get(0))
        .unwrap()
}

/// As a damaged file is advised to be.
#[tokio::test]
async fn due_dates_are_kept_in_a_new_file_where_the_old_one_was_moved_away() {
    let folder = new_folder();
    let mut program = Program::start(folder.path());
    program.finds().await;
    for number in 1..=2 {
        program.send(due(number));
    }
    let reads = SampleRequest::History { run: run(1) };
    program.send(Effect::Request(RequestId(1), Request::Samples(reads)));
    program
        .until(|event| matches!(event, Event::Answer(RequestId(1), _)).then_some(()))
        .await;
    assert_eq!(due_dates(folder.path()), 2);
    for beside in ["", "-wal", "-shm"] {
        let file = folder.path().join(format!("samples.sqlite{beside}"));
        let _ = fs::rename(&file, file.with_extension(format!("away{beside}")));
    }
    program.send(due(3));
    program.ends().await;
    assert_eq!(due_dates(folder.path()), 1);
}

fn keep(key: &str, at: i64) -> Effect {
    keep_with(key, at, Vec::new())
}

fn keep_with(key: &str, at: i64, edited: Vec<PathBuf>) -> Effect {
    let draft = draft(key, &FormFor::New, at, &format!("typed {at}"));
    Effect::Draft(DraftRequest::Keep(Box::new(draft), edited))
}

#[tokio::test]
async fn a_text_from_the_editor_is_removed_once_its_draft_is_on_the_disk() {
    let place = new_folder();
    let mut program = Program::start(place.path());
    let key = program.takes(1, FormFor::New).await.key;
    let file = |name: &str| {
        let path = place.path().join(name);
        fs::write(&path, "typed").unwrap();
        path
    };
    let files = [file("a"), file("b"), file("c")];
    let there = || files.iter().map(|file| file.exists()).collect::<Vec<_>>();
    program.send(keep_with("no such draft", 1, vec![files[0].clone()]));
    program.finds().await;
    assert_eq!(there(), [true; 3]);
    for at in 2..=3 {
        program.send(keep_with(&key, at, vec![files[1].clone()]));
        program.finds().await;
        assert_eq!(there(), [true, false, true]);
    }
    let dropped = DraftRequest::Discard {
        key: None,
        edited: vec![files[2].clone()],
    };
    program.send(Effect::Draft(dropped));
    program.finds().await;
    assert_eq!(there(), [true, false, false]);
}

#[tokio::test]
async fn the_newest_wins_and_the_last_one_is_there_when_the_program_has_ended() {
    let place = new_folder();
    let mut program = Program::start(place.path());
    let key = program.takes(1, FormFor::New).await.key;
    for at in 1..=200 {
        program.send(keep(&key, at));
    }
    let kept: Vec<i64> = program
        .ends()
        .await
        .into_iter()
        .filter_map(|event| match event {
            Event::DraftKept { key: which, result } if which == key => Some(result.unwrap()),
            _ => None,
        })
        .collect();
    assert!(kept.is_sorted() && kept.last() == Some(&200), "{kept:?}");
    assert_eq!(json_of(place.path())["texts"]["Title"], "typed 200");
}

#[tokio::test]
async fn what_is_left_is_offered_and_what_is_dropped_is_not() {
    let place = new_folder();
    let mut program = Program::start(place.path());
    assert!(program.finds().await.is_empty());
    let key = program.takes(1, FormFor::New).await.key;
    program.send(keep(&key, 1));
    assert!(program.finds().await.is_empty(), "its form is open");
    program.send(keep(&key, 2));
    program.send(Effect::Draft(DraftRequest::Leave { key: key.clone() }));
    let found = program.finds().await;
    assert_eq!(found.iter().map(title).collect::<Vec<_>>(), ["typed 2"]);
    let taken = program.takes(2, FormFor::New).await;
    assert_eq!(
        (&taken.key, taken.before.as_ref().map(title)),
        (&key, Some("typed 2"))
    );
    program.send(Effect::Draft(DraftRequest::Discard {
        key: Some(key),
        edited: Vec::new(),
    }));
    assert!(program.finds().await.is_empty());
    assert_eq!(program.takes(3, FormFor::New).await.before, None);
}

#[tokio::test]
async fn every_profile_has_its_own() {
    let place = new_folder();
    let mut program = Program::start(place.path());
    let key = program.takes(1, FormFor::New).await.key;
    program.send(keep(&key, 1));
    program.send(Effect::Draft(DraftRequest::Leave { key: key.clone() }));
    program.send(Effect::Connect {
        profile: "other".into(),
    });
    // It is named there.
    assert_eq!(program.finds().await[0].profile, "qa");
    let taken = program.takes(2, FormFor::New).await;
    assert!(taken.before.is_none() && taken.key != key);
    program.send(Effect::Connect {
        profile: "qa".into(),
    });
    assert_eq!(program.finds().await.len(), 1);
}

#[tokio::test]
async fn what_cannot_be_kept_is_told_with_the_place() {
    let place = new_folder();
    let mut program = Program::start(place.path());
    let key = program.takes(1, FormFor::New).await.key;
    program.send(keep(&key, 1));
    let drafts = place.path().join("drafts");
    let answer = |event| {
        if let Event::DraftKept { result, .. } = event {
            Some(result)
        } else {
            None
        }
    };
    assert_eq!(program.until(answer).await, Ok(1));
    fs::rename(&drafts, place.path().join("away")).unwrap();
    fs::write(&drafts, "in the way").unwrap();
    program.send(keep(&key, 2));
    let failure = program.until(answer).await.unwrap_err();
    assert_eq!(failure.asked, "keeping the draft");
    assert!(
        failure.cause.contains("/drafts cannot be opened"),
        "{failure:?}"
    );
    fs::remove_file(&drafts).unwrap();
    fs::rename(place.path().join("away"), &drafts).unwrap();
    program.send(keep(&key, 3));
    assert_eq!(program.until(answer).await, Ok(3));
}

#[tokio::test]
async fn a_damaged_draft_is_told_once() {
    let place = new_folder();
    let key = take(&drafts(place.path()), &FormFor::New).key;
    fs::write(place.path().join(format!("drafts/{key}.json")), "half").unwrap();
    let mut program = Program::start(place.path());
    program.send(Effect::Draft(DraftRequest::Find));
    let told = program
        .until(|event| {
            if let Event::Trouble(failure) = event {
                Some(failure)
            } else {
                None
            }
        })
        .await;
    assert!(
        told.cause.contains("broken-1") && told.asked == "reading a draft",
        "{told:?}"
    );
    assert!(program.finds().await.is_empty());
    assert!(
        files(place.path())
            .iter()
            .any(|name| name.ends_with("broken-1"))
    );
}

/// It stays where it is, and each listing finds it.
#[tokio::test]
async fn a_draft_of_another_version_is_told_once() {
    let place = new_folder();
    let key = take(&drafts(place.path()), &FormFor::New).key;
    let file = place.path().join(format!("drafts/{key}.json"));
    fs::write(&file, "{\"format\": 99}").unwrap();
    let program = Program::start(place.path());
    for _ in 0..3 {
        program.send(Effect::Draft(DraftRequest::Find));
    }
    let events = program.ends().await;
    let is_told = |event: &&Event| matches!(event, Event::Trouble(failure) if failure.cause.contains("format 99"));
    assert_eq!(events.iter().filter(is_told).count(), 1, "{events:?}");
    assert!(file.exists());
}

#[tokio::test]
async fn without_a_folder_everything_is_told() {
    let mut program = Program::with(
        State::none("there is no home directory"),
        Box::pin(async { Ok(profiles()) }),
    );
    program.send(Effect::Request(
        RequestId(1),
        Request::TakeDraft {
            form: FormFor::New,
            wish: DraftWish::Newest,
        },
    ));
    program.send(keep("key", 1));
    program.send(Effect::Draft(DraftRequest::Find));
    program.send(Effect::Request(
        RequestId(2),
        Request::Samples(SampleRequest::Due),
    ));
    let failures = [
        // Told once, at the start; what else cannot be read then is not told again.
        program
            .until(|event| {
                if let Event::Trouble(failure) = event {
                    Some(failure)
                } else {
                    None
                }
            })
            .await,
        program
            .until(|event| {
                if let Event::Answer(_, Answer::DraftTaken(result)) = event {
                    result.err()
                } else {
                    None
                }
            })
            .await,
        program
            .until(|event| {
                if let Event::DraftKept { result, .. } = event {
                    result.err()
                } else {
                    None
                }
            })
            .await,
    ];
    let remedy = &failures[0].remedy;
    assert_eq!(
        remedy,
        "no change can be sent and no draft is kept until that is mended; there is no chart and no forecast"
    );
    for failure in failures {
        assert!(
            failure.cause.contains("no home directory") && !failure.remedy.is_empty(),
            "{failure:?}"
        );
    }
    let left = program.ends().await;
    let is_trouble = |event: &Event| matches!(event, Event::Trouble(_));
    assert!(!left.iter().any(is_trouble), "{left:?}");
}

/// Whoever follows the message goes on in the same window.
#[tokio::test]
async fn a_folder_that_is_mended_while_the_program_runs_is_used() {
    let place = new_folder();
    let folder = place.path().join("rundown");
    let open_to = |mode| fs::set_permissions(&folder, fs::Permissions::from_mode(mode)).unwrap();
    fs::create_dir_all(&folder).unwrap();
    open_to(0o777);
    let mut program = Program::start(&folder);
    program.send(Effect::Draft(DraftRequest::Seek));
    let trouble = |event| match event {
        Event::Trouble(failure) => Some(failure.asked),
        _ => None,
    };
    for asked in ["opening the state directory", "looking for drafts"] {
        assert_eq!(program.until(trouble).await, asked);
    }
    let takes = |number| {
        let wish = DraftWish::Newest;
        let form = FormFor::New;
        Effect::Request(RequestId(number), Request::TakeDraft { form, wish })
    };
    program.send(takes(1));
    let refused = |event| match event {
        Event::Answer(_, Answer::DraftTaken(result)) => Some(result.is_err()),
        _ => None,
    };
    assert!(program.until(refused).await);
    open_to(0o700);
    let key = program.takes(2, FormFor::New).await.key;
    program.send(keep(&key, 1));
    let kept = |event| match event {
        Event::DraftKept { result, .. } => Some(result),
        _ => None,
    };
    program.until(kept).await.unwrap();
    program.send(Effect::Draft(DraftRequest::Leave { key }));
    assert_eq!(program.finds().await.len(), 1);
}

/// A fault of the journal stops changes, and nothing else.
#[tokio::test]
async fn what_is_typed_is_kept_without_a_journal() {
    let place = new_folder();
    let folder = place.path().join("rundown");
    fs::create_dir_all(folder.join("journal.ndjson")).unwrap();
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o700)).unwrap();
    let mut program = Program::start(&folder);
    let remedy = |event| match event {
        Event::Trouble(failure) => Some(failure.remedy),
        _ => None,
    };
    assert_eq!(
        program.until(remedy).await,
        "no change can be sent until that is mended"
    );
    let key = program.takes(1, FormFor::New).await.key;
    program.send(keep(&key, 1));
    program.send(Effect::Draft(DraftRequest::Leave { key }));
    assert_eq!(program.finds().await.len(), 1);
}

/// The program was killed while an editor had the text.
#[tokio::test]
async fn a_text_from_an_editor_that_no_form_took_is_told_at_the_start() {
    let place = new_folder();
    let edits = place.path().join("edit");
    fs::create_dir(&edits).unwrap();
    let mut program = Program::start(place.path());
    let trouble = |event| match event {
        Event::Trouble(failure) => Some(Some(failure)),
        Event::Drafts(_) => Some(None),
        _ => None,
    };
    program.send(Effect::Draft(DraftRequest::Find));
    assert_eq!(program.until(trouble).await, None);
    program.ends().await;
    fs::write(edits.join("rundown-aB3.md"), "typed in the editor").unwrap();
    let mut program = Program::start(place.path());
    let failure = program.until(trouble).await.unwrap();
    says(&failure.cause, "in no form, or open in another window: ");
    says(&failure.cause, "/edit/rundown-aB3.md");
    assert_eq!(failure.remedy, "copy what is wanted, then remove the file");
    program.ends().await;
    let text = fs::read_to_string(edits.join("rundown-aB3.md")).unwrap();
    assert_eq!(text, "typed in the editor");
}

#[tokio::test]
async fn quitting_does_not_wait_for_profiles() {
    let place = new_folder();
    let state = State::of(place.path());
    let program = Program::with(state, Box::pin(std::future::pending()));
    program.send(Effect::Draft(DraftRequest::Find));
    let left = program.ends().await;
    assert!(left.contains(&Event::Drafts(Vec::new())), "{left:?}");
}

//! Every write with every fault: what is said of it, as words, JSON and exit status, against what the database holds and
//! what the service received. And every reading: one that passes within its tries is not seen.

use super::scene::{Ran, Scene};
use super::support::walk::{WRITES, WRONG, Write, Wrong, is_true};
use crate::support::prelude::*;

/// One cell of the table.
struct Cell {
    /// What is told of the write in JSON.
    told: Value,
    /// What stands on standard error.
    said: String,
    status: Option<i32>,
    /// Whether it is in effect once all is quiet.
    in_effect: bool,
    /// How often it was sent.
    sent: usize,
}

async fn cell(write: Write, wrong: Wrong) -> Cell {
    let more = format!(
        "request_timeout_seconds = {}\nproject_version = \"1.2.0\"",
        wrong.time_out().as_secs()
    );
    let scene = Scene::with(Options::default(), &more).await;
    let other = scene.other().await;
    other.add_run("Stays empty").await;
    let run = other.add_run("Before").await;
    let suite = scene.free(&run).await.remove(0);
    if write == Write::Remove {
        other.add_suites(&run, std::slice::from_ref(&suite)).await;
    }
    scene.proxy.fault_for(write.method(), wrong.fault());
    let line = match write {
        Write::Add => format!("suites add {run} {suite}"),
        Write::Remove => format!("suites remove {run} {suite}"),
        Write::Create => "runs create --title Made".into(),
        Write::Modify => format!("runs modify {run} --title After"),
        Write::Delete => format!("runs delete {run} --yes-delete {run}"),
    };
    let ran = scene.run(&format!("{line} --format json")).await;
    let told = ran.json(schema(write));
    if wrong == Wrong::Slow {
        pause(1_500).await;
    }
    Cell {
        told: match write {
            Write::Delete => told["runs"][0].clone(),
            _ => told,
        },
        said: ran.err,
        status: ran.status,
        in_effect: in_effect(&scene, write, &run, &suite),
        sent: scene.proxy.count(write.method()),
    }
}

fn schema(write: Write) -> &'static str {
    match write {
        Write::Add | Write::Remove => "suites_changed",
        Write::Create => "run_created",
        Write::Modify => "run_modified",
        Write::Delete => "runs_deleted",
    }
}

/// What is told of it in one word besides its end.
fn in_a_word(write: Write, end: &str) -> (&'static str, &'static str) {
    let is_of_suites = matches!(write, Write::Add | Write::Remove);
    let word = match end {
        "done" => "confirmed",
        _ if is_of_suites => "differs",
        "unknown" => "unknown",
        _ => "refused",
    };
    (if is_of_suites { "verdict" } else { "outcome" }, word)
}

fn in_effect(scene: &Scene, write: Write, run: &DocRef, suite: &DocRef) -> bool {
    match write {
        Write::Add => scene.truth(run).contains(suite),
        Write::Remove => !scene.truth(run).contains(suite),
        Write::Create => scene.titled("Made") == 1,
        Write::Modify => {
            scene.document(run).unwrap()["Root"]["General"]["Title"].as_str() == Some("After")
        }
        Write::Delete => scene.document(run).is_none(),
    }
}

impl Scene {
    /// How many runs of this title the database holds.
    fn titled(&self, title: &str) -> usize {
        let database = rusqlite::Connection::open(self.service.database()).unwrap();
        let mut all = database.prepare("SELECT doc FROM docs").unwrap();
        let documents = all.query_map([], |row| row.get::<_, String>(0)).unwrap();
        let documents =
            documents.map(|text| serde_json::from_str::<Value>(&text.unwrap()).unwrap());
        documents
            .filter(|document| document["Root"]["General"]["Title"] == title)
            .count()
    }
}

#[tokio::test]
async fn what_is_said_of_a_write_is_true_whatever_goes_wrong() {
    let mut false_words = Vec::new();
    for wrong in WRONG {
        let mut row = Vec::new();
        for write in WRITES {
            row.push((write, tokio::spawn(cell(write, wrong))));
        }
        for (write, cell) in row {
            let cell = cell.await.unwrap();
            let end = cell.told["end"].as_str().unwrap_or("nothing");
            println!("{wrong:?}\t{write:?}\t{:?}\t{}", cell.status, cell.told);
            let (mut expected, mut code) = wrong.expected();
            // On a busy machine the last reading may come after it was done.
            if wrong == Wrong::Slow && end == "done" {
                (expected, code) = ("done", 0);
            }
            let Cell {
                told,
                said,
                status,
                in_effect,
                sent,
            } = &cell;
            let good = is_true(end, *in_effect) && end == expected && *status == Some(code);
            let (name, word) = in_a_word(write, end);
            // The line goes on behind the last sentence.
            let words = told["words"].as_str().unwrap().trim_end_matches('.');
            let in_words = code == 0 || said.contains(words);
            let search = (&told["found"], &told["run"]);
            let searched = (write, wrong) != (Write::Create, Wrong::CutBefore)
                || search == (&json!([]), &Value::Null);
            // Nor is a reading always answered in so short a time.
            let unread = wrong == Wrong::Slow && told[name] == "unread";
            let in_word = told[name] == word || unread;
            if !good || *sent != 1 || !in_word || !in_words || !searched {
                false_words.push(format!(
                    "{write:?} with {wrong:?}: {told}, {said:?}, status {status:?}, in effect: {in_effect}, sent {sent} times"
                ));
            }
        }
    }
    assert!(false_words.is_empty(), "{}", false_words.join("\n"));
}

/// What goes wrong with a reading, in this order.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fails {
    Once,
    Busy,
    TimesOut,
    Cut,
    /// The session is over, and the password begins another.
    SignedOut,
    ForEver,
    /// The session is over, and the password is refused: no further one is tried after it.
    Refused,
}

const FAILS: [Fails; 7] = [
    Fails::Once,
    Fails::Busy,
    Fails::TimesOut,
    Fails::Cut,
    Fails::SignedOut,
    Fails::ForEver,
    Fails::Refused,
];

/// A command that reads.
struct Reads {
    line: String,
    /// Calls that end well before the fault.
    before: usize,
    /// It prints the same each time.
    same: bool,
    /// Its status while the service fails for ever; none where it goes on then.
    for_ever: Option<i32>,
}

impl Reads {
    fn new(line: String, before: usize) -> Self {
        let (same, for_ever) = (true, Some(4));
        Self {
            line,
            before,
            same,
            for_ever,
        }
    }
}

impl Fails {
    fn plan(self, proxy: &Proxy, before: usize) {
        let over = br#"{"error":"invalid_grant","error_description":"over"}"#;
        let over = || Fault::Replace(400, over.to_vec());
        match self {
            Self::Once => proxy.plan(false, before, 1, Fault::status(503)),
            Self::Busy => proxy.plan(false, before, 1, Fault::Busy(429, "1".into())),
            Self::TimesOut => proxy.plan(false, before, 1, Fault::delay(60_000)),
            Self::Cut => proxy.plan(false, before, 1, Fault::CutAfter),
            Self::SignedOut => {
                proxy.plan(false, before, 1, Fault::status(401));
                // The first signs in.
                proxy.plan(true, 1, 1, over());
            }
            Self::ForEver => proxy.plan(false, before, usize::MAX >> 1, Fault::status(503)),
            Self::Refused => {
                proxy.plan(false, before, 1, Fault::status(401));
                proxy.plan(true, 1, 2, over());
            }
        }
    }
}

/// A row of the table: what is wrong in it.
async fn row(scene: Arc<Scene>, reads: Reads) -> Vec<String> {
    let Reads {
        line,
        before,
        same,
        for_ever,
    } = reads;
    let usual = scene.run(&line).await;
    let mut wrong = Vec::new();
    if usual.status != Some(0) {
        wrong.push(format!("{line}: {usual:?}"));
    }
    for fails in FAILS {
        let expected = match fails {
            Fails::ForEver if for_ever.is_none() => continue,
            Fails::ForEver => for_ever,
            Fails::Refused => Some(3),
            _ => Some(0),
        };
        fails.plan(&scene.proxy, before);
        let begun = Instant::now();
        let ran: Ran = scene.run(&line).await;
        let left = scene.proxy.unplan();
        println!(
            "{fails:?}\t{line}\t{:?}\t{:?}\t{}",
            ran.status,
            begun.elapsed(),
            ran.err
        );
        let good = match expected {
            Some(0) => !same || ran.out == usual.out,
            Some(3) => ran.err.contains("over") && ran.out.is_empty(),
            Some(5) => {
                ran.err.contains("the last look: reading the run")
                    && ran.err.ends_with("in a while.\n")
            }
            _ => ran.err.contains("the service is unavailable (503)") && ran.out.is_empty(),
        };
        let paused = fails != Fails::Busy || begun.elapsed() >= Duration::from_secs(1);
        let met = left == 0 || fails == Fails::ForEver;
        if ran.status != expected || !good || !paused || !met {
            wrong.push(format!(
                "{line} with {fails:?}: {ran:?}, not met {left} times"
            ));
        }
    }
    wrong
}

#[tokio::test]
async fn no_reading_fails_on_what_passes_within_its_tries() {
    let mut rows = Vec::new();
    for kind in 0..17 {
        rows.push(tokio::spawn(async move {
            let more = "request_timeout_seconds = 5\npage_size = 20\nproject_version = \"1.2.0\"\n\
                        web_url = \"https://web.example/{id}\"";
            let options = options(|it| (it.runs, it.suites) = (60, 20));
            let scene = Arc::new(Scene::with(options, more).await);
            let other = scene.other().await;
            let run = other.add_run("Reads").await;
            let suites = scene.free(&run).await;
            other.add_suites(&run, &suites[..2]).await;
            let closed = other.add_run("Closed").await;
            other.close(&closed).await;
            let document = scene.document(&run).unwrap();
            let id = document["Root"]["General"]["Id"].as_str().unwrap();
            let free = &suites[2];
            let new = |line: String, before| Reads::new(line, before);
            let reads = match kind {
                0 => new("runs list --all-versions --all".into(), 2),
                1 => new(
                    "runs list --query is:open --all-versions --format json".into(),
                    1,
                ),
                2 => new("runs list --format ndjson".into(), 0),
                3 => new(format!("runs show {id}"), 1),
                // Without counts it is shown, too.
                4 => new(format!("runs show {run} --format json"), 0),
                5 => new(format!("suites available {id}"), 1),
                6 => new(format!("suites attached {id} --format csv"), 2),
                7 => new(format!("gate {run} {closed} --expr '1 == 1'"), 1),
                8 => Reads {
                    for_ever: Some(5),
                    ..new(
                        format!("gate {run} --expr '1 == 1' --timeout 12s --every 1s"),
                        0,
                    )
                },
                9 => Reads {
                    same: false,
                    for_ever: None,
                    ..new(format!("watch {closed} --until-done --every 1s"), 0)
                },
                10 => new("sync".into(), 0).with(|it| it.same = false),
                11 => new("sync --all".into(), 1).with(|it| it.same = false),
                12 => new(format!("suites add {run} {free} --dry-run"), 1),
                13 => new(format!("suites remove {run} {} --dry-run", suites[0]), 2),
                14 => new(
                    format!("runs create --clone {run} --with-suites --title T --dry-run"),
                    1,
                ),
                15 => new(format!("runs modify {run} --title T --dry-run"), 0),
                _ => new(format!("runs delete {run} --dry-run --empty"), 1),
            };
            let wrong = row(Arc::clone(&scene), reads).await;
            assert_eq!(scene.writes(), Vec::<String>::new());
            wrong
        }));
    }
    let mut wrong = Vec::new();
    for row in rows {
        wrong.extend(row.await.unwrap());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

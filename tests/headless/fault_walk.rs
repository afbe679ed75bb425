//! Every write with every fault: what is said of it, as words, JSON and exit status, against what the database holds and
//! what the service received.

use super::scene::Scene;
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
    let other = desk_client(&scene.service).await;
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
        tokio::time::sleep(Duration::from_millis(1_500)).await;
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
            let in_words = code == 0 || said.contains(told["words"].as_str().unwrap());
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

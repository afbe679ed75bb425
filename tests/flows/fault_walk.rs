//! Every write by keys with every fault: the last screen, against what the database holds and what the service received.

use super::support::desk::Desk;
use super::support::walk::{WRITES, WRONG, Write, Wrong, is_true};
use super::{Scene, scene_with};
use crate::support::prelude::*;

/// One cell of the table: what the screen says, whether it is in effect once all is quiet, and how often it was sent.
struct Cell {
    end: &'static str,
    in_effect: bool,
    sent: usize,
    screen: String,
}

/// The sentence of the last screen, as one of four.
fn told(screen: &str, write: Write) -> Option<&'static str> {
    let words = screen.replace(['│', '\n'], " ");
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    let (done, not_done, in_doubt) = match write {
        Write::Add => (
            "1 suite added to R_",
            "Nothing added to R_",
            "may be changed",
        ),
        Write::Remove => (
            "1 suite removed from R_",
            "Nothing removed from R_",
            "may be changed",
        ),
        Write::Create => ("created", "not created", "may exist"),
        Write::Modify => ("saved", "not saved", "may be changed"),
        Write::Delete => ("deleted", "not deleted", "may be deleted"),
    };
    let of_a_run = |words: &str, verb: &str| {
        let names = words.split("R_").skip(1);
        let mut rests = names.map(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit()));
        rests.any(|rest| rest.trim_start().starts_with(verb))
    };
    if words.contains(in_doubt) {
        return Some("unknown");
    }
    if words.contains(not_done) {
        let why = words.split(not_done).nth(1).unwrap_or_default();
        let why = why
            .trim_start_matches(|c: char| c.is_ascii_digit() || c == ':')
            .trim_start();
        return if why.starts_with("not sent") {
            Some("not_sent")
        } else if why.starts_with("refused") {
            Some("refused")
        } else {
            None
        };
    }
    let is_done = match write {
        Write::Add | Write::Remove => words.contains(done),
        Write::Create | Write::Modify | Write::Delete => of_a_run(&words, done),
    };
    is_done.then_some("done")
}

impl Scene {
    /// The keys that make the write, up to the one that sends it.
    async fn press_up_to_the_button(&mut self, write: Write, run: &DocRef) {
        self.go_to(run).await;
        match write {
            Write::Add => {
                self.desk.press(&["a"]);
                self.read_whole().await;
                self.desk.press(&["Space", "Enter"]);
            }
            Write::Remove => {
                self.desk.press_until(&["s"], "\n1 suite\n").await;
                self.desk.press(&["Space", "x", "Tab"]);
            }
            Write::Create => {
                self.desk.press(&["n"]);
                self.form_is_here().await;
                self.desk.paste("Made");
                self.review().await;
            }
            Write::Modify => {
                self.desk.press(&["e"]);
                self.form_is_here().await;
                self.desk.paste(" After");
                self.review().await;
            }
            Write::Delete => {
                let id = self.desk.store.here().name().to_owned();
                self.desk.press_until(&["D", &id], "Enter deletes").await;
            }
        }
    }

    async fn in_effect(&self, write: Write, run: &DocRef) -> bool {
        match write {
            Write::Add => self.truth(run).len() == 1,
            Write::Remove => self.truth(run).is_empty(),
            Write::Create => !self.titled("Made").await.is_empty(),
            Write::Modify => {
                self.stored(run).await["document"]["Root"]["General"]["Title"] == "Before After"
            }
            Write::Delete => self.titled("Before").await.is_empty(),
        }
    }
}

async fn cell(write: Write, wrong: Wrong) -> Cell {
    let mut scene = scene_with(Options::default(), |profile| {
        profile.project_version = Some("1.2.0".into());
        profile.request_timeout = wrong.time_out();
        profile.read_again = [20, 50, 100].map(Duration::from_millis).into();
    })
    .await;
    let other = scene.other().await;
    let run = other.add_run("Before").await;
    if write == Write::Remove {
        let free = other.free(&run).await;
        other.add_suites(&run, &free[..1]).await;
    }
    scene.press_up_to_the_button(write, &run).await;
    scene.proxy.fault_for(write.method(), wrong.fault());
    scene.press(&["Enter"]);
    let said = |desk: &Desk| told(&desk.screen(), write).is_some();
    scene
        .until_that(&format!("the end of {write:?} with {wrong:?}"), said)
        .await;
    if wrong == Wrong::Slow {
        pause(1_500).await;
        scene.catch_up();
    }
    assert!(
        scene.store.login().is_none(),
        "nobody types a configured password:\n{}",
        scene.screen()
    );
    let screen = scene.screen();
    Cell {
        end: told(&screen, write).unwrap_or("nothing"),
        in_effect: scene.in_effect(write, &run).await,
        sent: scene.proxy.count(write.method()),
        screen,
    }
}

#[tokio::test]
async fn what_the_screen_says_of_a_write_is_true_whatever_goes_wrong() {
    tokio::task::LocalSet::new().run_until(walk()).await;
}

async fn walk() {
    let mut false_words = Vec::new();
    for wrong in WRONG {
        let mut row = Vec::new();
        for write in WRITES {
            row.push((write, tokio::task::spawn_local(cell(write, wrong))));
        }
        for (write, cell) in row {
            let Cell {
                end,
                in_effect,
                sent,
                screen,
            } = cell.await.unwrap();
            println!("{wrong:?}\t{write:?}\t{end}\tin effect: {in_effect}\tsent: {sent}");
            let (mut expected, _) = wrong.expected();
            // On a busy machine the last reading may come after it was done.
            if wrong == Wrong::Slow && end == "done" {
                expected = "done";
            }
            if !is_true(end, in_effect) || sent != 1 || end != expected {
                false_words.push(format!(
                    "{write:?} with {wrong:?}: {end}, in effect: {in_effect}, sent {sent} times\n{screen}"
                ));
            }
        }
    }
    assert!(false_words.is_empty(), "{}", false_words.join("\n"));
}

//! Two programs with one form open.

use crate::support::prelude::*;
use std::fs::File;
use std::io::{BufRead, BufReader, Lines, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use rundown::disk::DiskError;

use super::{draft, drafts, fresh, run, take, title};
use crate::support::children::{child, told};

fn form() -> FormFor {
    FormFor::Edit(run(1))
}

/// Opens the form, keeps what it is told to type, line by line, and closes it at the end of its input.
#[test]
#[ignore = "a process that the tests start"]
fn child_has_the_form_open() {
    let Some((folder, number)) = told() else {
        return;
    };
    let drafts = drafts(&folder);
    let taken = take(&drafts, &form());
    println!(
        "\ntaken {} {}",
        taken.key,
        taken.before.as_ref().map_or("nothing", title)
    );
    for (at, line) in (0..).zip(std::io::stdin().lines().map_while(Result::ok)) {
        drafts
            .keep(&draft(
                &taken.key,
                &form(),
                i64::from(number) * 100 + at,
                &line,
            ))
            .unwrap();
        println!("kept");
    }
    drafts.leave(&taken.key);
}

struct Other {
    child: Child,
    input: Option<ChildStdin>,
    output: Lines<BufReader<ChildStdout>>,
}

impl Other {
    /// Starts another program and says what it has taken.
    fn open(folder: &Path, number: u32) -> (Self, String) {
        let mut command = child(
            "drafts::two_programs::child_has_the_form_open",
            folder,
            number,
        );
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (input, output) = (
            child.stdin.take(),
            BufReader::new(child.stdout.take().unwrap()).lines(),
        );
        let mut other = Self {
            child,
            input,
            output,
        };
        let taken = other.until("taken ");
        (other, taken)
    }

    fn until(&mut self, start: &str) -> String {
        let mut lines = self.output.by_ref().map_while(Result::ok);
        lines
            .find_map(|line| line.strip_prefix(start).map(str::to_owned))
            .unwrap()
    }

    fn types(&mut self, text: &str) {
        writeln!(self.input.as_mut().unwrap(), "{text}").unwrap();
        self.until("kept");
    }

    fn closes(mut self) {
        self.input.take();
        assert!(self.child.wait().unwrap().success());
    }

    fn dies(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

#[test]
fn the_second_says_so_and_has_a_draft_of_its_own() {
    let place = new_folder();
    let (mut other, _) = Other::open(place.path(), 1);
    other.types("theirs");
    let drafts = drafts(place.path());
    let taken = take(&drafts, &form());
    assert_eq!(
        (taken.other, &taken.before),
        (Some(other.child.id()), &None)
    );
    drafts.keep(&draft(&taken.key, &form(), 2, "mine")).unwrap();
    other.types("theirs, longer");
    assert!(
        drafts.list(&owner("qa")).unwrap().found.is_empty(),
        "both are open"
    );
    assert_eq!(
        take(&drafts, &FormFor::New).other,
        None,
        "another form is nobody's"
    );
    let first = taken.key.trim_end_matches("-2");
    assert_ne!(first, taken.key);
    let error = drafts.discard(first).unwrap_err();
    assert!(
        matches!(error, DiskError::OpenElsewhere { process } if process == other.child.id()),
        "{error}"
    );
    other.closes();
    let left = drafts.list(&owner("qa")).unwrap().found;
    assert_eq!(
        left.iter().map(title).collect::<Vec<_>>(),
        ["theirs, longer"]
    );
    drafts.leave(&taken.key);
    assert_eq!(drafts.list(&owner("qa")).unwrap().found.len(), 2);
}

#[test]
fn two_programs_are_not_in_the_folder_at_once() {
    let (place, drafts) = fresh();
    drafts.leave(&take(&drafts, &form()).key);
    let other = File::open(place.path().join("drafts/.lock")).unwrap();
    other.lock().unwrap();
    let (done, waits) = std::sync::mpsc::channel();
    std::thread::scope(|scope| {
        scope.spawn(|| done.send(take(&drafts, &form())).unwrap());
        assert!(
            waits.recv_timeout(Duration::from_millis(100)).is_err(),
            "the other one is still at it"
        );
        other.unlock().unwrap();
        let taken = waits.recv().unwrap();
        assert_eq!((taken.before, taken.other), (None, None));
    });
}

#[test]
fn a_fresh_draft_leaves_the_kept_ones_alone_and_each_can_be_taken_by_its_key() {
    let (_place, drafts) = fresh();
    let fresh = || {
        drafts
            .take(&owner("qa"), &FormFor::New, &DraftWish::Fresh)
            .unwrap()
            .found
    };
    let mut keys = Vec::new();
    for text in ["one", "two", "three"] {
        let taken = fresh();
        assert_eq!((&taken.before, taken.other), (&None, None));
        drafts
            .keep(&draft(&taken.key, &FormFor::New, 5, text))
            .unwrap();
        drafts.leave(&taken.key);
        keys.push(taken.key);
    }
    assert_eq!(drafts.list(&owner("qa")).unwrap().found.len(), 3);
    let second = drafts
        .take(
            &owner("qa"),
            &FormFor::New,
            &DraftWish::Kept(keys[1].clone()),
        )
        .unwrap()
        .found;
    assert_eq!(
        (&second.key, second.before.as_ref().map(title)),
        (&keys[1], Some("two"))
    );
    drafts.discard(&keys[1]).unwrap();
    // What is gone meanwhile is a new one, and the others are not taken in its place.
    let gone = drafts
        .take(
            &owner("qa"),
            &FormFor::New,
            &DraftWish::Kept(keys[1].clone()),
        )
        .unwrap()
        .found;
    assert_eq!(gone.before, None);
    drafts.leave(&gone.key);
    assert_eq!(drafts.list(&owner("qa")).unwrap().found.len(), 2);
}

#[test]
fn only_the_same_form_of_the_same_profile_is_open_elsewhere() {
    let place = new_folder();
    let elsewhere = drafts(place.path());
    for (profile, form) in [
        ("live", form()),
        ("qa", FormFor::Edit(run(2))),
        ("qa", FormFor::Clone(run(1))),
        ("qa", FormFor::New),
    ] {
        elsewhere
            .take(&owner(profile), &form, &DraftWish::Newest)
            .unwrap();
    }
    assert_eq!(take(&drafts(place.path()), &form()).other, None);
    elsewhere
        .take(&owner("qa"), &form(), &DraftWish::Newest)
        .unwrap();
    let us = std::process::id();
    assert_eq!(take(&drafts(place.path()), &form()).other, Some(us));
}

#[test]
fn the_newest_that_nobody_has_open_comes_first_and_the_others_after_it() {
    let (place, drafts) = fresh();
    let mut others: Vec<Other> = (1..=3)
        .map(|number| Other::open(place.path(), number).0)
        .collect();
    // The newest by its time is that of the third.
    for (number, other) in others.iter_mut().enumerate() {
        other.types(&format!("text {}", number + 1));
    }
    others.remove(2).dies();
    others.remove(0).closes();
    let mut seen = Vec::new();
    for _ in 0..2 {
        let taken = take(&drafts, &form());
        assert_eq!(taken.other, Some(others[0].child.id()));
        seen.push(title(&taken.before.unwrap()).to_owned());
        drafts.discard(&taken.key).unwrap();
    }
    assert_eq!(seen, ["text 3", "text 1"]);
    others.remove(0).dies();
    assert_eq!(
        take(&drafts, &form()).before.as_ref().map(title),
        Some("text 2")
    );
}

#[test]
fn a_killed_program_leaves_its_draft_and_no_lock() {
    let place = new_folder();
    let (mut other, taken) = Other::open(place.path(), 1);
    assert!(taken.ends_with(" nothing"), "{taken}");
    other.types("typed");
    other.dies();
    let (other, taken) = Other::open(place.path(), 2);
    assert!(taken.ends_with(" typed"), "{taken}");
    other.closes();
    let taken = take(&drafts(place.path()), &form());
    assert_eq!(
        (taken.other, taken.before.as_ref().map(title)),
        (None, Some("typed"))
    );
}

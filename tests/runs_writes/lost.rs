//! Runs whose answer is lost: looked for by title, configuration and time, and never sent again.

use crate::support::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};

use rundown::disk::{WriteId, WriteStep};
use rundown::domain::{Created, Deed, DraftSent, Lookup};

use super::bench::{Bench, create_of, names, saved, together, why};
use super::scene::Scene;

const ADD: &str = "ADD_DOCUMENT";
/// When what is looked for was sent, epoch milliseconds.
const SENT: i64 = 1_795_000_000_000;
/// How far the clock of the service may be behind, in milliseconds.
const SKEW: i64 = 120_000;

/// References of what looking for a run has found, and the words.
fn unknown(end: &Created) -> (Vec<DocRef>, String) {
    let words = why(&end.run, End::Unknown).to_owned();
    assert!(end.run.parts.is_empty() && end.suites.is_none(), "{end:?}");
    let found = end.run.found.iter().flatten();
    assert!(end.run.found.is_some(), "{end:?}");
    (found.map(|row| row.doc_ref.clone()).collect(), words)
}

/// What came of new runs of these titles, or of a run whose description was saved.
fn look_for(run: Option<DocRef>, sent: &[&str], at: i64) -> Request {
    let texts = sent.iter().map(|text| (*text).to_owned());
    let mut sent = DraftSent::default().with(|it| it.at = at);
    match &run {
        Some(_) => {
            let saves = texts.map(|text| RunTexts::from([(RunField::Description, text)]));
            sent.saves = saves.collect();
        }
        None => sent.titles = texts.collect(),
    }
    let sent = Box::new(sent);
    Request::LookFor { run, sent }
}

#[tokio::test]
async fn an_answer_lost_before_the_service_acted() {
    let mut bench = Bench::new().await;
    bench.proxy.fault_for(ADD, Fault::CutBefore);
    let ends = bench.create(create_of(&["Lost", "Next"], &[])).await;
    let (found, words) = unknown(&ends[0]);
    assert!(found.is_empty(), "{found:?}");
    says(&words, "not sent again");
    says(&words, "no new run has this title and configuration");
    let next = why(&ends[1].run, End::NotSent(Why::Stopped));
    says(next, "run 1 of 2");
    assert!(bench.titles("Lost").is_empty());
    assert_eq!(bench.writes(), [ADD], "sent once");
    assert_eq!(bench.steps(), ["sent", "unknown", "unknown"]);
}

#[tokio::test]
async fn an_answer_lost_after_the_service_acted() {
    Box::pin(together(
        [
            Options::default(),
            options(|it| it.lag = Duration::from_millis(800)),
            options(|it| (it.without_list_test_runs, it.page_limit) = (true, Some(5))),
        ]
        .map(async |options| {
            let mut bench = Bench::of(options).await;
            bench.proxy.fault_for(ADD, Fault::CutAfter);
            let ends = bench.create(create_of(&["Lost"], &[])).await;
            let run = &ends[0].run;
            assert!(run.is_complete(), "one that was not there before: {run:?}");
            let words = run.words(Deed::Create("R_1"));
            assert_eq!(words, "R_1 created, by reading: no clear answer came");
            let made = run.document.as_ref().unwrap().doc_ref();
            assert_eq!(
                bench.truth(made).unwrap()["Root"]["General"]["Title"],
                "Lost"
            );
            assert_eq!(bench.titles("Lost").len(), 1, "never a second one");
            assert_eq!(bench.writes(), [ADD], "sent once");
            assert_eq!(bench.steps(), ["sent", "unknown", "confirmed"]);
        }),
    ))
    .await;
}

#[tokio::test]
async fn it_is_looked_for_again_later_by_reading_only() {
    let mut bench = Bench::new().await;
    let known = bench.make("Twin", &[]).await.doc_ref().clone();
    let sent = jiff::Timestamp::now().as_millisecond();
    bench.proxy.fault_for(ADD, Fault::CutBefore);
    let ends = bench.create(create_of(&["Twin"], &[])).await;
    assert!(unknown(&ends[0]).0.is_empty());
    // Made again from here since, and answered: that one is shown, too.
    bench.proxy.fault_for(ADD, Fault::None);
    let again = bench.make("Twin", &[]).await.doc_ref().clone();
    let writes = bench.writes().len();
    let request = look_for(None, &["Twin", "Never sent"], sent);
    let id = bench.send(|id| Effect::Request(id, request));
    let came = |event: &Event| match event {
        Event::Answer(other, Answer::LookedUp(result)) if *other == id => {
            Some(result.clone().unwrap())
        }
        _ => None,
    };
    let looked = bench.until("what was found", came).await;
    let found: Vec<&DocRef> = looked.found.iter().map(|row| &row.doc_ref).collect();
    assert_eq!(found, [&again], "and not {known}: {}", looked.words);
    assert_eq!(bench.writes().len(), writes, "reading only");
}

#[tokio::test]
async fn of_several_new_runs_the_end_is_known_when_that_of_each_is() {
    let mut bench = Bench::new().await;
    bench.make("Before", &[]).await;
    let sent = jiff::Timestamp::now().as_millisecond() + 1;
    pause(2).await;
    let first = bench.make("First", &[]).await.doc_ref().clone();
    bench.proxy.fault_for(ADD, Fault::status(404));
    bench.create(create_of(&["Refused"], &[])).await;
    // What was refused is not looked for: this one is somebody else's.
    bench.run("Refused").await;
    let came = |event: &Event| match event {
        Event::Answer(_, Answer::LookedUp(result)) => Some(result.clone().unwrap()),
        _ => None,
    };
    for (titles, end, words, there) in [
        // What is sent is written down first: the second was not.
        (
            &["First", "Second"][..],
            Some(End::Done),
            "created; \"Second\" not created",
            Some(&first),
        ),
        (&["First"], Some(End::Done), "created", Some(&first)),
        (&["Refused"], Some(End::Refused), "not created", None),
        (&["Second"], None, "", None),
        // That of the one before may be that of this one, where a clock was set back.
        (&["First", "Second", "Before"], None, "", Some(&first)),
    ] {
        bench.send(|id| Effect::Request(id, look_for(None, titles, sent)));
        let looked = bench.until("what was found", came).await;
        assert_eq!(looked.end, end, "{}", looked.words);
        says(&looked.words, words);
        let mut found = looked.found.iter().map(|row| &row.doc_ref);
        assert_eq!((found.next(), found.next()), (there, None));
        let made = looked.made.iter().map(|(run, title)| (run, title.as_str()));
        let expected = there.map(|run| (run, "First"));
        assert_eq!(made.collect::<Vec<_>>(), Vec::from_iter(expected));
    }
}

/// The program ended while the second was sent: the first is made, the third was never sent.
#[tokio::test]
async fn of_new_runs_that_were_broken_off_each_is_told_by_itself() {
    let mut bench = Bench::new().await;
    bench.make("Before", &[]).await;
    pause(2).await;
    let sent = jiff::Timestamp::now().as_millisecond();
    let ends = bench.create(create_of(&["One", "Two", "Three"], &[])).await;
    let [one, two, three] = [0, 1, 2].map(|place: usize| saved(&ends[place].run).doc_ref().clone());
    bench.other.delete(&three).await;
    let file = bench.folder.path().join("journal.ndjson");
    let text = std::fs::read_to_string(&file).unwrap();
    let broken = text.lines().scan(0, |sent, line| {
        *sent += usize::from(line.contains("\"ADD_DOCUMENT\""));
        (*sent < 4).then_some((*sent, line))
    });
    // Of the second there is the request alone.
    let mut lines: Vec<&str> = broken.map(|(_, line)| line).collect();
    let second = lines
        .iter()
        .rposition(|line| line.contains("\"ADD_DOCUMENT\""))
        .unwrap();
    lines.truncate(second + 1);
    std::fs::write(&file, lines.join("\n") + "\n").unwrap();
    let request = look_for(None, &["One", "Two", "Three"], sent);
    bench.send(|id| Effect::Request(id, request));
    let came = |event: &Event| match event {
        Event::Answer(_, Answer::LookedUp(result)) => Some(result.clone().unwrap()),
        _ => None,
    };
    let looked = bench.until("what was found", came).await;
    assert_eq!(looked.end, None, "{}", looked.words);
    assert_eq!(looked.made, [(one, "One".into()), (two, "Two".into())]);
    assert_eq!(looked.not_made, ["Three"]);
    let [.., name] = [looked
        .found
        .iter()
        .find(|row| row.doc_ref == looked.made[1].0)
        .unwrap()];
    begins(&looked.words, &format!("{} was made; found ", name.name()));
}

/// Neither an earlier request of the same, nor one of another run: whoever took its end for that of this one might send
/// this one twice.
#[tokio::test]
async fn what_came_of_another_request_is_not_the_end_of_this_one() {
    let mut bench = Bench::new().await;
    let before = jiff::Timestamp::now().as_millisecond();
    let first = bench.make("First", &[]).await.doc_ref().clone();
    let between = jiff::Timestamp::now().as_millisecond() + 1;
    pause(5).await;
    let other = bench.make("Other", &[]).await.doc_ref().clone();
    let reviewed = bench.read(&first).await;
    let fields = [(RunField::Description, "new")];
    assert!(bench.modify(&reviewed, &fields).await.is_complete());
    let after = jiff::Timestamp::now().as_millisecond() + 1;
    let unsent = Some(End::NotSent(Why::Stopped));
    // Titles of new runs, or descriptions that were saved.
    let torn = (Some(first.clone()), &["newer"][..], after, None);
    for (run, titles, since, end) in [
        (None, &["First"][..], before, Some(End::Done)),
        (None, &["First"], after, None),
        (Some(first.clone()), &["new"], before, Some(End::Done)),
        (Some(first.clone()), &["newer"], before, None),
        (Some(first.clone()), &["new", "newer"], before, None),
        (Some(first.clone()), &[], before, None),
        (Some(first.clone()), &["new"], after, None),
        (Some(first.clone()), &["new", "newer"], after, None),
        (Some(other.clone()), &["new"], before, None),
        // My changes were there before, and have no such save: the program ended before it was sent.
        (Some(first.clone()), &["newer"], between, unsent),
        (Some(first), &["newer"], after, unsent),
        (Some(other), &["new"], after, unsent),
        // In a journal that cannot be read whole it may stand.
        torn,
    ] {
        if end.is_none() && titles == ["newer"] && since == after {
            let journal = bench.folder.path().join("journal.ndjson");
            let lines = std::fs::read_to_string(&journal).unwrap();
            std::fs::write(journal, lines + "{\"write\":\"half").unwrap();
        }
        let asked = format!("{run:?} {titles:?} {}", since == before);
        let is_save = run.is_some();
        let id = bench.send(|id| Effect::Request(id, look_for(run, titles, since)));
        let came = |event: &Event| match event {
            Event::Answer(other, Answer::LookedUp(result)) if *other == id => {
                Some(result.clone().unwrap())
            }
            _ => None,
        };
        let looked = bench.until("what was found", came).await;
        assert_eq!(looked.end, end, "{asked}: {}", looked.words);
        // One request, one end; and new runs say nothing of a save.
        for other in ["Other", "; "] {
            assert!(!looked.words.contains(other), "{asked}: {}", looked.words);
        }
        assert!(!is_save || end.is_some() || looked == Lookup::default());
    }
}

#[tokio::test]
async fn an_end_is_known_without_the_service_where_my_changes_have_it() {
    let mut bench = Bench::new().await;
    let sent = jiff::Timestamp::now().as_millisecond();
    bench.make("First", &[]).await;
    bench.proxy.fault_for(ADD, Fault::status(403));
    bench.create(create_of(&["Refused"], &[])).await;
    bench.proxy.go_down().await;
    bench.create(create_of(&["Unsent"], &[])).await;
    for (titles, end) in [
        (&["First", "Second"][..], Some(End::Done)),
        (&["First"], Some(End::Done)),
        (&["Refused"], Some(End::Refused)),
        (&["Unsent"], Some(End::NotSent(Why::Offline))),
        (&["First", "Refused"], Some(End::Done)),
        (&["Second"], None),
    ] {
        bench.send(|id| Effect::Request(id, look_for(None, titles, sent)));
        let came = |event: &Event| match event {
            Event::Answer(_, Answer::LookedUp(result)) => Some(result.clone().ok()),
            _ => None,
        };
        // Without the service nothing is searched for.
        let looked = bench.until("what was found", came).await;
        assert_eq!(looked.and_then(|it| it.end), end, "{titles:?}");
    }
}

/// The place on the disk of a new form, and its draft as marked when this is sent.
async fn sent_draft(bench: &mut Bench, at: i64, titles: &[&str]) -> Draft {
    let taken = |event: &Event| match event {
        Event::Answer(_, Answer::DraftTaken(result)) => Some(result.clone().unwrap().key),
        _ => None,
    };
    bench.send(|id| {
        Effect::Request(
            id,
            Request::TakeDraft {
                form: FormFor::New,
                wish: DraftWish::Fresh,
            },
        )
    });
    let key = bench.until("a draft", taken).await;
    Draft {
        service: String::new(),
        key,
        project: String::new(),
        profile: String::new(),
        form: FormFor::New,
        run_name: String::new(),
        base: None,
        texts: RunTexts::new(),
        at,
        matrix: false,
        with_suites: None,
        died: false,
        sent: Some(DraftSent {
            at,
            titles: titles.iter().map(|title| (*title).to_owned()).collect(),
            saves: Vec::new(),
            words: "no answer".into(),
        }),
    }
}

/// Else the next start would not look for it after a kill.
#[tokio::test]
async fn a_request_leaves_once_its_draft_is_marked_as_sent_on_the_disk() {
    let mut bench = Bench::new().await;
    let draft = sent_draft(&mut bench, 1, &["Night"]).await;
    // Another program uses the folder.
    let lock = std::fs::File::open(bench.folder.path().join("drafts/.lock")).unwrap();
    lock.lock().unwrap();
    bench.send(|_| Effect::Draft(DraftRequest::Find));
    bench.send(|_| Effect::Draft(DraftRequest::Keep(Box::new(draft), Vec::new())));
    let id = bench.start_create(create_of(&["Night"], &[]));
    pause(800).await;
    assert!(bench.writes().is_empty(), "{:?}", bench.writes());
    drop(lock);
    let ends = bench.created(id, 1).await;
    assert_eq!(ends[0].run.end, End::Done);
    let kept = |event: &Event| matches!(event, Event::DraftKept { result: Ok(1), .. });
    assert!(bench.beside.iter().any(kept), "{:?}", bench.beside);
}

#[tokio::test]
async fn what_cannot_be_looked_for_is_said() {
    let mut bench = Bench::new().await;
    bench.proxy.fault_for(ADD, Fault::CutAfter);
    let id = bench.start_create(create_of(&["Lost"], &[]));
    while bench.titles("Lost").is_empty() {
        tokio::task::yield_now().await;
    }
    bench.proxy.go_down().await;
    let ends = bench.created(id, 1).await;
    let words = why(&ends[0].run, End::Unknown);
    let (_, problem) = words.split_once("Looking for it failed: ").unwrap();
    assert!(problem.contains("no connection"), "{words}");
    assert_eq!(ends[0].run.found, None, "it was not looked for");
    assert_eq!(bench.steps(), ["sent", "unknown"]);
}

#[tokio::test]
async fn runs_that_cannot_be_it_are_not_offered() {
    let mut bench = Bench::new().await;
    // Another title. The same title: made from here, answered; made elsewhere; made long ago.
    bench.run("Another").await;
    let known = bench.make("Twin", &[]).await.doc_ref().clone();
    let theirs = bench.theirs("Twin").await;
    bench.edit(&theirs, "mai", |document| {
        document["Root"]["Metadata"]["CreatedBy"] = "mai".into();
    });
    let old = bench.theirs("Twin").await;
    bench.age(&old, 130_000);
    bench.proxy.fault_for(ADD, Fault::CutBefore);
    let ends = bench.create(create_of(&["Twin"], &[])).await;
    let (found, why) = unknown(&ends[0]);
    assert!(found.is_empty(), "{found:?}; {known} {theirs} {old}");
    says(&why, "no new run has this title");
    assert_eq!(bench.titles("Twin").len(), 3);
}

/// A run of a list, made by the person who looks.
fn entry(number: usize, title: &str, at: i64) -> Value {
    json!({
        "docRef": format!("TestRun-dm/{number}"),
        "document": {"Root": {
            "General": {"Title": title, "Id": format!("R_{number}"), "Configuration": "qftest, chrome"},
            "Metadata": {"CreatedBy": "qa", "CreatedOn": at}
        }}
    })
}

/// The same with one member of its metadata changed; none takes it out.
fn with(mut entry: Value, name: &str, value: Option<&str>) -> Value {
    let metadata = entry["document"]["Root"]["Metadata"]
        .as_object_mut()
        .unwrap();
    match value {
        Some(value) => metadata.insert(name.to_owned(), value.into()),
        None => metadata.shift_remove(name),
    };
    entry
}

/// Runs of other titles.
fn others(number: usize, at: i64) -> Vec<Value> {
    (0..number)
        .map(|number| entry(number, "Another", at))
        .collect()
}

/// What a service lists, whatever order is asked for.
#[derive(Clone)]
struct Runs {
    entries: Vec<Value>,
    /// How many there are, as the service says.
    full_size: usize,
    /// It refuses to sort.
    unsorted: bool,
}

impl Runs {
    fn of(entries: Vec<Value>) -> Self {
        let full_size = entries.len();
        Self {
            entries,
            full_size,
            unsorted: false,
        }
    }

    fn page(&self, seen: &Seen) -> Say {
        let params = &seen.json()["params"];
        if self.unsorted && params.get("sort").is_some() {
            return refused(seen, -32602, "no such order");
        }
        let member = |name: &str| usize::try_from(params["page"][name].as_u64().unwrap()).unwrap();
        let entries = self.entries.iter().skip(member("offset"));
        let entries: Vec<&Value> = entries.take(member("limit")).collect();
        let list = json!({"fullSize": self.full_size, "page": params["page"], "entries": entries});
        Say::result(seen, &json!({"result": list, "filterItemMap": {}}))
    }
}

pub fn refused(seen: &Seen, code: i64, why: &str) -> Say {
    let error = json!({"code": code, "message": why});
    Say::json(
        200,
        &json!({"jsonrpc": "2.0", "id": seen.id(), "error": error}),
    )
}

/// Looks for "Lost", sent at [`SENT`], at a service that answers so; and how many calls that took.
async fn look_at(
    script: impl Fn(&Seen, usize) -> Say + Send + Sync + 'static,
) -> (Result<Lookup, Failure>, usize) {
    let mut scene = Scene::new(script).await;
    let effect = Effect::Request(RequestId(1), look_for(None, &[" Lost "], SENT));
    let came = |event| match event {
        Event::Answer(_, Answer::LookedUp(result)) => Some(result),
        _ => None,
    };
    let looked = scene.after(effect, came).await;
    (looked, scene.service.calls().len())
}

fn references(looked: &Lookup) -> Vec<&str> {
    let rows = looked.found.iter();
    rows.map(|row| row.doc_ref.as_str()).collect()
}

#[tokio::test]
async fn what_is_offered_has_the_title_and_the_time_of_what_was_sent() {
    let runs = Runs::of(vec![
        entry(1, "Lost", SENT),
        entry(2, "Lost too", SENT),
        entry(3, " Lost\n", SENT),
        // A clock of the service that is two minutes behind.
        entry(4, "Lost", SENT - SKEW),
        entry(5, "Lost", SENT - SKEW - 1),
        with(entry(6, "Lost", SENT), "CreatedBy", Some("mai")),
        // What a run does not say does not speak against it, nor does the name that the service writes.
        with(entry(7, "Lost", SENT), "CreatedBy", None),
        with(entry(8, "Lost", SENT), "CreatedOn", None),
    ]);
    let (looked, _) = look_at(move |seen, _| runs.page(seen)).await;
    let looked = looked.unwrap();
    let numbers = [1, 3, 4, 6, 7, 8].map(|number| format!("TestRun-dm/{number}"));
    assert_eq!(references(&looked), numbers, "{}", looked.words);
}

/// A page holds 50 runs; the lost one is the first of the second page.
#[tokio::test]
async fn it_is_looked_for_until_the_list_has_come_down_to_older_runs() {
    let next_page = |first: Vec<Value>| {
        assert_eq!(first.len(), 50);
        Runs::of([first, vec![entry(50, "Lost", SENT)]].concat())
    };
    let one_after_the_other = (0..50)
        .map(|number: u8| entry(number.into(), "Another", 7 + i64::from(number)))
        .collect();
    let mut one_without_a_time = others(50, 7);
    one_without_a_time[20] = with(one_without_a_time[20].clone(), "CreatedOn", None);
    let long = next_page(others(50, 7)).with(|it| it.full_size = 5_000);
    let cases = [
        ("all are as young", next_page(others(50, SENT)), true),
        (
            "just young enough",
            next_page(others(50, SENT - SKEW)),
            true,
        ),
        (
            "the order that was asked for is not kept",
            next_page(one_after_the_other),
            true,
        ),
        (
            "one does not say when it was made",
            next_page(one_without_a_time),
            true,
        ),
        (
            "the order is refused",
            next_page(others(50, 7)).with(|it| it.unsorted = true),
            true,
        ),
        ("older ones only are left", long, false),
    ];
    for (case, runs, further) in cases {
        let refused = usize::from(runs.unsorted);
        let (looked, calls) = look_at(move |seen, _| runs.page(seen)).await;
        let looked = looked.unwrap();
        let expected: &[&str] = if further { &["TestRun-dm/50"] } else { &[] };
        assert_eq!(references(&looked), expected, "{case}: {}", looked.words);
        assert_eq!(calls, refused + 1 + usize::from(further), "{case}");
        // When the newest run before it was made is not known here, nor how the clocks differ.
        says(&looked.words, "which may not be all");
    }
}

#[tokio::test]
async fn a_list_that_cannot_be_read_is_said_and_nothing_is_concluded() {
    // The order is refused with the first page only: later that would be another list.
    let runs = Runs::of([others(50, SENT), vec![entry(50, "Lost", SENT)]].concat());
    let (looked, calls) = look_at(move |seen, before| match before {
        0 => runs.page(seen),
        _ => refused(seen, -32602, "no more pages"),
    })
    .await;
    let failure = looked.unwrap_err();
    assert!(
        failure.cause.contains("the list of runs could not be read")
            && failure.cause.contains("no more pages"),
        "{failure:?}"
    );
    assert_eq!(calls, 2);
    // What is no answer of the service does not speak against the order.
    let (looked, calls) = look_at(|_, _| Say::bytes(500, "down")).await;
    assert!(looked.is_err(), "{looked:?}");
    assert_eq!(calls, 1);
}

/// What is made of the lists before and after a create that was answered so.
async fn ended(before: Runs, after: Runs, answer: fn(&Seen) -> Say) -> (Created, Vec<String>) {
    let acted = AtomicBool::new(false);
    let mut scene = Scene::new(move |seen, _| match seen.method().as_str() {
        ADD => {
            acted.store(true, Ordering::SeqCst);
            answer(seen)
        }
        "GET_DOCUMENT" => Say::bytes(500, "down"),
        _ if acted.load(Ordering::SeqCst) => after.page(seen),
        _ => before.page(seen),
    })
    .await;
    let effect = Effect::Request(
        RequestId(1),
        Request::Create(Box::new(create_of(&["Lost"], &[]))),
    );
    let came = |event| match event {
        Event::Answer(_, Answer::Created(end)) => Some(*end),
        _ => None,
    };
    let end = scene.after(effect, came).await;
    let methods: Vec<String> = scene.service.calls().iter().map(Seen::method).collect();
    let sent = methods.iter().filter(|method| *method == ADD).count();
    assert_eq!(sent, 1, "{methods:?}");
    (
        end,
        names(&scene.journal()[0])
            .iter()
            .map(ToString::to_string)
            .collect(),
    )
}

/// Something that is no answer: the service may have acted or not.
fn no_answer(_: &Seen) -> Say {
    Say::bytes(200, "<html>")
}

/// An error that came whole.
fn denied(seen: &Seen) -> Say {
    let error = json!({"code": -32603, "message": "try later"});
    Say::json(
        200,
        &json!({"jsonrpc": "2.0", "id": seen.id(), "error": error}),
    )
}

#[tokio::test]
async fn a_run_that_was_not_there_before_is_made_and_of_several_a_person_decides() {
    let at = jiff::Timestamp::now().as_millisecond();
    let lost = |numbers: &[usize]| {
        let runs = numbers.iter().map(|number| entry(*number, "Lost", at));
        Runs::of(runs.chain(others(3, 7)).collect())
    };
    let with_another = |field: &str| {
        let mut run = entry(11, "Lost", at);
        run["document"]["Root"]["General"][field] = "Another".into();
        Runs::of(vec![run])
    };
    // A service may leave out what is not filled in.
    let mut brief = lost(&[10, 11]);
    let general = &mut brief.entries[1]["document"]["Root"]["General"];
    general.as_object_mut().unwrap().remove("Configuration");
    for (answer, after) in [
        (no_answer as fn(&Seen) -> Say, brief),
        (denied, lost(&[10, 11])),
    ] {
        let (end, steps) = ended(lost(&[10]), after, answer).await;
        assert_eq!(end.run.end, End::Done, "{:?}", end.run);
        assert_eq!(end.run.parts[0].of.as_str(), "TestRun-dm/11");
        assert_eq!(steps[..2], ["sent", "unknown"]);
        let (end, steps) = ended(lost(&[10]), lost(&[10, 11, 12]), answer).await;
        let (found, words) = unknown(&end);
        let found: Vec<&str> = found.iter().map(DocRef::as_str).collect();
        assert_eq!(found, ["TestRun-dm/11", "TestRun-dm/12"], "{words}");
        assert_eq!(steps, ["sent", "unknown", "unknown"]);
    }
    for field in ["Title", "Configuration"] {
        let (end, _) = ended(lost(&[]), with_another(field), no_answer).await;
        assert!(unknown(&end).0.is_empty(), "{field}: {end:?}");
    }
}

/// Only an error that came whole and a list that was read far enough make it sure.
#[tokio::test]
async fn nothing_was_made_only_where_the_service_said_so_and_the_list_agrees() {
    let none = || Runs::of(others(3, 7));
    let endless = || Runs::of(others(300, 7)).with(|it| it.unsorted = true);
    let (end, steps) = ended(none(), none(), denied).await;
    let words = why(&end.run, End::Refused);
    begins(words, "refused: fault inside the service (-32603)");
    assert_eq!(steps, ["sent", "unknown", "refused"]);
    // Nor does a list without what was there before, or with an entry that may be it.
    let untitled = || {
        let mut odd = entry(100, "Lost", jiff::Timestamp::now().as_millisecond());
        let general = odd["document"]["Root"]["General"].as_object_mut();
        general.unwrap().remove("Title").unwrap();
        Runs::of([vec![odd], others(3, 7)].concat())
    };
    for after in [Runs::of(Vec::new()), untitled()] {
        let (end, steps) = ended(none(), after, denied).await;
        unknown(&end);
        assert_eq!(steps, ["sent", "unknown", "unknown"]);
    }
    for (runs, answer) in [
        (none as fn() -> Runs, no_answer as fn(&Seen) -> Say),
        (endless, no_answer),
        (endless, denied),
    ] {
        let (end, steps) = ended(runs(), runs(), answer).await;
        let (found, words) = unknown(&end);
        assert!(found.is_empty(), "{words}");
        assert_eq!(
            words.contains("which may not be all that are new"),
            runs().unsorted,
            "{words}"
        );
        assert_eq!(steps, ["sent", "unknown", "unknown"]);
    }
}

/// A service whose clock is ten minutes behind, before a run was made and after that.
fn behind() -> [Runs; 2] {
    let at = jiff::Timestamp::now().as_millisecond() - 600_000;
    let before = others(60, at);
    let after = [vec![entry(100, "Lost", at + 1)], before.clone()].concat();
    [before, after].map(Runs::of)
}

#[tokio::test]
async fn what_is_new_goes_by_the_clock_of_the_service() {
    for answer in [no_answer as fn(&Seen) -> Say, denied] {
        let [before, after] = behind();
        let (end, _) = ended(before, after, answer).await;
        assert_eq!(end.run.end, End::Done, "{:?}", end.run);
        assert_eq!(end.run.parts[0].of.as_str(), "TestRun-dm/100");
    }
}

/// When the newest run before it was made stands in the journal.
#[tokio::test]
async fn later_it_is_looked_for_by_the_clock_of_the_service_too() {
    // One of that title is much older.
    let older = entry(200, "Lost", 1_000_000);
    let [before, after] =
        behind().map(|runs| Runs::of([runs.entries, vec![older.clone()]].concat()));
    let sent = jiff::Timestamp::now().as_millisecond();
    let is_there = Arc::new(AtomicBool::new(false));
    let seen_there = is_there.clone();
    let mut scene = Scene::new(move |seen, _| match seen.method().as_str() {
        ADD => no_answer(seen),
        _ if seen_there.load(Ordering::SeqCst) => after.page(seen),
        _ => before.page(seen),
    })
    .await;
    let created = |event| match event {
        Event::Answer(_, Answer::Created(end)) => Some(*end),
        _ => None,
    };
    let create = Request::Create(Box::new(create_of(&["Lost"], &[])));
    let end = scene.after(Effect::Request(RequestId(1), create), created);
    let (found, words) = unknown(&end.await);
    assert!(
        found.is_empty() && !words.contains("may not be all"),
        "{words}"
    );
    // Another write does not tell the clock of the service.
    let journal = Journal::open(scene.folder.path()).unwrap();
    let create = journal.newest(None).unwrap().writes.remove(0);
    let params = create.request().unwrap().1.clone();
    let other = WriteStep {
        write: WriteId::new(create.at),
        at: create.at,
        profile: create.profile,
        target: create.target,
        user: create.user,
        run: "TestRun-dm/1".into(),
        run_name: "R_1".into(),
        step: Recorded::Sent {
            method: "DELETE_TEST_RUN".into(),
            params: json!({}),
            note: None,
        },
    };
    journal.append(&other).unwrap();
    // Nor does an earlier one of that title.
    let earlier = WriteStep {
        write: WriteId::new(1),
        at: 1,
        run: String::new(),
        run_name: String::new(),
        step: Recorded::Sent {
            method: ADD.into(),
            params,
            note: Some(json!({"newest run before it": 1})),
        },
        ..other
    };
    journal.append(&earlier).unwrap();
    for there in [false, true] {
        is_there.store(there, Ordering::SeqCst);
        let looked = |event| match event {
            Event::Answer(_, Answer::LookedUp(result)) => Some(result.unwrap()),
            _ => None,
        };
        let request = look_for(None, &["Lost"], sent);
        let looked = scene
            .after(Effect::Request(RequestId(2), request), looked)
            .await;
        let expected: &[&str] = if there { &["TestRun-dm/100"] } else { &[] };
        assert_eq!(references(&looked), expected, "{}", looked.words);
        lacks(&looked.words, "may not be all");
    }
}

/// As where a gateway gives up, and the user or a script sends it again.
#[tokio::test]
async fn a_run_that_a_lost_request_has_made_is_not_made_again_by_who_does_not_know_it() {
    let mut bench = Bench::new().await;
    let create = || create_of(&["Made by itself"], &[]);
    // The list is read before; nothing is read after.
    bench.proxy.plan(false, 1, 1, Fault::CutAfter);
    bench.proxy.fault_for("LIST_TEST_RUNS", Fault::status(503));
    let ends = bench.create(create()).await;
    why(&ends[0].run, End::Unknown);
    bench.proxy.fault(Fault::None);
    let made = bench.titles("Made by itself");
    assert_eq!(made.len(), 1);
    let ends = bench.create(create()).await;
    let words = why(&ends[0].run, End::NotSent(Why::NothingToDo));
    says(
        words,
        "an earlier request, whose answer was lost, has made R_",
    );
    let found = ends[0].run.found.as_ref().unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!(bench.titles("Made by itself").len(), 1);
    // Another one of the title can be made, and the same again by who has seen it.
    let other = create().with(|it| {
        it.runs[0] = it.runs[0].clone().with(RunField::Configuration, "another");
    });
    assert!(bench.create(other).await[0].run.is_complete());
    let seen = create().with(|it| it.seen = vec![found[0].doc_ref.clone()]);
    assert!(bench.create(seen).await[0].run.is_complete());
    assert_eq!(bench.titles("Made by itself").len(), 3);
}

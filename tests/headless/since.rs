//! `rundown since`: what changed since a moment, from what was read before it.

use crate::support::prelude::*;

use rundown::domain::RunField;
use rusqlite::{Connection, params};

use super::scene::{Scene, has};

const HOUR: i64 = 3_600_000;

/// Cases by name of their result, and those left.
fn cases(standing: &Value, name: &str) -> i64 {
    if name == "left" {
        return standing["left"].as_i64().unwrap();
    }
    standing["cases"][name].as_i64().unwrap()
}

/// The line of a run, by its title.
fn line<'a>(told: &'a Value, title: &str) -> &'a Value {
    let mut lines = told["lines"].as_array().unwrap().iter();
    lines.find(|line| line["title"] == title).unwrap()
}

/// Then and what moved is now, for each result and for what is left.
fn adds_up(told: &Value) {
    for name in ResultCode::ALL.map(ResultCode::name) {
        let moved = told["moved"][name].as_i64().unwrap() - told["gone"][name].as_i64().unwrap();
        let now = cases(&told["then"], name) + moved;
        assert_eq!(now, cases(&told["now"], name), "{name}");
    }
    let part = |name: &str| told["left"][name].as_i64().unwrap();
    let more = ["new", "came", "own", "closed", "gone"].map(part);
    let more = more.iter().sum::<i64>() - part("done");
    assert_eq!(
        cases(&told["then"], "left") + more,
        cases(&told["now"], "left")
    );
    let left = told["lines"].as_array().unwrap().iter();
    let left: i64 = left.map(|line| cases(&line["now"], "left")).sum();
    assert_eq!(left, cases(&told["now"], "left"));
}

/// End of yesterday, with all readings so far an hour before it.
fn read_yesterday(scene: &Scene) -> (Connection, i64) {
    let file = ".local/state/rundown/samples.sqlite";
    let kept = Connection::open(scene.home.path().join(file)).unwrap();
    let now = jiff::Timestamp::now().to_zoned(TimeZone::UTC);
    let midnight = now.start_of_day().unwrap().timestamp().as_millisecond();
    let sql = "UPDATE samples SET at = ?1, seen_until = ?1";
    kept.execute(sql, [midnight - HOUR]).unwrap();
    (kept, midnight)
}

/// Only an answer proves that a run is gone; and each run that was open then is told or named.
#[tokio::test]
async fn runs_that_were_not_seen_or_read_too_late_are_named_and_not_counted() {
    let (scene, other) = Scene::shared().await;
    let run = other.add_run("Not seen").await;
    scene.run("sync").await.is(0);
    let (kept, _) = read_yesterday(&scene);
    let open = scene.lines("runs list --all --query is:open").await;
    let mut olds = open.iter().filter(|it| it["title"] != "Not seen");
    let late = olds.next().unwrap();
    let reference = late["ref"].as_str().unwrap();
    let sql = "DELETE FROM samples WHERE run = (SELECT id FROM runs WHERE run = ?1)";
    assert!(kept.execute(sql, [reference]).unwrap() > 0);
    other.close(&DocRef::parse(reference).unwrap()).await;
    other.delete(&run).await;
    let later = br#"{"jsonrpc":"2.0","id":null,"error":{"code":-31999,"message":"try later"}}"#;
    let fault = Fault::Replace(200, later.to_vec());
    scene.proxy.fault_for("GET_DOCUMENT", fault);
    let ran = scene.run("since yesterday --format json").await;
    ran.is(0);
    let told = ran.json("since");
    adds_up(&told);
    let lines = told["lines"].as_array().unwrap();
    assert_eq!(lines.len(), open.len() - 2, "{told}");
    assert!(lines.iter().all(|line| line["became"] == "same"));
    assert_eq!(told["left"]["gone"], 0);
    let why = told["not_counted"].as_array().unwrap().iter();
    let why: Vec<_> = why.map(|it| (&it["run"]["ref"], &it["why"])).collect();
    let (read_late, not_seen) = (json!("not_read_before"), json!("last_read"));
    let unseen = json!(run);
    assert_eq!(why, [(&late["ref"], &read_late), (&unseen, &not_seen)]);
    let text = scene.run("since yesterday --local").await.out;
    says(&text, ", last read ");
    says(&text, "\nOldest counts read ");
    lacks(&text, "GONE");
}

#[tokio::test]
async fn what_became_of_runs_is_told_and_adds_up() {
    let scene = Scene::new(Options::default().with(|it| it.runs = 60)).await;
    let other = scene.other().await;
    scene.refuses("since --local", 4, &["rundown sync"]).await;
    let kept = scene.home.path().join(".cache");
    assert!(!kept.exists(), "looking makes no cache");
    let gone = other.add_run("Goes away").await;
    let closes = other.add_run("Is closed by another").await;
    other.add_run("Is closed from here").await;
    let grows = other.add_run("Gets suites").await;
    scene.run("sync").await.is(0);
    // What was read is of yesterday; one of the runs had failed less, one has not been read for long.
    let (kept, midnight) = read_yesterday(&scene);
    let open = scene.lines("runs list --all --query is:open").await;
    let has_both = |run: &&Value| {
        let counts = ["failed_new", "passed"].map(|name| run["results"][name].as_i64());
        counts.iter().all(|count| count.is_some_and(|it| it > 1))
    };
    let mut runs = open.iter().filter(has_both);
    let [worse, better, old] = [(); 3].map(|()| runs.next().unwrap());
    let of_run = "run = (SELECT id FROM runs WHERE run = ?1)";
    // One has failed since, another has passed.
    for (run, failed, code, name) in [(worse, -1, 1, "untested"), (better, 1, 2, "passed")] {
        let count = |name: &str| run["results"][name].as_i64().unwrap();
        let (failed, other) = (count("failed_new") + failed, count(name) - failed);
        let sql = format!(
            "UPDATE samples SET counts = json_set(counts, '$.\"5\"', ?2, '$.\"{code}\"', ?3) WHERE {of_run}"
        );
        let values = params![run["ref"].as_str(), failed, other];
        assert_eq!(kept.execute(&sql, values).unwrap(), 1);
    }
    let sql = format!(
        "UPDATE samples SET at = ?2, seen_until = ?2, counts = '{{\"1\":1}}' WHERE {of_run}"
    );
    let values = params![old["ref"].as_str(), midnight - 24 * 7 * HOUR];
    assert_eq!(kept.execute(&sql, values).unwrap(), 1);
    other.delete(&gone).await;
    other
        .modify(&closes, &[(RunField::Status, "inactive")])
        .await;
    let open = scene
        .lines("runs list --all --query 'closed from here'")
        .await;
    let own = open[0]["ref"].as_str().unwrap();
    scene
        .run(&format!("runs modify {own} --status inactive"))
        .await
        .is(0);
    // Of what came and went since then nothing is told.
    let short = other.add_run("Comes and goes").await;
    scene.run("sync").await.is(0);
    other.delete(&short).await;
    let new = other.add_run("Is new").await;
    let free = other.free(&new).await;
    other.add_suites(&new, &free[..1]).await;
    let add = super::scene::line(&format!("suites add {grows}"), &free[1..3]);
    scene.run(&add).await.is(0);
    let told = scene.told("since", "since").await;
    adds_up(&told);
    let became = |title: &Value| line(&told, title.as_str().unwrap())["became"].clone();
    assert_eq!(became(&worse["title"]), "worse");
    assert_eq!(became(&better["title"]), "better");
    assert_eq!(became(&json!("Is new")), "new");
    for title in ["Is closed by another", "Is closed from here"] {
        has(
            line(&told, title),
            &json!({"became": "done", "closed": true}),
        );
    }
    let all = |line: &Value| line["now"]["cases"]["untested"].as_i64().unwrap();
    let new = line(&told, "Is new");
    assert_eq!(new["left"]["new"], all(new));
    assert!(all(new) > 0, "{new}");
    // What was added from here is one number.
    let grown = line(&told, "Gets suites");
    let part = |name: &str| grown["left"][name].as_i64().unwrap();
    assert!(part("own") > 0 && part("came") == 0, "{grown}");
    assert_eq!(part("own"), all(grown));
    assert_eq!(told["left"]["done"], 1);
    // Of a run that is gone no text stays.
    let mut lines = told["lines"].as_array().unwrap().iter();
    let away = lines.find(|line| line["became"] == "gone").unwrap();
    assert_eq!(away["run"]["ref"], gone.as_str());
    assert_eq!(away["title"], Value::Null);
    let not_counted = told["not_counted"].as_array().unwrap();
    assert_eq!(not_counted.len(), 1, "{not_counted:?}");
    assert_eq!(not_counted[0]["run"]["ref"], old["ref"]);
    assert_eq!(not_counted[0]["why"], "last_read");
    // From this machine it tells the same, without a call.
    let calls = scene.proxy.passed().len();
    let text = scene.run("since yesterday --local").await.out;
    let markdown = "since yesterday --local --format markdown";
    let markdown = scene.run(markdown).await.out;
    assert_eq!(scene.proxy.passed().len(), calls);
    let id = worse["id"].as_str().unwrap();
    says(&text, " moved: 1 passed, ");
    says(&text, " left: 1 done since, ");
    says(&text, " came by own adding and removing");
    let worse = text.lines().find(|line| line.starts_with("WORSE"));
    says(worse.unwrap(), id);
    says(worse.unwrap(), "failed (new) ");
    says(
        &text,
        &format!("Not counted: {}, last read ", old["id"].as_str().unwrap()),
    );
    says(&markdown, &format!("| WORSE | {id} |"));
    begins(&markdown, "### Since yesterday 23:59, ");
    let today = jiff::Timestamp::now()
        .to_zoned(TimeZone::UTC)
        .strftime("\n\nWritten %a %-d %b %Y ")
        .to_string();
    says(&markdown, &today);
    begins(&text, "Since yesterday 23:59, P_9/SP_1\n");
    // What is gone is told of its version, and of no other.
    let version = open[0]["version"].as_str().unwrap();
    let all = scene.lines("runs list --all --query is:open").await;
    let mut versions = all.iter().map(|run| run["version"].as_str().unwrap());
    let other = versions.find(|it| *it != version).unwrap();
    for (version, is_gone) in [(other, false), (version, true)] {
        let command = format!("since --local --version {version} --format json");
        let of = scene.run(&command).await.json("since");
        let mut lines = of["lines"].as_array().unwrap().iter();
        assert_eq!(lines.any(|line| line["became"] == "gone"), is_gone, "{of}");
        has(&of, &json!({ "version": version }));
    }
    // Of a version without a run nothing can be told: as gate and report say it.
    let none = "no run of version 99.9.9 was found";
    for asks in ["", " --local", " --format json"] {
        let command = format!("since --version 99.9.9{asks}");
        let words = [none, "rundown sync --all"];
        scene.refuses(&command, 6, &words).await;
    }
    // The version of the profile stands for one that is not named.
    let config = scene.config();
    scene.write_config(&config.replace("realm =", "project_version = \"99.9.9\"\nrealm ="));
    scene.refuses("since --local", 6, &[none]).await;
    let all = scene.run("since --local --all-versions --format json");
    has(&all.await.json("since"), &json!({"version": null}));
    scene
        .refuses(
            "since soon",
            2,
            &["soon: no moment; e.g. -3h, -2d, yesterday"],
        )
        .await;
    scene
        .refuses("since today", 2, &["today is not past yet"])
        .await;
    // Before that one run was read, and then none.
    let early = "since -2d --local --all-versions";
    let note = "no counts from before that are kept on this machine";
    let ran = scene.run(early).await;
    ran.is(0);
    lacks(&ran.err, note);
    let sql = format!("DELETE FROM samples WHERE {of_run}");
    kept.execute(&sql, [old["ref"].as_str()]).unwrap();
    says(&scene.run(early).await.err, note);
}

//! `runs list` and `runs show`: what is asked, what is printed, and that nothing is cut in silence.

use crate::support::prelude::*;
use tokio::io::AsyncReadExt;

use super::scene::{Ran, Scene, each, has};
use super::schema::fits;

#[tokio::test]
async fn the_list_says_what_it_leaves_out() {
    let scene = Scene::usual().await;
    let ran = scene.run("runs list --format json").await;
    let runs: Value = serde_json::from_str(&ran.out).unwrap();
    fits("runs", &runs);
    let size = runs["full_size"].as_u64().unwrap();
    assert_eq!(
        (
            ran.status,
            runs["shown"].as_u64(),
            runs["runs"].as_array().unwrap().len()
        ),
        (Some(0), Some(50), 50)
    );
    assert_eq!(
        ran.err,
        format!("rundown: 50 of {size} shown; --all or --limit N shows more\n")
    );
    let params = &scene.params("LIST_TEST_RUNS")[0];
    assert_eq!(
        params["sort"],
        json!([{"order": "Root.Metadata.EditedOn DESC"}])
    );
    let three = scene.json("runs list --limit 3").await;
    assert_eq!(
        (three["shown"].as_u64(), three["full_size"].as_u64()),
        (Some(3), Some(size))
    );
    assert_eq!(
        three["runs"].as_array().unwrap()[..],
        runs["runs"].as_array().unwrap()[..3]
    );
    assert_eq!(
        scene.params("LIST_TEST_RUNS")[1]["page"],
        json!({"offset": 0, "limit": 3})
    );
}

#[tokio::test]
async fn all_of_it_is_read_page_by_page_also_where_pages_are_clamped() {
    for options in [Options::default(), options(|it| it.page_limit = Some(7))] {
        let scene = Scene::with(options, "page_size = 40").await;
        let runs = scene.told("runs", "runs list --all").await;
        let rows = runs["runs"].as_array().unwrap();
        let references: std::collections::HashSet<_> = rows
            .iter()
            .map(|row| row["ref"].as_str().unwrap())
            .collect();
        assert_eq!(references.len() as u64, runs["full_size"].as_u64().unwrap());
        let lines = scene.lines("runs list --limit 90").await;
        assert_eq!(lines.len(), 90);
        for (line, row) in lines.iter().zip(rows) {
            fits("run", line);
            assert_eq!(line["ref"], row["ref"]);
        }
    }
}

#[tokio::test]
async fn filters_words_and_orders_go_to_the_service() {
    let scene = Scene::with(Options::default(), "project_version = \"1.2.0\"").await;
    let ran = scene
        .run(
            "runs list --filter Root.General.Status:active --fulltext smoke \
             --sort 'Root.General.Title DESC' --sort Root.General.Id --format json",
        )
        .await;
    let params = &scene.params("LIST_TEST_RUNS")[0];
    let filters = json!([
        "Root.General.Status:active",
        "Root.General.ProjectVersionNumber:1.2.0"
    ]);
    assert_eq!(
        params["filter"],
        json!({"filters": filters, "fulltext": "smoke"})
    );
    assert_eq!(
        params["sort"],
        json!([{"order": "Root.General.Title DESC"}, {"order": "Root.General.Id ASC"}])
    );
    says(
        &ran.err,
        "only version 1.2.0, as the profile says; --all-versions",
    );
    let runs: Value = serde_json::from_str(&ran.out).unwrap();
    let rows = runs["runs"].as_array().unwrap();
    assert!(
        !rows.is_empty()
            && rows
                .iter()
                .all(|row| row["status"] == "active" && row["version"] == "1.2.0")
    );
    scene.run("runs list --all-versions").await;
    assert_eq!(scene.params("LIST_TEST_RUNS")[1].get("filter"), None);
    // Two on one field go out as they were written: what they mean together the service says.
    let two = ["Root.General.Status:inactive", "Root.General.Status:active"];
    let filters = two.map(|filter| format!("--filter {filter}")).join(" ");
    let line = format!("runs list --all-versions {filters}");
    scene.run(&line).await;
    assert_eq!(
        scene.params("LIST_TEST_RUNS")[2]["filter"]["filters"],
        json!(two)
    );
}

/// One status and one version go along; what comes is looked at here, until as many are found as are wanted.
#[tokio::test]
async fn a_query_finds_what_its_names_say() {
    let scene = Scene::with(Options::default(), "project_version = \"1.2.0\"").await;
    let all = scene.json("runs list --all-versions --all").await["runs"].take();
    let all = all.as_array().unwrap();
    let failed = |run: &Value| {
        let count = |name: &str| run["results"][name].as_u64().unwrap_or(0);
        count("failed_new") + count("failed_known")
    };
    let fitting = |run: &&Value| {
        let total = run["worked_out"]["total"].as_u64().unwrap();
        let chosen = run["status"] == "active" && run["version"] != "1.2.0";
        chosen && total > 0 && failed(run) * 100 >= 3 * total
    };
    let expected: Vec<&Value> = all.iter().filter(fitting).collect();
    assert!((4..all.len()).contains(&expected.len()), "{expected:?}");
    let query = "is:open -version:1.2.0 failed>=3% total>0";
    let ask = |more: &str| format!("runs list --query '{query}' --all-versions {more}");
    let found = scene.told("runs", &ask("--all")).await;
    assert_eq!(
        found["runs"].as_array().unwrap().iter().collect::<Vec<_>>(),
        expected
    );
    assert_eq!(found["full_size"], json!(expected.len()));
    let filter = &scene.params("LIST_TEST_RUNS").pop().unwrap()["filter"];
    assert_eq!(filter, &json!({"filters": ["Root.General.Status:active"]}));
    let before = scene.proxy.count("LIST_TEST_RUNS");
    let first = scene.told("runs", &ask("--limit 1")).await;
    assert_eq!(
        (&first["runs"][0], &first["full_size"], &first["shown"]),
        (expected[0], &Value::Null, &json!(1))
    );
    assert_eq!(
        scene.proxy.count("LIST_TEST_RUNS"),
        before + 1,
        "no page beyond it is read"
    );
    // Every format has the same runs.
    let id = expected[0]["id"].as_str().unwrap();
    for format in ["table", "csv", "markdown", "ndjson"] {
        let out = scene
            .out(&ask(&format!("--limit 1 --format {format}")))
            .await;
        assert!(out.contains(id), "{format}: {out}");
    }
    // A run is looked for in every version, a version takes the place of that of the profile.
    let list = async |query: &str| {
        let found = scene
            .json(&format!("runs list --query '{query}' --all"))
            .await;
        let params = scene.params("LIST_TEST_RUNS").pop().unwrap();
        (found, params["filter"]["filters"].clone())
    };
    assert_eq!(list(id).await.0["runs"], json!([expected[0]]));
    let version = format!("version:{}", expected[0]["version"].as_str().unwrap());
    let filter = version.replace("version", "Root.General.ProjectVersionNumber");
    assert_eq!(list(&version).await.1, json!([filter]));
    // What is over is so by the limit of the profile, what is mine by its user.
    scene.write_config(&(scene.config() + "limit = \"failed <= 2\"\n"));
    let is_over = |run: &&Value| run["status"] == "active" && failed(run) > 2;
    let over = all.iter().filter(is_over).count();
    assert!(over < all.iter().filter(|run| failed(run) > 2).count());
    assert_eq!(list("is:over version:*").await.0["full_size"], json!(over));
    let mine = scene.other().await.add_run("My own").await;
    let found = list("is:mine version:* \"my own\"").await.0;
    assert_eq!(
        (&found["full_size"], &found["runs"][0]["ref"]),
        (&json!(1), &json!(mine.as_str()))
    );
    // By the other names that the profile gives, too.
    let own = list("is:mine version:*").await.0;
    let is_own = |run: &&Value| own["runs"].as_array().unwrap().contains(run);
    let other = all
        .iter()
        .find(|run| run["edited_by"].is_string() && !is_own(run));
    let editor = other.and_then(|run| run["edited_by"].as_str());
    let config = scene.config();
    let me = format!("me = [{:?}]\nlimit = ", editor.unwrap());
    scene.write_config(&config.replace("limit = ", &me));
    let found = list("is:mine version:*").await.0;
    assert!(found["full_size"].as_u64() > own["full_size"].as_u64());
}

/// A mistake is told before anything is read.
#[tokio::test]
async fn a_query_says_what_is_wrong_and_what_is_not_known() {
    let options = Options::default().with(|it| it.without_list_test_runs = true);
    let scene = Scene::new(options).await;
    let query = async |query: &str| scene.run(&format!("runs list --query '{query}'")).await;
    let ran = query("is:open done>0 or faild>3").await;
    let notes = [
        "--query, column 19: faild is no field: looked for as words. Did you mean failed?",
        "what the query asks of them is not known: ",
    ];
    assert_eq!(ran.status, Some(0));
    assert!(
        notes.iter().all(|note| ran.err.contains(note)),
        "{}",
        ran.err
    );
    let asked = scene.proxy.passed().len();
    scene.write_config("broken");
    query("é is:opne").await.refused(
        2,
        &["--query, column 6: unknown name opne: open?", "\n       ^"],
    );
    query("is:late")
        .await
        .refused(2, &["only the screens know this"]);
    query("-is:opne").await.refused(2, &["--query, column 5"]);
    query("--all").await.refused(2, &["this is an option"]);
    assert_eq!(scene.proxy.passed().len(), asked);
}

#[tokio::test]
async fn an_order_that_the_service_refuses_is_a_failure_when_it_was_asked_for() {
    let scene = Scene::usual().await;
    let refused = scene.run("runs list --sort Foo.Nonsense").await;
    refused.refused(4, &["loading the runs", "-32602"]);
    assert_eq!(scene.proxy.count("LIST_TEST_RUNS"), 1);
}

/// The service of a script: it knows one profile, and answers every call by the same script, with a result or an error.
pub async fn scripted(
    script: impl Fn(&Value, usize) -> Value + Send + Sync + 'static,
) -> (Scene, Scripted) {
    let scripted = Scripted::service(move |seen, before| match script(&seen.json(), before) {
        error if error.get("error").is_some() => Say::json(200, &error),
        result => Say::result(seen, &result),
    })
    .await;
    let scene = Scene::new(options(|it| (it.runs, it.suites) = (0, 0))).await;
    let config = scene.config().replace(&scene.proxy.base, &scripted.base);
    scene.write_config(&config);
    (scene, scripted)
}

fn entry(number: u64) -> Value {
    let general = json!({"Id": format!("R_{number}"), "Title": "T", "Status": "active"});
    json!({"docRef": format!("TestRun-dm/{number}"), "document": {"Root": {"General": general}}})
}

/// The answer with these runs.
pub fn listed(runs: &[Value]) -> Value {
    json!({"result": {"fullSize": runs.len(), "entries": runs}, "filterItemMap": {}})
}

pub fn page(size: u64, entries: impl IntoIterator<Item = u64>) -> Value {
    let entries: Vec<Value> = entries.into_iter().map(entry).collect();
    json!({"result": {"fullSize": size, "entries": entries}, "filterItemMap": {}})
}

#[tokio::test]
async fn a_list_that_changes_under_way_is_read_again_and_never_printed_in_part() {
    // The number changes between the first two pages, then an entry comes twice, then all is quiet.
    let (scene, _service) = scripted(|call, before| {
        let offset = call["params"]["page"]["offset"].as_u64().unwrap();
        match before {
            0 | 2 => page(4, 1..=2),
            1 => page(5, 3..=4),
            3 => page(4, 2..=3),
            _ => page(4, offset + 1..=offset + 2),
        }
    })
    .await;
    let runs = scene.json("runs list --all").await;
    let ids = each(runs["runs"].as_array().unwrap(), "id");
    assert_eq!(ids, ["R_1", "R_2", "R_3", "R_4"]);
    let (scene, service) = scripted(|_, before| page(100 + before as u64, 1..=2)).await;
    scene
        .refuses(
            "runs list --all",
            4,
            &["changed during each of 3 readings", "it had"],
        )
        .await;
    assert_eq!(service.calls().len(), 6);
}

#[tokio::test]
async fn an_empty_page_too_early_is_no_end_of_the_list() {
    let (scene, _service) = scripted(|_, before| {
        if before % 2 == 0 {
            page(9, 1..=2)
        } else {
            page(9, [])
        }
    })
    .await;
    scene
        .refuses("runs list --all", 4, &["an empty page at 2 of 9"])
        .await;
}

#[tokio::test]
async fn a_list_without_an_end_is_not_begun() {
    let (scene, service) = scripted(|_, _| page(i64::MAX as u64, 1..=2)).await;
    scene
        .refuses(
            "runs list --all",
            4,
            &["there are 9,223,372,036,854,775,807 runs; at most 5,000,000 are read. --limit N"],
        )
        .await;
    assert_eq!(service.calls().len(), 1);
    let two = scene.json("runs list --limit 2").await;
    assert_eq!(two["shown"], 2);
}

/// Read page by page, kept in a file that has no name, printed once it is whole.
#[tokio::test]
async fn a_long_list_takes_little_memory() {
    const RUNS: u64 = 5_000;
    let title = "x".repeat(4_000);
    let (scene, _service) = scripted(move |call, _| {
        let offset = call["params"]["page"]["offset"].as_u64().unwrap();
        let mut page = page(RUNS, offset + 1..=offset + 200);
        for entry in page["result"]["entries"].as_array_mut().unwrap() {
            entry["document"]["Root"]["General"]["Title"] = json!(title);
        }
        page
    })
    .await;
    scene.write_config(&format!("{}\npage_size = 200\n", scene.config()));
    let temporary = scene.home.path().join("temporary");
    std::fs::create_dir(&temporary).unwrap();
    for format in ["table", "json"] {
        let mut command = scene.command(&format!("runs list --all --format {format}"));
        let mut child = command.env("TMPDIR", &temporary).spawn().unwrap();
        let mut out = child.stdout.take().unwrap();
        let mut text = vec![0; 1];
        out.read_exact(&mut text).await.unwrap();
        // It is whole now, and waits for its reader.
        let process = PathBuf::from(format!("/proc/{}", child.id().unwrap()));
        let status = std::fs::read_to_string(process.join("status")).unwrap();
        let kilobytes = |of: &str| -> u64 {
            let line = status.lines().find(|line| line.starts_with(of)).unwrap();
            line.split_whitespace().nth(1).unwrap().parse().unwrap()
        };
        // Without the pages of the program itself, which a build of the tests has many of.
        let own = kilobytes("VmHWM") - kilobytes("RssFile");
        assert!(own < 12_000, "{format}: {status}, for 20 MB of titles");
        let opened = std::fs::read_dir(process.join("fd")).unwrap();
        let places: Vec<_> = opened
            .filter_map(|file| std::fs::read_link(file.unwrap().path()).ok())
            .filter(|place| place.starts_with(&temporary))
            .collect();
        assert_eq!(places.len(), 1);
        assert!(places[0].to_str().unwrap().ends_with(" (deleted)"));
        assert_eq!(std::fs::read_dir(&temporary).unwrap().count(), 0);
        out.read_to_end(&mut text).await.unwrap();
        assert!(child.wait().await.unwrap().success());
        assert!(text.len() as u64 > RUNS * 4_000);
        if format == "json" {
            let runs: Value = serde_json::from_slice(&text).unwrap();
            fits("runs", &runs);
            assert_eq!(runs["runs"].as_array().unwrap().len() as u64, RUNS);
        }
    }
}

#[tokio::test]
async fn text_of_the_service_reaches_no_terminal_as_it_is() {
    let nasty = "=a|b\u{1b}[2J\u{9b}31m\u{202e}\nc";
    let (scene, _service) = scripted(move |_, _| {
        let mut one = page(1, [1]);
        one["result"]["entries"][0]["document"]["Root"]["General"]["Title"] = json!(nasty);
        one
    })
    .await;
    for format in ["table", "markdown", "csv", "json", "ndjson"] {
        let text = scene.out(&format!("runs list --format {format}")).await;
        let acts = |c: char| c != '\n' && (c.is_control() || c == '\u{202e}');
        assert!(!text.chars().any(acts), "{format}: {text:?}");
        match format {
            "csv" => assert!(text.contains("\"'=a|b␛[2J"), "{text}"),
            "markdown" => assert!(text.contains("=a\\|b␛\\[2J"), "{text}"),
            "table" => assert!(text.contains("=a|b␛[2J\u{fffd}31m\u{fffd}␊c"), "{text}"),
            _ => {
                let value: Value = serde_json::from_str(&text).unwrap();
                let run = if format == "json" {
                    &value["runs"][0]
                } else {
                    &value
                };
                assert_eq!(run["title"], nasty);
            }
        }
    }
}

#[tokio::test]
async fn the_formats_show_the_same_runs() {
    let scene = Scene::usual().await;
    let of = async |format| {
        scene
            .out(&format!("runs list --limit 5 --format {format}"))
            .await
    };
    let json: Value = serde_json::from_str(&of("json").await).unwrap();
    let (table, markdown, csv) = (of("table").await, of("markdown").await, of("csv").await);
    assert_eq!(
        (
            table.lines().count(),
            markdown.lines().count(),
            csv.lines().count()
        ),
        (6, 7, 6)
    );
    assert!(
        table.starts_with("Id")
            && markdown.starts_with("| Id | Title |")
            && markdown.contains("| Left | Done |")
            && csv.starts_with("ref,id,title,")
    );
    assert!(!table.contains('\u{1b}'), "no colour");
    for (place, run) in json["runs"].as_array().unwrap().iter().enumerate() {
        let (id, reference) = (run["id"].as_str().unwrap(), run["ref"].as_str().unwrap());
        assert!(
            table.lines().nth(place + 1).unwrap().starts_with(id),
            "{table}"
        );
        assert!(
            markdown
                .lines()
                .nth(place + 2)
                .unwrap()
                .starts_with(&format!("| {id} |")),
            "{markdown}"
        );
        let passed = run["results"]["passed"].as_u64().unwrap().to_string();
        let values = csv.lines().nth(place + 1).unwrap();
        assert!(
            values.starts_with(&format!("{reference},{id},"))
                && values.split(',').any(|it| it == passed),
            "{csv}"
        );
    }
}

#[tokio::test]
async fn without_list_test_runs_the_counts_are_null_and_that_is_said() {
    let scene = Scene::new(options(|it| it.without_list_test_runs = true)).await;
    let ran = scene.run("runs list --limit 2 --format json").await;
    says(&ran.err, "without suites, progress and results");
    let runs: Value = serde_json::from_str(&ran.out).unwrap();
    fits("runs", &runs);
    let run = &runs["runs"][0];
    has(&runs, &json!({"operation": "LIST_DOCUMENTS"}));
    has(run, &json!({"results": null, "suites": null}));
}

/// The bound of a page follows from its size: what is said of it names the page, and the setting that helps.
#[tokio::test]
async fn a_page_that_is_too_large_by_itself_is_told_with_what_helps() {
    let long = |_: &Value, _: usize| {
        let texts = vec!["x".repeat(60_000); 70];
        json!({"result": {"fullSize": 0, "entries": []}, "filterItemMap": {}, "more": texts})
    };
    let (scene, _service) = scripted(long).await;
    let words = [
        "loading the runs (page 0..1): the answer is larger than 3 MiB, all that is read of a page of one entry. Trying again \
         changes nothing: raise max_answer_mb of the profile, or ask whoever runs the service.",
    ];
    scene.refuses("runs list --limit 3", 4, &words).await;
    let config = scene.config();
    scene.write_config(&format!("{config}max_answer_mb = 64\n"));
    scene.run("runs list --limit 3").await.is(0);
}

#[tokio::test]
async fn a_run_is_shown_by_id_and_by_reference_with_every_digit_of_its_document() {
    let scene = Scene::usual().await;
    let list = scene.json("runs list --limit 1").await;
    let (id, reference) = (
        list["runs"][0]["id"].as_str().unwrap(),
        list["runs"][0]["ref"].as_str().unwrap(),
    );
    let run = scene.told("run", &format!("runs show {id}")).await;
    assert_eq!(scene.json(&format!("runs show {reference}")).await, run);
    assert_eq!(run["document"]["docRef"], reference);
    for member in ["title", "results", "suites", "worked_out"] {
        assert_eq!(run[member], list["runs"][0][member], "{member}");
    }
    let line = scene.out(&format!("runs show {id} --format ndjson")).await;
    assert_eq!(
        (
            line.lines().count(),
            serde_json::from_str::<Value>(&line).unwrap()
        ),
        (1, run.clone())
    );
    let table = scene.out(&format!("runs show {id}")).await;
    for word in [
        "Failed (new)",
        "Description",
        run["title"].as_str().unwrap(),
    ] {
        assert!(table.contains(word), "{word}: {table}");
    }
    let csv = scene.out(&format!("runs show {id} --format csv")).await;
    assert!(
        csv.lines()
            .nth(1)
            .unwrap()
            .starts_with(&format!("{reference},{id},")),
        "{csv}"
    );
    // The columns of the list, then what the list does not have.
    let list = scene.out("runs list --limit 1 --format csv").await;
    let heads = list.lines().next().unwrap();
    let more =
        "description,display_created_on,created_by,display_closed_on,closed_by,tenant,technical_id";
    assert_eq!(csv.lines().next(), Some(&*format!("{heads},{more}")));
    begins(csv.lines().nth(1).unwrap(), list.lines().nth(1).unwrap());
}

#[tokio::test]
async fn the_description_and_each_attachment_of_a_run_are_shown() {
    let (scene, _service) = scripted(|call, _| {
        let mut run = entry(1);
        run["document"]["Root"]["General"]["Description"] = json!("Only in the document");
        let file = json!({"FileName": "trace.log", "File": {"size": 4096}});
        run["document"]["Root"]["Attachments"] = json!([file, {}]);
        match call["method"].as_str().unwrap() {
            "GET_DOCUMENT" => run,
            _ => listed(&[run]),
        }
    })
    .await;
    let csv = scene.out("runs show TestRun-dm/1 --format csv").await;
    says(&csv, ",Only in the document,");
    let table = scene.out("runs show TestRun-dm/1").await;
    says(&table, "Only in the document");
    let lines = table.lines().filter(|line| line.starts_with("Attachment"));
    let shown: Vec<_> = lines
        .map(|line| line["Attachment".len()..].trim())
        .collect();
    assert_eq!(
        shown,
        ["trace.log, 4096 bytes", "without a name"],
        "{table}"
    );
}

#[tokio::test]
async fn a_run_that_is_not_there_or_not_one_run_is_said() {
    let scene = Scene::usual().await;
    scene
        .refuses(
            "runs show R_999999",
            4,
            &["there is no test run R_999999 in project P_9, sub project SP_1"],
        )
        .await;
    // What came for it cannot be read: that proves nothing.
    let list = json!({"fullSize": 1, "entries": [{"docRef": "TestRun-dm/1"}]});
    let nameless = json!({"result": list, "filterItemMap": {}});
    scene
        .proxy
        .fault_for("LIST_TEST_RUNS", Fault::Answer(nameless));
    let ran = scene.run("runs show R_999999").await;
    ran.refused(
        4,
        &[
            "a run whose id cannot be read",
            "R_999999 cannot be looked up here",
        ],
    );
    lacks(&ran.err, "there is no test run");
    scene.proxy.fault(Fault::None);
    scene
        .refuses(
            "runs show TestRun-dm/3b53beea-0c4c-4c9e-8a43-5d1f5be4b7f0",
            4,
            &[
                "reading the run (TestRun-dm/3b53beea",
                "not found",
                "may have been deleted: rundown runs list says which runs there are.",
            ],
        )
        .await;
    // A service that filters less than it is asked to: what comes is looked at, and the id must be of one run alone.
    let (scene, _service) = scripted(|call, _| match call["method"].as_str().unwrap() {
        "GET_DOCUMENT" => entry(4),
        _ => page(3, [4, 40, 41]),
    })
    .await;
    assert_eq!(scene.json("runs show R_4").await["ref"], "TestRun-dm/4");
    let (scene, _service) = scripted(|call, _| {
        let mut two = page(2, [4, 5]);
        two["result"]["entries"][1]["document"]["Root"]["General"]["Id"] = json!("R_4");
        if call["method"] == "GET_DOCUMENT" {
            return two["result"]["entries"][1].take();
        }
        two
    })
    .await;
    scene
        .refuses(
            "runs show R_4",
            4,
            &["R_4 names 2 test runs", "TestRun-dm/4, TestRun-dm/5"],
        )
        .await;
    let other = "TestRun-dm/5";
    let shown = scene.json(&format!("runs show {other}")).await;
    assert_eq!(shown["ref"], other);
    let (scene, _service) = scripted(|_, _| page(90_000, 1..=50)).await;
    scene
        .refuses(
            "runs show R_4",
            4,
            &["90000 runs for the filter Root.General.Id:R_4"],
        )
        .await;
}

/// As in `rundown runs list | head -1`: the reader goes away before anything is written.
#[tokio::test]
async fn a_closed_pipe_is_no_failure() {
    let scene = Scene::usual().await;
    for line in ["runs list --limit 3", "runs list --all --format json"] {
        scene.unread(line).await.succeeds();
    }
    let ran = scene.without_room("runs list --limit 3").await;
    ran.refused(4, &["standard output takes nothing"]);
}

/// A service that says when to ask again is not asked before, as seconds or as a time.
#[tokio::test]
async fn a_service_that_asks_for_a_pause_gets_it() {
    let scene = Scene::usual().await;
    let list = "LIST_TEST_RUNS";
    for (status, retry_after) in [(429, Some("2".to_owned())), (503, None)] {
        // HTTP times are whole seconds.
        let due = jiff::Timestamp::now() + jiff::SignedDuration::from_secs(5);
        let later = jiff::fmt::rfc2822::DateTimePrinter::new()
            .timestamp_to_rfc9110_string(&due)
            .unwrap();
        let is_date = retry_after.is_none();
        let retry_after = retry_after.unwrap_or(later);
        let before = scene.proxy.count(list);
        scene
            .proxy
            .fault_for(list, Fault::Busy(status, retry_after));
        let child = scene.start("runs list");
        scene.until_passed(list, before + 1).await;
        let asked = Instant::now();
        scene.proxy.fault(Fault::None);
        let ran = Ran::ended(child).await;
        assert_eq!((ran.status, scene.proxy.count(list)), (Some(0), before + 2));
        let waited = asked.elapsed();
        let is_due = jiff::Timestamp::now().as_second() >= due.as_second();
        assert!(
            if is_date {
                is_due
            } else {
                waited > Duration::from_millis(1_500)
            },
            "{status}: {waited:?}"
        );
    }
}

/// Readings of a longer work, too: one document or list that takes too long does not end it.
#[tokio::test]
async fn a_reading_that_timed_out_is_tried_again_in_a_survey_too() {
    let scene = Scene::with(Options::default(), "request_timeout_seconds = 1").await;
    let other = scene.other().await;
    let run = other.add_run("Slow").await;
    let suites = scene.free(&run).await[..1].to_vec();
    other.add_suites(&run, &suites).await;
    for method in ["GET_DOCUMENT", "GET_AVAILABLE_TEST_SUITES"] {
        let before = scene.proxy.count(method);
        scene.proxy.fault_for(method, Fault::delay(20_000));
        let mut child = scene.start(&format!("suites attached {run}"));
        while scene.proxy.count(method) == before {
            assert!(
                child.try_wait().unwrap().is_none(),
                "{method} was not asked for"
            );
            pause(5).await;
        }
        scene.proxy.fault(Fault::None);
        let ran = Ran::ended(child).await;
        assert_eq!(ran.status, Some(0), "{method}: {ran:?}");
    }
    scene
        .proxy
        .fault_for("LIST_TEST_RUNS", Fault::delay(20_000));
    scene
        .refuses("runs list --retry 0", 4, &["no answer within 1 s. "])
        .await;
}

#[tokio::test]
async fn an_answer_that_is_cut_off_prints_nothing() {
    let scene = Scene::usual().await;
    scene.proxy.fault_for("LIST_TEST_RUNS", Fault::CutAfter);
    scene
        .refuses("runs list --format csv", 4, &["the connection broke"])
        .await;
}

/// What the README shows finds something in the demo, which has such data.
#[tokio::test]
async fn the_first_search_of_the_readme_finds_runs() {
    let readme = include_str!("../../README.md");
    let (_, rest) = readme
        .split_once("| `/` | searches while you type: words, `")
        .unwrap();
    let (query, _) = rest.split_once('`').unwrap();
    let scene = Scene::usual().await;
    let found = scene
        .json(&format!("runs list --query 'is:open {query}'"))
        .await;
    assert!(found["shown"].as_u64() > Some(0), "{query}: {found}");
}

#[tokio::test]
async fn a_run_is_open_or_closed_in_tables_and_as_the_service_says_in_data() {
    let scene = Scene::usual().await;
    for (query, word, value) in [
        ("status:open", "open", "active"),
        ("status:closed", "closed", "inactive"),
        ("status:CLOSED", "closed", "inactive"),
        ("status:inactive", "closed", "inactive"),
    ] {
        let list = format!("runs list --query {query} --all-versions --limit 1");
        let has = |text: &str, word: &str| text.split([' ', ',', '\n']).any(|it| it == word);
        for format in ["table", "markdown"] {
            let text = scene.out(&format!("{list} --format {format}")).await;
            assert!(has(&text, word) && !has(&text, value), "{query}: {text}");
        }
        let csv = scene.out(&format!("{list} --format csv")).await;
        assert!(has(&csv, value) && !has(&csv, word), "{query}: {csv}");
        let run = scene.json(&list).await["runs"][0].take();
        assert_eq!(run["status"], value);
        let show = scene.out(&format!("runs show {}", run["id"])).await;
        let line = show.lines().find(|line| line.starts_with("Status"));
        assert!(line.unwrap().ends_with(&format!(" {word}")), "{show}");
    }
    let none = scene.run("runs list --query status:foo").await;
    none.is(0);
    says(&none.err, "--query, a status is open or closed");
    let some = "runs list --query 'status:foo or status:open' --limit 1";
    let some = scene.run(some).await;
    some.is(0);
    lacks(&some.err, "a status is open");
}

#[tokio::test]
async fn what_no_list_is_sorted_or_filtered_by_is_named() {
    let scene = Scene::usual().await;
    let titel = [
        "--sort <PATH [ASC|DESC]>",
        "no such field to sort by\n",
        "Root.General.Title",
    ];
    scene.refuses("runs list --sort titel", 2, &titel).await;
    let title = ["--sort <PATH [ASC|DESC]>", " title,"];
    scene
        .refuses("runs list --sort 'Title DESC'", 2, &title)
        .await;
    let left = ["no such field to sort by"];
    scene.refuses("runs list --sort left", 2, &left).await;
    let path = ["--filter <PATH:VALUE>", "Root.General.Status:active"];
    scene.refuses("runs list --filter Foo", 2, &path).await;
    let name = [
        "Foo is no field path, which begins with Root.",
        path[1],
        "--query",
    ];
    scene.refuses("runs list --filter Foo:bar", 2, &name).await;
    assert_eq!(scene.proxy.passed().len(), 0);
    // By its name as by its path.
    scene
        .run("runs list --limit 1 --sort 'title DESC'")
        .await
        .is(0);
    assert_eq!(
        scene.params("LIST_TEST_RUNS")[0]["sort"],
        json!([{"order": "Root.General.Title DESC"}])
    );
    // What looks like a path, the service judges.
    for option in ["--sort Foo.Bar", "--filter Foo.Bar:x"] {
        let line = format!("runs list {option}");
        scene.refuses(&line, 4, &["parameters not accepted"]).await;
    }
}

#[tokio::test]
async fn where_a_query_finds_more_that_is_said() {
    let scene = Scene::usual().await;
    let ran = scene.run("runs list --query total>=0 --all-versions").await;
    ran.is(0);
    assert_eq!(
        ran.err,
        "rundown: 50 shown, there are more; --all or --limit N shows more\n"
    );
}

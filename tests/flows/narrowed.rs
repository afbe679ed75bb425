//! What `f` chooses, at services that read two filters of one field as both, and as either.

use crate::support::prelude::*;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use super::Desk;
use super::support::served::profile_of_script;

const RUNS: usize = 240;
const CONFIGURATIONS: [&str; 4] = ["chrome", "chrome, edge", "edge", "opera"];
const TESTERS: [&str; 3] = ["anna", "bert", "ünal"];

fn version(run: usize) -> String {
    format!("1.{}.0", run % 6)
}

fn configuration(run: usize) -> &'static str {
    CONFIGURATIONS[run / 6 % 4]
}

fn testers(run: usize) -> Vec<&'static str> {
    let testers = TESTERS.into_iter().enumerate();
    let is_in =
        |(place, name): (usize, &'static str)| ((run / 7) >> place & 1 == 1).then_some(name);
    testers.filter_map(is_in).collect()
}

fn document(run: usize) -> Value {
    json!({
        "docRef": format!("TestRun-dm/3b53beea-a611-462c-9553-{run:012}"), "documentModelName": "TestRun-dm",
        "document": {"Root": {
            "General": {"Id": format!("R_{run}"), "Title": format!("Run {run}"), "Status": "active",
                "ProjectVersionNumber": version(run), "Configuration": configuration(run)},
            "Metadata": {"EditedBy": "mai", "CreatedBy": "mai", "EditedOn": 1_795_111_320_000_u64 + run as u64},
            "DisplayFields": {"Result": [{"result": "1", "count": run}], "TestersOfTestCases": testers(run)},
        }},
        "__meta": {},
    })
}

fn has(run: usize, filters: &[String], all: bool) -> bool {
    let document = document(run);
    let fits = |line: &&String| {
        let (path, value) = line.split_once(':').unwrap();
        let pointer = format!("/document/{}", path.replace('.', "/"));
        let text = document.pointer(&pointer).and_then(Value::as_str);
        let text = text.unwrap_or_else(|| panic!("the service knows no field {path}"));
        text.split(", ").any(|part| part == value) || text == value
    };
    let mut fields: Vec<&str> = filters
        .iter()
        .map(|it| it.split_once(':').unwrap().0)
        .collect();
    fields.dedup();
    fields.into_iter().all(|field| {
        let mut of_field = filters.iter().filter(|it| it.starts_with(field));
        if all {
            of_field.all(|it| fits(&it))
        } else {
            of_field.any(|it| fits(&it))
        }
    })
}

/// A service that joins two filters of one field by "and", or by "or"; and the interface at it.
async fn at_service(by_and: bool) -> (Scripted, Desk) {
    let service = Scripted::service(move |seen, _| {
        let params = &seen.json()["params"];
        assert_eq!(seen.method(), "LIST_TEST_RUNS");
        let texts = |value: &Value| -> Vec<String> {
            let texts = value.as_array().into_iter().flatten();
            texts
                .map(|text| text.as_str().unwrap().to_owned())
                .collect()
        };
        let filters = texts(&params["filter"]["filters"]);
        let number = |name: &str| params["page"][name].as_u64().unwrap() as usize;
        let found: Vec<Value> = (0..RUNS)
            .filter(|run| has(*run, &filters, by_and))
            .map(document)
            .collect();
        let page = found.iter().skip(number("offset")).take(number("limit"));
        let page: Vec<&Value> = page.collect();
        let offered = json!({"Root.General.Configuration": ["chrome", "edge", "opera", "safari"]});
        let list = json!({"fullSize": found.len(), "entries": page});
        Say::result(seen, &json!({"result": list, "filterItemMap": offered}))
    })
    .await;
    let mut desk = Desk::open(profile_of_script(&service).await);
    desk.until("\nrun 1 of 240").await;
    (service, desk)
}

/// All that is to be chosen.
const VALUES: [&str; 14] = [
    "Version: 1.0.0",
    "Version: 1.1.0",
    "Version: 1.2.0",
    "Version: 1.3.0",
    "Version: 1.4.0",
    "Version: 1.5.0",
    "Configuration: chrome",
    "Configuration: chrome, edge",
    "Configuration: edge",
    "Configuration: opera",
    "Configuration: safari",
    "Testers: anna",
    "Testers: bert",
    "Testers: ünal",
];

/// The ids of the runs that have one of the chosen values of each field.
fn expected(chosen: &[&str]) -> BTreeSet<String> {
    let wanted = |name: &str| -> Vec<&str> {
        let values = chosen.iter().filter_map(|it| it.strip_prefix(name));
        values.collect()
    };
    let (versions, configurations) = (wanted("Version: "), wanted("Configuration: "));
    let people = wanted("Testers: ");
    let is_found = |run: &usize| {
        let parts: Vec<&str> = configuration(*run).split(", ").collect();
        let is_configured =
            |wanted: &&str| parts.contains(wanted) || configuration(*run) == *wanted;
        (versions.is_empty() || versions.contains(&version(*run).as_str()))
            && (configurations.is_empty() || configurations.iter().any(is_configured))
            && (people.is_empty() || testers(*run).iter().any(|it| people.contains(it)))
    };
    (0..RUNS)
        .filter(is_found)
        .map(|run| format!("R_{run}"))
        .collect()
}

/// Chooses these in `f`, looks at what is found, and takes them off again.
async fn choose(desk: &mut Desk, chosen: &[&str], by_and: bool) {
    desk.press(&["f"]);
    for value in chosen {
        desk.press(&[*value, "Space", "Ctrl-u"]);
    }
    desk.press(&["Enter", "r"]);
    let read = |desk: &Desk| !desk.store.runs().reader.busy();
    desk.until_that("it is read", read).await;
    let expected = expected(chosen);
    assert!(!expected.is_empty() && expected.len() < RUNS, "{chosen:?}");
    let found = desk.store.runs().runs().iter();
    let found: BTreeSet<String> = found.map(|run| run.row().name().to_owned()).collect();
    assert_eq!(found, expected, "by and: {by_and}, {chosen:?}");
    // All that the service has is here, and is said to be.
    desk.press(&["Home"]);
    desk.says(&format!("run 1 of {}   f: ", expected.len()));
    desk.says(&format!("[1 Open {}]", expected.len()));
    desk.press(&["f"]);
    for value in chosen {
        desk.press(&[*value, "Space", "Ctrl-u"]);
    }
    desk.press(&["Enter"]);
    desk.until("\nrun 1 of 240").await;
}

#[tokio::test]
async fn several_values_find_the_same_whatever_two_filters_mean_to_the_service() {
    let choices: [&[&str]; 6] = [
        &["Version: 1.1.0", "Version: 1.4.0"],
        &[
            "Configuration: chrome",
            "Configuration: opera",
            "Testers: anna",
        ],
        &[
            "Version: 1.0.0",
            "Configuration: edge",
            "Configuration: safari",
        ],
        &[
            "Testers: anna",
            "Testers: ünal",
            "Version: 1.0.0",
            "Version: 1.1.0",
            "Version: 1.2.0",
            "Version: 1.3.0",
            "Version: 1.5.0",
        ],
        &["Configuration: safari", "Configuration: chrome, edge"],
        &["Version: 1.2.0", "Testers: bert"],
    ];
    for by_and in [true, false] {
        let (service, mut desk) = at_service(by_and).await;
        for chosen in choices {
            choose(&mut desk, chosen, by_and).await;
        }
        let mut lists = BTreeSet::new();
        for call in service.calls() {
            let filter = call.json()["params"]["filter"]["filters"].clone();
            let filters: Vec<String> = serde_json::from_value(filter).unwrap_or_default();
            let fields: Vec<&str> = filters
                .iter()
                .map(|it| it.split_once(':').unwrap().0)
                .collect();
            let different: BTreeSet<&str> = fields.iter().copied().collect();
            assert_eq!(
                fields.len(),
                different.len(),
                "two of one field are sent: {filters:?}"
            );
            assert!(!different.contains("Root.DisplayFields.TestersOfTestCases"));
            lists.extend(filters);
        }
        let version = |number: usize| format!("Root.General.ProjectVersionNumber:1.{number}.0");
        assert!(
            [0, 1, 2, 4]
                .iter()
                .all(|number| lists.contains(&version(*number))),
            "{lists:?}"
        );
        assert!(
            !lists.contains(&version(5)),
            "of five versions none is asked for: {lists:?}"
        );
        let values =
            VALUES.map(|value| prop::bool::weighted(0.25).prop_map(move |is| is.then_some(value)));
        let mut runner = TestRunner::deterministic();
        for _ in 0..20 {
            let drawn = values.new_tree(&mut runner).unwrap().current();
            let chosen: Vec<&str> = drawn.into_iter().flatten().collect();
            if (1..RUNS).contains(&expected(&chosen).len()) {
                choose(&mut desk, &chosen, by_and).await;
            }
        }
    }
}

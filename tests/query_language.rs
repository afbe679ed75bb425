//! Searches and conditions: a table of examples, a second implementation over the JSON of documents, and any text at all.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::LazyLock;

use jiff::{Timestamp, Zoned, tz};
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use rundown::domain::Facets;
use rundown::domain::query_language::{
    Flag, Grammar, NAMES, QueryContext, Subject, complete, condition, search,
};
use rundown::domain::{Document, ResultCode, RunRow};
use serde_json::{Value, json};

const DONE: [ResultCode; 2] = [ResultCode::Passed, ResultCode::Skipped];
const HOUR: i64 = 3_600_000;
/// Friday, 20 November 2026, 09:41:12 on the clock of this zone, which is one hour ahead.
const NOW: i64 = 1_795_164_072_000;

fn now() -> Zoned {
    let zone = tz::TimeZone::fixed(tz::offset(1));
    Timestamp::from_millisecond(NOW).unwrap().to_zoned(zone)
}

fn run(document: &Value) -> RunRow {
    RunRow::from_document(&Document::from_value(document.clone()).unwrap())
}

fn finds(text: &str, document: &Value) -> Option<bool> {
    let read =
        search(text, &now(), &[Flag::Unread]).unwrap_or_else(|wrong| panic!("{text}: {wrong}"));
    let context = QueryContext {
        me: &["anna"],
        flag: &|_, run| Some(run.id.is_some()),
        ..QueryContext::of_counts(&DONE, true)
    };
    read.finds(&run(document), &context)
}

fn example() -> Value {
    let results = json!([{"result": "2", "count": 57}, {"result": "1", "count": 36}, {"result": "5", "count": 2},
        {"result": "6", "count": 1}, {"result": "8", "count": 4}]);
    json!({"docRef": "TestRun-dm/1", "document": {"Root": {
        "General": {
            "Id": "R_240", "Title": "Nightly: Établi batch export (iOS) -> b", "Description": "After the move",
            "Status": "active", "ProjectVersionNumber": "1.10.0", "SubprojectId": "SP_1",
            "Configuration": "Chrome 120, Windows 11", "TestSuiteCount": 3, "Progress": 64,
        },
        "Metadata": {
            "EditedBy": "Anna", "CreatedBy": "bert", "EditedOn": NOW - 2 * HOUR - 12_000, "DisplayEditedOn": "2026-11-20T07:41:00",
            "CreatedOn": null, "DisplayCreatedOn": "2026-11-16T10:00:00",
        },
        "DisplayFields": {"Result": results, "TestersOfTestCases": ["Ötzi", "anna b"]},
    }}})
}

static EXAMPLE: LazyLock<RunRow> = LazyLock::new(|| run(&example()));

#[test]
fn a_search_finds_what_it_says() {
    let document = example();
    for (text, found) in [
        ("", true),
        ("nightly ETABLI move 120", true),
        ("nightly smoke", false),
        ("otzi \"batch export\" -mobile", true),
        ("\"export batch\"", false),
        ("R_240 -R_24 r_240", true),
        ("R_24", false),
        ("\"R_24\" _240", true),
        ("smoke or nightly", true),
        ("smoke OR (nightly -batch)", false),
        ("smoke nightly or export", true),
        ("-(smoke or mobile) and export", true),
        // As they are pasted.
        ("Nightly: Établi batch export (iOS) -> b", true),
        ("title:b", false),
        ("status:open is:open -status:closed", true),
        ("status:closed,inactive", false),
        ("status:Active -is:closed is:open,closed", true),
        ("version:1.1*,2.0 -version:1.1 version:*0", true),
        ("version>=1.9.0 version<1.10.1 version=1.10.0", true),
        ("version > 1.10", false),
        (
            "config:\"chrome 120\" configuration:*11 config:windows*",
            true,
        ),
        ("config:chrome", false),
        ("config:\"chrome*\"", false),
        ("config:\"chrome 120, Windows 11\"", true),
        ("config:\"chrome 120, Windows\"", false),
        ("by:me creator:bert tester:\"anna b\",x", true),
        ("BY:Me Failed>2 IS:Mine Edited:Today", true),
        ("tester:me", false),
        ("is:mine is:unread", true),
        ("subproject:sp_1 description:THE", true),
        ("failed>2 failed=3 failed<=3 failed:1,3 failed_new==2", true),
        ("failed > 3", false),
        ("failed:>=3 edited:>mon", true),
        ("failed!=3 or left != 43", false),
        ("hold=4 left=43 done=57 blocked=0 total=100", true),
        ("done>=57% done<58% left>=43% failed:3% blocked=0%", true),
        ("done>57%", false),
        ("progress>=64% progress<65 suites:3", true),
        ("edited:today edited>-3h edited<09:41 edited:07:41", true),
        ("edited>-2h or edited:07:40 or edited<=-3h", false),
        (
            "edited>2026-11-20 edited:\"2026-11-20 07:41\" edited>=2026-11-20T07:41",
            true,
        ),
        ("edited:yesterday", false),
        (
            "edited!=yesterday edited > mon edited<=today edited:fri",
            true,
        ),
        // As the clock says it, where no epoch came.
        ("created:mon created>-4d created<2026-11-17", true),
        ("created<mon", false),
        ("left: left - is:", false),
    ] {
        assert_eq!(finds(text, &document), Some(found), "{text}");
    }
    for text in [
        "progress=0",
        "by:x",
        "edited:today",
        "version>1",
        "done>=0%",
        "tester:a",
        "is:mine",
    ] {
        let empty = json!({"docRef": "TestRun-dm/2", "document": {}});
        let unknown = text != "by:x";
        assert_eq!(finds(text, &empty), (!unknown).then_some(false), "{text}");
        assert_eq!(
            finds(&format!("-{text}"), &empty),
            (!unknown).then_some(true),
            "{text}"
        );
    }
    let nobody = QueryContext::of_counts(&DONE, true);
    for (text, found) in [
        ("by:me", None),
        ("is:mine -by:anna", Some(false)),
        ("is:unread", None),
    ] {
        let read = search(text, &now(), &[Flag::Unread]).unwrap();
        assert_eq!(read.finds(&EXAMPLE, &nobody), found, "{text}");
    }
    let without_cases =
        json!({"docRef": "TestRun-dm/2", "document": {"Root": {"DisplayFields": {"Result": []}}}});
    assert_eq!(finds("done>=0%", &without_cases), None);
}

#[test]
fn a_mistake_in_a_search_is_pointed_at() {
    for (text, column, words) in [
        ("smoke or", 9, "expected something to look for"),
        ("or smoke", 1, "expected something to look for"),
        ("a (b", 5, "expected a )"),
        ("a ()", 4, "expected something to look for"),
        ("a) b", 2, "this ) closes nothing"),
        ("a \"b", 3, "expected another \""),
        ("é failed>x", 10, "expected a whole number"),
        ("failed>", 8, "expected a value"),
        ("failed>3,4", 10, "one value is enough"),
        ("failed>99999999999999999999999", 8, "too large"),
        ("suites>3%", 8, "expected a whole number"),
        ("by:anna,", 9, "expected a value"),
        ("by>anna", 3, "expected : behind by"),
        ("is>open", 3, "expected : behind is"),
        ("is:opne", 4, "unknown name opne: open?"),
        (
            "is:xyzzy",
            4,
            "expected one of open, closed, mine, unread, late, over, worse",
        ),
        ("is:late", 4, "only the screens know this"),
        ("status:opne", 8, "no status opne: open?"),
        ("edited:yestreday", 8, "2026-11-20 or 09:30: yesterday?"),
        ("edited>-7w", 8, "expected a time such as"),
        ("version>1.x", 9, "expected a version such as 1.9.0"),
    ] {
        let shown = search(text, &now(), &[]).unwrap_err().to_string();
        assert!(
            shown.starts_with(&format!("column {column}: ")),
            "{text}: {shown}"
        );
        assert!(shown.contains(words), "{text}: {shown}");
    }
    let foo = search("edited:foo", &now(), &[]).unwrap_err().to_string();
    assert!(foo.ends_with(" or 09:30"), "nothing is like it: {foo}");
    for (text, note) in [
        (
            "a faild>3",
            "column 3: faild is no field: looked for as words. Did you mean failed?",
        ),
        (
            "x:y Nightly: 7",
            "column 1: x is no field: looked for as words",
        ),
        (
            "id:R_1",
            "column 1: id is no field: looked for as words. R_4 alone finds that run",
        ),
        (
            "title:smoke",
            "column 1: title is no field: looked for as words. Words alone are found in titles",
        ),
        (
            "status: open",
            "column 1: status: looked for as words; a value stands directly behind the colon",
        ),
        (
            "done>=90 %",
            "column 10: %: looked for as words; directly behind a number: done>=90%",
        ),
        (
            "a failed+1>0",
            "column 3: failed+1>0: looked for as words; a count is compared with a number: failed>0",
        ),
        (
            "total%>3",
            "column 1: total%>3: looked for as words; a count is compared with a number: failed>0",
        ),
        (
            "failed_new",
            "column 1: failed_new: looked for as words; a count is compared with a number: failed>0",
        ),
        (
            "R_240,R_239",
            "column 1: R_240,R_239: looked for as words; one of several is R_1 or R_2",
        ),
        (
            "a && b",
            "column 3: &&: looked for as words; what stands side by side is all needed",
        ),
        (
            "NOT smoke",
            "column 1: NOT: looked for as words; -word turns round",
        ),
        (
            "a || b",
            "column 3: ||: looked for as words; or stands between them",
        ),
        ("search AND replace, not only that", "Its"),
        ("a,b failed left a->b chrome OR firefox", "Its"),
        (
            "12:30 http: a->b <b> Left: by =x",
            "column 31: field by? Its",
        ),
    ] {
        let notes = search(text, &now(), &[]).unwrap().notes;
        let notes: Vec<String> = notes.iter().map(ToString::to_string).collect();
        let expected = usize::from(!note.ends_with("Its"));
        assert_eq!(notes.len(), expected, "{text}: {notes:?}");
        assert!(notes.iter().all(|shown| shown == note), "{text}: {notes:?}");
    }
}

#[test]
fn the_service_filters_by_one_status_and_one_version() {
    use rundown::domain::fields::{CONFIGURATION, STATUS, VERSION};
    let (status, version) = (
        "Root.General.Status:active",
        "Root.General.ProjectVersionNumber:1.2.0",
    );
    for (text, filters, chosen) in [
        (
            "status:open smoke version:1.2.0",
            &[status, version][..],
            [true, true],
        ),
        ("is:open by:active", &[status], [true, false]),
        ("version:1.2.0,1.3.0", &[], [false, true]),
        ("version:1.2.* or status:open", &[], [true, true]),
        ("version:1.2.0-RC1", &[], [false, true]),
        ("-version:1.2.0 -(status:open)", &[], [false, false]),
        ("version>1.2", &[], [false, true]),
        ("R_240", &[], [true, true]),
        ("", &[], [false, false]),
    ] {
        let read = search(text, &now(), &[]).unwrap();
        assert_eq!(read.filters(), filters, "{text}");
        assert_eq!(
            [&STATUS, &VERSION].map(|field| read.chooses(field)),
            chosen,
            "{text}"
        );
        assert!(!read.chooses(&CONFIGURATION));
    }
}

/// What a search asks, before it is written down.
#[derive(Clone, Debug)]
enum Asked {
    Words(String, bool),
    Run(u64),
    Field(&'static str, Vec<String>),
    Version(&'static str, String),
    Count(&'static str, &'static str, u64, bool),
    Time(&'static str, &'static str, String),
    Is(&'static str),
    Not(Box<Asked>),
    All(Vec<Asked>),
    Any(Vec<Asked>),
}

impl Asked {
    fn text(&self) -> String {
        let joined = |parts: &[Self], between: &str| {
            let parts: Vec<String> = parts.iter().map(Self::text).collect();
            format!("({})", parts.join(between))
        };
        match self {
            Self::Words(words, true) => format!("\"{words}\""),
            Self::Words(words, false) => words.clone(),
            Self::Run(number) => format!("R_{number}"),
            Self::Field(name, values) => format!("{name}:{}", values.join(",")),
            Self::Version(sign, version) => format!("version{sign}{version}"),
            Self::Count(name, sign, number, percent) => {
                format!("{name}{sign}{number}{}", if *percent { "%" } else { "" })
            }
            Self::Time(name, sign, time) => format!("{name}{sign}{time}"),
            Self::Is(flag) => format!("is:{flag}"),
            Self::Not(part) => format!("-{}", part.text()),
            Self::All(parts) => joined(parts, " "),
            Self::Any(parts) => joined(parts, " or "),
        }
    }

    /// The same over the JSON of a document.
    fn finds(&self, document: &Value) -> Option<bool> {
        let at = |path: &str| {
            &document["document"]["Root"][path.split('.').next().unwrap()]
                [path.split('.').nth(1).unwrap()]
        };
        let text = |path: &str| at(path).as_str().unwrap_or("\u{0}").to_owned();
        let people = |name: &str| -> Option<Vec<String>> {
            match name {
                "by" => Some(vec![text("Metadata.EditedBy")]),
                "creator" => Some(vec![text("Metadata.CreatedBy")]),
                _ if !at("DisplayFields.Result").is_array()
                    && !at("DisplayFields.TestersOfTestCases").is_array() =>
                {
                    None
                }
                _ => Some(list(at("DisplayFields.TestersOfTestCases"))),
            }
        };
        match self {
            Self::Words(words, _) => {
                let fields = ["Title", "Id", "Description", "Configuration"]
                    .map(|name| text(&format!("General.{name}")));
                let mut all = fields
                    .into_iter()
                    .chain(list(at("DisplayFields.TestersOfTestCases")));
                Some(all.any(|text| folded(&text).contains(&folded(words))))
            }
            Self::Run(number) => Some(text("General.Id") == format!("R_{number}")),
            Self::Field(name, values) => {
                let texts = match *name {
                    "by" | "creator" | "tester" => people(name)?,
                    "configuration" => text("General.Configuration")
                        .split(", ")
                        .map(str::to_owned)
                        .collect(),
                    "description" => vec![text("General.Description")],
                    "status" => vec![text("General.Status")],
                    "version" => vec![text("General.ProjectVersionNumber")],
                    other => panic!("{other}"),
                };
                let is = |value: &String, text: &String| {
                    let text = folded(text);
                    match (*name, value.as_str()) {
                        ("by" | "creator" | "tester", "me") => text == "anna",
                        ("status", "open") => text == "active",
                        ("status", "closed") => text == "inactive",
                        ("description", value) => text.contains(&folded(value.trim_matches('"'))),
                        (_, value) => {
                            let plain = folded(value.trim_matches(['*', '"']));
                            match (value.starts_with('*'), value.ends_with('*')) {
                                (true, true) => text.contains(&plain) && text != "\u{0}",
                                (true, false) => text.ends_with(&plain),
                                (false, true) => text.starts_with(&plain),
                                (false, false) => text == plain,
                            }
                        }
                    }
                };
                Some(
                    values
                        .iter()
                        .any(|value| texts.iter().any(|text| is(value, text))),
                )
            }
            Self::Version(sign, version) => {
                let number = |text: &str| -> Option<Vec<u64>> {
                    let parts: Option<Vec<u64>> =
                        text.split('.').map(|part| part.parse().ok()).collect();
                    parts.map(|mut parts| {
                        parts.resize(6, 0);
                        parts
                    })
                };
                let own = number(&text("General.ProjectVersionNumber"))?;
                Some(compares(sign, &own, &number(version).unwrap()))
            }
            Self::Count(name, sign, number, percent) => {
                let results = at("DisplayFields.Result").as_array()?;
                let (mut part, mut total, mut whole) = (0, 0, true);
                for entry in results {
                    let code = entry["result"].as_str().unwrap().parse::<usize>().unwrap();
                    let Some(count) = entry["count"].as_u64() else {
                        whole = false;
                        continue;
                    };
                    total += count;
                    let codes: &[usize] = match *name {
                        "failed" => &[5, 6],
                        "hold" => &[8, 9],
                        "done" => &[2, 11],
                        "left" => &[1, 3, 4, 5, 6, 7, 8, 9, 10, 12],
                        "untested" => &[1],
                        other => panic!("{other}"),
                    };
                    part += if codes.contains(&code) { count } else { 0 };
                }
                match (percent, whole) {
                    (true, true) if total > 0 => {
                        Some(compares(sign, &(part * 100), &(total * number)))
                    }
                    (true, _) => None,
                    (false, true) => Some(compares(sign, &part, number)),
                    // At least so many.
                    (false, false) => {
                        let both = [part, u64::MAX].map(|part| compares(sign, &part, number));
                        let between = ["=", "!="].contains(sign) && part <= *number;
                        (both[0] == both[1] && !between).then_some(both[0])
                    }
                }
            }
            Self::Time(name, sign, time) => {
                let (from, to) = span(time);
                let (epoch, shown) = match *name {
                    "edited" => ("Metadata.EditedOn", "Metadata.DisplayEditedOn"),
                    _ => ("Metadata.CreatedOn", "Metadata.DisplayCreatedOn"),
                };
                let clock = || {
                    let shown: jiff::civil::DateTime = at(shown).as_str()?.parse().ok()?;
                    Some(
                        shown
                            .to_zoned(tz::TimeZone::UTC)
                            .ok()?
                            .timestamp()
                            .as_millisecond()
                            - HOUR,
                    )
                };
                let ms = at(epoch).as_i64().or_else(clock)?;
                Some(match *sign {
                    ">" => ms >= from,
                    "<" => ms < from,
                    _ => ms >= from && ms < to,
                })
            }
            Self::Is(flag) => match *flag {
                "mine" => {
                    let any = ["by", "creator", "tester"]
                        .map(|name| Self::Field(name, vec!["me".into()]));
                    Self::Any(any.to_vec()).finds(document)
                }
                flag => Self::Field("status", vec![flag.into()]).finds(document),
            },
            Self::Not(part) => part.finds(document).map(|found| !found),
            Self::All(parts) => {
                let all: Vec<_> = parts.iter().map(|part| part.finds(document)).collect();
                if all.contains(&Some(false)) {
                    Some(false)
                } else {
                    all.into_iter().collect::<Option<Vec<_>>>().map(|_| true)
                }
            }
            Self::Any(parts) => {
                let all: Vec<_> = parts.iter().map(|part| part.finds(document)).collect();
                if all.contains(&Some(true)) {
                    Some(true)
                } else {
                    all.into_iter().collect::<Option<Vec<_>>>().map(|_| false)
                }
            }
        }
    }
}

fn list(value: &Value) -> Vec<String> {
    let texts = value.as_array().into_iter().flatten();
    texts
        .map(|text| text.as_str().unwrap().to_owned())
        .collect()
}

/// Of what stands in the texts below only.
fn folded(text: &str) -> String {
    let plain = |c: char| match c {
        'É' | 'é' => 'e',
        'Ü' | 'ü' => 'u',
        'Ж' => 'ж',
        c => c.to_ascii_lowercase(),
    };
    text.chars().map(plain).collect()
}

fn compares<T: PartialOrd>(sign: &str, one: &T, other: &T) -> bool {
    match sign {
        "<" => one < other,
        "<=" => one <= other,
        "=" => one == other,
        "!=" => one != other,
        ">=" => one >= other,
        _ => one > other,
    }
}

/// Epoch milliseconds, from and to.
fn span(text: &str) -> (i64, i64) {
    let day = 24 * HOUR;
    let today = (NOW + HOUR).div_euclid(day) * day - HOUR;
    match text {
        "today" => (today, today + day),
        "yesterday" | "2026-11-19" => (today - day, today),
        // Today is Friday.
        "mon" => (today - 4 * day, today - 3 * day),
        "sat" => (today - 6 * day, today - 5 * day),
        "09:30" => (today + 570 * 60_000, today + 571 * 60_000),
        "-7d" => (NOW - 7 * day, i64::MAX),
        "-2h" => (NOW - 2 * HOUR, i64::MAX),
        other => panic!("{other}"),
    }
}

const TEXTS: [&str; 8] = [
    "Nightly",
    "batch export",
    "Établi",
    "MÜNCHEN",
    "Жук",
    "R_1",
    "smoke",
    "a",
];
const PEOPLE: [&str; 4] = ["Anna", "bert", "anna b", "Éva"];
const PARTS: [&str; 4] = ["Chrome", "chrome 120", "Windows 11", "ÜBER"];
const VERSIONS: [&str; 5] = ["1.2.0", "1.10", "1.9.3", "2", "trunk"];
const TIMES: [&str; 8] = [
    "today",
    "yesterday",
    "mon",
    "sat",
    "2026-11-19",
    "09:30",
    "-7d",
    "-2h",
];
const SIGNS: [&str; 6] = ["<", "<=", "=", "!=", ">=", ">"];

fn often<T: Clone + std::fmt::Debug + 'static>(
    of: impl Strategy<Value = T> + 'static,
) -> impl Strategy<Value = Option<T>> {
    proptest::option::weighted(0.8, of)
}

fn asked() -> impl Strategy<Value = Asked> {
    let words = select(
        &[
            "night",
            "EXPORT",
            "etabli",
            "münch",
            "ж",
            "r_",
            "a",
            "zzz",
            "batch export",
        ][..],
    );
    let value = |of: &'static [&'static str]| {
        let star = select(&["", "*"][..]);
        (star.clone(), select(of), star).prop_map(|(before, value, behind)| match value {
            value if value.contains(' ') => format!("\"{value}\""),
            value => format!("{before}{value}{behind}"),
        })
    };
    let values = move |of| prop::collection::vec(value(of), 1..3);
    let person = select(&["by", "creator", "tester"][..]);
    let leaf = prop_oneof![
        (words, any::<bool>())
            .prop_map(|(words, exact)| Asked::Words(words.into(), exact || words.contains(' '))),
        (0_u64..30).prop_map(Asked::Run),
        (person, values(&["anna", "me", "BERT", "anna b", "eva"]))
            .prop_map(|(name, values)| Asked::Field(name, values)),
        values(&["chrome", "120", "windows 11", "uber"])
            .prop_map(|values| Asked::Field("configuration", values)),
        values(&["nightly", "etabli", "a"]).prop_map(|values| {
            let plain = values
                .iter()
                .map(|value| value.trim_matches('*').to_owned());
            Asked::Field("description", plain.collect())
        }),
        values(&["1.2.0", "1.", "9"]).prop_map(|values| Asked::Field("version", values)),
        subsequence(vec!["open", "closed", "odd"], 1..3).prop_map(|values| Asked::Field(
            "status",
            values.into_iter().map(str::to_owned).collect()
        )),
        (
            select(&["<", "<=", ">=", ">"][..]),
            select(&["1.2", "1.9.3", "1.10.0", "2.0.0"][..])
        )
            .prop_map(|(sign, version)| Asked::Version(sign, version.into())),
        (
            select(&["failed", "hold", "done", "left", "untested"][..]),
            select(&SIGNS[..]),
            0_u64..12,
            any::<bool>()
        )
            .prop_map(|(name, sign, number, percent)| {
                Asked::Count(
                    name,
                    sign,
                    if percent { number * 10 } else { number },
                    percent,
                )
            }),
        (
            select(&["edited", "created"][..]),
            select(&[":", ">", "<"][..]),
            select(&TIMES[..])
        )
            .prop_map(|(name, sign, time)| Asked::Time(name, sign, time.into())),
        select(&["open", "closed", "mine"][..]).prop_map(Asked::Is),
    ];
    leaf.prop_recursive(3, 12, 3, |part| {
        let parts = prop::collection::vec(part.clone(), 1..4);
        prop_oneof![
            parts.clone().prop_map(Asked::All),
            parts.prop_map(Asked::Any),
            part.prop_map(|part| match part {
                Asked::Not(_) => part,
                part => Asked::Not(Box::new(part)),
            }),
        ]
    })
}

fn results(
    codes: impl Strategy<Value = Vec<u64>> + 'static,
    count: impl Strategy<Value = Value> + 'static,
) -> impl Strategy<Value = Value> {
    (codes, prop::collection::vec(count, 12)).prop_map(|(codes, counts)| {
        let entries = codes.iter().zip(counts);
        entries
            .map(|(code, count)| json!({"result": code.to_string(), "count": count, "label": "L"}))
            .collect()
    })
}

fn document() -> impl Strategy<Value = Value> {
    let text =
        || often(prop::collection::vec(select(&TEXTS[..]), 1..3).prop_map(|words| words.join(" ")));
    let person = || often(select(&PEOPLE[..]));
    let time = || (NOW / 60_000 - 9 * 1440..NOW / 60_000).prop_map(|minute| minute * 60_000);
    let count = prop_oneof![20 => (0_u64..12).prop_map(Value::from), 1 => Just(json!(-1))];
    let counted = (
        results(subsequence((1..=12).collect::<Vec<u64>>(), 0..=12), count),
        subsequence(PEOPLE.to_vec(), 0..3),
    );
    let general = (
        text(),
        text(),
        0_u64..30,
        often(select(&["active", "inactive", "odd"][..])),
        often(select(&VERSIONS[..])),
        often(subsequence(PARTS.to_vec(), 1..3).prop_map(|parts| parts.join(", "))),
    );
    let times = (often(time()), often(time()), time());
    (general, (person(), person()), times, often(counted)).prop_map(|(general, people, times, counted)| {
        let (title, description, number, status, version, configuration) = general;
        let shown = (times.2 + HOUR) / 1000;
        let shown = Timestamp::from_second(shown).unwrap().to_string().trim_end_matches('Z').to_owned();
        let mut root = json!({
            "General": {"Id": format!("R_{number}"), "Title": title, "Description": description, "Status": status,
                "ProjectVersionNumber": version, "Configuration": configuration},
            "Metadata": {"EditedBy": people.0, "CreatedBy": people.1, "EditedOn": times.0, "DisplayEditedOn": shown,
                "CreatedOn": times.1},
        });
        if let Some((results, testers)) = counted {
            root["DisplayFields"] = json!({"Result": results, "TestersOfTestCases": testers});
        }
        json!({"docRef": "TestRun-dm/1", "document": {"Root": root}})
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_second_implementation_finds_the_same(asked in asked(), documents in prop::collection::vec(document(), 16)) {
        let text = asked.text();
        for document in &documents {
            prop_assert_eq!(finds(&text, document), asked.finds(document), "{}\n{:#}", text, document);
        }
    }

    /// On documents that list all codes: the conditions that docs/headless.md names, and one of each name.
    #[test]
    fn a_gate_finds_what_a_search_finds(
        results in results(Just((1..=11).collect()), (1_u64..30).prop_map(Value::from)), number in 0_u64..40
    ) {
        let root = json!({"General": {"TestSuiteCount": 7, "Progress": 20}, "DisplayFields": {"Result": results}});
        let document = json!({"docRef": "TestRun-dm/1", "document": {"Root": root}});
        let guide = include_str!("../docs/headless.md");
        let named = [
            ("failed_new <= 3 && untested == 0", "failed_new<=3 untested=0"),
            ("failed_new * 100 <= total * 5", "failed_new<=5%"),
        ];
        let mut pairs = Vec::new();
        for (condition, search) in named {
            prop_assert!(guide.contains(condition), "{}", condition);
            pairs.push((condition.to_owned(), search.to_owned()));
        }
        for name in NAMES.iter().filter_map(|name| name.count()) {
            let name = name.text();
            pairs.push((format!("{name} >= {number}"), format!("{name}>={number}")));
        }
        for (gate, search) in pairs {
            let holds = condition(&gate).unwrap().holds(Subject::Run(&run(&document), &QueryContext::of_counts(&DONE, false)));
            prop_assert!(holds.is_some());
            prop_assert_eq!(finds(&search, &document), holds, "{}", gate);
        }
    }
}

fn facets() -> Facets {
    use rundown::domain::fields::{CONFIGURATION, STATUS, TESTERS, VERSION};
    let field = |path: &str, values: &[&str]| {
        let values = values.iter().map(|value| (*value).to_owned());
        (path.to_owned(), values.collect())
    };
    vec![
        field(VERSION.path, &["1.2.0", "1.2.1", "2.0*", "R1 (beta)"]),
        field(
            CONFIGURATION.path,
            &[
                "qftest,chrome",
                "chrome",
                "edge",
                "Windows 11",
                "windows 11",
            ],
        ),
        field(
            TESTERS.path,
            &[
                "anna",
                "Anna, B",
                "John Smith",
                "John Snow",
                "me",
                "\"",
                "Établi",
                "a\nb",
            ],
        ),
        field(STATUS.path, &["active", "archived", "opened"]),
    ]
}

/// A text with the cursor at `|`, with the common beginning of the candidates put in, and the candidates.
fn completed(text: &str, grammar: Grammar<'_>) -> (String, Vec<String>) {
    let (before, behind) = text.split_once('|').unwrap();
    let text: Vec<char> = format!("{before}{behind}").chars().collect();
    let whole: String = text.iter().collect();
    let done = complete(&whole, before.chars().count(), grammar);
    let put = match (&done.candidates[..], done.common) {
        ([only], _) => Some((only.clone(), only.chars().count())),
        (_, common) => common,
    };
    let (mut put, cursor) = put.unwrap_or_else(|| {
        let word: String = text[done.word.clone()].iter().collect();
        let cursor = before.chars().count().saturating_sub(done.word.start);
        (word, cursor)
    });
    let at = put.char_indices().nth(cursor).map_or(put.len(), |it| it.0);
    put.insert(at, '|');
    let before: String = text[..done.word.start].iter().collect();
    let behind: String = text[done.word.end..].iter().collect();
    (format!("{before}{put}{behind}"), done.candidates)
}

#[test]
fn the_word_at_the_cursor_is_completed() {
    let facets = facets();
    for (text, put, candidates) in [
        ("ver|", "version:|", &["version:"][..]),
        ("VER|", "version:|", &["version:"]),
        ("smoke -ver| or x", "smoke -version:| or x", &["version:"]),
        ("(ver|)", "(version:|)", &["version:"]),
        ("v|er", "version:|", &["version:"]),
        ("v|er>=1.9", "version|>=1.9", &["version"]),
        ("e| > today", "edited| > today", &["edited"]),
        ("cre|", "creat|", &["creator:", "created:"]),
        ("config|", "configuration:|", &["configuration:"]),
        ("unt|", "untested|", &["untested"]),
        (
            "faile|",
            "failed|",
            &["failed", "failed_new", "failed_known"],
        ),
        (
            "failed|",
            "failed|",
            &["failed", "failed_new", "failed_known"],
        ),
        (
            "failed|>3",
            "failed|>3",
            &["failed", "failed_new", "failed_known"],
        ),
        ("xyz|", "xyz|", &[]),
        ("R_2|", "R_2|", &[]),
        ("\"ver|\"", "\"ver|\"", &[]),
        ("failed>3|", "failed>3|", &[]),
        ("foo:v|", "foo:v|", &[]),
        ("is:o|", "is:o|", &["open", "over"]),
        ("is:open,la|", "is:open,late|", &["late"]),
        ("is>o|", "is>o|", &[]),
        ("edited:y|", "edited:yesterday|", &["yesterday"]),
        ("edited > t|", "edited > t|", &["today", "tue", "thu"]),
        ("status:c|", "status:closed|", &["closed"]),
        // What reads otherwise without quotes is written in quotes.
        ("status:o|", "status:open|", &["open", "\"opened\""]),
        ("status:ar|", "status:archived|", &["archived"]),
        (
            "version:|",
            "version:|",
            &["1.2.0", "1.2.1", "\"2.0*\"", "\"R1 (beta)\""],
        ),
        ("version:|x smoke", "version:|x smoke", &[]),
        (
            "version:| smoke",
            "version:| smoke",
            &["1.2.0", "1.2.1", "\"2.0*\"", "\"R1 (beta)\""],
        ),
        ("version>=|", "version>=1.2.|", &["1.2.0", "1.2.1"]),
        ("version:1|", "version:1.2.|", &["1.2.0", "1.2.1"]),
        ("version!=2|", "version!=\"2.0*\"|", &["\"2.0*\""]),
        ("config:c|", "config:chrome|", &["chrome"]),
        ("config:edge,q|", "config:edge,qftest|", &["qftest"]),
        ("by:an|", "by:anna|", &["anna", "\"Anna, B\""]),
        (
            "tester:jo|",
            "tester:\"John S|\"",
            &["\"John Smith\"", "\"John Snow\""],
        ),
        (
            "tester:\"John Sm|\" x",
            "tester:\"John Smith\"| x",
            &["\"John Smith\""],
        ),
        (
            "tester:\"John Sm|",
            "tester:\"John Smith\"|",
            &["\"John Smith\""],
        ),
        ("creator:m|", "creator:me|", &["me", "\"me\""]),
        ("by:et|", "by:Établi|", &["Établi"]),
        (
            "by:\"|",
            "by:\"|",
            &[
                "me",
                "anna",
                "\"Anna, B\"",
                "\"John Smith\"",
                "\"John Snow\"",
                "\"me\"",
                "Établi",
            ],
        ),
    ] {
        let (done, found) = completed(text, Grammar::Search(&facets));
        assert_eq!(
            (done.as_str(), &found[..]),
            (
                put,
                &candidates
                    .iter()
                    .map(|it| (*it).to_owned())
                    .collect::<Vec<_>>()[..]
            ),
            "{text}"
        );
    }
    // What is typed behind it does not come between its quotes.
    let windows = completed("config:win|", Grammar::Search(&facets));
    let put = "config:\"Windows 11\"|".to_owned();
    assert_eq!(windows, (put, vec!["\"Windows 11\"".to_owned()]));
    let (_, all) = completed("smoke |", Grammar::Search(&facets));
    assert_eq!(all.len(), NAMES.len());
    for (text, put, candidates) in [
        ("unt|", "untested|", &["untested"][..]),
        ("failed_n| <= 3", "failed_new| <= 3", &["failed_new"]),
        (
            "x<1&&on_|",
            "x<1&&on_hold_|",
            &["on_hold_external", "on_hold_internal"],
        ),
        ("ver|", "ver|", &[]),
        ("3|", "3|", &[]),
    ] {
        let (done, found) = completed(text, Grammar::Condition);
        assert_eq!(done, put, "{text}");
        assert_eq!(found, candidates, "{text}");
    }
}

/// Texts out of what means something, and of anything else.
fn any_text() -> impl Strategy<Value = String> {
    let known = [
        " ",
        " or ",
        " and ",
        "(",
        ")",
        "-",
        "\"",
        "*",
        ",",
        "%",
        ":",
        "=",
        "<",
        ">=",
        "!=",
        "!",
        "&&",
        "||",
        "+",
        "failed",
        "done",
        "left",
        "untested",
        "is:",
        "open",
        "status:",
        "by:me",
        "version>",
        "1.9.0",
        "edited>",
        "-7d",
        "today",
        "09:30",
        "2026-11-20",
        "R_240",
        "99999999999999999999",
        "3",
        "config:",
        "é",
        "\u{301}",
    ];
    let piece =
        prop_oneof![8 => select(known.to_vec()).prop_map(str::to_owned), 1 => any::<String>()];
    prop::collection::vec(piece, 0..14).prop_map(|pieces| pieces.concat())
}

/// `RUNDOWN_FUZZ=1000000` tries as many.
fn fuzzed() -> u32 {
    let wanted = std::env::var("RUNDOWN_FUZZ").ok();
    wanted.map_or(10_000, |wanted| wanted.parse().unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: fuzzed(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read_or_pointed_at(text in any_text()) {
        let read = search(&text, &now(), &Flag::ALL.map(|(flag, ..)| flag));
        let notes = read.as_ref().map(|read| read.notes.clone()).unwrap_or_default();
        let condition = condition(&text);
        let wrong = read.as_ref().err().into_iter().chain(condition.as_ref().err()).chain(&notes);
        for wrong in wrong {
            let column = wrong.column();
            prop_assert!((1..=text.chars().count() + 1).contains(&column) && !wrong.words.is_empty());
            prop_assert!(wrong.to_string().starts_with("column ") && wrong.unquoted().starts_with("column "));
        }
        let (row, context) = (&*EXAMPLE, QueryContext::of_counts(&DONE, true));
        let _ = read.map(|read| (read.finds(row, &context), read.filters()));
        let _ = condition.map(|condition| condition.shortfall(&text, Subject::Run(row, &context)));
    }

    #[test]
    fn what_was_completed_is_read(text in any_text(), cursor in 0..60_usize) {
        let facets = facets();
        let flags = Flag::ALL.map(|(flag, ..)| flag);
        let characters: Vec<char> = text.chars().collect();
        let with = |word: &std::ops::Range<usize>, put: &str| {
            let (before, behind) = (&characters[..word.start], &characters[word.end..]);
            before.iter().copied().chain(put.chars()).chain(behind.iter().copied()).collect::<String>()
        };
        let done = complete(&text, cursor, Grammar::Search(&facets));
        prop_assert!(done.word.end <= characters.len());
        // What stands before may be wrong: then none is read.
        if done.word.end == characters.len() {
            let is_read = |candidate: &String| search(&with(&done.word, candidate), &now(), &flags).is_ok();
            let read = done.candidates.iter().filter(|candidate| is_read(candidate)).count();
            prop_assert!([0, done.candidates.len()].contains(&read), "{}: {:?}", text, done);
        }
        let done = complete(&text, cursor, Grammar::Condition);
        for candidate in &done.candidates {
            let alone = format!("{candidate} > 0");
            prop_assert!(condition(&alone).is_ok());
            let text = with(&done.word, candidate);
            if condition(&with(&done.word, "total")).is_ok() {
                prop_assert!(condition(&text).is_ok(), "{}", text);
            }
        }
    }
}

#[test]
fn long_texts_are_read_and_longer_ones_refused() {
    let (row, context) = (&*EXAMPLE, QueryContext::of_counts(&DONE, true));
    for text in ["a ", "failed>1 ", "a or "] {
        let text = text.repeat(9_990 / text.len()) + "a";
        assert!(
            search(&text, &now(), &[])
                .unwrap()
                .finds(row, &context)
                .is_some()
        );
    }
    let sum = "1+".repeat(4_990) + "1 < 3";
    assert_eq!(
        condition(&sum).unwrap().holds(Subject::Run(row, &context)),
        Some(false)
    );
    for (text, words) in [
        ("(".repeat(5_000), "in one another"),
        ("a".repeat(20_000), "longer than"),
    ] {
        let wrong = [
            search(&text, &now(), &[]).unwrap_err(),
            condition(&text).unwrap_err(),
        ];
        assert!(
            wrong.iter().all(|wrong| wrong.words.contains(words)),
            "{wrong:?}"
        );
    }
}

//! The form as TOML for an editor.

use proptest::prelude::*;
use rundown::domain::{FormProblem, RunField, RunTexts, from_toml, to_toml};

fn texts(entries: &[(RunField, &str)]) -> RunTexts {
    entries
        .iter()
        .map(|(field, text)| (*field, (*text).to_owned()))
        .collect()
}

fn wrong(toml: &str) -> Vec<(usize, String)> {
    let problems = from_toml(toml, &RunField::EDITABLE).unwrap_err();
    problems
        .into_iter()
        .map(|FormProblem { line, words }| (line, words))
        .collect()
}

#[test]
fn what_an_editor_shows() {
    let texts = texts(&[
        (RunField::Title, r"C:\new \ 日本"),
        (RunField::Configuration, "Firefox, \"nightly\""),
        (
            RunField::Description,
            "1. It's\n   'quoted'\n\n2. Ünder \\ \"\"\" \n",
        ),
        (RunField::Status, "active"),
        (RunField::ProjectId, "P_9\n\"x\""),
        (RunField::SubprojectId, "_"),
    ]);
    let toml = to_toml(
        &texts,
        &RunField::EDITABLE,
        "R_21 Hotfix\u{1b}[2J\nbase 02:09:50 trung vim: set ts=13:",
    );
    let expected = r#"# R_21 Hotfix\u{1b}[2J
# base 02:09:50 trung vim\u{3a} set ts=13:
# Lines that begin with # are not read. A field whose lines are taken out stays as it is.

# The name of the run.
Title = 'C:\new \ 日本'

# Free text, such as: chrome, windows 11
Configuration = 'Firefox, "nightly"'

# Any text, of one line or more, between the quotes.
Description = '''
1. It's
   'quoted'

2. Ünder \ """ 
'''

# active (open) or inactive (closed: its suites can no longer be changed).
Status = "active"

# Of the form P_<n>.
# ProjectId = "P_9\n\"x\""   fixed here

# Of the form SP_<n>; _ means none.
# SubprojectId = "_"   fixed here

# Version of the project, of the form <major>.<minor>.<patch>.
# ProjectVersionNumber = ""   fixed here
"#;
    assert_eq!(toml, expected);
}

#[test]
fn a_person_may_write_any_toml() {
    let toml = "\u{feff}Title='a'\r\nDescription = \"\"\"\r\n one\\\r\n   two\r\nthree\"\"\"\r\n# Status = 'x'\r\nConfiguration=\"\\u00fc\"";
    let expected = [
        (RunField::Title, "a"),
        (RunField::Description, " onetwo\nthree"),
        (RunField::Configuration, "ü"),
    ];
    assert_eq!(from_toml(toml, &RunField::EDITABLE), Ok(texts(&expected)));
    assert_eq!(from_toml("", &RunField::EDITABLE), Ok(RunTexts::new()));
    assert_eq!(
        from_toml("ProjectId = 'P_1'", &RunField::ALL),
        Ok(texts(&[(RunField::ProjectId, "P_1")]))
    );
}

#[test]
fn whatever_is_wrong_is_told_with_its_line() {
    let toml = "Titel = 'a'\r\n\r\nStatus = true\r\nConfiguration = ['a', 'b']\r\nProjectId = 'P_1'\r\ntitle = 'b'\r\nzzz = 1\r\n\
                \"a\\u001b\\n\" = ''\r\n[Description]\r\nx = 1\r\n";
    let told = wrong(toml);
    let expected = [
        (1, "\"Titel\" is no field of a run; meant is perhaps Title"),
        (3, "Status: true or false found; expected a text in quotes"),
        (4, "Configuration: a list found; expected a text in quotes"),
        (5, "ProjectId is fixed here: take the line out"),
        (6, "\"title\" is no field of a run; meant is perhaps Title"),
        (
            7,
            "\"zzz\" is no field of a run; expected one of Title, Configuration, Description, Status",
        ),
        (
            8,
            "\"a\\u{1b}\\n\" is no field of a run; expected one of Title, Configuration, Description, Status",
        ),
        (9, "Description: a table found; expected a text in quotes"),
    ];
    assert_eq!(
        told.iter()
            .map(|(line, words)| (*line, words.as_str()))
            .collect::<Vec<_>>(),
        expected
    );
    for (value, word) in [
        ("7", "a number"),
        ("1.5", "a number"),
        ("2026-11-20", "a date"),
        ("{}", "a table"),
    ] {
        assert_eq!(
            wrong(&format!("\nTitle = {value}")),
            [(2, format!("Title: {word} found; expected a text in quotes"))]
        );
    }
}

#[test]
fn what_is_no_toml_is_told_with_its_line() {
    for (toml, line) in [
        ("Title = 'a'\nStatus = active\n", 2),
        ("Title = 'a'\n\nTitle = 'b'\n", 3),
        ("Title = 'a\nStatus = 'b'\n", 1),
        ("just words\n", 1),
        ("Title = \"\\q\"\n", 1),
        ("Title = 'a'\rStatus = 'b'", 1),
    ] {
        let told = wrong(toml);
        assert!(
            told.iter()
                .all(|(at, words)| *at == line && words.starts_with("this is no TOML: ")),
            "{toml:?}: {told:?}"
        );
    }
}

/// Texts of what is hard on quotes, escapes and line ends, and any other.
fn hard() -> impl Strategy<Value = String> {
    let parts = vec![
        "'",
        "''",
        "'''",
        "\"",
        "\"\"\"",
        "\\",
        "\\u0041",
        "\n",
        "\r\n",
        "\r",
        "\t",
        " ",
        "#",
        "\0",
        "\u{1b}[2J",
        "\u{7f}",
        "\u{85}",
        "\u{feff}",
        "\u{2028}",
        "\u{202e}",
        "\u{200b}",
        "\u{e0041}",
        " vim: set ts=13:",
        "-*-",
        "Ü",
        "日",
        "🕴",
        "e\u{301}",
        "=",
        "[x]",
        "a",
    ];
    prop_oneof![
        3 => prop::collection::vec(prop::sample::select(parts), 0..12).prop_map(|parts| parts.concat()),
        1 => any::<String>(),
        1 => prop::collection::vec(any::<char>(), 0..20).prop_map(|chars| chars.into_iter().collect()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    #[test]
    fn any_text_comes_back(all in prop::collection::vec(hard(), 7), header in hard(), windows in any::<bool>()) {
        let texts: RunTexts = RunField::ALL.into_iter().zip(all).collect();
        for editable in [&RunField::ALL[..], &RunField::EDITABLE[..], &[]] {
            let mut toml = to_toml(&texts, editable, &header);
            if windows {
                toml = format!("\u{feff}{}", toml.replace('\n', "\r\n"));
            }
            let expected: RunTexts =
                texts.iter().filter(|(field, _)| editable.contains(field)).map(|(field, text)| (*field, text.clone())).collect();
            prop_assert_eq!(from_toml(&toml, editable), Ok(expected), "{}", toml);
        }
    }

    #[test]
    fn no_text_is_too_odd_to_be_read(text in hard()) {
        let lines = text.lines().count().max(1) + 1;
        if let Err(problems) = from_toml(&text, &RunField::EDITABLE) {
            prop_assert!(!problems.is_empty());
            prop_assert!(problems.iter().all(|problem| (1..=lines).contains(&problem.line)), "{:?}", problems);
        }
    }
}

//! THE table of names in searches and conditions, and the sources of their values.

use crate::domain::prelude::*;

/// Name in a search or a condition.
#[derive(Debug)]
pub struct Name {
    /// Written form.
    pub text: &'static str,
    /// Shorter form; empty if there is none.
    pub short: &'static str,
    pub kind: NameKind,
    /// Description for docs and completion.
    pub about: &'static str,
}

/// Meaning of a name.
#[derive(Debug)]
pub enum NameKind {
    Count(RunCount),
    /// A text, or several.
    Text(&'static Field),
    /// Epoch milliseconds, and the time as sent.
    Time(fn(&RunRow) -> (Option<i64>, Option<&str>)),
    /// `is:`, followed by one of [`Flag::ALL`].
    Flags,
}

impl PartialEq for Name {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Name {}

impl Name {
    const fn new(text: &'static str, kind: NameKind, about: &'static str) -> Self {
        Self {
            text,
            short: "",
            kind,
            about,
        }
    }

    const fn count_of(count: RunCount, about: &'static str) -> Self {
        Self::new(count.text(), NameKind::Count(count), about)
    }

    const fn code(code: ResultCode) -> Self {
        Self::count_of(RunCount::Code(code), code.label())
    }

    const fn field(text: &'static str, field: &'static Field) -> Self {
        Self::new(text, NameKind::Text(field), field.label)
    }

    /// Returns the name in the table, if there is one.
    pub(super) fn find(text: &str) -> Option<&'static Self> {
        let mut names = NAMES.into_iter();
        let is = |name: &str| !text.is_empty() && name.eq_ignore_ascii_case(text);
        names.find(|name| is(name.text) || is(name.short))
    }

    /// Returns `true` if the text is the name, or the short one, letter by letter.
    pub(super) fn is_spelled(&self, text: &str) -> bool {
        [self.text, self.short].contains(&text)
    }

    /// Returns the number, for a count.
    pub fn count(&self) -> Option<RunCount> {
        match self.kind {
            NameKind::Count(count) => Some(count),
            _ => None,
        }
    }

    /// Returns `true` if the values are ordered.
    pub(super) fn is_compared(&self) -> bool {
        matches!(self.kind, NameKind::Count(_) | NameKind::Time(_)) || *self == VERSION
    }

    /// Returns `true` if the values are names of users.
    pub(super) fn is_person(&self) -> bool {
        matches!(self.kind, NameKind::Text(field) if PEOPLE.contains(&field))
    }

    /// Returns the fixed values.
    pub(super) fn values(&self) -> Vec<&'static str> {
        match self.kind {
            NameKind::Flags => Flag::ALL.map(|(_, text, _)| text).to_vec(),
            NameKind::Time(_) => {
                let days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
                [&["today", "yesterday"][..], &days].concat()
            }
            _ if *self == STATUS => vec!["open", "closed"],
            _ if self.is_person() => vec!["me"],
            _ => Vec::new(),
        }
    }
}

impl RunCount {
    /// Parses a name of a release or else of a run. The error suggests names with this beginning, the nearest one, or
    /// all.
    pub(super) fn parse(word: &str, release: bool) -> Result<Self, String> {
        let names = || NAMES.iter().chain(&RELEASE_NAMES);
        let counts = || names().filter_map(|name| name.count());
        let all = || counts().filter(|count| count.is_of(release));
        if let Some(count) = all().find(|count| count.text().eq_ignore_ascii_case(word)) {
            return Ok(count);
        }
        if counts().any(|count| count.text().eq_ignore_ascii_case(word)) {
            return Err(of_the_other(word, release));
        }
        let sign = [("and", "&&"), ("or", "||"), ("not", "!")];
        let mut signs = sign.iter();
        if let Some((_, sign)) = signs.find(|(spelled, _)| word.eq_ignore_ascii_case(spelled)) {
            return Err(format!("expected {sign}"));
        }
        Err(match meant(word, all().map(Self::text)) {
            Some(names) => format!("unknown name {word}: {names}?"),
            None => {
                let all: Vec<&str> = all().map(Self::text).collect();
                format!("unknown name {word}; there are {}", all.join(", "))
            }
        })
    }
}

/// Returns the error for a number of a run that releases lack, or vice versa.
pub(super) fn of_the_other(word: &str, release: bool) -> String {
    let (of, asked) = if release {
        ("a run", "a release")
    } else {
        ("a release", "a run")
    };
    format!("{word} is a number of {of}, and this is asked of {asked}")
}

/// Returns the names with this beginning, else the nearest one: `failed, failed_new or failed_known`.
pub(super) fn meant<'a>(word: &str, names: impl Iterator<Item = &'a str>) -> Option<String> {
    let word: String = folded(word).into_iter().collect();
    let names: Vec<&str> = names.collect();
    let begins = names.iter().filter(|name| name.starts_with(&word));
    match begins.collect::<Vec<_>>()[..] {
        [] => {
            let distance = |name: &&&str| strsim::damerau_levenshtein(name, &word);
            let nearest = names.iter().min_by_key(distance);
            nearest
                .filter(|name| distance(name) <= 2.min(word.len() / 2))
                .map(|name| (*name).to_owned())
        }
        [only] => Some((*only).to_owned()),
        [ref others @ .., last] => {
            let others: Vec<&str> = others.iter().map(|name| **name).collect();
            Some(format!("{} or {last}", others.join(", ")))
        }
    }
}

pub(super) static VERSION: Name = Name::field("version", &fields::VERSION);
pub(super) static STATUS: Name = Name::field("status", &fields::STATUS);
/// Fields that hold names of users.
pub(super) static PEOPLE: [&Field; 3] = [&fields::CREATED_BY, &fields::EDITED_BY, &fields::TESTERS];

/// Numbers of a release besides the counts of its runs, which are summed.
pub static RELEASE_NAMES: [&Name; 6] = [
    &Name::count_of(
        RunCount::NotRun,
        "Cases of closed runs that are not finished; `left` is those of open ones",
    ),
    &Name::count_of(
        RunCount::Runs,
        "Runs that are counted, earlier rounds not among them",
    ),
    &Name::count_of(RunCount::RunsOpen, "Those that are open"),
    &Name::count_of(
        RunCount::RunsLate,
        "Open ones that are due and not done, or will not be done by then; not known while one with cases left has no date, its cases left are not told, or its forecast is not here or refused though it was read for 2 h (else the date alone tells)",
    ),
    &Name::count_of(
        RunCount::RunsQuiet,
        "Open ones in which no count moved for quiet_days; not known while one was not read on each of them",
    ),
    &Name::count_of(
        RunCount::SuitesInNoRun,
        "Suites that are in no open run; not known before they were read",
    ),
];

/// All names for runs: counts, fields, times, flags.
pub static NAMES: [&Name; 29] = [
    &Name::count_of(RunCount::Failed, "Failed (new) and Failed (known)"),
    &Name::code(ResultCode::Untested),
    &Name::code(ResultCode::Passed),
    &Name::code(ResultCode::Blocked),
    &Name::code(ResultCode::Customer),
    &Name::code(ResultCode::FailedNew),
    &Name::code(ResultCode::FailedKnown),
    &Name::code(ResultCode::InProgress),
    &Name::code(ResultCode::OnHoldExternal),
    &Name::code(ResultCode::OnHoldInternal),
    &Name::code(ResultCode::Retest),
    &Name::code(ResultCode::Skipped),
    &Name::count_of(RunCount::Hold, "On hold (external) and On hold (internal)"),
    &Name::count_of(RunCount::Total, "All cases"),
    &Name::count_of(RunCount::Done, "Cases with a result of `done_codes`"),
    &Name::count_of(RunCount::Left, "All other cases"),
    &Name::count_of(RunCount::Progress, "Progress of the service, in per cent"),
    &Name::count_of(RunCount::Suites, "Suites"),
    &Name::field("description", &fields::DESCRIPTION),
    &Name {
        short: "config",
        ..Name::field("configuration", &fields::CONFIGURATION)
    },
    &VERSION,
    &Name::field("subproject", &fields::SUBPROJECT),
    &STATUS,
    &Name::field("creator", &fields::CREATED_BY),
    &Name::field("by", &fields::EDITED_BY),
    &Name::field("tester", &fields::TESTERS),
    &Name::new(
        "edited",
        NameKind::Time(|run| (run.edited_on, run.display_edited_on.as_deref())),
        "Last edit",
    ),
    &Name::new(
        "created",
        NameKind::Time(|run| (run.created_on, run.display_created_on.as_deref())),
        "Creation",
    ),
    &Name::new("is", NameKind::Flags, ""),
];

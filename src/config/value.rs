//! What is wrong with the value of one key.

use toml::Spanned;
use toml::de::{DeInteger, DeValue};

use super::forms;
use super::schema::{Kind, nearest};
use crate::domain::condition;

pub(super) type Value<'a> = Spanned<DeValue<'a>>;

/// All that is wrong with a value, each with its place in the text; of a list every entry is looked at.
pub(super) fn problems(kind: Kind, value: &Value<'_>) -> Vec<(usize, String)> {
    let found = value.get_ref();
    if let (Kind::List(item, _) | Kind::OneOfOrList(_, item), Some(entries)) =
        (kind, found.as_array())
    {
        let least = if let Kind::List(_, least) = kind {
            least
        } else {
            1
        };
        if entries.iter().count() < least {
            return vec![(
                value.span().start,
                format!("empty; expected {}", expected(kind)),
            )];
        }
        return entries
            .iter()
            .flat_map(|entry| problems(*item, entry))
            .collect();
    }
    problem(kind, value)
        .map(|text| (value.span().start, text))
        .into_iter()
        .collect()
}

fn problem(kind: Kind, value: &Value<'_>) -> Option<String> {
    let found = value.get_ref();
    let wrong_type = || {
        Some(format!(
            "{} found; expected {}",
            kind_of(value),
            expected(kind)
        ))
    };
    match kind {
        Kind::Refused(reason) => Some(reason.to_owned()),
        Kind::Text(form) => match found.as_str() {
            Some(text) => form(text).err().map(ToOwned::to_owned),
            None => wrong_type(),
        },
        Kind::Condition => match found.as_str() {
            // Its words repeat nothing of what stands there.
            Some(text) => match (forms::text(text), condition::parse(text)) {
                (Err(reason), _) => Some(reason.to_owned()),
                (Ok(()), Err(wrong)) => Some(format!(
                    "not a condition: {wrong}; expected one such as failed_new <= 20"
                )),
                (Ok(()), Ok(_)) => None,
            },
            None => wrong_type(),
        },
        Kind::OneOf(choices) | Kind::OneOfOrList(choices, _) => match found.as_str() {
            Some(text) if choices.contains(&text) => None,
            Some(text) => {
                let meant = nearest(text, choices.iter().copied());
                Some(format!(
                    "not a known value; expected {}{}",
                    expected(kind),
                    did_you_mean(meant)
                ))
            }
            None => wrong_type(),
        },
        Kind::Flag if found.is_bool() => None,
        Kind::Whole(least, most) if found.is_integer() => match found.as_integer().and_then(number)
        {
            Some(number) if (least..=most).contains(&number) => None,
            _ => Some(format!("out of range; expected {}", expected(kind))),
        },
        Kind::Tables if found.as_array().is_some() => None,
        Kind::Flag | Kind::Whole(..) | Kind::List(..) | Kind::Tables => wrong_type(),
    }
}

fn number(integer: &DeInteger<'_>) -> Option<i64> {
    i64::from_str_radix(integer.as_str(), integer.radix()).ok()
}

fn expected(kind: Kind) -> String {
    match kind {
        Kind::Text(_) | Kind::Condition => "a text in quotes".to_owned(),
        Kind::OneOf(choices) => format!("one of {}", quoted(choices)),
        Kind::OneOfOrList(choices, item) => format!(
            "one of {} or a list, each {}",
            quoted(choices),
            expected(*item)
        ),
        Kind::List(item, _) => format!("a list, each {}", expected(*item)),
        Kind::Flag => "true or false".to_owned(),
        Kind::Whole(least, most) => format!("a whole number from {least} to {most}"),
        Kind::Tables => "tables, each below a [[…]] of its own".to_owned(),
        Kind::Refused(reason) => reason.to_owned(),
    }
}

fn quoted(choices: &[&str]) -> String {
    choices
        .iter()
        .map(|choice| format!("{choice:?}"))
        .collect::<Vec<_>>()
        .join(", ")
}

/// What is expected, with the form of a text: what a form says of the empty text.
pub(super) fn form_of(kind: Kind) -> String {
    match kind {
        Kind::Text(form) => match form("")
            .err()
            .and_then(|reason| reason.split_once("; expected "))
        {
            Some((_, form)) => form.to_owned(),
            None => expected(kind),
        },
        _ => expected(kind),
    }
}

pub(super) fn kind_of(value: &Value<'_>) -> &'static str {
    match value.get_ref() {
        DeValue::String(_) => "a text",
        DeValue::Integer(_) => "a whole number",
        DeValue::Float(_) => "a number with a point",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}

/// The name that may have been meant.
pub(super) fn did_you_mean(name: Option<&str>) -> String {
    name.map(|name| format!("; did you mean {name:?}?"))
        .unwrap_or_default()
}

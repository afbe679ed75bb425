//! Boxes of choices that several screens open.

use jiff::ToSpan;

use crate::domain::Format;
use crate::store::{Choice, Cx, Entry, PickerKind};

/// Asks the user for the format of a file: label, purpose and choice of each.
pub fn choose_format<const N: usize>(
    title: &'static str,
    formats: [(&str, &str, Choice); N],
    cx: &mut Cx,
) {
    let entries = formats.map(|(label, detail, choice)| Entry {
        detail: detail.to_owned(),
        ..Entry::new(label, choice)
    });
    cx.choose(title, PickerKind::Rows, entries);
}

/// Asks the user for the format of an export.
pub fn choose_export(title: &'static str, cx: &mut Cx) {
    let formats = [
        ("CSV", "for a spreadsheet", Choice::Export(Format::Csv)),
        ("Markdown", "a table", Choice::Export(Format::Markdown)),
        ("JSON", "for programs", Choice::Export(Format::Json)),
    ];
    choose_format(title, formats, cx);
}

/// Asks for a time: the entries `first`, ends of the last seven days, or typed text.
pub fn choose_moment(title: &'static str, first: Vec<Entry>, cx: &mut Cx) {
    let midnight = cx.local_now().and_then(|now| now.start_of_day().ok());
    let day = |days: i64| {
        let end = midnight.as_ref()?.checked_sub((days - 1).days()).ok()?;
        let day = end.date().yesterday().ok()?;
        let label = match days {
            1 => "yesterday".to_owned(),
            _ => day.strftime("%A").to_string(),
        };
        Some(Entry {
            detail: day.strftime("end of %-d %b").to_string(),
            ..Entry::new(label, Choice::Since(Some(end.timestamp().as_millisecond())))
        })
    };
    let typed = Entry::new("another time: it is typed next", Choice::Begin("since"));
    let days = (1..=7).filter_map(day);
    let entries: Vec<Entry> = first.into_iter().chain(days).chain([typed]).collect();
    cx.choose(title, PickerKind::Rows, entries);
}

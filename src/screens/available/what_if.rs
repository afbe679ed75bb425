//! What the marked suites would mean for the run, in words: an upper bound, and nothing that is sent.

use super::AvailableSuites;
use crate::forecast::Outlook;
use crate::forecast::WhatIf;
use crate::ui::{Context, chart, time};

/// One sentence a line; nothing where nothing is marked.
pub fn lines(context: Context<'_>, available: &AvailableSuites) -> Vec<String> {
    if available.marks.is_empty() {
        return Vec::new();
    }
    let these = match available.marks.len() - available.gone().len() {
        1 => "this one is".to_owned(),
        number => format!("these {number} are"),
    };
    let Some(extra) = available.extra() else {
        let (cases, _) = available.cases();
        let silent = available.silent();
        let suites = if silent == 1 {
            "1 suite does not say how many it has".to_owned()
        } else {
            format!("{silent} suites do not say how many they have")
        };
        return vec![
            format!("If {these} added: {cases} more cases, and {suites}."),
            "What would be left, and when it would be done, is not known.".into(),
        ];
    };
    let sums = available.run.sums(context.cx.shared.done_codes());
    let left = match sums {
        Some(sums) => format!(
            "{} -> up to {} left",
            sums.left(),
            sums.left().saturating_add(extra)
        ),
        None => "how many are left now is not known".into(),
    };
    let mut lines = vec![format!(
        "If {these} added: up to {extra} more cases, {left}."
    )];
    lines.push(
        match available
            .what_if
            .value()
            .filter(|known| known.extra == extra)
        {
            Some(known) => forecast(context, known),
            None => format!(
                "No forecast: {}.",
                chart::missing(available.what_if.failure())
            ),
        },
    );
    lines
}

fn forecast(context: Context<'_>, known: &WhatIf) -> String {
    let words = |outlook: &Outlook| outlook.words(context.now.ms, &context.now.zone);
    match (&known.now, &known.then) {
        (Outlook::Band(now), Outlook::Band(then)) => {
            let later = time::span(then.to.saturating_sub(now.to));
            format!(
                "Forecast {}; with them up to {later} later: {}.",
                words(&known.now),
                words(&known.then)
            )
        }
        (Outlook::Done { .. }, Outlook::Band(_)) => {
            format!("All is finished now; with them {}.", words(&known.then))
        }
        (_, then) => {
            let words = words(then);
            format!("{}{}.", words[..1].to_uppercase(), &words[1..])
        }
    }
}

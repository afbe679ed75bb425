//! What stands around the monitor: the right of the first line, and the state in words at the foot.

use super::Context;
use crate::screens::monitor::{Card, Monitor, Standing};

/// Number of runs, in words; of how many, and the view that they are of.
pub fn runs(monitor: &Monitor) -> String {
    let here = monitor.cards.len() as u64;
    let runs = |number: u64| {
        if number == 1 {
            "1 run".to_owned()
        } else {
            format!("{number} runs")
        }
    };
    match &monitor.on {
        None => runs(here),
        Some(on) => match on.of() {
            Some(all) if all != here => format!("{here} of {} of {:?}", runs(all), on.name),
            Some(_) => format!("{} of {:?}", runs(here), on.name),
            None => format!("{:?}", on.name),
        },
    }
}

/// What stands where no card is: why not.
pub fn no_cards(monitor: &Monitor) -> Vec<String> {
    let mut lines = match (&monitor.on, &monitor.failure) {
        (_, Some(failure)) => vec![
            format!("{}: {}", failure.asked, failure.came_back),
            failure.remedy.clone(),
        ],
        (Some(on), None) if on.found == Some(0) => {
            vec![format!("view {:?} finds no run now", on.name)]
        }
        (Some(on), None) if monitor.read_at.is_none() => {
            vec![format!("reading the runs of view {:?}", on.name)]
        }
        _ => vec!["there is no run to watch".to_owned()],
    };
    lines.extend(missing(monitor));
    lines
}

/// The runs that a view names and that are not here.
fn missing(monitor: &Monitor) -> Vec<String> {
    let missing = monitor.on.iter().flat_map(|on| &on.missing);
    missing.map(|(id, why)| format!("{id} {why}")).collect()
}

/// On the right of the first line: that nothing is written from here, and when it is read again.
pub fn mode_and_next(context: Context<'_>, monitor: &Monitor, width: u16) -> Vec<String> {
    let store = context.store;
    let read_only = store
        .cx
        .shared
        .session
        .as_ref()
        .is_some_and(|session| session.read_only);
    let mode = match (read_only, width >= 110) {
        (true, true) => "[READ-ONLY: no write can be sent]",
        (true, false) => "[READ-ONLY]",
        (false, true) => "[nothing is written from here]",
        (false, false) => "[no writes here]",
    };
    let next = match store.next_reading() {
        _ if store.cx.shared.signed_in.is_none() => ", not signed in".to_owned(),
        _ if monitor.busy() => ", reading".to_owned(),
        _ if store.paused() => ", paused without focus".to_owned(),
        Some(at) => format!(", next {}", context.now.clock(at)),
        None => String::new(),
    };
    vec![mode.to_owned(), format!("every {} s{next}", monitor.every)]
}

/// When the runs were read and at what cost, how the threshold stands, who is called.
pub fn state(context: Context<'_>, monitor: &Monitor) -> String {
    let mut parts = Vec::new();
    match (monitor.busy(), monitor.read_at) {
        (true, None) => parts.push(format!("reading, {} to come", monitor.to_come())),
        (_, Some(at)) => {
            let (calls, took) = monitor.last;
            let calls = if calls == 1 {
                "1 call".to_owned()
            } else {
                format!("{calls} calls")
            };
            parts.push(format!(
                "read {} ({calls}, {took} ms)",
                context.now.clock(at)
            ));
        }
        (false, None) => parts.push("nothing read yet".into()),
    }
    parts.extend(missing(monitor));
    if let Some(failure) = &monitor.failure {
        parts.push(format!("the last reading failed: {}", failure.came_back));
    }
    parts.extend(thresholds(monitor));
    if monitor.bell {
        parts.push("bell on".into());
    }
    parts.join("  ")
}

/// How the thresholds stand: that of all runs, and that of the run under the cursor if it has its own.
fn thresholds(monitor: &Monitor) -> Vec<String> {
    let standing = |own: bool| {
        let cards = monitor
            .cards
            .iter()
            .filter(move |card| card.own.is_some() == own);
        let fails = |card: &&Card| matches!(card.standing, Some(Standing::Fails(_)));
        let unknown = |card: &&Card| matches!(card.standing, Some(Standing::Unknown(_)));
        let names: Vec<&str> = cards
            .clone()
            .filter(fails)
            .map(|card| card.row.name())
            .collect();
        match (names.is_empty(), cards.filter(unknown).count()) {
            (false, _) => format!("{} FAILS", names.join(", ")),
            (true, 0) => "holds".to_owned(),
            (true, unknown) => format!("not known for {unknown}"),
        }
    };
    let mut parts = Vec::new();
    if let Some(gate) = &monitor.gate {
        parts.push(format!("threshold {:?}: {}", gate.text, standing(false)));
    }
    match monitor
        .cards
        .iter()
        .filter(|card| card.own.is_some())
        .count()
    {
        0 => {}
        1 => parts.push(format!("1 run with its own: {}", standing(true))),
        number => parts.push(format!("{number} runs with their own: {}", standing(true))),
    }
    parts
}

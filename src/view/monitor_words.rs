//! What stands around the monitor: the right of the first line, and the state in words at the foot.

use super::Context;
use crate::store::Monitor;

/// Number of runs, in words.
pub fn runs(monitor: &Monitor) -> String {
    match monitor.cards.len() {
        1 => "1 run".into(),
        number => format!("{number} runs"),
    }
}

/// On the right of the first line: that nothing is written from here, and when it is read again.
pub fn mode_and_next(context: Context<'_>, monitor: &Monitor, width: u16) -> Vec<String> {
    let store = context.store;
    let read_only = store.session.as_ref().is_some_and(|session| session.read_only);
    let mode = match (read_only, width >= 110) {
        (true, true) => "[READ-ONLY: no write can be sent]",
        (true, false) => "[READ-ONLY]",
        (false, true) => "[nothing is written from here]",
        (false, false) => "[no writes here]",
    };
    let next = match store.next_reading() {
        _ if store.signed_in.is_none() => ", not signed in".to_owned(),
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
            let calls = if calls == 1 { "1 call".to_owned() } else { format!("{calls} calls") };
            parts.push(format!("read {} ({calls}, {took} ms)", context.now.clock(at)));
        }
        (false, None) => parts.push("nothing read yet".into()),
    }
    if let Some(failure) = &monitor.failure {
        parts.push(format!("the last reading failed: {}", failure.came_back));
    }
    if let Some(gate) = &monitor.gate {
        let (fails, unknown) = monitor.standings();
        let names: Vec<&str> = fails.iter().map(|card| card.row.name()).collect();
        let how = match (names.is_empty(), unknown) {
            (false, _) => format!("{} FAILS", names.join(", ")),
            (true, 0) => "holds".into(),
            (true, unknown) => format!("not known for {unknown}"),
        };
        parts.push(format!("threshold {:?}: {how}", gate.text));
    }
    if monitor.bell {
        parts.push("bell on".into());
    }
    parts.join("  ")
}

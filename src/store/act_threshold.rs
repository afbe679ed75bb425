//! Typing the threshold of the monitor: for all its runs, or for the one under the cursor.

use super::card::Gate;
use super::message::Action;
use super::monitor::{Field, Monitor};
use super::{Input, Store};

impl Store {
    /// Opens the field, with the threshold that is in force.
    pub(super) fn type_threshold(&mut self, for_all: bool) {
        let Some(monitor) = &mut self.monitor else {
            return;
        };
        let text = in_force(monitor, for_all);
        (
            monitor.input,
            monitor.typing,
            monitor.for_all,
            monitor.problem,
        ) = (
            Input::with_text(&text),
            Some(Field::Threshold),
            for_all,
            None,
        );
    }

    /// The field of the monitor that has the focus.
    pub(super) fn act_monitor_field(&mut self, action: Action) {
        match self.monitor.as_ref().and_then(|monitor| monitor.typing) {
            Some(Field::Threshold) => self.act_threshold(action),
            Some(Field::Export) => self.act_export(action),
            None => {}
        }
    }

    /// The field for the threshold.
    fn act_threshold(&mut self, action: Action) {
        let Some(monitor) = &mut self.monitor else {
            return;
        };
        match action {
            Action::Type(key) => {
                monitor.input.key(key);
                monitor.problem = None;
            }
            Action::Paste(text) => {
                monitor.input.paste(&text);
                monitor.problem = None;
            }
            Action::NextField if monitor.cards.is_empty() => {}
            Action::NextField => {
                // What was typed goes along.
                let for_all = !monitor.for_all;
                let typed = monitor.input.text() != in_force(monitor, monitor.for_all);
                let typed = typed.then(|| monitor.input.clone());
                self.type_threshold(for_all);
                if let (Some(monitor), Some(typed)) = (&mut self.monitor, typed) {
                    monitor.input = typed;
                }
            }
            Action::Back => monitor.typing = None,
            Action::Open => self.set_threshold(),
            _ => {}
        }
    }

    fn set_threshold(&mut self) {
        let done = self.done_codes().to_vec();
        let Some(monitor) = &mut self.monitor else {
            return;
        };
        let text = monitor.input.text().trim().to_owned();
        let gate = if text.is_empty() {
            Ok(None)
        } else {
            Gate::parse(&text).map(Some)
        };
        match gate {
            Ok(gate) => {
                monitor.typing = None;
                if monitor.for_all {
                    monitor.set_gate(gate, &done);
                    self.cx
                        .shared
                        .watch_gates
                        .insert(monitor.on.as_ref().map(|on| on.name.clone()), text);
                } else {
                    monitor.set_own_gate(gate, &done);
                }
            }
            Err(problem) => monitor.problem = Some(problem),
        }
    }
}

/// The threshold of all runs, or of the one under the cursor, as it is written.
fn in_force(monitor: &Monitor, for_all: bool) -> String {
    let own = monitor.current().and_then(|card| card.own.as_ref());
    let gate = if for_all { monitor.gate.as_ref() } else { own };
    gate.map(|gate| gate.text.clone()).unwrap_or_default()
}

//! Writing the samples of the monitor's runs to a file.

use super::effect::Effect;
use super::event::Exported;
use super::message::Action;
use super::monitor::Field;
use super::{Input, Store};
use crate::domain::Failure;

impl Store {
    /// Asks where to.
    pub(super) fn ask_export(&mut self) {
        let Some(monitor) = &mut self.monitor else {
            return;
        };
        if monitor.cards.is_empty() {
            self.cx.say("there is no run to watch");
            return;
        }
        (
            monitor.input,
            monitor.typing,
            monitor.for_all,
            monitor.problem,
        ) = (Input::default(), Some(Field::Export), false, None);
    }

    /// The field for the file.
    pub(super) fn act_export(&mut self, action: Action) {
        let Some(monitor) = &mut self.monitor else {
            return;
        };
        match action {
            Action::Type(key) => {
                monitor.input.key(key);
            }
            Action::Paste(text) => {
                monitor.input.paste(&text);
            }
            Action::NextField => monitor.for_all = !monitor.for_all,
            Action::Back => monitor.typing = None,
            Action::Open => {
                monitor.typing = None;
                let all = monitor.for_all;
                let here = monitor.here();
                let cards = monitor
                    .cards
                    .iter()
                    .filter(|card| all || Some(&card.row.doc_ref) == here.as_ref());
                let runs = cards
                    .map(|card| (card.row.name().to_owned(), card.row.doc_ref.clone()))
                    .collect();
                let path = monitor.input.text().trim().to_owned();
                let to = (!path.is_empty()).then_some(path);
                self.cx.effect(Effect::ExportSamples { runs, to });
            }
            _ => {}
        }
    }

    pub(super) fn exported(&mut self, result: Result<Exported, Failure>) {
        match result {
            Ok(Exported {
                path,
                samples,
                runs,
            }) => {
                let samples = if samples == 1 {
                    "1 sample".to_owned()
                } else {
                    format!("{samples} samples")
                };
                let runs = if runs == 1 {
                    "1 run".to_owned()
                } else {
                    format!("{runs} runs")
                };
                self.cx.say(format!("{samples} of {runs} in {path}"));
            }
            Err(failure) => self.cx.failed(failure),
        }
    }
}

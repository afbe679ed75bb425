//! Hints for a newcomer, in place of the line of keys: the key of a hint leads to the next one.

use super::{Action, KeyTable, Layer};

/// Key and the places where it counts.
struct TourStep {
    at: &'static [Layer],
    action: Action,
    words: &'static str,
}

const STEPS: [TourStep; 7] = [
    TourStep {
        at: &[Layer::Runs],
        action: Action::Open,
        words: "opens the run under the cursor",
    },
    TourStep {
        at: &[Layer::Runs],
        action: Action::Facets,
        words: "filters the list",
    },
    TourStep {
        at: &[Layer::Runs, Layer::Detail],
        action: Action::Show(Layer::Available),
        words: "shows suites to add to the run",
    },
    TourStep {
        at: &[Layer::Available],
        action: Action::Mark,
        words: "marks a suite",
    },
    TourStep {
        at: &[Layer::Available],
        action: Action::Open,
        words: "adds what is marked (asks first)",
    },
    TourStep {
        at: &[Layer::Available, Layer::Detail, Layer::Runs],
        action: Action::Undo,
        words: "takes that back (asks first)",
    },
    TourStep {
        at: &[Layer::Runs, Layer::Detail],
        action: Action::Show(Layer::Board),
        words: "shows the whole release",
    },
];

/// Progress of the hints.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tour {
    step: usize,
}

/// Hint of a place: key, effect and progress.
pub struct TourHint {
    pub key: String,
    pub does: String,
    pub progress: String,
}

impl Tour {
    /// Returns the state after a key at a place; `None` after the last hint.
    pub fn after(self, action: &Action, here: Layer) -> Option<Self> {
        let step = STEPS.get(self.step)?;
        let is_pressed = *action == step.action && step.at.contains(&here);
        let step = self.step + usize::from(is_pressed);
        (step < STEPS.len()).then_some(Self { step })
    }

    /// Returns the hint at a place; `keys` has a table for each place.
    pub fn hint(&self, here: Layer, keys: &[KeyTable]) -> Option<TourHint> {
        let step = STEPS.get(self.step)?;
        // After leaving a place too early, the step that leads there counts.
        let is_left = !step.at.contains(&here) && !step.at.contains(&Layer::Runs);
        let before = STEPS[..self.step].iter().rev().filter(|_| is_left);
        let mut before = before.filter(|step| step.at.contains(&here));
        let TourStep { at, action, words } = before.next().unwrap_or(step);
        let key = |layer, action: &Action| {
            let mut tables = keys.iter();
            tables.find(|table| table.layer == layer)?.key(action)
        };
        let its = key(*at.first()?, action)?;
        let (key, does) = if at.contains(&here) {
            (its, (*words).to_owned())
        } else {
            let back = key(here, &Action::Back)?;
            (back, format!("goes back, then {its} {words}"))
        };
        Some(TourHint {
            key: key.to_owned(),
            does,
            progress: format!("{} of {}", self.step + 1, STEPS.len()),
        })
    }
}

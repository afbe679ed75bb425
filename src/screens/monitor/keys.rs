//! The keys of the monitor.

use crate::keymap::place::{Binding, Place, binding};
use crate::screens::keys::{
    ARROWS, BACK, COPY, COPY_ID, COPY_REFERENCE, EVERYWHERE, JUMPS, LETTERS, PAGES, STEPS, TOOLS,
    WEB,
};
use crate::store::key_table::{Heading, Hint};
use crate::store::layer::Layer;
use crate::store::message::Action;

const OWN: &[Binding] = &[
    binding(
        &["Enter", "d"],
        "open",
        Heading::Run,
        "open the run",
        Action::Open,
    ),
    binding(
        &["t"],
        "threshold",
        Heading::Run,
        "threshold of all runs or of this one",
        Action::Threshold,
    ),
    binding(
        &["Space"],
        "pin",
        Heading::Run,
        "pin: the run comes first",
        Action::Pin,
    ),
    binding(
        &["x"],
        "export",
        Heading::Run,
        "write samples to a file, of this run or of all",
        Action::Export,
    ),
    binding(&["b"], "bell", Heading::Run, "bell on, off", Action::Bell),
    binding(
        &["+"],
        "slower",
        Heading::Run,
        "read less often",
        Action::Slower,
    ),
    binding(
        &["-"],
        "faster",
        Heading::Run,
        "read more often",
        Action::Faster,
    ),
    COPY,
    COPY_REFERENCE,
    COPY_ID,
    WEB,
];

pub const PLACE: Place = Place {
    layer: Layer::Monitor,
    title: "the monitor",
    short: "monitor",
    groups: &[
        STEPS, ARROWS, JUMPS, PAGES, OWN, TOOLS, LETTERS, EVERYWHERE, BACK,
    ],
    hints: &[
        Hint::of(&[Action::Threshold], "threshold"),
        Hint::of(&[Action::Pin], "pin"),
        Hint::of(&[Action::Export], "export"),
        Hint::of(&[Action::Open], "open the run"),
        Hint::of(&[Action::Back], "back"),
        Hint::of(&[Action::Help], "help"),
        Hint::of(&[Action::Bell], "bell"),
        Hint::of(&[Action::Slower, Action::Faster], "less, more often"),
        Hint::of(&[Action::Refresh], "read now"),
    ],
    types: false,
};

//! The key table itself.

use crate::store::{Action, CopyWhat, Layer, Motion};

/// One line of the table.
pub struct Binding {
    pub layers: &'static [Layer],
    pub keys: &'static [&'static str],
    pub group: &'static str,
    pub label: &'static str,
    pub action: Action,
}

const EVERYWHERE: &[Layer] =
    &[Layer::Runs, Layer::Detail, Layer::Json, Layer::Typing, Layer::Picker, Layer::Login, Layer::Help, Layer::Errors];
const SCREENS: &[Layer] = &[Layer::Runs, Layer::Detail, Layer::Json];
const LETTERS: &[Layer] = &[Layer::Runs, Layer::Detail, Layer::Json, Layer::Errors];
const BOXES: &[Layer] = &[Layer::Typing, Layer::Picker, Layer::Help];
const LISTS: &[Layer] =
    &[Layer::Runs, Layer::Detail, Layer::Json, Layer::Errors, Layer::Picker, Layer::Help, Layer::Typing];
const RUNS: &[Layer] = &[Layer::Runs];
const DETAIL: &[Layer] = &[Layer::Detail];
const JSON: &[Layer] = &[Layer::Json];
const FILTERED: &[Layer] = &[Layer::Runs, Layer::Json];
const LOGIN: &[Layer] = &[Layer::Login];
const PICKER: &[Layer] = &[Layer::Picker];

/// Where the keys of a line work, in words.
pub fn place(layers: &[Layer]) -> &'static str {
    match layers {
        _ if layers == EVERYWHERE => "everywhere",
        _ if layers == SCREENS => "every screen",
        _ if layers == LETTERS => "every screen, errors",
        _ if layers == BOXES => "text boxes",
        _ if layers == LISTS => "every list",
        _ if layers == FILTERED => "runs, JSON",
        [Layer::Runs] => "runs",
        [Layer::Detail] => "run",
        [Layer::Json] => "JSON",
        [Layer::Detail, Layer::Json, Layer::Errors] => "run, JSON, errors",
        [Layer::Login] => "login",
        [Layer::Picker] => "choices",
        _ => "lists and boxes",
    }
}

const fn line(
    layers: &'static [Layer],
    keys: &'static [&'static str],
    group: &'static str,
    label: &'static str,
    action: Action,
) -> Binding {
    Binding { layers, keys, group, label, action }
}

const MOVE: &str = "Move";
const FIND: &str = "Find";
const RUN: &str = "Run";
const TOOL: &str = "Tool";

/// All keys.
pub static BINDINGS: &[Binding] = &[
    line(LETTERS, &["j"], MOVE, "row down", Action::Move(Motion::Down)),
    line(LETTERS, &["k"], MOVE, "row up", Action::Move(Motion::Up)),
    line(LISTS, &["↓", "Ctrl-n"], MOVE, "row down", Action::Move(Motion::Down)),
    line(LISTS, &["↑"], MOVE, "row up", Action::Move(Motion::Up)),
    line(LETTERS, &["g", "Home", "<"], MOVE, "first row", Action::Move(Motion::First)),
    line(LETTERS, &["G", "End", ">"], MOVE, "last row", Action::Move(Motion::Last)),
    line(LETTERS, &["Ctrl-d"], MOVE, "half a page down", Action::Move(Motion::HalfPageDown)),
    line(LETTERS, &["Ctrl-u"], MOVE, "half a page up", Action::Move(Motion::HalfPageUp)),
    line(LETTERS, &["."], MOVE, "page down", Action::Move(Motion::PageDown)),
    line(LETTERS, &[","], MOVE, "page up", Action::Move(Motion::PageUp)),
    line(LISTS, &["PgDn"], MOVE, "page down", Action::Move(Motion::PageDown)),
    line(LISTS, &["PgUp"], MOVE, "page up", Action::Move(Motion::PageUp)),
    line(DETAIL, &["Tab", "]"], MOVE, "next part", Action::NextPart),
    line(DETAIL, &["S-Tab", "["], MOVE, "previous part", Action::PreviousPart),
    line(DETAIL, &["1"], MOVE, "fields", Action::Part(0)),
    line(DETAIL, &["2"], MOVE, "results", Action::Part(1)),
    line(DETAIL, &["3"], MOVE, "attachments", Action::Part(2)),
    line(SCREENS, &["-"], MOVE, "last screen", Action::LastScreen),
    line(FILTERED, &["/"], FIND, "filter, search", Action::Filter),
    line(JSON, &["n"], FIND, "next match", Action::NextMatch),
    line(JSON, &["N"], FIND, "previous match", Action::PreviousMatch),
    line(RUNS, &["f"], FIND, "facets: status, configuration, what the service offers", Action::Facets),
    line(RUNS, &["o"], FIND, "sort by a field", Action::Sort),
    line(RUNS, &["O"], FIND, "reverse the sort order", Action::ReverseSort),
    line(RUNS, &["w"], FIND, "columns", Action::Columns),
    line(RUNS, &["p"], FIND, "preview on, off", Action::Preview),
    line(RUNS, &["Enter", "d"], RUN, "open the run", Action::Open),
    line(SCREENS, &["i"], RUN, "raw JSON", Action::Raw),
    line(SCREENS, &["y"], RUN, "copy the document reference", Action::Copy(CopyWhat::DocRef)),
    line(SCREENS, &["Y"], RUN, "copy the JSON", Action::Copy(CopyWhat::Json)),
    line(SCREENS, &["c"], RUN, "copy the short id", Action::Copy(CopyWhat::Id)),
    line(SCREENS, &["r", "R", "Ctrl-r", "F5"], TOOL, "refresh, try again", Action::Refresh),
    line(SCREENS, &[":", "Ctrl-p"], TOOL, "commands", Action::Palette),
    line(LETTERS, &["!"], TOOL, "errors", Action::Errors),
    line(LETTERS, &["?"], TOOL, "help", Action::Help),
    line(EVERYWHERE, &["F1"], TOOL, "help", Action::Help),
    line(SCREENS, &["m"], TOOL, "mouse on, off", Action::Mouse),
    line(SCREENS, &[], TOOL, "sign in", Action::SignIn),
    line(EVERYWHERE, &["Ctrl-l"], TOOL, "draw again", Action::Redraw),
    line(EVERYWHERE, &["Ctrl-z"], TOOL, "suspend, until fg", Action::Suspend),
    line(EVERYWHERE, &["Ctrl-c"], TOOL, "give up what is under way; twice: quit", Action::Cancel),
    line(BOXES, &["Enter"], TOOL, "take", Action::Open),
    line(PICKER, &["Space"], TOOL, "tick and stay", Action::Toggle),
    line(PICKER, &["Tab"], TOOL, "complete the text", Action::NextField),
    line(LOGIN, &["Tab", "↓"], MOVE, "next field", Action::NextField),
    line(LOGIN, &["S-Tab", "↑"], MOVE, "previous field", Action::PreviousField),
    line(LOGIN, &["Enter"], TOOL, "next field, sign in", Action::Open),
    line(EVERYWHERE, &["Esc"], TOOL, "back: box, filter, screen", Action::Back),
    line(&[Layer::Detail, Layer::Json, Layer::Errors], &["q"], TOOL, "back", Action::Back),
    line(RUNS, &["q"], TOOL, "quit", Action::Quit),
];

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

const EVERYWHERE: &[Layer] = &[
    Layer::Runs,
    Layer::Detail,
    Layer::Json,
    Layer::Available,
    Layer::Members,
    Layer::Form,
    Layer::Review,
    Layer::Delete,
    Layer::Typing,
    Layer::Confirm,
    Layer::Work,
    Layer::Journal,
    Layer::Picker,
    Layer::Login,
    Layer::Help,
    Layer::Errors,
    Layer::Feed,
    Layer::Monitor,
];
const SCREENS: &[Layer] = &[Layer::Runs, Layer::Detail, Layer::Json, Layer::Available, Layer::Members];
/// Every screen with the tools that only read.
const TOOLS: &[Layer] = &[Layer::Runs, Layer::Detail, Layer::Json, Layer::Available, Layer::Members, Layer::Monitor];
const LETTERS: &[Layer] = &[
    Layer::Runs,
    Layer::Detail,
    Layer::Json,
    Layer::Available,
    Layer::Members,
    Layer::Review,
    Layer::Delete,
    Layer::Confirm,
    Layer::Errors,
    Layer::Feed,
    Layer::Monitor,
];
const BOXES: &[Layer] = &[Layer::Typing, Layer::Picker, Layer::Help];
const LISTS: &[Layer] = &[
    Layer::Runs,
    Layer::Detail,
    Layer::Json,
    Layer::Available,
    Layer::Members,
    Layer::Review,
    Layer::Delete,
    Layer::Confirm,
    Layer::Journal,
    Layer::Errors,
    Layer::Picker,
    Layer::Help,
    Layer::Typing,
    Layer::Feed,
    Layer::Monitor,
];
const NOT_FIRST: &[Layer] =
    &[Layer::Detail, Layer::Json, Layer::Available, Layer::Members, Layer::Errors, Layer::Feed, Layer::Monitor];
const READ: &[Layer] = &[Layer::Runs, Layer::Detail, Layer::Json];
const RUN_AT_HAND: &[Layer] = &[Layer::Runs, Layer::Detail];
const FORM: &[Layer] = &[Layer::Form];
const REVIEW: &[Layer] = &[Layer::Review];
const SAVED: &[Layer] = &[Layer::Form, Layer::Review];
const DELETE: &[Layer] = &[Layer::Delete];
const STEPS: &[Layer] = &[Layer::Delete, Layer::Typing];
const JOURNAL: &[Layer] = &[Layer::Journal];
const SUITES: &[Layer] = &[Layer::Available, Layer::Members];
const RUNS: &[Layer] = &[Layer::Runs];
const SORTED: &[Layer] = &[Layer::Runs, Layer::Available];
const DETAIL: &[Layer] = &[Layer::Detail];
const JSON: &[Layer] = &[Layer::Json];
const FILTERED: &[Layer] = &[Layer::Runs, Layer::Json, Layer::Available];
const AVAILABLE: &[Layer] = &[Layer::Available];
const MEMBERS: &[Layer] = &[Layer::Members];
const CONFIRM: &[Layer] = &[Layer::Confirm];
const WORK: &[Layer] = &[Layer::Work];
const LOGIN: &[Layer] = &[Layer::Login];
const PICKER: &[Layer] = &[Layer::Picker];
const FEED: &[Layer] = &[Layer::Feed];
const MONITOR: &[Layer] = &[Layer::Monitor];

/// Where the keys of a line work, in words.
pub fn place(layers: &[Layer]) -> &'static str {
    match layers {
        _ if layers == EVERYWHERE => "everywhere",
        _ if layers == SCREENS => "every screen",
        _ if layers == LETTERS => "every screen, errors",
        _ if layers == BOXES => "text boxes",
        _ if layers == LISTS => "every list",
        _ if layers == FILTERED => "runs, JSON, available suites",
        _ if layers == READ => "runs, run, JSON",
        _ if layers == SUITES => "suites",
        _ if layers == SORTED => "runs, available suites",
        _ if layers == NOT_FIRST => "other screens, errors",
        [Layer::Available] => "available suites",
        [Layer::Members] => "suites of a run",
        _ if layers == RUN_AT_HAND => "runs, run",
        _ if layers == SAVED => "form, review",
        [Layer::Form] => "form",
        [Layer::Review] => "review",
        [Layer::Delete] => "deleting",
        _ if layers == STEPS => "deleting, text boxes",
        [Layer::Journal] => "journal",
        [Layer::Confirm] => "preview",
        [Layer::Work] => "result",
        [Layer::Runs] => "runs",
        [Layer::Detail] => "run",
        [Layer::Json] => "JSON",
        [Layer::Login] => "login",
        [Layer::Picker] => "choices",
        [Layer::Feed] => "changes",
        [Layer::Monitor] => "monitor",
        _ if layers == TOOLS => "every screen, monitor",
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
const SUITE: &str = "Suites";
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
    line(DETAIL, &["4"], MOVE, "suites, as far as they are known", Action::Part(3)),
    line(DETAIL, &["5"], MOVE, "burn-up and forecast", Action::Part(4)),
    line(SCREENS, &["-"], MOVE, "last screen", Action::LastScreen),
    line(FILTERED, &["/"], FIND, "filter, search", Action::Filter),
    line(JSON, &["n"], FIND, "next match", Action::NextMatch),
    line(JSON, &["N"], FIND, "previous match", Action::PreviousMatch),
    line(RUNS, &["f"], FIND, "facets: status, configuration, what the service offers", Action::Facets),
    line(SORTED, &["o"], FIND, "sort by a field", Action::Sort),
    line(SORTED, &["O"], FIND, "reverse the sort order", Action::ReverseSort),
    line(RUNS, &["Tab"], FIND, "what changed: the feed", Action::NextPart),
    line(FEED, &["Tab"], FIND, "back to the list", Action::NextPart),
    line(FEED, &["Enter", "d"], FIND, "open the run at that change", Action::Open),
    line(FEED, &["A"], FIND, "all changes are looked at", Action::MarkAll),
    line(FEED, &["r", "R", "Ctrl-r", "F5"], FIND, "refresh, try again", Action::Refresh),
    line(RUN_AT_HAND, &["M"], RUN, "monitor: the marked runs, the saved view, or those on the screen", Action::Monitor),
    line(MONITOR, &["Enter", "d"], RUN, "open the run", Action::Open),
    line(MONITOR, &["t"], RUN, "threshold of all runs or of this one", Action::Threshold),
    line(MONITOR, &["Space"], RUN, "pin: the run comes first", Action::Pin),
    line(MONITOR, &["x"], RUN, "write samples to a file, of this run or of all", Action::Export),
    line(MONITOR, &["b"], RUN, "bell on, off", Action::Bell),
    line(MONITOR, &["+"], RUN, "read less often", Action::Slower),
    line(MONITOR, &["-"], RUN, "read more often", Action::Faster),
    line(MONITOR, &["y"], RUN, "copy the document reference", Action::Copy(CopyWhat::DocRef)),
    line(MONITOR, &["c"], RUN, "copy the short id", Action::Copy(CopyWhat::Id)),
    line(RUNS, &["w"], FIND, "columns", Action::Columns),
    line(SORTED, &["p"], FIND, "preview on, off", Action::Preview),
    line(RUNS, &["Enter", "d"], RUN, "open the run", Action::Open),
    line(RUNS, &["Space"], RUN, "mark", Action::Mark),
    line(RUNS, &["v"], RUN, "range of marks: begin, end", Action::MarkRange),
    line(RUNS, &["A"], RUN, "mark all loaded rows (in the filter)", Action::MarkAll),
    line(READ, &["i"], RUN, "raw JSON", Action::Raw),
    line(READ, &["y"], RUN, "copy the document reference", Action::Copy(CopyWhat::DocRef)),
    line(READ, &["Y"], RUN, "copy the JSON", Action::Copy(CopyWhat::Json)),
    line(READ, &["c"], RUN, "copy the short id", Action::Copy(CopyWhat::Id)),
    line(RUN_AT_HAND, &["n"], RUN, "new run", Action::New),
    line(RUN_AT_HAND, &["e"], RUN, "edit the run", Action::Edit),
    line(RUN_AT_HAND, &["E"], RUN, "edit the run as TOML in $EDITOR", Action::EditOutside),
    line(RUN_AT_HAND, &["C"], RUN, "clone the run, into several configurations too", Action::Clone),
    line(RUN_AT_HAND, &["D"], RUN, "delete in five steps", Action::Delete),
    line(RUN_AT_HAND, &["u", "z"], RUN, "undo a write of your own (preview first)", Action::Undo),
    line(SCREENS, &[], RUN, "undo the last write of your own (preview first)", Action::UndoLast),
    line(JOURNAL, &["Enter"], RUN, "undo this write (preview first)", Action::Undo),
    line(SCREENS, &[], RUN, "drafts of forms", Action::Drafts),
    line(FORM, &["Tab"], MOVE, "next field", Action::NextField),
    line(FORM, &["S-Tab"], MOVE, "previous field", Action::PreviousField),
    line(FORM, &["Ctrl-s"], RUN, "review, then save", Action::Save),
    line(FORM, &["Ctrl-e"], RUN, "this field in $EDITOR", Action::FieldOutside),
    line(FORM, &["Ctrl-o"], RUN, "the whole form as TOML in $EDITOR", Action::EditOutside),
    line(FORM, &["Ctrl-t"], RUN, "known configurations to tick", Action::Offer),
    line(FORM, &["Ctrl-g"], RUN, "drafts of forms", Action::Drafts),
    line(FORM, &["F2"], TOOL, "errors", Action::Errors),
    line(FORM, &["Ctrl-p"], TOOL, "commands", Action::Palette),
    line(FORM, &["Ctrl-x"], RUN, "discard the draft (asks first)", Action::DiscardDraft),
    line(REVIEW, &["Enter"], RUN, "press the button", Action::Open),
    line(REVIEW, &["Ctrl-s"], RUN, "save", Action::Save),
    line(REVIEW, &["Tab"], MOVE, "next field, button", Action::NextField),
    line(REVIEW, &["S-Tab"], MOVE, "previous field, button", Action::PreviousField),
    line(REVIEW, &["m"], RUN, "keep mine", Action::KeepMine),
    line(REVIEW, &["t"], RUN, "take theirs", Action::TakeTheirs),
    line(REVIEW, &["e"], RUN, "edit: back to the form", Action::Edit),
    line(REVIEW, &["i"], RUN, "the raw request", Action::Raw),
    line(DELETE, &["Enter"], RUN, "do the step", Action::Open),
    line(STEPS, &["Tab"], MOVE, "next choice", Action::NextField),
    line(STEPS, &["S-Tab"], MOVE, "previous choice", Action::PreviousField),
    line(DELETE, &["r", "R", "Ctrl-r", "F5"], RUN, "work everything out again", Action::Refresh),
    line(DELETE, &["@"], TOOL, "journal of writes", Action::Journal),
    line(DELETE, &[":", "Ctrl-p"], TOOL, "commands", Action::Palette),
    line(DELETE, &["q"], TOOL, "stop here", Action::Back),
    line(SCREENS, &["a"], SUITE, "suites that can be added", Action::Available),
    line(SCREENS, &["s"], SUITE, "suites in the run", Action::Members),
    line(SUITES, &["Space"], SUITE, "mark", Action::Mark),
    line(SUITES, &["v"], SUITE, "range of marks: begin, end", Action::MarkRange),
    line(SUITES, &["A"], SUITE, "mark all (in the filter)", Action::MarkAll),
    line(AVAILABLE, &["Enter"], SUITE, "add the marked ones (preview first)", Action::Open),
    line(MEMBERS, &["x", "Enter"], SUITE, "remove the marked ones (preview first)", Action::Remove),
    line(MEMBERS, &["+"], SUITE, "name suites by their references", Action::TypeReference),
    line(MEMBERS, &["V"], SUITE, "verify: work it out again", Action::Verify),
    line(MEMBERS, &["J"], SUITE, "explanation: line down", Action::ScrollWhy(Motion::Down)),
    line(MEMBERS, &["K"], SUITE, "explanation: line up", Action::ScrollWhy(Motion::Up)),
    line(MEMBERS, &["P"], SUITE, "probe with an empty run (asks first)", Action::Probe),
    line(SCREENS, &[], SUITE, "delete left probe runs (asks first)", Action::DeleteProbes),
    line(SUITES, &["Tab"], SUITE, "the other list of suites", Action::NextPart),
    line(CONFIRM, &["Enter"], SUITE, "press the button", Action::Open),
    line(CONFIRM, &["Tab", "S-Tab"], SUITE, "the other button", Action::NextField),
    line(WORK, &["Enter"], SUITE, "close the box", Action::Open),
    line(SCREENS, &["@"], TOOL, "journal of writes", Action::Journal),
    line(WORK, &["@"], TOOL, "journal of writes", Action::Journal),
    line(TOOLS, &["r", "R", "Ctrl-r", "F5"], TOOL, "refresh, try again", Action::Refresh),
    line(TOOLS, &[":", "Ctrl-p"], TOOL, "commands", Action::Palette),
    line(LETTERS, &["!"], TOOL, "errors", Action::Errors),
    line(LETTERS, &["?"], TOOL, "help", Action::Help),
    line(EVERYWHERE, &["F1"], TOOL, "help", Action::Help),
    line(TOOLS, &["m"], TOOL, "mouse on, off", Action::Mouse),
    line(TOOLS, &[], TOOL, "sign in", Action::SignIn),
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
    line(NOT_FIRST, &["q"], TOOL, "back", Action::Back),
    line(RUNS, &["q"], TOOL, "quit", Action::Quit),
];

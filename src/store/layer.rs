//! The screens, what can lie over them, and which of it a key goes to.

use super::Store;
use super::message::Action;

/// The screens below all boxes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Screen {
    Runs,
    Detail,
    Json,
    Available,
    Members,
    /// A run being made or changed.
    Form,
    /// What a form will send.
    Review,
    /// Some runs, watched.
    Monitor,
}

/// Where a key goes: the topmost box or the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Layer {
    Runs,
    Detail,
    Json,
    Available,
    Members,
    Form,
    Review,
    /// The box that deletes runs, where no id is typed.
    Delete,
    /// A filter, search or reference box at the foot of a screen.
    Typing,
    /// The preview of a change.
    Confirm,
    /// A change under way or done.
    Work,
    Journal,
    Picker,
    Login,
    Help,
    Errors,
    /// The changes beside the runs list.
    Feed,
    Monitor,
}

/// One line of the key table.
#[derive(Clone, Debug, PartialEq)]
pub struct Command {
    /// Where the keys work.
    pub layers: &'static [Layer],
    /// The keys, as they are shown.
    pub keys: String,
    /// Heading in the help.
    pub group: &'static str,
    /// What it does.
    pub label: &'static str,
    /// What it asks for.
    pub action: Action,
}

impl Store {
    /// Where a key goes.
    pub fn layer(&self) -> Layer {
        let typing = match self.stack.top() {
            Screen::Runs => self.runs.typing,
            Screen::Json => self
                .detail
                .as_ref()
                .is_some_and(|detail| detail.json.typing),
            Screen::Available => self
                .available
                .as_ref()
                .is_some_and(|available| available.typing),
            Screen::Members => self.members.as_ref().is_some_and(|members| members.typing),
            Screen::Monitor => self
                .monitor
                .as_ref()
                .is_some_and(|monitor| monitor.typing.is_some()),
            Screen::Detail | Screen::Form | Screen::Review => false,
        };
        match self.stack.top() {
            _ if self.help.is_some() => Layer::Help,
            _ if self.sign_in.login.is_some() => Layer::Login,
            _ if self.cx.errors.open => Layer::Errors,
            _ if self.journal.is_some() => Layer::Journal,
            _ if self.confirm.is_some() => Layer::Confirm,
            _ if self.work.as_ref().is_some_and(|work| work.open) => Layer::Work,
            _ if self.picker.is_some() => Layer::Picker,
            _ if let Some(layer) = self.delete_layer() => layer,
            _ if typing => Layer::Typing,
            Screen::Runs if self.cx.shared.feed.open => Layer::Feed,
            Screen::Runs => Layer::Runs,
            Screen::Detail => Layer::Detail,
            Screen::Json => Layer::Json,
            Screen::Available => Layer::Available,
            Screen::Members => Layer::Members,
            Screen::Form => Layer::Form,
            Screen::Review => Layer::Review,
            Screen::Monitor => Layer::Monitor,
        }
    }
}

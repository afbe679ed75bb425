//! The help: the keys that work on the screen or popup below.

use crate::screens::Screen;
use crate::store::cx::Cx;
use crate::store::layer::{Command, Layer};
use crate::store::message::{Action, Motion};
use crate::store::shared::Shared;
use crate::ui::laid::Laid;
use crate::ui::list::{Scroll, matching};
use crate::ui::text_input::Input;

/// State of the help.
#[derive(Clone, Debug, PartialEq)]
pub struct Help {
    /// The layer whose keys are shown.
    pub layer: Layer,
    /// The lines of its key table.
    commands: Vec<Command>,
    /// Words looked for.
    pub search: Input,
    /// Cursor.
    pub scroll: Scroll,
}

impl Help {
    pub fn new(layer: Layer, commands: &[Command]) -> Self {
        let here = commands
            .iter()
            .filter(|command| command.layers.contains(&layer));
        Self {
            layer,
            commands: here.cloned().collect(),
            search: Input::default(),
            scroll: Scroll::default(),
        }
    }

    /// The lines that hold what is looked for.
    pub fn rows(&self) -> Vec<&Command> {
        let text = self.search.text().trim();
        if text.is_empty() {
            return self.commands.iter().collect();
        }
        let labels: Vec<String> = self
            .commands
            .iter()
            .map(|command| format!("{} {}", command.label, command.keys))
            .collect();
        matching(text, labels.iter().map(String::as_str))
            .into_iter()
            .map(|place| &self.commands[place])
            .collect()
    }
}

impl Screen for Help {
    fn layer(&self, _shared: &Shared) -> Layer {
        Layer::Help
    }

    fn update(&mut self, action: Action, cx: &mut Cx) {
        let len = self.rows().len() as u64;
        match action {
            Action::Move(motion) => {
                self.scroll.go(motion, len);
            }
            Action::Type(key) => {
                self.search.key(key);
                self.scroll.go(Motion::First, len);
            }
            Action::Paste(text) => {
                self.search.paste(&text);
            }
            Action::Open => {
                cx.close(Layer::Help);
                let rows = self.rows();
                if let Some(command) = rows.get(self.scroll.cursor as usize) {
                    cx.act(command.action.clone());
                }
            }
            Action::Back => cx.close(Layer::Help),
            _ => {}
        }
    }

    fn laid_out(&mut self, laid: &Laid) -> bool {
        let len = self.rows().len() as u64;
        laid.help
            .is_some_and(|height| self.scroll.set_height(height, len))
    }
}

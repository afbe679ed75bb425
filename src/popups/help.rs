//! The help: the keys that work on the screen or popup below.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use crate::screens::Screen;
use crate::store::cx::Cx;
use crate::store::layer::{Command, Layer};
use crate::store::message::{Action, Motion};
use crate::store::shared::Shared;
use crate::ui::layout::Layout;
use crate::ui::list::{Scroll, matching};
use crate::ui::text_input::Input;
use crate::ui::{Context, READ_ONLY, frame, text};

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

    fn laid_out(&mut self, layout: &Layout) -> bool {
        let len = self.rows().len() as u64;
        layout
            .help
            .is_some_and(|height| self.scroll.set_height(height, len))
    }

    fn draw(&self, context: Context<'_>, area: Rect, buffer: &mut Buffer, layout: &mut Layout) {
        draw(context, self, area, buffer, layout);
    }
}

/// Draws the help: the lines of the key table that work on the screen below.
fn draw(context: Context<'_>, help: &Help, area: Rect, buffer: &mut Buffer, layout: &mut Layout) {
    let theme = context.theme;
    let rows = help.rows();
    let title = format!("Help: keys in {}", place(help.layer));
    let inside = frame::popup(
        buffer,
        area,
        (area.width.min(90), area.height),
        &title,
        "type to search",
        theme,
    );
    frame::line(
        buffer,
        inside,
        0,
        vec![Span::styled(" search ", theme.key())],
    );
    let field = Rect {
        x: inside.x + 8,
        width: inside.width.saturating_sub(9),
        height: 1,
        ..inside
    };
    frame::field(buffer, field, &help.search, true, theme);
    let list = Rect {
        y: inside.y + 1,
        height: inside.height.saturating_sub(1),
        ..inside
    };
    layout.help = Some(list.height);
    for (row, index) in help.scroll.visible(list.height).enumerate() {
        let Some(command) = rows.get(index) else {
            break;
        };
        let keys = if command.keys.is_empty() {
            ":"
        } else {
            &command.keys
        };
        let refused = context.refuses(&command.action);
        let (key_style, style) = if refused {
            (theme.refused(), theme.refused())
        } else {
            (theme.key(), theme.text())
        };
        let said = if refused {
            format!("  {READ_ONLY}")
        } else {
            String::new()
        };
        let room = usize::from(list.width).saturating_sub(27 + said.len());
        let spans = vec![
            Span::styled(format!(" {} ", text::pad(command.group, 6)), theme.dim()),
            Span::styled(text::pad(keys, 18), key_style),
            Span::styled(text::fit(command.label, room), style),
            Span::styled(said, theme.dim()),
        ];
        frame::line(buffer, list, row as u16, spans);
        frame::cursor(
            buffer,
            list,
            row as u16,
            index as u64 == help.scroll.cursor,
            theme,
        );
    }
}

/// What a place is called in the title of the help.
fn place(layer: Layer) -> &'static str {
    match layer {
        Layer::Runs => "the runs list",
        Layer::Detail => "a run",
        Layer::Json => "the JSON",
        Layer::Available => "the available suites",
        Layer::Members => "the suites of a run",
        Layer::Form => "the form",
        Layer::Review => "the review",
        Layer::Delete => "deleting",
        Layer::Typing => "a text box",
        Layer::Confirm => "the preview of a write",
        Layer::Work => "the result of a change",
        Layer::Journal => "the journal",
        Layer::Picker => "a list of choices",
        Layer::Login => "the sign-in",
        Layer::Help => "the help",
        Layer::Errors => "the errors",
        Layer::Feed => "the changes",
        Layer::Monitor => "the monitor",
    }
}

//! The help: the keys that work on the screen or popup below.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use crate::keymap::place::Place;
use crate::screens::keys::{ARROWS, EVERYWHERE, PAGES, TAKE};
use crate::screens::screen::Screen;
use crate::store::cx::Cx;
use crate::store::key_table::{Command, Heading, Hint, KeyTable};
use crate::store::layer::Layer;
use crate::store::message::{Action, Motion};
use crate::store::shared::Shared;
use crate::ui::layout::{Layout, Scrolled};
use crate::ui::list::{Did, List, Unmarked, matching};
use crate::ui::menu::{Menu, Tall};
use crate::ui::{Context, READ_ONLY, menu, text};

/// State of the help.
#[derive(Clone, Debug, PartialEq)]
pub struct Help {
    /// The keys that are shown.
    table: KeyTable,
    list: List,
}

impl Help {
    pub fn new(table: KeyTable) -> Self {
        Self {
            table,
            list: List::typing(),
        }
    }

    /// The lines that hold what is looked for; else what is done on the screen, for moving has a line of its own.
    pub fn rows(&self) -> Vec<&Command> {
        let text = self.list.search.text().trim();
        if text.is_empty() {
            let commands = self.table.commands.iter();
            return commands
                .filter(|command| command.heading != Heading::Move)
                .collect();
        }
        let labels: Vec<String> = self
            .table
            .commands
            .iter()
            .map(|command| format!("{} {}", command.label, command.keys.join(" ")))
            .collect();
        matching(text, labels.iter().map(String::as_str))
            .into_iter()
            .map(|place| &self.table.commands[place])
            .collect()
    }
}

/// The keys that move, the first of each command, in one line; those of the tabs are one range.
fn moves(table: &KeyTable) -> String {
    let moves = table.commands.iter();
    let moves = moves.filter(|command| command.heading == Heading::Move);
    let tabs = moves.clone();
    let tabs = tabs.filter(|command| matches!(command.action, Action::Part(_)));
    let tabs: Vec<&str> = tabs
        .filter_map(|it| Some(it.keys.first()?.as_str()))
        .collect();
    let keys = moves.filter_map(|command| match (&command.action, tabs.as_slice()) {
        (Action::Part(0), [first, .., last]) => Some(format!("{first}-{last}")),
        (Action::Part(_), [_, _, ..]) => None,
        _ => command.keys.first().cloned(),
    });
    keys.collect::<Vec<_>>().join(" ")
}

impl Screen for Help {
    fn layer(&self, _shared: &Shared) -> Layer {
        Layer::Help
    }

    fn update(&mut self, action: Action, cx: &mut Cx) {
        let rows = Unmarked(self.rows().len());
        let Did::Nothing(action) = self.list.update(action, &rows, cx) else {
            return;
        };
        match action {
            Action::Open => {
                cx.close(Layer::Help);
                let rows = self.rows();
                if let Some(command) = rows.get(self.list.scroll.cursor as usize) {
                    cx.dispatch(command.action.clone());
                }
            }
            Action::Back => cx.close(Layer::Help),
            _ => {}
        }
    }

    fn scrolled(&mut self) -> Option<&mut dyn Scrolled> {
        Some(&mut self.list)
    }

    fn draw(&self, context: Context<'_>, area: Rect, buffer: &mut Buffer, layout: &mut Layout) {
        let theme = context.theme;
        let rows = self.rows();
        let palette = self.table.key(&Action::Palette).unwrap_or_default();
        let moves = format!("Move   {}", moves(&self.table));
        let menu = Menu {
            of: Layer::Help,
            title: &format!("Help: keys in {}", self.table.title),
            right: "type to search",
            size: (area.width.min(90), Tall::Screen),
            search: Some((" search ", &self.list.search.words)),
            above: Vec::new(),
            len: rows.len(),
            none: None,
            whole: (Vec::new(), 0),
            foot: Some(menu::line(&moves, theme.muted())),
        };
        let row = |place: usize, width: usize| {
            let command = rows[place];
            let keys = match command.keys.as_slice() {
                [] => palette.to_owned(),
                keys => keys.join(" "),
            };
            let refused = context.refuses(&command.action);
            let (key_style, style, said) = if refused {
                let said = format!("  {READ_ONLY}");
                (theme.refused(), theme.refused(), said)
            } else {
                (theme.accent(), theme.text(), String::new())
            };
            let heading = format!(" {} ", text::pad(command.heading.word(), 6));
            let room = width.saturating_sub(27 + said.len());
            vec![
                Span::styled(heading, theme.muted()),
                Span::styled(text::pad(&keys, 18), key_style),
                Span::styled(text::fit(command.label, room), style),
                Span::styled(said, theme.muted()),
            ]
        };
        menu.draw(&self.list, row, theme, area, buffer, layout);
    }
}

pub const PLACE: Place = Place {
    layer: Layer::Help,
    title: "the help",
    short: "help",
    groups: &[ARROWS, PAGES, TAKE, EVERYWHERE],
    hints: &[
        Hint::of(&[Action::Open], "do it"),
        Hint::of(
            &[Action::Move(Motion::Up), Action::Move(Motion::Down)],
            "move",
        ),
        Hint::of(&[Action::Back], "close"),
    ],
    types: true,
};

//! The columns of the runs list: selection, order, widths, and those that stay if room is short.

use crate::domain::columns::{Columns, Room};
use crate::screens::prelude::*;
use crate::store::key_table::Heading::Tool;

/// The counts cannot be shown.
const SENDS_NONE: &str = "the service sends none";

#[derive(Clone, Debug, PartialEq)]
pub struct ColumnsBox {
    columns: Columns,
    /// The columns were changed here: Enter takes them, else the column under the cursor.
    touched: bool,
    /// Room that the list was drawn in.
    room: Room,
    scroll: Scroll,
    /// Reason why the last key had no effect.
    said: Option<String>,
}

impl ColumnsBox {
    pub fn new(columns: Columns, room: Room) -> Self {
        Self {
            columns,
            touched: false,
            room,
            scroll: Scroll::default(),
            said: None,
        }
    }

    /// Returns why a width would have no effect in the list.
    fn unseen(&self, here: usize, cx: &Cx) -> Option<String> {
        let column = self.columns.iter().nth(here)?;
        let without_results = self.room.without_results;
        if column.is_wanted(without_results) {
            return None;
        }
        if without_results && column.field.counted {
            return Some(SENDS_NONE.into());
        }
        let shared = &cx.shared;
        let shows = shared.then_key(": ", Layer::Columns, &Action::Toggle, "shows it");
        Some(format!("hidden{shows}"))
    }

    /// Takes the changed columns, else shows the column under the cursor; nothing happens if that one is shown.
    fn take(&mut self, here: usize, cx: &mut Cx) {
        cx.close(Layer::Columns);
        if !self.touched {
            let current = self.columns.iter().nth(here);
            if current.is_none_or(|column| column.is_wanted(self.room.without_results)) {
                return cx.say("the columns are as they were");
            }
            self.columns.toggle(here, &self.room);
        }
        cx.chosen(Choice::Columns(Box::new(self.columns.clone())));
    }
}

impl Screen for ColumnsBox {
    fn update(&mut self, action: Action, cx: &mut Cx) {
        let here = self.scroll.cursor;
        let len = self.columns.iter().len();
        self.said = None;
        if self.scroll.update(&action, len) {
            return;
        }
        if let Action::PointCell(row, _) = action {
            self.scroll.point(row, len);
            return self.update(Action::Toggle, cx);
        }
        let unseen = self.unseen(here, cx);
        match action {
            Action::Toggle => {
                if !self.columns.toggle(here, &self.room) {
                    self.said = Some("Id or Title has to stay".into());
                    return;
                }
            }
            Action::Pin => self.columns.pin(here),
            Action::Undo if self.columns == Columns::default() => {
                self.said = Some("all are as built in already".into());
                return;
            }
            Action::Undo => self.columns = Columns::default(),
            Action::Wider | Action::Narrower if unseen.is_some() => {
                self.said = unseen;
                return;
            }
            Action::Wider => {
                self.columns.widen(here, 1, &self.room);
            }
            Action::Narrower => {
                if !self.columns.widen(here, -1, &self.room) {
                    self.said = Some("narrower, its values would be cut".into());
                    return;
                }
            }
            Action::Shift(motion @ (Motion::Up | Motion::Down)) => {
                self.columns.shift(here, motion == Motion::Down);
                self.scroll.go(motion, len);
            }
            Action::Open => return self.take(here, cx),
            Action::Back | Action::Columns => {
                if self.touched {
                    cx.say("the columns are as they were");
                }
                return cx.close(Layer::Columns);
            }
            Action::Show(Layer::Errors) => return cx.anywhere(action),
            _ => return,
        }
        self.touched = true;
    }

    fn scrolled(&mut self) -> Option<&mut dyn Scrolled> {
        Some(&mut self.scroll)
    }
}

impl Draw for ColumnsBox {
    fn draw(&self, on: &mut Surface<'_>, area: Rect) {
        let theme = on.context.theme;
        let room = Room {
            width: area.width,
            ..self.room.clone()
        };
        let table = Table::of_runs(&self.columns, &room);
        let columns: Vec<_> = self.columns.iter().collect();
        let said = self.said.as_deref();
        let menu = Menu {
            ticks: true,
            foot: said.map(|words| frame::said(words, theme.warn())),
            ..Menu::new(Layer::Columns, "Columns, from the left", 50, columns.len())
        };
        let cells = Table::lay_out(
            vec![
                Column::plain(3).behind(2),
                Column::plain(15),
                Column::plain(3).numbers().behind(0),
                Column::plain(6).behind(2),
                Column::fill().behind(0),
            ],
            menu.width(),
        );
        let row = |place: usize| {
            let column = columns[place];
            let field = column.field;
            let wanted = column.is_wanted(room.without_results);
            let (width, said) = match table.width(place + 1) {
                0 if room.without_results && field.counted => (String::new(), SENDS_NONE),
                0 if wanted && room.empty.contains(&field.name) => (String::new(), "empty here"),
                0 if wanted => (column.least(&room).to_string(), "no room for it"),
                0 => (String::new(), ""),
                width => (width.to_string(), ""),
            };
            let ticked = if wanted { "[x]" } else { "[ ]" };
            let stays = if column.pinned { "stays" } else { "" };
            cells.row([
                Cell::text(ticked, theme.accent()),
                Cell::text(column.heading(&room), theme.text()),
                Cell::text(width, theme.text()),
                Cell::text(stays, theme.accent()),
                Cell::text(said, theme.warn()),
            ])
        };
        menu.draw(&self.scroll, row, on, area);
    }
}

const OWN: &[Binding] = &[
    Tool.row(
        &["Space"],
        "toggle",
        "Show the column, or hide it",
        Action::Toggle,
    ),
    Tool.row(
        &["J"],
        "shift-down",
        "Move the column to the right in the list",
        Action::Shift(Motion::Down),
    ),
    Tool.row(
        &["K"],
        "shift-up",
        "Move the column to the left in the list",
        Action::Shift(Motion::Up),
    ),
    Tool.row(&["+"], "wider", "Wider", Action::Wider),
    Tool.row(&["-"], "narrower", "Narrower", Action::Narrower),
    Tool.row(
        &["P"],
        "pin",
        "The column stays where room is short, before others",
        Action::Pin,
    ),
    Tool.row(&["u"], "undo", "All as built in", Action::Undo),
    Tool.row(
        &["w"],
        "columns",
        "Leave them as they were",
        Action::Columns,
    ),
    Tool.row(&["Enter"], "open", "Take the columns so", Action::Open),
];

pub const PLACE: Place = Place {
    layer: Layer::Columns,
    title: "the columns",
    groups: &[MOVING, &[OWN], OF_A_BOX],
    hints: &[
        Hint::of(&[Action::Open], "take"),
        Hint::of(&[Action::Toggle], "on, off"),
        Hint::of(
            &[Action::Shift(Motion::Down), Action::Shift(Motion::Up)],
            "order",
        ),
        Hint::of(&[Action::Wider, Action::Narrower], "width"),
        Hint::of(&[Action::Pin], "stays where room is short"),
        Hint::of(&[Action::Undo], "as built in"),
        Hint::of(&[Action::Back], "leave as it was"),
        HELPS,
    ],
    types: false,
};

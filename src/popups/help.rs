//! The help: keys of the screen or popup below.

use std::iter;

use crate::domain::View;
use crate::screens::keys::{ARROWS, ENDS, LETTERS, PAGES, TAKE, TOOLS};
use crate::screens::prelude::*;
use crate::store::Command;
use crate::ui::list::matching;
use crate::ui::{Theme, bar};

/// State of the help.
#[derive(Clone, Debug, PartialEq)]
pub struct Help {
    /// Keys of the place.
    table: KeyTable,
    /// Those of its actions that have nothing to act on now.
    idle: Vec<Action>,
    list: List,
}

impl Help {
    pub fn new(table: KeyTable, idle: Vec<Action>) -> Self {
        Self {
            table,
            idle,
            list: List::typing(),
        }
    }

    /// Returns true if its keys are those of this place.
    pub fn is_of(&self, place: Layer) -> bool {
        self.table.layer == place
    }

    /// Returns the lines that match the search; else all but the keys that move, which share one line: first those of
    /// the line of hints, at the end those of all places and those without a key.
    pub fn rows(&self) -> Vec<&Command> {
        let text = self.list.search.text().trim();
        if text.is_empty() {
            let hints = self.table.hints.iter().flat_map(|hint| hint.actions);
            let hints: Vec<&Action> = hints.collect();
            let everywhere = |command: &Command| {
                let mut rows = [TOOLS, LETTERS, EVERYWHERE].into_iter().flatten();
                rows.any(|row| row.action == command.action)
            };
            let mut rows: Vec<&Command> = self
                .table
                .commands
                .iter()
                .filter(|command| command.heading != Heading::Move)
                .collect();
            rows.sort_by_key(|row| {
                let hint = hints
                    .iter()
                    .position(|it| **it == row.action)
                    .filter(|_| !everywhere(row));
                (
                    row.keys.is_empty(),
                    everywhere(row),
                    hint.unwrap_or(usize::MAX),
                )
            });
            return rows;
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

    /// Returns lines for the keys of the text field.
    fn of_the_field(&self, theme: Theme) -> impl Iterator<Item = Line<'static>> {
        let hints = self.table.hints.iter();
        let of_the_field = hints.filter(|hint| hint.actions.is_empty());
        of_the_field.map(move |hint| {
            let keys = Span::styled(format!(" {}  ", self.table.keys(*hint)), theme.accent());
            Line::from(vec![keys, Span::styled(hint.words, theme.muted())])
        })
    }

    /// Returns lines for the tabs of the list that are not built in.
    fn tabs(&self, columns: usize, theme: Theme, shared: &Shared) -> Vec<Line<'static>> {
        if self.table.layer != Layer::Runs {
            return Vec::new();
        }
        let lines = |view: View| {
            let asks = Some(view.words()).filter(|asks| !asks.is_empty())?;
            let words = format!("{}: {}", text::cells(&view.name), text::cells(&asks));
            let lines = text::wrap(&words, columns.saturating_sub(1), 2).into_iter();
            Some(lines.map(move |line| Line::from(Span::styled(format!(" {line}"), theme.muted()))))
        };
        shared
            .tabs()
            .into_iter()
            .filter_map(lines)
            .flatten()
            .collect()
    }
}

const NOTHING: &str = "nothing matches: Backspace widens";
/// Minimum terminal rows for the tabs.
const ROOM_FOR_TABS: u16 = 20;
/// Maximum columns of the keys of a command.
const KEYS: usize = 18;
/// Maximum number of lines of signs.
const SIGNS: usize = 5;

/// Returns the keys that move, the first of each command, in one line; those of the tabs are one range.
fn moves(table: &KeyTable) -> String {
    let moves = table
        .commands
        .iter()
        .filter(|command| command.heading == Heading::Move);
    let tabs: Vec<&str> = moves
        .clone()
        .filter(|command| matches!(command.action, Action::Part(_)))
        .filter_map(|it| Some(it.keys.first()?.as_str()))
        .collect();
    moves
        .filter_map(|command| match (&command.action, tabs.as_slice()) {
            (Action::Part(0), [first, .., last]) => Some(format!("{first}-{last}")),
            (Action::Part(_), [_, _, ..]) => None,
            _ => command.keys.first().cloned(),
        })
        .collect::<Vec<_>>()
        .join(" ")
}

/// Returns the signs and colours of a place in lines of so many columns.
fn signs(layer: Layer, columns: usize, theme: Theme) -> Vec<Line<'static>> {
    let (accent, warn, bad) = (theme.accent(), theme.warn(), theme.bad());
    let marked = ("*", "marked", accent);
    let ranged = ("+", "in the range that is being marked", accent);
    let with_range = ("*", "marked; + in the open range", accent);
    let look = ("!", "over the limit, or late by date or forecast", warn);
    let changed = ("●", "changed since you last looked", accent);
    let more = (
        "+n",
        "more new failures than before today; at Block: more blocked or on hold",
        bad,
    );
    let or_dim = (
        "●",
        "changed since you last looked; dim: older counts",
        accent,
    );
    let pinned = ("^", "pinned: it comes first", accent);
    let unsure = ("?", "not sure that it is in the run", warn);
    let required = ("*", "has to be filled in", accent);
    let signs = match layer {
        Layer::Runs => vec![with_range, look, or_dim, more],
        Layer::Monitor => vec![look, pinned, more],
        Layer::Detail => vec![more],
        Layer::Available => vec![marked, ranged],
        Layer::Attached => vec![marked, ranged, unsure],
        Layer::Changes => vec![changed],
        Layer::Form => vec![required],
        Layer::Board => vec![
            ("10F", "failed, some new; 4f all known; 2B blocked", bad),
            (
                "×2",
                "so many runs in the cell; ? results are missing",
                accent,
            ),
            ("q", "no count moved for days in an open run", warn),
            ("left", "cases not finished in open runs", accent),
            ("1.2.1 24", "tab of a version, with its open runs", accent),
        ],
        _ => Vec::new(),
    };
    let mut lines: Vec<Line<'static>> = Vec::new();
    for (sign, words, style) in signs {
        let words = text::wrap(words, columns.saturating_sub(5), 2);
        for (sign, words) in [sign].into_iter().chain(iter::repeat("")).zip(words) {
            let sign = text::pad(sign, 4.max(text::width(sign) + 1));
            let sign = Span::styled(format!(" {sign}"), style);
            lines.push(Line::from(vec![sign, Span::styled(words, theme.muted())]));
        }
    }
    if matches!(layer, Layer::Runs | Layer::Monitor | Layer::Detail) {
        let bar = iter::once(Span::raw(" ")).chain(bar::signs(theme));
        lines.push(bar.collect::<Line<'_>>());
    }
    lines.truncate(SIGNS);
    lines
}

impl Screen for Help {
    fn update(&mut self, action: Action, cx: &mut Cx) {
        let rows = Unmarked(self.rows().len());
        let action = self.list.search.words.or_of_rows(action);
        let Some(action) = self.list.update(action, &rows, cx) else {
            return;
        };
        match action {
            Action::Open => {
                let rows = self.rows();
                let Some(command) = rows.get(self.list.scroll.cursor) else {
                    return cx.say(NOTHING);
                };
                cx.close(Layer::Help);
                cx.dispatch(command.action.clone());
            }
            Action::Back => cx.close(Layer::Help),
            _ => {}
        }
    }

    fn offers(&self, action: &Action, _shared: &Shared) -> bool {
        !matches!(action, Action::Open | Action::Move(_)) || !self.rows().is_empty()
    }

    fn scrolled(&mut self) -> Option<&mut dyn Scrolled> {
        Some(&mut self.list)
    }
}

impl Draw for Help {
    fn draw(&self, on: &mut Surface<'_>, area: Rect) {
        let context = on.context;
        let theme = context.theme;
        let rows = self.rows();
        let moves = format!("Move   {}", moves(&self.table));
        let columns = area.width.min(90);
        let width = usize::from(columns).saturating_sub(4);
        let moves = text::fit(&moves, width);
        let title = format!("Help: keys in {}", self.table.title);
        let search = &self.list.search;
        let menu = Menu {
            right: "type to search",
            tall: Tall::Screen,
            search: Some((" search ", &search.words)),
            above: match search.text() {
                "" => {
                    let mut lines = signs(self.table.layer, width, theme);
                    lines.extend(self.of_the_field(theme));
                    if area.height >= ROOM_FOR_TABS {
                        lines.extend(self.tabs(width, theme, &context.cx.shared));
                    }
                    lines
                }
                _ => Vec::new(),
            },
            none: Some(frame::said(NOTHING, theme.warn())),
            foot: Some(frame::said(&moves, theme.muted())),
            ..Menu::new(Layer::Help, &title, columns, rows.len())
        };
        // A narrow one has no room to spare.
        let keys = |command: &&Command| text::width(&command.keys.join(" ")) + 1;
        let keys = rows.iter().map(keys).max().filter(|_| columns < 60);
        let table = Table::lay_out(
            vec![
                Column::plain(6),
                Column::plain(keys.unwrap_or(KEYS).min(KEYS)),
                Column::fill().behind(0),
            ],
            menu.width().saturating_sub(1),
        );
        let row = |place: usize| {
            let command = rows[place];
            let is_idle = || self.idle.contains(&command.action).then_some("not now");
            let why = context
                .refuses(self.table.layer, &command.action)
                .or_else(is_idle);
            let (key, words, said) = if let Some(why) = why {
                let said = format!("  {why}");
                (theme.refused(), theme.refused(), said)
            } else {
                (theme.accent(), theme.text(), String::new())
            };
            let room = table.width(2).saturating_sub(said.len());
            let label = Span::styled(text::fit(command.label, room), words);
            let said = Span::styled(said, theme.muted());
            table.row([
                Cell::text(command.heading.word(), theme.muted()),
                Cell::text(command.keys.join(" "), key),
                Cell::Spans(vec![label, said]),
            ])
        };
        menu.draw(&self.list.scroll, row, on, area);
    }
}

pub const PLACE: Place = Place {
    layer: Layer::Help,
    title: "the help",
    groups: &[&[ARROWS, ENDS, PAGES, TAKE, EVERYWHERE]],
    hints: &[Hint::of(&[Action::Open], "do it"), MOVES, CLOSES],
    types: true,
};

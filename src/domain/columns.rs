//! The columns of the runs list, as a person set them, and which of them fit.

use serde::{Deserialize, Serialize};

use super::fields::{Field, Holds, ID, LIST, ListColumn, STATUS, TITLE, VERSION, Width};

/// Cells of the narrowest and the widest column that somebody can ask for.
const WIDTHS: (usize, usize) = (3, 60);

/// All columns, from the left.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<KeptColumn>")]
pub struct Columns(Vec<Column>);

/// A column as it is read from the disk: the table of fields may be another by then.
#[derive(Deserialize)]
struct KeptColumn {
    field: String,
    #[serde(default)]
    shown: Option<bool>,
    #[serde(default)]
    pinned: bool,
    #[serde(default)]
    width: Option<usize>,
}

impl From<Vec<KeptColumn>> for Columns {
    /// Columns that there are no more are left out, those that are new stand where they usually do.
    fn from(kept: Vec<KeptColumn>) -> Self {
        let mut usual = Self::default().0;
        let mut columns = Vec::new();
        for column in kept {
            let place = usual.iter().position(|it| it.field == column.field);
            columns.extend(place.map(|place| Column {
                shown: column.shown,
                pinned: column.pinned,
                width: column.width.map(|it| it.clamp(WIDTHS.0, WIDTHS.1)),
                ..usual.remove(place)
            }));
        }
        columns.extend(usual);
        Self(columns)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Column {
    /// Name of its field.
    pub field: &'static str,
    /// Shown or hidden by the person; nothing where it is as usual.
    shown: Option<bool>,
    /// It is given room before others.
    pub pinned: bool,
    /// Cells, where the person sized it.
    width: Option<usize>,
}

/// What the width of columns goes by besides the terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Room {
    /// Columns of the terminal.
    pub width: u16,
    /// Cells of the longest short id on the screen.
    pub ids: usize,
    /// The service sends no counts.
    pub without_results: bool,
    /// Names of the fields that no row has which is here: their columns take no room.
    pub empty: Vec<&'static str>,
}

impl Default for Columns {
    fn default() -> Self {
        Self(
            LIST.into_iter()
                .map(|field| Column {
                    field: field.name,
                    shown: None,
                    pinned: false,
                    width: None,
                })
                .collect(),
        )
    }
}

impl Columns {
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Column> {
        self.0.iter()
    }

    /// Shows the column in this place, or hides it; whether it did: of those that name a run, the last one stays.
    pub fn toggle(&mut self, place: usize, room: &Room) -> bool {
        let wanted = |column: &Column| column.is_wanted(room.without_results);
        let named_by = self.0.iter().filter(|it| it.names_the_run() && wanted(it));
        let is_last = named_by.count() == 1;
        let Some(column) = self.0.get_mut(place) else {
            return false;
        };
        if wanted(column) && column.names_the_run() && is_last {
            return false;
        }
        column.shown = Some(!wanted(column));
        true
    }

    /// Gives it room before others, or not any more.
    pub fn pin(&mut self, place: usize) {
        if let Some(column) = self.0.get_mut(place) {
            column.pinned = !column.pinned;
        }
    }

    /// Makes it wider by so many cells, or narrower.
    pub fn widen(&mut self, place: usize, cells: isize, room: &Room) {
        if let Some(column) = self.0.get_mut(place) {
            column.width = Some(
                column
                    .least(room)
                    .saturating_add_signed(cells)
                    .clamp(WIDTHS.0, WIDTHS.1),
            );
        }
    }

    /// Moves it one place to the left or right.
    pub fn shift(&mut self, place: usize, right: bool) {
        let to = if right {
            (place + 1).min(self.0.len() - 1)
        } else {
            place.saturating_sub(1)
        };
        self.0.swap(place, to);
    }
}

impl Column {
    /// Its place in the order in which they are given room: the pinned ones come before all others.
    pub fn rank(&self, listed: ListColumn) -> usize {
        let rank = usize::from(listed.rank);
        if self.pinned {
            rank
        } else {
            rank + usize::from(u8::MAX) + 1
        }
    }

    /// A run is known by it.
    fn names_the_run(&self) -> bool {
        [ID.name, TITLE.name].contains(&self.field)
    }

    /// Its field and its heading.
    pub fn named(&self) -> Option<(&'static Field, &'static str)> {
        let field = LIST.into_iter().find(|field| field.name == self.field)?;
        Some((field, field.column?.heading))
    }

    /// It is to be shown, where there is room.
    pub fn is_wanted(&self, without_results: bool) -> bool {
        let Some((field, _)) = self.named() else {
            return false;
        };
        let instead = || without_results && [STATUS.name, VERSION.name].contains(&field.name);
        let usual = || field.column.is_some_and(|column| column.usual);
        !(without_results && field.counted) && self.shown.unwrap_or_else(|| usual() || instead())
    }

    /// The cells that it takes at most, where others leave them: titles first, then the bar.
    pub fn most(&self, room: &Room) -> usize {
        let least = self.least(room);
        match self
            .named()
            .filter(|_| self.width.is_none())
            .map(|(field, _)| (field.holds, field.column.map(|it| it.width)))
        {
            Some((Holds::Results, _)) => least + 10,
            Some((_, Some(Width::Title))) => least.max(44),
            _ => least,
        }
    }

    /// The cells that it takes at least.
    pub fn least(&self, room: &Room) -> usize {
        let usual = |width: Width| match width {
            Width::Cells(cells) => cells,
            Width::Ids => room.ids,
            Width::Title => match room.width {
                ..60 => 12,
                60..80 => 16,
                80..100 => 28,
                _ => 34,
            },
        };
        let column = self.named().and_then(|(field, _)| field.column);
        self.width
            .unwrap_or(column.map_or(0, |column| usual(column.width)))
    }
}

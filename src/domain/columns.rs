//! Columns of the runs list as the user arranged them, and their widths.

use super::fields::{ID, LEFT, LIST, ListColumn, MORE, NOT_RUN, STATUS, TITLE, VERSION, Width};
use super::prelude::*;

/// Least and greatest width of a column that the user can set, in cells.
const WIDTHS: (usize, usize) = (3, 60);
/// Maximum width of a column that shows its values whole.
const WHOLE: usize = 14;

/// All columns, from the left.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<KeptColumn>")]
pub struct Columns(Vec<Column>);

/// Column as read from the disk: the table of fields may have changed since.
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
    /// Drops columns that no longer exist and appends new ones in the usual order.
    fn from(kept: Vec<KeptColumn>) -> Self {
        let mut usual = Self::default().0;
        let mut columns = Vec::new();
        for column in kept {
            let place = usual.iter().position(|it| it.field.name == column.field);
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
    pub field: &'static Field,
    #[serde(skip)]
    listed: ListColumn,
    /// Shown or hidden by the user; `None` for the default.
    shown: Option<bool>,
    /// Gets room before others.
    pub pinned: bool,
    /// Width in cells, if the user set it.
    width: Option<usize>,
}

/// Conditions for the width of columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Room {
    /// Columns of the terminal.
    pub width: u16,
    /// Cells of the longest value on the screen, by the name of the field.
    pub widest: Vec<(&'static str, usize)>,
    /// The service sends no counts.
    pub without_results: bool,
    /// Names of the fields that no loaded row has: their columns take no room.
    pub empty: Vec<&'static str>,
    /// All runs of the answer are closed.
    pub all_closed: bool,
    /// Some run of the answer has a `+n`.
    pub more: bool,
    /// Name of the field that the list is sorted by.
    pub sorted: Option<&'static str>,
}

impl Room {
    /// Returns the cells behind a number of cases: of `+n`, else of the arrow of the order.
    pub fn beside(&self, field: &Field) -> usize {
        match field.holds {
            Holds::Counts(_) if self.more => MORE,
            Holds::Counts(_) if self.sorted == Some(field.name) => 1,
            _ => 0,
        }
    }
}

impl Default for Columns {
    fn default() -> Self {
        Self(
            LIST.into_iter()
                .filter_map(|field| {
                    Some(Column {
                        field,
                        listed: field.column?,
                        shown: None,
                        pinned: false,
                        width: None,
                    })
                })
                .collect(),
        )
    }
}

impl Columns {
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Column> {
        self.0.iter()
    }

    /// Shows or hides a column. Returns `false` if it stays: one column that names the run is always shown.
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

    /// Pins a column or unpins it.
    pub fn pin(&mut self, place: usize) {
        if let Some(column) = self.0.get_mut(place) {
            column.pinned = !column.pinned;
        }
    }

    /// Makes a column wider by `cells`, or narrower; false if it has its least or greatest width.
    pub fn widen(&mut self, place: usize, cells: isize, room: &Room) -> bool {
        let Some(column) = self.0.get_mut(place) else {
            return false;
        };
        let before = column.least(room);
        let width = before.saturating_add_signed(cells);
        column.width = Some(width.clamp(WIDTHS.0, WIDTHS.1));
        column.least(room) != before
    }

    /// Moves a column one place to the left or right.
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
    /// Returns the rank by which columns get room: pinned ones come first.
    pub fn rank(&self) -> usize {
        let rank = usize::from(self.listed.rank);
        if self.pinned {
            rank
        } else {
            rank + usize::from(u8::MAX) + 1
        }
    }

    /// Returns `true` for id and title.
    fn names_the_run(&self) -> bool {
        [&ID, &TITLE].contains(&self.field)
    }

    /// Returns its heading.
    pub fn heading(&self, room: &Room) -> &'static str {
        if self.is_not_run(room) {
            NOT_RUN
        } else {
            self.listed.heading
        }
    }

    /// Returns true if it shows what closed runs left.
    fn is_not_run(&self, room: &Room) -> bool {
        room.all_closed && *self.field == LEFT
    }

    /// Returns `true` if shown where there is room.
    pub fn is_wanted(&self, without_results: bool) -> bool {
        let instead = without_results && [&STATUS, &VERSION].contains(&self.field);
        let usual = self.listed.usual || instead;
        !(without_results && self.field.counted) && self.shown.unwrap_or(usual)
    }

    /// Returns the maximum width in cells, if others leave room: titles first, then the bar.
    pub fn most(&self, room: &Room) -> usize {
        let least = self.least(room);
        match (self.field.holds, self.listed.width) {
            _ if self.width.is_some() => least,
            (Holds::Results, _) => least + 10,
            (_, Width::Title) => least.max(44),
            (Holds::Texts(_), _) => self.widest(room).map_or(least, |it| it.clamp(least, WHOLE)),
            _ => least,
        }
    }

    /// Returns `true` if its width goes by its longest value on the screen.
    pub fn grows(&self) -> bool {
        let of_its_width = matches!(self.listed.width, Width::Longest(_));
        of_its_width || matches!(self.field.holds, Holds::Texts(_) | Holds::Counts(_))
    }

    /// Returns the cells of its longest value on the screen, if known.
    fn widest(&self, room: &Room) -> Option<usize> {
        let mut widest = room.widest.iter();
        Some(widest.find(|it| it.0 == self.field.name)?.1)
    }

    /// Returns true for texts and bars: ids, times and numbers are shown whole.
    fn may_be_cut(&self) -> bool {
        let is_text = matches!(
            self.field.holds,
            Holds::Text(_) | Holds::Texts(_) | Holds::Status | Holds::Results
        );
        is_text && *self.field != ID
    }

    /// Returns the minimum width in cells.
    pub fn least(&self, room: &Room) -> usize {
        match self.width {
            Some(width) if self.may_be_cut() => width,
            Some(width) => width.max(self.usual(room)),
            None => self.usual(room),
        }
    }

    /// Returns the cells of its minimum that stay blank: of a `+n` that no run has, unless a number needs them.
    pub fn spare(&self, room: &Room) -> usize {
        let number = self.widest(room).unwrap_or(0);
        let number = number.max(self.listed.heading.len());
        match self.field.holds {
            Holds::Counts(_) if self.width.is_none() => {
                let taken = number + room.beside(self.field);
                self.least(room).saturating_sub(taken)
            }
            _ => 0,
        }
    }

    /// Returns the minimum width in cells unless the user set one.
    fn usual(&self, room: &Room) -> usize {
        match self.listed.width {
            // With the arrow of the order.
            Width::Cells(_) if self.is_not_run(room) => NOT_RUN.len() + 1,
            Width::Cells(cells) => cells,
            Width::Longest(least) => self.widest(room).map_or(least, |it| it.clamp(least, WHOLE)),
            Width::Title => match room.width {
                ..60 => 12,
                60..80 => 16,
                80..100 => 28,
                _ => 34,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_that_has_become_longer_is_whole_in_a_column_that_was_set() {
        let room = |id| Room {
            width: 80,
            widest: vec![("id", id)],
            without_results: false,
            empty: Vec::new(),
            all_closed: false,
            more: false,
            sorted: None,
        };
        let mut columns = Columns::default();
        assert!(columns.widen(0, 1, &room(5)));
        let least = |columns: &Columns, id| columns.0[0].least(&room(id));
        assert_eq!([5, 9].map(|id| least(&columns, id)), [6, 9]);
        assert!(!columns.widen(0, -1, &room(9)));
        assert_eq!(least(&columns, 9), 9);
    }
}

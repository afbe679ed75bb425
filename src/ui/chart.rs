//! The burn-up: all cases and finished ones over time, with the band of the forecast. A text beside the chart always
//! has the same data.

use ratatui::text::{Line, Span};

use crate::domain::Sums;
use crate::forecast::{Band, History, Outlook};
use crate::ui::{Context, text};

/// Dots of a braille character, by row and column.
const DOTS: [[u8; 2]; 4] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];
/// Minimum number of samples for a line.
const SAMPLES: usize = 2;
/// Smallest chart: columns and rows without the axis.
const SMALLEST: (usize, usize) = (16, 3);

/// Kinds of dots, the later drawn over the earlier.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Ink {
    Total,
    Band,
    Done,
}

/// Field of dots, two columns and four rows to a character.
struct Canvas {
    width: usize,
    height: usize,
    cells: Vec<(u8, Ink)>,
}

impl Canvas {
    fn new(width: usize, height: usize) -> Self {
        Self {
            width,
            height,
            cells: vec![(0, Ink::Total); width * height],
        }
    }

    /// Sets a dot; rows count from the foot.
    fn dot(&mut self, x: usize, y: usize, ink: Ink) {
        let (column, row) = (x / 2, y / 4);
        if column < self.width && row < self.height {
            let cell = &mut self.cells[(self.height - 1 - row) * self.width + column];
            cell.0 |= DOTS[3 - y % 4][x % 2];
            cell.1 = cell.1.max(ink);
        }
    }

    fn lines(&self, context: Context<'_>) -> impl Iterator<Item = Vec<Span<'static>>> {
        let style = move |ink: Ink| match ink {
            Ink::Total => context.theme.muted(),
            Ink::Band => context.theme.warn(),
            Ink::Done => context.theme.good(),
        };
        self.cells.chunks(self.width).map(move |row| {
            let cell = |(dots, ink): &(u8, Ink)| {
                let letter = char::from_u32(0x2800 + u32::from(*dots))
                    .filter(|_| *dots > 0)
                    .unwrap_or(' ');
                Span::styled(letter.to_string(), style(*ink))
            };
            row.iter().map(cell).collect()
        })
    }
}

/// Scale of times and counts on a canvas.
struct Scale {
    from: i64,
    to: i64,
    most: u64,
    columns: usize,
    rows: usize,
}

impl Scale {
    fn x(&self, at: i64) -> usize {
        let (since, span) = (
            at.saturating_sub(self.from).max(0),
            self.to.saturating_sub(self.from).max(1),
        );
        ((since as f64 / span as f64 * self.columns as f64) as usize)
            .min(self.columns.saturating_sub(1))
    }

    fn y(&self, count: u64) -> usize {
        let share = count as f64 / self.most.max(1) as f64;
        ((share * (self.rows - 1) as f64).round() as usize).min(self.rows - 1)
    }

    fn at(&self, x: usize) -> i64 {
        let span = self.to.saturating_sub(self.from) as f64;
        self.from
            .saturating_add((span * x as f64 / self.columns as f64) as i64)
    }
}

/// Returns the burn-up in `width` columns and `height` rows with its axis; empty without room or counts.
pub fn burn_up(
    context: Context<'_>,
    history: &History,
    width: usize,
    height: usize,
) -> Vec<Line<'static>> {
    let most = history
        .points
        .iter()
        .chain([&history.state])
        .flatten()
        .map(|point| point.total.max(point.done))
        .max()
        .unwrap_or(0);
    let gutter = most.to_string().len() + 1;
    let (columns, rows) = (width.saturating_sub(gutter), height.saturating_sub(1));
    let fits = columns >= SMALLEST.0 && rows >= SMALLEST.1;
    if most == 0 || history.samples < SAMPLES || !fits {
        return Vec::new();
    }
    let band = history.outlook.band();
    let ahead = band.map_or(0, |band| band.to.saturating_sub(history.to).max(0));
    let to = history.to.saturating_add(ahead);
    let scale = Scale {
        from: history.from,
        to,
        most,
        columns: columns * 2,
        rows: rows * 4,
    };
    let mut canvas = Canvas::new(columns, rows);
    let now = draw_past(&mut canvas, &scale, history);
    if let (Some(band), Some(last)) = (band, history.state) {
        draw_band(&mut canvas, &scale, band, last, now);
    }
    let mut lines: Vec<Line<'static>> = Vec::new();
    for (row, mut spans) in canvas.lines(context).enumerate() {
        let label = match row {
            0 => most.to_string(),
            row if row + 1 == rows => "0".to_owned(),
            _ => String::new(),
        };
        spans.insert(
            0,
            Span::styled(
                format!("{} ", text::pad_left(&label, gutter - 1)),
                context.theme.muted(),
            ),
        );
        lines.push(Line::from(spans));
    }
    lines.push(axis(
        context,
        &scale,
        (gutter, columns),
        history.to,
        ahead > 0,
    ));
    lines
}

/// Draws the samples; returns the first column of dots after them.
fn draw_past(canvas: &mut Canvas, scale: &Scale, history: &History) -> usize {
    let past = history.to.saturating_sub(history.from).max(1) as f64;
    let end = if scale.to > history.to {
        scale.x(history.to)
    } else {
        scale.columns
    };
    let mut before: Option<usize> = None;
    for x in 0..end {
        // The middle of the dot, so that rounding does not exceed the last column.
        let share = (scale.at(x).saturating_sub(history.from)) as f64 / past;
        let place = ((share * history.points.len() as f64) as usize)
            .min(history.points.len().saturating_sub(1));
        let Some(Sums { total, done }) = history.points.get(place).copied().flatten() else {
            before = None;
            continue;
        };
        if x % 4 < 2 {
            canvas.dot(x, scale.y(total), Ink::Total);
        }
        let y = scale.y(done);
        let from = before.unwrap_or(y);
        for y in from.min(y)..=from.max(y) {
            canvas.dot(x, y, Ink::Done);
        }
        before = Some(y);
    }
    end
}

/// Draws every second dot between the earliest and the latest end, from the finished cases of now to all cases.
fn draw_band(canvas: &mut Canvas, scale: &Scale, band: &Band, last: Sums, now: usize) {
    let begin = scale.at(now);
    let left = last.total.saturating_sub(last.done) as f64;
    let reached = |at: i64, end: i64| {
        let share = at.saturating_sub(begin) as f64 / end.saturating_sub(begin).max(1) as f64;
        last.done + (left * share.clamp(0.0, 1.0)) as u64
    };
    for x in now..scale.columns {
        let at = scale.at(x + 1);
        let (low, high) = (
            scale.y(reached(at, band.to)),
            scale.y(reached(at, band.from)),
        );
        for y in (low..=high).filter(|y| (x + y) % 2 == 0 || *y == low || *y == high) {
            canvas.dot(x, y, Ink::Band);
        }
        if x % 4 < 2 {
            canvas.dot(x, scale.y(last.total), Ink::Total);
        }
    }
}

/// Returns the axis: the start, now, and the end of the forecast.
fn axis(
    context: Context<'_>,
    scale: &Scale,
    size: (usize, usize),
    now: i64,
    ahead: bool,
) -> Line<'static> {
    let (gutter, columns) = size;
    let begin = context.now.begin(scale.from, scale.to);
    let mut axis = vec![' '; gutter + columns];
    let mut put = |place: usize, words: &str| {
        for (at, letter) in words.chars().enumerate() {
            if let Some(cell) = axis.get_mut(place + at) {
                *cell = letter;
            }
        }
    };
    put(gutter, &begin);
    let end = if ahead {
        context.now.when(scale.to)
    } else {
        "now".to_owned()
    };
    let last = (gutter + columns).saturating_sub(end.chars().count());
    put(last, &end);
    if ahead {
        let place = gutter + scale.x(now) / 2;
        if place > gutter + begin.chars().count() && place + 4 < last {
            put(place, "now");
        }
    }
    Line::styled(
        axis.into_iter().collect::<String>().trim_end().to_owned(),
        context.theme.muted(),
    )
}

/// Returns the burn-up in words: the state, the forecast, and its basis.
pub fn words(context: Context<'_>, history: &History, due: Option<i64>) -> Vec<String> {
    let (now, zone) = (context.now.ms, &context.now.zone);
    let mut lines = Vec::new();
    let band = history.outlook.band();
    let pace = band.map(|band| format!(", {}", band.pace_words(due, now, zone)));
    let pace = pace.unwrap_or_default();
    if let Some(Sums { total, done }) = history.state {
        lines.push(format!("{done} of {total} done{pace}"));
    }
    lines.push(match &history.outlook {
        Outlook::Band(band) => {
            let likely = format!("likely {}", history.outlook.words(now, zone));
            // What makes a run late with a pace that is enough.
            match due.filter(|due| now < *due && *due < band.middle) {
                Some(_) => format!("{likely}, its middle {}", context.now.when(band.middle)),
                None => likely,
            }
        }
        Outlook::Done => "all cases are finished".to_owned(),
        Outlook::Refused(why) if history.samples < SAMPLES => {
            format!("no chart and no forecast yet: {why}")
        }
        Outlook::Refused(why) => format!("no forecast: {why}"),
    });
    lines.extend(band.map(|band| band.basis(now, zone).join("; ")));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_and_times_stay_on_the_canvas() {
        let scale = Scale {
            from: 0,
            to: 1_000,
            most: u64::MAX,
            columns: 40,
            rows: 16,
        };
        assert_eq!(
            (scale.x(-5), scale.x(0), scale.x(500), scale.x(i64::MAX)),
            (0, 0, 20, 39)
        );
        assert_eq!((scale.y(0), scale.y(u64::MAX)), (0, 15));
        let empty = Scale {
            from: 7,
            to: 7,
            most: 0,
            columns: 40,
            rows: 16,
        };
        assert_eq!((empty.x(7), empty.y(3), empty.at(39)), (0, 15, 7));
    }
}

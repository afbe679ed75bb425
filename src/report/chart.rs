//! Burn-up of a release: all and finished cases over time, from the first time all its runs were read.

use std::collections::HashMap;

use jiff::tz::TimeZone;
use serde_json::{Value, json};

use super::page::inert;
use super::{Sources, TIME, moment};
use crate::domain::release::Board;
use crate::domain::{DocRef, RunRow, Sample, Sums, json, text};
use crate::forecast::{LOOK_BACK, Outlook, burn_up};

const COLUMNS: u16 = 84;
/// Size of the drawing, and bounds of its lines.
const SIZE: (f64, f64) = (720.0, 210.0);
const LEFT: f64 = 44.0;
const RIGHT: f64 = 700.0;
const TOP: f64 = 18.0;
const BOTTOM: f64 = 170.0;

pub struct BurnUp {
    /// Times of the first and the last reading, epoch milliseconds.
    from: i64,
    to: i64,
    points: Vec<Option<Sums>>,
    /// Time of the newest reading in the first known point, epoch milliseconds.
    first_at: i64,
    /// Number of runs in the chart, and of counted runs.
    runs: usize,
    of: u64,
    due: Option<i64>,
    /// Earliest and latest end by the forecast.
    band: Option<(i64, i64)>,
}

impl BurnUp {
    /// Chart of the counted runs that were read; `None` if there is no time between the readings.
    pub fn of(
        board: &Board,
        sources: &Sources<'_>,
        samples: &HashMap<DocRef, Vec<Sample>>,
        outlook: &Outlook,
    ) -> Option<Self> {
        let counted = board.counted();
        let counted = sources
            .runs
            .iter()
            .filter(|run| counted.contains(&run.doc_ref));
        let sampled = counted.filter_map(|row| {
            let samples = samples.get(&row.doc_ref)?;
            (!samples.is_empty()).then_some((row, &samples[..]))
        });
        let sampled: Vec<(&RunRow, &[Sample])> = sampled.collect();
        let times = sampled.iter().flat_map(|(_, samples)| samples.iter());
        let to = times.map(|it| it.at).max()?;
        let first = |samples: &[Sample]| samples.first().map_or(i64::MAX, |it| it.at);
        let column = |from: i64| (to - from) / i64::from(COLUMNS);
        // A run that was created later had no cases before; other runs need a reading at the start.
        let is_known = |from: i64, (row, samples): &(&RunRow, &[Sample])| {
            first(samples) <= from + column(from) || row.created_on.is_some_and(|made| made >= from)
        };
        let begins = sampled
            .iter()
            .map(|(_, samples)| first(samples).max(to - LOOK_BACK));
        let all_known = |from: &i64| sampled.iter().all(|run| is_known(*from, run));
        let from = begins.filter(all_known).min()?;
        if from >= to {
            return None;
        }
        let column = column(from);
        let done = &sources.forecast.done;
        let mut points = vec![Some(Sums { total: 0, done: 0 }); usize::from(COLUMNS)];
        for (_, samples) in &sampled {
            let begins = first(samples);
            let of_run = burn_up(samples, done, from, to + 1, usize::from(COLUMNS));
            for (place, (sum, own)) in (1_i64..).zip(points.iter_mut().zip(of_run)) {
                let is_before = from + place * column < begins;
                *sum = match (*sum, own) {
                    (Some(sum), Some(own)) => Some(Sums {
                        total: sum.total.saturating_add(own.total),
                        done: sum.done.saturating_add(own.done),
                    }),
                    (sum, None) if is_before => sum,
                    _ => None,
                };
            }
        }
        let is_drawn = points.iter().flatten().count() > 1;
        let first = (1_i64..).zip(&points).find(|(_, it)| it.is_some());
        let end = from + (to - from) * first.map_or(1, |(end, _)| end) / i64::from(COLUMNS);
        let read = sampled.iter().flat_map(|(_, samples)| samples.iter());
        let read = read.map(|it| it.at).filter(|at| (from..=end).contains(at));
        let first_at = read.max().unwrap_or(from);
        is_drawn.then_some(Self {
            from,
            to,
            points,
            first_at,
            runs: sampled.len(),
            of: board.all.runs,
            due: sources.due,
            band: outlook.band().map(|band| (band.from, band.to)),
        })
    }

    /// The chart in words.
    pub fn words(&self, zone: &TimeZone) -> String {
        let mut known = (0_i64..)
            .zip(&self.points)
            .filter_map(|(place, it)| Some((place, it.as_ref()?)));
        let (first, last) = (known.next(), known.last());
        let first = first.map(|(_, it)| (self.first_at, it));
        let last = last.map(|(place, it)| {
            let end = (self.to - self.from) * (place + 1) / i64::from(COLUMNS);
            (self.from + end, it)
        });
        let sums = |(at, it): (i64, &Sums)| {
            let (done, total) = (text::thousands(it.done), text::thousands(it.total));
            format!("{}: {done} of {total} cases done", moment(at, zone, TIME))
        };
        let words = text::join(first.into_iter().chain(last).map(sums), ". ");
        let missing = match self.of - self.runs as u64 {
            0 => String::new(),
            others => format!(
                "; {} of {} runs, the others were not read here",
                self.of - others,
                self.of
            ),
        };
        format!("{words}{missing}.")
    }

    pub fn json(&self) -> Value {
        let points = self
            .points
            .iter()
            .map(|it| it.map(|it| json!({"total": it.total, "done": it.done})));
        json!({
            "from": json::time(self.from), "to": json::time(self.to), "runs": self.runs,
            "points": points.collect::<Vec<_>>()
        })
    }

    /// SVG of the chart; dashes bridge times without a reading.
    pub fn svg(&self, zone: &TimeZone) -> String {
        let span = self.to - self.from;
        // A date far away is not drawn.
        let is_near = |at: i64| at > self.from && at < self.to + 2 * span;
        let due = self.due.filter(|due| is_near(*due));
        let band = self.band.filter(|(_, to)| is_near(*to));
        let end = due
            .unwrap_or(self.to)
            .max(self.to)
            .max(band.map_or(self.to, |(_, to)| to));
        let x =
            |at: i64| LEFT + (RIGHT - LEFT) * (at - self.from) as f64 / (end - self.from) as f64;
        let most = self
            .points
            .iter()
            .flatten()
            .map(|it| it.total)
            .max()
            .unwrap_or(0)
            .max(1);
        let y = |cases: u64| BOTTOM - (BOTTOM - TOP) * cases as f64 / most as f64;
        let at =
            |place: u16| self.from + span * (i64::from(place) * 2 + 1) / (i64::from(COLUMNS) * 2);
        let line = |class: &str, cases: &dyn Fn(&Sums) -> u64| {
            let known = (0..)
                .zip(&self.points)
                .filter_map(|(place, it)| Some((place, it.as_ref()?)));
            let point =
                |(place, sums): (u16, &Sums)| format!("{:.1} {:.1}", x(at(place)), y(cases(sums)));
            let known: Vec<(u16, String)> = known.map(|it| (it.0, point(it))).collect();
            let follows = |place: usize| place > 0 && known[place - 1].0 + 1 == known[place].0;
            // A single reading is a dot.
            let seen = known.iter().enumerate().map(|(place, (_, here))| {
                if follows(place) {
                    format!("L{here}")
                } else {
                    format!("M{here}h.1")
                }
            });
            let gaps = (1..known.len())
                .filter(|place| !follows(*place))
                .map(|place| format!("M{}L{}", known[place - 1].1, known[place].1));
            format!(
                "<path class=\"gap {class}\" d=\"{}\"/><path class=\"{class}\" d=\"{}\" stroke-linecap=\"round\"/>\n",
                gaps.collect::<String>(),
                seen.collect::<String>()
            )
        };
        let mut lines = vec![line("all", &|it| it.total), line("done", &|it| it.done)];
        let mut label = |at: i64, anchor: &str, words: &str| {
            let (x, y) = (x(at), BOTTOM + 16.0);
            lines.push(format!(
                "<text x=\"{x:.1}\" y=\"{y}\" text-anchor=\"{anchor}\">{}</text>\n",
                inert(words)
            ));
        };
        let day = |at: i64| moment(at, zone, "%a %-d %b %H:%M");
        label(self.from, "start", &day(self.from));
        let is_far = |due: i64| x(due) - x(self.to) > 190.0;
        if due.is_none_or(is_far) {
            let anchor = if due.is_some() { "middle" } else { "end" };
            label(self.to, anchor, &day(self.to));
        }
        if let Some(due) = due {
            label(due, "end", &format!("due {}", day(due)));
            lines.push(format!(
                "<line class=\"due\" x1=\"{0:.1}\" y1=\"{TOP}\" x2=\"{0:.1}\" y2=\"{BOTTOM}\"/>\n",
                x(due)
            ));
        }
        if let Some((from, to)) = band {
            let width = (x(to) - x(from)).max(2.0);
            lines.push(format!(
                "<rect class=\"band\" opacity=\".35\" x=\"{:.1}\" y=\"{TOP}\" width=\"{width:.1}\" height=\"{}\"/>\n",
                x(from), BOTTOM - TOP
            ));
        }
        let lines = lines.concat();
        let (width, height) = SIZE;
        let words = inert(&self.words(zone));
        format!(
            "<svg role=\"img\" viewBox=\"0 0 {width} {height}\" aria-labelledby=\"chart\"><title id=\"chart\">Burn-up. {words}</title>\n\
             <line class=\"axis\" x1=\"{LEFT}\" y1=\"{BOTTOM}\" x2=\"{RIGHT}\" y2=\"{BOTTOM}\"/>\n\
             <text x=\"{0}\" y=\"{1}\" text-anchor=\"end\">{2}</text><text x=\"{0}\" y=\"{BOTTOM}\" text-anchor=\"end\">0</text>\n\
             {lines}\
             <text x=\"{LEFT}\" y=\"{3}\">above: all cases; below: done; dashed: not read; shaded: when it will be done</text>\n</svg>\n",
            LEFT - 6.0,
            TOP + 4.0,
            text::thousands(most),
            BOTTOM + 34.0
        )
    }
}

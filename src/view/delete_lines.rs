//! The lines of the steps of deleting: what was said of each run, and what can be chosen.

use ratatui::style::Style;

use super::delete_words::Said;
use super::theme::Theme;
use super::{preview, text};
use crate::store::{Ask, DeleteFlow, Doing, Doomed, Removal, Spot, Stand};

/// Columns from which on there is room for the long words.
pub const WIDE: u16 = 100;

/// One line.
pub struct Row {
    /// The words, with their styles, one behind the other.
    pub cells: Vec<(String, Style)>,
    /// What the cursor stands on here.
    pub spot: Option<Spot>,
    /// The step and the place of the run that it is about.
    pub about: (usize, Option<usize>),
    /// Column of the text field.
    pub field: Option<u16>,
}

/// The lines as they are put together.
pub struct Lines<'a> {
    pub flow: &'a DeleteFlow,
    pub theme: Theme,
    pub width: usize,
    pub wide: bool,
    rows: Vec<Row>,
}

pub fn rows(flow: &DeleteFlow, theme: Theme, width: u16) -> Vec<Row> {
    let mut lines = Lines {
        flow,
        theme,
        width: usize::from(width),
        wide: width + 2 >= WIDE,
        rows: Vec::new(),
    };
    for note in &flow.notes {
        // All of it: it names the runs.
        for line in text::wrap(note, lines.width.saturating_sub(2), 400) {
            lines.push(0, None, vec![(format!(" {line}"), theme.warn())]);
        }
    }
    let names = if lines.wide {
        ["Save a copy", "Empty it", "Check", "Confirm", "Delete"]
    } else {
        ["Copy", "Empty", "Check", "Confirm", "Delete"]
    };
    lines.step(1, names[0], &|lines, run, ask| lines.copy(run, ask));
    lines.choice(
        1,
        Spot::Copy,
        "save the copy now",
        "into the trash folder of this machine; nothing is sent",
    );
    lines.choice(1, Spot::Read, "read on; what failed is asked again", "");
    lines.gap();
    lines.step(2, names[1], &|lines, run, ask| lines.emptying(run, ask));
    lines.choices();
    lines.recorded();
    lines.removable();
    lines.gap();
    lines.step(3, names[2], &|lines, run, ask| lines.check(run, ask));
    lines.gap();
    lines.confirm(names[3]);
    lines.gap();
    lines.step(5, names[4], &|lines, run, ask| lines.end(run, ask));
    lines.rows
}

impl Lines<'_> {
    fn push(&mut self, step: usize, place: Option<usize>, cells: Vec<(String, Style)>) {
        self.rows.push(Row {
            cells,
            spot: None,
            about: (step, place),
            field: None,
        });
    }

    /// A free line between two steps, where there is room.
    fn gap(&mut self) {
        if self.wide {
            self.push(0, None, Vec::new());
        }
    }

    /// There is more than one run.
    pub fn several(&self) -> bool {
        self.flow.runs.len() > 1
    }

    /// Where the words of a step begin.
    pub fn column(&self) -> usize {
        if self.wide { 25 } else { 15 }
    }

    /// Words from a column on, in as many lines as they take.
    fn words(&mut self, step: usize, place: Option<usize>, column: usize, (words, style): Said) {
        for line in text::wrap(&words, self.width.saturating_sub(column + 1), 5) {
            self.push(
                step,
                place,
                vec![(" ".repeat(column), style), (line, style)],
            );
        }
    }

    fn sign(&self, step: usize) -> (&'static str, Style) {
        let runs = &self.flow.runs;
        let (done, bad) = match step {
            1 => (
                runs.iter().all(Doomed::is_read),
                runs.iter().any(|run| {
                    matches!(run.known, Some(Err(_))) || matches!(run.copy, Some(Err(_)))
                }),
            ),
            2 => {
                let none =
                    |run: &Doomed| matches!(run.stand(), Stand::Ask | Stand::Empty | Stand::Gone);
                (
                    !self.flow.under_way(Ask::Remove) && runs.iter().all(none),
                    runs.iter().any(|run| run.stand() == Stand::ClosedHolds),
                )
            }
            3 => {
                let bad =
                    |run: &Doomed| !run.gone() && matches!(run.check, Some(Ok(false) | Err(_)));
                let good =
                    |run: &Doomed| run.gone() || (run.end.is_none() && run.stand() == Stand::Empty);
                (runs.iter().all(good), runs.iter().any(bad))
            }
            4 => (
                self.flow.armed() || self.flow.doing == Doing::Deleting,
                false,
            ),
            _ => {
                let bad = |run: &Doomed| run.end.is_some() && !run.gone();
                (runs.iter().all(Doomed::gone), runs.iter().any(bad))
            }
        };
        match (done, bad) {
            (_, true) => ("[!]", self.theme.bad()),
            (true, _) => ("[x]", self.theme.good()),
            _ if self.flow.step() == step => ("[>]", self.theme.key()),
            _ => ("[ ]", self.theme.dim()),
        }
    }

    fn head(&self, step: usize, name: &str) -> Vec<(String, Style)> {
        let (sign, style) = self.sign(step);
        let here = if self.flow.step() == step {
            self.theme.title()
        } else {
            self.theme.text()
        };
        let name = if self.wide {
            format!(" {step}  {}", text::pad(name, 17))
        } else {
            format!(" {step} {}", text::pad(name, 8))
        };
        vec![(format!(" {sign}"), style), (name, here)]
    }

    /// A step: of one run in the line of the step, of several in a line of each.
    fn step(
        &mut self,
        step: usize,
        name: &str,
        said: &dyn Fn(&Self, &Doomed, Option<Ask>) -> Said,
    ) {
        let flow = self.flow;
        let asked = |place: usize| {
            flow.asked
                .filter(|asked| asked.place == place)
                .map(|asked| asked.ask)
        };
        let mut head = self.head(step, name);
        let column = self.column();
        if let [run] = &flow.runs[..] {
            let (words, style) = said(self, run, asked(0));
            let mut lines =
                text::wrap(&words, self.width.saturating_sub(column + 1), 5).into_iter();
            head.push((lines.next().unwrap_or_default(), style));
            self.push(step, Some(0), head);
            self.mark(step);
            for line in lines {
                self.push(
                    step,
                    Some(0),
                    vec![(" ".repeat(column), style), (line, style)],
                );
            }
            self.removal(step, run, 0);
            return;
        }
        head.push((self.summary(step), self.theme.dim()));
        self.push(step, None, head);
        self.mark(step);
        let name_width = if self.wide { 30 } else { 18 };
        for (place, run) in flow.runs.iter().enumerate() {
            let name = format!(
                "{} {}",
                run.row.name(),
                run.row.title.as_deref().unwrap_or_default()
            );
            let (words, style) = said(self, run, asked(place));
            let column = 7 + name_width + 1;
            let lines = text::wrap(&words, self.width.saturating_sub(column + 1), 4);
            for (row, line) in lines.into_iter().enumerate() {
                let name = if row == 0 {
                    text::pad(&name, name_width)
                } else {
                    " ".repeat(name_width)
                };
                let cells = vec![
                    (format!("       {name} "), self.theme.text()),
                    (line, style),
                ];
                self.push(step, Some(place), cells);
            }
            self.removal(step, run, place);
        }
    }

    /// The line pushed last is where the cursor stands for the check.
    fn mark(&mut self, step: usize) {
        if step == 3
            && let Some(row) = self.rows.last_mut()
        {
            row.spot = Some(Spot::Check);
        }
    }

    /// Of several runs: how many have come through a step.
    fn summary(&self, step: usize) -> String {
        let runs = &self.flow.runs;
        let count = |of: &dyn Fn(&Doomed) -> bool| runs.iter().filter(|run| of(run)).count();
        let all = runs.len();
        match step {
            1 => format!(
                "{} of {all} saved",
                count(&|run| run.gone() || run.is_copied())
            ),
            2 => format!(
                "{} of {all} hold suites",
                count(&|run| matches!(run.stand(), Stand::Holds | Stand::ClosedHolds))
            ),
            3 => {
                let empty = count(&|run| matches!(run.stand(), Stand::Empty | Stand::Gone));
                format!("{empty} of {all} are empty; CHECK_TEST_RUN_EMPTY must say true")
            }
            _ => {
                let each = if self.wide {
                    "DELETE_TEST_RUN for each; "
                } else {
                    ""
                };
                format!(
                    "{} of {all} are gone; {each}one failure stops the rest",
                    count(&Doomed::gone)
                )
            }
        }
    }

    /// Below step 2: what came of removing suites, request by request.
    fn removal(&mut self, step: usize, run: &Doomed, place: usize) {
        const SHOWN: usize = 3;
        let (2, Some(removal)) = (step, &run.removal) else {
            return;
        };
        let Removal {
            change,
            steps,
            outcome,
        } = removal;
        if run.gone() {
            return;
        }
        let column = self.column();
        // What came of a single request stands below.
        let of_many = steps.iter().filter(|_| change.requests() > 1);
        let hidden = steps.len().saturating_sub(SHOWN);
        for step in of_many.skip(hidden) {
            let (sign, style) = if step.good {
                ("ok", self.theme.good())
            } else {
                ("!!", self.theme.bad())
            };
            self.words(
                2,
                Some(place),
                column,
                (format!("{sign} {}", step.words), style),
            );
        }
        let Some(outcome) = outcome else { return };
        let style = if outcome.is_whole() {
            self.theme.good()
        } else {
            self.theme.bad()
        };
        let said = (outcome.words(change.deed()), style);
        self.words(2, Some(place), column, said);
    }

    fn choice(&mut self, step: usize, spot: Spot, label: &str, note: &str) {
        if !self.flow.spots().contains(&spot) {
            return;
        }
        let here = self.flow.spot == Some(spot);
        let indent = if self.wide { 8 } else { 7 };
        let room = if self.wide {
            56
        } else {
            self.width.saturating_sub(indent + 5)
        };
        let sign = if here { "(o)" } else { "( )" };
        let style = if here {
            self.theme.key()
        } else {
            self.theme.text()
        };
        let mut cells = vec![(
            format!("{}{sign} {}", " ".repeat(indent), text::pad(label, room)),
            style,
        )];
        if self.wide {
            let room = self.width.saturating_sub(indent + room + 6);
            cells.push((format!(" {}", text::fit(note, room)), self.theme.dim()));
        }
        self.rows.push(Row {
            cells,
            spot: Some(spot),
            about: (step, None),
            field: None,
        });
    }

    /// What can be done about suites that are in the runs.
    fn choices(&mut self) {
        let flow = self.flow;
        let counts: Vec<usize> = flow
            .runs
            .iter()
            .map(|run| run.removable().len())
            .filter(|count| *count > 0)
            .collect();
        let sure: usize = counts.iter().sum();
        let remove = match (flow.runs.len(), sure) {
            (1, 1) => "remove the sure one, then check again".to_owned(),
            (1, _) => format!("remove the {sure} sure ones, then check again"),
            _ => format!(
                "remove the sure ones of {} runs, each checked after",
                counts.len()
            ),
        };
        self.choice(
            2,
            Spot::Remove,
            &remove,
            &format!("DELETE_TEST_SUITES_FROM_RUN, {sure} references"),
        );
        let unnamed = match &flow.runs[..] {
            [run] => run.attached().and_then(|attached| attached.unknown),
            _ => None,
        };
        let others = match unnamed {
            Some(1) => "the other one".to_owned(),
            Some(more) if more > 1 => format!("the {more} others"),
            _ => "others".to_owned(),
        };
        let name = if self.wide {
            format!("name {others} first, on the screen of suites")
        } else {
            format!("name {others}: + by reference, P with a probe run")
        };
        self.choice(
            2,
            Spot::Name,
            &name,
            "+ by reference, P with a probe run; asks again",
        );
        let leave = if flow.runs.len() == 1 {
            "leave it"
        } else {
            "leave them"
        };
        self.choice(
            2,
            Spot::Leave,
            &format!("{leave}; use the web application instead"),
            "",
        );
    }

    /// Every suite that step 2 would remove, by its name.
    fn removable(&mut self) {
        let (flow, theme) = (self.flow, self.theme);
        if !flow.spots().contains(&Spot::Remove) {
            return;
        }
        let indent = if self.wide { 8 } else { 7 };
        let room = self.width.saturating_sub(indent + 3);
        for (place, run) in flow.runs.iter().enumerate() {
            let suites = run.removable();
            if suites.is_empty() {
                continue;
            }
            let head = format!(
                "{}Would be removed from {}:",
                " ".repeat(indent),
                run.row.name()
            );
            self.push(2, Some(place), vec![(head, theme.text())]);
            for suite in suites {
                let name = text::fit(&suite.full_name(), room);
                self.push(
                    2,
                    Some(place),
                    vec![(format!("{}{name}", " ".repeat(indent + 2)), theme.warn())],
                );
            }
        }
    }

    /// The results that are recorded in what is to be emptied and deleted.
    fn recorded(&mut self) {
        let indent = if self.wide { 8 } else { 7 };
        let runs: Vec<&Doomed> = self.flow.left().collect();
        for run in &runs {
            let counted = match &run.row.results {
                Some(counts) => preview::counted(counts),
                None => "not known here".to_owned(),
            };
            let words = if self.several() {
                format!("Recorded in {}: {counted}", run.row.name())
            } else {
                format!("Recorded so far: {counted}")
            };
            self.words(2, None, indent, (words, self.theme.text()));
        }
        if !runs.is_empty() {
            self.words(
                2,
                None,
                indent,
                (
                    "What becomes of results is not documented.".into(),
                    self.theme.text(),
                ),
            );
        }
    }

    fn confirm(&mut self, name: &str) {
        let word = self.flow.word();
        let mut cells = self.head(4, name);
        if self.flow.left().next().is_none() {
            return self.push(4, None, cells);
        }
        let several = self.flow.left().count() > 1;
        let what = if several {
            "the number of runs"
        } else {
            "the run id"
        };
        if !self.flow.ready() {
            cells.push((
                text::fit(&format!("type {what} to arm step 5   ({word})"), 60),
                self.theme.dim(),
            ));
            return self.push(4, None, cells);
        }
        let typed = self.flow.text.text().trim();
        let before = format!("type {what}: ");
        let field = self.column() + text::width(&before);
        let said = match (typed.is_empty(), self.flow.armed()) {
            (true, _) => (format!("({word})"), self.theme.text()),
            (_, true) => ("right: step 5 is armed".to_owned(), self.theme.good()),
            (_, false) => (format!("this is not {word}"), self.theme.bad()),
        };
        let room = self.width.saturating_sub(field + usize::from(FIELD) + 3);
        cells.push((before, self.theme.text()));
        cells.push((
            format!("{}  ", " ".repeat(usize::from(FIELD))),
            self.theme.text(),
        ));
        cells.push((text::fit(&said.0, room), said.1));
        self.rows.push(Row {
            cells,
            spot: Some(Spot::Id),
            about: (4, None),
            field: u16::try_from(field).ok(),
        });
    }
}

/// Columns of the text field.
pub const FIELD: u16 = 16;

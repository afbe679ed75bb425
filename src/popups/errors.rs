//! The list of failures so far.

use crate::domain::Unfinished;
use crate::screens::keys::JOURNAL;
use crate::screens::prelude::*;
use crate::store::Trouble;
use crate::ui::fields;

/// The box; its data is in [`crate::store::ErrorLog`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Errors {
    scroll: Scroll,
    /// Kind of the row under the cursor.
    here: Option<(String, String)>,
}

/// Identity of a row, in the order of the rows.
fn rows(cx: &Cx) -> impl Iterator<Item = (&str, &str)> {
    let changes = cx.shared.unfinished.iter();
    let changes = changes.map(|change| (change.job.as_str(), ""));
    changes.chain(cx.errors.entries.iter().map(Trouble::is_of))
}

impl Errors {
    /// Carries the cursor with its row, as problems come in above it.
    fn follow(&mut self, cx: &Cx) {
        let here = self.here.as_ref();
        let is_here = |row: (&str, &str)| here.is_some_and(|it| (&*it.0, &*it.1) == row);
        let row = rows(cx).position(is_here);
        self.scroll.stay_on(row, rows(cx).count());
        self.mark_seen(cx);
    }

    fn mark_seen(&mut self, cx: &Cx) {
        let here = rows(cx).nth(self.scroll.cursor);
        self.here = here.map(|(asked, came_back)| (asked.to_owned(), came_back.to_owned()));
    }
}

impl Screen for Errors {
    fn settle(&mut self, _on_top: bool, cx: &mut Cx) {
        self.follow(cx);
    }

    fn update(&mut self, action: Action, cx: &mut Cx) {
        self.follow(cx);
        if self.scroll.update(&action, rows(cx).count()) {
            self.mark_seen(cx);
        } else if let Action::Back | Action::Show(Layer::Errors | Layer::Journal) = action {
            cx.errors.open = false;
            cx.close(Layer::Errors);
            if action == Action::Show(Layer::Journal) {
                cx.anywhere(action);
            }
        }
    }

    fn scrolled(&mut self) -> Option<&mut dyn Scrolled> {
        Some(&mut self.scroll)
    }
}

impl Draw for Errors {
    /// Draws changes with unknown end, then failures, newest first, and the one under the cursor in full.
    fn draw(&self, on: &mut Surface<'_>, area: Rect) {
        let context = on.context;
        let (theme, shared) = (context.theme, &context.cx.shared);
        let columns = area.width.saturating_sub(4).min(COLUMNS);
        let width = usize::from(columns).saturating_sub(4);
        let mine = Action::Show(Layer::Journal);
        let opens = shared.then_key(". ", Layer::Errors, &mine, "opens my changes");
        let reads = "there reads what is left";
        let reads = shared.then_key(", ", Layer::Journal, &Action::Undo, reads);
        let change = |change: &Unfinished| {
            let words = &change.words;
            let lines = text::wrap(&format!("{words}{opens}{reads}."), width, 8);
            (format!(" end not known: {words}"), lines)
        };
        let failure = |trouble: &Trouble| {
            let Trouble { at, times, failure } = trouble;
            let times = match times {
                1 => String::new(),
                more => format!(" ×{more}"),
            };
            let at = context.now.when(*at);
            let line = format!(" {at}  {}{times}: {}", failure.asked, failure.cause);
            (line, fields::failure(failure, width))
        };
        let changes = shared.unfinished.iter().map(change);
        let rows: Vec<_> = changes
            .chain(context.cx.errors.entries.iter().map(failure))
            .collect();
        let detail = rows.get(self.scroll.cursor).into_iter();
        let detail = detail.flat_map(|row| &row.1);
        let detail = detail.map(|words| frame::said(words, theme.text()));
        let menu = Menu {
            right: &rows.len().to_string(),
            none: Some(frame::said("none since the start", theme.good())),
            detail: (detail.collect(), 1),
            ..Menu::new(Layer::Errors, "Problems, newest first", columns, rows.len())
        };
        let row = |place: usize| vec![Span::raw(text::fit(&rows[place].0, width + 1))];
        menu.draw(&self.scroll, row, on, area);
    }
}

/// Maximum columns of the box.
const COLUMNS: u16 = 100;

pub const PLACE: Place = Place {
    layer: Layer::Errors,
    title: "the problems",
    groups: &[&[&[JOURNAL]], MOVING, OF_A_BOX],
    hints: &[MOVES, CLOSES],
    types: false,
};

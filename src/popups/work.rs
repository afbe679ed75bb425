//! A change of suites, under way or done.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;

use crate::domain::{ChunkResult, DocRef, Outcome, SuiteChange};
use crate::keymap::place::{Binding, Place, binding};
use crate::screens::Screen;
use crate::screens::keys::{EVERYWHERE, JOURNAL};
use crate::store::cx::{Cx, Notice};
use crate::store::event::Event;
use crate::store::in_flight::Slot;
use crate::store::key_table::{Heading, Hint};
use crate::store::layer::Layer;
use crate::store::message::{Action, Fact};
use crate::store::shared::Shared;
use crate::ui::layout::Layout;
use crate::ui::{Context, frame, text};

#[derive(Clone, Debug, PartialEq)]
pub struct Work {
    /// What is being sent.
    pub change: SuiteChange,
    /// One line for each request that was answered, and for the readings after them.
    pub steps: Vec<ChunkResult>,
    /// What came of it.
    pub outcome: Option<Outcome>,
    /// The box is on the screen.
    pub open: bool,
}

impl Work {
    pub fn new(change: SuiteChange) -> Self {
        Self {
            change,
            steps: Vec::new(),
            outcome: None,
            open: true,
        }
    }

    /// It has come to its end: told in the box, or at the foot where that is closed.
    fn ended(&mut self, outcome: Outcome, cx: &mut Cx) {
        let words = outcome.headline(self.change.deed());
        // The box tells it; nothing is waited for any more.
        cx.notice = (!self.open).then(|| Notice {
            text: format!("{words} (@ shows it)"),
            bad: !outcome.is_whole(),
        });
        cx.learn(Fact::WroteSuites {
            run: self.change.run.clone(),
            adds: self.change.adds,
            done: outcome.done_parts(),
        });
        self.outcome = Some(outcome);
    }
}

impl Screen for Work {
    fn layer(&self, _shared: &Shared) -> Layer {
        Layer::Work
    }

    fn update(&mut self, action: Action, cx: &mut Cx) {
        match action {
            Action::Back | Action::Open => self.open = false,
            Action::Show(Layer::Journal) => cx.anywhere(action),
            _ => {}
        }
    }

    fn reply(&mut self, _slot: Slot, event: Event, cx: &mut Cx) {
        match event {
            Event::ChangeStep { step, .. } => self.steps.push(step),
            Event::Changed { outcome, .. } => self.ended(outcome, cx),
            _ => {}
        }
    }

    fn draw(&self, context: Context<'_>, area: Rect, buffer: &mut Buffer, _layout: &mut Layout) {
        draw(context, self, area, buffer);
    }
}

/// Draws how a change goes and what came of it.
fn draw(context: Context<'_>, work: &Work, area: Rect, buffer: &mut Buffer) {
    let theme = context.theme;
    let verb = if work.change.adds {
        "Adding"
    } else {
        "Removing"
    };
    let title = format!("{verb} {}", text::count(work.change.suites.len(), "suite"));
    let size = (
        78,
        (work.steps.len() as u16 * 2)
            .saturating_add(12)
            .min(area.height),
    );
    let inside = frame::popup(buffer, area, size, &title, &work.change.run_name, theme);
    let width = usize::from(inside.width).saturating_sub(2);
    let mut steps = Vec::new();
    // What came of a single request is said below.
    for step in work.steps.iter().filter(|_| work.change.requests() > 1) {
        let (sign, style) = if step.good {
            ("ok ", theme.good())
        } else {
            ("!! ", theme.bad())
        };
        for (place, line) in text::wrap(&step.words, width.saturating_sub(3), 6)
            .into_iter()
            .enumerate()
        {
            steps.push((
                format!("{}{line}", if place == 0 { sign } else { "   " }),
                style,
            ));
        }
    }
    let end = match &work.outcome {
        None => vec![(
            "under way; Ctrl-c stops before the next request".to_owned(),
            theme.warn(),
        )],
        Some(outcome) => verdict(context, work, outcome, width),
    };
    // What came of it is always seen; of the requests the last ones, as far as there is room.
    let room = usize::from(inside.height).saturating_sub(1);
    let hidden = (steps.len() + end.len())
        .saturating_sub(room)
        .min(steps.len());
    for (row, (line, style)) in steps
        .into_iter()
        .skip(hidden)
        .chain(end)
        .take(room)
        .enumerate()
    {
        frame::line(
            buffer,
            inside,
            row as u16,
            vec![Span::styled(format!(" {line}"), style)],
        );
    }
    let hint = " Enter closes the box; @ shows the journal";
    frame::line(
        buffer,
        inside,
        inside.height - 1,
        vec![Span::styled(hint, theme.muted())],
    );
}

/// What a change has come to, in lines: the verdict, then what is still marked.
fn verdict(
    context: Context<'_>,
    work: &Work,
    outcome: &Outcome,
    width: usize,
) -> Vec<(String, Style)> {
    const NAMED: usize = 5;
    let theme = context.theme;
    let words = outcome.words(work.change.deed());
    let style = if outcome.is_whole() {
        theme.good()
    } else {
        theme.bad()
    };
    let mut lines: Vec<_> = text::wrap(&words, width, 5)
        .into_iter()
        .map(|line| (line, style))
        .collect();
    let left = outcome.other_parts();
    if !left.is_empty() {
        let name = |suite: &DocRef| {
            let named = work.change.suites.iter().find(|(known, _)| known == suite);
            named.map_or_else(|| suite.to_string(), |(_, name)| name.clone())
        };
        let mut names: Vec<String> = left.iter().take(NAMED).map(name).collect();
        if left.len() > NAMED {
            names.push(format!("and {} more", left.len() - NAMED));
        }
        let words = format!(
            "Not done, or not known to be; still marked: {}",
            names.join(", ")
        );
        lines.extend(
            text::wrap(&words, width, 4)
                .into_iter()
                .map(|line| (line, theme.warn())),
        );
    }
    lines
}

const OWN: &[Binding] = &[
    binding(
        &["Enter"],
        "open",
        Heading::Suites,
        "close the box",
        Action::Open,
    ),
    JOURNAL,
];

pub const PLACE: Place = Place {
    layer: Layer::Work,
    title: "the result of a change",
    short: "result",
    groups: &[OWN, EVERYWHERE],
    hints: &[
        Hint::of(&[Action::Open], "close"),
        Hint::of(&[Action::Show(Layer::Journal)], "journal"),
        Hint::of(&[Action::Cancel], "stop before the next request"),
    ],
    types: false,
};

//! The preview of a write: what will be sent, before anything is.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::text::Span;

use crate::domain::SuiteChange;
use crate::keymap::place::{Binding, Place, binding};
use crate::screens::Screen;
use crate::screens::keys::{ARROWS, EVERYWHERE, JUMPS, LETTERS, PAGES, STEPS};
use crate::store::cx::Cx;
use crate::store::key_table::{Heading, Hint};
use crate::store::layer::Layer;
use crate::store::message::{Action, Motion, Plan};
use crate::store::shared::Shared;
use crate::ui::layout::Layout;
use crate::ui::{Context, frame, text};

#[derive(Clone, Debug, PartialEq)]
pub struct Confirm {
    /// What will be sent.
    pub plan: Plan,
    /// What the person should know: marked suites that are gone, what is not documented.
    pub warnings: Vec<String>,
    /// The focus is on the button that does it, else on Cancel.
    pub on_do: bool,
    /// First line shown.
    pub top: u16,
}

impl Screen for Confirm {
    fn layer(&self, _shared: &Shared) -> Layer {
        Layer::Confirm
    }

    fn update(&mut self, action: Action, cx: &mut Cx) {
        match action {
            Action::NextField | Action::PreviousField => self.on_do = !self.on_do,
            Action::Move(motion) => motion.scroll(&mut self.top),
            Action::Open if self.on_do => {
                cx.close(Layer::Confirm);
                cx.send(self.plan.clone());
            }
            Action::Open | Action::Back => cx.close(Layer::Confirm),
            _ => {}
        }
    }

    fn laid_out(&mut self, layout: &Layout) -> bool {
        if let Some(last) = layout.confirm {
            self.top = self.top.min(last);
        }
        false
    }

    fn draw(&self, context: Context<'_>, area: Rect, buffer: &mut Buffer, layout: &mut Layout) {
        draw(context, self, area, buffer, layout);
    }
}

/// Draws what will be sent, before anything is sent.
fn draw(
    context: Context<'_>,
    confirm: &Confirm,
    area: Rect,
    buffer: &mut Buffer,
    layout: &mut Layout,
) {
    let theme = context.theme;
    let (title, verb, facts, then) = explained(&confirm.plan);
    let size = (78, (facts.len() as u16).saturating_add(11).min(area.height));
    let inside = frame::popup(buffer, area, size, &title, "nothing is sent yet", theme);
    let width = usize::from(inside.width).saturating_sub(2);
    let style = |place: usize| {
        if place == 0 {
            theme.accent()
        } else {
            theme.text()
        }
    };
    let mut lines: Vec<_> = facts
        .into_iter()
        .enumerate()
        .map(|(place, line)| (line, style(place)))
        .collect();
    // What was found is what there is to decide by: it comes before a long list.
    let place = match &confirm.plan {
        Plan::GoOn { .. } => 1,
        _ => lines.len(),
    };
    let warnings = confirm.warnings.iter().flat_map(|warning| {
        let wrapped = text::wrap(warning, width, 6).into_iter();
        wrapped.map(|line| (line, theme.warn()))
    });
    lines.splice(place..place, warnings);
    lines.extend(
        text::wrap(then, width, 4)
            .into_iter()
            .map(|line| (line, theme.muted())),
    );
    let room = usize::from(inside.height).saturating_sub(2);
    let last = lines.len().saturating_sub(room);
    layout.confirm = Some(u16::try_from(last).unwrap_or(u16::MAX));
    let top = usize::from(confirm.top).min(last);
    for (row, (line, style)) in lines.iter().skip(top).take(room).enumerate() {
        frame::line(
            buffer,
            inside,
            row as u16,
            vec![Span::styled(format!(" {}", text::fit(line, width)), *style)],
        );
    }
    let button = |label: String, focus: bool| {
        let style = if focus {
            theme.text().add_modifier(Modifier::REVERSED)
        } else {
            theme.text()
        };
        Span::styled(format!("[ {label} ]"), style)
    };
    let hidden = lines.len().saturating_sub(top + room);
    let more = if hidden > 0 {
        format!("   ↓ {hidden} more lines")
    } else {
        String::new()
    };
    let buttons = vec![
        Span::raw(" "),
        button("Cancel".into(), !confirm.on_do),
        Span::raw("   "),
        button(verb, confirm.on_do),
        Span::styled(format!("   Tab{more}"), theme.muted()),
    ];
    frame::line(buffer, inside, inside.height - 1, buttons);
}

/// Of a plan: title, the word on the button, what will be sent, what is done afterwards.
fn explained(plan: &Plan) -> (String, String, Vec<String>, &'static str) {
    match plan {
        Plan::Suites(change) => {
            let (verb, then) = if change.adds {
                (
                    "Add",
                    "Then the service is read: none of them may be free any more.",
                )
            } else {
                (
                    "Remove",
                    "Then the service is read: each must be free again, and the count lower by as many.",
                )
            };
            let mut facts = vec![
                format!("{}   {}", change.method(), change.run_name),
                format!("testRunDocRef    {}", change.run),
                format!(
                    "testSuiteDocRefs {} in {}",
                    text::count(change.suites.len(), "suite"),
                    requests(change)
                ),
            ];
            facts.extend(
                change
                    .suites
                    .iter()
                    .map(|(suite, name)| format!("  {suite}  {name}")),
            );
            (
                format!("{verb}: what will be sent"),
                format!("{verb} {}", text::count(change.suites.len(), "suite")),
                facts,
                then,
            )
        }
        Plan::GoOn { change, .. } => {
            let (verb, into) = if change.adds {
                ("Add", "to")
            } else {
                ("Remove", "from")
            };
            let what = format!("{verb} {}", text::count(change.suites.len(), "suite"));
            let mut facts = vec![format!("{what} {into} {}", change.run_name)];
            facts.extend(change.suites.iter().map(|(_, name)| format!("  {name}")));
            (
                "Go on: what is left".into(),
                what,
                facts,
                "Checked afterwards.",
            )
        }
        Plan::LetBe { .. } => (
            "Not known whether it was done".into(),
            "Ask no more".into(),
            vec!["Look for it yourself, or read again later: Esc, then Enter in @.".into()],
            "Nothing is sent; it stays in @.",
        ),
        Plan::Probe(probe) => {
            let run = &probe.run;
            let facts = vec![
                "ADD_DOCUMENT     an empty run".into(),
                format!("  Title          {}", run.title),
                format!(
                    "  scope          {} / {} / {}",
                    run.project_id,
                    run.subproject_id.as_deref().unwrap_or("_"),
                    run.project_version
                ),
                "GET_AVAILABLE_TEST_SUITES of it, CHECK_TEST_RUN_EMPTY before and after".into(),
                "DELETE_TEST_RUN  the same run".into(),
            ];
            let then = "What is free on the probe and not free here is in this run.";
            (
                "Probe: what will be sent".into(),
                "Make the probe run".into(),
                facts,
                then,
            )
        }
        Plan::DiscardDraft => {
            let facts = vec!["The form is closed and its draft goes.".into()];
            ("Discard the draft".into(), "Discard it".into(), facts, "")
        }
        Plan::DeleteProbes(runs) => {
            let mut facts = vec!["CHECK_TEST_RUN_EMPTY, then DELETE_TEST_RUN".to_owned()];
            facts.extend(runs.iter().map(|run| format!("  {run}")));
            let verb = format!("Delete {} probe run(s)", runs.len());
            (
                "Delete left probe runs: what will be sent".into(),
                verb,
                facts,
                "The journal shows what came of it.",
            )
        }
    }
}

fn requests(change: &SuiteChange) -> String {
    match change.requests() {
        1 => "1 request".into(),
        more => format!("{more} requests of at most {}", SuiteChange::CHUNK),
    }
}

const OWN: &[Binding] = &[
    binding(
        &["Enter"],
        "open",
        Heading::Suites,
        "press the button",
        Action::Open,
    ),
    binding(
        &["Tab", "S-Tab"],
        "next-field",
        Heading::Suites,
        "the other button",
        Action::NextField,
    ),
];

pub const PLACE: Place = Place {
    layer: Layer::Confirm,
    title: "the preview of a write",
    short: "preview",
    groups: &[ARROWS, STEPS, JUMPS, PAGES, OWN, LETTERS, EVERYWHERE],
    hints: &[
        Hint::of(&[Action::NextField], "other button"),
        Hint::of(&[Action::Open], "press it"),
        Hint::of(
            &[Action::Move(Motion::Up), Action::Move(Motion::Down)],
            "scroll",
        ),
        Hint::of(&[Action::Back], "cancel"),
    ],
    types: false,
};

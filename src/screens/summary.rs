//! Copies and exports of what a screen shows as text.

use super::choices::choose_export;
use super::clock;
use crate::domain::Summary;
use crate::store::{Action, Choice, CopyOf, Cx, Effect, Layer, Open};

/// Opens the copy menu of a screen.
pub fn copy_summary(summary: Summary, cx: &mut Cx) {
    let of = CopyOf::Screen(Box::new(summary.written(&clock(cx).in_full())));
    cx.open(Open::CopyMenu(of, false));
}

/// Copies or exports the summary of a screen; passes other actions on to the router.
pub fn summary_action(
    action: Action,
    title: &'static str,
    summary: impl FnOnce(&Cx) -> Option<Summary>,
    cx: &mut Cx,
) {
    let is_of_summary = matches!(action, Action::Show(Layer::CopyMenu) | Action::Chosen(_));
    let summary = is_of_summary.then(|| summary(cx)).flatten();
    match (action, summary) {
        (Action::Export, _) => choose_export(title, cx),
        (Action::Show(Layer::CopyMenu), Some(summary)) => copy_summary(summary, cx),
        (Action::Chosen(choice), Some(summary)) => {
            if let Choice::Export(format) = *choice {
                let summary = Box::new(summary.written(&clock(cx).in_full()));
                cx.progress(format!("Writing {}…", summary.name));
                cx.effect(Effect::ExportSummary { summary, format });
            }
        }
        _ if is_of_summary => cx.say("nothing is read yet"),
        (other, _) => cx.anywhere(other),
    }
}

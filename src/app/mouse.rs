//! Actions of clicks and the wheel, by the layout.

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};

use crate::store::{Action, Motion};
use crate::ui::Layout;

/// Lines of one wheel step.
const LINES: usize = 3;

/// Returns the actions of a mouse event, in their order.
pub fn meant(layout: &Layout, mouse: MouseEvent) -> Vec<Action> {
    let here = layout.at(mouse.column, mouse.row);
    let motion = match mouse.kind {
        MouseEventKind::ScrollDown => Motion::WheelDown,
        MouseEventKind::ScrollUp => Motion::WheelUp,
        MouseEventKind::Down(MouseButton::Left) => {
            return here.map(|(_, action)| action.clone()).into_iter().collect();
        }
        _ => return Vec::new(),
    };
    // A pane under the pointer gets the focus first; a tab is one row high.
    let pane = here.filter(|(area, action)| area.height > 1 && matches!(action, Action::Part(_)));
    let focus = pane.map(|(_, action)| action.clone());
    let moves = std::iter::repeat_n(Action::Move(motion), LINES);
    focus.into_iter().chain(moves).collect()
}

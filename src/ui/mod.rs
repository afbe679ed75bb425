//! Parts of all screens.

pub(crate) mod bar;
pub(crate) mod changes;
pub(crate) mod chart;
pub(crate) mod completing;
pub(crate) mod counts;
pub mod fields;
pub(crate) mod figures;
pub(crate) mod frame;
pub mod layout;
pub mod list;
pub(crate) mod menu;
pub mod question;
pub(crate) mod run_cells;
pub(crate) mod scroll;
pub mod suite;
pub(crate) mod table;
pub mod text;
pub(crate) mod text_area;
pub(crate) mod text_box;
pub(crate) mod text_input;
pub mod theme;
pub mod time;
pub(crate) mod window;

pub(crate) use completing::Completing;
pub use layout::{Layout, Scrolled};
pub use list::{List, Unmarked};
pub(crate) use menu::{Menu, Tall};
use ratatui::buffer::Buffer;
pub(crate) use scroll::Scroll;
pub(crate) use table::{Cell, Column, Table};
pub(crate) use text_box::{Sheet, TextBox};
pub(crate) use text_input::{FootField, Input};
pub use theme::Theme;
pub use time::Now;

use crate::attached::Attached;
use crate::domain::DocRef;
use crate::store::{Action, Cx, Layer};

/// The place beside one of `count`, around the end.
pub(crate) fn beside(place: usize, count: usize, forward: bool) -> usize {
    (place + if forward { 1 } else { count - 1 }) % count
}

/// Data for drawing besides the state of a screen.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// Progress of the start and the sign-in, in words.
    pub starting: &'a str,
    /// Shared state of the screens, and open requests.
    pub cx: &'a Cx,
    pub theme: Theme,
    pub now: &'a Now,
    /// The suites that were worked out last, with their run.
    pub attached: Option<(&'a DocRef, &'a Attached)>,
    /// The run of the screen on top was not found when it was read last.
    pub is_missing: bool,
    /// Automatic readings pause because the terminal has no focus.
    pub paused: bool,
}

/// Target of drawing, with the layout that it results in.
pub struct Surface<'a> {
    pub context: Context<'a>,
    pub buffer: &'a mut Buffer,
    pub layout: &'a mut Layout,
}

/// Words beside an action that a read-only profile refuses.
pub const READ_ONLY: &str = "read-only";

impl Context<'_> {
    /// Returns why the action of a place is not possible now, in words to stand beside it.
    pub fn refuses(&self, place: Layer, action: &Action) -> Option<&'static str> {
        let adds = (place, action) == (Layer::Available, &Action::Open);
        if (adds || action.writes()) && self.cx.shared.in_use().read_only {
            return Some(READ_ONLY);
        }
        (self.is_missing && action.writes_to_a_run()).then_some("not found")
    }
}

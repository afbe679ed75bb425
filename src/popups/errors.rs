//! What failed so far, to read.

use crate::screens::Screen;
use crate::store::cx::Cx;
use crate::store::layer::Layer;
use crate::store::message::Action;
use crate::store::shared::Shared;

/// The box; what it shows stands in [`crate::store::ErrorLog`].
#[derive(Clone, Debug, PartialEq)]
pub struct Errors;

impl Screen for Errors {
    fn layer(&self, _shared: &Shared) -> Layer {
        Layer::Errors
    }

    fn update(&mut self, action: Action, cx: &mut Cx) {
        let entries = cx.errors.entries.len() as u64;
        match action {
            Action::Move(motion) => {
                cx.errors.scroll.go(motion, entries);
            }
            Action::Back | Action::Errors => {
                cx.errors.open = false;
                cx.close(Layer::Errors);
            }
            _ => {}
        }
    }
}

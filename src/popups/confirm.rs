//! The preview of a write: what will be sent, before anything is.

use crate::screens::Screen;
use crate::store::cx::Cx;
use crate::store::layer::Layer;
use crate::store::message::{Action, Plan};
use crate::store::shared::Shared;
use crate::ui::laid::Laid;

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

    fn laid_out(&mut self, laid: &Laid) -> bool {
        if let Some(last) = laid.confirm {
            self.top = self.top.min(last);
        }
        false
    }
}

//! The boxes over the screens, each in its own file, and their order.

mod columns;
mod commands;
mod confirm;
mod copy_menu;
mod delete;
mod errors;
mod explained;
mod help;
mod journal;
mod login;
mod picker;
mod prompt;
mod sort_menu;
mod suite;

pub use columns::ColumnsBox;
pub use commands::{Completions, palette, typed};
pub use confirm::Confirm;
pub use copy_menu::CopyMenu;
pub use delete::{DeleteBox, DeletedRun, MOST_AT_ONCE};
pub use errors::Errors;
pub use explained::Explained;
pub use help::Help;
pub use journal::JournalView;
pub use login::{Login, LoginField};
pub use picker::Picker;
pub use prompt::Prompt;
pub use sort_menu::SortMenu;
pub use suite::SuiteBox;

use crate::keymap::place::Place;
use crate::screens::Screen;
use crate::store::Layer;

/// Defines the boxes by name, each with its state and the place of its keys.
macro_rules! popups {
    ($($name:ident($state:ty) in $layer:ident $(, keys $($place:path),+)?;)+) => {
        /// Places in popups where keys have their own meanings.
        pub const PLACES: &[Place] = &[$($($($place,)+)?)+];

        #[derive(Clone, Debug, PartialEq)]
        pub enum Popup {
            $($name(Box<$state>)),+
        }

        impl Popup {
            pub fn layer(&self) -> Layer {
                match self {
                    $(Self::$name(_) => Layer::$layer),+
                }
            }

            pub fn screen(&self) -> &dyn Screen {
                match self {
                    $(Self::$name(it) => &**it),+
                }
            }

            pub fn screen_mut(&mut self) -> &mut dyn Screen {
                match self {
                    $(Self::$name(it) => &mut **it),+
                }
            }
        }

        $(impl From<$state> for Popup {
            fn from(state: $state) -> Self {
                Self::$name(Box::new(state))
            }
        })+
    };
}

popups! {
    Delete(DeleteBox) in Delete, keys delete::PLACE, delete::ID;
    Columns(ColumnsBox) in Columns, keys columns::PLACE;
    Confirm(Confirm) in Confirm, keys confirm::PLACE;
    CopyMenu(CopyMenu) in CopyMenu, keys copy_menu::PLACE;
    SortMenu(SortMenu) in SortMenu, keys sort_menu::PLACE;
    Suite(SuiteBox) in Suite, keys suite::PLACE;
    Explained(Explained) in Explained, keys explained::PLACE;
    Journal(JournalView) in Journal, keys journal::PLACE;
    Picker(Picker) in Picker, keys picker::PLACE;
    Login(Login) in Login, keys login::PLACE;
    Help(Help) in Help, keys help::PLACE;
    Errors(Errors) in Errors, keys errors::PLACE;
    Prompt(Prompt) in Typing;
}

impl Popup {
    /// Returns true if it is visible; a deletion outlives its closed box.
    fn is_open(&self) -> bool {
        match self {
            Self::Delete(delete) => delete.open,
            _ => true,
        }
    }

    /// Returns the rank: the sign-in is above the others, help above that.
    fn rank(&self) -> u8 {
        match self {
            Self::Help(_) => 2,
            Self::Login(_) => 1,
            _ => 0,
        }
    }
}

/// Stack of popups, the top one last.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Popups(Vec<Popup>);

impl Popups {
    /// Returns the visible popups, the top one last.
    pub fn open_ones(&self) -> impl DoubleEndedIterator<Item = &Popup> {
        self.0.iter().filter(|popup| popup.is_open())
    }

    pub fn top(&self) -> Option<&Popup> {
        self.open_ones().next_back()
    }

    pub fn top_mut(&mut self) -> Option<&mut Popup> {
        self.0.iter_mut().rev().find(|popup| popup.is_open())
    }

    /// Opens a popup; an open one of the same kind is replaced. The problems go on top of everything.
    pub fn open(&mut self, popup: impl Into<Popup>) {
        let popup = popup.into();
        self.close(popup.layer());
        let problems = popup.layer() == Layer::Errors;
        let place = self
            .0
            .iter()
            .position(|open| !problems && open.rank() > popup.rank())
            .unwrap_or(self.0.len());
        self.0.insert(place, popup);
    }

    pub fn close(&mut self, layer: Layer) {
        self.0.retain(|popup| popup.layer() != layer);
    }

    /// Closes the boxes with contents of runs that another user read.
    pub fn close_of_runs(&mut self) {
        let of_runs = |layer| {
            matches!(
                layer,
                Layer::Confirm
                    | Layer::CopyMenu
                    | Layer::Explained
                    | Layer::Journal
                    | Layer::Picker
                    | Layer::Suite
                    | Layer::Typing
            )
        };
        self.0.retain(|popup| !of_runs(popup.layer()));
    }

    pub fn of(&self, layer: Layer) -> Option<&Popup> {
        self.0.iter().find(|popup| popup.layer() == layer)
    }

    pub fn of_mut(&mut self, layer: Layer) -> Option<&mut Popup> {
        self.0.iter_mut().find(|popup| popup.layer() == layer)
    }

    pub fn login(&mut self) -> Option<&mut Login> {
        match self.of_mut(Layer::Login) {
            Some(Popup::Login(login)) => Some(login),
            _ => None,
        }
    }

    pub fn delete(&mut self) -> Option<&mut DeleteBox> {
        match self.of_mut(Layer::Delete) {
            Some(Popup::Delete(delete)) => Some(delete),
            _ => None,
        }
    }

    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Popup> {
        self.0.iter_mut()
    }
}

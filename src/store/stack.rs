//! The screens that lie over one another, with the list of runs at the bottom.

use super::layer::Screen;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stack(Vec<Screen>);

impl Default for Stack {
    fn default() -> Self {
        Self(vec![Screen::Runs])
    }
}

impl Stack {
    /// The screen that is seen.
    pub fn top(&self) -> Screen {
        *self.0.last().unwrap_or(&Screen::Runs)
    }

    /// Where Esc leads to.
    pub fn below(&self) -> Screen {
        *self.0.iter().rev().nth(1).unwrap_or(&Screen::Runs)
    }

    /// A screen comes to the top, and is taken out where it lies.
    pub fn open(&mut self, screen: Screen) {
        if screen == Screen::Runs {
            return self.home();
        }
        self.close(&[screen]);
        self.0.push(screen);
    }

    /// A screen takes the place of the one on top.
    pub fn replace(&mut self, screen: Screen) {
        self.back();
        self.open(screen);
    }

    pub fn back(&mut self) {
        if self.0.len() > 1 {
            self.0.pop();
        }
    }

    /// Screens are taken out wherever they lie.
    pub fn close(&mut self, screens: &[Screen]) {
        self.0.retain(|screen| !screens.contains(screen));
    }

    /// Only the list of runs is left.
    pub fn home(&mut self) {
        self.0.truncate(1);
    }
}

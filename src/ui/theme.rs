//! Colours by name. The default colours of the terminal carry the text; colour is never the only sign.

use ratatui::style::{Color, Modifier, Style};

use crate::domain::ResultCode;

/// Which colours may be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Palette {
    /// For a dark background.
    Dark,
    /// For a light background.
    Light,
    /// No colour at all, only bold, dim, reverse and underline.
    Mono,
}

/// Styles by what they stand for.
#[derive(Clone, Copy, Debug)]
pub struct Theme {
    palette: Palette,
}

impl Theme {
    /// A theme over these colours.
    pub fn new(palette: Palette) -> Self {
        Self { palette }
    }

    fn colour(self, dark: Color, light: Color) -> Style {
        match self.palette {
            Palette::Dark => Style::new().fg(dark),
            Palette::Light => Style::new().fg(light),
            Palette::Mono => Style::new(),
        }
    }

    /// Running text.
    pub fn text(self) -> Style {
        Style::new()
    }

    /// Labels, frames, what is less important or old.
    pub fn dim(self) -> Style {
        match self.palette {
            Palette::Mono => Style::new().add_modifier(Modifier::DIM),
            _ => self.colour(Color::DarkGray, Color::DarkGray),
        }
    }

    /// What a read-only profile refuses.
    pub fn refused(self) -> Style {
        self.dim().add_modifier(Modifier::CROSSED_OUT)
    }

    /// Titles and headings.
    pub fn title(self) -> Style {
        self.colour(Color::Cyan, Color::Blue)
            .add_modifier(Modifier::BOLD)
    }

    /// Keys in hints.
    pub fn key(self) -> Style {
        self.colour(Color::Yellow, Color::Magenta)
            .add_modifier(Modifier::BOLD)
    }

    /// The row under the cursor.
    pub fn selected(self) -> Style {
        Style::new().add_modifier(Modifier::REVERSED)
    }

    /// What went wrong.
    pub fn bad(self) -> Style {
        self.colour(Color::LightRed, Color::Red)
            .add_modifier(Modifier::BOLD)
    }

    /// What is fine.
    pub fn good(self) -> Style {
        self.colour(Color::Green, Color::Green)
    }

    /// What needs a look.
    pub fn warn(self) -> Style {
        self.colour(Color::Yellow, Color::Magenta)
    }

    /// The letters of a result.
    pub fn result(self, code: ResultCode) -> Style {
        match code {
            ResultCode::Passed => self.colour(Color::Green, Color::Green),
            ResultCode::FailedNew => self.bad(),
            ResultCode::FailedKnown => self.colour(Color::Red, Color::Red),
            ResultCode::Blocked | ResultCode::Customer => {
                self.colour(Color::Magenta, Color::Magenta)
            }
            ResultCode::InProgress | ResultCode::Retest => self.colour(Color::Cyan, Color::Blue),
            ResultCode::OnHoldExternal | ResultCode::OnHoldInternal => self.warn(),
            ResultCode::Skipped | ResultCode::Untested => self.dim(),
        }
    }
}

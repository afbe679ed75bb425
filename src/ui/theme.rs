//! Colours by their roles. Background and plain text stay the terminal's, and colour is never the only sign.

use ratatui::style::{Color, Modifier, Style};

/// Built-in theme.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BuiltIn {
    /// For a dark background.
    #[default]
    Dark,
    /// For a light background.
    Light,
    /// For an unknown background: readable on black and on white.
    Neutral,
    /// Contrast of seven to one and more, for a dark background.
    HighContrast,
    /// The same for a light background.
    HighContrastLight,
    /// The terminal's own 16 colours, and few of them: their look is unknown.
    Sixteen,
    /// No colour at all.
    Mono,
}

fn named<T: Copy>(all: &[(T, &str)], name: &str) -> Option<T> {
    all.iter().find(|(_, known)| *known == name).map(|it| it.0)
}

impl BuiltIn {
    /// Returns the theme of this name.
    pub fn named(name: &str) -> Option<Self> {
        named(&Self::ALL, name)
    }

    /// All themes with their names.
    pub const ALL: [(Self, &'static str); 7] = [
        (Self::Dark, "dark"),
        (Self::Light, "light"),
        (Self::Neutral, "neutral"),
        (Self::HighContrast, "high-contrast"),
        (Self::HighContrastLight, "high-contrast-light"),
        (Self::Sixteen, "16"),
        (Self::Mono, "mono"),
    ];
}

macro_rules! roles {
    ($($(#[$about:meta])* $role:ident $name:ident),+ $(,)?) => {
        /// Role of a colour.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Role {
            $($(#[$about])* $role),+
        }

        impl Role {
            /// All roles with their names.
            pub const ALL: [(Self, &'static str); 7] = [$((Self::$role, stringify!($name))),+];
        }

        impl Theme {
            $($(#[$about])* pub fn $name(self) -> Style {
                self.styles[Role::$role as usize]
            })+
        }
    };
}

roles! {
    /// Headings, keys.
    Accent accent,
    /// Passed results, good states.
    Good good,
    /// New failures, broken parts.
    Bad bad,
    /// Needs attention: blocked, late.
    Warn warn,
    /// Less important text.
    Muted muted,
    /// Lines.
    Border border,
    /// Row under the cursor: letters keep their colours.
    Cursor cursor,
}

impl Role {
    /// Returns the role of this name in a config.
    pub fn named(name: &str) -> Option<Self> {
        named(&Self::ALL, name)
    }
}

/// Styles by their roles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Theme {
    styles: [Style; Role::ALL.len()],
    /// Bars are letters.
    letters: bool,
}

impl From<BuiltIn> for Theme {
    fn from(built_in: BuiltIn) -> Self {
        let colours = |colours: [u8; 7]| {
            let [accent, good, bad, warn, muted, border, cursor] = colours.map(Color::Indexed);
            let text = |colour| Style::new().fg(colour);
            [
                text(accent).bold(),
                text(good),
                text(bad),
                text(warn),
                text(muted),
                text(border),
                Style::new().bg(cursor),
            ]
        };
        let (plain, bold) = (Style::new(), Style::new().bold());
        // Of the 256 colours those from 16 on look the same everywhere.
        let styles = match built_in {
            BuiltIn::Dark => colours([75, 114, 210, 221, 248, 242, 236]),
            BuiltIn::Light => colours([25, 22, 124, 94, 240, 246, 254]),
            BuiltIn::HighContrast => colours([123, 120, 217, 226, 255, 255, 18]),
            // No yellow or brown has that contrast on white.
            BuiltIn::HighContrastLight => colours([18, 22, 88, 55, 233, 233, 230]),
            // No yellow of the 256 can be read on black and on white.
            BuiltIn::Neutral => {
                let [accent, good, bad, grey] = [63, 29, 131, 243].map(Color::Indexed);
                let text = |colour| Style::new().fg(colour);
                let (accent, bad) = (text(accent).bold(), text(bad).bold());
                [accent, text(good), bad, bold, text(grey), text(grey), bold]
            }
            BuiltIn::Sixteen => {
                let bad = bold.fg(Color::Red);
                [bold, plain, bad, bold, plain, plain, bold]
            }
            BuiltIn::Mono => [bold, plain, bold, bold, plain, plain, plain],
        };
        Self {
            styles,
            letters: matches!(built_in, BuiltIn::Sixteen | BuiltIn::Mono),
        }
    }
}

/// Themes and colours in force.
#[derive(Clone, Debug, Default)]
pub struct Themes {
    /// Theme unless the user chooses another.
    pub usual: BuiltIn,
    /// The user's own colours.
    pub own: Vec<(Role, Color)>,
    /// Bars are letters, whatever the theme.
    pub letters: bool,
}

impl Themes {
    /// Returns the theme of this name, or the usual one, with the user's own colours.
    pub fn theme(&self, name: Option<&str>) -> Theme {
        let built_in = name.and_then(BuiltIn::named).unwrap_or(self.usual);
        let mut theme = Theme::from(built_in);
        theme.letters |= self.letters;
        if built_in != BuiltIn::Mono {
            for (role, colour) in &self.own {
                theme = theme.with(*role, *colour);
            }
        }
        theme
    }
}

impl Theme {
    /// Sets a colour of the user.
    fn with(mut self, role: Role, colour: Color) -> Self {
        let style = &mut self.styles[role as usize];
        *style = match role {
            Role::Cursor => style.bg(colour),
            _ => style.fg(colour),
        };
        self
    }

    /// Returns true if bars are letters.
    pub fn letters(self) -> bool {
        self.letters
    }

    /// Running text.
    pub fn text(self) -> Style {
        Style::new()
    }

    /// Closed runs; dim where muted text has no colour.
    pub fn closed(self) -> Style {
        match self.muted() {
            plain if plain.fg.is_none() => plain.add_modifier(Modifier::DIM),
            muted => muted,
        }
    }

    /// Actions that a read-only profile refuses.
    pub fn refused(self) -> Style {
        self.muted().add_modifier(Modifier::CROSSED_OUT)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns red, green and blue of a colour with a fixed look.
    fn rgb(index: u8) -> [u8; 3] {
        let level = |step: u8| if step == 0 { 0 } else { 55 + 40 * step };
        match index {
            232.. => [8 + 10 * (index - 232); 3],
            16.. => {
                let cube = index - 16;
                [level(cube / 36), level(cube / 6 % 6), level(cube % 6)]
            }
            _ => unreachable!("its look is the terminal's"),
        }
    }

    /// Returns the relative luminance by WCAG 2.
    fn luminance(rgb: [u8; 3]) -> f64 {
        let [red, green, blue] = rgb.map(|part| {
            let part = f64::from(part) / 255.0;
            if part <= 0.04045 {
                part / 12.92
            } else {
                ((part + 0.055) / 1.055).powf(2.4)
            }
        });
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }

    fn contrast(one: [u8; 3], other: [u8; 3]) -> f64 {
        let (one, other) = (luminance(one) + 0.05, luminance(other) + 0.05);
        one.max(other) / one.min(other)
    }

    #[test]
    fn words_can_be_read_on_the_backgrounds_they_are_for() {
        // Black, and backgrounds of well-known dark terminals; white, and light ones.
        let dark = [
            [0, 0, 0],
            [0x1e, 0x1e, 0x1e],
            [0x28, 0x2c, 0x34],
            [0, 0x2b, 0x36],
        ];
        let light = [[255, 255, 255], [0xfd, 0xf6, 0xe3], [0xf5, 0xf5, 0xf5]];
        for (built_in, backgrounds, least) in [
            (BuiltIn::Dark, &dark[..], 4.5),
            (BuiltIn::Light, &light, 4.5),
            (BuiltIn::HighContrast, &dark, 7.0),
            (BuiltIn::HighContrastLight, &light, 7.0),
        ] {
            let theme = Theme::from(built_in);
            let Some(Color::Indexed(cursor)) = theme.cursor().bg else {
                panic!("{built_in:?} has no cursor");
            };
            for (role, name) in Role::ALL {
                if matches!(role, Role::Border | Role::Cursor) {
                    continue;
                }
                let Some(Color::Indexed(colour)) = theme.styles[role as usize].fg else {
                    panic!("{built_in:?} has no {name}");
                };
                for background in backgrounds.iter().copied().chain([rgb(cursor)]) {
                    let contrast = contrast(rgb(colour), background);
                    assert!(
                        contrast >= least,
                        "{built_in:?} {name} on {background:?}: {contrast:.2}"
                    );
                }
            }
        }
    }

    #[test]
    fn what_is_blocked_does_not_look_like_what_failed() {
        for built_in in [
            BuiltIn::Dark,
            BuiltIn::Light,
            BuiltIn::HighContrast,
            BuiltIn::HighContrastLight,
        ] {
            let theme = Theme::from(built_in);
            let [bad, warn] = [theme.bad(), theme.warn()].map(|style| match style.fg {
                Some(Color::Indexed(colour)) => rgb(colour),
                other => panic!("{built_in:?}: {other:?}"),
            });
            let apart = bad.iter().zip(warn).map(|(bad, warn)| bad.abs_diff(warn));
            assert!(apart.max() >= Some(80), "{built_in:?}: {bad:?} {warn:?}");
        }
    }

    #[test]
    fn what_is_for_any_background_can_be_read_on_black_and_on_white() {
        let theme = Theme::from(BuiltIn::Neutral);
        assert_eq!(theme.cursor().bg, None);
        assert_eq!(theme.warn().fg, None);
        for style in [theme.accent(), theme.good(), theme.bad(), theme.muted()] {
            let Some(Color::Indexed(colour)) = style.fg else {
                panic!("{style:?}");
            };
            for background in [[0; 3], [255; 3]] {
                let contrast = contrast(rgb(colour), background);
                assert!(
                    contrast >= 4.5,
                    "{style:?} on {background:?}: {contrast:.2}"
                );
            }
        }
    }

    #[test]
    fn the_16_colours_are_used_where_no_word_depends_on_them() {
        for built_in in [BuiltIn::Sixteen, BuiltIn::Mono] {
            let theme = Theme::from(built_in);
            assert!(theme.letters());
            assert!(theme.closed().add_modifier.contains(Modifier::DIM));
            for style in theme.styles {
                assert_eq!(style.bg, None);
                assert!(matches!(style.fg, None | Some(Color::Red)), "{style:?}");
            }
        }
    }
}

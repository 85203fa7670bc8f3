//! What a terminal can show, and what becomes of a style on one that shows less.

use ratatui::style::{Color, Modifier, Style};

use super::color::{self, Rgb};
use super::{Appearance, Part};

/// Tells how many colours a terminal shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ColorDepth {
    /// None, because the terminal has none or its owner wants none.
    None,
    /// The sixteen that every terminal has, in shades that its owner chose.
    Ansi16,
    /// The 256 of xterm.
    Indexed256,
    /// Any red, green and blue.
    TrueColor,
}

/// The terminals that show every colour and say so by their name alone.
const TRUE_COLOR: [&str; 8] = [
    "kitty",
    "alacritty",
    "foot",
    "wezterm",
    "ghostty",
    "contour",
    "rio",
    "direct",
];

impl ColorDepth {
    /// Finds out from environment variables what the terminal shows.
    ///
    /// `NO_COLOR` comes first, whatever it holds unless it is empty; then `COLORTERM`, then `TERM`.
    /// A terminal that is not known has sixteen colours.
    #[must_use]
    pub fn detect(env: impl Fn(&str) -> Option<String>) -> Self {
        let read = |name: &str| env(name).unwrap_or_default();
        let term = read("TERM").to_ascii_lowercase();
        if !read("NO_COLOR").is_empty() || term == "dumb" {
            return Self::None;
        }
        let color_term = read("COLORTERM").to_ascii_lowercase();
        let says_all = ["truecolor", "24bit"].contains(&color_term.as_str());
        if says_all || term.split('-').any(|word| TRUE_COLOR.contains(&word)) {
            Self::TrueColor
        } else if term.contains("256color") {
            Self::Indexed256
        } else if !read("WT_SESSION").is_empty() {
            Self::TrueColor
        } else {
            Self::Ansi16
        }
    }

    /// Turns a style into what the terminal can show.
    ///
    /// `plain` holds the modifiers by which the part is told without colour.
    pub(super) fn shown(
        self,
        style: Style,
        part: Part,
        plain: Modifier,
        appearance: Option<Appearance>,
    ) -> Style {
        match self {
            Self::TrueColor => style,
            Self::Indexed256 => Style {
                fg: style.fg.map(to_indexed),
                bg: style.bg.map(to_indexed),
                ..style
            },
            Self::Ansi16 if part == Part::Text => ground(style, appearance),
            Self::Ansi16 => few(style, plain, appearance),
            Self::None => with(
                Style {
                    fg: None,
                    bg: None,
                    ..style
                },
                plain,
            ),
        }
    }
}

/// Adds modifiers; a style that is bold is not made dim, since terminals take one back with the
/// other.
fn with(style: Style, plain: Modifier) -> Style {
    let mut modifiers = style.add_modifier | plain;
    if modifiers.contains(Modifier::BOLD) {
        modifiers.remove(Modifier::DIM);
    }
    Style {
        add_modifier: modifiers,
        ..style
    }
}

fn to_indexed(color: Color) -> Color {
    match color {
        Color::Rgb(red, green, blue) => color::nearest_indexed([red, green, blue]),
        other => other,
    }
}

fn ground(style: Style, appearance: Option<Appearance>) -> Style {
    let ground = |shade| match appearance {
        Some(Appearance::Dark) => Color::Black,
        Some(Appearance::Light) => Color::White,
        None => color::nearest_ansi(shade, |_| true),
    };
    Style {
        fg: style.fg.map(|color| letters(color, appearance)),
        bg: style
            .bg
            .map(|color| color::fixed(color).map_or(to_named(color), ground)),
        ..style
    }
}

/// Shows a style with the sixteen colours.
///
/// A tint behind text has no likeness among them: the nearest is a glaring one, or the very colour
/// of the ground. So the part's modifiers take the place of a background; where letters and
/// background come together as a label, the label is reversed and so keeps its colour.
fn few(style: Style, plain: Modifier, appearance: Option<Appearance>) -> Style {
    let tint = style.bg.filter(|color| color::fixed(*color).is_some());
    let shown = Style {
        fg: style.fg.map(|color| letters(color, appearance)),
        bg: style.bg.filter(|_| tint.is_none()).map(to_named),
        ..style
    };
    let Some(tint) = tint else { return shown };
    if style.fg.is_some() && !style.add_modifier.contains(Modifier::REVERSED) {
        let label = Style {
            fg: Some(letters(tint, appearance)),
            ..shown
        };
        return with(label, plain | Modifier::REVERSED);
    }
    with(shown, plain)
}

fn letters(color: Color, appearance: Option<Appearance>) -> Color {
    let nearest = |shade: Rgb| color::nearest_ansi(shade, |color| is_legible(color, appearance));
    color::fixed(color).map_or(to_named(color), nearest)
}

/// Gives the first sixteen indexed colours the names that they have.
fn to_named(color: Color) -> Color {
    let Color::Indexed(index) = color else {
        return color;
    };
    color::ANSI
        .get(usize::from(index))
        .map_or(color, |(_, named, _)| *named)
}

/// Tells whether letters of a colour can be read on the ground that a theme is made for.
fn is_legible(color: Color, appearance: Option<Appearance>) -> bool {
    let on_dark = !matches!(color, Color::Black | Color::Blue);
    let on_light = matches!(
        color,
        Color::Black
            | Color::Red
            | Color::Green
            | Color::Yellow
            | Color::Blue
            | Color::Magenta
            | Color::Cyan
            | Color::DarkGray
    );
    match appearance {
        Some(Appearance::Dark) => on_dark,
        Some(Appearance::Light) => on_light,
        None => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn detect(variables: &[(&str, &str)]) -> ColorDepth {
        ColorDepth::detect(|name| {
            let found = variables.iter().find(|(key, _)| *key == name);
            found.map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn no_color_comes_first_unless_it_is_empty() {
        assert_eq!(
            detect(&[("NO_COLOR", "1"), ("COLORTERM", "truecolor")]),
            ColorDepth::None
        );
        assert_eq!(
            detect(&[("NO_COLOR", "0"), ("TERM", "xterm-kitty")]),
            ColorDepth::None
        );
        assert_eq!(
            detect(&[("NO_COLOR", ""), ("COLORTERM", "24bit")]),
            ColorDepth::TrueColor
        );
    }

    #[test]
    fn the_name_of_a_terminal_tells_its_depth() {
        for (term, depth) in [
            ("xterm-256color", ColorDepth::Indexed256),
            ("screen-256color", ColorDepth::Indexed256),
            ("tmux-256color", ColorDepth::Indexed256),
            ("xterm-kitty", ColorDepth::TrueColor),
            ("xterm-ghostty", ColorDepth::TrueColor),
            ("alacritty", ColorDepth::TrueColor),
            ("foot-extra", ColorDepth::TrueColor),
            ("wezterm", ColorDepth::TrueColor),
            ("xterm-direct", ColorDepth::TrueColor),
            ("linux", ColorDepth::Ansi16),
            ("xterm", ColorDepth::Ansi16),
            ("screen", ColorDepth::Ansi16),
            ("", ColorDepth::Ansi16),
            ("dumb", ColorDepth::None),
        ] {
            assert_eq!(detect(&[("TERM", term)]), depth, "{term}");
        }
        let both = [("TERM", "xterm-256color"), ("COLORTERM", "TrueColor")];
        assert_eq!(detect(&both), ColorDepth::TrueColor);
        let other = [("TERM", "xterm-256color"), ("COLORTERM", "1")];
        assert_eq!(detect(&other), ColorDepth::Indexed256);
        assert_eq!(detect(&[("WT_SESSION", "a-b")]), ColorDepth::TrueColor);
    }

    #[test]
    fn named_colours_stay_at_every_depth_that_has_them() {
        let style = Style::new().fg(Color::Green).bg(Color::Reset);
        for depth in [
            ColorDepth::Ansi16,
            ColorDepth::Indexed256,
            ColorDepth::TrueColor,
        ] {
            assert_eq!(
                depth.shown(style, Part::Within, Modifier::empty(), None),
                style
            );
        }
        let numbered = Style::new().fg(Color::Indexed(12));
        let shown = ColorDepth::Ansi16.shown(numbered, Part::Key, Modifier::empty(), None);
        assert_eq!(shown.fg, Some(Color::LightBlue));
    }

    #[test]
    fn a_tint_gives_way_to_the_modifiers_of_its_part() {
        let tint = Style::new().bg(Color::Rgb(0x2b, 0x33, 0x50));
        let dark = Some(Appearance::Dark);
        let shown = ColorDepth::Ansi16.shown(tint, Part::Selection, Modifier::REVERSED, dark);
        assert_eq!(shown, Style::new().add_modifier(Modifier::REVERSED));
        let label = Style::new()
            .fg(Color::Rgb(0, 0, 0))
            .bg(Color::Rgb(0xe0, 0xb0, 0x68));
        let shown = ColorDepth::Ansi16.shown(label, Part::SearchMatch, Modifier::BOLD, dark);
        let reversed = Modifier::BOLD | Modifier::REVERSED;
        assert_eq!(shown, Style::new().fg(Color::Yellow).add_modifier(reversed));
    }

    #[test]
    fn letters_are_never_the_ground() {
        let letters =
            |red, green, blue, appearance| letters(Color::Rgb(red, green, blue), Some(appearance));
        assert_eq!(letters(0x22, 0x24, 0x2a, Appearance::Dark), Color::DarkGray);
        assert_eq!(
            letters(0x10, 0x10, 0xa0, Appearance::Dark),
            Color::LightBlue
        );
        assert_eq!(
            letters(0xf0, 0xf0, 0xf0, Appearance::Light),
            Color::DarkGray
        );
        assert_eq!(letters(0x80, 0xff, 0x80, Appearance::Light), Color::Green);
    }
}

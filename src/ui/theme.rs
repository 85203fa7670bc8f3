//! Themes: which style each part of the screen has.
//!
//! A theme is a TOML file of a name, a palette and styles; `themes/dark.toml` says how to write one.
//! Colours never carry meaning alone: what is selected, focused, near or over its budget differs in
//! its modifiers too, or the screen says it in text.

mod color;
mod depth;
mod embedded;
mod part;
mod read;

use ratatui::style::{Modifier, Style};

use crate::error::Result;
pub use depth::ColorDepth;
pub use embedded::{embedded, load_embedded};
pub use part::Part;

/// Tells what background a theme is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Appearance {
    /// Bright letters on a dark ground.
    Dark,
    /// Dark letters on a bright ground.
    Light,
}

/// Is a style for each part of the screen.
#[derive(Clone, Debug, PartialEq)]
pub struct Theme {
    /// What people call the theme.
    pub name: String,
    /// The background that the theme is made for; none where it suits any.
    pub appearance: Option<Appearance>,
    styles: [Style; Part::COUNT],
}

impl Theme {
    /// Reads a theme; `file` stands in the message of an error, before line and column.
    ///
    /// A part that the theme leaves out looks like its parent, with the modifiers that [`Part`]
    /// tells. A part that it names has the modifiers that stand there, and takes from its parent
    /// only the colours that do not. The background of [`Part::Text`] is never taken, so that what
    /// is drawn over a selection does not punch holes into it.
    pub fn parse(text: &str, file: &str) -> Result<Self> {
        read::theme(text, file)
    }

    /// Gives the style of a part.
    #[must_use]
    pub fn style(&self, part: Part) -> Style {
        self.styles[part as usize]
    }

    /// Turns the theme into what a terminal can show.
    ///
    /// With 256 colours each becomes the most similar. With sixteen, hues are kept and tints behind
    /// text give way to modifiers. Without colours, modifiers are all that remains: the theme's own
    /// and those that [`Part`] tells.
    #[must_use]
    pub fn at(&self, depth: ColorDepth) -> Self {
        let mut theme = self.clone();
        for (style, part) in theme.styles.iter_mut().zip(Part::ALL) {
            let plain = resolve(&[None; Part::COUNT], part).add_modifier;
            *style = depth.shown(*style, part, plain, self.appearance);
        }
        theme
    }

    fn new(name: String, appearance: Option<Appearance>, given: &Given) -> Self {
        let styles = Part::ALL.map(|part| resolve(given, part));
        Self {
            name,
            appearance,
            styles,
        }
    }
}

impl Default for Theme {
    /// Gives the theme that is shown until another is chosen.
    fn default() -> Self {
        load_embedded("dark")
            .unwrap_or_else(|| Self::new("plain".to_owned(), None, &[None; Part::COUNT]))
    }
}

/// Is what a theme says itself about each part.
type Given = [Option<Style>; Part::COUNT];

fn resolve(given: &Given, part: Part) -> Style {
    let mut parent = part
        .parent()
        .map_or_else(Style::new, |parent| resolve(given, parent));
    if part.parent() == Some(Part::Text) {
        parent.bg = None;
    }
    let Some(own) = given[part as usize] else {
        let mut modifiers = parent.add_modifier | part.plain();
        // Terminals take dim back together with bold, so the two do not go together.
        if modifiers.contains(Modifier::BOLD) {
            modifiers.remove(Modifier::DIM);
        }
        return Style {
            add_modifier: modifiers,
            ..parent
        };
    };
    Style {
        fg: own.fg.or(parent.fg),
        bg: own.bg.or(parent.bg),
        ..own
    }
}

#[cfg(test)]
mod tests {
    use ratatui::style::Color;

    use super::*;

    fn parse(styles: &str) -> Theme {
        Theme::parse(&format!("name = \"test\"\n[styles]\n{styles}"), "test.toml").unwrap()
    }

    #[test]
    fn a_part_left_out_looks_like_its_parent_with_its_own_modifiers() {
        let theme = parse("text = { fg = \"#aabbcc\", bg = \"#112233\" }");
        let letters = Style::new().fg(Color::Rgb(0xaa, 0xbb, 0xcc));
        assert_eq!(
            theme.style(Part::Text),
            letters.bg(Color::Rgb(0x11, 0x22, 0x33))
        );
        assert_eq!(
            theme.style(Part::Title),
            letters.add_modifier(Modifier::BOLD)
        );
        assert_eq!(theme.style(Part::Heading), theme.style(Part::Title));
        assert_eq!(
            theme.style(Part::Selection),
            Style::new().add_modifier(Modifier::REVERSED)
        );
    }

    #[test]
    fn a_part_named_has_its_own_modifiers_and_inherits_colours() {
        let theme =
            parse("title = { bg = \"blue\" }\nheading = \"red\"\nmuted = { italic = true }");
        assert_eq!(theme.style(Part::Title), Style::new().bg(Color::Blue));
        assert_eq!(
            theme.style(Part::Heading),
            Style::new().fg(Color::Red).bg(Color::Blue)
        );
        assert_eq!(
            theme.style(Part::Muted),
            Style::new().add_modifier(Modifier::ITALIC)
        );
        let fields = parse("field = { bg = 236 }");
        let focused = Style::new()
            .bg(Color::Indexed(236))
            .add_modifier(Modifier::BOLD);
        assert_eq!(fields.style(Part::FieldFocused), focused);
    }

    #[test]
    fn without_colours_only_modifiers_remain() {
        for (name, _) in embedded() {
            let theme = load_embedded(name).unwrap();
            let plain = theme.at(ColorDepth::None);
            for part in Part::ALL {
                let style = plain.style(part);
                assert_eq!((style.fg, style.bg), (None, None), "{name}: {part:?}");
                let mut kept = theme.style(part).add_modifier;
                if style.add_modifier.contains(Modifier::BOLD) {
                    kept.remove(Modifier::DIM);
                }
                assert!(style.add_modifier.contains(kept), "{name}: {part:?}");
            }
        }
    }

    #[test]
    fn what_matters_is_told_apart_at_every_depth() {
        let pairs = [
            (Part::Text, Part::Selection),
            (Part::Text, Part::SearchMatch),
            (Part::Text, Part::Marker),
            (Part::Text, Part::Error),
            (Part::Text, Part::Accent),
            (Part::Text, Part::Muted),
            (Part::Border, Part::BorderFocused),
            (Part::Field, Part::FieldFocused),
            (Part::Within, Part::Near),
            (Part::Within, Part::Over),
            (Part::Near, Part::Over),
            (Part::Selection, Part::SearchMatch),
        ];
        let depths = [
            ColorDepth::None,
            ColorDepth::Ansi16,
            ColorDepth::Indexed256,
            ColorDepth::TrueColor,
        ];
        for (name, _) in embedded() {
            let theme = load_embedded(name).unwrap();
            for depth in depths {
                let theme = theme.at(depth);
                for (one, other) in pairs {
                    let told = theme.style(one) != theme.style(other);
                    assert!(told, "{name} at {depth:?}: {one:?} and {other:?}");
                }
                let near = theme.style(Part::Near).add_modifier;
                assert_ne!(
                    near,
                    theme.style(Part::Over).add_modifier,
                    "{name} at {depth:?}"
                );
            }
        }
    }

    #[test]
    fn a_depth_shows_only_its_own_colours_and_going_there_twice_changes_nothing() {
        for (name, _) in embedded() {
            let theme = load_embedded(name).unwrap();
            assert_eq!(theme.at(ColorDepth::TrueColor), theme);
            for depth in [ColorDepth::None, ColorDepth::Ansi16, ColorDepth::Indexed256] {
                let shown = theme.at(depth);
                assert_eq!(shown.at(depth), shown, "{name} at {depth:?}");
                for part in Part::ALL {
                    let style = shown.style(part);
                    for color in [style.fg, style.bg].into_iter().flatten() {
                        let fits = match color {
                            Color::Rgb(..) => false,
                            Color::Indexed(_) => depth == ColorDepth::Indexed256,
                            _ => true,
                        };
                        assert!(fits, "{name} at {depth:?}: {part:?} is {color:?}");
                    }
                    let seen = style.fg.is_none() || style.fg != style.bg;
                    assert!(seen, "{name} at {depth:?}: {part:?}");
                }
            }
        }
    }

    #[test]
    fn the_default_is_the_dark_theme() {
        assert_eq!(Theme::default().name, "dark");
    }
}

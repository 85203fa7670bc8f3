//! The themes that come with the program.

use super::Theme;

/// Lists the themes that come with the program, as names and TOML; the first is the default.
#[must_use]
pub fn embedded() -> &'static [(&'static str, &'static str)] {
    &[
        ("dark", include_str!("../../../themes/dark.toml")),
        ("light", include_str!("../../../themes/light.toml")),
        (
            "high-contrast",
            include_str!("../../../themes/high-contrast.toml"),
        ),
        ("ansi", include_str!("../../../themes/ansi.toml")),
        ("nord", include_str!("../../../themes/nord.toml")),
        (
            "gruvbox-dark",
            include_str!("../../../themes/gruvbox-dark.toml"),
        ),
        (
            "solarized-dark",
            include_str!("../../../themes/solarized-dark.toml"),
        ),
        (
            "solarized-light",
            include_str!("../../../themes/solarized-light.toml"),
        ),
    ]
}

/// Loads the theme of this name from those that come with the program.
#[must_use]
pub fn load_embedded(name: &str) -> Option<Theme> {
    let (name, text) = embedded().iter().find(|(known, _)| *known == name)?;
    Theme::parse(text, &format!("{name}.toml")).ok()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use ratatui::style::{Color, Modifier, Style};

    use super::*;
    use crate::ui::theme::color::{self, Rgb, linear};
    use crate::ui::theme::{Appearance, ColorDepth, Part};

    /// What is only drawn as a line, and so may be fainter than letters.
    const LINES: [Part; 3] = [Part::Border, Part::BarEmpty, Part::Rule];

    fn themes() -> impl Iterator<Item = Theme> {
        embedded()
            .iter()
            .map(|(name, text)| Theme::parse(text, name).unwrap())
    }

    #[test]
    fn every_theme_is_called_what_its_file_is_called() {
        for ((name, _), theme) in embedded().iter().zip(themes()) {
            assert_eq!(theme.name, *name);
            assert_eq!(load_embedded(name), Some(theme));
        }
        let names: HashSet<_> = embedded().iter().map(|(name, _)| name).collect();
        assert_eq!(names.len(), embedded().len());
        assert_eq!(load_embedded("no such theme"), None);
    }

    #[test]
    fn every_theme_names_every_part_and_uses_its_whole_palette() {
        for (name, text) in embedded() {
            let table: toml::Table = toml::from_str(text).unwrap();
            let styles = table["styles"].as_table().unwrap();
            for part in Part::ALL {
                assert!(
                    styles.contains_key(part.name()),
                    "{name} leaves out {part:?}"
                );
            }
            let palette = table.get("palette").and_then(toml::Value::as_table);
            for own in palette.into_iter().flat_map(toml::Table::keys) {
                let used = text.matches(&format!("\"{own}\"")).count();
                assert!(used > 0, "{name} does not use {own}");
            }
        }
    }

    #[test]
    fn ansi_leaves_shades_and_background_to_the_terminal() {
        let theme = load_embedded("ansi").unwrap();
        for part in Part::ALL {
            let style = theme.style(part);
            assert_eq!(style.bg, None, "{part:?}");
            let is_named = style.fg.is_none_or(|color| color::fixed(color).is_none());
            assert!(is_named, "{part:?}");
        }
        assert_eq!(theme.at(ColorDepth::Ansi16), theme);
    }

    /// Gives what is taken for the terminal's own letters and backgrounds.
    fn terminals(theme: &Theme) -> Vec<(Rgb, Rgb)> {
        let own = theme.style(Part::Text);
        let shade = |color: Option<Color>| color.and_then(color::fixed);
        if let (Some(letters), Some(ground)) = (shade(own.fg), shade(own.bg)) {
            return vec![(letters, ground)];
        }
        match theme.appearance {
            Some(Appearance::Dark) => [[0x1a, 0x1b, 0x26], [0, 0, 0], [0x1e, 0x1e, 0x1e]]
                .map(|ground| ([0xc0, 0xc6, 0xd4], ground))
                .to_vec(),
            Some(Appearance::Light) => [[0xff; 3], [0xfa; 3]]
                .map(|ground| ([0x33, 0x33, 0x33], ground))
                .to_vec(),
            None => Vec::new(),
        }
    }

    fn luminance(rgb: Rgb) -> f64 {
        let [red, green, blue] = rgb.map(linear);
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }

    fn contrast(one: Rgb, other: Rgb) -> f64 {
        let (one, other) = (luminance(one), luminance(other));
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    fn legible(theme: &Theme, letters: f64, lines: f64) {
        let tint = |part| Style::new().bg(theme.style(part).bg.unwrap_or(Color::Reset));
        let under = [
            Style::new(),
            tint(Part::Selection),
            tint(Part::Header),
            tint(Part::Footer),
        ];
        let fields = [tint(Part::Field), tint(Part::FieldFocused)];
        for (own, ground) in terminals(theme) {
            for part in Part::ALL {
                let wanted = if LINES.contains(&part) {
                    lines
                } else {
                    letters
                };
                for below in under.into_iter().chain(fields) {
                    if LINES.contains(&part) && below.bg.is_some_and(|color| color != Color::Reset)
                    {
                        continue;
                    }
                    let style = below.patch(theme.style(part));
                    assert!(
                        !style.add_modifier.contains(Modifier::DIM),
                        "{part:?} is dim"
                    );
                    let shade = |color: Option<Color>, default| {
                        color.and_then(color::fixed).unwrap_or(default)
                    };
                    let ratio = contrast(shade(style.fg, own), shade(style.bg, ground));
                    let name = &theme.name;
                    assert!(
                        ratio >= wanted,
                        "{name}: {part:?} on {below:?} has {ratio:.2}"
                    );
                }
            }
        }
    }

    #[test]
    fn everything_can_be_read_on_everything_it_may_lie_on() {
        for theme in themes() {
            let (letters, lines) = match theme.name.as_str() {
                "high-contrast" => (7.0, 4.5),
                _ => (4.5, 2.0),
            };
            legible(&theme, letters, lines);
        }
    }

    #[test]
    fn with_256_colours_everything_can_still_be_read() {
        for theme in themes() {
            legible(&theme.at(ColorDepth::Indexed256), 3.6, 1.6);
        }
    }

    #[test]
    fn levels_keep_green_amber_and_red_with_sixteen_colours() {
        let green = [Color::Green, Color::LightGreen];
        let amber = [Color::Yellow, Color::LightYellow];
        let red = [Color::Red, Color::LightRed];
        for theme in themes() {
            let theme = theme.at(ColorDepth::Ansi16);
            for (part, colors) in [
                (Part::Within, green),
                (Part::Near, amber),
                (Part::Over, red),
            ] {
                let color = theme.style(part).fg.unwrap();
                assert!(
                    colors.contains(&color),
                    "{}: {part:?} is {color:?}",
                    theme.name
                );
            }
        }
    }
}

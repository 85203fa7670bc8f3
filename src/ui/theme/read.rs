//! A theme's file, read with the place of every word for what may be wrong with it.

use std::borrow::Cow;
use std::ops::Range;

use ratatui::style::{Color, Modifier, Style};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{Appearance, Given, Part, Theme, color};
use crate::error::{Error, Kind, Result, nearest};

const KEYS: [&str; 4] = ["name", "appearance", "palette", "styles"];
const APPEARANCES: [(&str, Appearance); 2] =
    [("dark", Appearance::Dark), ("light", Appearance::Light)];
const COLORS: [&str; 2] = ["fg", "bg"];
const MODIFIERS: [(&str, Modifier); 5] = [
    ("bold", Modifier::BOLD),
    ("italic", Modifier::ITALIC),
    ("underlined", Modifier::UNDERLINED),
    ("dim", Modifier::DIM),
    ("reversed", Modifier::REVERSED),
];
const FORMS: &str = "a colour is \"#rrggbb\", a number from 0 to 255, a name such as \"red\" or \
                     \"bright_blue\", \"default\", or a name of the palette";

type Key<'i> = Spanned<Cow<'i, str>>;
type Item<'i> = Spanned<DeValue<'i>>;

/// Reads a theme.
pub(super) fn theme(text: &str, file: &str) -> Result<Theme> {
    let mut reader = Reader {
        text,
        file,
        palette: Vec::new(),
    };
    let table = DeTable::parse(text).map_err(|error| {
        let place = error.span().unwrap_or_default();
        reader
            .error(place, error.message())
            .hint("a theme is a TOML file")
    })?;
    let table = table.into_inner();
    for key in table.keys() {
        reader.known(key, "key of a theme", KEYS)?;
    }
    let Some(name) = table.get("name") else {
        return Err(reader.error(0..0, "`name` is missing"));
    };
    let name = reader.name(name)?;
    let appearance = table
        .get("appearance")
        .map(|item| reader.appearance(item))
        .transpose()?;
    if let Some(item) = table.get("palette") {
        reader.palette = reader.palette(item)?;
    }
    let mut given = [None; Part::COUNT];
    if let Some(item) = table.get("styles") {
        reader.styles(item, &mut given)?;
    }
    Ok(Theme::new(name, appearance, &given))
}

struct Reader<'a> {
    text: &'a str,
    file: &'a str,
    palette: Vec<(String, Color)>,
}

impl Reader<'_> {
    fn error(&self, place: Range<usize>, message: &str) -> Error {
        let before = self.text.get(..place.start).unwrap_or("");
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        let message = format!("theme {}:{line}:{column}: {message}", self.file);
        Error::new(Kind::Config, message)
    }

    /// Makes the error for a name that means nothing here.
    ///
    /// The name is written as Rust would, since one in quotes may hold an escape sequence.
    fn stranger<'k>(
        &self,
        place: Range<usize>,
        name: &str,
        what: &str,
        known: impl Iterator<Item = &'k str>,
        otherwise: &str,
    ) -> Error {
        let error = self.error(place, &format!("{name:?} is no {what}"));
        match nearest(name, known) {
            Some(meant) => error.hint(format!("did you mean `{meant}`?")),
            None => error.hint(otherwise),
        }
    }

    fn known<'k>(
        &self,
        key: &Key,
        what: &str,
        known: impl IntoIterator<Item = &'k str>,
    ) -> Result<()> {
        let known: Vec<_> = known.into_iter().collect();
        let name = key.get_ref().as_ref();
        if known.contains(&name) {
            return Ok(());
        }
        let otherwise = format!("known are: {}", known.join(", "));
        Err(self.stranger(key.span(), name, what, known.into_iter(), &otherwise))
    }

    fn table<'t, 'i>(&self, item: &'t Item<'i>, what: &str) -> Result<&'t DeTable<'i>> {
        let table = item.get_ref().as_table();
        table.ok_or_else(|| self.error(item.span(), &format!("{what} must be a table")))
    }

    fn name(&self, item: &Item) -> Result<String> {
        let name = item.get_ref().as_str().unwrap_or_default();
        // The name is shown as it is, and no file may send a terminal an escape.
        if name.trim().is_empty() || name.chars().any(char::is_control) {
            return Err(self.error(item.span(), "`name` must be one line of text"));
        }
        Ok(name.to_owned())
    }

    fn appearance(&self, item: &Item) -> Result<Appearance> {
        let name = item.get_ref().as_str();
        let found = APPEARANCES
            .into_iter()
            .find(|(known, _)| name == Some(known));
        found.map(|(_, appearance)| appearance).ok_or_else(|| {
            self.error(item.span(), "`appearance` must be \"dark\" or \"light\"")
                .hint("leave it out where the theme suits both")
        })
    }

    fn palette(&self, item: &Item) -> Result<Vec<(String, Color)>> {
        let colors = self.table(item, "`palette`")?.iter();
        colors
            .map(|(name, item)| Ok((name.get_ref().to_string(), self.color(item)?)))
            .collect()
    }

    fn styles(&self, item: &Item, given: &mut Given) -> Result<()> {
        for (key, item) in self.table(item, "`styles`")? {
            let Some(part) = Part::by_name(key.get_ref()) else {
                let known = Part::ALL.iter().map(|part| part.name());
                return self.known(key, "part of the screen", known);
            };
            given[part as usize] = Some(self.style(item)?);
        }
        Ok(())
    }

    fn style(&self, item: &Item) -> Result<Style> {
        let DeValue::Table(table) = item.get_ref() else {
            return Ok(Style::new().fg(self.color(item)?));
        };
        let mut style = Style::new();
        for (key, item) in table {
            match key.get_ref().as_ref() {
                "fg" => style.fg = Some(self.color(item)?),
                "bg" => style.bg = Some(self.color(item)?),
                name => {
                    let found = MODIFIERS.into_iter().find(|(known, _)| *known == name);
                    let Some((_, modifier)) = found else {
                        let modifiers = MODIFIERS.map(|(name, _)| name);
                        let known = COLORS.into_iter().chain(modifiers);
                        return self.known(key, "key of a style", known).map(|()| style);
                    };
                    style.add_modifier.set(modifier, self.truth(key, item)?);
                }
            }
        }
        Ok(style)
    }

    fn truth(&self, key: &Key, item: &Item) -> Result<bool> {
        item.get_ref().as_bool().ok_or_else(|| {
            self.error(
                item.span(),
                &format!("`{}` must be true or false", key.get_ref()),
            )
        })
    }

    fn color(&self, item: &Item) -> Result<Color> {
        let wrong = |message| self.error(item.span(), message).hint(FORMS);
        match item.get_ref() {
            DeValue::String(name) => self.named(item.span(), name),
            DeValue::Integer(number) => u8::from_str_radix(number.as_str(), number.radix())
                .map(Color::Indexed)
                .map_err(|_| wrong("a colour's number must be from 0 to 255")),
            _ => Err(wrong("a colour must be text or a number")),
        }
    }

    fn named(&self, place: Range<usize>, name: &str) -> Result<Color> {
        let own = self.palette.iter().find(|(known, _)| known == name);
        if let Some(color) = own.map(|(_, color)| *color).or_else(|| color::read(name)) {
            return Ok(color);
        }
        let palette = self.palette.iter().map(|(known, _)| known.as_str());
        let ansi = color::ANSI.iter().map(|(known, ..)| *known);
        let known = palette.chain(ansi).chain(["default"]);
        Err(self.stranger(place, name, "colour", known, FORMS))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fails(text: &str, message: &str, hint: Option<&str>) {
        let error = theme(text, "my.toml").unwrap_err();
        assert_eq!(error.kind(), Kind::Config);
        assert_eq!(
            error.to_string(),
            format!("theme my.toml:{message}"),
            "{text}"
        );
        if hint.is_some() {
            assert_eq!(error.hint_text(), hint, "{text}");
        }
    }

    #[test]
    fn colours_come_from_the_palette_first() {
        let text = "name = \"x\"\n[styles]\nkey = \"red\"\nlist = \"leaf\"\nlink = 0x10\n\
                    code = { fg = \"12\", bg = \"default\", bold = true, dim = false }\n\
                    [palette]\nred = \"#ff8888\"\nleaf = \"green\"\n";
        let theme = theme(text, "x.toml").unwrap();
        assert_eq!(theme.style(Part::Key).fg, Some(Color::Rgb(255, 136, 136)));
        assert_eq!(theme.style(Part::List).fg, Some(Color::Green));
        assert_eq!(theme.style(Part::Link).fg, Some(Color::Indexed(16)));
        let code = Style::new().fg(Color::Indexed(12)).bg(Color::Reset);
        assert_eq!(theme.style(Part::Code), code.add_modifier(Modifier::BOLD));
        assert_eq!(theme.appearance, None);
    }

    #[test]
    fn unknown_names_are_told_with_place_and_what_was_meant() {
        let styles = |line: &str| format!("name = \"x\"\n[styles]\n{line}\n");
        fails(
            "name = \"x\"\nstyle = 1",
            "2:1: \"style\" is no key of a theme",
            Some("did you mean `styles`?"),
        );
        fails(
            &styles("serch_match = \"red\""),
            "3:1: \"serch_match\" is no part of the screen",
            Some("did you mean `search_match`?"),
        );
        fails(
            &styles("key = { fg = \"red\", blod = true }"),
            "3:21: \"blod\" is no key of a style",
            Some("known are: fg, bg, bold, italic, underlined, dim, reversed"),
        );
        fails(
            &styles("key = { underline = true }"),
            "3:9: \"underline\" is no key of a style",
            Some("did you mean `underlined`?"),
        );
        fails(
            &styles("title = { fg = \"bright_blu\" }"),
            "3:16: \"bright_blu\" is no colour",
            Some("did you mean `bright_blue`?"),
        );
        fails(
            &styles("title = \"#12345\""),
            "3:9: \"#12345\" is no colour",
            Some(FORMS),
        );
        fails(
            &format!(
                "{}[palette]\nwarm_red = 9\n",
                styles("title = \"warm_rod\"")
            ),
            "3:9: \"warm_rod\" is no colour",
            Some("did you mean `warm_red`?"),
        );
    }

    #[test]
    fn wrong_values_are_told_with_place() {
        let styles = |line: &str| format!("name = \"x\"\n[styles]\n{line}\n");
        fails("", "1:1: `name` is missing", None);
        fails("name = 3", "1:8: `name` must be one line of text", None);
        fails(
            "name = \"a\\u001b[31m\"",
            "1:8: `name` must be one line of text",
            None,
        );
        let appearance = "2:14: `appearance` must be \"dark\" or \"light\"";
        fails("name = \"x\"\nappearance = \"gray\"", appearance, None);
        fails(
            "name = \"x\"\npalette = 1",
            "2:11: `palette` must be a table",
            None,
        );
        fails(
            &styles("key = 256"),
            "3:7: a colour's number must be from 0 to 255",
            None,
        );
        fails(
            &styles("key = true"),
            "3:7: a colour must be text or a number",
            None,
        );
        fails(
            &styles("key = { dim = 1 }"),
            "3:15: `dim` must be true or false",
            None,
        );
        let escape = "3:7: \"\\u{1b}[31m\" is no colour";
        fails(&styles("key = \"\\u001b[31m\""), escape, Some(FORMS));
        let error = theme("name = \"x\"\n[styles\n", "my.toml").unwrap_err();
        assert!(error.to_string().starts_with("theme my.toml:2:"), "{error}");
    }
}

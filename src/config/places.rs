//! Where in a file of settings a key stands.

use toml::de::{DeTable, DeValue};

use super::ConfigText;
use crate::library::SettingsPlace;

/// Finds the line of a key, from 1: its parts, a number (from 1) for an entry of a list.
pub(super) fn line_of(text: &str, keys: &[&str]) -> Option<usize> {
    let table = DeTable::parse(text).ok()?;
    let (first, rest) = keys.split_first()?;
    let (key, value) = table.get_ref().get_key_value(*first)?;
    let (mut at, mut value) = (key.span().start, value);
    for key in rest {
        let (start, inner) = match value.get_ref() {
            DeValue::Table(table) => {
                let (name, inner) = table.get_key_value(*key)?;
                (name.span().start, inner)
            }
            DeValue::Array(list) => {
                let inner = list.get(key.parse::<usize>().ok()?.checked_sub(1)?)?;
                (inner.span().start, inner)
            }
            _ => return None,
        };
        (at, value) = (start, inner);
    }
    Some(text.get(..at)?.matches('\n').count() + 1)
}

/// Finds the line of a key, or of the innermost table around it that is written down.
pub(super) fn nearest_line(text: &str, keys: &[&str]) -> Option<usize> {
    let mut lengths = (1..=keys.len()).rev();
    lengths.find_map(|length| line_of(text, &keys[..length]))
}

/// Finds the place of a key in the last of the files that holds it.
pub(super) fn place(files: &[ConfigText], keys: &[&str]) -> SettingsPlace {
    let found = files.iter().rev().find_map(|file| {
        line_of(&file.text, keys).map(|line| SettingsPlace {
            path: file.path.clone(),
            line: Some(line),
        })
    });
    found.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "[variables]\nlimit = 1\nshop = { name = \"x\" }\n\n[variables.user]\nname = 2\n\n[[compile]]\nsource = \"a\"\n[[compile]]\nsource = \"b\"\n";

    #[test]
    fn keys_are_found_in_tables_of_every_form() {
        for (key, line) in [
            ("variables", Some(1)),
            ("variables.limit", Some(2)),
            ("variables.shop.name", Some(3)),
            ("variables.user.name", Some(6)),
            ("compile.2.source", Some(11)),
            ("compile.2", Some(10)),
            ("compile.0", None),
            ("compile.3", None),
            ("variables.limit.none", None),
            ("none", None),
        ] {
            let keys: Vec<&str> = key.split('.').collect();
            assert_eq!(line_of(TEXT, &keys), line, "{key}");
        }
        assert_eq!(nearest_line(TEXT, &["variables", "user", "none"]), Some(5));
        assert_eq!(nearest_line(TEXT, &["variables", "user", "name"]), Some(6));
        assert_eq!(nearest_line(TEXT, &["none", "name"]), None);
        assert_eq!(line_of("= broken", &["a"]), None);
    }

    #[test]
    fn a_place_is_in_the_last_file_that_holds_the_key() {
        let files = [
            ("a.toml", "x = 1\ny = 2\n"),
            ("b.toml", "\n\nx = 3\n"),
            ("c.toml", "z = 4\n"),
        ];
        let files = files.map(|(path, text)| ConfigText {
            path: path.into(),
            text: text.into(),
        });
        for (key, path, line) in [
            ("x", "b.toml", Some(3)),
            ("y", "a.toml", Some(2)),
            ("none", "", None),
        ] {
            let path = path.into();
            assert_eq!(place(&files, &[key]), SettingsPlace { path, line }, "{key}");
        }
    }
}

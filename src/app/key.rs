//! A key: how it is written in the settings, shown on the screen, and told from what a terminal
//! reports.

use std::fmt;
use std::str::FromStr;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// A key with what is held down with it. Shift is part of a letter, and of Shift-Tab.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Key {
    /// The key itself.
    pub code: KeyCode,
    /// Ctrl and Alt.
    pub modifiers: KeyModifiers,
}

/// The keys that have names: in the settings, and on the screen.
const NAMES: [(&str, &str, KeyCode); 16] = [
    ("enter", "Enter", KeyCode::Enter),
    ("esc", "Esc", KeyCode::Esc),
    ("tab", "Tab", KeyCode::Tab),
    ("shift-tab", "Shift-Tab", KeyCode::BackTab),
    ("space", "Space", KeyCode::Char(' ')),
    ("backspace", "Backspace", KeyCode::Backspace),
    ("delete", "Delete", KeyCode::Delete),
    ("insert", "Insert", KeyCode::Insert),
    ("up", "↑", KeyCode::Up),
    ("down", "↓", KeyCode::Down),
    ("left", "←", KeyCode::Left),
    ("right", "→", KeyCode::Right),
    ("pgup", "PgUp", KeyCode::PageUp),
    ("pgdn", "PgDn", KeyCode::PageDown),
    ("home", "Home", KeyCode::Home),
    ("end", "End", KeyCode::End),
];

impl From<KeyEvent> for Key {
    fn from(event: KeyEvent) -> Self {
        Self {
            code: event.code,
            modifiers: event.modifiers - KeyModifiers::SHIFT,
        }
    }
}

impl FromStr for Key {
    type Err = String;

    /// Reads `q`, `ctrl-p`, `alt-enter`, `f5`: names in lower case, a letter as it is typed.
    fn from_str(text: &str) -> Result<Self, String> {
        let mut rest = text;
        let mut modifiers = KeyModifiers::NONE;
        loop {
            let (modifier, after) = match (rest.strip_prefix("ctrl-"), rest.strip_prefix("alt-")) {
                (Some(after), _) => (KeyModifiers::CONTROL, after),
                (None, Some(after)) => (KeyModifiers::ALT, after),
                (None, None) => break,
            };
            modifiers |= modifier;
            rest = after;
        }
        let named = NAMES.iter().find(|(name, _, _)| *name == rest);
        let number = rest
            .strip_prefix('f')
            .and_then(|number| number.parse().ok());
        let mut letters = rest.chars();
        let code = match (named, number, letters.next(), letters.next()) {
            (Some((_, _, code)), ..) => *code,
            (None, Some(number @ 1..=24), ..) => KeyCode::F(number),
            (None, None, Some(letter), None) if !letter.is_control() => KeyCode::Char(letter),
            _ => {
                return Err(format!(
                    "there is no key {text:?}: write q, ctrl-p, enter, f5"
                ));
            }
        };
        Ok(Self { code, modifiers })
    }
}

impl fmt::Display for Key {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.modifiers.contains(KeyModifiers::CONTROL) {
            out.write_str("Ctrl-")?;
        }
        if self.modifiers.contains(KeyModifiers::ALT) {
            out.write_str("Alt-")?;
        }
        if let Some((_, shown, _)) = NAMES.iter().find(|(_, _, code)| *code == self.code) {
            return out.write_str(shown);
        }
        match self.code {
            KeyCode::Char(letter) if !self.modifiers.is_empty() => {
                write!(out, "{}", letter.to_uppercase())
            }
            KeyCode::Char(letter) => write!(out, "{letter}"),
            KeyCode::F(number) => write!(out, "F{number}"),
            other => write!(out, "{other:?}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_read_and_shown() {
        for (text, shown) in [
            ("q", "q"),
            ("G", "G"),
            ("ctrl-p", "Ctrl-P"),
            ("alt-enter", "Alt-Enter"),
            ("ctrl-alt-x", "Ctrl-Alt-X"),
            ("shift-tab", "Shift-Tab"),
            ("f5", "F5"),
            ("space", "Space"),
            ("down", "↓"),
            ("-", "-"),
            ("ctrl--", "Ctrl--"),
            ("f", "f"),
        ] {
            let key: Key = text.parse().unwrap();
            assert_eq!(key.to_string(), shown, "{text}");
        }
        for text in ["", "qq", "Enter", "ctrl-", "f25", "hyper-x", "\n"] {
            assert!(text.parse::<Key>().is_err(), "{text:?}");
        }
    }

    #[test]
    fn shift_belongs_to_the_letter() {
        let event = KeyEvent::new(KeyCode::Char('G'), KeyModifiers::SHIFT);
        assert_eq!(Key::from(event), "G".parse().unwrap());
        let event = KeyEvent::new(KeyCode::Char('q'), KeyModifiers::ALT);
        assert_ne!(Key::from(event), "q".parse().unwrap());
    }
}

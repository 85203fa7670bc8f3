//! Which theme is shown: the next one, the one of the settings, or the one that suits the terminal.

use super::{App, Effect};

/// The name that stands for the theme that suits the terminal's background.
pub const AUTO: &str = "auto";

/// The terminal's background, and whether the theme follows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Background {
    /// Whether the theme follows it.
    pub is_followed: bool,
    /// Whether it is dark, as far as is known.
    pub is_dark: bool,
}

impl Default for Background {
    fn default() -> Self {
        Self {
            is_followed: false,
            is_dark: true,
        }
    }
}

impl App {
    /// Shows the next theme, and keeps to it.
    pub(super) fn next_theme(&mut self) -> Vec<Effect> {
        let at = self.themes.iter().position(|name| *name == self.theme);
        let next = at.map_or(0, |at| (at + 1) % self.themes.len().max(1));
        let Some(name) = self.themes.get(next).cloned() else {
            return vec![];
        };
        self.background.is_followed = false;
        self.say(&format!("Theme: {name}"));
        vec![Effect::Theme(name)]
    }

    /// Shows the theme of a name, or the one that suits the terminal.
    pub(super) fn show_theme(&mut self, name: &str) -> Effect {
        self.background.is_followed = name == AUTO;
        Effect::Theme(suiting(name, self.background.is_dark).to_owned())
    }

    /// Takes in what the terminal says of its background.
    pub(super) fn background(&mut self, is_dark: bool) -> Vec<Effect> {
        self.background.is_dark = is_dark;
        let wanted = suiting(AUTO, is_dark);
        if self.background.is_followed && self.theme != wanted {
            return vec![Effect::Theme(wanted.to_owned())];
        }
        vec![]
    }
}

/// Gives the theme that a name stands for on a background.
#[must_use]
pub fn suiting(name: &str, is_dark: bool) -> &str {
    match (name, is_dark) {
        (AUTO, true) => "dark",
        (AUTO, false) => "light",
        (name, _) => name,
    }
}

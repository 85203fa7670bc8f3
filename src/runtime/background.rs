//! Asks the terminal for its background colour without ever waiting for the answer.
//!
//! A terminal that answers does so among its keys, at once or after a slow link's round trip; one
//! that does not know the question says nothing. The answer is taken out of the keys as it comes.

use std::time::{Duration, Instant};

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// The question.
pub const QUESTION: &str = "\x1b]11;?\x1b\\";

/// How long an answer may take; keys that come later are keys.
const PATIENCE: Duration = Duration::from_secs(5);

/// What an answer begins with, after its introducer.
const START: &str = "11;rgb:";

/// The longest answer: `11;rgb:ffff/ffff/ffff`, and some room.
const LONGEST: usize = 40;

/// Takes the answer out of the keys.
#[derive(Debug)]
pub struct Listener {
    until: Instant,
    held: Vec<KeyEvent>,
}

/// What becomes of a key.
#[derive(Debug, PartialEq, Eq)]
pub enum Heard {
    /// These keys are keys.
    Keys(Vec<KeyEvent>),
    /// The background is dark, or it is not.
    Background {
        /// Whether it is dark.
        is_dark: bool,
    },
}

impl Listener {
    /// Listens from now on.
    #[must_use]
    pub fn new(now: Instant) -> Self {
        Self {
            until: now + PATIENCE,
            held: Vec::new(),
        }
    }

    /// Takes a key in; what it begins may be held back until it is clear what it is.
    pub fn hear(&mut self, key: KeyEvent, now: Instant) -> Heard {
        let is_alt = |key: &KeyEvent, letter| {
            key.code == KeyCode::Char(letter) && key.modifiers.contains(KeyModifiers::ALT)
        };
        if self.held.is_empty() && (now > self.until || !is_alt(&key, ']')) {
            return Heard::Keys(vec![key]);
        }
        let is_end = is_alt(&key, '\\')
            || (key.code == KeyCode::Char('g') && key.modifiers.contains(KeyModifiers::CONTROL));
        if is_end && let Some(is_dark) = self.answer() {
            self.held.clear();
            return Heard::Background { is_dark };
        }
        self.held.push(key);
        let text = self.text();
        let may_become = START.starts_with(&text) || text.starts_with(START);
        if is_end || !may_become || self.held.len() > LONGEST {
            return Heard::Keys(std::mem::take(&mut self.held));
        }
        Heard::Keys(vec![])
    }

    /// Gives the letters after the introducer.
    fn text(&self) -> String {
        let keys = self.held.iter().skip(1);
        keys.map(|key| match key.code {
            KeyCode::Char(letter) => letter,
            _ => '\0',
        })
        .collect()
    }

    fn answer(&self) -> Option<bool> {
        is_dark(self.text().strip_prefix(START)?)
    }
}

/// Tells whether a colour such as `1e1e/2020/ffff` is dark; `None` if it is none.
fn is_dark(color: &str) -> Option<bool> {
    let channel = |digits: &str| {
        let is_hex = matches!(digits.len(), 1..=4);
        let value = u32::from_str_radix(digits, 16).ok().filter(|_| is_hex)?;
        let most = 16_u32.pow(u32::try_from(digits.len()).ok()?) - 1;
        Some(f64::from(value) / f64::from(most))
    };
    let channels: Option<Vec<f64>> = color.split('/').map(channel).collect();
    let channels = channels.filter(|channels| channels.len() == 3)?;
    // The weights of ITU-R BT.709.
    let light = 0.2126 * channels[0] + 0.7152 * channels[1] + 0.0722 * channels[2];
    Some(light < 0.5)
}

/// Reads `COLORFGBG`, which some terminals set: `15;0` is light on dark.
#[must_use]
pub fn of_variable(value: Option<&str>) -> Option<bool> {
    let background: u8 = value?.rsplit(';').next()?.parse().ok()?;
    match background {
        7 | 9..=15 => Some(false),
        0..=8 => Some(true),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(letter: char, modifiers: KeyModifiers) -> KeyEvent {
        KeyEvent::new(KeyCode::Char(letter), modifiers)
    }

    fn hear(listener: &mut Listener, text: &str) -> (Vec<KeyEvent>, Vec<bool>) {
        let (mut keys, mut answers) = (vec![], vec![]);
        let mut letters = text.chars().peekable();
        while let Some(letter) = letters.next() {
            let key = match letter {
                '\x1b' => key(letters.next().unwrap(), KeyModifiers::ALT),
                '\x07' => key('g', KeyModifiers::CONTROL),
                letter => key(letter, KeyModifiers::NONE),
            };
            match listener.hear(key, Instant::now()) {
                Heard::Keys(heard) => keys.extend(heard),
                Heard::Background { is_dark } => answers.push(is_dark),
            }
        }
        (keys, answers)
    }

    #[test]
    fn an_answer_is_taken_out_of_the_keys_around_it() {
        for (text, count, wanted) in [
            ("a\x1b]11;rgb:0000/1111/2222\x1b\\b", 2, vec![true]),
            ("\x1b]11;rgb:ff/ff/fa\x07q", 1, vec![false]),
            ("\x1b]11;rgb:gggg/0/0\x1b\\", 17, vec![]),
            ("\x1b]12;x", 5, vec![]),
            ("\x1b]q", 2, vec![]),
            ("quit", 4, vec![]),
        ] {
            let mut listener = Listener::new(Instant::now());
            let (keys, answers) = hear(&mut listener, text);
            assert_eq!((keys.len(), answers), (count, wanted), "{text:?}");
        }
    }

    #[test]
    fn a_late_answer_is_no_answer() {
        let mut listener = Listener::new(Instant::now());
        let late = Instant::now() + PATIENCE * 2;
        let first = key(']', KeyModifiers::ALT);
        assert_eq!(listener.hear(first, late), Heard::Keys(vec![first]));
    }

    #[test]
    fn colours_and_the_variable_are_read() {
        assert_eq!(is_dark("ffff/ffff/ffff"), Some(false));
        assert_eq!(is_dark("1e/1e/2e"), Some(true));
        assert_eq!(is_dark("1e/1e"), None);
        assert_eq!(is_dark("-1/0/0"), None);
        assert_eq!(of_variable(Some("15;0")), Some(true));
        assert_eq!(of_variable(Some("0;default;15")), Some(false));
        assert_eq!(of_variable(Some("0;default")), None);
        assert_eq!(of_variable(None), None);
    }
}

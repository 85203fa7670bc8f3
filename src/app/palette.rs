//! The palette: every action that works now, found by its words.

use super::{Action, Context, Key, Keymap};

/// A line of the palette.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaletteLine {
    /// What it does.
    pub action: Action,
    /// In words.
    pub words: &'static str,
    /// The key that does the same.
    pub key: Option<Key>,
}

/// Lists the actions of some contexts whose words fit a query, the best first.
///
/// Every word of the query must be found, as it stands or letter by letter in this order; what is
/// found as it stands, and early, comes first.
#[must_use]
pub fn palette(keymap: &Keymap, contexts: &[Context], query: &str) -> Vec<PaletteLine> {
    let mut lines: Vec<(usize, PaletteLine)> = Vec::new();
    for context in contexts {
        for (binding, keys) in keymap.lines(*context) {
            let is_told = !binding.help.is_empty() && binding.action != Action::Palette;
            let is_new = lines.iter().all(|(_, line)| line.action != binding.action);
            if let (true, true, Some(score)) = (is_told, is_new, score(binding.help, query)) {
                let line = PaletteLine {
                    action: binding.action,
                    words: binding.help,
                    key: keys.first().copied(),
                };
                lines.push((score, line));
            }
        }
    }
    lines.sort_by_key(|(score, _)| *score);
    lines.into_iter().map(|(_, line)| line).collect()
}

/// Says how far words are from fitting a query: 0 is best; `None` if they do not.
fn score(words: &str, query: &str) -> Option<usize> {
    const SCATTERED: usize = 1000;
    let words = words.to_lowercase();
    let parts = query.split_whitespace().map(str::to_lowercase);
    parts
        .map(|part| match words.find(&part) {
            Some(at) => Some(at),
            None => scattered(&words, &part).map(|gaps| SCATTERED + gaps),
        })
        .sum()
}

/// Counts the letters between the first and the last that are needed for a part, in its order.
fn scattered(words: &str, part: &str) -> Option<usize> {
    let mut left = part.chars().peekable();
    let (mut first, mut last) = (None, 0);
    for (at, letter) in words.chars().enumerate() {
        if left.peek() == Some(&letter) {
            left.next();
            first.get_or_insert(at);
            last = at;
        }
    }
    left.peek().is_none().then(|| last - first.unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(query: &str) -> Vec<&'static str> {
        let contexts = [Context::Section, Context::Reading, Context::Anywhere];
        let lines = palette(&Keymap::default(), &contexts, query);
        lines.into_iter().map(|line| line.words).collect()
    }

    #[test]
    fn words_are_found_in_any_order_and_letters_in_theirs() {
        assert_eq!(found("next theme")[0], "next theme");
        assert_eq!(found("theme next")[0], "next theme");
        assert_eq!(found("thm")[0], "next theme");
        assert_eq!(found("editor")[0], "open the file in your editor");
        assert!(found("zzz").is_empty());
        assert!(found("").len() > 20);
    }

    #[test]
    fn an_action_stands_once() {
        let lines = found("quit");
        assert_eq!(lines.iter().filter(|words| **words == "quit").count(), 1);
    }
}

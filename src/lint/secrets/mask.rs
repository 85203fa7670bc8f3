//! What of a text is not for eyes: keys and passwords, for those who show it.

use std::borrow::Cow;
use std::ops::Range;

use super::{SHORTEST_LINE, in_line};

/// How far beyond a stretch a line is looked at, and how far back the beginning of a key of several lines is looked for.
const AROUND: usize = 8 * 1024;

/// What takes the place of a character.
const MASK: char = '•';

/// Finds the keys and passwords that reach into a stretch of a text, in order.
///
/// A private key is all that stands between its first line and its last.
#[must_use]
pub fn within(text: &str, stretch: Range<usize>) -> Vec<Range<usize>> {
    let start = text.floor_char_boundary(stretch.start.saturating_sub(AROUND));
    let end = text.ceil_char_boundary((stretch.end + AROUND).min(text.len()));
    let end = text[..end]
        .rfind('\n')
        .filter(|at| *at >= stretch.end)
        .unwrap_or(end);
    let mut found: Vec<Range<usize>> = Vec::new();
    let (mut at, mut is_in_key) = (start, false);
    for line in text[start..end].split('\n') {
        let here = at..at + line.len();
        at = here.end + 1;
        let is_key = line.contains("PRIVATE KEY");
        let begins = is_key && line.contains("-----BEGIN ");
        if is_in_key || begins {
            found.push(here.clone());
            is_in_key = !(is_key && line.contains("-----END "));
        } else if line.len() > SHORTEST_LINE && here.end > stretch.start && here.start < stretch.end
        {
            let hits = in_line(line).into_iter();
            let secret = hits.filter(|(_, rule, _)| *rule != "private-address");
            found
                .extend(secret.map(|(range, ..)| here.start + range.start..here.start + range.end));
        }
    }
    found.retain(|range| range.end > stretch.start && range.start < stretch.end);
    found.sort_by_key(|range| range.start);
    found
}

/// Puts dots in the place of keys and passwords, one for each character.
#[must_use]
pub fn masked(text: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let mut end = 0;
    for range in within(text, 0..text.len()) {
        let start = range.start.max(end);
        if start < range.end {
            out.push_str(&text[end..start]);
            out.extend(text[start..range.end].chars().map(|_| MASK));
            end = range.end;
        }
    }
    if end == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[end..]);
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_secret_becomes_dots_and_nothing_else_does() {
        let key = format!("sk-proj-{}", "aB3dE5gH7jK9mN1pQ2rS4tU6".repeat(2));
        let dots = MASK.to_string().repeat(key.len());
        let text = format!("Ask.\nKEY={key} and 192.168.0.1\npassword: hunter2Xy9q.\n");
        let shown = masked(&text);
        let wanted = format!(
            "Ask.\nKEY={dots} and 192.168.0.1\npassword: {}\n",
            MASK.to_string().repeat(12)
        );
        assert_eq!(shown, wanted);
        assert_eq!(shown.chars().count(), text.chars().count());
        assert!(matches!(masked("Ask me.\n"), Cow::Borrowed(_)));
    }

    #[test]
    fn a_private_key_is_all_of_its_lines() {
        let (begin, end) = (
            "-----BEGIN RSA PRIVATE KEY-----",
            "-----END RSA PRIVATE KEY-----",
        );
        let text = format!("before\n{begin}\nabc\n\ndef\n{end}\nafter\n");
        let shown = masked(&text);
        assert!(
            shown.starts_with("before\n") && shown.ends_with("\nafter\n"),
            "{shown}"
        );
        assert!(!shown.contains("abc") && !shown.contains("def"), "{shown}");
        // A stretch in the middle of it knows where it stands.
        let at = text.find("def").unwrap_or_default();
        assert_eq!(within(&text, at..at + 3).first(), Some(&(at..at + 3)));
    }

    #[test]
    fn a_stretch_of_a_long_text_is_looked_at_alone() {
        let key = format!("ghp_{}", "aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zA1b2C");
        let text = format!(
            "{}\n{key}\n{}",
            "word ".repeat(10_000),
            "漢字".repeat(10_000)
        );
        let at = text.find("ghp_").unwrap_or_default();
        assert_eq!(
            within(&text, at + 2..at + 3).first(),
            Some(&(at..at + key.len()))
        );
        assert!(within(&text, 0..100).is_empty());
        assert!(within(&text, text.len() - 6..text.len()).is_empty());
        assert!(within("", 0..0).is_empty());
    }
}

//! Words: what was left to be filled in, said twice, or said so that nobody can follow it.

use std::collections::BTreeMap;

use super::templates::{is_in_span, outside_code};
use super::{Finding, Place, Subject, finding};
use crate::workspace::survey::FileKind;

/// Marks of what is still to be written.
const PLACEHOLDERS: [&str; 9] = [
    "TODO",
    "TBD",
    "FIXME",
    "XXX",
    "lorem ipsum",
    "[your ",
    "<your ",
    "[insert ",
    "<insert ",
];

/// Words that leave open what is meant.
const VAGUE: [&str; 14] = [
    "as appropriate",
    "if appropriate",
    "when appropriate",
    "where appropriate",
    "as needed",
    "if necessary",
    "and so on",
    "use common sense",
    "use your best judgment",
    "use your judgment",
    "be careful with",
    "handle it properly",
    "try to be",
    "as you see fit",
];

/// The shortest paragraph whose second standing is told of, in letters.
const LONG_PARAGRAPH: usize = 80;

const FORMATS: [&str; 5] = ["json", "yaml", "xml", "csv", "toml"];
const DEMANDS: [&str; 7] = [
    "answer in",
    "reply in",
    "respond in",
    "reply with",
    "respond with",
    "output",
    "return",
];

/// Words after which a date is one of today.
const NOW_WORDS: [&str; 5] = [
    "today is",
    "current date",
    "current time",
    "as of today",
    "it is now",
];

/// Checks the files that people write.
pub(super) fn check(subject: &Subject, found: &mut Vec<Finding>) {
    let mut paragraphs: BTreeMap<String, (String, usize)> = BTreeMap::new();
    for kind in [FileKind::Bootstrap, FileKind::Memory, FileKind::Skill] {
        for (path, text) in subject.survey.of(kind) {
            phrases(path, text, found);
            format(path, text, found);
            repeated(path, text, &mut paragraphs, found);
        }
    }
    for (path, text) in subject.survey.of(FileKind::Prompt) {
        phrases(path, text, found);
        format(path, text, found);
    }
}

fn phrases(path: &str, text: &str, found: &mut Vec<Finding>) {
    for (start, line) in outside_code(text) {
        let at = |byte: usize| Place::of(text, start + byte);
        let open = word_of(line, &PLACEHOLDERS, true);
        if let Some((byte, word)) =
            open.filter(|(byte, word)| is_open(&line[byte + word.len()..], word))
        {
            let message = format!("{word:?} was left to be filled in, and goes to the model");
            found.push(
                finding("placeholder-text", message, "fill it in, or delete it").at(path, at(byte)),
            );
        }
        if let Some((byte, word)) = word_of(line, &VAGUE, false) {
            let message = format!("{word:?} leaves open what is meant");
            found.push(
                finding("vague-instruction", message, "say when, or what exactly")
                    .at(path, at(byte)),
            );
        }
        if let Some((byte, word)) = word_of(line, &NOW_WORDS, false)
            && let Some(date) = date_after(line, byte)
        {
            let message = format!(
                "{word:?} with the date {date} changes by the day: each change voids the cached prefix, and the runtime context tells the time anyhow"
            );
            found.push(finding("volatile-text", message, "leave the date out").at(path, at(byte)));
        }
    }
}

/// Tells whether a mark is one that something is missing, rather than a word of a sentence.
fn is_open(after: &str, word: &str) -> bool {
    let is_mark = word.chars().all(char::is_uppercase);
    let after = after.trim_start();
    !is_mark || after.is_empty() || after.starts_with([':', '(', '!', '?'])
}

/// Finds a phrase of a list that begins a word; capitals count where the phrase has some.
fn word_of(
    line: &str,
    phrases: &[&'static str],
    counts_case: bool,
) -> Option<(usize, &'static str)> {
    let lower = line.to_ascii_lowercase();
    phrases.iter().find_map(|phrase| {
        let is_cased = counts_case && phrase.chars().any(char::is_uppercase);
        let hay = if is_cased { line } else { lower.as_str() };
        let mut hits = hay.match_indices(phrase);
        let at = hits.find(|(at, _)| {
            let before = hay[..*at].chars().next_back();
            let after = hay[at + phrase.len()..].chars().next();
            let ends = !phrase.ends_with(char::is_alphanumeric)
                || after.is_none_or(|c| !c.is_alphanumeric());
            ends && before.is_none_or(|c| !c.is_alphanumeric()) && !is_in_span(line, *at)
        });
        at.map(|(at, _)| (at, *phrase))
    })
}

/// Finds a date such as 2026-06-19 behind a byte of a line.
fn date_after(line: &str, byte: usize) -> Option<&str> {
    let rest = &line[byte..];
    let is_date = |text: &str| {
        text.bytes().enumerate().all(|(at, byte)| match at {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        })
    };
    (0..rest.len()).find_map(|at| rest.get(at..at + 10).filter(|text| is_date(text)))
}

fn format(path: &str, text: &str, found: &mut Vec<Finding>) {
    let has_example = text.contains("```") || text.contains("~~~");
    if has_example {
        return;
    }
    for (start, line) in outside_code(text) {
        let lower = line.to_ascii_lowercase();
        let demand = DEMANDS.iter().find_map(|demand| lower.find(demand));
        let format = FORMATS
            .iter()
            .find(|format| word_of(&lower, &[**format], false).is_some());
        let is_forbidden = ["never", "not ", "n't"]
            .iter()
            .any(|word| lower.contains(word));
        if let (Some(at), Some(format), false) = (demand, format, is_forbidden) {
            let format = format.to_uppercase();
            let message = format!("{format} is demanded and the file shows none");
            found.push(
                finding(
                    "format-without-example",
                    message,
                    "add an example in a code fence",
                )
                .at(path, Place::of(text, start + at)),
            );
        }
    }
}

fn repeated(
    path: &str,
    text: &str,
    known: &mut BTreeMap<String, (String, usize)>,
    found: &mut Vec<Finding>,
) {
    let mut start = 0;
    for paragraph in text.split("\n\n") {
        let own = paragraph.trim_start();
        let at = start + paragraph.len() - own.len();
        start += paragraph.len() + 2;
        let words = own
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
            .to_lowercase();
        if words.chars().count() < LONG_PARAGRAPH {
            continue;
        }
        let place = Place::of(text, at);
        match known.get(&words) {
            Some((other, line)) => {
                let message = format!(
                    "this paragraph stands in {other} on line {line} too, and is sent twice"
                );
                found.push(
                    finding("repeated-paragraph", message, "keep one of them").at(path, place),
                );
            }
            None => {
                known.insert(words, (path.to_owned(), place.line));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_begin_words_and_stand_in_no_code() {
        let placeholder = |line: &str| word_of(line, &PLACEHOLDERS, true).map(|(at, _)| at);
        assert_eq!(placeholder("- TODO: write"), Some(2));
        assert_eq!(placeholder("the todo list"), None);
        assert_eq!(placeholder("Lorem ipsum dolor"), Some(0));
        assert_eq!(placeholder("call `TODO` so"), None);
        assert_eq!(placeholder("AUTODOC"), None);
        assert_eq!(placeholder("Dear [Your name]"), Some(5));
        assert_eq!(date_after("Today is 2026-06-19.", 0), Some("2026-06-19"));
        assert_eq!(date_after("Today is Friday, 12:00-13:00", 0), None);
    }
}

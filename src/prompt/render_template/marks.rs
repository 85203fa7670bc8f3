//! Marks that travel through a template's rendering, so that every piece of the outcome is known by
//! the line that it comes from.
//!
//! A mark is one private character per origin. It stands in front of each line of a template and
//! around each value that is put in. What is rendered with marks and then rid of them must be what
//! is rendered without: where it is not, the marks have changed the outcome and are not used.

use std::path::Path;
use std::sync::Arc;

use crate::prompt::provenance::{Origin, Place, Traced};

/// The first of the private characters; the last ones stand for lone surrogates elsewhere.
const FIRST: u32 = 0x10_0000;
/// Ends a value: what follows belongs to the template again.
const END: char = '\u{10F000}';
/// How many origins can be told apart.
const MOST: usize = 0xF000;

/// The origins behind the marks.
#[derive(Debug, Default)]
pub(super) struct Marks {
    origins: Vec<(Origin, Kind)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Template,
    Value,
}

/// Tells whether a text holds characters that would be taken for marks.
pub(super) fn holds_marks(text: &str) -> bool {
    // All of them begin with the same byte.
    text.as_bytes().contains(&0xF4)
        && text
            .chars()
            .any(|c| (FIRST..=u32::from(END)).contains(&u32::from(c)))
}

impl Marks {
    /// Gives the mark of an origin; `None` where there are too many.
    fn mark(&mut self, origin: Origin, kind: Kind) -> Option<char> {
        let at = self.origins.len();
        if at >= MOST {
            return None;
        }
        self.origins.push((origin, kind));
        char::from_u32(FIRST + u32::try_from(at).ok()?)
    }

    /// Marks a value's pieces.
    pub(super) fn value(&mut self, value: &Traced) -> Option<String> {
        let mut marked = String::new();
        for span in value.spans() {
            marked.push(self.mark(span.origin.clone(), Kind::Value)?);
            marked.push_str(&value.text()[span.range.clone()]);
        }
        marked.push(END);
        Some(marked)
    }

    /// Marks the lines of a template, but those where a mark would get in the way of a tag: lines
    /// inside one, lines that begin with one, and lines to which white space control reaches.
    pub(super) fn template(&mut self, path: &Arc<Path>, text: &str) -> Option<String> {
        let mut marked = String::new();
        let mut open: Option<&str> = None;
        let mut at = 0;
        for (index, line) in text.split_inclusive('\n').enumerate() {
            // White space control takes blank lines in front of it away, and a mark would stop it.
            let start = match line.trim_start() {
                "" => text[at..].trim_start(),
                start => start,
            };
            at += line.len();
            let before = marked.trim_end();
            let is_reached = ["-%}", "-}}", "-#}"]
                .iter()
                .any(|end| before.ends_with(end));
            let begins = |tags: &[&str]| tags.iter().any(|tag| start.starts_with(tag));
            let is_blank = line.trim_start().is_empty();
            let is_tag = begins(&["{{-", "{%-", "{#-"]) || (!is_blank && begins(&["{%", "{#"]));
            if open.is_none() && !is_reached && !is_tag {
                let place = Place {
                    path: path.clone(),
                    line: index + 1,
                };
                marked.push(self.mark(Origin::Template(place), Kind::Template)?);
            }
            open = still_open(line, open);
            marked.push_str(line);
        }
        Some(marked)
    }

    /// Takes the marks out again, and says where each piece comes from. What stands before the
    /// first mark is somewhere in the template.
    pub(super) fn resolve(&self, rendered: &str, path: &Arc<Path>) -> Traced {
        let mut traced = Traced::default();
        let mut template = Origin::SomewhereIn(path.clone());
        let mut value = None;
        let mut from = 0;
        for (at, mark) in rendered.char_indices() {
            if !(FIRST..=u32::from(END)).contains(&u32::from(mark)) {
                continue;
            }
            traced.push(
                &rendered[from..at],
                value.as_ref().unwrap_or(&template).clone(),
            );
            from = at + mark.len_utf8();
            if mark == END {
                value = None;
                continue;
            }
            let index = usize::try_from(u32::from(mark) - FIRST).unwrap_or(MOST);
            match self.origins.get(index) {
                Some((origin, Kind::Value)) => value = Some(origin.clone()),
                Some((origin, Kind::Template)) => {
                    template = origin.clone();
                    value = None;
                }
                None => {}
            }
        }
        traced.push(&rendered[from..], value.unwrap_or(template));
        traced
    }
}

/// Gives the end of the tag that is still open after a line.
fn still_open<'a>(line: &str, mut open: Option<&'a str>) -> Option<&'a str> {
    let mut rest = line;
    loop {
        if let Some(end) = open {
            match rest.find(end) {
                None => return open,
                Some(at) => rest = &rest[at + end.len()..],
            }
        }
        let tags = [("{%", "%}"), ("{{", "}}"), ("{#", "#}")];
        let first = tags
            .iter()
            .filter_map(|(tag, end)| rest.find(tag).map(|at| (at, *end)))
            .min();
        match first {
            None => return None,
            Some((at, end)) => {
                rest = &rest[at + 2..];
                open = Some(end);
            }
        }
    }
}

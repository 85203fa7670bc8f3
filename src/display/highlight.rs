//! Syntax highlighting of prompts: which stretch of a line plays which part.
//!
//! The result is not colours but [`Slot`]s, which themes map to styles. [`Outline`] looks once at a
//! changed text and remembers what each line lies in; after that, any line is parsed by itself, so
//! the end of a text costs no more than its start.

mod grammar;
mod outline;

use std::ops::Range;
use std::sync::OnceLock;

use unicode_width::UnicodeWidthChar;

use grammar::{Grammar, Syntax};
pub use outline::{Language, Outline};
use outline::{Mode, Until};

/// Characters of the longest line that is parsed; longer ones are data, and come plain.
const LONGEST_LINE: usize = 2000;
/// How deep parts are looked for inside parts: a placeholder in emphasis in a heading in a quote.
const DEEPEST: usize = 4;

/// Names the part that a stretch of text plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Slot {
    /// Ordinary text.
    Text,
    /// A heading line.
    Heading,
    /// Strong (bold) text.
    Strong,
    /// Emphasised (italic) text.
    Emphasis,
    /// Inline code, and the lines of a fence in a language that is not known here.
    Code,
    /// A line that opens or closes a fence or front matter.
    Fence,
    /// The marker of a list item, with its check box.
    List,
    /// A block quote.
    Quote,
    /// A link, an image or a bare address.
    Link,
    /// A comment, which the model reads like any other text.
    Comment,
    /// A horizontal rule.
    Rule,
    /// A key of JSON or YAML.
    Key,
    /// A string of JSON, or a quoted or block one of YAML.
    String,
    /// A number of JSON or YAML.
    Number,
    /// `true`, `null` and their kind.
    Constant,
    /// A placeholder or statement of a template: `{{ name }}`, `{% if %}`.
    Placeholder,
}

impl Slot {
    /// Lists every slot, in the order of their declaration.
    pub const ALL: [Slot; 16] = [
        Slot::Text,
        Slot::Heading,
        Slot::Strong,
        Slot::Emphasis,
        Slot::Code,
        Slot::Fence,
        Slot::List,
        Slot::Quote,
        Slot::Link,
        Slot::Comment,
        Slot::Rule,
        Slot::Key,
        Slot::String,
        Slot::Number,
        Slot::Constant,
        Slot::Placeholder,
    ];
}

/// Is a stretch of bytes in the whole text and the part that it plays.
pub type Span = (Range<usize>, Slot);

/// Finds the spans of lines.
///
/// Making one costs nothing; the grammars are built when the first line is asked for.
#[derive(Debug, Default)]
pub struct Highlighter {
    grammar: OnceLock<Grammar>,
}

impl Highlighter {
    /// Makes a highlighter.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Gives the spans of some lines, those that a pane shows.
    ///
    /// The spans of a line follow each other without a gap and cover the line without its newline;
    /// none begins with an accent that belongs to the character before it. Lines that the text does
    /// not have are left out, and a line where `outline` is of another text may come without spans.
    #[must_use]
    pub fn lines(&self, text: &str, outline: &Outline, lines: Range<usize>) -> Vec<Vec<Span>> {
        let grammar = self.grammar.get_or_init(Grammar::new);
        let end = lines.end.min(outline.line_count());
        (lines.start..end)
            .map(|number| {
                let (range, mode) = outline.line(number);
                text.get(range.clone())
                    .map_or_else(Vec::new, |line| spans(grammar, line, range.start, mode))
            })
            .collect()
    }
}

fn spans(grammar: &Grammar, line: &str, start: usize, mode: Mode) -> Vec<Span> {
    let mut painter = Painter {
        grammar,
        line,
        start,
        spans: Vec::new(),
    };
    let base = mode.slot();
    // A carriage return would keep the grammars from seeing the end of the line.
    let seen = line.strip_suffix('\r').unwrap_or(line).len();
    if !is_longer(line, LONGEST_LINE) {
        match mode {
            Mode::Markdown => painter.parse(Syntax::Markdown, 0..seen, base, 0),
            Mode::Json => painter.parse(Syntax::Json, 0..seen, base, 0),
            Mode::Yaml => painter.parse(Syntax::Yaml, 0..seen, base, 0),
            Mode::Code | Mode::Scalar => painter.parse(Syntax::Placeholders, 0..seen, base, 0),
            Mode::Comment(until) => painter.comment(seen, until),
            Mode::Fence => {}
        }
    }
    painter.paint(line.len(), base);
    painter.spans
}

fn is_longer(line: &str, chars: usize) -> bool {
    line.len() > chars && line.chars().nth(chars).is_some()
}

/// Collects the spans of one line.
struct Painter<'a> {
    grammar: &'a Grammar,
    line: &'a str,
    /// Where the line starts in the text.
    start: usize,
    spans: Vec<Span>,
}

impl Painter<'_> {
    /// Paints from the end of the last span to `end`.
    fn paint(&mut self, end: usize, slot: Slot) {
        let joins = |c: &char| !c.is_ascii() && c.width().unwrap_or(0) == 0;
        let accents = self.line[end..].chars().take_while(joins);
        let end = self.start + end + accents.map(char::len_utf8).sum::<usize>();
        let from = self.spans.last().map_or(self.start, |(last, _)| last.end);
        if from >= end {
            return;
        }
        match self.spans.last_mut() {
            Some((last, same)) if *same == slot => last.end = end,
            _ => self.spans.push((from..end, slot)),
        }
    }

    /// Paints a range by a grammar, and what it finds by the grammar of its inside.
    fn parse(&mut self, syntax: Syntax, range: Range<usize>, base: Slot, depth: usize) {
        let text = &self.line[range.clone()];
        let plain = syntax == Syntax::Placeholders && !text.contains("{{") && !text.contains("{%");
        if depth < DEEPEST && !plain {
            for (token, slot) in self.grammar.tokens(syntax, text) {
                let token = range.start + token.start..range.start + token.end;
                self.paint(token.start, base);
                if let Some((syntax, inside)) = inside(slot, &self.line[token.clone()]) {
                    let inside = token.start + inside.start..token.start + inside.end;
                    self.paint(inside.start, slot);
                    self.parse(syntax, inside, slot, depth + 1);
                }
                self.paint(token.end, slot);
            }
        }
        self.paint(range.end, base);
    }

    fn comment(&mut self, seen: usize, until: Until) {
        let line = &self.line[..seen];
        if let Some(at) = line.find(until.text()) {
            let end = at + until.text().len();
            self.paint(end, Slot::Comment);
            self.parse(Syntax::Inline, end..seen, Slot::Text, 0);
        }
    }
}

/// Says which part of a token is parsed again, and how.
fn inside(slot: Slot, token: &str) -> Option<(Syntax, Range<usize>)> {
    let (syntax, trim) = match slot {
        Slot::Heading => (Syntax::Inline, 0),
        Slot::Strong => (Syntax::Inline, 2),
        Slot::Emphasis => (Syntax::Inline, 1),
        Slot::Quote => {
            let start = token.find('>')? + 1;
            return Some((Syntax::Markdown, start..token.len()));
        }
        Slot::Code | Slot::Link | Slot::Key | Slot::String => (Syntax::Placeholders, 0),
        _ => return None,
    };
    // The delimiters are ASCII, so the cut is on a character boundary.
    (token.len() > 2 * trim).then(|| (syntax, trim..token.len() - trim))
}

#[cfg(test)]
mod tests;

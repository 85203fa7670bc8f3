//! Markdown without its marks: what it looks like where it is rendered, for reading only.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use super::highlight::Slot;
use super::sanitize::Symbols;

/// A rendered text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Rendered {
    /// The text.
    pub text: String,
    /// The pieces that look like something, in order; between them it is plain text.
    pub slots: Vec<(Range<usize>, Slot)>,
    /// For each line, the line of the source that it begins in, from 0.
    pub lines: Vec<usize>,
}

/// Renders Markdown.
#[must_use]
pub fn rendered(source: &str, symbols: Symbols) -> Rendered {
    let mut writer = Writer::new(source, symbols);
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    for (event, range) in Parser::new_ext(source, options).into_offset_iter() {
        writer.event(event, range.start);
    }
    writer.finish()
}

struct Writer<'a> {
    source: &'a str,
    symbols: Symbols,
    /// The source's bytes whose lines were counted, and their count.
    counted: (usize, usize),
    out: Rendered,
    /// What inline text looks like, the innermost last.
    looks: Vec<Slot>,
    /// The open lists: the number of the next item, or none for bullets.
    lists: Vec<Option<u64>>,
    quotes: usize,
    in_code: bool,
    is_line_begun: bool,
    /// Whether the next block stands apart from the last.
    is_apart: bool,
    cells: usize,
}

impl<'a> Writer<'a> {
    fn new(source: &'a str, symbols: Symbols) -> Self {
        Self {
            source,
            symbols,
            counted: (0, 0),
            out: Rendered::default(),
            looks: Vec::new(),
            lists: Vec::new(),
            quotes: 0,
            in_code: false,
            is_line_begun: false,
            is_apart: false,
            cells: 0,
        }
    }

    fn event(&mut self, event: Event<'_>, at: usize) {
        match event {
            Event::Start(tag) => self.start(&tag, at),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => self.text(&text, at),
            Event::Code(text) => self.looking(Slot::Code, &text, at),
            Event::Html(text) | Event::InlineHtml(text) => {
                self.looking(Slot::Comment, text.trim_end_matches('\n'), at);
                if text.ends_with('\n') {
                    self.end_line();
                }
            }
            Event::SoftBreak => self.text(" ", at),
            Event::HardBreak => self.end_line(),
            Event::Rule => {
                self.block(at);
                self.looking(Slot::Rule, &self.symbols.spell("────────────────"), at);
                self.end_line();
                self.is_apart = true;
            }
            Event::TaskListMarker(done) => {
                self.looking(Slot::List, if done { "[x] " } else { "[ ] " }, at);
            }
            Event::FootnoteReference(text) | Event::InlineMath(text) | Event::DisplayMath(text) => {
                self.text(&text, at);
            }
        }
    }

    fn start(&mut self, tag: &Tag<'_>, at: usize) {
        match tag {
            Tag::Heading { level, .. } => {
                self.block(at);
                self.looks.push(Slot::Heading);
                if *level > HeadingLevel::H2 {
                    self.text(&self.symbols.spell("· "), at);
                }
            }
            Tag::BlockQuote(_) => {
                self.block(at);
                self.quotes += 1;
                self.looks.push(Slot::Quote);
            }
            Tag::CodeBlock(kind) => {
                self.block(at);
                if let CodeBlockKind::Fenced(language) = kind
                    && !language.is_empty()
                {
                    self.looking(Slot::Fence, &format!("    {language}"), at);
                    self.end_line();
                }
                self.in_code = true;
            }
            Tag::List(first) => {
                if self.lists.is_empty() {
                    self.block(at);
                } else {
                    self.end_line();
                }
                self.lists.push(*first);
            }
            Tag::Item => self.item(at),
            Tag::Paragraph | Tag::HtmlBlock | Tag::Table(_)
                if (self.lists.is_empty() || !self.is_line_begun) =>
            {
                self.block(at);
            }
            Tag::TableCell => {
                if self.cells > 0 {
                    self.looking(Slot::Rule, &self.symbols.spell(" │ "), at);
                }
                self.cells += 1;
            }
            Tag::Emphasis => self.looks.push(Slot::Emphasis),
            Tag::TableHead | Tag::Strong => self.looks.push(Slot::Strong),
            Tag::Link { .. } | Tag::Image { .. } => self.looks.push(Slot::Link),
            _ => {}
        }
    }

    fn item(&mut self, at: usize) {
        self.end_line();
        let depth = self.lists.len().saturating_sub(1);
        let mark = match self.lists.last_mut() {
            Some(Some(number)) => {
                let mark = format!("{number}. ");
                *number += 1;
                mark
            }
            _ => self.symbols.spell("• ").into_owned(),
        };
        self.is_apart = false;
        self.looking(Slot::List, &format!("{}{mark}", "  ".repeat(depth)), at);
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(_) => {
                self.looks.pop();
                self.end_line();
                self.is_apart = true;
            }
            TagEnd::Paragraph | TagEnd::HtmlBlock | TagEnd::Table => {
                self.end_line();
                self.is_apart = true;
            }
            TagEnd::BlockQuote(_) => {
                self.looks.pop();
                self.quotes -= 1;
                self.is_apart = true;
            }
            TagEnd::CodeBlock => {
                self.in_code = false;
                self.end_line();
                self.is_apart = true;
            }
            TagEnd::List(_) => {
                self.lists.pop();
                self.end_line();
                self.is_apart = true;
            }
            TagEnd::Item => {
                self.end_line();
                self.is_apart = false;
            }
            TagEnd::TableRow | TagEnd::TableHead => {
                if tag == TagEnd::TableHead {
                    self.looks.pop();
                }
                self.cells = 0;
                self.end_line();
            }
            TagEnd::Emphasis | TagEnd::Strong | TagEnd::Link | TagEnd::Image => {
                self.looks.pop();
            }
            _ => {}
        }
    }

    /// Begins a block: on a line of its own, after an empty one where it stands apart.
    fn block(&mut self, at: usize) {
        self.end_line();
        if self.is_apart && !self.out.text.is_empty() {
            self.begin_line(at);
            self.out.text.push('\n');
            self.is_line_begun = false;
        }
        self.is_apart = false;
    }

    fn text(&mut self, text: &str, at: usize) {
        if !self.in_code {
            let slot = self.looks.last().copied().unwrap_or(Slot::Text);
            self.looking(slot, text, at);
            return;
        }
        // In code, the lines of one piece are lines of the source.
        let mut at = at;
        for line in text.split_inclusive('\n') {
            match line.trim_end_matches('\n') {
                "" => self.begin_line(at),
                code => self.looking(Slot::Code, &format!("    {code}"), at),
            }
            if line.ends_with('\n') {
                self.end_line();
            }
            at += line.len();
        }
    }

    fn looking(&mut self, slot: Slot, text: &str, at: usize) {
        self.begin_line(at);
        let start = self.out.text.len();
        self.out.text.push_str(text);
        if slot != Slot::Text && !text.is_empty() {
            self.out.slots.push((start..self.out.text.len(), slot));
        }
    }

    fn begin_line(&mut self, at: usize) {
        if self.is_line_begun {
            return;
        }
        self.is_line_begun = true;
        let at = at.min(self.source.len()).max(self.counted.0);
        let bytes = &self.source.as_bytes()[self.counted.0..at];
        let more = bytes
            .iter()
            .fold(0, |lines, byte| lines + usize::from(*byte == b'\n'));
        self.counted = (at, self.counted.1 + more);
        self.out.lines.push(self.counted.1);
        if self.quotes > 0 {
            let start = self.out.text.len();
            let bars = "│ ".repeat(self.quotes);
            self.out.text.push_str(&self.symbols.spell(&bars));
            self.out
                .slots
                .push((start..self.out.text.len(), Slot::Quote));
        }
    }

    fn end_line(&mut self) {
        if self.is_line_begun {
            self.out.text.push('\n');
            self.is_line_begun = false;
        }
    }

    fn finish(mut self) -> Rendered {
        self.end_line();
        self.out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_gone_and_lines_lead_to_the_source() {
        let source = "# Head\n\nSome *soft* and **strong**\ntext with `code` and [a link](x).\n\n\
            - one\n- two\n  1. deep\n\n```rust\nlet a;\n\nlet b;\n```\n> said\n\n---\n\n| a | b |\n|---|---|\n| 1 | 2 |\n";
        let out = rendered(source, Symbols::Unicode);
        let wanted = "Head\n\nSome soft and strong text with code and a link.\n\n\
            • one\n• two\n  1. deep\n\n    rust\n    let a;\n\n    let b;\n\n│ said\n\n────────────────\n\na │ b\n1 │ 2\n";
        assert_eq!(out.text, wanted);
        assert_eq!(out.lines.len(), out.text.lines().count());
        let of = |text: &str| {
            let at = out
                .text
                .lines()
                .position(|line| line.contains(text))
                .unwrap();
            source.lines().nth(out.lines[at]).unwrap()
        };
        assert_eq!(of("strong text"), "Some *soft* and **strong**");
        assert_eq!(of("let b;"), "let b;");
        assert_eq!(of("1. deep"), "  1. deep");
        assert_eq!(of("1 │ 2"), "| 1 | 2 |");
        let slot = |text: &str| {
            let at = out.text.find(text).unwrap();
            let found = out.slots.iter().find(|(range, _)| range.contains(&at));
            found.map(|(_, slot)| *slot)
        };
        assert_eq!(slot("Head"), Some(Slot::Heading));
        assert_eq!(slot("soft"), Some(Slot::Emphasis));
        assert_eq!(slot("code"), Some(Slot::Code));
        assert_eq!(slot("a link"), Some(Slot::Link));
        assert_eq!(slot("Some"), None);
    }

    #[test]
    fn what_is_no_markdown_stays_as_it_is() {
        assert_eq!(rendered("", Symbols::Unicode).text, "");
        assert_eq!(
            rendered("plain\n\n\nwords", Symbols::Unicode).text,
            "plain\n\nwords\n"
        );
        assert_eq!(rendered("<b>x</b>\n", Symbols::Unicode).text, "<b>x</b>\n");
    }

    proptest::proptest! {
        #[test]
        fn every_text_is_rendered_with_a_line_for_each(source in "[#*_`\\-\\[\\]()|> \n\t0-9a-cé日]{0,80}") {
            let out = rendered(&source, Symbols::Unicode);
            proptest::prop_assert_eq!(out.lines.len(), out.text.lines().count());
            let lines = source.lines().count().max(1);
            proptest::prop_assert!(out.lines.iter().all(|line| *line < lines));
            for (range, _) in &out.slots {
                proptest::prop_assert!(out.text.get(range.clone()).is_some());
            }
        }
    }
}

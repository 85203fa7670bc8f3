//! The scanner: cuts the text into tokens, only as far as they are asked for.
//!
//! A key without `?` is only known for one when its `:` is reached. Until then the tokens from
//! its beginning on are held back, so that the key's own token can be put before them.

mod layout;

use std::collections::VecDeque;

use layout::Candidate;

use super::reader::{Mark, Reader, ends_token};
use super::token::{Token, TokenKind};
use super::{YamlFailure, plain, properties, quoted};

pub(super) struct Scanner {
    reader: Reader,
    /// Tokens cut but not yet taken.
    queue: VecDeque<Token>,
    taken: usize,
    done: bool,
    /// How many brackets are open.
    level: usize,
    /// The columns of the open blocks, innermost last.
    blocks: Vec<usize>,
    /// At most one for each level, outermost and therefore first in the text first.
    candidates: Vec<Candidate>,
    /// Whether a key may begin at the next character.
    key_allowed: bool,
}

impl Scanner {
    pub fn new(reader: Reader) -> Self {
        Self {
            reader,
            queue: VecDeque::new(),
            taken: 0,
            done: false,
            level: 0,
            blocks: Vec::new(),
            candidates: Vec::new(),
            key_allowed: true,
        }
    }

    /// Gives the next token.
    pub fn peek(&mut self) -> Result<&Token, YamlFailure> {
        while !self.done && self.must_look_further()? {
            self.fetch()?;
        }
        let end = self.reader.mark();
        if self.queue.is_empty() {
            self.push(TokenKind::StreamEnd, end);
        }
        Ok(&self.queue[0])
    }

    /// Takes the next token.
    pub fn next(&mut self) -> Result<Token, YamlFailure> {
        self.peek()?;
        self.taken += 1;
        let end = self.reader.mark();
        Ok(self.queue.pop_front().unwrap_or(Token {
            kind: TokenKind::StreamEnd,
            start: end,
            end,
        }))
    }

    fn must_look_further(&mut self) -> Result<bool, YamlFailure> {
        if self.queue.is_empty() {
            return Ok(true);
        }
        self.drop_stale_candidates()?;
        let first = self.candidates.first();
        Ok(first.is_some_and(|candidate| candidate.token == self.taken))
    }

    /// Cuts the next piece of the text.
    fn fetch(&mut self) -> Result<(), YamlFailure> {
        self.skip_to_token();
        self.drop_stale_candidates()?;
        let start = self.reader.mark();
        self.close_blocks(Some(start.column));
        let c = self.reader.peek();
        let alone = ends_token(self.reader.peek_at(1));
        let in_flow = self.level > 0;
        match c {
            '\0' => self.fetch_end(),
            '%' if start.column == 0 => self.fetch_directive(),
            '-' if start.column == 0 && self.reader.at_word("---") => {
                self.fetch_document_mark(TokenKind::DocumentStart)
            }
            '.' if start.column == 0 && self.reader.at_word("...") => {
                self.fetch_document_mark(TokenKind::DocumentEnd)
            }
            '[' => self.fetch_open(TokenKind::FlowSequenceStart),
            '{' => self.fetch_open(TokenKind::FlowMappingStart),
            ']' => self.fetch_close(TokenKind::FlowSequenceEnd),
            '}' => self.fetch_close(TokenKind::FlowMappingEnd),
            ',' => {
                self.key_allowed = true;
                self.drop_candidate()?;
                self.push_indicator(TokenKind::FlowEntry);
                Ok(())
            }
            '-' if alone => self.fetch_block_entry(),
            '?' if in_flow || alone => self.fetch_key(),
            ':' if in_flow || alone => self.fetch_value(),
            '*' | '&' => {
                self.save_candidate()?;
                self.key_allowed = false;
                let kind = properties::anchor_or_alias(&mut self.reader)?;
                self.push(kind, start);
                Ok(())
            }
            '!' => {
                self.save_candidate()?;
                self.key_allowed = false;
                let tag = properties::tag(&mut self.reader)?;
                self.push(TokenKind::Tag(tag), start);
                Ok(())
            }
            '|' | '>' if !in_flow => {
                self.key_allowed = true;
                self.drop_candidate()?;
                let least = self.blocks.last().map_or(1, |column| column + 1);
                let text = super::block::scalar(&mut self.reader, least)?;
                self.push_scalar(text, false, start);
                Ok(())
            }
            '\'' | '"' => {
                self.save_candidate()?;
                self.key_allowed = false;
                let text = quoted::scalar(&mut self.reader)?;
                self.push_scalar(text, false, start);
                Ok(())
            }
            _ if plain::begins(&self.reader, in_flow) => self.fetch_plain(),
            _ => start.reject(format!("nothing can begin with the character {c:?}")),
        }
    }

    /// Moves over spaces, comments and line ends. A tab is none of them.
    fn skip_to_token(&mut self) {
        if self.reader.index() == 0 && self.reader.peek() == '\u{feff}' {
            self.reader.skip(1);
        }
        loop {
            self.reader.skip_spaces();
            self.reader.skip_comment();
            if self.reader.take_break().is_none() {
                return;
            }
            self.key_allowed |= self.level == 0;
        }
    }

    fn fetch_end(&mut self) -> Result<(), YamlFailure> {
        self.close_blocks(None);
        self.drop_candidate()?;
        self.candidates.clear();
        self.push(TokenKind::StreamEnd, self.reader.mark());
        self.done = true;
        Ok(())
    }

    fn fetch_directive(&mut self) -> Result<(), YamlFailure> {
        self.close_blocks(None);
        self.drop_candidate()?;
        self.key_allowed = false;
        let start = self.reader.mark();
        let directive = super::directive::scan(&mut self.reader)?;
        self.push(TokenKind::Directive(directive), start);
        Ok(())
    }

    fn fetch_document_mark(&mut self, kind: TokenKind) -> Result<(), YamlFailure> {
        self.close_blocks(None);
        self.drop_candidate()?;
        self.key_allowed = false;
        let start = self.reader.mark();
        self.reader.skip(3);
        self.push(kind, start);
        Ok(())
    }

    fn fetch_open(&mut self, kind: TokenKind) -> Result<(), YamlFailure> {
        self.save_candidate()?;
        self.level += 1;
        self.key_allowed = true;
        self.push_indicator(kind);
        Ok(())
    }

    fn fetch_close(&mut self, kind: TokenKind) -> Result<(), YamlFailure> {
        self.drop_candidate()?;
        // A bracket that closes nothing is refused before anything after it is looked at.
        self.level = self.level.saturating_sub(1);
        self.key_allowed = false;
        self.push_indicator(kind);
        Ok(())
    }

    fn fetch_block_entry(&mut self) -> Result<(), YamlFailure> {
        self.open_block("a list item", TokenKind::BlockSequenceStart)?;
        self.key_allowed = true;
        self.drop_candidate()?;
        self.push_indicator(TokenKind::BlockEntry);
        Ok(())
    }

    fn fetch_key(&mut self) -> Result<(), YamlFailure> {
        self.open_block("a key", TokenKind::BlockMappingStart)?;
        self.key_allowed = self.level == 0;
        self.drop_candidate()?;
        self.push_indicator(TokenKind::Key);
        Ok(())
    }

    fn fetch_value(&mut self) -> Result<(), YamlFailure> {
        if let Some(key) = self.candidates.pop_if(|key| key.level == self.level) {
            let at = key.token - self.taken;
            let token = |kind| Token {
                kind,
                start: key.mark,
                end: key.mark,
            };
            self.queue.insert(at, token(TokenKind::Key));
            if self.level == 0 && self.deepen(key.mark.column) {
                self.queue.insert(at, token(TokenKind::BlockMappingStart));
            }
            self.key_allowed = false;
        } else {
            self.open_block("a value", TokenKind::BlockMappingStart)?;
            self.key_allowed = self.level == 0;
            self.drop_candidate()?;
        }
        self.push_indicator(TokenKind::Value);
        Ok(())
    }

    fn fetch_plain(&mut self) -> Result<(), YamlFailure> {
        self.save_candidate()?;
        let start = self.reader.mark();
        let least = self.blocks.last().map_or(0, |column| column + 1);
        let scanned = plain::scalar(&mut self.reader, least, self.level > 0);
        self.key_allowed = scanned.ends_at_new_line;
        self.push_scalar(scanned.text, true, start);
        Ok(())
    }

    fn push(&mut self, kind: TokenKind, start: Mark) {
        let end = self.reader.mark();
        self.queue.push_back(Token { kind, start, end });
    }

    fn push_scalar(&mut self, text: String, plain: bool, start: Mark) {
        self.push(TokenKind::Scalar { text, plain }, start);
    }

    /// Cuts a token of one character.
    fn push_indicator(&mut self, kind: TokenKind) {
        let start = self.reader.mark();
        self.reader.skip(1);
        self.push(kind, start);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes the tokens of a text, one word each.
    fn tokens(text: &str) -> Result<String, YamlFailure> {
        let mut scanner = Scanner::new(Reader::new(text)?);
        let mut words = Vec::new();
        while scanner.peek()?.kind != TokenKind::StreamEnd {
            words.push(match scanner.next()?.kind {
                TokenKind::BlockSequenceStart => "-[".into(),
                TokenKind::BlockMappingStart => ":{".into(),
                TokenKind::BlockEnd => "end".into(),
                TokenKind::FlowSequenceStart => "[".into(),
                TokenKind::FlowSequenceEnd => "]".into(),
                TokenKind::FlowMappingStart => "{".into(),
                TokenKind::FlowMappingEnd => "}".into(),
                TokenKind::FlowEntry => ",".into(),
                TokenKind::BlockEntry => "-".into(),
                TokenKind::Key => "?".into(),
                TokenKind::Value => ":".into(),
                TokenKind::DocumentStart => "---".into(),
                TokenKind::DocumentEnd => "...".into(),
                TokenKind::Scalar { text, .. } => text,
                TokenKind::Alias(name) => format!("*{name}"),
                TokenKind::Anchor(name) => format!("&{name}"),
                TokenKind::Tag(tag) => format!("!{}", tag.suffix),
                other => other.describe().to_owned(),
            });
        }
        Ok(words.join(" "))
    }

    #[test]
    fn texts_are_cut_into_tokens() {
        for (text, expected) in [
            ("", ""),
            ("a", "a"),
            ("a: b", ":{ ? a : b end"),
            ("a:\n- b\n- c\nd:", ":{ ? a : - b - c ? d : end"),
            ("- a\n-\n  - b", "-[ - a - -[ - b end end"),
            (
                "- - a: b\n    c: d",
                "-[ - -[ - :{ ? a : b ? c : d end end end",
            ),
            ("? a\n: b", ":{ ? a : b end"),
            ("[a, {b: c}]: d", ":{ ? [ a , { ? b : c } ] : d end"),
            ("{\"a\":b, ? c}", "{ ? a : b , ? c }"),
            ("&a !b c: *d", ":{ ? &a !b c : *d end"),
            ("# x\n--- # y\na\n...\n", "--- a ..."),
            ("%A b\n---", "a directive ---"),
            ("a: |\n  b\nc: >\n  d\n", ":{ ? a : b\n ? c : d\n end"),
            ("[\n]\n", "[ ]"),
        ] {
            assert_eq!(tokens(text).as_deref(), Ok(expected), "{text:?}");
        }
    }

    #[test]
    fn a_key_is_on_one_line_and_not_too_long() {
        for (length, is_key) in [(1024, true), (1025, false)] {
            let text = format!("[{}: b]", "a".repeat(length));
            assert_eq!(tokens(&text).unwrap().contains('?'), is_key, "{length}");
        }
        assert!(!tokens("[a\n: b]").unwrap().contains('?'));
    }

    #[test]
    fn what_is_no_token_fails_in_its_place() {
        for (text, line, column) in [
            ("a: b: c", 1, 5),
            ("a: - b", 1, 4),
            ("a: ? b", 1, 4),
            ("\ta", 1, 1),
            ("a:\n\tb", 2, 1),
            ("@a", 1, 1),
            ("a: `b`", 1, 4),
            ("a: 1\nb\nc: 2", 3, 1),
            ("a: 1\nb", 2, 2),
            ("[|\n a]", 1, 2),
        ] {
            match tokens(text) {
                Err(YamlFailure::Yaml {
                    line: l, column: c, ..
                }) => {
                    assert_eq!((l, c), (line, column), "{text:?}");
                }
                other => panic!("{text:?} gives {other:?}"),
            }
        }
    }
}

//! The scanner: cuts the text into tokens, only as far as they are asked for.
//!
//! A key without `?` is only known for one when its `:` is reached. Until then the tokens from
//! its beginning on are held back, so that the key's own token can be put before them.

use std::collections::VecDeque;

use super::reader::{Mark, Reader, ends_token};
use super::token::{Token, TokenKind};
use super::{YamlFailure, plain, properties, quoted};

/// The most characters that a key without `?` may have.
const MAX_KEY: usize = 1024;

/// Something that is a key if a `:` follows it on the same line.
struct Candidate {
    /// How many brackets are open around it.
    level: usize,
    /// Its first token, counted from the beginning of the text.
    token: usize,
    /// Whether nothing but a key may stand there.
    required: bool,
    index: usize,
    mark: Mark,
}

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

    /// Begins a block at the next character, unless it belongs to one or to brackets.
    fn open_block(&mut self, what: &str, kind: TokenKind) -> Result<(), YamlFailure> {
        if self.level > 0 {
            return Ok(());
        }
        let mark = self.reader.mark();
        if !self.key_allowed {
            return mark.reject(format!("{what} cannot begin here"));
        }
        if self.deepen(mark.column) {
            self.push(kind, mark);
        }
        Ok(())
    }

    /// Opens a block at a column, unless one that is as deep is open.
    fn deepen(&mut self, column: usize) -> bool {
        let deeper = self.blocks.last() < Some(&column);
        if deeper {
            self.blocks.push(column);
        }
        deeper
    }

    /// Ends the blocks deeper than a column, or all of them. Brackets may stand at any column.
    fn close_blocks(&mut self, column: Option<usize>) {
        while self.level == 0 && self.blocks.last() > column.as_ref() {
            self.blocks.pop();
            self.push(TokenKind::BlockEnd, self.reader.mark());
        }
    }

    /// Notes that a key may begin at the next character.
    fn save_candidate(&mut self) -> Result<(), YamlFailure> {
        if !self.key_allowed {
            return Ok(());
        }
        self.drop_candidate()?;
        let mark = self.reader.mark();
        self.candidates.push(Candidate {
            level: self.level,
            token: self.taken + self.queue.len(),
            required: self.level == 0 && self.blocks.last() == Some(&mark.column),
            index: self.reader.index(),
            mark,
        });
        Ok(())
    }

    /// Forgets the candidate of the present level.
    fn drop_candidate(&mut self) -> Result<(), YamlFailure> {
        let level = self.level;
        match self.candidates.pop_if(|candidate| candidate.level == level) {
            Some(candidate) if candidate.required => self.missing_colon(),
            _ => Ok(()),
        }
    }

    /// Forgets the candidates that are too far back to be keys.
    fn drop_stale_candidates(&mut self) -> Result<(), YamlFailure> {
        let line = self.reader.mark().line;
        let index = self.reader.index();
        let stale = |candidate: &Candidate| {
            candidate.mark.line != line || index - candidate.index > MAX_KEY
        };
        if self.candidates.iter().any(|c| stale(c) && c.required) {
            return self.missing_colon();
        }
        self.candidates.retain(|candidate| !stale(candidate));
        Ok(())
    }

    fn missing_colon(&self) -> Result<(), YamlFailure> {
        self.reader.mark().reject("the `:` after a key is missing")
    }
}

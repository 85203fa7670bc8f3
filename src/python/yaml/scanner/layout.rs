//! What depends on the lines and columns of a text: its blocks, and the keys without `?`.

use super::Scanner;
use crate::python::yaml::YamlFailure;
use crate::python::yaml::reader::Mark;
use crate::python::yaml::token::TokenKind;

/// The most characters that a key without `?` may have.
const MAX_KEY: usize = 1024;

/// Something that is a key if a `:` follows it on the same line.
pub(super) struct Candidate {
    /// How many brackets are open around it.
    pub level: usize,
    /// Its first token, counted from the beginning of the text.
    pub token: usize,
    /// Whether nothing but a key may stand there.
    required: bool,
    index: usize,
    pub mark: Mark,
}

impl Scanner {
    /// Begins a block at the next character, unless it belongs to one or to brackets.
    pub(super) fn open_block(&mut self, what: &str, kind: TokenKind) -> Result<(), YamlFailure> {
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
    pub(super) fn deepen(&mut self, column: usize) -> bool {
        let deeper = self.blocks.last() < Some(&column);
        if deeper {
            self.blocks.push(column);
        }
        deeper
    }

    /// Ends the blocks deeper than a column, or all of them. Brackets may stand at any column.
    pub(super) fn close_blocks(&mut self, column: Option<usize>) {
        while self.level == 0 && self.blocks.last() > column.as_ref() {
            self.blocks.pop();
            self.push(TokenKind::BlockEnd, self.reader.mark());
        }
    }

    /// Notes that a key may begin at the next character.
    pub(super) fn save_candidate(&mut self) -> Result<(), YamlFailure> {
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
    pub(super) fn drop_candidate(&mut self) -> Result<(), YamlFailure> {
        let level = self.level;
        match self.candidates.pop_if(|candidate| candidate.level == level) {
            Some(candidate) if candidate.required => self.missing_colon(),
            _ => Ok(()),
        }
    }

    /// Forgets the candidates that are too far back to be keys.
    pub(super) fn drop_stale_candidates(&mut self) -> Result<(), YamlFailure> {
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

//! A built text, line by line, with the file and line that each line came from.

use std::ops::Range;
use std::sync::Arc;

use super::{Declared, Fault, FaultKind};
use crate::tokens::Counter;

/// A line of a built text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuiltLine {
    /// The text, without its line break.
    pub text: String,
    /// The source's file below the folder of prompts.
    pub path: Arc<str>,
    /// The line of that file, from 1.
    pub line: usize,
    /// The part that was put into the main file here; `None` for the main file's own lines.
    pub part: Option<Part>,
    /// The stretches of the text that come from lines of other files, the innermost last.
    pub pieces: Vec<Piece>,
}

/// A stretch of a line that comes from a line of another file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// The bytes of the line.
    pub range: Range<usize>,
    /// The source's file below the folder of prompts.
    pub path: Arc<str>,
    /// The line of that file, from 1.
    pub line: usize,
}

impl Piece {
    fn moved(self, by: usize) -> Self {
        Self {
            range: self.range.start + by..self.range.end + by,
            ..self
        }
    }
}

/// A file that was put into the main one, by an include or as a component, with all that it includes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Which one it is, so that the same file twice is two parts.
    pub number: usize,
    /// The file below the folder of prompts.
    pub path: Arc<str>,
}

impl BuiltLine {
    /// Gives the file and the line that a byte of the text comes from.
    pub(super) fn place_at(&self, at: usize) -> (Arc<str>, usize) {
        let mut pieces = self.pieces.iter().rev();
        match pieces.find(|piece| piece.range.contains(&at)) {
            Some(piece) => (piece.path.clone(), piece.line),
            None => (self.path.clone(), self.line),
        }
    }

    /// Puts lines of another file in the place of some bytes. Gives the lines that come of it, and where
    /// in the last of them what stood behind begins.
    pub(super) fn with(self, range: &Range<usize>, inner: Vec<Self>) -> (Vec<Self>, usize) {
        let (before, after) = (&self.text[..range.start], &self.text[range.end..]);
        let own: Vec<Piece> = self.pieces.clone();
        let (ahead, behind): (Vec<Piece>, Vec<Piece>) = own
            .into_iter()
            .partition(|piece| piece.range.end <= range.start);
        let count = inner.len();
        let mut lines = inner;
        if let Some(first) = lines.first_mut() {
            let whole = count == 1 && !after.trim().is_empty();
            first.put_behind(
                before,
                ahead,
                (!before.trim().is_empty() || whole).then_some(&self),
            );
        }
        let kept = lines.last().map_or(0, |last| last.text.len());
        if let Some(last) = lines.last_mut() {
            let is_own = !after.trim().is_empty();
            last.put_before(after, behind, range.end, is_own.then_some(&self));
        }
        (lines, kept)
    }

    /// Puts a text before this line; with an owner, the line is the owner's and what stood here a piece.
    fn put_behind(&mut self, before: &str, pieces: Vec<Piece>, owner: Option<&Self>) {
        let inner = std::mem::take(&mut self.pieces);
        let inner = inner.into_iter().map(|piece| piece.moved(before.len()));
        let mut all = pieces;
        if let Some(owner) = owner {
            all.push(Piece {
                range: before.len()..before.len() + self.text.len(),
                path: self.path.clone(),
                line: self.line,
            });
            self.owned_by(owner);
        }
        all.extend(inner);
        self.pieces = all;
        self.text.insert_str(0, before);
    }

    /// Puts a text behind this line, whose pieces counted from another start.
    fn put_before(&mut self, after: &str, pieces: Vec<Piece>, start: usize, owner: Option<&Self>) {
        let length = self.text.len();
        if let Some(owner) =
            owner.filter(|owner| owner.path != self.path || owner.line != self.line)
        {
            let inner = std::mem::take(&mut self.pieces);
            self.pieces.push(Piece {
                range: 0..length,
                path: self.path.clone(),
                line: self.line,
            });
            self.pieces.extend(inner);
            self.owned_by(owner);
        }
        let behind = pieces.into_iter().map(|piece| Piece {
            range: piece.range.start - start + length..piece.range.end - start + length,
            ..piece
        });
        self.pieces.extend(behind);
        self.text.push_str(after);
    }

    fn owned_by(&mut self, owner: &Self) {
        self.path = owner.path.clone();
        self.line = owner.line;
        self.part.clone_from(&owner.part);
    }

    /// Makes lines those of a part.
    pub(super) fn put_into(lines: &mut [Self], number: usize, path: &str) {
        let part = Part {
            number,
            path: path.into(),
        };
        for line in lines {
            line.part = Some(part.clone());
        }
    }
}

/// A built text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Built {
    /// The lines.
    pub lines: Vec<BuiltLine>,
    /// What is wrong; without anything but warnings, the lines are the text.
    pub faults: Vec<Fault>,
    /// The files that the text is made of, the main one first.
    pub files: Vec<Arc<str>>,
    /// What the main file declares.
    pub declared: Declared,
    /// Where variables stand, and what became of them.
    pub uses: Vec<super::Use>,
}

impl Built {
    /// Makes what could not be built, for a reason that stands in no file.
    #[must_use]
    pub fn failed(kind: FaultKind) -> Self {
        Self {
            faults: vec![Fault {
                kind,
                path: None,
                line: None,
            }],
            ..Self::default()
        }
    }

    /// Tells whether the text could be built.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.faults.iter().all(|fault| fault.kind.is_warning())
    }

    /// Counts the tokens of the text; `None` where it could not be built.
    #[must_use]
    pub fn tokens(&self, counter: &mut Counter) -> Option<usize> {
        self.is_whole().then(|| counter.count(&self.text()))
    }

    /// Gives the text; it ends with a line break.
    #[must_use]
    pub fn text(&self) -> String {
        let lines = self.lines.iter();
        lines.flat_map(|line| [line.text.as_str(), "\n"]).collect()
    }
}

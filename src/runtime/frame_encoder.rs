//! The bytes of a frame: how the cells that changed are told to a terminal in few of them.
//!
//! Everything is worked out from what was sent before, so nothing is asked of the terminal. What is sent is
//! text, colours, and moves of the cursor that every terminal takes; a move by columns or a letter that is
//! written again only where the terminal surely agrees on where it stands.

mod pen;
#[cfg(test)]
mod tests;

use std::io::Write as _;

use ratatui::buffer::Cell;
use ratatui::layout::Position;
use unicode_width::UnicodeWidthChar as _;

use self::pen::Pen;

/// Tells the terminal to show nothing of a frame before its end.
const BEGIN: &[u8] = b"\x1b[?2026h";
/// Tells the terminal that the frame is whole.
const END: &[u8] = b"\x1b[?2026l";
const HIDE_CURSOR: &[u8] = b"\x1b[?25l";
const SHOW_CURSOR: &[u8] = b"\x1b[?25h";
/// Empties the screen, in the terminal's own colours.
const CLEAR: &[u8] = b"\x1b[m\x1b[2J";

/// Up to how many letters that stand there already are written again in place of a jump over them; the
/// shortest jump has four bytes.
const REWRITTEN: u16 = 4;

/// Empties a row from the cursor on.
const CLEAR_TO_END: &[u8] = b"\x1b[K";
/// How many bytes a jump within a row has at most; no terminal has ten thousand columns.
const LONGEST_JUMP: usize = "\x1b[9999G".len();

/// A letter of one byte that stands on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Letter {
    byte: u8,
    pen: Pen,
}

impl Letter {
    /// What stands where nothing was written.
    const BLANK: Self = Self {
        byte: b' ',
        pen: Pen::PLAIN,
    };

    /// Gives the letter of a cell, where it is one of one byte.
    fn of(cell: &Cell) -> Option<Self> {
        match *cell.symbol().as_bytes() {
            [byte @ b' '..=b'~'] => Some(Self {
                byte,
                pen: Pen::of(cell),
            }),
            _ => None,
        }
    }

    /// Tells whether it looks like a place where nothing was written.
    fn is_blank(self) -> bool {
        self.byte == b' ' && Pen::PLAIN.suits(true, self.pen)
    }
}

/// Blanks that are still to be written, in one row.
#[derive(Clone, Copy, Debug)]
struct Blanks {
    y: u16,
    start: u16,
    end: u16,
}

/// Puts the cells of frames into bytes.
#[derive(Debug, Default)]
pub struct FrameEncoder {
    bytes: Vec<u8>,
    /// The letters that stand where something was written since the screen was emptied, by row and column;
    /// nothing is known of those that take more than a byte.
    rows: Vec<Vec<Option<Letter>>>,
    blanks: Option<Blanks>,
    pen: Pen,
    /// Where the terminal writes next, where that is sure.
    place: Option<Position>,
    /// Whether the cursor is shown, where nobody had the terminal since it was last told.
    is_cursor_shown: Option<bool>,
    /// Where the last frame left a cursor that is shown.
    cursor: Option<Position>,
}

impl FrameEncoder {
    /// Empties the screen; what was known of it is forgotten, as others may have had the terminal.
    pub fn clear(&mut self) {
        *self = Self::default();
        self.bytes.extend_from_slice(CLEAR);
    }

    /// Writes one cell.
    pub fn cell(&mut self, x: u16, y: u16, cell: &Cell) {
        self.cursor = None;
        if !Letter::of(cell).is_some_and(Letter::is_blank) {
            self.write_blanks(Some(y));
            self.move_to(Position { x, y });
            self.pen.take(&mut self.bytes, cell);
            self.bytes.extend_from_slice(cell.symbol().as_bytes());
            self.place = sure_width(cell.symbol()).map(|width| Position { x: x + width, y });
        } else if !self.continues_blanks(x, y) {
            self.write_blanks(Some(y));
            let (start, end) = (x, x + 1);
            self.blanks = Some(Blanks { y, start, end });
        }
        self.keep(x, y, cell);
    }

    /// Takes a blank to those before it, where only blanks are in between.
    fn continues_blanks(&mut self, x: u16, y: u16) -> bool {
        let Some(blanks) = self.blanks.filter(|it| it.y == y && it.end <= x) else {
            return false;
        };
        let continues = x - blanks.end <= REWRITTEN && self.are_blank(y, blanks.end, x);
        if continues {
            let end = x + 1;
            self.blanks = Some(Blanks { end, ..blanks });
        }
        continues
    }

    /// Writes the blanks that are still to be written, up to the end of the row in one go.
    ///
    /// That leaves the terminal at the first of them, so where the frame goes on in the same row, it has to be
    /// worth the jump.
    fn write_blanks(&mut self, next_row: Option<u16>) {
        let Some(Blanks { y, start, end }) = self.blanks.take() else {
            return;
        };
        self.move_to(Position { x: start, y });
        self.pen.take(&mut self.bytes, &Cell::EMPTY);
        let count = usize::from(end - start);
        let jump = if next_row == Some(y) { LONGEST_JUMP } else { 0 };
        if count > CLEAR_TO_END.len() + jump && self.are_blank(y, end, u16::MAX) {
            self.bytes.extend_from_slice(CLEAR_TO_END);
            self.place = Some(Position { x: start, y });
        } else {
            self.bytes.resize(self.bytes.len() + count, b' ');
            self.place = Some(Position { x: end, y });
        }
    }

    /// Hides the cursor.
    pub fn hide_cursor(&mut self) {
        if self.is_cursor_shown != Some(false) {
            self.is_cursor_shown = Some(false);
            self.bytes.extend_from_slice(HIDE_CURSOR);
        }
    }

    /// Shows the cursor.
    pub fn show_cursor(&mut self) {
        if self.is_cursor_shown != Some(true) {
            self.is_cursor_shown = Some(true);
            self.bytes.extend_from_slice(SHOW_CURSOR);
        }
    }

    /// Puts the cursor at a place, which is where it is at the end of the frame.
    pub fn set_cursor(&mut self, at: Position) {
        if self.cursor != Some(at) {
            self.write_blanks(Some(at.y));
            self.move_to(at);
            self.place = Some(at);
            self.cursor = Some(at);
        }
    }

    /// Ends the frame and gives its bytes, between the marks of a whole one; a frame in which nothing was
    /// drawn has none.
    pub fn finish(&mut self) -> Vec<u8> {
        self.write_blanks(None);
        if self.bytes.is_empty() {
            return Vec::new();
        }
        // What others write between two frames is not to be in our colours.
        self.pen.put_down(&mut self.bytes);
        // They may also have moved the cursor.
        self.place = None;
        let frame = [BEGIN, &self.bytes, END].concat();
        self.bytes.clear();
        frame
    }

    /// Moves to a place in few bytes.
    fn move_to(&mut self, to: Position) {
        let place = self.place;
        // A vector takes whatever is written to it.
        let _ = match place {
            Some(from) if from == to || self.rewrites(from, to) => Ok(()),
            Some(from) if from.y == to.y => write!(self.bytes, "\x1b[{}G", to.x.saturating_add(1)),
            _ => {
                let (row, column) = (to.y.saturating_add(1), to.x.saturating_add(1));
                write!(self.bytes, "\x1b[{row};{column}H")
            }
        };
    }

    /// Goes on to a place in the same row by writing the letters again that stand before it, where that is
    /// the shorter way.
    fn rewrites(&mut self, from: Position, to: Position) -> bool {
        if from.y != to.y || from.x > to.x || to.x - from.x > REWRITTEN {
            return false;
        }
        let letters: Option<Vec<Letter>> = self.letters(to.y, from.x, to.x).collect();
        let Some(letters) = letters else {
            return false;
        };
        let mut unlike = letters
            .iter()
            .filter(|it| !self.pen.suits(it.byte == b' ', it.pen));
        if unlike.next().is_some() {
            return false;
        }
        self.bytes.extend(letters.iter().map(|letter| letter.byte));
        true
    }

    fn are_blank(&self, y: u16, start: u16, end: u16) -> bool {
        let mut letters = self.letters(y, start, end);
        letters.all(|it| it.is_some_and(Letter::is_blank))
    }

    /// Gives what stands in a part of a row; after its end nothing was ever written.
    fn letters(&self, y: u16, start: u16, end: u16) -> impl Iterator<Item = Option<Letter>> {
        let row = self.rows.get(usize::from(y)).map_or(&[][..], Vec::as_slice);
        let written = usize::from(end).min(row.len());
        let known = row.get(usize::from(start)..written).unwrap_or_default();
        let bare = if end == u16::MAX {
            0
        } else {
            usize::from(end - start) - known.len()
        };
        known
            .iter()
            .copied()
            .chain(std::iter::repeat_n(Some(Letter::BLANK), bare))
    }

    /// Notes what stands at a place from now on.
    fn keep(&mut self, x: u16, y: u16, cell: &Cell) {
        let (x, y) = (usize::from(x), usize::from(y));
        if self.rows.len() <= y {
            self.rows.resize(y + 1, Vec::new());
        }
        let row = &mut self.rows[y];
        if row.len() <= x + 1 {
            row.resize(x + 2, Some(Letter::BLANK));
        }
        row[x] = Letter::of(cell);
        match sure_width(cell.symbol()) {
            Some(1) => {}
            // Once what takes two places is written over, the second one is blank.
            Some(_) => {
                row[x + 1] = Some(Letter::BLANK).filter(|_| Pen::PLAIN.suits(true, Pen::of(cell)));
            }
            // The next place may be written over, or stand as it was.
            None => row[x + 1] = None,
        }
    }
}

/// How many places a symbol takes, where all terminals agree on it.
///
/// They do not on what is made of several characters, and on emoji that are younger than the terminal.
fn sure_width(symbol: &str) -> Option<u16> {
    let mut letters = symbol.chars();
    let (letter, rest) = (letters.next()?, letters.next());
    match (letter, letter.width(), rest) {
        (_, Some(1), None) => Some(1),
        ('\u{2e80}'..='\u{ffe6}' | '\u{20000}'..='\u{3ffff}', Some(2), None) => Some(2),
        _ => None,
    }
}

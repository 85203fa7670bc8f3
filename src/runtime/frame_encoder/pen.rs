//! The colours and attributes that a terminal writes in, and how it is told to change them.

use std::fmt::Write as _;

use ratatui::buffer::Cell;
use ratatui::style::{Color, Modifier};

/// What can be seen of a letter even where it is blank.
const ON_BLANKS: Modifier = Modifier::UNDERLINED
    .union(Modifier::REVERSED)
    .union(Modifier::CROSSED_OUT);

/// Each attribute with the numbers that set it and that take it back.
///
/// Bold and dim share what takes them back, and so do the two that blink.
const ATTRIBUTES: [(Modifier, u8, u8); 9] = [
    (Modifier::BOLD, 1, 22),
    (Modifier::DIM, 2, 22),
    (Modifier::ITALIC, 3, 23),
    (Modifier::UNDERLINED, 4, 24),
    (Modifier::SLOW_BLINK, 5, 25),
    (Modifier::RAPID_BLINK, 6, 25),
    (Modifier::REVERSED, 7, 27),
    (Modifier::HIDDEN, 8, 28),
    (Modifier::CROSSED_OUT, 9, 29),
];

/// Colours and attributes; the default are the terminal's own.
///
/// Underlines have no colour of their own: no theme gives them one, and terminals that do not know of it take
/// the numbers for something else.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pen {
    fg: Color,
    bg: Color,
    modifier: Modifier,
}

impl Pen {
    /// The terminal's own colours.
    pub const PLAIN: Self = Self {
        fg: Color::Reset,
        bg: Color::Reset,
        modifier: Modifier::empty(),
    };

    /// Gives the pen that a cell is written with.
    pub fn of(cell: &Cell) -> Self {
        Self {
            fg: cell.fg,
            bg: cell.bg,
            modifier: cell.modifier,
        }
    }

    /// Tells whether what is written with this pen looks as with another; of a blank less can be seen.
    pub fn suits(self, is_blank: bool, wanted: Self) -> bool {
        self == self.nearest(is_blank, wanted)
    }

    /// Changes the pen where a cell needs another, and tells the terminal.
    ///
    /// A blank that needs another takes all of it, as the letters after it mostly have the same.
    pub fn take(&mut self, bytes: &mut Vec<u8>, cell: &Cell) {
        let wanted = Self::of(cell);
        if !self.suits(cell.symbol() == " ", wanted) {
            self.change(bytes, wanted);
        }
    }

    /// Goes back to the terminal's own colours, and tells the terminal.
    pub fn put_down(&mut self, bytes: &mut Vec<u8>) {
        self.change(bytes, Self::PLAIN);
    }

    /// Gives the pen nearest to this one that writes what a wanted one does.
    fn nearest(self, is_blank: bool, wanted: Self) -> Self {
        if !is_blank || wanted.modifier.intersects(ON_BLANKS) {
            return wanted;
        }
        Self {
            fg: self.fg,
            bg: wanted.bg,
            modifier: self.modifier.difference(ON_BLANKS),
        }
    }

    /// Tells the terminal of another pen, from this one or from its own colours, whichever is shorter.
    fn change(&mut self, bytes: &mut Vec<u8>, wanted: Self) {
        if *self == wanted {
            return;
        }
        let onward = self.numbers_to(wanted);
        let mut anew = Self::PLAIN.numbers_to(wanted);
        // No number at all takes everything back.
        if !anew.is_empty() {
            anew.insert_str(0, "0;");
        }
        let numbers = if onward.len() <= anew.len() {
            onward
        } else {
            anew
        };
        bytes.extend_from_slice(b"\x1b[");
        bytes.extend_from_slice(numbers.as_bytes());
        bytes.push(b'm');
        *self = wanted;
    }

    /// Gives the numbers that lead from this pen to another, with a semicolon between them.
    fn numbers_to(self, wanted: Self) -> String {
        let mut numbers = String::new();
        let mut now = self.modifier;
        for (attribute, _, back) in ATTRIBUTES {
            if now.difference(wanted.modifier).contains(attribute) {
                for (other, _, same) in ATTRIBUTES {
                    if same == back {
                        now.remove(other);
                    }
                }
                add(&mut numbers, back);
            }
        }
        for (attribute, set, _) in ATTRIBUTES {
            if wanted.modifier.difference(now).contains(attribute) {
                add(&mut numbers, set);
            }
        }
        if self.fg != wanted.fg {
            color(&mut numbers, wanted.fg, 30);
        }
        if self.bg != wanted.bg {
            color(&mut numbers, wanted.bg, 40);
        }
        numbers
    }
}

/// Adds the numbers of a colour: those of letters from 30 on, those behind them from 40.
///
/// The sixteen that have names are named, as a terminal that has no others knows only those.
fn color(numbers: &mut String, color: Color, base: u8) {
    let bright = base + 60;
    match color {
        Color::Reset => add(numbers, base + 9),
        Color::Black => add(numbers, base),
        Color::Red => add(numbers, base + 1),
        Color::Green => add(numbers, base + 2),
        Color::Yellow => add(numbers, base + 3),
        Color::Blue => add(numbers, base + 4),
        Color::Magenta => add(numbers, base + 5),
        Color::Cyan => add(numbers, base + 6),
        Color::Gray => add(numbers, base + 7),
        Color::DarkGray => add(numbers, bright),
        Color::LightRed => add(numbers, bright + 1),
        Color::LightGreen => add(numbers, bright + 2),
        Color::LightYellow => add(numbers, bright + 3),
        Color::LightBlue => add(numbers, bright + 4),
        Color::LightMagenta => add(numbers, bright + 5),
        Color::LightCyan => add(numbers, bright + 6),
        Color::White => add(numbers, bright + 7),
        Color::Indexed(index) => {
            for number in [base + 8, 5, index] {
                add(numbers, number);
            }
        }
        Color::Rgb(red, green, blue) => {
            for number in [base + 8, 2, red, green, blue] {
                add(numbers, number);
            }
        }
    }
}

fn add(numbers: &mut String, number: u8) {
    if !numbers.is_empty() {
        numbers.push(';');
    }
    // A string takes whatever is written to it.
    let _ = write!(numbers, "{number}");
}

//! Where in a file something stands.

/// A line and a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters (Unicode scalar values), from 1; a tab is one.
    pub column: usize,
}

impl Place {
    /// Finds the place of a byte of a text whose line ends are LF.
    #[must_use]
    pub fn of(text: &str, byte: usize) -> Self {
        let before = &text[..text.floor_char_boundary(byte)];
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        Self {
            line: before.matches('\n').count() + 1,
            column: before[start..].chars().count() + 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_characters_whatever_their_width() {
        let text = "a\n\t漢é👩x\n";
        let place = |what: &str| {
            let place = Place::of(text, text.find(what).unwrap());
            (place.line, place.column)
        };
        assert_eq!(place("a"), (1, 1));
        assert_eq!(place("漢"), (2, 2));
        assert_eq!(place("x"), (2, 5));
        assert_eq!(Place::of(text, text.len()), Place { line: 3, column: 1 });
    }
}

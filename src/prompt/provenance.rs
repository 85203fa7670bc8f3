//! Where the text of a section comes from: every piece of it has an origin, and so has every line.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// A line of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The file; one of our own templates goes by its name below `templates`.
    pub path: Arc<Path>,
    /// The line, from 1.
    pub line: usize,
}

/// Where a piece of text comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// A file whose text goes out as it stands, line for line from this place on.
    Verbatim(Place),
    /// One line of a file, from which the whole piece was made: a history entry, a description.
    MadeFrom(Place),
    /// One line of a template.
    Template(Place),
    /// A template, where the line cannot be told.
    SomewhereIn(Arc<Path>),
    /// The agent's own code, or the turn.
    Generated,
}

impl Origin {
    /// Gives the file, where there is one.
    #[must_use]
    pub fn path(&self) -> Option<&Arc<Path>> {
        match self {
            Self::Verbatim(place) | Self::MadeFrom(place) | Self::Template(place) => {
                Some(&place.path)
            }
            Self::SomewhereIn(path) => Some(path),
            Self::Generated => None,
        }
    }

    /// Gives the line of the file, where it is known.
    #[must_use]
    pub fn line(&self) -> Option<usize> {
        match self {
            Self::Verbatim(place) | Self::MadeFrom(place) | Self::Template(place) => {
                Some(place.line)
            }
            Self::SomewhereIn(_) | Self::Generated => None,
        }
    }

    /// Tells whether a line of this origin is the one that many lines after a line of another.
    #[must_use]
    pub fn continues(&self, first: &Self, lines: usize) -> bool {
        self.path() == first.path()
            && self.is_template() == first.is_template()
            && self.line() == first.line().map(|line| line + lines)
    }

    /// Tells whether the text is a template's rather than a file's own.
    #[must_use]
    pub fn is_template(&self) -> bool {
        matches!(self, Self::Template(_) | Self::SomewhereIn(_))
    }

    /// Gives the origin of a line so many lines after the piece's first.
    fn after(&self, lines: usize) -> Self {
        match self {
            Self::Verbatim(place) => Self::Verbatim(Place {
                path: place.path.clone(),
                line: place.line + lines,
            }),
            other => other.clone(),
        }
    }

    /// Ranks origins of one line: what a person wrote names the line before what surrounds it.
    fn rank(&self) -> u8 {
        match self {
            Self::Verbatim(_) | Self::MadeFrom(_) => 2,
            Self::Template(_) | Self::SomewhereIn(_) => 1,
            Self::Generated => 0,
        }
    }
}

/// A piece of a text, and where it comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// The bytes of the text.
    pub range: Range<usize>,
    /// Where they come from.
    pub origin: Origin,
}

/// A text whose every byte has an origin.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Traced {
    text: String,
    spans: Vec<Span>,
}

impl Traced {
    /// Makes a text of one origin.
    #[must_use]
    pub fn new(text: &str, origin: Origin) -> Self {
        let mut traced = Self::default();
        traced.push(text, origin);
        traced
    }

    /// Makes a text that no file holds.
    #[must_use]
    pub fn generated(text: &str) -> Self {
        Self::new(text, Origin::Generated)
    }

    /// Adds a piece.
    pub fn push(&mut self, text: &str, origin: Origin) {
        if text.is_empty() {
            return;
        }
        let start = self.text.len();
        self.text.push_str(text);
        let end = self.text.len();
        match self.spans.last_mut() {
            Some(last) if origin == Origin::Generated && last.origin == origin => {
                last.range.end = end;
            }
            _ => self.spans.push(Span {
                range: start..end,
                origin,
            }),
        }
    }

    /// Adds a piece that no file holds.
    pub fn push_generated(&mut self, text: &str) {
        self.push(text, Origin::Generated);
    }

    /// Adds the text of a file; an empty one is noted as well.
    pub fn push_file(&mut self, text: &str, origin: Origin) {
        let start = self.text.len();
        self.text.push_str(text);
        self.spans.push(Span {
            range: start..self.text.len(),
            origin,
        });
    }

    /// Gives the text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Gives the pieces, in order and without gaps.
    #[must_use]
    pub fn spans(&self) -> &[Span] {
        &self.spans
    }

    /// Takes the text and its pieces apart.
    #[must_use]
    pub fn into_parts(self) -> (String, Vec<Span>) {
        (self.text, self.spans)
    }
}

/// Gives the origin of every line of a text: of its pieces the one that says most, the first of
/// those.
///
/// The line of [`Origin::Verbatim`] is that of the line itself, not of the piece's beginning.
#[must_use]
pub fn line_origins(text: &str, spans: &[Span]) -> Vec<Origin> {
    let first_lines = lines_of_starts(text, spans);
    let mut origins = Vec::new();
    let (mut start, mut first) = (0, 0);
    for (index, line) in text.split('\n').enumerate() {
        // The line break belongs to the line, so that an empty line has a piece too.
        let end = start + line.len();
        while spans.get(first).is_some_and(|span| span.range.end <= start) {
            first += 1;
        }
        let touching = || {
            (first..spans.len())
                .take_while(|&at| spans[at].range.start <= end)
                .filter(|&at| !spans[at].range.is_empty())
        };
        let best = touching().map(|at| spans[at].origin.rank()).max();
        let found = touching().find(|&at| Some(spans[at].origin.rank()) == best);
        origins.push(found.map_or(Origin::Generated, |at| {
            spans[at].origin.after(index - first_lines[at])
        }));
        start = end + 1;
    }
    // A text that ends with a line break has no line after it.
    if text.ends_with('\n') || text.is_empty() {
        origins.pop();
    }
    origins
}

/// Counts the lines of the text before the one in which each piece begins.
fn lines_of_starts(text: &str, spans: &[Span]) -> Vec<usize> {
    let (mut at, mut line) = (0, 0);
    spans
        .iter()
        .map(|span| {
            line += text[at..span.range.start].matches('\n').count();
            at = span.range.start;
            line
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(line: usize) -> Place {
        Place {
            path: Path::new("a.md").into(),
            line,
        }
    }

    #[test]
    fn a_line_has_the_origin_that_says_most() {
        let mut text = Traced::generated("## A\n\n");
        text.push("one\n\nthree\n", Origin::Verbatim(place(1)));
        text.push_generated("\n\n- [");
        text.push("entry\nof two lines", Origin::MadeFrom(place(7)));
        let verbatim = |line| Origin::Verbatim(place(line));
        assert_eq!(
            line_origins(text.text(), text.spans()),
            [
                Origin::Generated,
                Origin::Generated,
                verbatim(1),
                verbatim(2),
                verbatim(3),
                Origin::Generated,
                Origin::Generated,
                Origin::MadeFrom(place(7)),
                Origin::MadeFrom(place(7)),
            ]
        );
    }

    #[test]
    fn a_piece_within_a_line_counts_from_its_own_beginning() {
        let mut text = Traced::default();
        text.push("x\n", Origin::Template(place(1)));
        text.push("<", Origin::Template(place(2)));
        text.push("a\nb", Origin::Verbatim(place(9)));
        text.push(">\nend", Origin::Template(place(2)));
        let lines = line_origins(text.text(), text.spans());
        assert_eq!(
            lines,
            [
                Origin::Template(place(1)),
                Origin::Verbatim(place(9)),
                Origin::Verbatim(place(10)),
                Origin::Template(place(2)),
            ]
        );
    }

    #[test]
    fn an_empty_text_has_no_lines() {
        assert_eq!(line_origins("", &[]), []);
        assert_eq!(line_origins("a\n", &[]), [Origin::Generated]);
    }
}

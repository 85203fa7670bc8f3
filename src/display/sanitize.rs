//! Text made safe for a terminal, with everything that has no shape of its own made visible.
//!
//! A file's content must never reach the terminal as an escape, and must never hide from the
//! reader what the agent will read. Text is taken apart into *clusters*, the units that a screen
//! never splits: a character with its accents, an emoji sequence, a tab, or one mark that stands
//! for a hidden character. What a cluster looks like depends only on the text from its own start,
//! so text may be cut at any cluster and shown from there.

use std::borrow::Cow;
use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::python::surrogate::surrogate;

/// Columns of a tab, wherever it stands: a fixed width lets any part of a line be measured alone.
const TAB_WIDTH: usize = 4;
/// Accents that one base character may carry; living scripts need four at most.
const MAX_ACCENTS: usize = 4;
/// Scalars of one cluster; the longest emoji sequences in use have ten.
const MAX_SCALARS: usize = 16;

const ZWJ: char = '\u{200D}';

/// Says which characters the marks are made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Symbols {
    /// Control pictures, an arrow and mathematical brackets: `␛`, `→`, `⟨U+200B⟩`.
    #[default]
    Unicode,
    /// ASCII alone, for terminals and fonts that have no more: `^[`, `>`, `<U+200B>`.
    Ascii,
}

/// Tells ordinary text from what stands in for something else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Text that is shown as it is.
    Text,
    /// A tab, shown as an arrow and blanks.
    Tab,
    /// A mark for a character that is hidden, dangerous or out of place.
    Marker,
}

/// Is a stretch of text as the screen shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece<'a> {
    /// The bytes of the source that the piece stands for.
    pub range: Range<usize>,
    /// What to draw.
    pub text: Cow<'a, str>,
    /// The columns that the drawn text takes.
    pub width: usize,
    /// Whether the piece is text, a tab or a marker.
    pub kind: Kind,
}

/// Is one unit that the screen never splits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cluster {
    /// The bytes of the source that it stands for.
    pub len: usize,
    /// The columns that it takes; never 0.
    pub width: usize,
    /// Whether it is text, a tab or a marker.
    pub kind: Kind,
}

/// Takes a line apart into what the screen shows, one piece for each run of ordinary text.
///
/// A newline in `text` becomes a mark as well: split the text into lines first.
pub fn visible(text: &str, symbols: Symbols) -> impl Iterator<Item = Piece<'_>> + Clone {
    let mut at = 0;
    std::iter::from_fn(move || {
        let Cluster {
            len,
            mut width,
            kind,
        } = first_cluster(&text[at..], symbols)?;
        let mut range = at..at + len;
        let drawn = if kind == Kind::Text {
            while let Some(next) = first_cluster(&text[range.end..], symbols)
                && next.kind == Kind::Text
            {
                range.end += next.len;
                width += next.width;
            }
            Cow::Borrowed(&text[range.clone()])
        } else {
            Cow::Owned(mark(&text[range.clone()], symbols))
        };
        at = range.end;
        Some(Piece {
            range,
            text: drawn,
            width,
            kind,
        })
    })
}

/// Makes a whole text safe to print, keeping its newlines and tabs.
#[must_use]
pub fn plain(text: &str, symbols: Symbols) -> Cow<'_, str> {
    if text
        .bytes()
        .all(|b| matches!(b, b' '..=b'~' | b'\n' | b'\t'))
    {
        return Cow::Borrowed(text);
    }
    let (mut out, mut copied, mut at) = (String::new(), 0, 0);
    while let Some(cluster) = first_cluster(&text[at..], symbols) {
        let end = at + cluster.len;
        if cluster.kind == Kind::Marker && &text[at..end] != "\n" {
            out.push_str(&text[copied..at]);
            out.push_str(&mark(&text[at..end], symbols));
            copied = end;
        }
        at = end;
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[copied..]);
    Cow::Owned(out)
}

/// Measures the columns that a line takes on the screen.
#[must_use]
pub fn width(text: &str, symbols: Symbols) -> usize {
    if is_printable_ascii(text) {
        return text.len();
    }
    visible(text, symbols).map(|piece| piece.width).sum()
}

/// Says whether each byte is an ordinary character of one column.
#[must_use]
pub fn is_printable_ascii(text: &str) -> bool {
    // Without a way out in the middle of a chunk, this is one comparison for many bytes.
    let printable = |ok, b: &u8| ok & matches!(b, b' '..=b'~');
    text.as_bytes()
        .chunks(64)
        .all(|chunk| chunk.iter().fold(true, printable))
}

/// Gives the cluster at the start of a text; `None` if the text is empty.
#[must_use]
pub fn first_cluster(text: &str, symbols: Symbols) -> Option<Cluster> {
    let kind = Kind::Text;
    // Most text needs no decoding.
    if let [b' '..=b'~', b' '..=b'~', ..] = text.as_bytes() {
        let (len, width) = (1, 1);
        return Some(Cluster { len, width, kind });
    }
    let mut chars = text.chars();
    let first = chars.next()?;
    let stands_alone = |next: char| next == '\n' || simple(next).is_some();
    if let Some(width) = simple(first)
        && chars.next().is_none_or(stands_alone)
    {
        let len = first.len_utf8();
        return Some(Cluster { len, width, kind });
    }
    Some(uncommon(text, first, symbols))
}

fn uncommon(text: &str, first: char, symbols: Symbols) -> Cluster {
    let (len, kind) = if first == '\t' {
        (1, Kind::Tab)
    } else if is_hidden(first) {
        (first.len_utf8(), Kind::Marker)
    } else if is_accent(first) {
        // Without a base, a terminal would set these on whatever was drawn before them.
        let end = text.find(|c| is_hidden(c) || !is_accent(c));
        (end.unwrap_or(text.len()), Kind::Marker)
    } else {
        (text_len(text), Kind::Text)
    };
    let width = match kind {
        Kind::Text => text[..len].width().max(1),
        Kind::Tab => TAB_WIDTH,
        Kind::Marker => mark(&text[..len], symbols).chars().count(),
    };
    Cluster { len, width, kind }
}

/// Finds the end of the text cluster at the start of a text.
fn text_len(text: &str) -> usize {
    // An endless grapheme costs no more than others.
    let mut ends = text.char_indices().map(|(at, _)| at);
    let window = &text[..ends.nth(MAX_SCALARS + 1).unwrap_or(text.len())];
    let grapheme = window.graphemes(true).next().unwrap_or_default();
    let mut accents = 0;
    let mut pictograph = None;
    let mut before = '\0';
    for (count, (at, c)) in grapheme.char_indices().enumerate() {
        let kept = match c {
            '\u{FE0E}' | '\u{FE0F}' => has_emoji_form(before),
            ZWJ => {
                let next = grapheme[at + ZWJ.len_utf8()..].chars().next();
                count + 1 < MAX_SCALARS
                    && pictograph.is_some_and(is_pictograph)
                    && next.is_some_and(is_pictograph)
            }
            _ => !is_hidden(c),
        };
        accents = if is_accent(c) { accents + 1 } else { 0 };
        if !kept || accents > MAX_ACCENTS || count >= MAX_SCALARS {
            return at;
        }
        if accents == 0 && !matches!(c, '\u{1F3FB}'..='\u{1F3FF}') {
            pictograph = Some(c);
        }
        before = c;
    }
    grapheme.len()
}

/// Gives the width of a character that never joins its neighbours of the same sort.
fn simple(c: char) -> Option<usize> {
    match c {
        ' '..='~'
        | '\u{A1}'..='\u{AC}'
        | '\u{AE}'..='\u{2FF}'
        | '\u{370}'..='\u{482}'
        | '\u{48A}'..='\u{52F}'
        | '\u{2010}'..='\u{2027}'
        | '\u{2030}'..='\u{205E}' => Some(1),
        '\u{3001}'..='\u{3029}'
        | '\u{3041}'..='\u{3096}'
        | '\u{30A1}'..='\u{30FF}'
        | '\u{3400}'..='\u{4DBF}'
        | '\u{4E00}'..='\u{9FFF}'
        | '\u{AC00}'..='\u{D7A3}'
        | '\u{FF01}'..='\u{FF60}' => Some(2),
        _ => None,
    }
}

fn is_accent(c: char) -> bool {
    c.width().unwrap_or(0) == 0
}

/// Says whether a joiner after `c` joins it to an emoji, as Unicode's rule GB11 has it.
fn is_pictograph(c: char) -> bool {
    let probe = [c, ZWJ, '\u{231A}'].iter().collect::<String>();
    probe.graphemes(true).nth(1).is_none()
}

fn has_emoji_form(base: char) -> bool {
    matches!(base, '0'..='9' | '#' | '*') || is_pictograph(base)
}

/// Says whether a character has no shape of its own, or one that deceives.
///
/// These are the controls and format characters, what Unicode lets programs ignore, the line
/// separators that are no newline, what is no character, and the stand-ins for lone surrogates.
#[must_use]
fn is_hidden(c: char) -> bool {
    matches!(c,
        '\0'..='\u{1F}' | '\u{7F}'..='\u{9F}' | '\u{AD}' | '\u{34F}'
        | '\u{600}'..='\u{605}' | '\u{61C}' | '\u{6DD}' | '\u{70F}'
        | '\u{890}'..='\u{891}' | '\u{8E2}' | '\u{115F}'..='\u{1160}'
        | '\u{17B4}'..='\u{17B5}' | '\u{180B}'..='\u{180F}'
        | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}'
        | '\u{3164}' | '\u{FDD0}'..='\u{FDEF}' | '\u{FE00}'..='\u{FE0F}'
        | '\u{FEFF}' | '\u{FFA0}' | '\u{FFF0}'..='\u{FFFB}'
        | '\u{110BD}' | '\u{110CD}' | '\u{13430}'..='\u{1343F}'
        | '\u{1BCA0}'..='\u{1BCA3}' | '\u{1D173}'..='\u{1D17A}'
        | '\u{E0000}'..='\u{E0FFF}')
        || u32::from(c) & 0xFFFE == 0xFFFE
        || surrogate(c).is_some()
}

/// Gives what stands for a tab or a marked cluster; each of its characters takes one column.
fn mark(source: &str, symbols: Symbols) -> String {
    let mut chars = source.chars();
    let c = chars.next().unwrap_or_default();
    let code = surrogate(c).unwrap_or(u32::from(c));
    let (arrow, open, close) = match symbols {
        Symbols::Unicode => ('→', '⟨', '⟩'),
        Symbols::Ascii => ('>', '<', '>'),
    };
    let shifted = |code| char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
    match (code, symbols) {
        (9, _) => format!("{arrow:<TAB_WIDTH$}"),
        (0..=0x1F, Symbols::Unicode) => shifted(code + 0x2400).to_string(),
        (0x7F, Symbols::Unicode) => "␡".to_owned(),
        (0..=0x1F | 0x7F, Symbols::Ascii) => format!("^{}", shifted(code ^ 0x40)),
        (0xE0020, Symbols::Unicode) => format!("{open}tag ␠{close}"),
        (0xE0020, Symbols::Ascii) => format!("{open}tag SP{close}"),
        (0xE0021..=0xE007E, _) => format!("{open}tag {}{close}", shifted(code & 0x7F)),
        _ => match chars.count() {
            0 => format!("{open}U+{code:04X}{close}"),
            more => format!("{open}U+{code:04X}+{more}{close}"),
        },
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use syntect::parsing::Regex;

    use super::*;

    fn shown(text: &str, symbols: Symbols) -> String {
        visible(text, symbols).map(|piece| piece.text).collect()
    }

    #[test]
    fn text_shows_what_it_hides() {
        for (text, unicode) in [
            ("漢字 café", "漢字 café"),
            ("a\tb", "a→   b"),
            ("\u{1b}[31m\0\r\u{7f}", "␛[31m␀␍␡"),
            ("\u{85}\u{9b}", "⟨U+0085⟩⟨U+009B⟩"),
            ("a\u{202E}b\u{200B}", "a⟨U+202E⟩b⟨U+200B⟩"),
            ("\u{10F83D}", "⟨U+D83D⟩"),
            ("\u{E0001}\u{E0068}", "⟨U+E0001⟩⟨tag h⟩"),
            ("e\u{301}\u{200D}", "e\u{301}⟨U+200D⟩"),
            ("\u{301}\u{302}x", "⟨U+0301+1⟩x"),
            ("👩🏽\u{200D}🚀", "👩🏽\u{200D}🚀"),
            ("👩\u{200D}a", "👩⟨U+200D⟩a"),
            ("❤\u{FE0F}1\u{FE0F}\u{20E3}", "❤\u{FE0F}1\u{FE0F}\u{20E3}"),
            ("a\u{FE0F}\u{E0101}", "a⟨U+FE0F⟩⟨U+E0101⟩"),
            ("🇨🇳한क्षि", "🇨🇳한क्षि"),
        ] {
            assert_eq!(shown(text, Symbols::Unicode), unicode);
        }
        let text = "a\t\u{1b}\0\u{7f}\u{200B}\u{E0020}\u{301}";
        let ascii = "a>   ^[^@^?<U+200B><tag SP><U+0301>";
        assert_eq!(shown(text, Symbols::Ascii), ascii);
        assert_eq!(width(text, Symbols::Ascii), ascii.len());
    }

    #[test]
    fn safe_text_is_borrowed() {
        assert_eq!(plain("a\tb\r\nc\n", Symbols::Ascii), "a\tb^M\nc\n");
        for text in ["plain", "漢\n\te\u{301}"] {
            assert!(matches!(plain(text, Symbols::Ascii), Cow::Borrowed(_)));
        }
        let piece = visible("plain", Symbols::Ascii).next().unwrap();
        assert!(matches!(piece.text, Cow::Borrowed("plain")));
    }

    #[test]
    fn piled_accents_are_cut_short() {
        let zalgo = format!("e{}x", "\u{301}".repeat(40));
        let tamed = "e\u{301}\u{301}\u{301}\u{301}⟨U+0301+35⟩x";
        assert_eq!(shown(&zalgo, Symbols::Unicode), tamed);
        let crowd = "👩\u{200D}".repeat(30) + "👩";
        assert!(shown(&crowd, Symbols::Unicode).contains("⟨U+200D⟩"));
    }

    #[test]
    fn tables_agree_with_unicode() {
        let regex = |class: &str| Regex::new(class.into());
        let hidden = regex(r"\p{Cf}|\p{Cc}|\p{Default_Ignorable_Code_Point}");
        let extends = regex(r"\p{Grapheme_Extend}");
        for c in '\0'..=char::MAX {
            let text = c.to_string();
            assert!(is_hidden(c) || !hidden.is_match(&text), "{c:?}");
            if let Some(width) = simple(c) {
                assert_eq!(c.width(), Some(width), "{c:?}");
                assert!(!extends.is_match(&text) && !is_hidden(c), "{c:?}");
                assert_eq!(format!("가{c}가").graphemes(true).count(), 3);
            }
            let is_text = first_cluster(&text, Symbols::Unicode).unwrap().kind == Kind::Text;
            assert_eq!(is_text, !is_hidden(c) && !is_accent(c), "{c:?}");
        }
    }

    proptest! {
        #[test]
        fn nothing_hidden_is_drawn(
            text in "(\\PC|\\p{Cf}|\\p{Cc}|\\p{M}|[👩❤🚀\u{200D}\u{FE0F}🏽a\u{301}\u{E0061}])*",
        ) {
            let hidden = Regex::new(r"[\p{Cf}\p{Cc}&&[^\u{200D}]]".into());
            let mut at = 0;
            for piece in visible(&text, Symbols::Unicode) {
                prop_assert_eq!(piece.range.start, at);
                at = piece.range.end;
                prop_assert!(!hidden.is_match(&piece.text));
                let drawn = piece.text.graphemes(true).map(UnicodeWidthStr::width);
                prop_assert_eq!(drawn.sum::<usize>(), piece.width);
                prop_assert_eq!(shown(&text[piece.range], Symbols::Unicode), piece.text);
            }
            prop_assert_eq!(at, text.len());
            let printed = plain(&text, Symbols::Ascii).replace(['\n', '\t'], "");
            prop_assert!(!hidden.is_match(&printed));
        }
    }
}

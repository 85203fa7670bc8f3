use proptest::collection::vec;
use proptest::prelude::*;
use ratatui::backend::{Backend as _, CrosstermBackend};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use unicode_width::UnicodeWidthStr as _;
use vt100::Parser;

use super::*;

const AREA: Rect = Rect::new(0, 0, 16, 4);

/// A text with its column, row and style.
type Stroke = (u16, u16, String, Style);

/// Encodes the way from one buffer to the next.
fn encode(encoder: &mut FrameEncoder, from: &Buffer, to: &Buffer) -> Vec<u8> {
    for (x, y, cell) in from.diff_iter(to) {
        encoder.cell(x, y, cell);
    }
    encoder.hide_cursor();
    encoder.finish()
}

/// The same way in the bytes of ratatui's own backend, as it is drawn between the same marks.
fn encode_plainly(from: &Buffer, to: &Buffer) -> Vec<u8> {
    let mut bytes = BEGIN.to_vec();
    let mut backend = CrosstermBackend::new(&mut bytes);
    backend.draw(from.diff_iter(to)).unwrap();
    backend.hide_cursor().unwrap();
    bytes.extend_from_slice(END);
    bytes
}

/// What a person sees of a screen: of a blank only what shows on it.
fn seen(parser: &Parser) -> Vec<String> {
    let mut cells = Vec::new();
    for y in 0..AREA.height {
        for x in 0..AREA.width {
            let cell = parser.screen().cell(y, x).unwrap();
            let lines = (cell.underline(), cell.inverse());
            let text = cell.contents();
            let is_blank = text.trim().is_empty() && !cell.is_wide_continuation();
            let ink = (cell.fgcolor(), cell.bold(), cell.dim(), cell.italic());
            let ink = (!is_blank || lines != (false, false)).then_some(ink);
            let text = if is_blank { " " } else { text };
            cells.push(format!(
                "{x},{y} {text:?} {:?} {lines:?} {ink:?}",
                cell.bgcolor()
            ));
        }
    }
    cells
}

fn a_color() -> impl Strategy<Value = Color> {
    prop_oneof![
        Just(Color::Reset),
        Just(Color::Red),
        Just(Color::DarkGray),
        Just(Color::White),
        any::<u8>().prop_map(Color::Indexed),
        any::<[u8; 3]>().prop_map(|[red, green, blue]| Color::Rgb(red, green, blue)),
    ]
}

fn a_style() -> impl Strategy<Value = Style> {
    let modifier = any::<u16>().prop_map(|bits| {
        // Those that the emulator knows; a letter is bold or dim to it.
        let modifier = Modifier::from_bits_truncate(bits);
        let modifier = if modifier.contains(Modifier::BOLD) {
            modifier - Modifier::DIM
        } else {
            modifier
        };
        modifier
            & (Modifier::BOLD
                | Modifier::DIM
                | Modifier::ITALIC
                | Modifier::UNDERLINED
                | Modifier::REVERSED)
    });
    let color = || prop_oneof![3 => Just(Color::Reset), 2 => a_color()];
    let modifier = prop_oneof![2 => Just(Modifier::empty()), 1 => modifier];
    (color(), color(), modifier).prop_map(|(fg, bg, modifier)| {
        let style = Style::new().fg(fg).bg(bg);
        style
            .remove_modifier(Modifier::all())
            .add_modifier(modifier)
    })
}

/// Some text somewhere in a style; all of it is as wide to the emulator as it is to ratatui.
fn a_stroke(has_wide: bool) -> impl Strategy<Value = Stroke> {
    let wide = prop_oneof!["[a-c  ─│語ん한·é🙂]{1,9}", "(e\u{301}|[a 終])*"];
    let text = prop_oneof![
        "[a-c ]{1,16}".boxed(),
        if has_wide {
            wide.boxed()
        } else {
            "[─ é]{1,5}".boxed()
        }
    ];
    (0..AREA.width, 0..AREA.height, text, a_style()).prop_map(move |(x, y, text, style)| {
        let seen_on_blanks = Modifier::UNDERLINED | Modifier::REVERSED;
        let bare = style.bg(Color::Reset).remove_modifier(seen_on_blanks);
        (x, y, text, if has_wide { bare } else { style })
    })
}

/// Blanks wide letters that something was written over, as ratatui takes none of them for granted.
fn make_well_formed(buffer: &mut Buffer) {
    for y in 0..AREA.height {
        for x in 0..AREA.width - 1 {
            if buffer[(x, y)].symbol().width() == 2 {
                let is_whole = buffer[(x + 1, y)].symbol() == " ";
                buffer[(x + u16::from(is_whole), y)].reset();
            }
        }
    }
}

/// Some frames; a few of them come after another program had the screen.
///
/// Terminals differ in what is left of the colour behind a wide letter, once only its first half is written
/// over, and ratatui does not tell of the second; so colours are behind letters only where none is wide.
fn frames() -> impl Strategy<Value = Vec<(bool, bool, Vec<Stroke>)>> {
    let is_rare = || prop::bool::weighted(0.2);
    let frames = move |has_wide| {
        let strokes = vec(a_stroke(has_wide), 0..6);
        vec((is_rare(), is_rare(), strokes), 1..8)
    };
    any::<bool>().prop_flat_map(frames)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn the_screen_is_that_of_ratatuis_own_backend_in_no_more_bytes(frames in frames()) {
        let mut encoder = FrameEncoder::default();
        let (mut ours, mut theirs) =
            (Parser::new(AREA.height, AREA.width, 0), Parser::new(AREA.height, AREA.width, 0));
        let mut shown = Buffer::empty(AREA);
        for (is_lent, is_emptied, strokes) in frames {
            let mut next = if is_emptied { Buffer::empty(AREA) } else { shown.clone() };
            for (x, y, text, style) in strokes {
                next.set_string(x, y, text, style);
            }
            make_well_formed(&mut next);
            if is_lent {
                for parser in [&mut ours, &mut theirs] {
                    parser.process(b"\x1b[2;3H\x1b[1;35;44mnoise\x1b[?25h");
                }
                theirs.process(CLEAR);
                encoder.clear();
                shown.reset();
            }
            let (few, many) =
                (encode(&mut encoder, &shown, &next), encode_plainly(&shown, &next));
            ours.process(&few);
            theirs.process(&many);
            for (ours, theirs) in seen(&ours).iter().zip(&seen(&theirs)) {
                prop_assert_eq!(ours, theirs, "{:?}", String::from_utf8_lossy(&few));
            }
            prop_assert_eq!(ours.screen().hide_cursor(), true);
            // After a letter of unsure width the place is told once more.
            let mut cells = next.content.iter();
            if cells.all(|cell| sure_width(cell.symbol()).is_some()) {
                let most = many.len() + CLEAR.len() * usize::from(is_lent);
                prop_assert!(few.len() <= most, "{} bytes of {most}", few.len());
            }
            shown = next;
        }
    }
}

/// The bytes of the last of some frames of one row, without the marks.
fn last(frames: &[&[(&str, Style)]]) -> String {
    let mut encoder = FrameEncoder::default();
    let mut shown = Buffer::empty(Rect::new(0, 0, 40, 1));
    let mut bytes = Vec::new();
    for strokes in frames {
        let mut next = Buffer::empty(shown.area);
        let mut x = 0;
        for (text, style) in *strokes {
            x = next.set_stringn(x, 0, text, 40, *style).0;
        }
        bytes = encode(&mut encoder, &shown, &next);
        shown = next;
    }
    let bytes = bytes.strip_prefix(BEGIN).unwrap_or(&bytes);
    String::from_utf8(bytes.strip_suffix(END).unwrap_or(bytes).to_vec()).unwrap()
}

/// The bytes of the second of two frames.
fn second(first: &[(&str, Style)], second: &[(&str, Style)]) -> String {
    last(&[first, second])
}

#[test]
fn what_stands_there_is_written_again_where_that_is_shorter_than_a_jump() {
    let plain = Style::new();
    let red = plain.fg(Color::Red);
    let change = |before: &str, after: &str| second(&[(before, plain)], &[(after, plain)]);
    assert_eq!(change("a---b", "c---d"), "\x1b[1;1Hc---d");
    assert_eq!(change("a-----b", "c-----d"), "\x1b[1;1Hc\x1b[7Gd");
    // A letter in another colour, and one whose width the terminal may see otherwise, are jumped over.
    let mixed = |a, b| {
        second(
            &[(a, plain), ("-", red), (b, plain)],
            &[("c", plain), ("-", red), ("d", plain)],
        )
    };
    assert_eq!(mixed("a", "b"), "\x1b[1;1Hc\x1b[3Gd");
    assert_eq!(change("a─b", "c─d"), "\x1b[1;1Hc\x1b[3Gd");
    // Of a blank its letters' colour cannot be seen.
    let blank = |a, b| {
        second(
            &[(a, plain), (" ", red), (b, plain)],
            &[("c", plain), (" ", red), ("d", plain)],
        )
    };
    assert_eq!(blank("a", "b"), "\x1b[1;1Hc d");
}

#[test]
fn blanks_to_the_end_of_a_row_are_one_sequence() {
    let plain = Style::new();
    let change = |before: &str, after: &str| second(&[(before, plain)], &[(after, plain)]);
    assert_eq!(change("abcdefgh", "abc     "), "\x1b[1;4H\x1b[K");
    assert_eq!(change("語語語語", "a       "), "\x1b[1;1Ha \x1b[K");
    assert_eq!(change("abc defgh", "abc  "), "\x1b[1;5H\x1b[K");
    assert_eq!(change("abcdef", "abc"), "\x1b[1;4H   ");
    assert_eq!(change("abcdefghi", "abc     i"), "\x1b[1;4H     ");
    // Where the row goes on, the jump to there counts too.
    assert_eq!(change("abcdefgh", "a       i"), "\x1b[1;2H       i");
    let (before, after) = ("a".repeat(30), format!("a{}b", " ".repeat(29)));
    assert_eq!(change(&before, &after), "\x1b[1;2H\x1b[K\x1b[31Gb");
    // A blank in another colour takes all of it.
    let tinted = plain.bg(Color::Blue).fg(Color::Red);
    assert_eq!(
        second(&[], &[(" a", tinted)]),
        "\x1b[1;1H\x1b[31;44m a\x1b[m"
    );
    // A blank that can be seen is written.
    let blue = plain.bg(Color::Blue);
    let shaded = second(&[("abcdef", plain)], &[("a    ", blue)]);
    assert_eq!(shaded, "\x1b[1;1H\x1b[44ma    \x1b[m ");
}

#[test]
fn after_a_letter_of_unsure_width_the_place_is_told() {
    let plain = Style::new();
    let change = |text: &str| second(&[], &[(text, plain)]);
    assert_eq!(change("語語a"), "\x1b[1;1H語語a");
    assert_eq!(change("🙂a"), "\x1b[1;1H🙂\x1b[1;3Ha");
    assert_eq!(change("e\u{301}a"), "\x1b[1;1He\u{301}\x1b[1;2Ha");
    // What stands behind such a letter is not known, so it is not written again.
    let letters = ["ae\u{301}b", "e\u{301}e\u{301}b", "ae\u{301}c"].map(|text| [(text, plain)]);
    assert_eq!(
        last(&[&letters[0], &letters[1], &letters[2]]),
        "\x1b[1;1Ha\x1b[3Gc"
    );
}

#[test]
fn colours_change_in_one_sequence_and_end_with_the_frame() {
    let plain = Style::new();
    let loud = plain.fg(Color::LightRed).bg(Color::Indexed(17)).bold();
    let dim = loud.remove_modifier(Modifier::BOLD).dim();
    assert_eq!(
        second(&[], &[("a", loud), ("b", dim), ("c", plain), ("d", loud)]),
        "\x1b[1;1H\x1b[1;91;48;5;17ma\x1b[22;2mb\x1b[mc\x1b[1;91;48;5;17md\x1b[m"
    );
}

#[test]
fn a_cursor_is_told_of_only_where_it_changes() {
    let mut encoder = FrameEncoder::default();
    let at = Position { x: 3, y: 1 };
    let mut frame = |at: Option<Position>| {
        match at {
            Some(at) => {
                encoder.show_cursor();
                encoder.set_cursor(at);
            }
            None => encoder.hide_cursor(),
        }
        String::from_utf8(encoder.finish()).unwrap()
    };
    assert_eq!(frame(None), "\x1b[?2026h\x1b[?25l\x1b[?2026l");
    assert_eq!(frame(None), "");
    assert_eq!(frame(Some(at)), "\x1b[?2026h\x1b[?25h\x1b[2;4H\x1b[?2026l");
    assert_eq!(frame(Some(at)), "");
    assert_eq!(frame(None), "\x1b[?2026h\x1b[?25l\x1b[?2026l");
}

//! Text on its way to a terminal: what is drawn, and where it is wrapped.

use promptscope::display::sanitize::{Kind, Symbols, first_cluster, plain, visible, width};
use promptscope::display::wrap::wrap;

use super::marks::first_hidden;

/// The text without its first byte, wrapped at the width that the first byte says.
pub fn sanitize(bytes: &[u8]) {
    let (columns, rest) = bytes.split_first().unwrap_or((&0, &[]));
    let text = String::from_utf8_lossy(rest);
    for symbols in [Symbols::Unicode, Symbols::Ascii] {
        drawn_honestly(&text, symbols);
        wrapped_whole(&text, usize::from(*columns), symbols);
    }
}

/// Demands that everything is drawn, that nothing drawn hides or steers, and that widths add up.
fn drawn_honestly(text: &str, symbols: Symbols) {
    let mut at = 0;
    let mut drawn = String::new();
    for piece in visible(text, symbols) {
        assert_eq!(piece.range.start, at, "no byte is passed over");
        at = piece.range.end;
        assert_eq!(first_hidden(&piece.text), None, "{:?}", piece.text);
        if piece.kind == Kind::Text {
            assert_eq!(piece.text, text[piece.range]);
        } else {
            assert!(!piece.text.trim().is_empty(), "a mark is seen");
            assert!(symbols == Symbols::Unicode || piece.text.is_ascii());
        }
        drawn.push_str(&piece.text);
    }
    assert_eq!(at, text.len());
    let columns: usize = visible(text, symbols).map(|piece| piece.width).sum();
    assert_eq!(columns, width(text, symbols));
    assert!(drawn.is_empty() || columns > 0);

    let printed = plain(text, symbols);
    for line in printed.split(['\n', '\t']) {
        assert_eq!(first_hidden(line), None, "{line:?}");
    }
    let breaks = |text: &str| text.matches(['\n', '\t']).count();
    assert_eq!(breaks(&printed), breaks(text), "lines and tabs are kept");
    assert_eq!(plain(&printed, symbols), printed, "once is enough");
}

/// Demands that rows join to the text and fit, one cluster that is too wide aside.
fn wrapped_whole(text: &str, columns: usize, symbols: Symbols) {
    let rows = wrap(text, columns, symbols);
    let mut joined = String::new();
    for (at, row) in rows.iter().enumerate() {
        if at > 0 && row.first {
            joined.push('\n');
        }
        let part = &text[row.range.clone()];
        joined.push_str(part);
        let alone = first_cluster(part, symbols).is_none_or(|first| first.len == part.len());
        assert!(width(part, symbols) <= columns.max(1) || alone, "{part:?}");
        assert_eq!(row.line, joined.matches('\n').count());
        assert!(
            row.first || !part.is_empty(),
            "a further row holds something"
        );
    }
    assert_eq!(joined, text.strip_suffix('\n').unwrap_or(text));
}

//! The parts of the terminal that need none.

use super::*;
use ratatui::layout::Rect;
use ratatui::{TerminalOptions, Viewport};

/// Counts the writes that reach it.
#[derive(Debug, Default)]
struct Sink(Vec<Vec<u8>>);

impl Write for &mut Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.push(bytes.to_vec());
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn without_a_terminal_the_error_says_what_to_do() {
    let dumb = Some(OsStr::new("dumb"));
    for (stdin, stdout, term) in [(false, true, None), (true, false, None), (true, true, dumb)] {
        let error = check_these(stdin, stdout, term).unwrap_err();
        assert_eq!(error.kind(), Kind::Terminal);
        assert!(error.hint_text().unwrap().contains("promptscope render"));
    }
    assert_eq!(check_these(true, true, Some(OsStr::new("xterm"))), Ok(()));
    assert_eq!(check_these(true, true, None), Ok(()));
}

#[test]
fn a_frame_is_one_write_between_the_marks() {
    let mut sink = Sink::default();
    let area = Rect::new(0, 0, 20, 2);
    let mut terminal = Terminal::with_options(
        CrosstermBackend::new(FrameWriter::new(&mut sink)),
        TerminalOptions {
            viewport: Viewport::Fixed(area),
        },
    )
    .unwrap();
    for text in ["one", "two"] {
        synchronized(&mut terminal, |terminal| {
            terminal
                .draw(|frame| frame.render_widget(text, area))
                .map(|_| ())
        })
        .unwrap();
    }
    let failed = synchronized(&mut terminal, |_| Err::<(), _>(io::Error::other("no")));
    assert!(failed.is_err());
    // The cursor shown again at the terminal's end is flushed, the frame cut short is not.
    let _ = queue!(terminal.backend_mut(), BeginSynchronizedUpdate);
    drop(terminal);
    assert_eq!(sink.0.len(), 3);
    for frame in sink.0 {
        assert!(frame.starts_with(b"\x1b[?2026h") && frame.ends_with(b"\x1b[?2026l"));
    }
}

#[test]
fn giving_back_undoes_every_mode_that_was_set() {
    let bytes = String::from_utf8(reset_bytes().unwrap()).unwrap();
    for mode in ["?2004l", "?1049l", "?25h", "?2026l"] {
        assert!(bytes.contains(mode), "{mode}");
    }
}

//! Frames on their way to the terminal: each in one write, and without the bytes that change nothing.

use std::io::{self, Stdout, Write};

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;

const BEGIN: &[u8] = b"\x1b[?2026h";
const END: &[u8] = b"\x1b[?2026l";
const HIDE_CURSOR: &[u8] = b"\x1b[?25l";
const CLEAR: &[u8] = b"\x1b[2J";
/// What ends every frame; the last of the four says it all.
const RESETS: &[u8] = b"\x1b[39m\x1b[49m\x1b[59m\x1b[0m";
const RESET: &[u8] = b"\x1b[0m";

/// Makes the writer of frames to the terminal.
#[must_use]
pub fn writer() -> FrameWriter<Stdout> {
    FrameWriter::new(io::stdout())
}

/// A writer that sends each frame of [`synchronized`] at once, however often it is flushed before.
///
/// A frame in which nothing is drawn is not sent at all. What is not flushed when it is dropped is not
/// sent: after a panic that would be half a frame on a screen which is no longer ours.
#[derive(Debug)]
pub struct FrameWriter<W> {
    inner: W,
    bytes: Vec<u8>,
    /// Whether the last frame left the cursor hidden, and nobody had the terminal since.
    is_cursor_hidden: bool,
}

impl<W: Write> FrameWriter<W> {
    /// Wraps a writer, with room for the frames of a large window.
    pub fn new(inner: W) -> Self {
        Self {
            inner,
            bytes: Vec::with_capacity(64 * 1024),
            is_cursor_hidden: false,
        }
    }

    /// Takes out of a frame what changes nothing.
    fn trim(&mut self) {
        let is_cleared = self.bytes.windows(CLEAR.len()).any(|bytes| bytes == CLEAR);
        let mut drawn = &self.bytes[BEGIN.len()..self.bytes.len() - END.len()];
        let mut hides_cursor = false;
        if let Some(before) = drawn.strip_suffix(HIDE_CURSOR) {
            drawn = before;
            hides_cursor = is_cleared || !self.is_cursor_hidden;
            self.is_cursor_hidden = true;
        }
        let letters = drawn.strip_suffix(RESETS);
        let mut frame = Vec::with_capacity(self.bytes.len());
        match letters {
            Some([]) if !hides_cursor => {}
            Some(letters) => frame.extend([letters, RESET].concat()),
            None => frame.extend_from_slice(drawn),
        }
        if hides_cursor {
            frame.extend_from_slice(HIDE_CURSOR);
        }
        if frame.is_empty() {
            self.bytes.clear();
        } else {
            self.bytes = [BEGIN, &frame, END].concat();
        }
    }
}

impl<W: Write> Write for FrameWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.bytes.starts_with(BEGIN) {
            if !self.bytes.ends_with(END) {
                return Ok(());
            }
            self.trim();
        } else {
            // What is written beside frames clears the screen for who had it: the cursor may show.
            self.is_cursor_hidden = false;
        }
        if self.bytes.is_empty() {
            return Ok(());
        }
        let sent = self.inner.write_all(&self.bytes);
        self.bytes.clear();
        sent?;
        self.inner.flush()
    }
}

/// Draws one frame that the terminal shows as a whole, if it knows how to.
pub fn synchronized<W: Write, R>(
    terminal: &mut Terminal<CrosstermBackend<W>>,
    frame: impl FnOnce(&mut Terminal<CrosstermBackend<W>>) -> io::Result<R>,
) -> io::Result<R> {
    terminal.backend_mut().write_all(BEGIN)?;
    let drawn = frame(terminal);
    terminal.backend_mut().write_all(END)?;
    Write::flush(terminal.backend_mut())?;
    drawn
}

#[cfg(test)]
mod tests {
    use ratatui::layout::Rect;
    use ratatui::{TerminalOptions, Viewport};

    use super::*;

    /// Keeps the writes that reach it.
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

    fn draw(terminal: &mut Terminal<CrosstermBackend<FrameWriter<&mut Sink>>>, text: &str) {
        let area = Rect::new(0, 0, 20, 2);
        synchronized(terminal, |terminal| {
            let drawn = terminal.draw(|frame| frame.render_widget(text, area));
            drawn.map(|_| ())
        })
        .unwrap();
    }

    #[test]
    fn a_frame_is_one_write_between_the_marks_and_an_empty_one_is_none() {
        let mut sink = Sink::default();
        let viewport = Viewport::Fixed(Rect::new(0, 0, 20, 2));
        let backend = CrosstermBackend::new(FrameWriter::new(&mut sink));
        let mut terminal = Terminal::with_options(backend, TerminalOptions { viewport }).unwrap();
        for text in ["one", "one", "two", "two"] {
            draw(&mut terminal, text);
        }
        let failed = synchronized(&mut terminal, |_| Err::<(), _>(io::Error::other("no")));
        assert!(failed.is_err());
        // The frame cut short is not sent.
        terminal.backend_mut().write_all(BEGIN).unwrap();
        drop(terminal);
        let sent: Vec<String> = sink
            .0
            .into_iter()
            .map(|it| String::from_utf8(it).unwrap())
            .collect();
        let wanted = [
            "\x1b[?2026h\x1b[1;1Hone\x1b[0m\x1b[?25l\x1b[?2026l",
            "\x1b[?2026h\x1b[1;1Htwo\x1b[0m\x1b[?2026l",
        ];
        assert_eq!(sent, wanted);
    }

    #[test]
    fn the_cursor_is_hidden_again_once_others_had_the_terminal() {
        let mut sink = Sink::default();
        let mut writer = FrameWriter::new(&mut sink);
        let frame = [BEGIN, b"x", RESETS, HIDE_CURSOR, END].concat();
        for bytes in [&frame[..], &frame, CLEAR, &frame] {
            writer.write_all(bytes).unwrap();
            writer.flush().unwrap();
        }
        let hides: Vec<bool> = sink
            .0
            .iter()
            .map(|it| it.windows(6).any(|it| it == HIDE_CURSOR))
            .collect();
        assert_eq!(hides, [true, false, false, true]);
    }
}

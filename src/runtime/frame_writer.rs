//! Frames on their way to the terminal: each in one write.

use std::io::{self, Stdout, Write};

use crossterm::terminal;
use ratatui::backend::{Backend, ClearType, WindowSize};
use ratatui::buffer::Cell;
use ratatui::layout::{Position, Size};

use super::frame_encoder::FrameEncoder;

/// What ratatui draws on: it sends each frame at once, and one in which nothing is drawn not at all.
///
/// Nothing is sent before the end of a frame: after a panic it would be half a frame on a screen which is no
/// longer ours.
#[derive(Debug)]
pub struct FrameWriter<W> {
    inner: W,
    encoder: FrameEncoder,
}

/// Makes the writer of frames to the terminal.
#[must_use]
pub fn writer() -> FrameWriter<Stdout> {
    FrameWriter::new(io::stdout())
}

impl<W: Write> FrameWriter<W> {
    /// Wraps what a terminal is written to with; the first frame empties the screen.
    pub fn new(inner: W) -> Self {
        let mut encoder = FrameEncoder::default();
        encoder.clear();
        Self { inner, encoder }
    }
}

impl<W: Write> Backend for FrameWriter<W> {
    type Error = io::Error;

    fn draw<'a, I>(&mut self, content: I) -> io::Result<()>
    where
        I: Iterator<Item = (u16, u16, &'a Cell)>,
    {
        for (x, y, cell) in content {
            self.encoder.cell(x, y, cell);
        }
        Ok(())
    }

    fn hide_cursor(&mut self) -> io::Result<()> {
        self.encoder.hide_cursor();
        Ok(())
    }

    fn show_cursor(&mut self) -> io::Result<()> {
        self.encoder.show_cursor();
        Ok(())
    }

    /// Fails: the terminal's answer could be taken for keys, and one that never answers would hold us up.
    fn get_cursor_position(&mut self) -> io::Result<Position> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, position: P) -> io::Result<()> {
        self.encoder.set_cursor(position.into());
        Ok(())
    }

    fn clear(&mut self) -> io::Result<()> {
        self.encoder.clear();
        Ok(())
    }

    /// Empties the screen; fails for a part of it, which no screen that is ours as a whole needs.
    fn clear_region(&mut self, clear_type: ClearType) -> io::Result<()> {
        match clear_type {
            ClearType::All => self.clear(),
            _ => Err(io::ErrorKind::Unsupported.into()),
        }
    }

    fn size(&self) -> io::Result<Size> {
        terminal::size().map(Size::from)
    }

    fn window_size(&mut self) -> io::Result<WindowSize> {
        Ok(WindowSize {
            columns_rows: self.size()?,
            pixels: Size::ZERO,
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        let frame = self.encoder.finish();
        if frame.is_empty() {
            return Ok(());
        }
        self.inner.write_all(&frame)?;
        self.inner.flush()
    }
}

#[cfg(test)]
mod tests {
    use ratatui::layout::Rect;
    use ratatui::{Terminal, TerminalOptions, Viewport};

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

    fn draw(terminal: &mut Terminal<FrameWriter<&mut Sink>>, text: &str) {
        let drawn = terminal.draw(|frame| frame.render_widget(text, frame.area()));
        drawn.unwrap();
    }

    #[test]
    fn a_frame_is_one_write_between_the_marks_and_an_empty_one_is_none() {
        let mut sink = Sink::default();
        let viewport = Viewport::Fixed(Rect::new(0, 0, 20, 2));
        let backend = FrameWriter::new(&mut sink);
        let mut terminal = Terminal::with_options(backend, TerminalOptions { viewport }).unwrap();
        for text in ["one", "one", "two", "two"] {
            draw(&mut terminal, text);
        }
        // The frame cut short is not sent.
        let failed = terminal.try_draw(|frame| {
            frame.render_widget("three", frame.area());
            Err(io::Error::other("no"))
        });
        assert!(failed.is_err());
        terminal
            .backend_mut()
            .draw([(0, 0, &Cell::new("f"))].into_iter())
            .unwrap();
        drop(terminal);
        let sent: Vec<String> = sink
            .0
            .into_iter()
            .map(|it| String::from_utf8(it).unwrap())
            .collect();
        let wanted = [
            "\x1b[?2026h\x1b[m\x1b[2J\x1b[1;1Hone\x1b[?25l\x1b[?2026l",
            "\x1b[?2026h\x1b[1;1Htwo\x1b[?2026l",
        ];
        assert_eq!(sent, wanted);
    }
}

//! From a save to the screen, against the same steps done one after the other with nothing around them.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use notify::event::{AccessKind, AccessMode, ModifyKind, RenameMode};
use notify::{EventKind, RecursiveMode, Watcher};
use promptscope::tokens::{Counter, Encoding};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::layout::Rect;
use ratatui::widgets::{Block, Paragraph};
use ratatui::{TerminalOptions, Viewport};

use super::session::{Session, Start};
use super::table::{Pair, Row, alone, percentile, time};
use super::texts::{ENGLISH, KILOBYTE, MEGABYTE, text_of};

const ROUNDS: usize = 101;

/// How long after the last event of a burst the program reads; it is the price of files that are written in
/// parts, and the same whatever they hold.
const SETTLE: Duration = Duration::from_millis(20);

/// The program with a long memory on the screen.
fn open(text: &str) -> Session {
    let start = Start::at(120, 40);
    fs::write(start.workspace().join("memory/MEMORY.md"), text).unwrap();
    let mut session = start.ready();
    session.send("4");
    session.wait_for_text("Mr Ong's tandem");
    session
}

/// Nothing but the steps themselves: the event, the reading, the count and the drawing.
struct Steps {
    events: Receiver<Instant>,
    counter: Counter,
    terminal: Terminal<CrosstermBackend<Vec<u8>>>,
    _watcher: notify::RecommendedWatcher,
}

impl Steps {
    fn new(file: &Path, text: &str) -> Self {
        let (sender, events) = channel();
        let name = file.to_path_buf();
        let mut watcher =
            notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
                let event = event.unwrap();
                let is_save = matches!(
                    event.kind,
                    EventKind::Modify(ModifyKind::Name(RenameMode::To))
                        | EventKind::Access(AccessKind::Close(AccessMode::Write))
                );
                if is_save && event.paths.contains(&name) {
                    sender.send(Instant::now()).unwrap();
                }
            })
            .unwrap();
        let folder = file.parent().unwrap();
        watcher.watch(folder, RecursiveMode::NonRecursive).unwrap();
        let mut counter = Counter::new(Encoding::O200kBase);
        let text: Arc<str> = text.into();
        counter.count_shared(&text, 0..text.len());
        let viewport = Viewport::Fixed(Rect::new(0, 0, 120, 40));
        let options = TerminalOptions { viewport };
        let backend = CrosstermBackend::new(Vec::new());
        Self {
            events,
            counter,
            terminal: Terminal::with_options(backend, options).unwrap(),
            _watcher: watcher,
        }
    }

    /// Saves, and does each step; gives how long it took from the save on.
    fn take(&mut self, file: &Path, text: &str) -> Duration {
        let beside = file.with_extension("tmp~");
        fs::write(&beside, text).unwrap();
        let saved = Instant::now();
        fs::rename(&beside, file).unwrap();
        self.events.recv().unwrap();
        let text: Arc<str> = fs::read_to_string(file).unwrap().into();
        self.counter.end_round();
        let tokens = self.counter.count_shared(&text, 0..text.len());
        self.terminal
            .draw(|frame| {
                let title = format!("{tokens} tokens");
                let top: Vec<&str> = text.lines().take(38).collect();
                let pane = Paragraph::new(top.join("\n")).block(Block::bordered().title(title));
                frame.render_widget(pane, frame.area());
            })
            .unwrap();
        saved.elapsed()
    }
}

/// Measures saves of a small file and of a large one.
pub fn saves() -> Vec<Row> {
    let mut rows = Vec::new();
    for (name, size) in [("10 KB", 10 * KILOBYTE), ("1 MB", MEGABYTE)] {
        let text = text_of(ENGLISH, size);
        let session = open(&text);
        let file = session.path("memory/MEMORY.md");
        let raw = tempfile::tempdir().unwrap();
        let raw_file = raw.path().join("MEMORY.md");
        fs::write(&raw_file, &text).unwrap();
        let mut steps = Steps::new(&raw_file, &text);
        let body = |round: usize| format!("- Save number {round:04}.\n{text}");
        let mut times = Vec::new();
        let pair = Pair::told(
            ROUNDS,
            |round| {
                let text = body(round);
                let beside = file.with_extension("tmp~");
                fs::write(&beside, text).unwrap();
                let saved = Instant::now();
                fs::rename(&beside, &file).unwrap();
                session.wait_for_text(&format!("Save number {round:04}."));
                let took = saved.elapsed().saturating_sub(SETTLE);
                times.push(took);
                took
            },
            |round| steps.take(&raw_file, &body(round)),
        );
        rows.push(pair.longer(
            format!("save to the last byte of the frame, {name}, without the settle time"),
            "notify, read, recount, draw",
            "< 3×",
        ));
        let slow = time(percentile(&times, 95));
        let target = if size == MEGABYTE { "< 20 ms" } else { "–" };
        rows.push(alone(
            format!("the same, 95th percentile, {name}"),
            slow,
            target,
        ));
    }
    rows
}

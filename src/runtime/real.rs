//! The world outside the loop, on a real terminal.

use std::io::Stdout;
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use crossterm::event::{Event as TerminalEvent, EventStream};
use futures::StreamExt as _;
use ratatui::Terminal;
use tokio::sync::mpsc::UnboundedSender;
use tokio::task::JoinHandle;

use super::background::{Heard, Listener};
use super::clipboard::{self, Way};
use super::effects::Workers;
use super::frame_writer::FrameWriter;
use super::signals::Ending;
use super::terminal::{self, TerminalGuard};
use super::{Outside, clear, draw, editor, failed, faults, log, signals};
use crate::app::{App, Event, Question, StoreTask};
use crate::error::Result;
use crate::machine::Machine;
use crate::ui::Painter;

/// The terminal that is drawn on.
pub type Screen = Terminal<FrameWriter<Stdout>>;

/// How long an answer may take until the screen says that it works on one.
const LATE: Duration = Duration::from_millis(100);

/// How long the reader of keys has to end before another program reads them.
const HAND_OVER: Duration = Duration::from_millis(20);

/// How long a program that is continued behind the shell waits for the signal that it was continued for.
const BACKGROUND_PATIENCE: Duration = Duration::from_millis(200);

/// The terminal, the workers and the reader of keys.
pub struct Real {
    guard: TerminalGuard,
    workers: Workers,
    machine: Machine,
    copies_to_file: bool,
    events_tx: UnboundedSender<Event>,
    ending: Arc<Ending>,
    reader: JoinHandle<()>,
}

impl Real {
    /// Takes over the terminal; keys are read from now on.
    ///
    /// With `asks_background`, the terminal is asked for its background's colour.
    pub fn new(
        guard: TerminalGuard,
        workers: Workers,
        machine: Machine,
        copies_to_file: bool,
        asks_background: bool,
        events_tx: UnboundedSender<Event>,
        ending: Arc<Ending>,
    ) -> Self {
        let listener = asks_background.then(|| Listener::new(Instant::now()));
        Self {
            reader: tokio::spawn(read_terminal(events_tx.clone(), listener)),
            guard,
            workers,
            machine,
            copies_to_file,
            events_tx,
            ending,
        }
    }

    /// Hands a text to tmux as well; what is said waits for it.
    fn copy_into_tmux(&self, text: &str, what: &str) {
        let (text, what, events_tx) = (text.to_owned(), what.to_owned(), self.events_tx.clone());
        tokio::spawn(async move {
            let said = if clipboard::into_tmux(&text).await {
                format!(
                    "Sent {what} to tmux and the terminal's clipboard; terminals do not say whether they take it."
                )
            } else {
                format!(
                    "Sent {what} through tmux, which lets it through where set-clipboard or allow-passthrough is on."
                )
            };
            // A loop that has ended has no screen to say it on.
            let _ = events_tx.send(Event::Copied(said));
        });
    }

    /// Stops again as long as the shell keeps the terminal; fails where the end is what we were continued for.
    fn wait_for_terminal(&self) -> Result<()> {
        while !terminal::is_in_foreground() {
            if self.is_ended_within(BACKGROUND_PATIENCE) {
                return Err(failed(&"the program was told to end while it was stopped"));
            }
            if signals::stop().is_err() {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Tells whether a signal asks for the end within a time.
    fn is_ended_within(&self, time: Duration) -> bool {
        let end = Instant::now() + time;
        while self.ending.status() == 0 && Instant::now() < end {
            thread::sleep(Duration::from_millis(5));
        }
        self.ending.status() != 0
    }
}

/// Turns what the terminal reports into events of the loop; a terminal that is gone ends it.
async fn read_terminal(events_tx: UnboundedSender<Event>, mut listener: Option<Listener>) {
    let mut stream = EventStream::new();
    while let Some(Ok(event)) = stream.next().await {
        let mut events = Vec::new();
        match event {
            TerminalEvent::Key(key) => match listener.as_mut() {
                None => events.push(Event::Key(key)),
                Some(listener) => match listener.hear(key, Instant::now()) {
                    Heard::Keys(keys) => events.extend(keys.into_iter().map(Event::Key)),
                    Heard::Background { is_dark } => events.push(Event::Background { is_dark }),
                },
            },
            TerminalEvent::Paste(text) => events.push(Event::Paste(text)),
            TerminalEvent::Mouse(mouse) => events.push(Event::Mouse(mouse)),
            // The signal tells of another size; here it is lost where a key comes with it.
            TerminalEvent::Resize(..) | TerminalEvent::FocusGained | TerminalEvent::FocusLost => {}
        }
        for event in events {
            if events_tx.send(event).is_err() {
                return;
            }
        }
    }
    let _ = events_tx.send(Event::Terminated);
}

impl Outside<FrameWriter<Stdout>> for Real {
    fn assemble(&mut self, question: Question) {
        let (number, events_tx) = (question.number, self.events_tx.clone());
        self.workers.ask(question);
        tokio::spawn(async move {
            tokio::time::sleep(LATE).await;
            let _ = events_tx.send(Event::Late(number));
        });
    }

    fn count_marked(&mut self, number: u64, text: Arc<str>) {
        self.workers.count_marked(number, text);
    }

    fn audit(&mut self) {
        self.workers.audit();
    }

    fn insight(&mut self) {
        self.workers.insight();
    }

    fn git_base(&mut self) {
        self.workers.git_base();
    }

    fn store(&mut self, task: StoreTask) {
        self.workers.store(task);
    }

    fn copy(&mut self, text: &str, what: &str) -> Result<()> {
        log::event("copy", format_args!("{} bytes", text.len()));
        let said = match clipboard::way(&self.machine, text, self.copies_to_file) {
            Way::Terminal(bytes) => {
                terminal::write_direct(&bytes).map_err(|error| failed(&error))?;
                if self.machine.variable("TMUX").is_some() {
                    self.copy_into_tmux(text, what);
                    return Ok(());
                }
                format!(
                    "Sent {what} to the terminal's clipboard; terminals do not say whether they take it."
                )
            }
            Way::File(reason) => match clipboard::to_file(&self.machine, text) {
                Ok(path) => format!("Copied {what} to {}: {reason}.", path.display()),
                Err(error) => {
                    format!("{what} cannot be copied: {reason}, and the file fails: {error}.")
                }
            },
        };
        // The loop that is asking is there to listen.
        let _ = self.events_tx.send(Event::Copied(said));
        Ok(())
    }

    async fn edit(&mut self, screen: &mut Screen, path: &Path, line: Option<usize>) -> Result<()> {
        // The keys are the editor's: whoever reads them has to be gone before it starts.
        self.reader.abort();
        let _ = (&mut self.reader).await;
        // Its thread is woken to end, and says nothing when it has. Meanwhile it could take a key of the
        // editor's, or of ours where the editor is gone at once.
        tokio::time::sleep(HAND_OVER).await;
        self.guard.suspend().map_err(|error| failed(&error))?;
        let since = Instant::now();
        let problem = editor::edit(&self.machine, path, line, &self.ending)
            .await
            .map_err(|error| failed(&error))?;
        let went = if problem.is_some() { "failed" } else { "fine" };
        log::took("editor", since, went);
        self.guard.reclaim().map_err(|error| failed(&error))?;
        self.reader = tokio::spawn(read_terminal(self.events_tx.clone(), None));
        let _ = self.events_tx.send(Event::Edited(problem));
        if let Ok(size) = crossterm::terminal::size() {
            let _ = self.events_tx.send(Event::Resize(size.0, size.1));
        }
        clear(screen)
    }

    fn mouse(&mut self, is_wanted: bool) -> Result<()> {
        terminal::set_mouse(is_wanted).map_err(|error| failed(&error))
    }

    fn suspend(&mut self, screen: &mut Screen) -> Result<()> {
        self.guard.suspend().map_err(|error| failed(&error))?;
        // Where no shell could continue us, we go on at once.
        let _ = signals::stop();
        self.wait_for_terminal()?;
        self.guard.resume().map_err(|error| failed(&error))?;
        clear(screen)
    }

    fn resume(&mut self, screen: &mut Screen) -> Result<()> {
        self.wait_for_terminal()?;
        // Raw mode is set again only by who has left it.
        self.guard.suspend().map_err(|error| failed(&error))?;
        self.guard.resume().map_err(|error| failed(&error))?;
        clear(screen)
    }

    fn draw(&mut self, screen: &mut Screen, app: &App, painter: &Painter) -> Result<()> {
        faults::at("draw").map_err(|error| failed(&error))?;
        let since = Instant::now();
        draw(screen, app, painter)?;
        log::took("draw", since, "");
        Ok(())
    }
}

//! The loop, and everything that touches the world: terminal, watcher, workers.

mod assembler;
pub mod background;
pub mod clipboard;
mod counting;
pub mod demo;
pub mod editor;
pub mod effects;
mod faults;
pub mod frame_encoder;
pub mod frame_writer;
mod lines;
pub mod log;
mod real;
pub mod signals;
pub mod store;
pub mod terminal;
pub mod themes;
pub mod watcher;
pub mod workbench;

use std::path::Path;
use std::sync::Arc;

use ratatui::Terminal;
use ratatui::backend::Backend;
use ratatui::layout::{Position, Rect};
use tokio::sync::mpsc::UnboundedReceiver;

use crate::app::{App, Effect, Event, Notice, Question, StoreTask};
use crate::error::{Error, Kind, Result};
use crate::ui::{Painter, render};
use themes::Themes;

/// What the loop hands its effects to, besides the terminal and the painter that it holds itself.
pub trait Outside<B: Backend> {
    /// Starts work on a question; the answer arrives as an event.
    fn assemble(&mut self, question: Question);
    /// Counts marked lines; the answer arrives as an event.
    fn count_marked(&mut self, number: u64, text: Arc<str>);
    /// Audits the history; the answer arrives as an event.
    fn audit(&mut self);
    /// Tells of cache and savings; the answer arrives as an event.
    fn insight(&mut self);
    /// Assembles what git's last commit holds; the answer arrives as an event.
    fn git_base(&mut self);
    /// Hands a task to the store of scenarios; the answer arrives as an event.
    fn store(&mut self, task: StoreTask);
    /// Copies a text; the answer arrives as an event.
    fn copy(&mut self, text: &str, what: &str) -> Result<()>;
    /// Lends the terminal to the person's editor until it ends; the answer arrives as an event.
    fn edit(
        &mut self,
        terminal: &mut Terminal<B>,
        path: &Path,
        line: Option<usize>,
    ) -> impl Future<Output = Result<()>>;
    /// Asks the terminal for the mouse, or leaves it to the terminal.
    fn mouse(&mut self, is_wanted: bool) -> Result<()>;
    /// Hands the terminal to the shell until the program is continued.
    fn suspend(&mut self, terminal: &mut Terminal<B>) -> Result<()>;
    /// Takes the terminal again after the shell had it without asking us.
    fn resume(&mut self, terminal: &mut Terminal<B>) -> Result<()>;
    /// Draws one frame; a terminal that can takes it in at once.
    fn draw(&mut self, terminal: &mut Terminal<B>, app: &App, painter: &Painter) -> Result<()> {
        draw(terminal, app, painter)
    }
}

/// Draws one frame.
pub fn draw<B: Backend>(terminal: &mut Terminal<B>, app: &App, painter: &Painter) -> Result<()> {
    terminal
        .draw(|frame| render(app, painter, frame))
        .map(|_| ())
        .map_err(|error| failed(&error))
}

/// Empties the screen, so that the next frame draws everything.
///
/// It is not ratatui's own way, which asks the terminal where the cursor is: the answer could be
/// taken for keys, and a terminal that never answers would end the program.
pub fn clear<B: Backend>(terminal: &mut Terminal<B>) -> Result<()> {
    let size = terminal.size().map_err(|error| failed(&error))?;
    terminal
        .resize(Rect::from((Position::ORIGIN, size)))
        .map_err(|error| failed(&error))
}

/// Makes the error for a terminal that cannot be written to.
pub fn failed(error: &impl std::fmt::Display) -> Error {
    Error::new(
        Kind::Terminal,
        format!("the terminal cannot be used: {error}"),
    )
}

/// Runs until the person quits: takes events in, hands effects out, and draws when the queue is
/// empty and something changed. It writes nothing while nothing changes.
pub async fn run<B: Backend>(
    app: &mut App,
    painter: &mut Painter,
    terminal: &mut Terminal<B>,
    events: &mut UnboundedReceiver<Event>,
    outside: &mut impl Outside<B>,
    themes: &Themes,
) -> Result<()> {
    outside.draw(terminal, app, painter)?;
    app.dirty = false;
    let mut effects = app.start();
    loop {
        for effect in effects.drain(..) {
            match effect {
                Effect::Quit => return Ok(()),
                Effect::Assemble(question) => outside.assemble(question),
                Effect::CountMarked(number, text) => outside.count_marked(number, text),
                Effect::Audit => outside.audit(),
                Effect::Insight => outside.insight(),
                Effect::GitBase => outside.git_base(),
                Effect::Store(task) => outside.store(task),
                Effect::Copy { text, what } => outside.copy(&text, &what)?,
                Effect::Edit { path, line } => {
                    outside.edit(terminal, &path, line).await?;
                    app.dirty = true;
                }
                Effect::Mouse(is_wanted) => outside.mouse(is_wanted)?,
                Effect::Theme(name) => show_theme(app, painter, themes, &name),
                Effect::ReloadTheme => reload_theme(app, painter, themes),
                Effect::Redraw => {
                    clear(terminal)?;
                    app.dirty = true;
                }
                Effect::Suspend => {
                    outside.suspend(terminal)?;
                    app.dirty = true;
                }
                Effect::Resume => {
                    outside.resume(terminal)?;
                    app.dirty = true;
                }
            }
        }
        let event = if let Ok(event) = events.try_recv() {
            event
        } else {
            if app.dirty {
                outside.draw(terminal, app, painter)?;
                app.dirty = false;
            }
            match events.recv().await {
                Some(event) => event,
                None => return Ok(()),
            }
        };
        effects = app.update(event);
    }
}

fn show_theme(app: &mut App, painter: &mut Painter, themes: &Themes, name: &str) {
    app.dirty = true;
    match themes.load(name) {
        Ok(theme) => {
            painter.theme = theme;
            name.clone_into(&mut app.theme);
        }
        Err(error) => app.notice = Some(Notice(error.to_string())),
    }
}

/// Takes up what a person changed in the file of the theme that is shown; one that cannot be read
/// leaves the theme as it was, and what is wrong with it is told.
fn reload_theme(app: &mut App, painter: &mut Painter, themes: &Themes) {
    match themes.load(&app.theme) {
        Ok(theme) if theme == painter.theme => {}
        Ok(theme) => {
            painter.theme = theme;
            app.dirty = true;
        }
        Err(error) => {
            let notice = Some(Notice(error.to_string()));
            app.dirty |= app.notice != notice;
            app.notice = notice;
        }
    }
}

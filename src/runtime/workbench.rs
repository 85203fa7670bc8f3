//! Opens the workbench on the real terminal, and gives it back whatever happens.

use std::io::Stdout;
use std::mem::ManuallyDrop;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};

use crossterm::event::{Event as TerminalEvent, EventStream};
use futures::StreamExt as _;
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

use super::effects::Workers;
use super::signals::{self, Signal};
use super::terminal::{self, FrameWriter, TerminalGuard};
use super::themes::Themes;
use super::watcher::{WatchEvent, WatchMode, Watcher};
use super::{Outside, clear, demo, failed, run};
use crate::app::{App, Event, Notice, Question, Watching};
use crate::cli::OpenArgs;
use crate::config::Config;
use crate::display::sanitize::Symbols;
use crate::error::Result;
use crate::inputs::{Request, config_files, root};
use crate::machine::Machine;
use crate::ui::theme::{ColorDepth, Theme};
use crate::ui::{Painter, render};
use crate::workspace::agent_config::AgentConfig;

type Screen = Terminal<CrosstermBackend<FrameWriter<Stdout>>>;

/// Runs the workbench; gives the exit code: 0, or 128 and the number of the signal that ended it.
pub fn open(args: &OpenArgs, machine: Machine) -> Result<u8> {
    let copy = args.demo.then(demo::copy).transpose()?;
    let workspace = match &copy {
        Some(copy) => Some(copy.path().to_path_buf()),
        None => args.workspace.clone(),
    };
    let mut request = args.turn.request(workspace);
    let agent = machine.home().and_then(AgentConfig::read);
    request.workspace = Some(root(&request, &machine, agent.as_ref())?);
    let folder = machine
        .settings_folder()
        .map(|folder| folder.join("themes"));
    let depth = ColorDepth::detect(|name| machine.env.get(name).cloned());
    let themes = Themes::new(folder, depth);
    let first = first_theme(args, &request, &machine, &themes)?;
    terminal::check()?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| failed(&error))?;
    runtime.block_on(on_terminal(request, machine, &themes, first))
}

/// The theme that is shown first, and what is wrong with the one that was asked for.
struct FirstTheme {
    name: String,
    theme: Theme,
    problem: Option<Notice>,
}

/// Picks the theme: the flag's, which must exist, else the settings', else the default.
fn first_theme(
    args: &OpenArgs,
    request: &Request,
    machine: &Machine,
    themes: &Themes,
) -> Result<FirstTheme> {
    let shown = |name: &str, problem| {
        let theme = themes.load(name)?;
        Ok(FirstTheme {
            name: name.to_owned(),
            theme,
            problem,
        })
    };
    if let Some(name) = &args.theme {
        return shown(name, None);
    }
    let defaults = Config::resolve(&[])?;
    let named = request
        .workspace
        .as_deref()
        .and_then(|root| config_files(root, machine).ok())
        .and_then(|files| Config::resolve(&files).ok())
        .unwrap_or(defaults.clone())
        .theme;
    match themes.load(&named) {
        Ok(_) => shown(&named, None),
        // Something must be drawn, and what is wrong is told there.
        Err(error) => shown(&defaults.theme, Some(Notice(error.to_string()))),
    }
}

async fn on_terminal(
    request: Request,
    machine: Machine,
    themes: &Themes,
    first: FirstTheme,
) -> Result<u8> {
    let (events_tx, mut events) = unbounded_channel();
    let status = Arc::new(AtomicI32::new(0));
    listen(&events_tx, &status)?;
    let guard = TerminalGuard::enter().map_err(|error| failed(&error))?;
    let screen =
        Terminal::new(CrosstermBackend::new(terminal::writer())).map_err(|error| failed(&error))?;
    // Its end would show the cursor, which the guard does, and panic where the terminal is gone.
    let mut screen = ManuallyDrop::new(screen);
    let size = screen.size().map_err(|error| failed(&error))?;
    let mut app = App::new((size.width, size.height), Symbols::Unicode);
    app.themes = themes.names();
    app.theme = first.name;
    app.notice = first.problem;
    let mut painter = Painter::new(first.theme);
    let watcher = watch(&events_tx);
    let workers = Workers::start(request, machine, events_tx.clone(), Some(watcher));
    tokio::spawn(read_terminal(events_tx));
    let mut outside = Real { guard, workers };
    let outcome = run(
        &mut app,
        &mut painter,
        &mut screen,
        &mut events,
        &mut outside,
        themes,
    )
    .await;
    let status = match status.load(Ordering::SeqCst) {
        // The loop may fail or end for want of a terminal before it is told of the loss.
        0 if !signals::terminal_is_there() => 128 + libc::SIGHUP,
        status => status,
    };
    drop(outside);
    if status == 0 {
        outcome?;
    }
    Ok(u8::try_from(status).unwrap_or(u8::MAX))
}

/// Listens to signals, from before the first change of the terminal on.
fn listen(events_tx: &UnboundedSender<Event>, status: &Arc<AtomicI32>) -> Result<()> {
    let sender = || {
        let (events_tx, status) = (events_tx.clone(), status.clone());
        move |signal: Signal| {
            let event = match signal.exit_status() {
                Some(code) => {
                    status.store(code, Ordering::SeqCst);
                    Event::Terminated
                }
                None if signal == Signal::Suspend => Event::Suspend,
                None => Event::Resumed,
            };
            // A loop that has ended needs no signal.
            let _ = events_tx.send(event);
        }
    };
    signals::listen(sender()).map_err(|error| failed(&error))?;
    signals::hangup_watch(sender()).map_err(|error| failed(&error))
}

/// Starts the watcher; what it tells becomes events of the loop.
fn watch(events_tx: &UnboundedSender<Event>) -> Watcher {
    let (watch_tx, mut watched) = unbounded_channel();
    let events_tx = events_tx.clone();
    tokio::spawn(async move {
        while let Some(event) = watched.recv().await {
            let event = match event {
                WatchEvent::Changed => Event::DiskChanged,
                WatchEvent::Mode(WatchMode::Live) => Event::Watching(Watching::Live),
                WatchEvent::Mode(WatchMode::Polling { reason }) => {
                    Event::Watching(Watching::Polling(reason))
                }
            };
            if events_tx.send(event).is_err() {
                return;
            }
        }
    });
    Watcher::start(watch_tx)
}

/// Turns what the terminal reports into events of the loop; a terminal that is gone ends it.
async fn read_terminal(events_tx: UnboundedSender<Event>) {
    let mut stream = EventStream::new();
    while let Some(Ok(event)) = stream.next().await {
        let event = match event {
            TerminalEvent::Key(key) => Event::Key(key),
            TerminalEvent::Paste(text) => Event::Paste(text),
            TerminalEvent::Resize(width, height) => Event::Resize(width, height),
            TerminalEvent::Mouse(mouse) => Event::Mouse(mouse),
            TerminalEvent::FocusGained | TerminalEvent::FocusLost => {
                continue;
            }
        };
        if events_tx.send(event).is_err() {
            return;
        }
    }
    let _ = events_tx.send(Event::Terminated);
}

/// The world outside the loop, on a real terminal.
struct Real {
    guard: TerminalGuard,
    workers: Workers,
}

impl Outside<CrosstermBackend<FrameWriter<Stdout>>> for Real {
    fn assemble(&mut self, question: Question) {
        self.workers.ask(question);
    }

    fn count_marked(&mut self, number: u64, text: Arc<str>) {
        self.workers.count_marked(number, text);
    }

    fn mouse(&mut self, is_wanted: bool) -> Result<()> {
        terminal::set_mouse(is_wanted).map_err(|error| failed(&error))
    }

    fn suspend(&mut self, screen: &mut Screen) -> Result<()> {
        self.guard.suspend().map_err(|error| failed(&error))?;
        // Where no shell could continue us, we go on at once.
        let _ = signals::stop();
        self.guard.resume().map_err(|error| failed(&error))?;
        clear(screen)
    }

    fn resume(&mut self, screen: &mut Screen) -> Result<()> {
        // Raw mode is set again only by who has left it.
        self.guard.suspend().map_err(|error| failed(&error))?;
        self.guard.resume().map_err(|error| failed(&error))?;
        clear(screen)
    }

    fn draw(&mut self, screen: &mut Screen, app: &App, painter: &Painter) -> Result<()> {
        terminal::synchronized(screen, |screen| {
            screen.draw(|frame| render(app, painter, frame)).map(|_| ())
        })
        .map_err(|error| failed(&error))
    }
}

//! Opens the workbench on the real terminal, and gives it back whatever happens.

use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::Arc;

use ratatui::Terminal;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

use super::effects::Workers;
use super::real::Real;
use super::signals::{self, Ending, Signal};
use super::terminal::{self, TerminalGuard};
use super::themes::Themes;
use super::watcher::{WatchEvent, WatchMode, Watcher};
use super::{background, demo, failed, faults, frame_writer, lines, log, run};
use crate::app::{AUTO, App, Background, Event, Notice, Watching, suiting};
use crate::cli::{Colors, OpenArgs};
use crate::config::Config;
use crate::display::sanitize::Symbols;
use crate::error::{Error, Result};
use crate::inputs::{Request, config_files, root};
use crate::machine::Machine;
use crate::ui::Painter;
use crate::ui::theme::{ColorDepth, Theme};
use crate::workspace::agent_config::AgentConfig;
use crate::workspace::read::Source;

/// Runs the workbench; gives the exit code: 0, or 128 and the number of the signal that ended it.
pub fn open(args: &OpenArgs, shows_secrets: bool, machine: Machine) -> Result<u8> {
    let copy = args.demo.then(demo::copy).transpose()?;
    let workspace = match &copy {
        Some(copy) => Some(copy.path().to_path_buf()),
        None => args.workspace.clone(),
    };
    let mut request = args.turn.request(workspace);
    let agent = machine.home().and_then(AgentConfig::read);
    request.workspace = Some(root(&request, &machine, agent.as_ref())?);
    open_log(args, request.workspace.as_deref(), &machine)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| failed(&error))?;
    if args.plain {
        return runtime.block_on(in_lines(request, machine));
    }
    let config = settings(&request, &machine)?;
    let folder = machine.settings_folder();
    let folder = folder.map(|folder| folder.join("themes"));
    let depth = match args.color {
        None => ColorDepth::detect(|name| machine.env.get(name).cloned()),
        Some(Colors::None) => ColorDepth::None,
        Some(Colors::Sixteen) => ColorDepth::Ansi16,
        Some(Colors::Palette) => ColorDepth::Indexed256,
        Some(Colors::Every) => ColorDepth::TrueColor,
    };
    let themes = Themes::new(folder, depth);
    let start = Start {
        shows_secrets,
        ..Start::new(args, &config, &machine, &themes)?
    };
    terminal::check()?;
    runtime.block_on(on_terminal(request, machine, &themes, start))
}

/// Opens the log where one is asked for, by the flag or by `PROMPTSCOPE_LOG`.
fn open_log(args: &OpenArgs, workspace: Option<&Path>, machine: &Machine) -> Result<()> {
    let named = machine.variable("PROMPTSCOPE_LOG").map(Path::new);
    let Some(path) = args.log.as_deref().or(named) else {
        return Ok(());
    };
    let workspace = workspace.map(Path::to_path_buf);
    let watched: Vec<PathBuf> = workspace
        .into_iter()
        .chain(machine.settings_folder())
        .collect();
    log::open(&machine.absolute(path), &watched)?;
    let version = env!("CARGO_PKG_VERSION");
    log::event(
        "start",
        format_args!("promptscope {version}, process {}", process::id()),
    );
    Ok(())
}

/// Reads the settings; where they are broken the defaults serve, and the screen tells what is wrong.
fn settings(request: &Request, machine: &Machine) -> Result<Config> {
    let files = request.workspace.as_deref();
    let files = files.and_then(|root| config_files(root, machine, &Source::default()).ok());
    files
        .and_then(|files| Config::resolve(&files).ok())
        .map_or_else(|| Config::resolve(&[]), Ok)
}

/// How the screen starts.
struct Start {
    theme_name: String,
    theme: Theme,
    /// What is wrong with the theme that the settings name.
    problem: Option<Notice>,
    background: Background,
    symbols: Symbols,
    copies_to_file: bool,
    shows_secrets: bool,
}

impl Start {
    /// Picks the theme: the flag's, which must exist, else the settings', else the default.
    fn new(args: &OpenArgs, config: &Config, machine: &Machine, themes: &Themes) -> Result<Self> {
        let is_dark = background::of_variable(machine.variable("COLORFGBG")).unwrap_or(true);
        let named = args.theme.as_ref().unwrap_or(&config.theme);
        let name = suiting(named, is_dark);
        let (theme_name, theme, problem) = match (themes.load(name), &args.theme) {
            (Ok(theme), _) => (name, theme, None),
            (Err(error), Some(_)) => return Err(error),
            // Something must be drawn, and what is wrong is told there.
            (Err(error), None) => {
                let name = suiting(AUTO, is_dark);
                (name, themes.load(name)?, Some(Notice(error.to_string())))
            }
        };
        let is_ascii = args.ascii || config.ascii.unwrap_or_else(|| locale_is_ascii(machine));
        Ok(Self {
            theme_name: theme_name.to_owned(),
            theme,
            problem,
            background: Background {
                is_followed: named == AUTO,
                is_dark,
            },
            symbols: if is_ascii {
                Symbols::Ascii
            } else {
                Symbols::Unicode
            },
            copies_to_file: config.copies_to_file,
            shows_secrets: false,
        })
    }
}

/// Tells whether the locale names letters other than those of Unicode; one that names none does not.
fn locale_is_ascii(machine: &Machine) -> bool {
    let named = ["LC_ALL", "LC_CTYPE", "LANG"];
    let locale = named.into_iter().find_map(|name| machine.variable(name));
    locale.is_some_and(|locale| {
        let locale = locale.to_ascii_lowercase();
        !locale.contains("utf-8") && !locale.contains("utf8")
    })
}

/// Tells whether the terminal may be asked for its background: the console of Linux takes the question
/// for a palette.
fn asks_background(machine: &Machine) -> bool {
    machine.variable("TERM") != Some("linux")
}

async fn on_terminal(
    request: Request,
    machine: Machine,
    themes: &Themes,
    start: Start,
) -> Result<u8> {
    let (events_tx, mut events) = unbounded_channel();
    let ending = Arc::new(Ending::default());
    listen(&events_tx, &ending)?;
    let guard = TerminalGuard::enter().map_err(|error| failed(&error))?;
    faults::watch();
    faults::at("start").map_err(|error| failed(&error))?;
    let screen = Terminal::new(frame_writer::writer()).map_err(|error| failed(&error))?;
    // Its end would show the cursor, which the guard does, and panic where the terminal is gone.
    let mut screen = ManuallyDrop::new(screen);
    let size = screen.size().map_err(|error| failed(&error))?;
    let mut app = App::new((size.width, size.height), start.symbols);
    app.themes = themes.names();
    app.theme = start.theme_name;
    app.background = start.background;
    app.shows_secrets = start.shows_secrets;
    app.notice = start.problem;
    app.scenario = request
        .scenario
        .as_deref()
        .map(|file| machine.absolute(file));
    let mut painter = Painter::new(start.theme);
    let watcher = watch(&events_tx);
    let workers = Workers::start(request, machine.clone(), events_tx.clone(), Some(watcher));
    let asks = app.background.is_followed && asks_background(&machine);
    if asks {
        let question = background::QUESTION.as_bytes();
        terminal::write_direct(question).map_err(|error| failed(&error))?;
    }
    let mut outside = Real::new(
        guard,
        workers,
        machine,
        start.copies_to_file,
        asks,
        events_tx,
        ending.clone(),
    );
    let outcome = run(
        &mut app,
        &mut painter,
        &mut screen,
        &mut events,
        &mut outside,
        themes,
    )
    .await;
    let status = match ending.status() {
        // The loop may fail or end for want of a terminal before it is told of the loss.
        0 if !signals::terminal_is_there() => 128 + libc::SIGHUP,
        status => status,
    };
    drop(outside);
    let error = outcome.as_ref().err().map(Error::kind);
    log::event("end", format_args!("status {status}, error {error:?}"));
    if status == 0 {
        outcome?;
    }
    Ok(u8::try_from(status).unwrap_or(u8::MAX))
}

/// Runs without a screen: a line for each change.
async fn in_lines(request: Request, machine: Machine) -> Result<u8> {
    let (events_tx, mut events) = unbounded_channel();
    let ending = Arc::new(Ending::default());
    signals::listen(signal_sender(&events_tx, &ending)).map_err(|error| failed(&error))?;
    let watcher = watch(&events_tx);
    let scenario = request
        .scenario
        .as_deref()
        .map(|file| machine.absolute(file));
    let workers = Workers::start(request, machine, events_tx, Some(watcher));
    lines::run(&mut events, &workers, scenario).await?;
    Ok(u8::try_from(ending.status()).unwrap_or(u8::MAX))
}

/// Listens to signals, from before the first change of the terminal on.
fn listen(events_tx: &UnboundedSender<Event>, ending: &Arc<Ending>) -> Result<()> {
    signals::listen(signal_sender(events_tx, ending)).map_err(|error| failed(&error))?;
    signals::hangup_watch(signal_sender(events_tx, ending)).map_err(|error| failed(&error))
}

/// Makes what turns signals into events, and keeps the exit status of one that ends the program.
fn signal_sender(
    events_tx: &UnboundedSender<Event>,
    ending: &Arc<Ending>,
) -> impl Fn(Signal) + Send + 'static {
    let (events_tx, ending) = (events_tx.clone(), ending.clone());
    move |signal: Signal| {
        log::event("signal", format_args!("{signal:?}"));
        if let Some(code) = signal.exit_status() {
            ending.ask(code);
        }
        let event = match signal {
            Signal::Terminate(_) | Signal::Hangup => Event::Terminated,
            Signal::Suspend => Event::Suspend,
            Signal::Continue => Event::Resumed,
            Signal::Resize => match crossterm::terminal::size() {
                Ok((width, height)) => Event::Resize(width, height),
                Err(_) => return,
            },
        };
        // A loop that has ended needs no signal.
        let _ = events_tx.send(event);
    }
}

/// Starts the watcher; what it tells becomes events of the loop.
fn watch(events_tx: &UnboundedSender<Event>) -> Watcher {
    let (watch_tx, mut watched) = unbounded_channel();
    let events_tx = events_tx.clone();
    tokio::spawn(async move {
        while let Some(event) = watched.recv().await {
            log::event("watch", format_args!("{event:?}"));
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

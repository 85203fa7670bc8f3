//! Takes the terminal and gives it back, whatever happens in between.
//!
//! One state says who has the terminal, so of all those who want to give it back (the guard at its
//! end, the panic hook, a signal that cannot wait for the loop) exactly one does.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, IsTerminal as _, Write as _};
use std::marker::PhantomData;
use std::os::fd::AsFd as _;
use std::panic::{self, PanicHookInfo};
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Mutex, MutexGuard, Once, OnceLock, PoisonError, mpsc};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use crossterm::cursor::Show;
use crossterm::event::{DisableBracketedPaste, EnableBracketedPaste};
use crossterm::queue;
use crossterm::style::ResetColor;
use crossterm::terminal::{
    EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode,
    enable_raw_mode,
};
use rustix::process::getpgrp;
use rustix::termios::{OptionalActions, Termios, tcgetattr, tcgetpgrp, tcsetattr};

use super::log;
use crate::error::{Error, Kind, Result};

mod lifeline;
#[cfg(test)]
mod tests;

/// Nobody took the terminal, or it was given back.
const FREE: u8 = 0;
/// The screen is ours.
const OURS: u8 = 1;
/// The shell or another program has the terminal until we take it again.
const LENT: u8 = 2;
/// The process ends, and nobody may take the terminal any more.
const CLOSED: u8 = 3;

static STATE: AtomicU8 = AtomicU8::new(FREE);
/// Whether the mouse is asked for while the screen is ours.
static MOUSE: AtomicBool = AtomicBool::new(false);
/// Clicks and drags, in the form that knows every column.
const MOUSE_ON: &str = "\x1b[?1002h\x1b[?1006h";
const MOUSE_OFF: &str = "\x1b[?1006l\x1b[?1002l";
/// How the terminal was set before it was taken for the first time.
static ORIGINAL: OnceLock<Termios> = OnceLock::new();
/// Undoes what a program that broke off may have left behind: mouse and focus reports, pasting, keypad and
/// cursor keys, the cursor's shape, colours and the character set.
const AFTER_OTHERS: &str = "\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?1004l\x1b[?2004l\x1b[?1l\x1b>\x1b[0 q\x1b[m\x1b(B\x0f";
/// When the terminal was taken again from another program for the last time.
static RECLAIMED: Mutex<Option<Instant>> = Mutex::new(None);
/// How much later than its program a key's signal may be heard of.
const LATE: Duration = Duration::from_millis(500);
static OWNER: Mutex<Option<ThreadId>> = Mutex::new(None);
static PANICS: Mutex<Vec<String>> = Mutex::new(Vec::new());
/// The terminal without the lock of `stdout`, which a thread that hangs in a write would keep.
static DIRECT: OnceLock<File> = OnceLock::new();

/// The right to the terminal; it is given back when this is dropped.
#[derive(Debug)]
pub struct TerminalGuard {
    /// The panic hook takes the thread of the guard for the one that draws, so it stays there.
    thread_bound: PhantomData<*const ()>,
}

impl TerminalGuard {
    /// Takes the terminal: raw mode, the alternate screen and bracketed paste.
    pub fn enter() -> io::Result<Self> {
        check().map_err(|error| io::Error::new(io::ErrorKind::Unsupported, error))?;
        if DIRECT.get().is_none() {
            // Another thread that was faster left an equal one.
            let _ = DIRECT.set(File::from(io::stdout().as_fd().try_clone_to_owned()?));
        }
        if ORIGINAL.get().is_none()
            && let Ok(original) = tcgetattr(io::stdin())
        {
            let _ = ORIGINAL.set(original);
        }
        *lock(&OWNER) = Some(thread::current().id());
        install_panic_hook();
        // Without it everything works but for an end that nobody could see coming.
        let _ = lifeline::start(&reset_bytes()?);
        take(FREE)?;
        Ok(Self {
            thread_bound: PhantomData,
        })
    }

    /// Lends the terminal to the shell or another program, in the modes that we found it in.
    ///
    /// Nobody may read events meanwhile, or keys are lost to us.
    pub fn suspend(&self) -> io::Result<()> {
        give(OURS, LENT)
    }

    /// Takes the terminal again from a program that may have left it in any state.
    ///
    /// What was set at first is set again before, or it would count as the person's own setting.
    pub fn reclaim(&self) -> io::Result<()> {
        if STATE.load(Ordering::SeqCst) == LENT {
            *lock(&RECLAIMED) = Some(Instant::now());
            undo_others()?;
        }
        self.resume()
    }

    /// Takes the terminal again; the whole screen must be drawn anew after it.
    pub fn resume(&self) -> io::Result<()> {
        if STATE.load(Ordering::SeqCst) == OURS {
            return Ok(());
        }
        take(LENT)
    }
}

impl Drop for TerminalGuard {
    fn drop(&mut self) {
        restore();
        let lent = STATE.compare_exchange(LENT, FREE, Ordering::SeqCst, Ordering::SeqCst);
        if lent.is_ok() && is_in_foreground() {
            // An editor had it, and was ended where it stood.
            let _ = undo_others().and_then(|()| reset_modes());
        }
        say_panics();
    }
}

/// Tells whether there is a terminal to draw on; the error says what to do without one.
pub fn check() -> Result<()> {
    check_these(
        io::stdin().is_terminal(),
        io::stdout().is_terminal(),
        std::env::var_os("TERM").as_deref(),
    )
}

fn check_these(stdin: bool, stdout: bool, term: Option<&OsStr>) -> Result<()> {
    let message = if !stdout {
        "the output is no terminal"
    } else if !stdin {
        "the input is no terminal"
    } else if term == Some(OsStr::new("dumb")) {
        "this terminal cannot be drawn on (TERM is dumb)"
    } else {
        return Ok(());
    };
    let error = Error::new(Kind::Terminal, message);
    Err(error.hint("use `promptscope render` for output to a pipe"))
}

/// Gives the terminal back if it is ours; from the second time on it does nothing.
pub fn restore() {
    // Whoever restores is on the way out, so a failure has nobody to go to.
    let _ = give(OURS, FREE);
}

/// Gives the terminal back for good, before the process ends from another thread than the loop's.
///
/// A terminal that takes no output, stopped by Ctrl-S say, does not hold it up.
pub fn finish() {
    let state = STATE.swap(CLOSED, Ordering::SeqCst);
    if !matches!(state, OURS | LENT) {
        return;
    }
    let (done_tx, done_rx) = mpsc::channel();
    let reset = thread::Builder::new().spawn(move || {
        if state == LENT && is_in_foreground() {
            // An editor had it, and may be gone without a word.
            let _ = undo_others();
        }
        let _ = reset_modes();
        lifeline::say(lifeline::GIVEN);
        let _ = done_tx.send(());
    });
    if reset.is_ok() {
        let _ = done_rx.recv_timeout(Duration::from_millis(300));
    }
}

/// Tells whether the shell or another program has the terminal for a while.
#[must_use]
pub fn is_lent() -> bool {
    STATE.load(Ordering::SeqCst) == LENT
}

/// Tells whether a signal that is heard of now may come from a key that was meant for another program.
///
/// Ctrl-C goes to all who share the terminal, and may have ended that program before we hear of it. While the
/// screen is ours, it is a key and no signal.
#[must_use]
pub fn is_lent_or_was_just_now() -> bool {
    is_lent() || lock(&RECLAIMED).is_some_and(|since| since.elapsed() < LATE)
}

/// Takes what threads in the background said when they panicked while the screen was ours.
#[must_use]
pub fn take_panics() -> Vec<String> {
    std::mem::take(&mut *lock(&PANICS))
}

/// Says what the screen had no room for, once it is gone.
fn say_panics() {
    for panic in take_panics() {
        // A closed stderr has no readers to miss it.
        let _ = writeln!(io::stderr(), "{panic}");
    }
}

fn take(from: u8) -> io::Result<()> {
    if STATE
        .compare_exchange(from, OURS, Ordering::SeqCst, Ordering::SeqCst)
        .is_err()
    {
        return Err(io::Error::other("the terminal is in use or was given back"));
    }
    lifeline::say(lifeline::HELD);
    let taken = set_modes();
    if taken.is_err() {
        let _ = give(OURS, from);
    } else if STATE.load(Ordering::SeqCst) == CLOSED {
        // The process began to end meanwhile, perhaps before the modes were set.
        reset_modes()?;
    }
    taken
}

fn give(from: u8, to: u8) -> io::Result<()> {
    match STATE.compare_exchange(from, to, Ordering::SeqCst, Ordering::SeqCst) {
        Ok(_) => {
            let reset = reset_modes();
            lifeline::say(lifeline::GIVEN);
            reset
        }
        Err(_) => Ok(()),
    }
}

fn set_modes() -> io::Result<()> {
    enable_raw_mode()?;
    let mut bytes = Vec::new();
    queue!(bytes, EnterAlternateScreen, EnableBracketedPaste)?;
    if MOUSE.load(Ordering::SeqCst) {
        bytes.extend(MOUSE_ON.as_bytes());
    }
    write_direct(&bytes)
}

/// Asks for the mouse's clicks, wheel and drags, or leaves the mouse to the terminal.
///
/// Bare motion is not asked for: over a slow link it would be a report for every cell.
pub fn set_mouse(is_wanted: bool) -> io::Result<()> {
    let was_wanted = MOUSE.swap(is_wanted, Ordering::SeqCst);
    if was_wanted == is_wanted || STATE.load(Ordering::SeqCst) != OURS {
        return Ok(());
    }
    write_direct(if is_wanted { MOUSE_ON } else { MOUSE_OFF }.as_bytes())
}

/// Sets the terminal as it was before we took it, whatever another program did to it.
fn undo_others() -> io::Result<()> {
    if let Some(original) = ORIGINAL.get() {
        tcsetattr(io::stdin(), OptionalActions::Now, original)?;
        write_direct(AFTER_OTHERS.as_bytes())?;
    }
    Ok(())
}

/// Tells whether the shell lets this process have the terminal; one in the background that sets
/// modes is stopped.
#[must_use]
pub fn is_in_foreground() -> bool {
    // Where nobody can tell, there is no shell that shares the terminal.
    tcgetpgrp(io::stdin()).map_or(true, |group| group == getpgrp())
}

fn reset_modes() -> io::Result<()> {
    // Raw mode first: it does not wait for a terminal that takes no output. In the background it is
    // the shell's affair.
    let cooked = if is_in_foreground() {
        disable_raw_mode()
    } else {
        Ok(())
    };
    write_direct(&reset_bytes()?)?;
    cooked
}

/// Undoes all that we or a half-written frame may have left.
fn reset_bytes() -> io::Result<Vec<u8>> {
    let mut bytes = MOUSE_OFF.as_bytes().to_vec();
    queue!(
        bytes,
        EndSynchronizedUpdate,
        DisableBracketedPaste,
        ResetColor,
        LeaveAlternateScreen,
        Show
    )?;
    Ok(bytes)
}

/// Writes to the terminal at once, past the writer of frames.
pub(super) fn write_direct(bytes: &[u8]) -> io::Result<()> {
    match DIRECT.get() {
        Some(mut terminal) => terminal.write_all(bytes),
        None => io::stdout().write_all(bytes),
    }
}

fn install_panic_hook() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let previous = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            // The words of a panic may hold what stands in a file.
            let place = info.location().map(ToString::to_string);
            log::event("panic", format_args!("at {}", place.unwrap_or_default()));
            let state = STATE.load(Ordering::SeqCst);
            // While an editor has the screen, the guard says it once that is gone.
            if is_fatal(info) && state != LENT {
                restore();
                say_panics();
            } else if matches!(state, OURS | LENT) {
                keep(info.to_string());
                return;
            }
            previous(info);
        }));
    });
}

/// Tells whether a panic ends the program: one where the screen is drawn, or one that aborts.
///
/// A task of the runtime may run on the thread that draws, but its panic ends only the task.
fn is_fatal(info: &PanicHookInfo<'_>) -> bool {
    let drawing = *lock(&OWNER) == Some(thread::current().id());
    let payload = info.payload();
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    // The standard library's words for the two panics that cannot unwind.
    let aborts = text.is_some_and(|text| {
        text.contains("panic in a destructor during cleanup")
            || text.contains("panic in a function that cannot unwind")
    });
    aborts || (drawing && tokio::task::try_id().is_none())
}

fn keep(panic: String) {
    let mut panics = lock(&PANICS);
    // The first ones tell most, and a thread that panics again and again must not fill memory.
    if panics.len() < 16 {
        panics.push(panic);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

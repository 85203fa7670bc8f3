//! Signals, and the loss of the terminal, as values for the loop.
//!
//! Both are noticed on threads of their own: a loop that is busy or spins still has to end when it
//! is told to, with the terminal given back.

use std::fs;
use std::io::{self, IsTerminal as _};
use std::process::{self, Command, Stdio};
use std::sync::atomic::{AtomicI32, Ordering};
use std::thread;
use std::time::Duration;

use tokio::runtime::Builder;
use tokio::signal::unix::{self, SignalKind};
use tokio::sync::Notify;

use super::terminal;

/// What a signal asks of the loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signal {
    /// End with this exit status.
    Terminate(i32),
    /// End, since the terminal is gone.
    Hangup,
    /// Give the terminal back and call [`stop`].
    Suspend,
    /// Take the terminal again and draw everything: others wrote on it meanwhile.
    Continue,
    /// The window has another size. The reader of keys passes over one that comes together with a key.
    Resize,
}

/// How long the loop may take to end before the process ends without it.
const GRACE: Duration = Duration::from_secs(1);

/// How often the terminal is looked at, and how long after its loss the loop may take to end.
const TERMINAL_CHECK: Duration = Duration::from_millis(200);
const HANGUP_GRACE: Duration = Duration::from_millis(400);

impl Signal {
    /// Tells with what status the process ends, if this signal ends it.
    #[must_use]
    pub fn exit_status(self) -> Option<i32> {
        match self {
            Self::Terminate(status) => Some(status),
            Self::Hangup => Some(128 + libc::SIGHUP),
            Self::Suspend | Self::Continue | Self::Resize => None,
        }
    }
}

/// The end that a signal asked for, as the loop and those it waits for see it.
#[derive(Debug, Default)]
pub struct Ending {
    status: AtomicI32,
    told: Notify,
}

impl Ending {
    /// Asks everybody to end, the process with this status.
    pub fn ask(&self, status: i32) {
        self.status.store(status, Ordering::SeqCst);
        self.told.notify_one();
    }

    /// Gives the status that was asked for; 0 where nobody asked.
    #[must_use]
    pub fn status(&self) -> i32 {
        self.status.load(Ordering::SeqCst)
    }

    /// Waits until an end is asked for.
    pub async fn asked(&self) {
        while self.status() == 0 {
            self.told.notified().await;
        }
    }
}

/// The signals that are listened to.
struct Streams {
    terminate: unix::Signal,
    hangup: unix::Signal,
    interrupt: unix::Signal,
    quit: unix::Signal,
    suspend: unix::Signal,
    resume: unix::Signal,
    resize: unix::Signal,
}

impl Streams {
    fn new() -> io::Result<Self> {
        Ok(Self {
            terminate: unix::signal(SignalKind::terminate())?,
            hangup: unix::signal(SignalKind::hangup())?,
            interrupt: unix::signal(SignalKind::interrupt())?,
            quit: unix::signal(SignalKind::quit())?,
            suspend: unix::signal(SignalKind::from_raw(libc::SIGTSTP))?,
            resume: unix::signal(SignalKind::from_raw(libc::SIGCONT))?,
            resize: unix::signal(SignalKind::window_change())?,
        })
    }

    async fn next(&mut self) -> i32 {
        tokio::select! {
            _ = self.terminate.recv() => libc::SIGTERM,
            _ = self.hangup.recv() => libc::SIGHUP,
            _ = self.interrupt.recv() => libc::SIGINT,
            _ = self.quit.recv() => libc::SIGQUIT,
            _ = self.suspend.recv() => libc::SIGTSTP,
            _ = self.resume.recv() => libc::SIGCONT,
            _ = self.resize.recv() => libc::SIGWINCH,
        }
    }
}

/// Listens to signals from now on, so it belongs before the first change of the terminal.
///
/// A signal that ends the program is sent first; if the process is still there a second later, the
/// terminal is given back and the process ends from here.
pub fn listen(send: impl Fn(Signal) + Send + 'static) -> io::Result<()> {
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let streams = {
        let _inside = runtime.enter();
        Streams::new()?
    };
    thread::Builder::new()
        .name("signals".into())
        .spawn(move || runtime.block_on(forward(streams, send)))?;
    Ok(())
}

async fn forward(mut streams: Streams, send: impl Fn(Signal)) {
    loop {
        let number = streams.next().await;
        match meaning(number, terminal::is_lent_or_was_just_now()) {
            Some(Signal::Suspend) if terminal::is_lent() => {
                // The modes are not ours now and the loop waits for the child: stop with it.
                // Where that fails, there is no shell that could take over.
                let _ = stop();
            }
            Some(signal) => {
                send(signal);
                if let Some(status) = signal.exit_status() {
                    tokio::time::sleep(GRACE).await;
                    leave(status);
                }
            }
            None => {}
        }
    }
}

/// Reads a signal; keys like Ctrl-C in a child that has the terminal are meant for the child.
fn meaning(number: i32, lent: bool) -> Option<Signal> {
    match number {
        libc::SIGINT | libc::SIGQUIT if lent => None,
        libc::SIGTSTP => Some(Signal::Suspend),
        libc::SIGCONT => Some(Signal::Continue),
        libc::SIGWINCH => Some(Signal::Resize),
        libc::SIGHUP => Some(Signal::Hangup),
        other => Some(Signal::Terminate(128 + other)),
    }
}

fn leave(status: i32) -> ! {
    terminal::finish();
    process::exit(status)
}

/// Stops the process and those beside it, as Ctrl-Z does, until the shell continues them.
///
/// The terminal must have been given back. Where no shell could ever continue it, it fails.
pub fn stop() -> io::Result<()> {
    if leads_session(&fs::read_to_string("/proc/self/stat").unwrap_or_default()) {
        return Err(io::Error::new(
            io::ErrorKind::Unsupported,
            "there is no shell to go back to",
        ));
    }
    // SIGTSTP has a handler now, so only SIGSTOP stops; a shell sends it without unsafe code. It
    // stops itself too, and goes on with us.
    let status = Command::new("sh")
        .args(["-c", "kill -STOP 0"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()?;
    if status.success() {
        Ok(())
    } else {
        Err(io::Error::other("the process cannot be stopped"))
    }
}

/// Reads from `/proc/self/stat` whether the process leads its session, as one without a shell does.
fn leads_session(stat: &str) -> bool {
    // The name in parentheses may hold anything, so what counts begins after the last one.
    let Some((before, after)) = stat.rsplit_once(')') else {
        return false;
    };
    let id = before.split(' ').next();
    id.is_some() && after.split_whitespace().nth(3) == id
}

/// Watches on a thread of its own whether the terminal is still there.
///
/// After its loss, [`Signal::Hangup`] is sent, and within a second the process ends, even when the
/// reader of events spins on a terminal that is gone and SIGHUP is ignored.
pub fn hangup_watch(send: impl Fn(Signal) + Send + 'static) -> io::Result<()> {
    thread::Builder::new()
        .name("hangup".into())
        .spawn(move || {
            while terminal_is_there() {
                thread::sleep(TERMINAL_CHECK);
            }
            send(Signal::Hangup);
            thread::sleep(HANGUP_GRACE);
            leave(128 + libc::SIGHUP)
        })?;
    Ok(())
}

/// Tells whether input or output still is a terminal: one that hung up does not answer as such.
#[must_use]
pub fn terminal_is_there() -> bool {
    io::stdin().is_terminal() || io::stdout().is_terminal()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    #[test]
    fn every_signal_has_its_meaning() {
        assert_eq!(meaning(libc::SIGTERM, false), Some(Signal::Terminate(143)));
        assert_eq!(meaning(libc::SIGINT, false), Some(Signal::Terminate(130)));
        assert_eq!(meaning(libc::SIGQUIT, false), Some(Signal::Terminate(131)));
        assert_eq!(meaning(libc::SIGHUP, true), Some(Signal::Hangup));
        assert_eq!(Signal::Hangup.exit_status(), Some(129));
        assert_eq!(Signal::Continue.exit_status(), None);
    }

    #[test]
    fn the_keys_of_a_child_are_not_for_us() {
        assert_eq!(meaning(libc::SIGINT, true), None);
        assert_eq!(meaning(libc::SIGQUIT, true), None);
        assert_eq!(meaning(libc::SIGTERM, true), Some(Signal::Terminate(143)));
    }

    #[test]
    fn a_real_signal_arrives() {
        let (tx, rx) = mpsc::channel();
        listen(move |signal| tx.send(signal).unwrap()).unwrap();
        let kill = format!("kill -CONT {}", process::id());
        assert!(
            Command::new("sh")
                .args(["-c", &kill])
                .status()
                .unwrap()
                .success()
        );
        assert_eq!(
            rx.recv_timeout(Duration::from_secs(10)),
            Ok(Signal::Continue)
        );
    }

    #[test]
    fn a_session_leader_is_recognised() {
        assert!(leads_session("42 (a) b) S 1 42 42 34816 42 0"));
        assert!(!leads_session("42 (sh) S 7 42 7 34816 42 0"));
        assert!(!leads_session(""));
    }
}

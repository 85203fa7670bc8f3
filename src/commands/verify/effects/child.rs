//! The agent's Python as a child process: bounded in time and in output, and ended with all that it
//! started.

use std::io;
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::signal::unix::{self, SignalKind};
use tokio::time;

/// The most that a child may print before it is ended.
const MAX_OUTPUT: usize = 256 << 20;

/// How much of the end of standard error is kept.
const KEPT_ERRORS: usize = 16 << 10;

/// How a child ended.
#[derive(Debug)]
pub(super) enum Ended {
    /// By itself: its status, what it printed, and the end of what it said on standard error.
    Itself(ExitStatus, Vec<u8>, Vec<u8>),
    /// At the time limit; with the end of standard error.
    AtLimit(Vec<u8>),
    /// Because it printed more than [`MAX_OUTPUT`].
    TooMuch,
    /// Because this process got a signal of this number.
    BySignal(i32),
}

/// The signals that end this process, caught so that nothing is left behind.
pub(super) struct Signals(Vec<(i32, unix::Signal)>);

impl Signals {
    /// Listens from now on; belongs before the first thing that must be tidied away.
    pub(super) fn listen() -> io::Result<Self> {
        [libc::SIGINT, libc::SIGTERM, libc::SIGHUP, libc::SIGQUIT]
            .into_iter()
            .map(|number| Ok((number, unix::signal(SignalKind::from_raw(number))?)))
            .collect::<io::Result<_>>()
            .map(Self)
    }

    async fn next(&mut self) -> i32 {
        let waits = self.0.iter_mut().map(|(number, signal)| {
            Box::pin(async move {
                signal.recv().await;
                *number
            })
        });
        futures::future::select_all(waits).await.0
    }
}

/// Runs a child to its end, whichever comes first; nothing that it started lives on.
pub(super) async fn run(
    mut command: Command,
    limit: Duration,
    signals: &mut Signals,
) -> io::Result<Ended> {
    use std::os::unix::process::CommandExt as _;
    // A group of its own: Ctrl-C reaches this process alone, and one signal reaches the whole group.
    command
        .process_group(0)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = tokio::process::Command::from(command)
        .kill_on_drop(true)
        .spawn()?;
    let group = child.id();
    let (mut out, mut errors) = (Vec::new(), Vec::new());
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let mut is_too_much = false;
    let work = async {
        let reading = async {
            let whole = read(stdout, &mut out, |out| out.len() <= MAX_OUTPUT).await;
            is_too_much = matches!(whole, Ok(false));
            if !matches!(whole, Ok(true)) {
                kill(group);
            }
            whole
        };
        let noting = read(stderr, &mut errors, |errors| {
            if errors.len() > 2 * KEPT_ERRORS {
                errors.drain(..errors.len() - KEPT_ERRORS);
            }
            true
        });
        let ending = async {
            let status = child.wait().await;
            // Something that it left running would keep the pipes open.
            kill(group);
            status
        };
        let (read, noted, status) = tokio::join!(reading, noting, ending);
        read.and(noted).and(status)
    };
    let ended = tokio::select! {
        status = time::timeout(limit, work) => match status {
            Ok(status) => Some(Ok(status?)),
            Err(_) => None,
        },
        number = signals.next() => Some(Err(number)),
    };
    kill(group);
    let errors = errors.split_off(errors.len().saturating_sub(KEPT_ERRORS));
    let ended = match ended {
        Some(Ok(_)) if is_too_much => Ended::TooMuch,
        Some(Ok(status)) => Ended::Itself(status, out, errors),
        Some(Err(number)) => Ended::BySignal(number),
        None => Ended::AtLimit(errors),
    };
    // The dead child is taken off the list of processes.
    let _ = time::timeout(Duration::from_secs(1), child.wait()).await;
    Ok(ended)
}

/// Reads to the end; false where `goes_on` ended it before.
async fn read(
    from: Option<impl AsyncRead + Unpin>,
    into: &mut Vec<u8>,
    goes_on: impl Fn(&mut Vec<u8>) -> bool,
) -> io::Result<bool> {
    let Some(mut from) = from else {
        return Ok(true);
    };
    while from.read_buf(into).await? > 0 {
        if !goes_on(into) {
            return Ok(false);
        }
    }
    Ok(true)
}

fn kill(group: Option<u32>) {
    let id = group.and_then(|id| i32::try_from(id).ok());
    if let Some(group) = id.and_then(Pid::from_raw) {
        // A group that is gone already is what was wanted.
        let _ = kill_process_group(group, Signal::KILL);
    }
}

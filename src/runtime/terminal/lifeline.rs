//! Gives the terminal back when the process ends without a word: aborted, killed, out of stack or memory.
//!
//! No code of ours runs then, and a handler of fatal signals would need unsafe code. So a shell waits at
//! the end of a pipe that closes with the process; it resets the terminal if that was held at the end.

use std::io::{self, Write as _};
use std::process::{ChildStdin, Command, Stdio};
use std::sync::{Mutex, OnceLock};

/// Said when the screen is taken.
pub(super) const HELD: &str = "held\n";
/// Said when the screen is given back.
pub(super) const GIVEN: &str = "given\n";

/// Reads what is said until the pipe closes. `stty` fails where another job has the terminal by then,
/// whose shell has set what it needs.
const WAIT: &str = r#"
trap '' INT QUIT TERM HUP TSTP
state=given
while read -r word; do state=$word; done
if [ "$state" = held ]; then
    printf %s "$2"
    stty "$1" <&1
fi
"#;

static PIPE: OnceLock<Mutex<ChildStdin>> = OnceLock::new();

/// Starts the shell that waits, once; `reset` is what it writes to the terminal.
///
/// The terminal's settings are those of now, so it belongs before the first change of them.
pub(super) fn start(reset: &[u8]) -> io::Result<()> {
    if PIPE.get().is_some() {
        return Ok(());
    }
    let settings = Command::new("stty")
        .arg("-g")
        .stdin(Stdio::inherit())
        .stderr(Stdio::null())
        .output()?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    let mut shell = Command::new("sh")
        .args(["-c", WAIT, "sh", &text(&settings.stdout), &text(reset)])
        .stdin(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    if let Some(pipe) = shell.stdin.take() {
        // Another thread that was faster left an equal one.
        let _ = PIPE.set(Mutex::new(pipe));
    }
    Ok(())
}

/// Says how it stands with the terminal.
pub(super) fn say(state: &str) {
    if let Some(pipe) = PIPE.get() {
        // A shell that was killed cannot help, and nothing else depends on it.
        let _ = super::lock(pipe).write_all(state.as_bytes());
    }
}

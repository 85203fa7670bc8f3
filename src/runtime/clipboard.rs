//! Copies text: through the terminal to the clipboard of the machine that one sits at, or into a file.
//!
//! OSC 52 has no answer, so nobody can know whether a terminal took the text: what is said is where
//! it was sent.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use tokio::io::AsyncWriteExt as _;
use tokio::process::Command;
use tokio::time::timeout;

use crate::machine::Machine;

/// The longest text in bytes that is sent through the terminal: as much as 100,000 bytes of base64
/// hold, which many terminals take for the most.
pub const MOST_BYTES: usize = 74_994;

/// What GNU screen takes in one string of its own.
const SCREEN_CHUNK: usize = 250;

/// How long tmux may take.
const TMUX_PATIENCE: Duration = Duration::from_secs(1);

/// How a text goes out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Way {
    /// These bytes to the terminal.
    Terminal(Vec<u8>),
    /// Into a file, for this reason.
    File(&'static str),
}

/// What stands between us and the terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Between {
    Nothing,
    Tmux,
    Screen,
}

/// Decides how a text of these bytes goes out on this machine; `to_file` asks for the file.
#[must_use]
pub fn way(machine: &Machine, text: &str, to_file: bool) -> Way {
    let term = machine.variable("TERM").unwrap_or_default();
    if to_file {
        return Way::File("as the settings ask");
    }
    if text.len() > MOST_BYTES {
        return Way::File("it is too long for a terminal's clipboard");
    }
    let between = if machine.variable("TMUX").is_some() {
        Between::Tmux
    } else if machine.variable("STY").is_some() || term.starts_with("screen") {
        Between::Screen
    } else {
        Between::Nothing
    };
    let is_deaf = term == "linux" || machine.variable("TERM_PROGRAM") == Some("Apple_Terminal");
    if is_deaf && between == Between::Nothing {
        return Way::File("this terminal has no clipboard for programs");
    }
    Way::Terminal(sequence(text, between))
}

/// Writes the sequence that asks the terminal to take a text into its clipboard.
fn sequence(text: &str, between: Between) -> Vec<u8> {
    let plain = format!("\x1b]52;c;{}\x07", STANDARD.encode(text));
    match between {
        Between::Nothing => plain.into_bytes(),
        // tmux takes the plain form where `set-clipboard` is on, and hands the wrapped one on where
        // `allow-passthrough` is.
        Between::Tmux => {
            let wrapped = plain.replace('\x1b', "\x1b\x1b");
            format!("{plain}\x1bPtmux;{wrapped}\x1b\\").into_bytes()
        }
        Between::Screen => {
            let mut out = Vec::new();
            for chunk in plain.as_bytes().chunks(SCREEN_CHUNK) {
                out.extend(b"\x1bP");
                out.extend(chunk);
                out.extend(b"\x1b\\");
            }
            out
        }
    }
}

/// Hands a text to tmux, which keeps it and gives it to the terminal's clipboard; tells whether it did.
///
/// As it comes, tmux takes no sequence of a program, but its own command goes through.
pub async fn into_tmux(text: &str) -> bool {
    let command = Command::new("tmux")
        .args(["load-buffer", "-w", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn();
    let Ok(mut child) = command else { return false };
    let handed = async {
        if let Some(mut input) = child.stdin.take() {
            input.write_all(text.as_bytes()).await?;
        }
        child.wait().await
    };
    let handed = timeout(TMUX_PATIENCE, handed).await;
    handed.is_ok_and(|status| status.is_ok_and(|status| status.success()))
}

/// Writes a text into a file that only the person can read, in place of the last one.
pub fn to_file(machine: &Machine, text: &str) -> io::Result<PathBuf> {
    let folder = folder(machine).ok_or_else(|| io::Error::other("there is no home folder"))?;
    fs::create_dir_all(&folder)?;
    write_private(&folder, text)
}

fn write_private(folder: &Path, text: &str) -> io::Result<PathBuf> {
    // A temporary file is made for its owner alone.
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(text.as_bytes())?;
    let path = folder.join("copied.txt");
    file.persist(&path).map_err(|error| error.error)?;
    Ok(path)
}

/// Gives the folder of the copied file: one that ends with the login, else the cache.
fn folder(machine: &Machine) -> Option<PathBuf> {
    let absolute = |name: &str| {
        let folder = machine.variable(name).map(PathBuf::from);
        folder.filter(|folder| folder.is_absolute())
    };
    let base = absolute("XDG_RUNTIME_DIR")
        .or_else(|| absolute("XDG_CACHE_HOME"))
        .or_else(|| machine.home().map(|home| home.join(".cache")))?;
    Some(base.join("promptscope"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(env: &[(&str, &str)], text: &str) -> String {
        match way(&Machine::of_variables(env), text, false) {
            Way::Terminal(bytes) => String::from_utf8(bytes).unwrap(),
            Way::File(reason) => panic!("{reason}"),
        }
    }

    #[test]
    fn each_terminal_gets_the_form_that_it_takes() {
        let xterm = [("TERM", "xterm-256color")];
        assert_eq!(sent(&xterm, "hé"), "\x1b]52;c;aMOp\x07");
        let tmux = [
            ("TERM", "tmux-256color"),
            ("TMUX", "/tmp/tmux-0/default,1,0"),
        ];
        let wanted = "\x1b]52;c;aMOp\x07\x1bPtmux;\x1b\x1b]52;c;aMOp\x07\x1b\\";
        assert_eq!(sent(&tmux, "hé"), wanted);
        let screen = sent(&[("TERM", "screen"), ("STY", "1.a")], &"x".repeat(600));
        let joined = screen.replace("\x1b\\\x1bP", "");
        let inner = joined
            .strip_prefix("\x1bP")
            .unwrap()
            .strip_suffix("\x1b\\")
            .unwrap();
        assert_eq!(inner, sent(&xterm, &"x".repeat(600)));
        assert_eq!(
            screen.matches("\x1bP").count(),
            inner.len().div_ceil(SCREEN_CHUNK)
        );
    }

    #[test]
    fn what_a_terminal_would_not_take_goes_into_a_file() {
        let is_file = |env: &[(&str, &str)], text: &str, asked| {
            matches!(way(&Machine::of_variables(env), text, asked), Way::File(_))
        };
        let xterm = [("TERM", "xterm")];
        assert!(!is_file(&xterm, &"x".repeat(MOST_BYTES), false));
        assert!(is_file(&xterm, &"x".repeat(MOST_BYTES + 1), false));
        assert!(is_file(&xterm, "x", true));
        assert!(is_file(&[("TERM", "linux")], "x", false));
        assert!(!is_file(&[("TERM", "linux"), ("TMUX", "a")], "x", false));
    }

    #[test]
    fn the_file_is_for_its_owner_alone_and_holds_the_last_text() {
        let dir = tempfile::tempdir().unwrap();
        let home = dir.path().display().to_string();
        let machine = Machine::of_variables(&[("HOME", &home), ("XDG_RUNTIME_DIR", "relative")]);
        to_file(&machine, "one").unwrap();
        let path = to_file(&machine, "two").unwrap();
        assert_eq!(path, dir.path().join(".cache/promptscope/copied.txt"));
        assert_eq!(fs::read_to_string(&path).unwrap(), "two");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o77, 0);
        }
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    }
}

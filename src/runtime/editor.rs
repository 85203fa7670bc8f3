//! Opens the person's editor at a file and a line.

use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use tokio::process::{Child, Command};

use super::faults;
use super::signals::Ending;
use crate::machine::Machine;

/// How long an editor that is told to end may take; less than the program itself may.
const PATIENCE: Duration = Duration::from_millis(300);

/// An editor that ends sooner was not used: it opened a window elsewhere, or did nothing.
const AT_ONCE: Duration = Duration::from_millis(100);

/// How an editor is told the line to begin at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LineForm {
    /// `+12 FILE`, as vi does.
    Plus,
    /// `FILE:12`.
    Colon,
    /// `--goto FILE:12`.
    Goto,
    /// `--line 12 FILE`.
    Option,
    /// It is not known to take one.
    None,
}

/// Gives the words of the command that opens a file: the editor's own, then the file and the line.
///
/// `VISUAL` is taken before `EDITOR`, and `vi` where neither says anything. Quotes and backslashes
/// mean what they mean to a shell, and nothing else does. Fails with a sentence on an open quote.
fn words(machine: &Machine, path: &Path, line: Option<usize>) -> Result<Vec<OsString>, String> {
    let named = ["VISUAL", "EDITOR"].into_iter().find_map(|name| {
        let value = machine.variable(name)?;
        Some((name, value)).filter(|(_, value)| !value.trim().is_empty())
    });
    let (name, value) = named.unwrap_or(("EDITOR", "vi"));
    let words = shell_words::split(value)
        .map_err(|_| format!("{name} holds a quote that is not closed: {value}"))?;
    let program = words.first().map(Path::new).and_then(Path::file_name);
    let form = form(&program.unwrap_or_default().to_string_lossy());
    let mut words: Vec<OsString> = words.into_iter().map(OsString::from).collect();
    let with_line = |line: usize| {
        let mut place = path.as_os_str().to_owned();
        place.push(format!(":{line}"));
        place
    };
    match (line, form) {
        (Some(line), LineForm::Plus) => words.extend([format!("+{line}").into(), path.into()]),
        (Some(line), LineForm::Colon) => words.push(with_line(line)),
        (Some(line), LineForm::Goto) => words.extend(["--goto".into(), with_line(line)]),
        (Some(line), LineForm::Option) => {
            words.extend(["--line".into(), line.to_string().into(), path.into()]);
        }
        (None, _) | (_, LineForm::None) => words.push(path.into()),
    }
    Ok(words)
}

fn form(program: &str) -> LineForm {
    match program.strip_suffix(".exe").unwrap_or(program) {
        "vi" | "vim" | "nvim" | "view" | "vimx" | "gvim" | "ex" | "elvis" | "nano" | "rnano"
        | "pico" | "emacs" | "emacsclient" | "zile" | "mg" | "jed" | "joe" | "jmacs" | "ne"
        | "mcedit" | "kak" | "micro" | "amp" | "vis" | "nvi" | "busybox" => LineForm::Plus,
        "hx" | "helix" | "zed" | "subl" => LineForm::Colon,
        "code" | "code-insiders" | "codium" | "vscodium" | "cursor" | "windsurf" => LineForm::Goto,
        "kate" | "kwrite" | "mate" | "xed" => LineForm::Option,
        _ => LineForm::None,
    }
}

/// Runs the editor until it ends; says what went wrong, where something did.
///
/// The terminal must have been lent before. When the program is told to end, the editor is told so
/// too, for the two would fight over the terminal with the shell that gets it.
pub async fn edit(
    machine: &Machine,
    path: &Path,
    line: Option<usize>,
    ending: &Ending,
) -> io::Result<Option<String>> {
    let words = match words(machine, path, line) {
        Ok(words) => words,
        Err(problem) => return Ok(Some(problem)),
    };
    let Some((program, arguments)) = words.split_first() else {
        return Ok(None);
    };
    let shown = program.to_string_lossy();
    let cannot_be_run = |error: io::Error| {
        format!("The editor {shown} cannot be run: {error}. VISUAL or EDITOR names another.")
    };
    let mut editor = match Command::new(program).args(arguments).spawn() {
        Ok(child) => Editor(child),
        Err(error) => return Ok(Some(cannot_be_run(error))),
    };
    let since = Instant::now();
    faults::at("editor")?;
    let status = tokio::select! {
        status = editor.0.wait() => status,
        () = ending.asked() => return Ok(None),
    };
    Ok(match status {
        Ok(status) if status.success() && since.elapsed() < AT_ONCE => Some(format!(
            "The editor {shown} came back at once; one with a window of its own is told to wait, as by --wait."
        )),
        Ok(status) if status.success() => None,
        Ok(status) => Some(match status.code() {
            Some(code) => format!("The editor {shown} ended with status {code}."),
            None => format!("The editor {shown} was ended by a signal."),
        }),
        Err(error) => Some(cannot_be_run(error)),
    })
}

/// An editor that has the terminal; one that is still there when this is dropped is ended.
///
/// It may save what it has and set the terminal right, and then it has to go. Killed at once, it could leave
/// a child that sets modes after the terminal was given back.
struct Editor(Child);

impl Editor {
    /// Waits until it is gone, but not for long; tells whether it is.
    fn is_gone_soon(&mut self) -> bool {
        let end = Instant::now() + PATIENCE;
        // What cannot be asked after is as good as gone.
        while matches!(self.0.try_wait(), Ok(None)) {
            if Instant::now() >= end {
                return false;
            }
            thread::sleep(Duration::from_millis(2));
        }
        true
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        // One that is gone by now has no number any more.
        let id = self.0.id().and_then(|id| i32::try_from(id).ok());
        let Some(id) = id.and_then(Pid::from_raw) else {
            return;
        };
        let _ = kill_process(id, Signal::TERM);
        if !self.is_gone_soon() && self.0.start_kill().is_ok() {
            self.is_gone_soon();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_arguments_and_lines_are_respected() {
        for (env, line, wanted) in [
            (
                &[("EDITOR", "vim -u 'my rc'")][..],
                Some(12),
                vec!["vim", "-u", "my rc", "+12", "/w/a b.md"],
            ),
            (
                &[("EDITOR", "vim"), ("VISUAL", "code --wait")],
                Some(3),
                vec!["code", "--wait", "--goto", "/w/a b.md:3"],
            ),
            (
                &[("VISUAL", " "), ("EDITOR", "/opt/x\\ y/hx")],
                Some(3),
                vec!["/opt/x y/hx", "/w/a b.md:3"],
            ),
            (
                &[("EDITOR", "kate -b")],
                Some(3),
                vec!["kate", "-b", "--line", "3", "/w/a b.md"],
            ),
            (
                &[("EDITOR", "unheard-of")],
                Some(3),
                vec!["unheard-of", "/w/a b.md"],
            ),
            (
                &[("EDITOR", "nano $HOME;ls")],
                None,
                vec!["nano", "$HOME;ls", "/w/a b.md"],
            ),
            (&[], Some(1), vec!["vi", "+1", "/w/a b.md"]),
        ] {
            let words = words(&Machine::of_variables(env), Path::new("/w/a b.md"), line).unwrap();
            assert_eq!(
                words,
                wanted.into_iter().map(OsString::from).collect::<Vec<_>>()
            );
        }
        let problem = words(
            &Machine::of_variables(&[("EDITOR", "vim '")]),
            Path::new("/a"),
            None,
        )
        .unwrap_err();
        assert!(problem.contains("EDITOR holds a quote"), "{problem}");
    }
}

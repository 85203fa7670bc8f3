//! A world for the binary: a home, a workspace, and an environment that holds nothing else.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use promptscope::prompt::SectionId;
use promptscope::python::{Value, json};

/// The instant of every run that names none itself.
pub const NOW: &str = "2026-06-19T02:30:00+00:00";

/// A folder with a `home` and a `workspace`, in which the binary runs.
pub struct World {
    dir: tempfile::TempDir,
    variables: Vec<(&'static str, String)>,
}

/// What a run printed, and how it ended.
pub struct Run {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl World {
    /// Makes a world whose workspace is empty.
    pub fn empty() -> Self {
        let world = Self {
            dir: tempfile::tempdir().unwrap(),
            variables: Vec::new(),
        };
        for folder in ["home", "workspace", "bin"] {
            fs::create_dir(world.path(folder)).unwrap();
        }
        world
    }

    /// Makes a world whose workspace has something for each section, in few words.
    pub fn small() -> Self {
        let world = Self::empty();
        for (path, text) in [
            ("AGENTS.md", "Be brief.\n"),
            ("memory/MEMORY.md", "Mei drinks tea.\n"),
            (
                "memory/history.jsonl",
                "{\"cursor\": 1, \"timestamp\": \"2026-06-18 10:00\", \"content\": \"did it\"}\n",
            ),
            (
                "skills/always/SKILL.md",
                "---\nalways: true\n---\nAlways.\n",
            ),
            (
                "skills/plain/SKILL.md",
                "---\ndescription: Plain.\n---\nPlain.\n",
            ),
            (
                "sessions/cli_x.jsonl",
                "{\"role\": \"user\", \"content\": \"hi\"}\n{\"role\": \"assistant\", \"content\": \"hello\"}\n",
            ),
        ] {
            world.write(&format!("workspace/{path}"), text);
        }
        world
    }

    /// Gives a path in this world.
    pub fn path(&self, path: &str) -> PathBuf {
        fs::canonicalize(self.dir.path()).unwrap().join(path)
    }

    /// Gives the same as text.
    pub fn name(&self, path: &str) -> String {
        self.path(path).display().to_string()
    }

    /// Writes a file, with its folders.
    pub fn write(&self, path: &str, body: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, body).unwrap();
        path
    }

    /// Sets a variable of the environment for all runs from now on.
    pub fn set(&mut self, name: &'static str, value: impl Into<String>) {
        self.variables.push((name, value.into()));
    }

    /// Prepares a program in this world: its folder, and the whole environment.
    pub fn program(&self, program: impl AsRef<Path>, args: &[&str]) -> Command {
        let mut command = Command::new(program.as_ref());
        command
            .args(args)
            .current_dir(self.path(""))
            .env_clear()
            .env("HOME", self.path("home"))
            .env("PATH", self.path("bin"))
            .env("TZ", "UTC")
            .envs(self.variables.iter().cloned())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Prepares the binary.
    pub fn command(&self, args: &[&str]) -> Command {
        self.program(env!("CARGO_BIN_EXE_promptscope"), args)
    }

    /// Runs the binary.
    pub fn run(&self, args: &[&str]) -> Run {
        finish(self.command(args))
    }

    /// Runs `render` on the workspace at [`NOW`].
    pub fn render(&self, args: &[&str]) -> Run {
        self.run(&[&["render", "workspace", "--now", NOW], args].concat())
    }

    /// Runs `render --format json` on the workspace and reads the report, whatever the exit code.
    ///
    /// Counts in the encoding that is loaded fastest.
    pub fn report(&self, args: &[&str]) -> Value {
        let quick = ["--format", "json", "--encoding", "r50k_base"];
        self.render(&[&quick, args].concat()).json()
    }
}

impl Run {
    /// Reads what was printed as JSON.
    pub fn json(&self) -> Value {
        json::loads(&self.out).unwrap_or_else(|failure| panic!("{failure}: {}", self.err))
    }

    /// Demands an exit code, or shows what was said.
    pub fn exits(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{}", self.err);
        self
    }
}

/// Runs a command to its end; one that hangs is killed and fails the test.
pub fn finish(mut command: Command) -> Run {
    let child = command.spawn().unwrap();
    let id = child.id().to_string();
    let (done_tx, done) = mpsc::channel();
    thread::spawn(move || done_tx.send(child.wait_with_output()));
    let Ok(output) = done.recv_timeout(Duration::from_mins(1)) else {
        let _ = Command::new("kill").args(["-9", &id]).status();
        panic!("this hangs: {command:?}");
    };
    let Output {
        status,
        stdout,
        stderr,
    } = output.unwrap();
    Run {
        code: status.code(),
        out: String::from_utf8(stdout).unwrap(),
        err: String::from_utf8(stderr).unwrap(),
    }
}

/// Gets a value inside another by its keys, such as `error.type`.
pub fn at<'a>(value: &'a Value, keys: &str) -> &'a Value {
    keys.split('.').fold(value, |value, key| {
        let inner = value.get(key);
        inner.unwrap_or_else(|| panic!("no {keys:?} in {}", value.repr()))
    })
}

/// Gets a text inside a value; an empty one where there is null.
pub fn text<'a>(value: &'a Value, keys: &str) -> &'a str {
    match at(value, keys) {
        Value::None => "",
        other => other.as_str().expect("a text"),
    }
}

/// Gets a whole number inside a value.
pub fn number(value: &Value, keys: &str) -> usize {
    at(value, keys).to_str().parse().expect("a whole number")
}

/// Gets a list inside a value.
pub fn list<'a>(value: &'a Value, keys: &str) -> &'a [Value] {
    match at(value, keys) {
        Value::List(items) => items,
        other => panic!("{keys:?} is no list: {}", other.repr()),
    }
}

/// Gets a section of a report.
pub fn section(report: &Value, id: SectionId) -> &Value {
    &list(report, "sections")[id.index()]
}

/// Gets the text of the user's message.
pub fn user_message(report: &Value) -> &str {
    text(list(report, "messages").last().unwrap(), "content")
}

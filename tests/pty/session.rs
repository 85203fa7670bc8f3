//! The program in a pseudo-terminal, driven by keys and read through a terminal emulator.

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use portable_pty::{CommandBuilder, MasterPty, NativePtySystem, PtySize, PtySystem as _};
use tempfile::TempDir;
use vt100::{Parser, Screen};

/// How long anything may take before a test gives up.
const LIMIT: Duration = Duration::from_secs(10);

/// A frozen clock, for screens that are compared.
pub const NOW: [&str; 2] = ["--now", "2026-06-19T02:30:00+00:00"];

/// Notes the terminal's settings and the program's process id around a plain run.
///
/// Keys that signal are for those that it runs.
const GUARDED: &str = r#"
trap : INT QUIT
stty -g >"$HOME/before"
sh -c 'echo $$ >"$HOME/pid"; exec "$@"' sh "$@"
status=$?
stty -g >"$HOME/after"
exit $status
"#;

/// How a session starts.
pub struct Start {
    size: (u16, u16),
    arguments: Vec<String>,
    env: Vec<(&'static str, String)>,
    script: &'static str,
    program: Option<PathBuf>,
    home: TempDir,
}

impl Start {
    /// A window of a size, in columns and rows, on a fresh copy of the example.
    pub fn at(width: u16, height: u16) -> Self {
        let home = tempfile::tempdir().unwrap();
        copy_folder(&example(), &home.path().join("workspace"));
        Self {
            size: (width, height),
            arguments: vec!["workspace".into()],
            env: Vec::new(),
            script: GUARDED,
            program: None,
            home,
        }
    }

    /// Adds arguments of the program.
    pub fn with(mut self, arguments: &[&str]) -> Self {
        self.arguments
            .extend(arguments.iter().map(|&argument| argument.into()));
        self
    }

    /// Takes other arguments, without the workspace.
    pub fn with_only(mut self, arguments: &[&str]) -> Self {
        self.arguments.clear();
        self.with(arguments)
    }

    /// Sets a variable of the environment.
    pub fn env(mut self, name: &'static str, value: &str) -> Self {
        self.env.push((name, value.into()));
        self
    }

    /// Runs a shell script in place of the plain one; the program and its arguments are its own.
    pub fn script(mut self, script: &'static str) -> Self {
        self.script = script;
        self
    }

    /// Runs a program itself, with no shell around it.
    pub fn directly(mut self, program: impl Into<PathBuf>) -> Self {
        self.program = Some(program.into());
        self
    }

    /// The workspace, before the program sees it.
    pub fn workspace(&self) -> PathBuf {
        self.home.path().join("workspace")
    }

    /// Starts the program.
    pub fn open(self) -> Session {
        let system = NativePtySystem::default();
        let pair = system.openpty(pty_size(self.size)).unwrap();
        let program = self.program.as_deref();
        let mut command = CommandBuilder::new(program.unwrap_or(Path::new("/bin/sh")));
        if program.is_none() {
            command.args(["-c", self.script, "sh", env!("CARGO_BIN_EXE_promptscope")]);
        }
        command.args(&self.arguments);
        command.cwd(self.home.path());
        command.env_clear();
        command.env("TERM", "xterm-256color");
        command.env("HOME", self.home.path());
        command.env("PATH", "/usr/bin:/bin");
        for (name, value) in self.env {
            command.env(name, value);
        }
        let output = pair.master.try_clone_reader().unwrap();
        let keys = pair.master.take_writer().unwrap();
        let started = Instant::now();
        let mut child = pair.slave.spawn_command(command).unwrap();
        let leader = child.process_id().unwrap();
        drop(pair.slave);
        let (ended_tx, ended) = channel();
        thread::spawn(move || {
            let status = child.wait().unwrap().exit_code();
            // A test that failed does not ask any more.
            let _ = ended_tx.send(status);
        });
        let seen = Arc::new(Seen::new(self.size));
        let reader = {
            let seen = seen.clone();
            thread::spawn(move || seen.read(output))
        };
        Session {
            home: self.home,
            started,
            leader,
            size: self.size,
            seen,
            master: Some(pair.master),
            keys: Some(keys),
            reader: Some(reader),
            ended,
            has_ended: false,
        }
    }

    /// Starts the program and waits until everything is there.
    pub fn ready(self) -> Session {
        let session = self.open();
        session.wait_for("the first counts", is_settled);
        session
    }
}

/// The program at work.
pub struct Session {
    pub home: TempDir,
    pub started: Instant,
    leader: u32,
    size: (u16, u16),
    seen: Arc<Seen>,
    master: Option<Box<dyn MasterPty + Send>>,
    keys: Option<Box<dyn Write + Send>>,
    reader: Option<JoinHandle<()>>,
    ended: Receiver<u32>,
    has_ended: bool,
}

impl Session {
    /// A path in the workspace.
    pub fn path(&self, name: &str) -> PathBuf {
        self.home.path().join("workspace").join(name)
    }

    /// Waits until the screen shows what is asked for.
    pub fn wait_for(&self, what: &str, mut holds: impl FnMut(&Screen) -> bool) {
        let end = Instant::now() + LIMIT;
        let mut state = self.seen.lock();
        while state.is_amid_frame() || !holds(state.parser.screen()) {
            let left = end.saturating_duration_since(Instant::now());
            let shown = text(state.parser.screen());
            assert!(!left.is_zero(), "waited in vain for {what}:\n{shown}");
            assert!(!state.closed, "it ended before {what}:\n{shown}");
            state = self.seen.wait(state, left);
        }
    }

    /// Waits until the screen shows what is asked for, or the program has ended.
    pub fn wait_for_end_or(&self, what: &str, mut holds: impl FnMut(&Screen) -> bool) {
        let end = Instant::now() + LIMIT;
        let mut state = self.seen.lock();
        while !state.closed && !holds(state.parser.screen()) {
            let left = end.saturating_duration_since(Instant::now());
            assert!(!left.is_zero(), "waited in vain for {what}");
            state = self.seen.wait(state, left);
        }
    }

    /// Waits until a text is on the screen.
    pub fn wait_for_text(&self, wanted: &str) {
        self.wait_for(wanted, |screen| text(screen).contains(wanted));
    }

    /// What is on the screen.
    pub fn text(&self) -> String {
        self.glance(text)
    }

    /// What somebody reads off the screen at this moment.
    pub fn glance<T>(&self, look: impl FnOnce(&Screen) -> T) -> T {
        look(self.seen.lock().parser.screen())
    }

    /// Everything that the program wrote.
    pub fn raw(&self) -> Vec<u8> {
        self.seen.lock().raw.clone()
    }

    /// When the first byte arrived.
    pub fn first_byte(&self) -> Option<Instant> {
        self.seen.lock().first_byte
    }

    /// How many bytes arrive in a time.
    pub fn bytes_within(&self, time: Duration) -> usize {
        let before = self.seen.lock().raw.len();
        thread::sleep(time);
        self.seen.lock().raw.len() - before
    }

    /// How many bytes arrive upon keys, until nothing does for a while.
    pub fn bytes_upon(&mut self, keys: &str) -> usize {
        let before = self.seen.lock().raw.len();
        self.send(keys);
        let mut state = self.seen.lock();
        loop {
            let known = state.raw.len();
            let end = Instant::now() + Duration::from_millis(700);
            while state.raw.len() == known {
                let left = end.saturating_duration_since(Instant::now());
                if left.is_zero() {
                    return known - before;
                }
                state = self.seen.wait(state, left);
            }
        }
    }

    /// Types.
    pub fn send(&mut self, keys: &str) {
        let terminal = self.keys.as_mut().unwrap();
        terminal.write_all(keys.as_bytes()).unwrap();
        terminal.flush().unwrap();
    }

    /// Pastes, as a terminal with bracketed paste does.
    pub fn paste(&mut self, text: &str) {
        self.send(&format!("\x1b[200~{text}\x1b[201~"));
    }

    /// Gives the window another size.
    pub fn resize(&self, width: u16, height: u16) {
        let mut state = self.seen.lock();
        state.parser.screen_mut().set_size(height, width);
        let size = pty_size((width, height));
        self.master.as_ref().unwrap().resize(size).unwrap();
    }

    /// The number of the program's process, as its script noted it.
    pub fn pid(&self) -> u32 {
        let pid = fs::read_to_string(self.home.path().join("pid")).unwrap();
        pid.trim().parse().unwrap()
    }

    /// The number of the process that was started.
    pub fn leader(&self) -> u32 {
        self.leader
    }

    /// Sends the program a signal, by name.
    pub fn signal(&self, name: &str) {
        kill(name, &self.pid().to_string());
    }

    /// Closes the window.
    pub fn hang_up(&mut self) {
        self.seen.lock().closing = true;
        // The reader holds the terminal too; a redraw wakes it, and so does another size where keys
        // mean something else.
        self.send("\x0c");
        let other = (self.size.0 - 1, self.size.1);
        self.master
            .as_ref()
            .unwrap()
            .resize(pty_size(other))
            .unwrap();
        self.reader.take().unwrap().join().unwrap();
        self.keys = None;
        self.master = None;
    }

    /// Waits for the end; gives the exit status.
    pub fn wait_exit(&mut self) -> u32 {
        let status = self.ended.recv_timeout(LIMIT);
        let status = status.unwrap_or_else(|_| panic!("it does not end:\n{}", self.text()));
        self.has_ended = true;
        let mut state = self.seen.lock();
        while !state.closed {
            state = self.seen.wait(state, LIMIT);
        }
        status
    }

    /// Waits for the end, and checks its status and that the terminal is as it was.
    pub fn ends_with(&mut self, status: u32) {
        assert_eq!(self.wait_exit(), status, "{}", self.text());
        self.gave_modes_back();
        self.gave_settings_back();
    }

    /// Checks that the terminal's settings are those from before.
    pub fn gave_settings_back(&self) {
        let settings = |name| fs::read_to_string(self.home.path().join(name)).unwrap();
        assert_eq!(settings("before"), settings("after"));
    }

    /// Checks that each mode that was set was reset, and the cursor is shown.
    pub fn gave_modes_back(&self) {
        let raw = self.raw();
        for set in ["\x1b[?1049h", "\x1b[?2004h", "\x1b[?25l", "\x1b[?2026h"] {
            let was_set = find_last(&raw, set.as_bytes()).is_some();
            assert!(was_set, "{set:?} was never sent");
        }
        self.modes_are_off();
    }

    /// Checks that no mode is set any more, and the cursor is shown.
    pub fn modes_are_off(&self) {
        let state = self.seen.lock();
        let last = |bytes: &str| find_last(&state.raw, bytes.as_bytes());
        for (set, reset) in [
            ("\x1b[?1049h", "\x1b[?1049l"),
            ("\x1b[?2004h", "\x1b[?2004l"),
            ("\x1b[?25l", "\x1b[?25h"),
            ("\x1b[?2026h", "\x1b[?2026l"),
        ] {
            assert!(last(set) < last(reset), "{reset:?} is missing");
        }
        let screen = state.parser.screen();
        assert!(!screen.alternate_screen() && !screen.hide_cursor() && !screen.bracketed_paste());
        assert_eq!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None);
        assert!(!screen.application_cursor() && !screen.application_keypad());
    }

    /// The cells of the screen, as a person sees them.
    pub fn cells(&self) -> Vec<Cell> {
        cells(self.seen.lock().parser.screen())
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        if !self.has_ended && self.ended.try_recv().is_err() {
            kill("KILL", &format!("-{}", self.leader));
        }
    }
}

/// What came out of the terminal.
struct Seen {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    parser: Parser,
    raw: Vec<u8>,
    first_byte: Option<Instant>,
    closing: bool,
    closed: bool,
}

impl State {
    /// Tells whether only a part of a frame has arrived.
    fn is_amid_frame(&self) -> bool {
        let last = |bytes: &[u8]| find_last(&self.raw, bytes);
        last(b"\x1b[?2026h") > last(b"\x1b[?2026l")
    }
}

impl Seen {
    fn new((width, height): (u16, u16)) -> Self {
        Self {
            state: Mutex::new(State {
                parser: Parser::new(height, width, 0),
                raw: Vec::new(),
                first_byte: None,
                closing: false,
                closed: false,
            }),
            changed: Condvar::new(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State>, time: Duration) -> MutexGuard<'a, State> {
        let waited = self.changed.wait_timeout(state, time);
        waited.unwrap_or_else(PoisonError::into_inner).0
    }

    /// Reads until the program is gone or the window closes.
    fn read(&self, mut output: Box<dyn Read + Send>) {
        let mut bytes = vec![0; 64 * 1024];
        loop {
            // The end of the last process on the terminal is an error here.
            let count = output.read(&mut bytes).unwrap_or(0);
            let mut state = self.lock();
            state.first_byte.get_or_insert_with(Instant::now);
            state.raw.extend_from_slice(&bytes[..count]);
            state.parser.process(&bytes[..count]);
            state.closed = count == 0 || state.closing;
            self.changed.notify_all();
            if state.closed {
                return;
            }
        }
    }
}

/// What is on a screen, row by row.
pub fn text(screen: &Screen) -> String {
    let rows: Vec<String> = screen.rows(0, screen.size().1).collect();
    rows.join("\n")
}

/// What a person sees of one cell: its text, its colours, and whether they are swapped.
pub type Cell = (String, [vt100::Color; 2], [bool; 2]);

/// The cells of a screen, as a person sees them: one that was never written to is a space, and of a
/// blank only what is behind it shows.
pub fn cells(screen: &Screen) -> Vec<Cell> {
    let (height, width) = screen.size();
    let places = (0..height).flat_map(|row| (0..width).map(move |column| (row, column)));
    let cells = places.filter_map(|(row, column)| screen.cell(row, column));
    cells
        .map(|cell| {
            let text = match cell.contents() {
                "" => " ",
                text => text,
            };
            if text == " " && !cell.inverse() && !cell.underline() {
                let colors = [vt100::Color::Default, cell.bgcolor()];
                return (text.to_owned(), colors, [false; 2]);
            }
            let colors = [cell.fgcolor(), cell.bgcolor()];
            (text.to_owned(), colors, [cell.bold(), cell.inverse()])
        })
        .collect()
}

/// Tells whether the workspace is watched and every number is there and of now.
pub fn is_settled(screen: &Screen) -> bool {
    let shown = text(screen);
    let totals = shown.lines().find(|line| line.contains("Request "));
    shown.contains("live") && totals.is_some_and(|totals| !totals.contains('…'))
}

/// Replaces a file as editors do: writes beside it and renames over it.
pub fn save_by_rename(path: &Path, bytes: impl AsRef<[u8]>) {
    let beside = path.with_extension("tmp~");
    fs::write(&beside, bytes).unwrap();
    fs::rename(beside, path).unwrap();
}

/// Copies a folder with all that is in it.
pub fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy_folder(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// The example that the program comes with.
pub fn example() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("workspace-example")
}

fn kill(signal: &str, process: &str) {
    let script = r#"kill -s "$1" -- "$2""#;
    let status = Command::new("sh")
        .args(["-c", script, "sh", signal, process])
        .status();
    assert!(status.unwrap().success(), "{process} is gone");
}

fn find_last(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).rposition(|some| some == wanted)
}

fn pty_size((cols, rows): (u16, u16)) -> PtySize {
    PtySize {
        rows,
        cols,
        pixel_width: 0,
        pixel_height: 0,
    }
}

//! Ways out and back: every exit gives the terminal back, a closed window ends it, the shell can have it.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::process::Process;
use crate::row::{Outcome, Row, Scale, each, tried};
use crate::session::{Session, Start, is_settled, text};

/// The rows of this group.
pub fn rows() -> Vec<Row> {
    vec![
        Row {
            id: "S9",
            measure: "exits: paths x states",
            target: "every pair: settings identical, modes off, its status",
            run: exits,
            is_brief: true,
        },
        Row {
            id: "S10",
            measure: "closed windows, half with HUP ignored",
            target: "gone within 1 s, less than 0.1 s of processor time",
            run: hangups,
            is_brief: true,
        },
        Row {
            id: "S11",
            measure: "suspend and resume",
            target: "nothing of ours on the shell's screen, the same frame after it",
            run: suspensions,
            is_brief: false,
        },
    ]
}

/// A way out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Quit,
    CtrlC,
    Signal(&'static str, u32),
    PanicInUi,
    PanicInWorker,
    Abort,
    Error,
    WindowClosed,
}

/// What it is doing meanwhile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Starting,
    Idle,
    EditorOpen,
    Pasting,
}

const WAYS: [Way; 11] = [
    Way::Quit,
    Way::CtrlC,
    Way::Signal("INT", 130),
    Way::Signal("TERM", 143),
    Way::Signal("HUP", 129),
    Way::Signal("QUIT", 131),
    Way::PanicInUi,
    Way::PanicInWorker,
    Way::Abort,
    Way::Error,
    Way::WindowClosed,
];
const STATES: [State; 4] = [
    State::Starting,
    State::Idle,
    State::EditorOpen,
    State::Pasting,
];

fn exits(scale: Scale) -> Outcome {
    let every = WAYS.iter().enumerate().flat_map(|(at, way)| {
        let states = STATES.iter().enumerate();
        states.map(move |(place, state)| (at, place, *way, *state))
    });
    // Briefly, each way once, and each state with some.
    let is_run = |(at, place, way, _): &(usize, usize, Way, State)| {
        // Faults are asked for, and only a debug build gives them.
        let is_fault = matches!(
            way,
            Way::PanicInUi | Way::PanicInWorker | Way::Abort | Way::Error
        );
        (cfg!(debug_assertions) || !is_fault)
            && (scale != Scale::Brief || at % STATES.len() == *place)
    };
    let pairs: Vec<_> = every.filter(is_run).collect();
    let (count, all) = (pairs.len(), WAYS.len() * STATES.len());
    let faults = each(3, pairs, |(_, _, way, state)| {
        tried(&format!("{way:?} while {state:?}"), || leave(way, state))
    });
    let held = count - faults.len().min(count);
    Outcome::new(format!("{held} of {count} run ({all} in all)"), faults)
}

/// An editor that sets modes of its own, and resets them when it ends or is asked to; killed, it cannot.
const EDITOR: &str = r#"#!/bin/sh
saved=$(stty -g)
trap 'stty "$saved"; printf "\033[?1003l"; exit 1' TERM INT HUP QUIT
stty raw -echo isig min 0 time 1
printf '\033[?1003hEDITING'
until read -r key; do printf .; done
stty "$saved"
printf '\033[?1003l'
"#;

/// Waits until the settings are as before: after an abort, they are given back from outside, a moment later.
const WAITING: &str = r#"
stty -g >"$HOME/before"
"$@"
status=$?
tries=0
while [ "$tries" -lt 100 ]; do
    stty -g >"$HOME/after"
    if cmp -s "$HOME/before" "$HOME/after"; then break; fi
    tries=$((tries + 1))
    sleep 0.05
done
exit $status
"#;

fn start() -> (Start, PathBuf) {
    let start = Start::at(80, 24);
    let home = start.workspace().parent().unwrap().to_path_buf();
    let (fault, editor) = (home.join("fault"), home.join("editor"));
    fs::write(&editor, EDITOR).unwrap();
    let command = format!("sh {}", editor.display());
    let start = start
        .env("EDITOR", &command)
        .env("PROMPTSCOPE_LOG", home.join("log").to_str().unwrap())
        .env("PROMPTSCOPE_FAULT", fault.to_str().unwrap());
    (start, fault)
}

/// Brings the program into a state and lets it leave on a way.
fn leave(way: Way, state: State) {
    let (start, fault) = start();
    let place = match (way, state) {
        (Way::PanicInWorker, _) | (Way::Abort, State::EditorOpen) => "worker",
        (_, State::Starting) => "start",
        (_, State::EditorOpen) => "editor",
        (_, State::Idle | State::Pasting) => "draw",
    };
    let ask = |kind: &str| {
        // Whole at once: a file that is half there asks for something else.
        let beside = fault.with_extension("new");
        fs::write(&beside, format!("{kind} {place}")).unwrap();
        fs::rename(beside, &fault).unwrap();
    };
    let kind = match way {
        Way::PanicInUi | Way::PanicInWorker => Some("panic"),
        Way::Abort => Some("abort"),
        Way::Error => Some("error"),
        _ => None,
    };
    let is_early = state == State::Starting || (state == State::EditorOpen && place == "editor");
    if let (Some(kind), true) = (kind, is_early) {
        ask(kind);
    }
    let start = match way {
        // The window takes the shell with it.
        Way::WindowClosed => start.script(r#"exec "$@""#),
        Way::Abort => start.script(WAITING),
        _ => start,
    };
    let mut session = start.open();
    match state {
        State::Starting => {
            session.wait_for_end_or("the alternate screen", vt100::Screen::alternate_screen);
        }
        State::Idle => session.wait_for("the counts", is_settled),
        State::EditorOpen => {
            session.wait_for("the counts", is_settled);
            session.send("2e");
            if kind.is_none() || place == "worker" {
                session.wait_for_text("EDITING");
            }
        }
        State::Pasting => {
            session.wait_for("the counts", is_settled);
            session.send("m");
            session.wait_for_text("Tab field");
            session.send("\x1b[200~a paste without an end");
        }
    }
    if let (Some(kind), false) = (kind, is_early) {
        ask(kind);
        if place == "draw" {
            session.resize(82, 24);
        }
    }
    if way == Way::PanicInWorker {
        let log = session.home.path().join("log");
        let has_struck = || fs::read_to_string(&log).is_ok_and(|log| log.contains("Z panic "));
        let end = Instant::now() + Duration::from_secs(10);
        while !has_struck() {
            assert!(Instant::now() < end, "no worker panicked");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
    let status = go(way, state, &mut session);
    if way == Way::WindowClosed {
        assert_eq!(session.wait_exit(), status);
        return;
    }
    if (way, state) == (Way::Abort, State::EditorOpen) {
        // The editor has the terminal, and gives it back when it ends.
        session.send("x\n");
        assert_eq!(session.wait_exit(), status);
        session.modes_are_off();
        return;
    }
    assert_eq!(session.wait_exit(), status, "{}", session.text());
    session.modes_are_off();
    session.gave_settings_back();
    let text = session.text();
    let says = match way {
        Way::PanicInUi | Way::PanicInWorker => "a panic was asked for",
        Way::Error => "promptscope: the terminal cannot be used: an error was asked for",
        _ => "",
    };
    assert!(text.contains(says), "{text}");
    if says.is_empty() {
        assert!(!text.contains("promptscope:"), "{text}");
    }
}

/// Does what the way needs; gives the status that must follow.
fn go(way: Way, state: State, session: &mut Session) -> u32 {
    let end_of_editor = |session: &mut Session| {
        session.send("x\n");
        session.wait_for("the screen again", |screen| {
            screen.alternate_screen() && is_settled(screen)
        });
    };
    let quit = |session: &mut Session| {
        match state {
            State::EditorOpen => end_of_editor(session),
            State::Pasting => session.send("\x1b[201~\x1b"),
            State::Starting | State::Idle => {}
        }
        if state == State::Pasting {
            session.wait_for_text("q quit");
        }
        session.send("q");
        0
    };
    match way {
        Way::Quit | Way::PanicInWorker => quit(session),
        Way::CtrlC => {
            match state {
                // There it is the editor's.
                State::EditorOpen => {
                    session.send("\x03");
                    session.wait_for("the screen again", |screen| {
                        screen.alternate_screen() && text(screen).contains("ended with status 1")
                    });
                    session.send("\x03");
                }
                State::Pasting => session.send("\x1b[201~\x03"),
                State::Starting | State::Idle => session.send("\x03"),
            }
            0
        }
        Way::Signal(name, status) => {
            session.signal(name);
            if state == State::EditorOpen && matches!(name, "INT" | "QUIT") {
                // These are keys of the editor's, so they end nothing.
                return quit(session);
            }
            status
        }
        Way::PanicInUi => 101,
        Way::Abort => 134,
        Way::Error => 2,
        Way::WindowClosed => {
            session.hang_up();
            129
        }
    }
}

fn hangups(scale: Scale) -> Outcome {
    let count = scale.of(2, 10, 100);
    let (longest, most) = (AtomicU64::new(0), AtomicU64::new(0));
    let bound = 1000 * u64::from(scale.slack());
    let faults = each(2, (0..count).collect(), |round| {
        tried(&format!("round {round}"), || {
            let (took, ticks) = hang_up(round % 2 == 1);
            let took = u64::try_from(took.as_millis()).unwrap();
            longest.fetch_max(took, Ordering::SeqCst);
            most.fetch_max(ticks, Ordering::SeqCst);
            assert!(took <= bound, "it took {took} ms");
            assert!(ticks < 10, "it took {ticks} hundredths of a second");
        })
    });
    let (longest, most) = (longest.into_inner(), most.into_inner());
    let figure = format!("{count} windows: at most {longest} ms and {most} ticks of 10 ms");
    Outcome::new(figure, faults)
}

/// Closes the window; gives how long the program lived on, and the ticks that it took meanwhile.
fn hang_up(is_ignored: bool) -> (Duration, u64) {
    const HEEDED: &str = r#"echo $$ >"$HOME/pid"; exec "$@""#;
    const IGNORED: &str = r#"trap "" HUP; echo $$ >"$HOME/pid"; exec "$@""#;
    let script = if is_ignored { IGNORED } else { HEEDED };
    let mut session = Start::at(80, 24).script(script).ready();
    let process = Process(session.pid());
    session.hang_up();
    let closed = Instant::now();
    let before = process.ticks().unwrap_or_default();
    let mut after = before;
    let end = closed + Duration::from_secs(10);
    while let Some(ticks) = process.ticks() {
        after = ticks;
        assert!(Instant::now() < end, "it is still there");
        std::thread::sleep(Duration::from_millis(2));
    }
    let took = closed.elapsed();
    assert_eq!(session.wait_exit(), 129);
    (took, after - before)
}

/// A shell that reads commands without modes of its own.
const SHELL: &str = r#"
export PS1="READY> "
bash --norc --noprofile --noediting -i
"#;

fn is_in_shell(screen: &vt100::Screen) -> bool {
    !screen.alternate_screen() && text(screen).trim_end().ends_with("READY>")
}

fn suspensions(scale: Scale) -> Outcome {
    let count = scale.of(2, 20, 200);
    let program = env!("CARGO_BIN_EXE_promptscope");
    let mut session = Start::at(80, 24).script(SHELL).open();
    session.wait_for_text("READY>");
    let command = r#"sh -c 'echo $$ >pid; exec "$@"' sh"#;
    let now = "--now 2026-06-19T02:30:00+00:00";
    session.send(&format!("{command} {program} workspace {now}\n"));
    session.wait_for("the counts", is_settled);
    session.wait_for_text("1 error");
    let before = session.cells();
    let mut faults = Vec::new();
    for round in 0..count {
        if round % 2 == 0 {
            session.send("\x1a");
        } else {
            session.signal("TSTP");
        }
        let from = session.raw().len();
        session.wait_for("the shell", is_in_shell);
        let raw = String::from_utf8_lossy(&session.raw()[from..]).into_owned();
        let after = raw
            .split_once("\x1b[?1049l")
            .map_or(raw.as_str(), |(_, it)| it);
        if after.contains("\x1b[?2026h") {
            faults.push(format!(
                "round {round}: a frame on the shell's screen: {after:?}"
            ));
        }
        session.send("clear; fg\n");
        session.wait_for(&format!("the same frame after round {round}"), |screen| {
            screen.alternate_screen() && crate::session::cells(screen) == before
        });
    }
    // One that is stopped can be ended, and leaves the shell as it is.
    session.send("\x1a");
    session.wait_for("the shell", is_in_shell);
    // The shell learns of the end a moment later, and tells it with its next prompt.
    let gone = "while kill -0 $(cat pid) 2>/dev/null; do sleep 0.02; done";
    session.send(&format!("clear; kill %1; {gone}\n"));
    session.wait_for_text("Exit 143");
    session.send("exit\n");
    assert_eq!(session.wait_exit(), 0);
    Outcome::new(
        format!("{count} cycles, 0 stray frames; ended while stopped"),
        faults,
    )
}

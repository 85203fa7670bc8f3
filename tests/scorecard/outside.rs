//! What goes on around the screen: the size of the window, the editor, the clipboard.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use promptscope::machine::Machine;
use promptscope::runtime::clipboard::{self, Way};
use promptscope::workspace::host::LocalZone;

use crate::row::{Outcome, Row, Scale, each, tried};
use crate::session::{NOW, Session, Start, is_settled, text};

/// The rows of this group.
pub fn rows() -> Vec<Row> {
    vec![
        Row {
            id: "S8",
            measure: "resizes on a terminal, 6 ms apart",
            target: "no panic; the last frame is a clean one",
            run: resizes,
            is_brief: false,
        },
        Row {
            id: "S18",
            measure: "clipboard: 7 sizes x plain, tmux both ways, screen",
            target: "28 of 28 exact, or into a file with the reason",
            run: copies,
            is_brief: false,
        },
        Row {
            id: "S19",
            measure: "editor: 8 forms; 10,000 keys",
            target: "every round as wanted; 0 keys lost or leaked",
            run: editors,
            is_brief: false,
        },
    ]
}

/// Sizes that look like chance and are the same each time.
fn size(turn: usize) -> (u16, u16) {
    let mixed = turn.wrapping_mul(2_654_435_761);
    let at = |shift: usize, least: usize, most: usize| {
        u16::try_from(least + (mixed >> shift) % (most - least)).unwrap()
    };
    (at(4, 10, 200), at(12, 3, 60))
}

fn resizes(scale: Scale) -> Outcome {
    let count = scale.of(50, 500, 5_000);
    let mut session = Start::at(100, 30).with(&NOW).ready();
    let started = Instant::now();
    for turn in 0..count {
        let (width, height) = size(turn);
        session.resize(width, height);
        if turn % 50 == 0 {
            // Every screen goes through it.
            session.send(["2", "\x1b", "?", "\x1b", "m", "\x1b"][turn / 50 % 6]);
        }
        std::thread::sleep(Duration::from_millis(6));
    }
    let took = started.elapsed();
    session.send("\x1b\x1b");
    session.resize(100, 30);
    let ended = Instant::now();
    let faults = tried("the last frame", || {
        session.wait_for("a frame of the last size", |screen| {
            text(screen)
                .lines()
                .nth(29)
                .is_some_and(|footer| footer.contains("q quit"))
        });
    });
    let settled = ended.elapsed();
    let more = tried("the clean frame", || {
        // Nothing more comes by itself, and what a redraw of the whole screen shows is the same.
        session.bytes_upon("");
        let last = session.cells();
        assert!(
            session.bytes_upon("\x0c") > 2_000,
            "the screen was not drawn anew"
        );
        let clean = session.cells();
        assert!(last == clean, "{}", session.text());
        session.send("q");
        session.ends_with(0);
    });
    Outcome::new(
        format!("{count} in {took:.1?}, the last size shown after {settled:.2?}"),
        [faults, more].concat(),
    )
}

/// Where a copy goes through, and how that takes the text out of what is written.
#[derive(Debug, Clone, Copy)]
enum Host {
    Plain,
    TmuxTakes,
    TmuxHandsOn,
    Screen,
}

/// Reads the text of an OSC 52 that ends with BEL.
fn payload(bytes: &str) -> Option<Vec<u8>> {
    let inner = bytes.strip_prefix("\x1b]52;c;")?.strip_suffix('\x07')?;
    STANDARD.decode(inner).ok()
}

/// What arrives at the person's own terminal.
fn arrives(host: Host, sent: &[u8]) -> Option<Vec<u8>> {
    let sent = std::str::from_utf8(sent).ok()?;
    match host {
        Host::Plain => payload(sent),
        Host::TmuxTakes => payload(sent.split_once("\x1bP")?.0),
        Host::TmuxHandsOn => {
            let wrapped = sent.split_once("\x1bPtmux;")?.1.strip_suffix("\x1b\\")?;
            payload(&wrapped.replace("\x1b\x1b", "\x1b"))
        }
        Host::Screen => {
            let chunks = sent.split_terminator("\x1b\\");
            let chunks: Option<Vec<&str>> = chunks.map(|it| it.strip_prefix("\x1bP")).collect();
            let chunks = chunks?;
            // What screen takes in one string.
            (chunks.iter().all(|chunk| chunk.len() <= 768)).then_some(())?;
            payload(&chunks.concat())
        }
    }
}

fn copies(_: Scale) -> Outcome {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().display().to_string();
    let sizes = [
        0,
        1,
        1_000,
        clipboard::MOST_BYTES,
        clipboard::MOST_BYTES + 1,
        1 << 20,
        10 << 20,
    ];
    let hosts = [
        Host::Plain,
        Host::TmuxTakes,
        Host::TmuxHandsOn,
        Host::Screen,
    ];
    let (mut through, mut to_file, mut faults) = (0, 0, Vec::new());
    for host in hosts {
        let env: &[(&str, &str)] = match host {
            Host::Plain => &[("TERM", "xterm-256color")],
            Host::TmuxTakes | Host::TmuxHandsOn => &[("TERM", "tmux-256color"), ("TMUX", "a,1,0")],
            Host::Screen => &[("TERM", "screen-256color"), ("STY", "1.a")],
        };
        let home = [("HOME", folder.as_str())];
        let env = env.iter().chain(&home);
        let machine = Machine {
            env: env
                .map(|(name, value)| ((*name).into(), (*value).into()))
                .collect(),
            path: vec![],
            current_folder: "/".into(),
            local_timezone: LocalZone::Offset(0),
            random: 0,
        };
        for size in sizes {
            let text: String = "tandem \u{e9}\n".chars().cycle().take(size).collect();
            let text = &text[..text.floor_char_boundary(size)];
            faults.extend(tried(
                &format!("{host:?}, {size} bytes"),
                || match clipboard::way(&machine, text, false) {
                    Way::Terminal(bytes) => {
                        assert_eq!(arrives(host, &bytes).as_deref(), Some(text.as_bytes()));
                        through += 1;
                    }
                    Way::File(reason) => {
                        assert!(size > clipboard::MOST_BYTES && !reason.is_empty());
                        let path = clipboard::to_file(&machine, text).unwrap();
                        assert_eq!(fs::read_to_string(path).unwrap(), text);
                        to_file += 1;
                    }
                },
            ));
        }
    }
    let mut figure = format!("28 run: {through} exact, {to_file} into a file with the reason");
    if Command::new("tmux").arg("-V").output().is_ok() {
        figure.push_str("; a real tmux with 3 settings");
        for setting in [
            "set-clipboard external",
            "set-clipboard on",
            "allow-passthrough on",
        ] {
            faults.extend(tried(setting, || copy_in_tmux(setting)));
        }
    }
    Outcome::new(figure, faults)
}

/// Copies a section in a real tmux of one setting; it must arrive at the terminal around it.
fn copy_in_tmux(setting: &str) {
    const TMUX: &str = r#"
export TMUX_TMPDIR="$HOME"
exec tmux -f "$HOME/tmux.conf" new-session "$@"
"#;
    let start = Start::at(100, 30).with(&NOW).script(TMUX);
    let home = start.workspace().parent().unwrap().to_path_buf();
    let off = "set -g set-clipboard off\n";
    fs::write(home.join("tmux.conf"), format!("{off}set -g {setting}\n")).unwrap();
    let mut session = start.ready();
    session.send("4y");
    session.wait_for_text("Sent Memory");
    let memory = fs::read_to_string(session.path("memory/MEMORY.md")).unwrap();
    let arrived = |raw: &[u8]| {
        let raw = String::from_utf8_lossy(raw).into_owned();
        let copies = raw.split("\x1b]52;").skip(1);
        let mut copies = copies.filter_map(|it| it.split_once(';')?.1.split_once('\x07'));
        copies.any(|(copy, _)| {
            let copy = STANDARD.decode(copy).unwrap_or_default();
            String::from_utf8_lossy(&copy).contains(memory.trim())
        })
    };
    let end = Instant::now() + Duration::from_secs(5);
    while !arrived(&session.raw()) {
        assert!(Instant::now() < end, "nothing arrived");
        session.bytes_within(Duration::from_millis(20));
    }
    session.send("q");
    assert_eq!(session.wait_exit(), 0);
}

/// A form of `$EDITOR`: the variable, where `$ED` is an editor in a folder with a space, and what the
/// screen says after it.
#[derive(Clone, Copy)]
struct Form {
    name: &'static str,
    variable: &'static str,
    arguments: &'static str,
    says: &'static str,
    waits: bool,
}

const WAITS: Form = Form {
    name: "plain",
    variable: "$PLAIN",
    arguments: "",
    says: "",
    waits: true,
};

const FORMS: [Form; 8] = [
    WAITS,
    Form {
        name: "arguments",
        variable: "$PLAIN -u none --wait",
        arguments: "-u|none|--wait|",
        ..WAITS
    },
    Form {
        name: "quotes",
        variable: "'$SPACED' \"my rc\" ''",
        arguments: "my rc||",
        ..WAITS
    },
    Form {
        name: "a space",
        variable: "$ESCAPED",
        ..WAITS
    },
    Form {
        name: "missing",
        variable: "no-such-editor",
        says: "no-such-editor cannot be run",
        waits: false,
        ..WAITS
    },
    Form {
        name: "failing",
        variable: "sh -c 'exit 3'",
        says: "ended with status 3",
        waits: false,
        ..WAITS
    },
    Form {
        name: "back at once",
        variable: "true",
        says: "came back at once",
        waits: false,
        ..WAITS
    },
    Form {
        name: "killed",
        variable: "sh -c 'kill -9 $$'",
        says: "ended by a signal",
        waits: false,
        ..WAITS
    },
];

/// An editor that tells its arguments and keeps the line that is typed.
const EDITOR: &str = r#"#!/bin/sh
for argument in "$@"; do printf '%s|' "$argument"; done >>"$HOME/arguments"
echo >>"$HOME/arguments"
stty -a >"$HOME/modes"
echo EDITING
read -r line
printf '%s\n' "$line" >>"$HOME/typed"
"#;

/// An editor that reads ten thousand keys.
const READER: &str = "#!/bin/sh\necho EDITING\nhead -n 200 >\"$HOME/keys\"\n";

fn script(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

fn editors(scale: Scale) -> Outcome {
    let rounds = scale.of(1, 10, 200);
    let keys = AtomicUsize::new(0);
    let jobs: Vec<Option<Form>> = FORMS.into_iter().map(Some).chain([None]).collect();
    let faults = each(4, jobs, |job| match job {
        Some(form) => tried(form.name, || edit_often(form, rounds)),
        None => tried("10,000 keys", || keys.store(type_much(), Ordering::SeqCst)),
    });
    let keys = keys.into_inner();
    Outcome::new(
        format!("8 forms x {rounds} rounds; {keys} of 10000 keys, 0 leaked"),
        faults,
    )
}

fn is_back(screen: &vt100::Screen) -> bool {
    screen.alternate_screen() && is_settled(screen)
}

fn edit_often(form: Form, rounds: usize) {
    let start = Start::at(120, 30).with(&NOW);
    let home = start.workspace().parent().unwrap().to_path_buf();
    let (plain, spaced) = (home.join("ed"), home.join("my editors/ed"));
    script(&plain, EDITOR);
    script(&spaced, EDITOR);
    let spaced = spaced.display().to_string();
    let variable = form
        .variable
        .replace("$PLAIN", &plain.display().to_string())
        .replace("$SPACED", &spaced)
        .replace("$ESCAPED", &spaced.replace(' ', "\\ "));
    let mut session = start.env("EDITOR", &variable).ready();
    session.wait_for_text("1 error, 1 warning");
    session.send("2");
    session.wait_for_text("How you work");
    for round in 0..rounds {
        session.send("e");
        if form.waits {
            session.wait_for("the editor", |screen| {
                !screen.alternate_screen() && text(screen).contains("EDITING")
            });
            // Every one of these keys would do something here.
            session.send(&format!("qm2? round {round}\n"));
            session.wait_for("the screen again", is_back);
        } else {
            session.wait_for(form.says, |screen| {
                is_back(screen) && text(screen).contains(form.says)
            });
            // Any key takes the words away; this one moves to where it is.
            session.send("g");
            session.wait_for("an empty footer", |screen| {
                !text(screen).contains(form.says)
            });
        }
    }
    session.wait_for_text("How you work");
    session.send("q");
    session.ends_with(0);
    if form.waits {
        let read = |name| fs::read_to_string(home.join(name)).unwrap();
        let typed: Vec<String> = (0..rounds)
            .map(|round| format!("qm2? round {round}\n"))
            .collect();
        assert_eq!(read("typed"), typed.concat());
        let file = session.path("prompts/agents.md");
        let line = format!("{}{}|\n", form.arguments, file.display());
        assert_eq!(read("arguments"), line.repeat(rounds));
        assert!(read("modes").contains(" icanon"), "{}", read("modes"));
    }
}

/// Types ten thousand keys into the editor, and some for us right behind them; gives how many arrived.
fn type_much() -> usize {
    let start = Start::at(120, 30).with(&NOW);
    let home = start.workspace().parent().unwrap().to_path_buf();
    script(&home.join("ed"), READER);
    let editor = home.join("ed").display().to_string();
    let mut session: Session = start.env("EDITOR", &editor).ready();
    session.send("2e");
    session.wait_for_text("EDITING");
    let line = format!("{}\n", "qm2?:".repeat(10).split_at(49).0);
    let all = line.repeat(200);
    for chunk in all.as_bytes().chunks(500) {
        session.send(std::str::from_utf8(chunk).unwrap());
    }
    session.send("mhello");
    session.wait_for_text("hello");
    session.wait_for("the screen again", is_back);
    session.send("\x03");
    session.ends_with(0);
    let read = fs::read_to_string(home.join("keys")).unwrap();
    assert_eq!(read, all);
    read.len()
}

//! The README's picture, drawn from a real run of the program on a copy of the example.
//!
//! `PICTURE=write cargo test --test picture` draws it anew into `tests/picture/screen.svg`.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fmt::Write as _;
use std::io::Read as _;
use std::path::Path;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use portable_pty::{CommandBuilder, NativePtySystem, PtySize, PtySystem as _};

const COLUMNS: u16 = 112;
const ROWS: u16 = 34;
const CELL: (f32, f32) = (8.4, 18.0);

/// Runs the program in a terminal until a condition holds; gives the screen.
fn run(workspace: &Path, shows: impl Fn(&str) -> bool) -> vt100::Parser {
    let size = PtySize {
        rows: ROWS,
        cols: COLUMNS,
        pixel_width: 0,
        pixel_height: 0,
    };
    let pair = NativePtySystem::default().openpty(size).unwrap();
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_promptscope"));
    command.arg(workspace);
    command.args([
        "--now",
        "2026-06-19T02:30:00+00:00",
        "--skill-order",
        "name",
    ]);
    command.args(["--message", "Is the tandem ready for Saturday?"]);
    command.env_clear();
    command.env("TERM", "xterm-256color");
    command.env("COLORTERM", "truecolor");
    command.env("PATH", "/usr/bin:/bin");
    command.env("HOME", workspace);
    let mut child = pair.slave.spawn_command(command).unwrap();
    drop(pair.slave);
    let mut reader = pair.master.try_clone_reader().unwrap();
    let (bytes_tx, bytes): (_, Receiver<Vec<u8>>) = channel();
    std::thread::spawn(move || {
        let mut buffer = [0; 4096];
        while let Ok(read @ 1..) = reader.read(&mut buffer) {
            if bytes_tx.send(buffer[..read].to_vec()).is_err() {
                return;
            }
        }
    });
    let mut parser = vt100::Parser::new(ROWS, COLUMNS, 0);
    let end = Instant::now() + Duration::from_secs(30);
    while !shows(&parser.screen().contents()) {
        let left = end.saturating_duration_since(Instant::now());
        let more = bytes.recv_timeout(left);
        parser.process(&more.unwrap_or_else(|_| panic!("{}", parser.screen().contents())));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    parser
}

fn color(color: vt100::Color, default: &str) -> String {
    match color {
        vt100::Color::Rgb(r, g, b) => format!("#{r:02x}{g:02x}{b:02x}"),
        _ => default.to_owned(),
    }
}

/// Draws a screen as SVG: a line of text for each run of one style.
fn svg(screen: &vt100::Screen) -> String {
    let (width, height) = (
        f32::from(COLUMNS) * CELL.0 + 24.0,
        f32::from(ROWS) * CELL.1 + 24.0,
    );
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         font-family=\"ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace\" font-size=\"14\">\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#1a1b26\"/>\n"
    );
    for row in 0..ROWS {
        let mut column = 0;
        while column < COLUMNS {
            let style = |column| {
                screen
                    .cell(row, column)
                    .map(|cell| (cell.fgcolor(), cell.bgcolor(), cell.bold(), cell.inverse()))
            };
            let start = column;
            let first = style(start);
            let mut text = String::new();
            while column < COLUMNS && style(column) == first {
                let cell = screen.cell(row, column).unwrap();
                if !cell.is_wide_continuation() {
                    text.push_str(if cell.contents().is_empty() {
                        " "
                    } else {
                        cell.contents()
                    });
                }
                column += 1;
            }
            let Some((fg, _, bold, _)) = first.filter(|_| !text.trim().is_empty()) else {
                continue;
            };
            let text = text
                .replace('&', "&amp;")
                .replace('<', "&lt;")
                .replace('>', "&gt;");
            let weight = if bold { " font-weight=\"bold\"" } else { "" };
            writeln!(
                out,
                "<text x=\"{:.1}\" y=\"{:.1}\" fill=\"{}\"{weight} textLength=\"{:.1}\" xml:space=\"preserve\">{text}</text>",
                12.0 + f32::from(start) * CELL.0,
                26.0 + f32::from(row) * CELL.1,
                color(fg, "#c0caf5"),
                f32::from(column - start) * CELL.0,
            )
            .unwrap();
        }
    }
    out + "</svg>\n"
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

#[test]
fn the_picture_shows_what_the_program_shows() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let dir = tempfile::tempdir().unwrap();
    let workspace = dir.path().join("lantern-lane");
    copy(&root.join("workspace-example"), &workspace);
    let parser = run(&workspace, |text| {
        text.contains("Request ") && text.contains("· live")
    });
    let text = parser.screen().contents();
    let file = root.join("tests/picture/screen.svg");
    if std::env::var_os("PICTURE").is_some() {
        let folder = dir.path().display().to_string();
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(
            &file,
            svg(parser.screen()).replace(&folder, "/srv/agents/mei"),
        )
        .unwrap();
    }
    let picture = std::fs::read_to_string(&file).unwrap();
    for words in [
        "7 ",
        "Recent History",
        "OVER",
        "138%",
        "[Runtime Context",
        "Is the tandem ready",
    ] {
        assert!(text.contains(words), "{words} is on the screen:\n{text}");
        assert!(picture.contains(words), "{words} is in the picture");
    }
}

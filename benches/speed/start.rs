//! The start of the program against that of programs that do a part of it.

use std::env;
use std::hint::black_box;
use std::process::Command;
use std::time::Duration;

use crossterm::event;
use ratatui::widgets::{Block, Paragraph};

use super::session::{Start, is_settled, text};
use super::table::{Pair, Row, timed};
use super::texts::{ENGLISH, KILOBYTE, text_of};

const ROUNDS: usize = 21;

/// The argument that makes this program a bare one of ratatui.
pub const BARE: &str = "--bare";
/// The argument that makes this program one that loads a tokenizer.
pub const TOKENIZER: &str = "--tokenizer";

/// Draws one frame and waits for a key.
pub fn bare() {
    let mut terminal = ratatui::init();
    terminal
        .draw(|frame| {
            let greeting = Paragraph::new("A frame.").block(Block::bordered());
            frame.render_widget(greeting, frame.area());
        })
        .unwrap();
    event::read().unwrap();
    ratatui::restore();
}

/// Loads the tokenizer of the example and counts a little.
pub fn tokenizer() {
    let tokenizer = tiktoken_rs::o200k_base().unwrap();
    black_box(tokenizer.encode_ordinary(&text_of(ENGLISH, KILOBYTE)).len());
}

/// How long a program takes to its first frame.
fn first_frame(start: Start) -> Duration {
    let session = start.open();
    session.wait_for("a frame", |screen| !text(screen).trim().is_empty());
    session.started.elapsed()
}

fn ours() -> Start {
    Start::at(120, 40).directly(env!("CARGO_BIN_EXE_promptscope"))
}

/// Measures the first frame and the first counts.
pub fn starts() -> Vec<Row> {
    let this = env::current_exe().unwrap();
    let bare = || Start::at(120, 40).with_only(&[BARE]).directly(&this);
    let frame = Pair::told(ROUNDS, |_| first_frame(ours()), |_| first_frame(bare()));
    let counts = Pair::told(
        ROUNDS,
        |_| {
            let session = ours().open();
            session.wait_for("the first counts", is_settled);
            session.started.elapsed()
        },
        |_| timed(|| Command::new(&this).arg(TOKENIZER).status().unwrap()),
    );
    let empty = Pair::told(
        ROUNDS,
        |_| {
            timed(|| {
                let mut render = Command::new(env!("CARGO_BIN_EXE_promptscope"));
                render.args(["render", "workspace-example", "--format", "json"]);
                render.current_dir(env!("CARGO_MANIFEST_DIR"));
                render.output().unwrap()
            })
        },
        |_| timed(|| Command::new(&this).arg(TOKENIZER).status().unwrap()),
    );
    vec![
        frame.longer("start to first frame", "a bare program of ratatui", "≤ 3×"),
        counts.longer(
            "start to first counts on the screen, o200k_base",
            "tiktoken-rs loads and counts 1 KB",
            "≤ 1.2×",
        ),
        empty.longer(
            "`render --format json`, o200k_base",
            "tiktoken-rs loads and counts 1 KB",
            "–",
        ),
    ]
}

//! The real loop and the real workers on a fake terminal.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test fails by panicking"
)]

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use promptscope::app::{App, Event, Question, StoreTask};
use promptscope::display::sanitize::Symbols;
use promptscope::error::Result;
use promptscope::inputs::Request;
use promptscope::machine::Machine;
use promptscope::runtime::effects::Workers;
use promptscope::runtime::themes::Themes;
use promptscope::runtime::{Outside, draw, run};
use promptscope::ui::Painter;
use promptscope::ui::theme::{ColorDepth, load_embedded};
use promptscope::workspace::host::LocalZone;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

/// What the loop drew last, told to the test after every frame.
struct Fake {
    workers: Workers,
    frames: UnboundedSender<String>,
    suspended: usize,
}

impl Outside<TestBackend> for Fake {
    fn assemble(&mut self, question: Question) {
        self.workers.ask(question);
    }

    fn count_marked(&mut self, number: u64, text: Arc<str>) {
        self.workers.count_marked(number, text);
    }

    fn audit(&mut self) {
        self.workers.audit();
    }

    fn insight(&mut self) {
        self.workers.insight();
    }

    fn git_base(&mut self) {
        self.workers.git_base();
    }

    fn store(&mut self, task: StoreTask) {
        self.workers.store(task);
    }

    fn copy(&mut self, _: &str, _: &str) -> Result<()> {
        Ok(())
    }

    async fn edit(
        &mut self,
        _: &mut Terminal<TestBackend>,
        _: &Path,
        _: Option<usize>,
    ) -> Result<()> {
        Ok(())
    }

    fn mouse(&mut self, _: bool) -> Result<()> {
        Ok(())
    }

    fn suspend(&mut self, _: &mut Terminal<TestBackend>) -> Result<()> {
        self.suspended += 1;
        Ok(())
    }

    fn resume(&mut self, _: &mut Terminal<TestBackend>) -> Result<()> {
        Ok(())
    }

    fn draw(
        &mut self,
        terminal: &mut Terminal<TestBackend>,
        app: &App,
        painter: &Painter,
    ) -> Result<()> {
        draw(terminal, app, painter)?;
        let _ = self.frames.send(terminal.backend().to_string());
        Ok(())
    }
}

fn machine(home: &Path) -> Machine {
    Machine {
        env: [("HOME".to_owned(), home.display().to_string())].into(),
        path: vec![],
        current_folder: home.into(),
        local_timezone: LocalZone::Offset(0),
        random: 0,
    }
}

fn key(code: KeyCode) -> Event {
    Event::Key(KeyEvent::new(code, KeyModifiers::NONE))
}

/// A script sees each frame and answers with events; the loop runs until one of them ends it.
fn drive(
    workspace: &Path,
    mut script: impl FnMut(&str) -> Vec<Event> + Send + 'static,
) -> Vec<String> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let (events_tx, mut events) = unbounded_channel();
        let (frames_tx, mut frames) = unbounded_channel::<String>();
        let request = Request {
            workspace: Some(workspace.into()),
            now: Some("2026-06-19T02:30:00Z".parse().unwrap()),
            ..Request::default()
        };
        let workers = Workers::start(request, machine(workspace), events_tx.clone(), None);
        let mut outside = Fake {
            workers,
            frames: frames_tx,
            suspended: 0,
        };
        let mut app = App::new((80, 24), Symbols::Unicode);
        let themes = Themes::new(None, ColorDepth::TrueColor);
        app.themes = themes.names();
        app.theme = "dark".into();
        let mut painter = Painter::new(load_embedded("dark").unwrap());
        let mut terminal = Terminal::new(TestBackend::new(80, 24)).unwrap();
        let player = tokio::spawn(async move {
            let mut seen = Vec::new();
            while let Some(frame) = frames.recv().await {
                for event in script(&frame) {
                    let _ = events_tx.send(event);
                }
                seen.push(frame);
            }
            seen
        });
        let looped = run(
            &mut app,
            &mut painter,
            &mut terminal,
            &mut events,
            &mut outside,
            &themes,
        );
        tokio::time::timeout(Duration::from_mins(1), looped)
            .await
            .expect("the loop ends within a minute")
            .unwrap();
        drop(outside);
        player.await.unwrap()
    })
}

#[test]
fn the_first_frame_comes_before_the_disk_is_read_and_the_counts_follow() {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("workspace-example");
    let frames = drive(&example, |frame| {
        if frame.contains("Prompt 2,") {
            vec![key(KeyCode::Char('q'))]
        } else {
            vec![]
        }
    });
    assert!(frames[0].contains("reading…"), "{}", frames[0]);
    assert!(frames.last().unwrap().contains("8 Session Summary"));
    assert!(
        frames.len() <= 3,
        "reading, texts, counts: {} frames",
        frames.len()
    );
}

#[test]
fn a_save_is_shown_and_a_question_without_news_draws_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("AGENTS.md");
    std::fs::write(&file, "one\n").unwrap();
    let mut step = 0;
    let frames = drive(dir.path(), move |frame| match step {
        0 if frame.contains("Prompt ") => {
            step = 1;
            // Nothing is new on the disk: this must not lead to a frame.
            vec![Event::DiskChanged, key(KeyCode::Char('2'))]
        }
        1 if frame.contains("## AGENTS.md") && frame.contains("one") => {
            step = 2;
            std::fs::write(&file, "one\ntwo\n").unwrap();
            vec![Event::DiskChanged]
        }
        2 if frame.contains("+▸ two") && frame.contains(" +2 ") => {
            step = 3;
            vec![key(KeyCode::Char('q'))]
        }
        _ => vec![],
    });
    assert!(frames.len() <= 7, "{} frames", frames.len());
}

#[test]
fn typing_is_echoed_at_once_and_the_merged_message_follows() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("SOUL.md"), "calm\n").unwrap();
    let mut step = 0;
    let frames = drive(dir.path(), move |frame| match step {
        0 if frame.contains("Prompt ") => {
            step = 1;
            "mhello"
                .chars()
                .map(|letter| key(KeyCode::Char(letter)))
                .collect()
        }
        1 if frame.matches("hello").count() >= 2 && frame.contains("Current Time: 2026-06-19") => {
            step = 2;
            vec![key(KeyCode::Esc), key(KeyCode::Char('q'))]
        }
        _ => vec![],
    });
    let typed = frames
        .iter()
        .position(|frame| frame.contains("hello"))
        .unwrap();
    assert!(typed < frames.len());
}

#[test]
fn broken_settings_are_a_state_and_the_defaults_serve() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("AGENTS.md"), "x\n").unwrap();
    let toml = dir.path().join("promptscope.toml");
    std::fs::write(&toml, "[budget]\nmemry = 5\n").unwrap();
    let mut step = 0;
    drive(dir.path(), move |frame| match step {
        0 if frame.contains("unknown field `memry`") && frame.contains("Prompt ") => {
            step = 1;
            std::fs::write(&toml, "[budget]\ntotal = 1\n").unwrap();
            vec![Event::DiskChanged]
        }
        1 if !frame.contains("memry") && frame.contains("OVER") => {
            step = 2;
            vec![key(KeyCode::Char('q'))]
        }
        _ => vec![],
    });
}

#[test]
fn a_workspace_that_goes_away_is_stale_until_it_is_back() {
    let dir = tempfile::tempdir().unwrap();
    let (here, there) = (dir.path().join("w"), dir.path().join("away"));
    std::fs::create_dir(&here).unwrap();
    std::fs::write(here.join("AGENTS.md"), "still here\n").unwrap();
    let mut step = 0;
    let (from, to) = (here.clone(), there);
    drive(&here, move |frame| match step {
        0 if frame.contains("Prompt ") => {
            step = 1;
            std::fs::rename(&from, &to).unwrap();
            vec![Event::DiskChanged]
        }
        1 if frame.contains("stale") && frame.contains("still here") => {
            step = 2;
            std::fs::rename(&to, &from).unwrap();
            vec![Event::DiskChanged]
        }
        2 if !frame.contains("stale") => {
            step = 3;
            vec![key(KeyCode::Char('t')), Event::Terminated]
        }
        _ => vec![],
    });
}

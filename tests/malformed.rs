//! A good workspace, damaged in every way: nothing panics, nothing hangs, and what the agent loses is told.

#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test fails by a panic, its helpers too"
)]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use promptscope::budget::Usage;
use promptscope::inputs::{Inputs, Request};
use promptscope::library::Cache;
use promptscope::machine::Machine;
use promptscope::tokens::Counter;
use promptscope::workspace::host::LocalZone;
use promptscope::workspace::{RootState, Workspace};

mod bench;
#[path = "malformed/damage.rs"]
mod damage;

use bench::Bench;
use damage::{DAMAGES, Dice, Told, good};

/// How many workspaces are damaged; `PROMPTSCOPE_MALFORMED_CASES` says otherwise.
const CASES: u64 = 500;
/// Of how many one is drawn too.
const DRAWN: u64 = 10;
/// What has not ended then hangs.
const DEADLINE: Duration = Duration::from_mins(1);
/// As large as the stack of the binary's main thread.
const STACK: usize = 8 * 1024 * 1024;

/// What was said: a path and a line, where there is one, and the words.
#[derive(Debug)]
struct Remark {
    path: Option<String>,
    line: Option<usize>,
    words: String,
}

impl Remark {
    fn names(&self, path: &str) -> bool {
        let is_at = |at: &str| at.starts_with(path);
        self.path.as_deref().is_some_and(is_at) || self.words.contains(path)
    }
}

/// What was said of a workspace.
struct Said(Vec<Remark>);

impl Said {
    fn satisfies(&self, told: &Told) -> bool {
        let has_line = |said: &Remark, path: &str| {
            said.line.is_some() || said.words.contains(&format!("{path}:"))
        };
        match told {
            Told::Nothing => true,
            Told::Path(path) => self.0.iter().any(|said| said.names(path)),
            Told::Line(path) => {
                let mut all = self.0.iter();
                all.any(|said| said.names(path) && has_line(said, path))
            }
        }
    }
}

/// Runs everything that is done with a workspace; gives what was said of it.
fn all_of_it(root: &Path, is_drawn: bool) -> Said {
    let machine = Machine {
        env: BTreeMap::from([("HOME".into(), root.join("home").display().to_string())]),
        path: vec![],
        current_folder: root.into(),
        local_timezone: LocalZone::Offset(0),
        random: 0,
    };
    let now = "2026-06-19T02:30:00Z".parse().unwrap();
    let request = Request {
        workspace: Some(root.into()),
        ..Request::default()
    };
    let inputs = match Inputs::resolve(&request, &machine) {
        Ok(inputs) => inputs,
        Err(error) => {
            let (path, line, words) = (None, None, error.to_string());
            return Said(vec![Remark { path, line, words }]);
        }
    };
    let workspace = Workspace::read(&inputs.places);
    let mut said = Vec::new();
    if let RootState::Unreadable(error) = &workspace.state {
        let (path, line, words) = (None, None, workspace.problem(error));
        said.push(Remark { path, line, words });
    }
    let assembly = inputs.assemble(&workspace, &machine, now);
    let errors = assembly.sections.iter().map(|section| &section.error);
    for error in errors.chain([&assembly.error]).flatten() {
        let path = error.path.as_deref().map(|path| workspace.relative(path));
        assert!(path.is_some(), "an error without a place: {error:?}");
        let (line, words) = (error.line, error.message.clone());
        said.push(Remark { path, line, words });
    }
    let mut counter = Counter::new(inputs.encoding);
    let usage = Usage::count(&assembly, &mut counter);
    let sent = (&assembly, &usage);
    for finding in inputs.findings(&workspace, (&machine, now), sent, None, &mut counter) {
        let (path, line, words) = (finding.path, finding.line, finding.message);
        said.push(Remark { path, line, words });
    }
    let library = inputs.library(&machine, now, &mut Cache::default());
    let built = library.build("main", None);
    assert!(!built.files.is_empty() || !built.is_whole());
    if is_drawn {
        let mut bench = Bench::open_on(root.into(), (100, 30));
        for keys in [
            &["2"][..],
            &["4"],
            &["Esc", "f"],
            &["Esc", "a"],
            &["Esc", "s"],
            &["Esc", "m"],
        ] {
            bench.keys(keys).buffer();
        }
    }
    Said(said)
}

/// Damages a workspace and looks at it; gives what was wrong with what was said.
fn case(seed: u64) -> Option<String> {
    let dir = tempfile::tempdir().unwrap();
    // Links in the folder's own path would be resolved.
    let root = dir.path().canonicalize().unwrap();
    good(&root);
    let mut dice = Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    dice.below(1);
    let first = usize::try_from(seed).unwrap() % DAMAGES.len();
    let (name, damage) = DAMAGES[first];
    let told = damage(&root, &mut dice);
    let mut names = vec![name];
    // One in three is damaged further, and what must be told of the first may be hidden then.
    if dice.below(3) == 0 {
        for _ in 0..=dice.below(3) {
            let (name, damage) = DAMAGES[dice.below(DAMAGES.len())];
            damage(&root, &mut dice);
            names.push(name);
        }
    }
    let (said_tx, said_rx) = mpsc::channel();
    let is_drawn = seed.is_multiple_of(DRAWN);
    let worker = thread::Builder::new().stack_size(STACK).spawn(move || {
        let _ = said_tx.send(all_of_it(&root, is_drawn));
    });
    match said_rx.recv_timeout(DEADLINE) {
        Ok(said) if names.len() > 1 || said.satisfies(&told) => None,
        Ok(said) => {
            let mut text = format!("case {seed}, {name}: nothing is told of it:");
            for said in said.0 {
                let _ = write!(text, "\n    {said:?}");
            }
            Some(text)
        }
        Err(mpsc::RecvTimeoutError::Timeout) => Some(format!("case {seed}, {names:?}: hangs")),
        Err(mpsc::RecvTimeoutError::Disconnected) => {
            let _ = worker.unwrap().join();
            Some(format!("case {seed}, {names:?}: panics"))
        }
    }
}

#[test]
fn a_good_workspace_has_nothing_that_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    good(&root);
    let said = all_of_it(&root, true);
    assert!(said.0.is_empty(), "{:?}", said.0);
}

#[test]
fn no_damage_panics_or_hangs_and_what_is_lost_is_told() {
    let cases = std::env::var("PROMPTSCOPE_MALFORMED_CASES");
    let cases = cases
        .ok()
        .and_then(|cases| cases.parse().ok())
        .unwrap_or(CASES);
    let wrong: Vec<String> = (0..cases).filter_map(case).collect();
    assert!(
        wrong.is_empty(),
        "{} cases:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(DAMAGES.len() >= 50);
}

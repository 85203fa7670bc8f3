//! The seeded faults of `tests/faults/run.sh` still fit the source that they are to break.

use std::fs;
use std::path::Path;

/// The fewest faults that say something about the tests.
const FEWEST: usize = 25;

#[test]
fn every_seeded_fault_still_applies() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut count = 0;
    for entry in fs::read_dir(root.join("tests/faults/seeded")).unwrap() {
        let fault = entry.unwrap().path();
        let text = fs::read_to_string(&fault).unwrap();
        let problem = problem(root, &text);
        assert_eq!(problem, None, "{}", fault.display());
        count += 1;
    }
    assert!(count >= FEWEST, "only {count}");
}

/// Says why a fault cannot be seeded.
fn problem(root: &Path, fault: &str) -> Option<String> {
    let Some((head, change)) = fault.split_once("--- old\n") else {
        return Some("it has no old text".into());
    };
    let Some((old, new)) = change.split_once("--- new\n") else {
        return Some("it has no new text".into());
    };
    let lines: Vec<&str> = head.lines().collect();
    let [about, file, tests] = lines[..] else {
        return Some("its head has three lines: what it breaks, file, tests".into());
    };
    let (Some(file), Some(_)) = (file.strip_prefix("file: "), tests.strip_prefix("tests: ")) else {
        return Some("file and tests are not named".into());
    };
    if !about.ends_with('.') || old == new {
        return Some("it says nothing or changes nothing".into());
    }
    let Ok(code) = fs::read_to_string(root.join(file)) else {
        return Some(format!("{file} is not there"));
    };
    match code.matches(old).count() {
        1 => None,
        count => Some(format!("its old text occurs {count} times in {file}")),
    }
}

#[test]
fn a_fault_that_does_not_apply_is_named() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let fault = |old: &str| {
        format!("It breaks.\nfile: src/main.rs\ntests: --lib\n--- old\n{old}\n--- new\nx\n")
    };
    assert!(
        problem(root, &fault("no such line"))
            .unwrap()
            .contains("occurs 0 times")
    );
    assert!(problem(root, &fault("fn main() -> ExitCode {")).is_none());
    assert!(problem(root, "It breaks.").is_some());
}

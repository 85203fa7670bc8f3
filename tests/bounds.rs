//! What a file may cost: text that is small and means much, and text that is deep or large.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test fails by a panic, its helpers too"
)]

use promptscope::python::json::{self, JsonFailure};
use promptscope::python::yaml::{YamlFailure, safe_load};
use promptscope::workspace::front_matter::{FrontMatter, MAX_BYTES, body};

/// Makes 18 KB of front matter whose aliases stand for ten to the power of nine values.
fn bomb() -> String {
    let mut text = String::from("---\na0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for at in 1..9 {
        let aliases = format!("*a{}, ", at - 1).repeat(10);
        text = format!("{text}a{at}: &a{at} [{aliases}]\n");
    }
    let padding = "k: a value that is there for its length alone\n".repeat(390);
    text + &padding + "---\nBody\n"
}

/// Gives the most memory that this process has held, in KB.
#[cfg(target_os = "linux")]
fn peak() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status
        .lines()
        .find(|line| line.starts_with("VmHWM"))
        .unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

#[test]
#[cfg(target_os = "linux")]
fn a_bomb_of_aliases_takes_some_megabytes_and_is_told() {
    const ALONE: &str = "PROMPTSCOPE_TEST_ALONE";
    if std::env::var_os(ALONE).is_none() {
        // Memory is counted by process, and other tests run in this one.
        let name = "a_bomb_of_aliases_takes_some_megabytes_and_is_told";
        let mut alone = std::process::Command::new(std::env::current_exe().unwrap());
        let done = alone
            .args(["--exact", name])
            .env(ALONE, "1")
            .output()
            .unwrap();
        assert!(
            done.status.success(),
            "{}",
            String::from_utf8_lossy(&done.stdout)
        );
        return;
    }
    let text = bomb();
    assert!((18_000..MAX_BYTES).contains(&text.len()), "{}", text.len());
    let before = peak();
    let front = FrontMatter::read(&text);
    let taken = peak() - before;
    assert!(
        matches!(front, FrontMatter::Unread { line: 2.., .. }),
        "{front:?}"
    );
    assert!(taken < 48 * 1024, "{taken} KB");
    assert_eq!(&text[body(&text)], "Body");
}

#[test]
fn a_header_of_ten_megabytes_is_not_parsed() {
    for line in ["key: value\n", "- ", "[", "a: &a\n", "# comment\n"] {
        let header = line.repeat(10 * 1024 * 1024 / line.len());
        let text = format!("---\n{header}\n---\nBody\n");
        let front = FrontMatter::read(&text);
        assert!(matches!(front, FrontMatter::Unread { line: 2, .. }));
        assert_eq!(&text[body(&text)], "Body");
    }
}

/// Runs something on a stack that is as small as a worker's.
fn on_a_small_stack(work: impl FnOnce() + Send + 'static) {
    const STACK: usize = 2 * 1024 * 1024;
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(work);
    thread.unwrap().join().unwrap();
}

#[test]
fn what_is_nested_deep_raises_and_overflows_no_stack() {
    on_a_small_stack(|| {
        for open in ["[", "{\"a\":", "[{\"a\":"] {
            let deep = json::loads(&open.repeat(100_000));
            let raises = |failure| {
                matches!(
                    failure,
                    JsonFailure::Raises {
                        class: "RecursionError",
                        ..
                    }
                )
            };
            assert!(deep.is_err_and(raises), "{open}");
        }
        let balanced = "[".repeat(100_000) + &"]".repeat(100_000);
        assert!(json::loads(&balanced).is_err());
        for open in ["[", "{a: ", "- ", "? ", "[{a: "] {
            let raises = |failure| {
                matches!(
                    failure,
                    YamlFailure::Raises {
                        class: "RecursionError",
                        ..
                    }
                )
            };
            assert!(
                safe_load(&open.repeat(100_000)).is_err_and(raises),
                "{open}"
            );
        }
        // As deep as may be is read, written and thrown away.
        let deepest = "[".repeat(json::MAX_DEPTH) + &"]".repeat(json::MAX_DEPTH);
        assert_eq!(json::dumps(&json::loads(&deepest).unwrap()), deepest);
    });
}

#[test]
fn front_matter_as_large_as_anybody_writes_is_read() {
    let list = (0..4_000)
        .map(|n| format!("  - tag{n}\n"))
        .collect::<Vec<_>>()
        .concat();
    let text = format!("---\ndescription: d\ntags: &t\n{list}again: *t\n---\nBody\n");
    assert!(
        text.len() > 40_000 && text.len() < MAX_BYTES,
        "{}",
        text.len()
    );
    let front = FrontMatter::read(&text);
    assert_eq!(front.get("again"), front.get("tags"));
    assert!(front.get("again").is_some());
}

//! Nothing in a workspace is written or touched, whatever is run.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use promptscope::prompt::SectionId;
use promptscope::python::Value;

use super::support::{World, at, section};

/// Lists everything below a folder: contents, modes, and the times of the last change.
pub(super) fn listing(folder: &Path) -> BTreeMap<PathBuf, String> {
    let mut found = BTreeMap::new();
    let mut paths = vec![folder.to_path_buf()];
    while let Some(path) = paths.pop() {
        let meta = fs::symlink_metadata(&path).unwrap();
        let body = if meta.is_dir() {
            let entries = fs::read_dir(&path).unwrap();
            paths.extend(entries.map(|entry| entry.unwrap().path()));
            String::new()
        } else if meta.is_symlink() {
            fs::read_link(&path).unwrap().display().to_string()
        } else {
            format!("{:?}", fs::read(&path).unwrap())
        };
        let facts = [
            i64::from(meta.mode()),
            meta.mtime(),
            meta.mtime_nsec(),
            meta.ctime(),
            meta.ctime_nsec(),
        ];
        found.insert(path, format!("{facts:?} {body}"));
    }
    found
}

#[test]
fn no_run_leaves_a_trace() {
    let world = World::small();
    world.write("workspace/memory/HISTORY.md", "## 2026-06-01\nOld.\n");
    world.write("workspace/photo.png", b"\x89PNG\r\n\x1a\n");
    world.write("workspace/s.toml", "message = 'm'\nmedia = ['photo.png']");
    std::os::unix::fs::symlink("AGENTS.md", world.path("workspace/SOUL.md")).unwrap();
    let before = listing(&world.path(""));
    for (args, code) in [
        (&["render", "workspace"][..], 0),
        (&["render", "workspace", "--format", "json"], 0),
        (&["render", "workspace", "--format", "messages"], 0),
        (&["render", "workspace", "--section", "memory"], 0),
        (&["render", "workspace", "--session", "cli:x"], 0),
        (
            &[
                "render",
                "workspace",
                "--session",
                "new:one",
                "--message",
                "hi",
            ],
            0,
        ),
        (
            &["render", "workspace", "--scenario", "workspace/s.toml"],
            0,
        ),
        (&["render", "workspace", "--skill-order", "name"], 0),
        (&["render", "workspace", "--encoding", "none"], 2),
        (&["render", "workspace", "--scenario", "none"], 2),
        (&["workspace"], 2),
        (&["--demo"], 2),
        (&["--print-config"], 0),
    ] {
        world.run(args).exits(code);
        assert_eq!(before, listing(&world.path("")), "{args:?}");
    }
}

#[test]
fn an_empty_folder_stays_empty() {
    let world = World::empty();
    let before = listing(&world.path(""));
    world
        .render(&["--format", "json", "--session", "cli:x"])
        .exits(0);
    assert_eq!(before, listing(&world.path("")));
}

#[test]
fn an_old_history_is_not_migrated() {
    let world = World::empty();
    world.write("workspace/memory/HISTORY.md", "[2026-06-01 10:00] Old.\n\n");
    let report = world.report(&[]);
    let history = section(&report, SectionId::RecentHistory);
    assert_eq!(at(history, "present"), &Value::Bool(false));
    let left: Vec<_> = fs::read_dir(world.path("workspace/memory"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(left, ["HISTORY.md"]);
}

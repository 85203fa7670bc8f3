//! What a workspace folder turns out to be.

use super::*;

#[test]
fn what_is_read_again_is_what_would_be_read_anew() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    for folder in ["memory", "skills/a"] {
        std::fs::create_dir_all(at(folder)).unwrap();
    }
    for file in ["SOUL.md", "memory/MEMORY.md", "memory/history.jsonl"] {
        std::fs::write(at(file), "one").unwrap();
    }
    let mut places = Places {
        root: dir.path().into(),
        ..Places::default()
    };
    let workspace = Workspace::read(&places);
    for file in [
        "AGENTS.md",
        "SOUL.md",
        "memory/MEMORY.md",
        "skills/a/SKILL.md",
    ] {
        let laid_over = [(at(file), b"two".to_vec())];
        places.source = Source::default().with_files(laid_over);
        let again = workspace.reread(&places, Path::new(file));
        assert_eq!(again, Workspace::read(&places), "{file}");
        assert_ne!(again, workspace, "{file}");
    }
}

#[test]
fn a_folder_a_file_and_nothing_are_told_apart() {
    let dir = tempfile::tempdir().unwrap();
    let state = |path: PathBuf| {
        let places = Places {
            root: path,
            ..Places::default()
        };
        Workspace::read(&places).state
    };
    assert_eq!(state(dir.path().into()), RootState::Bare);
    std::fs::write(dir.path().join("AGENTS.md"), "").unwrap();
    assert_eq!(state(dir.path().into()), RootState::Workspace);
    for path in ["AGENTS.md", "none"] {
        let state = state(dir.path().join(path));
        assert!(
            matches!(state, RootState::Unreadable(_)),
            "{path}: {state:?}"
        );
    }
}

#[test]
fn what_stands_in_the_place_of_a_made_folder_stops_the_agent() {
    let dir = tempfile::tempdir().unwrap();
    let class = |name: &str| {
        made_folder(&dir.path().join(name), &Source::default()).map(|error| error.class)
    };
    assert_eq!(class("none"), None);
    std::fs::create_dir(dir.path().join("folder")).unwrap();
    assert_eq!(class("folder"), None);
    std::fs::write(dir.path().join("file"), "").unwrap();
    assert_eq!(class("file"), Some("FileExistsError"));
    #[cfg(unix)]
    for (name, target, wanted) in [
        ("link", "folder", None),
        ("stray", "none", Some("FileExistsError")),
        ("loop", "loop", Some("FileExistsError")),
    ] {
        std::os::unix::fs::symlink(target, dir.path().join(name)).unwrap();
        assert_eq!(class(name), wanted, "{name}");
    }
    let place =
        |key: &str| session_place(dir.path(), key, &Source::default()).map(|error| error.class);
    assert_eq!(place("a:1"), None);
    assert_eq!(place(&"k".repeat(300)), Some("OSError"));
    let none = dir.path().join("none");
    assert!(session_place(&none, &"k".repeat(300), &Source::default()).is_some());
}

#[test]
#[cfg(unix)]
fn names_that_are_no_utf8_keep_their_bytes() {
    use std::os::unix::ffi::OsStrExt as _;
    let text = os_text(OsStr::from_bytes(b"a\xffb"));
    let units: Vec<_> = text.chars().map(surrogate::surrogate).collect();
    assert_eq!(units, [None, Some(0xDCFF), None]);
}

use super::*;

fn failure(read: &FileRead) -> &AgentError {
    match read {
        FileRead::Failed(failure) => failure,
        other => panic!("expected a failure, got {other:?}"),
    }
}

#[test]
fn text_is_read_with_universal_newlines_and_its_mark() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.md");
    fs::write(&path, "\u{feff}a\r\nb\rc").unwrap();
    assert_eq!(text(&path).text().unwrap().as_ref(), "\u{feff}a\nb\nc");
    assert_eq!(text(&dir.path().join("none")), FileRead::Missing);
    assert_eq!(text(&path.join("below-a-file")), FileRead::Missing);
}

#[test]
fn bad_bytes_are_named_with_position_and_line() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.md");
    fs::write(&path, b"one\r\ncaf\xe9\n").unwrap();
    let read = text(&path);
    assert_eq!(failure(&read).class, "UnicodeDecodeError");
    assert_eq!(failure(&read).line, Some(2));
    assert!(failure(&read).message.contains("0xe9 at position 8"));
}

#[test]
fn folders_links_and_pipes_do_not_hang() {
    let dir = tempfile::tempdir().unwrap();
    let read = text(dir.path());
    assert_eq!(failure(&read).class, "IsADirectoryError");
    #[cfg(unix)]
    {
        let link = dir.path().join("loop");
        std::os::unix::fs::symlink(&link, &link).unwrap();
        assert_eq!(text(&link), FileRead::Missing);
        assert_eq!(find(&link), Ok(Found::Nothing));
        assert_eq!(list(&link, FolderOrder::Name), Ok(vec![]));
        assert_eq!(failure(&text_unasked(&link)).class, "OSError");
        assert_eq!(text_unasked(&dir.path().join("none")), FileRead::Missing);
        let pipe = dir.path().join("pipe");
        assert!(
            std::process::Command::new("mkfifo")
                .arg(&pipe)
                .status()
                .unwrap()
                .success()
        );
        assert_eq!(failure(&text(&pipe)).class, AgentError::HANGS);
        assert_eq!(find(&pipe), Ok(Found::Other));
        assert_eq!(
            failure(&text(Path::new("/dev/zero"))).class,
            AgentError::HANGS
        );
    }
}

#[test]
fn a_folder_is_listed_by_name_on_request() {
    let dir = tempfile::tempdir().unwrap();
    for name in ["b", "B", "a-1", "é"] {
        fs::create_dir(dir.path().join(name)).unwrap();
    }
    let names: Vec<_> = list(dir.path(), FolderOrder::Name)
        .unwrap()
        .iter()
        .map(|p| p.file_name().unwrap().to_str().unwrap().to_owned())
        .collect();
    assert_eq!(names, ["B", "a-1", "b", "é"]);
    assert_eq!(
        list(&dir.path().join("none"), FolderOrder::Name),
        Ok(vec![])
    );
    let file = dir.path().join("file");
    fs::write(&file, "").unwrap();
    let failed = list(&file, FolderOrder::Name).unwrap_err();
    assert_eq!(failed.class, "NotADirectoryError");
}

#[test]
fn resolving_keeps_an_end_that_is_not_there() {
    let dir = tempfile::tempdir().unwrap();
    let real = fs::canonicalize(dir.path()).unwrap();
    assert_eq!(resolved(&dir.path().join("x/y")), real.join("x/y"));
}

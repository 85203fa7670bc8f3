//! Sources as they are read.

use super::*;

fn source() -> Source {
    let mut tree = Tree::new(Path::new("/w"));
    let file = |text: &str| Entry::File(text.as_bytes().into());
    tree.insert(Path::new("AGENTS.md"), file("a\r\nb"));
    tree.insert(Path::new("bad.md"), Entry::File(b"x\n\xff"[..].into()));
    tree.insert(Path::new("skills/b/SKILL.md"), file("B"));
    tree.insert(Path::new("skills/a-1/SKILL.md"), file("A"));
    tree.insert(Path::new("skills/a/SKILL.md"), file("A"));
    tree.insert(Path::new("skills/c"), Entry::Link("../other/c".into()));
    tree.insert(Path::new("other/c/SKILL.md"), file("C"));
    tree.insert(Path::new("round"), Entry::Link("round".into()));
    tree.insert(Path::new("out"), Entry::Link("../nowhere-at-all".into()));
    Source::tree(Arc::new(tree))
}

#[test]
fn files_folders_and_links_are_found_as_on_a_disk() {
    let source = source();
    let find = |path: &str| source.find(Path::new(path)).unwrap();
    assert_eq!(find("/w"), Found::Folder);
    assert_eq!(find("/w/AGENTS.md"), Found::File(4));
    assert_eq!(find("/w/skills"), Found::Folder);
    assert_eq!(find("/w/skills/c/SKILL.md"), Found::File(1));
    assert_eq!(find("/w/round"), Found::Nothing);
    assert_eq!(find("/w/out"), Found::Nothing);
    assert_eq!(find("/w/AGENTS.md/x"), Found::Nothing);
    assert!(source.is_link(Path::new("/w/skills/c")));
    assert!(!source.is_link(Path::new("/w/skills/a")));
}

#[test]
fn text_is_read_as_from_a_disk() {
    let source = source();
    let text = source.text(Path::new("/w/AGENTS.md"));
    assert_eq!(text.text().unwrap().as_ref(), "a\nb");
    assert_eq!(source.text(Path::new("/w/none")), FileRead::Missing);
    let FileRead::Failed(failure) = source.text(Path::new("/w/bad.md")) else {
        panic!("it is not UTF-8");
    };
    assert_eq!(
        (failure.class, failure.line),
        ("UnicodeDecodeError", Some(2))
    );
    assert!(matches!(
        source.text(Path::new("/w/skills")),
        FileRead::Failed(_)
    ));
    assert_eq!(source.head(Path::new("/w/AGENTS.md"), 1), b"a");
}

#[test]
fn folders_are_listed_once_and_by_name() {
    let source = source();
    let names = source.list(Path::new("/w/skills"), FolderOrder::Directory);
    let names: Vec<String> = names
        .unwrap()
        .iter()
        .map(|path| path.display().to_string())
        .collect();
    let wanted = ["/w/skills/a", "/w/skills/a-1", "/w/skills/b", "/w/skills/c"];
    assert_eq!(names, wanted);
    assert!(
        source
            .list(Path::new("/w/AGENTS.md"), FolderOrder::Name)
            .is_err()
    );
    assert_eq!(
        source.list(Path::new("/w/none"), FolderOrder::Name),
        Ok(vec![])
    );
}

#[test]
fn a_tree_has_the_order_of_the_disk() {
    let dir = tempfile::tempdir().unwrap();
    let mut tree = Tree::new(dir.path());
    for name in ["a", "b", "c", "d", "gone"] {
        if name != "gone" {
            std::fs::create_dir(dir.path().join(name)).unwrap();
        }
        tree.insert(&Path::new(name).join("x"), Entry::File(Arc::default()));
    }
    let source = Source::tree(Arc::new(tree));
    let mut wanted = super::super::list(dir.path(), FolderOrder::Directory).unwrap();
    wanted.push(dir.path().join("gone"));
    let listed = source.list(dir.path(), FolderOrder::Directory).unwrap();
    assert_eq!(listed, wanted);
}

#[test]
fn files_laid_over_a_source_stand_in_place_of_what_is_there() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("AGENTS.md"), "disk").unwrap();
    let at = |name: &str| dir.path().join(name);
    let over = [
        (at("AGENTS.md"), b"over\r\n".to_vec()),
        (at("skills/new/SKILL.md"), b"new".to_vec()),
    ];
    let source = Source::default().with_files(over);
    for source in [source.clone(), source.fenced(dir.path())] {
        let text = source.text(&at("AGENTS.md"));
        assert_eq!(text.text().unwrap().as_ref(), "over\n");
        assert_eq!(source.find(&at("skills")), Ok(Found::Folder));
        assert_eq!(source.find(&at("other")), Ok(Found::Nothing));
        let listed = source.list(&at("skills"), FolderOrder::Name).unwrap();
        assert_eq!(listed, [at("skills/new")]);
        let listed = source.list(dir.path(), FolderOrder::Name).unwrap();
        assert_eq!(listed, [at("AGENTS.md"), at("skills")]);
    }
}

#[test]
fn what_is_outside_the_tree_or_left_to_the_disk_comes_from_there() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("kept.md"), "disk").unwrap();
    let mut tree = Tree::new(dir.path());
    tree.insert(Path::new("kept.md"), Entry::OnDisk);
    let source = Source::tree(Arc::new(tree));
    let text = source.text(&dir.path().join("kept.md"));
    assert_eq!(text.text().unwrap().as_ref(), "disk");
    let other = tempfile::tempdir().unwrap();
    assert_eq!(source.find(other.path()), Ok(Found::Folder));
}

#[test]
fn a_link_that_goes_round_in_circles_raises_where_nobody_asks_first() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    std::os::unix::fs::symlink("loop.md", at("loop.md")).unwrap();
    for source in [Source::default(), Source::default().fenced(dir.path())] {
        let read = source.text_unasked(&at("loop.md"));
        assert!(matches!(read, FileRead::Failed(failure) if failure.path == Some(at("loop.md"))));
        assert_eq!(source.text_unasked(&at("none.md")), FileRead::Missing);
    }
}

#[test]
fn what_is_on_a_shelf_is_behind_every_fence_what_it_was_read_as() {
    let dir = tempfile::tempdir().unwrap();
    let inside = dir.path().join("in");
    std::fs::create_dir(&inside).unwrap();
    std::fs::write(dir.path().join("out.md"), "outside").unwrap();
    std::os::unix::fs::symlink("../out.md", inside.join("a.md")).unwrap();
    let open = Source::default().shelved(&Shelf::default());
    let fenced = open.fenced(&inside);
    for _ in 0..2 {
        assert!(open.text(&inside.join("a.md")).text().is_some());
        assert!(matches!(
            fenced.text(&inside.join("a.md")),
            FileRead::Failed(_)
        ));
    }
    let (first, second) = (
        open.content(&inside.join("a.md")),
        open.content(&inside.join("a.md")),
    );
    let text = |content: &Result<Option<Content>, AgentError>| {
        content.clone().unwrap().unwrap().text().unwrap().clone()
    };
    assert!(
        Arc::ptr_eq(&text(&first), &text(&second)),
        "it is read once"
    );
}

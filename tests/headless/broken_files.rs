//! What the agent would fail on is shown by the class of its exception, and the rest is shown too.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::Path;
use std::process::Command;

use promptscope::prompt::SectionId;
use promptscope::python::Value;

use super::support::{NOW, Run, World, at, finish, list, number, section, text};

/// Makes a FIFO, on which a careless reader waits for ever.
fn fifo(path: &Path) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let _ = fs::remove_file(path);
    let made = Command::new("mkfifo").arg(path).status().unwrap();
    assert!(made.success());
}

/// Demands that one section fails with a class and that the others are there and counted.
fn fails(run: Run, failing: SectionId, class: &str, path: &str) {
    let run = run.exits(1);
    assert!(run.err.contains(class), "{}", run.err);
    assert!(run.err.contains(path), "{}", run.err);
    let report = run.json();
    assert_eq!(text(&report, "error.type"), class);
    assert_eq!(text(&report, "error.path"), path);
    let failed = section(&report, failing);
    assert_eq!(at(failed, "error"), at(&report, "error"));
    assert_eq!(at(failed, "text"), &Value::None);
    for id in SectionId::ALL {
        let section = section(&report, id);
        let is_there = id != failing && id != SectionId::SessionSummary;
        assert_eq!(at(section, "present"), &Value::Bool(is_there), "{id}");
        assert_eq!(number(section, "tokens") > 0, is_there, "{id}");
    }
    assert!(number(&report, "system_prompt.tokens") > 0);
    assert_eq!(list(&report, "messages").len(), 2);
}

#[test]
fn a_folder_in_place_of_a_file() {
    let world = World::small();
    fs::remove_file(world.path("workspace/AGENTS.md")).unwrap();
    fs::create_dir(world.path("workspace/AGENTS.md")).unwrap();
    let run = world.render(&["--format", "json"]);
    fails(
        run,
        SectionId::BootstrapFiles,
        "IsADirectoryError",
        "AGENTS.md",
    );
}

#[test]
fn a_file_that_is_not_utf_8() {
    let world = World::small();
    world.write("workspace/AGENTS.md", b"one\ntwo \xe9\n");
    let run = world.render(&["--format", "json"]);
    assert!(run.err.contains("AGENTS.md:2 is not UTF-8"), "{}", run.err);
    assert_eq!(at(&run.json(), "error.line"), &Value::Int(2.into()));
    fails(
        run,
        SectionId::BootstrapFiles,
        "UnicodeDecodeError",
        "AGENTS.md",
    );
}

#[test]
fn a_file_that_may_not_be_read() {
    let world = World::small();
    let file = world.path("workspace/AGENTS.md");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o000)).unwrap();
    let args = ["render", "workspace", "--now", NOW, "--format", "json"];
    let is_root = fs::metadata(&file).unwrap().uid() == 0;
    let run = if is_root {
        // Root may read everything, so somebody else has to try.
        let Some(setpriv) = ["/usr/bin/setpriv", "/bin/setpriv"]
            .into_iter()
            .find(|path| Path::new(path).exists())
        else {
            return;
        };
        for folder in ["", "home", "workspace"] {
            let everyone = fs::Permissions::from_mode(0o755);
            fs::set_permissions(world.path(folder), everyone).unwrap();
        }
        // The binary may lie where nobody else can go.
        let binary = world.name("promptscope");
        fs::copy(env!("CARGO_BIN_EXE_promptscope"), &binary).unwrap();
        let drop = [
            "--reuid=65534",
            "--regid=65534",
            "--clear-groups",
            "--",
            &binary,
        ];
        finish(world.program(setpriv, &[&drop[..], &args].concat()))
    } else {
        world.run(&args)
    };
    fails(
        run,
        SectionId::BootstrapFiles,
        "PermissionError",
        "AGENTS.md",
    );
}

#[test]
fn a_pipe_is_not_waited_for() {
    for (file, failing) in [
        ("AGENTS.md", Some(SectionId::BootstrapFiles)),
        ("memory/MEMORY.md", Some(SectionId::Memory)),
        ("memory/history.jsonl", Some(SectionId::RecentHistory)),
        ("skills/always/SKILL.md", None),
    ] {
        let world = World::small();
        fifo(&world.path("workspace").join(file));
        let run = world.render(&["--format", "json"]);
        if let Some(failing) = failing {
            fails(run, failing, "Hangs", file);
        } else {
            let report = run.exits(1).json();
            assert_eq!(text(&report, "error.type"), "Hangs");
            assert_eq!(text(&report, "error.path"), file);
            assert!(number(&report, "system_prompt.tokens") > 0);
        }
    }
}

#[test]
fn a_pipe_in_place_of_a_setting_is_not_waited_for() {
    let world = World::small();
    fifo(&world.path("home/.nanobot/config.json"));
    world.render(&[]).exits(0);
    fifo(&world.path("s.json"));
    let run = world.render(&["--scenario", "s.json"]).exits(2);
    assert!(run.err.contains("s.json is a pipe"), "{}", run.err);
    fifo(&world.path("workspace/promptscope.toml"));
    let run = world.render(&[]).exits(2);
    assert!(
        run.err.contains("promptscope.toml is a pipe"),
        "{}",
        run.err
    );
}

#[test]
fn a_session_on_which_the_agent_fails_is_named_with_its_line() {
    let world = World::small();
    for (line, class, kills_summary) in [
        (
            r#"{"_type": "metadata", "metadata": {"_last_summary": {"text": "t"}}}"#,
            "KeyError",
            true,
        ),
        (
            r#"{"_type": "metadata", "metadata": {"_last_summary": {"text": "t", "last_active": "soon"}}}"#,
            "ValueError",
            true,
        ),
        (
            r#"{"_type": "metadata", "metadata": [1]}"#,
            "AttributeError",
            true,
        ),
        (r#"{"content": "nobody's"}"#, "KeyError", false),
    ] {
        let text_of = format!("{{\"role\": \"user\", \"content\": \"hi\"}}\n\n{line}\n");
        world.write("workspace/sessions/cli_x.jsonl", text_of);
        let run = world.render(&["--format", "json", "--session", "cli:x"]);
        let run = run.exits(1);
        assert!(run.err.contains("sessions/cli_x.jsonl:3"), "{}", run.err);
        let report = run.json();
        assert_eq!(text(&report, "error.type"), class, "{line}");
        assert_eq!(text(&report, "error.path"), "sessions/cli_x.jsonl");
        assert_eq!(number(&report, "error.line"), 3);
        let summary = section(&report, SectionId::SessionSummary);
        assert_eq!(at(summary, "error").truth(), kills_summary, "{line}");
        assert!(number(&report, "system_prompt.tokens") > 0);
    }
}

#[test]
fn a_file_named_memory_stops_the_agent_and_kills_that_section() {
    let world = World::small();
    fs::remove_dir_all(world.path("workspace/memory")).unwrap();
    world.write("workspace/memory", "");
    let run = world.render(&["--format", "json"]).exits(1);
    let report = run.json();
    assert_eq!(text(&report, "error.type"), "FileExistsError");
    let memory = section(&report, SectionId::Memory);
    assert_eq!(at(memory, "error"), at(&report, "error"));
}

//! Prompts as files through the binary: `list`, `show`, `assign` and `compile`.

use std::fs;
use std::process::Command;

use promptscope::python::Value;

use super::support::{Run, World, at, list, number, text};

const SETTINGS: &str = r#"
[variables]
limit = 150
shop = { name = "Lantern" }
[compositions.agents-file]
main = "agents"
components = ["rules"]
[experiments.tone]
variants = { warm = "warm", brief = "brief" }
ratio = 0.5
[[compile]]
source = "agents-file"
target = "AGENTS.md"
[[compile]]
source = "tone"
target = "SOUL.md"
variant = "brief"
"#;

fn world() -> World {
    let world = World::empty();
    world.write("workspace/promptscope.toml", SETTINGS);
    world.write("workspace/prompts/agents.md", "---\ndescription: D\n---\n# {{ shop.name }}\n{{component_1}}\n<!-- INCLUDE ./f/end.md -->\n");
    world.write("workspace/prompts/f/end.md", "The end.\n");
    world.write(
        "workspace/prompts/components/rules.md",
        "At most {{limit}}.\n",
    );
    world.write("workspace/prompts/warm.md", "Warm.\n");
    world.write("workspace/prompts/brief.md", "Brief.\n");
    world
}

fn compile(world: &World, more: &[&str]) -> Run {
    world.run(&[&["compile", "workspace"], more].concat())
}

fn read(world: &World, name: &str) -> String {
    fs::read_to_string(world.path(&format!("workspace/{name}"))).unwrap()
}

#[test]
fn targets_are_written_once_and_not_again() {
    let world = world();
    let run = compile(&world, &["--check"]).exits(1);
    assert!(run.out.contains("AGENTS.md: new"), "{}", run.out);
    let run = compile(&world, &["--dry-run"]).exits(0);
    assert!(run.out.contains("+# Lantern"), "{}", run.out);
    assert!(!world.path("workspace/AGENTS.md").exists());
    let run = compile(&world, &[]).exits(0);
    assert_eq!(
        run.out,
        "AGENTS.md: written from agents-file, 11 tokens\nSOUL.md: written from tone brief, 2 tokens\n"
    );
    assert_eq!(
        read(&world, "AGENTS.md"),
        "# Lantern\nAt most 150.\nThe end.\n"
    );
    assert_eq!(read(&world, "SOUL.md"), "Brief.\n");
    let files = ["AGENTS.md", "SOUL.md", "promptscope-manifest.json"];
    let times = || {
        files.map(|name| {
            fs::metadata(world.path(&format!("workspace/{name}")))
                .unwrap()
                .modified()
                .unwrap()
        })
    };
    let before = times();
    compile(&world, &[]).exits(0);
    assert_eq!(times(), before);
    compile(&world, &["--check"]).exits(0);
    // A change in a fragment shows in what includes it.
    world.write("workspace/prompts/f/end.md", "Finis.\n");
    let run = compile(&world, &["--check"]).exits(1);
    assert!(run.out.contains("AGENTS.md: out of date"), "{}", run.out);
    let run = compile(&world, &["--var", "limit=9"]).exits(0);
    assert!(run.out.contains("11 tokens (+0)"), "{}", run.out);
    assert_eq!(read(&world, "AGENTS.md"), "# Lantern\nAt most 9.\nFinis.\n");
}

#[test]
fn hand_edits_are_kept_and_nothing_is_written_beside_them() {
    let world = world();
    world.write("workspace/AGENTS.md", "by hand\n");
    let run = compile(&world, &[]).exits(1);
    assert!(
        run.out.contains("AGENTS.md: there before, left as it is"),
        "{}",
        run.out
    );
    assert!(run.out.ends_with("nothing was written\n"), "{}", run.out);
    assert_eq!(read(&world, "AGENTS.md"), "by hand\n");
    assert!(!world.path("workspace/SOUL.md").exists(), "all or none");
    compile(&world, &["--force"]).exits(0);
    assert!(read(&world, "AGENTS.md").starts_with("# Lantern"));
    world.write("workspace/SOUL.md", "mine\n");
    compile(&world, &[]).exits(1);
    assert_eq!(read(&world, "SOUL.md"), "mine\n");
}

#[test]
fn faults_are_named_with_their_place_and_nothing_is_written() {
    for (path, source, wanted) in [
        (
            "agents.md",
            "<!-- INCLUDE none.md -->\n",
            "error: agents.md:1: there is no none.md to include",
        ),
        (
            "agents.md",
            "x\n<!-- INCLUDE ../AGENTS.md -->\n",
            "error: agents.md:2: ../AGENTS.md is outside",
        ),
        (
            "f/end.md",
            "<!-- INCLUDE ../agents.md -->\n",
            "agents.md > f/end.md > agents.md",
        ),
    ] {
        let world = world();
        world.write(&format!("workspace/prompts/{path}"), source);
        let run = compile(&world, &[]).exits(1);
        assert!(run.out.contains(wanted), "{}", run.out);
        assert!(!world.path("workspace/AGENTS.md").exists());
    }
    let bad = world();
    bad.write("workspace/prompts/f/end.md", b"\xff");
    let run = compile(&bad, &[]).exits(1);
    assert!(
        run.out.contains("agents.md:6: the file is not UTF-8"),
        "{}",
        run.out
    );
    let undefined = world();
    undefined.write("workspace/prompts/f/end.md", "{{ nobody }}\n");
    let run = compile(&undefined, &[]).exits(0);
    assert!(
        run.out
            .contains("warning: f/end.md:1: the variable \"nobody\" has no value"),
        "{}",
        run.out
    );
    assert!(read(&undefined, "AGENTS.md").contains("{{ nobody }}"));
}

/// Writes what compiles to a small target and then to one of about a megabyte.
fn world_with_a_large_target() -> World {
    let world = world();
    world.write(
        "workspace/prompts/brief.md",
        "Brief and long.\n".repeat(70_000),
    );
    compile(&world, &["--encoding", "r50k_base"]).exits(0);
    world.write("workspace/prompts/f/end.md", "Finis.\n");
    world.write(
        "workspace/prompts/brief.md",
        "Longer than before.\n".repeat(70_000),
    );
    world
}

#[test]
#[cfg(unix)]
fn a_disk_that_is_full_in_the_middle_leaves_every_file_whole() {
    let world = world_with_a_large_target();
    let files = ["AGENTS.md", "SOUL.md", "promptscope-manifest.json"];
    let before = files.map(|name| read(&world, name));
    // A limit on the size of files fails the write of the second target as a full disk would.
    let program = env!("CARGO_BIN_EXE_promptscope");
    let script = format!(
        "trap '' XFSZ; ulimit -f 200; exec {program} compile workspace --encoding r50k_base"
    );
    let run = super::support::finish(world.program("/bin/sh", &["-c", &script])).exits(2);
    assert!(run.err.contains("SOUL.md cannot be written"), "{}", run.err);
    assert_eq!(files.map(|name| read(&world, name)), before);
    let left = fs::read_dir(world.path("workspace")).unwrap();
    let left = left.filter(|entry| {
        let name = entry.as_ref().unwrap().file_name();
        name.to_string_lossy().starts_with(".promptscope-")
    });
    assert_eq!(left.count(), 0, "nothing half written is left");
}

#[test]
#[cfg(unix)]
fn a_target_that_is_read_only_is_left_and_so_are_the_others() {
    use std::os::unix::fs::PermissionsExt as _;
    let world = world();
    compile(&world, &[]).exits(0);
    world.write("workspace/prompts/f/end.md", "Finis.\n");
    world.write("workspace/prompts/brief.md", "Briefer.\n");
    let mode = |mode| fs::Permissions::from_mode(mode);
    fs::set_permissions(world.path("workspace/SOUL.md"), mode(0o444)).unwrap();
    let run = compile(&world, &[]).exits(2);
    assert!(run.err.contains("SOUL.md cannot be written"), "{}", run.err);
    assert!(read(&world, "AGENTS.md").ends_with("The end.\n"));
    fs::set_permissions(world.path("workspace/SOUL.md"), mode(0o644)).unwrap();
    compile(&world, &[]).exits(0);
    assert!(read(&world, "AGENTS.md").ends_with("Finis.\n"));
}

#[test]
fn targets_that_must_not_be_written_are_refused() {
    let world = world();
    fs::create_dir(world.path("workspace/AGENTS.md")).unwrap();
    let run = compile(&world, &["--force"]).exits(2);
    assert!(run.err.contains("is a folder"), "{}", run.err);
    fs::remove_dir(world.path("workspace/AGENTS.md")).unwrap();
    #[cfg(unix)]
    {
        world.write("elsewhere.md", "theirs");
        std::os::unix::fs::symlink(
            world.path("elsewhere.md"),
            world.path("workspace/AGENTS.md"),
        )
        .unwrap();
        let run = compile(&world, &["--force"]).exits(2);
        assert!(run.err.contains("is a link"), "{}", run.err);
        assert_eq!(
            fs::read_to_string(world.path("elsewhere.md")).unwrap(),
            "theirs"
        );
    }
    for target in ["../AGENTS.md", "/tmp/AGENTS.md", ""] {
        let settings = format!("[[compile]]\nsource = \"warm\"\ntarget = \"{target}\"\n");
        world.write("workspace/promptscope.toml", settings);
        let run = compile(&world, &[]).exits(2);
        assert!(run.err.contains("below the workspace"), "{}", run.err);
    }
    world.write("workspace/promptscope.toml", "");
    let run = compile(&world, &[]).exits(2);
    assert!(run.err.contains("nothing to compile"), "{}", run.err);
}

#[test]
fn targets_that_take_each_others_place_or_are_no_prompts_are_refused() {
    let world = world();
    let one = |source: &str, target: &str| {
        format!("[[compile]]\nsource = \"{source}\"\ntarget = \"{target}\"\n")
    };
    for (settings, wanted) in [
        (
            one("warm", "AGENTS.md") + &one("brief", "agents.md"),
            "promptscope.toml:6: `compile.2.target` is that of number 1",
        ),
        (one("warm", "promptscope.toml"), "must be a Markdown file"),
        (
            one("warm", ".git/hooks/post-checkout"),
            "must be a Markdown file",
        ),
        (
            one("warm", "A.md") + "variant = \"x\"\n",
            "`compile.1.variant` names \"x\"",
        ),
    ] {
        world.write("workspace/promptscope.toml", settings);
        let run = compile(&world, &["--force"]).exits(2);
        assert!(run.err.contains(wanted), "{}", run.err);
    }
    world.write(
        "workspace/promptscope.toml",
        one("warm", "prompts/brief.md"),
    );
    let run = compile(&world, &["--force"]).exits(2);
    assert!(run.err.contains("where the sources are"), "{}", run.err);
    assert_eq!(read(&world, "prompts/brief.md"), "Brief.\n");
}

#[test]
#[cfg(unix)]
fn what_is_no_file_is_not_replaced() {
    let world = world();
    let pipe = Command::new("mkfifo")
        .arg(world.path("workspace/AGENTS.md"))
        .status();
    assert!(pipe.unwrap().success());
    let run = compile(&world, &["--force"]).exits(2);
    assert!(run.err.contains("AGENTS.md is no file"), "{}", run.err);
    fs::remove_file(world.path("workspace/AGENTS.md")).unwrap();
    let manifest = world.path("workspace/promptscope-manifest.json");
    std::os::unix::fs::symlink(world.path("elsewhere.json"), manifest).unwrap();
    let run = compile(&world, &[]).exits(2);
    assert!(
        run.err.contains("promptscope-manifest.json is a link"),
        "{}",
        run.err
    );
}

#[test]
fn weights_that_do_not_add_up_are_named() {
    let world = world();
    for (experiment, wanted) in [
        (
            "variants = { a = 'x', b = 'y' }\nweights = { a = 0.5, b = 0.2 }",
            "add up to 0.7",
        ),
        (
            "variants = { a = 'x', b = 'y' }\nweights = { a = 1.0 }",
            "no weight for b",
        ),
        (
            "variants = { a = 'x', b = 'y', c = 'z' }\nratio = 0.5",
            "give weights",
        ),
        (
            "variants = { a = 'x', b = 'y' }\nratio = 1.5",
            "shares are from 0 to 1",
        ),
        ("variants = {}", "has no variants"),
    ] {
        world.write(
            "workspace/promptscope.toml",
            format!("[experiments.tone]\n{experiment}\n"),
        );
        let run = world.run(&["list", "workspace"]).exits(2);
        assert!(
            run.err.contains("promptscope.toml:1: `experiments.tone`") && run.err.contains(wanted),
            "{}",
            run.err
        );
    }
}

#[test]
fn prompts_are_listed_and_shown_with_where_each_line_comes_from() {
    let world = world();
    let report = world
        .run(&["list", "workspace", "--format", "json"])
        .exits(0)
        .json();
    let Value::List(prompts) = &report else {
        panic!("it is a list");
    };
    let names: Vec<&str> = prompts.iter().map(|prompt| text(prompt, "name")).collect();
    assert_eq!(
        names,
        [
            "agents-file",
            "tone",
            "tone",
            "agents",
            "brief",
            "components/rules",
            "f/end",
            "warm",
        ]
    );
    assert_eq!(text(&prompts[0], "description"), "D");
    assert_eq!(text(&prompts[2], "variant"), "brief");
    world.write(
        "workspace/prompts/warm.md",
        "---\nbudget: 1\n---\nWarm and kind.\n",
    );
    let run = world.run(&["list", "workspace"]).exits(0);
    assert!(run.out.contains("over its budget of 1"), "{}", run.out);
    world.write("workspace/prompts/warm.md", "Warm.\n");
    let shown = world
        .run(&["show", "agents-file", "workspace", "--format", "json"])
        .exits(0)
        .json();
    assert_eq!(text(&shown, "text"), "# Lantern\nAt most 150.\nThe end.\n");
    let lines = list(&shown, "lines");
    let places: Vec<(&str, usize)> = lines
        .iter()
        .map(|line| (text(line, "path"), number(line, "line")))
        .collect();
    assert_eq!(
        places,
        [
            ("agents.md", 4),
            ("components/rules.md", 1),
            ("f/end.md", 1)
        ]
    );
    let variables = list(&shown, "variables");
    assert_eq!(
        (text(&variables[1], "name"), text(&variables[1], "value")),
        ("limit", "150")
    );
    let brief = world
        .run(&["show", "tone", "workspace", "--variant", "brief"])
        .exits(0);
    assert_eq!(brief.out, "Brief.\n");
    let missing = world.run(&["show", "none", "workspace"]).exits(1);
    assert!(missing.err.contains("prompts/none.md"), "{}", missing.err);
    let dated = world.run(&[
        "show",
        "warm",
        "workspace",
        "--now",
        "2026-06-19T02:30:00Z",
        "--local-timezone",
        "UTC",
    ]);
    assert_eq!(dated.out, "Warm.\n");
    world.write(
        "workspace/prompts/warm.md",
        "{{ current_date }} {{current_weekday}}\n",
    );
    let dated = world.run(&[
        "show",
        "warm",
        "workspace",
        "--now",
        "2026-06-19T23:30:00Z",
        "--timezone",
        "Asia/Tokyo",
    ]);
    assert_eq!(dated.out, "2026-06-20 Saturday\n");
}

#[test]
fn ids_are_assigned_and_movers_are_told() {
    let world = world();
    let run = world
        .run(&[
            "assign",
            "tone",
            "user_abc",
            "mei",
            "--workspace",
            "workspace",
            "--weights",
            "0,1",
        ])
        .exits(0);
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!(lines, ["user_abc\tbrief", "mei\twarm -> brief"]);
    let run = world
        .run(&["assign", "tune", "x", "--workspace", "workspace"])
        .exits(2);
    assert!(run.err.contains("did you mean \"tone\"?"), "{}", run.err);
    world
        .run(&[
            "assign",
            "tone",
            "x",
            "--workspace",
            "workspace",
            "--weights",
            "0.5",
        ])
        .exits(2);
    for weights in ["nan,nan", "-1,2"] {
        let weights = format!("--weights={weights}");
        world
            .run(&["assign", "tone", "x", "--workspace", "workspace", &weights])
            .exits(2);
    }
}

#[test]
fn an_old_state_is_compiled_from_its_revision() {
    let world = world();
    let git = |args: &[&str]| {
        let run = Command::new("git")
            .args(["-c", "user.name=t", "-c", "user.email=t@example.org"])
            .args(args)
            .current_dir(world.path("workspace"))
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .output()
            .unwrap();
        assert!(run.status.success(), "{run:?}");
    };
    git(&["init", "-q"]);
    git(&["add", "-A"]);
    git(&["commit", "-q", "-m", "first"]);
    world.write("workspace/prompts/f/end.md", "Finis.\n");
    compile(&world, &[]).exits(0);
    let manifest =
        promptscope::python::json::loads(&read(&world, "promptscope-manifest.json")).unwrap();
    assert_eq!(at(&manifest, "dirty"), &Value::Bool(true));
    assert_eq!(text(&manifest, "commit").len(), 40);
    compile(&world, &["--rev", "HEAD"]).exits(0);
    assert!(read(&world, "AGENTS.md").ends_with("The end.\n"));
    compile(&world, &["--rev", "none"]).exits(2);
}

#[test]
fn the_folder_of_prompts_is_named_by_settings_and_environment() {
    let mut world = world();
    world.write("workspace/other/only.md", "Only.\n");
    world.write(
        "workspace/promptscope.toml",
        "[prompts]\nfolder = \"other\"\n",
    );
    let run = world.run(&["list", "workspace"]).exits(0);
    assert_eq!(run.out.lines().count(), 1, "{}", run.out);
    world.write("third/a.md", "A\n");
    world.write("third/b.md", "B\n");
    world.set("PROMPTSCOPE_PROMPTS", world.name("third"));
    let run = world.run(&["list", "workspace"]).exits(0);
    assert_eq!(run.out.lines().count(), 2, "{}", run.out);
}

//! `check` through the binary: exit codes, forms, several workspaces, the ratchet, what cannot be.

use std::fs;

use promptscope::python::Value;

use super::support::{World, at, list, number, text};

/// A workspace in which nothing is wrong.
fn healthy() -> World {
    let world = World::empty();
    world.write(
        "workspace/AGENTS.md",
        "# Rules\n\nAnswer in one sentence.\n",
    );
    world
}

const CHECK: [&str; 4] = ["check", "workspace", "--skill-order", "name"];

fn check(world: &World, more: &[&str]) -> super::support::Run {
    world.run(&[&CHECK[..], more].concat())
}

#[test]
fn a_healthy_workspace_has_no_finding() {
    let run = check(&healthy(), &[]).exits(0);
    assert_eq!(run.out.lines().count(), 1, "{}", run.out);
    assert!(
        run.out.contains("0 errors, 0 warnings, 0 notes"),
        "{}",
        run.out
    );
    assert_eq!(run.err, "");
}

#[test]
fn severities_decide_the_exit_code() {
    let world = healthy();
    world.write("workspace/USER.md", "TODO: tell who I am\n");
    check(&world, &[]).exits(0);
    let run = check(&world, &["--fail-on", "warning"]).exits(1);
    assert!(
        run.out.contains("workspace/USER.md:1:1: warning: "),
        "{}",
        run.out
    );
    world.write(
        "workspace/promptscope.toml",
        "[lint]\nplaceholder-text = \"error\"\n",
    );
    check(&world, &[]).exits(1);
    world.write(
        "workspace/promptscope.toml",
        "[lint]\nplaceholder-text = \"note\"\n",
    );
    check(&world, &["--fail-on", "warning"]).exits(0);
    check(&world, &["--fail-on", "note"]).exits(1);
    world.write(
        "workspace/promptscope.toml",
        "[lint.paths.\"USER.md\"]\nplaceholder-text = \"off\"\n",
    );
    check(&world, &["--fail-on", "note"]).exits(0);
    world.write(
        "workspace/promptscope.toml",
        "[lint]\nplaceholder = \"error\"\n",
    );
    let run = check(&world, &[]).exits(2);
    assert!(
        run.err.contains("`lint.placeholder`") && run.err.contains("placeholder-text"),
        "{}",
        run.err
    );
}

#[test]
fn errors_fail_and_are_told_in_every_form() {
    let world = healthy();
    world.write("workspace/SOUL.md", "a\n漢\u{202e}b\n");
    let report = check(&world, &["--format", "json"]).exits(1).json();
    let found = &list(&list(&report, "workspaces")[0], "findings")[0];
    assert_eq!(text(found, "rule"), "bidirectional-characters");
    assert_eq!((number(found, "line"), number(found, "column")), (2, 2));
    assert_eq!(text(found, "path"), "SOUL.md");
    assert_eq!(number(&report, "summary.errors"), 1);
    // `render` tells the same.
    let rendered = world.report(&[]);
    assert_eq!(&list(&rendered, "findings")[0], found);
    let github = check(&world, &["--format", "github"]).exits(1).out;
    assert!(
        github.starts_with(
            "::error file=workspace/SOUL.md,line=2,col=2,title=bidirectional-characters::"
        ),
        "{github}"
    );
    let sarif = check(&world, &["--format", "sarif"]).exits(1).json();
    let run = &list(&sarif, "runs")[0];
    let result = &list(run, "results")[0];
    assert_eq!(text(result, "level"), "error");
    let place = at(&list(result, "locations")[0], "physicalLocation");
    assert_eq!(text(place, "artifactLocation.uri"), "workspace/SOUL.md");
    assert_eq!(number(place, "region.startColumn"), 2);
    let junit = check(&world, &["--format", "junit"]).exits(1).out;
    assert!(junit.contains("failures=\"1\""), "{junit}");
    assert!(junit.contains("workspace/SOUL.md:2:2: error"), "{junit}");
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let world = World::small();
    for form in ["human", "json", "sarif", "junit", "github"] {
        let runs = [0, 1, 2].map(|_| check(&world, &["--format", form]).out);
        assert!(runs.windows(2).all(|pair| pair[0] == pair[1]), "{form}");
    }
}

#[test]
fn several_workspaces_are_checked_in_their_order() {
    let world = healthy();
    for name in ["c", "a", "b"] {
        world.write(&format!("{name}/AGENTS.md"), "TODO\n");
    }
    let run = world
        .run(&["check", "c", "a", "b", "workspace", "--skill-order", "name"])
        .exits(0);
    let names: Vec<&str> = run
        .out
        .lines()
        .filter_map(|line| line.split_once(": prompt ").map(|it| it.0))
        .collect();
    assert_eq!(names, ["c", "a", "b", "workspace"]);
    assert!(run.out.contains("4 workspaces"), "{}", run.out);
    // One that cannot be read hides none of the others.
    let run = world
        .run(&["check", "nowhere", "c", "--skill-order", "name"])
        .exits(2);
    assert!(
        run.err.contains("nowhere") && run.out.contains("c/AGENTS.md:1:1"),
        "{}",
        run.out
    );
}

#[test]
fn growth_beyond_what_is_recorded_fails_and_savings_are_told() {
    let world = healthy();
    let file = world.path("workspace/promptscope-baseline.json");
    let run = check(&world, &["--update-baseline"]).exits(0);
    assert!(run.out.contains("recorded in"), "{}", run.out);
    let recorded = fs::read(&file).unwrap();
    check(&world, &["--update-baseline"]).exits(0);
    assert_eq!(fs::read(&file).unwrap(), recorded);
    check(&world, &[]).exits(0);
    world.write(
        "workspace/AGENTS.md",
        "# Rules\n\nAnswer in one sentence, and a good one.\n",
    );
    let run = check(&world, &[]).exits(1);
    assert!(run.out.contains("more than were recorded"), "{}", run.out);
    world.write("workspace/promptscope.toml", "[check]\ntolerance = 0.5\n");
    check(&world, &[]).exits(0);
    world.write("workspace/AGENTS.md", "# Rules\n");
    let run = check(&world, &[]).exits(0);
    assert!(run.out.contains("fewer than were recorded"), "{}", run.out);
    // One of another encoding cannot be compared, and one that is broken is not passed over.
    let run = check(&world, &["--encoding", "cl100k_base"]).exits(2);
    assert!(
        run.err.contains("o200k_base") && run.err.contains("--update-baseline"),
        "{}",
        run.err
    );
    world.write("workspace/promptscope-baseline.json", "{");
    let run = check(&world, &[]).exits(2);
    assert!(run.err.contains("it is no JSON"), "{}", run.err);
    // Only what holds recorded tokens is replaced, and only below the workspace.
    check(&world, &["--update-baseline"]).exits(2);
    fs::remove_file(&file).unwrap();
    fs::create_dir(&file).unwrap();
    let run = check(&world, &["--update-baseline"]).exits(2);
    assert!(run.err.contains("holds no recorded tokens"), "{}", run.err);
    for name in ["AGENTS.md", "../out.json", "/tmp/out.json"] {
        world.write(
            "workspace/promptscope.toml",
            format!("[check]\nbaseline = \"{name}\"\n"),
        );
        check(&world, &["--update-baseline"]).exits(2);
    }
    assert_eq!(
        fs::read_to_string(world.path("workspace/AGENTS.md")).unwrap(),
        "# Rules\n"
    );
    let left = fs::read_dir(world.path("workspace")).unwrap().count();
    assert_eq!(left, 3, "nothing is left beside it");
}

#[test]
fn what_a_cache_would_lose_and_what_would_save_most() {
    let world = World::small();
    let report = check(&world, &["--format", "json", "--cache", "--advise"]).json();
    let workspace = &list(&report, "workspaces")[0];
    let losses = list(workspace, "cache");
    assert_eq!(losses.len(), 5);
    let later = at(&losses[0], "first_difference");
    assert_eq!(at(later, "section"), &Value::None);
    assert!(number(later, "lost_tokens") < number(&losses[0], "request_tokens"));
    let advice = list(workspace, "advice");
    let saves: Vec<usize> = advice.iter().map(|it| number(it, "saves")).collect();
    assert!(saves.is_sorted_by(|a, b| a >= b), "{saves:?}");
    let human = check(&world, &["--cache"]).out;
    assert!(
        human.contains("cache: one minute later: differs in the user's message"),
        "{human}"
    );
}

#[test]
fn a_model_without_a_public_vocabulary_has_an_estimate_that_says_so() {
    let world = healthy();
    world.write(
        "workspace/promptscope.toml",
        "[tokens]\nmodel = \"claude-opus-4\"\n",
    );
    let report = check(&world, &["--format", "json"]).exits(0).json();
    let prompt = at(&list(&report, "workspaces")[0], "system_prompt");
    let agent = number(prompt, "agent_tokens");
    assert_eq!(number(prompt, "estimate.low"), agent * 118 / 100);
    assert_eq!(number(prompt, "estimate.high"), agent * 153 / 100);
    let run = check(&world, &[]).exits(0);
    assert!(
        run.out
            .contains("estimate: the vocabulary of claude-opus-4 is not public"),
        "{}",
        run.out
    );
    let render = world.render(&[]);
    assert!(render.err.contains("is not public"), "{}", render.err);
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let world = healthy();
    let script =
        r#""$0" check workspace --format sarif | head -c 1 > /dev/null; echo "${PIPESTATUS[0]}""#;
    let program = env!("CARGO_BIN_EXE_promptscope");
    let run = super::support::finish(world.program(
        "/bin/bash",
        &["-c", &format!("PATH=/usr/bin:/bin; {script}"), program],
    ));
    assert!(
        ["0", "141"].contains(&run.out.trim()),
        "{} {}",
        run.out,
        run.err
    );
    assert_eq!(run.err, "");
}

#[test]
fn what_a_terminal_or_a_workflow_would_obey_is_marked() {
    let world = healthy();
    world.write("workspace/SOUL.md", "{{ \u{1b}[31m\u{8} }}\n");
    world.write("workspace/skills/nl\n::error::x\u{1b}[31m/skill.md", "x\n");
    for form in ["human", "github"] {
        let out = check(&world, &["--format", form]).out;
        assert!(!out.contains('\u{1b}') && !out.contains('\u{8}'), "{out:?}");
        assert!(
            out.lines().all(|line| !line.starts_with("::error::x")),
            "{out:?}"
        );
    }
}

#[test]
fn the_rules_are_listed() {
    let run = World::empty().run(&["check", "--rules"]).exits(0);
    assert!(run.out.lines().count() > 40);
    assert!(run.out.contains("over-budget"), "{}", run.out);
}

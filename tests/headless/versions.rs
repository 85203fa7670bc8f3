//! Versions of prompts and what other programs get of them: `log`, `compile --rev`, `export`, variables of
//! scenarios.

use std::process::Command;

use promptscope::python::{Value, json};

use super::support::{World, at, list, text};

const SETTINGS: &str = r#"[variables]
limit = 150
shop = { name = "Lantern" }
[compositions.whole]
main = "agents"
components = ["rules"]
[experiments.tone]
variants = { warm = "warm", brief = "brief" }
[[compile]]
source = "whole"
target = "AGENTS.md"
"#;

fn world() -> World {
    let world = World::empty();
    world.write("workspace/promptscope.toml", SETTINGS);
    world.write(
        "workspace/prompts/agents.md",
        "{{ shop.name }}\n{{component_1}}\n",
    );
    world.write(
        "workspace/prompts/components/rules.md",
        "At most {{limit}}.\n",
    );
    world.write("workspace/prompts/warm.md", "Warm.\n");
    world.write("workspace/prompts/brief.md", "Brief.\n");
    world
}

fn git(world: &World, args: &[&str]) {
    let run = Command::new("git")
        .args(["-c", "user.name=t", "-c", "user.email=t@example.org"])
        .args(args)
        .current_dir(world.path("workspace"))
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .output()
        .unwrap();
    assert!(run.status.success(), "{run:?}");
}

fn commit(world: &World, message: &str) {
    git(world, &["add", "-A"]);
    git(world, &["commit", "-q", "-m", message]);
}

#[test]
fn the_log_lists_the_commits_that_changed_the_built_text() {
    let world = world();
    git(&world, &["init", "-q"]);
    commit(&world, "first");
    world.write("workspace/AGENTS.md", "something else\n");
    commit(&world, "not about prompts");
    world.write("workspace/prompts/warm.md", "Warmer.\n");
    commit(&world, "another prompt");
    world.write(
        "workspace/prompts/components/rules.md",
        "At most {{limit}}, never more.\n",
    );
    commit(&world, "a component");
    world.write(
        "workspace/promptscope.toml",
        SETTINGS
            .replace("150", "one hundred and fifty")
            .replace("= one hundred and fifty", "= \"one hundred and fifty\""),
    );
    commit(&world, "a value");
    let run = world.run(&["log", "whole", "workspace"]).exits(0);
    let subjects: Vec<&str> = run
        .out
        .lines()
        .map(|line| line.rsplit("  ").next().unwrap())
        .collect();
    assert_eq!(subjects, ["a value", "a component", "first"], "{}", run.out);
    let report = world
        .run(&[
            "log",
            "whole",
            "workspace",
            "--format",
            "json",
            "--limit",
            "2",
        ])
        .exits(0)
        .json();
    let Value::List(commits) = &report else {
        panic!("it is a list");
    };
    let texts: Vec<&str> = commits.iter().map(|it| text(it, "text")).collect();
    let wanted = [
        "Lantern\nAt most one hundred and fifty, never more.\n",
        "Lantern\nAt most 150, never more.\n",
    ];
    assert_eq!(texts, wanted);
    assert_eq!(at(&commits[0], "before"), at(&commits[1], "tokens"));
    // The old state comes back with the settings that it had.
    world
        .run(&["compile", "workspace", "--force", "--rev", "HEAD~1"])
        .exits(0);
    let agents = std::fs::read_to_string(world.path("workspace/AGENTS.md")).unwrap();
    assert_eq!(agents, wanted[1]);
    let manifest = std::fs::read_to_string(world.path("workspace/promptscope-manifest.json"));
    let manifest = json::loads(&manifest.unwrap()).unwrap();
    assert_eq!(text(&manifest, "commit"), text(&commits[1], "commit"));
    assert_eq!(at(&manifest, "dirty"), &Value::Bool(false));

    // What is on the disk and in no commit stands first; a compiled file stands for its source.
    world.write(
        "workspace/prompts/components/rules.md",
        "At most {{limit}}, ever.\n",
    );
    let run = world
        .run(&["log", "AGENTS.md", "workspace", "--limit", "1"])
        .exits(0);
    assert!(run.out.contains("not committed"), "{}", run.out);
    commit(&world, "ever");

    let missing = world.run(&["log", "nobody", "workspace"]).exits(2);
    assert!(
        missing.err.contains("no commit holds a prompt \"nobody\""),
        "{}",
        missing.err
    );
    std::fs::remove_file(world.path("workspace/prompts/warm.md")).unwrap();
    commit(&world, "without it");
    let run = world.run(&["log", "warm", "workspace"]).exits(0);
    assert!(
        run.out.lines().next().unwrap().contains("gone"),
        "{}",
        run.out
    );
    let bare = World::small();
    let run = bare.run(&["log", "x", "workspace"]).exits(2);
    assert!(run.err.contains("in no git repository"), "{}", run.err);
}

#[test]
fn an_export_holds_prompts_variables_variants_and_scenarios() {
    let world = world();
    world.write(
        "workspace/scenarios/hello.toml",
        "message = \"Hello {{ there }}\"\nchannel = \"email\"\n",
    );
    world.write(
        "workspace/prompts/odd.md",
        "{{ limit }} {{ unknown }} {% x %} {# y #}\n```j verbatim\n{{ limit }}\n```\n",
    );
    let run = world.run(&["export", "promptfoo", "workspace"]).exits(0);
    let config = run.json();
    let prompts = list(&config, "prompts");
    let labels: Vec<&str> = prompts.iter().map(|it| text(it, "label")).collect();
    assert_eq!(
        labels,
        [
            "what the agent sends",
            "whole",
            "tone warm",
            "tone brief",
            "odd"
        ]
    );
    let system = |index: usize| {
        let messages = json::loads(text(&prompts[index], "raw")).unwrap();
        let Value::List(messages) = messages else {
            panic!("it is a list");
        };
        text(&messages[0], "content").to_owned()
    };
    assert_eq!(
        system(1),
        "{{ variables.shop.name }}\nAt most {{ variables.limit }}.\n"
    );
    assert_eq!(
        system(4),
        "{{ variables.limit }} {{ '{{' }} unknown }} {{ '{%' }} x %} {{ '{#' }} y {{ '#}' }}\n```j\n{{ '{{' }} limit }}\n```\n"
    );
    let variables = at(&config, "defaultTest.vars.variables");
    assert_eq!(text(variables, "shop.name"), "Lantern");
    assert_eq!(text(variables, "limit"), "150");
    let tests = list(&config, "tests");
    assert_eq!(text(&tests[1], "description"), "hello");
    assert_eq!(text(&tests[1], "vars.turn.message"), "Hello {{ there }}");
    let scenario = world.name("workspace/scenarios/hello.toml");
    let sent = world.run(&[
        "render",
        "workspace",
        "--format",
        "messages",
        "--scenario",
        &scenario,
    ]);
    let Value::List(messages) = sent.exits(0).json() else {
        panic!("it is a list");
    };
    assert_eq!(
        text(&tests[1], "vars.turn.system_prompt"),
        text(&messages[0], "content")
    );
}

#[test]
fn values_come_from_settings_scenario_and_command_line_in_this_order() {
    let world = world();
    let scenario = world.write(
        "workspace/scenarios/s.json",
        "{\"variables\": {\"limit\": 7, \"shop\": {\"name\": \"Moon\"}}}",
    );
    let scenario = scenario.display().to_string();
    let show = |more: &[&str]| {
        let args = [&["show", "whole", "workspace", "--format", "json"], more].concat();
        let shown = world.run(&args).exits(0).json();
        let origins: Vec<String> = list(&shown, "variables")
            .iter()
            .map(|it| text(it, "origin").to_owned())
            .collect();
        (text(&shown, "text").to_owned(), origins)
    };
    let (built, origins) = show(&[]);
    assert_eq!(built, "Lantern\nAt most 150.\n");
    assert_eq!(origins, ["settings", "settings"]);
    let (built, origins) = show(&["--scenario", &scenario, "--var", "limit=9"]);
    assert_eq!(built, "Moon\nAt most 9.\n");
    assert_eq!(origins, ["scenario", "command line"]);
    world.write(
        "workspace/scenarios/bad.json",
        "{\"variables\": {\"a\": [1]}}",
    );
    let bad = world.name("workspace/scenarios/bad.json");
    let run = world
        .run(&["show", "whole", "workspace", "--scenario", &bad])
        .exits(2);
    assert!(
        run.err.contains("`variables.a` must be text"),
        "{}",
        run.err
    );
}

#[test]
fn an_experiment_is_shown_as_the_sender_gets_it() {
    let world = world();
    let sender = world
        .run(&["show", "tone", "workspace", "--sender", "mei"])
        .exits(0);
    assert_eq!(sender.out, "Warm.\n");
    assert!(
        sender.err.contains("the variant warm, which mei gets"),
        "{}",
        sender.err
    );
    let any = world.run(&["show", "tone", "workspace"]).exits(0);
    assert!(
        any.err.contains("at random, since no sender is named"),
        "{}",
        any.err
    );
    assert!(
        ["Warm.\n", "Brief.\n"].contains(&any.out.as_str()),
        "{}",
        any.out
    );
    let none = world
        .run(&["show", "tone", "workspace", "--variant", "x"])
        .exits(1);
    assert!(none.err.contains("has no variant \"x\""), "{}", none.err);
    std::fs::remove_file(world.path("workspace/prompts/brief.md")).unwrap();
    let first = world
        .run(&["show", "tone", "workspace", "--variant", "brief"])
        .exits(0);
    assert_eq!(first.out, "Warm.\n");
    assert!(
        first.err.contains("the first variant stands for it"),
        "{}",
        first.err
    );
}

#[test]
fn the_last_turns_alone_are_kept_where_the_settings_say_so() {
    let world = World::small();
    let message =
        |role: &str, text: String| format!("{{\"role\": \"{role}\", \"content\": \"{text}\"}}\n");
    let turn = |n: usize| message("user", format!("q{n}")) + &message("assistant", format!("a{n}"));
    let messages = [1, 2, 3, 4].map(turn).concat();
    world.write("workspace/sessions/cli_x.jsonl", messages);
    let contents = |world: &World| {
        let report = world.report(&["--session", "cli:x", "--message", "now"]);
        let messages = list(&report, "messages");
        let inner = messages[1..messages.len() - 1].iter();
        inner
            .map(|it| text(it, "content").to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(contents(&world).len(), 8);
    world.write(
        "workspace/promptscope.toml",
        "[turn]\nmax_history_turns = 2\n",
    );
    assert_eq!(contents(&world), ["q3", "a3", "q4", "a4"]);
    let run = world.render(&["--session", "cli:x"]).exits(0);
    assert!(
        run.err.contains("the last 2 turns of the session are kept"),
        "{}",
        run.err
    );
}

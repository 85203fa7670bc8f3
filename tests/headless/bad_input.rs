//! Bad input is named, with what to do about it, and nothing is printed in its place.

use super::support::World;

/// Demands that a run is refused: with 2, all of these words, a way out, and no output.
fn refused(world: &World, args: &[&str], words: &[&str]) {
    let run = world.run(args).exits(2);
    assert_eq!(run.out, "", "{args:?}");
    for word in words {
        assert!(run.err.contains(word), "{args:?}: {word:?}: {}", run.err);
    }
    let has_hint = run.err.contains("\n  hint: ") || run.err.contains("try '--help'");
    assert!(has_hint, "{args:?}: {}", run.err);
    assert!(!run.err.contains("panicked"), "{args:?}: {}", run.err);
}

#[test]
fn a_workspace_must_be_a_folder_that_is_there() {
    let world = World::empty();
    world.write("file", "");
    for command in [&["render"][..], &[]] {
        let with = |path| [command, &[path]].concat();
        refused(&world, &with("none"), &["none is not there", "AGENTS.md"]);
        refused(&world, &with("file"), &["file is a file", "AGENTS.md"]);
    }
}

#[test]
fn without_a_workspace_the_current_folder_must_be_one() {
    let world = World::empty();
    let here = world.name("");
    let here = here.trim_end_matches('/');
    for args in [&["render"][..], &[]] {
        refused(&world, args, &[here, "is no workspace", "--demo"]);
    }
}

#[test]
fn an_unknown_key_of_a_scenario_is_named_with_the_one_meant() {
    let world = World::empty();
    for (name, text, words) in [
        (
            "s.json",
            r#"{"mesage": ""}"#,
            ["`mesage`", "did you mean `message`?"],
        ),
        (
            "s.json",
            r#"{"zzz": ""}"#,
            ["`zzz`", "the keys here are: message,"],
        ),
        (
            "s.toml",
            "[host]\npythn = ''",
            ["`host.pythn`", "did you mean `host.python`?"],
        ),
        (
            "s.toml",
            "[session]\nkey = 'a'\nmax = 5",
            ["`session.max`", "max_tokens"],
        ),
    ] {
        world.write(name, text);
        let args = ["render", "workspace", "--scenario", name];
        refused(&world, &args, &[&[name][..], &words].concat());
    }
}

#[test]
fn a_broken_scenario_is_named_with_line_and_column() {
    let world = World::empty();
    for (name, text, place) in [
        ("s.json", "{\n  \"message\": }", "s.json:2:14: "),
        ("s.json", "", "s.json:1:1: "),
        ("s.json", "[]", "s.json: is no object"),
        ("s.toml", "message = 'a'\nchannel = =\n", "s.toml:2:11: "),
        ("s.toml", "message = 'a", "s.toml:1:"),
    ] {
        world.write(name, text);
        let args = ["render", "workspace", "--scenario", name];
        refused(&world, &args, &[place]);
    }
    world.write("s.json", b"{\"message\": \"\xff\"}");
    let args = ["render", "workspace", "--scenario", "s.json"];
    refused(&world, &args, &["s.json", "is not UTF-8"]);
}

#[test]
fn a_scenario_must_be_there() {
    let world = World::empty();
    for name in ["none.toml", "workspace"] {
        let args = ["render", "workspace", "--scenario", name];
        refused(&world, &args, &[&format!("the scenario {name}")]);
    }
}

#[test]
fn a_folder_that_a_scenario_names_must_be_there() {
    let world = World::empty();
    for key in ["templates", "builtin_skills"] {
        world.write("s.json", format!("{{\"{key}\": \"none\"}}"));
        let args = ["render", "workspace", "--scenario", "s.json"];
        refused(&world, &args, &[&world.name("none"), "is not there"]);
    }
}

#[test]
fn broken_settings_are_named_with_their_line_and_key() {
    let world = World::empty();
    let own = "home/.config/promptscope/config.toml";
    for file in ["workspace/promptscope.toml", own] {
        let path = world.name(file);
        for (text, words) in [
            ("[budget]\nmemry = 5", [":2: ", "`memry`"]),
            ("[budgets]\nmemory = 5", [":1: ", "`budgets`"]),
            ("[budget]\n\nmemory = -5", [":3: ", "-5"]),
            ("[budget\n", [":1: ", ""]),
            ("[budget]\nwarn_at = 2.5", [":2: ", "`budget.warn_at`"]),
            ("[host]\nnow = 'soon'", [":2: ", "`host.now`"]),
        ] {
            world.write(file, text);
            let place = format!("{path}{}", words[0]);
            refused(&world, &["render", "workspace"], &[&place, words[1]]);
        }
        std::fs::remove_file(path).unwrap();
    }
}

#[test]
fn an_unknown_encoding_is_named_beside_the_known_ones() {
    let world = World::empty();
    let words = ["\"o200k\"", "o200k_base", "cl100k_base"];
    refused(
        &world,
        &["render", "workspace", "--encoding", "o200k"],
        &words,
    );
    world.write("workspace/promptscope.toml", "[tokens]\nencoding = 'o200k'");
    let words = [&words[..], &["promptscope.toml"]].concat();
    refused(&world, &["render", "workspace"], &words);
    world.write("workspace/promptscope.toml", "[tokens]\nmodel = 'gemini-x'");
    let words = ["\"gemini-x\"", "promptscope.toml", "`tokens.encoding`"];
    refused(&world, &["render", "workspace"], &words);
}

#[test]
fn a_flag_of_the_wrong_kind_is_named_beside_what_is_right() {
    let world = World::empty();
    for (flag, value, words) in [
        (
            "--section",
            "Memory",
            ["--section", "identity, bootstrap_files"],
        ),
        (
            "--local-timezone",
            "Mars/Base",
            ["--local-timezone", "Asia/Shanghai"],
        ),
        ("--now", "soon", ["--now", "2026-06-19T02:30:00+00:00"]),
        ("--format", "yaml", ["--format", "text, json, messages"]),
        (
            "--skill-order",
            "size",
            ["--skill-order", "directory, name"],
        ),
        ("--chanel", "x", ["--chanel", "--channel"]),
    ] {
        refused(&world, &["render", "workspace", flag, value], &words);
    }
}

#[test]
fn an_agent_that_is_named_must_be_there() {
    let world = World::empty();
    let words = ["there is no nanobot at", &world.name("none")];
    refused(&world, &["render", "workspace", "--agent", "none"], &words);
    world.write("workspace/promptscope.toml", "[agent]\npath = '../none'");
    refused(
        &world,
        &["render", "workspace"],
        &["there is no nanobot at", "none"],
    );
}

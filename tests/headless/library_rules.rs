//! The rules about prompts as files: each fires at its place, and none on what is right.

use promptscope::python::Value;

use super::support::{World, list, text};

const SETTINGS: &str = r#"[variables]
limit = 150

[compositions.whole]
main = "agents"
components = ["rules"]

[experiments.tone]
variants = { warm = "warm", brief = "brief" }

[[compile]]
source = "whole"
target = "AGENTS.md"
"#;

const MANIFEST: &str = r#"{"promptscope_manifest": 1, "commit": null, "dirty": true, "outputs":
{"AGENTS.md": {"source": "whole", "sha256": "SUM", "tokens": 1}}}"#;

/// A workspace with prompts that every rule about them is silent on.
fn world() -> World {
    let world = World::empty();
    let files = [
        ("promptscope.toml", SETTINGS),
        (
            "prompts/agents.md",
            "---\nvariables:\n  name: {default: Mei}\n---\nI am {{ name }}.\n{{component_1}}\n<!-- INCLUDE f/end.md -->\n",
        ),
        ("prompts/f/end.md", "The end, {{ name }}.\n"),
        ("prompts/components/rules.md", "At most {{ limit }}.\n"),
        ("prompts/warm.md", "Warm.\n"),
        ("prompts/brief.md", "Brief.\n"),
        ("AGENTS.md", "I am Mei.\nAt most 150.\nThe end, Mei.\n"),
    ];
    for (path, body) in files {
        world.write(&format!("workspace/{path}"), body);
    }
    world
}

/// Lists what the rules about prompts find: rule, path, line.
fn found(world: &World) -> Vec<(String, String, String)> {
    let about = [
        "component-missing",
        "declaration-unread",
        "experiments-together",
        "front-matter-invalid",
        "include-cycle",
        "include-depth",
        "include-missing",
        "include-outside",
        "manifest-invalid",
        "name-taken",
        "not-utf8",
        "over-budget",
        "prompt-missing",
        "prompt-unreadable",
        "secret",
        "target-edited",
        "target-stale",
        "template-syntax",
        "variable-required",
        "variable-undefined",
        "variable-unused",
        "variant-missing",
        "volatile-text",
    ];
    let report = world.report(&[]);
    let findings = list(&report, "findings").iter();
    let findings = findings.filter(|it| about.contains(&text(it, "rule")));
    findings
        .map(|it| {
            let line = it.get("line").map_or(String::new(), Value::to_str);
            (
                text(it, "rule").to_owned(),
                text(it, "path").to_owned(),
                line,
            )
        })
        .collect()
}

fn is_found(world: &World, rule: &str, path: &str, line: usize) {
    let found = found(world);
    let wanted = (rule.to_owned(), path.to_owned(), line.to_string());
    assert!(found.contains(&wanted), "{wanted:?} is not in {found:#?}");
}

#[test]
fn what_is_right_is_not_told() {
    assert_eq!(found(&world()), []);
}

/// What is written where, the rule that it wakes, and the place.
type Lack = (
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    usize,
);

/// What sources can lack.
const LACKS: &[Lack] = &[
    (
        "prompts/agents.md",
        "x\n<!-- INCLUDE none.md -->\n{{component_1}}\n",
        "include-missing",
        "prompts/agents.md",
        2,
    ),
    (
        "prompts/f/end.md",
        "<!-- INCLUDE ../agents.md -->\n",
        "include-cycle",
        "prompts/f/end.md",
        1,
    ),
    (
        "prompts/f/end.md",
        "a\n<!-- INCLUDE /etc/passwd -->\n",
        "include-outside",
        "prompts/f/end.md",
        2,
    ),
    (
        "prompts/n0.md",
        "<!-- INCLUDE n1.md -->\n",
        "include-depth",
        "prompts/n32.md",
        1,
    ),
    (
        "prompts/agents.md",
        "{{component_1}}\n\n{{component_2}}\n",
        "component-missing",
        "prompts/agents.md",
        3,
    ),
    (
        "prompts/f/end.md",
        "x\ny {{ nobody }}\n",
        "variable-undefined",
        "prompts/f/end.md",
        2,
    ),
    (
        "prompts/warm.md",
        "---\nvariables:\n  who: {required: true}\n---\nDear {{who}}\n",
        "variable-required",
        "prompts/warm.md",
        5,
    ),
    (
        "prompts/warm.md",
        "---\nvariables:\n  a: 1\n  b: 2\n---\n{{a}}\n",
        "variable-unused",
        "prompts/warm.md",
        4,
    ),
    (
        "prompts/components/rules.md",
        "no limit\n",
        "variable-unused",
        "promptscope.toml",
        2,
    ),
    (
        "prompts/warm.md",
        "{{ limit }} {{ a-b }}\n",
        "template-syntax",
        "prompts/warm.md",
        1,
    ),
    (
        "prompts/agents.md",
        "I am {{ current_time }}.\n{{component_1}}\n",
        "volatile-text",
        "prompts/agents.md",
        1,
    ),
    (
        "promptscope-manifest.json",
        "{",
        "manifest-invalid",
        "promptscope-manifest.json",
        1,
    ),
    (
        "prompts/tone.md",
        "Of the same name.\n",
        "name-taken",
        "promptscope.toml",
        8,
    ),
    (
        "prompts/warm.md",
        "---\nbudget: 2\n---\nWarm and kind, and more of it.\n",
        "over-budget",
        "prompts/warm.md",
        1,
    ),
    (
        "prompts/brief.md",
        "Use the key sk-proj-4f9Kq2Zx8Vb7Nm3Lp6Rt1Yw5Hd0Jc.\n",
        "secret",
        "prompts/brief.md",
        1,
    ),
];

#[test]
fn what_sources_lack_is_told_at_its_line() {
    for &(path, body, rule, at, line) in LACKS {
        let world = world();
        world.write(&format!("workspace/{path}"), body);
        if rule == "include-depth" {
            for at in 1..40 {
                let body = format!("<!-- INCLUDE n{}.md -->\n", at + 1);
                world.write(&format!("workspace/prompts/n{at}.md"), body);
            }
        }
        is_found(&world, rule, at, line);
    }
    let bad = world();
    bad.write("workspace/prompts/f/end.md", b"a\n\xff\n");
    is_found(&bad, "not-utf8", "prompts/f/end.md", 2);
}

#[test]
fn front_matter_that_declares_nothing_is_told() {
    for (front, rule, line) in [
        ("description: [unclosed", "front-matter-invalid", 2),
        ("just words", "front-matter-invalid", 1),
        ("budgt: 600", "declaration-unread", 2),
        ("description: d\nbudget: ten", "declaration-unread", 3),
        ("variables: 5", "declaration-unread", 2),
        ("budget: -5", "declaration-unread", 2),
        ("variables:\n  a: {defualt: 1}", "declaration-unread", 3),
    ] {
        let world = world();
        let body = format!("---\n{front}\n---\nWarm.\n");
        world.write("workspace/prompts/warm.md", body);
        is_found(&world, rule, "prompts/warm.md", line);
    }
    let mine = world();
    mine.write("workspace/prompts/warm.md", "---\nowner: Mei\n---\nWarm.\n");
    assert_eq!(found(&mine), [], "keys of others are theirs");
}

#[test]
fn what_the_settings_make_of_them_is_told_at_its_line() {
    for (old, new, rule, line) in [
        ("main = \"agents\"", "main = \"none\"", "prompt-missing", 4),
        (
            "brief = \"brief\" }",
            "brief = \"gone\" }",
            "variant-missing",
            8,
        ),
        (
            "[[compile]]",
            "[experiments.voice]\nvariants = { a = \"warm\", b = \"brief\" }\n[[compile]]",
            "experiments-together",
            11,
        ),
        (
            "source = \"whole\"",
            "source = \"nobody\"",
            "prompt-missing",
            11,
        ),
    ] {
        let world = world();
        world.write("workspace/promptscope.toml", SETTINGS.replace(old, new));
        is_found(&world, rule, "promptscope.toml", line);
    }
    let salted = world();
    let more = "[experiments.voice]\nsalt = \"experiment\"\nvariants = { a = \"warm\", b = \"brief\" }\n[[compile]]";
    salted.write(
        "workspace/promptscope.toml",
        SETTINGS.replace("[[compile]]", more),
    );
    assert_eq!(found(&salted), []);
}

#[test]
fn targets_are_told_with_the_line_that_differs() {
    let stale = world();
    let sum = promptscope::library::sum(b"I am Mei.\nAt most 150.\nThe end, Mei.\n");
    stale.write(
        "workspace/promptscope-manifest.json",
        MANIFEST.replace("SUM", &sum),
    );
    stale.write(
        "workspace/prompts/components/rules.md",
        "Up to {{ limit }}.\n",
    );
    is_found(&stale, "target-stale", "AGENTS.md", 2);
    let edited = world();
    edited.write("workspace/AGENTS.md", "I am Mei.\nAt most 150.\nMine.\n");
    is_found(&edited, "target-edited", "AGENTS.md", 3);
    edited.write(
        "workspace/promptscope-manifest.json",
        MANIFEST.replace("SUM", &sum),
    );
    is_found(&edited, "target-edited", "AGENTS.md", 3);
    let missing = world();
    std::fs::remove_file(missing.path("workspace/AGENTS.md")).unwrap();
    is_found(&missing, "target-stale", "AGENTS.md", 1);
}

#[test]
fn a_finding_of_a_target_stands_at_its_source_alone() {
    let world = world();
    let line = "Be brief, as appropriate.\n";
    world.write("workspace/prompts/components/rules.md", line);
    world.write(
        "workspace/AGENTS.md",
        format!("I am Mei.\n{line}The end, Mei.\n"),
    );
    let report = world.report(&[]);
    let findings = list(&report, "findings").iter();
    let vague: Vec<(&str, &str)> = findings
        .filter(|it| text(it, "rule") == "vague-instruction")
        .map(|it| (text(it, "path"), text(it, "section")))
        .collect();
    assert_eq!(vague, [("prompts/components/rules.md", "")]);
}

#[test]
fn budgets_hold_for_every_variant_of_a_target() {
    let world = world();
    let settings = SETTINGS.replace(
        "source = \"whole\"\ntarget = \"AGENTS.md\"",
        "source = \"tone\"\ntarget = \"AGENTS.md\"",
    ) + "[budget]\nbootstrap_files = 40\n";
    world.write("workspace/promptscope.toml", settings);
    world.write("workspace/AGENTS.md", "Warm.\n");
    assert!(
        found(&world).iter().all(|(rule, ..)| rule != "over-budget"),
        "{:?}",
        found(&world)
    );
    world.write("workspace/prompts/brief.md", "word ".repeat(100));
    let report = world.report(&[]);
    let findings = list(&report, "findings").iter();
    let over: Vec<&str> = findings
        .filter(|it| text(it, "rule") == "over-budget")
        .map(|it| text(it, "message"))
        .collect();
    assert_eq!(over.len(), 1, "{over:?}");
    assert!(
        over[0].starts_with("with the variant brief of tone, Bootstrap Files has"),
        "{over:?}"
    );
}

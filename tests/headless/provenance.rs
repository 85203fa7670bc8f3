//! Every line of a section says where it comes from, and what cannot be had exactly says so.

use promptscope::prompt::SectionId;
use promptscope::python::Value;

use super::support::{World, at, list, number, section, text, user_message};

/// Writes the lines of a section as `count kind path:line`.
fn lines(report: &Value, id: SectionId) -> Vec<String> {
    let written = list(section(report, id), "lines").iter().map(|run| {
        let place = match (at(run, "path"), at(run, "line")) {
            (Value::None, _) => String::new(),
            (path, Value::None) => format!(" {}", path.to_str()),
            (path, line) => format!(" {}:{}", path.to_str(), line.to_str()),
        };
        format!("{} {}{place}", number(run, "count"), text(run, "kind"))
    });
    written.collect()
}

#[test]
fn lines_lead_to_their_files() {
    let world = World::small();
    world.write("workspace/AGENTS.md", "One.\r\n\r\nThree.\n");
    world.write("workspace/USER.md", "");
    let history = "{broken\n\
        {\"cursor\": 1, \"timestamp\": \"a\", \"content\": \"of\\ntwo lines\"}\n\n\
        {\"cursor\": 2, \"timestamp\": \"b\", \"content\": \"last\"}\n";
    world.write("workspace/memory/history.jsonl", history);
    world.write(
        "workspace/sessions/cli_x.jsonl",
        "\n{\"_type\": \"metadata\", \"metadata\": {\"_last_summary\": {\"text\": \"Before.\", \"last_active\": \"2026-06-10\"}}}\n",
    );
    let skill = "---\nname: always\nalways: true\n---\n\nFirst.\nSecond.\n";
    world.write("workspace/skills/always/SKILL.md", skill);
    let report = world.report(&["--session", "cli:x"]);
    let of = |id| lines(&report, id);
    assert_eq!(
        of(SectionId::BootstrapFiles),
        ["2 generated", "3 file AGENTS.md:1", "4 generated"]
    );
    assert_eq!(
        of(SectionId::Memory),
        ["3 generated", "1 file memory/MEMORY.md:1"]
    );
    assert_eq!(
        of(SectionId::AlwaysSkills),
        ["4 generated", "2 file skills/always/SKILL.md:6"]
    );
    let summary = of(SectionId::SkillsSummary);
    assert_eq!(summary.last().unwrap(), "1 file skills/plain/SKILL.md:2");
    assert!(
        summary[0].ends_with("template templates/agent/skills_section.md:1"),
        "{summary:?}"
    );
    assert_eq!(
        of(SectionId::SessionSummary),
        [
            "2 generated",
            "1 file sessions/cli_x.jsonl:2",
            "1 file sessions/cli_x.jsonl:2"
        ]
    );
    let history = lines(&world.report(&[]), SectionId::RecentHistory);
    assert_eq!(
        history,
        [
            "2 generated",
            "1 file memory/history.jsonl:2",
            "1 file memory/history.jsonl:2",
            "1 file memory/history.jsonl:4"
        ]
    );
}

#[test]
fn sources_are_files_and_templates() {
    let world = World::small();
    let report = world.report(&[]);
    let sources = |id| {
        let sources = list(section(&report, id), "sources").iter();
        let written = sources.map(|it| format!("{} {}", text(it, "kind"), text(it, "path")));
        written.collect::<Vec<_>>()
    };
    assert_eq!(sources(SectionId::BootstrapFiles), ["file AGENTS.md"]);
    assert_eq!(
        sources(SectionId::ToolContract),
        ["template templates/agent/tool_contract.md"]
    );
    let identity = sources(SectionId::Identity);
    assert!(
        identity.contains(&"template templates/agent/platform_policy.md".to_owned()),
        "{identity:?}"
    );
    let tokens = &list(section(&report, SectionId::BootstrapFiles), "sources")[0];
    assert_eq!(number(tokens, "tokens"), 4);
}

#[test]
fn attached_apps_and_presets_are_told_and_called_approximate() {
    let world = World::small();
    let scenario = world.write(
        "scenario.json",
        r#"{"message": "hi", "cli_apps": [{"name": "GH", "entry_point": "gh"}], "current_runtime_lines": ["Last: 1"],
            "mcp_presets": [{"name": "notes", "display_name": "Notes", "transport": "http"}]}"#,
    );
    let scenario = scenario.display().to_string();
    let run = world.render(&["--format", "json", "--scenario", &scenario]);
    assert!(
        run.err.contains("2 of the runtime context's lines"),
        "{}",
        run.err
    );
    let report = run.exits(0).json();
    assert_eq!(number(&report, "user_message.approximate_lines"), 2);
    let said = user_message(&report);
    let order =
        ["CLI app @gh", "MCP preset @notes", "Last: 1"].map(|part| said.find(part).unwrap());
    assert!(order.is_sorted(), "{said}");
    // A person's own words take the place of ours.
    world.write(
        "workspace/promptscope.toml",
        "[runtime_lines]\ncli_app = '{{ name }} by {{ entry_point }}'\nmcp_preset = '{{ display_name }}'",
    );
    let report = world.report(&["--scenario", &scenario]);
    assert!(user_message(&report).contains("\ngh by gh\nNotes\nLast: 1\n"));
    assert_eq!(
        number(&world.report(&[]), "user_message.approximate_lines"),
        0
    );
}

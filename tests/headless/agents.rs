//! The agent that a person runs is found, and its own templates and skills are used.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use promptscope::prompt::SectionId;
use promptscope::python::Value;

use super::support::{World, at, section, text};

const SITE: &str = "lib/python3.13/site-packages";

/// Lays out an environment as pip makes it, with an agent whose templates are easy to know again.
fn install(world: &World, place: &str) {
    let package = format!("{place}/{SITE}/nanobot");
    for (path, text) in [
        (
            "templates/agent/identity.md",
            "Agent on {{ runtime }}.\n{{ platform_policy }}\n{% include 'agent/_snippets/note.md' %}\n",
        ),
        ("templates/agent/_snippets/note.md", "Included.\n"),
        (
            "templates/agent/platform_policy.md",
            "Policy of {{ system }}.",
        ),
        ("templates/agent/tool_contract.md", "Tools of the agent.\n"),
        (
            "templates/agent/skills_section.md",
            "Skills of the agent:\n{{ skills_summary }}\n",
        ),
        ("templates/memory/MEMORY.md", "Nothing yet.\n"),
        (
            "skills/brought/SKILL.md",
            "---\ndescription: Brought along.\n---\nBody.\n",
        ),
        (
            "skills/plain/SKILL.md",
            "---\ndescription: Hidden by the workspace's.\n---\nBody.\n",
        ),
    ] {
        world.write(&format!("{package}/{path}"), text);
    }
    let info = format!("{place}/{SITE}/nanobot_ai-0.2.2.dist-info/METADATA");
    world.write(
        &info,
        "Metadata-Version: 2.4\nName: nanobot-ai\nVersion: 0.2.2\n",
    );
    let config = "home = /usr/bin\ninclude-system-site-packages = false\nversion = 3.13.2\n";
    world.write(&format!("{place}/pyvenv.cfg"), config);
    let line = format!(
        "#!{}\nimport sys\n",
        world.name(&format!("{place}/bin/python"))
    );
    let script = world.write(&format!("{place}/bin/nanobot"), line);
    fs::set_permissions(script, fs::Permissions::from_mode(0o755)).unwrap();
}

/// Demands that a report is made with the agent in an environment.
fn uses(world: &World, args: &[&str], place: &str) {
    let report = world.report(args);
    let body = |id| text(section(&report, id), "text").to_owned();
    assert_eq!(text(&report, "agent.version"), "0.2.2", "{args:?}");
    let package = world.name(&format!("{place}/{SITE}/nanobot"));
    assert_eq!(text(&report, "agent.path"), package, "{args:?}");
    let identity = body(SectionId::Identity);
    assert!(identity.starts_with("Agent on "), "{identity}");
    assert!(
        identity.contains(", Python 3.13.2.\nPolicy of "),
        "{identity}"
    );
    assert!(identity.ends_with("Included."), "{identity}");
    assert_eq!(body(SectionId::ToolContract), "Tools of the agent.");
    let skills = body(SectionId::SkillsSummary);
    assert!(skills.starts_with("Skills of the agent:\n"), "{skills}");
    assert!(skills.contains("- **plain** — Plain.  "), "{skills}");
    let brought = format!("- **brought** — Brought along.  `{package}/skills/brought/SKILL.md`");
    assert!(skills.contains(&brought), "{skills}");
    assert!(!skills.contains("Hidden"), "{skills}");
}

#[test]
fn none_is_found_where_none_is() {
    let report = World::small().report(&[]);
    assert_eq!(at(&report, "agent.version"), &Value::None);
    assert_eq!(at(&report, "agent.path"), &Value::None);
}

#[test]
fn by_the_flag_and_by_the_settings() {
    let world = World::small();
    install(&world, "home/venv");
    for place in [
        "home/venv",
        "home/venv/bin/nanobot",
        &format!("home/venv/{SITE}/nanobot"),
    ] {
        uses(&world, &["--agent", place], "home/venv");
    }
    for path in ["../home/venv", "~/venv", &world.name("home/venv")] {
        world.write(
            "workspace/promptscope.toml",
            format!("[agent]\npath = '{path}'"),
        );
        uses(&world, &[], "home/venv");
    }
    install(&world, "other");
    uses(&world, &["--agent", "other"], "other");
}

#[test]
fn by_the_environment_that_is_switched_on() {
    let mut world = World::small();
    install(&world, "venv");
    world.set("VIRTUAL_ENV", world.name("venv"));
    uses(&world, &[], "venv");
}

#[test]
fn by_the_script_on_the_path() {
    let world = World::small();
    install(&world, "venv");
    fs::copy(world.path("venv/bin/nanobot"), world.path("bin/nanobot")).unwrap();
    uses(&world, &[], "venv");
    fs::remove_file(world.path("bin/nanobot")).unwrap();
    let script = world.path("venv/bin/nanobot");
    std::os::unix::fs::symlink(script, world.path("bin/nanobot")).unwrap();
    uses(&world, &[], "venv");
}

#[test]
fn by_the_folders_of_the_usual_tools() {
    for place in [
        "home/.local/share/uv/tools/nanobot-ai",
        "home/.local/share/pipx/venvs/nanobot-ai",
        "home/.local/pipx/venvs/nanobot-ai",
        "home/.local",
    ] {
        let world = World::small();
        install(&world, place);
        uses(&world, &[], place);
    }
}

#[test]
fn another_version_is_told_from_the_one_whose_rules_are_used() {
    let world = World::small();
    install(&world, "venv");
    let exact = |report: &Value| at(report, "agent.exact").clone();
    let run = world.render(&["--agent", "venv", "--format", "json"]);
    assert_eq!(run.err, "");
    assert_eq!(exact(&run.json()), Value::Bool(true));
    let site = world.path(&format!("venv/{SITE}"));
    fs::rename(
        site.join("nanobot_ai-0.2.2.dist-info"),
        site.join("nanobot_ai-0.3.5.dist-info"),
    )
    .unwrap();
    world.write(
        &format!("venv/{SITE}/nanobot_ai-0.3.5.dist-info/METADATA"),
        "Name: nanobot-ai\nVersion: 0.3.5\n",
    );
    let run = world
        .render(&["--agent", "venv", "--format", "json"])
        .exits(0);
    assert!(
        run.err.contains("nanobot-ai 0.3.5 is installed") && run.err.contains("0.2.2"),
        "{}",
        run.err
    );
    assert_eq!(exact(&run.json()), Value::Bool(false));
    assert_eq!(exact(&world.report(&[])), Value::None);
}

#[test]
fn its_untouched_memory_is_left_out() {
    let world = World::small();
    install(&world, "venv");
    let memory =
        |args: &[&str]| at(section(&world.report(args), SectionId::Memory), "present").truth();
    world.write("workspace/memory/MEMORY.md", "\n  Nothing yet.\n\n");
    assert!(!memory(&["--agent", "venv"]));
    assert!(memory(&[]));
    world.write("workspace/memory/MEMORY.md", "Something.\n");
    assert!(memory(&["--agent", "venv"]));
}

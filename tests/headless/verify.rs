//! `verify` against an agent whose Python is a shell script: it hangs, fails, or prints an answer.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use promptscope::prompt::SectionId;
use promptscope::python::{Dict, Value, json};

use super::support::{NOW, Run, World, at, finish, list, section, text};
use super::untouched::listing;

const ENVIRONMENT: &str = "agent";

/// A world with an agent, and a folder for temporary files of its own.
fn world() -> World {
    let mut world = World::small();
    let package = format!("{ENVIRONMENT}/lib/python3.13/site-packages/nanobot");
    for (path, text) in [
        ("identity.md", "On {{ runtime }} in {{ workspace_path }}."),
        ("platform_policy.md", "P"),
        ("tool_contract.md", "Tools."),
        ("skills_section.md", "{{ skills_summary }}"),
    ] {
        world.write(&format!("{package}/templates/agent/{path}"), text);
    }
    world.write(
        &format!("{package}/../nanobot_ai-0.2.2.dist-info/METADATA"),
        "Version: 0.2.2\n",
    );
    world.write(&format!("{ENVIRONMENT}/pyvenv.cfg"), "version = 3.13.2\n");
    fs::create_dir(world.path("tmp")).unwrap();
    let tmp = world.name("tmp");
    world.set("TMPDIR", tmp);
    world
}

/// Writes the agent's Python: a script that may use `$FOLDER`, its private folder.
fn python(world: &World, script: &str) {
    let path = world.write(
        &format!("{ENVIRONMENT}/bin/python"),
        format!("#!/bin/sh\nFOLDER=$3\n{script}\n"),
    );
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

const ARGS: [&str; 8] = [
    "verify",
    "workspace",
    "--agent",
    ENVIRONMENT,
    "--now",
    NOW,
    "--session",
    "cli:x",
];

/// Runs `verify`, and demands that the run leaves nothing behind and touches nothing.
fn verify(world: &World, args: &[&str]) -> Run {
    let before = ["workspace", "home"].map(|folder| listing(&world.path(folder)));
    let run = world.run(&[&ARGS, args].concat());
    let after = ["workspace", "home"].map(|folder| listing(&world.path(folder)));
    assert_eq!(before, after);
    nothing_left(world);
    run
}

fn nothing_left(world: &World) {
    let left: Vec<_> = fs::read_dir(world.path("tmp")).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
}

fn record<const N: usize>(fields: [(&str, Value); N]) -> Value {
    let fields = fields.map(|(key, value)| (Value::str(key), value));
    Value::Dict(fields.into_iter().collect())
}

/// Makes the answer of an agent that builds the same as promptscope.
fn same(world: &World) -> Dict {
    let report = world.report(&["--agent", ENVIRONMENT, "--session", "cli:x"]);
    let sections = SectionId::ALL.map(|id| {
        let body = at(section(&report, id), "text").clone();
        (Value::str(id.id()), body)
    });
    let answer = record([
        ("python", Value::str("3.13.2")),
        ("sections", Value::Dict(sections.into_iter().collect())),
        ("system_prompt", at(&report, "system_prompt.text").clone()),
        ("messages", Value::List(list(&report, "messages").to_vec())),
        ("session", at(&report, "session").clone()),
        ("tokenizer", Value::None),
        ("error", Value::None),
    ]);
    answer.as_dict().unwrap().clone()
}

/// Lets the agent's Python print an answer; the copy's place stands where the workspace's does.
fn answers(world: &World, answer: &Dict) {
    let text = json::dumps(&Value::Dict(answer.clone()));
    let text = text.replace(&world.name("workspace"), "@COPY@");
    world.write("answer.json", text);
    let answer = world.name("answer.json");
    python(
        world,
        &format!("/bin/sed \"s|@COPY@|$FOLDER/real-workspace|g\" '{answer}'"),
    );
}

#[test]
fn the_same_prompt_is_equal() {
    let world = world();
    answers(&world, &same(&world));
    let run = verify(&world, &[]).exits(0);
    let package = world.name("agent/lib/python3.13/site-packages/nanobot");
    for line in [
        &format!("agent   0.2.2 in {package}\n"),
        &format!("python  3.13.2 at {}\n", world.name("agent/bin/python")),
        "bootstrap_files  equal  ",
        "session_summary  absent in both\n",
        "session replay   equal  2 messages\n",
        "messages         equal  4 messages\n",
        "\nequal: promptscope shows what the agent builds\n",
    ] {
        assert!(run.out.contains(line), "{line}: {}", run.out);
    }
}

#[test]
fn the_first_difference_is_shown_from_both_sides() {
    let world = world();
    let mut answer = same(&world);
    let Some(Value::Dict(sections)) = answer.get_mut(&Value::str("sections")) else {
        panic!("no sections")
    };
    let memory = Value::str("# Memory\n\n## Long-term Memory\nMei drinks\u{200b} tea.\n");
    sections.insert(Value::str("memory"), memory);
    sections.insert(Value::str("recent_history"), Value::str("more"));
    answers(&world, &answer);
    let run = verify(&world, &[]).exits(1);
    let wanted = "\
first difference: section memory, line 4, column 11, after 40 characters
  promptscope: …g-term Memory␊Mei drinks tea.␊⟨end⟩
  agent:       …g-term Memory␊Mei drinks⟨U+200B⟩ tea.␊⟨end⟩
                                        ^

different: first in section memory
";
    assert!(run.out.ends_with(wanted), "{}", run.out);
    assert!(
        run.out.contains("memory           DIFFERENT\n"),
        "{}",
        run.out
    );
    assert!(
        run.out.contains("recent_history   DIFFERENT\n"),
        "{}",
        run.out
    );
    assert!(run.out.contains("system prompt    equal  "), "{}", run.out);
}

#[test]
fn a_section_that_one_side_lacks_is_a_difference() {
    let world = world();
    let mut answer = same(&world);
    let Some(Value::Dict(sections)) = answer.get_mut(&Value::str("sections")) else {
        panic!("no sections")
    };
    sections.insert(Value::str("memory"), Value::None);
    answers(&world, &answer);
    let run = verify(&world, &[]).exits(1);
    let wanted =
        "promptscope: # Memory␊␊## Long-term Memory␊Mei drinks…\n  agent:       (absent)\n";
    assert!(run.out.contains(wanted), "{}", run.out);
}

#[test]
fn a_host_that_is_declared_wrongly_shows() {
    let world = world();
    answers(&world, &same(&world));
    world.write("lie.toml", "[host]\npython = '3.99.1'\n");
    let run = verify(&world, &["--scenario", "lie.toml"]).exits(1);
    assert!(run.out.contains("Python 3.99.1 in "), "{}", run.out);
    assert!(run.out.contains("Python 3.13.2 in "), "{}", run.out);
}

#[test]
fn an_exception_is_compared_by_its_class() {
    let world = world();
    let raises = |class: &str| {
        let error = record([
            ("type", Value::str(class)),
            ("message", Value::str("bad\u{1b}[2J")),
        ]);
        let answer = record([("python", Value::str("3.13.2")), ("error", error)]);
        answers(&world, answer.as_dict().unwrap());
    };
    raises("OSError");
    let run = verify(&world, &[]).exits(1);
    let wanted = "promptscope: raises nothing\n  agent:       OSError: bad␛[2J\n";
    assert!(run.out.contains(wanted), "{}", run.out);
    world.write("workspace/AGENTS.md", b"\xff");
    let run = verify(&world, &[]).exits(1);
    assert!(
        run.out
            .contains("promptscope: UnicodeDecodeError: AGENTS.md:1 "),
        "{}",
        run.out
    );
    raises("UnicodeDecodeError");
    let run = verify(&world, &[]).exits(0);
    let wanted = "\nequal: both raise UnicodeDecodeError\n";
    assert!(run.out.ends_with(wanted), "{}", run.out);
}

#[test]
fn an_agent_built_otherwise_is_compared_as_a_whole() {
    let world = world();
    let mut answer = same(&world);
    answer.insert(Value::str("sections"), Value::None);
    answer.insert(Value::str("tokenizer"), Value::Bool(false));
    answers(&world, &answer);
    let run = verify(&world, &[]).exits(0);
    assert!(
        run.out.contains("they are compared as a whole"),
        "{}",
        run.out
    );
    assert!(run.out.contains("cannot load its tokenizer"), "{}", run.out);
}

#[test]
fn what_cannot_be_asked_says_why() {
    let world = world();
    let refused = |args: &[&str], wanted: &[&str]| {
        let run = verify(&world, args).exits(2);
        for part in wanted {
            assert!(run.err.contains(part), "{part}: {}", run.err);
        }
        assert!(run.err.contains("\n  hint: "), "{}", run.err);
        assert_eq!(run.out, "");
    };
    refused(&[], &["the Python that runs the agent in ", "--agent"]);
    python(&world, "echo 'Traceback\x1b[2J' >&2; exit 3");
    refused(
        &[],
        &["gave no answer (exit status: 3)\n    Traceback␛[2J\n"],
    );
    for nonsense in [
        "echo hello",
        "exit 0",
        "echo '{broken'",
        "echo '{\"a\": 1}'",
    ] {
        python(&world, nonsense);
        refused(&[], &["bin/python "]);
    }
    python(
        &world,
        r#"echo '{"failed": {"step": "import", "reason": "ModuleNotFoundError: yaml"}}'"#,
    );
    refused(&[], &["cannot be imported: ModuleNotFoundError: yaml"]);
    python(
        &world,
        r#"echo '{"failed": {"step": "package", "reason": "/other"}}'"#,
    );
    refused(&[], &["imports another agent than ", ": /other"]);
    python(&world, "kill -9 $$");
    refused(&[], &["gave no answer (signal: 9"]);
    let program = world.write("agent/bin/python", "\u{0}\u{1}no program");
    refused(&[], &["bin/python cannot be run: "]);
    fs::set_permissions(program, fs::Permissions::from_mode(0o644)).unwrap();
    refused(&[], &["the Python that runs the agent in "]);
    python(&world, "exit 0");
    let pipe = world.path("workspace/USER.md");
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    let run = world.run(&ARGS).exits(2);
    assert!(
        run.err.contains("USER.md is a pipe or a device"),
        "{}",
        run.err
    );
    nothing_left(&world);
}

#[test]
fn without_an_agent_there_is_nothing_to_compare() {
    let run = World::small().run(&["verify", "workspace"]).exits(2);
    assert!(
        run.err.contains("there is no agent to compare with"),
        "{}",
        run.err
    );
}

/// Reads the ids of the processes that a script noted.
fn noted(world: &World) -> Vec<String> {
    let ids = fs::read_to_string(world.path("ids")).unwrap_or_default();
    ids.split_whitespace().map(str::to_owned).collect()
}

/// Demands that no noted process is alive a moment later.
fn none_alive(world: &World) {
    let ids = noted(world);
    assert!(!ids.is_empty());
    let is_alive = |id: &String| {
        let status = fs::read_to_string(Path::new("/proc").join(id).join("status"));
        status.is_ok_and(|status| !status.contains("State:\tZ"))
    };
    let end = Instant::now() + Duration::from_secs(5);
    while ids.iter().any(is_alive) {
        assert!(Instant::now() < end, "left running: {ids:?}");
        thread::sleep(Duration::from_millis(20));
    }
}

fn noting(world: &World, then: &str) -> String {
    let ids = world.name("ids");
    format!("/bin/sleep 1000 &\necho $$ $! > '{ids}'\n{then}")
}

#[test]
fn one_that_hangs_is_ended_with_all_it_started() {
    let world = world();
    python(&world, &noting(&world, "echo waiting >&2\n/bin/sleep 1000"));
    let start = Instant::now();
    let run = verify(&world, &["--timeout", "1"]).exits(2);
    assert!(start.elapsed() < Duration::from_secs(20));
    let wanted = "did not answer within 1 s and was ended\n    waiting\n  hint: ";
    assert!(run.err.contains(wanted), "{}", run.err);
    none_alive(&world);
}

#[test]
fn one_that_leaves_a_process_behind_is_not_waited_for() {
    let world = world();
    answers(&world, &same(&world));
    let script = fs::read_to_string(world.path("agent/bin/python")).unwrap();
    let answer = script.lines().last().unwrap();
    python(&world, &noting(&world, answer));
    verify(&world, &["--timeout", "40"]).exits(0);
    none_alive(&world);
}

#[test]
fn a_signal_leaves_nothing_behind() {
    for (signal, code) in [("-INT", 130), ("-TERM", 143)] {
        let world = world();
        python(&world, &noting(&world, "/bin/sleep 1000"));
        let ids = world.path("ids");
        thread::scope(|scope| {
            let run = scope.spawn(|| {
                // The shell names itself before it becomes the binary.
                let own = world.name("own");
                let binary = env!("CARGO_BIN_EXE_promptscope");
                let script = format!("echo $$ > '{own}'; exec '{binary}' \"$@\"");
                let mut args = vec!["-c", script.as_str(), "sh"];
                args.extend(ARGS);
                finish(world.program("/bin/sh", &args))
            });
            while !fs::read_to_string(&ids).is_ok_and(|ids| ids.ends_with('\n')) {
                assert!(!run.is_finished(), "it ended by itself");
                thread::sleep(Duration::from_millis(20));
            }
            let own = fs::read_to_string(world.path("own")).unwrap();
            let sent = Command::new("kill").args([signal, own.trim()]).status();
            assert!(sent.unwrap().success());
            let run = run.join().unwrap().exits(code);
            assert_eq!(run.out, "");
        });
        none_alive(&world);
        nothing_left(&world);
    }
}

#[test]
fn the_agent_sees_a_copy_and_another_home() {
    let world = world();
    fs::create_dir(world.path("home/.nanobot")).unwrap();
    let looks = r#"
        set -ex
        [ "$HOME" = "$FOLDER/home" ]
        [ -f "$FOLDER/real-workspace/skills/always/SKILL.md" ]
        [ -f "$FOLDER/real-workspace/sessions/cli_x.jsonl" ]
        [ "$1 $2" = "-B -" ]
        [ "$(/bin/ls -ld "$FOLDER" | /usr/bin/cut -c1-10)" = drwx------ ]
        echo gone > "$FOLDER/real-workspace/AGENTS.md"
        /bin/mkdir "$HOME/.nanobot/more"
        echo '{"failed": {"step": "seen", "reason": "all is well"}}'"#;
    python(&world, looks);
    let run = verify(&world, &[]).exits(2);
    assert!(run.err.contains("all is well"), "{}", run.err);
    assert_eq!(text(&world.report(&[]), "agent.version"), "");
}

//! Ways out of the workspace, each to a canary of its own: none is opened unless it is opted in, and each is shown
//! as what it is. The agent itself follows links, so those of its own files are followed unless the settings say
//! otherwise, and are always found.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use super::session::Start;
use super::trace::{CALLS, World, calls, is_there, opens};

/// The files that are read in a workspace.
const FILES: [&str; 11] = [
    "AGENTS.md",
    "SOUL.md",
    "USER.md",
    "memory/MEMORY.md",
    "memory/history.jsonl",
    "memory/.dream_cursor",
    "sessions/cli_x.jsonl",
    "skills/one/SKILL.md",
    "scenarios/one.toml",
    "promptscope-baseline.json",
    "promptscope-manifest.json",
];

/// The folders that are read in a workspace.
const FOLDERS: [&str; 5] = ["memory", "sessions", "skills", "skills/one", "scenarios"];

/// How a link leads out.
const WAYS: [&str; 4] = ["absolute", "relative", "link of a link", "through a folder"];

/// The files of ours, which the rule about the agent's links says nothing of.
const OURS: [&str; 3] = [
    "scenarios",
    "promptscope-baseline.json",
    "promptscope-manifest.json",
];

/// A text that is valid in every place, so that nothing but the link is wrong with it.
const CANARY: &str = "{\"cursor\": 1, \"timestamp\": \"CANARY\", \"content\": \"CANARY\"}\n";

/// Puts a link to a place outside where a file or folder would be.
fn put(world: &World, at: &str, outside: &str, way: &str) {
    let link = world.path("workspace").join(at);
    let target = world.path("outside").join(outside);
    fs::create_dir_all(link.parent().unwrap()).unwrap();
    let up = "../".repeat(Path::new(at).components().count());
    match way {
        "absolute" => symlink(&target, link).unwrap(),
        "relative" => symlink(format!("{up}outside/{outside}"), link).unwrap(),
        "link of a link" => {
            let name = format!("hop-{}", at.replace('/', "-"));
            let hop = world.path("workspace").join(&name);
            symlink(&target, &hop).unwrap();
            let below = "../".repeat(Path::new(at).components().count() - 1);
            symlink(format!("{below}{name}"), link).unwrap();
        }
        _ => {
            let hop = world.path("workspace/hop");
            if !hop.is_symlink() {
                symlink(world.path("outside"), hop).unwrap();
            }
            let below = "../".repeat(Path::new(at).components().count() - 1);
            symlink(format!("{below}hop/{outside}"), link).unwrap();
        }
    }
}

/// Makes a world with something to compile, whose links are all made in one way.
fn world(places: &[&str], way: &str) -> World {
    let world = World::new();
    world.write("workspace/prompts/a.md", "A\n");
    world.write(
        "workspace/promptscope.toml",
        "[[compile]]\nsource = \"a\"\ntarget = \"A.md\"\n",
    );
    for at in places {
        if FOLDERS.contains(at) {
            world.write(&format!("outside/{at}/SKILL.md"), CANARY);
            world.write(&format!("outside/{at}/MEMORY.md"), CANARY);
            world.write(&format!("outside/{at}/history.jsonl"), CANARY);
            world.write(&format!("outside/{at}/cli_x.jsonl"), CANARY);
            world.write(&format!("outside/{at}/one.toml"), "message = \"CANARY\"\n");
        } else {
            world.write(&format!("outside/{at}"), CANARY);
        }
        put(&world, at, at, way);
    }
    world
}

fn forbid_links(world: &World) {
    world.write(
        "home/.config/promptscope/config.toml",
        "[agent]\nfollow_links = false\n",
    );
    // What a person forbids, a workspace does not allow.
    let settings = world.path("workspace/promptscope.toml");
    let text = fs::read_to_string(&settings).unwrap();
    fs::write(settings, format!("[agent]\nfollow_links = true\n\n{text}")).unwrap();
}

const COMMANDS: [&[&str]; 8] = [
    &[
        "render",
        "workspace",
        "--session",
        "cli:x",
        "--message",
        "hi",
    ],
    &[
        "render",
        "workspace",
        "--session",
        "cli:x",
        "--format",
        "json",
    ],
    &["check", "workspace", "--format", "json", "--advise"],
    &["check", "workspace", "--update-baseline"],
    &["history", "workspace"],
    &["matrix", "workspace", "--message", "hi"],
    &["list", "workspace"],
    &["compile", "workspace", "--dry-run"],
];

#[test]
fn no_link_out_of_a_workspace_is_followed_where_that_is_forbidden() {
    if !is_there() {
        return;
    }
    let mut escapes = 0;
    let of_files = WAYS.iter().map(|way| (&FILES[..], *way));
    let of_folders = WAYS[..3].iter().map(|way| (&FOLDERS[..3], *way));
    let one_skill = WAYS[..3].iter().map(|way| (&FOLDERS[3..], *way));
    for (places, way) in of_files.chain(of_folders).chain(one_skill) {
        let world = world(places, way);
        forbid_links(&world);
        let mut findings = String::new();
        for args in COMMANDS {
            let run = world.run(args);
            let opened = opens(&run.calls, &world.path("outside"));
            assert!(opened.is_empty(), "{way}, {args:?}: {opened:#?}");
            assert!(!run.out.contains("CANARY"), "{way}, {args:?}: {}", run.out);
            assert!(!run.err.contains("CANARY"), "{way}, {args:?}: {}", run.err);
            if args.contains(&"--advise") {
                // Links of ours stand in the way of the report: they are said, not followed.
                findings = run.out + &run.err;
            }
        }
        for place in places {
            let is_ours = OURS.iter().any(|ours| place.starts_with(ours));
            let is_told = findings.contains("link-outside") && findings.contains(place);
            let is_refused = findings.contains("link out of its folder");
            assert!(
                is_ours || is_told || is_refused,
                "{place}, {way}: {findings}"
            );
        }
        escapes += places.len();
    }
    assert!(escapes >= 59, "{escapes}");
}

#[test]
fn the_workbench_follows_no_link_where_that_is_forbidden() {
    if !is_there() {
        return;
    }
    for places in [&FILES[..], &FOLDERS[..3], &FOLDERS[3..]] {
        let start = Start::at(120, 40).script(TRACED).env("CALLS", CALLS);
        let workspace = start.workspace();
        let world = world(places, "absolute");
        forbid_links(&world);
        fs::remove_dir_all(&workspace).unwrap();
        fs::rename(world.path("workspace"), &workspace).unwrap();
        fs::rename(
            world.path("home/.config"),
            workspace.with_file_name(".config"),
        )
        .unwrap();
        let mut session = start.open();
        session.wait_for_text("live");
        session.send("S");
        session.wait_for_text("no scenario");
        session.send("\x03");
        assert_eq!(session.wait_exit(), 0, "{}", session.text());
        let home = fs::canonicalize(session.home.path()).unwrap();
        let opened = opens(&calls(&home.join("traces"), &home), &world.path("outside"));
        assert!(opened.is_empty(), "{opened:#?}");
    }
}

/// Notes what the program does on its terminal.
const TRACED: &str = r#"
mkdir "$HOME/traces"
exec strace -ff -y --seccomp-bpf -s 4096 -e "$CALLS" -o "$HOME/traces/t" "$@"
"#;

#[test]
fn the_agents_own_links_are_followed_and_found() {
    if !is_there() {
        return;
    }
    let agents: Vec<&str> = FILES
        .into_iter()
        .filter(|file| !OURS.iter().any(|ours| file.starts_with(ours)))
        .collect();
    for way in WAYS {
        let world = world(&agents, way);
        let run = world.run(&["render", "workspace", "--format", "json"]);
        assert!(run.out.contains("CANARY"), "{way}: {}", run.err);
        for place in &agents {
            assert!(run.out.contains("link-outside"), "{way}");
            let path = format!("\"path\": \"{place}\"");
            assert!(run.out.contains(&path), "{place}, {way}: {}", run.out);
        }
    }
}

/// Includes that name a way out.
const INCLUDES: [&str; 18] = [
    "../../outside/canary.md",
    "../AGENTS.md",
    "./../../outside/canary.md",
    "fragments/../../../outside/canary.md",
    "fragments/../../AGENTS.md",
    "/etc/hostname",
    "//etc/hostname",
    "~/canary.md",
    "$HOME/canary.md",
    "%2e%2e/%2e%2e/outside/canary.md",
    "..%2f..%2foutside%2fcanary.md",
    "..\\..\\outside\\canary.md",
    "file:///etc/hostname",
    "link.md",
    "relative.md",
    "hop.md",
    "up/AGENTS.md",
    "away/canary.md",
];

/// Makes a world with a canary outside and links to it in the library.
fn library() -> World {
    let world = World::new();
    world.write("outside/canary.md", "CANARY\n");
    world.write("home/canary.md", "CANARY\n");
    world.write("workspace/AGENTS.md", "CANARY\n");
    world.write("workspace/prompts/fragments/x.md", "x\n");
    let prompts = world.path("workspace/prompts");
    symlink(world.path("outside/canary.md"), prompts.join("link.md")).unwrap();
    symlink("../../outside/canary.md", prompts.join("relative.md")).unwrap();
    symlink("link.md", prompts.join("hop.md")).unwrap();
    symlink("..", prompts.join("up")).unwrap();
    symlink("../../outside", prompts.join("away")).unwrap();
    for (index, target) in INCLUDES.iter().enumerate() {
        let text = format!("before\n<!-- INCLUDE {target} -->\nafter\n");
        world.write(&format!("workspace/prompts/p{index}.md"), &text);
    }
    world
}

#[test]
fn no_source_of_a_prompt_leads_out_of_the_library() {
    if !is_there() {
        return;
    }
    let world = library();
    let leaves_it = |args: &[&str]| {
        let run = world.run(args);
        for place in ["outside", "home", "workspace/AGENTS.md"] {
            // The agent's own file is read as the agent does.
            if place.starts_with("workspace") && args[0] != "show" {
                continue;
            }
            let opened = opens(&run.calls, &world.path(place));
            let opened: Vec<&String> = opened.iter().filter(|line| line.contains(".md")).collect();
            assert!(
                place == "workspace/AGENTS.md" || opened.is_empty(),
                "{args:?}: {opened:#?}"
            );
        }
        assert!(!run.out.contains("CANARY"), "{args:?}: {}", run.out);
        assert_ne!(run.code, Some(0), "{args:?}: {}", run.out);
        run.out + &run.err
    };
    for (index, target) in INCLUDES.iter().enumerate() {
        let said = leaves_it(&["show", &format!("p{index}"), "workspace"]);
        let is_told = said.contains("outside the folder") || said.contains("to include");
        assert!(is_told, "{target}: {said}");
    }
    for name in [
        "link",
        "relative",
        "hop",
        "up/AGENTS",
        "away/canary",
        "../AGENTS",
        "../../outside/canary",
    ] {
        leaves_it(&["show", name, "workspace"]);
    }
    for target in [
        "../outside/canary.md",
        "away/canary.md",
        "link.md",
        "~/../../outside/canary.md",
    ] {
        let settings = format!("[[compile]]\nsource = \"fragments/x\"\ntarget = \"{target}\"\n");
        world.write("workspace/promptscope.toml", &settings);
        for name in ["away", "link.md"] {
            let link = world.path("workspace").join(name);
            let at = if name == "away" {
                "../outside"
            } else {
                "../outside/canary.md"
            };
            if !link.is_symlink() {
                symlink(at, link).unwrap();
            }
        }
        if !target.starts_with('~') {
            leaves_it(&["compile", "workspace"]);
            leaves_it(&["compile", "workspace", "--force"]);
        }
    }
    assert_eq!(
        fs::read_to_string(world.path("outside/canary.md")).unwrap(),
        "CANARY\n"
    );
}

#[test]
fn a_folder_of_prompts_that_is_a_link_out_of_the_workspace_is_not_read() {
    if !is_there() {
        return;
    }
    for settings in ["", "[prompts]\nfolder = \"other\"\n"] {
        let world = World::new();
        world.write("outside/a.md", "CANARY\n");
        world.write("workspace/AGENTS.md", "x\n");
        world.write("workspace/promptscope.toml", settings);
        symlink(world.path("outside"), world.path("workspace/prompts")).unwrap();
        symlink("../outside", world.path("workspace/other")).unwrap();
        for args in [&["show", "a", "workspace"][..], &["list", "workspace"]] {
            let run = world.run(args);
            let opened = opens(&run.calls, &world.path("outside"));
            assert!(opened.is_empty(), "{args:?}: {opened:#?}");
            assert!(!run.out.contains("CANARY"), "{}", run.out);
        }
        let opted_in = format!("{settings}\n[prompts]\noutside = true\n").replace(
            "[prompts]\nfolder = \"other\"\n\n[prompts]",
            "[prompts]\nfolder = \"other\"",
        );
        world.write("workspace/promptscope.toml", &opted_in);
        let run = world.run(&["show", "a", "workspace"]);
        assert_eq!(run.out, "CANARY\n", "{}", run.err);
    }
}

/// How often a link is put in place of a file, and the file in place of the link.
const SWAPS: usize = 10_000;

#[test]
fn a_link_that_is_swapped_in_while_prompts_are_read_is_never_followed() {
    let world = World::new();
    world.write("outside/a.md", "CANARY\n");
    world.write("outside/sub/b.md", "CANARY\n");
    world.write("workspace/prompts/a.md", "plain\n");
    world.write("workspace/prompts/sub/b.md", "plain\n");
    let prompts = world.path("workspace/prompts");
    let spare = world.path("workspace/spare");
    fs::create_dir_all(spare.join("plain")).unwrap();
    fs::write(spare.join("plain/b.md"), "plain\n").unwrap();
    let is_done = Arc::new(AtomicBool::new(false));
    let swapper = {
        let (is_done, outside) = (is_done.clone(), world.path("outside"));
        let (prompts, spare) = (prompts.clone(), spare);
        thread::spawn(move || {
            let beside = |name: &str| -> PathBuf { spare.join(name) };
            for round in 0..SWAPS {
                let is_link = round % 2 == 0;
                if is_link {
                    symlink(outside.join("a.md"), beside("a")).unwrap();
                } else {
                    fs::write(beside("a"), "plain\n").unwrap();
                }
                fs::rename(beside("a"), prompts.join("a.md")).unwrap();
                // A folder cannot be renamed over: it goes, and a link comes in its place.
                if is_link {
                    fs::rename(prompts.join("sub"), beside("sub")).unwrap();
                    symlink(outside.join("sub"), prompts.join("sub")).unwrap();
                } else {
                    fs::remove_file(prompts.join("sub")).unwrap();
                    fs::rename(beside("sub"), prompts.join("sub")).unwrap();
                }
            }
            is_done.store(true, Ordering::SeqCst);
        })
    };
    let mut readings = 0_usize;
    while !is_done.load(Ordering::SeqCst) {
        let source = promptscope::workspace::read::Source::default();
        let sources = promptscope::library::Sources::read(
            &prompts,
            &source,
            false,
            &mut promptscope::library::Cache::default(),
        );
        for (name, file) in &sources.files {
            let text = file
                .read
                .text()
                .map(ToString::to_string)
                .unwrap_or_default();
            assert!(!text.contains("CANARY"), "{name} was read through a link");
        }
        readings += 1;
    }
    swapper.join().unwrap();
    assert!(readings > 10, "only {readings} readings");
}

#[test]
fn a_file_of_another_git_folder_is_not_opened_by_the_history_of_this_one() {
    if !is_there() {
        return;
    }
    let world = World::new();
    world.write("outside/canary.md", "CANARY\n");
    world.write("workspace/USER.md", "x\n");
    symlink("../outside/canary.md", world.path("workspace/AGENTS.md")).unwrap();
    for args in [
        &["init", "-q"][..],
        &["add", "-A"],
        &["commit", "-q", "-m", "first"],
    ] {
        let who = ["-c", "user.name=Mei", "-c", "user.email=mei@example.org"];
        let mut git = Command::new("git");
        git.args(who)
            .args(args)
            .current_dir(world.path("workspace"));
        assert!(
            git.env("HOME", world.path("home"))
                .status()
                .unwrap()
                .success()
        );
    }
    world.write("workspace/promptscope.toml", "");
    forbid_links(&world);
    let run = world.run(&["diff", "workspace"]);
    let opened = opens(&run.calls, &world.path("outside"));
    assert!(opened.is_empty(), "{opened:#?}");
    assert!(!run.out.contains("CANARY"), "{}", run.out);
}

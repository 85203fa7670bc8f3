//! What is no file stands where a file should be: nothing waits for it, and everything says so.

use std::fs::{self, File};
use std::io::Write as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use super::support::{NOW, Run, World, finish};

/// The settings under which the session is replayed.
const SETTINGS: &str = "[turn]\nchannel = 'cli'\nchat_id = 'x'\nsession = 'cli:x'\n";

fn world() -> World {
    let world = World::small();
    world.write("workspace/promptscope.toml", SETTINGS);
    world.write("workspace/prompts/main.md", "Main.\n");
    world
}

/// Puts something else in the place of a file.
fn replaced(world: &World, file: &str, kind: &str) {
    let place = world.path("workspace").join(file);
    fs::remove_file(&place).unwrap();
    match kind {
        "pipe" => {
            let made = Command::new("mkfifo").arg(&place).status().unwrap();
            assert!(made.success());
        }
        "socket" => drop(UnixListener::bind(&place).unwrap()),
        "device" => symlink("/dev/zero", &place).unwrap(),
        "folder" => fs::create_dir(&place).unwrap(),
        "link that leads nowhere" => symlink("none", &place).unwrap(),
        "loop" => symlink(place.file_name().unwrap(), &place).unwrap(),
        _ => unreachable!("{kind} is none of these"),
    }
}

fn said(run: &Run) -> String {
    format!("{}\n{}", run.err, run.out)
}

/// Runs what reads every file; gives what was said of it.
fn looked_at(world: &World, kind: &str) -> (Run, Run) {
    let render = world.run(&[
        "render",
        "workspace",
        "--now",
        NOW,
        "--encoding",
        "r50k_base",
    ]);
    let check = world.run(&["check", "workspace", "--encoding", "r50k_base"]);
    for run in [&render, &check] {
        assert!(matches!(run.code, Some(0..=2)), "{kind}: {}", run.err);
        assert!(!run.err.contains("panicked"), "{kind}: {}", run.err);
    }
    (render, check)
}

#[test]
fn what_stops_the_agent_is_told_by_both() {
    for file in [
        "AGENTS.md",
        "memory/MEMORY.md",
        "memory/history.jsonl",
        "skills/plain/SKILL.md",
        "sessions/cli_x.jsonl",
        "promptscope.toml",
    ] {
        for (kind, words) in [
            ("pipe", "is a pipe or a device"),
            ("socket", "is a socket"),
            ("device", "is a pipe or a device"),
            ("folder", "is a folder where a file should be"),
        ] {
            let world = world();
            replaced(&world, file, kind);
            let (render, check) = looked_at(&world, kind);
            // The agent starts an empty session where it cannot read one, unless it waits for ever.
            let goes_on = file.starts_with("sessions") && ["socket", "folder"].contains(&kind);
            let wanted = match file {
                _ if goes_on => (0, 0),
                "promptscope.toml" => (2, 2),
                _ => (1, 1),
            };
            let codes = (render.code.unwrap(), check.code.unwrap());
            assert_eq!(
                codes,
                wanted,
                "{file}, {kind}: {}{}",
                said(&render),
                said(&check)
            );
            assert!(
                said(&check).contains(file),
                "{file}, {kind}: {}",
                said(&check)
            );
            assert!(
                said(&check).contains(words),
                "{file}, {kind}: {}",
                said(&check)
            );
            if !goes_on {
                assert!(render.err.contains(file), "{file}, {kind}: {}", render.err);
                assert!(render.err.contains(words), "{file}, {kind}: {}", render.err);
            }
        }
    }
}

#[test]
fn a_link_that_leads_nowhere_is_told_where_the_agent_goes_on() {
    for file in [
        "AGENTS.md",
        "memory/MEMORY.md",
        "memory/history.jsonl",
        "skills/plain/SKILL.md",
        "sessions/cli_x.jsonl",
        "promptscope.toml",
    ] {
        for kind in ["link that leads nowhere", "loop"] {
            let world = world();
            replaced(&world, file, kind);
            let (render, check) = looked_at(&world, kind);
            let is_opened_unasked = file.starts_with("memory/") && kind == "loop";
            let (code, words) = if is_opened_unasked {
                (1, "is a link that goes round in circles")
            } else {
                (0, "is a link that leads nowhere")
            };
            assert_eq!(render.code, Some(code), "{file}, {kind}: {}", render.err);
            let line = check.out.lines().find(|line| line.contains(words));
            let line = line.unwrap_or_else(|| panic!("{file}, {kind}: {}", said(&check)));
            assert!(line.contains(&format!("{file}:1:1")), "{line}");
        }
    }
}

#[test]
fn a_prompt_source_that_is_none_is_told() {
    for kind in [
        "pipe",
        "socket",
        "device",
        "folder",
        "link that leads nowhere",
        "loop",
    ] {
        let world = world();
        replaced(&world, "prompts/main.md", kind);
        let (render, check) = looked_at(&world, kind);
        // What is there and is no file is an error; a folder and a link to nothing are no prompts.
        let is_error = matches!(kind, "pipe" | "socket" | "device");
        let code = Some(i32::from(is_error));
        assert_eq!((render.code, check.code), (Some(0), code), "{kind}");
        let show = world.run(&["show", "main", "workspace"]);
        assert_ne!(show.code, Some(0), "{kind}: {}", show.out);
        assert!(show.err.contains("main.md"), "{kind}: {}", show.err);
    }
}

#[test]
fn what_may_not_be_read_is_told() {
    let world = world();
    let is_root = fs::metadata(world.path("workspace")).unwrap().uid() == 0;
    let setpriv = ["/usr/bin/setpriv", "/bin/setpriv"];
    let setpriv = setpriv.into_iter().find(|path| Path::new(path).exists());
    if is_root && setpriv.is_none() {
        // Root may read everything, and nobody else can be asked.
        return;
    }
    for folder in ["", "home", "workspace"] {
        let everyone = fs::Permissions::from_mode(0o755);
        fs::set_permissions(world.path(folder), everyone).unwrap();
    }
    let binary = world.name("promptscope");
    fs::copy(env!("CARGO_BIN_EXE_promptscope"), &binary).unwrap();
    let run = |args: &[&str]| match setpriv.filter(|_| is_root) {
        Some(setpriv) => {
            let nobody = ["--reuid=65534", "--regid=65534", "--clear-groups", "--"];
            finish(world.program(setpriv, &[&nobody[..], &[&binary], args].concat()))
        }
        None => finish(world.program(&binary, args)),
    };
    for file in [
        "memory/MEMORY.md",
        "memory/history.jsonl",
        "skills/plain/SKILL.md",
        "sessions/cli_x.jsonl",
        "promptscope.toml",
    ] {
        let place = world.path("workspace").join(file);
        fs::set_permissions(&place, fs::Permissions::from_mode(0o000)).unwrap();
        let check = run(&["check", "workspace", "--encoding", "r50k_base"]);
        let render = run(&["render", "workspace", "--now", NOW]);
        fs::set_permissions(&place, fs::Permissions::from_mode(0o644)).unwrap();
        let told = said(&check);
        assert!(
            told.contains(file) && told.contains("denied"),
            "{file}: {told}"
        );
        let wanted = match file {
            "promptscope.toml" => 2,
            "sessions/cli_x.jsonl" => 0,
            _ => 1,
        };
        assert_eq!(render.code, Some(wanted), "{file}: {}", render.err);
    }
}

#[test]
fn a_file_that_grows_without_end_is_read_to_an_end() {
    let world = world();
    let path = world.path("workspace/memory/MEMORY.md");
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut file = File::options().append(true).open(&path).unwrap();
            // Bounded too, so that a disk is not filled where the program never ends.
            for _ in 0..2_000 {
                if is_over.load(Ordering::SeqCst) {
                    break;
                }
                file.write_all(&b"grows\n".repeat(500)).unwrap();
            }
        });
        let render = world.run(&["render", "workspace", "--now", NOW, "--section", "memory"]);
        is_over.store(true, Ordering::SeqCst);
        assert_eq!(render.code, Some(0), "{}", render.err);
        assert!(render.out.contains("Mei drinks tea."));
    });
}

//! `verify` with a real agent: the one that `PROMPTSCOPE_AGENT` names, with its own templates, its own
//! skills and its own Python. The script in `.ci` sets one up.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test fails by a panic, its helpers too"
)]

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::thread;

use promptscope::prompt::KNOWN_CHANNELS;

/// The runs at a time: most of each is one process that imports the agent.
const AT_ONCE: usize = 2;

/// What a run must come to, and its arguments.
type Case = (i32, Vec<String>);

fn agent() -> String {
    env::var("PROMPTSCOPE_AGENT").expect("PROMPTSCOPE_AGENT names an environment with the agent")
}

/// Makes a cache of the agent's tokenizer out of the file that comes with our own.
///
/// The agent looks for a file named by the SHA-1 of its address, and loads it from the network
/// otherwise.
fn tokenizer_cache() -> tempfile::TempDir {
    const NAME: &str = "9b5ad71b2ce5302211f9c61530b329a4922fc6a4";
    let home = env::var("CARGO_HOME").map(PathBuf::from);
    let home = home.unwrap_or_else(|_| PathBuf::from(env::var("HOME").unwrap()).join(".cargo"));
    let crates = fs::read_dir(home.join("registry/src"))
        .unwrap()
        .flat_map(|index| fs::read_dir(index.unwrap().path()).unwrap())
        .map(|entry| entry.unwrap().path());
    let ranks = crates
        .filter(|path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            name.starts_with("tiktoken-rs-")
        })
        .map(|path| path.join("assets/cl100k_base.tiktoken"))
        .find(|path| path.exists())
        .expect("the sources of tiktoken-rs");
    let cache = tempfile::tempdir().unwrap();
    fs::copy(ranks, cache.path().join(NAME)).unwrap();
    cache
}

/// Runs every case, two at a time, and fails with all that went otherwise.
fn run(cases: Vec<Case>) {
    let cache = tokenizer_cache();
    let agent = agent();
    let cases = Mutex::new(cases);
    let failed = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                loop {
                    let case = cases.lock().unwrap().pop();
                    let Some((code, args)) = case else {
                        return;
                    };
                    let output = Command::new(env!("CARGO_BIN_EXE_promptscope"))
                        .args(["verify", "--agent", &agent])
                        .args(&args)
                        .env("TIKTOKEN_CACHE_DIR", cache.path())
                        .output()
                        .unwrap();
                    if output.status.code() != Some(code) {
                        let text = [output.stdout, output.stderr].concat();
                        let text = String::from_utf8_lossy(&text).into_owned();
                        failed.lock().unwrap().push(format!("{args:?}\n{text}"));
                    }
                }
            });
        }
    });
    let failed = failed.into_inner().unwrap();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

#[test]
#[ignore = "needs an installed agent"]
fn the_example_on_every_channel_in_every_session() {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("workspace-example");
    let root = example.to_str().unwrap();
    let mut cases = Vec::new();
    for channel in KNOWN_CHANNELS.into_iter().chain([""]) {
        for session in ["telegram:12345", "email:orders@example.org", ""] {
            let turn = ["--channel", channel, "--chat-id", "7", "--session", session];
            let turn = [&[root, "--message", "Is my bike ready?"], &turn[..]].concat();
            cases.push((0, words(&turn)));
        }
        let by_name = [root, "--channel", channel, "--skill-order", "name"];
        cases.push((0, words(&by_name)));
    }
    for scenario in fs::read_dir(example.join("scenarios")).unwrap() {
        let scenario = scenario.unwrap().path();
        cases.push((0, words(&[root, "--scenario", scenario.to_str().unwrap()])));
    }
    run(cases);
}

#[test]
#[ignore = "needs an installed agent"]
fn workspaces_that_are_out_of_order() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name);
    let workspace = |name: &str, file: &str, body: &[u8]| {
        let file = path(name).join(file);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, body).unwrap();
        (0, words(&[path(name).to_str().unwrap()]))
    };
    let link = |target: &str, name: &str| {
        std::os::unix::fs::symlink(target, path(name)).unwrap();
    };
    let entry = |cursor: usize, content: &str| {
        format!("{{\"cursor\": {cursor}, \"timestamp\": \"t\", \"content\": \"{content}\"}}\n")
    };
    let long: String = (1..3000)
        .map(|n| entry(n, &"词语 words ".repeat(60)))
        .collect();
    let special = entry(1, &"<|endoftext|>".repeat(4000));
    let skill = "---\nmetadata: {nanobot: {requires: 5}}\n---\n";
    let mut cases = vec![
        workspace("bad bytes", "AGENTS.md", b"caf\xe9"),
        workspace("folder", "AGENTS.md/below", b""),
        workspace("long", "memory/history.jsonl", long.as_bytes()),
        workspace("special", "memory/history.jsonl", special.as_bytes()),
        workspace("raises", "skills/x/SKILL.md", skill.as_bytes()),
        workspace(
            "with space 日本",
            "skills/x/SKILL.md",
            b"---\ndescription: d\n---\n",
        ),
        workspace("no folder", "memory", b""),
        workspace("loop", "skills/x/SKILL.md", b"x"),
        workspace("linked", "skills/x/SKILL.md", b"x"),
        workspace("old", "memory/HISTORY.md", b"[2026-06-01 10:00] Old.\n"),
    ];
    link("MEMORY.md", "loop/MEMORY.md");
    fs::create_dir(path("loop/memory")).unwrap();
    link("MEMORY.md", "loop/memory/MEMORY.md");
    link("linked", "by link");
    cases.push((
        0,
        words(&[path("by link").to_str().unwrap(), "--session", "a:b"]),
    ));
    let linked = path("linked").to_str().unwrap().to_owned();
    for more in [
        ["--timezone", "Mars/Base"],
        ["--timezone", "Asia/Kathmandu"],
        ["--local-timezone", "America/St_Johns"],
    ] {
        cases.push((0, words(&[&[linked.as_str()], &more[..]].concat())));
    }
    let attached = path("attached.toml");
    fs::write(&attached, "cli_apps = [{name = 'gh'}]").unwrap();
    cases.push((
        0,
        words(&[&linked, "--scenario", attached.to_str().unwrap()]),
    ));
    // The hour that comes twice in autumn.
    for now in ["2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z"] {
        let berlin = [&linked, "--local-timezone", "Europe/Berlin", "--now", now];
        cases.push((0, words(&berlin)));
    }
    run(cases);
}

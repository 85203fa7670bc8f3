//! The modules form layers: each uses only those before it, and the core touches nothing outside.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test fails by a panic, its helpers too"
)]

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// The layers, each allowed to use those before it, with the exceptions of [`may_use`].
const LAYERS: [&str; 19] = [
    "error",
    "python",
    "tokens",
    "workspace",
    "revision",
    "library",
    "prompt",
    "budget",
    "lint",
    "insight",
    "scenario",
    "config",
    "machine",
    "inputs",
    "display",
    "app",
    "ui",
    "runtime",
    "main",
];

/// The command line and the headless commands stand beside the screen.
const BESIDE: [&str; 2] = ["cli", "commands"];

/// The layers that draw, wait and look at the clock.
const OUTER: [&str; 3] = ["ui", "runtime", "main"];

/// The places of the headless commands that go outside: `verify` is there to run the agent itself, on a
/// private copy, so it writes that copy and starts that process; `check` looks at several workspaces at
/// once; `files` writes what `compile` and `check --update-baseline` are asked to write. What they ask and how they compare stays a
/// function of values.
const GO_OUTSIDE: [&str; 5] = [
    "src/commands/check/effects.rs",
    "src/commands/files.rs",
    "src/commands/verify/effects.rs",
    "src/commands/verify/effects/child.rs",
    "src/commands/verify/effects/copy.rs",
];

/// What is asynchronous, reads or writes outside, or asks the clock.
const OUTSIDE: [&str; 27] = [
    "std::fs",
    "std::env",
    "std::net",
    "std::process",
    "std::thread",
    "std::io::stdin",
    "std::io::stdout",
    "std::io::stderr",
    "io::stdin",
    "io::stdout",
    "io::stderr",
    "tokio",
    "async",
    "await",
    "Instant::now",
    "SystemTime::now",
    "Utc::now",
    "Local::now",
    "print!",
    "println!",
    "eprint!",
    "eprintln!",
    "File::open",
    ".exists()",
    ".read_dir()",
    ".canonicalize()",
    ".symlink_metadata()",
];

/// Names the layers that a layer may use.
fn may_use(layer: &str) -> Vec<&'static str> {
    let before = |layer: &str| {
        let at = LAYERS.iter().position(|name| *name == layer);
        LAYERS[..at.expect("a layer of the list")].to_vec()
    };
    match layer {
        "error" | "python" => vec![],
        "tokens" => vec!["python"],
        "display" => vec!["error", "python"],
        "cli" => before("app"),
        "commands" => [before("app"), vec!["cli"]].concat(),
        "runtime" => [before("runtime"), vec!["cli"]].concat(),
        "main" => [before("main"), BESIDE.to_vec()].concat(),
        other => before(other),
    }
}

/// A file of the source, without its comments and its tests.
struct Source {
    /// The path below the crate's folder, for messages.
    name: String,
    /// The module's path from the crate's root: `["python", "json", "read"]`.
    module: Vec<String>,
    code: String,
}

impl Source {
    fn new(name: &str, text: &str) -> Self {
        let path = name.trim_start_matches("src/").trim_end_matches(".rs");
        Self {
            name: name.to_owned(),
            module: path.split('/').map(str::to_owned).collect(),
            code: code(text),
        }
    }

    fn layer(&self) -> &str {
        &self.module[0]
    }

    fn line(&self, at: usize) -> usize {
        self.code[..at].matches('\n').count() + 1
    }

    /// Lists the arrows that go out of this file: the line, and the layer used.
    fn arrows(&self) -> Vec<(usize, String)> {
        let mut arrows = Vec::new();
        let mut add = |at: usize, after: &str| {
            for layer in heads(after) {
                arrows.push((self.line(at), layer));
            }
        };
        for root in ["crate::", "promptscope::"] {
            for at in words(&self.code, root) {
                add(at, &self.code[at + root.len()..]);
            }
        }
        for at in words(&self.code, "super::") {
            let mut after = &self.code[at..];
            let mut depth = self.module.len();
            while let Some(rest) = after.strip_prefix("super::") {
                after = rest;
                depth = depth.saturating_sub(1);
            }
            if depth == 0 {
                add(at, after);
            }
        }
        arrows.retain(|(_, layer)| layer != self.layer());
        arrows
    }

    /// Lists what this file takes from outside: the line, and what it is.
    fn takes(&self) -> Vec<(usize, &'static str)> {
        let mut found = Vec::new();
        for what in OUTSIDE {
            found.extend(words(&self.code, what).map(|at| (self.line(at), what)));
            // `use std::{env, fs}` takes the same.
            if let Some(inner) = what.strip_prefix("std::") {
                for at in words(&self.code, "std::{") {
                    let after = &self.code[at + "std::".len()..];
                    if heads(after).iter().any(|head| head == inner) {
                        found.push((self.line(at), what));
                    }
                }
            }
        }
        found
    }
}

/// Drops comments and everything from the tests on; lines keep their numbers.
fn code(text: &str) -> String {
    text.lines()
        .take_while(|line| line.trim() != "#[cfg(test)]")
        .map(|line| match line.find("//") {
            Some(at) if !line[..at].ends_with(':') => &line[..at],
            _ => line,
        })
        .flat_map(|line| [line, "\n"])
        .collect()
}

/// Finds the places of a path or a word, not as the end or the start of a longer one.
fn words<'a>(code: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    code.match_indices(word)
        .map(|(at, _)| at)
        .filter(move |at| {
            let before = code[..*at].chars().next_back();
            let after = code[at + word.len()..].chars().next();
            let starts = !word.starts_with(is_name)
                || before.is_none_or(|c| !is_name(c) && (c != ':' || !word.ends_with(':')));
            let ends = !word.ends_with(is_name) || after.is_none_or(|c| !is_name(c));
            starts && ends
        })
}

/// Gives the first names after a `crate::`: one, or those of a group in braces.
fn heads(after: &str) -> Vec<String> {
    let name = |text: &str| -> String {
        let text = text.trim_start();
        text.chars()
            .take_while(|c| c.is_alphanumeric() || "_*".contains(*c))
            .collect()
    };
    let Some(group) = after.strip_prefix('{') else {
        return vec![name(after)];
    };
    let mut depth = 0;
    let mut items = vec![String::new()];
    for c in group.chars() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => items.push(String::new()),
            _ => {}
        }
        if c != ',' || depth > 0 {
            items.last_mut().expect("there is one").push(c);
        }
    }
    let names = items.iter().map(|item| name(item));
    names.filter(|name| !name.is_empty()).collect()
}

/// Lists the files below a folder of the crate, by their paths in the crate.
fn files(folder: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![PathBuf::from(folder)];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(crate_folder().join(&folder)).expect("a folder of the source");
        for entry in entries {
            let entry = entry.expect("an entry");
            let path = folder.join(entry.file_name());
            if entry.file_type().expect("a type").is_dir() {
                folders.push(path);
            } else {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn crate_folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Reads the source, without the files that hold tests alone.
fn sources() -> Vec<Source> {
    let is_code = |path: &PathBuf| {
        path.extension().is_some_and(|ending| ending == "rs")
            && path.file_name().is_some_and(|name| name != "tests.rs")
    };
    let sources: Vec<Source> = files("src")
        .into_iter()
        .filter(is_code)
        .map(|path| {
            let text = fs::read_to_string(crate_folder().join(&path)).expect("a file of source");
            Source::new(&path.display().to_string(), &text)
        })
        .collect();
    assert!(sources.len() > 80, "the source is there");
    sources
}

/// Says which arrows of a file go the wrong way.
fn wrong_arrows(source: &Source) -> String {
    let mut wrong = String::new();
    let layer = source.layer();
    // The library's root names the modules and uses none.
    let allowed = match layer {
        "lib" => vec![],
        layer => may_use(layer),
    };
    for (line, used) in source.arrows() {
        if !allowed.contains(&used.as_str()) {
            let name = &source.name;
            let allowed = allowed.join(", ");
            let _ = writeln!(
                wrong,
                "{name}:{line}: {layer} → {used}, but {layer} may use: {allowed}"
            );
        }
    }
    wrong
}

/// Says what a file takes from outside though its layer may not.
fn wrong_takes(source: &Source) -> String {
    let may_go_outside = OUTER.contains(&source.layer())
        || source.name == "src/workspace/read.rs"
        || GO_OUTSIDE.contains(&source.name.as_str());
    if may_go_outside {
        return String::new();
    }
    let mut wrong = String::new();
    for (line, what) in source.takes() {
        // The machine is looked at once, here.
        let is_look = ["std::env", "Local::now"].contains(&what) && source.layer() == "machine";
        if !is_look {
            let (name, layer) = (&source.name, source.layer());
            let _ = writeln!(wrong, "{name}:{line}: {layer} → {what}");
        }
    }
    wrong
}

#[test]
fn every_module_has_its_layer() {
    let library = fs::read_to_string(crate_folder().join("src/lib.rs")).unwrap();
    let mut modules: Vec<&str> = library
        .lines()
        .filter_map(|line| line.trim_start_matches("pub ").strip_prefix("mod "))
        .map(|line| line.trim_end_matches(';'))
        .collect();
    let mut layers = [&LAYERS[..], &BESIDE].concat();
    layers.retain(|layer| *layer != "main");
    modules.sort_unstable();
    layers.sort_unstable();
    assert_eq!(modules, layers);
}

#[test]
fn no_arrow_goes_the_wrong_way() {
    let sources = sources();
    let count: usize = sources.iter().map(|source| source.arrows().len()).sum();
    assert!(count > 100, "only {count} arrows were seen");
    let wrong: String = sources.iter().map(wrong_arrows).collect();
    assert!(wrong.is_empty(), "arrows go the wrong way:\n{wrong}");
}

#[test]
fn the_core_reads_through_one_door_and_never_asks_the_clock() {
    let wrong: String = sources().iter().map(wrong_takes).collect();
    assert!(
        wrong.is_empty(),
        "only src/workspace/read.rs, {}, {} and the tests may do this:\n{wrong}",
        OUTER.join(", "),
        GO_OUTSIDE.join(", ")
    );
}

#[test]
fn no_file_has_more_than_400_lines() {
    let long: Vec<String> = files("src")
        .into_iter()
        .filter_map(|path| {
            let text = fs::read_to_string(crate_folder().join(&path)).expect("source is text");
            let lines = text.lines().count();
            (lines > 400).then(|| format!("{} has {lines} lines", path.display()))
        })
        .collect();
    assert!(long.is_empty(), "split these: {}", long.join(", "));
}

#[test]
fn only_tests_follow_the_tests() {
    for path in files("src") {
        let text = fs::read_to_string(crate_folder().join(&path)).expect("source is text");
        let mut after = text
            .lines()
            .skip_while(|line| line.trim() != "#[cfg(test)]")
            .skip(1);
        let next = after.next().unwrap_or("mod tests");
        assert!(
            next.starts_with("mod tests"),
            "{}: {next:?} hides what follows from these checks",
            path.display()
        );
        if next == "mod tests;" {
            let rest: Vec<&str> = after.filter(|line| !line.is_empty()).collect();
            let uses = rest.iter().find(|line| line.contains("crate::"));
            assert_eq!(uses, None, "{}: put it above the tests", path.display());
        }
    }
}

#[test]
fn wrong_arrows_are_seen_in_every_form() {
    for (name, text, wanted) in [
        (
            "src/prompt/memory.rs",
            "use crate::ui::render;",
            "prompt → ui",
        ),
        (
            "src/prompt/memory.rs",
            "\nlet a = crate::app::App;",
            ":2: prompt → app",
        ),
        (
            "src/prompt/memory.rs",
            "use crate::{\n  python::{a, b},\n  cli,\n};",
            "prompt → cli",
        ),
        (
            "src/prompt/memory.rs",
            "use super::super::runtime;",
            "prompt → runtime",
        ),
        (
            "src/prompt.rs",
            "use super::{budget, python};",
            "prompt → budget",
        ),
        (
            "src/display/wrap.rs",
            "use crate::tokens::count;",
            "display → tokens",
        ),
        (
            "src/commands/render.rs",
            "use crate::app::App;",
            "commands → app",
        ),
        ("src/inputs.rs", "use crate::*;", "inputs → *"),
        ("src/lib.rs", "pub use crate::app::App;", "lib → app"),
    ] {
        let wrong = wrong_arrows(&Source::new(name, text));
        assert!(wrong.contains(wanted), "{text}: {wrong}");
        assert!(wrong.starts_with(name), "{wrong}");
    }
    for (name, text) in [
        (
            "src/prompt/memory.rs",
            "//! [`crate::ui`]\nuse super::render; // crate::ui",
        ),
        (
            "src/prompt/memory.rs",
            "use crate::prompt::JOIN;\nuse crate::{tokens, python::{app, ui}};",
        ),
        (
            "src/prompt/memory.rs",
            "#[cfg(test)]\nmod tests { use crate::ui; }",
        ),
        ("src/main.rs", "use promptscope::{cli, runtime};"),
    ] {
        assert_eq!(wrong_arrows(&Source::new(name, text)), "", "{text}");
    }
}

#[test]
fn what_comes_from_outside_is_seen_in_every_form() {
    for (text, wanted) in [
        ("use std::fs;", "std::fs"),
        ("use std::{fmt, env};", "std::env"),
        ("let now = chrono::Utc::now();", "Utc::now"),
        ("\n\nif path.exists() {}", ":3: app → .exists()"),
        ("println!(\"x\");", "println!"),
        ("pub async fn run() {}", "async"),
        ("tokio::spawn(x)", "tokio"),
    ] {
        let wrong = wrong_takes(&Source::new("src/app/update.rs", text));
        assert!(wrong.contains(wanted), "{text}: {wrong}");
    }
    for text in [
        "use std::fmt;",
        "let asynchronous = env!(\"A\");",
        "// std::fs",
        "use std::{fmt, io};",
    ] {
        assert_eq!(wrong_takes(&Source::new("src/app/update.rs", text)), "");
    }
    for (name, text) in [
        ("src/workspace/read.rs", "use std::fs;"),
        ("src/machine.rs", "std::env::vars_os()"),
        ("src/ui/theme.rs", "std::env::var(\"A\")"),
        ("src/commands/verify/effects.rs", "use std::fs;"),
    ] {
        assert_eq!(wrong_takes(&Source::new(name, text)), "");
    }
    for name in ["src/commands/verify.rs", "src/commands/verify/compare.rs"] {
        assert_ne!(wrong_takes(&Source::new(name, "use std::fs;")), "");
    }
}

//! The rows that tests of their own hold: they are run, and counted.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::row::{Outcome, Row, Scale};

/// Lists the rows.
pub fn rows() -> Vec<Row> {
    let row = |id, measure, target, run| Row {
        id,
        measure,
        target,
        run,
        is_brief: false,
    };
    vec![
        row(
            "S1",
            "malformed workspaces",
            "no panic, no stall, each told with its path",
            malformed,
        ),
        row(
            "S2",
            "fuzz targets: corpus and mutations",
            "no crash",
            corpus,
        ),
        row(
            "S3",
            "recorded workspaces of the published agent",
            "500 or more, every byte",
            recorded,
        ),
        row(
            "S12",
            "every character through every way out",
            "only allowed escapes",
            safe_output,
        ),
        row(
            "S13",
            "characters that nobody sees",
            "each leaves a mark",
            marks,
        ),
        row("S14", "ways out of a workspace", "none is opened", ways_out),
        row(
            "S15",
            "special files in every place",
            "told, and nothing waits",
            special_files,
        ),
        row(
            "S20",
            "headless pipelines",
            "no panic, the same exit codes and bytes",
            pipelines,
        ),
        row(
            "S21",
            "what is written in a workspace",
            "nothing but what is asked for",
            read_only,
        ),
        row("S22", "dependencies", "cargo-deny is clean", dependencies),
        row(
            "S23",
            "seeded faults",
            "all but one are caught",
            seeded_faults,
        ),
    ]
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Runs a test target, and counts what passed.
fn suite(target: &str, filter: &str, variables: &[(&str, String)], about: &str) -> Outcome {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command
        .args(["test", "--locked", "--test", target, "--", filter])
        .current_dir(root())
        .env_remove("PROMPTSCOPE_SCORECARD");
    for (name, value) in variables {
        command.env(name, value);
    }
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let passed = text
        .lines()
        .filter_map(|line| line.strip_prefix("test result: "))
        .filter_map(|line| {
            line.split_once(". ")?
                .1
                .split(' ')
                .next()?
                .parse::<usize>()
                .ok()
        });
    let passed: usize = passed.sum();
    let mut faults = failed(&output);
    if passed == 0 {
        faults.push(format!("{target} ran no test"));
    }
    Outcome::new(format!("{passed} tests{about}"), faults)
}

/// Gives the end of what was said where something failed.
fn failed(output: &Output) -> Vec<String> {
    if output.status.success() {
        return Vec::new();
    }
    let text = [&output.stdout[..], &output.stderr[..]].concat();
    let text = String::from_utf8_lossy(&text);
    let lines: Vec<&str> = text.lines().collect();
    vec![lines[lines.len().saturating_sub(30)..].join("\n")]
}

fn malformed(scale: Scale) -> Outcome {
    let cases = scale.of(100, 500, 5000).to_string();
    let about = format!(", {cases} workspaces");
    let cases = [("PROMPTSCOPE_MALFORMED_CASES", cases)];
    suite("malformed", "", &cases, &about)
}

fn corpus(scale: Scale) -> Outcome {
    let files = count(&root().join("fuzz/corpus"));
    let mutations = scale.of(None, None, Some("20000"));
    let variables = mutations.map(|count| ("PROMPTSCOPE_FUZZ_CASES", count.to_owned()));
    let about = format!(" over {files} files of the corpus, without coverage guidance");
    suite("corpus", "", variables.as_slice(), &about)
}

/// Counts the files below a folder.
fn count(folder: &Path) -> usize {
    let entries = std::fs::read_dir(folder).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    paths
        .map(|path: PathBuf| if path.is_dir() { count(&path) } else { 1 })
        .sum()
}

fn recorded(_: Scale) -> Outcome {
    let cases = root().join("tests/oracle/cases");
    let files = std::fs::read_dir(cases).unwrap();
    let texts = files.map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap());
    let lines = texts.map(|text| text.lines().count());
    let about = format!(" over {} recorded cases", lines.sum::<usize>());
    suite("recorded_parity", "", &[], &about)
}

fn safe_output(_: Scale) -> Outcome {
    suite("safe_output", "", &[], "")
}

fn marks(_: Scale) -> Outcome {
    suite("safe_output", "mark", &[], "")
}

/// Demands strace: without it nothing is seen.
fn traced(filter: &str) -> Outcome {
    let needs = [("PROMPTSCOPE_NEEDS_STRACE", "1".to_owned())];
    suite("traced", filter, &needs, " under strace")
}

fn ways_out(_: Scale) -> Outcome {
    traced("containment")
}

fn read_only(_: Scale) -> Outcome {
    traced("read_only")
}

fn special_files(_: Scale) -> Outcome {
    suite("headless", "special_files", &[], "")
}

fn pipelines(_: Scale) -> Outcome {
    suite("headless", "pipelines", &[], "")
}

fn dependencies(scale: Scale) -> Outcome {
    let own = root().join("target/tools/bin/cargo-deny");
    let program = if own.exists() {
        own
    } else {
        "cargo-deny".into()
    };
    let args = ["check", "bans", "licenses", "sources"];
    let output = Command::new(program)
        .args(args)
        .current_dir(root())
        .output();
    match output {
        Ok(output) => Outcome::new("bans, licences and sources", failed(&output)),
        Err(error) => {
            let missing = format!("cargo-deny cannot be run: {error}");
            let faults = scale.of(vec![], vec![], vec![missing.clone()]);
            Outcome::new(missing, faults)
        }
    }
}

fn seeded_faults(scale: Scale) -> Outcome {
    if scale != Scale::Full {
        return suite(
            "faults",
            "",
            &[],
            ": every fault still applies; none was seeded",
        );
    }
    let script = root().join("tests/faults/run.sh");
    let output = Command::new(script).current_dir(root()).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let last = text.lines().last().unwrap_or_default().to_owned();
    Outcome::new(last, failed(&output))
}

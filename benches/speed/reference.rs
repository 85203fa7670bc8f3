//! The program against the agent's own code, on the same workspace.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use chrono::Utc;
use promptscope::budget::Usage;
use promptscope::inputs::{Inputs, Request};
use promptscope::machine::Machine;
use promptscope::tokens::{Counter, Encoding};
use promptscope::workspace::Workspace;
use tempfile::TempDir;

use super::table::{Pair, Row, alone, timed};

const ROUNDS: usize = 7;
const WARM_ROUNDS: usize = 201;

const WHAT: &str = "`render --format json` of the example";
const WARM: &str = "assemble and count what was read";
const READ: &str = "resolve the settings, read, assemble and count";

/// Measures both, where an environment with the agent is named.
pub fn references() -> Vec<Row> {
    let Some(agent) = env::var_os("PROMPTSCOPE_AGENT").map(PathBuf::from) else {
        let missing = "not measured: PROMPTSCOPE_AGENT names no environment with the agent";
        return [WHAT, WARM, READ]
            .map(|what| alone(what, missing, "–"))
            .into();
    };
    let ranks = ranks();
    let python = |arguments: &[&str]| {
        let mut command = Command::new(agent.join("bin/python"));
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/speed/reference.py");
        command.arg(script).arg(example()).args(arguments);
        command.env("TIKTOKEN_CACHE_DIR", ranks.path());
        let output = command.output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{said}");
        String::from_utf8(output.stdout).unwrap()
    };
    let whole = Pair::told(
        ROUNDS,
        |_| {
            timed(|| {
                let mut render = Command::new(env!("CARGO_BIN_EXE_promptscope"));
                render
                    .arg("render")
                    .arg(example())
                    .args(["--format", "json"]);
                render.arg("--agent").arg(&agent);
                assert!(render.output().unwrap().status.success());
            })
        },
        |_| timed(|| python(&[])),
    );
    let rounds = python(&[&WARM_ROUNDS.to_string()]);
    let mut lines = rounds.lines();
    let wanted: usize = lines.next().unwrap().parse().unwrap();
    let python: Vec<Duration> = lines
        .map(|line| Duration::from_secs_f64(line.parse().unwrap()))
        .collect();
    let machine = Machine::observe();
    let mut counter = Counter::new(Encoding::O200kBase);
    let read = read(&agent, &machine);
    // Python's own name and version stand in the text, and are other than those that are assumed here.
    let ours = count(&read, &machine, &mut counter);
    assert!(
        ours.abs_diff(wanted) * 20 < wanted,
        "{ours} and {wanted} tokens"
    );
    let warm = Pair::told(
        WARM_ROUNDS,
        |_| timed(|| count(&read, &machine, &mut counter)),
        |round| python[round],
    );
    let all = Pair::told(
        WARM_ROUNDS,
        |_| timed(|| count(&self::read(&agent, &machine), &machine, &mut counter)),
        |round| python[round],
    );
    let other = "the agent in Python, warm";
    vec![
        whole.faster(WHAT, "Python imports, builds and counts", "≥ 20×"),
        warm.faster(WARM, other, "≥ 50×"),
        all.faster(READ, other, "–"),
    ]
}

fn example() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("workspace-example")
}

/// Resolves the settings and reads.
fn read(agent: &Path, machine: &Machine) -> (Inputs, Workspace) {
    let request = Request {
        workspace: Some(example()),
        agent: Some(agent.into()),
        message: Some("Where is the tandem?".into()),
        channel: Some("telegram".into()),
        chat_id: Some("1".into()),
        ..Request::default()
    };
    let inputs = Inputs::resolve(&request, machine).unwrap();
    let workspace = Workspace::read(&inputs.places);
    (inputs, workspace)
}

/// Assembles and counts.
fn count(
    (inputs, workspace): &(Inputs, Workspace),
    machine: &Machine,
    counter: &mut Counter,
) -> usize {
    let assembly = inputs.assemble(workspace, machine, Utc::now());
    let usage = Usage::count(&assembly, counter);
    usage.system_prompt + usize::try_from(usage.user_message).unwrap()
}

/// Makes a cache for Python's tokenizer out of the file that comes with tiktoken-rs.
///
/// Python looks for a file named by the SHA-1 of its address, and loads it from the network otherwise.
fn ranks() -> TempDir {
    const NAME: &str = "fb374d419588a4632f3f557e76b4b70aebbca790";
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.unwrap_or_else(|| env::home_dir().unwrap().join(".cargo"));
    let folders = |path: &Path| {
        let entries = fs::read_dir(path).unwrap();
        entries
            .map(|entry| entry.unwrap().path())
            .collect::<Vec<_>>()
    };
    let ranks = folders(&home.join("registry/src"))
        .iter()
        .flat_map(|index| folders(index))
        .map(|source| source.join("assets/o200k_base.tiktoken"))
        .find(|path| path.exists())
        .unwrap();
    let cache = tempfile::tempdir().unwrap();
    fs::copy(ranks, cache.path().join(NAME)).unwrap();
    cache
}

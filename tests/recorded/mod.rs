//! Recorded cases of the reference: laid out on disk, and turned into a scenario.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use base64::Engine as _;
use promptscope::python::{Dict, Value, json};

/// One recorded case, laid out in a folder of its own.
pub struct Case {
    pub name: String,
    pub expect: Value,
    pub workspace: PathBuf,
    /// The scenario that asks promptscope for the same turn.
    pub scenario: Value,
    dir: tempfile::TempDir,
}

fn oracle() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oracle")
}

/// Checks every case of a file, on as many threads as there are cores, and shows all that differ.
///
/// The check gets the case's place in the file beside the case.
pub fn run(file: &str, check: impl Fn(usize, &Case) -> Result<(), String> + Sync) {
    let records = lines(file);
    let next = AtomicUsize::new(0);
    let failed = Mutex::new(Vec::new());
    let work = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(record) = records.get(index) else {
                return;
            };
            let case = Case::lay_out(record);
            if let Err(difference) = check(index, &case) {
                let mut failed = failed.lock().expect("no thread failed");
                failed.push(format!("{}: {difference}", case.name));
            }
        }
    };
    let threads = thread::available_parallelism().map_or(2, usize::from);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(work);
        }
    });
    let failed = failed.into_inner().expect("no thread failed");
    assert!(
        failed.is_empty(),
        "{} of {} cases differ:\n\n{}",
        failed.len(),
        records.len(),
        failed.join("\n\n")
    );
    assert!(records.len() >= 120, "{file} holds its cases");
}

/// Reads the lines of a file of cases.
fn lines(file: &str) -> Vec<Value> {
    let path = oracle().join("cases").join(file);
    let text = fs::read_to_string(path).expect("the recorded cases are there");
    text.lines()
        .map(|line| json::loads(line).expect("a case is JSON"))
        .collect()
}

fn text(value: Option<&Value>) -> Option<String> {
    value.and_then(Value::as_str).map(str::to_owned)
}

fn dict(pairs: Vec<(&str, Value)>) -> Value {
    let pairs = pairs.into_iter();
    Value::Dict(pairs.map(|(key, value)| (Value::str(key), value)).collect())
}

impl Case {
    /// Lays a case out on disk.
    pub fn lay_out(record: &Value) -> Self {
        let dir = tempfile::tempdir().expect("a folder for the case");
        let home = fs::canonicalize(dir.path()).expect("the folder is there");
        let workspace = home.join("workspace");
        fs::create_dir(&workspace).expect("a workspace");
        if let Some(Value::Dict(files)) = record.get("files") {
            for (path, body) in files {
                write(&workspace, &path.to_str(), body);
            }
        }
        let scenario = scenario(record, &workspace);
        Self {
            name: text(record.get("name")).expect("a case has a name"),
            expect: record.get("expect").expect("a case is recorded").clone(),
            workspace,
            scenario,
            dir,
        }
    }

    /// Writes the scenario beside the workspace and gives its path.
    pub fn scenario_file(&self) -> PathBuf {
        let path = self.dir.path().join("scenario.json");
        let json = json::dumps(&self.scenario);
        let json = promptscope::python::surrogate::escaped_in_json(&json).into_owned();
        fs::write(&path, json).expect("the scenario is written");
        path
    }

    /// Puts the placeholders of the record in place of this machine's folders.
    pub fn shown(&self, text: &str) -> String {
        text.replace(&self.workspace.display().to_string(), "@WORKSPACE@")
            .replace(
                &oracle().join("builtin-skills").display().to_string(),
                "@BUILTIN@",
            )
    }

    /// The same inside any value.
    pub fn shown_value(&self, value: &Value) -> Value {
        match value {
            Value::Str(text) => Value::Str(self.shown(text)),
            Value::List(items) => {
                Value::List(items.iter().map(|item| self.shown_value(item)).collect())
            }
            Value::Dict(fields) => {
                let shown = fields
                    .iter()
                    .map(|(key, item)| (key.clone(), self.shown_value(item)));
                Value::Dict(shown.collect())
            }
            other => other.clone(),
        }
    }
}

fn write(workspace: &Path, path: &str, body: &Value) {
    let path = workspace.join(path);
    fs::create_dir_all(path.parent().expect("a file has a folder")).expect("folders");
    if let Value::Str(text) = body {
        fs::write(&path, text).expect("a file");
    } else if let Some(link) = text(body.get("symlink")) {
        let target = link.replace("@WORKSPACE@", &workspace.display().to_string());
        std::os::unix::fs::symlink(target, &path).expect("a link");
    } else if body.get("folder").is_some() {
        fs::create_dir_all(&path).expect("a folder");
    } else {
        let base64 = text(body.get("base64")).expect("bytes");
        let bytes = base64::engine::general_purpose::STANDARD.decode(base64);
        fs::write(&path, bytes.expect("base64")).expect("a file");
    }
}

/// Says in a scenario what a case says to the reference.
fn scenario(record: &Value, workspace: &Path) -> Value {
    let workspace_text = workspace.display().to_string();
    let request = record
        .get("request")
        .cloned()
        .unwrap_or(Value::Dict(Dict::new()));
    let request = json::dumps(&request).replace("@WORKSPACE@", &workspace_text);
    let Ok(Value::Dict(mut fields)) = json::loads(&request) else {
        panic!("a request is an object");
    };
    let mut set = |key: &str, value: Value| {
        fields.insert(Value::str(key), value);
    };
    for key in ["timezone", "disabled_skills"] {
        if let Some(value) = record.get(key) {
            set(key, value.clone());
        }
    }
    set("skill_order", Value::str("name"));
    set(
        "templates",
        Value::Str(oracle().join("templates").display().to_string()),
    );
    let builtin = match record.get("builtin_skills") {
        Some(Value::Bool(false)) => Value::Bool(false),
        _ => Value::Str(oracle().join("builtin-skills").display().to_string()),
    };
    set("builtin_skills", builtin);
    let platform = record.get("platform");
    let part = |key: &str, default: &str| {
        let given = platform.and_then(|platform| text(platform.get(key)));
        Value::Str(given.unwrap_or_else(|| default.to_owned()))
    };
    let or = |key: &str, default: Value| record.get(key).cloned().unwrap_or(default);
    set(
        "host",
        dict(vec![
            ("system", part("system", "Linux")),
            ("machine", part("machine", "x86_64")),
            ("python", part("python", "3.12.4")),
            ("now", or("now", Value::str("2026-06-19T02:30:00+00:00"))),
            ("local_timezone", or("local_tz", Value::str("UTC"))),
            ("path", Value::List(vec![])),
            ("bins", or("bins", Value::List(vec![]))),
            ("env", env(record)),
        ]),
    );
    Value::Dict(fields)
}

/// Gives the variables of a case; PATH and HOME are set in every one.
fn env(record: &Value) -> Value {
    let mut env = Dict::new();
    for name in ["PATH", "HOME"] {
        env.insert(Value::str(name), Value::str("/somewhere"));
    }
    if let Some(Value::Dict(more)) = record.get("env") {
        env.extend(more.clone());
    }
    Value::Dict(env)
}

/// Shows where two texts begin to differ.
pub fn first_difference(got: &str, wanted: &str) -> String {
    let at = got
        .char_indices()
        .zip(wanted.chars())
        .find(|((_, a), b)| a != b)
        .map_or(got.len().min(wanted.len()), |((at, _), _)| at);
    let line = got[..at].matches('\n').count() + 1;
    let around = |text: &str| {
        let start = text.floor_char_boundary(at.saturating_sub(40));
        let end = text.floor_char_boundary((at + 80).min(text.len()));
        format!("{:?}", text.get(start..end).unwrap_or_default())
    };
    format!(
        "first difference at byte {at}, line {line}:\n     got {}\n  wanted {}",
        around(got),
        around(wanted)
    )
}

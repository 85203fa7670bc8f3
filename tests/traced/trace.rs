//! A run of the program under strace, and what it tells of files.

use std::fs;
use std::io::Write as _;
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// The calls that are traced: all with a path, and those that change a file by its descriptor.
pub const CALLS: &str =
    "trace=%file,ftruncate,fallocate,fchmod,fchown,fsetxattr,fremovexattr,futimesat,utimensat";

/// The calls that change what is on the disk, by the beginnings of their names.
const MUTATING: [&str; 20] = [
    "creat",
    "rename",
    "unlink",
    "mkdir",
    "rmdir",
    "mknod",
    "link",
    "symlink",
    "truncate",
    "ftruncate",
    "fallocate",
    "chmod",
    "fchmod",
    "chown",
    "fchown",
    "lchown",
    "utime",
    "futime",
    "setxattr",
    "mount",
];

/// The same for extended attributes, whose names have a letter before.
const XATTR: [&str; 2] = ["setxattr", "removexattr"];

/// What a file is opened with where it may be changed.
const WRITING: [&str; 5] = ["O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC", "O_APPEND"];

/// Tells whether strace works here. Without it a test says that it was skipped, unless
/// `PROMPTSCOPE_NEEDS_STRACE` demands it.
pub fn is_there() -> bool {
    let status = Command::new("strace")
        .args(["-f", "--seccomp-bpf", "-o", "/dev/null", "true"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    let is_there = status.is_ok_and(|status| status.success());
    let is_needed = std::env::var_os("PROMPTSCOPE_NEEDS_STRACE").is_some();
    assert!(
        is_there || !is_needed,
        "strace does not work here, and it is needed"
    );
    if !is_there {
        // A harness that keeps what a test prints shows this all the same.
        let skipped = b"SKIPPED: strace does not work here, so nothing is proved\n";
        std::io::stderr().write_all(skipped).unwrap();
    }
    is_there
}

/// A world to run in: `home`, `workspace`, and what must not be touched `outside`.
pub struct World {
    dir: TempDir,
}

/// A call as it was traced.
#[derive(Debug, Clone)]
pub struct Call {
    pub name: String,
    pub line: String,
    /// Every path that it names, made absolute.
    pub paths: Vec<PathBuf>,
    /// What it opened.
    pub opened: Option<PathBuf>,
}

/// What a run did.
pub struct Traced {
    pub calls: Vec<Call>,
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl World {
    pub fn new() -> Self {
        let world = Self {
            dir: tempfile::tempdir().unwrap(),
        };
        for folder in ["home", "workspace", "outside"] {
            fs::create_dir(world.path(folder)).unwrap();
        }
        world
    }

    pub fn path(&self, below: &str) -> PathBuf {
        fs::canonicalize(self.dir.path()).unwrap().join(below)
    }

    pub fn write(&self, below: &str, text: &str) {
        let path = self.path(below);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Runs the program under strace.
    pub fn run(&self, args: &[&str]) -> Traced {
        let traces = tempfile::tempdir().unwrap();
        let prefix = traces.path().join("t");
        let output = Command::new("strace")
            .args([
                "-ff",
                "-y",
                "--seccomp-bpf",
                "-s",
                "4096",
                "-e",
                CALLS,
                "-o",
            ])
            .arg(&prefix)
            .arg(env!("CARGO_BIN_EXE_promptscope"))
            .args(args)
            .current_dir(self.path(""))
            .env_clear()
            .env("HOME", self.path("home"))
            .env("PATH", "/usr/bin:/bin")
            .env("TZ", "UTC")
            .stdin(Stdio::null())
            .output()
            .unwrap();
        Traced {
            calls: calls(traces.path(), &self.path("")),
            code: output.status.code(),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

/// Reads what strace wrote into a folder, a file for each thread.
pub fn calls(folder: &Path, current: &Path) -> Vec<Call> {
    let mut calls = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let text = fs::read(entry.unwrap().path()).unwrap();
        let text = String::from_utf8_lossy(&text);
        calls.extend(text.lines().filter_map(|line| call(line, current)));
    }
    assert!(
        calls.iter().any(|call| call.name == "execve"),
        "nothing was traced"
    );
    calls
}

fn call(line: &str, current: &Path) -> Option<Call> {
    let (name, rest) = line.split_once('(')?;
    let mut paths = Vec::new();
    let mut opened = None;
    // The folder that a relative path starts at stands before it.
    let mut base = current.to_path_buf();
    let mut left = rest;
    while let Some(at) = left.find(['"', '<']) {
        let (close, is_quoted) = if left[at..].starts_with('"') {
            ('"', true)
        } else {
            ('>', false)
        };
        let inner = &left[at + 1..];
        let end = inner.find(close)?;
        let path = Path::new(&inner[..end]);
        if is_quoted {
            paths.push(clean(&base.join(path)));
            base = current.to_path_buf();
        } else {
            let is_result = left[..at].contains(") = ");
            if is_result && name.starts_with("open") {
                opened = Some(path.to_path_buf());
            }
            paths.push(path.to_path_buf());
            base = path.to_path_buf();
        }
        left = &inner[end + 1..];
    }
    Some(Call {
        name: name.to_owned(),
        line: line.to_owned(),
        paths,
        opened,
    })
}

/// Takes dots out of a path by its names alone.
fn clean(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                out.pop();
            }
            Component::CurDir => {}
            part => out.push(part),
        }
    }
    out
}

impl Call {
    /// Tells whether it asks for a change on the disk, granted or not.
    pub fn is_mutating(&self) -> bool {
        let name = self.name.as_str();
        let is_open = name.starts_with("open");
        (is_open && WRITING.iter().any(|flag| self.line.contains(flag)))
            || MUTATING.iter().any(|start| name.starts_with(start))
            || XATTR.iter().any(|end| name.ends_with(end))
    }

    /// Tells whether it names something in a folder, or the folder.
    pub fn is_in(&self, folder: &Path) -> bool {
        self.paths.iter().any(|path| path.starts_with(folder))
    }
}

/// Lists the calls that ask for a change in a folder.
pub fn changes(calls: &[Call], folder: &Path) -> Vec<String> {
    let changes = calls
        .iter()
        .filter(|call| call.is_mutating() && call.is_in(folder));
    changes.map(|call| call.line.clone()).collect()
}

/// Lists the calls that opened something in a folder.
pub fn opens(calls: &[Call], folder: &Path) -> Vec<String> {
    let is_there = |call: &&Call| {
        let opened = call.opened.as_ref();
        opened.is_some_and(|path| path.starts_with(folder))
    };
    let opens = calls.iter().filter(is_there);
    opens.map(|call| call.line.clone()).collect()
}

#[test]
fn calls_that_change_or_open_something_are_told_from_others() {
    let read = |line: &str| call(line, Path::new("/w")).unwrap();
    for (line, is_mutating, is_in) in [
        (
            r#"openat(AT_FDCWD</w>, "ws/a", O_RDONLY|O_CLOEXEC) = 3</w/ws/a>"#,
            false,
            true,
        ),
        (
            r#"openat(AT_FDCWD</w>, "ws/a", O_WRONLY|O_CREAT, 0666) = -1 EACCES (x)"#,
            true,
            true,
        ),
        (r#"mkdir("ws/b", 0777) = 0"#, true, true),
        (r#"mkdirat(5</w/ws>, "b", 0777) = 0"#, true, true),
        (
            r#"renameat(AT_FDCWD</w>, "x", 5</w/ws>, "../y") = 0"#,
            true,
            true,
        ),
        (
            r#"renameat(AT_FDCWD</w>, "x", AT_FDCWD</w>, "ws/../y") = 0"#,
            true,
            false,
        ),
        (
            r#"fsetxattr(5</w/ws/a>, "user.x", "y", 1, 0) = 0"#,
            true,
            true,
        ),
        (
            r#"lgetxattr("/w/ws/a", "user.x", NULL, 0) = -1 ENODATA (x)"#,
            false,
            true,
        ),
        (r#"readlink("/w/ws/l", "../o", 4095) = 4"#, false, true),
        (
            r#"newfstatat(AT_FDCWD</w>, "wsx/a", {st_mode=S_IFREG|0644, ...}, 0) = 0"#,
            false,
            false,
        ),
    ] {
        let call = read(line);
        assert_eq!(call.is_mutating(), is_mutating, "{line}");
        assert_eq!(call.is_in(Path::new("/w/ws")), is_in, "{line}");
    }
    let link = r#"openat(AT_FDCWD</w>, "ws/link", O_RDONLY) = 3</w/o/canary>"#;
    assert_eq!(opens(&[read(link)], Path::new("/w/o")), [link]);
    assert!(opens(&[read(link)], Path::new("/w/ws")).is_empty());
}

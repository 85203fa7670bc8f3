//! The ways in which a workspace is damaged, each with the file that must be named for it.

use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Random numbers that are the same for the same seed.
pub struct Dice(pub u64);

impl Dice {
    /// Gives a number below another.
    pub fn below(&mut self, count: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 11).unwrap() % count.max(1)
    }

    fn pick<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len())]
    }
}

/// What must be told of a damage.
pub enum Told {
    /// Nothing: the agent loses nothing that it could not lose by somebody's wish.
    Nothing,
    /// This file, or one in it.
    Path(&'static str),
    /// This file, with a line.
    Line(&'static str),
}

/// A way to damage a workspace.
pub type Damage = (&'static str, fn(&Path, &mut Dice) -> Told);

const TEXTS: [&str; 4] = ["AGENTS.md", "SOUL.md", "USER.md", "memory/MEMORY.md"];
const HISTORY: &str = "memory/history.jsonl";
const SKILL: &str = "skills/plain/SKILL.md";
const SESSION: &str = "sessions/cli_x.jsonl";
const SETTINGS: &str = "promptscope.toml";
const FILES: [&str; 9] = [
    "AGENTS.md",
    "SOUL.md",
    "USER.md",
    "memory/MEMORY.md",
    HISTORY,
    SKILL,
    SESSION,
    SETTINGS,
    "prompts/main.md",
];
/// The files whose loss the agent notices, or would.
const READ: [&str; 6] = [
    "AGENTS.md",
    "USER.md",
    "memory/MEMORY.md",
    HISTORY,
    SKILL,
    SETTINGS,
];

/// Makes a workspace in which nothing is wrong.
pub fn good(root: &Path) {
    let entry = |n: usize| {
        format!(
            r#"{{"cursor": {n}, "timestamp": "2026-06-18 10:0{n}", "content": "Mei asked {n}."}}"#
        )
    };
    let entries: Vec<String> = (1..6).map(entry).collect();
    for (path, text) in [
        (
            "AGENTS.md",
            "# Shop\n\nAnswer in the language of the customer.\n",
        ),
        ("SOUL.md", "Calm, exact, friendly.\n"),
        ("USER.md", "Mei runs the shop.\n"),
        (
            "memory/MEMORY.md",
            "Mei drinks tea.\n\nThe lamp is mended.\n",
        ),
        (HISTORY, &(entries.join("\n") + "\n")),
        ("memory/.dream_cursor", "1"),
        (
            "skills/always/SKILL.md",
            "---\ndescription: Always.\nalways: true\n---\nBe there.\n",
        ),
        (
            SKILL,
            "---\nname: plain\ndescription: Plain words.\nmetadata: {nanobot: {requires: {bins: []}}}\n---\nBody.\n",
        ),
        (
            SESSION,
            "{\"_type\": \"metadata\", \"last_consolidated\": 0}\n{\"role\": \"user\", \"content\": \"hi\"}\n{\"role\": \"assistant\", \"content\": \"hello\"}\n",
        ),
        (
            SETTINGS,
            "[turn]\nchannel = \"cli\"\nchat_id = \"x\"\nsession = \"cli:x\"\n",
        ),
        ("prompts/main.md", "Main.\n<!-- INCLUDE ./part.md -->\n"),
        ("prompts/part.md", "Part.\n"),
    ] {
        write(root, path, text);
    }
}

fn write(root: &Path, path: &str, bytes: impl AsRef<[u8]>) {
    let path = root.join(path);
    // An earlier damage may stand in the way of a later one.
    let _ = fs::create_dir_all(path.parent().unwrap());
    let _ = fs::write(path, bytes);
}

/// Changes the bytes of a file, where it still is one.
fn change(root: &Path, path: &str, change: impl FnOnce(&mut Vec<u8>)) {
    let place = root.join(path);
    if !fs::metadata(&place).is_ok_and(|meta| meta.is_file()) {
        return;
    }
    let mut bytes = fs::read(&place).unwrap();
    change(&mut bytes);
    fs::write(place, bytes).unwrap();
}

/// Takes a file or folder away; gives its place, with the folder above.
fn cleared(root: &Path, path: &str) -> PathBuf {
    let place = root.join(path);
    if place.is_dir() && !place.is_symlink() {
        let _ = fs::remove_dir_all(&place);
    } else {
        let _ = fs::remove_file(&place);
    }
    let _ = fs::create_dir_all(place.parent().unwrap());
    place
}

fn line(root: &Path, path: &'static str, line: &str) -> Told {
    change(root, path, |bytes| {
        bytes.extend_from_slice(format!("{line}\n").as_bytes());
    });
    Told::Line(path)
}

fn front(root: &Path, yaml: &str) {
    write(root, SKILL, format!("---\n{yaml}\n---\nBody.\n"));
}

/// Tells that a file must be named if it is one that is read in every turn.
fn named(path: &'static str) -> Told {
    if READ.contains(&path) {
        Told::Path(path)
    } else {
        Told::Nothing
    }
}

fn bomb() -> String {
    let mut text = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x, x]");
    for at in 1..9 {
        let aliases = format!("*a{}, ", at - 1).repeat(10);
        text = format!("{text}\na{at}: &a{at} [{aliases}]");
    }
    text
}

fn somewhere(dice: &mut Dice, bytes: &[u8]) -> usize {
    dice.below(bytes.len() + 1)
}

/// Every way.
pub const DAMAGES: &[Damage] = &[
    ("cut", |root, dice| {
        let path = dice.pick(&FILES);
        change(root, path, |bytes| bytes.truncate(somewhere(dice, bytes)));
        Told::Nothing
    }),
    ("front cut off", |root, dice| {
        let path = dice.pick(&FILES);
        change(root, path, |bytes| {
            drop(bytes.drain(..somewhere(dice, bytes)));
        });
        Told::Nothing
    }),
    ("flipped bits", |root, dice| {
        let path = dice.pick(&FILES);
        change(root, path, |bytes| {
            for _ in 0..4 {
                let at = dice.below(bytes.len());
                bytes[at] ^= u8::try_from(1 + dice.below(255)).unwrap();
            }
        });
        Told::Nothing
    }),
    ("random bytes", |root, dice| {
        let path = dice.pick(&FILES);
        let bytes: Vec<u8> = (0..300)
            .map(|_| u8::try_from(dice.below(256)).unwrap())
            .collect();
        change(root, path, |file| *file = bytes);
        Told::Nothing
    }),
    ("wrong UTF-8", |root, dice| {
        let path = dice.pick(&READ);
        change(root, path, |bytes| {
            bytes.insert(somewhere(dice, bytes), 0xFF);
        });
        Told::Path(path)
    }),
    ("half a letter", |root, dice| {
        let path = dice.pick(&READ);
        change(root, path, |bytes| bytes.extend_from_slice(b"\xe8\xb0"));
        Told::Path(path)
    }),
    ("surrogate in UTF-8", |root, dice| {
        let path = dice.pick(&READ);
        change(root, path, |bytes| bytes.extend_from_slice(b"\xed\xa0\xbd"));
        Told::Path(path)
    }),
    ("folder as file", |root, dice| {
        let path = dice.pick(&READ);
        let _ = fs::create_dir(cleared(root, path));
        named(path)
    }),
    ("FIFO", |root, dice| {
        let path = dice.pick(&FILES);
        let _ = Command::new("mkfifo").arg(cleared(root, path)).output();
        named(path)
    }),
    ("socket", |root, dice| {
        let path = dice.pick(&FILES);
        drop(UnixListener::bind(cleared(root, path)));
        named(path)
    }),
    ("device", |root, dice| {
        let path = dice.pick(&FILES);
        let device = dice.pick(&["/dev/zero", "/dev/tty", "/dev/full"]);
        let _ = symlink(device, cleared(root, path));
        named(path)
    }),
    ("dangling link", |root, dice| {
        let path = dice.pick(&FILES);
        let _ = symlink("none", cleared(root, path));
        Told::Nothing
    }),
    ("link in a loop", |root, dice| {
        let path = dice.pick(&FILES);
        let place = cleared(root, path);
        let _ = symlink(place.file_name().unwrap(), &place);
        Told::Nothing
    }),
    ("link to the folder above", |root, dice| {
        let _ = symlink("..", cleared(root, &format!("skills/up{}", dice.below(9))));
        Told::Nothing
    }),
    ("missing", |root, dice| {
        cleared(root, dice.pick(&FILES));
        Told::Nothing
    }),
    ("empty", |root, dice| {
        change(root, dice.pick(&FILES), Vec::clear);
        Told::Nothing
    }),
    ("blank", |root, dice| {
        change(root, dice.pick(&FILES), |bytes| {
            *bytes = b"\n \t\x1c\n\x0c".to_vec();
        });
        Told::Nothing
    }),
    ("no rights", |root, dice| {
        let place = root.join(dice.pick(&FILES));
        if place.is_file() {
            fs::set_permissions(place, fs::Permissions::from_mode(0o000)).unwrap();
        }
        Told::Nothing
    }),
    ("huge line", |root, dice| {
        let path = dice.pick(&FILES);
        let word = dice.pick(&["x", "漢", "[", "-", "\u{301}", " "]);
        change(root, path, |bytes| {
            bytes.extend_from_slice(word.repeat(100_000).as_bytes());
        });
        Told::Nothing
    }),
    ("many lines", |root, dice| {
        let path = dice.pick(&FILES);
        change(root, path, |bytes| *bytes = bytes.repeat(200));
        Told::Nothing
    }),
    ("NUL", |root, dice| {
        let path = dice.pick(&TEXTS);
        change(root, path, |bytes| bytes.insert(somewhere(dice, bytes), 0));
        Told::Line(path)
    }),
    ("escape", |root, dice| {
        let path = dice.pick(&TEXTS);
        change(root, path, |bytes| {
            bytes.extend_from_slice("\u{1b}]0;x\u{7}\u{9b}2J".as_bytes());
        });
        Told::Line(path)
    }),
    ("hidden characters", |root, dice| {
        let path = dice.pick(&TEXTS);
        let hidden = dice.pick(&["\u{200b}", "\u{202e}", "\u{e0041}", "\u{2066}", "\u{2060}"]);
        change(root, path, |bytes| {
            bytes.extend_from_slice(hidden.as_bytes());
        });
        Told::Line(path)
    }),
    ("byte order mark", |root, dice| {
        let path = dice.pick(&["AGENTS.md", "USER.md", "memory/MEMORY.md", HISTORY, SKILL]);
        change(root, path, |bytes| {
            drop(bytes.splice(0..0, *b"\xef\xbb\xbf"));
        });
        Told::Line(path)
    }),
    ("UTF-16", |root, dice| {
        let path = dice.pick(&READ);
        change(root, path, |bytes| {
            let text = String::from_utf8_lossy(bytes).into_owned();
            let units = std::iter::once(0xFEFF).chain(text.encode_utf16());
            *bytes = units.flat_map(u16::to_le_bytes).collect();
        });
        Told::Path(path)
    }),
    ("CRLF", |root, dice| {
        let path = dice.pick(&FILES);
        change(root, path, |bytes| {
            *bytes = String::from_utf8_lossy(bytes)
                .replace('\n', "\r\n")
                .into_bytes();
        });
        Told::Nothing
    }),
    ("CR", |root, dice| {
        let path = dice.pick(&FILES);
        change(root, path, |bytes| {
            *bytes = String::from_utf8_lossy(bytes)
                .replace('\n', "\r")
                .into_bytes();
        });
        Told::Nothing
    }),
    ("history: no object", |root, dice| {
        line(root, HISTORY, dice.pick(&["[1]", "5", "\"x\"", "null"]))
    }),
    ("history: torn line", |root, dice| {
        line(
            root,
            HISTORY,
            dice.pick(&["{\"cursor\": 7, \"time", "}", "{", "\0"]),
        )
    }),
    ("history: wrong types", |root, dice| {
        let values = [
            ("\"1\"", "\"t\"", "\"c\""),
            ("true", "\"t\"", "\"c\""),
            ("1.5", "\"t\"", "\"c\""),
            ("-1", "\"t\"", "\"c\""),
            ("9", "5", "\"c\""),
            ("9", "\"t\"", "null"),
            ("9", "\"t\"", "[\"c\"]"),
        ];
        let (cursor, time, content) = values[dice.below(values.len())];
        line(
            root,
            HISTORY,
            &format!(r#"{{"cursor": {cursor}, "timestamp": {time}, "content": {content}}}"#),
        )
    }),
    ("history: too deep", |root, _| {
        line(root, HISTORY, &"[".repeat(100_000))
    }),
    ("history: too many digits", |root, _| {
        line(
            root,
            HISTORY,
            &format!("{{\"cursor\": {}}}", "9".repeat(5000)),
        )
    }),
    ("history: odd and fine", |root, _| {
        let odd = r#"{"cursor": 9, "cursor": 10, "timestamp": "t", "content": "\ud83d <|endoftext|>", "x": [NaN, Infinity, 1e999]}"#;
        line(root, HISTORY, odd);
        Told::Nothing
    }),
    ("front matter: colon", |root, _| {
        front(root, "name: plain\ndescription: one: two");
        Told::Line(SKILL)
    }),
    ("front matter: tab", |root, _| {
        front(root, "name: plain\n\tdescription: x");
        Told::Line(SKILL)
    }),
    ("front matter: bad alias", |root, _| {
        front(root, "name: *none");
        Told::Line(SKILL)
    }),
    ("front matter: raises", |root, dice| {
        front(
            root,
            dice.pick(&[
                "a: !!bool x",
                "a: 2026-13-45",
                "a: !!int x",
                "a: 0001-01-01T00:00:00+14:00 ",
            ]),
        );
        Told::Line(SKILL)
    }),
    ("front matter: bomb", |root, _| {
        front(root, &bomb());
        Told::Line(SKILL)
    }),
    ("front matter: large", |root, _| {
        front(root, &"key: value\n".repeat(10_000));
        Told::Line(SKILL)
    }),
    ("front matter: too deep", |root, dice| {
        front(root, &dice.pick(&["[", "- ", "? ", "{a: "]).repeat(30_000));
        Told::Line(SKILL)
    }),
    ("front matter: open", |root, _| {
        write(root, SKILL, "---\ndescription: x\nBody.\n");
        Told::Line(SKILL)
    }),
    ("front matter: requires", |root, dice| {
        let requires = dice.pick(&["5", "[gh]", "{bins: 5}", "{env: [[1]]}", "null"]);
        front(
            root,
            &format!("description: d\nmetadata: {{nanobot: {{requires: {requires}}}}}"),
        );
        Told::Line(SKILL)
    }),
    ("session: no role", |root, _| {
        line(root, SESSION, r#"{"content": "x"}"#)
    }),
    ("session: torn line", |root, _| {
        line(root, SESSION, "{\"role\": \"us")
    }),
    ("session: no object", |root, _| {
        line(root, SESSION, "[1]");
        Told::Path(SESSION)
    }),
    ("session: metadata", |root, dice| {
        let metadata = dice.pick(&[
            "[1]",
            "5",
            "\"x\"",
            r#"{"_last_summary": {"text": "t"}}"#,
            r#"{"_last_summary": {"text": "t", "last_active": "soon"}}"#,
        ]);
        line(
            root,
            SESSION,
            &format!(r#"{{"_type": "metadata", "metadata": {metadata}}}"#),
        )
    }),
    ("session: offset", |root, dice| {
        let offset = dice.pick(&["99", "-1"]);
        write(
            root,
            SESSION,
            format!(
                "{{\"_type\": \"metadata\", \"last_consolidated\": {offset}}}\n{{\"role\": \"user\", \"content\": \"x\"}}\n"
            ),
        );
        Told::Path(SESSION)
    }),
    ("file as folder", |root, dice| {
        let folder = dice.pick(&["memory", "skills"]);
        let _ = fs::write(cleared(root, folder), "x");
        Told::Path(if folder == "memory" {
            "memory"
        } else {
            "skills"
        })
    }),
    ("sessions as file", |root, _| {
        let _ = fs::write(cleared(root, "sessions"), "x");
        Told::Path("sessions")
    }),
    ("folders in loops", |root, dice| {
        let folder = dice.pick(&["memory", "skills", "sessions", "prompts"]);
        let _ = symlink(folder, cleared(root, folder));
        Told::Nothing
    }),
    ("odd names", |root, dice| {
        let names: [&[u8]; 5] = [b"\xff", b"\x1b[31m", "\u{202e}".as_bytes(), b" ", b"a\nb"];
        let name = std::ffi::OsStr::from_bytes(names[dice.below(names.len())]);
        let folder = root.join("skills").join(name);
        if fs::create_dir_all(&folder).is_ok() {
            let _ = fs::write(folder.join("SKILL.md"), "---\ndescription: d\n---\n");
        }
        Told::Nothing
    }),
    ("cursor", |root, dice| {
        let cursor = dice.pick(&["soon", "", "-5", "1_0", "９", "99999999999999999999999999"]);
        change(root, "memory/.dream_cursor", |bytes| {
            *bytes = cursor.as_bytes().to_vec();
        });
        Told::Nothing
    }),
    ("settings: no TOML", |root, dice| {
        line(
            root,
            SETTINGS,
            dice.pick(&["[turn", "= 5", "a = ", "\"", "[turn]\n[turn]"]),
        )
    }),
    ("settings: unknown", |root, dice| {
        line(
            root,
            SETTINGS,
            dice.pick(&[
                "[budgets]\na = 1",
                "[budget]\nmemry = 5",
                "[lint]\nnone = \"off\"",
                "[budget]\ntotal = -1",
            ]),
        )
    }),
    ("include in a cycle", |root, _| {
        write(
            root,
            "prompts/part.md",
            "<!-- INCLUDE ./main.md -->\n<!-->\n",
        );
        Told::Nothing
    }),
];

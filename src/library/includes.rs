//! Includes: `<!-- INCLUDE ./fragments/rules.md -->` is replaced by that file, relative to the one that it
//! stands in.

use std::sync::Arc;

use super::loader::fault;
use super::{Built, BuiltLine, FaultKind, Fence, FenceLine, Library, Sources};

/// How deep files may be included in each other.
const DEPTH: usize = 32;
/// How large a text may grow, in bytes.
const SIZE: usize = 4 * 1024 * 1024;

const OPEN: &str = "<!--";
const CLOSE: &str = "-->";

/// Builds a prompt with everything that it includes.
pub(super) fn expanded(library: &Library, name: &str) -> Built {
    let mut expansion = Expansion {
        library,
        built: Built::default(),
        chain: Vec::new(),
        bytes: 0,
        parts: 0,
    };
    let path = Sources::file_of(name);
    match library.sources.load(name) {
        Ok(prompt) => {
            expansion.built.declared = prompt.declared.clone();
            let lines = expansion.of(&path, &prompt.lines);
            expansion.built.lines = lines;
            expansion.built
        }
        // What is not there says itself where it was looked for.
        Err(kind @ FaultKind::NoPrompt(_)) => Built::failed(kind),
        Err(kind) => {
            let mut built = Built::failed(kind);
            for fault in &mut built.faults {
                fault.path = Some(path.as_str().into());
            }
            built
        }
    }
}

struct Expansion<'a> {
    library: &'a Library,
    built: Built,
    /// The files that are being included, the outermost first.
    chain: Vec<String>,
    bytes: usize,
    /// How many files were put into the main one.
    parts: usize,
}

impl Expansion<'_> {
    /// Puts in what the lines of a file include.
    fn of(&mut self, path: &str, lines: &[BuiltLine]) -> Vec<BuiltLine> {
        self.chain.push(path.to_owned());
        let shared: Arc<str> = path.into();
        if !self.built.files.contains(&shared) {
            self.built.files.push(shared);
        }
        let mut out = Vec::new();
        let mut fence = Fence::default();
        for line in lines {
            self.bytes += line.text.len() + 1;
            if self.bytes > SIZE {
                let is_told = self
                    .built
                    .faults
                    .iter()
                    .any(|fault| matches!(fault.kind, FaultKind::TooLarge(_)));
                if !is_told {
                    self.built
                        .faults
                        .push(fault(FaultKind::TooLarge(SIZE), line));
                }
                break;
            }
            let is_outside = fence.take(&line.text) == FenceLine::Outside;
            match include(&line.text).filter(|_| is_outside) {
                Some((start, end, target)) => {
                    let inner = self.included(path, target, line);
                    out.extend(put_in(line, start..end, inner));
                }
                None => out.push(line.clone()),
            }
        }
        self.chain.pop();
        out
    }

    /// Gives the lines of a file that is included; without them the marker stays.
    fn included(&mut self, from: &str, target: &str, line: &BuiltLine) -> Option<Vec<BuiltLine>> {
        let mut fail = |kind: FaultKind| {
            self.built.faults.push(fault(kind, line));
            None
        };
        // With or without its ending, it is the same file.
        let Some(path) = joined(from, target).map(|path| Sources::file_of(&path)) else {
            return fail(FaultKind::Outside(target.to_owned()));
        };
        if let Some(at) = self.chain.iter().position(|other| *other == path) {
            let mut chain = self.chain[at..].to_vec();
            chain.push(path);
            return fail(FaultKind::Cycle(chain));
        }
        if self.chain.len() > DEPTH {
            return fail(FaultKind::TooDeep(DEPTH));
        }
        match self.library.sources.load(&path) {
            Ok(prompt) => {
                let mut lines = self.of(&path, &prompt.lines);
                if self.chain.len() == 1 {
                    self.parts += 1;
                    BuiltLine::put_into(&mut lines, self.parts, &path);
                }
                Some(lines)
            }
            Err(FaultKind::NoPrompt(_)) => fail(FaultKind::NoInclude(path)),
            Err(kind) => fail(kind),
        }
    }
}

/// Puts lines in the place of a marker: where it stands alone, they take its line.
fn put_in(
    line: &BuiltLine,
    marker: std::ops::Range<usize>,
    inner: Option<Vec<BuiltLine>>,
) -> Vec<BuiltLine> {
    let Some(mut inner) = inner else {
        return vec![line.clone()];
    };
    let (before, after) = (&line.text[..marker.start], &line.text[marker.end..]);
    if before.trim().is_empty() && after.trim().is_empty() {
        return inner;
    }
    if let Some(first) = inner.first_mut() {
        first.text.insert_str(0, before);
    }
    if let Some(last) = inner.last_mut() {
        last.text.push_str(after);
    }
    inner
}

/// Finds the include marker of a line: its bytes, and what it includes.
fn include(line: &str) -> Option<(usize, usize, &str)> {
    let start = line.find(OPEN)?;
    // In `<!-->` the dashes that open are not those that close.
    let (inner, _) = line[start + OPEN.len()..].split_once(CLOSE)?;
    let end = start + OPEN.len() + inner.len() + CLOSE.len();
    let target = inner.trim().strip_prefix("INCLUDE")?;
    let is_apart = target.starts_with(char::is_whitespace);
    let target = target.trim();
    (is_apart && !target.is_empty()).then_some((start, end, target))
}

/// Resolves a path against the file that names it; `None` where it leads out of the folder.
fn joined(from: &str, target: &str) -> Option<String> {
    if target.starts_with('/') || target.contains('\\') || target.contains('\0') {
        return None;
    }
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::LibrarySettings;
    use crate::workspace::read::FileRead;

    fn library(files: &[(&str, &str)]) -> Library {
        let files = files
            .iter()
            .map(|(path, text)| ((*path).to_owned(), FileRead::Text((*text).into())));
        Library {
            sources: Sources {
                folder: "/p".into(),
                outside: vec!["link.md".into()],
                ..Sources::of(files)
            },
            settings: LibrarySettings::default(),
        }
    }

    fn faults(files: &[(&str, &str)]) -> Vec<String> {
        let built = library(files).build("a", None);
        built.faults.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn files_are_put_in_relative_to_the_one_that_includes_them() {
        let library = library(&[
            (
                "a.md",
                "one\n<!-- INCLUDE ./f/b.md -->\nx <!--INCLUDE f/c.md--> y\n```\n<!-- INCLUDE f/c.md -->\n```\n<!-- a note -->\n",
            ),
            (
                "f/b.md",
                "---\ndescription: d\n---\nb1\n<!-- INCLUDE ../c.md -->\nb2\n",
            ),
            ("f/c.md", "c\n"),
            ("c.md", "up\n"),
        ]);
        let built = library.build("a", None);
        assert_eq!(built.faults, []);
        assert_eq!(
            built.text(),
            "one\nb1\nup\nb2\nx c y\n```\n<!-- INCLUDE f/c.md -->\n```\n<!-- a note -->\n"
        );
        let places: Vec<String> = built
            .lines
            .iter()
            .take(5)
            .map(|line| format!("{}:{}", line.path, line.line))
            .collect();
        assert_eq!(
            places,
            ["a.md:1", "f/b.md:4", "c.md:1", "f/b.md:6", "f/c.md:1"]
        );
        let files: Vec<&str> = built.files.iter().map(AsRef::as_ref).collect();
        assert_eq!(files, ["a.md", "f/b.md", "c.md", "f/c.md"]);
    }

    #[test]
    fn a_cycle_is_named_as_a_chain_and_twice_is_none() {
        let cycle = faults(&[
            ("a.md", "<!-- INCLUDE b.md -->"),
            ("b.md", "x\n<!-- INCLUDE a.md -->"),
        ]);
        assert_eq!(cycle, ["b.md:2: the includes go round: a.md > b.md > a.md"]);
        let twice = [
            ("a.md", "<!-- INCLUDE d.md -->\n<!-- INCLUDE d.md -->"),
            ("d.md", "d"),
        ];
        assert_eq!(library(&twice).build("a", None).text(), "d\nd\n");
    }

    #[test]
    fn a_file_is_one_with_and_without_its_ending() {
        let files = [
            ("a.md", "<!-- INCLUDE ./b -->"),
            ("b.md", "<!-- INCLUDE a -->"),
        ];
        assert_eq!(
            faults(&files),
            ["b.md:1: the includes go round: a.md > b.md > a.md"]
        );
        let built = library(&files).build("a", None);
        let names: Vec<&str> = built.files.iter().map(AsRef::as_ref).collect();
        assert_eq!(names, ["a.md", "b.md"]);
    }

    #[test]
    fn dashes_that_open_a_comment_do_not_close_it() {
        for text in ["<!-->", "<!--->", "<!-->x<!-- INCLUDE b.md -->"] {
            assert_eq!(
                library(&[("a.md", text)]).build("a", None).text(),
                format!("{text}\n")
            );
        }
    }

    #[test]
    fn what_leads_elsewhere_is_missing_or_too_much_is_told() {
        for (text, wanted) in [
            (
                "<!-- INCLUDE /etc/passwd -->",
                "a.md:1: /etc/passwd is outside",
            ),
            (
                "<!-- INCLUDE ../../x.md -->",
                "a.md:1: ../../x.md is outside",
            ),
            ("<!-- INCLUDE link.md -->", "a.md:1: link.md is outside"),
            (
                "<!-- INCLUDE none.md -->",
                "a.md:1: there is no none.md to include",
            ),
        ] {
            let faults = faults(&[("a.md", text)]);
            assert!(faults[0].starts_with(wanted), "{faults:?}");
            let built = library(&[("a.md", text)]).build("a", None);
            assert!(!built.is_whole() && built.text().contains(text));
        }
        let deep: Vec<(String, String)> = (0..10_000)
            .map(|at| {
                let name = if at == 0 {
                    "a.md".to_owned()
                } else {
                    format!("n{at}.md")
                };
                (name, format!("<!-- INCLUDE n{}.md -->", at + 1))
            })
            .collect();
        let deep: Vec<(&str, &str)> = deep
            .iter()
            .map(|(name, text)| (name.as_str(), text.as_str()))
            .collect();
        assert_eq!(
            faults(&deep),
            ["n32.md:1: files are included deeper than 32"]
        );
        let wide = "<!-- INCLUDE b.md -->\n".repeat(300);
        let large = "x".repeat(20_000);
        let faults = faults(&[("a.md", &wide), ("b.md", &large)]);
        assert_eq!(faults.len(), 1);
        assert!(faults[0].contains("grows beyond"), "{faults:?}");
    }
}

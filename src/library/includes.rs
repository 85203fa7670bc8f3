//! Includes: `<!-- INCLUDE ./fragments/rules.md -->` is replaced by that file, relative to the one that it
//! stands in.

use std::sync::Arc;

use super::loader::fault;
use super::marker::{include, joined};
use super::{Built, BuiltLine, Fault, FaultKind, Fence, FenceLine, Library, Sources};

/// How deep files may be included in each other.
const DEPTH: usize = 32;
/// How large a text may grow, in bytes.
pub(super) const SIZE: usize = 4 * 1024 * 1024;
/// How many files may be put into one text: small files that include each other can be very many.
const MOST: usize = 2000;

/// Builds a prompt with everything that it includes.
pub(super) fn expanded(library: &Library, name: &str) -> Built {
    let mut expansion = Expansion {
        library,
        built: Built::default(),
        chain: Vec::new(),
        bytes: 0,
        parts: 0,
        included: 0,
    };
    let path = Sources::file_of(name);
    match library.sources.load(name) {
        Ok(prompt) => {
            expansion.built.declared = prompt.declared.clone();
            if let Some((problem, line)) = &prompt.problem {
                expansion.built.faults.push(Fault {
                    kind: FaultKind::FrontMatter(problem.clone()),
                    path: Some(prompt.path.clone()),
                    line: Some(*line),
                });
            }
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
    /// How many files were put in anywhere.
    included: usize,
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
                        .push(fault(FaultKind::TooLarge(SIZE), line, 0));
                }
                break;
            }
            if fence.take(&line.text) == FenceLine::Outside {
                self.of_line(path, line.clone(), &mut out);
            } else {
                out.push(line.clone());
            }
        }
        self.chain.pop();
        out
    }

    /// Puts in what one line includes, be it several files.
    fn of_line(&mut self, path: &str, line: BuiltLine, out: &mut Vec<BuiltLine>) {
        let mut rest = line;
        let mut from = 0;
        while let Some((marker, target)) = include(&rest.text, from) {
            let target = target.to_owned();
            let Some(inner) = self.included(path, &target, &rest) else {
                from = marker.end;
                continue;
            };
            let is_alone = rest.text[..marker.start].trim().is_empty()
                && rest.text[marker.end..].trim().is_empty();
            if is_alone {
                // Where a marker stands alone, what it includes takes its line.
                out.extend(inner);
                return;
            }
            let (mut lines, kept) = rest.with(&marker, inner);
            let Some(last) = lines.pop() else { return };
            out.extend(lines);
            rest = last;
            from = kept;
        }
        out.push(rest);
    }

    /// Gives the lines of a file that is included; without them the marker stays.
    fn included(&mut self, from: &str, target: &str, line: &BuiltLine) -> Option<Vec<BuiltLine>> {
        let mut fail = |kind: FaultKind| {
            self.built.faults.push(fault(kind, line, line.text.len()));
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
        self.included += 1;
        if self.included > MOST {
            let is_told = self.included > MOST + 1;
            return if is_told {
                None
            } else {
                fail(FaultKind::TooMany(MOST))
            };
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
            ["a.md:1", "f/b.md:4", "c.md:1", "f/b.md:6", "a.md:3"]
        );
        let files: Vec<&str> = built.files.iter().map(AsRef::as_ref).collect();
        assert_eq!(files, ["a.md", "f/b.md", "c.md", "f/c.md"]);
    }

    #[test]
    fn a_line_may_include_several_files_and_each_stretch_keeps_its_place() {
        let library = library(&[
            (
                "a.md",
                "l1\nx <!-- INCLUDE n.md --> and <!-- a note --> <!-- INCLUDE n.md --> {{ mine }}\n<!-- INCLUDE two.md --> <!-- INCLUDE none.md -->\n",
            ),
            ("n.md", "N {{ theirs }}\n"),
            ("two.md", "one\nlast {{ deep }}\n"),
        ]);
        let built = library.build("a", None);
        assert_eq!(
            built.text(),
            "l1\nx N {{ theirs }} and <!-- a note --> N {{ theirs }} {{ mine }}\none\nlast {{ deep }} <!-- INCLUDE none.md -->\n"
        );
        let uses: Vec<String> = built
            .uses
            .iter()
            .map(|it| format!("{} {}:{}", it.name, it.path, it.line))
            .collect();
        let wanted = [
            "theirs n.md:1",
            "theirs n.md:1",
            "mine a.md:2",
            "deep two.md:2",
        ];
        assert_eq!(uses, wanted);
        let owners: Vec<String> = built
            .lines
            .iter()
            .map(|line| format!("{}:{}", line.path, line.line))
            .collect();
        assert_eq!(owners, ["a.md:1", "a.md:2", "two.md:1", "a.md:3"]);
        let missing = built.faults.iter().find(|it| !it.kind.is_warning());
        assert_eq!(
            missing.unwrap().to_string(),
            "a.md:3: there is no none.md to include"
        );
    }

    #[test]
    fn small_files_that_include_each_other_are_too_many_at_last() {
        let mut files = vec![("p12.md".to_owned(), "leaf\n".to_owned())];
        for at in 0..12 {
            let line = format!("<!-- INCLUDE p{}.md -->\n", at + 1);
            files.push((format!("p{at}.md"), line.repeat(10)));
        }
        files.push(("a.md".to_owned(), "<!-- INCLUDE p0.md -->\n".to_owned()));
        let files: Vec<(&str, &str)> = files
            .iter()
            .map(|(name, text)| (name.as_str(), text.as_str()))
            .collect();
        let faults = faults(&files);
        assert_eq!(faults.len(), 1);
        assert!(faults[0].contains("more than 2000 files"), "{faults:?}");
    }

    #[test]
    fn front_matter_that_cannot_be_read_is_a_fault() {
        let text = "---\nvariables:\n  must: {required: true\n---\nx {{ must }}\n";
        let faults = faults(&[("a.md", text)]);
        assert!(
            faults[0].contains("the front matter cannot be read"),
            "{faults:?}"
        );
        assert!(!library(&[("a.md", text)]).build("a", None).is_whole());
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

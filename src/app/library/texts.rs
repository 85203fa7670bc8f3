//! The texts of what is chosen in the library: built, folded or unfolded, and its source.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use super::Node;
use crate::app::View;
use crate::app::content::changed_lines;
use crate::library::{Built, BuiltLine, Catalog, SourceKind};
use crate::prompt::provenance::{Origin, Place, Span};

/// The texts of what is chosen; kept until it, or what it is made of, is another one.
#[derive(Debug, Default)]
pub struct Texts {
    of: Option<(Node, bool)>,
    made_of: Option<Made>,
    /// The built text.
    pub built: Text,
    /// The source's text.
    pub raw: Text,
    /// What stands in a target's file, where that differs.
    pub on_disk: Option<Arc<str>>,
    /// The lines of the built text that the last change of its sources or values changed.
    pub changed: Option<Range<usize>>,
    /// Whether that change was not brought into sight yet.
    is_news: bool,
}

/// What the texts were made of.
type Made = (Arc<Catalog>, Arc<[Option<usize>]>, Option<String>);

/// A text with the place of each of its lines.
#[derive(Debug, Clone)]
pub struct Text {
    /// The text.
    pub text: Arc<str>,
    /// The places.
    pub spans: Vec<Span>,
}

impl Default for Text {
    fn default() -> Self {
        Self {
            text: Arc::from(""),
            spans: Vec::new(),
        }
    }
}

impl Texts {
    /// Takes the texts of a node in; `counts` are the tokens of the catalog's entries.
    pub(super) fn take(
        &mut self,
        view: &View,
        node: Option<&Node>,
        is_folded: bool,
        counts: &Arc<[Option<usize>]>,
    ) {
        let made_of = (
            view.catalog.clone(),
            counts.clone(),
            view.turn.sender_id.clone(),
        );
        let is_made_of = |(catalog, known, sender): &Made| {
            Arc::ptr_eq(catalog, &made_of.0) && Arc::ptr_eq(known, counts) && *sender == made_of.2
        };
        if self.is_of(node, is_folded) && self.made_of.as_ref().is_some_and(is_made_of) {
            return;
        }
        let tokens = |path: &str| {
            let mut entries = view.catalog.entries.iter();
            let at = entries.position(|it| it.kind == SourceKind::Prompt && it.path() == path)?;
            counts.get(at).copied().flatten()
        };
        let Some((node, built)) = node.and_then(|node| Some((node, node.built(view)?))) else {
            *self = Self::default();
            return;
        };
        let sources = &view.catalog.library.sources;
        let folder = &sources.folder;
        let lines = if is_folded {
            folded(&built, &tokens)
        } else {
            built.lines.clone()
        };
        let made = of_lines(folder, &lines);
        let main = built.files.first().map(AsRef::as_ref).unwrap_or_default();
        let raw = sources.files.get(main).and_then(|file| file.read.text());
        let raw = raw.map_or_else(Text::default, |raw| of_file(&folder.join(main), raw));
        let on_disk = match node {
            Node::Target(target) => {
                let mut planned = view.catalog.planned.iter();
                let planned = planned.find(|it| it.target == *target);
                let now = planned.and_then(|planned| planned.now.as_deref());
                let now = String::from_utf8_lossy(now.unwrap_or_default());
                (now != built.text()).then(|| now.into())
            }
            _ => None,
        };
        let is_same_node = self.is_of(Some(node), is_folded);
        if !is_same_node {
            self.changed = None;
        } else if self.built.text != made.text {
            self.changed = changed_lines(&self.built.text, &made.text);
            self.is_news = true;
        }
        // The same text stays the same one, so that one stays where one is in it.
        keep(&mut self.built, made);
        keep(&mut self.raw, raw);
        if self.on_disk != on_disk {
            self.on_disk = on_disk;
        }
        self.of = Some((node.clone(), is_folded));
        self.made_of = Some(made_of);
    }

    /// Gives the changed lines once, to be brought into sight.
    pub(super) fn news(&mut self) -> Option<Range<usize>> {
        std::mem::take(&mut self.is_news)
            .then(|| self.changed.clone())
            .flatten()
    }

    /// Tells whether the texts are those of another thing than before.
    pub(super) fn is_of(&self, node: Option<&Node>, is_folded: bool) -> bool {
        let of = self.of.as_ref();
        of.map(|(node, is_folded)| (node, *is_folded)) == node.map(|node| (node, is_folded))
    }
}

fn keep(known: &mut Text, new: Text) {
    if known.text == new.text {
        known.spans = new.spans;
    } else {
        *known = new;
    }
}

fn of_lines(folder: &Path, lines: &[BuiltLine]) -> Text {
    let mut text = String::new();
    let mut spans = Vec::new();
    for line in lines {
        let start = text.len();
        text.push_str(&line.text);
        text.push('\n');
        spans.push(Span {
            range: start..text.len(),
            origin: Origin::MadeFrom(Place {
                path: folder.join(&*line.path).into(),
                line: line.line,
            }),
        });
    }
    Text {
        text: text.into(),
        spans,
    }
}

fn of_file(path: &Path, text: &Arc<str>) -> Text {
    Text {
        text: text.clone(),
        spans: vec![Span {
            range: 0..text.len(),
            origin: Origin::Verbatim(Place {
                path: path.into(),
                line: 1,
            }),
        }],
    }
}

/// Folds each file that was put into the main one into a line that names it.
fn folded(built: &Built, tokens: &dyn Fn(&str) -> Option<usize>) -> Vec<BuiltLine> {
    let mut out: Vec<BuiltLine> = Vec::new();
    let mut rest = &built.lines[..];
    while let Some(first) = rest.first() {
        let Some(part) = &first.part else {
            out.push(first.clone());
            rest = &rest[1..];
            continue;
        };
        let of_part = rest
            .iter()
            .take_while(|line| line.part.as_ref() == Some(part));
        let count = of_part.count();
        let word = if count == 1 { "line" } else { "lines" };
        let size = tokens(&part.path).map(|tokens| format!(", {tokens} tokens"));
        let size = size.unwrap_or_default();
        out.push(BuiltLine {
            text: format!("<!-- {} ({count} {word}{size}) -->", part.path),
            path: part.path.clone(),
            ..first.clone()
        });
        rest = &rest[count..];
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::Part;

    #[test]
    fn what_is_included_is_folded_into_a_line_each() {
        let line = |text: &str, path: &str, line: usize, part: Option<(usize, &str)>| BuiltLine {
            text: text.into(),
            path: path.into(),
            line,
            part: part.map(|(number, path)| Part {
                number,
                path: path.into(),
            }),
            pieces: Vec::new(),
        };
        let built = Built {
            lines: vec![
                line("a", "main.md", 1, None),
                line("x", "f/x.md", 1, Some((1, "f/x.md"))),
                line("y", "f/y.md", 1, Some((1, "f/x.md"))),
                line("b", "main.md", 3, None),
                line("z", "f/z.md", 7, Some((2, "f/z.md"))),
                line("z", "f/z.md", 7, Some((3, "f/z.md"))),
            ],
            files: vec!["main.md".into(), "f/x.md".into()],
            ..Built::default()
        };
        let lines = folded(&built, &|path| (path == "f/x.md").then_some(12));
        let texts: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
        let wanted = [
            "a",
            "<!-- f/x.md (2 lines, 12 tokens) -->",
            "b",
            "<!-- f/z.md (1 line) -->",
            "<!-- f/z.md (1 line) -->",
        ];
        assert_eq!(texts, wanted);
        assert_eq!(lines[3].line, 7);
    }
}

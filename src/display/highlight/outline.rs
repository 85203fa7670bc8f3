//! What each line of a text lies in, found in one pass that parses nothing.
//!
//! Only blocks of several lines matter here: fences, front matter, comments and the block strings
//! of YAML. Each line is then highlighted by itself.

use std::ops::Range;

use super::Slot;

/// Names the language of a whole text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// Markdown, with front matter, fences and placeholders.
    Markdown,
    /// JSON, also one value per line.
    Json,
    /// YAML.
    Yaml,
}

/// Knows the lines of a text and the block that each lies in.
///
/// It is made anew when the text changes, in time in proportion to the text.
#[derive(Clone, Debug)]
pub struct Outline {
    /// Where each line starts, and one past the last newline or the newline that is missing.
    starts: Vec<usize>,
    /// The lines that are treated otherwise than the line before, and how.
    changes: Vec<(usize, Mode)>,
}

/// Says how a line is highlighted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Markdown,
    Json,
    Yaml,
    Code,
    /// A block string of YAML.
    Scalar,
    /// A line that opens or closes a block.
    Fence,
    /// A comment that was opened above.
    Comment(Until),
}

/// Names what closes a comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Until {
    Html,
    Jinja,
}

impl Until {
    pub(super) fn text(self) -> &'static str {
        match self {
            Until::Html => "-->",
            Until::Jinja => "#}",
        }
    }
}

impl Mode {
    /// Gives the part that a line plays where no rule says otherwise.
    pub(super) fn slot(self) -> Slot {
        match self {
            Mode::Markdown | Mode::Json | Mode::Yaml => Slot::Text,
            Mode::Code => Slot::Code,
            Mode::Scalar => Slot::String,
            Mode::Fence => Slot::Fence,
            Mode::Comment(_) => Slot::Comment,
        }
    }
}

impl Outline {
    /// Looks through a text.
    #[must_use]
    pub fn new(text: &str, language: Language) -> Self {
        let mut scanner = Scanner::new(text, language);
        let mut starts = vec![0];
        let mut changes: Vec<(usize, Mode)> = Vec::new();
        let mut at = 0;
        for (number, line) in text.split_terminator('\n').enumerate() {
            let mode = scanner.mode(line);
            if changes.last().is_none_or(|&(_, last)| last != mode) {
                changes.push((number, mode));
            }
            at += line.len() + 1;
            starts.push(at);
        }
        Outline { starts, changes }
    }

    /// Counts the lines.
    #[must_use]
    pub fn line_count(&self) -> usize {
        self.starts.len() - 1
    }

    /// Gives the bytes of a line and how it is highlighted.
    pub(super) fn line(&self, number: usize) -> (Range<usize>, Mode) {
        let change = self.changes.partition_point(|&(first, _)| first <= number);
        let mode = change
            .checked_sub(1)
            .map_or(Mode::Code, |i| self.changes[i].1);
        (self.starts[number]..self.starts[number + 1] - 1, mode)
    }
}

/// Walks down the lines and knows the block that is open.
struct Scanner {
    language: Language,
    block: Block,
    /// The indentation of the key whose block string is open.
    scalar: Option<usize>,
}

#[derive(Clone, Copy)]
enum Block {
    None,
    /// Front matter whose opening line has not been seen yet.
    BeforeFrontMatter,
    FrontMatter,
    Fence(Fence),
    Comment(Until),
}

#[derive(Clone, Copy)]
struct Fence {
    mark: char,
    len: usize,
    quoted: bool,
    inside: Mode,
}

impl Scanner {
    fn new(text: &str, language: Language) -> Self {
        let block = if language == Language::Markdown && has_front_matter(text) {
            Block::BeforeFrontMatter
        } else {
            Block::None
        };
        Scanner {
            language,
            block,
            scalar: None,
        }
    }

    fn mode(&mut self, line: &str) -> Mode {
        match self.language {
            Language::Json => Mode::Json,
            Language::Yaml => self.yaml(line),
            Language::Markdown => self.markdown(line),
        }
    }

    fn markdown(&mut self, line: &str) -> Mode {
        match self.block {
            Block::BeforeFrontMatter => {
                self.block = Block::FrontMatter;
                Mode::Fence
            }
            Block::FrontMatter if is_dashes(line) => self.close(),
            Block::FrontMatter => self.yaml(line),
            Block::Fence(fence) if fence.is_closed_by(line) => self.close(),
            Block::Fence(fence) if fence.quoted && !is_quoted(line) => {
                self.close();
                self.outside(line)
            }
            Block::Fence(fence) if fence.inside == Mode::Yaml => self.yaml(line),
            Block::Fence(fence) => fence.inside,
            Block::Comment(until) => {
                if line.contains(until.text()) {
                    self.block = Block::None;
                }
                Mode::Comment(until)
            }
            Block::None => self.outside(line),
        }
    }

    fn close(&mut self) -> Mode {
        self.block = Block::None;
        self.scalar = None;
        Mode::Fence
    }

    fn outside(&mut self, line: &str) -> Mode {
        if let Some(fence) = Fence::opened_by(line) {
            self.block = Block::Fence(fence);
            return Mode::Fence;
        }
        let line = line.trim_start_matches([' ', '\t']);
        for (open, until) in [("<!--", Until::Html), ("{#", Until::Jinja)] {
            if let Some(rest) = line.strip_prefix(open)
                && !rest.contains(until.text())
            {
                self.block = Block::Comment(until);
            }
        }
        Mode::Markdown
    }

    fn yaml(&mut self, line: &str) -> Mode {
        let content = line.trim_start_matches(' ');
        let indent = line.len() - content.len();
        if let Some(key) = self.scalar
            && (indent > key || content.trim_end().is_empty())
        {
            return Mode::Scalar;
        }
        self.scalar = opens_scalar(content).then_some(indent);
        Mode::Yaml
    }
}

impl Fence {
    fn opened_by(line: &str) -> Option<Fence> {
        let content = past_markers(line);
        let mark = content.chars().next().filter(|c| matches!(c, '`' | '~'))?;
        let info = content.trim_start_matches(mark);
        let len = content.len() - info.len();
        if len < 3 || (mark == '`' && info.contains('`')) {
            return None;
        }
        let ends = |c: char| c.is_whitespace() || matches!(c, '{' | '}' | '.' | ',');
        let name = info.split(ends).find(|word| !word.is_empty());
        Some(Fence {
            mark,
            len,
            quoted: is_quoted(line),
            inside: match name.unwrap_or_default().to_ascii_lowercase().as_str() {
                "json" | "jsonc" | "json5" | "jsonl" | "ndjson" => Mode::Json,
                "yaml" | "yml" => Mode::Yaml,
                _ => Mode::Code,
            },
        })
    }

    fn is_closed_by(self, line: &str) -> bool {
        let skips = |c| matches!(c, ' ' | '\t') || (c == '>' && self.quoted);
        let content = line.trim_start_matches(skips);
        let after = content.trim_start_matches(self.mark);
        content.len() - after.len() >= self.len && after.trim_end().is_empty()
    }
}

fn is_quoted(line: &str) -> bool {
    line.trim_start_matches([' ', '\t']).starts_with('>')
}

/// Skips what may stand before a fence: blanks, quote marks and one list marker.
fn past_markers(line: &str) -> &str {
    let line = line.trim_start_matches([' ', '\t', '>']);
    let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let item = if number.len() < line.len() {
        number.strip_prefix(['.', ')'])
    } else {
        line.strip_prefix(['-', '*', '+'])
    };
    item.and_then(|rest| rest.strip_prefix([' ', '\t']))
        .map_or(line, |rest| rest.trim_start_matches([' ', '\t']))
}

fn is_dashes(line: &str) -> bool {
    line.trim_end() == "---"
}

/// Says whether a text opens with front matter; where the end is missing, there is none.
fn has_front_matter(text: &str) -> bool {
    let mut lines = text.split('\n');
    lines.next().is_some_and(is_dashes) && lines.any(is_dashes)
}

/// Says whether a line of YAML ends in `|` or `>`, with or without its digits and signs.
fn opens_scalar(content: &str) -> bool {
    let content = content.trim_end();
    let head = content.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '+' | '-'));
    !content.starts_with('#')
        && content.len() - head.len() <= 2
        && head
            .strip_suffix(['|', '>'])
            .is_some_and(|before| before.ends_with(": ") || before.ends_with("- "))
}

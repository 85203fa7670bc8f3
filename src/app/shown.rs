//! The text that a section shows: as it is sent, or line by line against another.

use std::ops::Range;
use std::sync::Arc;

use similar::{DiffOp, DiffTag};

use crate::display::highlight::Slot;
use crate::display::line_diff;
use crate::display::rendered::rendered;
use crate::display::sanitize::Symbols;
use crate::prompt::provenance::{Origin, Span, line_origins};

/// What a line is in a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    /// It is in both texts.
    Same,
    /// It is new.
    Added,
    /// It is gone, and not part of what is sent.
    Removed,
}

/// A text with what is known of each of its lines.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Shown {
    /// The text.
    pub text: Arc<str>,
    /// Where each line comes from.
    pub origins: Vec<Origin>,
    /// What each line is in the comparison; empty where nothing is compared.
    pub signs: Vec<Sign>,
    /// What the pieces of a rendered text look like; empty for one that is shown as it is sent.
    pub slots: Vec<(Range<usize>, Slot)>,
}

impl Shown {
    /// Shows a text as it is sent.
    #[must_use]
    pub fn sent(text: &Arc<str>, spans: &[Span]) -> Self {
        Self {
            text: text.clone(),
            origins: line_origins(text, spans),
            ..Self::default()
        }
    }

    /// Shows a text as Markdown without its marks.
    #[must_use]
    pub fn rendered(text: &str, spans: &[Span], symbols: Symbols) -> Self {
        let own = line_origins(text, spans);
        let rendered = rendered(text, symbols);
        let origin = |line: &usize| own.get(*line).cloned().unwrap_or(Origin::Generated);
        // A blank line is there to set blocks apart, and stands on no line of the file.
        let lines = rendered.text.lines().zip(&rendered.lines);
        let origins = lines.map(|(text, line)| match text.trim() {
            "" => Origin::Generated,
            _ => origin(line),
        });
        Self {
            origins: origins.collect(),
            text: rendered.text.into(),
            slots: rendered.slots,
            signs: Vec::new(),
        }
    }

    /// Shows a text with the lines of an earlier one that are gone between its own.
    #[must_use]
    pub fn compared(before: &str, text: &str, spans: &[Span]) -> Self {
        let own = line_origins(text, spans);
        let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), text.lines().collect());
        let mut shown = String::new();
        let (mut origins, mut signs) = (Vec::new(), Vec::new());
        let mut push = |line: &str, origin: Option<&Origin>, sign: Sign| {
            shown.extend([line, "\n"]);
            origins.push(origin.cloned().unwrap_or(Origin::Generated));
            signs.push(sign);
        };
        for op in operations(&old, &new) {
            let (tag, gone, come) = op.as_tag_tuple();
            if tag == DiffTag::Equal {
                for line in come {
                    push(new[line], own.get(line), Sign::Same);
                }
                continue;
            }
            for line in gone {
                push(old[line], None, Sign::Removed);
            }
            for line in come {
                push(new[line], own.get(line), Sign::Added);
            }
        }
        Self {
            text: shown.into(),
            origins,
            signs,
            slots: Vec::new(),
        }
    }

    /// Gives what a line is in the comparison.
    #[must_use]
    pub fn sign(&self, line: usize) -> Sign {
        self.signs.get(line).copied().unwrap_or(Sign::Same)
    }

    /// Counts the lines that are new and those that are gone.
    #[must_use]
    pub fn counts(&self) -> (usize, usize) {
        let count = |wanted: Sign| self.signs.iter().filter(|sign| **sign == wanted).count();
        (count(Sign::Added), count(Sign::Removed))
    }

    /// Lists the lines that are Markdown headings; what stands in code is none.
    #[must_use]
    pub fn headings(&self) -> Vec<usize> {
        let mut fence: Option<&str> = None;
        let mut headings = Vec::new();
        for (index, line) in self.text.lines().enumerate() {
            let start = line.trim_start();
            let mark = ["```", "~~~"]
                .into_iter()
                .find(|mark| start.starts_with(mark));
            match (fence, mark) {
                (None, Some(mark)) => fence = Some(mark),
                (Some(open), Some(mark)) if open == mark => fence = None,
                (Some(_), _) => {}
                (None, None) => {
                    let hashes = line.bytes().take_while(|&byte| byte == b'#').count();
                    let after = line.as_bytes().get(hashes);
                    if (1..=6).contains(&hashes) && matches!(after, None | Some(b' ')) {
                        headings.push(index);
                    }
                }
            }
        }
        headings
    }
}

/// Finds what makes one list of lines out of the other.
///
/// Where so much differs that finding the least would hold up the screen, all of it is gone and come.
fn operations(old: &[&str], new: &[&str]) -> Vec<DiffOp> {
    const ENOUGH: usize = 4_000_000;
    let same = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let tail = old[same..].iter().rev().zip(new[same..].iter().rev());
    let tail = tail.take_while(|(a, b)| a == b).count();
    let (gone, come) = (old.len() - same - tail, new.len() - same - tail);
    if gone.saturating_mul(come) <= ENOUGH {
        return line_diff::operations(old, new);
    }
    let equal = |old_index, new_index, len| DiffOp::Equal {
        old_index,
        new_index,
        len,
    };
    vec![
        equal(0, 0, same),
        DiffOp::Replace {
            old_index: same,
            old_len: gone,
            new_index: same,
            new_len: come,
        },
        equal(same + gone, same + come, tail),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_are_gone_stand_between_those_that_are_there() {
        let shown = Shown::compared("a\nb\nc", "a\nx\nc\n", &[]);
        assert_eq!(&*shown.text, "a\nb\nx\nc\n");
        let signs = [Sign::Same, Sign::Removed, Sign::Added, Sign::Same];
        assert_eq!(shown.signs, signs);
        assert_eq!(shown.counts(), (1, 1));
        assert_eq!(shown.origins.len(), 4);
        let huge = |mark: &str| {
            (0..3000)
                .map(|n| format!("{mark}{n}\n"))
                .collect::<Vec<_>>()
        };
        let (old, new) = (huge("a").concat(), huge("b").concat());
        let all = Shown::compared(&format!("x\n{old}y\n"), &format!("x\n{new}y\n"), &[]);
        assert_eq!(all.counts(), (3000, 3000));
        assert_eq!((all.sign(0), all.sign(6001)), (Sign::Same, Sign::Same));
        let same = Shown::compared("a\n", "a\n", &[]);
        assert_eq!(same.counts(), (0, 0));
        assert_eq!(&*Shown::compared("", "", &[]).text, "");
    }

    #[test]
    fn headings_in_code_are_none() {
        let text: Arc<str> = "# A\n#no\n~~~\n# x\n```\n~~~\n###### B\n####### no\n#\n".into();
        assert_eq!(Shown::sent(&text, &[]).headings(), [0, 6, 8]);
    }
}

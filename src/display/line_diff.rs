//! What differs between two texts, line by line.
//!
//! The algorithm is named where it is called: choosing it by a value would compile each of them in.

use std::fmt::Write as _;

use similar::algorithms::{Capture, Compact, Replace, myers};
use similar::udiff::UnifiedHunkHeader;
use similar::{DiffOp, DiffTag, group_diff_ops};

/// How many lines stand around a difference where nothing else is asked for.
pub const CONTEXT: usize = 3;

/// Finds the least that must go and come to make one list of lines the other.
#[must_use]
pub fn operations(old: &[&str], new: &[&str]) -> Vec<DiffOp> {
    let mut found = Compact::new(Replace::new(Capture::new()), old, new);
    let Ok(()) = myers::diff(&mut found, old, 0..old.len(), new, 0..new.len());
    found.into_inner().into_inner().into_ops()
}

/// Writes the differences between two texts in the unified format, with some lines around each of them;
/// nothing where there are none.
#[must_use]
pub fn unified(old: &str, new: &str, context: usize, names: Option<(&str, &str)>) -> String {
    let lines = |text| str::split_inclusive(text, '\n').collect::<Vec<_>>();
    let (old, new) = (lines(old), lines(new));
    let mut out = String::new();
    let hunks = group_diff_ops(operations(&old, &new), context);
    if let (Some((before, after)), false) = (names, hunks.is_empty()) {
        // A string takes whatever is written to it.
        let _ = write!(out, "--- {before}\n+++ {after}\n");
    }
    for hunk in hunks {
        let _ = writeln!(out, "{}", UnifiedHunkHeader::new(&hunk));
        for operation in hunk {
            let (tag, gone, come) = operation.as_tag_tuple();
            if tag == DiffTag::Equal {
                add(&mut out, ' ', &old[gone]);
                continue;
            }
            add(&mut out, '-', &old[gone]);
            add(&mut out, '+', &new[come]);
        }
    }
    out
}

fn add(out: &mut String, sign: char, lines: &[&str]) {
    for line in lines {
        out.push(sign);
        out.push_str(line);
        if !line.ends_with('\n') {
            out.push_str("\n\\ No newline at end of file\n");
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use similar::TextDiff;

    use super::*;

    #[test]
    fn texts_that_are_the_same_have_no_differences() {
        assert_eq!(unified("a\nb", "a\nb", 3, Some(("old", "new"))), "");
        assert_eq!(unified("", "", 3, None), "");
    }

    proptest! {
        #[test]
        fn differences_stand_as_everywhere(
            old in "([abc]\n){0,12}[ab]?",
            new in "([abc]\n){0,12}[ab]?",
            context in 0..4_usize,
        ) {
            let known = TextDiff::from_lines(&old, &new);
            let known = known.unified_diff().context_radius(context).header("a.md", "b.md").to_string();
            prop_assert_eq!(unified(&old, &new, context, Some(("a.md", "b.md"))), known);
        }
    }
}

//! The marker of an include, and the file that it names.

use std::ops::Range;

const OPEN: &str = "<!--";
const CLOSE: &str = "-->";

/// Finds the next include marker of a line: its bytes, and what it includes.
pub(super) fn include(line: &str, from: usize) -> Option<(Range<usize>, &str)> {
    let mut starts = line[from..].match_indices(OPEN).map(|(at, _)| from + at);
    starts.find_map(|start| {
        // In `<!-->` the dashes that open are not those that close.
        let (inner, _) = line[start + OPEN.len()..].split_once(CLOSE)?;
        let end = start + OPEN.len() + inner.len() + CLOSE.len();
        let target = inner.trim().strip_prefix("INCLUDE")?;
        let is_apart = target.starts_with(char::is_whitespace);
        let target = target.trim();
        (is_apart && !target.is_empty()).then_some((start..end, target))
    })
}

/// Resolves a path against the file that names it; `None` where it leads out of the folder.
pub(super) fn joined(from: &str, target: &str) -> Option<String> {
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

//! Files that nobody filled in, and syntax that nobody renders.

use super::{Finding, Place, Subject, finding};
use crate::prompt::SectionId;
use crate::workspace::survey::FileKind;

/// Checks for untouched templates, and for placeholders and includes.
pub(super) fn check(subject: &Subject, found: &mut Vec<Finding>) {
    let memory = subject.assembly.section(SectionId::Memory);
    if memory.absent == Some("untouched template") {
        let message =
            "it is still the template that the agent put there, so the section is left out";
        let untouched = finding(
            "untouched-template",
            message,
            "write into it, or let the agent do so",
        );
        found.push(
            untouched
                .on_line("memory/MEMORY.md", 1)
                .of(SectionId::Memory),
        );
    }
    for (name, _) in subject.workspace.untouched_bootstrap_files() {
        let message = "it is still the template that the agent put there, and is sent as it stands";
        let untouched = finding(
            "untouched-template",
            message,
            "write your own rules into it",
        );
        found.push(untouched.on_line(name, 1).of(SectionId::BootstrapFiles));
    }
    for kind in [FileKind::Bootstrap, FileKind::Memory, FileKind::Skill] {
        for (path, text) in subject.survey.of(kind) {
            syntax(path, text, found);
        }
    }
}

/// Finds placeholders and includes outside code: the agent renders none of them.
fn syntax(path: &str, text: &str, found: &mut Vec<Finding>) {
    for (start, line) in outside_code(text) {
        let Some((at, what)) = marked(line) else {
            continue;
        };
        let message =
            format!("{what} reaches the model as it stands: the agent renders no templates");
        let fix = "write the text itself, or keep it in a prompt source and compile it";
        found.push(finding("template-syntax", message, fix).at(path, Place::of(text, start + at)));
    }
}

/// Finds the first placeholder or include of a line that stands in no code.
fn marked(line: &str) -> Option<(usize, String)> {
    // `${{ }}` is a workflow's own, and a backslash takes the meaning away.
    let is_code = |at: usize| is_in_span(line, at) || line[..at].ends_with(['$', '\\']);
    for (open, close) in [("{{", "}}"), ("{%", "%}"), ("{#", "#}")] {
        let opened = line
            .match_indices(open)
            .map(|(at, _)| at)
            .find(|at| !is_code(*at));
        if let Some(at) = opened
            && let Some(length) = line[at..].find(close)
        {
            let all = &line[at..at + length + close.len()];
            return Some((at, format!("the placeholder {all}")));
        }
    }
    let trimmed = line.trim_start();
    let at = line.len() - trimmed.len();
    let is_include = [
        "@include ",
        "@import ",
        "!include ",
        "#include ",
        "<!-- include",
    ]
    .iter()
    .any(|start| trimmed.len() > start.len() && trimmed.to_lowercase().starts_with(start));
    is_include.then(|| (at, format!("the include {:?}", trimmed.trim_end())))
}

/// Gives the lines of Markdown that stand in no fenced code, each with its first byte.
///
/// A fence is closed by one of the same sign that is as long at least.
pub(super) fn outside_code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut fence: Option<(char, usize)> = None;
    let mut start = 0;
    let lines = text.split('\n').map(move |line| {
        let at = start;
        start += line.len() + 1;
        (at, line)
    });
    lines.filter(move |(_, line)| {
        let line = line.trim_start();
        let sign = line.chars().next().filter(|sign| matches!(sign, '`' | '~'));
        let length = sign.map_or(0, |sign| line.chars().take_while(|c| *c == sign).count());
        match (fence, sign) {
            (None, Some(sign)) if length >= 3 => {
                fence = Some((sign, length));
                false
            }
            (Some((open, least)), Some(sign)) if open == sign && length >= least => {
                fence = None;
                false
            }
            (open, _) => open.is_none(),
        }
    })
}

/// Tells whether a byte of a line stands in a code span: between two runs of as many backticks.
pub(super) fn is_in_span(line: &str, at: usize) -> bool {
    let mut rest = 0;
    while let Some(open) = line[rest..].find('`').map(|open| rest + open) {
        let run = line[open..].chars().take_while(|c| *c == '`').count();
        let inside = open + run;
        let ticks = "`".repeat(run);
        let mut close = inside;
        let end = loop {
            let Some(found) = line[close..].find(&ticks).map(|found| close + found) else {
                break None;
            };
            let length = line[found..].chars().take_while(|c| *c == '`').count();
            if length == run {
                break Some(found);
            }
            close = found + length;
        };
        match end {
            Some(end) if (inside..end).contains(&at) => return true,
            Some(end) => rest = end + run,
            None => rest = inside,
        }
        if rest > at {
            return false;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_and_includes_are_found_outside_code() {
        for (line, wanted) in [
            ("Hello {{ name }}!", Some(6)),
            ("{% if x %}", Some(0)),
            ("  @include a.md", Some(2)),
            ("<!-- include: a.md -->", Some(0)),
            ("`{{ name }}` is a placeholder", None),
            ("`` {{ name }} `` and ` {{ x }} `", None),
            ("${{ secrets.TOKEN }} and \\{{ x }}", None),
            ("`a` {{ b }} `c`", Some(4)),
            ("a {{ that is not closed", None),
            ("mail me @include", None),
            ("# Heading", None),
        ] {
            assert_eq!(marked(line).map(|(at, _)| at), wanted, "{line}");
        }
        let text = "a\n```\n{{ x }}\n```\nb\n";
        let lines: Vec<&str> = outside_code(text).map(|(_, line)| line).collect();
        assert_eq!(lines, ["a", "b", ""]);
        let text = "````\n```\n{{ x }}\n````\nout\n";
        let lines: Vec<&str> = outside_code(text).map(|(_, line)| line).collect();
        assert_eq!(lines, ["out", ""]);
    }
}

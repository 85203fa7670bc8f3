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
    let is_code = |at: usize| line[..at].matches('`').count() % 2 == 1;
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
pub(super) fn outside_code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut fence: Option<&str> = None;
    let mut start = 0;
    let lines = text.split('\n').map(move |line| {
        let at = start;
        start += line.len() + 1;
        (at, line)
    });
    lines.filter(move |(_, line)| {
        let mark = ["```", "~~~"]
            .into_iter()
            .find(|mark| line.trim_start().starts_with(mark));
        match (fence, mark) {
            (None, Some(mark)) => {
                fence = Some(mark);
                false
            }
            (Some(open), Some(mark)) if open == mark => {
                fence = None;
                false
            }
            (open, _) => open.is_none(),
        }
    })
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
            ("a {{ that is not closed", None),
            ("mail me @include", None),
            ("# Heading", None),
        ] {
            assert_eq!(marked(line).map(|(at, _)| at), wanted, "{line}");
        }
        let text = "a\n```\n{{ x }}\n```\nb\n";
        let lines: Vec<&str> = outside_code(text).map(|(_, line)| line).collect();
        assert_eq!(lines, ["a", "b", ""]);
    }
}

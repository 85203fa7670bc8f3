//! Findings that are silenced where they stand, with a reason.

use super::{Finding, Place, Subject, finding};
use crate::workspace::survey::FileKind;

/// What a comment that silences begins with, inside `<!--` or after `#`.
const MARK: &str = "promptscope-ignore";

/// A comment that silences rules on its own line and on the next.
struct Silence {
    path: String,
    line: usize,
    place: Place,
    rules: Vec<String>,
    has_reason: bool,
}

/// Takes out what a comment silences, and finds comments that give no reason.
///
/// `<!-- promptscope-ignore RULE, RULE: reason -->` silences these rules on its line and on the next.
pub(super) fn apply(subject: &Subject, found: &mut Vec<Finding>) {
    // What other people write into a history or a session silences nothing.
    let kinds = [
        FileKind::Bootstrap,
        FileKind::Memory,
        FileKind::Skill,
        FileKind::Prompt,
    ];
    let files = kinds.into_iter().flat_map(|kind| subject.survey.of(kind));
    let silences: Vec<Silence> = files.flat_map(|(path, text)| in_file(path, text)).collect();
    found.retain(|finding| {
        !silences.iter().any(|silence| {
            finding.path.as_ref() == Some(&silence.path)
                && finding
                    .line
                    .is_some_and(|line| (silence.line..=silence.line + 1).contains(&line))
                && silence.rules.iter().any(|rule| rule == finding.rule)
        })
    });
    for silence in silences.iter().filter(|silence| !silence.has_reason) {
        let rules = silence.rules.join(", ");
        let message = format!("{rules} is silenced here, and no reason is given");
        let fix = format!("write <!-- {MARK} {rules}: why -->");
        found
            .push(finding("silence-without-reason", message, fix).at(&silence.path, silence.place));
    }
}

/// Finds the comment of each line that has one.
fn in_file(path: &str, text: &str) -> Vec<Silence> {
    let found = text.split('\n').enumerate().filter_map(|(index, line)| {
        let at = line.find(MARK)?;
        let before = line[..at].trim_end();
        if !before.ends_with("<!--") && !before.ends_with('#') {
            return None;
        }
        let rest = &line[at + MARK.len()..];
        let rest = rest.split("-->").next().unwrap_or_default();
        let (rules, reason) = rest.split_once(':').unwrap_or((rest, ""));
        let rules = rules
            .split(',')
            .map(str::trim)
            .filter(|rule| !rule.is_empty());
        let line_number = index + 1;
        Some(Silence {
            path: path.to_owned(),
            line: line_number,
            place: Place {
                line: line_number,
                column: line[..at].chars().count() + 1,
            },
            rules: rules.map(str::to_owned).collect(),
            has_reason: !reason.trim().is_empty(),
        })
    });
    found.collect()
}

/// Tells whether a path matches a pattern: `*` stands for anything but a slash, `**` for anything, `?`
/// for one letter.
#[must_use]
pub fn glob(pattern: &str, path: &str) -> bool {
    fn matches(pattern: &[char], path: &[char]) -> bool {
        match pattern {
            [] => path.is_empty(),
            ['*', '*', '/', rest @ ..] if matches(rest, path) => true,
            ['*', '*', rest @ ..] => (0..=path.len()).any(|at| matches(rest, &path[at..])),
            ['*', rest @ ..] => {
                let end = path.iter().position(|c| *c == '/').unwrap_or(path.len());
                (0..=end).any(|at| matches(rest, &path[at..]))
            }
            [one, rest @ ..] => match path {
                [first, after @ ..] if one == first || (*one == '?' && *first != '/') => {
                    matches(rest, after)
                }
                _ => false,
            },
        }
    }
    let letters = |text: &str| text.chars().collect::<Vec<_>>();
    matches(&letters(pattern), &letters(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_paths() {
        for (pattern, path, wanted) in [
            ("AGENTS.md", "AGENTS.md", true),
            ("*.md", "AGENTS.md", true),
            ("*.md", "memory/MEMORY.md", false),
            ("**/*.md", "AGENTS.md", true),
            ("**/*.md", "skills/a/SKILL.md", true),
            ("skills/*/SKILL.md", "skills/a/SKILL.md", true),
            ("skills/*/SKILL.md", "skills/a/b/SKILL.md", false),
            ("skills/**", "skills/a/b/SKILL.md", true),
            ("skills/?/*", "skills/a/SKILL.md", true),
            ("skills/?/*", "skills/ab/SKILL.md", false),
        ] {
            assert_eq!(glob(pattern, path), wanted, "{pattern} {path}");
        }
    }

    #[test]
    fn comments_name_rules_and_a_reason() {
        let text = "a\n<!-- promptscope-ignore secret, vague-instruction: it is public -->\n# promptscope-ignore x\nno promptscope-ignore y: z\n";
        let found = in_file("a.md", text);
        assert_eq!(found.len(), 2);
        assert_eq!(
            (found[0].line, found[0].rules.len(), found[0].has_reason),
            (2, 2, true)
        );
        assert_eq!((found[1].line, found[1].has_reason), (3, false));
    }
}

//! What `check` found, as the XML of `JUnit`.

use std::fmt::Write as _;

use super::Checked;
use super::forms::place;
use crate::lint::{RULES, Severity};

/// Writes a test suite for each workspace, with a test case for each rule: one that found something as
/// severe as what fails has failed, and what is less severe stands in its output.
pub(super) fn junit(all: &[Checked], fail_on: Severity) -> String {
    let failing = |checked: &Checked, rule: &str| {
        let all = checked.findings.iter();
        all.filter(|finding| finding.rule == rule && finding.severity >= fail_on)
            .count()
    };
    let mut suites = String::new();
    let (mut tests, mut failures) = (0, 0);
    for checked in all {
        let failed = RULES
            .iter()
            .filter(|rule| failing(checked, rule.name) > 0)
            .count();
        tests += RULES.len();
        failures += failed;
        let name = xml(&checked.name);
        let _ = writeln!(
            suites,
            "  <testsuite name=\"{name}\" tests=\"{}\" failures=\"{failed}\" errors=\"0\" skipped=\"0\" time=\"0\">",
            RULES.len()
        );
        for rule in &RULES {
            let found = checked
                .findings
                .iter()
                .filter(|finding| finding.rule == rule.name);
            let lines = |is_failing: bool| {
                let found = found
                    .clone()
                    .filter(|finding| (finding.severity >= fail_on) == is_failing);
                let lines = found.map(|finding| {
                    format!(
                        "{}: {}: {}\nfix: {}\n",
                        place(checked, finding),
                        finding.severity,
                        finding.message,
                        finding.fix
                    )
                });
                xml(&lines.collect::<String>())
            };
            let (failed, said) = (lines(true), lines(false));
            let open = format!(
                "    <testcase classname=\"{name}\" name=\"{}\" time=\"0\"",
                rule.name
            );
            if failed.is_empty() && said.is_empty() {
                let _ = writeln!(suites, "{open}/>");
                continue;
            }
            let _ = writeln!(suites, "{open}>");
            if !failed.is_empty() {
                let about = xml(rule.about);
                let _ = writeln!(
                    suites,
                    "      <failure message=\"{about}\" type=\"{}\">{failed}</failure>",
                    rule.name
                );
            }
            if !said.is_empty() {
                let _ = writeln!(suites, "      <system-out>{said}</system-out>");
            }
            suites.push_str("    </testcase>\n");
        }
        suites.push_str("  </testsuite>\n");
    }
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"promptscope\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" time=\"0\">\n{suites}</testsuites>\n"
    )
}

/// Escapes text for XML; characters that XML cannot hold are replaced.
fn xml(text: &str) -> String {
    let mut out = String::new();
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            '\t' => out.push_str("&#9;"),
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            letter => out.push(letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped_for_xml() {
        assert_eq!(
            xml("a<b>&\"c\"\n\u{1}漢"),
            "a&lt;b&gt;&amp;&quot;c&quot;&#10;\u{fffd}漢"
        );
    }
}

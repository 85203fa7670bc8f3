//! What `check` found, for people, as JSON and as annotations of GitHub.

use std::fmt::Write as _;

use super::Checked;
use crate::budget::share;
use crate::commands::report::{count, json_text, record, text};
use crate::display::sanitize::{Symbols, plain};
use crate::insight::advice::Advice;
use crate::insight::cache::Loss;
use crate::lint::{Finding, Severity};
use crate::prompt::SectionId;
use crate::python::Value;
use crate::workspace::path_text;

/// Gives the path of a finding from where the command was called.
pub(super) fn path(checked: &Checked, finding: &Finding) -> Option<String> {
    finding.path.as_ref().map(|path| joined(checked, path))
}

fn joined(checked: &Checked, path: &str) -> String {
    match checked.name.trim_end_matches('/').trim_start_matches("./") {
        "." | "" => path.to_owned(),
        name => format!("{name}/{path}"),
    }
}

/// Makes text of a workspace safe to stand in a line: what a terminal or a server of workflows would obey
/// becomes a mark.
pub(in crate::commands) fn in_a_line(text: &str) -> String {
    let text = text.replace('\n', "\u{2424}");
    plain(&text, Symbols::Unicode).into_owned()
}

/// Gives a finding's place from where the command was called, for people.
pub(super) fn place(checked: &Checked, finding: &Finding) -> String {
    let path = path(checked, finding).unwrap_or_else(|| checked.name.clone());
    let path = in_a_line(&path);
    match (finding.line, finding.column) {
        (Some(line), Some(column)) => format!("{path}:{line}:{column}"),
        (Some(line), None) => format!("{path}:{line}"),
        _ => path,
    }
}

pub(super) fn human(all: &[Checked], fail_on: Severity) -> String {
    let mut out = String::new();
    for checked in all {
        for finding in &checked.findings {
            let place = place(checked, finding);
            let _ = writeln!(
                out,
                "{place}: {}: {} [{}]",
                finding.severity,
                in_a_line(&finding.message),
                finding.rule
            );
            let _ = writeln!(out, "    fix: {}", in_a_line(&finding.fix));
        }
        out.push_str(&insights(checked));
        if let Some(file) = &checked.recorded {
            let _ = writeln!(out, "recorded in {}", file.display());
        }
        let _ = writeln!(
            out,
            "{}: {}; {}",
            checked.name,
            totals(checked),
            counts(checked)
        );
    }
    let failing = all.iter().flat_map(|checked| &checked.findings);
    let failing = failing
        .filter(|finding| finding.severity >= fail_on)
        .count();
    if all.len() > 1 {
        let _ = writeln!(
            out,
            "{} workspaces, {failing} findings that fail",
            all.len()
        );
    }
    out
}

/// Says what a cache would lose and what would save most.
fn insights(checked: &Checked) -> String {
    let mut out = String::new();
    if let Some((estimate, (low, high))) = &checked.estimate {
        let _ = writeln!(
            out,
            "estimate: {}; the system prompt has {low} to {high}",
            estimate.about()
        );
    }
    for loss in &checked.losses {
        let _ = match &loss.first {
            None => writeln!(out, "cache: {}: the same to the byte", loss.change),
            Some(first) => writeln!(
                out,
                "cache: {}: differs in {} at byte {} ({:?}): {} of {} tokens are lost",
                loss.change, first.part, first.byte, first.text, first.lost, loss.request
            ),
        };
    }
    for advice in &checked.advice {
        let path = joined(checked, &advice.path);
        let _ = writeln!(
            out,
            "advice: {} tokens: {path}:{}: {}",
            advice.saves, advice.line, advice.text
        );
    }
    out
}

fn totals(checked: &Checked) -> String {
    let usage = &checked.usage;
    let of = |used: usize, limit: Option<usize>| match limit {
        Some(limit) => format!(
            "{used} of {limit} tokens ({:.0}%)",
            (share(used, limit) * 100.0).floor()
        ),
        None => format!("{used} tokens"),
    };
    let agent = if checked.agent_tokens == usage.system_prompt {
        String::new()
    } else {
        format!(" ({} as the agent counts)", checked.agent_tokens)
    };
    format!(
        "prompt {}{agent}, request {}",
        of(usage.system_prompt, checked.budget.total),
        of(usage.request(), checked.budget.window)
    )
}

fn counts(checked: &Checked) -> String {
    let of = |severity: Severity| match checked.count(severity) {
        1 => format!("1 {severity}"),
        count => format!("{count} {severity}s"),
    };
    let severities = Severity::ALL.into_iter().rev().map(of);
    severities.collect::<Vec<_>>().join(", ")
}

/// Builds a finding as `render` and `check` report it.
pub fn of_finding(finding: &Finding, path: Option<String>) -> Value {
    record([
        ("rule", Value::str(finding.rule)),
        ("severity", Value::str(finding.severity.name())),
        ("message", Value::str(finding.message.as_str())),
        ("fix", Value::str(finding.fix.as_str())),
        ("path", text(path)),
        ("line", finding.line.map_or(Value::None, count)),
        ("column", finding.column.map_or(Value::None, count)),
        (
            "section",
            text(finding.section.map(|id| id.id().to_owned())),
        ),
    ])
}

fn estimate(checked: &Checked) -> Value {
    checked
        .estimate
        .as_ref()
        .map_or(Value::None, |(estimate, (low, high))| {
            record([
                ("model", Value::str(estimate.model.as_str())),
                ("low", count(*low)),
                ("high", count(*high)),
                ("about", Value::Str(estimate.about())),
            ])
        })
}

fn of_loss(loss: &Loss) -> Value {
    let first = loss.first.as_ref().map_or(Value::None, |first| {
        record([
            ("section", text(first.section.map(|id| id.id().to_owned()))),
            ("part", Value::str(first.part.as_str())),
            ("byte", count(first.byte)),
            ("text", Value::str(first.text.as_str())),
            ("lost_tokens", count(first.lost)),
        ])
    });
    record([
        ("change", Value::str(loss.change.as_str())),
        ("request_tokens", count(loss.request)),
        ("first_difference", first),
    ])
}

fn of_advice(advice: &Advice) -> Value {
    record([
        ("saves", count(advice.saves)),
        ("path", Value::str(advice.path.as_str())),
        ("line", count(advice.line)),
        ("text", Value::str(advice.text.as_str())),
    ])
}

pub(super) fn json(all: &[Checked]) -> String {
    let workspaces = all.iter().map(|checked| {
        let sections = SectionId::ALL.map(|id| {
            let budget = checked.budget.section(id).map_or(Value::None, count);
            let fields = [
                ("tokens", count(checked.usage.section(id))),
                ("budget", budget),
            ];
            (Value::str(id.id()), record(fields))
        });
        let findings = checked.findings.iter();
        let findings = findings.map(|finding| of_finding(finding, finding.path.clone()));
        record([
            ("workspace", Value::Str(path_text(&checked.root))),
            ("encoding", Value::str(checked.usage.encoding.name())),
            ("sections", Value::Dict(sections.into_iter().collect())),
            (
                "system_prompt",
                record([
                    ("tokens", count(checked.usage.system_prompt)),
                    ("agent_tokens", count(checked.agent_tokens)),
                    ("budget", checked.budget.total.map_or(Value::None, count)),
                    ("estimate", estimate(checked)),
                ]),
            ),
            (
                "request",
                record([
                    ("tokens", count(checked.usage.request())),
                    ("window", checked.budget.window.map_or(Value::None, count)),
                ]),
            ),
            ("findings", Value::List(findings.collect())),
            (
                "cache",
                Value::List(checked.losses.iter().map(of_loss).collect()),
            ),
            (
                "advice",
                Value::List(checked.advice.iter().map(of_advice).collect()),
            ),
        ])
    });
    let of = |severity: Severity| count(all.iter().map(|checked| checked.count(severity)).sum());
    let report = record([
        ("promptscope", Value::str(env!("CARGO_PKG_VERSION"))),
        ("workspaces", Value::List(workspaces.collect())),
        (
            "summary",
            record([
                ("errors", of(Severity::Error)),
                ("warnings", of(Severity::Warning)),
                ("notes", of(Severity::Note)),
            ]),
        ),
    ]);
    json_text(&report)
}

pub(super) fn github(all: &[Checked]) -> String {
    let mut out = String::new();
    for checked in all {
        for finding in &checked.findings {
            let command = match finding.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Note => "notice",
            };
            let mut properties = Vec::new();
            if let Some(path) = path(checked, finding) {
                properties.push(format!("file={}", property(&in_a_line(&path))));
            }
            properties.extend(finding.line.map(|line| format!("line={line}")));
            properties.extend(finding.column.map(|column| format!("col={column}")));
            properties.push(format!("title={}", property(finding.rule)));
            let message = data(&format!(
                "{}\nfix: {}",
                in_a_line(&finding.message),
                in_a_line(&finding.fix)
            ));
            let _ = writeln!(out, "::{command} {}::{message}", properties.join(","));
        }
    }
    out
}

/// Escapes the text of an annotation.
fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// Escapes a property of an annotation.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_escaped_for_where_they_stand() {
        assert_eq!(data("50% a\nb"), "50%25 a%0Ab");
        assert_eq!(property("a:b,c"), "a%3Ab%2Cc");
    }
}

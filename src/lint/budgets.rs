//! Numbers against budgets, and what would stop the agent altogether.

use super::{Finding, Subject, finding, named};
use crate::budget::{Level, share};
use crate::prompt::SectionId;
use crate::workspace::agent_error::AgentError;

/// Checks every number that has a budget.
pub(super) fn check(subject: &Subject, found: &mut Vec<Finding>) {
    let (budget, usage) = (subject.budget, subject.usage);
    for id in SectionId::ALL {
        let Some(limit) = budget.section(id) else {
            continue;
        };
        let heaviest = heaviest_source(subject, id);
        found.extend(
            against(
                subject,
                id.title(),
                usage.section(id),
                limit,
                &format!("budget.{}", id.id()),
            )
            .map(|found| match heaviest {
                Some((path, tokens)) => Finding {
                    message: format!("{}; {path} has most of it, {tokens} tokens", found.message),
                    path: Some(path),
                    ..found.of(id)
                },
                None => found.of(id),
            }),
        );
    }
    if let Some(limit) = budget.total {
        let of_total = against(
            subject,
            "the system prompt",
            usage.system_prompt,
            limit,
            "budget.total",
        );
        found.extend(of_total.map(|found| Finding {
            message: format!("{}; {}", found.message, who_used_it(subject)),
            ..found
        }));
    }
    if let Some(window) = budget.window {
        let request = usage.request();
        if request > window {
            let message = format!(
                "the request has {request} tokens and the context window {window}: the model refuses it, or \
                 loses its beginning; {}",
                who_used_it(subject)
            );
            found.push(finding(
                "window-exceeded",
                message,
                "replay fewer messages, or shorten the sections",
            ));
        } else if budget.level(request, Some(window)) == Level::Near {
            let message = format!(
                "the request has {request} tokens, {:.0}% of the context window of {window}",
                share(request, window) * 100.0
            );
            found.push(finding("near-budget", message, "leave room for the answer"));
        }
    }
    ratchet(subject, found);
    agent_fails(subject, found);
}

/// Compares with what was recorded.
fn ratchet(subject: &Subject, found: &mut Vec<Finding>) {
    let Some((baseline, tolerance)) = subject.baseline else {
        return;
    };
    for growth in baseline.differing(subject.usage) {
        let name = growth.section.map_or("the system prompt", SectionId::title);
        let (recorded, now) = (growth.recorded, growth.now);
        let finding = if growth.is_beyond(tolerance) {
            let message = format!(
                "{name} has {now} tokens, {} more than were recorded",
                now - recorded
            );
            finding(
                "grown",
                message,
                "shorten it, or record it with `check --update-baseline`",
            )
        } else if now < recorded {
            let message = format!(
                "{name} has {now} tokens, {} fewer than were recorded",
                recorded - now
            );
            finding(
                "savings-unrecorded",
                message,
                "record them with `check --update-baseline`, so that they are kept",
            )
        } else {
            continue;
        };
        found.push(Finding {
            section: growth.section,
            ..finding
        });
    }
}

pub(super) fn against(
    subject: &Subject,
    what: &str,
    used: usize,
    limit: usize,
    key: &str,
) -> Option<Finding> {
    let percent = share(used, limit) * 100.0;
    match subject.budget.level(used, Some(limit)) {
        Level::Within => None,
        Level::Near => {
            let message = format!("{what} has {used} tokens, {percent:.0}% of its {limit}");
            Some(finding(
                "near-budget",
                message,
                format!("shorten it before it grows over, or raise `{key}`"),
            ))
        }
        Level::Over => {
            let message = format!(
                "{what} has {used} tokens, {} over its {limit}",
                used - limit
            );
            Some(finding(
                "over-budget",
                message,
                format!("shorten it, or raise `{key}`"),
            ))
        }
    }
}

/// Names the three heaviest sections of a total.
fn who_used_it(subject: &Subject) -> String {
    let usage = subject.usage;
    let mut used: Vec<(usize, &str)> = SectionId::ALL
        .map(|id| (usage.section(id), id.title()))
        .into();
    used.push((usage.history.iter().sum(), "the replayed session"));
    used.sort_by(|a, b| b.cmp(a));
    let used = used.into_iter().take(3).filter(|(tokens, _)| *tokens > 0);
    let used: Vec<String> = used
        .map(|(tokens, name)| format!("{name} {tokens}"))
        .collect();
    format!("most are in {}", used.join(", "))
}

fn heaviest_source(subject: &Subject, id: SectionId) -> Option<(String, usize)> {
    let section = subject.assembly.section(id);
    let sources = section
        .sources
        .iter()
        .zip(&subject.usage.sources[id.index()]);
    let own = sources.filter(|(source, _)| !source.is_template);
    let heaviest = own.max_by_key(|(_, tokens)| **tokens)?;
    Some((named(subject, &heaviest.0.path), *heaviest.1))
}

/// Tells what the agent raises.
fn agent_fails(subject: &Subject, found: &mut Vec<Finding>) {
    let errors = subject.assembly.sections.iter().filter_map(|section| {
        let error = section.error.as_ref()?;
        Some((error, Some(section.id)))
    });
    let first = subject.assembly.error.iter().map(|error| (error, None));
    for (error, section) in errors.chain(first) {
        let problem = &error.message;
        let message = match error.class {
            AgentError::OUTSIDE => format!("{}: it {problem}", error.outcome()),
            class => format!("the agent fails with {class} and sends nothing: {problem}"),
        };
        let mut failure = finding("agent-fails", message, "repair the file");
        if let Some(path) = &error.path {
            failure = failure.on_line(&named(subject, path), error.line.unwrap_or(1));
        }
        failure.section = section;
        let is_told = found.iter().any(|other| {
            other.rule == "agent-fails" && other.path == failure.path && other.line == failure.line
        });
        if !is_told {
            found.push(failure);
        }
    }
}

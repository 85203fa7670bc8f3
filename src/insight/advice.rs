//! What would save most: skills, paragraphs, history entries, templates that nobody touched.

use std::collections::BTreeSet;

use crate::lint::{Subject, secrets};
use crate::prompt::{Fate, SectionId};
use crate::tokens::Counter;
use crate::workspace::front_matter;
use crate::workspace::survey::FileKind;

/// One piece of advice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Advice {
    /// The tokens that it would save.
    pub saves: usize,
    /// What it is about, and what to do.
    pub text: String,
    /// The file.
    pub path: String,
    /// The line of the file, from 1.
    pub line: usize,
}

/// How many pieces of advice are given.
const MOST: usize = 12;
/// Below so many tokens nothing is worth a word.
const LEAST: usize = 30;

/// Lists what would save most, the most first.
#[must_use]
pub fn advice(subject: &Subject, counter: &mut Counter) -> Vec<Advice> {
    let mut all = Vec::new();
    skills(subject, counter, &mut all);
    templates(subject, counter, &mut all);
    paragraphs(subject, counter, &mut all);
    history(subject, counter, &mut all);
    all.retain(|advice| advice.saves >= LEAST);
    all.sort_by(|a, b| {
        b.saves
            .cmp(&a.saves)
            .then_with(|| (&a.path, a.line).cmp(&(&b.path, b.line)))
    });
    all.truncate(MOST);
    all
}

fn skills(subject: &Subject, counter: &mut Counter, all: &mut Vec<Advice>) {
    for skill in subject.workspace.skills.iter().flatten() {
        let state = subject.skills.iter().find(|state| state.name == skill.name);
        let (Some(state), Some(text)) = (state, skill.content.text()) else {
            continue;
        };
        let body = counter.count(&text[front_matter::body(text)]);
        let description = skill.description();
        let index = counter.count(&format!("- **{}** — {description}", skill.name));
        let path = subject.workspace.relative(&skill.path);
        let name = &skill.name;
        if state.is_always && state.is_available && body > index {
            all.push(Advice {
                saves: body - index,
                text: format!("skill {name} is always on with {body} tokens; on demand its line in the list has {index}"),
                path,
                line: front_matter::line_of(text, "always"),
            });
        } else if !state.is_available {
            all.push(Advice {
                saves: index,
                text: format!(
                    "skill {name} is unavailable and listed all the same, with {index} tokens"
                ),
                path,
                line: 1,
            });
        } else if description.chars().count() > 300 {
            all.push(Advice {
                saves: index / 2,
                text: format!("the description of skill {name} has {index} tokens in every prompt; half of it would do"),
                path,
                line: skill.description_line(),
            });
        }
    }
}

fn templates(subject: &Subject, counter: &mut Counter, all: &mut Vec<Advice>) {
    for (name, text) in subject.workspace.untouched_bootstrap_files() {
        all.push(Advice {
            saves: counter.count(text),
            text: format!(
                "{name} is the template that the agent put there: nothing of it is yours"
            ),
            path: name.to_owned(),
            line: 1,
        });
    }
}

fn paragraphs(subject: &Subject, counter: &mut Counter, all: &mut Vec<Advice>) {
    for kind in [FileKind::Bootstrap, FileKind::Memory] {
        for (path, text) in subject.survey.of(kind) {
            let mut line = 1;
            for paragraph in text.split("\n\n") {
                let blank = paragraph.len() - paragraph.trim_start().len();
                let own = line + paragraph[..blank].matches('\n').count();
                all.push(Advice {
                    saves: counter.count(paragraph),
                    text: format!("a paragraph: {:?}", beginning(paragraph.trim_start())),
                    path: path.to_owned(),
                    line: own,
                });
                line += paragraph.matches('\n').count() + 2;
            }
        }
    }
}

/// Gives the beginning of a text's first line, without keys and passwords: a report may go anywhere.
fn beginning(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    secrets::masked(line).chars().take(40).collect()
}

fn history(subject: &Subject, counter: &mut Counter, all: &mut Vec<Advice>) {
    if subject
        .assembly
        .section(SectionId::RecentHistory)
        .text
        .is_none()
    {
        return;
    }
    let fates = subject.assembly.history_fates.iter();
    let shown = fates.filter(|entry| entry.fate == Fate::Shown);
    let shown: BTreeSet<usize> = shown.map(|entry| entry.line).collect();
    for entry in &subject.workspace.history.history().entries {
        if shown.contains(&entry.line) {
            all.push(Advice {
                saves: counter.count(&format!("- [{}] {}\n", entry.timestamp, entry.content)),
                text: format!("a history entry: {:?}", beginning(&entry.content)),
                path: "memory/history.jsonl".to_owned(),
                line: entry.line,
            });
        }
    }
}

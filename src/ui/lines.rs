//! The plain line mode: what the screen would show, said in a line for each change.

use super::number::{change, grouped, percent};
use crate::app::{App, Stale, View};
use crate::budget::{Level, Usage};
use crate::prompt::SectionId;

/// What was said last, to say only what differs.
#[derive(Debug, Default)]
pub struct Said {
    usage: Option<Usage>,
    problem: Option<String>,
    stale: Option<Stale>,
}

impl Said {
    /// Gives the lines that are news: all of it the first time, then what a change changed.
    pub fn news(&mut self, app: &App) -> Vec<String> {
        let mut lines = Vec::new();
        let Some(view) = &app.content.view else {
            return self.stale(app, lines);
        };
        let problem = view.settings_problem.clone().or_else(|| {
            let error = view.assembly.error.as_ref()?;
            let problem = view.workspace.problem(error);
            Some(format!("{}: {problem}", error.outcome()))
        });
        if problem != self.problem {
            lines.push(
                problem
                    .clone()
                    .unwrap_or_else(|| "that is mended".to_owned()),
            );
            self.problem = problem;
        }
        if let (Some(usage), false) = (&app.content.usage, app.content.counting) {
            match self.usage.replace(usage.clone()) {
                None => lines.extend(all(view, usage)),
                Some(before) if before == *usage => {}
                Some(before) => lines.push(differing(view, &before, usage)),
            }
        }
        self.stale(app, lines)
    }

    fn stale(&mut self, app: &App, mut lines: Vec<String>) -> Vec<String> {
        if self.stale != app.content.stale {
            lines.push(match &app.content.stale {
                Some(stale) => format!("stale: {}", stale.0),
                None => "no longer stale".to_owned(),
            });
            self.stale.clone_from(&app.content.stale);
        }
        lines
    }
}

fn all(view: &View, usage: &Usage) -> Vec<String> {
    let mut lines = vec![format!(
        "promptscope {}, {}",
        crate::workspace::path_text(&view.workspace.root),
        view.encoding.name()
    )];
    lines.extend(SectionId::ALL.map(|id| {
        let section = view.assembly.section(id);
        match section.text {
            Some(_) => format!(
                "{}: {}",
                id.title(),
                against(view, usage.section(id), view.budget.section(id))
            ),
            None => format!("{}: {}", id.title(), section.absent.unwrap_or("absent")),
        }
    }));
    lines.push(totals(view, usage));
    lines
}

/// Says which sections changed by how much, and what it comes to.
fn differing(view: &View, before: &Usage, usage: &Usage) -> String {
    let signed = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
    let mut parts: Vec<String> = SectionId::ALL
        .into_iter()
        .filter(|id| before.section(*id) != usage.section(*id))
        .map(|id| {
            let by = signed(usage.section(id)) - signed(before.section(id));
            let now = against(view, usage.section(id), view.budget.section(id));
            format!("{} {} to {now}", id.title(), change(by))
        })
        .collect();
    parts.push(totals(view, usage));
    parts.join("; ")
}

fn totals(view: &View, usage: &Usage) -> String {
    format!(
        "prompt {}; request {}",
        against(view, usage.system_prompt, view.budget.total),
        against(view, usage.request(), view.budget.window)
    )
}

fn against(view: &View, used: usize, budget: Option<usize>) -> String {
    let level = match view.budget.level(used, budget) {
        Level::Over => ", over budget",
        Level::Near => ", near budget",
        Level::Within => "",
    };
    match budget {
        Some(budget) => format!(
            "{} of {} tokens, {}{level}",
            grouped(used),
            grouped(budget),
            percent(used, budget).trim()
        ),
        None => format!("{} tokens", grouped(used)),
    }
}

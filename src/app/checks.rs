//! What the checks find, on the screen: the findings, the audit of the history, and what the numbers mean.

use std::path::Path;
use std::sync::Arc;

use super::{Action, App, Effect, Event, LibraryFocus, List, Node, Overlay, Page, Sides};
use crate::lint::Finding;
use crate::prompt::SectionId;
use crate::prompt::provenance::Origin;

impl App {
    /// Opens the list of findings.
    pub(super) fn show_findings(&mut self) {
        if self.findings.is_empty() {
            self.say("The rules find nothing.");
        } else {
            self.overlay = Some(Overlay::List(List::Findings, 0));
        }
    }

    /// Opens the audit of the history, and asks for it anew.
    pub(super) fn show_history(&mut self) -> Vec<Effect> {
        self.overlay = Some(Overlay::List(List::History, 0));
        vec![Effect::Audit]
    }

    /// Opens the page of cache and savings, and asks for it anew.
    pub(super) fn show_insight(&mut self) -> Vec<Effect> {
        self.insight = None;
        self.overlay = Some(Overlay::Page(Page::Insight, 0));
        vec![Effect::Insight]
    }

    /// Opens the editor at a finding, or shows where it stands in its section.
    pub(super) fn take_finding(&mut self, action: Action, line: usize) -> Vec<Effect> {
        let Some(finding) = self.findings.get(line).cloned() else {
            return vec![];
        };
        match (action, &finding.path) {
            (Action::Enter, Some(path)) => self.edit_below(path, finding.line),
            (Action::Enter, None) => {
                self.say("No file is at fault here.");
                vec![]
            }
            (Action::Show, _) => {
                self.show_finding(&finding);
                vec![]
            }
            _ => vec![],
        }
    }

    /// Opens the editor at a line of the history.
    pub(super) fn take_history(&mut self, action: Action, line: usize) -> Vec<Effect> {
        let entry = self.audited.as_ref().and_then(|lines| lines.get(line));
        match (action, entry.map(|entry| entry.line)) {
            (Action::Enter, Some(line)) => self.edit_below("memory/history.jsonl", Some(line)),
            _ => vec![],
        }
    }

    fn edit_below(&mut self, path: &str, line: Option<usize>) -> Vec<Effect> {
        let Some(view) = &self.content.view else {
            return vec![];
        };
        let path = view.workspace.root.join(path);
        vec![Effect::Edit { path, line }]
    }

    /// Shows the section that a finding is about, at the line that its file's line became.
    fn show_finding(&mut self, finding: &Finding) {
        let Some((id, line)) = self.line_of(finding) else {
            if !self.show_source(finding) {
                self.say("This is in no section: it is not sent.");
            }
            return;
        };
        self.open(id);
        self.section.go_to_line(line);
    }

    /// Shows a finding of a prompt source in the library; tells whether it is one.
    fn show_source(&mut self, finding: &Finding) -> bool {
        let Some(view) = self.content.view.clone() else {
            return false;
        };
        let sources = &view.catalog.library.sources;
        let path = finding.path.as_ref();
        let path = path.map(|path| view.workspace.root.join(path));
        let below = path
            .as_ref()
            .and_then(|path| path.strip_prefix(&sources.folder).ok());
        let name = below.and_then(|path| path.to_str()?.strip_suffix(".md"));
        let Some(name) = name.filter(|name| sources.is_there(name)) else {
            return false;
        };
        self.show_library();
        self.library.focus = LibraryFocus::Text;
        self.library.sides = Sides::Raw;
        self.choose(Some(Node::Prompt(name.to_owned())));
        self.fit();
        let line = finding.line.unwrap_or(1).saturating_sub(1);
        self.library.raw.go_to_line(line);
        true
    }

    fn line_of(&self, finding: &Finding) -> Option<(SectionId, usize)> {
        let view = self.content.view.as_ref()?;
        let path = finding
            .path
            .as_ref()
            .map(|path| view.workspace.root.join(path));
        let is_source = |origin: &Origin| {
            let place = origin.path().zip(origin.line());
            let source = place.and_then(|(file, line)| view.source_of(file, line));
            source.is_some_and(|(file, line)| {
                Some(&file) == path.as_ref() && finding.line == Some(line)
            })
        };
        let mut fallback = finding.section.map(|id| (id, 0));
        for id in SectionId::ALL {
            let section = view.assembly.section(id);
            let origins = section.line_origins();
            for (index, origin) in origins.iter().enumerate() {
                if is_source(origin) {
                    return Some((id, index));
                }
                let is_file = origin.path().map(AsRef::<Path>::as_ref) == path.as_deref();
                if path.is_some() && is_file {
                    fallback.get_or_insert((id, index));
                    if finding.line.is_none() || origin.line() == finding.line {
                        return Some((id, index));
                    }
                }
            }
        }
        fallback
    }

    /// Takes in what the checks tell.
    pub(super) fn checked(&mut self, event: Event) -> Vec<Effect> {
        match event {
            Event::Found(question, found) if question == self.content.question => {
                let mut found = found.to_vec();
                found.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
                self.dirty |= self.findings[..] != found[..];
                self.findings = found.into();
                if self.findings.is_empty()
                    && matches!(self.overlay, Some(Overlay::List(List::Findings, _)))
                {
                    self.overlay = None;
                }
                // A history that is looked at follows the files.
                if matches!(self.overlay, Some(Overlay::List(List::History, _))) {
                    return vec![Effect::Audit];
                }
            }
            Event::Audited(lines) => {
                self.dirty = true;
                self.audited = Some(lines);
            }
            Event::Insight(insight) => {
                self.dirty = true;
                self.insight = Some(*insight);
            }
            _ => {}
        }
        vec![]
    }

    /// Counts the lines of the audit.
    pub(super) fn audited_lines(&self) -> usize {
        self.audited
            .as_ref()
            .map_or(0, |lines: &Arc<[_]>| lines.len())
    }
}

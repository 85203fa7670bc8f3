//! What the keys do on the library's screen.

use super::{LibraryFocus, Node, Sides};
use crate::app::overlay::{moved, step_of};
use crate::app::section_pane::Compared;
use crate::app::{Action, App, AskFor, Effect, Overlay, Screen, Search, SectionPane, Sign, layout};
use crate::library::SourceKind;
use crate::prompt::provenance::Origin;

impl App {
    /// Opens the library.
    pub(in crate::app) fn show_library(&mut self) {
        let is_empty = self
            .content
            .view
            .as_ref()
            .is_none_or(|view| view.catalog.is_empty());
        if is_empty {
            self.say("There are no prompts as files here: they stand in prompts/, and [[compile]] names their targets.");
            return;
        }
        self.overlay = None;
        self.screen = Screen::Library;
        self.library.is_compared = false;
        self.library.focus = LibraryFocus::Tree;
    }

    pub(in crate::app) fn act_on_library(&mut self, action: Action) -> Vec<Effect> {
        match action {
            Action::Next | Action::Previous => self.next_focus(action == Action::Next),
            Action::Back if self.library.is_compared => self.library.is_compared = false,
            Action::Back => match self.library.focus {
                LibraryFocus::Tree => self.screen = Screen::Overview,
                _ => self.library.focus = LibraryFocus::Tree,
            },
            Action::Rendered => {
                self.library.sides = match self.library.sides {
                    Sides::Built => Sides::Raw,
                    Sides::Raw => Sides::Both,
                    Sides::Both => Sides::Built,
                };
            }
            Action::Fold => self.library.is_folded = !self.library.is_folded,
            Action::Diff => self.compare_target(),
            Action::NextVariant => self.next_variant(),
            Action::Search => {
                self.library.focus = LibraryFocus::Text;
                self.overlay = Some(Overlay::Ask(AskFor::Search, String::new()));
            }
            Action::NextMatch => self.go_to_match(1),
            Action::PreviousMatch => self.go_to_match(-1),
            Action::ResetValue => return self.reset_value(),
            _ => match self.library.focus {
                LibraryFocus::Tree => self.move_in_tree(action),
                LibraryFocus::Text => self.move_in_text(action),
                LibraryFocus::Variables => return self.act_on_variable(action),
            },
        }
        vec![]
    }

    fn next_focus(&mut self, is_forward: bool) {
        use LibraryFocus::{Text, Tree, Variables};
        self.library.focus = match (self.library.focus, is_forward) {
            (Tree, true) | (Variables, false) => Text,
            (Text, true) | (Tree, false) => Variables,
            (Variables, true) | (Text, false) => Tree,
        };
    }

    fn move_in_tree(&mut self, action: Action) {
        let lines = self.library_tree();
        let nodes: Vec<&Node> = lines.iter().filter_map(|line| line.node.as_ref()).collect();
        let chosen = self.library_node();
        let at = nodes.iter().position(|node| Some(*node) == chosen.as_ref());
        let Some(by) = step_of(action) else {
            if matches!(action, Action::Enter | Action::Right) {
                self.library.focus = LibraryFocus::Text;
            }
            return;
        };
        let to = moved(at.unwrap_or(0), by, nodes.len());
        self.choose(nodes.get(to).map(|node| (*node).clone()));
    }

    /// Chooses something in the tree.
    pub(in crate::app) fn choose(&mut self, node: Option<Node>) {
        if self.library.chosen != node {
            self.library.chosen = node;
            self.library.is_compared = false;
            self.library.variable = 0;
            self.library.built.search = Search::default();
            self.library.raw.search = Search::default();
        }
    }

    /// Gives the text that is moved in: the source's where it stands alone.
    pub(in crate::app) fn library_text(&mut self) -> &mut SectionPane {
        match self.library.sides {
            Sides::Raw => &mut self.library.raw,
            Sides::Built | Sides::Both => &mut self.library.built,
        }
    }

    fn move_in_text(&mut self, action: Action) {
        let pane = self.library_text();
        match action {
            Action::Up => pane.step(-1),
            Action::Down => pane.step(1),
            Action::PageUp => pane.page(-1),
            Action::PageDown => pane.page(1),
            Action::Top => pane.top(),
            Action::Bottom => pane.bottom(),
            Action::Left => self.library.focus = LibraryFocus::Tree,
            _ => {}
        }
    }

    fn act_on_variable(&mut self, action: Action) -> Vec<Effect> {
        let lines = self.library_variables();
        let Some(by) = step_of(action) else {
            match action {
                Action::Left => self.library.focus = LibraryFocus::Tree,
                Action::Enter => {
                    if let Some(line) = lines.into_iter().nth(self.library.variable) {
                        let value = line.value.unwrap_or_default();
                        self.overlay = Some(Overlay::Ask(AskFor::Value(line.name), value));
                    }
                }
                _ => {}
            }
            return vec![];
        };
        self.library.variable = moved(self.library.variable, by, lines.len());
        vec![]
    }

    /// Takes an edited value in.
    pub(in crate::app) fn set_value(&mut self, name: String, value: &str) -> Vec<Effect> {
        self.library.values.insert(name, value.to_owned());
        vec![self.assemble(false)]
    }

    /// Forgets the edited value of the variable that is chosen.
    fn reset_value(&mut self) -> Vec<Effect> {
        let line = self
            .library_variables()
            .into_iter()
            .nth(self.library.variable);
        let removed = line.and_then(|line| self.library.values.remove(&line.name));
        if removed.is_none() {
            self.say("This value was not edited here.");
            return vec![];
        }
        vec![self.assemble(false)]
    }

    fn compare_target(&mut self) {
        match (self.library_node(), &self.library.texts.on_disk) {
            (Some(Node::Target(_)), Some(_)) => {
                self.library.is_compared = !self.library.is_compared;
                self.library.sides = Sides::Built;
                self.library.is_folded = false;
                if self.library.is_compared {
                    self.fit();
                    let signs = &self.library.built.shown.signs;
                    let first = signs.iter().position(|sign| *sign != Sign::Same);
                    self.library.built.go_to_line(first.unwrap_or(0));
                }
            }
            (Some(Node::Target(_)), None) => self.say("The file is what it is compiled to."),
            _ => self.say("A compiled file is compared with what is there; choose one."),
        }
    }

    /// Goes to the next variant of the experiment that is chosen, or that the chosen target is of.
    fn next_variant(&mut self) {
        let Some(view) = self.content.view.clone() else {
            return;
        };
        let planned = |target| view.catalog.planned.iter().find(|it| it.target == target);
        let (name, now) = match self.library_node() {
            Some(Node::Variant(name, variant)) => (name, Some(variant)),
            Some(Node::Experiment(name)) => (name, None),
            Some(Node::Target(target)) => match planned(target) {
                Some(it) if view.catalog.library.kind(&it.source) == SourceKind::Experiment => {
                    (it.source.clone(), it.variant.clone())
                }
                _ => return self.say("This is compiled from no experiment."),
            },
            _ => return self.say("Choose an experiment to see its variants."),
        };
        let Some(experiment) = view.catalog.library.settings.experiments.get(&name) else {
            return;
        };
        let variants = &experiment.variants;
        let at = variants
            .iter()
            .position(|it| Some(&it.name) == now.as_ref());
        let next = at.map_or(0, |at| (at + 1) % variants.len().max(1));
        if let Some(next) = variants.get(next) {
            self.choose(Some(Node::Variant(name, next.name.clone())));
        }
    }

    /// Shows the targets as they would be compiled now, or as they are.
    pub(in crate::app) fn toggle_compiled(&mut self) -> Vec<Effect> {
        let has_targets = self
            .content
            .view
            .as_ref()
            .is_some_and(|view| !view.catalog.planned.is_empty());
        if !has_targets {
            self.say("Nothing is compiled here: [[compile]] in promptscope.toml names sources and targets.");
            return vec![];
        }
        self.is_compiled = !self.is_compiled;
        vec![self.assemble(false)]
    }

    /// Opens the editor at the line under the cursor, or at the source of what is chosen.
    pub(in crate::app) fn edit_source(&mut self) -> Vec<Effect> {
        if self.library.focus == LibraryFocus::Variables {
            let lines = self.library_variables();
            let line = lines.into_iter().nth(self.library.variable);
            let Some((path, line)) = line.map(|line| line.edited_at) else {
                return vec![];
            };
            return vec![Effect::Edit { path, line }];
        }
        let origin = if self.library.focus == LibraryFocus::Text {
            self.library_text().place().cloned()
        } else {
            let source = self.library.texts.raw.spans.first();
            source.map(|span| span.origin.clone())
        };
        let Some(path) = origin.as_ref().and_then(Origin::path) else {
            self.say("There is no file to edit here.");
            return vec![];
        };
        vec![Effect::Edit {
            path: path.to_path_buf(),
            line: origin.as_ref().and_then(Origin::line),
        }]
    }

    /// Fits the texts of what is chosen to the size.
    pub(in crate::app) fn fit_library(&mut self) {
        let Some(view) = self.content.view.clone() else {
            return;
        };
        let node = self.library_node();
        let is_folded = self.library.is_folded;
        let counts = self.content.library.clone();
        let is_other = !self.library.texts.is_of(node.as_ref(), is_folded);
        let library = &mut self.library;
        library.texts.take(&view, node.as_ref(), is_folded, &counts);
        if is_other {
            library.built.reset();
            library.raw.reset();
        }
        let parts = layout::library(self.size, library.sides);
        let base = library
            .texts
            .on_disk
            .clone()
            .filter(|_| library.is_compared);
        let built = Compared {
            text: library.texts.built.text.clone(),
            base,
            is_rendered: false,
        };
        let size = |area: ratatui::layout::Rect| (area.width.into(), area.height.into());
        if let Some(side) = parts.built {
            let spans = &library.texts.built.spans;
            library
                .built
                .fit(built, spans, size(side.text), self.symbols);
            let news = library.texts.news();
            if let Some(lines) = news.filter(|_| !library.is_compared) {
                library.built.show(&lines);
            }
        }
        if let Some(side) = parts.raw {
            let raw = Compared {
                text: library.texts.raw.text.clone(),
                base: None,
                is_rendered: false,
            };
            let spans = &library.texts.raw.spans;
            library.raw.fit(raw, spans, size(side.text), self.symbols);
            if library.sides == Sides::Both {
                library.follow();
            }
        }
    }
}

impl super::LibraryPane {
    /// Brings the line of the source that the built text's cursor comes from into sight.
    fn follow(&mut self) {
        let main = self
            .texts
            .raw
            .spans
            .first()
            .and_then(|span| span.origin.path().cloned());
        let line = self.built.line();
        let origins = self.built.shown.origins.get(..=line).unwrap_or_default();
        let of_main = |origin: &&Origin| origin.path() == main.as_ref();
        let found = origins.iter().rev().find(of_main);
        if let Some(line) = found.and_then(Origin::line) {
            self.raw.go_to_line(line.saturating_sub(1));
        }
    }
}

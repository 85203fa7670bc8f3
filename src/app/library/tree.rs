//! The tree of what the library holds and makes: targets, compositions, experiments, and files by folder.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use crate::app::View;
use crate::budget::Level;
use crate::library::{Built, Entry, Experiment, FaultKind, SourceKind, TargetState};
use crate::workspace::path_text;

/// Something in the tree that can be chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Node {
    /// A file that is compiled.
    Target(PathBuf),
    /// A prompt, by its name.
    Prompt(String),
    /// A composition.
    Composition(String),
    /// An experiment: the variant that the simulated sender gets.
    Experiment(String),
    /// One variant of an experiment.
    Variant(String, String),
}

/// What is special about a line of the tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TreeMark {
    /// It cannot be built.
    Error,
    /// It is built, and something is missing: so many variables or components.
    Undefined(usize),
    /// It is over its budget, or near it.
    Budget(Level),
    /// How a target stands to its source, where it differs.
    Target(TargetState),
    /// It is the variant that the simulated sender gets.
    Sender,
}

/// A line of the tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeLine {
    /// How deep it stands.
    pub depth: usize,
    /// What it says.
    pub text: String,
    /// What can be chosen there; `None` for a heading or a folder.
    pub node: Option<Node>,
    /// The tokens, once they are counted.
    pub tokens: Option<usize>,
    /// How many more tokens a variant has than the one that the sender gets.
    pub change: Option<i64>,
    /// What is special about it.
    pub marks: Vec<TreeMark>,
}

impl TreeLine {
    fn heading(text: &str) -> Self {
        Self {
            depth: 0,
            text: text.to_owned(),
            node: None,
            tokens: None,
            change: None,
            marks: Vec::new(),
        }
    }

    fn of(depth: usize, text: String, node: Node) -> Self {
        Self {
            depth,
            text,
            node: Some(node),
            ..Self::heading("")
        }
    }
}

impl Node {
    /// Gives what it becomes.
    #[must_use]
    pub fn built(&self, view: &View) -> Option<Arc<Built>> {
        let catalog = &view.catalog;
        let entry = |name: &str, kind: SourceKind, variant: Option<&str>| {
            let mut entries = catalog.entries.iter();
            let found = entries
                .find(|it| it.name == name && it.kind == kind && it.variant.as_deref() == variant);
            found.map(|it| it.built.clone())
        };
        match self {
            Self::Target(target) => {
                let mut planned = catalog.planned.iter();
                let planned = planned.find(|it| it.target == *target)?;
                Some(catalog.made(planned))
            }
            Self::Prompt(name) => entry(name, SourceKind::Prompt, None),
            Self::Composition(name) => entry(name, SourceKind::Composition, None),
            Self::Experiment(name) => {
                let variant = sender_variant(view, name)?;
                entry(name, SourceKind::Experiment, Some(&variant))
            }
            Self::Variant(name, variant) => entry(name, SourceKind::Experiment, Some(variant)),
        }
    }
}

/// Finds the variant that the simulated sender gets; without a sender the agent takes any, and the first
/// stands for it.
fn sender_variant(view: &View, name: &str) -> Option<String> {
    let experiment = view.catalog.library.settings.experiments.get(name)?;
    let assigned = view.turn.sender_id.as_deref();
    let assigned = assigned.and_then(|sender| experiment.assign(name, sender));
    let first = experiment.variants.first();
    assigned.or(first).map(|variant| variant.name.clone())
}

/// Lists the lines of the tree.
#[must_use]
pub fn tree(view: &View, tokens: &[Option<usize>]) -> Vec<TreeLine> {
    let mut lines = Vec::new();
    targets(view, tokens, &mut lines);
    let catalog = &view.catalog;
    let entries = || catalog.entries.iter().zip(counts(tokens));
    let compositions = entries().filter(|(it, _)| it.kind == SourceKind::Composition);
    let compositions: Vec<_> = compositions.collect();
    if !compositions.is_empty() {
        lines.push(TreeLine::heading("Compositions"));
    }
    for (entry, tokens) in compositions {
        let node = Node::Composition(entry.name.clone());
        lines.push(of_entry(view, 1, entry.name.clone(), node, entry, tokens));
    }
    let experiments = &catalog.library.settings.experiments;
    if !experiments.is_empty() {
        lines.push(TreeLine::heading("Experiments"));
    }
    for (name, experiment) in experiments {
        of_experiment(view, name, experiment, tokens, &mut lines);
    }
    let mut folder = String::new();
    let prompts = entries().filter(|(it, _)| it.kind == SourceKind::Prompt);
    let mut prompts: Vec<_> = prompts.collect();
    // What stands at the top comes before what stands in folders.
    prompts.sort_by_key(|(it, _)| (it.name.contains('/'), it.name.clone()));
    if !prompts.is_empty() {
        lines.push(TreeLine::heading("Prompts"));
    }
    for (entry, tokens) in prompts {
        let (own, name) = entry.name.rsplit_once('/').unwrap_or(("", &entry.name));
        if own != folder {
            own.clone_into(&mut folder);
            let mut line = TreeLine::heading(&format!("{own}/"));
            line.depth = 1;
            lines.push(line);
        }
        let depth = if own.is_empty() { 1 } else { 2 };
        let node = Node::Prompt(entry.name.clone());
        lines.push(of_entry(view, depth, name.to_owned(), node, entry, tokens));
    }
    lines
}

/// Gives the counts, and none for what is not counted yet.
fn counts(tokens: &[Option<usize>]) -> impl Iterator<Item = Option<usize>> + '_ {
    tokens.iter().copied().chain(std::iter::repeat(None))
}

fn targets(view: &View, tokens: &[Option<usize>], lines: &mut Vec<TreeLine>) {
    let catalog = &view.catalog;
    if !catalog.planned.is_empty() {
        lines.push(TreeLine::heading("Compiled"));
    }
    for planned in &catalog.planned {
        let text = path_text(&planned.target);
        let mut line = TreeLine::of(1, text, Node::Target(planned.target.clone()));
        let source = catalog.entry_of(planned);
        let at = catalog.entries.iter().position(|it| Some(it) == source);
        line.tokens = at.and_then(|at| tokens.get(at).copied().flatten());
        line.marks = of_built(&catalog.made(planned));
        if planned.is_whole() && !planned.is_in_date() {
            line.marks.insert(0, TreeMark::Target(planned.state));
        }
        lines.push(line);
    }
}

fn of_experiment(
    view: &View,
    name: &str,
    experiment: &Experiment,
    tokens: &[Option<usize>],
    lines: &mut Vec<TreeLine>,
) {
    let own = sender_variant(view, name);
    let entries = view.catalog.entries.iter().zip(counts(tokens));
    let variants: Vec<(&Entry, Option<usize>)> = entries
        .filter(|(it, _)| it.kind == SourceKind::Experiment && it.name == name)
        .collect();
    let of_sender = variants.iter().find(|(it, _)| it.variant == own);
    let base = of_sender.and_then(|(_, tokens)| *tokens);
    let mut line = TreeLine::of(1, name.to_owned(), Node::Experiment(name.to_owned()));
    line.tokens = base;
    lines.push(line);
    for ((entry, tokens), variant) in variants.into_iter().zip(&experiment.variants) {
        let text = format!("{} {:.0}%", variant.name, variant.weight * 100.0);
        let node = Node::Variant(name.to_owned(), variant.name.clone());
        let mut line = of_entry(view, 2, text, node, entry, tokens);
        let is_of_sender = entry.variant == own && view.turn.sender_id.is_some();
        if is_of_sender {
            line.marks.insert(0, TreeMark::Sender);
        }
        line.change = tokens
            .zip(base)
            .filter(|_| entry.variant != own)
            .map(|(tokens, base)| signed(tokens) - signed(base));
        lines.push(line);
    }
}

fn of_entry(
    view: &View,
    depth: usize,
    text: String,
    node: Node,
    entry: &Entry,
    tokens: Option<usize>,
) -> TreeLine {
    let mut marks = of_built(&entry.built);
    let budget = entry.built.declared.budget;
    let level = view.budget.level(tokens.unwrap_or(0), budget);
    if level != Level::Within {
        marks.push(TreeMark::Budget(level));
    }
    TreeLine {
        tokens,
        marks,
        ..TreeLine::of(depth, text, node)
    }
}

fn of_built(built: &Built) -> Vec<TreeMark> {
    if !built.is_whole() {
        return vec![TreeMark::Error];
    }
    let lacks = built.faults.iter().filter_map(|fault| match &fault.kind {
        FaultKind::Undefined(name) | FaultKind::NoComponent(name) => Some(name),
        _ => None,
    });
    let lacks: BTreeSet<&String> = lacks.collect();
    match lacks.len() {
        0 => Vec::new(),
        count => vec![TreeMark::Undefined(count)],
    }
}

fn signed(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

//! The library's screen: the prompts as files in a tree, one of them built, and its variables.

mod act;
mod texts;
mod tree;
mod variables;

use std::collections::BTreeMap;

use super::{App, SectionPane};
pub use texts::Texts;
pub use tree::{Node, TreeLine, TreeMark, tree};
pub use variables::{VariableLine, variables};

/// Which part of the library's screen the keys move in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LibraryFocus {
    /// The tree.
    #[default]
    Tree,
    /// The text.
    Text,
    /// The variables.
    Variables,
}

/// Which texts stand side by side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sides {
    /// What it becomes.
    #[default]
    Built,
    /// Its source.
    Raw,
    /// Both.
    Both,
}

/// The library's screen.
#[derive(Debug, Default)]
pub struct LibraryPane {
    /// What is chosen in the tree; the first that can be where it is gone.
    pub chosen: Option<Node>,
    /// Which part the keys move in.
    pub focus: LibraryFocus,
    /// Which texts are shown.
    pub sides: Sides,
    /// Whether what is included is folded into a line.
    pub is_folded: bool,
    /// Whether a target is compared with the file that is there.
    pub is_compared: bool,
    /// The built text.
    pub built: SectionPane,
    /// The source's text.
    pub raw: SectionPane,
    /// The variable that is chosen.
    pub variable: usize,
    /// Values that were edited here, by their dotted names; they are written nowhere.
    pub values: BTreeMap<String, String>,
    /// The texts of what is chosen.
    pub texts: Texts,
}

impl App {
    /// Lists the lines of the tree.
    #[must_use]
    pub fn library_tree(&self) -> Vec<TreeLine> {
        let view = self.content.view.as_ref();
        view.map_or_else(Vec::new, |view| tree(view, &self.content.library))
    }

    /// Gives the line of the tree that is chosen.
    #[must_use]
    pub fn library_line(&self, lines: &[TreeLine]) -> Option<usize> {
        let chosen = self.library.chosen.as_ref();
        let at = lines
            .iter()
            .position(|line| line.node.is_some() && line.node.as_ref() == chosen);
        at.or_else(|| lines.iter().position(|line| line.node.is_some()))
    }

    /// Gives what is chosen in the tree.
    #[must_use]
    pub fn library_node(&self) -> Option<Node> {
        let lines = self.library_tree();
        let at = self.library_line(&lines)?;
        lines.into_iter().nth(at)?.node
    }

    /// Lists the variables of what is chosen.
    #[must_use]
    pub fn library_variables(&self) -> Vec<VariableLine> {
        let (Some(view), Some(node)) = (&self.content.view, self.library_node()) else {
            return Vec::new();
        };
        let built = node.built(view);
        built.map_or_else(Vec::new, |built| variables(view, &built))
    }
}

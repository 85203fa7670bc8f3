//! The graph of nodes that a document is read into, before values are made of them.

use super::YamlFailure;
use super::reader::Mark;

/// A node, as its place in the graph.
pub(super) type NodeId = usize;

/// The nodes of a document. Aliases make several parents share one, or a node its own descendant.
pub(super) type Graph = Vec<Node>;

#[derive(Debug)]
pub(super) struct Node {
    pub tag: Tag,
    pub content: Content,
    /// Where the node begins, its anchor and tag included.
    pub mark: Mark,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Content {
    Scalar(String),
    Sequence(Vec<NodeId>),
    Mapping(Vec<(NodeId, NodeId)>),
}

impl Content {
    /// Names the kind in a message.
    pub fn describe(&self) -> &'static str {
        match self {
            Self::Scalar(_) => "a single value",
            Self::Sequence(_) => "a list",
            Self::Mapping(_) => "a mapping",
        }
    }
}

impl Node {
    /// Gives the items of a sequence.
    pub fn sequence(&self) -> Result<&[NodeId], YamlFailure> {
        match &self.content {
            Content::Sequence(items) => Ok(items),
            other => self.unexpected("a list", other),
        }
    }

    /// Gives the keys and values of a mapping.
    pub fn mapping(&self) -> Result<&[(NodeId, NodeId)], YamlFailure> {
        match &self.content {
            Content::Mapping(pairs) => Ok(pairs),
            other => self.unexpected("a mapping", other),
        }
    }

    fn unexpected<T>(&self, wanted: &str, found: &Content) -> Result<T, YamlFailure> {
        let found = found.describe();
        self.mark
            .reject(format!("{wanted} is needed here, and not {found}"))
    }
}

/// The type of a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Tag {
    Null,
    Bool,
    Int,
    Float,
    Binary,
    Timestamp,
    Omap,
    Pairs,
    Set,
    Str,
    Seq,
    Map,
    /// `<<`, which has a meaning as a key only.
    Merge,
    /// `=`, which has a meaning as a key only.
    Value,
    /// One that the safe loader does not know.
    Other(String),
}

impl Tag {
    /// Finds the type that a full tag names.
    pub fn named(full: String) -> Self {
        match full.strip_prefix("tag:yaml.org,2002:") {
            Some("null") => Self::Null,
            Some("bool") => Self::Bool,
            Some("int") => Self::Int,
            Some("float") => Self::Float,
            Some("binary") => Self::Binary,
            Some("timestamp") => Self::Timestamp,
            Some("omap") => Self::Omap,
            Some("pairs") => Self::Pairs,
            Some("set") => Self::Set,
            Some("str") => Self::Str,
            Some("seq") => Self::Seq,
            Some("map") => Self::Map,
            Some("merge") => Self::Merge,
            Some("value") => Self::Value,
            _ => Self::Other(full),
        }
    }
}

//! What lists and mappings hold, in blocks and in brackets.

use super::{Composer, Place, Properties, unexpected};
use crate::python::yaml::YamlFailure;
use crate::python::yaml::node::{Content, NodeId};
use crate::python::yaml::reader::Mark;
use crate::python::yaml::token::TokenKind;

/// How a collection is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    BlockSequence,
    /// A list that is no further in than the key of its mapping.
    IndentlessSequence,
    BlockMapping,
    FlowSequence,
    /// A pair in a list in brackets, which is a mapping of its own.
    SinglePair,
    FlowMapping,
}

impl Kind {
    pub fn is_mapping(self) -> bool {
        matches!(
            self,
            Self::BlockMapping | Self::SinglePair | Self::FlowMapping
        )
    }

    /// Tells where the nodes of such a collection stand.
    fn place(self) -> Place {
        match self {
            Self::BlockSequence | Self::IndentlessSequence => Place::Block,
            Self::BlockMapping => Place::BlockPair,
            Self::FlowSequence | Self::SinglePair | Self::FlowMapping => Place::Flow,
        }
    }

    /// Tells whether a token ends the entry that it stands in, so that nothing is left of it.
    fn ends_entry(self, token: &TokenKind) -> bool {
        match self {
            Self::BlockSequence => matches!(token, TokenKind::BlockEntry | TokenKind::BlockEnd),
            Self::IndentlessSequence => {
                *token == TokenKind::BlockEntry || Self::BlockMapping.ends_entry(token)
            }
            Self::BlockMapping => {
                matches!(
                    token,
                    TokenKind::Key | TokenKind::Value | TokenKind::BlockEnd
                )
            }
            Self::FlowSequence | Self::SinglePair => {
                matches!(token, TokenKind::FlowEntry | TokenKind::FlowSequenceEnd)
            }
            Self::FlowMapping => {
                matches!(token, TokenKind::FlowEntry | TokenKind::FlowMappingEnd)
            }
        }
    }
}

/// A collection that is being read.
pub(super) struct Collection {
    id: NodeId,
    kind: Kind,
    /// The nodes read: the items of a list, or keys and values in turn.
    nodes: Vec<NodeId>,
    /// Whether the last key has no token of its own, so that no value can follow it.
    is_bare: bool,
}

impl Collection {
    pub fn new(id: NodeId, kind: Kind) -> Self {
        Self {
            id,
            kind,
            nodes: Vec::new(),
            is_bare: false,
        }
    }

    fn content(self) -> Content {
        if !self.kind.is_mapping() {
            return Content::Sequence(self.nodes);
        }
        let mut nodes = self.nodes.into_iter();
        let pairs = std::iter::from_fn(|| Some((nodes.next()?, nodes.next()?)));
        Content::Mapping(pairs.collect())
    }
}

/// What a collection goes on with.
enum Next {
    /// A node that is still to be read.
    Node,
    /// A node that is complete.
    Ready(NodeId),
    /// A pair in a list.
    Pair(Mark),
    /// Nothing: it is complete.
    End,
}

impl Composer {
    /// Reads the root with all that it holds.
    pub(super) fn tree(&mut self) -> Result<NodeId, YamlFailure> {
        let mut complete = self.begin(Place::Block)?;
        loop {
            let Some(collection) = self.open.last_mut() else {
                return Ok(complete.unwrap_or_default());
            };
            collection.nodes.extend(complete.take());
            let kind = collection.kind;
            match self.next_in(kind)? {
                Next::Node => complete = self.begin(kind.place())?,
                Next::Ready(node) => complete = Some(node),
                Next::Pair(mark) => self.open(Kind::SinglePair, Properties::default(), mark)?,
                Next::End => {
                    complete = self.open.pop().map(|collection| {
                        let id = collection.id;
                        self.graph[id].content = collection.content();
                        id
                    });
                }
            }
        }
    }

    /// Reads on in the innermost collection, up to the beginning of its next node.
    fn next_in(&mut self, kind: Kind) -> Result<Next, YamlFailure> {
        let count = self
            .open
            .last()
            .map_or(0, |collection| collection.nodes.len());
        let is_value = count % 2 == 1;
        match kind {
            Kind::BlockSequence => self.block_entry(kind, &TokenKind::BlockEntry),
            Kind::IndentlessSequence if self.next_is(|next| *next != TokenKind::BlockEntry)? => {
                Ok(Next::End)
            }
            Kind::BlockMapping | Kind::SinglePair if is_value => self.value(kind),
            Kind::BlockMapping => self.block_entry(kind, &TokenKind::Key),
            Kind::SinglePair if count > 0 => Ok(Next::End),
            Kind::IndentlessSequence | Kind::SinglePair => self.after_indicator(kind),
            Kind::FlowMapping if is_value => {
                if self
                    .open
                    .last()
                    .is_some_and(|collection| collection.is_bare)
                {
                    let mark = self.scanner.peek()?.start;
                    Ok(Next::Ready(self.empty(mark)))
                } else {
                    self.value(kind)
                }
            }
            Kind::FlowMapping => {
                if !self.flow_goes_on(&TokenKind::FlowMappingEnd, count == 0)? {
                    return Ok(Next::End);
                }
                let is_bare = self.next_is(|next| *next != TokenKind::Key)?;
                if let Some(collection) = self.open.last_mut() {
                    collection.is_bare = is_bare;
                }
                if is_bare {
                    Ok(Next::Node)
                } else {
                    self.after_indicator(kind)
                }
            }
            Kind::FlowSequence => {
                if !self.flow_goes_on(&TokenKind::FlowSequenceEnd, count == 0)? {
                    return Ok(Next::End);
                }
                let next = self.scanner.peek()?;
                Ok(if next.kind == TokenKind::Key {
                    Next::Pair(next.start)
                } else {
                    Next::Node
                })
            }
        }
    }

    /// Reads an indicator. The node after it is empty if a token follows that ends the entry.
    fn after_indicator(&mut self, kind: Kind) -> Result<Next, YamlFailure> {
        let indicator = self.scanner.next()?;
        let is_key = indicator.kind == TokenKind::Key;
        let is_empty =
            self.next_is(|next| kind.ends_entry(next) || is_key && *next == TokenKind::Value)?;
        Ok(if is_empty {
            Next::Ready(self.empty(indicator.end))
        } else {
            Next::Node
        })
    }

    /// Reads the `:` before the value of a pair. The value is empty if there is none.
    fn value(&mut self, kind: Kind) -> Result<Next, YamlFailure> {
        let next = self.scanner.peek()?;
        let mark = next.start;
        if next.kind == TokenKind::Value {
            self.after_indicator(kind)
        } else {
            Ok(Next::Ready(self.empty(mark)))
        }
    }

    /// Reads the indicator of an entry of a block, or the end of the block.
    fn block_entry(&mut self, kind: Kind, indicator: &TokenKind) -> Result<Next, YamlFailure> {
        let next = self.scanner.peek()?;
        if next.kind == *indicator {
            return self.after_indicator(kind);
        }
        if next.kind != TokenKind::BlockEnd {
            return unexpected("the end of the block", next);
        }
        self.scanner.next()?;
        Ok(Next::End)
    }

    /// Reads the comma before an entry, or the closing bracket; tells whether an entry follows.
    fn flow_goes_on(&mut self, end: &TokenKind, is_first: bool) -> Result<bool, YamlFailure> {
        let next = self.scanner.peek()?;
        if !is_first && next.kind != *end {
            if next.kind != TokenKind::FlowEntry {
                return unexpected("a comma or the closing bracket", next);
            }
            self.scanner.next()?;
        }
        let goes_on = self.scanner.peek()?.kind != *end;
        if !goes_on {
            self.scanner.next()?;
        }
        Ok(goes_on)
    }
}

//! The composer: makes a graph of nodes out of the tokens.
//!
//! It asks for tokens no earlier than PyYAML does, so that of several mistakes in a text the same
//! one is found first. Here single nodes are read; the other parts are what collections hold and
//! what stands around a document.

mod collections;
mod document;

use std::collections::HashMap;

use super::node::{Content, Graph, Node, NodeId, Tag};
use super::reader::Mark;
use super::resolver::resolve;
use super::scanner::Scanner;
use super::token::{RawTag, Token, TokenKind};
use super::{MAX_DEPTH, YamlFailure};

/// Where a node stands, which decides what it may be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Inside brackets.
    Flow,
    /// In a block.
    Block,
    /// The key or value of a mapping, where a list needs no indent of its own.
    BlockPair,
}

pub(super) struct Composer {
    scanner: Scanner,
    graph: Graph,
    anchors: HashMap<String, NodeId>,
    /// The prefixes of the tag handles of the document.
    handles: HashMap<String, String>,
    depth: usize,
}

impl Composer {
    pub fn new(scanner: Scanner) -> Self {
        Self {
            scanner,
            graph: Graph::new(),
            anchors: HashMap::new(),
            handles: HashMap::new(),
            depth: 0,
        }
    }

    fn next_is(&mut self, wanted: impl Fn(&TokenKind) -> bool) -> Result<bool, YamlFailure> {
        Ok(wanted(&self.scanner.peek()?.kind))
    }

    /// Reads a node with all that it holds, or the node that an alias names.
    fn node(&mut self, place: Place) -> Result<NodeId, YamlFailure> {
        if self.next_is(|kind| matches!(kind, TokenKind::Alias(_)))? {
            let token = self.scanner.next()?;
            let node = match &token.kind {
                TokenKind::Alias(name) => self.anchors.get(name),
                _ => None,
            };
            return match node {
                Some(&node) => Ok(node),
                None => token.start.reject("the alias names no anchor before it"),
            };
        }
        let properties = self.properties()?;
        let next = self.scanner.peek()?;
        let mark = properties.mark.unwrap_or(next.start);
        let is_block = place != Place::Flow;
        match &next.kind {
            TokenKind::Scalar { .. } => self.scalar(properties, mark),
            TokenKind::BlockEntry if place == Place::BlockPair => {
                self.collection(properties, mark, |this| {
                    this.indentless_sequence().map(Content::Sequence)
                })
            }
            TokenKind::FlowSequenceStart => self.collection(properties, mark, |this| {
                this.flow_sequence().map(Content::Sequence)
            }),
            TokenKind::FlowMappingStart => self.collection(properties, mark, |this| {
                this.flow_mapping().map(Content::Mapping)
            }),
            TokenKind::BlockSequenceStart if is_block => {
                self.collection(properties, mark, |this| {
                    this.block_sequence().map(Content::Sequence)
                })
            }
            TokenKind::BlockMappingStart if is_block => self.collection(properties, mark, |this| {
                this.block_mapping().map(Content::Mapping)
            }),
            _ if properties.mark.is_some() => {
                let tag = properties.tag.clone().unwrap_or(Tag::Null);
                self.add(properties.anchor, tag, Content::Scalar(String::new()), mark)
            }
            _ => unexpected("a value", next),
        }
    }

    /// Reads the anchor and the tag before a node.
    fn properties(&mut self) -> Result<Properties, YamlFailure> {
        let mut properties = Properties::default();
        let mut raw_tag = None;
        for _ in 0..2 {
            let wanted = match self.scanner.peek()?.kind {
                TokenKind::Anchor(_) => properties.anchor.is_none(),
                TokenKind::Tag(_) => raw_tag.is_none(),
                _ => false,
            };
            if !wanted {
                break;
            }
            let token = self.scanner.next()?;
            properties.mark.get_or_insert(token.start);
            match token.kind {
                TokenKind::Anchor(name) => properties.anchor = Some(name),
                TokenKind::Tag(tag) => raw_tag = Some((tag, token.start)),
                _ => {}
            }
        }
        if let Some((tag, mark)) = raw_tag {
            let full = self.full_tag(tag, mark)?;
            // This one says that the type is to be found out.
            if full == "!" {
                properties.is_plain = true;
            } else {
                properties.tag = Some(Tag::named(full));
            }
        }
        Ok(properties)
    }

    fn full_tag(&self, tag: RawTag, mark: Mark) -> Result<String, YamlFailure> {
        let Some(handle) = tag.handle else {
            return Ok(tag.suffix);
        };
        match self.handles.get(&handle) {
            Some(prefix) => Ok(format!("{prefix}{}", tag.suffix)),
            None => mark.reject(format!("the tag handle {handle} is not declared")),
        }
    }

    fn scalar(&mut self, properties: Properties, mark: Mark) -> Result<NodeId, YamlFailure> {
        let token = self.scanner.next()?;
        let TokenKind::Scalar { text, plain } = token.kind else {
            return unexpected("a value", &token);
        };
        let tag = match properties.tag {
            Some(tag) => tag,
            None if plain || properties.is_plain => resolve(&text),
            None => Tag::Str,
        };
        self.add(properties.anchor, tag, Content::Scalar(text), mark)
    }

    fn collection(
        &mut self,
        properties: Properties,
        mark: Mark,
        read: impl FnOnce(&mut Self) -> Result<Content, YamlFailure>,
    ) -> Result<NodeId, YamlFailure> {
        // The node is there before its content, which may refer to it.
        let none = Content::Sequence(Vec::new());
        let id = self.add(properties.anchor, Tag::Seq, none, mark)?;
        let content = self.nested(mark, read)?;
        let default = match content {
            Content::Mapping(_) => Tag::Map,
            _ => Tag::Seq,
        };
        self.graph[id].tag = properties.tag.unwrap_or(default);
        self.graph[id].content = content;
        Ok(id)
    }

    fn nested<T>(
        &mut self,
        mark: Mark,
        read: impl FnOnce(&mut Self) -> Result<T, YamlFailure>,
    ) -> Result<T, YamlFailure> {
        if self.depth == MAX_DEPTH {
            return mark.raise(
                "RecursionError",
                format!("more than {MAX_DEPTH} lists and mappings inside one another"),
            );
        }
        self.depth += 1;
        let value = read(self)?;
        self.depth -= 1;
        Ok(value)
    }

    fn add(
        &mut self,
        anchor: Option<String>,
        tag: Tag,
        content: Content,
        mark: Mark,
    ) -> Result<NodeId, YamlFailure> {
        let id = self.graph.len();
        if let Some(anchor) = anchor {
            if self.anchors.contains_key(&anchor) {
                return mark.reject(format!("the anchor {anchor} is given twice"));
            }
            self.anchors.insert(anchor, id);
        }
        self.graph.push(Node { tag, content, mark });
        Ok(id)
    }

    /// Adds the node that stands for nothing.
    fn empty(&mut self, mark: Mark) -> NodeId {
        self.graph.push(Node {
            tag: Tag::Null,
            content: Content::Scalar(String::new()),
            mark,
        });
        self.graph.len() - 1
    }

}

/// What stands before a node.
#[derive(Default)]
struct Properties {
    anchor: Option<String>,
    /// The type that a tag names.
    tag: Option<Tag>,
    /// Whether the tag `!` has even a text in quotes read as if it had none.
    is_plain: bool,
    mark: Option<Mark>,
}

fn unexpected<T>(wanted: &str, found: &Token) -> Result<T, YamlFailure> {
    let found_kind = found.kind.describe();
    found
        .start
        .reject(format!("{wanted} is needed here, and not {found_kind}"))
}

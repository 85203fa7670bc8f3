//! The composer: makes a graph of nodes out of the tokens.
//!
//! It asks for tokens no earlier than PyYAML does, so that of several mistakes in a text the same
//! one is found first. Here nodes are read as far as their first token; the other parts are what
//! collections hold and what stands around a document.

mod collections;
mod document;

use std::collections::HashMap;

use super::node::{Content, Graph, Node, NodeId, Tag};
use super::reader::Mark;
use super::resolver::resolve;
use super::scanner::Scanner;
use super::token::{RawTag, Token, TokenKind};
use super::{MAX_DEPTH, YamlFailure};
use collections::{Collection, Kind};

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
    /// The collections that are being read, outermost first: they are not left to the stack of
    /// the program itself, which may be small.
    open: Vec<Collection>,
}

impl Composer {
    pub fn new(scanner: Scanner) -> Self {
        Self {
            scanner,
            graph: Graph::new(),
            anchors: HashMap::new(),
            handles: HashMap::new(),
            open: Vec::new(),
        }
    }

    fn next_is(&mut self, wanted: impl Fn(&TokenKind) -> bool) -> Result<bool, YamlFailure> {
        Ok(wanted(&self.scanner.peek()?.kind))
    }

    /// Begins a node: reads an alias or a scalar whole and opens a collection.
    ///
    /// It gives the node if it is complete.
    fn begin(&mut self, place: Place) -> Result<Option<NodeId>, YamlFailure> {
        if self.next_is(|kind| matches!(kind, TokenKind::Alias(_)))? {
            return self.alias().map(Some);
        }
        let properties = self.properties()?;
        let next = self.scanner.peek()?;
        let mark = properties.mark.unwrap_or(next.start);
        let is_block = place != Place::Flow;
        let kind = match &next.kind {
            TokenKind::Scalar { .. } => return self.scalar(properties, mark).map(Some),
            TokenKind::BlockEntry if place == Place::BlockPair => Kind::IndentlessSequence,
            TokenKind::FlowSequenceStart => Kind::FlowSequence,
            TokenKind::FlowMappingStart => Kind::FlowMapping,
            TokenKind::BlockSequenceStart if is_block => Kind::BlockSequence,
            TokenKind::BlockMappingStart if is_block => Kind::BlockMapping,
            _ if properties.mark.is_some() => {
                let tag = properties.tag.unwrap_or(Tag::Null);
                let content = Content::Scalar(String::new());
                return self.add(properties.anchor, tag, content, mark).map(Some);
            }
            _ => return unexpected("a value", next),
        };
        self.open(kind, properties, mark)?;
        if kind != Kind::IndentlessSequence {
            self.scanner.next()?;
        }
        Ok(None)
    }

    fn alias(&mut self) -> Result<NodeId, YamlFailure> {
        let token = self.scanner.next()?;
        let node = match &token.kind {
            TokenKind::Alias(name) => self.anchors.get(name),
            _ => None,
        };
        match node {
            Some(&node) => Ok(node),
            None => token.start.reject("the alias names no anchor before it"),
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

    /// Opens a collection. Its node is there before its content, which may refer to it.
    fn open(&mut self, kind: Kind, properties: Properties, mark: Mark) -> Result<(), YamlFailure> {
        let (tag, content) = if kind.is_mapping() {
            (Tag::Map, Content::Mapping(Vec::new()))
        } else {
            (Tag::Seq, Content::Sequence(Vec::new()))
        };
        let tag = properties.tag.unwrap_or(tag);
        let id = self.add(properties.anchor, tag, content, mark)?;
        if self.open.len() == MAX_DEPTH {
            return mark.raise(
                "RecursionError",
                format!("more than {MAX_DEPTH} lists and mappings inside one another"),
            );
        }
        self.open.push(Collection::new(id, kind));
        Ok(())
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

#[cfg(test)]
mod tests {
    use super::super::reader::Reader;
    use super::*;

    /// Writes the nodes of a text, with the tags that do not go without saying.
    fn nodes(text: &str) -> Result<String, YamlFailure> {
        let composer = Composer::new(Scanner::new(Reader::new(text)?));
        let Some((graph, root)) = composer.document()? else {
            return Ok("nothing".into());
        };
        Ok(written(&graph, root, 0))
    }

    fn written(graph: &Graph, id: NodeId, depth: usize) -> String {
        let list = |ids: Vec<NodeId>| {
            let parts: Vec<_> = ids
                .iter()
                .map(|&id| written(graph, id, depth + 1))
                .collect();
            parts.join(" ")
        };
        let node = &graph[id];
        let tag = match &node.tag {
            Tag::Str | Tag::Seq | Tag::Map => String::new(),
            Tag::Other(tag) => format!("!{tag} "),
            tag => format!("!{tag:?} "),
        };
        match &node.content {
            _ if depth > 3 => "...".into(),
            Content::Scalar(text) => format!("{tag}'{text}'"),
            Content::Sequence(items) => format!("{tag}[{}]", list(items.clone())),
            Content::Mapping(pairs) => {
                let ids = pairs.iter().flat_map(|&(key, value)| [key, value]);
                format!("{tag}{{{}}}", list(ids.collect()))
            }
        }
    }

    #[test]
    fn nodes_are_put_together() {
        for (text, expected) in [
            ("", "nothing"),
            ("# c", "nothing"),
            ("---", "!Null ''"),
            ("--- a", "'a'"),
            ("---\n...\n...", "!Null ''"),
            ("a: 1\nb:", "{'a' !Int '1' 'b' !Null ''}"),
            ("a:\n- 1\n-\n- - x", "{'a' [!Int '1' !Null '' ['x']]}"),
            ("? a\n? - b", "{'a' !Null '' ['b'] !Null ''}"),
            (
                "[a: b, ? c, d: , ? : e, ?]",
                "[{'a' 'b'} {'c' !Null ''} {'d' !Null ''} {!Null '' 'e'} {!Null '' !Null ''}]",
            ),
            (
                "{a, b: c, ? d: e, ? : f,}",
                "{'a' !Null '' 'b' 'c' 'd' 'e' !Null '' 'f'}",
            ),
            ("'1'", "'1'"),
            ("! '1'", "!Int '1'"),
            ("! [a]", "['a']"),
            ("!<!> '1'", "!Int '1'"),
            ("!", "!Null ''"),
            ("&a", "!Null ''"),
            ("!!int", "!Int ''"),
            ("!!set {a}", "!Set {'a' !Null ''}"),
            ("!x y", "!!x 'y'"),
            (
                "%TAG !e! tag:yaml.org,2002:\n%YAML 1.2\n---\n!e!int x",
                "!Int 'x'",
            ),
            ("%TAG !! !\n---\n!!int x", "!!int 'x'"),
            ("&a !!str b: *a", "{'b' 'b'}"),
            ("&a [*a]", "[[[[...]]]]"),
        ] {
            assert_eq!(nodes(text).as_deref(), Ok(expected), "{text:?}");
        }
    }

    #[test]
    fn what_cannot_be_put_together_fails_in_its_place() {
        for (text, line, column) in [
            ("*a", 1, 1),
            ("[&a b, &a c]", 1, 8),
            ("!e!x a", 1, 1),
            ("[a b c", 1, 7),
            ("[a}", 1, 3),
            ("{a b]", 1, 5),
            ("]", 1, 1),
            ("- a\nb: c", 2, 1),
            ("a: 'b'\n - c", 2, 2),
            ("a: b\n- c", 2, 1),
            ("a\n---\nb", 2, 1),
            ("--- a\n--- b", 2, 1),
            ("...\na", 1, 1),
            ("%A b\nc", 2, 1),
            ("%YAML 1.1\n%YAML 1.1\n---", 2, 1),
            ("%YAML 2.0\n---", 1, 1),
            ("%TAG ! a\n%TAG ! b\n---", 2, 1),
            ("[- a]", 1, 2),
            ("{: a}", 1, 2),
        ] {
            match nodes(text) {
                Err(YamlFailure::Yaml {
                    line: l, column: c, ..
                }) => {
                    assert_eq!((l, c), (line, column), "{text:?}");
                }
                other => panic!("{text:?} gives {other:?}"),
            }
        }
    }
}

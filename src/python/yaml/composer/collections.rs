//! What lists and mappings hold, in blocks and in brackets.

use super::{Composer, Place, Properties, unexpected};
use crate::python::yaml::YamlFailure;
use crate::python::yaml::node::{Content, NodeId};
use crate::python::yaml::token::{Token, TokenKind};

type Pair = (NodeId, NodeId);

impl Composer {
    /// Reads the node after an indicator, or the empty one if a token follows that ends it.
    fn node_after(
        &mut self,
        indicator: &Token,
        place: Place,
        ends: impl Fn(&TokenKind) -> bool,
    ) -> Result<NodeId, YamlFailure> {
        if self.next_is(ends)? {
            Ok(self.empty(indicator.end))
        } else {
            self.node(place)
        }
    }

    /// Reads the value of a pair from its `:` on, or the empty node if there is none.
    fn value(
        &mut self,
        place: Place,
        ends: impl Fn(&TokenKind) -> bool,
    ) -> Result<NodeId, YamlFailure> {
        let next = self.scanner.peek()?;
        let mark = next.start;
        if next.kind != TokenKind::Value {
            return Ok(self.empty(mark));
        }
        let indicator = self.scanner.next()?;
        self.node_after(&indicator, place, ends)
    }

    pub(super) fn block_sequence(&mut self) -> Result<Vec<NodeId>, YamlFailure> {
        self.scanner.next()?;
        let ends = |kind: &TokenKind| matches!(kind, TokenKind::BlockEntry | TokenKind::BlockEnd);
        let mut items = Vec::new();
        while self.next_is(|kind| *kind == TokenKind::BlockEntry)? {
            let indicator = self.scanner.next()?;
            items.push(self.node_after(&indicator, Place::Block, ends)?);
        }
        self.block_end()?;
        Ok(items)
    }

    /// Reads a list that is no further in than the key of its mapping.
    pub(super) fn indentless_sequence(&mut self) -> Result<Vec<NodeId>, YamlFailure> {
        let ends = |kind: &TokenKind| ends_block_pair(kind) || *kind == TokenKind::BlockEntry;
        let mut items = Vec::new();
        while self.next_is(|kind| *kind == TokenKind::BlockEntry)? {
            let indicator = self.scanner.next()?;
            items.push(self.node_after(&indicator, Place::Block, ends)?);
        }
        Ok(items)
    }

    pub(super) fn block_mapping(&mut self) -> Result<Vec<Pair>, YamlFailure> {
        self.scanner.next()?;
        let mut pairs = Vec::new();
        while self.next_is(|kind| *kind == TokenKind::Key)? {
            let indicator = self.scanner.next()?;
            let key = self.node_after(&indicator, Place::BlockPair, ends_block_pair)?;
            pairs.push((key, self.value(Place::BlockPair, ends_block_pair)?));
        }
        self.block_end()?;
        Ok(pairs)
    }

    fn block_end(&mut self) -> Result<(), YamlFailure> {
        let next = self.scanner.peek()?;
        if next.kind != TokenKind::BlockEnd {
            return unexpected("the end of the block", next);
        }
        self.scanner.next()?;
        Ok(())
    }

    pub(super) fn flow_sequence(&mut self) -> Result<Vec<NodeId>, YamlFailure> {
        self.scanner.next()?;
        let end = TokenKind::FlowSequenceEnd;
        let mut items = Vec::new();
        while self.flow_goes_on(&end, items.is_empty())? {
            let next = self.scanner.peek()?;
            if next.kind == TokenKind::Key {
                let mark = next.start;
                items.push(self.collection(Properties::default(), mark, |this| {
                    this.single_pair().map(Content::Mapping)
                })?);
            } else {
                items.push(self.node(Place::Flow)?);
            }
        }
        Ok(items)
    }

    /// Reads a pair in a list, which is a mapping of its own.
    fn single_pair(&mut self) -> Result<Vec<Pair>, YamlFailure> {
        let ends =
            |kind: &TokenKind| matches!(kind, TokenKind::FlowEntry | TokenKind::FlowSequenceEnd);
        let indicator = self.scanner.next()?;
        let key = self.node_after(&indicator, Place::Flow, |kind| {
            ends(kind) || *kind == TokenKind::Value
        })?;
        let value = self.value(Place::Flow, ends)?;
        Ok(vec![(key, value)])
    }

    pub(super) fn flow_mapping(&mut self) -> Result<Vec<Pair>, YamlFailure> {
        self.scanner.next()?;
        let end = TokenKind::FlowMappingEnd;
        let ends =
            |kind: &TokenKind| matches!(kind, TokenKind::FlowEntry | TokenKind::FlowMappingEnd);
        let mut pairs = Vec::new();
        while self.flow_goes_on(&end, pairs.is_empty())? {
            if self.next_is(|kind| *kind == TokenKind::Key)? {
                let indicator = self.scanner.next()?;
                let key = self.node_after(&indicator, Place::Flow, |kind| {
                    ends(kind) || *kind == TokenKind::Value
                })?;
                pairs.push((key, self.value(Place::Flow, ends)?));
            } else {
                let key = self.node(Place::Flow)?;
                let mark = self.scanner.peek()?.start;
                pairs.push((key, self.empty(mark)));
            }
        }
        Ok(pairs)
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

fn ends_block_pair(kind: &TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::Key | TokenKind::Value | TokenKind::BlockEnd
    )
}

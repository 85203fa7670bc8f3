//! What stands around a document: its mark, its directives and the end of the text.

use super::{Composer, unexpected};
use crate::python::yaml::YamlFailure;
use crate::python::yaml::node::{Graph, NodeId};
use crate::python::yaml::reader::Mark;
use crate::python::yaml::token::{Directive, TokenKind};

impl Composer {
    /// Reads the only document; gives its nodes and the root among them, or none if it is missing.
    pub(in crate::python::yaml) fn document(
        mut self,
    ) -> Result<Option<(Graph, NodeId)>, YamlFailure> {
        let is_explicit = self.next_is(|kind| {
            matches!(
                kind,
                TokenKind::Directive(_) | TokenKind::DocumentStart | TokenKind::StreamEnd
            )
        })?;
        let root = if is_explicit {
            if self.document_start()?.is_none() {
                return Ok(None);
            }
            let start = self.scanner.peek()?;
            let mark = start.start;
            match start.kind {
                TokenKind::Directive(_)
                | TokenKind::DocumentStart
                | TokenKind::DocumentEnd
                | TokenKind::StreamEnd => self.empty(mark),
                _ => self.tree()?,
            }
        } else {
            self.add_default_handles();
            self.tree()?
        };
        while self.next_is(|kind| *kind == TokenKind::DocumentEnd)? {
            self.scanner.next()?;
        }
        match self.document_start()? {
            None => Ok(Some((self.graph, root))),
            Some(mark) => mark.reject("a second document begins, and only one is read"),
        }
    }

    /// Reads the directives and the mark that a document begins with, unless the text ends.
    fn document_start(&mut self) -> Result<Option<Mark>, YamlFailure> {
        let first = self.scanner.peek()?;
        let mark = first.start;
        if first.kind == TokenKind::StreamEnd {
            return Ok(None);
        }
        self.directives()?;
        let next = self.scanner.peek()?;
        if next.kind != TokenKind::DocumentStart {
            return unexpected("`---`", next);
        }
        self.scanner.next()?;
        Ok(Some(mark))
    }

    fn directives(&mut self) -> Result<(), YamlFailure> {
        self.handles.clear();
        let mut has_version = false;
        while self.next_is(|kind| matches!(kind, TokenKind::Directive(_)))? {
            let token = self.scanner.next()?;
            match token.kind {
                TokenKind::Directive(Directive::Version { .. }) if has_version => {
                    return token.start.reject("the version is given twice");
                }
                TokenKind::Directive(Directive::Version { is_one: false }) => {
                    return token.start.reject("the version is not 1");
                }
                TokenKind::Directive(Directive::Version { .. }) => has_version = true,
                TokenKind::Directive(Directive::Tag { handle, prefix }) => {
                    if self.handles.contains_key(&handle) {
                        return token
                            .start
                            .reject(format!("the tag handle {handle} is given twice"));
                    }
                    self.handles.insert(handle, prefix);
                }
                _ => {}
            }
        }
        self.add_default_handles();
        Ok(())
    }

    fn add_default_handles(&mut self) {
        for (handle, prefix) in [("!", "!"), ("!!", "tag:yaml.org,2002:")] {
            self.handles
                .entry(handle.into())
                .or_insert_with(|| prefix.into());
        }
    }
}

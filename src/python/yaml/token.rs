//! The tokens that a YAML text is cut into.

use super::reader::Mark;

/// A token and where it stands.
#[derive(Debug)]
pub(super) struct Token {
    pub kind: TokenKind,
    pub start: Mark,
    pub end: Mark,
}

/// What a token is.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// The end of the text; it is never taken off.
    StreamEnd,
    Directive(Directive),
    DocumentStart,
    DocumentEnd,
    BlockSequenceStart,
    BlockMappingStart,
    BlockEnd,
    FlowSequenceStart,
    FlowSequenceEnd,
    FlowMappingStart,
    FlowMappingEnd,
    FlowEntry,
    BlockEntry,
    Key,
    Value,
    Alias(String),
    Anchor(String),
    Tag(RawTag),
    Scalar {
        text: String,
        /// Whether it stands there without quotes and not as a block.
        plain: bool,
    },
}

/// A line that begins with `%`.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Directive {
    /// `%YAML`, and whether its major version is 1.
    Version { is_one: bool },
    /// `%TAG`.
    Tag { handle: String, prefix: String },
    /// Any other, which is ignored.
    Unknown,
}

/// A tag as it is written.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct RawTag {
    /// `!`, `!!` or `!name!`; none for a tag that is written in full.
    pub handle: Option<String>,
    pub suffix: String,
}

impl TokenKind {
    /// Names the token in a message.
    pub fn describe(&self) -> &'static str {
        match self {
            Self::StreamEnd => "the end of the text",
            Self::Directive(_) => "a directive",
            Self::DocumentStart => "the start of a document",
            Self::DocumentEnd => "the end of a document",
            Self::BlockSequenceStart => "a list",
            Self::BlockMappingStart => "a mapping",
            Self::BlockEnd => "the end of a block",
            Self::FlowSequenceStart => "`[`",
            Self::FlowSequenceEnd => "`]`",
            Self::FlowMappingStart => "`{`",
            Self::FlowMappingEnd => "`}`",
            Self::FlowEntry => "`,`",
            Self::BlockEntry => "`-`",
            Self::Key => "a key",
            Self::Value => "`:`",
            Self::Alias(_) => "an alias",
            Self::Anchor(_) => "an anchor",
            Self::Tag(_) => "a tag",
            Self::Scalar { .. } => "a text",
        }
    }
}

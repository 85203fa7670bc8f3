//! The merged user message in rows: what somebody said, and the runtime context set apart.

use std::ops::Range;
use std::sync::Arc;

use crate::display::sanitize::Symbols;
use crate::display::wrap::{Row, wrap};
use crate::prompt::Assembly;
use crate::python::{Value, json};

/// The merged message as it is shown.
#[derive(Debug, Default)]
pub struct MessagePane {
    /// The whole text.
    pub text: Arc<str>,
    /// What the parts of the text are.
    pub parts: Vec<(Range<usize>, MergedPart)>,
    /// The rows.
    pub rows: Vec<Row>,
    /// How many rows are scrolled up from the end: the runtime context is what a person looks for.
    pub up: usize,
    height: usize,
}

/// What a part of the merged message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MergedPart {
    /// Text as it is sent.
    Text,
    /// The runtime context as it is sent.
    RuntimeContext,
    /// A note of ours about a block that holds no text; not part of what is sent.
    Note,
}

impl MessagePane {
    /// Takes a message and a size in.
    pub(super) fn fit(
        &mut self,
        assembly: Option<&Assembly>,
        width: usize,
        height: usize,
        symbols: Symbols,
    ) {
        let (text, parts) = assembly.map(merged_parts).unwrap_or_default();
        self.rows = wrap(&text, width, symbols);
        self.text = text.into();
        self.parts = parts;
        self.height = height;
        self.scroll(0);
    }

    /// Scrolls by rows; less than nothing goes up.
    pub(super) fn scroll(&mut self, by: isize) {
        let most = self.rows.len().saturating_sub(self.height);
        self.up = self.up.saturating_add_signed(-by).min(most);
    }

    /// Scrolls by pages.
    pub(super) fn page(&mut self, by: isize) {
        let rows = self.height.saturating_sub(1).max(1);
        self.scroll(by * isize::try_from(rows).unwrap_or(isize::MAX));
    }

    /// Gives the last rows that fit into a height, less those scrolled up.
    #[must_use]
    pub fn last_rows(&self, height: usize) -> &[Row] {
        let end = self.rows.len().saturating_sub(self.up);
        &self.rows[end.saturating_sub(height)..end]
    }

    /// Tells what the text at a byte is.
    #[must_use]
    pub fn part_at(&self, byte: usize) -> MergedPart {
        let at = self.parts.partition_point(|(range, _)| range.end <= byte);
        self.parts.get(at).map_or(MergedPart::Text, |(_, part)| *part)
    }
}

/// Writes the user's message out, and tells what its parts are.
///
/// Blocks of a list stand one below the other; an image is named, since its bytes tell a person
/// nothing.
#[must_use]
pub fn merged_parts(assembly: &Assembly) -> (String, Vec<(Range<usize>, MergedPart)>) {
    let mut text = String::new();
    let mut parts = Vec::new();
    let mut add = |piece: &str, part: MergedPart| {
        let start = text.len();
        text.push_str(piece);
        parts.push((start..text.len(), part));
    };
    match assembly.user_message().get("content") {
        Some(Value::Str(content)) => {
            let context = assembly.runtime_context.as_str();
            match content.strip_suffix(context) {
                Some(said) => {
                    add(said, MergedPart::Text);
                    add(context, MergedPart::RuntimeContext);
                }
                None => add(content, MergedPart::Text),
            }
        }
        Some(Value::List(blocks)) => {
            for (index, block) in blocks.iter().enumerate() {
                if index > 0 {
                    add("\n", MergedPart::Note);
                }
                match block.get("text").and_then(Value::as_str) {
                    Some(said) if said == assembly.runtime_context => {
                        add(said, MergedPart::RuntimeContext);
                    }
                    Some(said) => add(said, MergedPart::Text),
                    None => add(&block_note(block), MergedPart::Note),
                }
            }
        }
        _ => {}
    }
    (text, parts)
}

fn block_note(block: &Value) -> String {
    let url = block.get("image_url").and_then(|image| image.get("url")).and_then(Value::as_str);
    let path = block.get("_meta").and_then(|meta| meta.get("path")).and_then(Value::as_str);
    match (url.and_then(|url| url.strip_prefix("data:")), path) {
        (Some(data), Some(path)) => {
            let mime = data.split(';').next().unwrap_or_default();
            let bytes = data.split(',').nth(1).map_or(0, |base64| base64.len() / 4 * 3);
            format!("[{mime} of about {bytes} bytes: {path}]")
        }
        _ => json::dumps(block),
    }
}

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
    /// How far a person has scrolled away from where the pane stands by itself.
    offset: isize,
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

    /// Gives the row that stands at the top by itself: the message from its start if it fits, else
    /// the end of what was said with the runtime context below it.
    fn own_top(&self) -> usize {
        if self.rows.len() <= self.height {
            return 0;
        }
        let context = self
            .parts
            .iter()
            .find(|(_, part)| *part == MergedPart::RuntimeContext)
            .map_or(self.text.len(), |(range, _)| range.start);
        let row = self.rows.partition_point(|row| row.range.start < context);
        row.saturating_sub((self.height / 2).min(5))
            .min(self.last_top())
    }

    fn last_top(&self) -> usize {
        self.rows.len().saturating_sub(self.height)
    }

    /// Gives the row at the top.
    fn top(&self) -> usize {
        let top = self.own_top().saturating_add_signed(self.offset);
        top.min(self.last_top())
    }

    /// Scrolls by rows, within the message.
    pub(super) fn scroll(&mut self, by: isize) {
        self.offset = self.offset.saturating_add(by);
        let signed = |row: usize| isize::try_from(row).unwrap_or(isize::MAX);
        self.offset = signed(self.top()) - signed(self.own_top());
    }

    /// Goes back to where the pane stands by itself.
    pub(super) fn unscroll(&mut self) {
        self.offset = 0;
    }

    /// Scrolls by pages.
    pub(super) fn page(&mut self, by: isize) {
        let rows = self.height.saturating_sub(1).max(1);
        self.scroll(by * isize::try_from(rows).unwrap_or(isize::MAX));
    }

    /// Gives the rows in sight.
    #[must_use]
    pub fn visible(&self) -> &[Row] {
        let top = self.top();
        &self.rows[top..(top + self.height).min(self.rows.len())]
    }

    /// Tells what the text at a byte is.
    #[must_use]
    pub fn part_at(&self, byte: usize) -> MergedPart {
        let at = self.parts.partition_point(|(range, _)| range.end <= byte);
        self.parts
            .get(at)
            .map_or(MergedPart::Text, |(_, part)| *part)
    }
}

/// Writes the user's message out, and tells what its parts are.
///
/// Blocks of a list stand one below the other; an image is named, since its bytes tell a person
/// nothing.
#[must_use]
pub fn merged_parts(assembly: &Assembly) -> (String, Vec<(Range<usize>, MergedPart)>) {
    let mut text = String::new();
    let mut kinds = Vec::new();
    let mut add = |said: &str, kind: MergedPart| {
        let start = text.len();
        text.push_str(said);
        kinds.push((start..text.len(), kind));
    };
    match assembly.user_message().get("content") {
        Some(Value::Str(content)) => {
            let block = assembly.runtime_context.as_str();
            match content.strip_suffix(block) {
                Some(said) => {
                    add(said, MergedPart::Text);
                    add(block, MergedPart::RuntimeContext);
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
    (text, kinds)
}

fn block_note(block: &Value) -> String {
    let url = block
        .get("image_url")
        .and_then(|image| image.get("url"))
        .and_then(Value::as_str);
    let path = block
        .get("_meta")
        .and_then(|meta| meta.get("path"))
        .and_then(Value::as_str);
    match (url.and_then(|url| url.strip_prefix("data:")), path) {
        (Some(data), Some(path)) => {
            let mime = data.split(';').next().unwrap_or_default();
            let bytes = data
                .split(',')
                .nth(1)
                .map_or(0, |base64| base64.len() / 4 * 3);
            format!("[{mime} of about {bytes} bytes: {path}]")
        }
        _ => json::dumps(block),
    }
}

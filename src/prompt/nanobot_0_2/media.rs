//! The user's text with the attached images in front of it.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::python::Value;
use crate::workspace::agent_error::AgentError;
use crate::workspace::media::{Image, MediaFile};

/// Builds the content of the user's message; mirrors `_build_user_content`.
///
/// Without an image it is the text itself, else a list of blocks, the text last.
pub(super) fn user_content(message: &str, media: &[MediaFile]) -> Result<Value, AgentError> {
    let mut blocks = Vec::new();
    for file in media {
        if let Some(image) = file.image.as_ref().map_err(Clone::clone)? {
            blocks.push(image_block(&file.path, image));
        }
    }
    if blocks.is_empty() {
        return Ok(Value::str(message));
    }
    blocks.push(text_block(message));
    Ok(Value::List(blocks))
}

/// Makes a block of text.
pub(super) fn text_block(text: &str) -> Value {
    record([("type", Value::str("text")), ("text", Value::str(text))])
}

fn image_block(path: &str, image: &Image) -> Value {
    let url = format!(
        "data:{};base64,{}",
        image.mime,
        STANDARD.encode(&image.bytes)
    );
    record([
        ("type", Value::str("image_url")),
        ("image_url", record([("url", Value::Str(url))])),
        ("_meta", record([("path", Value::str(path))])),
    ])
}

/// Makes a mapping with text keys.
pub(super) fn record<const N: usize>(fields: [(&str, Value); N]) -> Value {
    let fields = fields.map(|(key, value)| (Value::str(key), value));
    Value::Dict(fields.into_iter().collect())
}

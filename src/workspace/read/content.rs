//! What a file holds, kept once: its text, and its bytes only where the text does not tell them.

use std::path::Path;
use std::sync::Arc;

use super::AgentError;
use crate::python::text::universal_newlines;

/// What a file holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Content {
    text: Result<Arc<str>, AgentError>,
    /// The bytes where they are not those of the text: with other line ends, or no UTF-8.
    raw: Option<Arc<[u8]>>,
}

impl Content {
    /// Takes in the bytes of a file.
    #[must_use]
    pub fn of(path: &Path, bytes: Vec<u8>) -> Self {
        match String::from_utf8(bytes) {
            Ok(text) => {
                let raw = text.contains('\r').then(|| text.as_bytes().into());
                let text = Ok(universal_newlines(text).into());
                Self { text, raw }
            }
            Err(error) => Self {
                text: Err(undecodable(path, error.as_bytes(), error.utf8_error())),
                raw: Some(error.into_bytes().into()),
            },
        }
    }

    /// Gives the text with every line end turned into LF; `None` where it is not UTF-8.
    #[must_use]
    pub fn text(&self) -> Option<&Arc<str>> {
        self.text.as_ref().ok()
    }

    /// Gives the bytes as they are in the file.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        let text = || self.text().map_or(&[][..], |text| text.as_bytes());
        self.raw.as_deref().unwrap_or_else(text)
    }

    /// Gives the text, or what Python raises in its place.
    pub(super) fn into_text(self) -> Result<Arc<str>, AgentError> {
        self.text
    }
}

fn undecodable(path: &Path, bytes: &[u8], error: std::str::Utf8Error) -> AgentError {
    let at = error.valid_up_to();
    let before = String::from_utf8_lossy(&bytes[..at]);
    let line = universal_newlines(before.into_owned())
        .matches('\n')
        .count()
        + 1;
    let byte = bytes.get(at).copied().unwrap_or(0);
    let message = format!("is not UTF-8: byte 0x{byte:02x} at position {at}");
    AgentError::at(path, "UnicodeDecodeError", message).on_line(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_those_of_the_file_whatever_becomes_of_the_text() {
        let of = |bytes: &[u8]| Content::of(Path::new("a.md"), bytes.to_vec());
        let cases: [(&[u8], Option<&str>); 4] = [
            (b"a\nb", Some("a\nb")),
            (b"a\r\nb\rc", Some("a\nb\nc")),
            (b"caf\xe9", None),
            (b"", Some("")),
        ];
        for (bytes, text) in cases {
            let content = of(bytes);
            assert_eq!(content.bytes(), bytes);
            assert_eq!(content.text().map(AsRef::as_ref), text);
        }
        assert!(of(b"a\nb").raw.is_none(), "a plain text is kept once");
    }
}

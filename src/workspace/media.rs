//! A file attached to a message: read, and told apart by its first bytes, else by its name.

use std::path::{Path, PathBuf};

use super::agent_error::AgentError;
use super::path_text;
use super::read::{self, Found};

/// An attached file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MediaFile {
    /// The path, as Python writes it.
    pub path: String,
    /// The image; `None` if there is no such file or it is no image: the agent drops it.
    pub image: Result<Option<Image>, AgentError>,
}

/// An image's bytes and kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    /// The MIME type, which begins with `image/`.
    pub mime: &'static str,
    /// The file's bytes.
    pub bytes: Vec<u8>,
}

impl MediaFile {
    /// Reads an attached file.
    #[must_use]
    pub fn read(path: &str) -> Self {
        // Python's Path drops doubled and trailing slashes, and so do its components here.
        let at: PathBuf = Path::new(path).components().collect();
        let image = match read::find(&at) {
            Ok(Found::File(_)) => read::bytes(&at).map(|bytes| {
                let bytes = bytes.unwrap_or_default();
                let mime = mime_by_content(&bytes).or_else(|| mime_by_name(path));
                mime.map(|mime| Image { mime, bytes })
            }),
            Ok(_) => Ok(None),
            Err(failure) => Err(failure),
        };
        Self {
            path: path_text(&at),
            image,
        }
    }
}

/// Tells an image by its first bytes, as the reference does.
fn mime_by_content(bytes: &[u8]) -> Option<&'static str> {
    if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        Some("image/png")
    } else if bytes.starts_with(b"\xff\xd8\xff") {
        Some("image/jpeg")
    } else if bytes.starts_with(b"GIF87a") || bytes.starts_with(b"GIF89a") {
        Some("image/gif")
    } else if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
        Some("image/webp")
    } else {
        None
    }
}

/// Tells an image by its name, as Python's own table in `mimetypes` does.
///
/// A machine's `/etc/mime.types` can add more endings to that table; those are not known here.
fn mime_by_name(path: &str) -> Option<&'static str> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let (stem, ending) = split_ending(name);
    let ending = match ending {
        // These endings of compression are looked through, in no other spelling.
        "gz" | "Z" | "bz2" | "xz" | "br" => split_ending(stem).1,
        // It stands for `.svg.gz`.
        other if other.eq_ignore_ascii_case("svgz") => "svg",
        other => other,
    };
    Some(match ending.to_ascii_lowercase().as_str() {
        "bmp" => "image/bmp",
        "gif" => "image/gif",
        "ief" => "image/ief",
        "jpg" | "jpe" | "jpeg" => "image/jpeg",
        "jpg2" => "image/jp2",
        "heic" => "image/heic",
        "heif" => "image/heif",
        "png" => "image/png",
        "svg" => "image/svg+xml",
        "tif" | "tiff" => "image/tiff",
        "ico" => "image/vnd.microsoft.icon",
        "pct" | "pic" | "pict" => "image/pict",
        "ras" => "image/x-cmu-raster",
        "pnm" => "image/x-portable-anymap",
        "pbm" => "image/x-portable-bitmap",
        "pgm" => "image/x-portable-graymap",
        "ppm" => "image/x-portable-pixmap",
        "rgb" => "image/x-rgb",
        "webp" => "image/webp",
        "avif" => "image/avif",
        "xbm" => "image/x-xbitmap",
        "xpm" => "image/x-xpixmap",
        "xwd" => "image/x-xwindowdump",
        _ => return None,
    })
}

/// Splits a name at its last dot; dots at its start make no ending.
fn split_ending(name: &str) -> (&str, &str) {
    match name.rsplit_once('.') {
        Some((stem, ending)) if stem.contains(|c| c != '.') => (stem, ending),
        _ => (name, ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_wins_over_the_name() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.gif");
        std::fs::write(&path, b"\x89PNG\r\n\x1a\n").unwrap();
        let media = MediaFile::read(path.to_str().unwrap());
        assert_eq!(media.image.unwrap().unwrap().mime, "image/png");
    }

    #[test]
    fn what_is_missing_or_no_image_is_dropped() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.txt");
        std::fs::write(&path, "x").unwrap();
        assert_eq!(MediaFile::read(path.to_str().unwrap()).image, Ok(None));
        assert_eq!(MediaFile::read("/none/a.png").image, Ok(None));
    }

    #[test]
    fn a_slash_at_the_end_is_dropped() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.png");
        std::fs::write(&path, b"\xff\xd8\xff").unwrap();
        let media = MediaFile::read(&format!("{}/", path.display()));
        assert_eq!(media.path, path.to_str().unwrap());
        assert_eq!(media.image.unwrap().unwrap().mime, "image/jpeg");
    }

    #[test]
    fn names_are_looked_at_as_mimetypes_does() {
        for (name, mime) in [
            ("/x/A.PNG", Some("image/png")),
            ("a.svgz", Some("image/svg+xml")),
            ("a.SVGZ", Some("image/svg+xml")),
            ("a.svgz.gz", None),
            ("a.png.gz", Some("image/png")),
            ("a.png.Z", Some("image/png")),
            ("a.png.z", None),
            ("a.png.GZ", None),
            (".png.gz", None),
            ("a.png/", None),
            (".png", None),
            ("png", None),
            ("a.b/c", None),
            ("a.md", None),
        ] {
            assert_eq!(mime_by_name(name), mime, "{name}");
        }
    }
}

//! The built-in example, copied to a private folder.

use include_dir::{Dir, include_dir};
use tempfile::TempDir;

use crate::error::{Error, Kind, Result};

static EXAMPLE: Dir = include_dir!("$CARGO_MANIFEST_DIR/workspace-example");

/// Copies the example to a new folder that goes away with the value.
pub fn copy() -> Result<TempDir> {
    let failed = |error: std::io::Error| {
        Error::new(
            Kind::Output,
            format!("the example cannot be copied: {error}"),
        )
        .hint("set TMPDIR to a folder that can be written to")
    };
    let folder = tempfile::Builder::new()
        .prefix("promptscope-demo-")
        .tempdir()
        .map_err(failed)?;
    EXAMPLE.extract(folder.path()).map_err(failed)?;
    Ok(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_copy_is_whole_and_goes_away() {
        let copy = copy().unwrap();
        let path = copy.path().to_path_buf();
        assert!(path.join("memory/history.jsonl").is_file());
        assert!(path.join("memory/.dream_cursor").is_file());
        drop(copy);
        assert!(!path.exists());
    }
}

//! What the commands write into a workspace when they are asked to: all of the files, or none.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::error::{Error, Kind, Result};

/// Writes files whole: first all of them beside their targets, then each in the place of the old one.
/// Where the first step fails, nothing has changed.
pub(super) fn write_all_or_none(files: &[(PathBuf, String)]) -> Result<()> {
    let mut ready = Vec::new();
    for (file, text) in files {
        let beside = beside(file, text).map_err(|error| failed(file, &error))?;
        ready.push((file, beside));
    }
    for (file, beside) in ready {
        beside
            .persist(file)
            .map_err(|error| failed(file, &error.error))?;
    }
    Ok(())
}

fn beside(file: &Path, text: &str) -> std::io::Result<NamedTempFile> {
    let folder = file.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let mode = fs::metadata(file).ok();
    if mode
        .as_ref()
        .is_some_and(|meta| meta.permissions().readonly())
    {
        return Err(std::io::ErrorKind::PermissionDenied.into());
    }
    let mut beside = tempfile::Builder::new()
        .prefix(".promptscope-")
        .tempfile_in(folder)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = mode.map_or(0o644, |meta| meta.permissions().mode());
        fs::set_permissions(beside.path(), fs::Permissions::from_mode(mode))?;
    }
    beside.write_all(text.as_bytes())?;
    beside.as_file().sync_all()?;
    Ok(beside)
}

fn failed(file: &Path, error: &std::io::Error) -> Error {
    let message = format!("{} cannot be written: {error}", file.display());
    Error::new(Kind::Output, message).hint("the files that were there are as they were")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_one_cannot_be_written_none_is() {
        let dir = tempfile::tempdir().unwrap();
        let (good, file) = (dir.path().join("a.md"), dir.path().join("file"));
        fs::write(&good, "old").unwrap();
        fs::write(&file, "").unwrap();
        let files = [
            (good.clone(), "new".to_owned()),
            (file.join("b.md"), "x".to_owned()),
        ];
        assert!(write_all_or_none(&files).is_err());
        assert_eq!(fs::read_to_string(&good).unwrap(), "old");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 2);
        let nested = dir.path().join("skills/x/SKILL.md");
        write_all_or_none(&[
            (good.clone(), "new".to_owned()),
            (nested.clone(), "y".to_owned()),
        ])
        .unwrap();
        assert_eq!(fs::read_to_string(&good).unwrap(), "new");
        assert_eq!(fs::read_to_string(&nested).unwrap(), "y");
    }
}

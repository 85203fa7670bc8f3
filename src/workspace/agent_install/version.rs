//! The version of an installed agent, off the metadata that lies beside its package.

use std::cmp::Ordering;
use std::path::Path;

use super::super::read::{self, FolderOrder};
use super::value_of;

/// Reads the version; where an upgrade left older metadata behind, the newest counts.
pub(super) fn of_package(package: &Path) -> Option<String> {
    let beside = read::list(package.parent()?, FolderOrder::Name).ok()?;
    beside
        .iter()
        .filter(|path| {
            let name = path.file_name().and_then(|name| name.to_str());
            name.is_some_and(|name| name.starts_with("nanobot_ai-") && name.ends_with(".dist-info"))
        })
        .filter_map(|info| value_of(&info.join("METADATA"), "Version:"))
        .max_by(|a, b| compare(a, b))
}

/// Compares two versions: numbers as numbers, and what comes before a release is older than it.
fn compare(a: &str, b: &str) -> Ordering {
    let (a, b) = (parts(a), parts(b));
    for at in 0..a.len().max(b.len()) {
        let order = rank(a.get(at)).cmp(&rank(b.get(at)));
        if order != Ordering::Equal {
            return order;
        }
    }
    Ordering::Equal
}

/// Takes a version apart into its runs of digits and of letters.
fn parts(version: &str) -> Vec<&str> {
    version
        .split(|c: char| !c.is_ascii_alphanumeric())
        .flat_map(|word| word.split_inclusive(|c: char| c.is_ascii_alphabetic()))
        .flat_map(|run| {
            let digits = run.trim_end_matches(|c: char| c.is_ascii_alphabetic());
            [digits, &run[digits.len()..]]
        })
        .filter(|part| !part.is_empty())
        .collect()
}

/// Ranks one part: `dev`, then `a`, `b` and `rc`, then the end of the version, then `post`, then numbers.
fn rank(part: Option<&&str>) -> (u8, u64) {
    match part {
        Some(&"d") => (0, 0),
        Some(&"a") => (1, 0),
        Some(&"b") => (2, 0),
        Some(&"r") => (3, 0),
        None => (4, 0),
        Some(&"p") => (5, 0),
        Some(part) => part.parse().map_or((4, 0), |number| (6, number)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_by_their_numbers() {
        let rising = [
            "0.2.2.dev1",
            "0.2.2a1",
            "0.2.2b2",
            "0.2.2rc1",
            "0.2.2rc10",
            "0.2.2",
            "0.2.2.post1",
            "0.2.2.post5",
            "0.2.9",
            "0.2.10",
            "0.10.0",
            "1.0",
        ];
        for (at, a) in rising.iter().enumerate() {
            for (bt, b) in rising.iter().enumerate() {
                assert_eq!(compare(a, b), at.cmp(&bt), "{a} and {b}");
            }
        }
    }

    #[test]
    fn the_newest_metadata_counts_and_a_bare_folder_does_not() {
        let dir = tempfile::tempdir().unwrap();
        for version in ["0.2.9", "0.2.10", "0.2.2"] {
            let info = dir.path().join(format!("nanobot_ai-{version}.dist-info"));
            std::fs::create_dir(&info).unwrap();
            let text = format!("Name: nanobot-ai\nVersion: {version}\n");
            std::fs::write(info.join("METADATA"), text).unwrap();
        }
        std::fs::create_dir(dir.path().join("nanobot_ai-0.3.0.dist-info")).unwrap();
        let version = of_package(&dir.path().join("nanobot"));
        assert_eq!(version.as_deref(), Some("0.2.10"));
    }
}

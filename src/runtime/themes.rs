//! The themes that can be shown: ours, and a person's own, which win by name.

use std::path::PathBuf;

use crate::error::{Error, Kind, Result, nearest};
use crate::ui::theme::{ColorDepth, Theme, embedded, load_embedded};
use crate::workspace::read::{self, FileRead, FolderOrder};

/// Where themes come from, and what the terminal can show of them.
#[derive(Debug, Clone)]
pub struct Themes {
    folder: Option<PathBuf>,
    depth: ColorDepth,
}

impl Themes {
    /// Makes the collection; `folder` holds the person's own.
    #[must_use]
    pub fn new(folder: Option<PathBuf>, depth: ColorDepth) -> Self {
        Self { folder, depth }
    }

    /// Lists the names: ours first, then the person's own.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = embedded()
            .iter()
            .map(|(name, _)| (*name).to_owned())
            .collect();
        let own = self
            .folder
            .iter()
            .flat_map(|folder| read::list(folder, FolderOrder::Name).unwrap_or_default());
        for path in own.filter(|path| path.extension().is_some_and(|ending| ending == "toml")) {
            let name = path
                .file_stem()
                .map(|stem| stem.to_string_lossy().into_owned());
            names.extend(name.filter(|name| !names.contains(name)));
        }
        names
    }

    /// Loads a theme by name, as the terminal can show it.
    pub fn load(&self, name: &str) -> Result<Theme> {
        let is_plain_name = !name.contains(['/', '\\']);
        let own = self.folder.as_ref().filter(|_| is_plain_name);
        if let Some(path) = own.map(|folder| folder.join(format!("{name}.toml"))) {
            match read::text(&path) {
                FileRead::Text(text) => {
                    return Theme::parse(&text, &path.display().to_string())
                        .map(|theme| theme.at(self.depth));
                }
                FileRead::Failed(failure) => {
                    let message = format!("the theme {} {}", path.display(), failure.message);
                    return Err(Error::new(Kind::Config, message));
                }
                FileRead::Missing => {}
            }
        }
        load_embedded(name)
            .map(|theme| theme.at(self.depth))
            .ok_or_else(|| {
                let names = self.names();
                let error = Error::new(Kind::Config, format!("there is no theme {name:?}"));
                error.hint(match nearest(name, names.iter().map(String::as_str)) {
                    Some(meant) => format!("did you mean {meant:?}?"),
                    None => format!("there are {}", names.join(", ")),
                })
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_theme_of_ones_own_is_found_beside_ours_and_wins() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("mine.toml"), "name = \"Mine\"\n[styles]\n").unwrap();
        std::fs::write(
            dir.path().join("dark.toml"),
            "name = \"My dark\"\n[styles]\n",
        )
        .unwrap();
        let themes = Themes::new(Some(dir.path().into()), ColorDepth::TrueColor);
        assert_eq!(
            themes.names().iter().filter(|name| *name == "dark").count(),
            1
        );
        assert!(themes.names().contains(&"mine".to_owned()));
        assert_eq!(themes.load("dark").unwrap().name, "My dark");
        assert!(themes.load("light").is_ok());
        let error = themes.load("darkk").unwrap_err();
        assert_eq!(error.hint_text(), Some("did you mean \"dark\"?"));
        assert!(themes.load("../dark").is_err());
    }
}

//! Loads prompts: every Markdown file below the folder of prompts, without its front matter and its blanks.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{BuiltLine, Fault, FaultKind};
use crate::python::Value;
use crate::workspace::agent_error::AgentError;
use crate::workspace::front_matter::{self, FrontMatter};
use crate::workspace::path_text;
use crate::workspace::read::{FileRead, FolderOrder, Found, Source};

/// The files below the folder of prompts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sources {
    /// The folder.
    pub folder: PathBuf,
    /// The files by their path below the folder, with `/` between its parts.
    pub files: BTreeMap<String, FileRead>,
    /// The files and folders that a link leads to out of the folder.
    pub outside: Vec<String>,
}

/// How deep folders are looked into.
const DEPTH: usize = 8;

impl Sources {
    /// Reads every Markdown file below a folder. Links out of it are noted and not followed unless
    /// `allows_outside`.
    #[must_use]
    pub fn read(folder: &Path, source: &Source, allows_outside: bool) -> Self {
        let mut sources = Self {
            folder: folder.to_path_buf(),
            ..Self::default()
        };
        let source = if allows_outside {
            source.clone()
        } else {
            source.fenced(folder)
        };
        let mut folders = vec![(folder.to_path_buf(), 0)];
        while let Some((at, depth)) = folders.pop() {
            let listed = source.list(&at, FolderOrder::Name);
            if let Err(AgentError {
                class: AgentError::OUTSIDE,
                ..
            }) = listed
            {
                sources.outside.push(String::new());
            }
            for path in listed.unwrap_or_default() {
                let name = path.strip_prefix(folder).map(path_text).unwrap_or_default();
                let is_markdown = path.extension().is_some_and(|ending| ending == "md");
                match source.find(&path) {
                    Ok(Found::Folder) if depth < DEPTH => folders.push((path, depth + 1)),
                    Err(failure) if failure.class == AgentError::OUTSIDE => {
                        sources.outside.push(name);
                    }
                    Ok(Found::File(_)) if is_markdown => {
                        sources.files.insert(name, source.text(&path));
                    }
                    _ => {}
                }
            }
        }
        sources
    }

    /// Gives the path of a prompt's file, asked for with or without `.md`.
    #[must_use]
    pub fn file_of(name: &str) -> String {
        if Path::new(name)
            .extension()
            .is_some_and(|ending| ending == "md")
        {
            name.to_owned()
        } else {
            format!("{name}.md")
        }
    }

    fn leads_outside(&self, path: &str) -> bool {
        let path = Path::new(path);
        self.outside.iter().any(|link| path.starts_with(link))
    }

    /// Loads a prompt by its name.
    pub fn load(&self, name: &str) -> Result<Prompt, FaultKind> {
        let path = Self::file_of(name);
        let shown = path_text(&self.folder.join(&path));
        match self.files.get(&path) {
            Some(FileRead::Text(text)) => Ok(Prompt::read(&path, text)),
            Some(FileRead::Failed(failure)) => Err(FaultKind::Unreadable(failure.message.clone())),
            _ if self.leads_outside(&path) => Err(FaultKind::Outside(path)),
            _ => Err(FaultKind::NoPrompt(shown)),
        }
    }
}

/// What a prompt declares in its front matter.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Declared {
    /// What the prompt is for.
    pub description: Option<String>,
    /// The most tokens that it may have.
    pub budget: Option<usize>,
    /// Its variables.
    pub variables: Vec<VariableDeclared>,
}

/// A variable that a prompt declares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VariableDeclared {
    /// Its name.
    pub name: String,
    /// Its value where the settings have none.
    pub default: Option<String>,
    /// Whether it must have a value.
    pub is_required: bool,
}

/// A prompt as it is loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompt {
    /// The file below the folder of prompts.
    pub path: Arc<str>,
    /// What it declares.
    pub declared: Declared,
    /// The lines of its text.
    pub lines: Vec<BuiltLine>,
}

impl Prompt {
    /// Preprocesses a file: the front matter goes, blanks at the ends of lines go, and the text ends with
    /// one line break. Line ends are LF already.
    #[must_use]
    pub fn read(path: &str, text: &str) -> Self {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let body = front_matter::find(text).map_or(0, |parts| parts.body.start);
        let before = text[..body].matches('\n').count();
        let path: Arc<str> = path.into();
        let body = text[body..].trim_end_matches(['\n', ' ', '\t']);
        let lines = body.split('\n').enumerate().map(|(index, line)| BuiltLine {
            text: line.trim_end_matches([' ', '\t']).to_owned(),
            path: path.clone(),
            line: before + index + 1,
        });
        Self {
            declared: declared(text),
            lines: lines.collect(),
            path,
        }
    }
}

fn declared(text: &str) -> Declared {
    let FrontMatter::Mapping(fields) = FrontMatter::read(text) else {
        return Declared::default();
    };
    let get = |key: &str| fields.get(&Value::str(key));
    let variables = get("variables")
        .and_then(Value::as_dict)
        .into_iter()
        .flatten();
    let variables = variables.map(|(name, about)| {
        let default = match about {
            Value::Dict(_) => about.get("default").map(Value::to_str),
            Value::None => None,
            plain => Some(plain.to_str()),
        };
        VariableDeclared {
            name: name.to_str(),
            is_required: about.get("required").is_some_and(Value::truth),
            default,
        }
    });
    Declared {
        description: get("description")
            .and_then(Value::as_str)
            .map(str::to_owned),
        budget: match get("budget") {
            Some(Value::Int(budget)) => usize::try_from(budget).ok(),
            _ => None,
        },
        variables: variables.collect(),
    }
}

/// Makes a fault at a line of a file.
pub(super) fn fault(kind: FaultKind, line: &BuiltLine) -> Fault {
    Fault {
        kind,
        path: Some(line.path.clone()),
        line: Some(line.line),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prompt_is_asked_for_with_and_without_its_ending_and_named_where_it_is_missing() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("support")).unwrap();
        std::fs::write(
            dir.path().join("support/refund.md"),
            "---\ndescription: D\n---\nOne  \r\ntwo\t\n\n\n",
        )
        .unwrap();
        std::fs::write(dir.path().join("note.txt"), "no").unwrap();
        let sources = Sources::read(dir.path(), &Source::default(), false);
        assert_eq!(sources.files.len(), 1);
        for name in ["support/refund", "support/refund.md"] {
            let prompt = sources.load(name).unwrap();
            let lines: Vec<(&str, usize)> = prompt
                .lines
                .iter()
                .map(|line| (line.text.as_str(), line.line))
                .collect();
            assert_eq!(lines, [("One", 4), ("two", 5)]);
            assert_eq!(prompt.declared.description.as_deref(), Some("D"));
        }
        let missing = sources.load("none").unwrap_err().to_string();
        assert!(
            missing.contains(&format!("{}/none.md", dir.path().display())),
            "{missing}"
        );
    }

    #[test]
    fn front_matter_declares_variables_and_a_budget() {
        let text = "---\nbudget: 100\nvariables:\n  a: {default: x}\n  b: {required: true}\n  c: 5\n  d:\n---\nT\n";
        let declared = Prompt::read("p.md", text).declared;
        assert_eq!(declared.budget, Some(100));
        let variable = |name: &str| {
            declared
                .variables
                .iter()
                .find(|it| it.name == name)
                .unwrap()
        };
        assert_eq!(variable("a").default.as_deref(), Some("x"));
        assert!(variable("b").is_required && variable("b").default.is_none());
        assert_eq!(variable("c").default.as_deref(), Some("5"));
        assert_eq!(variable("d").default, None);
    }

    #[test]
    #[cfg(unix)]
    fn links_out_of_the_folder_are_noted_and_not_read() {
        let dir = tempfile::tempdir().unwrap();
        let prompts = dir.path().join("prompts");
        std::fs::create_dir(&prompts).unwrap();
        std::fs::write(dir.path().join("secret.md"), "secret").unwrap();
        let link = |to: &str, name: &str| {
            std::os::unix::fs::symlink(to, prompts.join(name)).unwrap();
        };
        link("../secret.md", "out.md");
        link("..", "up");
        let sources = Sources::read(&prompts, &Source::default(), false);
        assert_eq!(
            sources.load("out"),
            Err(FaultKind::Outside("out.md".into()))
        );
        assert_eq!(
            sources.load("up/secret"),
            Err(FaultKind::Outside("up/secret.md".into()))
        );
        assert_eq!(sources.files.len(), 0);
        let sources = Sources::read(&prompts, &Source::default(), true);
        assert_eq!(sources.load("out").unwrap().lines[0].text, "secret");
    }
}

//! Which folder is the workspace.

use std::path::{Path, PathBuf};

use super::Request;
use crate::error::{Error, Kind, Result};
use crate::machine::Machine;
use crate::workspace::agent_config::AgentConfig;
use crate::workspace::read::{self, Found};

/// Finds the workspace: the one named, else the current folder, else the agent's own.
pub fn root(request: &Request, machine: &Machine, agent: Option<&AgentConfig>) -> Result<PathBuf> {
    if let Some(path) = &request.workspace {
        let root = machine.absolute(path);
        return match read::find(&root) {
            Ok(Found::Folder) => Ok(root),
            Ok(Found::Nothing) => Err(no_folder(path, "is not there")),
            Ok(_) => Err(no_folder(path, "is a file, not a folder")),
            Err(failure) => Err(no_folder(path, &failure.message)),
        };
    }
    let here = machine.current_folder.clone();
    if is_workspace(&here) {
        return Ok(here);
    }
    let agents = machine.home().map(|home| {
        let unset = AgentConfig::default();
        agent.unwrap_or(&unset).workspace_folder(home)
    });
    match agents.filter(|folder| is_workspace(folder)) {
        Some(folder) => Ok(folder),
        None => Err(Error::new(
            Kind::Workspace,
            format!(
                "{} is no workspace: it has none of AGENTS.md, SOUL.md, USER.md, memory and skills",
                here.display()
            ),
        )
        .hint("name a workspace, or try `promptscope --demo`")),
    }
}

fn is_workspace(folder: &Path) -> bool {
    [
        "AGENTS.md",
        "SOUL.md",
        "USER.md",
        "memory",
        "skills",
        "promptscope.toml",
    ]
    .iter()
    .any(|name| !matches!(read::find(&folder.join(name)), Ok(Found::Nothing)))
}

fn no_folder(path: &Path, problem: &str) -> Error {
    let message = format!("the workspace {} {problem}", path.display());
    Error::new(Kind::Workspace, message)
        .hint("name the folder that holds AGENTS.md, or try `promptscope --demo`")
}

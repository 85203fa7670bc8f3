//! Finds the nanobot that the person runs, by looking at files alone: no Python is started.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::read::{self, FileRead, FolderOrder, Found};

mod interpreter;
mod version;

/// An installed agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentInstall {
    /// The folder of the Python package, which holds `templates` and `skills`.
    pub package: PathBuf,
    /// The version in its `dist-info`, where there is one.
    pub version: Option<String>,
    /// The Python version of its environment, where `pyvenv.cfg` tells it.
    pub python: Option<String>,
    /// The Python that runs it, where one is found.
    pub interpreter: Option<PathBuf>,
}

/// What the search depends on.
#[derive(Debug, Clone, Default)]
pub struct SearchPlaces<'a> {
    /// The environment's variables.
    pub env: Option<&'a BTreeMap<String, String>>,
    /// The folders in which programs are looked for.
    pub path: &'a [PathBuf],
}

impl AgentInstall {
    /// Recognises an agent at a path: its package, a folder that holds it, an environment, or the
    /// `nanobot` script.
    ///
    /// An interpreter that is known by its name alone is looked for in the folders of `programs`.
    #[must_use]
    pub fn at(path: &Path, programs: &[PathBuf]) -> Option<Self> {
        if let Ok(Found::File(_)) = read::find(path) {
            return Self::of_script(path, programs);
        }
        let libraries = ["lib", "lib64", "Lib"].map(|lib| path.join(lib));
        let site_packages = libraries
            .iter()
            .flat_map(|lib| {
                let mut folders = vec![lib.join("site-packages")];
                for entry in read::list(lib, FolderOrder::Name).unwrap_or_default() {
                    folders.push(entry.join("site-packages"));
                }
                folders
            })
            .map(|folder| folder.join("nanobot"));
        [path.to_path_buf(), path.join("nanobot")]
            .into_iter()
            .chain(site_packages)
            .find(|package| is_package(package))
            .map(|package| Self {
                version: version::of_package(&package),
                python: python_version(&package),
                interpreter: interpreter::of_package(&package, programs),
                package,
            })
    }

    /// Searches the usual places, in the order in which a shell would find the agent.
    #[must_use]
    pub fn find(places: &SearchPlaces) -> Option<Self> {
        let variable = |name: &str| {
            let value = places.env.and_then(|env| env.get(name));
            value.filter(|value| !value.is_empty()).map(PathBuf::from)
        };
        if let Some(found) = variable("VIRTUAL_ENV").and_then(|env| Self::at(&env, places.path)) {
            return Some(found);
        }
        let scripts = places.path.iter().map(|folder| folder.join("nanobot"));
        let on_path = scripts.filter(|script| read::is_program(script));
        if let Some(found) = on_path
            .into_iter()
            .find_map(|script| Self::of_script(&script, places.path))
        {
            return Some(found);
        }
        let home = variable("HOME")?;
        let data = variable("XDG_DATA_HOME").unwrap_or_else(|| home.join(".local/share"));
        let tools = variable("UV_TOOL_DIR").unwrap_or_else(|| data.join("uv/tools"));
        let pipx = variable("PIPX_HOME").map(|pipx| pipx.join("venvs"));
        [
            Some(tools.join("nanobot-ai")),
            pipx.map(|venvs| venvs.join("nanobot-ai")),
            Some(data.join("pipx/venvs/nanobot-ai")),
            Some(home.join(".local/pipx/venvs/nanobot-ai")),
            Some(home.join(".local")),
        ]
        .into_iter()
        .flatten()
        .find_map(|place| Self::at(&place, places.path))
    }

    /// Follows a script's interpreter line to its environment.
    fn of_script(script: &Path, programs: &[PathBuf]) -> Option<Self> {
        let head = read::head(script, 4096);
        let line = head.split(|&b| b == b'\n').next()?;
        let line = std::str::from_utf8(line).ok()?.strip_prefix("#!")?.trim();
        let named = interpreter::of_line(line, programs);
        let program = Path::new(line.split(' ').next()?);
        // bin/python: the environment is two folders up. A system-wide script keeps its package
        // below the folder that its own bin stands in.
        let by_env = named.as_deref().unwrap_or(program);
        [program, by_env, script]
            .into_iter()
            .filter_map(|file| file.parent()?.parent())
            .find_map(|place| Self::at(place, programs))
            .map(|found| Self {
                interpreter: named.clone().or(found.interpreter),
                ..found
            })
    }

    /// Gives the folder of the agent's templates.
    #[must_use]
    pub fn templates(&self) -> PathBuf {
        self.package.join("templates")
    }

    /// Gives the folder of the agent's builtin skills.
    #[must_use]
    pub fn skills(&self) -> PathBuf {
        self.package.join("skills")
    }
}

fn is_package(package: &Path) -> bool {
    let identity = package.join("templates").join("agent").join("identity.md");
    matches!(read::find(&identity), Ok(Found::File(_)))
}

/// Reads the Python version of the environment that holds the package.
fn python_version(package: &Path) -> Option<String> {
    let config = environment(package)?.join("pyvenv.cfg");
    // uv writes version_info, the standard module writes version.
    value_of(&config, "version_info =").or_else(|| value_of(&config, "version ="))
}

/// Finds the environment that holds the package: the folder with `pyvenv.cfg`.
fn environment(package: &Path) -> Option<PathBuf> {
    package
        .ancestors()
        .skip(1)
        .take(5)
        .find(|dir| matches!(read::find(&dir.join("pyvenv.cfg")), Ok(Found::File(_))))
        .map(Path::to_path_buf)
}

fn value_of(file: &Path, key: &str) -> Option<String> {
    let FileRead::Text(text) = read::text(file) else {
        return None;
    };
    let value = text.lines().find_map(|line| line.strip_prefix(key))?;
    let release: Vec<&str> = value.trim().split('.').take(3).collect();
    Some(if key == "Version:" {
        value.trim().to_owned()
    } else {
        release.join(".")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn environment() -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        let site = dir.path().join("lib/python3.12/site-packages");
        fs::create_dir_all(site.join("nanobot/templates/agent")).unwrap();
        fs::write(site.join("nanobot/templates/agent/identity.md"), "I").unwrap();
        fs::create_dir_all(site.join("nanobot_ai-0.2.2.dist-info")).unwrap();
        fs::write(
            site.join("nanobot_ai-0.2.2.dist-info/METADATA"),
            "Name: nanobot-ai\nVersion: 0.2.2\n",
        )
        .unwrap();
        fs::write(
            dir.path().join("pyvenv.cfg"),
            "home = /usr/bin\nversion = 3.12.9\n",
        )
        .unwrap();
        fs::create_dir_all(dir.path().join("bin")).unwrap();
        let script = dir.path().join("bin/nanobot");
        fs::write(&script, format!("#!{}/bin/python\n", dir.path().display())).unwrap();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
        }
        dir
    }

    #[test]
    fn it_is_found_from_every_place_in_its_environment() {
        let dir = environment();
        let root = dir.path();
        let site = root.join("lib/python3.12/site-packages");
        for path in [
            root.to_path_buf(),
            site.clone(),
            site.join("nanobot"),
            root.join("bin/nanobot"),
        ] {
            let found = AgentInstall::at(&path, &[]).unwrap_or_else(|| panic!("{path:?}"));
            assert_eq!(found.package, site.join("nanobot"));
            assert_eq!(found.version.as_deref(), Some("0.2.2"));
            assert_eq!(found.python.as_deref(), Some("3.12.9"));
        }
        assert_eq!(AgentInstall::at(&root.join("bin"), &[]), None);
    }

    #[test]
    fn the_search_follows_the_environment_and_the_path() {
        let dir = environment();
        let env = BTreeMap::from([("VIRTUAL_ENV".to_owned(), dir.path().display().to_string())]);
        let by_env = SearchPlaces {
            env: Some(&env),
            path: &[],
        };
        assert!(AgentInstall::find(&by_env).is_some());
        let path = [dir.path().join("bin")];
        let by_path = SearchPlaces {
            env: None,
            path: &path,
        };
        assert!(AgentInstall::find(&by_path).is_some());
        assert_eq!(AgentInstall::find(&SearchPlaces::default()), None);
    }
}

//! Everything that decides what is assembled: flags over the scenario over the settings over the
//! agent's own configuration, resolved once into values.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use chrono::{DateTime, Utc};
use chrono_tz::Tz;

mod hosts;
mod preflight;
mod root;
mod sources;
mod turn;

use crate::config::{Config, ConfigText};
use crate::error::{Error, Kind, Result};
use crate::machine::Machine;
use crate::prompt::{Assembly, Profile, SessionLimits, Turn, assemble};
use crate::revision::Revision;
use crate::scenario::{BuiltinSkills, Scenario};
use crate::tokens::{Encoding, Estimate};
use crate::workspace::agent_config::AgentConfig;
use crate::workspace::agent_install::{AgentInstall, SearchPlaces};
use crate::workspace::host::HostProfile;
use crate::workspace::read::{self, FileRead, FolderOrder, Found, Shelf, Source};
use crate::workspace::{Places, Workspace};
pub use hosts::{HostDifference, HostReport, SkillFlip};
pub use root::root;
use turn::{complete, session_limits, turn_of_settings};

/// What a person asks for on the command line; `None` where nothing is said.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Request {
    /// The workspace folder.
    pub workspace: Option<PathBuf>,
    /// A scenario file.
    pub scenario: Option<PathBuf>,
    /// The user's text.
    pub message: Option<String>,
    /// The channel.
    pub channel: Option<String>,
    /// The chat on that channel.
    pub chat_id: Option<String>,
    /// Who writes.
    pub sender_id: Option<String>,
    /// The session to be replayed.
    pub session: Option<String>,
    /// The instant of the turn.
    pub now: Option<DateTime<Utc>>,
    /// The agent's time zone.
    pub timezone: Option<String>,
    /// The machine's own time zone.
    pub local_timezone: Option<Tz>,
    /// Where the agent is installed.
    pub agent: Option<PathBuf>,
    /// The encoding of all counts.
    pub encoding: Option<Encoding>,
    /// In which order skills are listed.
    pub skill_order: Option<FolderOrder>,
    /// Values of variables of prompts, by their dotted names.
    pub variables: Vec<(String, String)>,
}

/// What is assembled, and how it is counted.
#[derive(Debug, Clone, PartialEq)]
pub struct Inputs {
    /// Where to read.
    pub places: Places,
    /// The turn.
    pub turn: Turn,
    /// What is declared about the target machine.
    pub host: HostProfile,
    /// The rules.
    pub profile: Profile,
    /// The agent whose templates and skills are used.
    pub agent: Option<AgentInstall>,
    /// How much of a session is replayed that the turn does not name itself.
    pub session_limits: SessionLimits,
    /// The encoding of all counts.
    pub encoding: Encoding,
    /// The settings in force.
    pub config: Config,
    /// Values of variables that the command line gives.
    variables: Vec<(String, String)>,
    /// Values of variables that were edited on the screen, by their dotted names.
    pub edited: BTreeMap<String, String>,
    /// The scenario in force; of it only what the fields above do not hold.
    scenario: Scenario,
}

impl Inputs {
    /// Resolves a request on a machine. Reads settings, scenario and the agent's place.
    pub fn resolve(request: &Request, machine: &Machine) -> Result<Self> {
        let agent_config = machine.home().and_then(AgentConfig::read);
        let root = root(request, machine, agent_config.as_ref())?;
        let config = Config::resolve(&config_files(&root, machine, &Source::default())?)?;
        Self::with_config(request, machine, &root, config, agent_config)
    }

    /// Resolves a request over the workspace as of a revision, with the settings that it had then; one
    /// that had none yet has those of now.
    pub fn resolve_at(
        request: &Request,
        machine: &Machine,
        name: &str,
    ) -> Result<(Self, Revision)> {
        let agent_config = machine.home().and_then(AgentConfig::read);
        let root = root(request, machine, agent_config.as_ref())?;
        let revision = Revision::read(&root, name)?;
        let source = revision.source();
        let has_settings = source.find(&root.join(SETTINGS)) != Ok(Found::Nothing);
        let now = Source::default();
        let files = config_files(&root, machine, if has_settings { &source } else { &now })?;
        let config = Config::resolve(&files)?;
        let mut inputs = Self::with_config(request, machine, &root, config, agent_config)?;
        inputs.set_revision(&revision);
        Ok((inputs, revision))
    }

    /// Resolves a request with settings that were read before, as when the file is broken.
    pub fn with_config(
        request: &Request,
        machine: &Machine,
        root: &Path,
        mut config: Config,
        agent_config: Option<AgentConfig>,
    ) -> Result<Self> {
        // The agent's configuration speaks for its own workspace alone.
        let agent_config = agent_config
            .filter(|agent| {
                let folder = machine.home().map(|home| agent.workspace_folder(home));
                folder.is_some_and(|folder| read::resolved(&folder) == read::resolved(root))
            })
            .unwrap_or_default();
        let scenario = request
            .scenario
            .as_deref()
            .map(|file| scenario(file, machine))
            .transpose()?;
        let has_scenario = scenario.is_some();
        let scenario = scenario.unwrap_or_default();
        let agent = agent(request, &config, machine)?;
        if config.estimate.is_none() && config.encoding.is_none() {
            config.estimate = agent_config.model.as_deref().and_then(Estimate::for_model);
        }
        if config.budget.window.is_none() {
            config.budget.window = agent_config.context_window;
        }
        let limits = session_limits(&config, &agent_config);
        let mut turn = if has_scenario {
            scenario.turn.clone()
        } else {
            turn_of_settings(&config, &limits)
        };
        complete(&mut turn, request, &config, &agent_config, &limits);
        let templates = match (&scenario.templates, &config.templates) {
            (Some(folder), _) | (None, Some(folder)) => Some(existing(folder, "templates")?),
            (None, None) => agent.as_ref().map(AgentInstall::templates),
        };
        let chosen = match &scenario.builtin_skills {
            BuiltinSkills::OfAgent => &config.builtin_skills,
            chosen => chosen,
        };
        let builtin_skills = match chosen {
            BuiltinSkills::OfAgent => agent.as_ref().map(AgentInstall::skills),
            BuiltinSkills::None => None,
            BuiltinSkills::Folder(folder) => Some(existing(folder, "builtin skills")?),
        };
        let flags = HostProfile {
            now: request.now,
            local_timezone: request.local_timezone,
            ..HostProfile::default()
        };
        // A scenario gives the same on any machine, whatever its home folder holds.
        let old_sessions = machine
            .home()
            .filter(|_| !has_scenario)
            .map(|home| home.join(".nanobot").join("sessions"));
        let order = request.skill_order.or(scenario.skill_order);
        Ok(Self {
            places: Places {
                root: root.to_path_buf(),
                templates,
                builtin_skills,
                skill_order: order.unwrap_or(config.skill_order),
                session: turn.session.as_ref().map(|session| session.key.clone()),
                old_sessions,
                media: turn.media.clone(),
                source: sources::links(
                    config.follows_links,
                    root,
                    Source::default().shelved(&Shelf::default()),
                ),
            },
            turn,
            host: config.host.clone().under(&scenario.host).under(&flags),
            profile: Profile::of_version(agent.as_ref().and_then(|agent| agent.version.as_deref())),
            agent,
            session_limits: limits,
            encoding: request
                .encoding
                .or(config.encoding)
                .or_else(|| agent_config.model.as_deref().and_then(Encoding::for_model))
                .unwrap_or(Encoding::O200kBase),
            config,
            variables: request.variables.clone(),
            edited: BTreeMap::new(),
            scenario,
        })
    }

    /// Tells whether the rules are exact for the agent that was found; `None` without its version.
    #[must_use]
    pub fn is_exact(&self) -> Option<bool> {
        let version = self.agent.as_ref()?.version.as_deref()?;
        Some(self.profile.covers(version))
    }

    /// Says what a person must know about how far an assembly is what the agent sends.
    #[must_use]
    pub fn reservations(&self, assembly: &Assembly) -> Vec<String> {
        let mut said = Vec::new();
        let version = self.agent.as_ref().and_then(|agent| agent.version.as_ref());
        if let (Some(false), Some(version)) = (self.is_exact(), version) {
            said.push(format!(
                "nanobot-ai {version} is installed, whose prompt differs; shown is what {} would build",
                self.profile.versions.join(", ")
            ));
        }
        said.extend(self.config.estimate.as_ref().map(Estimate::about));
        if let Some(turns) = self.turn.max_history_turns {
            said.push(format!(
                "the last {turns} turns of the session are kept, as `turn.max_history_turns` says: nanobot keeps more"
            ));
        }
        if assembly.approximate_lines > 0 {
            said.push(format!(
                "{} of the runtime context's lines, about CLI apps and MCP presets, are worded by \
                 promptscope",
                assembly.approximate_lines
            ));
        }
        said
    }

    /// Tells whether skills are listed as the directory has them, as the agent does.
    #[must_use]
    pub fn is_directory_order(&self) -> bool {
        self.places.skill_order == FolderOrder::Directory
    }

    /// Gives the turn and the host as a scenario that makes the same run anywhere.
    #[must_use]
    pub fn as_scenario(&self) -> Scenario {
        let mut variables = self.scenario.variables.clone();
        variables.extend(self.variables.iter().cloned());
        variables.extend(self.edited.clone());
        Scenario {
            turn: self.turn.clone(),
            host: self.host.clone(),
            variables,
            ..self.scenario.clone()
        }
    }

    /// Points the places at what the turn needs.
    pub fn set_turn(&mut self, turn: Turn) {
        self.places.session = turn.session.as_ref().map(|session| session.key.clone());
        self.places.media.clone_from(&turn.media);
        self.turn = turn;
    }

    /// Assembles a workspace that was read from these places, on this machine at this instant.
    #[must_use]
    pub fn assemble(
        &self,
        workspace: &Workspace,
        machine: &Machine,
        now: DateTime<Utc>,
    ) -> Assembly {
        let host = self.host(workspace, machine, now);
        assemble(workspace, &host, &self.turn, &self.profile)
    }
}

/// The workspace's settings.
pub const SETTINGS: &str = "promptscope.toml";

/// Reads the files of settings that are there, the person's own first.
pub fn config_files(root: &Path, machine: &Machine, source: &Source) -> Result<Vec<ConfigText>> {
    let own = machine
        .settings_folder()
        .map(|folder| folder.join("config.toml"));
    let files = own.into_iter().chain([root.join(SETTINGS)]);
    let mut texts = Vec::new();
    for path in files {
        // The person's own settings say whether a workspace's file may be a link out of it.
        let are_followed = Config::resolve(&texts).is_ok_and(|own| own.follows_links);
        match sources::links(are_followed, root, source.clone()).text(&path) {
            FileRead::Missing => {}
            FileRead::Text(text) => texts.push(ConfigText {
                text: text.to_string(),
                path,
            }),
            FileRead::Failed(failure) => {
                let message = format!("{} {}", path.display(), failure.message);
                return Err(Error::new(Kind::Config, message));
            }
        }
    }
    Ok(texts)
}

fn existing(folder: &Path, what: &str) -> Result<PathBuf> {
    match read::find(folder) {
        Ok(Found::Folder) => Ok(folder.to_path_buf()),
        _ => Err(Error::new(
            Kind::Config,
            format!("the folder of {what} {} is not there", folder.display()),
        )
        .hint("a relative path starts at the folder of the file that names it")),
    }
}

const SCENARIO_HINT: &str =
    "name a TOML or JSON file; a relative path starts at the current folder";

fn scenario(file: &Path, machine: &Machine) -> Result<Scenario> {
    let path = machine.absolute(file);
    match read::text(&path) {
        FileRead::Text(text) => Scenario::parse(&text, &path),
        FileRead::Missing => {
            let message = format!("the scenario {} is not there", file.display());
            Err(Error::new(Kind::Scenario, message).hint(SCENARIO_HINT))
        }
        FileRead::Failed(failure) => {
            let message = format!("the scenario {} {}", file.display(), failure.message);
            Err(Error::new(Kind::Scenario, message).hint(SCENARIO_HINT))
        }
    }
}

fn agent(request: &Request, config: &Config, machine: &Machine) -> Result<Option<AgentInstall>> {
    let named = request.agent.as_ref().or(config.agent_path.as_ref());
    let Some(named) = named else {
        return Ok(AgentInstall::find(&SearchPlaces {
            env: Some(&machine.env),
            path: &machine.path,
        }));
    };
    let path = match (named.strip_prefix("~"), machine.home()) {
        (Ok(below), Some(home)) => home.join(below),
        _ => machine.absolute(named),
    };
    // The agent names its skills by the place that Python found it at, which has no `..` in it.
    let path = if path.components().any(|part| part == Component::ParentDir) {
        read::resolved(&path)
    } else {
        path
    };
    AgentInstall::at(&path, &machine.path)
        .map(Some)
        .ok_or_else(|| {
            Error::new(
                Kind::Config,
                format!("there is no nanobot at {}", path.display()),
            )
            .hint("name its environment, its package folder or the nanobot script")
        })
}

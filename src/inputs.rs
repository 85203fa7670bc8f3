//! Everything that decides what is assembled: flags over the scenario over the settings over the
//! agent's own configuration, resolved once into values.

use std::path::{Component, Path, PathBuf};

use chrono::{DateTime, Utc};
use chrono_tz::Tz;

use crate::config::{Config, ConfigText};
use crate::error::{Error, Kind, Result};
use crate::machine::Machine;
use crate::prompt::{Assembly, Profile, SessionRequest, Turn, assemble};
use crate::scenario::{BuiltinSkills, Scenario};
use crate::tokens::Encoding;
use crate::workspace::agent_config::AgentConfig;
use crate::workspace::agent_install::{AgentInstall, SearchPlaces};
use crate::workspace::host::HostProfile;
use crate::workspace::read::{self, FileRead, FolderOrder, Found};
use crate::workspace::{Places, Workspace};

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
    /// The encoding of all counts.
    pub encoding: Encoding,
    /// The settings in force.
    pub config: Config,
}

impl Inputs {
    /// Resolves a request on a machine. Reads settings, scenario and the agent's place.
    pub fn resolve(request: &Request, machine: &Machine) -> Result<Self> {
        let agent_config = machine.home().and_then(AgentConfig::read);
        let root = root(request, machine, agent_config.as_ref())?;
        let config = Config::resolve(&config_files(&root, machine)?)?;
        Self::with_config(request, machine, &root, config, agent_config)
    }

    /// Resolves a request with settings that were read before, as when the file is broken.
    pub fn with_config(
        request: &Request,
        machine: &Machine,
        root: &Path,
        config: Config,
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
        let mut turn = if has_scenario {
            scenario.turn
        } else {
            turn_of_settings(&config)
        };
        complete(&mut turn, request, &config, &agent_config);
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
        let order = request.skill_order.or(scenario.skill_order);
        Ok(Self {
            places: Places {
                root: root.to_path_buf(),
                templates,
                builtin_skills,
                skill_order: order.unwrap_or(config.skill_order),
                session: turn.session.as_ref().map(|session| session.key.clone()),
                media: turn.media.clone(),
            },
            turn,
            host: config.host.clone().under(&scenario.host).under(&flags),
            profile: Profile::NANOBOT_0_2,
            agent,
            encoding: request.encoding.unwrap_or(config.encoding),
            config,
        })
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
        let python = self
            .agent
            .as_ref()
            .and_then(|agent| agent.python.as_deref());
        let mut host = machine.host(now, python).with(&self.host);
        let programs = workspace.required_programs();
        host.look_up(programs.iter().map(String::as_str));
        assemble(workspace, &host, &self.turn, &self.profile)
    }
}

/// Reads the files of settings that are there, the person's own first.
pub fn config_files(root: &Path, machine: &Machine) -> Result<Vec<ConfigText>> {
    let own = machine
        .settings_folder()
        .map(|folder| folder.join("config.toml"));
    let files = own.into_iter().chain([root.join("promptscope.toml")]);
    let mut texts = Vec::new();
    for path in files {
        match read::text(&path) {
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

fn turn_of_settings(config: &Config) -> Turn {
    let defaults = config.turn.clone();
    Turn {
        message: defaults.message.unwrap_or_default(),
        channel: defaults.channel,
        chat_id: defaults.chat_id,
        sender_id: defaults.sender_id,
        session: defaults
            .session
            .filter(|key| !key.is_empty())
            .map(SessionRequest::new),
        ..Turn::default()
    }
}

/// Lays the flags over a turn, and puts the settings where it is silent.
fn complete(turn: &mut Turn, request: &Request, config: &Config, agent: &AgentConfig) {
    fn over<T: Clone>(field: &mut Option<T>, flag: Option<&T>) {
        if let Some(flag) = flag {
            *field = Some(flag.clone());
        }
    }
    if let Some(message) = &request.message {
        turn.message.clone_from(message);
    }
    over(&mut turn.channel, request.channel.as_ref());
    over(&mut turn.chat_id, request.chat_id.as_ref());
    over(&mut turn.sender_id, request.sender_id.as_ref());
    if let Some(key) = &request.session {
        turn.session = Some(key.as_str())
            .filter(|key| !key.is_empty())
            .map(SessionRequest::new);
    }
    if let (Some(session), Some(max)) = (
        &mut turn.session,
        config.max_messages.or(agent.max_messages),
    ) && session.max_messages == SessionRequest::MAX_MESSAGES
    {
        session.max_messages = max;
    }
    let timezone = request.timezone.clone().or(turn.timezone.take());
    let timezone = timezone.or_else(|| config.timezone.clone());
    turn.timezone = timezone.or_else(|| agent.timezone.clone());
    if turn.disabled_skills.is_empty() {
        let disabled = config.disabled_skills.clone();
        turn.disabled_skills = disabled.unwrap_or_else(|| agent.disabled_skills.clone());
    }
    let unified = config
        .unified_session
        .or(agent.unified_session)
        .unwrap_or(false);
    turn.unified_session |= unified;
}

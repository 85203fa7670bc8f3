//! `promptscope.toml`: the workspace's over the person's own over the defaults.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;

mod library;
mod lint;
mod places;
mod tables;

use crate::budget::Budget;
use crate::error::{Error, Kind, Result};
use crate::library::LibrarySettings;
use crate::lint::LintSettings;
use crate::prompt::{RuntimeTemplates, SectionId};
use crate::scenario::{BuiltinSkills, instant, zone};
use crate::tokens::{Encoding, Estimate};
use crate::workspace::host::HostProfile;
use crate::workspace::read::FolderOrder;
use tables::{
    BudgetTable, Clipboard, FolderOrFalse, HostTable, Keys, Order, RuntimeLinesTable, Tables,
    TokensTable,
};

/// The defaults, which are also the documentation of every key.
pub const DEFAULT_CONFIG: &str = include_str!("default_config.toml");

const CONFIG_HINT: &str = "`promptscope --print-config` shows every key";

/// A file of settings: where it stands, and its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigText {
    /// The file, for errors and for relative paths.
    pub path: PathBuf,
    /// Its text.
    pub text: String,
}

/// The settings in force.
#[derive(Debug, Clone, PartialEq)]
pub struct Config {
    /// Where the agent is installed.
    pub agent_path: Option<PathBuf>,
    /// The folder of templates.
    pub templates: Option<PathBuf>,
    /// Where builtin skills come from.
    pub builtin_skills: BuiltinSkills,
    /// The agent's time zone.
    pub timezone: Option<String>,
    /// The skills that are switched off.
    pub disabled_skills: Option<Vec<String>>,
    /// Whether all sessions are one.
    pub unified_session: Option<bool>,
    /// How many messages of a session are replayed.
    pub max_messages: Option<usize>,
    /// How many tokens of the context window the agent keeps for its answer.
    pub max_output_tokens: Option<usize>,
    /// In which order skills are listed.
    pub skill_order: FolderOrder,
    /// Whether links out of the workspace are followed, as the agent does.
    pub follows_links: bool,
    /// The encoding of all counts, where it is said.
    pub encoding: Option<Encoding>,
    /// The estimate for a model whose vocabulary is not public.
    pub estimate: Option<Estimate>,
    /// The budgets.
    pub budget: Budget,
    /// What the composer starts with.
    pub turn: TurnDefaults,
    /// The declared target machine.
    pub host: HostProfile,
    /// How runtime lines about CLI apps and MCP presets are worded.
    pub runtime_templates: RuntimeTemplates,
    /// The prompts as files, and what is made of them.
    pub library: LibrarySettings,
    /// How much each rule of the checks matters.
    pub lint: LintSettings,
    /// What the checks compare with.
    pub check: CheckSettings,
    /// The keys, for each place and action that has others.
    pub keys: BTreeMap<String, BTreeMap<String, Vec<String>>>,
    /// The name of the theme.
    pub theme: String,
    /// Whether the mouse is asked for.
    pub mouse: bool,
    /// Whether only ASCII letters are drawn, where it is said.
    pub ascii: Option<bool>,
    /// Whether copies go into a file rather than through the terminal.
    pub copies_to_file: bool,
}

/// What the checks compare with.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CheckSettings {
    /// The file of recorded tokens, below the workspace.
    pub baseline: PathBuf,
    /// How much a section may grow beyond what is recorded, as a share of it.
    pub tolerance: f64,
}

impl Default for CheckSettings {
    fn default() -> Self {
        Self {
            baseline: "promptscope-baseline.json".into(),
            tolerance: 0.0,
        }
    }
}

/// What the composer starts with.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TurnDefaults {
    /// The channel.
    pub channel: Option<String>,
    /// The chat on that channel.
    pub chat_id: Option<String>,
    /// Who writes.
    pub sender_id: Option<String>,
    /// The key of the session to be replayed.
    pub session: Option<String>,
    /// The text.
    pub message: Option<String>,
    /// How many turns of earlier messages are kept; all where nothing is said.
    pub max_history_turns: Option<usize>,
}

impl Config {
    /// Lays files of settings over the defaults, the last one winning, key by key.
    ///
    /// An error names the file, the line and the key.
    pub fn resolve(files: &[ConfigText]) -> Result<Self> {
        let mut merged = toml::Table::new();
        let defaults = ConfigText {
            path: "defaults".into(),
            text: DEFAULT_CONFIG.to_owned(),
        };
        let mut is_fenced = false;
        for file in std::iter::once(&defaults).chain(files) {
            let table: toml::Table = read(file)?;
            // Read once with its types, so that an error names the file that it stands in.
            let tables: Tables = read(file)?;
            check(&tables).map_err(|problem| file_error(file, &problem))?;
            is_fenced |= tables.agent.follow_links == Some(false);
            let folder = file.path.parent().unwrap_or(Path::new(""));
            overlay(&mut merged, with_absolute_paths(table, folder));
        }
        let mut tables: Tables = merged.try_into().map_err(|error: toml::de::Error| {
            Error::new(Kind::Config, format!("the settings: {}", error.message()))
        })?;
        // What a person forbids, the file of a workspace does not allow.
        tables.agent.follow_links = Some(!is_fenced);
        Self::from_tables(tables, files).map_err(|problem| Error::new(Kind::Config, problem))
    }

    fn from_tables(tables: Tables, files: &[ConfigText]) -> std::result::Result<Self, String> {
        let encoding = encoding(&tables.tokens)?;
        let library = library::library(&tables.library(), files)?;
        let host = host(tables.host)?;
        let agent = tables.agent;
        let path = |text: Option<String>| text.map(PathBuf::from);
        Ok(Self {
            agent_path: path(agent.path),
            templates: path(agent.templates),
            builtin_skills: match agent.builtin_skills {
                None | Some(FolderOrFalse::Switch(true)) => BuiltinSkills::OfAgent,
                Some(FolderOrFalse::Switch(false)) => BuiltinSkills::None,
                Some(FolderOrFalse::Folder(folder)) => BuiltinSkills::Folder(folder.into()),
            },
            timezone: agent.timezone,
            disabled_skills: agent.disabled_skills,
            unified_session: agent.unified_session,
            max_messages: agent.max_messages,
            max_output_tokens: agent.max_output_tokens,
            skill_order: match agent.skill_order {
                Some(Order::Name) => FolderOrder::Name,
                Some(Order::Directory) | None => FolderOrder::Directory,
            },
            follows_links: agent.follow_links.unwrap_or(true),
            encoding,
            estimate: tables.tokens.model.as_deref().and_then(Estimate::for_model),
            budget: budget(&tables.budget),
            turn: tables.turn,
            runtime_templates: runtime_templates(&tables.runtime_lines)?,
            host,
            library,
            lint: lint::lint(&tables.lint)?,
            check: tables.check,
            keys: keys(tables.keys),
            theme: tables.ui.theme.unwrap_or_default(),
            mouse: tables.ui.mouse.unwrap_or(true),
            ascii: tables.ui.ascii,
            copies_to_file: tables.ui.clipboard == Some(Clipboard::File),
        })
    }
}

/// Finds what is wrong in a file besides its form.
fn check(tables: &Tables) -> std::result::Result<(), String> {
    encoding(&tables.tokens)?;
    host(tables.host.clone())?;
    runtime_templates(&tables.runtime_lines)?;
    lint::lint(&tables.lint)?;
    library::library(&tables.library(), &[])?;
    let baseline = &tables.check.baseline;
    let is_below = |part: std::path::Component| matches!(part, std::path::Component::Normal(_));
    if baseline.as_os_str().is_empty() || !baseline.components().all(is_below) {
        let baseline = baseline.display();
        return Err(format!(
            "`check.baseline` must be a file below the workspace, not {baseline}"
        ));
    }
    if tables.check.tolerance.is_nan() || tables.check.tolerance < 0.0 {
        let tolerance = tables.check.tolerance;
        return Err(format!(
            "`check.tolerance` must be 0 or more, not {tolerance}"
        ));
    }
    match tables.budget.warn_at {
        Some(share) if !(share > 0.0 && share <= 1.0) => Err(format!(
            "`budget.warn_at` must be above 0 and at most 1, not {share}"
        )),
        _ => Ok(()),
    }
}

fn encoding(tokens: &TokensTable) -> std::result::Result<Option<Encoding>, String> {
    match (&tokens.model, &tokens.encoding) {
        // What is only estimated is counted in the encoding that is named, or in the usual one.
        (Some(model), name) if Estimate::for_model(model).is_some() => {
            name.as_deref().map(encoding_by_name).transpose()
        }
        (Some(model), _) => encoding_of_model(model).map(Some),
        (None, Some(name)) => encoding_by_name(name).map(Some),
        (None, None) => Ok(None),
    }
}

fn keys(
    tables: BTreeMap<String, BTreeMap<String, Keys>>,
) -> BTreeMap<String, BTreeMap<String, Vec<String>>> {
    let list = |keys: Keys| match keys {
        Keys::One(key) => vec![key],
        Keys::Many(keys) => keys,
    };
    let place = |bindings: BTreeMap<String, Keys>| {
        let bindings = bindings.into_iter();
        bindings.map(|(name, keys)| (name, list(keys))).collect()
    };
    tables
        .into_iter()
        .map(|(name, bindings)| (name, place(bindings)))
        .collect()
}

fn runtime_templates(table: &RuntimeLinesTable) -> std::result::Result<RuntimeTemplates, String> {
    RuntimeTemplates::default().with(table.cli_app.as_deref(), table.mcp_preset.as_deref())
}

/// Finds an encoding by name; the error lists the names.
pub fn encoding_by_name(name: &str) -> std::result::Result<Encoding, String> {
    Encoding::from_name(name).ok_or_else(|| {
        let names: Vec<&str> = Encoding::ALL
            .iter()
            .map(|encoding| encoding.name())
            .collect();
        format!(
            "there is no encoding {name:?}; there are {}",
            names.join(", ")
        )
    })
}

fn encoding_of_model(model: &str) -> std::result::Result<Encoding, String> {
    Encoding::for_model(model).ok_or_else(|| {
        format!(
            "the vocabulary of the model {model:?} is not public, so nothing counts it exactly; \
             set `tokens.encoding` instead"
        )
    })
}

fn host(table: HostTable) -> std::result::Result<HostProfile, String> {
    let now = table.now.as_deref().map(instant).transpose();
    let local_timezone = table.local_timezone.as_deref().map(zone).transpose();
    Ok(HostProfile {
        system: table.system,
        machine: table.machine,
        python: table.python,
        now: now.map_err(|problem| format!("`host.now` {problem}"))?,
        local_timezone: local_timezone
            .map_err(|problem| format!("`host.local_timezone` {problem}"))?,
        path: table.path,
        bins: table.bins,
        env: table.env,
    })
}

fn budget(table: &BudgetTable) -> Budget {
    Budget {
        window: table.window,
        total: table.total,
        warn_at: table.warn_at.unwrap_or(Budget::default().warn_at),
        sections: SectionId::ALL.map(|id| match id {
            SectionId::Identity => table.identity,
            SectionId::BootstrapFiles => table.bootstrap_files,
            SectionId::ToolContract => table.tool_contract,
            SectionId::Memory => table.memory,
            SectionId::AlwaysSkills => table.always_skills,
            SectionId::SkillsSummary => table.skills_summary,
            SectionId::RecentHistory => table.recent_history,
            SectionId::SessionSummary => table.session_summary,
        }),
    }
}

fn read<T: serde::de::DeserializeOwned>(file: &ConfigText) -> Result<T> {
    toml::from_str(&file.text).map_err(|error| {
        let at = file
            .text
            .floor_char_boundary(error.span().map_or(0, |span| span.start));
        let line = file.text[..at].matches('\n').count() + 1;
        let message = format!("{}:{line}: {}", file.path.display(), error.message());
        Error::new(Kind::Config, message).hint(CONFIG_HINT)
    })
}

fn file_error(file: &ConfigText, problem: &str) -> Error {
    // A problem begins with the key that it is about.
    let key = problem
        .strip_prefix('`')
        .and_then(|rest| rest.split('`').next());
    let keys: Vec<&str> = key.unwrap_or_default().split('.').collect();
    let path = file.path.display();
    let message = match places::nearest_line(&file.text, &keys) {
        Some(line) => format!("{path}:{line}: {problem}"),
        None => format!("{path}: {problem}"),
    };
    Error::new(Kind::Config, message).hint(CONFIG_HINT)
}

/// Lays one table over another, key by key.
fn overlay(under: &mut toml::Table, over: toml::Table) {
    // A model in a later file replaces an encoding in an earlier one, and the other way round.
    for (name, other) in [("encoding", "model"), ("model", "encoding")] {
        let chosen = over
            .get("tokens")
            .and_then(|tokens| tokens.get(name))
            .is_some();
        if let (true, Some(toml::Value::Table(tokens))) = (chosen, under.get_mut("tokens")) {
            tokens.remove(other);
        }
    }
    for (key, value) in over {
        match (under.get_mut(&key), value) {
            (Some(toml::Value::Table(under)), toml::Value::Table(over)) if key != "env" => {
                overlay(under, over);
            }
            (_, value) => {
                under.insert(key, value);
            }
        }
    }
}

/// Makes the paths of a file absolute: they start at the file's folder.
fn with_absolute_paths(mut table: toml::Table, folder: &Path) -> toml::Table {
    if let Some(toml::Value::Table(agent)) = table.get_mut("agent") {
        for key in ["path", "templates", "builtin_skills"] {
            if let Some(toml::Value::String(path)) = agent.get_mut(key)
                && !path.starts_with('~')
            {
                *path = folder.join(&path).display().to_string();
            }
        }
    }
    table
}

#[cfg(test)]
mod tests;

//! The tables of `promptscope.toml` as they are written.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Deserialize;

use super::library::{
    CompileTable, CompositionTable, ExperimentTable, LibraryTables, PromptsTable,
};
use super::{CheckSettings, TurnDefaults};

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Tables {
    pub agent: AgentTable,
    pub tokens: TokensTable,
    pub budget: BudgetTable,
    pub turn: TurnDefaults,
    pub host: HostTable,
    pub runtime_lines: RuntimeLinesTable,
    pub prompts: PromptsTable,
    pub variables: toml::Table,
    pub compositions: BTreeMap<String, CompositionTable>,
    pub experiments: BTreeMap<String, ExperimentTable>,
    pub compile: Vec<CompileTable>,
    pub lint: toml::Table,
    pub check: CheckSettings,
    pub keys: BTreeMap<String, BTreeMap<String, Keys>>,
    pub ui: UiTable,
}

impl Tables {
    /// Gives the tables about prompts as files.
    pub fn library(&self) -> LibraryTables<'_> {
        LibraryTables {
            prompts: &self.prompts,
            variables: &self.variables,
            compositions: &self.compositions,
            experiments: &self.experiments,
            compile: &self.compile,
        }
    }
}

/// One key, or several.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged, expecting = "a key, or a list of keys")]
pub(super) enum Keys {
    One(String),
    Many(Vec<String>),
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct AgentTable {
    pub path: Option<String>,
    pub templates: Option<String>,
    pub builtin_skills: Option<FolderOrFalse>,
    pub timezone: Option<String>,
    pub disabled_skills: Option<Vec<String>>,
    pub unified_session: Option<bool>,
    pub max_messages: Option<usize>,
    pub max_output_tokens: Option<usize>,
    pub skill_order: Option<Order>,
    pub follow_links: Option<bool>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(untagged, expecting = "a folder, or false")]
pub(super) enum FolderOrFalse {
    Switch(bool),
    Folder(String),
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Order {
    Directory,
    Name,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct TokensTable {
    pub encoding: Option<String>,
    pub model: Option<String>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct BudgetTable {
    pub window: Option<usize>,
    pub total: Option<usize>,
    pub warn_at: Option<f64>,
    pub identity: Option<usize>,
    pub bootstrap_files: Option<usize>,
    pub tool_contract: Option<usize>,
    pub memory: Option<usize>,
    pub always_skills: Option<usize>,
    pub skills_summary: Option<usize>,
    pub recent_history: Option<usize>,
    pub session_summary: Option<usize>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct HostTable {
    pub system: Option<String>,
    pub machine: Option<String>,
    pub python: Option<String>,
    pub local_timezone: Option<String>,
    pub now: Option<String>,
    pub path: Option<Vec<PathBuf>>,
    pub bins: Vec<String>,
    pub env: Option<BTreeMap<String, String>>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RuntimeLinesTable {
    pub cli_app: Option<String>,
    pub mcp_preset: Option<String>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct UiTable {
    pub theme: Option<String>,
    pub mouse: Option<bool>,
    pub ascii: Option<bool>,
    pub clipboard: Option<Clipboard>,
}

/// Where copies go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Clipboard {
    Terminal,
    File,
}

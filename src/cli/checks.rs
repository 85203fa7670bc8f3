//! The flags of `check`, `diff`, `history` and `matrix`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::TurnArgs;
use crate::lint::Severity;

/// What `check` checks.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub struct CheckArgs {
    /// The workspace folders
    pub workspaces: Vec<PathBuf>,
    /// For people, or for what reads it
    #[arg(long, value_enum, default_value_t = CheckFormat::Human, value_name = "FORMAT")]
    pub format: CheckFormat,
    /// From which severity on a finding makes the command end with 1
    #[arg(long, value_enum, default_value_t = FailOn::Error, value_name = "SEVERITY")]
    pub fail_on: FailOn,
    /// Record the tokens of each section; later runs fail where one grows
    #[arg(long)]
    pub update_baseline: bool,
    /// Build the turn again a minute later, for another sender, channel and order of skills, and tell what
    /// a prompt cache would lose
    #[arg(long)]
    pub cache: bool,
    /// List what would save most
    #[arg(long)]
    pub advise: bool,
    /// List the rules, and leave
    #[arg(long)]
    pub rules: bool,
    /// The turn and the host.
    #[command(flatten)]
    pub turn: TurnArgs,
}

/// How `check` reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CheckFormat {
    /// For people.
    Human,
    /// One object with everything.
    Json,
    /// SARIF 2.1.0, for code scanning.
    Sarif,
    /// The XML of `JUnit`, for CI servers.
    Junit,
    /// Annotations of GitHub Actions.
    Github,
}

/// From which severity on a finding fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FailOn {
    /// Errors alone.
    Error,
    /// Warnings too.
    Warning,
    /// Everything.
    Note,
}

impl FailOn {
    /// Gives the severity.
    #[must_use]
    pub fn severity(self) -> Severity {
        match self {
            Self::Error => Severity::Error,
            Self::Warning => Severity::Warning,
            Self::Note => Severity::Note,
        }
    }
}

/// How `diff`, `history` and `matrix` report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ReportFormat {
    /// For people.
    Human,
    /// One object with everything.
    Json,
}

/// What `diff` compares.
#[derive(Debug, Args)]
pub struct DiffArgs {
    /// The workspace folder; a single word that is no folder is the revision
    pub workspace: Option<PathBuf>,
    /// A branch, a tag, a hash, HEAD~2
    pub revision: Option<String>,
    /// For people, or for programs
    #[arg(long, value_enum, default_value_t = ReportFormat::Human, value_name = "FORMAT")]
    pub format: ReportFormat,
    /// The tokens alone, without the text
    #[arg(long)]
    pub stat: bool,
    /// The turn and the host.
    #[command(flatten)]
    pub turn: TurnArgs,
}

/// What `history` shows.
#[derive(Debug, Args)]
pub struct HistoryArgs {
    /// The workspace folder
    pub workspace: Option<PathBuf>,
    /// The heaviest lines first
    #[arg(long)]
    pub heaviest: bool,
    /// For people, or for programs
    #[arg(long, value_enum, default_value_t = ReportFormat::Human, value_name = "FORMAT")]
    pub format: ReportFormat,
    /// The turn and the host.
    #[command(flatten)]
    pub turn: TurnArgs,
}

/// What `matrix` goes over.
#[derive(Debug, Args)]
pub struct MatrixArgs {
    /// The workspace folder
    pub workspace: Option<PathBuf>,
    /// The channels, with commas between them; all that the agent knows otherwise
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub channels: Vec<String>,
    /// The senders, with commas between them; that of the turn otherwise
    #[arg(long, value_name = "IDS", value_delimiter = ',')]
    pub senders: Vec<String>,
    /// The sessions, with commas between them; that of the turn otherwise
    #[arg(long, value_name = "KEYS", value_delimiter = ',')]
    pub sessions: Vec<String>,
    /// For people, or for programs
    #[arg(long, value_enum, default_value_t = ReportFormat::Human, value_name = "FORMAT")]
    pub format: ReportFormat,
    /// The turn and the host.
    #[command(flatten)]
    pub turn: TurnArgs,
}

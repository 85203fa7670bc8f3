//! The flags of the commands about prompts as files.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{ReportFormat, TurnArgs};

/// Reads a value of the command line.
pub(super) fn variable(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => {
            Ok((name.trim().to_owned(), value.to_owned()))
        }
        _ => Err("write NAME=VALUE".to_owned()),
    }
}

/// What `compile` writes.
#[derive(Debug, Args)]
pub struct CompileArgs {
    /// The workspace folder
    pub workspace: Option<PathBuf>,
    /// Show what would change, and write nothing
    #[arg(long)]
    pub dry_run: bool,
    /// End with 1 where a target is out of date, and write nothing
    #[arg(long, conflicts_with = "dry_run")]
    pub check: bool,
    /// Replace targets that were edited by hand
    #[arg(long)]
    pub force: bool,
    /// Compile the sources of a revision
    #[arg(long, value_name = "REV")]
    pub rev: Option<String>,
    /// The turn and the host.
    #[command(flatten)]
    pub turn: TurnArgs,
}

/// What `list` lists.
#[derive(Debug, Args)]
pub struct ListArgs {
    /// The workspace folder
    pub workspace: Option<PathBuf>,
    /// For people, or for programs
    #[arg(long, value_enum, default_value_t = ReportFormat::Human, value_name = "FORMAT")]
    pub format: ReportFormat,
    /// The turn and the host.
    #[command(flatten)]
    pub turn: TurnArgs,
}

/// What `show` shows.
#[derive(Debug, Args)]
pub struct ShowArgs {
    /// A prompt, with or without .md, a composition or an experiment
    pub name: String,
    /// The workspace folder
    pub workspace: Option<PathBuf>,
    /// The variant of an experiment; otherwise that of the sender, and any where there is none
    #[arg(long, value_name = "NAME")]
    pub variant: Option<String>,
    /// For people, or for programs
    #[arg(long, value_enum, default_value_t = ReportFormat::Human, value_name = "FORMAT")]
    pub format: ReportFormat,
    /// The turn and the host.
    #[command(flatten)]
    pub turn: TurnArgs,
}

/// What `assign` tells.
#[derive(Debug, Args)]
pub struct AssignArgs {
    /// The experiment
    pub experiment: String,
    /// The ids
    #[arg(required = true)]
    pub ids: Vec<String>,
    /// The workspace folder
    #[arg(long, value_name = "FOLDER")]
    pub workspace: Option<PathBuf>,
    /// Other shares, with commas between them: who would move is told
    #[arg(long, value_name = "SHARES", value_delimiter = ',')]
    pub weights: Vec<f64>,
    /// The turn and the host.
    #[command(flatten)]
    pub turn: TurnArgs,
}

/// What `log` lists.
#[derive(Debug, Args)]
pub struct LogArgs {
    /// A prompt, with or without .md, a composition or an experiment
    pub name: String,
    /// The workspace folder
    pub workspace: Option<PathBuf>,
    /// The variant of an experiment; the first otherwise
    #[arg(long, value_name = "NAME")]
    pub variant: Option<String>,
    /// The most commits that are listed
    #[arg(long, value_name = "COUNT", default_value = "20")]
    pub limit: NonZeroUsize,
    /// For people, or for programs
    #[arg(long, value_enum, default_value_t = ReportFormat::Human, value_name = "FORMAT")]
    pub format: ReportFormat,
    /// The turn and the host.
    #[command(flatten)]
    pub turn: TurnArgs,
}

/// What `export` writes.
#[derive(Debug, Args)]
pub struct ExportArgs {
    /// The program that reads it
    #[arg(value_enum)]
    pub format: ExportFormat,
    /// The workspace folder
    pub workspace: Option<PathBuf>,
    /// The turn and the host.
    #[command(flatten)]
    pub turn: TurnArgs,
}

/// For which program a configuration is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ExportFormat {
    /// promptfoo: prompts, variables, variants, a test for each scenario.
    Promptfoo,
}

//! The command line, as typed.

use std::path::PathBuf;

use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use crate::config::encoding_by_name;
use crate::inputs::Request;
use crate::lint::Severity;
use crate::prompt::SectionId;
use crate::scenario::{instant, zone};
use crate::tokens::Encoding;
use crate::workspace::read::FolderOrder;

/// Shows what a nanobot agent will send to its model, and what that costs.
///
/// Without a command, the workbench opens on the workspace: the folder named, else the current one
/// if it is a workspace, else the one in the agent's own configuration.
#[derive(Debug, Parser)]
#[command(version, args_conflicts_with_subcommands = true, max_term_width = 100)]
pub struct Cli {
    /// What to do instead of opening the workbench.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// What the workbench opens on.
    #[command(flatten)]
    pub open: OpenArgs,
}

/// The headless commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Print the assembled prompt and messages
    Render(RenderArgs),
    /// Check budgets and rules over one or many workspaces, for CI
    Check(CheckArgs),
    /// Compare tokens and text with a revision, HEAD where none is named
    Diff(DiffArgs),
    /// Tell what becomes of every line of the history
    History(HistoryArgs),
    /// Show one message over every channel, and over the senders and sessions that are named
    Matrix(MatrixArgs),
    /// Write prompt sources out to the files that the agent reads
    Compile(CompileArgs),
    /// List the prompts, compositions and experiments with their tokens
    List(ListArgs),
    /// Print one of them, built
    Show(ShowArgs),
    /// Tell which variant of an experiment each id gets
    Assign(AssignArgs),
    /// Ask the installed agent's own builder for the same prompt, and compare every byte
    Verify(VerifyArgs),
    /// Print the completions of a shell
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the manual page, for `man -l -`
    Man,
}

/// What the workbench opens on.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub struct OpenArgs {
    /// The workspace folder
    pub workspace: Option<PathBuf>,
    /// Open a private copy of the built-in example
    #[arg(long, conflicts_with = "workspace")]
    pub demo: bool,
    /// Print every setting with its default, and leave
    #[arg(long, exclusive = true)]
    pub print_config: bool,
    /// The theme, by name; auto for the one that suits the terminal's background
    #[arg(long, value_name = "NAME")]
    pub theme: Option<String>,
    /// How many colours are shown; found out from the terminal's name otherwise
    #[arg(long, value_name = "DEPTH", value_enum)]
    pub color: Option<Colors>,
    /// Draw lines and marks with ASCII letters alone
    #[arg(long)]
    pub ascii: bool,
    /// No screen: print a line for each change, for screen readers and slow links
    #[arg(long)]
    pub plain: bool,
    /// The turn and the host.
    #[command(flatten)]
    pub turn: TurnArgs,
}

/// How many colours are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Colors {
    /// No colour: words, bold and reversed letters tell what matters.
    None,
    /// The terminal's own sixteen.
    #[value(name = "16")]
    Sixteen,
    /// The 256 of xterm.
    #[value(name = "256")]
    Palette,
    /// Every one.
    #[value(name = "true")]
    Every,
}

/// What `render` prints.
#[derive(Debug, Args)]
pub struct RenderArgs {
    /// The workspace folder
    pub workspace: Option<PathBuf>,
    /// text: the system prompt, and the messages if there is one; json: all of it with token counts;
    /// messages: the list of messages as it is sent
    #[arg(long, value_enum, default_value_t = Format::Text, value_name = "FORMAT")]
    pub format: Format,
    /// Print one section alone, by its id
    #[arg(long, value_name = "ID", value_parser = section)]
    pub section: Option<SectionId>,
    /// The turn and the host.
    #[command(flatten)]
    pub turn: TurnArgs,
}

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

/// The variables, the turn and the host, for the commands about prompts as files.
#[derive(Debug, Args)]
pub struct LibraryArgs {
    /// A variable's value, over that of the settings
    #[arg(long = "var", value_name = "NAME=VALUE", value_parser = variable)]
    pub vars: Vec<(String, String)>,
    /// The turn and the host.
    #[command(flatten)]
    pub turn: TurnArgs,
}

fn variable(text: &str) -> Result<(String, String), String> {
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
    /// The variables, the turn and the host.
    #[command(flatten)]
    pub library: LibraryArgs,
}

/// What `list` lists.
#[derive(Debug, Args)]
pub struct ListArgs {
    /// The workspace folder
    pub workspace: Option<PathBuf>,
    /// For people, or for programs
    #[arg(long, value_enum, default_value_t = ReportFormat::Human, value_name = "FORMAT")]
    pub format: ReportFormat,
    /// The variables, the turn and the host.
    #[command(flatten)]
    pub library: LibraryArgs,
}

/// What `show` shows.
#[derive(Debug, Args)]
pub struct ShowArgs {
    /// A prompt, with or without .md, a composition or an experiment
    pub name: String,
    /// The workspace folder
    pub workspace: Option<PathBuf>,
    /// The variant of an experiment; the first otherwise
    #[arg(long, value_name = "NAME")]
    pub variant: Option<String>,
    /// For people, or for programs
    #[arg(long, value_enum, default_value_t = ReportFormat::Human, value_name = "FORMAT")]
    pub format: ReportFormat,
    /// The variables, the turn and the host.
    #[command(flatten)]
    pub library: LibraryArgs,
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

/// What `verify` compares.
#[derive(Debug, Args)]
pub struct VerifyArgs {
    /// The workspace folder
    pub workspace: Option<PathBuf>,
    /// How long the agent may take
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub timeout: u64,
    /// The turn and the host.
    #[command(flatten)]
    pub turn: TurnArgs,
}

/// How `render` prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people, and exact in a pipe.
    Text,
    /// One object with everything.
    Json,
    /// The list of messages.
    Messages,
}

/// The turn and the host, for every command.
#[derive(Debug, Args, Default)]
#[command(next_help_heading = "Turn and host")]
pub struct TurnArgs {
    /// A scenario file, TOML or JSON
    #[arg(long, value_name = "FILE")]
    pub scenario: Option<PathBuf>,
    /// The user's text
    #[arg(long, value_name = "TEXT")]
    pub message: Option<String>,
    /// The channel, such as telegram
    #[arg(long, value_name = "NAME")]
    pub channel: Option<String>,
    /// The chat on that channel
    #[arg(long, value_name = "ID", allow_hyphen_values = true)]
    pub chat_id: Option<String>,
    /// Who writes
    #[arg(long, value_name = "ID")]
    pub sender: Option<String>,
    /// The session to be replayed, such as telegram:12345
    #[arg(long, value_name = "KEY")]
    pub session: Option<String>,
    /// The instant of the turn, such as 2026-06-19T02:30:00+00:00
    #[arg(long, value_name = "INSTANT", value_parser = instant)]
    pub now: Option<DateTime<Utc>>,
    /// The agent's time zone
    #[arg(long, value_name = "ZONE")]
    pub timezone: Option<String>,
    /// The machine's own time zone
    #[arg(long, value_name = "ZONE", value_parser = zone)]
    pub local_timezone: Option<Tz>,
    /// Where the agent is installed: an environment, its package folder or the nanobot script
    #[arg(long, value_name = "PATH")]
    pub agent: Option<PathBuf>,
    /// The encoding of all counts
    #[arg(long, value_name = "NAME", value_parser = encoding_by_name)]
    pub encoding: Option<Encoding>,
    /// In which order skills are listed: as the file system does, or by name
    #[arg(long, value_name = "ORDER", value_enum)]
    pub skill_order: Option<SkillOrder>,
}

/// In which order skills are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SkillOrder {
    /// As the file system lists them, which is what the agent does.
    Directory,
    /// By the bytes of their names.
    Name,
}

impl TurnArgs {
    /// Makes the request that these flags stand for.
    #[must_use]
    pub fn request(&self, workspace: Option<PathBuf>) -> Request {
        Request {
            workspace,
            scenario: self.scenario.clone(),
            message: self.message.clone(),
            channel: self.channel.clone(),
            chat_id: self.chat_id.clone(),
            sender_id: self.sender.clone(),
            session: self.session.clone(),
            now: self.now,
            timezone: self.timezone.clone(),
            local_timezone: self.local_timezone,
            agent: self.agent.clone(),
            encoding: self.encoding,
            skill_order: self.skill_order.map(|order| match order {
                SkillOrder::Directory => FolderOrder::Directory,
                SkillOrder::Name => FolderOrder::Name,
            }),
        }
    }
}

fn section(id: &str) -> Result<SectionId, String> {
    SectionId::from_id(id).ok_or_else(|| {
        let ids = SectionId::ALL.map(SectionId::id);
        format!("there is no section {id:?}; there are {}", ids.join(", "))
    })
}

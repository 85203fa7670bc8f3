//! The command line, as typed.

mod checks;
mod library;

use std::path::PathBuf;

use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use crate::config::encoding_by_name;
use crate::inputs::Request;
use crate::prompt::SectionId;
use crate::scenario::{instant, zone};
use crate::tokens::Encoding;
use crate::workspace::read::FolderOrder;
pub use checks::{CheckArgs, CheckFormat, DiffArgs, FailOn, HistoryArgs, MatrixArgs, ReportFormat};
pub use library::{AssignArgs, CompileArgs, ExportArgs, ExportFormat, ListArgs, LogArgs, ShowArgs};

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
    /// Show keys and passwords on a terminal, where they are masked otherwise
    #[arg(long, global = true)]
    pub show_secrets: bool,
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
    /// List the commits that changed a prompt as it is built, with its tokens
    Log(LogArgs),
    /// Write a configuration for another program, for its evaluations
    Export(ExportArgs),
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
    /// Write what the workbench does to this file, never what files or messages hold
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
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
    /// A variable of the prompts as files, over the settings and the scenario
    #[arg(long = "var", value_name = "NAME=VALUE", value_parser = library::variable)]
    pub vars: Vec<(String, String)>,
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
            variables: self.vars.clone(),
        }
    }
}

fn section(id: &str) -> Result<SectionId, String> {
    SectionId::from_id(id).ok_or_else(|| {
        let ids = SectionId::ALL.map(SectionId::id);
        format!("there is no section {id:?}; there are {}", ids.join(", "))
    })
}

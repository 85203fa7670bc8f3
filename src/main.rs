//! The program: parse, run, exit code.

use std::borrow::Cow;
use std::io::{self, IsTerminal as _, Write as _};
use std::process::ExitCode;

use clap::Parser as _;
use promptscope::cli::{Cli, Command};
use promptscope::commands::render::{self, Output};
use promptscope::commands::{check, compile, completions, diff, history, matrix, prompts, verify};
use promptscope::config::DEFAULT_CONFIG;
use promptscope::display::sanitize::{Symbols, plain};
use promptscope::error::{Error, Kind, Result};
use promptscope::lint::secrets::masked;
use promptscope::machine::Machine;
use promptscope::runtime::workbench;

fn main() -> ExitCode {
    let cli = Cli::parse();
    match run(&cli) {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            report(&error);
            ExitCode::from(error.exit_code())
        }
    }
}

fn run(cli: &Cli) -> Result<u8> {
    let machine = Machine::observe();
    match &cli.command {
        Some(Command::Render(args)) => with_output(cli, |output| {
            render::run(args, &machine, chrono::Utc::now(), output)
        }),
        Some(Command::Check(args)) => with_output(cli, |output| {
            check::run(args, &machine, chrono::Utc::now(), output)
        }),
        Some(Command::Diff(args)) => with_output(cli, |output| {
            diff::run(args, &machine, chrono::Utc::now(), output)
        }),
        Some(Command::History(args)) => with_output(cli, |output| {
            history::run(args, &machine, chrono::Utc::now(), output)
        }),
        Some(Command::Matrix(args)) => with_output(cli, |output| {
            matrix::run(args, &machine, chrono::Utc::now(), output)
        }),
        Some(Command::Compile(args)) => with_output(cli, |output| {
            compile::run(args, &machine, chrono::Utc::now(), output)
        }),
        Some(Command::List(args)) => with_output(cli, |output| {
            prompts::list(args, &machine, chrono::Utc::now(), output)
        }),
        Some(Command::Show(args)) => with_output(cli, |output| {
            prompts::show(args, &machine, chrono::Utc::now(), output)
        }),
        Some(Command::Assign(args)) => {
            with_output(cli, |output| prompts::assign(args, &machine, output))
        }
        Some(Command::Verify(args)) => with_output(cli, |output| {
            verify::run(args, &machine, chrono::Utc::now(), output)
        }),
        Some(Command::Completions { shell }) => {
            with_output(cli, |output| completions::completions(*shell, output))
        }
        Some(Command::Man) => with_output(cli, completions::manual),
        None if cli.open.print_config => {
            let mut out = io::stdout().lock();
            let written = out
                .write_all(DEFAULT_CONFIG.as_bytes())
                .and_then(|()| out.flush());
            written.map(|()| 0).map_err(|error| Error::output(&error))
        }
        None => workbench::open(&cli.open, cli.show_secrets, machine),
    }
}

/// Runs a headless command with the output made safe where it is a terminal, and without keys
/// and passwords unless they are asked for.
fn with_output(cli: &Cli, command: impl FnOnce(&mut Output) -> Result<u8>) -> Result<u8> {
    let is_terminal = io::stdout().is_terminal();
    let mut output = Output {
        out: &mut io::stdout().lock(),
        notes: &mut io::stderr().lock(),
        safe: match (is_terminal, cli.show_secrets) {
            (true, true) => |text| plain(text, Symbols::Unicode),
            (true, false) => |text| match masked(text) {
                Cow::Borrowed(text) => plain(text, Symbols::Unicode),
                Cow::Owned(text) => plain(&text, Symbols::Unicode).into_owned().into(),
            },
            (false, _) => |text| text.into(),
        },
    };
    command(&mut output)
}

/// Says what went wrong and what to do; a reader that went away is nobody to tell.
fn report(error: &Error) {
    if error.kind() == Kind::BrokenPipe {
        return;
    }
    let mut text = format!("promptscope: {error}\n");
    if let Some(hint) = error.hint_text() {
        text.extend(["  hint: ", hint, "\n"]);
    }
    // With nowhere left to write to, the exit code has to do.
    let _ = io::stderr().write_all(plain(&text, Symbols::Unicode).as_bytes());
}

//! The program: parse, run, exit code.

use std::borrow::Cow;
use std::io::{self, IsTerminal as _, Write as _};
use std::process::ExitCode;

use clap::Parser as _;
use promptscope::cli::{Cli, Command};
use promptscope::commands::render::{self, Output};
use promptscope::commands::{
    check, compile, completions, diff, export, history, log, matrix, prompts, verify,
};
use promptscope::config::DEFAULT_CONFIG;
use promptscope::display::sanitize::{Symbols, plain};
use promptscope::error::{Error, Kind, Result};
use promptscope::lint::secrets::masked;
use promptscope::machine::Machine;
use promptscope::runtime::workbench;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(refusal) if refusal.use_stderr() => {
            // What was typed stands in it, and may hold an escape.
            let text = refusal.render().to_string();
            let _ = Safe(io::stderr().lock()).write_all(text.as_bytes());
            return ExitCode::from(2);
        }
        Err(help) => {
            let printed = help.print().and_then(|()| io::stdout().flush());
            return ended(printed.map(|()| 0).map_err(|error| Error::output(&error)));
        }
    };
    ended(run(&cli))
}

/// Gives the exit code, and says what went wrong.
fn ended(result: Result<u8>) -> ExitCode {
    match result {
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
        Some(Command::Log(args)) => with_output(cli, |output| {
            log::run(args, &machine, chrono::Utc::now(), output)
        }),
        Some(Command::Export(args)) => with_output(cli, |output| {
            export::run(args, &machine, chrono::Utc::now(), output)
        }),
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
        notes: &mut Safe(io::stderr().lock()),
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

/// A writer for what is said to people: a name in it never reaches the terminal as an escape.
struct Safe<W>(W);

impl<W: io::Write> io::Write for Safe<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        self.0
            .write_all(plain(&text, Symbols::Unicode).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
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
    let _ = Safe(io::stderr().lock()).write_all(text.as_bytes());
}

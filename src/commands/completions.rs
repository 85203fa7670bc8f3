//! `promptscope completions` and `promptscope man`: what a shell and `man` want to know.

use clap::CommandFactory as _;
use clap_complete::Shell;

use super::render::Output;
use crate::cli::Cli;
use crate::error::{Error, Result};

/// Prints the completions of a shell.
pub fn completions(shell: Shell, output: &mut Output) -> Result<u8> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "promptscope", &mut script);
    print(&script, output)
}

/// Prints the manual page of the program, with one of each command after it.
pub fn manual(output: &mut Output) -> Result<u8> {
    let mut page = Vec::new();
    let mut command = Cli::command();
    // Building gives each command the name that its own page goes by: promptscope-render.
    command.build();
    let render = |command: clap::Command, page: &mut Vec<u8>| {
        clap_mangen::Man::new(command)
            .render(page)
            .map_err(|error| Error::output(&error))
    };
    render(command.clone(), &mut page)?;
    for below in command
        .get_subcommands()
        .filter(|it| it.get_name() != "help")
    {
        render(below.clone(), &mut page)?;
    }
    print(&page, output)
}

fn print(bytes: &[u8], output: &mut Output) -> Result<u8> {
    let written = output
        .out
        .write_all(bytes)
        .and_then(|()| output.out.flush());
    written.map(|()| 0).map_err(|error| Error::output(&error))
}

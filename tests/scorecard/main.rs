//! The scorecard of reliability: one line for each row, with the figure that was reached.
//!
//! - Plain `cargo test` runs the rows that are marked brief (quiet, exits, hang-ups) at small counts.
//! - `PROMPTSCOPE_SCORECARD=tenth cargo test --test scorecard` runs every row at about a tenth of its
//!   counts, or less where that takes too long; `full` runs all of it.
//! - `cargo test --test scorecard -- S9 S10` runs these rows, at a tenth where the variable says nothing.
//!
//! Times are held to the target in full, and to four times of it otherwise: a debug build beside other
//! builds is no measurement, but a thing that hangs is still found.
//!
//! A row is one entry of a table in the file of its group; a new group is one line in [`rows`].

#[cfg(test)]
mod exits;
#[cfg(test)]
mod outside;
#[cfg(test)]
mod process;
#[cfg(test)]
mod row;
#[cfg(test)]
mod saves;
#[cfg(test)]
#[path = "../pty/session.rs"]
#[expect(dead_code, reason = "the tests of the terminal use the rest")]
mod session;
#[cfg(test)]
mod size;
#[cfg(test)]
mod suites;
#[cfg(test)]
mod watching;

use std::io::{self, Write as _};
use std::panic;
use std::process::ExitCode;
use std::time::Instant;

use row::{Outcome, Row, Scale};

/// Lists every row, in the order of the scorecard.
fn rows() -> Vec<Row> {
    let groups = [
        exits::rows(),
        watching::rows(),
        outside::rows(),
        size::rows(),
        suites::rows(),
    ];
    let mut rows: Vec<Row> = groups.into_iter().flatten().collect();
    rows.sort_by_key(|row| number(row.id));
    rows
}

fn number(id: &str) -> u32 {
    id.trim_start_matches('S').parse().unwrap_or(u32::MAX)
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let names: Vec<&String> = arguments.iter().filter(|it| !it.starts_with('-')).collect();
    if arguments.iter().any(|it| it == "--list") {
        return ExitCode::SUCCESS;
    }
    let asked = std::env::var("PROMPTSCOPE_SCORECARD").unwrap_or_default();
    let scale = match asked.as_str() {
        "full" => Scale::Full,
        "" if names.is_empty() => Scale::Brief,
        "" | "tenth" => Scale::Tenth,
        other => {
            say(&format!(
                "PROMPTSCOPE_SCORECARD is tenth or full, not {other}"
            ));
            return ExitCode::FAILURE;
        }
    };
    // A row tells its own panics; those of its threads would stand between the lines.
    panic::set_hook(Box::new(|_| {}));
    let is_wanted = |row: &Row| {
        names.iter().any(|name| name.as_str() == row.id)
            || (names.is_empty() && (scale != Scale::Brief || row.is_brief))
    };
    let mut is_well = true;
    for row in rows().into_iter().filter(is_wanted) {
        is_well &= show(&row, scale);
    }
    if is_well {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Runs a row and prints its line; tells whether it holds.
fn show(row: &Row, scale: Scale) -> bool {
    let started = Instant::now();
    let mut outcome = Outcome::new("it broke off", vec![]);
    let faults = row::tried(row.id, || outcome = (row.run)(scale));
    outcome.faults.extend(faults);
    let holds = outcome.faults.is_empty();
    say(&format!(
        "{:<4} {} | target: {} | {} | {} ({:.0} s)",
        row.id,
        row.measure,
        row.target,
        outcome.figure,
        if holds { "ok" } else { "SHORT" },
        started.elapsed().as_secs_f64(),
    ));
    for fault in outcome.faults.iter().take(20) {
        say(&format!("       {}", fault.replace('\n', "\n       ")));
    }
    holds
}

fn say(line: &str) {
    // A reader that went away is nobody to tell.
    let _ = writeln!(io::stdout(), "{line}");
}

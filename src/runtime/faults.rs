//! Faults that a test asks a debug build for, to see what becomes of the terminal.
//!
//! `PROMPTSCOPE_FAULT` names a file; while that holds `panic draw`, say, the next frame panics. A
//! release build has none of this.

use std::io;
use std::thread;
use std::time::Duration;
use std::{env, fs, process};

/// Strikes where a fault is asked for at this place: a panic, the end of the process, or an error.
pub(super) fn at(place: &str) -> io::Result<()> {
    if !cfg!(debug_assertions) {
        return Ok(());
    }
    let asked = env::var_os("PROMPTSCOPE_FAULT").and_then(|file| fs::read_to_string(file).ok());
    let asked = asked.unwrap_or_default();
    match asked.trim().split_once(' ') {
        Some(("panic", wanted)) if wanted == place => panic!("a panic was asked for at {place}"),
        Some(("abort", wanted)) if wanted == place => process::abort(),
        Some((_, wanted)) if wanted == place => Err(io::Error::other("an error was asked for")),
        _ => Ok(()),
    }
}

/// Starts a thread that waits for the fault of a worker.
pub(super) fn watch() {
    if !cfg!(debug_assertions) || env::var_os("PROMPTSCOPE_FAULT").is_none() {
        return;
    }
    thread::spawn(|| {
        while at("worker").is_ok() {
            thread::sleep(Duration::from_millis(10));
        }
    });
}

//! The headless commands, over the same assembly that the screen shows.

pub mod check;
pub mod compile;
pub mod completions;
pub mod diff;
pub mod export;
mod files;
pub mod history;
pub mod log;
pub mod matrix;
pub mod prompts;
pub mod render;
pub mod report;
pub mod verify;

//! The binary without a terminal: what it prints, what it refuses, and what it leaves alone.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test fails by a panic, its helpers too"
)]

#[path = "headless/support.rs"]
mod support;

#[path = "headless/agents.rs"]
mod agents;
#[path = "headless/bad_input.rs"]
mod bad_input;
#[path = "headless/broken_files.rs"]
mod broken_files;
#[path = "headless/check.rs"]
mod check;
#[path = "headless/compile.rs"]
mod compile;
#[path = "headless/completions.rs"]
mod completions;
#[path = "headless/example.rs"]
mod example;
#[path = "headless/library_rules.rs"]
mod library_rules;
#[path = "headless/output.rs"]
mod output;
#[path = "headless/pipelines.rs"]
mod pipelines;
#[path = "headless/provenance.rs"]
mod provenance;
#[path = "headless/reports.rs"]
mod reports;
#[path = "headless/settings.rs"]
mod settings;
#[path = "headless/special_files.rs"]
mod special_files;
#[path = "headless/untouched.rs"]
mod untouched;
#[path = "headless/verify.rs"]
mod verify;
#[path = "headless/versions.rs"]
mod versions;

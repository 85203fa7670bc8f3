//! promptscope shows what a nanobot agent will send to its model, and what that costs.
//!
//! The modules form layers, and each uses only those to its left:
//!
//! `error, tokens, python ← workspace ← revision, library ← prompt ← budget ← lint ← insight, scenario, config ← inputs ← display ← app ← ui ← runtime ← main`
//!
//! [`commands`] holds the headless commands and sees the core alone. Through [`app`] nothing is
//! asynchronous, and nothing touches the disk but `workspace::read` and, for git's objects, [`revision`]:
//! clock, environment and machine come in as values. A test reads the `use` lines and fails on an arrow that goes the other way.

pub mod app;
pub mod budget;
pub mod cli;
pub mod commands;
pub mod config;
pub mod display;
pub mod error;
pub mod inputs;
pub mod insight;
pub mod library;
pub mod lint;
pub mod machine;
pub mod prompt;
pub mod python;
pub mod revision;
pub mod runtime;
pub mod scenario;
pub mod tokens;
pub mod ui;
pub mod workspace;

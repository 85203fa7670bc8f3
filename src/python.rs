//! Python's rules where they differ from Rust's, in one place.
//!
//! The agent is a Python program. What it shows to a model depends on how Python strips blanks,
//! splits lines, reads numbers, JSON and YAML, and writes values as text. Every other module asks
//! here instead of using the look-alike from Rust's standard library.

pub mod isoformat;
pub mod json;
pub mod number;
pub mod surrogate;
pub mod text;
pub mod value;
pub mod yaml;

pub use value::{Dict, Value};

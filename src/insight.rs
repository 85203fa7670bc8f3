//! What the numbers mean: where a prompt cache would miss, and what would save most.

pub mod advice;
pub mod cache;

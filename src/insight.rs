//! What the numbers mean: where a prompt cache would miss, what would save most, and what becomes of the
//! history.

pub mod advice;
pub mod audit;
pub mod cache;

//! Text made fit for a screen: safe, wrapped and highlighted, as values without colours.

pub mod highlight;
pub mod line_diff;
pub mod rendered;
pub mod sanitize;
mod spell;
pub mod wrap;

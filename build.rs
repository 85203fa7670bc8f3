//! Makes the tables that the token counter is compiled with.
//!
//! Vocabularies come from tiktoken-rs and code point classes from the regex engine it splits text
//! with, so that the counter can be no other than theirs.

use std::error::Error;
use std::path::PathBuf;
use std::{env, fs};

use tiktoken_rs::CoreBPE;

#[path = "src/tokens/table/making/classes.rs"]
mod classes;
#[path = "src/tokens/table/layout.rs"]
mod layout;
#[path = "src/tokens/table/making/perfect.rs"]
mod perfect;

/// Ranks are looked for below this number: above every rank, and within the bytes that a rank gets.
const RANKS: u32 = 1 << 18;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=src/tokens/table/making");
    println!("cargo:rerun-if-changed=src/tokens/table/layout.rs");
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR")?);
    fs::write(out.join("classes.bin"), classes::table()?)?;
    for (name, bpe) in [
        ("cl100k_base.bin", tiktoken_rs::cl100k_base()?),
        ("o200k_base.bin", tiktoken_rs::o200k_base()?),
        // That of `r50k_base` is the same with fewer tokens at its end.
        ("p50k_base.bin", tiktoken_rs::p50k_base()?),
    ] {
        fs::write(out.join(name), perfect::table(&tokens(&bpe))?)?;
    }
    Ok(())
}

/// Lists the ordinary tokens of a vocabulary and their ranks.
fn tokens(bpe: &CoreBPE) -> Vec<(Vec<u8>, u32)> {
    let special = bpe.special_tokens();
    (0..RANKS)
        .filter_map(|rank| Some((bpe.decode_bytes(&[rank]).ok()?, rank)))
        .filter(|(token, _)| !str::from_utf8(token).is_ok_and(|token| special.contains(token)))
        .collect()
}

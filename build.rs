//! Makes the tables that the token counter is compiled with, and tells the linker how to save room.
//!
//! Vocabularies come from tiktoken-rs and code point classes from the regex engine it splits text
//! with, so that the counter can be no other than theirs.

use std::error::Error;
use std::path::PathBuf;
use std::process::Command;
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
    if packs_relocations().unwrap_or(false) {
        println!("cargo:rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
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

/// Tells whether addresses that are set when the program starts may be listed in the packed form, which takes a
/// megabyte less: the C library that it is built for, that of this machine, has to read it.
fn packs_relocations() -> Option<bool> {
    const SINCE: (u32, u32) = (2, 36);
    if env::var("TARGET").ok()? != env::var("HOST").ok()? {
        return None;
    }
    if env::var("CARGO_CFG_TARGET_ENV").ok()? != "gnu" {
        return None;
    }
    let library = Command::new("getconf").arg("GNU_LIBC_VERSION").output();
    let library = String::from_utf8(library.ok()?.stdout).ok()?;
    let (major, minor) = library.trim().strip_prefix("glibc ")?.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?) >= SINCE)
}

/// Lists the ordinary tokens of a vocabulary and their ranks.
fn tokens(bpe: &CoreBPE) -> Vec<(Vec<u8>, u32)> {
    let special = bpe.special_tokens();
    (0..RANKS)
        .filter_map(|rank| Some((bpe.decode_bytes(&[rank]).ok()?, rank)))
        .filter(|(token, _)| !str::from_utf8(token).is_ok_and(|token| special.contains(token)))
        .collect()
}

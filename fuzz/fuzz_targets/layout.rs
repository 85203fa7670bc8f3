#![no_main]

#[path = "../../tests/fuzz/mod.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|data: &[u8]| targets::layout(data));

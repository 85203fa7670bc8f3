//! The texts and folders that are measured on.

use std::fs;
use std::path::Path;

pub const KILOBYTE: usize = 1 << 10;
pub const MEGABYTE: usize = 1 << 20;

pub const ENGLISH: &str =
    "- {}: Mr Ong's tandem got *two* new brake pads and a rear wheel for RM 148.\n";
pub const CHINESE: &str = "- {}：王先生的双人自行车换了**两副**刹车片和一个后轮，一共 148 令吉。\n";
pub const CODE: &str =
    "    let price_{} = parts.iter().map(|part| part.price * 2).sum::<u32>(); // RM\n";

/// Repeats a line up to a size, each time with another number.
pub fn text_of(line: &str, size: usize) -> String {
    let mut text = String::new();
    for number in 0.. {
        if text.len() >= size {
            break;
        }
        text.push_str(&line.replace("{}", &number.to_string()));
    }
    text
}

/// Cuts a text at the line end before its middle.
pub fn halves(text: &str) -> (&str, &str) {
    let middle = text[..text.len() / 2].rfind('\n').unwrap() + 1;
    text.split_at(middle)
}

/// Copies a folder with all that is below it.
pub fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

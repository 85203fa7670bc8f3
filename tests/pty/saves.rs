//! Every way of saving reaches the screen without a key.

use std::fs::{self, File};
use std::io::Write as _;

use crate::session::{Session, Start, save_by_rename};

const FILE: &str = "AGENTS.md";

fn on_bootstrap_files() -> Session {
    let mut session = Start::at(80, 24).ready();
    session.send("2");
    session.wait_for_text("## AGENTS.md");
    session
}

#[test]
fn two_rename_saves_with_one_size_and_one_time_both_show() {
    let session = on_bootstrap_files();
    let path = session.path(FILE);
    let text = fs::read_to_string(&path).unwrap();
    save_by_rename(&path, format!("{text}The first save\n"));
    session.wait_for_text("The first save");

    let saved = fs::metadata(&path).unwrap();
    let beside = path.with_extension("tmp~");
    fs::write(&beside, format!("{text}The second one\n")).unwrap();
    let file = File::options().write(true).open(&beside).unwrap();
    file.set_modified(saved.modified().unwrap()).unwrap();
    fs::rename(beside, &path).unwrap();
    session.wait_for_text("The second one");
    assert_eq!(fs::metadata(&path).unwrap().len(), saved.len());
}

#[test]
fn writes_in_place_show() {
    let session = on_bootstrap_files();
    let path = session.path(FILE);
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, format!("{text}Truncated and written.\n")).unwrap();
    session.wait_for_text("Truncated and written.");

    let mut file = File::options().append(true).open(&path).unwrap();
    file.write_all(b"Appended.\n").unwrap();
    session.wait_for_text("Appended.");
    file.write_all(b"Appended with the file still open.\n")
        .unwrap();
    session.wait_for_text("Appended with the file still open.");
}

#[test]
fn a_file_that_is_deleted_and_made_anew_shows() {
    let session = on_bootstrap_files();
    let path = session.path(FILE);
    let text = fs::read_to_string(&path).unwrap();
    fs::remove_file(&path).unwrap();
    fs::write(&path, format!("{text}Made anew at once.\n")).unwrap();
    session.wait_for_text("Made anew at once.");

    fs::remove_file(&path).unwrap();
    session.wait_for("its end", |screen| {
        !screen.contents().contains("Made anew at once.")
    });
    fs::write(&path, "Made anew later.\n").unwrap();
    session.wait_for_text("Made anew later.");
}

#[test]
fn a_folder_that_is_made_anew_is_not_deaf() {
    let mut session = Start::at(80, 24).ready();
    session.send("6");
    session.wait_for_text("stock-count");
    let skill = |description| format!("---\ndescription: {description}\n---\nDo it.\n");
    let folder = session.path("skills/bell-tuning");
    for description in ["Tune a bell.", "Tune two bells."] {
        fs::remove_dir_all(session.path("skills")).unwrap();
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("SKILL.md"), skill(description)).unwrap();
        session.wait_for_text(description);
    }
    save_by_rename(&folder.join("SKILL.md"), skill("Tune every bell."));
    session.wait_for_text("Tune every bell.");
}

#[test]
fn a_save_in_each_watched_folder_shows() {
    let mut session = Start::at(80, 24).ready();
    session.send("4");
    session.wait_for_text("Long-term Memory");
    save_by_rename(&session.path("memory/MEMORY.md"), "The tandem is ready.\n");
    session.wait_for_text("The tandem is ready.");

    session.send("7");
    session.wait_for_text("Recent History");
    let entry = r#"{"cursor": 9999, "timestamp": "2026-06-19 09:00", "session_key": "telegram:12345", "content": "Mei Ling came in."}"#;
    let mut history = File::options()
        .append(true)
        .open(session.path("memory/history.jsonl"))
        .unwrap();
    writeln!(history, "{entry}").unwrap();
    session.wait_for_text("Mei Ling came in.");
}

#[test]
fn a_save_of_a_fragment_shows_in_what_includes_it() {
    let mut session = Start::at(120, 40).ready();
    session.send("p");
    session.wait_for_text("Compiled");
    let path = session.path("prompts/components/rules.md");
    let text = fs::read_to_string(&path).unwrap();
    save_by_rename(&path, text.replace("A job above", "Any job above"));
    session.wait_for_text("Any job above RM 150");
    session.wait_for_text("out of date");
    // A folder that comes later is watched as well.
    let folder = session.path("prompts/later");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("new.md"), "New.\n").unwrap();
    session.wait_for_text("later/");
    fs::write(folder.join("second.md"), "Second.\n").unwrap();
    session.wait_for_text("second");
}

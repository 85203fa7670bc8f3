//! The editor, the clipboard, the terminal's background and the plain line mode, in a real terminal.

use std::fs;
use std::path::PathBuf;

use crate::session::{NOW, Start, is_settled, text};

/// Writes an editor that is a shell script; gives the command that runs it.
fn editor(start: &Start, script: &str) -> String {
    let folder = start.workspace().parent().unwrap().join("my editors");
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join("vim");
    fs::write(&file, format!("#!/bin/sh\n{script}")).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    }
    format!("'{}' -u \"my rc\"", file.display())
}

#[test]
fn the_editor_gets_the_terminal_the_file_and_the_line_and_gives_it_back() {
    let start = Start::at(100, 30);
    let command = editor(
        &start,
        r#"printf '%s\n' "$@" >"$HOME/arguments"
echo EDITING
read answer
echo "$answer" >>"$4"
"#,
    );
    let mut session = start.with(&NOW).env("EDITOR", &command).ready();
    session.send("2/Uncle Beng\r");
    session.wait_for_text("1 of ");
    session.send("e");
    session.wait_for_text("EDITING");
    session.wait_for("the plain screen", |screen| !screen.alternate_screen());
    // The keys are the editor's, and in no way ours: q would quit.
    session.send("q and a new rule\n");
    session.wait_for("the screen again", vt100::Screen::alternate_screen);
    session.wait_for("the counts", is_settled);
    let arguments = fs::read_to_string(session.home.path().join("arguments")).unwrap();
    let user = session.path("USER.md");
    // The script is called as the program itself, so its words begin with those of the command.
    let wanted = format!("-u\nmy rc\n+8\n{}\n", user.display());
    assert_eq!(arguments, wanted);
    session.send("G");
    session.wait_for_text("q and a new rule");
    session.send("q");
    session.ends_with(0);
}

#[test]
fn an_editor_that_breaks_off_leaves_the_terminal_usable_and_quitting_sets_it_right() {
    let start = Start::at(100, 30);
    let command = editor(
        &start,
        r"stty raw -echo
printf '\033[?1003h\033[?1h\033=\033[?1049h\033[31mtorn'
kill -9 $$
",
    );
    let mut session = start.env("VISUAL", &command).ready();
    session.send("me typed");
    session.wait_for_text("e typed");
    session.send("\x1b");
    session.wait_for_text("Enter open");
    session.send("2e");
    session.wait_for_text("was ended by a signal");
    session.wait_for_text("How you work");
    session.send("m");
    // What was typed before is still there, and typing works.
    session.send(" more");
    session.wait_for_text("e typed more");
    session.send("\x03");
    session.ends_with(0);
}

#[test]
fn an_editor_that_is_not_there_is_named() {
    let mut session = Start::at(100, 30).env("EDITOR", "no-such-editor").ready();
    session.send("2e");
    session.wait_for_text("The editor no-such-editor cannot be run");
    session.send("q");
    session.ends_with(0);
}

#[test]
fn a_termination_while_the_editor_is_open_ends_the_program() {
    let start = Start::at(100, 30);
    let command = editor(&start, "echo EDITING\nread answer\n");
    let mut session = start.env("EDITOR", &command).ready();
    session.send("2e");
    session.wait_for_text("EDITING");
    session.signal("TERM");
    assert_eq!(session.wait_exit(), 143);
    session.gave_modes_back();
}

#[test]
fn a_copy_goes_through_the_terminal_to_the_byte() {
    use base64::Engine as _;
    let mut session = Start::at(100, 30).with(&NOW).ready();
    session.send("4y");
    session.wait_for_text("Sent Memory to the terminal's clipboard");
    let raw = String::from_utf8_lossy(&session.raw()).into_owned();
    let (_, after) = raw.split_once("\x1b]52;c;").unwrap();
    let (base64, _) = after.split_once('\x07').unwrap();
    let bytes = base64::engine::general_purpose::STANDARD
        .decode(base64)
        .unwrap();
    let sent = String::from_utf8(bytes).unwrap();
    let file = fs::read_to_string(session.path("memory/MEMORY.md")).unwrap();
    assert!(sent.contains(file.trim()), "{sent}");
    session.send("q");
    session.ends_with(0);
}

#[test]
fn a_long_copy_goes_into_a_private_file() {
    let start = Start::at(160, 30);
    let long = "A long line of a long rule.\n".repeat(4000);
    fs::write(start.workspace().join("USER.md"), &long).unwrap();
    let mut session = start.ready();
    session.send("2y");
    session.wait_for_text("it is too long for a terminal");
    let file = session.home.path().join(".cache/promptscope/copied.txt");
    assert!(fs::read_to_string(file).unwrap().contains(&long));
    session.send("q");
    session.ends_with(0);
}

#[test]
fn the_theme_suits_the_background_that_the_terminal_tells() {
    let mut session = Start::at(100, 30).open();
    session.wait_for("a frame", |screen| text(screen).contains("promptscope"));
    // The answer of a light terminal arrives among the keys.
    session.send("\x1b]11;rgb:ffff/ffff/f0f0\x1b\\?");
    session.wait_for_text("Overview and section");
    let asked = String::from_utf8_lossy(&session.raw()).contains("\x1b]11;?\x1b\\");
    assert!(asked);
    session.send("\x1b");
    session.wait_for("the counts", is_settled);
    session.send("t");
    // The next after light.
    session.wait_for_text("Theme: high-contrast");
    session.send("q");
    session.ends_with(0);
}

#[test]
fn a_theme_is_shown_anew_while_its_file_is_edited() {
    let start = Start::at(100, 30);
    let folder = start
        .workspace()
        .parent()
        .unwrap()
        .join(".config/promptscope/themes");
    fs::create_dir_all(&folder).unwrap();
    let file: PathBuf = folder.join("mine.toml");
    let theme = |color: &str| format!("name = \"mine\"\n[styles]\ntitle = \"{color}\"\n");
    fs::write(&file, theme("#112233")).unwrap();
    let arguments = ["--theme", "mine", "--color", "true"];
    let mut session = start.with(&arguments).ready();
    let title = |color| {
        move |screen: &vt100::Screen| {
            screen
                .cell(0, 1)
                .is_some_and(|cell| cell.fgcolor() == color)
        }
    };
    session.wait_for(
        "the first colour",
        title(vt100::Color::Rgb(0x11, 0x22, 0x33)),
    );
    fs::write(&file, theme("#445566")).unwrap();
    session.wait_for(
        "the second colour",
        title(vt100::Color::Rgb(0x44, 0x55, 0x66)),
    );
    fs::write(&file, "name = \"mine\"\n[styles]\ntitel = \"red\"\n").unwrap();
    session.wait_for_text("titel");
    session.wait_for(
        "the second colour",
        title(vt100::Color::Rgb(0x44, 0x55, 0x66)),
    );
    session.send("q");
    session.ends_with(0);
}

#[test]
fn without_colour_no_colour_is_sent() {
    let mut session = Start::at(100, 30).with(&["--color", "none"]).ready();
    session.send("2t");
    session.wait_for_text("Theme:");
    session.send("q");
    session.ends_with(0);
    let raw = String::from_utf8_lossy(&session.raw()).into_owned();
    for color in ["\x1b[38;", "\x1b[48;", "\x1b[31m", "\x1b[34m"] {
        assert!(!raw.contains(color), "{color:?}");
    }
}

#[test]
fn plain_lines_tell_each_change_and_take_no_terminal() {
    let mut session = Start::at(160, 50).with(&NOW).with(&["--plain"]).open();
    session.wait_for_text("prompt 2,");
    session.wait_for_text("Recent History: ");
    let file = session.path("SOUL.md");
    fs::write(&file, "# Short\n").unwrap();
    session.wait_for_text("Bootstrap Files −");
    fs::write(session.path("AGENTS.md"), b"\xff").unwrap();
    session.wait_for_text("the agent would fail with UnicodeDecodeError");
    let raw = session.raw();
    assert!(!raw.contains(&0x1b), "{}", String::from_utf8_lossy(&raw));
    session.signal("TERM");
    assert_eq!(session.wait_exit(), 143);
}

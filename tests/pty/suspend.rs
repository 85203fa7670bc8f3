//! Ctrl-Z and back, in a shell with job control.

use crate::session::{Start, text};

/// A shell that reads commands without modes of its own.
const SHELL: &str = r#"
export PS1="READY> "
bash --norc --noprofile --noediting -i
"#;

fn is_in_shell(screen: &vt100::Screen) -> bool {
    !screen.alternate_screen() && text(screen).trim_end().ends_with("READY>")
}

#[test]
fn ctrl_z_stops_it_and_fg_brings_it_back() {
    let program = env!("CARGO_BIN_EXE_promptscope");
    let mut session = Start::at(80, 24).script(SHELL).open();
    session.wait_for_text("READY>");
    let command = r#"sh -c 'echo $$ >pid; exec "$@"' sh"#;
    session.send(&format!("{command} {program} workspace\n"));
    session.wait_for_text("8 Session Summary");
    for key in ["\x1a", ""] {
        if key.is_empty() {
            session.signal("TSTP");
        } else {
            session.send(key);
        }
        session.wait_for("the shell", is_in_shell);
        session.gave_modes_back();
        assert!(session.text().contains("Stopped"));
        session.send("clear; fg\n");
        session.wait_for("the whole screen again", |screen| {
            let shown = text(screen);
            screen.alternate_screen() && screen.bracketed_paste() && shown.contains("8 Session")
        });
    }
    session.send("2");
    session.wait_for_text("How you work");
    session.send("q");
    session.wait_for("the shell", is_in_shell);
    session.send("echo status=$?.\n");
    session.wait_for_text("status=0.");
    session.send("exit\n");
    assert_eq!(session.wait_exit(), 0);
}

//! What a shell and `man` are told.

use crate::support::World;

#[test]
fn every_shell_is_told_the_commands_and_the_flags() {
    let world = World::empty();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let run = world.run(&["completions", shell]);
        assert_eq!(run.code, Some(0), "{shell}: {}", run.err);
        for word in ["render", "verify", "scenario", "skill-order"] {
            assert!(run.out.contains(word), "{shell} is not told of {word}");
        }
    }
    let run = world.run(&["completions", "tcsh"]);
    assert_eq!(run.code, Some(2), "{}", run.out);
}

#[test]
fn the_manual_has_a_page_for_each_command() {
    let run = World::empty().run(&["man"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    for page in ["promptscope", "promptscope-render", "promptscope-verify"] {
        assert!(run.out.contains(&format!(".TH {page} 1")), "{page}");
    }
    assert!(run.out.contains("skill\\-order"), "{}", run.out);
}

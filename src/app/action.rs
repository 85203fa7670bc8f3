//! What a key does.

use crate::prompt::SectionId;

/// What a key does; a key becomes one of these once, by the keymap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    /// Open a section, whole.
    OpenSection(SectionId),
    /// Go into what is in focus, or take what is chosen.
    Enter,
    /// Go back.
    Back,
    /// Write a message.
    Message,
    /// Show the keys.
    Help,
    /// Find an action by its words.
    Palette,
    /// Show what is declared about the host.
    Host,
    /// Choose the session that is replayed.
    Sessions,
    /// Choose, save, rename or delete a scenario.
    Scenarios,
    /// Show what the rules find.
    Findings,
    /// Show what becomes of every line of the history.
    History,
    /// Show where a prompt cache would miss, and what would save most.
    Insight,
    /// Show the prompts as files.
    Library,
    /// Show the prompt as it would be compiled now, or as it is.
    Compiled,
    /// Fold what is included, or unfold it.
    Fold,
    /// The next variant of an experiment.
    NextVariant,
    /// Take back an edited value.
    ResetValue,
    /// Show where in its section something stands.
    Show,
    /// Switch parts of the prompt off and on to see what that saves.
    WhatIf,
    /// Switch everything on again.
    ResetWhatIf,
    /// Switch what is chosen off or on.
    Toggle,
    /// Do the second thing with what is chosen.
    ToggleAlways,
    /// Save the present turn as a scenario.
    Save,
    /// Give what is chosen another name.
    Rename,
    /// Remove what is chosen.
    Delete,
    /// Open the editor at the file and line under the cursor.
    Edit,
    /// Copy the section, its marked lines, or the message.
    Copy,
    /// Copy the whole system prompt.
    CopyPrompt,
    /// Show keys and passwords, or mask them.
    ShowSecrets,
    /// Show the next theme.
    Theme,
    /// End the program.
    Quit,
    /// The next section or field.
    Next,
    /// The previous section or field.
    Previous,
    /// One up.
    Up,
    /// One down.
    Down,
    /// One to the left.
    Left,
    /// One to the right.
    Right,
    /// A page up.
    PageUp,
    /// A page down.
    PageDown,
    /// To the top.
    Top,
    /// To the bottom.
    Bottom,
    /// To the lines that the last save changed.
    Changed,
    /// Search the text.
    Search,
    /// The next match.
    NextMatch,
    /// The previous match.
    PreviousMatch,
    /// The next heading.
    NextHeading,
    /// The previous heading.
    PreviousHeading,
    /// Mark lines, to count or copy them.
    Mark,
    /// Show the text as it is sent, or without its marks.
    Rendered,
    /// Show what differs from before the last save, then from git, then nothing.
    Diff,
    /// The next known value of a field.
    CycleNext,
    /// The previous known value of a field.
    CyclePrevious,
    /// Draw everything anew.
    Redraw,
    /// Stop the program as any other in a shell.
    Suspend,
}

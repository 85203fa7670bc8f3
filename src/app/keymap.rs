//! Which key does what: one table, read by the program and printed as the help.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::prompt::SectionId;

/// What a key does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Open a section, whole.
    OpenSection(SectionId),
    /// Go into what is in focus.
    Enter,
    /// Go back.
    Back,
    /// Write a message.
    Message,
    /// Show the keys.
    Help,
    /// Show what is declared about the host.
    Host,
    /// Choose the session that is replayed.
    Sessions,
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
    /// The next known value of a field.
    CycleNext,
    /// The previous known value of a field.
    CyclePrevious,
    /// Draw everything anew.
    Redraw,
    /// Stop the program as any other in a shell.
    Suspend,
}

/// Where a binding holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Context {
    /// Everywhere.
    Anywhere,
    /// On the overview and in a section: where keys are not typed text.
    Reading,
    /// On the overview.
    Overview,
    /// In a section.
    Section,
    /// In the message composer.
    Message,
    /// While the help or the host is shown.
    Help,
    /// While a session is chosen.
    Sessions,
}

impl Context {
    /// Gives the heading in the help.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Anywhere => "Everywhere",
            Self::Reading => "Overview and section",
            Self::Overview => "Overview",
            Self::Section => "Section",
            Self::Message => "Message",
            Self::Help => "Help and host",
            Self::Sessions => "Sessions",
        }
    }
}

/// One line of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Binding {
    /// Where it holds.
    pub context: Context,
    /// The key.
    pub code: KeyCode,
    /// What is held down with it.
    pub modifiers: KeyModifiers,
    /// What it does.
    pub action: Action,
    /// What the help says; empty for a second key of the line above.
    pub help: &'static str,
}

const fn key(context: Context, code: KeyCode, action: Action, help: &'static str) -> Binding {
    Binding {
        context,
        code,
        modifiers: KeyModifiers::NONE,
        action,
        help,
    }
}

const fn ctrl(context: Context, letter: char, action: Action, help: &'static str) -> Binding {
    Binding {
        context,
        code: KeyCode::Char(letter),
        modifiers: KeyModifiers::CONTROL,
        action,
        help,
    }
}

use Action as A;
use Context as C;
use KeyCode as K;

/// The table. Of two lines for one key the first that holds is taken.
pub const KEYMAP: &[Binding] = &[
    ctrl(C::Anywhere, 'c', A::Quit, "quit"),
    ctrl(
        C::Anywhere,
        'z',
        A::Suspend,
        "stop; `fg` in the shell goes on",
    ),
    ctrl(C::Anywhere, 'l', A::Redraw, "draw the screen anew"),
    key(C::Help, K::Esc, A::Back, "close"),
    key(C::Help, K::Char('?'), A::Back, ""),
    key(C::Help, K::Char('q'), A::Back, ""),
    key(C::Help, K::Enter, A::Back, ""),
    key(C::Help, K::Down, A::Down, "scroll"),
    key(C::Help, K::Char('j'), A::Down, ""),
    key(C::Help, K::Up, A::Up, ""),
    key(C::Help, K::Char('k'), A::Up, ""),
    key(C::Help, K::PageDown, A::PageDown, ""),
    key(C::Help, K::Char(' '), A::PageDown, ""),
    key(C::Help, K::PageUp, A::PageUp, ""),
    key(C::Help, K::Char('H'), A::Back, ""),
    key(C::Sessions, K::Enter, A::Enter, "replay the session"),
    key(C::Sessions, K::Esc, A::Back, "leave it as it is"),
    key(C::Sessions, K::Char('q'), A::Back, ""),
    key(C::Sessions, K::Down, A::Down, "choose"),
    key(C::Sessions, K::Char('j'), A::Down, ""),
    key(C::Sessions, K::Up, A::Up, ""),
    key(C::Sessions, K::Char('k'), A::Up, ""),
    key(C::Sessions, K::PageDown, A::PageDown, ""),
    key(C::Sessions, K::PageUp, A::PageUp, ""),
    key(
        C::Reading,
        K::Char('1'),
        A::OpenSection(SectionId::Identity),
        "open a section",
    ),
    key(
        C::Reading,
        K::Char('2'),
        A::OpenSection(SectionId::BootstrapFiles),
        "",
    ),
    key(
        C::Reading,
        K::Char('3'),
        A::OpenSection(SectionId::ToolContract),
        "",
    ),
    key(
        C::Reading,
        K::Char('4'),
        A::OpenSection(SectionId::Memory),
        "",
    ),
    key(
        C::Reading,
        K::Char('5'),
        A::OpenSection(SectionId::AlwaysSkills),
        "",
    ),
    key(
        C::Reading,
        K::Char('6'),
        A::OpenSection(SectionId::SkillsSummary),
        "",
    ),
    key(
        C::Reading,
        K::Char('7'),
        A::OpenSection(SectionId::RecentHistory),
        "",
    ),
    key(
        C::Reading,
        K::Char('8'),
        A::OpenSection(SectionId::SessionSummary),
        "",
    ),
    key(C::Reading, K::Tab, A::Next, "next section"),
    key(C::Reading, K::BackTab, A::Previous, "previous section"),
    key(C::Reading, K::Char('m'), A::Message, "write a test message"),
    key(
        C::Reading,
        K::Char('s'),
        A::Sessions,
        "choose the session that is replayed",
    ),
    key(
        C::Reading,
        K::Char('H'),
        A::Host,
        "the declared host against this machine",
    ),
    key(C::Reading, K::Char('t'), A::Theme, "next theme"),
    key(C::Reading, K::Char('?'), A::Help, "show the keys"),
    key(C::Reading, K::Char('q'), A::Quit, "quit"),
    key(C::Overview, K::Enter, A::Enter, "open the section in focus"),
    key(C::Overview, K::Left, A::Left, "move the focus"),
    key(C::Overview, K::Down, A::Down, ""),
    key(C::Overview, K::Up, A::Up, ""),
    key(C::Overview, K::Right, A::Right, ""),
    key(C::Overview, K::Char('h'), A::Left, ""),
    key(C::Overview, K::Char('j'), A::Down, ""),
    key(C::Overview, K::Char('k'), A::Up, ""),
    key(C::Overview, K::Char('l'), A::Right, ""),
    key(C::Overview, K::Char('g'), A::Top, "first section"),
    key(C::Overview, K::Home, A::Top, ""),
    key(C::Overview, K::Char('G'), A::Bottom, "last section"),
    key(C::Overview, K::End, A::Bottom, ""),
    key(C::Section, K::Esc, A::Back, "back to the overview"),
    key(C::Section, K::Backspace, A::Back, ""),
    key(C::Section, K::Down, A::Down, "scroll a line"),
    key(C::Section, K::Up, A::Up, ""),
    key(C::Section, K::Char('j'), A::Down, ""),
    key(C::Section, K::Char('k'), A::Up, ""),
    key(C::Section, K::PageDown, A::PageDown, "scroll a page"),
    key(C::Section, K::PageUp, A::PageUp, ""),
    key(C::Section, K::Char(' '), A::PageDown, ""),
    ctrl(C::Section, 'f', A::PageDown, ""),
    ctrl(C::Section, 'b', A::PageUp, ""),
    key(C::Section, K::Char('g'), A::Top, "top and bottom"),
    key(C::Section, K::Char('G'), A::Bottom, ""),
    key(C::Section, K::Home, A::Top, ""),
    key(C::Section, K::End, A::Bottom, ""),
    key(
        C::Section,
        K::Left,
        A::Previous,
        "previous and next section",
    ),
    key(C::Section, K::Right, A::Next, ""),
    key(C::Section, K::Char('h'), A::Previous, ""),
    key(C::Section, K::Char('l'), A::Next, ""),
    key(
        C::Section,
        K::Char('c'),
        A::Changed,
        "to what the last save changed",
    ),
    key(
        C::Message,
        K::Esc,
        A::Back,
        "leave the composer; the message stays",
    ),
    key(C::Message, K::Tab, A::Next, "next field"),
    key(C::Message, K::BackTab, A::Previous, "previous field"),
    key(
        C::Message,
        K::Down,
        A::CycleNext,
        "next known channel or session, in its field",
    ),
    key(C::Message, K::Up, A::CyclePrevious, ""),
    key(
        C::Message,
        K::PageDown,
        A::PageDown,
        "scroll the merged message",
    ),
    key(C::Message, K::PageUp, A::PageUp, ""),
];

/// Gives the action of a key in the contexts that hold, the narrowest first.
#[must_use]
pub fn action(key: KeyEvent, contexts: &[Context]) -> Option<Action> {
    // Shift is part of the letter itself, and of BackTab.
    let modifiers = key.modifiers - KeyModifiers::SHIFT;
    contexts.iter().find_map(|context| {
        let bound = KEYMAP.iter().find(|binding| {
            binding.context == *context
                && binding.code == key.code
                && binding.modifiers == modifiers
        });
        bound.map(|binding| binding.action)
    })
}

/// Writes a key the way the help and the footer show it.
#[must_use]
pub fn key_text(binding: &Binding) -> String {
    let name = match binding.code {
        K::Char(' ') => "Space".to_owned(),
        K::Char(letter) => letter.to_string(),
        K::Enter => "Enter".to_owned(),
        K::Esc => "Esc".to_owned(),
        K::Tab => "Tab".to_owned(),
        K::BackTab => "Shift-Tab".to_owned(),
        K::Backspace => "Backspace".to_owned(),
        K::Up => "↑".to_owned(),
        K::Down => "↓".to_owned(),
        K::Left => "←".to_owned(),
        K::Right => "→".to_owned(),
        K::PageUp => "PgUp".to_owned(),
        K::PageDown => "PgDn".to_owned(),
        K::Home => "Home".to_owned(),
        K::End => "End".to_owned(),
        other => format!("{other:?}"),
    };
    if binding.modifiers.contains(KeyModifiers::CONTROL) {
        format!("Ctrl-{}", name.to_uppercase())
    } else {
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_is_bound_twice_in_one_context() {
        for (index, binding) in KEYMAP.iter().enumerate() {
            let twice = KEYMAP[..index].iter().any(|other| {
                other.context == binding.context
                    && other.code == binding.code
                    && other.modifiers == binding.modifiers
            });
            assert!(!twice, "{binding:?}");
        }
    }

    #[test]
    fn every_first_line_of_a_context_has_words() {
        for context in [
            C::Anywhere,
            C::Help,
            C::Sessions,
            C::Reading,
            C::Overview,
            C::Section,
            C::Message,
        ] {
            let first = KEYMAP
                .iter()
                .find(|binding| binding.context == context)
                .unwrap();
            assert!(!first.help.is_empty(), "{context:?}");
        }
    }

    #[test]
    fn shift_belongs_to_the_letter() {
        let key = KeyEvent::new(K::Char('G'), KeyModifiers::SHIFT);
        assert_eq!(action(key, &[C::Section]), Some(A::Bottom));
        let key = KeyEvent::new(K::Char('q'), KeyModifiers::ALT);
        assert_eq!(action(key, &[C::Reading]), None);
    }
}

//! Which key does what: one table, read by the program, printed as the help, searched by the
//! palette, and changed by the settings.

use std::collections::BTreeMap;

use super::{Action, Context, Key};
use crate::prompt::SectionId as S;

/// One line of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Binding {
    /// Where it holds.
    pub context: Context,
    /// Its name in the settings.
    pub name: &'static str,
    /// What it does.
    pub action: Action,
    /// What the help says; empty where the line above says it.
    pub help: &'static str,
    /// The keys, where the settings name no others.
    keys: &'static [&'static str],
}

const fn line(
    context: Context,
    name: &'static str,
    action: Action,
    help: &'static str,
    keys: &'static [&'static str],
) -> Binding {
    Binding {
        context,
        name,
        action,
        help,
        keys,
    }
}

use Action as A;
use Context as C;

/// The table.
#[rustfmt::skip]
const TABLE: [Binding; 110] = [
    line(C::Anywhere, "quit_now", A::Quit, "quit", &["ctrl-c"]),
    line(C::Anywhere, "suspend", A::Suspend, "stop; `fg` in the shell goes on", &["ctrl-z"]),
    line(C::Anywhere, "redraw", A::Redraw, "draw the screen anew", &["ctrl-l"]),
    line(C::Anywhere, "palette", A::Palette, "find an action by its words", &["ctrl-p"]),
    line(C::Reading, "open_identity", A::OpenSection(S::Identity), "open Identity", &["1"]),
    line(C::Reading, "open_bootstrap_files", A::OpenSection(S::BootstrapFiles), "open Bootstrap Files", &["2"]),
    line(C::Reading, "open_tool_contract", A::OpenSection(S::ToolContract), "open Tool Contract", &["3"]),
    line(C::Reading, "open_memory", A::OpenSection(S::Memory), "open Memory", &["4"]),
    line(C::Reading, "open_always_skills", A::OpenSection(S::AlwaysSkills), "open Active Skills", &["5"]),
    line(C::Reading, "open_skills_summary", A::OpenSection(S::SkillsSummary), "open Skills Summary", &["6"]),
    line(C::Reading, "open_recent_history", A::OpenSection(S::RecentHistory), "open Recent History", &["7"]),
    line(C::Reading, "open_session_summary", A::OpenSection(S::SessionSummary), "open Session Summary", &["8"]),
    line(C::Reading, "next", A::Next, "next section", &["tab"]),
    line(C::Reading, "previous", A::Previous, "previous section", &["shift-tab"]),
    line(C::Reading, "message", A::Message, "write a test message", &["m"]),
    line(C::Reading, "edit", A::Edit, "open the file in your editor", &["e"]),
    line(C::Reading, "copy", A::Copy, "copy the section, or the marked lines", &["y"]),
    line(C::Reading, "copy_prompt", A::CopyPrompt, "copy the whole system prompt", &["Y"]),
    line(C::Reading, "sessions", A::Sessions, "choose the session that is replayed", &["s"]),
    line(C::Reading, "scenarios", A::Scenarios, "scenarios: open, save, rename, delete", &["S"]),
    line(C::Reading, "findings", A::Findings, "what the rules find", &["f"]),
    line(C::Reading, "history", A::History, "what becomes of every line of the history", &["a"]),
    line(C::Reading, "insight", A::Insight, "what a prompt cache would lose, what would save most", &["i"]),
    line(C::Reading, "what_if", A::WhatIf, "what if: switch parts off and see what it saves", &["w"]),
    line(C::Reading, "reset_what_if", A::ResetWhatIf, "switch everything on again", &["W"]),
    line(C::Reading, "library", A::Library, "the prompts as files", &["p"]),
    line(C::Reading, "compiled", A::Compiled, "the prompt as compiled now, and back", &["C"]),
    line(C::Reading, "host", A::Host, "the declared host against this machine", &["H"]),
    line(C::Reading, "theme", A::Theme, "next theme", &["t"]),
    line(C::Reading, "show_secrets", A::ShowSecrets, "show keys and passwords, or hide as before", &["K"]),
    line(C::Reading, "help", A::Help, "show the keys", &["?"]),
    line(C::Reading, "palette", A::Palette, "find an action by its words", &[":"]),
    line(C::Reading, "quit", A::Quit, "quit", &["q"]),
    line(C::Overview, "open", A::Enter, "open the section in focus", &["enter"]),
    line(C::Overview, "left", A::Left, "move the focus", &["left", "h"]),
    line(C::Overview, "down", A::Down, "", &["down", "j"]),
    line(C::Overview, "up", A::Up, "", &["up", "k"]),
    line(C::Overview, "right", A::Right, "", &["right", "l"]),
    line(C::Overview, "first", A::Top, "first section", &["g", "home"]),
    line(C::Overview, "last", A::Bottom, "last section", &["G", "end"]),
    line(C::Section, "back", A::Back, "back", &["esc", "backspace"]),
    line(C::Section, "down", A::Down, "move the cursor", &["down", "j"]),
    line(C::Section, "up", A::Up, "", &["up", "k"]),
    line(C::Section, "page_down", A::PageDown, "a page", &["pgdn", "space", "ctrl-f"]),
    line(C::Section, "page_up", A::PageUp, "", &["pgup", "ctrl-b"]),
    line(C::Section, "top", A::Top, "top and bottom", &["g", "home"]),
    line(C::Section, "bottom", A::Bottom, "", &["G", "end"]),
    line(C::Section, "previous_section", A::Previous, "previous and next section", &["left", "h"]),
    line(C::Section, "next_section", A::Next, "", &["right", "l"]),
    line(C::Section, "search", A::Search, "search", &["/"]),
    line(C::Section, "next_match", A::NextMatch, "next and previous match", &["n"]),
    line(C::Section, "previous_match", A::PreviousMatch, "", &["N"]),
    line(C::Section, "next_heading", A::NextHeading, "next and previous heading", &["]", "}"]),
    line(C::Section, "previous_heading", A::PreviousHeading, "", &["[", "{"]),
    line(C::Section, "mark", A::Mark, "mark lines: their tokens are counted, y copies them", &["v"]),
    line(C::Section, "diff", A::Diff, "what differs from before the last save, then from git", &["d"]),
    line(C::Section, "changed", A::Changed, "to what the last save changed", &["c"]),
    line(C::Section, "rendered", A::Rendered, "Markdown without its marks, and back", &["r"]),
    line(C::Message, "back", A::Back, "leave the composer; the message stays", &["esc"]),
    line(C::Message, "next", A::Next, "next field", &["tab"]),
    line(C::Message, "previous", A::Previous, "previous field", &["shift-tab"]),
    line(C::Message, "cycle_next", A::CycleNext, "next known channel or session, in its field", &["down"]),
    line(C::Message, "cycle_previous", A::CyclePrevious, "", &["up"]),
    line(C::Message, "page_down", A::PageDown, "scroll the merged message", &["pgdn"]),
    line(C::Message, "page_up", A::PageUp, "", &["pgup"]),
    line(C::Message, "copy", A::Copy, "copy the merged message", &["ctrl-y"]),
    line(C::Message, "sessions", A::Sessions, "choose the session that is replayed", &["ctrl-o"]),
    line(C::Message, "scenarios", A::Scenarios, "scenarios: open, save, rename, delete", &["ctrl-s"]),
    line(C::Library, "back", A::Back, "to the tree; from there back", &["esc", "backspace"]),
    line(C::Library, "enter", A::Enter, "into the text; a variable: try a value", &["enter"]),
    line(C::Library, "next_part", A::Next, "tree, text, variables", &["tab"]),
    line(C::Library, "previous_part", A::Previous, "", &["shift-tab"]),
    line(C::Library, "down", A::Down, "move", &["down", "j"]),
    line(C::Library, "up", A::Up, "", &["up", "k"]),
    line(C::Library, "left", A::Left, "", &["left", "h"]),
    line(C::Library, "right", A::Right, "", &["right", "l"]),
    line(C::Library, "page_down", A::PageDown, "a page", &["pgdn", "space", "ctrl-f"]),
    line(C::Library, "page_up", A::PageUp, "", &["pgup", "ctrl-b"]),
    line(C::Library, "top", A::Top, "top and bottom", &["g", "home"]),
    line(C::Library, "bottom", A::Bottom, "", &["G", "end"]),
    line(C::Library, "sides", A::Rendered, "what it becomes, its source, both side by side", &["r"]),
    line(C::Library, "fold", A::Fold, "fold what is included, and unfold it", &["z"]),
    line(C::Library, "variant", A::NextVariant, "the next variant of the experiment", &["v"]),
    line(C::Library, "diff", A::Diff, "what a compiled file differs in from what is there", &["d"]),
    line(C::Library, "reset_value", A::ResetValue, "take an edited value back", &["x", "delete"]),
    line(C::Library, "search", A::Search, "search", &["/"]),
    line(C::Library, "next_match", A::NextMatch, "next and previous match", &["n"]),
    line(C::Library, "previous_match", A::PreviousMatch, "", &["N"]),
    line(C::Page, "close", A::Back, "close", &["esc", "q", "enter", "?", "H", "i"]),
    line(C::Page, "down", A::Down, "scroll", &["down", "j"]),
    line(C::Page, "up", A::Up, "", &["up", "k"]),
    line(C::Page, "page_down", A::PageDown, "", &["pgdn", "space"]),
    line(C::Page, "page_up", A::PageUp, "", &["pgup"]),
    line(C::Page, "top", A::Top, "top and bottom", &["g", "home"]),
    line(C::Page, "bottom", A::Bottom, "", &["G", "end"]),
    line(C::List, "take", A::Enter, "take what is chosen", &["enter"]),
    line(C::List, "close", A::Back, "leave it as it is", &["esc", "q"]),
    line(C::List, "down", A::Down, "choose", &["down", "j"]),
    line(C::List, "up", A::Up, "", &["up", "k"]),
    line(C::List, "page_down", A::PageDown, "", &["pgdn"]),
    line(C::List, "page_up", A::PageUp, "", &["pgup"]),
    line(C::List, "top", A::Top, "first and last", &["g", "home"]),
    line(C::List, "bottom", A::Bottom, "", &["G", "end"]),
    line(C::Scenarios, "save", A::Save, "save the present turn under a name", &["s"]),
    line(C::Scenarios, "rename", A::Rename, "rename", &["r"]),
    line(C::Scenarios, "delete", A::Delete, "delete, after a question", &["d"]),
    line(C::WhatIf, "toggle", A::Toggle, "switch off and on", &["space"]),
    line(C::WhatIf, "always", A::ToggleAlways, "switch always-on of a skill", &["a"]),
    line(C::Findings, "show", A::Show, "show the line in its section", &["right", "l", "space"]),
    line(C::WhatIf, "reset", A::ResetWhatIf, "switch everything on again", &["W"]),
];

/// The table in force: its lines with their keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Keymap {
    lines: Vec<(Binding, Vec<Key>)>,
}

/// The keys that the settings name: for each context, for each binding's name.
pub type KeySettings = BTreeMap<String, BTreeMap<String, Vec<String>>>;

impl Default for Keymap {
    fn default() -> Self {
        let keys = |binding: &Binding| binding.keys.iter().filter_map(|key| key.parse().ok());
        Self {
            lines: TABLE.iter().map(|it| (*it, keys(it).collect())).collect(),
        }
    }
}

impl Keymap {
    /// Lays the settings over the table.
    ///
    /// Fails with a sentence on a name that is not there, a key that is none, and a key that is given
    /// to two actions in one place.
    pub fn with(settings: &KeySettings) -> Result<Self, String> {
        let mut keymap = Self::default();
        for (context, bindings) in settings {
            let known = C::ALL.into_iter().find(|it| it.name() == context);
            let known = known.ok_or_else(|| {
                let names = C::ALL.map(C::name).join(", ");
                format!("`keys.{context}` is not a place: there are {names}")
            })?;
            for (name, keys) in bindings {
                keymap.set(known, name, keys)?;
            }
        }
        match keymap.conflict() {
            Some(problem) => Err(problem),
            None => Ok(keymap),
        }
    }

    fn set(&mut self, context: Context, name: &str, keys: &[String]) -> Result<(), String> {
        let place = context.name();
        let names = TABLE.iter().filter(|it| it.context == context);
        let names: Vec<&str> = names.map(|it| it.name).collect();
        let keys: Result<Vec<Key>, String> = keys
            .iter()
            .map(|key| {
                key.parse()
                    .map_err(|problem| format!("`keys.{place}.{name}`: {problem}"))
            })
            .collect();
        let is_it = |(binding, _): &&mut (Binding, Vec<Key>)| {
            binding.context == context && binding.name == name
        };
        match self.lines.iter_mut().find(is_it) {
            Some((_, bound)) => {
                *bound = keys?;
                Ok(())
            }
            None => Err(format!(
                "`keys.{place}.{name}` is no action: there are {}",
                names.join(", ")
            )),
        }
    }

    /// Finds a key that does two things in one place.
    fn conflict(&self) -> Option<String> {
        let mut seen: Vec<(Context, Key, &str)> = Vec::new();
        for (binding, keys) in &self.lines {
            for key in keys {
                let (context, name) = (binding.context, binding.name);
                let other = seen.iter().find(|it| (it.0, it.1) == (context, *key));
                if let Some((_, _, other)) = other {
                    let place = context.name();
                    return Some(format!(
                        "the key {key} is bound to both `keys.{place}.{other}` and `keys.{place}.{name}`"
                    ));
                }
                seen.push((context, *key, name));
            }
        }
        None
    }

    /// Gives the action of a key in the contexts that hold, the narrowest first.
    #[must_use]
    pub fn action(&self, key: impl Into<Key>, contexts: &[Context]) -> Option<Action> {
        let key = key.into();
        contexts.iter().find_map(|context| {
            let bound = self.lines(*context).find(|(_, keys)| keys.contains(&key));
            bound.map(|(binding, _)| binding.action)
        })
    }

    /// Lists the lines of a context with their keys.
    pub fn lines(&self, context: Context) -> impl Iterator<Item = (&Binding, &[Key])> {
        let lines = self.lines.iter();
        lines
            .filter(move |(binding, _)| binding.context == context)
            .map(|(binding, keys)| (binding, keys.as_slice()))
    }

    /// Gives the first key of an action in a context, for a hint; `None` where it has none.
    #[must_use]
    pub fn hint(&self, context: Context, action: Action) -> Option<Key> {
        let mut lines = self.lines(context);
        let line = lines.find(|(binding, _)| binding.action == action)?;
        line.1.first().copied()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn with(context: &str, name: &str, keys: &[&str]) -> Result<Keymap, String> {
        let keys = keys.iter().map(|key| (*key).to_owned()).collect();
        let bindings = BTreeMap::from([(name.to_owned(), keys)]);
        Keymap::with(&BTreeMap::from([(context.to_owned(), bindings)]))
    }

    #[test]
    fn the_table_holds_no_conflict_and_every_key_of_it_can_be_read() {
        let keymap = Keymap::default();
        assert_eq!(keymap.conflict(), None);
        for (binding, keys) in &keymap.lines {
            assert_eq!(keys.len(), binding.keys.len(), "{}", binding.name);
        }
        let names: BTreeSet<_> = TABLE
            .iter()
            .map(|it| (it.context.name(), it.name))
            .collect();
        assert_eq!(names.len(), TABLE.len());
    }

    #[test]
    fn every_first_line_of_a_context_has_words() {
        for context in C::ALL {
            let keymap = Keymap::default();
            let (first, _) = keymap.lines(context).next().unwrap();
            assert!(!first.help.is_empty(), "{context:?}");
        }
    }

    #[test]
    fn settings_change_keys_and_are_told_what_is_wrong_with_them() {
        let keymap = with("reading", "quit", &["Q", "ctrl-q"]).unwrap();
        let action = |key: &str| keymap.action(key.parse::<Key>().unwrap(), &[C::Reading]);
        assert_eq!(action("Q"), Some(A::Quit));
        assert_eq!(action("ctrl-q"), Some(A::Quit));
        assert_eq!(action("q"), None);
        assert_eq!(keymap.hint(C::Reading, A::Quit), "Q".parse().ok());
        assert!(with("reading", "quit", &[]).is_ok());
        for (context, name, keys, wanted) in [
            ("nowhere", "quit", vec![], "`keys.nowhere`"),
            ("reading", "qit", vec![], "`keys.reading.qit`"),
            ("reading", "quit", vec!["qq"], "\"qq\""),
            ("reading", "quit", vec!["m"], "`keys.reading.message`"),
        ] {
            let problem = with(context, name, &keys).unwrap_err();
            assert!(problem.contains(wanted), "{problem}");
        }
    }

    #[test]
    fn the_narrowest_context_wins() {
        let keymap = Keymap::default();
        let key: Key = "right".parse().unwrap();
        assert_eq!(keymap.action(key, &[C::Section, C::Reading]), Some(A::Next));
        assert_eq!(keymap.action(key, &[C::Overview]), Some(A::Right));
    }
}

//! The table of rules: names, how much each matters unless the settings say otherwise, and what it is for.

use super::Severity;

/// A rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rule {
    /// Its name, in the settings and in every report.
    pub name: &'static str,
    /// How much its findings matter.
    pub severity: Severity,
    /// What it finds, in a sentence.
    pub about: &'static str,
}

const fn rule_of(name: &'static str, severity: Severity, about: &'static str) -> Rule {
    Rule {
        name,
        severity,
        about,
    }
}

use Severity::{Error, Note, Warning};

/// Every rule, by name.
#[rustfmt::skip]
pub const RULES: [Rule; 67] = [
    rule_of("agent-fails", Error, "The agent itself would raise on this workspace and send nothing."),
    rule_of("bidirectional-characters", Error, "Characters that turn the direction of text around hide what the model reads."),
    rule_of("byte-order-mark", Warning, "A byte order mark goes to the model, and hides front matter from the agent."),
    rule_of("component-missing", Warning, "A composition has no such component, and the placeholder stays."),
    rule_of("control-characters", Warning, "A control character goes to the model as it stands."),
    rule_of("cursor-stuck", Warning, "The Dream cursor does not move, so the history is never folded into the memory."),
    rule_of("cursor-type", Warning, "A history entry's cursor is no whole number, so the entry is passed over."),
    rule_of("declaration-unread", Warning, "A prompt source declares something in a way that says nothing."),
    rule_of("description-lines", Warning, "A description of several lines breaks the list of skills."),
    rule_of("description-missing", Warning, "A skill without a description is listed by its folder's name."),
    rule_of("description-not-text", Warning, "A description that is no text is written as Python writes the value."),
    rule_of("experiments-together", Warning, "Two experiments hash the bare id, so their variants come to the same people."),
    rule_of("file-unreached", Warning, "A file is there and cannot be read, and the agent goes on without it."),
    rule_of("format-without-example", Note, "An output format is demanded and none is shown."),
    rule_of("front-matter-ignored", Warning, "What looks like front matter is none for the agent, and goes to the model as text."),
    rule_of("front-matter-invalid", Error, "The front matter is no YAML, so the agent takes nothing from it."),
    rule_of("front-matter-unread", Error, "The front matter is more than promptscope reads, so what the agent takes from it is not known."),
    rule_of("grown", Error, "A section has more tokens than were recorded."),
    rule_of("high-entropy", Warning, "A long random text looks like a key."),
    rule_of("history-cut", Warning, "The cap on Recent History drops the newest entries."),
    rule_of("history-heavy", Note, "One history entry takes a large share of Recent History."),
    rule_of("history-malformed", Warning, "A line of the history is passed over."),
    rule_of("include-cycle", Error, "Prompt sources include each other in a circle."),
    rule_of("include-depth", Error, "Prompt sources include each other too deep, or grow too large."),
    rule_of("include-missing", Error, "A prompt source includes a file that is not there."),
    rule_of("include-outside", Error, "An include or a link leads out of the folder of prompts."),
    rule_of("invisible-characters", Warning, "Characters that nobody sees go to the model."),
    rule_of("link-outside", Warning, "A link leads out of the workspace, and the agent sends what stands there."),
    rule_of("manifest-invalid", Error, "What was compiled last cannot be read."),
    rule_of("metadata-unread", Warning, "Metadata stands under a key that the agent does not read."),
    rule_of("mixed-line-ends", Note, "A file mixes line ends."),
    rule_of("name-taken", Warning, "A composition or an experiment has the name of something else."),
    rule_of("near-budget", Warning, "A number is near its budget."),
    rule_of("not-utf8", Error, "A file is not UTF-8, and the agent fails on it."),
    rule_of("over-budget", Error, "A number is over its budget."),
    rule_of("placeholder-text", Warning, "A text was left to be filled in."),
    rule_of("private-address", Note, "An address of a private network stands in the prompt."),
    rule_of("prompt-missing", Error, "The settings name a prompt that is not there."),
    rule_of("prompt-unreadable", Error, "A prompt source cannot be read."),
    rule_of("repeated-paragraph", Warning, "The same paragraph is sent twice."),
    rule_of("requires-malformed", Error, "The agent fails on a malformed `requires`."),
    rule_of("runtime-tag", Warning, "The tag of the runtime context stands in a person's text, which the agent then cuts there."),
    rule_of("savings-unrecorded", Note, "A section has fewer tokens than were recorded."),
    rule_of("secret", Error, "A key or a password stands in what is sent."),
    rule_of("session-damaged", Warning, "Lines of a session are passed over."),
    rule_of("session-offset", Warning, "A session's consolidation offset is out of range, so the agent drops it."),
    rule_of("session-orphan-tool", Warning, "A tool result without its call makes the agent drop the messages before it."),
    rule_of("settings-invalid", Error, "The settings cannot be read; those before them are in force."),
    rule_of("silence-without-reason", Note, "A finding is silenced and nobody says why."),
    rule_of("skill-name", Note, "A skill's `name` is unlike its folder, which is the name that the agent uses."),
    rule_of("skill-never-loaded", Warning, "A skill's file stands where the agent does not look."),
    rule_of("skill-order", Note, "The order of the skills is that of the directory, and differs between machines."),
    rule_of("skill-unavailable", Note, "A skill lacks what it requires."),
    rule_of("special-token", Warning, "A special token in the history changes how it is capped."),
    rule_of("tag-characters", Error, "Tag characters hide a text from people that the model reads."),
    rule_of("target-edited", Warning, "A compiled file was edited by hand."),
    rule_of("target-stale", Warning, "A compiled file is out of date with its source."),
    rule_of("template-syntax", Warning, "A placeholder or an include reaches the model as it stands."),
    rule_of("truthy-text", Warning, "A text such as \"false\" counts as on."),
    rule_of("untouched-template", Note, "A file is still the template that the agent put there."),
    rule_of("vague-instruction", Note, "An instruction leaves open what is meant."),
    rule_of("variable-required", Error, "A variable that a prompt requires has no value."),
    rule_of("variable-undefined", Warning, "A variable has no value, and its placeholder stays."),
    rule_of("variable-unused", Note, "A variable has a value and is not used."),
    rule_of("variant-missing", Warning, "A variant has no file, and the first one stands for it."),
    rule_of("volatile-text", Warning, "A text that changes by the day stands in the part that a cache would keep."),
    rule_of("window-exceeded", Error, "The request does not fit the context window."),
];

/// Finds a rule by name.
#[must_use]
pub fn rule(name: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_order_and_each_stands_once() {
        assert!(RULES.windows(2).all(|pair| pair[0].name < pair[1].name));
        let kebab = |name: &str| {
            name.chars()
                .all(|c| c.is_ascii_lowercase() || c == '-' || c == '8')
        };
        assert!(
            RULES
                .iter()
                .all(|rule| kebab(rule.name) && rule.about.ends_with('.'))
        );
        assert_eq!(rule("secret").map(|rule| rule.severity), Some(Error));
        assert_eq!(rule("none"), None);
    }
}

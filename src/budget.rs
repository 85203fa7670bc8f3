//! Tokens used against tokens allowed.

mod ratchet;

use crate::prompt::{Assembly, Merge, SectionId};
use crate::python::Value;
use crate::python::json::dumps;
use crate::tokens::{Counter, Encoding};
pub use ratchet::{Baseline, Growth};

/// How many tokens are allowed; `None` for no limit.
#[derive(Debug, Clone, PartialEq)]
pub struct Budget {
    /// The model's context window.
    pub window: Option<usize>,
    /// The whole system prompt.
    pub total: Option<usize>,
    /// From which share of a budget on a number counts as near it.
    pub warn_at: f64,
    /// Each section, in the order of the prompt.
    pub sections: [Option<usize>; 8],
}

/// Where a number stands against its budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Below the warning, or without a budget.
    Within,
    /// At the warning or above, and not over.
    Near,
    /// Over.
    Over,
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            window: None,
            total: None,
            warn_at: 0.8,
            sections: [None; 8],
        }
    }
}

impl Budget {
    /// Gives the budget of a section.
    #[must_use]
    pub fn section(&self, id: SectionId) -> Option<usize> {
        self.sections[id.index()]
    }

    /// Tells where a number stands against a budget.
    #[must_use]
    pub fn level(&self, used: usize, budget: Option<usize>) -> Level {
        match budget {
            Some(budget) if used > budget => Level::Over,
            Some(budget) if share(used, budget) >= self.warn_at => Level::Near,
            _ => Level::Within,
        }
    }
}

/// Gives a number's share of its budget; a budget of 0 is used up by anything.
#[must_use]
pub fn share(used: usize, budget: usize) -> f64 {
    if budget == 0 {
        return if used == 0 { 0.0 } else { 1.0 };
    }
    #[expect(
        clippy::cast_precision_loss,
        reason = "token counts are far below 2^52"
    )]
    {
        used as f64 / budget as f64
    }
}

/// The token counts of an assembly. They reconcile: sections and joins make up the system prompt;
/// system prompt, history and user message make up the request.
///
/// The few tokens that a provider adds around each message depend on the model and are not part of
/// what the agent sends: they are not counted. Nor are images, which have no text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Usage {
    /// The encoding of the counts.
    pub encoding: Encoding,
    /// Each section; `None` where it is left out.
    pub sections: [Option<usize>; 8],
    /// Each section's sources, in their order.
    pub sources: [Vec<usize>; 8],
    /// What the separators add; less than nothing where tokens span them.
    pub joins: i64,
    /// The whole system prompt.
    pub system_prompt: usize,
    /// Each message between the system prompt and the user's.
    pub history: Vec<usize>,
    /// The user's message as it is sent. Merged into the system prompt, it is what it adds there.
    pub user_message: i64,
    /// The runtime context by itself.
    pub runtime_context: usize,
}

impl Usage {
    /// Counts an assembly.
    ///
    /// Takes as long as what changed: never call it where a person waits for a key to answer.
    pub fn count(assembly: &Assembly, counter: &mut Counter) -> Self {
        let sections = SectionId::ALL.map(|id| {
            let text = assembly.section(id).text.as_ref();
            text.map(|text| counter.count_shared(text, 0..text.len()))
        });
        let sources = SectionId::ALL.map(|id| {
            let section = assembly.section(id);
            let ranges = section.sources.iter().map(|source| source.range.clone());
            let text = section.text.as_ref();
            ranges
                .map(|range| text.map_or(0, |text| counter.count_shared(text, range)))
                .collect()
        });
        let whole = &assembly.system_prompt;
        let system_prompt = counter.count_shared(whole, 0..whole.len());
        let history = assembly.history().iter();
        let history: Vec<usize> = history
            .map(|message| message_tokens(message, counter))
            .collect();
        let last = signed(message_tokens(assembly.user_message(), counter));
        let user_message = match assembly.merge {
            Merge::System => last - signed(system_prompt),
            Merge::None | Merge::History => last,
        };
        let usage = Self {
            encoding: counter.encoding(),
            joins: signed(system_prompt) - signed(sections.iter().flatten().sum()),
            runtime_context: counter.count(&assembly.runtime_context),
            sections,
            sources,
            system_prompt,
            history,
            user_message,
        };
        counter.end_round();
        usage
    }

    /// Gives the count of a section, 0 where it is left out.
    #[must_use]
    pub fn section(&self, id: SectionId) -> usize {
        self.sections[id.index()].unwrap_or(0)
    }

    /// Gives the count of the whole request.
    #[must_use]
    pub fn request(&self) -> usize {
        let sum =
            signed(self.system_prompt) + signed(self.history.iter().sum()) + self.user_message;
        usize::try_from(sum).unwrap_or(0)
    }
}

fn signed(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// Counts what a message carries: its texts, and its tool calls as the agent writes them.
fn message_tokens(message: &Value, counter: &mut Counter) -> usize {
    let mut tokens = match message.get("content") {
        Some(Value::Str(text)) => counter.count(text),
        Some(Value::List(blocks)) => blocks
            .iter()
            .filter_map(|block| block.get("text").and_then(Value::as_str))
            .map(|text| counter.count(text))
            .sum(),
        _ => 0,
    };
    if let Some(calls) = message.get("tool_calls").filter(|calls| calls.truth()) {
        tokens += counter.count(&dumps(calls));
    }
    for key in ["reasoning_content", "name", "tool_call_id"] {
        if let Some(text) = message.get(key).and_then(Value::as_str) {
            tokens += counter.count(text);
        }
    }
    tokens
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Arc;

    use super::*;
    use crate::prompt::{Section, Source};
    use crate::python::json::loads;

    #[test]
    fn levels_begin_at_their_shares() {
        let budget = Budget::default();
        assert_eq!(budget.level(79, Some(100)), Level::Within);
        assert_eq!(budget.level(80, Some(100)), Level::Near);
        assert_eq!(budget.level(100, Some(100)), Level::Near);
        assert_eq!(budget.level(101, Some(100)), Level::Over);
        assert_eq!(budget.level(1_000_000, None), Level::Within);
        assert_eq!(budget.level(1, Some(0)), Level::Over);
        assert_eq!(budget.level(0, Some(0)), Level::Within);
    }

    #[test]
    fn anything_uses_up_a_budget_of_nothing() {
        for (used, budget, wanted) in [(0, 0, 0.0), (1, 0, 1.0), (7, 0, 1.0), (1, 4, 0.25)] {
            assert!((share(used, budget) - wanted).abs() < 1e-9, "{used}");
        }
    }

    /// An assembly of two sections and these messages.
    fn assembly(merge: Merge, messages: &[&str]) -> Assembly {
        let texts = ["one two three", "four five"].map(Arc::from);
        let source = |range| Source {
            path: Path::new("AGENTS.md").into(),
            is_template: false,
            range,
        };
        let section = |id: SectionId| Section {
            id,
            text: texts.get(id.index()).cloned(),
            spans: Vec::new(),
            sources: match id.index() {
                0 => vec![source(0..3), source(3..13)],
                1 => vec![source(0..100)],
                _ => Vec::new(),
            },
            absent: None,
            cut: None,
            error: None,
        };
        Assembly {
            sections: SectionId::ALL.map(section),
            system_prompt: "one two three\n\n---\n\nfour five".into(),
            messages: messages.iter().map(|it| loads(it).unwrap()).collect(),
            runtime_context: "now then".into(),
            approximate_lines: 0,
            history_fates: Vec::new(),
            merge,
            replay: None,
            error: None,
        }
    }

    fn usage(merge: Merge, messages: &[&str]) -> Usage {
        let mut counter = Counter::new(Encoding::O200kBase);
        Usage::count(&assembly(merge, messages), &mut counter)
    }

    #[test]
    fn sections_and_joins_make_up_the_system_prompt_and_it_the_request() {
        let messages = [
            r#"{"role": "system", "content": "one two three\n\n---\n\nfour five"}"#,
            r#"{"role": "user", "content": "one two"}"#,
            r#"{"role": "assistant", "content": "one two three four"}"#,
            r#"{"role": "user", "content": "one two three four five six seven eight"}"#,
        ];
        let usage = usage(Merge::None, &messages);
        assert_eq!(usage.sections[..3], [Some(3), Some(2), None]);
        assert_eq!(usage.sources[..3], [vec![1, 2], vec![0], vec![]]);
        let ids = [SectionId::ALL[0], SectionId::ALL[1], SectionId::ALL[2]];
        assert_eq!(ids.map(|id| usage.section(id)), [3, 2, 0]);
        assert_eq!((usage.system_prompt, usage.joins), (7, 2));
        assert_eq!(
            (usage.history.as_slice(), usage.user_message),
            (&[2, 4][..], 8)
        );
        assert_eq!((usage.request(), usage.runtime_context), (21, 2));
    }

    #[test]
    fn a_message_that_is_merged_into_the_system_prompt_counts_for_what_it_adds() {
        let whole =
            r#"{"role": "system", "content": "one two three\n\n---\n\nfour five six seven"}"#;
        let usage = usage(Merge::System, &[whole]);
        assert_eq!((usage.system_prompt, usage.user_message), (7, 2));
        assert_eq!(usage.request(), 9);
    }

    #[test]
    fn a_message_counts_with_its_blocks_calls_and_names() {
        for (message, wanted) in [
            (r#"{"content": null}"#, 0),
            (
                r#"{"content": [{"text": "one two"}, {"image_url": 1}, {"text": "one"}]}"#,
                3,
            ),
            // `[{"a": 1}]` is seven tokens as the agent writes it.
            (r#"{"content": "one", "tool_calls": [{"a":1}]}"#, 8),
            (r#"{"content": "one", "tool_calls": []}"#, 1),
            (r#"{"content": "one", "reasoning_content": "one two"}"#, 3),
            (r#"{"content": "one", "name": "one two"}"#, 3),
            (r#"{"content": "one", "tool_call_id": "one two"}"#, 3),
        ] {
            let mut counter = Counter::new(Encoding::O200kBase);
            let tokens = message_tokens(&loads(message).unwrap(), &mut counter);
            assert_eq!(tokens, wanted, "{message}");
        }
    }

    #[test]
    fn a_section_has_its_own_budget() {
        let sections = [1, 2, 3, 4, 5, 6, 7, 8].map(Some);
        let budget = Budget {
            sections,
            ..Budget::default()
        };
        assert_eq!(SectionId::ALL.map(|id| budget.section(id)), sections);
        assert_eq!(Budget::default().section(SectionId::Memory), None);
    }
}

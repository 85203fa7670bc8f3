//! The grammars, as syntect takes them: flat lists of rules that each match within one line.
//!
//! No rule looks around or refers back, so that every search takes time in proportion to the line.
//! What lies inside a token is found by parsing the token again.

use std::collections::HashMap;
use std::ops::Range;

use syntect::parsing::syntax_definition::{
    Context, MatchOperation, MatchPattern, Pattern, SyntaxDefinition,
};
use syntect::parsing::{ParseState, Scope, ScopeStackOp, SyntaxSet, SyntaxSetBuilder};

use super::Slot;

/// Names a grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Syntax {
    /// A line of Markdown.
    Markdown,
    /// Markdown within a line.
    Inline,
    /// The placeholders of templates and nothing else.
    Placeholders,
    Json,
    Yaml,
}

impl Syntax {
    /// Every grammar with its rules; the place of each is its number in the set.
    const ALL: [(Syntax, &[&[Rule]]); 5] = [
        (Syntax::Markdown, &[BLOCKS, INLINE, PLACEHOLDERS, MARKUP]),
        (Syntax::Inline, &[INLINE, PLACEHOLDERS, MARKUP]),
        (Syntax::Placeholders, &[PLACEHOLDERS]),
        (Syntax::Json, &[JSON]),
        (Syntax::Yaml, &[YAML]),
    ];
}

/// Is a regular expression and what its match gives.
type Rule = (&'static str, Give);

#[derive(Clone, Copy)]
enum Give {
    /// Nothing: the match only keeps other rules from looking inside.
    Skip,
    Whole(Slot),
    /// A slot for each capture group.
    Groups(&'static [Slot]),
}

use Give::{Groups, Skip, Whole};

const BLOCKS: &[Rule] = &[
    (r"^ {0,3}#{1,6}(?:[ \t].*)?$", Whole(Slot::Heading)),
    (r"^=+[ \t]*$", Whole(Slot::Heading)),
    (
        r"^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$",
        Whole(Slot::Rule),
    ),
    (r"^[ \t]*>.*$", Whole(Slot::Quote)),
    (r"^[ \t]*\[[^\]]+\]:[ \t]+.*$", Whole(Slot::Link)),
    (
        r"^[ \t]*([-*+]|[0-9]{1,9}[.)])(?:[ \t]+(\[[ xX]\]))?(?:[ \t]|$)",
        Groups(&[Slot::List, Slot::List]),
    ),
];

const INLINE: &[Rule] = &[
    (r"\\[!-/:-@\[-`{-~]", Skip),
    (r"``(?:[^`]|`[^`])+``|`[^`]+`", Whole(Slot::Code)),
    (r"<!--.*?-->|\{#.*?#\}", Whole(Slot::Comment)),
    (r"^[ \t]*(?:<!--|\{#).*$", Whole(Slot::Comment)),
];

const PLACEHOLDERS: &[Rule] = &[(r"\{\{.*?\}\}|\{%.*?%\}", Whole(Slot::Placeholder))];

const MARKUP: &[Rule] = &[
    // An underscore within a word is a part of it.
    (r"[^\s!-/:-@\[-`{-~]+_[^\s!-/:-@\[-^`{-~]*", Skip),
    (
        r"\*\*\*[^\s*][^*]*\*\*\*|\*\*[^\s*](?:[^*]|\*[^*]+\*)*?\*\*|__[^\s_](?:[^_]|_[^_]+_)*?__",
        Whole(Slot::Strong),
    ),
    (
        r"\*[^\s*](?:[^*]*[^\s*])?\*|_[^\s_](?:[^_]*[^\s_])?_",
        Whole(Slot::Emphasis),
    ),
    (
        r"!?\[[^\[\]]*\](?:\([^()]*\)|\[[^\[\]]*\])|https?://[^\s<>()`*]+",
        Whole(Slot::Link),
    ),
];

const JSON: &[Rule] = &[
    (r#"("(?:[^"\\]|\\.)*")[ \t]*:"#, Groups(&[Slot::Key])),
    (r#""(?:[^"\\]|\\.)*(?:"|\\?$)"#, Whole(Slot::String)),
    (
        r"-?[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?",
        Whole(Slot::Number),
    ),
    (
        r"(true|false|null|NaN|-?Infinity)(?:[^A-Za-z0-9_]|$)",
        Groups(&[Slot::Constant]),
    ),
    (r"[A-Za-z_][A-Za-z0-9_]*", Skip),
    (r"//.*$|/\*.*?\*/", Whole(Slot::Comment)),
    PLACEHOLDERS[0],
];

const YAML: &[Rule] = &[
    (r"^(?:---|\.\.\.)[ \t]*$", Whole(Slot::Fence)),
    (
        r#"^[ \t]*((?:-[ \t]+)*)("[^"]*"|'[^']*'|[^\s#"'\[\]{},&*!|>%@`-][^:#]*|-[^\s:#][^:#]*)[ \t]*:(?:[ \t]|$)"#,
        Groups(&[Slot::List, Slot::Key]),
    ),
    (r"^[ \t]*((?:-[ \t]+)+|-$)", Groups(&[Slot::List])),
    PLACEHOLDERS[0],
    (
        r#"("(?:[^"\\]|\\.)*"|'[^']*')[ \t]*:"#,
        Groups(&[Slot::Key]),
    ),
    (r"\{[ \t]*([A-Za-z_][^\s:,{}]*):", Groups(&[Slot::Key])),
    (
        r#""(?:[^"\\]|\\.)*(?:"|\\?$)|'[^']*(?:'|$)"#,
        Whole(Slot::String),
    ),
    (r"(?:^|[ \t])(#.*)$", Groups(&[Slot::Comment])),
    (
        r"([-+]?(?:0[xo])?[0-9][0-9_]*(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)[ \t]*(?:$|[,\]}]|[ \t](#.*)$)",
        Groups(&[Slot::Number, Slot::Comment]),
    ),
    (
        r"([Tt]rue|TRUE|[Ff]alse|FALSE|[Nn]ull|NULL|[Yy]es|YES|[Nn]o|NO|[Oo]n|ON|[Oo]ff|OFF|~)[ \t]*(?:$|[,\]}]|[ \t](#.*)$)",
        Groups(&[Slot::Constant, Slot::Comment]),
    ),
    // A plain scalar goes on over blanks, apostrophes and numbers, up to a comment.
    (
        r#"[^\s"'\[\]{},#](?:[^\s",\[\]{}]|[ \t]+[^\s#"',\[\]{}])*"#,
        Skip,
    ),
];

/// Is the set of the grammars, linked.
#[derive(Debug)]
pub(super) struct Grammar {
    set: SyntaxSet,
    /// The scope by which syntect knows each slot, in the slots' order.
    scopes: [Scope; Slot::ALL.len()],
}

impl Grammar {
    pub(super) fn new() -> Self {
        // The names are ASCII letters, which every scope may have.
        let scopes = Slot::ALL.map(|slot| Scope::new(&format!("{slot:?}")).unwrap_or_default());
        let mut builder = SyntaxSetBuilder::new();
        for (syntax, rules) in Syntax::ALL {
            builder.add(definition(syntax, rules, &scopes));
        }
        let set = builder.build();
        Grammar { set, scopes }
    }

    /// Gives the tokens of a line or a part of one, in order; what lies between them is plain.
    pub(super) fn tokens(&self, syntax: Syntax, text: &str) -> Vec<(Range<usize>, Slot)> {
        let Some(reference) = self.set.syntaxes().get(syntax as usize) else {
            return Vec::new();
        };
        // A grammar that fails gives plain text.
        let ops = ParseState::new(reference)
            .parse_line(text, &self.set)
            .unwrap_or_default();
        let mut tokens = Vec::new();
        let mut open = None;
        for (at, op) in ops {
            match op {
                ScopeStackOp::Push(scope) => {
                    let slot = self.scopes.iter().position(|&known| known == scope);
                    open = slot.map(|slot| (at, Slot::ALL[slot]));
                }
                _ => tokens.extend(open.take().map(|(start, slot)| (start..at, slot))),
            }
        }
        tokens
    }
}

fn definition(syntax: Syntax, rules: &[&[Rule]], scopes: &[Scope]) -> SyntaxDefinition {
    let mut context = Context::new(false);
    context.patterns = rules
        .concat()
        .iter()
        .map(|rule| pattern(*rule, scopes))
        .collect();
    SyntaxDefinition {
        name: format!("{syntax:?}"),
        file_extensions: Vec::new(),
        scope: Scope::default(),
        first_line_match: None,
        hidden: true,
        variables: HashMap::new(),
        // This is the context that a parser starts in.
        contexts: HashMap::from([("__start".to_owned(), context)]),
    }
}

fn pattern((regex, give): Rule, scopes: &[Scope]) -> Pattern {
    let scope = |slot: Slot| vec![scopes[slot as usize]];
    let (whole, groups) = match give {
        Skip => (Vec::new(), None),
        Whole(slot) => (scope(slot), None),
        Groups(slots) => {
            let groups = slots
                .iter()
                .enumerate()
                .map(|(i, &slot)| (i + 1, scope(slot)));
            (Vec::new(), Some(groups.collect()))
        }
    };
    // The flag is about references back into another match, which no rule makes.
    let refers_back = false;
    Pattern::Match(MatchPattern::new(
        refers_back,
        regex.to_owned(),
        whole,
        groups,
        MatchOperation::None,
        None,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_grammar_has_its_number_and_each_regex_compiles() {
        for (number, (syntax, rules)) in Syntax::ALL.into_iter().enumerate() {
            assert_eq!(syntax as usize, number);
            for (regex, _) in rules.concat() {
                let error = syntect::parsing::Regex::try_compile(regex);
                assert!(error.is_none(), "{regex}: {error:?}");
            }
        }
    }

    #[test]
    fn each_slot_has_its_number_and_scope() {
        let grammar = Grammar::new();
        for (number, slot) in Slot::ALL.into_iter().enumerate() {
            assert_eq!(slot as usize, number);
            assert!(!grammar.scopes[number].is_empty());
            assert!(!grammar.scopes[..number].contains(&grammar.scopes[number]));
        }
    }
}

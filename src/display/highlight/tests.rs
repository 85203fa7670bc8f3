use proptest::prelude::*;

use super::Slot::{
    Code, Comment, Constant, Emphasis, Fence, Heading, Key, Link, List, Number, Placeholder, Quote,
    Rule, Strong, Text,
};
use super::*;

/// Gives what a text's lines hold besides ordinary text.
fn found(text: &str, language: Language) -> Vec<(&str, Slot)> {
    let outline = Outline::new(text, language);
    Highlighter::new()
        .lines(text, &outline, 0..outline.line_count())
        .into_iter()
        .flatten()
        .filter(|(_, slot)| *slot != Text)
        .map(|(range, slot)| (&text[range], slot))
        .collect()
}

#[test]
fn markdown() {
    for (text, expected) in [
        ("plain", &[][..]),
        ("# Title", &[("# Title", Heading)]),
        ("#hashtag", &[]),
        ("a **b** c", &[("**b**", Strong)]),
        ("a *b* and _c_", &[("*b*", Emphasis), ("_c_", Emphasis)]),
        ("snake_case_name 2 * 3 * 4", &[]),
        ("`**x**` ``a`b``", &[("`**x**`", Code), ("``a`b``", Code)]),
        (r"\*no\* \`no\`", &[]),
        ("- one", &[("-", List)]),
        ("  2) [x] done", &[("2)", List), ("[x]", List)]),
        ("> said", &[("> said", Quote)]),
        ("> # T", &[(">", Quote), (" # T", Heading)]),
        ("[a](b) see", &[("[a](b)", Link)]),
        ("at https://x.org/a_b_c.", &[("https://x.org/a_b_c.", Link)]),
        ("a <!-- b --> c", &[("<!-- b -->", Comment)]),
        ("---", &[("---", Rule)]),
        ("* * *", &[("* * *", Rule)]),
        ("hi {{ user }}!", &[("{{ user }}", Placeholder)]),
        (
            "{% if a %}{# b #}",
            &[("{% if a %}", Placeholder), ("{# b #}", Comment)],
        ),
    ] {
        assert_eq!(found(text, Language::Markdown), expected, "{text}");
    }
}

#[test]
fn parts_inside_parts() {
    let text = "## Hi **{{ name }}**";
    let expected = [
        ("## Hi ", Heading),
        ("**", Strong),
        ("{{ name }}", Placeholder),
        ("**", Strong),
    ];
    assert_eq!(found(text, Language::Markdown), expected);
    let text = "`{{ a }}`";
    let expected = [("`", Code), ("{{ a }}", Placeholder), ("`", Code)];
    assert_eq!(found(text, Language::Markdown), expected);
}

#[test]
fn json() {
    let text = r#"{"a": ["x\"", -1.5e3, true, trueish], "b" : null}"#;
    let expected = [
        (r#""a""#, Key),
        (r#""x\"""#, Slot::String),
        ("-1.5e3", Number),
        ("true", Constant),
        (r#""b""#, Key),
        ("null", Constant),
    ];
    assert_eq!(found(text, Language::Json), expected);
    assert_eq!(
        found(r#""open \"#, Language::Json),
        [(r#""open \"#, Slot::String)]
    );
}

#[test]
fn yaml() {
    for (text, expected) in [
        ("name: plain words, 12 of them", &[("name", Key)][..]),
        (
            "- a: 12 # why",
            &[("- ", List), ("a", Key), ("12", Number), ("# why", Comment)],
        ),
        ("always: no", &[("always", Key), ("no", Constant)]),
        (
            "x: 'it' # c",
            &[("x", Key), ("'it'", Slot::String), ("# c", Comment)],
        ),
        ("x: a#b", &[("x", Key)]),
        ("x: {y: 1}", &[("x", Key), ("y", Key), ("1", Number)]),
        ("- one", &[("- ", List)]),
        ("--- ", &[("--- ", Fence)]),
    ] {
        assert_eq!(found(text, Language::Yaml), expected, "{text}");
    }
}

#[test]
fn blocks_of_lines() {
    let text = "---\nk: |\n  a: b\nn: 1\n---\n~~~~json\n[1]\n~~~\n~~~~\n```py\n# x\n```\n<!-- a\n# b\nc --> *d*\n# e";
    let expected = [
        ("---", Fence),
        ("k", Key),
        ("  a: b", Slot::String),
        ("n", Key),
        ("1", Number),
        ("---", Fence),
        ("~~~~json", Fence),
        ("1", Number),
        ("~~~~", Fence),
        ("```py", Fence),
        ("# x", Code),
        ("```", Fence),
        ("<!-- a", Comment),
        ("# b", Comment),
        ("c -->", Comment),
        ("*d*", Emphasis),
        ("# e", Heading),
    ];
    assert_eq!(found(text, Language::Markdown), expected);
}

#[test]
fn fences_in_lists_and_quotes() {
    let text = "- ```yaml\n  a: 1\n  ```\n> ```\n> x\n# after\n```\n> ```";
    let expected = [
        ("- ```yaml", Fence),
        ("a", Key),
        ("1", Number),
        ("  ```", Fence),
        ("> ```", Fence),
        ("> x", Code),
        ("# after", Heading),
        ("```", Fence),
        ("> ```", Code),
    ];
    assert_eq!(found(text, Language::Markdown), expected);
}

#[test]
fn front_matter_without_an_end_is_a_rule() {
    assert_eq!(
        found("---\n# a", Language::Markdown),
        [("---", Rule), ("# a", Heading)]
    );
}

#[test]
fn long_lines_come_plain() {
    let text = format!("# {}\n# b\r\n", "字".repeat(LONGEST_LINE));
    assert_eq!(found(&text, Language::Markdown), [("# b", Heading)]);
}

#[test]
fn an_outline_of_another_text_does_no_harm() {
    let outline = Outline::new("# some\n# longer text", Language::Markdown);
    let lines = Highlighter::new().lines("é", &outline, 0..9);
    assert_eq!(lines, [Vec::<Span>::new(), Vec::new()]);
}

proptest! {
    #[test]
    fn spans_cover_each_line(
        text in "([ \n*_`#>|:{}%\"'\\-\\[\\]()<!~\\\\]|[ab1漢é\u{301}\r]|\\*\\*|\\{\\{|\n```|\n\\PC){0,120}",
        language in prop_oneof![Just(Language::Markdown), Just(Language::Json), Just(Language::Yaml)],
    ) {
        let outline = Outline::new(&text, language);
        let highlighter = Highlighter::new();
        let lines = highlighter.lines(&text, &outline, 0..usize::MAX);
        prop_assert_eq!(lines.len(), text.split_terminator('\n').count());
        let mut start = 0;
        for (spans, line) in lines.iter().zip(text.split_terminator('\n')) {
            let mut at = start;
            for (range, _) in spans {
                prop_assert_eq!(range.start, at);
                prop_assert!(range.end > at && text.get(range.clone()).is_some());
                at = range.end;
            }
            prop_assert_eq!(at, start + line.len());
            start = at + 1;
        }
        let last = lines.len().saturating_sub(1);
        prop_assert_eq!(&highlighter.lines(&text, &outline, last..last + 1)[..], &lines[last..]);
    }
}

//! Variables: `{{ name }}`, with blanks or without, dots reaching into tables.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use super::fence::without_verbatim;
use super::includes::SIZE;
use super::loader::fault;
use super::{Built, FaultKind, Fence, FenceLine, SettingsPlace};

/// Where a value comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ValueOrigin {
    /// A file of settings.
    Settings(SettingsPlace),
    /// The scenario in force.
    Scenario,
    /// The command line.
    CommandLine,
    /// It was edited on the screen, and is written nowhere.
    Screen,
    /// The turn's clock and zone.
    Clock,
    /// The prompt's own front matter.
    FrontMatter,
}

impl ValueOrigin {
    /// Gives the word for it.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Settings(_) => "settings",
            Self::Scenario => "scenario",
            Self::CommandLine => "command line",
            Self::Screen => "edited here",
            Self::Clock => "clock",
            Self::FrontMatter => "front matter",
        }
    }
}

/// A value with where it comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Given {
    /// The value.
    pub value: String,
    /// Where it comes from.
    pub origin: ValueOrigin,
}

/// The values, by their dotted names.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Variables {
    values: BTreeMap<String, Given>,
}

/// A placeholder of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Use {
    /// The variable's name.
    pub name: String,
    /// The file below the folder of prompts.
    pub path: Arc<str>,
    /// The line of the file, from 1.
    pub line: usize,
    /// What was put in; `None` where there is no value.
    pub given: Option<Given>,
}

impl Variables {
    /// Sets a value by its dotted name; what was set before is replaced.
    pub fn set(&mut self, name: &str, value: &str, origin: ValueOrigin) {
        let value = value.to_owned();
        self.values.insert(name.to_owned(), Given { value, origin });
    }

    /// Gives a value by its dotted name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Given> {
        self.values.get(name)
    }

    /// Lists the values by their names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Given)> {
        let values = self.values.iter();
        values.map(|(name, given)| (name.as_str(), given))
    }

    /// Puts the values into a text, in one pass: what a value holds stands as it is. A placeholder without
    /// a value stays, and so does each in a fenced block whose first line says `verbatim`.
    pub(super) fn fill(&self, built: &mut Built) {
        self.fill_with(built, &|_, given| given.value.clone(), &str::to_owned);
    }

    /// Does the same with what `put` makes of a name and its value, and `keep` of the text between.
    pub fn fill_with(
        &self,
        built: &mut Built,
        put: &dyn Fn(&str, &Given) -> String,
        keep: &dyn Fn(&str) -> String,
    ) {
        let declared = built.declared.clone();
        let default = |name: &str| {
            let own = declared.variables.iter().find(|it| it.name == name);
            let value = own.and_then(|own| own.default.clone())?;
            let origin = ValueOrigin::FrontMatter;
            Some(Given { value, origin })
        };
        let mut uses = Vec::new();
        let mut faults = Vec::new();
        let mut fence = Fence::default();
        let mut bytes = 0;
        for line in &mut built.lines {
            if fence.opens_verbatim(&line.text) {
                fence.take(&line.text);
                line.text = keep(&without_verbatim(&line.text));
                continue;
            }
            let found = placeholders(&line.text);
            let is_verbatim = fence.take(&line.text) == (FenceLine::Inside { is_verbatim: true });
            if found.is_empty() || is_verbatim {
                line.text = keep(&line.text);
                continue;
            }
            let mut text = String::new();
            let mut end = 0;
            for (range, name) in found {
                let given = self.get(&name).cloned().or_else(|| default(&name));
                text.push_str(&keep(&line.text[end..range.start]));
                text.push_str(&match &given {
                    Some(given) => put(&name, given),
                    None => keep(&line.text[range.clone()]),
                });
                end = range.end;
                if given.is_none() {
                    let own = declared.variables.iter().find(|it| it.name == name);
                    let kind = if own.is_some_and(|own| own.is_required) {
                        FaultKind::Required(name.clone())
                    } else {
                        FaultKind::Undefined(name.clone())
                    };
                    let is_component =
                        name.starts_with("component_") || name.starts_with("component.");
                    if !is_component {
                        faults.push(fault(kind, line, range.start));
                    }
                }
                let (path, number) = line.place_at(range.start);
                uses.push(Use {
                    name,
                    path,
                    line: number,
                    given,
                });
            }
            text.push_str(&keep(&line.text[end..]));
            bytes += text.len();
            if bytes > SIZE {
                faults.push(fault(FaultKind::TooLarge(SIZE), line, 0));
                break;
            }
            line.text = text;
        }
        built.uses = uses;
        built.faults.append(&mut faults);
        // A value of several lines makes several lines of one.
        let lines = std::mem::take(&mut built.lines).into_iter();
        built.lines = lines
            .flat_map(|line| {
                let parts: Vec<String> = line.text.split('\n').map(str::to_owned).collect();
                parts.into_iter().map(move |text| super::BuiltLine {
                    text,
                    path: line.path.clone(),
                    line: line.line,
                    part: line.part.clone(),
                    pieces: Vec::new(),
                })
            })
            .collect();
    }
}

/// Tells whether a text can be a variable's name: letters, digits, `_`, and dots within.
#[must_use]
pub fn is_name(text: &str) -> bool {
    text.chars()
        .all(|c| c.is_alphanumeric() || c == '_' || c == '.')
        && text.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && !text.ends_with('.')
}

/// Finds the placeholders of a line: `{{`, blanks, a name of letters, digits, `_` and dots, blanks, `}}`.
pub(super) fn placeholders(line: &str) -> Vec<(Range<usize>, String)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = line[at..].find("{{").map(|start| at + start) {
        let inner = &line[start + 2..];
        let Some(length) = inner.find("}}") else {
            break;
        };
        let name = inner[..length].trim();
        if is_name(name) {
            let end = start + 2 + length + 2;
            found.push((start..end, name.to_owned()));
            at = end;
        } else {
            at = start + 1;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::Prompt;

    fn filled(text: &str, values: &[(&str, &str)]) -> Built {
        let mut variables = Variables::default();
        for (name, value) in values {
            variables.set(name, value, ValueOrigin::CommandLine);
        }
        let prompt = Prompt::read("p.md", text);
        let mut built = Built {
            lines: prompt.lines,
            declared: prompt.declared,
            ..Built::default()
        };
        variables.fill(&mut built);
        built
    }

    #[test]
    fn values_are_put_in_once_and_verbatim() {
        for (text, wanted) in [
            ("Hi {{name}}!", "Hi Mei!\n"),
            ("{{ name }}{{name}}", "MeiMei\n"),
            ("{{ user.name }}", "Ann\n"),
            ("{{ unknown }}", "{{ unknown }}\n"),
            ("{{ not a name }} {{", "{{ not a name }} {{\n"),
            ("{{{name}}}", "{Mei}\n"),
            ("Say {{x}}", "Say {# {{name}} <b> <!-- INCLUDE a.md -->\n"),
            ("{{lines}}.", "one\ntwo.\n"),
        ] {
            let values = [
                ("name", "Mei"),
                ("user.name", "Ann"),
                ("x", "{# {{name}} <b> <!-- INCLUDE a.md -->"),
                ("lines", "one\ntwo"),
            ];
            assert_eq!(filled(text, &values).text(), wanted, "{text}");
        }
    }

    #[test]
    fn a_fenced_block_can_keep_its_placeholders() {
        let text = "```\n{{name}}\n```\n```jinja verbatim\n{{name}} {{other}}\n```\n{{name}}\n";
        let built = filled(text, &[("name", "Mei")]);
        let wanted = "```\nMei\n```\n```jinja\n{{name}} {{other}}\n```\nMei\n";
        assert_eq!(built.text(), wanted);
        assert_eq!((built.faults.len(), built.uses.len()), (0, 2));
    }

    #[test]
    fn values_do_not_grow_a_text_without_end() {
        let value = "a b ".repeat(50_000);
        let built = filled(&"{{ x }}\n".repeat(2000), &[("x", &value)]);
        assert!(built.text().len() < 2 * SIZE, "{}", built.text().len());
        let kinds: Vec<&FaultKind> = built.faults.iter().map(|it| &it.kind).collect();
        assert_eq!(kinds, [&FaultKind::TooLarge(SIZE)]);
    }

    #[test]
    fn a_use_says_where_its_value_comes_from() {
        let built = filled(
            "---\nvariables: {a: 1, b: 2}\n---\n{{a}} {{b}} {{c}}\n",
            &[("b", "x")],
        );
        let origins: Vec<_> = built
            .uses
            .iter()
            .map(|it| it.given.as_ref().map(|given| given.origin.clone()))
            .collect();
        let wanted = [
            Some(ValueOrigin::FrontMatter),
            Some(ValueOrigin::CommandLine),
            None,
        ];
        assert_eq!(origins, wanted);
    }

    #[test]
    fn defaults_and_what_is_required() {
        let text =
            "---\nvariables: {a: {default: x}, b: {required: true}}\n---\n{{a}} {{b}} {{c}}\n";
        let built = filled(text, &[]);
        assert_eq!(built.text(), "x {{b}} {{c}}\n");
        let faults: Vec<String> = built.faults.iter().map(ToString::to_string).collect();
        assert_eq!(faults.len(), 2);
        assert!(
            faults[0].starts_with("p.md:4: the variable \"b\" is required"),
            "{faults:?}"
        );
        assert!(!built.is_whole());
        assert!(filled(text, &[("b", "y")]).is_whole());
        assert_eq!(
            filled(text, &[("a", "z"), ("b", "y")]).text(),
            "z y {{c}}\n"
        );
    }

    #[test]
    fn a_placeholder_holds_a_name_and_nothing_else() {
        for (line, wanted) in [
            ("a {{b}} {{ c.d_1 }}", &[(2..7, "b"), (8..19, "c.d_1")][..]),
            ("{{{b}}}", &[(1..6, "b")]),
            ("{{ {{b}}", &[(3..8, "b")]),
            ("{{_b}} {{é}}", &[(0..6, "_b"), (7..13, "é")]),
            ("{{ b. }} {{.b}} {{1}} {{b c}} {{b-c}} {{}}", &[]),
            ("{{b} {b}} {{b", &[]),
        ] {
            let found = placeholders(line);
            let found: Vec<_> = found
                .iter()
                .map(|(range, name)| (range.clone(), name.as_str()))
                .collect();
            assert_eq!(found, wanted, "{line}");
        }
    }

    #[test]
    fn a_placeholder_without_a_value_is_told_unless_it_is_a_components() {
        let built = filled("{{a}} {{component_2}} {{component.b}} {{components}}", &[]);
        let faults: Vec<_> = built.faults.into_iter().map(|fault| fault.kind).collect();
        let undefined = |name: &str| FaultKind::Undefined(name.to_owned());
        assert_eq!(faults, [undefined("a"), undefined("components")]);
        assert_eq!(built.uses.len(), 4);
    }

    #[test]
    fn values_are_listed_by_their_names_with_where_they_come_from() {
        let mut variables = Variables::default();
        variables.set("b", "1", ValueOrigin::Scenario);
        variables.set("a", "2", ValueOrigin::Screen);
        variables.set("b", "3", ValueOrigin::Clock);
        let listed: Vec<_> = variables
            .iter()
            .map(|(name, given)| (name, given.value.as_str(), given.origin.name()))
            .collect();
        assert_eq!(listed, [("a", "2", "edited here"), ("b", "3", "clock")]);
        let settings = ValueOrigin::Settings(SettingsPlace::default());
        assert_eq!(settings.name(), "settings");
        assert_eq!(ValueOrigin::Scenario.name(), "scenario");
        assert_eq!(ValueOrigin::CommandLine.name(), "command line");
        assert_eq!(ValueOrigin::FrontMatter.name(), "front matter");
    }
}

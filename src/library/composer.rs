//! Compositions: a main prompt in which components stand, by number or by name.

use std::ops::Range;

use super::loader::fault;
use super::{
    Built, BuiltLine, Composition, FaultKind, Fence, FenceLine, Library, includes, variables,
};

/// The folder of components, below that of prompts.
const FOLDER: &str = "components";

/// Puts the components into the main prompt: `{{component_1}}` is the first, and `{{component.NAME}}` the one
/// of that name. A component that is missing leaves its placeholder.
pub(super) fn composed(library: &Library, composition: &Composition) -> Built {
    let mut main = includes::expanded(library, &composition.main);
    let mut out = Vec::new();
    let mut fence = Fence::default();
    let mut components = 0;
    'lines: for line in std::mem::take(&mut main.lines) {
        if fence.take(&line.text) == (FenceLine::Inside { is_verbatim: true }) {
            out.push(line);
            continue;
        }
        let mut rest = line;
        let mut from = 0;
        while let Some((range, name)) = next(composition, &rest.text, from) {
            let built = name
                .as_ref()
                .ok()
                .map(|name| includes::expanded(library, &format!("{FOLDER}/{name}")));
            let missing = match (&name, &built) {
                (Err(number), _) => Some(number.clone()),
                (Ok(name), Some(built)) if built.lines.is_empty() => Some(name.clone()),
                _ => None,
            };
            if let Some(missing) = missing {
                let kind = FaultKind::NoComponent(missing);
                main.faults.push(fault(kind, &rest, range.start));
                from = range.end;
                continue;
            }
            let mut inner = built.unwrap_or_default();
            components += 1;
            if let Some(file) = inner.files.first() {
                BuiltLine::put_into(&mut inner.lines, components, file);
            }
            main.faults.append(&mut inner.faults);
            for file in inner.files {
                if !main.files.contains(&file) {
                    main.files.push(file);
                }
            }
            // Components hold no placeholders of components: only what stood behind is looked at.
            let (mut lines, kept) = rest.with(&range, inner.lines);
            let Some(last) = lines.pop() else {
                continue 'lines;
            };
            out.extend(lines);
            rest = last;
            from = kept;
        }
        out.push(rest);
    }
    main.lines = out;
    main
}

/// Finds the next placeholder of a component from a byte of a line on.
fn next(
    composition: &Composition,
    line: &str,
    from: usize,
) -> Option<(Range<usize>, Result<String, String>)> {
    let found = variables::placeholders(&line[from..]).into_iter();
    let mut found = found.map(|(range, name)| (range.start + from..range.end + from, name));
    found.find_map(|(range, name)| Some((range, component(composition, &name)?)))
}

/// Finds the component that a placeholder stands for; `None` where it stands for something else, an error
/// where there is no such number.
fn component(composition: &Composition, placeholder: &str) -> Option<Result<String, String>> {
    if let Some(name) = placeholder.strip_prefix("component.") {
        return Some(Ok(name.to_owned()));
    }
    let number: usize = placeholder.strip_prefix("component_")?.parse().ok()?;
    let found = number
        .checked_sub(1)
        .and_then(|at| composition.components.get(at));
    Some(found.cloned().ok_or_else(|| placeholder.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::{LibrarySettings, Sources};
    use crate::workspace::read::FileRead;

    fn built(main: &str, components: &[&str]) -> Built {
        let files = [
            ("main.md", main),
            ("components/tone.md", "Be kind.\nAlways.\n"),
            (
                "components/rules.md",
                "Rule {{ component_1 }} of {{ name }}.\n",
            ),
        ];
        let files = files.map(|(path, text)| (path.to_owned(), FileRead::Text(text.into())));
        let composition = Composition {
            main: "main".into(),
            components: components.iter().map(|name| (*name).to_owned()).collect(),
            ..Composition::default()
        };
        let library = Library {
            sources: Sources::of(files),
            settings: LibrarySettings {
                compositions: [("whole".to_owned(), composition)].into(),
                ..LibrarySettings::default()
            },
        };
        library.build("whole", None)
    }

    #[test]
    fn components_stand_by_number_and_by_name() {
        let whole = built("A {{component_1}} B\n{{ component.rules }}\n", &["tone"]);
        assert_eq!(
            whole.text(),
            "A Be kind.\nAlways. B\nRule {{ component_1 }} of {{ name }}.\n"
        );
        assert!(whole.is_whole());
        let both = built("{{component_1}}{{component_2}}", &["tone", "tone"]);
        assert_eq!(both.text(), "Be kind.\nAlways.Be kind.\nAlways.\n");
    }

    #[test]
    fn what_stands_beside_a_component_keeps_its_place() {
        let built = built(
            "{{ component_1 }} {{ component.nope }} {{ own }}\n",
            &["rules"],
        );
        assert_eq!(
            built.text(),
            "Rule {{ component_1 }} of {{ name }}. {{ component.nope }} {{ own }}\n"
        );
        let missing = &built.faults[0];
        assert_eq!(
            missing.to_string(),
            "main.md:1: there is no component \"nope\", and its placeholder stays"
        );
        let names = built.uses.iter().map(|it| (it.name.as_str(), &*it.path));
        let names: Vec<(&str, &str)> = names
            .filter(|(name, _)| !name.starts_with("comp"))
            .collect();
        assert_eq!(names, [("name", "components/rules.md"), ("own", "main.md")]);
    }

    #[test]
    fn a_missing_component_leaves_its_placeholder_and_warns() {
        for (main, components) in [
            ("x {{component_2}} y", &["tone"][..]),
            ("x {{component_0}} y", &["tone"]),
            ("x {{component_1}} y", &["none"]),
            ("x {{component.none}} y", &["tone"]),
            ("x {{component_2}}", &["tone"]),
        ] {
            let whole = built(main, components);
            assert_eq!(whole.text(), format!("{main}\n"));
            assert!(whole.is_whole());
            assert!(
                whole
                    .faults
                    .iter()
                    .all(|fault| matches!(fault.kind, FaultKind::NoComponent(_)))
            );
            assert_eq!(whole.faults.len(), 1);
        }
    }

    #[test]
    fn a_component_is_a_part_of_its_own_each_time_and_a_file_once() {
        let whole = built(
            "Top\n{{component_1}}\n{{component_1}}\n{{component.rules}}",
            &["tone"],
        );
        let parts: Vec<_> = whole
            .lines
            .iter()
            .map(|line| line.part.as_ref().map(|part| (part.number, &*part.path)))
            .collect();
        let tone = |number| Some((number, "components/tone.md"));
        let rules = Some((3, "components/rules.md"));
        assert_eq!(parts, [None, tone(1), tone(1), tone(2), tone(2), rules]);
        let files: Vec<&str> = whole.files.iter().map(|file| &**file).collect();
        assert_eq!(
            files,
            ["main.md", "components/tone.md", "components/rules.md"]
        );
    }

    #[test]
    fn a_verbatim_block_keeps_its_components() {
        let text = "``` verbatim\n{{component_1}}\n```\n{{component_1}}";
        assert_eq!(
            built(text, &["tone"]).text(),
            "```\n{{component_1}}\n```\nBe kind.\nAlways.\n"
        );
    }
}

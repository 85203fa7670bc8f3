//! The variables of a built text: values, where each comes from, and where it is used.

use std::path::PathBuf;

use crate::app::View;
use crate::library::{Built, ValueOrigin};

/// A variable of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VariableLine {
    /// Its name.
    pub name: String,
    /// Its value; `None` where it has none.
    pub value: Option<String>,
    /// Where the value comes from, for people.
    pub origin: String,
    /// Whether it was edited on the screen.
    pub is_edited: bool,
    /// Where it is first used; `None` where it is declared and not used.
    pub place: Option<String>,
    /// How often it is used.
    pub count: usize,
    /// The file that sets it and the line, or else those where it is first used.
    pub edited_at: (PathBuf, Option<usize>),
}

/// Lists the variables of a text, in the order of their first use, and those that are declared and not
/// used after them.
#[must_use]
pub fn variables(view: &View, built: &Built) -> Vec<VariableLine> {
    let folder = &view.catalog.library.sources.folder;
    let main = built.files.first().map_or("", AsRef::as_ref);
    let declared_at = |name: &str| {
        let mut declared = built.declared.variables.iter();
        let line = declared.find(|it| it.name == name).map(|it| it.line);
        (folder.join(main), line)
    };
    let mut lines: Vec<VariableLine> = Vec::new();
    for it in &built.uses {
        if let Some(line) = lines.iter_mut().find(|line| line.name == it.name) {
            line.count += 1;
            continue;
        }
        let given = it.given.as_ref();
        lines.push(VariableLine {
            name: it.name.clone(),
            value: given.map(|given| given.value.clone()),
            origin: given.map_or_else(String::new, |given| origin(view, &given.origin)),
            is_edited: given.is_some_and(|given| given.origin == ValueOrigin::Screen),
            place: Some(format!("{}:{}", it.path, it.line)),
            count: 1,
            edited_at: match given.map(|given| &given.origin) {
                Some(ValueOrigin::Settings(place)) => (place.path.clone(), place.line),
                Some(ValueOrigin::FrontMatter) => declared_at(&it.name),
                _ => (folder.join(&*it.path), Some(it.line)),
            },
        });
    }
    for declared in &built.declared.variables {
        if lines.iter().all(|line| line.name != declared.name) {
            lines.push(VariableLine {
                name: declared.name.clone(),
                value: declared.default.clone(),
                origin: "front matter".to_owned(),
                is_edited: false,
                place: None,
                count: 0,
                edited_at: declared_at(&declared.name),
            });
        }
    }
    lines
}

fn origin(view: &View, origin: &ValueOrigin) -> String {
    match origin {
        ValueOrigin::Settings(place) => {
            let path = view.workspace.relative(&place.path);
            let line = place.line.map(|line| format!(":{line}"));
            path + &line.unwrap_or_default()
        }
        other => other.name().to_owned(),
    }
}

//! What the settings say of prompts as a whole: names that two things have, values that go out of date, and
//! what was compiled last.

use super::library::{at_settings, settings_place, source_path};
use super::{Finding, Subject, finding};
use crate::library::{MANIFEST, SourceKind, ValueOrigin};

/// Checks them.
pub(super) fn check(subject: &Subject, found: &mut Vec<Finding>) {
    let Some(library) = subject.library else {
        return;
    };
    let catalog = library.catalog;
    if let Some(problem) = &catalog.manifest_problem {
        let fix = "put it back from version control, or delete it: then every target counts as there before";
        found.push(finding("manifest-invalid", problem.as_str(), fix).on_line(MANIFEST, 1));
    }
    for (index, entry) in catalog.entries.iter().enumerate() {
        let mut others = catalog.entries[index + 1..].iter();
        let other = others.find(|other| other.name == entry.name && other.kind != entry.kind);
        let is_first = catalog.entries[..index]
            .iter()
            .all(|before| (&before.name, before.kind) != (&entry.name, entry.kind));
        if let (Some(other), true, true) = (other, is_first, entry.kind != SourceKind::Prompt) {
            let message = format!(
                "the {} {} has the name of a {} too, which cannot be asked for by it",
                entry.kind.name(),
                entry.name,
                other.kind.name()
            );
            let taken = finding("name-taken", message, "give one of them another name");
            found.push(match settings_place(catalog, entry) {
                Some(place) => at_settings(subject, taken, place),
                None => taken,
            });
        }
    }
    for planned in &catalog.planned {
        for it in &planned.built.uses {
            let origin = it.given.as_ref().map(|given| &given.origin);
            if origin == Some(&ValueOrigin::Clock) {
                let message = format!(
                    "{{{{ {} }}}} is of the moment of compiling: the file is out of date soon after",
                    it.name
                );
                let fix = "leave it out: the runtime context of each message tells the time";
                let path = source_path(subject, catalog, &it.path);
                found.push(finding("volatile-text", message, fix).on_line(&path, it.line));
            }
        }
    }
}

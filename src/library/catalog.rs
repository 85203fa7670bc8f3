//! Everything that the library makes, built once for whoever shows, counts or checks it.

use std::path::Path;
use std::sync::Arc;

use super::{Built, Library, Planned, SourceKind, Sources};

/// The library with all that it makes.
#[derive(Debug, Clone, PartialEq)]
pub struct Catalog {
    /// The sources and the settings.
    pub library: Library,
    /// Every prompt, every composition and every variant of every experiment, built.
    pub entries: Vec<Entry>,
    /// The files that are compiled.
    pub planned: Vec<Planned>,
    /// Why what was compiled last cannot be read.
    pub manifest_problem: Option<String>,
}

/// Something that the library makes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its name.
    pub name: String,
    /// What the name stands for.
    pub kind: SourceKind,
    /// The variant, where it is one of an experiment.
    pub variant: Option<String>,
    /// What it becomes.
    pub built: Arc<Built>,
}

impl Library {
    /// Builds everything. `planned` tells how the targets stand to what the settings alone make of their
    /// sources: values that are tried out make no target out of date.
    #[must_use]
    pub fn catalog(self, planned: Vec<Planned>) -> Catalog {
        let mut entries = Vec::new();
        let mut add = |name: &str, kind: SourceKind, variant: Option<&str>| {
            entries.push(Entry {
                name: name.to_owned(),
                kind,
                variant: variant.map(str::to_owned),
                built: Arc::new(match kind {
                    // A file goes by its own name here, whatever else is called like it.
                    SourceKind::Prompt => self.build_prompt(name),
                    _ => self.build(name, variant),
                }),
            });
        };
        for name in self.settings.compositions.keys() {
            add(name, SourceKind::Composition, None);
        }
        for (name, experiment) in &self.settings.experiments {
            for variant in &experiment.variants {
                add(name, SourceKind::Experiment, Some(&variant.name));
            }
        }
        for path in self.sources.files.keys() {
            // Without its ending a file is asked for by another name where that ends in `.md` too.
            let name = path.strip_suffix(".md");
            let name = name.filter(|name| Sources::file_of(name) == *path);
            add(name.unwrap_or(path), SourceKind::Prompt, None);
        }
        Catalog {
            library: self,
            entries,
            planned,
            manifest_problem: None,
        }
    }
}

impl Entry {
    /// Gives the file of a prompt, below the folder of prompts.
    #[must_use]
    pub fn path(&self) -> String {
        Sources::file_of(&self.name)
    }
}

impl Library {
    /// Builds an entry of the catalog up to its variables.
    #[must_use]
    pub fn unfilled_entry(&self, entry: &Entry) -> Built {
        match entry.kind {
            SourceKind::Prompt => self.unfilled_prompt(&entry.name),
            _ => self.unfilled(&entry.name, entry.variant.as_deref()),
        }
    }
}

impl Catalog {
    /// Tells whether there is anything to show: a source, or something that the settings make of sources.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
            && self.planned.is_empty()
            && self.library.sources.outside.is_empty()
    }

    /// Tells whether a file is there to be put into others: it stands in `fragments` or `components`, or
    /// another file includes it.
    #[must_use]
    pub fn is_fragment(&self, path: &str) -> bool {
        let folder = path.split('/').next().unwrap_or_default();
        let is_there = matches!(folder, "fragments" | "components") && path.contains('/');
        let prompts = self
            .entries
            .iter()
            .filter(|it| it.kind == SourceKind::Prompt);
        let mut included = prompts.flat_map(|it| it.built.files.iter().skip(1));
        is_there || included.any(|file| **file == *path)
    }

    /// Gives what a target would hold if it were compiled with the values that are in force here.
    #[must_use]
    pub fn made(&self, planned: &Planned) -> Arc<Built> {
        let entry = self.entry_of(planned);
        entry.map_or_else(|| Arc::new(planned.built.clone()), |it| it.built.clone())
    }

    /// Finds the entry that a target is compiled from.
    #[must_use]
    pub fn entry_of(&self, planned: &Planned) -> Option<&Entry> {
        let kind = self.library.kind(&planned.source);
        let mut entries = self.entries.iter();
        entries.find(|it| {
            it.kind == kind && it.name == planned.source && it.variant == planned.variant
        })
    }

    /// Finds what a file's line was made from, where the file is a target that is in date: the source's
    /// file below the folder of prompts, and its line.
    #[must_use]
    pub fn source_of(&self, target: &Path, line: usize) -> Option<(&str, usize)> {
        let mut planned = self.planned.iter();
        let planned = planned.find(|it| it.target == target && it.is_in_date())?;
        let built = planned.built.lines.get(line.checked_sub(1)?)?;
        Some((&built.path, built.line))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::{
        Composition, Experiment, FaultKind, LibrarySettings, Manifest, SettingsPlace, Sources,
        Target, ValueOrigin, Variant,
    };
    use crate::workspace::read::FileRead;

    fn catalog(now: &str) -> Catalog {
        let files = [
            ("agents.md", "a\n<!-- INCLUDE shared.md -->\n"),
            ("shared.md", "one\ntwo\n"),
            ("fragments/alone.md", "x\n"),
            ("support/refund.md", "y\n"),
        ];
        let files = files.map(|(path, text)| (path.to_owned(), FileRead::Text(text.into())));
        let library = Library {
            sources: Sources::of(files),
            settings: LibrarySettings {
                targets: vec![Target {
                    source: "agents".into(),
                    target: "AGENTS.md".into(),
                    variant: None,
                    place: SettingsPlace::default(),
                }],
                ..LibrarySettings::default()
            },
        };
        let planned = library.plan(&Manifest::default(), |_| Some(now.as_bytes().to_vec()));
        library.catalog(planned)
    }

    #[test]
    fn a_line_of_a_target_in_date_leads_to_its_fragment() {
        let target = Path::new("AGENTS.md");
        let in_date = catalog("a\none\ntwo\n");
        assert_eq!(in_date.source_of(target, 1), Some(("agents.md", 1)));
        assert_eq!(in_date.source_of(target, 3), Some(("shared.md", 2)));
        assert_eq!(in_date.source_of(target, 4), None);
        assert_eq!(in_date.source_of(Path::new("SOUL.md"), 1), None);
        assert_eq!(catalog("other\n").source_of(target, 1), None);
    }

    #[test]
    fn fragments_are_what_others_include_and_what_stands_in_their_folders() {
        let catalog = catalog("");
        let paths = [
            "agents.md",
            "shared.md",
            "fragments/alone.md",
            "support/refund.md",
        ];
        let fragments = paths.map(|path| catalog.is_fragment(path));
        assert_eq!(fragments, [false, true, true, false]);
        assert_eq!(catalog.entries.len(), 4);
    }

    /// Two experiments with variants of the same names, and a composition that is called like a file.
    fn experiments(value: &str) -> Catalog {
        let files = [
            ("brief.md", "Brief {{ value }}.\n"),
            ("warm.md", "Warm.\nKind.\n"),
            ("broken.md", "<!-- INCLUDE none.md -->\n"),
            ("whole.md", "The file.\n"),
        ];
        let files = files.map(|(path, text)| (path.to_owned(), FileRead::Text(text.into())));
        let experiment = |first: &str, second: &str| {
            let variant = |(name, prompt): (&str, &str)| Variant {
                name: name.into(),
                prompt: prompt.into(),
                weight: 0.5,
            };
            Experiment {
                variants: [("A", first), ("B", second)].map(variant).into(),
                ..Experiment::default()
            }
        };
        let composition = |main: &str| Composition {
            main: main.into(),
            ..Composition::default()
        };
        let target = |(source, target): (&str, &str)| Target {
            source: source.into(),
            target: target.into(),
            variant: None,
            place: SettingsPlace::default(),
        };
        let targets = [
            ("tone", "SOUL.md"),
            ("whole", "USER.md"),
            ("warm", "TOOLS.md"),
            ("broken", "AGENTS.md"),
        ];
        let mut library = Library {
            sources: Sources::of(files),
            settings: LibrarySettings {
                compositions: [
                    ("all".to_owned(), composition("warm")),
                    ("whole".to_owned(), composition("brief")),
                ]
                .into(),
                experiments: [
                    ("mood".to_owned(), experiment("whole", "broken")),
                    ("tone".to_owned(), experiment("brief", "warm")),
                ]
                .into(),
                targets: targets.map(target).into(),
                ..LibrarySettings::default()
            },
        };
        let set = |library: &mut Library, value: &str| {
            let variables = &mut library.settings.variables;
            variables.set("value", value, ValueOrigin::Screen);
        };
        set(&mut library, "as it is set");
        let planned = library.plan(&Manifest::default(), |_| None);
        set(&mut library, value);
        library.catalog(planned)
    }

    #[test]
    fn a_sender_gets_what_the_variant_and_the_values_make() {
        let catalog = experiments("now");
        // Which variants these get was computed by Python's hashlib.
        for (sender, soul, variants) in [
            (Some("user_4"), "Brief now.\n", &[("tone", "A")][..]),
            (Some("user_abc"), "Warm.\nKind.\n", &[("tone", "B")]),
            (None, "Brief now.\n", &[]),
        ] {
            let compiled = catalog.compiled(sender);
            let files: Vec<_> = compiled.files().collect();
            let wanted = [
                ("SOUL.md", soul),
                ("USER.md", "Brief now.\n"),
                ("TOOLS.md", "Warm.\nKind.\n"),
            ];
            let wanted = wanted.map(|(target, text)| (target.into(), text.to_owned()));
            assert_eq!(files, wanted, "{sender:?}");
            let got = compiled.variants.iter();
            let got: Vec<_> = got.map(|(it, own)| (it.as_str(), own.as_str())).collect();
            assert_eq!(got, variants);
        }
    }

    #[test]
    fn a_variant_that_the_settings_name_is_compiled_for_everybody() {
        let mut catalog = experiments("now");
        let soul = |catalog: &Catalog| {
            let compiled = catalog.compiled(Some("user_abc"));
            let (target, text) = compiled.files().next().unwrap();
            assert_eq!(target, Path::new("SOUL.md"));
            (text, compiled.variants.len())
        };
        // What is named for another target says nothing of this one.
        catalog.library.settings.targets[2].variant = Some("A".into());
        assert_eq!(soul(&catalog), ("Warm.\nKind.\n".to_owned(), 1));
        catalog.library.settings.targets[0].variant = Some("A".into());
        assert_eq!(soul(&catalog), ("Brief now.\n".to_owned(), 0));
    }

    #[test]
    fn a_line_of_what_is_compiled_leads_to_its_source() {
        let compiled = experiments("now").compiled(Some("user_abc"));
        let source_of = |target: &str, line| compiled.source_of(Path::new(target), line);
        assert_eq!(source_of("SOUL.md", 2), Some(("warm.md", 2)));
        assert_eq!(source_of("USER.md", 1), Some(("brief.md", 1)));
        assert_eq!(source_of("USER.md", 2), None);
        assert_eq!(source_of("USER.md", 0), None);
        assert_eq!(source_of("AGENTS.md", 1), None);
    }

    #[test]
    fn a_target_is_made_from_the_entry_of_its_source() {
        let catalog = experiments("now");
        let entries = catalog.planned.iter().map(|planned| {
            let entry = catalog.entry_of(planned).unwrap();
            assert_eq!(catalog.made(planned), entry.built);
            (entry.name.as_str(), entry.kind, entry.variant.as_deref())
        });
        let entries: Vec<_> = entries.collect();
        let wanted = [
            ("tone", SourceKind::Experiment, Some("A")),
            ("whole", SourceKind::Composition, None),
            ("warm", SourceKind::Prompt, None),
            ("broken", SourceKind::Prompt, None),
        ];
        assert_eq!(entries, wanted);
        let made = catalog.made(&catalog.planned[1]);
        assert_eq!(made.text(), "Brief now.\n");
        assert_eq!(catalog.planned[1].text, "Brief as it is set.\n");
        let kinds = &catalog.made(&catalog.planned[3]).faults;
        assert!(matches!(kinds[0].kind, FaultKind::NoInclude(_)));
        let mut gone = catalog.planned[1].clone();
        gone.source = "gone".into();
        assert_eq!(catalog.entry_of(&gone), None);
        assert_eq!(catalog.made(&gone).text(), "Brief as it is set.\n");
    }

    #[test]
    fn a_file_is_built_as_itself_though_a_composition_has_its_name() {
        let catalog = experiments("now");
        let texts = |kind| {
            let entries = catalog.entries.iter();
            let mut own = entries.filter(move |it| it.name == "whole" && it.kind == kind);
            own.next().unwrap().built.text()
        };
        assert_eq!(texts(SourceKind::Composition), "Brief now.\n");
        assert_eq!(texts(SourceKind::Prompt), "The file.\n");
        assert_eq!(catalog.entries[2].path(), "mood.md");
    }

    #[test]
    fn nothing_to_show_is_no_source_no_target_and_no_link_outside() {
        let empty = |files: &[&str], targets: bool, outside: &[&str]| {
            let files = files.iter().map(|it| (*it).to_owned());
            let mut sources = Sources::of(files.map(|it| (it, FileRead::Text("x".into()))));
            sources.outside = outside.iter().map(|it| (*it).to_owned()).collect();
            let settings = LibrarySettings::default();
            let library = Library { sources, settings };
            let planned = if targets { catalog("").planned } else { vec![] };
            library.catalog(planned).is_empty()
        };
        assert!(empty(&[], false, &[]));
        assert!(!empty(&["a.md"], false, &[]));
        assert!(!empty(&[], true, &[]));
        assert!(!empty(&[], false, &["link.md"]));
    }
}

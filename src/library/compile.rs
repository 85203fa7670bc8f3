//! The plan of a compile: what each target would hold, and whether it may be written.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

use super::{Built, Library, SourceKind};
use crate::python::{Dict, Value, json};
use crate::workspace::path_text;

/// How a target stands to its source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TargetState {
    /// It is what it should be.
    Same,
    /// There is none yet.
    New,
    /// It is what was written last, and its source has changed since.
    Stale,
    /// It was written, and changed by somebody else since.
    EditedByHand,
    /// It was never written from here.
    NotOurs,
}

impl TargetState {
    /// Tells whether somebody's own words stand there, which are not replaced unasked.
    #[must_use]
    pub fn is_theirs(self) -> bool {
        matches!(self, Self::EditedByHand | Self::NotOurs)
    }
}

/// One target of the plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Planned {
    /// The source's name.
    pub source: String,
    /// The file below the workspace.
    pub target: PathBuf,
    /// What it should hold; empty where the source cannot be built.
    pub text: String,
    /// What it holds now.
    pub now: Option<Vec<u8>>,
    /// How they stand to each other.
    pub state: TargetState,
    /// The variant that is compiled, where the source is an experiment.
    pub variant: Option<String>,
    /// The source as it was built: its lines with their places, and what is wrong with it.
    pub built: Built,
}

/// What was written last.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Manifest {
    /// The commit of the sources, where there is one.
    pub commit: Option<String>,
    /// Whether the sources differed from that commit.
    pub is_dirty: bool,
    /// The outputs by their target.
    pub outputs: BTreeMap<String, Output>,
}

/// What the manifest says of an output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// The source's name.
    pub source: String,
    /// The SHA-256 sum of the file.
    pub sha256: String,
    /// Its tokens.
    pub tokens: usize,
}

/// The file that says what was compiled last, below the workspace.
pub const MANIFEST: &str = "promptscope-manifest.json";

/// What the manifest says of its form.
const FORM: i64 = 1;

impl Library {
    /// Plans every target; `now` gives what a target holds.
    #[must_use]
    pub fn plan(
        &self,
        manifest: &Manifest,
        now: impl Fn(&Path) -> Option<Vec<u8>>,
    ) -> Vec<Planned> {
        let targets = self.settings.targets.iter();
        targets
            .map(|target| {
                let built = self.build(&target.source, target.variant.as_deref());
                let text = if built.is_whole() {
                    built.text()
                } else {
                    String::new()
                };
                let now = now(&target.target);
                let written = manifest.outputs.get(&path_text(&target.target));
                let state = match (&now, written) {
                    (None, _) => TargetState::New,
                    (Some(now), _) if *now == text.as_bytes() => TargetState::Same,
                    (Some(now), Some(written)) if sum(now) == written.sha256 => TargetState::Stale,
                    (Some(_), Some(_)) => TargetState::EditedByHand,
                    (Some(_), None) => TargetState::NotOurs,
                };
                let experiments = &self.settings.experiments;
                let first = experiments.get(&target.source);
                let first = first.filter(|_| self.kind(&target.source) == SourceKind::Experiment);
                let first = first.and_then(|it| it.variants.first());
                let variant = target.variant.clone();
                Planned {
                    source: target.source.clone(),
                    variant: variant.or_else(|| first.map(|first| first.name.clone())),
                    target: target.target.clone(),
                    text,
                    now,
                    state,
                    built,
                }
            })
            .collect()
    }
}

impl Planned {
    /// Tells whether the target holds what it should.
    #[must_use]
    pub fn is_in_date(&self) -> bool {
        self.state == TargetState::Same
    }

    /// Tells whether the source could be built.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.built.is_whole()
    }
}

/// Gives the SHA-256 sum of bytes, in small letters.
#[must_use]
pub fn sum(bytes: &[u8]) -> String {
    format!("{:x}", Sha256::digest(bytes))
}

impl Manifest {
    /// Writes the file's text.
    #[must_use]
    pub fn to_json(&self) -> String {
        let record = |fields: Vec<(&str, Value)>| {
            let fields: Dict = fields
                .into_iter()
                .map(|(key, value)| (Value::str(key), value))
                .collect();
            Value::Dict(fields)
        };
        let outputs = self.outputs.iter().map(|(target, output)| {
            let fields = vec![
                ("source", Value::str(output.source.as_str())),
                ("sha256", Value::str(output.sha256.as_str())),
                ("tokens", Value::Int(output.tokens.into())),
            ];
            (Value::str(target.as_str()), record(fields))
        });
        let manifest = record(vec![
            ("promptscope_manifest", Value::Int(FORM.into())),
            (
                "commit",
                self.commit.as_deref().map_or(Value::None, Value::str),
            ),
            ("dirty", Value::Bool(self.is_dirty)),
            ("outputs", Value::Dict(outputs.collect())),
        ]);
        json::dumps_pretty(&manifest) + "\n"
    }

    /// Reads the file's text; fails with a sentence.
    pub fn parse(text: &str) -> Result<Self, String> {
        let value = json::loads(text).map_err(|_| "it is no JSON".to_owned())?;
        if value.get("promptscope_manifest") != Some(&Value::Int(FORM.into())) {
            return Err("it is no manifest of this form".to_owned());
        }
        let outputs = value.get("outputs").and_then(Value::as_dict);
        let mut manifest = Self {
            commit: value
                .get("commit")
                .and_then(Value::as_str)
                .map(str::to_owned),
            is_dirty: value.get("dirty") == Some(&Value::Bool(true)),
            outputs: BTreeMap::new(),
        };
        for (target, output) in outputs.into_iter().flatten() {
            let text = |key: &str| output.get(key).and_then(Value::as_str).map(str::to_owned);
            let tokens = match output.get("tokens") {
                Some(Value::Int(tokens)) => usize::try_from(tokens).ok(),
                _ => None,
            };
            let (Some(source), Some(sha256), Some(tokens)) =
                (text("source"), text("sha256"), tokens)
            else {
                return Err(format!("the output {} is not whole", target.to_str()));
            };
            manifest.outputs.insert(
                target.to_str(),
                Output {
                    source,
                    sha256,
                    tokens,
                },
            );
        }
        Ok(manifest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::{LibrarySettings, SettingsPlace, Sources, Target};
    use crate::workspace::read::FileRead;

    fn state(now: Option<&str>, written: Option<&str>) -> TargetState {
        let library = Library {
            sources: Sources::of([("agents.md".to_owned(), FileRead::Text("new".into()))]),
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
        let output = written.map(|text| Output {
            source: "agents".into(),
            sha256: sum(text.as_bytes()),
            tokens: 1,
        });
        let manifest = Manifest {
            outputs: output
                .map(|output| ("AGENTS.md".to_owned(), output))
                .into_iter()
                .collect(),
            ..Manifest::default()
        };
        let plan = library.plan(&manifest, |_| now.map(|now| now.as_bytes().to_vec()));
        assert_eq!(plan[0].text, "new\n");
        plan[0].state
    }

    #[test]
    fn hand_edits_are_told_from_what_is_out_of_date() {
        assert_eq!(state(None, None), TargetState::New);
        assert_eq!(state(Some("new\n"), None), TargetState::Same);
        assert_eq!(state(Some("old\n"), Some("old\n")), TargetState::Stale);
        assert_eq!(
            state(Some("mine\n"), Some("old\n")),
            TargetState::EditedByHand
        );
        assert_eq!(state(Some("mine\n"), None), TargetState::NotOurs);
    }

    #[test]
    fn a_manifest_is_read_back_as_it_was_written() {
        let manifest = Manifest {
            commit: Some("abc".into()),
            is_dirty: true,
            outputs: [(
                "AGENTS.md".to_owned(),
                Output {
                    source: "agents".into(),
                    sha256: sum(b"x"),
                    tokens: 3,
                },
            )]
            .into(),
        };
        assert_eq!(Manifest::parse(&manifest.to_json()), Ok(manifest));
        assert!(Manifest::parse("{").is_err());
        assert!(Manifest::parse("{}").is_err());
        assert_eq!(
            sum(b""),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        );
    }
}

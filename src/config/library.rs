//! `[prompts]`, `[variables]`, `[compositions]`, `[experiments]` and `[[compile]]`.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use serde::Deserialize;

use super::ConfigText;
use super::places::place;
use crate::library::{
    Composition, Experiment, LibrarySettings, Salt, SettingsPlace, Target, ValueOrigin, Variables,
    Variant,
};

/// Where prompts are.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct PromptsTable {
    pub folder: Option<PathBuf>,
    pub outside: Option<bool>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CompositionTable {
    main: String,
    #[serde(default)]
    components: Vec<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ExperimentTable {
    variants: toml::Table,
    ratio: Option<f64>,
    #[serde(default)]
    weights: BTreeMap<String, f64>,
    #[serde(default)]
    salt: SaltName,
}

#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum SaltName {
    #[default]
    None,
    Experiment,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CompileTable {
    source: String,
    target: PathBuf,
    variant: Option<String>,
}

/// The tables together.
pub(super) struct LibraryTables<'a> {
    pub prompts: &'a PromptsTable,
    pub variables: &'a toml::Table,
    pub compositions: &'a BTreeMap<String, CompositionTable>,
    pub experiments: &'a BTreeMap<String, ExperimentTable>,
    pub compile: &'a [CompileTable],
}

/// How far weights may be from adding up to 1.
const ROUNDING: f64 = 1e-6;

/// Reads the tables; the error names the key. The files tell where each key stands.
pub(super) fn library(
    tables: &LibraryTables,
    files: &[ConfigText],
) -> Result<LibrarySettings, String> {
    let mut variables = Variables::default();
    for (keys, value) in flattened(tables.variables)? {
        let name = keys.join(".");
        let keys: Vec<&str> = std::iter::once("variables")
            .chain(keys.iter().map(String::as_str))
            .collect();
        variables.set(&name, &value, ValueOrigin::Settings(place(files, &keys)));
    }
    let compositions = tables.compositions.iter().map(|(name, table)| {
        let composition = Composition {
            main: table.main.clone(),
            components: table.components.clone(),
            place: place(files, &["compositions", name]),
        };
        (name.clone(), composition)
    });
    let mut experiments = BTreeMap::new();
    for (name, table) in tables.experiments {
        let experiment =
            experiment(table).map_err(|problem| format!("`experiments.{name}` {problem}"))?;
        let place = place(files, &["experiments", name]);
        let experiment = Experiment {
            place,
            ..experiment
        };
        experiments.insert(name.clone(), experiment);
    }
    let mut taken: BTreeMap<String, usize> = BTreeMap::new();
    for (index, table) in tables.compile.iter().enumerate() {
        let number = index + 1;
        // Some file systems tell no large letters from small ones.
        let target = table.target.to_string_lossy().to_lowercase();
        if let Some(other) = taken.insert(target, number) {
            return Err(format!(
                "`compile.{number}.target` is that of number {other} as well"
            ));
        }
        let Some(variant) = &table.variant else {
            continue;
        };
        let experiment = experiments.get(&table.source);
        let is_there = experiment
            .is_some_and(|it: &Experiment| it.variants.iter().any(|known| known.name == *variant));
        if !is_there {
            let source = &table.source;
            return Err(format!(
                "`compile.{number}.variant` names {variant:?}, which {source:?} has not"
            ));
        }
    }
    let targets = tables
        .compile
        .iter()
        .enumerate()
        .map(|(index, table)| target(table, index + 1, files))
        .collect::<Result<_, String>>()?;
    Ok(LibrarySettings {
        folder: tables.prompts.folder.clone(),
        allows_outside: tables.prompts.outside.unwrap_or(false),
        variables,
        compositions: compositions.collect(),
        experiments,
        targets,
    })
}

/// Lists the values of nested tables, each with the keys that lead to it.
pub(super) fn flattened(table: &toml::Table) -> Result<Vec<(Vec<String>, String)>, String> {
    let mut found = Vec::new();
    for (key, value) in table {
        match value {
            toml::Value::Table(inner) => {
                let inner = flattened(inner).map_err(|problem| {
                    problem.replacen("`variables.", &format!("`variables.{key}."), 1)
                })?;
                found.extend(inner.into_iter().map(|(mut keys, value)| {
                    keys.insert(0, key.clone());
                    (keys, value)
                }));
            }
            toml::Value::String(text) => found.push((vec![key.clone()], text.clone())),
            toml::Value::Array(_) => {
                return Err(format!(
                    "`variables.{key}` must be text, a number or a truth"
                ));
            }
            plain => found.push((vec![key.clone()], plain.to_string())),
        }
    }
    Ok(found)
}

fn experiment(table: &ExperimentTable) -> Result<Experiment, String> {
    let count = table.variants.len();
    let mut variants = Vec::new();
    for (index, (name, prompt)) in table.variants.iter().enumerate() {
        let prompt = prompt
            .as_str()
            .ok_or_else(|| format!("has a variant {name} that names no prompt"))?;
        let weight = match (table.ratio, table.weights.is_empty()) {
            (Some(_), false) => return Err("has a ratio and weights: give one of them".to_owned()),
            (Some(ratio), true) if count == 2 => [ratio, 1.0 - ratio][index],
            (Some(_), true) => {
                return Err(format!("has a ratio and {count} variants: give weights"));
            }
            (None, true) => even(count),
            (None, false) => *table
                .weights
                .get(name)
                .ok_or_else(|| format!("has no weight for {name}"))?,
        };
        if !(0.0..=1.0).contains(&weight) {
            return Err(format!(
                "gives {name} the share {weight}: shares are from 0 to 1"
            ));
        }
        variants.push(Variant {
            name: name.clone(),
            prompt: prompt.to_owned(),
            weight,
        });
    }
    if let Some(name) = table
        .weights
        .keys()
        .find(|name| !table.variants.contains_key(*name))
    {
        return Err(format!("weighs {name}, which is no variant"));
    }
    if count == 0 {
        return Err("has no variants".to_owned());
    }
    let sum: f64 = variants.iter().map(|variant| variant.weight).sum();
    if (sum - 1.0).abs() > ROUNDING {
        // Sums of decimal fractions have a tail that nobody wrote.
        let sum = (sum * 1e6).round() / 1e6;
        return Err(format!("has weights that add up to {sum}, not 1"));
    }
    Ok(Experiment {
        variants,
        salt: match table.salt {
            SaltName::None => Salt::None,
            SaltName::Experiment => Salt::Experiment,
        },
        place: SettingsPlace::default(),
    })
}

fn even(count: usize) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "there are few variants")]
    let count = count as f64;
    1.0 / count
}

fn target(table: &CompileTable, number: usize, files: &[ConfigText]) -> Result<Target, String> {
    let path = &table.target;
    let is_below = path
        .components()
        .all(|part| matches!(part, Component::Normal(_)));
    if !is_below || path == Path::new("") {
        return Err(format!(
            "`compile.{number}.target` {} must be a file below the workspace",
            path.display()
        ));
    }
    let is_markdown = path.extension().is_some_and(|ending| ending == "md");
    if !is_markdown {
        return Err(format!(
            "`compile.{number}.target` {} must be a Markdown file: nothing else is compiled",
            path.display()
        ));
    }
    Ok(Target {
        source: table.source.clone(),
        target: path.clone(),
        variant: table.variant.clone(),
        place: place(files, &["compile", &number.to_string()]),
    })
}

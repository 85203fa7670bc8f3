//! Renders a template as the reference's Jinja2 environment does, and keeps track of its lines.

use std::collections::BTreeMap;
use std::error::Error as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use minijinja::syntax::SyntaxConfig;
use minijinja::{AutoEscape, Environment, Error, ErrorKind, Value};

mod marks;

use super::provenance::{Origin, Span, Traced};
use crate::workspace::agent_error::AgentError;
use crate::workspace::read::FileRead;
use crate::workspace::templates::Templates;
use marks::{Marks, holds_marks};

/// Renders a template by name, such as `agent/identity.md`, with the given values.
///
/// Blocks are trimmed and stripped on the left, nothing is escaped, the final line end is dropped.
/// Fails as Jinja2 does on a template that is missing or broken.
pub(super) fn render(
    templates: &Templates,
    name: &str,
    values: &[(&str, Traced)],
) -> Result<Traced, AgentError> {
    let texts = reached(templates, name);
    let plain_values = || {
        let values = values.iter();
        values.map(|(key, value)| (*key, Value::from(value.text())))
    };
    // A template may name another in a way that is not seen before it is rendered.
    let plain = rendered(texts.iter().copied(), name, plain_values().collect())
        .or_else(|_| rendered(all(templates), name, plain_values().collect()))
        .map_err(|error| raised(templates, name, &error))?;
    let file: Arc<Path> = path(templates, name).into();
    Ok(traced(templates, &texts, name, values, &plain)
        .unwrap_or_else(|| Traced::new(&plain, Origin::SomewhereIn(file))))
}

/// Renders once more with marks; `None` where they would change the outcome.
fn traced(
    templates: &Templates,
    texts: &[(&str, &str)],
    name: &str,
    values: &[(&str, Traced)],
    plain: &str,
) -> Option<Traced> {
    if holds_marks(plain) {
        return None;
    }
    let mut marks = Marks::default();
    let mut marked_values = Vec::new();
    for (key, value) in values {
        // A value that no file holds belongs to the line of the template that shows it, and may be
        // asked for in a condition, where marks would be in the way.
        let is_generated = |span: &Span| span.origin == Origin::Generated;
        let marked = if value.spans().iter().all(is_generated) {
            value.text().to_owned()
        } else {
            marks.value(value)?
        };
        marked_values.push((*key, Value::from(marked)));
    }
    let mut marked_texts = Vec::new();
    for (name, text) in texts {
        let path: Arc<Path> = path(templates, name).into();
        marked_texts.push((*name, marks.template(&path, text)?));
    }
    let marked_texts = marked_texts
        .iter()
        .map(|(name, text)| (*name, text.as_str()));
    let marked = rendered(marked_texts, name, marked_values.into_iter().collect()).ok()?;
    let traced = marks.resolve(&marked, &path(templates, name).into());
    (traced.text() == plain).then_some(traced)
}

fn rendered<'a>(
    texts: impl Iterator<Item = (&'a str, &'a str)>,
    name: &str,
    values: BTreeMap<&str, Value>,
) -> Result<String, Error> {
    let mut environment = Environment::new();
    environment.set_auto_escape_callback(|_| AutoEscape::None);
    environment.set_syntax(syntax());
    for (name, text) in texts {
        // A broken template matters only if it is used: asking for it then says what is wrong.
        let _ = environment.add_template(name, text);
    }
    environment.get_template(name)?.render(values)
}

/// Gives the templates that can be read.
fn all(templates: &Templates) -> impl Iterator<Item = (&str, &str)> {
    templates
        .iter()
        .filter_map(|(name, file)| Some((name, &**file.text()?)))
}

/// Gives a template with those that its text names, and those that theirs name.
fn reached<'a>(templates: &'a Templates, name: &str) -> Vec<(&'a str, &'a str)> {
    let (mut found, mut left): (Vec<_>, Vec<_>) = all(templates).partition(|it| it.0 == name);
    let mut at = 0;
    while let Some((_, text)) = found.get(at).copied() {
        let (named, others) = left.into_iter().partition(|(name, _)| text.contains(name));
        let named: Vec<_> = named;
        found.extend(named);
        left = others;
        at += 1;
    }
    found
}

fn syntax() -> SyntaxConfig {
    let mut builder = SyntaxConfig::builder();
    builder.trim_blocks(true).lstrip_blocks(true);
    // Only odd delimiters can fail, and these are the usual ones.
    builder.build().unwrap_or_default()
}

/// Gives the file that a template was read from; our own stand for themselves by name.
fn path(templates: &Templates, name: &str) -> PathBuf {
    match &templates.folder {
        Some(folder) => folder.join(name),
        None => Path::new("templates").join(name),
    }
}

fn raised(templates: &Templates, name: &str, error: &Error) -> AgentError {
    // An error inside an included template is the source of the one outside.
    let mut inner = error;
    while let Some(source) = inner.source().and_then(|e| e.downcast_ref()) {
        inner = source;
    }
    let missing = missing_name(templates, inner).unwrap_or_else(|| name.to_owned());
    if let Some(FileRead::Failed(failure)) = templates.get(&missing) {
        return failure.clone();
    }
    if inner.kind() == ErrorKind::TemplateNotFound
        && let Some(FileRead::Text(text)) = templates.get(&missing)
        && let Err(error) = Environment::new().add_template_owned(missing.clone(), text.to_string())
    {
        let line = error.line().unwrap_or(1);
        let message = format!("is no Jinja template: {error}");
        return AgentError::at(&path(templates, &missing), "TemplateSyntaxError", message)
            .on_line(line);
    }
    let class = match inner.kind() {
        ErrorKind::TemplateNotFound => "TemplateNotFound",
        ErrorKind::SyntaxError => "TemplateSyntaxError",
        ErrorKind::UndefinedError => "UndefinedError",
        _ => "TemplateError",
    };
    if class == "TemplateNotFound" {
        return AgentError::at(&path(templates, &missing), class, "is not there");
    }
    let at = inner.name().unwrap_or(name);
    let failed = AgentError::at(&path(templates, at), class, inner.to_string());
    match inner.line() {
        Some(line) => failed.on_line(line),
        None => failed,
    }
}

/// Finds which of the templates a "not found" is about: the one that its message names.
fn missing_name(templates: &Templates, error: &Error) -> Option<String> {
    if error.kind() != ErrorKind::TemplateNotFound {
        return None;
    }
    let detail = error.detail()?;
    let quoted = detail.split(['"', '\'']).nth(1)?;
    Some(
        templates
            .iter()
            .map(|(name, _)| name)
            .find(|name| *name == quoted)
            .unwrap_or(quoted)
            .to_owned(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prompt::provenance::{Place, line_origins};
    use crate::workspace::read::Source;

    fn templates(files: &[(&str, &str)]) -> (tempfile::TempDir, Templates) {
        let dir = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = dir.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let templates = Templates::read(dir.path(), &Source::default());
        (dir, templates)
    }

    /// Writes where each line comes from: file and line, `?` where the line is not known.
    fn places(traced: &Traced, folder: &Path) -> Vec<String> {
        let name = |path: &Path| {
            path.strip_prefix(folder)
                .unwrap_or(path)
                .display()
                .to_string()
        };
        let origins = line_origins(traced.text(), traced.spans());
        let written = origins.iter().map(|origin| match origin {
            Origin::Template(Place { path, line })
            | Origin::Verbatim(Place { path, line })
            | Origin::MadeFrom(Place { path, line }) => format!("{}:{line}", name(path)),
            Origin::SomewhereIn(path) => format!("{}:?", name(path)),
            Origin::Generated => "generated".to_owned(),
        });
        written.collect()
    }

    #[test]
    fn blocks_are_trimmed_and_values_go_in_as_they_are() {
        let (dir, templates) = templates(&[
            (
                "agent/a.md",
                "<{{ x }}>\n  {% if x %}\nyes\n  {% endif %}\n{% include 'agent/b.md' %}\nend\n",
            ),
            ("agent/b.md", "included\n"),
        ]);
        let values = [("x", Traced::generated("{{ y }} & <b>"))];
        let traced = render(&templates, "agent/a.md", &values).unwrap();
        assert_eq!(traced.text(), "<{{ y }} & <b>>\nyes\nincludedend");
        let wanted = ["agent/a.md:1", "agent/a.md:3", "agent/b.md:1"];
        assert_eq!(places(&traced, dir.path()), wanted);
    }

    #[test]
    fn every_line_of_a_value_keeps_its_own_place() {
        let (dir, templates) = templates(&[("a.md", "# Head\n\nsay: {{ x }}.\nend\n")]);
        let place = |line| Place {
            path: dir.path().join("x.md").into(),
            line,
        };
        let mut value = Traced::new("one\n", Origin::MadeFrom(place(4)));
        value.push("two", Origin::MadeFrom(place(9)));
        let traced = render(&templates, "a.md", &[("x", value)]).unwrap();
        assert_eq!(traced.text(), "# Head\n\nsay: one\ntwo.\nend");
        let wanted = ["a.md:1", "a.md:2", "x.md:4", "x.md:9", "a.md:4"];
        assert_eq!(places(&traced, dir.path()), wanted);
    }

    #[test]
    fn where_marks_would_change_the_outcome_they_are_not_used() {
        let (dir, templates) = templates(&[
            ("length.md", "a\n{{ x|length }}\n"),
            (
                "trimmed.md",
                "a\n\n  {{- x }} {#- c -#}\n\nb\n{% if x -%}\n\n c\n{%- endif %}\nd",
            ),
        ]);
        let origin = Origin::SomewhereIn(Path::new("x").into());
        let values = [("x", Traced::new("four", origin))];
        let traced = render(&templates, "length.md", &values).unwrap();
        assert_eq!(traced.text(), "a\n4");
        assert_eq!(places(&traced, dir.path()), ["length.md:?", "length.md:?"]);
        let traced = render(&templates, "trimmed.md", &values).unwrap();
        assert_eq!(traced.text(), "afourb\ncd");
        let wanted = ["trimmed.md:1", "trimmed.md:1"];
        assert_eq!(places(&traced, dir.path()), wanted);
    }

    #[test]
    fn text_of_private_characters_is_kept_as_it_is() {
        let (_dir, templates) = templates(&[("a.md", "{{ x }}\n")]);
        let text = "\u{100000}\u{10F000}";
        let values = [("x", Traced::generated(text))];
        assert_eq!(render(&templates, "a.md", &values).unwrap().text(), text);
    }

    #[test]
    fn what_is_missing_or_broken_is_named() {
        let (_dir, templates) = templates(&[
            ("agent/a.md", "{% include 'agent/none.md' %}"),
            ("agent/b.md", "one\n{% if %}"),
        ]);
        let raised = |name| render(&templates, name, &[]).unwrap_err();
        assert_eq!(raised("agent/zzz.md").class, "TemplateNotFound");
        let nested = raised("agent/a.md");
        assert_eq!(nested.class, "TemplateNotFound");
        assert!(
            nested.path.as_ref().unwrap().ends_with("agent/none.md"),
            "{nested:?}"
        );
        let broken = raised("agent/b.md");
        assert_eq!(
            (broken.class, broken.line),
            ("TemplateSyntaxError", Some(2))
        );
    }
}

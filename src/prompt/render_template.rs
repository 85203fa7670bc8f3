//! Renders a template as the reference's Jinja2 environment does.

use std::error::Error as _;
use std::path::{Path, PathBuf};

use minijinja::syntax::SyntaxConfig;
use minijinja::{AutoEscape, Environment, ErrorKind, Value};

use super::Source;
use crate::workspace::agent_error::AgentError;
use crate::workspace::read::FileRead;
use crate::workspace::templates::Templates;

/// Renders a template by name, such as `agent/identity.md`, with the given values.
///
/// Blocks are trimmed and stripped on the left, nothing is escaped, the final line end is dropped.
/// Fails as Jinja2 does on a template that is missing or broken.
pub(super) fn render(
    templates: &Templates,
    name: &str,
    values: Value,
) -> Result<String, AgentError> {
    let mut environment = Environment::new();
    environment.set_auto_escape_callback(|_| AutoEscape::None);
    environment.set_syntax(syntax());
    for (name, file) in templates.iter() {
        if let FileRead::Text(text) = file {
            // A broken template matters only if it is used: asking for it then says what is wrong.
            let _ = environment.add_template_owned(name.to_owned(), text.to_string());
        }
    }
    environment
        .get_template(name)
        .and_then(|template| template.render(values))
        .map_err(|error| raised(templates, name, &error))
}

fn syntax() -> SyntaxConfig {
    let mut builder = SyntaxConfig::builder();
    builder.trim_blocks(true).lstrip_blocks(true);
    // Only odd delimiters can fail, and these are the usual ones.
    builder.build().unwrap_or_default()
}

/// Gives the file that a template was read from; our own stand for themselves by name.
pub(super) fn source(templates: &Templates, name: &str, text: &str) -> Source {
    Source {
        path: path(templates, name),
        range: 0..text.len(),
    }
}

fn path(templates: &Templates, name: &str) -> PathBuf {
    match &templates.folder {
        Some(folder) => folder.join(name),
        None => Path::new("templates").join(name),
    }
}

fn raised(templates: &Templates, name: &str, error: &minijinja::Error) -> AgentError {
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
fn missing_name(templates: &Templates, error: &minijinja::Error) -> Option<String> {
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
    use minijinja::context;

    fn templates(files: &[(&str, &str)]) -> (tempfile::TempDir, Templates) {
        let dir = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = dir.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let templates = Templates::read(dir.path());
        (dir, templates)
    }

    #[test]
    fn blocks_are_trimmed_and_values_go_in_as_they_are() {
        let (_dir, templates) = templates(&[
            (
                "agent/a.md",
                "<{{ x }}>\n  {% if x %}\nyes\n  {% endif %}\n{% include 'agent/b.md' %}\nend\n",
            ),
            ("agent/b.md", "included\n"),
        ]);
        let text = render(&templates, "agent/a.md", context! { x => "{{ y }} & <b>" });
        assert_eq!(text.unwrap(), "<{{ y }} & <b>>\nyes\nincludedend");
    }

    #[test]
    fn what_is_missing_or_broken_is_named() {
        let (_dir, templates) = templates(&[
            ("agent/a.md", "{% include 'agent/none.md' %}"),
            ("agent/b.md", "one\n{% if %}"),
        ]);
        let raised = |name| render(&templates, name, context! {}).unwrap_err();
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

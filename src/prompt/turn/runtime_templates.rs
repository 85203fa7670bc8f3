//! The wording of the runtime lines about CLI apps and MCP presets.

use std::sync::Arc;

use minijinja::{Environment, UndefinedBehavior, Value, context};

/// The templates of the two kinds of line. The agent's own wording is its prose and is not copied,
/// so that what these give is approximate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuntimeTemplates {
    cli_app: Arc<str>,
    mcp_preset: Arc<str>,
}

impl Default for RuntimeTemplates {
    fn default() -> Self {
        Self {
            cli_app: "CLI app @{{ name }} is attached: installed, called by run_cli_app, entry \
                      point {{ entry_point }}, described in skills/cli-app-{{ name }}/SKILL.md."
                .into(),
            mcp_preset: "MCP preset @{{ name }} ({{ display_name }}, by {{ transport }}) is \
                         attached: its tools begin with mcp_{{ name }}_\
                         {% if not configured %}, but it is not loaded yet\
                         {% elif not connected %}, but it is not connected now{% endif %}."
                .into(),
        }
    }
}

impl RuntimeTemplates {
    /// Replaces templates; each must be Jinja2 that renders to one line.
    ///
    /// Fails with what is wrong, named by its key in the settings.
    pub fn with(self, cli_app: Option<&str>, mcp_preset: Option<&str>) -> Result<Self, String> {
        let checked = |key: &str, text: &str, values: Value| {
            let rendered = rendered(text, values);
            match rendered.map_err(|error| format!("`runtime_lines.{key}` is no template: {error}"))
            {
                Ok(line) if line.contains('\n') => {
                    Err(format!("`runtime_lines.{key}` must give one line"))
                }
                Ok(_) => Ok(Arc::from(text)),
                Err(problem) => Err(problem),
            }
        };
        let app = context! { name => "a", entry_point => "a" };
        let preset = context! {
            name => "a", display_name => "a", transport => "a", configured => true, connected => true,
        };
        Ok(Self {
            cli_app: cli_app.map_or(Ok(self.cli_app), |text| checked("cli_app", text, app))?,
            mcp_preset: mcp_preset.map_or(Ok(self.mcp_preset), |text| {
                checked("mcp_preset", text, preset)
            })?,
        })
    }

    /// Words the line of a CLI app: `name`, `entry_point`.
    #[must_use]
    pub fn cli_app(&self, values: Value) -> String {
        worded(&self.cli_app, values)
    }

    /// Words the line of an MCP preset: `name`, `display_name`, `transport`, `configured`,
    /// `connected`.
    #[must_use]
    pub fn mcp_preset(&self, values: Value) -> String {
        worded(&self.mcp_preset, values)
    }
}

fn rendered(text: &str, values: Value) -> Result<String, minijinja::Error> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.render_str(text, values)
}

/// Renders a template that was checked; values for which it still fails leave its text as it is.
fn worded(text: &str, values: Value) -> String {
    rendered(text, values).unwrap_or_else(|_| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_that_cannot_work_is_refused_by_its_key() {
        let refused = |cli_app: &str| {
            let templates = RuntimeTemplates::default();
            templates.with(Some(cli_app), None).unwrap_err()
        };
        assert!(refused("{{ nme }}").contains("`runtime_lines.cli_app`"));
        assert!(refused("{% if %}").contains("`runtime_lines.cli_app`"));
        assert!(refused("a\nb").contains("one line"));
        let templates = RuntimeTemplates::default();
        let own = templates.with(None, Some("{{ name }} by {{ transport }}"));
        let values = context! { name => "n", transport => "http" };
        assert_eq!(own.unwrap().mcp_preset(values), "n by http");
    }
}

//! `[lint]`: how much each rule matters, everywhere and for some files.

use crate::error::nearest;
use crate::lint::{LintSettings, RULES, Severities, Severity, rule};

/// Reads the table; the error names the key.
pub(super) fn lint(table: &toml::Table) -> Result<LintSettings, String> {
    let mut settings = LintSettings::default();
    for (key, value) in table {
        match (key.as_str(), value) {
            ("paths", toml::Value::Table(paths)) => {
                for (pattern, rules) in paths {
                    let place = format!("lint.paths.{pattern:?}");
                    let toml::Value::Table(rules) = rules else {
                        return Err(format!("`{place}` must be a table of rules"));
                    };
                    settings
                        .paths
                        .push((pattern.clone(), severities(&place, rules)?));
                }
            }
            (name, value) => {
                settings
                    .everywhere
                    .insert(name.to_owned(), severity("lint", name, value)?);
            }
        }
    }
    Ok(settings)
}

fn severities(place: &str, rules: &toml::Table) -> Result<Severities, String> {
    let rules = rules.iter();
    rules
        .map(|(name, value)| Ok((name.clone(), severity(place, name, value)?)))
        .collect()
}

fn severity(place: &str, name: &str, value: &toml::Value) -> Result<Option<Severity>, String> {
    if rule(name).is_none() {
        let known = RULES.iter().map(|rule| rule.name);
        let meant = nearest(name, known).map_or_else(
            || "`promptscope check --rules` lists them".to_owned(),
            |meant| format!("did you mean {meant:?}?"),
        );
        return Err(format!("`{place}.{name}`: there is no such rule; {meant}"));
    }
    let word = value.as_str().unwrap_or_default();
    if word == "off" {
        return Ok(None);
    }
    let found = Severity::ALL
        .into_iter()
        .find(|severity| severity.name() == word);
    let known = "error, warning, note or off";
    found
        .map(Some)
        .ok_or_else(|| format!("`{place}.{name}` must be {known}, not {value}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Result<LintSettings, String> {
        lint(&toml::from_str(text).unwrap())
    }

    #[test]
    fn rules_are_set_everywhere_and_by_path_and_unknown_ones_are_named() {
        let settings = of("secret = \"warning\"\nskill-order = \"off\"\n[paths.\"skills/**\"]\nsecret = \"off\"\n").unwrap();
        assert_eq!(settings.everywhere["secret"], Some(Severity::Warning));
        assert_eq!(settings.everywhere["skill-order"], None);
        assert_eq!(settings.paths[0].0, "skills/**");
        for (text, wanted) in [
            ("secrets = \"off\"", "did you mean \"secret\"?"),
            (
                "secret = \"on\"",
                "`lint.secret` must be error, warning, note or off",
            ),
            ("secret = 5", "`lint.secret`"),
            ("[paths]\na = 1", "`lint.paths.\"a\"`"),
            ("[paths.a]\nx = \"off\"", "`lint.paths.\"a\".x`"),
        ] {
            let problem = of(text).unwrap_err();
            assert!(problem.contains(wanted), "{problem}");
        }
    }
}

//! What a prompt declares in its front matter.

use crate::python::Value;
use crate::workspace::front_matter::{self, FrontMatter};

/// What a prompt declares in its front matter.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Declared {
    /// What the prompt is for.
    pub description: Option<String>,
    /// The most tokens that it may have.
    pub budget: Option<usize>,
    /// Its variables.
    pub variables: Vec<VariableDeclared>,
}

/// A variable that a prompt declares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VariableDeclared {
    /// Its name.
    pub name: String,
    /// Its value where the settings have none.
    pub default: Option<String>,
    /// Whether it must have a value.
    pub is_required: bool,
    /// The line of the file that declares it, from 1.
    pub line: usize,
}

/// Tells why front matter cannot be read, and the line.
pub(super) fn problem(text: &str) -> Option<(String, usize)> {
    match FrontMatter::read(text) {
        FrontMatter::Rejected { problem, line, .. } | FrontMatter::Unread { problem, line, .. } => {
            Some((problem, line))
        }
        FrontMatter::Raises { message, line, .. } => Some((message, line)),
        FrontMatter::None | FrontMatter::Mapping(_) => None,
    }
}

/// Reads what front matter declares.
pub(super) fn declared(text: &str) -> Declared {
    let FrontMatter::Mapping(fields) = FrontMatter::read(text) else {
        return Declared::default();
    };
    let get = |key: &str| fields.get(&Value::str(key));
    let variables = get("variables")
        .and_then(Value::as_dict)
        .into_iter()
        .flatten();
    let variables = variables.map(|(name, about)| {
        let default = match about {
            Value::Dict(_) => about.get("default").map(Value::to_str),
            Value::None => None,
            plain => Some(plain.to_str()),
        };
        VariableDeclared {
            line: line_of(text, &name.to_str()),
            name: name.to_str(),
            is_required: about.get("required").is_some_and(Value::truth),
            default,
        }
    });
    Declared {
        description: get("description")
            .and_then(Value::as_str)
            .map(str::to_owned),
        budget: match get("budget") {
            Some(Value::Int(budget)) => usize::try_from(budget).ok(),
            _ => None,
        },
        variables: variables.collect(),
    }
}

/// Finds the line of the front matter that declares a variable; its first where it is written unlike its
/// name.
fn line_of(text: &str, name: &str) -> usize {
    let body = front_matter::find(text).map_or(0, |parts| parts.body.start);
    let is_key = |line: &str| {
        let after = |at: usize| line[at + name.len()..].trim_start_matches(['"', '\'']);
        let is_whole = |at: usize| !line[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let mut found = line.match_indices(name).map(|(at, _)| at);
        found.any(|at| is_whole(at) && after(at).trim_start().starts_with(':'))
    };
    let mut lines = text[..body].lines().skip(1);
    lines.position(is_key).map_or(1, |at| at + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn front_matter_declares_variables_and_a_budget() {
        let text = "---\nbudget: 100\nvariables:\n  a: {default: x}\n  b: {required: true}\n  c: 5\n  d:\n---\nT\n";
        let declared = declared(text);
        assert_eq!(declared.budget, Some(100));
        let variable = |name: &str| {
            declared
                .variables
                .iter()
                .find(|it| it.name == name)
                .unwrap()
        };
        assert_eq!(variable("a").default.as_deref(), Some("x"));
        assert!(variable("b").is_required && variable("b").default.is_none());
        assert_eq!(variable("c").default.as_deref(), Some("5"));
        assert_eq!(variable("d").default, None);
        let lines = ["a", "b", "c", "d"].map(|name| variable(name).line);
        assert_eq!(lines, [4, 5, 6, 7]);
    }
}

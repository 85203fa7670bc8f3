//! The pre-flight of a prompt cache: the same turn is built twice with one thing changed, and what a cache
//! would lose is told. A provider's cache keeps the longest prefix that is the same to the byte.

use crate::prompt::{Assembly, JOIN, SectionId};
use crate::python::json;
use crate::tokens::Counter;

/// What one change does to the prefix.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loss {
    /// What was changed, for people: `one minute later`.
    pub change: String,
    /// Where the first byte differs; `None` where nothing does.
    pub first: Option<FirstDifference>,
    /// The tokens of the whole request.
    pub request: usize,
}

/// The first byte that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FirstDifference {
    /// The section; `None` behind the system prompt.
    pub section: Option<SectionId>,
    /// What it stands in, for people: a section's title, `message 3`, `the user's message`.
    pub part: String,
    /// The byte within that part, from 0.
    pub byte: usize,
    /// What stands there in the first of the two, a few words of it.
    pub text: String,
    /// The tokens from there on: what a cache loses.
    pub lost: usize,
}

/// A request as one text, with the parts that it is made of.
struct Request {
    text: String,
    parts: Vec<(usize, String, Option<SectionId>)>,
}

impl Request {
    fn of(assembly: &Assembly) -> Self {
        let mut text = String::new();
        let mut parts = Vec::new();
        for id in SectionId::ALL {
            if let Some(section) = &assembly.section(id).text {
                if !text.is_empty() {
                    text.push_str(JOIN);
                }
                parts.push((text.len(), id.title().to_owned(), Some(id)));
                text.push_str(section);
            }
        }
        let count = assembly.history().len();
        for (index, message) in assembly.messages.iter().skip(1).enumerate() {
            let name = if index < count {
                format!("message {}", index + 1)
            } else {
                "the user's message".to_owned()
            };
            text.push('\n');
            parts.push((text.len(), name, None));
            let content = message
                .get("content")
                .and_then(crate::python::Value::as_str);
            match content {
                Some(content) => text.push_str(content),
                None => text.push_str(&json::dumps(message)),
            }
        }
        Self { text, parts }
    }
}

/// Compares two requests that one change sets apart.
#[must_use]
pub fn loss(change: &str, one: &Assembly, other: &Assembly, counter: &mut Counter) -> Loss {
    let (one, other) = (Request::of(one), Request::of(other));
    let request = counter.count(&one.text);
    let same = one
        .text
        .bytes()
        .zip(other.text.bytes())
        .take_while(|(a, b)| a == b)
        .count();
    let first = (one.text != other.text).then(|| {
        let at = one.text.floor_char_boundary(same);
        let part = one.parts.iter().rev().find(|(start, ..)| *start <= at);
        let (start, name, section) = part.map_or((0, String::new(), None), Clone::clone);
        let text = one.text[at..].chars().take(40).collect();
        FirstDifference {
            section,
            part: name,
            byte: at - start,
            text,
            lost: counter.count(&one.text[at..]),
        }
    });
    Loss {
        change: change.to_owned(),
        first,
        request,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prompt::{Profile, Turn, assemble};
    use crate::tokens::Encoding;
    use crate::workspace::host::{Host, LocalZone};
    use crate::workspace::{Places, Workspace};

    fn assembled(dir: &std::path::Path, channel: &str, now: &str) -> Assembly {
        let workspace = Workspace::read(&Places {
            root: dir.into(),
            ..Places::default()
        });
        let host = Host {
            system: "Linux".into(),
            machine: "x86_64".into(),
            python: "3.12.4".into(),
            now: now.parse().unwrap(),
            local_timezone: LocalZone::Offset(0),
            path: vec![],
            bins: std::collections::BTreeSet::new(),
            env: std::collections::BTreeMap::new(),
        };
        let turn = Turn {
            message: "hi".into(),
            channel: Some(channel.into()),
            chat_id: Some("1".into()),
            ..Turn::default()
        };
        assemble(&workspace, &host, &turn, &Profile::NANOBOT_0_2)
    }

    #[test]
    fn the_first_byte_is_named_with_its_section_and_what_is_lost() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("AGENTS.md"), "Be brief.\n").unwrap();
        let now = "2026-06-19T02:30:00Z";
        let one = assembled(dir.path(), "cli", now);
        let mut counter = Counter::new(Encoding::O200kBase);
        assert_eq!(loss("nothing", &one, &one, &mut counter).first, None);
        let later = assembled(dir.path(), "cli", "2026-06-19T02:31:00Z");
        let later = loss("later", &one, &later, &mut counter).first.unwrap();
        assert_eq!(
            (later.section, later.part.as_str()),
            (None, "the user's message")
        );
        assert!(later.lost < 40, "{}", later.lost);
        std::fs::write(dir.path().join("AGENTS.md"), "Be kind.\n").unwrap();
        let other = assembled(dir.path(), "cli", now);
        let other = loss("a save", &one, &other, &mut counter);
        let first = other.first.unwrap();
        assert_eq!(first.section, Some(SectionId::BootstrapFiles));
        assert!(first.text.starts_with("brief."), "{}", first.text);
        assert!(first.lost > 40 && first.lost < other.request);
    }
}

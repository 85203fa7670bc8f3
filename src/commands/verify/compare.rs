//! The comparison, part by part, and the first place where two texts part.

use super::answer::Answer;
use crate::prompt::{Assembly, SectionId};
use crate::python::{Value, json};

/// What came out of all comparisons.
#[derive(Debug, Default)]
pub(super) struct Comparison {
    /// One line for each part that was compared: its name, and how it compares.
    pub rows: Vec<(String, Verdict)>,
    /// The first difference.
    pub first: Option<Difference>,
}

/// How one part compares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The same, and how much it is.
    Equal(String),
    /// Absent on both sides.
    Absent,
    /// Not the same.
    Different,
}

/// Two texts that are not the same, and what they are; `None` where one side has none.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Difference {
    /// What was compared.
    pub place: String,
    /// Ours.
    pub ours: Option<String>,
    /// The agent's.
    pub agents: Option<String>,
}

/// The first place where two texts part, counted from 1 but for the offset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Parting {
    /// The characters before it.
    pub offset: usize,
    /// Its line.
    pub line: usize,
    /// Its column, in characters.
    pub column: usize,
    /// The byte at which it stands in both texts.
    pub byte: usize,
}

impl Comparison {
    /// Compares what was assembled with what the agent answered.
    pub(super) fn of(assembly: &Assembly, answer: &Answer) -> Self {
        let mut comparison = Self::default();
        if assembly.error.is_some() || answer.error.is_some() {
            comparison.errors(assembly, answer);
            return comparison;
        }
        if let Some(sections) = &answer.sections {
            for id in SectionId::ALL {
                let ours = assembly.section(id).text.as_deref();
                comparison.texts(id.id(), "section", ours, sections[id.index()].as_deref());
            }
        }
        comparison.texts(
            "system prompt",
            "",
            Some(&assembly.system_prompt),
            answer.system_prompt.as_deref(),
        );
        comparison.session(assembly, answer);
        comparison.messages(&assembly.messages, &answer.messages);
        comparison
    }

    /// Tells whether everything is the same.
    pub(super) fn is_equal(&self) -> bool {
        self.first.is_none()
    }

    /// Compares what each side raises, by the class alone: the texts are each side's own.
    fn errors(&mut self, assembly: &Assembly, answer: &Answer) {
        let ours = assembly.error.as_ref().map(|error| error.class);
        let agents = answer.error.as_ref().map(|(class, _)| class.as_str());
        if ours == agents {
            let both = format!("both raise {}", ours.unwrap_or_default());
            self.rows.push(("exception".into(), Verdict::Equal(both)));
            return;
        }
        let said = |class: Option<&str>| class.map(|class| format!("raises {class}"));
        self.differs("exception", "", said(ours), said(agents));
    }

    fn texts(&mut self, name: &str, kind: &str, ours: Option<&str>, agents: Option<&str>) {
        match (ours, agents) {
            (None, None) => self.rows.push((name.into(), Verdict::Absent)),
            (Some(text), Some(other)) if text == other => {
                let size = counted(text.chars().count(), "character");
                self.rows.push((name.into(), Verdict::Equal(size)));
            }
            _ => self.differs(
                name,
                kind,
                ours.map(str::to_owned),
                agents.map(str::to_owned),
            ),
        }
    }

    fn session(&mut self, assembly: &Assembly, answer: &Answer) {
        const NAME: &str = "session replay";
        let ours = assembly.replay.as_ref();
        let ours = ours.map(|replay| (Value::List(replay.history.clone()), replay.summary.clone()));
        let written = |session: &(Value, Option<String>)| {
            let (history, summary) = session;
            let summary = summary.as_deref().unwrap_or("(none)");
            format!("{}\nsummary: {summary}", lines(history))
        };
        let (ours_text, agents_text) = (
            ours.as_ref().map(written),
            answer.session.as_ref().map(written),
        );
        match ours {
            Some((Value::List(history), _)) if ours_text == agents_text => {
                let size = counted(history.len(), "message");
                self.rows.push((NAME.into(), Verdict::Equal(size)));
            }
            _ => self.texts(NAME, "", ours_text.as_deref(), agents_text.as_deref()),
        }
    }

    fn messages(&mut self, ours: &[Value], agents: &[Value]) {
        const NAME: &str = "messages";
        let parted = (0..ours.len().max(agents.len()))
            .map(|at| (at, ours.get(at), agents.get(at)))
            .find(|(_, ours, agents)| ours.map(json::dumps) != agents.map(json::dumps));
        let Some((at, ours_one, agents_one)) = parted else {
            let size = counted(ours.len(), "message");
            self.rows.push((NAME.into(), Verdict::Equal(size)));
            return;
        };
        self.rows.push((NAME.into(), Verdict::Different));
        let content = |message: Option<&Value>| {
            let content = message?.get("content")?.as_str()?;
            Some(content.to_owned())
        };
        let place = format!("message {} of {}", at + 1, ours.len().max(agents.len()));
        let (ours_text, agents_text) = (content(ours_one), content(agents_one));
        // The content as it stands reads better than JSON, where it is what differs.
        let difference = if ours_text.is_some() && agents_text.is_some() && ours_text != agents_text
        {
            Difference {
                place: format!("{place}, content"),
                ours: ours_text,
                agents: agents_text,
            }
        } else {
            Difference {
                place: format!("{place}, as JSON"),
                ours: ours_one.map(json::dumps),
                agents: agents_one.map(json::dumps),
            }
        };
        self.first.get_or_insert(difference);
    }

    fn differs(&mut self, name: &str, kind: &str, ours: Option<String>, agents: Option<String>) {
        self.rows.push((name.into(), Verdict::Different));
        let place = format!("{kind} {name}").trim_start().to_owned();
        self.first.get_or_insert(Difference {
            place,
            ours,
            agents,
        });
    }
}

/// Finds the first place where two texts part; `None` where they are the same.
pub(super) fn parting(ours: &str, agents: &str) -> Option<Parting> {
    if ours == agents {
        return None;
    }
    let mut others = agents.chars();
    let (mut offset, mut line, mut column, mut byte) = (0, 1, 1, 0);
    for c in ours.chars() {
        if others.next() != Some(c) {
            break;
        }
        offset += 1;
        byte += c.len_utf8();
        if c == '\n' {
            line += 1;
            column = 1;
        } else {
            column += 1;
        }
    }
    Some(Parting {
        offset,
        line,
        column,
        byte,
    })
}

/// Writes a list with one item a line, so that a line tells which item it is.
fn lines(list: &Value) -> String {
    match list {
        Value::List(items) => {
            let items: Vec<String> = items.iter().map(json::dumps).collect();
            items.join("\n")
        }
        other => json::dumps(other),
    }
}

/// Writes a number of things.
pub(super) fn counted(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_difference_is_placed_by_line_column_and_character() {
        assert_eq!(parting("same", "same"), None);
        let at = |ours, agents| {
            let at = parting(ours, agents).unwrap();
            (at.offset, at.line, at.column, at.byte)
        };
        assert_eq!(at("abc", "abd"), (2, 1, 3, 2));
        assert_eq!(at("é\nab", "é\nac"), (3, 2, 2, 4));
        assert_eq!(at("a\n", "a"), (1, 1, 2, 1));
        assert_eq!(at("", "x"), (0, 1, 1, 0));
        assert_eq!(at("a\n", "a\nb"), (2, 2, 1, 2));
    }

    fn message(role: &str, content: &str) -> Value {
        json::loads(&format!(r#"{{"role": "{role}", "content": "{content}"}}"#)).unwrap()
    }

    fn compared(ours: &[Value], agents: &[Value]) -> Comparison {
        let mut comparison = Comparison::default();
        comparison.messages(ours, agents);
        comparison
    }

    #[test]
    fn messages_differ_by_content_by_role_and_by_number() {
        let ours = [message("user", "a"), message("user", "b")];
        assert!(compared(&ours, &ours).is_equal());
        let place = |agents: &[Value]| compared(&ours, agents).first.unwrap().place;
        let other = [ours[0].clone(), message("user", "c")];
        assert_eq!(place(&other), "message 2 of 2, content");
        let other = [message("tool", "a"), message("user", "b")];
        assert_eq!(place(&other), "message 1 of 2, as JSON");
        assert_eq!(place(&ours[..1]), "message 2 of 2, as JSON");
        let whole = json::loads(r#"[{"n": 1}]"#).unwrap();
        let broken = json::loads(r#"[{"n": 1.0}]"#).unwrap();
        let (Value::List(whole), Value::List(broken)) = (whole, broken) else {
            panic!("lists")
        };
        assert!(!compared(&whole, &broken).is_equal());
    }

    #[test]
    fn only_the_first_difference_is_kept() {
        let mut comparison = Comparison::default();
        comparison.texts("identity", "section", Some("a"), Some("a"));
        comparison.texts("memory", "section", Some("a"), None);
        comparison.texts("recent_history", "section", None, None);
        comparison.texts("system prompt", "", Some("a"), Some("b"));
        let verdicts: Vec<&Verdict> = comparison.rows.iter().map(|(_, verdict)| verdict).collect();
        let size = Verdict::Equal("1 character".into());
        assert_eq!(
            verdicts,
            [
                &size,
                &Verdict::Different,
                &Verdict::Absent,
                &Verdict::Different
            ]
        );
        let first = comparison.first.unwrap();
        assert_eq!(
            (first.place.as_str(), first.agents),
            ("section memory", None)
        );
    }
}

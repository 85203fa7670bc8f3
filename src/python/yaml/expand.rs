//! Makes one value of the parts that the nodes of a document were made into.
//!
//! In Python the parts are shared where aliases name them. Here they are copied, so that there
//! are limits on how much is copied and on how deep the result may be.

use super::constructor::Built;
use super::node::{Graph, NodeId};
use super::reader::Mark;
use super::{MAX_COPIES, MAX_VALUE_DEPTH, YamlFailure};
use crate::python::{Dict, Value};

/// How much may still be copied.
pub(super) struct Budget(usize);

impl Default for Budget {
    fn default() -> Self {
        Self(MAX_COPIES)
    }
}

impl Budget {
    /// Gives what a value of so many bytes counts for.
    pub fn cost_of_bytes(bytes: usize) -> usize {
        1 + bytes / 64
    }

    /// Counts copies; fails if there are too many.
    pub fn charge(&mut self, cost: usize, mark: Mark) -> Result<(), YamlFailure> {
        match self.0.checked_sub(cost) {
            Some(left) => {
                self.0 = left;
                Ok(())
            }
            None => mark.give_up(format!("aliases repeat more than {MAX_COPIES} values")),
        }
    }
}

/// Makes the value of a node.
pub(super) fn value(
    graph: &Graph,
    built: &[Option<Built>],
    root: NodeId,
    budget: Budget,
) -> Result<Value, YamlFailure> {
    let expansion = Expansion {
        graph,
        built,
        states: vec![State::New; graph.len()],
        budget,
        collections: Vec::new(),
    };
    expansion.value(root)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    /// The value is being made: an alias leads from within it back to it.
    Open,
    /// The value was made before: an alias repeats it.
    Done,
}

struct Expansion<'a> {
    graph: &'a Graph,
    built: &'a [Option<Built>],
    states: Vec<State>,
    budget: Budget,
    /// The collections that are being made, outermost first: the stack of the program itself
    /// would be too small for some.
    collections: Vec<Collection<'a>>,
}

struct Collection<'a> {
    id: NodeId,
    built: &'a Built,
    depth: usize,
    parts: Vec<NodeId>,
    /// The values of the first parts.
    values: Vec<Value>,
}

impl Expansion<'_> {
    fn value(mut self, root: NodeId) -> Result<Value, YamlFailure> {
        let mut value = self.begin(root, 0)?;
        while let Some(collection) = self.collections.last_mut() {
            collection.values.extend(value.take());
            if let Some(&part) = collection.parts.get(collection.values.len()) {
                let depth = collection.depth + collection.built.layers();
                value = self.begin(part, depth)?;
            } else if let Some(collection) = self.collections.pop() {
                self.states[collection.id] = State::Done;
                value = Some(collection.finished());
            }
        }
        Ok(value.unwrap_or(Value::None))
    }

    /// Gives the value of a node, or none if it is a collection, which is then to be made.
    fn begin(&mut self, id: NodeId, depth: usize) -> Result<Option<Value>, YamlFailure> {
        let mark = self.graph[id].mark;
        if depth > MAX_VALUE_DEPTH {
            return mark.raise(
                "RecursionError",
                format!("aliases make more than {MAX_VALUE_DEPTH} values stand inside one another"),
            );
        }
        let Some(built) = &self.built[id] else {
            return Ok(Some(Value::None));
        };
        match self.states[id] {
            State::New => {}
            State::Open if matches!(built, Built::Dict(_)) => {
                return Ok(Some(Value::str("{...}")));
            }
            State::Open => return Ok(Some(Value::str("[...]"))),
            State::Done => self.budget.charge(cost(built), mark)?,
        }
        let parts: Vec<NodeId> = match built {
            Built::Single(value) => {
                self.states[id] = State::Done;
                return Ok(Some(value.clone()));
            }
            Built::Set(_) => Vec::new(),
            Built::List(items) => items.clone(),
            Built::Pairs(pairs) => pairs
                .iter()
                .flat_map(|&(key, value)| [key, value])
                .collect(),
            Built::Dict(entries) => entries.values().copied().collect(),
        };
        self.states[id] = State::Open;
        self.collections.push(Collection {
            id,
            built,
            depth,
            values: Vec::with_capacity(parts.len()),
            parts,
        });
        Ok(None)
    }
}

impl Collection<'_> {
    fn finished(self) -> Value {
        match self.built {
            Built::Single(value) => value.clone(),
            Built::Set(items) => Value::Set(items.clone()),
            Built::List(_) => Value::List(self.values),
            Built::Pairs(_) => {
                let mut values = self.values.into_iter();
                let pairs = std::iter::from_fn(|| {
                    let key = values.next()?;
                    Some(Value::Tuple(vec![key, values.next()?]))
                });
                Value::List(pairs.collect())
            }
            Built::Dict(entries) => {
                let keys = entries.keys().cloned();
                Value::Dict(keys.zip(self.values).collect::<Dict>())
            }
        }
    }
}

impl Built {
    /// Counts the values that its parts stand in.
    fn layers(&self) -> usize {
        match self {
            Self::Pairs(_) => 2,
            _ => 1,
        }
    }
}

/// Gives what a copy counts for, the parts of a collection aside that are counted themselves.
fn cost(built: &Built) -> usize {
    match built {
        Built::Single(value) => cost_of_single(value),
        Built::Set(items) => 1 + items.iter().map(cost_of_single).sum::<usize>(),
        Built::Dict(entries) => 1 + entries.keys().map(cost_of_single).sum::<usize>(),
        Built::List(_) => 1,
        Built::Pairs(pairs) => 1 + pairs.len(),
    }
}

fn cost_of_single(value: &Value) -> usize {
    match value {
        Value::Str(text) => Budget::cost_of_bytes(text.len()),
        Value::Bytes(bytes) => Budget::cost_of_bytes(bytes.len()),
        Value::Int(int) => {
            Budget::cost_of_bytes(usize::try_from(int.bits() / 8).unwrap_or(usize::MAX))
        }
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use crate::python::yaml::{MAX_COPIES, YamlFailure, safe_load};

    fn repr(text: &str) -> String {
        match safe_load(text) {
            Ok(value) => value.repr(),
            Err(YamlFailure::Raises { class, .. }) => class.into(),
            Err(YamlFailure::Beyond { .. }) => "beyond".into(),
            Err(failure) => failure.to_string(),
        }
    }

    #[test]
    fn aliases_are_copied() {
        assert_eq!(
            repr("[&a [x], *a, {k: *a}]"),
            "[['x'], ['x'], {'k': ['x']}]"
        );
    }

    #[test]
    fn values_in_themselves_are_shown_as_repr_shows_them() {
        assert_eq!(repr("&a [*a]"), "['[...]']");
        assert_eq!(repr("&a {k: [*a]}"), "{'k': ['{...}']}");
        assert_eq!(repr("&a !!omap [k: *a]"), "[('k', '[...]')]");
        assert_eq!(repr("[&a [*a], *a]"), "[['[...]'], ['[...]']]");
    }

    #[test]
    fn copies_have_limits() {
        let mut text = String::from("- &a0 [x, x, x, x, x, x, x, x, x, x]\n");
        for at in 1..8 {
            let aliases = format!("*a{}, ", at - 1).repeat(10);
            text = format!("{text}- &a{at} [{aliases}]\n");
        }
        assert_eq!(repr(&text), "beyond");
        let long = "x".repeat(MAX_COPIES);
        assert_eq!(
            repr(&format!("[&a {long}{}]", ", *a".repeat(100))),
            "beyond"
        );
        let many = "x, ".repeat(MAX_COPIES / 4);
        assert!(safe_load(&format!("[{many}]")).is_ok());
        let nested = |inner: &str| "[".repeat(400) + inner + &"]".repeat(400);
        let [first, second, third] = ["", "*a0", "*a1"].map(nested);
        let chain = format!("- &a0 {first}\n- &a1 {second}\n- &a2 {third}\n");
        assert_eq!(repr(&chain), "RecursionError");
    }
}

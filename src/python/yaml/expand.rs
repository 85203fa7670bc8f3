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
            None => mark.raise(
                "MemoryError",
                format!("aliases repeat more than {MAX_COPIES} values"),
            ),
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
    let mut expansion = Expansion {
        graph,
        built,
        states: vec![State::New; graph.len()],
        budget,
    };
    expansion.value(root, 0)
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
}

impl Expansion<'_> {
    fn value(&mut self, id: NodeId, depth: usize) -> Result<Value, YamlFailure> {
        let mark = self.graph[id].mark;
        if depth > MAX_VALUE_DEPTH {
            return mark.raise(
                "RecursionError",
                format!("aliases make more than {MAX_VALUE_DEPTH} values stand inside one another"),
            );
        }
        let Some(built) = &self.built[id] else {
            return Ok(Value::None);
        };
        match self.states[id] {
            State::New => {}
            State::Open if matches!(built, Built::Dict(_)) => return Ok(Value::str("{...}")),
            State::Open => return Ok(Value::str("[...]")),
            State::Done => self.budget.charge(cost(built), mark)?,
        }
        self.states[id] = State::Open;
        let value = self.contents(built, depth + 1)?;
        self.states[id] = State::Done;
        Ok(value)
    }

    fn contents(&mut self, built: &Built, depth: usize) -> Result<Value, YamlFailure> {
        Ok(match built {
            Built::Single(value) => value.clone(),
            Built::Set(items) => Value::Set(items.clone()),
            Built::List(items) => {
                let items = items.iter().map(|&item| self.value(item, depth));
                Value::List(items.collect::<Result<_, _>>()?)
            }
            Built::Pairs(pairs) => {
                let pairs = pairs.iter().map(|&(key, value)| {
                    let pair = [self.value(key, depth + 1)?, self.value(value, depth + 1)?];
                    Ok(Value::Tuple(pair.into()))
                });
                Value::List(pairs.collect::<Result<_, _>>()?)
            }
            Built::Dict(entries) => {
                let mut dict = Dict::with_capacity(entries.len());
                for (key, &value) in entries {
                    dict.insert(key.clone(), self.value(value, depth)?);
                }
                Value::Dict(dict)
            }
        })
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

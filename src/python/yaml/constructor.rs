//! The constructor: makes values of the nodes.
//!
//! PyYAML makes a list or a mapping empty first and fills it later, all of one level before those
//! inside them. Of several mistakes the one that is met first in that order counts, so the order
//! is kept. Every node is made once, however many aliases name it.

use indexmap::IndexMap;

use super::YamlFailure;
use super::node::{Content, Graph, NodeId, Tag};
use super::reader::Mark;
use super::scalars::{self, Raised};
use super::{MAX_VALUE_DEPTH, expand, merge, timestamp};
use crate::python::Value;

/// The most keys of a mapping that are NaN: they cannot be told apart quickly.
const MAX_NANS: usize = 1000;

/// What was made of a node. The parts of a collection are named by their nodes.
#[derive(Debug)]
pub(super) enum Built {
    Single(Value),
    List(Vec<NodeId>),
    /// A list of tuples.
    Pairs(Vec<(NodeId, NodeId)>),
    Dict(IndexMap<Value, NodeId>),
    Set(Vec<Value>),
}

pub(super) struct Constructor {
    graph: Graph,
    built: Vec<Option<Built>>,
    /// The collections that are made but not filled, in the order of their making.
    unfilled: Vec<NodeId>,
    budget: expand::Budget,
}

impl Constructor {
    pub fn new(graph: Graph) -> Self {
        Self {
            built: graph.iter().map(|_| None).collect(),
            graph,
            unfilled: Vec::new(),
            budget: expand::Budget::default(),
        }
    }

    /// Makes the value of a document.
    pub fn document(mut self, root: NodeId) -> Result<Value, YamlFailure> {
        self.make(root)?;
        while !self.unfilled.is_empty() {
            for id in std::mem::take(&mut self.unfilled) {
                let filled = self.filled(id)?;
                self.built[id] = Some(filled);
            }
        }
        expand::value(&self.graph, &self.built, root, self.budget)
    }

    /// Makes a node's value: a collection empty, to be filled later.
    fn make(&mut self, id: NodeId) -> Result<(), YamlFailure> {
        if self.built[id].is_some() {
            return Ok(());
        }
        let mark = self.graph[id].mark;
        let built = match &self.graph[id].tag {
            Tag::Seq => Built::List(Vec::new()),
            Tag::Omap | Tag::Pairs => Built::Pairs(Vec::new()),
            Tag::Map => Built::Dict(IndexMap::new()),
            Tag::Set => Built::Set(Vec::new()),
            Tag::Merge => return mark.reject("`<<` is no value"),
            Tag::Value => return mark.reject("`=` is no value"),
            Tag::Other(tag) => {
                return mark.reject(format!("the safe loader knows no tag {tag}"));
            }
            tag => Built::Single(self.single(id, tag, mark)?),
        };
        if !matches!(built, Built::Single(_)) {
            self.unfilled.push(id);
        }
        self.built[id] = Some(built);
        Ok(())
    }

    /// Makes the value of a node that is no collection.
    fn single(&self, id: NodeId, tag: &Tag, mark: Mark) -> Result<Value, YamlFailure> {
        let text = self.text(id)?;
        let raised = |(class, message): Raised| mark.raise(class, message);
        match tag {
            Tag::Null => Ok(Value::None),
            Tag::Bool => match scalars::bool(text) {
                Some(value) => Ok(Value::Bool(value)),
                None => mark.raise("KeyError", "this is no truth value"),
            },
            Tag::Int => scalars::int(text).map(Value::Int).or_else(raised),
            Tag::Float => scalars::float(text).map(Value::Float).or_else(raised),
            Tag::Binary if !text.is_ascii() => mark.reject("base 64 has ASCII characters only"),
            Tag::Binary => match scalars::base64(text) {
                Some(bytes) => Ok(Value::Bytes(bytes)),
                None => mark.reject("the base 64 is cut short"),
            },
            Tag::Timestamp if !matches!(self.graph[id].content, Content::Scalar(_)) => {
                mark.raise("TypeError", "a timestamp cannot be a mapping")
            }
            Tag::Timestamp => match timestamp::read(text) {
                Some(value) => value.or_else(|message| mark.raise("ValueError", message)),
                None => mark.raise("AttributeError", "this is no timestamp"),
            },
            _ => Ok(Value::str(text)),
        }
    }

    /// Gives the text of a node. That of a mapping is the text of its value for `=`, if it has one.
    fn text(&self, id: NodeId) -> Result<&str, YamlFailure> {
        let mut at = id;
        for _ in 0..MAX_VALUE_DEPTH {
            let node = &self.graph[at];
            let pairs = match &node.content {
                Content::Scalar(text) => return Ok(text),
                Content::Mapping(pairs) => pairs.as_slice(),
                Content::Sequence(_) => &[],
            };
            let default = pairs
                .iter()
                .find(|(key, _)| self.graph[*key].tag == Tag::Value);
            let Some(&(_, value)) = default else {
                let found = node.content.describe();
                return node
                    .mark
                    .reject(format!("a single value is needed here, and not {found}"));
            };
            at = value;
        }
        let mark = self.graph[id].mark;
        mark.raise("RecursionError", "the value for `=` never ends")
    }

    /// Fills a collection.
    fn filled(&mut self, id: NodeId) -> Result<Built, YamlFailure> {
        Ok(match self.graph[id].tag {
            Tag::Omap | Tag::Pairs => Built::Pairs(self.pairs(id)?),
            Tag::Map => Built::Dict(self.mapping(id)?),
            Tag::Set => Built::Set(self.mapping(id)?.into_keys().collect()),
            _ => {
                let items = self.graph[id].sequence()?.to_vec();
                for &item in &items {
                    self.make(item)?;
                }
                Built::List(items)
            }
        })
    }

    /// Reads a list of mappings with one key each.
    fn pairs(&mut self, id: NodeId) -> Result<Vec<(NodeId, NodeId)>, YamlFailure> {
        let items = self.graph[id].sequence()?.to_vec();
        let mut pairs = Vec::with_capacity(items.len());
        for item in items {
            let node = &self.graph[item];
            let &[(key, value)] = node.mapping()? else {
                return node.mark.reject("a mapping with one key is needed here");
            };
            self.make(key)?;
            self.make(value)?;
            pairs.push((key, value));
        }
        Ok(pairs)
    }

    fn mapping(&mut self, id: NodeId) -> Result<IndexMap<Value, NodeId>, YamlFailure> {
        self.graph[id].mapping()?;
        merge::flatten(&mut self.graph, id, &mut self.budget)?;
        let pairs = self.graph[id].mapping()?.to_vec();
        let mut dict = IndexMap::with_capacity(pairs.len());
        // Python finds a NaN among the keys only if it is the very same object.
        let mut nans = Vec::new();
        for (key, value) in pairs {
            self.make(key)?;
            let Some(Built::Single(hashable)) = &self.built[key] else {
                return self.graph[key]
                    .mark
                    .reject("a list, a mapping or a set cannot be a key");
            };
            let hashable = hashable.clone();
            self.make(value)?;
            if matches!(hashable, Value::Float(float) if float.is_nan()) {
                let object = (!scalars::is_own_nan(self.text(key)?)).then_some(key);
                if let Some((_, at)) = nans.iter().find(|(nan, _)| *nan == object) {
                    dict[*at] = value;
                    continue;
                }
                if nans.len() == MAX_NANS {
                    let message = format!("more than {MAX_NANS} keys are not a number");
                    return self.graph[key].mark.give_up(message);
                }
                nans.push((object, dict.len()));
            }
            dict.insert(hashable, value);
        }
        Ok(dict)
    }
}

#[cfg(test)]
mod tests {
    use crate::python::yaml::{YamlFailure, safe_load};

    fn repr(text: &str) -> String {
        match safe_load(text) {
            Ok(value) => value.repr(),
            Err(YamlFailure::Yaml { line, column, .. }) => format!("{line}:{column}"),
            Err(YamlFailure::Raises { class, .. }) => class.into(),
            Err(YamlFailure::Beyond { .. }) => "beyond".into(),
        }
    }

    #[test]
    fn tags_decide_what_is_made() {
        for (text, expected) in [
            ("!!str 1", "'1'"),
            ("!!str", "''"),
            ("!!null x", "None"),
            ("!!bool oN", "True"),
            ("!!int '12'", "12"),
            ("!!float 1", "1.0"),
            ("!!binary aGk=", "b'hi'"),
            ("!!timestamp 2026-1-2", "datetime.date(2026, 1, 2)"),
            ("!!seq [a]", "['a']"),
            ("!!map {a: b}", "{'a': 'b'}"),
            ("!!set {a, 1, 1.0}", "{'a', 1}"),
            ("!!omap [a: 1, a: 2]", "[('a', 1), ('a', 2)]"),
            ("!!pairs [a: [b]]", "[('a', ['b'])]"),
            ("!!str {x: y, =: z}", "'z'"),
            ("!!int {=: {=: 7}}", "7"),
        ] {
            assert_eq!(repr(text), expected, "{text:?}");
        }
    }

    #[test]
    fn the_last_of_equal_keys_counts_at_the_place_of_the_first() {
        assert_eq!(repr("{a: 1, b: 2, a: 3}"), "{'a': 3, 'b': 2}");
        assert_eq!(
            repr("{1: a, true: b, 1.0: c, '1': d}"),
            "{1: 'c', '1': 'd'}"
        );
        assert_eq!(repr("{.nan: 1, .NaN: 2}"), "{nan: 2}");
        assert_eq!(repr("{!!float nan: 1, !!float nan: 2}"), "{nan: 1, nan: 2}");
        assert_eq!(repr("{&a !!float nan: 1, *a : 2}"), "{nan: 2}");
        let many: String = (0..2000).map(|_| "!!float nan: 1,").collect();
        assert_eq!(repr(&format!("{{{many}}}")), "beyond");
    }

    #[test]
    fn what_the_safe_loader_refuses_fails_in_its_place() {
        for (text, expected) in [
            ("[a, !x b]", "1:5"),
            ("[<<]", "1:2"),
            ("a: =", "1:4"),
            ("! '!'", "1:1"),
            ("!!str [a]", "1:1"),
            ("!!str {a: b}", "1:1"),
            ("!!null [a]", "1:1"),
            ("!!seq a", "1:1"),
            ("!!map [a]", "1:1"),
            ("!!set a", "1:1"),
            ("!!omap {a: b}", "1:1"),
            ("!!omap [a]", "1:9"),
            ("!!pairs [{a: b, c: d}]", "1:10"),
            ("{[a]: b}", "1:2"),
            ("? {a: b}\n: c", "1:3"),
            ("!!binary é", "1:1"),
            ("!!binary abc", "1:1"),
        ] {
            assert_eq!(repr(text), expected, "{text:?}");
        }
    }

    #[test]
    fn exceptions_of_pythons_conversions_come_out() {
        for (text, expected) in [
            ("!!bool nope", "KeyError"),
            ("!!int x", "ValueError"),
            ("0b_", "ValueError"),
            ("!!int ''", "IndexError"),
            ("!!float ''", "IndexError"),
            ("!!float x", "ValueError"),
            ("!!timestamp x", "AttributeError"),
            ("!!timestamp {=: 2026-01-02}", "TypeError"),
            ("2026-13-45", "ValueError"),
            ("'\\U00110000'", r"'\\U00110000'"),
            ("\"\\U00110000\"", "ValueError"),
            ("\"\\UFFFFFFFF\"", "OverflowError"),
            ("&a !!str {=: *a}", "RecursionError"),
        ] {
            assert_eq!(repr(text), expected, "{text:?}");
        }
    }

    #[test]
    fn the_mistake_nearest_to_the_root_is_met_first() {
        assert_eq!(repr("[[!!bool x], !!int x]"), "ValueError");
        assert_eq!(repr("[[!!bool x], [!!int x]]"), "KeyError");
        assert_eq!(repr("{a: [!!bool x], [b]: c}"), "1:17");
    }
}

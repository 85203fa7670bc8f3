//! Merge keys: `<<` takes the pairs of other mappings over.
//!
//! This is the merging of PyYAML 6.0.4. Of the mappings in a list the *last* that has a key wins,
//! not the first, except for keys of one Latin-1 character: PyYAML leaves out a pair whose key it
//! has already taken over, and compares the keys as objects. A key that several aliases bring in
//! is one object, and so is every text of one such character, while longer texts are different
//! objects even if they are equal.

use std::collections::{HashMap, HashSet};

use super::expand::Budget;
use super::node::{Content, Graph, NodeId, Tag};
use super::{MAX_VALUE_DEPTH, YamlFailure};

type Pair = (NodeId, NodeId);

/// What makes two keys the same object.
#[derive(PartialEq, Eq, Hash)]
enum Identity {
    /// The empty text or one of a single character.
    Short(Option<char>),
    Node(NodeId),
}

/// Replaces the merge keys of a mapping, and of those that they name, by the pairs that they mean.
///
/// A key `=` becomes a plain text on the way.
pub(super) fn flatten(
    graph: &mut Graph,
    id: NodeId,
    budget: &mut Budget,
) -> Result<(), YamlFailure> {
    let mut flattening = Flattening {
        graph,
        budget,
        open: HashMap::new(),
    };
    flattening.mapping(id, 0)
}

struct Flattening<'a> {
    graph: &'a mut Graph,
    budget: &'a mut Budget,
    /// What is still to be looked at of the mappings that are being flattened, last pair first.
    ///
    /// A mapping can merge itself, so that it is flattened while it is being flattened. Whoever
    /// comes to a pair first takes it off.
    open: HashMap<NodeId, Vec<Pair>>,
}

impl Flattening<'_> {
    fn mapping(&mut self, id: NodeId, depth: usize) -> Result<(), YamlFailure> {
        let is_special = |(key, _): &Pair| matches!(self.graph[*key].tag, Tag::Merge | Tag::Value);
        let is_open = self.open.contains_key(&id);
        if !is_open && !self.pairs(id).iter().any(is_special) {
            return Ok(());
        }
        if depth == MAX_VALUE_DEPTH {
            return self.graph[id].mark.raise(
                "RecursionError",
                format!("more than {MAX_VALUE_DEPTH} mappings merge one another"),
            );
        }
        if !is_open {
            let mut pairs = self.replace_pairs(id, Vec::new());
            pairs.reverse();
            self.open.insert(id, pairs);
        }
        let mut merged = Merged::default();
        while let Some((key, value)) = self.open.get_mut(&id).and_then(Vec::pop) {
            match self.graph[key].tag {
                Tag::Merge => self.merge(value, &mut merged, depth)?,
                Tag::Value => {
                    self.graph[key].tag = Tag::Str;
                    self.push_pair(id, (key, value));
                }
                _ => self.push_pair(id, (key, value)),
            }
        }
        if !merged.pairs.is_empty() {
            let own = self.replace_pairs(id, Vec::new());
            merged.pairs.extend(own);
            self.replace_pairs(id, merged.pairs);
        }
        if !is_open {
            self.open.remove(&id);
        }
        Ok(())
    }

    /// Takes over what the value of a merge key holds.
    fn merge(
        &mut self,
        value: NodeId,
        merged: &mut Merged,
        depth: usize,
    ) -> Result<(), YamlFailure> {
        let sources = match &self.graph[value].content {
            Content::Mapping(_) => vec![value],
            Content::Sequence(items) => items.clone(),
            Content::Scalar(_) => {
                let mark = self.graph[value].mark;
                return mark.reject("`<<` takes a mapping or a list of mappings");
            }
        };
        for source in sources {
            let node = &self.graph[source];
            if !matches!(node.content, Content::Mapping(_)) {
                return node.mark.reject("only mappings can be merged");
            }
            self.mapping(source, depth + 1)?;
            for (key, value) in self.pairs(source).to_vec() {
                let node = &self.graph[key];
                self.budget.charge(cost(&node.content), node.mark)?;
                if merged.keys.insert(identity(key, &node.content)) {
                    merged.pairs.push((key, value));
                }
            }
        }
        Ok(())
    }

    fn pairs(&self, id: NodeId) -> &[Pair] {
        match &self.graph[id].content {
            Content::Mapping(pairs) => pairs,
            _ => &[],
        }
    }

    fn push_pair(&mut self, id: NodeId, pair: Pair) {
        if let Content::Mapping(pairs) = &mut self.graph[id].content {
            pairs.push(pair);
        }
    }

    fn replace_pairs(&mut self, id: NodeId, new: Vec<Pair>) -> Vec<Pair> {
        match &mut self.graph[id].content {
            Content::Mapping(pairs) => std::mem::replace(pairs, new),
            _ => new,
        }
    }
}

/// The pairs taken over so far, and their keys.
#[derive(Default)]
struct Merged {
    pairs: Vec<Pair>,
    keys: HashSet<Identity>,
}

fn cost(key: &Content) -> usize {
    match key {
        Content::Scalar(text) => Budget::cost_of_bytes(text.len()),
        _ => 1,
    }
}

fn identity(id: NodeId, key: &Content) -> Identity {
    let Content::Scalar(text) = key else {
        return Identity::Node(id);
    };
    let mut chars = text.chars();
    match (chars.next(), chars.next()) {
        (None, _) => Identity::Short(None),
        (Some(c @ ..='\u{ff}'), None) => Identity::Short(Some(c)),
        _ => Identity::Node(id),
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
    fn merge_keys_take_pairs_over() {
        for (text, expected) in [
            ("{kk: 1, <<: {kk: 2, ll: 3}}", "{'kk': 1, 'll': 3}"),
            ("{mm: 1, <<: {kk: 2}}", "{'kk': 2, 'mm': 1}"),
            ("{<<: [{kk: 1}, {kk: 2, ll: 3}]}", "{'kk': 2, 'll': 3}"),
            ("{<<: [{k: 1}, {k: 2, l: 3}]}", "{'k': 1, 'l': 3}"),
            ("{<<: [{日: 1}, {日: 2}]}", "{'日': 2}"),
            ("{<<: [{'': 1}, {'': 2}]}", "{'': 1}"),
            ("{<<: {<<: {<<: {a: 1}}, b: 2}}", "{'a': 1, 'b': 2}"),
            ("{<<: [], <<: {a: 1}, <<: {b: 1}}", "{'a': 1, 'b': 1}"),
            ("{'<<': {a: 1}}", "{'<<': {'a': 1}}"),
            ("{=: 1}", "{'=': 1}"),
            ("!!set {<<: {a, b}}", "{'a', 'b'}"),
            ("&a {<<: *a, b: 1}", "{'b': 1}"),
            (
                "- &a {k: 1}\n- {<<: *a, k: 2}\n- *a",
                "[{'k': 1}, {'k': 2}, {'k': 1}]",
            ),
        ] {
            assert_eq!(repr(text), expected, "{text:?}");
        }
    }

    #[test]
    fn only_mappings_can_be_merged() {
        assert_eq!(repr("{<<: a}"), "1:6");
        assert_eq!(repr("{<<: }"), "1:5");
        assert_eq!(repr("{<<: [{}, a]}"), "1:11");
        assert_eq!(repr("{<<: {[a]: b}}"), "1:7");
    }

    #[test]
    fn a_key_that_was_flattened_is_a_text_for_good() {
        assert_eq!(repr("- {&k =: 1}\n- [*k]"), "[{'=': 1}, ['=']]");
        assert_eq!(repr("- [{&k =: 1}]\n- *k"), "1:5");
    }

    #[test]
    fn merges_have_limits() {
        let chain = (1..2000).map(|at| format!(", &a{at} {{<<: *a{}}}", at - 1));
        let chain = chain.collect::<Vec<_>>().concat();
        assert_eq!(
            repr(&format!("d: [&a0 {{x: 1}}{chain}]\n<<: *a1999")),
            "RecursionError"
        );
        let keys = (0..2000).map(|at| format!("k{at}: 1,"));
        let keys = keys.collect::<Vec<_>>().concat();
        let aliases = "*a,".repeat(1000);
        assert_eq!(
            repr(&format!("- &a {{{keys}}}\n- {{<<: [{aliases}]}}")),
            "beyond"
        );
    }
}

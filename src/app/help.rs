//! The help: the key table, as lines of keys and words.

use super::{Context, Keymap};

impl Keymap {
    /// Gathers the keys of a context that stand under one line of help.
    #[must_use]
    pub fn help(&self, context: Context) -> Vec<(String, &'static str)> {
        let mut rows: Vec<(String, &'static str)> = Vec::new();
        for (binding, keys) in self.lines(context) {
            let keys: Vec<String> = keys.iter().map(ToString::to_string).collect();
            match rows.last_mut() {
                Some((all, _)) if binding.help.is_empty() => {
                    all.push(' ');
                    all.push_str(&keys.join(" "));
                }
                _ => rows.push((keys.join(" "), binding.help)),
            }
        }
        rows
    }

    /// Counts the lines of the help: a heading, the keys and a blank line for each context.
    #[must_use]
    pub fn help_lines(&self) -> usize {
        let contexts = Context::ALL.into_iter();
        contexts.map(|context| self.help(context).len() + 2).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_stands_in_the_help() {
        let keymap = Keymap::default();
        for context in Context::ALL {
            let all = keymap.help(context);
            let shown: usize = all.iter().map(|(keys, _)| keys.split(' ').count()).sum();
            let bound: usize = keymap.lines(context).map(|(_, keys)| keys.len()).sum();
            assert_eq!(shown, bound, "{context:?}");
        }
    }
}

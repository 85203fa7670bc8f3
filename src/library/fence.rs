//! Fenced blocks of Markdown: what stands in one is text, not an instruction to the library.

/// Which fenced block the lines that are looked at stand in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Fence {
    open: Option<(char, usize, bool)>,
}

/// What a line is to fenced blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FenceLine {
    /// It stands in none.
    Outside,
    /// It opens, closes, or stands in one.
    Inside {
        /// Whether variables stay as they stand there.
        is_verbatim: bool,
    },
}

/// The word after a fence's signs that keeps variables as they stand.
pub(super) const VERBATIM: &str = "verbatim";

impl Fence {
    /// Takes the next line in and tells what it is.
    ///
    /// A fence is closed by one of the same sign that is as long at least.
    pub fn take(&mut self, line: &str) -> FenceLine {
        let line = line.trim_start();
        let sign = line.chars().next().filter(|sign| matches!(sign, '`' | '~'));
        let length = sign.map_or(0, |sign| line.chars().take_while(|c| *c == sign).count());
        match (self.open, sign) {
            (None, Some(sign)) if length >= 3 => {
                let is_verbatim = words(line).any(|word| word == VERBATIM);
                self.open = Some((sign, length, is_verbatim));
                FenceLine::Inside { is_verbatim }
            }
            (Some((open, least, is_verbatim)), Some(sign)) if open == sign && length >= least => {
                self.open = None;
                FenceLine::Inside { is_verbatim }
            }
            (Some((.., is_verbatim)), _) => FenceLine::Inside { is_verbatim },
            (None, _) => FenceLine::Outside,
        }
    }

    /// Tells whether a line, the next one, opens a block whose variables stay as they stand.
    #[must_use]
    pub fn opens_verbatim(self, line: &str) -> bool {
        let mut next = self;
        self.open.is_none() && next.take(line) == (FenceLine::Inside { is_verbatim: true })
    }
}

/// Lists the words after the signs of a fence.
fn words(line: &str) -> impl Iterator<Item = &str> {
    line.trim_start_matches(['`', '~']).split_whitespace()
}

/// Takes the word out that only the library reads: ```` ```json verbatim ```` becomes ```` ```json ````.
pub(super) fn without_verbatim(line: &str) -> String {
    let signs = line.len() - line.trim_start().trim_start_matches(['`', '~']).len();
    let kept: Vec<&str> = words(line.trim_start())
        .filter(|word| *word != VERBATIM)
        .collect();
    format!("{}{}", &line[..signs], kept.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inside(text: &str) -> String {
        let mut fence = Fence::default();
        let marks = text.lines().map(|line| match fence.take(line) {
            FenceLine::Outside => '.',
            FenceLine::Inside { is_verbatim: false } => 'f',
            FenceLine::Inside { is_verbatim: true } => 'v',
        });
        marks.collect()
    }

    #[test]
    fn a_block_ends_at_a_fence_of_its_own_kind() {
        assert_eq!(inside("a\n```\nx\n```\nb"), ".fff.");
        assert_eq!(inside("````\n```\nx\n````\nb"), "ffff.");
        assert_eq!(inside("~~~\n```\n~~~\nb\n``\nc"), "fff...");
        assert_eq!(inside("```js verbatim\nx\n```\nb"), "vvv.");
        assert_eq!(inside("``` verbatimly\n```"), "ff");
    }

    #[test]
    fn the_word_goes_and_the_rest_of_the_line_stays() {
        for (line, wanted) in [
            ("```json verbatim", "```json"),
            ("  ~~~ verbatim", "  ~~~"),
            ("```verbatim text", "```text"),
        ] {
            assert!(Fence::default().opens_verbatim(line), "{line}");
            assert_eq!(without_verbatim(line), wanted);
        }
        assert!(!Fence::default().opens_verbatim("```json"));
    }
}

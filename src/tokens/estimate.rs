//! What a text costs a model whose vocabulary is not public: an estimate, with its error.

use super::Encoding;

/// An estimate for a model, as a range of factors on the count in [`Estimate::BASE`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Estimate {
    /// The model's name.
    pub model: String,
    /// The lowest factor, in hundredths.
    low: usize,
    /// The highest factor, in hundredths.
    high: usize,
}

/// The models of which corrections have been published: what their names begin with, and the factors.
const KNOWN: [(&str, usize, usize); 1] = [("claude", 118, 153)];

impl Estimate {
    /// The encoding that the factors are on.
    pub const BASE: Encoding = Encoding::Cl100kBase;

    /// Finds the estimate for a model; `None` where its vocabulary is public, or nothing is known.
    #[must_use]
    pub fn for_model(model: &str) -> Option<Self> {
        let name = model.rsplit('/').next().unwrap_or(model).to_lowercase();
        let (_, low, high) = KNOWN
            .into_iter()
            .find(|(start, ..)| name.starts_with(start))?;
        Some(Self {
            model: model.to_owned(),
            low,
            high,
        })
    }

    /// Gives the least and the most tokens that so many of [`Estimate::BASE`] may be.
    #[must_use]
    pub fn range(&self, tokens: usize) -> (usize, usize) {
        let times = |factor: usize| tokens.saturating_mul(factor) / 100;
        (times(self.low), times(self.high))
    }

    /// Says in a sentence what the estimate is.
    #[must_use]
    pub fn about(&self) -> String {
        let factor = |hundredths: usize| format!("{}.{:02}", hundredths / 100, hundredths % 100);
        format!(
            "the vocabulary of {} is not public: its tokens are estimated as {} to {} times those of {}",
            self.model,
            factor(self.low),
            factor(self.high),
            Self::BASE
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_public_is_a_range() {
        let estimate = Estimate::for_model("anthropic/claude-opus-4").unwrap();
        assert_eq!(estimate.range(1000), (1180, 1530));
        assert!(
            estimate
                .about()
                .contains("1.18 to 1.53 times those of cl100k_base")
        );
        assert_eq!(Estimate::for_model("gpt-4o"), None);
        assert_eq!(Estimate::for_model("unheard-of"), None);
    }
}

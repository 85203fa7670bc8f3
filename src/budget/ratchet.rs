//! The ratchet: tokens that were recorded, and what grew or shrank since.

use super::Usage;
use crate::prompt::SectionId;
use crate::python::{Dict, Value, json};

/// The tokens of each section as they were recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Baseline {
    /// The encoding's name.
    pub encoding: String,
    /// Each section.
    pub sections: [usize; 8],
    /// The whole system prompt.
    pub system_prompt: usize,
}

/// How a number stands to what was recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Growth {
    /// The section; `None` for the system prompt.
    pub section: Option<SectionId>,
    /// What was recorded.
    pub recorded: usize,
    /// What it is now.
    pub now: usize,
}

/// What the file says of its form.
const FORM: i64 = 1;

impl Baseline {
    /// Records the numbers of an assembly.
    #[must_use]
    pub fn of(usage: &Usage) -> Self {
        Self {
            encoding: usage.encoding.name().to_owned(),
            sections: SectionId::ALL.map(|id| usage.section(id)),
            system_prompt: usage.system_prompt,
        }
    }

    /// Writes the file's text; the same numbers give the same bytes.
    #[must_use]
    pub fn to_json(&self) -> String {
        let number = |count: usize| Value::Int(count.into());
        let sections =
            SectionId::ALL.map(|id| (Value::str(id.id()), number(self.sections[id.index()])));
        let fields = [
            ("promptscope_baseline", Value::Int(FORM.into())),
            ("encoding", Value::str(self.encoding.as_str())),
            ("sections", Value::Dict(sections.into_iter().collect())),
            ("system_prompt", number(self.system_prompt)),
        ];
        let fields: Dict = fields
            .into_iter()
            .map(|(key, value)| (Value::str(key), value))
            .collect();
        json::dumps_pretty(&Value::Dict(fields)) + "\n"
    }

    /// Reads the file's text; fails with a sentence.
    pub fn parse(text: &str) -> Result<Self, String> {
        let value = json::loads(text).map_err(|_| "it is no JSON".to_owned())?;
        if value.get("promptscope_baseline") != Some(&Value::Int(FORM.into())) {
            return Err("it is no baseline of this form".to_owned());
        }
        let count = |value: Option<&Value>| match value {
            Some(Value::Int(count)) => usize::try_from(count).ok(),
            _ => None,
        };
        let sections = value.get("sections");
        let of = |id: SectionId| count(sections.and_then(|sections| sections.get(id.id())));
        let missing = || "a number is missing in it".to_owned();
        let mut recorded = [0; 8];
        for id in SectionId::ALL {
            recorded[id.index()] = of(id).ok_or_else(missing)?;
        }
        let encoding = value.get("encoding").and_then(Value::as_str);
        Ok(Self {
            encoding: encoding.ok_or_else(missing)?.to_owned(),
            sections: recorded,
            system_prompt: count(value.get("system_prompt")).ok_or_else(missing)?,
        })
    }

    /// Lists the numbers that are not what was recorded, those of the sections first.
    #[must_use]
    pub fn differing(&self, usage: &Usage) -> Vec<Growth> {
        let sections = SectionId::ALL.map(|id| Growth {
            section: Some(id),
            recorded: self.sections[id.index()],
            now: usage.section(id),
        });
        let whole = Growth {
            section: None,
            recorded: self.system_prompt,
            now: usage.system_prompt,
        };
        let all = sections.into_iter().chain([whole]);
        all.filter(|growth| growth.recorded != growth.now).collect()
    }
}

impl Growth {
    /// Tells whether it grew by more than a share of what was recorded.
    #[must_use]
    pub fn is_beyond(&self, tolerance: f64) -> bool {
        #[expect(
            clippy::cast_precision_loss,
            reason = "token counts are far below 2^52"
        )]
        let limit = self.recorded as f64 * (1.0 + tolerance);
        #[expect(
            clippy::cast_precision_loss,
            reason = "token counts are far below 2^52"
        )]
        let now = self.now as f64;
        self.now > self.recorded && now > limit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_recorded_is_read_back_and_faults_are_told() {
        let baseline = Baseline {
            encoding: "o200k_base".into(),
            sections: [1, 2, 3, 4, 5, 6, 7, 8],
            system_prompt: 40,
        };
        assert_eq!(Baseline::parse(&baseline.to_json()), Ok(baseline.clone()));
        assert!(Baseline::parse("{").is_err());
        assert!(Baseline::parse("{}").unwrap_err().contains("no baseline"));
        let short = baseline.to_json().replace("\"memory\": 4,", "");
        assert!(Baseline::parse(&short).unwrap_err().contains("missing"));
    }

    #[test]
    fn growth_is_measured_against_the_tolerance() {
        let growth = |recorded, now| Growth {
            section: None,
            recorded,
            now,
        };
        assert!(growth(100, 101).is_beyond(0.0));
        assert!(!growth(100, 105).is_beyond(0.05));
        assert!(growth(100, 106).is_beyond(0.05));
        assert!(!growth(100, 90).is_beyond(0.0));
        assert!(growth(0, 1).is_beyond(0.5));
    }
}

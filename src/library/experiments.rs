//! Experiments: which variant a person gets, by the hash of an id.

use md5::{Digest as _, Md5};

use super::SettingsPlace;

/// An experiment: variants with their weights.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Experiment {
    /// The variants, in the order in which the shares are handed out.
    pub variants: Vec<Variant>,
    /// What is hashed besides the id.
    pub salt: Salt,
    /// Where it is declared.
    pub place: SettingsPlace,
}

/// A variant of an experiment.
#[derive(Debug, Clone, PartialEq)]
pub struct Variant {
    /// Its name, such as `A`.
    pub name: String,
    /// The prompt or composition that it stands for.
    pub prompt: String,
    /// Its share, from 0 to 1; those of an experiment add up to 1.
    pub weight: f64,
}

/// What is hashed besides the id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Salt {
    /// Nothing: all experiments move together.
    #[default]
    None,
    /// The experiment's name: each moves by itself.
    Experiment,
}

impl Experiment {
    /// Finds the variant of an id: MD5 of the id as a number, modulo 100, over 100; the first variant whose
    /// share, with those before it, is above that.
    #[must_use]
    pub fn assign(&self, experiment: &str, id: &str) -> Option<&Variant> {
        let hashed = match self.salt {
            Salt::None => id.to_owned(),
            Salt::Experiment => format!("{experiment}:{id}"),
        };
        let digest = Md5::digest(hashed.as_bytes());
        let remainder = |rest: u32, byte: &u8| (rest * 256 + u32::from(*byte)) % BUCKETS;
        self.of_bucket(digest.iter().fold(0, remainder))
    }

    /// Finds the variant for somebody without an id: any, by their shares. `random` is a number of the
    /// caller's, which this function has no source of.
    #[must_use]
    pub fn any(&self, random: u64) -> Option<&Variant> {
        self.of_bucket(u32::try_from(random % u64::from(BUCKETS)).unwrap_or_default())
    }

    fn of_bucket(&self, bucket: u32) -> Option<&Variant> {
        let mut below = 0.0;
        let found = self.variants.iter().find(|variant| {
            below += variant.weight;
            f64::from(bucket) < below * 100.0 - ROUNDING
        });
        // Weights that add up to less for their rounding leave the rest to the last that has any.
        found.or_else(|| {
            self.variants
                .iter()
                .rev()
                .find(|variant| variant.weight > 0.0)
        })
    }
}

/// How finely ids are told apart.
const BUCKETS: u32 = 100;

/// How far sums of shares in percent may be from what they stand for.
const ROUNDING: f64 = 1e-6;

#[cfg(test)]
mod tests {
    use super::*;

    fn experiment(weights: &[f64], salt: Salt) -> Experiment {
        let names = ["A", "B", "C"];
        let variants = names
            .into_iter()
            .zip(weights)
            .map(|(name, weight)| Variant {
                name: name.to_owned(),
                prompt: name.to_lowercase(),
                weight: *weight,
            });
        Experiment {
            variants: variants.collect(),
            salt,
            place: SettingsPlace::default(),
        }
    }

    fn assigned(weights: &[f64], salt: Salt, ids: &[&str]) -> String {
        let experiment = experiment(weights, salt);
        let names = ids.iter().map(|id| {
            experiment
                .assign("tone", id)
                .map_or("-", |it| it.name.as_str())
        });
        names.collect()
    }

    /// The ids whose variants were computed by Python's hashlib.
    const IDS: [&str; 20] = [
        "user_abc",
        "user_1",
        "user_2",
        "user_3",
        "user_4",
        "user_5",
        "12345",
        "67890",
        "mei",
        "arif",
        "陈薇",
        "",
        "a@example.org",
        "b@example.org",
        "0",
        "1",
        "2",
        "3",
        "x",
        "y",
    ];

    #[test]
    fn ids_get_the_variant_that_another_program_computes() {
        // int(hashlib.md5(id.encode()).hexdigest(), 16) % 100, and for the salted ones of "tone:" + id.
        assert_eq!(
            assigned(&[0.5, 0.5], Salt::None, &IDS),
            "BBBBABABABBBBBBAABAB"
        );
        assert_eq!(
            assigned(&[0.2, 0.3, 0.5], Salt::None, &IDS),
            "CCCCBCACBCCCCCCAACBC"
        );
        assert_eq!(
            assigned(&[0.5, 0.5], Salt::Experiment, &IDS),
            "AAABABBBABABAABAABBB"
        );
        assert_eq!(assigned(&[0.0, 1.0], Salt::None, &IDS), "B".repeat(20));
        assert_eq!(assigned(&[1.0, 0.0], Salt::None, &IDS), "A".repeat(20));
    }

    #[test]
    fn shares_are_kept_over_many_ids() {
        let experiment = experiment(&[0.2, 0.3, 0.5], Salt::Experiment);
        let mut counts = [0_u32; 3];
        for id in 0..100_000 {
            let variant = experiment.assign("tone", &format!("user_{id}")).unwrap();
            let at = experiment
                .variants
                .iter()
                .position(|it| it == variant)
                .unwrap();
            counts[at] += 1;
        }
        for (count, wanted) in counts.into_iter().zip([20_000.0, 30_000.0, 50_000.0]) {
            assert!((f64::from(count) - wanted).abs() < 500.0, "{counts:?}");
        }
    }

    #[test]
    fn without_an_id_any_variant_comes_by_its_share() {
        let experiment = experiment(&[0.2, 0.3, 0.5], Salt::None);
        let names = (0..100).filter_map(|random| experiment.any(random));
        let count = |name| names.clone().filter(|it| it.name == name).count();
        assert_eq!([count("A"), count("B"), count("C")], [20, 30, 50]);
        assert_eq!(experiment.any(1_000_000_007).unwrap().name, "A");
    }

    #[test]
    fn rounding_moves_nobody() {
        let tenths = experiment(&[0.1, 0.2, 0.7], Salt::None);
        let exact = experiment(&[0.3, 0.7], Salt::None);
        for id in 0..1000 {
            let id = id.to_string();
            let is_last = tenths.assign("x", &id).unwrap().name == "C";
            assert_eq!(is_last, exact.assign("x", &id).unwrap().name == "B", "{id}");
        }
    }

    #[test]
    fn what_is_left_over_goes_to_the_last_that_has_a_share() {
        let name = |weights: &[f64], random| {
            let experiment = experiment(weights, Salt::None);
            experiment.any(random).map(|it| it.name.clone())
        };
        assert_eq!(name(&[0.33, 0.66, 0.0], 99).as_deref(), Some("B"));
        assert_eq!(name(&[0.33, 0.66, 0.0], 32).as_deref(), Some("A"));
        assert_eq!(name(&[0.0, 0.0], 0), None);
    }
}

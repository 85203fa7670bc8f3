//! The tables that the measurements are told in.

use std::io::{self, Write as _};
use std::time::{Duration, Instant};

/// What one line of the table tells: what, our figure, the other side's, both in proportion, the target.
pub type Row = [String; 5];

/// What two sides took for the same work, round by round.
pub struct Pair {
    ours: Vec<Duration>,
    theirs: Vec<Duration>,
}

impl Pair {
    /// Measures two sides in turns, so that what slows the machine down for a while slows both.
    ///
    /// Each side is given the number of the round.
    pub fn measured<A, B>(
        rounds: usize,
        mut ours: impl FnMut(usize) -> A,
        mut theirs: impl FnMut(usize) -> B,
    ) -> Self {
        Self::told(
            rounds,
            |round| timed(|| ours(round)),
            |round| timed(|| theirs(round)),
        )
    }

    /// Takes in turns what two sides say that they took.
    pub fn told(
        rounds: usize,
        mut ours: impl FnMut(usize) -> Duration,
        mut theirs: impl FnMut(usize) -> Duration,
    ) -> Self {
        let mut pair = Self {
            ours: Vec::new(),
            theirs: Vec::new(),
        };
        for round in 0..rounds {
            pair.ours.push(ours(round));
            pair.theirs.push(theirs(round));
        }
        pair
    }

    /// Takes what two sides say that they took, one after the other, so that each finds its own in the caches.
    pub fn apart(
        rounds: usize,
        ours: impl FnMut(usize) -> Duration,
        theirs: impl FnMut(usize) -> Duration,
    ) -> Self {
        Self {
            ours: (0..rounds).map(ours).collect(),
            theirs: (0..rounds).map(theirs).collect(),
        }
    }

    /// Tells how many times faster ours is, by the medians.
    pub fn faster(&self, what: impl Into<String>, other: &str, target: &str) -> Row {
        let (ours, theirs) = (median(&self.ours), median(&self.theirs));
        let ratio = theirs.as_secs_f64() / ours.as_secs_f64();
        self.row(what, other, format!("{} faster", times(ratio)), target)
    }

    /// Tells how many times as long ours takes, by the medians.
    pub fn longer(&self, what: impl Into<String>, other: &str, target: &str) -> Row {
        let (ours, theirs) = (median(&self.ours), median(&self.theirs));
        let ratio = ours.as_secs_f64() / theirs.as_secs_f64();
        self.row(what, other, format!("{} as long", times(ratio)), target)
    }

    fn row(&self, what: impl Into<String>, other: &str, ratio: String, target: &str) -> Row {
        [
            what.into(),
            time(median(&self.ours)),
            format!("{other}: {}", time(median(&self.theirs))),
            ratio,
            target.into(),
        ]
    }
}

/// Makes a line of something that is compared with nothing.
pub fn alone(what: impl Into<String>, figure: impl Into<String>, target: &str) -> Row {
    [
        what.into(),
        figure.into(),
        "–".into(),
        "–".into(),
        target.into(),
    ]
}

/// Takes the time of some work; what comes out of it is thrown away after that.
pub fn timed<T>(work: impl FnOnce() -> T) -> Duration {
    let since = Instant::now();
    let result = std::hint::black_box(work());
    let took = since.elapsed();
    drop(result);
    took
}

/// Gives the time that a share of a hundred does not exceed.
pub fn percentile(times: &[Duration], share: usize) -> Duration {
    let mut sorted = times.to_vec();
    sorted.sort();
    sorted[(sorted.len() * share / 100).min(sorted.len() - 1)]
}

/// Gives the time in the middle.
pub fn median(times: &[Duration]) -> Duration {
    percentile(times, 50)
}

/// Writes a time in the unit that suits it.
pub fn time(time: Duration) -> String {
    let micros = time.as_secs_f64() * 1e6;
    match micros {
        ..1e3 => format!("{micros:.0} µs"),
        ..1e5 => format!("{:.1} ms", micros / 1e3),
        ..1e6 => format!("{:.0} ms", micros / 1e3),
        _ => format!("{:.2} s", micros / 1e6),
    }
}

fn times(ratio: f64) -> String {
    if ratio < 10.0 {
        format!("{ratio:.2}×")
    } else {
        format!("{ratio:.0}×")
    }
}

/// Prints a table of Markdown as far as it goes.
pub fn print<const COLUMNS: usize>(
    head: [&str; COLUMNS],
    rows: &[[String; COLUMNS]],
) -> io::Result<()> {
    let mut table = format!("|{}|\n{}|\n", head.join("|"), "|-".repeat(COLUMNS));
    for row in rows {
        for cell in row {
            table.push('|');
            table.push_str(cell);
        }
        table.push_str("|\n");
    }
    io::stdout().write_all(table.as_bytes())
}

//! What a row of the scorecard is: what is measured, what it must reach, and how it is run.

/// A row of the scorecard.
pub struct Row {
    /// Its number on the scorecard.
    pub id: &'static str,
    /// What is measured.
    pub measure: &'static str,
    /// What must be reached.
    pub target: &'static str,
    /// Runs it, and tells what was reached.
    pub run: fn(Scale) -> Outcome,
    /// Whether plain `cargo test` runs it too.
    pub is_brief: bool,
}

/// How much of a row's full count is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// As much as nobody notices in plain `cargo test`.
    Brief,
    /// About a tenth, for every commit.
    Tenth,
    /// All of it, before a release.
    Full,
}

impl Scale {
    /// Picks the count that belongs to this scale.
    pub fn of<T>(self, brief: T, tenth: T, full: T) -> T {
        match self {
            Self::Brief => brief,
            Self::Tenth => tenth,
            Self::Full => full,
        }
    }

    /// Gives how much longer than the target a thing may take: in full it is measured on a machine that
    /// has nothing else to do, and otherwise often in a debug build beside other builds.
    pub fn slack(self) -> u32 {
        self.of(4, 4, 1)
    }
}

/// What a row reached.
pub struct Outcome {
    /// The figure, with the counts that were run.
    pub figure: String,
    /// What does not hold, each in a line; nothing where the target is reached.
    pub faults: Vec<String>,
}

impl Outcome {
    /// An outcome with a figure and the faults that were found.
    pub fn new(figure: impl Into<String>, faults: Vec<String>) -> Self {
        Self {
            figure: figure.into(),
            faults,
        }
    }
}

/// Gives the value below which so many hundredths of some values are.
pub fn percentile<T: Copy + Ord + Default>(values: &mut [T], share: usize) -> T {
    values.sort_unstable();
    let at = (values.len() * share / 100).min(values.len().saturating_sub(1));
    values.get(at).copied().unwrap_or_default()
}

/// Works through jobs on so many threads; what any of them finds wrong is given back.
pub fn each<J: Send>(
    threads: usize,
    jobs: Vec<J>,
    run: impl Fn(J) -> Vec<String> + Sync,
) -> Vec<String> {
    let queue = std::sync::Mutex::new(jobs.into_iter());
    let faults = std::sync::Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let job = queue.lock().unwrap().next();
                    let Some(job) = job else { return };
                    let found = run(job);
                    faults.lock().unwrap().extend(found);
                }
            });
        }
    });
    faults.into_inner().unwrap()
}

/// Runs something that may panic, and gives the panic's words as a fault of this name.
pub fn tried(name: &str, run: impl FnOnce()) -> Vec<String> {
    let tried = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run));
    let Err(payload) = tried else { return vec![] };
    let text = payload.downcast_ref::<String>().cloned();
    let text = text.or_else(|| payload.downcast_ref::<&str>().map(|text| (*text).into()));
    vec![format!("{name}: {}", text.unwrap_or_default())]
}

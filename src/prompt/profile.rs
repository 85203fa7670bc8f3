//! The rules that hold for one version of the agent.

/// The numbers and the name of one version's rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Profile {
    /// The profile's name, as JSON shows it.
    pub name: &'static str,
    /// The versions of the agent for which these rules are exact.
    pub versions: &'static [&'static str],
    /// How many entries of the history are shown at most.
    pub max_recent_history: usize,
    /// How many `cl100k_base` tokens the history takes at most.
    pub max_history_tokens: usize,
    /// How many characters of a goal are shown at most.
    pub max_goal_chars: usize,
}

impl Profile {
    /// The rules of nanobot 0.2.2.
    pub const NANOBOT_0_2: Self = Self {
        name: "nanobot-0.2",
        versions: &["0.2.2"],
        max_recent_history: 50,
        max_history_tokens: 8000,
        max_goal_chars: 4000,
    };
}

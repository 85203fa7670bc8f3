//! The turn: flags over the scenario, over the settings, over the agent's own configuration.

use super::Request;
use crate::config::Config;
use crate::prompt::{SessionLimits, SessionRequest, Turn};
use crate::workspace::agent_config::AgentConfig;

/// How much of a session is replayed, where no scenario says it.
pub(super) fn session_limits(config: &Config, agent: &AgentConfig) -> SessionLimits {
    let max_messages = config.max_messages.or(agent.max_messages);
    SessionLimits {
        max_messages: max_messages.unwrap_or(SessionRequest::MAX_MESSAGES),
        max_tokens: replay_tokens(config),
    }
}

/// Gives what the agent lets a replayed session take: the context window without what it keeps for
/// the answer and a margin; mirrors `_replay_token_budget`.
fn replay_tokens(config: &Config) -> usize {
    const WINDOW: usize = 200_000;
    const OUTPUT: usize = 8192;
    const MARGIN: usize = 1024;
    let window = config.budget.window.unwrap_or(WINDOW);
    let output = config.max_output_tokens.unwrap_or(OUTPUT).max(1);
    match window.checked_sub(output + MARGIN) {
        Some(left) if left > 0 => left,
        _ if window == 0 => 0,
        _ => (window / 2).max(128),
    }
}

/// Gives the turn that the settings start with.
pub(super) fn turn_of_settings(config: &Config, limits: &SessionLimits) -> Turn {
    let defaults = config.turn.clone();
    Turn {
        message: defaults.message.unwrap_or_default(),
        channel: defaults.channel,
        chat_id: defaults.chat_id,
        sender_id: defaults.sender_id,
        session: defaults
            .session
            .filter(|key| !key.is_empty())
            .map(|key| limits.of(&key)),
        ..Turn::default()
    }
}

/// Lays the flags over a turn, and puts the settings where it is silent.
pub(super) fn complete(
    turn: &mut Turn,
    request: &Request,
    config: &Config,
    agent: &AgentConfig,
    limits: &SessionLimits,
) {
    fn over<T: Clone>(field: &mut Option<T>, flag: Option<&T>) {
        if let Some(flag) = flag {
            *field = Some(flag.clone());
        }
    }
    if let Some(message) = &request.message {
        turn.message.clone_from(message);
    }
    over(&mut turn.channel, request.channel.as_ref());
    over(&mut turn.chat_id, request.chat_id.as_ref());
    over(&mut turn.sender_id, request.sender_id.as_ref());
    turn.max_history_turns = config.turn.max_history_turns;
    turn.runtime_templates = config.runtime_templates.clone();
    if let Some(key) = &request.session {
        turn.session = Some(key.as_str())
            .filter(|key| !key.is_empty())
            .map(|key| limits.of(key));
    }
    if let Some(session) = &mut turn.session
        && session.max_messages == SessionRequest::MAX_MESSAGES
    {
        session.max_messages = limits.max_messages;
    }
    let timezone = request.timezone.clone().or(turn.timezone.take());
    let timezone = timezone.or_else(|| config.timezone.clone());
    turn.timezone = timezone.or_else(|| agent.timezone.clone());
    if turn.disabled_skills.is_empty() {
        let disabled = config.disabled_skills.clone();
        turn.disabled_skills = disabled.unwrap_or_else(|| agent.disabled_skills.clone());
    }
    let unified = config
        .unified_session
        .or(agent.unified_session)
        .unwrap_or(false);
    turn.unified_session |= unified;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_takes_what_the_answer_leaves() {
        let left = |window: Option<usize>, output: Option<usize>| {
            let mut config = Config::resolve(&[]).unwrap();
            config.budget.window = window;
            config.max_output_tokens = output;
            replay_tokens(&config)
        };
        assert_eq!(left(None, None), 190_784);
        assert_eq!(left(Some(10_000), Some(4000)), 4976);
        assert_eq!(left(Some(10_000), Some(0)), 8975);
        assert_eq!(left(Some(5000), None), 2500);
        assert_eq!(left(Some(100), None), 128);
        assert_eq!(left(Some(0), None), 0);
    }
}

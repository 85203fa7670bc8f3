//! Why the agent could not be asked, and what to do about it.

use std::io;
use std::path::Path;
use std::time::Duration;

use super::answer::Failed;
use crate::error::{Error, Kind};
use crate::workspace::agent_install::AgentInstall;

/// How many lines of what the child said at last are shown.
const LAST_LINES: usize = 8;

/// No agent was found.
pub(super) fn no_agent() -> Error {
    Error::new(Kind::Verify, "there is no agent to compare with")
        .hint("name its environment, its package folder or the nanobot script with --agent")
}

/// The agent was found and its Python was not.
pub(super) fn no_interpreter(agent: &AgentInstall) -> Error {
    let message = format!(
        "the Python that runs the agent in {} is not found",
        agent.package.display()
    );
    Error::new(Kind::Verify, message)
        .hint("name the agent's environment, or its nanobot script, with --agent")
}

/// The child could not be started or listened to.
pub(super) fn no_child(interpreter: &Path, error: &io::Error) -> Error {
    let message = format!("{} cannot be run: {error}", interpreter.display());
    Error::new(Kind::Verify, message).hint("the agent itself cannot start then; install it anew")
}

/// The child ended without an answer.
pub(super) fn no_answer(interpreter: &Path, status: &str, errors: &[u8]) -> Error {
    let message = format!(
        "{} gave no answer ({status}){}",
        interpreter.display(),
        last_lines(errors)
    );
    Error::new(Kind::Verify, message).hint(format!(
        "try `{} -c 'import nanobot.agent.context'`",
        interpreter.display()
    ))
}

/// The time limit was reached.
pub(super) fn too_slow(limit: Duration, errors: &[u8]) -> Error {
    let message = format!(
        "the agent did not answer within {} s and was ended{}",
        limit.as_secs(),
        last_lines(errors)
    );
    Error::new(Kind::Verify, message).hint(
        "give it more time with --timeout; without its tokenizer's file (TIKTOKEN_CACHE_DIR) it tries a download",
    )
}

/// The child printed without end.
pub(super) fn too_much(interpreter: &Path) -> Error {
    let message = format!(
        "{} printed more than an answer can be and was ended",
        interpreter.display()
    );
    Error::new(Kind::Verify, message).hint("is this the agent's Python?")
}

/// The answer is none of ours.
pub(super) fn no_sense(interpreter: &Path) -> Error {
    let message = format!(
        "{} answered something that cannot be understood",
        interpreter.display()
    );
    Error::new(Kind::Verify, message).hint("is this the agent's Python?")
}

/// The workspace is not what it was when the comparison began.
pub(super) fn changed() -> Error {
    let message = "the workspace changed while it was compared";
    Error::new(Kind::Verify, message).hint("run it again")
}

/// The script says itself why it could not go on.
pub(super) fn failed(agent: &AgentInstall, failed: &Failed) -> Error {
    let package = agent.package.display();
    let reason = &failed.reason;
    match failed.step.as_str() {
        "import" => Error::new(
            Kind::Verify,
            format!("the agent in {package} cannot be imported: {reason}"),
        )
        .hint("the agent itself cannot start then; install it anew"),
        "package" => Error::new(
            Kind::Verify,
            format!("its Python imports another agent than {package}: {reason}"),
        )
        .hint("name the environment that holds the one you mean with --agent"),
        _ => Error::new(
            Kind::Verify,
            format!(
                "version {} of the agent is built otherwise than verify knows: {reason}",
                agent.version.as_deref().unwrap_or("(unknown)")
            ),
        )
        .hint("verify knows nanobot-ai 0.2.2"),
    }
}

/// Gives the last lines of an output, each on a line of its own below what is said.
fn last_lines(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let lines: Vec<&str> = text.lines().filter(|line| !line.is_empty()).collect();
    let last = &lines[lines.len().saturating_sub(LAST_LINES)..];
    last.iter().flat_map(|line| ["\n    ", line]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_lines_are_kept() {
        assert_eq!(last_lines(b""), "");
        assert_eq!(last_lines(b"a\n\n\xff\n"), "\n    a\n    \u{fffd}");
        let many: String = (0..20)
            .map(|n| n.to_string())
            .collect::<Vec<_>>()
            .join("\n");
        assert!(last_lines(many.as_bytes()).starts_with("\n    12\n"));
    }
}

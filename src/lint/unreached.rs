//! Files that stand where the agent looks, and of which it reads nothing without a word.

use super::{Finding, Subject, finding};

/// Checks that what stands in the place of a file can be read.
pub(super) fn check(subject: &Subject, found: &mut Vec<Finding>) {
    for (path, reason) in &subject.survey.unreached {
        let message = format!("it {reason}: nothing of it is read, and nobody is told");
        let fix = "put a file in its place, or take it away";
        found.push(finding("file-unreached", message, fix).on_line(path, 1));
    }
}

//! Links that lead out of the workspace: what stands there is sent as if it stood here.

use super::{Finding, Subject, finding};

/// Checks every place that the agent reads.
pub(super) fn check(subject: &Subject, found: &mut Vec<Finding>) {
    for (path, target) in &subject.survey.links_outside {
        let message =
            format!("this link leads out of the workspace, to {target}, which the agent sends");
        let fix = "put the file here, or set `agent.follow_links = false` if nobody vouches for this workspace";
        found.push(finding("link-outside", message, fix).on_line(path, 1));
    }
}

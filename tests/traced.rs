//! What the program does to the disk, as the kernel sees it: under strace every command leaves a workspace as it
//! is, and nothing outside of it is opened through a link that is not to be followed.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[allow(dead_code, reason = "each test uses a part of it")]
#[path = "pty/session.rs"]
mod session;

#[path = "traced/containment.rs"]
mod containment;
#[path = "traced/read_only.rs"]
mod read_only;
#[path = "traced/trace.rs"]
mod trace;

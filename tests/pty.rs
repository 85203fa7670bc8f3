//! The built program on a real pseudo-terminal: what a person sees, types and gets back.

#[cfg(test)]
#[path = "pty/composer.rs"]
mod composer;
#[cfg(test)]
#[path = "pty/exits.rs"]
mod exits;
#[cfg(test)]
#[path = "pty/outside.rs"]
mod outside;
#[cfg(test)]
#[path = "pty/quiet.rs"]
mod quiet;
#[cfg(test)]
#[path = "pty/safety.rs"]
mod safety;
#[cfg(test)]
#[path = "pty/saves.rs"]
mod saves;
#[cfg(test)]
#[path = "pty/screens.rs"]
mod screens;
#[cfg(test)]
#[path = "pty/secrets.rs"]
mod secrets;
#[cfg(test)]
#[allow(dead_code, reason = "others use a part that these tests do not")]
#[path = "pty/session.rs"]
mod session;
#[cfg(test)]
#[path = "pty/suspend.rs"]
mod suspend;
#[cfg(test)]
#[path = "pty/troubles.rs"]
mod troubles;

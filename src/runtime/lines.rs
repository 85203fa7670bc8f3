//! The plain line mode: no screen, no escapes, a line for each change.

use std::io::{self, Write as _};
use std::path::PathBuf;

use tokio::sync::mpsc::UnboundedReceiver;

use super::effects::Workers;
use crate::app::{App, Effect, Event};
use crate::display::sanitize::{Symbols, plain};
use crate::error::{Error, Result};
use crate::ui::lines::Said;

/// Says what changes until the program is told to end.
pub(super) async fn run(
    events: &mut UnboundedReceiver<Event>,
    workers: &Workers,
    scenario: Option<PathBuf>,
) -> Result<()> {
    // No frame is ever drawn, so the size is none that matters.
    let mut app = App::new((80, 24), Symbols::Ascii);
    app.scenario = scenario;
    let mut said = Said::default();
    let mut effects = app.start();
    loop {
        for effect in effects.drain(..) {
            match effect {
                Effect::Quit => return Ok(()),
                Effect::Assemble(question) => workers.ask(question),
                // There is no screen that anything else could change.
                _ => {}
            }
        }
        let Some(event) = events.recv().await else {
            return Ok(());
        };
        effects = app.update(event);
        for line in said.news(&app) {
            let mut out = io::stdout().lock();
            let line = format!("{}\n", plain(&line, Symbols::Unicode));
            out.write_all(line.as_bytes())
                .and_then(|()| out.flush())
                .map_err(|error| Error::output(&error))?;
        }
    }
}

//! The store of scenarios: the workspace's are read, the person's own are read and written.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::mpsc::Receiver;

use tokio::sync::mpsc::UnboundedSender;

use crate::app::{Event, StoreAnswer, StoreFailure, StoreTask, StoredScenario};
use crate::inputs::Request;
use crate::machine::Machine;
use crate::scenario::Scenario;
use crate::workspace::read::{FileRead, FolderOrder, Source};

/// Where scenarios are.
#[derive(Debug, Clone)]
pub struct Store {
    /// The workspace's `scenarios`, which is never written to.
    pub workspace: PathBuf,
    /// The person's own folder; `None` without a home folder.
    pub own: Option<PathBuf>,
}

/// The longest name of a scenario, in bytes.
const LONGEST_NAME: usize = 100;

type Done = Result<Option<(PathBuf, String)>, StoreFailure>;

impl Store {
    /// Finds the folders for a request on a machine.
    #[must_use]
    pub fn of(request: &Request, machine: &Machine) -> Self {
        let workspace = request.workspace.as_deref();
        let workspace = workspace.map(|root| machine.absolute(root));
        Self {
            workspace: workspace.unwrap_or_default().join("scenarios"),
            own: machine
                .settings_folder()
                .map(|folder| folder.join("scenarios")),
        }
    }

    /// Does what is asked until nobody asks any more.
    pub fn answer_all(&self, asked: &Receiver<StoreTask>, events: &UnboundedSender<Event>) {
        while let Ok(task) = asked.recv() {
            let answer = Box::new(self.answer(task));
            if events.send(Event::Stored(answer)).is_err() {
                return;
            }
        }
    }

    /// Does a task, and lists what there is after it.
    #[must_use]
    pub fn answer(&self, task: StoreTask) -> StoreAnswer {
        let outcome = match task {
            StoreTask::List => Ok(None),
            StoreTask::Save {
                name,
                is_replacing,
                scenario,
            } => self.save(&name, is_replacing, &scenario),
            StoreTask::Rename { from, to } => self.rename(&from, &to),
            StoreTask::Delete(name) => self.delete(&name),
        };
        StoreAnswer {
            outcome,
            list: self.list(),
        }
    }

    fn list(&self) -> Vec<StoredScenario> {
        let mut found = listed(&self.workspace, false);
        if let Some(own) = &self.own {
            found.extend(listed(own, true));
        }
        found
    }

    fn save(&self, name: &str, is_replacing: bool, scenario: &Scenario) -> Done {
        let (folder, path) = self.place(name)?;
        fs::create_dir_all(folder).map_err(|error| failed(folder, &error))?;
        let taken = self.own_file(name);
        if taken.is_some() && !is_replacing {
            return Err(StoreFailure::Taken(name.to_owned()));
        }
        let mut file =
            tempfile::NamedTempFile::new_in(folder).map_err(|error| failed(folder, &error))?;
        file.write_all(scenario.to_json().as_bytes())
            .and_then(|()| file.as_file().sync_all())
            .map_err(|error| failed(&path, &error))?;
        file.persist(&path)
            .map_err(|error| failed(&path, &error.error))?;
        // The same name with the other ending would stand beside it.
        if let Some(other) = taken.filter(|other| *other != path) {
            fs::remove_file(&other).map_err(|error| failed(&other, &error))?;
        }
        let said = format!("Saved as {}.", path.display());
        Ok(Some((path, said)))
    }

    fn rename(&self, from: &str, to: &str) -> Done {
        let (folder, _) = self.place(to)?;
        let Some(old) = self.own_file(from) else {
            return Err(StoreFailure::Other(format!(
                "The scenario {from:?} is gone."
            )));
        };
        if from == to {
            return Ok(None);
        }
        if self.own_file(to).is_some() {
            let message = format!("There is a scenario {to:?} already.");
            return Err(StoreFailure::Other(message));
        }
        let ending = old.extension().unwrap_or_default().to_string_lossy();
        let new = folder.join(format!("{to}.{ending}"));
        fs::rename(&old, &new).map_err(|error| failed(&old, &error))?;
        let said = format!("It is {} now.", new.display());
        Ok(Some((new, said)))
    }

    fn delete(&self, name: &str) -> Done {
        let Some(path) = self.own_file(name) else {
            return Err(StoreFailure::Other(format!(
                "The scenario {name:?} is gone."
            )));
        };
        fs::remove_file(&path).map_err(|error| failed(&path, &error))?;
        let said = format!("{} is deleted.", path.display());
        Ok(Some((path, said)))
    }

    /// Gives the own file of a name, whichever its ending.
    fn own_file(&self, name: &str) -> Option<PathBuf> {
        let own = self.own.as_ref()?;
        let files = ["json", "toml"].map(|ending| own.join(format!("{name}.{ending}")));
        files
            .into_iter()
            .find(|file| fs::symlink_metadata(file).is_ok())
    }

    /// Gives the own folder and the file of a name that can be one.
    fn place(&self, name: &str) -> Result<(&Path, PathBuf), StoreFailure> {
        let problem = if name.trim().is_empty() {
            Some("A scenario needs a name.".to_owned())
        } else if name.len() > LONGEST_NAME {
            Some(format!("A name has at most {LONGEST_NAME} bytes."))
        } else if name.starts_with('.')
            || name.contains(['/', '\\'])
            || name.chars().any(char::is_control)
        {
            Some("A name is that of a file: no slash, no dot at its start.".to_owned())
        } else {
            None
        };
        if let Some(problem) = problem {
            return Err(StoreFailure::Other(problem));
        }
        let own = self.own.as_deref().ok_or_else(|| {
            StoreFailure::Other("There is no home folder to save scenarios in.".to_owned())
        })?;
        Ok((own, own.join(format!("{name}.json"))))
    }
}

fn failed(path: &Path, error: &io::Error) -> StoreFailure {
    StoreFailure::Other(format!("{} cannot be written: {error}", path.display()))
}

fn listed(folder: &Path, is_own: bool) -> Vec<StoredScenario> {
    // A workspace's scenarios are ours, not the agent's: a link out of it has nothing to do there.
    let source = match folder.parent() {
        Some(root) if !is_own => Source::default().fenced(root),
        _ => Source::default(),
    };
    let files = source.list(folder, FolderOrder::Name).unwrap_or_default();
    let is_scenario = |path: &PathBuf| {
        let is_hidden = path
            .file_name()
            .is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
        let ending = path.extension();
        !is_hidden && ending.is_some_and(|ending| ending == "toml" || ending == "json")
    };
    let files = files.into_iter().filter(is_scenario);
    files
        .map(|path| {
            let scenario = match source.text(&path) {
                FileRead::Text(text) => {
                    Scenario::parse(&text, &path).map_err(|error| error.to_string())
                }
                FileRead::Missing => Err(format!("{} is gone", path.display())),
                FileRead::Failed(failure) => Err(format!("{} {}", path.display(), failure.message)),
            };
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            let (about, problem) = match scenario {
                Ok(scenario) => (about(&scenario), None),
                Err(problem) => ("cannot be read".to_owned(), Some(problem)),
            };
            StoredScenario {
                name: name.into_owned(),
                is_own,
                about,
                problem,
                path,
            }
        })
        .collect()
}

/// Says in a line what a scenario is: where the message comes from, and how it begins.
fn about(scenario: &Scenario) -> String {
    const MOST: usize = 200;
    let turn = &scenario.turn;
    let first = turn.message.lines().next().unwrap_or_default();
    let parts = [
        turn.channel.clone(),
        turn.sender_id.clone(),
        turn.session.as_ref().map(|session| session.key.clone()),
        Some(first.chars().take(MOST).collect()),
    ];
    let said = parts.into_iter().flatten().filter(|part| !part.is_empty());
    said.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prompt::Turn;

    fn store(dir: &Path) -> Store {
        Store {
            workspace: dir.join("w"),
            own: Some(dir.join("own/scenarios")),
        }
    }

    fn save(store: &Store, name: &str, message: &str, is_replacing: bool) -> Done {
        let scenario = Scenario {
            turn: Turn {
                message: message.to_owned(),
                channel: Some("email".to_owned()),
                ..Turn::default()
            },
            ..Scenario::default()
        };
        let (name, scenario) = (name.to_owned(), Box::new(scenario));
        let task = StoreTask::Save {
            name,
            is_replacing,
            scenario,
        };
        store.answer(task).outcome
    }

    fn names(store: &Store) -> Vec<(String, bool)> {
        let list = store.answer(StoreTask::List).list;
        list.into_iter()
            .map(|entry| (entry.name, entry.is_own))
            .collect()
    }

    #[test]
    fn a_turn_is_saved_renamed_and_deleted_in_the_own_folder_alone() {
        let dir = tempfile::tempdir().unwrap();
        let store = store(dir.path());
        fs::create_dir(&store.workspace).unwrap();
        fs::write(store.workspace.join("theirs.toml"), "message = 'hi'\n").unwrap();
        fs::write(store.workspace.join("broken.toml"), "mesage = 'hi'\n").unwrap();
        fs::write(store.workspace.join("note.md"), "no").unwrap();
        save(&store, "mine", "one\ntwo", false).unwrap();
        let list = store.answer(StoreTask::List).list;
        let abouts: Vec<&str> = list.iter().map(|entry| entry.about.as_str()).collect();
        assert_eq!(abouts, ["cannot be read", "hi", "email, one"]);
        assert!(list[0].problem.as_ref().unwrap().contains("`mesage`"));
        assert_eq!(
            save(&store, "mine", "x", false),
            Err(StoreFailure::Taken("mine".into()))
        );
        save(&store, "mine", "three", true).unwrap();
        assert_eq!(store.answer(StoreTask::List).list[2].about, "email, three");
        let rename = |from: &str, to: &str| {
            let (from, to) = (from.to_owned(), to.to_owned());
            store.answer(StoreTask::Rename { from, to }).outcome
        };
        rename("mine", "yours").unwrap();
        assert!(rename("mine", "other").is_err());
        save(&store, "third", "x", false).unwrap();
        assert!(rename("yours", "third").is_err());
        assert_eq!(
            names(&store)[2..],
            [("third".to_owned(), true), ("yours".to_owned(), true)]
        );
        store
            .answer(StoreTask::Delete("third".into()))
            .outcome
            .unwrap();
        assert!(
            store
                .answer(StoreTask::Delete("theirs".into()))
                .outcome
                .is_err()
        );
        assert_eq!(names(&store).len(), 3);
        let kept = fs::read_dir(&store.workspace).unwrap().count();
        assert_eq!(kept, 3);
    }

    #[test]
    fn names_that_lead_elsewhere_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let store = store(dir.path());
        for name in [
            "",
            " ",
            "../x",
            "a/b",
            "a\\b",
            ".x",
            "a\nb",
            &"x".repeat(101),
        ] {
            assert!(save(&store, name, "x", false).is_err(), "{name:?}");
        }
        let homeless = Store { own: None, ..store };
        assert!(save(&homeless, "a", "x", false).is_err());
    }
}

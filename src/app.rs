//! The workbench's state, and how events change it: values in, effects out.
//!
//! [`App::update`] is the only way in. It does no input or output and never waits: what must be done
//! outside comes back as an [`Effect`], and its answer arrives as another [`Event`].

mod act;
mod action;
mod checks;
mod composed;
mod composer;
mod content;
mod context;
mod help;
mod key;
mod keymap;
pub mod layout;
mod library;
mod lists;
mod message_pane;
mod mouse;
mod outside;
mod overlay;
mod palette;
mod search;
mod section_pane;
mod shown;
mod store;
mod switches;
mod themes;
mod turn_base;
mod update;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use crossterm::event::{KeyEvent, MouseEvent};

use crate::display::sanitize::Symbols;
use crate::insight::advice::Advice;
use crate::insight::audit::Audited;
use crate::insight::cache::Loss;
use crate::lint::Finding;
use crate::prompt::{Assembly, SectionId, WhatIf};

pub use action::Action;
pub use composed::Composed;
pub use composer::{Composer, Field};
pub use content::{Changes, Content, Counted, Stale, View};
pub use context::Context;
pub use key::Key;
pub use keymap::{Binding, KeySettings, Keymap};
pub use library::{LibraryFocus, LibraryPane, Node, Sides, TreeLine, TreeMark, VariableLine};
pub use message_pane::{MergedPart, MessagePane, merged_parts};
pub use overlay::{AskFor, Confirm, List, Overlay, Page, SessionChoice, session_choices};
pub use palette::{PaletteLine, palette};
pub use search::Search;
pub use section_pane::SectionPane;
pub use shown::{Shown, Sign};
pub use store::{StoreAnswer, StoreFailure, StoreTask, StoredScenario};
pub use switches::{Switch, SwitchLine, switches};
pub use themes::{AUTO, Background, suiting};
pub use turn_base::TurnBase;

/// Which screen is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Screen {
    /// All eight sections at once, the message beneath.
    Overview,
    /// One section, whole.
    Section,
    /// The message composer and the merged message.
    Message,
    /// The prompts as files.
    Library,
}

/// Something that happened outside.
#[derive(Debug)]
pub enum Event {
    /// A key was pressed.
    Key(KeyEvent),
    /// The mouse was moved or pressed.
    Mouse(MouseEvent),
    /// Text was pasted.
    Paste(String),
    /// The terminal has another size.
    Resize(u16, u16),
    /// Something in the workspace may have changed.
    DiskChanged,
    /// How the workspace is watched.
    Watching(Watching),
    /// An answer to [`Effect::Assemble`].
    Assembled(Box<Assembled>),
    /// The counts of a view.
    Counted(Box<Counted>),
    /// An answer to the question of this number takes long.
    Late(u64),
    /// What the rules find in a view, by the number of its question.
    Found(u64, Arc<[Finding]>),
    /// Every line of the history with its fate.
    Audited(Arc<[Audited]>),
    /// Where a prompt cache would miss, and what would save most.
    Insight(Box<Insight>),
    /// The tokens of marked lines, by the number of the request.
    CountedMarked(u64, usize),
    /// The editor is done; what is to be said about it, where it did not work.
    Edited(Option<String>),
    /// What became of a copy, for people.
    Copied(String),
    /// A worker failed; what is to be said about it.
    Failed(String),
    /// What became of a task with scenarios.
    Stored(Box<StoreAnswer>),
    /// The prompt as of git's last commit; or why there is none, for people.
    GitBase(Result<Arc<Assembly>, String>),
    /// The terminal said whether its background is dark.
    Background {
        /// Whether it is dark.
        is_dark: bool,
    },
    /// The program is asked to stop, to go on later.
    Suspend,
    /// The program was stopped and goes on.
    Resumed,
    /// The program is told to end.
    Terminated,
}

/// How the workspace is watched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Watching {
    /// Not yet.
    Starting,
    /// Every change is noticed at once.
    Live,
    /// The folders are looked at again and again, for this reason.
    Polling(String),
}

/// What a question for an assembly brought.
#[derive(Debug)]
pub struct Assembled {
    /// The number of the question.
    pub question: u64,
    /// What was found.
    pub outcome: Outcome,
}

/// What was found in the workspace.
#[derive(Debug)]
pub enum Outcome {
    /// Nothing differs from the last answer.
    Unchanged,
    /// A new view.
    View(Arc<View>),
    /// The workspace cannot be read; the reason, for people.
    Lost(String),
}

/// A question for an assembly.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// The number that the answer names; a later question has a higher one.
    pub number: u64,
    /// What the composer says; `None` for the turn of the scenario, or of the settings.
    pub composed: Option<Box<Composed>>,
    /// The scenario file, where one is in force.
    pub scenario: Option<PathBuf>,
    /// Whether the disk is read again.
    pub reread: bool,
    /// What is switched off to see what that saves.
    pub what_if: WhatIf,
    /// Values of variables that were edited here, by their dotted names.
    pub values: BTreeMap<String, String>,
    /// Whether the targets are shown as they would be compiled now.
    pub is_compiled: bool,
}

/// What an open section is compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Base {
    /// Nothing.
    None,
    /// What it was before the last save.
    LastSave,
    /// What it was before the turn was changed.
    Turn,
    /// What it is in git's last commit.
    Git,
}

/// Something to be done outside.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Assemble the prompt; the answer arrives as [`Event::Assembled`].
    Assemble(Question),
    /// Tell what becomes of every line of the history; the answer arrives as [`Event::Audited`].
    Audit,
    /// Tell where a prompt cache would miss and what would save most; the answer arrives as
    /// [`Event::Insight`].
    Insight,
    /// Count marked lines; the answer arrives as [`Event::CountedMarked`].
    CountMarked(u64, Arc<str>),
    /// Open a file in the person's editor; the answer arrives as [`Event::Edited`].
    Edit {
        /// The file.
        path: PathBuf,
        /// The line to begin at, from 1.
        line: Option<usize>,
    },
    /// Copy a text to the clipboard; the answer arrives as [`Event::Copied`].
    Copy {
        /// The text.
        text: Arc<str>,
        /// What it is, for people: `Memory`, `the system prompt`.
        what: String,
    },
    /// Do something with the scenarios; the answer arrives as [`Event::Stored`].
    Store(StoreTask),
    /// Assemble what git's last commit holds; the answer arrives as [`Event::GitBase`].
    GitBase,
    /// Ask the terminal for the mouse, or leave it to the terminal.
    Mouse(bool),
    /// Show another theme.
    Theme(String),
    /// Take up what was changed in the file of the theme that is shown.
    ReloadTheme,
    /// Draw everything anew, as after another program wrote to the terminal.
    Redraw,
    /// Stop the program as Ctrl-Z does.
    Suspend,
    /// Take the terminal again after others had it.
    Resume,
    /// End the program.
    Quit,
}

/// Where a prompt cache would miss, and what would save most.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Insight {
    /// What one change after the other costs.
    pub losses: Vec<Loss>,
    /// What would save most, the most first.
    pub advice: Vec<Advice>,
}

/// A line in the footer that goes away at the next key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice(pub String);

/// The workbench.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each tells something else")]
pub struct App {
    /// Which screen is shown.
    pub screen: Screen,
    /// The screen that Esc on the message screen goes back to.
    before_message: Screen,
    /// What lies over the screen.
    pub overlay: Option<Overlay>,
    /// The size of the terminal in columns and rows.
    pub size: (u16, u16),
    /// What is shown.
    pub content: Content,
    /// The section in focus on the overview, and the one shown whole.
    pub focus: SectionId,
    /// The whole section's rows and scroll.
    pub section: SectionPane,
    /// The message composer.
    pub composer: Composer,
    /// The merged message's rows and scroll.
    pub message: MessagePane,
    /// The prompts as files.
    pub library: LibraryPane,
    /// Whether the targets are shown as they would be compiled now.
    pub is_compiled: bool,
    /// What the rules find, the gravest first.
    pub findings: Arc<[Finding]>,
    /// Every line of the history, once it was asked for.
    pub audited: Option<Arc<[Audited]>>,
    /// What was asked about cache and savings, once it is answered.
    pub insight: Option<Insight>,
    /// The scenario file in force; `None` for the turn of the settings.
    pub scenario: Option<PathBuf>,
    /// The scenarios that can be picked.
    pub scenarios: Vec<StoredScenario>,
    /// How the workspace is watched.
    pub watching: Watching,
    /// What the footer says besides the keys.
    pub notice: Option<Notice>,
    /// What is switched off to see what that saves.
    pub what_if: WhatIf,
    /// What an open section is compared with.
    pub base: Base,
    /// What was sent before the channel, chat, sender or session was changed.
    pub turn_base: Option<TurnBase>,
    /// Whether an open section is shown as Markdown without its marks.
    pub is_rendered: bool,
    /// The tokens of the marked lines, once they are counted.
    pub marked_tokens: Option<usize>,
    marks_asked: u64,
    /// Which key does what.
    pub keymap: Arc<Keymap>,
    /// The column at which a section's list ends, where it was dragged.
    pub split: Option<u16>,
    is_dragging: bool,
    no_text: Arc<str>,
    /// How invisible characters and borders are drawn.
    pub symbols: Symbols,
    /// The themes that `t` goes through, and the place of the one shown.
    pub themes: Vec<String>,
    /// The name of the theme that is shown.
    pub theme: String,
    /// The terminal's background, and whether the theme follows it.
    pub background: Background,
    /// Whether keys and passwords are shown; they are masked otherwise.
    pub shows_secrets: bool,
    /// Whether something changed since the last frame.
    pub dirty: bool,
    questions: u64,
    /// The last question that was answered.
    answered: u64,
    /// Whether the answer that is waited for takes long.
    pub is_late: bool,
    /// The question whose turn fills the composer, until it is answered.
    filling: Option<u64>,
}

impl App {
    /// Makes the workbench as it stands before anything is read.
    #[must_use]
    pub fn new(size: (u16, u16), symbols: Symbols) -> Self {
        Self {
            screen: Screen::Overview,
            before_message: Screen::Overview,
            overlay: None,
            size,
            content: Content::default(),
            focus: SectionId::Identity,
            section: SectionPane::default(),
            composer: Composer::default(),
            message: MessagePane::default(),
            library: LibraryPane::default(),
            is_compiled: false,
            findings: Arc::default(),
            audited: None,
            insight: None,
            scenario: None,
            scenarios: Vec::new(),
            watching: Watching::Starting,
            notice: None,
            what_if: WhatIf::default(),
            base: Base::None,
            turn_base: None,
            is_rendered: false,
            marked_tokens: None,
            marks_asked: 0,
            keymap: Arc::new(Keymap::default()),
            split: None,
            is_dragging: false,
            no_text: Arc::from(""),
            symbols,
            themes: Vec::new(),
            theme: String::new(),
            background: Background::default(),
            shows_secrets: false,
            dirty: true,
            questions: 0,
            answered: 0,
            is_late: false,
            filling: None,
        }
    }

    /// Asks for the first view.
    pub fn start(&mut self) -> Vec<Effect> {
        vec![self.assemble_anew()]
    }

    /// Asks for the turn of the scenario or of the settings, in place of the composer's.
    fn assemble_anew(&mut self) -> Effect {
        self.filling = Some(self.questions + 1);
        self.assemble(true)
    }

    fn assemble(&mut self, reread: bool) -> Effect {
        self.questions += 1;
        let is_filled = self.filling.is_none();
        Effect::Assemble(Question {
            number: self.questions,
            composed: is_filled.then(|| Box::new(self.composer.composed())),
            scenario: self.scenario.clone(),
            reread,
            what_if: self.what_if.clone(),
            values: self.library.values.clone(),
            is_compiled: self.is_compiled,
        })
    }
}

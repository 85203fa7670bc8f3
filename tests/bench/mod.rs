//! The workbench without a terminal: keys in, frame out, over the example on a fixed machine.

#![allow(dead_code, reason = "each test uses a part of it")]

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use promptscope::app::{
    App, Assembled, Counted, Effect, Event, Insight, Keymap, Outcome, Question, View, Watching,
};
use promptscope::budget::Usage;
use promptscope::config::{Config, ConfigText};
use promptscope::display::sanitize::Symbols;
use promptscope::inputs::HostReport;
use promptscope::insight::advice::advice;
use promptscope::insight::audit::audit;
use promptscope::insight::cache::loss;
use promptscope::library::{
    Cache, Catalog, Compiled, Library, MANIFEST, Manifest, Sources, ValueOrigin,
};
use promptscope::lint::check;
use promptscope::prompt::{Profile, SessionLimits, SessionRequest, Turn, assemble};
use promptscope::scenario::Scenario;
use promptscope::tokens::{Counter, Encoding};
use promptscope::ui::theme::load_embedded;
use promptscope::ui::{Painter, render};
use promptscope::workspace::host::{ASSUMED_PYTHON, Host, LocalZone};
use promptscope::workspace::read::{FolderOrder, Source};
use promptscope::workspace::survey::Survey;
use promptscope::workspace::{Places, Workspace};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::style::{Modifier, Style};

/// The folder that the frames show in place of this machine's.
const SHOWN: &str = "/home/mei/lantern-lane";

/// How much of a session is replayed.
const LIMITS: SessionLimits = SessionLimits {
    max_messages: SessionRequest::MAX_MESSAGES,
    max_tokens: 0,
};

/// Gives the folder of the example.
pub fn example() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("workspace-example")
}

/// A workbench that is driven by hand.
pub struct Bench {
    pub app: App,
    painter: Painter,
    terminal: Terminal<TestBackend>,
    folder: PathBuf,
    /// Where the files of the folder are read from.
    pub source: Source,
    seen: bool,
    counter: Option<Counter>,
    /// What the declared host is said to change.
    pub host: HostReport,
    /// What was asked of the editor, the clipboard, the scenarios and git, for the test to answer.
    pub asked: Vec<Effect>,
}

impl Bench {
    /// Opens the example in a window of a size, up to the counts.
    pub fn open(size: (u16, u16)) -> Self {
        Self::open_on(example(), size)
    }

    /// Opens a workspace in a window of a size, up to the counts.
    pub fn open_on(folder: PathBuf, size: (u16, u16)) -> Self {
        let mut bench = Self::unread(folder, size);
        bench.start();
        bench
    }

    /// Reads the workspace, up to the counts.
    pub fn start(&mut self) {
        let effects = self.app.start();
        self.run(effects);
        self.event(Event::Watching(Watching::Live));
    }

    /// Makes the workbench as it stands before anything is read.
    pub fn unread(folder: PathBuf, size: (u16, u16)) -> Self {
        let mut app = App::new(size, Symbols::Unicode);
        app.themes = ["dark", "light"].map(String::from).into();
        app.theme = "dark".into();
        Self {
            app,
            painter: Painter::new(load_embedded("dark").unwrap()),
            terminal: Terminal::new(TestBackend::new(size.0, size.1)).unwrap(),
            folder,
            source: Source::default(),
            seen: false,
            counter: None,
            host: HostReport::default(),
            asked: Vec::new(),
        }
    }

    /// Presses keys: `Esc`, `Tab` and the like by name, anything else letter by letter.
    pub fn keys(&mut self, keys: &[&str]) -> &mut Self {
        for key in keys {
            let named = match *key {
                "Esc" => Some(KeyCode::Esc),
                "Tab" => Some(KeyCode::Tab),
                "Enter" => Some(KeyCode::Enter),
                "Down" => Some(KeyCode::Down),
                "Up" => Some(KeyCode::Up),
                "Right" => Some(KeyCode::Right),
                "PgDn" => Some(KeyCode::PageDown),
                "PgUp" => Some(KeyCode::PageUp),
                _ => None,
            };
            match named {
                Some(code) => self.event(Event::Key(KeyEvent::new(code, KeyModifiers::NONE))),
                None => {
                    for letter in key.chars() {
                        let code = KeyCode::Char(letter);
                        self.event(Event::Key(KeyEvent::new(code, KeyModifiers::NONE)));
                    }
                }
            }
        }
        self
    }

    /// Takes an event in, and does at once what it asks for.
    pub fn event(&mut self, event: Event) {
        let effects = self.app.update(event);
        self.run(effects);
    }

    /// Changes the window's size.
    pub fn resize(&mut self, width: u16, height: u16) {
        self.terminal.backend_mut().resize(width, height);
        self.event(Event::Resize(width, height));
    }

    /// Does at once what was asked for.
    pub fn run(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Assemble(question) => {
                    let (number, what_if) = (question.number, question.what_if.is_any());
                    let view = self.view(question);
                    let counter = self
                        .counter
                        .get_or_insert_with(|| Counter::new(view.encoding));
                    let library: Vec<Option<usize>> = view
                        .catalog
                        .entries
                        .iter()
                        .map(|entry| entry.built.tokens(counter))
                        .collect();
                    let mut answer = Counted {
                        question: number,
                        library: library.into(),
                        usage: Usage::count(&view.assembly, counter),
                        real: what_if.then(|| Usage::count(&view.real, counter)),
                        found: None,
                    };
                    let question = number;
                    let sent = answer.real.as_ref().unwrap_or(&answer.usage);
                    let found = check(&view.subject(sent, &answer.library, &[]), &view.lint);
                    answer.found = Some(found.into());
                    let outcome = Outcome::View(Arc::new(view));
                    let assembled = Assembled { question, outcome };
                    self.event(Event::Assembled(Box::new(assembled)));
                    self.event(Event::Counted(Box::new(answer)));
                }
                Effect::CountMarked(number, text) => {
                    let counter = self.counter.as_mut().unwrap();
                    let tokens = counter.count(&text);
                    self.event(Event::CountedMarked(number, tokens));
                }
                Effect::Theme(name) => {
                    self.painter.theme = load_embedded(&name).unwrap();
                    self.app.theme = name;
                    self.app.dirty = true;
                }
                Effect::ReloadTheme => {}
                Effect::Audit => {
                    let view = self.app.content.view.clone().unwrap();
                    let lines = audit(&view.workspace, &view.real, self.counter.as_mut().unwrap());
                    self.event(Event::Audited(lines.into()));
                }
                Effect::Insight => {
                    let view = self.app.content.view.clone().unwrap();
                    let counter = self.counter.as_mut().unwrap();
                    let usage = Usage::count(&view.real, counter);
                    let insight = Insight {
                        losses: vec![loss("nothing changed", &view.real, &view.real, counter)],
                        advice: advice(&view.subject(&usage, &[], &[]), counter),
                    };
                    self.event(Event::Insight(Box::new(insight)));
                }
                Effect::Edit { .. } | Effect::Copy { .. } | Effect::Store(_) | Effect::GitBase => {
                    self.asked.push(effect);
                }
                other => panic!("the test does not expect {other:?}"),
            }
        }
    }

    fn view(&mut self, question: Question) -> View {
        let path = self.folder.join("promptscope.toml");
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let path = Path::new(SHOWN).join("promptscope.toml");
        let config = Config::resolve(&[ConfigText { path, text }]).unwrap();
        let catalog = self.catalog(&config, &question.values);
        let start = Turn {
            channel: config.turn.channel.clone(),
            chat_id: config.turn.chat_id.clone(),
            sender_id: config.turn.sender_id.clone(),
            session: config.turn.session.as_deref().map(|key| LIMITS.of(key)),
            timezone: config.timezone.clone(),
            ..Turn::default()
        };
        let scenario = question.scenario.map(|path| {
            let text = std::fs::read_to_string(&path).unwrap();
            Scenario::parse(&text, &path).unwrap()
        });
        let start = scenario.map_or(start, |scenario| scenario.turn);
        let turn = match question.composed {
            Some(composed) => composed.over(start, &LIMITS),
            None => start,
        };
        let sender = turn.sender_id.as_deref();
        let compiled = question.is_compiled.then(|| catalog.compiled(sender));
        let files = compiled.iter().flat_map(Compiled::files);
        let files = files.map(|(target, text)| (self.folder.join(target), text.into_bytes()));
        let places = Places {
            source: self.source.clone().with_files(files),
            root: self.folder.clone(),
            skill_order: FolderOrder::Name,
            session: turn.session.as_ref().map(|session| session.key.clone()),
            ..Places::default()
        };
        let mut workspace = Workspace::read(&places);
        for skill in workspace.skills.iter_mut().flatten() {
            let below = skill.path.strip_prefix(&self.folder).unwrap();
            skill.path = Path::new(SHOWN).join(below);
        }
        workspace.root = SHOWN.into();
        workspace.resolved_root = SHOWN.into();
        let host = Host {
            system: "Linux".into(),
            machine: "x86_64".into(),
            python: ASSUMED_PYTHON.into(),
            now: "2026-06-19T02:30:00Z".parse().unwrap(),
            local_timezone: LocalZone::Offset(0),
            path: vec![],
            bins: BTreeSet::new(),
            env: BTreeMap::new(),
        };
        let profile = Profile::NANOBOT_0_2;
        let real = Arc::new(assemble(&workspace, &host, &turn, &profile));
        let assembly = if question.what_if.is_any() {
            let (mut workspace, mut turn) = (workspace.clone(), turn.clone());
            question.what_if.apply(&mut workspace, &mut turn);
            Arc::new(assemble(&workspace, &host, &turn, &profile))
        } else {
            real.clone()
        };
        let is_save = std::mem::replace(&mut self.seen, true) && question.reread;
        View {
            skills: (profile.skills)(&workspace, &host, &turn),
            keymap: Arc::new(Keymap::with(&config.keys).unwrap()),
            workspace: Arc::new(workspace),
            survey: Arc::new(Survey::read(&places, [])),
            catalog: Arc::new(catalog),
            variants: Vec::new(),
            compiled,
            lint: config.lint,
            is_directory_order: false,
            assembly,
            real,
            scenario: Scenario {
                turn: turn.clone(),
                ..Scenario::default()
            },
            turn,
            agent: None,
            is_exact: None,
            reservations: Vec::new(),
            host: self.host.clone(),
            encoding: config.encoding.unwrap_or(Encoding::O200kBase),
            budget: config.budget,
            theme: config.theme,
            mouse: false,
            settings_problem: None,
            is_save,
        }
    }

    /// Builds the library as the settings say.
    fn catalog(&self, config: &Config, values: &BTreeMap<String, String>) -> Catalog {
        let mut settings = config.library.clone();
        for (name, value) in values {
            settings.variables.set(name, value, ValueOrigin::Screen);
        }
        let folder = self.folder.join("prompts");
        let mut sources = Sources::read(&folder, &self.source, false, &mut Cache::default());
        sources.folder = Path::new(SHOWN).join("prompts");
        let manifest = std::fs::read_to_string(self.folder.join(MANIFEST)).ok();
        let manifest = manifest.map(|text| Manifest::parse(&text).unwrap());
        let on_disk = |target: &Path| std::fs::read(self.folder.join(target)).ok();
        let as_set = Library {
            sources: sources.clone(),
            settings: config.library.clone(),
        };
        let planned = as_set.plan(&manifest.unwrap_or_default(), on_disk);
        Library { sources, settings }.catalog(planned)
    }

    /// Draws, and gives the letters of the frame.
    pub fn text(&mut self) -> String {
        letters(&self.buffer())
    }

    /// Draws, and gives the letters and the styles of the frame.
    pub fn frame(&mut self) -> String {
        let buffer = self.buffer();
        format!("{}\n{}", letters(&buffer), styles(&buffer))
    }

    /// Draws into the same terminal as before, as a person's does.
    pub fn buffer(&mut self) -> Buffer {
        let (app, painter) = (&self.app, &self.painter);
        self.terminal
            .draw(|frame| render(app, painter, frame))
            .unwrap();
        self.terminal.backend().buffer().clone()
    }

    /// Draws into a terminal that was never drawn to.
    pub fn fresh_buffer(&mut self) -> Buffer {
        let area = self.buffer().area;
        self.terminal = Terminal::new(TestBackend::new(area.width, area.height)).unwrap();
        self.buffer()
    }
}

/// Gives what is seen of each row: the cell behind a wide letter holds nothing of its own.
pub fn seen(buffer: &Buffer) -> Vec<Vec<(&str, Style)>> {
    let width = usize::from(buffer.area.width);
    let rows = buffer.content.chunks(width.max(1));
    rows.map(|row| {
        let mut skip = 0;
        let mut cells = Vec::new();
        for cell in row {
            if skip > 0 {
                skip -= 1;
                continue;
            }
            let width = ratatui::text::Span::raw(cell.symbol()).width();
            skip = width.saturating_sub(1);
            cells.push((cell.symbol(), cell.style()));
        }
        cells
    })
    .collect()
}

fn letters(buffer: &Buffer) -> String {
    let lines = seen(buffer).into_iter().map(|row| {
        let line: String = row.into_iter().map(|(letter, _)| letter).collect();
        format!("{}\n", line.trim_end())
    });
    lines.collect::<Vec<_>>().concat()
}

/// Writes the styles of every row as runs of a letter and a length, with a key to the letters.
fn styles(buffer: &Buffer) -> String {
    let mut known: HashMap<String, char> = HashMap::new();
    let mut key = Vec::new();
    let mut rows = String::new();
    for row in buffer.content.chunks(buffer.area.width.into()) {
        let mut runs: Vec<(char, usize)> = Vec::new();
        for cell in row {
            let name = style_name(cell.style());
            let next = char::from_u32('a' as u32 + u32::try_from(known.len()).unwrap()).unwrap();
            let letter = *known.entry(name.clone()).or_insert_with(|| {
                key.push(format!("{next} = {name}"));
                next
            });
            match runs.last_mut() {
                Some((last, length)) if *last == letter => *length += 1,
                _ => runs.push((letter, 1)),
            }
        }
        let runs: Vec<String> = runs
            .iter()
            .map(|(letter, length)| format!("{letter}{length}"))
            .collect();
        rows.push_str(&runs.join(" "));
        rows.push('\n');
    }
    format!("{}\n\n{}", key.join("\n"), rows)
}

fn style_name(style: Style) -> String {
    let color = |color: Option<ratatui::style::Color>| color.map_or("-".into(), |c| c.to_string());
    let modifiers: Vec<String> = Modifier::iter_names(&style.add_modifier)
        .map(|(name, _)| name.to_lowercase())
        .collect();
    format!(
        "{} on {} {}",
        color(style.fg),
        color(style.bg),
        modifiers.join(" ")
    )
    .trim()
    .to_owned()
}

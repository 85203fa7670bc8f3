//! The message composer: a multi-line text and the fields of a simulated turn.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui_textarea::{CursorMove, TextArea};
use unicode_segmentation::UnicodeSegmentation as _;

use super::Composed;
use super::composed::goal_of;
use crate::display::sanitize::{Symbols, is_hidden};
use crate::prompt::{KNOWN_CHANNELS, Turn};

/// A field of the composer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    /// The user's text.
    Text,
    /// The channel.
    Channel,
    /// The chat on that channel.
    ChatId,
    /// Who writes.
    Sender,
    /// The session to be replayed.
    Session,
    /// Paths of attached files, with `|` between them.
    Media,
    /// Further lines of the runtime context, with `|` between them.
    Lines,
    /// The objective of an active goal.
    Goal,
}

/// What stands between several paths or lines in one field.
const BETWEEN: char = '|';

impl Field {
    /// Every field, in the order of Tab.
    pub const ALL: [Self; 8] = [
        Self::Text,
        Self::Channel,
        Self::ChatId,
        Self::Sender,
        Self::Session,
        Self::Media,
        Self::Lines,
        Self::Goal,
    ];

    /// The fields of one line, in the order of the screen.
    pub const SHORT: [Self; 7] = [
        Self::Channel,
        Self::ChatId,
        Self::Sender,
        Self::Session,
        Self::Media,
        Self::Lines,
        Self::Goal,
    ];

    /// Gives the field's name on the screen.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Text => "Message",
            Self::Channel => "Channel",
            Self::ChatId => "Chat ID",
            Self::Sender => "Sender",
            Self::Session => "Session",
            Self::Media => "Media",
            Self::Lines => "Lines",
            Self::Goal => "Goal",
        }
    }
}

/// What stands for a character that has no picture of its own.
const MARK: char = '\u{FFFD}';

/// The composer's state.
#[derive(Debug)]
pub struct Composer {
    /// The field that keys go to.
    pub field: Field,
    areas: [TextArea<'static>; 8],
}

impl Default for Composer {
    fn default() -> Self {
        Self {
            field: Field::Text,
            areas: std::array::from_fn(|_| TextArea::default()),
        }
    }
}

impl Composer {
    /// Fills the fields from a turn.
    pub(super) fn fill(&mut self, turn: &Turn) {
        let session = turn.session.as_ref().map(|session| session.key.clone());
        for (field, text) in [
            (Field::Text, Some(turn.message.clone())),
            (Field::Channel, turn.channel.clone()),
            (Field::ChatId, turn.chat_id.clone()),
            (Field::Sender, turn.sender_id.clone()),
            (Field::Session, session),
            (Field::Media, Some(joined(&turn.media))),
            (Field::Lines, Some(joined(&turn.current_runtime_lines))),
            (Field::Goal, goal_of(&turn.session_metadata)),
        ] {
            self.set(field, &text.unwrap_or_default());
        }
    }

    /// Gives what the fields say.
    #[must_use]
    pub fn composed(&self) -> Composed {
        let given = |field| Some(self.text(field)).filter(|text| !text.is_empty());
        Composed {
            message: self.text(Field::Text),
            channel: given(Field::Channel),
            chat_id: given(Field::ChatId),
            sender_id: given(Field::Sender),
            session: given(Field::Session),
            media: parts(&self.text(Field::Media)),
            lines: parts(&self.text(Field::Lines)),
            goal: given(Field::Goal),
        }
    }

    /// Gives a field's text.
    #[must_use]
    pub fn text(&self, field: Field) -> String {
        self.area(field).lines().join("\n")
    }

    /// Gives a field's editor.
    #[must_use]
    pub fn area(&self, field: Field) -> &TextArea<'static> {
        &self.areas[field as usize]
    }

    /// Gives a field's editor as it is drawn: a character that a terminal would hide or obey has a mark of one
    /// column in its place, so that the cursor stands where it does.
    #[must_use]
    pub fn shown(&self, field: Field, symbols: Symbols) -> TextArea<'static> {
        let area = self.area(field);
        let is_marked = |c: char| c != '\t' && is_hidden(c);
        if !area.lines().iter().any(|line| line.contains(is_marked)) {
            return area.clone();
        }
        let mark = |c: char| match (u32::from(c), symbols) {
            _ if !is_marked(c) => c,
            (code @ 0..=0x1F, Symbols::Unicode) => char::from_u32(0x2400 + code).unwrap_or(MARK),
            (0x7F, Symbols::Unicode) => '␡',
            (_, Symbols::Unicode) => MARK,
            (_, Symbols::Ascii) => '?',
        };
        let lines = area
            .lines()
            .iter()
            .map(|line| line.chars().map(mark).collect());
        let mut shown = TextArea::new(lines.collect());
        let at = |place: usize| u16::try_from(place).unwrap_or(u16::MAX);
        let (row, column) = (area.cursor().0, area.cursor().1);
        shown.move_cursor(CursorMove::Jump(at(row), at(column)));
        shown
    }

    /// Replaces a field's text.
    pub(super) fn set(&mut self, field: Field, text: &str) {
        let lines = text.split('\n').map(str::to_owned).collect();
        let mut area = TextArea::new(lines);
        area.move_cursor(CursorMove::Bottom);
        area.move_cursor(CursorMove::End);
        self.areas[field as usize] = area;
    }

    /// Moves to another field, round at the ends.
    pub(super) fn step(&mut self, by: isize) {
        let count = Field::ALL.len();
        let at = (self.field as usize)
            .wrapping_add_signed(by)
            .wrapping_add(count)
            % count;
        self.field = Field::ALL[at];
    }

    /// Gives a key to the field; tells whether the text changed. Only the message takes line ends.
    pub(super) fn key(&mut self, key: KeyEvent) -> bool {
        if key.code == KeyCode::Enter && self.field != Field::Text {
            self.step(1);
            return false;
        }
        let area = &mut self.areas[self.field as usize];
        // What looks like one letter is one: a flag, an emoji of several, an accent.
        let times = match (key.code, key.modifiers) {
            (KeyCode::Left | KeyCode::Backspace, KeyModifiers::NONE) => cluster(area, false),
            (KeyCode::Right | KeyCode::Delete, KeyModifiers::NONE) => cluster(area, true),
            _ => 1,
        };
        if times > 1 {
            return (0..times).fold(false, |changed, _| area.input(key) | changed);
        }
        match (key.code, key.modifiers) {
            // As in a shell; undo has a key of its own beside it.
            (KeyCode::Char('u'), KeyModifiers::CONTROL) => area.delete_line_by_head(),
            (KeyCode::Char('u'), KeyModifiers::ALT) => area.undo(),
            _ => area.input(key),
        }
    }

    /// Pastes text into the field; a field of one line takes the first.
    pub(super) fn paste(&mut self, text: &str) -> bool {
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        let text = match self.field {
            Field::Text => text.as_str(),
            _ => text.lines().next().unwrap_or_default(),
        };
        self.areas[self.field as usize].insert_str(text)
    }

    /// Puts the next or previous known value into the field; tells whether there is one.
    pub(super) fn cycle(&mut self, by: isize, sessions: &[String]) -> bool {
        let known: Vec<&str> = match self.field {
            Field::Channel => KNOWN_CHANNELS.to_vec(),
            Field::Session => std::iter::once("")
                .chain(sessions.iter().map(String::as_str))
                .collect(),
            _ => return false,
        };
        let now = self.text(self.field);
        let at = known.iter().position(|value| *value == now);
        let next = match at {
            Some(at) => at.wrapping_add_signed(by).wrapping_add(known.len()) % known.len(),
            None => 0,
        };
        let value = known[next].to_owned();
        self.set(self.field, &value);
        true
    }
}

/// Counts the characters of what looks like one letter behind or before the cursor.
fn cluster(area: &TextArea, is_behind: bool) -> usize {
    let cursor = area.cursor();
    let Some(line) = area.lines().get(cursor.0) else {
        return 1;
    };
    let at = line.char_indices().nth(cursor.1);
    let at = at.map_or(line.len(), |(at, _)| at);
    let letters = if is_behind {
        line[at..].graphemes(true).next()
    } else {
        line[..at].graphemes(true).next_back()
    };
    letters.map_or(1, |letters| letters.chars().count())
}

fn joined(parts: &[String]) -> String {
    parts.join(&format!(" {BETWEEN} "))
}

/// Takes a field apart; what is blank between the signs is nothing.
fn parts(text: &str) -> Vec<String> {
    let parts = text.split(BETWEEN).map(str::trim);
    parts
        .filter(|part| !part.is_empty())
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prompt::SessionLimits;

    #[test]
    fn fields_become_a_turn_and_empty_ones_nothing() {
        let mut composer = Composer::default();
        let base = Turn {
            channel: Some("telegram".into()),
            chat_id: Some("1".into()),
            timezone: Some("Asia/Tokyo".into()),
            ..Turn::default()
        };
        let limits = SessionLimits {
            max_messages: 7,
            max_tokens: 70,
        };
        composer.fill(&base);
        assert_eq!(composer.composed().over(base.clone(), &limits), base);
        composer.field = Field::ChatId;
        assert!(composer.key(KeyCode::Backspace.into()));
        composer.set(Field::Session, "a:1");
        let turn = composer.composed().over(base, &limits);
        assert_eq!(turn.session, Some(limits.of("a:1")));
        assert_eq!(turn.chat_id, None);
        assert_eq!(turn.timezone.as_deref(), Some("Asia/Tokyo"));
    }

    #[test]
    fn media_lines_and_a_goal_are_taken_from_their_fields() {
        let mut composer = Composer::default();
        composer.set(Field::Media, " a.png |b c.jpg||");
        composer.set(Field::Lines, "One: 1 | Two: 2");
        composer.set(Field::Goal, "Fix the bike");
        let limits = SessionLimits {
            max_messages: 7,
            max_tokens: 70,
        };
        let turn = composer.composed().over(Turn::default(), &limits);
        assert_eq!(turn.media, ["a.png", "b c.jpg"]);
        assert_eq!(turn.current_runtime_lines, ["One: 1", "Two: 2"]);
        assert_eq!(
            goal_of(&turn.session_metadata).as_deref(),
            Some("Fix the bike")
        );
        let mut again = Composer::default();
        again.fill(&turn);
        assert_eq!(again.composed().over(turn.clone(), &limits), turn);
        again.set(Field::Goal, "");
        let without = again.composed().over(turn, &limits);
        assert_eq!(goal_of(&without.session_metadata), None);
    }

    #[test]
    fn ctrl_u_takes_away_and_alt_u_brings_back() {
        let mut composer = Composer::default();
        composer.paste("one two");
        let key = |modifiers| KeyEvent::new(KeyCode::Char('u'), modifiers);
        assert!(composer.key(key(KeyModifiers::CONTROL)));
        assert_eq!(composer.text(Field::Text), "");
        assert!(composer.key(key(KeyModifiers::ALT)));
        assert_eq!(composer.text(Field::Text), "one two");
    }

    #[test]
    fn what_looks_like_one_letter_is_one() {
        let mut composer = Composer::default();
        composer.paste("a👨\u{200d}👩\u{200d}👧e\u{301}🇲🇾");
        let mut press = |code: KeyCode| {
            composer.key(code.into());
            composer.text(Field::Text)
        };
        press(KeyCode::Left);
        assert_eq!(press(KeyCode::Backspace), "a👨\u{200d}👩\u{200d}👧🇲🇾");
        assert_eq!(press(KeyCode::Backspace), "a🇲🇾");
        assert_eq!(press(KeyCode::Delete), "a");
        assert_eq!(press(KeyCode::Backspace), "");
    }

    #[test]
    fn known_values_go_round() {
        let mut composer = Composer {
            field: Field::Channel,
            ..Composer::default()
        };
        assert!(composer.cycle(1, &[]));
        assert_eq!(composer.text(Field::Channel), "telegram");
        assert!(composer.cycle(-1, &[]));
        assert_eq!(composer.text(Field::Channel), "websocket");
        composer.field = Field::Session;
        let sessions = ["a:1".to_owned()];
        assert!(composer.cycle(1, &sessions));
        assert_eq!(composer.text(Field::Session), "a:1");
        assert!(composer.cycle(1, &sessions));
        assert_eq!(composer.text(Field::Session), "");
        composer.field = Field::Text;
        assert!(!composer.cycle(1, &sessions));
    }

    #[test]
    fn only_the_message_takes_several_lines() {
        let mut composer = Composer::default();
        composer.paste("one\r\ntwo");
        assert_eq!(composer.text(Field::Text), "one\ntwo");
        composer.field = Field::Sender;
        composer.paste("one\ntwo");
        assert_eq!(composer.text(Field::Sender), "one");
        composer.key(KeyCode::Enter.into());
        assert_eq!(composer.field, Field::Session);
        composer.field = Field::Goal;
        composer.step(1);
        assert_eq!(composer.field, Field::Text);
        composer.step(-1);
        assert_eq!(composer.field, Field::Goal);
    }
}

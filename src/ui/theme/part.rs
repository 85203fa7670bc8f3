//! The parts of the screen that a theme gives a style.

use ratatui::style::Modifier;

use crate::display::highlight::Slot;

/// Is what is known about a part beside its place.
struct Row {
    name: &'static str,
    parent: Option<Part>,
    plain: Modifier,
}

// Order, name, parent and plain look of a part stand in one row, so that they cannot disagree.
macro_rules! parts {
    ($($(#[$doc:meta])+ $part:ident $name:literal $(of $parent:ident)? $(+ $plain:ident)*;)+) => {
        /// Names a part of the screen that a theme gives a style.
        ///
        /// A part without a style of its own looks like its parent with the modifiers named here.
        /// Those modifiers are also what remains of it on a terminal without colour.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Part {
            $($(#[$doc])+ $part,)+
        }

        impl Part {
            /// Counts the parts.
            pub(super) const COUNT: usize = [$($name),+].len();

            /// Lists every part, in the order of their declaration.
            pub const ALL: [Part; Self::COUNT] = [$(Part::$part),+];

            const TABLE: [Row; Self::COUNT] = [$(Row {
                name: $name,
                parent: parts!(@parent $($parent)?),
                plain: Modifier::empty()$(.union(Modifier::$plain))*,
            }),+];
        }
    };
    (@parent) => { None };
    (@parent $parent:ident) => { Some(Part::$parent) };
}

parts! {
    /// Plain text. The screen paints its whole area with it first, and its background is the
    /// ground of all other parts. Without a style it is the terminal's default.
    Text "text";
    /// Text of less weight: units, hints, what could be left out. Like text, but dim.
    Muted "muted" of Text + DIM;
    /// The title of a pane. Like text, but bold.
    Title "title" of Text + BOLD;
    /// The frame of a pane. Like muted text.
    Border "border" of Muted;
    /// The frame of the pane that keys go to. Like an accent.
    BorderFocused "border_focused" of Accent;
    /// Selection marks, and the keys in the footer. Like text, but bold.
    Accent "accent" of Text + BOLD;
    /// The selected row. It lies over other parts and should leave their letters their colour, so
    /// a theme does well to give it a background alone. Reversed.
    Selection "selection" + REVERSED;
    /// The header. Like text.
    Header "header" of Text;
    /// The footer. Like muted text.
    Footer "footer" of Muted;
    /// A number within its budget. Like text.
    Within "within" of Text;
    /// A number near its budget. The screen says so in text too. Like text, but bold.
    Near "near" of Text + BOLD;
    /// A number over its budget. The screen says so in text too. Like an error, but underlined.
    Over "over" of Error + UNDERLINED;
    /// Tokens that a save added; a plus sign stands before them. Like text.
    Increase "increase" of Text;
    /// Tokens that a save removed; a minus sign stands before them. Like text.
    Decrease "decrease" of Text;
    /// What the prompt leaves out. Like muted text.
    Absent "absent" of Muted;
    /// What is wrong. Like text, but bold.
    Error "error" of Text + BOLD;
    /// What a person should know, and nothing is wrong. Like text.
    Notice "notice" of Text;
    /// What no longer follows the files on disk. Like muted text, but italic.
    Stale "stale" of Muted + ITALIC;
    /// What holds only for a variant or an experiment. Like text, but italic.
    Hypothetical "hypothetical" of Text + ITALIC;
    /// The runtime context, set apart in the merged message. Like muted text.
    RuntimeContext "runtime_context" of Muted;
    /// The sign that stands for a character that has no glyph or is unsafe to print. Reversed, so
    /// that it cannot be taken for text of the file.
    Marker "marker" of Text + REVERSED;
    /// The mark beside a changed line. Like an accent.
    Changed "changed" of Accent;
    /// A match of the search. It lies over other parts. Bold, underlined and
    /// reversed.
    SearchMatch "search_match" + BOLD + UNDERLINED + REVERSED;
    /// A field to type into. It lies over other parts.
    Field "field";
    /// The field that is typed into. Like a field, but bold.
    FieldFocused "field_focused" of Field + BOLD;
    /// The full part of a bar that shows no budget level. Like an accent.
    BarFull "bar_full" of Accent;
    /// The empty part of a bar. Like a frame.
    BarEmpty "bar_empty" of Border;
    /// A heading in a prompt. Like a title.
    Heading "heading" of Title;
    /// Strong text in a prompt. Like text, but bold.
    Strong "strong" of Text + BOLD;
    /// Emphasised text in a prompt. Like text, but italic.
    Emphasis "emphasis" of Text + ITALIC;
    /// Code in a prompt. Like text.
    Code "code" of Text;
    /// The line that opens or closes code or front matter. Like muted text.
    Fence "fence" of Muted;
    /// The marker of a list item. Like an accent.
    List "list" of Accent;
    /// A block quote. Like text, but italic.
    Quote "quote" of Text + ITALIC;
    /// A link or an address. Like text, but underlined.
    Link "link" of Text + UNDERLINED;
    /// A comment, which the model reads like any other text. Like muted text.
    Comment "comment" of Muted;
    /// A horizontal rule. Like a frame.
    Rule "rule" of Border;
    /// A key of JSON or YAML. Like text.
    Key "key" of Text;
    /// A string of JSON or YAML. Like code.
    Literal "literal" of Code;
    /// A number of JSON or YAML. Like a string.
    Number "number" of Literal;
    /// `true`, `null` and their kind. Like a number.
    Constant "constant" of Number;
    /// A placeholder or statement of a template. Like text, but bold and italic.
    Placeholder "placeholder" of Text + BOLD + ITALIC;
}

impl Part {
    /// Gives the name that the part has in a theme.
    #[must_use]
    pub const fn name(self) -> &'static str {
        Self::TABLE[self as usize].name
    }

    /// Finds a part by its name in a theme.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|part| part.name() == name)
    }

    /// Gives the part that this one takes after where a theme is silent.
    pub(super) const fn parent(self) -> Option<Self> {
        Self::TABLE[self as usize].parent
    }

    /// Gives the modifiers that set the part off from its parent.
    pub(super) const fn plain(self) -> Modifier {
        Self::TABLE[self as usize].plain
    }
}

impl From<Slot> for Part {
    fn from(slot: Slot) -> Self {
        match slot {
            Slot::Text => Self::Text,
            Slot::Heading => Self::Heading,
            Slot::Strong => Self::Strong,
            Slot::Emphasis => Self::Emphasis,
            Slot::Code => Self::Code,
            Slot::Fence => Self::Fence,
            Slot::List => Self::List,
            Slot::Quote => Self::Quote,
            Slot::Link => Self::Link,
            Slot::Comment => Self::Comment,
            Slot::Rule => Self::Rule,
            Slot::Key => Self::Key,
            Slot::String => Self::Literal,
            Slot::Number => Self::Number,
            Slot::Constant => Self::Constant,
            Slot::Placeholder => Self::Placeholder,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn names_are_unique_and_lead_back() {
        let names: HashSet<_> = Part::ALL.iter().map(|part| part.name()).collect();
        assert_eq!(names.len(), Part::ALL.len());
        for (place, part) in Part::ALL.into_iter().enumerate() {
            assert_eq!(part as usize, place);
            assert_eq!(Part::by_name(part.name()), Some(part));
            let shape = |c: char| c.is_ascii_lowercase() || c == '_';
            assert!(part.name().chars().all(shape), "{part:?}");
        }
    }

    #[test]
    fn every_part_takes_after_text_or_lies_over_it() {
        for part in Part::ALL {
            let mut steps = 0;
            let mut root = part;
            while let Some(parent) = root.parent() {
                root = parent;
                steps += 1;
                assert!(steps < Part::COUNT, "{part:?} takes after itself");
            }
            let over = [Part::Selection, Part::SearchMatch, Part::Field];
            assert!(root == Part::Text || over.contains(&root), "{part:?}");
        }
    }

    #[test]
    fn slots_have_parts_of_their_own() {
        let parts: HashSet<_> = Slot::ALL.into_iter().map(Part::from).collect();
        assert_eq!(parts.len(), Slot::ALL.len());
    }
}

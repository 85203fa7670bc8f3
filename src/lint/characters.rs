//! Bytes and characters that nobody sees, and that the model reads.

use super::scan::{self, Scanned};
use super::{Finding, Place, Subject, finding};
use crate::workspace::survey::{FileKind, RawFile};

/// What a character is that should not stand there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Odd {
    Control,
    Bidirectional,
    Tag,
    Invisible,
}

/// Checks every file's bytes.
pub(super) fn check(subject: &Subject, found: &mut Vec<Finding>) {
    for file in &subject.survey.files {
        encoding(file, found);
        line_ends(file, found);
        // A line of JSON in plain ASCII holds an odd character only as an escape.
        let has_escape = |text: &str| {
            ["\\u", "\\b", "\\f"]
                .iter()
                .any(|escape| text.contains(escape))
        };
        let is_plain = file
            .text()
            .is_some_and(|text| text.is_ascii() && !has_escape(text));
        if is_plain && matches!(file.kind, FileKind::History | FileKind::Session) {
            continue;
        }
        let before = found.len();
        for text in scan::texts(file) {
            odd(&file.path, &text, found);
            if found.len() - before > scan::MOST {
                break;
            }
        }
    }
}

fn encoding(file: &RawFile, found: &mut Vec<Finding>) {
    if let Err(error) = std::str::from_utf8(file.bytes()) {
        let at = error.valid_up_to();
        let before = String::from_utf8_lossy(&file.bytes()[..at])
            .replace("\r\n", "\n")
            .replace('\r', "\n");
        let byte = file.bytes().get(at).copied().unwrap_or(0);
        let what = match file.kind {
            FileKind::Session => "the agent starts an empty session",
            FileKind::Prompt => "nothing is compiled from it",
            _ => "the agent fails with UnicodeDecodeError and sends nothing",
        };
        let message = format!("byte 0x{byte:02x} at position {at} is not UTF-8: {what}");
        let place = Place::of(&before, before.len());
        found.push(finding("not-utf8", message, "save the file as UTF-8").at(&file.path, place));
    }
    let is_skill = file.kind == FileKind::Skill && file.bytes().starts_with(b"\xef\xbb\xbf---");
    // What is compiled from a prompt source has none.
    let is_sent = !is_skill && file.kind != FileKind::Prompt;
    if file.bytes().starts_with(b"\xef\xbb\xbf") && is_sent {
        let message = match file.kind {
            FileKind::History => {
                "the file begins with a byte order mark: its first line is passed over"
            }
            _ => "the file begins with a byte order mark, which goes to the model",
        };
        let place = Place { line: 1, column: 1 };
        found.push(
            finding("byte-order-mark", message, "save the file without it").at(&file.path, place),
        );
    }
}

fn line_ends(file: &RawFile, found: &mut Vec<Finding>) {
    if file.kind == FileKind::Prompt {
        // What is compiled has one kind of line end.
        return;
    }
    let bytes = file.bytes();
    let mut first: [Option<usize>; 3] = [None; 3];
    let mut counts = [0_usize; 3];
    let mut line = 1;
    for (at, byte) in bytes.iter().enumerate() {
        let kind = match (
            byte,
            bytes.get(at + 1),
            at.checked_sub(1).map(|at| bytes[at]),
        ) {
            (b'\r', Some(b'\n'), _) => 1,
            (b'\n', _, Some(b'\r')) => continue,
            (b'\n', ..) => 0,
            (b'\r', ..) => 2,
            _ => continue,
        };
        counts[kind] += 1;
        first[kind].get_or_insert(line);
        line += 1;
    }
    let used: Vec<usize> = (0..3).filter(|kind| counts[*kind] > 0).collect();
    let fewest = used.iter().min_by_key(|kind| counts[**kind]);
    if let (true, Some(&fewest)) = (used.len() > 1, fewest) {
        let names = ["LF", "CRLF", "CR"];
        let said: Vec<String> = used
            .iter()
            .map(|kind| format!("{} of {}", counts[*kind], names[*kind]))
            .collect();
        let message = format!(
            "the file mixes line ends ({}): the agent turns all into LF",
            said.join(", ")
        );
        let fix = "save it with one kind";
        found.push(
            finding("mixed-line-ends", message, fix)
                .on_line(&file.path, first[fewest].unwrap_or(1)),
        );
    }
}

/// Finds runs of odd characters; the first of each kind on a line stands for the line.
fn odd(path: &str, scanned: &Scanned, found: &mut Vec<Finding>) {
    let text: &str = &scanned.text;
    let is_rtl = text.chars().any(is_right_to_left);
    let before = found.len();
    if text.is_ascii()
        && !text
            .bytes()
            .any(|byte| byte < b' ' && byte != b'\n' && byte != b'\t' || byte == 0x7f)
    {
        return;
    }
    let letters: Vec<(usize, char)> = text.char_indices().collect();
    let mut at = 0;
    while at < letters.len() {
        let Some(kind) = kind(&letters, at, is_rtl) else {
            at += 1;
            continue;
        };
        let end =
            (at..letters.len()).find(|next| self::kind(&letters, *next, is_rtl) != Some(kind));
        let run: Vec<char> = letters[at..end.unwrap_or(letters.len())]
            .iter()
            .map(|(_, c)| *c)
            .collect();
        let place = scanned.place(letters[at].0);
        let (rule, message, fix) = described(kind, &run);
        let finding = finding(rule, message, fix).at(path, place);
        let is_told = found.iter().any(|other| {
            other.rule == rule && other.path == finding.path && other.line == finding.line
        });
        if !is_told {
            found.push(finding);
        }
        at += run.len();
        if found.len() - before > scan::MOST {
            return;
        }
    }
}

fn described(kind: Odd, run: &[char]) -> (&'static str, String, &'static str) {
    let names: Vec<String> = run
        .iter()
        .take(4)
        .map(|c| format!("U+{:04X}", u32::from(*c)))
        .collect();
    let more = if run.len() > 4 {
        format!(" and {} more", run.len() - 4)
    } else {
        String::new()
    };
    let names = format!("{}{more}", names.join(" "));
    match kind {
        Odd::Control => (
            "control-characters",
            format!("control character {names} goes to the model as it stands"),
            "delete it",
        ),
        Odd::Bidirectional => (
            "bidirectional-characters",
            format!(
                "{names} turns the direction of text around: people read another order than the model"
            ),
            "delete it",
        ),
        Odd::Tag => {
            let hidden: String = run
                .iter()
                .filter_map(|c| char::from_u32(u32::from(*c) - 0xE0000))
                .filter(|c| !c.is_control())
                .collect();
            (
                "tag-characters",
                format!(
                    "{} tag characters hide the text {hidden:?}, which the model reads",
                    run.len()
                ),
                "delete them",
            )
        }
        Odd::Invisible => {
            let hidden =
                smuggled(run).map_or_else(String::new, |text| format!(", which spell {text:?}"));
            (
                "invisible-characters",
                format!("invisible {names}{hidden}: nobody sees what the model reads"),
                "delete it",
            )
        }
    }
}

/// Reads bytes that are hidden in variation selectors.
fn smuggled(run: &[char]) -> Option<String> {
    let bytes: Option<Vec<u8>> = run
        .iter()
        .map(|c| match u32::from(*c) {
            code @ 0xFE00..=0xFE0F => u8::try_from(code - 0xFE00).ok(),
            code @ 0xE0100..=0xE01EF => u8::try_from(code - 0xE0100 + 16).ok(),
            _ => None,
        })
        .collect();
    let text = String::from_utf8(bytes?).ok()?;
    (text.len() > 2 && !text.chars().any(char::is_control)).then_some(text)
}

fn kind(letters: &[(usize, char)], at: usize, is_rtl: bool) -> Option<Odd> {
    let letter = letters[at].1;
    let before = at.checked_sub(1).map(|at| letters[at].1);
    let after = letters.get(at + 1).map(|(_, c)| *c);
    match letter {
        '\n' | '\t' => None,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' => Some(Odd::Control),
        // Among letters that run from right to left, marks and closed isolates are how text is set.
        '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' | '\u{061c}' if is_rtl => None,
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => Some(Odd::Bidirectional),
        // Some scripts have no blanks between words, and break lines at these.
        '\u{200b}' if before.is_some_and(has_no_blanks) || after.is_some_and(has_no_blanks) => None,
        '\u{180e}' if before.is_some_and(is_shaped) => None,
        '\u{00ad}'
            if before.is_some_and(char::is_alphabetic)
                && after.is_some_and(char::is_alphabetic) =>
        {
            None
        }
        // A flag such as that of Wales is a black flag and tags after it.
        '\u{e0000}'..='\u{e007f}' => (!is_in_flag(letters, at)).then_some(Odd::Tag),
        // Joiners make one emoji of several, and shape Persian and Indic words.
        '\u{200c}' | '\u{200d}' => {
            let joins = |c: Option<char>| c.is_some_and(|c| is_pictured(c) || is_shaped(c));
            (!(joins(before) && joins(after))).then_some(Odd::Invisible)
        }
        // One selector behind a character chooses its look.
        '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' => {
            let is_selector =
                |c: char| matches!(c, '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}');
            let is_alone = before.is_some_and(|c| !is_selector(c) && !c.is_whitespace())
                && !after.is_some_and(is_selector);
            (!is_alone).then_some(Odd::Invisible)
        }
        '\u{feff}' if at == 0 => None,
        '\u{200b}'
        | '\u{200e}'
        | '\u{200f}'
        | '\u{061c}'
        | '\u{2060}'..='\u{2064}'
        | '\u{206a}'..='\u{206f}'
        | '\u{feff}'
        | '\u{00ad}'
        | '\u{180e}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{115f}'
        | '\u{1160}'
        | '\u{3164}'
        | '\u{ffa0}'
        | '\u{034f}'
        | '\u{17b4}'
        | '\u{2800}'
        | '\u{2028}'
        | '\u{2029}' => Some(Odd::Invisible),
        _ => None,
    }
}

/// Tells whether tags spell a flag: a black flag, a few small letters and digits, and the closing tag.
fn is_in_flag(letters: &[(usize, char)], at: usize) -> bool {
    const LONGEST: usize = 6;
    let is_tag = |c: char| matches!(c, '\u{e0000}'..='\u{e007f}');
    let is_letter = |c: char| matches!(c, '\u{e0030}'..='\u{e0039}' | '\u{e0061}'..='\u{e007a}');
    let start = letters[..at].iter().rposition(|(_, c)| !is_tag(*c));
    let Some(start) = start.filter(|start| letters[*start].1 == '\u{1f3f4}') else {
        return false;
    };
    let run = letters[start + 1..].iter().map(|(_, c)| *c);
    let run: Vec<char> = run.take_while(|c| is_tag(*c)).take(LONGEST + 2).collect();
    match run.split_last() {
        Some(('\u{e007f}', spelled)) => spelled.iter().all(|c| is_letter(*c)),
        _ => false,
    }
}

/// Tells whether a letter runs from right to left.
fn is_right_to_left(letter: char) -> bool {
    matches!(letter, '\u{0590}'..='\u{08ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}')
}

/// Tells whether a letter is of a script that writes no blanks between words.
fn has_no_blanks(letter: char) -> bool {
    matches!(letter, '\u{0e00}'..='\u{0eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}')
}

fn is_pictured(letter: char) -> bool {
    matches!(letter, '\u{1f000}'..='\u{1faff}' | '\u{2190}'..='\u{2bff}' | '\u{fe0f}' | '\u{3030}' | '\u{303d}')
}

fn is_shaped(letter: char) -> bool {
    matches!(letter, '\u{0600}'..='\u{07bf}' | '\u{0900}'..='\u{0dff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{1800}'..='\u{18af}')
}

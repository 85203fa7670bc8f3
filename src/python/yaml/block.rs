//! Block texts: `|` keeps the line ends and `>` folds them.

use super::YamlFailure;
use super::reader::{Reader, ends_line, ends_word};

/// What happens to the line ends after the last line of a block text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Chomping {
    Strip,
    Clip,
    Keep,
}

/// Reads a block text from its `|` or `>` on; `least` is the smallest column that it may have.
pub(super) fn scalar(reader: &mut Reader, least: usize) -> Result<String, YamlFailure> {
    let folds = reader.peek() == '>';
    reader.skip(1);
    let (chomping, increment) = header(reader)?;
    let mut empty_lines = String::new();
    let column = if let Some(increment) = increment {
        let column = least + increment - 1;
        take_empty_lines(reader, column, &mut empty_lines);
        column
    } else {
        find_text(reader, &mut empty_lines).max(least)
    };
    let at_text = |reader: &Reader| reader.mark().column == column && reader.peek() != '\0';
    let mut text = String::new();
    let mut line_end = None;
    while at_text(reader) {
        text.push_str(&empty_lines);
        empty_lines.clear();
        let deeper = matches!(reader.peek(), ' ' | '\t');
        text.push_str(&reader.take_while(|c| !ends_line(c)));
        line_end = reader.take_break();
        take_empty_lines(reader, column, &mut empty_lines);
        if !at_text(reader) {
            break;
        }
        // A line that begins with a blank keeps the line ends around it.
        let foldable = folds && line_end == Some('\n') && !deeper;
        if !foldable || matches!(reader.peek(), ' ' | '\t') {
            text.extend(line_end);
        } else if empty_lines.is_empty() {
            text.push(' ');
        }
    }
    if chomping != Chomping::Strip {
        text.extend(line_end);
    }
    if chomping == Chomping::Keep {
        text.push_str(&empty_lines);
    }
    Ok(text)
}

/// Reads the rest of the first line: how the end is chomped and how far the text is indented.
fn header(reader: &mut Reader) -> Result<(Chomping, Option<usize>), YamlFailure> {
    let mut chomping = take_chomping(reader);
    let increment = take_increment(reader)?;
    if increment.is_some() {
        chomping = chomping.or_else(|| take_chomping(reader));
    }
    if !ends_word(reader.peek()) {
        return reader
            .mark()
            .reject("only `+`, `-` and a digit may follow the mark of a block text");
    }
    reader.skip_spaces();
    reader.skip_comment();
    if !ends_line(reader.peek()) {
        return reader
            .mark()
            .reject("a block text must begin on a new line");
    }
    reader.take_break();
    Ok((chomping.unwrap_or(Chomping::Clip), increment))
}

fn take_chomping(reader: &mut Reader) -> Option<Chomping> {
    let chomping = match reader.peek() {
        '+' => Chomping::Keep,
        '-' => Chomping::Strip,
        _ => return None,
    };
    reader.skip(1);
    Some(chomping)
}

fn take_increment(reader: &mut Reader) -> Result<Option<usize>, YamlFailure> {
    match reader.peek().to_digit(10) {
        None => Ok(None),
        Some(0) => reader.mark().reject("a block text cannot be indented by 0"),
        Some(digit) => {
            reader.skip(1);
            Ok(usize::try_from(digit).ok())
        }
    }
}

/// Reads the empty lines before the first line of text; gives the furthest column of any.
fn find_text(reader: &mut Reader, empty_lines: &mut String) -> usize {
    let mut furthest = 0;
    loop {
        reader.skip_spaces();
        furthest = furthest.max(reader.mark().column);
        match reader.take_break() {
            Some(c) => empty_lines.push(c),
            None => return furthest,
        }
    }
}

/// Reads empty lines, and the spaces before the text on the line after them.
fn take_empty_lines(reader: &mut Reader, column: usize, empty_lines: &mut String) {
    loop {
        while reader.mark().column < column && reader.peek() == ' ' {
            reader.skip(1);
        }
        match reader.take_break() {
            Some(c) => empty_lines.push(c),
            None => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn block_texts_are_read_as_pyyaml_reads_them() {
        for (text, least, expected) in [
            ("|\n a\n b\n", 1, "a\nb\n"),
            ("|-\n a\n\n", 1, "a"),
            ("|+\n a\n\n \n", 1, "a\n\n\n"),
            ("| # c\n a", 1, "a"),
            ("|2-\n   a\n  b\n", 1, " a\nb"),
            ("|-2\n   a\n  b\n", 1, " a\nb"),
            ("|\n\n  a\n   b\n  c\n d", 1, "\na\n b\nc\n"),
            ("|\n   \n  a\n", 1, ""),
            ("|\n a\n", 2, ""),
            (">\n a\n b\n\n c\n", 1, "a b\nc\n"),
            (">\n a\n  b\n c\n", 1, "a\n b\nc\n"),
            (">\n a\n\tb\n", 1, "a\n"),
            (">\n a\n \tb\n", 1, "a\n\tb\n"),
            (">\n a\u{2028} b\u{85} c", 1, "a\u{2028}b c"),
            ("|", 1, ""),
            ("|+\n\n\n", 1, "\n\n"),
        ] {
            let mut reader = Reader::new(text).unwrap();
            assert_eq!(
                scalar(&mut reader, least).as_deref(),
                Ok(expected),
                "{text:?}"
            );
        }
    }

    #[test]
    fn a_wrong_first_line_fails() {
        for (text, column) in [
            ("|0", 2),
            ("|x", 2),
            ("|+-", 3),
            ("|12", 3),
            ("| x", 3),
            ("|\t", 2),
            ("|1+1", 4),
            ("|+0", 3),
        ] {
            match scalar(&mut Reader::new(text).unwrap(), 1) {
                Err(YamlFailure::Yaml { column: at, .. }) => assert_eq!(at, column, "{text:?}"),
                other => panic!("{text:?} gives {other:?}"),
            }
        }
    }
}

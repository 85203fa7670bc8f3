//! Python's `str` and `repr` of a value.

use std::fmt::Write as _;

use chrono::{FixedOffset, NaiveDateTime, Timelike};

use super::Value;
use crate::python::number::float_repr;
use crate::python::surrogate::surrogate;

impl Value {
    /// Writes the value as `str(value)` does.
    #[must_use]
    pub fn to_str(&self) -> String {
        match self {
            Self::Str(text) => text.clone(),
            Self::Date(date) => date.format("%Y-%m-%d").to_string(),
            Self::DateTime(at, offset) => datetime_text(*at, *offset),
            other => other.repr(),
        }
    }

    /// Writes the value as `repr(value)` does.
    #[must_use]
    pub fn repr(&self) -> String {
        let mut out = String::new();
        self.write_repr(&mut out);
        out
    }

    fn write_repr(&self, out: &mut String) {
        match self {
            Self::List(items) => write_items(out, "[", items, "]"),
            Self::Tuple(items) if items.len() == 1 => write_items(out, "(", items, ",)"),
            Self::Tuple(items) => write_items(out, "(", items, ")"),
            Self::Set(items) if !items.is_empty() => write_items(out, "{", items, "}"),
            Self::Dict(dict) => {
                out.push('{');
                for (at, (key, value)) in dict.iter().enumerate() {
                    out.push_str(if at == 0 { "" } else { ", " });
                    key.write_repr(out);
                    out.push_str(": ");
                    value.write_repr(out);
                }
                out.push('}');
            }
            _ => out.push_str(&self.single_repr()),
        }
    }

    /// Writes a value that holds no others.
    fn single_repr(&self) -> String {
        match self {
            Self::Bool(true) => "True".into(),
            Self::Bool(false) => "False".into(),
            Self::Int(value) => value.to_string(),
            Self::Float(value) => float_repr(*value),
            Self::Str(text) => str_repr(text),
            Self::Bytes(bytes) => bytes_repr(bytes),
            Self::Set(_) => "set()".into(),
            Self::Date(date) => date.format("datetime.date(%-Y, %-m, %-d)").to_string(),
            Self::DateTime(at, offset) => datetime_repr(*at, *offset),
            Self::None | Self::List(_) | Self::Tuple(_) | Self::Dict(_) => "None".into(),
        }
    }
}

fn write_items(out: &mut String, open: &str, items: &[Value], close: &str) {
    out.push_str(open);
    for (at, item) in items.iter().enumerate() {
        out.push_str(if at == 0 { "" } else { ", " });
        item.write_repr(out);
    }
    out.push_str(close);
}

/// Writes text as Python's `repr` does: single quotes unless only those occur in it.
fn str_repr(text: &str) -> String {
    let quote = if text.contains('\'') && !text.contains('"') {
        '"'
    } else {
        '\''
    };
    let mut out = String::with_capacity(text.len() + 2);
    out.push(quote);
    for c in text.chars() {
        // Writing into a String cannot fail.
        let _ = match c {
            '\\' => write!(out, "\\\\"),
            '\n' => write!(out, "\\n"),
            '\r' => write!(out, "\\r"),
            '\t' => write!(out, "\\t"),
            _ if c == quote => write!(out, "\\{c}"),
            _ if surrogate(c).is_some() => write!(out, "\\u{:04x}", surrogate(c).unwrap_or(0)),
            _ if is_printable(c) => write!(out, "{c}"),
            _ if (c as u32) < 0x100 => write!(out, "\\x{:02x}", c as u32),
            _ if (c as u32) < 0x1_0000 => write!(out, "\\u{:04x}", c as u32),
            _ => write!(out, "\\U{:08x}", c as u32),
        };
    }
    out.push(quote);
    out
}

/// Tells whether Python's `repr` writes a character as it is.
///
/// Rust's `escape_debug` follows nearly the same table; blanks other than the space are what it
/// writes plainly and Python does not, and combining marks the other way round.
fn is_printable(c: char) -> bool {
    if c.is_ascii() {
        return (' '..='~').contains(&c);
    }
    if c.is_whitespace() {
        return false;
    }
    // Put behind a letter, a combining mark is not escaped.
    let mut text = String::from("a");
    text.push(c);
    !text.escape_debug().skip(1).any(|escaped| escaped == '\\')
}

fn bytes_repr(bytes: &[u8]) -> String {
    let quote = if bytes.contains(&b'\'') && !bytes.contains(&b'"') {
        b'"'
    } else {
        b'\''
    };
    let mut out = format!("b{}", char::from(quote));
    for &byte in bytes {
        let _ = match byte {
            b'\\' => write!(out, "\\\\"),
            b'\n' => write!(out, "\\n"),
            b'\r' => write!(out, "\\r"),
            b'\t' => write!(out, "\\t"),
            _ if byte == quote => write!(out, "\\{}", char::from(byte)),
            b' '..=b'~' => write!(out, "{}", char::from(byte)),
            _ => write!(out, "\\x{byte:02x}"),
        };
    }
    out.push(char::from(quote));
    out
}

fn datetime_text(at: NaiveDateTime, offset: Option<FixedOffset>) -> String {
    let mut out = at.format("%Y-%m-%d %H:%M:%S").to_string();
    let micros = at.nanosecond() / 1000;
    if micros != 0 {
        let _ = write!(out, ".{micros:06}");
    }
    if let Some(offset) = offset {
        let seconds = offset.local_minus_utc();
        let sign = if seconds < 0 { '-' } else { '+' };
        let seconds = seconds.abs();
        let _ = write!(out, "{sign}{:02}:{:02}", seconds / 3600, seconds / 60 % 60);
        if seconds % 60 != 0 {
            let _ = write!(out, ":{:02}", seconds % 60);
        }
    }
    out
}

fn datetime_repr(at: NaiveDateTime, offset: Option<FixedOffset>) -> String {
    let mut out = at
        .format("datetime.datetime(%-Y, %-m, %-d, %-H, %-M")
        .to_string();
    let micros = at.nanosecond() / 1000;
    if at.second() != 0 || micros != 0 {
        let _ = write!(out, ", {}", at.second());
    }
    if micros != 0 {
        let _ = write!(out, ", {micros}");
    }
    match offset.map(|offset| offset.local_minus_utc()) {
        None => {}
        Some(0) => out.push_str(", tzinfo=datetime.timezone.utc"),
        Some(seconds) => {
            // timedelta keeps whole days apart and its seconds positive.
            let days = seconds.div_euclid(86400);
            let rest = seconds.rem_euclid(86400);
            let days = if days == 0 {
                String::new()
            } else {
                format!("days={days}, ")
            };
            let _ = write!(
                out,
                ", tzinfo=datetime.timezone(datetime.timedelta({days}seconds={rest}))"
            );
        }
    }
    out.push(')');
    out
}

#[cfg(test)]
mod tests {
    use chrono::NaiveDate;
    use num_bigint::BigInt;

    use super::*;

    fn int(value: i64) -> Value {
        Value::Int(BigInt::from(value))
    }

    #[test]
    fn str_and_repr_write_what_python_writes() {
        let list = Value::List(vec![
            Value::str("a"),
            Value::str("it's"),
            int(1),
            Value::Bool(true),
            Value::None,
            Value::Float(2.0),
            Value::Tuple(vec![int(1)]),
            Value::Set(vec![]),
            Value::Bytes(vec![0, b'\'', 255]),
        ]);
        assert_eq!(
            list.to_str(),
            r#"['a', "it's", 1, True, None, 2.0, (1,), set(), b"\x00'\xff"]"#
        );
        assert_eq!(
            Value::str("\u{0}\t'\"\\é\u{a0}\u{200b}e\u{301}\u{2028}🦀\u{e0001}").repr(),
            r#"'\x00\t\'"\\é\xa0\u200be"#.to_owned() + "\u{301}" + r"\u2028🦀\U000e0001'"
        );
        let day = NaiveDate::from_ymd_opt(2026, 1, 2).unwrap();
        assert_eq!(Value::Date(day).to_str(), "2026-01-02");
        assert_eq!(Value::Date(day).repr(), "datetime.date(2026, 1, 2)");
        let day_one = NaiveDate::from_ymd_opt(1, 1, 1).unwrap();
        assert_eq!(Value::Date(day_one).to_str(), "0001-01-01");
        assert_eq!(Value::Date(day_one).repr(), "datetime.date(1, 1, 1)");
        let at = day.and_hms_micro_opt(3, 4, 5, 600).unwrap();
        let west = FixedOffset::west_opt(5 * 3600 + 1800);
        assert_eq!(
            Value::DateTime(at, west).to_str(),
            "2026-01-02 03:04:05.000600-05:30"
        );
        assert_eq!(
            Value::DateTime(at, west).repr(),
            "datetime.datetime(2026, 1, 2, 3, 4, 5, 600, tzinfo=datetime.timezone(\
             datetime.timedelta(days=-1, seconds=66600)))"
        );
    }
}

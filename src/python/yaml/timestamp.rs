//! Dates and times.

use chrono::{FixedOffset, NaiveDate};

use crate::python::Value;

/// The numbers of a date and perhaps a time, as they are written.
struct Timestamp {
    year: i32,
    month: u32,
    day: u32,
    time: Option<Time>,
    /// Whether month and day have two digits.
    is_padded: bool,
}

struct Time {
    hour: u32,
    minute: u32,
    second: u32,
    micros: u32,
    /// The offset from UTC, in seconds.
    offset: Option<i32>,
}

/// Tells whether a text without a tag is a timestamp: a date alone needs two digits everywhere.
pub(super) fn is_implicit(text: &str) -> bool {
    parse(text).is_some_and(|at| at.is_padded || at.time.is_some())
}

/// Makes the value of a timestamp.
///
/// There is none if the text has another form, and an error if there is no such date or time.
pub(super) fn read(text: &str) -> Option<Result<Value, &'static str>> {
    // The pattern ends in `$`, which stands before a last LF too.
    parse(text.strip_suffix('\n').unwrap_or(text)).map(|at| at.value())
}

impl Timestamp {
    fn value(&self) -> Result<Value, &'static str> {
        // Python's years begin at 1.
        let date = NaiveDate::from_ymd_opt(self.year, self.month, self.day)
            .filter(|_| self.year > 0)
            .ok_or("there is no such day")?;
        let Some(time) = &self.time else {
            return Ok(Value::Date(date));
        };
        let offset = time.offset.map(|seconds| {
            FixedOffset::east_opt(seconds).ok_or("the offset from UTC is a day or more")
        });
        let offset = offset.transpose()?;
        let at = date
            .and_hms_micro_opt(time.hour, time.minute, time.second, time.micros)
            .ok_or("there is no such time of day")?;
        Ok(Value::DateTime(at, offset))
    }
}

fn parse(text: &str) -> Option<Timestamp> {
    let mut rest = text;
    let year = digits(&mut rest, 4, 4)?;
    one_of(&mut rest, "-")?;
    let before = rest;
    let month = digits(&mut rest, 1, 2)?;
    one_of(&mut rest, "-")?;
    let day = digits(&mut rest, 1, 2)?;
    let is_padded = before.len() - rest.len() == 5;
    let time = if rest.is_empty() {
        None
    } else {
        if one_of(&mut rest, "Tt").is_none() {
            one_of(&mut rest, " \t")?;
            rest = rest.trim_start_matches([' ', '\t']);
        }
        Some(time(rest)?)
    };
    Some(Timestamp {
        year: i32::try_from(year).ok()?,
        month,
        day,
        time,
        is_padded,
    })
}

fn time(mut rest: &str) -> Option<Time> {
    let hour = digits(&mut rest, 1, 2)?;
    one_of(&mut rest, ":")?;
    let minute = digits(&mut rest, 2, 2)?;
    one_of(&mut rest, ":")?;
    let second = digits(&mut rest, 2, 2)?;
    let mut micros = 0;
    if one_of(&mut rest, ".").is_some() {
        let after = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        let fraction = rest[..rest.len() - after.len()].bytes();
        let padded = fraction.chain(std::iter::repeat(b'0')).take(6);
        micros = padded.fold(0, |sum, byte| sum * 10 + u32::from(byte - b'0'));
        rest = after;
    }
    let offset = if rest.is_empty() {
        None
    } else {
        Some(offset(rest.trim_start_matches([' ', '\t']))?)
    };
    Some(Time {
        hour,
        minute,
        second,
        micros,
        offset,
    })
}

fn offset(mut rest: &str) -> Option<i32> {
    let sign = match one_of(&mut rest, "Z+-")? {
        'Z' => 0,
        '+' => 1,
        _ => -1,
    };
    let mut seconds = 0;
    if sign != 0 {
        seconds = digits(&mut rest, 1, 2)? * 3600;
        if one_of(&mut rest, ":").is_some() {
            seconds += digits(&mut rest, 2, 2)? * 60;
        }
    }
    let seconds = i32::try_from(seconds).ok()?;
    rest.is_empty().then_some(sign * seconds)
}

/// Takes the digits that a text begins with: at least `least`, and no more than `most`.
fn digits(rest: &mut &str, least: usize, most: usize) -> Option<u32> {
    let count = rest
        .bytes()
        .take(most)
        .take_while(u8::is_ascii_digit)
        .count();
    let (digits, after) = rest.split_at(count);
    *rest = after;
    (count >= least).then(|| digits.parse().ok()).flatten()
}

/// Takes the first character of a text if it is one of those wanted.
fn one_of(rest: &mut &str, wanted: &str) -> Option<char> {
    let c = rest.chars().next().filter(|&c| wanted.contains(c))?;
    *rest = &rest[c.len_utf8()..];
    Some(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timestamps_are_read() {
        for (text, expected) in [
            ("2026-01-02", "2026-01-02"),
            ("2026-1-2", "2026-01-02"),
            ("0001-01-01\n", "0001-01-01"),
            ("2026-1-2 3:04:05", "2026-01-02 03:04:05"),
            ("2026-01-02t03:04:05.5", "2026-01-02 03:04:05.500000"),
            ("2026-01-02 \t 03:04:05.", "2026-01-02 03:04:05"),
            (
                "2026-01-02T03:04:05.1234567Z",
                "2026-01-02 03:04:05.123456+00:00",
            ),
            ("2026-01-02 03:04:05 -5:30", "2026-01-02 03:04:05-05:30"),
            ("2026-01-02 03:04:05+23:59", "2026-01-02 03:04:05+23:59"),
            ("2026-01-02 03:04:05+01:99", "2026-01-02 03:04:05+02:39"),
            ("2026-01-02 03:04:05-7", "2026-01-02 03:04:05-07:00"),
        ] {
            let value = read(text).unwrap().unwrap();
            assert_eq!(value.to_str(), expected, "{text:?}");
        }
    }

    #[test]
    fn what_is_no_timestamp_is_none() {
        for text in [
            "",
            "2026",
            "26-01-02",
            "2026-01",
            "2026-01-023",
            "2026-01-02 ",
            "2026-01-02T",
            "2026-01-02 03:04",
            "2026-01-02 03:4:05",
            "2026-01-02 03:04:05 ",
            "2026-01-02 03:04:05 UTC",
            "2026-01-02 03:04:05+1:2",
            "2026-01-02 03:04:05z",
            "２026-01-02",
            "2026-01-02\n\n",
        ] {
            assert!(read(text).is_none(), "{text:?}");
        }
    }

    #[test]
    fn days_that_do_not_exist_are_errors() {
        for text in [
            "0000-01-01",
            "2026-13-01",
            "2026-02-29",
            "2026-00-01",
            "2026-01-02 24:00:00",
            "2026-01-02 00:60:00",
            "2026-01-02 00:00:60",
            "2026-01-02 00:00:00+24",
            "2026-01-02 00:00:00-23:60",
        ] {
            assert!(read(text).unwrap().is_err(), "{text:?}");
        }
    }
}

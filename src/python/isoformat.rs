//! `datetime.fromisoformat` and `isoformat`, as far as session files need them.

use chrono::{FixedOffset, NaiveDate, NaiveDateTime, NaiveTime};

use super::value::Value;

/// Reads a date and time as Python 3.11's `datetime.fromisoformat` does; `None` where it raises.
///
/// Dates are `YYYY-MM-DD`, `YYYYMMDD` or ISO weeks; any one character separates the time, which is
/// extended or basic, with a fraction of any length (cut to microseconds) and an optional offset.
#[must_use]
pub fn parse(text: &str) -> Option<Value> {
    let (date, length) = date(text)?;
    let rest = &text[length..];
    let Some(separator) = rest.chars().next() else {
        return Some(Value::DateTime(
            NaiveDateTime::new(date, NaiveTime::MIN),
            None,
        ));
    };
    let time_text = &rest[separator.len_utf8()..];
    if time_text.is_empty() {
        return None;
    }
    let (clock, offset) = match time_text.find(['+', '-', 'Z']) {
        Some(at) => (&time_text[..at], Some(offset(&time_text[at..])?)),
        None => (time_text, None),
    };
    Some(Value::DateTime(
        NaiveDateTime::new(date, time(clock)?),
        offset,
    ))
}

/// Writes a date and time as `isoformat()` does; other values as `str` writes them.
#[must_use]
pub fn write(value: &Value) -> String {
    match value {
        Value::DateTime(..) => value.to_str().replacen(' ', "T", 1),
        other => other.to_str(),
    }
}

fn digits(text: &str, range: std::ops::Range<usize>) -> Option<u32> {
    let part = text.get(range)?;
    if part.is_empty() || !part.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    part.parse().ok()
}

fn date(text: &str) -> Option<(NaiveDate, usize)> {
    let year = i32::try_from(digits(text, 0..4)?).ok().filter(|&y| y > 0)?;
    let dashed = text.as_bytes().get(4) == Some(&b'-');
    let at = if dashed { 5 } else { 4 };
    if text.as_bytes().get(at) == Some(&b'W') {
        let week = digits(text, at + 1..at + 3)?;
        let day_at = at + 3 + usize::from(dashed);
        let has_dash = text.as_bytes().get(at + 3) == Some(&b'-');
        let day = (!dashed || has_dash)
            .then(|| digits(text, day_at..day_at + 1))
            .flatten();
        let (day, length) = day.map_or((1, at + 3), |day| (day, day_at + 1));
        let weekday = chrono::Weekday::try_from(u8::try_from(day.checked_sub(1)?).ok()?).ok()?;
        return NaiveDate::from_isoywd_opt(year, week, weekday).map(|date| (date, length));
    }
    let month = digits(text, at..at + 2)?;
    let day_at = at + 2 + usize::from(dashed);
    if dashed && text.as_bytes().get(at + 2) != Some(&b'-') {
        return None;
    }
    let day = digits(text, day_at..day_at + 2)?;
    NaiveDate::from_ymd_opt(year, month, day).map(|date| (date, day_at + 2))
}

fn time(text: &str) -> Option<NaiveTime> {
    let (clock, fraction) = match text.find(['.', ',']) {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    };
    let parts: Vec<&str> = if clock.contains(':') {
        clock.split(':').collect()
    } else {
        (0..clock.len())
            .step_by(2)
            .map(|at| clock.get(at..at + 2))
            .collect::<Option<_>>()?
    };
    if parts.is_empty() || parts.len() > 3 || parts.iter().any(|part| part.len() != 2) {
        return None;
    }
    let part = |index: usize| parts.get(index).map_or(Some(0), |text| digits(text, 0..2));
    let micros = match fraction {
        None => 0,
        Some(_) if parts.len() < 3 => return None,
        Some(fraction) => {
            digits(fraction, 0..fraction.len().min(6))?;
            if !fraction.bytes().all(|b| b.is_ascii_digit()) {
                return None;
            }
            format!("{fraction:0<6}").get(..6)?.parse().ok()?
        }
    };
    NaiveTime::from_hms_micro_opt(part(0)?, part(1)?, part(2)?, micros)
}

fn offset(text: &str) -> Option<FixedOffset> {
    if text == "Z" {
        return FixedOffset::east_opt(0);
    }
    let sign = if text.starts_with('-') { -1 } else { 1 };
    let clock = time(text.get(1..)?)?;
    let seconds = chrono::Timelike::num_seconds_from_midnight(&clock);
    FixedOffset::east_opt(sign * i32::try_from(seconds).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_python_reads_is_written_back_as_python_writes_it() {
        for (text, written) in [
            ("2026-06-10T08:00:00", "2026-06-10T08:00:00"),
            ("2026-06-10 08:00", "2026-06-10T08:00:00"),
            ("2026-06-10", "2026-06-10T00:00:00"),
            ("20260610T080000", "2026-06-10T08:00:00"),
            ("2026-06-10T08:00:00.5", "2026-06-10T08:00:00.500000"),
            (
                "2026-06-10T08:00:00.123456789Z",
                "2026-06-10T08:00:00.123456+00:00",
            ),
            ("2026-06-10T08:00:00+05:30", "2026-06-10T08:00:00+05:30"),
            ("2026-06-10T08-0130", "2026-06-10T08:00:00-01:30"),
            ("2026-W24-3T08:00", "2026-06-10T08:00:00"),
        ] {
            let value = parse(text).unwrap_or_else(|| panic!("{text} is not read"));
            assert_eq!(write(&value), written, "{text}");
        }
    }

    #[test]
    fn what_python_refuses_is_refused() {
        for text in [
            "",
            "2026",
            "2026-13-01",
            "2026-06-31",
            "2026-06-10T",
            "2026-06-10T25:00",
            "2026-06-10T8:00",
            "June 10",
            "2026-0610",
            "2026-06-10T08:00:00.",
            "2026-06-10Tx",
            "2026-06-10T08:00:00+",
            "2026-06-10T08:00é",
        ] {
            assert_eq!(parse(text), None, "{text:?}");
        }
    }
}

//! The type of a text without quotes, by YAML 1.1.

use super::node::Tag;
use super::timestamp;

/// Finds the type of a text that has no tag and no quotes.
pub(super) fn resolve(text: &str) -> Tag {
    // The patterns of the rules end in `$`, which stands before a last LF too. Only a quoted text
    // with the tag `!` can end in one.
    let body = text.strip_suffix('\n').unwrap_or(text);
    match text.chars().next() {
        None => Tag::Null,
        Some('~' | 'n' | 'N') if matches!(body, "~" | "null" | "Null" | "NULL") => Tag::Null,
        Some('y' | 'Y' | 'n' | 'N' | 't' | 'T' | 'f' | 'F' | 'o' | 'O') if is_bool(body) => {
            Tag::Bool
        }
        Some('-' | '+' | '.' | '0'..='9') => number(body),
        Some('<') if body == "<<" => Tag::Merge,
        Some('=') if body == "=" => Tag::Value,
        Some('!' | '&' | '*') if body.len() == 1 => Tag::Other("tag:yaml.org,2002:yaml".into()),
        _ => Tag::Str,
    }
}

#[rustfmt::skip]
fn is_bool(text: &str) -> bool {
    matches!(
        text,
        "yes" | "Yes" | "YES" | "no" | "No" | "NO"
            | "true" | "True" | "TRUE" | "false" | "False" | "FALSE"
            | "on" | "On" | "ON" | "off" | "Off" | "OFF"
    )
}

fn number(text: &str) -> Tag {
    if is_float(text) {
        Tag::Float
    } else if is_int(text) {
        Tag::Int
    } else if timestamp::is_implicit(text) {
        Tag::Timestamp
    } else {
        Tag::Str
    }
}

fn is_float(text: &str) -> bool {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    if matches!(unsigned, ".inf" | ".Inf" | ".INF") || matches!(text, ".nan" | ".NaN" | ".NAN") {
        return true;
    }
    if let Some(fraction) = text.strip_prefix('.') {
        return begins_with_digit(fraction) && is_exponent_or_empty(after_digits(fraction));
    }
    if !begins_with_digit(unsigned) {
        return false;
    }
    let whole = after_digits(unsigned);
    let (rest, sexagesimal) = after_sexagesimals(whole);
    match rest.strip_prefix('.').map(after_digits) {
        None => false,
        Some(rest) if sexagesimal => rest.is_empty(),
        Some(rest) => is_exponent_or_empty(rest),
    }
}

fn is_int(text: &str) -> bool {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let digits = |digits: &str, allowed: fn(char) -> bool| {
        !digits.is_empty() && digits.chars().all(|c| c == '_' || allowed(c))
    };
    if let Some(rest) = unsigned.strip_prefix("0b") {
        digits(rest, |c| c.is_digit(2))
    } else if let Some(rest) = unsigned.strip_prefix("0x") {
        digits(rest, |c| c.is_ascii_hexdigit())
    } else if let Some(rest) = unsigned.strip_prefix('0') {
        rest.is_empty() || digits(rest, |c| c.is_digit(8))
    } else {
        begins_with_digit(unsigned) && after_sexagesimals(after_digits(unsigned)).0.is_empty()
    }
}

fn begins_with_digit(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit())
}

/// Gives what follows the digits and underscores that a text begins with.
fn after_digits(text: &str) -> &str {
    text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '_')
}

/// Gives what follows groups such as `:59`, and whether there is any.
fn after_sexagesimals(text: &str) -> (&str, bool) {
    let mut rest = text;
    while let Some(group) = rest.strip_prefix(':') {
        let after = group.trim_start_matches(|c: char| c.is_ascii_digit());
        let digits = &group[..group.len() - after.len()];
        if !(digits.len() == 1 || digits.len() == 2 && digits < "60") {
            break;
        }
        rest = after;
    }
    (rest, rest.len() < text.len())
}

fn is_exponent_or_empty(text: &str) -> bool {
    let Some(exponent) = text.strip_prefix(['e', 'E']) else {
        return text.is_empty();
    };
    exponent.strip_prefix(['-', '+']).is_some_and(|digits| {
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_have_the_types_of_yaml_1_1() {
        let other = || Tag::Other("tag:yaml.org,2002:yaml".into());
        for (tag, texts) in [
            (Tag::Null, "|~|null|Null|NULL|~\n"),
            (
                Tag::Bool,
                "yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|OFF|on\n",
            ),
            (
                Tag::Int,
                "0|-0|+7|12_3|1_|0b1|-0b1_0|0b_|017|0_|00|0x1F|+0x_|1:30|-190:20:30|1:59:5|7\n",
            ),
            (
                Tag::Float,
                "1.|1.5|-1_0.5_|1.e+5|1.5E-7|.5|.5_0|.5e+1|-.inf|+.Inf|.INF|.nan|.NaN|0:30.|1:30.5_|08.5",
            ),
            (
                Tag::Timestamp,
                "2026-01-02|2026-1-2 3:04:05|2026-01-02T03:04:05Z|2026-01-02\n",
            ),
            (Tag::Merge, "<<|<<\n"),
            (Tag::Value, "=|=\n"),
            (
                Tag::Str,
                "nul|nULL|y|n|yEs|tRue| true|1e5|1.5e5|-.5|+.5e+1|-.nan|.|-|+|08|0o7|0xg|1:60|1:5:|1::5|0:30|1:30.5e+1|_1|._5|2026-1-2|<|==|\n|2026-01-02 ",
            ),
        ] {
            for text in texts.split('|') {
                assert_eq!(resolve(text), tag, "{text:?}");
            }
        }
        for text in ["!", "&", "*", "*\n"] {
            assert_eq!(resolve(text), other());
        }
    }
}

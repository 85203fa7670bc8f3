//! The values of single nodes: numbers, truth values and bytes.
//!
//! With a tag any text can claim to be one of these, so that most of Python's own conversions
//! show: where they raise, the loader lets the exception out.

use num_bigint::{BigInt, Sign};

use crate::python::number::{self, decimal_digit};

/// What a conversion raises: the class of the exception, and our words for it.
pub(super) type Raised = (&'static str, &'static str);

const NO_DIGITS: Raised = ("IndexError", "a number without digits");
const NO_NUMBER: Raised = ("ValueError", "this is no number");

/// Reads a truth value; `None` where Python raises `KeyError`.
pub(super) fn bool(text: &str) -> Option<bool> {
    match text.to_lowercase().as_str() {
        "yes" | "true" | "on" => Some(true),
        "no" | "false" | "off" => Some(false),
        _ => None,
    }
}

/// Reads a whole number: decimal, binary, octal, hexadecimal or to the base of sixty.
pub(super) fn int(text: &str) -> Result<BigInt, Raised> {
    let text = text.replace('_', "");
    let (negative, digits) = split_sign(&text)?;
    let value = if digits == "0" {
        Some(BigInt::ZERO)
    } else if let Some(digits) = digits.strip_prefix("0b") {
        radix_int(digits, 2)
    } else if let Some(digits) = digits.strip_prefix("0x") {
        radix_int(digits, 16)
    } else if digits.is_empty() {
        return Err(NO_DIGITS);
    } else if digits.starts_with('0') {
        radix_int(digits, 8)
    } else if digits.contains(':') {
        digits
            .split(':')
            .map(number::int)
            .collect::<Option<_>>()
            .map(sexagesimal)
    } else {
        number::int(digits)
    };
    let value = value.ok_or(NO_NUMBER)?;
    Ok(if negative { -value } else { value })
}

/// Reads a float.
pub(super) fn float(text: &str) -> Result<f64, Raised> {
    let text = text.replace('_', "").to_lowercase();
    let (negative, digits) = split_sign(&text)?;
    let value = match digits {
        ".inf" => f64::INFINITY,
        // Python loses the sign of this one, which has no meaning anyway.
        ".nan" => f64::NAN,
        _ if digits.contains(':') => {
            let parts = digits
                .split(':')
                .map(plain_float)
                .collect::<Option<Vec<_>>>();
            sexagesimal_float(&parts.ok_or(NO_NUMBER)?)?
        }
        _ => plain_float(digits).ok_or(NO_NUMBER)?,
    };
    Ok(if negative { -value } else { value })
}

/// Tells whether a float is the loader's own NaN, which is one object however often it is written.
pub(super) fn is_own_nan(text: &str) -> bool {
    let text = text.replace('_', "").to_lowercase();
    matches!(split_sign(&text), Ok((_, ".nan")))
}

/// Decodes base 64 as `base64.decodebytes` does; `None` where it raises.
///
/// Characters that do not belong there are passed over, and all after a full padding.
pub(super) fn base64(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let mut bits = 0_u32;
    let mut count = 0;
    let mut pads = 0;
    for byte in text.bytes() {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            b'=' if count >= 2 => {
                pads += 1;
                if count + pads >= 4 {
                    return Some(bytes);
                }
                continue;
            }
            _ => continue,
        };
        pads = 0;
        bits = bits << 6 | u32::from(value);
        count = (count + 1) % 4;
        if count != 1 {
            let shift = [0, 0, 4, 2][count];
            bytes.extend(u8::try_from(bits >> shift & 0xFF));
        }
    }
    (count == 0).then_some(bytes)
}

/// Splits a sign off a text, which must not be empty.
fn split_sign(text: &str) -> Result<(bool, &str), Raised> {
    match text.chars().next() {
        None => Err(NO_DIGITS),
        Some('-') => Ok((true, &text[1..])),
        Some('+') => Ok((false, &text[1..])),
        Some(_) => Ok((false, text)),
    }
}

/// Reads a number as `int(text, radix)` does, underscores aside.
fn radix_int(text: &str, radix: u32) -> Option<BigInt> {
    let text = text.trim();
    let (negative, digits) = split_sign(text).ok()?;
    let prefix = match radix {
        2 => ["0b", "0B"],
        8 => ["0o", "0O"],
        _ => ["0x", "0X"],
    };
    let digits = prefix
        .iter()
        .find_map(|prefix| digits.strip_prefix(prefix))
        .unwrap_or(digits);
    let values = digits.chars().map(|c| {
        let value = decimal_digit(c).or_else(|| u8::try_from(c.to_digit(16)?).ok());
        value.filter(|&value| u32::from(value) < radix)
    });
    let values = values.collect::<Option<Vec<u8>>>()?;
    if values.is_empty() {
        return None;
    }
    let sign = if negative { Sign::Minus } else { Sign::Plus };
    BigInt::from_radix_be(sign, &values, radix)
}

/// Puts numbers to the base of sixty together.
///
/// Neighbours are joined in pairs, so that a very long number does not take a very long time.
fn sexagesimal(mut parts: Vec<BigInt>) -> BigInt {
    let mut base = BigInt::from(60);
    parts.reverse();
    while parts.len() > 1 {
        parts = parts
            .chunks(2)
            .map(|pair| match pair {
                [low, high] => high * &base + low,
                rest => rest.iter().sum(),
            })
            .collect();
        base = &base * &base;
    }
    parts.into_iter().sum()
}

/// Puts floats to the base of sixty together, with Python's rounding.
fn sexagesimal_float(parts: &[f64]) -> Result<f64, Raised> {
    let mut base = BigInt::from(1);
    let mut value = 0.0;
    for part in parts.iter().rev() {
        let factor = base.to_string().parse::<f64>().unwrap_or(f64::INFINITY);
        if factor.is_infinite() {
            return Err(("OverflowError", "a number of too many parts"));
        }
        value += part * factor;
        base *= 60;
    }
    Ok(value)
}

/// Reads a float as `float(text)` does, underscores aside.
fn plain_float(text: &str) -> Option<f64> {
    let text = text.trim();
    if text.is_ascii() {
        return text.parse().ok();
    }
    let ascii = |c| decimal_digit(c).map_or(c, |digit| char::from(b'0' + digit));
    text.chars().map(ascii).collect::<String>().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_are_read_as_pyyaml_reads_them() {
        for (text, value) in [
            ("0", 0),
            ("-0", 0),
            ("+1_2", 12),
            ("0b1_01", 5),
            ("-0x1F", -31),
            ("017", 15),
            ("0_", 0),
            ("0\n", 0),
            ("0o17", 15),
            ("0b0b11", 3),
            ("0x-f", -15),
            ("1:30", 90),
            ("-190:20:30", -685_230),
            ("1:2:3:4:5", 13_403_045),
            ("1:-5", 55),
            ("--5", 5),
            (" 7 ", 7),
            ("４", 4),
        ] {
            assert_eq!(int(text), Ok(BigInt::from(value)), "{text:?}");
        }
        for (text, class) in [
            ("", "IndexError"),
            ("_", "IndexError"),
            ("-", "IndexError"),
            ("x", "ValueError"),
            ("08", "ValueError"),
            ("0b", "ValueError"),
            ("0x_", "ValueError"),
            ("0bx", "ValueError"),
            ("1:", "ValueError"),
            ("1.5", "ValueError"),
        ] {
            assert_eq!(int(text).unwrap_err().0, class, "{text:?}");
        }
        assert!(int(&"9".repeat(4301)).is_err());
        assert!(int(&format!("0x{}", "f".repeat(5000))).is_ok());
    }

    #[test]
    fn long_numbers_to_the_base_of_sixty_are_quick() {
        let value = int(&format!("1{}", ":0".repeat(100_000))).unwrap();
        assert_eq!(value, BigInt::from(60).pow(100_000));
    }

    #[test]
    fn floats_are_read_as_pyyaml_reads_them() {
        for (text, value) in [
            ("1.5", 1.5),
            ("-1_0.5", -10.5),
            ("1.E+2", 100.0),
            ("-.INF", f64::NEG_INFINITY),
            ("1:30.5", 90.5),
            ("190:20:30.15", 685_230.15),
            ("infinity", f64::INFINITY),
            (" 1\n", 1.0),
            ("１.5", 1.5),
            ("1e400", f64::INFINITY),
        ] {
            assert_eq!(float(text), Ok(value), "{text:?}");
        }
        assert!(float("-.nan").is_ok_and(f64::is_nan));
        assert!(float("nan").is_ok_and(f64::is_nan));
        assert!(float("-0.0").is_ok_and(f64::is_sign_negative));
        for (text, class) in [
            ("", "IndexError"),
            ("_", "IndexError"),
            ("-", "ValueError"),
            ("x", "ValueError"),
            ("1:x", "ValueError"),
        ] {
            assert_eq!(float(text).unwrap_err().0, class, "{text:?}");
        }
        assert!(float(&format!("1{}", ":0".repeat(173))).is_ok());
        assert_eq!(
            float(&format!("1{}", ":0".repeat(174))).unwrap_err().0,
            "OverflowError"
        );
        assert!(is_own_nan("-.N_aN"));
        assert!(!is_own_nan("nan"));
    }

    #[test]
    fn truth_values_have_any_case() {
        assert_eq!(bool("yEs"), Some(true));
        assert_eq!(bool("OFF"), Some(false));
        assert_eq!(bool("y"), None);
        assert_eq!(bool("true\n"), None);
    }

    #[test]
    fn base_64_is_decoded_as_leniently_as_in_python() {
        for (text, bytes) in [
            ("", Some(&b""[..])),
            ("aGk=", Some(b"hi")),
            ("a G\nk*=", Some(b"hi")),
            ("aGk=aGk=", Some(b"hi")),
            ("aA==", Some(b"h")),
            ("aA=b", None),
            ("aA=bc", Some(b"h\x06\xdc")),
            ("=aGlo", Some(b"hih")),
            ("aGk", None),
            ("a", None),
            ("aA", None),
            ("aA=", None),
            ("/+8=", Some(b"\xff\xef")),
        ] {
            assert_eq!(base64(text).as_deref(), bytes, "{text:?}");
        }
    }
}

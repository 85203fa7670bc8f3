//! Python's `int()` over text, and how Python writes a float.

use num_bigint::BigInt;

/// The most digits that Python reads or writes as a decimal integer (`sys.int_info`).
pub const MAX_DIGITS: usize = 4300;

/// Reads a decimal integer as `int(text)` does; `None` where Python raises `ValueError`.
///
/// Blanks around it (but not U+001C to U+001F, unlike `str.strip`), a sign, single underscores
/// between digits and the decimal digits of every script are accepted; more than [`MAX_DIGITS`]
/// digits are not.
#[must_use]
pub fn int(text: &str) -> Option<BigInt> {
    let text = text.trim();
    let (negative, digits) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    let mut plain = String::with_capacity(digits.len() + 1);
    if negative {
        plain.push('-');
    }
    let mut after_digit = false;
    let mut count = 0;
    for c in digits.chars() {
        if let Some(digit) = decimal_digit(c) {
            plain.push(char::from(b'0' + digit));
            after_digit = true;
            count += 1;
        } else if c == '_' && after_digit {
            after_digit = false;
        } else {
            return None;
        }
    }
    if !after_digit || count > MAX_DIGITS {
        return None;
    }
    plain.parse().ok()
}

/// Gives the value of a decimal digit of any script (Unicode category Nd).
///
/// Every such script has its ten digits in a row, so the zeros are enough.
#[must_use]
pub fn decimal_digit(c: char) -> Option<u8> {
    if c.is_ascii() {
        return c.to_digit(10).and_then(|d| u8::try_from(d).ok());
    }
    let code = c as u32;
    let at = ZEROS.partition_point(|&zero| zero <= code);
    let value = code - ZEROS.get(at.checked_sub(1)?)?;
    u8::try_from(value).ok().filter(|&v| v < 10)
}

/// The zero of every decimal script besides ASCII (Unicode 15.0, as in Python 3.12), in order.
const ZEROS: [u32; 67] = [
    0x0660, 0x06F0, 0x07C0, 0x0966, 0x09E6, 0x0A66, 0x0AE6, 0x0B66, 0x0BE6, 0x0C66, 0x0CE6, 0x0D66,
    0x0DE6, 0x0E50, 0x0ED0, 0x0F20, 0x1040, 0x1090, 0x17E0, 0x1810, 0x1946, 0x19D0, 0x1A80, 0x1A90,
    0x1B50, 0x1BB0, 0x1C40, 0x1C50, 0xA620, 0xA8D0, 0xA900, 0xA9D0, 0xA9F0, 0xAA50, 0xABF0, 0xFF10,
    0x104A0, 0x10D30, 0x11066, 0x110F0, 0x11136, 0x111D0, 0x112F0, 0x11450, 0x114D0, 0x11650,
    0x116C0, 0x11730, 0x118E0, 0x11950, 0x11C50, 0x11D50, 0x11DA0, 0x11F50, 0x16A60, 0x16AC0,
    0x16B50, 0x1D7CE, 0x1D7D8, 0x1D7E2, 0x1D7EC, 0x1D7F6, 0x1E140, 0x1E2F0, 0x1E4F0, 0x1E950,
    0x1FBF0,
];

/// Writes a float as Python's `repr` does: the shortest text that reads back the same.
#[must_use]
pub fn float_repr(value: f64) -> String {
    if value.is_nan() {
        return "nan".into();
    }
    if value.is_infinite() {
        return if value > 0.0 { "inf" } else { "-inf" }.into();
    }
    let scientific = shortest(value);
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if !(-4..16).contains(&exponent) {
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{mantissa}e{sign}{:02}", exponent.abs());
    }
    let (sign, digits) = match mantissa.strip_prefix('-') {
        Some(digits) => ("-", digits.replace('.', "")),
        None => ("", mantissa.replace('.', "")),
    };
    match usize::try_from(exponent) {
        Ok(exponent) if exponent + 1 < digits.len() => {
            let (whole, fraction) = digits.split_at(exponent + 1);
            format!("{sign}{whole}.{fraction}")
        }
        Ok(exponent) => format!("{sign}{digits:0<width$}.0", width = exponent + 1),
        Err(_) => {
            let zeros = "0".repeat(exponent.unsigned_abs() as usize - 1);
            format!("{sign}0.{zeros}{digits}")
        }
    }
}

/// Writes a float with as few digits as read back the same, as "d.ddde-N".
///
/// Where two such texts are equally near, Rust takes the upper one and Python the even one.
fn shortest(value: f64) -> String {
    let upper = format!("{value:e}");
    let mantissa = upper.bytes().take_while(|&byte| byte != b'e');
    let digits = mantissa.filter(u8::is_ascii_digit).count();
    let even = format!("{value:.*e}", digits - 1);
    if even.parse() == Ok(value) {
        even
    } else {
        upper
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn int_takes_what_python_takes() {
        for (text, value) in [
            ("0", 0),
            (" 2 \n", 2),
            ("+1", 1),
            ("-5", -5),
            ("1_0", 10),
            ("007", 7),
            ("\u{3000}4\u{85}", 4),
            ("４", 4),
            ("１_۲", 12),
        ] {
            assert_eq!(int(text), Some(BigInt::from(value)), "{text:?}");
        }
        for text in [
            "",
            " ",
            "abc",
            "2.0",
            "1__0",
            "_1",
            "1_",
            "- 1",
            "+-1",
            "0x1",
            "²",
            "½",
            "\u{1c}4",
            "\u{1f}４",
        ] {
            assert_eq!(int(text), None, "{text:?}");
        }
        assert!(int(&"9".repeat(MAX_DIGITS)).is_some());
        assert_eq!(int(&"9".repeat(MAX_DIGITS + 1)), None);
    }

    #[test]
    fn the_zeros_are_in_order() {
        assert!(ZEROS.is_sorted());
        assert_eq!(decimal_digit('\u{1FBF9}'), Some(9));
        assert_eq!(decimal_digit('\u{1FBFA}'), None);
    }

    #[test]
    fn floats_are_written_as_python_writes_them() {
        for (value, text) in [
            (1.0, "1.0"),
            (-0.0, "-0.0"),
            (0.1, "0.1"),
            (1e15, "1000000000000000.0"),
            (1e16, "1e+16"),
            (1.5e300, "1.5e+300"),
            (0.0001, "0.0001"),
            (0.00001, "1e-05"),
            (123_456.789, "123456.789"),
            (2_f64.powi(49) + 0.25, "562949953421312.2"),
            (-2_f64.powi(49) - 0.75, "-562949953421312.8"),
            (5e-324, "5e-324"),
            (9_007_199_254_740_993.0, "9007199254740992.0"),
            (120.0, "120.0"),
            (-0.025, "-0.025"),
            (f64::INFINITY, "inf"),
            (f64::NEG_INFINITY, "-inf"),
            (f64::NAN, "nan"),
        ] {
            assert_eq!(float_repr(value), text);
        }
    }
}

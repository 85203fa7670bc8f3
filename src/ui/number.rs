//! Numbers as people read them: grouped by thousands, shares, changes and bars.

use crate::budget::share;
use crate::display::sanitize::Symbols;

/// Writes a count with its thousands set apart.
pub fn grouped(count: usize) -> String {
    let digits = count.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Writes a number that may be less than nothing with commas between its thousands.
pub fn grouped_signed(count: i64) -> String {
    let size = grouped(usize::try_from(count.unsigned_abs()).unwrap_or(usize::MAX));
    if count < 0 { format!("-{size}") } else { size }
}

/// Writes a change with its sign.
pub fn change(by: i64) -> String {
    let size = grouped(usize::try_from(by.unsigned_abs()).unwrap_or(usize::MAX));
    match by {
        0 => "±0".to_owned(),
        1.. => format!("+{size}"),
        _ => format!("−{size}"),
    }
}

/// Writes a number's share of its budget in percent.
///
/// It is rounded down, so that 100% never stands where the budget is not used up.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a share is not negative, and a huge one may be cut"
)]
pub fn percent(used: usize, budget: usize) -> String {
    format!("{}%", (share(used, budget) * 100.0).floor() as u64)
}

/// Draws a bar: full cells and the cells left empty. Anything above 0 shows at least one.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "a bar is a few cells wide"
)]
pub fn bar(share: f64, width: usize, symbols: Symbols) -> (String, String) {
    let full = (share.clamp(0.0, 1.0) * width as f64).round() as usize;
    let full = if share > 0.0 { full.max(1) } else { 0 }.min(width);
    let (mark, empty) = match symbols {
        Symbols::Unicode => ("█", "░"),
        Symbols::Ascii => ("#", "."),
    };
    (mark.repeat(full), empty.repeat(width - full))
}

/// Draws a line of numbers, from the lowest to the highest of them.
pub fn sparkline(numbers: &[usize], symbols: Symbols) -> String {
    const STEPS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    const ASCII: [char; 8] = ['_', '_', '.', '.', '-', '-', '=', '#'];
    let steps = match symbols {
        Symbols::Unicode => STEPS,
        Symbols::Ascii => ASCII,
    };
    let low = numbers.iter().min().copied().unwrap_or(0);
    let span = numbers.iter().max().copied().unwrap_or(0) - low;
    numbers
        .iter()
        .map(|number| steps[((number - low) * 7).checked_div(span).unwrap_or(3)])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_numbers_goes_from_the_lowest_to_the_highest() {
        assert_eq!(sparkline(&[10, 17, 13], Symbols::Unicode), "▁█▄");
        assert_eq!(sparkline(&[5, 5], Symbols::Unicode), "▄▄");
        assert_eq!(sparkline(&[0, 1], Symbols::Ascii), "_#");
        assert_eq!(sparkline(&[], Symbols::Unicode), "");
    }

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1000), "1,000");
        assert_eq!(grouped(1_234_567), "1,234,567");
        assert_eq!(change(1234), "+1,234");
        assert_eq!(change(-5), "−5");
        assert_eq!(change(0), "±0");
    }

    #[test]
    fn a_share_is_never_rounded_up_to_the_whole() {
        assert_eq!(percent(999, 1000), "99%");
        assert_eq!(percent(1000, 1000), "100%");
        assert_eq!(percent(5, 0), "100%");
    }

    #[test]
    fn a_bar_shows_the_smallest_share_and_ends_at_the_whole() {
        let bar = |share| bar(share, 4, Symbols::Ascii);
        assert_eq!(bar(0.0), (String::new(), "....".into()));
        assert_eq!(bar(0.001), ("#".into(), "...".into()));
        assert_eq!(bar(7.0), ("####".into(), String::new()));
    }
}

//! Colours: their names, and which of a few looks most like one.

use ratatui::style::Color;

/// Is red, green and blue.
pub(super) type Rgb = [u8; 3];

/// The sixteen colours that every terminal has, with their names in a theme and the shade that a
/// terminal has them in until its owner chooses others.
pub(super) const ANSI: [(&str, Color, Rgb); 16] = [
    ("black", Color::Black, [0, 0, 0]),
    ("red", Color::Red, [205, 0, 0]),
    ("green", Color::Green, [0, 205, 0]),
    ("yellow", Color::Yellow, [205, 205, 0]),
    ("blue", Color::Blue, [0, 0, 238]),
    ("magenta", Color::Magenta, [205, 0, 205]),
    ("cyan", Color::Cyan, [0, 205, 205]),
    ("white", Color::Gray, [229, 229, 229]),
    ("bright_black", Color::DarkGray, [127, 127, 127]),
    ("bright_red", Color::LightRed, [255, 0, 0]),
    ("bright_green", Color::LightGreen, [0, 255, 0]),
    ("bright_yellow", Color::LightYellow, [255, 255, 0]),
    ("bright_blue", Color::LightBlue, [92, 92, 255]),
    ("bright_magenta", Color::LightMagenta, [255, 0, 255]),
    ("bright_cyan", Color::LightCyan, [0, 255, 255]),
    ("bright_white", Color::White, [255, 255, 255]),
];

/// Where the colours begin that no terminal's owner changes.
const FIXED: u8 = 16;
/// The six steps of each side of the colour cube.
const CUBE: [u8; 6] = [0, 95, 135, 175, 215, 255];
/// The least colourfulness that is seen as a colour rather than as grey.
const COLOURFUL: f64 = 0.045;

/// Reads a colour that needs no palette: `#rrggbb`, a name of the sixteen, a number, `default`.
pub(super) fn read(text: &str) -> Option<Color> {
    if text == "default" {
        return Some(Color::Reset);
    }
    if let Some(digits) = text.strip_prefix('#') {
        let is_hex = digits.len() == 6 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        return is_hex
            .then(|| u32::from_str_radix(digits, 16).ok())
            .flatten()
            .map(Color::from_u32);
    }
    let named = ANSI.iter().find(|(name, ..)| *name == text);
    named.map(|(_, color, _)| *color).or_else(|| {
        let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        is_number
            .then(|| text.parse().ok())
            .flatten()
            .map(Color::Indexed)
    })
}

/// Gives the shade of a colour, where it does not depend on the terminal.
pub(super) fn fixed(color: Color) -> Option<Rgb> {
    match color {
        Color::Rgb(red, green, blue) => Some([red, green, blue]),
        Color::Indexed(index) => indexed(index),
        _ => None,
    }
}

fn indexed(index: u8) -> Option<Rgb> {
    let place = index.checked_sub(FIXED)?;
    if index >= 232 {
        return Some([8 + 10 * (index - 232); 3]);
    }
    let step = |step: u8| CUBE[usize::from(step % 6)];
    Some([step(place / 36), step(place / 6), step(place)])
}

/// Finds the most similar of the 240 indexed colours that look the same everywhere.
///
/// Lightness counts double, because it is what letters are read by.
pub(super) fn nearest_indexed(rgb: Rgb) -> Color {
    let wanted = Oklab::of(rgb);
    let distance = |index: u8| {
        indexed(index).map_or(f64::INFINITY, |candidate| {
            wanted.distance(Oklab::of(candidate), 2.0)
        })
    };
    let nearest = (FIXED..=u8::MAX).min_by(|a, b| distance(*a).total_cmp(&distance(*b)));
    Color::Indexed(nearest.unwrap_or(FIXED))
}

/// Finds the most similar of the sixteen colours among those that `allowed` admits.
///
/// A colour goes by its hue and a grey by its lightness: the sixteen are so bright that the nearest
/// to every calm colour would be a grey, and what counts here is to tell colours apart.
pub(super) fn nearest_ansi(rgb: Rgb, allowed: impl Fn(Color) -> bool) -> Color {
    let wanted = Oklab::of(rgb);
    let distance = |shade: Rgb| {
        let candidate = Oklab::of(shade);
        if candidate.is_colourful() != wanted.is_colourful() {
            f64::INFINITY
        } else if wanted.is_colourful() {
            wanted.hue().distance(candidate.hue(), 0.25)
        } else {
            wanted.distance(candidate, 1.0)
        }
    };
    ANSI.iter()
        .filter(|(_, color, _)| allowed(*color))
        .min_by(|(.., a), (.., b)| distance(*a).total_cmp(&distance(*b)))
        .map_or(Color::Reset, |(_, color, _)| *color)
}

/// Is a colour in Björn Ottosson's Oklab space, where distance is difference as people see it.
#[derive(Clone, Copy, Debug)]
struct Oklab {
    lightness: f64,
    green_red: f64,
    blue_yellow: f64,
}

impl Oklab {
    fn of(rgb: Rgb) -> Self {
        let [red, green, blue] = rgb.map(linear);
        let cone = |of_red: f64, of_green: f64, of_blue: f64| {
            (of_red * red + of_green * green + of_blue * blue).cbrt()
        };
        let long = cone(0.412_221_470_8, 0.536_332_536_3, 0.051_445_992_9);
        let medium = cone(0.211_903_498_2, 0.680_699_545_1, 0.107_396_956_6);
        let short = cone(0.088_302_461_9, 0.281_718_837_6, 0.629_978_700_5);
        Self {
            lightness: 0.210_454_255_3 * long + 0.793_617_785 * medium - 0.004_072_046_8 * short,
            green_red: 1.977_998_495_1 * long - 2.428_592_205 * medium + 0.450_593_709_9 * short,
            blue_yellow: 0.025_904_037_1 * long + 0.782_771_766_2 * medium - 0.808_675_766 * short,
        }
    }

    fn colourfulness(self) -> f64 {
        self.green_red.hypot(self.blue_yellow)
    }

    fn is_colourful(self) -> bool {
        self.colourfulness() >= COLOURFUL
    }

    /// Makes the colour as pure as any other, so that only hue and lightness tell them apart.
    fn hue(self) -> Self {
        let colourfulness = self.colourfulness();
        Self {
            green_red: self.green_red / colourfulness,
            blue_yellow: self.blue_yellow / colourfulness,
            ..self
        }
    }

    /// Measures the squared difference, with lightness counting as much as said.
    fn distance(self, other: Self, weight: f64) -> f64 {
        weight * (self.lightness - other.lightness).powi(2)
            + (self.green_red - other.green_red).powi(2)
            + (self.blue_yellow - other.blue_yellow).powi(2)
    }
}

/// Undoes the curve that screens have; 0 is no light and 1 all of it.
pub(super) fn linear(channel: u8) -> f64 {
    let value = f64::from(channel) / 255.0;
    if value <= 0.040_45 {
        value / 12.92
    } else {
        ((value + 0.055) / 1.055).powf(2.4)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_read_in_every_form() {
        assert_eq!(read("#1a2B3c"), Some(Color::Rgb(0x1a, 0x2b, 0x3c)));
        assert_eq!(read("white"), Some(Color::Gray));
        assert_eq!(read("bright_white"), Some(Color::White));
        assert_eq!(read("208"), Some(Color::Indexed(208)));
        assert_eq!(read("default"), Some(Color::Reset));
        for wrong in [
            "", "#", "#fff", "#12345g", "#+12345", "256", "+5", "-1", "Red", "grey",
        ] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn an_indexed_colour_is_nearest_to_itself() {
        for index in FIXED..=u8::MAX {
            let shade = indexed(index).unwrap();
            let Color::Indexed(found) = nearest_indexed(shade) else {
                panic!("{index} is not indexed any more");
            };
            assert_eq!(indexed(found), Some(shade), "{index}");
        }
    }

    #[test]
    fn the_sixteen_are_nearest_to_themselves() {
        for (name, color, shade) in ANSI {
            assert_eq!(nearest_ansi(shade, |_| true), color, "{name}");
        }
    }

    #[test]
    fn calm_colours_keep_their_hue() {
        let any = |color| color != Color::Blue;
        assert_eq!(nearest_ansi([0xe8, 0x87, 0x8f], any), Color::LightRed);
        assert_eq!(nearest_ansi([0xdb, 0xb2, 0x70], any), Color::Yellow);
        assert_eq!(nearest_ansi([0x98, 0xc3, 0x8a], any), Color::Green);
        assert_eq!(nearest_ansi([0x7d, 0xa6, 0xf0], any), Color::LightBlue);
        assert_eq!(nearest_ansi([0x90, 0x95, 0xa0], any), Color::DarkGray);
    }
}

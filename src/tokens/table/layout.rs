//! The layout of a vocabulary's table, which the build script writes and the program reads.
//!
//! Tokens of one length make one group, and each group is a perfect hash table: a token's hash picks
//! a bucket, the bucket's pilot turns the hash into the one record where the token can be. So there
//! is nothing to probe, no length to store, and a group's records are all of one size.
//!
//! A table holds, one after the other: the [`Group`] of each length, 1 to [`LONGEST`]; the rank of
//! each pair of bytes; the seams; the traces; the groups' pilots and records; and [`WORD`] bytes so that
//! every record can be read as words. A rank takes [`RANK_BYTES`] bytes and follows its token in a record.
//! All numbers are little-endian.

/// The length of the longest token, in bytes.
pub const LONGEST: usize = 128;
/// How many bytes a group's description takes.
pub const GROUP_BYTES: usize = 16;
/// How many bytes a rank takes.
pub const RANK_BYTES: usize = 3;
/// The rank of what is no token: above every rank, and positive with a byte more below it.
pub const NO_RANK: i32 = 0x7F_FFFF;
/// Where the ranks of pairs of bytes begin.
pub const PAIRS_AT: usize = LONGEST * GROUP_BYTES;
/// Where the seams begin, a set of bits.
pub const SEAMS_AT: usize = PAIRS_AT + (1 << 16) * RANK_BYTES;
/// Where the traces of all tokens begin, a set of bits.
pub const TRACES_AT: usize = SEAMS_AT + (1 << (SEAM_BITS - 3));
/// Where the pilots and records begin.
pub const GROUPS_AT: usize = TRACES_AT + (1 << (TRACE_BITS - 3));
/// How many bytes are read at once.
pub const WORD: usize = 8;

/// The set of seams has two to the power of this many bits, one in 25 of them set at most.
const SEAM_BITS: u32 = 18;
/// The set of traces has two to the power of this many bits, one in five of them set at most.
const TRACE_BITS: u32 = 20;

const FIRST_KEY: u64 = 0x9E37_79B9_7F4A_7C15;
const LAST_KEY: u64 = 0xD1B5_4A32_D192_ED03;
const PILOT_KEY: u64 = 0xA24B_AED4_963E_E407;
const PLACE_KEY: u64 = 0x9FB2_1C65_1E98_DF25;

/// Where the tokens of one length are in a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Group {
    /// Where the pilots begin.
    pub pilots_at: u32,
    /// How many pilots there are.
    pub buckets: u32,
    /// Where the records begin.
    pub records_at: u32,
    /// How many records there are.
    pub records: u32,
}

/// The first and the last bytes of a token as numbers.
///
/// Two tokens of the same length, two words at most, are the same if their ends are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ends(u64, u64);

impl Ends {
    /// Reads the ends of the token that begins a text and has so many bytes.
    ///
    /// What follows the token is masked off, so that short tokens need no branches by length.
    #[inline]
    #[must_use]
    pub fn of(ahead: &[u8], length: usize) -> Self {
        if length > WORD {
            let last = length - WORD;
            return Self(word(ahead), ahead.get(last..).map_or(0, word));
        }
        let unused = 8 * (WORD - length);
        let mask = u64::MAX.checked_shr(u32::try_from(unused).unwrap_or(u32::MAX));
        Self(word(ahead) & mask.unwrap_or_default(), 0)
    }

    /// Hashes the token that begins a text, given with its ends.
    #[inline]
    #[must_use]
    pub fn hash(self, ahead: &[u8], length: usize) -> u64 {
        let mut first = self.0;
        if length > 2 * WORD {
            let (words, _) = ahead.get(..length).unwrap_or_default().as_chunks();
            for middle in words.iter().skip(1) {
                first = folded(first ^ FIRST_KEY, u64::from_le_bytes(*middle) ^ LAST_KEY);
            }
        }
        folded(first ^ FIRST_KEY, self.1 ^ LAST_KEY)
    }
}

/// Reads a word, with zeros beyond the end.
#[inline]
fn word(bytes: &[u8]) -> u64 {
    if let Some(&word) = bytes.first_chunk::<WORD>() {
        return u64::from_le_bytes(word);
    }
    let rest = bytes.iter().rev();
    rest.fold(0, |word, &byte| word << 8 | u64::from(byte))
}

/// Gives the bucket of a hash.
#[inline]
#[must_use]
pub fn bucket(hash: u64, buckets: u32) -> u64 {
    scaled(hash, buckets)
}

/// Gives the record of a hash, which its bucket's pilot decides.
#[inline]
#[must_use]
pub fn record(hash: u64, pilot: u16, records: u32) -> u64 {
    let turned = hash ^ u64::from(pilot).wrapping_mul(PILOT_KEY);
    scaled(turned.wrapping_mul(PLACE_KEY), records)
}

/// What a token has on the two sides of a seam, the place where one character ends and the next
/// begins, both beyond ASCII.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seam {
    /// Two bytes or more on both sides.
    Inside,
    /// One byte before it.
    NearStart,
    /// One byte after it.
    NearEnd,
}

/// Gives the byte and the bit of the seams that stand for the two bytes before and after a seam, of
/// which only those count that the token has.
#[inline]
#[must_use]
pub fn seam(kind: Seam, around: [u8; 4]) -> (usize, u8) {
    let around = u32::from_le_bytes(around);
    let (salt, bytes) = match kind {
        Seam::Inside => (0, around),
        Seam::NearStart => (1 << 32, around >> 8),
        Seam::NearEnd => (2 << 32, around & 0xFF_FFFF),
    };
    let hash = (salt | u64::from(bytes)).wrapping_mul(PLACE_KEY);
    bit(hash >> (u64::BITS - SEAM_BITS))
}

/// Gives the byte and the bit of the traces that stand for a token's hash.
#[inline]
#[must_use]
pub fn trace(hash: u64) -> (usize, u8) {
    bit(hash & ((1 << TRACE_BITS) - 1))
}

#[inline]
fn bit(number: u64) -> (usize, u8) {
    let bit = 1 << (number % 8);
    (usize::try_from(number / 8).unwrap_or_default(), bit)
}

/// Brings a hash below a number by its upper half.
#[inline]
fn scaled(hash: u64, below: u32) -> u64 {
    ((hash >> 32) * u64::from(below)) >> 32
}

#[inline]
fn folded(a: u64, b: u64) -> u64 {
    let (low, high) = a.carrying_mul(b, 0);
    low ^ high
}

//! Lays a vocabulary out as perfect hash tables, one for each length of token.

use std::cmp::Reverse;
use std::error::Error;

use super::layout::{self, Ends, Group, Seam};

/// Smaller buckets are placed faster, larger ones need fewer pilots.
const TOKENS_PER_BUCKET: usize = 5;
/// One record in so many stays free: without any, the last tokens would be hard to place.
const TOKENS_PER_FREE_RECORD: usize = 32;
/// How often a group may grow before the hash itself must be at fault.
const ATTEMPTS: usize = 32;

type Token = (Vec<u8>, u32);

/// Makes the table of a vocabulary's tokens and their ranks.
pub fn table(tokens: &[Token]) -> Result<Vec<u8>, Box<dyn Error>> {
    if tokens.iter().filter(|(token, _)| token.len() == 1).count() != 256 {
        return Err("every byte must be a token of its own".into());
    }
    let mut groups: Vec<Vec<&Token>> = vec![Vec::new(); layout::LONGEST + 1];
    for token in tokens {
        let group = groups.get_mut(token.0.len());
        let group = group.ok_or("a token is longer than the layout allows")?;
        group.push(token);
    }
    let mut table = vec![0; layout::GROUPS_AT];
    for (length, group) in groups.iter().enumerate() {
        if group.is_empty() {
            continue;
        }
        let group = add_group(group, &mut table)?;
        let numbers = [
            group.pilots_at,
            group.buckets,
            group.records_at,
            group.records,
        ];
        let numbers = numbers.map(u32::to_le_bytes).concat();
        let at = (length - 1) * layout::GROUP_BYTES;
        table[at..at + layout::GROUP_BYTES].copy_from_slice(&numbers);
    }
    set_pairs(groups.get(2).ok_or("no pairs")?, &mut table);
    set_seams(tokens, &mut table);
    for (token, _) in tokens {
        let (byte, bit) = layout::trace(hash(token));
        table[layout::TRACES_AT + byte] |= bit;
    }
    table.extend([0; layout::WORD]);
    Ok(table)
}

/// Writes the rank of each pair of bytes.
fn set_pairs(tokens: &[&Token], table: &mut [u8]) {
    let [a, b, c, _] = layout::NO_RANK.to_le_bytes();
    let (ranks, _) = table[layout::PAIRS_AT..layout::SEAMS_AT].as_chunks_mut();
    ranks.fill([a, b, c]);
    for (bytes, rank) in tokens {
        let index = usize::from(u16::from_le_bytes([bytes[0], bytes[1]]));
        let at = layout::PAIRS_AT + index * layout::RANK_BYTES;
        table[at..at + layout::RANK_BYTES].copy_from_slice(&rank_bytes(*rank));
    }
}

/// Marks every seam that a token of more than two bytes reaches across.
fn set_seams(tokens: &[Token], table: &mut [u8]) {
    for (token, _) in tokens {
        for at in 1..token.len() {
            if token[at - 1] < 0x80 || token[at] < 0xC0 {
                continue;
            }
            let byte = |at: Option<usize>| at.and_then(|at| token.get(at)).copied();
            let before = byte(at.checked_sub(2));
            let after = byte(Some(at + 1));
            let kind = match (before, after) {
                (Some(_), Some(_)) => Seam::Inside,
                (None, Some(_)) => Seam::NearStart,
                (Some(_), None) => Seam::NearEnd,
                (None, None) => continue,
            };
            let around = [
                before.unwrap_or_default(),
                token[at - 1],
                token[at],
                after.unwrap_or_default(),
            ];
            let (byte, bit) = layout::seam(kind, around);
            table[layout::SEAMS_AT + byte] |= bit;
        }
    }
}

fn rank_bytes(rank: u32) -> [u8; layout::RANK_BYTES] {
    let [a, b, c, _] = rank.to_le_bytes();
    [a, b, c]
}

/// Adds the pilots and records of the tokens of one length.
fn add_group(tokens: &[&Token], table: &mut Vec<u8>) -> Result<Group, Box<dyn Error>> {
    let (pilots, records) = placed(tokens)?;
    let pilots_at = table.len();
    for pilot in &pilots {
        table.extend(pilot.to_le_bytes());
    }
    let records_at = table.len();
    for &record in &records {
        // A free record holds some token again: looked up, that token is found where it belongs.
        let (bytes, rank) = record.or(tokens.first().copied()).ok_or("no token")?;
        table.extend(bytes);
        table.extend(rank_bytes(*rank));
    }
    Ok(Group {
        pilots_at: u32::try_from(pilots_at)?,
        buckets: u32::try_from(pilots.len())?,
        records_at: u32::try_from(records_at)?,
        records: u32::try_from(records.len())?,
    })
}

type Placed<'a> = (Vec<u16>, Vec<Option<&'a Token>>);

/// Finds pilots that give every token a record of its own.
fn placed<'a>(tokens: &[&'a Token]) -> Result<Placed<'a>, Box<dyn Error>> {
    if tokens.is_empty() {
        return Ok((Vec::new(), Vec::new()));
    }
    let mut buckets: Vec<Vec<(u64, &Token)>> =
        vec![Vec::new(); tokens.len().div_ceil(TOKENS_PER_BUCKET)];
    let bucket_count = u32::try_from(buckets.len())?;
    for &token in tokens {
        let hash = hash(&token.0);
        buckets[usize::try_from(layout::bucket(hash, bucket_count))?].push((hash, token));
    }
    let mut records = tokens.len();
    for _ in 0..ATTEMPTS {
        records += tokens.len().div_ceil(TOKENS_PER_FREE_RECORD);
        if let Some(placed) = placed_among(&buckets, u32::try_from(records)?) {
            return Ok(placed);
        }
    }
    Err(format!(
        "{} tokens of length {} cannot be placed",
        tokens.len(),
        tokens[0].0.len()
    )
    .into())
}

fn placed_among<'a>(buckets: &[Vec<(u64, &'a Token)>], count: u32) -> Option<Placed<'a>> {
    let mut pilots = vec![0; buckets.len()];
    let mut records = vec![None; usize::try_from(count).ok()?];
    // The largest buckets are the hardest to place, so they come while there is room.
    let mut order: Vec<usize> = (0..buckets.len()).collect();
    order.sort_by_key(|&bucket| (Reverse(buckets[bucket].len()), bucket));
    let mut places = Vec::new();
    for bucket in order {
        let tokens = &buckets[bucket];
        pilots[bucket] = (0..=u16::MAX).find(|&pilot| {
            places.clear();
            tokens.iter().all(|&(hash, _)| {
                usize::try_from(layout::record(hash, pilot, count)).is_ok_and(|place| {
                    let free = records[place].is_none() && !places.contains(&place);
                    places.push(place);
                    free
                })
            })
        })?;
        for (&place, &(_, token)) in places.iter().zip(tokens) {
            records[place] = Some(token);
        }
    }
    Some((pilots, records))
}

fn hash(token: &[u8]) -> u64 {
    Ends::of(token, token.len()).hash(token, token.len())
}

//! Merging of long pieces, by a heap of pairs, so that the time hardly grows faster than the piece.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::pair_rank;
use crate::tokens::table::vocabulary::{NO_RANK, Vocabulary};

/// The parts of a long piece.
#[derive(Debug)]
pub struct Long {
    nodes: Vec<Node>,
    /// The ranks and starts of pairs. One that has changed since is passed over.
    heap: Vec<Reverse<(i32, usize)>>,
}

/// A part of a long piece, at the index where it starts.
#[derive(Debug)]
struct Node {
    /// Where the part before starts.
    before: usize,
    /// Where the part ends.
    end: usize,
    /// The rank of the part joined with the one after it.
    rank: i32,
}

impl Long {
    /// Makes no room yet.
    pub fn new() -> Self {
        Self {
            nodes: Vec::new(),
            heap: Vec::new(),
        }
    }

    /// Splits the piece that begins a text and has so many bytes; calls for the length of each of
    /// its tokens, in order.
    pub fn split(
        &mut self,
        vocabulary: Vocabulary,
        ahead: &[u8],
        length: usize,
        mut each: impl FnMut(usize),
    ) {
        let nodes = &mut self.nodes;
        nodes.clear();
        nodes.extend((0..length).map(|start| Node {
            before: start.wrapping_sub(1),
            end: start + 1,
            rank: pair_rank(vocabulary, ahead, start, length),
        }));
        let mut heap = std::mem::take(&mut self.heap);
        heap.clear();
        heap.extend(
            nodes
                .iter()
                .zip(0..)
                .filter(|(node, _)| node.rank != NO_RANK)
                .map(|(node, start)| Reverse((node.rank, start))),
        );
        let mut heap = BinaryHeap::from(heap);
        while let Some(Reverse((least, start))) = heap.pop() {
            let Some(&Node { before, end, rank }) = nodes.get(start) else {
                continue;
            };
            if rank != least {
                continue;
            }
            let Some(gone) = nodes.get_mut(end) else {
                continue;
            };
            let end = gone.end;
            gone.rank = NO_RANK;
            let mut join = |start: usize, end: usize| {
                let rank = ahead.get(start..);
                let rank = rank.map_or(NO_RANK, |ahead| vocabulary.rank(ahead, end - start));
                if rank != NO_RANK {
                    heap.push(Reverse((rank, start)));
                }
                rank
            };
            let rank = nodes.get_mut(end).map_or(NO_RANK, |after| {
                after.before = start;
                join(start, after.end)
            });
            if let Some(node) = nodes.get_mut(start) {
                *node = Node { before, end, rank };
            }
            // Before the first part there is none: its number is beyond all.
            if let Some(node) = nodes.get_mut(before) {
                node.rank = join(before, end);
            }
        }
        self.heap = heap.into_vec();
        let mut start = 0;
        while let Some(node) = self.nodes.get(start) {
            each(node.end - start);
            start = node.end;
        }
    }
}

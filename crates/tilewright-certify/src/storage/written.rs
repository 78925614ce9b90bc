//! Which bytes of an object were written: one bit per byte.
//!
//! A word of bits stands for 64 bytes, so that a scratchpad of a megabyte is made in the time that
//! filling 128 kB takes, and a load or store looks at one word, or two where it is not aligned.

use crate::storage::spare::Spare;
use std::ops::Range;

/// Bits behind the last byte are never set.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Written {
    words: Vec<u64>,
    bytes: usize,
}

/// The word that holds a byte's bit, and the bits of so many bytes from it on, 64 at most, in it and
/// in the next one.
#[inline(always)]
fn masks(offset: usize, size: usize) -> (usize, u64, u64) {
    let all = u64::MAX >> (64 - size);
    let bit = (offset % 64) as u32;
    (offset / 64, all << bit, (all >> 1) >> (63 - bit))
}

impl Written {
    /// Of so many bytes none is written.
    pub fn none(bytes: usize, spare: &Spare<u64>) -> Written {
        let words = spare.take(bytes.div_ceil(64));
        Written { words, bytes }
    }

    /// All of them are.
    pub fn all(bytes: usize) -> Written {
        let words = vec![0; bytes.div_ceil(64)];
        let mut written = Written { words, bytes };
        written.set(0..bytes);
        written
    }

    /// Gives the memory back.
    pub fn end(self, spare: &Spare<u64>) {
        spare.give(self.words);
    }

    /// Forgets all writes.
    pub fn clear(&mut self) {
        self.words.fill(0);
    }

    /// Whether all of 1 to 8 bytes are written, all of them inside the object.
    #[inline(always)]
    pub fn has(&self, offset: usize, size: usize) -> bool {
        let (at, first, second) = masks(offset, size);
        self.words[at] & first == first && (second == 0 || self.words[at + 1] & second == second)
    }

    /// Writes 1 to 64 bytes.
    #[inline(always)]
    pub fn write(&mut self, offset: usize, size: usize) {
        let (at, first, second) = masks(offset, size);
        self.words[at] |= first;
        if second != 0 {
            self.words[at + 1] |= second;
        }
    }

    /// Writes all bytes of a range.
    pub fn set(&mut self, range: Range<usize>) {
        pieces(range).for_each(|(offset, size)| self.write(offset, size));
    }

    /// Whether all bytes of a range are written.
    pub fn is_set(&self, range: Range<usize>) -> bool {
        pieces(range).all(|(offset, size)| self.has(offset, size))
    }

    /// Which bytes of a range are written.
    pub fn flags(&self, range: Range<usize>) -> Vec<bool> {
        range.map(|byte| self.has(byte, 1)).collect()
    }

    /// Writes and forgets bytes from an offset on.
    pub fn copy(&mut self, offset: usize, flags: &[bool]) {
        for (byte, is_written) in (offset..self.bytes).zip(flags) {
            let bit = 1 << (byte % 64);
            if *is_written {
                self.words[byte / 64] |= bit;
            } else {
                self.words[byte / 64] &= !bit;
            }
        }
    }
}

/// A range as pieces of 1 to 64 bytes that each lie in one word: where they begin, their sizes.
fn pieces(range: Range<usize>) -> impl Iterator<Item = (usize, usize)> {
    let Range { mut start, end } = range;
    std::iter::from_fn(move || {
        let size = (64 - start % 64).min(end.checked_sub(start)?);
        let piece = (size > 0).then_some((start, size));
        start += size;
        piece
    })
}

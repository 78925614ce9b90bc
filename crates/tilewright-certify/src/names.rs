//! Maps from names, which are looked up once for each word of a text.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// A hash that is quick for short words. Nobody chooses names to make it slow but whoever waits for it.
#[derive(Clone, Copy, Default)]
pub(crate) struct Quick(u64);

/// From Fowler, Noll and Vo's FNV-1a, here for eight bytes at a time.
const PRIME: u64 = 0x0100_0000_01b3;
const BASIS: u64 = 0xcbf2_9ce4_8422_2325;

impl Hasher for Quick {
    fn write(&mut self, bytes: &[u8]) {
        for part in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..part.len()].copy_from_slice(part);
            let mixed = (self.0 ^ BASIS ^ u64::from_le_bytes(word)).wrapping_mul(PRIME);
            // Upper bits say which bucket.
            self.0 = mixed ^ (mixed >> 29);
        }
    }

    fn finish(&self) -> u64 {
        self.0.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

pub(crate) type Names<K, T> = HashMap<K, T, BuildHasherDefault<Quick>>;
pub(crate) type NameSet<K> = HashSet<K, BuildHasherDefault<Quick>>;

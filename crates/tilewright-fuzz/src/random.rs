//! Numbers at random that come back with their seed.

/// A generator after Steele, Lea and Flood, "Fast splittable pseudorandom number generators"
/// (OOPSLA 2014).
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The numbers of one program: `seed` is that of the run, `index` the program's number in it.
    pub fn new(seed: u64, index: u64) -> Random {
        let mut random = Random {
            state: seed.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ index,
        };
        random.state = random.bits().wrapping_add(index << 20);
        random
    }

    /// 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `limit`; 0 where there is none.
    pub fn below(&mut self, limit: usize) -> usize {
        let limit = limit.max(1) as u64;
        (self.bits() % limit) as usize
    }

    /// A number of `low..=high`; `low` where that is empty.
    pub fn range(&mut self, low: i64, high: i64) -> i64 {
        let width = high.saturating_sub(low).saturating_add(1).max(1);
        low + (self.bits() % width as u64) as i64
    }

    /// True in so many of a hundred cases.
    pub fn percent(&mut self, chance: u64) -> bool {
        self.bits() % 100 < chance
    }

    /// One of several, each as likely as the others.
    ///
    /// # Panics
    /// If there are none.
    pub fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }

    /// One of several by their weights.
    ///
    /// # Panics
    /// If there are none.
    pub fn weighted<T: Clone>(&mut self, of: &[(u64, T)]) -> T {
        let total: u64 = of.iter().map(|(weight, _)| weight).sum();
        let mut left = self.bits() % total.max(1);
        for (weight, value) in of {
            if left < *weight {
                return value.clone();
            }
            left -= weight;
        }
        of[0].1.clone()
    }
}

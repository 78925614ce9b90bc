//! Sets of stages as bits: what groups and states of the search are made of.

use crate::planner::overlap::grouping::GroupingError;
use std::ops::{BitAnd, BitOr, BitOrAssign, Sub};

/// A set of stage numbers below [`StageSet::CAPACITY`].
///
/// Copied, compared and hashed as four words: the search holds and looks up very many of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StageSet {
    words: [u64; WORDS],
}

const WORDS: usize = 4;
const BITS: usize = u64::BITS as usize;

impl StageSet {
    /// How many stages can be told apart.
    pub const CAPACITY: usize = WORDS * BITS;

    /// The set without stages.
    pub const EMPTY: StageSet = StageSet { words: [0; WORDS] };

    /// The set of these stages.
    ///
    /// # Errors
    /// [`GroupingError::TooManyStages`] for a stage number that is not below the capacity.
    pub fn of(stages: impl IntoIterator<Item = usize>) -> Result<StageSet, GroupingError> {
        let mut set = StageSet::EMPTY;
        for stage in stages {
            if stage >= StageSet::CAPACITY {
                return Err(GroupingError::TooManyStages { stages: stage + 1 });
            }
            set |= StageSet::single(stage);
        }
        Ok(set)
    }

    /// The set of one stage, which is below the capacity (the empty set if it is not).
    pub(crate) fn single(stage: usize) -> StageSet {
        let mut set = StageSet::EMPTY;
        if let Some(word) = set.words.get_mut(stage / BITS) {
            *word = 1 << (stage % BITS);
        }
        set
    }

    /// The stages `0..count`, up to the capacity.
    pub(crate) fn below(count: usize) -> StageSet {
        let mut set = StageSet::EMPTY;
        for (number, word) in set.words.iter_mut().enumerate() {
            *word = match count.saturating_sub(number * BITS) {
                0 => 0,
                some if some < BITS => (1 << some) - 1,
                _ => u64::MAX,
            };
        }
        set
    }

    /// Whether `stage` is in the set.
    #[must_use]
    pub fn contains(&self, stage: usize) -> bool {
        let word = self.words.get(stage / BITS);
        word.is_some_and(|word| word >> (stage % BITS) & 1 == 1)
    }

    /// The number of stages in the set.
    #[must_use]
    pub fn len(&self) -> usize {
        self.words.iter().map(|w| w.count_ones() as usize).sum()
    }

    /// Whether no stage is in the set.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == StageSet::EMPTY
    }

    /// Whether every stage of this set is in `other`.
    #[must_use]
    pub fn is_subset(&self, other: &StageSet) -> bool {
        let mut words = self.words.iter().zip(&other.words);
        words.all(|(mine, theirs)| mine & !theirs == 0)
    }

    /// Whether some stage is in both sets.
    #[must_use]
    pub fn intersects(&self, other: &StageSet) -> bool {
        let mut words = self.words.iter().zip(&other.words);
        words.any(|(mine, theirs)| mine & theirs != 0)
    }

    /// The smallest stage number.
    #[must_use]
    pub fn first(&self) -> Option<usize> {
        let number = self.words.iter().position(|&word| word != 0)?;
        Some(number * BITS + self.words[number].trailing_zeros() as usize)
    }

    /// The greatest stage number.
    #[must_use]
    pub fn last(&self) -> Option<usize> {
        let number = self.words.iter().rposition(|&word| word != 0)?;
        Some(number * BITS + BITS - 1 - self.words[number].leading_zeros() as usize)
    }

    /// The stages, smallest number first; `rev` gives consumers before producers.
    #[must_use]
    pub fn iter(&self) -> Stages {
        Stages { left: *self }
    }

    /// A number that differs between different sets but for a chance of 2^-128. Those of disjoint
    /// groups may be added to one for a grouping, whatever the order of its groups.
    pub(crate) fn fingerprint(&self) -> u128 {
        let half = |seed: u64| {
            let mixed = self.words.iter().fold(seed, |mixed, &word| {
                // The finaliser of SplitMix64 (Steele, Lea & Flood, OOPSLA 2014).
                let mut z = (mixed ^ word).wrapping_add(0x9e37_79b9_7f4a_7c15);
                z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
                z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
                z ^ (z >> 31)
            });
            u128::from(mixed)
        };
        half(1) << 64 | half(2)
    }

    fn zip(self, other: StageSet, operation: impl Fn(u64, u64) -> u64) -> StageSet {
        let mut words = self.words;
        for (mine, theirs) in words.iter_mut().zip(other.words) {
            *mine = operation(*mine, theirs);
        }
        StageSet { words }
    }
}

impl BitOr for StageSet {
    type Output = StageSet;

    fn bitor(self, other: StageSet) -> StageSet {
        self.zip(other, |mine, theirs| mine | theirs)
    }
}

impl BitOrAssign for StageSet {
    fn bitor_assign(&mut self, other: StageSet) {
        *self = *self | other;
    }
}

impl BitAnd for StageSet {
    type Output = StageSet;

    fn bitand(self, other: StageSet) -> StageSet {
        self.zip(other, |mine, theirs| mine & theirs)
    }
}

impl Sub for StageSet {
    type Output = StageSet;

    fn sub(self, other: StageSet) -> StageSet {
        self.zip(other, |mine, theirs| mine & !theirs)
    }
}

impl IntoIterator for &StageSet {
    type Item = usize;
    type IntoIter = Stages;

    fn into_iter(self) -> Stages {
        self.iter()
    }
}

/// The stages of a set, in ascending order.
#[derive(Clone, Debug)]
pub struct Stages {
    left: StageSet,
}

impl Iterator for Stages {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let stage = self.left.first()?;
        self.left = self.left - StageSet::single(stage);
        Some(stage)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left.len(), Some(self.left.len()))
    }
}

impl DoubleEndedIterator for Stages {
    fn next_back(&mut self) -> Option<usize> {
        let stage = self.left.last()?;
        self.left = self.left - StageSet::single(stage);
        Some(stage)
    }
}

impl ExactSizeIterator for Stages {}

//! Sizes for lines that were never reached: conditions that lead to them are brought to go the other
//! way. How far one is from that is seen when the result is executed; how much that changes with a
//! size, by executing it for two sizes. No more is known of the result than what it did.

use crate::run::sides::{Sides, leads};
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

/// Sizes, and how far a condition was from going the other way.
type Seen = (Vec<i64>, u64);

/// What is remembered of a condition.
const MOST_SEEN: usize = 24;
/// How far a size is moved to see what it does: so far that quotients by 16 change.
const STEP: i64 = 16;
/// How much farther, where nothing changed.
const FARTHER: i64 = 4;
/// Sizes in one go.
const MOST: usize = 4;
/// Sizes beyond are not executed in time.
const LARGEST: i64 = 5000;

/// Conditions of a result, and sizes to be tried.
#[derive(Debug, Default)]
pub(crate) struct Targets {
    /// Jumps with the lines to which they lead.
    leads: Vec<(usize, Option<u32>, Option<u32>)>,
    seen: HashMap<usize, Vec<Seen>>,
    /// Jumps that went both ways.
    done: HashSet<usize>,
    offered: HashSet<Vec<i64>>,
    waiting: VecDeque<Vec<i64>>,
}

impl Targets {
    pub fn new(program: &crate::program::Program) -> Targets {
        Targets {
            leads: leads(program),
            ..Targets::default()
        }
    }

    /// What an execution for these sizes did. `missing`: whether a line was never reached.
    pub fn learn(&mut self, sizes: &[i64], sides: &Sides, missing: &dyn Fn(u32) -> bool) {
        self.offered.insert(sizes.to_vec());
        for &(at, taken, passed) in &self.leads {
            let side = sides.0[at];
            if side.taken && side.passed {
                self.done.insert(at);
            }
            let other = match (side.taken, side.passed) {
                (true, false) => passed,
                (false, true) => taken,
                _ => None,
            };
            if self.done.contains(&at) || !other.is_some_and(missing) || side.distance > 1 << 40 {
                continue;
            }
            let seen = self.seen.entry(at).or_default();
            if seen.iter().any(|(known, _)| known == sizes) {
                continue;
            }
            seen.push((sizes.to_vec(), side.distance));
            // The nearest is what is started from, the latest differ from it in one size.
            if seen.len() > MOST_SEEN {
                seen[..MOST_SEEN].sort_by_key(|(_, distance)| *distance);
                seen.remove(MOST_SEEN - 1);
            }
        }
    }

    /// The next sizes to be tried.
    pub fn next(&mut self, missing: &dyn Fn(u32) -> bool) -> Option<Vec<i64>> {
        if self.waiting.is_empty() {
            self.look(missing);
        }
        self.waiting.pop_front()
    }

    fn look(&mut self, missing: &dyn Fn(u32) -> bool) {
        // Sizes by how many conditions ask for them.
        let mut found: BTreeMap<Vec<i64>, usize> = BTreeMap::new();
        // What conditions ask for that were seen for the same sizes, together: inner ones often ask
        // the same of another size.
        let mut joint: BTreeMap<Vec<i64>, (Vec<i64>, usize)> = BTreeMap::new();
        for &(at, taken, passed) in &self.leads {
            let Some(seen) = self.seen.get(&at) else {
                continue;
            };
            let wanted = taken.is_some_and(missing) || passed.is_some_and(missing);
            if self.done.contains(&at) || !wanted {
                continue;
            }
            let Some((from, distance)) = seen.iter().min_by_key(|(_, distance)| *distance) else {
                continue;
            };
            // Several sizes may have to grow together, each to what the levels of a pyramid halve.
            let together = from
                .iter()
                .map(|size| (size + STEP).max(2 * size))
                .collect();
            let mut known = false;
            for p in 0..from.len() {
                let mut sizes = from.clone();
                sizes[p] += match slope(seen, from, *distance, p) {
                    // Quotients stay the same for a while.
                    Some((0, by)) => by.abs().max(STEP).saturating_mul(FARTHER),
                    // Distance per step.
                    Some((less, _)) => {
                        known = true;
                        let distance = i64::try_from(*distance).unwrap_or(i64::MAX);
                        let by = distance.saturating_mul(STEP).checked_div(less).unwrap_or(0);
                        by + by.signum()
                    }
                    None => STEP,
                };
                if known {
                    let (all, asked) = joint
                        .entry(from.clone())
                        .or_insert_with(|| (from.clone(), 0));
                    all[p] = all[p].max(sizes[p]);
                    *asked += 1;
                }
                *found.entry(sizes).or_default() += 1;
            }
            if !known && from.len() > 1 {
                *found.entry(together).or_default() += 1;
            }
        }
        for (from, (sizes, asked)) in joint {
            let changed = sizes.iter().zip(&from).filter(|(a, b)| a != b).count();
            if changed > 1 {
                *found.entry(sizes).or_default() += asked;
            }
        }
        let fits = |sizes: &[i64]| sizes.iter().all(|size| (-100..=LARGEST).contains(size));
        found.retain(|sizes, _| fits(sizes) && !self.offered.contains(sizes));
        let mut found: Vec<(Vec<i64>, usize)> = found.into_iter().collect();
        let sum = |sizes: &[i64]| sizes.iter().map(|s| s.unsigned_abs()).sum::<u64>();
        found.sort_by_key(|(sizes, asked)| (Reverse(*asked), sum(sizes)));
        found.truncate(MOST);
        for (sizes, _) in found {
            self.offered.insert(sizes.clone());
            self.waiting.push_back(sizes);
        }
    }
}

/// By how much the distance falls when one size grows by a step, and by how much it was moved to see
/// that; `None` where nothing says so.
fn slope(seen: &[Seen], from: &[i64], distance: u64, p: usize) -> Option<(i64, i64)> {
    let others = seen.iter().filter(|(sizes, _)| {
        let mut pairs = sizes.iter().zip(from).enumerate();
        pairs.all(|(at, (a, b))| (at == p) != (a == b))
    });
    let slopes = others.filter_map(|(sizes, other)| {
        let by = sizes[p] - from[p];
        let less = i64::try_from(distance).ok()? - i64::try_from(*other).ok()?;
        Some((less.checked_mul(STEP)?.checked_div(by)?, by))
    });
    slopes.max_by_key(|(less, by)| (*less != 0, *by))
}

#[cfg(test)]
mod tests;

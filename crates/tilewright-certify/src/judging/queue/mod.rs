//! In which order inputs are tried: small ones first, those that take long once the others are done.

use crate::judging::inputs::{Input, Inputs};
use crate::judging::targets::Targets;
use crate::judging::trial::{Pair, Trial};
use std::collections::HashMap;

/// An input takes at most such a part of all instructions, while there are others.
const PART: u64 = 6;
/// And as long as none was executed.
const FIRST_PART: u64 = 24;
/// Inputs that take more than such a part are not tried twice while others wait, and not more often
/// than this: in another order of what is parallel, with other data.
const COSTLY: u64 = 50;
const OFTEN: usize = 2;
/// Elements in a dimension in which there is something between two edges.
const SOME: i64 = 8;
/// How far sizes are moved to see which extents they change: far enough for quotients.
const FAR: i64 = 64;
/// Of so many instructions of a text one is executed for each element.
const OPS_AT_ONCE: u64 = 4;
/// Memory that takes more than such a part is much.
const HEAVY: u64 = 100;
/// Inputs for lines that were never reached take at most such a part.
const TARGETS: u64 = 2;
/// One of so many inputs is one that was put off.
const WAITS: u64 = 7;
/// Inputs before some are tried for what they alone reach.
const SMALL_FIRST: u64 = 10;
/// Inputs that are put off.
const MOST: usize = 64;
/// Inputs that were put off one after the other before one of them has its turn.
const PATIENCE: usize = 12;

/// An input, and how many instructions it may take.
pub(crate) struct Next {
    pub input: Input,
    pub fuel: u64,
}

/// An input that has to wait.
struct Later {
    /// Elements of its arrays, and their smallest extent.
    elements: u64,
    least: i64,
    input: Input,
    /// Instructions that were not enough.
    spent: u64,
}

/// Inputs of one function.
pub(crate) struct Queue<'p> {
    pair: Pair<'p>,
    pub inputs: Inputs,
    share: u64,
    put_off: PutOff,
    /// Whether none was executed.
    is_first: bool,
    turn: u64,
    /// Whether threads cost much in themselves, as where each has much memory of its own.
    pub is_heavy: bool,
    pub aims: Aims,
    /// Whether [`Queue::last`] is of sizes for which little may be executed.
    is_small: bool,
    /// Elements of an input that was executed, and how many instructions it took.
    last: Option<(u64, u64)>,
    /// Sizes that took a larger part of all instructions, and how often they were executed.
    costly: HashMap<Vec<i64>, usize>,
}

/// Inputs that wait until the others are done.
#[derive(Default)]
struct PutOff {
    /// Inputs that took too long, or are as large.
    later: Vec<Later>,
    /// Elements of the smallest input that took too long, and with how much fuel.
    barrier: Option<(u64, u64)>,
    /// Inputs put off since one was executed.
    waiting: usize,
}

/// Inputs that are made for lines that were never reached.
pub(crate) struct Aims {
    pub targets: Targets,
    /// Whether the latest input is one of these, and what they took.
    is_target: bool,
    for_targets: u64,
}

impl<'p> Queue<'p> {
    pub fn new(pair: Pair<'p>, inputs: Inputs, share: u64) -> Queue<'p> {
        Queue {
            pair,
            inputs,
            share,
            put_off: PutOff::default(),
            is_first: true,
            turn: 0,
            is_heavy: false,
            aims: Aims {
                targets: Targets::new(pair.result),
                is_target: false,
                for_targets: 0,
            },
            is_small: false,
            last: None,
            costly: HashMap::new(),
        }
    }

    /// Elements of arrays, where all are declared with extents.
    fn elements(&self, input: &Input) -> Option<u64> {
        let extents = self.pair.extents(input).ok()??;
        let mut all = 0u64;
        for dims in extents.iter().filter(|dims| !dims.is_empty()) {
            let mut one = 1u64;
            for dim in dims {
                one = one.saturating_mul(u64::try_from((*dim)?).unwrap_or(0));
            }
            all = all.saturating_add(one);
        }
        Some(all)
    }

    /// What an input takes: as others did for their elements or, before there is one, as if the
    /// original did something of each kind for each element.
    fn guess(&self, input: &Input) -> u64 {
        let elements = self.elements(input).unwrap_or(0);
        if let Some((known, steps)) = self.last {
            let guess = u128::from(steps) * u128::from(elements) / u128::from(known.max(1));
            return u64::try_from(guess).unwrap_or(u64::MAX);
        }
        let function = &self.pair.original.functions[self.pair.functions.0];
        let arrays = function.params.iter().filter(|p| p.ty.is_pointer()).count();
        let each = self.pair.original.ops.len() as u64 / OPS_AT_ONCE;
        (elements / arrays.max(1) as u64).saturating_mul(each)
    }

    /// The next input, where `left` instructions are left; `None` where none is short enough.
    /// `missing`: whether a line was never reached.
    pub fn next(&mut self, left: u64, missing: &dyn Fn(u32) -> bool) -> Option<Next> {
        self.turn += 1;
        self.aims.is_target = false;
        // Where inputs are costly, sooner and more often.
        let is_costly = self.turn <= 3 * SMALL_FIRST && left < self.share / 5 * 4;
        let turn = if is_costly {
            self.turn % 3 != 0
        } else {
            self.turn > SMALL_FIRST && self.turn % 2 == 0
        };
        if turn {
            self.aims.is_target = true;
            if let Some(next) = self.wanted(left, missing) {
                return Some(next);
            }
        }
        self.aims.is_target = false;
        if self.turn % WAITS == 0 && !self.is_first {
            if let Some(next) = self.longest(left / 2) {
                return Some(next);
            }
        }
        let part = if self.is_first { FIRST_PART } else { PART };
        let fuel = (self.share / part).min(left);
        for _ in 0..PATIENCE {
            if self.put_off.waiting >= PATIENCE {
                break;
            }
            let input = self.inputs.next();
            let pair = self.pair;
            // The outermost extent may be anything, but is what is meant to be executed.
            let first = if input.sizes.iter().all(|s| *s > 0) {
                0
            } else {
                1
            };
            let extents = |input: &Input| {
                let found = pair.extents(input).ok()??;
                let dims = found
                    .into_iter()
                    .flat_map(|dims| dims.into_iter().skip(first));
                Some(dims.flatten().collect())
            };
            let input = self.inputs.repaired(input, &extents);
            let elements = self.elements(&input);
            // Sizes beyond all measure are for what little is done before anything is touched.
            if input.is_extreme() && elements.is_some_and(|e| e > self.share / COSTLY) {
                continue;
            }
            if !input.is_extreme() && self.guess(&input) > fuel {
                self.put_off(elements.unwrap_or(0), input, 0);
                self.put_off.waiting += 1;
                continue;
            }
            match (self.put_off.barrier, elements) {
                // Time grows at least as elements do.
                (Some((most, spent)), Some(elements))
                    if elements >= most
                        && u128::from(fuel) * u128::from(most)
                            <= u128::from(spent) * u128::from(elements) =>
                {
                    self.put_off(elements, input, 0);
                    self.put_off.waiting += 1;
                }
                // Nor is much learnt from the same sizes again.
                _ if self.known(&input) => self.put_off.waiting += 1,
                _ => {
                    self.put_off.waiting = 0;
                    return Some(Next { input, fuel });
                }
            }
        }
        self.put_off.waiting = 0;
        self.longest(left)
    }

    /// An input for lines that were never reached.
    fn wanted(&mut self, left: u64, missing: &dyn Fn(u32) -> bool) -> Option<Next> {
        if self.aims.for_targets > self.share / TARGETS {
            return None;
        }
        for _ in 0..PATIENCE {
            let sizes = self.aims.targets.next(missing)?;
            let input = self.inputs.of(sizes);
            // Not where it would take more than what is left.
            if self.guess(&input) <= left / 3 * 2 {
                let fuel = (left / 3).min(self.share / PART);
                return Some(Next { input, fuel });
            }
        }
        None
    }

    /// Whether sizes were executed at a price.
    fn known(&self, input: &Input) -> bool {
        let times = self.costly.get(&input.sizes).copied().unwrap_or(0);
        times
            >= if self.put_off.later.is_empty() {
                OFTEN
            } else {
                1
            }
    }

    /// The latest input took so many instructions, and memory so many of them.
    pub fn took(&mut self, steps: u64, charged: u64) {
        self.is_heavy |= charged > self.share / HEAVY;
        if self.aims.is_target {
            self.aims.for_targets += steps;
        }
    }

    /// An input was executed. `few`: with few threads, as large inputs are.
    pub fn executed(&mut self, input: &Input, trial: &Trial, few: bool) {
        self.is_first = false;
        // Memory of many threads says nothing of what few take.
        let memory = if few { 0 } else { trial.charged };
        let steps = trial.steps.saturating_sub(memory);
        let elements = self.elements(input).unwrap_or(1);
        // Steps in time are no elements: what took least for them says best what these cost.
        let ratio = |(elements, steps): (u64, u64)| steps as f64 / elements.max(1) as f64;
        let now = (elements, steps);
        if input.sizes.iter().all(|s| *s > 1) || self.last.is_none() {
            let less = self
                .last
                .is_none_or(|last| self.is_small || ratio(now) < ratio(last));
            self.last = if less { Some(now) } else { self.last };
            self.is_small = input.sizes.iter().any(|s| *s <= 1);
        }
        if steps > self.share / COSTLY {
            *self.costly.entry(input.sizes.clone()).or_default() += 1;
        }
    }

    /// The smallest of those that were put off, with half of what is left: the result takes its
    /// time, too.
    fn longest(&mut self, left: u64) -> Option<Next> {
        let fuel = left / 2;
        let short = |one: &Later| {
            let often = self
                .costly
                .get(&one.input.sizes)
                .is_some_and(|n| *n >= OFTEN);
            one.spent < fuel && !often && self.guess(&one.input) <= left
        };
        // Arrays with some elements in each dimension first: on others little is executed.
        let order = |one: &Later| (one.least < SOME, one.elements);
        let sizes = self.put_off.later.iter().enumerate();
        let sizes = sizes.filter(|(_, one)| short(one));
        let (at, _) = sizes.min_by_key(|(_, one)| order(one))?;
        let Later { input, .. } = self.put_off.later.swap_remove(at);
        Some(Next { input, fuel })
    }

    fn put_off(&mut self, elements: u64, input: Input, spent: u64) {
        let known = self
            .put_off
            .later
            .iter()
            .any(|one| one.input.sizes == input.sizes);
        if self.put_off.later.len() < MOST && !known {
            self.put_off.later.push(Later {
                elements,
                least: self.least(&input),
                input,
                spent,
            });
        }
    }

    /// The smallest extent of those that sizes change.
    fn least(&self, input: &Input) -> i64 {
        let mut other = input.clone();
        other.sizes.iter_mut().for_each(|size| *size += FAR);
        let extents = |input: &Input| self.pair.extents(input).ok().flatten();
        let all = |input: &Input| extents(input).into_iter().flatten().flatten();
        let pairs = all(input).zip(all(&other)).filter(|(a, b)| a != b);
        pairs.filter_map(|(extent, _)| extent).min().unwrap_or(0)
    }

    /// An input took more than it was given.
    pub fn too_long(&mut self, input: Input, fuel: u64) {
        let Some(elements) = self.elements(&input) else {
            return;
        };
        if input.is_extreme() {
            return;
        }
        let lower = self.put_off.barrier.is_none_or(|(most, _)| elements < most);
        if lower || self.put_off.barrier.is_some_and(|(_, spent)| fuel > spent) {
            self.put_off.barrier = Some((elements, fuel));
        }
        self.put_off(elements, input, fuel);
    }
}

#[cfg(test)]
mod tests;

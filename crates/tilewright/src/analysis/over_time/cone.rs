//! Iterated stencils: which way values go through time and space, and how fast.
//!
//! The statements of a stencil share a time loop, and in each of its iterations sweep over a grid.
//! They are folded into one logical time (Grosser et al., *Split tiling for GPUs*, 2013, section
//! 4.3): with `k` steps in an iteration, step `s` of iteration `t` is at `T = k t + s`. All
//! dependences then go forward in `T`, and how far they go along a dimension of space per unit of
//! `T` is bounded from both sides ([`Slopes`]): a cone with a rectangular base (section 4.2). Tile
//! shapes follow from that alone.
//!
//! Anti and output dependences count as well where arrays keep their storage. Statements that
//! within an iteration depend on each other nowhere, or only at the same place, share a step, where
//! the paper gives each its own: that makes the cone steeper.

mod distances;
mod place;
mod ratio;
#[cfg(test)]
mod tests;

use crate::analysis::dependences::dataflow::{Dataflow, Pair};
use crate::scop::{Scop, StatementId};
use distances::Distance;
use isl::{Aff, Map, PwAff, Val};
use ratio::Ratio;

/// An iterated stencil.
///
/// # Invariants
///
/// Every dependence among the statements goes forward in logical time, and along each dimension
/// of space within [`Slopes`] of that; or it is from one statement to a later one at the same time
/// and place.
#[derive(Clone, Debug)]
pub struct Cone {
    /// Units of logical time in one iteration of the time loop.
    pub steps: i64,
    /// Where the statements are, in textual order.
    pub statements: Vec<Placed>,
    /// Per dimension of space, outermost first; at least one.
    pub slopes: Vec<Slopes>,
}

/// Where the instances of a statement are.
#[derive(Clone, Debug)]
pub struct Placed {
    /// The statement.
    pub statement: StatementId,
    /// Its step within an iteration of the time loop.
    pub step: i64,
    /// From its instances to `[T, x…]`: logical time and place. A function of all that has the
    /// statement's tuple.
    pub point: Map,
}

/// How far dependences go along one dimension: between `lower / per` and `upper / per` for each
/// unit of logical time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slopes {
    /// At most `upper`.
    pub lower: i64,
    /// At least `lower`.
    pub upper: i64,
    /// At least one.
    pub per: i64,
}

/// Why statements are no iterated stencil.
#[derive(Debug, thiserror::Error)]
pub enum NoCone {
    /// What is in the way; one clause.
    #[error("{0}")]
    Refused(String),
    /// isl failed, or its budget ran out.
    #[error(transparent)]
    Isl(#[from] isl::Error),
}

impl Cone {
    /// The cone of some statements.
    ///
    /// # Errors
    /// [`NoCone::Refused`] names the dependence that does not go forward in time or has no bounded
    /// distance, or the statement that is not in the time loop.
    pub fn find(
        scop: &Scop,
        dataflow: &Dataflow,
        statements: &[StatementId],
    ) -> Result<Cone, NoCone> {
        Cone::through(scop, dataflow, statements, |_| true)
    }

    /// The cone of their flow dependences alone: what is to be computed before what. For tiles
    /// with storage of their own, where instances run in the order in which they were written.
    ///
    /// # Errors
    /// As [`Cone::find`].
    pub fn of_flow(
        scop: &Scop,
        dataflow: &Dataflow,
        statements: &[StatementId],
    ) -> Result<Cone, NoCone> {
        Cone::through(scop, dataflow, statements, |pair| pair.flow)
    }

    fn through(
        scop: &Scop,
        dataflow: &Dataflow,
        statements: &[StatementId],
        counts: impl Fn(&Pair) -> bool,
    ) -> Result<Cone, NoCone> {
        let mut statements = statements.to_vec();
        statements.sort_unstable();
        let places = place::places(scop, &statements)?;
        let distances = distances::distances(scop, dataflow, &statements, &places, counts)?;
        let order = steps(scop, &statements, &distances)?;
        let count = order.iter().max().map_or(1, |last| last + 1);
        let timed = Timed {
            distances: &distances,
            together: together(statements.len(), &distances),
            order: &order,
            count,
        };
        let dimensions = places.first().map_or(0, |place| place.space.len());
        let shifted = (0..dimensions).map(|axis| timed.align(axis));
        let shifted = shifted.collect::<Option<Vec<(Vec<i64>, Slopes)>>>();
        let shifted = shifted
            .ok_or_else(|| NoCone::Refused("distances are too long to compute with".to_owned()))?;
        let mut placed = Vec::new();
        for (number, (&statement, place)) in statements.iter().zip(&places).enumerate() {
            let time = scaled(&scop.ctx, &place.time, count, order[number])?;
            let mut point = function(&time)?;
            for (coordinate, (shifts, _)) in place.space.iter().zip(&shifted) {
                let coordinate = scaled(&scop.ctx, coordinate, 1, shifts[number])?;
                point = point.flat_range_product(&function(&coordinate)?)?;
            }
            placed.push(Placed {
                statement,
                step: order[number],
                point,
            });
        }
        Ok(Cone {
            steps: count,
            statements: placed,
            slopes: shifted.into_iter().map(|(_, slopes)| slopes).collect(),
        })
    }
}

/// `factor * value + constant`
fn scaled(ctx: &isl::Ctx, value: &Aff, factor: i64, constant: i64) -> isl::Result<Aff> {
    value
        .scale_val(&Val::int_from_si(ctx, factor)?)?
        .add_constant_val(&Val::int_from_si(ctx, constant)?)
}

/// A function of one value as a map.
fn function(value: &Aff) -> isl::Result<Map> {
    Map::from_pw_aff(&PwAff::from_aff(value)?)
}

/// The step of each statement: as early as its sources in the same iteration allow.
fn steps(
    scop: &Scop,
    statements: &[StatementId],
    distances: &[Distance],
) -> Result<Vec<i64>, NoCone> {
    let mut order = vec![0; statements.len()];
    // A path without cycles has at most as many dependences as statements, less one.
    for _ in 0..=statements.len() {
        let mut last = None;
        for distance in distances.iter().filter(|d| d.time.0 == 0) {
            let first = order[distance.earlier] + i64::from(!distance.is_here());
            if order[distance.later] < first {
                order[distance.later] = first;
                last = Some(distance);
            }
        }
        let Some(last) = last else {
            return Ok(order);
        };
        if order[last.later] > statements.len() as i64 {
            break;
        }
    }
    let cyclic = distances
        .iter()
        .filter(|d| d.time.0 == 0)
        .find(|d| !d.is_here() && order[d.later] <= order[d.earlier]);
    let what = cyclic.map_or_else(String::new, |d| d.describe(scop, statements));
    Err(NoCone::Refused(format!(
        "{what}, and the other way round through others, in one iteration of the time loop"
    )))
}

/// Per statement, the first of those with which it depends on each other at one place, directly or
/// through others.
fn together(count: usize, distances: &[Distance]) -> Vec<usize> {
    let mut first: Vec<usize> = (0..count).collect();
    for distance in distances.iter().filter(|d| d.is_here()) {
        let (one, other) = (first[distance.earlier], first[distance.later]);
        for own in first.iter_mut().filter(|own| **own == one.max(other)) {
            *own = one.min(other);
        }
    }
    first
}

/// How often every statement is moved at most.
const ROUNDS: usize = 256;

/// Distances, given the steps of the statements.
struct Timed<'d> {
    distances: &'d [Distance],
    /// See [`together`]: these keep their places to each other.
    together: Vec<usize>,
    order: &'d [i64],
    count: i64,
}

impl Timed<'_> {
    /// The extreme slopes along one dimension, for statements shifted along it.
    fn extremes(&self, axis: usize, shifts: &[i64]) -> (Ratio, Ratio) {
        let mut extremes: Option<(Ratio, Ratio)> = None;
        for distance in self.distances {
            let step = self.order[distance.later] - self.order[distance.earlier];
            if step == 0 && distance.is_here() {
                continue;
            }
            let shift = shifts[distance.later] - shifts[distance.earlier];
            let shortest = self.count * distance.time.0 + step;
            let longest = distance.time.1.map(|time| self.count * time + step);
            let (least, most) = distance.space[axis];
            let lower = Ratio::least(least + shift, shortest, longest);
            let upper = Ratio::most(most + shift, shortest, longest);
            extremes = Some(match extremes {
                None => (lower, upper),
                Some((least, most)) => (least.min(lower), most.max(upper)),
            });
        }
        extremes.unwrap_or((Ratio::ZERO, Ratio::ZERO))
    }

    /// Shifts along one dimension that make the cone narrow, and its slopes: one statement is
    /// moved at a time, with those that depend on it where they are, as long as that helps.
    /// Statements are where they write to begin with, so
    /// that little is left to do.
    fn align(&self, axis: usize) -> Option<(Vec<i64>, Slopes)> {
        let cost =
            |(lower, upper): (Ratio, Ratio)| (upper.minus(lower), upper.max(lower.negated()));
        let mut shifts = vec![0; self.order.len()];
        let mut best = cost(self.extremes(axis, &shifts));
        for _ in 0..ROUNDS {
            let before = best;
            for first in 0..shifts.len() {
                for step in [1, -1] {
                    let mut moved = shifts.clone();
                    for (shift, own) in moved.iter_mut().zip(&self.together) {
                        *shift += if *own == first { step } else { 0 };
                    }
                    let here = cost(self.extremes(axis, &moved));
                    if here < best {
                        (best, shifts) = (here, moved);
                    }
                }
            }
            if best == before {
                break;
            }
        }
        let (lower, upper) = self.extremes(axis, &shifts);
        Some((shifts, Slopes::new(lower, upper)?))
    }
}

impl Slopes {
    /// `None` where they are no numbers of 64 bits.
    fn new(lower: Ratio, upper: Ratio) -> Option<Slopes> {
        let (lower, upper, per) = lower.with_same_denominator(upper);
        Some(Slopes {
            lower: lower.try_into().ok()?,
            upper: upper.try_into().ok()?,
            per: per.try_into().ok()?,
        })
    }

    /// Slopes that differ: where all dependences go the same way, more than they need.
    pub fn spread(self) -> Slopes {
        Slopes {
            upper: self.upper.max(self.lower + 1),
            ..self
        }
    }
}

//! A pipeline in numbers: what planners need to compare thousands of groups.
//!
//! Footprints as sets ([`crate::analysis::overlap::footprint`]) take milliseconds per stage, and a cost model asks
//! for those of every group that the dynamic programme considers (TOPLAS 2020, section 3). Here
//! they are intervals: how far each stage reaches into what it reads is found once, as bounds of
//! its subscripts ([`subscript`]), for one value of each parameter ([`estimates`]); a tile
//! of a group ([`tile`]) is then a few additions per stage. Planners decide by it; what they
//! decide is done, and checked, with sets.

pub mod estimates;
pub(crate) mod subscript;
pub mod tile;

use super::operations;
use super::stages::{Stage, StageGraph, StageId};
use crate::scop::{Access, AccessKind, ArrayId, Expr, Scop, Statement};
use isl::{DimType, Result, Set};
use subscript::Bounds;

/// First and last, both included; empty where the first is greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Interval {
    /// The smallest.
    pub first: i64,
    /// The greatest.
    pub last: i64,
}

impl Interval {
    /// How many there are.
    pub fn len(self) -> i64 {
        self.last
            .saturating_sub(self.first)
            .saturating_add(1)
            .max(0)
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.first > self.last
    }

    /// What is in both.
    pub fn intersect(self, other: Interval) -> Interval {
        Interval {
            first: self.first.max(other.first),
            last: self.last.min(other.last),
        }
    }

    /// From the smallest to the greatest of both.
    pub fn hull(self, other: Interval) -> Interval {
        Interval {
            first: self.first.min(other.first),
            last: self.last.max(other.last),
        }
    }
}

/// Every `step`-th from the first to the last; the first one is one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The first and the last.
    pub ends: Interval,
    /// Positive.
    pub step: i64,
}

impl Row {
    /// How many there are.
    pub fn count(&self) -> f64 {
        ((self.ends.len() + self.step - 1) / self.step) as f64
    }

    /// Goes on for ever on both sides if the middle of `all` is between the ends: a tile in the
    /// middle is then what tiles are where there is room for them, whatever the sizes are, and a
    /// statement for a rim has no part in it.
    fn reach_out(&mut self, all: Interval) {
        let middle = all.first + (all.last - all.first) / 2;
        if self.ends.first <= middle && middle <= self.ends.last {
            let far = self.step.saturating_mul(1 << 40);
            self.ends.first -= far;
            self.ends.last += far;
        }
    }

    /// From the first to the last one that lies in an interval.
    pub fn within(self, interval: Interval) -> Interval {
        let both = self.ends.intersect(interval);
        let past = |at: i64| (at - self.ends.first).rem_euclid(self.step);
        Interval {
            first: both.first + (self.step - past(both.first)) % self.step,
            last: both.last - past(both.last),
        }
    }
}

/// A region in numbers.
#[derive(Clone, Debug)]
pub struct Model {
    /// As in the [`StageGraph`].
    pub stages: Vec<StageModel>,
    /// Bytes per element of each array of the region.
    pub bytes: Vec<i64>,
    /// The stage that computes each array, where one does.
    pub producer: Vec<Option<StageId>>,
    /// The stages that read each stage, in order.
    pub readers: Vec<Vec<StageId>>,
}

/// One stage in numbers.
#[derive(Clone, Debug)]
pub struct StageModel {
    /// Its (first) array.
    pub array: ArrayId,
    /// The cells that it computes, per dimension of its array.
    pub cells: Vec<Interval>,
    /// Operations per cell, on average.
    pub operations: f64,
    /// What it reads of other arrays.
    pub reads: Vec<Read>,
    /// Whether what it computes is read after the region.
    pub live_out: bool,
    /// Whether it can be computed tile by tile: it writes each cell of one array at a known place
    /// and reads no other cells of that array.
    pub tileable: bool,
}

/// What some cells of a stage read of one array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Read {
    /// The array.
    pub array: ArrayId,
    /// The cells of the stage that do.
    pub readers: Vec<Row>,
    /// Per dimension of the array.
    pub reaches: Vec<Reach>,
}

/// What a cell reads along one dimension of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// From `⌊(factor · x + low) / divisor⌋` to `⌊(factor · x + high) / divisor⌋`, where `x` is the
    /// coordinate of the cell in one dimension.
    Along {
        /// Which dimension of the reader.
        dimension: usize,
        /// Not 0.
        factor: i64,
        /// Positive.
        divisor: i64,
        /// For the first cell that is read.
        low: i64,
        /// For the last one.
        high: i64,
    },
    /// The same cells, whichever cell reads.
    Fixed(Interval),
    /// Unknown: maybe all of the dimension.
    Whole,
}

impl Model {
    /// The numbers of a region where its parameters have the given values
    /// ([`estimates::estimates`]).
    ///
    /// # Errors
    /// isl's own.
    pub fn new(scop: &Scop, graph: &StageGraph, parameters: &[i64]) -> Result<Model> {
        let mut producer = vec![None; scop.arrays.len()];
        for (id, stage) in graph.stages.iter().enumerate() {
            for &array in &stage.arrays {
                producer[array] = Some(id);
            }
        }
        let sizes = scop.arrays.iter().map(|a| a.element.kind.bytes() as i64);
        let stages = graph.stages.iter();
        Ok(Model {
            stages: stages
                .map(|stage| stage_model(scop, stage, parameters))
                .collect::<Result<_>>()?,
            bytes: sizes.collect(),
            producer,
            readers: (0..graph.stages.len())
                .map(|stage| graph.consumers(stage).collect())
                .collect(),
        })
    }
}

fn stage_model(scop: &Scop, stage: &Stage, parameters: &[i64]) -> Result<StageModel> {
    let array = stage.arrays.first().copied().unwrap_or(0);
    let mut model = StageModel {
        array,
        cells: Vec::new(),
        operations: 0.0,
        reads: Vec::new(),
        live_out: stage.live_out,
        tileable: stage.arrays.len() == 1,
    };
    let mut operations = 0.0;
    for &id in &stage.statements {
        let statement = &scop.statements[id];
        let ranges = ranges(scop, &statement.domain, parameters)?;
        if ranges.iter().any(|r| r.ends.is_empty()) {
            continue;
        }
        let Some(written) = Written::of(statement, array, &ranges, parameters) else {
            model.tileable = false;
            continue;
        };
        let instances: f64 = ranges.iter().map(Row::count).product();
        operations += instances * operations::operations(scop, statement);
        let cells = written.cells.iter().map(|row| row.ends);
        model.cells = if model.cells.is_empty() {
            cells.collect()
        } else {
            model
                .cells
                .iter()
                .zip(cells)
                .map(|(a, b)| a.hull(b))
                .collect()
        };
        for read in &statement.accesses {
            if read.kind != AccessKind::Read {
                continue;
            }
            let reaches = written.reaches(read, &ranges, parameters);
            if read.array == array {
                model.tileable &= written.is_own(&reaches);
                continue;
            }
            join(
                &mut model.reads,
                Read {
                    array: read.array,
                    readers: written.cells.clone(),
                    reaches,
                },
            );
        }
    }
    for read in &mut model.reads {
        for (row, cells) in read.readers.iter_mut().zip(&model.cells) {
            row.reach_out(*cells);
        }
    }
    let cells: f64 = model.cells.iter().map(|c| c.len() as f64).product();
    model.operations = operations / cells.max(1.0);
    Ok(model)
}

/// The values of each loop variable.
pub(crate) fn ranges(scop: &Scop, domain: &Set, parameters: &[i64]) -> Result<Vec<Row>> {
    let mut domain = domain.clone();
    for (parameter, &value) in scop.params.iter().zip(parameters) {
        let position = domain.find_dim_by_name(DimType::Param, &parameter.name)?;
        if let (Some(position), Ok(value)) = (position, i32::try_from(value)) {
            domain = domain.fix_si(DimType::Param, position, value)?;
        }
    }
    let domain = domain.project_out_all_params()?;
    let mut all = Vec::new();
    for d in 0..domain.dim(DimType::Set)? {
        let first = domain.dim_min_val(d)?.to_i64();
        let last = domain.dim_max_val(d)?.to_i64();
        let step = domain.get_stride(d)?.to_i64();
        // No bound, or nothing at all: none.
        let (first, last) = first.zip(last).unwrap_or((0, -1));
        all.push(Row {
            ends: Interval { first, last },
            step: step.filter(|&s| s > 0).unwrap_or(1),
        });
    }
    Ok(all)
}

/// The cells that a statement writes of its stage's array, and which loop variable each of their
/// coordinates gives.
struct Written {
    cells: Vec<Row>,
    /// Per loop variable the dimension `d` with `x_d = factor · i + constant`.
    inverse: Vec<Option<(usize, i64, i64)>>,
}

impl Written {
    /// `None` where the place depends on data.
    fn of(
        statement: &Statement,
        array: ArrayId,
        ranges: &[Row],
        parameters: &[i64],
    ) -> Option<Written> {
        let depth = statement.iterators.len();
        let mut all: Option<Written> = None;
        for write in &statement.accesses {
            if write.kind != AccessKind::Write || write.array != array {
                continue;
            }
            let mut inverse = vec![None; depth];
            let mut cells = Vec::new();
            for (d, subscript) in write.subscripts.iter().enumerate() {
                let bounds = Bounds::of(subscript, depth, parameters)?;
                let mut row = Row {
                    ends: over(&bounds, ranges),
                    step: 1,
                };
                let mut moving = (0..depth).filter(|&i| bounds.factors[i] != 0);
                if let (Some(i), None) = (moving.next(), moving.next())
                    && bounds.divisor == 1
                    && bounds.low == bounds.high
                {
                    row.step = bounds.factors[i].abs().saturating_mul(ranges[i].step);
                    inverse[i].get_or_insert((d, bounds.factors[i], bounds.low));
                }
                cells.push(row);
            }
            all = Some(match all {
                None => Written { cells, inverse },
                Some(before) if before.inverse == inverse && before.cells == cells => before,
                Some(_) => return None,
            });
        }
        all
    }

    /// What the cells read through an access.
    fn reaches(&self, read: &Access, ranges: &[Row], parameters: &[i64]) -> Vec<Reach> {
        let depth = self.inverse.len();
        let reach = |subscript: &Expr| {
            let bounds = Bounds::of(subscript, depth, parameters)?;
            self.reach(&bounds, ranges)
        };
        let subscripts = read.subscripts.iter();
        subscripts
            .map(|s| reach(s).unwrap_or(Reach::Whole))
            .collect()
    }

    /// The bounds of a subscript in terms of the cell that is written; `None` where they depend on
    /// more than one of its coordinates.
    fn reach(&self, bounds: &Bounds, ranges: &[Row]) -> Option<Reach> {
        let (mut low, mut high, mut divisor) = (bounds.low, bounds.high, bounds.divisor);
        let mut along: Option<(usize, i64)> = None;
        for (i, &factor) in bounds.factors.iter().enumerate() {
            match self.inverse[i] {
                _ if factor == 0 => {}
                Some((d, step, constant)) => {
                    if along.is_some() {
                        return None;
                    }
                    // factor · i = factor · (x − constant) / step
                    let (factor, step) = (factor * step.signum(), step.abs());
                    along = Some((d, factor));
                    divisor = divisor.checked_mul(step)?;
                    let moved = factor.checked_mul(constant)?;
                    low = low.checked_mul(step)?.checked_sub(moved)?;
                    high = high.checked_mul(step)?.checked_sub(moved)?;
                }
                // A loop that only reads: a sum over its whole range.
                None => {
                    let (a, b) = (
                        factor.checked_mul(ranges[i].ends.first)?,
                        factor.checked_mul(ranges[i].ends.last)?,
                    );
                    let step = divisor / bounds.divisor;
                    low = low.checked_add(a.min(b).checked_mul(step)?)?;
                    high = high.checked_add(a.max(b).checked_mul(step)?)?;
                }
            }
        }
        Some(match along {
            Some((dimension, factor)) => Reach::Along {
                dimension,
                factor,
                divisor,
                low,
                high,
            },
            None => Reach::Fixed(Interval {
                first: low.div_euclid(divisor),
                last: high.div_euclid(divisor),
            }),
        })
    }

    /// Whether a cell only reads itself.
    fn is_own(&self, reaches: &[Reach]) -> bool {
        reaches.iter().enumerate().all(|(d, reach)| match *reach {
            Reach::Along {
                dimension,
                factor,
                divisor,
                low,
                high,
            } => dimension == d && factor == divisor && low == high && low == 0,
            Reach::Fixed(cells) => cells == self.cells[d].ends && cells.len() == 1,
            Reach::Whole => false,
        })
    }
}

fn over(bounds: &Bounds, ranges: &[Row]) -> Interval {
    let ends = ranges.iter().map(|r| (r.ends.first, r.ends.last));
    let ranges: Vec<(i64, i64)> = ends.collect();
    let (first, last) = bounds.over_ranges(&ranges);
    Interval { first, last }
}

/// Adds a read to those of the same cells, which it widens where it moves as they do: the taps of
/// a stencil are one interval.
fn join(reads: &mut Vec<Read>, read: Read) {
    for before in reads.iter_mut() {
        if before.array != read.array || before.readers != read.readers {
            continue;
        }
        let both = before.reaches.iter().zip(&read.reaches);
        let joined: Option<Vec<Reach>> = both.map(|(a, b)| a.join(*b)).collect();
        if let Some(joined) = joined {
            before.reaches = joined;
            return;
        }
    }
    reads.push(read);
}

impl Reach {
    fn join(self, other: Reach) -> Option<Reach> {
        match (self, other) {
            (Reach::Whole, _) | (_, Reach::Whole) => Some(Reach::Whole),
            (Reach::Fixed(a), Reach::Fixed(b)) => Some(Reach::Fixed(a.hull(b))),
            (
                Reach::Along {
                    dimension,
                    factor,
                    divisor,
                    low,
                    high,
                },
                Reach::Along {
                    dimension: d,
                    factor: f,
                    divisor: v,
                    low: l,
                    high: h,
                },
            ) if (dimension, factor, divisor) == (d, f, v) => Some(Reach::Along {
                dimension,
                factor,
                divisor,
                low: low.min(l),
                high: high.max(h),
            }),
            _ => None,
        }
    }
}

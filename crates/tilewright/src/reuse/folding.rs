//! Local arrays by modulo: how many cells each dimension needs, as functions of the parameters
//! and tile sizes (section 4, after Lefebvre and Feautrier's successive moduli).
//!
//! Cell `m` of an array is kept at `m_k mod b_k`. The modulus of a dimension is one more than the
//! greatest difference of two conflicting cells in it, among those that agree in the dimensions
//! before: two conflicting cells differ in some first dimension, by less than its modulus.

use super::accesses::{Accesses, ArrayAccesses};
use super::lifetimes::{Overlap, Precision, conflicts, counter};
use super::tiling::{Tiling, names};
use super::transfers::Transfers;
use crate::reuse::counts::counting::value;
use crate::reuse::counts::formula::Formula;
use crate::scop::{ArrayId, Scop};
use isl::{BasicSet, DimType, Map, Set};

/// Local memory for a strip.
#[derive(Clone, Debug)]
pub struct Memory {
    /// One per accessed array.
    pub arrays: Vec<LocalArray>,
}

/// The local memory of one array.
#[derive(Clone, Debug)]
pub struct LocalArray {
    /// Which array.
    pub array: ArrayId,
    /// Its parts: each cell is in the first one that has it.
    pub parts: Vec<Part>,
}

/// Cells of an array that share memory among themselves.
#[derive(Clone, Debug)]
pub struct Part {
    /// From strips to cells, among those that the strip touches; without, all that no part before
    /// it has.
    pub cells: Option<Map>,
    /// The moduli, outermost dimension first, over parameters, tile sizes and the counters of
    /// loops around all tiles. Undefined where nothing is ever there.
    pub moduli: Vec<isl::PwAff>,
}

/// What local memory is found from.
#[derive(Clone, Copy)]
pub struct Folding<'a> {
    /// The tiling.
    pub tiling: &'a Tiling,
    /// Its accesses.
    pub accesses: &'a Accesses,
    /// What its tiles load and store.
    pub transfers: &'a Transfers,
    /// Whether transfers run beside computations.
    pub overlap: Overlap,
    /// How sets are taken.
    pub precision: Precision,
    /// What is assumed; lies within [`Tiling::context`].
    pub context: &'a Set,
}

impl Folding<'_> {
    /// The local memory of every array, each as a whole.
    ///
    /// # Errors
    /// isl's own.
    pub fn whole(&self) -> isl::Result<Memory> {
        let mut arrays = Vec::new();
        for own in &self.accesses.arrays {
            arrays.push(LocalArray {
                array: own.array,
                parts: vec![self.part(own, None)?],
            });
        }
        Ok(Memory { arrays })
    }

    /// The memory of the cells of an array that a map from strips gives, or of all.
    pub(super) fn part(&self, own: &ArrayAccesses, cells: Option<&Map>) -> isl::Result<Part> {
        let tiling = self.tiling;
        let inside = match cells {
            Some(cells) => Some(cells.insert_dims(
                DimType::In,
                tiling.mapping.outer + tiling.first_in_strip(),
                tiling.strip,
            )?),
            None => None,
        };
        let Some(moved) = self.transfers.of_array(own.array) else {
            let text = "transfers of another program";
            return Err(isl::Error::new(isl::ErrorKind::Invalid, text));
        };
        let conflicts = conflicts(
            tiling,
            own,
            moved,
            self.overlap,
            self.precision,
            self.context,
            inside.as_ref(),
        )?;
        Ok(Part {
            cells: cells.cloned(),
            moduli: moduli(&conflicts, self.precision)?,
        })
    }
}

/// Successive moduli for cells in conflict. The greatest difference in a dimension is found from
/// the dimensions up to it alone: those behind need not agree.
///
/// # Errors
/// isl's own.
pub fn moduli(conflicts: &[(Map, Map)], precision: Precision) -> isl::Result<Vec<isl::PwAff>> {
    let Some((any, _)) = conflicts.first() else {
        return Ok(Vec::new());
    };
    let dims = any.range_tuple_dim()?;
    let mut all = Vec::new();
    for dim in 0..dims {
        // From tiles, and the subscripts that agree, to this one.
        let one = |cells: &Map| -> isl::Result<Map> {
            let cells = cells.project_out(DimType::Out, dim + 1, dims - dim - 1)?;
            let cells = cells.reset_tuple_id(DimType::Out)?;
            let place = cells.dim(DimType::In)?;
            let cells = cells.move_dims(DimType::In, place, DimType::Out, 0, dim)?;
            match precision {
                Precision::Rational => cells.remove_divs()?.coalesce(),
                Precision::Integer => cells.coalesce(),
            }
        };
        let mut differences = Differences::new(conflicts, any.ctx())?;
        for (first, second) in conflicts {
            let apart = one(first)?
                .reverse()?
                .apply_range(&one(second)?)?
                .deltas()?;
            let apart = match precision {
                Precision::Rational => apart.remove_divs()?,
                Precision::Integer => apart,
            };
            // Those of cells with themselves are their own mirror image.
            if !first.plain_is_equal(second)? {
                differences.add(&apart.neg()?)?;
            }
            differences.add(&apart)?;
        }
        let differences = differences.union()?;
        let one = isl::Val::one(differences.ctx())?;
        let greatest = differences.dim_max(0)?.add_constant_val(&one)?;
        all.push(greatest.coalesce()?);
    }
    Ok(all)
}

/// Differences that are not negative, of which those matter that are not among others.
struct Differences {
    positive: Set,
    /// None contains another.
    pieces: Vec<BasicSet>,
}

impl Differences {
    /// None yet, of those that come of these pairs.
    fn new(conflicts: &[(Map, Map)], ctx: &isl::Ctx) -> isl::Result<Differences> {
        let mut positive = Set::read_from_str(ctx, "{ [d] : d >= 0 }")?;
        // With all parameters: basic sets are compared in the same space only.
        for (first, second) in conflicts {
            positive = positive.align_params(&first.get_space()?)?;
            positive = positive.align_params(&second.get_space()?)?;
        }
        Ok(Differences {
            positive,
            pieces: Vec::new(),
        })
    }

    fn add(&mut self, all: &Set) -> isl::Result<()> {
        'new: for piece in self.positive.intersect(all)?.basic_sets()? {
            for known in &self.pieces {
                if piece.is_subset(known)? {
                    continue 'new;
                }
            }
            let mut kept = Vec::new();
            for known in self.pieces.drain(..) {
                if !known.is_subset(&piece)? {
                    kept.push(known);
                }
            }
            kept.push(piece);
            self.pieces = kept;
        }
        Ok(())
    }

    fn union(&self) -> isl::Result<Set> {
        let mut all = Set::empty(&self.positive.get_space()?)?;
        for piece in &self.pieces {
            all = all.union(&Set::from_basic_set(piece)?)?;
        }
        all.coalesce()
    }
}

impl Part {
    /// How many cells it takes for these values, in the worst strip; 1 where nothing is there.
    pub(super) fn size(&self, values: &Set) -> isl::Result<i64> {
        let mut cells = 1i64;
        for modulus in &self.moduli {
            cells = cells.saturating_mul(value(modulus, values)?.unwrap_or(1));
        }
        Ok(cells)
    }

    /// The moduli for people, under a context.
    ///
    /// # Errors
    /// isl's own.
    pub fn formulas(&self, context: &Set) -> isl::Result<Vec<Formula>> {
        let moduli = self.moduli.iter();
        moduli
            .map(|modulus| Formula::of(modulus, context))
            .collect()
    }
}

/// Sizes for which there is a strip with two full tiles in a row, each size being at least 2: the
/// restriction of Table 1. A tile is full where every point is one of each of the statements with
/// most loops, or, where these have no tile in common, of one of them.
///
/// # Errors
/// isl's own.
pub fn two_full_tiles(scop: &Scop, tiling: &Tiling, context: &Set) -> isl::Result<Set> {
    let mapping = &tiling.mapping;
    let (dims, outer) = (mapping.dims, mapping.outer);
    let loops = |s: &crate::scop::Statement| s.iterators.len();
    let most = scop.statements.iter().map(loops).max().unwrap_or(0);
    let origin = mapping.origin();
    let ctx = context.ctx();
    let mut conditions: Vec<String> = (0..outer).map(|k| format!("x{k} = i{k}")).collect();
    for (k, size) in tiling.sizes.iter().enumerate() {
        let times = if k + 1 == mapping.band { 2 } else { 1 };
        let d = outer + k;
        conditions.push(format!("i{d} <= x{d} < i{d} + {times} * {size}"));
    }
    let text = format!(
        "[{}] -> {{ [{}] -> [{}] : {} }}",
        tiling.sizes.join(", "),
        names("i", origin),
        names("x", origin),
        conditions.join(" and ")
    );
    let boxes = Map::read_from_str(ctx, &text)?;
    let mut each = Vec::new();
    for statement in scop.statements.iter().filter(|s| loops(s) == most) {
        let domain = isl::UnionSet::from_set(&statement.domain)?;
        for map in mapping.theta.intersect_domain(&domain)?.maps()? {
            let inside = map
                .range()?
                .project_out(DimType::Set, origin, dims - origin)?;
            let outside = boxes.intersect_range(&inside.complement()?)?.domain()?;
            each.push(inside.subtract(&outside)?);
        }
    }
    let least: Vec<String> = tiling.sizes.iter().map(|s| format!("{s} >= 2")).collect();
    let least = format!(
        "[{}] -> {{ : {} }}",
        tiling.sizes.join(", "),
        least.join(" and ")
    );
    let context = context.intersect(&Set::read_from_str(ctx, &least)?)?;
    // Tiles that are full for all of them; where there are none because they are executed one
    // after another, for any of them.
    let Some((first, others)) = each.split_first() else {
        return Ok(context);
    };
    let (mut all, mut any) = (first.clone(), first.clone());
    for other in others {
        all = all.intersect(other)?;
        any = any.union(other)?;
    }
    let mut full = if all.is_empty()? { any } else { all };
    for k in 0..outer {
        full = full.set_dim_name(DimType::Set, k, &counter(k))?;
    }
    let params = full.dim(DimType::Param)?;
    let full = full.move_dims(DimType::Param, params, DimType::Set, 0, outer)?;
    full.params()?.intersect(&context)?.coalesce()
}

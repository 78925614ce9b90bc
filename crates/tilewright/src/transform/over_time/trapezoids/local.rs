//! The local arrays of a tile: where their cells begin and how many they are.

use super::turns::Span;
use super::{GROUP, Result, Tiling};
use crate::analysis::overlap::footprint::LARGEST_EXTENT;
use crate::scop::ArrayId;
use crate::transform::overlap::linear::{Linear, Variable};
use crate::transform::{Buffer, BufferKind, Lifted, TransformError};
use isl::{Aff, DimType, LocalSpace, Set, Val};

impl Tiling<'_> {
    /// The array of a tile that holds what it needs of an array of a band.
    pub(super) fn buffer(
        &self,
        traffic: usize,
        array: ArrayId,
        dims: &[Option<(Linear, i64)>],
        span: Option<Span>,
    ) -> Result<Buffer> {
        let scop = self.scop;
        let original = &scop.arrays[self.rounds.bands.traffic[traffic].array].name;
        let window = match (&self.turns, span) {
            (Some(turns), Some(span)) if self.plan.folded.contains(original) => {
                Some((span.dimension, turns.window(span)))
            }
            _ => None,
        };
        let (mut origin, mut extents, mut folded) = (Vec::new(), Vec::new(), Vec::new());
        for (d, bounds) in dims.iter().enumerate() {
            let window = window.filter(|(dimension, _)| *dimension == d);
            let (first, extent, fold) = match (bounds, window) {
                (Some((first, extent)), Some((_, window))) => {
                    (first.clone(), window.min(*extent), window < *extent)
                }
                (Some((first, extent)), None) => (first.clone(), *extent, false),
                (None, Some((_, window))) => (Linear::from(0), window, true),
                (None, None) => {
                    return Err(TransformError::Plan(format!(
                        "what a tile needs of `{original}` in dimension {d} has no constant size; \
                         tiles that overlap over time need a size for every dimension of space but \
                         one, along which they are executed in turns (`--shape right`)"
                    )));
                }
            };
            origin.push(first.of_tile(&scop.ctx, self.tile_dims())?);
            extents.push(extent);
            folded.push(fold);
        }
        Ok(Buffer {
            name: scop.arrays[array].name.clone(),
            array,
            kind: BufferKind::Local {
                scope: GROUP,
                origin,
                extents,
                folded,
            },
        })
    }

    /// What tiles need of an array of one band: per dimension the first cell and how many; `None`
    /// where that is no constant.
    pub(super) fn local(
        &self,
        steps: &[Lifted],
        array: ArrayId,
        phase: usize,
    ) -> Result<Vec<Option<(Linear, i64)>>> {
        let bands = &self.rounds.bands;
        let band = Linear::tile(0) * self.rounds.phases.len() as i64 + phase as i64;
        let mut candidates = vec![Linear::from(0), band * bands.iterations + bands.start];
        let own = (0..self.widths.len()).filter_map(|x| self.own(x));
        candidates.extend(own.map(|(begin, _)| begin));
        let mut accessed = Vec::new();
        for step in steps {
            let accesses = &self.scop.statements[step.statement].accesses;
            for (number, access) in accesses.iter().enumerate() {
                if access.array == array {
                    let cells = step.access(self.scop, number)?;
                    let cells = cells.intersect_params(&self.scop.context)?;
                    accessed.push(cells.wrap()?.flatten()?);
                }
            }
        }
        let rank = self.scop.arrays[array].extents.len();
        let mut dims = Vec::new();
        for d in 0..rank {
            let mut best: Option<(Linear, i64)> = None;
            for candidate in &candidates {
                let Some((low, high)) = self.reach(&accessed, rank - d, candidate)? else {
                    continue;
                };
                let extent = high - low + 1;
                if best.as_ref().is_none_or(|(_, other)| extent < *other) {
                    best = Some((candidate.clone() + low, extent));
                }
            }
            dims.push(best);
        }
        Ok(dims)
    }

    /// Between which numbers the dimension at `from_end` of cells is from a function of the tile.
    fn reach(
        &self,
        accessed: &[Set],
        from_end: usize,
        from: &Linear,
    ) -> Result<Option<(i64, i64)>> {
        let from = from.form()?;
        let mut range: Option<(i64, i64)> = None;
        for cells in accessed {
            if cells.is_empty()? {
                continue;
            }
            let local = LocalSpace::from_space(&cells.get_space()?)?;
            let at = cells.tuple_dim()? - from_end;
            let mut value = Aff::var_on_domain(&local, DimType::Set, at)?;
            for c in 0..self.tile_dims() {
                let factor = Val::int_from_si(&self.scop.ctx, -from.factor(&Variable::Tile(c)))?;
                value = value.add_coefficient_val(DimType::In, c, &factor)?;
            }
            let start = Val::int_from_si(&self.scop.ctx, -from.constant())?;
            let value = value.add_constant_val(&start)?;
            let least = cells.min_val(&value)?.to_i64();
            let most = cells.max_val(&value)?.to_i64();
            let bounded = least.zip(most);
            let Some((least, most)) = bounded.filter(|(a, b)| b - a < LARGEST_EXTENT) else {
                return Ok(None);
            };
            range = Some(match range {
                Some((low, high)) => (low.min(least), high.max(most)),
                None => (least, most),
            });
        }
        Ok(range.or(Some((0, 0))))
    }
}

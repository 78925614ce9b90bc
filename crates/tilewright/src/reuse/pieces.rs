//! Piecewise modulo allocation: cells of one array in several local arrays.
//!
//! The end of section 4 names what one modulus per dimension cannot do: in `floyd_warshall` a tile
//! of `path[i][j]` lives beside a part of the row `path[k][j]` and of the column `path[i][k]`, and
//! only moduli as large as the array keep all of them apart. Here accesses whose subscripts stay
//! near each other at the same point form a class. The cells of a class, strip by strip, are
//! folded by moduli of their own; a cell of several classes belongs to the one that needs least
//! memory. An array is taken apart only where that needs less memory for a sample of sizes
//! ([`defaults::REUSE_SAMPLE`]).

use super::accesses::ArrayAccesses;
use super::folding::{Folding, LocalArray, Memory, Part};
use super::lifetimes::counter;
use super::tiling::Tiling;
use crate::plan::defaults;
use crate::reuse::counts::counting::at;
use isl::{DimType, Map, Result, Set};

impl Folding<'_> {
    /// The local memory of every array, in pieces where that is less.
    ///
    /// # Errors
    /// isl's own.
    pub fn in_pieces(&self) -> Result<Memory> {
        let mut arrays = Vec::new();
        for own in &self.accesses.arrays {
            let whole = self.part(own, None)?;
            let parts = match self.pieces(own)? {
                Some(parts)
                    if self.sampled(&parts)? < self.sampled(std::slice::from_ref(&whole))? =>
                {
                    parts
                }
                _ => vec![whole],
            };
            arrays.push(LocalArray {
                array: own.array,
                parts,
            });
        }
        Ok(Memory { arrays })
    }

    /// An array's cells by classes of accesses; `None` where there is one class.
    fn pieces(&self, own: &ArrayAccesses) -> Result<Option<Vec<Part>>> {
        let classes = classes(self.tiling, own)?;
        if classes.len() < 2 {
            return Ok(None);
        }
        let mut sized = Vec::new();
        for cells in classes {
            let alone = self.part(own, Some(&cells))?;
            sized.push((self.sampled(&[alone])?, cells));
        }
        sized.sort_by_key(|(size, _)| *size);
        let cut = self.tiling.mapping.outer + self.tiling.first_in_strip();
        let touched = self.tiling.whole_strip()?.apply_range(&own.touched)?;
        let touched = touched.project_out(DimType::In, cut, self.tiling.strip)?;
        let mut taken: Option<Map> = None;
        let mut parts = Vec::new();
        for (number, (_, cells)) in sized.iter().enumerate() {
            let left = match &taken {
                Some(taken) => cells.subtract(taken)?.coalesce()?,
                None => cells.clone(),
            };
            let mut part = self.part(own, Some(&left))?;
            // The first piece that has a cell counts, and the last one has whatever is left.
            part.cells = if number + 1 == sized.len() {
                None
            } else {
                Some(cells.gist(&touched)?.coalesce()?)
            };
            parts.push(part);
            taken = Some(match taken {
                Some(taken) => taken.union(cells)?,
                None => cells.clone(),
            });
        }
        Ok(Some(parts))
    }

    /// Cells of local memory for a sample of sizes and parameters, for the worst strip.
    fn sampled(&self, parts: &[Part]) -> Result<i64> {
        let mut values = Vec::new();
        for param in 0..self.context.dim(DimType::Param)? {
            let name = self.context.get_dim_name(DimType::Param, param)?;
            // Counters of loops around the tiles have any value.
            let counters = 0..self.tiling.mapping.outer;
            if counters.map(counter).any(|counter| counter == name) {
                continue;
            }
            let size = if self.tiling.sizes.contains(&name) {
                defaults::REUSE_SAMPLE_TILE
            } else {
                defaults::REUSE_SAMPLE
            };
            values.push((name, size));
        }
        let fixed = at(self.context.ctx(), &values)?;
        let mut all = 0i64;
        for part in parts {
            all = all.saturating_add(part.size(&fixed)?);
        }
        Ok(all)
    }
}

/// The cells that classes of accesses touch, from strips. Two accesses are of one class where the
/// differences of their cells, at points that have both, are bounded by numbers.
fn classes(tiling: &Tiling, own: &ArrayAccesses) -> Result<Vec<Map>> {
    let mapping = &tiling.mapping;
    let origin = mapping.origin();
    let mut near: Vec<Map> = Vec::new();
    for cells in &own.each {
        near.push(cells.project_out(DimType::In, origin, mapping.dims - origin)?);
    }
    let mut class: Vec<usize> = (0..near.len()).collect();
    for b in 0..near.len() {
        for a in 0..b {
            if class[a] != class[b] && bounded(&near[a], &near[b])? {
                let (from, to) = (class[b], class[a]);
                class
                    .iter_mut()
                    .filter(|c| **c == from)
                    .for_each(|c| *c = to);
            }
        }
    }
    let strip = tiling.whole_strip()?;
    let cut = mapping.outer + tiling.first_in_strip();
    let mut all = Vec::new();
    for number in 0..near.len() {
        let mut cells: Option<Map> = None;
        for (of, access) in class.iter().zip(&own.each) {
            if *of == number {
                let own = strip.apply_range(access)?;
                cells = Some(match cells {
                    Some(cells) => cells.union(&own)?,
                    None => own,
                });
            }
        }
        if let Some(cells) = cells {
            let cells = cells.project_out(DimType::In, cut, tiling.strip)?;
            all.push(cells.remove_divs()?.coalesce()?);
        }
    }
    Ok(all)
}

/// Whether two accesses touch cells at the same points, at distances that no parameter stretches.
fn bounded(a: &Map, b: &Map) -> Result<bool> {
    let apart = a.reverse()?.apply_range(b)?.deltas()?;
    let apart: Set = apart.project_out_all_params()?;
    if apart.is_empty()? {
        return Ok(false);
    }
    for dim in 0..apart.tuple_dim()? {
        if !apart.dim_has_upper_bound(DimType::Set, dim)?
            || !apart.dim_has_lower_bound(DimType::Set, dim)?
        {
            return Ok(false);
        }
    }
    Ok(true)
}

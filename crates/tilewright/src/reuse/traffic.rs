//! How many elements are moved: per strip as a polynomial in problem and tile sizes, in total as a
//! sum over strips, and the tile sizes for which that is least.
//!
//! With full reuse the loads of a strip's tiles are disjoint, and together they are what the strip
//! reads from outside; the same holds for stores. So traffic does not depend on the sizes within
//! the strip, only on those that cut the space into strips.

use super::Result;
use super::counting::{Polynomial, Values, at, count, value};
use super::folding::Memory;
use super::tiling::{Tiling, names};
use super::transfers::Transfers;
use crate::plan::defaults;
use crate::scop::{ArrayId, Scop};
use isl::{DimType, Map, Set};

/// The traffic of strips.
#[derive(Clone, Debug)]
pub struct Traffic {
    /// One per accessed array.
    pub arrays: Vec<ArrayTraffic>,
    /// All points, in the dimensions of origins.
    points: Set,
}

/// That of one array. Strips are named by their first dimensions.
#[derive(Clone, Debug)]
pub struct ArrayTraffic {
    /// Which.
    pub array: ArrayId,
    /// From strips to cells loaded in them.
    pub loads: Map,
    /// From strips to cells stored by them.
    pub stores: Map,
    /// Cells loaded by a strip inside, off the diagonals, for many tiles of moderate size; by
    /// sampling. `None` where no polynomial passes through the samples.
    pub load_formula: Option<Polynomial>,
    /// The same for stores.
    pub store_formula: Option<Polynomial>,
}

/// Elements moved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moved {
    /// From external memory.
    pub loads: i64,
    /// To external memory.
    pub stores: i64,
    /// Both, in bytes.
    pub bytes: i64,
}

/// Sizes that were chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// One per tiled dimension.
    pub sizes: Vec<i64>,
    /// Predicted traffic.
    pub moved: Moved,
    /// Bytes of local memory.
    pub local: i64,
}

impl Traffic {
    /// The traffic of a tiling.
    ///
    /// # Errors
    /// isl's own.
    pub fn of(scop: &Scop, tiling: &Tiling, transfers: &Transfers) -> Result<Traffic> {
        let mapping = &tiling.mapping;
        let origin = mapping.origin();
        let strip = mapping.outer + tiling.first_in_strip();
        let mut points = Set::empty(&isl::Space::set_alloc(&scop.ctx, 0, origin)?)?;
        for map in mapping.theta.maps()? {
            let own = map.range()?;
            points = points.union(&own.project_out(DimType::Set, origin, mapping.dims - origin)?)?;
        }
        let mut arrays = Vec::new();
        for own in &transfers.arrays {
            let of_strip = |map: &Map| -> isl::Result<Map> {
                map.project_out(DimType::In, strip, origin - strip)?.coalesce()
            };
            arrays.push(ArrayTraffic {
                array: own.array,
                loads: of_strip(&own.load)?,
                stores: of_strip(&own.store)?,
                load_formula: None,
                store_formula: None,
            });
        }
        let mut all = Traffic { arrays, points };
        for number in 0..all.arrays.len() {
            let own = &all.arrays[number];
            let dims = scop.arrays[own.array].extents.len();
            let formulas = [&own.loads, &own.stores].map(|map| all.formula(scop, tiling, map, dims));
            let [loads, stores] = formulas;
            let (loads, stores) = (loads?, stores?);
            all.arrays[number].load_formula = loads;
            all.arrays[number].store_formula = stores;
        }
        Ok(all)
    }

    /// The first and last value of each dimension of strips, for these values.
    fn extents(&self, dims: usize, values: &Set) -> isl::Result<Option<Vec<(i64, i64)>>> {
        let points = self.points.intersect_params(values)?;
        let mut all = Vec::new();
        for dim in 0..dims {
            let first = value(&points.dim_min(dim)?, values)?;
            let last = value(&points.dim_max(dim)?, values)?;
            let (Some(first), Some(last)) = (first, last) else {
                return Ok(None);
            };
            all.push((first, last));
        }
        Ok(Some(all))
    }

    /// The number of cells for the strip inside, as a polynomial.
    fn formula(
        &self,
        scop: &Scop,
        tiling: &Tiling,
        map: &Map,
        dims: usize,
    ) -> Result<Option<Polynomial>> {
        let params = scop.params.iter();
        let mut base: Vec<(String, i64)> =
            params.map(|p| (p.name.clone(), defaults::REUSE_SAMPLE)).collect();
        let cut = tiling.first_in_strip();
        base.extend(tiling.sizes[..cut].iter().map(|s| (s.clone(), defaults::REUSE_SAMPLE_TILE)));
        // Within the strip, sizes do not matter.
        let rest: Vec<(String, i64)> = tiling.sizes[cut..]
            .iter()
            .map(|s| (s.clone(), defaults::REUSE_SAMPLE_TILE))
            .collect();
        let strip = tiling.mapping.outer + cut;
        let degree = u32::try_from(dims).unwrap_or(0);
        let found = Polynomial::through(&base, degree, |sample| {
            let all = [sample, &rest[..]].concat();
            let fixed = at(&scop.ctx, &all)?;
            let Some(extents) = self.extents(strip, &fixed)? else {
                return Ok(0);
            };
            let mut one = map.intersect_params(&fixed)?;
            for (dim, (first, last)) in extents.iter().enumerate() {
                // Not on a diagonal, where strips touch the same cells in two ways.
                let part = (dim as i64 + 1) * (last - first) / (strip as i64 + 1);
                let middle = first + part;
                let at = match dim.checked_sub(tiling.mapping.outer) {
                    None => middle,
                    Some(k) => {
                        let size = sample.iter().find(|v| v.0 == tiling.sizes[k]);
                        let size = size.map_or(1, |v| v.1);
                        middle.div_euclid(size) * size
                    }
                };
                one = one.fix_val(DimType::In, dim, &isl::Val::int_from_si(&scop.ctx, at)?)?;
            }
            count(&one.range()?)
        })?;
        Ok(found)
    }

    /// The elements that all strips move, counted; `values` are those of all parameters and sizes.
    ///
    /// # Errors
    /// isl's own: counting takes work that grows with the sizes.
    pub fn counted(&self, scop: &Scop, tiling: &Tiling, values: &Values) -> isl::Result<Moved> {
        let fixed = at(&scop.ctx, values)?;
        let mapping = &tiling.mapping;
        let strip = mapping.outer + tiling.first_in_strip();
        let aligned: Vec<String> = (0..strip)
            .map(|dim| match dim.checked_sub(mapping.outer) {
                None => format!("i{dim} = t{dim}"),
                Some(k) => {
                    let size = values.iter().find(|v| v.0 == tiling.sizes[k]).map_or(1, |v| v.1);
                    format!("i{dim} = {size} t{dim}")
                }
            })
            .collect();
        let condition = match aligned.is_empty() {
            true => "true".to_owned(),
            false => aligned.join(" and "),
        };
        let text = format!(
            "{{ [{}] -> [{}] : {condition} }}",
            names("t", strip),
            names("i", strip)
        );
        let aligned = Map::read_from_str(&scop.ctx, &text)?;
        let mut moved = Moved::default();
        for own in &self.arrays {
            let total = |map: &Map| -> isl::Result<i64> {
                count(&aligned.apply_range(&map.intersect_params(&fixed)?)?.wrap()?)
            };
            let (loads, stores) = (total(&own.loads)?, total(&own.stores)?);
            let bytes = scop.arrays[own.array].element.kind.bytes() as i64;
            moved.loads += loads;
            moved.stores += stores;
            moved.bytes += (loads + stores) * bytes;
        }
        Ok(moved)
    }

    /// The same from the formulas, with the length that each strip has between the first and the
    /// last point: exact where all strips are as the one sampled, but for their lengths. `None` where a
    /// formula is missing.
    ///
    /// # Errors
    /// isl's own.
    pub fn predicted(
        &self,
        scop: &Scop,
        tiling: &Tiling,
        values: &Values,
    ) -> isl::Result<Option<Moved>> {
        let mapping = &tiling.mapping;
        let strip = mapping.outer + tiling.first_in_strip();
        let fixed = at(&scop.ctx, values)?;
        let Some(extents) = self.extents(strip, &fixed)? else {
            return Ok(Some(Moved::default()));
        };
        // For each dimension the lengths of strips, and how many have them.
        let mut kinds: Vec<(Vec<(String, i64)>, i64)> = vec![(values.to_vec(), 1)];
        for (dim, (first, last)) in extents.into_iter().enumerate() {
            let lengths = match dim.checked_sub(mapping.outer) {
                None => vec![(1, last - first + 1)],
                Some(k) => {
                    let size = values.iter().find(|v| v.0 == tiling.sizes[k]).map_or(1, |v| v.1);
                    lengths(first, last, size)
                }
            };
            let mut next = Vec::new();
            for (known, times) in &kinds {
                for (length, number) in &lengths {
                    let mut known = known.clone();
                    if let Some(k) = dim.checked_sub(mapping.outer) {
                        for (name, value) in &mut known {
                            if *name == tiling.sizes[k] {
                                *value = *length;
                            }
                        }
                    }
                    next.push((known, times * number));
                }
            }
            kinds = next;
        }
        let mut moved = Moved::default();
        for own in &self.arrays {
            let bytes = scop.arrays[own.array].element.kind.bytes() as i64;
            let (Some(loads), Some(stores)) = (&own.load_formula, &own.store_formula) else {
                return Ok(None);
            };
            for (values, times) in &kinds {
                let (Some(loads), Some(stores)) = (loads.value(values), stores.value(values))
                else {
                    return Ok(None);
                };
                moved.loads += times * loads.max(0);
                moved.stores += times * stores.max(0);
                moved.bytes += times * (loads.max(0) + stores.max(0)) * bytes;
            }
        }
        Ok(Some(moved))
    }

    /// The tile sizes with least predicted traffic among those whose local memory has at most
    /// `limit` bytes; of several the ones with fewest tiles. `values` are the parameters'. Where
    /// a formula is missing, traffic is counted. `None` where no sizes fit.
    ///
    /// # Errors
    /// isl's own.
    pub fn least(
        &self,
        scop: &Scop,
        tiling: &Tiling,
        memory: &Memory,
        values: &Values,
        limit: i64,
    ) -> isl::Result<Option<Choice>> {
        let mut best: Option<(i64, i64, Choice)> = None;
        let origin = tiling.mapping.origin();
        let fixed = at(&scop.ctx, values)?;
        let Some(extents) = self.extents(origin, &fixed)? else {
            return Ok(None);
        };
        let mut candidates: Vec<Vec<i64>> = vec![Vec::new()];
        for (first, last) in &extents[tiling.mapping.outer..] {
            let own = tried(last - first + 1);
            candidates = candidates
                .into_iter()
                .flat_map(|before| own.iter().map(move |next| [&before[..], &[*next]].concat()))
                .collect();
        }
        for sizes in candidates {
            let mut all = values.to_vec();
            all.extend(tiling.sizes.iter().cloned().zip(sizes.iter().copied()));
            let local = self.bytes(scop, memory, &all)?;
            if local > limit {
                continue;
            }
            let moved = match self.predicted(scop, tiling, &all)? {
                Some(moved) => moved,
                None => self.counted(scop, tiling, &all)?,
            };
            let points = -sizes.iter().product::<i64>();
            let better = best.as_ref().is_none_or(|b| (moved.bytes, points) < (b.0, b.1));
            if better {
                best = Some((moved.bytes, points, Choice {
                    sizes,
                    moved,
                    local,
                }));
            }
        }
        Ok(best.map(|(.., choice)| choice))
    }

    /// Bytes of local memory for these values, for the worst strip.
    ///
    /// # Errors
    /// isl's own.
    pub fn bytes(&self, scop: &Scop, memory: &Memory, values: &Values) -> isl::Result<i64> {
        let fixed = at(&scop.ctx, values)?;
        let mut all = 0;
        for local in &memory.arrays {
            let mut cells = 1i64;
            for modulus in &local.moduli {
                cells = cells.saturating_mul(value(modulus, &fixed)?.unwrap_or(1));
            }
            let bytes = scop.arrays[local.array].element.kind.bytes() as i64;
            all += cells.saturating_mul(bytes);
        }
        Ok(all)
    }
}

/// Sizes that are tried for a dimension of this length: those that cut it into equal parts, up to
/// rounding, as far apart as [`defaults::REUSE_STEP`] says.
fn tried(length: i64) -> Vec<i64> {
    let mut all = Vec::new();
    let mut parts = 1.0f64;
    while (parts as i64) <= length {
        let size = (length + parts as i64 - 1) / (parts as i64);
        if all.last() != Some(&size) {
            all.push(size);
        }
        parts = (parts * defaults::REUSE_STEP).max(parts + 1.0).floor();
    }
    if all.last() != Some(&1) {
        all.push(1);
    }
    all
}

/// Lengths of the parts into which multiples of `size` cut a range, and how many have them.
fn lengths(first: i64, last: i64, size: i64) -> Vec<(i64, i64)> {
    let (low, high) = (first.div_euclid(size), last.div_euclid(size));
    if low == high {
        return vec![(last - first + 1, 1)];
    }
    let all = [
        ((low + 1) * size - first, 1),
        (size, high - low - 1),
        (last - high * size + 1, 1),
    ];
    all.into_iter().filter(|(_, number)| *number > 0).collect()
}

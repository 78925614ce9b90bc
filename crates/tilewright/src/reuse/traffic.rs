//! How many elements are moved: per strip as polynomials in problem and tile sizes and the strip's
//! place, in total as a sum over strips, and the tile sizes for which that is least.
//!
//! With full reuse the loads of a strip's tiles are disjoint, and together they are what the strip
//! reads from outside; the same holds for stores. So traffic does not depend on the sizes within
//! the strip, only on those that cut the space into strips.

use super::Result;
use super::folding::Memory;
use super::tiling::{Tiling, names};
use super::transfers::Transfers;
use crate::plan::defaults;
use crate::reuse::counts::counting::{Polynomial, Values, at, count, value};
use crate::reuse::counts::summation::{Count, Uncounted};
use crate::reuse::counts::totals::{counted_cases, size_of, variables};
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
    /// Cells loaded by any strip, exactly, over parameters, tile sizes and the strip's first
    /// dimensions, `i0`, …; `None` where that is no polynomial, case by case.
    pub load_count: Option<Count>,
    /// The same for stores.
    pub store_count: Option<Count>,
    /// Cells loaded by a strip inside, off the diagonals, for many tiles of moderate size: the
    /// case of `load_count` there, or else by sampling. `None` where no polynomial passes through
    /// the samples.
    pub load_formula: Option<Polynomial>,
    /// The same for stores.
    pub store_formula: Option<Polynomial>,
    /// Why a count is missing.
    pub uncounted: Option<Uncounted>,
}

/// Elements moved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Moved {
    /// From external memory.
    pub loads: i64,
    /// To external memory.
    pub stores: i64,
    /// Both, in bytes.
    pub bytes: i64,
}

impl Moved {
    /// With so many elements more, `times` over; `None` where a number gets too large.
    pub(super) fn plus(self, (loads, stores): (i64, i64), times: i64, bytes: i64) -> Option<Moved> {
        let (loads, stores) = (loads.checked_mul(times)?, stores.checked_mul(times)?);
        let both = loads.checked_add(stores)?.checked_mul(bytes)?;
        Some(Moved {
            loads: self.loads.checked_add(loads)?,
            stores: self.stores.checked_add(stores)?,
            bytes: self.bytes.checked_add(both)?,
        })
    }
}

/// Sizes that were chosen.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
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
        let mut points = Set::empty(&isl::Space::set_alloc(&scop.ctx, 0, origin)?)?;
        for map in mapping.theta.maps()? {
            let own = map.range()?;
            points =
                points.union(&own.project_out(DimType::Set, origin, mapping.dims - origin)?)?;
        }
        let mut arrays = Vec::new();
        for own in &transfers.arrays {
            arrays.push(ArrayTraffic {
                array: own.array,
                loads: own.strip_load.clone(),
                stores: own.strip_store.clone(),
                load_count: None,
                store_count: None,
                load_formula: None,
                store_formula: None,
                uncounted: None,
            });
        }
        let mut all = Traffic { arrays, points };
        let variables = variables(scop, tiling);
        for number in 0..all.arrays.len() {
            let own = &all.arrays[number];
            let counts = [&own.loads, &own.stores].map(|map| counted_cases(map, &variables));
            let [loads, stores] = counts;
            let (loads, stores) = (loads?, stores?);
            let why = |count: &std::result::Result<Count, Uncounted>| count.as_ref().err().copied();
            let uncounted = why(&loads).or(why(&stores));
            let (loads, stores) = (loads.ok(), stores.ok());
            let dims = scop.arrays[own.array].extents.len();
            let load_formula = all.formula(scop, tiling, &own.loads, loads.as_ref(), dims)?;
            let store_formula = all.formula(scop, tiling, &own.stores, stores.as_ref(), dims)?;
            let own = &mut all.arrays[number];
            (own.load_formula, own.store_formula) = (load_formula, store_formula);
            (own.load_count, own.store_count) = (loads, stores);
            own.uncounted = uncounted;
        }
        Ok(all)
    }

    /// The first and last value of each dimension of strips, for these values.
    pub(super) fn extents(
        &self,
        dims: usize,
        values: &Set,
    ) -> isl::Result<Option<Vec<(i64, i64)>>> {
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
        count_of: Option<&Count>,
        dims: usize,
    ) -> Result<Option<Polynomial>> {
        let params = scop.params.iter();
        let mut base: Vec<(String, i64)> = params
            .map(|p| (p.name.clone(), defaults::REUSE_SAMPLE))
            .collect();
        let cut = tiling.first_in_strip();
        base.extend(
            tiling.sizes[..cut]
                .iter()
                .map(|s| (s.clone(), defaults::REUSE_SAMPLE_TILE)),
        );
        // Within the strip, sizes do not matter.
        let rest: Vec<(String, i64)> = tiling.sizes[cut..]
            .iter()
            .map(|s| (s.clone(), defaults::REUSE_SAMPLE_TILE))
            .collect();
        let strip = tiling.mapping.outer + cut;
        let degree = u32::try_from(dims).unwrap_or(0);
        // The strip that is looked at: inside in each dimension, given those before.
        let place = |sample: &Values, fixed: &Set| -> isl::Result<Option<Vec<i64>>> {
            let mut points = self.points.intersect_params(fixed)?;
            let mut all = Vec::new();
            for dim in 0..strip {
                let first = value(&points.dim_min(dim)?, fixed)?;
                let last = value(&points.dim_max(dim)?, fixed)?;
                let (Some(first), Some(last)) = (first, last) else {
                    return Ok(None);
                };
                // Not on a diagonal, where strips touch the same cells in two ways.
                let part = (dim as i64 + 1) * (last - first) / (strip as i64 + 1);
                let size = size_of(tiling, sample, dim);
                let at = (first + part).div_euclid(size) * size;
                all.push(at);
                let val = |of: i64| isl::Val::int_from_si(&scop.ctx, of);
                points = points.lower_bound_val(DimType::Set, dim, &val(at)?)?;
                points = points.upper_bound_val(DimType::Set, dim, &val(at + size - 1)?)?;
            }
            Ok(Some(all))
        };
        if let Some(counted) = count_of {
            let all = [&base[..], &rest].concat();
            let Some(place) = place(&base, &at(&scop.ctx, &all)?)? else {
                return Ok(None);
            };
            let values: Vec<i64> = all.iter().map(|v| v.1).chain(place).collect();
            return Ok(counted.polynomial(&values));
        }
        let found = Polynomial::through(&base, degree, |sample| {
            let all = [sample, &rest[..]].concat();
            let fixed = at(&scop.ctx, &all)?;
            let Some(place) = place(sample, &fixed)? else {
                return Ok(0);
            };
            let mut one = map.intersect_params(&fixed)?;
            for (dim, at) in place.into_iter().enumerate() {
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
                Some(_) => format!("i{dim} = {} t{dim}", size_of(tiling, values, dim)),
            })
            .collect();
        let condition = if aligned.is_empty() {
            "true".to_owned()
        } else {
            aligned.join(" and ")
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
                count(
                    &aligned
                        .apply_range(&map.intersect_params(&fixed)?)?
                        .wrap()?,
                )
            };
            let (loads, stores) = (total(&own.loads)?, total(&own.stores)?);
            let bytes = scop.arrays[own.array].element.kind.bytes() as i64;
            moved.loads += loads;
            moved.stores += stores;
            moved.bytes += (loads + stores) * bytes;
        }
        Ok(moved)
    }

    /// The same from formulas: exactly, where there are counts of all strips; otherwise by the
    /// polynomials of strips inside, with the length that each strip has between the first and the
    /// last point. `None` where a formula is missing.
    ///
    /// # Errors
    /// isl's own.
    pub fn predicted(
        &self,
        scop: &Scop,
        tiling: &Tiling,
        values: &Values,
    ) -> isl::Result<Option<Moved>> {
        let strip = tiling.mapping.outer + tiling.first_in_strip();
        let fixed = at(&scop.ctx, values)?;
        Ok(match self.extents(strip, &fixed)? {
            Some(extents) => self.predicted_in(scop, tiling, values, &extents),
            None => Some(Moved::default()),
        })
    }

    /// The same, given the first and last value of each dimension.
    fn predicted_in(
        &self,
        scop: &Scop,
        tiling: &Tiling,
        values: &Values,
        extents: &[(i64, i64)],
    ) -> Option<Moved> {
        if let Some(moved) = self.summed(scop, tiling, values, extents) {
            return Some(moved);
        }
        let mapping = &tiling.mapping;
        // For each dimension the lengths of strips, and how many have them.
        let mut kinds: Vec<(Vec<(String, i64)>, i64)> = vec![(values.to_vec(), 1)];
        for (dim, &(first, last)) in extents.iter().enumerate() {
            let lengths = match dim.checked_sub(mapping.outer) {
                None => vec![(1, last - first + 1)],
                Some(_) => lengths(first, last, size_of(tiling, values, dim)),
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
                    next.push((known, times.checked_mul(*number)?));
                }
            }
            kinds = next;
        }
        let mut moved = Moved::default();
        for own in &self.arrays {
            let bytes = scop.arrays[own.array].element.kind.bytes() as i64;
            let loads = own.load_formula.as_ref()?;
            let stores = own.store_formula.as_ref()?;
            for (values, times) in &kinds {
                let loads = loads.value(values)?.max(0);
                let stores = stores.value(values)?.max(0);
                moved = moved.plus((loads, stores), *times, bytes)?;
            }
        }
        Some(moved)
    }

    /// Whether there are formulas of all that is moved.
    pub(super) fn is_known(&self) -> bool {
        let known = |own: &ArrayTraffic| own.load_formula.is_some() && own.store_formula.is_some();
        self.arrays.iter().all(known)
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
        let origin = tiling.mapping.origin();
        let cut = tiling.first_in_strip();
        let strip = tiling.mapping.outer + cut;
        let fixed = at(&scop.ctx, values)?;
        let Some(extents) = self.extents(origin, &fixed)? else {
            return Ok(None);
        };
        let combined = |extents: &[(i64, i64)]| {
            let mut all: Vec<Vec<i64>> = vec![Vec::new()];
            for (first, last) in extents {
                let own = tried(last - first + 1);
                all = all
                    .into_iter()
                    .flat_map(|before| own.iter().map(move |next| [&before[..], &[*next]].concat()))
                    .collect();
            }
            // Large ones first.
            all.sort_by_key(|sizes| std::cmp::Reverse(sizes.iter().product::<i64>()));
            all
        };
        let valued = |sizes: &[i64]| -> Vec<(String, i64)> {
            let sizes = tiling.sizes.iter().cloned().zip(sizes.iter().copied());
            values.iter().cloned().chain(sizes).collect()
        };
        let ones = vec![1; tiling.strip];
        let mut across = Vec::new();
        for sizes in combined(&extents[tiling.mapping.outer..strip]) {
            let all = valued(&[&sizes[..], &ones].concat());
            let moved = match self.predicted_in(scop, tiling, &all, &extents[..strip]) {
                Some(moved) => moved,
                None if self.is_known() => {
                    let text = "more elements are moved than 64 bits count; give smaller values";
                    return Err(isl::Error::new(isl::ErrorKind::Unsupported, text));
                }
                None if self.bytes(scop, memory, &all)? > limit => continue,
                None => self.counted(scop, tiling, &all)?,
            };
            across.push((moved, sizes));
        }
        across.sort_by_key(|(moved, _)| moved.bytes);
        for (moved, sizes) in across {
            if self.bytes(scop, memory, &valued(&[&sizes[..], &ones].concat()))? > limit {
                continue;
            }
            // Within the strip, the largest tiles that fit.
            for along in combined(&extents[strip..]) {
                let sizes = [&sizes[..], &along].concat();
                let local = self.bytes(scop, memory, &valued(&sizes))?;
                if local <= limit {
                    return Ok(Some(Choice {
                        sizes,
                        moved,
                        local,
                    }));
                }
            }
        }
        Ok(None)
    }

    /// Bytes of local memory for these values, for the worst strip.
    ///
    /// # Errors
    /// isl's own.
    pub fn bytes(&self, scop: &Scop, memory: &Memory, values: &Values) -> isl::Result<i64> {
        let fixed = at(&scop.ctx, values)?;
        let mut all = 0;
        for local in &memory.arrays {
            let bytes = scop.arrays[local.array].element.kind.bytes() as i64;
            for part in &local.parts {
                all += part.size(&fixed)?.saturating_mul(bytes);
            }
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

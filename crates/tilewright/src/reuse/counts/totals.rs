//! Totals of traffic: exact counts of single strips, summed over all of them, and polynomials
//! through such sums.

use crate::plan::defaults;
use crate::reuse::counts::counting::{Polynomial, Values, at};
use crate::reuse::counts::summation::{Count, Uncounted};
use crate::reuse::tiling::Tiling;
use crate::reuse::traffic::{Moved, Traffic};
use crate::scop::Scop;
use isl::{DimType, Map, Set};

/// Degrees up to which totals are tried.
const MAX_DEGREE: u32 = 4;

/// Elements moved in total, where the numbers of strips are whole.
#[derive(Clone, Debug)]
pub struct Total {
    /// Over parameters, tile sizes, and the numbers of strips, which stand for a parameter each.
    pub elements: Polynomial,
}

impl Traffic {
    /// The sum of exact counts over all strips: symbolic along the last dimension of strips, one
    /// by one along the others. `None` where a count is missing or there are too many strips.
    pub(crate) fn summed(
        &self,
        scop: &Scop,
        tiling: &Tiling,
        values: &Values,
        extents: &[(i64, i64)],
    ) -> Option<Moved> {
        let names = variables(scop, tiling);
        let known = &names[..names.len() - extents.len()];
        let mut places: Vec<Vec<i64>> = vec![Vec::new()];
        for name in known {
            let value = values.iter().find(|v| v.0 == *name)?.1;
            places[0].push(value);
        }
        // The first, the last and the step of each dimension.
        let ranges = extents.iter().enumerate().map(|(dim, (first, last))| {
            let step = size_of(tiling, values, dim);
            (first.div_euclid(step) * step, *last, step)
        });
        let ranges: Vec<(i64, i64, i64)> = ranges.collect();
        let (along, across) = match ranges.split_last() {
            Some((along, across)) => (Some(*along), across),
            None => (None, &ranges[..]),
        };
        for &(first, last, step) in across {
            let number = last.checked_sub(first)? / step + 1;
            if number.checked_mul(places.len() as i64)? > defaults::REUSE_STRIPS {
                return None;
            }
            places = places
                .into_iter()
                .flat_map(|place| {
                    (0..number).map(move |k| [&place[..], &[first + k * step]].concat())
                })
                .collect();
        }
        let mut moved = Moved::default();
        for own in &self.arrays {
            let bytes = scop.arrays[own.array].element.kind.bytes() as i64;
            let (loads, stores) = (own.load_count.as_ref()?, own.store_count.as_ref()?);
            for place in &places {
                let number = |count: &Count| match along {
                    Some(range) => {
                        count.total(&[&place[..], &[range.0]].concat(), names.len() - 1, range)
                    }
                    None => count.value(place),
                };
                moved = moved.plus((number(loads)?, number(stores)?), 1, bytes)?;
            }
        }
        Some(moved)
    }

    /// The elements moved in total, as a polynomial for strips that are all whole: each dimension
    /// that strips cut is `q` tiles long, which fixes a parameter. Found from sums of exact counts
    /// for small numbers and checked at further ones. `None` where there are no counts, or no such
    /// polynomial of moderate degree.
    ///
    /// # Errors
    /// isl's own.
    pub fn total(&self, scop: &Scop, tiling: &Tiling) -> isl::Result<Option<Total>> {
        let cut = tiling.first_in_strip();
        let strip = tiling.mapping.outer + cut;
        let params: Vec<String> = scop.params.iter().map(|p| p.name.clone()).collect();
        let sample = |params: &Values| -> Vec<(String, i64)> {
            let sizes = tiling.sizes.iter();
            let sizes = sizes.map(|s| (s.clone(), defaults::REUSE_SAMPLE_TILE));
            params.iter().cloned().chain(sizes).collect()
        };
        let plain: Vec<(String, i64)> = params
            .iter()
            .map(|p| (p.clone(), defaults::REUSE_SAMPLE))
            .collect();
        let length = |params: &Values, dim: usize| -> isl::Result<Option<i64>> {
            let fixed = at(&scop.ctx, &sample(params))?;
            let extents = self.extents(strip, &fixed)?;
            Ok(extents.map(|extents| extents[dim].1 + 1))
        };
        // For each cut dimension the parameter that it grows with, and what is between.
        let mut tied: Vec<(usize, i64)> = Vec::new();
        for dim in tiling.mapping.outer..strip {
            let Some(own) = length(&plain, dim)? else {
                return Ok(None);
            };
            let mut grows = Vec::new();
            for param in 0..params.len() {
                let mut longer = plain.clone();
                longer[param].1 += 1;
                if length(&longer, dim)? != Some(own) {
                    grows.push((param, length(&longer, dim)? == Some(own + 1)));
                }
            }
            // With this parameter alone, and one for one.
            match grows[..] {
                [(param, true)] if tied.iter().all(|(known, _)| *known != param) => {
                    tied.push((param, plain[param].1 - own));
                }
                _ => return Ok(None),
            }
        }
        let mut base: Vec<(String, i64)> = Vec::new();
        for (k, (param, apart)) in tied.iter().enumerate() {
            let param = &params[*param];
            let length = match apart.signum() {
                0 => param.clone(),
                1 => format!("({param} - {apart})"),
                _ => format!("({param} + {})", -apart),
            };
            base.push((format!("({length}/{})", tiling.sizes[k]), 3));
        }
        base.extend(tiling.sizes[..cut].iter().map(|s| (s.clone(), 2)));
        for (k, name) in params.iter().enumerate() {
            if tied.iter().all(|(param, _)| *param != k) {
                base.push((name.clone(), defaults::REUSE_SAMPLE));
            }
        }
        for degree in 1..=MAX_DEGREE {
            let missing = || isl::Error::new(isl::ErrorKind::Unsupported, "no count");
            let found = Polynomial::through(&base, degree, |point| {
                let mut values = plain.clone();
                for (k, (param, apart)) in tied.iter().enumerate() {
                    values[*param].1 = point[k].1 * point[tied.len() + k].1 + apart;
                }
                for (name, value) in &point[tied.len() + cut..] {
                    for own in values.iter_mut().filter(|own| own.0 == *name) {
                        own.1 = *value;
                    }
                }
                let sizes = tiling.sizes.iter().enumerate().map(|(k, name)| {
                    let size = point.get(tied.len() + k).filter(|_| k < cut);
                    (
                        name.clone(),
                        size.map_or(defaults::REUSE_SAMPLE_TILE, |s| s.1),
                    )
                });
                values.extend(sizes);
                let Some(extents) = self.extents(strip, &at(&scop.ctx, &values)?)? else {
                    return Ok(0);
                };
                let moved = self.summed(scop, tiling, &values, &extents);
                moved
                    .map(|moved| moved.loads + moved.stores)
                    .ok_or_else(missing)
            });
            match found {
                Ok(Some(elements)) => return Ok(Some(Total { elements })),
                Ok(None) => {}
                // Without counts there are none for other degrees.
                Err(error) if !error.is_quota() => return Ok(None),
                Err(error) => return Err(error),
            }
        }
        Ok(None)
    }
}

/// What counts of strips depend on: parameters, tile sizes, and the strip's first dimensions.
pub(crate) fn variables(scop: &Scop, tiling: &Tiling) -> Vec<String> {
    let strip = tiling.mapping.outer + tiling.first_in_strip();
    let params = scop.params.iter().map(|p| p.name.clone());
    let known = params.chain(tiling.sizes.iter().cloned());
    known
        .chain((0..strip).map(|dim| format!("i{dim}")))
        .collect()
}

/// The size of tiles in a dimension of origins; 1 for loops around them.
pub(crate) fn size_of(tiling: &Tiling, values: &Values, dim: usize) -> i64 {
    let size = dim.checked_sub(tiling.mapping.outer).and_then(|k| {
        let own = values.iter().find(|v| v.0 == tiling.sizes[k]);
        own.map(|v| v.1)
    });
    size.unwrap_or(1)
}

/// The number of cells of each strip, over these variables.
pub(crate) fn counted_cases(
    map: &Map,
    variables: &[String],
) -> isl::Result<Result<Count, Uncounted>> {
    let strip = map.domain_tuple_dim()?;
    let mut own = map.clone();
    let first = variables.len() - strip;
    // A parameter with the name of a dimension.
    if variables[..first]
        .iter()
        .any(|name| variables[first..].contains(name))
    {
        return Ok(Err(Uncounted::Parts));
    }
    for (dim, name) in variables[first..].iter().enumerate() {
        own = own.set_dim_name(DimType::In, dim, name)?;
    }
    let params = own.dim(DimType::Param)?;
    let own = own.move_dims(DimType::Param, params, DimType::In, 0, strip)?;
    // All variables, in their order.
    let text = format!("[{}] -> {{ : }}", variables.join(", "));
    let all = Set::read_from_str(map.ctx(), &text)?;
    let cells = own.range()?.align_params(&all.get_space()?)?;
    let cells = cells.reset_tuple_id()?;
    match Count::of(&cells) {
        Err(error) if error.is_quota() => {
            map.ctx().reset_operations();
            Ok(Err(Uncounted::Parts))
        }
        found => Ok(found?.and_then(|count| {
            if count.variables == variables {
                Ok(count)
            } else {
                Err(Uncounted::Parts)
            }
        })),
    }
}

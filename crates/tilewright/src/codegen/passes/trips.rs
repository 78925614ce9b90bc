//! Loops that would run over very many iterations in which nothing is done.
//!
//! Where statements of one loop are executed in parts that lie apart for some parameters, isl bounds
//! the loop by a convex set around all parts and all parameters: sizes that may be very negative,
//! and variables of 32 bits, leave bounds such as `n + 2147483648`. Such a loop computes what it
//! should, in years. Whether there is one is asked of the bounds themselves, at small parameters.

use crate::codegen::kernel::{Index, Node};
use crate::codegen::terms::number::{Unknown, number};
use crate::scop::Scop;
use crate::transform::Transformed;
use isl::{DimType, Error, ErrorKind, Result, Set};

/// What all parameters are, by turns, as far as a region is executed for it.
const PARAMETERS: [i64; 6] = [0, 1, 2, 3, 9, 64];

/// Iterations that all loops may have together before it is asked how many instances there are: they
/// take some microseconds.
const FEW: f64 = 16384.0;

/// The same where bounds are data, whose loops mostly end before their static bounds.
const FEW_WITH_DATA: f64 = 1048576.0;

/// Iterations per instance that are sensible: tiles are partial, schedules are skewed.
const PER_INSTANCE: f64 = 64.0;

/// Loops inside each other of which several iterations are looked at; of those further inside, one.
const SAMPLED: usize = 5;

/// Refuses loops that would run over very many iterations for very few instances.
///
/// # Errors
/// [`ErrorKind::Unsupported`] where there is such a loop; isl's own.
pub(crate) fn check(scop: &Scop, transformed: &Transformed, body: &[Node]) -> Result<()> {
    for value in PARAMETERS {
        let params = vec![value; scop.params.len()];
        let mut walk = Walk {
            params: &params,
            variables: Vec::new(),
        };
        let iterations = walk.all(body);
        let few = if scop.loops.bounds.is_empty() {
            FEW
        } else {
            FEW_WITH_DATA
        };
        if iterations <= few {
            continue;
        }
        let Some(instances) = instances(scop, transformed, value)? else {
            continue;
        };
        if iterations > PER_INSTANCE * instances as f64 {
            return Err(Error::new(
                ErrorKind::Unsupported,
                format!(
                    "loops with about {iterations:.0} iterations for at most {instances} statement \
                     instances"
                ),
            ));
        }
    }
    Ok(())
}

/// A walk through some iterations of all loops.
struct Walk<'a> {
    params: &'a [i64],
    variables: Vec<(&'a str, i64)>,
}

impl<'a> Walk<'a> {
    fn number(&self, index: &Index) -> Option<i64> {
        let mut read = |_, _| {
            Err(Unknown {
                name: String::new(),
            })
        };
        number(index, self.params, &self.variables, &mut read).ok()
    }

    fn all(&mut self, nodes: &'a [Node]) -> f64 {
        nodes.iter().map(|node| self.iterations(node)).sum()
    }

    /// About how many iterations the loops at and below the node have together: those of loops
    /// inside are taken from the first, the last and the middle iteration of a loop around them.
    fn iterations(&mut self, node: &'a Node) -> f64 {
        match node {
            Node::For(each) => {
                // Bounds that are data are not known.
                let (Some(lower), Some(upper)) =
                    (self.number(&each.lower), self.number(&each.upper))
                else {
                    return 0.0;
                };
                if lower > upper {
                    return 0.0;
                }
                let step = each.step.max(1);
                let trips = (upper.saturating_sub(lower) / step).saturating_add(1);
                let last = lower.saturating_add((trips - 1).saturating_mul(step));
                let middle = lower.saturating_add((trips / 2).saturating_mul(step));
                let mut samples = vec![lower, middle, last];
                if self.variables.len() >= SAMPLED {
                    samples = vec![middle];
                }
                samples.dedup();
                let mut inside = 0.0;
                for &value in &samples {
                    self.variables.push((&each.var, value));
                    inside += self.all(&each.body);
                    self.variables.pop();
                }
                trips as f64 * (1.0 + inside / samples.len() as f64)
            }
            Node::If {
                condition,
                then,
                otherwise,
            } => match self.number(condition) {
                Some(0) => self.all(otherwise),
                Some(_) => self.all(then),
                None => self.all(then).max(self.all(otherwise)),
            },
            other => other.children().map(|node| self.iterations(node)).sum(),
        }
    }
}

/// The most statement instances where all parameters have the value: those of the boxes around them.
/// `None` where the region is not executed then, or nothing bounds them.
fn instances(scop: &Scop, transformed: &Transformed, value: i64) -> Result<Option<i64>> {
    let mut point = scop.context.clone();
    for number in 0..point.dim(DimType::Param)? {
        point = point.fix_si(DimType::Param, number, value as i32)?;
    }
    if point.is_empty()? {
        return Ok(None);
    }
    let mut all = 0_i64;
    for lifted in &transformed.statements {
        let here = lifted.domain.intersect_params(&point)?;
        if here.is_empty()? {
            continue;
        }
        let mut volume = 1_i64;
        for dim in 0..here.dim(DimType::Set)? {
            let Some(extent) = extent(&here, dim)? else {
                return Ok(None);
            };
            volume = volume.saturating_mul(extent);
        }
        all = all.saturating_add(volume);
    }
    Ok(Some(all))
}

/// Values that a dimension has, at most.
fn extent(set: &Set, dim: usize) -> Result<Option<i64>> {
    if !set.dim_has_lower_bound(DimType::Set, dim)?
        || !set.dim_has_upper_bound(DimType::Set, dim)?
    {
        return Ok(None);
    }
    let (first, last) = (set.dim_min_val(dim)?, set.dim_max_val(dim)?);
    let extent = last.sub(&first)?.to_i64();
    Ok(extent.map(|extent| extent.saturating_add(1)))
}

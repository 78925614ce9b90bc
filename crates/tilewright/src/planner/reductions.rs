//! What becomes of sums into cells that data picks (Zhao, thesis 2018, part II): parts that are
//! added up, atomic updates, or a sequential loop.
//!
//! Parts cost their memory, twice gone over, and updates nothing: they are chosen on processors
//! where a copy of the array is small ([`defaults::PARTIAL_BYTES`]). Atomic updates cost several
//! ordinary ones each, on processors: they are chosen where there are many cores
//! ([`defaults::ATOMIC_CORES`]), and on devices, where there are thousands of threads and copies
//! for them would be too many.

use super::wishes::{Reductions, Wishes};
use crate::analysis::model::estimates::estimates;
use crate::analysis::reductions::{Reduction, reductions};
use crate::plan::defaults;
use crate::plan::entries::Parts;
use crate::scop::Scop;
use isl::{DimType, Result};

/// What is to become of the sums of a region.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// Those in parts.
    pub partial: Vec<Parts>,
    /// Arrays with atomic updates.
    pub atomic: Vec<String>,
}

impl Choice {
    /// Whether all sums stay as they are.
    pub fn is_empty(&self) -> bool {
        self.partial.is_empty() && self.atomic.is_empty()
    }
}

/// Decides for all sums that may be reordered; `alone`: the region would run on one thread as it is.
/// Counts and sums over everything are for several threads then, and no reason to do without
/// another order or other loops in parallel.
///
/// # Errors
/// isl's own.
pub fn choose(scop: &Scop, wishes: &Wishes, alone: bool) -> Result<Choice> {
    let mut choice = Choice::default();
    if wishes.sums.reductions == Reductions::None || !wishes.processor.parallel {
        return Ok(choice);
    }
    let copies = match wishes.device {
        Some(_) => defaults::DEVICE_PARTIAL_COPIES,
        None => defaults::PARTIAL_COPIES,
    };
    for sum in reductions(scop) {
        if !(sum.exact || sum.said || wishes.sums.reassociate) {
            continue;
        }
        let chosen = alone && wishes.device.is_none() && wishes.sums.reductions == Reductions::Auto;
        if sum.is_of_one_cell(scop) && !chosen {
            continue;
        }
        let array = scop.arrays[sum.array].name.clone();
        let parts = || Parts {
            array: array.clone(),
            copies,
        };
        match wishes.sums.reductions {
            Reductions::Privatise => choice.partial.push(parts()),
            Reductions::Atomic => choice.atomic.push(array),
            Reductions::Auto if wishes.device.is_some() => choice.atomic.push(array),
            Reductions::Auto if bytes(scop, &sum, wishes)? <= defaults::PARTIAL_BYTES => {
                choice.partial.push(parts());
            }
            Reductions::Auto if wishes.machine.cores >= defaults::ATOMIC_CORES => {
                choice.atomic.push(array);
            }
            Reductions::Auto | Reductions::None => {}
        }
    }
    Ok(choice)
}

/// Bytes of an array, with the parameters' expected values.
fn bytes(scop: &Scop, sum: &Reduction, wishes: &Wishes) -> Result<i64> {
    let array = &scop.arrays[sum.array];
    let values = estimates(scop, &wishes.estimates)?;
    let mut bytes = array.element.kind.bytes() as i64;
    for extent in &array.extents {
        let Some(extent) = &extent.affine else {
            return Ok(i64::MAX);
        };
        let mut params = extent.domain()?;
        for (param, value) in scop.params.iter().zip(&values) {
            let position = params.find_dim_by_name(DimType::Param, &param.name)?;
            if let (Some(position), Ok(value)) = (position, i32::try_from(*value)) {
                params = params.fix_si(DimType::Param, position, value)?;
            }
        }
        let most = extent.intersect_params(&params)?.max_val()?.to_i64();
        bytes = bytes.saturating_mul(most.unwrap_or(i64::MAX));
    }
    Ok(bytes)
}

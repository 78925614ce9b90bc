//! Whether accesses and dependences are the same.

use crate::scop::{Access, Scop};
use isl::{Result, UnionMap};

/// Whether dependences are the same under the assumptions.
pub(super) fn same_pairs(scop: &Scop, one: &UnionMap, other: &UnionMap) -> Result<bool> {
    Ok(plainly_equal(one, other)?
        || one.is_equal(other)?
        || !scop.is_possible(&one.subtract(other)?)? && !scop.is_possible(&other.subtract(one)?)?)
}

/// Whether two unions have the same maps, seen without any arithmetic.
fn plainly_equal(one: &UnionMap, other: &UnionMap) -> Result<bool> {
    let (one, other) = (one.maps()?, other.maps()?);
    let mut same = one.len() == other.len();
    for (one, other) in one.iter().zip(&other) {
        same = same && one.plain_is_equal(other)?;
    }
    Ok(same)
}

/// The position of an access to the same cells, all of them known.
pub(super) fn equal(accesses: &[Access], one: &Access) -> Result<Option<usize>> {
    if one.affine.iter().any(Option::is_none) {
        return Ok(None);
    }
    for (number, other) in accesses.iter().enumerate() {
        if other.array == one.array
            && other.exact == one.exact
            && other.affine.iter().all(Option::is_some)
            && other.relation.is_equal(&one.relation)?
        {
            return Ok(Some(number));
        }
    }
    Ok(None)
}

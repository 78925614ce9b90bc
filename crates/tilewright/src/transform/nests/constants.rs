//! Dependences with smaller constants, for isl's scheduler.
//!
//! The sizes of loops are coefficients of its integer programs (by Farkas' lemma), and the cuts by
//! which it comes to whole numbers are the flatter the larger they are: loops of 32,000 iterations
//! take it more than a minute where those of 300 take it a moment. Which loops may be permuted,
//! and by how much one is shifted against another one, does not depend on how large a large size
//! is. Where it does, validation refuses the plan.

use crate::plan::defaults::{LARGE_CONSTANT, LARGE_CONSTANTS_APART};
use isl::{BasicMap, Constraint, DimType, Map, UnionMap, Val};
use std::collections::BTreeSet;

/// The same relations with constants that are large replaced by smaller ones, in the same order and
/// at the same distances from those nearby; `None` where none is large, or where this would not be
/// the same.
pub(crate) fn smaller(relations: [&UnionMap; 2]) -> isl::Result<Option<[UnionMap; 2]>> {
    let mut large = BTreeSet::new();
    for relation in relations {
        for map in relation.maps()? {
            for basic in basic_maps(&map)? {
                if basic.dim(DimType::Div)? > 0 {
                    return Ok(None);
                }
                for constraint in constraints(&basic)? {
                    match constraint.get_constant_val()?.to_i64() {
                        Some(value) if value.unsigned_abs() >= LARGE_CONSTANT => {
                            large.insert(value.unsigned_abs());
                        }
                        Some(value) if value.unsigned_abs() <= LARGE_CONSTANTS_APART / 2 => {}
                        // Larger than what is to stand for a larger one.
                        _ => return Ok(None),
                    }
                }
            }
        }
    }
    // The least constant of each group of neighbours.
    let mut least: Vec<u64> = Vec::new();
    for &value in &large {
        if least
            .last()
            .is_none_or(|&last| value - last > LARGE_CONSTANTS_APART / 4)
        {
            least.push(value);
        }
    }
    let apart = LARGE_CONSTANTS_APART;
    if least.is_empty() || (least.len() as u64 + 1) * apart > LARGE_CONSTANT {
        return Ok(None);
    }
    let replaced = |value: i64| -> Option<i64> {
        let size = value.unsigned_abs();
        let group = least
            .partition_point(|&first| first <= size)
            .checked_sub(1)?;
        let new = (group as u64 + 1) * apart + (size - least[group]);
        Some(i64::try_from(new).ok()? * value.signum())
    };
    let mut all = Vec::new();
    for relation in relations {
        let mut union = UnionMap::empty_ctx(relation.ctx())?;
        for map in relation.maps()? {
            for basic in basic_maps(&map)? {
                let mut new = BasicMap::universe(&map.get_space()?)?;
                for constraint in constraints(&basic)? {
                    let constant = constraint.get_constant_val()?.to_i64().and_then(replaced);
                    new = new.add_constraint(&match constant {
                        Some(value) => {
                            constraint.set_constant_val(&Val::int_from_si(map.ctx(), value)?)?
                        }
                        None => constraint,
                    })?;
                }
                if new.is_empty()? {
                    return Ok(None);
                }
                union = union.add_map(&Map::from_basic_map(&new)?)?;
            }
        }
        all.push(union);
    }
    Ok(<[UnionMap; 2]>::try_from(all).ok())
}

fn basic_maps(map: &Map) -> isl::Result<Vec<BasicMap>> {
    let list = map.get_basic_map_list()?;
    (0..list.size()?).map(|n| list.get_at(n)).collect()
}

fn constraints(basic: &BasicMap) -> isl::Result<Vec<Constraint>> {
    let list = basic.get_constraint_list()?;
    (0..list.size()?).map(|n| list.get_at(n)).collect()
}

//! Index expressions as numbers.

use crate::codegen::kernel::{Comparison, Index};
use crate::transform::BufferId;

/// A variable, or a cell, whose value is not known.
pub(crate) struct Unknown {
    pub name: String,
}

/// Reads a cell that is a bound or a condition.
pub(crate) type Read<'a, E> = dyn FnMut(BufferId, Vec<i64>) -> Result<i64, E> + 'a;

/// The value of an expression; `params` by [`crate::scop::ParamId`]. Of variables of one name the
/// last one holds.
///
/// # Errors
/// A variable that is not known here, and what `read` says.
pub(crate) fn number<E: From<Unknown>>(
    index: &Index,
    params: &[i64],
    variables: &[(&str, i64)],
    read: &mut Read<'_, E>,
) -> Result<i64, E> {
    let mut of = |index: &Index| number(index, params, variables, &mut *read);
    Ok(match index {
        Index::Int(value) => *value,
        Index::Var(name) => match variables.iter().rev().find(|(other, _)| other == name) {
            Some((_, value)) => *value,
            None => return Err(E::from(Unknown { name: name.clone() })),
        },
        Index::Param(id) => match params.get(*id) {
            Some(value) => *value,
            None => {
                let name = format!("parameter {id}");
                return Err(E::from(Unknown { name }));
            }
        },
        Index::Data(buffer, indices) => {
            let indices: Result<Vec<i64>, E> = indices.iter().map(&mut of).collect();
            read(*buffer, indices?)?
        }
        Index::Add(a, b) => of(a)?.wrapping_add(of(b)?),
        Index::Sub(a, b) => of(a)?.wrapping_sub(of(b)?),
        Index::Mul(a, b) => of(a)?.wrapping_mul(of(b)?),
        Index::Neg(a) => of(a)?.wrapping_neg(),
        Index::FloorDiv(a, d) => of(a)?.div_euclid((*d).max(1)),
        Index::Mod(a, d) => of(a)?.rem_euclid((*d).max(1)),
        // As C does it, which is what they are for.
        Index::ExactDiv(a, d) => of(a)? / (*d).max(1),
        Index::PlainMod(a, d) => of(a)? % (*d).max(1),
        Index::Min(all) | Index::Max(all) => {
            let mut best = None;
            for one in all {
                let value = of(one)?;
                best = Some(match (best, index) {
                    (None, _) => value,
                    (Some(other), Index::Min(_)) => value.min(other),
                    (Some(other), _) => value.max(other),
                });
            }
            best.unwrap_or(0)
        }
        Index::Select(condition, then, otherwise) => match of(condition)? {
            0 => of(otherwise)?,
            _ => of(then)?,
        },
        Index::Compare(comparison, a, b) => {
            let (a, b) = (of(a)?, of(b)?);
            i64::from(match comparison {
                Comparison::Equal => a == b,
                Comparison::LessEqual => a <= b,
                Comparison::Less => a < b,
                Comparison::GreaterEqual => a >= b,
                Comparison::Greater => a > b,
            })
        }
        Index::All(all) => {
            for one in all {
                if of(one)? == 0 {
                    return Ok(0);
                }
            }
            1
        }
        Index::Any(all) => {
            for one in all {
                if of(one)? != 0 {
                    return Ok(1);
                }
            }
            0
        }
    })
}

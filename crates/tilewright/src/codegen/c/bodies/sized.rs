//! From which parameters of type `int` numbers can be subtracted in `int`.
//!
//! `n - 1` overflows where `n` is the smallest `int`, which C allows a loop's bound to be: the loop has
//! no iteration then. Inside of a loop that has one, or under a condition, more is known.

use crate::codegen::c::Printer;
use crate::codegen::kernel::{Comparison, Index, Loop};
use crate::scop::{Param, ParamId, Scop};
use isl::{Aff, Id};

/// `n - 1` stays `int` up to constants of this size, where `n` is known not to be that close to the
/// smallest `int`.
pub(in crate::codegen::c) const OFFSET: i64 = 1 << 16;

/// What is at least this is not that close.
const LEAST: i64 = i32::MIN as i64 + OFFSET;

/// Whether what is known of all parameters says that one is not close to the smallest `int`.
pub(in crate::codegen::c) fn always(scop: &Scop, param: &Param) -> bool {
    let least = || {
        let id = Id::alloc(&scop.ctx, &param.name)?;
        let value = Aff::param_on_domain_space_id(&scop.context.get_space()?, &id)?;
        scop.context.min_val(&value)
    };
    let least: isl::Result<isl::Val> = least();
    let least = least.ok().and_then(|least| least.to_i64());
    least.is_some_and(|least| least >= LEAST)
}

impl Printer<'_> {
    /// Those of which that is known inside of a loop, as it has an iteration.
    pub(in crate::codegen::c) fn sized_in(&mut self, each: &Loop) {
        let Some(first) = least(&each.lower) else {
            return;
        };
        self.here.sized.extend(at_least(&each.upper, first));
    }

    /// Those of which that is known where a condition holds.
    pub(in crate::codegen::c) fn sized_under(&mut self, condition: &Index) {
        match condition {
            Index::All(all) => all.iter().for_each(|one| self.sized_under(one)),
            Index::Compare(Comparison::GreaterEqual, value, least) => {
                if let Index::Int(least) = **least {
                    self.here.sized.extend(at_least(value, least));
                }
            }
            _ => {}
        }
    }
}

/// A number that an expression is not less than.
fn least(index: &Index) -> Option<i64> {
    match index {
        Index::Int(value) => Some(*value),
        Index::Max(all) => all.iter().find_map(least),
        _ => None,
    }
}

/// The parameters that are not close to the smallest `int` where an expression is at least a number.
fn at_least(index: &Index, number: i64) -> Vec<ParamId> {
    let one = |index: &Index| {
        let (param, value) = at_most(index)?;
        (value < i128::from(number)).then_some(param)
    };
    match index {
        Index::Min(all) => all.iter().filter_map(one).collect(),
        index => one(index).into_iter().collect(),
    }
}

/// The only parameter of an expression that grows with it, and the value for one that is close to the
/// smallest `int`, or larger.
fn at_most(index: &Index) -> Option<(ParamId, i128)> {
    let number = |index: &Index| match index {
        Index::Int(value) => Some(i128::from(*value)),
        _ => None,
    };
    Some(match index {
        Index::Param(param) => (*param, i128::from(LEAST) - 1),
        Index::Add(a, b) => {
            let (param, value) = at_most(a)?;
            (param, value + number(b)?)
        }
        Index::Sub(a, b) => {
            let (param, value) = at_most(a)?;
            (param, value - number(b)?)
        }
        Index::Mul(a, b) => {
            let (param, value) = at_most(b)?;
            let factor = number(a).filter(|factor| (1..1 << 31).contains(factor))?;
            (param, value * factor)
        }
        Index::FloorDiv(a, divisor) | Index::ExactDiv(a, divisor) if *divisor > 0 => {
            let (param, value) = at_most(a)?;
            (param, value.div_euclid(i128::from(*divisor)))
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_loop_says_of_its_size() {
        let n = Index::Param(0);
        let tiles = n.plus(&Index::Int(31)).floor_div(32).minus(&Index::Int(1));
        assert_eq!(at_least(&tiles, 0), [0]);
        let both = Index::Min(vec![Index::Param(1), tiles, Index::var("c0")]);
        assert_eq!(at_least(&both, -5), [1, 0]);
        // As many iterations as `n` is away from the least `int` say nothing.
        assert!(at_least(&n, i64::from(i32::MIN)).is_empty());
        assert_eq!(at_least(&n, LEAST), [0]);
        assert!(at_least(&Index::Int(3).minus(&n), 0).is_empty());
        assert!(at_least(&n.minus(&Index::Param(1)), 0).is_empty());
        assert_eq!(
            least(&Index::Max(vec![Index::var("c0"), Index::Int(2)])),
            Some(2)
        );
    }
}

//! Grids over loops whose bounds depend on the loops around them: triangles.
//!
//! A grid is a box: a loop inside goes from its smallest first to its largest last value, whatever
//! the loops around it are at, and blocks that are outside of the loop's own bounds do nothing. Of a
//! triangle that is half of the blocks, each of which tests it once. One of the bounds has to be the
//! same for all blocks.

use crate::codegen::gpu::grids::block::Block;
use crate::codegen::gpu::program::{BlockNode, GridLoop};
use crate::codegen::kernel::{Comparison, DynamicBounds, Index, Loop};
use crate::codegen::passes::dynamic::restore::bounds;

/// First and last value of a loop over all iterations of the loops around it, outermost first;
/// `None` where a bound does not grow or fall with them, or where the loop goes along a band of
/// constant width that moves with them: next to nothing of the box would be work.
pub(crate) fn span(around: &[&Loop], inner: &Loop) -> Option<(Index, Index)> {
    let on = |bound: &&Index| around.iter().any(|outer| bound.mentions(&outer.var));
    let lower: Vec<&Index> = bounds(&inner.lower, false).iter().filter(on).collect();
    let mut upper = bounds(&inner.upper, true).iter().filter(on);
    if upper.any(|last| lower.iter().any(|first| last.distance(first).is_some())) {
        return None;
    }
    let (mut lower, mut upper) = (inner.lower.clone(), inner.upper.clone());
    for outer in around.iter().rev() {
        lower = extreme(&lower, outer, false)?;
        upper = extreme(&upper, outer, true)?;
    }
    Some((lower, upper))
}

/// The smallest or largest value over all iterations of a loop, as an expression without its
/// variable.
pub(crate) fn extreme(index: &Index, over: &Loop, largest: bool) -> Option<Index> {
    if !index.mentions(&over.var) {
        return Some(index.clone());
    }
    let all = |operands: &[Index]| -> Option<Vec<Index>> {
        let operands = operands.iter();
        operands.map(|one| extreme(one, over, largest)).collect()
    };
    Some(match index {
        Index::Var(_) if largest => over.upper.clone(),
        Index::Var(_) => over.lower.clone(),
        Index::Add(a, b) => extreme(a, over, largest)?.plus(&extreme(b, over, largest)?),
        Index::Sub(a, b) => extreme(a, over, largest)?.minus(&extreme(b, over, !largest)?),
        Index::Neg(a) => Index::Int(0).minus(&extreme(a, over, !largest)?),
        Index::Mul(a, b) => {
            let (factor, other) = match (&**a, &**b) {
                (Index::Int(factor), other) | (other, Index::Int(factor)) => (*factor, other),
                _ => return None,
            };
            extreme(other, over, largest == (factor >= 0))?.times(factor)
        }
        // What divides exactly is not above the quotient of something larger, rounded down.
        Index::FloorDiv(a, d) | Index::ExactDiv(a, d) => extreme(a, over, largest)?.floor_div(*d),
        Index::Min(operands) => Index::min_of(all(operands)?),
        Index::Max(operands) => Index::max_of(all(operands)?),
        _ => return None,
    })
}

/// Some loops of a grid, each with its span as [`DynamicBounds::fixed`] where its bounds depend on those
/// around it.
pub(crate) fn spanned(loops: &[&Loop]) -> Vec<Loop> {
    let mut all = Vec::new();
    for (number, &each) in loops.iter().enumerate() {
        let around = &loops[..number];
        let fixed = if depends(around, each) {
            span(around, each).map(Box::new)
        } else {
            None
        };
        let ends_early = each.dynamic.ends_early;
        all.push(Loop {
            dynamic: DynamicBounds { fixed, ends_early },
            ..each.clone()
        });
    }
    all
}

/// Whether a loop's bounds depend on loops around it.
pub(crate) fn depends(around: &[&Loop], inner: &Loop) -> bool {
    let on = |outer: &&Loop| inner.lower.mentions(&outer.var) || inner.upper.mentions(&outer.var);
    around.iter().any(on)
}

/// A loop of a grid, over its span if it has one.
pub(crate) fn grid_loop(each: &Loop) -> GridLoop {
    let bounds = each.dynamic.fixed.as_deref().cloned();
    let (lower, upper) = bounds.unwrap_or((each.lower.clone(), each.upper.clone()));
    GridLoop {
        var: each.var.clone(),
        lower,
        upper,
        step: each.step,
    }
}

/// The block, for blocks that are inside of the loops' own bounds.
pub(crate) fn guarded(loops: &[Loop], mut block: Block) -> Block {
    let var = |each: &Loop| Box::new(Index::var(&each.var));
    let mut inside = Vec::new();
    for each in loops {
        let Some((lower, upper)) = each.dynamic.fixed.as_deref() else {
            continue;
        };
        for (comparison, own, span) in [
            (Comparison::GreaterEqual, &each.lower, lower),
            (Comparison::LessEqual, &each.upper, upper),
        ] {
            if own != span {
                inside.push(Index::Compare(comparison, var(each), Box::new(own.clone())));
            }
        }
    }
    let condition = match inside.len() {
        0 => return block,
        1 => inside.swap_remove(0),
        _ => Index::All(inside),
    };
    block.nodes = vec![BlockNode::If {
        condition,
        then: block.nodes,
        otherwise: Vec::new(),
    }];
    block
}

#[cfg(test)]
mod tests {
    use super::*;

    fn each(var: &str, lower: Index, upper: Index) -> Loop {
        Loop {
            parallel: true,
            ..Loop::sequential(var.to_owned(), [lower, upper], 1, Vec::new())
        }
    }

    fn n() -> Index {
        Index::Param(0)
    }

    #[test]
    fn a_triangle_is_in_a_square() {
        let outer = each("i", Index::Int(0), n().minus(&Index::Int(1)));
        let below = each("j", Index::Int(0), Index::var("i"));
        let above = each("j", Index::var("i").plus(&Index::Int(1)), n());
        let spans = |inner: &Loop| span(&[&outer], inner);
        assert_eq!(
            spans(&below),
            Some((Index::Int(0), n().minus(&Index::Int(1))))
        );
        assert_eq!(spans(&above), Some((Index::Int(1), n())));
        // What falls with the loop around it is largest at its begin.
        let falling = each("j", Index::Int(0), n().minus(&Index::var("i").times(2)));
        assert_eq!(spans(&falling), Some((Index::Int(0), n())));
    }

    #[test]
    fn a_corner_is_in_a_cube() {
        let i = each("i", Index::Int(2), n());
        let j = each("j", Index::Int(0), Index::var("i").floor_div(3));
        let sum = Index::var("i").plus(&Index::var("j"));
        let k = each("k", Index::Int(0), sum.clone());
        let expected = (Index::Int(0), n().plus(&n().floor_div(3)));
        assert_eq!(span(&[&i, &j], &k), Some(expected));
        // A wavefront of tiles is wide in its middle; a band is as wide everywhere.
        let last = Index::var("i").plus(&Index::Int(2));
        let wavefront = each(
            "k",
            Index::max_of(vec![Index::Int(0), Index::var("j")]),
            sum,
        );
        let expected = (Index::Int(0), n().plus(&n().floor_div(3)));
        assert_eq!(span(&[&i, &j], &wavefront), Some(expected));
        let first = Index::max_of(vec![Index::Int(0), Index::var("i")]);
        let band = each("k", first, Index::min_of(vec![n(), last]));
        assert_eq!(span(&[&i, &j], &band), None);
        let modulo = each("k", Index::Int(0), Index::var("i").modulo(4));
        assert_eq!(span(&[&i, &j], &modulo), None);
    }
}

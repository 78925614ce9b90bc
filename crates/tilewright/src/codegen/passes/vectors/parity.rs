//! Vector loops over cells that are sampled up: `a[x / 2]` in a loop over `x`.
//!
//! Neighbouring iterations read the same element there, and compilers gather. In a loop over
//! pairs of cells, `x = 2 y` and `x = 2 y + 1`, the quotients are plain subscripts again, and what
//! is stored interleaves. The order of execution stays the same.
//!
//! ```text
//! for x in lower..=upper { S(x) }
//!
//! for x in lower..=min(2 first - 1, upper) { S(x) }      first = ⌈lower / 2⌉
//! for y in first..=last { S(2 y); S(2 y + 1) }           last = ⌊(upper - 1) / 2⌋
//! for x in max(2 last + 2, 2 first)..=upper { S(x) }
//! ```
//!
//! Where it is known that the loop begins at an odd cell, the pairs do, too, `x = 2 y + 1` and
//! `x = 2 y + 2`, and nothing is left before them.
//!
//! A loop over the even or the odd cells only becomes a loop over their numbers.

use crate::codegen::kernel::{Index, Kernel, Loop, Node, PlaceIndex};
use crate::codegen::terms::substitute::with;
use crate::mistakes::mistake;
use crate::plan::defaults::PARITY_CELLS;

/// Splits the vector loops of a kernel whose subscripts divide the loop variable.
pub fn split(kernel: &Kernel) -> Kernel {
    Kernel {
        body: nodes(&kernel.body),
        ..kernel.clone()
    }
}

fn nodes(list: &[Node]) -> Vec<Node> {
    list.iter().flat_map(node).collect()
}

fn node(node: &Node) -> Vec<Node> {
    match node {
        Node::For(each) => {
            if each.simd && !each.body.iter().any(Node::has_loop) {
                if let Some(divisor) = divisor(each) {
                    if each.step == 1 {
                        return in_blocks(each, divisor);
                    }
                    if let Some(dense) = counted(each) {
                        return vec![dense];
                    }
                }
            }
            vec![Node::For(Loop {
                body: nodes(&each.body),
                ..each.clone()
            })]
        }
        Node::If {
            condition,
            then,
            otherwise,
        } => vec![Node::If {
            condition: condition.clone(),
            then: nodes(then),
            otherwise: nodes(otherwise),
        }],
        Node::Scope { scope, body } => vec![Node::Scope {
            scope: *scope,
            body: nodes(body),
        }],
        Node::Block { variables, body } => vec![Node::Block {
            variables: variables.clone(),
            body: nodes(body),
        }],
        Node::Allocate { buffers, body } => vec![Node::Allocate {
            buffers: buffers.clone(),
            body: nodes(body),
        }],
        Node::Copies(copies) => {
            vec![Node::Copies(
                copies.iter().map(|copy| nodes(copy)).collect(),
            )]
        }
        Node::Statement(_) | Node::GoesOn { .. } => vec![node.clone()],
    }
}

/// By what the subscripts in a loop divide its variable.
fn divisor(each: &Loop) -> Option<i64> {
    let mut common = 1;
    let mut known = true;
    for inside in &each.body {
        inside.instances(&mut |instance| {
            for place in &instance.accesses {
                for index in &place.indices {
                    match index {
                        PlaceIndex::Affine(index) => divisors(index, &each.var, &mut common),
                        PlaceIndex::Data { .. } => known = false,
                    }
                }
            }
        });
    }
    (known && common > 1 && common <= PARITY_CELLS).then_some(common)
}

fn divisors(index: &Index, var: &str, common: &mut i64) {
    index.walk(&mut |part| {
        let (dividend, divisor) = match part {
            Index::FloorDiv(a, d)
            | Index::ExactDiv(a, d)
            | Index::Mod(a, d)
            | Index::PlainMod(a, d) => (a, *d),
            _ => return,
        };
        if dividend.mentions(var) && divisor > 1 && *common % divisor != 0 {
            *common = match divisor % *common {
                0 => divisor,
                _ => common.saturating_mul(divisor),
            };
        }
    });
}

fn in_blocks(each: &Loop, size: i64) -> Vec<Node> {
    let var = format!("{}_block", each.var);
    let block = Index::var(&var);
    // The first cell of a block, counted from a multiple of its size.
    let known = match each.lower.modulo(size) {
        Index::Int(rest) => Some(rest),
        _ => None,
    };
    let rest = known.unwrap_or(0);
    let first = each.lower.plus(&Index::Int(size - 1 - rest));
    let first = first.floor_div(size);
    let rounded = if mistake!(ParityOfHalfABlock) {
        0
    } else {
        1 - size
    };
    let last = each.upper.plus(&Index::Int(rounded - rest));
    let last = last.floor_div(size);
    let cells = |lower: Index, upper: Index| {
        Node::For(Loop {
            lower,
            upper,
            simd: false,
            ..each.clone()
        })
    };
    let begin = first.times(size).plus(&Index::Int(rest));
    let before = cells(
        each.lower.clone(),
        Index::min_of(vec![begin.plus(&Index::Int(-1)), each.upper.clone()]),
    );
    let end = last.plus(&Index::Int(1)).times(size);
    let end = end.plus(&Index::Int(rest));
    let behind = cells(Index::max_of(vec![end, begin]), each.upper.clone());
    let mut body = Vec::new();
    for cell in 0..size {
        let value = block.times(size).plus(&Index::Int(rest + cell));
        body.extend(each.body.iter().map(|n| with(n, &each.var, &value)));
    }
    let blocks = Node::For(Loop {
        var,
        lower: first,
        upper: last,
        body,
        ..each.clone()
    });
    match known {
        Some(_) => vec![blocks, behind],
        None => vec![before, blocks, behind],
    }
}

/// A loop over every `step`-th cell, from one whose remainder is known, as a loop over their
/// numbers.
fn counted(each: &Loop) -> Option<Node> {
    let Index::Int(rest) = each.lower.modulo(each.step) else {
        return None;
    };
    let var = format!("{}_block", each.var);
    let value = Index::var(&var).times(each.step).plus(&Index::Int(rest));
    Some(Node::For(Loop {
        lower: each.lower.floor_div(each.step),
        upper: each.upper.minus(&Index::Int(rest)).floor_div(each.step),
        step: 1,
        body: each
            .body
            .iter()
            .map(|n| with(n, &each.var, &value))
            .collect(),
        var,
        ..each.clone()
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codegen::kernel::{DynamicBounds, Instance, Place};

    fn place(index: Index) -> Place {
        Place {
            buffer: 0,
            indices: vec![PlaceIndex::Affine(index)],
        }
    }

    /// `for (x = lower; x <= 20; x += step) a[x] = b[x / 2];`
    fn sampled(lower: Index, step: i64) -> Loop {
        let x = Index::var("x");
        Loop {
            var: "x".to_owned(),
            lower,
            upper: Index::Int(20),
            step,
            parallel: false,
            collapse: 1,
            unroll: 1,
            rows: 1,
            dynamic: DynamicBounds::default(),
            worth: None,
            simd: true,
            body: vec![Node::Statement(Instance {
                statement: 0,
                group: 0,
                iterators: vec![x.clone()],
                accesses: vec![place(x.clone()), place(x.floor_div(2))],
                certain: Vec::new(),
                decided: Vec::new(),
            })],
        }
    }

    /// Values of `x` and of the subscript of `b`, in the order of execution.
    fn executed(nodes: &[Node]) -> Vec<(i64, i64)> {
        let mut all = Vec::new();
        for node in nodes {
            let Node::For(each) = node else { panic!() };
            let (Index::Int(lower), Index::Int(upper)) = (&each.lower, &each.upper) else {
                panic!("{each:?}")
            };
            let mut value = *lower;
            while value <= *upper {
                for node in &each.body {
                    let Node::Statement(instance) = with(node, &each.var, &Index::Int(value))
                    else {
                        panic!()
                    };
                    let [Index::Int(x)] = instance.iterators[..] else {
                        panic!()
                    };
                    let [PlaceIndex::Affine(Index::Int(y))] = instance.accesses[1].indices[..]
                    else {
                        panic!()
                    };
                    all.push((x, y));
                }
                value += each.step;
            }
        }
        all
    }

    #[test]
    fn pairs_of_cells_keep_the_order() {
        for lower in [-3, 0, 1, 2, 19, 20, 21] {
            let split = node(&Node::For(sampled(Index::Int(lower), 1)));
            let expected: Vec<(i64, i64)> = (lower..=20).map(|x| (x, x.div_euclid(2))).collect();
            assert_eq!(executed(&split), expected, "from {lower}");
            let [Node::For(blocks), Node::For(behind)] = &split[..] else {
                panic!("{split:?}")
            };
            // No division is left where the vector loop is.
            assert!(blocks.simd && divisor(blocks).is_none(), "{blocks:?}");
            assert!(!behind.simd);
        }
    }

    #[test]
    fn pairs_begin_at_even_cells_where_nothing_is_known() {
        let split = node(&Node::For(sampled(Index::Param(0), 1)));
        let [_, Node::For(blocks), _] = &split[..] else {
            panic!("{split:?}")
        };
        assert!(blocks.simd && divisor(blocks).is_none(), "{blocks:?}");
    }

    #[test]
    fn odd_cells_are_counted() {
        let split = node(&Node::For(sampled(Index::Int(3), 2)));
        assert_eq!(split.len(), 1);
        let expected: Vec<(i64, i64)> = (3..=20).step_by(2).map(|x| (x, x / 2)).collect();
        assert_eq!(executed(&split), expected);
    }

    #[test]
    fn a_remainder_that_is_not_known_changes_nothing() {
        let each = sampled(Index::Param(0), 2);
        assert_eq!(node(&Node::For(each.clone())), [Node::For(each)]);
    }
}

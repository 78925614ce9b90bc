//! Parallel loops without loops inside, in portions.
//!
//! A compiler divides the iterations of a parallel loop itself, and keeps the limits of a thread's
//! share where other functions may see them; clang then does not know how often the loop runs, and makes
//! no vector loop of it. A loop over portions with a plain loop inside is one:
//!
//! ```text
//! parallel for x in lower..=upper { S(x) }
//!
//! parallel for p in 0..=(upper - lower) / 256 {
//!     for x in lower + 256 p..=min(lower + 256 p + 255, upper) { S(x) }
//! }
//! ```
//!
//! Assumes: what is marked parallel is to be. Ensures: the same iterations in the same order on one
//! thread.

use crate::codegen::kernel::{Index, Kernel, Loop, Node};

/// Portions that there are at least where threads are started.
const PORTIONS: i64 = 64;

/// Iterations of a portion: enough for a vector loop, and few enough that threads end together.
const LENGTHS: (i64, i64) = (16, 1024);

/// Divides the parallel loops of a kernel that have no loops inside.
pub fn divide(kernel: Kernel) -> Kernel {
    Kernel {
        body: nodes(kernel.body),
        ..kernel
    }
}

fn nodes(list: Vec<Node>) -> Vec<Node> {
    list.into_iter().map(node).collect()
}

fn node(node: Node) -> Node {
    match node {
        Node::For(each) if each.parallel => match length(&each) {
            Some(length) => Node::For(divided(each, length)),
            None => Node::For(each),
        },
        other => other.map_children(&nodes),
    }
}

/// Iterations of a portion; `None` for loops that are not divided.
fn length(each: &Loop) -> Option<i64> {
    let plain = each.step == 1
        && each.collapse == 1
        && each.unroll == 1
        && each.dynamic.fixed.is_none()
        && !each.dynamic.ends_early
        && !each.lower.is_data()
        && !each.upper.is_data()
        && !each.body.iter().any(Node::has_loop);
    let least = match &each.worth {
        Some(worth) => worth.least,
        None => each.iterations()?,
    };
    let length = (least / PORTIONS).clamp(LENGTHS.0, LENGTHS.1);
    plain.then(|| 1 << length.ilog2())
}

fn divided(each: Loop, length: i64) -> Loop {
    let var = format!("{}_portion", each.var);
    let begin = Index::var(&var).times(length);
    // Limits that take work are not computed for every portion.
    let (first, last, begin) = match each.lower {
        Index::Int(_) => {
            let last = each.upper.minus(&each.lower).floor_div(length);
            (Index::Int(0), last, begin.plus(&each.lower))
        }
        _ => (
            each.lower.floor_div(length),
            each.upper.floor_div(length),
            begin,
        ),
    };
    let end = begin.plus(&Index::Int(length - 1));
    let lower = match each.lower {
        Index::Int(_) => begin,
        _ => Index::max_of(vec![each.lower.clone(), begin]),
    };
    let inner = Loop {
        lower,
        upper: Index::min_of(vec![each.upper.clone(), end]),
        parallel: false,
        worth: None,
        ..each.clone()
    };
    Loop {
        var,
        lower: first,
        upper: last,
        simd: false,
        body: vec![Node::For(inner)],
        ..each
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codegen::kernel::Worth;

    fn parallel(lower: Index, upper: Index, least: i64) -> Loop {
        let body = vec![Node::GoesOn {
            var: "x".to_owned(),
            condition: Index::var("x"),
        }];
        Loop {
            parallel: true,
            worth: Some(Worth {
                factors: vec![Index::Param(0)],
                least,
            }),
            ..Loop::sequential("x".to_owned(), [lower, upper], 1, body)
        }
    }

    /// Values of `x` in their order, for a parameter.
    fn executed(each: &Loop, param: i64) -> Vec<i64> {
        let value = |index: &Index, portion: i64| {
            let known = |part: &Index| match part {
                Index::Param(_) => Some(Index::Int(param)),
                Index::Var(_) => Some(Index::Int(portion)),
                _ => None,
            };
            let Index::Int(value) = index.replaced(&known) else {
                panic!("{index:?}")
            };
            value
        };
        let [Node::For(inner)] = &each.body[..] else {
            panic!()
        };
        let portions = value(&each.lower, 0)..=value(&each.upper, 0);
        let own = |p| value(&inner.lower, p)..=value(&inner.upper, p);
        portions.flat_map(own).collect()
    }

    #[test]
    fn every_iteration_once_and_in_order() {
        for lower in [Index::Int(0), Index::Int(3), Index::Param(0)] {
            let upper = Index::Param(0).times(2);
            for param in [0, 1, 2, 15, 16, 17, 60] {
                let each = parallel(lower.clone(), upper.clone(), 2000);
                let first = match &lower {
                    Index::Int(first) => *first,
                    _ => param,
                };
                let Node::For(divided) = node(Node::For(each)) else {
                    panic!()
                };
                let all: Vec<i64> = (first..=2 * param).collect();
                assert_eq!(executed(&divided, param), all, "{lower:?}, {param}");
            }
        }
    }

    #[test]
    fn portions_are_as_long_as_there_is_to_do() {
        let of = |least| length(&parallel(Index::Int(0), Index::Param(0), least));
        assert_eq!(of(100), Some(16));
        assert_eq!(of(20_000), Some(256));
        assert_eq!(of(10_000_000), Some(1024));
    }
}

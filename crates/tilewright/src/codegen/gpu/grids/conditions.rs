//! Conditions between the loops of a grid go inside of them.
//!
//! A grid is made of loops directly inside each other. What copies the buffers of a band of time has
//! a condition between them, on the buffer's number: left where it is, a block would copy a whole
//! buffer. Inside, every thread tests it.

use crate::codegen::gpu::grids::triangles::{depends, span};
use crate::codegen::kernel::{Index, Kernel, Loop, Node};

/// Whether a loop is part of the grid of the loops around it: its bounds do not depend on them, or it
/// has a span ([`crate::codegen::gpu::grids::triangles`]).
pub(crate) fn joins(around: &[&Loop], inner: &Loop) -> bool {
    let boxed = || inner.step == 1 && span(around, inner).is_some();
    inner.parallel && inner.dynamic.fixed.is_none() && (!depends(around, inner) || boxed())
}

/// The kernel with conditions inside of the loops of each grid that they are between.
pub fn inside(kernel: &Kernel) -> Kernel {
    let mut kernel = kernel.clone();
    kernel.body.iter_mut().for_each(at);
    kernel
}

/// Looks for the outermost parallel loops.
fn at(node: &mut Node) {
    match node {
        Node::For(each) if each.parallel => {
            if each.dynamic.fixed.is_none() {
                along(&[], each);
            }
        }
        Node::For(each) => each.body.iter_mut().for_each(at),
        Node::If {
            then, otherwise, ..
        } => then.iter_mut().chain(otherwise).for_each(at),
        Node::Scope { body, .. } | Node::Block { body, .. } | Node::Allocate { body, .. } => {
            body.iter_mut().for_each(at);
        }
        Node::Copies(copies) => copies.iter_mut().flatten().for_each(at),
        Node::Statement(_) | Node::GoesOn { .. } => {}
    }
}

/// Goes along the loops of a grid, from one inside of others on.
fn along(around: &[&Loop], each: &mut Loop) {
    let head = Loop {
        body: Vec::new(),
        ..each.clone()
    };
    let around: Vec<&Loop> = around.iter().copied().chain([&head]).collect();
    if let Some(inner) = next(&each.body).filter(|inner| joins(&around, inner)) {
        let mut inner = inner.clone();
        let mut conditions = Vec::new();
        between(&each.body, &mut conditions);
        for condition in conditions.into_iter().rev() {
            inner.body = vec![Node::If {
                condition,
                then: inner.body,
                otherwise: Vec::new(),
            }];
        }
        along(&around, &mut inner);
        each.body = vec![Node::For(inner)];
    }
}

/// The loop that is all of a body, behind conditions that every thread can test.
fn next(body: &[Node]) -> Option<&Loop> {
    match body {
        [Node::For(inner)] => Some(inner),
        [
            Node::If {
                condition,
                then,
                otherwise,
            },
        ] if otherwise.is_empty() && !condition.is_data() => next(then),
        _ => None,
    }
}

/// The conditions in front of that loop, outermost first.
fn between(body: &[Node], all: &mut Vec<Index>) {
    if let [
        Node::If {
            condition, then, ..
        },
    ] = body
    {
        all.push(condition.clone());
        between(then, all);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codegen::gpu::grids::mapping::grid_of;
    use crate::codegen::kernel::Comparison;

    fn each(var: &str, upper: Index, body: Vec<Node>) -> Loop {
        Loop {
            parallel: true,
            ..Loop::sequential(var.to_owned(), [Index::Int(0), upper], 1, body)
        }
    }

    fn on(condition: Index, then: Vec<Node>) -> Vec<Node> {
        vec![Node::If {
            condition,
            then,
            otherwise: Vec::new(),
        }]
    }

    fn moved(mut outer: Loop) -> Loop {
        along(&[], &mut outer);
        outer
    }

    #[test]
    fn conditions_go_inside_of_grids() {
        let is = |number| {
            Index::Compare(
                Comparison::Equal,
                Box::new(Index::var("i")),
                Box::new(Index::Int(number)),
            )
        };
        let k = each("k", Index::Param(0), Vec::new());
        let j = each("j", Index::Param(0), on(is(2), vec![Node::For(k)]));
        let i = each("i", Index::Int(1), on(is(1), vec![Node::For(j)]));
        assert_eq!(grid_of(&i).len(), 1);
        let i = moved(i);
        let grid = grid_of(&i);
        assert_eq!(grid.len(), 3);
        assert_eq!(
            grid[2].body,
            on(is(1), on(is(2), Vec::new())),
            "in their order"
        );
    }

    #[test]
    fn what_is_not_part_of_the_grid_stays() {
        // Who would not know how far it goes on: a band, and a loop of which nothing is parallel.
        let band = Loop {
            lower: Index::var("i"),
            ..each("j", Index::var("i").plus(&Index::Int(2)), Vec::new())
        };
        let sequential = Loop {
            parallel: false,
            ..each("j", Index::Param(0), Vec::new())
        };
        for inner in [band, sequential] {
            let outer = each(
                "i",
                Index::Param(0),
                on(Index::Param(1), vec![Node::For(inner)]),
            );
            assert_eq!(moved(outer.clone()), outer);
        }
        // Both branches do something.
        let branches = vec![Node::If {
            condition: Index::Param(1),
            then: vec![Node::For(each("j", Index::Param(0), Vec::new()))],
            otherwise: vec![Node::For(each("k", Index::Param(0), Vec::new()))],
        }];
        let outer = each("i", Index::Param(0), branches);
        assert_eq!(moved(outer.clone()), outer);
    }
}

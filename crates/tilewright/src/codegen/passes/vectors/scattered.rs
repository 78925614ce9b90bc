//! Vector loops that would store here and there: what iterations store under a condition of their own,
//! in cells that are not next to each other, takes one masked scatter for each vector, which is slower
//! than one iteration after the other (a relaxation of every second cell that is not marked: 0.43 of its
//! speed by clang 19 with AVX-512). Such loops are not marked for vectors; compilers may still find that
//! they are worth it.
//!
//! Neither are loops over elements that are as far apart as a number says that the program gets, as in
//! `v[i * stride]`: it is 1 more often than not, and C compilers have a text for that, but not in a
//! loop that has to be in vectors (a product over views, 0.44 of its speed by clang 19).

use crate::codegen::kernel::{Instance, Loop, Node, PlaceIndex};
use crate::scop::{AccessKind, Action, Scop};

/// Takes the mark from these loops.
pub(in crate::codegen) fn unmark(scop: &Scop, nodes: &mut [Node]) {
    for node in nodes {
        if let Node::For(each) = node {
            each.simd = each.simd && !scatters(scop, each) && !strides(scop, each);
        }
        match node {
            Node::For(Loop { body, .. })
            | Node::Scope { body, .. }
            | Node::Block { body, .. }
            | Node::Allocate { body, .. } => unmark(scop, body),
            Node::If {
                then, otherwise, ..
            } => {
                unmark(scop, then);
                unmark(scop, otherwise);
            }
            Node::Copies(copies) => copies.iter_mut().for_each(|copy| unmark(scop, copy)),
            Node::Statement(_) | Node::GoesOn { .. } => {}
        }
    }
}

fn scatters(scop: &Scop, each: &Loop) -> bool {
    let mut found = false;
    let mut check = |instance: &Instance| {
        let mut conditional = false;
        Action::walk(&instance.actions(scop), &mut |action| {
            conditional |= matches!(action, Action::If { .. });
        });
        found |= conditional && stores_apart(scop, each, instance);
    };
    each.body.iter().for_each(|node| node.instances(&mut check));
    found
}

/// Whether an access goes in steps that the program gets as a number.
fn strides(scop: &Scop, each: &Loop) -> bool {
    let mut found = false;
    let mut check = |instance: &Instance| {
        let accesses = &scop.statements[instance.statement].accesses;
        found |= instance
            .accesses
            .iter()
            .zip(accesses)
            .any(|(place, access)| {
                let linear = scop.arrays[access.array].layout.linear();
                linear.is_some_and(|linear| {
                    let far = linear.dims().zip(&linear.strides);
                    let far = far.filter(|(_, stride)| stride.text != "1");
                    let mut moving = far.filter(|(dim, _)| match place.indices.get(*dim) {
                        Some(PlaceIndex::Affine(index)) => index.coefficient(&each.var) != Some(0),
                        _ => false,
                    });
                    moving
                        .any(|(_, stride)| stride.sum.iter().any(|(params, _)| !params.is_empty()))
                })
            });
    };
    each.body.iter().for_each(|node| node.instances(&mut check));
    found
}

/// Whether successive iterations store in cells that are not next to each other.
fn stores_apart(scop: &Scop, each: &Loop, instance: &Instance) -> bool {
    let accesses = &scop.statements[instance.statement].accesses;
    let mut both = instance.accesses.iter().zip(accesses);
    both.any(|(place, access)| {
        let moves = |index: &PlaceIndex| match index {
            PlaceIndex::Affine(index) => index.coefficient(&each.var),
            PlaceIndex::Data { .. } => None,
        };
        let step = |moved: i64| moved.checked_mul(each.step).is_some_and(|by| by.abs() <= 1);
        let near = match place.indices.split_last() {
            Some((last, outer)) => {
                outer.iter().all(|index| moves(index) == Some(0)) && moves(last).is_some_and(step)
            }
            None => true,
        };
        access.kind == AccessKind::Write && !near
    })
}

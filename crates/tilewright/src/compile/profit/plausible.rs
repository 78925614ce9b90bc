//! What no prediction is needed for, and what predictions depend on.

use crate::codegen::kernel::{Index, Kernel, Node};
use crate::compile::Region;
use crate::scop::{Array, Layout, Origin, ParamId, Scop, Statement};
use crate::transform::Transformed;
use std::collections::BTreeSet;

/// Whether a text needs more memory than the program's arrays are: a variable of a loop's body that got
/// an element for each iteration of so many loops as no array has dimensions, or more of them than there
/// are such arrays. Their pages are fresh each time, with many time steps there may not be so many, and
/// what was in registers goes through memory.
pub(super) fn outgrows(region: &Region, transformed: &Transformed, kernel: &Kernel) -> bool {
    let scop = &region.scop;
    let arrays = scop.arrays.iter();
    let given = arrays.filter(|array| !matches!(array.origin, Origin::Region { .. }));
    let given: Vec<usize> = given.map(sizes).collect();
    let Some(most) = given.iter().copied().max() else {
        return false;
    };
    let mut as_large = 0;
    for temporary in &kernel.temporaries {
        let array = &scop.arrays[transformed.buffers[temporary.buffer].array];
        if !matches!(array.origin, Origin::Region { .. }) {
            continue;
        }
        let sized = |extent: &&Index| !matches!(extent, Index::Int(_));
        let own = temporary.extents.iter().filter(sized).count();
        if own > most {
            return true;
        }
        as_large += usize::from(own == most);
    }
    as_large > given.iter().filter(|&&own| own == most).count()
}

/// Whether most of the work is in loops that are steps of statements: how often these run only their
/// turns decide, and no order of the loops around changes what they take. What a variable of the body
/// holds they would find in memory.
pub(super) fn is_hidden(scop: &Scop) -> bool {
    scop.statements.iter().any(Statement::repeats)
}

/// How many dimensions of an array are not constant.
fn sizes(array: &Array) -> usize {
    let constant = |extent: &crate::scop::Extent| {
        let affine = extent.affine.as_ref();
        affine.is_some_and(|affine| affine.is_cst().unwrap_or(false))
    };
    let subscripts = array
        .extents
        .iter()
        .filter(|extent| !constant(extent))
        .count();
    match &array.layout {
        Layout::Linear(linear) => subscripts.max(linear.strides.len()),
        Layout::Subscripts => subscripts,
    }
}

/// The names of the parameters that say how often loops run; others are strides, margins and bounds of
/// conditions.
pub(super) fn lengths<'s>(scop: &'s Scop, kernel: &Kernel) -> BTreeSet<&'s str> {
    fn visit(nodes: &[Node], found: &mut BTreeSet<ParamId>) {
        for node in nodes {
            if let Node::For(each) = node {
                for bound in [&each.lower, &each.upper] {
                    bound.walk(&mut |index| {
                        if let Index::Param(param) = index {
                            found.insert(*param);
                        }
                    });
                }
            }
            for child in node.children() {
                visit(std::slice::from_ref(child), found);
            }
        }
    }
    let mut found = BTreeSet::new();
    visit(&kernel.body, &mut found);
    found
        .into_iter()
        .map(|param| &scop.params[param].name[..])
        .collect()
}

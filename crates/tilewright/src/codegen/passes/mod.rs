//! The steps from a region's text to the text that replaces it, in order, each with a name.
//!
//! What [`crate::codegen::generation::build`] and the printer do beyond the plainest code is done pass by pass. Every prefix
//! of the list gives code that can be printed and is right, so that text can be compared with the
//! original after each of them: the first one after which it differs makes the mistake, or brings it
//! to light. [`crate::compile::Options::until`] says where to stop.
//!
//! Passes up to [`Pass::Guards`] choose how a schedule becomes loops, and are switched on one after the
//! other; those behind take a kernel and give back a kernel; [`Pass::Print`] is what the printer
//! decides: copies with all values first, values kept in variables.

pub(crate) mod accumulators;
pub mod dynamic;
pub mod forks;
pub(crate) mod guards;
pub(crate) mod idle;
pub(crate) mod index_sets;
pub(crate) mod magnitudes;
pub(crate) mod padding;
pub mod portions;
pub(crate) mod rows;
pub mod storage;
pub(crate) mod trips;
pub(crate) mod unroll;
pub(crate) mod variables;
pub mod vectors;

use vectors::{scattered, strips};

use dynamic::exits;

use super::kernel::{Kernel, Node};
use crate::codegen::{CodegenOptions, Dealing, Target};
use crate::scop::Scop;
use crate::transform::Transformed;

/// A step on the way from text to text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pass {
    /// The region as a model, in its own order and storage.
    Lower,
    /// Stages inlined and tabulated, variables made private, sums on copies.
    Prepare,
    /// The plan's order and storage, all loops through isl's generator.
    Transform,
    /// Loops that all stages of a group share are generated apart from what is inside.
    Nests,
    /// Parameters and conditions that a nest does not need are dropped.
    Narrow,
    /// Nests whose loops have bounds of their own are read off their sets.
    Boxes,
    /// Neighbours under the same condition are joined.
    Guards,
    /// Loops whose bounds are data get them back.
    Restore,
    /// Loops that would run long where nothing is executed are behind a condition.
    Idle,
    /// Results of jammed iterations are kept in variables over the loops that add to them.
    Accumulators,
    /// Jammed iterations are written out.
    Unroll,
    /// Innermost loops are split where conditions in them change.
    IndexSets,
    /// Nested parallel loops are distributed together.
    Collapse,
    /// Iterations of parallel loops run side by side in the sequential loops in them.
    Rows,
    /// Vector loops over up-sampled cells become loops over pairs of cells.
    Parity,
    /// A loop over the even and one over the odd cells of a row become one.
    Pairs,
    /// Loops that look up bytes are written out in strips; those that store here and there are not
    /// marked for vectors.
    Strips,
    /// Local buffers are variables of the innermost block that they fit in, or memory of a thread.
    Storage,
    /// Loops that run to static bounds in place of data end early.
    Exits,
    /// Copies compute all values before they store, and keep them in variables.
    #[default]
    Print,
}

impl Pass {
    /// All of them, in order.
    pub const ALL: [Pass; 20] = [
        Pass::Lower,
        Pass::Prepare,
        Pass::Transform,
        Pass::Nests,
        Pass::Narrow,
        Pass::Boxes,
        Pass::Guards,
        Pass::Restore,
        Pass::Idle,
        Pass::Accumulators,
        Pass::Unroll,
        Pass::IndexSets,
        Pass::Collapse,
        Pass::Rows,
        Pass::Parity,
        Pass::Pairs,
        Pass::Strips,
        Pass::Storage,
        Pass::Exits,
        Pass::Print,
    ];

    /// As messages call it.
    pub fn name(self) -> &'static str {
        match self {
            Pass::Lower => "lower",
            Pass::Prepare => "prepare",
            Pass::Transform => "transform",
            Pass::Nests => "nests",
            Pass::Narrow => "narrow",
            Pass::Boxes => "boxes",
            Pass::Guards => "guards",
            Pass::Restore => "restore",
            Pass::Idle => "idle",
            Pass::Accumulators => "accumulators",
            Pass::Unroll => "unroll",
            Pass::IndexSets => "index-sets",
            Pass::Collapse => "collapse",
            Pass::Rows => "rows",
            Pass::Parity => "parity",
            Pass::Pairs => "pairs",
            Pass::Strips => "strips",
            Pass::Storage => "storage",
            Pass::Exits => "exits",
            Pass::Print => "print",
        }
    }
}

impl CodegenOptions {
    /// Whether a pass is done.
    pub(super) fn does(&self, pass: Pass) -> bool {
        pass <= self.until
    }
}

/// A kernel for processors as it is printed: the passes behind [`crate::codegen::generation::build::generate`].
pub fn finish(
    scop: &Scop,
    transformed: &Transformed,
    kernel: &Kernel,
    options: &CodegenOptions,
) -> Kernel {
    let mut kernel = if options.does(Pass::Strips) {
        let mut kernel = strips::write_out(scop, transformed, kernel);
        scattered::unmark(scop, &mut kernel.body);
        kernel
    } else {
        kernel.clone()
    };
    if options.target == Target::OpenMp {
        forks::decide(scop, transformed, &mut kernel, options.fork);
        if !matches!(options.dealing, Dealing::Dynamic { .. }) {
            kernel = portions::divide(kernel);
        }
    } else {
        kernel.body.iter_mut().for_each(forget_threads);
    }
    let kernel = if options.does(Pass::Storage) {
        storage::place(scop, &kernel)
    } else {
        storage::place_plainly(scop, &kernel)
    };
    if options.does(Pass::Exits) {
        Kernel {
            body: exits::with_exits(scop, kernel.body, &[]),
            ..kernel
        }
    } else {
        kernel
    }
}

/// One thread, no pragmas.
fn forget_threads(node: &mut Node) {
    match node {
        Node::For(each) => {
            (each.parallel, each.collapse) = (false, 1);
            each.body.iter_mut().for_each(forget_threads);
        }
        Node::If {
            then, otherwise, ..
        } => then.iter_mut().chain(otherwise).for_each(forget_threads),
        Node::Scope { body, .. } | Node::Block { body, .. } | Node::Allocate { body, .. } => {
            body.iter_mut().for_each(forget_threads);
        }
        Node::Copies(copies) => copies.iter_mut().flatten().for_each(forget_threads),
        Node::Statement(_) | Node::GoesOn { .. } => {}
    }
}

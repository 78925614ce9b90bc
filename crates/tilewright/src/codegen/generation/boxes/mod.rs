//! Nests whose statements run over boxes, without isl's AST generation.
//!
//! Most nests of a pipeline are no more than loops over rows and columns: given the loop variables
//! around the nest, every dimension of every statement has bounds of its own, or one value. What
//! loops and conditions such a nest needs can be read off its sets, which takes a fraction of the
//! time that isl's general way takes. Everything else is left to isl: [`generate`] answers `None`.
//!
//! A nest is generated here if
//!
//! - each domain consists of basic sets, no two of which have instances for the same values of
//!   what is around the nest;
//! - each constraint of such a set, with what its equalities say, is a condition on what is around
//!   the nest, a bound of one dimension, or `x mod m = r` for one dimension `x` ([`piece`]);
//! - each band member is one dimension plus a function of what is around it, or is such a function
//!   alone ([`tree`]);
//! - the statements of a loop have the same bounds, or their conditions exclude each other.

mod piece;
#[cfg(test)]
mod tests;
mod tree;
mod value;

use crate::codegen::generation::boxes::piece::{Piece, exclusive};
use crate::codegen::generation::build::internal;
use crate::codegen::generation::convert::Marks;
use crate::codegen::generation::place::Site;
use crate::codegen::kernel::{Index, Instance, Node};
use isl::{Id, Result, ScheduleNode, ScheduleNodeType, Set};

/// From a lifted statement's number, values of its dimensions and a place to its instance there.
pub(crate) type MakeInstance<'a> = dyn Fn(usize, &[Index], &Site) -> Result<Instance> + 'a;

/// What generation needs to know of the surroundings.
pub(crate) struct Nest<'a> {
    /// Number of the lifted statement of a name.
    pub number: &'a dyn Fn(&str) -> Option<usize>,
    /// The instance of a lifted statement with some values of its dimensions.
    pub instance: &'a MakeInstance<'a>,
    /// What holds for the parameters, the loop variables around the nest among them.
    pub context: &'a Set,
    /// What the names of loop variables start with; the loop's depth follows.
    pub prefix: &'a str,
    /// Loops around the nest.
    pub depth: usize,
    /// What a parameter or loop variable is.
    pub name: &'a dyn Fn(&str) -> Index,
    /// Instances that may still be generated.
    pub room: usize,
}

/// The code of some instances in the order of a tree, of which only what concerns them matters;
/// `None` where it is not a nest of boxes.
///
/// # Errors
/// isl's own.
pub(crate) fn generate(
    nest: &Nest,
    instances: &[Set],
    tree: &ScheduleNode,
) -> Result<Option<Vec<Node>>> {
    let mut space = nest.context.get_space()?;
    for set in instances {
        space = space.align_params(&set.get_space()?.params()?)?;
    }
    for depth in nest.depth..nest.depth + bands(tree)? {
        let id = Id::alloc(space.ctx(), &format!("{}{depth}", nest.prefix))?;
        space = space.add_param_id(&id)?;
    }
    let mut pieces = Vec::new();
    for set in instances {
        let tuple = set.get_tuple_name()?;
        let lifted = (nest.number)(&tuple);
        let lifted = lifted.ok_or_else(|| internal("instances of no lifted statement"))?;
        let mut own: Vec<Piece> = Vec::new();
        for part in set.align_params(&space)?.basic_sets()? {
            match Piece::read(&part, lifted, nest.context, &space, nest.name)? {
                Some(piece) => own.push(piece),
                None => return Ok(None),
            }
        }
        // Disjuncts may overlap: each instance is to be executed once.
        if !exclusive(nest.context, own.iter())? {
            return Ok(None);
        }
        pieces.extend(own);
    }
    pieces.sort_by_key(|piece| piece.lifted);
    if pieces.len() > nest.room {
        return Ok(None);
    }
    nest.node(tree, pieces, nest.depth, &space, &Marks::default())
}

/// The largest number of bands on a path from the node.
fn bands(node: &ScheduleNode) -> Result<usize> {
    let mut most = 0;
    for child in node.children()? {
        most = most.max(bands(&child)?);
    }
    let own = match node.get_type()? {
        ScheduleNodeType::Band => node.band_n_member()?,
        _ => 0,
    };
    Ok(most + own)
}

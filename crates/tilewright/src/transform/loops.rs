//! Which loops of a schedule tree are parallel, and the marks that say so.
//!
//! Exact: a band member is parallel when no dependence that the outer loops leave together has a
//! distance along it. Outer loops are all band members above; a sequence above separates its
//! children, so dependences between them do not count.

use crate::analysis::dependences::carried::parallel_members;
use crate::plan::defaults;
use crate::scop::Scop;
use crate::scop::tree::{marks::Mark, walk};
use crate::transform::nests::strides;
use isl::{AstLoopType, DimType, Result, Schedule, ScheduleNode, UnionMap, UnionSet};

/// What to mark.
#[derive(Clone, Copy, Debug)]
pub struct Annotate<'s> {
    /// Mark the outermost parallel loop of every path.
    pub parallel: bool,
    /// Mark so many parallel loops directly inside each other, from the outermost one on.
    pub nested: i64,
    /// Mark the innermost loop of every path where it is parallel and its accesses to the arrays
    /// of this scop move by unit strides for the most part.
    pub simd: Option<&'s Scop>,
    /// Where bounds of loops of this scop are data, leave loops inside others sequential that are
    /// likely to be short: those whose bounds are data, and those of few iterations.
    pub short: Option<&'s Scop>,
    /// The dependences but for those between atomic updates: a loop that carries none of these is
    /// parallel where no loop in it is without them.
    pub loose: Option<&'s UnionMap>,
}

/// Splits every band into single members and marks loops.
pub fn annotate(
    schedule: &Schedule,
    dependences: &UnionMap,
    what: Annotate<'_>,
) -> Result<Schedule> {
    let root = schedule.get_root()?;
    let node = annotate_below(&root, dependences, what, Around::default())?;
    node.root()?.get_schedule()
}

/// The loops around a node.
#[derive(Clone, Copy, Default)]
struct Around {
    /// How many of them are marked parallel.
    marked: i64,
    /// The innermost one is.
    direct: bool,
    /// They are those of the points of a tile along wavefronts.
    wavefront: bool,
}

impl Around {
    fn and_one(self) -> Around {
        Around {
            marked: self.marked + 1,
            direct: true,
            ..self
        }
    }

    /// Whether another loop may be marked, where so many directly inside each other are wanted.
    fn takes_more(self, nested: i64) -> bool {
        self.marked == 0 || self.wavefront || self.direct && self.marked < nested
    }
}

/// Works on the subtree of `node` and returns the node at the same position.
fn annotate_below(
    node: &ScheduleNode,
    dependences: &UnionMap,
    what: Annotate<'_>,
    around: Around,
) -> Result<ScheduleNode> {
    let mut node = node.clone();
    let mut levels_up = 0;
    let mut here = around;
    here.wavefront |= Mark::of(&node)? == Some(Mark::Wavefront);
    if walk::is_loop(&node)? {
        node = walk::outermost(node)?;
        here.direct = false;
        let carries_nothing = parallel_members(&node, dependences, true)?[0];
        let innermost = !walk::has_loop(&node.child(0)?)?;
        if innermost && node.get_domain()?.sets()?.len() > 1 {
            // Pieces with other statements in them become loops of their own: no conditions
            // inside the innermost loop.
            node = node.band_member_set_ast_loop_type(0, AstLoopType::Separate)?;
        }
        let mark = if !carries_nothing {
            let wanted = what.parallel && around.marked == 0 && !is_short(&node, what.short)?;
            match what.loose.filter(|_| wanted) {
                Some(loose) if becomes_parallel(&node, dependences, loose, what)? => {
                    here = around.and_one();
                    Some(Mark::Parallel)
                }
                _ => None,
            }
        } else if innermost
            && (around.marked > 0 || !what.parallel)
            && unit_strides(&node, what.simd)?
        {
            Some(Mark::Simd)
        } else if what.parallel && around.takes_more(what.nested) && !is_short(&node, what.short)? {
            here = around.and_one();
            Some(Mark::Parallel)
        } else {
            None
        };
        if let Some(mark) = mark {
            node = mark.above(&node)?.child(0)?;
            levels_up = 1;
        }
    }
    let node = walk::with_children(&node, |child| {
        annotate_below(child, dependences, what, here)
    })?;
    walk::up(&node, levels_up)
}

/// Whether a loop is parallel with these dependences alone, and none inside it is with all.
fn becomes_parallel(
    node: &ScheduleNode,
    dependences: &UnionMap,
    loose: &UnionMap,
    what: Annotate<'_>,
) -> Result<bool> {
    if !parallel_members(node, loose, true)?[0] {
        return Ok(false);
    }
    let strict = Annotate {
        loose: None,
        ..what
    };
    let below = annotate_below(&node.child(0)?, dependences, strict, Around::default())?;
    let marks = walk::marks(&below)?;
    Ok(marks.iter().all(|(mark, _)| *mark != Mark::Parallel))
}

/// Whether the loop of a band of one member, inside another loop, is likely to be too short for
/// threads.
fn is_short(node: &ScheduleNode, scop: Option<&Scop>) -> Result<bool> {
    let Some(scop) = scop.filter(|scop| !scop.loops.bounds.is_empty()) else {
        return Ok(false);
    };
    if node.get_schedule_depth()? == 0 {
        return Ok(false);
    }
    let partial = node.band_get_partial_schedule()?.get_at(0)?;
    for set in node.get_domain()?.sets()? {
        let name = set.get_tuple_name()?;
        let Some(statement) = scop.statement_named(&name).map(|id| &scop.statements[id]) else {
            continue;
        };
        let mut values = Vec::new();
        let own = partial.intersect_domain(&UnionSet::from_set(&set)?)?;
        own.foreach_pw_aff(&mut |value| {
            values.push(value);
            Ok(())
        })?;
        for value in values {
            // Not of the domain, which mentions all iterators.
            for (_, value) in value.pieces()? {
                for iterator in 0..statement.iterators.len() {
                    if value.involves_dims(DimType::In, iterator, 1)?
                        && scop.is_dynamic(statement, iterator)
                    {
                        return Ok(true);
                    }
                }
            }
            let (least, greatest) = (value.min_val()?, value.max_val()?);
            if let (Some(least), Some(greatest)) = (least.to_i64(), greatest.to_i64()) {
                if greatest.saturating_sub(least) < defaults::LEAST_PARALLEL {
                    return Ok(true);
                }
            }
        }
    }
    Ok(false)
}

/// Whether the loop of a band of one member is worth vector instructions.
fn unit_strides(node: &ScheduleNode, scop: Option<&Scop>) -> Result<bool> {
    let Some(scop) = scop else { return Ok(false) };
    for instances in node.get_domain()?.sets()? {
        let lifted = instances.get_tuple_name()?;
        let statement = scop.statement_named(&lifted);
        if statement.is_some_and(|number| scop.statements[number].repeats()) {
            return Ok(false);
        }
    }
    Ok(strides::score(node, scop, &node.band_get_partial_schedule()?, 0)?.all > 0)
}

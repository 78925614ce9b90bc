//! Do conflicting instances come in the original's order?
//!
//! For one array: if every pair of instances that touch the same memory cell, one of them
//! writing, comes in the order of the original, and the writer of every value read works on the
//! reader's storage, then every read sees the same write as before, and the last write of each
//! cell is the same. This is sufficient, not necessary; where it fails, the exact comparison
//! decides. For accesses to unknown cells only the order can keep the values, so there it is
//! asked for.

use super::domain::first_map;
use super::program::{Effect, Program, Touch};
use super::witness;
use super::{Violation, ViolationKind};
use crate::scop::ArrayId;
use crate::transform::BufferKind;

/// What the order says.
pub(super) enum Verdict {
    /// Nothing can differ.
    Preserved,
    /// Only the exact comparison can tell.
    Unknown,
    /// The array has accesses to unknown cells, and their order is not kept.
    Violated(Violation),
}

/// Asks for one array.
pub(super) fn check(program: &Program, array: ArrayId) -> isl::Result<Verdict> {
    let touches: Vec<&Touch> = program
        .touches
        .iter()
        .filter(|t| t.array == array)
        .collect();
    let unknown_cells = has_unknown_cells(program, &touches)?;
    let full = touches.iter().all(|touch| program.is_full(touch.buffer));
    if !full && !unknown_cells {
        return Ok(Verdict::Unknown);
    }
    let folded = touches
        .iter()
        .any(|touch| match &program.buffer(touch.buffer).kind {
            BufferKind::Full => false,
            BufferKind::Local { folded, .. } => folded.contains(&true),
        });
    let touched = Touched::of(program, &touches)?;
    let mut problem = None;
    if folded || touched.updated_twice(program)? {
        problem = Some(None);
    }
    if problem.is_none() {
        problem = touched.reversed(program, array, full)?.map(Some);
    }
    if problem.is_none() && !full && !touched.sources_present(program, &touches)? {
        problem = Some(None);
    }
    match problem {
        None => Ok(Verdict::Preserved),
        Some(_) if !unknown_cells => Ok(Verdict::Unknown),
        Some(Some(pair)) => Ok(Verdict::Violated(reversed_pair(program, array, &pair)?)),
        Some(None) => Ok(Verdict::Violated(Violation {
            message: format!(
                "which elements of `{}` are accessed depends on data; it cannot be kept in a \
                 folded buffer, nor in one that its writers and readers do not share, nor be \
                 updated twice",
                program.scop.arrays[array].base
            ),
            parameters: String::new(),
            kind: ViolationKind::Flow,
        })),
    }
}

/// Whether an access of the array is to cells that depend on data. (A conditional write of a
/// known cell is not, as long as the old value comes from the same buffer.)
fn has_unknown_cells(program: &Program, touches: &[&Touch]) -> isl::Result<bool> {
    for touch in touches {
        let lifted = program.lifted(touch.lifted);
        let access = &program.scop.statements[lifted.statement].accesses[touch.access];
        if !access.exact && !access.relation.is_single_valued()? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// What touches one array, as lifted instances to memory cells.
struct Touched {
    all: isl::UnionMap,
    writes: isl::UnionMap,
    reads: isl::UnionMap,
    /// Whether some original instance may have several copies.
    copies: bool,
}

impl Touched {
    fn of(program: &Program, touches: &[&Touch]) -> isl::Result<Touched> {
        let empty = isl::UnionMap::empty_ctx(&program.scop.ctx)?;
        let mut touched = Touched {
            all: empty.clone(),
            writes: empty.clone(),
            reads: empty,
            copies: false,
        };
        let mut statements = Vec::new();
        for touch in touches {
            touched.all = touched.all.add_map(&touch.cells)?;
            let side = match touch.effect {
                Effect::Read(_) => &mut touched.reads,
                Effect::Write | Effect::MayWrite => &mut touched.writes,
            };
            *side = side.add_map(&touch.cells)?;
            let lifted = program.lifted(touch.lifted);
            if !statements.contains(&touch.lifted) {
                touched.copies |= lifted.tile_dims > 0
                    || statements
                        .iter()
                        .any(|&other: &usize| program.lifted(other).statement == lifted.statement);
                statements.push(touch.lifted);
            }
        }
        Ok(touched)
    }

    /// Whether an instance that reads and writes a cell has another copy working on that cell.
    fn updated_twice(&self, program: &Program) -> isl::Result<bool> {
        if !self.copies {
            return Ok(false);
        }
        let copies = program.to_original.intersect_domain(&self.all.domain()?)?;
        let copies = copies.apply_range(&copies.reverse()?)?;
        let others = copies.subtract(&self.all.domain()?.identity()?)?;
        let shared = self.writes.apply_range(&self.reads.reverse()?)?;
        Ok(!others.is_disjoint(&shared)?)
    }

    /// A map of pairs of lifted instances that touch the same memory cell, one of them writing,
    /// and come in the other order than in the original: from the original's first one.
    fn reversed(
        &self,
        program: &Program,
        array: ArrayId,
        full: bool,
    ) -> isl::Result<Option<isl::Map>> {
        let mut ordered = program.dataflow.through[array].clone();
        for edge in program
            .dataflow
            .edges
            .iter()
            .filter(|edge| edge.array == array)
        {
            ordered = ordered.union(&edge.sources)?;
        }
        let copies = program.to_original.reverse()?;
        let mut ordered = ordered.apply_domain(&copies)?.apply_range(&copies)?;
        if !full {
            ordered = ordered.intersect(&self.all.apply_range(&self.all.reverse()?)?)?;
        }
        first_map(&ordered.lex_ge_at_multi_union_pw_aff(&program.order)?)
    }

    /// Whether every reader shares its storage with a copy of every instance that it reads from.
    fn sources_present(&self, program: &Program, touches: &[&Touch]) -> isl::Result<bool> {
        let writers = self.writes.reverse()?.apply_range(&program.to_original)?;
        for touch in touches.iter().filter(|touch| touch.is_read()) {
            let wanted = program.wanted_sources(touch)?;
            let shared = isl::UnionMap::from_map(&touch.cells)?.apply_range(&writers)?;
            if !wanted.is_subset(&shared)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The violation of a pair of [`Touched::reversed`].
fn reversed_pair(program: &Program, array: ArrayId, pair: &isl::Map) -> isl::Result<Violation> {
    let scop = program.scop;
    let sample = witness::sample(scop, &pair.wrap()?)?;
    let first = program.lifted_named(&pair.get_tuple_name(isl::DimType::In)?);
    let second = program.lifted_named(&pair.get_tuple_name(isl::DimType::Out)?);
    let (earlier, later) = sample.split(first.domain.tuple_dim()?);
    let flow = program.to_original.reverse()?;
    let flow = program
        .dataflow
        .flow
        .apply_domain(&flow)?
        .apply_range(&flow)?;
    let is_flow = !flow
        .intersect(&isl::UnionMap::from_map(pair)?)?
        .is_empty()?;
    let name = &scop.arrays[array].base;
    let earlier = witness::lifted(scop, first, earlier);
    let later = witness::lifted(scop, second, later);
    Ok(Violation {
        message: match is_flow {
            true => format!("{later} would read what {earlier} has not yet written to `{name}`"),
            false => format!("{later} would access `{name}` before {earlier}, one of them writing"),
        },
        parameters: sample.parameters(scop),
        kind: ViolationKind::Flow,
    })
}

//! Do loops that run in parallel conflict?
//!
//! Two instances below a mark `parallel` or `simd`, with the same values of all loops around it
//! but different ones of the marked loop, must not touch the same memory cell, one of them
//! writing; but for atomic updates of one array ([`crate::analysis::reductions`]), which may meet
//! each other in a `parallel` loop. Cells of local buffers whose life is one iteration (or less) are different by
//! construction: the execution of the scope is part of their coordinates.

use crate::analysis::dependences::times::Times;
use crate::analysis::reductions::update_of;
use crate::scop::tree::{marks::Mark, walk};
use crate::transform::BufferId;
use crate::validate::checks::domain::first_map;
use crate::validate::numbers::model::Model;
use crate::validate::numbers::questions::Question;
use crate::validate::program::Program;
use crate::validate::storage::Touch;
use crate::validate::witness;
use crate::validate::{Violation, ViolationKind};
use std::collections::BTreeSet;

/// Checks all marks.
pub(crate) fn check(program: &Program) -> isl::Result<Option<Violation>> {
    let marks = |mark: &Mark| matches!(mark, Mark::Parallel | Mark::Simd);
    if let Some(model) = &program.model {
        for (number, found) in model.tree.loops.iter().enumerate() {
            if !marks(&found.mark)
                || program.seen(Question::Loop, seen_apart(program, model, number)?)
            {
                continue;
            }
            let violation = check_mark(program, found.mark, &found.node)?;
            if violation.is_some() {
                return Ok(violation);
            }
        }
        return Ok(None);
    }
    let mut loops = walk::marks(&program.transformed.schedule.get_root()?)?;
    loops.retain(|(mark, _)| marks(mark));
    for (mark, node) in &loops {
        let violation = check_mark(program, *mark, node)?;
        if violation.is_some() {
            return Ok(violation);
        }
    }
    Ok(None)
}

fn check_mark(
    program: &Program,
    mark: Mark,
    node: &isl::ScheduleNode,
) -> isl::Result<Option<Violation>> {
    let band = node.child(0)?;
    if band.get_type()? == isl::ScheduleNodeType::Band {
        return check_loop(program, mark, &band);
    }
    Ok(Some(Violation {
        message: format!("the mark `{mark}` does not stand above a loop"),
        parameters: String::new(),
        kind: ViolationKind::Race,
    }))
}

/// Whether it is seen at once that the iterations of a loop do not conflict.
fn seen_apart(program: &Program, model: &Model, number: usize) -> isl::Result<bool> {
    if !model.tree.loops[number].single {
        return Ok(false);
    }
    let shared = |touch: &&Touch| {
        model.uses_in_loop(number, touch) && !model.lives_inside(number, touch.buffer)
    };
    let users: Vec<&Touch> = program.touches.iter().filter(shared).collect();
    for write in users.iter().filter(|touch| !touch.is_read()) {
        for other in users.iter().filter(|touch| touch.buffer == write.buffer) {
            if !model.apart_in_loop(number, write, other)? {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

fn check_loop(
    program: &Program,
    mark: Mark,
    band: &isl::ScheduleNode,
) -> isl::Result<Option<Violation>> {
    let (around, iteration) = times_of(band)?;
    let below = band.get_domain()?.apply(&band.get_subtree_expansion()?)?;
    let inner = scopes_below(band)?;
    let mut names = BTreeSet::new();
    for set in below.sets()? {
        names.insert(set.get_tuple_name()?);
    }
    let touches: Vec<&Touch> = program
        .touches
        .iter()
        .filter(|touch| names.contains(&program.lifted(touch.lifted).name))
        .collect();

    let mut buffers: Vec<BufferId> = Vec::new();
    for touch in touches.iter().filter(|touch| !touch.is_read()) {
        let inside = program.buffer(touch.buffer).kind.scope();
        let inside = inside.is_some_and(|scope| inner.contains(&scope));
        if !inside && !buffers.contains(&touch.buffer) {
            buffers.push(touch.buffer);
        }
    }
    let times = (
        Times::from_levels(&around)?,
        Times::from_levels(&iteration)?,
    );
    for buffer in buffers {
        let users: Vec<&Touch> = touches
            .iter()
            .copied()
            .filter(|touch| touch.buffer == buffer)
            .collect();
        if !may_race(program, &times, &users)? {
            continue;
        }
        let mut writes = isl::UnionMap::empty_ctx(&program.scop.ctx)?;
        let mut all = writes.clone();
        for touch in users {
            all = all.add_map(&touch.cells()?)?;
            if !touch.is_read() {
                writes = writes.add_map(&touch.cells()?)?;
            }
        }
        let writes = writes.intersect_domain(&below)?;
        if writes.is_empty()? {
            continue;
        }
        let all = all.intersect_domain(&below)?;
        let mut shared = writes.apply_range(&all.reverse()?)?;
        if let Some(apart) = independent(program, buffer)? {
            shared = shared.subtract(&apart)?;
        }
        if mark == Mark::Parallel {
            shared = shared.subtract(&atomic(program, buffer)?)?;
        }
        if around.size()? > 0 {
            shared = shared.eq_at_multi_union_pw_aff(&around)?;
        }
        let earlier = shared.lex_lt_at_multi_union_pw_aff(&iteration)?;
        let racing = match first_map(program.scop, &earlier)? {
            Some(pair) => Some(pair),
            None => first_map(
                program.scop,
                &shared.lex_gt_at_multi_union_pw_aff(&iteration)?,
            )?,
        };
        if let Some(pair) = racing {
            return explain(program, mark, buffer, &pair).map(Some);
        }
    }
    Ok(None)
}

/// The times of lifted instances around a band, and in it.
pub(crate) fn times_of(
    band: &isl::ScheduleNode,
) -> isl::Result<(isl::MultiUnionPwAff, isl::MultiUnionPwAff)> {
    let to_node = band.get_subtree_contraction()?;
    let around = band.get_prefix_schedule_multi_union_pw_aff()?;
    let iteration = band.band_get_partial_schedule()?;
    Ok((
        around.pullback_union_pw_multi_aff(&to_node)?,
        iteration.pullback_union_pw_multi_aff(&to_node)?,
    ))
}

/// Pairs of lifted instances that do not share a cell, by the program's word.
fn independent(program: &Program, buffer: BufferId) -> isl::Result<Option<isl::UnionMap>> {
    if program.scop.loops.independent.is_empty() || !program.is_full(buffer) {
        return Ok(None);
    }
    let array = program.buffer(buffer).array;
    let Some(apart) = crate::analysis::dependences::independent::apart(program.scop, array)? else {
        return Ok(None);
    };
    let original = program.to_original()?;
    let lifted = original
        .apply_range(&apart)?
        .apply_range(&original.reverse()?)?;
    Ok(Some(lifted))
}

/// Pairs of lifted instances that update an array and are atomic. An update has no other access to
/// the array; that a statement is one is not taken from the plan.
fn atomic(program: &Program, buffer: BufferId) -> isl::Result<isl::UnionMap> {
    let mut all = isl::UnionSet::empty_ctx(&program.scop.ctx)?;
    let array = program.buffer(buffer).array;
    for lifted in &program.transformed.statements {
        let id = lifted.statement;
        let listed = program.transformed.atomic.contains(&id) && program.is_full(buffer);
        if listed && update_of(program.scop, id, array).is_some() {
            all = all.union(&isl::UnionSet::from_set(&lifted.domain)?)?;
        }
    }
    isl::UnionMap::from_domain_and_range(&all, &all)
}

/// Whether two of the instances of whole statements, of which a loop may hold only some, touch the
/// same cell in different iterations of it, with the same values of all loops around it.
pub(crate) fn may_race(
    program: &Program,
    (around, iteration): &(Times, Times),
    users: &[&Touch],
) -> isl::Result<bool> {
    for write in users.iter().filter(|touch| !touch.is_read()) {
        for other in users {
            let shared = write.cells()?.apply_range(&other.cells()?.reverse()?)?;
            let shared = around.together(&shared)?;
            if shared.plain_is_empty()? {
                continue;
            }
            let apart = shared.subtract(&iteration.together(&shared)?)?;
            if program.scop.is_possible(&apart)? {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// The scopes all of whose marks stand at or below a node of the tree.
pub(crate) fn scopes_below(node: &isl::ScheduleNode) -> isl::Result<Vec<usize>> {
    let below = walk::scopes(node)?;
    let all = walk::scopes(&node.root()?)?;
    let number = |list: &[usize], scope: usize| list.iter().filter(|&&s| s == scope).count();
    let mut inner = below.clone();
    inner.retain(|&scope| number(&below, scope) == number(&all, scope));
    inner.sort_unstable();
    inner.dedup();
    Ok(inner)
}

/// A pair from a writing instance to another that touches the same cell.
fn explain(
    program: &Program,
    mark: Mark,
    buffer: BufferId,
    pair: &isl::Map,
) -> isl::Result<Violation> {
    let scop = program.scop;
    let sample = witness::sample(scop, &pair.wrap()?)?;
    let writer = program.lifted_named(&pair.get_tuple_name(isl::DimType::In)?);
    let other = program.lifted_named(&pair.get_tuple_name(isl::DimType::Out)?);
    let (first, second) = sample.split(writer.domain.tuple_dim()?);

    // What they share, and what the second one does with it.
    let mut cell = program.buffer(buffer).name.clone();
    let mut also_writes = false;
    let touching = |touch: &&Touch, name: &str| {
        touch.buffer == buffer && program.lifted(touch.lifted).name == name
    };
    for write in program
        .touches
        .iter()
        .filter(|t| !t.is_read() && touching(t, &writer.name))
    {
        let written = witness::images(scop, &write.cells()?, &sample.parameters, first)?;
        for touch in program.touches.iter().filter(|t| touching(t, &other.name)) {
            let touched = witness::images(scop, &touch.cells()?, &sample.parameters, second)?;
            if touched.iter().any(|cell| written.contains(cell)) {
                let elements =
                    witness::images(scop, &write.elements()?, &sample.parameters, first)?;
                if let Some(element) = elements.first() {
                    cell = witness::cell(scop, write.array, element);
                }
                also_writes |= !touch.is_read();
            }
        }
    }
    Ok(Violation {
        message: format!(
            "{} would write {cell} while {}, in another iteration of the same {} loop, {} it",
            witness::lifted(scop, writer, first),
            witness::lifted(scop, other, second),
            if mark == Mark::Simd {
                "vector"
            } else {
                "parallel"
            },
            if also_writes { "writes" } else { "reads" },
        ),
        parameters: sample.parameters(scop),
        kind: ViolationKind::Race,
    })
}

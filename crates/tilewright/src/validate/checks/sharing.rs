//! Are buffers that share memory never needed at the same time?
//!
//! Each of them is validated as if it were alone ([`crate::validate::checks::order`] and what follows). What is
//! left to ask: is nothing written to one of them between a write to another and the read of the
//! value? Which cells of one lie on which of the other does not matter here: all of one are taken
//! to be where any of the other is.
//!
//! Almost always the times say it: if in one life of the buffers all values of both are read in
//! the same iteration of some outer loops as they are written, and what uses the one comes before
//! what uses the other in that iteration, nothing comes between. Elsewhere a counterexample is
//! looked for.
//!
//! Vector loops and unrolled ones are executed in orders that the schedule does not say, given
//! that different buffers are different memory. So in each of them at most one of several
//! buffers that share memory may be used.

use crate::scop::tree::walk;
use crate::transform::BufferId;
use crate::validate::checks::domain::statement_of;
use crate::validate::checks::order::unbounded;
use crate::validate::numbers::model::Model;
use crate::validate::numbers::questions::Question;
use crate::validate::program::Program;
use crate::validate::storage::Touch;
use crate::validate::witness;
use crate::validate::{Violation, ViolationKind};
use std::cell::OnceCell;
use std::collections::BTreeSet;

/// Asks for all buffers that share memory.
pub(crate) fn check(program: &Program) -> isl::Result<Option<Violation>> {
    if program.transformed.shared.is_empty() {
        return Ok(None);
    }
    for sharing in &program.transformed.shared {
        if let Some(violation) = check_kinds(program, sharing) {
            return Ok(Some(violation));
        }
        let mut users = Vec::new();
        for &buffer in sharing {
            users.push(User::new(program, buffer));
        }
        for first in 0..users.len() {
            for second in first + 1..users.len() {
                if apart(program, &mut users, first, second)? {
                    continue;
                }
                for (mine, other) in [(first, second), (second, first)] {
                    let lost = overwritten(program, &users[mine], &users[other])?;
                    if lost.is_some() {
                        return Ok(lost);
                    }
                }
            }
        }
    }
    if let Some(model) = &program.model
        && program.seen(Question::Lanes, one_in_each_loop(program, model))
    {
        return Ok(None);
    }
    check_loops(program)
}

/// Of one scope and one element type, none in two lists.
fn check_kinds(program: &Program, sharing: &[BufferId]) -> Option<Violation> {
    let kind = |id: BufferId| {
        let buffer = program.buffer(id);
        let element = &program.scop.arrays[buffer.array].element;
        buffer.kind.scope().map(|scope| (scope, element))
    };
    let &first = sharing.first()?;
    let all = || program.transformed.shared.iter().flatten();
    let wrong = |&&id: &&BufferId| {
        kind(id).is_none() || kind(id) != kind(first) || all().filter(|&&b| b == id).count() > 1
    };
    let name = |id: BufferId| program.buffer(id).name.as_str();
    sharing.iter().find(wrong).map(|&id| Violation {
        message: format!(
            "`{}` cannot be the same memory as `{}`",
            name(id),
            name(first)
        ),
        parameters: String::new(),
        kind: ViolationKind::Bounds,
    })
}

/// A buffer and who uses it.
struct User<'p> {
    touches: Vec<&'p Touch<'p>>,
    /// Who reads and who writes.
    pairs: Vec<(&'p Touch<'p>, &'p Touch<'p>)>,
    /// From readers to the lifted writers that they get their values from.
    flows: OnceCell<Vec<Flow<'p>>>,
    /// Per level, whether readers and writers have the same time, as far as is known.
    agrees: Vec<bool>,
    /// The same, as far as it is seen at once.
    seen: Vec<bool>,
}

/// From readers to the lifted writers that they get their values from, in one life: a map that
/// holds them and the same exactly.
#[derive(Clone)]
struct Flow<'p> {
    read: &'p Touch<'p>,
    write: &'p Touch<'p>,
    around: isl::Map,
    exact: isl::Map,
}

impl<'p> User<'p> {
    fn new(program: &'p Program, buffer: BufferId) -> User<'p> {
        let touches: Vec<&Touch> = program
            .touches
            .iter()
            .filter(|touch| touch.buffer == buffer)
            .collect();
        let (reads, writes): (Vec<&Touch>, Vec<&Touch>) =
            touches.iter().partition(|touch| touch.is_read());
        let mut pairs = Vec::new();
        for read in reads {
            pairs.extend(writes.iter().map(|&write| (read, write)));
        }
        User {
            touches,
            pairs,
            flows: OnceCell::new(),
            agrees: Vec::new(),
            seen: Vec::new(),
        }
    }

    fn flows(&self, program: &Program) -> isl::Result<&[Flow<'p>]> {
        if let Some(known) = self.flows.get() {
            return Ok(known);
        }
        let mut flows = Vec::new();
        for &(read, write) in &self.pairs {
            let writing = program.lifted(write.lifted).statement;
            for sources in program.wanted_sources(read)?.iter() {
                if statement_of(program.scop, sources, isl::DimType::Out)? != writing {
                    continue;
                }
                let back = program.original(write.lifted).reverse()?;
                let life = program.may_share(read, write)?;
                flows.push(Flow {
                    read,
                    write,
                    around: unbounded(sources)?
                        .apply_range(&unbounded(&back)?)?
                        .intersect(&life)?,
                    exact: sources.apply_range(&back)?.intersect(&life)?,
                });
            }
        }
        Ok(self.flows.get_or_init(|| flows))
    }

    /// Whether all values are read at the same time as they are written, at one level.
    fn agrees(&mut self, program: &Program, level: usize) -> isl::Result<bool> {
        while self.agrees.len() <= level {
            let level = self.agrees.len();
            let mut agrees = true;
            for flow in self.flows(program)? {
                agrees = agrees
                    && (program.agree(&flow.around, level)?
                        || program.agree(&flow.exact, level)?);
            }
            self.agrees.push(agrees);
        }
        Ok(self.agrees[level])
    }

    /// Whether that is seen at once, of one level.
    fn seen_to_agree(
        &mut self,
        program: &Program,
        model: &Model,
        level: usize,
    ) -> isl::Result<bool> {
        while self.seen.len() <= level {
            let level = self.seen.len();
            let mut agrees = true;
            for &(read, write) in &self.pairs {
                agrees = agrees && seen_to_agree(program, model, (read, write), level)?;
            }
            self.seen.push(agrees);
        }
        Ok(self.seen[level])
    }

    /// The first and last time at a level, where all are constants.
    fn interval(
        &self,
        constant: impl Fn(&Touch) -> isl::Result<Option<i64>>,
    ) -> isl::Result<Option<(i64, i64)>> {
        let mut all: Option<(i64, i64)> = None;
        for touch in &self.touches {
            let Some(time) = constant(touch)? else {
                return Ok(None);
            };
            all = Some(all.map_or((time, time), |(a, b)| (a.min(time), b.max(time))));
        }
        Ok(all)
    }
}

/// Whether the values that a read gets from a write are seen to be read when they are written.
fn seen_to_agree(
    program: &Program,
    model: &Model,
    (read, write): (&Touch, &Touch),
    level: usize,
) -> isl::Result<bool> {
    let Some(sources) = program.sources(model, read)? else {
        return Ok(false);
    };
    let writing = program.lifted(write.lifted).statement;
    let mut own = sources.iter().filter(|sources| sources.writer == writing);
    Ok(own.all(|sources| model.same_time_as_source(read, write, sources, level)))
}

/// Whether the times alone say that two buffers are never needed at once.
fn apart(program: &Program, users: &mut [User], first: usize, second: usize) -> isl::Result<bool> {
    if users[first].touches.is_empty() || users[second].touches.is_empty() {
        return Ok(true);
    }
    if let Some(model) = &program.model
        && program.seen(
            Question::Turns,
            seen_apart(program, model, users, first, second)?,
        )
    {
        return Ok(true);
    }
    for level in 0..program.times()?.depth() {
        let constant = |touch: &Touch| program.constant_time(touch.lifted, level);
        let intervals = (
            users[first].interval(constant)?,
            users[second].interval(constant)?,
        );
        if let (Some(a), Some(b)) = intervals
            && (a.1 < b.0 || b.1 < a.0)
        {
            return Ok(true);
        }
        if !users[first].agrees(program, level)? || !users[second].agrees(program, level)? {
            return Ok(false);
        }
    }
    Ok(false)
}

/// Whether that is seen at once.
fn seen_apart(
    program: &Program,
    model: &Model,
    users: &mut [User],
    first: usize,
    second: usize,
) -> isl::Result<bool> {
    for level in 0..model.depth() {
        let constant = |touch: &Touch| Ok(model.constant_time(touch.lifted, level));
        let intervals = (
            users[first].interval(constant)?,
            users[second].interval(constant)?,
        );
        if let (Some(a), Some(b)) = intervals
            && (a.1 < b.0 || b.1 < a.0)
        {
            return Ok(true);
        }
        for user in [first, second] {
            if !users[user].seen_to_agree(program, model, level)? {
                return Ok(false);
            }
        }
    }
    Ok(false)
}

/// A value of one buffer that is lost because `other` is written to before it is read.
fn overwritten(program: &Program, mine: &User, other: &User) -> isl::Result<Option<Violation>> {
    let scop = program.scop;
    for flow in mine.flows(program)? {
        for &write in other.touches.iter().filter(|touch| !touch.is_read()) {
            let writers = &program.lifted(write.lifted).domain;
            let behind = program
                .may_share(flow.read, write)?
                .intersect_domain(&program.lifted(flow.read.lifted).domain)?
                .intersect_range(writers)?;
            let ahead = program
                .may_share(write, flow.write)?
                .intersect_domain(writers)?
                .intersect_range(&program.lifted(flow.write.lifted).domain)?;
            let ahead = program.not_before(&ahead)?;
            for behind in program.not_before(&behind)? {
                let triples = behind.range_product(&flow.exact)?;
                for ahead in &ahead {
                    let lost = triples.intersect_range(&ahead.wrap()?)?;
                    if scop.is_possible(&lost)? {
                        return lost_value(program, flow, write, &lost).map(Some);
                    }
                }
            }
        }
    }
    Ok(None)
}

/// `lost`: readers to pairs of instances of `other` and writers.
fn lost_value(
    program: &Program,
    flow: &Flow,
    other: &Touch,
    lost: &isl::Map,
) -> isl::Result<Violation> {
    let scop = program.scop;
    let sample = witness::sample(scop, &lost.wrap()?)?;
    let reader = program.lifted(flow.read.lifted);
    let overwriter = program.lifted(other.lifted);
    let (mine, rest) = sample.split(reader.domain.tuple_dim()?);
    let (theirs, writer) = rest.split_at(overwriter.domain.tuple_dim()?.min(rest.len()));
    let name = |touch: &Touch| &scop.arrays[touch.array].base;
    Ok(Violation {
        message: format!(
            "{} would read what {} wrote to `{}` after {} has written to `{}`, which shares its \
             memory",
            witness::lifted(scop, reader, mine),
            witness::lifted(scop, program.lifted(flow.write.lifted), writer),
            name(flow.read),
            witness::lifted(scop, overwriter, theirs),
            name(other),
        ),
        parameters: sample.parameters(scop),
        kind: ViolationKind::Flow,
    })
}

/// Whether it is seen at once that [`check_loops`] finds nothing.
fn one_in_each_loop(program: &Program, model: &Model) -> bool {
    (0..model.tree.loops.len()).all(|number| {
        program.transformed.shared.iter().all(|sharing| {
            let used = |touch: &&Touch| {
                sharing.contains(&touch.buffer)
                    && model.uses_in_loop(number, touch)
                    && !model.has_life_in(number, touch.buffer)
            };
            let mut used = program.touches.iter().filter(used);
            let first = used.next().map(|touch| touch.buffer);
            used.all(|touch| Some(touch.buffer) == first)
        })
    })
}

/// Loops whose iterations are not executed one after the other, inside the life of buffers that
/// share memory: at most one of the buffers is used there.
fn check_loops(program: &Program) -> isl::Result<Option<Violation>> {
    for (mark, node) in walk::marks(&program.transformed.schedule.get_root()?)? {
        if !mark.is_together() {
            continue;
        }
        let lives = walk::scopes(&node)?;
        let below = node.get_domain()?.apply(&node.get_subtree_expansion()?)?;
        let mut names = BTreeSet::new();
        for set in below.sets()? {
            names.insert(set.get_tuple_name()?);
        }
        for sharing in &program.transformed.shared {
            let inside = |touch: &&Touch| {
                sharing.contains(&touch.buffer)
                    && names.contains(&program.lifted(touch.lifted).name)
            };
            let outlives = |touch: &&Touch| {
                let scope = program.buffer(touch.buffer).kind.scope();
                scope.is_some_and(|scope| !lives.contains(&scope))
            };
            let used = || program.touches.iter().filter(inside).filter(outlives);
            let Some(first) = used().next() else {
                continue;
            };
            if let Some(second) = used().find(|touch| touch.buffer != first.buffer) {
                return together(program, first, second).map(Some);
            }
        }
    }
    Ok(None)
}

fn together(program: &Program, first: &Touch, second: &Touch) -> isl::Result<Violation> {
    let scop = program.scop;
    let instance = |touch: &Touch| -> isl::Result<String> {
        let lifted = program.lifted(touch.lifted);
        let sample = witness::sample(scop, &lifted.domain)?;
        Ok(witness::lifted(scop, lifted, &sample.coordinates))
    };
    let name = |touch: &Touch| &scop.arrays[touch.array].base;
    Ok(Violation {
        message: format!(
            "{} and {} are in the same vector or unrolled loop; `{}` and `{}` share memory",
            instance(first)?,
            instance(second)?,
            name(first),
            name(second),
        ),
        parameters: String::new(),
        kind: ViolationKind::Race,
    })
}

//! For which parallel loops threads are started.
//!
//! That takes some microseconds. A loop with less to do than it takes to start them runs on one
//! thread: always, where its sizes are constants, else where a condition in front of it
//! ([`Worth`]) does not hold. What there is to do is the product of the extents of those of a
//! statement's loops that run inside, times its operations and those accesses that go to other cells
//! in each iteration, and of triangles the part of their box that they fill; of several statements the one in the deepest loops counts, and numbers of fewer
//! bytes for less, as more of them are in a vector. A loop whose bounds are data is taken to have
//! [`DATA_ITERATIONS`], and around it all accesses count. Tiles that overlap or extend over
//! time start threads always: they come from models of their own.
//!
//! Assumes: loops are marked parallel, and distributed together, as they are to be. Ensures: marks
//! are only taken away.

use super::forget_threads;
use crate::analysis::operations::operations;
use crate::analysis::trips::{longest, no_longer_than, own_bounds, trips, varies_with};
use crate::codegen::kernel::{Index, Instance, Kernel, Loop, Node, Worth};
use crate::codegen::terms::index::from_ast;
use crate::scop::{Access, ArrayId, Expr, Scop, Statement, StatementId};
use crate::transform::{Lifted, Transformed};
use isl::{AstBuild, DimType, PwAff, Result, Set};
use std::collections::{BTreeMap, BTreeSet};

/// Iterations of a loop whose bounds are data.
const DATA_ITERATIONS: i64 = 16;
/// So many expressions, the least of which a loop has as iterations, are few.
const MOST_OF_LEAST: usize = 4;

/// Decides for every loop that would start threads; `least`: operations and accesses from which on
/// it is to.
pub fn decide(scop: &Scop, transformed: &Transformed, kernel: &mut Kernel, least: i64) {
    if least <= 0 {
        return;
    }
    let mut extents = Extents::new(scop);
    let tiled: Vec<bool> = scop
        .statements
        .iter()
        .enumerate()
        .map(|(id, _)| {
            let own = |lifted: &&Lifted| lifted.statement == id;
            let lifted = transformed.statements.iter().filter(own);
            lifted.clone().count() != 1 || lifted.clone().any(|lifted| lifted.tile_dims > 0)
        })
        .collect();
    for node in &mut kernel.body {
        each_fork(node, &mut |node| {
            let Node::For(each) = node else {
                return;
            };
            match worth(each, &mut extents, &tiled, least) {
                Verdict::Always => {}
                Verdict::Never => forget_threads(node),
                Verdict::Where(worth) => each.worth = Some(worth),
            }
        });
    }
}

/// The conditions under which a kernel starts threads, each once; `None`: it starts some always, or
/// nobody knows.
pub fn conditions(kernel: &Kernel) -> Option<Vec<Worth>> {
    fn collect(node: &Node, all: &mut Vec<Option<Worth>>) {
        match node {
            Node::For(each) if each.parallel => {
                if !all.contains(&each.worth) {
                    all.push(each.worth.clone());
                }
            }
            other => other.children().for_each(|child| collect(child, all)),
        }
    }
    let mut all = Vec::new();
    kernel.body.iter().for_each(|node| collect(node, &mut all));
    all.into_iter().collect()
}

/// Takes the conditions off, where they are asked in front of a kernel.
pub fn asked_in_front(kernel: &mut Kernel) {
    for node in &mut kernel.body {
        each_fork(node, &mut |node| {
            if let Node::For(each) = node {
                each.worth = None;
            }
        });
    }
}

/// Puts a condition on all loops that have none.
pub fn asked_of_each(kernel: &mut Kernel, worth: &Worth) {
    for node in &mut kernel.body {
        each_fork(node, &mut |node| {
            if let Node::For(each) = node {
                each.worth.get_or_insert_with(|| worth.clone());
            }
        });
    }
}

/// Under what conditions those loops that start threads have two iterations or more, where that
/// follows from the region's sizes.
pub fn for_two(kernel: &Kernel) -> Vec<Worth> {
    fn collect(node: &Node, all: &mut Vec<Worth>) {
        match node {
            Node::For(each) if each.parallel && each.collapse <= 1 => {
                let Index::Int(first) = each.lower else {
                    return;
                };
                if let Some(one) = is_least(&each.upper, first + each.step)
                    && !all.contains(&one)
                {
                    all.push(one);
                }
            }
            Node::For(each) if each.parallel => {}
            other => other.children().for_each(|child| collect(child, all)),
        }
    }
    let mut all = Vec::new();
    kernel.body.iter().for_each(|node| collect(node, &mut all));
    all
}

/// That a number is at least so large, as a condition on what is rounded in it.
fn is_least(index: &Index, least: i64) -> Option<Worth> {
    match index {
        Index::Param(_) | Index::Mul(..) => Some(Worth {
            factors: vec![index.clone()],
            least,
        }),
        Index::FloorDiv(of, by) | Index::ExactDiv(of, by) => is_least(of, least.checked_mul(*by)?),
        Index::Add(of, other) | Index::Sub(of, other) => match (index, &**other) {
            (Index::Add(..), Index::Int(value)) => is_least(of, least.checked_sub(*value)?),
            (_, Index::Int(value)) => is_least(of, least.checked_add(*value)?),
            _ => None,
        },
        _ => None,
    }
}

/// Visits the loops that threads are started for.
fn each_fork(node: &mut Node, see: &mut dyn FnMut(&mut Node)) {
    match node {
        Node::For(each) if each.parallel => see(node),
        Node::For(each) => each.body.iter_mut().for_each(|node| each_fork(node, see)),
        Node::If {
            then, otherwise, ..
        } => then
            .iter_mut()
            .chain(otherwise)
            .for_each(|node| each_fork(node, see)),
        Node::Scope { body, .. } | Node::Block { body, .. } | Node::Allocate { body, .. } => {
            body.iter_mut().for_each(|node| each_fork(node, see));
        }
        Node::Copies(copies) => copies
            .iter_mut()
            .flatten()
            .for_each(|node| each_fork(node, see)),
        Node::Statement(_) | Node::GoesOn { .. } => {}
    }
}

/// Whether threads are worth starting.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// Always, or nobody knows.
    Always,
    /// Sizes are constants, and small.
    Never,
    /// Where a condition holds.
    Where(Worth),
}

impl Verdict {
    /// The condition, if there is one.
    pub fn condition(self) -> Option<Worth> {
        match self {
            Verdict::Where(worth) => Some(worth),
            Verdict::Always | Verdict::Never => None,
        }
    }
}

/// When threads are worth starting for a loop.
fn worth(each: &Loop, extents: &mut Extents, tiled: &[bool], least: i64) -> Verdict {
    let (mut variables, mut instances) = (vec![each.var.as_str()], Vec::new());
    inside(&each.body, &mut variables, &mut instances);
    if instances.is_empty() {
        return Verdict::Always;
    }
    // By the loops that run inside: the numbers, and the operations of all statements in them.
    let mut work: Vec<(Vec<Index>, f64)> = Vec::new();
    // Of several parts of the same iterations, the one in the most loops: a first iteration may stand
    // in front of the others.
    let mut parts: BTreeMap<StatementId, Vec<usize>> = BTreeMap::new();
    for instance in instances {
        if tiled[instance.statement] {
            return Verdict::Always;
        }
        let moves = |value: &Index| variables.iter().any(|var| value.mentions(var));
        let all = instance.iterators.iter().enumerate();
        let inner: Vec<usize> = all
            .filter(|(_, value)| moves(value))
            .map(|(k, _)| k)
            .collect();
        let part = parts.entry(instance.statement).or_default();
        if inner.len() > part.len() {
            *part = inner;
        }
    }
    for (statement, inner) in parts {
        let of = |&iterator: &usize| extents.of(statement, iterator);
        let Some(factors) = inner.iter().map(of).collect() else {
            return Verdict::Always;
        };
        let cost = cost(extents.scop, statement, &inner);
        let part = extents.part(statement, &inner);
        add(&mut work, factors, cost * part);
    }
    compared(&work, least)
}

/// What there is to do in all of a region: by the extents of loops, the operations in them; `None`
/// where nobody knows.
#[derive(Clone, Debug)]
pub struct Work(Option<Vec<(Vec<Index>, f64)>>);

impl Work {
    /// Of all statements.
    pub fn of_region(scop: &Scop) -> Work {
        let mut extents = Extents::new(scop);
        let mut work: Vec<(Vec<Index>, f64)> = Vec::new();
        for (id, statement) in scop.statements.iter().enumerate() {
            let of = |iterator| extents.of(id, iterator);
            let all: Vec<usize> = (0..statement.iterators.len()).collect();
            let Some(factors) = all.iter().copied().map(of).collect() else {
                return Work(None);
            };
            let part = extents.part(id, &all);
            add(&mut work, factors, cost(scop, id, &all) * part);
        }
        Work(Some(work))
    }

    /// Whether it is enough for threads that are started so often.
    pub fn is_worth(&self, least: i64, forks: f64) -> Verdict {
        let least = (least as f64 * forks.max(1.0)) as i64;
        match &self.0 {
            Some(work) => compared(work, least),
            None => Verdict::Always,
        }
    }
}

/// The iterations of loops over these variables and of those in them, as far as they are no constants.
pub fn extents_inside(scop: &Scop, names: &[&String]) -> Vec<Index> {
    let mut extents = Extents::new(scop);
    let mut all = Vec::new();
    for (id, statement) in scop.statements.iter().enumerate() {
        let mut iterators = statement.iterators.iter();
        let first = iterators.position(|own| names.contains(&&own.name));
        for iterator in first.unwrap_or(usize::MAX)..statement.iterators.len() {
            let extent = extents.of(id, iterator);
            all.extend(extent.filter(|extent| !matches!(extent, Index::Int(_))));
        }
    }
    all
}

/// Whether the loops of a region inside its outermost one have so many iterations: points of space in
/// an iterated stencil; and the outermost one's iterations. `None` where nobody knows how many.
pub fn of_space(scop: &Scop, least: i64) -> Option<(Worth, Index)> {
    let mut extents = Extents::new(scop);
    let all = scop.statements.iter().enumerate();
    let (deepest, statement) = all.max_by_key(|(_, statement)| statement.iterators.len())?;
    let time = extents.of(deepest, 0)?;
    let space = (1..statement.iterators.len()).map(|iterator| extents.of(deepest, iterator));
    let mut worth = Worth {
        factors: space.collect::<Option<Vec<Index>>>()?,
        least,
    };
    worth.factors.retain(|factor| match factor {
        Index::Int(value) => {
            worth.least = worth.least.div_euclid((*value).max(1));
            false
        }
        _ => true,
    });
    worth.least = round(worth.least as f64).max(1);
    Some((worth, time))
}

fn add(work: &mut Vec<(Vec<Index>, f64)>, factors: Vec<Index>, cost: f64) {
    match work.iter_mut().find(|(other, _)| *other == factors) {
        Some((_, all)) => *all += cost,
        None => work.push((factors, cost)),
    }
}

/// From loops' extents, with the operations of all statements in them.
fn compared(work: &[(Vec<Index>, f64)], least: i64) -> Verdict {
    let varying = |factors: &[Index]| {
        let varying = factors.iter().filter(|f| !matches!(f, Index::Int(_)));
        varying.count()
    };
    let constant = |factors: &[Index]| -> f64 {
        let constants = factors.iter().map(|factor| match factor {
            Index::Int(value) => (*value).max(0) as f64,
            _ => 1.0,
        });
        constants.product()
    };
    let most = work.iter().map(|(factors, _)| varying(factors)).max();
    let most = most.unwrap_or(0);
    if most == 0 {
        let all: f64 = work.iter().map(|(f, cost)| constant(f) * cost).sum();
        return if all < least as f64 {
            Verdict::Never
        } else {
            Verdict::Always
        };
    }
    let deepest = work.iter().filter(|(f, _)| varying(f) == most);
    let Some((factors, cost)) = deepest.max_by(|a, b| {
        let own = |(factors, cost): &(Vec<Index>, f64)| constant(factors) * cost;
        own(a).total_cmp(&own(b))
    }) else {
        return Verdict::Always;
    };
    // Not zero where a loop is empty.
    let least = round(least as f64 / (constant(factors) * cost).max(1e-6));
    if least <= 1 {
        return Verdict::Always;
    }
    let factors = factors.iter().filter(|f| !matches!(f, Index::Int(_)));
    Verdict::Where(Worth {
        factors: factors.cloned().collect(),
        least,
    })
}

/// Operations and accesses of an instance of a statement, in vectors of as many lanes as numbers of
/// 8 bytes have; `inner`: the loops that run, by their numbers. A cell that all iterations of one of
/// them share is in a register or the first cache, and does not count: a step of a matrix product
/// takes as long as its two operations.
fn cost(scop: &Scop, id: StatementId, inner: &[usize]) -> f64 {
    let statement = &scop.statements[id];
    let bytes = |array: ArrayId| scop.arrays[array].element.kind.bytes();
    let widest = statement.accesses.iter().map(|access| bytes(access.array));
    let share = widest.max().map_or(1.0, |bytes| bytes as f64 / 8.0);
    // How often a loop whose bounds are data uses a cell again, nobody knows.
    let mut iterators = 0..statement.iterators.len();
    let dynamic = iterators.any(|number| scop.is_dynamic(statement, number));
    let counts = |access: &&Access| dynamic || moves(access, inner);
    let counted = statement.accesses.iter().filter(counts).count();
    (operations(scop, statement) + counted as f64).max(1.0) * share.clamp(0.125, 1.0)
}

/// Whether an access goes to another cell in each iteration of each of some loops, or may.
fn moves(access: &Access, loops: &[usize]) -> bool {
    let (mut named, mut data) = (BTreeSet::new(), false);
    for subscript in &access.subscripts {
        subscript.walk(&mut |part| match part {
            Expr::Iterator(number) => {
                named.insert(*number);
            }
            Expr::Access(_) | Expr::Local(_) | Expr::Call(..) | Expr::Effect { .. } => data = true,
            _ => {}
        });
    }
    data || loops.iter().all(|number| named.contains(number))
}

/// Two digits are enough.
fn round(value: f64) -> i64 {
    let mut unit = 1.0;
    while value / unit >= 100.0 {
        unit *= 10.0;
    }
    ((value / unit).ceil() * unit) as i64
}

/// The variables of loops inside, and what is executed there.
fn inside<'k>(nodes: &'k [Node], variables: &mut Vec<&'k str>, instances: &mut Vec<&'k Instance>) {
    for node in nodes {
        match node {
            Node::For(each) => {
                variables.push(&each.var);
                inside(&each.body, variables, instances);
            }
            Node::If {
                then, otherwise, ..
            } => {
                inside(then, variables, instances);
                inside(otherwise, variables, instances);
            }
            Node::Scope { body, .. } | Node::Block { body, .. } | Node::Allocate { body, .. } => {
                inside(body, variables, instances);
            }
            Node::Copies(copies) => {
                for copy in copies.iter().take(1) {
                    inside(copy, variables, instances);
                }
            }
            Node::Statement(instance) => instances.push(instance),
            Node::GoesOn { .. } => {}
        }
    }
}

/// Extents of statements' loops.
struct Extents<'s> {
    scop: &'s Scop,
    known: BTreeMap<(StatementId, usize), Option<Index>>,
    /// By statement, what part of its extent a loop runs through on average.
    parts: BTreeMap<StatementId, Vec<f64>>,
}

impl<'s> Extents<'s> {
    fn new(scop: &'s Scop) -> Extents<'s> {
        Extents {
            scop,
            known: BTreeMap::new(),
            parts: BTreeMap::new(),
        }
    }

    /// What part of the box of their extents some loops around a statement run through.
    fn part(&mut self, statement: StatementId, loops: &[usize]) -> f64 {
        let scop = self.scop;
        let parts = self
            .parts
            .entry(statement)
            .or_insert_with(|| parts(&scop.statements[statement]).unwrap_or_default());
        let of = |&number: &usize| parts.get(number).copied().unwrap_or(1.0);
        loops.iter().map(of).product()
    }

    /// The iterations of a loop around a statement, from its first one to its last one for any
    /// values of the others; `None` where that is not one expression in the parameters.
    fn of(&mut self, statement: StatementId, iterator: usize) -> Option<Index> {
        let scop = self.scop;
        let compute = || extent(scop, statement, iterator).ok().flatten();
        self.known
            .entry((statement, iterator))
            .or_insert_with(compute)
            .clone()
    }
}

/// By loop, what part of its extent it runs through on average: a half where its length depends on a
/// loop outside, a third where the length of that one depends on yet another one: triangles and
/// pyramids. A loop of constant length, in a window that moves, runs through all of it.
fn parts(statement: &Statement) -> Result<Vec<f64>> {
    let mut depths: Vec<usize> = Vec::new();
    for number in 0..statement.iterators.len() {
        let around = if trips(statement, number)? < i64::MAX {
            Vec::new()
        } else {
            varies_with(statement, number)?
        };
        let depth = around.iter().map(|&outer| depths[outer] + 1).max();
        depths.push(depth.unwrap_or(0));
    }
    let part = |depth: &usize| 1.0 / (depth + 1) as f64;
    Ok(depths.iter().map(part).collect())
}

fn extent(scop: &Scop, id: StatementId, iterator: usize) -> Result<Option<Index>> {
    let statement = &scop.statements[id];
    if scop.is_dynamic(statement, iterator) {
        return Ok(Some(Index::Int(DATA_ITERATIONS)));
    }
    // Also of a window around what the loop outside is at.
    let most = trips(statement, iterator)?;
    if most < i64::MAX {
        return Ok(Some(Index::Int(most)));
    }
    let alone = match own_bounds(statement, iterator)? {
        Some(bounds) => length(scop, &bounds)?,
        None => None,
    };
    if let Some(extent) = alone {
        return index(scop, &extent).map(Some);
    }
    if let Some(least) = least_of(scop, statement, iterator)? {
        return Ok(Some(least));
    }
    let dimensions = statement.iterators.len();
    let values = statement
        .domain
        .intersect_params(&scop.context)?
        .project_out(DimType::Set, iterator + 1, dimensions - iterator - 1)?
        .project_out(DimType::Set, 0, iterator)?
        .coalesce()?;
    if let Some(extent) = length(scop, &values)? {
        return index(scop, &extent).map(Some);
    }
    let mut least = Vec::new();
    for distance in no_longer_than(statement, iterator)? {
        if distance.n_piece()? == 1 {
            let extent = index(scop, &distance)?.plus(&Index::Int(1));
            if !least.contains(&extent) {
                least.push(extent);
            }
        }
    }
    Ok(match least.len() {
        0 => None,
        1 => least.pop(),
        2..=MOST_OF_LEAST => Some(Index::Min(least)),
        _ => None,
    })
}

/// The most iterations of a loop for any values of those outside, where that is one expression or the
/// least of a few: in a band, as many as it is wide, or as all of a row.
fn least_of(scop: &Scop, statement: &Statement, iterator: usize) -> Result<Option<Index>> {
    let Some(distance) = longest(statement, iterator)? else {
        return Ok(None);
    };
    let distance = distance.intersect_params(&scop.context)?;
    let distance = distance.gist_params(&scop.context)?.coalesce()?;
    let one = PwAff::from_aff(&isl::Aff::val_on_domain_space(
        &distance.get_domain_space()?,
        &isl::Val::one(&scop.ctx)?,
    )?)?;
    let (extent, mut pieces) = (distance.add(&one)?, Vec::new());
    if extent.n_piece()? > MOST_OF_LEAST {
        return Ok(None);
    }
    extent.foreach_piece(&mut |_, piece| {
        pieces.push(PwAff::from_aff(&piece)?);
        Ok(())
    })?;
    let (defined, mut least) = (extent.domain()?, Vec::new());
    for piece in &pieces {
        if !defined.is_subset(&extent.le_set(piece)?)? {
            return Ok(None);
        }
        let piece = index(scop, piece)?;
        if !least.contains(&piece) {
            least.push(piece);
        }
    }
    Ok(match least.len() {
        0 => None,
        1 => least.pop(),
        _ => Some(Index::Min(least)),
    })
}

/// An expression in the parameters.
fn index(scop: &Scop, value: &PwAff) -> Result<Index> {
    let name = |name: &str| match scop.params.iter().position(|p| p.name == name) {
        Some(param) => Index::Param(param),
        None => Index::var(name),
    };
    let build = AstBuild::from_context(&scop.context)?;
    let exact = from_ast(&build.expr_from_pw_aff(value)?, &name)?;
    Ok(without_remainders(exact))
}

/// A sum without remainders, which are small beside what else there is.
fn without_remainders(index: Index) -> Index {
    let is_small = |index: &Index| matches!(index, Index::Mod(..) | Index::PlainMod(..));
    match index {
        Index::Add(left, right) if is_small(&left) => without_remainders(*right),
        Index::Add(left, right) | Index::Sub(left, right) if is_small(&right) => {
            without_remainders(*left)
        }
        Index::Add(left, right) => without_remainders(*left).plus(&without_remainders(*right)),
        Index::Sub(left, right) => without_remainders(*left).minus(&without_remainders(*right)),
        other => other,
    }
}

/// The number of values from a variable's first to its last one, where that is one expression.
fn length(scop: &Scop, values: &Set) -> Result<Option<PwAff>> {
    let (first, last) = (values.dim_min(0)?, values.dim_max(0)?);
    if first.n_piece()? != 1 || last.n_piece()? != 1 {
        return Ok(None);
    }
    let space = last.get_domain_space()?;
    let one = PwAff::from_aff(&isl::Aff::val_on_domain_space(
        &space,
        &isl::Val::one(&scop.ctx)?,
    )?)?;
    let extent = last.sub(&first)?.add(&one)?.coalesce()?;
    Ok((extent.n_piece()? == 1).then_some(extent))
}

//! How long a kernel takes, at given sizes.
//!
//! A model of what C compilers and processors make of loops, for the loops as they were written
//! and as they are to be alike, so that two kernels can be compared: their ratio is what it is
//! good for, not the cycles. Every loop counts as its iteration in the middle, times its
//! iterations; a loop of few iterations with conditions inside as each of them.
//!
//! - [`steps`]: innermost loops, with vector instructions where they could have them, and waiting
//!   for sums and recurrences.
//! - [`caches`]: lines that come from the caches behind the first one, and from memory.
//! - [`sizes`]: values of the parameters to compare at.

mod caches;
mod operations;
mod places;
mod sizes;
mod steps;
#[cfg(test)]
mod tests;

pub use sizes::sizes;

use crate::codegen::kernel::{Index, Instance, Kernel, Loop, Node};
use crate::scop::Scop;
use crate::transform::Transformed;
use operations::Work;
use places::{Memory, Values};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

/// Loops of so many iterations at most are unrolled where they have no others inside.
const UNROLLED: i64 = 16;
/// Statements of an unrolled body at most.
const UNROLLED_BODY: i64 = 32;
/// Loops of so many iterations at most are looked at iteration by iteration where these differ.
const FEW: i64 = 8;
/// Iterations that are looked at of all loops around each other together, where they differ: of those
/// further inside one stands for all.
const LOOKED_AT_TOGETHER: usize = 64;
/// The iterations of outermost loops that their lines are counted at, as parts of all of them.
const SAMPLES: [f64; 3] = [1.0 / 6.0, 0.5, 5.0 / 6.0];
/// Cycles to begin a loop and to end it.
const LOOP: f64 = 5.0;
/// Cycles of a parallel region on one thread.
const REGION: f64 = 300.0;
/// Cycles to start several threads, and until they have ended.
const FORK: f64 = 4000.0;
/// Cycles by byte of memory that the region allocates: pages that the system fills with zeros.
const FRESH: f64 = 0.25;
/// Bytes of an allocation that the system has anew.
const LARGE: f64 = 131_072.0;
/// Cycles of an allocation.
const ALLOCATION: f64 = 100.0;

/// Cycles of a kernel on so many threads, with these values of the parameters; `None` where data
/// decides how much it does. Iterations of parallel loops are dealt in portions of the same length, and
/// what comes from memory comes to threads as fast as they ask for it.
///
/// # Errors
/// isl's own.
pub fn time(
    scop: &Scop,
    transformed: &Transformed,
    kernel: &Kernel,
    sizes: &[i64],
    threads: i64,
) -> isl::Result<Option<f64>> {
    let mut model = Model::new(scop, transformed, kernel, sizes)?;
    let mut of_body = |threads| {
        model.threads = threads;
        model.nodes(&kernel.body, &mut Values::new())
    };
    let Some(alone) = of_body(1) else {
        return Ok(None);
    };
    let together = match threads {
        1 => Some(alone),
        _ => of_body(threads),
    };
    let Some(mut cycles) = together else {
        return Ok(None);
    };
    let part = cycles / alone.max(1.0);
    if threads > 1 {
        let forks = model.forks(&kernel.body, &mut Values::new());
        cycles += FORK * forks.unwrap_or(1.0);
    }
    let mut lines = 0.0;
    for part in SAMPLES {
        match model.lines(&kernel.body, part) {
            Some(some) => lines += some / SAMPLES.len() as f64,
            None => return Ok(None),
        }
    }
    lines *= part;
    let mut fresh = 0.0;
    for temporary in &kernel.temporaries {
        let shape = model.memory.shape(temporary.buffer);
        if !shape.variable {
            fresh += ALLOCATION;
            if shape.all >= LARGE {
                fresh += FRESH * shape.all;
            }
        }
    }
    tracing::debug!(cycles, lines, fresh, "predicted");
    Ok(Some(cycles + lines + fresh))
}

/// How often threads are started, with these values of the parameters; `None` where data decides.
///
/// # Errors
/// isl's own.
pub fn forks(
    scop: &Scop,
    transformed: &Transformed,
    kernel: &Kernel,
    sizes: &[i64],
) -> isl::Result<Option<f64>> {
    let model = Model::new(scop, transformed, kernel, sizes)?;
    Ok(model.forks(&kernel.body, &mut Values::new()))
}

struct Model<'a> {
    memory: Memory<'a>,
    /// What the kernel's instances of statements compute, as far as one has asked.
    works: RefCell<HashMap<*const Instance, Rc<Work>>>,
    /// How many iterations are looked at of the loops around.
    around: Cell<usize>,
    /// Threads that parallel loops are for.
    threads: i64,
}

impl<'a> Model<'a> {
    fn new(
        scop: &'a Scop,
        transformed: &Transformed,
        kernel: &'a Kernel,
        sizes: &'a [i64],
    ) -> isl::Result<Model<'a>> {
        Ok(Model {
            memory: Memory::new(scop, transformed, kernel, sizes)?,
            works: RefCell::default(),
            around: Cell::new(1),
            threads: 1,
        })
    }

    fn nodes<'k>(&self, nodes: &'k [Node], values: &mut Values<'k>) -> Option<f64> {
        let mut cycles = 0.0;
        for node in nodes {
            cycles += self.node(node, values)?;
        }
        Some(cycles)
    }

    fn node<'k>(&self, node: &'k Node, values: &mut Values<'k>) -> Option<f64> {
        match node {
            Node::For(each) => {
                let (first, trips) = self.trips(each, values)?;
                if trips == 0 {
                    return Some(1.0);
                }
                let all = self.repeated(each, first, trips, values)?;
                Some(match (each.parallel, self.threads) {
                    (false, _) => LOOP + all,
                    (true, 1) => LOOP + REGION + all,
                    (true, threads) => {
                        let portion = (trips + threads - 1) / threads;
                        LOOP + REGION + all * portion as f64 / trips as f64
                    }
                })
            }
            Node::If {
                condition,
                then,
                otherwise,
            } => {
                // What stands in front of loops of the conditions of statements holds, as it does in
                // these: it has strides and margins in it, which are not as large as everything else.
                let holds = has_products(condition) || self.memory.value(condition, values)? != 0;
                let branch = if holds { then } else { otherwise };
                Some(1.0 + self.nodes(branch, values)?)
            }
            Node::Statement(_) => self.straight(std::slice::from_ref(node), values),
            Node::GoesOn { .. } => None,
            Node::Copies(copies) => {
                let mut cycles = 0.0;
                for copy in copies {
                    cycles += self.nodes(copy, values)?;
                }
                Some(cycles)
            }
            Node::Scope { body, .. } | Node::Block { body, .. } => self.nodes(body, values),
            Node::Allocate { body, .. } => Some(ALLOCATION + self.nodes(body, values)?),
        }
    }

    /// Cycles of all iterations of a loop.
    fn repeated<'k>(
        &self,
        each: &'k Loop,
        first: i64,
        trips: i64,
        values: &mut Values<'k>,
    ) -> Option<f64> {
        let middle = first + middle(trips, values.len()) * each.step;
        values.push((&each.var, middle));
        let innermost = self.is_straight(&each.body, values);
        values.pop();
        if innermost {
            return self.innermost(each, trips, middle, values);
        }
        let around = self.around.get();
        let samples = match samples(each, trips, values.len()) {
            many if many.len() * around > LOOKED_AT_TOGETHER => {
                vec![self::middle(trips, values.len())]
            }
            samples => samples,
        };
        self.around.set(around * samples.len());
        let mut cycles = Some(0.0);
        for &number in &samples {
            values.push((&each.var, first + number * each.step));
            let one = self.nodes(&each.body, values);
            values.pop();
            cycles = cycles.zip(one).map(|(all, one)| all + 1.0 + one);
        }
        self.around.set(around);
        let cycles = cycles?;
        Some(cycles * trips as f64 / samples.len() as f64)
    }

    fn forks<'k>(&self, nodes: &'k [Node], values: &mut Values<'k>) -> Option<f64> {
        let mut forks = 0.0;
        for node in nodes {
            forks += match node {
                Node::For(each) if each.parallel => 1.0,
                Node::For(each) if node.starts_threads() => {
                    let (first, trips) = self.trips(each, values)?;
                    if trips == 0 {
                        continue;
                    }
                    let middle = first + middle(trips, values.len()) * each.step;
                    values.push((&each.var, middle));
                    let inside = self.forks(&each.body, values);
                    values.pop();
                    trips as f64 * inside?
                }
                other => {
                    let mut inside = 0.0;
                    for child in other.children() {
                        inside += self.forks(std::slice::from_ref(child), values)?;
                    }
                    inside
                }
            };
        }
        Some(forks)
    }

    /// The first value of a loop's variable and the number of its iterations.
    fn trips(&self, each: &Loop, values: &Values<'_>) -> Option<(i64, i64)> {
        let first = self.memory.value(&each.lower, values)?;
        let last = self.memory.value(&each.upper, values)?;
        Some((first, ((last - first).div_euclid(each.step) + 1).max(0)))
    }

    /// Whether C compilers unroll all loops in a loop's body.
    fn is_straight<'k>(&self, body: &'k [Node], values: &mut Values<'k>) -> bool {
        let mut statements = 0;
        self.counts(body, 1, values, &mut statements)
            && (statements <= UNROLLED_BODY || !has_loop(body))
    }

    /// Counts statements of a body with its loops unrolled; `false`: one is not.
    fn counts<'k>(
        &self,
        nodes: &'k [Node],
        times: i64,
        values: &mut Values<'k>,
        statements: &mut i64,
    ) -> bool {
        nodes.iter().all(|node| match node {
            Node::Statement(_) => {
                *statements += times;
                true
            }
            Node::For(each) => {
                let Some(trips) = each.iterations() else {
                    return false;
                };
                if trips > UNROLLED || each.parallel {
                    return false;
                }
                let Some((first, _)) = self.trips(each, values) else {
                    return false;
                };
                values.push((&each.var, first));
                let all = self.counts(&each.body, times * trips, values, statements);
                values.pop();
                all
            }
            other => other
                .children()
                .all(|child| self.counts(std::slice::from_ref(child), times, values, statements)),
        })
    }

    /// Of an instance of the model's kernel, at its place there.
    fn work(&self, instance: &Instance) -> Rc<Work> {
        let find = || {
            let scop = self.memory.scop;
            let statement = &scop.statements[instance.statement];
            Rc::new(Work::of(scop, statement, &instance.actions(scop)))
        };
        let mut works = self.works.borrow_mut();
        works.entry(instance).or_insert_with(find).clone()
    }
}

/// Whether sizes and loop variables are multiplied with each other.
fn has_products(index: &Index) -> bool {
    let mut found = false;
    index.walk(&mut |index| {
        if let Index::Mul(a, b) = index {
            let constant = |e: &Index| matches!(e, Index::Int(_));
            found |= !constant(a) && !constant(b);
        }
    });
    found
}

fn has_loop(nodes: &[Node]) -> bool {
    nodes.iter().any(Node::has_loop)
}

/// The iteration of a loop that stands for all, near the middle; with others around it not the same
/// one as theirs: what happens on diagonals only does not stand for all.
fn middle(trips: i64, depth: usize) -> i64 {
    const PARTS: [f64; 5] = [0.5, 0.44, 0.56, 0.4, 0.6];
    ((trips - 1) as f64 * PARTS[depth % PARTS.len()]) as i64
}

/// The iterations of a loop that stand for all: the one in the middle, several where they differ
/// in what they do.
fn samples(each: &Loop, trips: i64, depth: usize) -> Vec<i64> {
    if !decides(&each.body, &each.var) {
        return vec![middle(trips, depth)];
    }
    if trips <= FEW {
        return (0..trips).collect();
    }
    vec![trips / 6, trips / 2, trips - 1 - trips / 6]
}

/// Whether conditions or loops at or below depend on a loop's variable.
fn decides(nodes: &[Node], var: &str) -> bool {
    nodes.iter().any(|node| {
        let here = match node {
            Node::If { condition, .. } => condition.mentions(var),
            Node::For(each) => each.lower.mentions(var) || each.upper.mentions(var),
            _ => false,
        };
        here || node
            .children()
            .any(|child| decides(std::slice::from_ref(child), var))
    })
}

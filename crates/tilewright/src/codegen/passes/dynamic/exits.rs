//! Early exits from loops that still run to a static bound (Zhao, thesis 2018, sections 5.1, 5.2,
//! 5.4 and 5.5.1).
//!
//! Where the data is known in front of a loop it is the loop's bound ([`crate::codegen::passes::dynamic::restore`]). Where it
//! is not, as each iteration meets other bounds, the thesis leaves by `goto` when the predicate of
//! the last one is false (figure 5.6), and must not where the loop governs the bounds (figure
//! 5.4): that one predicate is false says nothing of others. Here an iteration notes whether any
//! predicate in it holds, and the loop is left behind the first iteration in which none does. Both
//! cases are one then:
//!
//! ```text
//! for (j = 0; j < u; j++)            for (j = 0; j < u; j++) {
//!     for (i = 0; i < n; i++)            int j_goes_on = 0;
//!         if (j < m[i])         →        for (i = 0; i < n; i++) {
//!             S(i, j);                       j_goes_on |= j < m[i];
//!                                            if (j < m[i]) S(i, j);
//!                                        }
//!                                        if (!j_goes_on) break;
//!                                    }
//! ```
//!
//! # When this is right
//!
//! A condition *fades* along a loop if, for the same values of the variables inside, it does not
//! hold again once it does not hold. What is noted is a conjunction of conditions around a
//! statement, and it has to be such that
//!
//! 1. each condition of it fades: a comparison whose sides move apart, or one that does not change;
//! 2. the loops between have no iterations in a later iteration that they do not have in an
//!    earlier one. A loop over the points of a tile is counted from its first point: what moves
//!    with the tile is then the bounds;
//! 3. no cell that it reads is written in the loop, except where the loop goes on in any case.
//!
//! Conditions of other kinds are not part of the conjunction: it holds more often without. Around
//! it they may stand only if they come to hold and then stay (`c0 >= 1`), and the loop goes on
//! where they do not hold yet. If nothing is noted in an iteration, all conjunctions are false for
//! all values of the variables inside, and stay so: no statement is executed any more.
//!
//! Loops that are parallel, vector loops or written out are not left.
//!
//! What is noted reads data only where the statement itself would test it: notes stand in front of
//! statements, under the same guards. In front of a loop inside they are moved only behind the test
//! that this loop has an iteration, which C evaluates first.
//!
//! # On devices
//!
//! A thread leaves loops that it executes alone: what it notes is of its own iterations. A loop
//! that all threads of a block execute, as there are barriers in it or work that they share, must
//! be left by all of them or none: each notes for itself, and they vote behind every iteration
//! (`together`; `crate::codegen::gpu::program::BlockNode`). A loop on the host is left when no thread of
//! any block that was launched in it noted anything. The proof is the same for all three: it is
//! about the iterations that somebody notes, whoever that is.

pub mod kept;
pub(crate) mod predicates;

use crate::codegen::kernel::{Comparison, DynamicBounds, Index, Instance, Loop, Node};
use crate::codegen::passes::dynamic::enumerated::in_place_of_data;
use crate::codegen::passes::dynamic::exits::predicates::tests;
use crate::codegen::passes::dynamic::restore::bounds;
use crate::codegen::terms::index::{compare, logic};
use crate::codegen::terms::inside::Inside;
use crate::mistakes::mistake;
use crate::scop::{AccessKind, Scop};
use crate::transform::BufferId;
use kept::{Exit, Kept, Level};
use std::cell::RefCell;

type Result<T> = std::result::Result<T, Kept>;

/// Makes loops end early that can. `dealt` are the loops whose iterations are distributed to threads.
pub(crate) fn with_exits(scop: &Scop, nodes: Vec<Node>, dealt: &[&str]) -> Vec<Node> {
    with_exits_listed(scop, nodes, dealt, &RefCell::default())
}

/// The same; what becomes of loops in place of data is `listed`, outer ones first.
pub(crate) fn with_exits_listed(
    scop: &Scop,
    nodes: Vec<Node>,
    dealt: &[&str],
    listed: &RefCell<Vec<Exit>>,
) -> Vec<Node> {
    if scop.loops.bounds.is_empty() {
        return nodes;
    }
    let each = |node| {
        let node = match node {
            Node::For(each) => Node::For(match ended(scop, &each, dealt, false) {
                Ok(left) => {
                    list(scop, &each, Ok(Level::Thread), &mut listed.borrow_mut());
                    left
                }
                Err(kept) => {
                    list(scop, &each, Err(kept), &mut listed.borrow_mut());
                    each
                }
            }),
            node => node,
        };
        node.map_children(&|inside| with_exits_listed(scop, inside, dealt, listed))
    };
    nodes.into_iter().map(each).collect()
}

/// What becomes of the loops of a program for processors that run to static bounds in place of
/// data; `threads`: parallel loops are.
pub fn exits(scop: &Scop, nodes: &[Node], threads: bool) -> Vec<Exit> {
    fn alone(mut node: Node) -> Node {
        if let Node::For(each) = &mut node {
            each.parallel = false;
        }
        node.map_children(&|nodes| nodes.into_iter().map(alone).collect())
    }
    if scop.loops.bounds.is_empty() {
        return Vec::new();
    }
    let nodes = nodes.iter().cloned();
    let nodes = if threads {
        nodes.collect()
    } else {
        nodes.map(alone).collect()
    };
    let listed = RefCell::default();
    with_exits_listed(scop, nodes, &[], &listed);
    listed.into_inner()
}

/// A loop that several threads execute, all of its iterations together, and leave together.
///
/// # Errors
/// Why it is not left.
pub(crate) fn together(scop: &Scop, each: &Loop) -> Result<Loop> {
    if scop.loops.bounds.is_empty() {
        return Err(Kept::NoData);
    }
    // In order, whatever order would do.
    let each = Loop {
        parallel: false,
        ..each.clone()
    };
    ended(scop, &each, &[], true)
}

/// Notes what became of a loop, if it is one of those that run on in place of data.
pub(crate) fn list(scop: &Scop, each: &Loop, left: Result<Level>, listed: &mut Vec<Exit>) {
    let iterator = match (in_place_of_data(scop, each), &left) {
        (Some((iterator, _)), _) => Some(iterator),
        // A loop over tiles.
        (None, Ok(_)) => tested(scop, each),
        (None, Err(_)) => None,
    };
    let Some(iterator) = iterator else { return };
    let exit = Exit {
        iterator,
        left_by: left.as_ref().ok().copied(),
        reason: left.err().map(|kept| kept.to_string()),
    };
    if !listed.contains(&exit) {
        listed.push(exit);
    }
}

/// The program's variable in the first test of data in a loop.
fn tested(scop: &Scop, each: &Loop) -> Option<String> {
    let mut found = None;
    for node in &each.body {
        node.instances(&mut |instance| {
            let compared = tests(scop, instance).into_iter().find_map(|test| {
                let open = !instance.certain.contains(&test.position);
                test.compared.filter(|_| open)
            });
            let iterators = &scop.statements[instance.statement].iterators;
            let name = compared.map(|compared| iterators[compared.iterator].name.clone());
            found = found.take().or(name);
        });
    }
    found
}

/// One loop, which ends early if it can. `together`: threads share what is in it.
fn ended(scop: &Scop, each: &Loop, dealt: &[&str], together: bool) -> Result<Loop> {
    if each.parallel {
        return Err(Kept::Parallel);
    }
    if each.simd || each.unroll != 1 {
        return Err(Kept::Together);
    }
    if dealt.contains(&each.var.as_str()) {
        return Err(Kept::Dealt);
    }
    if each.lower == each.upper || each.upper.is_data() {
        return Err(Kept::NoData);
    }
    let mut cover = Cover {
        scop,
        dealt,
        var: &each.var,
        last: &each.upper,
        together,
        shifts: Vec::new(),
        tied: 0,
        fading: 0,
        by_data: false,
        read: Vec::new(),
        written: Vec::new(),
    };
    let body = cover.nodes(&each.body)?;
    if !cover.by_data {
        return Err(Kept::NoData);
    }
    if let Some(name) = cover.changed() {
        return Err(Kept::Changes(name));
    }
    Ok(Loop {
        body,
        dynamic: DynamicBounds {
            ends_early: true,
            ..each.dynamic.clone()
        },
        ..each.clone()
    })
}

/// How a condition changes along a loop, for the same values of the variables inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Trend {
    /// It does not.
    Stays,
    /// Once it does not hold, it does not hold again.
    Fades,
    /// Once it holds, it always does.
    Comes,
    /// Not known.
    Any,
}

impl Trend {
    /// Of a conjunction or disjunction.
    fn and(self, other: Trend) -> Trend {
        match (self, other) {
            (Trend::Stays, trend) | (trend, Trend::Stays) => trend,
            (one, other) if one == other => one,
            _ => Trend::Any,
        }
    }

    /// Of a comparison `a <= b`, where `a - b` grows by so much.
    fn of_slope(slope: i64) -> Trend {
        match slope {
            0 => Trend::Stays,
            slope if slope > 0 || mistake!(ExitsBeforeItComes) => Trend::Fades,
            _ => Trend::Comes,
        }
    }
}

/// Notes in a loop's body where it goes on.
struct Cover<'a> {
    scop: &'a Scop,
    dealt: &'a [&'a str],
    /// The loop's variable.
    var: &'a str,
    /// Its last value.
    last: &'a Index,
    /// Threads share the loops inside: notes stay where they are, so that these stay nests.
    together: bool,
    /// Loops around that are counted from their first iteration, with its value; outermost first.
    shifts: Vec<(String, Index)>,
    /// How many loops directly inside share one pragma with the loop around.
    tied: usize,
    /// Conditions around that fade strictly.
    fading: usize,
    /// One of the noted conditions fades because of data.
    by_data: bool,
    /// Buffers that noted conditions read.
    read: Vec<BufferId>,
    /// Buffers that are written where the loop need not go on, and the names of their arrays.
    written: Vec<(BufferId, String)>,
}

impl Cover<'_> {
    /// Something that is noted and not what it was in an earlier iteration.
    fn changed(&self) -> Option<String> {
        let read = |(buffer, _): &&(BufferId, String)| self.read.contains(buffer);
        self.written.iter().find(read).map(|(_, name)| name.clone())
    }

    fn goes_on(&self, condition: Index) -> Node {
        Node::GoesOn {
            var: self.var.to_owned(),
            condition,
        }
    }

    /// The nodes with notes.
    ///
    /// # Errors
    /// Why it cannot be said in time that the loop goes on.
    fn nodes(&mut self, nodes: &[Node]) -> Result<Vec<Node>> {
        let mut all: Vec<Node> = Vec::new();
        for node in nodes {
            for covered in self.node(node)? {
                let note = matches!(covered, Node::GoesOn { .. });
                if !note || !all.contains(&covered) {
                    all.push(covered);
                }
            }
        }
        Ok(all)
    }

    fn node(&mut self, node: &Node) -> Result<Vec<Node>> {
        Ok(match node {
            Node::Statement(instance) => {
                let note = self.instance(instance)?;
                vec![note, node.clone()]
            }
            // Of a loop further outside, which this one must not be left before.
            Node::GoesOn { condition, .. } => {
                let faded = match self.trend(condition) {
                    Trend::Fades => 1,
                    Trend::Stays => 0,
                    Trend::Comes | Trend::Any => return Err(Kept::Again),
                };
                self.reads(condition);
                if self.fading + faded == 0 {
                    return Err(Kept::Again);
                }
                vec![self.goes_on(condition.clone()), node.clone()]
            }
            Node::For(each) => self.each(each)?,
            Node::If {
                condition,
                then,
                otherwise,
            } => self.guard(condition, then, otherwise)?,
            Node::Scope { scope, body } => vec![Node::Scope {
                scope: *scope,
                body: self.nodes(body)?,
            }],
            Node::Block { variables, body } => vec![Node::Block {
                variables: variables.clone(),
                body: self.nodes(body)?,
            }],
            Node::Allocate { buffers, body } => vec![Node::Allocate {
                buffers: buffers.clone(),
                body: self.nodes(body)?,
            }],
            Node::Copies(_) => return Err(Kept::Order),
        })
    }

    /// A statement's note: the conjunction of its leading tests that fade.
    fn instance(&mut self, instance: &Instance) -> Result<Node> {
        let name = self.writes(instance);
        let mut noted = Vec::new();
        let mut skipped = None;
        let mut fading = self.fading;
        for test in tests(self.scop, instance) {
            if instance.certain.contains(&test.position) {
                continue;
            }
            let iterator = test.compared.as_ref().map(|compared| compared.iterator);
            if skipped.is_some() && skipped != iterator {
                // Whether its bound is there depends on what was skipped.
                break;
            }
            match self.trend(&test.condition) {
                Trend::Stays => {}
                Trend::Fades => {
                    fading += 1;
                    self.by_data = true;
                }
                Trend::Comes | Trend::Any => match iterator {
                    Some(iterator) => {
                        skipped = Some(iterator);
                        continue;
                    }
                    None => break,
                },
            }
            self.reads(&test.condition);
            noted.push(test.condition);
        }
        match (fading, skipped) {
            (0, None) => Err(Kept::Needed(name)),
            (0, Some(_)) => Err(Kept::Later(name)),
            _ => Ok(self.goes_on(logic(noted, 1))),
        }
    }

    /// Remembers what an instance writes: the name of the last array.
    fn writes(&mut self, instance: &Instance) -> String {
        let accesses = &self.scop.statements[instance.statement].accesses;
        let mut last = String::new();
        for (place, access) in instance.accesses.iter().zip(accesses) {
            if access.kind == AccessKind::Write {
                last.clone_from(&self.scop.arrays[access.array].name);
                self.written.push((place.buffer, last.clone()));
            }
        }
        last
    }

    /// A guard, in which statements are executed from some iteration on, or up to one.
    fn guard(&mut self, condition: &Index, then: &[Node], otherwise: &[Node]) -> Result<Vec<Node>> {
        let mut all = Vec::new();
        let (then, otherwise) = match self.trend(condition) {
            _ if !then.iter().chain(otherwise).any(is_busy) => (then.to_vec(), otherwise.to_vec()),
            Trend::Stays => (self.nodes(then)?, self.nodes(otherwise)?),
            Trend::Fades if otherwise.is_empty() => (self.fading(then)?, Vec::new()),
            // The other branch is still to come.
            Trend::Fades => (self.in_any_case(then), self.nodes(otherwise)?),
            Trend::Comes => (self.nodes(then)?, self.in_any_case(otherwise)),
            Trend::Any => {
                all.push(self.goes_on(self.until(condition)?));
                (then.to_vec(), self.nodes(otherwise)?)
            }
        };
        self.reads(condition);
        all.push(Node::If {
            condition: condition.clone(),
            then,
            otherwise,
        });
        Ok(all)
    }

    /// What is executed under a condition that fades. Where no data ends it sooner, which is where
    /// bounds are computed, the loop goes on in any case.
    fn fading(&mut self, nodes: &[Node]) -> Result<Vec<Node>> {
        let before = (self.by_data, self.read.len(), self.written.len());
        self.by_data = false;
        self.fading += 1;
        let covered = self.nodes(nodes);
        self.fading -= 1;
        let ended = std::mem::replace(&mut self.by_data, before.0);
        if ended {
            self.by_data = true;
            return covered;
        }
        self.read.truncate(before.1);
        self.written.truncate(before.2);
        Ok(self.in_any_case(nodes))
    }

    /// That an equation holds in this iteration or may hold in a later one.
    fn until(&self, condition: &Index) -> Result<Index> {
        let Index::Compare(Comparison::Equal, a, b) = condition else {
            return Err(Kept::Again);
        };
        let comparison = match self.slope(&a.minus(b)).ok_or(Kept::Again)? {
            slope if slope > 0 => Comparison::LessEqual,
            _ => Comparison::GreaterEqual,
        };
        let until = compare(comparison, (**a).clone(), (**b).clone());
        // Up to the last iteration: nothing is gained.
        match until.with(self.var, self.last) {
            Index::Int(1) => Err(Kept::Again),
            _ => Ok(until),
        }
    }

    fn in_any_case(&self, nodes: &[Node]) -> Vec<Node> {
        let mut all = vec![self.goes_on(Index::Int(1))];
        all.extend_from_slice(nodes);
        all
    }

    /// A loop inside, with what is noted in each iteration alike in front of it.
    fn each(&mut self, each: &Loop) -> Result<Vec<Node>> {
        let entered = (self.shifts.len(), self.tied, self.fading);
        self.fading += self.enter(each)?;
        self.tied = match self.tied {
            0 => each.collapse.saturating_sub(1),
            tied => tied - 1,
        };
        let body = self.nodes(&each.body);
        let stay = self.together || entered.1 > 0;
        (_, self.tied, self.fading) = entered;
        self.shifts.truncate(entered.0);
        let mut inside = Vec::new();
        let mut all = Vec::new();
        let held = Inside::of(self.scop, each);
        for node in body? {
            match node {
                Node::GoesOn { var, condition }
                    if var == self.var && !stay && held.leaves(&condition) =>
                {
                    let some = compare(
                        Comparison::LessEqual,
                        each.lower.clone(),
                        each.upper.clone(),
                    );
                    let note = self.goes_on(logic(vec![some, condition], 1));
                    if !all.contains(&note) {
                        all.push(note);
                    }
                }
                node => inside.push(node),
            }
        }
        all.push(Node::For(Loop {
            body: inside,
            ..each.clone()
        }));
        Ok(all)
    }

    /// Goes into a loop inside, and counts it from its first iteration where that has to be:
    /// whether there are fewer iterations from one of the outer loop's to the next, as 0 or 1.
    ///
    /// # Errors
    /// That there may be others.
    fn enter(&mut self, each: &Loop) -> Result<usize> {
        let others = || Kept::Rows(each.var.clone());
        let (lower, upper) = (bounds(&each.lower, false), bounds(&each.upper, true));
        let slopes = |all: &[Index]| -> Option<Vec<i64>> {
            all.iter().map(|bound| self.slope(bound)).collect()
        };
        let (Some(from), Some(to)) = (slopes(lower), slopes(upper)) else {
            return Err(others());
        };
        let aligned = each.step == 1 && !self.dealt.contains(&each.var.as_str());
        let same = |slope: &i64| *slope == 0 || aligned && *slope > 0;
        let mut fades = None;
        if from.iter().all(same) && to.iter().all(|slope| *slope <= 0) {
            let bounds = lower.iter().zip(&from).chain(upper.iter().zip(&to));
            fades = Some(bounds.filter(|(_, slope)| **slope != 0).collect::<Vec<_>>());
        } else if let ([first], [moves]) = (lower, &from[..]) {
            let shrink = to.iter().all(|slope| slope <= moves);
            let bounds = upper.iter().zip(&to).filter(|(_, slope)| *slope != moves);
            fades = shrink.then(|| bounds.collect());
            self.shifts.push((each.var.clone(), first.clone()));
        }
        let fades = fades.ok_or_else(others)?;
        self.by_data |= fades.iter().any(|(bound, _)| bound.is_data());
        for bound in [&each.lower, &each.upper] {
            self.reads(bound);
        }
        Ok(usize::from(!fades.is_empty()))
    }

    /// Remembers what an expression reads.
    fn reads(&mut self, index: &Index) {
        let read = &mut self.read;
        index.walk(&mut |part| {
            if let Index::Data(buffer, _) = part {
                read.push(*buffer);
            }
        });
    }

    /// By how much an expression grows from one iteration to the next, for the same values of the
    /// variables inside; `None` where that is no constant.
    fn slope(&self, index: &Index) -> Option<i64> {
        let mut index = index.clone();
        for (var, first) in self.shifts.iter().rev() {
            index = index.with(var, &Index::var(var).plus(first));
        }
        if index.mentions(self.var) {
            index.coefficient(self.var)
        } else {
            Some(0)
        }
    }

    fn trend(&self, condition: &Index) -> Trend {
        match condition {
            Index::All(all) | Index::Any(all) => {
                let trends = all.iter().map(|one| self.trend(one));
                trends.fold(Trend::Stays, Trend::and)
            }
            Index::Compare(comparison, a, b) => {
                let Some(slope) = self.slope(&a.minus(b)) else {
                    return Trend::Any;
                };
                match comparison {
                    Comparison::LessEqual | Comparison::Less => Trend::of_slope(slope),
                    Comparison::GreaterEqual | Comparison::Greater => Trend::of_slope(-slope),
                    Comparison::Equal if slope == 0 => Trend::Stays,
                    Comparison::Equal => Trend::Any,
                }
            }
            other => match self.slope(other) {
                Some(0) => Trend::Stays,
                _ => Trend::Any,
            },
        }
    }
}

/// Whether a node executes something, or notes that a loop goes on.
fn is_busy(node: &Node) -> bool {
    matches!(node, Node::Statement(_) | Node::GoesOn { .. }) || node.children().any(is_busy)
}

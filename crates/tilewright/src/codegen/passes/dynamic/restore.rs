//! Changing back to dynamic conditions (Zhao, thesis 2018, sections 5.3 and 5.4).
//!
//! Statements of a loop whose bound is data test the bound themselves, and their domain ends at a
//! static bound ([`LoopClaims::bounds`](crate::scop::LoopClaims::bounds)). Here the data becomes the loop's bound again wherever nothing
//! inside the loop changes it, and the tests that it makes certain go:
//!
//! ```text
//! for (j = 0; j <= u; j++)             for (j = j_begin; j < j_end; j++)
//!     if (j >= j_begin)           →        S(j);
//!         if (j < j_end) S(j);
//! ```
//!
//! - A condition that all statements of a loop share and that does not depend on it guards the
//!   whole loop.
//! - Loops that hold several dynamic loops, after fusion, run to the largest of their bounds, and
//!   the statements keep their tests (figure 5.1).
//! - Loops over tiles end with the last tile that has a point (figure 5.2).
//! - Where the bound is computed further inside, as after the interchange of figure 5.4, the static
//!   bound and the tests stay; that is refused where the static bound is only that of a type.
//!
//! A loop with data for bounds keeps its static ones beside them, for what needs a fixed size: a
//! grid of blocks (section 5.5.2).
//!
//! A test reads a bound that exists only where the tests in front of it hold: they are made
//! certain in this order.
//!
//! # What is asked of isl
//!
//! In front of a loop a bound is read once for all of its iterations, and also where the loop has
//! none, or none that executes anything: for such values of the variables around it there may be no
//! bound, and what is read in its place is anything. ([`crate::codegen::reach`] has the sets.)
//!
//! 1. Data is read only where it was computed in front of the loop, in the same iteration of the
//!    loops around both, or where an instance inside tests it. If the loops and guards around do
//!    not imply that, a guard that does is put around the loop, and if no guard says it, the static
//!    bound stays.
//! 2. A static bound is dropped only if it follows from the data, of which no more is known than
//!    the static bounds in its place ([`LoopClaims::bounds`](crate::scop::LoopClaims::bounds)), and from what is around the loop.

mod site;

use crate::codegen::kernel::{Index, Loop, Node, Temporary};
use crate::codegen::passes::dynamic::exits::predicates::{Compared, Test, tests};
use crate::codegen::reach::{Around, Cell, Placed, Reach, placed};
use crate::codegen::terms::inside::{Inside, loops};
use crate::mistakes::mistake;
use crate::scop::{BinaryOp, Scop};
use crate::transform::BufferId;
use isl::{Error, ErrorKind, Result, Set};
use site::{Numbers, Site, Writer, writers};
use std::cell::RefCell;

/// Constants in bounds beyond this are those of types: no loop may be left with one whose bound
/// cannot be restored.
const MOST_EMPTY: u64 = 1 << 20;

/// What a test says of one loop's variable.
#[derive(Clone, Debug, PartialEq)]
struct Limit {
    /// An upper bound, or a lower one.
    upper: bool,
    /// Inclusive.
    value: Index,
    /// The test that it replaces.
    condition: Index,
}

/// The static bounds in place of a buffer's value.
pub(crate) type StandIns<'a> = &'a dyn Fn(BufferId) -> Result<Vec<Index>>;

/// Restores the bounds of all loops.
///
/// # Errors
/// isl's own; [`ErrorKind::Unsupported`] for a loop that would run to a type's largest value.
pub(crate) fn restore(
    scop: &Scop,
    name: &dyn Fn(&str) -> Index,
    stand_ins: StandIns<'_>,
    body: Vec<Node>,
) -> Result<Vec<Node>> {
    if scop.loops.bounds.is_empty() {
        return Ok(body);
    }
    let reach = Reach::new(scop, name)?;
    let pass = Restore {
        scop,
        stand_ins,
        reach,
        writers: writers(scop, &body),
        numbers: RefCell::default(),
        path: RefCell::default(),
    };
    let body = pass.nodes(body, &[], &mut Vec::new())?;
    pass.check(&body)?;
    Ok(body)
}

/// Whether an expression holds a constant that is the bound of a type.
pub(crate) fn is_far(index: &Index) -> bool {
    let mut far = false;
    index.walk(&mut |part| {
        far |= matches!(part, Index::Int(k) if k.unsigned_abs() > MOST_EMPTY);
    });
    far
}

/// Refuses temporaries with a cell for every value of a type.
///
/// # Errors
/// [`ErrorKind::Unsupported`].
pub(crate) fn check_extents(scop: &Scop, temporaries: &[Temporary]) -> Result<()> {
    let large = |temporary: &&Temporary| temporary.extents.iter().any(is_far);
    match temporaries.iter().find(large) {
        Some(temporary) if !scop.loops.bounds.is_empty() => Err(Error::new(
            ErrorKind::Unsupported,
            format!(
                "`{}` would need a cell for every iteration of a loop for which no static bound is \
                 known",
                temporary.name
            ),
        )),
        _ => Ok(()),
    }
}

struct Restore<'a> {
    scop: &'a Scop,
    stand_ins: StandIns<'a>,
    reach: Reach<'a>,
    writers: Vec<Writer>,
    numbers: RefCell<Numbers>,
    /// The numbers of the loops and branches around.
    path: RefCell<Vec<usize>>,
}

impl Restore<'_> {
    fn nodes(
        &self,
        nodes: Vec<Node>,
        certain: &[Index],
        around: &mut Vec<Around>,
    ) -> Result<Vec<Node>> {
        let each = |node| self.node(node, certain, around);
        nodes.into_iter().map(each).collect()
    }

    fn node(&self, node: Node, certain: &[Index], around: &mut Vec<Around>) -> Result<Node> {
        Ok(match node {
            Node::For(each) => self.each(each, certain, around)?,
            Node::If {
                condition,
                then,
                otherwise,
            } => {
                let mut branch = |nodes, holds| {
                    let number = self.numbers.borrow_mut().next();
                    around.push(Around::Guard(condition.clone(), holds));
                    let nodes = self.inside(number, nodes, certain, around);
                    around.pop();
                    nodes
                };
                let (then, otherwise) = (branch(then, true)?, branch(otherwise, false)?);
                Node::If {
                    condition,
                    then,
                    otherwise,
                }
            }
            Node::Statement(mut instance) => {
                self.numbers.borrow_mut().next();
                let all = tests(self.scop, &instance);
                let known = all.iter().filter(|t| certain.contains(&t.condition));
                instance.certain = known.map(|t| t.position).collect();
                Node::Statement(instance)
            }
            Node::Scope { scope, body } => Node::Scope {
                scope,
                body: self.nodes(body, certain, around)?,
            },
            Node::Block { variables, body } => Node::Block {
                variables,
                body: self.nodes(body, certain, around)?,
            },
            Node::Allocate { buffers, body } => Node::Allocate {
                buffers,
                body: self.nodes(body, certain, around)?,
            },
            Node::Copies(copies) => Node::Copies(
                copies
                    .into_iter()
                    .map(|copy| self.nodes(copy, certain, around))
                    .collect::<Result<_>>()?,
            ),
            goes_on @ Node::GoesOn { .. } => goes_on,
        })
    }

    /// The nodes in a loop or branch of this number.
    fn inside(
        &self,
        number: usize,
        nodes: Vec<Node>,
        certain: &[Index],
        around: &mut Vec<Around>,
    ) -> Result<Vec<Node>> {
        self.path.borrow_mut().push(number);
        let nodes = self.nodes(nodes, certain, around);
        self.path.borrow_mut().pop();
        nodes
    }

    fn each(&self, mut each: Loop, certain: &[Index], around: &mut Vec<Around>) -> Result<Node> {
        let number = self.numbers.borrow_mut().next();
        let before = certain;
        let fixed = (each.lower.clone(), each.upper.clone());
        let inside = Inside::of(self.scop, &each);
        let mut certain = certain.to_vec();
        let mut instances = Vec::new();
        placed(&each.body, &mut vec![Around::of(&each)], &mut instances);
        let of = |(instance, _): &Placed| tests(self.scop, instance);
        let tested: Vec<Vec<Test>> = instances.iter().map(of).collect();
        let open = |tests: &[Test], certain: &[Index]| -> Vec<Test> {
            let unknown = tests.iter().filter(|t| !certain.contains(&t.condition));
            unknown.cloned().collect()
        };
        if !tested.iter().any(|all| !open(all, &certain).is_empty()) {
            around.push(Around::of(&each));
            each.body = self.inside(number, each.body, &certain, around)?;
            around.pop();
            return Ok(Node::For(each));
        }
        let path = self.path.borrow().clone();
        let mut site = Site {
            reach: &self.reach,
            here: self.reach.at_most(around)?,
            path: &path,
            number,
            certain: before,
            writers: &self.writers,
            instances: &instances,
            tested: &tested,
            guard: None,
        };
        let mut outside = Vec::new();
        while let Some(first) = tested
            .first()
            .and_then(|t| open(t, &certain).first().cloned())
        {
            let shared = tested
                .iter()
                .all(|t| open(t, &certain).first().map(|t| &t.condition) == Some(&first.condition));
            if !shared || !inside.leaves(&first.condition) || !site.reads(&[&first.condition])? {
                break;
            }
            certain.push(first.condition.clone());
            outside.push(first.condition);
        }
        let mut limits = Vec::new();
        for tests in &tested {
            limits.push(self.limits(&open(tests, &certain), &each, &inside));
        }
        let cells = self.cells(&tested)?;
        let mut direct = [false, false];
        for upper in [false, true] {
            if !upper && each.step != 1 {
                continue;
            }
            let sided: Vec<Vec<&Limit>> = limits
                .iter()
                .map(|all| all.iter().filter(|l| l.upper == upper).collect())
                .collect();
            if sided.is_empty() || sided.iter().any(Vec::is_empty) {
                continue;
            }
            let conditions = |all: &[&Limit]| -> Vec<Index> {
                let mut conditions: Vec<Index> = all.iter().map(|l| l.condition.clone()).collect();
                conditions.sort();
                conditions
            };
            let same = sided
                .iter()
                .all(|all| conditions(all) == conditions(&sided[0]));
            let read: Vec<&Index> = sided.iter().flatten().map(|l| &l.condition).collect();
            if !site.reads(&read)? {
                continue;
            }
            direct[usize::from(upper)] = true;
            let mut bounds = Vec::new();
            if same {
                bounds.extend(sided[0].iter().map(|l| l.value.clone()));
                certain.extend(conditions(&sided[0]));
            } else {
                let each = sided
                    .iter()
                    .map(|all| innermost(all.iter().map(|l| l.value.clone()).collect(), upper));
                bounds.push(innermost(each.collect(), !upper));
            }
            let here = site.guarded();
            tighten(&self.reach, &here, &cells, &mut each, bounds, upper)?;
        }
        let guards = around.len();
        if let Some((guard, _)) = &site.guard {
            around.push(Around::Guard(guard.clone(), true));
        }
        around.push(Around::Loop(
            each.var.clone(),
            fixed.0.clone(),
            fixed.1.clone(),
            each.step,
        ));
        each.body = self.inside(number, each.body, &certain, around)?;
        around.truncate(guards);
        for upper in [false, true] {
            if direct[usize::from(upper)] || !upper && each.step != 1 {
                continue;
            }
            let Some(found) = implied(&each.body, &each.var, &inside, upper) else {
                continue;
            };
            let mut read = Vec::new();
            found.walk(&mut |part| {
                if matches!(part, Index::Data(..)) {
                    read.push(part);
                }
            });
            if !read.is_empty() && site.reads(&read)? {
                let here = site.guarded();
                tighten(&self.reach, &here, &cells, &mut each, vec![found], upper)?;
            }
        }
        if each.lower.is_data() || each.upper.is_data() {
            each.dynamic.fixed = Some(Box::new(fixed));
        }
        let guard = site.guard.map(|(guard, _)| guard);
        let mut node = Node::For(each);
        for condition in outside.into_iter().rev().chain(guard) {
            node = Node::If {
                condition,
                then: vec![node],
                otherwise: Vec::new(),
            };
        }
        Ok(node)
    }

    /// The bounds that are tested, each once, with the static bounds in their place.
    fn cells(&self, tested: &[Vec<Test>]) -> Result<Vec<Cell>> {
        let mut cells: Vec<Cell> = Vec::new();
        for test in tested.iter().flatten() {
            let Some(Compared { data, .. }) = &test.compared else {
                continue;
            };
            if cells.iter().any(|cell| cell.data == *data) {
                continue;
            }
            let apart = Index::Int(apart(test));
            let stand_ins = (self.stand_ins)(test.buffer)?;
            cells.push(Cell {
                data: data.clone(),
                limits: stand_ins.iter().map(|last| last.minus(&apart)).collect(),
                upper: test.compared.as_ref().is_some_and(Compared::is_upper),
            });
        }
        Ok(cells)
    }

    /// What the leading tests of a statement say of a loop's variable.
    fn limits(&self, open: &[Test], each: &Loop, inside: &Inside) -> Vec<Limit> {
        let mut limits = Vec::new();
        for test in open {
            let Some(compared) = &test.compared else {
                break;
            };
            let Compared { value, data, .. } = compared;
            let Some(sign @ (1 | -1)) = value.coefficient(&each.var) else {
                break;
            };
            let rest = value.minus(&Index::var(&each.var).times(sign));
            if inside.mentioned(&rest) || !inside.leaves(data) {
                break;
            }
            // `value <= last` or `value >= last`.
            let turned = |last: &Index| last.minus(&rest).times(sign);
            limits.push(Limit {
                upper: compared.is_upper() == (sign > 0),
                value: turned(&data.plus(&Index::Int(apart(test)))),
                condition: test.condition.clone(),
            });
        }
        limits
    }

    /// Refuses loops whose range is still that of a type, over tiles or points: whatever tests are
    /// left inside, most iterations would do nothing.
    fn check(&self, nodes: &[Node]) -> Result<()> {
        let mut long = false;
        let mut visit = |each: &Loop| {
            let unbounded = |bound: &Index| operands(bound).iter().all(is_far);
            long |= unbounded(&each.upper) || unbounded(&each.lower);
        };
        nodes.iter().for_each(|node| loops(node, &mut visit));
        if long {
            Err(Error::new(
                ErrorKind::Unsupported,
                "a loop whose bound is data would be outside of the loop that computes the bound, \
                 and no static bound is known for it",
            ))
        } else {
            Ok(())
        }
    }
}

pub(crate) fn operands(bound: &Index) -> &[Index] {
    match bound {
        Index::Min(all) | Index::Max(all) => all,
        single => std::slice::from_ref(single),
    }
}

/// Bounds that all hold: the operands of a minimum of upper ones, of a maximum of lower ones.
pub(crate) fn bounds(bound: &Index, upper: bool) -> &[Index] {
    match (bound, upper) {
        (Index::Max(_), true) | (Index::Min(_), false) => std::slice::from_ref(bound),
        (bound, _) => operands(bound),
    }
}

/// The smallest of upper bounds, the largest of lower ones.
fn innermost(mut bounds: Vec<Index>, upper: bool) -> Index {
    bounds.sort();
    bounds.dedup();
    if upper {
        Index::min_of(bounds)
    } else {
        Index::max_of(bounds)
    }
}

/// How far the last value for which a comparison holds is from the data.
fn apart(test: &Test) -> i64 {
    match test.compared.as_ref().map(|compared| compared.op) {
        Some(BinaryOp::Less) => -1,
        Some(BinaryOp::Greater) => 1,
        _ => 0,
    }
}

/// Adds bounds to a loop, and takes those away that follow from them.
fn tighten(
    reach: &Reach<'_>,
    here: &Set,
    cells: &[Cell],
    each: &mut Loop,
    more: Vec<Index>,
    upper: bool,
) -> Result<()> {
    let old = if upper { &each.upper } else { &each.lower };
    let implied = reach.implied(here, each, &more, cells, upper)?;
    let mut all = Vec::new();
    for index in bounds(old, upper) {
        if !implied(index)? && !mistake!(RestoreDropsStaticBound) {
            all.push(index.clone());
        }
    }
    all.extend(more);
    let bound = innermost(all, upper);
    if upper {
        each.upper = bound
    } else {
        each.lower = bound
    }
    Ok(())
}

/// A bound of `var` that holds whenever anything below is executed: from loops inside whose own
/// bounds do not depend on what is inside.
fn implied(nodes: &[Node], var: &str, inside: &Inside, upper: bool) -> Option<Index> {
    let mut bounds = Vec::new();
    for node in nodes {
        bounds.push(match node {
            Node::For(each) => nonempty(each, var, inside, upper)
                .or_else(|| implied(&each.body, var, inside, upper))?,
            Node::Scope { body, .. } | Node::Block { body, .. } | Node::Allocate { body, .. } => {
                implied(body, var, inside, upper)?
            }
            Node::If {
                then, otherwise, ..
            } if otherwise.is_empty() => implied(then, var, inside, upper)?,
            _ => return None,
        });
    }
    (!bounds.is_empty()).then(|| innermost(bounds, !upper))
}

/// The values of `var` for which a loop has an iteration, from one of its bounds that depends on
/// `var` and one on the other side that is data.
fn nonempty(each: &Loop, var: &str, inside: &Inside, upper: bool) -> Option<Index> {
    let (near, far) = if upper {
        (&each.lower, &each.upper)
    } else {
        (&each.upper, &each.lower)
    };
    let data: Vec<&Index> = operands(far)
        .iter()
        .filter(|index| index.is_data() && inside.leaves(index))
        .collect();
    let mut bounds = Vec::new();
    for operand in operands(near) {
        let Some(size) = operand.coefficient(var).filter(|&size| size > 0) else {
            continue;
        };
        let rest = operand.minus(&Index::var(var).times(size));
        if inside.mentioned(&rest) {
            continue;
        }
        for data in &data {
            let distance = data.minus(&rest);
            bounds.push(if upper {
                distance.floor_div(size)
            } else {
                distance.plus(&Index::Int(size - 1)).floor_div(size)
            });
        }
    }
    (!bounds.is_empty()).then(|| innermost(bounds, upper))
}

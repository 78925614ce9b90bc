//! Changing back to dynamic conditions (Zhao, thesis 2018, sections 5.3 and 5.4).
//!
//! Statements of a loop whose bound is data test the bound themselves, and their domain ends at a
//! static bound ([`Scop::bounds`]). Here the data becomes the loop's bound again wherever nothing
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

use super::inside::{Inside, loops};
use super::kernel::{Index, Instance, Loop, Node, Temporary};
use super::predicates::{Compared, Test, tests};
use crate::scop::{BinaryOp, Scop};
use crate::transform::BufferId;
use isl::{Error, ErrorKind, Result};

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
    /// Bounds that are in its place in the domain.
    stand_ins: Vec<Index>,
}

/// The static bounds in place of a buffer's value.
pub(super) type StandIns<'a> = &'a dyn Fn(BufferId) -> Result<Vec<Index>>;

/// Restores the bounds of all loops.
///
/// # Errors
/// isl's own; [`ErrorKind::Unsupported`] for a loop that would run to a type's largest value.
pub(super) fn restore(scop: &Scop, stand_ins: StandIns<'_>, body: Vec<Node>) -> Result<Vec<Node>> {
    if scop.bounds.is_empty() {
        return Ok(body);
    }
    let pass = Restore { scop, stand_ins };
    let body = pass.nodes(body, &[])?;
    pass.check(&body)?;
    Ok(body)
}

/// Whether an expression holds a constant that is the bound of a type.
pub(super) fn is_far(index: &Index) -> bool {
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
pub(super) fn check_extents(scop: &Scop, temporaries: &[Temporary]) -> Result<()> {
    let large = |temporary: &&Temporary| temporary.extents.iter().any(is_far);
    match temporaries.iter().find(large) {
        Some(temporary) if !scop.bounds.is_empty() => Err(Error::new(
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
}

impl Restore<'_> {
    fn nodes(&self, nodes: Vec<Node>, certain: &[Index]) -> Result<Vec<Node>> {
        nodes.into_iter().map(|n| self.node(n, certain)).collect()
    }

    fn node(&self, node: Node, certain: &[Index]) -> Result<Node> {
        Ok(match node {
            Node::For(each) => self.each(each, certain)?,
            Node::If {
                condition,
                then,
                otherwise,
            } => Node::If {
                condition,
                then: self.nodes(then, certain)?,
                otherwise: self.nodes(otherwise, certain)?,
            },
            Node::Statement(mut instance) => {
                let all = tests(self.scop, &instance);
                let known = all.iter().filter(|t| certain.contains(&t.condition));
                instance.certain = known.map(|t| t.position).collect();
                Node::Statement(instance)
            }
            Node::Scope { scope, body } => Node::Scope {
                scope,
                body: self.nodes(body, certain)?,
            },
            Node::Block { variables, body } => Node::Block {
                variables,
                body: self.nodes(body, certain)?,
            },
            Node::Allocate { buffers, body } => Node::Allocate {
                buffers,
                body: self.nodes(body, certain)?,
            },
            Node::Copies(copies) => Node::Copies(
                copies
                    .into_iter()
                    .map(|copy| self.nodes(copy, certain))
                    .collect::<Result<_>>()?,
            ),
            goes_on @ Node::GoesOn { .. } => goes_on,
        })
    }

    fn each(&self, mut each: Loop, certain: &[Index]) -> Result<Node> {
        let fixed = (each.lower.clone(), each.upper.clone());
        let inside = Inside::of(self.scop, &each);
        let mut certain = certain.to_vec();
        let mut tested: Vec<Vec<Test>> = Vec::new();
        each.body.iter().for_each(|node| {
            node.instances(&mut |instance| tested.push(tests(self.scop, instance)));
        });
        let open = |tests: &[Test], certain: &[Index]| -> Vec<Test> {
            let unknown = tests.iter().filter(|t| !certain.contains(&t.condition));
            unknown.cloned().collect()
        };
        let mut around = Vec::new();
        while let Some(first) = tested
            .first()
            .and_then(|t| open(t, &certain).first().cloned())
        {
            let shared = tested
                .iter()
                .all(|t| open(t, &certain).first().map(|t| &t.condition) == Some(&first.condition));
            if !shared || !inside.leaves(&first.condition) {
                break;
            }
            certain.push(first.condition.clone());
            around.push(first.condition);
        }
        let mut limits = Vec::new();
        for tests in &tested {
            limits.push(self.limits(&open(tests, &certain), &each, &inside)?);
        }
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
            direct[usize::from(upper)] = true;
            let conditions = |all: &[&Limit]| -> Vec<Index> {
                let mut conditions: Vec<Index> = all.iter().map(|l| l.condition.clone()).collect();
                conditions.sort();
                conditions
            };
            let same = sided
                .iter()
                .all(|all| conditions(all) == conditions(&sided[0]));
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
            let implied = |index: &Index| {
                let by = |all: &Vec<&Limit>| all.iter().any(|l| l.stand_ins.contains(index));
                sided.iter().all(by)
            };
            tighten(&mut each, bounds, upper, &implied);
        }
        each.body = self.nodes(each.body, &certain)?;
        for upper in [false, true] {
            if direct[usize::from(upper)] || !upper && each.step != 1 {
                continue;
            }
            if let Some(found) = implied(&each.body, &each.var, &inside, upper) {
                if found.is_data() {
                    let mut old = self.type_bounds(&each.body, &each.var, upper)?;
                    old.sort();
                    let known = |index: &Index| old.contains(index);
                    tighten(&mut each, vec![found], upper, &known);
                }
            }
        }
        if each.lower.is_data() || each.upper.is_data() {
            each.fixed = Some(Box::new(fixed));
        }
        let mut node = Node::For(each);
        for condition in around.into_iter().rev() {
            node = Node::If {
                condition,
                then: vec![node],
                otherwise: Vec::new(),
            };
        }
        Ok(node)
    }

    /// Bounds of a loop over tiles that follow from static bounds in place of data, where every
    /// statement below has them.
    fn type_bounds(&self, body: &[Node], var: &str, upper: bool) -> Result<Vec<Index>> {
        let mut shared: Option<Vec<Index>> = None;
        let mut failed = None;
        let mut visit = |point: &Loop| {
            // `size · var + rest <= point <= …`
            let opposite = if upper { &point.lower } else { &point.upper };
            let mut here = Vec::new();
            for operand in operands(opposite) {
                let Some(size) = operand.coefficient(var).filter(|&size| size > 0) else {
                    continue;
                };
                let rest = operand.minus(&Index::var(var).times(size));
                let mut add = |instance: &Instance| {
                    for test in tests(self.scop, instance) {
                        let Some(compared) = &test.compared else {
                            continue;
                        };
                        let same = compared.is_upper() == upper;
                        if compared.value != Index::var(&point.var) || !same {
                            continue;
                        }
                        match (self.stand_ins)(test.buffer) {
                            Ok(all) => here.extend(all.iter().map(|stand_in| {
                                match upper {
                                    true => stand_in.minus(&rest).floor_div(size),
                                    false => stand_in
                                        .minus(&rest)
                                        .plus(&Index::Int(size - 1))
                                        .floor_div(size),
                                }
                            })),
                            Err(error) => failed = Some(error),
                        }
                    }
                };
                point.body.iter().for_each(|node| node.instances(&mut add));
            }
            if !here.is_empty() {
                shared = Some(match shared.take() {
                    None => here,
                    Some(before) => before.into_iter().filter(|b| here.contains(b)).collect(),
                });
            }
        };
        body.iter().for_each(|node| loops(node, &mut visit));
        match failed {
            Some(error) => Err(error),
            None => Ok(shared.unwrap_or_default()),
        }
    }

    /// What the leading tests of a statement say of a loop's variable.
    fn limits(&self, open: &[Test], each: &Loop, inside: &Inside) -> Result<Vec<Limit>> {
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
            let apart = match compared.op {
                BinaryOp::Less => -1,
                BinaryOp::Greater => 1,
                _ => 0,
            };
            // `value <= last` or `value >= last`.
            let turned = |last: &Index| last.minus(&rest).times(sign);
            let stand_ins = (self.stand_ins)(test.buffer)?;
            limits.push(Limit {
                upper: compared.is_upper() == (sign > 0),
                value: turned(&data.plus(&Index::Int(apart))),
                condition: test.condition.clone(),
                stand_ins: stand_ins.iter().map(turned).collect(),
            });
        }
        Ok(limits)
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
        match long {
            true => Err(Error::new(
                ErrorKind::Unsupported,
                "a loop whose bound is data would be outside of the loop that computes the bound, \
                 and no static bound is known for it",
            )),
            false => Ok(()),
        }
    }
}

pub(super) fn operands(bound: &Index) -> &[Index] {
    match bound {
        Index::Min(all) | Index::Max(all) => all,
        single => std::slice::from_ref(single),
    }
}

/// Bounds that all hold: the operands of a minimum of upper ones, of a maximum of lower ones.
pub(super) fn bounds(bound: &Index, upper: bool) -> &[Index] {
    match (bound, upper) {
        (Index::Max(_), true) | (Index::Min(_), false) => std::slice::from_ref(bound),
        (bound, _) => operands(bound),
    }
}

/// The smallest of upper bounds, the largest of lower ones.
fn innermost(mut bounds: Vec<Index>, upper: bool) -> Index {
    bounds.sort();
    bounds.dedup();
    match upper {
        true => Index::min_of(bounds),
        false => Index::max_of(bounds),
    }
}

/// Adds bounds to a loop, and takes those away that follow from them.
fn tighten(each: &mut Loop, more: Vec<Index>, upper: bool, implied: &dyn Fn(&Index) -> bool) {
    let bound = if upper {
        &mut each.upper
    } else {
        &mut each.lower
    };
    let whole = bounds(bound, upper);
    let mut all: Vec<Index> = whole
        .iter()
        .filter(|index| !implied(index))
        .cloned()
        .collect();
    all.extend(more);
    *bound = innermost(all, upper);
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
    let (near, far) = match upper {
        true => (&each.lower, &each.upper),
        false => (&each.upper, &each.lower),
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
            bounds.push(match upper {
                true => distance.floor_div(size),
                false => distance.plus(&Index::Int(size - 1)).floor_div(size),
            });
        }
    }
    (!bounds.is_empty()).then(|| innermost(bounds, upper))
}

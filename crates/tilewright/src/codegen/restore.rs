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

use super::kernel::{Comparison, Index, Instance, Loop, Node, PlaceIndex, Temporary};
use crate::scop::exits::Exit;
use crate::scop::{AccessId, AccessKind, Action, BinaryOp, Expr, Origin, Scop, UnaryOp};
use crate::transform::{BufferId, Transformed};
use isl::{Error, ErrorKind, Result};

/// Constants in bounds beyond this are those of types: no loop may be left with one whose bound
/// cannot be restored.
const MOST_EMPTY: u64 = 1 << 20;

/// A test at the head of a statement's body.
#[derive(Clone, Debug, PartialEq)]
struct Test {
    /// Its number among the nested tests, outermost first.
    position: usize,
    condition: Index,
    /// What is tested.
    buffer: BufferId,
    /// The variable's side of a comparison, and how it compares; none for other conditions.
    compared: Option<(Index, BinaryOp, Index)>,
}

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
pub(super) fn restore(
    scop: &Scop,
    transformed: &Transformed,
    stand_ins: StandIns<'_>,
    body: Vec<Node>,
) -> Result<Vec<Node>> {
    if scop.bounds.is_empty() {
        return Ok(body);
    }
    let pass = Restore {
        scop,
        transformed,
        stand_ins,
    };
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
    transformed: &'a Transformed,
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
                let tests = self.tests(&instance);
                let known = tests.iter().filter(|t| certain.contains(&t.condition));
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
        })
    }

    fn each(&self, mut each: Loop, certain: &[Index]) -> Result<Node> {
        let fixed = (each.lower.clone(), each.upper.clone());
        let inside = Inside::of(self.scop, &each);
        let mut certain = certain.to_vec();
        let mut tests: Vec<Vec<Test>> = Vec::new();
        each.body.iter().for_each(|node| {
            node.instances(&mut |instance| tests.push(self.tests(instance)));
        });
        let open = |tests: &[Test], certain: &[Index]| -> Vec<Test> {
            let unknown = tests.iter().filter(|t| !certain.contains(&t.condition));
            unknown.cloned().collect()
        };
        let mut around = Vec::new();
        while let Some(first) = tests
            .first()
            .and_then(|t| open(t, &certain).first().cloned())
        {
            let shared = tests
                .iter()
                .all(|t| open(t, &certain).first().map(|t| &t.condition) == Some(&first.condition));
            if !shared || !inside.leaves(&first.condition) {
                break;
            }
            certain.push(first.condition.clone());
            around.push(first.condition);
        }
        let mut limits = Vec::new();
        for tests in &tests {
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
                    for test in self.tests(instance) {
                        let Some((value, op, _)) = &test.compared else {
                            continue;
                        };
                        let same = matches!(op, BinaryOp::Less | BinaryOp::LessEqual) == upper;
                        if *value != Index::var(&point.var) || !same {
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
            let Some((value, op, data)) = &test.compared else {
                break;
            };
            let Some(sign @ (1 | -1)) = value.coefficient(&each.var) else {
                break;
            };
            let rest = value.minus(&Index::var(&each.var).times(sign));
            if inside.mentioned(&rest) || !inside.leaves(data) {
                break;
            }
            let less = matches!(op, BinaryOp::Less | BinaryOp::LessEqual);
            let apart = match op {
                BinaryOp::Less => -1,
                BinaryOp::Greater => 1,
                _ => 0,
            };
            // `value <= last` or `value >= last`.
            let turned = |last: &Index| last.minus(&rest).times(sign);
            let stand_ins = (self.stand_ins)(test.buffer)?;
            limits.push(Limit {
                upper: less == (sign > 0),
                value: turned(&data.plus(&Index::Int(apart))),
                condition: test.condition.clone(),
                stand_ins: stand_ins.iter().map(turned).collect(),
            });
        }
        Ok(limits)
    }

    /// The tests at the head of an instance's body, outermost first.
    fn tests(&self, instance: &Instance) -> Vec<Test> {
        let mut tests = Vec::new();
        let mut actions = self.scop.statements[instance.statement].body.as_slice();
        while let [
            Action::If {
                condition,
                then,
                otherwise,
            },
        ] = actions
        {
            let position = tests.len();
            let test = match otherwise.as_slice() {
                [] => self.test(instance, condition, position),
                _ => None,
            };
            let Some(test) = test else { break };
            tests.push(test);
            actions = then;
        }
        tests
    }

    fn test(&self, instance: &Instance, condition: &Expr, position: usize) -> Option<Test> {
        match condition {
            Expr::Access(access) => {
                let (buffer, condition) = self.data(instance, *access)?;
                Some(Test {
                    position,
                    condition,
                    buffer,
                    compared: None,
                })
            }
            Expr::Unary(UnaryOp::Not, inner) => {
                let Expr::Access(access) = **inner else {
                    return None;
                };
                let (buffer, data) = self.data(instance, access)?;
                let zero = Box::new(Index::Int(0));
                Some(Test {
                    position,
                    condition: Index::Compare(Comparison::Equal, Box::new(data), zero),
                    buffer,
                    compared: None,
                })
            }
            _ => {
                let statement = &self.scop.statements[instance.statement];
                let Exit {
                    iterator,
                    op,
                    bound,
                } = self.scop.exit(statement, condition)?;
                let comparison = match op {
                    BinaryOp::Less => Comparison::Less,
                    BinaryOp::LessEqual => Comparison::LessEqual,
                    BinaryOp::Greater => Comparison::Greater,
                    _ => Comparison::GreaterEqual,
                };
                let (buffer, data) = self.data(instance, bound)?;
                let value = instance.iterators[iterator].clone();
                let (left, right) = (Box::new(value.clone()), Box::new(data.clone()));
                Some(Test {
                    position,
                    condition: Index::Compare(comparison, left, right),
                    buffer,
                    compared: Some((value, op, data)),
                })
            }
        }
    }

    /// The value of one of the region's temporaries.
    fn data(&self, instance: &Instance, access: AccessId) -> Option<(BufferId, Index)> {
        let place = &instance.accesses[access];
        let array = &self.scop.arrays[self.transformed.buffers[place.buffer].array];
        if !matches!(array.origin, Origin::Region { .. }) {
            return None;
        }
        let indices = place.indices.iter().map(|index| match index {
            PlaceIndex::Affine(index) => Some(index.clone()),
            PlaceIndex::Data { .. } => None,
        });
        let data = Index::Data(place.buffer, indices.collect::<Option<_>>()?);
        Some((place.buffer, data))
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

/// What a loop holds: variables that mean nothing in front of it, and buffers that it writes.
struct Inside {
    variables: Vec<String>,
    written: Vec<BufferId>,
}

impl Inside {
    fn of(scop: &Scop, each: &Loop) -> Inside {
        let mut inside = Inside {
            variables: vec![each.var.clone()],
            written: Vec::new(),
        };
        for node in &each.body {
            loops(node, &mut |inner| inside.variables.push(inner.var.clone()));
            node.instances(&mut |instance| {
                let accesses = &scop.statements[instance.statement].accesses;
                for (place, access) in instance.accesses.iter().zip(accesses) {
                    if access.kind == AccessKind::Write {
                        inside.written.push(place.buffer);
                    }
                }
            });
        }
        inside
    }

    fn mentioned(&self, index: &Index) -> bool {
        self.variables.iter().any(|var| index.mentions(var))
    }

    /// Whether an expression has the same value in front of the loop and all through it.
    fn leaves(&self, index: &Index) -> bool {
        let mut written = false;
        index.walk(&mut |part| {
            written |= matches!(part, Index::Data(buffer, _) if self.written.contains(buffer));
        });
        !written && !self.mentioned(index)
    }
}

/// Calls `visit` on every loop at or below a node.
fn loops<'n>(node: &'n Node, visit: &mut dyn FnMut(&'n Loop)) {
    if let Node::For(each) = node {
        visit(each);
    }
    node.children().for_each(|child| loops(child, visit));
}

pub(super) fn operands(bound: &Index) -> &[Index] {
    match bound {
        Index::Min(all) | Index::Max(all) => all,
        single => std::slice::from_ref(single),
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
fn tighten(each: &mut Loop, bounds: Vec<Index>, upper: bool, implied: &dyn Fn(&Index) -> bool) {
    let bound = if upper {
        &mut each.upper
    } else {
        &mut each.lower
    };
    let whole = match (&*bound, upper) {
        (Index::Max(_), true) | (Index::Min(_), false) => std::slice::from_ref(&*bound),
        (bound, _) => operands(bound),
    };
    let mut all: Vec<Index> = whole
        .iter()
        .filter(|index| !implied(index))
        .cloned()
        .collect();
    all.extend(bounds);
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

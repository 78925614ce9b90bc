//! Exit predicates in generated code: the tests at the head of an instance's body ([`Exit`]), as
//! conditions on loop variables and cells.

use crate::codegen::kernel::{Comparison, Index, Instance, PlaceIndex};
use crate::scop::exits::Exit;
use crate::scop::{AccessId, Action, BinaryOp, Expr, Origin, Scop, UnaryOp};
use crate::transform::BufferId;

/// A test at the head of a statement's body.
///
/// A test reads a bound that exists only where the tests in front of it hold. Bounds that are
/// compared with the same iterator are computed together.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Test {
    /// Its number among the nested tests, outermost first.
    pub position: usize,
    pub condition: Index,
    /// What is tested.
    pub buffer: BufferId,
    /// What a comparison with an iterator compares; none for other conditions.
    pub compared: Option<Compared>,
}

/// `value op data`
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Compared {
    /// Number of the statement's iterator.
    pub iterator: usize,
    /// Its value.
    pub value: Index,
    pub op: BinaryOp,
    /// The bound.
    pub data: Index,
}

impl Compared {
    /// Whether the data is an upper bound of the value.
    pub fn is_upper(&self) -> bool {
        matches!(self.op, BinaryOp::Less | BinaryOp::LessEqual)
    }
}

/// The tests at the head of an instance's body, outermost first.
pub(crate) fn tests(scop: &Scop, instance: &Instance) -> Vec<Test> {
    let mut tests = Vec::new();
    let mut actions = scop.statements[instance.statement].body.as_slice();
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
            [] => test(scop, instance, condition, position),
            _ => None,
        };
        let Some(test) = test else { break };
        tests.push(test);
        actions = then;
    }
    tests
}

fn test(scop: &Scop, instance: &Instance, condition: &Expr, position: usize) -> Option<Test> {
    match condition {
        Expr::Access(access) => {
            let (buffer, condition) = data(scop, instance, *access)?;
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
            let (buffer, data) = data(scop, instance, access)?;
            let zero = Box::new(Index::Int(0));
            Some(Test {
                position,
                condition: Index::Compare(Comparison::Equal, Box::new(data), zero),
                buffer,
                compared: None,
            })
        }
        _ => {
            let statement = &scop.statements[instance.statement];
            let Exit {
                iterator,
                op,
                bound,
            } = scop.exit(statement, condition)?;
            let comparison = match op {
                BinaryOp::Less => Comparison::Less,
                BinaryOp::LessEqual => Comparison::LessEqual,
                BinaryOp::Greater => Comparison::Greater,
                _ => Comparison::GreaterEqual,
            };
            let (buffer, data) = data(scop, instance, bound)?;
            let value = instance.iterators[iterator].clone();
            let (left, right) = (Box::new(value.clone()), Box::new(data.clone()));
            Some(Test {
                position,
                condition: Index::Compare(comparison, left, right),
                buffer,
                compared: Some(Compared {
                    iterator,
                    value,
                    op,
                    data,
                }),
            })
        }
    }
}

/// The value of one of the region's temporaries.
fn data(scop: &Scop, instance: &Instance, access: AccessId) -> Option<(BufferId, Index)> {
    let array = scop.statements[instance.statement].accesses[access].array;
    if !matches!(scop.arrays[array].origin, Origin::Region { .. }) {
        return None;
    }
    let place = &instance.accesses[access];
    let indices = place.indices.iter().map(|index| match index {
        PlaceIndex::Affine(index) => Some(index.clone()),
        PlaceIndex::Data { .. } => None,
    });
    let data = Index::Data(place.buffer, indices.collect::<Option<_>>()?);
    Some((place.buffer, data))
}

//! Loop variables that are an `int`, as in the program.
//!
//! They are `long` elsewhere, since tiles and shifted loops go beyond what the program's variables
//! come to. But where a statement computes with such a variable, in a condition, a subscript that is
//! data, or a value, the program does so with an `int`, and C compilers take sums of an `int` that
//! counts to go on as they begin; of `(int)c1` with a `long` they do not, and make no vectors, nor
//! choices in place of branches. gcc 12, rows of neighbours in a table (`ni = i + di[d]`): 3.2 times as
//! long with a `long`.
//!
//! A variable is an `int` where it is the value of a variable of type `int` of each statement in the
//! loop, and where it begins with what an `int` holds, also if the loop is empty.

use super::index::ParamSpelling;
use crate::codegen::c::Printer;
use crate::codegen::kernel::{Index, Instance, Loop, Node, PlaceIndex};
use crate::scop::{Action, Expr, ScalarKind, Scop};

/// Numbers up to this are added to remainders.
const SMALL: i64 = 1 << 20;

impl Printer<'_> {
    /// Whether the variable of a loop is an `int`.
    pub(in crate::codegen::c) fn counts_as_int(&self, each: &Loop) -> bool {
        self.spellings.device.is_none()
            && self.dealt(&each.var).is_none()
            && each.step == 1
            && self.begins_as_int(&each.lower)
            && !matches!(each.upper, Index::Int(last) if last >= i32::MAX.into())
            && is_int_of_all(self.scop, &each.body, &each.var)
            && each
                .body
                .iter()
                .any(|node| computes(self.scop, node, &each.var))
    }

    /// Whether the first value is certainly one.
    fn begins_as_int(&self, lower: &Index) -> bool {
        let small = |index: &Index| matches!(index, Index::Int(k) if (0..=SMALL).contains(k));
        match lower {
            Index::Int(value) => i32::try_from(*value).is_ok(),
            Index::Param(param) => matches!(self.spellings.params[*param], ParamSpelling::Int(_)),
            Index::Var(name) => self.here.ints.contains(name),
            // One more than a variable that was compared with its bound.
            Index::Add(a, b) => match (&**a, &**b) {
                (Index::Var(name), Index::Int(1)) => self.here.ints.contains(name),
                (Index::Mod(_, k) | Index::PlainMod(_, k), added) => *k <= SMALL && small(added),
                _ => false,
            },
            Index::Mod(_, k) | Index::PlainMod(_, k) => *k <= SMALL,
            Index::Min(all) | Index::Max(all) => all.iter().all(|one| self.begins_as_int(one)),
            _ => false,
        }
    }
}

/// Whether every statement has an `int` of that value, whenever the loop turns.
fn is_int_of_all(scop: &Scop, nodes: &[Node], var: &str) -> bool {
    nodes.iter().all(|node| {
        let here = match node {
            Node::Statement(instance) => numbers(scop, instance, var).next().is_some(),
            Node::If { condition, .. } => !condition.mentions(var),
            Node::GoesOn { .. } => false,
            _ => true,
        };
        here && node
            .children()
            .all(|child| is_int_of_all(scop, std::slice::from_ref(child), var))
    })
}

/// The iterators of type `int` that are a variable.
fn numbers<'i>(
    scop: &'i Scop,
    instance: &'i Instance,
    var: &'i str,
) -> impl Iterator<Item = usize> + 'i {
    let declared = &scop.statements[instance.statement].iterators;
    let all = instance.iterators.iter().zip(declared).enumerate();
    all.filter_map(move |(number, (index, declared))| {
        let own = matches!(index, Index::Var(name) if name == var);
        (own && declared.ctype.kind == ScalarKind::I32).then_some(number)
    })
}

/// Whether statements at or below a node compute with a variable.
fn computes(scop: &Scop, node: &Node, var: &str) -> bool {
    let mut found = false;
    node.instances(&mut |instance| {
        let own: Vec<usize> = numbers(scop, instance, var).collect();
        let mut look = |expr: &Expr| {
            expr.walk(&mut |part| {
                found |= matches!(part, Expr::Iterator(number) if own.contains(number));
            });
        };
        Action::expressions(&instance.actions(scop), &mut look);
        for index in instance.accesses.iter().flat_map(|place| &place.indices) {
            if let PlaceIndex::Data { subscript, .. } = index {
                look(subscript);
            }
        }
    });
    found
}

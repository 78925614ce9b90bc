//! Loops that run over all that a static bound allows, though data says how few iterations do
//! something: neither has the data become their bound (`restore`), nor are they left early
//! (`exits`).
//!
//! Such a loop makes as many iterations as the largest row could have. Where the data is known in
//! front of it, it could have been the bound, had a new order not put something else at the loop's
//! end (equake with fused loops: 2900 times slower); an order that does this inside another loop
//! is none that anybody wants.
//!
//! Nothing that is found here changes code: a loop that is missed, or taken for one that it is not,
//! costs time only.

use crate::codegen::kernel::{Comparison, Index, Kernel, Loop, Node};
use crate::codegen::passes::dynamic::exits::predicates::tests;
use crate::codegen::passes::dynamic::exits::with_exits;
use crate::codegen::terms::inside::Inside;
use crate::plan::defaults::FEW_IN_VAIN;
use crate::scop::Scop;

/// A loop of this kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enumerated {
    /// The program's variable that data bounds.
    pub iterator: String,
    /// The data is known in front of it, and another loop is around it.
    pub in_vain: bool,
    /// Its iterations run in parallel.
    pub parallel: bool,
}

/// All of them, outer ones first.
pub fn enumerated(scop: &Scop, kernel: &Kernel) -> Vec<Enumerated> {
    let mut found = Vec::new();
    if !scop.loops.bounds.is_empty() {
        let body = with_exits(scop, kernel.body.clone(), &[]);
        below(scop, &body, false, &mut found);
    }
    found
}

fn below(scop: &Scop, nodes: &[Node], nested: bool, found: &mut Vec<Enumerated>) {
    for node in nodes {
        let Node::For(each) = node else {
            let inside: Vec<Node> = node.children().cloned().collect();
            below(scop, &inside, nested, found);
            continue;
        };
        if !each.dynamic.ends_early {
            if let Some((iterator, known)) = in_place_of_data(scop, each) {
                found.push(Enumerated {
                    iterator,
                    in_vain: known && nested,
                    parallel: each.parallel,
                });
            }
        }
        below(scop, &each.body, true, found);
    }
}

/// For a loop to a static bound whose iterations do nothing from some one on that data says: the
/// program's variable that the data bounds, and whether all such data is known in front of the loop.
pub(crate) fn in_place_of_data(scop: &Scop, each: &Loop) -> Option<(String, bool)> {
    let mut tested = None;
    let inside = Inside::of(scop, each);
    let idle = !each.upper.is_data() && idles(scop, &each.body, each, &inside, &mut tested);
    tested.filter(|_| idle)
}

/// Whether all that a loop executes in most of its iterations depends on an upper bound that is
/// data; the first of these, and whether all are known in front of the loop.
fn idles(
    scop: &Scop,
    nodes: &[Node],
    each: &Loop,
    inside: &Inside,
    tested: &mut Option<(String, bool)>,
) -> bool {
    nodes.iter().all(|node| match node {
        Node::Statement(instance) => {
            let mut upper = false;
            for test in tests(scop, instance) {
                let Some(compared) = &test.compared else {
                    continue;
                };
                let sign = compared.value.coefficient(&each.var).unwrap_or(0);
                let open = !instance.certain.contains(&test.position);
                if open && sign != 0 && compared.is_upper() == (sign > 0) {
                    upper = true;
                    let known = inside.leaves(&compared.data);
                    let statement = &scop.statements[instance.statement];
                    let name = || statement.iterators[compared.iterator].name.clone();
                    let (_, all) = tested.get_or_insert_with(|| (name(), true));
                    *all &= known;
                }
            }
            upper
        }
        Node::If {
            condition,
            then,
            otherwise,
        } => {
            let by_data = condition.is_data() && condition.mentions(&each.var);
            let seldom = seldom(condition, each);
            (by_data || seldom == Some(true) || idles(scop, then, each, inside, tested))
                && (seldom == Some(false) || idles(scop, otherwise, each, inside, tested))
        }
        Node::GoesOn { .. } => true,
        Node::Copies(_) => false,
        node => {
            let children: Vec<Node> = node.children().cloned().collect();
            idles(scop, &children, each, inside, tested)
        }
    })
}

/// Which value a condition has in a few of a loop's iterations only.
fn seldom(condition: &Index, each: &Loop) -> Option<bool> {
    let Index::Compare(comparison, a, b) = condition else {
        return None;
    };
    // What is at most zero where the condition holds.
    let one = Index::Int(1);
    let difference = match comparison {
        Comparison::Equal => return condition.mentions(&each.var).then_some(true),
        Comparison::LessEqual => a.minus(b),
        Comparison::Less => a.minus(b).plus(&one),
        Comparison::GreaterEqual => b.minus(a),
        Comparison::Greater => b.minus(a).plus(&one),
    };
    let slope = difference.coefficient(&each.var)?;
    let rest = difference.minus(&Index::var(&each.var).times(slope));
    let (holds, fails) = match slope {
        1 => (
            rest.plus(&each.lower).times(-1).plus(&one),
            each.upper.plus(&rest),
        ),
        -1 => (each.upper.minus(&rest).plus(&one), rest.minus(&each.lower)),
        _ => return None,
    };
    let few = |count: &Index| matches!(count, Index::Int(count) if *count <= FEW_IN_VAIN);
    match (few(&holds), few(&fails)) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    }
}

//! Loops as they were written that lose choices: `a[x < 0 ? 0 : x]` is `a[x]` in the middle of a row,
//! once what lies at its ends is apart ([`crate::codegen::passes::index_sets`]). Compilers load what is
//! chosen number by number, and what is not as vectors, on one thread as on many.

use crate::codegen::kernel::{Index, Instance, Kernel, Loop, Node, PlaceIndex};
use crate::plan::defaults;

/// Whether some loop of a kernel has no choice in it where what is executed beside it has.
pub(super) fn are_apart(kernel: &Kernel) -> bool {
    are_apart_in(&kernel.body)
}

fn are_apart_in(nodes: &[Node]) -> bool {
    let mut middles: Vec<&Loop> = Vec::new();
    let mut beside: Vec<&Instance> = Vec::new();
    for node in nodes {
        match node {
            // The ends have few iterations.
            Node::For(each) if is_long(each) && !each.body.iter().any(Node::has_loop) => {
                middles.push(each);
            }
            _ => node.instances(&mut |instance| beside.push(instance)),
        }
    }
    let loses = |each: &&Loop| {
        let mut inside: Vec<&Instance> = Vec::new();
        for node in &each.body {
            node.instances(&mut |instance| inside.push(instance));
        }
        let free = inside.iter().all(|own| chosen(own, Some(&each.var)) == 0);
        free && inside.iter().any(|own| {
            let mut ends = beside.iter().filter(|end| end.statement == own.statement);
            ends.any(|end| chosen(end, None) > chosen(own, None))
        })
    };
    let below = |node: &Node| match node {
        Node::If {
            then, otherwise, ..
        } => are_apart_in(then) || are_apart_in(otherwise),
        Node::Statement(_) | Node::GoesOn { .. } => false,
        Node::For(Loop { body, .. })
        | Node::Scope { body, .. }
        | Node::Block { body, .. }
        | Node::Allocate { body, .. } => are_apart_in(body),
        Node::Copies(copies) => copies.iter().any(|copy| are_apart_in(copy)),
    };
    middles.iter().any(loses) || nodes.iter().any(below)
}

fn is_long(each: &Loop) -> bool {
    let iterations = each.iterations();
    iterations.is_none_or(|all| all > defaults::SHORT_LOOP)
        && each.most().is_none_or(|all| all > defaults::SHORT_LOOP)
}

/// How many of the indices of an instance's places are chosen; those that name a variable, if one is
/// given.
fn chosen(instance: &Instance, var: Option<&str>) -> usize {
    let is_chosen = |index: &Index| {
        let mut found = false;
        index.walk(&mut |part| {
            let choice = matches!(part, Index::Min(_) | Index::Max(_) | Index::Select(..));
            found |= choice && var.is_none_or(|var| names(part, var));
        });
        found
    };
    let indices = instance.accesses.iter().flat_map(|place| &place.indices);
    let chosen = indices.filter(|index| match index {
        PlaceIndex::Affine(index) => is_chosen(index),
        PlaceIndex::Data { .. } => false,
    });
    chosen.count()
}

fn names(index: &Index, var: &str) -> bool {
    let mut found = false;
    index.walk(&mut |part| found |= matches!(part, Index::Var(name) if name == var));
    found
}

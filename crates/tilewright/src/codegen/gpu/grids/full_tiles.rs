//! Full tiles apart from partial ones: loops of points without a minimum or maximum in their bounds,
//! behind a test that is the same for all threads of the block, as PPCG has them.
//!
//! A loop `for (p = max(a, l); p <= min(u, n - 1); p++)` whose `l` and `u` are a constant apart
//! executes all of `l ..= u` where `a <= l` and `u <= n - 1`. The conditions of all loops of a nest
//! together are the test:
//!
//! ```text
//! for (t …)                          for (t …)
//!   for (p in tile, p < n)      →      if (the tile ends before n)
//!     S(p)                               for (p in tile) S(p)
//!                                      else
//!                                        for (p in tile, p < n) S(p)
//! ```
//!
//! It stands as far inside as the variables that it mentions, and never inside a loop that threads
//! share: there it would differ between them. What loops execute is the same, so that nothing else of
//! a block changes.

use crate::codegen::gpu::program::{BlockNode, Piece};
use crate::codegen::kernel::{Comparison, Index, Loop, Node};
use std::collections::BTreeSet;

/// Separates full tiles in all pieces of a block.
pub(crate) fn separate(nodes: &mut [BlockNode]) {
    for node in nodes {
        match node {
            BlockNode::For { body, .. } => separate(body),
            BlockNode::If {
                then, otherwise, ..
            } => {
                separate(then);
                separate(otherwise);
            }
            BlockNode::Piece(Piece { dealt, body, .. }) if !dealt.is_empty() => {
                let shared: BTreeSet<&str> = dealt.iter().map(|dealt| &dealt.var[..]).collect();
                let nodes = std::mem::take(body);
                *body = nodes.into_iter().map(|node| below(node, &shared)).collect();
            }
            BlockNode::Piece(_) | BlockNode::Barrier => {}
        }
    }
}

/// Works on one node of a piece, whose loops over `shared` threads share.
fn below(node: Node, shared: &BTreeSet<&str>) -> Node {
    let inside = |node: Node| {
        node.map_children(&|nodes| nodes.into_iter().map(|node| below(node, shared)).collect())
    };
    let Node::For(each) = &node else {
        return inside(node);
    };
    let mut own = BTreeSet::new();
    variables(&node, &mut own);
    let mut tests = Vec::new();
    conditions(&node, &mut tests);
    let waits_for = |test: &&Index| own.iter().any(|var| test.mentions(var));
    let (later, now): (Vec<&Index>, Vec<&Index>) = tests.iter().partition(waits_for);
    // What can be tested inside only, and not between threads.
    let is_uniform = |test: &&&Index| !shared.iter().any(|var| test.mentions(var));
    if later.iter().any(|test| is_uniform(&test)) && !shared.contains(&each.var[..]) {
        return inside(node);
    }
    let mut together: Vec<Index> = Vec::new();
    for test in now {
        if !together.contains(test) {
            together.push(test.clone());
        }
    }
    let full = full_below(node.clone(), &own);
    let condition = match together.len() {
        0 => return node,
        1 => together.swap_remove(0),
        _ => Index::All(together),
    };
    Node::If {
        condition,
        then: vec![full],
        otherwise: vec![node],
    }
}

/// The tests of all loops at and below a node.
fn conditions(node: &Node, all: &mut Vec<Index>) {
    if let Node::For(each) = node {
        all.extend(full(each).map(|full| full.tests).unwrap_or_default());
    }
    node.children().for_each(|child| conditions(child, all));
}

/// The node with the bounds of full tiles where their tests mention none of its own loops.
fn full_below(node: Node, own: &BTreeSet<String>) -> Node {
    let node = match node {
        Node::For(each) => {
            let known = |full: &Full| {
                let outside = |test: &Index| !own.iter().any(|var| test.mentions(var));
                full.tests.iter().all(outside)
            };
            match full(&each).filter(known) {
                Some(full) => Node::For(Loop {
                    lower: full.lower,
                    upper: full.upper,
                    ..each
                }),
                None => Node::For(each),
            }
        }
        node => node,
    };
    node.map_children(&|nodes| nodes.into_iter().map(|n| full_below(n, own)).collect())
}

/// The bounds that a loop has in full tiles, a constant apart, and when it has them.
struct Full {
    lower: Index,
    upper: Index,
    tests: Vec<Index>,
}

/// `None` where no bounds are a constant apart, or nothing else bounds the loop.
fn full(each: &Loop) -> Option<Full> {
    if each.lower.is_data() || each.upper.is_data() {
        return None;
    }
    let lowers = match &each.lower {
        Index::Max(all) => all.as_slice(),
        one => std::slice::from_ref(one),
    };
    let uppers = match &each.upper {
        Index::Min(all) => all.as_slice(),
        one => std::slice::from_ref(one),
    };
    let mut best: Option<(i64, usize, usize)> = None;
    for (l, lower) in lowers.iter().enumerate() {
        for (u, upper) in uppers.iter().enumerate() {
            if let Some(extent) = upper.distance(lower).filter(|&extent| extent >= 0) {
                if best.is_none_or(|(least, ..)| extent < least) {
                    best = Some((extent, l, u));
                }
            }
        }
    }
    let (_, l, u) = best?;
    let at_least_zero = |index: Index| index.compared_with_zero(Comparison::GreaterEqual);
    let mut tests = Vec::new();
    for (_, lower) in lowers.iter().enumerate().filter(|(other, _)| *other != l) {
        tests.push(at_least_zero(lowers[l].minus(lower)));
    }
    for (_, upper) in uppers.iter().enumerate().filter(|(other, _)| *other != u) {
        tests.push(at_least_zero(upper.minus(&uppers[u])));
    }
    (!tests.is_empty()).then(|| Full {
        lower: lowers[l].clone(),
        upper: uppers[u].clone(),
        tests,
    })
}

fn variables(node: &Node, all: &mut BTreeSet<String>) {
    if let Node::For(each) = node {
        all.insert(each.var.clone());
    }
    node.children().for_each(|child| variables(child, all));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codegen::gpu::program::{Axis, Dealt};

    fn var(name: &str) -> Index {
        Index::var(name)
    }

    fn each(name: &str, lower: Index, upper: Index, body: Vec<Node>) -> Loop {
        Loop::sequential(name.to_owned(), [lower, upper], 1, body)
    }

    /// `32 t ..= min(32 t + 31, n)`, with a body.
    fn tile(name: &str, t: &str, n: usize, body: Vec<Node>) -> Loop {
        let first = var(t).times(32);
        let last = first.plus(&Index::Int(31));
        let upper = Index::min_of(vec![last, Index::Param(n)]);
        each(name, first, upper, body)
    }

    fn piece(node: Node, shared: &[&str]) -> Vec<BlockNode> {
        let dealt = |name: &&str| Dealt {
            var: (*name).to_owned(),
            axis: Axis::All,
            lower: Index::Int(0),
            step: 1,
        };
        vec![BlockNode::Piece(Piece {
            dealt: shared.iter().map(dealt).collect(),
            body: vec![node],
            touched: Vec::new(),
        })]
    }

    fn separated(node: Node, shared: &[&str]) -> Node {
        let mut nodes = piece(node, shared);
        separate(&mut nodes);
        match nodes.swap_remove(0) {
            BlockNode::Piece(mut piece) => piece.body.swap_remove(0),
            _ => panic!("a piece stays a piece"),
        }
    }

    /// How many loops have bounds a constant apart in each branch, from the first guard on.
    fn constant(node: &Node) -> (usize, usize) {
        fn count(node: &Node) -> usize {
            let own = matches!(node, Node::For(each) if each.iterations().is_some());
            usize::from(own) + node.children().map(count).sum::<usize>()
        }
        match node {
            Node::If {
                then, otherwise, ..
            } => (
                then.iter().map(count).sum(),
                otherwise.iter().map(count).sum(),
            ),
            _ => node.children().map(constant).next().unwrap_or_default(),
        }
    }

    #[test]
    fn one_test_for_a_nest() {
        let inner = tile("p1", "t1", 1, Vec::new());
        let nest = Node::For(tile("p0", "t0", 0, vec![Node::For(inner)]));
        let out = separated(nest.clone(), &["p0", "p1"]);
        assert_eq!(constant(&out), (2, 0));
        let Node::If {
            condition,
            otherwise,
            ..
        } = &out
        else {
            panic!("a guard around the nest: {out:?}");
        };
        assert_eq!(otherwise, &[nest]);
        // 32 t0 + 31 <= n and 32 t1 + 31 <= m, and nothing else.
        let holds = |t0: i64, t1: i64| {
            let at = condition.with("t0", &Index::Int(t0));
            let mut most = [i64::MAX; 2];
            at.with("t1", &Index::Int(t1)).walk(&mut |part| {
                if let Index::Compare(Comparison::GreaterEqual, a, b) = part {
                    let (Index::Param(n), Index::Int(b)) = (&**a, &**b) else {
                        panic!("a parameter against a number: {part:?}");
                    };
                    most[*n] = *b;
                }
            });
            most
        };
        assert_eq!(holds(0, 2), [31, 95]);
    }

    #[test]
    fn the_test_stands_where_its_variables_are() {
        // Each thread goes through the tiles along k, whose points are its own.
        let k = tile("k", "tk", 2, Vec::new());
        let i = tile("i", "ti", 0, vec![Node::For(k)]);
        let tiles = each("tk", Index::Int(0), Index::Param(3), vec![Node::For(i)]);
        let out = separated(Node::For(tiles), &["i"]);
        let Node::For(tiles) = &out else {
            panic!("no guard around the loop over tiles: {out:?}");
        };
        assert!(matches!(tiles.body[..], [Node::If { .. }]));
        assert_eq!(constant(&out), (2, 0));
    }

    #[test]
    fn threads_do_not_test_for_themselves() {
        // A triangle: the inner bound is another one for every thread.
        let first = var("t").times(32);
        let last = first.plus(&Index::Int(31));
        let upper = Index::min_of(vec![last, var("p0")]);
        let inner = each("p1", first, upper, Vec::new());
        let alone = Node::For(each(
            "p0",
            Index::Int(0),
            Index::Param(0),
            vec![Node::For(inner)],
        ));
        assert_eq!(separated(alone.clone(), &["p0"]), alone);
        let Node::For(nest) = alone else {
            panic!("a loop");
        };
        let both = Node::For(tile("p0", "t", 0, nest.body));
        let out = separated(both, &["p0"]);
        assert_eq!(constant(&out), (1, 0), "{out:?}");
    }

    #[test]
    fn work_of_one_thread_stays_short() {
        let nest = Node::For(tile("p0", "t0", 0, Vec::new()));
        assert_eq!(separated(nest.clone(), &[]), nest);
    }
}

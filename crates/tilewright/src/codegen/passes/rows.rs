//! Iterations of a parallel loop side by side in the sequential loops in it.
//!
//! ```text
//! for i in lo..=hi                 for i in lo..=hi, step 4
//!   scope s                          if (i + 3 <= hi)
//!     s = 0                            scope s[4]
//!     for j                              s[0] = 0; …
//!       s += a[i][j]          →          for j { s[0] += a[i][j]; s[1] += a[i + 1][j]; … }
//!     b[i] = s                           b[i] = s[0]; …
//!                                    else
//!                                      for i_rest in i..=hi
//!                                        scope s[4]
//!                                          s[0] = 0; …
//! ```
//!
//! The loop is parallel, so its iterations run in any order; local buffers of one iteration get a
//! dimension for which one it is. Loops that run as vector lanes, or whose bounds depend on the
//! iteration, stand one after another, as conditions do.

use crate::codegen::kernel::{Comparison, Index, Instance, Kernel, Loop, Node, PlaceIndex};
use crate::codegen::terms::index::compare;
use crate::codegen::terms::substitute::with;
use crate::mistakes::mistake;
use crate::transform::BufferId;
use std::collections::BTreeSet;

/// Writes out the loops that have [`Loop::rows`] iterations inside the loops in them.
pub(crate) fn side_by_side(kernel: Kernel) -> Kernel {
    let mut rows = Rows {
        scopes: BTreeSet::new(),
        factor: 1,
    };
    rows.of(&kernel.body);
    if rows.factor <= 1 {
        return kernel;
    }
    let mut buffers = kernel.buffers;
    let mut own = BTreeSet::new();
    for buffer in &mut buffers {
        if rows.scopes.contains(&buffer.scope) {
            buffer.extents.insert(0, rows.factor);
            own.insert(buffer.buffer);
        }
    }
    let body = kernel.body.into_iter();
    Kernel {
        body: body.map(|node| written_out(node, &own)).collect(),
        buffers,
        ..kernel
    }
}

/// What the loops have in them.
struct Rows {
    /// Scopes.
    scopes: BTreeSet<usize>,
    /// The largest number of iterations side by side.
    factor: i64,
}

impl Rows {
    fn of(&mut self, nodes: &[Node]) {
        for node in nodes {
            match node {
                Node::For(each) if is_marked(each) => {
                    self.factor = self.factor.max(each.rows);
                    self.inside(&each.body);
                }
                other => other
                    .children()
                    .for_each(|child| self.of(std::slice::from_ref(child))),
            }
        }
    }

    fn inside(&mut self, nodes: &[Node]) {
        for node in nodes {
            if let Node::Scope { scope, .. } = node {
                self.scopes.insert(*scope);
            }
            node.children()
                .for_each(|child| self.inside(std::slice::from_ref(child)));
        }
    }
}

/// Whether iterations of a loop are to run side by side, and there is where.
fn is_marked(each: &Loop) -> bool {
    fn has_place(nodes: &[Node], var: &str) -> bool {
        nodes.iter().any(|node| match node {
            Node::For(inner) => runs_side_by_side(inner, var),
            Node::Scope { body, .. } => has_place(body, var),
            _ => false,
        })
    }
    each.rows > 1 && each.step == 1 && has_place(&each.body, &each.var)
}

fn written_out(node: Node, own: &BTreeSet<BufferId>) -> Node {
    match node {
        Node::For(each) if is_marked(&each) => in_steps(each, own),
        other => {
            let other = numbered(other, own, 0);
            other.map_children(&|nodes| {
                let nodes = nodes.into_iter();
                nodes.map(|node| written_out(node, own)).collect()
            })
        }
    }
}

/// The loop in steps of several iterations.
fn in_steps(each: Loop, own: &BTreeSet<BufferId>) -> Node {
    let count = each.rows;
    let last = Index::var(&each.var).plus(&Index::Int(count - 1 - i64::from(mistake!(RowsBeyond))));
    let together = jammed(&each.body, &each.var, count, own);
    let body = match each.iterations() {
        Some(iterations) if iterations % count == 0 => together,
        _ => {
            let var = format!("{}_rest", each.var);
            let value = Index::var(&var);
            let bounds = [Index::var(&each.var), each.upper.clone()];
            let rest = each.body.iter().map(|node| {
                let node = deeply_numbered(node.clone(), own, 0);
                with(&node, &each.var, &value)
            });
            let rest = Loop::sequential(var, bounds, 1, rest.collect());
            vec![Node::If {
                condition: compare(Comparison::GreaterEqual, each.upper.clone(), last),
                then: together,
                otherwise: vec![Node::For(rest)],
            }]
        }
    };
    Node::For(Loop {
        step: count,
        rows: 1,
        body,
        ..each
    })
}

/// So many iterations of what is in a loop, in the loops in it side by side.
fn jammed(nodes: &[Node], var: &str, count: i64, own: &BTreeSet<BufferId>) -> Vec<Node> {
    let mut all = Vec::new();
    for node in nodes {
        match node {
            Node::For(each) if runs_side_by_side(each, var) => all.push(Node::For(Loop {
                body: jammed(&each.body, var, count, own),
                ..each.clone()
            })),
            Node::Scope { scope, body } => all.push(Node::Scope {
                scope: *scope,
                body: jammed(body, var, count, own),
            }),
            other => all.extend((0..count).map(|number| {
                let value = Index::var(var).plus(&Index::Int(number));
                with(&deeply_numbered(other.clone(), own, number), var, &value)
            })),
        }
    }
    all
}

fn runs_side_by_side(each: &Loop, var: &str) -> bool {
    let depends = each.lower.mentions(var) || each.upper.mentions(var);
    !each.simd
        && !each.parallel
        && !each.dynamic.ends_early
        && each.dynamic.fixed.is_none()
        && !depends
}

/// All that is at or below a node with the number of the iteration in local buffers.
fn deeply_numbered(node: Node, own: &BTreeSet<BufferId>, number: i64) -> Node {
    numbered(node, own, number).map_children(&|nodes| {
        let nodes = nodes.into_iter();
        nodes
            .map(|node| deeply_numbered(node, own, number))
            .collect()
    })
}

fn numbered(node: Node, own: &BTreeSet<BufferId>, number: i64) -> Node {
    let Node::Statement(instance) = node else {
        return node;
    };
    let mut accesses = instance.accesses;
    for place in accesses
        .iter_mut()
        .filter(|place| own.contains(&place.buffer))
    {
        let index = PlaceIndex::Affine(Index::Int(number));
        place.indices.insert(0, index);
    }
    Node::Statement(Instance {
        accesses,
        ..instance
    })
}

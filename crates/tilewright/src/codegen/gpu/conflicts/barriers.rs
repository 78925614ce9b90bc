//! Barriers: where, and only where, a thread goes to a cell that another one went to since the last
//! one, and one of the two writes it.
//!
//! Going through a block's nodes in order, what threads touched since the last barrier is kept.
//! Bodies of loops are gone through twice: the second time with what an iteration leaves to the
//! next one, of which the loop's variable has another value. Bounds and conditions that are data
//! are read by all threads, until the last of them has left the loop or the guard. A loop that ends
//! early has a barrier of its own at the end of each iteration, where threads vote. A barrier for
//! what is in front of a guard stands there, too, and in the end no barrier is under a guard:
//! compilers that execute threads one after another copy what follows such a barrier, and PoCL 3.1
//! gets it wrong in loops.

use crate::codegen::gpu::conflicts::data::{everybody, read_by};
use crate::codegen::gpu::conflicts::ranges::{Range, never_meet, ranges};
use crate::codegen::gpu::conflicts::ties::{Meeting, meeting_later};
use crate::codegen::gpu::grids::block::same_memory;
use crate::codegen::gpu::program::{BlockNode, Dealt, Piece, Touched};
use crate::codegen::kernel::{Index, LocalBuffer, Node};
use std::collections::BTreeSet;

/// The nodes with barriers between them.
pub(crate) fn with_barriers(buffers: &[LocalBuffer], nodes: Vec<BlockNode>) -> Vec<BlockNode> {
    let pass = Pass { buffers };
    let mut open = Vec::new();
    unguarded(pass.nodes(nodes, &mut open))
}

/// The same with no barrier under a guard: `if (c) { P; barrier; Q }` becomes
/// `if (c) P; barrier; if (c) Q`, and a loop with barriers gets the guard into its bound.
/// Conditions mention nothing that changes, and loops no more iterations than they had.
fn unguarded(nodes: Vec<BlockNode>) -> Vec<BlockNode> {
    let mut all = Vec::new();
    for node in nodes {
        match node {
            BlockNode::For {
                var,
                lower,
                upper,
                step,
                ends_early,
                body,
            } => all.push(BlockNode::For {
                var,
                lower,
                upper,
                step,
                ends_early,
                body: unguarded(body),
            }),
            BlockNode::If {
                condition,
                then,
                otherwise,
            } => {
                let (then, otherwise) = (unguarded(then), unguarded(otherwise));
                if !then.iter().chain(&otherwise).any(waits) {
                    all.push(BlockNode::If {
                        condition,
                        then,
                        otherwise,
                    });
                    continue;
                }
                spread(&condition, then, true, &mut all);
                spread(&condition, otherwise, false, &mut all);
            }
            node => all.push(node),
        }
    }
    all
}

/// One branch of a guard, node by node.
fn spread(condition: &Index, branch: Vec<BlockNode>, wanted: bool, all: &mut Vec<BlockNode>) {
    let guarded = |nodes: Vec<BlockNode>| {
        if wanted {
            (nodes, Vec::new())
        } else {
            (Vec::new(), nodes)
        }
    };
    let mut together = Vec::new();
    let flush = |together: &mut Vec<BlockNode>, all: &mut Vec<BlockNode>| {
        if !together.is_empty() {
            let (then, otherwise) = guarded(std::mem::take(together));
            all.push(BlockNode::If {
                condition: condition.clone(),
                then,
                otherwise,
            });
        }
    };
    for node in branch {
        if !waits(&node) {
            together.push(node);
            continue;
        }
        flush(&mut together, all);
        all.push(match node {
            BlockNode::For {
                var,
                lower,
                upper,
                step,
                ends_early,
                body,
            } => {
                let none = lower.plus(&Index::Int(-1));
                let (yes, no) = if wanted { (upper, none) } else { (none, upper) };
                let upper = Index::Select(Box::new(condition.clone()), Box::new(yes), Box::new(no));
                BlockNode::For {
                    var,
                    lower,
                    upper,
                    step,
                    ends_early,
                    body,
                }
            }
            node => node,
        });
    }
    flush(&mut together, all);
}

/// Whether there is a barrier at or below.
fn waits(node: &BlockNode) -> bool {
    match node {
        BlockNode::Barrier => true,
        BlockNode::For {
            ends_early, body, ..
        } => *ends_early || body.iter().any(waits),
        BlockNode::If {
            then, otherwise, ..
        } => then.iter().chain(otherwise).any(waits),
        BlockNode::Piece(_) => false,
    }
}

/// An access since the last barrier.
#[derive(Clone, PartialEq)]
struct Open {
    touched: Touched,
    /// The ranges of its subscripts.
    ranges: Vec<Option<Range>>,
    /// Who was there.
    dealt: Vec<Dealt>,
    /// Loop variables that have, or may have, other values now.
    varying: BTreeSet<String>,
    /// Those of them that are greater now.
    advanced: BTreeSet<String>,
}

struct Pass<'a> {
    buffers: &'a [LocalBuffer],
}

impl Pass<'_> {
    fn nodes(&self, nodes: Vec<BlockNode>, open: &mut Vec<Open>) -> Vec<BlockNode> {
        let mut all = Vec::new();
        for node in nodes {
            match node {
                BlockNode::Barrier => {
                    open.clear();
                    all.push(BlockNode::Barrier);
                }
                BlockNode::Piece(piece) => {
                    if open.iter().any(|before| self.must_wait(before, &piece)) {
                        open.clear();
                        all.push(BlockNode::Barrier);
                    }
                    leave(&piece, open);
                    all.push(BlockNode::Piece(piece));
                }
                BlockNode::If {
                    condition,
                    then,
                    otherwise,
                } => {
                    let tested = piece_that_reads(&[&condition]);
                    let waits = |nodes| self.any_must_wait(nodes, open);
                    let early = open.iter().any(|before| self.must_wait(before, &tested));
                    if early || waits(&then) || waits(&otherwise) {
                        open.clear();
                        all.push(BlockNode::Barrier);
                    }
                    leave(&tested, open);
                    let mut other = open.clone();
                    let then = self.nodes(then, open);
                    let otherwise = self.nodes(otherwise, &mut other);
                    join(open, other);
                    // It may be tested again, behind a barrier.
                    leave(&tested, open);
                    all.push(BlockNode::If {
                        condition,
                        then,
                        otherwise,
                    });
                }
                BlockNode::For {
                    var,
                    lower,
                    upper,
                    step,
                    ends_early,
                    body,
                } => {
                    let bounds = piece_that_reads(&[&lower, &upper]);
                    // What its first iteration waits for, others need not wait for again where
                    // threads meet at the end of each.
                    let early = ends_early && self.any_must_wait(&body, open);
                    if early || open.iter().any(|before| self.must_wait(before, &bounds)) {
                        open.clear();
                        all.push(BlockNode::Barrier);
                    }
                    leave(&bounds, open);
                    let before = open.clone();
                    let body = self.nodes(body, open);
                    // All threads have met at the end of the iteration.
                    if ends_early {
                        open.clear();
                    }
                    leave(&bounds, open);
                    next_iteration(open, &var);
                    join(open, before.clone());
                    let body = self.nodes(body, open);
                    if ends_early {
                        open.clear();
                    }
                    outdate(open, &var);
                    leave(&bounds, open);
                    // The loop may have no iteration.
                    join(open, before);
                    all.push(BlockNode::For {
                        var,
                        lower,
                        upper,
                        step,
                        ends_early,
                        body,
                    });
                }
            }
        }
        all
    }

    /// Whether a piece at or below waits for something before all of them.
    fn any_must_wait(&self, nodes: &[BlockNode], open: &[Open]) -> bool {
        nodes.iter().any(|node| match node {
            BlockNode::Piece(piece) => open.iter().any(|before| self.must_wait(before, piece)),
            BlockNode::For {
                lower, upper, body, ..
            } => {
                let bounds = piece_that_reads(&[lower, upper]);
                open.iter().any(|before| self.must_wait(before, &bounds))
                    || self.any_must_wait(body, open)
            }
            BlockNode::If {
                condition,
                then,
                otherwise,
            } => {
                let tested = piece_that_reads(&[condition]);
                open.iter().any(|before| self.must_wait(before, &tested))
                    || self.any_must_wait(then, open)
                    || self.any_must_wait(otherwise, open)
            }
            BlockNode::Barrier => false,
        })
    }

    fn must_wait(&self, before: &Open, piece: &Piece) -> bool {
        let mut varying = before.varying.clone();
        piece
            .body
            .iter()
            .for_each(|node| variables(node, &mut varying));
        piece.touched.iter().any(|now| {
            if !(now.written || before.touched.written) {
                return false;
            }
            let (a, b) = (&before.touched.place, &now.place);
            if same_memory(self.buffers, a.buffer, b.buffer) {
                return !(before.dealt.is_empty() && piece.dealt.is_empty());
            }
            if a.buffer != b.buffer {
                return false;
            }
            match meeting_later(a, b, &varying, &before.advanced) {
                Meeting::Never => false,
                Meeting::Where(tied) => {
                    !same_thread(before, piece, &tied, &varying)
                        && !never_meet(&before.ranges, &ranges(now, &piece.body), &varying)
                }
            }
        })
    }
}

/// Bounds or conditions as work of every thread.
fn piece_that_reads(bounds: &[&Index]) -> Piece {
    Piece {
        dealt: everybody(),
        body: Vec::new(),
        touched: bounds.iter().flat_map(|index| read_by(index)).collect(),
    }
}

/// Whether one thread executes both, given which variables have equal values.
fn same_thread(
    before: &Open,
    piece: &Piece,
    tied: &BTreeSet<String>,
    varying: &BTreeSet<String>,
) -> bool {
    let known = |dealt: &Dealt| {
        let other = |var: &String| !tied.contains(var) && dealt.lower.mentions(var);
        tied.contains(&dealt.var) && !varying.iter().any(other)
    };
    before.dealt == piece.dealt && piece.dealt.iter().all(known)
}

/// Notes what a piece touches.
fn leave(piece: &Piece, open: &mut Vec<Open>) {
    let mut varying = BTreeSet::new();
    piece
        .body
        .iter()
        .for_each(|node| variables(node, &mut varying));
    for touched in &piece.touched {
        let new = Open {
            ranges: ranges(touched, &piece.body),
            touched: touched.clone(),
            dealt: piece.dealt.clone(),
            varying: varying.clone(),
            advanced: BTreeSet::new(),
        };
        if !open.contains(&new) {
            open.push(new);
        }
    }
}

/// What an iteration of a loop leaves to the next one. What one of a loop around it left has
/// another value of the variable already, and may have had any.
fn next_iteration(open: &mut [Open], var: &str) {
    for one in open {
        if one.varying.insert(var.to_owned()) {
            one.advanced.insert(var.to_owned());
        }
    }
}

/// What is behind a loop has nothing to do with its variable.
fn outdate(open: &mut [Open], var: &str) {
    for one in open {
        one.varying.insert(var.to_owned());
        one.advanced.remove(var);
    }
}

fn join(open: &mut Vec<Open>, others: Vec<Open>) {
    for other in others {
        if !open.contains(&other) {
            open.push(other);
        }
    }
}

fn variables(node: &Node, all: &mut BTreeSet<String>) {
    if let Node::For(each) = node {
        all.insert(each.var.clone());
    }
    node.children().for_each(|child| variables(child, all));
}

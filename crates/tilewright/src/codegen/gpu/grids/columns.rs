//! Points in a column for each thread: unroll-and-jam of the loop along y inside the one along x
//! (Callahan, Cocke & Kennedy, *Estimating interlock and improving balance for pipelined
//! architectures*, 1988).
//!
//! ```text
//! for (i…) by threads along y          for (i… by 4) by threads along y
//!   for (j…) by threads along x    →     for (j…) by threads along x
//!     S(i, j)                              S(i, j) S(i + 1, j) S(i + 2, j) S(i + 3, j)
//! ```
//!
//! Points below each other read some of the same cells, which a thread loads once for all of them:
//! the printer has their values before what is stored ([`Node::Copies`]). Neighbouring threads stay
//! neighbours in memory. That is done where it saves a fifth of the loads, those of threads without
//! a point counted in, as a block has fewer rows to distribute. Where a thread has one point else, it
//! saves most of what a thread begins with, too.
//!
//! Points of loops that threads share do not meet, so that their order is free. The last column may
//! be shorter: its points are tested one by one.

use crate::codegen::gpu::grids::block::Builder;
use crate::codegen::gpu::program::{Axis, BlockNode, Piece};
use crate::codegen::kernel::{Comparison, Index, Loop, Node, Place};
use crate::codegen::terms::substitute::all_with;
use crate::plan::defaults::{COLUMN_HEIGHTS, COLUMN_LOADS, COLUMN_START, COLUMN_STATEMENTS};
use crate::scop::{AccessKind, Scop};

/// Gives threads columns in all pieces of a block with so many threads along y.
pub(crate) fn in_columns(builder: &Builder<'_>, nodes: &mut [BlockNode], y: i64) {
    for node in nodes {
        match node {
            BlockNode::For { body, .. } => in_columns(builder, body, y),
            BlockNode::If {
                then, otherwise, ..
            } => {
                in_columns(builder, then, y);
                in_columns(builder, otherwise, y);
            }
            BlockNode::Piece(piece) => in_piece(builder, piece, y),
            BlockNode::Barrier => {}
        }
    }
}

fn in_piece(builder: &Builder<'_>, piece: &mut Piece, y: i64) {
    let along = |axis: Axis| piece.dealt.iter().position(|dealt| dealt.axis == axis);
    let (Some(row), Some(column)) = (along(Axis::Y), along(Axis::X)) else {
        return;
    };
    let names = [row, column].map(|at| piece.dealt[at].var.clone());
    let mut nests = Vec::new();
    if !nests_of(&piece.body, &names, &mut nests) {
        return;
    }
    let heights = nests
        .iter()
        .map(|(outer, inner)| height(builder.scop, outer, inner, Some(y)));
    // All branches of a piece have the same threads.
    let Some(height) = heights.min().filter(|&height| height > 1) else {
        return;
    };
    give(builder, piece, height);
}

/// Gives the threads of a piece columns of this height. Its loop along y has the one along x in it.
pub(crate) fn give(builder: &Builder<'_>, piece: &mut Piece, height: i64) {
    let Some(row) = piece.dealt.iter_mut().find(|dealt| dealt.axis == Axis::Y) else {
        return;
    };
    row.step *= height;
    let body = std::mem::take(&mut piece.body).into_iter();
    piece.body = body.map(|node| put(node, &row.var, height)).collect();
    piece.touched = builder.touched(&piece.body, &mut Vec::new());
}

/// The loops along y with the one along x in each; false where one of them has another form.
fn nests_of<'n>(
    nodes: &'n [Node],
    names: &[String; 2],
    all: &mut Vec<(&'n Loop, &'n Loop)>,
) -> bool {
    nodes.iter().all(|node| match node {
        Node::For(outer) if outer.var == names[0] => match &outer.body[..] {
            [Node::For(inner)] if inner.var == names[1] => {
                all.push((outer, inner));
                true
            }
            _ => false,
        },
        Node::For(_) | Node::If { .. } => {
            let children: Vec<&Node> = node.children().collect();
            children
                .iter()
                .all(|child| nests_of(std::slice::from_ref(child), names, all))
        }
        _ => false,
    })
}

/// How many points below each other a thread is to compute, of two loops directly inside each other;
/// `threads`: those along y, where the loop's iterations are all that a block has of them.
pub(crate) fn height(scop: &Scop, outer: &Loop, inner: &Loop, threads: Option<i64>) -> i64 {
    let plain = |each: &Loop| {
        let data = each.lower.is_data() || each.upper.is_data();
        each.step == 1 && !data && each.dynamic.fixed.is_none() && !each.dynamic.ends_early
    };
    let bounds_depend = inner.lower.mentions(&outer.var) || inner.upper.mentions(&outer.var);
    if !plain(outer) || !plain(inner) || bounds_depend {
        return 1;
    }
    let mut statements = 0;
    if !inner
        .body
        .iter()
        .all(|node| is_plain(node, &mut statements))
    {
        return 1;
    }
    // Turns of all threads along y, as rows.
    let rows = |height: i64| match threads.and_then(|y| Some((y, outer.most()?))) {
        Some((y, most)) => {
            let each = (y * height) as u64;
            (most.max(1) as u64).div_ceil(each) * each
        }
        None => 1,
    };
    // What a thread does once, whatever its points.
    let start = match threads {
        Some(_) => 0.0,
        None => COLUMN_START,
    };
    let cost = |height: i64| {
        let each = start + loads(scop, outer, inner, height) as f64;
        rows(height) as f64 * each / height as f64
    };
    let mut best = (1, COLUMN_LOADS * cost(1));
    for height in COLUMN_HEIGHTS {
        if statements * height > COLUMN_STATEMENTS {
            continue;
        }
        let now = cost(height);
        if now < best.1 {
            best = (height, now);
        }
    }
    best.0
}

/// Statements, guards and variables only; counts the statements.
fn is_plain(node: &Node, statements: &mut i64) -> bool {
    match node {
        Node::Statement(_) => {
            *statements += 1;
            true
        }
        Node::Block { body, .. } => body.iter().all(|node| is_plain(node, statements)),
        _ => false,
    }
}

/// Cells that so many points below each other read, each once.
fn loads(scop: &Scop, outer: &Loop, inner: &Loop, height: i64) -> usize {
    let mut all: Vec<Place> = Vec::new();
    for below in 0..height {
        let value = Index::var(&outer.var).plus(&Index::Int(below));
        for node in all_with(&inner.body, &outer.var, &value) {
            node.instances(&mut |instance| {
                let accesses = &scop.statements[instance.statement].accesses;
                for (place, access) in instance.accesses.iter().zip(accesses) {
                    let is_cell = access.kind == AccessKind::Read && !place.indices.is_empty();
                    if is_cell && !all.contains(place) {
                        all.push(place.clone());
                    }
                }
            });
        }
    }
    all.len()
}

/// The node with columns of this height in the loops over `row`.
fn put(node: Node, row: &str, height: i64) -> Node {
    match node {
        Node::For(outer) if outer.var == row => Node::For(column(outer, height)),
        node => node.map_children(&|nodes| {
            nodes
                .into_iter()
                .map(|node| put(node, row, height))
                .collect()
        }),
    }
}

fn column(outer: Loop, height: i64) -> Loop {
    let var = Index::var(&outer.var);
    let last = var.plus(&Index::Int(height - 1));
    // Bounds that columns end at need no test.
    let whole = |upper: &&Index| {
        let distance = upper.distance(&outer.lower);
        distance.is_none_or(|distance| (distance + 1) % height != 0)
    };
    let tests: Vec<Index> = outer.uppers().iter().filter(whole).cloned().collect();
    let reaches = |value: &Index| {
        let each = tests.iter().map(|upper| {
            let left = upper.minus(value);
            left.compared_with_zero(Comparison::GreaterEqual)
        });
        let mut each: Vec<Index> = each.collect();
        match each.len() {
            1 => each.swap_remove(0),
            _ => Index::All(each),
        }
    };
    let inside = |nodes: Vec<Node>| -> Vec<Node> {
        let copy = |below: i64| match below {
            0 => nodes.clone(),
            _ => all_with(&nodes, &outer.var, &var.plus(&Index::Int(below))),
        };
        let all = Node::Copies((0..height).map(copy).collect());
        if tests.is_empty() {
            return vec![all];
        }
        let mut some: Vec<Node> = Vec::new();
        for below in (0..height).rev() {
            let mut own = copy(below);
            own.append(&mut some);
            some = match below {
                0 => own,
                _ => vec![Node::If {
                    condition: reaches(&var.plus(&Index::Int(below))),
                    then: own,
                    otherwise: Vec::new(),
                }],
            };
        }
        vec![Node::If {
            condition: reaches(&last),
            then: vec![all],
            otherwise: some,
        }]
    };
    let body = outer.body.iter().cloned().map(|node| match node {
        Node::For(inner) => Node::For(Loop {
            body: inside(inner.body),
            ..inner
        }),
        node => node,
    });
    Loop {
        step: height,
        body: body.collect(),
        ..outer.clone()
    }
}

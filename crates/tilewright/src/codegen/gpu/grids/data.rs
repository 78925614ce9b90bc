//! Grids over loops whose bounds are data (Zhao, thesis 2018, section 5.5).
//!
//! The size of a grid is fixed when a kernel is launched. A parallel loop with data for bounds is a
//! grid over its static bounds ([`DynamicBounds::fixed`]), and blocks and threads for which the data says
//! that there is no iteration leave at once: the paper's `goto` behind the body, as a guard around
//! it. Where only a type bounds the loop, it is no grid, and one block executes it with the bounds
//! that it has.
//!
//! Nested parallelism (5.5.2, figures 5.5 and 5.6) combines the grid with dynamic loops inside it:
//!
//! ```text
//! for (i…) in parallel            blocks (i, jj, kk) up to the static bounds
//!   m = f(i); n = g(i);      →      m = f(i); n = g(i);
//!   for (j = 0; j < m; j++)         for (j in tile jj, j < m) by threads
//!     for (k = 0; k < n; k++)         for (k in tile kk, k < n) by threads
//!       S(i, j, k)                      S(i, j, k)
//! ```
//!
//! The definitions of the bounds are sunk: every block computes them for itself. That is only
//! done where all they write are variables that live in the block.

use crate::codegen::gpu::grids::block::Builder;
use crate::codegen::gpu::program::{Axis, GridLoop};
use crate::codegen::kernel::{Comparison, DynamicBounds, Index, Instance, Loop, Node};
use crate::codegen::passes::dynamic::restore::{is_far, operands};
use crate::scop::AccessKind;

/// A loop with a fixed number of iterations and a guard for the bounds that are data; `None` where
/// it is not parallel, or no static bound is known but that of a type.
pub(crate) fn fixed_size(each: &Loop) -> Option<Loop> {
    let (lower, upper) = each.dynamic.fixed.as_deref().filter(|_| each.parallel)?;
    if is_unbounded(lower) || is_unbounded(upper) {
        return None;
    }
    let var = || Box::new(Index::var(&each.var));
    let mut guards = Vec::new();
    if each.lower.is_data() {
        let own = Box::new(each.lower.clone());
        guards.push(Index::Compare(Comparison::GreaterEqual, var(), own));
    }
    if each.upper.is_data() {
        let own = Box::new(each.upper.clone());
        guards.push(Index::Compare(Comparison::LessEqual, var(), own));
    }
    let condition = match guards.len() {
        1 => guards.swap_remove(0),
        _ => Index::All(guards),
    };
    Some(Loop {
        lower: lower.clone(),
        upper: upper.clone(),
        dynamic: without_span(each),
        body: vec![Node::If {
            condition,
            then: each.body.clone(),
            otherwise: Vec::new(),
        }],
        ..each.clone()
    })
}

/// Of a loop whose new bounds do not depend on data.
fn without_span(each: &Loop) -> DynamicBounds {
    DynamicBounds {
        fixed: None,
        ..each.dynamic
    }
}

/// Whether a bound is only that of a type.
fn is_unbounded(bound: &Index) -> bool {
    operands(bound).iter().all(is_far)
}

/// A loop by chunks of some iterations, and the loop over one of them. The chunks cover the loop's
/// static bounds.
pub(crate) fn in_chunks(each: &Loop, size: i64) -> (GridLoop, Loop) {
    let var = format!("{}_chunk", each.var);
    let (lower, upper) = match each.dynamic.fixed.as_deref() {
        Some((lower, upper)) => (lower, upper),
        None => (&each.lower, &each.upper),
    };
    let chunk = GridLoop {
        var: var.clone(),
        lower: Index::Int(0),
        upper: upper.minus(lower).floor_div(size),
        step: 1,
    };
    let first = lower.plus(&Index::var(&var).times(size));
    let last = first.plus(&Index::Int(size - 1));
    let points = Loop {
        lower: if each.lower == *lower {
            first
        } else {
            Index::max_of(vec![each.lower.clone(), first])
        },
        upper: Index::min_of(vec![each.upper.clone(), last]),
        parallel: false,
        collapse: 1,
        simd: false,
        dynamic: without_span(each),
        ..each.clone()
    };
    (chunk, points)
}

/// Loops of a block that become part of the grid, and the block without them; `None` where there
/// are none with data for bounds.
pub(crate) fn sink(
    builder: &Builder<'_>,
    nodes: &[Node],
    threads: [i64; 2],
) -> Option<(Vec<GridLoop>, Vec<Node>)> {
    let (last, definitions) = nodes.split_last()?;
    let local = |node: &Node| match node {
        Node::Statement(instance) => writes_variables(builder, instance),
        _ => false,
    };
    if !definitions.iter().all(local) {
        return None;
    }
    let (grid, inside) = match last {
        Node::For(each) => {
            let mut grid = Vec::new();
            let inside = chunked(builder, each, threads, &mut grid)?;
            (grid, Node::For(inside))
        }
        Node::Scope { body, .. } | Node::Block { body, .. } => {
            let (grid, body) = sink(builder, body, threads)?;
            (grid, last.clone().map_children(&|_| body.clone()))
        }
        Node::If {
            condition,
            then,
            otherwise,
        } if otherwise.is_empty() => {
            let (grid, then) = sink(builder, then, threads)?;
            let inside = Node::If {
                condition: condition.clone(),
                then,
                otherwise: Vec::new(),
            };
            (grid, inside)
        }
        _ => return None,
    };
    let mut all = definitions.to_vec();
    all.push(inside);
    Some((grid, all))
}

/// Whether all that an instance writes are variables of its block.
fn writes_variables(builder: &Builder<'_>, instance: &Instance) -> bool {
    let statement = &builder.scop.statements[instance.statement];
    let mut writes = instance.accesses.iter().zip(&statement.accesses);
    writes.all(|(place, access)| {
        let variable = |b: &&crate::codegen::kernel::LocalBuffer| {
            b.buffer == place.buffer && b.extents.is_empty()
        };
        access.kind == AccessKind::Read || builder.buffers.iter().any(|b| variable(&b))
    })
}

/// The perfect nest from one loop on, with the loops that threads share in chunks.
fn chunked(
    builder: &Builder<'_>,
    each: &Loop,
    [x, y]: [i64; 2],
    grid: &mut Vec<GridLoop>,
) -> Option<Loop> {
    let dealt = builder.dealt(each);
    let mut chain = vec![each];
    while let Some([Node::For(inner)]) = chain.last().map(|each| each.body.as_slice()) {
        chain.push(inner);
    }
    let mut inside: Option<Loop> = None;
    let mut dynamic = false;
    let mut chunks = Vec::new();
    for &part in chain.iter().rev() {
        let mut part = part.clone();
        if let Some(inner) = inside.take() {
            part.body = vec![Node::For(inner)];
        }
        if let Some(own) = dealt.iter().find(|dealt| dealt.var == part.var) {
            let size = match own.axis {
                Axis::X => x,
                Axis::Y => y,
                Axis::All => x * y,
            };
            let bounds = part.dynamic.fixed.as_deref();
            let (lower, upper) = bounds
                .unwrap_or(&(part.lower.clone(), part.upper.clone()))
                .clone();
            let fixed = |bound: &Index| {
                let mut varies = is_unbounded(bound);
                bound.walk(&mut |p| varies |= matches!(p, Index::Var(_) | Index::Data(..)));
                !varies
            };
            if part.step != 1 || !fixed(&lower) || !fixed(&upper) {
                return None;
            }
            dynamic |= part.dynamic.fixed.is_some();
            let (chunk, points) = in_chunks(&part, size);
            chunks.push(chunk);
            part = points;
        }
        inside = Some(part);
    }
    grid.extend(chunks.into_iter().rev());
    inside.filter(|_| dynamic)
}

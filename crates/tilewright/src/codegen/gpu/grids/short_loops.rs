//! Grids around short loops: bins, colours, coefficients.
//!
//! A block for every iteration of the grid would have many threads and little to distribute to them:
//! of 256 threads 11, where what is inside the grid is one loop over 11 bins. Where all that is
//! inside is known to be short, the grid's last loop shares the block with it:
//!
//! ```text
//! for (i…) in parallel            blocks (i, jj)
//!   for (j…) in parallel      →     for (j in chunk jj) by 23 threads along y
//!     for (z < 11) S(i, j, z)         for (z < 11)      by 11 threads along x
//! ```
//!
//! There are as many threads along x as the short loop has iterations, so that all threads of a warp
//! work, those of the rows one after another; and where rows lie behind each other in memory, a warp
//! goes to cells side by side.
//!
//! The short loop stays along x if neighbours in it are neighbours in memory. Where instead those of
//! the grid's last loop are, that loop's iterations are the threads and each executes the short one
//! alone ([`crate::codegen::gpu::grids::mapping`]).
//!
//! Iterations of the grid do not depend on each other, and the block has one piece: no thread
//! meets another one in it.

use crate::codegen::gpu::grids::block::{Block, Builder, nest};
use crate::codegen::gpu::grids::data::in_chunks;
use crate::codegen::gpu::grids::fission;
use crate::codegen::gpu::grids::triangles::{grid_loop, guarded};
use crate::codegen::gpu::program::{Axis, GridLoop};
use crate::codegen::kernel::{Loop, Node, PlaceIndex};
use crate::plan::defaults::{FEW_ITERATIONS, SHORT_SHARE};

/// Who gets the threads of a block with something short in it.
pub(crate) enum Short {
    /// The short loop, and with it the grid's last one.
    Both(Both),
    /// So many of the grid's loops.
    Grid(usize),
}

/// A grid's loop and a short one inside it.
pub(crate) struct Both {
    /// Which loop of the grid has iterations along y.
    row: usize,
    /// The variable of the loop along x.
    column: String,
    /// Threads along x and y.
    threads: [i64; 2],
}

/// What to do with a block in which the loops of a grid leave something short to so many threads;
/// `None`: it is not short, or not one nest.
pub(crate) fn short(builder: &Builder<'_>, loops: &[Loop], [x, y]: [i64; 2]) -> Option<Short> {
    let (innermost, around) = loops.split_last()?;
    // The short loop is inside the grid, or the last one of it.
    let (loops, first, own) = match innermost.body.iter().any(|node| builder.has_threads(node)) {
        true => {
            let first = only_loop(&innermost.body)?;
            if fission::apart(builder, first).is_some() {
                return None;
            }
            let dealt = builder.dealt(first);
            let is_dealt = |each: &&Loop| dealt.iter().any(|dealt| dealt.var == each.var);
            let own: Vec<&Loop> = nest(first).into_iter().filter(is_dealt).collect();
            (loops, first, own)
        }
        false if around.is_empty() => return None,
        false => (around, innermost, vec![innermost]),
    };
    let mut own = own.into_iter();
    let points = own.clone().try_fold(1i64, |all, each| {
        each.iterations().and_then(|more| all.checked_mul(more))
    })?;
    let column = own.next_back()?;
    let columns = column.iterations().filter(|&all| all > 1)?;
    let threads = x.checked_mul(y)?;
    if points.checked_mul(SHORT_SHARE)? > threads {
        return None;
    }
    let row = last_long(loops);
    let touched = builder.touched(&first.body, &mut Vec::new());
    let last = touched.iter().filter_map(|one| one.place.indices.last());
    let (mut of_column, mut of_row) = (0, 0);
    for index in last {
        let PlaceIndex::Affine(index) = index else {
            continue;
        };
        if index.mentions(&column.var) {
            of_column += 1;
        } else if index.mentions(&loops[row].var) {
            of_row += 1;
        }
    }
    // Next to nothing is worth threads only if neighbours are neighbours in memory.
    let both = if points < FEW_ITERATIONS {
        of_column > of_row
    } else {
        of_column >= of_row
    };
    if !both {
        return Some(Short::Grid(loops.len()));
    }
    (loops[row].step == 1).then(|| {
        Short::Both(Both {
            row,
            column: column.var.clone(),
            threads: [columns, threads / columns],
        })
    })
}

/// The last of some loops that has more than a few iterations, or the last one: loops inside it each
/// thread executes for itself.
pub(crate) fn last_long(loops: &[Loop]) -> usize {
    let long = |each: &Loop| each.iterations().is_none_or(|all| all > FEW_ITERATIONS);
    let last = loops.iter().rposition(long);
    last.unwrap_or(loops.len().saturating_sub(1))
}

impl Both {
    /// The grid, the block and its threads.
    pub fn block(&self, builder: Builder<'_>, loops: &[Loop]) -> (Vec<GridLoop>, Block, [i64; 2]) {
        let around = &loops[..self.row];
        let (rows, row) = in_chunks(&loops[self.row], self.threads[1]);
        let mut grid: Vec<GridLoop> = around.iter().map(grid_loop).collect();
        grid.push(rows);
        let axes = [(&*row.var, Axis::Y), (&*self.column, Axis::X)];
        let block = builder.points(&row, &axes);
        (grid, guarded(around, block), self.threads)
    }
}

/// The only loop in some nodes; around it there may be guards that do not depend on data.
fn only_loop(nodes: &[Node]) -> Option<&Loop> {
    match nodes {
        [Node::For(each)] => Some(each),
        [
            Node::If {
                condition,
                then,
                otherwise,
            },
        ] if otherwise.is_empty() && !condition.is_data() => only_loop(then),
        _ => None,
    }
}

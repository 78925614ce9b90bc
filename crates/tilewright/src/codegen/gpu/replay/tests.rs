//! What replays find in programs that were right before something was taken from them.

use super::{Finding, KernelTraffic, Replayed, replay};
use crate::analysis::region::Region;
use crate::codegen::generation::build;
use crate::codegen::gpu::grids::mapping;
use crate::codegen::gpu::grids::mapping::{Blocks, Device};
use crate::codegen::gpu::program::{Axis, BlockNode, Dealt, DeviceProgram, GridLoop, HostNode};
use crate::codegen::gpu::promotion::promote;
use crate::codegen::kernel::{Index, Kernel, Node};
use crate::codegen::{CodegenOptions, Target};
use crate::plan::Shape;
use crate::planner::{Inline, Wishes, plan};
use crate::scop::Scop;
use crate::scop::testing::region;
use crate::transform::Transformed;
use std::collections::BTreeMap;

/// A region with its device program.
struct Made {
    region: Region,
    /// With statements that copy.
    scop: Scop,
    transformed: Transformed,
    /// Without them.
    kernel: Kernel,
    program: DeviceProgram,
}

impl Made {
    fn new(region: Region, shape: Shape, tile_sizes: &[i64]) -> Made {
        Made::of(region, shape, tile_sizes, false)
    }

    /// With arrays of whole tiles in local memory.
    fn in_local_memory(region: Region, shape: Shape, tile_sizes: &[i64]) -> Made {
        Made::of(region, shape, tile_sizes, true)
    }

    fn of(region: Region, shape: Shape, tile_sizes: &[i64], promotes: bool) -> Made {
        let mut wishes = Wishes {
            shape: Some(shape),
            tile_sizes: Some(tile_sizes.to_vec()),
            device: Some(Default::default()),
            ..Wishes::default()
        };
        wishes.pipelines.inline = Inline::None;
        wishes.pipelines.overlap_tolerance = 1.0;
        let Region {
            scop,
            dataflow,
            graph,
            ..
        } = &region;
        let plan = plan(scop, dataflow, graph, &wishes).unwrap().plan;
        assert!(plan.groups.iter().all(|group| group.shape() == shape));
        let transformed = region.apply(&plan).unwrap();
        let options = CodegenOptions {
            target: Target::OpenCl,
            device: Device {
                groups: vec![
                    Blocks {
                        threads: [4, 2],
                        ..Blocks::default()
                    };
                    plan.groups.len()
                ],
                ..Device::default()
            },
            ..CodegenOptions::default()
        };
        let kernel = build::generate(scop, &transformed, &options).unwrap();
        let (with_copies, transformed, in_local) = if promotes {
            let sparingly = |call: &mut dyn FnMut() -> isl::Result<()>| call();
            let (found, _) =
                promote::find(scop, &transformed, &kernel, &options, &sparingly).unwrap();
            let all: Vec<usize> = (0..found.len()).collect();
            let outermost = all.into_iter().filter(|&at| found[at].candidate.depth == 0);
            let chosen: Vec<usize> = outermost.collect();
            assert!(!chosen.is_empty());
            let promoted = promote::promote(scop, &transformed, &kernel, &options, &found, &chosen);
            let promoted = promoted.unwrap();
            (promoted.scop, promoted.transformed, promoted.kernel)
        } else {
            (scop.clone(), transformed, kernel.clone())
        };
        let program =
            mapping::map(&with_copies, dataflow, &transformed, &in_local, &options).unwrap();
        Made {
            region,
            scop: with_copies,
            transformed,
            kernel,
            program,
        }
    }

    /// Whether a statement copies.
    fn copies(&self, statement: usize) -> bool {
        statement >= self.region.scop.statements.len()
    }

    fn replay(&self, values: &[(&str, i64)]) -> Result<Replayed, Finding> {
        let values: BTreeMap<String, i64> =
            values.iter().map(|(n, v)| ((*n).to_owned(), *v)).collect();
        replay(
            (&self.scop, self.region.scop.statements.len()),
            &self.transformed,
            &self.kernel,
            &self.program,
            &values,
        )
    }
}

/// Two stages, the second of which reads neighbours of the first.
fn two_stages() -> Region {
    region(
        "int n, float in[n + 4], float out[n]",
        "float sum[n + 2];
for (int i = 0; i < n + 2; i++)
    sum[i] = in[i] + in[i + 2];
for (int i = 0; i < n; i++)
    out[i] = sum[i] * sum[i + 2];",
    )
}

fn steps() -> Region {
    region(
        "int t, int n, double a[t + 1][n]",
        "for (int k = 0; k < t; k++)
    for (int i = 1; i < n - 1; i++)
        a[k + 1][i] = a[k][i - 1] + a[k][i + 1];",
    )
}

fn prefixes() -> Region {
    region(
        "int n, double a[n]",
        "for (int i = 1; i < n; i++)
    a[i] = a[i] + a[i - 1];",
    )
}

/// Removes the first barrier; false where there is none.
fn without_barrier(nodes: &mut Vec<BlockNode>) -> bool {
    if let Some(at) = nodes.iter().position(|n| *n == BlockNode::Barrier) {
        nodes.remove(at);
        return true;
    }
    nodes.iter_mut().any(|node| match node {
        BlockNode::For { body, .. } => without_barrier(body),
        BlockNode::If {
            then, otherwise, ..
        } => without_barrier(then) || without_barrier(otherwise),
        BlockNode::Piece(_) | BlockNode::Barrier => false,
    })
}

/// The numbers of instances are those of the loops.
#[test]
fn what_is_right_stays() {
    let n = 37;
    let none = Made::new(two_stages(), Shape::None, &[8]);
    let replayed = none.replay(&[("n", n)]).unwrap();
    assert_eq!(replayed.instances, 39 + 37);
    assert_eq!(replayed.barriers, 0);
    // Five tiles, each of which computes two cells of `sum` more, with a barrier between.
    let overlapped = Made::new(two_stages(), Shape::Scalene, &[8]);
    let replayed = overlapped.replay(&[("n", n)]).unwrap();
    assert_eq!(replayed.instances, 37 + 37 + 5 * 2);
    assert_eq!((replayed.blocks, replayed.barriers), (5, 5));
    let stencil = Made::new(steps(), Shape::Split, &[4, 16]);
    let replayed = stencil.replay(&[("t", 9), ("n", 61)]).unwrap();
    assert_eq!(replayed.instances, 9 * 59);
    // The first instance of the first statement is one like all others.
    let set = region(
        "int n, float a[n], float b[n]",
        "for (int i = 0; i < n; i++)
    a[i] = 0;
for (int i = 0; i < n; i++)
    b[i] = a[i];",
    );
    let set = Made::new(set, Shape::None, &[8]);
    assert_eq!(set.replay(&[("n", 20)]).unwrap().instances, 40);
    let one = Made::new(prefixes(), Shape::None, &[8]);
    assert_eq!(one.replay(&[("n", 20)]).unwrap().instances, 19);
}

/// A thread has four points below each other, where they read the same cells; the last column of a
/// block may be shorter.
#[test]
fn threads_have_columns() {
    let rows = |body: &str| {
        region(
            "int n, int m, float in[n + 2][m], float out[n][m]",
            &format!(
                "for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
        out[i][j] = {body};"
            ),
        )
    };
    let made = Made::new(
        rows("in[i][j] + in[i + 1][j] + in[i + 2][j]"),
        Shape::None,
        &[8],
    );
    let [kernel] = &made.program.kernels[..] else {
        panic!("one kernel: {:?}", made.program);
    };
    let [BlockNode::Piece(piece)] = &kernel.body[..] else {
        panic!("one piece: {kernel:?}");
    };
    let dealt = piece.dealt.iter().map(|dealt| (dealt.axis, dealt.step));
    let dealt: Vec<(Axis, i64)> = dealt.collect();
    assert_eq!(dealt, [(Axis::Y, 4), (Axis::X, 1)]);
    for (n, m) in [(1, 1), (3, 5), (4, 4), (8, 9), (13, 2)] {
        let replayed = made.replay(&[("n", n), ("m", m)]).unwrap();
        assert_eq!(replayed.instances, n as u64 * m as u64, "{n} {m}");
        // Blocks of four threads along x, and of two columns along y.
        let blocks = n.div_euclid(8) + i64::from(n % 8 > 0);
        let blocks = blocks * (m.div_euclid(4) + i64::from(m % 4 > 0));
        assert_eq!(replayed.blocks as i64, blocks, "{n} {m}");
    }
    // A loop inside, as of a sum, stays a thread's own.
    let sums = region(
        "int n, float in[n][n], float out[n][n]",
        "for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++)
            out[i][j] += in[i][k];",
    );
    let made = Made::new(sums, Shape::None, &[8]);
    assert_eq!(made.replay(&[("n", 5)]).unwrap().instances, 125);
    let pieces = made.program.kernels.iter().flat_map(|kernel| &kernel.body);
    let stepped = pieces.filter(|node| match node {
        BlockNode::Piece(piece) => piece.dealt.iter().any(|dealt| dealt.step > 1),
        _ => false,
    });
    assert_eq!(stepped.count(), 0);
}

/// By hand: `sum` has n + 2 cells from two of `in` each, `out` n from two of `sum`; blocks of eight
/// threads, a thread for each cell.
#[test]
fn what_is_asked_of_memory_is_counted() {
    let n = 64;
    let none = Made::new(two_stages(), Shape::None, &[8]);
    let replayed = none.replay(&[("n", n)]).unwrap();
    let [first, second] = &replayed.traffic[..] else {
        panic!("two kernels: {replayed:?}");
    };
    assert_eq!((first.launches, second.launches), (1, 1));
    assert_eq!((first.instances, second.instances), (66, 64));
    let of = |kernel: &KernelTraffic, name: &str| {
        let mut all = kernel.buffers.iter();
        all.find(|b| b.buffer == name && !b.local).cloned().unwrap()
    };
    // Nine blocks, the last of which has two cells; 8 floats are one sector, two where they begin
    // at the third.
    let into = of(first, "in").loads;
    assert_eq!((into.requests, into.bytes), (18, 66 * 2 * 4));
    assert_eq!(into.moved, 9 + 8 * 2 + 1);
    // All of 68 floats are in nine sectors.
    assert_eq!(into.distinct, 9);
    assert_eq!(of(first, "sum").stores.distinct, 9);
    assert_eq!(of(second, "sum").loads.distinct, 9);
    assert_eq!(of(second, "out").stores.moved, 8);
    // In tiles, `sum` is in local memory, and what moves is `in` and `out`.
    let overlapped = Made::new(two_stages(), Shape::Scalene, &[8]);
    let replayed = overlapped.replay(&[("n", n)]).unwrap();
    let [both] = &replayed.traffic[..] else {
        panic!("one kernel: {replayed:?}");
    };
    assert!(
        both.buffers
            .iter()
            .any(|b| b.local && b.stores.requests > 0)
    );
    assert!(both.buffers.iter().all(|b| b.local || b.buffer != "sum"));
    assert_eq!(of(both, "in").loads.distinct, 9);
    assert_eq!(of(both, "out").stores.distinct, 8);
    // Each of eight tiles computes ten cells of `sum` from two cells of `in`.
    assert_eq!(of(both, "in").loads.bytes, 8 * 10 * 2 * 4);
}

#[test]
fn a_missing_barrier_is_found() {
    let mut made = Made::new(two_stages(), Shape::Scalene, &[8]);
    assert!(without_barrier(&mut made.program.kernels[0].body));
    let found = made.replay(&[("n", 37)]).unwrap_err();
    let Finding::Threads(met) = &found else {
        panic!("{found}");
    };
    assert!(met.cell.contains('['), "{found}");
    assert_ne!(met.who[0], met.who[1]);
    assert_eq!(met.statements, ["S0", "S1"]);
}

#[test]
fn a_loop_that_is_wrongly_dealt_out_is_found() {
    let mut made = Made::new(prefixes(), Shape::None, &[8]);
    let kernel = &mut made.program.kernels[0];
    kernel.threads = [4, 2];
    let [BlockNode::Piece(piece)] = &mut kernel.body[..] else {
        panic!("one thread does it all: {:?}", kernel.body);
    };
    let Some(Node::For(each)) = piece.body.first() else {
        panic!("a loop: {:?}", piece.body);
    };
    piece.dealt = vec![Dealt {
        var: each.var.clone(),
        axis: Axis::All,
        lower: each.lower.clone(),
        step: each.step,
    }];
    let found = made.replay(&[("n", 20)]).unwrap_err();
    assert!(matches!(found, Finding::Threads(_)), "{found}");
}

/// Threads of different `y` would all do the same.
#[test]
fn work_that_is_done_twice_is_found() {
    let mut made = Made::new(two_stages(), Shape::Scalene, &[8]);
    let pieces = made.program.kernels[0].body.iter_mut();
    let dealt = pieces.filter_map(|node| match node {
        BlockNode::Piece(piece) => piece.dealt.first_mut(),
        _ => None,
    });
    dealt.for_each(|dealt| dealt.axis = Axis::X);
    let found = made.replay(&[("n", 37)]).unwrap_err();
    assert!(matches!(found, Finding::Threads(_)), "{found}");
}

#[test]
fn work_that_is_left_out_is_found() {
    let mut made = Made::new(two_stages(), Shape::Scalene, &[8]);
    let grid = &mut made.program.kernels[0].grid[0];
    grid.upper = grid.upper.minus(&Index::Int(1));
    let found = made.replay(&[("n", 37)]).unwrap_err();
    assert!(matches!(found, Finding::Instances { .. }), "{found}");
}

/// Time steps as blocks of one launch.
#[test]
fn blocks_that_depend_on_each_other_are_found() {
    let mut made = Made::new(steps(), Shape::None, &[8]);
    let [
        HostNode::For {
            var,
            lower,
            upper,
            step,
            body,
            ..
        },
    ] = &made.program.host[..]
    else {
        panic!("a loop over time: {:?}", made.program.host);
    };
    assert_eq!(*body, [HostNode::Launch(0)]);
    let time = GridLoop {
        var: var.clone(),
        lower: lower.clone(),
        upper: upper.clone(),
        step: *step,
    };
    made.program.kernels[0].grid.insert(0, time);
    made.program.host = vec![HostNode::Launch(0)];
    let found = made.replay(&[("t", 3), ("n", 61)]).unwrap_err();
    let Finding::Blocks(met) = &found else {
        panic!("{found}");
    };
    assert_eq!(met.statements, ["S0", "S0"]);
}

#[test]
fn local_memory_is_checked() {
    let mut made = Made::new(two_stages(), Shape::Scalene, &[8]);
    made.program.kernels[0].local_bytes -= 128;
    let found = made.replay(&[("n", 37)]).unwrap_err();
    assert!(matches!(found, Finding::Outside { .. }), "{found}");
    made.program.kernels[0].local.clear();
    let found = made.replay(&[("n", 37)]).unwrap_err();
    assert!(matches!(found, Finding::Nowhere { .. }), "{found}");
}

#[test]
fn what_is_not_copied_is_found() {
    let mut made = Made::new(two_stages(), Shape::None, &[8]);
    made.program
        .arrays
        .iter_mut()
        .for_each(|a| a.copy_in = false);
    let found = made.replay(&[("n", 37)]).unwrap_err();
    let name = "in".to_owned();
    assert_eq!(found, Finding::NotCopied { name });
}

/// Launches in another order.
#[test]
fn wrong_sources_are_found() {
    let mut made = Made::new(two_stages(), Shape::None, &[8]);
    assert_eq!(made.program.host.len(), 2);
    made.program.host.reverse();
    let found = made.replay(&[("n", 37)]).unwrap_err();
    assert!(matches!(found, Finding::Source { .. }), "{found}");
}

#[test]
fn values_that_are_missing_or_impossible() {
    let made = Made::new(steps(), Shape::None, &[8]);
    let found = made.replay(&[("t", 3)]).unwrap_err();
    let name = "n".to_owned();
    assert_eq!(found, Finding::NoValue { name });
    assert!(!found.is_about_the_program());
}

/// What data picks may be any cell of its row; known cells of the row are apart.
#[test]
fn cells_that_data_picks() {
    let picks = || {
        region(
            "int n, int m, const int at[n], float table[m], float out[n]",
            "for (int k = 0; k < m; k++)
    table[k] = 0.5f * k;
for (int i = 0; i < n; i++)
    out[i] = table[at[i]];",
        )
    };
    let values = [("n", 20), ("m", 11)];
    let mut made = Made::new(picks(), Shape::None, &[8]);
    assert_eq!(made.replay(&values).unwrap().instances, 31);
    // Both loops in one launch, without a barrier.
    let second = made.program.kernels.remove(1);
    let (one, other) = (&made.program.kernels[0].grid, &second.grid);
    assert_eq!(one[0].var, other[0].var);
    made.program.kernels[0].body.extend(second.body);
    made.program.host = vec![HostNode::Launch(0)];
    let found = made.replay(&values).unwrap_err();
    let Finding::Threads(met) = &found else {
        panic!("{found}");
    };
    assert_eq!(met.cell, "table[*]");
}

/// Steps in a plane that take turns in two halves of an array, as heat-2d does.
fn in_turns() -> Region {
    region(
        "int t, int n, double a[2][n][n]",
        "for (int k = 0; k < t; k++)
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            a[(k + 1) % 2][i][j] = a[k % 2][i - 1][j] + a[k % 2][i + 1][j]
                                 + a[k % 2][i][j - 1] + a[k % 2][i][j + 1];",
    )
}

const IN_TURNS: [(&str, i64); 2] = [("t", 7), ("n", 21)];

/// What is done to nodes, and whether it could be.
type Change<'c> = dyn Fn(&mut Vec<Node>) -> bool + 'c;

/// Something done to the pieces of all kernels, in order, until it succeeds.
fn first_piece(made: &mut Made, change: &Change<'_>) -> bool {
    fn inside(nodes: &mut [BlockNode], change: &Change<'_>) -> bool {
        nodes.iter_mut().any(|node| match node {
            BlockNode::For { body, .. } => inside(body, change),
            BlockNode::If {
                then, otherwise, ..
            } => inside(then, change) || inside(otherwise, change),
            BlockNode::Piece(piece) => change(&mut piece.body),
            BlockNode::Barrier => false,
        })
    }
    let mut kernels = made.program.kernels.iter_mut();
    kernels.any(|kernel| inside(&mut kernel.body, change))
}

/// Statements at and below some nodes.
fn statements(nodes: &[Node]) -> Vec<usize> {
    let mut all = Vec::new();
    for node in nodes {
        node.instances(&mut |instance| all.push(instance.statement));
    }
    all
}

/// One iteration fewer of the innermost loop.
fn shorter(nodes: &mut [Node]) -> bool {
    nodes.iter_mut().any(|node| match node {
        Node::For(each) => {
            if !shorter(&mut each.body) {
                each.upper = each.upper.minus(&Index::Int(1));
            }
            true
        }
        Node::If {
            then, otherwise, ..
        } => shorter(then) || shorter(otherwise),
        _ => false,
    })
}

/// What a copy copies, or is, is changed in every way; each is found.
#[test]
fn wrong_copies_are_found() {
    let mut made = Made::in_local_memory(in_turns(), Shape::Split, &[4, 8, 8]);
    let instances = made.replay(&IN_TURNS).unwrap().instances;
    assert_eq!(instances, 7 * 19 * 19);
    let right = made.program.clone();
    let copy = made.region.scop.statements.len();
    assert!(made.copies(copy));
    // Pieces that copy in stand in front of the first that computes.
    let is_copy = |nodes: &Vec<Node>| {
        let all = statements(nodes);
        !all.is_empty() && all.iter().all(|&id| id == copy)
    };
    let missing = |nodes: &mut Vec<Node>| {
        is_copy(nodes) && {
            nodes.clear();
            true
        }
    };
    let fewer = |nodes: &mut Vec<Node>| is_copy(nodes) && shorter(nodes);
    let changes: [&Change<'_>; 2] = [&missing, &fewer];
    for change in changes {
        made.program = right.clone();
        assert!(first_piece(&mut made, change));
        let found = made.replay(&IN_TURNS).unwrap_err();
        assert!(matches!(found, Finding::Source { .. }), "{found}");
    }
}

//! Loops that the threads of a block leave together, and loops that the host leaves: which these
//! are, and that all threads together execute what the program does.

use super::harness::*;
use crate::analysis::region::Region;
use crate::codegen::gpu::grids::mapping;
use crate::codegen::gpu::grids::mapping::{Blocks, Device};
use crate::codegen::gpu::program::{BlockNode, DeviceProgram, HostNode};
use crate::codegen::gpu::replay::{Finding, Replayed, replay};
use crate::codegen::kernel::{Kernel, Node};
use crate::codegen::passes::dynamic::exits::kept::{Exit, Level};
use crate::codegen::{CodegenOptions, Target};
use crate::scop::testing::region;
use crate::transform::Transformed;
use std::collections::BTreeMap;

/// Several matrices, in each of which a step of a column needs the step before, and that of the
/// column to the left.
fn columns() -> Region {
    region(
        "int m, int n, int u, int last[restrict m][n], double b[restrict m][u + 1][n]",
        "for (int k = 0; k < m; k++)
    for (int i = 1; i < n; i++)
        for (int j = 0; j < last[k][i]; j++)
            b[k][j + 1][i] = b[k][j][i] * 0.5 + b[k][j][i - 1];",
    )
}

/// All bounds, then all matrices one after another, steps outside of columns.
const BY_THE_HOST: &str = r#"
child:
  sequence:
  - filter: "{ S0[k, i] }"
    child:
      mark: "parallel"
      child:
        schedule: "[{ S0[k, i] -> [(k)] }, { S0[k, i] -> [(i)] }]"
  - filter: "{ S1[k, i, j] }"
    child:
      schedule: "[{ S1[k, i, j] -> [(k)] }, { S1[k, i, j] -> [(j)] }]"
      child:
        mark: "parallel"
        child:
          schedule: "[{ S1[k, i, j] -> [(i)] }]"
"#;

/// Every matrix by a block, with its bounds.
const BY_BLOCKS: &str = r#"
child:
  mark: "parallel"
  child:
    schedule: "[{ S0[k, i] -> [(k)]; S1[k, i, j] -> [(k)] }]"
    child:
      sequence:
      - filter: "{ S0[k, i] }"
        child:
          schedule: "[{ S0[k, i] -> [(i)] }]"
      - filter: "{ S1[k, i, j] }"
        child:
          schedule: "[{ S1[k, i, j] -> [(j)] }, { S1[k, i, j] -> [(i)] }]"
"#;

struct Made {
    region: Region,
    transformed: Transformed,
    kernel: Kernel,
    program: DeviceProgram,
}

impl Made {
    /// A region in this order, in blocks of four threads.
    fn new(region: Region, order: &str) -> Made {
        let scop = &region.scop;
        let order = format!("domain: \"{}\"{order}", scop.domain().unwrap());
        let transformed = unlifted(scop, Some(&order));
        let options = CodegenOptions {
            target: Target::OpenCl,
            device: Device {
                groups: vec![Blocks {
                    threads: [4, 1],
                    ..Blocks::default()
                }],
                ..Device::default()
            },
            ..CodegenOptions::default()
        };
        let kernel = kernel(scop, &transformed);
        let dataflow = &region.dataflow;
        let program = mapping::map(scop, dataflow, &transformed, &kernel, &options).unwrap();
        Made {
            region,
            transformed,
            kernel,
            program,
        }
    }

    fn replay(&self, values: &[(&str, i64)]) -> Result<Replayed, Finding> {
        let values: BTreeMap<String, i64> =
            values.iter().map(|(n, v)| ((*n).to_owned(), *v)).collect();
        let scop = &self.region.scop;
        replay(
            (scop, scop.statements.len()),
            &self.transformed,
            &self.kernel,
            &self.program,
            &values,
        )
    }

    fn left(&self) -> Vec<(&str, Option<Level>)> {
        let exits = self.program.exits.iter();
        let left = exits.map(|exit: &Exit| (&*exit.iterator, exit.left_by));
        left.collect()
    }
}

/// Sizes of which the last ones have fewer columns than made-up bounds have values: no column is
/// as long as it could be.
const SIZES: [[(&str, i64); 3]; 4] = [
    [("m", 2), ("n", 12), ("u", 30)],
    [("m", 3), ("n", 2), ("u", 40)],
    [("m", 5), ("n", 3), ("u", 17)],
    [("m", 1), ("n", 1), ("u", 5)],
];

#[test]
fn blocks_leave_together() {
    let made = Made::new(columns(), BY_BLOCKS);
    assert_eq!(made.left(), [("j", Some(Level::Block))]);
    for sizes in &SIZES {
        made.replay(sizes).unwrap();
    }
}

#[test]
fn the_host_leaves() {
    let made = Made::new(columns(), BY_THE_HOST);
    assert_eq!(made.left(), [("j", Some(Level::Host))]);
    for sizes in &SIZES {
        made.replay(sizes).unwrap();
    }
}

/// The loops that end early, without what says that they go on, end too early.
#[test]
fn what_nobody_notes_is_missed() {
    fn without(nodes: Vec<Node>) -> Vec<Node> {
        let nodes = nodes.into_iter();
        let nodes = nodes.filter(|node| !matches!(node, Node::GoesOn { .. }));
        nodes.map(|node| node.map_children(&without)).collect()
    }
    fn below(nodes: &mut [BlockNode]) {
        for node in nodes {
            match node {
                BlockNode::Piece(piece) => piece.body = without(std::mem::take(&mut piece.body)),
                BlockNode::For { body, .. } => below(body),
                BlockNode::If { then, .. } => below(then),
                BlockNode::Barrier => {}
            }
        }
    }
    for order in [BY_BLOCKS, BY_THE_HOST] {
        let mut made = Made::new(columns(), order);
        for kernel in &mut made.program.kernels {
            below(&mut kernel.body);
        }
        let found = made.replay(&SIZES[0]).unwrap_err();
        assert!(matches!(found, Finding::Instances { .. }), "{found}");
    }
}

/// The vote is a barrier: the bounds need one in front of the loop, and its iterations no other.
#[test]
fn votes_are_barriers() {
    let made = Made::new(columns(), BY_BLOCKS);
    let [kernel] = &made.program.kernels[..] else {
        panic!("one kernel");
    };
    let [
        BlockNode::Piece(_),
        BlockNode::Barrier,
        BlockNode::For {
            ends_early: true,
            body,
            ..
        },
    ] = &kernel.body[..]
    else {
        panic!("bounds, then columns: {:?}", kernel.body);
    };
    assert!(matches!(body[..], [BlockNode::Piece(_)]), "{body:?}");
}

/// A condition without data is the host's own: what stands in the first step alone.
#[test]
fn the_host_notes_what_it_knows() {
    let region = columns();
    let order = r#"
child:
  schedule: "[{ S0[k, i] -> [(0)]; S1[k, i, j] -> [(j)] }]"
  child:
    mark: "parallel"
    child:
      schedule: "[{ S0[k, i] -> [(i)]; S1[k, i, j] -> [(i)] }]"
      child:
        schedule: "[{ S0[k, i] -> [(k)]; S1[k, i, j] -> [(k)] }]"
        child:
          sequence:
          - filter: "{ S0[k, i] }"
          - filter: "{ S1[k, i, j] }"
"#;
    let made = Made::new(region, order);
    fn all<'n>(nodes: &'n [HostNode], found: &mut Vec<&'n HostNode>) {
        for node in nodes {
            found.push(node);
            match node {
                HostNode::For { body, .. } => all(body, found),
                HostNode::If {
                    then, otherwise, ..
                } => {
                    all(then, found);
                    all(otherwise, found);
                }
                HostNode::GoesOn { .. } | HostNode::Launch(_) => {}
            }
        }
    }
    let mut nodes = Vec::new();
    all(&made.program.host, &mut nodes);
    let early = nodes.iter().any(|node| {
        matches!(
            node,
            HostNode::For {
                ends_early: true,
                ..
            }
        )
    });
    assert!(early, "{:?}", made.program.host);
    for sizes in &SIZES {
        made.replay(sizes).unwrap();
    }
}

/// What was inspected is not asked for.
#[test]
fn loops_to_inspected_bounds_are_not_left_by_the_host() {
    let region = region(
        "int n, const int length[restrict n], double s[restrict n], double a[restrict n]",
        "for (int i = 1; i < n; i++)
    for (int j = 0; j < length[i]; j++)
        s[i] = s[i] * 0.5 + a[i] * j;",
    );
    let region = region.inspected(&["j_end".to_owned()]).unwrap();
    let order = r#"
child:
  sequence:
  - filter: "{ S0[i] }"
    child:
      schedule: "[{ S0[i] -> [(i)] }]"
  - filter: "{ S1[i, j] }"
    child:
      schedule: "[{ S1[i, j] -> [(j)] }]"
      child:
        mark: "parallel"
        child:
          schedule: "[{ S1[i, j] -> [(i)] }]"
"#;
    let made = Made::new(region, order);
    let [exit] = &made.program.exits[..] else {
        panic!("{:?}", made.program.exits);
    };
    assert_eq!(exit.left_by, None);
    let reason = exit.reason.as_deref().unwrap_or_default();
    assert!(reason.contains("its bound was inspected"), "{reason}");
    let sizes = [("n", 9), ("tw_j_end_most", 6)];
    made.replay(&sizes).unwrap();
}

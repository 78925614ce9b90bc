//! Ties and barriers on pieces made by hand.

use super::Refusal;
use super::program::{Axis, BlockNode, Dealt, Piece, Touched};
use crate::codegen::gpu::conflicts::barriers::with_barriers;
use crate::codegen::gpu::conflicts::ties::{Meeting, meeting, meeting_later};
use crate::codegen::gpu::promotion::memory::layout;
use crate::codegen::kernel::{DynamicBounds, Index, LocalBuffer, Loop, Node, Place, PlaceIndex};
use crate::scop::{ScalarKind, ScalarType};
use std::collections::BTreeSet;

fn var(name: &str) -> Index {
    Index::var(name)
}

fn more(name: &str, by: i64) -> Index {
    var(name).plus(&Index::Int(by))
}

fn place(buffer: usize, indices: &[Index]) -> Place {
    let indices = indices.iter().cloned().map(PlaceIndex::Affine);
    Place {
        buffer,
        indices: indices.collect(),
    }
}

fn set(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

fn tied(names: &[&str]) -> Meeting {
    Meeting::Where(set(names))
}

#[test]
fn equal_sums_tie_their_variable() {
    let ij = set(&["i", "j"]);
    let at = |indices: &[Index]| place(0, indices);
    let one = at(&[var("i"), var("j")]);
    assert_eq!(meeting(&one, &one, &ij), tied(&["i", "j"]));
    // A neighbour is another iteration's, of the same j.
    let neighbour = at(&[more("i", 1), var("j")]);
    assert_eq!(meeting(&one, &neighbour, &ij), tied(&["j"]));
    // i + j alone says nothing; with j known it does.
    let skewed = var("i").plus(&var("j"));
    let sum = at(std::slice::from_ref(&skewed));
    assert_eq!(meeting(&sum, &sum, &ij), tied(&[]));
    let both = at(&[skewed, var("j")]);
    assert_eq!(meeting(&both, &both, &ij), tied(&["i", "j"]));
}

#[test]
fn cells_that_never_meet() {
    let none = set(&[]);
    let at = |index: Index| place(0, &[index]);
    let even = var("t").modulo(2);
    let odd = more("t", 1).modulo(2);
    assert_eq!(
        meeting(&at(even.clone()), &at(odd.clone()), &none),
        Meeting::Never
    );
    // At different times they may.
    let t = set(&["t"]);
    assert_eq!(meeting(&at(even), &at(odd), &t), tied(&[]));
    let i = set(&["i"]);
    let double = var("i").times(2);
    let between = double.plus(&Index::Int(1));
    assert_eq!(meeting(&at(double), &at(between), &i), Meeting::Never);
}

#[test]
fn later_iterations_go_on() {
    let k = set(&["k"]);
    let at = |index: Index| place(0, &[index]);
    let (here, above) = (at(var("k")), at(more("k", 1)));
    // What k + 1 was read for is written a step later; what k was read for is not again.
    assert_eq!(meeting_later(&above, &here, &k, &k), tied(&[]));
    assert_eq!(meeting_later(&here, &here, &k, &k), Meeting::Never);
    assert_eq!(meeting_later(&here, &above, &k, &k), Meeting::Never);
    assert_eq!(meeting_later(&here, &above, &k, &set(&[])), tied(&[]));
}

/// A loop over `i` from 0, distributed to all threads, that touches these cells of buffer 0.
fn piece(touched: &[(Index, bool)]) -> BlockNode {
    let each = Loop {
        var: "i".to_owned(),
        lower: Index::Int(0),
        upper: Index::Param(0),
        step: 1,
        rows: 1,
        worth: None,
        parallel: false,
        collapse: 1,
        simd: false,
        unroll: 1,
        dynamic: DynamicBounds::default(),
        body: Vec::new(),
    };
    let touched = touched.iter().map(|(index, written)| Touched {
        place: place(0, std::slice::from_ref(index)),
        written: *written,
    });
    BlockNode::Piece(Piece {
        dealt: vec![Dealt {
            var: "i".to_owned(),
            axis: Axis::All,
            lower: Index::Int(0),
            step: 1,
        }],
        body: vec![Node::For(each)],
        touched: touched.collect(),
    })
}

fn repeated(body: Vec<BlockNode>) -> BlockNode {
    BlockNode::For {
        var: "t".to_owned(),
        lower: Index::Int(0),
        upper: Index::Param(0),
        step: 1,
        ends_early: false,
        body,
    }
}

/// `P` for pieces, `B` for barriers, loops in brackets.
fn shape(nodes: &[BlockNode]) -> String {
    let one = |node: &BlockNode| match node {
        BlockNode::Piece(_) => "P".to_owned(),
        BlockNode::Barrier => "B".to_owned(),
        BlockNode::For { body, .. } => format!("({})", shape(body)),
        BlockNode::If {
            then, otherwise, ..
        } => format!("[{}|{}]", shape(then), shape(otherwise)),
    };
    nodes.iter().map(one).collect()
}

fn barriers(nodes: Vec<BlockNode>) -> String {
    shape(&with_barriers(&[], nodes))
}

#[test]
fn barriers_between_threads_only() {
    let (write, read) = (true, false);
    // Each thread reads what it wrote itself.
    let own = vec![piece(&[(var("i"), write)]), piece(&[(var("i"), read)])];
    assert_eq!(barriers(own), "PP");
    let others = vec![piece(&[(var("i"), write)]), piece(&[(more("i", 1), read)])];
    assert_eq!(barriers(others), "PBP");
    let reads = vec![piece(&[(var("i"), read)]), piece(&[(more("i", 1), read)])];
    assert_eq!(barriers(reads), "PP");
    // One barrier is for all that was before it.
    let three = vec![
        piece(&[(var("i"), write)]),
        piece(&[(more("i", 1), read)]),
        piece(&[(more("i", 2), read)]),
    ];
    assert_eq!(barriers(three), "PBPP");
}

#[test]
fn barriers_between_iterations() {
    let (write, read) = (true, false);
    // Time steps in place need two: before writing what others read, and before reading it.
    let steps = repeated(vec![
        piece(&[(more("i", 1), read)]),
        piece(&[(var("i"), write)]),
    ]);
    assert_eq!(barriers(vec![steps]), "(BPBP)");
    let own = repeated(vec![piece(&[(var("i"), write)])]);
    assert_eq!(barriers(vec![own]), "(P)");
    // Behind the loop its last iteration still counts.
    let after = vec![
        repeated(vec![piece(&[(var("i"), write)])]),
        piece(&[(more("i", 1), read)]),
    ];
    assert_eq!(barriers(after), "(P)BP");
}

#[test]
fn barriers_stand_in_front_of_guards() {
    let guard = |then: Vec<BlockNode>| BlockNode::If {
        condition: Index::Param(0),
        then,
        otherwise: Vec::new(),
    };
    let first = piece(&[(var("i"), true)]);
    let second = || piece(&[(more("i", 1), false)]);
    assert_eq!(
        barriers(vec![first.clone(), guard(vec![second()])]),
        "PB[P|]"
    );
    // One of a single branch is for that branch alone, and yet for all threads.
    let inside = vec![guard(vec![first, second()]), second()];
    assert_eq!(barriers(inside), "[P|]B[P|]P");
    let steps = repeated(vec![
        piece(&[(more("i", 1), false)]),
        piece(&[(var("i"), true)]),
    ]);
    // The loop has no iteration where the condition does not hold.
    let nodes = with_barriers(&[], vec![guard(vec![steps])]);
    assert_eq!(shape(&nodes), "(BPBP)");
    let [BlockNode::For { upper, .. }] = &nodes[..] else {
        unreachable!("one loop");
    };
    let none = Box::new(Index::Int(-1));
    let condition = Box::new(Index::Param(0));
    let last = Box::new(Index::Param(0));
    assert_eq!(*upper, Index::Select(condition, last, none));
}

/// One thread sets cell 0 of buffer 0.
fn set_by_one() -> BlockNode {
    BlockNode::Piece(Piece {
        dealt: Vec::new(),
        body: Vec::new(),
        touched: vec![Touched {
            place: place(0, &[Index::Int(0)]),
            written: true,
        }],
    })
}

/// A bound that is data is read by all threads: what one thread sets has to be there, and stays
/// until the last thread has left the loop.
#[test]
fn barriers_for_bounds_that_are_data() {
    let data = || Index::Data(0, vec![Index::Int(0)]);
    let until = |body: Vec<BlockNode>| BlockNode::For {
        var: "j".to_owned(),
        lower: Index::Int(0),
        upper: data(),
        step: 1,
        ends_early: false,
        body,
    };
    let other = || {
        BlockNode::Piece(Piece {
            dealt: Vec::new(),
            body: Vec::new(),
            touched: Vec::new(),
        })
    };
    assert_eq!(barriers(vec![set_by_one(), until(vec![other()])]), "PB(P)");
    assert_eq!(barriers(vec![until(vec![other()]), set_by_one()]), "(P)BP");
    // In every iteration of a loop around both: before it is set, and before it is read.
    let steps = repeated(vec![set_by_one(), until(vec![other()])]);
    assert_eq!(barriers(vec![steps]), "(BPB(P))");
    let guard = BlockNode::If {
        condition: data(),
        then: vec![other()],
        otherwise: Vec::new(),
    };
    assert_eq!(
        barriers(vec![set_by_one(), guard, set_by_one()]),
        "PB[P|]BP"
    );
    // What is in another cell is another matter.
    let elsewhere = BlockNode::For {
        var: "j".to_owned(),
        lower: Index::Int(0),
        upper: Index::Data(0, vec![Index::Int(1)]),
        step: 1,
        ends_early: false,
        body: vec![other()],
    };
    assert_eq!(barriers(vec![set_by_one(), elsewhere]), "P(P)");
}

fn buffer(id: usize, extent: i64, shared: Option<usize>) -> LocalBuffer {
    LocalBuffer {
        buffer: id,
        name: format!("tile{id}"),
        element: ScalarType {
            kind: ScalarKind::F32,
            spelling: "float".to_owned(),
        },
        extents: vec![extent],
        scope: 0,
        shared,
        in_registers: false,
    }
}

#[test]
fn local_memory_is_laid_out_within_its_limit() {
    let buffers = [
        buffer(0, 10, None),
        buffer(1, 64, Some(0)),
        buffer(2, 100, None),
        buffer(3, 32, Some(0)),
        buffer(4, 1000, None),
    ];
    let used = [0, 1, 2, 3];
    let (places, bytes) = layout(&buffers, &used, 1024).unwrap();
    assert_eq!(places, [(0, 0), (1, 128), (2, 384), (3, 128)]);
    assert_eq!(bytes, 384 + 512);
    let refused = layout(&buffers, &[0, 4], 4096).unwrap_err();
    let needed = 128 + 4096;
    assert_eq!(
        refused,
        Refusal::Memory {
            needed,
            limit: 4096
        }
    );
}

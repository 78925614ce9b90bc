//! Random programs under random schedules and storage: the verdict against that of executing both
//! versions instance by instance, without isl, and looking at which write each read sees.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use proptest::strategy::ValueTree;

use super::build::{Build, exact_verdict, verdict};
use crate::scop::Scop;
use crate::scop::testing::ScopBuilder;
use crate::transform::Transformed;

/// Arrays: `A` is live before and after, `B` never, `C` after.
const ARRAYS: [&str; 3] = ["A", "B", "C"];
const LIVE_IN: [bool; 3] = [true, false, false];
const LIVE_OUT: [bool; 3] = [true, false, true];
/// The array that may be kept in a local buffer.
const LOCAL: usize = 1;

/// Unimodular transforms of the plane.
const PLANES: [[[i64; 2]; 2]; 10] = [
    [[1, 0], [0, 1]],
    [[1, 0], [0, 1]],
    [[0, 1], [1, 0]],
    [[1, 0], [1, 1]],
    [[1, 1], [0, 1]],
    [[1, 0], [2, 1]],
    [[1, 1], [1, 0]],
    [[1, 0], [0, -1]],
    [[-1, 0], [0, 1]],
    [[2, 1], [1, 0]],
];

/// An access: an array, and the distance of the element from the iterators.
type Reference = (usize, [i64; 2]);

#[derive(Clone, Debug)]
struct Step {
    reads: Vec<Reference>,
    write: Reference,
    /// Its part of the common schedule.
    plane: usize,
    shift: [i64; 2],
}

/// A program of loops over `0 <= i (, j) < n`, and a transformed one.
#[derive(Clone, Debug)]
pub(super) struct Case {
    /// Loops, one or two.
    dims: usize,
    steps: Vec<Step>,
    /// Whether the original has all statements in one nest or in one after another.
    fused: bool,
    /// Whether the new one has.
    fuse: bool,
    /// The new order of the statements.
    rotate: usize,
    tile: Option<i64>,
    /// Whether the outermost loop is parallel.
    parallel: bool,
    /// `B` in a local buffer: modulo what its last dimension is folded, and whether its life is
    /// one iteration of the outermost loop instead of the whole region.
    local: Option<(i64, bool)>,
}

fn reference(arrays: &'static [usize]) -> impl Strategy<Value = Reference> {
    (
        prop::sample::select(arrays),
        prop::array::uniform2(-1i64..=1),
    )
}

fn step() -> impl Strategy<Value = Step> {
    (
        prop::collection::vec(reference(&[0, 1]), 1..=3),
        reference(&[0, 1, 1, 2]),
        prop_oneof![3 => Just(0usize), 2 => 0..PLANES.len()],
        prop::array::uniform2(0i64..=2),
    )
        .prop_map(|(reads, write, plane, shift)| Step {
            reads,
            write,
            plane,
            shift,
        })
}

pub(super) fn case() -> impl Strategy<Value = Case> {
    (
        1usize..=2,
        prop::collection::vec(step(), 1..=3),
        (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>()),
        prop_oneof![3 => Just(0usize), 1 => 0usize..3],
        prop::option::of(2i64..=3),
        prop::option::weighted(0.4, (1i64..=5, any::<bool>())),
        0..PLANES.len(),
    )
        .prop_map(
            |(dims, mut steps, (fused, fuse, parallel, same), rotate, tile, local, plane)| {
                if same {
                    steps.iter_mut().for_each(|step| step.plane = plane);
                }
                let local = local.map(|(modulo, inner)| (modulo, inner && fuse));
                Case {
                    dims,
                    steps,
                    fused,
                    fuse,
                    rotate,
                    tile,
                    parallel,
                    local,
                }
            },
        )
}

impl Case {
    /// Loops of the new schedule for a statement, as linear functions `[i, j, 1]`.
    fn members(&self, step: &Step) -> Vec<[i64; 3]> {
        let plane = PLANES[step.plane];
        match self.dims {
            1 => vec![[if step.plane % 3 == 2 { -1 } else { 1 }, 0, step.shift[0]]],
            _ => (0..2)
                .map(|d| [plane[d][0], plane[d][1], step.shift[d]])
                .collect(),
        }
    }

    /// The position of a statement in the new order.
    fn position(&self, step: usize) -> i64 {
        ((step + self.rotate) % self.steps.len()) as i64
    }

    fn original_time(&self, step: usize, point: [i64; 2]) -> Vec<i64> {
        let mut time = point[..self.dims].to_vec();
        if self.fused {
            time.push(step as i64);
        } else {
            time.insert(0, step as i64);
        }
        time
    }

    /// The values of the new loops, then of the order of the statements.
    fn new_time(&self, step: usize, point: [i64; 2]) -> (Vec<i64>, i64) {
        let at: Vec<i64> = self
            .members(&self.steps[step])
            .iter()
            .map(|m| m[0] * point[0] + m[1] * point[1] + m[2])
            .collect();
        let mut loops = Vec::new();
        if let Some(tile) = self.tile {
            loops.extend(at.iter().map(|v| v.div_euclid(tile)));
        }
        loops.extend(at);
        (loops, self.position(step))
    }

    fn points(&self, n: i64) -> Vec<[i64; 2]> {
        match self.dims {
            1 => (0..n).map(|i| [i, 0]).collect(),
            _ => (0..n).flat_map(|i| (0..n).map(move |j| [i, j])).collect(),
        }
    }

    fn element(&self, reference: Reference, point: [i64; 2]) -> Vec<i64> {
        (0..self.dims).map(|d| point[d] + reference.1[d]).collect()
    }
}

/// A statement's instance.
type Instance = (usize, [i64; 2]);

/// What an execution does.
#[derive(Default)]
struct Execution {
    /// Per reader and number of its read: who wrote the value; `None` where nobody did.
    seen: BTreeMap<(Instance, usize), Option<Instance>>,
    /// The last writers of elements in full arrays.
    left: BTreeMap<(usize, Vec<i64>), Instance>,
}

/// Executes instances in order; `cell` says which memory an element is in, and whether that is
/// the full array.
fn execute(
    case: &Case,
    order: &[Instance],
    cell: impl Fn(Instance, usize, Vec<i64>) -> (Vec<i64>, bool),
) -> Execution {
    let mut result = Execution::default();
    let mut memory: BTreeMap<(usize, Vec<i64>), Instance> = BTreeMap::new();
    for &instance in order {
        let (step, point) = instance;
        for (number, &read) in case.steps[step].reads.iter().enumerate() {
            let (at, _) = cell(instance, read.0, case.element(read, point));
            result
                .seen
                .insert((instance, number), memory.get(&(read.0, at)).copied());
        }
        let write = case.steps[step].write;
        let element = case.element(write, point);
        let (at, full) = cell(instance, write.0, element.clone());
        memory.insert((write.0, at), instance);
        if full && LIVE_OUT[write.0] {
            result.left.insert((write.0, element), instance);
        }
    }
    result
}

/// Whether the transformed program is right for one `n`.
fn is_right(case: &Case, n: i64) -> bool {
    let mut instances: Vec<Instance> = Vec::new();
    for step in 0..case.steps.len() {
        instances.extend(case.points(n).into_iter().map(|point| (step, point)));
    }
    let mut original = instances.clone();
    original.sort_by_key(|&(step, point)| case.original_time(step, point));
    let wanted = execute(case, &original, |_, _, element| (element, true));

    let mut transformed = instances;
    transformed.sort_by_key(|&(step, point)| {
        let (loops, position) = case.new_time(step, point);
        if case.fuse {
            (0, loops, position)
        } else {
            (position, loops, 0)
        }
    });
    let cell = |(step, point): Instance, array: usize, mut element: Vec<i64>| match case.local {
        Some((modulo, inner)) if array == LOCAL => {
            if let Some(last) = element.last_mut() {
                *last = last.rem_euclid(modulo);
            }
            if inner {
                element.insert(0, case.new_time(step, point).0[0]);
            }
            (element, false)
        }
        _ => (element, true),
    };
    let found = execute(case, &transformed, cell);

    if case.parallel && races(case, &transformed, cell) {
        return false;
    }
    let reads_right = wanted.seen.iter().all(|(key, source)| {
        let ((step, _), number) = *key;
        let defined = source.is_some() || LIVE_IN[case.steps[step].reads[number].0];
        !defined || found.seen[key] == *source
    });
    reads_right && wanted.left == found.left
}

/// Whether iterations of the outermost loop touch the same memory, one of them writing.
fn races(
    case: &Case,
    instances: &[Instance],
    cell: impl Fn(Instance, usize, Vec<i64>) -> (Vec<i64>, bool),
) -> bool {
    // A cell and, if the loops are not fused, the statement.
    type Place = (usize, usize, Vec<i64>);
    // The iterations that touch it, and whether one writes.
    let mut touched: BTreeMap<Place, (BTreeSet<i64>, bool)> = BTreeMap::new();
    for &instance in instances {
        let (step, point) = instance;
        let iteration = case.new_time(step, point).0[0];
        let nest = if case.fuse { 0 } else { step };
        let reads = case.steps[step].reads.iter().map(|&read| (read, false));
        for (reference, writes) in reads.chain([(case.steps[step].write, true)]) {
            let (at, _) = cell(instance, reference.0, case.element(reference, point));
            let entry = touched.entry((nest, reference.0, at)).or_default();
            entry.0.insert(iteration);
            entry.1 |= writes;
        }
    }
    touched
        .values()
        .any(|(iterations, written)| *written && iterations.len() > 1)
}

/// The original program.
pub(super) fn scop(case: &Case) -> Scop {
    let tuple = ["i", "j"][..case.dims].join(", ");
    let bounds: Vec<String> = ["i", "j"][..case.dims]
        .iter()
        .map(|i| format!("0 <= {i} < n"))
        .collect();
    let mut builder = ScopBuilder::new("[n] -> { : 1 <= n <= 40 }")
        .inout(ARRAYS[0], case.dims)
        .temporary(ARRAYS[1], case.dims)
        .output(ARRAYS[2], case.dims);
    let text = |reference: &Reference| {
        let subscripts: Vec<String> = (0..case.dims)
            .map(|d| format!("{} + {}", ["i", "j"][d], reference.1[d]))
            .collect();
        format!("{}[{}]", ARRAYS[reference.0], subscripts.join(", "))
    };
    for (number, step) in case.steps.iter().enumerate() {
        let reads: Vec<String> = step.reads.iter().map(text).collect();
        let reads: Vec<&str> = reads.iter().map(String::as_str).collect();
        let domain = format!("S{number}[{tuple}] : {}", bounds.join(" and "));
        builder = builder.statement(&domain, &reads, &[&text(&step.write)]);
    }
    if case.fused && case.steps.len() > 1 {
        let mut text = format!("domain: \"{}\"\n", domains(case));
        let mut indent = String::new();
        for dim in &["i", "j"][..case.dims] {
            let maps: Vec<String> = (0..case.steps.len())
                .map(|step| format!("S{step}[{tuple}] -> [({dim})]"))
                .collect();
            text += &format!(
                "{indent}child:\n{indent}  schedule: \"[{{ {} }}]\"\n",
                maps.join("; ")
            );
            indent += "  ";
        }
        text += &format!("{indent}child:\n{indent}  sequence:\n");
        for step in 0..case.steps.len() {
            text += &format!("{indent}  - filter: \"{{ S{step}[{tuple}] }}\"\n");
        }
        builder = builder.schedule(&text);
    }
    builder.build()
}

fn domains(case: &Case) -> String {
    let sets: Vec<String> = (0..case.steps.len())
        .map(|step| match case.dims {
            1 => format!("S{step}[i] : 0 <= i < n"),
            _ => format!("S{step}[i, j] : 0 <= i < n and 0 <= j < n"),
        })
        .collect();
    format!("[n] -> {{ {} }}", sets.join("; "))
}

/// The transformed program.
pub(super) fn transformed(case: &Case, scop: &Scop) -> Transformed {
    let tuple = ["i", "j"][..case.dims].join(", ");
    let mut build = Build::unlifted(scop);
    if let Some((modulo, _)) = case.local {
        let mut dims = vec![("{ [] -> [(-50)] }", 1000, false); case.dims];
        dims[case.dims - 1] = ("{ [] -> [(0)] }", modulo, true);
        build = build.local("B_local", "B", 0, &dims).bind("B_local");
    }
    // Each loop as text per statement.
    let loops = |step: usize| -> Vec<String> {
        let members: Vec<String> = case
            .members(&case.steps[step])
            .iter()
            .map(|m| match case.dims {
                1 => format!("{} * i + {}", m[0], m[2]),
                _ => format!("{} * i + {} * j + {}", m[0], m[1], m[2]),
            })
            .collect();
        let mut loops = Vec::new();
        if let Some(tile) = case.tile {
            loops.extend(members.iter().map(|m| format!("floor(({m})/{tile})")));
        }
        loops.extend(members.iter().map(|m| format!("({m})")));
        loops
    };
    let nest = |steps: &[usize], inside: String| -> String {
        let mut tree = inside;
        let all: Vec<Vec<String>> = steps.iter().map(|&step| loops(step)).collect();
        for level in (0..all[0].len()).rev() {
            let maps: Vec<String> = steps
                .iter()
                .zip(&all)
                .map(|(step, loops)| format!("S{step}[{tuple}] -> [({})]", loops[level]))
                .collect();
            if level == 0 && case.local.is_some_and(|(_, inner)| inner) {
                if tree.is_empty() {
                    // A mark needs a child.
                    tree = format!(", child: {{ schedule: \"[{{ S0[{tuple}] -> [(0)] }}]\" }}");
                }
                tree = format!(", child: {{ mark: \"scope:0\"{tree} }}");
            }
            tree = format!(
                ", child: {{ schedule: \"[{{ {} }}]\"{tree} }}",
                maps.join("; ")
            );
            if level == 0 && case.parallel {
                tree = format!(", child: {{ mark: \"parallel\"{tree} }}");
            }
        }
        tree
    };
    let mut order: Vec<usize> = (0..case.steps.len()).collect();
    order.sort_by_key(|&step| case.position(step));
    let sequence = |inside: &dyn Fn(usize) -> String| -> String {
        let filters: Vec<String> = order
            .iter()
            .map(|&step| format!("{{ filter: \"{{ S{step}[{tuple}] }}\"{} }}", inside(step)))
            .collect();
        match order.len() {
            1 => inside(order[0]),
            _ => format!(", child: {{ sequence: [ {} ] }}", filters.join(", ")),
        }
    };
    let mut tree = if case.fuse {
        nest(&order, sequence(&|_| String::new()))
    } else {
        sequence(&|step| nest(&[step], String::new()))
    };
    if case.local.is_some_and(|(_, inner)| !inner) {
        tree = format!(", child: {{ mark: \"scope:0\"{tree} }}");
    }
    build.schedule(&format!("{{ domain: \"{}\"{tree} }}", domains(case)))
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 300,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn the_verdict_is_that_of_executing(case in case()) {
        let scop = scop(&case);
        let transformed = transformed(&case, &scop);
        // No case may take long, whatever its verdict.
        scop.ctx.set_max_operations(5_000_000).unwrap();
        let found = verdict(&scop, &transformed);
        prop_assert_eq!(found.is_none(), exact_verdict(&scop, &transformed).is_none());
        match found {
            None => {
                for n in 1..=5 {
                    prop_assert!(is_right(&case, n), "accepted, but wrong for n = {n}");
                }
            }
            Some(violation) => {
                let n = violation.parameters.strip_prefix("n = ").and_then(|n| n.parse().ok());
                let Some(n) = n else {
                    return Err(TestCaseError::fail(format!("{violation:?}")));
                };
                prop_assert!(!is_right(&case, n), "refused, but right: {violation:?}");
            }
        }
    }
}

/// The random cases are worth something only if both verdicts are frequent.
#[test]
fn random_cases_are_right_and_wrong() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut right = 0;
    for _ in 0..1000 {
        let case = case().new_tree(&mut runner).unwrap().current();
        right += i32::from((1..=5).all(|n| is_right(&case, n)));
    }
    assert!((150..850).contains(&right), "{right} of 1000 are right");
}

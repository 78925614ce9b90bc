//! Stage graphs of real pipelines: what grouping them takes.

use super::*;
use crate::planner::overlap::grouping::tests::algorithm1::entries;
use crate::planner::overlap::grouping::*;

/// Unsharp mask: the consumers of each stage.
#[rustfmt::skip]
const UNSHARP_MASK: &[&[usize]] = &[
    &[1], &[2, 3], &[3], &[],
];

/// Bilateral grid: the consumers of each stage.
#[rustfmt::skip]
const BILATERAL_GRID: &[&[usize]] = &[
    &[1], &[2], &[3], &[4], &[5], &[],
];

/// Harris corner detection: the consumers of each stage.
#[rustfmt::skip]
const HARRIS: &[&[usize]] = &[
    &[2, 3], &[3, 4], &[5], &[6], &[7], &[8, 9], &[9], &[8, 9], &[10], &[10], &[],
];

/// Camera pipeline: the consumers of each stage.
#[rustfmt::skip]
const CAMERA_PIPE: &[&[usize]] = &[
    &[1], &[2, 3, 4, 5], &[6, 7, 8, 9, 16], &[8, 10, 12, 14], &[9, 11, 13, 19],
    &[6, 7, 10, 11, 17], &[8, 10, 12, 13, 16], &[9, 11, 12, 13, 17], &[14], &[18], &[15], &[19],
    &[15], &[18], &[20], &[20], &[21], &[21], &[22], &[22], &[24], &[24], &[24], &[24], &[26],
    &[26], &[],
];

/// Multiscale interpolation, ten levels: the consumers of each stage.
#[rustfmt::skip]
const INTERPOLATE: &[&[usize]] = &[
    &[1, 36], &[2], &[3, 34], &[4], &[5, 32], &[6], &[7, 30], &[8], &[9, 28], &[10], &[11, 26],
    &[12], &[13, 24], &[14], &[15, 22], &[16], &[17, 20], &[18], &[19], &[20], &[21], &[22], &[23],
    &[24], &[25], &[26], &[27], &[28], &[29], &[30], &[31], &[32], &[33], &[34], &[35], &[36],
    &[37], &[],
];

/// Pyramid blending, four levels: the consumers of each stage.
#[rustfmt::skip]
const PYRAMID_BLENDING: &[&[usize]] = &[
    &[1], &[6, 25, 29], &[3], &[8, 27, 31], &[5], &[10, 28], &[7], &[12, 20, 24], &[9],
    &[14, 22, 26], &[11], &[16, 23], &[13], &[18, 19], &[15], &[18, 21], &[17], &[18], &[34],
    &[20], &[23], &[22], &[23], &[35], &[25], &[28], &[27], &[28], &[37], &[30], &[33], &[32],
    &[33], &[39], &[35], &[36], &[37], &[38], &[39], &[],
];

/// Local Laplacian filter, eight levels: the consumers of each stage.
#[rustfmt::skip]
const LOCAL_LAPLACIAN: &[&[usize]] = &[
    &[2], &[2, 3, 52, 67], &[17, 44], &[4], &[5, 51], &[6], &[7, 50], &[8], &[9, 49], &[10],
    &[11, 48], &[12], &[13, 47], &[14], &[15, 46], &[16], &[45], &[18], &[19, 42, 43], &[20],
    &[21, 40, 41], &[22], &[23, 38, 39], &[24], &[25, 36, 37], &[26], &[27, 34, 35], &[28],
    &[29, 32, 33], &[30], &[31, 45], &[32], &[46], &[34], &[47], &[36], &[48], &[38], &[49], &[40],
    &[50], &[42], &[51], &[44], &[52], &[53], &[54], &[56], &[58], &[60], &[62], &[64], &[66],
    &[54], &[55], &[56], &[57], &[58], &[59], &[60], &[61], &[62], &[63], &[64], &[65], &[66],
    &[67], &[],
];

const PIPELINES: [(&str, &[&[usize]]); 7] = [
    ("unsharp mask", UNSHARP_MASK),
    ("bilateral grid", BILATERAL_GRID),
    ("Harris", HARRIS),
    ("camera pipeline", CAMERA_PIPE),
    ("interpolation", INTERPOLATE),
    ("pyramid blending", PYRAMID_BLENDING),
    ("local Laplacian", LOCAL_LAPLACIAN),
];

fn graph(consumers: &[&[usize]]) -> Graph {
    let edges = consumers.iter().enumerate();
    let edges = edges.flat_map(|(producer, all)| all.iter().map(move |&c| (producer, c)));
    Graph::of(consumers.len(), &edges.collect::<Vec<_>>())
}

/// The shape of the paper's pyramid blending with 44 stages: two pictures and a mask, each taken
/// down `levels` times in two steps; Laplacians of the pictures, blended, and put together.
fn blend(levels: usize) -> Graph {
    let mut edges = Vec::new();
    let mut stages = 0;
    let mut stage = |reads: &[usize]| {
        edges.extend(reads.iter().map(|&read| (read, stages)));
        stages += 1;
        stages - 1
    };
    let mut pyramids = Vec::new();
    for _ in 0..3 {
        let mut pyramid = vec![stage(&[])];
        for level in 0..levels {
            let rows = stage(&[pyramid[level]]);
            pyramid.push(stage(&[rows]));
        }
        pyramids.push(pyramid);
    }
    let mut whole = None;
    for level in (0..=levels).rev() {
        let laplacian =
            |picture: &Vec<usize>, stage: &mut dyn FnMut(&[usize]) -> usize| match picture
                .get(level + 1)
            {
                Some(&coarser) => stage(&[coarser, picture[level]]),
                None => picture[level],
            };
        let first = laplacian(&pyramids[0], &mut stage);
        let second = laplacian(&pyramids[1], &mut stage);
        let blended = stage(&[first, second, pyramids[2][level]]);
        whole = Some(match whole {
            Some(coarser) => stage(&[coarser, blended]),
            None => blended,
        });
    }
    Graph::of(stages, &edges)
}

/// A cheap model with something to gain and something to lose: what crosses the border of a group
/// costs, and so do large groups.
fn traffic(dag: &Dag) -> impl FnMut(&StageSet) -> f64 + use<> {
    let dag = dag.clone();
    move |group| {
        let read = dag.producers_of(group) - *group;
        let written = group
            .iter()
            .filter(|&s| !dag.consumers(s).is_subset(group))
            .count();
        let size = group.len() as f64;
        10.0 * (read.len() + written) as f64 + size + size * size / 12.0
    }
}

fn all() -> Vec<(&'static str, Graph)> {
    let mut all: Vec<_> = PIPELINES
        .map(|(name, consumers)| (name, graph(consumers)))
        .into();
    all.push(("blend, 44 stages", blend(4)));
    for stages in [76, 102] {
        all.push(("chain", Graph::chain(stages)));
    }
    all
}

#[test]
fn real_pipelines_have_groups_with_one_output_that_are_all_tried() {
    let tried = all().into_iter().take(6).map(|(_, graph)| {
        let dag = graph.dag();
        let mut model = traffic(&dag);
        let mut costs = Costs::new(&mut model);
        let bounds = Bounds::default();
        let found = optimal(&dag, Space::OneOutput, None, &mut costs, bounds).unwrap();
        assert!(Space::OneOutput.is_grouping(&dag, &found.best.groups));
        assert_eq!(found.effort.states as usize, dag.stages());
        assert_eq!(found.effort.tried, found.effort.costed);
        found.effort.tried
    });
    assert_eq!(tried.collect::<Vec<_>>(), [8, 21, 54, 9183, 434, 30629]);
}

#[test]
fn what_takes_too_long_is_grouped_in_rounds() {
    let dag = graph(LOCAL_LAPLACIAN).dag();
    let mut model = traffic(&dag);
    let mut costs = Costs::new(&mut model);
    let bounds = Bounds {
        tried: 20_000,
        costed: 20_000,
    };
    let limits = defaults::GROUP_LIMITS;
    let found = group(&dag, Space::OneOutput, &limits, &mut costs, bounds).unwrap();
    assert!(Space::OneOutput.is_grouping(&dag, &found.grouping.groups));
    assert_eq!(found.rounds[0].limit, Some(16));
    assert!(found.effort.tried <= 20_001 * 12);
}

/// What the thread has run for, where Linux says so: on a busy machine the clock says little.
fn milliseconds() -> f64 {
    let run = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = run.split(' ').next().and_then(|n| n.parse::<f64>().ok());
    nanoseconds.map_or(f64::NAN, |n| n / 1e6)
}

/// Prints what the paper's tables 1 and 9 have: `cargo test --release -- --ignored --nocapture
/// groups_tried`.
#[test]
#[ignore = "prints a table for people, of times"]
fn groups_tried() {
    let bounds = Bounds {
        tried: 3_000_000,
        costed: 3_000_000,
    };
    println!(
        "graph | stages | max. successors | entries of T | space | l | tried | states | costed | ms"
    );
    for (name, graph) in all() {
        let dag = graph.dag();
        let most = (0..dag.stages()).map(|s| dag.consumers(s).len()).max();
        let entries = entries(&graph, 100_000).map_or("> 100000".to_owned(), |e| e.to_string());
        for space in [Space::OneOutput, Space::AnyOutputs] {
            for limit in [None, Some(32), Some(16), Some(8)] {
                let mut model = traffic(&dag);
                let mut costs = Costs::new(&mut model);
                let started = milliseconds();
                let found = optimal(&dag, space, limit, &mut costs, bounds);
                let time = milliseconds() - started;
                let (more, effort) = match found {
                    Ok(found) => ("", found.effort),
                    Err(GroupingError::TooMuchWork { effort }) => ("> ", effort),
                    Err(error) => panic!("{error}"),
                };
                println!(
                    "{name} | {} | {} | {entries} | {space:?} | {} | {more}{} | {} | {} | {time:.1}",
                    dag.stages(),
                    most.unwrap_or(0),
                    limit.map_or("∞".to_owned(), |l| l.to_string()),
                    effort.tried,
                    effort.states,
                    effort.costed,
                );
            }
        }
        for space in [Space::OneOutput, Space::AnyOutputs] {
            let mut model = traffic(&dag);
            let mut costs = Costs::new(&mut model);
            let started = milliseconds();
            let found = group(
                &dag,
                space,
                &defaults::GROUP_LIMITS,
                &mut costs,
                Bounds::default(),
            );
            let time = milliseconds() - started;
            match found {
                Ok(found) => {
                    let limits: Vec<_> = found.rounds.iter().map(|r| r.limit).collect();
                    let cost = found.grouping.cost;
                    println!("{name} | {space:?} driver | {limits:?} | cost {cost} | {time:.1}");
                }
                Err(error) => println!("{name} | {space:?} driver | {error} | {time:.1}"),
            }
            let greedy = halide(&dag, space, &mut costs).map(|greedy| greedy.cost);
            println!("{name} | {space:?} greedy pairs | cost {greedy:?}");
        }
    }
}

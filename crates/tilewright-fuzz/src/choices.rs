//! What the compiler is asked for: words as on its command line, so that a case can be compiled by
//! hand.

use crate::random::Random;
use std::time::Duration;
use tilewright::compile::{Certify, Limits, Options, Target};
use tilewright::plan::{Fuse, Shape};
use tilewright::planner::{Format, Fusion, Inline, InnerTile, Inspect, Reductions};

/// Words of the command line; a value stands in the same word, behind a space.
pub type Words = Vec<String>;

/// The seed with which the plan is changed, where that is asked for: a word of ours alone.
pub fn mutation(words: &[String]) -> Option<u64> {
    words
        .iter()
        .find_map(|w| w.strip_prefix("--mutate ")?.parse().ok())
}

/// Options at random for a kind of programs: shapes over time mostly for stencils.
pub fn choose(random: &mut Random, kind: &str) -> Words {
    let mut words = Words::new();
    if random.percent(24) {
        // Many loops are best left as they are, and are generated anew on demand only. Where there
        // is little to do for threads, these may execute the file's own loops.
        match random.below(3) {
            0 => words.push("--shape none".to_owned()),
            1 => words.push("--fork-operations 1".to_owned()),
            _ => {}
        }
        return words;
    }
    if random.percent(65) {
        let over_time = if kind == "stencil" { 30 } else { 1 };
        let overlapped = if kind == "pipeline" { 40 } else { 4 };
        let shape = random.weighted(&[
            (50, "none"),
            (70, "parallelogram"),
            (overlapped, "scalene"),
            (overlapped, "right"),
            (overlapped, "polymage"),
            (over_time, "split"),
            (over_time, "diamond"),
            (over_time, "hexagonal"),
        ]);
        words.push(format!("--shape {shape}"));
    }
    if random.percent(50) {
        let fuse = random.weighted(&[(1, "no"), (1, "smart"), (4, "max"), (2, "written")]);
        words.push(format!("--fuse {fuse}"));
    }
    if random.percent(80) {
        let count = random.range(1, 3);
        let sizes: Vec<String> = (0..count)
            .map(|_| {
                random
                    .weighted(&[
                        (1, 0i64),
                        (1, 1),
                        (3, 2),
                        (3, 3),
                        (4, 4),
                        (2, 5),
                        (2, 7),
                        (3, 8),
                        (1, 16),
                    ])
                    .to_string()
            })
            .collect();
        words.push(format!("--tile-sizes {}", sizes.join(",")));
    }
    let rare: [(u64, &str); 15] = [
        (10, "--no-parallel"),
        (15, "--no-simd"),
        (8, "--no-wavefront"),
        (15, "--separate"),
        (10, "--inline none"),
        (15, "--inline pointwise"),
        (8, "--overlap 0"),
        (6, "--overlap 1"),
        (8, "--point-loops apart"),
        (10, "--reductions atomic"),
        (12, "--reductions privatise"),
        (8, "--inspect none"),
        (6, "--format ell"),
        (10, "--inner-tile 2"),
        (20, "--fork-operations 200"),
    ];
    for (chance, word) in rare {
        let (name, _) = word.split_once(' ').unwrap_or((word, ""));
        if random.percent(chance) && !words.iter().any(|w| w.starts_with(name)) {
            words.push(word.to_owned());
        }
    }
    if random.percent(12) {
        let fusion = *random.pick(&["polymage", "halide", "apart"]);
        words.push(format!("--fusion {fusion}"));
    }
    if random.percent(15) {
        let budget = *random.pick(&[1_000, 5_000, 20_000, 30_000, 60_000, 100_000, 3_000_000]);
        words.push(format!("--budget {budget}"));
    }
    if random.percent(6) {
        words.push("--target c".to_owned());
    }
    if random.percent(10) {
        words.push("--certify quick".to_owned());
    }
    if random.percent(25) {
        words.push(format!("--mutate {}", random.below(1 << 30)));
    }
    let decides = |word: &String| {
        let names = ["--shape", "--fuse", "--tile-sizes"];
        names.iter().any(|name| word.starts_with(name))
    };
    if !words.iter().any(decides) {
        words.push("--shape none".to_owned());
    }
    words
}

/// Operations of isl per step where no budget is chosen: programs are small.
const BUDGET: u64 = 400_000;

/// What the words mean. None for words that are not known.
pub fn options(words: &[String]) -> Option<Options> {
    let mut options = Options {
        // Results are executed here, most of them by nothing else.
        certify: Certify::Never,
        limits: Limits {
            budget: BUDGET,
            region_time: Duration::from_secs(2),
            scheduling_time: Duration::from_millis(500),
            generation_time: Duration::from_secs(1),
        },
        ..Options::default()
    };
    let wishes = &mut options.wishes;
    // Programs are small: threads are started for all of them.
    wishes.processor.fork = 0;
    for word in words {
        let (name, value) = word.split_once(' ').unwrap_or((word, ""));
        match name {
            "--shape" => {
                wishes.shape = Some(match value {
                    "none" => Shape::None,
                    "parallelogram" => Shape::Parallelogram,
                    "scalene" => Shape::Scalene,
                    "right" => Shape::Right,
                    "polymage" => Shape::Polymage,
                    "split" => Shape::Split,
                    "diamond" => Shape::Diamond,
                    "hexagonal" => Shape::Hexagonal,
                    _ => return None,
                });
            }
            "--fork-operations" => wishes.processor.fork = value.parse().ok()?,
            "--fuse" => {
                wishes.fuse = Some(match value {
                    "no" => Fuse::No,
                    "smart" => Fuse::Smart,
                    "max" => Fuse::Max,
                    "written" => Fuse::Written,
                    _ => return None,
                });
            }
            "--tile-sizes" => wishes.tile_sizes = Some(numbers(value)?),
            "--overlap" => {
                wishes.pipelines.overlap =
                    Some(numbers(value)?.iter().map(|d| *d as usize).collect());
            }
            "--no-parallel" => wishes.processor.parallel = false,
            "--no-simd" => wishes.processor.vectorise = false,
            "--no-wavefront" => wishes.processor.wavefront = false,
            "--separate" => wishes.processor.separate = true,
            "--inline" => {
                wishes.pipelines.inline = match value {
                    "none" => Inline::None,
                    "pointwise" => Inline::Pointwise,
                    names => Inline::Stages(names.split(',').map(str::to_owned).collect()),
                };
            }
            "--point-loops" => wishes.pipelines.share_loops = value != "apart",
            "--reductions" => {
                wishes.sums.reductions = match value {
                    "none" => Reductions::None,
                    "atomic" => Reductions::Atomic,
                    "privatise" => Reductions::Privatise,
                    _ => return None,
                };
            }
            "--inspect" => wishes.data.inspect = Inspect::None,
            "--format" => wishes.data.format = Format::Ell,
            "--inner-tile" => wishes.pipelines.inner_tile = InnerTile::Rows(value.parse().ok()?),
            "--fusion" => {
                wishes.pipelines.fusion = match value {
                    "polymage" => Fusion::Polymage,
                    "halide" => Fusion::Halide,
                    "apart" => Fusion::Apart,
                    _ => return None,
                };
            }
            "--mutate" => {}
            "--certify" => options.certify = Certify::Quick,
            "--budget" => options.limits.budget = value.parse().ok()?,
            "--target" => {
                options.target = match value {
                    "c" => Target::C,
                    _ => return None,
                };
            }
            _ => return None,
        }
    }
    Some(options)
}

fn numbers(value: &str) -> Option<Vec<i64>> {
    value.split(',').map(|n| n.parse().ok()).collect()
}

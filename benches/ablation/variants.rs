//! The versions of the planner that are compared, and which two of them say what a part is worth.

use tilewright::plan::Shape;
use tilewright::planner::cost::{Objective, Weights};
use tilewright::planner::{Fusion, Inline, InnerTile, Wishes};
use tilewright_driver::tune::Space;

/// A version of the planner.
pub struct Variant {
    pub name: &'static str,
    /// What it is, in a few words.
    pub what: &'static str,
    /// Changes what the planner is asked for by default.
    pub wishes: fn(&mut Wishes),
    /// What is searched for the fastest plan, and with which shapes in place of the space's own.
    pub search: Option<(Space, Option<&'static [Shape]>)>,
}

const fn variant(name: &'static str, what: &'static str, wishes: fn(&mut Wishes)) -> Variant {
    Variant {
        name,
        what,
        wishes,
        search: None,
    }
}

const fn searched(variant: Variant, space: Space, shapes: Option<&'static [Shape]>) -> Variant {
    Variant {
        search: Some((space, shapes)),
        ..variant
    }
}

/// The planner as it is.
pub const MODEL: &str = "model";

/// All versions. `p-` is the objective of TOPLAS 2020 with its inlining, `t-` predicted time with
/// ours; behind `dp`, letters say which parts are on: fusion of loops in tiles, two levels of
/// tiles, inlining.
pub const VARIANTS: [Variant; 16] = [
    variant("apart", "no fusion, no inlining", |w| {
        w.pipelines.fusion = Fusion::Apart;
        w.pipelines.inline = Inline::None;
    }),
    searched(
        variant(
            "greedy-tuned",
            "PolyMage's fusion, sizes and tolerance by search",
            |w| {
                w.pipelines.fusion = Fusion::Polymage;
                w.pipelines.inline = Inline::None;
            },
        ),
        Space::Polymage,
        Some(&[Shape::Right]),
    ),
    variant("p-greedy", "PolyMage's fusion, one tile size", |w| {
        w.pipelines.fusion = Fusion::Polymage;
        paper(w, true, true);
    }),
    variant("p-halide", "Halide's fusion, sizes by cost: G+TC", |w| {
        w.pipelines.fusion = Fusion::Halide;
        paper(w, true, true);
    }),
    variant("p-dp", "optimal fusion", |w| {
        paper(w, false, false);
        w.pipelines.share_loops = false;
    }),
    variant("p-dp-f", "and fusion of loops in tiles", |w| {
        paper(w, false, false)
    }),
    variant("p-dp-fm", "and two levels of tiles", |w| {
        paper(w, true, false)
    }),
    variant("p-dp-fmi", "and inlining", |w| paper(w, true, true)),
    variant("t-greedy", "PolyMage's fusion, one tile size", |w| {
        w.pipelines.fusion = Fusion::Polymage;
    }),
    variant("t-halide", "Halide's fusion, sizes by cost", |w| {
        w.pipelines.fusion = Fusion::Halide;
    }),
    variant("t-dp", "optimal fusion", |w| {
        ours(w, false, false);
        w.pipelines.share_loops = false;
    }),
    variant("t-dp-f", "and fusion of loops in tiles", |w| {
        ours(w, false, false)
    }),
    variant("t-dp-fm", "and two levels of tiles", |w| {
        ours(w, true, false)
    }),
    variant(MODEL, "and inlining: the planner as it is", |w| {
        ours(w, true, true)
    }),
    searched(
        variant("tuned-polymage", "the fastest of PolyMage's space", |_| {}),
        Space::Polymage,
        None,
    ),
    searched(
        variant("tuned-wide", "the fastest of the wide space", |_| {}),
        Space::Wide,
        None,
    ),
];

fn paper(wishes: &mut Wishes, levels: bool, inline: bool) {
    wishes.objective = Objective::Toplas(Weights::XEON);
    parts(wishes, levels);
    wishes.pipelines.inline = if inline {
        Inline::Pointwise
    } else {
        Inline::None
    };
}

fn ours(wishes: &mut Wishes, levels: bool, inline: bool) {
    parts(wishes, levels);
    wishes.pipelines.inline = if inline { Inline::Auto } else { Inline::None };
}

fn parts(wishes: &mut Wishes, levels: bool) {
    wishes.pipelines.inner_tile = if levels {
        InnerTile::Auto
    } else {
        InnerTile::None
    };
}

/// What a part of the planner is worth: the time without it over the time with it.
pub struct Column {
    pub part: &'static str,
    pub without: &'static str,
    pub with: &'static str,
    /// Table 8 of TOPLAS 2020: over all benchmarks, and over those with other groups or sizes.
    pub paper: (f64, f64),
}

const fn column(
    part: &'static str,
    without: &'static str,
    with: &'static str,
    paper: (f64, f64),
) -> Column {
    Column {
        part,
        without,
        with,
        paper,
    }
}

/// The columns of table 8, with the paper's objective and with ours. The paper's first one
/// compares with Halide's scheduler, which is not here: PolyMage's fusion with tiles of one size
/// stands for it.
pub const COLUMNS: [Column; 10] = [
    column("cost function", "p-greedy", "p-halide", (1.30, 1.30)),
    column("optimal fusion", "p-halide", "p-dp-fmi", (1.08, 1.17)),
    column("fusion of loops in tiles", "p-dp", "p-dp-f", (1.04, 1.02)),
    column("two levels of tiles", "p-dp-f", "p-dp-fm", (1.04, 1.05)),
    column("inlining", "p-dp-fm", "p-dp-fmi", (1.07, 1.08)),
    column("cost function", "t-greedy", "t-halide", (1.30, 1.30)),
    column("optimal fusion", "t-halide", MODEL, (1.08, 1.17)),
    column("fusion of loops in tiles", "t-dp", "t-dp-f", (1.04, 1.02)),
    column("two levels of tiles", "t-dp-f", "t-dp-fm", (1.04, 1.05)),
    column("inlining", "t-dp-fm", MODEL, (1.07, 1.08)),
];

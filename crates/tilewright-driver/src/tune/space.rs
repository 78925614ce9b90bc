//! What is searched.

use crate::data::fill::SplitMix64;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use tilewright::plan::{Shape, defaults};
use tilewright::planner::{DeviceWishes, LocalCopies, PipelineWishes, Wishes};

/// PolyMage's tile sizes, for each of the two innermost dimensions: the seven of TACO 2019,
/// section 4.2. TOPLAS 2020 also speaks of seven, but section 7.4.1 lists five (8, 16, 24, 128
/// and 256), so that its list has mistakes; all standard sizes of TACO's table 2 are of these
/// seven. (The pairs in the applications of PolyMage's repository, for Harris and the camera
/// pipeline, are fifteen of these 49, chosen by hand.)
const POLYMAGE_SIZES: [i64; 7] = [8, 16, 32, 64, 128, 256, 512];

/// PolyMage's overlap thresholds: TOPLAS 2020, section 7.4.1. With 49 pairs of sizes they make
/// the 147 choices of its section 2.4.
const TOLERANCES: [f64; 3] = [0.2, 0.4, 0.5];

/// Rows of the non-trivial tile sizes of TACO 2019, section 4.2: from 2^(m-1) to 2^m around a
/// standard size of 2^m. The paper tries all in between. Of each octave its ends and its middle
/// are kept: all rows of table 2, standard and non-trivial, are among them.
const TACO_ROWS: [i64; 9] = [4, 6, 8, 12, 16, 24, 32, 48, 64];

/// Columns: 2^n + 16 k with 0 ≤ k ≤ 3, where 2^n is one of table 2's standard sizes.
const TACO_COLUMNS: [i64; 12] = [128, 144, 160, 176, 256, 272, 288, 304, 512, 528, 544, 560];

/// What the wide space has beyond both: tile sizes go up to 2,048 in TOPLAS 2020, section 2.4, and
/// the rows of right trapezoids may be whole (0) at no cost.
const WIDE_COLUMNS: [i64; 3] = [1024, 2048, 0];

/// Rows of tiles on devices, or the height of tiles over time.
const BLOCK_ROWS: [i64; 5] = [4, 8, 16, 32, 64];

/// Columns of tiles on devices: one to eight warps' cells.
const BLOCK_COLUMNS: [i64; 4] = [32, 64, 128, 256];

/// Threads of a block, along x and y.
const BLOCK_THREADS: [[i64; 2]; 6] = [[32, 4], [32, 8], [32, 16], [64, 4], [64, 8], [128, 2]];

/// Iterations of a thread's innermost loop that are written as one.
const UNROLLED: [i64; 3] = [1, 4, 8];

/// Shapes of the wide space.
const WIDE_SHAPES: [Shape; 3] = [Shape::Scalene, Shape::Right, Shape::Parallelogram];

/// What the planner is asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Candidate {
    /// Shape of tiles; `None`: the planner's choice.
    pub shape: Option<Shape>,
    /// Tile sizes of the innermost dimensions; `None`: the planner's choice.
    pub tile_sizes: Option<Vec<i64>>,
    /// See [`defaults::OVERLAP_TOLERANCE`].
    pub overlap_tolerance: f64,
    /// What is asked for on a device; `None`: the planner's choice, or there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blocks: Option<Blocks>,
}

/// What a device's blocks of threads are asked to be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Blocks {
    /// Threads along x and y.
    pub threads: [i64; 2],
    /// Whether arrays of tiles go to local memory where that is likely to pay.
    pub promote: bool,
    /// Iterations of a thread's innermost loop that are written as one.
    pub unroll: i64,
    /// Whether full tiles are apart from partial ones.
    pub full_tiles: bool,
}

impl Candidate {
    /// The one for which everything is the planner's choice.
    pub fn planners_choice() -> Candidate {
        Candidate {
            shape: None,
            tile_sizes: None,
            overlap_tolerance: defaults::OVERLAP_TOLERANCE,
            blocks: None,
        }
    }

    /// Whether everything is the planner's choice.
    pub fn is_planners_choice(&self) -> bool {
        *self == Candidate::planners_choice()
    }

    /// As the planner wants it.
    pub fn wishes(&self, others: &Wishes) -> Wishes {
        Wishes {
            shape: self.shape,
            tile_sizes: self.tile_sizes.clone(),
            pipelines: PipelineWishes {
                overlap_tolerance: self.overlap_tolerance,
                ..others.pipelines.clone()
            },
            device: match (&others.device, &self.blocks) {
                (Some(device), Some(blocks)) => Some(DeviceWishes {
                    threads: Some(blocks.threads.to_vec()),
                    promote: match blocks.promote {
                        true => LocalCopies::All,
                        false => LocalCopies::None,
                    },
                    unroll: blocks.unroll,
                    full_tiles: Some(blocks.full_tiles),
                    ..device.clone()
                }),
                (device, _) => device.clone(),
            },
            ..others.clone()
        }
    }
}

/// `scalene 16 × 272, tolerance 0.4`
impl fmt::Display for Candidate {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_planners_choice() {
            return out.write_str("default plan");
        }
        let shape = self.shape.map_or("auto", Shape::name);
        out.write_str(shape)?;
        if let Some(sizes) = &self.tile_sizes {
            let text = |size: &i64| match size {
                0 => "whole".to_owned(),
                size => size.to_string(),
            };
            let sizes: Vec<String> = sizes.iter().map(text).collect();
            write!(out, " {}", sizes.join(" × "))?;
        }
        let Some(blocks) = &self.blocks else {
            if has_tolerance(self.shape) {
                write!(out, ", tolerance {}", self.overlap_tolerance)?;
            }
            return Ok(());
        };
        let [x, y] = blocks.threads;
        write!(out, ", {x} × {y} threads, unroll {}", blocks.unroll)?;
        for (is, what) in [
            (blocks.promote, "local memory"),
            (blocks.full_tiles, "full tiles apart"),
        ] {
            if is {
                write!(out, ", {what}")?;
            }
        }
        Ok(())
    }
}

/// Whether the overlap tolerance means anything to a shape.
fn has_tolerance(shape: Option<Shape>) -> bool {
    !shape.is_some_and(|s| s.is_over_time() || matches!(s, Shape::None | Shape::Parallelogram))
}

/// A set of candidates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Space {
    /// What PolyMage's autotuner searches, in its own shape: 7 × 7 tile sizes and three
    /// tolerances.
    Polymage,
    /// Non-trivial tile sizes around the standard ones, as scalene trapezoids (TACO 2019, section
    /// 4.2), with the same tolerances.
    Taco,
    /// The sizes of both, larger ones and whole rows, as scalene and right trapezoids and as
    /// parallelograms.
    #[default]
    Wide,
    /// Tile sizes and blocks of threads for devices, in the planner's shape.
    Blocks,
}

impl Space {
    /// All spaces.
    pub const ALL: [Space; 4] = [Space::Polymage, Space::Taco, Space::Wide, Space::Blocks];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Space::Polymage => "polymage",
            Space::Taco => "taco",
            Space::Wide => "wide",
            Space::Blocks => "blocks",
        }
    }

    fn shapes(self) -> &'static [Shape] {
        match self {
            Space::Polymage => &[Shape::Polymage],
            Space::Taco => &[Shape::Scalene],
            Space::Wide => &WIDE_SHAPES,
            Space::Blocks => &[],
        }
    }

    fn rows(self) -> Vec<i64> {
        match self {
            Space::Polymage => POLYMAGE_SIZES.to_vec(),
            Space::Taco => TACO_ROWS.to_vec(),
            Space::Wide => union(&[&POLYMAGE_SIZES, &TACO_ROWS]),
            Space::Blocks => BLOCK_ROWS.to_vec(),
        }
    }

    fn columns(self) -> Vec<i64> {
        match self {
            Space::Polymage => POLYMAGE_SIZES.to_vec(),
            Space::Taco => TACO_COLUMNS.to_vec(),
            Space::Wide => union(&[&POLYMAGE_SIZES, &TACO_COLUMNS, &WIDE_COLUMNS]),
            Space::Blocks => BLOCK_COLUMNS.to_vec(),
        }
    }

    /// The candidates of [`Space::Blocks`]: for loops as they are only the blocks.
    fn blocks(self, shapes: Option<&[Shape]>) -> Vec<Candidate> {
        let mut shaped = Vec::new();
        let shapes = match shapes {
            None => vec![None],
            Some(shapes) => shapes.iter().copied().map(Some).collect(),
        };
        for shape in shapes {
            let candidate = |tile_sizes| Candidate {
                shape,
                tile_sizes,
                ..Candidate::planners_choice()
            };
            shaped.push(candidate(None));
            if shape == Some(Shape::None) {
                continue;
            }
            for row in self.rows() {
                let columns = self.columns().into_iter();
                shaped.extend(columns.map(|column| candidate(Some(vec![row, column]))));
            }
        }
        let mut all = Vec::new();
        for candidate in shaped {
            for threads in BLOCK_THREADS {
                for unroll in UNROLLED {
                    for (promote, full_tiles) in
                        [(true, true), (true, false), (false, true), (false, false)]
                    {
                        all.push(Candidate {
                            blocks: Some(Blocks {
                                threads,
                                promote,
                                unroll,
                                full_tiles,
                            }),
                            ..candidate.clone()
                        });
                    }
                }
            }
        }
        all
    }

    /// The default plan, then all others in an order that follows from `seed`: however little time
    /// there is, what is seen of the space is spread over it. `shapes` replaces the space's own.
    pub fn candidates(self, shapes: Option<&[Shape]>, seed: u64) -> Vec<Candidate> {
        let mut all = match self {
            Space::Blocks => self.blocks(shapes),
            _ => self.sizes(shapes),
        };
        // Fisher and Yates.
        let mut random = SplitMix64(seed);
        for end in (1..all.len()).rev() {
            let other = random.next() % (end as u64 + 1);
            all.swap(end, usize::try_from(other).unwrap_or(end));
        }
        all.insert(0, Candidate::planners_choice());
        all
    }

    /// The candidates of the spaces for processors.
    fn sizes(self, shapes: Option<&[Shape]>) -> Vec<Candidate> {
        let mut all = Vec::new();
        for &shape in shapes.unwrap_or(self.shapes()) {
            // Untiled loops have no sizes.
            if shape == Shape::None {
                all.push(Candidate {
                    shape: Some(shape),
                    ..Candidate::planners_choice()
                });
                continue;
            }
            let tolerances: &[f64] = if has_tolerance(Some(shape)) {
                &TOLERANCES
            } else {
                &[defaults::OVERLAP_TOLERANCE]
            };
            for &row in &self.rows() {
                for &column in &self.columns() {
                    all.extend(tolerances.iter().map(|&overlap_tolerance| Candidate {
                        shape: Some(shape),
                        tile_sizes: Some(vec![row, column]),
                        overlap_tolerance,
                        blocks: None,
                    }));
                }
            }
        }
        all
    }
}

impl FromStr for Space {
    type Err = String;

    fn from_str(text: &str) -> Result<Space, String> {
        let found = Space::ALL.into_iter().find(|space| space.name() == text);
        found.ok_or_else(|| {
            let names = Space::ALL.map(Space::name).join(", ");
            format!("unknown space `{text}`: {names}")
        })
    }
}

impl fmt::Display for Space {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

fn union(lists: &[&[i64]]) -> Vec<i64> {
    let mut all: Vec<i64> = lists.concat();
    all.sort_unstable();
    all.dedup();
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn sizes(space: Space) -> BTreeSet<Vec<i64>> {
        let all = space.candidates(None, 1).into_iter();
        all.filter_map(|candidate| candidate.tile_sizes).collect()
    }

    #[test]
    fn spaces_have_the_sizes_of_the_papers() {
        // TOPLAS 2020, section 2.4: 7² × 3 = 147 choices; and the default plan.
        assert_eq!(Space::Polymage.candidates(None, 1).len(), 147 + 1);
        assert_eq!(sizes(Space::Polymage).len(), 49);
        assert_eq!(Space::Taco.candidates(None, 1).len(), 9 * 12 * 3 + 1);
        assert_eq!(
            Space::Wide.candidates(None, 1).len(),
            12 * 19 * (3 + 3 + 1) + 1
        );
    }

    #[test]
    fn table_2_is_in_the_spaces() {
        // BG, CP, HC, LF, MI, PB, UM.
        let standard = [
            [8, 128],
            [64, 256],
            [32, 256],
            [8, 256],
            [32, 128],
            [16, 256],
            [8, 512],
        ];
        let non_trivial = [
            [6, 144],
            [32, 288],
            [24, 288],
            [6, 272],
            [24, 160],
            [12, 272],
            [4, 544],
        ];
        let (polymage, taco) = (sizes(Space::Polymage), sizes(Space::Taco));
        for pair in standard {
            assert!(polymage.contains(pair.as_slice()), "{pair:?}");
            assert!(taco.contains(pair.as_slice()), "{pair:?}");
        }
        for pair in non_trivial {
            assert!(taco.contains(pair.as_slice()), "{pair:?}");
        }
        let wide = sizes(Space::Wide);
        assert!(wide.is_superset(&polymage) && wide.is_superset(&taco));
    }

    #[test]
    fn columns_are_slightly_more_than_a_power_of_two() {
        for column in TACO_COLUMNS {
            let power = 1 << column.ilog2();
            assert!((column - power) % 16 == 0 && (column - power) / 16 <= 3);
        }
        for row in TACO_ROWS {
            assert!(POLYMAGE_SIZES.iter().any(|&m| m / 2 <= row && row <= m));
        }
    }

    #[test]
    fn the_order_is_random_but_for_the_default_plan() {
        let of = |seed| Space::Taco.candidates(None, seed);
        assert_eq!(of(1), of(1));
        assert_ne!(of(1), of(2));
        assert!(of(1)[0].is_planners_choice() && of(2)[0].is_planners_choice());
        let texts =
            |seed| -> BTreeSet<String> { of(seed).iter().map(Candidate::to_string).collect() };
        assert_eq!(texts(1), texts(2));
        assert_eq!(texts(1).len(), of(1).len(), "names are unique");
    }

    #[test]
    fn shapes_can_be_chosen() {
        let all = Space::Polymage.candidates(Some(&[Shape::Right, Shape::None]), 1);
        assert_eq!(all.len(), 147 + 1 + 1);
        assert!(all[1..].iter().all(|c| c.shape != Some(Shape::Polymage)));
    }

    #[test]
    fn candidates_become_wishes() {
        let candidate = Candidate {
            shape: Some(Shape::Scalene),
            tile_sizes: Some(vec![12, 0]),
            overlap_tolerance: 0.2,
            blocks: None,
        };
        assert_eq!(candidate.to_string(), "scalene 12 × whole, tolerance 0.2");
        let mut others = Wishes::default();
        others.processor.separate = true;
        let wishes = candidate.wishes(&others);
        assert_eq!(wishes.shape, Some(Shape::Scalene));
        assert_eq!(wishes.tile_sizes, Some(vec![12, 0]));
        assert_eq!(wishes.pipelines.overlap_tolerance, 0.2);
        assert!(wishes.processor.separate);
        let choice = format!("{:?}", Candidate::planners_choice().wishes(&others));
        assert_eq!(choice, format!("{others:?}"));
    }

    #[test]
    fn names_of_spaces() {
        for space in Space::ALL {
            assert_eq!(space.name().parse(), Ok(space));
        }
        let error = "narrow".parse::<Space>().unwrap_err();
        assert_eq!(
            error,
            "unknown space `narrow`: polymage, taco, wide, blocks"
        );
    }

    #[test]
    fn blocks_are_for_devices() {
        let all = Space::Blocks.candidates(None, 1);
        // 5 × 4 sizes or the planner's, 6 blocks, 3 times unrolled, promoted or not, full tiles
        // apart or not.
        assert_eq!(all.len(), (5 * 4 + 1) * 6 * 3 * 2 * 2 + 1);
        let texts: BTreeSet<String> = all.iter().map(Candidate::to_string).collect();
        assert_eq!(texts.len(), all.len(), "names are unique");
        let candidate = Candidate {
            tile_sizes: Some(vec![8, 64]),
            blocks: Some(Blocks {
                threads: [64, 4],
                promote: false,
                unroll: 4,
                full_tiles: true,
            }),
            ..Candidate::planners_choice()
        };
        assert!(all.contains(&candidate));
        let text = "auto 8 × 64, 64 × 4 threads, unroll 4, full tiles apart";
        assert_eq!(candidate.to_string(), text);
        let others = Wishes {
            device: Some(DeviceWishes::default()),
            ..Wishes::default()
        };
        let device = candidate.wishes(&others).device.expect("a device");
        assert_eq!(device.threads, Some(vec![64, 4]));
        assert_eq!(
            (device.promote, device.unroll, device.full_tiles),
            (LocalCopies::None, 4, Some(true))
        );
        assert_eq!(candidate.wishes(&Wishes::default()).device, None);
        let untiled = Space::Blocks.candidates(Some(&[Shape::None]), 1);
        assert_eq!(untiled.len(), 6 * 3 * 2 * 2 + 1);
        // What logs of processors say is as it was.
        let json = serde_json::to_string(&Candidate::planners_choice()).expect("json");
        assert!(!json.contains("blocks"), "{json}");
    }
}

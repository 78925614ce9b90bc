//! Transfers from over-approximated live-in and live-out sets: section 3.2.
//!
//! Sets may be made simpler on purpose, hulls or boxes of cells for each tile. They are then no
//! longer unions of what single points access (*pointwise*, Definition 1), and unaligned tiles
//! would take away what aligned ones do not. So each function `F` of tiles is replaced by the
//! pointwise `F°` of Property 5: what any tile that holds the corner of the tile accesses. More is
//! loaded, never later, and stored, never earlier.

use super::accesses::{Accesses, ArrayAccesses};
use super::tiling::{Tiling, names};
use super::transfers::{ArrayTransfers, LiveOut, Transfers, of_strips};
use crate::analysis::region::Region;
use isl::{DimType, Map, Result, Set};

/// How sets of cells are made simpler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// The conditions that hold for all tiles: at least the convex hull.
    Hull,
    /// In each dimension from the first to the last cell, as linear bounds for all tiles allow.
    Rectangles,
}

impl Tiling {
    /// From tiles to the tiles whose points hold their corner (`∪ F(J)` over `I ∈ J` of
    /// Property 5), in the same strip.
    ///
    /// # Errors
    /// isl's own.
    pub fn around(&self, ctx: &isl::Ctx) -> Result<Map> {
        self.corners(ctx, |own, other, size| {
            format!("{other} <= {own} < {other} + {size}")
        })
    }

    /// From tiles to those whose corner they hold: the mirror image, for stores.
    ///
    /// # Errors
    /// isl's own.
    pub fn held(&self, ctx: &isl::Ctx) -> Result<Map> {
        self.corners(ctx, |own, other, size| {
            format!("{own} <= {other} < {own} + {size}")
        })
    }

    /// From tiles to all tiles of their strips.
    ///
    /// # Errors
    /// isl's own.
    pub fn in_strip(&self, ctx: &isl::Ctx) -> Result<Map> {
        self.corners(ctx, |_, _, _| "true".to_owned())
    }

    /// From tiles to those before them in the order `≺_s` of section 3, in the same strip.
    ///
    /// # Errors
    /// isl's own.
    pub fn precedes(&self, ctx: &isl::Ctx) -> Result<Map> {
        let first = self.mapping.outer + self.first_in_strip();
        let origin = self.mapping.origin();
        let size = |d: usize| &self.sizes[d - self.mapping.outer];
        let parts: Vec<String> = (first..origin)
            .map(|last| {
                let mut all: Vec<String> = (0..first).map(|d| format!("j{d} = i{d}")).collect();
                all.extend((first..last).map(|d| format!("j{d} <= i{d}")));
                all.push(format!("j{last} <= i{last} - {}", size(last)));
                let tuples = (names("i", origin), names("j", origin));
                format!("[{}] -> [{}] : {}", tuples.0, tuples.1, all.join(" and "))
            })
            .collect();
        let text = format!("[{}] -> {{ {} }}", self.sizes.join(", "), parts.join("; "));
        Map::read_from_str(ctx, &text)
    }

    fn corners(
        &self,
        ctx: &isl::Ctx,
        condition: impl Fn(String, String, &str) -> String,
    ) -> Result<Map> {
        let first = self.mapping.outer + self.first_in_strip();
        let origin = self.mapping.origin();
        let all: Vec<String> = (0..origin)
            .map(|d| {
                if d < first {
                    format!("j{d} = i{d}")
                } else {
                    let size = &self.sizes[d - self.mapping.outer];
                    condition(format!("i{d}"), format!("j{d}"), size)
                }
            })
            .collect();
        let text = format!(
            "[{}] -> {{ [{}] -> [{}] : {} }}",
            self.sizes.join(", "),
            names("i", origin),
            names("j", origin),
            all.join(" and ")
        );
        Map::read_from_str(ctx, &text)
    }
}

/// A superset of a function of tiles, of cells that are touched at all.
fn simpler(map: &Map, shape: Shape, cells: &Set) -> Result<Map> {
    if map.is_empty()? {
        return Ok(map.clone());
    }
    let map = map.remove_divs()?;
    let simple = match shape {
        Shape::Hull => Map::from_basic_map(&map.simple_hull()?)?,
        Shape::Rectangles => {
            let dims = map.range_tuple_dim()?;
            let mut all = Map::universe(&map.get_space()?)?;
            for dim in 0..dims {
                let one = map.project_out(DimType::Out, dim + 1, dims - dim - 1)?;
                let one = one.project_out(DimType::Out, 0, dim)?;
                let one = Map::from_basic_map(&one.simple_hull()?)?;
                let one = one.insert_dims(DimType::Out, 1, dims - dim - 1)?;
                let one = one.insert_dims(DimType::Out, 0, dim)?;
                let name = map.get_tuple_name(DimType::Out)?;
                all = all.intersect(&one.set_tuple_name(DimType::Out, &name)?)?;
            }
            all
        }
    };
    simple.intersect_range(cells)
}

impl Transfers {
    /// Valid transfers with sets of a simple shape in place of the exact `In` and `Out`: equations
    /// (7), (8) and (11), all tiles considered. Everything that may be written counts as live-out.
    ///
    /// # Errors
    /// isl's own.
    pub fn approximated(
        region: &Region,
        tiling: &Tiling,
        accesses: &Accesses,
        shape: Shape,
    ) -> Result<Transfers> {
        let exact = Transfers::of(region, tiling, accesses, LiveOut::All)?;
        let context = tiling.context(&region.scop)?;
        let mut arrays = Vec::new();
        for (own, exact) in accesses.arrays.iter().zip(&exact.arrays) {
            arrays.push(approximated(tiling, own, exact, shape, &context)?);
        }
        Ok(Transfers { arrays })
    }
}

fn approximated(
    tiling: &Tiling,
    own: &ArrayAccesses,
    exact: &ArrayTransfers,
    shape: Shape,
    context: &Set,
) -> Result<ArrayTransfers> {
    let ctx = context.ctx();
    let earlier = tiling.precedes(ctx)?;
    let later = earlier.reverse()?;
    let written = tiling
        .tile()?
        .apply_range(&own.writes)?
        .intersect_params(context)?;
    let cells = Set::from_basic_set(&own.touched.range()?.polyhedral_hull()?)?;
    let may = simpler(&written, shape, &cells)?;
    let must = if own.certain {
        written
    } else {
        Map::empty(&may.get_space()?)?
    };
    // (7), with the F° of stores.
    let stored = tiling.held(ctx)?.apply_range(&may)?;
    let store = stored.subtract(&later.apply_range(&stored)?)?.coalesce()?;
    // (8)
    let live_in = simpler(&exact.live_in, shape, &cells)?.union(&store.subtract(&must)?)?;
    // (9): what is needed from outside of the strip.
    let remote = live_in.subtract(&earlier.apply_range(&must)?)?;
    let remote = tiling.in_strip(ctx)?.apply_range(&remote)?;
    // (11), with F°.
    let all = tiling.around(ctx)?.apply_range(&live_in.union(&may)?)?;
    let first = all.subtract(&earlier.apply_range(&all)?)?;
    let load = first
        .intersect(&remote)?
        .intersect_params(context)?
        .coalesce()?;
    let store = store.intersect_params(context)?;
    let named = tiling.mapping.outer + tiling.first_in_strip();
    Ok(ArrayTransfers {
        array: own.array,
        live_in,
        strip_load: of_strips(&load, named)?,
        strip_store: of_strips(&store, named)?,
        load,
        store,
    })
}

//! What each tile loads and stores: equations (5) and (6) of section 3.1.
//!
//! The union of the tiles `I' ≺_s I` is the set of all points that are executed before the tile at
//! `I` (Property 1), so that what they touch is an image of points, and no second tile needs to be
//! named. `In` comes from the dataflow: a read needs a value from outside where its source is in
//! another tile, or there is none.

use super::accesses::{Accesses, ArrayAccesses, Exposed, target};
use super::tiling::Tiling;
use crate::analysis::region::Region;
use crate::scop::ArrayId;
use isl::{DimType, Map, Set};

/// Which values somebody reads behind a strip.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LiveOut {
    /// Those that points outside of the strip, or whoever comes after the region, read.
    #[default]
    Read,
    /// All that the strip writes: each strip by itself, as in the paper's script (Fig. 3).
    All,
}

/// The transfers of every tile: maps from origins to cells.
#[derive(Clone, Debug)]
pub struct Transfers {
    /// One per accessed array, in the order of [`Accesses::arrays`].
    pub arrays: Vec<ArrayTransfers>,
}

/// Those of one array.
#[derive(Clone, Debug)]
pub struct ArrayTransfers {
    /// Which.
    pub array: ArrayId,
    /// Cells whose values from outside of the tile it reads.
    pub live_in: Map,
    /// Cells that it loads before it computes.
    pub load: Map,
    /// Cells that it stores after it has computed.
    pub store: Map,
    /// From strips, by the dimensions of origins that name them, to all that their tiles load.
    pub strip_load: Map,
    /// The same for stores.
    pub strip_store: Map,
}

impl Transfers {
    /// The sets for all tiles, under the tiling's context.
    ///
    /// # Errors
    /// isl's own, among them that its budget ran out.
    pub fn of(
        region: &Region,
        tiling: &Tiling,
        accesses: &Accesses,
        live_out: LiveOut,
    ) -> isl::Result<Transfers> {
        let context = tiling.context(&region.scop)?;
        let relations = Relations {
            theta: tiling.mapping.theta.clone(),
            tile: tiling.tile()?,
            strip: tiling.whole_strip()?,
            before: tiling.before()?,
            after: tiling.after()?,
            named: tiling.mapping.outer + tiling.first_in_strip(),
        };
        let mut arrays = Vec::new();
        for own in &accesses.arrays {
            arrays.push(relations.array(region, own, live_out, &context)?);
        }
        Ok(Transfers { arrays })
    }

    /// Those of an array.
    pub fn of_array(&self, array: ArrayId) -> Option<&ArrayTransfers> {
        self.arrays.iter().find(|own| own.array == array)
    }
}

/// From instances to points, and from origins to points.
struct Relations {
    theta: isl::UnionMap,
    tile: Map,
    strip: Map,
    before: Map,
    after: Map,
    /// Dimensions of origins that name a strip.
    named: usize,
}

impl Relations {
    fn array(
        &self,
        region: &Region,
        own: &ArrayAccesses,
        live_out: LiveOut,
        context: &Set,
    ) -> isl::Result<ArrayTransfers> {
        let live_in = self.live_in(own, &self.tile, context)?;
        let load = if live_in.is_empty()? {
            live_in.clone()
        } else {
            let earlier = self.before.apply_range(&own.touched)?;
            live_in.subtract(&earlier)?.coalesce()?
        };
        let (store, strip_store) = self.store(region, own, live_out, context)?;
        // Together, tiles load what their strip reads from outside; where writes are uncertain,
        // who loads a cell depends on who touches it first.
        let strip_load = if own.certain {
            self.live_in(own, &self.strip, context)?
        } else {
            load.clone()
        };
        Ok(ArrayTransfers {
            array: own.array,
            live_in,
            load,
            store,
            strip_load: of_strips(&strip_load, self.named)?,
            strip_store: of_strips(&strip_store, self.named)?,
        })
    }

    /// `In` of sets of points, which are tiles or strips: exact where all writes are certain, all
    /// that is read otherwise.
    fn live_in(&self, own: &ArrayAccesses, points: &Map, context: &Set) -> isl::Result<Map> {
        let mut all = Map::empty(&points.apply_range(&own.reads)?.get_space()?)?;
        if !own.certain {
            all = points.apply_range(&own.reads)?;
            return all.intersect_params(context)?.coalesce();
        }
        for read in &own.exposed {
            let inside = points.apply_range(&read.instances)?;
            let inside = inside.intersect_params(context)?;
            let mut needed = inside.clone();
            for source in &read.sources {
                needed = needed.subtract(&points.apply_range(source)?)?;
            }
            all = all.union(&needed.apply_range(&read.cells)?)?;
        }
        all.coalesce()
    }

    /// `Liveout ∩ (Write(I) \ Write(I' ≻_s I))`, and for whole strips, which have nothing behind
    /// them, `Liveout ∩ Write`.
    fn store(
        &self,
        region: &Region,
        own: &ArrayAccesses,
        live_out: LiveOut,
        context: &Set,
    ) -> isl::Result<(Map, Map)> {
        let written = |points: &Map| -> isl::Result<Map> {
            points.apply_range(&own.writes)?.intersect_params(context)
        };
        let (mut tile, mut strip) = (written(&self.tile)?, written(&self.strip)?);
        if own.writes.is_empty()? {
            return Ok((tile, strip));
        }
        if live_out == LiveOut::Read {
            let read = self.read_behind(region, own)?;
            (tile, strip) = (tile.intersect(&read)?, strip.intersect(&read)?);
        }
        let later = self.after.apply_range(&own.writes)?;
        Ok((tile.subtract(&later)?.coalesce()?, strip))
    }

    /// Cells of a strip with a value of the strip's that is read outside of it.
    fn read_behind(&self, region: &Region, own: &ArrayAccesses) -> isl::Result<Map> {
        let mut all = Map::empty(&self.tile.apply_range(&own.writes)?.get_space()?)?;
        // Last writers in the program.
        let name = target(&own.writes)?;
        for last in region.dataflow.live_out.apply_domain(&self.theta)?.maps()? {
            if target(&last)? == name {
                all = all.union(&self.strip.apply_range(&last)?)?;
            }
        }
        for read in &own.exposed {
            let outside = self.outside(read)?;
            for source in &read.sources {
                // Writers in the strip with a reader that is not.
                let writers = self
                    .strip
                    .intersect(&outside.apply_range(&source.reverse()?)?)?;
                all = all.union(&writers.apply_range(&own.writes)?)?;
            }
        }
        all.coalesce()
    }

    /// From origins to reading instances in other strips.
    fn outside(&self, read: &Exposed) -> isl::Result<Map> {
        let inside = self.strip.apply_range(&read.instances)?;
        let space = inside.get_space()?;
        let every = Map::universe(&space)?.intersect_range(&read.instances.range()?)?;
        every.subtract(&inside)
    }
}

/// From origins to strips: the first dimensions.
pub(super) fn of_strips(map: &Map, named: usize) -> isl::Result<Map> {
    let rest = map.domain_tuple_dim()? - named;
    map.project_out(DimType::In, named, rest)?.coalesce()
}

//! What is copied between the device's memory and a buffer, so that copies are simple: loops over a
//! convex set, or over a box with a guard of few conditions.
//!
//! Copied in has to be what the tile reads before it writes it. More is allowed: whatever the tile
//! reads, and cells that no other block of the launch writes ([`crate::codegen::gpu::conflicts::other_blocks`]). Copied out may be
//! only what the tile writes, and has to be all of it. Tried are, the first that is simple:
//!
//! 1. these cells as they are,
//! 2. for each index of a short dimension (`A[t % 2][i][j]` has two planes), what is read of that
//!    plane; a box around it; a box for each step; the same as a [`Shadow`]; and one shadow that
//!    holds those of all accesses.
//!
//! Results that cannot be copied out in this way are written to both memories as they are computed
//! (as the kernels of hybrid hexagonal tiles do): what is stored twice is stored by the thread that
//! computed it, in the order of the program. [`crate::codegen::gpu::promotion::last_writes`] finds out which of them another one
//! of the tile replaces, which need not be.

use crate::codegen::gpu::conflicts::cells::{Accesses, Reader};
use crate::codegen::gpu::conflicts::other_blocks::{Block, around, that_are_there};
use crate::codegen::gpu::grids::levels::Level;
use crate::codegen::gpu::promotion::copy_loops::{Bounds, Walk, Walker};
use crate::codegen::gpu::promotion::footprint::{Footprint, in_steps};
use crate::codegen::gpu::promotion::last_writes::{Store, stores};
use crate::codegen::gpu::promotion::projection::Shadow;
use crate::codegen::kernel::{Index, Node};
use crate::plan::defaults::PROMOTED_PLANES;
use crate::scop::AccessKind;
use crate::transform::{BufferId, Transformed};
use isl::{DimType, Result, Set};

/// An array's way into a buffer and back.
pub(crate) struct Transfer {
    /// The buffer's box.
    pub bounds: Bounds,
    /// Loops that copy in; what copies is for [`crate::codegen::gpu::promotion::copies`] to put there.
    pub inwards: Vec<Node>,
    pub outwards: Outwards,
}

/// How results leave a buffer.
pub(crate) enum Outwards {
    /// Loops that copy.
    Copied(Vec<Node>),
    /// Behind each statement that writes, in textual order.
    Stored(Vec<Store>),
}

/// Finds simple copies for the arrays of a level.
pub(crate) struct Transfers<'a> {
    pub reader: &'a Reader<'a>,
    pub transformed: &'a Transformed,
    pub walker: Walker<'a>,
    pub level: &'a Level,
    pub block: &'a Block,
}

/// One index for each of the short dimensions.
type Plane = Vec<(usize, i64)>;

impl Transfers<'_> {
    /// The copies of a buffer; the conditions that they would test, where these are too many.
    ///
    /// # Errors
    /// isl's own.
    pub fn of(
        &self,
        buffer: BufferId,
        accesses: &Accesses<'_>,
        footprint: &Footprint,
    ) -> Result<std::result::Result<Transfer, usize>> {
        let bounds = self.walker.bounds(&footprint.origin, &footprint.extents)?;
        let inwards = match self.inwards(buffer, accesses, footprint, &bounds)? {
            Err(tests) => {
                let walk = self.walker.over(&footprint.live_in, &bounds)?;
                walk.map_err(|others| tests.min(others))
            }
            walk => walk,
        };
        let inwards = match inwards {
            Ok(nodes) => nodes,
            Err(tests) => return Ok(Err(tests)),
        };
        let outwards = match self.outwards(buffer, accesses, footprint, &bounds)? {
            Err(_) => self.walker.over(&footprint.written, &bounds)?,
            walk => walk,
        };
        let outwards = match outwards {
            Ok(nodes) => Outwards::Copied(nodes),
            Err(_) => Outwards::Stored(stores(self.reader, &self.walker, buffer, accesses)?),
        };
        Ok(Ok(Transfer {
            bounds,
            inwards,
            outwards,
        }))
    }

    /// Loops that copy in, plane by plane.
    fn inwards(
        &self,
        buffer: BufferId,
        accesses: &Accesses<'_>,
        footprint: &Footprint,
        bounds: &Bounds,
    ) -> Result<Walk> {
        if let Some(nodes) = self.walker.exactly(&footprint.live_in)? {
            return Ok(Ok(nodes));
        }
        let mut steps = None;
        let mut all = Vec::new();
        for plane in planes(bounds) {
            let live_in = within(&footprint.live_in, &plane)?;
            if live_in.is_empty()? {
                continue;
            }
            let read = within(&footprint.read, &plane)?;
            if let Some(nodes) = self.exactly_one(&[&live_in, &read])? {
                all.extend(nodes);
                continue;
            }
            // All cells around, unless others write some of them.
            let near = match self.around(buffer, bounds, &read)? {
                Some(near) if self.block.leaves(buffer, &near)? => {
                    if let Some(nodes) = self.walker.exactly(&near)? {
                        all.extend(nodes);
                        continue;
                    }
                    Some(near)
                }
                near => near,
            };
            if steps.is_none() {
                steps = self.in_steps(buffer, accesses, AccessKind::Read)?;
            }
            let Some(steps) = &steps else {
                return Ok(Err(usize::MAX));
            };
            let Some(shadow) = Shadow::of(&within(steps, &plane)?, bounds.len())? else {
                return Ok(Err(usize::MAX));
            };
            let boxes = match near {
                Some(near) => self.boxes(buffer, &shadow, &near)?,
                None => Err(usize::MAX),
            };
            let boxes = match boxes {
                Ok(nodes) => {
                    all.extend(nodes);
                    continue;
                }
                Err(tests) => tests,
            };
            let near = self.near(bounds, &plane, &read)?;
            let exact = if shadow.is_exact() {
                self.walker.shadowed(&shadow, &near)?
            } else {
                Err(usize::MAX)
            };
            let wider = self.wider(buffer, &shadow, bounds, &plane)?;
            match (exact, wider) {
                (_, Ok(nodes)) | (Ok(nodes), _) => all.extend(nodes),
                (Err(a), Err(b)) => return Ok(Err(a.min(b).min(boxes))),
            }
        }
        Ok(Ok(all))
    }

    /// The cells of an array in a box around some of them, which is inside the buffer's.
    fn around(&self, buffer: BufferId, bounds: &Bounds, cells: &Set) -> Result<Option<Set>> {
        if !self.is_inside(cells, bounds)? {
            return Ok(None);
        }
        let scop = self.reader.scop;
        let there = that_are_there(scop, self.transformed, buffer, cells)?;
        let (Some(near), Some(there)) = (around(cells)?, there) else {
            return Ok(None);
        };
        let near = near.intersect(&there)?;
        let near = near.intersect_params(&self.level.outer.params()?)?;
        near.coalesce().map(Some)
    }

    /// Loops over a box with boxes for the steps in it, as far as those may be copied in.
    fn boxes(&self, buffer: BufferId, shadow: &Shadow, near: &Set) -> Result<Walk> {
        let boxes = shadow.boxes(near)?;
        let walk = self.walker.shadowed_in(&boxes, near)?;
        if walk.is_err() {
            return Ok(walk);
        }
        match boxes.cells()? {
            Some(cells) if self.block.leaves(buffer, &cells.intersect(near)?)? => Ok(walk),
            _ => Ok(Err(usize::MAX)),
        }
    }

    /// Loops over one shadow for all accesses, as far as it may be copied in.
    fn wider(
        &self,
        buffer: BufferId,
        shadow: &Shadow,
        bounds: &Bounds,
        plane: &Plane,
    ) -> Result<Walk> {
        let wider = shadow.wider()?;
        let Some(cells) = wider.cells()? else {
            return Ok(Ok(Vec::new()));
        };
        let cells = within(&cells, plane)?.intersect_params(&self.level.outer.params()?)?;
        let may_be = wider.is_exact()
            || (self.are_there(buffer, &cells)? && self.block.leaves(buffer, &cells)?);
        if !may_be {
            return Ok(Err(usize::MAX));
        }
        let near = self.near(bounds, plane, &cells)?;
        // Loops without a guard go where the set goes, and that may be out of the buffer.
        if self.is_inside(&cells, bounds)? {
            if let Some(nodes) = self.walker.exactly(&cells)? {
                return Ok(Ok(nodes));
            }
        }
        self.walker.shadowed(&wider, &near)
    }

    fn are_there(&self, buffer: BufferId, cells: &Set) -> Result<bool> {
        match that_are_there(self.reader.scop, self.transformed, buffer, cells)? {
            Some(there) => cells.is_subset(&there),
            None => Ok(false),
        }
    }

    /// Loops that copy out, plane by plane.
    fn outwards(
        &self,
        buffer: BufferId,
        accesses: &Accesses<'_>,
        footprint: &Footprint,
        bounds: &Bounds,
    ) -> Result<Walk> {
        if let Some(nodes) = self.walker.exactly(&footprint.written)? {
            return Ok(Ok(nodes));
        }
        let mut steps = None;
        let mut all = Vec::new();
        for plane in planes(bounds) {
            let written = within(&footprint.written, &plane)?;
            if written.is_empty()? {
                continue;
            }
            if let Some(nodes) = self.exactly_one(&[&written])? {
                all.extend(nodes);
                continue;
            }
            if steps.is_none() {
                steps = self.in_steps(buffer, accesses, AccessKind::Write)?;
            }
            let shadow = match &steps {
                Some(steps) => Shadow::of(&within(steps, &plane)?, bounds.len())?,
                None => None,
            };
            let Some(shadow) = shadow.filter(Shadow::is_exact) else {
                return Ok(Err(usize::MAX));
            };
            let near = self.near(bounds, &plane, &written)?;
            match self.walker.shadowed(&shadow, &near)? {
                Ok(nodes) => all.extend(nodes),
                Err(tests) => return Ok(Err(tests)),
            }
        }
        Ok(Ok(all))
    }

    fn in_steps(
        &self,
        buffer: BufferId,
        accesses: &Accesses<'_>,
        kind: AccessKind,
    ) -> Result<Option<Set>> {
        let context = self.level.outer.params()?;
        match in_steps(self.reader, buffer, accesses, kind)? {
            Some(steps) => steps.gist_params(&context).map(Some),
            None => Ok(None),
        }
    }

    /// Loops without a guard over the first of some sets for which there are any.
    fn exactly_one(&self, sets: &[&Set]) -> Result<Option<Vec<Node>>> {
        for set in sets {
            if let Some(nodes) = self.walker.exactly(set)? {
                return Ok(Some(nodes));
            }
        }
        Ok(None)
    }

    /// The box of a plane, no larger than some cells of it need where that is known.
    fn near(&self, bounds: &Bounds, plane: &Plane, cells: &Set) -> Result<Bounds> {
        let hull = cells.get_simple_fixed_box_hull()?;
        let mut near = bounds.clone();
        if hull.is_valid()? {
            if let Some(extents) = hull.get_size()?.to_i64s()? {
                near = self
                    .walker
                    .bounds(&hull.get_offset()?.elements()?, &extents)?;
            }
        }
        // Inside of the buffer's.
        for (own, whole) in near.iter_mut().zip(bounds) {
            let begin = own.0.distance(&whole.0);
            if begin.is_none_or(|begin| begin < 0 || begin + own.1 > whole.1) {
                *own = whole.clone();
            }
        }
        for &(dim, index) in plane {
            near[dim] = (Index::Int(index), 1);
        }
        Ok(near)
    }

    /// Whether cells are in a buffer's box, which is where their own box is.
    fn is_inside(&self, cells: &Set, bounds: &Bounds) -> Result<bool> {
        let hull = cells.get_simple_fixed_box_hull()?;
        let (true, Some(extents)) = (hull.is_valid()?, hull.get_size()?.to_i64s()?) else {
            return Ok(false);
        };
        let own = self
            .walker
            .bounds(&hull.get_offset()?.elements()?, &extents)?;
        Ok(own.iter().zip(bounds).all(|(own, whole)| {
            let begin = own.0.distance(&whole.0);
            begin.is_some_and(|begin| begin >= 0 && begin + own.1 <= whole.1)
        }))
    }
}

/// The cells of a plane.
fn within(cells: &Set, plane: &Plane) -> Result<Set> {
    let mut cells = cells.clone();
    for &(dim, index) in plane {
        let index = i32::try_from(index).unwrap_or(i32::MAX);
        cells = cells.fix_si(DimType::Set, dim, index)?;
    }
    cells.coalesce()
}

/// The planes of a box: one for all where it has no short dimension.
fn planes(bounds: &Bounds) -> Vec<Plane> {
    let mut all = vec![Plane::new()];
    for (dim, (origin, extent)) in bounds.iter().enumerate() {
        let (Index::Int(first), 1..=PROMOTED_PLANES) = (origin, *extent) else {
            continue;
        };
        let indices = (0..*extent).map(|at| first + at);
        let with = |index: i64| {
            all.iter()
                .map(move |plane| [&plane[..], &[(dim, index)]].concat())
        };
        let next: Vec<Plane> = indices.flat_map(with).collect();
        if next.len() as i64 <= PROMOTED_PLANES {
            all = next;
        }
    }
    all
}

//! Tiles over time and space of an iterated stencil, none of which computes anything twice: what
//! split, diamond and hexagonal tiles have in common.
//!
//! A shape says for every tile which points of logical time and space ([`Cone`]) are in it, by
//! inequalities that are affine in the tile's coordinates, and which tiles wait for which. The
//! instances are lifted by these coordinates, as in overlapped tiles: no divisions are left, and
//! bounds of loops are sums.
//!
//! ```text
//! domain  { S_phase1[c0, c1, t, i] }
//!   band  [c0]                one after another
//!     sequence over phases
//!       band  [c1…]           mark parallel, or one after another
//!         band  [t]
//!           sequence over nests, by their steps
//!             band  [i…]      mark simd on the innermost
//!               mark scope:k
//!                 sequence over statements
//! ```

use crate::analysis::dependences::dataflow::Dataflow;
use crate::analysis::over_time::cone::{Cone, Placed, Slopes};
use crate::analysis::stages::StageGraph;
use crate::plan::{Figure, OverTime, widths_over_time};
use crate::rewrite::height::{LARGEST, height, no_cone};
use crate::scop::tree::{marks::Mark, walk};
use crate::scop::{Scop, in_sequence};
use crate::transform::over_time::{diamond, hexagonal, split};
use crate::transform::overlap::linear::{Condition, Linear};
use crate::transform::overlap::overlapped::coordinate;
use crate::transform::{Lifted, Part, Piece, Scopes, TransformError, statements_of};
use isl::{AstLoopType, Map, Schedule};

mod nests;
#[cfg(test)]
mod tests;

use nests::Nest;

/// How tiles are executed that differ in one coordinate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Loop {
    /// One after another.
    Sequential,
    /// In any order.
    Parallel,
}

/// The tiles of a shape.
///
/// # Invariants
///
/// Every point is in one tile of one phase. Its sources are in the same tile, or in one that comes
/// before.
pub(crate) struct Tiles {
    /// Per coordinate of the tile. All phases are executed for one value of the first, which is
    /// sequential, in turn.
    pub loops: Vec<Loop>,
    /// Per phase, the conditions for a point to be in a tile.
    pub phases: Vec<Vec<Condition>>,
}

/// Sizes of tiles, as a plan gives them.
pub(crate) struct Sizes {
    /// In units of logical time, at least one.
    pub height: i64,
    /// Per dimension of space; `None` keeps it whole.
    pub widths: Vec<Option<i64>>,
    /// Where rows of parallelograms begin in the innermost dimension: at multiples of this, at
    /// least one.
    pub align: i64,
}

/// The schedule of one group.
///
/// # Errors
/// [`TransformError::Plan`] where the group is no iterated stencil, or the plan has no size for
/// its tiles.
pub(crate) fn transform(
    scop: &Scop,
    dataflow: &Dataflow,
    graph: &StageGraph,
    part: &Part,
    plan: &OverTime,
    scopes: &mut Scopes,
) -> Result<Piece, TransformError> {
    let statements = statements_of(graph, &part.stages);
    let cone =
        Cone::find(scop, dataflow, &statements).map_err(|reason| no_cone(plan.shape(), reason))?;
    let sizes = Sizes {
        height: height(plan.shape(), &plan.tile_sizes)?,
        widths: widths_over_time(&plan.tile_sizes, cone.slopes.len()),
        align: align(plan.figure)?,
    };
    let tiles = match plan.figure {
        Figure::Split => split::tiles(&cone.slopes, &sizes)?,
        Figure::Diamond { concurrent, .. } => diamond::tiles(&cone.slopes, &sizes, concurrent)?,
        Figure::Hexagonal { .. } => hexagonal::tiles(&cone.slopes, &sizes)?,
    };
    schedule(scop, graph, &cone, (part, plan), &tiles, scopes)
}

fn align(figure: Figure) -> Result<i64, TransformError> {
    match figure.align().unwrap_or(1) {
        align @ 1..=LARGEST => Ok(align),
        other => Err(TransformError::Plan(format!(
            "rows cannot begin at multiples of {other} cells: `align` is from 1 to {LARGEST}"
        ))),
    }
}

/// The conditions for a value to be in `[begin, end)`.
pub(crate) fn within(value: &Linear, begin: Linear, end: Linear) -> [Condition; 2] {
    [begin.up_to(value.clone()), value.clone().below(end)]
}

impl Tiles {
    /// Cuts tiles along the dimensions of space from `first` into parallelograms, one after
    /// another. Their sides follow the lower slope, or in the innermost dimension the next one that
    /// keeps the beginnings of rows aligned: of two points that depend on each other the later one
    /// is in the same or in one further up.
    pub fn parallelograms(&mut self, slopes: &[Slopes], sizes: &Sizes, first: usize) {
        let dimensions = slopes.iter().zip(&sizes.widths).enumerate();
        for (x, (slopes, width)) in dimensions.skip(first) {
            let Some(width) = width else { continue };
            let align = if x + 1 == sizes.widths.len() {
                sizes.align
            } else {
                1
            };
            let (unit, width) = (align * slopes.per, (width + align - 1) / align * align);
            let slope = slopes.lower.div_euclid(unit) * unit;
            let place = Linear::space(x) * slopes.per - Linear::time() * slope;
            let begin = Linear::tile(self.loops.len()) * (width * slopes.per);
            let strip = within(&place, begin.clone(), begin + width * slopes.per);
            for phase in &mut self.phases {
                phase.extend(strip.iter().cloned());
            }
            self.loops.push(Loop::Sequential);
        }
    }
}

/// The tree of [`Tiles`].
fn schedule(
    scop: &Scop,
    graph: &StageGraph,
    cone: &Cone,
    (part, plan): (&Part, &OverTime),
    tiles: &Tiles,
    scopes: &mut Scopes,
) -> Result<Piece, TransformError> {
    let mut nests = nests::nests(scop, cone)?;
    let buffers = if plan.contract {
        nests::variables(scop, &mut nests, tiles.loops.len(), scopes)?
    } else {
        Vec::new()
    };
    let mut statements = Vec::new();
    let mut phases = Vec::new();
    for (phase, conditions) in tiles.phases.iter().enumerate() {
        let tile_of = tile_of(&scop.ctx, cone.slopes.len(), tiles.loops.len(), conditions)?;
        let mut inside: Vec<Lifted> = Vec::new();
        for placed in &cone.statements {
            let suffix = match tiles.phases.len() {
                1 => String::new(),
                _ => format!("_phase{phase}"),
            };
            let lifted = lift(
                scop,
                placed,
                &tile_of,
                tiles.loops.len(),
                &suffix,
                part.number,
            )?;
            if !lifted.domain.is_empty()? {
                inside.push(lifted);
            }
        }
        phases.extend(phase_schedule(
            scop,
            graph,
            (part, plan),
            tiles,
            &nests,
            &inside,
        )?);
        statements.extend(inside);
    }
    let schedule = in_sequence(phases)?
        .ok_or_else(|| TransformError::Plan("the group computes nothing".to_owned()))?;
    let bands = coordinate(scop, &statements, |_| 0)?;
    let node = walk::top(&schedule)?;
    let node = node.insert_partial_schedule(&bands)?;
    let node = node.band_member_set_ast_loop_type(0, AstLoopType::Atomic)?;
    Ok(Piece {
        schedule: node.get_schedule()?,
        statements,
        buffers,
        accumulators: Vec::new(),
        shared: Vec::new(),
        atomic: Vec::new(),
        tiled: Vec::new(),
    })
}

/// From `[T, x…]` to the coordinates of tiles.
pub(crate) fn tile_of(
    ctx: &isl::Ctx,
    dimensions: usize,
    coordinates: usize,
    conditions: &[Condition],
) -> Result<Map, TransformError> {
    let space = (0..dimensions).map(|x| format!(", x{x}"));
    let coordinates: Vec<String> = (0..coordinates).map(|c| format!("c{c}")).collect();
    let conditions = conditions.iter().map(Condition::text);
    let conditions = conditions.collect::<Result<Vec<String>, TransformError>>()?;
    let text = format!(
        "{{ [T{}] -> [{}] : {} }}",
        space.collect::<String>(),
        coordinates.join(", "),
        conditions.join(" and ")
    );
    Ok(Map::read_from_str(ctx, &text)?)
}

/// The instances of a statement with the coordinates of their tiles.
fn lift(
    scop: &Scop,
    placed: &Placed,
    tile_of: &Map,
    tile_dims: usize,
    suffix: &str,
    group: usize,
) -> Result<Lifted, TransformError> {
    let original = &scop.statements[placed.statement];
    let name = format!("{}{suffix}", original.name);
    let instances = placed
        .point
        .intersect_domain(&original.domain)?
        .apply_range(tile_of)?
        .reverse()?;
    Ok(Lifted {
        domain: instances.wrap()?.flatten()?.set_tuple_name(&name)?,
        name,
        statement: placed.statement,
        group,
        tile_dims,
        bindings: original.accesses.iter().map(|a| a.array).collect(),
    })
}

/// The loops of one phase but for the first, over its statements; `None` where it has none.
fn phase_schedule(
    scop: &Scop,
    graph: &StageGraph,
    (part, plan): (&Part, &OverTime),
    tiles: &Tiles,
    nests: &[Nest],
    statements: &[Lifted],
) -> Result<Option<Schedule>, TransformError> {
    let mut parts = Vec::new();
    for nest in nests {
        parts.extend(nest.schedule(scop, graph, &plan.jam, part.group.vectorise, statements)?);
    }
    let Some(nests) = in_sequence(parts)? else {
        return Ok(None);
    };
    let mut node = walk::top(&nests)?;
    node = node.insert_partial_schedule(&coordinate(scop, statements, |l| l.tile_dims)?)?;
    node = node.band_member_set_ast_loop_type(0, AstLoopType::Atomic)?;
    for (c, kind) in tiles.loops.iter().enumerate().skip(1).rev() {
        node = node.insert_partial_schedule(&coordinate(scop, statements, |_| c)?)?;
        node = node.band_member_set_ast_loop_type(0, AstLoopType::Atomic)?;
        if *kind == Loop::Parallel {
            node = node.band_member_set_coincident(0, 1)?;
            if part.group.parallel {
                node = Mark::Parallel.above(&node)?;
            }
        }
    }
    Ok(Some(node.get_schedule()?))
}

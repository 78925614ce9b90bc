//! Right trapezoids over time: the steps of a tile take turns along one dimension of space (Zhao &
//! Cohen, TACO 2019, section 3.2, with time as a tiled dimension).
//!
//! Every point has a date: its place, shifted against time so far that values, and cells that are
//! overwritten, only go to later dates. Turns are strips of dates. In each, all steps of the band
//! compute what is due, in the order in which they were written; so do the copies, which load a
//! cell before the first turn that needs it, and store it behind the last. Of the tile's own
//! arrays only a window along this dimension is alive, to which they can be folded; then the
//! dimension need not be tiled at all (hybrid tiling, section 3.7).
//!
//! ```text
//!        |--- own ---|
//! T ↑    |           |          dates from left to right: the right face is vertical,
//!   │   /            |          the left one has the slopes of both sides
//!   │  /             |
//! ```

use crate::analysis::over_time::bands::{Bands, Phase};
use crate::analysis::over_time::cone::{Cone, Slopes};
use crate::plan::Interleave;
use crate::scop::{ArrayId, Scop, StatementId};
use crate::transform::Lifted;
use crate::transform::over_time::trapezoids::{Result, TransformError};
use isl::{Aff, DimType, LocalSpace, Map, MultiUnionPwAff, Set, UnionMap, Val};

/// The turns of a tile.
pub(crate) struct Turns<'s> {
    scop: &'s Scop,
    bands: &'s Bands,
    /// All dependences of the original.
    cone: &'s Cone,
    /// The dimension of space, and how many cells a turn has.
    along: Interleave,
}

/// The dates at which steps touch an array, less those of its cells as if a cell were a place: from
/// `first` to `last`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    /// The dimension of the array along which turns go.
    pub dimension: usize,
    first: i64,
    last: i64,
}

impl<'s> Turns<'s> {
    /// # Errors
    /// Where the dimension does not exist, or a turn is empty.
    pub fn new(
        scop: &'s Scop,
        bands: &'s Bands,
        cone: &'s Cone,
        along: Interleave,
    ) -> Result<Turns<'s>> {
        if along.block < 1 {
            return Err(TransformError::Plan(
                "a block of `interleave` must have at least one cell".to_owned(),
            ));
        }
        if along.dimension >= cone.slopes.len() {
            return Err(TransformError::Plan(format!(
                "the stencil has {} dimension(s) of space; there is no dimension {} in which tiles \
                 could be executed in turns",
                cone.slopes.len(),
                along.dimension
            )));
        }
        Ok(Turns {
            scop,
            bands,
            cone,
            along,
        })
    }

    /// The dimension of space.
    pub fn dimension(&self) -> usize {
        self.along.dimension
    }

    fn slopes(&self) -> Slopes {
        self.cone.slopes[self.along.dimension]
    }

    /// Dates of one turn.
    fn length(&self) -> i64 {
        self.slopes().per * self.along.block
    }

    /// The dates of the steps of a phase: `S_band0[c, t, i…] -> [date]`, counted from the begin of
    /// the band.
    pub fn dates(&self, number: usize, phases: &[Phase]) -> Result<Vec<(StatementId, Map)>> {
        let Slopes { lower, per, .. } = self.slopes();
        let (steps, count) = (self.cone.steps, phases.len());
        let first = self.bands.start + self.bands.iterations * number as i64;
        let space: String = (0..self.cone.slopes.len())
            .map(|x| format!(", x{x}"))
            .collect();
        let text = format!(
            "{{ [c, T{space}] -> [{per} x{} - {lower} T + {} c + {}] }}",
            self.along.dimension,
            lower * steps * self.bands.iterations * count as i64,
            lower * steps * first,
        );
        let date = Map::read_from_str(&self.scop.ctx, &text)?;
        let mut all = Vec::new();
        for (&id, placed) in phases[number].steps.iter().zip(&self.cone.statements) {
            let space = Set::universe(&self.scop.statements[id].domain.get_space()?)?;
            let original = placed.point.get_tuple_name(DimType::In)?;
            let down = space
                .identity()?
                .project_out(DimType::Out, 0, 1)?
                .set_tuple_name(DimType::Out, &original)?;
            let iterators = space.tuple_dim()?;
            let round = space
                .identity()?
                .project_out(DimType::Out, 1, iterators - 1)?
                .reset_tuple_id(DimType::Out)?;
            let point = round.flat_range_product(&down.apply_range(&placed.point)?)?;
            all.push((id, point.apply_range(&date)?));
        }
        Ok(all)
    }

    /// When steps touch an array, the dimension of which lies along the turns.
    ///
    /// # Errors
    /// Where the distance has no bounds.
    pub fn span(
        &self,
        dates: &[(StatementId, Map)],
        array: ArrayId,
        dimension: usize,
    ) -> Result<Span> {
        let mut range: Option<(i64, i64)> = None;
        for (id, date) in dates {
            let statement = &self.scop.statements[*id];
            let accesses = statement.accesses.iter();
            for access in accesses.filter(|access| access.array == array) {
                let cells = access.relation.reset_tuple_id(DimType::Out)?;
                let touched = date
                    .flat_range_product(&cells)?
                    .intersect_domain(&statement.domain)?
                    .intersect_params(&self.scop.context)?
                    .range()?;
                if touched.is_empty()? {
                    continue;
                }
                let local = LocalSpace::from_space(&touched.get_space()?)?;
                let factor = Val::int_from_si(&self.scop.ctx, -self.slopes().per)?;
                let apart = Aff::var_on_domain(&local, DimType::Set, 0)?.add_coefficient_val(
                    DimType::In,
                    1 + dimension,
                    &factor,
                )?;
                let least = touched.min_val(&apart)?.to_i64();
                let most = touched.max_val(&apart)?.to_i64();
                let (Some(least), Some(most)) = (least, most) else {
                    return Err(TransformError::Plan(format!(
                        "cells of `{}` are touched at no bounded distance along dimension {} of \
                         space, in which tiles are executed in turns",
                        self.scop.arrays[array].name, self.along.dimension
                    )));
                };
                range = Some(match range {
                    None => (least, most),
                    Some((low, high)) => (low.min(least), high.max(most)),
                });
            }
        }
        let (first, last) = range.unwrap_or((0, 0));
        Ok(Span {
            dimension,
            first,
            last,
        })
    }

    /// Cells along the dimension that are alive at once.
    pub fn window(&self, span: Span) -> i64 {
        let alive = (span.last - span.first + self.length() - 1) / self.slopes().per + 1;
        let rounded = u64::try_from(alive).map(u64::next_power_of_two);
        rounded.map_or(alive, |rounded| rounded as i64)
    }

    /// From dates to turns.
    fn turn(&self) -> isl::Result<Map> {
        let text = match self.length() {
            1 => "{ [d] -> [d] }".to_owned(),
            length => format!("{{ [d] -> [floor(d / {length})] }}"),
        };
        Map::read_from_str(&self.scop.ctx, &text)
    }

    /// The turn of a load, or of a store: `load[c, x…] -> [turn]`.
    fn turn_of_copy(&self, id: StatementId, span: Span, date: i64) -> isl::Result<Map> {
        let statement = &self.scop.statements[id];
        let cells = 1..statement.iterators.len();
        let cells: String = cells.clone().map(|x| format!(", x{x}")).collect();
        let text = format!(
            "{{ {}[c{cells}] -> [{} x{} + {date}] }}",
            statement.name,
            self.slopes().per,
            1 + span.dimension
        );
        Map::read_from_str(&self.scop.ctx, &text)?.apply_range(&self.turn()?)
    }

    /// The loop over turns of a phase, given what copies are about.
    ///
    /// # Errors
    /// isl's own.
    pub fn member(
        &self,
        phase: &Phase,
        dates: &[(StatementId, Map)],
        spans: &[Span],
        lifted: &[Lifted],
    ) -> Result<MultiUnionPwAff> {
        let span = |array: ArrayId| {
            let number = phase.arrays.iter().position(|&own| own == array);
            number.and_then(|number| spans.get(number).copied())
        };
        let mut all = UnionMap::empty_ctx(&self.scop.ctx)?;
        for one in lifted {
            let id = one.statement;
            let of = |copies: &[(StatementId, ArrayId)]| {
                let copy = copies.iter().find(|(copy, _)| *copy == id);
                copy.and_then(|(_, array)| span(*array))
            };
            let turn = if let Some(span) = of(&phase.loads) {
                self.turn_of_copy(id, span, span.first)?
            } else if let Some(span) = of(&phase.stores) {
                self.turn_of_copy(id, span, span.last)?
            } else {
                let date = dates.iter().find(|(step, _)| *step == id);
                let Some((_, date)) = date else { continue };
                date.apply_range(&self.turn()?)?
            };
            let turn = one.projection(self.scop)?.apply_range(&turn)?;
            all = all.add_map(&turn)?;
        }
        Ok(MultiUnionPwAff::from_union_map(&all)?)
    }
}

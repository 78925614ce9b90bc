//! Is a program in bands of time the original one? Its dependences say so, with the copies into and
//! out of bands looked through.

use super::{Banded, Result};
use crate::analysis::dependences::dataflow::Dataflow;
use crate::rewrite::TransformError;
use crate::scop::{Scop, StatementId};
use isl::{DimType, Set, UnionMap};

impl Banded {
    /// The dependences, with copies looked through, are the original's.
    pub(super) fn check(&self, scop: &Scop, dataflow: &Dataflow) -> Result<()> {
        let mut steps = UnionMap::empty_ctx(&scop.ctx)?;
        for phase in &self.rounds.phases {
            let placed = &self.rounds.bands.cone.statements;
            for (&id, placed) in phase.steps.iter().zip(placed) {
                let down = Set::universe(&self.scop.statements[id].domain.get_space()?)?
                    .identity()?
                    .project_out(DimType::Out, 0, 1)?
                    .set_tuple_name(DimType::Out, &scop.statements[placed.statement].name)?;
                steps = steps.add_map(&down)?;
            }
        }
        let through = Through {
            banded: self,
            steps,
        };
        let same = |one: &UnionMap, other: &UnionMap| -> Result<bool> {
            let one = one.intersect_params(&scop.context)?;
            Ok(one.is_equal(&other.intersect_params(&scop.context)?)?)
        };
        for edge in &dataflow.edges {
            if !same(&through.sources(edge.reader, edge.access)?, &edge.sources)? {
                return Err(TransformError::Plan(format!(
                    "in bands of time, {} would read other values of `{}`",
                    scop.statements[edge.reader].name, scop.arrays[edge.array].name
                )));
            }
        }
        if !same(&through.live_in()?, &dataflow.live_in)?
            || !same(&through.live_out()?, &dataflow.live_out)?
        {
            return Err(TransformError::Plan(
                "in bands of time, other values would come from before the region, or be left \
                 behind it"
                    .to_owned(),
            ));
        }
        Ok(())
    }

    pub(super) fn is_copy(&self, id: StatementId) -> bool {
        let mut phases = self.rounds.phases.iter();
        !phases.any(|phase| phase.steps.contains(&id))
    }
}

/// Dependences of a program in bands as if it had no copies.
struct Through<'b> {
    banded: &'b Banded,
    /// From `S_p[c, t, i…]` to `S[t, i…]`.
    steps: UnionMap,
}

/// From what a step writes through a store, a load, or a copy around all rounds.
const COPIES_IN_A_ROW: usize = 3;

impl Through<'_> {
    /// Who writes what an access of an original statement reads: in instances of the original.
    fn sources(&self, reader: StatementId, access: usize) -> Result<UnionMap> {
        let placed = &self.banded.rounds.bands.cone.statements;
        let number = placed.iter().position(|placed| placed.statement == reader);
        let mut all = UnionMap::empty_ctx(&self.banded.scop.ctx)?;
        for phase in &self.banded.rounds.phases {
            if let Some(number) = number {
                let step = phase.steps[number];
                all = all.union(&self.writers(step, Some(access), COPIES_IN_A_ROW)?)?;
            }
        }
        Ok(all.apply_domain(&self.steps)?.apply_range(&self.steps)?)
    }

    /// From steps to the instances of a statement that read their values, through at most some
    /// copies.
    fn writers(
        &self,
        reader: StatementId,
        access: Option<usize>,
        copies: usize,
    ) -> Result<UnionMap> {
        let Banded { scop, dataflow, .. } = self.banded;
        let mut all = UnionMap::empty_ctx(&scop.ctx)?;
        for edge in &dataflow.edges {
            if edge.reader != reader || access.is_some_and(|access| access != edge.access) {
                continue;
            }
            for sources in edge.sources.maps()? {
                let Some(writer) = scop.statement_named(&sources.get_tuple_name(DimType::In)?)
                else {
                    continue;
                };
                let sources = UnionMap::from_map(&sources)?;
                all = all.union(&match (self.banded.is_copy(writer), copies) {
                    (false, _) => sources,
                    (true, 0) => {
                        return Err(TransformError::Plan(
                            "values are copied from band to band for ever: something is written \
                             under conditions on data"
                                .to_owned(),
                        ));
                    }
                    (true, _) => self
                        .writers(writer, None, copies - 1)?
                        .apply_range(&sources)?,
                })?;
            }
        }
        Ok(all)
    }

    /// Values from before the region, by who reads them: instances of the original to cells.
    fn live_in(&self) -> Result<UnionMap> {
        let Banded { scop, dataflow, .. } = self.banded;
        // What the copies hold of that; those before the rounds come first.
        let mut held = UnionMap::empty_ctx(&scop.ctx)?;
        let mut all = UnionMap::empty_ctx(&scop.ctx)?;
        for cells in dataflow.live_in.maps()? {
            let reader = scop.statement_named(&cells.get_tuple_name(DimType::In)?);
            if reader.is_some_and(|reader| self.banded.is_copy(reader)) {
                held = held.add_map(&cells)?
            } else {
                all = all.add_map(&cells)?
            }
        }
        for _ in 0..COPIES_IN_A_ROW {
            for edge in &dataflow.edges {
                let read = edge.sources.reverse()?.apply_range(&held)?;
                if self.banded.is_copy(edge.reader) {
                    held = held.union(&read)?
                } else {
                    all = all.union(&read)?
                }
            }
        }
        Ok(all.apply_domain(&self.steps)?.coalesce()?)
    }

    /// The last writers of what is live behind the region: instances of the original to cells.
    fn live_out(&self) -> Result<UnionMap> {
        let Banded { scop, dataflow, .. } = self.banded;
        let mut all = UnionMap::empty_ctx(&scop.ctx)?;
        for cells in dataflow.live_out.maps()? {
            let Some(writer) = scop.statement_named(&cells.get_tuple_name(DimType::In)?) else {
                continue;
            };
            let cells = UnionMap::from_map(&cells)?;
            all = all.union(&if self.banded.is_copy(writer) {
                self.writers(writer, None, COPIES_IN_A_ROW)?
                    .apply_range(&cells)?
            } else {
                cells
            })?;
        }
        Ok(all.apply_domain(&self.steps)?)
    }
}

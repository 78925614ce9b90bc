//! Loops over space inside a tile, for one value of time.
//!
//! Statements at the same time and place have nothing to say about each other's loops: those that
//! follow each other with the same instances share them, and what only they keep in a variable
//! declared inside is a variable again.

use crate::analysis::over_time::cone::{Cone, Placed};
use crate::analysis::stages::{Stage, StageGraph};
use crate::plan::Jam;
use crate::scop::tree::{marks::Mark, walk};
use crate::scop::{Origin, Scop, StatementId, in_sequence};
use crate::transform::jam::jam;
use crate::transform::nests::strides;
use crate::transform::overlap::overlapped::coordinate;
use crate::transform::{Buffer, BufferKind, Lifted, Scopes, TransformError, temporaries};
use isl::{DimType, Schedule, UnionSet};

/// Statements that share their loops over space, in the order of execution.
pub(crate) struct Nest {
    statements: Vec<StatementId>,
    /// Inside the innermost loop, where there are variables.
    scope: Option<usize>,
}

/// All statements, in the order of their steps.
pub(crate) fn nests(scop: &Scop, cone: &Cone) -> isl::Result<Vec<Nest>> {
    let mut placed: Vec<&Placed> = cone.statements.iter().collect();
    placed.sort_by_key(|placed| placed.step);
    let mut nests: Vec<Nest> = Vec::new();
    let mut last: Option<&Placed> = None;
    for placed in placed {
        let joined = match last {
            Some(last) => same_instances(scop, last, placed)?,
            None => false,
        };
        match nests.last_mut().filter(|_| joined) {
            Some(nest) => nest.statements.push(placed.statement),
            None => nests.push(Nest {
                statements: vec![placed.statement],
                scope: None,
            }),
        }
        last = Some(placed);
    }
    Ok(nests)
}

/// Whether two statements have the same instances, at the same time and place.
fn same_instances(scop: &Scop, one: &Placed, other: &Placed) -> isl::Result<bool> {
    let statement = |placed: &Placed| &scop.statements[placed.statement];
    let (first, second) = (statement(one), statement(other));
    if first.iterators.len() != second.iterators.len() || one.step != other.step {
        return Ok(false);
    }
    let domain = second.domain.set_tuple_name(&first.name)?;
    let point = other.point.set_tuple_name(DimType::In, &first.name)?;
    Ok(first.domain.is_equal(&domain)? && one.point.is_equal(&point)?)
}

/// Variables in place of temporaries that are declared in the innermost loop and used in one nest
/// only.
pub(crate) fn variables(
    scop: &Scop,
    nests: &mut [Nest],
    tile_dims: usize,
    scopes: &mut Scopes,
) -> Result<Vec<Buffer>, TransformError> {
    let mut buffers = Vec::new();
    for (array, declared) in scop.arrays.iter().enumerate() {
        let Origin::Region { depth } = declared.origin else {
            continue;
        };
        let users = temporaries::users(scop, array);
        let holds = |nest: &&mut Nest| {
            let inside = |user: &StatementId| {
                nest.statements.contains(user) && scop.statements[*user].iterators.len() == depth
            };
            !users.is_empty() && users.iter().all(inside)
        };
        let Some(nest) = nests.iter_mut().find(holds) else {
            continue;
        };
        let Some((origin, extents, folded)) = temporaries::folding(scop, array, tile_dims)? else {
            continue;
        };
        let scope = *nest.scope.get_or_insert_with(|| scopes.fresh());
        buffers.push(Buffer {
            name: declared.name.clone(),
            array,
            kind: BufferKind::Local {
                scope,
                origin,
                extents,
                folded,
            },
        });
    }
    Ok(buffers)
}

impl Nest {
    /// The loops over space in the order in which they were written, for those statements that
    /// have instances; `None` where there are none.
    pub fn schedule(
        &self,
        scop: &Scop,
        graph: &StageGraph,
        jams: &[Jam],
        vectorise: bool,
        lifted: &[Lifted],
    ) -> Result<Option<Schedule>, TransformError> {
        let mut parts = Vec::new();
        let mut own = Vec::new();
        for &statement in &self.statements {
            if let Some(lifted) = lifted.iter().find(|l| l.statement == statement) {
                let domain = UnionSet::from_set(&lifted.domain)?;
                parts.push(Schedule::from_domain(&domain)?);
                own.push(lifted);
            }
        }
        let (Some(all), Some(first)) = (in_sequence(parts)?, own.first()) else {
            return Ok(None);
        };
        let mut node = walk::top(&all)?;
        if let Some(scope) = self.scope {
            node = Mark::Scope(scope).above(&node)?;
        }
        let last = scop.statements[first.statement].iterators.len() - 1;
        for iterator in (1..=last).rev() {
            let members = own.iter().copied();
            let member = coordinate(scop, members, |l| l.tile_dims + iterator)?;
            node = node.insert_partial_schedule(&member)?;
            node = node.band_member_set_coincident(0, 1)?;
            if iterator == last && vectorise {
                let mut score = 0;
                for lifted in &own {
                    score += strides::along(scop, lifted.statement, iterator)?.all;
                }
                if score > 0 {
                    node = Mark::Simd.above(&node)?;
                }
            }
        }
        if let Some(factors) = self.jam(graph, jams) {
            node = jam(&node, factors, None, 0)?;
        }
        Ok(Some(node.get_schedule()?))
    }

    /// How many iterations of its loops the plan wants together.
    fn jam<'a>(&self, graph: &StageGraph, jams: &'a [Jam]) -> Option<&'a [i64]> {
        let mut inside = graph.stages.iter().filter(|stage| {
            let mut statements = stage.statements.iter();
            statements.any(|statement| self.statements.contains(statement))
        });
        let of = |stage: &Stage| jams.iter().find(|jam| jam.stage == stage.name);
        inside.find_map(of).map(|jam| &jam.factors[..])
    }
}

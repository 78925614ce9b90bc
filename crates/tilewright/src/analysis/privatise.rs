//! Scalars and arrays that every iteration of some outer loops writes before it reads them get a
//! copy per iteration.
//!
//! `nrm` in `for (k…) { nrm = …; … = nrm; }` makes the loop over `k` sequential only because its
//! memory is used again. The region's own temporaries are expanded by the front end; this pass
//! does the same for variables of the function that are declared outside the region and dead
//! after it. Exact: the values read in an iteration come from the same iteration.

use crate::analysis::dataflow::Dataflow;
use crate::scop::{ArrayId, Expr, Extent, Origin, Scop, StatementId};
use isl::{DimType, LocalSpace, PwAff, Result, ScheduleNode, ScheduleNodeType, UnionSet};

/// The scop with everything expanded that can be, or `None` where there is nothing.
///
/// # Errors
/// isl's own.
pub fn privatise(scop: &Scop, dataflow: &Dataflow) -> Result<Option<Scop>> {
    let mut expanded: Option<Scop> = None;
    for array in 0..scop.arrays.len() {
        if let Some(depth) = private_depth(scop, dataflow, array)? {
            let mut next = expanded.take().unwrap_or_else(|| scop.clone());
            expand(&mut next, array, depth)?;
            expanded = Some(next);
        }
    }
    Ok(expanded)
}

/// Under how many outer loops an array is private; `None` where it is not, or no loop gains.
fn private_depth(scop: &Scop, dataflow: &Dataflow, array: ArrayId) -> Result<Option<usize>> {
    let a = &scop.arrays[array];
    if a.origin != Origin::Local || a.live_out || !a.extents.is_empty() {
        return Ok(None);
    }
    for cells in dataflow.live_in.range()?.sets()? {
        if cells.get_tuple_name()? == a.name {
            return Ok(None);
        }
    }
    let users = users(scop, array);
    let mut depth = common_loops(scop, &users)?;
    for edge in dataflow.edges.iter().filter(|e| e.array == array) {
        for map in edge.sources.maps()? {
            while depth > 0 && !same_first(&map, depth)? {
                depth -= 1;
            }
        }
    }
    for &user in &users {
        for k in 0..depth {
            let lowest = scop.statements[user]
                .domain
                .intersect_params(&scop.context)?
                .dim_min_val(k)?;
            if lowest.to_i64().is_none_or(|v| v < 0) {
                depth = depth.min(k);
                break;
            }
        }
    }
    Ok((depth > 0).then_some(depth))
}

fn users(scop: &Scop, array: ArrayId) -> Vec<StatementId> {
    (0..scop.statements.len())
        .filter(|&s| scop.statements[s].accesses.iter().any(|a| a.array == array))
        .collect()
}

/// How many outer loops of the original program hold all these statements.
fn common_loops(scop: &Scop, statements: &[StatementId]) -> Result<usize> {
    let mut all = UnionSet::empty_ctx(&scop.ctx)?;
    for &s in statements {
        all = all.union(&UnionSet::from_set(&scop.statements[s].domain)?)?;
    }
    let mut node: ScheduleNode = scop.schedule.intersect_domain(&all)?.get_root()?;
    let mut loops = 0;
    loop {
        match node.get_type()? {
            ScheduleNodeType::Band => loops += node.band_n_member()?,
            ScheduleNodeType::Domain | ScheduleNodeType::Context => {}
            ScheduleNodeType::Filter if node.get_child_position()? == 0 => {}
            ScheduleNodeType::Sequence if node.n_children()? == 1 => {}
            _ => return Ok(loops),
        }
        if node.n_children()? != 1 {
            return Ok(loops);
        }
        node = node.child(0)?;
    }
}

/// Whether both ends of every dependence agree in the first `depth` iterators.
fn same_first(map: &isl::Map, depth: usize) -> Result<bool> {
    let mut same = map.clone();
    for k in 0..depth {
        same = same.equate(DimType::In, k, DimType::Out, k)?;
    }
    map.is_subset(&same)
}

/// Gives the array `depth` leading dimensions, indexed by the outer iterators.
fn expand(scop: &mut Scop, array: ArrayId, depth: usize) -> Result<()> {
    let mut highest: Vec<Option<PwAff>> = vec![None; depth];
    for user in users(scop, array) {
        let context = scop.context.clone();
        let statement = &mut scop.statements[user];
        for (k, slot) in highest.iter_mut().enumerate() {
            let most = statement.domain.intersect_params(&context)?.dim_max(k)?;
            *slot = Some(match slot.take() {
                Some(before) => before.union_max(&most)?,
                None => most,
            });
        }
        let space = LocalSpace::from_space(&statement.domain.get_space()?)?;
        for access in statement.accesses.iter_mut().filter(|a| a.array == array) {
            let name = access.relation.get_tuple_name(DimType::Out)?;
            let mut relation = access.relation.insert_dims(DimType::Out, 0, depth)?;
            for k in 0..depth {
                relation = relation.equate(DimType::In, k, DimType::Out, k)?;
                access.subscripts.insert(k, Expr::Iterator(k));
                access
                    .affine
                    .insert(k, Some(PwAff::var_on_domain(&space, DimType::Set, k)?));
            }
            access.relation = relation.set_tuple_name(DimType::Out, &name)?;
        }
    }
    let one = isl::Val::one(&scop.ctx)?;
    for (k, most) in highest.into_iter().enumerate() {
        let affine = match most {
            Some(most) => Some(most.add_constant_val(&one)?),
            None => None,
        };
        scop.arrays[array].extents.insert(
            k,
            Extent {
                spelling: None,
                affine,
            },
        );
    }
    scop.arrays[array].origin = Origin::Region { depth };
    Ok(())
}

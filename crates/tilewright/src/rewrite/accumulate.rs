//! Accumulation in place: a temporary that ends in one cell of an array is that cell from the
//! beginning. A Scop → Scop pass, behind inlining.
//!
//! ```text
//! double s = 0;                        C[i][j] = 0;
//! for (k…) s += A[i][k] * B[k][j];  →  for (k…) C[i][j] += A[i][k] * B[k][j];
//! C[i][j] = s;
//! ```
//!
//! The last statement may go on with the value, as in `C[i][j] = s / d;`, which stays as
//! `C[i][j] = C[i][j] / d;`, and the first one may begin with what is in the cell.
//!
//! With `s` of its own for every iteration, orders that finish no sum before the next one begins
//! need all of them at once: an array as large as `C`, of values that `C` has room for. In place,
//! three statements become two, and loops that move outwards cost no memory.
//!
//! What is in the cell before its end is seen by nobody: between the first value of the temporary
//! and the statement that copies it, no other statement touches the cell, and none writes it
//! before the last read of the temporary. Both are of one type, so each value is rounded as before.

use super::TransformError;
use crate::analysis::dependences::dataflow::Dataflow;
use crate::analysis::dependences::times::Times;
use crate::analysis::region::Region;
use crate::analysis::stages::StageGraph;
use crate::scop::{
    Access, AccessKind, Action, ArrayId, Expr, Origin, Scop, Statement, StatementId,
};
use isl::{Aff, DimType, LocalSpace, Map, MultiAff};

/// The temporaries of a region that are added to in an inner loop and can be in the cells that get
/// them, by name, and the region with them there; `None` where there are none.
///
/// # Errors
/// isl's own.
pub fn choose(region: &Region) -> isl::Result<Option<(Vec<String>, Region)>> {
    let scop = &region.scop;
    let mut names = Vec::new();
    let mut changed: Option<Scop> = None;
    for array in 0..scop.arrays.len() {
        let now = changed.as_ref().unwrap_or(scop);
        let inner = |s: &Statement| s.iterators.len() > now.arrays[array].extents.len();
        let added = (now.statements.iter()).any(|s| inner(s) && writes(s, array).next().is_some());
        if !added {
            continue;
        }
        if let Ok(place) = place(now, array)? {
            changed = Some(in_place(now, array, &place)?);
            names.push(scop.arrays[array].name.clone());
        }
    }
    match changed {
        Some(scop) => Ok(Some((names, analysed(scop)?))),
        None => Ok(None),
    }
}

impl Region {
    /// The region with these temporaries in the cells that get them.
    ///
    /// # Errors
    /// [`TransformError::Plan`] with the reason why one cannot be.
    pub fn accumulated(&self, names: &[String]) -> Result<Region, TransformError> {
        let mut scop = self.scop.clone();
        for name in names {
            let refused = |why: &str| {
                TransformError::Plan(format!("`{name}` cannot be accumulated in place: {why}"))
            };
            let array = scop.array_named(name);
            let array = array.ok_or_else(|| refused("there is no such temporary"))?;
            let place = place(&scop, array)?.map_err(refused)?;
            scop = in_place(&scop, array, &place)?;
        }
        Ok(analysed(scop)?)
    }
}

fn analysed(scop: Scop) -> isl::Result<Region> {
    let dataflow = Dataflow::compute(&scop)?;
    let graph = StageGraph::build(&scop, &dataflow)?;
    Ok(Region {
        scop,
        dataflow,
        graph,
        rounds: None,
    })
}

/// Where a temporary goes: the cell that the statement at its end, the *copy*, writes.
struct Place {
    /// The write of the statement that copies it.
    target: Access,
    /// From cells of the temporary to those that get them; no two get into one.
    cells: Map,
}

fn writes(statement: &Statement, array: ArrayId) -> impl Iterator<Item = &Access> {
    let accesses = statement.accesses.iter();
    accesses.filter(move |a| a.array == array && a.kind == AccessKind::Write)
}

/// The place of a temporary, or why it has none.
fn place(scop: &Scop, array: ArrayId) -> isl::Result<Result<Place, &'static str>> {
    let temporary = &scop.arrays[array];
    let depth = match temporary.origin {
        Origin::Region { depth } if depth == temporary.extents.len() => depth,
        _ => return Ok(Err("it is no scalar of the region")),
    };
    let named = scop.loops.bounds.contains_key(&temporary.name)
        || scop.outside().is_some()
        || !scop.loops.independent.is_empty();
    if named {
        return Ok(Err("more is said of it than what statements do with it"));
    }
    let cell: Vec<Expr> = (0..depth).map(Expr::Iterator).collect();
    let touches = |s: &Statement| s.accesses.iter().any(|a| a.array == array);
    let users: Vec<StatementId> = (0..scop.statements.len())
        .filter(|&s| touches(&scop.statements[s]))
        .collect();
    for &user in &users {
        let user = &scop.statements[user];
        let mut own = user.accesses.iter().filter(|a| a.array == array);
        if user.iterators.len() < depth || !own.all(|a| a.subscripts == cell) {
            return Ok(Err("it is not the one of its iteration everywhere"));
        }
        // What a statement does behind a write is not looked at.
        let assigns = match scop.exits(user).1.split_last() {
            Some((Action::Assign { .. }, before)) => before.iter().all(is_variable),
            _ => false,
        };
        if !assigns {
            return Ok(Err("a statement does more than assign a value with it"));
        }
    }
    for &copy in &users {
        let Some((from, target)) = copied(scop, array, depth, copy) else {
            continue;
        };
        let cells = from.relation.reverse()?.apply_range(&target.relation)?;
        let cells = cells.intersect_params(&scop.context)?;
        if cells.is_injective()? && is_unseen(scop, (array, target.array), &users, copy, &cells)? {
            return Ok(Ok(Place {
                target: target.clone(),
                cells,
            }));
        }
    }
    Ok(Err(
        "no cell gets it at last, of which nobody sees what is in it before",
    ))
}

/// Whether an action concerns variables of the statement alone.
fn is_variable(action: &Action) -> bool {
    matches!(action, Action::Local { .. } | Action::SetLocal { .. })
}

/// What a statement reads of a temporary, and where to it puts what it makes of it, if that is all it
/// does, once for each of its cells.
fn copied(
    scop: &Scop,
    array: ArrayId,
    depth: usize,
    copy: StatementId,
) -> Option<(&Access, &Access)> {
    let statement = &scop.statements[copy];
    let [Action::Assign { target, .. }] = &statement.body[..] else {
        return None;
    };
    let target = &statement.accesses[*target];
    let mut own = statement.accesses.iter().filter(|a| a.array == array);
    let from = own.next().filter(|a| a.kind == AccessKind::Read)?;
    let (mine, theirs) = (&scop.arrays[array], &scop.arrays[target.array]);
    let fits = statement.iterators.len() == depth
        && own.all(|a| a.kind == AccessKind::Read)
        && target.array != array
        && target.exact
        && target.affine.iter().all(Option::is_some)
        && !matches!(theirs.origin, Origin::Region { .. })
        && theirs.element.kind == mine.element.kind;
    fits.then_some((from, target))
}

/// Whether what is in the cells before they are copied to is seen by nobody.
fn is_unseen(
    scop: &Scop,
    (array, target): (ArrayId, ArrayId),
    users: &[StatementId],
    copy: StatementId,
    cells: &Map,
) -> isl::Result<bool> {
    let times = Times::of(&scop.schedule)?;
    let copied = cells.domain()?;
    let copies = scop.statements[copy].accesses.iter();
    let copies = copies.filter(|a| a.array == array).map(|a| &a.relation);
    let Some(copies) = copies.map(Map::reverse).next().transpose()? else {
        return Ok(false);
    };
    // All instances of one map come before those at the same cell of the other.
    let all_before = |first: &Map, second: &Map| -> isl::Result<bool> {
        let mut pairs = first.apply_range(&second.reverse()?)?;
        pairs = pairs.intersect_params(&scop.context)?;
        if first.get_tuple_name(DimType::In)? == second.get_tuple_name(DimType::In)? {
            let itself = Map::identity(&pairs.get_space()?)?;
            pairs = pairs.subtract(&itself)?;
        }
        Ok(pairs.is_empty()? || times.first_not_before(scop, &pairs)?.is_none())
    };
    let by_cell = copies.reverse()?;
    let last = &scop.statements[copy];
    let plain = match &last.body[..] {
        [
            Action::Assign {
                value: Expr::Access(from),
                ..
            },
        ] => last.accesses[*from].array == array,
        _ => false,
    };
    let mut targets = last.accesses.iter();
    let targets = targets.find(|a| a.kind == AccessKind::Write);
    for &user in users {
        for access in scop.statements[user].accesses.iter() {
            if access.array != array {
                continue;
            }
            let touched = access.relation.intersect_params(&scop.context)?;
            // Behind the last statement there is what that made of it.
            let in_front = access.kind == AccessKind::Write || !plain && user != copy;
            if !touched.range()?.is_subset(&copied)?
                || in_front && !all_before(&access.relation, &by_cell)?
            {
                return Ok(false);
            }
        }
    }
    for (number, statement) in scop.statements.iter().enumerate() {
        for other in &statement.accesses {
            if other.array != target || number == copy && other.kind == AccessKind::Write {
                continue;
            }
            if let Some(written) = targets.filter(|_| number == copy) {
                // What was in the cell before is read at the end.
                if !written.relation.intersect(&other.relation)?.is_empty()? {
                    return Ok(false);
                }
            }
            // Which cells of the temporary would be where it is.
            let other_at = other.relation.apply_range(&cells.reverse()?)?;
            let writes = other.kind == AccessKind::Write;
            let mut in_front = true;
            let mut behind = all_before(&by_cell, &other_at)?;
            for &user in users {
                for access in &scop.statements[user].accesses {
                    if access.array != array {
                        continue;
                    }
                    if access.kind == AccessKind::Write {
                        in_front = in_front && all_before(&other_at, &access.relation)?;
                    } else if writes {
                        behind = behind && all_before(&access.relation, &other_at)?;
                    }
                }
            }
            if !in_front && !behind {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// The program with a temporary in its place.
fn in_place(scop: &Scop, array: ArrayId, place: &Place) -> isl::Result<Scop> {
    let mut statements = Vec::new();
    for statement in &scop.statements {
        let mut statement = statement.clone();
        let space = statement.domain.get_space()?;
        for access in statement.accesses.iter_mut().filter(|a| a.array == array) {
            let function = outermost(&space, &place.target)?;
            let affine = place.target.affine.iter().map(|one| match one {
                Some(one) => one.pullback_multi_aff(&function).map(Some),
                None => Ok(None),
            });
            access.affine = affine.collect::<isl::Result<_>>()?;
            access.array = place.target.array;
            access.relation = access.relation.apply_range(&place.cells)?;
            access.subscripts.clone_from(&place.target.subscripts);
        }
        if !keeps_its_cell(&statement) {
            statements.push(statement);
        }
    }
    scop.of_statements(statements)
}

/// The function from a statement's instances to their outermost loops, as those of the copy.
fn outermost(space: &isl::Space, target: &Access) -> isl::Result<MultiAff> {
    let local = LocalSpace::from_space(space)?;
    let copy = target.relation.get_space()?.domain()?;
    let depth = copy.dim(DimType::Set)?;
    let mut function = MultiAff::zero(&space.map_from_domain_and_range(&copy)?)?;
    for k in 0..depth {
        function = function.set_at(k, &Aff::var_on_domain(&local, DimType::Set, k)?)?;
    }
    Ok(function)
}

/// Whether a statement writes what it has read from the same cell.
fn keeps_its_cell(statement: &Statement) -> bool {
    let [
        Action::Assign {
            target,
            value: Expr::Access(from),
        },
    ] = &statement.body[..]
    else {
        return false;
    };
    let (from, target) = (&statement.accesses[*from], &statement.accesses[*target]);
    from.array == target.array && from.subscripts == target.subscripts
}

#[cfg(test)]
mod tests;

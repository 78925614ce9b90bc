//! Sums in parts: the iterations of a loop that only adds to an array, at places that data picks,
//! go round several copies of it in blocks, and the copies are added up behind the loop. A Scop →
//! Scop pass, before stages are grouped.
//!
//! ```text
//!                                   parts[c][x] = 0
//! for (i…)                     →    for (c…)                 copies, in parallel
//!   count[key[i]] += 1;               for (i…, (i / BLOCK) % COPIES == c)
//!                                       parts[c][key[i]] += 1;
//!                                   for (x…) for (c…) count[x] = count[x] + parts[c][x]
//! ```
//!
//! The copies belong to iterations and not to threads, so that the result is the same with any
//! number of threads, sums of floating-point numbers too. What is reordered is the sum in each
//! cell, and nothing else: the loop must be free of other dependences
//! ([`crate::analysis::reductions`]).

use super::TransformError;
use super::tabulate::{fresh, nest};
use crate::analysis::dependences::carried::parallel_members;
use crate::analysis::dependences::dataflow::Dataflow;
use crate::analysis::reductions::{Operator, Reduction, loosened, reductions};
use crate::analysis::region::Region;
use crate::analysis::stages::StageGraph;
use crate::plan::defaults::PARTIAL_BLOCK;
use crate::plan::entries::Parts;
use crate::scop::tree::walk;
use crate::scop::{
    Access, AccessKind, Action, Array, ArrayId, Assumptions, BinaryOp, Expr, Extent, Iterator,
    Layout, Members, Origin, ScalarKind, ScalarType, Scop, Statement, StatementId, in_sequence,
};
use isl::{
    DimType, LocalSpace, Map, MultiUnionPwAff, PwAff, ScheduleNode, ScheduleNodeType, Set, Space,
    UnionPwAff, UnionSet, Val,
};

type Result<T> = std::result::Result<T, TransformError>;

impl Region {
    /// The region with these sums in parts.
    ///
    /// # Errors
    /// [`TransformError::Plan`] with the reason why one cannot be.
    pub fn in_parts(&self, all: &[Parts]) -> Result<Region> {
        let mut region = self.clone();
        let mut left = all.to_vec();
        while !left.is_empty() {
            let (scop, others) = in_parts(&region.scop, &region.dataflow, &left)?;
            left = others;
            let dataflow = Dataflow::compute(&scop)?;
            let graph = StageGraph::build(&scop, &dataflow)?;
            region = Region {
                scop,
                dataflow,
                graph,
                rounds: None,
            };
        }
        Ok(region)
    }
}

/// The loop that a sum is in, outermost of all.
struct Around {
    /// Its band.
    band: ScheduleNode,
    /// What is executed in it.
    inside: Vec<StatementId>,
    before: UnionSet,
    within: UnionSet,
    after: UnionSet,
}

/// The program with the first of some sums in parts, and all others of the same loop; and the sums
/// of other loops.
fn in_parts(scop: &Scop, dataflow: &Dataflow, all: &[Parts]) -> Result<(Scop, Vec<Parts>)> {
    let name = all.first().map_or("", |parts| &parts.array[..]);
    let refused = |why: &str| TransformError::Plan(format!("`{name}` {why}"));
    let copies = all.first().map_or(1, |parts| parts.copies);
    let known = reductions(scop);
    let mut found: Option<Around> = None;
    let (mut sums, mut left) = (Vec::new(), Vec::new());
    for parts in all {
        let sum = known
            .iter()
            .find(|r| scop.arrays[r.array].name == parts.array);
        let refused = |why: &str| TransformError::Plan(format!("`{}` {why}", parts.array));
        let sum = sum.ok_or_else(|| refused("is no array that the region only adds to"))?;
        let own = around(scop, sum)?.ok_or_else(|| refused("is not summed up in one loop"))?;
        match &found {
            Some(first) if first.inside != own.inside => {
                left.push(parts.clone());
                continue;
            }
            Some(_) if parts.copies != copies => {
                return Err(refused("has not as many copies as others of its loop"));
            }
            Some(_) => {}
            None => found = Some(own),
        }
        sums.push(sum);
    }
    let Some(around) = found else {
        return Ok((scop.clone(), left));
    };
    for &sum in &sums {
        let name = &scop.arrays[sum.array].name;
        let others = around.inside.iter().any(|&id| {
            let mut accesses = scop.statements[id].accesses.iter();
            !sum.has(id) && accesses.any(|access| access.array == sum.array)
        });
        let mut extents = scop.arrays[sum.array].extents.iter();
        let why = match (others, extents.any(|extent| extent.affine.is_none())) {
            (true, _) => "is used otherwise in the loop that adds to it",
            (_, true) => "has an extent that is not known",
            _ => continue,
        };
        return Err(TransformError::Plan(format!("`{name}` {why}")));
    }
    let full = dataflow.among(scop, &around.inside)?;
    if parallel_members(&around.band, &full, true)?.first() == Some(&true) {
        return Err(refused("is summed up in a loop that is parallel as it is"));
    }
    let loose = loosened(scop, dataflow, &around.inside, &sums)?;
    if parallel_members(&around.band, &loose, true)?.first() != Some(&true) {
        return Err(refused(
            "is summed up in a loop whose iterations depend on each other otherwise, too",
        ));
    }
    let mut new = scop.clone();
    let size = block(scop, &around.inside);
    let blocks = blocks(&around, size)?;
    let chunk = blocks.mod_val(&Val::int_from_si(&scop.ctx, copies)?)?;
    let copy = copy_of(size, copies);
    let (mut clearings, mut additions) = (Vec::new(), Vec::new());
    for &sum in &sums {
        let array = copies_of(&mut new, sum.array, copies)?;
        for update in &sum.updates {
            redirect(
                &mut new,
                update.statement,
                (sum.array, array),
                &chunk,
                &copy,
            )?;
        }
        clearings.push(clearing(&new, array, sum.operator)?);
        additions.push(adding(&new, array, sum)?);
    }
    let mut band = around.band.clone();
    if size > 1 {
        band = band.insert_partial_schedule(&MultiUnionPwAff::from_union_pw_aff(&blocks)?)?;
    }
    band = band.insert_partial_schedule(&MultiUnionPwAff::from_union_pw_aff(&chunk)?)?;
    let schedule = band.get_schedule()?;
    let mut pieces = Vec::new();
    if !around.before.is_empty()? {
        pieces.push(scop.schedule.intersect_domain(&around.before)?);
    }
    for clear in &clearings {
        pieces.push(nest(&clear.domain, 0)?);
    }
    pieces.push(schedule.intersect_domain(&around.within)?);
    for add in &additions {
        pieces.push(nest(&add.domain, 0)?);
    }
    if !around.after.is_empty()? {
        pieces.push(scop.schedule.intersect_domain(&around.after)?);
    }
    new.schedule =
        in_sequence(pieces)?.ok_or_else(|| refused("is summed up by nothing that is executed"))?;
    let (first, last) = (around.inside.first(), around.inside.last());
    if let (Some(&first), Some(&last)) = (first, last) {
        new.statements.splice(last + 1..last + 1, additions);
        new.statements.splice(first..first, clearings);
    }
    new.conditions.assumptions = Assumptions::of(&new.context, &new.statements)?;
    Ok((new, left))
}

/// The outermost loop with all updates of a sum, and what is before and behind it.
fn around(scop: &Scop, sum: &Reduction) -> isl::Result<Option<Around>> {
    let empty = UnionSet::empty_ctx(&scop.ctx)?;
    let mut updates = empty.clone();
    for update in &sum.updates {
        updates = updates.add_set(&scop.statements[update.statement].domain)?;
    }
    let root = walk::top(&scop.schedule)?;
    let (mut before, mut after) = (empty.clone(), empty);
    let mut found = None;
    if root.get_type()? == ScheduleNodeType::Sequence {
        for child in root.children()? {
            let own = child.filter_get_filter()?;
            if updates.is_subset(&own)? {
                found = Some((child.child(0)?, own));
            } else if !updates.is_disjoint(&own)? {
                return Ok(None);
            } else if found.is_none() {
                before = before.union(&own)?;
            } else {
                after = after.union(&own)?;
            }
        }
    } else {
        found = Some((root, scop.domain()?));
    }
    let Some((band, within)) = found else {
        return Ok(None);
    };
    if !walk::is_loop(&band)? {
        return Ok(None);
    }
    let mut inside = Vec::new();
    for (id, statement) in scop.statements.iter().enumerate() {
        let own = UnionSet::from_set(&statement.domain)?;
        if !own.is_disjoint(&within)? {
            inside.push(id);
        }
    }
    Ok(Some(Around {
        band,
        inside,
        before,
        within,
        after,
    }))
}

/// Neighbouring iterations that add to one copy: one where there are loops in them.
fn block(scop: &Scop, inside: &[StatementId]) -> i64 {
    let loops = |statement: &StatementId| scop.statements[*statement].iterators.len();
    if inside.iter().any(|statement| loops(statement) > 1) {
        1
    } else {
        PARTIAL_BLOCK
    }
}

/// The block that each iteration of the loop is in.
fn blocks(around: &Around, size: i64) -> isl::Result<UnionPwAff> {
    let value = around.band.band_get_partial_schedule()?.get_at(0)?;
    if size == 1 {
        return Ok(value);
    }
    let size = Val::int_from_si(around.band.ctx(), size)?;
    value.scale_down_val(&size)?.floor()
}

/// The copy of an iteration, as a subscript.
fn copy_of(size: i64, copies: i64) -> Expr {
    let int = |value: i64| Box::new(Expr::Literal(value.to_string()));
    let block = match size {
        1 => Expr::Iterator(0),
        size => Expr::Binary(BinaryOp::Div, Box::new(Expr::Iterator(0)), int(size)),
    };
    Expr::Binary(BinaryOp::Rem, Box::new(block), int(copies))
}

/// The copies of an array, as an array of the region.
fn copies_of(scop: &mut Scop, of: ArrayId, copies: i64) -> isl::Result<ArrayId> {
    let old = scop.arrays[of].clone();
    let name = fresh(scop, &format!("{}_parts", old.name), 0);
    scop.except_likewise(&old.base, &name);
    let params = Set::universe(&scop.context.get_space()?)?;
    let first = Extent {
        spelling: Some(copies.to_string()),
        affine: Some(PwAff::val_on_domain(
            &params,
            &Val::int_from_si(&scop.ctx, copies)?,
        )?),
    };
    let mut extents = vec![first];
    extents.extend(old.extents.iter().cloned());
    scop.arrays.push(Array {
        base: name.clone(),
        name,
        members: Members::default(),
        extents,
        element: modular(&old.element),
        layout: Layout::Subscripts,
        live_in: false,
        live_out: false,
        origin: Origin::Region { depth: 0 },
        variable: None,
        ..old
    });
    Ok(scop.arrays.len() - 1)
}

/// The type of parts of a sum: a part may leave the range that the whole sum keeps to, so that its
/// numbers wrap.
fn modular(of: &ScalarType) -> ScalarType {
    let kind = match of.kind {
        ScalarKind::I32 => ScalarKind::U32,
        ScalarKind::I64 => ScalarKind::U64,
        _ => return of.clone(),
    };
    ScalarType {
        kind,
        spelling: kind.c_name().to_owned(),
    }
}

/// Makes an update add to its iteration's copy.
fn redirect(
    scop: &mut Scop,
    id: StatementId,
    (old, new): (ArrayId, ArrayId),
    chunk: &UnionPwAff,
    copy: &Expr,
) -> isl::Result<()> {
    let domain = scop.statements[id].domain.clone();
    let mut own: Option<PwAff> = None;
    let all = chunk.intersect_domain(&UnionSet::from_set(&domain)?)?;
    all.foreach_pw_aff(&mut |value| {
        own = Some(value);
        Ok(())
    })?;
    let Some(own) = own else { return Ok(()) };
    let name = scop.arrays[new].name.clone();
    for access in &mut scop.statements[id].accesses {
        if access.array != old {
            continue;
        }
        let first: Map = own.as_map()?;
        access.relation = first
            .flat_range_product(&access.relation)?
            .intersect_domain(&domain)?
            .set_tuple_name(DimType::Out, &name)?;
        access.array = new;
        access.affine.insert(0, Some(own.clone()));
        access.subscripts.insert(0, copy.clone());
    }
    Ok(())
}

/// All cells of an array, as instances of a statement; the first dimension of the array is the
/// instances' last where `last`.
fn cells(scop: &Scop, array: ArrayId, name: &str, last: bool) -> isl::Result<Set> {
    let rank = scop.arrays[array].extents.len();
    let space = Space::set_alloc(&scop.ctx, 0, rank)?
        .align_params(&scop.context.get_space()?)?
        .set_tuple_name(DimType::Set, name)?;
    let local = LocalSpace::from_space(&space)?;
    let mut all = Set::universe(&space)?;
    for (dimension, extent) in scop.arrays[array].extents.iter().enumerate() {
        let position = if last {
            (dimension + rank - 1) % rank
        } else {
            dimension
        };
        let index = PwAff::var_on_domain(&local, DimType::Set, position)?;
        all = all.lower_bound_si(DimType::Set, position, 0)?;
        if let Some(extent) = &extent.affine {
            all = all.intersect(&index.lt_set(&extent.insert_domain(&space)?)?)?;
        }
    }
    Ok(all)
}

/// An access of the instances of such a statement to the cell of these dimensions.
fn access(
    scop: &Scop,
    domain: &Set,
    array: ArrayId,
    kind: AccessKind,
    dimensions: &[usize],
) -> isl::Result<Access> {
    let space = domain.get_space()?;
    let local = LocalSpace::from_space(&space)?;
    let mut affine = Vec::new();
    let mut relation: Option<Map> = None;
    for &dimension in dimensions {
        let value = PwAff::var_on_domain(&local, DimType::Set, dimension)?;
        let own = value.as_map()?;
        relation = Some(match relation {
            None => own,
            Some(before) => before.flat_range_product(&own)?,
        });
        affine.push(Some(value));
    }
    let name = &scop.arrays[array].name;
    let relation = match relation {
        Some(relation) => relation,
        None => Map::from_domain(domain)?,
    };
    Ok(Access {
        array,
        kind,
        exact: true,
        relation: relation
            .intersect_domain(domain)?
            .set_tuple_name(DimType::Out, name)?,
        subscripts: dimensions.iter().map(|&d| Expr::Iterator(d)).collect(),
        affine,
        span: scop.place.span,
    })
}

fn counters(count: usize) -> Vec<Iterator> {
    let long = ScalarType {
        kind: ScalarKind::I64,
        spelling: "long".to_owned(),
    };
    let counter = |dimension| Iterator {
        name: format!("x{dimension}"),
        ctype: long.clone(),
    };
    (0..count).map(counter).collect()
}

/// `parts[c][x…] = 0`
fn clearing(scop: &Scop, parts: ArrayId, operator: Operator) -> isl::Result<Statement> {
    let name = fresh(scop, &format!("{}_clear", scop.arrays[parts].name), 0);
    let domain = cells(scop, parts, &name, false)?;
    let rank = scop.arrays[parts].extents.len();
    let all: Vec<usize> = (0..rank).collect();
    let write = access(scop, &domain, parts, AccessKind::Write, &all)?;
    Ok(Statement {
        name,
        domain,
        iterators: counters(rank),
        body: vec![Action::Assign {
            target: 0,
            value: Expr::Literal(operator.neutral().to_owned()),
        }],
        accesses: vec![write],
        span: scop.place.span,
    })
}

/// `array[x…] = array[x…] + parts[c][x…]`, the copies in order.
fn adding(scop: &Scop, parts: ArrayId, of: &Reduction) -> isl::Result<Statement> {
    let array = of.array;
    let name = fresh(scop, &format!("{}_add", scop.arrays[parts].name), 0);
    let domain = cells(scop, parts, &name, true)?;
    let rank = scop.arrays[parts].extents.len();
    let cell: Vec<usize> = (0..rank - 1).collect();
    let mut part = vec![rank - 1];
    part.extend(&cell);
    let accesses = vec![
        access(scop, &domain, array, AccessKind::Read, &cell)?,
        access(scop, &domain, parts, AccessKind::Read, &part)?,
        access(scop, &domain, array, AccessKind::Write, &cell)?,
    ];
    let sum = Expr::Binary(
        of.operator.operation(),
        Box::new(Expr::Access(0)),
        Box::new(Expr::Access(1)),
    );
    Ok(Statement {
        name,
        domain,
        iterators: counters(rank),
        body: vec![Action::Assign {
            target: 2,
            value: sum,
        }],
        accesses,
        span: scop.place.span,
    })
}

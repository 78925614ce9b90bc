//! From drafts to statements: names, relations, and reads of old values.

use crate::frontend::c::lower::values::spread::Spread;
use crate::frontend::c::lower::{Draft, Lowering, RawAccess, Result};
use crate::scop::{Access, AccessKind, Array, Extent, Linear, Statement};
use isl::{AffList, DimType, Id, Map, MultiAff, PwAff, Set};

impl Lowering<'_> {
    /// The statements of the scop: for each its draft's number in `order`.
    pub(crate) fn statements(&self, order: &[usize], arrays: &[Array]) -> Result<Vec<Statement>> {
        let mut statements = Vec::new();
        for (number, &draft) in order.iter().enumerate() {
            statements.push(self.one_statement(
                format!("S{number}"),
                &self.model.statements[draft],
                arrays,
            )?);
        }
        Ok(statements)
    }

    fn one_statement(&self, name: String, draft: &Draft, arrays: &[Array]) -> Result<Statement> {
        let id = Id::alloc(self.ctx, &name)?;
        let domain = self.named(&draft.domain, draft, &id)?;
        let mut accesses: Vec<Access> = Vec::new();
        for raw in &draft.accesses {
            accesses.push(self.one_access(raw, draft, &id, &domain, arrays)?);
        }
        // The old value may survive a write that is not exact.
        for position in 0..accesses.len() {
            let write = accesses[position].clone();
            if write.kind != AccessKind::Write || write.exact {
                continue;
            }
            let called = |position: usize| draft.accesses.get(position).map(|a| a.cells.is_some());
            let own = called(position);
            let read = accesses.iter_mut().enumerate().find(|(other, a)| {
                a.kind == AccessKind::Read
                    && a.array == write.array
                    && a.subscripts == write.subscripts
                    && called(*other) == own
            });
            let read = read.map(|(_, read)| read);
            match read {
                // A read that every instance performs covers the write already.
                Some(read) if read.exact => {}
                Some(read) => {
                    read.relation = read.relation.union(&write.relation)?.coalesce()?;
                }
                None => accesses.push(Access {
                    kind: AccessKind::Read,
                    ..write
                }),
            }
        }
        Ok(Statement {
            name,
            domain,
            iterators: draft.loops.iter().map(|l| l.iterator.clone()).collect(),
            body: draft.body.clone(),
            accesses,
            span: draft.span,
        })
    }

    /// A set of loop values as instances of a statement.
    fn named(&self, set: &Set, draft: &Draft, id: &Id) -> isl::Result<Set> {
        let mut set = set.set_tuple_id(id)?;
        for (position, l) in draft.loops.iter().enumerate() {
            set = set.set_dim_name(DimType::Set, position, &l.iterator.name)?;
        }
        Ok(set)
    }

    fn one_access(
        &self,
        raw: &RawAccess,
        draft: &Draft,
        id: &Id,
        domain: &Set,
        arrays: &[Array],
    ) -> Result<Access> {
        let array = &arrays[raw.array];
        let touched = if raw.always {
            domain.clone()
        } else {
            self.named(&raw.domain, draft, id)?
        };
        // An access without dimensions in an array that has some: the dimensions are there whatever
        // their extents are, which bound what has subscripts of its own.
        let linear = array.layout.linear().map(Linear::dims).unwrap_or_default();
        let anywhere = |position: usize| {
            linear.contains(&position)
                && raw.flat.is_some()
                && raw.subscripts[position].affine.is_none()
        };
        let mut columns = Vec::new();
        let mut affine = Vec::new();
        let mut exact = raw.always;
        for (position, subscript) in raw.subscripts.iter().enumerate() {
            let column = match &subscript.affine {
                Some(value) => {
                    let mut value = value.set_tuple_id(DimType::In, id)?;
                    for (position, l) in draft.loops.iter().enumerate() {
                        let name = Id::alloc(self.ctx, &l.iterator.name)?;
                        value = value.set_dim_id(DimType::In, position, &name)?;
                    }
                    affine.push(Some(value));
                    None
                }
                None => {
                    exact = false;
                    affine.push(None);
                    let whole = match anywhere(position) {
                        true => Set::universe(&self.loop_space(1)?)?,
                        false => self.whole(&array.extents[position])?,
                    };
                    let column = Map::from_domain_and_range(domain, &whole)?;
                    let range = subscript.values.as_ref().and_then(Spread::range);
                    Some(match range {
                        Some(range) => column.intersect(&between(range, draft, id)?)?,
                        None => column,
                    })
                }
            };
            columns.push(column);
        }
        let mut relation = match (&raw.cells, plain(&affine)?) {
            (Some(cells), _) => {
                let mut cells = cells.set_tuple_id(DimType::In, id)?;
                for (position, l) in draft.loops.iter().enumerate() {
                    cells = cells.set_dim_name(DimType::In, position, &l.iterator.name)?;
                }
                cells.intersect_domain(&touched)?
            }
            (None, Some(subscripts)) => subscripts.intersect_domain(&touched)?,
            (None, None) => {
                let mut relation = Map::from_domain(&touched)?;
                for (column, value) in columns.into_iter().zip(&affine) {
                    let column = match (column, value) {
                        (Some(column), _) => column,
                        (None, Some(value)) => value.as_map()?,
                        (None, None) => continue,
                    };
                    relation = relation.flat_range_product(&column)?;
                }
                relation
            }
        };
        if !exact {
            // C's arrays are not accessed outside their extents.
            for (position, extent) in array.extents.iter().enumerate() {
                let leading = self.model.arrays[raw.array].region_depth.unwrap_or(0);
                if position >= leading && !anywhere(position) {
                    let inside = self.whole(extent)?.insert_dims(DimType::Set, 0, position)?;
                    let behind = array.extents.len() - position - 1;
                    relation = relation.intersect_range(&inside.add_dims(DimType::Set, behind)?)?;
                }
            }
        }
        relation = relation.set_tuple_id(DimType::Out, &Id::alloc(self.ctx, &array.name)?)?;
        relation = relation.coalesce()?;
        Ok(Access {
            array: raw.array,
            kind: raw.kind,
            exact,
            relation,
            subscripts: raw.subscripts.iter().map(|s| s.expr.clone()).collect(),
            affine,
            span: raw.span,
        })
    }

    /// The indices that one dimension has: a one-dimensional anonymous set.
    fn whole(&self, extent: &Extent) -> isl::Result<Set> {
        let space = self.loop_space(1)?;
        let Some(extent) = &extent.affine else {
            return Set::universe(&space);
        };
        let index = self.variable(1, 0)?;
        let bound: PwAff = extent.insert_domain(&space)?;
        index
            .ge_set(&self.constant(1, 0)?)?
            .intersect(&index.lt_set(&bound)?)
    }
}

/// What is not below one value and not above another one, which are functions of loop variables.
fn between((least, greatest): (&PwAff, &PwAff), draft: &Draft, id: &Id) -> isl::Result<Map> {
    let within = |bound: &PwAff, greatest: bool| {
        let map = bound.as_map()?;
        let space = map.get_space()?.range()?;
        let order = match greatest {
            true => Map::lex_ge(&space)?,
            false => Map::lex_le(&space)?,
        };
        map.apply_range(&order)
    };
    let mut both = within(least, false)?.intersect(&within(greatest, true)?)?;
    both = both.set_tuple_id(DimType::In, id)?;
    for (position, l) in draft.loops.iter().enumerate() {
        both = both.set_dim_name(DimType::In, position, &l.iterator.name)?;
    }
    Ok(both)
}

/// Subscripts that are all functions without cases, as a map.
fn plain(subscripts: &[Option<PwAff>]) -> isl::Result<Option<Map>> {
    let mut all = Vec::new();
    for value in subscripts {
        match value {
            Some(value) if value.isa_aff()? => all.push(value.as_aff()?),
            _ => return Ok(None),
        }
    }
    let Some(first) = all.first() else {
        return Ok(None);
    };
    let space = first.get_domain_space()?.from_domain()?;
    let space = space.add_dims(DimType::Out, all.len())?;
    let list = AffList::from_slice(first.ctx(), &all)?;
    Ok(Some(Map::from_multi_aff(&MultiAff::from_aff_list(
        &space, &list,
    )?)?))
}

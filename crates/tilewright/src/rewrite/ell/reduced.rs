//! Statements seen from some of the loops around them: for what does not depend on the others.

use super::Result;
use crate::rewrite::TransformError;
use crate::scop::{Access, Action, Expr, Iterator, Scop, Statement, StatementId};
use isl::{DimType, Id, Set};

/// A statement's instances and expressions with some of its iterators only.
pub(super) struct Reduced<'a> {
    pub statement: &'a Statement,
    keep: Vec<usize>,
    id: Id,
}

impl Reduced<'_> {
    pub fn iterators(&self) -> Vec<Iterator> {
        let kept = self.keep.iter().map(|&at| &self.statement.iterators[at]);
        kept.cloned().collect()
    }

    fn dropped(&self) -> impl std::iter::Iterator<Item = usize> {
        let all = (0..self.statement.iterators.len()).rev();
        all.filter(|at| !self.keep.contains(at))
    }

    pub fn domain(&self) -> isl::Result<Set> {
        let mut set = self.statement.domain.clone();
        for at in self.dropped() {
            set = set.project_out(DimType::Set, at, 1)?;
        }
        set = set.set_tuple_id(&self.id)?;
        for (at, iterator) in self.iterators().iter().enumerate() {
            set = set.set_dim_name(DimType::Set, at, &iterator.name)?;
        }
        set.coalesce()
    }

    fn expr(&self, expr: &Expr, renumbered: &dyn Fn(usize) -> usize) -> Result<Expr> {
        let mut gone = false;
        let moved = expr.map(&mut |e| match e {
            Expr::Iterator(at) => {
                let place = self.keep.iter().position(|kept| kept == at);
                gone |= place.is_none();
                Some(Expr::Iterator(place.unwrap_or(0)))
            }
            Expr::Access(read) => Some(Expr::Access(renumbered(*read))),
            _ => None,
        });
        if gone {
            Err(TransformError::Plan(
                "a bound depends on more than its row".to_owned(),
            ))
        } else {
            Ok(moved)
        }
    }

    fn access(&self, access: &Access, renumbered: &dyn Fn(usize) -> usize) -> Result<Access> {
        let mut relation = access.relation.clone();
        let mut affine = access.affine.clone();
        for at in self.dropped() {
            relation = relation.project_out(DimType::In, at, 1)?;
            for value in affine.iter_mut().flatten() {
                *value = value.drop_dims(DimType::In, at, 1)?;
            }
        }
        relation = relation.set_tuple_id(DimType::In, &self.id)?;
        for value in affine.iter_mut().flatten() {
            *value = value.set_tuple_id(DimType::In, &self.id)?;
        }
        let subscripts = access.subscripts.iter();
        Ok(Access {
            relation,
            affine,
            subscripts: subscripts
                .map(|e| self.expr(e, renumbered))
                .collect::<Result<_>>()?,
            ..access.clone()
        })
    }

    /// The value of a definition and the reads that it is made of, numbered from `first`.
    pub fn value(&self, first: usize) -> Result<(Expr, Vec<Access>)> {
        let [Action::Assign { target, value }] = &self.statement.body[..] else {
            return Err(TransformError::Plan("not one assignment".to_owned()));
        };
        let renumbered = |read: usize| first + read - usize::from(read > *target);
        let reads = self.statement.accesses.iter().enumerate();
        let reads = reads.filter(|(number, _)| number != target);
        let reads = reads.map(|(_, access)| self.access(access, &renumbered));
        Ok((
            self.expr(value, &renumbered)?,
            reads.collect::<Result<_>>()?,
        ))
    }
}

/// A statement's instances with the iterators `keep`, in order, under another name.
pub(super) fn reduced<'a>(
    scop: &'a Scop,
    id: StatementId,
    keep: &[usize],
    name: &str,
) -> Result<Reduced<'a>> {
    Ok(Reduced {
        statement: &scop.statements[id],
        keep: keep.to_vec(),
        id: Id::alloc(&scop.ctx, name)?,
    })
}

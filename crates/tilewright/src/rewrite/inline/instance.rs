//! Which instance of a stage computed what is read.

use super::expression::sum;
use crate::scop::linear::{Dim, LinearForm};
use crate::scop::{Access, Expr, Iterator, Scop, Statement};
use isl::{Aff, DimType, Map, MultiAff, PwAff, PwMultiAff, Result};

/// The instances of a stage's statement whose values one access of a reader gets.
///
/// Each loop variable of the statement is either an affine function of the reader's, or what the
/// reader computes as a subscript: a loop over the dimension of an array in which the reader's
/// place depends on data.
pub(super) struct Instance {
    /// From the reader's instances, where they perform the access, to all instances that may be
    /// the one.
    pub relation: Map,
    /// Values of the statement's loop variables, over those of the reader.
    pub iterators: Vec<Expr>,
    /// The same as functions; zero for what depends on data.
    function: PwMultiAff,
    /// Whether a loop variable depends on data.
    data: Vec<bool>,
}

impl Instance {
    /// `sources`: from instances of the `writer` to instances of the `reader`. `subscripts` are
    /// those of the access. `None` where loop variables are no such functions.
    ///
    /// # Errors
    /// isl's own.
    pub fn of(
        scop: &Scop,
        writer: &Statement,
        target: &Access,
        reader: &Statement,
        access: &Access,
        subscripts: &[Expr],
        sources: &Map,
    ) -> Result<Option<Instance>> {
        let mut given: Vec<Option<Expr>> = vec![None; writer.iterators.len()];
        for (dimension, subscript) in subscripts.iter().enumerate() {
            if access.affine[dimension].is_some() {
                continue;
            }
            let Some((k, constant)) = loop_over(target, dimension)? else {
                return Ok(None);
            };
            let value = match constant {
                0 => subscript.clone(),
                _ => sum(vec![(1, subscript.clone())], -constant),
            };
            let same = |i: &Iterator| matches!(subscript, Expr::Iterator(n) if reader.iterators[*n].ctype == i.ctype);
            given[k] = Some(if constant == 0 && same(&writer.iterators[k]) {
                value
            } else {
                Expr::Cast(writer.iterators[k].ctype.clone(), Box::new(value))
            });
        }
        let data: Vec<bool> = given.iter().map(Option::is_some).collect();
        let relation = sources
            .reverse()?
            .intersect_domain(&access.relation.domain()?)?;
        // The whole relation, if nothing depends on data.
        let mut known = sources.clone();
        for k in (0..data.len()).rev().filter(|&k| data[k]) {
            known = known.project_out(DimType::In, k, 1)?;
        }
        let Some(read) = instance_read(&known)? else {
            return Ok(None);
        };
        let mut function = MultiAff::zero(&relation.get_space()?)?;
        let mut iterators = Vec::new();
        let mut position = 0;
        for (k, given) in given.into_iter().enumerate() {
            iterators.push(match given {
                Some(value) => value,
                None => {
                    let value = read.get_at(position)?;
                    position += 1;
                    function = function.set_at(k, &value)?;
                    match iterator(scop, &value, &writer.iterators[k], &reader.iterators)? {
                        Some(value) => value,
                        None => return Ok(None),
                    }
                }
            });
        }
        let relation = if data.contains(&true) {
            relation
        } else {
            function
                .as_map()?
                .intersect_domain(&access.relation.domain()?)?
        };
        let function = PwMultiAff::from_multi_aff(&function)?;
        Ok(Some(Instance {
            relation,
            iterators,
            function,
            data,
        }))
    }

    /// A subscript of the statement as a function of the reader's loop variables, where it is one.
    ///
    /// # Errors
    /// isl's own.
    pub fn subscript(&self, subscript: &PwAff) -> Result<Option<PwAff>> {
        if !self.data.contains(&true) {
            return subscript.pullback_pw_multi_aff(&self.function).map(Some);
        }
        // Where the function holds does not matter: some instance of the stage is the one.
        let [(_, piece)] = &subscript.pieces()?[..] else {
            return Ok(None);
        };
        for k in (0..self.data.len()).filter(|&k| self.data[k]) {
            if piece.involves_dims(DimType::In, k, 1)? {
                return Ok(None);
            }
        }
        let subscript = PwAff::from_aff(piece)?;
        subscript.pullback_pw_multi_aff(&self.function).map(Some)
    }
}

/// The instances of a stage whose values an access may get, without the loop variables that take
/// the value of a subscript that depends on data, and the instances that read them: a column of
/// the stage for each of its reads. `None` where [`Instance::of`] finds nothing.
///
/// # Errors
/// isl's own.
pub fn columns(target: &Access, access: &Access, sources: &Map) -> Result<Option<Map>> {
    let mut along = Vec::new();
    for dimension in (0..access.affine.len()).filter(|&d| access.affine[d].is_none()) {
        match loop_over(target, dimension)? {
            Some((k, _)) => along.push(k),
            None => return Ok(None),
        }
    }
    along.sort_unstable();
    let mut known = sources.clone();
    for k in along.into_iter().rev() {
        known = known.project_out(DimType::In, k, 1)?;
    }
    Ok(Some(known))
}

/// The loop variable that alone says, but for a constant that is added to it, where a statement
/// writes in a dimension, if it says so in no other one.
fn loop_over(target: &Access, dimension: usize) -> Result<Option<(usize, i64)>> {
    let involved = |other: &Option<PwAff>, k: usize| match other {
        Some(subscript) => match &subscript.pieces()?[..] {
            [(_, piece)] => piece.involves_dims(DimType::In, k, 1),
            _ => Ok(true),
        },
        None => Ok(true),
    };
    let Some(Some(subscript)) = target.affine.get(dimension) else {
        return Ok(None);
    };
    let [(_, subscript)] = &subscript.pieces()?[..] else {
        return Ok(None);
    };
    let loops = |kind, k| Ok((kind == DimType::In).then_some(k));
    let Some(form) = LinearForm::of_aff(subscript, loops)? else {
        return Ok(None);
    };
    let &[(k, 1)] = form.terms() else {
        return Ok(None);
    };
    for (other, subscript) in target.affine.iter().enumerate() {
        if other != dimension && involved(subscript, k)? {
            return Ok(None);
        }
    }
    Ok(Some((k, form.constant())))
}

/// The instance whose value is read, as an affine function of the reading one.
fn instance_read(sources: &Map) -> Result<Option<MultiAff>> {
    let hull = Map::from_basic_map(&sources.reverse()?.affine_hull()?)?;
    if !hull.is_single_valued()? {
        return Ok(None);
    }
    let mut pieces = Vec::new();
    PwMultiAff::from_map(&hull)?.foreach_piece(&mut |_, function| {
        pieces.push(function);
        Ok(())
    })?;
    let [function] = &pieces[..] else {
        return Ok(None);
    };
    for k in 0..function.dim(DimType::Out)? {
        let value = function.get_at(k)?;
        if !value.get_denominator_val()?.is_one()? || value.involves_locals()? {
            return Ok(None);
        }
    }
    Ok(Some(function.clone()))
}

/// A loop variable of the stage's instance, as a function of the reader's loop variables.
fn iterator(
    scop: &Scop,
    value: &Aff,
    iterator: &Iterator,
    of: &[Iterator],
) -> Result<Option<Expr>> {
    let Some(form) = scop.linear(value)? else {
        return Ok(None);
    };
    if let ([(Dim::In(k), 1)], 0) = (form.terms(), form.constant()) {
        if of[*k].ctype == iterator.ctype {
            return Ok(Some(Expr::Iterator(*k)));
        }
    }
    let terms = form.terms().iter().map(|&(dim, factor)| match dim {
        Dim::In(k) => (factor, Expr::Iterator(k)),
        Dim::Param(param) => (factor, Expr::Param(param)),
    });
    Ok(Some(Expr::Cast(
        iterator.ctype.clone(),
        Box::new(sum(terms.collect(), form.constant())),
    )))
}

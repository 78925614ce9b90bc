//! Which instance of a stage computed what is read.

use super::expression::sum;
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
            let Some((k, constant)) = loop_over(target, dimension, writer.iterators.len())? else {
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
pub fn columns(
    target: &Access,
    depth: usize,
    access: &Access,
    sources: &Map,
) -> Result<Option<Map>> {
    let mut along = Vec::new();
    for dimension in (0..access.affine.len()).filter(|&d| access.affine[d].is_none()) {
        match loop_over(target, dimension, depth)? {
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
fn loop_over(target: &Access, dimension: usize, depth: usize) -> Result<Option<(usize, i64)>> {
    let involved = |dimension: usize, k: usize| match &target.affine[dimension] {
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
    if subscript.involves_locals()? || !subscript.get_denominator_val()?.is_one()? {
        return Ok(None);
    }
    let mut found = None;
    for k in 0..depth {
        if !involved(dimension, k)? {
            continue;
        }
        let one = subscript.get_coefficient_val(DimType::In, k)?.is_one()?;
        let mut elsewhere = false;
        for other in (0..target.affine.len()).filter(|&other| other != dimension) {
            elsewhere |= involved(other, k)?;
        }
        if found.is_some() || !one || elsewhere {
            return Ok(None);
        }
        found = Some(k);
    }
    for k in 0..subscript.dim(DimType::Param)? {
        if !subscript
            .get_coefficient_val(DimType::Param, k)?
            .is_zero()?
        {
            return Ok(None);
        }
    }
    let constant = subscript.get_constant_val()?.to_i64();
    Ok(found.zip(constant))
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
    let Some(constant) = value.get_constant_val()?.to_i64() else {
        return Ok(None);
    };
    let mut terms: Vec<(i64, Expr)> = Vec::new();
    for (kind, count) in [
        (DimType::In, of.len()),
        (DimType::Param, value.dim(DimType::Param)?),
    ] {
        for k in 0..count {
            let Some(factor) = value.get_coefficient_val(kind, k)?.to_i64() else {
                return Ok(None);
            };
            if factor == 0 {
                continue;
            }
            if kind == DimType::In {
                terms.push((factor, Expr::Iterator(k)));
                continue;
            }
            let name = value.get_dim_name(DimType::Param, k)?;
            let Some(param) = scop.params.iter().position(|p| p.name == name) else {
                return Ok(None);
            };
            terms.push((factor, Expr::Param(param)));
        }
    }
    if let ([(1, Expr::Iterator(k))], 0) = (&terms[..], constant) {
        if of[*k].ctype == iterator.ctype {
            return Ok(Some(Expr::Iterator(*k)));
        }
    }
    Ok(Some(Expr::Cast(
        iterator.ctype.clone(),
        Box::new(sum(terms, constant)),
    )))
}

//! How addresses move along a loop: what makes it worth being the innermost one.

use crate::plan::defaults;
use crate::scop::{AccessKind, Scop, StatementId};
use isl::{DimType, MultiUnionPwAff, ScheduleNode};

/// How well accesses move along a loop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Score {
    /// Unit strides are worth most, invariant accesses a little, other strides cost.
    pub(crate) all: i64,
    /// How many writes have unit strides. In a transposition one of both arrays is crossed: processors
    /// go on while they wait for what is read, and keep few lines at a time that are written in part.
    pub(crate) stores: i64,
}

/// How well accesses move along member `m` as the innermost loop.
pub(crate) fn score(
    node: &ScheduleNode,
    scop: &Scop,
    partial: &MultiUnionPwAff,
    m: usize,
) -> Result<Score, isl::Error> {
    let mut score = Score::default();
    for set in node.get_domain()?.sets()? {
        let Some(id) = scop.statement_named(&set.get_tuple_name()?) else {
            continue;
        };
        let Some(iterator) = moving_iterator(scop, id, partial, m, &set)? else {
            continue;
        };
        let own = along(scop, id, iterator)?;
        score.all += own.all;
        score.stores += own.stores;
    }
    Ok(score)
}

/// How well the accesses of one statement move along one of its iterators.
pub(crate) fn along(
    scop: &Scop,
    statement: StatementId,
    iterator: usize,
) -> Result<Score, isl::Error> {
    let mut score = Score::default();
    for access in &scop.statements[statement].accesses {
        let rank = access.affine.len();
        for (d, subscript) in access.affine.iter().enumerate() {
            let step = match subscript {
                Some(affine) => coefficient(affine, iterator)?,
                // A table is looked up whichever loop is innermost, and a gather takes no
                // longer than the loads that it stands for.
                None if access.kind == AccessKind::Read => continue,
                None => None,
            };
            let unit = matches!(step, Some(1 | -1)) && d + 1 == rank;
            score.stores += i64::from(unit && access.kind != AccessKind::Read);
            score.all += match step {
                Some(0) if d + 1 == rank => defaults::STRIDE_ZERO_SCORE,
                Some(0) => 0,
                _ if unit => defaults::STRIDE_ONE_SCORE,
                _ => defaults::STRIDE_OTHER_SCORE,
            };
        }
    }
    Ok(score)
}

/// The statement's iterator that moves when only member `m` moves: the innermost one that the
/// member mentions and no other member does, else the innermost one it mentions.
fn moving_iterator(
    scop: &Scop,
    statement: StatementId,
    partial: &MultiUnionPwAff,
    m: usize,
    domain: &isl::Set,
) -> Result<Option<usize>, isl::Error> {
    let space = domain
        .get_space()?
        .from_domain()?
        .add_dims(DimType::Out, 1)?;
    let count = scop.statements[statement].iterators.len();
    let mut mentioned = vec![false; count];
    let mut elsewhere = vec![false; count];
    for other in 0..partial.size()? {
        let affine = partial.get_at(other)?.extract_pw_aff(&space)?;
        let found = match other == m {
            true => &mut mentioned,
            false => &mut elsewhere,
        };
        // Not in what the pieces are of, which mentions all iterators.
        for (_, value) in affine.pieces()? {
            for (i, found) in found.iter_mut().enumerate() {
                *found |= value.involves_dims(DimType::In, i, 1usize)?;
            }
        }
    }
    let own = (0..count).rev().find(|&i| mentioned[i] && !elsewhere[i]);
    Ok(own.or_else(|| (0..count).rev().find(|&i| mentioned[i])))
}

/// The coefficient of an iterator in a function whose pieces agree on it; `None` for others.
pub(crate) fn coefficient(affine: &isl::PwAff, iterator: usize) -> Result<Option<i64>, isl::Error> {
    let mut agreed = None;
    for (_, piece) in affine.pieces()? {
        let here = piece.get_coefficient_val(DimType::In, iterator)?.to_i64();
        if here.is_none() || agreed.is_some_and(|a| Some(a) != here) {
            return Ok(None);
        }
        agreed = here;
    }
    Ok(agreed)
}

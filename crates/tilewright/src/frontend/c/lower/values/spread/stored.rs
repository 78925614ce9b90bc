//! What is ever stored in temporaries of the region, and in scalars that it counts with: over the
//! parameters.
//!
//! A scalar that begins with a known value and to which statements only add is between that value and
//! it plus as much as is added in all of their instances: how often loops turn is a product of
//! numbers, of which one may be a sum and the others are strides.

use super::arithmetic::Here;
use super::walk::{Stores, Walk};
use super::{End, MOST_CASES, Part, Spread};
use crate::frontend::c::lower::memory::apart::far;
use crate::frontend::c::lower::values::polynomial::Polynomial;
use crate::frontend::c::lower::{ArrayKey, Lowering, RawAccess};
use crate::frontend::c::syntax::{Scope as Where, Type};
use crate::scop::{AccessKind, Action};
use isl::{DimType, PwAff, Result, Set, Val};
use std::collections::HashMap;

/// What is known of arrays, each found once.
pub(super) struct Stored<'l, 'u> {
    lowering: &'l Lowering<'u>,
    /// `None` while it is looked for, and where nothing is known.
    known: HashMap<usize, Option<Spread>>,
}

impl<'l, 'u> Stored<'l, 'u> {
    pub fn new(lowering: &'l Lowering<'u>) -> Stored<'l, 'u> {
        Stored {
            lowering,
            known: HashMap::new(),
        }
    }

    /// What may be stored in an array, over no loops; `None` where nothing is known.
    pub fn of(&mut self, array: usize) -> Result<Option<Spread>> {
        if let Some(known) = self.known.get(&array) {
            return Ok(known.clone());
        }
        self.known.insert(array, None);
        let found = match self.is_asked_for(array) {
            true => self.find(array)?,
            false => None,
        };
        self.known.insert(array, found.clone());
        Ok(found)
    }

    /// Temporaries of the region, and scalars of the function that no pointer leads to.
    fn is_asked_for(&self, array: usize) -> bool {
        let draft = &self.lowering.model.arrays[array];
        if draft.element.kind.is_float() || draft.written.is_none() {
            return false;
        }
        draft.region_depth.is_some() || self.scalar(array)
    }

    /// Whether it is a scalar of the function that nothing but its name leads to.
    fn scalar(&self, array: usize) -> bool {
        let ArrayKey::Place(root, base, members) = &self.lowering.model.arrays[array].key else {
            return false;
        };
        let symbol = &self.lowering.unit.symbols[*root];
        matches!(symbol.scope, Where::Function(_) | Where::Parameter(_))
            && !symbol.is_static
            && *base == symbol.name
            && members.is_empty()
            && !self.lowering.facts.address_taken.contains(root)
            && matches!(symbol.ctype, Type::Scalar(_))
    }

    fn find(&mut self, array: usize) -> Result<Option<Spread>> {
        let lowering = self.lowering;
        let here = Here {
            lowering,
            depth: 0,
            domain: lowering.assumed(&Set::universe(&lowering.loop_space(0)?)?)?,
        };
        let leading = lowering.model.arrays[array].region_depth;
        let mut begins: Vec<Spread> = Vec::new();
        let mut more: Vec<Part> = Vec::new();
        let mut certain = leading.is_some();
        let mut grows = false;
        let mut untouched = true;
        for (number, draft) in lowering.model.statements.iter().enumerate() {
            let writes =
                |access: &RawAccess| access.array == array && access.kind == AccessKind::Write;
            let own = draft.accesses.iter().filter(|a| a.array == array).count();
            // Nothing reads it before.
            let first = untouched && own == 1;
            untouched &= own == 0;
            if !draft.accesses.iter().any(writes) {
                continue;
            }
            let mut handed = false;
            Action::walk(&draft.body, &mut |action| {
                handed |= matches!(action, Action::Call(_));
            });
            if handed
                && draft
                    .accesses
                    .iter()
                    .any(|a| a.array == array && a.cells.is_some())
            {
                return Ok(None);
            }
            let stores = Walk::new(lowering, self, number, Some(array))?.stores()?;
            let domain = lowering.assumed(&draft.domain)?;
            if domain.is_empty()? {
                continue;
            }
            for (access, store) in stores {
                match store {
                    Stores::Value(value) => {
                        certain |= first
                            && draft.loops.is_empty()
                            && draft.accesses[access].always
                            && here.domain.params()?.is_subset(&domain.params()?)?;
                        begins.push(value.hull(lowering, &domain)?);
                    }
                    Stores::More(value) => {
                        if repeats(&draft.body) {
                            // It only grows, nobody knows how far.
                            if !here.is_never_negative(&value, &domain)? {
                                return Ok(None);
                            }
                            grows = true;
                            continue;
                        }
                        let depth = leading.unwrap_or(0);
                        match self.times(&value, &domain, depth)? {
                            Some(parts) => more.extend(parts),
                            None => return Ok(None),
                        }
                    }
                }
            }
        }
        if !certain {
            // What it holds in front of the region counts, too.
            if !begins.is_empty() || more.is_empty() && !grows {
                return Ok(None);
            }
            begins.push(Spread {
                parts: Some(vec![Part {
                    stride: Polynomial::constant(1),
                    negative: false,
                    least: End::Scalar(array),
                    greatest: End::Scalar(array),
                }]),
                ..Spread::default()
            });
        }
        let Some(mut all) = begins.pop() else {
            return Ok(None);
        };
        for other in begins {
            all = here.either(&all, &other)?;
        }
        if !more.is_empty() {
            let added = Spread {
                parts: Some(more.clone()),
                ..Spread::default()
            };
            all = match more.iter().all(|part| part.stride.as_constant() == Some(1)) {
                true => {
                    let mut sum = here.numbers(0, 0)?;
                    for part in &more {
                        let ends = part.least.at().cloned().zip(part.greatest.at().cloned());
                        let Some((least, greatest)) = ends else {
                            return Ok(None);
                        };
                        sum = here.sum(&sum, &here.between(Some(least), Some(greatest)))?;
                    }
                    here.sum(&all, &sum)?
                }
                false => here.sum(&all, &added)?,
            };
        }
        if !more.is_empty() {
            all = here.counted(all, lowering.model.arrays[array].element.kind);
        }
        if grows {
            all = here.growing(all, lowering.model.arrays[array].element.kind)?;
        }
        let known = all.parts.is_some() || all.least.is_some() || all.greatest.is_some();
        Ok(known.then_some(all))
    }

    /// What is added in all instances together: between nothing and each time the most.
    fn times(&self, value: &Spread, domain: &Set, depth: usize) -> Result<Option<Vec<Part>>> {
        let lowering = self.lowering;
        if value.is_off() {
            return Ok(None);
        }
        let zero = lowering.constant(0, 0)?;
        let size = value.size()?.filter(|size| size.degree() > 0);
        let mut stride = Polynomial::constant(1);
        let mut sum: Option<PwAff> = None;
        for position in depth..domain.dim(DimType::Set)? {
            let Some(trips) = trips(domain, position)? else {
                return Ok(None);
            };
            let trips = trips
                .project_domain_on_params()?
                .insert_domain(&lowering.loop_space(0)?)?;
            match (Polynomial::of(&trips.gist(&trips.domain()?)?)?, &sum) {
                (Some(size), _) if position + 1 < domain.dim(DimType::Set)? => {
                    let Some(product) = stride.mul(&size) else {
                        return Ok(None);
                    };
                    stride = product;
                }
                (_, None) => sum = Some(trips),
                _ => return Ok(None),
            }
        }
        let trips = match sum {
            Some(sum) => sum.union_max(&zero)?,
            None => lowering.constant(0, 1)?,
        };
        let (least, greatest) = match &size {
            // It has one sign: what is a stride is compared with 0 when the program runs.
            Some(size) => {
                let Some(product) = stride.mul(size) else {
                    return Ok(None);
                };
                stride = product;
                (zero, trips)
            }
            None => {
                let ends = value.least.as_ref().zip(value.greatest.as_ref());
                let Some((least, greatest)) = ends else {
                    return Ok(None);
                };
                let least = least.intersect_domain(domain)?.min_val()?.to_i64();
                let greatest = greatest.intersect_domain(domain)?.max_val()?.to_i64();
                let Some((least, greatest)) = least.zip(greatest) else {
                    return Ok(None);
                };
                let scaled = |by: i64| trips.scale_val(&Val::int_from_si(lowering.ctx, by)?);
                (scaled(least.min(0))?, scaled(greatest.max(0))?)
            }
        };
        // What a type says in place of data is no range.
        if far(&least)? || far(&greatest)? {
            return Ok(None);
        }
        let part = Part {
            stride: Polynomial::constant(1),
            negative: false,
            least: End::At(least),
            greatest: End::At(greatest),
        };
        let here = Here {
            lowering,
            depth: 0,
            domain: lowering.assumed(&Set::universe(&lowering.loop_space(0)?)?)?,
        };
        let all = Spread {
            parts: Some(vec![part]),
            ..Spread::default()
        };
        Ok(here.times(&all, &stride)?.parts)
    }
}

/// Whether something is repeated nobody knows how often.
fn repeats(actions: &[Action]) -> bool {
    let mut found = false;
    Action::walk(actions, &mut |action| {
        found |= matches!(action, Action::Repeat { .. })
    });
    found
}

/// How often a loop turns at most.
fn trips(domain: &Set, position: usize) -> Result<Option<PwAff>> {
    let dims = domain.dim(DimType::Set)?;
    let own = domain.project_out(DimType::Set, position + 1, dims - position - 1)?;
    let own = own.project_out(DimType::Set, 0, position)?;
    let ctx = domain.ctx();
    let last = own.dim_max(0usize)?;
    let trips = last
        .sub(&own.dim_min(0usize)?)?
        .add_constant_val(&Val::one(ctx)?)?;
    let trips = trips.coalesce()?;
    let known = trips.n_piece()? <= MOST_CASES && !far(&trips)?;
    Ok(known.then_some(trips))
}

impl Spread {
    /// It where it is one sum of products of parameters in all instances.
    pub(super) fn size(&self) -> Result<Option<Polynomial>> {
        let mut sum = Polynomial::default();
        let Some(parts) = &self.parts else {
            return Ok(None);
        };
        for part in parts {
            let Some((least, greatest)) = part.least.at().zip(part.greatest.at()) else {
                return Ok(None);
            };
            let own = match least.plain_is_equal(greatest)? && !part.negative {
                true => Polynomial::of(least)?.and_then(|own| own.mul(&part.stride)),
                false => None,
            };
            match own.and_then(|own| sum.add(&own)) {
                Some(more) => sum = more,
                None => return Ok(None),
            }
        }
        Ok(Some(sum))
    }

    /// The same of all instances together, over no loops.
    fn hull(&self, lowering: &Lowering<'_>, domain: &Set) -> Result<Spread> {
        let end = |value: &PwAff, greatest: bool| -> Result<Option<PwAff>> {
            let values = value.intersect_domain(domain)?.as_map()?.range()?;
            let end = match greatest {
                true => values.dim_max(0usize),
                false => values.dim_min(0usize),
            };
            let end = match end {
                Ok(end) => end.coalesce()?,
                Err(error) if error.is_quota() => return Err(error),
                Err(_) => return Ok(None),
            };
            if end.n_piece()? > MOST_CASES || far(&end)? {
                return Ok(None);
            }
            let space = lowering.loop_space(0)?;
            let end = end.gist(&end.domain()?)?;
            Ok(Some(end.project_domain_on_params()?.insert_domain(&space)?))
        };
        let of = |value: &Option<PwAff>, greatest: bool| match value {
            Some(value) => end(value, greatest),
            None => Ok(None),
        };
        let mut parts = self.parts.clone();
        for part in parts.iter_mut().flatten() {
            match part.with_ends(&end)? {
                Some(own) => *part = own,
                None => return Ok(Spread::default()),
            }
        }
        Ok(Spread {
            least: of(&self.least, false)?,
            greatest: of(&self.greatest, true)?,
            parts,
            wraps: self.wraps,
        })
    }

    /// The same under the loops of a statement.
    pub(super) fn inside(&self, here: &Here<'_, '_>) -> Result<Spread> {
        let space = here.lowering.loop_space(here.depth)?;
        let inside = |value: &PwAff| value.project_domain_on_params()?.insert_domain(&space);
        let of = |value: &Option<PwAff>| value.as_ref().map(inside).transpose();
        let mut parts = self.parts.clone();
        let end = |value: &PwAff, _: bool| inside(value).map(Some);
        for part in parts.iter_mut().flatten() {
            if let Some(own) = part.with_ends(&end)? {
                *part = own;
            }
        }
        Ok(Spread {
            least: of(&self.least)?,
            greatest: of(&self.greatest)?,
            parts,
            wraps: self.wraps,
        })
    }
}

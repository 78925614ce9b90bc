//! Finds the dimensions behind linearised subscripts.
//!
//! All accesses to an array of the program are looked at together. One of its subscripts in C may
//! be linearised, `y * w + x` in `a[y * w + x][c]`. Where its
//! strides divide each other, `nm`, `m`, `1`, the array has extents `?`, `n`, `m`, provided that
//! every inner subscript is shown to stay inside `0..extent` wherever its access is executed:
//! then different subscripts mean different elements. Where that depends on sizes and somebody needs
//! it, it is taken for granted and compared when the program runs (Grosser et al., 'Optimistic
//! Delinearization of Parametrically Sized Arrays', ICS 2015).
//!
//! What all accesses add to an inner subscript, `start` in `a[start + k * hop]`, moves all elements by
//! the same: then it stays inside `start..start + extent`.

use crate::frontend::c::lower::values::polynomial::{Polynomial, Term, literal};
use crate::frontend::c::lower::{Lowering, RawAccess, RawSubscript, Result};
use crate::scop::{BinaryOp, CheckKind, Expr, Inner};

/// The dimensions found.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    /// Which of C's subscripts it is.
    pub position: usize,
    /// Outermost first; the last is 1.
    pub strides: Vec<Polynomial>,
    /// Extents of all dimensions but the first.
    pub inner: Vec<Polynomial>,
    /// What all accesses add to their subscripts at least, for each dimension but the first.
    pub added: Vec<Polynomial>,
    /// Whether subscripts may leave their extents: of arrays that are only read.
    pub anywhere: bool,
    /// Whether all accesses have the same subscripts but for the last one, which may be anything.
    pub same_row: bool,
}

impl Shape {
    /// The dimensions of which these are the strides, beside one of single elements, where they divide
    /// each other.
    pub(super) fn with_strides(position: usize, mut strides: Vec<Polynomial>) -> Option<Shape> {
        if strides.is_empty() {
            return None;
        }
        strides.push(Polynomial::constant(1));
        strides.sort_by_key(|s| std::cmp::Reverse((s.degree(), s.clone())));
        let pairs = strides.windows(2);
        let inner: Option<Vec<_>> = pairs.map(|pair| pair[0].divide(&pair[1])).collect();
        let inner = inner?;
        Some(Shape {
            position,
            added: vec![Polynomial::default(); inner.len()],
            strides,
            inner,
            anywhere: false,
            same_row: false,
        })
    }

    /// One dimension for each of these strides, and one of single elements.
    fn of_reads(position: usize, mut strides: Vec<Polynomial>) -> Option<Shape> {
        if strides.is_empty() {
            return None;
        }
        strides.push(Polynomial::constant(1));
        strides.sort_by_key(|s| std::cmp::Reverse((s.degree(), s.clone())));
        let unknown = vec![Polynomial::default(); strides.len() - 1];
        Some(Shape {
            position,
            added: unknown.clone(),
            strides,
            inner: unknown,
            anywhere: true,
            same_row: false,
        })
    }

    /// Where subscripts are that are taken from the sum.
    pub(super) fn place_of_inner(&self) -> Inner {
        let moves = |added: &Polynomial| *added != Polynomial::default();
        if self.anywhere {
            Inner::Anywhere
        } else if self.same_row || self.added.iter().any(moves) {
            Inner::Moved
        } else {
            Inner::Inside
        }
    }
}

/// An access, of which statement and which of its, with the terms of its subscript.
type Strided = (usize, usize, Vec<Term>);

impl Lowering<'_> {
    /// Finds the shape of an array and rewrites its accesses' subscripts to it; `assumes`: sizes may
    /// be compared for it when the program runs. `None`, and nothing changed, where it stays as
    /// declared.
    pub(crate) fn delinearise(
        &mut self,
        array: usize,
        leading: usize,
        assumes: bool,
    ) -> Result<Option<Shape>> {
        let before = self.assumptions_so_far();
        let found = match self.linearised(array, leading) {
            Some(position) => self.dimensions(array, leading, position, assumes),
            None => Ok(None),
        };
        if !matches!(found, Ok(Some(_))) {
            self.forget_assumptions_since(before);
        }
        found
    }

    /// The one of C's subscripts that is a sum with sizes in it.
    pub(super) fn linearised(&self, array: usize, leading: usize) -> Option<usize> {
        let own = |access: &&RawAccess| access.array == array;
        // What the first subscript of pointers to rows is has to be known in front of the region.
        let rows = self.model.arrays[array].has_rows();
        let accesses = self
            .model
            .statements
            .iter()
            .flat_map(|draft| &draft.accesses);
        let mut position = None;
        for access in accesses.filter(own) {
            if access.cells.is_some() {
                return None;
            }
            for (at, subscript) in access.subscripts.iter().skip(leading).enumerate() {
                if subscript.linear.is_some() {
                    if position.is_some_and(|known| known != at) || at == 0 && rows {
                        return None;
                    }
                    position = Some(at);
                }
            }
        }
        position
    }

    fn dimensions(
        &mut self,
        array: usize,
        leading: usize,
        position: usize,
        assumes: bool,
    ) -> Result<Option<Shape>> {
        let at = leading + position;
        let Some((mut strides, found)) = self.strided(array, at) else {
            return Ok(None);
        };
        // Rows that no loop runs through.
        if strides.is_empty() {
            strides = found.iter().flat_map(|(_, _, terms)| far(terms)).collect();
            strides.sort();
            strides.dedup();
        }
        let Some(plain) = Shape::with_strides(position, strides) else {
            return Ok(None);
        };
        let moved = self.moved(&plain, found.iter().map(|(_, _, terms)| terms.as_slice()))?;
        // Sizes are not compared with where something begins that only moves.
        let varies = |shape: &Shape| shape.added.iter().any(|added| added.degree() > 0);
        let shapes = match moved {
            Some(moved) if !assumes => vec![plain, moved],
            Some(moved) if varies(&moved) => vec![moved],
            _ => vec![plain],
        };
        for shape in shapes {
            let before = self.assumptions_so_far();
            let mut replaced = Vec::new();
            for (d, a, terms) in &found {
                let access = &self.model.statements[*d].accesses[*a];
                match self.divided(access, at, (terms, &shape), assumes)? {
                    Some(subscripts) => replaced.push((*d, *a, subscripts)),
                    None => break,
                }
            }
            if replaced.len() < found.len() {
                self.forget_assumptions_since(before);
                continue;
            }
            self.replace(replaced, at, &shape);
            return Ok(Some(shape));
        }
        Ok(None)
    }

    /// Finds that all accesses to an array are to one row, `a[i * m + j]` where `i` is no loop's: what is
    /// inside of it are different elements, wherever it ends.
    pub(super) fn delinearise_row(
        &mut self,
        array: usize,
        leading: usize,
    ) -> Result<Option<Shape>> {
        let Some(position) = self.linearised(array, leading) else {
            return Ok(None);
        };
        let at = leading + position;
        let Some((strides, found)) = self.strided(array, at) else {
            return Ok(None);
        };
        if !strides.is_empty() || self.model.arrays[array].region_depth.is_some() {
            return Ok(None);
        }
        let row = |terms: &[Term]| -> Vec<Option<Polynomial>> {
            let terms = terms.iter().filter(|term| term.stride.degree() > 0);
            terms.map(|term| term.total.clone()).collect()
        };
        let Some(((_, _, first), others)) = found.split_first() else {
            return Ok(None);
        };
        let same = others.iter().all(|(_, _, terms)| row(terms) == row(first));
        let mut strides: Vec<Polynomial> = far(first).collect();
        strides.sort();
        strides.dedup();
        let Some(shape) = Shape::of_reads(position, strides).filter(|_| same) else {
            return Ok(None);
        };
        let shape = Shape {
            anywhere: false,
            same_row: true,
            ..shape
        };
        let mut replaced = Vec::new();
        for (d, a, terms) in found {
            let access = &self.model.statements[d].accesses[a];
            match self.split(access, at, (&terms, &shape), true, false)? {
                Some(subscripts) => replaced.push((d, a, subscripts)),
                None => return Ok(None),
            }
        }
        self.replace(replaced, at, &shape);
        Ok(Some(shape))
    }

    /// The strides of an array's accesses in one subscript, and the terms of each; `None` where one is
    /// no sum of them.
    fn strided(&self, array: usize, at: usize) -> Option<(Vec<Polynomial>, Vec<Strided>)> {
        let mut strides = Vec::new();
        let mut found = Vec::new();
        for (d, draft) in self.model.statements.iter().enumerate() {
            for (a, access) in draft.accesses.iter().enumerate() {
                if access.array != array {
                    continue;
                }
                let terms = self.terms(access, at)?;
                for term in &terms {
                    if term.total.is_none()
                        && term.stride.as_constant().is_none()
                        && !strides.contains(&term.stride)
                    {
                        strides.push(term.stride.clone());
                    }
                }
                found.push((d, a, terms));
            }
        }
        Some((strides, found))
    }

    /// Gives accesses their new subscripts; where these are not in rows, the one that C has says what
    /// is touched.
    fn replace(
        &mut self,
        replaced: Vec<(usize, usize, Vec<RawSubscript>)>,
        at: usize,
        shape: &Shape,
    ) {
        let in_rows = shape.place_of_inner() == Inner::Inside;
        for (d, a, subscripts) in replaced {
            let access = &mut self.model.statements[d].accesses[a];
            if !in_rows {
                access.flat = Some(access.subscripts[at].clone());
            }
            access.subscripts = subscripts;
        }
    }

    /// Whether subscripts of an array are functions with several cases: a mirror or a clamp at a border.
    pub(super) fn has_cases(&self, array: usize) -> bool {
        let accesses = self.model.statements.iter().flat_map(|d| &d.accesses);
        let own = accesses.filter(|access| access.array == array);
        let mut terms = own
            .flat_map(|access| &access.subscripts)
            .flat_map(|subscript| subscript.linear.iter().flatten());
        terms.any(|term| !term.index.isa_aff().unwrap_or(true))
    }

    /// Gives the accesses of an array that is only read one dimension for each of their strides: what
    /// is read may be read through several subscripts, as windows that overlap are, and nothing is
    /// asked of sizes. Not where something says how many elements there are, which would have to be so
    /// many rows.
    pub(super) fn delinearise_reads(&mut self, array: usize) -> Result<Option<Shape>> {
        let draft = &self.model.arrays[array];
        if draft.written.is_some() || draft.region_depth.is_some() || draft.has_rows() {
            return Ok(None);
        }
        let alone = |access: &RawAccess| access.array != array || access.subscripts.len() == 1;
        let mut accesses = self.model.statements.iter().flat_map(|d| &d.accesses);
        if !accesses.all(alone) || self.linearised(array, 0) != Some(0) {
            return Ok(None);
        }
        let Some((strides, found)) = self.strided(array, 0) else {
            return Ok(None);
        };
        let Some(shape) = Shape::of_reads(0, strides) else {
            return Ok(None);
        };
        let is_counted = self.extents(array)?.iter().any(|e| e.spelling.is_some());
        if is_counted && self.outer_extent(array, &shape)?.spelling.is_none() {
            return Ok(None);
        }
        let mut replaced = Vec::new();
        for (d, a, terms) in found {
            let access = &self.model.statements[d].accesses[a];
            match self.divided(access, 0, (&terms, &shape), false)? {
                Some(subscripts) => replaced.push((d, a, subscripts)),
                None => return Ok(None),
            }
        }
        self.replace(replaced, 0, &shape);
        Ok(Some(shape))
    }

    /// The shape with what all accesses add, where that is something.
    fn moved<'t>(
        &self,
        shape: &Shape,
        accesses: impl Iterator<Item = &'t [Term]>,
    ) -> Result<Option<Shape>> {
        let mut common: Option<Vec<Polynomial>> = None;
        for terms in accesses {
            let mut own = vec![Polynomial::default(); shape.inner.len()];
            for term in terms {
                let Some(total) = &term.total else { continue };
                let depth = term.index.dim(isl::DimType::In)?;
                if self.outermost(term, shape, depth)?.is_some() {
                    continue;
                }
                let place = shape.strides.iter().position(|s| *s == term.stride);
                let Some(place) = place.filter(|&place| place > 0) else {
                    return Ok(None);
                };
                let units = total.divide(&shape.strides[place]);
                let Some(sum) = units.and_then(|units| own[place - 1].add(&units)) else {
                    return Ok(None);
                };
                own[place - 1] = sum;
            }
            let Some(known) = &mut common else {
                common = Some(own);
                continue;
            };
            for (least, other) in known.iter_mut().zip(&own) {
                match least.smaller(other) {
                    Some(smaller) => *least = smaller,
                    None => return Ok(None),
                }
            }
        }
        let added = common.unwrap_or_default();
        let is_some = added.iter().any(|added| *added != Polynomial::default());
        Ok(is_some.then(|| Shape {
            added,
            ..shape.clone()
        }))
    }

    /// The terms of a subscript that C has.
    pub(super) fn terms(&self, access: &RawAccess, at: usize) -> Option<Vec<Term>> {
        self.terms_of(access.subscripts.get(at)?)
    }

    pub(super) fn terms_of(&self, subscript: &RawSubscript) -> Option<Vec<Term>> {
        if let Some(terms) = &subscript.linear {
            return Some(terms.clone());
        }
        let index = subscript.affine.clone()?;
        Some(vec![Term {
            stride: Polynomial::constant(1),
            index,
            expr: subscript.expr.clone(),
            total: None,
        }])
    }

    /// One subscript per stride; `None` where an inner one may leave its extent. Sizes that are added count
    /// rows, or where that leaves them, elements: in `a[y * w + w - x]` an `x` from 1 on is in row `y`.
    pub(super) fn divided(
        &self,
        access: &RawAccess,
        at: usize,
        found: (&[Term], &Shape),
        assumes: bool,
    ) -> Result<Option<Vec<RawSubscript>>> {
        let adds = |term: &Term| term.total.as_ref().is_some_and(|total| total.degree() > 0);
        let near = found.0.iter().any(adds);
        let mut ways = vec![(false, false)];
        ways.extend(near.then_some((true, false)));
        ways.extend(assumes.then_some((false, true)));
        ways.extend((assumes && near).then_some((true, true)));
        for (near, assumes) in ways {
            let before = self.assumptions_so_far();
            let subscripts = self.split(access, at, found, near, assumes)?;
            if subscripts.is_some() {
                return Ok(subscripts);
            }
            self.forget_assumptions_since(before);
        }
        Ok(None)
    }

    /// The same; `near`: sizes that are added count elements.
    fn split(
        &self,
        access: &RawAccess,
        at: usize,
        (terms, shape): (&[Term], &Shape),
        near: bool,
        assumes: bool,
    ) -> Result<Option<Vec<RawSubscript>>> {
        let depth = access.domain.dim(isl::DimType::Set)?;
        let mut sums: Vec<Option<(isl::PwAff, Expr)>> = vec![None; shape.strides.len()];
        for term in terms {
            let (place, index, expr) = match shape.strides.iter().position(|s| *s == term.stride) {
                Some(place) if near || term.total.is_none() || term.stride.degree() > 0 => {
                    (place, term.index.clone(), term.expr.clone())
                }
                place => match self.outermost(term, shape, depth)? {
                    Some(found) => found,
                    None => match place {
                        Some(place) => (place, term.index.clone(), term.expr.clone()),
                        None => return Ok(None),
                    },
                },
            };
            sums[place] = Some(match sums[place].take() {
                None => (index, expr),
                Some((sum, text)) => (
                    sum.add(&index)?,
                    Expr::Binary(BinaryOp::Add, Box::new(text), Box::new(expr)),
                ),
            });
        }
        let mut subscripts = access.subscripts[..at].to_vec();
        for (place, sum) in sums.into_iter().enumerate() {
            let (index, expr) = match sum {
                Some(sum) => sum,
                None => (self.constant(depth, 0)?, literal(0)),
            };
            if place > 0 && !shape.anywhere && !shape.same_row {
                let Some(extent) = shape.inner[place - 1].row_length(self, depth)? else {
                    return Ok(None);
                };
                let Some(added) = shape.added[place - 1].to_affine(self, depth)? else {
                    return Ok(None);
                };
                let inside = index.sub(&added)?;
                let below = inside.lt_set(&self.constant(depth, 0)?)?;
                let outside = below.union(&inside.ge_set(&extent)?)?;
                let outside = self.assumed(&outside.intersect(&access.domain)?)?;
                let inner = &shape.inner[place - 1];
                let inside = outside.is_empty()?
                    || assumes && self.assume_inside(access, &outside, inner)?;
                if !inside {
                    return Ok(None);
                }
            }
            subscripts.push(RawSubscript {
                expr,
                affine: Some(index),
                linear: None,
                values: None,
                loose: false,
            });
        }
        subscripts.extend_from_slice(&access.subscripts[at + 1..]);
        Ok(Some(subscripts))
    }

    /// Takes for granted that an inner subscript stays in its row although it may be `outside` in
    /// some instances; not where it is in all of them.
    fn assume_inside(
        &self,
        access: &RawAccess,
        outside: &isl::Set,
        row: &Polynomial,
    ) -> Result<bool> {
        let executed = self.assumed(&access.domain)?.params()?;
        let bad = outside.params()?.gist(&executed)?;
        // A loop over all of an array runs through all of its rows: that it stays in one of them may be
        // so for a row, and is not worth a comparison.
        for &product in &self.params.products {
            if bad.involves_dims(isl::DimType::Param, product, 1)? {
                return Ok(false);
            }
        }
        let good = bad.complement()?.coalesce()?;
        if good.intersect(&executed)?.is_empty()? || !self.leaves_usual_sizes(&good)? {
            return Ok(false);
        }
        let why = format!(
            "subscripts of `{}` stay in rows of `{}` elements",
            self.model.arrays[access.array].name,
            row.text(&self.params)
        );
        Ok(self.assume_at_run_time(CheckKind::Rows, access.span, why, &good)?)
    }

    /// A summand without loop variables belongs to the greatest stride that divides it.
    fn outermost(
        &self,
        term: &Term,
        shape: &Shape,
        depth: usize,
    ) -> Result<Option<(usize, isl::PwAff, Expr)>> {
        let Some(total) = &term.total else {
            return Ok(None);
        };
        for (place, stride) in shape.strides.iter().enumerate() {
            if stride.degree() == 0 {
                continue;
            }
            let Some(quotient) = total.divide(stride) else {
                continue;
            };
            if let Some(index) = quotient.to_affine(self, depth)? {
                return Ok(Some((place, index, quotient.to_expr())));
            }
        }
        Ok(None)
    }
}

/// The strides that are no numbers.
fn far(terms: &[Term]) -> impl Iterator<Item = Polynomial> + '_ {
    let far = terms.iter().filter(|term| term.stride.degree() > 0);
    far.map(|term| term.stride.clone())
}

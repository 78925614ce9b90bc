//! Arrays of which some subscripts have dimensions behind them and others do not: a picture that is
//! written by rows and copied as a whole, columns of a matrix that a pointer fills one after the other.
//!
//! What has dimensions gets them, provided that it is shown to stay in its rows; the other accesses may
//! touch all of the array. They keep their one subscript as it is, in the last of the dimensions.

use crate::frontend::c::lower::memory::delinearise::Shape;
use crate::frontend::c::lower::values::polynomial::{Polynomial, literal};
use crate::frontend::c::lower::{Lowering, RawAccess, RawSubscript, Result};
use crate::scop::AccessKind;

/// So many kinds of strides are tried, at most.
const MOST_SHAPES: usize = 4;

/// The new subscripts of one access: of which statement, which one.
type Split = (usize, usize, Vec<RawSubscript>);

impl Lowering<'_> {
    /// Finds a shape that some of an array's accesses have, writes among them, and rewrites all to it.
    /// `None`, and nothing changed, where that brings nothing: no write has dimensions, or one that had
    /// a cell of its own would lose it.
    pub(super) fn delinearise_some(
        &mut self,
        array: usize,
        leading: usize,
    ) -> Result<Option<Shape>> {
        // What the region declares has rows in memory only where it has them here.
        if self.model.arrays[array].region_depth.is_some() {
            return Ok(None);
        }
        let Some(position) = self.linearised(array, leading) else {
            return Ok(None);
        };
        let at = leading + position;
        let mut best: Option<(Shape, Vec<Split>)> = None;
        for strides in self.written_strides(array, at) {
            let Some(shape) = Shape::with_strides(position, strides) else {
                continue;
            };
            let Some(split) = self.split_some(array, at, &shape)? else {
                continue;
            };
            if best
                .as_ref()
                .is_none_or(|(_, best)| best.len() < split.len())
            {
                best = Some((shape, split));
            }
        }
        let Some((shape, split)) = best else {
            return Ok(None);
        };
        let dims = shape.strides.len();
        for draft in &mut self.model.statements {
            for access in draft.accesses.iter_mut().filter(|a| a.array == array) {
                access.flat = Some(access.subscripts[at].clone());
                let anywhere = anywhere(&access.subscripts[at], dims);
                access.subscripts.splice(at..=at, anywhere);
            }
        }
        for (draft, access, subscripts) in split {
            self.model.statements[draft].accesses[access].subscripts = subscripts;
        }
        Ok(Some(shape))
    }

    /// Whether only some of an array's subscripts have dimensions.
    pub(super) fn is_partly_shaped(&self, array: usize) -> bool {
        let mut accesses = self.model.statements.iter().flat_map(|d| &d.accesses);
        accesses.any(|access| access.array == array && access.flat.is_some())
    }

    /// The strides of each write, those of writes that have the same ones once.
    fn written_strides(&self, array: usize, at: usize) -> Vec<Vec<Polynomial>> {
        let mut all: Vec<Vec<Polynomial>> = Vec::new();
        let accesses = self.model.statements.iter().flat_map(|d| &d.accesses);
        for access in accesses.filter(|a| a.array == array && a.kind == AccessKind::Write) {
            let mut strides = Vec::new();
            for term in self.terms(access, at).unwrap_or_default() {
                let counts = term.total.is_none() && term.stride.as_constant().is_none();
                if counts && !strides.contains(&term.stride) {
                    strides.push(term.stride);
                }
            }
            if !strides.is_empty() && !all.contains(&strides) {
                all.push(strides);
            }
        }
        all.truncate(MOST_SHAPES);
        all
    }

    /// The accesses that have a shape, with their subscripts.
    fn split_some(&self, array: usize, at: usize, shape: &Shape) -> Result<Option<Vec<Split>>> {
        let mut all = Vec::new();
        let mut written = false;
        for (d, draft) in self.model.statements.iter().enumerate() {
            for (a, access) in draft.accesses.iter().enumerate() {
                if access.array != array {
                    continue;
                }
                let writes = access.kind == AccessKind::Write;
                match self.split_one(access, at, shape)? {
                    Some(subscripts) => {
                        written |= writes;
                        all.push((d, a, subscripts));
                    }
                    None if writes && access.subscripts[at].affine.is_some() => return Ok(None),
                    None => {}
                }
            }
        }
        Ok(written.then_some(all))
    }

    fn split_one(
        &self,
        access: &RawAccess,
        at: usize,
        shape: &Shape,
    ) -> Result<Option<Vec<RawSubscript>>> {
        match self.terms(access, at) {
            Some(terms) => self.divided(access, at, (&terms, shape), false),
            None => Ok(None),
        }
    }
}

/// A subscript that may be anywhere in some dimensions.
fn anywhere(flat: &RawSubscript, dims: usize) -> Vec<RawSubscript> {
    let unknown = |expr| RawSubscript {
        expr,
        affine: None,
        linear: None,
        values: None,
        loose: flat.loose,
    };
    let mut all = vec![unknown(literal(0)); dims];
    all[dims - 1].expr = flat.expr.clone();
    all
}

//! Names that may mean the same memory: which memory the region touches through each, to be compared
//! when the program runs.
//!
//! What is compared are whole rows of an array (elements, where it has one dimension), from the
//! first to the last that any instance touches.

use crate::frontend::c::lower::memory::alias::{View, What};
use crate::frontend::c::lower::{Lowering, Result};
use crate::scop::{Array, Layout, Memory, Rows, Statement};
use isl::{DimType, PwAff, Set, Val};

/// Bounds with more cases than this are not written down.
const MOST_CASES: usize = 4;

/// Constants beyond this in a bound come from a variable's type in place of data. Addresses so far
/// away may wrap around, and comparing them would say nothing of what is touched.
const FARTHEST: i64 = 1 << 30;

/// What the region touches through one name.
enum Touched {
    Nothing,
    Memory(Memory),
    /// Nobody knows.
    Anything,
}

impl Lowering<'_> {
    /// What has to be apart for these pairs. A pair of which one has no bounds is refused.
    pub(crate) fn kept_apart(
        &mut self,
        pairs: Vec<[View; 2]>,
        arrays: &[Array],
        statements: &[Statement],
    ) -> Result<Vec<[Memory; 2]>> {
        let mut all = Vec::new();
        // A pointer that was asked to be `restrict` once is taken to be from then on.
        let mut asked: Vec<String> = Vec::new();
        for pair in &pairs {
            let [a, b] = pair;
            let touched = (
                self.touched(&a.what, arrays, statements)?,
                self.touched(&b.what, arrays, statements)?,
            );
            match touched {
                (Touched::Nothing, _) | (_, Touched::Nothing) => {}
                (Touched::Memory(a), Touched::Memory(b)) => all.push([a, b]),
                _ if [a, b].iter().any(|view| asked.contains(&view.base)) => {}
                _ => {
                    let (pointer, error) = self.aliasing(pair);
                    asked.push(pointer);
                    self.errors.push(error);
                }
            }
        }
        Ok(all)
    }

    fn touched(
        &self,
        what: &What,
        arrays: &[Array],
        statements: &[Statement],
    ) -> isl::Result<Touched> {
        let index = match what {
            What::Object(place) => {
                return Ok(Touched::Memory(Memory {
                    place: place.clone(),
                    rows: None,
                }));
            }
            What::Array(index) => *index,
        };
        let array = &arrays[index];
        let accesses = statements.iter().flat_map(|s| &s.accesses);
        let mut rows: Option<Set> = None;
        for access in accesses.filter(|access| access.array == index) {
            let cells = access.relation.range()?;
            let inner = cells.dim(DimType::Set)?.saturating_sub(1);
            let own = cells.project_out(DimType::Set, 1usize.min(inner), inner)?;
            rows = Some(match rows {
                None => own,
                Some(rows) => rows.union(&own)?,
            });
        }
        let Some(rows) = rows else {
            return Ok(Touched::Nothing);
        };
        if array.extents.is_empty() {
            return Ok(Touched::Memory(Memory {
                place: format!("{}{}", array.base, array.field),
                rows: None,
            }));
        }
        let rows = rows.intersect_params(&self.context.borrow())?.coalesce()?;
        if rows.is_empty()? {
            return Ok(Touched::Nothing);
        }
        let some = rows.params()?.coalesce()?;
        let one = |value: &PwAff| -> isl::Result<PwAff> {
            let one = PwAff::val_on_domain(&value.domain()?, &Val::one(self.ctx)?)?;
            value.add(&one)
        };
        let bounds = || -> isl::Result<Option<(PwAff, PwAff)>> {
            let first = rows.dim_min(0usize)?.coalesce()?;
            let end = one(&rows.dim_max(0usize)?)?.coalesce()?;
            let known = few(&first)? && few(&end)? && !far(&first)? && !far(&end)?;
            Ok(known.then_some((first, end)))
        };
        let declared = || -> isl::Result<Option<(PwAff, PwAff)>> {
            let Some(end) = &array.extents[0].affine else {
                return Ok(None);
            };
            let zero = PwAff::val_on_domain(&end.domain()?, &Val::zero(self.ctx)?)?;
            Ok(few(end)?.then(|| (zero, end.clone())))
        };
        let found = match bounds() {
            Ok(Some(found)) => Some(found),
            Err(error) if error.is_quota() => return Err(error),
            Ok(None) | Err(_) => declared()?,
        };
        let Some((first, end)) = found else {
            return Ok(Touched::Anything);
        };
        let stride = match &array.layout {
            Layout::Linear(strides) => strides.first().filter(|stride| *stride != "1").cloned(),
            Layout::Subscripts => None,
        };
        Ok(Touched::Memory(Memory {
            place: array.base.clone(),
            rows: Some(Rows {
                some,
                first,
                end,
                stride,
            }),
        }))
    }
}

fn few(value: &PwAff) -> isl::Result<bool> {
    Ok(value.n_piece()? <= MOST_CASES)
}

fn far(value: &PwAff) -> isl::Result<bool> {
    let mut far = false;
    for (_, piece) in value.pieces()? {
        far |= piece.get_constant_val()?.abs()?.cmp_si(FARTHEST)? > 0;
    }
    Ok(far)
}

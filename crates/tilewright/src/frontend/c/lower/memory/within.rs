//! Pointers into parts of objects: whether what is accessed through them stays in that part.
//!
//! A row of `double a[n][m]` and an array in a structure become pointers when they are assigned or
//! handed to a function, and through such a pointer programs walk on into the next row. Subscripts of
//! the array itself do not: C compilers use that, for the number of a loop's iterations as well, and
//! here two rows have no element in common. So where the text has a pointer, that its subscripts stay
//! in the row is shown, or compared when the program runs, or the statement stays as it was.

use crate::diagnostic::{Code, Diagnostic};
use crate::frontend::c::lower::memory::place;
use crate::frontend::c::lower::values::affine::constant_value;
use crate::frontend::c::lower::values::spread::Spread;
use crate::frontend::c::lower::{Lowering, RawAccess, Refusal, Result};
use crate::frontend::c::types as ctext;
use crate::scop::CheckKind;
use isl::{DimType, PwAff, Set};

impl Lowering<'_> {
    /// Makes sure that what is accessed through pointers into parts of objects is in these parts.
    ///
    /// # Errors
    /// An access that leaves its part for certain, or whenever sizes are what nothing can be said of.
    pub(crate) fn keep_in_parts(&self) -> Result<()> {
        for access in self
            .model
            .statements
            .iter()
            .flat_map(|draft| &draft.accesses)
        {
            let leading = self.model.arrays[access.array].region_depth.unwrap_or(0);
            for position in leading..access.subscripts.len() {
                let loose = access.subscripts[position].loose;
                if loose && !self.is_within(access, position, leading)? {
                    return Err(self.leaves(access, position - leading));
                }
            }
        }
        Ok(())
    }

    /// Whether a subscript stays in its part.
    fn is_within(&self, access: &RawAccess, position: usize, leading: usize) -> Result<bool> {
        let array = &self.model.arrays[access.array];
        let dim = position - leading;
        let declared = place::declared_extents(&array.container);
        // An array at the end of one structure may go on; behind one in an array stands the next.
        let open = array.open.as_ref().filter(|open| open.dim == dim);
        let open = open.and_then(|open| open.declared.as_deref());
        let Some(extent) = declared.get(dim).copied().flatten().or(open) else {
            return Ok(true);
        };
        let Some(end) = self.extent_value(extent, array.span)? else {
            return Ok(false);
        };
        let subscript = &access.subscripts[position];
        let outside = match (&access.cells, &subscript.affine) {
            (Some(cells), _) => {
                let touched = cells.intersect_domain(&access.domain)?.range()?;
                let dims = touched.dim(DimType::Set)?;
                let index = touched
                    .project_out(DimType::Set, position + 1, dims - position - 1)?
                    .project_out(DimType::Set, 0, position)?;
                // All of what the function gets is the row.
                if !index.is_bounded()? {
                    return Ok(true);
                }
                self.outside(&index, &self.variable(1, 0)?, &end)?
            }
            (None, Some(index)) => self.outside(&access.domain, index, &end)?,
            (None, None) => {
                let range = subscript.values.as_ref().and_then(Spread::range);
                let mut inside = range.is_some();
                for value in range
                    .into_iter()
                    .flat_map(|(least, greatest)| [least, greatest])
                {
                    inside &= self.outside(&access.domain, value, &end)?.is_empty()?;
                }
                return Ok(inside);
            }
        };
        if outside.is_empty()? {
            return Ok(true);
        }
        let executed = self.assumed(&access.domain)?.params()?;
        let good = outside
            .params()?
            .gist(&executed)?
            .complement()?
            .coalesce()?;
        // Sizes of one element at most are none of rows that are walked over.
        let least = constant_value(&end)?.map_or(i64::MAX, |_| 2);
        if good.intersect(&executed)?.is_empty()? || !self.leaves_sizes_from(least, &good)? {
            return Ok(false);
        }
        let why = format!(
            "pointers into `{}` stay in rows of `{}` elements",
            array.name,
            ctext::expression(extent, &self.unit.symbols)
        );
        Ok(self.assume_at_run_time(CheckKind::Rows, access.span, why, &good)?)
    }

    /// The part of a set in which a function of it is not in `0..end`.
    fn outside(&self, set: &Set, index: &PwAff, end: &PwAff) -> isl::Result<Set> {
        let depth = set.dim(DimType::Set)?;
        let end = end.insert_domain(&self.loop_space(depth)?)?;
        let below = index.lt_set(&self.constant(depth, 0)?)?;
        let outside = below.union(&index.ge_set(&end)?)?.intersect(set)?;
        self.assumed(&outside)
    }

    fn leaves(&self, access: &RawAccess, dim: usize) -> Refusal {
        let array = &self.model.arrays[access.array];
        let what = match dim {
            0 => "that array",
            _ => "its row",
        };
        Refusal::from(
            Diagnostic::error(
                Code::UnsupportedExpression,
                format!("a pointer into `{}` may leave {what}", array.name),
            )
            .at(access.span, "what is behind belongs to the next one")
            .also(array.span, "declared here")
            .help(format!(
                "give `{}` its subscripts where it is accessed, which C takes to stay inside; or walk \
                 over all of it through a pointer that is set in front of the region",
                array.name
            )),
        )
    }
}

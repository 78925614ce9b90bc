//! Extents of arrays behind pointers, from what the function allocates for them.

use crate::frontend::c::lower::memory::arrays::{alike, innermost};
use crate::frontend::c::lower::memory::{allocation, place};
use crate::frontend::c::lower::surroundings::visit;
use crate::frontend::c::lower::values::polynomial::Polynomial;
use crate::frontend::c::lower::{ArrayDraft, ArrayKey, Lowering, Result};
use crate::frontend::c::syntax::{Expr, ExprKind, Sized, SymbolId, Type};
use crate::scop::Extent;
use crate::source::Span;

impl Lowering<'_> {
    /// The first extent of a pointer, from its allocation.
    pub(super) fn allocated_extent(&self, draft: &ArrayDraft) -> Result<Extent> {
        let unknown = Extent {
            spelling: None,
            affine: None,
        };
        let ArrayKey::Place(root, _, _) = draft.key else {
            return Ok(unknown);
        };
        let Some(allocation) = self.allocation(root) else {
            return Ok(unknown);
        };
        let declared = place::declared_extents(&draft.container);
        if let Some(whole) = allocation::whole_type(self.unit, allocation) {
            let given = place::declared_extents(whole);
            let inner_same = given.len() == declared.len()
                && alike(innermost(whole), innermost(&draft.container))
                && given.iter().zip(&declared).skip(1).all(|pair| match pair {
                    (Some(a), Some(b)) => visit::same(a, b),
                    _ => false,
                });
            if let (true, Some(Some(first))) = (inner_same, given.first()) {
                return self.extent_since(first, allocation.span);
            }
        }
        match self.allocated_rows(root, draft) {
            Some(count) => self.extent_of(&count),
            None => Ok(unknown),
        }
    }

    /// How many rows, or elements where there are none, a pointer's allocation has.
    pub(super) fn allocated_rows(&self, root: SymbolId, draft: &ArrayDraft) -> Option<Polynomial> {
        let declared = place::declared_extents(&draft.container).into_iter();
        let whole = self.allocated_elements(root, draft)?;
        declared.skip(1).try_fold(whole, |count, extent| {
            count.divide(&self.polynomial_since(extent?, draft.span)?)
        })
    }

    fn allocation(&self, root: SymbolId) -> Option<&Expr> {
        allocation::initial(self.unit, &self.facts, root)
    }

    /// The value that an expression had at this place in the text.
    pub(super) fn polynomial_since(&self, expr: &Expr, place: Span) -> Option<Polynomial> {
        let same = self.facts.same_since(self.unit, expr, place.start);
        same.then(|| self.polynomial(expr)).flatten()
    }

    /// How many elements a pointer's allocation has.
    fn allocated_elements(&self, root: SymbolId, draft: &ArrayDraft) -> Option<Polynomial> {
        let product = |extents: Vec<&Expr>, place: Span| {
            let mut elements = Polynomial::constant(1);
            for extent in extents {
                elements = elements.mul(&self.polynomial_since(extent, place)?)?;
            }
            Some(elements)
        };
        if matches!(&draft.key, ArrayKey::Place(.., members) if members.hold_arrays(
            place::declared_extents(&draft.container).len(),
        )) {
            return None;
        }
        let own = innermost(&draft.container);
        let allocation = self.allocation(root)?;
        let mut count = Polynomial::constant(1);
        let mut sized = false;
        for factor in allocation::factors(self.unit, allocation)? {
            let part = match &factor.kind {
                ExprKind::SizeOf(Sized::Type(ctype), _) => {
                    sized = true;
                    if !alike(innermost(ctype), own) || matches!(ctype, Type::Pointer { .. }) {
                        return None;
                    }
                    let extents = place::declared_extents(ctype).into_iter();
                    let extents: Option<Vec<&Expr>> = extents.collect();
                    product(extents?, allocation.span)?
                }
                // `sizeof *p`: a row of what p points at.
                ExprKind::SizeOf(Sized::Value(_), text) => {
                    let name = &self.unit.symbols[root].name;
                    let plain: String = text
                        .chars()
                        .filter(|c| !c.is_whitespace() && !"()".contains(*c))
                        .collect();
                    if plain != format!("sizeof*{name}") && plain != format!("sizeof{name}[0]") {
                        return None;
                    }
                    sized = true;
                    let row = place::declared_extents(&draft.container)
                        .into_iter()
                        .skip(1);
                    let row: Option<Vec<&Expr>> = row.collect();
                    product(row?, draft.span)?
                }
                _ if !allocation::is_exact(self.unit, factor) => return None,
                _ => self.polynomial_since(factor, allocation.span)?,
            };
            count = count.mul(&part)?;
        }
        match own {
            _ if sized => Some(count),
            Type::Scalar(element) => {
                let bytes = i64::try_from(element.kind.bytes()).ok()?;
                count.divide(&Polynomial::constant(bytes))
            }
            _ => None,
        }
    }
}

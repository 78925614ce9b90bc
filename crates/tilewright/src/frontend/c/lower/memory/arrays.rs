//! Arrays: which place belongs to which, extents, layout, and what they let us assume.

use crate::diagnostic::{Code, Diagnostic};
use crate::frontend::c::lower::memory::alias::{View, What};
use crate::frontend::c::lower::memory::delinearise::Shape;
use crate::frontend::c::lower::memory::place;
use crate::frontend::c::lower::optional;
use crate::frontend::c::lower::surroundings::{facts, visit};
use crate::frontend::c::lower::values::params::Params;
use crate::frontend::c::lower::values::polynomial::Polynomial;
use crate::frontend::c::lower::values::types;
use crate::frontend::c::lower::{ArrayDraft, ArrayKey, Lowering, RawAccess, Refusal, Result};
use crate::frontend::c::syntax::{Expr, ExprKind, Scope as Where, Type};
use crate::frontend::c::types as ctext;
use crate::scop::{
    AccessKind, Array, CheckKind, Expr as ScopExpr, Extent, Inner, Layout, Linear, Members, Origin,
};
use crate::source::Span;
use isl::{DimType, PwAff, Set, Val};

/// What the parameters' types say of their values.
pub(crate) fn parameter_ranges(params: &Params) -> isl::Result<Set> {
    let mut context = Set::universe(&params.space)?;
    for (id, param) in params.list.iter().enumerate() {
        let (least, greatest) = match types::narrow_range(param.ctype.kind) {
            Some((least, greatest)) => (Some(least), Some(greatest)),
            None if types::is_unsigned(param.ctype.kind) => (Some(0), None),
            None => (None, None),
        };
        let ctx = params.space.ctx();
        if let Some(least) = least {
            let least = Val::int_from_si(ctx, least)?;
            context = context.lower_bound_val(DimType::Param, id, &least)?;
        }
        if let Some(greatest) = greatest {
            let greatest = Val::int_from_si(ctx, greatest)?;
            context = context.upper_bound_val(DimType::Param, id, &greatest)?;
        }
    }
    Ok(context)
}

impl Lowering<'_> {
    /// Extents of variable-length arrays that the region uses are not negative: C says so (and
    /// more: not zero), but for the outermost extent of a function's parameter.
    pub(crate) fn assume_extents(&mut self) -> Result<()> {
        let mut found = Vec::new();
        let unit = self.unit;
        for stmt in &self.region.statements {
            visit::expressions(unit, stmt, &mut |top| {
                visit::walk(top, &mut |e| {
                    let container = match &e.kind {
                        ExprKind::Name(_) | ExprKind::Field(..) | ExprKind::Arrow(..) => {
                            types::place_type(unit, e)
                        }
                        _ => None,
                    };
                    let (Some(container), Some((root, path))) = (container, facts::plain_key(e))
                    else {
                        return;
                    };
                    let symbol = &unit.symbols[root];
                    if matches!(symbol.scope, Where::Region(_)) {
                        return;
                    }
                    let skip =
                        usize::from(path.is_empty() && matches!(symbol.scope, Where::Parameter(_)));
                    let extents = place::declared_extents(container);
                    for extent in extents.into_iter().skip(skip).flatten() {
                        if !found.contains(&(extent, symbol.span)) {
                            found.push((extent, symbol.span));
                        }
                    }
                });
            });
        }
        for (extent, declared) in found {
            if let Some(value) = self.extent_value(extent, declared)? {
                let zero = PwAff::val_on_domain(&value.domain()?, &Val::zero(self.ctx)?)?;
                let possible = value.ge_set(&zero)?;
                // An extent that is always negative is the C compiler's to refuse.
                self.take_as_given(&possible)?;
            }
        }
        Ok(())
    }

    /// An extent over the parameter space, where it is affine and its variables still have the
    /// values that they had at the declaration.
    pub(crate) fn extent_value(&self, extent: &Expr, declared: Span) -> Result<Option<PwAff>> {
        if !self.facts.same_since(self.unit, extent, declared.start) {
            return Ok(None);
        }
        let scope = self.no_loops()?;
        Ok(match optional(self.affine(&scope, extent))? {
            Some(value) => Some(value.project_domain_on_params()?),
            None => None,
        })
    }

    /// The array that a place belongs to.
    ///
    /// # Errors
    /// Pointers that the region changes.
    pub(crate) fn array(&mut self, place: &place::Place, kind: AccessKind) -> Result<usize> {
        let symbol = &self.unit.symbols[place.root];
        let leads = matches!(symbol.ctype, Type::Pointer { .. } | Type::Array { .. })
            && (!place.holds_pointer || !place.subscripts.is_empty());
        if let (true, Some(&span)) = (leads, self.facts.assigned.get(&place.root)) {
            return Err(self.pointer_changed(place.root, span));
        }
        if place.base != symbol.name && !place.subscripts.is_empty() {
            let path = place.base[symbol.name.len()..].to_owned();
            if let Some(&span) = self.facts.fields.get(&(place.root, path)) {
                return Err(self.pointer_changed(place.root, span));
            }
        }
        let key = ArrayKey::Place(place.root, place.base.clone(), place.members.clone());
        let index = match self.model.arrays.iter().position(|a| a.key == key) {
            Some(index) => index,
            None => {
                let (region_depth, guards) = match symbol.scope {
                    Where::Region(_) => {
                        let around = self.variables.declared.get(&place.root).copied();
                        let (depth, guards) = around.unwrap_or((0, 0));
                        (Some(depth), guards)
                    }
                    _ => (None, 0),
                };
                let wish = format!("{}{}", place.base, place.members.path());
                let name = match region_depth {
                    Some(_) => self.names.temporary(&wish),
                    None => self.names.fresh(&wish),
                };
                self.model.arrays.push(ArrayDraft {
                    key,
                    name,
                    element: place.element.clone(),
                    holds_pointers: place.holds_pointer,
                    region_depth,
                    guards,
                    container: place.container.clone(),
                    open: place.open.clone(),
                    span: symbol.span,
                    written: None,
                    accessed: place.span,
                });
                self.model.arrays.len() - 1
            }
        };
        if kind == AccessKind::Write && self.model.arrays[index].written.is_none() {
            self.model.arrays[index].written = Some(place.span);
        }
        Ok(index)
    }

    /// Settles every array's layout and extents; `pairs`: what may be the same memory.
    pub(crate) fn shape_arrays(&mut self, pairs: &[[View; 2]]) -> Result<Vec<Array>> {
        let mut arrays = Vec::new();
        for index in 0..self.model.arrays.len() {
            let leading = self.model.arrays[index].region_depth.unwrap_or(0);
            let shape = self.shape(index, leading, pairs)?;
            let partly = self.is_partly_shaped(index);
            if (shape.is_none() || partly)
                && let Some(refusal) = self.strides_apart(index)
            {
                return Err(refusal);
            }
            match shape {
                None => self.warn_of_products(index),
                Some(_) if partly => self.warn_of_the_whole(index),
                Some(_) => {}
            }
            let mut extents = Vec::new();
            for position in 0..leading {
                extents.push(Extent {
                    spelling: None,
                    affine: self.reach(index, position)?,
                });
            }
            let layout = match &shape {
                None => {
                    extents.extend(self.extents(index)?);
                    Layout::Subscripts
                }
                Some(shape) => {
                    let mut own = self.extents(index)?;
                    let behind = own.split_off(shape.position + 1);
                    extents.extend(own.drain(..shape.position));
                    let before = extents.len();
                    let mut outer = self.outer_extent(index, shape)?;
                    // One that begins in front of its row may be one more.
                    if shape.place_of_inner() != Inner::Inside {
                        outer.affine = None;
                    }
                    extents.push(outer);
                    for (inner, added) in shape.inner.iter().zip(&shape.added) {
                        // Where subscripts do not begin with 0, nothing is said of where they end.
                        let bounded = !shape.anywhere && !shape.same_row;
                        let inside = bounded && *added == Polynomial::default();
                        extents.push(match inside {
                            true => self.extent_of(inner)?,
                            false => Extent {
                                spelling: None,
                                affine: None,
                            },
                        });
                    }
                    extents.extend(behind);
                    let strides = shape.strides.iter().map(|s| s.to_stride(&self.params));
                    Layout::Linear(Linear {
                        before,
                        strides: strides.collect(),
                        inner: shape.place_of_inner(),
                    })
                }
            };
            let draft = &self.model.arrays[index];
            let (base, members, origin) = match &draft.key {
                ArrayKey::Condition(_) => (
                    draft.name.clone(),
                    Members::default(),
                    Origin::Region { depth: leading },
                ),
                ArrayKey::Hidden(of) => {
                    (draft.name.clone(), Members::default(), Origin::Hidden(*of))
                }
                // A temporary of the region is declared anew, whatever it was part of.
                ArrayKey::Place(..) if draft.region_depth.is_some() => (
                    draft.name.clone(),
                    Members::default(),
                    Origin::Region { depth: leading },
                ),
                ArrayKey::Place(root, base, members) => {
                    let origin = match self.unit.symbols[*root].scope {
                        Where::Parameter(_) => Origin::Parameter,
                        Where::File => Origin::Global,
                        Where::Function(_) | Where::Region(_) => Origin::Local,
                    };
                    (base.clone(), members.clone(), origin)
                }
            };
            let (live_in, live_out) = self.life(draft);
            let variable = self.leading_to(draft);
            arrays.push(Array {
                name: draft.name.clone(),
                base,
                members,
                element: draft.element.clone(),
                extents,
                layout,
                live_in,
                live_out,
                origin,
                variable,
                span: draft.span,
            });
        }
        Ok(arrays)
    }

    /// The dimensions behind linearised subscripts: by what sizes are, or might be where the region
    /// writes the array, or it may be the same memory as another one. What is only read may overlap
    /// itself: it has a dimension for each stride. Where not all subscripts have dimensions, those of
    /// some of them.
    fn shape(
        &mut self,
        index: usize,
        leading: usize,
        pairs: &[[View; 2]],
    ) -> Result<Option<Shape>> {
        if let Some(shape) = self.delinearise(index, leading, false)? {
            return Ok(Some(shape));
        }
        if let Some(shape) = self.delinearise_row(index, leading)? {
            return Ok(Some(shape));
        }
        let written = self.model.arrays[index].written.is_some();
        let paired = |view: &View| view.what == What::Array(index);
        let compared = written || pairs.iter().flatten().any(paired);
        // What is read and turned back at borders has fewer cases where it stays in its rows.
        let rows_first = written || self.has_cases(index);
        if compared
            && rows_first
            && let Some(shape) = self.delinearise(index, leading, true)?
        {
            return Ok(Some(shape));
        }
        if leading == 0
            && let Some(shape) = self.delinearise_reads(index)?
        {
            return Ok(Some(shape));
        }
        if compared
            && !rows_first
            && let Some(shape) = self.delinearise(index, leading, true)?
        {
            return Ok(Some(shape));
        }
        match written {
            true => self.delinearise_some(index, leading),
            false => Ok(None),
        }
    }

    /// The number or pointer of the function through which an array is reached.
    fn leading_to(&self, draft: &ArrayDraft) -> Option<String> {
        let ArrayKey::Place(root, ..) = draft.key else {
            return None;
        };
        let symbol = &self.unit.symbols[root];
        let plain = match (symbol.scope, &symbol.ctype) {
            (Where::File | Where::Region(_), _) => false,
            (_, Type::Scalar(_) | Type::Pointer { .. }) => true,
            // A copy leads to the same rows.
            (Where::Function(_), Type::Array { .. }) => draft.has_rows(),
            (scope, Type::Array { .. }) => matches!(scope, Where::Parameter(_)),
            _ => false,
        };
        (plain && draft.region_depth.is_none()).then(|| symbol.name.clone())
    }

    /// Why an array is refused that is written where a loop stands that moves by a variable, and whose
    /// subscripts could not be taken apart: what is inside of that loop knows where it stands, and has a
    /// model of its own.
    fn strides_apart(&self, array: usize) -> Option<Refusal> {
        self.model.arrays[array].written?;
        for draft in &self.model.statements {
            let mut accesses = draft.accesses.iter().filter(|a| a.array == array);
            let strided = |position: usize| {
                let around = draft.loops.get(position);
                around.is_some_and(|around| self.region.turns.contains(&around.symbol))
            };
            let found = accesses.find(|access| {
                access.subscripts.iter().any(|subscript| {
                    let mut moves = false;
                    subscript.expr.walk(&mut |e| {
                        moves |= matches!(e, ScopExpr::Iterator(position) if strided(*position));
                    });
                    moves && subscript.affine.is_none()
                })
            });
            if let Some(access) = found {
                let name = &self.model.arrays[array].name;
                return Some(Refusal::from(
                    Diagnostic::error(
                        Code::LoopForm,
                        format!(
                            "the elements of `{name}` that a loop comes to which moves by a variable cannot \
                             be told apart"
                        ),
                    )
                    .at(access.span, "subscripts may leave what the loop moves by")
                    .help(
                        "where the step is known, let it be a number; or give the array one subscript for \
                         each dimension, and count by one",
                    ),
                ));
            }
        }
        None
    }

    /// Warns of writes without dimensions to an array that has some.
    fn warn_of_the_whole(&self, array: usize) {
        let accesses = self.model.statements.iter().flat_map(|d| &d.accesses);
        let unknown = |access: &&RawAccess| {
            let subscripts = access.subscripts.iter();
            access.flat.is_some() && subscripts.filter(|s| s.affine.is_none()).count() > 1
        };
        let mut own = accesses.filter(|a| a.array == array && a.kind == AccessKind::Write);
        let Some(access) = own.find(unknown) else {
            return;
        };
        let name = &self.model.arrays[array].name;
        let d = Diagnostic::warning(
            Code::NonAffineSubscript,
            format!(
                "this write to `{name}` is taken to touch all of it, so its loops stay sequential"
            ),
        )
        .at(
            access.span,
            "what other accesses have as rows and columns is not known here",
        )
        .help(format!(
            "subscript `{name}` with sums of loop variables, each times a number or a size"
        ));
        self.messages.warnings.borrow_mut().push(d);
        self.messages.anywhere.borrow_mut().push(access.span);
    }

    /// Warns of subscripts that are products of variables and could not be taken apart.
    fn warn_of_products(&self, array: usize) {
        for draft in &self.model.statements {
            for access in draft
                .accesses
                .iter()
                .filter(|a| a.array == array && a.cells.is_none())
            {
                let product = access.subscripts.iter().find(|s| {
                    let mut data = false;
                    s.expr.walk(&mut |e| {
                        data |= matches!(
                            e,
                            ScopExpr::Access(_) | ScopExpr::Local(_) | ScopExpr::Call(..)
                        );
                    });
                    s.affine.is_none() && !data
                });
                let Some(product) = product else { continue };
                let name = &self.model.arrays[array].name;
                let (reason, help) = match product.linear {
                    // Already one for each dimension.
                    _ if access.subscripts.len() > 1 => (
                        "not all of its subscripts are sums of loop variables, each times a number",
                        "let subscripts be sums of loop variables, each times a number".to_owned(),
                    ),
                    Some(_) => (
                        "an inner subscript may leave its row",
                        format!(
                            "give `{name}` one subscript for each dimension, through a pointer to \
                             rows: these stay in their row"
                        ),
                    ),
                    None => (
                        "not a sum of subscripts times strides",
                        format!(
                            "subscript `{name}` with sums of loop variables, each times a number or \
                             a size"
                        ),
                    ),
                };
                let written = self.model.arrays[array].written.is_some();
                let so = if written {
                    ", so this loop stays sequential"
                } else {
                    ""
                };
                let d = Diagnostic::warning(
                    Code::NonAffineSubscript,
                    format!("every access to `{name}` is taken to touch all of it{so}"),
                )
                .at(access.span, reason)
                .help(help);
                let d =
                    match self.assumed.trust.refuses(CheckKind::Rows) && product.linear.is_some() {
                        true => d.note("sizes are not compared for it: `--no-assume rows`"),
                        false => d,
                    };
                self.messages.warnings.borrow_mut().push(d);
                if written {
                    self.messages.anywhere.borrow_mut().push(access.span);
                }
                return;
            }
        }
    }

    /// The extents that C declares, the first one of an allocated pointer included.
    pub(super) fn extents(&self, array: usize) -> Result<Vec<Extent>> {
        let draft = &self.model.arrays[array];
        let mut extents = Vec::new();
        for (position, extent) in place::declared_extents(&draft.container)
            .into_iter()
            .enumerate()
        {
            extents.push(match extent {
                Some(extent) => self.extent_since(extent, draft.span)?,
                None if position == 0 => self.allocated_extent(draft)?,
                None => Extent {
                    spelling: None,
                    affine: None,
                },
            });
        }
        Ok(extents)
    }

    /// What is known of an extent that was computed at this place in the text.
    pub(super) fn extent_since(&self, extent: &Expr, place: Span) -> Result<Extent> {
        let same = self.facts.same_since(self.unit, extent, place.start);
        Ok(Extent {
            spelling: same.then(|| ctext::expression(extent, &self.unit.symbols)),
            affine: self.extent_value(extent, place)?,
        })
    }

    pub(super) fn extent_of(&self, count: &Polynomial) -> Result<Extent> {
        Ok(Extent {
            spelling: Some(count.text(&self.params)),
            affine: match count.to_affine(self, 0)? {
                Some(value) => Some(value.project_domain_on_params()?),
                None => None,
            },
        })
    }

    pub(super) fn outer_extent(&self, array: usize, shape: &Shape) -> Result<Extent> {
        let draft = &self.model.arrays[array];
        let unknown = Extent {
            spelling: None,
            affine: None,
        };
        let (ArrayKey::Place(root, _, _), Some(stride)) = (&draft.key, shape.strides.first())
        else {
            return Ok(unknown);
        };
        let declared = place::declared_extents(&draft.container);
        let count = match declared.get(shape.position) {
            Some(Some(extent)) => self.polynomial_since(extent, draft.span),
            _ if shape.position == 0 => self.allocated_rows(*root, draft),
            _ => None,
        };
        match count.and_then(|c| c.divide(stride)) {
            Some(extent) => self.extent_of(&extent),
            None => Ok(unknown),
        }
    }

    /// One more than the greatest value of an enclosing loop's variable where a temporary is
    /// written.
    fn reach(&self, array: usize, position: usize) -> Result<Option<PwAff>> {
        let mut reach: Option<PwAff> = None;
        for draft in &self.model.statements {
            for access in draft.accesses.iter().filter(|a| a.array == array) {
                if access.kind != AccessKind::Write {
                    continue;
                }
                let depth = access.domain.dim(DimType::Set)?;
                let domain = self
                    .assumed(&access.domain)?
                    .project_out(DimType::Set, position + 1, depth - position - 1)?
                    .project_out(DimType::Set, 0, position)?;
                if domain.is_empty()? {
                    continue;
                }
                let last = domain.dim_max(0)?.add_constant_val(&Val::one(self.ctx)?)?;
                reach = Some(match reach {
                    Some(known) => known.union_max(&last)?,
                    None => last,
                });
            }
        }
        Ok(match reach {
            Some(reach) => Some(reach.coalesce()?),
            None => None,
        })
    }
}

/// What an array, or what a pointer points at, consists of.
pub(super) fn innermost(container: &Type) -> &Type {
    let mut inner = match container {
        Type::Pointer { target, .. } => target,
        other => other,
    };
    while let Type::Array { element, .. } = inner {
        inner = element;
    }
    inner
}

/// Whether two elements are of one size.
pub(super) fn alike(a: &Type, b: &Type) -> bool {
    match (a, b) {
        (Type::Scalar(a), Type::Scalar(b)) => a.kind == b.kind,
        (a, b) => a == b,
    }
}

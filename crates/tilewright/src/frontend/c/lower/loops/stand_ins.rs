//! Static bounds in place of bounds that are data (Zhao, thesis 2018, section 4.2): from the extents
//! of arrays that every iteration subscripts with the variable, unless it does nothing, from how
//! many addresses there are, and from the variable's type.

use crate::frontend::c::lower::loops::domain::Head;
use crate::frontend::c::lower::loops::dynamic::alone;
use crate::frontend::c::lower::memory::{allocation, place};
use crate::frontend::c::lower::surroundings::visit;
use crate::frontend::c::lower::values::types;
use crate::frontend::c::lower::{Lowering, Result, Scope, optional};
use crate::frontend::c::syntax::{Expr, ExprKind, Scope as Where, Stmt, StmtKind, Unit};
use crate::mistakes::mistake;
use crate::scop::{BinaryOp, ScalarKind};
use isl::{DimType, PwAff, Set, Val};

/// No processor has more addresses for a program: what subscripts memory is below.
const ADDRESSES: i64 = 1 << 57;

impl<'u> Lowering<'u> {
    /// Bounds that follow from the extents of arrays which every iteration subscripts with the
    /// loop's variable plus something: what C's arrays allow. Over the space of the loops outside.
    pub(crate) fn subscripted(
        &self,
        inner: &Scope,
        head: &Head<'_>,
        body: &[&'u Stmt],
    ) -> Result<(Vec<PwAff>, Vec<PwAff>)> {
        let (mut least, mut greatest): (Vec<PwAff>, Vec<PwAff>) = (Vec::new(), Vec::new());
        let depth = inner.loops.len() - 1;
        let mut addresses = false;
        for expr in accessed(self.unit, body) {
            let Ok(place) = place::resolve(self.unit, expr) else {
                continue;
            };
            if matches!(self.unit.symbols[place.root].scope, Where::Region(_)) {
                continue;
            }
            let extents = place::declared_extents(&place.container);
            let declared = self.unit.symbols[place.root].span;
            for (subscript, extent) in place.subscripts.iter().zip(extents) {
                if !visit::mentions(subscript, head.symbol) {
                    continue;
                }
                let Some(index) = optional(self.affine(inner, subscript))? else {
                    continue;
                };
                let rest = index.sub(&self.variable(depth + 1, depth)?)?.coalesce()?;
                if rest.involves_dims(DimType::In, depth, 1)? {
                    continue;
                }
                addresses |= rest.is_cst()?;
                let add = |list: &mut Vec<PwAff>, value: PwAff| -> Result<()> {
                    let mut known = false;
                    for other in list.iter() {
                        known |= other.is_equal(&value)?;
                    }
                    if !known {
                        list.push(value);
                    }
                    Ok(())
                };
                // What stands in front of where a pointer points may be its array's, too.
                let first = || {
                    let whole = place.base == self.unit.symbols[place.root].name;
                    whole && allocation::is_first(self.unit, &self.facts, place.root)
                };
                if extent.is_some() || mistake!(PointersAtFirst) || first() {
                    add(&mut least, rest.neg()?)?;
                }
                let extent = match extent {
                    Some(extent) => self.extent_value(extent, declared)?,
                    None => None,
                };
                if let Some(extent) = extent {
                    let space = self.loop_space(depth + 1)?;
                    let one = Val::one(self.ctx)?.neg()?;
                    let extent = extent.insert_domain(&space)?.add_constant_val(&one)?;
                    add(&mut greatest, extent.sub(&rest)?)?;
                }
            }
        }
        if addresses && head.ctype.kind.bytes() == 8 {
            let beyond = |value: i64| self.constant(depth + 1, value);
            if least.is_empty() {
                least.push(beyond(-ADDRESSES)?);
            }
            if greatest.is_empty() {
                greatest.push(beyond(ADDRESSES)?);
            }
        }
        Ok((least, greatest))
    }

    /// The domain with static bounds in place of a bound that is data, and those of them that are
    /// functions of the parameters alone.
    pub(crate) fn with_stand_ins(
        &self,
        domain: &Set,
        head: &Head<'_>,
        bounds: Vec<PwAff>,
        upper: bool,
    ) -> Result<(Set, Vec<PwAff>)> {
        let depth = domain.dim(DimType::Set)? - 1;
        let variable = self.variable(depth + 1, depth)?;
        let (least, greatest) = range(head.ctype.kind);
        let wraps =
            types::is_unsigned(head.ctype.kind) || types::narrow_range(head.ctype.kind).is_some();
        let mut bounds = bounds;
        if bounds.is_empty() || wraps {
            // The variable is compared before it is used: where it counts to the greatest value of its
            // type, that is no iteration's. It may well begin there; of 64 bits it is taken not to, so
            // that the numbers around it are in range, too.
            let first = upper == head.down();
            let narrow = head.ctype.kind.bytes() <= 4;
            let bound = match (upper, first && narrow) {
                (true, _) if !narrow && !bounds.is_empty() => ADDRESSES,
                (true, true) => greatest,
                (true, false) => greatest - 1,
                (false, true) if !wraps => least,
                (false, _) => least + 1,
            };
            bounds.push(self.constant(depth + 1, bound)?);
        }
        let (mut domain, mut stand_ins) = (domain.clone(), Vec::new());
        for bound in bounds {
            domain = domain.intersect(&if upper {
                variable.le_set(&bound)?
            } else {
                variable.ge_set(&bound)?
            })?;
            if !bound.involves_dims(DimType::In, 0, depth + 1)? {
                stand_ins.push(bound.project_domain_on_params()?);
            }
        }
        Ok((domain, stand_ins))
    }
}

/// The least and greatest value of an integer type, as far as 64 bits hold them.
fn range(kind: ScalarKind) -> (i64, i64) {
    match kind {
        ScalarKind::U32 => (-1, i64::from(u32::MAX)),
        ScalarKind::U64 => (-1, i64::MAX),
        ScalarKind::I64 => (i64::MIN, i64::MAX),
        _ => match types::narrow_range(kind) {
            Some((least, greatest)) => (least - 1, greatest),
            None => (i64::from(i32::MIN), i64::from(i32::MAX)),
        },
    }
}

/// The places that every iteration of a loop with this body accesses, unless it does nothing, or does
/// not come back.
pub(crate) fn accessed<'u>(unit: &'u Unit, body: &[&'u Stmt]) -> Vec<&'u Expr> {
    let mut always = Vec::new();
    for stmt in body {
        if !straight(unit, stmt, &mut always) {
            return always;
        }
    }
    // Iterations with nothing in them but a loop without iterations do nothing.
    let mut only = alone(body);
    while let Some(Stmt {
        kind: StmtKind::For { body: below, .. },
        ..
    }) = only
    {
        if !straight(unit, below, &mut always) {
            break;
        }
        only = alone(&[&**below]);
    }
    always
}

/// Collects the places that a statement accesses whenever it is reached; whether what stands behind it
/// is always reached, too.
fn straight<'u>(unit: &'u Unit, stmt: &'u Stmt, found: &mut Vec<&'u Expr>) -> bool {
    match &stmt.kind {
        StmtKind::Block(list) => list.iter().all(|s| straight(unit, s, found)),
        StmtKind::Expression(expr) => {
            evaluated(expr, found);
            true
        }
        StmtKind::Declaration(symbol) => {
            if let Some(value) = &unit.symbols[*symbol].initialiser {
                evaluated(value, found);
            }
            true
        }
        _ => !ends(stmt),
    }
}

/// Whether a statement may end the program, or never ends itself.
pub(crate) fn ends(stmt: &Stmt) -> bool {
    let mut found = false;
    visit::statements(stmt, &mut |s| {
        found |= matches!(s.kind, StmtKind::Exit(_) | StmtKind::While { .. });
    });
    found
}

fn evaluated<'u>(expr: &'u Expr, found: &mut Vec<&'u Expr>) {
    match &expr.kind {
        ExprKind::Subscript(..) => found.push(expr),
        ExprKind::Binary(BinaryOp::And | BinaryOp::Or, first, _)
        | ExprKind::Conditional(first, ..) => return evaluated(first, found),
        ExprKind::SizeOf(..) | ExprKind::AddressOf(_) => return,
        _ => {}
    }
    visit::children(expr).for_each(|e| evaluated(e, found));
}

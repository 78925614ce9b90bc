//! Products of sizes and loop variables in types that wrap around, `i * n + j` of `unsigned` or
//! after a cast to `size_t`: by intervals, for sizes up to limits that are compared when the program
//! runs.

use crate::frontend::c::lower::surroundings::visit;
use crate::frontend::c::lower::values::interval::{Interval, Variables, interval};
use crate::frontend::c::lower::{Lowering, Scope};
use crate::frontend::c::syntax::{Expr, ExprKind, SymbolId};
use crate::scop::CheckKind;
use isl::{DimType, Set, Val};
use std::collections::{BTreeSet, HashMap};

/// Limits for sizes, tried one after the other: products of two in 64 bits, of three in 64 bits, of
/// two and of three in 32 bits.
const LIMITS: [i64; 4] = [1 << 31, 1 << 21, 1 << 16, 1 << 10];

/// The values of loop variables and parameters.
struct Known<'l, 'u> {
    lowering: &'l Lowering<'u>,
    scope: &'l Scope,
    loops: Vec<Interval>,
    params: HashMap<usize, Interval>,
    /// Where the expression is computed.
    instances: Option<Set>,
}

impl<'u> Variables<'u> for Known<'_, 'u> {
    fn values(&self, place: &Expr) -> Option<Interval> {
        if let ExprKind::Name(symbol) = place.kind {
            if let Some(position) = self.scope.position(symbol) {
                return self.loops.get(position).copied();
            }
        }
        let id = self.lowering.params.find(place)?;
        self.params.get(&id).copied()
    }

    fn definition(&self, symbol: SymbolId) -> Option<&'u Expr> {
        if self.scope.position(symbol).is_some() {
            return None;
        }
        let value = self.lowering.product(symbol)?;
        let name = Expr {
            kind: ExprKind::Name(symbol),
            span: value.span,
        };
        // A size that is computed otherwise, as a quotient by a size, counts as what it holds.
        let opaque = self.lowering.params.find(&name).is_some();
        (!opaque || self.lowering.polynomial(value).is_some()).then_some(value)
    }

    fn together(&self, expr: &Expr) -> Option<Interval> {
        let instances = self.instances.as_ref()?;
        let before = self.lowering.assumptions_so_far();
        let bounds = || {
            let value = self.lowering.affine(self.scope, expr).ok()?;
            let value = value.intersect_domain(instances).ok()?;
            let bound = |value: isl::Result<Val>| value.ok()?.to_i64().map(i128::from);
            Some((bound(value.min_val())?, bound(value.max_val())?))
        };
        let found = bounds();
        if found.is_none() {
            self.lowering.forget_assumptions_since(before);
        }
        found
    }
}

impl Lowering<'_> {
    /// Whether no part of an expression wraps around or is changed by a conversion, for all sizes or
    /// up to a limit that is compared when the program runs.
    pub(crate) fn products_fit(&self, scope: &Scope, expr: &Expr) -> isl::Result<bool> {
        let known = |loops, params, instances| Known {
            lowering: self,
            scope,
            loops,
            params,
            instances,
        };
        let anything = known(Vec::new(), HashMap::new(), None);
        if interval(self.unit, &anything, expr).is_some() {
            return Ok(true);
        }
        let possible = self.possible(scope)?;
        let bounding = possible.gist_params(&self.ranges()?)?;
        let mut named = BTreeSet::new();
        self.named_parameters(scope, expr, &mut named, 0);
        let involved = |id: usize| -> isl::Result<bool> {
            Ok(named.contains(&id) || bounding.involves_dims(DimType::Param, id, 1)?)
        };
        for limit in LIMITS {
            let mut sizes = self.ranges()?;
            let mut params = HashMap::new();
            for id in 0..self.params.list.len() {
                if involved(id)? {
                    sizes = sizes
                        .lower_bound_val(DimType::Param, id, &Val::zero(self.ctx)?)?
                        .upper_bound_val(DimType::Param, id, &Val::int_from_si(self.ctx, limit)?)?;
                    params.insert(id, (0, i128::from(limit)));
                }
            }
            let instances = possible.intersect_params(&sizes)?;
            if instances.is_empty()? {
                continue;
            }
            // Where a loop runs at all, what it runs to is not 0.
            let executed = instances.params()?;
            for (&id, values) in &mut params {
                let alone =
                    executed
                        .from_params()?
                        .move_dims(DimType::Set, 0, DimType::Param, id, 1)?;
                if let Some(least) = alone.dim_min_val(0)?.to_i64() {
                    values.0 = values.0.max(least.into());
                }
            }
            let mut loops = Vec::new();
            for position in 0..scope.loops.len() {
                let least = instances.dim_min_val(position)?.to_i64();
                let greatest = instances.dim_max_val(position)?.to_i64();
                match (least, greatest) {
                    (Some(least), Some(greatest)) => loops.push((least.into(), greatest.into())),
                    _ => break,
                }
            }
            if loops.len() < scope.loops.len() {
                continue;
            }
            let known = known(loops, params, Some(instances));
            if interval(self.unit, &known, expr).is_none() {
                continue;
            }
            let good = sizes.gist(&self.ranges()?)?;
            let why = format!("{} does not wrap around", self.quoted(expr));
            return Ok(self.leaves_usual_sizes(&good)?
                && self.assume_at_run_time(CheckKind::Wrap, expr.span, why, &good)?);
        }
        Ok(false)
    }

    /// The parameters that an expression mentions, and the definitions in it.
    fn named_parameters(
        &self,
        scope: &Scope,
        expr: &Expr,
        found: &mut BTreeSet<usize>,
        depth: usize,
    ) {
        const DEPTH: usize = 16;
        visit::walk(expr, &mut |e| {
            found.extend(self.params.find(e));
            if let ExprKind::Name(symbol) = e.kind {
                if scope.position(symbol).is_none() && depth < DEPTH {
                    if let Some(definition) = self.product(symbol) {
                        self.named_parameters(scope, definition, found, depth + 1);
                    }
                }
            }
        });
    }
}

//! What is taken for granted of the parameters.

use crate::diagnostic::{Code, Diagnostic};
use crate::frontend::c::lower::{Lowering, Refusal, Result, Scope};
use crate::frontend::c::syntax::{Expr, ExprKind, Stmt, StmtKind};
use crate::scop::{CheckKind, ParameterCheck};
use crate::source::Span;
use isl::{BasicSet, DimType, PwAff, Set};

impl Lowering<'_> {
    /// Takes for granted what C or the program itself says of the parameters; nothing where that
    /// leaves no values at all.
    pub(crate) fn take_as_given(&self, good: &Set) -> isl::Result<()> {
        let context = self.assumed.context.borrow().intersect(good)?;
        if !context.is_empty()? {
            let given = self.assumed.given.borrow().intersect(good)?;
            self.assumed.given.replace(given);
            self.assumed.context.replace(context);
        }
        Ok(())
    }

    /// A factor that is a parameter has the value of its definition.
    pub(crate) fn assume_factors(&self) -> Result<()> {
        for &symbol in &self.facts.factors {
            let declared = self.unit.symbols[symbol].span;
            let name = Expr {
                kind: ExprKind::Name(symbol),
                span: declared,
            };
            let (Some(definition), Some(own)) = (
                self.facts.linear(self.unit, symbol),
                self.extent_value(&name, declared)?,
            ) else {
                continue;
            };
            if let Some(value) = self.extent_value(definition, declared)? {
                self.take_as_given(&own.eq_set(&value)?)?;
            }
        }
        Ok(())
    }

    /// Takes for granted that no instance of the scope comes to a call that does not come back, or to
    /// where only the original will do.
    pub(crate) fn never(&self, stmt: &Stmt, scope: &Scope) -> Result<()> {
        let (kind, why) = match &stmt.kind {
            StmtKind::Original(why) => (CheckKind::Ends, why.clone()),
            StmtKind::Exit(name) => (CheckKind::Errors, format!("`{name}` is not called")),
            _ => return Ok(()),
        };
        let reached = self.assumed(&scope.domain)?;
        if reached.is_empty()? {
            return Ok(());
        }
        let before = self.assumptions_so_far();
        let mut all = true;
        for bad in reached.params()?.coalesce()?.basic_sets()? {
            let mut sides = Vec::new();
            for good in beside(&bad)? {
                // That the loop around has no iterations is no way to get by.
                let enters = match &scope.entered {
                    Some(entered) => !self.assumed(entered)?.intersect_params(&good)?.is_empty()?,
                    None => true,
                };
                if enters {
                    sides.push((self.leaves_usual_sizes(&good)?, good));
                }
            }
            // Where only small sizes come to no such call, the program has no others.
            sides.sort_by_key(|(usual, _)| !usual);
            let mut found = false;
            for (usual, good) in sides {
                found = found
                    || (usual || kind == CheckKind::Errors)
                        && self.assume_at_run_time(kind, stmt.span, &*why, &good)?;
            }
            all &= found;
        }
        if all {
            // Quotients of what is not negative are known exactly.
            let context = self
                .params
                .assume_quotients(&self.assumed.context.borrow())?;
            self.assumed.context.replace(context);
            return Ok(());
        }
        self.forget_assumptions_since(before);
        let StmtKind::Exit(name) = &stmt.kind else {
            return Err(Refusal::from(
                Diagnostic::error(Code::LoopForm, "the loop may not come to its end")
                    .at(stmt.span, format!("taken for granted here: {why}"))
                    .help("compute how often it runs in front of the region, and count to that"),
            ));
        };
        Err(Refusal::from(
            Diagnostic::error(
                Code::UnknownCall,
                format!("`{name}` may be called in the region"),
            )
            .at(
                stmt.span,
                "does not come back; whether it is called depends on data",
            )
            .help("check what may go wrong in a loop in front of the region, or define `NDEBUG`"),
        ))
    }

    /// Takes for granted what nobody says, a set of parameters: it is compared when the program
    /// runs, and where it does not hold the original statements are executed. `why` says in words
    /// what holds then ('`i - 1` does not wrap around').
    ///
    /// `false`, and nothing is assumed, where that leaves too little: no values at all, or several
    /// convex sets of them; and where the user refuses what is of this kind.
    pub(crate) fn assume_at_run_time(
        &self,
        kind: CheckKind,
        span: Span,
        why: impl Into<String>,
        good: &Set,
    ) -> isl::Result<bool> {
        if !self.assumed.may_assume.get() {
            return Ok(false);
        }
        let before = self.assumed.context.borrow().clone();
        if before.is_subset(good)? {
            return Ok(true);
        }
        if self.assumed.trust.refuses(kind) {
            return Ok(false);
        }
        let context = before.intersect(good)?.coalesce()?;
        if context.is_empty()? || context.n_basic_set()? > 1 {
            return Ok(false);
        }
        self.assumed.checks.borrow_mut().push(ParameterCheck {
            kind,
            good: context.gist(&before)?,
            why: why.into(),
            span,
        });
        self.assumed.context.replace(context);
        Ok(true)
    }
}

/// Sets of sizes that lie on the other side of one constraint each, those of several sizes first.
fn beside(bad: &BasicSet) -> isl::Result<Vec<Set>> {
    let mut sides = Vec::new();
    for constraint in bad.constraints()? {
        let aff = constraint.get_aff()?;
        let mut sizes = 0;
        for param in 0..aff.dim(DimType::Param)? {
            sizes += i32::from(aff.get_coefficient_val(DimType::Param, param)?.to_i64() != Some(0));
        }
        let value = PwAff::from_aff(&aff)?;
        let zero = value.sub(&value)?;
        sides.push((sizes, value.lt_set(&zero)?));
        if constraint.is_equality()? {
            sides.push((sizes, value.gt_set(&zero)?));
        }
    }
    sides.sort_by_key(|(sizes, _)| std::cmp::Reverse(*sizes));
    Ok(sides.into_iter().map(|(_, side)| side).collect())
}

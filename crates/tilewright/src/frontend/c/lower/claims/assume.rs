//! What is taken for granted of the parameters.

use crate::frontend::c::lower::{Lowering, Result};
use crate::frontend::c::syntax::{Expr, ExprKind};
use crate::scop::ParameterCheck;
use crate::source::Span;
use isl::Set;

impl Lowering<'_> {
    /// Takes for granted what C or the program itself says of the parameters; nothing where that
    /// leaves no values at all.
    pub(crate) fn take_as_given(&self, good: &Set) -> isl::Result<()> {
        let context = self.context.borrow().intersect(good)?;
        if !context.is_empty()? {
            let given = self.given.borrow().intersect(good)?;
            self.given.replace(given);
            self.context.replace(context);
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

    /// Takes for granted what nobody says, a set of parameters: it is compared when the program
    /// runs, and where it does not hold the original statements are executed. `why` says in words
    /// what holds then ('`i - 1` does not wrap around').
    ///
    /// `false`, and nothing is assumed, where that leaves too little: no values at all, or several
    /// convex sets of them.
    pub(crate) fn assume_at_run_time(
        &self,
        span: Span,
        why: impl Into<String>,
        good: &Set,
    ) -> isl::Result<bool> {
        if !self.may_assume.get() {
            return Ok(false);
        }
        let before = self.context.borrow().clone();
        if before.is_subset(good)? {
            return Ok(true);
        }
        let context = before.intersect(good)?.coalesce()?;
        if context.is_empty()? || context.n_basic_set()? > 1 {
            return Ok(false);
        }
        self.checks.borrow_mut().push(ParameterCheck {
            good: context.gist(&before)?,
            why: why.into(),
            span,
        });
        self.context.replace(context);
        Ok(true)
    }
}
